// SPDX-License-Identifier: MIT
// pivot.h - a cube of 1 m and 1 kg is tipped onto its edge by two fingers and held there by consensus complementarity
// control: the example of c3, in the plane.
//   given   a state of the plant
//   makes   the plant; its linear complementarity system with the three nearest contacts; forces on the fingers
//   bound   a linearisation and 2 N (iterations + 1) steps of passes a plan
//   never   tells the planner which finger is to touch, or when
#ifndef PIVOT_H
#define PIVOT_H

#include "scenes.h"

// Coordinates: cube along x and z and about -y; each finger along x and z. u: forces on the fingers.
enum { PIVOT_Q = 7, PIVOT_X = 2 * PIVOT_Q, PIVOT_U = 4, PIVOT_CUBE = 3, PIVOT_L = 12, PIVOT_N = 10 };

#define PIVOT(number) ((tac_real)(number))

typedef struct pivot {
    tac_lcs of_all, system; // with efforts of all coordinates; with those of the fingers
    tac_c3 c3;
    tac_lcp lcp;
    tac_real A[PIVOT_X * PIVOT_X], B[PIVOT_X * PIVOT_Q], D[PIVOT_X * PIVOT_L], d[PIVOT_X], E[PIVOT_L * PIVOT_X];
    tac_real F[PIVOT_L * PIVOT_L], H[PIVOT_L * PIVOT_Q], c[PIVOT_L], B_u[PIVOT_X * PIVOT_U], H_u[PIVOT_L * PIVOT_U];
    tac_real Q[PIVOT_X * PIVOT_X], Q_N[PIVOT_X * PIVOT_X], R[PIVOT_U * PIVOT_U], G[2 * PIVOT_L], U[2 * PIVOT_L];
    tac_real target[(PIVOT_N + 1) * PIVOT_X], memory[TAC_C3_NUMBERS(PIVOT_X, PIVOT_U, PIVOT_L, PIVOT_N)];
} pivot;

// On its edge at 45 degrees, a finger on each side; at the start flat, the fingers beside it.
static const tac_real pivot_target[PIVOT_Q] = {
    0, PIVOT(0.657), PIVOT(0.785), PIVOT(-0.566), PIVOT(0.374), PIVOT(0.283), PIVOT(1.223)};
static const tac_real pivot_start[PIVOT_Q] = {0, PIVOT(0.45), 0, PIVOT(-0.6), PIVOT(0.75), PIVOT(0.6), PIVOT(0.1)};

static inline tac_shape pivot_shape(uint16_t body, uint8_t kind, double size, double x, double z, uint16_t group,
                                    uint16_t mask)
{
    tac_shape s = tac_shape_make(body, kind, (tac_vec3){PIVOT(size), PIVOT(size), PIVOT(size)});
    s.pose.p = (tac_vec3){PIVOT(x), 0, PIVOT(z)};
    s.group = group, s.mask = mask;
    return s;
}

static inline void pivot_slide(tac_model *m, uint16_t from, double mass, const tac_quat *along)
{
    tac_joint slide;
    tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    b.mass = PIVOT(mass);
    b.inertia = (tac_vec3){PIVOT(0.004 * mass), PIVOT(0.004 * mass), PIVOT(0.004 * mass)};
    const int32_t body = tac_model_add_body(m, &b);
    tac_joint_init(&slide, TAC_PRISMATIC, from, (uint16_t)body);
    if (along != NULL) { slide.frame_a.q = slide.frame_b.q = *along; }
    tac_model_add_joint(m, &slide);
}

// The ground is 0.05 m below the origin; the corners of the cube touch it, its faces touch the fingers. Friction is
// 0.1.
static inline tac_status pivot_plant(tac_model *m)
{
    const tac_real half = PIVOT(0.70710678118654752440);
    const tac_quat x = {half, 0, half, 0}, plane = {half, half, 0, 0};
    tac_joint free;
    tac_shape s;
    tac_model_init(m);
    m->h = PIVOT(0.01);
    m->gravity = (tac_vec3){0, 0, PIVOT(-9.81)};
    tac_model_add_material(m, PIVOT(0.1), 0);
    tac_body cube = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    cube.inertia = (tac_vec3){PIVOT(1.0 / 6), PIVOT(1.0 / 6), PIVOT(1.0 / 6)};
    tac_model_add_body(m, &cube);
    tac_joint_init(&free, TAC_PLANAR, 0, 1);
    free.frame_a.q = free.frame_b.q = plane;
    free.collide = 1;
    tac_model_add_joint(m, &free);
    for (uint16_t finger = 0; finger < 2; finger++) {
        pivot_slide(m, 0, 0.01, &x);
        pivot_slide(m, (uint16_t)(2 + 2 * finger), 1, NULL);
        s = pivot_shape((uint16_t)(3 + 2 * finger), TAC_SPHERE, 0.1, 0, 0, 8, 4);
        tac_model_add_shape(m, &s);
    }
    for (int k = 0; k < 4; k++) {
        s = pivot_shape(1, TAC_SPHERE, 0.01, k & 1 ? 0.49 : -0.49, k & 2 ? 0.49 : -0.49, 2, 1);
        tac_model_add_shape(m, &s);
    }
    s = pivot_shape(1, TAC_BOX, 0.5, 0, 0, 4, 8);
    tac_model_add_shape(m, &s);
    s = pivot_shape(0, TAC_HALF_SPACE, 1, 0, -0.05, 1, 2);
    tac_model_add_shape(m, &s);
    return tac_model_seal(m, NULL);
}

// Weights of l and eta by their units: impulses 2000, velocities 1; a slack of friction is the other way round.
static inline void pivot_controller(pivot *p)
{
    tac_lcs *y = &p->of_all;
    tac_lcp_init(&p->lcp);
    tac_lcs_init(y);
    y->A = p->A, y->B = p->B, y->D = p->D, y->d = p->d, y->E = p->E, y->F = p->F, y->H = p->H, y->c = p->c;
    y->room = (tac_linear_size){PIVOT_X, PIVOT_Q, PIVOT_L};
    y->within = 5, y->closest = 3, y->directions = 1;
    for (int i = 0; i < PIVOT_X * PIVOT_X; i++) { p->Q[i] = p->Q_N[i] = 0; }
    for (int i = 0; i < PIVOT_X; i++) {
        p->Q[i * (PIVOT_X + 1)] = i < PIVOT_CUBE ? 500 : i < PIVOT_Q ? PIVOT(0.1) : 5;
        p->Q_N[i * (PIVOT_X + 1)] = 100 * p->Q[i * (PIVOT_X + 1)];
    }
    for (int i = 0; i < PIVOT_U * PIVOT_U; i++) { p->R[i] = i % (PIVOT_U + 1) == 0 ? PIVOT(0.01) : 0; }
    for (int i = 0; i < 2 * PIVOT_L; i++) {
        const int velocity = (i % PIVOT_L >= 9) == (i < PIVOT_L); // normals, edges, then slacks of three contacts
        p->G[i] = velocity ? 1 : 2000;
        p->U[i] = velocity ? PIVOT(0.01) : 1;
    }
    tac_c3_init(&p->c3);
    p->c3.system = &p->system;
    p->c3.Q = p->Q, p->c3.Q_N = p->Q_N, p->c3.R = p->R, p->c3.G = p->G, p->c3.U = p->U, p->c3.target = p->target;
    p->c3.memory = p->memory, p->c3.room = sizeof p->memory / sizeof *p->memory;
    p->c3.horizon = PIVOT_N, p->c3.iterations = 5, p->c3.growth = PIVOT(1.3);
}

// The system at a state, without efforts on the cube, and the plan from there.
static inline tac_status pivot_plan(pivot *p, const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_real q[PIVOT_Q + 1], x[PIVOT_X] = {0};
    tac_status status = tac_linearise(m, s, NULL, w, &p->lcp, &p->of_all);
    if (status || p->of_all.size.l != PIVOT_L) { return status ? status : TAC_E_FULL; }
    status = tac_state_get_coordinates(m, s, w, q, &x[PIVOT_Q]);
    if (status) { return status; }
    for (int i = 0; i < PIVOT_X * PIVOT_U; i++) { p->B_u[i] = p->B[i / PIVOT_U * PIVOT_Q + PIVOT_CUBE + i % PIVOT_U]; }
    for (int i = 0; i < PIVOT_L * PIVOT_U; i++) { p->H_u[i] = p->H[i / PIVOT_U * PIVOT_Q + PIVOT_CUBE + i % PIVOT_U]; }
    p->system = p->of_all;
    p->system.B = p->B_u, p->system.H = p->H_u, p->system.size.u = PIVOT_U;
    for (int i = 0; i < (PIVOT_N + 1) * PIVOT_X; i++) {
        p->target[i] = i % PIVOT_X < PIVOT_Q ? pivot_target[i % PIVOT_X] - q[i % PIVOT_X] : 0;
    }
    status = tac_c3_begin(&p->c3, x, PIVOT_N);
    return status ? status : tac_c3_run(&p->c3, UINT32_MAX);
}

#endif
