// SPDX-License-Identifier: MIT
// solve.h - the cone program from its first impulses to its certificate: start, sweep, finish.
//   given   contacts, blocks, free velocities, warm impulses
//   makes   impulses in their cones, v+ = v~ + M^-1 D g, residual, modes
//   bound   options.max_sweeps sweeps in all
//   never   keeps a worse answer than the best it has seen: by what a sweep moves, then by the residual; the law may
//           be given up in between, and the verdict is about the impulses that are kept
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "settle.h"

// The residual is measured against what rounding of the impulses makes of velocities:
#define SOLVE_EXACT R(0.0625) // Newton's method can expect nothing better,
#define SOLVE_SUMMED R(1.0)   // sweeps over limbs, whose velocities are sums, neither;
#define SOLVE_BLURRED R(4.0)  // nothing better may come, and in Newton's method after
#define SOLVE_IDLE 4          // sweeps without half the residual nothing will
#define SOLVE_PATIENCE 12     // sweeps without half the residual, when that is more than
#define SOLVE_COARSE R(0.01)  // of the residual of no impulses: it goes on by accelerated sweeps

static void solve_natural_resisting(const tac_work *w, const tac_contact *c, const tac_block *k, int exact,
                                    natural_sum *s)
{
    const real weight = ROLLING_BLOCK(k)->weight;
    const rows6 u = resist_velocity(c, k, w->gain), g = resist_impulse(w, k);
    const rows6 next = resist_project(rows6_madd(g, R(-1.0) / weight, resist_lifted(u, c->mu, exact)), c->mu);
    const rows6 map = rows6_scale(weight, rows6_sub(g, next));
    natural_add(s, rows6_dot(map, map), rows6_dot(u, u));
}

// Natural map of all contacts and joints in velocity units, | d (g - P_K(g - u~/d)) |: zero where each g solves its
// block.
static natural_sum solve_natural_of(const tac_model *m, const tac_work *w, int exact)
{
    natural_sum s = {R(0.0), R(0.0), R(0.0)};
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (resists(c)) {
            solve_natural_resisting(w, c, k, exact, &s);
            continue;
        }
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]), u = rows_velocity(c, k, w->gain);
        const vec3 map = plain_natural(k, c->mu, g, u, exact);
        natural_add(&s, v3_dot(map, map), v3_dot(u, u));
    }
    joints_natural(m, w, &s);
    return s;
}

// Under the law in force.
static real solve_natural(const tac_model *m, const tac_work *w)
{
    return real_sqrt(solve_natural_of(m, w, w->progress.friction == TAC_FRICTION_EXACT).map);
}

// Squares of the impulses of all contacts, in units of velocity: d g. Where joints are eliminated W has lost what they
// hold back; the masses have not.
static real solve_contacts_size(const tac_work *w)
{
    const int eliminated = joints_eliminated(&w->progress);
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (resists(c)) {
            const rows6 v = resist_moved(k, resist_impulse(w, k));
            sum += rows6_dot(v, v);
            continue;
        }
        const real light = w->moving[c->body_a].inv_mass + w->moving[c->body_b].inv_mass;
        const vec3 v = v3_scale(eliminated ? light : plain_weight(k), v3_of(&w->scratch.solve.g[k->first]));
        sum += v3_dot(v, v);
    }
    return sum;
}

// What rounding of the impulses alone makes of velocities, m/s: epsilon |d g|.
static real solve_rounding(const tac_model *m, const tac_work *w)
{
    return REAL_EPSILON * real_sqrt(solve_contacts_size(w) + joints_size(m, w));
}

// The residual at which a step is solved: what the tolerance leaves of that of no impulses, and what rounding makes, of
// p where it acts and of so many terms of N g.
static real solve_enough(const tac_model *m, const tac_work *w, real terms)
{
    const tac_progress *p = &w->progress;
    return model_tolerance(m) * p->start + p->rounding + terms * solve_rounding(m, w);
}

static void solve_keep_best(const tac_model *m, tac_work *w)
{
    iterate_copy(m, w, w->scratch.solve.best, w->scratch.solve.g);
    w->progress.least = w->progress.moved;
}

#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0

// The best iterate, with its gain made afresh.
static void solve_take_best(const tac_model *m, tac_work *w)
{
    iterate_copy(m, w, w->scratch.solve.g, w->scratch.solve.best);
    gain_afresh(m, w);
    w->progress.moved = w->progress.least;
}

#else

static void solve_take_best(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

#endif

// The best iterate, its gain by the change from the iterate in force.
static void solve_restore_best(const tac_model *m, tac_work *w)
{
    if (joints_eliminated(&w->progress)) {
        solve_take_best(m, w);
        return;
    }
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real *g = &w->scratch.solve.g[k->first], *best = &w->scratch.solve.best[k->first];
        rows_apply(c, k, v3_sub(v3_of(best), v3_of(g)), w->moving, w->gain);
        if (resists(c)) { resist_turn(c, k, v3_sub(v3_of(best + 3), v3_of(g + 3)), w->moving, w->gain); }
    }
    joints_restore_best(m, w);
    iterate_copy(m, w, w->scratch.solve.g, w->scratch.solve.best);
    w->progress.moved = w->progress.least;
}

#if TAC_MAX_FILL > 0

// Where the direct solver stands with the impulses in force: their residual, against the tolerance and rounding.
static real solve_stand(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    const real moved = solve_natural(m, w);
    p->converged = moved <= solve_enough(m, w, SOLVE_EXACT);
    return moved;
}

// From here on by accelerated sweeps: no room for the factor, or nothing comes of it.
static void solve_by_sweeps(tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        rows_sweep(k);
        if (resists(c)) { resist_sweep(w, c, k); }
    }
    w->progress.solver = TAC_SOLVER_ACCELERATED;
    w->progress.swept = !w->progress.choose;
}

// Newton's method from the best impulses so far. Those of the last step may need nothing.
static void solve_enter(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    p->moved = p->least = p->halved = p->tried = solve_stand(m, w);
    p->idle = p->trial = 0;
    direct_enter(m, w);
}

// Newton's method, if it is in force and there is room.
static void solve_prepare_direct(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    const int judged = p->choose && JOINT_COUNT(m) == 0;
    if (judged) { p->solver = choose_direct(m, w) ? TAC_SOLVER_DIRECT : TAC_SOLVER_ACCELERATED; }
    if (p->solver != TAC_SOLVER_DIRECT) { return; }
    p->loops = (uint8_t)joints_close_loops(m, w);
    reals_copy(w->scratch.solve.free, w->gain, m->bodies * sizeof *w->gain);
    if (!judged && !matrix_order(m, w)) { solve_by_sweeps(w); }
}

#else

static void solve_enter(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

static void solve_prepare_direct(const tac_model *m, tac_work *w)
{
    (void)m, (void)w; // what is not PLAIN sweeps with momentum: AUTO too
}

#endif

#if TAC_MAX_JOINTS > 0

// The gain without impulses, from which it is made afresh.
static void solve_keep_free(const tac_model *m, tac_work *w)
{
    reals_copy(w->scratch.solve.free, w->gain, m->bodies * sizeof *w->gain);
}

// The sweeps go on from where the joints have followed, without momentum: the velocities of the iterate before are
// those of other joints.
static void solve_look(const tac_model *m, tac_work *w)
{
    accelerated_rest(&w->progress);
    reduced_look(m, w);
}

// Joints are eliminated, contacts swept; what that cannot do is left to Newton's method.
static void solve_prepare_joints(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_progress *p = &w->progress;
    p->reduced = p->trees = (uint8_t)(p->solver != TAC_SOLVER_DIRECT && reduced_make(m, s, w));
    p->swept = !p->reduced && TAC_MAX_FILL == 0;
    p->solver = p->reduced || TAC_MAX_FILL == 0 ? TAC_SOLVER_ACCELERATED : TAC_SOLVER_DIRECT;
}

// Where the reduced sweeps stand once the joints have followed.
static void solve_follow(const tac_model *m, tac_work *w, real terms)
{
    tac_progress *p = &w->progress;
    reduced_follow(m, w);
    gain_afresh(m, w);
    p->moved = solve_natural(m, w);
    p->converged = p->moved <= solve_enough(m, w, terms);
    p->open = 0;
    if (p->moved < p->least) { solve_keep_best(m, w); }
}

// The joints follow the best impulses, from the velocities that bodies have; the sweeps start from there.
static void solve_enter_reduced(const tac_model *m, tac_work *w)
{
    iterate_copy(m, w, w->scratch.solve.g, w->scratch.solve.best);
    reals_clear(w->previous, m->bodies * sizeof *w->previous);
    reduced_soft(m, w);
    reduced_follow(m, w);
    reduced_look(m, w);
    w->progress.open = 1;
}

#else

static void solve_keep_free(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

static void solve_prepare_joints(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
}

static void solve_look(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

static void solve_follow(const tac_model *m, tac_work *w, real terms)
{
    (void)m, (void)w, (void)terms;
}

static void solve_enter_reduced(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

#endif

static void solve_prepare(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_progress *p = &w->progress;
    if (JOINT_COUNT(m) > 0) { solve_keep_free(m, w); }
    if (p->solver == TAC_SOLVER_PLAIN) { return; }
    p->choose = TAC_MAX_FILL > 0 && p->solver == TAC_SOLVER_AUTO;
    if (JOINT_COUNT(m) > 0) { solve_prepare_joints(m, s, w); }
    if (!joints_eliminated(p)) { solve_prepare_direct(m, w); }
}

// From the best iterate on, without momentum and under this law, with the solver in force.
static void solve_from_best(const tac_model *m, tac_work *w, uint8_t friction)
{
    tac_progress *p = &w->progress;
    iterate_copy(m, w, w->scratch.solve.last, w->scratch.solve.best);
    p->friction = friction;
    p->given = 0;
    accelerated_rest(p);
    if (joints_eliminated(p)) {
        solve_enter_reduced(m, w);
    } else {
        solve_restore_best(m, w);
        bytes_copy(w->previous, w->gain, m->bodies * sizeof *w->gain);
    }
    p->least = REAL_LARGEST;
    if (p->solver == TAC_SOLVER_DIRECT) { solve_enter(m, w); }
}

#if TAC_MAX_JOINTS > 0

// W without joints again.
static void solve_weigh(tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) { rows_weigh(w, c, k); }
}

// Newton's method instead, from the best impulses so far: where many contacts press on one body, or nearly slide,
// sweeps are slow. Without room for its matrix they go on.
static void solve_leave_reduced(const tac_model *m, tac_work *w)
{
    if (!matrix_order(m, w)) { return; }
    solve_weigh(w);
    solve_restore_best(m, w);
    w->progress.reduced = w->progress.trees = 0;
    w->progress.solver = TAC_SOLVER_DIRECT;
    solve_from_best(m, w, w->progress.friction);
}

// One sweep. When it moves little, or after some, the joints follow, and the next one starts from there.
static void solve_reduced(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    const real moved = reduced_sweep(m, w, exact);
    const int look = (p->sweeps + 1) % REDUCED_LOOK == 0;
    p->open = 1;
    if (moved > REDUCED_CLOSE * (model_tolerance(m) * p->start + p->rounding) && !look) { return; }
    solve_follow(m, w, look ? SOLVE_BLURRED : SOLVE_SUMMED);
    solve_look(m, w);
    if (look && !p->converged) { solve_leave_reduced(m, w); }
}

#else

static void solve_reduced(const tac_model *m, tac_work *w, int exact)
{
    (void)m, (void)w, (void)exact;
}

#endif

// Scales of the problem at g = 0; then the warm impulses, the best that is known so far.
static void solve_start(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_progress *p = &w->progress;
    bytes_clear(p, sizeof *p);
    p->friction = m->options.friction;
    p->solver = m->options.solver;
    const natural_sum first = solve_natural_of(m, w, p->friction == TAC_FRICTION_EXACT);
    p->start = real_sqrt(first.map);
    p->scale = real_sqrt(first.size);
    p->rounding = REAL_EPSILON * real_sqrt(first.held);
    p->converged = w->report.contacts == 0 && JOINT_COUNT(m) == 0;
    solve_prepare(m, s, w);
    solve_from_best(m, w, p->friction);
}

#if TAC_MAX_FILL > 0

// A Newton step, and whether to go on like this. Where only rounding moves, it is done. Where half a dozen steps and
// more bring little of a large residual (many contacts that begin to slide at once), sweeps are cheaper. A step that is
// not finite is not taken.
static void solve_direct(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    direct_sweep(m, w, exact);
    p->moved = solve_stand(m, w);
    if (p->moved < p->least) { solve_keep_best(m, w); }
    p->idle++;
    if (p->least <= R(0.5) * p->halved) {
        p->halved = p->least;
        p->idle = 0;
    }

    const int finite = real_finite(p->moved), rounding = finite && p->least <= SOLVE_BLURRED * solve_rounding(m, w);
    if (p->idle >= SOLVE_IDLE && rounding) { p->converged = 1; }
    const int judged = p->choose && JOINT_COUNT(m) == 0;
    const int slow = judged ? choose_sweeps(p) : p->idle >= SOLVE_PATIENCE && p->least > SOLVE_COARSE * p->start;
    if (!finite || (slow && !rounding)) {
        const real least = p->least;
        solve_take_best(m, w);
        solve_by_sweeps(w);
        solve_from_best(m, w, p->friction);
        p->least = least;
        p->given = 1;
    }
}

#else

static void solve_direct(const tac_model *m, tac_work *w, int exact)
{
    (void)m, (void)w, (void)exact;
}

#endif

// The residual is the measure from here on: sweeps stop when the verdict is good, not before. It is asked for only once
// a sweep has moved as little as the tolerance allows, since it costs a visit to each contact.
static void solve_measure(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    p->given = 1;
    p->moved = solve_natural(m, w);
    solve_keep_best(m, w);
}

// One sweep of Gauss-Seidel's kind. Its measure is what it moves; after Newton's method, and once it moves little, it
// is the residual, so that nothing worse than what has been reached is kept.
static void solve_pass(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    const int plain = p->solver == TAC_SOLVER_PLAIN;
    p->moved = plain ? plain_sweep(m, w, exact) : accelerated_sweep(m, w, exact);
    if (p->given) { p->moved = solve_natural(m, w); }
    if (p->moved < p->least) { solve_keep_best(m, w); }
    if (!p->given && p->moved <= model_tolerance(m) * p->start + p->rounding) { solve_measure(m, w); }
    p->converged = p->given && p->moved <= solve_enough(m, w, SOLVE_BLURRED);
}

// The exact law is not the minimum of anything and may wander: when half of the sweeps have brought nothing better than
// no impulses at all, the rest goes to the relaxed law. Where the joints have not followed any sweep yet nothing has
// been measured: they do so now.
static int solve_wanders(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    if (joints_eliminated(p) && p->open && !(p->least < REAL_LARGEST)) {
        solve_follow(m, w, SOLVE_SUMMED);
        solve_look(m, w);
    }
    return p->least > p->start && !p->converged;
}

static void solve_sweep(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    const int exact = p->friction == TAC_FRICTION_EXACT;
    if (joints_eliminated(p)) {
        solve_reduced(m, w, exact);
    } else if (p->solver == TAC_SOLVER_DIRECT) {
        solve_direct(m, w, exact);
    } else {
        solve_pass(m, w, exact);
    }
    p->sweeps++;
    if (exact && p->sweeps == m->options.max_sweeps / 2 && solve_wanders(m, w)) {
        solve_from_best(m, w, TAC_FRICTION_RELAXED);
        p->fell_back = 1;
    }
}

// At most so many more sweeps; stops early when converged.
static void solve_sweeps(const tac_model *m, tac_work *w, uint32_t sweeps)
{
    for (uint32_t i = 0; i < sweeps && !w->progress.converged && w->progress.sweeps < m->options.max_sweeps; i++) {
        solve_sweep(m, w);
    }
}

static uint8_t solve_mode(const tac_work *w, const tac_contact *c, const tac_block *k)
{
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]);
    if (!(g.x > R(0.0))) { return TAC_OPEN; }
    const real limit = c->mu * g.x * (R(1.0) - R(8.0) * REAL_EPSILON);
    if (resists(c)) { return rows6_tangent(resist_impulse(w, k)) < limit ? TAC_STICK : TAC_SLIDE; }
    return g.y * g.y + g.z * g.z < limit * limit ? TAC_STICK : TAC_SLIDE;
}

// What the impulses are, whatever has made them: do they satisfy the law in force to the tolerance or to rounding, and
// was the exact one given up in vain? Returns their residual. Sweeps over trees have measured it, unless settle() has
// changed the impulses since.
static real solve_judge(const tac_model *m, tac_work *w, int settled)
{
    tac_progress *p = &w->progress;
    const real enough = solve_enough(m, w, SOLVE_BLURRED);
    real residual = joints_eliminated(p) && !settled ? p->moved : solve_natural(m, w);
    if (p->fell_back) {
        const real exact = real_sqrt(solve_natural_of(m, w, 1).map);
        if (exact <= real_max(residual, enough)) {
            residual = exact;
            p->friction = TAC_FRICTION_EXACT;
            p->fell_back = 0;
        }
    }
    p->converged = residual <= enough;
    return residual;
}

// What a sweep moves says little of an iterate before the momentum has grown: the first sweeps from the impulses of the
// last step move least. Where a later one has not moved less, their residuals decide.
static void solve_take_better(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    if (JOINT_COUNT(m) > 0 || p->given || p->solver == TAC_SOLVER_DIRECT) {
        solve_restore_best(m, w);
        return;
    }
    const real last = solve_natural(m, w);
    iterate_copy(m, w, w->scratch.solve.last, w->scratch.solve.g);
    solve_restore_best(m, w);
    if (solve_natural(m, w) <= last) { return; }
    iterate_copy(m, w, w->scratch.solve.best, w->scratch.solve.last);
    solve_restore_best(m, w);
}

// The best iterate, its residual resS, and what the contacts show to the user. Where there are joints, a step that has
// been left no sweep takes one here: a contact that no sweep has seen bears nothing, and robots would fall through it.
static void solve_finish(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_progress *p = &w->progress;
    if (JOINT_COUNT(m) > 0 && p->sweeps == 0 && !p->converged) { solve_sweep(m, w); }
    if (joints_eliminated(p) && p->open) { solve_follow(m, w, SOLVE_BLURRED); }
    if (p->least < p->moved) { solve_take_better(m, w); }
    const real residual = solve_judge(m, w, settle(m, s, w));
    const tac_block *k = w->scratch.solve.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        c->velocity = rows_velocity(c, k, w->gain);
        c->velocity.x -= k->target;
        c->impulse = v3_of(&w->scratch.solve.g[k->first]);
        c->mode = solve_mode(w, c, k);
        if (resists(c)) {
            ROLLING_SET_TORQUE(c, v3_mul(ROLLING_BLOCK(k)->axis, v3_of(&w->scratch.solve.g[k->first + 3])));
        }
    }
    w->report.residual = p->scale > R(0.0) ? residual / p->scale : R(0.0);
    w->report.sweeps = p->sweeps;
    w->report.friction = p->friction;
}

#endif
