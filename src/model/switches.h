// SPDX-License-Identifier: MIT
// switches.h - joints that may be taken out of force: what model and state have of it, nothing with TAC_SWITCHES 0.
//   given   TAC_SWITCHES; a joint of a model, a state
//   makes   may it be switched, is it in force, what breaks it?
//   bound   constant
//   never   switches anything: the API (api/switch.h) and the end of a step (step/breaks.h) do
#ifndef MODEL_SWITCHES_H
#define MODEL_SWITCHES_H

#include "../base/real.h"

// Without TAC_SWITCHES every joint is in force for good, and compilers remove the branches that ask.
#if TAC_SWITCHES
#define SWITCH_MAY(j) ((j)->switched != TAC_JOINT_ALWAYS)
#define SWITCH_BEGINS(j) ((j)->switched)
#define SWITCH_FORCE(j) ((j)->break_force)
#define SWITCH_TORQUE(j) ((j)->break_torque)
#define SWITCH_LASTS(j) ((void)((j)->break_force = (j)->break_torque = REAL_LARGEST))
#define SWITCH_OF(s) ((s)->switched)
#define SWITCH_BROKE(report) ((void)(report)->broken++)
#define SWITCH_BLOCK(k) ((k)->out)
#define SWITCH_SET(k, value) ((void)((k)->out = (uint16_t)(value)))
#else
#define SWITCH_MAY(j) ((void)(j), 0)
#define SWITCH_BEGINS(j) ((void)(j), TAC_JOINT_ALWAYS)
#define SWITCH_FORCE(j) ((void)(j), REAL_LARGEST)
#define SWITCH_TORQUE(j) ((void)(j), REAL_LARGEST)
#define SWITCH_LASTS(j) ((void)(j))
#define SWITCH_OF(s) ((void)(s), (tac_switch *)NULL)
#define SWITCH_BROKE(report) ((void)(report))
#define SWITCH_BLOCK(k) ((void)(k), 0)
#define SWITCH_SET(k, value) ((void)(k), (void)(value))
#endif

// Is joint i of a state out of force?
static inline int switch_out(const tac_state *s, uint32_t i)
{
    return TAC_SWITCHES && (SWITCH_OF(s)[i].is == TAC_JOINT_OFF || SWITCH_OF(s)[i].is == TAC_JOINT_BROKEN);
}

// Does it hold its bodies as they were when it was switched on?
static inline int switch_captured(const tac_state *s, uint32_t i)
{
    return TAC_SWITCHES && SWITCH_OF(s)[i].is == TAC_JOINT_CAPTURED;
}

#endif
