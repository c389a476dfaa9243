// SPDX-License-Identifier: MIT
// ncp_joints.h - joints in CBAT07's step: constraints of the poses that it ends with, efforts along coordinates.
//   given   joints of the cone program; poses and velocities at both ends of the step, impulses
//   makes   q->joint[]; rows of all joints with their bodies at the end; phi of joints, their part in that of bodies
//   bound   one visit to each joint
//   never   asks of velocities what it asks of poses: J v = 0 holds as far as arcs are straight
#ifndef CBAT07_NCP_JOINTS_H
#define CBAT07_NCP_JOINTS_H

#include "../step/ccp.h"

#if TAC_MAX_NCP > 0

// T03 and CBAT07 have bilateral constraints g beside contacts. With everything at the end of the step,
//
//      M nu+ = M nu + J(q+)' l + contacts + p_app + p_vp,     g(q+) = 0,
//
// and each effort along a coordinate has the law of its interval (sets/interval.h): hard limits, and motors that keep a
// rate or a position, see where the coordinate ends, (q+ - q)/h; springs, dampers, rotors and dry friction see its rate
// at the end, J(q+) nu+. What a bushing yields by is a compliance of its rows.
// Unknowns of a joint are the impulses of the rows that act, constraints before intervals.

#define NCP_JOINT_ROWS (TAC_JOINT_ROWS + TAC_EFFORTS)

static int ncp_joint_acts(const tac_ncp_joint *x, int row)
{
    return x->rows >> row & 1;
}

// Rows that act, and move anything.
static uint16_t ncp_joint_find_rows(const tac_joint_block *k)
{
    unsigned rows = 0;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (k->w[row] > R(0.0)) { rows |= k->constraints & 1u << row; }
    }
    for (int i = 0; i < TAC_EFFORTS && k->coordinate && k->w[JOINT_LAST] > R(0.0); i++) {
        rows |= (unsigned)(k->interval[i].used != 0) << (TAC_JOINT_ROWS + i);
    }
    return (uint16_t)rows;
}

// Numbers of the unknowns from n on. Returns the next.
static uint32_t ncp_joints_number(const tac_model *m, tac_work *w, tac_ncp *q, uint32_t n)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_ncp_joint *x = &q->joint[i];
        x->rows = ncp_joint_find_rows(&JOINT_LINK(w)[i]);
        x->first = (uint16_t)n;
        for (int row = 0; row < NCP_JOINT_ROWS; row++) { n += (uint32_t)ncp_joint_acts(x, row); }
    }
    return n;
}

// -------------------------------------------------------------------------------------------------------------- begin

// The place of a joint at the start of the step; low-order parts of positions count.
static void ncp_joint_place(const tac_state *s, const tac_joint *j, const tac_joint_block *k, joint_place *p)
{
    joint_find(j->kind, k->frame, &s->pose[j->body_a], &s->pose[j->body_b], p);
    p->d = v3_add(p->d, v3_sub(s->compensation[j->body_b].p, s->compensation[j->body_a].p));
}

// The coordinate of a coupling at the start of the step.
static real ncp_joint_coupled(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    real q = JOINT_REVOLUTION * JOINT_LINK(w)[i].of.coupling.revolutions;
    for (int part = 0; part < 2; part++) {
        const uint16_t index = coupling_part(j, part);
        const tac_joint *x = &JOINT_OF(m)[index];
        joint_place p;
        ncp_joint_place(s, x, &JOINT_LINK(w)[index], &p);
        q += coupling_factor(j, part) * joint_coordinate(x, &p);
    }
    return q;
}

// The error of a rigid row at the start of the step, m; one that is nothing but rounding is left. Of prescribed motion
// minus what it asks for.
static real ncp_joint_error(const tac_joint *j, const tac_joint_block *k, const joint_place *p, real coupled, int row)
{
    if (row == JOINT_LAST && k->driven) { return -k->advance; }
    if (k->ends == 4) { return k->scale * (coupled - k->setpoint); }
    const real error = joint_violation(j, k, p, row);
    return real_abs(error) <= JOINT_LOOSE_SLACK * k->rounding ? R(0.0) : error;
}

// What rows know of the start of the step. The rotor sees rates at both ends of each step, and owes nothing to the
// next.
static void ncp_joint_take(const tac_model *m, const tac_state *s, tac_work *w, uint32_t i, tac_ncp_joint *x)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    tac_joint_block *k = &JOINT_LINK(w)[i];
    joint_place p;
    const int couples = j->kind == TAC_COUPLING;
    const real coupled = couples ? ncp_joint_coupled(m, s, w, i) : R(0.0);
    if (!couples) { ncp_joint_place(s, j, k, &p); }
    x->rate = k->coordinate ? joint_rate(k, s->twist, JOINT_LAST) : R(0.0);
    x->length = couples ? k->scale : k->length;
    x->change = R(0.0);
    reals_copy(x->w, k->w, sizeof x->w);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        x->start[row] = x->error[row] = x->total[row] = R(0.0);
        if (!ncp_joint_acts(x, row)) { continue; }
        x->start[row] =
            joint_holds(k, row) ? ncp_joint_error(j, k, &p, coupled, row) : k->bias[row] - joint_rate(k, s->twist, row);
    }
    if (couples || !k->coordinate || !effort_is_passive(j)) { return; }
    joint_passive(j, k, m->h, joint_coordinate(j, &p), x->rate / k->scale, R(0.0), R(0.0));
}

static void ncp_joints_take(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { ncp_joint_take(m, s, w, i, &q->joint[i]); }
}

// Impulses of the cone program; those of constraints that trees have eliminated begin at 0.
static void ncp_joints_guess(const tac_model *m, const tac_work *w, tac_ncp *q)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_ncp_joint *x = &q->joint[i];
        const real *g = &w->scratch.solve.g[JOINT_LINK(w)[i].first];
        real *to = &q->x[x->first];
        for (int row = 0; row < NCP_JOINT_ROWS; row++) {
            if (ncp_joint_acts(x, row)) { *to++ = g[row]; }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- equations

// How a joint is moved in the step, and what that adds to its errors and to its coordinate.
static void ncp_joint_move(const tac_model *m, const tac_state *s, const tac_ncp *q, const tac_joint *j,
                           const tac_joint_block *k, tac_ncp_joint *x)
{
    const uint16_t body[2] = {j->body_a, j->body_b};
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    tac_pose moved[2];
    const tac_pose *motion[2] = {&moved[0], &moved[1]};
    joint_place p;
    joint_change c;
    for (int side = 0; side < 2; side++) {
        const tac_ncp_body *b = &q->body[body[side]];
        const vec3 turn = v3_scale(m->h, v3_add(b->twist.w, b->pseudo.w));
        moved[side].p = v3_scale(m->h, v3_add(b->twist.v, b->pseudo.v));
        moved[side].q = quat_exp(quat_rotate(pose[side]->q, turn));
    }
    ncp_joint_place(s, j, k, &p);
    joint_change_of(k->frame, &p, pose, motion, &c);
    if (k->coordinate) { x->change = joint_change_coordinate(j, &p, &c); }
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_holds(k, row)) { x->error[row] = x->start[row] + correct_change(j, k, &p, &c, row); }
    }
}

// Rows and errors at the end of the step. A coupling comes after its joints.
static void ncp_joint_end(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    tac_joint_block *k = &JOINT_LINK(w)[i];
    tac_ncp_joint *x = &q->joint[i];
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { x->total[row] = R(0.0); }
    if (j->kind == TAC_COUPLING) {
        x->change = coupling_factor(j, 0) * q->joint[coupling_part(j, 0)].change +
                    coupling_factor(j, 1) * q->joint[coupling_part(j, 1)].change;
        if (joint_holds(k, JOINT_LAST)) { x->error[JOINT_LAST] = x->start[JOINT_LAST] + k->scale * x->change; }
        coupling_jacobian(j, w, k);
        return;
    }
    const tac_pose *pose[2] = {&q->body[j->body_a].pose, &q->body[j->body_b].pose};
    joint_place p;
    joint_find(j->kind, k->frame, pose[0], pose[1], &p);
    joint_jacobian(j, &p, pose, w->moving, k);
    ncp_joint_move(m, s, q, j, k, x);
}

// An impulse along a row acts on two bodies.
static void ncp_joint_push(const tac_work *w, tac_ncp *q, const tac_row *r, const uint16_t body[2], real g)
{
    for (int side = 0; side < 2; side++) {
        tac_ncp_body *b = &q->body[body[side]];
        const tac_moving *moving = &w->moving[body[side]];
        if (b->first == TAC_NONE) { continue; }
        real *phi = &q->phi[b->first];
        const vec3 turn = v3_scale(g, r->angular[side]);
        v3_put(phi, v3_madd(v3_of(phi), (side ? -g : g) * moving->inv_mass, r->linear));
        v3_put(phi + 3, v3_madd(v3_of(phi + 3), -b->length, v3_mul(moving->inv_inertia, turn)));
        b->momentum = v3_add(b->momentum, turn);
    }
}

static real ncp_joint_rate(const tac_ncp *q, const tac_joint_block *k, int row)
{
    const uint16_t *b = k->body;
    const real rate = joint_row_rate(&k->row[row], &q->body[b[0]].twist, &q->body[b[1]].twist);
    return k->ends == 4 ? rate + joint_row_rate(&k->row[JOINT_A], &q->body[b[2]].twist, &q->body[b[3]].twist) : rate;
}

// Does the law of an effort see where the coordinate ends?
static int ncp_effort_leads(const tac_interval *x, int effort)
{
    return x->hard && effort != TAC_EFFORT_FRICTION;
}

// The velocity that the law of an effort takes.
static real ncp_effort_velocity(const tac_model *m, const tac_joint_block *k, const tac_ncp_joint *x, int effort,
                                real rate)
{
    const tac_interval *e = &k->interval[effort];
    const real end = ncp_effort_leads(e, effort) ? k->scale * x->change / m->h : rate;
    return (end - x->rate) + (e->hard ? e->bias : R(0.0));
}

// phi of the rows of a joint; what its impulses make of its bodies, and in `total` the sum along each row.
static void ncp_joint_laws(const tac_model *m, tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    tac_ncp_joint *x = &q->joint[i];
    const real rate = k->coordinate ? ncp_joint_rate(q, k, JOINT_LAST) : R(0.0);
    uint32_t at = x->first;
    for (int row = 0; row < NCP_JOINT_ROWS; row++) {
        const int effort = row - TAC_JOINT_ROWS;
        if (!ncp_joint_acts(x, row)) { continue; }
        const real g = q->x[at];
        real *phi = &q->phi[at++];
        if (effort >= 0) {
            *phi =
                interval_natural(&k->interval[effort], g, ncp_effort_velocity(m, k, x, effort, rate), x->w[JOINT_LAST]);
            x->total[JOINT_LAST] += g;
            continue;
        }
        const real soft = k->soft[row];
        *phi = joint_holds(k, row)
                   ? x->error[row] / m->h
                   : (soft * g + (ncp_joint_rate(q, k, row) + x->start[row])) / (R(1.0) + soft * x->w[row]);
        x->total[row] += g;
    }
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (x->total[row] == R(0.0)) { continue; }
        ncp_joint_push(w, q, &k->row[row], k->body, x->total[row]);
        if (k->ends == 4) { ncp_joint_push(w, q, &k->row[JOINT_A], &k->body[2], x->total[row]); }
    }
}

static void ncp_joints_evaluate(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { ncp_joint_end(m, s, w, q, i); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { ncp_joint_laws(m, w, q, i); }
}

// Worst error of the constraints of a joint at the end of the step, m.
static real ncp_joint_worst(const tac_joint_block *k, const tac_ncp_joint *x)
{
    real worst = R(0.0);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_holds(k, row)) { worst = real_max(worst, real_abs(x->error[row])); }
    }
    return worst;
}

#endif

#endif
