// SPDX-License-Identifier: MIT
// loop.h - what loop.c does in a period, so that host.c can do the same.
#ifndef LOOP_H
#define LOOP_H

enum {
    LOOP_PERIODS = 1800, ///< of a push: 0.3 s before it and 1.5 s after it
    LOOP_STEPS = 9 ///< of roll-outs in a period; no number but a budget, so that host and board have the same bits
};

#endif
