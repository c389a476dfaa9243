// SPDX-License-Identifier: MIT
// certificate.h - how good impulses are: natural map, modes, the three laws one by one; the best impulses so far.
//   given   impulses, the velocities N g + p that belong to them
//   makes   resS, resA, report; best[]
//   bound   one visit to each block; certificate_finish() takes one pass for the velocities
//   never   believes a measure that is not finite
#ifndef ENGINE_CERTIFICATE_H
#define ENGINE_CERTIFICATE_H

#include "../sets/set.h"

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

static void certificate_copy(const tac_solve_work *w, const tac_problem *q, const real *from, real *to)
{
    for (uint32_t r = 0; r < w->row[q->blocks]; r++) { to[r] = from[r]; }
}

// Keeps g if its measure is the least so far.
static void certificate_keep(const tac_problem *q, tac_solve_work *w, const real *g, real measure)
{
    w->progress.measure = measure;
    if (!(measure < w->progress.least)) { return; }
    w->progress.least = measure;
    certificate_copy(w, q, g, w->best);
}

// Signorini's law: d n >= 0, u_n >= 0, one of them 0; of the relaxed law, u_n less the lift-off that it makes.
// Friction: with n given, g_T takes as much power as it may, mu n |(e u_T)|.
static void certificate_laws(const tac_problem_block *k, const real *g, const real *u, real d, tac_solve_work *w)
{
    tac_solve_report *r = &w->report;
    if (k->set == TAC_SET_FREE || k->set == TAC_SET_INTERVAL) { return; }
    const real lift = set_lift(k, u), normal = w->progress.exact ? u[0] : u[0] - lift;
    r->signorini = real_max(r->signorini, real_abs(real_min(d * g[0], normal)));
    if (!set_is_cone(k)) { return; }
    real power = lift * g[0];
    for (int i = 1; i < k->rows; i++) { power += g[i] * u[i]; }
    r->dissipation = real_max(r->dissipation, d * real_abs(power));
}

// The report of g and u, whatever has made them.
static void certificate_finish(const tac_problem *q, tac_solve_work *w)
{
    tac_solve_report *r = &w->report;
    real natural = R(0.0), map[TAC_BLOCK_ROWS];
    r->signorini = r->cone = r->dissipation = R(0.0);
    r->open = r->stick = r->slide = 0;
    for (uint32_t i = 0; i < q->blocks; i++) {
        const tac_problem_block *k = &q->block[i];
        const real *g = &w->g[w->row[i]], *u = &w->u[w->row[i]], d = w->weight[i];
        natural += set_natural(k, g, u, w->progress.exact, R(1.0), map);
        certificate_laws(k, g, u, d, w);

        real distance = R(0.0);
        for (int n = 0; n < k->rows; n++) { map[n] = g[n]; }
        set_project(k, map, SET_PLAIN);
        for (int n = 0; n < k->rows; n++) { distance = real_max(distance, d * real_abs(map[n] - g[n])); }
        r->cone = real_max(r->cone, distance);

        w->mode[i] = set_mode(k, g);
        r->open += w->mode[i] == TAC_OPEN;
        r->stick += w->mode[i] == TAC_STICK;
        r->slide += w->mode[i] == TAC_SLIDE;
    }
    r->residual = certificate_residual(q, w, w->g, w->u);
    r->natural = certificate_relative(w, real_sqrt(natural));
    r->signorini = certificate_relative(w, r->signorini);
    r->cone = certificate_relative(w, r->cone);
    r->dissipation = certificate_relative(w, certificate_relative(w, r->dissipation));
}

#endif

#endif
