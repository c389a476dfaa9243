// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// The laws of efforts along a coordinate, of random joints and motors: the slopes that a law states are those of its
// force and of the rate that it keeps; the impulse of a step is h times its value as h goes to 0.
#include "rows/intervals.h"
#include "tap.h"
#include "truth.h"

enum { CASES = RUN(20000, 500) };

static tac_model m;
static tac_joint j;
static tac_motor a;
static tac_joint_block k;

static real some(rng *r, double most)
{
    return (real)(rng_below(r, 3) ? rng_range(r, 0, most) : 0);
}

static void random_joint(rng *r)
{
    j = (tac_joint){0};
    j.kind = rng_below(r, 2) ? TAC_REVOLUTE : TAC_PRISMATIC;
    j.stiffness = some(r, 100), j.damping = some(r, 5), j.armature = some(r, 2), j.rest = (real)rng_range(r, -1, 1);
    j.friction = some(r, 4);
    j.effort = rng_below(r, 3) ? (real)rng_range(r, 1, 20) : REAL_LARGEST;
    j.speed = rng_below(r, 2) ? (real)rng_range(r, 0.2, 2) : REAL_LARGEST;
    j.lower = 1, j.upper = -1;
    if (rng_below(r, 2)) { j.lower = (real)rng_range(r, -2, 0), j.upper = (real)rng_range(r, 0, 2); }
    j.stop_stiffness = some(r, 500), j.stop_damping = some(r, 5);
    a = (tac_motor){0};
    a.kind = (uint8_t)rng_below(r, 4);
    a.position = (real)rng_range(r, -1, 1), a.velocity = (real)rng_range(r, -1, 1);
    a.effort = (real)rng_range(r, -9, 9);
    a.stiffness = some(r, 100), a.damping = some(r, 5);
}

enum { PASSIVE, MOTOR, FRICTION, LIMIT };

static effort_law law(int source, real q, real change)
{
    switch (source) {
    case PASSIVE:
        return effort_passive(&j, q, change);
    case MOTOR:
        return effort_motor(&m, &j, &a, j.effort, q, change);
    case FRICTION:
        return effort_friction(&j, NULL);
    default:
        return effort_limit(&m, &j, q, change, R(0.0));
    }
}

static int acts(int source)
{
    return source == LIMIT ? j.lower < j.upper : 1;
}

// ------------------------------------------------------------------------------------------------------------ slopes

static double slope(double above, double below, double e)
{
    return (above - below) / (2 * e);
}

// Slopes at q, unless the law is another one near it: beyond a limit, at a speed limit, modulo a revolution.
static void slopes(rng *r, double *along, double *rates, double *kept, uint32_t *seen)
{
    const real q = (real)rng_range(r, -3, 3), rate = (real)rng_range(r, -2, 2);
    for (int source = 0; source < 4; source++) {
        if (!acts(source) || (source == MOTOR && d_abs((double)(q - a.position)) > 3)) { continue; }
        const effort_law at = law(source, q, R(0.0));
        const double e = at.hard ? TOL(1e-6, 1e-4) : TOL(1e-6, 1e-2);
        const effort_law below = law(source, q, (real)-e), above = law(source, q, (real)e);
        if (above.follow != at.follow || below.follow != at.follow || above.damping != below.damping) { continue; }
        if (above.least != below.least || (at.follow > R(0.0) && above.goal != below.goal)) { continue; }
        seen[at.hard]++;
        if (at.hard) {
            const double scale = 1 + d_abs((double)at.follow);
            d_worst(kept, (slope((double)above.rate, (double)below.rate, e) + (double)at.follow) / scale);
            continue;
        }
        d_worst(along, (slope((double)above.force, (double)below.force, e) + (double)at.stiffness) /
                           (1 + d_abs((double)at.stiffness)));
        const real more = effort_value(&at, rate + (real)e, R(0.0)), less = effort_value(&at, rate - (real)e, R(0.0));
        if (!(more > at.least && more < at.most && less > at.least && less < at.most)) { continue; }
        d_worst(rates, (slope((double)more, (double)less, e) + (double)at.damping) / (1 + (double)at.damping));
    }
}

// ------------------------------------------------------------------------------------------------------------- h -> 0

// The impulse of an interval at an unchanged rate, over h; a hard one at its rate has any value between its bounds.
static double over_h(const tac_interval *x, int *any)
{
    const double scale = (double)k.scale / (double)m.h;
    *any = x->hard && x->bias == R(0.0);
    const real g = x->hard ? (x->bias > R(0.0) ? x->lo : x->hi) : real_clamp(x->centre, x->lo, x->hi);
    return g < REAL_LARGEST && g > -REAL_LARGEST ? (double)g * scale : (double)g;
}

static void limits(rng *r, double *off, uint32_t *seen)
{
    const real q = (real)rng_range(r, -3, 3), rate = (real)rng_range(r, -2, 2);
    effort_law e[4];
    for (int source = 0; source < 4; source++) { e[source] = law(source, q, R(0.0)); }
    const effort_impulse push = effort_over(&e[MOTOR], EFFORT_INSTANT, EFFORT_ENDLESS, rate, R(0.0));
    if (!e[MOTOR].hard) { effort_keep_speed(&j, EFFORT_INSTANT, EFFORT_ENDLESS, rate, push, &e[MOTOR]); }
    k = (tac_joint_block){0};
    k.scale = (real)rng_range(r, 0.2, 3);
    k.w[JOINT_LAST] = (real)rng_range(r, 0.2, 3);
    joint_intervals(&m, &j, &a, q, rate, &k);
    joint_passive(&j, &k, m.h, q, rate, R(0.0), R(0.0));
    for (int source = 0; source < 4; source++) {
        const tac_interval *x = &k.interval[source];
        int any;
        if (!x->used || (source == FRICTION && k.target)) { continue; }
        const double value = (double)effort_value(&e[source], rate, R(0.0)), step = over_h(x, &any);
        if (any) { continue; }
        seen[x->hard]++;
        d_worst(off, (step - value) / (1 + d_abs(value)));
    }
}

int main(void)
{
    rng r = {1710};
    double along = 0, rates = 0, kept = 0, off = 0;
    uint32_t slopes_seen[2] = {0, 0}, limits_seen[2] = {0, 0};
    tap_note("seed", 1710);
    for (int n = 0; n < CASES; n++) {
        random_joint(&r);
        m.h = (real)rng_range(&r, 1e-3, 1e-2);
        m.options.recovery = some(&r, 1);
        slopes(&r, &along, &rates, &kept, slopes_seen);
        m.h = (real)1e-7;
        limits(&r, &off, limits_seen);
    }
    for (int hard = 0; hard < 2; hard++) {
        tap_least(slopes_seen[hard], 200, hard ? "laws that keep a rate" : "laws that yield");
        tap_least(limits_seen[hard], 200, "  in steps, too");
    }
    tap_most(along, TOL(1e-7, 1e-2), "a force falls along q by its stiffness");
    tap_most(rates, TOL(1e-7, 1e-2), "and along the rate by its damping");
    tap_most(kept, TOL(1e-6, 2e-2), "a rate that is kept falls along q as the law follows it");
    tap_most(off, TOL(1e-5, 1e-3), "an impulse over h is the value of the law as h goes to 0");
    return tap_done();
}
