// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Rows and paths that joints need are counted when a model is sealed. In all steps of random trees and mechanisms, with
// motors of all kinds, no more of them are made than that, and the count is not far above.
#define LOOPS 1
#include "random_robot.h"
#include "dual/rooms.h"

enum { WORLDS = RUN(400, 60), STEPS = 8 };

static tac_state s;
static tac_work w;

// Motors of any kind and bounds, other ones in each step.
static void drive(rng *r)
{
    input.motors = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        if (!joint_has_coordinate(m.joint[i].kind) || rng_below(r, 3) == 0) { continue; }
        tac_motor *a = &input.motor[input.motors++];
        truth_fill(a, sizeof *a, 0);
        a->joint = (uint16_t)i;
        a->kind = (uint16_t)rng_below(r, TAC_MOTOR_KINDS);
        a->velocity = (tac_real)rng_range(r, -1, 1);
        if (a->kind == TAC_MOTOR_PD) { a->stiffness = a->damping = (tac_real)rng_range(r, 0, 10); }
    }
}

// Efforts and speeds with and without bounds.
static void bound(rng *r)
{
    for (tac_joint *j = m.joint; j < m.joint + m.joints; j++) {
        if (!joint_has_coordinate(j->kind)) { continue; }
        j->effort = rng_below(r, 2) ? REAL_LARGEST : (tac_real)rng_range(r, 0.1, 10);
        j->speed = rng_below(r, 3) ? REAL_LARGEST : (tac_real)rng_range(r, 0.1, 10);
    }
}

typedef struct tally {
    int refused, rows, path;
    double full, reached; // largest part of the counted ones that was in use
} tally;

// What is in use besides the rows of contacts; contacts swept one by one leave their path behind that of joints.
static void judge(const rooms *most, int contacts, tally *t)
{
    const tac_trees *r = &w.scratch.solve.of.trees;
    const uint32_t own = contacts ? TAC_CONTACT_ROWS : 0,
                   rows = r->rows - (uint32_t)r->formed * w.report.contacts + r->closers;
    if (m.joints == 0) { return; }
    t->rows += rows + own > most->rows;
    d_worst(&t->full, (double)(rows + own) / (double)most->rows);
    if (r->formed > 0) { return; }
    t->path += r->first[r->rows + r->closers] > most->path || r->reached > most->path;
    d_worst(&t->reached, (double)r->reached / (double)most->path);
}

static void run(uint64_t seed, tally *t)
{
    rng r = {seed};
    (void)random_robot(seed, (uint8_t)(seed % 2 ? TAC_SOLVER_PLAIN : TAC_SOLVER_ACCELERATED));
    bound(&r);
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) {
        t->refused++;
        return;
    }
    const rooms most = rooms_of(&m);
    for (int i = 0; i < STEPS; i++) {
        drive(&r);
        t->refused += tac_step(&m, &s, &input, &w) < 0;
        judge(&most, m.shapes > 0, t);
    }
}

int main(void)
{
    tally t = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) { run(seed, &t); }
    tap_equal(t.refused, 0, "each world is sealed and stepped");
    tap_equal(t.rows, 0, "no more rows than were counted");
    tap_equal(t.path, 0, "nor a longer path");
    tap_note("of the rows were in use at most", t.full);
    tap_note("of the path", t.reached);
    tap_least(t.full, 1, "all of them, somewhere");
    tap_least(t.reached, 1, "and all of the path");
    return tap_done();
}
