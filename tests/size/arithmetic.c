// SPDX-License-Identifier: MIT
// arithmetic.c - prints which promise of the arithmetic is broken, as this file was compiled.
//   given   options that may relax arithmetic
//   makes   a line, and one with the bits that the self-test knows; exit code 0
//   bound   milliseconds
//   never   needs the whole kernel: the parts below the self-test are compiled with it, with the same options
#include "query/arithmetic.h"
#include "query/names.h"
#include <stdio.h>

int main(void)
{
    printf("%s\n", names_word(ARITHMETIC_PROMISE, arithmetic_broken(), TAC_PROMISES));
    printf("bits of the motion: 0x%llx\n", (unsigned long long)arithmetic_motion());
    return 0;
}
