// SPDX-License-Identifier: MIT
// lcs.c - instructions of steps of linear complementarity systems, and of plans over them: a quadruped that stands, 20
// steps of 10 ms by tac_step(), by the system warm and by Lemke's method from the start; the cartpole, plans whole and
// in slices.
#define TAC_MAX_BODIES 14
#define TAC_MAX_SHAPES 8
#define TAC_MAX_CONTACTS 8
#define TAC_MAX_JOINTS 12
#define TAC_MAX_LCP 40
#define TAC_PREDICT 1
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#include "cartpole.h"
#include "markers.h"
#include "pivot.h"
#include "tap.h"
#include "tactus/port.h"

enum { X = 36, U = 12, L = 24, STEPS = 20 };

MARK(world)
MARK(linearise)
MARK(warm)
MARK(cold)
MARK(plan)
MARK(slice)
MARK(step)
MARK(pivot)
MARK(pivot_slice)

static tac_model m, coarse;
static tac_state s;
static tac_work w;
static tac_input input;
static tac_lcp lcp;
static tac_lcs y;
static tac_real A[X * X], B[X * U], D[X * L], d[X], E[L * X], F[L * L], H[L * U], c[L], x[X], u[STEPS * U], l[L];
static cartpole p;
static pivot cube;

// The problem of one step, by itself.
static tac_status from_the_start(void)
{
    lcp.rows = y.size.l;
    for (uint32_t i = 0; i < y.size.l; i++) {
        lcp.f[i] = c[i];
        for (uint32_t k = 0; k < y.size.x; k++) { lcp.f[i] += E[i * y.size.x + k] * x[k]; }
        for (uint32_t k = 0; k < y.size.l; k++) { lcp.F[i][k] = F[i * y.size.l + k]; }
    }
    return tac_lcp_solve(&lcp);
}

static int quadruped_steps(void)
{
    static tac_real q[TAC_MAX_POSITIONS], v[TAC_MAX_VELOCITIES];
    const scene *stand = robot_find("stand");
    int good = stand != NULL && stand->build(&m) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK;
    for (uint32_t i = 0; i < 500 && good; i++) {
        stand->drive(&m, i, &input);
        good &= tac_step(&m, &s, &input, &w) >= 0;
    }
    coarse = m;
    coarse.h = (tac_real)0.01;
    good &= tac_model_seal(&coarse, NULL) == TAC_OK && tac_state_adopt(&m, &coarse, &s, NULL) == TAC_OK;
    good &= tac_lcp_init(&lcp) == TAC_OK;
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = d, y.E = E, y.F = F, y.H = H, y.c = c;
    y.room = (tac_linear_size){X, U, L};
    mark_linearise_begin();
    good &= tac_linearise(&coarse, &s, &input, &w, &lcp, &y) == TAC_OK;
    mark_linearise_end();
    good &= tac_state_get_coordinates(&coarse, &s, &w, q, v) == TAC_OK;
    for (uint32_t i = 0; i < X / 2; i++) { x[X / 2 + i] = v[i]; }
    for (uint32_t i = 0; i < STEPS; i++) {
        mark_cold_begin();
        good &= from_the_start() == TAC_OK;
        mark_cold_end();
    }
    mark_warm_begin();
    good &= tac_lcs_advance(&y, STEPS, u, x, l, &lcp) == TAC_OK;
    mark_warm_end();
    mark_world_begin();
    for (uint32_t i = 0; i < STEPS; i++) { good &= tac_step(&coarse, &s, &input, &w) >= 0; }
    mark_world_end();
    return good;
}

static int cartpole_plans(void)
{
    tac_real at[CART_X] = {CART(0.1), CART(-0.5), CART(0.5), CART(-0.4)}, pressed[CART_L] = {0, 0};
    int good = 1;
    cart_controller(&p);
    for (int k = 0; k < 100; k++) {
        mark_plan_begin();
        const tac_real first = cart_plan(&p, at);
        mark_plan_end();
        tac_status status = tac_c3_begin(&p.c3, at, CART_N) == TAC_OK ? TAC_UNCONVERGED : TAC_E_ARG;
        while (status == TAC_UNCONVERGED) {
            mark_slice_begin();
            status = tac_c3_run(&p.c3, 1);
            mark_slice_end();
        }
        good &= status == TAC_OK && p.c3.plan[0] == first;
        mark_step_begin();
        status = tac_lcs_advance(&p.system, 1, p.c3.plan, at, pressed, &lcp);
        mark_step_end();
        good &= status == TAC_OK;
    }
    return good;
}

// From flat on the ground; the last plan is made once more in slices.
static int pivot_plans(void)
{
    const tac_real rest[PIVOT_Q] = {0};
    int good = pivot_plant(&m) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK &&
               tac_state_set_coordinates(&m, &s, pivot_start, rest, &w) == TAC_OK;
    pivot_controller(&cube);
    for (int k = 0; k < 40 && good; k++) {
        mark_pivot_begin();
        good &= pivot_plan(&cube, &m, &s, &w) == TAC_OK;
        mark_pivot_end();
        input.motors = PIVOT_U;
        for (uint16_t i = 0; i < PIVOT_U; i++) {
            input.motor[i] =
                (tac_motor){.joint = (uint16_t)(1 + i), .kind = TAC_MOTOR_EFFORT, .effort = cube.c3.plan[i]};
        }
        good &= tac_step(&m, &s, &input, &w) >= 0;
    }
    const tac_real *now = &cube.c3.plan[PIVOT_U + PIVOT_L];
    tac_real at[PIVOT_X];
    for (int i = 0; i < PIVOT_X; i++) { at[i] = now[i]; }
    const tac_real first = cube.c3.plan[0];
    tac_status status = tac_c3_begin(&cube.c3, at, PIVOT_N) == TAC_OK ? TAC_UNCONVERGED : TAC_E_ARG;
    while (status == TAC_UNCONVERGED) {
        mark_pivot_slice_begin();
        status = tac_c3_run(&cube.c3, 1);
        mark_pivot_slice_end();
    }
    return good && status == TAC_OK && cube.c3.plan[0] == first;
}

int main(void)
{
    port_init();
    tap_ok(quadruped_steps(), "a quadruped: all steps are solved");
    tap_ok(cartpole_plans(), "a cartpole: all plans are made, in slices the same");
    tap_ok(pivot_plans(), "a cube: all plans are made, in slices the same");
    return tap_done();
}
