// SPDX-License-Identifier: MIT
// plan.c - instructions of a plan by sampling, of its longest slice and of one step of a roll-out: a quadruped that is
// pushed, ten samples of 35 steps of 10 ms, and eight of 20 steps. Printed too: its memory, what the plans cost, what a
// step of the plant costs.
#define TAC_MAX_BODIES 14
#define TAC_MAX_SHAPES 8
#define TAC_MAX_CONTACTS 8
#define TAC_MAX_JOINTS 12
#define TAC_PREDICT 1
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#include "markers.h"
#include "pushed.h"
#include "tap.h"
#include "tactus/port.h"

MARK(long)
MARK(long_slice)
MARK(short)
MARK(short_slice)
MARK(long_kept)
MARK(long_kept_slice)
MARK(short_kept)
MARK(short_kept_slice)
MARK(plant)

enum { SLICE = 8, PLANS = 12, KEPT = 5 }; // steps of a slice; steps that share a refresh

typedef void marker(void);

static pushed p;
static tac_work w, ahead;

static uint32_t plan_once(uint64_t seed, uint16_t samples, uint32_t steps, marker *begin, marker *end, marker *slice,
                          marker *sliced)
{
    begin();
    tac_status status = pushed_ask(&p, seed, samples, steps, TAC_SAMPLING_BEST);
    for (uint32_t k = 0; k < samples * steps && (status == TAC_UNCONVERGED || k == 0); k++) {
        slice();
        status = tac_sampling_advance(&p.sampling, &ahead, SLICE);
        sliced();
    }
    tap_ok(status == TAC_OK && tac_sampling_end(&p.sampling) == TAC_OK, "a plan");
    end();
    return p.sampling.taken;
}

static void run(uint16_t samples, uint32_t steps, marker *begin, marker *end, marker *slice, marker *sliced)
{
    double sum = 0;
    uint32_t taken = 0;
    for (unsigned direction = 0; direction < 2; direction++) {
        int good = pushed_push(&p, direction, &w);
        for (uint32_t plan = 0; plan < PLANS && good; plan++) {
            if (plan > 0) { tac_plan_shift(&p.plan, (tac_real)0.001 * PUSHED_EVERY); }
            taken += plan_once(plan, samples, steps, begin, end, slice, sliced);
            for (uint32_t k = 0; k < PUSHED_EVERY && good; k++) {
                tac_plan_evaluate(&p.plan, (tac_real)0.001 * (tac_real)k, 0, &p.input);
                mark_plant_begin();
                good = tac_step(&p.plant, &p.state, &p.input, &w) >= 0;
                mark_plant_end();
                sum += pushed_judge(&p);
            }
        }
        tap_ok(good, "every step is taken");
    }
    tap_note("samples", samples);
    tap_note("steps of a plan, mean", (double)taken / (2 * PLANS));
    tap_note("cost of two runs", sum);
}

int main(void)
{
    port_init();
    tap_ok(pushed_begin(&p), "a quadruped");
    run(10, 35, mark_long_begin, mark_long_end, mark_long_slice_begin, mark_long_slice_end);
    run(8, 20, mark_short_begin, mark_short_end, mark_short_slice_begin, mark_short_slice_end);
    p.every = KEPT;
    run(10, 35, mark_long_kept_begin, mark_long_kept_end, mark_long_kept_slice_begin, mark_long_kept_slice_end);
    run(8, 20, mark_short_kept_begin, mark_short_kept_end, mark_short_kept_slice_begin, mark_short_kept_slice_end);
    tap_note("bytes of tac_refresh", sizeof(tac_refresh));
    tap_note("bytes of tac_sampling", sizeof(tac_sampling));
    tap_note("bytes of the numbers of a plan, and scratch", sizeof p.value + sizeof p.room);
    tap_note("bytes of tac_state", sizeof(tac_state));
    tap_note("bytes of tac_work", sizeof(tac_work));
    return tap_done();
}
