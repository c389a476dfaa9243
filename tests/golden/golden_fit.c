// SPDX-License-Identifier: MIT
// config: all
// variants: all
// One fit has the same bits on every target: friction, restitution and centre of mass of a box from a toss of another
// one. The hash is that of values, covariance, verdicts and counts.
#include "begin.h"
#include "tap.h"
#include "truth.h"

enum { STEPS = 40 };

static tac_model model;
static tac_state start, s;
static tac_work w;
static tac_fitting fit;
static tac_observation seen[STEPS];
static tac_section section;

static void build(double friction, double restitution, double centre)
{
    tac_model_init(&model);
    model.h = (tac_real)0.01;
    tac_model_add_material(&model, (tac_real)friction, (tac_real)restitution);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.12));
    b.inertia = vec(2e-3, 2e-3, 2e-3);
    b.inertial.p = vec(centre, 0, 0);
    b.velocity.v = vec(1, 0.25, 0);
    b.velocity.w = vec(1, 2, -1);
    tac_model_add_body(&model, &b);
    const tac_shape board = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    const tac_shape box = tac_shape_make(1, TAC_BOX, vec(0.05, 0.05, 0.05));
    tac_model_add_shape(&model, &board);
    tac_model_add_shape(&model, &box);
    (void)tac_model_seal(&model, NULL);
}

// FNV-1a, byte by byte from the lowest: the same on machines of either byte order.
static uint64_t add(uint64_t hash, uint64_t x)
{
    for (int i = 0; i < 8; i++) { hash = (hash ^ (x >> 8 * i & 0xff)) * UINT64_C(0x100000001b3); }
    return hash;
}

static uint64_t add_real(uint64_t hash, tac_real x)
{
    union {
        tac_real real;
#if TAC_REAL_BITS == 32
        uint32_t bits;
#else
        uint64_t bits;
#endif
    } of;
    of.real = x;
    return add(hash, of.bits);
}

int main(void)
{
    build(0.25, 0.2, 0.004);
    (void)tac_state_init(&model, &s, NULL);
    for (uint32_t i = 0; i < STEPS; i++) {
        (void)tac_step(&model, &s, NULL, &w);
        seen[i] = (tac_observation){i + 1, 1, TAC_OBSERVE_POSE, 1000, 50, tac_state_get_pose(&model, &s, 1), 0};
    }
    build(0.4, 0, 0);
    (void)tac_state_init(&model, &start, NULL);
    section = (tac_section){&start, NULL, 0, 0, seen, STEPS};
    (void)tac_fit_init(&fit);
    fit.section = &section;
    fit.sections = 1;
    fit.parameters = 3;
    fit.robust = 10;
    fit.max_rollouts = 60;
    fit.parameter[0] = (tac_fit_parameter){0, 1, (tac_real)0.05, 0, TAC_FIT_FRICTION};
    fit.parameter[1] = (tac_fit_parameter){0, 1, (tac_real)0.05, 0, TAC_FIT_RESTITUTION};
    fit.parameter[2] = (tac_fit_parameter){(tac_real)-0.02, (tac_real)0.02, (tac_real)0.001, 1, TAC_FIT_CENTRE_X};
    tap_least(tac_fit(&model, &fit, &w, NULL), 0, "a fit");
    tap_ok(fit.cost < fit.first_cost, "its cost falls");
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 3; i++) { hash = add(add_real(hash, fit.value[i]), fit.verdict[i]); }
    for (int i = 0; i < 9; i++) { hash = add_real(hash, fit.covariance[i]); }
    hash = add(add_real(add_real(hash, fit.cost), fit.variance), fit.rollouts | (uint64_t)fit.iterations << 32);
    tap_hash(hash, TOL(UINT64_C(0x9f49c66ab60b268a), UINT64_C(0x73471420f3fc3e79)), "the answer");
    return tap_done();
}
