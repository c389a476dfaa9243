// SPDX-License-Identifier: MIT
// realtime.h - steps of a firmware that keep up with the wall clock, under commands that arrive meanwhile.
#ifndef HOST_REALTIME_H
#define HOST_REALTIME_H

#include "joints.h"
#include "link/client.h"

#include <signal.h>

/// What is asked.
typedef struct realtime {
    const char *commands; ///< file, FIFO or "-": motors as they are told; NULL: none
    const char *record;   ///< file: what was told, by the time of the step that it acted on first; NULL: none
    uint32_t every;       ///< steps of a period, of one request
} realtime;

/// Take steps, `every` in each period of so many h, and print how late they began and were answered. A period that
/// begins late is not left out: the next ones follow at once until the clock is caught up with.
///   names     of the joints, or NULL
///   stop      not 0: end after the period
/// Returns LINK_DONE, what went wrong, or -100 after a complaint.
int realtime_steps(const realtime *asked, link_client *client, const tac_model *model, const joint_names *names,
                   uint32_t steps, const volatile sig_atomic_t *stop);

enum { REALTIME_COMPLAINED = -100 };

#endif
