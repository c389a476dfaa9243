// SPDX-License-Identifier: MIT
// executive.h - the cyclic executive: once a period it reads inputs, steps and writes results. It needs port.h only.
//
//     if (tac_self_test() != TAC_PROMISE_KEPT) port_panic("arithmetic"); // once, before the first step
//     executive e = {.model = &model, .state = &state, .work = &work, .period = port_tick_rate() / 1000, ...};
//     if (executive_start(&e) != TAC_OK) port_panic("executive: bad settings");
//     for (;;) executive_cycle(&e);
#ifndef EXECUTIVE_H
#define EXECUTIVE_H

#include "tactus/tactus.h"

/// What to do when a cycle has run into later periods.
enum {
    EXECUTIVE_CATCH_UP, ///< run missed periods back to back: simulated time stays with the clock
    EXECUTIVE_SKIP      ///< drop every period whose start has passed, and count it: simulated time falls behind
};

/// Parts of a step whose longest run decides whether one more sweep fits. With joints the first sweep of a step is none
/// of them, since tac_step_end() would make it if it were left out. Without joints EXECUTIVE_END includes the sweep that
/// tac_step_end() makes if the step is unsolved and no sweep over bodies has been made.
enum {
    EXECUTIVE_SWEEP,
    EXECUTIVE_NEWTON, ///< a sweep of TAC_SOLVER_DIRECT, also where the solver chooses that by itself
    EXECUTIVE_END,    ///< tac_step_end()
    EXECUTIVE_PARTS
};

typedef struct executive executive;
struct executive {
    // settings: filled in by the caller, constant from executive_start() on
    const tac_model *model; ///<         sealed
    tac_state *state;       ///<         of that model; written by the step alone
    tac_work *work;         ///<         its report records the sweeps spent, for a replay to the bit
    void (*read)(void *user, tac_input *input); ///< writes `input`, which still has last cycle's values; NULL: no input
    void (*write)(void *user, const executive *e); ///< uses state, report and times; NULL: not called
    void *user;                                    ///< passed to both
    uint32_t period;                               ///< ticks   1 .. 2^30; in real time: model->h port_tick_rate()
    uint32_t budget; ///< ticks   for a step, begin to end: no sweep of EXECUTIVE_PARTS starts unless it and the end
                     ///<         would fit if both took their longest; UINT32_MAX: no limit
    uint8_t late;    ///<         EXECUTIVE_CATCH_UP, EXECUTIVE_SKIP

    // what the budget is kept by: the longest run of each part, as the caller states it, or as measured if that is more
    uint32_t longest[EXECUTIVE_PARTS]; ///< ticks   0: nothing is known yet; executive_start() keeps them

    // statistics: written by the executive
    uint32_t release;     ///< ticks   when the next cycle is to start
    uint32_t cycles;      ///<         done since executive_start(); wraps
    uint32_t refused;     ///<         cycles whose step was refused: see work->report.fault
    uint32_t cut;         ///<         steps whose sweeps the budget cut short
    uint32_t overruns;    ///<         cycles that ended after the next one was to start
    uint32_t skipped;     ///<         periods dropped
    uint32_t last;        ///< ticks   of the last step, begin to end
    uint32_t min, max;    ///< ticks   shortest and longest step
    uint64_t total;       ///< ticks   of all steps: executive_mean()
    uint32_t worst_start; ///< ticks   latest start of a cycle after its release
    tac_input input;      ///<         what `read` fills
};

/// Clear statistics and input; the first cycle is released at once.
/// Returns TAC_OK, or TAC_E_ARG if a pointer is missing, the period out of range or the policy unknown.
tac_status executive_start(executive *e);

/// Wait for the next release, then read, step within the budget, write, and update the statistics.
/// Returns what the step returned. A step cut short returns TAC_UNCONVERGED among its flags.
tac_status executive_cycle(executive *e);

/// Mean ticks of a step so far; 0 before the first.
uint32_t executive_mean(const executive *e);

#endif
