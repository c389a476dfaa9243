// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// The leap of Newton's method along what outer steps leave: where two in a row leave the same part of the residual, as
// far as all that follow would go, but not beyond the first contact that opens, so that contacts which bear one load in
// turn bear it after the leap too. Where the parts differ there is none.
#include "engine/direct.h"
#include "tap.h"
#include "truth.h"

enum { CASES = RUN(2000, 200), CONTACTS = 6 };

static tac_work w;

// Loads of contacts, and a change of each that moves load between them; an outer step that leaves the part `rate`.
static uint32_t random_loads(rng *r, double rate)
{
    const uint32_t contacts = 2 + rng_below(r, CONTACTS - 1);
    double sum = 0;
    w.program.contacts = (uint16_t)contacts;
    w.progress.outer = 1;
    w.progress.measure = (tac_real)rate;
    w.progress.rate = (tac_real)rate;
    for (uint32_t i = 0; i < contacts; i++) {
        tac_block *k = &w.scratch.solve.block[i];
        const double moved = i + 1 < contacts ? rng_range(r, -0.3, 0.3) : -sum;
        real *g = &w.scratch.solve.g[3 * i], *last = &w.scratch.solve.last[3 * i];
        sum += moved;
        k->rows = 3;
        k->first = (uint16_t)(3 * i);
        k->mu = R(0.5);
        v3_put(g, v3((tac_real)rng_range(r, 0.01, 2), R(0.0), R(0.0)));
        v3_put(last, v3(*g - (tac_real)moved, R(0.0), R(0.0)));
    }
    return contacts;
}

static double load(uint32_t contacts, double *least)
{
    double sum = 0;
    *least = 1e9;
    for (uint32_t i = 0; i < contacts; i++) {
        const double n = (double)w.scratch.solve.g[3 * i];
        sum += n;
        *least = d_min(*least, n);
    }
    return sum;
}

int main(void)
{
    rng r = {5021};
    double lost = 0, open = 0, far = 0;
    int stopped = 0, none = 0;
    tap_note("seed", 5021);
    for (int i = 0; i < CASES; i++) {
        double least;
        const double rate = rng_range(&r, 0.1, 0.95), whole = rate / (1 - rate);
        const uint32_t contacts = random_loads(&r, rate);
        const double before = load(contacts, &least), leap = (double)direct_leap(&w), after = load(contacts, &least);
        d_worst(&lost, d_abs(after - before) / before);
        const int stops = leap < whole * (1 - TOL(1e-12, 1e-5));
        stopped += stops;
        if (stops) { d_worst(&open, least); }
        d_worst(&far, leap / whole);

        (void)random_loads(&r, rate);
        w.progress.rate = (tac_real)(0.5 * rate);
        none += direct_leap(&w) == R(0.0);
    }
    tap_most(lost, TOL(1e-14, 5e-6), "a leap keeps the load that contacts share");
    tap_most(open, TOL(1e-14, 5e-6), "one that stops early has opened a contact");
    tap_most(far, 1 + TOL(1e-12, 1e-5), "none goes beyond where outer steps lead");
    tap_equal(none, CASES, "none where two steps leave different parts");
    tap_least(stopped, CASES / 10, "contacts open");
    tap_least(CASES - stopped, CASES / 10, "and do not");
    return tap_done();
}
