// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// Newton's and Euler's laws from what a step shows. For each dynamic body of random worlds, at each step,
//      m (v+ - v)  =  h m g + h f + sum of contacts' impulse + bounce, on b, against a  + h sum of joints' forces
//      I w+        =  exp(-h W) (I w + k),  in the body's frame, k the torque impulses of all these about its centre
// (free rotation, step/move.h: W is the mean rate of the step; without joints the impulses of contacts come after it,
// but for those that roll).
// Contacts with and without restitution, friction, spinning and rolling resistance; joints of all kinds in trees and
// loops, with limits, stops, springs, dry friction, rotors and motors; couplings; wrenches; a kinematic plate; every
// solver, converged or cut after a few sweeps. Velocities are the sums that the state keeps, compensation included.
// What is asked of the same steps: the force on a body is the sum over its shapes, and the accelerations of coordinates
// are differences of the velocities that tac_state_get_coordinates() reads before and after.
#include "used.h"
// Plain sweeps with the relaxed law may diverge on needles: impulses, and with them their rounding, grow.
#define WILD_THIN 0
#include "wild.h"
#include "begin.h"
#include "rolls.h"

enum { WORLDS = RUN(30, 6), STEPS = 40 };

static const double REACH = 100.0; // m
static const double FAR = 1.0;     // rad a step: beyond it free rotation keeps abs(L), not where L points

static tac_model m;
static tac_state before, s;
static tac_work w, asked;
static tac_input input;

// --------------------------------------------------------------------------------------------------------- the worlds

typedef struct kind {
    const char *name;
    uint8_t solver;
    int joints, cut, closed; // closed: joints close loops, and bodies of such joints bounce
} kind;

static void random_body(rng *r, double at)
{
    const double mass = log_range(r, -1, 1), k = 0.02 * mass;
    tac_body b = tac_body_make(
        TAC_DYNAMIC, vec(at + rng_range(r, -0.05, 0.05), rng_range(r, -0.05, 0.05), 0.3 + rng_range(r, -0.2, 0.2)));
    b.mass = (tac_real)mass;
    b.inertia = vec(k * rng_range(r, 0.6, 1), k * rng_range(r, 0.6, 1), k * rng_range(r, 0.6, 1));
    b.inertial = (tac_pose){d3_to(rng_box(r, 0.05)), dq_to(rng_quat(r))};
    b.pose.q = dq_to(rng_quat(r));
    wild_moments(r, &b);
    b.velocity = (tac_twist){d3_to(rng_box(r, 2)), d3_to(rng_box(r, 4))};
    const int32_t body = tac_model_add_body(&m, &b);
    tac_shape shape = tac_shape_make((uint16_t)body, (uint8_t)(TAC_SPHERE + rng_below(r, 3)), vec(0.15, 0.12, 0.1));
    shape.material = (uint8_t)rng_below(r, 3);
    tac_model_add_shape(&m, &shape);
}

static void random_motor(rng *r, uint32_t joint, double effort)
{
    input.motor[input.motors++] = (tac_motor){(tac_real)rng_range(r, -0.3, 0.3),
                                              (tac_real)rng_range(r, -1, 1),
                                              (tac_real)(0.1 * effort),
                                              (tac_real)effort,
                                              (tac_real)(0.1 * effort),
                                              (uint16_t)joint,
                                              (uint8_t)rng_below(r, TAC_MOTOR_KINDS)};
    if (rng_below(r, 3)) { m.joint[joint].effort = (tac_real)(effort * rng_range(r, 0.1, 10)); }
}

// What acts along a coordinate.
static void random_drive(rng *r, tac_joint *j, double effort)
{
    if (rng_below(r, 3) == 0) {
        j->lower = (tac_real)rng_range(r, -0.3, 0);
        j->upper = (tac_real)rng_range(r, 0, 0.3);
        if (rng_below(r, 3) == 0) { j->stop_stiffness = (tac_real)(50 * effort); }
    }
    if (rng_below(r, 4) == 0) { j->friction = (tac_real)(0.1 * effort * rng_range(r, 0, 1)); }
    if (rng_below(r, 4) == 0) { j->damping = (tac_real)(effort * rng_range(r, 0, 1)); }
    if (rng_below(r, 4) == 0) { j->stiffness = (tac_real)(20 * effort * rng_range(r, 0, 1)); }
    if (rng_below(r, 4) == 0) { j->armature = (tac_real)(0.01 * effort * rng_range(r, 0, 1)); }
}

static void random_joint(rng *r, uint16_t a, uint16_t b)
{
    const d3 at = d3_add(d3_of(m.body[b].pose.p), rng_box(r, 0.1));
    const dq q = rng_quat(r);
    tac_joint j;
    uint8_t what = (uint8_t)rng_below(r, TAC_BUSHING);
    what = what == TAC_COUPLING ? TAC_BUSHING : what;
    wild_turn(r, &a, &b);
    tac_joint_init(&j, what, a, b);
    j.length = (tac_real)(what == TAC_SCREW ? 0.05 : rng_range(r, 0.1, 0.3));
    const double reach = what == TAC_REVOLUTE_SPHERICAL || what == TAC_DISTANCE ? (double)j.length : 0;
    const double off = rng_below(r, 5) == 0 ? 1e-3 : 0; // violated at first
    j.frame_a = seen_from(&m, a, d3_add(at, rng_box(r, off)), q);
    j.frame_b = seen_from(&m, b, d3_add(at, dq_rotate(q, d3_make(reach, 0, 0))), q);
    if (what == TAC_BUSHING) {
        j.along = j.along_damping = vec(500, rng_range(r, 0, 500), 0);
        j.about = vec(5, 0, rng_range(r, 0, 5));
        j.about_damping = vec(0, 0.1, 0.1);
    }
    const int moves = what == TAC_REVOLUTE || what == TAC_PRISMATIC || what == TAC_SCREW;
    if (moves) { random_drive(r, &j, 10); }
    if (what == TAC_DISTANCE && rng_below(r, 2)) { j.lower = j.upper = (tac_real)reach; }
    j = used(&j);
    if (tac_model_add_joint(&m, &j) >= 0 && moves && rng_below(r, 2)) { random_motor(r, m.joints - 1, 10); }
}

// Of the last two joints with a coordinate, if there are such.
static void random_coupling(rng *r)
{
    uint16_t found[2] = {TAC_NONE, TAC_NONE};
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint8_t what = m.joint[i].kind;
        if (what < TAC_REVOLUTE || what > TAC_SCREW) { continue; }
        found[0] = found[1];
        found[1] = (uint16_t)i;
    }
    if (found[0] == TAC_NONE) { return; }
    tac_joint j;
    tac_joint_init(&j, TAC_COUPLING, found[0], found[1]);
    j.length = (tac_real)rng_range(r, 0.5, 2);
    j.lower = j.upper = 0;
    if (rng_below(r, 2)) {
        j.lower = 1, j.upper = -1;
        random_drive(r, &j, 10);
        j.damping = 1;
    }
    tac_model_add_joint(&m, &j);
}

static void random_input(rng *r)
{
    for (uint16_t i = 1; i < m.bodies; i++) {
        tac_action *a = &input.action[input.actions];
        if (rng_below(r, 3) || input.actions == TAC_MAX_ACTIONS) { continue; }
        *a = (tac_action){d3_to(rng_box(r, 10)), d3_to(rng_box(r, 1)), d3_to(rng_box(r, 0.1)), i,
                          (uint16_t)rng_below(r, 2)};
        if (m.body[i].kind == TAC_KINEMATIC) {
            a->kind = TAC_VELOCITY;
            a->linear = d3_to(rng_box(r, 0.2));
        }
        input.actions++;
    }
}

static void random_world(rng *r, const kind *k)
{
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)rng_range(r, 1e-3, 4e-3);
    m.gravity = d3_to(d3_add(d3_make(0, 0, -9.81), rng_box(r, 1)));
    m.options.solver = k->solver;
    m.options.friction = (uint8_t)rng_below(r, 2);
    m.options.max_sweeps = (uint16_t)(k->cut ? 1 + rng_below(r, 5) : 200);
    m.options.warm_start = (uint8_t)rng_below(r, 2);
    m.options.stabilise = rng_below(r, 6) == 0;
    for (int i = 0; i < 3; i++) {
        tac_model_add_material(&m, (tac_real)rng_range(r, 0, 1),
                               (tac_real)(i == 0 || (k->joints && !k->closed) ? 0.0 : rng_range(r, 0, 1)));
        m.material[i].spinning = m.material[i].rolling = (tac_real)(i == 2 ? 0.01 : 0.0);
    }
    wild_floor(&m, r, 0.5, 0);
    const uint32_t bodies = 2 + rng_below(r, 5);
    for (uint32_t i = 0; i < bodies; i++) { random_body(r, 0.25 * i); }
    tac_body plate = tac_body_make(TAC_KINEMATIC, vec(0.5, 0, 0));
    plate.velocity.v = vec(0.1, 0, 0.05);
    const uint16_t last = (uint16_t)tac_model_add_body(&m, &plate);
    const tac_shape slab = tac_shape_make(last, TAC_BOX, vec(0.4, 0.4, 0.05));
    tac_model_add_shape(&m, &slab);
    for (uint16_t i = 1; k->joints && i <= bodies; i++) {
        if (rng_below(r, 5)) { random_joint(r, (uint16_t)(rng_below(r, 8) ? rng_below(r, i) : last), i); }
    }
    for (uint32_t more = rng_below(r, 3); k->closed && more > 0; more--) { // loops
        const uint16_t a = (uint16_t)(1 + rng_below(r, bodies)), b = (uint16_t)(1 + rng_below(r, bodies));
        if (a != b) { random_joint(r, a, b); }
    }
    if (k->joints && rng_below(r, 2)) { random_coupling(r); }
    wild_passing(&m, r, 0.2, 1);
    random_input(r);
    wild_lead(&m, r);
    wild_numbers(&m, &input, r);
}

// ---------------------------------------------------------------------------------------------------------- the sums

// Impulses on one body: linear, and about its centre of mass; world. How large the terms are.
typedef struct sum {
    d3 linear, angular, spin; // spin: what comes before free rotation unless it is made after the solve
    double size, turn;
} sum;

static sum all[TAC_MAX_BODIES + 1];

static void push(uint16_t body, double sign, d3 at, d3 force, d3 torque)
{
    sum *x = &all[body];
    const d3 arm = d3_sub(at, d3_of(before.pose[body].p));
    const d3 about = d3_add(torque, d3_cross(arm, force));
    x->linear = d3_add(x->linear, d3_scale(sign, force));
    x->angular = d3_add(x->angular, d3_scale(sign, about));
    x->size += d3_norm(force);
    x->turn += d3_norm(torque) + d3_norm(arm) * d3_norm(force);
}

static void push_contact(const tac_contact *c)
{
    const d3 g = d3_add(d3_of(c->impulse), d3_of(c->bounce)), t = d3_of(c->torque), at = d3_of(c->point);
    const d3 n = d3_of(c->n), u = d3_of(c->u), v = d3_of(c->w);
    const d3 force = d3_add(d3_scale(g.x, n), d3_add(d3_scale(g.y, u), d3_scale(g.z, v)));
    const d3 torque = d3_add(d3_scale(t.x, n), d3_add(d3_scale(t.y, u), d3_scale(t.z, v)));
    push(c->body_b, 1, at, force, torque);
    push(c->body_a, -1, at, force, torque);
}

// Where the wrench of a joint acts: the origin of its frame on b.
static d3 joint_at(const tac_joint *j)
{
    return world_place(&m, &before, j->body_b, j->frame_b.p);
}

// What an effort along the coordinate of a joint is: a force or a torque on b.
static void push_effort(const tac_joint *j, double effort, d3 *force, d3 *torque)
{
    const dq a = dq_mul(dq_of(tac_state_get_pose(&m, &before, j->body_a).q), dq_of(j->frame_a.q));
    const d3 axis = dq_rotate(a, d3_make(0, 0, 1)), none = d3_make(0, 0, 0);
    *force = j->kind == TAC_PRISMATIC ? d3_scale(effort, axis) : none;
    *torque = j->kind == TAC_PRISMATIC ? none : d3_scale(effort, axis);
    push(j->body_b, 1, joint_at(j), *force, *torque);
    push(j->body_a, -1, joint_at(j), *force, *torque);
}

// A coupling acts with its effort along q_b, with -length times that along q_a. What is shown is its wrench on b of its
// joint b; returns how far that is off.
static double push_coupling(const tac_joint *j, const tac_joint_result *r, double h)
{
    double effort = 0;
    d3 force, torque, other, about;
    for (int i = 0; i < TAC_EFFORTS; i++) { effort += h * (double)r->effort[i]; }
    push_effort(&m.joint[j->body_b], effort, &force, &torque);
    push_effort(&m.joint[j->body_a], -(double)j->length * effort, &other, &about);
    const d3 off = d3_sub(d3_scale(h, d3_of(r->force)), force);
    return (d3_norm(off) + d3_norm(d3_sub(d3_scale(h, d3_of(r->torque)), torque))) / (1 + d_abs(effort));
}

static double push_joint(const tac_joint *j, const tac_joint_result *r)
{
    const double h = (double)m.h;
    if (j->kind == TAC_COUPLING) { return push_coupling(j, r, h); }
    push(j->body_b, 1, joint_at(j), d3_scale(h, d3_of(r->force)), d3_scale(h, d3_of(r->torque)));
    push(j->body_a, -1, joint_at(j), d3_scale(h, d3_of(r->force)), d3_scale(h, d3_of(r->torque)));
    return 0;
}

static void push_input(const tac_action *a)
{
    const dq q = dq_of(before.pose[a->body].q);
    d3 force = d3_of(a->linear), torque = d3_of(a->angular), arm = d3_of(a->point);
    if (a->kind == TAC_VELOCITY) { return; }
    if (a->kind == TAC_WRENCH_BODY) {
        force = dq_rotate(q, force);
        torque = dq_rotate(q, torque);
        arm = dq_rotate(q, arm);
    }
    const double h = (double)m.h;
    push(a->body, 1, d3_add(d3_of(before.pose[a->body].p), arm), d3_scale(h, force), d3_scale(h, torque));
}

// The force of the contacts on each body, about its centre, is what tac_body_force() says; `old` are sums without them.
static double contacts_differ(const sum *old)
{
    double worst = 0;
    for (uint16_t i = 0; i < m.bodies; i++) {
        tac_wrench f;
        if (tac_body_force(&m, &w, i, before.pose[i].p, &f) != TAC_OK) { return 1; }
        const d3 linear = d3_sub(all[i].linear, old[i].linear), angular = d3_sub(all[i].angular, old[i].angular);
        d_worst(&worst, d3_norm(d3_sub(d3_scale((double)m.h, d3_of(f.force)), linear)) / (1 + all[i].size));
        d_worst(&worst, d3_norm(d3_sub(d3_scale((double)m.h, d3_of(f.torque)), angular)) / (1 + all[i].turn));
    }
    return worst;
}

// How far the forces on the shapes of each body are from adding up to that on the body.
static double shapes_differ(void)
{
    static d3 force[TAC_MAX_BODIES + 1], torque[TAC_MAX_BODIES + 1];
    const tac_vec3 about = vec(0.3, -0.2, 0.1);
    double worst = 0;
    tac_wrench f;
    truth_fill(force, sizeof force, 0);
    truth_fill(torque, sizeof torque, 0);
    for (uint16_t i = 0; i < m.shapes; i++) {
        const uint16_t body = m.shape[i].body;
        if (tac_shape_force(&m, &w, i, about, &f) != TAC_OK) { return 1; }
        force[body] = d3_add(force[body], d3_of(f.force));
        torque[body] = d3_add(torque[body], d3_of(f.torque));
    }
    for (uint16_t i = 0; i < m.bodies; i++) {
        if (tac_body_force(&m, &w, i, about, &f) != TAC_OK) { return 1; }
        const double off = d3_norm(d3_sub(d3_of(f.force), force[i])) + d3_norm(d3_sub(d3_of(f.torque), torque[i]));
        d_worst(&worst, (double)m.h * off / (1 + all[i].size + all[i].turn));
    }
    return worst;
}

static double push_all(double *contacts)
{
    static sum old[TAC_MAX_BODIES + 1];
    double coupling = 0;
    truth_fill(all, sizeof all, 0);
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 weight = d3_scale((double)m.h * (double)m.body[i].mass, d3_of(m.gravity));
        push(i, 1, d3_of(before.pose[i].p), weight, d3_make(0, 0, 0));
    }
    for (int i = 0; i < input.actions; i++) { push_input(&input.action[i]); }
    for (uint16_t i = 1; i < m.bodies; i++) { all[i].spin = all[i].angular; }
    truth_copy(old, all, sizeof all);
    for (int i = 0; i < w.report.contacts; i++) { push_contact(&w.contact[i]); }
    d_worst(contacts, contacts_differ(old));
    d_worst(contacts, shapes_differ());
    tac_reactions(&m, &w);
    for (uint32_t i = 0; i < m.joints; i++) { d_worst(&coupling, push_joint(&m.joint[i], &w.joint[i])); }
    return coupling;
}

// ----------------------------------------------------------------------------------------------------------- the laws

static d3 times(tac_vec3 a, d3 b)
{
    return d3_make((double)a.x * b.x, (double)a.y * b.y, (double)a.z * b.z);
}

static d3 over(d3 b, tac_vec3 a)
{
    return d3_make(b.x / (double)a.x, b.y / (double)a.y, b.z / (double)a.z);
}

// L in the body's frame after a step of free rotation that ends with `end`: turned back by the mean rate
// I^-1 (L + end)/2.
static d3 rotated(tac_vec3 inertia, double h, d3 l, d3 end)
{
    const d3 turn = d3_scale(-0.5 * h, over(d3_add(l, end), inertia));
    return d3_norm(turn) > 0 ? dq_rotate(dq_about(turn, d3_norm(turn)), l) : l;
}

static d3 velocity(const tac_state *x, uint16_t i)
{
    return d3_add(d3_of(x->twist[i].v), d3_of(x->compensation[i].v));
}

static d3 rate(const tac_state *x, uint16_t i)
{
    return d3_add(d3_of(x->twist[i].w), d3_of(x->compensation[i].w));
}

static double linear_error(uint16_t i)
{
    const double mass = (double)m.body[i].mass;
    const d3 change = d3_scale(mass, d3_sub(velocity(&s, i), velocity(&before, i)));
    return d3_norm(d3_sub(change, all[i].linear)) / (all[i].size + mass * d3_norm(velocity(&before, i)));
}

static double angular_error(uint16_t i)
{
    const tac_vec3 inertia = m.body[i].inertia;
    const dq back = dq_conjugate(dq_of(before.pose[i].q));
    const d3 l = times(inertia, d3_of(before.twist[i].w)), kick = dq_rotate(back, all[i].angular);
    const int again = m.joints > 0 && !m.options.stabilise; // free rotation is made after the solve
    const d3 spin = again ? kick : dq_rotate(back, all[i].spin), late = d3_sub(kick, spin);
    const d3 start = d3_add(l, spin), change = times(inertia, d3_sub(rate(&s, i), rate(&before, i)));
    if (m.joints == 0 && rolls_turns(&w, i)) { // by how much is not shown, and torques are what free rotation leaves
        const double off = d_abs(d3_norm(d3_add(l, change)) - d3_norm(d3_add(l, kick))) / (all[i].turn + d3_norm(l));
        return off > TOL(1e-7, 1e-4) ? off : 0;
    }
    const d3 end = d3_sub(d3_add(l, change), late);
    const double size = all[i].turn + d3_norm(l);
    if ((double)m.h * d3_norm(over(start, inertia)) > FAR) { return d_abs(d3_norm(end) - d3_norm(start)) / size; }
    return d3_norm(d3_sub(end, rotated(inertia, (double)m.h, start, end))) / size;
}

// u = D'v+ of each contact from the state that the step ends with.
static double velocity_error(const tac_contact *c)
{
    d3 v[2];
    for (int side = 0; side < 2; side++) {
        const uint16_t i = side ? c->body_b : c->body_a;
        const d3 turn = dq_rotate(dq_of(before.pose[i].q), rate(&s, i));
        v[side] = d3_add(velocity(&s, i), d3_cross(turn, d3_sub(d3_of(c->point), d3_of(before.pose[i].p))));
        if (i == 0) { v[side] = d3_make(0, 0, 0); }
    }
    const d3 u = d3_sub(v[1], v[0]), got = d3_of(c->velocity);
    const d3 seen = d3_make(d3_dot(u, d3_of(c->n)), d3_dot(u, d3_of(c->u)), d3_dot(u, d3_of(c->w)));
    return d3_norm(d3_sub(seen, got)) / (1 + d3_norm(v[0]) + d3_norm(v[1]));
}

// The mode is that of the impulse which is shown.
static int mode_fits(const tac_contact *c)
{
    return c->mode == TAC_OPEN ? !((double)c->impulse.x > 0) : (double)c->impulse.x > 0;
}

// Accelerations of the coordinates against differences of their velocities, over the rounding of these.
static double acceleration_error(void)
{
    static tac_real q[TAC_MAX_POSITIONS], first[TAC_MAX_VELOCITIES], last[TAC_MAX_VELOCITIES], ddq[TAC_MAX_VELOCITIES];
    tac_coordinates map;
    double worst = 0, speed = 1;
    if (tac_model_get_coordinates(&m, &asked, &map) != TAC_OK ||
        tac_state_get_coordinates(&m, &before, &asked, q, first) != TAC_OK ||
        tac_state_get_coordinates(&m, &s, &asked, q, last) != TAC_OK ||
        tac_step_accelerations(&m, &s, &w, ddq) != TAC_OK) {
        return 1;
    }
    for (uint16_t i = 1; i < m.bodies; i++) { speed += d3_norm(velocity(&s, i)) + d3_norm(rate(&s, i)); }
    for (int k = 0; k < map.velocities; k++) {
        d_worst(&worst, ((double)m.h * (double)ddq[k] - ((double)last[k] - (double)first[k])) / speed);
    }
    return worst;
}

typedef struct tally {
    double linear, angular, coupling, velocity, motion, solved, residual, on_bodies, acceleration;
    double effort;
    uint64_t linear_at, angular_at, coupling_at, velocity_at, solved_at, acceleration_at, effort_at;
    int refused, worlds, modes, contacts, bounces, joints, saturated, astray, lost;
} tally;

// The certificate's equations of motion, of the velocities that the terms make, and of a solved step the worst of its
// figures that are relative.
static void certify(tally *t, uint64_t seed)
{
    tac_certificate c;
    double speed = 1;
    t->refused += tac_certify(&m, &w, &c) != TAC_OK;
    for (uint16_t i = 1; i < m.bodies; i++) {
        speed += d3_norm(velocity(&s, i)) + d3_norm(rate(&s, i)) + all[i].size / (double)m.body[i].mass;
    }
    d_worst(&t->motion, (double)c.r_eom / speed);
    if (w.report.status != TAC_OK) { return; }
    d_worst(&t->residual, (double)c.r_natmap);
    const double worst = d_max(d_max((double)c.r_ncp_primal, (double)c.r_ncp_dual), (double)c.r_ncp_compl);
    worst_at(&t->solved, &t->solved_at, d_max(worst, (double)c.r_natmap), seed);
}

// A motor never exceeds its limit, which some of them reach.
static void judge_motors(tally *t, uint64_t seed)
{
    for (uint16_t i = 0; i < input.motors; i++) {
        const uint16_t joint = input.motor[i].joint;
        const double most = (double)m.joint[joint].effort, effort = (double)w.joint[joint].effort[TAC_EFFORT_MOTOR];
        if (!(most < (double)TAC_MOST_FORCE)) { continue; }
        worst_at(&t->effort, &t->effort_at, d_max(0, d_abs(effort) / most - 1), seed);
        t->saturated += d_abs(effort) >= 0.999 * most;
    }
}

static void judge(tally *t, uint64_t seed)
{
    judge_motors(t, seed);
    worst_at(&t->coupling, &t->coupling_at, push_all(&t->on_bodies), seed);
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (m.body[i].kind != TAC_DYNAMIC) { continue; }
        worst_at(&t->linear, &t->linear_at, linear_error(i), seed);
        worst_at(&t->angular, &t->angular_at, angular_error(i), seed);
    }
    for (int i = 0; i < w.report.contacts; i++) {
        const int rolls = w.scratch.solve.block[i].rolls; // these show the velocity that their laws see
        if (rolls == 0) { worst_at(&t->velocity, &t->velocity_at, velocity_error(&w.contact[i]), seed); }
        t->modes += !mode_fits(&w.contact[i]);
        t->bounces += (double)w.contact[i].bounce.x > 0;
    }
    certify(t, seed);
    worst_at(&t->acceleration, &t->acceleration_at, acceleration_error(), seed); // the last: it writes to the scratch
    t->contacts += w.report.contacts;
    t->joints += (int)m.joints;
}

// What sums may be off: rounding, and where joints turn what the iterations leave that find their arcs.
static double balance(const kind *k)
{
    return k->joints ? TOL(4e-9, 1e-4) : TOL(1e-12, 1e-4);
}

// Has an unsolved step of a wild world ended velocity that leads nowhere along the arcs of joints, by impulses which
// are not shown, or has it wedged contacts between joints, so that the rounding of their impulses is a velocity?
static int astray(const kind *k)
{
    const double most = balance(k);
    double worst = 0, c;
    if (!wild || !k->joints || w.report.status == TAC_OK) { return 0; }
    (void)push_all(&c);
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (m.body[i].kind == TAC_DYNAMIC) { d_worst(&worst, d_max(linear_error(i), angular_error(i))); }
    }
    return worst > most;
}

// Has the position projection of unsolved steps of a wild world of joints moved a body out of the world? A body on a
// joint that lets it slide, deep in the floor, whose lever grows with each push, does not come back.
static int lost(const kind *k)
{
    double far = 0;
    for (uint16_t i = 1; i < m.bodies; i++) { d_worst(&far, d3_norm(d3_of(s.pose[i].p))); }
    return wild && k->joints && w.report.status != TAC_OK && far > REACH;
}

static void run(uint64_t seed, const kind *k, tally *t)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    random_world(&r, k);
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { return; }
    t->worlds++;
    for (int i = 0; i < STEPS; i++) {
        truth_copy(&before, &s, sizeof before);
        if (tac_step(&m, &s, &input, &w) < 0) {
            t->refused++;
            return;
        }
        if (lost(k)) {
            t->lost++;
            return;
        }
        if (astray(k)) {
            t->astray++;
        } else {
            judge(t, seed);
        }
    }
}

// Every second world is wild.
static void test_kind(const kind *k)
{
    tally t;
    const double most = balance(k);
    truth_fill(&t, sizeof t, 0);
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        wild = (int)(seed % 2);
        run(seed, k, &t);
    }
    tap_note("worlds", t.worlds);
    tap_note("contacts", t.contacts);
    tap_note("bounces", t.bounces);
    tap_note("joints", t.joints);
    tap_note("worst linear balance, of the terms", t.linear);
    tap_note_hex("seed", t.linear_at);
    tap_note("worst angular balance, of the terms", t.angular);
    tap_note_hex("seed", t.angular_at);
    tap_note("worst wrench of a coupling", t.coupling);
    tap_note_hex("seed", t.coupling_at);
    tap_note("worst velocity of a contact", t.velocity);
    tap_note_hex("seed", t.velocity_at);
    tap_least(t.worlds, WORLDS / 2, tap_joined("worlds are stepped:", k->name));
    tap_equal(t.refused, 0, "no step is refused");
    tap_most(t.astray, WORLDS * STEPS / 20, "few unsolved steps end motion that leads nowhere");
    tap_most(t.lost, 1, "and few worlds are torn apart by overlaps");
    tap_most(t.linear, most, tap_joined("m (v+ - v) is the sum of the impulses:", k->name));
    const double turned = k->joints && !k->closed ? TOL(1e-7, 1e-4) : most; // light bodies show more of it
    tap_most(t.angular, turned, tap_joined("I w+ too, about the centre of mass:", k->name));
    tap_most(t.coupling, TOL(1e-12, 1e-5), "couplings act along their coordinates");
    tap_note("worst equation of motion by the certificate", t.motion);
    tap_note("worst figure of a solved step", t.solved);
    tap_note_hex("seed", t.solved_at);
    if (TAC_REAL_BITS == 64 || !k->joints) { // in float the least of the impulses of a loop is not theirs to rounding
        tap_most(t.motion, k->closed ? 1e-6 : k->joints ? 1e-9 : TOL(1e-11, 1e-4), "the certificate says so too");
        tap_most(t.solved, TOL(1e-5, 1e-4), "and that steps are solved");
    }
    tap_most(t.residual, TOL(1e-5, 0.03), "no step counts as solved because its impulses are huge");
    tap_most(t.velocity, TOL(1e-12, 1e-5), tap_joined("contacts move as the state says:", k->name));
    tap_most(t.on_bodies, TOL(1e-12, 1e-5), tap_joined("the sum on a body is that of its contacts:", k->name));
    tap_most(t.acceleration, TOL(1e-14, 1e-5), tap_joined("accelerations of coordinates:", k->name));
    tap_note("seed of the worst", t.acceleration_at);
    tap_equal(t.modes, 0, "modes are those of the impulses");
    tap_note("motors at their limits", t.saturated);
    tap_note_hex("seed of the largest effort", t.effort_at);
    tap_most(t.effort, TOL(1e-12, 1e-6), tap_joined("no motor exceeds its limit:", k->name));
}

int main(void)
{
    static const kind kinds[] = {
        {"accelerated", TAC_SOLVER_ACCELERATED, 0, 0, 0},
        {"plain", TAC_SOLVER_PLAIN, 0, 0, 0},
        {"direct", TAC_SOLVER_DIRECT, 0, 0, 0},
        {"accelerated, cut", TAC_SOLVER_ACCELERATED, 0, 1, 0},
        {"joints, auto", TAC_SOLVER_AUTO, 1, 0, 0},
        {"joints, plain", TAC_SOLVER_PLAIN, 1, 0, 0},
        {"joints, direct", TAC_SOLVER_DIRECT, 1, 0, 0},
        {"joints, accelerated, cut", TAC_SOLVER_ACCELERATED, 1, 1, 0},
        {"joints, direct, cut", TAC_SOLVER_DIRECT, 1, 1, 0},
        {"loops, accelerated", TAC_SOLVER_ACCELERATED, 1, 0, 1},
        {"loops, direct", TAC_SOLVER_DIRECT, 1, 0, 1},
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) { test_kind(&kinds[i]); }
    return tap_done();
}
