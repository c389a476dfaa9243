// SPDX-License-Identifier: MIT
// qualify.h - constraint qualifications at a state, TCE17 section 11: is the friction cone pointed, are the constraints
// independent?
//   given   contacts that touch and joints, as rows; the factor of bodies and joints
//   makes   tac_qualification
//   bound   a solution of bodies and joints for each edge of a friction cone, the pivots of one problem; rows^3
//   never   depends on applied forces: the question is which forces contacts and joints could transmit
#ifndef TCE17_QUALIFY_H
#define TCE17_QUALIFY_H

#include "../t03/lcp.h"
#include "../query/touch.h"

#if TAC_MAX_LCP > 0

// Friction cones are replaced by pyramids around them, so that what is pointed with these is pointed: their edges have
// mu/cos(pi/n_d), and their sides touch the cone. G has the edges of all of them as columns, each n + mu t/cos(pi/n_d),
// and A11 maps an impulse to changes of velocity while all joints hold. Forces beta >= 0 along these edges that joints
// balance have beta'G'A11 G beta = 0. The only such beta is 0 if and only if
//      minimise 1/2 beta'N beta - e'beta  over beta >= 0,    N = G'A11 G with unit diagonal,
// has a solution. That is the linear complementarity problem (N, -e), which Lemke's method solves or ends on a ray. The
// inverse of the sum of its solution is the least beta'N beta of all beta with the sum 1.
#define QUALIFY_LEAST (TAC_REAL_BITS == 32 ? R(1e-3) : R(1e-10)) // clearance below which the cone is not pointed
#define QUALIFY_RANK (R(64.0) * REAL_EPSILON) // least part of a row that is independent of the others

// Only contacts that touch, and joints without efforts along their coordinates. Returns 0 if contacts had no room.
static int qualify_rows(const tac_model *m, const tac_state *s, real within, tac_work *w)
{
    uint16_t kept = 0;
    begin(m, s, NULL, ARRIVALS_NONE, w);
    touch_pairs(m, s, TAC_NONE, real_max(R(2.0) * within, REAL_LEAST), w);
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        if (!(w->contact[i].gap <= within)) { continue; }
        if (kept != i) { bytes_copy(&w->contact[kept], &w->contact[i], sizeof w->contact[i]); }
        kept++;
    }
    const int full = w->report.dropped > 0 && kept == w->report.contacts; // what was dropped is not closer than these
    w->report.contacts = w->program.contacts = kept;
    iterate_clear(w, w->scratch.solve.g);
    lcp_take(m, s, NULL, w);
    joints_make_rows(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) { JOINT_LINK(w)[i].interval[b].used = 0; }
    }
    return !full;
}

// ----------------------------------------------------------------------------------------------------------- pointed

static void qualify_edges(tac_lcp *q)
{
    real sine, cosine;
    lcp_edges(q->directions, q->edge);
    real_sin_cos(R(3.14159265358979323846) / (real)q->directions, &sine, &cosine);
    for (uint32_t k = 0; k < q->directions; k++) {
        q->edge[k] = (tac_direction){q->edge[k].u / cosine, q->edge[k].w / cosine};
    }
}

static vec3 qualify_edge(const lcp_rows *n, const tac_block *k, uint32_t d)
{
    return v3_madd(V3_AXIS[0], k->mu, lcp_tangent(n, d));
}

// N, not yet scaled, and f = -e.
static void qualify_cones(tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    q->rows = (uint16_t)(n->contacts * n->directions);
    for (uint32_t column = 0; column < q->rows; column++) {
        const tac_block *k = &w->scratch.solve.block[column / n->directions];
        const tac_twist *t = lcp_push(w, k, qualify_edge(n, k, column % n->directions));
        for (uint32_t row = 0; row < q->rows; row++) {
            const tac_block *of = &w->scratch.solve.block[row / n->directions];
            q->F[row][column] = v3_dot(qualify_edge(n, of, row % n->directions), rows_relative(of, t));
        }
    }
}

// Scales N to a diagonal of 1; where joints balance all of a force it stays 0.
static void qualify_scale(const tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    for (uint32_t i = 0; i < q->rows; i++) {
        const real alone = cone_weight(&w->scratch.solve.block[i / n->directions].w);
        q->scale[i] = R(1.0) / real_sqrt(real_max(q->F[i][i], QUALIFY_LEAST * alone));
        q->f[i] = R(-1.0);
    }
    for (uint32_t i = 0; i < q->rows; i++) {
        for (uint32_t j = 0; j < q->rows; j++) { q->F[i][j] *= q->scale[i] * q->scale[j]; }
    }
}

// The least |sum|^2 of forces in these cones; 0 if they are not pointed.
static real qualify_clearance(tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    real sum = R(0.0);
    qualify_cones(w, n, q);
    qualify_scale(w, n, q);
    lemke_solve(q, lcp_units_scale(q));
    for (uint32_t i = 0; i < q->rows; i++) { sum += q->z[i]; }
    const real clearance = sum > R(0.0) ? R(1.0) / sum : R(1.0);
    return q->end != TAC_LCP_SOLVED || clearance < QUALIFY_LEAST ? R(0.0) : clearance;
}

// Is there a motion that the joints allow and that opens every contact? By Gordan's theorem if and only if no normal
// forces, not all 0, are balanced by joints: the cones above without friction.
static int qualify_opens(tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    const tac_direction none = {R(0.0), R(0.0)};
    const lcp_rows normals = {n->contacts, n->contacts, 1, 0, 0, &none};
    return qualify_clearance(w, &normals, q) > R(0.0);
}

// -------------------------------------------------------------------------------------------------------- independent

// M^-1 times the gradient of a constraint: of a row of a joint, or of a normal.
static const tac_twist *qualify_push(tac_work *w, uint32_t row, uint32_t joints)
{
    tac_twist *t = w->phase.response;
    phase_take(w, TAC_PHASE_RESPONSE);
    reals_clear(t, w->program.bodies * sizeof *t);
    if (row < joints) {
        joint_apply_row(&JOINT_LINK(w)[row / TAC_JOINT_ROWS], (int)(row % TAC_JOINT_ROWS), R(1.0), w->moving, t);
    } else {
        rows_push(&w->scratch.solve.block[row - joints], R(1.0), w->moving, t);
    }
    return t;
}

static real qualify_rate(const tac_work *w, uint32_t row, uint32_t joints, const tac_twist *t)
{
    return row < joints ? joint_rate(&JOINT_LINK(w)[row / TAC_JOINT_ROWS], t, (int)(row % TAC_JOINT_ROWS))
                        : rows_rate(&w->scratch.solve.block[row - joints], t, 0);
}

// Which rows there are, in q->basic: those of constraints, `held` of them, then the normals. Returns 0 if they are too
// many.
static int qualify_list(const tac_work *w, tac_lcp *q, uint16_t *held)
{
    const uint32_t joints = TAC_JOINT_ROWS * PROGRAM_JOINTS(w);
    uint32_t count = 0;
    for (uint32_t row = 0; row < joints + w->program.contacts; row++) {
        const int acts = row >= joints || JOINT_LINK(w)[row / TAC_JOINT_ROWS].constraints >> row % TAC_JOINT_ROWS & 1;
        if (!acts) { continue; }
        *held = (uint16_t)(*held + (row < joints));
        if (count == TAC_MAX_LCP) { return 0; }
        q->basic[count++] = (uint16_t)row;
    }
    q->rows = (uint16_t)count;
    return 1;
}

// The next row of Cholesky's factor with pivoting: that of the largest remaining diagonal. Returns 0 if none remains.
static int qualify_pivot(tac_lcp *q, uint32_t step)
{
    uint32_t best = step;
    for (uint32_t i = step + 1; i < q->rows; i++) {
        if (q->F[q->tied[i]][q->tied[i]] > q->F[q->tied[best]][q->tied[best]]) { best = i; }
    }
    const uint16_t p = q->tied[best];
    q->tied[best] = q->tied[step];
    q->tied[step] = p;
    if (!(q->F[p][p] > QUALIFY_RANK * (real)q->rows)) { return 0; }
    const real inverse = R(1.0) / q->F[p][p];
    for (uint32_t i = step + 1; i < q->rows; i++) {
        const uint16_t a = q->tied[i];
        const real factor = q->F[a][p] * inverse;
        for (uint32_t j = step + 1; j < q->rows; j++) { q->F[a][q->tied[j]] -= factor * q->F[p][q->tied[j]]; }
    }
    return 1;
}

// The rank of the gradients of the first `rows`, from their products in the metric of M^-1 with a diagonal of 1.
static uint16_t qualify_rank(tac_work *w, uint16_t rows, tac_lcp *q)
{
    uint16_t rank = 0;
    q->rows = rows;
    const uint32_t joints = TAC_JOINT_ROWS * PROGRAM_JOINTS(w);
    for (uint32_t j = 0; j < q->rows; j++) {
        const tac_twist *t = qualify_push(w, q->basic[j], joints);
        for (uint32_t i = 0; i < q->rows; i++) { q->F[i][j] = qualify_rate(w, q->basic[i], joints, t); }
        q->scale[j] = q->F[j][j] > R(0.0) ? R(1.0) / real_sqrt(q->F[j][j]) : R(0.0);
        q->tied[j] = (uint16_t)j;
    }
    for (uint32_t i = 0; i < q->rows; i++) {
        for (uint32_t j = 0; j < q->rows; j++) { q->F[i][j] *= q->scale[i] * q->scale[j]; }
    }
    while (rank < rows && qualify_pivot(q, rank)) { rank++; }
    return rank;
}

// `all`: had every contact of qualify_rows() room? Returns 0 if there is no room; the fault says for what.
static int qualify(const tac_state *s, int all, tac_work *w, tac_lcp *q, tac_qualification *result)
{
    bytes_clear(result, sizeof *result);
    const lcp_rows n = {w->report.contacts, w->report.contacts, q->directions, 0, 0, q->edge};
    uint16_t held = 0;
    result->contacts = w->report.contacts;
    qualify_edges(q);
    if (!all || n.contacts * n.directions > TAC_MAX_LCP || !qualify_list(w, q, &held)) {
        check_note(TAC_REASON_FULL, TAC_FIELD_CONTACT, (uint16_t)n.contacts, &w->report.fault);
        return 0;
    }
    lcp_factor(s, w);
    result->rows = q->rows;
    result->rank = qualify_rank(w, result->rows, q);
    result->independent = result->rank == result->rows;
    result->opens =
        result->independent || (qualify_rank(w, held, q) == held && qualify_opens(w, &n, q)); // LICQ => MFCQ
    result->clearance = qualify_clearance(w, &n, q);
    result->pointed = result->clearance > R(0.0);
    return 1;
}

#endif

#endif
