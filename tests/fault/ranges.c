// SPDX-License-Identifier: MIT
// The ranges of ranges.h: what lies on their ends is accepted, what is just outside is refused by name; where a step
// would leave them the last good state stays; scenes far apart in size lie inside and pass every check.
// config: robots
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state state, kept;
static tac_work w;
static tac_input input;

#define REAL_AT(field) offsetof(tac_model, field)
#define BEYOND ((tac_real)1.0001)

static void moments(tac_real i)
{
    m.body[1].inertia = (tac_vec3){i, i, i};
}

// A ball on a floor, a hinge to the ground, terrain and a mesh out of the way.
static void world(void)
{
    const tac_height samples[4] = {0, 1, 1, 0};
    const tac_vec3 corners[3] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0)};
    const uint16_t triangle[1][3] = {{0, 1, 2}};
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const tac_body ball = tac_body_make(TAC_DYNAMIC, vec(0, 0, 1));
    tac_model_add_body(&m, &ball);
    const tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0)),
                    sphere = tac_shape_make(1, TAC_SPHERE, vec(1, 0, 0));
    tac_model_add_shape(&m, &floor);
    tac_model_add_shape(&m, &sphere);
    tac_model_add_height_field(&m, samples, 2, 2, 1, 1, 1);
    tac_model_add_mesh(&m, corners, 3, triangle, 1);
    tac_joint hinge;
    tac_joint_init(&hinge, TAC_REVOLUTE, 0, 1);
    hinge.frame_a.p.z = 1;
    tac_model_add_joint(&m, &hinge);
}

// ------------------------------------------------------------------------------------------------------------ a model

typedef struct range {
    const char *name;
    size_t at;          // of the number in the model
    double least, most; // least 0: it may have either sign, or be 0
    uint16_t field, index;
} range;

static const range ranges[] = {
    {"h", REAL_AT(h), (double)TAC_LEAST_STEP, (double)TAC_MOST_STEP, TAC_FIELD_H, 0},
    {"gravity", REAL_AT(gravity.y), 0, (double)TAC_MOST_ACCELERATION, TAC_FIELD_GRAVITY, 0},
    {"recovery", REAL_AT(options.recovery), 0, (double)TAC_MOST_SPEED, TAC_FIELD_RECOVERY, 0},
    {"margin", REAL_AT(options.margin), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_MARGIN, 0},
    {"bounce", REAL_AT(options.bounce), 0, (double)TAC_MOST_SPEED, TAC_FIELD_BOUNCE, 0},
    {"mass", REAL_AT(body[1].mass), (double)TAC_LEAST_MASS, (double)TAC_MOST_MASS, TAC_FIELD_MASS, 1},
    {"place", REAL_AT(body[1].pose.p.x), 0, (double)TAC_MOST_POSITION, TAC_FIELD_POSE, 1},
    {"velocity", REAL_AT(body[1].velocity.v.y), 0, (double)TAC_MOST_SPEED, TAC_FIELD_VELOCITY, 1},
    {"rate", REAL_AT(body[1].velocity.w.z), 0, (double)TAC_MOST_SPEED, TAC_FIELD_VELOCITY, 1},
    {"centre of mass", REAL_AT(body[1].inertial.p.y), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_INERTIAL, 1},
    {"shape's place", REAL_AT(shape[1].pose.p.x), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_SHAPE_POSE, 1},
    {"size", REAL_AT(shape[1].size.x), (double)TAC_LEAST_LENGTH, (double)TAC_MOST_LENGTH, TAC_FIELD_SIZE, 1},
    {"rounding", REAL_AT(shape[1].rounding), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_ROUNDING, 1},
    {"joint's place", REAL_AT(joint[0].frame_b.p.x), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_JOINT_FRAME, 0},
    {"length", REAL_AT(joint[0].length), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_JOINT_LENGTH, 0},
    {"friction", REAL_AT(joint[0].friction), 0, (double)TAC_MOST_FORCE, TAC_FIELD_JOINT_FRICTION, 0},
    {"damping", REAL_AT(joint[0].damping), 0, (double)TAC_MOST_FORCE, TAC_FIELD_JOINT_DAMPING, 0},
    {"stiffness", REAL_AT(joint[0].stiffness), 0, (double)TAC_MOST_FORCE, TAC_FIELD_JOINT_STIFFNESS, 0},
    {"rest", REAL_AT(joint[0].rest), 0, (double)TAC_MOST_POSITION, TAC_FIELD_JOINT_REST, 0},
    {"armature", REAL_AT(joint[0].armature), 0, (double)TAC_MOST_INERTIA, TAC_FIELD_JOINT_ARMATURE, 0},
    {"effort", REAL_AT(joint[0].effort), 0, (double)TAC_MOST_FORCE, TAC_FIELD_JOINT_EFFORT, 0},
    {"speed", REAL_AT(joint[0].speed), 0, (double)TAC_MOST_SPEED, TAC_FIELD_JOINT_SPEED, 0},
    {"terrain's step", REAL_AT(field[0].dx), (double)TAC_LEAST_LENGTH, (double)TAC_MOST_LENGTH / 2,
     TAC_FIELD_HEIGHT_FIELD, 0},
    {"terrain's highest", REAL_AT(field[0].high), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_HEIGHT_FIELD, 0},
    {"mesh's bounds", REAL_AT(polyhedron[0].high.z), 0, (double)TAC_MOST_LENGTH, TAC_FIELD_POLYHEDRON, 0},
};

static tac_status checked(const range *r, tac_real value, tac_fault *fault)
{
    world();
    moments(TAC_MOST_INERTIA); // the farther out or the heavier, the more inertia it takes
    if (r->field == TAC_FIELD_JOINT_LENGTH) { m.joint[0].kind = TAC_SCREW; }
    tac_real *number = (void *)((char *)&m + r->at);
    *number = value;
    return tac_model_check(&m, fault);
}

static void test_model(void)
{
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const range *r = &ranges[i];
        tac_fault fault;
        const tac_real most = (tac_real)r->most, least = (tac_real)r->least;
        tap_equal(checked(r, most, &fault), TAC_OK, tap_joined("the most:", r->name));
        tap_equal(checked(r, most * BEYOND, &fault), TAC_E_MODEL, tap_joined("more:", r->name));
        tap_ok(fault.field == r->field && fault.index == r->index && fault.reason == TAC_REASON_RANGE,
               tap_joined("named:", r->name));
        tap_equal(checked(r, real_nan(), &fault), TAC_E_NAN, tap_joined("no number:", r->name));
        if (!(r->least > 0)) { continue; }
        tap_equal(checked(r, least, &fault), TAC_OK, tap_joined("the least:", r->name));
        tap_equal(checked(r, least / BEYOND, &fault), TAC_E_MODEL, tap_joined("less:", r->name));
        tap_ok(fault.field == r->field && fault.index == r->index && fault.reason == TAC_REASON_RANGE,
               tap_joined("named:", r->name));
    }
    world();
    m.joint[0].effort = m.joint[0].speed =
        TAC_REAL_BITS == 32 ? (tac_real)3.4028234663852886e38 : (tac_real)1.7976931348623157e308;
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "a motor without bounds has the largest number");
}

static void test_inertia(void)
{
    tac_fault fault;
    world();
    m.shape[1].size.x = TAC_LEAST_LENGTH;
    m.body[1].mass = TAC_LEAST_MASS;
    m.body[1].pose.p.z = 0;
    moments(TAC_LEAST_INERTIA);
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "the least inertia, of the least ball");
    moments(TAC_LEAST_INERTIA / BEYOND);
    tap_equal(tac_model_check(&m, &fault), TAC_E_MODEL, "less");
    tap_ok(fault.field == TAC_FIELD_INERTIA && fault.index == 1 && fault.reason == TAC_REASON_RANGE, "named");
    moments(TAC_MOST_INERTIA * BEYOND);
    tap_equal(tac_model_check(&m, &fault), TAC_E_MODEL, "more than the most");

    // 1/m + reach^2/I: the least mass, reach 1
    world();
    m.body[1].mass = TAC_LEAST_MASS;
    const tac_real alone = 1 / TAC_LEAST_MASS / TAC_MOST_MOBILITY; // the part that 1/m has of it
    moments(1 / TAC_MOST_MOBILITY / (1 - alone) * BEYOND);
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "as easily moved as may be, at the surface");
    moments(1 / TAC_MOST_MOBILITY / BEYOND);
    tap_equal(tac_model_check(&m, &fault), TAC_E_MODEL, "more easily");
    tap_ok(fault.field == TAC_FIELD_INERTIA && fault.index == 1 && fault.reason == TAC_REASON_RANGE, "named");
}

static void refused_inertia(const char *name)
{
    tac_fault fault;
    tap_equal(tac_model_check(&m, &fault), TAC_E_MODEL, name);
    tap_ok(fault.field == TAC_FIELD_INERTIA && fault.index == 1 && fault.reason == TAC_REASON_RANGE, "named");
}

// What rounding would hide: the least of three moments, the mass of a body at a point far from its centre.
static void test_ratio(void)
{
    world();
    m.joints = 0;
    m.body[1].inertia = (tac_vec3){4 / TAC_MOST_RATIO * BEYOND, 1, 1};
    m.shape[1].size.x = (tac_real)0.1;
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "a needle as thin as may be");
    m.body[1].inertia.x = 4 / TAC_MOST_RATIO / BEYOND;
    refused_inertia("a thinner one");
    world();
    m.joints = 0;
    moments(1 / TAC_MOST_RATIO * BEYOND);
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "a surface as far from the centre as may be");
    moments(1 / TAC_MOST_RATIO / BEYOND);
    refused_inertia("farther");
    world();
    m.shape[1].size.x = TAC_LEAST_LENGTH;
    m.joint[0].frame_b.p.y = 1;
    moments(1 / TAC_MOST_RATIO / BEYOND);
    refused_inertia("the same at a joint");
}

// ------------------------------------------------------------------------------------------------------------ builders

static tac_real decade(int k)
{
    tac_real x = 1;
    for (int i = 0; i < k; i++) { x *= 10; }
    for (int i = 0; i > k; i--) { x *= (tac_real)0.1; }
    return x;
}

// One of: a hull and a mesh of this size, far out, a height field with this spacing, scale or sample.
static int32_t built(int what, tac_real x)
{
    static const uint16_t triangle[1][3] = {{0, 1, 2}};
    const tac_real out = what == 2 ? x : 0, size = what == 2 ? 1 : x;
    tac_vec3 corner[4] = {{out, 0, 0}, {out, 0, 0}, {out, 0, 0}, {out, 0, 0}};
    const tac_height step[4] = {0, 1, 1, 0};
    corner[1].x += size, corner[2].y += size, corner[3].z += size;
    tac_model_init(&m);
    if (what == 0) { return tac_model_add_hull(&m, corner, 4); }
    if (what < 3) { return tac_model_add_mesh(&m, corner, 3, triangle, 1); }
    return tac_model_add_height_field(&m, step, 2, 2, what == 3 ? x : 1, what == 4 ? x : 1, what == 5 ? x : 1);
}

// What a builder takes the check takes too, and what it refuses changes nothing.
static void test_builders(void)
{
    int accord = 1, untouched = 1, taken = 0, refused = 0;
    static tac_model empty;
    tac_model_init(&empty);
    for (int what = 0; what < 6; what++) {
        for (int k = TOL(-305, -37); k <= TOL(305, 37); k++) {
            const int added = built(what, decade(k)) >= 0;
            accord &= !added || tac_model_check(&m, NULL) == TAC_OK;
            untouched &= added || truth_equal(&m, &empty, sizeof m);
            taken += added, refused += !added;
        }
        tap_least(built(what, 1), 0, tap_numbered("a builder takes what is legal:", what));
        tap_equal(built(what, real_nan()), TAC_E_ARG, "not what is no number");
    }
    tap_ok(accord, "what a builder takes is legal");
    tap_ok(untouched, "what it refuses leaves nothing behind");
    tap_least(taken, 6 * 10, "some are taken");
    tap_least(refused, 6 * 10, "and some refused");
}

// ------------------------------------------------------------------------------------------------- a state, an input

static void refused(tac_status status, uint16_t field, uint16_t index, const char *name)
{
    kept = state;
    tap_equal(tac_step(&m, &state, &input, &w), status, tap_joined("status:", name));
    const tac_fault *f = &w.report.fault;
    tap_ok(f->field == field && f->index == index && f->reason == TAC_REASON_RANGE, tap_joined("named:", name));
    tap_ok(truth_equal(&state, &kept, sizeof state), tap_joined("nothing changed:", name));
}

static void begin(void)
{
    world();
    m.joints = 0;
    begin_world(&m, &state);
    input.actions = 0;
    input.motors = 0;
}

static void test_place(void)
{
    begin();
    moments(TAC_MOST_INERTIA);
    begin_world(&m, &state);
    tac_pose at = state.pose[1];
    tac_twist twist = state.twist[1];
    at.p.x = TAC_MOST_POSITION;
    twist.v.y = TAC_MOST_SPEED;
    tap_equal(tac_state_set_body(&m, &state, 1, at, twist), TAC_OK, "a body may be placed at the end of both ranges");
    kept = state;
    at.p.x = TAC_MOST_POSITION * BEYOND;
    tap_equal(tac_state_set_body(&m, &state, 1, at, twist), TAC_E_ARG, "not beyond that of places");
    at.p.x = 0;
    twist.w.z = TAC_MOST_SPEED * BEYOND;
    tap_equal(tac_state_set_body(&m, &state, 1, at, twist), TAC_E_ARG, "nor that of rates");
    tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed");
    state.pose[1].p.z = TAC_MOST_POSITION * BEYOND;
    refused(TAC_E_ARG, TAC_FIELD_POSE, 1, "a place that something else has written");
    begin();
    state.twist[1].v.x = TAC_MOST_SPEED * BEYOND;
    refused(TAC_E_ARG, TAC_FIELD_VELOCITY, 1, "a velocity that something else has written");
}

static void act(double force, double point)
{
    begin();
    input.actions = 1;
    input.action[0] = (tac_action){vec(force, 0, 0), vec(0, 0, 0), vec(0, 0, point), 1, TAC_WRENCH_WORLD};
}

static void test_input(void)
{
    act((double)(TAC_MOST_FORCE * BEYOND), 0);
    refused(TAC_E_ARG, TAC_FIELD_ACTION_LINEAR, 0, "a force");
    act(1, (double)(TAC_MOST_LENGTH * BEYOND));
    refused(TAC_E_ARG, TAC_FIELD_ACTION_POINT, 0, "its lever");
    act(1e-6, (double)TAC_MOST_LENGTH);
    m.body[1].inertia = vec(1e21, 1e21, 1e21);
    begin_world(&m, &state);
    tap_least(tac_step(&m, &state, &input, &w), 0, "the longest lever is fine");
    act((double)TAC_MOST_FORCE, 0);
    refused(TAC_E_NAN, TAC_FIELD_VELOCITY, 1, "what makes a body too fast");

    world();
    begin_world(&m, &state);
    input.actions = 0;
    input.motors = 1;
    for (int i = 0; i < 4; i++) {
        input.motor[0] = (tac_motor){0, 0, 0, 0, 0, 0, TAC_MOTOR_PD};
        tac_real *fields[4] = {&input.motor[0].position, &input.motor[0].velocity, &input.motor[0].stiffness,
                               &input.motor[0].damping};
        const tac_real most[4] = {TAC_MOST_POSITION, TAC_MOST_SPEED, TAC_MOST_FORCE, TAC_MOST_FORCE};
        const uint16_t of[4] = {TAC_FIELD_MOTOR_POSITION, TAC_FIELD_MOTOR_VELOCITY, TAC_FIELD_MOTOR_STIFFNESS,
                                TAC_FIELD_MOTOR_DAMPING};
        *fields[i] = most[i] * BEYOND;
        refused(TAC_E_ARG, of[i], 0, tap_numbered("field of a motor", i));
    }
}

// A body is nowhere where the rounding of its position is more than its radius of gyration: not in a model, not where
// it is placed, not in a state, not after a step.
static void test_far(void)
{
    const double epsilon = TOL(2.220446049250313e-16, 1.1920928955078125e-7), most = 1.7320508 / epsilon; // I = m = 1
    tac_fault fault;
    begin();
    tac_pose at = state.pose[1];
    at.p.x = (tac_real)(0.999 * most);
    tap_equal(tac_state_set_body(&m, &state, 1, at, state.twist[1]), TAC_OK, "as far out as its size allows");
    tap_least(tac_step(&m, &state, &input, &w), 0, "it is stepped there");
    kept = state;
    at.p.x = (tac_real)(1.001 * most);
    tap_equal(tac_state_set_body(&m, &state, 1, at, state.twist[1]), TAC_E_ARG, "not farther");
    tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed");
    state.pose[1].p.x = at.p.x;
    refused(TAC_E_ARG, TAC_FIELD_POSE, 1, "a place that something else has written");
    state.pose[1].p.x = (tac_real)(0.9999 * most);
    state.twist[1].v.x = TAC_MOST_SPEED;
    m.h = TAC_MOST_STEP;
    tac_model_seal(&m, NULL);
    state.model_hash = m.hash;
    refused(TAC_E_NAN, TAC_FIELD_POSE, 1, "a place that the step would lead to");
    begin();
    m.body[1].pose.p.x = at.p.x;
    tap_equal(tac_model_check(&m, &fault), TAC_E_MODEL, "nor in the model");
    tap_ok(fault.field == TAC_FIELD_POSE && fault.index == 1 && fault.reason == TAC_REASON_RANGE, "named");
    m.body[1].kind = TAC_KINEMATIC;
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "a led body has no inertia to go by");
}

// A body that falls for ever comes to the end of the range, and stays before it.
static void test_fall(void)
{
    begin();
    m.shapes = 0;
    m.gravity.z = (tac_real)TOL(-1e14, -1e5);
    m.h = 1;
    begin_world(&m, &state);
    int steps = 0;
    while (steps < 100 && tac_step(&m, &state, NULL, &w) >= 0) { steps++; }
    tap_ok(steps >= 1 && steps < 100, "it is refused in the end");
    tap_equal(w.report.status, TAC_E_NAN, "as a result");
    tap_ok(w.report.fault.reason == TAC_REASON_RANGE && w.report.fault.index == 1, "that leaves its range");
    tap_equal(tac_check(&m, &state, NULL, NULL), TAC_OK, "the last state is a good one");
}

// A body far from terrain that is turned: what its place is divided by must not become an index.
static void test_terrain(void)
{
    static const double far[] = {1e9,
                                 (double)TAC_MOST_POSITION,
                                 TOL(1e80, 1e10),
                                 TOL(1e100, 1e18),
                                 TOL(1e150, 1e19),
                                 TOL(1e200, 1e30),
                                 TOL(1e300, 3e38)};
    int good = 1;
    tac_nearest nearest;
    tac_hit hit;
    world();
    m.joints = 0;
    tac_shape terrain = tac_shape_make(0, TAC_HEIGHT_FIELD, vec(0, 0, 0));
    terrain.pose.q = (tac_quat){(tac_real)0.6, (tac_real)0.8, 0, 0};
    moments(TAC_MOST_INERTIA);
    tac_model_add_shape(&m, &terrain);
    begin_world(&m, &state);
    for (unsigned i = 0; i < sizeof far / sizeof far[0]; i++) {
        const tac_vec3 at = vec(0, far[i], -far[i]);
        const int within = i < 2;
        state.pose[1].p = at;
        good &= tac_distance(&m, &state, 0, 1, &w, &nearest) == (within ? TAC_OK : TAC_E_NAN);
        const tac_ray ray = {at, vec(0, -1, 1), 1, 1, TAC_NONE, 1, UINT16_MAX};
        good &= tac_cast(&m, &state, &ray, &w, &hit) == (within ? TAC_OK : TAC_E_ARG);
        good &= tac_step(&m, &state, NULL, &w) == TAC_E_ARG || within;
        m.body[1].pose.p = at;
        good &= tac_model_check(&m, NULL) == (within ? TAC_OK : TAC_E_MODEL);
        m.body[1].pose.p = vec(0, 0, 1);
    }
    tap_ok(good, "far from a turned terrain: an answer, or refused");
}

// ------------------------------------------------------------------------------------------------------------- scales

// Balls and boxes of these sizes and masses, thrown onto a floor that is rough: forces from large to next to nothing.
static void test_scale(double size, double mass, const char *name)
{
    rng r = {21};
    int bad = 0, met = 0;
    tac_model_init(&m);
    m.gravity.z = (tac_real)(-9.81 * size); // falls as far in a step as one of 1 m
    tac_model_add_material(&m, (tac_real)0.7, 0);
    const tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &floor);
    for (uint16_t i = 1; i <= 6; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(3 * i * size, 0, 1.2 * size));
        const double part = i % 2 ? 1 : 1e-3, moment = 0.4 * part * mass * size * size;
        b.mass = (tac_real)(part * mass);
        b.inertia = vec(moment, moment, moment);
        b.velocity.v = d3_to(d3_scale(size, rng_box(&r, 1)));
        b.velocity.w = d3_to(rng_box(&r, 1));
        tac_model_add_body(&m, &b);
        const tac_shape s = tac_shape_make(i, i % 3 ? TAC_SPHERE : TAC_BOX, vec(size, 0.7 * size, 0.8 * size));
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
    for (int k = 0; k < RUN(2000, 300); k++) {
        bad += tac_step(&m, &state, NULL, &w) < 0 || tac_check(&m, &state, &w, NULL) != TAC_OK;
        met += w.report.contacts;
    }
    tap_equal(bad, 0, tap_joined("every step passes its check:", name));
    tap_least(met, 100, tap_joined("and there are contacts:", name));
}

int main(void)
{
    test_model();
    test_inertia();
    test_ratio();
    test_builders();
    test_place();
    test_input();
    test_far();
    test_fall();
    test_terrain();
    test_scale(1e-6, 1e-12, "a micrometre, a nanogram");
    test_scale(1e-3, 1e-3, "a millimetre, a gram");
    test_scale(1, 1, "a metre, a kilogram");
    test_scale(100, 1e3, "a hundred metres, a tonne");
    return tap_done();
}
