// SPDX-License-Identifier: MIT
// coordinate.h - all bounded efforts along one coordinate: one law for their sum.
//   given   the intervals of a joint, the sum of their impulses, the rate of the coordinate
//   makes   the sum that satisfies the law together with the velocity that it causes, each interval's share, the slope
//           there
//   bound   a visit to each interval for each point where one of them begins or ends
//   never   lets two intervals hold one coordinate: their shares would not be unique
#ifndef ENGINE_COORDINATE_H
#define ENGINE_COORDINATE_H

#include "../dual/trees.h"

// The sum F of all impulses is a decreasing function of the rate v, with a jump where a hard interval holds the
// coordinate, and a slope where a soft one is between its bounds. So there is one solution of
//      c (v - u) + y = F(v),
// where y is the sum that belongs to the rate u, and 1/c the change of the rate by an impulse. With c = 0 it is where F
// takes the value y.
typedef struct coordinate_point {
    real rate, sum, slope;   // v, F(v), -dF/dv
    real share[TAC_EFFORTS]; // of the sum
    int held;                // 1: a hard interval holds the coordinate
} coordinate_point;

// Bounds of the rate found so far. `held`: so many intervals hold it, and both are that rate.
typedef struct coordinate_range {
    real least, most;
    int held;
} coordinate_range;

// One-sided limit of F at a rate: below it, or above (`behind`).
static real coordinate_near(const tac_joint_block *k, real rate, int behind)
{
    real sum = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        const real u = rate + x->bias;
        if (!columns_bounds(x)) { continue; }
        const real hard = u > R(0.0) || (behind && u == R(0.0)) ? x->lo : x->hi;
        sum += x->hard ? hard : real_clamp(x->centre - x->weight * u, x->lo, x->hi);
    }
    return sum;
}

// The solution is on one side of this rate, where y would be `wanted`. Returns 1 if it is there.
static int coordinate_divide(const tac_joint_block *k, real rate, real wanted, coordinate_range *in)
{
    if (wanted > coordinate_near(k, rate, 0)) {
        in->most = real_min(in->most, rate);
        return 0;
    }
    if (wanted < coordinate_near(k, rate, 1)) {
        in->least = real_max(in->least, rate);
        return 0;
    }
    return 1;
}

// Ends of a soft interval: the rates at which its impulse meets a bound.
static coordinate_range coordinate_ends(const tac_interval *x)
{
    const real least = (x->centre - x->hi) / x->weight - x->bias, most = (x->centre - x->lo) / x->weight - x->bias;
    return (coordinate_range){least, most, 0};
}

// Where the rate of the solution lies.
static coordinate_range coordinate_search(const tac_joint_block *k, real y, real u, real c)
{
    coordinate_range in = {-REAL_LARGEST, REAL_LARGEST, 0};
    for (int b = 0; b < TAC_EFFORTS && !in.held; b++) {
        const tac_interval *x = &k->interval[b];
        if (!columns_bounds(x)) { continue; }
        if (x->hard && coordinate_divide(k, -x->bias, y + c * (-x->bias - u), &in)) {
            in = (coordinate_range){-x->bias, -x->bias, 1};
        }
        if (x->hard || !(x->weight > R(0.0))) { continue; }
        const coordinate_range ends = coordinate_ends(x);
        (void)coordinate_divide(k, ends.least, y + c * (ends.least - u), &in);
        (void)coordinate_divide(k, ends.most, y + c * (ends.most - u), &in);
    }
    return in;
}

// Where it lies by the impulses g of the last step, as hard intervals have them. They may contradict each other: then
// `least` is larger than `most`. Returns 1 if all are hard.
static int coordinate_told(const tac_joint_block *k, const real *g, coordinate_range *in)
{
    int hard = 1;
    *in = (coordinate_range){-REAL_LARGEST, REAL_LARGEST, 0};
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        const real own = g[columns_row_of(k, b)];
        if (!columns_bounds(x)) { continue; }
        hard &= x->hard;
        if (!x->hard) { continue; }
        if (own < x->hi) { in->least = real_max(in->least, -x->bias); }
        if (own > x->lo) { in->most = real_min(in->most, -x->bias); }
        in->held += own < x->hi && own > x->lo;
    }
    return hard;
}

// Of this range soft intervals take the rate that is nearest to u.
static coordinate_range coordinate_recall(const tac_joint_block *k, const real *g, real u)
{
    coordinate_range in;
    (void)coordinate_told(k, g, &in);
    const real rate = real_clamp(u, in.least, in.most);
    for (int b = 0; b < TAC_EFFORTS && !in.held; b++) {
        const tac_interval *x = &k->interval[b];
        if (!columns_bounds(x) || x->hard || !(x->weight > R(0.0))) { continue; }
        const coordinate_range ends = coordinate_ends(x);
        if (rate >= ends.most) { in.least = real_max(in.least, ends.most); }
        if (rate <= ends.least) { in.most = real_min(in.most, ends.least); }
    }
    return in;
}

// Does the interval hold the coordinate at this rate?
static inline int coordinate_holds(const tac_interval *x, const coordinate_range *in)
{
    return x->hard && in->held && in->least == -x->bias;
}

// The share of an interval that does not hold the coordinate: its slope, and what is left at a rate of zero.
static real coordinate_part(const tac_interval *x, const coordinate_range *in, real *slope)
{
    if (x->hard) { return in->most <= -x->bias ? x->hi : x->lo; }
    if (!(x->weight > R(0.0))) { return real_clamp(x->centre, x->lo, x->hi); }
    const coordinate_range ends = coordinate_ends(x);
    if (in->most <= ends.least) { return x->hi; }
    if (in->least >= ends.most) { return x->lo; }
    *slope = x->weight;
    return x->centre - x->weight * x->bias;
}

// The intervals that hold it (two, if their rates agree) share the rest of the sum.
static void coordinate_hold(const tac_joint_block *k, const coordinate_range *in, real rest, coordinate_point *at)
{
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (!columns_bounds(x) || !coordinate_holds(x, in)) { continue; }
        at->share[b] = real_clamp(rest, x->lo, x->hi);
        at->sum += at->share[b];
        rest -= at->share[b];
    }
}

// The solution v, whose rate lies there.
static coordinate_point coordinate_point_in(const tac_joint_block *k, coordinate_range in, real y, real u, real c)
{
    coordinate_point at;
    real slope[TAC_EFFORTS], sum = R(0.0);
    at.rate = u;
    at.slope = R(0.0);
    at.held = in.held;
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        at.share[b] = slope[b] = R(0.0);
        if (!columns_bounds(x) || coordinate_holds(x, &in)) { continue; }
        at.share[b] = coordinate_part(x, &in, &slope[b]);
        at.slope += slope[b];
        sum += at.share[b];
    }
    if (at.held) {
        at.rate = in.least;
    } else if (c + at.slope > R(0.0)) {
        at.rate = (c * u + sum - y) / (c + at.slope);
    }
    at.sum = sum - at.slope * at.rate;
    for (int b = 0; b < TAC_EFFORTS; b++) { at.share[b] -= slope[b] * at.rate; }
    if (at.held) { coordinate_hold(k, &in, y + c * (at.rate - u) - at.sum, &at); }
    return at;
}

static coordinate_point coordinate_solve(const tac_joint_block *k, real y, real u, real c)
{
    return coordinate_point_in(k, coordinate_search(k, y, u, c), y, u, c);
}

// The point of the law where the intervals that held the coordinate in the last step hold it again, with impulses g,
// whose sum is y; else the solution.
static coordinate_point coordinate_again(const tac_joint_block *k, const real *g, real y, real u, real c)
{
    const coordinate_range in = coordinate_recall(k, g, u);
    return in.least <= in.most ? coordinate_point_in(k, in, y, u, R(0.0)) : coordinate_solve(k, y, u, c);
}

// Is this what coordinate_again() finds: are all efforts hard and at bounds that agree, but for one at most, which
// holds the coordinate? Then `in` is where its rate lies, and no impulse changes.
static int coordinate_stays(const tac_joint_block *k, const real *g, coordinate_range *in)
{
    int stays = coordinate_told(k, g, in);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        const real own = g[columns_row_of(k, b)];
        if (!columns_bounds(x) || (own < x->hi && own > x->lo)) { continue; }
        stays &= own == (in->most <= -x->bias ? x->hi : x->lo);
    }
    return stays && in->held <= 1 && in->least <= in->most;
}

// The sum of impulses g of all rows, of those with bounds along the coordinate.
static real coordinate_sum(const tac_joint_block *k, const real *g)
{
    real sum = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) { sum += columns_bounds(&k->interval[b]) ? g[columns_row_of(k, b)] : R(0.0); }
    return sum;
}

// Adds a change of that sum to the effort that holds the coordinate, if this stays between its bounds. Returns 0 if
// there is none.
static int coordinate_bear(const tac_joint_block *k, real change, real *g)
{
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        real *own = &g[columns_row_of(k, b)];
        if (!columns_bounds(x) || !x->hard || *own <= x->lo || *own >= x->hi) { continue; }
        if (*own + change <= x->lo || *own + change >= x->hi) { continue; }
        *own += change;
        return 1;
    }
    return 0;
}

// The first of these rows.
static uint32_t coordinate_first(const tac_joint_block *k)
{
    int b = 0;
    while (b < TAC_EFFORTS - 1 && !columns_bounds(&k->interval[b])) { b++; }
    return columns_row_of(k, b);
}

// The shares become the impulses g.
static void coordinate_put(const tac_joint_block *k, const coordinate_point *at, real *g)
{
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (columns_bounds(x)) { g[columns_row_of(k, b)] = real_clamp(at->share[b], x->lo, x->hi); }
    }
}

#endif
