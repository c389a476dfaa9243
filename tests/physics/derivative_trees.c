// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-64
// The derivative of a step at states that steps have left, whose velocities lie beside the joints. A chain of one to
// three steps is differentiated by central differences from a state on the joints; with the next step it has to be A
// times that. Random trees of each kind of joint, on the ground or free, with springs, dampers, rotors and motors, also
// where a foot touches, under both laws of friction; B by differences of the last step alone.
#include "begin.h"
#include "parameters.h"
#include "truth.h"

enum { MOST = 60, CHAIN = 3, TREES, FLOATING, FEET };

static tac_model m;
static tac_state start, state, way[2];
static tac_work w;
static tac_input input;
static tac_lcp q;
static tac_coordinates map;
static tac_real A[MOST * MOST], B[MOST * MOST], x[MOST], position[MOST], rate[MOST];
static tac_step_derivative y;
static parameters by;
static uint32_t n; // of x
static double before[MOST][MOST], after[MOST][MOST];
static int kinks; // contacts of both sides of a difference are not the same

static void link(rng *r, uint8_t kind, uint16_t parent, int driven)
{
    tac_joint j;
    const uint16_t self = m.bodies, turned = (uint16_t)rng_below(r, 2);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_make(0.3 * self, 0, 0)));
    b.mass = (tac_real)rng_range(r, 0.5, 2);
    b.inertia = d3_to(d3_make(rng_range(r, 0.008, 0.012), rng_range(r, 0.01, 0.014), rng_range(r, 0.012, 0.018)));
    tac_model_add_body(&m, &b);
    if (parent == TAC_NONE) { return; }
    tac_joint_init(&j, kind, turned ? self : parent, turned ? parent : self);
    const d3 at = d3_make(0.15 * (self + parent), 0.1, 0.05);
    j.frame_a.q = j.frame_b.q = dq_to(rng_quat(r));
    j.frame_a.p = d3_to(d3_sub(at, d3_make(0.3 * j.body_a, 0, 0)));
    j.frame_b.p = d3_to(d3_sub(at, d3_make(0.3 * j.body_b, 0, 0)));
    if (kind == TAC_SCREW) { j.length = (tac_real)0.05; }
    if (kind == TAC_REVOLUTE && driven) {
        j.stiffness = (tac_real)(rng_below(r, 2) ? 50 : 0), j.damping = (tac_real)(rng_below(r, 2) ? 1 : 0);
        j.armature = (tac_real)(rng_below(r, 4) ? 0 : 0.05);
    }
    if (kind == TAC_REVOLUTE && driven && rng_below(r, 2)) {
        input.motor[input.motors] = (tac_motor){.joint = (uint16_t)m.joints, .kind = TAC_MOTOR_PD};
        input.motor[input.motors].stiffness = 100, input.motor[input.motors++].damping = (tac_real)rng_range(r, 0, 5);
    }
    tac_model_add_joint(&m, &j);
}

// Puts the start on the joints: the coordinates that it has, after others.
static void join(void)
{
    tac_state_get_coordinates(&m, &start, &w, position, rate);
    tac_state_init(&m, &way[0], NULL);
    tac_state_get_coordinates(&m, &way[0], &w, x, x + map.positions);
    tac_state_set_coordinates(&m, &start, x, x + map.positions, &w);
    tac_state_set_coordinates(&m, &start, position, rate, &w);
}

// A tree whose start is some steps old. A foot touches the ground or is about to.
static void world(rng *r, uint8_t law, uint8_t kind, double speed, int what)
{
    const uint32_t links = 2 + rng_below(r, 3), free = what != TREES || rng_below(r, 2);
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)(what == FEET ? 0.005 : 0.01);
    m.options.tolerance = 0, m.options.projection = 0;
    m.options.max_sweeps = 3000;
    m.options.friction = law;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    for (uint16_t i = 1; i <= links; i++) {
        static const uint8_t kinds[] = {TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SPHERICAL, TAC_SCREW,
                                        TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR,    TAC_FIXED};
        const uint16_t parent = free && i == 1 ? TAC_NONE : (uint16_t)(free + rng_below(r, i - free));
        link(r, kind == TAC_JOINT_KINDS ? kinds[rng_below(r, 8)] : kind, what == FEET && i > 1 ? i - 1 : parent,
             what != TREES || !free);
        const tac_shape foot = tac_shape_make(i, TAC_SPHERE, vec(0.05, 0.05, 0.05));
        if (what == FEET && (i == 1 || i == links)) { tac_model_add_shape(&m, &foot); }
    }
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    if (what == FEET) { tac_model_add_shape(&m, &ground); }
    begin_world(&m, &start);
    tac_model_get_coordinates(&m, &w, &map);
    n = 2u * map.velocities;
    for (uint32_t i = 0; i < n; i++) {
        const double most = i < n / 2 ? 0.5 : speed;
        x[i] = (tac_real)rng_range(r, -most, most);
    }
    tac_state_displace(&m, &start, x, &w);
    if (what == FEET) {
        tac_real low = d3_to(d3_make(0, 0, 9)).z;
        for (uint32_t i = 1; i <= links; i += links - 1) { low = start.pose[i].p.z < low ? start.pose[i].p.z : low; }
        for (uint32_t i = 0; i < n; i++) { x[i] = i == 2 ? (tac_real)0.0498 - low : 0; }
        tac_state_displace(&m, &start, x, &w);
    }
    for (uint32_t i = what == FEET ? 3 : rng_below(r, 50); i > 0; i--) { tac_step(&m, &start, &input, &w); }
    if (what == TREES && links == 3) {
        input.actions = 1;
        input.action[0] =
            (tac_action){vec(1, -2, 3), vec((tac_real)0.2, (tac_real)0.3, 0), vec(0, 0, 0), 3, TAC_WRENCH_WORLD};
    }
    join();
    tac_lcp_init(&q);
    y.A = A, y.B = B;
    y.room = (tac_linear_size){MOST, MOST, 0};
}

static uint32_t mode(void)
{
    uint32_t sum = w.report.contacts;
    for (uint32_t i = 0; i < w.report.contacts; i++) {
        sum = 8 * sum + 2 * w.contact[i].mode + (w.contact[i].impulse.x > 0);
    }
    return sum;
}

// d (so many steps) / d x of the start, and the state at their end.
static void chain(uint32_t steps, double to[MOST][MOST])
{
    const double e = 1e-4;
    for (uint32_t j = 0; j < n; j++) {
        uint32_t modes[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < n; i++) { x[i] = (tac_real)(i != j ? 0 : side ? e : -e); }
            way[side] = start;
            tac_state_displace(&m, &way[side], x, &w);
            for (uint32_t k = 0; k < steps; k++) {
                tac_step(&m, &way[side], &input, &w);
                modes[side] = 31 * modes[side] + mode();
            }
        }
        kinks += modes[0] != modes[1];
        tac_state_difference(&m, &way[0], &way[1], &w, x);
        for (uint32_t i = 0; i < n; i++) { to[i][j] = (double)x[i] / (2 * e); }
    }
    state = start;
    for (uint32_t k = 0; k < steps; k++) { tac_step(&m, &state, &input, &w); }
}

// The worst error of A times the chain, over the largest entry of its block; of dv+/dq less is all of it.
static double worst_chain(void)
{
    double error[4] = {0, 0, 0, 0}, size[4] = {0, 0, 0, 0}, worst = 0;
    for (uint32_t k = 0; k < n * n; k++) {
        const uint32_t i = k / n, j = k % n, block = (2 * i >= n ? 2u : 0u) + (2 * j >= n ? 1u : 0u);
        double sum = 0;
        for (uint32_t l = 0; l < n; l++) { sum += (double)A[i * n + l] * before[l][j]; }
        d_worst(&error[block], sum - after[i][j]);
        size[block] = d_max(size[block], d_abs(after[i][j]));
    }
    for (int b = 0; b < 4; b++) { worst = d_max(worst, size[b] > 1e-9 ? error[b] / size[b] : error[b]); }
    return worst;
}

// The worst error of B: an effort more of each joint with one coordinate, in the step from the same state.
static double worst_inputs(void)
{
    double worst = 0;
    for (uint16_t j = 0; j < m.joints; j++) {
        const uint8_t kind = m.joint[j].kind;
        const double e = 1e-3;
        static tac_input more;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC && kind != TAC_SCREW) { continue; }
        uint32_t modes[2], motor = 0;
        for (int side = 0; side < 2; side++) {
            more = input;
            for (motor = 0; motor < more.motors && more.motor[motor].joint != j;) { motor++; }
            if (motor == more.motors) { more.motor[more.motors++] = (tac_motor){.joint = j, .kind = TAC_MOTOR_EFFORT}; }
            more.motor[motor].effort += (tac_real)(side ? e : -e);
            way[side] = state;
            tac_step(&m, &way[side], &more, &w);
            modes[side] = mode();
        }
        tac_state_difference(&m, &way[0], &way[1], &w, x);
        const uint32_t column = map.joint[j].velocity - (n / 2 - y.size.u);
        double size = 0;
        for (uint32_t i = 0; i < n; i++) { size = d_max(size, d_abs((double)x[i]) / (2 * e)); }
        for (uint32_t i = 0; i < n && modes[0] == modes[1]; i++) {
            d_worst(&worst, ((double)B[i * y.size.u + column] - (double)x[i] / (2 * e)) / size);
        }
    }
    return worst;
}

// How many worlds have errors beyond `most` and FAR times what the derivative says of itself: a part of them at most.
#define FAR 500

static void test(uint8_t kind, double speed, int what, double most, double part, const char *name)
{
    uint32_t used = 0, far = 0, at = 0, others = 0, by_far = 0;
    double worst = 0, apart = 0;
    by = (parameters){.count = 0};
    for (uint32_t seed = 1; seed <= RUN(40, 8); seed++) {
        rng r = {seed};
        world(&r, seed % 2 ? TAC_FRICTION_EXACT : TAC_FRICTION_RELAXED, kind, speed, what);
        const uint32_t steps = 1 + rng_below(&r, CHAIN);
        kinks = 0;
        chain(steps + 1, after);
        chain(steps, before);
        y.next = &way[0];
        parameters_ask(&by, &m, &y);
        if (tac_derivative(&m, &state, &input, &w, &q, &y) < 0) { tap_ok(0, name); }
        way[1] = state;
        tac_step(&m, &way[1], &input, &w);
        others += tac_state_hash(&m, &way[0]) != tac_state_hash(&m, &way[1]);
        const double bound = most + FAR * (double)y.apart;
        by_far += parameters_compare(&by, &y, &m, &state, &input, &w, 1e-3, 1e-4) > bound;
        if (kinks > 0) { continue; }
        const double error = d_max(worst_chain(), worst_inputs()) / bound;
        used++;
        far += error > 1;
        at = error > worst ? seed : at;
        d_worst(&worst, error);
        d_worst(&apart, (double)y.apart);
    }
    tap_note("  worlds", used);
    tap_note("  worst seed", at);
    tap_note("  apart, 1e-9", (uint32_t)(1e9 * apart));
    tap_most(far, part * used, name);
    tap_note("  of parameters", by.columns);
    tap_note("  where nothing changes", by.still);
    tap_note("  with a kink", by.kinks);
    tap_most(by_far, part * RUN(40, 8), "  by parameters");
    tap_equal(others, 0, "  x+ has the bits of the step");
    tap_least(used, RUN(40, 8) / 2, "  most are compared");
}

int main(void)
{
    test(TAC_REVOLUTE, 1, TREES, 2e-5, 0, "hinges, with springs, dampers, rotors, motors on the ground");
    test(TAC_REVOLUTE, 10, TREES, 3e-5, 0, "that turn by 0.1 rad");
    test(TAC_REVOLUTE, 3, FLOATING, 2e-3, 0, "with these in the air");
    test(TAC_PRISMATIC, 3, TREES, 1e-5, 0, "sliders");
    test(TAC_SPHERICAL, 10, TREES, 2e-5, 0, "balls");
    test(TAC_UNIVERSAL, 3, TREES, 2e-5, 0, "universal joints");
    test(TAC_CYLINDRICAL, 3, TREES, 2e-5, 0, "cylindrical joints");
    test(TAC_PLANAR, 3, TREES, 2e-5, 0, "planar joints");
    test(TAC_JOINT_KINDS, 3, TREES, 2e-5, 0, "all kinds");
    test(TAC_JOINT_KINDS, 10, TREES, 1e-4, 0.05, "all kinds, by 0.1 rad");
    test(TAC_REVOLUTE, 0.3, FEET, 1e-2, 0.25, "feet");
    test(TAC_REVOLUTE, 3, FEET, 1e-2, 0.25, "feet that are fast");
    return tap_done();
}
