// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The geometrically implicit step with joints: a pendulum against its equation of motion, a linkage, a cube on a hinge
// that hits the ground and a quadruped against tac_step(); random worlds of all kinds of joints, whose momenta are
// summed from outside.
#include "begin.h"
#include "bodies.h"
#include "robots.h"
#include "jointed.h"

static tac_model m;
static tac_state s, old;
static tac_work w;
static tac_input input;
static tac_ncp q;

static void begin(double h)
{
    tac_model_init(&m);
    truth_fill(&q, sizeof q, 0xFF); // what nobody has written is NaN
    truth_fill(&input, sizeof input, 0);
    tac_ncp_init(&q);
    m.h = (tac_real)h;
    m.gravity = vec(0, 0, -9.81);
    tac_model_add_material(&m, (tac_real)0.5, 0);
}

static double energy(void)
{
    return (double)w.report.kinetic + (double)w.report.potential;
}

// ----------------------------------------------------------------------------------------------------------- pendulum

#define SWING_TIME 0.8
#define SWING_START 2.0 // rad from hanging

// theta'' = -k sin(theta), by Runge and Kutta.
static double swing_truth(double k)
{
    double theta = SWING_START, rate = 0;
    const int steps = 4000;
    const double h = SWING_TIME / steps;
    for (int i = 0; i < steps; i++) {
        const double a = -k * d_sin(theta), b = -k * d_sin(theta + h / 2 * rate),
                     c = -k * d_sin(theta + h / 2 * rate + h * h / 4 * a),
                     d = -k * d_sin(theta + h * rate + h * h / 2 * b);
        theta += h * rate + h * h / 6 * (a + b + c);
        rate += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return theta;
}

// A hinge about y at the origin, the centre of mass half a metre away. Returns the angle at the end.
static double swing(int steps, double *gain, double *apart)
{
    begin(SWING_TIME / steps);
    const uint16_t b =
        add_body(&m, d3_make(0.5 * d_sin(SWING_START), 0, -0.5 * d_cos(SWING_START)), 2, d3_make(0.1, 0.12, 0.05));
    m.body[b].pose.q = dq_to(dq_about(d3_make(0, 1, 0), -SWING_START));
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, 0, b);
    j.frame_a.q = j.frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2)); // z along -y
    j.frame_b.p = vec(0, 0, 0.5);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    double last = -2 * 9.81 * 0.5 * d_cos(SWING_START);
    for (int i = 0; i < steps; i++) {
        tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_OK, "a pendulum takes a step");
        *gain = d_max(*gain, energy() - last);
        last = energy();
        d_worst(apart, joint_gap(&m, &s, &m.joint[0]));
    }
    tac_joint_state end;
    tap_equal(tac_state_get_joint(&m, &s, 0, &end), TAC_OK, "and has an angle");
    return (double)end.position;
}

// The scheme is of first order, and a hinge that pulls takes energy but never gives any.
static void test_pendulum(void)
{
    const double truth = swing_truth(2 * 9.81 * 0.5 / (0.12 + 2 * 0.25));
    double gain = 0, apart = 0, error[3];
    for (int i = 0; i < 3; i++) { error[i] = d_abs(swing(40 << i, &gain, &apart) - truth); }
    tap_most(gain, TOL(1e-12, 1e-4), "a pendulum never gains energy");
    tap_most(apart, TOL(1e-12, 1e-6), "its hinge holds at the end of each step");
    tap_most(error[1], 0.6 * error[0], "half the step, half the error");
    tap_most(error[2], 0.57 * error[1], "and again");
    tap_most(error[2], 0.12, "which is small");
}

// ---------------------------------------------------------------------------------------------------------------- cube

// A cube on a hinge along y, at the middle of its upper left edge, falls on the corner that comes down first.
static double drop(int steps, int implicit, int *hits)
{
    const double side = 0.2, lean = 0.1;
    begin(0.3 / steps);
    add_floor(&m);
    const d3 at = dq_rotate(dq_about(d3_make(0, 1, 0), lean), d3_make(side / 2, 0, -side / 2));
    const uint16_t b = add_body(&m, d3_add(d3_make(0, 0, 0.24), at), 2, d3_make(0.0133, 0.0133, 0.0133));
    m.body[b].pose.q = dq_to(dq_about(d3_make(0, 1, 0), lean));
    const tac_shape box = tac_shape_make(b, TAC_BOX, vec(side / 2, side / 2, side / 2));
    tac_model_add_shape(&m, &box);
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, 0, b);
    j.frame_a.q = j.frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), -TRUTH_PI / 2)); // z along y
    j.frame_a.p = vec(0, 0, 0.24);
    j.frame_b.p = vec(-side / 2, 0, side / 2);
    j.collide = 1;
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    for (int i = 0; i < steps; i++) {
        if (implicit) {
            tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_OK, "a cube on a hinge takes a step");
        } else {
            (void)tac_step(&m, &s, NULL, &w);
        }
        double impulse = 0;
        for (uint16_t c = 0; c < w.report.contacts; c++) { impulse += (double)w.contact[c].impulse.x; }
        *hits += impulse > 0;
    }
    tac_joint_state end;
    (void)tac_state_get_joint(&m, &s, 0, &end);
    return (double)end.position;
}

static void test_cube(void)
{
    int hits = 0, others = 0;
    double error[2];
    const double truth = drop(1000, 0, &others);
    for (int i = 0; i < 2; i++) { error[i] = d_abs(drop(60 << i, 1, &hits) - truth); }
    tap_most(error[0], TOL(1e-9, 1e-5), "a cube comes to rest where the cone program leaves it");
    tap_most(error[1], TOL(1e-9, 1e-5), "with half the step too");
    tap_least(hits, 10, "it hits the ground");
}

// -------------------------------------------------------------------------------------------------------------- scenes

// A scene by both methods. Returns how far apart bodies have been at the most, m.
static double beside(const char *name, uint32_t steps, double *joints)
{
    static tac_state other;
    static tac_work cone;
    const scene *sc = robot_find(name);
    double far = 0;
    truth_fill(&q, sizeof q, 0xFF);
    tac_ncp_init(&q);
    tap_equal(sc->build(&m), TAC_OK, name);
    (void)tac_state_init(&m, &s, NULL);
    (void)tac_state_init(&m, &other, NULL);
    for (uint32_t i = 0; i < steps; i++) {
        sc->drive(&m, i, &input);
        tap_equal(tac_step_implicit(&m, &s, &input, &w, &q), TAC_OK, tap_joined(name, " takes a step"));
        d_worst(joints, (double)w.report.joint_error);
        (void)tac_step(&m, &other, &input, &cone);
        for (uint16_t b = 1; b < m.bodies; b++) {
            d_worst(&far, d3_norm(d3_sub(d3_of(s.pose[b].p), d3_of(other.pose[b].p))));
        }
    }
    return far;
}

static void test_scenes(void)
{
    double joints = 0;
    const double linkage = beside("four_bar", 300, &joints), robot = beside("stand", 50, &joints);
    tap_most(linkage, TOL(1e-12, 1e-5), "a four-bar linkage goes where its crank leads");
    tap_most(robot, 2e-5, "a quadruped stands as with tac_step()");
    tap_most(joints, TOL(1e-13, 1e-6), "and all joints hold");
}

// -------------------------------------------------------------------------------------------------------------- random

// m dv = h m g + impulses of contacts + h sum of the joints' forces, of body b; relative to the largest of them.
static double momentum_error(uint16_t b)
{
    const double mass = (double)m.body[b].mass, h = (double)m.h;
    d3 p = d3_scale(mass, d3_sub(d3_sub(d3_of(s.twist[b].v), d3_of(old.twist[b].v)), d3_scale(h, d3_of(m.gravity))));
    double size = mass * h * 9.81;
    for (uint16_t i = 0; i < q.contacts; i++) {
        const tac_ncp_contact *c = &q.contact[i];
        const tac_contact *k = &w.contact[i];
        const double sign = k->body_b == b ? 1 : (k->body_a == b ? -1 : 0);
        const d3 f = d3_add(d3_scale((double)c->p_n, d3_of(c->normal)),
                            d3_add(d3_scale((double)c->p_t, d3_of(c->t)), d3_scale((double)c->p_o, d3_of(c->o))));
        p = d3_sub(p, d3_scale(sign, f));
        size = d_max(size, d_abs(sign) * d3_norm(f));
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        const double sign = m.joint[i].body_b == b ? h : (m.joint[i].body_a == b ? -h : 0);
        const d3 f = d3_scale(sign, d3_of(w.joint[i].force));
        p = d3_sub(p, f);
        size = d_max(size, d3_norm(f));
    }
    return d3_norm(p) / size;
}

// Without what stores energy that the report does not have.
static void without_springs(void)
{
    for (uint32_t i = 0; i < m.joints; i++) { m.joint[i].stiffness = m.joint[i].armature = 0; }
    tap_equal(tac_model_seal(&m, NULL), TAC_OK, "without springs and rotors");
}

// How far origins of joints are apart that are to meet.
static double worst_gap(void)
{
    double worst = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint8_t kind = m.joint[i].kind;
        if (kind <= TAC_REVOLUTE || kind == TAC_SPHERICAL || kind == TAC_UNIVERSAL) {
            d_worst(&worst, joint_gap(&m, &s, &m.joint[i]));
        }
    }
    return worst;
}

// Chains of all kinds of joints that fall on a floor, with motors of all kinds or without.
static void test_random(int driven, double most)
{
    const int steps = 100, worlds = 10;
    double momentum = 0, joints = 0, gain = 0;
    int unconverged = 0;
    for (jointed_seed = 1; jointed_seed <= (uint32_t)worlds; jointed_seed++) {
        truth_fill(&q, sizeof q, 0xFF);
        truth_fill(&input, sizeof input, 0);
        tac_ncp_init(&q);
        tap_equal(jointed_build(&m), TAC_OK, "a chain of joints");
        if (!driven) { without_springs(); }
        (void)tac_state_init(&m, &s, NULL);
        for (int i = 0; i < steps; i++) {
            truth_copy(&old, &s, sizeof s);
            if (driven) { jointed_drive(&m, (uint32_t)i, &input); }
            const double before = energy();
            tap_ok(tac_step_implicit(&m, &s, driven ? &input : NULL, &w, &q) >= 0, "takes a step");
            unconverged += !q.converged;
            if (!q.converged) { continue; }
            d_worst(&joints, d_max((double)w.report.joint_error, worst_gap()));
            if (!driven && i > 0) { gain = d_max(gain, (energy() - before) / d_max(1e-3, (double)w.report.kinetic)); }
            tap_equal(tac_reactions(&m, &w), TAC_OK, "its joints say what they bear");
            for (uint16_t b = 1; b < m.bodies; b++) { d_worst(&momentum, momentum_error(b)); }
        }
    }
    tap_most(momentum, TOL(1e-9, 1e-4), "momentum changes by contacts, joints and weight");
    tap_most(gain, TOL(1e-9, 1e-3), "energy is never made");
    tap_most(joints, TOL(1e-11, 1e-5), "joints hold at the end of each step");
    tap_most(unconverged, most * steps * worlds, "few steps are those of the cone program");
}

int main(void)
{
    test_pendulum();
    test_cube();
    test_scenes();
    test_random(0, TOL(0.02, 0.04)); // in float one of ten chains, whose masses are far apart
    test_random(1, TOL(0.02, 0.04));
    return tap_done();
}
