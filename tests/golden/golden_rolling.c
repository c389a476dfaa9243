// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same where materials may resist spinning and rolling: three scenes more, all others keep their bits.
#include "golden.c"
