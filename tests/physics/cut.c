// SPDX-License-Identifier: MIT
// config: trees
// variants: gcc-O2-32 gcc-O2-64
// Robots whose steps are cut after any number of sweeps, from none to all: they sag, they do not fall apart. A leg of
// hip, knee and round foot under stiff motors stands on the floor; the quadruped of the scenes lands and stands.
#include "robots.h"
#include "tap.h"
#include "truth.h"

enum { STEPS = 1500 };

static tac_model m;
static tac_state s, copy;
static tac_work w;
static tac_input input;

// A trunk on a leg, held upright by a vertical slide.
static tac_status leg(tac_model *to)
{
    tac_model_init(to);
    tac_model_add_material(to, (tac_real)0.8, 0);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(to, &plane);
    const double height[3] = {0.42, 0.3, 0.12}, mass[3] = {8, 1, 0.5};
    for (int i = 0; i < 3; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, height[i]));
        b.mass = (tac_real)mass[i];
        b.inertia = vec(0.01 * mass[i], 0.01 * mass[i], 0.005 * mass[i]);
        tac_model_add_body(to, &b);
    }
    tac_shape foot = tac_shape_make(3, TAC_SPHERE, vec(0.03, 0, 0));
    foot.pose.p = vec(0, 0, -0.09);
    tac_model_add_shape(to, &foot);
    tac_joint j;
    tac_joint_init(&j, TAC_PRISMATIC, 0, 1);
    j.frame_a.p = vec(0, 0, height[0]);
    tac_model_add_joint(to, &j);
    const double at[2] = {0.4, 0.21};
    for (uint16_t i = 0; i < 2; i++) { // about y
        tac_joint_init(&j, TAC_REVOLUTE, (uint16_t)(i + 1), (uint16_t)(i + 2));
        j.frame_a.p = vec(0, 0, at[i] - height[i]);
        j.frame_b.p = vec(0, 0, at[i] - height[i + 1]);
        j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)0.70710678118654752, (tac_real)-0.70710678118654752, 0, 0};
        tac_model_add_joint(to, &j);
    }
    return tac_model_seal(to, NULL);
}

static void hold(const tac_model *model, uint32_t step, tac_input *to)
{
    (void)step;
    truth_fill(to, sizeof *to, 0);
    for (uint32_t i = 1; i < model->joints; i++) {
        to->motor[to->motors++] = (tac_motor){0, 0, 0, 300, 6, (uint16_t)i, TAC_MOTOR_PD};
    }
}

// Steps cut after `budget` sweeps. What falls gains less than its height allows, work of motors aside: of those that
// hold, they put in less.
static void test_cut(const char *name, tac_status (*make)(tac_model *),
                     void (*drive)(const tac_model *, uint32_t, tac_input *), double sag, uint32_t budget,
                     uint8_t solver)
{
    int refused = make(&m) != TAC_OK, differ = 0;
    m.options.solver = solver;
    refused += tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK;
    const double start = (double)s.pose[1].p.z;
    double apart = 0, low = start, fastest = 0;
    for (uint32_t i = 0; i < STEPS && !refused; i++) {
        drive(&m, i, &input);
        copy = s;
        refused += tac_step_begin(&m, &s, &input, &w) < 0;
        refused += budget > 0 && tac_step_sweep(&m, &w, budget) < 0;
        refused += tac_step_end(&m, &s, &w) < 0 || tac_check(&m, &s, &w, NULL) != TAC_OK;
        d_worst(&apart, (double)w.report.joint_error);
        d_worst(&fastest, (double)w.report.kinetic);
        low = d_min(low, (double)s.pose[1].p.z);
        if (i % 50 == 0) { // a cut step is replayed from the sweeps that its report has
            const uint64_t hash = tac_state_hash(&m, &s);
            const uint32_t spent = w.report.sweeps;
            tac_step_begin(&m, &copy, &input, &w);
            tac_step_sweep(&m, &w, spent);
            tac_step_end(&m, &copy, &w);
            differ += tac_state_hash(&m, &copy) != hash;
        }
    }
    tap_equal(refused, 0, tap_numbered(tap_joined(name, ", sweeps:"), budget));
    tap_equal(differ, 0, "replayed to the bit");
    tap_most(apart, TOL(1e-9, 1e-5), "joints stay together, m");
    tap_most(start - low, sag, "it sags, m");
    tap_most(fastest, 9.81 * 30 * sag, "kinetic energy, J");
}

int main(void)
{
    static const uint32_t BUDGET[] = {0, 1, 2, 3, 5, 10, 20, 50};
    const scene *stand = robot_find("stand");
    for (int i = 0; i < 8; i++) {
        test_cut("leg", leg, hold, 0.05, BUDGET[i], TAC_SOLVER_ACCELERATED);
        test_cut("leg, plain", leg, hold, 0.2, BUDGET[i], TAC_SOLVER_PLAIN);
        test_cut("leg, direct", leg, hold, 0.05, BUDGET[i], TAC_SOLVER_DIRECT);
        test_cut("quadruped", stand->build, stand->drive, 0.1, BUDGET[i], TAC_SOLVER_ACCELERATED);
    }
    return tap_done();
}
