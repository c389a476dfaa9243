// SPDX-License-Identifier: MIT
// table.h - the main program of golden answers that belong to no step of a scene: prints their table, or holds it.
//   given   TABLE, a header that tests/golden/regenerate writes; named[], its names in order; answer(i), sets `answers`
//   makes   with GOLDEN_PRINT a line for each name, else a test for each
//   bound   what answer() takes
//   never   tests an answer that the table does not have
#include "answers.h"
#include "tap.h"

#ifdef GOLDEN_PRINT
#include <stdio.h>
int main(void)
{
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        answers = ANSWERS_START;
        answer(i);
        printf("- %s 0x%016llx\n", named[i], (unsigned long long)answers);
    }
    return 0;
}
#else
static const struct {
    const char *name;
    uint64_t single, twice;
} table[] = {
#include TABLE
};

int main(void)
{
    tap_equal(sizeof table / sizeof *table, sizeof named / sizeof *named, "rows of the table");
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        answers = ANSWERS_START;
        answer(i);
        tap_hash(answers, TAC_REAL_BITS == 32 ? table[i].single : table[i].twice, named[i]);
    }
    return tap_done();
}
#endif
