// SPDX-License-Identifier: MIT
// planner.h - a control task follows plans that a task of lower priority makes.
//   given   one control task, and one planner of lower priority on the same core, or both in one loop; any planner
//   whose
//           result is a tac_plan
//   makes   states down, plans up, neither ever torn; the age of the plan that is followed; a plan to rest when that is
//           too old
//   bound   control: a copy of a state and an evaluation of a plan; the planner: a copy of a plan's numbers
//   never   masks an interrupt, lets a task wait, or takes a plan for newer than the state it was made for
//
//     control, once a period: measure; planner_follow(p, &state, &input); command the motors
//     planner, without end:   state = planner_begin(p, &plan), or wait while it is NULL; plan; planner_hand(p, &plan)
//
// Of two slots for plans the planner writes the one that is not the newest. The control task interrupts the planner,
// but never the other way round, so the newest plan is whole and stays while the control task reads it.
#ifndef PLANNER_H
#define PLANNER_H

#include "handover.h"

typedef struct planner {
    // settings: filled in by the caller, constant from planner_start() on
    const tac_plan *rest; ///<         followed, at its time 0, until there is a plan and while that is too old
    tac_plan slot[2];     ///<         channels, spacing, knots and form of the planner's plans; value: two arrays
    tac_real period;      ///< s       of the control task, from one `step` of its states to the next
    uint32_t oldest;      ///< periods a plan is followed up to this age

    // written by the control task
    handover states;
    uint32_t age;  ///< periods since the state that the plan which is followed was made for; PLANNER_NONE: at rest
    uint32_t late; ///< periods at rest since planner_start(); wraps

    // written by the planner
    uint64_t made[2];         // step of the state that the plan of this slot is for
    volatile uint32_t newest; // the slot, or PLANNER_NONE before the first plan
    uint64_t begun;           // step of the state that planner_begin() has given last
} planner;

#define PLANNER_NONE UINT32_MAX

/// Before either task runs. `state` is what the first plan is for.
/// Returns TAC_OK; TAC_E_ARG if a pointer is missing, a plan out of its ranges, or the two slots differ in their shape.
tac_status planner_start(planner *p, const tac_state *state);

/// Of the control task, once a period: the state that has just been measured, whose `step` is the number of the period
/// (tac_step() counts it; where the robot is no model, the caller does), and the commands that hold now, as the motors
/// of `input`. A plan too old, or one that cannot be evaluated, gives way to `rest`.
/// Returns the age that it leaves in p->age.
uint32_t planner_follow(planner *p, const tac_state *state, tac_input *input);

/// Of the planner: the newest state, which stays until the next call, and the plan to start from: the newest one for
/// the time that remains of it, or `rest` where the control task is or will be at rest.
///   plan   numbers are written to plan->value; the rest of it is that of the slots
/// Returns NULL if there is no later state than that of the last call: nothing is to be done.
const tac_state *planner_begin(planner *p, tac_plan *plan);

/// Of the planner: hand over the plan that it has made for the state of the last planner_begin().
void planner_hand(planner *p, const tac_plan *plan);

#endif
