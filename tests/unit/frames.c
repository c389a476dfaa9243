// SPDX-License-Identifier: MIT
// config: robots
// Frames of bodies on an arm, on a free body with a lid and on a moving kinematic one with a lid: pose by the pose of
// the body, Jacobian and velocity by differences of poses, drift by differences of velocities, in the world's axes and
// in the frame's; bad frames are refused.
#include "begin.h"
#include "random_mechanism.h"

#define MOST TAC_MAX_VELOCITIES
#define SEEDS RUN(40, 8)
#define H ((double)TOL(1e-5, 1e-2)) // of a difference
#define FRAMES 4

enum { ARM = 1, FREE = 6, FREE_LID, KINEMATIC, KINEMATIC_LID, BODIES };

static const uint8_t KIND[] = {TAC_REVOLUTE, TAC_PRISMATIC, TAC_SCREW, TAC_CYLINDRICAL, TAC_PLANAR};

static tac_model m;
static tac_state s, other;
static tac_work w;
static tac_coordinates map;
static tac_real q[TAC_MAX_POSITIONS], rates[MOST];
static uint16_t n;

static tac_pose random_pose(rng *r)
{
    return (tac_pose){d3_to(rng_box(r, 1)), dq_to(rng_quat(r))};
}

static void add_joint(rng *r, uint8_t kind, uint16_t a, uint16_t b)
{
    tac_joint j;
    tac_joint_init(&j, kind, a, b);
    j.frame_a = random_pose(r);
    j.frame_b = random_pose(r);
    if (kind == TAC_SCREW) { j.length = (tac_real)0.3; }
    tac_model_add_joint(&m, &j);
}

static void begin(rng *r)
{
    tac_model_init(&m);
    for (uint16_t i = 1; i < BODIES; i++) {
        tac_body b = tac_body_make(i == KINEMATIC ? TAC_KINEMATIC : TAC_DYNAMIC, vec(0, 0, 0));
        b.inertial = random_pose(r);
        b.pose = random_pose(r);
        b.velocity = (tac_twist){d3_to(rng_box(r, 1)), d3_to(rng_box(r, 1))};
        tac_model_add_body(&m, &b);
    }
    for (uint16_t i = 0; i < sizeof KIND; i++) { add_joint(r, KIND[i], i, (uint16_t)(ARM + i)); }
    add_joint(r, TAC_REVOLUTE, FREE, FREE_LID);
    add_joint(r, TAC_REVOLUTE, KINEMATIC, KINEMATIC_LID);
    begin_world(&m, &s);
    tap_ok(tac_model_get_coordinates(&m, &w, &map) == TAC_OK && map.velocities == 16, "16 velocities");
    n = map.velocities;
    for (uint32_t i = 0; i < map.positions; i++) { q[i] = (tac_real)rng_range(r, -1, 1); }
    for (uint32_t i = 0; i < n; i++) { rates[i] = (tac_real)rng_range(r, -1, 1); }
    const tac_quat turn = dq_to(rng_quat(r));
    tac_real *root = q + map.body[FREE].position + 3;
    root[0] = turn.w, root[1] = turn.x, root[2] = turn.y, root[3] = turn.z;
    tap_equal(tac_state_set_coordinates(&m, &s, q, rates, &w), TAC_OK, "a state");
}

static tac_quat quat_step(tac_quat a, d3 turn)
{
    const double angle = d3_norm(turn);
    return angle > 0 ? dq_to(dq_mul(dq_of(a), dq_about(turn, angle))) : a;
}

// `other` is the state with each coordinate moved along its velocity by a step, the kinematic body by a time h.
static int moved(const tac_real *step, double h)
{
    tac_real x[TAC_MAX_POSITIONS];
    for (uint32_t i = 0; i < map.positions; i++) { x[i] = q[i]; }
    other = s;
    other.pose[KINEMATIC].p = d3_to(d3_add(d3_of(s.pose[KINEMATIC].p), d3_scale(h, d3_of(s.twist[KINEMATIC].v))));
    other.pose[KINEMATIC].q = quat_step(s.pose[KINEMATIC].q, d3_scale(h, d3_of(s.twist[KINEMATIC].w)));
    tac_real *root = x + map.body[FREE].position;
    const tac_real *v = step + map.body[FREE].velocity;
    for (int k = 0; k < 3; k++) { root[k] += v[k]; }
    const tac_quat turned =
        quat_step((tac_quat){root[3], root[4], root[5], root[6]}, d3_make((double)v[3], (double)v[4], (double)v[5]));
    root[3] = turned.w, root[4] = turned.x, root[5] = turned.y, root[6] = turned.z;
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint8_t kind = m.joint[i].kind;
        const uint16_t axes = kind == TAC_PLANAR ? 3 : (kind == TAC_CYLINDRICAL ? 2 : 1);
        for (uint16_t k = 0; k < axes; k++) { x[map.joint[i].position + k] += step[map.joint[i].velocity + k]; }
    }
    return tac_state_set_coordinates(&m, &other, x, rates, &w) == TAC_OK;
}

// Half the difference over h of two poses: velocity of the origin, angular velocity.
static void difference(const tac_pose *to, double h, d3 *linear, d3 *angular)
{
    const dq turn = dq_mul(dq_of(to[1].q), dq_conjugate(dq_of(to[0].q)));
    *linear = d3_scale(0.5 / h, d3_sub(d3_of(to[1].p), d3_of(to[0].p)));
    *angular = d3_scale((turn.w < 0 ? -1 : 1) / h, d3_make(turn.x, turn.y, turn.z));
}

static d3 column(const tac_real *rows, uint32_t k)
{
    return d3_make((double)rows[k], (double)rows[n + k], (double)rows[2 * n + k]);
}

static double apart(d3 a, d3 b)
{
    return d3_norm(d3_sub(a, b));
}

typedef struct errors {
    double pose, axes, jacobian, motion, drift;
    uint64_t at[5];
} errors;

// The pose is that of the body times the frame's.
static void judge_pose(const tac_frame *f, tac_pose got, uint64_t seed, errors *e)
{
    const dq body = dq_of(tac_state_get_pose(&m, &s, f->body).q), turn = dq_mul(body, dq_of(f->pose.q));
    double error = apart(world_place(&m, &s, f->body, f->pose.p), d3_of(got.p));
    for (int k = 0; k < 3; k++) {
        const d3 axis = d3_make(k == 0, k == 1, k == 2);
        error += apart(dq_rotate(turn, axis), dq_rotate(dq_of(got.q), axis));
    }
    worst_at(&e->pose, &e->at[0], error, seed);
}

// Columns by differences of poses; in the frame's axes they are those of the world, turned back.
static int judge_jacobian(const tac_frame *f, dq back, uint64_t seed, errors *e)
{
    static tac_real world[6 * MOST], own[6 * MOST];
    int good = tac_frame_jacobian(&m, &s, f, TAC_AXES_WORLD, &w, world) == TAC_OK &&
               tac_frame_jacobian(&m, &s, f, TAC_AXES_FRAME, &w, own) == TAC_OK;
    for (uint32_t k = 0; k < n; k++) {
        tac_real step[MOST] = {0};
        tac_pose to[2];
        d3 linear, angular;
        for (int side = 0; side < 2; side++) {
            step[k] = (tac_real)(side ? H : -H);
            good &= moved(step, 0) && tac_frame_pose(&m, &other, f, &to[side]) == TAC_OK;
        }
        difference(to, H, &linear, &angular);
        const d3 v = column(world, k), rate = column(world + 3 * n, k);
        worst_at(&e->jacobian, &e->at[2], apart(v, linear) + apart(rate, angular), seed);
        worst_at(&e->axes, &e->at[1],
                 apart(dq_rotate(back, v), column(own, k)) + apart(dq_rotate(back, rate), column(own + 3 * n, k)),
                 seed);
    }
    return good;
}

// Velocity and drift by differences along the motion; in the frame's axes they are those of the world, turned back.
static int judge_motion(const tac_frame *f, dq back, uint64_t seed, errors *e)
{
    tac_point_motion world, own, near[2];
    tac_pose to[2];
    tac_real step[MOST] = {0};
    d3 linear, angular;
    int good = tac_frame_motion(&m, &s, f, TAC_AXES_WORLD, &w, &world) == TAC_OK &&
               tac_frame_motion(&m, &s, f, TAC_AXES_FRAME, &w, &own) == TAC_OK;
    for (int side = 0; side < 2; side++) {
        const double h = side ? H : -H;
        for (uint32_t i = 0; i < n; i++) { step[i] = (tac_real)(h * (double)rates[i]); }
        good &= moved(step, h) && tac_frame_pose(&m, &other, f, &to[side]) == TAC_OK &&
                tac_frame_motion(&m, &other, f, TAC_AXES_WORLD, &w, &near[side]) == TAC_OK;
    }
    difference(to, H, &linear, &angular);
    worst_at(&e->motion, &e->at[3], apart(linear, d3_of(world.linear)) + apart(angular, d3_of(world.angular)), seed);
    linear = d3_scale(0.5 / H, d3_sub(d3_of(near[1].linear), d3_of(near[0].linear)));
    angular = d3_scale(0.5 / H, d3_sub(d3_of(near[1].angular), d3_of(near[0].angular)));
    worst_at(&e->drift, &e->at[4],
             apart(linear, d3_of(world.linear_drift)) + apart(angular, d3_of(world.angular_drift)), seed);
    const tac_vec3 *a = &world.linear, *b = &own.linear; // and the three that follow
    double error = apart(d3_of(world.position), d3_of(own.position));
    for (int k = 0; k < 4; k++) { error += apart(dq_rotate(back, d3_of(a[k])), d3_of(b[k])); }
    worst_at(&e->axes, &e->at[1], error, seed);
    return good;
}

static void judge(void)
{
    errors e = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rng r = {seed};
        begin(&r);
        for (int i = 0; i < FRAMES; i++) {
            tac_pose pose;
            const tac_frame f = {(uint16_t)rng_below(&r, BODIES), random_pose(&r)};
            const int found = tac_frame_pose(&m, &s, &f, &pose) == TAC_OK;
            judge_pose(&f, pose, seed, &e);
            const dq back = dq_conjugate(dq_of(pose.q));
            if (!found || !judge_jacobian(&f, back, seed, &e) || !judge_motion(&f, back, seed, &e)) {
                tap_ok(0, tap_numbered("a frame is refused, seed", (double)seed));
            }
        }
    }
    tap_most(e.pose, TOL(1e-14, 1e-5), "pose");
    tap_most(e.axes, TOL(1e-13, 1e-4), "in the axes of the frame");
    tap_most(e.jacobian, TOL(1e-8, 5e-3), "Jacobian by differences");
    tap_most(e.motion, TOL(1e-8, 5e-3), "velocity by differences");
    tap_most(e.drift, TOL(1e-8, 5e-3), "drift by differences");
    for (int i = 0; i < 5; i++) { tap_note("seed of the worst", e.at[i]); }
}

// Each function returns the same status, and writes nothing.
static void refused(const tac_frame *f, tac_status expected, const char *name)
{
    static tac_real x[6 * MOST];
    tac_pose pose, kept;
    tac_point_motion at, still;
    truth_fill(&pose, sizeof pose, 7);
    truth_fill(&kept, sizeof kept, 7);
    truth_fill(&at, sizeof at, 7);
    truth_fill(&still, sizeof still, 7);
    for (int i = 0; i < 6 * MOST; i++) { x[i] = 7; }
    tap_equal(tac_frame_pose(&m, &s, f, &pose), expected, name);
    tap_equal(tac_frame_motion(&m, &s, f, TAC_AXES_FRAME, &w, &at), expected, name);
    tap_equal(tac_frame_jacobian(&m, &s, f, TAC_AXES_FRAME, &w, x), expected, name);
    int same = truth_equal(&pose, &kept, sizeof pose) && truth_equal(&at, &still, sizeof at);
    for (int i = 0; i < 6 * MOST; i++) { same &= x[i] == 7; }
    tap_ok(same, tap_joined(name, "writes nothing"));
}

static void refusals(void)
{
    static tac_real x[6 * MOST];
    const tac_pose good = {{0, 0, 0}, {1, 0, 0, 0}};
    tac_point_motion at;
    tac_pose pose;
    rng r = {5};
    begin(&r);
    tac_frame f = {BODIES, good};
    refused(NULL, TAC_E_ARG, "no frame");
    refused(&f, TAC_E_ARG, "a frame of no body");
    f = (tac_frame){1, good};
    f.pose.p.z = real_nan();
    refused(&f, TAC_E_NAN, "a place that is not a number");
    f.pose.p.z = 2 * TAC_MOST_LENGTH;
    refused(&f, TAC_E_ARG, "a place that is far away");
    f.pose = good;
    f.pose.q.x = real_nan();
    refused(&f, TAC_E_NAN, "a quaternion that is not a number");
    f.pose.q = (tac_quat){0, 0, 0, 0};
    refused(&f, TAC_E_NAN, "a quaternion of zeros");
    f.pose.q = (tac_quat){0, 2, 0, 0};
    refused(&f, TAC_E_NAN, "a quaternion that is too long");
    f.pose = good;
    s.model_hash++;
    refused(&f, TAC_E_MODEL, "a state of another model");
    s.model_hash--;
    tap_equal(tac_frame_pose(&m, &s, &f, NULL), TAC_E_ARG, "no place for a pose");
    tap_equal(tac_frame_pose(NULL, &s, &f, &pose), TAC_E_ARG, "no model");
    tap_equal(tac_frame_pose(&m, NULL, &f, &pose), TAC_E_ARG, "no state");
    tap_equal(tac_frame_motion(&m, &s, &f, TAC_AXES_FRAME, &w, NULL), TAC_E_ARG, "no place for a motion");
    tap_equal(tac_frame_motion(&m, &s, &f, TAC_AXES_FRAME, NULL, &at), TAC_E_ARG, "no work area");
    tap_equal(tac_frame_jacobian(&m, &s, &f, TAC_AXES_FRAME, &w, NULL), TAC_E_ARG, "no place for a matrix");
    tap_equal(tac_frame_jacobian(&m, &s, &f, TAC_AXES_BODY, &w, x), TAC_E_ARG, "axes of the body of a frame");
    tap_equal(tac_frame_motion(&m, &s, &f, -1, &w, &at), TAC_E_ARG, "axes of nothing");
    tap_equal(tac_jacobian(&m, &s, 1, vec(0, 0, 0), TAC_AXES_FRAME, &w, x), TAC_E_ARG, "axes of the frame of a point");
    s.pose[1].q = (tac_quat){0, 0, 0, 0};
    tap_equal(tac_frame_pose(&m, &s, &f, &pose), TAC_E_NAN, "a state without an orientation");
    s.pose[1].p.x = real_inf();
    tap_equal(tac_frame_pose(&m, &s, &f, &pose), TAC_E_NAN, "a state that is not finite");
}

// A quaternion within the range counts as its unit one; the ground's frame stays where it is.
static void known(void)
{
    static tac_real x[6 * MOST];
    tac_pose pose, unit;
    tac_point_motion at, same;
    rng r = {6};
    begin(&r);
    tac_frame f = {FREE_LID, random_pose(&r)};
    int good = tac_frame_pose(&m, &s, &f, &unit) == TAC_OK &&
               tac_frame_motion(&m, &s, &f, TAC_AXES_FRAME, &w, &same) == TAC_OK;
    const tac_quat turn = f.pose.q;
    f.pose.q =
        (tac_quat){turn.w * (tac_real)1.5, turn.x * (tac_real)1.5, turn.y * (tac_real)1.5, turn.z * (tac_real)1.5};
    good &=
        tac_frame_pose(&m, &s, &f, &pose) == TAC_OK && tac_frame_motion(&m, &s, &f, TAC_AXES_FRAME, &w, &at) == TAC_OK;
    tap_ok(good, "a quaternion of norm 1.5");
    tap_near(pose.q.w, unit.q.w, TOL(1e-15, 1e-6), "is the unit one: pose");
    tap_near(at.linear.x, same.linear.x, TOL(1e-14, 1e-5), "motion");
    const tac_frame ground = {0, {{1, 2, 3}, {(tac_real)0.6, 0, (tac_real)0.8, 0}}};
    good = tac_frame_pose(&m, &s, &ground, &pose) == TAC_OK &&
           tac_frame_motion(&m, &s, &ground, TAC_AXES_FRAME, &w, &at) == TAC_OK &&
           tac_frame_jacobian(&m, &s, &ground, TAC_AXES_FRAME, &w, x) == TAC_OK;
    tap_ok(good && pose.p.x == 1 && pose.p.y == 2 && pose.p.z == 3, "a frame of the ground");
    tap_near(pose.q.y, 0.8, TOL(1e-15, 1e-7), "as it is turned");
    int still = at.linear.x == 0 && at.angular.y == 0 && at.linear_drift.z == 0;
    for (int i = 0; i < 6 * n; i++) { still &= x[i] == 0; }
    tap_ok(still, "does not move");
}

int main(void)
{
    judge();
    refusals();
    known();
    return tap_done();
}
