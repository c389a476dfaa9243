// SPDX-License-Identifier: MIT
// string.h - what FreeRTOS includes by this name: the copying functions of port/bare. No C library is needed.
#include "bare/bare.h"
