// SPDX-License-Identifier: MIT
// config: robots
// Events against closed forms: a ball that falls, bounces, is thrown along a slope; a box that slides to rest, is
// pushed, reverses; a corner of a tumbling body; limits of joints. What rests has none. Loads against momentum and
// energy.
#include "begin.h"
#include "bodies.h"
#include "truth.h"

enum { ROOM = 64 };

static tac_model m;
static tac_state s;
static tac_input in;
static tac_work w;
static tac_event list[ROOM];
static tac_events e;
static tac_loads loads;

static void world(double h, double friction, double restitution)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)friction, (tac_real)restitution);
    in = (tac_input){0};
}

static uint16_t add_ball(d3 at, d3 v, double radius)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.velocity.v = d3_to(v);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const tac_shape shape = tac_shape_make(body, TAC_SPHERE, vec(radius, 0, 0));
    tac_model_add_shape(&m, &shape);
    tac_model_mass_from_shapes(&m, body, 1000);
    return body;
}

static uint16_t add_box(d3 at, d3 v, d3 half)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.velocity.v = d3_to(v);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const tac_shape shape = tac_shape_make(body, TAC_BOX, d3_to(half));
    tac_model_add_shape(&m, &shape);
    tac_model_mass_from_shapes(&m, body, 1000);
    return body;
}

static void begin(void)
{
    begin_world(&m, &s);
    truth_fill(&e, sizeof e, 0xff);
    tap_equal(tac_events_begin(&m, &s, list, ROOM, &e), TAC_OK, "events begin");
}

static void run(uint32_t steps)
{
    int bad = 0;
    for (uint32_t k = 0; k < steps; k++) {
        bad += tac_step(&m, &s, &in, &w) < 0;
        bad += tac_events_step(&m, &s, &w, &e) != TAC_OK;
    }
    tap_equal(bad, 0, "all steps and comparisons are made");
}

static double when(uint32_t i)
{
    return i < e.count ? (double)m.h * (double)list[i].step + (double)list[i].time : -1;
}

static void kinds(uint32_t count, const uint16_t *kind, const char *name)
{
    int same = e.count == count;
    for (uint32_t i = 0; i < count && i < e.count; i++) { same &= list[i].kind == kind[i]; }
    tap_ok(same, name);
    for (uint32_t i = 0; !same && i < e.count; i++) { tap_note(tap_numbered("got ", when(i)), list[i].kind); }
}

static void test_ball(void)
{
    const uint16_t touch[] = {TAC_EVENT_TOUCH};
    for (int k = 0; k < 5; k++) {
        const double z = 0.1 + 0.3 * k, v = -0.7 * k, g = 9.81;
        world(0.01, 0.5, 0);
        add_floor(&m);
        add_ball(d3_make(0, 0, 0.05 + z), d3_make(0, 0, v), 0.05);
        begin();
        run(80);
        kinds(1, touch, "a ball that falls touches once, and rests");
        tap_near(when(0), (v + d_sqrt(v * v + 2 * g * z)) / g, TOL(1e-9, 2e-6), "at the root of its parabola");
    }
}

static void test_bounce(void)
{
    enum { BOUNCES = 4 };
    const double g = 9.81, drop = 0.4, q = 0.7;
    world(0.01, 0, q);
    m.options.bounce = (tac_real)0.05;
    add_floor(&m);
    add_ball(d3_make(0, 0, 0.05 + drop), d3_make(0, 0, 0), 0.05);
    begin();
    run(160);
    double t = d_sqrt(2 * drop / g), v = g * t, far = 0, apart = 0;
    int order = e.count >= 2 * BOUNCES;
    for (uint32_t i = 0; i < BOUNCES; i++) {
        order &= list[2 * i].kind == TAC_EVENT_TOUCH && list[2 * i + 1].kind == TAC_EVENT_OPEN;
        d_worst(&far, when(2 * i) - t);
        d_worst(&apart, when(2 * i + 1) - when(2 * i));
        v *= q;
        t += 2 * v / g;
    }
    tap_ok(order, "each bounce is a touch and an opening");
    tap_most(far, TOL(1e-8, 2e-5), "at the times of the closed form");
    tap_most(apart, TOL(1e-8, 2e-5), "opening as it touches");
    tap_equal(e.count % 2, 1, "in the end it touches and rests");
}

static void test_slide(void)
{
    const uint16_t slides[] = {TAC_EVENT_TOUCH, TAC_EVENT_SLIP, TAC_EVENT_STICK};
    const double g = 9.81, mu = 0.3, v = 1.234;
    world(0.01, mu, 0);
    add_floor(&m);
    add_box(d3_make(0, 0, 0.05), d3_make(v, 0, 0), d3_make(0.1, 0.1, 0.05));
    begin();
    run(80);
    kinds(3, slides, "a box that slides touches, slips, and sticks");
    tap_near(when(2), v / (mu * g), TOL(1e-6, 1e-4), "it stops when friction has taken its speed");

    // pushed by a growing force against its motion, it reverses
    const uint16_t reverses[] = {TAC_EVENT_TOUCH, TAC_EVENT_SLIP, TAC_EVENT_STICK, TAC_EVENT_SLIP};
    world(0.01, mu, 0);
    add_floor(&m);
    const uint16_t box = add_box(d3_make(0, 0, 0.05), d3_make(v, 0, 0), d3_make(0.1, 0.1, 0.05));
    in.actions = 1;
    in.action[0] = (tac_action){.linear = vec(-8 * (double)m.body[box].mass, 0, 0), .body = box};
    begin();
    run(40);
    kinds(4, reverses, "one that is pushed back slips, stops, and slips back");
    tap_near(when(2), v / (mu * g + 8), TOL(1e-6, 1e-4), "when its slip is zero");
    tap_near(when(3), when(2), 0, "and slips back at once");
}

static void test_push(void)
{
    const uint16_t pushed[] = {TAC_EVENT_TOUCH, TAC_EVENT_SLIP};
    const double mu = 0.3;
    world(0.01, mu, 0);
    add_floor(&m);
    const uint16_t box = add_box(d3_make(0, 0, 0.05), d3_make(0, 0, 0), d3_make(0.1, 0.1, 0.05));
    begin();
    run(10);
    in.actions = 1;
    in.action[0] = (tac_action){.linear = vec(0.9 * mu * 9.81 * (double)m.body[box].mass, 0, 0), .body = box};
    run(10);
    tap_equal(e.count, 1, "less than friction moves nothing");
    in.action[0].linear.x = (tac_real)(1.1 * mu * 9.81 * (double)m.body[box].mass);
    run(10);
    kinds(2, pushed, "more than friction begins slip");
    tap_near(when(1), 0.2, TOL(1e-12, 1e-6), "in the step that has this force");
}

// A kinematic body that the input sets moving in this step has its new velocity at once.
static void test_led(void)
{
    world(0.01, 0, 0);
    m.gravity = vec(0, 0, 0);
    add_ball(d3_make(0, 0, 0), d3_make(0, 0, 0), 0.05);
    const tac_body plate = tac_body_make(TAC_KINEMATIC, vec(0.0563, 0, 0));
    tac_model_add_body(&m, &plate);
    const tac_shape box = tac_shape_make(2, TAC_BOX, vec(0.002, 0.1, 0.1));
    tac_model_add_shape(&m, &box);
    begin();
    run(3);
    in.actions = 1;
    in.action[0] = (tac_action){.linear = vec(-1, 0, 0), .body = 2, .kind = TAC_VELOCITY};
    run(1);
    tap_equal(e.count, 1, "the plate meets the ball");
    tap_near(when(0), 0.03 + 0.0043, TOL(1e-9, 1e-6), "after its gap over its speed");
}

// A corner of a cube that turns about a horizontal axis falls on the floor. The truth: its height, every 10 us.
static void test_corner(void)
{
    const double g = 9.81, half = 0.05, far = 0.05 * 1.41421356237309504880;
    double worst = 0;
    for (int k = 0; k < 20; k++) {
        const double rate = 2 + 0.7 * k, z = 0.1 + 0.02 * k, v = 0.5;
        world(0.01, 0, 0);
        add_floor(&m);
        add_box(d3_make(0, 0, z), d3_make(0, 0, v), d3_make(half, half, half));
        m.body[1].velocity.w = vec(0, rate, 0);
        begin();
        run(60);
        double t = 0;
        for (double high = 0; t < 0.6; t += 1e-5) { // down to where a corner is below
            high = 1;
            for (int c = 0; c < 4; c++) {
                const double angle = TRUTH_PI / 4 + c * TRUTH_PI / 2 + rate * t;
                high = d_min(high, z + v * t - g * t * t / 2 + far * d_sin(angle));
            }
            if (high <= 0) { break; }
        }
        const double speed = g * t - v, bend = (0.01 * rate) * (0.01 * rate) * far / 2;
        worst = d_max(worst, d_abs(e.count > 0 ? when(0) - t : 1) / (bend / speed + 2e-5));
    }
    tap_most(worst, 1, "corners touch when they reach the floor, but for the bend of their arcs in the step");
}

static void test_limit(void)
{
    const uint16_t both[] = {TAC_EVENT_REACH, TAC_EVENT_LEAVE};
    world(0.01, 0, 0);
    m.gravity = vec(0, 0, 0);
    const tac_body sled = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    tac_model_add_body(&m, &sled);
    tac_joint j;
    tac_joint_init(&j, TAC_PRISMATIC, 0, 1);
    j.lower = -1, j.upper = (tac_real)0.0537;
    tac_model_add_joint(&m, &j);
    m.body[1].velocity.v = vec(0, 0, 1);
    begin();
    run(8);
    in.motors = 1;
    in.motor[0] = (tac_motor){.effort = -2, .kind = TAC_MOTOR_EFFORT};
    run(5);
    kinds(2, both, "a joint reaches its limit and leaves it");
    tap_near(when(0), 0.0537, TOL(1e-12, 1e-6), "when it has come as far");
    tap_near(when(1), 0.08, TOL(1e-9, 1e-5), "in the step that draws it back");
    tap_equal(list[0].upper, 1, "the upper one");
    tap_equal(list[0].shape_a, TAC_NONE, "which is no pair of shapes");
}

static void test_rest(void)
{
    world(0.001, 0.5, 0.3);
    add_floor(&m);
    for (int k = 0; k < 5; k++) { add_box(d3_make(0, 0, 0.05 + 0.1 * k), d3_make(0, 0, 0), d3_make(0.1, 0.1, 0.05)); }
    begin();
    run(1000);
    tap_equal(e.count, 5, "a stack has no events but the touches of its first step");
    tap_equal(e.dropped, 0, "none is dropped");
}

static void test_dropped(void)
{
    world(0.01, 0.5, 0.8);
    add_floor(&m);
    for (int k = 0; k < 8; k++) { add_ball(d3_make(k, 0, 0.2 + 0.05 * k), d3_make(0, 0, 0), 0.05); }
    begin();
    e.room = 3;
    int full = 0;
    for (int k = 0; k < 60; k++) {
        tac_step(&m, &s, NULL, &w);
        full += tac_events_step(&m, &s, &w, &e) == TAC_FULL;
    }
    tap_equal(e.count, 3, "a list takes what it has room for");
    tap_least(e.dropped, 13, "and the others are counted");
    tap_least(full, 3, "which the call says");
}

// A body that is thrown: what its weight has not done, contacts have. `slack`: of the energy; free rotation of unequal
// moments turns the momentum that an impulse has given within its step.
static void throw(d3 half, double slack, const char *name)
{
    world(0.005, 0.4, 0.5);
    add_floor(&m);
    const uint16_t box = add_box(d3_make(0, 0, 0.4), d3_make(1, 0.5, 0), half);
    m.body[box].velocity.w = vec(3, -2, 5);
    begin_world(&m, &s);
    truth_fill(&loads, sizeof loads, 0);
    tac_real before, after, ignored;
    tac_vec3 start, end;
    tac_energy(&m, &s, &before, &ignored);
    tac_momentum(&m, &s, &start, NULL);
    double fell = 0, peak = 0;
    for (int k = 0; k < 200; k++) {
        const double v = (double)s.twist[1].v.z;
        tac_step(&m, &s, NULL, &w);
        tac_loads_step(&m, &s, &w, &loads);
        fell -= 9.81 * (double)m.h * 0.5 * (v + (double)s.twist[1].v.z) * (double)m.body[1].mass;
        tac_wrench force;
        tac_body_force(&m, &w, 1, vec(0, 0, 0), &force);
        peak = d_max(peak, d3_norm(d3_of(force.force)));
    }
    tac_energy(&m, &s, &after, &ignored);
    tac_momentum(&m, &s, &end, NULL);
    const double mass = (double)m.body[1].mass, pull = 9.81 * mass;
    const tac_load *on = &loads.shape[1], *floor = &loads.shape[0];
    tap_near(on->work, (double)after - (double)before - fell, slack * d_abs(fell), name);
    tap_near(on->impulse.z, (double)end.z - (double)start.z + pull, TOL(1e-10, 1e-4) * pull, "the impulse likewise");
    tap_near(on->impulse.x, (double)end.x - (double)start.x, TOL(1e-10, 1e-4) * pull, "and along the floor");
    tap_near(floor->impulse.z, -(double)on->impulse.z, TOL(1e-10, 1e-4) * pull, "the floor has the opposite");
    tap_near(on->peak, peak, TOL(1e-12, 1e-5) * peak, "the greatest force is that of a step");
    tap_near(floor->work, 0, 0, "nothing works on the floor");
    tap_ok(on->time > 0 && (double)on->time < 1.0, "it bore a force in some of the steps");
}

static void test_loads(void)
{
    throw(d3_make(0.08, 0.08, 0.08), TOL(1e-12, 1e-5), "a cube: the work of contacts is what weight has not done");
    throw(d3_make(0.1, 0.07, 0.05), 2e-3, "a brick: but for its free rotation");
}

static void test_refused(void)
{
    world(0.01, 0.5, 0);
    add_floor(&m);
    add_ball(d3_make(0, 0, 0.1), d3_make(0, 0, 0), 0.05);
    begin();
    run(2);
    static tac_events kept;
    static tac_loads none;
    truth_copy(&kept, &e, sizeof e);
    tap_equal(tac_events_step(&m, &s, &w, &e), TAC_E_ORDER, "a step counts once");
    tac_step(&m, &s, NULL, &w);
    tac_step(&m, &s, NULL, &w);
    tap_equal(tac_events_step(&m, &s, &w, &e), TAC_E_ORDER, "none may be missing");
    tac_real q[TAC_MAX_POSITIONS], rate[TAC_MAX_VELOCITIES];
    e.step = s.step - 1;
    kept.step = e.step;
    tac_state_get_coordinates(&m, &s, &w, q, rate);
    tap_equal(tac_events_step(&m, &s, &w, &e), TAC_E_ORDER, "nor the work area used otherwise");
    tap_equal(tac_loads_step(&m, &s, &w, &none), TAC_E_ORDER, "for loads too");
    tap_ok(truth_equal(&kept, &e, sizeof e), "a refusal changes nothing");
    tap_equal(tac_events_begin(&m, &s, NULL, 1, &e), TAC_E_ARG, "a list of nothing with room");
    tap_equal(tac_events_begin(NULL, &s, list, 1, &e), TAC_E_ARG, "no model");
    tap_equal(tac_events_begin(&m, NULL, list, 1, &e), TAC_E_ARG, "no state");
    tap_equal(tac_events_begin(&m, &s, list, 1, NULL), TAC_E_ARG, "no events");
    tap_equal(tac_events_step(&m, &s, NULL, &e), TAC_E_ARG, "no work area");
    tap_equal(tac_loads_step(&m, &s, &w, NULL), TAC_E_ARG, "no loads");
    s.twist[1].v.x = real_nan();
    tap_equal(tac_events_begin(&m, &s, list, 1, &e), TAC_E_NAN, "a state that is not finite");
    s.twist[1].v.x = 0;
    s.warm_count = 1;
    s.warm[0] = (tac_warm){.id = {0, 7, 0}};
    tap_equal(tac_events_begin(&m, &s, list, 1, &e), TAC_E_ARG, "an impulse of a shape that does not exist");
    s.warm_count = 0;
    s.model_hash++;
    tap_equal(tac_events_begin(&m, &s, list, 1, &e), TAC_E_MODEL, "a state of another model");
}

int main(void)
{
    test_ball();
    test_bounce();
    test_slide();
    test_push();
    test_led();
    test_corner();
    test_limit();
    test_rest();
    test_dropped();
    test_loads();
    test_refused();
    return tap_done();
}
