// SPDX-License-Identifier: MIT
// settle.h - the guard of energy: no step has more than was supplied.
//   given   the best impulses, joints; where joints close loops, the motion of the step
//   makes   impulses scaled down where they would create energy; the account of energy, by which mechanisms are made
//           slower; impulses of contacts dropped where they are worse than none
//   bound   a visit to each body and joint; a solution where impulses are dropped
//   never   changes a step that has no more energy than was supplied; of loops, the motion of the step
#ifndef STEP_SETTLE_H
#define STEP_SETTLE_H

#include "../dual/reactions.h"
#include "../model/joint.h"
#include "../model/model.h"
#include "joint_factor.h"
#include "rigid.h"

// Trees are guarded twice: impulses before the motion, since a motion that is not made slower winds springs up; the
// account after it. Where joints close loops impulses of arcs and pseudo-velocities may ask for more than impulses of
// the solve do, so one guard comes last, and counts along the motion that has been made.
#define SETTLE_NOISE R(100.0) // times the tolerance and rounding of |p|: velocities of this size are noise
#define SETTLE_FAST R(100.0)  // times the speeds of bodies without impulses: |p| counts as no more
#define SETTLE_RISE R(0.01)   // of the kinetic energy: more than rounding, friction and arcs of joints add in a step
#define SETTLE_STEP R(1e-3)   // of the kinetic energy: more by arcs in one step makes it unsolved; in all SETTLE_RISE
#define SETTLE_MOST R(0.1)    // of the greatest of late: more in all is taken back, and a loss of more forgotten
#define SETTLE_FADES R(0.996) // of the greatest of late is left after a step
#define SETTLE_TURN R(0.03)   // rad in a step: arcs of slower bodies add less than SETTLE_STEP,
#define SETTLE_SWAY R(10.0)   // times a change of rate, which says how short an oscillation is: likewise
#define SETTLE_WORSE R(2.0)   // times the residual of no impulses: none are better than impulses that leave more

// Can the interval only take energy? Not that of a motor or a spring, and not where a constraint holds its coordinate.
static inline int settle_passive(const tac_joint_block *k, int interval)
{
    const tac_interval *x = &k->interval[interval];
    return (interval == TAC_EFFORT_LIMIT || interval == TAC_EFFORT_FRICTION) && x->used && x->hard && !k->target;
}

// g'D't of one contact, torsion rows included.
static real settle_contact_power(const tac_work *w, const tac_block *k, const tac_twist *t)
{
    if (has_torsion(k)) { return rows6_dot(torsion_impulse(w, k), torsion_relative(k, t)); }
    return v3_dot(v3_of(&w->scratch.solve.g[k->first]), rows_relative(k, t));
}

// Contacts, hard limits and dry friction bear nothing.
static void settle_drop(tac_work *w)
{
    reals_clear(w->scratch.solve.g, iterate_joint(w, 0) * sizeof *w->scratch.solve.g);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            if (settle_passive(j, b)) { g[b] = R(0.0); }
        }
    }
}

// Kinetic energy at the end of the step, and its rise in the step; the mass that moves.
typedef struct settle_sum {
    real kinetic, mass, rise;
} settle_sum;

// The rate that an effort asks for: a demanded velocity, or that at which its law has fallen to zero.
static inline real settle_asked_rate(const tac_interval *x)
{
    if (!x->used) { return R(0.0); }
    if (x->hard) { return real_abs(x->bias); }
    return x->weight > R(0.0) ? real_abs(x->centre) / x->weight : R(0.0);
}

// Velocities that tolerance and rounding of |p| leave. Loops that are nearly stretched ask for unbounded velocities,
// and |p| is of their size; it counts as no more than bodies and efforts make it.
static real settle_blur(const tac_work *w)
{
    real fast = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        fast = real_max(fast, SETTLE_FAST * k->speed);
        for (int b = 0; b < TAC_EFFORTS; b++) { fast = real_max(fast, settle_asked_rate(&k->interval[b])); }
    }
    return w->program.tolerance * real_min(w->progress.start, fast) + REAL_EPSILON * real_min(w->progress.scale, fast);
}

// Kinetic energy of velocities that are noise.
static real settle_noise(const tac_work *w, const settle_sum *e)
{
    const real blur = SETTLE_NOISE * settle_blur(w);
    return R(1.0) / REAL_LARGEST + blur * blur * e->mass;
}

// The rotor of a joint is a mass along the row of its coordinate, kg.
static inline real settle_rotor(const tac_model *m, const tac_work *w, uint32_t i)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    const real inertia = JOINT_OF(m)[i].armature;
    return inertia > R(0.0) && k->coordinate ? inertia / (k->scale * k->scale) : R(0.0);
}

static void settle_add_rotors(const tac_model *m, const tac_state *s, const tac_work *w, settle_sum *sum)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real mass = settle_rotor(m, w, i);
        if (!(mass > R(0.0))) { continue; }
        const real rate = joint_rate(k, s->twist, JOINT_LAST), change = joint_rate(k, w->delta_v, JOINT_LAST);
        sum->mass += mass;
        sum->kinetic += mass * (rate + change) * (rate + change);
        sum->rise += mass * change * (rate + (rate + change));
    }
}

static settle_sum settle_kinetic(const tac_model *m, const tac_state *s, const tac_work *w)
{
    settle_sum sum = {R(0.0), R(0.0), R(0.0)};
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist *t = &s->twist[i], *g = &w->delta_v[i];
        const real mass = w->moving[i].mass;
        const vec3 inertia = w->moving[i].inertia;
        if (!joint_moves(w, i)) { continue; }
        const vec3 v = v3_add(t->v, g->v), push = v3_scale(mass, v3_add(t->v, v));
        const vec3 spin = v3_add(t->w, g->w), turn = v3_mul(inertia, v3_add(t->w, spin));
        sum.mass += mass;
        sum.kinetic += mass * v3_dot(v, v) + v3_dot(v3_mul(inertia, spin), spin);
        sum.rise += v3_dot(g->v, push) + v3_dot(g->w, turn);
    }
    settle_add_rotors(m, s, w, &sum);
    return (settle_sum){R(0.5) * sum.kinetic, sum.mass, R(0.5) * sum.rise};
}

// Energy that forces on a body supply where it moves with these mean velocities. Free rotation supplies none.
static real settle_work(const tac_work *w, uint16_t i, vec3 way, vec3 turn)
{
    const tac_twist *f = &w->scratch.solve.free[i];
    const vec3 torque = v3_sub(v3_mul(w->moving[i].inertia, f->w), JOINT_TURNED_FREE(w)[i]);
    return w->moving[i].mass * v3_dot(f->v, way) + v3_dot(torque, turn);
}

// The same along the pseudo-velocities of bodies of trees, which make the rest of their motion.
static real settle_lifted(tac_work *w)
{
    real sum = R(0.0);
    for (uint16_t at = 0; at < trees_of(w)->tree_bodies; at++) {
        const uint16_t i = trees_of(w)->order[at];
        if (trees_of(w)->tree_body[i].joint == TAC_NONE && !trees_of(w)->tree_body[i].carries) { continue; }
        sum += settle_work(w, i, w->pseudo_velocity[i].v, V3_ZERO);
    }
    return sum;
}

// The part of this rise that forces on bodies have supplied.
static real settle_given(const tac_state *s, tac_work *w)
{
    real sum = settle_lifted(w);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist *t = &s->twist[i], *g = &w->delta_v[i];
        if (!joint_moves(w, i)) { continue; }
        sum += settle_work(w, i, v3_madd(t->v, R(0.5), g->v), v3_madd(t->w, R(0.5), g->w));
    }
    return sum;
}

// Energy that an impulse g has supplied at a row with this rate at the start: g times the mean rate. `free` is the
// change of the rate at which a motor would do nothing; what drives it beyond is a program that is not solved.
static real settle_supplied(real g, real rate, real change, real free)
{
    const real driven = real_clamp(change, real_min(free, R(0.0)), real_max(free, R(0.0)));
    const real whole = g * (rate + R(0.5) * change), part = g * (rate + R(0.5) * driven);
    return real_max(real_min(whole, part), R(0.0));
}

// Of the motor: its target velocity, or where its force has fallen to zero. A constant effort drives at any rate.
static real settle_motor(const tac_joint_block *k, real g, real rate, real change)
{
    const tac_interval *x = &k->interval[TAC_EFFORT_MOTOR];
    real free = g < R(0.0) ? -REAL_LARGEST : REAL_LARGEST;
    if (!x->used) { return R(0.0); }
    if (x->hard) {
        free = -x->bias;
    } else if (x->weight > R(0.0)) {
        free = x->centre / x->weight;
    }
    return settle_supplied(g, rate, change, free);
}

// Along this mean rate, of springs and elastic stops along the coordinate, and of the impulses that they take on the
// arc. `taken`: impulse that the rotor has taken, which is a mass. `least`: springs that take energy count no less.
static real settle_springs(const tac_joint_block *k, const real *g, real taken, real mean, real least)
{
    real sum = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const int spring = b != TAC_EFFORT_MOTOR && k->interval[b].used && !settle_passive(k, b);
        const real given = g[b] + k->arc[TAC_JOINT_ROWS + b] + (b == TAC_EFFORT_PASSIVE ? taken : R(0.0));
        if (spring) { sum += real_max(given * mean, least); }
    }
    return sum;
}

// Energy that motors, springs, bushings and prescribed motion have supplied; springs no more than they can. Rows of
// bushings yield, no others. Each counts only if it is positive; but where joints close loops springs count with their
// sign and along the motion that has been made: at a dead end a spring drives velocities that lead nowhere.
static real settle_driven(const tac_model *m, const tac_state *s, tac_work *w)
{
    const int made = trees_of(w)->closed;
    const real least = made ? -REAL_LARGEST : R(0.0);
    real sum = R(0.0);
    reactions_of_held(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first];
        real springs = R(0.0);
        for (int row = k->kind == TAC_BUSHING ? 0 : JOINT_LAST; row < TAC_JOINT_ROWS; row++) {
            const int coordinate = row == JOINT_LAST && k->coordinate, led = coordinate && k->driven;
            const int yields = k->constraints >> row & 1 && k->soft[row] > R(0.0);
            if (!coordinate && !yields) { continue; }
            const real rate = joint_rate(k, s->twist, row), change = joint_rate(k, w->delta_v, row);
            const real mean = rate + R(0.5) * change + (made ? joint_rate(k, w->pseudo_velocity, row) : R(0.0));
            if (led) {
                sum += settle_supplied(g[row] + k->arc[row], rate, change, -k->bias[row]);
            } else if (yields) {
                springs += real_max((g[row] + k->arc[row]) * mean, least);
            }
            if (!coordinate) { continue; }
            const int motor = TAC_JOINT_ROWS + TAC_EFFORT_MOTOR;
            sum += settle_motor(k, g[motor] + k->arc[motor], rate, change);
            springs += settle_springs(k, g + TAC_JOINT_ROWS, settle_rotor(m, w, i) * change, mean, least);
        }
        sum += real_min(springs, k->stored);
    }
    return sum;
}

// What joints of trees take from bodies with prescribed motion, whose mean velocities these are.
static real settle_prescribed_trees(tac_work *w, const tac_twist *mean)
{
    const tac_trees *r = trees_of(w);
    real sum = R(0.0);
    reactions_make(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        const tac_tree_body *b = &r->tree_body[self];
        real x[6];
        if (b->joint == TAC_NONE || b->parent != TAC_NONE) { continue; }
        articulated_parent(w, b, self, mean, x);
        sum += six_dot(b->f.impulse, x);
    }
    return sum;
}

// The same of joints as rows, with their impulses on the arc.
static real settle_prescribed_rows(const tac_work *w, const tac_twist *mean)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, j, impulse);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (joint_has_row(j, row)) { sum -= (impulse[row] + joint_on_arc(j, row)) * joint_rate(j, mean, row); }
        }
    }
    return sum;
}

// Energy that bodies with prescribed motion have supplied through their contacts and joints.
static real settle_prescribed(const tac_state *s, tac_work *w)
{
    tac_twist *mean = w->phase.mean;
    real sum = R(0.0), fastest = R(0.0);
    phase_take(w, TAC_PHASE_MEAN);
    reals_clear(mean, w->program.bodies * sizeof *mean);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (joint_moves(w, i)) { continue; }
        mean[i].v = v3_madd(s->twist[i].v, R(0.5), w->delta_v[i].v);
        mean[i].w = v3_madd(s->twist[i].w, R(0.5), w->delta_v[i].w);
        fastest = real_max(fastest, real_max(v3_norm_inf(mean[i].v), v3_norm_inf(mean[i].w)));
    }
    if (fastest == R(0.0)) { return sum; }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        sum -= settle_contact_power(w, k, mean);
    }
    return sum + (articulated_wholly(w) ? settle_prescribed_trees(w, mean) : settle_prescribed_rows(w, mean));
}

// The rise of the kinetic energy that nothing has supplied. Springs that take energy count, see settle_driven(). Forces
// have supplied `least` or more.
static real settle_made(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e, real least)
{
    const real given = real_max(settle_given(s, w), least) + real_max(settle_prescribed(s, w), R(0.0));
    const real made = e->rise - given;
    return made > R(0.0) || trees_of(w)->closed ? made - settle_driven(m, s, w) : made;
}

// Has the kinetic energy risen by more than forces, motors and bodies with prescribed motion have supplied? Not tested
// where options demand velocities of their own. Of trees this is asked before their motion, along velocities that do
// not follow the arcs yet: work against forces then counts as none. What costs a visit to each joint is asked for last.
static int settle_rises(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e)
{
    const real seen = SETTLE_RISE * e->kinetic;
    if (!(e->rise > seen) || m->options.stabilise || m->options.recovery > R(0.0)) { return 0; }
    const real least = settle_noise(w, e) + seen;
    const real work = trees_of(w)->closed ? -REAL_LARGEST : R(0.0);
    return e->rise > least && settle_made(m, s, w, e, work) > least;
}

// The velocity of a body changes by this in the step. Where joints close loops, its motion stays.
static void settle_become(tac_work *w, uint16_t i, tac_twist to)
{
    tac_twist *g = &w->delta_v[i], *p = &w->pseudo_velocity[i];
    if (trees_of(w)->closed) { *p = (tac_twist){v3_add(p->v, v3_sub(g->v, to.v)), v3_add(p->w, v3_sub(g->w, to.w))}; }
    *g = to;
}

// Of all multiples of all impulses, those of joints too, the one with the least energy: contacts that joints nearly
// block, and loops that are nearly stretched, may demand unbounded velocities.
static void settle_scale_all(const tac_model *m, const tac_state *s, tac_work *w)
{
    real asked = R(0.0), size = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real mass = settle_rotor(m, w, i);
        if (!(mass > R(0.0))) { continue; }
        const real free = joint_rate(k, w->scratch.solve.free, JOINT_LAST);
        const real moved = joint_rate(k, w->delta_v, JOINT_LAST) - free;
        asked += mass * moved * (joint_rate(k, s->twist, JOINT_LAST) + free);
        size += mass * moved * moved;
    }
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist *t = &s->twist[i], *g = &w->delta_v[i], *f = &w->scratch.solve.free[i];
        const vec3 v = v3_sub(g->v, f->v), turn = v3_sub(g->w, f->w), spin = v3_mul(w->moving[i].inertia, turn);
        if (!joint_moves(w, i)) { continue; }
        asked += w->moving[i].mass * v3_dot(v, v3_add(t->v, f->v)) + v3_dot(spin, v3_add(t->w, f->w));
        size += w->moving[i].mass * v3_dot(v, v) + v3_dot(spin, turn);
    }
    const real part = size > R(0.0) ? real_clamp(-asked / size, R(0.0), R(1.0)) : R(0.0);
    for (uint32_t row = 0; row < iterate_joint(w, PROGRAM_JOINTS(w)); row++) { w->scratch.solve.g[row] *= part; }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int row = 0; row < TAC_LINK_ROWS; row++) { JOINT_LINK(w)[i].arc[row] *= part; }
    }
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist *f = &w->scratch.solve.free[i], *g = &w->delta_v[i];
        const vec3 v = v3_madd(f->v, part, v3_sub(g->v, f->v)), turn = v3_madd(f->w, part, v3_sub(g->w, f->w));
        settle_become(w, i, (tac_twist){v, turn});
    }
}

// Recomputes the impulses of joints, and of unbounded intervals along their coordinates, from those of contacts and
// bounded intervals. Motors that were taken as unbounded may leave their bounds by that.
static void settle_recompute_joints(tac_work *w)
{
    trees_finish(w, 0);
    solve_measure_rows(w);
    solve_keep(w);
}

// Contacts that joints wedge may be left with huge impulses, which are nothing but rounding: then they bear nothing.
static int settle_worse(const tac_state *s, tac_work *w)
{
    const tac_progress *p = &w->progress;
    if (!(p->least > SETTLE_WORSE * p->start) || !(p->least < REAL_LARGEST)) { return SOLVE_KEPT; }
    joint_factor_make(s, w);
    settle_drop(w);
    settle_recompute_joints(w);
    return SOLVE_CHANGED;
}

// Before the motion. Returns what has become of the impulses that the solver has ended with: SOLVE_KEPT, ...
static int settle(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (PROGRAM_JOINTS(w) == 0) { return SOLVE_KEPT; }
    const int changes = settle_worse(s, w);
    if (trees_of(w)->closed) { return changes; }
    const settle_sum e = settle_kinetic(m, s, w);
    if (!settle_rises(m, s, w, &e)) { return changes; }
    settle_scale_all(m, s, w);
    return SOLVE_SCALED;
}

// ------------------------------------------------------------------------------------------------------------- account
// What the motion along arcs adds to the energy or takes from it, beyond what has been supplied, is summed from step to
// step: the own oscillation of leapfrog integration gives back what it has taken, and is left alone. More than a part
// of the greatest kinetic energy of late is no oscillation, and is taken back. A loss of more than that is friction or
// damping, and is forgotten; so is what cannot be taken back.

// Does any body turn so far in the step, or change its rate so much, that the energy of arcs may count?
static int settle_turns(const tac_model *m, const tac_state *s, const tac_work *w)
{
    real fast = R(0.0);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        fast = real_max(fast, v3_norm_inf(s->twist[i].w) + SETTLE_SWAY * v3_norm_inf(w->delta_v[i].w));
    }
    return m->h * fast > SETTLE_TURN;
}

// The account of the last step, in a step that may add nothing to it.
static inline void settle_carry(const tac_state *s, tac_work *w)
{
    w->progress.account = (tac_account){JOINT_ACCOUNT(s)->made, SETTLE_FADES * JOINT_ACCOUNT(s)->peak};
}

// Enters a step that has made this energy, or enters it again. Returns what is to be taken back. Not where options
// demand velocities of their own, or bounces change them, rates of rotors too.
static real settle_account(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e, real made)
{
    if (m->options.recovery > R(0.0) || w->report.impacts > 0) { return R(0.0); }
    const real noise = settle_noise(w, e), kept = SETTLE_MOST * JOINT_ACCOUNT(s)->peak;
    const real peak = real_max(SETTLE_FADES * JOINT_ACCOUNT(s)->peak, e->kinetic), most = SETTLE_MOST * peak;
    const real all = real_clamp(JOINT_ACCOUNT(s)->made, -kept, kept) + made;
    if (made > noise + SETTLE_STEP * e->kinetic || all > noise + SETTLE_RISE * peak) { w->progress.converged = 0; }
    w->progress.account = (tac_account){all, peak};
    return all > noise + most ? all - most : R(0.0);
}

// Of trees.
static real settle_enter(const tac_model *m, const tac_state *s, tac_work *w)
{
    const settle_sum e = settle_kinetic(m, s, w);
    return settle_account(m, s, w, &e, settle_made(m, s, w, &e, -REAL_LARGEST));
}

// The motion of each mechanism as one rigid body, in step[] of its first body: none where it hangs on a body that no
// impulse moves. Angular momenta are those without free rotation, in the axes of the start of the step.
static void settle_rigid(const tac_state *s, tac_work *w)
{
    const tac_tree_body *b = trees_of(w)->tree_body;
    tac_twist *rigid = SOLUTION(w)->step.twist;
    articulated_groups(w, 0);
    rigid[0] = (tac_twist){V3_ZERO, V3_ZERO};
    for (uint16_t first = 1; first < w->program.bodies; first++) {
        rigid_sum sum;
        if (b[first].mark != first) { continue; }
        reals_clear(&sum, sizeof sum);
        for (uint16_t i = first; i < w->program.bodies; i++) {
            if (b[i].mark != first) { continue; }
            const vec3 r = v3_sub(s->pose[i].p, s->pose[first].p);
            const vec3 v = v3_add(s->twist[i].v, w->delta_v[i].v), turn = v3_add(s->twist[i].w, w->delta_v[i].w);
            const vec3 l = v3_sub(v3_mul(w->moving[i].inertia, turn), JOINT_TURNED(w)[i]);
            const tac_twist momentum = {v3_scale(w->moving[i].mass, v), l};
            rigid_add(&w->moving[i], b[i].axis, r, &momentum, &sum);
        }
        rigid[first] = rigid_motion(&sum);
    }
}

// The velocity of a body relative to that motion.
static tac_twist settle_relative(const tac_state *s, const tac_work *w, uint16_t i)
{
    const tac_tree_body *b = &JOINT_TREES(w)->tree_body[i];
    const tac_twist *rigid = &SOLUTION(w)->step.twist[b->mark];
    const vec3 r = v3_sub(s->pose[i].p, s->pose[b->mark].p);
    const vec3 v = v3_sub(v3_add(s->twist[i].v, w->delta_v[i].v), rigid->v);
    const vec3 turn = v3_sub(v3_add(s->twist[i].w, w->delta_v[i].w), v3_components(b->axis, rigid->w));
    return (tac_twist){v3_sub(v, v3_cross(rigid->w, r)), turn};
}

// Twice the kinetic energy of these velocities, rotors included; what forces supply along half of them.
static real settle_spare(const tac_model *m, const tac_state *s, const tac_work *w, real *given)
{
    real relative = R(0.0);
    *given = R(0.0);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist t = settle_relative(s, w, i);
        if (!joint_moves(w, i)) { continue; }
        relative += w->moving[i].mass * v3_dot(t.v, t.v) + v3_dot(v3_mul(w->moving[i].inertia, t.w), t.w);
        *given += settle_work(w, i, v3_scale(R(0.5), t.v), v3_scale(R(0.5), t.w));
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real mass = settle_rotor(m, w, i);
        if (!(mass > R(0.0))) { continue; }
        const real rate = joint_rate(k, s->twist, JOINT_LAST) + joint_rate(k, w->delta_v, JOINT_LAST);
        relative += mass * rate * rate;
    }
    return relative;
}

// This energy is taken from the motion of links relative to their mechanism, which is made slower as a whole: joints
// hold, and momenta stay. `wholly`: if it is more than the account may be off, that motion is stopped. Returns the part
// of the rates that is left.
static real settle_slow(const tac_model *m, const tac_state *s, tac_work *w, real excess, int wholly)
{
    real given;
    settle_rigid(s, w);
    const real relative = settle_spare(m, s, w, &given) - R(2.0) * real_min(settle_lifted(w), R(0.0));
    const real own = relative - given, rest = own * own - R(2.0) * excess * relative;
    const real most = given + (rest > R(0.0) ? real_sqrt(rest) : R(0.0));
    const int stops = !(relative > R(0.0)) || (wholly && excess > SETTLE_MOST * w->progress.account.peak);
    const real left = stops ? R(0.0) : real_clamp(most / relative, R(0.0), R(1.0));
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist t = settle_relative(s, w, i);
        const tac_twist *g = &w->delta_v[i];
        if (!joint_moves(w, i)) { continue; }
        settle_become(w, i, (tac_twist){v3_madd(g->v, left - R(1.0), t.v), v3_madd(g->w, left - R(1.0), t.w)});
        JOINT_TURNED(w)[i] = v3_scale(left, JOINT_TURNED(w)[i]);
    }
    return left;
}

// The guard where joints close loops, after the motion of the step. What was supplied is counted once, with the
// impulses that have made the motion: a spring that the motion winds up has taken energy, whatever is scaled
// afterwards.
static void settle_guard(const tac_model *m, const tac_state *s, tac_work *w)
{
    settle_sum e = settle_kinetic(m, s, w);
    if (!w->progress.stops && !settle_turns(m, s, w) && !(e.rise > SETTLE_RISE * e.kinetic)) { return; }
    const real supply = e.rise - settle_made(m, s, w, &e, -REAL_LARGEST);
    if (settle_rises(m, s, w, &e)) {
        settle_scale_all(m, s, w);
        w->progress.converged = 0;
        e = settle_kinetic(m, s, w);
    }
    const real excess = settle_account(m, s, w, &e, e.rise - supply);
    if (!(excess > R(0.0))) { return; }
    (void)settle_slow(m, s, w, excess, 0);
    e = settle_kinetic(m, s, w);
    (void)settle_account(m, s, w, &e, e.rise - supply);
}

#endif
