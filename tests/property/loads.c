// SPDX-License-Identifier: MIT
// config: -DTAC_SHARED_LOADS=1 -DTAC_MAX_JOINTS=16 -DTAC_COORDINATES=1 -DTAC_MAX_FILL=128 -DTAC_MAX_REDUCED=96
// config: -DTAC_MAX_CONTACTS=64 -DTAC_MAX_POLYHEDRA=4 -DTAC_MAX_POINTS=64 -DTAC_MAX_FACES=120 -DTAC_MAX_EDGES=360
// variants: gcc-O2-32 gcc-O2-64
// Loads of redundant contacts of random worlds. Of those of two bodies that stick, or slide in one direction, no other
// with the same force and torque have a smaller norm, which the dual problem proves; and they do not depend on the
// impulses that a step starts from, nor on the solver.
#include "begin.h"
#include "wild.h"

enum { WORLDS = RUN(60, 12), STEPS = RUN(400, 150), EVERY = 10, ASCENTS = 4000, PAIR = 16 };

static tac_model m, changed;
static tac_state state, other;
static tac_work w;

// ------------------------------------------------------------------------------------------------------------ worlds

static void ground(rng *r)
{
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 1e-3, 5e-3);
    m.options.solver = (uint8_t)rng_below(r, 3);
    m.options.friction = (uint8_t)rng_below(r, 2);
    m.options.max_sweeps = 100;
    m.gravity = vec(rng_range(r, -3, 3), rng_range(r, -3, 3), -9.81);
    tac_model_add_material(&m, (tac_real)rng_range(r, 0, 1), 0);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
}

// A box, or a body on four to six feet; flat ones slide.
static void body(rng *r, d3 at, int flat)
{
    const tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    const uint16_t i = (uint16_t)tac_model_add_body(&m, &b);
    const d3 half = d3_add(d3_make(0.2, 0.2, 0.15), rng_box(r, 0.1));
    tac_shape s = tac_shape_make(i, TAC_BOX, d3_to(half));
    tac_model_add_shape(&m, &s);
    tac_model_mass_from_shapes(&m, i, 1000);
    m.body[i].velocity.v = d3_to(rng_box(r, 1));
    if (flat) {
        m.body[i].pose.p.z = (tac_real)half.z;
        m.body[i].velocity.v = vec(10, 5, 0);
    } else {
        m.body[i].pose.q =
            dq_to(dq_about(d3_make(rng_range(r, -1, 1), 1, rng_range(r, -1, 1)), rng_range(r, -0.2, 0.2)));
    }
    if (rng_below(r, 2) == 0) { return; }
    const uint32_t feet = 4 + rng_below(r, 3);
    for (uint32_t k = 0; k < feet; k++) {
        const d3 on = rng_box(r, 1);
        s = tac_shape_make(i, TAC_SPHERE, vec(0.05, 0, 0));
        s.pose.p = vec(half.x * on.x, half.y * on.y, -half.z);
        tac_model_add_shape(&m, &s);
    }
}

static void random_world(rng *r, int apart)
{
    ground(r);
    const int flat = rng_below(r, 4) == 0;
    const uint32_t bodies = flat ? 1 : 1 + rng_below(r, 3);
    for (uint32_t i = 0; i < bodies; i++) {
        body(r, d3_add(d3_make(apart ? 2 * i : 0, 0, apart ? 0.3 : 0.3 + 0.45 * i), rng_box(r, 0.05)), flat);
    }
    begin_world(&m, &state);
}

// ------------------------------------------------------------------------------------------------------------- a pair

typedef struct pair {
    const tac_contact *contact[PAIR];
    d3 arm[PAIR], g[PAIR];
    int count, slides;
} pair;

static d3 world(const tac_contact *c, d3 g)
{
    return d3_add(d3_scale(g.x, d3_of(c->n)), d3_add(d3_scale(g.y, d3_of(c->u)), d3_scale(g.z, d3_of(c->w))));
}

static d3 local(const tac_contact *c, d3 f)
{
    return d3_make(d3_dot(f, d3_of(c->n)), d3_dot(f, d3_of(c->u)), d3_dot(f, d3_of(c->w)));
}

// Those of the pair of the first contact that bear something. Returns 0 if it was seen with an earlier one, has been
// open or too many, or some of its contacts stick and others slide, or in more than one direction.
static int pair_of(int first, double slow, pair *p)
{
    d3 along = d3_make(0, 0, 0);
    p->count = p->slides = 0;
    for (int i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        if (c->body_a != w.contact[first].body_a || c->body_b != w.contact[first].body_b) { continue; }
        if (i < first || p->count == PAIR) { return 0; }
        const d3 slip = d3_make(0, (double)c->velocity.y, (double)c->velocity.z), way = world(c, slip);
        const double speed = d3_norm(slip), normal = (double)c->velocity.x;
        const int open = !(c->impulse.x > 0);
        if (open && normal < 1e3 * slow) { return 0; }
        if (open) { continue; }
        if (speed > slow && speed < 1e3 * slow) { return 0; }
        const d3 unit = d3_scale(1 / (speed + 1e-300), way);
        if (p->count > 0 && p->slides != (speed > slow)) { return 0; }
        if (p->count > 0 && p->slides && d3_norm(d3_sub(unit, along)) > 1e-12) { return 0; }
        p->slides = speed > slow;
        along = unit;
        p->contact[p->count] = c;
        p->g[p->count] = d3_of(c->impulse);
        if (p->slides) { p->g[p->count].y = p->g[p->count].z = 0; }
        p->arm[p->count++] = d3_sub(d3_of(c->point), d3_of(w.contact[first].point));
    }
    return p->count > 1;
}

// Projection onto the cone.
static d3 projected(const pair *p, int i, d3 z)
{
    const double mu = p->slides ? 0 : (double)p->contact[i]->mu, t = d_sqrt(z.y * z.y + z.z * z.z);
    if (z.x >= 0 && t <= mu * z.x) { return z; }
    const double n = (z.x + mu * t) / (1 + mu * mu), s = t > 0 ? mu * n / t : 0;
    return n > 0 ? d3_make(n, s * z.y, s * z.z) : d3_make(0, 0, 0);
}

// How much larger sum |g|^2 is than what the dual problem proves, relative: with the same force F and torque T no
// impulses have less than 2 (a.F + b.T) - sum |P(a + b x r)|^2, whatever a and b are. Its ascent is by gradients.
static double beyond(const pair *p)
{
    d3 a = d3_make(0, 0, 0), b = a, centre = a;
    double size = 0, square = 0, best = 0;
    for (int i = 0; i < p->count; i++) { centre = d3_add(centre, d3_scale(1.0 / p->count, p->arm[i])); }
    for (int i = 0; i < p->count; i++) {
        const d3 r = d3_sub(p->arm[i], centre);
        square += d3_dot(r, r);
        size += d3_dot(p->g[i], p->g[i]);
    }
    for (int pass = 0; pass < ASCENTS; pass++) {
        d3 force = d3_make(0, 0, 0), torque = force;
        double bound = 0;
        for (int i = 0; i < p->count; i++) {
            const d3 r = d3_sub(p->arm[i], centre), z = local(p->contact[i], d3_add(a, d3_cross(b, r)));
            const d3 g = projected(p, i, z), left = d3_sub(p->g[i], g);
            bound += 2 * d3_dot(z, p->g[i]) - d3_dot(g, g);
            force = d3_add(force, world(p->contact[i], left));
            torque = d3_add(torque, d3_cross(r, world(p->contact[i], left)));
        }
        best = d_max(best, bound);
        a = d3_add(a, d3_scale(1.0 / p->count, force));
        b = d3_add(b, d3_scale(1.0 / (square + 1e-300), torque));
    }
    return size > 0 ? 1 - best / size : 0;
}

// -------------------------------------------------------------------------------------------------------------- tests

static void test_least(void)
{
    rng r = {3};
    double worst = 0;
    int sticking = 0, sliding = 0, far = 0;
    for (int i = 0; i < WORLDS; i++) {
        random_world(&r, 0);
        for (int k = 0; k < STEPS; k++) {
            if (tac_step(&m, &state, NULL, &w) != TAC_OK || k % EVERY || w.report.sweeps == 0) { continue; }
            const double slow = TOL(1e-8, 3e-7);
            for (int first = 0; first < w.report.contacts; first++) {
                pair p;
                if (!pair_of(first, slow, &p)) { continue; }
                const double more = beyond(&p);
                sticking += !p.slides;
                sliding += p.slides;
                far += more > TOL(1e-6, 1e-3);
                d_worst(&worst, more);
            }
        }
    }
    tap_note("pairs that stick", sticking);
    tap_note("pairs that slide", sliding);
    tap_note("of these farther from the least norm than proven", far);
    tap_note("farthest", worst);
    tap_least(sticking, WORLDS, "pairs of bodies stick");
    tap_least(sliding, WORLDS / 4, "others slide");
    tap_most(far, (sticking + sliding) / 50, "their loads have the least norm");
}

// The same step from impulses that are scaled at random, by another solver: where all contacts stick and the velocities
// are the same, so are the loads.
static void test_unique(void)
{
    rng r = {5};
    double worst = 0;
    int asked = 0, far = 0;
    static tac_vec3 found[TAC_MAX_CONTACTS];
    for (int i = 0; i < WORLDS; i++) {
        random_world(&r, 1);
        for (int k = 0; k < STEPS; k++) {
            truth_copy(&other, &state, sizeof other);
            if (tac_step(&m, &state, NULL, &w) != TAC_OK || k % EVERY || w.report.contacts < 2) { continue; }
            double size = 0, apart = 0;
            for (int c = 0; c < w.report.contacts; c++) {
                found[c] = w.contact[c].impulse;
                size += (double)found[c].x;
            }
            for (int c = 0; c < other.warm_count; c++) {
                other.warm[c].impulse = d3_to(d3_scale(rng_range(&r, 0, 2), d3_of(other.warm[c].impulse)));
            }
            truth_copy(&changed, &m, sizeof changed);
            changed.options.solver = (uint8_t)rng_below(&r, 3);
            tac_model_seal(&changed, NULL);
            if (tac_state_adopt(&m, &changed, &other, NULL) != TAC_OK) { tap_ok(0, "not adopted"); }
            if (tac_step(&changed, &other, NULL, &w) != TAC_OK) { continue; }
            double moved = 0;
            int sliding = 0;
            for (int b = 1; b < m.bodies; b++) {
                d_worst(&moved, d3_norm(d3_sub(d3_of(other.twist[b].v), d3_of(state.twist[b].v))));
                d_worst(&moved, d3_norm(d3_sub(d3_of(other.twist[b].w), d3_of(state.twist[b].w))));
            }
            for (int c = 0; c < w.report.contacts; c++) {
                d_worst(&apart, d3_norm(d3_sub(d3_of(found[c]), d3_of(w.contact[c].impulse))) / size);
                sliding += w.contact[c].mode == TAC_SLIDE;
            }
            if (sliding > 0 || !(size > 0) || moved > TOL(1e-8, 1e-4)) { continue; }
            asked++;
            far += apart > TOL(1e-4, 1e-2);
            d_worst(&worst, apart);
        }
    }
    tap_note("steps from two histories", asked);
    tap_note("whose loads differ", far);
    tap_note("largest difference", worst);
    tap_least(asked, 5 * WORLDS, "steps are solved from other impulses");
    tap_most(far, asked / 50, "loads do not depend on history");
}

int main(void)
{
    test_least();
    test_unique();
    return tap_done();
}
