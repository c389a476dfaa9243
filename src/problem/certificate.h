// SPDX-License-Identifier: MIT
// certificate.h - errors of the impulses of a problem: natural map, objective, each law by itself; the best impulses so
// far.
//   given   impulses, the velocities N g + p that belong to them
//   makes   resS, resA, report; best[]
//   bound   one visit to each block; certificate_finish() takes one pass for the velocities
//   never   accepts a measure that is not finite
#ifndef PROBLEM_CERTIFICATE_H
#define PROBLEM_CERTIFICATE_H

#include "../sets/errors.h"
#include "set.h"
#include "../engine/iterates.h"

#if TAC_SOLVE

static real certificate_relative(const tac_solve_work *w, real value)
{
    return w->progress.scale > R(0.0) ? value / w->progress.scale : value;
}

// resS of impulses g with velocities u.
static real certificate_residual(const tac_problem *q, const tac_solve_work *w, const real *g, const real *u)
{
    real sum = R(0.0), map[TAC_BLOCK_ROWS];
    for (uint32_t i = 0; i < q->blocks; i++) {
        const uint32_t row = w->row[i];
        const real d = w->weight[i];
        sum += d * d * set_natural(&q->block[i], &g[row], &u[row], w->progress.exact, d, map);
    }
    return certificate_relative(w, real_sqrt(sum));
}

static void certificate_copy(const tac_problem *q, real *to, const real *from)
{
    reals_copy(to, from, q->rows * sizeof *to);
}

// Keeps g if its measure is the least so far.
static void certificate_keep(const tac_problem *q, tac_solve_work *w, const real *g, real measure)
{
    tac_solve_progress *p = &w->progress;
    p->measure = measure;
    best_keep_rows(w->best, &p->least, g, q->rows, measure);
}

// 1/2 g'N g + p'g of the impulses in force, whose velocities are in u[].
static real certificate_objective(const tac_problem *q, const tac_solve_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (uint32_t r = 0; r < q->block[i].rows; r++) {
            sum += w->g[w->row[i] + r] * (w->u[w->row[i] + r] + q->block[i].p[r]);
        }
    }
    return R(0.5) * sum;
}

// A block whose set is a cone: no bounds at all, a ray, a friction cone. The part of the velocity outside
// the dual cone is P_C(-u~), by Moreau's decomposition.
static void certificate_cone(const tac_problem_block *k, const real *g, const real *u, real d, tac_certificate *r)
{
    const real lift = set_lift(k, u), aim = r->friction == TAC_FRICTION_EXACT ? u[0] + lift : u[0];
    real outside = R(0.0), barred = R(0.0), power = R(0.0), inner[TAC_BLOCK_ROWS], outer[TAC_BLOCK_ROWS];
    for (int i = 0; i < k->rows; i++) {
        inner[i] = g[i];
        outer[i] = i == 0 ? -aim : -u[i];
        if (i > 0) { power += g[i] * u[i]; }
    }
    set_project(k, inner, SET_PLAIN);
    set_project(k, outer, SET_PLAIN);
    for (int i = 0; i < k->rows; i++) {
        outside = real_max(outside, real_abs(g[i] - inner[i]));
        barred = real_max(barred, real_abs(outer[i]));
    }
    errors_block(r, d, outside, barred, g[0] * aim + power);
    if (k->set != TAC_SET_FREE) { errors_contact(r, d, g[0], u[0], lift, power); }
}

// Bounds of intervals may be so large that a product with them is infinite.
static real certificate_number(real x)
{
    return real_finite(x) ? x : REAL_LARGEST;
}

static void certificate_report(const tac_certificate *c, tac_solve_report *r)
{
    r->r_ncp_primal = c->r_ncp_primal;
    r->r_ncp_dual = certificate_number(c->r_ncp_dual);
    r->r_ncp_compl = certificate_number(c->r_ncp_compl);
    r->signorini = c->signorini;
    r->dissipation = c->dissipation;
    r->open = c->open;
    r->stick = c->stick;
    r->slide = c->slide;
}

// The report of g and u, by whatever method they were found.
static void certificate_finish(const tac_problem *q, tac_solve_work *w)
{
    tac_certificate c;
    real natural = R(0.0), map[TAC_BLOCK_ROWS];
    bytes_clear(&c, sizeof c);
    c.friction = w->report.friction;
    for (uint32_t i = 0; i < q->blocks; i++) {
        const tac_problem_block *k = &q->block[i];
        const real *g = &w->g[w->row[i]], *u = &w->u[w->row[i]], d = w->weight[i];
        natural += set_natural(k, g, u, w->progress.exact, R(1.0), map);
        if (k->set == TAC_SET_INTERVAL) {
            errors_interval(&c, d, k->lo, k->hi, g[0], u[0]);
        } else {
            certificate_cone(k, g, u, d, &c);
        }
        w->mode[i] = set_mode(k, g);
        errors_count(&c, w->mode[i]);
    }
    errors_relative(&c, w->progress.scale);
    certificate_report(&c, &w->report);
    w->report.r_natmap = certificate_residual(q, w, w->g, w->u);
    w->report.natural = certificate_relative(w, real_sqrt(natural));
    w->report.f_ccp = certificate_number(certificate_objective(q, w));
}

#endif

#endif
