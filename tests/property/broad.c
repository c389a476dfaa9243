// SPDX-License-Identifier: MIT
// Boxes in trees, and pairs kept from step to step, save work and nothing else: in random worlds the contacts are those
// of a loop over all pairs, to the bit and in the same order, full tables included. Bodies then move on, little or far,
// and the pairs that are kept are those of the same world, of another one, or no pairs at all. Worlds are crowded or
// sparse, near the origin or 10 km from it, of boulders or of grains, with bodies of several shapes, fast ones, moving
// and turning half-spaces, statics, groups, masks, exclusions and joints; some are walls of bricks and slates that are
// nearly parallel.
#define TAC_MAX_BODIES 60
#define TAC_MAX_SHAPES 120
#define TAC_MAX_CONTACTS 600
#define TAC_MAX_EXCLUSIONS 40
#define TAC_MAX_JOINTS 40
#define TAC_MAX_REDUCED 128
#include "tactus.c"

#include "begin.h"
#include "truth.h"

enum { WORLDS = RUN(400, 12), STEPS = 4 };

static tac_model m;
static tac_state state;
static tac_work quick, slow;
static tac_pairs kept;

static d3 far;       // where the world is
static dq turn;      // how its wall stands
static double grain; // how large its shapes are
static int wall;     // is it one?

typedef struct tally {
    int contacts, full, wrong, disorder, balls, wrong_balls, served, loose, beyond;
    double pairs, seen;
} tally;

static void random_shape(rng *r, uint16_t body, double size)
{
    const uint8_t low = m.body[body].kind == TAC_DYNAMIC || rng_below(r, 4) > 0 ? TAC_SPHERE : TAC_HALF_SPACE;
    const uint8_t kind = (uint8_t)(low + rng_below(r, (uint32_t)(TAC_BOX - low + 1)));
    const d3 sizes = d3_make(rng_range(r, 0.2, 1.0), rng_range(r, 0.2, 1.0), rng_range(r, 0.2, 1.0));
    tac_shape s = tac_shape_make(body, kind, d3_to(d3_scale(grain * size, sizes)));
    s.pose.p = d3_to(rng_box(r, grain * (body == 0 ? 6.0 : 0.5)));
    if (body == 0) { s.pose.p = d3_to(d3_add(far, d3_of(s.pose.p))); }
    s.pose.q = dq_to(rng_quat(r));
    if (rng_below(r, 4) == 0) { s.group = (uint16_t)(1u << rng_below(r, 3)); }
    if (rng_below(r, 4) == 0) { s.mask = (uint16_t)rng_below(r, 8); }
    tac_model_add_shape(&m, &s);
}

static dq nearly(rng *r, dq q)
{
    return dq_mul(q,
                  dq_about(d3_add(rng_box(r, 1.0), d3_make(0, 0, 2)), rng_below(r, 2) ? 0.0 : rng_range(r, 0, 0.05)));
}

static void random_brick(rng *r, uint16_t body)
{
    const double thin = rng_below(r, 2) ? 0.02 : 0.5;
    const tac_shape s = tac_shape_make(body, TAC_BOX, vec(rng_range(r, 0.4, 0.5), rng_below(r, 2) ? 0.5 : 1.0, thin));
    m.body[body].pose.q = dq_to(nearly(r, turn));
    m.body[body].pose.p =
        d3_to(d3_add(far, dq_rotate(turn, d3_make(rng_below(r, 4), rng_below(r, 4), rng_below(r, 4)))));
    tac_model_add_shape(&m, &s);
}

static void random_body(rng *r, double spread, double speed)
{
    tac_body b = tac_body_make(rng_below(r, 5) > 0 ? TAC_DYNAMIC : TAC_KINEMATIC,
                               d3_to(d3_add(far, rng_box(r, grain * spread))));
    b.pose.q = dq_to(rng_quat(r));
    b.velocity = (tac_twist){d3_to(rng_box(r, speed)), d3_to(rng_box(r, speed))};
    if (rng_below(r, 6) == 0) { b.velocity = (tac_twist){d3_to(rng_box(r, 200.0)), d3_to(rng_box(r, 100.0))}; }
    b.inertial.p = d3_to(rng_box(r, 0.3 * grain));
    b.inertial.q = dq_to(rng_quat(r));
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    if (wall) {
        random_brick(r, body);
        return;
    }
    for (uint32_t i = rng_below(r, 3); i < 3; i += 2) { random_shape(r, body, rng_range(r, 0.1, 0.8)); }
}

// Its bodies collide or not; where they are apart does not matter here.
static void random_joint(rng *r)
{
    const uint32_t a = rng_below(r, m.bodies), b = 1 + rng_below(r, m.bodies - 1u);
    tac_joint j;
    tac_joint_init(&j, TAC_SPHERICAL, (uint16_t)a, (uint16_t)b);
    j.collide = (uint8_t)(rng_below(r, 4) == 0);
    if (a != b && m.body[b].kind == TAC_DYNAMIC) { tac_model_add_joint(&m, &j); }
}

static void random_world(rng *r)
{
    const double spread = rng_range(r, 1.0, 6.0), speed = rng_below(r, 2) ? 0.0 : 3.0;
    far = rng_below(r, 3) ? d3_make(0, 0, 0) : rng_box(r, 1e4);
    wall = rng_below(r, 5) == 0;
    grain = rng_below(r, 4) ? 1.0 : 0.02;
    turn = rng_quat(r);
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 0.0005, 0.02);
    if (rng_below(r, 3) == 0) { m.options.margin = (tac_real)(rng_below(r, 2) ? 0.0 : rng_range(r, 0.0, 0.2)); }
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const uint32_t statics = rng_below(r, 40), bodies = rng_below(r, TAC_MAX_BODIES + 1);
    for (uint32_t i = 0; i < statics; i++) { random_shape(r, 0, rng_below(r, 8) ? 0.5 : 10.0); }
    for (uint32_t i = 0; i < bodies; i++) { random_body(r, spread, speed); }
    for (uint32_t i = rng_below(r, TAC_MAX_EXCLUSIONS + 1); bodies > 0 && i > 0; i--) {
        const uint32_t a = rng_below(r, m.bodies), b = (a + 1 + rng_below(r, m.bodies - 1u)) % m.bodies;
        tac_model_add_exclusion(&m, (uint16_t)a, (uint16_t)b);
    }
    for (uint32_t i = rng_below(r, TAC_MAX_JOINTS + 1); bodies > 0 && i > 0; i--) { random_joint(r); }
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
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        const int both =
            (j->body_a == a->body && j->body_b == b->body) || (j->body_b == a->body && j->body_a == b->body);
        good = good && (!both || j->collide);
    }
    return good;
}

static void place(tac_work *w)
{
    bytes_clear(w, sizeof *w);
    move_free(&m, &state, NULL, w);
    contacts_place(&m, &state, NULL, w);
}

// A ball on a half-space has a shorter way to its point. Is the point that of its core above the face?
static void see_ball(tac_collision *g, tally *t)
{
    tac_pair *p = &g->pair;
    const tac_point ball = p->point[0];
    if (m.shape[p->own_shape].kind != TAC_HALF_SPACE || m.shape[p->other_shape].kind != TAC_SPHERE) { return; }
    points_place(&m, g, p->own_shape, p->other_shape);
    face_meet(&m, p, 2, R(1.0));
    t->balls++;
    t->wrong_balls += p->points != 1 || p->point[0].feature != ball.feature || p->point[0].gap != ball.gap ||
                      v3_norm(v3_sub(p->point[0].at.v, ball.at.v)) != R(0.0) ||
                      v3_norm(v3_sub(p->point[0].n, ball.n)) != R(0.0);
}

static void find_slowly(tally *t)
{
    tac_collision *g = &slow.scratch.collision;
    place(&slow);
    joint_mechanisms(&m, &state, JOINT_MECHANISM(g));
    for (uint16_t i = 0; i < m.shapes; i++) {
        for (uint16_t j = (uint16_t)(i + 1); j < m.shapes; j++) {
            if (!collide(&m.shape[i], &m.shape[j])) { continue; }
            t->pairs++;
            if (!contacts_meet(&m, g, m.options.margin, i, j)) { continue; }
            see_ball(g, t);
            const int together = joint_together(JOINT_MECHANISM(g), m.shape[i].body, m.shape[j].body);
            contacts_store(&m, g, !(JOINT_COUNT(&m) > 0 && together), &slow.report, slow.contact);
        }
    }
}

// What contacts_find() does, with a look at the lists.
static void find_lists(tally *t)
{
    tac_collision *g = &quick.scratch.collision;
    place(&quick);
    const int trees = broad_build(&m, g, &quick.pairs);
    for (uint16_t i = 0; i < m.shapes; i++) {
        const uint32_t count = broad_list(&m, g, &quick.pairs, trees, i);
        for (uint32_t k = 0; k < count; k++) {
            const uint16_t j = g->near[k];
            t->disorder += j <= (k > 0 ? g->near[k - 1] : i);
            t->seen += collide(&m.shape[i], &m.shape[j]);
        }
    }
}

// By the pairs that are kept, and by all pairs.
static void find_both(tally *t)
{
    find_slowly(t);
    place(&quick);
    quick.pairs = kept;
    contacts_find(&m, &state, 1, &quick);
    const int serves = kept.model_hash == m.hash && quick.pairs.steps == kept.steps + 1;
    t->served += serves;
    t->loose += serves && quick.scratch.collision.looses > 0;
    t->beyond += serves && (kept.count > 8u * m.shapes || quick.scratch.collision.looses > m.shapes / 32);
    kept = quick.pairs;
    t->contacts += quick.report.contacts;
    t->full += quick.report.dropped > 0;
    t->wrong += !truth_equal(&quick.report, &slow.report, sizeof slow.report) ||
                !truth_equal(quick.contact, slow.contact, sizeof slow.contact);
}

// All bodies move a little, and in one of three steps one of them moves far.
static void move_on(rng *r)
{
    const double small = rng_below(r, 2) ? 0.0 : 0.01 * grain;
    const uint32_t jumps = rng_below(r, 3u * m.bodies);
    for (uint32_t i = 1; i < m.bodies; i++) {
        if (m.body[i].kind == TAC_STATIC) { continue; }
        tac_pose *x = &state.pose[i];
        x->p = d3_to(d3_add(d3_of(x->p), rng_box(r, i == jumps ? grain : small)));
        x->q = dq_to(dq_mul(dq_of(x->q), dq_about(rng_box(r, 1.0), small / grain)));
        state.twist[i].v = d3_to(d3_add(d3_of(state.twist[i].v), rng_box(r, i == jumps ? 5.0 : 0.1)));
    }
}

static void run_world(rng *r, rng *moves, tally *t)
{
    random_world(r);
    find_lists(t);
    if (rng_below(moves, 2)) { __builtin_memset(&kept, rng_below(moves, 2) ? UINT8_MAX : 0, sizeof kept); }
    for (uint32_t i = 1, calm = rng_below(moves, 4); i < m.bodies && calm > 0; i++) {
        bytes_clear(&state.twist[i], sizeof state.twist[i]);
    }
    for (int i = 0; i < STEPS; i++) {
        find_both(t);
        move_on(moves);
    }
}

// ---------------------------------------------------------------------------------------------------- boxes of shapes

// A body with one shape of any kind, whose polyhedron or field is no more than its bounds.
static void random_kind(rng *r, uint8_t kind)
{
    const double scale = rng_below(r, 2) ? 1.0 : 0.01;
    const d3 low = rng_box(r, scale), some = d3_make(0.6 * scale, 0.6 * scale, 0.6 * scale);
    const d3 width = d3_add(some, rng_box(r, 0.4 * scale));
    tac_model_init(&m);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(rng_box(r, rng_below(r, 2) ? 1.0 : 1e4)));
    b.pose.q = dq_to(rng_quat(r));
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    tac_shape s = tac_shape_make(body, kind, d3_to(width));
    s.pose.p = d3_to(rng_box(r, scale));
    s.pose.q = dq_to(rng_quat(r));
    s.rounding = kind < TAC_MESH && rng_below(r, 2) ? (tac_real)(0.1 * scale) : 0;
    tac_model_add_shape(&m, &s);
    m.polyhedron[0].low = d3_to(low);
    m.polyhedron[0].high = d3_to(d3_add(low, width));
    m.field[0].dx = (tac_real)(0.1 * scale);
    m.field[0].dy = (tac_real)(0.2 * scale);
    m.field[0].low = (tac_real)low.z;
    m.field[0].high = (tac_real)(low.z + width.z);
    m.field[0].columns = m.field[0].rows = 10;
    bytes_clear(&state, sizeof state);
    state.pose[0] = state.pose[1] = b.pose;
}

// How far points of the shape's own box, and of a ball around them, are out of the box that the tree has; and how wide
// that is, of the sphere that bounds it.
static void look_at_box(double *out, double *wide)
{
    const tac_shape *s = &m.shape[0];
    const int round = s->kind == TAC_SPHERE || s->kind == TAC_CAPSULE;
    vec3 low, high;
    tac_node n;
    place(&quick);
    const tac_placed *p = quick.scratch.collision.placed;
    broad_leaf(&m, &quick.scratch.collision, 0, &n);
    shape_box(&m, s, &low, &high);
    if (round) { low = high = vec(0, 0, 0); }
    if (s->kind == TAC_CAPSULE) { low.z = -(high.z = s->size.z); }
    const double ball = (double)s->rounding + (round ? (double)s->size.x : 0.0);
    for (int i = 0; i < 8; i++) {
        const d3 x = d3_make((double)(i & 1 ? low.x : high.x), (double)(i & 2 ? low.y : high.y),
                             (double)(i & 4 ? low.z : high.z));
        const d3 at = d3_add(d3_of(p->pose.p), dq_rotate(dq_of(p->pose.q), x));
        const d3 below = d3_sub(d3_of(boxes_low(&n)), at), above = d3_sub(at, d3_of(boxes_high(&n)));
        *out =
            d_max(*out, ball + d_max(below.x, d_max(below.y, d_max(below.z, d_max(above.x, d_max(above.y, above.z))))));
    }
    // a field goes as deep as its sphere; far away the last digit is wide
    if (s->kind == TAC_HEIGHT_FIELD || v3_norm_inf(p->pose.p) > R(10.0)) { return; }
    const d3 width = d3_sub(d3_of(boxes_high(&n)), d3_of(boxes_low(&n)));
    d_worst(wide, d_max(width.x, d_max(width.y, width.z)) / (2.0 * (double)p->radius));
}

static void check_boxes(rng *r)
{
    double out = -1.0, wide = 0.0;
    for (int i = 0; i < 100 * (TAC_SHAPE_KINDS - TAC_SPHERE); i++) {
        random_kind(r, (uint8_t)(TAC_SPHERE + i % (TAC_SHAPE_KINDS - TAC_SPHERE)));
        look_at_box(&out, &wide);
    }
    tap_most(out, 0.0, "no shape of any kind is out of its box");
    tap_most(wide, 1.1, "no box is much wider than the sphere");
}

int main(void)
{
    const uint64_t seed = 1971;
    rng r = {seed}, moves = {seed + 1};
    tally t = {0};
    tap_note_hex("seed", seed);
    for (int i = 0; i < WORLDS; i++) { run_world(&r, &moves, &t); }
    tap_note("contacts", t.contacts);
    tap_note("pairs that may collide", t.pairs);
    tap_note("pairs whose boxes meet", t.seen);
    tap_note("steps by kept pairs", t.served);
    tap_note("of these with bodies out of their boxes", t.loose);
    tap_least(t.contacts, 20 * WORLDS, "the worlds are in contact");
    tap_least(t.full, RUN(1, 0), "some tables are full");
    tap_most(t.seen, 0.5 * t.pairs / STEPS, "most pairs are not looked at");
    tap_least(t.served, WORLDS / 12, "pairs that are kept serve");
    tap_least(t.loose, RUN(WORLDS / 12, 1), "bodies that have left their boxes among them");
    tap_equal(t.beyond, 0, "tests of boxes are at most 8 n + n^2/32 then, as tactus.h says");
    tap_equal(t.wrong, 0, "contacts are those of all pairs, to the bit");
    tap_equal(t.balls > 0 ? t.wrong_balls : -1, 0, "a ball on a plane has the point that its face gives, to the bit");
    tap_equal(t.disorder, 0, "partners have higher indices and ascend");
    check_boxes(&r);
    return tap_done();
}
