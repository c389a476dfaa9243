// SPDX-License-Identifier: MIT
// rolling.h - resistance to spinning and rolling: accessors that are empty with TAC_ROLLING 0.
//   given   TAC_ROLLING; materials, pairs of them, contacts, warm-start impulses, blocks
//   makes   ROLLING_*: the field, or zero
//   bound   constant
//   never   stores anything where there is no field
#ifndef MODEL_ROLLING_H
#define MODEL_ROLLING_H

#include "../base/vec.h"

// Without TAC_ROLLING all lengths are constants 0, and compilers remove the branches that depend on them.
#if TAC_ROLLING
#define ROLLING_SPINNING(x) ((x)->spinning)
#define ROLLING_ROLLING(x) ((x)->rolling)
#define ROLLING_TORQUE(x) ((x)->torque)
#define ROLLING_SET(x, about, across) ((void)((x)->spinning = (about), (x)->rolling = (across)))
#define ROLLING_SET_TORQUE(x, value) ((void)((x)->torque = (value)))
#define ROLLING_BLOCK(k) (&(k)->torsion)
#else
#define ROLLING_SPINNING(x) ((void)(x), R(0.0))
#define ROLLING_ROLLING(x) ((void)(x), R(0.0))
#define ROLLING_TORQUE(x) ((void)(x), V3_ZERO)
#define ROLLING_SET(x, about, across) ((void)(x), (void)(about), (void)(across))
#define ROLLING_SET_TORQUE(x, value) ((void)(x), (void)(value))
#define ROLLING_BLOCK(k) ((void)(k), (tac_torsion *)NULL)
#endif

#endif
