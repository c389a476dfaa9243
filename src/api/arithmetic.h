// SPDX-License-Identifier: MIT
// arithmetic.h - the API: the self-test of the properties of the arithmetic that equal bits depend on.
//   given   nothing
//   makes   tac_self_test() and the names of these properties
//   bound   constant
//   never   changes a mode of the machine
#ifndef API_ARITHMETIC_H
#define API_ARITHMETIC_H

#include "../query/names.h"
#include "../query/arithmetic.h"

uint32_t tac_self_test(void)
{
    return arithmetic_broken();
}

const char *tac_promise_name(uint32_t promise)
{
    return names_word(ARITHMETIC_PROMISE, promise, TAC_PROMISES);
}

#endif
