// SPDX-License-Identifier: MIT
// executive.c - the cyclic executive.
//   given   port.h and the kernel's sliced step
//   makes   one step a period, cut to its budget, and statistics of times, cuts and overruns
//   bound   a cycle: what read and write take, a step of at most max_sweeps, constant work besides
//   never   allocates; lets two cycles overlap; loses the phase of the first release
#include "executive.h"
#include "tactus/port.h"

// Longest period, and the most that a release may lie in the past for catching up. Ticks wrap at 2^32 and are compared
// by signed differences, so a release much further in the past would be taken for one in the future.
#define LONGEST (UINT32_C(1) << 30)

tac_status executive_start(executive *e)
{
    if (!e->model || !e->state || !e->work) return TAC_E_ARG;
    if (e->period < 1 || e->period > LONGEST || e->late > EXECUTIVE_SKIP) return TAC_E_ARG;

    e->cycles = e->refused = e->cut = e->overruns = e->skipped = 0;
    e->last = e->max = e->worst_start = 0;
    e->min = UINT32_MAX;
    e->total = 0;
    e->input = (tac_input){0}; // actions, and motors where there are any
    e->release = port_ticks();
    return TAC_OK;
}

// The time since `from` is one more run of this part.
static void measure(executive *e, int part, uint32_t from)
{
    const uint32_t ticks = port_ticks() - from;
    if (ticks > e->longest[part]) e->longest[part] = ticks;
}

#if TAC_MAX_JOINTS > 0
static int has_joints(const tac_model *m)
{
    return m->joints > 0;
}
#else
static int has_joints(const tac_model *m)
{
    (void)m;
    return 0;
}
#endif

// The next sweep as a part.
static int next_sweep(const tac_report *r)
{
    return r->stage[r->stages - 1].engine == TAC_SOLVER_DIRECT ? EXECUTIVE_NEWTON : EXECUTIVE_SWEEP;
}

// Would this sweep and the end of the step fit into the budget, if both took their longest?
static int fits(const executive *e, int sweep, uint32_t spent)
{
    return (uint64_t)spent + e->longest[sweep] + e->longest[EXECUTIVE_END] < e->budget;
}

// Sweep until the tolerance is met, max_sweeps are spent, or one more might not fit.
static void sweep_within_budget(executive *e, uint32_t begun)
{
    for (uint32_t sweeps = 0; sweeps < e->model->options.max_sweeps; sweeps++) {
        const int due = sweeps == 0 && has_joints(e->model);
        const int sweep = next_sweep(&e->work->report);
        const uint32_t from = port_ticks();
        if (!due && !fits(e, sweep, from - begun)) {
            e->cut++;
            return;
        }
        const tac_status status = tac_step_sweep(e->model, e->work, 1);
        if (!due) measure(e, sweep, from);
        if (status != TAC_UNCONVERGED) return;
    }
}

static tac_status step_within_budget(executive *e)
{
    const uint32_t begun = port_ticks();
    tac_status status = tac_step_begin(e->model, e->state, e->read ? &e->input : NULL, e->work);

    if (status >= TAC_OK) {
        sweep_within_budget(e, begun);
        const uint32_t from = port_ticks();
        status = tac_step_end(e->model, e->state, e->work);
        measure(e, EXECUTIVE_END, from);
    }
    e->last = port_ticks() - begun;
    return status;
}

static void record_step(executive *e, tac_status status)
{
    if (status < TAC_OK) e->refused++;
    if (e->last < e->min) e->min = e->last;
    if (e->last > e->max) e->max = e->last;
    e->total += e->last;
    e->cycles++;
}

// Move the release to the first point of its grid that has not passed.
static void skip_missed(executive *e, uint32_t late)
{
    const uint32_t missed = (late + e->period - 1) / e->period;
    e->release += missed * e->period;
    e->skipped += missed;
}

tac_status executive_cycle(executive *e)
{
    port_wait_until(e->release);
    const uint32_t start = port_ticks() - e->release;
    if (start > e->worst_start) e->worst_start = start;

    if (e->read) e->read(e->user, &e->input);
    const tac_status status = step_within_budget(e);
    record_step(e, status);
    e->release += e->period;
    if (e->write) e->write(e->user, e);

    const int32_t late = (int32_t)(port_ticks() - e->release);
    if (late > 0) {
        e->overruns++;
        if (e->late == EXECUTIVE_SKIP || (uint32_t)late > LONGEST) skip_missed(e, (uint32_t)late);
    }
    return status;
}

uint32_t executive_mean(const executive *e)
{
    return e->cycles ? (uint32_t)(e->total / e->cycles) : 0;
}
