// SPDX-License-Identifier: MIT
// message.h - messages on stderr. A function that "returns after a complaint" has printed an error message here.
#ifndef HOST_MESSAGE_H
#define HOST_MESSAGE_H

#include "link/client.h"

/// Exit codes.
enum { EXIT_GOOD, EXIT_BAD, EXIT_USAGE };

#if defined(__GNUC__)
#define MESSAGE_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define MESSAGE_FORMAT
#endif

/// "tactus: ..." and a new line.
MESSAGE_FORMAT void complain(const char *format, ...);

/// "tactus: what: result"; after a refusal also the reason, and status and fault of the kernel.
void complain_link(const char *what, const link_client *client, int result);

/// "tactus: what: status -2 (model): body[1].mass = -2 is not positive", with the values of the objects that are given.
void complain_kernel(const char *what, tac_status status, tac_fault fault, const tac_model *model,
                     const tac_state *state, const tac_input *input);

/// Show how far a long run is; prints nothing unless stderr is a terminal. done == total clears the line.
void progress(const char *what, uint64_t done, uint64_t total);

#endif
