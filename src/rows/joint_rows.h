// SPDX-License-Identifier: MIT
// joint_rows.h - one joint as six rows of the cone program: constraints (bilateral), and what acts along its
// coordinate.
//   given   joints, poses and velocities at the start of the step, motors of the input, impulses of the last step
//   makes   link[]: Jacobian, bias, boxes; what sweeps and the factor do with them
//   bound   constant a joint
//   never   mixes units: a turn is multiplied by a length of its bodies, so that every row is in m/s, every impulse in
//   N s
#ifndef ROWS_JOINT_ROWS_H
#define ROWS_JOINT_ROWS_H

#include "joint_change.h"

#define JOINT_APART_SLACK (TAC_REAL_BITS == 32 ? R(64.0) : R(1024.0)) // of rounding: a smaller error is none
#define JOINT_A (JOINT_LAST - 1)                                      // of a coupling: the row of its joint a

// ---------------------------------------------------------------------------------------------------- rows and twists

static real joint_row_rate(const tac_row *r, const tac_twist *a, const tac_twist *b)
{
    return v3_dot(r->linear, v3_sub(b->v, a->v)) + (v3_dot(r->angular[1], b->w) + v3_dot(r->angular[0], a->w));
}

// Row `row` of J t.
static real joint_rate(const tac_joint *j, const tac_joint_block *k, const tac_twist *t, int row)
{
    if (j->kind == TAC_COUPLING) {
        return joint_row_rate(&k->row[JOINT_LAST], &t[k->body[0]], &t[k->body[1]]) +
               joint_row_rate(&k->row[JOINT_A], &t[k->body[2]], &t[k->body[3]]);
    }
    return joint_row_rate(&k->row[row], &t[j->body_a], &t[j->body_b]);
}

static void joint_push(const tac_row *r, uint16_t a, uint16_t b, real g, const tac_moving *moving, tac_twist *t)
{
    for (int side = 0; side < 2; side++) {
        const uint16_t body = side ? b : a;
        const tac_moving *m = &moving[body];
        t[body].v = v3_madd(t[body].v, (side ? m->inv_mass : -m->inv_mass) * g, r->linear);
        t[body].w = v3_madd(t[body].w, g, v3_mul(m->inv_inertia, r->angular[side]));
    }
}

// t += M^-1 J' g, for one row.
static void joint_apply_row(const tac_joint *j, const tac_joint_block *k, int row, real g, const tac_moving *moving,
                            tac_twist *t)
{
    if (j->kind == TAC_COUPLING) {
        joint_push(&k->row[JOINT_LAST], k->body[0], k->body[1], g, moving, t);
        joint_push(&k->row[JOINT_A], k->body[2], k->body[3], g, moving, t);
        return;
    }
    joint_push(&k->row[row], j->body_a, j->body_b, g, moving, t);
}

// Does the row act? The last also when only boxes act there.
static int joint_has_row(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 || (row == JOINT_LAST && k->coordinate);
}

// Does a constraint hold the row exactly?
static int joint_holds(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 && k->soft[row] == R(0.0);
}

// The impulse along a row: of its constraint, or of all boxes together.
static real joint_impulse(const tac_work *w, const tac_joint_block *k, int row)
{
    const real *g = &w->scratch.solve.g[k->first];
    real sum = g[row];
    if (row == JOINT_LAST) {
        for (int i = 0; i < TAC_BOXES; i++) { sum += g[TAC_JOINT_ROWS + i]; }
    }
    return sum;
}

// Along all rows; 0 where nothing acts.
static void joint_impulses(const tac_work *w, const tac_joint_block *k, real *g)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { g[row] = joint_impulse(w, k, row); }
}

// J' g of all rows.
static tac_row joint_sum(const tac_joint_block *k, const real *g)
{
    tac_row sum = {V3_ZERO, {V3_ZERO, V3_ZERO}, V3_ZERO};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const tac_row *r = &k->row[row];
        if (g[row] == R(0.0)) { continue; }
        sum.linear = v3_madd(sum.linear, g[row], r->linear);
        sum.angular[0] = v3_madd(sum.angular[0], g[row], r->angular[0]);
        sum.angular[1] = v3_madd(sum.angular[1], g[row], r->angular[1]);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------ making a block

// What a row is about, in the world: b slides along `linear` and turns about `turn` against a.
typedef struct joint_way {
    vec3 linear, turn;
} joint_way;

static joint_way joint_row_way(const tac_joint *j, const joint_place *p, int what, real length)
{
    switch (what) {
    case JOINT_CROSS:
        return (joint_way){V3_ZERO, v3_scale(length, v3_cross(quat_rotate(p->frame[1].q, V3_AXIS[1]), p->axis[0]))};
    case JOINT_APART:
        return (joint_way){p->apart, V3_ZERO};
    case JOINT_THREAD:
        return (joint_way){p->axis[2], v3_scale(-j->length, p->axis[2])};
    case JOINT_ABOUT:
    case JOINT_ABOUT + 1:
    case JOINT_ABOUT + 2:
        return (joint_way){V3_ZERO, v3_scale(length, p->axis[what - JOINT_ABOUT])};
    case JOINT_ABOUT_B:
        return (joint_way){V3_ZERO, v3_scale(length, quat_rotate(p->frame[1].q, V3_AXIS[1]))};
    case JOINT_NOTHING:
        return (joint_way){V3_ZERO, V3_ZERO};
    default:
        return (joint_way){p->axis[what], V3_ZERO};
    }
}

// How the bodies of a joint stand to the origin of b's frame: a slide goes along an axis of a, so a's arm ends there
// too.
typedef struct joint_arms {
    vec3 axis[2][3]; // of the principal frames, world
    vec3 arm[2];     // world
} joint_arms;

static void joint_arms_of(const joint_place *p, const tac_pose *pose[2], joint_arms *arms)
{
    for (int side = 0; side < 2; side++) {
        quat_axes(pose[side]->q, arms->axis[side]);
        arms->arm[side] = v3_sub(p->frame[1].p, pose[side]->p);
    }
}

static void joint_row(const joint_arms *arms, joint_way way, tac_row *r)
{
    const real turn2 = v3_dot(way.turn, way.turn);
    r->linear = way.linear;
    r->spin = v3_scale(turn2 > R(0.0) ? R(1.0) / turn2 : R(0.0), way.turn);
    for (int side = 0; side < 2; side++) {
        const vec3 turn = v3_add(v3_cross(arms->arm[side], way.linear), way.turn);
        r->angular[side] = v3_components(arms->axis[side], side ? turn : v3_scale(R(-1.0), turn));
    }
}

// What a turn is multiplied by: the radius of gyration that makes 1/I of the bodies weigh as much as their 1/m.
static real joint_length(const tac_moving *a, const tac_moving *b)
{
    const vec3 spin = v3_add(a->inv_inertia, b->inv_inertia);
    return real_sqrt(R(3.0) * (a->inv_mass + b->inv_mass) / (spin.x + spin.y + spin.z));
}

// J_r M^-1 J_s'
static real joint_weight(const tac_row *r, const tac_row *s, const tac_moving *a, const tac_moving *b)
{
    return (a->inv_mass + b->inv_mass) * v3_dot(r->linear, s->linear) +
           (v3_dot(v3_mul(a->inv_inertia, r->angular[0]), s->angular[0]) +
            v3_dot(v3_mul(b->inv_inertia, r->angular[1]), s->angular[1]));
}

// ------------------------------------------------------------------------------------------------ along the coordinate

// A box between -most and most (efforts).
static tac_box *joint_box(tac_joint_block *k, int which, real h, real most)
{
    tac_box *x = &k->box[which];
    x->used = 1;
    x->hi = most < REAL_LARGEST ? h * most / k->scale : REAL_LARGEST;
    x->lo = -x->hi;
    return x;
}

// A box without slack: u + bias = 0 unless at a bound.
static void joint_hard(tac_box *x, real bias)
{
    x->hard = 1;
    x->bias = bias;
}

// How an impulse answers to the rate at the end of the step when a spring of stiffness k and a damper d act: the spring
// sees q at the start, the damper the rate at the end. Alone on a mass 1/w that keeps energy (symplectic Euler) and is
// stable up to h^2 k w = 4; from h^2 k/2 on, unconditionally. So a stiff spring gets as much of its own damping as it
// needs, and one that the step resolves none. An eighth leaves room for other springs on the same mass. Where a period
// has fewer than five steps, from h^2 k w = 7/4 on, that would ring from step to step: there it goes on to h^2 k
// (implicit Euler), which comes to rest.
static real joint_slope_of(real w, real h, real stiffness, real damping)
{
    const real pull = h * h * stiffness;
    return real_max(h * damping, real_max(R(0.5) * pull - R(0.125) / w, pull - R(1.0) / w));
}

// The same along the coordinate.
static real joint_slope_along(const tac_joint_block *k, real h, real stiffness, real damping)
{
    return joint_slope_of(k->w[JOINT_LAST] / (k->scale * k->scale), h, stiffness, damping);
}

// A soft box: impulse = constant - slope (u - u at the start), in units of the coordinate.
static void joint_soft(const tac_joint_block *k, tac_box *x, real constant, real slope)
{
    x->centre = constant / k->scale;
    x->weight = slope / (k->scale * k->scale);
}

// Armature, spring and damper:  -I (dq - dq0) - h k (q - rest) - slope dq,  dq at the end of the step.
static void joint_passive(const tac_joint *j, tac_joint_block *k, real h, real q, real rate)
{
    const real slope = joint_slope_along(k, h, j->stiffness, j->damping);
    if (!(j->armature + j->damping + j->stiffness > R(0.0))) { return; }
    tac_box *x = joint_box(k, TAC_BOX_PASSIVE, h, REAL_LARGEST);
    joint_soft(k, x, -(h * j->stiffness * (q - j->rest) + slope * rate), j->armature + slope);
}

// Would the motor go on to drive at its speed? Then up to there only, with as much as it gives now. Returns that speed,
// or 0 where it is far: what the motor does to free bodies in this step leaves it below half of it.
static real joint_governed(const tac_joint *j, const tac_joint_block *k, real now, real slope, real rate)
{
    const real speed = now < R(0.0) ? -j->speed : j->speed;
    const real alone = rate + now * k->w[JOINT_LAST] / (k->scale * k->scale), part = alone / speed;
    if (!(j->speed < REAL_LARGEST) || part < R(0.5)) { return R(0.0); }
    return (now - slope * (speed - rate)) / speed > R(0.0) ? speed : R(0.0);
}

// `now` is the effort's impulse at the rate that the coordinate has, `slope` how it answers to another one.
static void joint_drive(const tac_joint *j, tac_joint_block *k, tac_box *x, real now, real slope, real rate)
{
    const real speed = joint_governed(j, k, now, slope, rate), most = x->hi;
    if (speed == R(0.0)) {
        joint_soft(k, x, now, slope);
        return;
    }
    x->lo = real_clamp(now / k->scale, -most, R(0.0));
    x->hi = real_clamp(now / k->scale, R(0.0), most);
    joint_hard(x, k->scale * (rate - speed));
}

// Rates at the end of the step that hard limits allow. As with contacts a gap may close within the step; a limit that
// is passed is not pushed back faster than options.recovery.
typedef struct joint_room {
    real least, most;
} joint_room;

static joint_room joint_room_of(const tac_model *m, const tac_joint *j, real q)
{
    const real least = real_max((q - j->lower) / m->h, -m->options.recovery),
               most = real_max((j->upper - q) / m->h, -m->options.recovery);
    const int hard = j->lower < j->upper && !(j->stop_stiffness > R(0.0));
    return hard ? (joint_room){-least, most} : (joint_room){-REAL_LARGEST, REAL_LARGEST};
}

// Does a motor that nothing but limits holds back ask for a rate or a place?
static int joint_prescribes(const tac_motor *a, const tac_joint *j)
{
    return a != NULL && (a->kind == TAC_MOTOR_POSITION || a->kind == TAC_MOTOR_VELOCITY) && !(j->effort < REAL_LARGEST);
}

// The rate that it asks for.
static real joint_wanted(const tac_motor *a, const tac_joint *j, real h, real q)
{
    const real asked = a->kind == TAC_MOTOR_VELOCITY ? a->velocity : -joint_off(j, q, a->position) / h;
    return real_clamp(asked, -j->speed, j->speed);
}

// Friction where a motor prescribes the rate: all of it, or at rest none.
static void joint_drag(const tac_joint *j, tac_joint_block *k, real h, real rate)
{
    const real drag = rate > R(0.0) ? -j->friction : j->friction;
    if (!(j->friction > R(0.0)) || rate == R(0.0)) { return; }
    joint_soft(k, joint_box(k, TAC_BOX_FRICTION, h, REAL_LARGEST), h * drag, R(0.0));
}

// What a motor prescribes is a constraint, as far as limits allow.
static void joint_prescribe(const tac_model *m, const tac_motor *a, const tac_joint *j, tac_joint_block *k, real q)
{
    const real wanted = joint_wanted(a, j, m->h, q);
    const joint_room room = joint_room_of(m, j, q);
    const real rate = real_max(room.least, wanted < room.most ? wanted : room.most);
    k->constraints |= 1 << JOINT_LAST;
    k->bias[JOINT_LAST] -= k->scale * rate;
    k->target = k->driven = 1;
    k->aim = m->h * k->scale * rate;
    joint_drag(j, k, m->h, rate);
    k->goal =
        a->kind == TAC_MOTOR_POSITION && rate == -joint_off(j, q, a->position) / m->h ? a->position : q + m->h * rate;
}

static void joint_motor(const tac_motor *a, const tac_joint *j, tac_joint_block *k, real h, real q, real rate)
{
    tac_box *x = joint_box(k, TAC_BOX_MOTOR, h, j->effort);
    if (a->kind == TAC_MOTOR_VELOCITY || a->kind == TAC_MOTOR_POSITION) {
        joint_hard(x, k->scale * (rate - joint_wanted(a, j, h, q)));
        return;
    }
    const int pd = a->kind == TAC_MOTOR_PD;
    const real slope = pd ? joint_slope_along(k, h, a->stiffness, a->damping) : R(0.0);
    const real spring = pd ? -a->stiffness * joint_off(j, q, a->position) : R(0.0);
    joint_drive(j, k, x, h * (spring + a->effort) + slope * (a->velocity - rate), slope, rate);
}

// A stop that gives way: its damper acts once it is touched, and it never pulls.
static void joint_stop(const tac_joint *j, tac_joint_block *k, tac_box *x, real h, real beyond, real rate)
{
    const int touched = x->lo == R(0.0) ? beyond < R(0.0) : beyond > R(0.0);
    const real slope = joint_slope_along(k, h, j->stop_stiffness, touched ? j->stop_damping : R(0.0));
    joint_soft(k, x, -(h * j->stop_stiffness * beyond + slope * rate), slope);
}

// The nearer one of two limits. While it presses, its goal is where the coordinate is to end the step: on the limit,
// or, where that is passed, as far back as options.recovery allows and no farther. All of it at once would be a
// velocity.
static void joint_limit(const tac_model *m, const tac_joint *j, tac_joint_block *k, real q, real rate)
{
    const int low = q - j->lower <= j->upper - q;
    const joint_room room = joint_room_of(m, j, q);
    tac_box *x = joint_box(k, TAC_BOX_LIMIT, m->h, REAL_LARGEST);
    *(low ? &x->lo : &x->hi) = R(0.0);
    if (j->stop_stiffness > R(0.0)) {
        joint_stop(j, k, x, m->h, low ? q - j->lower : q - j->upper, rate);
        return;
    }
    joint_hard(x, k->scale * (rate - (low ? room.least : room.most)));
    const real back = m->h * m->options.recovery;
    k->goal = low ? (q < j->lower ? real_min(q + back, j->lower) : j->lower)
                  : (q > j->upper ? real_max(q - back, j->upper) : j->upper);
}

// What acts along the coordinate; `motor` may be NULL.
static void joint_boxes(const tac_model *m, const tac_joint *j, const tac_motor *motor, real q, tac_joint_block *k)
{
    const real rate = k->bias[JOINT_LAST] / k->scale; // of the coordinate, at the start of the step
    if (j->lower == j->upper) {
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
        k->goal = j->lower;
    } else if (joint_prescribes(motor, j)) {
        joint_prescribe(m, motor, j, k, q);
    } else if (motor != NULL) {
        joint_motor(motor, j, k, m->h, q, rate);
    }
    if (j->lower < j->upper && (!k->target || j->stop_stiffness > R(0.0))) { joint_limit(m, j, k, q, rate); }
    joint_passive(j, k, m->h, q, rate);
    if (j->friction > R(0.0) && !k->target) {
        joint_hard(joint_box(k, TAC_BOX_FRICTION, m->h, j->friction), k->scale * rate);
    }
}

// ------------------------------------------------------------------------------------------------------------ bushing

// Which rows of a bushing are there?
static uint8_t joint_bushing_rows(const tac_joint *j)
{
    const vec3 along = v3_add(j->along, j->along_damping), about = v3_add(j->about, j->about_damping);
    const real sum[TAC_JOINT_ROWS] = {along.x, along.y, along.z, about.x, about.y, about.z};
    uint8_t rows = 0;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { rows |= (uint8_t)((sum[row] > R(0.0)) << row); }
    return rows;
}

// Row by row a spring and a damper, as along a coordinate: constraints that give way. One without slope (its spring is
// resolved) must be told from one that is not there: a rounding of h^2 k stands for it.
static void joint_bushing(const tac_joint *j, const joint_place *p, real h, tac_joint_block *k)
{
    const vec3 stiffness[2] = {j->along, j->about}, damping[2] = {j->along_damping, j->about_damping};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const vec3 axis = V3_AXIS[row % 3];
        const real stiff = v3_dot(stiffness[row / 3], axis), damp = v3_dot(damping[row / 3], axis);
        if (!(k->constraints >> row & 1)) { continue; }
        const real scale = row < 3 ? R(1.0) : k->length, least = REAL_EPSILON * h * h * stiff;
        const real slope = real_max(least, joint_slope_of(k->w[row] / (scale * scale), h, stiff, damp));
        k->soft[row] = scale * scale / slope;
        k->bias[row] += h * stiff * joint_error(j, p, row, k->length) / slope;
    }
}

// ---------------------------------------------------------------------------------------------------------- one joint

static const tac_motor *joint_find_motor(const tac_input *input, uint32_t joint)
{
    const tac_motor *found = NULL;
    for (uint32_t i = 0; input != NULL && i < JOINT_MOTORS(input); i++) {
        if (JOINT_MOTOR(input)[i].joint == joint) { found = &JOINT_MOTOR(input)[i]; }
    }
    return found;
}

// The error of what row `row` holds, m: of a constraint, or of the coordinate against its goal.
static real joint_violation(const tac_joint *j, const tac_joint_block *k, const joint_place *p, int row)
{
    return row == JOINT_LAST && k->coordinate ? k->scale * joint_off(j, joint_coordinate(j, p), k->goal)
                                              : joint_error(j, p, row, k->length);
}

// Jacobian of the joint with its bodies at these poses.
static void joint_jacobian(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], const tac_moving *moving,
                           tac_joint_block *k)
{
    joint_arms arms;
    joint_arms_of(p, pose, &arms);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        joint_row(&arms, joint_row_way(j, p, JOINT_ROW[j->kind][row], k->length), &k->row[row]);
        if (!joint_has_row(k, row)) { continue; }
        k->w[row] = joint_weight(&k->row[row], &k->row[row], &moving[j->body_a], &moving[j->body_b]);
    }
}

// What rounding of the poses makes of an error.
static real joint_rounding(const tac_pose *a, const tac_pose *b, const tac_joint_block *k)
{
    return REAL_EPSILON * (v3_norm_inf(a->p) + v3_norm_inf(b->p) + k->length);
}

// Do the constraints hold? Prescribed motion does not count: its goal is new in each step.
static int joint_is_apart(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], const tac_joint_block *k)
{
    const real slack = JOINT_APART_SLACK * joint_rounding(pose[0], pose[1], k);
    int apart = k->coordinate && j->lower == j->upper && real_abs(joint_coordinate(j, p) - j->lower) > slack / k->scale;
    for (int row = 0; row < JOINT_CONSTRAINTS[j->kind]; row++) {
        apart |= real_abs(joint_error(j, p, row, k->length)) > slack;
    }
    return apart;
}

// Of a body, as it is and as it changes without impulses.
static real joint_speed(const tac_joint_block *k, const tac_twist *t, const tac_twist *gain)
{
    return (v3_norm_inf(t->v) + v3_norm_inf(gain->v)) + k->length * (v3_norm_inf(t->w) + v3_norm_inf(gain->w));
}

// What a constraint asks for besides J v = 0: to leave the arc along which it moves, and nothing for what is apart (the
// projection sees to that).
static real joint_arc(const tac_model *m, const tac_joint *j, const tac_joint_block *k, const tac_work *w, int row,
                      real bend)
{
    return R(0.5) * m->h * bend + joint_rate(j, k, w->shift, row);
}

// With options.stabilise the papers' (1/h) g + J v + dg/dt = 0 instead, NST17 (5c). The goal of prescribed motion is
// met by its bias already.
static real joint_stabilise(const tac_model *m, const tac_joint_block *k, int row, real error)
{
    return row == JOINT_LAST && k->driven ? R(0.0) : error / m->h;
}

static void joint_clear(tac_joint_block *k)
{
    reals_clear(k->w, offsetof(tac_joint_block, box) - offsetof(tac_joint_block, w));
    for (tac_box *x = k->box; x < k->box + TAC_BOXES; x++) {
        reals_clear(x, offsetof(tac_box, used));
        x->used = x->hard = x->inside = 0;
    }
    k->target = k->driven = 0;
    k->aim = R(0.0);
}

static void joint_make(const tac_model *m, const tac_state *s, const tac_motor *motor, const tac_joint *j,
                       const tac_work *w, tac_joint_block *k)
{
    joint_place p;
    joint_motion q;
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    joint_clear(k);
    joint_locals(m, j, k->frame);
    joint_find(k->frame, pose[0], pose[1], &p);
    joint_move(&p, pose, twist, &q);
    k->length = joint_length(&w->moving[j->body_a], &w->moving[j->body_b]);
    k->coordinate = (uint8_t)joint_has_coordinate(j->kind);
    k->scale = joint_turns(j->kind) ? k->length : R(1.0);
    k->constraints = (uint8_t)((1 << JOINT_CONSTRAINTS[j->kind]) - 1);
    if (j->kind == TAC_BUSHING) { k->constraints = joint_bushing_rows(j); }
    joint_jacobian(j, &p, pose, w->moving, k);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { k->bias[row] = joint_rate(j, k, s->twist, row); }
    k->speed = joint_speed(k, twist[0], &w->gain[j->body_a]) + joint_speed(k, twist[1], &w->gain[j->body_b]);
    k->apart = (uint8_t)joint_is_apart(j, &p, pose, k);
    if (k->coordinate) { joint_boxes(m, j, motor, joint_coordinate(j, &p), k); }
    if (j->kind == TAC_BUSHING) { joint_bushing(j, &p, m->h, k); }
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!joint_holds(k, row)) { continue; }
        k->bias[row] += m->options.stabilise ? joint_stabilise(m, k, row, joint_violation(j, k, &p, row))
                                             : joint_arc(m, j, k, w, row, joint_bend(j, &p, &q, row, k->length));
    }
}

#endif
