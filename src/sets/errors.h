// SPDX-License-Identifier: MIT
// errors.h - errors of one block in each law by itself, its share of a certificate. types.h defines the measures.
//   given   of a block: the error of its impulse and velocity in each law; d, which turns its impulse into a velocity
//   makes   the worst of each measure so far, in units of velocity; then relative to |p|
//   bound   constant
//   never   depends on how the rows of a block are stored: it serves the contacts and joints of a world, and blocks of
//           a problem
#ifndef SETS_ERRORS_H
#define SETS_ERRORS_H

#include "../base/real.h"

static void errors_worst(real *worst, real value)
{
    *worst = real_max(*worst, real_abs(value));
}

// Of g, what lies outside of C; of u~, what lies outside of C*; g.u~.
static void errors_block(tac_certificate *r, real d, real outside, real barred, real product)
{
    errors_worst(&r->r_ncp_primal, d * outside);
    errors_worst(&r->r_ncp_dual, barred);
    errors_worst(&r->r_ncp_compl, d * product);
}

// Between two bounds. A bound that is not there allows no velocity towards it.
static void errors_interval(tac_certificate *r, real d, real lo, real hi, real g, real aim)
{
    const real bound = aim > R(0.0) ? lo : hi;
    const int bounded = real_abs(bound) < REAL_LARGEST;
    errors_block(r, d, g - real_clamp(g, lo, hi), bounded ? R(0.0) : aim, (bounded ? g - bound : g) * aim);
}

// A contact: n and u along the normal, De Saxce's term, and g_T.u_T. Under the relaxed law it lifts off by that term.
static void errors_contact(tac_certificate *r, real d, real n, real u, real lift, real power)
{
    const real normal = r->friction == TAC_FRICTION_EXACT ? u : u - lift;
    errors_worst(&r->signorini, real_min(d * n, normal));
    errors_worst(&r->dissipation, d * (lift * n + power));
}

static void errors_count(tac_certificate *r, uint8_t mode)
{
    r->open = (uint16_t)(r->open + (mode == TAC_OPEN));
    r->stick = (uint16_t)(r->stick + (mode == TAC_STICK));
    r->slide = (uint16_t)(r->slide + (mode == TAC_SLIDE));
}

static void errors_relative(tac_certificate *r, real scale)
{
    if (!(scale > R(0.0))) { return; }
    r->r_ncp_primal /= scale;
    r->r_ncp_dual /= scale;
    r->r_ncp_compl /= scale * scale;
    r->signorini /= scale;
    r->dissipation /= scale * scale;
}

#endif
