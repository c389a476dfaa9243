// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// A planar hopper jumps half a metre by iterative LQR, from two plans to start from that only stand: the cheaper of the
// plans it finds is within 5 % of what Ipopt makes of its efforts (tests/oracle/hopper.t). Nobody tells it when the
// foot is to leave the ground: rolled out, the plan stands, flies and stands.
#include "tap.h"
#include "hopper.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static hopper p;
static tac_real best[HOP_N * HOP_U];

// The least of Ipopt: from standing it is 1.8353, from the plan of iterative LQR 1.5328.
static const double ipopt = 1.5328;

static double planned(void)
{
    double least = 1e30;
    for (int pushed = 0; pushed <= 1; pushed++) {
        hop_controller(&p, &m, pushed);
        tap_equal(tac_ilqr_begin(&p.ilqr, &s, &w, NULL), TAC_OK, "begins");
        tap_equal(tac_ilqr_run(&p.ilqr, &w, UINT32_MAX), TAC_OK, "ends");
        tap_note("cost of the plan", p.ilqr.least);
        if ((double)p.ilqr.least < least) {
            least = (double)p.ilqr.least;
            truth_copy(best, p.value, sizeof best);
        }
    }
    return least;
}

int main(void)
{
    uint32_t stands = 0, flies = 0, lands = 0;
    double high = 0;
    tap_equal(hop_plant(&m), TAC_OK, "a hopper");
    tap_equal(tac_state_init(&m, &s, NULL), TAC_OK, "stands");
    tap_most(planned(), 1.05 * ipopt, "cost of the cheapest plan, against 5 % above that of Ipopt");
    truth_copy(p.value, best, sizeof best);
    for (uint32_t k = 0; k < HOP_N; k++) {
        tac_plan_evaluate(&p.plan, (tac_real)k * m.h, 0, &input);
        tap_ok(tac_step(&m, &s, &input, &w) >= 0, "a step of it");
        const int bears = w.report.contacts > 0 && w.contact[0].impulse.x > 0;
        if (!bears) { flies++; }
        if (bears && flies < 15) { stands = k, flies = 0; }
        if (bears && flies >= 15) { lands++; }
        high = d_max(high, (double)s.pose[1].p.z);
    }
    tap_note("it leaves the ground after step", stands);
    tap_note("steps in the air", flies);
    tap_note("steps on the ground again", lands);
    tap_least(flies, 25, "it flies for a quarter of a second");
    tap_least(lands, 5, "and stands again");
    tap_least(high, 0.44 + 0.15, "the trunk rises by 0.15 m");
    tap_most(d_abs((double)s.pose[1].p.x - 0.5), 0.03, "and is half a metre farther");
    tap_most(d_abs((double)s.pose[1].p.z - 0.44), 0.03, "as high as before");
    return tap_done();
}
