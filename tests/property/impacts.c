// SPDX-License-Identifier: MIT
// Random heaps of balls, capsules and boxes that fly about in a closed room, with restitution: energy never rises.
//
//   energy     E+ <= E after every step: e = 1 and e < 1, alike and mixed, with friction and without. Without gravity E
//              is the kinetic energy
//   kept       all of it where e = 1 and nothing rubs
//   momentum   m (v+ - v) = h m g + sum of +-(impulse + bounce)
//   place      nobody leaves the room
//
// Inertia is that of a ball, so that free rotation keeps the energy. Under gravity positions may lift what overlaps by
// options.projection of the overlap a step.
#include "begin.h"
#include "rolls.h"
#include "room.h"
#include "wild.h"

enum { HEAPS = RUN(120, 20), STEPS = RUN(150, 60) };

#define ROOM 0.45 // m, from its middle

static tac_model m;
static tac_state before, state;
static tac_work w;

typedef struct kind {
    const char *name;
    int gravity, friction;
    double least; // restitution is between this and 1; 2: mixed with none
} kind;

typedef struct tally {
    int refused, broken, impacts, most;
    double rise, lost, momentum, outside;
} tally;

static void heap(rng *r, const kind *k)
{
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 0.0005, 0.005);
    m.gravity = k->gravity ? d3_to(d3_add(d3_make(0, 0, -9.81), rng_box(r, 2.0))) : vec(0, 0, 0);
    m.options.solver = (uint8_t)rng_below(r, 2);
    m.options.max_sweeps = 500; // what the solver leaves is not the matter here
    for (int i = 0; i < 3; i++) {
        const double e = k->least <= 1 ? rng_range(r, k->least, 1) : i == 0 ? 1 : i == 1 ? rng_range(r, 0, 1) : 0;
        tac_model_add_material(&m, (tac_real)(k->friction ? rng_range(r, 0, 1.2) : 0), (tac_real)e);
        if (k->least > 1) { m.material[i].restitution_rule = TAC_RULE_MIN; }
    }
    room_build(&m, ROOM);
    const uint32_t bodies = 2 + rng_below(r, 7);
    for (uint32_t i = 0; i < bodies; i++) {
        const d3 at = d3_make(i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, i & 4 ? 0.2 : -0.2);
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(at, rng_box(r, 0.04))));
        const double size = rng_range(r, 0.04, 0.075);
        b.pose.q = dq_to(rng_quat(r));
        b.velocity = (tac_twist){d3_to(rng_box(r, 3.0)), d3_to(rng_box(r, 6.0))};
        b.mass = (tac_real)rng_range(r, 0.1, 10);
        b.inertia.x = b.inertia.y = b.inertia.z = (tac_real)((double)b.mass * size * size * rng_range(r, 0.2, 0.6));
        tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), (uint8_t)(TAC_SPHERE + rng_below(r, 3)),
                                     vec(size, size, size));
        s.material = (uint8_t)rng_below(r, 3);
        tac_model_add_shape(&m, &s);
    }
    wild_numbers(&m, NULL, r);
}

// As the state shows it; potential energy above the lowest corner of the room.
static double energy(const tac_state *s)
{
    const d3 g = d3_of(m.gravity);
    const double lowest = ROOM * (d_abs(g.x) + d_abs(g.y) + d_abs(g.z));
    double sum = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 v = d3_of(s->twist[i].v), turn = d3_of(s->twist[i].w);
        const double mass = (double)m.body[i].mass;
        sum += 0.5 * mass * d3_dot(v, v) + 0.5 * (double)m.body[i].inertia.x * d3_dot(turn, turn) +
               mass * (lowest - d3_dot(g, d3_of(s->pose[i].p)));
    }
    return sum;
}

// What positions may lift, what contacts that roll may add, and rounding.
static double allowed(double all)
{
    const double g = d3_norm(d3_of(m.gravity));
    double mass = 0.0, overlap = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) { mass += (double)m.body[i].mass; }
    for (int i = 0; i < w.report.contacts; i++) { overlap += d_max(0.0, -(double)w.contact[i].gap); }
    return mass * g * (double)m.options.projection * overlap + TOL(1e-12, 1e-5) * all + rolls_supply(&m, &before, &w);
}

// Relative to what a body would have that had all the energy, for each time that its velocity was changed.
static void judge_momentum(uint16_t i, double all, tally *t)
{
    const double mass = (double)m.body[i].mass;
    const double times = 1.0 + w.report.impacts + w.report.contacts * w.report.sweeps;
    const d3 v = d3_of(before.twist[i].v);
    d3 sum = d3_scale((double)m.h * mass, d3_of(m.gravity));
    for (int k = 0; k < w.report.contacts; k++) {
        const tac_contact *c = &w.contact[k];
        if (c->body_a != i && c->body_b != i) { continue; }
        const d3 g = d3_add(d3_of(c->impulse), d3_of(c->bounce));
        const d3 j = d3_add(d3_scale(g.x, d3_of(c->n)), d3_add(d3_scale(g.y, d3_of(c->u)), d3_scale(g.z, d3_of(c->w))));
        sum = d3_add(sum, d3_scale(c->body_b == i ? 1 : -1, j));
    }
    const d3 change = d3_scale(mass, d3_sub(d3_of(state.twist[i].v), v));
    d_worst(&t->momentum, d3_norm(d3_sub(change, sum)) / (times * d_sqrt(2 * mass * all)));
}

static void run(rng *r, const kind *k, tally *t)
{
    heap(r, k);
    begin_world(&m, &state);
    const double first = energy(&state);
    for (int step = 0; step < STEPS; step++) {
        before = state;
        const double last = energy(&before);
        t->refused += tac_step(&m, &state, NULL, &w) < 0;
        t->broken += tac_check(&m, &state, &w, NULL) != TAC_OK;
        t->impacts += w.report.impacts;
        t->most = w.report.impacts > t->most ? w.report.impacts : t->most;
        d_worst(&t->rise, d_max(0.0, energy(&state) - last - allowed(last)) / last);
        for (uint16_t i = 1; i < m.bodies; i++) {
            const d3 p = d3_of(state.pose[i].p);
            d_worst(&t->outside, d_max(0.0, d_max(d_max(d_abs(p.x), d_abs(p.y)), d_abs(p.z)) - ROOM));
            judge_momentum(i, last, t);
        }
    }
    d_worst(&t->lost, 1.0 - energy(&state) / first);
}

int main(void)
{
    static const kind kinds[] = {
        {"e = 1", 0, 0, 1},           {"e = 1, friction", 0, 1, 1},
        {"e < 1", 0, 0, 0},           {"e < 1, friction", 0, 1, 0},
        {"e = 1, gravity", 1, 0, 1},  {"e = 1, gravity, friction", 1, 1, 1},
        {"e < 1, gravity", 1, 0, 0},  {"e < 1, gravity, friction", 1, 1, 0},
        {"mixed with none", 0, 1, 2}, {"mixed with none, gravity", 1, 1, 2},
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const kind *k = &kinds[i];
        const uint64_t seed = 20262 + i;
        rng r = {seed};
        tally t = {0, 0, 0, 0, 0, 0, 0, 0};
        tap_note_hex("seed", seed);
        for (int world = 0; world < HEAPS; world++) { run(&r, k, &t); }
        tap_note("impacts", t.impacts);
        tap_note("most in a step", t.most);
        tap_least(t.impacts, HEAPS, tap_joined("heaps collide:", k->name));
        tap_equal(t.refused + t.broken, 0, tap_joined("every step is good:", k->name));
        tap_most(t.rise, 0, tap_joined("energy never rises:", k->name));
        if (i == 0) { tap_most(t.lost, TOL(1e-10, 1e-4), "and none is lost"); }
        tap_most(t.momentum, TOL(1e-14, 1e-6), tap_joined("momentum:", k->name));
        tap_most(t.outside, 0, tap_joined("nobody leaves the room:", k->name));
    }
    return tap_done();
}
