// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// The coordinate of a joint on which springs, motors, friction and limits act at once: the rate v and the impulses
// found satisfy  y + c (v - u) = F(v)  with F the sum of all laws, each of which is a decreasing function with a jump
// at most.
#include "engine/coordinate.h"
#include "tap.h"
#include "truth.h"

enum { CASES = RUN(20000, 500) };

static tac_joint_block k;

static void random_law(rng *r, tac_interval *x)
{
    *x = (tac_interval){0};
    x->used = rng_below(r, 4) > 0;
    x->hard = rng_below(r, 2) > 0;
    x->inside = rng_below(r, 8) == 0;
    x->lo = (tac_real)(rng_below(r, 3) ? rng_range(r, -2, 0) : 0);
    x->hi = (tac_real)rng_range(r, 0, 2);
    x->bias = (tac_real)rng_range(r, -1, 1);
    x->weight = (tac_real)(rng_below(r, 4) ? rng_range(r, 0.1, 5) : 0);
    x->centre = (tac_real)rng_range(r, -1, 1);
    if (x->hard) { return; }
    x->bias = rng_below(r, 2) ? x->bias : 0;
}

// Least and largest value of a law at a rate that is known up to `near`.
static void law_at(const tac_interval *x, double v, double near, double *least, double *most)
{
    const double lo = (double)x->lo, hi = (double)x->hi, u = v + (double)x->bias;
    if (x->hard) {
        *least = u < -near ? hi : lo;
        *most = u > near ? lo : hi;
        return;
    }
    const double g = d_max(lo, d_min(hi, (double)x->centre - (double)x->weight * u)), off = near * (double)x->weight;
    *least = g - off;
    *most = g + off;
}

int main(void)
{
    rng r = {2609};
    const double near = TOL(1e-12, 2e-5);
    double worst = 0, outside = 0, sums = 0;
    tap_note("seed", 2609);
    for (int n = 0; n < CASES; n++) {
        double least = -near, most = near, sum = 0;
        for (int b = 0; b < TAC_EFFORTS; b++) { random_law(&r, &k.interval[b]); }
        const double y = rng_range(&r, -2, 2), u = rng_range(&r, -1, 1), c = rng_range(&r, 0.2, 3);
        const coordinate_point at = coordinate_solve(&k, (real)y, (real)u, (real)c);
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = &k.interval[b];
            double low, high;
            if (!x->used || x->inside) { continue; }
            law_at(x, (double)at.rate, near, &low, &high);
            least += low;
            most += high;
            sum += (double)at.share[b];
            d_worst(&outside, d_max(0, d_max(low - (double)at.share[b], (double)at.share[b] - high)));
        }
        const double asked = y + c * ((double)at.rate - u);
        d_worst(&worst, d_max(0, d_max(least - asked, asked - most)));
        d_worst(&sums, (double)at.sum - sum);
    }
    tap_most(worst, 10 * near, "the sum of all impulses is what the coordinate asks for at its rate");
    tap_most(outside, 10 * near, "and each of them is that of its law");
    tap_most(sums, 10 * near, "the sum shown is theirs");
    return tap_done();
}
