// SPDX-License-Identifier: MIT
// c3.h - the system of tac_linearise() in the variables, units and order of c3 (DAIRLab/c3, lcs_factory): see
// README.md.
#ifndef HOST_C3_H
#define HOST_C3_H

#include "tactus/tactus.h"

typedef struct c3_system {
    unsigned q, v, u, l;
    const double *x; ///< q + v numbers: the state
    const double *A, *B, *D, *d, *E, *F, *H, *c;
} c3_system;

/// What tac_linearise() has found, with its contacts and the edges in lcp; arrays that the next call overwrites. `work`
/// is scratch.
c3_system c3_of(const tac_model *model, const tac_state *state, const tac_lcs *system, const tac_contact *contact,
                const tac_lcp *lcp, tac_work *work);

#endif
