// SPDX-License-Identifier: @licence@
// tactus/tactus.h - for sources that say #include "tactus/tactus.h", as those of the repository do.
#include "../tactus.h"
