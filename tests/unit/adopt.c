// SPDX-License-Identifier: MIT
// config: robots
// tac_state_adopt(): a state goes over to a model with other numbers. There and back to the bit; a roll-out with other
// friction is that of a state made for it; bodies with other principal frames keep their motion; every difference that
// a state cannot bear is refused by name, and nothing changes.
#include "random_mechanism.h"
#include "begin.h"

enum { WORLDS = RUN(40, 8), STEPS = 20 };

static tac_model one, two;
static tac_state s, other, before;
static tac_work w;

static int same_state(const tac_state *a, const tac_state *b)
{
    return truth_equal(a, b, sizeof *a);
}

// ------------------------------------------------------------------------------------------------------------ friction

// A box that slides on the ground, and an arm on a hinge beside it.
static void slide(tac_model *m, double friction, double mass)
{
    tac_model_init(m);
    tac_model_add_material(m, (tac_real)friction, 0);
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(m, &shape);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.1));
    b.velocity.v = vec(2, 0, 0);
    b.mass = (tac_real)mass;
    b.inertia = vec(0.02 * mass, 0.02 * mass, 0.02 * mass);
    tac_model_add_body(m, &b);
    shape = tac_shape_make(1, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(m, &shape);
    b.pose.p = vec(0.4, 3, 0.3);
    b.velocity.v = vec(0, 0, 0);
    tac_model_add_body(m, &b);
    shape = tac_shape_make(2, TAC_CAPSULE, vec(0.05, 0, 0.1));
    tac_model_add_shape(m, &shape);
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, 0, 2);
    j.frame_a = (tac_pose){vec(0.9, 3, 0.3), {(tac_real)0.8, (tac_real)0.6, 0, 0}};
    j.frame_b = (tac_pose){vec(0.5, 0, 0), {(tac_real)0.8, (tac_real)0.6, 0, 0}};
    tac_model_add_joint(m, &j);
}

static void step(const tac_model *m, tac_state *state, int steps)
{
    for (int i = 0; i < steps; i++) {
        if (tac_step(m, state, NULL, &w) < 0) { tap_ok(0, "a step is refused"); }
    }
}

static void friction(void)
{
    slide(&one, 0.5, 1);
    slide(&two, 0.1, 3);
    begin_world(&two, &other);
    begin_world(&one, &s);
    step(&one, &s, 50);
    before = s;
    tap_equal(tac_state_adopt(&one, &two, &s, NULL), TAC_OK, "other friction, other masses");
    tap_ok(s.warm_count > 0 && truth_equal(s.warm, before.warm, sizeof s.warm), "the warm start stays");
    tap_ok(truth_equal(s.pose, before.pose, sizeof s.pose) && truth_equal(s.twist, before.twist, sizeof s.twist) &&
               s.step == before.step,
           "so do poses, velocities and time");

    // the state that the other model would have begun with
    other.step = before.step;
    other.warm_count = before.warm_count;
    other.contacts_peak = before.contacts_peak;
    truth_copy(other.pose, before.pose, sizeof other.pose);
    truth_copy(other.twist, before.twist, sizeof other.twist);
    truth_copy(other.compensation, before.compensation, sizeof other.compensation);
    truth_copy(other.warm, before.warm, sizeof other.warm);
    truth_copy(other.joint, before.joint, sizeof other.joint);
    tap_ok(same_state(&s, &other), "it is the state that this model would have");
    tap_equal(tac_state_adopt(&two, &one, &other, NULL), TAC_OK, "and back");
    tap_ok(same_state(&other, &before), "it is what it was, to the bit");

    const double from = (double)s.twist[1].v.x;
    step(&two, &s, 100);
    tap_near(from - (double)s.twist[1].v.x, 0.1 * 9.81 * 0.1, 1e-4, "the box brakes by the new friction");
    tap_equal(tac_check(&two, &s, &w, NULL), TAC_OK, "and passes the check of the new model");
}

// A roll-out without the warm start is that of a fresh state with these poses and velocities.
static void fresh(void)
{
    double worst = 0;
    slide(&one, 0.5, 1);
    slide(&two, 0.3, 2);
    two.options.warm_start = 0;
    begin_world(&two, &other);
    begin_world(&one, &s);
    step(&one, &s, 50);
    for (uint16_t i = 1; i < one.bodies; i++) {
        (void)tac_state_set_body(&two, &other, i, tac_state_get_pose(&one, &s, i), s.twist[i]);
    }
    tap_equal(tac_state_adopt(&one, &two, &s, NULL), TAC_OK, "a roll-out adopts");
    step(&two, &s, 100);
    step(&two, &other, 100);
    for (uint16_t i = 1; i < one.bodies; i++) {
        d_worst(&worst, d3_norm(d3_sub(d3_of(s.pose[i].p), d3_of(other.pose[i].p))));
    }
    tap_most(worst, TOL(1e-9, 1e-4), "and goes where a fresh state goes");
}

// ------------------------------------------------------------------------------------------------------------- frames

// The same solid with another numbering of its principal axes: turned by a third of a revolution about (1,1,1).
static void renumber(tac_body *b)
{
    const dq third = {0.5, 0.5, 0.5, 0.5}; // takes x to y, y to z, z to x
    const tac_vec3 i = b->inertia;
    b->inertial.q = dq_to(dq_mul(dq_of(b->inertial.q), third));
    b->inertia = (tac_vec3){i.y, i.z, i.x};
}

static void random_world(rng *r)
{
    tac_model_init(&one);
    for (uint16_t i = 1; i <= 5; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(rng_box(r, 1)));
        const double size = rng_range(r, 0.1, 1);
        b.mass = (tac_real)rng_range(r, 1, 2);
        b.inertia = vec(0.5 * size, 0.7 * size, 0.9 * size);
        b.inertial = (tac_pose){d3_to(rng_box(r, 0.3)), dq_to(rng_quat(r))};
        b.pose.q = dq_to(rng_quat(r));
        b.velocity = (tac_twist){d3_to(rng_box(r, 1)), d3_to(rng_box(r, 3))};
        tac_model_add_body(&one, &b);
    }
    for (uint16_t i = 2; i <= 5; i++) {
        tac_joint j;
        tac_joint_init(&j, rng_below(r, 2) ? TAC_REVOLUTE : TAC_SPHERICAL, (uint16_t)(1 + rng_below(r, i - 1u)), i);
        j.frame_b = (tac_pose){d3_to(rng_box(r, 0.3)), dq_to(rng_quat(r))};
        const tac_pose at = one.body[i].pose;
        const d3 p = d3_add(d3_of(at.p), dq_rotate(dq_of(at.q), d3_of(j.frame_b.p)));
        j.frame_a = seen_from(&one, j.body_a, p, dq_mul(dq_of(at.q), dq_of(j.frame_b.q)));
        if (rng_below(r, 2)) { tac_model_add_joint(&one, &j); }
    }
}

// How far a point of each body, and its velocity, are apart in two states.
static double motion_differs(const tac_model *a, const tac_state *x, const tac_model *b, const tac_state *y)
{
    double worst = 0;
    for (uint16_t i = 1; i < a->bodies; i++) {
        for (int k = 0; k < 3; k++) {
            const tac_vec3 point = vec(k == 0, k == 1, k == 2);
            tac_point_motion p, q;
            if (tac_body_point(a, x, i, point, TAC_AXES_WORLD, &w, &p) != TAC_OK) { return 1; }
            if (tac_body_point(b, y, i, point, TAC_AXES_WORLD, &w, &q) != TAC_OK) { return 1; }
            d_worst(&worst, d3_norm(d3_sub(d3_of(p.position), d3_of(q.position))));
            d_worst(&worst, d3_norm(d3_sub(d3_of(p.linear), d3_of(q.linear))));
        }
    }
    return worst;
}

static void frames(void)
{
    double renumbered = 0, moved = 0, back = 0, later = 0;
    uint64_t at[4] = {0};
    int good = 1;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        random_world(&r);
        truth_copy(&two, &one, sizeof two);
        for (uint16_t i = 1; i < two.bodies; i++) { renumber(&two.body[i]); }
        good &= tac_model_seal(&one, NULL) == TAC_OK && tac_model_seal(&two, NULL) == TAC_OK &&
                tac_state_init(&one, &s, NULL) == TAC_OK;
        step(&one, &s, STEPS);
        other = s;
        good &= tac_state_adopt(&one, &two, &other, NULL) == TAC_OK;
        worst_at(&renumbered, &at[0], motion_differs(&one, &s, &two, &other), seed);
        before = other;
        good &= tac_state_adopt(&two, &one, &before, NULL) == TAC_OK;
        worst_at(&back, &at[2], motion_differs(&one, &s, &one, &before), seed);
        step(&one, &s, STEPS);
        step(&two, &other, STEPS);
        worst_at(&later, &at[3], motion_differs(&one, &s, &two, &other), seed);

        truth_copy(&two, &one, sizeof two); // other masses, centres of mass and axes
        for (uint16_t i = 1; i < two.bodies; i++) {
            two.body[i].mass *= 3;
            two.body[i].inertial = (tac_pose){d3_to(rng_box(&r, 0.5)), dq_to(rng_quat(&r))};
        }
        good &= tac_model_seal(&two, NULL) == TAC_OK;
        other = s;
        good &= tac_state_adopt(&one, &two, &other, NULL) == TAC_OK && tac_check(&two, &other, NULL, NULL) == TAC_OK;
        worst_at(&moved, &at[1], motion_differs(&one, &s, &two, &other), seed);
    }
    tap_ok(good, "random bodies are adopted");
    tap_most(renumbered, TOL(1e-13, 2e-5), "axes renumbered: all points move as before");
    tap_most(moved, TOL(1e-13, 2e-5), "another centre of mass, other axes: all points move as before");
    tap_most(back, TOL(1e-13, 2e-5), "and back");
    tap_most(later, TOL(1e-11, 1e-3), "the same solid moves on as it would have");
    for (int i = 0; i < 4; i++) { tap_note("seed of the worst", at[i]); }
}

// ------------------------------------------------------------------------------------------------------------ refusals

static void gears(tac_model *m)
{
    tac_model_init(m);
    tac_model_add_material(m, (tac_real)0.5, 0);
    const tac_shape ball = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(m, &ball);
    for (uint16_t i = 1; i <= 2; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(i, 0, 0));
        b.velocity.w = vec(0, 0, 7.0 * (i == 1 ? 1 : 2));
        tac_model_add_body(m, &b);
        tac_joint j;
        tac_joint_init(&j, TAC_REVOLUTE, 0, i);
        j.frame_a.p = vec(i, 0, 0);
        tac_model_add_joint(m, &j);
    }
    const tac_body free = tac_body_make(TAC_DYNAMIC, vec(5, 0, 0));
    tac_model_add_body(m, &free);
    tac_joint j;
    tac_joint_init(&j, TAC_COUPLING, 0, 1);
    j.length = 2;
    j.lower = j.upper = 0;
    tac_model_add_joint(m, &j);
}

// The state is refused for this field, element and reason, and does not change.
static void differs(tac_status status, int field, int index, int reason, const char *name)
{
    tac_fault fault;
    if (tac_model_seal(&two, &fault) != TAC_OK) { tap_ok(0, tap_joined("a model is refused:", name)); }
    other = s;
    tap_equal(tac_state_adopt(&one, &two, &other, &fault), status, name);
    tap_ok(fault.field == field && fault.index == index && (int)fault.reason == reason, "it is named");
    tap_ok(same_state(&other, &s), "nothing changes");
    truth_copy(&two, &one, sizeof two);
}

static void kinds(void)
{
    const tac_body more = tac_body_make(TAC_DYNAMIC, vec(3, 0, 0));
    const tac_shape ball = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0.1, 0.1));
    tac_joint j;
    gears(&one);
    begin_world(&one, &s);
    step(&one, &s, 10);
    truth_copy(&two, &one, sizeof two);
    tac_model_add_body(&two, &more);
    differs(TAC_E_MODEL, TAC_FIELD_COUNT, TAC_COUNT_BODIES, TAC_REASON_MISMATCH, "another number of bodies");
    tac_model_add_shape(&two, &ball);
    differs(TAC_E_MODEL, TAC_FIELD_COUNT, TAC_COUNT_SHAPES, TAC_REASON_MISMATCH, "another number of shapes");
    tac_joint_init(&j, TAC_BUSHING, 1, 2);
    tac_model_add_joint(&two, &j);
    differs(TAC_E_MODEL, TAC_FIELD_COUNT, TAC_COUNT_JOINTS, TAC_REASON_MISMATCH, "another number of joints");
    two.body[3].kind = TAC_KINEMATIC;
    differs(TAC_E_MODEL, TAC_FIELD_BODY_KIND, 3, TAC_REASON_KIND, "another kind of body");
    two.shape[0].kind = TAC_BOX;
    differs(TAC_E_MODEL, TAC_FIELD_SHAPE_KIND, 0, TAC_REASON_KIND, "another kind of shape");
    two.shape[0].body = 2;
    differs(TAC_E_MODEL, TAC_FIELD_SHAPE_BODY, 0, TAC_REASON_MISMATCH, "a shape of another body");
    two.joint[1].kind = TAC_SCREW;
    differs(TAC_E_MODEL, TAC_FIELD_JOINT_KIND, 1, TAC_REASON_KIND, "another kind of joint");
    two.joint[1].body_a = 1;
    differs(TAC_E_MODEL, TAC_FIELD_JOINT_BODY, 1, TAC_REASON_MISMATCH, "a joint of another body");
    two.joint[2].length = 3;
    differs(TAC_E_MODEL, TAC_FIELD_JOINT_LENGTH, 2, TAC_REASON_MISMATCH, "another ratio of a coupling");
    two.joint[1].lower = -2, two.joint[1].upper = 9;
    differs(TAC_E_MODEL, TAC_FIELD_JOINT, 1, TAC_REASON_MISMATCH, "other limits of a joint that is coupled");
    two.joint[0].frame_b.p.x = 1;
    differs(TAC_E_MODEL, TAC_FIELD_JOINT, 0, TAC_REASON_MISMATCH, "another frame of it");
}

static void arguments(void)
{
    tac_fault fault;
    truth_copy(&two, &one, sizeof two);
    two.body[1].inertial.p.x = (tac_real)1;
    s.pose[1].q = (tac_quat){1, 0, 0, 0};
    s.twist[1].v.y = TAC_MOST_SPEED;
    s.twist[1].w.z = TAC_MOST_SPEED;
    differs(TAC_E_ARG, TAC_FIELD_VELOCITY, 1, TAC_REASON_RANGE, "a centre of mass that is too fast");
    s.pose[1].p.x = real_nan();
    two.body[1].mass = 2;
    differs(TAC_E_NAN, TAC_FIELD_POSE, 1, TAC_REASON_NOT_FINITE, "a state that is not finite");
    begin_world(&one, &s);
    gears(&two);
    two.body[1].mass = 2;
    other = s;
    tap_equal(tac_state_adopt(&one, &two, &other, &fault), TAC_E_MODEL, "a model that is not sealed");
    tap_ok(fault.field == TAC_FIELD_HASH && fault.reason == TAC_REASON_UNSEALED, "it is its hash");
    two.bodies = 0;
    tap_equal(tac_state_adopt(&one, &two, &other, &fault), TAC_E_MODEL, "no model at all");
    tap_ok(fault.field == TAC_FIELD_COUNT && fault.index == TAC_COUNT_BODIES, "it is the number of its bodies");
    gears(&two);
    two.body[1].mass = 2;
    tap_equal(tac_model_seal(&two, NULL), TAC_OK, "sealed");
    tap_equal(tac_state_adopt(&two, &one, &other, &fault), TAC_E_MODEL, "a state of another model");
    tap_equal(fault.field, TAC_FIELD_HASH, "it is its hash");
    tap_equal(tac_state_adopt(NULL, &two, &other, &fault), TAC_E_ARG, "no model");
    tap_ok(fault.field == TAC_FIELD_POINTER && fault.index == 0, "it is the model");
    tap_equal(tac_state_adopt(&one, NULL, &other, NULL), TAC_E_ARG, "no other model");
    tap_equal(tac_state_adopt(&one, &two, NULL, &fault), TAC_E_ARG, "no state");
    tap_ok(fault.field == TAC_FIELD_POINTER && fault.index == 1, "it is the state");
    tap_ok(same_state(&other, &s), "nothing has changed");
    tap_equal(tac_state_adopt(&one, &one, &other, NULL), TAC_OK, "its own model");
    tap_ok(same_state(&other, &s), "changes nothing");
}

// Gears that have turned: the revolutions that a coupling counts are kept. The ground is that of the new model.
static void revolutions(void)
{
    tac_joint_state q;
    gears(&one);
    begin_world(&one, &s);
    truth_copy(&two, &one, sizeof two);
    two.body[1].mass = 2;
    two.joint[0].damping = 1;
    tap_equal(tac_model_seal(&two, NULL), TAC_OK, "other gears");
    step(&one, &s, 1000);
    tap_equal(tac_state_adopt(&one, &two, &s, NULL), TAC_OK, "after a revolution");
    tap_equal(tac_state_get_joint(&two, &s, 2, &q), TAC_OK, "the coupling");
    tap_near(q.position, 0, TOL(1e-9, 1e-4), "has lost none");
    truth_copy(&one, &two, sizeof two);
    one.body[0].pose.p.z = 1;
    tap_equal(tac_model_seal(&one, NULL), TAC_OK, "another ground");
    tap_equal(tac_state_adopt(&two, &one, &s, NULL), TAC_OK, "is adopted");
    tap_near(tac_state_get_pose(&one, &s, 0).p.z, 1, 0, "it is where the model has it");
}

int main(void)
{
    friction();
    fresh();
    frames();
    kinds();
    arguments();
    revolutions();
    return tap_done();
}
