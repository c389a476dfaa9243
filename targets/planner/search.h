// SPDX-License-Identifier: MIT
// search.h - the planner: predictive sampling in slices.
//   given   stand.h, started with a goal
//   makes   plans of 0.35 s, the cheapest of some candidates, handed over to the control task
//   bound   a slice: so many steps of roll-outs, and the numbers of one candidate for each that ends in it
//   never   allocates; writes what the control task reads, but by port/planner.h
#ifndef SEARCH_H
#define SEARCH_H

#include "stand.h"

extern uint32_t search_plans;     ///< handed over since search_start()
extern uint32_t search_steps;     ///< of roll-outs since then
extern const uint32_t search_ram; ///< B of all that search.c keeps, the work area included

void search_start(void);

/// At most so many steps more, of the plan that has begun or of a new one. Returns 0 if there is nothing to plan until
/// the next period, else 1.
int search(uint32_t steps);

#endif
