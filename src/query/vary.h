// SPDX-License-Identifier: MIT
// vary.h - one step of a mechanism as a function of its coordinates: what its momenta lack, and its derivative.
//   given   a mechanism that is placed, links of a step, mean rates r; impulses of contacts about the centres
//   makes   the motion of the step; the lack of momentum along each coordinate, zero for the rates that the step finds;
//           columns of its derivative, and of the next state's, by changes of q, v and r
//   bound   a visit to each body for the motion; for a column one to each body that moves, one to each that carries it
//   never   differentiates numerically
#ifndef QUERY_VARY_H
#define QUERY_VARY_H

#include "../base/lu.h"
#include "../engine/lemke.h"
#include "../motion/coordinates.h"
#include "../motion/dynamics.h"
#include "../step/move.h"
#include "../step/tree_motion.h"

#if TAC_MAX_LCP > 0

// A tree moves in a step along its coordinates, with the mean rates r that balance the momenta at the start of it
// (tree_motion.h): with P what makes the finite motion of a body and S the motions of the coordinates at the start,
//      S'(P(q, r) - M v - h f - D g) - efforts(q, v, r) = 0.
// `lack` is the bracket. The end of the step is a configuration of the same tree: where q changes, or r, it moves along
// its motions sq and sr there. So all derivatives are sums of products of motions with momenta, exact for the finite
// motion of the step. All motions and forces are about one fixed point of each tree, where its centre is at the start.

// ---------------------------------------------------------------------------------------------------- rotation vectors

// exp(a + da) = exp(J(a) da) exp(a);  J(a) x = x + b a x x + c a x (a x x).
#define VARY_SMALL R(0.01) // squared angle below which series hold

static vec3 vary_left(vec3 a, vec3 x)
{
    const real t = v3_dot(a, a);
    const vec3 once = v3_cross(a, x), twice = v3_cross(a, once);
    real b = R(0.5) - t * (R(1.0) / R(24.0) - t * (R(1.0) / R(720.0) - t / R(40320.0)));
    real c = R(1.0) / R(6.0) - t * (R(1.0) / R(120.0) - t * (R(1.0) / R(5040.0) - t / R(362880.0)));
    if (!(t < VARY_SMALL)) {
        const real angle = real_sqrt(t);
        real sine, cosine;
        real_sin_cos(angle, &sine, &cosine);
        b = (R(1.0) - cosine) / t;
        c = (angle - sine) / (t * angle);
    }
    return v3_madd(v3_madd(x, b, once), c, twice);
}

// J(a)^-1 x
static vec3 vary_left_back(vec3 a, vec3 x)
{
    const real t = v3_dot(a, a);
    const vec3 once = v3_cross(a, x), twice = v3_cross(a, once);
    real c = R(1.0) / R(12.0) + t * (R(1.0) / R(720.0) + t * (R(1.0) / R(30240.0) + t / R(1209600.0)));
    if (!(t < VARY_SMALL)) {
        const real half = R(0.5) * real_sqrt(t);
        real sine, cosine;
        real_sin_cos(half, &sine, &cosine);
        c = (R(1.0) - half * cosine / sine) / t;
    }
    return v3_madd(v3_madd(x, R(-0.5), once), c, twice);
}

// exp(a + da) = exp(a) exp(J(-a) da)
static vec3 vary_right(vec3 a, vec3 x)
{
    return vary_left(v3_scale(R(-1.0), a), x);
}

static vec3 vary_right_back(vec3 a, vec3 x)
{
    return vary_left_back(v3_scale(R(-1.0), a), x);
}

// ------------------------------------------------------------------------------------------------------- rigid motions

#if TAC_MAX_JOINTS > 0

// x becomes x + turn(x) + shift; both are small, and products of them lose nothing to rounding.
typedef struct vary_rigid {
    quat turn;
    vec3 shift;
} vary_rigid;

// First b, then a.
static vary_rigid vary_product(vary_rigid a, vary_rigid b)
{
    return (vary_rigid){quat_mul(a.turn, b.turn), v3_add(v3_add(a.shift, b.shift), quat_turn(a.turn, b.shift))};
}

static vary_rigid vary_exp(const real *motion, real t)
{
    const vec3 a = v3_scale(t, six_angular(motion));
    return (vary_rigid){quat_exp_short(a), vary_left(a, v3_scale(t, six_linear(motion)))};
}

// A motion that is carried along.
static void vary_carry(vary_rigid a, const real *x, real *y)
{
    const vec3 w = quat_rotate(a.turn, six_angular(x));
    six_set(y, w, v3_add(quat_rotate(a.turn, six_linear(x)), v3_cross(a.shift, w)));
}

#endif

static void vary_cross(const real *first, const real *second, real *x)
{
    static const real ZERO[6] = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
    dynamics_cross(first, second, R(1.0), ZERO, x);
}

// ----------------------------------------------------------------------------------------------------- start of a step

// What gravity and the input give a body in the step: all of it, and what turns with the body.
static void vary_give(const tac_model *m, const tac_state *s, const tac_input *input, tac_varied *t)
{
    for (uint16_t i = 0; i < m->bodies; i++) {
        tac_varied_body *b = &t->body[i];
        b->give[0] = v3_scale(m->h * m->body[i].mass, m->gravity);
        b->give[1] = b->own[0] = b->own[1] = V3_ZERO;
    }
    for (uint32_t i = 0; input != NULL && i < input->actions; i++) {
        const tac_action *a = &input->action[i];
        tac_varied_body *b = &t->body[a->body];
        tac_twist wrench = {V3_ZERO, V3_ZERO};
        if (a->kind == TAC_VELOCITY) { continue; }
        move_act(a, s->pose[a->body].q, &wrench);
        const vec3 force = v3_scale(m->h, wrench.v), torque = v3_scale(m->h, quat_rotate(s->pose[a->body].q, wrench.w));
        b->give[0] = v3_add(b->give[0], force);
        b->give[1] = v3_add(b->give[1], torque);
        if (a->kind != TAC_WRENCH_BODY) { continue; }
        b->own[0] = v3_add(b->own[0], force);
        b->own[1] = v3_add(b->own[1], torque);
    }
}

static vec3 vary_inverse(vec3 inertia, vec3 x)
{
    return v3(x.x / inertia.x, x.y / inertia.y, x.z / inertia.z);
}

// The mean rotation that an angular momentum at the start makes (free.h), and the velocity that it ends with.
static vec3 vary_fly(const tac_model *m, uint16_t i, vec3 start, vec3 *end)
{
    const vec3 inertia = m->body[i].inertia;
    vec3 change;
    const vec3 rate = free_rotate(vary_inverse(inertia, v3(R(1.0), R(1.0), R(1.0))), m->h, start, &change);
    *end = vary_inverse(inertia, v3_add(start, change));
    return rate;
}

static vec3 vary_torque(const tac_varied *t, uint16_t i)
{
    return v3_components(t->mechanism.body[i].axis, t->body[i].give[1]);
}

// The mechanism and each body before it moves.
static void vary_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_varied *t)
{
    mechanism_place(m, s->pose, s->twist, &t->mechanism);
    vary_give(m, s, input, t);
    for (uint16_t i = 0; i < m->bodies; i++) {
        t->body[i].alone = (uint8_t)mechanism_moves(m, i);
        t->body[i].straight = 1;
        six_set(t->body[i].load, V3_ZERO, V3_ZERO);
    }
    for (uint32_t at = 0; at < t->mechanism.bodies; at++) {
        const uint16_t self = t->mechanism.order[at];
        const tac_mechanism_body *b = &t->mechanism.body[self];
        tac_varied_body *v = &t->body[self];
        const vec3 start = v3_add(v3_mul(m->body[self].inertia, s->twist[self].w), vary_torque(t, self));
        v->flight = vary_fly(m, self, start, &v->flown);
        if (mechanism_free(b)) { continue; }
        v->alone = 0;
        if (mechanism_moves(m, b->parent)) { t->body[b->parent].alone = 0; }
        if (!mechanism_hangs(&t->mechanism, self)) {
            mechanism_base(s->pose, s->twist, &t->mechanism, b->parent, self);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- motion of a step

// Does the tree meet the joint from b? Its body is then a, in which the axes of SPHERICAL are fixed.
static int vary_turned(const tac_joint *j, const tac_mechanism_body *b)
{
    return b->parent != j->body_a;
}

// The free motions of a joint one after the other, outermost first. Where the tree meets the joint from b they come the
// other way round.
static int vary_axis(const tac_joint *j, const tac_mechanism_body *b, int i)
{
    return vary_turned(j, b) ? b->axes - 1 - i : i;
}

#if TAC_MAX_JOINTS > 0

// The motion that a body hangs on: of its parent, which may stand still or be led.
static vary_rigid vary_parent(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                              uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *p = &t->body[b->parent];
    if (mechanism_moves(m, b->parent)) { return (vary_rigid){p->turn, p->shift}; }
    const tac_twist *twist = &s->twist[b->parent], *change = &w->delta_v[b->parent];
    const vec3 way = v3_scale(m->h, v3_add(twist->v, change->v)), spin = v3_scale(m->h, v3_add(twist->w, change->w));
    const quat e = quat_exp(v3_combine(t->mechanism.body[b->parent].axis, spin));
    const vec3 centre = v3_sub(s->pose[b->parent].p, s->pose[self].p);
    return (vary_rigid){e, v3_sub(way, quat_turn(e, centre))};
}

// SPHERICAL: one rotation about an axis of all three.
static vary_rigid vary_ball(tac_varied_body *v, const tac_mechanism_body *b, int turned, vary_rigid at, real h,
                            const real *r)
{
    real all[6], still[6];
    six_set(all, V3_ZERO, V3_ZERO);
    for (int i = 0; i < 3; i++) { six_add(all, h * r[i], b->s[i]); }
    const vary_rigid end = vary_product(at, vary_exp(all, R(1.0)));
    for (int i = 0; i < 3; i++) {
        // the motion of the end by a rate passes through the centre of the joint: in exp(a + J da) J acts on rotations
        vary_carry(turned ? at : end, b->s[i], v->sq[i]);
        const vec3 turn = vary_right(six_angular(all), six_angular(b->s[i]));
        real part[3];
        const vec3 across[3] = {six_angular(b->s[0]), six_angular(b->s[1]), six_angular(b->s[2])};
        v3_put(part, v3_components(across, turn));
        six_set(still, V3_ZERO, V3_ZERO);
        for (int k = 0; k < 3; k++) { six_add(still, part[k], b->s[k]); }
        vary_carry(end, still, v->sr[i]);
    }
    return end;
}

static void vary_move_child(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, uint16_t self,
                            const real *r)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    tac_varied_body *v = &t->body[self];
    vary_rigid at = vary_parent(m, s, w, t, self);
    if (j->kind == TAC_SPHERICAL) {
        at = vary_ball(v, b, vary_turned(j, b), at, m->h, r);
    } else {
        for (int i = 0; i < b->axes; i++) {
            const int k = vary_axis(j, b, i);
            vary_carry(at, b->s[k], v->sq[k]);
            six_copy(v->sr[k], v->sq[k]);
            at = vary_product(at, vary_exp(b->s[k], m->h * r[k]));
        }
    }
    v->turn = at.turn;
    v->shift = at.shift;
    const vec3 way = v3_add(quat_turn(at.turn, b->arm), at.shift);
    v->arm = v3_add(b->arm, way);
    v->v = v3_scale(R(1.0) / m->h, way);
    v->w = tree_motion_spin(m->h, at.turn, b->axis);
}

#else

static void vary_move_child(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, uint16_t self,
                            const real *r)
{
    (void)m, (void)s, (void)w, (void)t, (void)self, (void)r;
}

#endif

// A root moves with its own rates; one that is alone moves as a body without joints does (move.h, commit.h).
static void vary_move_root(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self, const real *r)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const vec3 now = s->twist[self].v, inertia = m->body[self].inertia;
    v->v = v3_of(r);
    v->w = v3_of(r + 3);
    if (v->alone) {
        const vec3 kick = v3_sub(v->w, v->flown);
        v->spin = v->w;
        v->v = v->straight ? v->v : v3_scale(R(0.5), v3_add(now, v->v));
        v->end = v->w;
        v->w = v3_add(v->flight, kick);
        if (JOINT_COUNT(m) > 0) {
            const vec3 start = v3_add(v3_mul(inertia, s->twist[self].w), vary_torque(t, self));
            v->w = vary_fly(m, self, v3_add(start, v3_mul(inertia, kick)), &v->end);
        }
    }
    const quat e = quat_exp(v3_scale(m->h, v->w));
    const vec3 turn = v3_combine(b->axis, v3(e.x, e.y, e.z));
    v->turn = (quat){e.w, turn.x, turn.y, turn.z};
    v->shift = v->arm = v3_scale(m->h, v->v);
}

// The motion of a root at unit rate of its coordinate i, at the start of the step or at its end.
static void vary_root_motion(const tac_model *m, const tac_mechanism_body *b, const tac_varied_body *v, int i, int rate,
                             real *x)
{
    if (i < 3) {
        six_set(x, V3_ZERO, V3_AXIS[i]);
        return;
    }
    const vec3 w = rate ? v3_combine(v->axis, vary_right(v3_scale(m->h, v->w), V3_AXIS[i - 3])) : b->axis[i - 3];
    six_set(x, w, v3_cross(v->shift, w));
}

static void vary_end_motion(const tac_model *m, const tac_varied *t, uint16_t self, int i, int rate, real *x)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    if (mechanism_free(b)) {
        vary_root_motion(m, b, v, i, rate, x);
    } else {
        six_copy(x, rate ? v->sr[i] : v->sq[i]);
    }
}

// Momentum that the motion of a body has beyond what it had and what it is given.
static void vary_lack(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const tac_twist *twist = &s->twist[self];
    const vec3 inertia = m->body[self].inertia, mean = v3_mul(inertia, v->w);
    v->l = v3_madd(mean, R(-0.5) * m->h, v3_cross(mean, v->w));
    v->end = vary_inverse(inertia, quat_rotate(quat_exp(v3_scale(-m->h, v->w)), v->l));
    const vec3 turn = v3_combine(b->axis, v3_sub(v->l, v3_mul(inertia, twist->w)));
    const vec3 push = v3_scale(m->body[self].mass, v3_sub(v->v, twist->v));
    six_set(v->lack, v3_sub(turn, v->give[1]), v3_sub(push, v->give[0]));
}

// The motions of all bodies at mean rates r of all coordinates.
static void vary_move(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, const real *r)
{
    for (uint32_t at = 0; at < t->mechanism.bodies; at++) {
        const uint16_t self = t->mechanism.order[at];
        const tac_mechanism_body *b = &t->mechanism.body[self];
        tac_varied_body *v = &t->body[self];
        if (mechanism_free(b)) {
            vary_move_root(m, s, t, self, r + b->first);
        } else {
            vary_move_child(m, s, w, t, self, r + b->first);
        }
        for (int i = 0; i < 3; i++) { v->axis[i] = v3_add(b->axis[i], quat_turn(v->turn, b->axis[i])); }
        if (!v->alone) { vary_lack(m, s, t, self); }
    }
}

// ------------------------------------------------------------------------------------------------------------- efforts

// Which efforts act along the coordinate of a joint with a slope: E = constant - slope r - pull q + rotor v + lag d,
// where d is what free rotation adds to the mean rate but not to the velocity of the solve: tree_motion_rates() begins
// there.
typedef struct vary_effort {
    real constant, slope, pull, rotor, lag;
    int held;     // the coordinate is led: a motor of unlimited effort, a lock, a limit or dry friction that holds it
    real lead;    // its rate,
    real follows; // and the change of this by q
} vary_effort;

// Does a hard interval hold the rate: a limit that bears, friction or a motor that is not at its bounds?
static int vary_holds(const tac_interval *x, real g)
{
    return x->used && x->hard && g > x->lo && g < x->hi && (x->lo < R(0.0) || g > R(0.0)) &&
           (x->hi > R(0.0) || g < R(0.0));
}

// The row that pins the rate, -1 if none does.
static int vary_pinned(const tac_joint_block *k, const real *g)
{
    static const int order[] = {TAC_EFFORT_LIMIT, TAC_EFFORT_MOTOR, TAC_EFFORT_FRICTION};
    for (int i = 0; i < 3; i++) {
        if (vary_holds(&k->interval[order[i]], g[order[i]])) { return order[i]; }
    }
    return -1;
}

// Slope along q of the rate that a motor of unlimited effort, or the row that pins it, asks for.
static real vary_follows(const tac_model *m, const tac_motor *a, const tac_joint *j, const tac_joint_block *k,
                         int pinned)
{
    const tac_interval *limit = &k->interval[TAC_EFFORT_LIMIT];
    const int led = a != NULL && a->kind == TAC_MOTOR_POSITION;
    int follows = led && pinned < 0 && k->driven && k->setpoint == a->position;
    if (pinned == TAC_EFFORT_MOTOR) { follows = led; }
    if (pinned == TAC_EFFORT_LIMIT) { follows = k->setpoint == (limit->lo == R(0.0) ? j->lower : j->upper); }
    return follows ? R(-1.0) / m->h : R(0.0);
}

// Of one interval: a law, while its impulse is within bounds, or a constant.
static void vary_interval(const tac_interval *x, real g, real scale, real rate, vary_effort *e)
{
    if (!x->used) { return; }
    if (x->hard || (interval_bounded(x) && !(g > x->lo && g < x->hi))) {
        e->constant += scale * g;
        return;
    }
    e->slope += scale * scale * x->weight;
    e->constant += scale * x->centre + scale * scale * x->weight * rate;
}

// `g`: impulses of the intervals; NULL: those of bounded ones are left out.
static vary_effort vary_effort_of(const tac_model *m, const tac_motor *a, const tac_joint *j, const tac_joint_block *k,
                                  real rate, const real *g)
{
    vary_effort e;
    bytes_clear(&e, sizeof e);
    const int pinned = g != NULL ? vary_pinned(k, g) : -1;
    e.held = k->driven || (j->lower == j->upper && k->coordinate) || pinned >= 0;
    if (e.held) {
        const real hard = pinned >= 0 ? k->interval[pinned].bias : k->bias[JOINT_LAST];
        e.lead = rate - hard / k->scale;
        e.follows = vary_follows(m, a, j, k, pinned);
        return e;
    }
    for (int i = 0; i < TAC_EFFORTS; i++) {
        const tac_interval *x = &k->interval[i];
        if (g != NULL || !interval_bounded(x)) { vary_interval(x, g != NULL ? g[i] : R(0.0), k->scale, rate, &e); }
    }
    const tac_interval *motor = &k->interval[TAC_EFFORT_MOTOR];
    const int free =
        motor->used && !motor->hard &&
        (!interval_bounded(motor) || (g != NULL && g[TAC_EFFORT_MOTOR] > motor->lo && g[TAC_EFFORT_MOTOR] < motor->hi));
    if (free && a != NULL && a->kind == TAC_MOTOR_PD) { e.pull += m->h * a->stiffness; }
    if (free && joint_rotates(j->kind)) { e.lag += k->scale * k->scale * motor->weight; }
    if (k->interval[TAC_EFFORT_PASSIVE].used) {
        e.pull += m->h * j->stiffness;
        e.rotor += j->armature;
        e.lag += joint_rotates(j->kind) ? j->armature : R(0.0);
    }
    return e;
}

// ------------------------------------------------------------------------------------------------------------- columns

// A change of one coordinate: of a position, of a velocity at the start, or of a mean rate.
enum { VARY_Q, VARY_V, VARY_R };

typedef struct vary_change {
    uint16_t body;   // whose subtree moves
    int axis, what;  // its coordinate; VARY_*
    real at[6];      // motion at the start, for what hangs on it too
    real to[6];      // at the end, without that of rates
    real speed[6];   // change of all velocities at the start,
    real carried[6]; // and for VARY_Q at x (V - carried)
} vary_change;

// Velocity of the subtree but for the free motions that lie within the coordinate i.
static void vary_carried(const tac_model *m, const tac_mechanism *t, const tac_mechanism_body *b, int i, real *x)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    real rate[3];
    six_copy(x, b->velocity);
    if (j->kind == TAC_SPHERICAL && vary_turned(j, b)) { six_copy(x, t->body[b->parent].velocity); }
    if (b->axes == 1 || j->kind == TAC_SPHERICAL) { return; }
    mechanism_rates(b, t->body[b->parent].velocity, rate);
    for (int k = 0; k < b->axes; k++) {
        if (vary_axis(j, b, k) > vary_axis(j, b, i)) { six_add(x, -rate[k], b->s[k]); }
    }
}

static void vary_change_of(const tac_model *m, const tac_varied *t, uint16_t self, int i, int what, vary_change *c)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    c->body = self;
    c->axis = i;
    c->what = what;
    reals_clear(c->at, sizeof c->at);
    reals_clear(c->to, sizeof c->to);
    reals_clear(c->speed, sizeof c->speed);
    reals_clear(c->carried, sizeof c->carried);
    if (what == VARY_V) { mechanism_unit(b, i, c->speed); }
    if (what == VARY_R) {
        real x[6];
        vary_end_motion(m, t, self, i, 1, x);
        six_add(c->to, m->h, x);
    }
    if (what != VARY_Q) { return; }
    mechanism_unit(b, i, c->at);
    vary_end_motion(m, t, self, i, 0, c->to);
    if (!mechanism_free(b)) {
        vary_carried(m, &t->mechanism, b, i, c->carried);
    } else if (i >= 3) { // a free root keeps the velocity of its centre, and its rates in its principal frame
        six_set(c->speed, V3_ZERO, v3_cross(six_linear(b->velocity), six_angular(c->at)));
    }
}

// Changes of velocity and place of one body at the start of the step, world frame.
typedef struct vary_start {
    vec3 turn, way, v, w; // w: in the principal frame
} vary_start;

static vary_start vary_start_of(const vary_change *c, const tac_mechanism_body *b)
{
    vary_start x;
    real speed[6], relative[6];
    six_copy(speed, c->speed);
    if (c->what == VARY_Q) {
        six_copy(relative, b->velocity);
        six_sub(relative, c->carried);
        dynamics_cross(c->at, relative, R(1.0), c->speed, speed);
    }
    const vec3 omega = six_angular(b->velocity);
    x.turn = six_angular(c->at);
    x.way = v3_add(six_linear(c->at), v3_cross(x.turn, b->arm));
    const vec3 at = v3_add(six_linear(speed), v3_cross(six_angular(speed), b->arm));
    x.v = v3_add(at, v3_cross(omega, x.way));
    x.w = v3_components(b->axis, v3_sub(six_angular(speed), v3_cross(x.turn, omega)));
    return x;
}

// Change of the angular momentum at the start that makes a mean rotation w, by dw.
static vec3 vary_momentum(real h, vec3 inertia, vec3 w, vec3 dw)
{
    const vec3 change = v3_mul(inertia, dw), bend = v3_add(v3_cross(change, w), v3_cross(v3_mul(inertia, w), dw));
    return v3_madd(change, R(-0.5) * h, bend);
}

// Change of the velocity at the end, w+ = I^-1 exp(-h w) l.
static vec3 vary_ended(real h, vec3 inertia, vec3 w, vec3 end, vec3 dl, vec3 dw)
{
    const vec3 a = v3_scale(h, w), turned = quat_rotate(quat_exp(v3_scale(R(-1.0), a)), dl);
    const vec3 bend = v3_cross(v3_mul(inertia, end), vary_right(a, v3_scale(h, dw)));
    return vary_inverse(inertia, v3_add(turned, bend));
}

#define VARY_INVERSE 6 // iterations for dw from dl; the remaining error is of order (h w)^7

// The inverse of vary_momentum().
static vec3 vary_rotation(real h, vec3 inertia, vec3 w, vec3 dl)
{
    vec3 dw = vary_inverse(inertia, dl);
    for (int i = 0; i < VARY_INVERSE; i++) {
        const vec3 left = v3_sub(dl, vary_momentum(h, inertia, w, dw));
        dw = v3_add(dw, vary_inverse(inertia, left));
    }
    return dw;
}

// Change of the mean motion of a body of a tree, by that of its place at the start and at the end.
static void vary_mean(const tac_model *m, const tac_varied_body *v, const vary_start *x, const real *to, vec3 *dv,
                      vec3 *dw)
{
    const real rate = R(1.0) / m->h;
    const vec3 turn = six_angular(to), way = v3_add(six_linear(to), v3_cross(turn, v->arm));
    const vec3 turned = v3_components(v->axis, v3_scale(rate, v3_sub(turn, x->turn)));
    *dv = v3_scale(rate, v3_sub(way, x->way));
    *dw = vary_right_back(v3_scale(m->h, v->w), turned);
}

// What free rotation adds to the mean rotation of a body and not to its velocity, world frame; that of what does not
// move by impulses is none.
static vec3 vary_drift(const tac_model *m, const tac_varied *t, uint16_t self)
{
    const tac_varied_body *v = &t->body[self];
    return mechanism_moves(m, self) ? v3_combine(t->mechanism.body[self].axis, v3_sub(v->flight, v->flown)) : V3_ZERO;
}

// Change of what the momenta of one body lack, about the centre of its tree.
static void vary_push(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self, const vary_change *c,
                      real *push)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const vec3 inertia = m->body[self].inertia, l = v3_sub(v->l, v3_mul(inertia, s->twist[self].w));
    vary_start x = {V3_ZERO, V3_ZERO, V3_ZERO, V3_ZERO};
    vec3 dv = V3_ZERO, dw = V3_ZERO;
    if (c->what != VARY_R) { x = vary_start_of(c, b); }
    if (c->what != VARY_V) { vary_mean(m, v, &x, c->to, &dv, &dw); }
    const vec3 dl = v3_sub(vary_momentum(m->h, inertia, v->w, dw), v3_mul(inertia, x.w));
    const vec3 linear = v3_sub(v3_scale(m->body[self].mass, v3_sub(dv, x.v)), v3_cross(x.turn, v->own[0]));
    const vec3 own = v3_cross(x.turn, v3_sub(v3_combine(b->axis, l), v->own[1]));
    const vec3 arm = v3_add(v3_cross(x.way, six_linear(v->lack)), v3_cross(b->arm, linear));
    six_set(push, v3_add(v3_add(v3_combine(b->axis, dl), own), arm), linear);
    if (c->what == VARY_R) { return; }
    const vec3 torque = v3_components(b->axis, v3_cross(v3_sub(v->give[1], v->own[1]), x.turn));
    const vec3 kick = v3_add(v3_mul(inertia, x.w), torque);
    const vec3 drift = vary_drift(m, t, self), late = v3_combine(b->axis, v3_combine(v->drift, kick));
    v->change.w = v3_add(late, v3_cross(x.turn, drift));
    v->moved = (tac_twist){x.way, x.turn};
    v->mean.v = dv;
    v->mean.w =
        v3_add(v3_sub(v3_combine(b->axis, dw), late), v3_cross(x.turn, v3_sub(v3_combine(b->axis, v->w), drift)));
}

// The same along the coordinate of a joint, and its change.
static real vary_drifts_now(const tac_model *m, const tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const vec3 axis = mechanism_axis(&t->mechanism, &JOINT_OF(m)[b->joint], b, 0);
    return v3_dot(axis, v3_sub(vary_drift(m, t, self), vary_drift(m, t, b->parent)));
}

static real vary_drifts(const tac_model *m, const tac_varied *t, uint16_t self, const vary_change *c)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const int both = self != c->body && mechanism_moves(m, b->parent) && t->body[b->parent].within;
    const vec3 axis = mechanism_axis(&t->mechanism, &JOINT_OF(m)[b->joint], b, 0);
    const vec3 now = v3_sub(vary_drift(m, t, self), vary_drift(m, t, b->parent));
    const vec3 change = v3_sub(t->body[self].change.w, both ? t->body[b->parent].change.w : V3_ZERO);
    const vec3 turned = both ? v3_cross(six_angular(c->at), axis) : V3_ZERO;
    return v3_dot(axis, change) + v3_dot(turned, now);
}

// S'push along the coordinates of a body, and what their own change makes of the force on it.
static void vary_rows(const tac_model *m, const tac_varied *t, uint16_t self, const vary_change *c, real *out,
                      size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    const int free = mechanism_free(b), own = self == c->body;
    for (int i = 0; i < b->axes; i++) {
        real unit[6], moved[6];
        mechanism_unit(b, i, unit);
        real sum = six_dot(unit, v->push);
        int moves = c->what == VARY_Q && v->within && !(free && i < 3);
        if (own && !free) {
            const tac_joint *j = &JOINT_OF(m)[b->joint];
            const int ball = j->kind == TAC_SPHERICAL;
            moves &= ball ? vary_turned(j, b) : vary_axis(j, b, i) > vary_axis(j, b, c->axis);
        }
        if (moves) {
            vary_cross(c->at, unit, moved);
            sum += six_dot(moved, v->sum);
        }
        if (v->lag > R(0.0) && v->within && c->what != VARY_R) { sum -= v->lag * vary_drifts(m, t, self, c); }
        out[(size_t)(b->first + i) * step] += sum;
    }
}

// A body that is alone: rates (v, w) at the end, w as its contacts see it.
static void vary_column_alone(const tac_model *m, tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[c->body];
    tac_varied_body *v = &t->body[c->body];
    const vec3 inertia = m->body[c->body].inertia;
    const vary_start x = vary_start_of(c, b);
    vec3 linear = v3_sub(v3_scale(-m->body[c->body].mass, x.v), v3_cross(x.turn, v->own[0]));
    const vec3 torque = v3_components(b->axis, v3_cross(v3_sub(v->give[1], v->own[1]), x.turn));
    const vec3 dl = v3_add(v3_mul(inertia, x.w), torque);
    vec3 angular = v3_mul(v3_scale(R(-1.0), inertia), v3_combine(v->lands, dl));
    if (c->what == VARY_R) {
        const vec3 unit = V3_AXIS[c->axis % 3];
        linear = c->axis < 3 ? v3_scale(m->body[c->body].mass, unit) : V3_ZERO;
        angular = c->axis < 3 ? V3_ZERO : v3_mul(inertia, unit);
    }
    const real sum[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (size_t i = 0; i < 6; i++) { out[(b->first + i) * step] += sum[i]; }
    v->within = 1;
    v->moved = (tac_twist){x.way, x.turn};
    v->mean = (tac_twist){V3_ZERO, v3_cross(x.turn, v3_combine(b->axis, v->spin))};
}

// A column of the derivative of the lack along all coordinates, added to `out`.
static void vary_column(const tac_model *m, const tac_state *s, tac_varied *t, const vary_change *c, real *out,
                        size_t step)
{
    const tac_mechanism *k = &t->mechanism;
    if (t->body[c->body].alone) {
        for (uint32_t at = 0; at < k->bodies; at++) { t->body[k->order[at]].within = 0; }
        vary_column_alone(m, t, c, out, step);
        return;
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at], parent = k->body[self].parent;
        tac_varied_body *v = &t->body[self];
        v->within = self == c->body || (parent != TAC_NONE && mechanism_moves(m, parent) && t->body[parent].within);
        v->reached = v->within;
        six_set(v->push, V3_ZERO, V3_ZERO);
        if (v->within) { vary_push(m, s, t, self, c, v->push); }
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const uint16_t self = k->order[at];
        if (!t->body[self].reached) { continue; }
        vary_rows(m, t, self, c, out, step);
        if (!mechanism_hangs(k, self)) { continue; }
        tac_varied_body *parent = &t->body[k->body[self].parent];
        six_add(parent->push, R(1.0), t->body[self].push);
        parent->reached = 1;
    }
}

// ------------------------------------------------------------------------------------------------------ the next state

// Axis of a free motion at the end of the step, and the body that it is fixed in.
static uint16_t vary_fixed(const tac_joint *j, int i)
{
    return mechanism_what(j, i) == JOINT_ABOUT_B ? j->body_b : j->body_a;
}

static vec3 vary_axis_end(const tac_model *m, const tac_varied *t, const tac_mechanism_body *b, int i)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    const uint16_t on = vary_fixed(j, i);
    const vec3 start = mechanism_axis(&t->mechanism, j, b, i);
    return mechanism_moves(m, on) ? v3_add(start, quat_turn(t->body[on].turn, start)) : start;
}

#if TAC_MAX_JOINTS > 0

// Velocity of a body at the end, at the centre of its tree, and its change.
static void vary_seen(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t, uint16_t self,
                      uint16_t tree, vec3 *v, vec3 *turn, vec3 *dv, vec3 *dturn)
{
    const tac_varied_body *x = &t->body[self], *c = &t->body[tree];
    *v = *turn = *dv = *dturn = V3_ZERO;
    if (!mechanism_moves(m, self)) {
        const tac_twist *twist = &s->twist[self], *change = &w->delta_v[self];
        *turn = v3_combine(t->mechanism.body[self].axis, v3_add(twist->w, change->w));
        const vec3 way = v3_add(v3_sub(s->pose[tree].p, s->pose[self].p),
                                v3_sub(c->arm, v3_scale(m->h, v3_add(twist->v, change->v))));
        *v = v3_add(v3_add(twist->v, change->v), v3_cross(*turn, way));
        *dv = v3_cross(*turn, v3_add(six_linear(c->to), v3_cross(six_angular(c->to), c->arm)));
        return;
    }
    const vec3 arm = v3_sub(c->arm, x->arm);
    const vec3 darm = v3_sub(v3_add(six_linear(c->to), v3_cross(six_angular(c->to), c->arm)),
                             v3_add(six_linear(x->to), v3_cross(six_angular(x->to), x->arm)));
    *turn = v3_combine(x->axis, x->end);
    *dturn = x->change.w;
    *v = v3_add(x->v, v3_cross(*turn, arm));
    *dv = v3_add(x->change.v, v3_add(v3_cross(*dturn, arm), v3_cross(*turn, darm)));
}

// Of a point that is at `place` about the fixed point of the tree, on a body that moves: by the column in work.
static vec3 vary_shifted(const tac_varied_body *v, vec3 place)
{
    return v3_add(six_linear(v->to), v3_cross(six_angular(v->to), place));
}

// The origin of frame b at the end of the step, from the centre of the tree there, and its change.
static vec3 vary_origin(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t, uint16_t self,
                        vec3 *change)
{
    const tac_mechanism *k = &t->mechanism;
    const tac_mechanism_body *b = &k->body[self];
    const uint16_t on = JOINT_OF(m)[b->joint].body_b;
    const tac_varied_body *c = &t->body[b->tree], *v = &t->body[on];
    const vec3 from = v3_sub(s->pose[on].p, s->pose[b->tree].p);
    const vec3 start = v3_add(from, v3_combine(k->body[on].axis, b->origin));
    vary_rigid end = {v->turn, v->shift};
    if (!mechanism_moves(m, on)) { end = vary_parent(m, s, w, t, self); }
    const vec3 at = v3_add(v3_add(start, quat_turn(end.turn, start)), end.shift);
    const vec3 moved = mechanism_moves(m, on) ? vary_shifted(v, at) : V3_ZERO;
    *change = v3_sub(moved, vary_shifted(c, c->arm));
    return v3_sub(at, c->arm);
}

// Rotations first, then slides, as mechanism_rates() reads them: what a rotation moves the centre by is no slide.
static void vary_next_rates(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                            uint16_t self, real *rate)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    vec3 v[2], turn[2], dv[2], dturn[2], dat = V3_ZERO;
    vary_seen(m, s, w, t, b->parent, b->tree, &v[0], &turn[0], &dv[0], &dturn[0]);
    vary_seen(m, s, w, t, self, b->tree, &v[1], &turn[1], &dv[1], &dturn[1]);
    const vec3 spin = v3_sub(turn[1], turn[0]), dspin = v3_sub(dturn[1], dturn[0]);
    const vec3 at = b->axes > 1 ? vary_origin(m, s, w, t, self, &dat) : V3_ZERO;
    vec3 slide = v3_sub(v[1], v[0]), dslide = v3_sub(dv[1], dv[0]);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < b->axes; i++) {
            const int about = mechanism_what(j, i) >= JOINT_ABOUT;
            const uint16_t on = vary_fixed(j, i);
            if (about != (pass == 0)) { continue; }
            const vec3 axis = vary_axis_end(m, t, b, i);
            const vec3 daxis = mechanism_moves(m, on) ? v3_cross(six_angular(t->body[on].to), axis) : V3_ZERO;
            const vec3 of = about ? spin : slide, dof = about ? dspin : dslide;
            rate[i] = v3_dot(daxis, of) + v3_dot(axis, dof);
            if (!about || b->axes == 1) { continue; }
            const vec3 lever = v3_cross(at, axis), dlever = v3_add(v3_cross(dat, axis), v3_cross(at, daxis));
            const real now = v3_dot(axis, spin);
            slide = v3_madd(slide, -now, lever);
            dslide = v3_sub(v3_madd(dslide, -rate[i], lever), v3_scale(now, dlever));
        }
    }
}

#else

static void vary_next_rates(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                            uint16_t self, real *rate)
{
    (void)m, (void)s, (void)w, (void)t, (void)self;
    rate[0] = rate[1] = rate[2] = R(0.0);
}

#endif

// Of a body that is alone.
static void vary_next_alone(const tac_model *m, const tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[c->body];
    const tac_varied_body *v = &t->body[c->body];
    const real h = m->h;
    const vec3 inertia = m->body[c->body].inertia, unit = V3_AXIS[c->axis % 3];
    const vary_start x = vary_start_of(c, b);
    const vec3 dv = c->what == VARY_R && c->axis < 3 ? unit : V3_ZERO;
    const vec3 dw = c->what == VARY_R && c->axis >= 3 ? unit : V3_ZERO;
    const vec3 torque = v3_components(b->axis, v3_cross(v3_sub(v->give[1], v->own[1]), x.turn));
    const vec3 dl = v3_add(v3_mul(inertia, x.w), torque);
    vec3 mean = v3_add(dw, v3_combine(v->drift, dl)), end = dw;
    if (JOINT_COUNT(m) > 0) {
        const vec3 whole = v3_add(dl, v3_mul(inertia, v3_sub(dw, v3_combine(v->lands, dl))));
        mean = vary_rotation(h, inertia, v->w, whole);
        end = vary_ended(h, inertia, v->w, v->end, whole, mean);
    }
    const vec3 way = v3_madd(x.way, h, v->straight ? dv : v3_scale(R(0.5), v3_add(dv, x.v)));
    const vec3 turn = v3_add(v3_components(v->axis, x.turn), vary_right(v3_scale(h, v->w), v3_scale(h, mean)));
    const vec3 to[4] = {way, turn, dv, end};
    const size_t n = t->mechanism.coordinates;
    for (size_t i = 0; i < 12; i++) {
        real part[3];
        v3_put(part, to[i / 3]);
        out[(b->first + i % 6 + (i < 6 ? 0 : n)) * step] = part[i % 3];
    }
}

// Of a body of a tree that moves: the change of its velocity at the end.
static void vary_next_body(const tac_model *m, tac_varied *t, const vary_change *c, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const vec3 inertia = m->body[self].inertia;
    const vary_start x = vary_start_of(c, b);
    vec3 dv, dw;
    six_copy(v->to, c->to);
    vary_mean(m, v, &x, v->to, &dv, &dw);
    const vec3 dl = vary_momentum(m->h, inertia, v->w, dw);
    const vec3 end = vary_ended(m->h, inertia, v->w, v->end, dl, dw);
    v->change.v = dv;
    v->change.w = v3_add(v3_combine(v->axis, end), v3_cross(six_angular(v->to), v3_combine(v->axis, v->end)));
}

// Positions: of a root, or of the joint whose coordinate changes.
static void vary_next_positions(const tac_model *m, const tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[c->body];
    const tac_varied_body *v = &t->body[c->body];
    if (mechanism_free(b)) {
        const vec3 turn = six_angular(v->to), way = v3_add(six_linear(v->to), v3_cross(turn, v->arm));
        const vec3 own = v3_components(v->axis, turn);
        out[0] = way.x, out[step] = way.y, out[2 * step] = way.z;
        out[3 * step] = own.x, out[4 * step] = own.y, out[5 * step] = own.z;
    } else if (JOINT_OF(m)[b->joint].kind == TAC_SPHERICAL) {
        for (int i = 0; i < 3; i++) { out[(size_t)i * step] = v3_dot(vary_axis_end(m, t, b, i), six_angular(v->to)); }
    } else {
        out[(size_t)c->axis * step] = c->what == VARY_Q ? R(1.0) : m->h;
    }
}

static void vary_next_velocities(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                                 uint16_t self, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    real x[6];
    if (mechanism_free(b)) {
        const vec3 omega = v3_combine(v->axis, v->end);
        v3_put(x, v->change.v);
        v3_put(x + 3, v3_components(v->axis, v3_sub(v->change.w, v3_cross(six_angular(v->to), omega))));
    } else {
        vary_next_rates(m, s, w, t, self, x);
    }
    for (size_t i = 0; i < b->axes; i++) { out[i * step] = x[i]; }
}

// A column of the derivative of the next state by q, v and r: positions, then as many velocities.
static void vary_next(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, const vary_change *c,
                      real *out, size_t step)
{
    const tac_mechanism *k = &t->mechanism;
    for (size_t i = 0; i < 2 * (size_t)k->coordinates; i++) { out[i * step] = R(0.0); }
    if (t->body[c->body].alone) {
        vary_next_alone(m, t, c, out, step);
        return;
    }
    if (c->what == VARY_V) { return; } // trees see it in the rates r alone
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        tac_varied_body *v = &t->body[self];
        const int hangs = mechanism_hangs(k, self);
        six_set(v->to, V3_ZERO, V3_ZERO);
        v->change = (tac_twist){V3_ZERO, V3_ZERO};
        v->within = self == c->body || (hangs && t->body[k->body[self].parent].within);
        if (!v->within) { continue; }
        vary_next_body(m, t, c, self);
        vary_next_velocities(m, s, w, t, self, out + (k->coordinates + k->body[self].first) * step, step);
    }
    vary_next_positions(m, t, c, out + k->body[c->body].first * step, step);
}

// ------------------------------------------------------------------------------------------------------ the whole step

// What a derivative needs of one step: its mechanism, and the memory of a problem as that of matrices.
typedef struct vary_step {
    const tac_model *m;
    const tac_state *s;
    const tac_input *input;
    tac_work *w;
    tac_varied *t;
    tac_lcp *q;
    int bears; // contacts and bounded efforts have the impulses that the step has found; else they have none
} vary_step;

// The matrix of the lack by the mean rates, in the scratch of a problem.
static real *vary_matrix(const vary_step *x)
{
    return x->q->table[0];
}

#define VARY_STRIDE (TAC_MAX_LCP + 1)

static vary_effort vary_effort_on(const vary_step *x, const tac_mechanism_body *b)
{
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[b->joint];
    const tac_motor *motor = k->motor != TAC_NONE ? &JOINT_MOTOR(x->input)[k->motor] : NULL;
    real rate[3], g[TAC_EFFORTS];
    mechanism_rates(b, x->t->mechanism.body[b->parent].velocity, rate);
    for (int i = 0; i < TAC_EFFORTS; i++) { g[i] = k->interval[i].z; }
    return vary_effort_of(x->m, motor, j, k, rate[0], x->bears ? g : NULL);
}

// Does anything act along the coordinates of the body's joint?
static int vary_acts(const vary_step *x, const tac_mechanism_body *b)
{
    return !mechanism_free(b) && b->axes == 1 && JOINT_LINK(x->w)[b->joint].coordinate;
}

// What efforts do along the coordinates of joints, and what each body's free rotation adds to its drift.
static void vary_efforts(const vary_step *x)
{
    tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        tac_varied_body *v = &x->t->body[self];
        const vec3 inertia = x->m->body[self].inertia;
        v->acts = (uint8_t)vary_acts(x, b);
        v->held = 0;
        v->lag = R(0.0);
        if (v->acts) {
            const vary_effort e = vary_effort_on(x, b);
            v->constant = e.constant, v->slope = e.slope, v->pull = e.pull, v->rotor = e.rotor, v->lag = e.lag;
            v->lead = e.lead, v->follows = e.follows;
            v->held = (uint8_t)e.held;
        }
        for (int i = 0; i < 3; i++) {
            const vec3 dw = vary_rotation(x->m->h, inertia, v->flight, V3_AXIS[i]);
            v->lands[i] = vary_ended(x->m->h, inertia, v->flight, v->flown, V3_AXIS[i], dw);
            v->drift[i] = v3_sub(dw, v->lands[i]);
        }
    }
}

// What the rates r leave of the equations of all coordinates.
static void vary_value(const vary_step *x, const real *r, real *out)
{
    tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        tac_varied_body *v = &x->t->body[k->order[at]];
        const vec3 force = six_linear(v->lack);
        six_set(v->sum, v3_add(six_angular(v->lack), v3_cross(b->arm, force)), force);
        if (v->alone) {
            const tac_twist *twist = &x->s->twist[k->order[at]];
            const vec3 push = v3_scale(x->m->body[k->order[at]].mass, v3_sub(v3_of(r + b->first), twist->v));
            const vec3 turn = v3_mul(x->m->body[k->order[at]].inertia, v3_sub(v3_of(r + b->first + 3), v->flown));
            six_set(v->sum, v3_combine(b->axis, turn), v3_sub(push, v->give[0]));
        }
        six_sub(v->sum, v->load);
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        mechanism_components(b, x->t->body[self].sum, out + b->first);
        if (mechanism_hangs(k, self)) { six_add(x->t->body[b->parent].sum, R(1.0), x->t->body[self].sum); }
        const tac_varied_body *v = &x->t->body[self];
        real *to = &out[b->first];
        if (!v->acts) { continue; }
        const real constant = v->constant + (v->lag > R(0.0) ? v->lag * vary_drifts_now(x->m, x->t, self) : R(0.0));
        *to = v->held ? r[b->first] - v->lead : *to - (constant - v->slope * r[b->first]);
    }
}

// The derivative of these by r.
static void vary_assemble(const vary_step *x)
{
    const tac_mechanism *k = &x->t->mechanism;
    real *matrix = vary_matrix(x);
    for (uint32_t row = 0; row < k->coordinates; row++) {
        reals_clear(&matrix[row * VARY_STRIDE], k->coordinates * sizeof *matrix);
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        for (int i = 0; i < b->axes; i++) {
            vary_change c;
            vary_change_of(x->m, x->t, self, i, VARY_R, &c);
            vary_column(x->m, x->s, x->t, &c, matrix + b->first + i, VARY_STRIDE);
        }
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const tac_varied_body *v = &x->t->body[k->order[at]];
        real *row = &matrix[b->first * (size_t)VARY_STRIDE];
        if (!v->acts) { continue; }
        if (v->held) { reals_clear(row, k->coordinates * sizeof *row); }
        row[b->first] += v->held ? R(1.0) : v->slope;
    }
}

// Returns 0 if it is singular.
static int vary_factor(const vary_step *x)
{
    return lu_factor(vary_matrix(x), x->t->mechanism.coordinates, VARY_STRIDE, x->q->basic);
}

static void vary_solve(const vary_step *x, real *b, size_t step)
{
    lu_back(vary_matrix(x), x->t->mechanism.coordinates, VARY_STRIDE, x->q->basic, b, step);
}

// The mass matrix with what yields along coordinates, factored. Coordinates that are led stay as they are: their
// columns are those of 1, and their rows too unless these are to answer for the others.
static int vary_mass(const vary_step *x, int answers)
{
    tac_mechanism *k = &x->t->mechanism;
    const size_t n = k->coordinates;
    real *M = x->q->table[0];
    dynamics_mass_matrix(x->m, x->s, k, M);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const tac_varied_body *v = &x->t->body[k->order[at]];
        const size_t i = b->first;
        if (!v->acts) { continue; }
        M[i * n + i] += v->slope - v->rotor; // the rotor is in both
        for (size_t j = 0; j < n && v->held; j++) {
            M[j * n + i] = i == j ? R(1.0) : R(0.0);
            if (!answers) { M[i * n + j] = M[j * n + i]; }
        }
    }
    return lu_factor(M, (uint32_t)n, n, x->q->basic);
}

#define VARY_NEWTON 3 // corrections of the rates; each leaves a part of the order of the angle of the step

// The rates of the step, from those of the velocities in delta_v, and the matrix there. The mass matrix is near enough
// to correct them. Returns 0 if it is singular.
static int vary_find(const vary_step *x)
{
    tac_mechanism *k = &x->t->mechanism;
    real *r = x->q->value, *left = x->q->entering;
    if (!vary_mass(x, 0)) { return 0; }
    vary_move(x->m, x->s, x->w, x->t, r);
    for (int i = 0; i < VARY_NEWTON; i++) {
        vary_value(x, r, left);
        lu_back(x->q->table[0], k->coordinates, k->coordinates, x->q->basic, left, 1);
        for (uint32_t j = 0; j < k->coordinates; j++) { r[j] -= left[j]; }
        vary_move(x->m, x->s, x->w, x->t, r);
    }
    vary_value(x, r, left);
    vary_assemble(x);
    return 1;
}

// The derivative of the next state by the rates, 2 n rows of n, from row `first` of F on.
static void vary_lead(const vary_step *x, uint32_t first)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (int i = 0; i < b->axes; i++) {
            vary_change c;
            vary_change_of(x->m, x->t, k->order[at], i, VARY_R, &c);
            vary_next(x->m, x->s, x->w, x->t, &c, x->q->F[first] + b->first + i, TAC_MAX_LCP);
        }
    }
}

// What a change of the rates adds to a column of the next state. A position follows the rates of its own root or joint
// alone.
static void vary_follow(const vary_step *x, uint32_t first, const real *dr, real *out, size_t step)
{
    const tac_mechanism *k = &x->t->mechanism;
    const size_t n = k->coordinates;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
            const real *place = x->q->F[first + i], *rate = x->q->F[first + n + i];
            real sum = out[i * step];
            for (size_t j = b->first; j < (size_t)b->first + b->axes; j++) { sum += place[j] * dr[j]; }
            out[i * step] = sum;
            sum = out[(n + i) * step];
            for (size_t j = 0; j < n; j++) { sum += rate[j] * dr[j]; }
            out[(n + i) * step] = sum;
        }
    }
}

// The right-hand side of a column of q or v: minus the change of the lack and of efforts.
static void vary_state(const vary_step *x, uint16_t self, int axis, int what, vary_change *c, real *to)
{
    vary_change_of(x->m, x->t, self, axis, what, c);
    reals_clear(to, x->t->mechanism.coordinates * sizeof *to);
    vary_column(x->m, x->s, x->t, c, to, 1);
}

static void vary_right_side(const vary_step *x, const vary_change *c, real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (size_t row = 0; row < k->coordinates; row++) { to[row] = -to[row]; }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_varied_body *v = &x->t->body[self];
        real *row = &to[k->body[self].first];
        if (!v->acts) { continue; }
        if (v->held) { *row = R(0.0); }
        if (self != c->body) { continue; }
        if (v->held) { *row = c->what == VARY_Q ? v->follows : R(0.0); }
        if (!v->held) { *row += c->what == VARY_Q ? -v->pull : v->rotor; }
    }
}

// Free roots: their coordinates come first.
static uint32_t vary_roots(const tac_mechanism *k)
{
    uint32_t roots = 0;
    for (uint32_t at = 0; at < k->bodies; at++) { roots += (uint32_t)mechanism_free(&k->body[k->order[at]]); }
    return roots;
}

// The coordinate of an effort: of all, or of those of joints alone.
static uint32_t vary_input_of(const tac_mechanism *k, int wrenches, uint32_t input)
{
    return input + (wrenches ? 0 : 6 * vary_roots(k));
}

// Its right-hand side.
static void vary_input(const vary_step *x, uint32_t coordinate, real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    reals_clear(to, k->coordinates * sizeof *to);
    to[coordinate] = x->m->h;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_varied_body *v = &x->t->body[k->order[at]];
        if (v->acts && v->held) { to[k->body[k->order[at]].first] = R(0.0); }
    }
}

// The rates at the end of the velocities that are in delta_v, as the joints stand at the start; and the mechanism.
static void vary_started(const vary_step *x, real *v)
{
    tac_mechanism *k = &x->t->mechanism;
    tac_twist *twist = x->w->phase.began;
    for (uint16_t i = 0; i < x->m->bodies; i++) {
        const tac_twist *t = &x->s->twist[i], *g = &x->w->delta_v[i];
        twist[i] = (tac_twist){v3_add(t->v, g->v), v3_add(t->w, g->w)};
    }
    mechanism_place(x->m, x->s->pose, twist, k);
    for (uint32_t at = 0; at < k->bodies; at++) {
        coordinates_rates(x->s->pose, twist, k, k->order[at], v + k->body[k->order[at]].first);
    }
    vary_begin(x->m, x->s, x->input, x->t);
}

#endif

#endif
