// SPDX-License-Identifier: MIT
// config: robots
// Robots without motors on straight legs, thighs over shanks over the floor, from a toy to a machine, set down a little
// above it: an equilibrium that is not stable, where velocities are only rounding for a while. The floor bears them in
// every step of it; no guard against energy from rounding lets them fall.
#include "begin.h"
#include "bodies.h"
#include "random_mechanism.h"

enum { WORLDS = RUN(60, 6), STEPS = 400, LANDED = 120 };

static tac_model m;
static tac_state s;
static tac_work w;

static uint16_t add_block(double mass, d3 at, d3 half)
{
    const double k = mass / 3;
    const d3 spin = {k * (half.y * half.y + half.z * half.z), k * (half.x * half.x + half.z * half.z),
                     k * (half.x * half.x + half.y * half.y)};
    return add_body(&m, at, mass, spin);
}

static void add_hinge(uint16_t a, uint16_t b, d3 at)
{
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, a, b);
    j.frame_a = seen_from(&m, a, at, dq_about(d3_make(0, 1, 0), TRUTH_PI / 2)); // about x
    j.frame_b = seen_from(&m, b, at, dq_about(d3_make(0, 1, 0), TRUTH_PI / 2));
    tac_model_add_joint(&m, &j);
}

// All of it in units of its size; it falls by 2 % of that. Returns its weight.
static double robot(rng *r)
{
    const double size = octave_range(r, 0.05, 5), mass = log_range(r, -2, 3), light = octave_range(r, 0.02, 0.2);
    tac_model_init(&m);
    m.h = (tac_real)(1e-3 * d_sqrt(size / 0.3));
    tac_model_add_material(&m, (tac_real)rng_range(r, 0.4, 1), 0);
    add_floor(&m);
    const uint16_t trunk = add_block(mass, d3_make(0, 0, 1.07 * size), d3_make(0.3 * size, 0.4 * size, 0.05 * size));
    for (int leg = 0; leg < 4; leg++) {
        const double x = (leg & 1 ? 0.25 : -0.25) * size, y = (leg & 2 ? 0.35 : -0.35) * size;
        const uint16_t thigh =
            add_block(light * mass, d3_make(x, y, 0.82 * size), d3_scale(size, d3_make(0.03, 0.03, 0.2)));
        const uint16_t shank =
            add_block(light * mass, d3_make(x, y, 0.32 * size), d3_scale(size, d3_make(0.03, 0.03, 0.3)));
        tac_shape foot = tac_shape_make(shank, TAC_SPHERE, d3_to(d3_make(0.03 * size, 0, 0)));
        foot.pose.p = vec(0, 0, -0.27 * size);
        tac_model_add_shape(&m, &foot);
        add_hinge(trunk, thigh, d3_make(x, y, 1.07 * size));
        add_hinge(thigh, shank, d3_make(x, y, 0.57 * size));
    }
    return mass * (1 + 8 * light);
}

typedef struct tally {
    double lost;
    uint64_t lost_at;
    int refused, unsolved, steps;
} tally;

// Impulses of the floor and those of the weight, while the trunk has hardly sunk.
static void judge(tally *t, uint64_t seed, double mass, double landed)
{
    double sum = 0;
    if ((double)s.pose[1].p.z < (1 - 1e-5) * landed) { return; }
    for (int i = 0; i < w.report.contacts; i++) { sum += (double)w.contact[i].impulse.x; }
    t->steps++;
    t->unsolved += w.report.status != TAC_OK;
    worst_at(&t->lost, &t->lost_at, sum / (mass * 9.81 * (double)m.h) - 1, seed);
}

static void run(uint64_t seed, tally *t)
{
    rng r = {seed * UINT64_C(0xd1342543de82ef95)};
    const double mass = robot(&r);
    begin_world(&m, &s);
    double landed = 0;
    for (int i = 0; i < STEPS; i++) {
        t->refused += tac_step(&m, &s, NULL, &w) < 0;
        if (i == LANDED) { landed = (double)s.pose[1].p.z; }
        if (i > LANDED) { judge(t, seed, mass, landed); }
    }
}

int main(void)
{
    tally t = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) { run(seed, &t); }
    tap_note("steps upright", t.steps);
    tap_note("of these not solved", t.unsolved);
    tap_equal(t.refused, 0, "each step is taken");
    tap_least(t.steps, WORLDS * 50, "they stand for a while");
    tap_note_hex("seed", t.lost_at);
    tap_most(t.lost, 0.05, "the floor bears the weight in each step of it, relative");
    tap_most(t.unsolved, TOL(0.001, 0.03) * t.steps, "steps that are not solved");
    return tap_done();
}
