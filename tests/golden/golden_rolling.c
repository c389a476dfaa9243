// SPDX-License-Identifier: MIT
// The same where materials may resist spinning and rolling: one scene more, all others keep their bits.
#define TAC_ROLLING 1
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "scenes.c"

#include "golden.c"
