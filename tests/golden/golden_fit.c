// SPDX-License-Identifier: MIT
// config: all
// variants: all
// One fit has the same bits on every target: friction, restitution and centre of mass of a box from a toss of another
// one. The hash is that of values, covariance, verdicts and counts.
#include "answers.h"
#include "tap.h"
#include "begin.h"
#include "truth.h"

enum { STEPS = 40 };

static const char *const named[] = {"toss"};

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

static void answer(unsigned i)
{
    (void)i;
    build(0.25, 0.2, 0.004);
    (void)tac_state_init(&model, &s, NULL);
    for (uint32_t k = 0; k < STEPS; k++) {
        (void)tac_step(&model, &s, NULL, &w);
        seen[k] = (tac_observation){k + 1, 1, TAC_OBSERVE_POSE, 1000, 50, tac_state_get_pose(&model, &s, 1), 0};
    }
    build(0.4, 0, 0);
    (void)tac_state_init(&model, &start, NULL);
    section = (tac_section){&start, NULL, 0, 0, seen, STEPS, NULL, 0};
    (void)tac_fit_init(&fit);
    fit.section = &section;
    fit.sections = 1;
    fit.parameters = 3;
    fit.robust = 10;
    fit.max_rollouts = 60;
    fit.parameter[0] = (tac_fit_parameter){0, 1, (tac_real)0.05, 0, TAC_FIT_FRICTION};
    fit.parameter[1] = (tac_fit_parameter){0, 1, (tac_real)0.05, 0, TAC_FIT_RESTITUTION};
    fit.parameter[2] = (tac_fit_parameter){(tac_real)-0.02, (tac_real)0.02, (tac_real)0.001, 1, TAC_FIT_CENTRE_X};
    if (tac_fit(&model, &fit, &w, NULL) < 0 || !(fit.cost < fit.first_cost)) { return; }
    for (int k = 0; k < 3; k++) {
        add_real(fit.value[k]);
        add_number(fit.verdict[k]);
    }
    add_reals(fit.covariance, 9);
    add_real(fit.cost), add_real(fit.variance);
    add_number(fit.rollouts | (uint64_t)fit.iterations << 32);
}

#define TABLE "golden_fit.h"
#include "table.h"
