// SPDX-License-Identifier: MIT
// config: all
// A pole on a cart is stood up again between soft walls by consensus complementarity control, on a plant that is
// another model than its own: walls with dampers, finite angles, a force of at most 8 N, 1 ms against 10 ms. The same
// without knowledge of the walls falls where it takes a wall to stand up.
#include "tap.h"
#include "cartpole.h"
#include "truth.h"

enum { PLANS = 500, STEPS = 10 };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static cartpole p;

static const double most = 8; // N

// A push towards a wall: the tip is within 0.1 m of it and moves by up to 1.8 m/s.
static void push(uint32_t seed, tac_real x[CART_X])
{
    rng r = {seed};
    const double lean = rng_range(&r, -0.55, 0);
    x[0] = (tac_real)(0.35 - rng_range(&r, 0, 0.1) + 0.6 * (lean - lean * lean * lean / 6));
    x[1] = (tac_real)lean;
    x[2] = (tac_real)rng_range(&r, -0.5, 0.5);
    x[3] = (tac_real)rng_range(&r, -3, 0);
}

// Returns 1 if it stands in the middle at last. `walls`: the controller knows them.
static int stands(uint32_t seed, int walls, double *pressed)
{
    static tac_real q[2 * CART_X], v[2 * CART_X];
    tac_real x[CART_X];
    push(seed, x);
    if (cart_plant(&m) || tac_state_init(&m, &s, NULL)) { return 0; }
    const tac_joint_state start[2] = {{x[0], x[2]}, {x[1], x[3]}};
    if (tac_state_set_joints(&m, &s, start)) { return 0; }
    cart_controller(&p);
    if (!walls) { p.c[0] = p.c[1] = 1000; }
    truth_fill(&input, sizeof input, 0);
    for (uint32_t k = 0; k < PLANS && d_abs((double)x[1]) < 1.4; k++) {
        const double force = d_clamp((double)cart_plan(&p, x), -most, most);
        input.motors = 1;
        input.motor[0] = (tac_motor){.joint = 0, .kind = TAC_MOTOR_EFFORT, .effort = (tac_real)force};
        for (uint32_t i = 0; i < STEPS; i++) {
            if (tac_step(&m, &s, &input, &w) < 0) { return 0; }
            *pressed = d_max(*pressed, (double)w.report.penetration);
        }
        tac_state_get_coordinates(&m, &s, &w, q, v);
        x[0] = q[0], x[1] = q[1], x[2] = v[0], x[3] = v[1];
    }
    return d_abs((double)x[0]) < 0.1 && d_abs((double)x[1]) < 0.05 && d_abs((double)x[3]) < 0.1;
}

int main(void)
{
    const uint32_t pushes = RUN(20, 2);
    uint32_t knowing = 0, blind = 0;
    double pressed = 0, unseen = 0;
    tap_note("pushes of seeds 1 to", pushes);
    for (uint32_t seed = 1; seed <= pushes; seed++) {
        knowing += (uint32_t)stands(seed, 1, &pressed);
        if (TAP_FULL) { blind += (uint32_t)stands(seed, 0, &unseen); }
    }
    tap_note("it stands again", knowing);
    tap_note("without knowledge of the walls", blind);
    tap_note("a wall gives way by m", pressed);
    tap_least(knowing, pushes - (pushes > 2 ? 2 : 0), "it stands again after the pushes");
    tap_least(pressed, 0.01, "with the help of a wall");
    if (TAP_FULL) { tap_most(blind, knowing - 2.0, "walls that it does not know: it falls more often"); }
    return tap_done();
}
