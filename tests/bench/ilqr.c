// SPDX-License-Identifier: MIT
// ilqr.c - instructions of plans by iterative LQR: a planar hopper, ITERATIONS backward passes from standing with their
// roll-outs; its steps forwards and backwards.
#define TAC_MAX_BODIES 4
#define TAC_MAX_SHAPES 2
#define TAC_MAX_CONTACTS 2
#define TAC_MAX_JOINTS 3
#define TAC_MAX_LCP 48
#define TAC_PREDICT 1
#include "tactus.c"

#undef R
#include "hopper.h"
#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

MARK(plan)
MARK(backward)
MARK(forward)

static tac_model m;
static tac_state s;
static tac_work w;
static hopper p;

int main(void)
{
    port_init();
    int good = hop_plant(&m) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK;
    hop_controller(&p, &m, 0);
    p.ilqr.iterations = ITERATIONS;
    mark_plan_begin();
    good &= tac_ilqr_begin(&p.ilqr, &s, &w, NULL) == TAC_OK && tac_ilqr_run(&p.ilqr, &w, UINT32_MAX) == TAC_OK;
    mark_plan_end();
    const tac_real least = p.ilqr.least;
    tap_note("bytes of the planner: states", sizeof p.trajectory);
    tap_note("numbers", sizeof p.memory);
    tap_note("tac_lcp", sizeof p.lcp);
    tap_note("tac_ilqr", sizeof p.ilqr);
    tap_note("work area", sizeof w);
    tap_note("steps", p.ilqr.taken);
    hop_controller(&p, &m, 0);
    p.ilqr.iterations = ITERATIONS;
    tac_status status = tac_ilqr_begin(&p.ilqr, &s, &w, NULL) == TAC_OK ? TAC_UNCONVERGED : TAC_E_ARG;
    while (status == TAC_UNCONVERGED) {
        if (p.ilqr.pass == 2) {
            mark_backward_begin();
            status = tac_ilqr_run(&p.ilqr, &w, 1);
            mark_backward_end();
        } else {
            mark_forward_begin();
            status = tac_ilqr_run(&p.ilqr, &w, 1);
            mark_forward_end();
        }
    }
    tap_ok(good && status == TAC_OK && p.ilqr.least == least, "a hopper: the plan is made, in slices the same");
    return tap_done();
}
