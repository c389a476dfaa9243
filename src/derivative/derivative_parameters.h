// SPDX-License-Identifier: MIT
// derivative_parameters.h - how the next state changes with masses, friction and other numbers of the model.
//   given   the responses and pushes of which A and B have been made, which are used up then
//   makes   P, a column for each parameter
//   bound   for each parameter a visit to all contacts and bodies, n (n + 3 k) multiplications; with pushes 2 n k + k^2
//   never   opens, closes or slides another contact than the step did
#ifndef DERIVATIVE_DERIVATIVE_PARAMETERS_H
#define DERIVATIVE_DERIVATIVE_PARAMETERS_H

#include "../model/parameter.h"
#include "derivative_pushes.h"

#if TAC_MAX_LCP > 0

// ---------------------------------------------------------------------------------------------------------- mass
// Moments that grow in proportion let a body rotate freely as before, and by the same velocities: only what moves it
// counts. So of a body that carries or is carried the residual is all that changes, by
//      m (V - v - h g),     L - I w
// times the relative change. A torque of the input makes less of a velocity: the free motion of a body by itself, and
// so its excess, begins with -I^-1 T more.

// The change of the residual of a body by a relative change of its mass and moments, or of moments alone.
static void derivative_grow(const vary_step *x, uint16_t self, int mass, real *to)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_body *body = &x->m->body[self];
    const tac_twist *twist = &x->s->twist[self];
    const tac_varied_body *v = &x->t->body[self];
    vec3 force = V3_ZERO, v_end = v->mean_v, turn = v3_sub(v->start_l_b, v3_mul(body->inertia, twist->w));
    if (v->alone) {
        const vec3 late = v3_combine(v->dend_dl_b, vary_alone_dl(x, self, 0, VARY_P));
        turn = v3_mul(body->inertia, v3_sub(v3_sub(v3_of(x->rates + b->first + 3), v->flight_w_b[1]), late));
        v_end = v3_of(x->rates + b->first);
    }
    if (mass) { force = v3_scale(body->mass, v3_sub(v3_madd(v_end, -x->m->h, x->m->gravity), twist->v)); }
    const vec3 torque = v3_combine(b->axis, turn);
    derivative_along(x, self, R(-1.0), v->alone ? torque : v3_add(torque, v3_cross(b->arm, force)), force, to);
}

// By how much a body, by a relative change of the mass and moments of one, or of its moments alone, is heavier to the
// projection, as a part of what it is by itself. A light one is as heavy as the heaviest one says.
static real derivative_heavier(const vary_step *x, uint16_t self, uint16_t grown, int mass)
{
    const real light = derivative_light(x, self);
    const int heaviest = PROJECT_LIGHT * x->m->body[grown].mass == project_least(x->m, x->w);
    const int follows = mass && light < R(1.0);
    return (follows ? heaviest : self == grown) ? R(1.0) / light : R(0.0);
}

// What pushes make of a motion s less where a body is heavier, and the compliance of its contacts.
static void derivative_grow_pushed(const vary_step *x, uint16_t grown, int mass, real *change, real *need)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const real part = derivative_heavier(x, self, grown, mass);
        const tac_mechanism_body *b = &x->tree->body[self];
        const tac_body *body = &x->m->body[self];
        const tac_varied_body *v = &x->t->body[self];
        if (part == R(0.0)) { continue; }
        const vec3 speed = vary_velocity(v->phase.push.motion, b->arm);
        const vec3 force = v3_scale(mass ? body->mass : R(0.0), speed);
        const vec3 spin = v3_combine(b->axis, v3_mul(body->inertia, v->push_w_b));
        derivative_along(x, self, -part, v->alone ? spin : v3_add(spin, v3_cross(b->arm, force)), force, change);
    }
    vary_clear_held(x, (vary_block){change, 1}, 1);
    for (uint32_t i = 0; i < x->k; i++) {
        const tac_contact *c = &x->w->contact[i];
        for (uint32_t j = 0; j < x->n; j++) { need[i] -= vary_row(x->answer, j)[3 * i] * change[j]; }
        for (int side = 0; side < 2 && JOINT_COUNT(x->m) > 0; side++) {
            if (derivative_body(c, side) != grown) { continue; }
            const real slide = mass ? R(0.0) : R(1.0) / x->m->body[grown].mass;
            need[i] += PROJECT_SOFT * derivative_push(x, i) * (derivative_alone(x, c, side) - slide);
        }
    }
}

// ------------------------------------------------------------------------------------------------------ friction

// The derivative of a coefficient of two materials by that of one of them; model_combine(). Where both are equal the
// first one is the least, and the largest.
static real derivative_combine(const tac_material *own, const tac_material *other, int first)
{
    const real a = own->friction, b = other->friction;
    switch (own->friction_rule > other->friction_rule ? own->friction_rule : other->friction_rule) {
    case TAC_RULE_AVERAGE:
        return R(0.5);
    case TAC_RULE_GEOMETRIC:
        return a == b ? R(0.5) : R(0.5) * real_sqrt(b / a);
    case TAC_RULE_MULTIPLY:
        return b;
    case TAC_RULE_MIN:
        return a < b || (first && a == b) ? R(1.0) : R(0.0);
    default:
        return a > b || (first && a == b) ? R(1.0) : R(0.0);
    }
}

// The derivative of the friction of a contact by a parameter; model_pair().
static real derivative_friction(const tac_model *m, const tac_contact *c, const tac_parameter *p)
{
    const uint8_t a = m->shape[c->id.shape_a].material, b = m->shape[c->id.shape_b].material;
    real sum = R(0.0);
    for (uint16_t i = 0; i < m->material_pairs; i++) {
        const tac_material_pair *pair = &m->material_pair[i];
        if ((pair->a != a || pair->b != b) && (pair->a != b || pair->b != a)) { continue; }
        return p->kind == TAC_FIT_PAIR_FRICTION && p->index == i ? R(1.0) : R(0.0);
    }
    if (p->kind != TAC_FIT_FRICTION) { return sum; }
    if (p->index == a) { sum += derivative_combine(&m->material[a], &m->material[b], 1); }
    if (p->index == b) { sum += derivative_combine(&m->material[b], &m->material[a], 0); }
    return sum;
}

// What a parameter asks of the laws of contacts that slide: dg_s + mu dg_n = -g_n dmu, du_n - mu du_s = |u_T| dmu. The
// first stands where dg_s is asked for nothing.
static void derivative_slide(const vary_step *x, const tac_parameter *p, real *seen)
{
    for (uint32_t i = 0; i < x->k; i++) {
        const tac_varied_contact *k = &x->t->contact[i];
        if (!k->bears || !k->slides) { continue; }
        const real dmu = derivative_friction(x->m, &x->w->contact[i], p);
        seen[3 * i] = -k->relaxed * k->slip * dmu;
        seen[3 * i + 1] = k->g.x / (k->scale * k->scale) * dmu;
    }
}

// -------------------------------------------------------------------------------------------------------- joints

// What effort_slope() gains by stiffness, damping and the mass that it is for.
static real derivative_slope(const effort_law *e, real mass, real h, real by_stiffness, real by_damping, real by_mass)
{
    const real pull = h * h * e->stiffness, half = R(0.5) * pull - R(0.125) * mass, whole = pull - mass;
    if (h * e->damping >= real_max(half, whole)) { return h * by_damping; }
    return half >= whole ? R(0.5) * h * h * by_stiffness - R(0.125) * by_mass : h * h * by_stiffness - by_mass;
}

// What the impulse of a soft effort gains by a relative change of the command of its motor, and by one of the mass
// along the coordinate. A motor that would pass its speed pushes with what its law has at the start.
static real derivative_yields(const vary_step *x, uint16_t self, int effort, real command, real heavier)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_joint_block *k = &JOINT_LINK(x->w)[b->joint];
    const tac_interval *of = &k->interval[effort];
    if (!of->used) { return R(0.0); }
    const effort_law law = vary_law(x, b->joint, effort);
    const real h = x->m->h, mass = joint_mass(k, JOINT_LAST, k->scale), g = k->borne[effort];
    const int within = of->hard ? k->scale * g > h * law.least && k->scale * g < h * law.most && g != R(0.0)
                                : !interval_bounded(of) || (g > of->lo && g < of->hi);
    if (law.hard || !within) { return R(0.0); }
    real rate[3];
    mechanism_rates(b, x->tree->body[b->parent].velocity, rate);
    if (!of->hard) {
        const int late = effort != TAC_EFFORT_PASSIVE && joint_rotates(k->kind);
        rate[0] = x->rates[b->first] - (late ? vary_excess_along(x, self) : R(0.0));
    }
    const real slope = derivative_slope(&law, mass, h, command * law.stiffness, command * law.damping, heavier * mass);
    return command * h * law.force - slope * (rate[0] - law.rate);
}

// The part of a body in what an impulse along the coordinate of a joint moves, as 1/mass.
static real derivative_share(const vary_step *x, const tac_joint_block *k, uint16_t self, int mass)
{
    const tac_row *r = &k->row[JOINT_LAST];
    const tac_body *b = &x->m->body[self];
    const vec3 about = r->angular[k->body[1] == self];
    const real slide = mass ? v3_dot(r->linear, r->linear) / b->mass : R(0.0);
    return (v3_dot(about, vary_inverse(b->inertia, about)) + slide) / k->w[JOINT_LAST];
}

// What efforts gain where a body grows: springs that are stiff for the step have a slope by the mass that they move,
// and what follows the excess sees less of it.
static void derivative_grow_efforts(const vary_step *x, uint16_t grown, int mass, real *to)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_varied_effort *e = &x->t->body[self].effort;
        const tac_mechanism_body *b = &x->tree->body[self];
        if ((self != grown && b->parent != grown) || !e->acts || e->held) { continue; }
        const real part = derivative_share(x, &JOINT_LINK(x->w)[b->joint], grown, mass);
        to[b->first] += derivative_yields(x, self, TAC_EFFORT_PASSIVE, R(0.0), part);
        to[b->first] += derivative_yields(x, self, TAC_EFFORT_MOTOR, R(0.0), part);
        to[b->first] += derivative_yields(x, self, TAC_EFFORT_LIMIT, R(0.0), part);
        const vec3 late = v3_combine(x->t->body[grown].dexcess_dl, x->t->body[grown].given.torque);
        const real lag = (self == grown ? R(-1.0) : R(1.0)) * e->lag;
        to[b->first] += lag * v3_dot(mechanism_axis(x->tree, b, 0), late);
    }
}

// What the impulse of a motor gains by joint.effort: its bound, unless its speed has lowered it.
static real derivative_bound(const vary_step *x, uint16_t joint)
{
    const tac_joint_block *k = &JOINT_LINK(x->w)[joint];
    const tac_interval *of = &k->interval[TAC_EFFORT_MOTOR];
    const real most = x->m->h * JOINT_OF(x->m)[joint].effort * (R(1.0) - R(4.0) * REAL_EPSILON);
    const real now = k->scale * k->borne[TAC_EFFORT_MOTOR];
    return of->used && real_abs(now) >= most ? (now > R(0.0) ? x->m->h : -x->m->h) : R(0.0);
}

// The impulse of a spring by its stiffness.
static real derivative_stretched(const vary_step *x, const tac_joint *j)
{
    tac_joint_state at;
    coordinates_own(x->m, x->s, j, &at);
    return -x->m->h * (at.position - j->rest);
}

// What the impulse along the coordinate of a joint gains, at the mean rate. Nothing changes what holds it.
static real derivative_effort(const vary_step *x, uint16_t self, const tac_parameter *p)
{
    const tac_varied_effort *e = &x->t->body[self].effort;
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_joint *j = &JOINT_OF(x->m)[p->index];
    const tac_joint_block *k = &JOINT_LINK(x->w)[p->index];
    const real rate = x->rates[b->first], h = x->m->h;
    real start[3];
    if (!e->acts || e->held) { return R(0.0); }
    mechanism_rates(b, x->tree->body[b->parent].velocity, start);
    const effort_law spring = vary_law(x, p->index, TAC_EFFORT_PASSIVE);
    const real mass = joint_mass(k, JOINT_LAST, k->scale);
    switch (p->kind) {
    case TAC_FIT_JOINT_FRICTION:
        return rate > R(0.0) ? -h : (rate < R(0.0) ? h : R(0.0));
    case TAC_FIT_JOINT_DAMPING:
        return -rate * derivative_slope(&spring, mass, h, R(0.0), R(1.0), R(0.0));
    case TAC_FIT_JOINT_STIFFNESS:
        return derivative_stretched(x, j) - rate * derivative_slope(&spring, mass, h, R(1.0), R(0.0), R(0.0));
    case TAC_FIT_JOINT_REST:
        return h * j->stiffness;
    case TAC_FIT_JOINT_ARMATURE:
        return (joint_rotates(j->kind) ? vary_excess_along(x, self) : R(0.0)) - (rate - start[0]);
    case TAC_FIT_JOINT_EFFORT:
        return derivative_bound(x, p->index);
    default:
        return derivative_yields(x, self, TAC_EFFORT_MOTOR, R(1.0), R(0.0));
    }
}

// The body that a joint carries.
static uint16_t derivative_carried_by(const vary_step *x, uint16_t joint)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        if (!mechanism_free(&x->tree->body[self]) && x->tree->body[self].joint == joint) { return self; }
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------------- columns

// The right side of a parameter, and what it asks of contacts.
static void derivative_parameter_sides(const vary_step *x, const tac_parameter *p, real *side, real *seen)
{
    const int owner = parameter_owner(p->kind);
    reals_clear(side, x->n * sizeof *side);
    reals_clear(seen, (size_t)3 * x->k * sizeof *seen);
    if (owner == PARAMETER_OF_BODY) {
        derivative_grow(x, p->index, p->kind == TAC_FIT_MASS, side);
        derivative_grow_efforts(x, p->index, p->kind == TAC_FIT_MASS, side);
        vary_clear_held(x, (vary_block){side, 1}, 1);
    } else if (owner == PARAMETER_OF_JOINT) {
        const uint16_t self = derivative_carried_by(x, p->index);
        side[x->tree->body[self].first] = derivative_effort(x, self, p);
    } else {
        derivative_slide(x, p, seen);
    }
}

// What pushes add to a column.
static void derivative_parameter_pushes(const vary_step *x, const tac_parameter *p, vary_block out)
{
    const int grows = parameter_owner(p->kind) == PARAMETER_OF_BODY;
    const uint32_t own = grows ? x->tree->body[p->index].first + 3u : TAC_NONE;
    for (uint32_t i = 0; i < x->k; i++) {
        x->need[i] =
            derivative_need(x, i, VARY_U, own, 0) - derivative_free_change(x, &x->w->contact[i], VARY_P, own, 0);
    }
    reals_clear(x->column, x->n * sizeof *x->column);
    if (grows) { derivative_grow_pushed(x, p->index, p->kind == TAC_FIT_MASS, x->column, x->need); }
    derivative_push_side(x, 0);
    derivative_push_end(x, 0, 1, 1, out);
}

// A column of P. Changes of the rates lie in the first column of drates.
static void derivative_parameter(const vary_step *x, const tac_parameter *p, vary_block out)
{
    real *side = vary_row(x->drates, 0), *seen = vary_row(x->seen[VARY_Q], 0);
    derivative_parameter_sides(x, p, side, seen);
    vary_column(x, side, seen);
    for (size_t i = 1; i < x->n; i++) { vary_row(x->drates, i)[0] = side[i]; }
    for (size_t i = 0; i < 2 * x->n; i++) { vary_row(out, i)[0] = R(0.0); }
    if (parameter_owner(p->kind) == PARAMETER_OF_BODY && x->t->body[p->index].alone) {
        const size_t row = x->tree->body[p->index].first + 3u;
        vec3 place, speed;
        vary_root_end(x, p->index, 0, VARY_P, &place, &speed);
        vary_put_column(out, row, 0, place);
        vary_put_column(out, x->n + row, 0, speed);
    }
    vary_follow(x, out, 1);
    if (derivative_pushes_any(x)) { derivative_parameter_pushes(x, p, out); }
    const real unit = p->kind == TAC_FIT_MASS ? R(1.0) / x->m->body[p->index].mass : R(1.0);
    for (size_t i = 0; i < 2 * x->n; i++) { vary_row(out, i)[0] *= unit; }
}

// All of them. Where dg_s is asked for nothing the laws answer to what it lacks.
static void derivative_parameters(const vary_step *x, const tac_step_derivative *y)
{
    for (uint32_t i = 0; i < x->k && y->parameters > 0; i++) {
        if (!x->t->contact[i].slides) { continue; }
        reals_copy(vary_row(x->law, 3 * i + 1), vary_row(x->sliding, i), x->n * sizeof(real));
    }
    for (uint32_t j = 0; j < y->parameters; j++) {
        derivative_parameter(x, &y->parameter[j], (vary_block){y->P + j, y->parameters});
    }
}

#endif

#endif
