// SPDX-License-Identifier: MIT
// asked.h - a question about a world, put to a firmware too.
#ifndef HOST_ASKED_H
#define HOST_ASKED_H

#include "link/question.h"
#include "world.h"

/// Options of the commands that ask, for their help.
#define ASKED_HELP                                                                                                     \
    "  --link E       ask a firmware too, and compare the answers to the bit: unix:PATH, tcp:HOST:PORT or\n"           \
    "                 exec:PROGRAM ARGUMENTS\n"

/// Give the firmware at the endpoint the world, and ask on both sides; what came of it goes to stderr. NULL: no
/// firmware, nothing is asked. Returns an exit code: EXIT_GOOD if the answers are the same.
int asked_firmware(const char *name, const world *w, link_question question);

#endif
