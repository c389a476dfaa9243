// SPDX-License-Identifier: MIT
// config: robots
// Equations of motion of random mechanisms of every kind of joint that a tree may have, on free roots, the ground and a
// moving kinematic body, met from either side: coordinates out of a state and into one; M by columns of inverse
// dynamics, energy, forward after inverse; efforts by d'Alembert's principle, from accelerations that are differences
// of velocities, and by their power, the rate of the energy; Jacobians by differences of places. Of the size of a
// robot, of 1 mm and of 100 m.
#include "random_mechanism.h"
#include "tap.h"
#include "used.h"

#define BODIES 9
#define MOST TAC_MAX_VELOCITIES
#define SEEDS RUN(60, 12)
#define PRECISE (TAC_REAL_BITS == 64)

static const uint8_t KIND[] = {TAC_FIXED,     TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW,
                               TAC_SPHERICAL, TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};

static tac_model m;
static tac_state s, other;
static tac_work w;
static tac_coordinates map;
static tac_real q[TAC_MAX_POSITIONS], rates[MOST], matrix[MOST * MOST];
static double size; // m, of the mechanism
static uint16_t n;

// ---------------------------------------------------------------------------------------------------------- mechanisms

static tac_pose random_pose(rng *r)
{
    return (tac_pose){d3_to(rng_box(r, size)), dq_to(rng_quat(r))};
}

static void add_body(rng *r, uint8_t kind)
{
    tac_body b = tac_body_make(kind, vec(0, 0, 0));
    const double mass = rng_range(r, 0.5, 2) * size * size * size, moment = mass * size * size;
    b.mass = (tac_real)mass;
    b.inertia = vec(rng_range(r, 0.3, 0.5) * moment, rng_range(r, 0.3, 0.5) * moment, rng_range(r, 0.3, 0.5) * moment);
    b.inertial = random_pose(r);
    b.pose = random_pose(r);
    b.velocity = (tac_twist){d3_to(rng_box(r, size)), d3_to(rng_box(r, 1))};
    tac_model_add_body(&m, &b);
}

// Two bodies without a joint between them, or one of their own; each further one hangs on one before it.
static void build(rng *r, uint16_t bodies)
{
    uint16_t name[BODIES + 1];
    tac_model_init(&m);
    m.gravity = d3_to(rng_box(r, 10 * size));
    for (uint16_t i = 1; i <= bodies; i++) { add_body(r, TAC_DYNAMIC); }
    for (uint16_t i = 1; i <= bodies; i++) { // any order
        const uint16_t at = (uint16_t)(1 + rng_below(r, i));
        name[i] = name[at];
        name[at] = i;
    }
    name[0] = 0;
    if (rng_below(r, 3) == 0) { m.body[name[1]].kind = TAC_KINEMATIC; }
    for (uint16_t i = 1; i <= bodies; i++) {
        const uint16_t on = (uint16_t)rng_below(r, i);
        if ((on == 0 && rng_below(r, 3) > 0) || (i == 1 && m.body[name[1]].kind == TAC_KINEMATIC)) { continue; }
        const int turned = rng_below(r, 3) == 0;
        tac_joint j;
        tac_joint_init(&j, KIND[rng_below(r, sizeof KIND)], name[turned ? i : on], name[turned ? on : i]);
        j.frame_a = random_pose(r);
        j.frame_b = random_pose(r);
        if (j.kind == TAC_SCREW) { j.length = (tac_real)(0.3 * size); }
        if (j.kind == TAC_REVOLUTE) {
            j.armature = (tac_real)(rng_range(r, 0, 0.2) * size * size * size * size * size);
        }
        tac_model_add_joint(&m, &j);
    }
    if (m.joints > 1) { // one that closes a loop, and one that is of no tree
        tac_joint j = m.joint[0];
        j.kind = TAC_REVOLUTE;
        j = used(&j);
        tac_model_add_joint(&m, &j);
        j.kind = TAC_DISTANCE;
        j = used(&j);
        tac_model_add_joint(&m, &j);
    }
}

static void put_quat(tac_real *x, dq a)
{
    x[0] = (tac_real)a.w, x[1] = (tac_real)a.x, x[2] = (tac_real)a.y, x[3] = (tac_real)a.z;
}

static void random_coordinates(rng *r)
{
    for (uint32_t i = 0; i < map.positions; i++) { q[i] = (tac_real)(rng_range(r, -1, 1) * size); }
    for (uint32_t i = 0; i < n; i++) { rates[i] = (tac_real)rng_range(r, -1, 1); }
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (map.body[i].position == TAC_NONE) { continue; }
        put_quat(q + map.body[i].position + 3, rng_quat(r));
        for (int k = 0; k < 3; k++) { rates[map.body[i].velocity + k] *= (tac_real)size; }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        if (map.joint[i].position == TAC_NONE) { continue; }
        tac_real *x = q + map.joint[i].position, *v = rates + map.joint[i].velocity;
        const uint8_t kind = m.joint[i].kind;
        const int slides = kind == TAC_PRISMATIC || kind == TAC_CYLINDRICAL ? 1 : (kind == TAC_PLANAR ? 2 : 0);
        const int turns = kind == TAC_PRISMATIC || kind == TAC_FIXED || kind == TAC_SPHERICAL ? 0 : 1;
        for (int k = 0; k < slides; k++) { v[k] *= (tac_real)size; }
        for (int k = slides; k < slides + turns; k++) { x[k] = (tac_real)rng_range(r, -2, 2); }
        if (kind == TAC_UNIVERSAL) { x[1] = (tac_real)rng_range(r, -1, 1); }
        if (kind == TAC_SPHERICAL) { put_quat(x, rng_quat(r)); }
    }
}

// A mechanism in a random state. Returns 0 if something is refused.
static int begin(rng *r, uint16_t bodies)
{
    build(r, bodies);
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { return 0; }
    if (tac_model_get_coordinates(&m, &w, &map) != TAC_OK) { return 0; }
    n = map.velocities;
    random_coordinates(r);
    return tac_state_set_coordinates(&m, &s, q, rates, &w) == TAC_OK;
}

// --------------------------------------------------------------------------------------------------------------- truth

// Scale of an effort along each coordinate: sqrt(M_kk) times the largest of all over theirs.
static double effort_error(const tac_real *a, const tac_real *b)
{
    double worst = 0, most = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double unit = d_sqrt((double)matrix[k * n + k]);
        most = d_max(most, d_abs((double)b[k]) / unit);
        d_worst(&worst, ((double)a[k] - (double)b[k]) / unit);
    }
    return worst / most;
}

static double acceleration_error(const tac_real *a, const tac_real *b)
{
    double worst = 0, most = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double unit = d_sqrt((double)matrix[k * n + k]);
        most = d_max(most, d_abs((double)b[k]) * unit);
        d_worst(&worst, ((double)a[k] - (double)b[k]) * unit);
    }
    return worst / most;
}

static dq quat_step(d3 turn)
{
    const double angle = d3_norm(turn);
    return angle > 0 ? dq_about(turn, angle) : (dq){1, 0, 0, 0};
}

static dq quat_at(const tac_real *x)
{
    return (dq){(double)x[0], (double)x[1], (double)x[2], (double)x[3]};
}

static d3 d3_at(const tac_real *x)
{
    return d3_make((double)x[0], (double)x[1], (double)x[2]);
}

// `other` is the state after a time h at accelerations ddq.
static void advance(const tac_real *ddq, double h)
{
    tac_real x[TAC_MAX_POSITIONS], v[MOST], step[MOST];
    other = s;
    for (uint32_t i = 0; i < map.positions; i++) { x[i] = q[i]; }
    for (uint32_t i = 0; i < n; i++) {
        step[i] = (tac_real)(h * (double)rates[i] + 0.5 * h * h * (double)ddq[i]);
        v[i] = (tac_real)((double)rates[i] + h * (double)ddq[i]);
    }
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (m.body[i].kind == TAC_KINEMATIC) {
            const tac_twist t = s.twist[i];
            other.pose[i].p = d3_to(d3_add(d3_of(s.pose[i].p), d3_scale(h, d3_of(t.v))));
            other.pose[i].q = dq_to(dq_mul(dq_of(s.pose[i].q), quat_step(d3_scale(h, d3_of(t.w)))));
        }
        if (map.body[i].position == TAC_NONE) { continue; }
        tac_real *p = x + map.body[i].position;
        const tac_real *d = step + map.body[i].velocity;
        for (int k = 0; k < 3; k++) { p[k] += d[k]; }
        put_quat(p + 3, dq_mul(quat_at(p + 3), quat_step(d3_at(d + 3))));
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        if (map.joint[i].position == TAC_NONE) { continue; }
        tac_real *p = x + map.joint[i].position;
        const tac_real *d = step + map.joint[i].velocity;
        const uint32_t end = i + 1 < m.joints && map.joint[i + 1].velocity != TAC_NONE ? map.joint[i + 1].velocity : n;
        if (m.joint[i].kind == TAC_SPHERICAL) {
            put_quat(p, dq_mul(quat_step(d3_at(d)), quat_at(p)));
        } else {
            for (uint32_t k = 0; k + map.joint[i].velocity < end; k++) { p[k] += d[k]; }
        }
    }
    if (tac_state_set_coordinates(&m, &other, x, v, &w) != TAC_OK) { tap_ok(0, "an advanced state is refused"); }
}

static d3 spin_of(const tac_state *at, uint16_t body)
{
    const d3 rate = d3_of(at->twist[body].w), i = d3_of(m.body[body].inertia);
    return dq_rotate(dq_of(at->pose[body].q), d3_make(i.x * rate.x, i.y * rate.y, i.z * rate.z));
}

// d'Alembert: along each coordinate the sum over bodies of m (dv/dt - g) and dL/dt times its unit motion; derivatives
// are differences over 2 h, unit motions differences of velocities.
static void by_hand(const tac_real *ddq, double h, tac_real *effort)
{
    static d3 force[BODIES + 1], torque[BODIES + 1], still[BODIES + 1], rest[BODIES + 1];
    tac_real unit[MOST];
    for (int side = -1; side <= 1; side += 2) {
        advance(ddq, side * h);
        for (uint16_t i = 1; i < m.bodies; i++) {
            const d3 f = d3_scale((double)m.body[i].mass * side / (2 * h), d3_of(other.twist[i].v));
            const d3 t = d3_scale(side / (2 * h), spin_of(&other, i));
            force[i] = side < 0 ? d3_sub(f, d3_scale((double)m.body[i].mass, d3_of(m.gravity))) : d3_add(force[i], f);
            torque[i] = side < 0 ? t : d3_add(torque[i], t);
        }
    }
    for (int k = -1; k < n; k++) {
        for (int i = 0; i < n; i++) { unit[i] = i == k; }
        other = s;
        (void)tac_state_set_coordinates(&m, &other, q, unit, &w);
        double sum = 0;
        for (uint16_t i = 1; i < m.bodies; i++) {
            const d3 v = d3_of(other.twist[i].v), rate = world_rate(&other, i);
            if (k < 0) {
                still[i] = v;
                rest[i] = rate;
            } else if (m.body[i].kind == TAC_DYNAMIC) {
                sum += d3_dot(force[i], d3_sub(v, still[i])) + d3_dot(torque[i], d3_sub(rate, rest[i]));
            }
        }
        if (k >= 0) { effort[k] = (tac_real)sum; }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint16_t at = map.joint[i].velocity;
        if (at != TAC_NONE && m.joint[i].armature > 0) { effort[at] += m.joint[i].armature * ddq[at]; }
    }
}

// -------------------------------------------------------------------------------------------------------------- checks

typedef struct errors {
    double read, columns, energy, still, forward, hand, jacobian, turned, point, momenta, drift, places, power;
    uint64_t at[13];
} errors;

// The coordinates read are those written, and those of single joints.
static double read_back(void)
{
    tac_real x[TAC_MAX_POSITIONS], v[MOST];
    double worst = 0;
    if (tac_state_get_coordinates(&m, &s, &w, x, v) != TAC_OK) { return 1; }
    for (uint32_t i = 0; i < n; i++) { d_worst(&worst, (double)(v[i] - rates[i])); }
    for (uint32_t i = 0; i < m.joints; i++) {
        tac_joint_state one;
        const tac_coordinate at = map.joint[i];
        if (at.position == TAC_NONE) { continue; }
        if (m.joint[i].kind == TAC_SPHERICAL) { // a quaternion and its opposite are the same
            const dq a = quat_at(x + at.position), b = quat_at(q + at.position);
            d_worst(&worst, d_abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z) - 1);
            continue;
        }
        const uint32_t end = i + 1 < m.joints && map.joint[i + 1].velocity != TAC_NONE ? map.joint[i + 1].velocity : n;
        for (uint32_t k = 0; at.velocity + k < end; k++) {
            d_worst(&worst, (double)(x[at.position + k] - q[at.position + k]));
        }
        const uint8_t kind = m.joint[i].kind;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC && kind != TAC_SCREW) { continue; }
        if (tac_state_get_joint(&m, &s, i, &one) != TAC_OK) { return 1; }
        d_worst(&worst, (double)(one.position - q[at.position]));
        d_worst(&worst, (double)(one.velocity - rates[at.velocity]));
    }
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (map.body[i].position == TAC_NONE) { continue; }
        for (int k = 0; k < 7; k++) {
            d_worst(&worst, (double)(x[map.body[i].position + k] - q[map.body[i].position + k]));
        }
    }
    return worst;
}

// M by columns of inverse dynamics; symmetric to the bit.
static double columns_differ(const tac_real *bias)
{
    tac_real unit[MOST], column[MOST];
    double worst = 0;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) { unit[i] = i == k; }
        if (tac_inverse_dynamics(&m, &s, unit, &w, column) != TAC_OK) { return 1; }
        for (uint32_t i = 0; i < n; i++) {
            const double scale =
                d_sqrt((double)matrix[i * n + i]) *
                (d_sqrt((double)matrix[k * n + k]) + d_abs((double)bias[i]) / d_sqrt((double)matrix[i * n + i]));
            d_worst(&worst, ((double)(column[i] - bias[i]) - (double)matrix[i * n + k]) / scale);
            if (matrix[i * n + k] != matrix[k * n + i]) { worst = 1; }
        }
    }
    return worst;
}

// 1/2 dq'M dq is the kinetic energy, with that of the rotors.
static double energy_differs(void)
{
    tac_real kinetic;
    double sum = 0, rotors = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            sum += 0.5 * (double)rates[i] * (double)matrix[i * n + k] * (double)rates[k];
        }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint16_t at = map.joint[i].velocity;
        if (at != TAC_NONE) { rotors += 0.5 * (double)m.joint[i].armature * (double)rates[at] * (double)rates[at]; }
    }
    tac_energy(&m, &s, &kinetic, NULL);
    return ((double)kinetic + rotors - sum) / sum;
}

static int any_kinematic(void)
{
    int found = 0;
    for (uint16_t i = 1; i < m.bodies; i++) { found |= m.body[i].kind == TAC_KINEMATIC; }
    return found;
}

// Velocity of a point of a body, and its angular velocity, by the twist.
static void velocity_at(const tac_state *at, uint16_t body, tac_vec3 point, d3 *linear, d3 *angular)
{
    *angular = world_rate(at, body);
    *linear = d3_add(d3_of(at->twist[body].v),
                     d3_cross(*angular, d3_sub(world_place(&m, at, body, point), d3_of(at->pose[body].p))));
}

static double apart(d3 a, tac_vec3 b)
{
    return d3_norm(d3_sub(a, d3_of(b)));
}

static tac_vec3 row_times(const tac_real *rows)
{
    double x[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < n; i++) { x[k] += (double)rows[(uint32_t)k * n + i] * (double)rates[i]; }
    }
    return vec(x[0], x[1], x[2]);
}

// J column by column, in both axes; what it makes of the rates.
static int points(uint16_t body, tac_vec3 point, uint64_t seed, errors *e)
{
    static tac_real world[6 * MOST], own[6 * MOST];
    tac_point_motion at;
    tac_real unit[MOST] = {0};
    d3 linear, angular, still, rest;
    const dq back = dq_conjugate(dq_of(tac_state_get_pose(&m, &s, body).q));
    int good = tac_jacobian(&m, &s, body, point, TAC_AXES_WORLD, &w, world) == TAC_OK &&
               tac_jacobian(&m, &s, body, point, TAC_AXES_BODY, &w, own) == TAC_OK &&
               tac_body_point(&m, &s, body, point, TAC_AXES_WORLD, &w, &at) == TAC_OK;
    other = s;
    good &= tac_state_set_coordinates(&m, &other, q, unit, &w) == TAC_OK;
    velocity_at(&other, body, point, &still, &rest);
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) { unit[i] = i == k; }
        good &= tac_state_set_coordinates(&m, &other, q, unit, &w) == TAC_OK;
        velocity_at(&other, body, point, &linear, &angular);
        linear = d3_sub(linear, still);
        angular = d3_sub(angular, rest);
        const double scale = size + d3_norm(linear); // a unit rate may be of a root or a slide
        const double error = apart(linear, (tac_vec3){world[k], world[n + k], world[2 * n + k]}) / scale +
                             apart(angular, (tac_vec3){world[3 * n + k], world[4 * n + k], world[5 * n + k]});
        linear = dq_rotate(back, linear);
        angular = dq_rotate(back, angular);
        const double turned = apart(linear, (tac_vec3){own[k], own[n + k], own[2 * n + k]}) / scale +
                              apart(angular, (tac_vec3){own[3 * n + k], own[4 * n + k], own[5 * n + k]});
        worst_at(&e->jacobian, &e->at[6], error, seed);
        worst_at(&e->turned, &e->at[7], turned, seed);
    }
    const d3 made = d3_add(d3_of(row_times(world)), still), turns = d3_add(d3_of(row_times(world + 3 * n)), rest);
    worst_at(&e->jacobian, &e->at[6], apart(made, at.linear) / size + apart(turns, at.angular), seed);
    worst_at(&e->jacobian, &e->at[6], apart(world_place(&m, &s, body, point), at.position) / size, seed);
    return good;
}

// Drifts as differences over 2 h of velocities and momenta, velocities as those of places.
static int drifts(uint16_t body, tac_vec3 point, double h, uint64_t seed, errors *e)
{
    static tac_point_motion to[2], at;
    static tac_centroid c[2], whole;
    const tac_real none[MOST] = {0};
    const uint16_t tree = m.body[body].kind == TAC_DYNAMIC && seed % 2 ? body : TAC_NONE;
    int good = tac_body_point(&m, &s, body, point, TAC_AXES_WORLD, &w, &at) == TAC_OK &&
               tac_centroidal(&m, &s, tree, &w, &whole, NULL) == TAC_OK;
    for (int side = 0; side < 2; side++) {
        advance(none, side ? h : -h);
        good &= tac_body_point(&m, &other, body, point, TAC_AXES_WORLD, &w, &to[side]) == TAC_OK &&
                tac_centroidal(&m, &other, tree, &w, &c[side], NULL) == TAC_OK;
    }
    const double part = 0.5 / h, scale = size * size * size * size;
    const d3 place = d3_scale(part, d3_sub(d3_of(to[1].position), d3_of(to[0].position)));
    const d3 linear = d3_scale(part, d3_sub(d3_of(to[1].linear), d3_of(to[0].linear)));
    const d3 angular = d3_scale(part, d3_sub(d3_of(to[1].angular), d3_of(to[0].angular)));
    worst_at(&e->point, &e->at[8], apart(place, at.linear) / size, seed);
    worst_at(&e->point, &e->at[8], apart(linear, at.linear_drift) / size + apart(angular, at.angular_drift), seed);
    const d3 centre = d3_scale(part, d3_sub(d3_of(c[1].centre), d3_of(c[0].centre)));
    const d3 force = d3_scale(part, d3_sub(d3_of(c[1].linear), d3_of(c[0].linear)));
    const d3 torque = d3_scale(part, d3_sub(d3_of(c[1].angular), d3_of(c[0].angular)));
    worst_at(&e->drift, &e->at[10], apart(centre, whole.velocity) / size, seed);
    worst_at(&e->drift, &e->at[10],
             apart(force, whole.linear_drift) / scale + apart(torque, whole.angular_drift) / (scale * size), seed);
    return good;
}

// Displacement and turn of a body's point per time, by places h before and after at these rates, without accelerations.
static void differences(uint16_t body, tac_vec3 point, double h, d3 *linear, d3 *angular)
{
    const tac_real none[MOST] = {0};
    d3 place[2];
    dq turn[2];
    for (int side = 0; side < 2; side++) {
        advance(none, side ? h : -h);
        place[side] = world_place(&m, &other, body, point);
        turn[side] = dq_of(tac_state_get_pose(&m, &other, body).q);
    }
    const dq by = dq_mul(turn[1], dq_conjugate(turn[0]));
    *linear = d3_scale(0.5 / h, d3_sub(place[1], place[0]));
    *angular = d3_scale((by.w < 0 ? -1 : 1) / h, d3_make(by.x, by.y, by.z));
}

// J column by column, as differences over 2 h of places.
static int columns_of_places(uint16_t body, tac_vec3 point, double h, uint64_t seed, errors *e)
{
    static tac_real world[6 * MOST], kept[MOST];
    d3 linear, angular, still, rest;
    truth_copy(kept, rates, sizeof kept);
    const int good = tac_jacobian(&m, &s, body, point, TAC_AXES_WORLD, &w, world) == TAC_OK;
    for (uint32_t i = 0; i < n; i++) { rates[i] = 0; }
    differences(body, point, h, &still, &rest);
    for (uint32_t k = 0; k < n; k++) {
        rates[k] = 1;
        differences(body, point, h, &linear, &angular);
        rates[k] = 0;
        linear = d3_sub(linear, still);
        angular = d3_sub(angular, rest);
        const double error =
            apart(linear, (tac_vec3){world[k], world[n + k], world[2 * n + k]}) / (size + d3_norm(linear)) +
            apart(angular, (tac_vec3){world[3 * n + k], world[4 * n + k], world[5 * n + k]});
        worst_at(&e->places, &e->at[11], error, seed);
    }
    truth_copy(rates, kept, sizeof kept);
    return good;
}

// Kinetic and potential energy of bodies and rotors, J, a time h later at accelerations ddq.
static double energy_of(const tac_real *ddq, double h)
{
    tac_real kinetic, potential;
    advance(ddq, h);
    tac_energy(&m, &other, &kinetic, &potential);
    double rotors = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint16_t at = map.joint[i].velocity;
        if (at == TAC_NONE) { continue; }
        const double rate = (double)rates[at] + h * (double)ddq[at];
        rotors += 0.5 * (double)m.joint[i].armature * rate * rate;
    }
    return (double)kinetic + (double)potential + rotors;
}

// Power balance: efforts times rates is the rate of the energy.
static double power_differs(const tac_real *ddq, const tac_real *effort, double h)
{
    double power = 0, largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        power += (double)effort[i] * (double)rates[i];
        largest += d_abs((double)effort[i] * (double)rates[i]);
    }
    return (0.5 / h * (energy_of(ddq, h) - energy_of(ddq, -h)) - power) / largest;
}

// Momenta of all bodies are those of tac_momentum(); without a kinematic body they are A dq.
static int momenta(uint64_t seed, errors *e)
{
    static tac_real rows[6 * MOST];
    const double scale = size * size * size * size;
    tac_centroid c;
    tac_vec3 linear, angular;
    const int good = tac_centroidal(&m, &s, TAC_NONE, &w, &c, rows) == TAC_OK;
    tac_momentum(&m, &s, &linear, &angular);
    const d3 about = d3_add(d3_of(c.angular), d3_cross(d3_of(c.centre), d3_of(c.linear)));
    worst_at(&e->momenta, &e->at[9], apart(d3_of(linear), c.linear) / scale + apart(about, angular) / (scale * size),
             seed);
    if (any_kinematic()) { return good; }
    worst_at(&e->momenta, &e->at[9], apart(d3_of(row_times(rows)), c.linear) / scale, seed);
    worst_at(&e->momenta, &e->at[9], apart(d3_of(row_times(rows + 3 * n)), c.angular) / (scale * size), seed);
    return good;
}

static void compare_points(rng *r, uint64_t seed, errors *e)
{
    const uint16_t body = (uint16_t)rng_below(r, m.bodies);
    const tac_vec3 point = d3_to(rng_box(r, size));
    int good = points(body, point, seed, e) && momenta(seed, e);
    if (PRECISE) { good &= drifts(body, point, 1e-5, seed, e) && columns_of_places(body, point, 1e-5, seed, e); }
    if (!good) { tap_ok(0, "a query about a point is refused"); }
}

static void compare(rng *r, uint64_t seed, errors *e)
{
    tac_real bias[MOST], ddq[MOST], effort[MOST], back[MOST], hand[MOST];
    int good = tac_mass_matrix(&m, &s, &w, matrix) == TAC_OK;
    good &= tac_bias(&m, &s, &w, bias) == TAC_OK;
    worst_at(&e->read, &e->at[0], read_back(), seed);
    worst_at(&e->columns, &e->at[1], columns_differ(bias), seed);
    if (!any_kinematic()) { worst_at(&e->energy, &e->at[2], energy_differs(), seed); }
    for (uint32_t i = 0; i < n; i++) { ddq[i] = (tac_real)(rng_range(r, -1, 1) * (double)rates[i] * 3); }
    good &= tac_inverse_dynamics(&m, &s, ddq, &w, effort) == TAC_OK;
    good &= tac_forward_dynamics(&m, &s, effort, &w, back) == TAC_OK;
    worst_at(&e->forward, &e->at[3], acceleration_error(back, ddq), seed);
    if (PRECISE) {
        by_hand(ddq, 1e-5, hand);
        worst_at(&e->hand, &e->at[4], effort_error(effort, hand), seed);
        if (!any_kinematic()) { worst_at(&e->power, &e->at[12], power_differs(ddq, effort, 1e-5), seed); }
    }
    other = s;
    for (uint16_t i = 0; i < m.bodies; i++) { other.twist[i] = (tac_twist){{0, 0, 0}, {0, 0, 0}}; }
    good &= tac_gravity_effort(&m, &s, &w, effort) == TAC_OK;
    good &= tac_bias(&m, &other, &w, back) == TAC_OK;
    worst_at(&e->still, &e->at[5], effort_error(effort, back), seed);
    if (!good) { tap_ok(0, "a query is refused"); }
}

static void judge(double length, const char *name)
{
    errors e = {0};
    size = length;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rng r = {seed};
        const uint16_t bodies = (uint16_t)(1 + rng_below(&r, BODIES));
        if (!begin(&r, bodies)) {
            tap_ok(0, tap_numbered("a mechanism is refused, seed", (double)seed));
        } else if (n > 0) {
            compare(&r, seed, &e);
            compare_points(&r, seed, &e);
        }
    }
    tap_most(e.read, TOL(1e-12, 1e-3) * d_max(1, length), tap_joined(name, "coordinates read are those written"));
    tap_most(e.columns, TOL(1e-13, 1e-4), tap_joined(name, "M by columns of inverse dynamics"));
    tap_most(e.energy, TOL(1e-13, 1e-5), tap_joined(name, "kinetic energy"));
    tap_most(e.forward, TOL(1e-11, 1e-3), tap_joined(name, "forward after inverse dynamics"));
    tap_most(e.still, TOL(1e-13, 1e-5), tap_joined(name, "efforts against gravity"));
    tap_most(e.hand, 1e-7, tap_joined(name, "efforts by d'Alembert's principle"));
    tap_most(e.jacobian, TOL(1e-12, 1e-4), tap_joined(name, "Jacobian of a point, its velocity and place"));
    tap_most(e.turned, TOL(1e-12, 1e-4), tap_joined(name, "Jacobian in the axes of the body"));
    tap_most(e.point, 1e-7, tap_joined(name, "velocity and drift of a point by differences"));
    tap_most(e.momenta, TOL(1e-12, 1e-4), tap_joined(name, "momenta"));
    tap_most(e.drift, 1e-7, tap_joined(name, "drift of momenta by differences"));
    tap_most(e.places, 1e-7, tap_joined(name, "Jacobian by differences of places"));
    tap_most(e.power, 1e-6, tap_joined(name, "efforts times rates are the rate of the energy"));
    for (int i = 0; i < 13; i++) { tap_note("seed of the worst", e.at[i]); }
}

// ------------------------------------------------------------------------------------------------------------ refusals

static void refused(tac_status status, tac_status expected, const tac_real *x, size_t count, const char *name)
{
    int untouched = 1;
    for (size_t i = 0; i < count; i++) { untouched &= x[i] == (tac_real)7; }
    tap_equal(status, expected, name);
    tap_ok(untouched, tap_joined(name, "writes nothing"));
}

static void refusals(void)
{
    tac_real x[MOST], bad[MOST] = {0}, zeros[MOST] = {0};
    rng r = {5};
    size = 1;
    tap_ok(begin(&r, 5) && n > 0, "a mechanism of five bodies");
    for (int i = 0; i < MOST; i++) { x[i] = 7; }
    bad[n - 1] = real_nan();
    refused(tac_inverse_dynamics(&m, &s, bad, &w, x), TAC_E_NAN, x, MOST, "an acceleration that is not a number");
    refused(tac_forward_dynamics(&m, &s, bad, &w, x), TAC_E_NAN, x, MOST, "an effort that is not a number");
    refused(tac_bias(&m, &s, &w, NULL), TAC_E_ARG, x, MOST, "no place for efforts");
    refused(tac_bias(&m, NULL, &w, x), TAC_E_ARG, x, MOST, "no state");
    refused(tac_bias(NULL, &s, &w, x), TAC_E_ARG, x, MOST, "no model");
    refused(tac_gravity_effort(&m, &s, NULL, x), TAC_E_ARG, x, MOST, "no work area");
    other = s;
    other.model_hash++;
    refused(tac_inverse_dynamics(&m, &other, zeros, &w, x), TAC_E_MODEL, x, MOST, "state of another model");
    const tac_vec3 nowhere = {0, 0, real_nan()}, far = {2 * TAC_MOST_LENGTH, 0, 0}, here = {0, 0, 0};
    refused(tac_jacobian(&m, &s, 1, nowhere, TAC_AXES_WORLD, &w, x), TAC_E_NAN, x, MOST,
            "a point that is not a number");
    refused(tac_jacobian(&m, &s, 1, far, TAC_AXES_WORLD, &w, x), TAC_E_ARG, x, MOST, "a point that is far away");
    refused(tac_jacobian(&m, &s, m.bodies, here, TAC_AXES_WORLD, &w, x), TAC_E_ARG, x, MOST, "a point of no body");
    refused(tac_jacobian(&m, &s, 1, here, TAC_AXES, &w, x), TAC_E_ARG, x, MOST, "axes of nothing");
    tac_centroid c;
    refused(tac_centroidal(&m, &s, 0, &w, &c, x), TAC_E_ARG, x, MOST, "momenta of the ground");
    other = s;
    refused(tac_state_set_coordinates(&m, &other, q, bad, &w), TAC_E_NAN, x, MOST, "a rate that is not a number");
    bad[n - 1] = (tac_real)2 * TAC_MOST_SPEED;
    refused(tac_state_set_coordinates(&m, &other, q, bad, &w), TAC_E_ARG, x, MOST, "a rate out of range");
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (map.body[i].position != TAC_NONE) { q[map.body[i].position + 3] = 3; }
    }
    refused(tac_state_set_coordinates(&m, &other, q, zeros, &w), TAC_E_NAN, x, MOST, "a quaternion that is too long");
    tap_ok(tac_state_hash(&m, &other) == tac_state_hash(&m, &s), "these leave the state as it is");
    other.pose[1].p.x = real_nan();
    tap_equal(tac_bias(&m, &other, &w, x), TAC_E_NAN, "a state that is not finite");
    int zero = 1;
    for (int i = 0; i < n; i++) { zero &= x[i] == 0; }
    tap_ok(zero && x[n] == 7, "has efforts that are zeros");
}

// What a work area keeps of a state changes no answer: those of a state that differs in one number have the bits of an
// empty work area.
static void remembered(void)
{
    static tac_real effort[MOST], again[MOST], rows[6 * MOST], anew[6 * MOST];
    static tac_work empty;
    rng r = {13};
    int good = 1, same = 1;
    size = 1;
    tap_ok(begin(&r, BODIES) && n > 0, "a mechanism of nine bodies");
    for (int k = 0; k < 13 * BODIES; k++) {
        const uint16_t body = (uint16_t)(1 + k % BODIES);
        other = s;
        tac_real *x = k < 7 * BODIES ? &other.pose[body].p.x + k / BODIES : &other.twist[body].v.x + (k / BODIES - 7);
        *x += (tac_real)0.125;
        truth_fill(&empty, sizeof empty, 0);
        good &= tac_bias(&m, &s, &w, effort) == TAC_OK;
        good &= tac_inverse_dynamics(&m, &other, rates, &w, effort) == TAC_OK;
        good &= tac_inverse_dynamics(&m, &other, rates, &empty, again) == TAC_OK;
        good &= tac_centroidal(&m, &s, TAC_NONE, &w, &(tac_centroid){0}, rows) == TAC_OK;
        good &= tac_jacobian(&m, &other, body, vec(0, 0, 1), TAC_AXES_WORLD, &w, rows) == TAC_OK;
        good &= tac_jacobian(&m, &other, body, vec(0, 0, 1), TAC_AXES_WORLD, &empty, anew) == TAC_OK;
        same &= truth_equal(effort, again, n * sizeof *again) && truth_equal(rows, anew, 6u * n * sizeof *anew);
    }
    tap_ok(good && same, "a state that differs in one number");
}

// Other uses of the work area change no answer.
static void uses(void)
{
    static tac_real bias[MOST], again[MOST];
    const tac_ray ray = {{0, 0, 0}, {0, 0, 1}, 1, 0, TAC_NONE, 1, UINT16_MAX};
    tac_hit hit;
    rng r = {7};
    size = 1;
    tap_ok(begin(&r, BODIES) && n > 0, "a mechanism of nine bodies");
    other = s;
    int good = tac_bias(&m, &s, &w, bias) == TAC_OK && tac_cast(&m, &s, &ray, &w, &hit) == TAC_OK &&
               tac_bias(&m, &s, &w, again) == TAC_OK;
    tap_ok(good && truth_equal(bias, again, n * sizeof *bias), "a cast in between");
    good = tac_step(&m, &other, NULL, &w) >= 0 && tac_bias(&m, &s, &w, again) == TAC_OK;
    tap_ok(good && truth_equal(bias, again, n * sizeof *bias), "a step in between");
    good = tac_step_begin(&m, &other, NULL, &w) == TAC_OK && tac_bias(&m, &s, &w, again) == TAC_OK;
    tap_ok(good && truth_equal(bias, again, n * sizeof *bias), "a step that has begun");
    tap_equal(tac_step_end(&m, &other, &w), TAC_E_ORDER, "is abandoned");
}

// Accelerations of the last step are those of a step that has been taken, at its end, until its work area has another.
static void last_step(void)
{
    static tac_real ddq[MOST], again[MOST], x[MOST];
    static tac_model another;
    const tac_ray ray = {{0, 0, 0}, {0, 0, 1}, 1, 0, TAC_NONE, 1, UINT16_MAX};
    tac_hit hit;
    rng r = {11};
    size = 1;
    tap_ok(begin(&r, BODIES) && n > 0, "a mechanism of nine bodies");
    for (int i = 0; i < MOST; i++) { x[i] = 7; }
    other = s;
    refused(tac_step_accelerations(&m, &other, &w, x), TAC_E_ORDER, x, MOST, "accelerations before any step");
    int good = tac_step(&m, &other, NULL, &w) >= 0 && tac_step_accelerations(&m, &other, &w, ddq) == TAC_OK;
    good &= tac_step_accelerations(&m, &other, &w, again) == TAC_OK;
    tap_ok(good && truth_equal(ddq, again, n * sizeof *ddq), "asked twice");
    good = tac_cast(&m, &other, &ray, &w, &hit) == TAC_OK && tac_bias(&m, &s, &w, again) == TAC_OK &&
           tac_step_accelerations(&m, &other, &w, again) == TAC_OK;
    tap_ok(good && truth_equal(ddq, again, n * sizeof *ddq), "after a cast and a bias");
    refused(tac_step_accelerations(&m, &s, &w, x), TAC_E_ORDER, x, MOST, "of a state before the step");
    refused(tac_step_accelerations(&m, &other, &w, NULL), TAC_E_ARG, x, MOST, "without a place");
    refused(tac_step_accelerations(&m, &other, NULL, x), TAC_E_ARG, x, MOST, "without a work area");
    truth_copy(&another, &m, sizeof m);
    another.h *= 2;
    tap_equal(tac_model_seal(&another, NULL), TAC_OK, "another model");
    refused(tac_step_accelerations(&another, &other, &w, x), TAC_E_MODEL, x, MOST, "of another model");
    other.model_hash = another.hash;
    refused(tac_step_accelerations(&another, &other, &w, x), TAC_E_ORDER, x, MOST, "of a step of another model");
    other.model_hash = m.hash;
    m.joints += TAC_MAX_JOINTS;
    refused(tac_step_accelerations(&m, &other, &w, x), TAC_E_MODEL, x, MOST, "of a model whose counts have changed");
    m.joints -= TAC_MAX_JOINTS;
    other.twist[1].w.x = real_nan();
    tap_equal(tac_step_accelerations(&m, &other, &w, again), TAC_E_NAN, "a state that is not finite");
    other.twist[1].w.x = 0;
    good = tac_contacts(&m, &other, 1, 0, &w) >= 0;
    refused(tac_step_accelerations(&m, &other, &w, x), TAC_E_ORDER, x, MOST, "after contacts in its place");
    good &= tac_step(&m, &other, NULL, &w) >= 0 && tac_step_begin(&m, &other, NULL, &w) == TAC_OK;
    refused(tac_step_accelerations(&m, &other, &w, x), TAC_E_ORDER, x, MOST, "between begin and end");
    good &= tac_bias(&m, &s, &w, again) == TAC_OK;
    other.step++;
    refused(tac_step_accelerations(&m, &other, &w, x), TAC_E_ORDER, x, MOST, "of a step that was abandoned");
    tap_ok(good, "steps begin and end");
}

int main(void)
{
    judge(1, "1 m:");
    judge(1e-3, "1 mm:");
    judge(100, "100 m:");
    refusals();
    remembered();
    uses();
    last_step();
    return tap_done();
}
