// SPDX-License-Identifier: MIT
// override.h - what the command line says of a model besides what the model says itself.
#ifndef HOST_OVERRIDE_H
#define HOST_OVERRIDE_H

#include "tactus/tactus.h"

/// NAN, NULL and 0: as the model says.
typedef struct override {
    double h;                           ///< s
    double tolerance;                   ///< 1
    double mu;                          ///< 1, of all materials and pairs of them
    const char *solver, *law, *gravity; ///< names of TAC_SOLVER_* and TAC_FRICTION_*; "z" or "x,y,z" in m/s2
    uint32_t sweeps;
} override;

/// Are the names and numbers ones? Returns 0 after a complaint.
int override_read(const override *o);

/// Change the model by what override_read() has passed, and seal it again if anything was to be changed. Returns 0 after a complaint.
int override_apply(const override *o, const char *what, tac_model *model);

#endif
