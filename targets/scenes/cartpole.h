// SPDX-License-Identifier: MIT
// cartpole.h - a pole on a cart between soft walls, stood up again by consensus complementarity control: c3's example.
//   given   a push: positions and rates of cart and pole
//   makes   the plant, whose walls are compliant contacts; the linear complementarity system of the controller; plans
//   bound   2 N (iterations + 1) steps of passes a plan
//   never   tells the controller of dampers and of finite angles: it knows the wall as a spring that never pulls
#ifndef CARTPOLE_H
#define CARTPOLE_H

#include "scenes.h"

enum { CART_X = 4, CART_L = 2, CART_N = 5, CART_ROOM = TAC_C3_NUMBERS(CART_X, 1, CART_L, CART_N) };

#define CART(number) ((tac_real)(number))
#define CART_WALL CART(0.35)    // from the middle to each wall, as the tip of the pole sees it
#define CART_TIP CART(0.6)      // length of the pole
#define CART_REACH CART(0.4267) // from the hinge to its centre of mass

// x = (cart, pole, their rates); the pole turns away from +x. l: forces of the walls. h = 0.01, cart 0.978 kg, pole
// 0.411 kg, walls of 100 N/m. Q_N is the solution of the Riccati equation without walls.
static const tac_real cart_A[16] = {1, 0, CART(0.01),      0, 0, 1, 0, CART(0.01), 0, CART(0.0412264), 1,
                                    0, 0, CART(0.3265217), 0, 1};
static const tac_real cart_B[4] = {0, 0, CART(0.0102249), CART(0.0239628)};
static const tac_real cart_D[8] = {0, 0, 0, 0, CART(0.0041528), CART(-0.0041528), CART(0.0899119), CART(-0.0899119)};
static const tac_real cart_E[8] = {-1, CART_TIP, 0, 0, 1, -CART_TIP, 0, 0};
static const tac_real cart_F[4] = {CART(0.01), 0, 0, CART(0.01)};
static const tac_real cart_zero[4] = {0, 0, 0, 0};
static const tac_real cart_Q[16] = {10, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const tac_real cart_Q_N[16] = {CART(1379.713),  CART(-2516.797), CART(894.9054),  CART(-523.1587),
                                      CART(-2516.797), CART(15852.46),  CART(-2924.131), CART(3037.872),
                                      CART(894.9054),  CART(-2924.131), CART(969.2092),  CART(-607.1055),
                                      CART(-523.1587), CART(3037.872),  CART(-607.1055), CART(596.7804)};
static const tac_real cart_R[1] = {1}, cart_G[4] = {1, 1, 1, 1}, cart_U[4] = {1, 1, 10000, 10000};

typedef struct cartpole {
    tac_lcs system;
    tac_c3 c3;
    tac_real c[2], memory[CART_ROOM];
} cartpole;

static inline tac_vec3 cart_vec(double x, double y, double z)
{
    return (tac_vec3){CART(x), CART(y), CART(z)};
}

static inline void cart_body(tac_model *m, tac_vec3 at, double mass, double inertia)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, at);
    b.mass = CART(mass);
    b.inertia = cart_vec(inertia, inertia, inertia);
    tac_model_add_body(m, &b);
}

// Slides along x, the hinge about -y; the tip of the pole touches the walls, which are contacts of 100 N/m.
static inline tac_status cart_plant(tac_model *m)
{
    const tac_real half = CART(0.70710678118654752440);
    const tac_quat along = {half, 0, half, 0}, against = {half, 0, -half, 0}, about = {half, half, 0, 0};
    tac_joint slide, hinge;
    tac_model_init(m);
    m->h = CART(0.001);
    tac_model_add_material(m, 0, 0);
    m->material[0].stiffness = 200, m->material[0].damping = 1; // of the tip, and of a wall in series with it
    cart_body(m, cart_vec(0, 0, 0), 0.978, 0.01);
    cart_body(m, (tac_vec3){0, 0, CART_REACH}, 0.411, 1e-4);
    tac_joint_init(&slide, TAC_PRISMATIC, 0, 1);
    slide.frame_a.q = slide.frame_b.q = along;
    tac_model_add_joint(m, &slide);
    tac_joint_init(&hinge, TAC_REVOLUTE, 1, 2);
    hinge.frame_a.q = hinge.frame_b.q = about;
    hinge.frame_b.p.z = -CART_REACH;
    tac_model_add_joint(m, &hinge);
    tac_shape tip = tac_shape_make(2, TAC_SPHERE, cart_vec(0.02, 0.02, 0.02));
    tip.pose.p.z = CART_TIP - CART_REACH;
    tac_model_add_shape(m, &tip);
    for (int side = -1; side <= 1; side += 2) {
        tac_shape wall = tac_shape_make(0, TAC_HALF_SPACE, cart_vec(0, 0, 0));
        wall.pose = (tac_pose){cart_vec(0.37 * side, 0, 0), side > 0 ? against : along};
        tac_model_add_shape(m, &wall);
    }
    return tac_model_seal(m, NULL);
}

static inline void cart_controller(cartpole *p)
{
    tac_lcs_init(&p->system);
    // a system is written by tac_linearise() or by hand; the planner reads it only
    p->system.A = (tac_real *)cart_A, p->system.B = (tac_real *)cart_B, p->system.D = (tac_real *)cart_D;
    p->system.E = (tac_real *)cart_E, p->system.F = (tac_real *)cart_F, p->system.H = (tac_real *)cart_zero;
    p->system.d = (tac_real *)cart_zero, p->system.c = p->c;
    p->system.size = (tac_linear_size){CART_X, 1, CART_L};
    p->c[0] = p->c[1] = CART_WALL;
    tac_c3_init(&p->c3);
    p->c3.system = &p->system;
    p->c3.Q = cart_Q, p->c3.Q_N = cart_Q_N, p->c3.R = cart_R, p->c3.G = cart_G, p->c3.U = cart_U;
    p->c3.memory = p->memory, p->c3.room = CART_ROOM;
    p->c3.horizon = CART_N, p->c3.growth = 2;
}

// The force on the cart, at positions and rates of cart and pole.
static inline tac_real cart_plan(cartpole *p, const tac_real x[CART_X])
{
    if (tac_c3_begin(&p->c3, x, CART_N) || tac_c3_run(&p->c3, UINT32_MAX)) { return 0; }
    return p->c3.plan[0];
}

#endif
