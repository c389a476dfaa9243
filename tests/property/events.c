// SPDX-License-Identifier: MIT
// config: robots
// Events of random forests: told again in their order they give what touches and slips after each step, which is what
// the contacts show; times are within the step, and those of a pair in order; memory and the room of the list change
// nothing. And of single bodies that are thrown: their first touch is that of fine steps.
#include "begin.h"
#include "forest.h"
#include "truth.h"

#define WORLDS RUN(400, 40)
#define THROWS RUN(300, 40)

enum { STEPS = 25, ROOM = 400 };

static tac_model m;
static tac_state s;
static tac_input in;
static tac_work w;
static tac_event list[ROOM];
static tac_events e, blind;
static uint8_t told[TAC_MAX_SHAPES][TAC_MAX_SHAPES]; // TAC_OPEN, TAC_STICK, TAC_SLIDE
static uint32_t last_seed, count[TAC_EVENT_KINDS], false_moves, disorder, differ, unseen, idle;

static void fail(uint64_t seed, int bad, uint32_t *failures)
{
    if (!bad) { return; }
    (*failures)++;
    last_seed = (uint32_t)seed;
}

// What may follow what.
static int follows(uint8_t *mode, uint16_t kind)
{
    static const uint8_t from[4][2] = {
        {TAC_OPEN, TAC_STICK}, {TAC_STICK, TAC_OPEN}, {TAC_STICK, TAC_SLIDE}, {TAC_SLIDE, TAC_STICK}};
    const int good = kind == TAC_EVENT_OPEN ? *mode != TAC_OPEN : *mode == from[kind][0];
    *mode = kind == TAC_EVENT_OPEN ? (uint8_t)TAC_OPEN : from[kind][1];
    return good;
}

static void tell(uint64_t seed, uint32_t from)
{
    for (uint32_t i = from; i < e.count; i++) {
        const tac_event *x = &list[i];
        count[x->kind]++;
        fail(seed, !(x->time >= 0 && x->time <= m.h) || x->step + 1 != s.step, &disorder);
        if (x->joint != TAC_NONE) { continue; }
        fail(seed, !follows(&told[x->shape_a][x->shape_b], x->kind), &false_moves);
        const int same = i > from && list[i - 1].shape_a == x->shape_a && list[i - 1].shape_b == x->shape_b;
        fail(seed, same && list[i - 1].time > x->time, &disorder);
        fail(seed, m.shape[x->shape_a].body != x->body_a || m.shape[x->shape_b].body != x->body_b, &disorder);
    }
}

// The pairs of the table are those that events have told of, and those that bear a force are among them.
static void compare(uint64_t seed)
{
    uint32_t touches = 0;
    for (uint16_t a = 0; a < m.shapes; a++) {
        for (uint16_t b = 0; b < m.shapes; b++) { touches += told[a][b] != TAC_OPEN; }
    }
    fail(seed, touches != e.touches, &differ);
    for (uint16_t i = 0; i < e.touches; i++) {
        fail(seed, told[e.touching[i].shape_a][e.touching[i].shape_b] != e.touching[i].mode, &differ);
    }
    for (uint16_t i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        fail(seed, c->impulse.x > 0 && told[c->id.shape_a][c->id.shape_b] == TAC_OPEN, &unseen);
    }
    for (uint16_t i = 0; i < e.touches; i++) { // what touches has a contact
        int has = 0;
        for (uint16_t k = 0; k < w.report.contacts; k++) {
            has |= w.contact[k].id.shape_a == e.touching[i].shape_a && w.contact[k].id.shape_b == e.touching[i].shape_b;
        }
        fail(seed, !has, &idle);
    }
}

static void test_told(void)
{
    uint32_t steps = 0, memory = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        forest_build(&m, &in, seed, FOREST_ALL);
        if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { continue; }
        truth_fill(told, sizeof told, 0);
        truth_fill(&e, sizeof e, 0xff);
        truth_fill(&blind, sizeof blind, 0);
        tac_events_begin(&m, &s, list, ROOM, &e);
        tac_events_begin(&m, &s, NULL, 0, &blind);
        for (int k = 0; k < STEPS && tac_step(&m, &s, &in, &w) >= 0; k++) {
            const uint32_t from = e.count;
            const tac_status one = tac_events_step(&m, &s, &w, &e), two = tac_events_step(&m, &s, &w, &blind);
            fail(seed, one != TAC_OK || (two == TAC_FULL) != (e.count > from), &memory);
            tell(seed, from);
            compare(seed);
            steps++;
        }
        fail(seed, blind.dropped != e.count || blind.touches != e.touches, &memory);
        fail(seed, !truth_equal(blind.touching, e.touching, e.touches * sizeof *e.touching), &memory);
    }
    tap_note("seed of the last that fails", last_seed);
    tap_least(steps, 5 * WORLDS, "steps of random forests");
    for (int k = 0; k < TAC_EVENT_KINDS; k++) { tap_least(count[k], RUN(WORLDS / 40, 0), tap_numbered("events of kind ", k)); }
    tap_equal(false_moves, 0, "each event is one that may follow");
    tap_equal(disorder, 0, "times and names are right, those of a pair in order");
    tap_equal(differ, 0, "told again they give the table");
    tap_equal(unseen, 0, "what bears a force touches");
    tap_equal(idle, 0, "what touches has a contact");
    tap_equal(memory, 0, "memory and room of the list do not matter");
}

// ------------------------------------------------------------------------------------------------------------- thrown

static void throw(rng * r, double h)
{
    static const uint8_t KIND[] = {TAC_SPHERE, TAC_BOX, TAC_CAPSULE, TAC_BOX};
    rng same = *r;
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)rng_range(&same, 0, 1), 0);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, rng_range(&same, 0.3, 1)));
    b.pose.q = dq_to(rng_quat(&same));
    b.velocity = (tac_twist){d3_to(rng_box(&same, 1)), d3_to(rng_box(&same, 4))};
    const tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_body(&m, &b);
    tac_model_add_shape(&m, &floor);
    const tac_shape shape =
        tac_shape_make(1, KIND[rng_below(&same, 4)],
                       vec(rng_range(&same, 0.03, 0.1), rng_range(&same, 0.03, 0.1), rng_range(&same, 0.03, 0.1)));
    tac_model_add_shape(&m, &shape);
    tac_model_mass_from_shapes(&m, 1, 1000);
}

// Time of the first touch.
static double first(void)
{
    if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { return -1; }
    tac_events_begin(&m, &s, list, ROOM, &e);
    for (int k = 0; k < 20000 && e.count == 0; k++) {
        if (tac_step(&m, &s, NULL, &w) < 0 || tac_events_step(&m, &s, &w, &e) < 0) { return -1; }
    }
    return e.count > 0 && list[0].kind == TAC_EVENT_TOUCH ? (double)m.h * (double)list[0].step + (double)list[0].time
                                                          : -1;
}

static void test_thrown(void)
{
    uint32_t met = 0;
    double worst = 0;
    for (uint64_t seed = 1; seed <= THROWS; seed++) {
        rng r = {seed};
        throw(&r, 0.01);
        const double coarse = first(), h = (double)m.h;
        const double turn = h * d3_norm(d3_of(m.body[1].velocity.w));
        throw(&r, 0.01 / 32);
        const double fine = first(), speed = 9.81 * fine - (double)m.body[1].velocity.v.z;
        if (coarse < 0 || fine < 0) { continue; }
        met++;
        const double bound = turn * turn * 0.2 / 2 / d_max(speed - 0.2 * turn / h, 0.3) + 1e-4;
        if (d_abs(coarse - fine) / bound > worst) { last_seed = (uint32_t)seed; }
        worst = d_max(worst, d_abs(coarse - fine) / bound);
    }
    tap_note("seed of the worst", last_seed);
    tap_least(met, 0.9 * THROWS, "bodies that are thrown touch the floor");
    tap_most(worst, 1, "when fine steps say so, but for the bend of their arcs in a step");
}

int main(void)
{
    test_told();
    test_thrown();
    return tap_done();
}
