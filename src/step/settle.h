// SPDX-License-Identifier: MIT
// settle.h - after a solver that has stopped early: joints hold, and no step creates energy.
//   given   the best impulses, joints
//   makes   joint impulses that belong exactly to those of contacts and coordinates, as sweeps over trees leave them in
//           any case; impulses scaled down where they would create energy; the account of energy, by which
//           mechanisms are made slower
//   bound   a factor and two solutions; a few more where energy has been created
//   never   changes a converged solution that creates no energy
#ifndef STEP_SETTLE_H
#define STEP_SETTLE_H

#include "../dual/reactions.h"
#include "../model/joint.h"
#include "../model/model.h"
#include "../motion/free.h"
#include "joint_factor.h"
#include "rigid.h"

// With A the operator of articulated.h, W = D'A^-1 D, g the impulses of contacts, hard limits and dry friction and u =
// D'v + b the velocities of their rows, g'u is the power of these impulses at the end of the step. At a solution it is
// not positive: a contact that bears a force does not move along its normal, and friction slows. Of all multiples s g
// the one with
//      s = 1 - g'u/(g'W g)
// has the least energy, not more than joints and motors alone have.
#define SETTLE_SEEN R(1e-6)   // of the kinetic energy: less is ignored
#define SETTLE_NOISE R(100.0) // times the tolerance and rounding of |p|: velocities of this size are noise
#define SETTLE_FAST R(100.0)  // times the speeds of bodies without impulses: |p| counts as no more
#define SETTLE_RISE R(0.01)   // of the kinetic energy: more than rounding, friction and arcs of joints add in a step
#define SETTLE_STEP R(1e-3)   // of the kinetic energy: more by arcs in one step makes it unsolved; in all SETTLE_RISE
#define SETTLE_MOST R(0.1)    // of the greatest of late: more in all is taken back, and a loss of more forgotten
#define SETTLE_FADES R(0.996) // of the greatest of late is left after a step
#define SETTLE_TURN R(0.03)   // rad in a step: arcs of slower bodies add less than SETTLE_STEP,
#define SETTLE_SWAY R(10.0)   // times a change of rate, which says how short an oscillation is: likewise
#define SETTLE_WORSE R(2.0)   // times the residual of no impulses: none are better than impulses that leave more

// Recomputes the impulses of joints, and of unbounded intervals along their coordinates, from those of contacts and
// bounded intervals. Motors that were taken as unbounded may leave their bounds by that.
static void settle_recompute_joints(tac_work *w)
{
    trees_finish(w, 0);
    solve_measure_rows(w);
    solve_keep(w);
}

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

// g'C g of the same.
static inline real settle_contact_yields(const tac_work *w, const tac_block *k)
{
    const real n = w->scratch.solve.g[k->first];
    return k->soft * n * n;
}

// g'(b + C g) of the same.
static real settle_contact_asked(const tac_work *w, const tac_block *k)
{
    const real *g = &w->scratch.solve.g[k->first];
    real sum = v3_dot(v3_of(g), k->bias) + settle_contact_yields(w, k);
    if (has_torsion(k)) { sum += v3_dot(v3_of(g + 3), ROLLING_BLOCK(k)->bias); }
    return sum;
}

// Of all contacts, hard limits and dry friction: g'(b + C g), g'C g, and the sum of the impulses.
typedef struct settle_asked {
    real power, yields, size;
} settle_asked;

// g'D't of the same.
static real settle_power(const tac_work *w, const tac_twist *t, settle_asked *asked)
{
    real sum = R(0.0);
    asked->power = asked->yields = asked->size = R(0.0);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        sum += settle_contact_power(w, k, t);
        asked->power += settle_contact_asked(w, k);
        asked->yields += settle_contact_yields(w, k);
        asked->size += v3_norm_inf(v3_of(&w->scratch.solve.g[k->first]));
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = TAC_EFFORT_FRICTION; b <= TAC_EFFORT_LIMIT; b++) {
            if (g[b] == R(0.0) || !settle_passive(j, b)) { continue; }
            sum += g[b] * joint_rate(j, t, JOINT_LAST);
            asked->power += g[b] * j->interval[b].bias;
            asked->size += real_abs(g[b]);
        }
    }
    return sum;
}

// A^-1 D g in step.
static void settle_response(tac_work *w)
{
    tac_twist *step = joint_factor_clear(w);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        trees_push_contact(w, k, step);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            if (settle_passive(j, b)) { trees_drive(w, j, g[b], step); }
        }
    }
    joint_factor_respond(w);
}

static void settle_scale(tac_work *w, real s)
{
    for (uint32_t row = 0; row < iterate_joint(w, 0); row++) { w->scratch.solve.g[row] *= s; }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            if (settle_passive(j, b)) { g[b] *= s; }
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
        const tac_twist *g = &w->delta_v[i];
        const tac_moving *body = &w->moving[i];
        tac_twist end, push;
        if (!joint_moves(w, i)) { continue; }
        twist_madd(&s->twist[i], R(1.0), g, &end);
        sum.mass += body->mass;
        sum.kinetic += free_product(body->mass, body->inertia, &end, &end);
        twist_add(&end, R(1.0), &s->twist[i]);
        free_momentum(body, &end, &push);
        sum.rise += twist_dot(g, &push);
    }
    settle_add_rotors(m, s, w, &sum);
    return (settle_sum){R(0.5) * sum.kinetic, sum.mass, R(0.5) * sum.rise};
}

// The multiple r of a change a of the velocities with which v + r a has the least energy, v those at the end; 0 where a
// takes no more than arcs of joints may.
static real settle_most(const tac_model *m, const tac_state *s, const tac_work *w, const tac_twist *a)
{
    real along = R(0.0), size = R(0.0);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        tac_twist end, push;
        twist_madd(&s->twist[i], R(1.0), &w->delta_v[i], &end);
        free_momentum(&w->moving[i], &a[i], &push);
        along += twist_dot(&push, &end);
        size += twist_dot(&push, &a[i]);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real mass = settle_rotor(m, w, i);
        if (!(mass > R(0.0))) { continue; }
        const real change = joint_rate(k, a, JOINT_LAST);
        along += mass * change * (joint_rate(k, s->twist, JOINT_LAST) + joint_rate(k, w->delta_v, JOINT_LAST));
        size += mass * change * change;
    }
    const real least = R(2.0) * SETTLE_RISE * settle_kinetic(m, s, w).kinetic;
    return size > R(0.0) && along * along > size * least ? -along / size : R(0.0);
}

// Energy that forces on a body supply where it moves with these mean velocities. Free rotation supplies none.
static real settle_work(const tac_work *w, uint16_t i, const tac_twist *mean)
{
    const tac_twist *f = &w->scratch.solve.free[i];
    const vec3 torque = v3_sub(v3_mul(w->moving[i].inertia, f->w), JOINT_TURNED_FREE(w)[i]);
    return w->moving[i].mass * v3_dot(f->v, mean->v) + v3_dot(torque, mean->w);
}

// The same along the pseudo-velocities of bodies of trees, which make the rest of their motion (tree_motion.h).
static real settle_lifted(tac_work *w)
{
    real sum = R(0.0);
    if (trees_of(w)->closed) { return sum; }
    for (uint16_t at = 0; at < trees_of(w)->tree_bodies; at++) {
        const uint16_t i = trees_of(w)->order[at];
        if (trees_of(w)->tree_body[i].joint == TAC_NONE && !trees_of(w)->tree_body[i].carries) { continue; }
        const tac_twist lifts = {w->pseudo_velocity[i].v, V3_ZERO};
        sum += settle_work(w, i, &lifts);
    }
    return sum;
}

// The part of this rise that forces on bodies have supplied.
static real settle_given(const tac_state *s, tac_work *w)
{
    real sum = settle_lifted(w);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        tac_twist mean;
        if (!joint_moves(w, i)) { continue; }
        twist_madd(&s->twist[i], R(0.5), &w->delta_v[i], &mean);
        sum += settle_work(w, i, &mean);
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

// Of springs and elastic stops along the coordinate, and of the impulses that they take on the arc. `taken`: impulse
// that the rotor has taken, which is a mass.
static real settle_springs(const tac_joint_block *k, const real *g, real taken, real mean)
{
    real sum = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const int spring = b != TAC_EFFORT_MOTOR && k->interval[b].used && !settle_passive(k, b);
        const real given = g[b] + k->arc[TAC_JOINT_ROWS + b] + (b == TAC_EFFORT_PASSIVE ? taken : R(0.0));
        if (spring) { sum += real_max(given * mean, R(0.0)); }
    }
    return sum;
}

// Energy of compliant contacts: each supplies no more than its overlap at the start has stored.
static real settle_contacts(const tac_work *w)
{
    const tac_block *k = w->scratch.solve.block;
    real sum = R(0.0);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (!(k->soft > R(0.0)) || !(c->gap < R(0.0))) { continue; }
        const real mean = k->bias.x - k->target + R(0.5) * rows_rate(k, w->delta_v, 0);
        const real given = w->scratch.solve.g[k->first] * mean, stored = R(0.5) * c->stiffness * c->gap * c->gap;
        sum += real_clamp(given, R(0.0), stored);
    }
    return sum;
}

// Energy that motors, springs, bushings and prescribed motion have supplied; each counts only if it is positive, and
// springs no more than they can. Rows of bushings yield, no others.
static real settle_driven(const tac_model *m, const tac_state *s, tac_work *w)
{
    real sum = settle_contacts(w);
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
            const real mean = rate + R(0.5) * change;
            if (led) {
                sum += settle_supplied(g[row] + k->arc[row], rate, change, -k->bias[row]);
            } else if (yields) {
                springs += real_max((g[row] + k->arc[row]) * mean, R(0.0));
            }
            if (!coordinate) { continue; }
            const int motor = TAC_JOINT_ROWS + TAC_EFFORT_MOTOR;
            sum += settle_motor(k, g[motor] + k->arc[motor], rate, change);
            springs += settle_springs(k, g + TAC_JOINT_ROWS, settle_rotor(m, w, i) * change, mean);
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
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        real x[6];
        if (b->joint == TAC_NONE || b->parent != TAC_NONE) { continue; }
        articulated_parent(w, b, mean, x);
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

// Energy that moving surfaces have supplied: D'v of the bodies is the slip less what the surfaces add to it, and
// friction takes g' times the slip.
static real settle_surfaces(const tac_work *w)
{
    const tac_block *k = w->scratch.solve.block;
    real sum = R(0.0);
    for (uint32_t i = 0; BELT_MOTIONS(w) > 0 && i < w->program.contacts; i++, k++) {
        const real *g = &w->scratch.solve.g[k->first];
        const vec3 bounce = friction_over(FRICTION_ACROSS(k), w->contact[i].bounce);
        sum -= v3_dot(v3_add(v3_of(g), bounce), BELT_SLIP(k));
        if (has_torsion(k)) { sum -= v3_dot(v3_of(g + 3), BELT_SLIP(ROLLING_BLOCK(k))); }
    }
    return sum;
}

// Energy that bodies with prescribed motion, and moving surfaces, have supplied through contacts and joints.
static real settle_prescribed(const tac_state *s, tac_work *w)
{
    tac_twist *mean = w->phase.mean;
    real sum = settle_surfaces(w), fastest = R(0.0);
    phase_take(w, TAC_PHASE_MEAN);
    reals_clear(mean, w->program.bodies * sizeof *mean);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (joint_moves(w, i)) { continue; }
        twist_madd(&s->twist[i], R(0.5), &w->delta_v[i], &mean[i]);
        fastest = real_max(fastest, real_max(v3_norm_inf(mean[i].v), v3_norm_inf(mean[i].w)));
    }
    if (fastest == R(0.0)) { return sum; }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        sum -= settle_contact_power(w, k, mean);
    }
    return sum + (articulated_wholly(w) ? settle_prescribed_trees(w, mean) : settle_prescribed_rows(w, mean));
}

// If the impulses create energy, they are scaled down until they do not. Returns 1 if they were.
static int settle_energy(const tac_state *s, tac_work *w, const settle_sum *e)
{
    settle_asked asked, again;
    const real moved = settle_power(w, w->delta_v, &asked), power = asked.power + moved;
    const real noise = asked.size * settle_blur(w);
    const real least = noise + settle_noise(w, e) + SETTLE_SEEN * e->kinetic;
    if (!(power > least)) { return 0; }
    joint_factor_make(s, w);
    settle_response(w);
    const real weight = settle_power(w, SOLUTION(w)->step.twist, &again) + again.yields;
    settle_scale(w, weight > power ? R(1.0) - power / weight : R(0.0));
    settle_recompute_joints(w);
    return 1;
}

// Has the kinetic energy risen by more than forces, motors and bodies with prescribed motion have supplied? Not tested
// where options demand velocities of their own. Noise, which costs a visit to each joint, is asked for last.
static int settle_rises(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e)
{
    const real seen = SETTLE_RISE * e->kinetic;
    if (!(e->rise > seen) || m->options.stabilise || m->options.recovery > R(0.0)) { return 0; }
    const real least = settle_noise(w, e) + seen;
    if (!(e->rise > least)) { return 0; }
    const real given = least + real_max(settle_given(s, w), R(0.0)) + real_max(settle_prescribed(s, w), R(0.0));
    return e->rise > given && e->rise > given + settle_driven(m, s, w);
}

// Of all multiples of all impulses, those of joints too, the one with the least energy: where even joints alone demand
// unbounded velocities (loops that are nearly stretched), or A has no room. The correction of positions then closes the
// joints.
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
        const tac_twist *f = &w->scratch.solve.free[i];
        const tac_moving *body = &w->moving[i];
        tac_twist more, end;
        if (!joint_moves(w, i)) { continue; }
        twist_madd(&w->delta_v[i], R(-1.0), f, &more);
        twist_madd(&s->twist[i], R(1.0), f, &end);
        asked += free_product(body->mass, body->inertia, &more, &end);
        size += free_product(body->mass, body->inertia, &more, &more);
    }
    const real part = size > R(0.0) ? real_clamp(-asked / size, R(0.0), R(1.0)) : R(0.0);
    for (uint32_t row = 0; row < iterate_joint(w, PROGRAM_JOINTS(w)); row++) { w->scratch.solve.g[row] *= part; }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int row = 0; row < TAC_LINK_ROWS; row++) { JOINT_LINK(w)[i].arc[row] *= part; }
    }
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist *f = &w->scratch.solve.free[i];
        tac_twist *g = &w->delta_v[i];
        twist_add(g, R(-1.0), f);
        twist_madd(f, part, g, g);
    }
}

// Would there be more energy if contacts, hard limits and dry friction bore nothing? Without their impulses g it is
// less by g'D'v and more by g'W g / 2.
static int settle_holds(const tac_state *s, tac_work *w)
{
    settle_asked asked;
    const real power = settle_power(w, s->twist, &asked) + settle_power(w, w->delta_v, &asked);
    settle_response(w);
    return R(0.5) * settle_power(w, SOLUTION(w)->step.twist, &asked) > power;
}

// Where joints nearly block a contact, the small velocity that they demand themselves (the arc of their motion) may
// need unbounded velocities along the one direction that is left. Then the contacts bear nothing; if that is not
// enough, or they are what holds the bodies back, all impulses are scaled. Returns what has
// become of them.
static int settle_limit_rise(const tac_model *m, const tac_state *s, tac_work *w)
{
    joint_factor_make(s, w);
    if (!settle_holds(s, w)) {
        settle_scale(w, R(0.0));
        settle_recompute_joints(w);
        const settle_sum e = settle_kinetic(m, s, w);
        if (!settle_rises(m, s, w, &e)) { return SOLVE_CHANGED; }
    }
    settle_scale_all(m, s, w);
    return SOLVE_SCALED;
}

// Contacts that joints wedge may be left with huge impulses, which are nothing but rounding: then they bear nothing.
static int settle_worse(const tac_state *s, tac_work *w)
{
    const tac_progress *p = &w->progress;
    if (!(p->least > SETTLE_WORSE * p->start) || !(p->least < REAL_LARGEST)) { return 0; }
    joint_factor_make(s, w);
    settle_scale(w, R(0.0));
    settle_recompute_joints(w);
    return 1;
}

// Do the impulses create no more than noise? With r the residual, g'u <= g'r, but for rows that let go, where it is
// W^-1 r'u. A larger tolerance of the user, or what is allowed for rounding, does not count here.
static inline int settle_exact(const tac_progress *p)
{
    return p->converged && p->measure <= MODEL_TOLERANCE * p->start + p->rounding;
}

// Free bodies: with p the velocities of the rows without impulses, the energy p'g + g'W g / 2 that the impulses of
// contacts add is not positive at a solution, since g'u is not, and at no impulses it is zero. A solver that is cut
// short may be left with more; then they are scaled to the multiple of least energy.
static int settle_bodies(tac_work *w)
{
    settle_asked asked;
    if (w->progress.converged) { return SOLVE_KEPT; }
    const real free = settle_power(w, w->scratch.solve.free, &asked), moved = settle_power(w, w->delta_v, &asked);
    const real start = free + asked.power - asked.yields, weight = moved - free + asked.yields;
    if (!(start + R(0.5) * weight > R(0.0))) { return SOLVE_KEPT; }
    settle_scale(w, weight > -start ? real_max(-start / weight, R(0.0)) : R(0.0));
    delta_v_make(w, w->delta_v);
    return SOLVE_CHANGED;
}

// Returns what has become of the impulses that the solver has ended with: SOLVE_KEPT, ...
static int settle(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (PROGRAM_JOINTS(w) == 0) { return settle_bodies(w); }
    if (TAC_MAX_JOINTS == 0) { return 0; }
    const tac_progress *p = &w->progress;
    int changes = settle_worse(s, w);
    settle_sum e = settle_kinetic(m, s, w);
    if (!settle_exact(p) && settle_energy(s, w, &e)) {
        changes = SOLVE_CHANGED;
        e = settle_kinetic(m, s, w);
    }
    return settle_rises(m, s, w, &e) ? settle_limit_rise(m, s, w) : changes;
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

// The rise of the kinetic energy that nothing has supplied.
static real settle_made(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e)
{
    const real made = e->rise - settle_given(s, w) - real_max(settle_prescribed(s, w), R(0.0));
    return made > R(0.0) ? made - settle_driven(m, s, w) : made;
}

// The account of the last step, in a step that may add nothing to it.
static inline void settle_carry(const tac_state *s, tac_work *w)
{
    w->progress.account = (tac_account){JOINT_ACCOUNT(s)->made, SETTLE_FADES * JOINT_ACCOUNT(s)->peak};
}

// Enters the step, or enters it again. Returns the energy that is to be taken back. Not where options demand velocities
// of their own, or bounces change them, rates of rotors too.
static real settle_enter(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (m->options.recovery > R(0.0) || w->report.impacts > 0) { return R(0.0); }
    const settle_sum e = settle_kinetic(m, s, w);
    const real made = settle_made(m, s, w, &e), noise = settle_noise(w, &e),
               kept = SETTLE_MOST * JOINT_ACCOUNT(s)->peak;
    const real peak = real_max(SETTLE_FADES * JOINT_ACCOUNT(s)->peak, e.kinetic), most = SETTLE_MOST * peak;
    const real all = real_clamp(JOINT_ACCOUNT(s)->made, -kept, kept) + made;
    if (made > noise + SETTLE_STEP * e.kinetic || all > noise + SETTLE_RISE * peak) { w->progress.converged = 0; }
    w->progress.account = (tac_account){all, peak};
    return all > noise + most ? all - most : R(0.0);
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
            tac_twist momentum;
            twist_madd(&s->twist[i], R(1.0), &w->delta_v[i], &momentum);
            free_momentum(&w->moving[i], &momentum, &momentum);
            momentum.w = v3_sub(momentum.w, JOINT_TURNED(w)[i]);
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
    const tac_twist own = {rigid->v, v3_components(b->axis, rigid->w)};
    tac_twist t;
    twist_madd(&s->twist[i], R(1.0), &w->delta_v[i], &t);
    twist_add(&t, R(-1.0), &own);
    t.v = v3_sub(t.v, v3_cross(rigid->w, r));
    return t;
}

// Twice the kinetic energy of these velocities, rotors included; what forces supply along half of them.
static real settle_spare(const tac_model *m, const tac_state *s, const tac_work *w, real *given)
{
    real relative = R(0.0);
    *given = R(0.0);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist t = settle_relative(s, w, i);
        if (!joint_moves(w, i)) { continue; }
        relative += free_product(w->moving[i].mass, w->moving[i].inertia, &t, &t);
        *given += R(0.5) * settle_work(w, i, &t);
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
        if (!joint_moves(w, i)) { continue; }
        twist_add(&w->delta_v[i], left - R(1.0), &t);
        JOINT_TURNED(w)[i] = v3_scale(left, JOINT_TURNED(w)[i]);
    }
    return left;
}

#endif
