// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-64
// The derivative of a step against differences of steps, in random worlds: free bodies of unequal moments that fly,
// touch, slide, are stopped, overlap with and without a force, alone and in piles; chains with springs, dampers and dry
// friction; one joint with motors of every kind, at their bounds and within, at limits and stops. Every other world
// has the relaxed law of friction.
#include "begin.h"
#include "differences.h"
#include "parameters.h"

enum { ROOM = 60, ON_PLANE, ON_SHAPE, PAIR, PILE, CHAIN, DRIVEN };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static tac_lcp q;
static differences d;
static tac_real A[ROOM * ROOM], B[ROOM * ROOM];
static tac_step_derivative y;
static parameters by;

static tac_vec3 box_vec(rng *r, double half)
{
    return d3_to(rng_box(r, half));
}

static tac_vec3 inertia(rng *r)
{
    return d3_to(d3_make(rng_range(r, 0.008, 0.012), rng_range(r, 0.01, 0.014), rng_range(r, 0.012, 0.018)));
}

static double heavier = 1; // the last body of a world, times this

static void body(rng *r, int kind, double times)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.mass = (tac_real)(times * rng_range(r, 0.5, 2));
    b.inertia = d3_to(d3_scale(times, d3_of(inertia(r))));
    static const uint8_t kinds[] = {TAC_SPHERE, TAC_BOX, TAC_CAPSULE};
    tac_shape shape = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), kinds[kind], vec(0.1, 0.09, 0.11));
    shape.pose.p = box_vec(r, 0.02);
    tac_model_add_shape(&m, &shape);
}

// Moves body b away from a or towards it, until their gap is as wanted.
static void approach(uint16_t a, uint16_t b, double gap)
{
    for (int i = 0; i < 12; i++) {
        tac_nearest near;
        if (tac_distance(&m, &s, a, b, &w, &near) < 0) { return; }
        tac_pose pose = tac_state_get_pose(&m, &s, b);
        pose.p = d3_to(d3_add(d3_of(pose.p), d3_scale(gap - (double)near.gap, d3_of(near.n))));
        tac_state_set_body(&m, &s, b, pose, (tac_twist){{0, 0, 0}, {0, 0, 0}});
    }
}

static void bodies(rng *r, int kind)
{
    const int count = kind == PAIR ? 2 : (kind == PILE ? 3 : 1);
    tac_shape ground = tac_shape_make(0, kind == ON_SHAPE ? (rng_below(r, 2) ? TAC_SPHERE : TAC_BOX) : TAC_HALF_SPACE,
                                      vec(0.5, 0.5, 0.5));
    ground.pose.p.z = kind == PAIR ? -9 : 0;
    tac_model_add_shape(&m, &ground);
    for (int i = 0; i < count; i++) {
        body(r, kind == PILE ? 0 : (int)rng_below(r, kind == PAIR ? 1 : 3), i == count - 1 ? heavier : 1);
    }
    begin_world(&m, &s);
    for (uint16_t i = 1; i <= count; i++) {
        const d3 at = d3_make(rng_range(r, -0.2, 0.2) + 0.3 * i, 0, kind == ON_SHAPE ? 0.8 : 0.3 * i);
        const tac_pose pose = {d3_to(at), dq_to(rng_quat(r))};
        tac_state_set_body(&m, &s, i, pose, (tac_twist){{0, 0, 0}, {0, 0, 0}});
    }
    for (uint16_t i = kind == PAIR ? 2 : 1; i <= count; i++) {
        const double gap = rng_below(r, 2) ? rng_range(r, -1e-3, -1e-5) : rng_range(r, 1e-6, 1e-4);
        approach(kind == ON_PLANE || kind == ON_SHAPE ? 0 : (uint16_t)(i - 1), i, gap);
    }
    for (uint16_t i = 1; i <= count; i++) {
        const tac_twist twist = {box_vec(r, 0.3), box_vec(r, 3)};
        tac_state_set_body(&m, &s, i, tac_state_get_pose(&m, &s, i), twist);
    }
}

static void chain(rng *r, double friction)
{
    const uint16_t count = (uint16_t)(2 + rng_below(r, 3));
    static tac_real position[ROOM], rate[ROOM];
    for (uint16_t i = 1; i <= count; i++) {
        tac_joint j;
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_make(0.3 * i, 0, 0)));
        b.mass = (tac_real)rng_range(r, 0.5, 2);
        b.inertia = inertia(r);
        tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_REVOLUTE, (uint16_t)(i - 1), i);
        j.frame_a.q = j.frame_b.q = dq_to(rng_quat(r));
        j.frame_a.p = vec((tac_real)0.15, 0, 0), j.frame_b.p = vec((tac_real)-0.15, 0, 0);
        j.friction = (tac_real)(rng_below(r, 2) ? friction : 0);
        j.damping = (tac_real)(rng_below(r, 2) ? 1 : 0), j.stiffness = (tac_real)(rng_below(r, 2) ? 50 : 0);
        j.armature = (tac_real)(rng_below(r, 4) ? 0 : 0.05);
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
    for (int i = 0; i < count; i++) {
        position[i] = (tac_real)rng_range(r, -1, 1);
        rate[i] = (tac_real)rng_range(r, -2, 2);
    }
    tac_state_set_coordinates(&m, &s, position, rate, &w);
    for (uint32_t i = rng_below(r, 100); i > 0 && friction > 0; i--) { tac_step(&m, &s, &input, &w); }
}

// One of both.
static tac_real either(rng *r, double value, double most)
{
    return (tac_real)(rng_below(r, 2) ? value : rng_range(r, 0, most));
}

// A hinge or a slide near a limit, with all kinds of efforts.
static void driven(rng *r)
{
    const double at = rng_range(r, -1, 1), limit = at + rng_range(r, -0.002, 0.01), far = at - 2;
    tac_joint j;
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.mass = (tac_real)rng_range(r, 0.5, 2);
    b.inertia = inertia(r);
    m.gravity = vec(0, 0, 0);
    m.options.recovery = either(r, 0, 1);
    tac_joint_init(&j, rng_below(r, 2) ? TAC_REVOLUTE : TAC_PRISMATIC, 0, (uint16_t)tac_model_add_body(&m, &b));
    if (rng_below(r, 2)) { j.lower = (tac_real)far, j.upper = (tac_real)limit; }
    j.stop_stiffness = (tac_real)(j.lower < j.upper && rng_below(r, 2) ? rng_range(r, 100, 1000) : 0);
    j.stop_damping = j.stop_stiffness > 0 ? either(r, 0, 20) : 0;
    j.stiffness = either(r, 0, 50), j.damping = either(r, 0, 1), j.armature = either(r, 0, 0.05);
    j.effort = (tac_real)(rng_below(r, 2) ? (double)j.effort : rng_range(r, 5, 500));
    j.speed = (tac_real)(rng_below(r, 2) ? (double)j.speed : rng_range(r, 0.5, 3));
    tac_model_add_joint(&m, &j);
    tac_motor a = {.joint = 0, .kind = (uint16_t)rng_below(r, TAC_MOTOR_KINDS)};
    const int pd = a.kind == TAC_MOTOR_PD;
    if (pd || a.kind == TAC_MOTOR_POSITION) { a.position = (tac_real)(at + rng_range(r, -0.02, 0.02)); }
    if (pd || a.kind == TAC_MOTOR_VELOCITY) { a.velocity = (tac_real)rng_range(r, -3, 3); }
    if (pd) { a.stiffness = either(r, 100, 5000), a.damping = either(r, 5, 50); }
    if (pd || a.kind == TAC_MOTOR_EFFORT) { a.effort = (tac_real)rng_range(r, -9, 9); }
    input.motors = (uint16_t)(rng_below(r, 4) > 0);
    input.motor[0] = a;
    begin_world(&m, &s);
    const tac_real position = (tac_real)at, rate = (tac_real)rng_range(r, -2, 2);
    tac_state_set_coordinates(&m, &s, &position, &rate, &w);
}

// A wrench on the last body, which turns with it or not.
static void push(rng *r)
{
    input.actions = 1;
    input.action[0].body = (uint16_t)(m.bodies - 1);
    input.action[0].kind = (uint16_t)(rng_below(r, 2) ? TAC_WRENCH_BODY : TAC_WRENCH_WORLD);
    input.action[0].linear = box_vec(r, 5);
    input.action[0].angular = box_vec(r, 0.5);
}

// A second material for every other shape, a rule for each, of which the greater one counts; every fourth time also
// pairs, the first of which does not meet. The model is sealed again.
static void mix(rng *r)
{
    static tac_model one;
    truth_copy(&one, &m, sizeof m);
    m.material[0].friction = (tac_real)rng_range(r, 0.1, 0.8);
    tac_model_add_material(&m, (tac_real)rng_range(r, 0.1, 0.8), 0);
    for (uint16_t i = 0; i < m.shapes; i++) { m.shape[i].material = i % 2; }
    const uint32_t rule = rng_below(r, TAC_RULES), first = rng_below(r, 2);
    m.material[first].friction_rule = (uint8_t)rule;
    m.material[1 - first].friction_rule = (uint8_t)rng_below(r, rule + 1);
    const uint32_t pairs = first == 0 && rule % 2 == 0 ? 1 + rng_below(r, 2) : 0;
    for (uint8_t other = 0; other < pairs; other++) {
        tac_model_add_material_pair(&m, 1, 1 - other, (tac_real)rng_range(r, 0.1, 0.8), 0);
    }
    tac_model_seal(&m, NULL);
    tac_state_adopt(&one, &m, &s, NULL);
}

static int mixed;

static void world(rng *r, int number, int kind, double friction, double projection)
{
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)0.002;
    m.options.tolerance = 0;
    m.options.max_sweeps = 3000;
    m.options.projection = (tac_real)projection;
    m.options.friction = number % 2 ? TAC_FRICTION_RELAXED : TAC_FRICTION_EXACT;
    tac_model_add_material(&m, (tac_real)(rng_below(r, 4) ? rng_range(r, 0.1, 0.8) : 0), 0);
    m.material[0].friction_rule = (uint8_t)(number / 2 % TAC_RULES); // of the material with itself
    if (kind == CHAIN) {
        chain(r, friction);
    } else if (kind == DRIVEN) {
        driven(r);
    } else {
        bodies(r, kind);
    }
    if (mixed) { mix(r); }
    tac_lcp_init(&q);
    y.A = A, y.B = B;
    y.room = (tac_linear_size){ROOM, ROOM, 0};
    y.wrenches = 1;
    diff_begin(&d, &m, &s, &input, tac_step);
}

// The worst error of A, over the largest entry of its block. Columns where differences of two sizes do not agree have a
// kink.
static double worst_error(uint32_t *kinks)
{
    static double column[2][2 * DIFF_MOST];
    const uint32_t n = d.n, wide = y.size.x;
    double worst = 0.0, scale[4] = {1, (double)m.h, 1, 1};
    for (uint32_t k = 0; k < 4 * n * n; k++) {
        const uint32_t i = k / (2 * n), j = k % (2 * n);
        const int b = 2 * (i >= n) + (j >= n);
        scale[b] = d_max(scale[b], d_abs((double)A[i * wide + j]));
    }
    for (uint32_t j = 0; j < 2 * n; j++) {
        double apart = 0.0, error = 0.0;
        for (int k = 0; k < 2; k++) { diff_column(&d, j, k ? 3e-7 : 1e-6, column[k]); }
        for (uint32_t i = 0; i < 2 * n; i++) {
            const double of = scale[2 * (i >= n) + (j >= n)];
            apart = d_max(apart, d_abs(column[0][i] - column[1][i]) / of);
            error = d_max(error, d_abs((double)A[i * wide + j] - column[1][i]) / of);
        }
        *kinks += d.changed || apart > 2e-6;
        if (!d.changed && apart <= 2e-6) { worst = d_max(worst, error); }
        d.changed = 0;
    }
    return worst;
}

// What the derivative leaves out of the contacts that bear a force in the step: nothing where they are those of the
// state; of others how they move with the state.
enum { OF_STATE, ARRIVES, ROLLS, SORTS };
static const double sort_most[SORTS] = {0, 0.2, 0.51}; // of a block's largest entry
static const char *const sort_names[SORTS] = {"", "  where a pair arrives", "  where a contact rolls"};

static int sort_of(const tac_work *step, const tac_contact *c)
{
    if (step->scratch.solve.block[c - step->contact].rolls != 0) { return ROLLS; }
    if (tac_contacts(&m, &d.base, c->body_b, TAC_AUTO, &w) < 0) { return ARRIVES; }
    for (const tac_contact *k = w.contact; k < w.contact + w.report.contacts; k++) {
        const d3 turned = d3_sub(d3_of(k->n), d3_of(c->n)), moved = d3_sub(d3_of(k->point), d3_of(c->point));
        const int same = k->id.shape_a == c->id.shape_a && k->id.feature == c->id.feature;
        if (same && d3_norm(turned) + d3_norm(moved) < 1e-9) { return OF_STATE; }
    }
    return ARRIVES;
}

static int sort_of_step(void)
{
    static tac_work step;
    static tac_state next;
    int sort = OF_STATE;
    next = d.base;
    tac_step(&m, &next, &input, &step);
    for (int i = 0; i < step.report.contacts; i++) {
        const tac_contact *c = &step.contact[i];
        const int of = c->impulse.x > 0 ? sort_of(&step, c) : OF_STATE;
        sort = of > sort ? of : sort;
    }
    return sort;
}

static void test(rng *r, int kind, double friction, double projection, double most, double by_most, const char *name)
{
    double worst[SORTS] = {0.0, 0.0, 0.0}, by_worst = 0.0;
    by = (parameters){.count = 0};
    uint32_t kinks = 0, columns = 0, pushed = 0, worlds[SORTS] = {0, 0, 0};
    for (int i = 0; i < RUN(120, 20); i++) {
        world(r, i, kind, friction, projection);
        parameters_ask(&by, &m, &y);
        if (kind < CHAIN && rng_below(r, 2)) { push(r); }
        if (tac_derivative(&m, &d.base, &input, &w, &q, &y) < 0) { tap_ok(0, "a derivative"); }
        uint32_t bearing = 0;
        for (uint32_t c = 0; c < y.size.l / 3u; c++) { bearing += w.contact[c].impulse.x > 0; }
        pushed += y.size.l > 3 * bearing;
        columns += 2 * d.n;
        const int sort = sort_of_step();
        worlds[sort]++;
        d_worst(&worst[sort], worst_error(&kinks));
        if (sort != OF_STATE) { continue; }
        d_worst(&by_worst, parameters_compare(&by, &y, &m, &d.base, &input, &d.work, 3e-4, 1e-5));
    }
    tap_note("  columns", columns);
    tap_note("  with a kink", kinks);
    tap_most(worst[OF_STATE], most, name);
    tap_note("  of parameters", by.columns);
    tap_note("  where nothing changes", by.still);
    tap_note("  with a kink", by.kinks);
    tap_most(by_worst, by_most, "  by parameters");
    for (int i = ARRIVES; i < SORTS; i++) {
        if (worlds[i] == 0) { continue; }
        tap_note("  worlds of those that follow", worlds[i]);
        tap_most(worst[i], d_max(most, sort_most[i]), sort_names[i]);
    }
    tap_least(columns, 10 * kinks, "  most have none");
    tap_least(by.columns - by.still, 10 * by.kinks, "  by parameters too");
    if (projection > 0 && kind < PILE) { tap_least(pushed, 5, "  and some overlaps bear no force"); }
}

// A ball that comes to a plane, or is pressed against it: the velocity that it has without an impulse, beyond the gap
// over h, is u0, and the smoothed one (u0 + sqrt(u0^2 + s^2))/2. Of an overlap no velocity takes anything back, but the
// projection a part of what is left at the end. A body without a force moves by the mean of both velocities. A
// smoothing of nothing changes nothing; one far below the velocities of the contacts, nothing that counts.
static void test_smoothed(void)
{
    rng r = {11};
    double worst = 0, still = 0, little = 0;
    static tac_real hard[ROOM * ROOM];
    y.parameters = 0;
    for (int i = 0; i < 40; i++) {
        const double s0 = rng_range(&r, 0.1, 2), over = i % 4 ? 0 : 1;
        const double gap = rng_range(&r, 1e-4, 2e-3) * (1 - 2 * over), v = rng_range(&r, -3, 3 - 3 * over);
        tac_model_init(&m);
        truth_fill(&input, sizeof input, 0);
        m.h = (tac_real)0.002;
        m.gravity = vec(0, 0, -9.81);
        m.options.margin = (tac_real)0.01;
        tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 0.8), 0);
        tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
        tac_model_add_shape(&m, &shape);
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_make(0, 0, 0.1 + gap)));
        b.mass = (tac_real)rng_range(&r, 0.5, 2);
        b.inertia = vec(0.01, 0.01, 0.01);
        b.velocity.v = d3_to(d3_make(rng_range(&r, -1, 1), 0, v));
        tac_model_add_body(&m, &b);
        shape = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &shape);
        begin_world(&m, &s);
        tac_lcp_init(&q);
        y.smoothing = 0;
        tac_derivative(&m, &s, &input, &w, &q, &y);
        truth_copy(hard, A, sizeof A);
        y.smoothing = (tac_real)s0;
        tap_ok(tac_derivative(&m, &s, &input, &w, &q, &y) >= 0 && y.size.l == 3, "a contact, open or not");
        const uint32_t x = y.size.x, n = x / 2;
        const double u0 = v - 9.81 * 0.002 + (1 - over) * gap / 0.002, part = (1 + u0 / d_sqrt(u0 * u0 + s0 * s0)) / 2;
        d_worst(&worst, (double)A[(n + 2) * x + n + 2] - part);
        d_worst(&worst, 0.002 * (double)A[(n + 2) * x + 2] - (1 - over) * (part - 1));
        const double place = u0 > 0 ? (1 + part) / 2 : part * (1 - over * (double)m.options.projection);
        d_worst(&worst, (double)A[2 * x + n + 2] / 0.002 - place);
        for (uint32_t k = 0; k < x * x; k++) {
            if (k % x == 2 || k % x == n + 2) { continue; }
            d_worst(&still, (double)A[k] - (double)hard[k]);
        }
        y.smoothing = (tac_real)1e-6;
        tac_derivative(&m, &s, &input, &w, &q, &y);
        for (uint32_t k = 0; k < x * x; k++) { d_worst(&little, 0.002 * ((double)A[k] - (double)hard[k])); }
    }
    tap_most(worst, 1e-12, "a smoothed contact of one ball, by its velocity and its height");
    tap_most(still, 1e-12, "all else is as it was");
    tap_most(little, 1e-7, "a little smoothing changes little");
    y.smoothing = -1;
    tap_equal(tac_derivative(&m, &s, &input, &w, &q, &y), TAC_E_ARG, "less than none is refused");
    y.smoothing = (tac_real)__builtin_nan("");
    tap_equal(tac_derivative(&m, &s, &input, &w, &q, &y), TAC_E_ARG, "and what is no number");
    y.smoothing = 0;
}

int main(void)
{
    rng r = {20240615};
    test(&r, ON_PLANE, 0, 0.2, 2e-6, 2e-6, "a body that meets a plane");
    test(&r, ON_SHAPE, 0, 0.2, 2e-6, 2e-6, "a body that meets a ball or a box");
    test(&r, PAIR, 0, 0.2, 2e-6, 2e-6, "two bodies that meet");
    test(&r, ON_SHAPE, 0, 0, 2e-6, 2e-6, "where overlaps stay");
    test(&r, PILE, 0, 0, 5e-6, 1e-3, "a pile of three, where overlaps stay");
    test(&r, PILE, 0, 0.2, 0.1, 1, "a pile that is pushed apart, whose sweeps end early");
    test(&r, CHAIN, 0, 0, 5e-5, 5e-5, "a chain with springs and dampers");
    test(&r, CHAIN, 10, 0, 0.05, 0.1, "a chain with dry friction that holds");
    test(&r, DRIVEN, 0, 0.2, 2e-6, 2e-6, "a joint with motors, at limits and stops");
    mixed = 1;
    test(&r, ON_PLANE, 0, 0.2, 2e-6, 2e-6, "a body on a plane of another material");
    test(&r, PAIR, 0, 0.2, 2e-6, 2e-6, "two bodies of two materials");
    heavier = 1000;
    test(&r, PAIR, 0, 0.2, 2e-6, 2e-6, "two bodies, one of a thousand times the mass of the other");
    heavier = 1;
    test_smoothed();
    return tap_done();
}
