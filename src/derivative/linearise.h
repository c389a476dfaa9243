// SPDX-License-Identifier: MIT
// linearise.h - the linear complementarity system of a state: the step of T03 as a function of x, u and l.
//   given   model, state, input; which pairs count, the form of the friction law
//   makes   A, B, D, d, E, F, H, c
//   bound   the problem of lcp.h; A and B as derivative.h without contacts; for each row of contacts coordinates^2,
//   times
//           two
//   never   changes the Jacobian of a contact with x: it is that of the state, as in the step of T03
#ifndef DERIVATIVE_LINEARISE_H
#define DERIVATIVE_LINEARISE_H

#include "../query/touch.h"
#include "../t03/lcp.h"
#include "derivative.h"

#if TAC_MAX_LCP > 0

// With v_0(x, u) the velocities at the end of a step without contacts, J the rows of contacts and bounded efforts and M
// the mass matrix with the slopes of compliant efforts along coordinates,
//      v+ = v_0 + M^-1 J' l,     q+ = q + h v+,     0 <= l  perp  J v+ + P q/h + F_s l + c >= 0,
// where P are the normals, and F_s couples the directions of a contact with its multiplier. v_0 is linear about the
// state (vary_next.h), and c is such that at the state itself the problem is that of lcp.h, to rounding: with its f,
// and F from the same M^-1 J' as D.

// ------------------------------------------------------------------------------------------------------------ contacts

// Keeps the contacts of so many pairs, nearest first; of equal gaps that of the first contact counts. Until the last
// pair is found, the mode of a contact says whether it is to be kept.
static void linearise_closest(tac_work *w, uint32_t pairs)
{
    tac_contact *c = w->contact, *end = c + w->report.contacts, *to = c;
    const tac_contact *next = c;
    for (tac_contact *k = c; k < end; k++) { k->mode = TAC_STICK; }
    for (; pairs > 0 && next != NULL; pairs--) {
        next = NULL;
        for (const tac_contact *k = c; k < end; k++) {
            if (k->mode == TAC_STICK && (next == NULL || k->gap < next->gap)) { next = k; }
        }
        for (tac_contact *k = c; k < end && next != NULL; k++) {
            if (derivative_same_pair(k, next)) { k->mode = TAC_OPEN; }
        }
    }
    for (const tac_contact *k = c; k < end; k++) {
        if (k->mode != TAC_OPEN) { continue; }
        if (to != k) { bytes_copy(to, k, sizeof *to); }
        to++;
    }
    w->report.contacts = (uint16_t)(to - c);
}

// The contacts that count. With one direction u of each lies in the plane of friction.
static void linearise_contacts(const tac_model *m, const tac_state *s, const tac_lcs *y, tac_work *w)
{
    if (y->within >= R(0.0)) { touch_pairs(m, s, TAC_NONE, y->within, w); }
    if (y->closest > 0) { linearise_closest(w, y->closest); }
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts && y->directions == 1; c++) {
        c->u = v3_unit(v3_cross(y->plane, c->n), c->u);
        c->w = v3_cross(c->n, c->u);
    }
    w->program.contacts = w->report.contacts;
}

// ---------------------------------------------------------------------------------------------------------------- rows

// A row of the system as a sum of one or two rows of the problem of lcp.h.
typedef struct linearise_row {
    uint32_t row[2], count;
    real part; // of the second; of the first it is 1
} linearise_row;

// How many rows the system has.
static uint32_t linearise_count(const tac_lcs *y, const lcp_rows *n)
{
    return y->form == TAC_LCS_ANITESCU ? lcp_count(n) - 2 * n->contacts : lcp_count(n);
}

// Row l of the system.
static linearise_row linearise_row_of(const tac_work *w, const tac_lcs *y, const lcp_rows *n, uint32_t l)
{
    const uint32_t edges = n->contacts * n->directions;
    if (y->form != TAC_LCS_ANITESCU) { return (linearise_row){{l, 0}, 1, R(0.0)}; }
    if (l < edges) { // normal + mu direction
        const uint32_t i = l / n->directions;
        return (linearise_row){{lcp_normal(i), lcp_direction(n, 0) + l}, 2, w->contact[i].mu};
    }
    l -= edges;
    if (l < n->limits) { return (linearise_row){{lcp_limit(n, l), 0}, 1, R(0.0)}; }
    l -= n->limits;
    if (l < 2 * n->efforts) { return (linearise_row){{lcp_effort(n, 0) + l, 0}, 1, R(0.0)}; }
    return (linearise_row){{lcp_multiplier(n, n->contacts) + (l - 2 * n->efforts), 0}, 1, R(0.0)};
}

// F and f of the system: those of the problem, or sums of them.
static void linearise_problem(const tac_work *w, const tac_lcp *q, const lcp_rows *n, tac_lcs *y)
{
    const uint32_t size = y->size.l;
    for (uint32_t i = 0; i < size; i++) {
        const linearise_row a = linearise_row_of(w, y, n, i);
        real *to = &y->F[(size_t)i * size];
        if (y->form == TAC_LCS_STEWART_TRINKLE) {
            y->c[i] = q->f[i];
            reals_copy(to, q->F[i], size * sizeof *to);
            continue;
        }
        y->c[i] = q->f[a.row[0]] + (a.count > 1 ? a.part * q->f[a.row[1]] : R(0.0));
        for (uint32_t j = 0; j < size; j++) {
            const linearise_row b = linearise_row_of(w, y, n, j);
            to[j] = q->F[a.row[0]][b.row[0]];
            if (b.count > 1) { to[j] += b.part * q->F[a.row[0]][b.row[1]]; }
            if (a.count > 1) { to[j] += a.part * q->F[a.row[1]][b.row[0]]; }
            if (a.count > 1 && b.count > 1) { to[j] += a.part * b.part * q->F[a.row[1]][b.row[1]]; }
        }
    }
}

// Every second edge of a cone of friction is opposite to the one before it. Of a row that is nothing but such an edge,
// D, E and H are opposite too.
static int linearise_opposes(const tac_lcs *y, const lcp_rows *n, uint32_t l)
{
    const uint32_t first = lcp_direction(n, 0);
    return y->form == TAC_LCS_STEWART_TRINKLE && l >= first && l < lcp_effort(n, 0) && (l - first) % 2 == 1;
}

// Makes such a row.
static void linearise_oppose(tac_lcs *y, size_t l)
{
    const size_t wide = y->size.x, inputs = y->size.u, rows = y->size.l;
    for (size_t i = wide / 2; i < wide; i++) { y->D[i * rows + l] = -y->D[i * rows + l - 1]; }
    for (size_t i = 0; i < wide; i++) { y->E[l * wide + i] = -y->E[(l - 1) * wide + i]; }
    for (size_t i = 0; i < inputs; i++) { y->H[l * inputs + i] = -y->H[(l - 1) * inputs + i]; }
}

// ------------------------------------------------------------------------------------------------------------- motions
// Of rows in opposite pairs, along an edge of a friction cone or an effort and against it, one is enough: the motions
// of the problem. Their rows J, M^-1 J' and the ratios of their derivatives by position to those by rate are where the
// matrices of A and B have been.

// How many there are.
static uint32_t linearise_motions(const lcp_rows *n)
{
    const uint32_t first = lcp_direction(n, 0);
    return first + (lcp_multiplier(n, 0) - first) / 2;
}

// The motion of a row that is no multiplier, and its sign.
static uint32_t linearise_motion(const lcp_rows *n, uint32_t l, real *sign)
{
    const uint32_t first = lcp_direction(n, 0), beyond = l < first ? 0 : l - first;
    *sign = beyond % 2 ? R(-1.0) : R(1.0);
    return l < first ? l : first + beyond / 2;
}

// The first row of a motion.
static uint32_t linearise_first(const lcp_rows *n, uint32_t motion)
{
    const uint32_t first = lcp_direction(n, 0);
    return motion < first ? motion : first + 2 * (motion - first);
}

// The effort that a row of the problem is about, counted as lcp.h does. `limit`: among limits, else among the others.
static lcp_bound linearise_bound(const tac_work *w, int limit, uint32_t number, uint32_t *joint, int *effort)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const lcp_bound e = lcp_bound_of(w, i, b);
            if (lcp_bounds(e.interval) != (limit ? 1 : 2)) { continue; }
            *joint = i, *effort = b;
            if (number-- == 0) { return e; }
        }
    }
    return (lcp_bound){NULL, NULL, R(0.0), R(0.0)};
}

// h times the derivative of such a row by the position of the coordinate, where that by its rate is 1.
static real linearise_pull(const vary_step *x, uint32_t joint, int effort)
{
    const tac_joint_block *k = &JOINT_LINK(x->w)[joint];
    const tac_interval *e = &k->interval[effort];
    const effort_law law = vary_law(x, joint, effort);
    const real h = x->m->h;
    return e->hard ? h * law.follow : h * h * law.stiffness / (k->scale * k->scale * e->weight);
}

// The row of a limit or an effort.
static void linearise_joint(const vary_step *x, const lcp_rows *n, uint32_t l, real *rate, real *pull)
{
    uint32_t joint = 0;
    int effort = 0;
    const int limit = l < lcp_direction(n, 0);
    const uint32_t number = limit ? l - lcp_limit(n, 0) : (l - lcp_effort(n, 0)) / 2;
    const lcp_bound e = linearise_bound(x->w, limit, number, &joint, &effort);
    rate[x->tree->first[joint]] = (limit ? lcp_side(e.interval) : R(1.0)) * e.joint->scale;
    *pull = linearise_pull(x, joint, effort) / x->m->h;
}

// The row of the relative velocity of both bodies of a contact along d.
static void linearise_contact(const vary_step *x, const tac_contact *c, vec3 d, real *rate)
{
    for (int side = 0; side < 2; side++) {
        const uint16_t self = derivative_body(c, side);
        if (!mechanism_moves(x->m, self)) { continue; }
        const vec3 torque = v3_cross(derivative_arm(x, self, c->point), d);
        derivative_along(x, self, side ? R(1.0) : R(-1.0), torque, d, rate);
    }
}

// J and its pulls, and J' where M^-1 J' will be.
static void linearise_rates(const vary_step *x, const lcp_rows *n)
{
    for (uint32_t i = 0; i < linearise_motions(n); i++) {
        const uint32_t l = linearise_first(n, i), at = l - lcp_direction(n, 0);
        real *rate = vary_row(x->motion, i), *pull = &x->column[i];
        reals_clear(rate, x->n * sizeof *rate);
        *pull = R(0.0);
        if (l < n->contacts) {
            const tac_contact *c = &x->w->contact[l];
            const real soft = rows_soft(x->m, c);
            linearise_contact(x, c, c->n, rate);
            *pull = soft > R(0.0) ? x->m->h * c->stiffness * soft : R(1.0) / x->m->h;
        } else if (l >= lcp_direction(n, 0) && l < lcp_effort(n, 0)) {
            const tac_contact *c = &x->w->contact[at / n->directions];
            const vec3 axes[3] = {c->n, c->u, c->w};
            linearise_contact(x, c, v3_combine(axes, lcp_tangent(n, at % n->directions)), rate);
        } else {
            linearise_joint(x, n, l, rate, pull);
        }
        for (uint32_t c = 0; c < x->n; c++) { vary_row(x->motions, c)[i] = rate[c]; }
    }
}

// A row of A11: J M^-1 J', into all rows and columns of the motions.
static void linearise_couple(const vary_step *x, const lcp_rows *n, uint32_t motion)
{
    const uint32_t motions = linearise_motions(n), first = lcp_direction(n, 0), row = linearise_first(n, motion);
    const real *rate = vary_row(x->motion, motion);
    real *a = x->rates, *to = x->q->F[row];
    reals_clear(a, motions * sizeof *a);
    lu_row sum = lu_row_of(a, motions);
    for (size_t c = 0; c < x->n; c++) { lu_row_add(&sum, rate[c], vary_row(x->motions, c)); }
    lu_row_end(&sum);
    for (uint32_t i = 0; i < first; i++) { to[i] = a[i]; }
    for (uint32_t i = first; i < motions; i++) { to[2 * i - first] = a[i], to[2 * i - first + 1] = -a[i]; }
    for (uint32_t i = 0; row >= first && i < lcp_multiplier(n, 0); i++) { x->q->F[row + 1][i] = -to[i]; }
}

// M^-1 J', with no change of coordinates that are held, and F of the problem of lcp.h.
static void linearise_respond(const vary_step *x, const lcp_rows *n)
{
    const uint32_t motions = linearise_motions(n);
    vary_solve(x, x->mass, x->motions, motions);
    vary_clear_held(x, x->motions, motions);
    lcp_clear_matrix(x->q);
    for (uint32_t i = 0; i < motions; i++) { linearise_couple(x, n, i); }
    lcp_couple(x->w, n, x->q);
    lcp_unblock(n, x->q);
    lcp_soften(x->m, x->w, n, x->q);
}

// ---------------------------------------------------------------------------------------------------------- the system

// to = rate' times the last rows of a matrix of so many columns, those of velocities, plus what `to` begins with. A row
// follows the few coordinates that carry its bodies.
static void linearise_seen(const real *rate, size_t size, const real *matrix, size_t columns, real *to)
{
    lu_row sum = lu_row_of(to, (uint32_t)columns);
    for (size_t i = 0; i < size; i++) { lu_row_add(&sum, rate[i], &matrix[(size + i) * columns]); }
    lu_row_end(&sum);
}

// Adds part of a row of the problem to a row of the system: of its derivatives by rates and positions, and of D.
static void linearise_part(const vary_step *x, const lcp_rows *n, uint32_t row, real part, uint32_t l, tac_lcs *y)
{
    const size_t size = x->n, rows = y->size.l;
    real sign, *rate = x->rates, *E = &y->E[l * y->size.x], *D = &y->D[size * rows + l];
    if (row >= lcp_multiplier(n, 0)) { return; }
    const uint32_t motion = linearise_motion(n, row, &sign);
    const real *own = vary_row(x->motion, motion), of = sign * part, pull = of * x->column[motion];
    for (size_t i = 0; i < size; i++) {
        rate[i] += of * own[i];
        E[i] += pull * own[i];
        D[i * rows] += of * vary_row(x->motions, i)[motion];
    }
}

// The row l of E and H, and the column l of D.
static void linearise_one(const vary_step *x, const lcp_rows *n, uint32_t l, tac_lcs *y)
{
    const size_t size = x->n, wide = y->size.x, inputs = y->size.u, rows = y->size.l;
    const linearise_row a = linearise_row_of(x->w, y, n, l);
    real *rate = x->rates, *E = &y->E[l * wide], *H = &y->H[l * inputs];
    reals_clear(rate, size * sizeof *rate);
    reals_clear(E, wide * sizeof *E);
    reals_clear(H, inputs * sizeof *H);
    for (size_t i = 0; i < size; i++) { y->D[(size + i) * rows + l] = R(0.0); }
    linearise_part(x, n, a.row[0], R(1.0), l, y);
    if (a.count > 1) { linearise_part(x, n, a.row[1], a.part, l, y); }
    linearise_seen(rate, size, y->A, wide, E);
    linearise_seen(rate, size, y->B, inputs, H);
}

// All of it, from f of the problem and the velocities without impulses in delta_v. Returns 0 if the mechanism is
// singular.
static int linearise_system(vary_step *x, const lcp_rows *n, tac_lcs *y)
{
    const size_t size = x->n, wide = y->size.x, rows = y->size.l;
    tac_step_derivative smooth;
    smooth.A = y->A;
    smooth.B = y->B;
    smooth.wrenches = y->wrenches;
    bytes_copy(&smooth.room, &y->room, sizeof smooth.room);
    bytes_copy(&smooth.size, &y->size, sizeof smooth.size);
    real *v = y->d + size, *dq = x->q->z;
    x->motion = (vary_block){x->response.at, size};
    x->motions = (vary_block){vary_row(x->motion, linearise_motions(n)), linearise_motions(n)};
    vary_start(x);
    reals_copy(v, x->rates, size * sizeof *v);
    if (!derivative_make(x, &smooth)) { return 0; }
    linearise_rates(x, n);
    linearise_respond(x, n);
    linearise_problem(x->w, x->q, n, y);
    coordinates_velocities(x->m, x->s->pose, x->s->twist, x->tree, dq);
    for (uint32_t l = 0; l < rows; l++) {
        if (linearise_opposes(y, n, l)) {
            linearise_oppose(y, l);
        } else {
            linearise_one(x, n, l, y);
        }
        y->c[l] = -lu_sum(-y->c[l], &y->E[l * wide + size], dq, (uint32_t)size);
    }
    for (size_t i = 0; i < size * rows; i++) { y->D[i] = x->m->h * y->D[size * rows + i]; }
    for (size_t i = 0; i < size; i++) {
        y->d[i] = x->m->h * v[i];
        for (size_t j = 0; j < size; j++) {
            v[i] -= y->A[(size + i) * wide + size + j] * dq[j];
            y->d[i] -= y->A[i * wide + size + j] * dq[j];
        }
    }
    return 1;
}

#endif

#endif
