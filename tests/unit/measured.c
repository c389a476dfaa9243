// SPDX-License-Identifier: MIT
// config: robots
// A state from what an estimator knows: pose, velocity and gyro of a frame in its own axes, and joints. Against the motion
// of the frame that tac_frame_motion() sees, for random robots, frames and states; set again it is the same; what is no
// measurement is refused, and the state stays.
#include "begin.h"
#include "forest.h"
#include "truth.h"

#define WORLDS RUN(400, 40)

static tac_model m;
static tac_state s, other;
static tac_input in;
static tac_work w;
static tac_joint_state joint[TAC_MAX_JOINTS];

static tac_vec3 turned(tac_quat q, tac_vec3 x)
{
    return d3_to(dq_rotate(dq_conjugate(dq_of(q)), d3_of(x)));
}

static double far(tac_vec3 a, tac_vec3 b)
{
    return d3_norm(d3_sub(d3_of(a), d3_of(b)));
}

// A dynamic body that hangs on no joint, of those from `first` on; 0: there is none.
static uint16_t free_root(uint16_t first)
{
    static tac_coordinates map;
    if (tac_model_get_coordinates(&m, &w, &map)) { return 0; }
    for (uint16_t i = first; i < m.bodies; i++) {
        if (m.body[i].kind == TAC_DYNAMIC && map.body[i].velocity != TAC_NONE) { return i; }
    }
    return 0;
}

static int begin(uint64_t seed)
{
    forest_build(&m, &in, seed, FOREST_THIN | FOREST_DRIVEN);
    if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { return 0; }
    for (int k = 0; k < 3; k++) {
        if (tac_step(&m, &s, &in, &w) < 0) { return 0; }
    }
    return 1;
}

static tac_measured random_frame(rng *r, uint16_t body)
{
    tac_measured x = {.frame = {body, {d3_to(rng_box(r, 0.3)), dq_to(rng_quat(r))}}};
    return x;
}

// Pose and motion of the frame are those of tac_frame_pose() and tac_frame_motion().
static void test_reads(void)
{
    double worst_pose = 0, worst_velocity = 0;
    uint32_t seen = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        const uint16_t body = begin(seed) ? free_root(1) : 0;
        if (body == 0) { continue; }
        tac_measured x = random_frame(&r, body);
        tac_pose pose;
        tac_point_motion motion;
        const int good = tac_state_get_measured(&m, &s, &x) == TAC_OK && tac_frame_pose(&m, &s, &x.frame, &pose) == TAC_OK &&
                         tac_frame_motion(&m, &s, &x.frame, TAC_AXES_FRAME, &w, &motion) == TAC_OK;
        if (!good) { continue; }
        seen++;
        const double fast = 1 + d3_norm(d3_of(motion.linear)) + d3_norm(d3_of(motion.angular));
        worst_pose = d_max(worst_pose, far(pose.p, x.pose.p));
        worst_pose = d_max(worst_pose, far(turned(pose.q, vec(1, 2, 3)), turned(x.pose.q, vec(1, 2, 3))));
        worst_velocity = d_max(worst_velocity, far(motion.linear, x.velocity) / fast);
        worst_velocity = d_max(worst_velocity, far(motion.angular, x.gyro) / fast);
    }
    tap_least(seen, WORLDS / 4, "reads: worlds with a free root");
    tap_most(worst_pose, TOL(1e-13, 5e-6), "pose of the frame");
    tap_most(worst_velocity, TOL(1e-13, 5e-6), "velocity and gyro, in its axes");
}

static void read_joints(void)
{
    for (uint32_t i = 0; i < m.joints; i++) { tac_state_get_joint(&m, &s, i, &joint[i]); }
}

// A new measurement, of any pose and velocity: the frame has it, joints have theirs and hold.
static void test_sets(void)
{
    double worst = 0, worst_joint = 0;
    uint32_t seen = 0, broken = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        const uint16_t body = begin(seed) ? free_root(1) : 0;
        if (body == 0) { continue; }
        tac_measured x = random_frame(&r, body), back;
        x.pose = (tac_pose){d3_to(rng_box(&r, 3)), dq_to(rng_quat(&r))};
        x.velocity = d3_to(rng_box(&r, 2));
        x.gyro = d3_to(rng_box(&r, 2));
        back = (tac_measured){.frame = x.frame};
        read_joints();
        if (tac_state_set_measured(&m, &s, &x, joint) || tac_state_get_measured(&m, &s, &back)) {
            broken++;
            continue;
        }
        seen++;
        worst = d_max(worst, far(x.pose.p, back.pose.p) + far(x.velocity, back.velocity) + far(x.gyro, back.gyro));
        worst = d_max(worst, far(turned(x.pose.q, vec(1, 2, 3)), turned(back.pose.q, vec(1, 2, 3))));
        for (uint32_t i = 0; i < m.joints; i++) {
            tac_joint_state now;
            tac_state_get_joint(&m, &s, i, &now);
            if (m.joint[i].kind != TAC_REVOLUTE && m.joint[i].kind != TAC_PRISMATIC) { continue; }
            worst_joint = d_max(worst_joint, d_abs(d_sin((double)now.position - (double)joint[i].position)));
            worst_joint = d_max(worst_joint, d_abs((double)now.velocity - (double)joint[i].velocity) /
                                                 (1 + d_abs((double)joint[i].velocity)));
        }
        broken += tac_check(&m, &s, NULL, NULL) != TAC_OK;
    }
    tap_least(seen, WORLDS / 4, "sets: worlds with a free root");
    tap_equal(broken, 0, "all of them are set, and joints hold");
    tap_most(worst, TOL(1e-13, 2e-5), "the frame has what was measured");
    tap_most(worst_joint, TOL(1e-12, 2e-4), "and the joints");
}

static void refuse(tac_measured x, tac_status expected, const char *name)
{
    truth_copy(&other, &s, sizeof s);
    tap_equal(tac_state_set_measured(&m, &other, &x, joint), expected, name);
    tap_ok(truth_equal(&other, &s, sizeof s), "the state stays");
}

static void test_refused(void)
{
    uint64_t seed = 1;
    while (!begin(seed) || free_root(1) == 0 || m.joints == 0) { seed++; }
    rng r = {seed};
    tac_measured good = random_frame(&r, free_root(1)), x;
    read_joints();
    good.pose.q.w = 1;
    x = good;
    x.velocity.y = (tac_real)__builtin_nan("");
    refuse(x, TAC_E_NAN, "a velocity that is not finite");
    x = good;
    x.pose.q = (tac_quat){0, 0, 0, 0};
    refuse(x, TAC_E_NAN, "no rotation");
    x = good;
    x.pose.p.x = TAC_MOST_POSITION * 2;
    refuse(x, TAC_E_ARG, "a place out of range");
    x = good;
    x.frame.body = 0;
    refuse(x, TAC_E_ARG, "the ground");
    x.frame.body = m.bodies;
    refuse(x, TAC_E_ARG, "no such body");
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        if (j->kind == TAC_REVOLUTE && m.body[j->body_b].kind == TAC_DYNAMIC && m.body[j->body_a].kind != TAC_DYNAMIC) {
            x.frame.body = j->body_b;
            refuse(x, TAC_E_ARG, "a body that hangs on a joint");
        }
    }
    joint[0].position = (tac_real)__builtin_inf();
    refuse(good, TAC_E_NAN, "a joint that is not finite");
    joint[0].position = TAC_MOST_SPEED * 2;
    refuse(good, TAC_E_ARG, "a joint out of range");
    tap_equal(tac_state_set_measured(&m, &s, &good, NULL), TAC_E_ARG, "no joints given");
    tap_equal(tac_state_set_measured(NULL, &s, &good, joint), TAC_E_ARG, "no model");
    tap_equal(tac_state_get_measured(&m, &s, NULL), TAC_E_ARG, "no measurement");
    m.hash ^= 1;
    tap_equal(tac_state_get_measured(&m, &s, &good), TAC_E_MODEL, "a state of another model");
}

int main(void)
{
    test_reads();
    test_sets();
    test_refused();
    return tap_done();
}
