// SPDX-License-Identifier: MIT
// noise.h - how steady contact forces are: a torso of 30 kg on four round feet, alone, with a box of 10 kg on it, or
// swayed by 30 N to the side at 1 Hz, comes down from 5 mm onto the floor, one foot first, and stands, at 1 kHz.
//   given   law, solver, sweeps, case
//   makes   standard deviations of normal forces over the third second, relative to the weight
//   bound   3000 steps
//   never   judges
// The deviation of a foot's force, the worst of the four, and that of their sum; the first once more for the
// impulses of least norm (tac_least_norm). Where it sways, that of the fourth difference of the force over sqrt(70): of
// white noise the same, of the sway itself (2 pi h)^4/sqrt(70) = 2e-10 of its amplitude.
#ifndef NOISE_H
#define NOISE_H

#include "begin.h"
#include "truth.h"

enum { NOISE_ALONE, NOISE_LOADED, NOISE_SWAYED, NOISE_CASES };
enum { NOISE_SETTLE = 2000, NOISE_STEPS = 1000, NOISE_FEET = 4, NOISE_VALUES = NOISE_FEET + 1 };

static tac_model noise_model;
static tac_state noise_state;
static tac_work noise_work;

typedef struct noise {
    double foot, sum; // 1   standard deviation over the weight
    double spread;    // 1   that of a foot, of impulses of least norm
    double sweeps;    //     a step
    int standing;     // 1 if four feet touch in each step
} noise;

static void noise_build(uint8_t law, uint8_t solver, uint16_t sweeps, int which)
{
    tac_model *m = &noise_model;
    tac_model_init(m);
    m->options.friction = law;
    m->options.solver = solver;
    m->options.tolerance = TAC_REAL_BITS == 32 ? TAC_AUTO : (tac_real)1e-10; // what is looked for is smaller than 1e-8
    m->options.max_sweeps = sweeps;
    tac_model_add_material(m, (tac_real)0.8, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(m, &s);

    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.555));
    b.mass = 30;
    b.inertia = vec(0.7, 1.6, 1.9);
    b.inertial.p = vec(0.02, 0.01, 0);
    b.pose.q = dq_to(dq_about(d3_make(1, 0.5, 0), 0.01));
    const uint16_t torso = (uint16_t)tac_model_add_body(m, &b);
    for (int i = 0; i < NOISE_FEET; i++) {
        s = tac_shape_make(torso, TAC_SPHERE, vec(0.03, 0, 0));
        s.pose.p = vec(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, -0.52);
        tac_model_add_shape(m, &s);
    }
    s = tac_shape_make(torso, TAC_BOX, vec(0.35, 0.15, 0.1));
    tac_model_add_shape(m, &s);
    if (which != NOISE_LOADED) { return; }
    b = tac_body_make(TAC_DYNAMIC, vec(0.05, 0, 0.71));
    b.mass = 10;
    b.inertia = vec(0.06, 0.06, 0.06);
    s = tac_shape_make((uint16_t)tac_model_add_body(m, &b), TAC_BOX, vec(0.1, 0.1, 0.05));
    tac_model_add_shape(m, &s);
}

// Mean and sum of squares, one value after the other (Welford): forces differ in their last digits only.
typedef struct noise_series {
    double mean, square;
    double last[4]; // the value, its first three differences
    int count, differences;
} noise_series;

static void noise_take(noise_series *s, double x)
{
    for (int i = 0; i < 4 && s->differences; i++) {
        const double change = x - s->last[i];
        s->last[i] = x;
        x = change;
    }
    if (s->differences) { x /= d_sqrt(70); }
    const double off = x - s->mean;
    s->mean += off / ++s->count;
    s->square += off * (x - s->mean);
}

// Normal forces of the feet, and their sum. Returns how many of them touch.
static int noise_take_feet(noise_series *s)
{
    double force[NOISE_VALUES] = {0};
    int feet = 0;
    for (const tac_contact *c = noise_work.contact; c < noise_work.contact + noise_work.report.contacts; c++) {
        if (c->body_a != 0) { continue; }
        const double f = (double)c->impulse.x / (double)noise_model.h;
        force[c->id.shape_b - 1] += f;
        force[NOISE_FEET] += f;
        feet++;
    }
    for (int i = 0; i < NOISE_VALUES; i++) { noise_take(&s[i], force[i]); }
    return feet;
}

static void noise_restart(noise_series *s)
{
    s->mean = s->square = 0;
    s->count = 0;
}

static double noise_deviation(const noise_series *s)
{
    return d_sqrt(s->square / s->count);
}

static noise noise_run(int which)
{
    noise r = {0, 0, 0, 0, 1};
    noise_series raw[NOISE_VALUES], spread[NOISE_VALUES];
    tac_input input = {0};
    double weight = 0;
    begin_world(&noise_model, &noise_state);
    for (int i = 1; i < noise_model.bodies; i++) { weight += 9.81 * (double)noise_model.body[i].mass; }
    input.actions = which == NOISE_SWAYED;
    for (int k = 0; k < NOISE_SETTLE + NOISE_STEPS; k++) {
        const double pull = 30 * d_sin(2 * TRUTH_PI * k / 1000);
        input.action[0] = (tac_action){vec(0.6 * pull, 0.8 * pull, 0), {0, 0, 0}, {0, 0, 0}, 1, TAC_WRENCH_WORLD};
        if (tac_step(&noise_model, &noise_state, &input, &noise_work) < 0) { tap_ok(0, "a step is refused"); }
        if (k == NOISE_SETTLE) { // of the four steps before, only the differences count
            for (int i = 0; i < NOISE_VALUES; i++) { noise_restart(&raw[i]), noise_restart(&spread[i]); }
        }
        if (k == NOISE_SETTLE - 4) {
            for (int i = 0; i < NOISE_VALUES; i++) {
                raw[i] = spread[i] = (noise_series){0, 0, {0}, 0, which == NOISE_SWAYED};
            }
        }
        if (k < NOISE_SETTLE - 4) { continue; }
        r.standing = r.standing && noise_take_feet(raw) == NOISE_FEET;
        r.sweeps += (double)noise_work.report.sweeps / (NOISE_STEPS + 4);
        tac_least_norm(&noise_model, &noise_work, 30);
        noise_take_feet(spread);
    }
    for (int i = 0; i < NOISE_FEET; i++) {
        r.foot = d_max(r.foot, noise_deviation(&raw[i]) / weight);
        r.spread = d_max(r.spread, noise_deviation(&spread[i]) / weight);
    }
    r.sum = noise_deviation(&raw[NOISE_FEET]) / weight;
    return r;
}

#endif
