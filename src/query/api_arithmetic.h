// SPDX-License-Identifier: MIT
// api_arithmetic.h - the API: the self-test of the properties of the arithmetic that equal bits depend on.
//   given   nothing
//   makes   tac_self_test() and the names of these properties
//   bound   constant
//   never   changes a mode of the machine
#ifndef QUERY_API_ARITHMETIC_H
#define QUERY_API_ARITHMETIC_H

#include "names.h"
#include "arithmetic.h"

uint32_t tac_self_test(void)
{
    return arithmetic_broken();
}

const char *tac_promise_name(uint32_t promise)
{
    return names_word(ARITHMETIC_PROMISE, promise, TAC_PROMISES);
}

#endif
