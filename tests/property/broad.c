// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_BODIES=60 -DTAC_MAX_SHAPES=120 -DTAC_MAX_CONTACTS=600 -DTAC_MAX_EXCLUSIONS=40
// Boxes in trees save work and nothing else: in random worlds the contacts are those of a loop over all pairs, to the
// bit and in the same order, full tables included. Worlds are crowded or sparse, near the origin or 10 km from it, with
// bodies of several shapes, fast ones, moving and turning half-spaces, statics, groups, masks and exclusions.
#include "tactus.c"

#include "begin.h"
#include "truth.h"

enum { WORLDS = 400 };

static tac_model m;
static tac_state state;
static tac_work quick, slow;

static d3 far; // where the world is

typedef struct tally {
    int contacts, full, wrong, disorder, not_first;
    double pairs, seen;
} tally;

static void random_shape(rng *r, uint16_t body, double size)
{
    const uint8_t low = m.body[body].kind == TAC_DYNAMIC || rng_below(r, 4) > 0 ? TAC_SPHERE : TAC_HALF_SPACE;
    const uint8_t kind = (uint8_t)(low + rng_below(r, (uint32_t)(TAC_BOX - low + 1)));
    const d3 sizes = d3_make(rng_range(r, 0.2, 1.0), rng_range(r, 0.2, 1.0), rng_range(r, 0.2, 1.0));
    tac_shape s = tac_shape_make(body, kind, d3_to(d3_scale(size, sizes)));
    s.pose.p = d3_to(rng_box(r, body == 0 ? 6.0 : 0.5));
    if (body == 0) { s.pose.p = d3_to(d3_add(far, d3_of(s.pose.p))); }
    s.pose.q = dq_to(rng_quat(r));
    if (rng_below(r, 4) == 0) { s.group = (uint16_t)(1u << rng_below(r, 3)); }
    if (rng_below(r, 4) == 0) { s.mask = (uint16_t)rng_below(r, 8); }
    tac_model_add_shape(&m, &s);
}

static void random_body(rng *r, double spread, double speed)
{
    tac_body b =
        tac_body_make(rng_below(r, 5) > 0 ? TAC_DYNAMIC : TAC_KINEMATIC, d3_to(d3_add(far, rng_box(r, spread))));
    b.pose.q = dq_to(rng_quat(r));
    b.velocity = (tac_twist){d3_to(rng_box(r, speed)), d3_to(rng_box(r, speed))};
    if (rng_below(r, 6) == 0) { b.velocity = (tac_twist){d3_to(rng_box(r, 200.0)), d3_to(rng_box(r, 100.0))}; }
    b.inertial.p = d3_to(rng_box(r, 0.3));
    b.inertial.q = dq_to(rng_quat(r));
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    for (uint32_t i = rng_below(r, 3); i < 3; i += 2) { random_shape(r, body, rng_range(r, 0.1, 0.8)); }
}

static void random_world(rng *r)
{
    const double spread = rng_range(r, 1.0, 6.0), speed = rng_below(r, 2) ? 0.0 : 3.0;
    far = rng_below(r, 3) ? d3_make(0, 0, 0) : rng_box(r, 1e4);
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 0.0005, 0.02);
    if (rng_below(r, 3) == 0) { m.options.margin = (tac_real)(rng_below(r, 2) ? 0.0 : rng_range(r, 0.0, 0.2)); }
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const uint32_t statics = rng_below(r, 40), bodies = rng_below(r, TAC_MAX_BODIES + 1);
    for (uint32_t i = 0; i < statics; i++) { random_shape(r, 0, rng_below(r, 8) ? 0.5 : 10.0); }
    for (uint32_t i = 0; i < bodies; i++) { random_body(r, spread, speed); }
    for (uint32_t i = rng_below(r, TAC_MAX_EXCLUSIONS + 1); bodies > 0 && i > 0; i--) {
        m.exclusion[m.exclusions].a = (uint16_t)rng_below(r, m.bodies);
        m.exclusion[m.exclusions++].b = (uint16_t)rng_below(r, m.bodies);
    }
    begin_world(&m, &state);
}

// What does the model say of this pair, by itself?
static int collide(const tac_shape *a, const tac_shape *b)
{
    int good = a->body != b->body && (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
    good = good && (m.body[a->body].kind == TAC_DYNAMIC || m.body[b->body].kind == TAC_DYNAMIC);
    for (int i = 0; i < m.exclusions; i++) {
        const tac_exclusion *e = &m.exclusion[i];
        good = good && !(e->a == a->body && e->b == b->body) && !(e->b == a->body && e->a == b->body);
    }
    return good;
}

static void place(tac_work *w)
{
    bytes_clear(w, sizeof *w);
    move_free(&m, &state, NULL, w);
    contacts_place(&m, &state, w);
}

static void find_slowly(tally *t)
{
    tac_meeting *g = &slow.scratch.meeting;
    place(&slow);
    for (uint16_t i = 0; i < m.shapes; i++) {
        for (uint16_t j = (uint16_t)(i + 1); j < m.shapes; j++) {
            if (!collide(&m.shape[i], &m.shape[j])) { continue; }
            t->pairs++;
            if (contacts_meet(&m, g, i, j)) { contacts_enter(&m, g, &slow.report, slow.contact); }
        }
    }
}

// What contacts_find() does, with a look at the lists.
static void find_lists(tally *t)
{
    tac_meeting *g = &quick.scratch.meeting;
    place(&quick);
    broad_build(&m, g);
    for (uint16_t i = 0; i < m.shapes; i++) {
        const uint32_t count = broad_near(g, i);
        for (uint32_t k = 0; k < count; k++) {
            t->disorder += g->near[k] <= (k > 0 ? g->near[k - 1] : i);
            t->not_first += !broad_dynamic(&m, i) && !broad_dynamic(&m, g->near[k]);
            t->seen += collide(&m.shape[i], &m.shape[g->near[k]]);
        }
    }
}

static void run_world(rng *r, tally *t)
{
    random_world(r);
    find_lists(t);
    find_slowly(t);
    place(&quick);
    contacts_find(&m, &quick.scratch.meeting, &quick.report, quick.contact);
    t->contacts += quick.report.contacts;
    t->full += quick.report.dropped > 0;
    t->wrong += !truth_equal(&quick.report, &slow.report, sizeof slow.report) ||
                !truth_equal(quick.contact, slow.contact, sizeof slow.contact);
}

int main(void)
{
    const uint64_t seed = 1971;
    rng r = {seed};
    tally t = {0, 0, 0, 0, 0, 0.0, 0.0};
    tap_note_hex("seed", seed);
    for (int i = 0; i < WORLDS; i++) { run_world(&r, &t); }
    tap_note("contacts", t.contacts);
    tap_note("pairs that may collide", t.pairs);
    tap_note("pairs whose boxes meet", t.seen);
    tap_least(t.contacts, 20 * WORLDS, "the worlds are in contact");
    tap_least(t.full, 1, "some tables are full");
    tap_most(t.seen, 0.3 * t.pairs, "most pairs are not looked at");
    tap_equal(t.wrong, 0, "contacts are those of all pairs, to the bit");
    tap_equal(t.disorder, 0, "partners have higher indices and ascend");
    tap_equal(t.not_first, 0, "one of each pair is of a dynamic body");
    return tap_done();
}
