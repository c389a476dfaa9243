// SPDX-License-Identifier: MIT
// settle.h - what a solver that has stopped early still owes: joints that hold, and no energy from nothing.
//   given   the best impulses, joints
//   makes   joint impulses that follow contacts and coordinates exactly; all of them scaled down if they give energy
//   bound   a factor and two solutions; a few more where energy has come from nothing
//   never   changes what has converged without giving energy
#ifndef SOLVE_SETTLE_H
#define SOLVE_SETTLE_H

#include "choose.h"

#if TAC_MAX_JOINTS > 0

// With A the operator of articulated.h, W = D'A^-1 D, and u = D'v + b what the velocities that impulses g of contacts,
// hard limits and dry friction make are short of, g'u is the power that they give at the end of the step. At a solution
// it is not positive: what presses does not move, what rubs is slowed down. Of all multiples s g the one with
//      s = 1 - g'u/(g'W g)
// has the least energy, not more than joints and motors have without them.
#define SETTLE_SEEN R(1e-6)   // of the kinetic energy: less is not looked at
#define SETTLE_NOISE R(100.0) // of the tolerance and of rounding of |p|: velocities of this size are noise
#define SETTLE_TURNS 2        // solutions with the matrix: its proximal term leaves a part of what it is asked for
#define SETTLE_RISE R(0.01)   // of it: more than rounding, friction and the arcs of joints make in a step

// The trees of this step, factored. Returns 0 where joints are no trees.
static int settle_trees(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_progress *p = &w->progress;
    if (p->trees) { return 1; }
    reduced_insides(m, w);
    if (!articulated_order(m, w)) { return 0; }
    articulated_factor(m, w, s->pose);
    p->trees = 1;
    return 1;
}

#if TAC_MAX_FILL > 0

// Joints that close loops, couplings, rods and bushings: the matrix of bodies and joints alone. What Newton's method
// has left is a matrix with the contacts in it. Returns 0 where there is no room.
static int settle_matrix(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    if (p->bare) { return 1; }
    if (p->factored == R(0.0) && !matrix_order(m, w)) { return 0; }
    p->loops = (uint8_t)joints_close_loops(m, w);
    matrix_factor_joints(m, w);
    p->factored = REAL_LARGEST; // not that of any step of Newton's method
    p->bare = 1;
    return 1;
}

// One step of Newton's method with contacts and bounded boxes as they are: joints that close loops follow.
static void settle_follow_matrix(const tac_model *m, tac_work *w)
{
    for (int turn = 0; turn < SETTLE_TURNS; turn++) {
        const tac_twist *step = w->scratch.solve.step;
        gain_afresh(m, w);
        direct_lack(m, w);
        matrix_solve(w);
        for (uint16_t i = 0; i < m->bodies; i++) {
            if (!joint_moves(w, i)) { continue; }
            w->previous[i].v = v3_add(w->previous[i].v, step[i].v);
            w->previous[i].w = v3_add(w->previous[i].w, step[i].w);
        }
        joints_step(m, w, step);
        joints_advance(m, w, R(1.0));
        reduced_soft(m, w);
    }
}

#else

static int settle_matrix(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
    return 0;
}

static void settle_follow_matrix(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

#endif

// A, factored. Returns 0 where there is no room for it.
static int settle_factor(const tac_model *m, const tac_state *s, tac_work *w)
{
    return settle_trees(m, s, w) || settle_matrix(m, w);
}

static void settle_solve(const tac_model *m, tac_work *w)
{
    if (w->progress.trees) {
        articulated_solve(m, w, w->scratch.solve.step);
        return;
    }
    matrix_solve(w);
}

// Joints, and what is always in force along their coordinates, follow the impulses of contacts and coordinates.
static void settle_follow(const tac_model *m, tac_work *w)
{
    reals_copy(w->previous, w->gain, m->bodies * sizeof *w->previous);
    reduced_soft(m, w);
    if (w->progress.trees) {
        reduced_follow(m, w);
    } else {
        settle_follow_matrix(m, w);
    }
    gain_afresh(m, w);
}

// Does the box take energy only? Not a motor or a spring, and not where a constraint holds its coordinate.
static int settle_passive(const tac_joint_block *k, int box)
{
    const tac_box *x = &k->box[box];
    return x->used && x->hard && !k->target && (box == TAC_BOX_LIMIT || box == TAC_BOX_FRICTION);
}

// g'D't of one contact, over six rows where it resists spinning and rolling.
static real settle_contact_power(const tac_work *w, const tac_contact *c, const tac_block *k, const tac_twist *t)
{
    if (resists(c)) { return rows6_dot(resist_impulse(w, k), resist_relative(c, k, t)); }
    return v3_dot(v3_of(&w->scratch.solve.g[k->first]), rows_relative(c, k, t));
}

// g'b of the same.
static real settle_contact_asked(const tac_work *w, const tac_contact *c, const tac_block *k)
{
    const real *g = &w->scratch.solve.g[k->first];
    real sum = v3_dot(v3_of(g), k->bias);
    if (resists(c)) { sum += v3_dot(v3_of(g + 3), ROLLING_BLOCK(k)->bias); }
    return sum;
}

// impulse += D g of the same.
static void settle_contact_push(const tac_work *w, const tac_contact *c, const tac_block *k, tac_twist *impulse)
{
    const real *g = &w->scratch.solve.g[k->first];
    reduced_push(w, c, k, v3_of(g), impulse);
    if (!resists(c)) { return; }
    reduced_force(w, c->body_a, V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[0], v3_of(g + 3)), impulse);
    reduced_force(w, c->body_b, V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[1], v3_of(g + 3)), impulse);
}

// g'D't over these rows.
static real settle_power(const tac_model *m, const tac_work *w, const tac_twist *t)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sum += settle_contact_power(w, c, k, t);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            if (!settle_passive(j, b) || g[b] == R(0.0)) { continue; }
            sum += g[b] * joint_rate(&JOINT_OF(m)[i], j, t, JOINT_LAST);
        }
    }
    return sum;
}

// g'b, and the sum of the impulses.
static real settle_power_asked(const tac_model *m, const tac_work *w, real *size)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    *size = R(0.0);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sum += settle_contact_asked(w, c, k);
        *size += v3_norm_inf(v3_of(&w->scratch.solve.g[k->first]));
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            if (!settle_passive(j, b)) { continue; }
            sum += g[b] * j->box[b].bias;
            *size += real_abs(g[b]);
        }
    }
    return sum;
}

// A^-1 D g in step[].
static void settle_answer(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step;
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        settle_contact_push(w, c, k, step);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            if (settle_passive(j, b)) { reduced_drive(w, &JOINT_OF(m)[i], j, g[b], step); }
        }
    }
    settle_solve(m, w);
}

static void settle_scale(const tac_model *m, tac_work *w, real s)
{
    for (uint32_t row = 0; row < iterate_joint(w, 0); row++) { w->scratch.solve.g[row] *= s; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[j->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            if (settle_passive(j, b)) { g[b] *= s; }
        }
    }
}

// Kinetic energy at the end of the step and that of velocities that are noise, how much it has risen, and how much of
// that forces on bodies have given.
typedef struct settle_sum {
    real kinetic, noise, rise, given;
} settle_sum;

static settle_sum settle_kinetic(const tac_model *m, const tac_state *s, const tac_work *w)
{
    const real blur = SETTLE_NOISE * (model_tolerance(m) * w->progress.start + REAL_EPSILON * w->progress.scale);
    settle_sum sum = {R(0.0), R(1.0) / REAL_LARGEST, R(0.0), R(0.0)};
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_twist *t = &s->twist[i], *g = &w->gain[i], *f = &w->scratch.solve.free[i];
        const vec3 v = v3_add(t->v, g->v), spin = v3_add(t->w, g->w), inertia = m->body[i].inertia;
        const vec3 mean = v3_scale(R(0.5), v3_add(t->v, v)),
                   turn = v3_mul(inertia, v3_scale(R(0.5), v3_add(t->w, spin)));
        if (m->body[i].kind != TAC_DYNAMIC) { continue; }
        sum.noise += m->body[i].mass * blur * blur;
        sum.kinetic += R(0.5) * (m->body[i].mass * v3_dot(v, v) + v3_dot(v3_mul(inertia, spin), spin));
        sum.rise += m->body[i].mass * v3_dot(g->v, mean) + v3_dot(g->w, turn);
        sum.given += m->body[i].mass * v3_dot(f->v, mean) + v3_dot(f->w, turn);
    }
    return sum;
}

// What motors, springs, bushings and prescribed motion have given, each if anything.
static real settle_driven(const tac_model *m, const tac_state *s, const tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!joint_has_row(k, row)) { continue; }
            const real mean = joint_rate(j, k, s->twist, row) + R(0.5) * joint_rate(j, k, w->gain, row);
            const int elastic = (k->constraints >> row & 1) && k->soft[row] > R(0.0);
            const int led = row == JOINT_LAST && k->target;
            if (elastic || led) { sum += real_max(g[row] * mean, R(0.0)); }
            for (int b = 0; row == JOINT_LAST && b < TAC_BOXES; b++) {
                if (k->box[b].used && !settle_passive(k, b)) { sum += real_max(g[TAC_JOINT_ROWS + b] * mean, R(0.0)); }
            }
        }
    }
    return sum;
}

// What bodies whose motion is prescribed have given to those that they touch or hold.
static real settle_carried(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *mean = w->scratch.solve.step;
    real sum = R(0.0);
    reals_clear(mean, m->bodies * sizeof *mean);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (m->body[i].kind == TAC_DYNAMIC) { continue; }
        mean[i].v = v3_madd(s->twist[i].v, R(0.5), w->gain[i].v);
        mean[i].w = v3_madd(s->twist[i].w, R(0.5), w->gain[i].w);
    }
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sum -= settle_contact_power(w, c, k, mean);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, j, impulse);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (joint_has_row(j, row)) { sum -= impulse[row] * joint_rate(&JOINT_OF(m)[i], j, mean, row); }
        }
    }
    return sum;
}

// Is there energy from nothing? Then the impulses are scaled down until there is none.
static int settle_energy(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e)
{
    const tac_progress *p = &w->progress;
    real size;
    const real power = settle_power_asked(m, w, &size) + settle_power(m, w, w->gain);
    const real noise = size * (model_tolerance(m) * p->start + REAL_EPSILON * p->scale);
    const real least = noise + e->noise + SETTLE_SEEN * e->kinetic;
    if (!(power > least) || !settle_factor(m, s, w)) { return 0; }
    settle_answer(m, w);
    const real weight = settle_power(m, w, w->scratch.solve.step);
    settle_scale(m, w, weight > power ? R(1.0) - power / weight : R(0.0));
    settle_follow(m, w);
    return 1;
}

// Has the kinetic energy risen by more than forces, motors and bodies that are led have given? Not where options ask
// for velocities.
static int settle_rises(const tac_model *m, const tac_state *s, tac_work *w, const settle_sum *e)
{
    const real least = e->noise + SETTLE_RISE * e->kinetic;
    if (!(e->rise > least) || m->options.stabilise || m->options.recovery > R(0.0)) { return 0; }
    const real given = real_max(e->given, R(0.0)) + real_max(settle_carried(m, s, w), R(0.0));
    return e->rise > least + given + settle_driven(m, s, w);
}

// Of all multiples of all impulses, those of joints too, the one with the least energy: where even joints alone ask for
// velocities without measure (loops that are nearly stretched), or there is no room for A. Positions then put together
// what comes apart.
static void settle_whole(const tac_model *m, const tac_state *s, tac_work *w)
{
    real asked = R(0.0), size = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_twist *t = &s->twist[i], *g = &w->gain[i], *f = &w->scratch.solve.free[i];
        const vec3 v = v3_sub(g->v, f->v), turn = v3_sub(g->w, f->w), spin = v3_mul(m->body[i].inertia, turn);
        if (m->body[i].kind != TAC_DYNAMIC) { continue; }
        asked += m->body[i].mass * v3_dot(v, v3_add(t->v, f->v)) + v3_dot(spin, v3_add(t->w, f->w));
        size += m->body[i].mass * v3_dot(v, v) + v3_dot(spin, turn);
    }
    const real part = size > R(0.0) ? real_clamp(-asked / size, R(0.0), R(1.0)) : R(0.0);
    for (uint32_t row = 0; row < iterate_rows(m, w); row++) { w->scratch.solve.g[row] *= part; }
    gain_afresh(m, w);
}

// Where joints nearly hold a contact, what little they ask for themselves (the arc of their motion) may take velocities
// without measure along the one way that is left. Then the contacts give way; if that is not enough, joints too.
static void settle_rise(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (settle_factor(m, s, w)) {
        settle_scale(m, w, R(0.0));
        settle_follow(m, w);
        const settle_sum e = settle_kinetic(m, s, w);
        if (!settle_rises(m, s, w, &e)) { return; }
    }
    settle_whole(m, s, w);
}

// Returns 1 if impulses are not those that the solver has ended with.
static int settle(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_progress *p = &w->progress;
    if (JOINT_COUNT(m) == 0) { return 0; }
    int changes = !p->reduced && !p->converged && settle_factor(m, s, w);
    if (changes) { settle_follow(m, w); }
    settle_sum e = settle_kinetic(m, s, w);
    if (settle_energy(m, s, w, &e)) {
        changes = 1;
        e = settle_kinetic(m, s, w);
    }
    if (settle_rises(m, s, w, &e)) {
        changes = 1;
        settle_rise(m, s, w);
    }
    return changes;
}

#else

static int settle(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
    return 0;
}

#endif

#endif
