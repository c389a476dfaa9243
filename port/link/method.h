// SPDX-License-Identifier: MIT
// method.h - a step by any method that the kernel has: host and firmware take the same one.
//   given   the kernel; which method, and the numbers that it asks for
//   makes   link_method_step(): one step
//   bound   that of the step
//   never   keeps anything of its own: a method's work area is the caller's
#ifndef TACTUS_LINK_METHOD_H
#define TACTUS_LINK_METHOD_H

#include "tactus/tactus.h"

/// Time steppers. The numbers are those of a STEP on the line.
enum {
    LINK_METHOD_CCP,        ///< tac_step()
    LINK_METHOD_LCP,        ///< tac_step_lcp(), by pivots
    LINK_METHOD_LCP_SWEEPS, ///< the same by sweeps
    LINK_METHOD_IMPLICIT,   ///< tac_step_implicit()
    LINK_METHOD_DAE,        ///< tac_step_dae(), TAC_DAE_EULER; its other methods follow in their order
    LINK_METHODS = LINK_METHOD_DAE + 8
};

typedef struct link_method {
    uint8_t kind;       ///< LINK_METHOD_*
    uint8_t directions; ///< of friction cones: LINK_METHOD_LCP and _LCP_SWEEPS; of others 0
    tac_real damping; ///< of tac_step_dae(): alpha of HHT, rho_inf of the generalised-alpha method, gamma of Newmark's
                      ///< with beta = (gamma + 1/2)^2/4; of others 0
} link_method;

/// Work areas of all methods but tac_step().
typedef struct link_solvers {
#if TAC_MAX_LCP > 0
    tac_lcp lcp;
#endif
#if TAC_MAX_NCP > 0
    tac_ncp ncp;
#endif
#if TAC_DAE
    tac_dae dae; ///< keeps accelerations from step to step
#endif
    link_method used; ///< the method of tac_step_dae() that has set it
} link_solvers;

/// Does this kernel have the method, and are its numbers in range?
int link_method_known(link_method method);

/// One step; the status of the kernel.
tac_status link_method_step(link_method method, link_solvers *solvers, const tac_model *model, tac_state *state,
                            const tac_input *input, tac_work *work);

#endif
