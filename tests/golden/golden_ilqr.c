// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The bits of plans by iterative LQR: a planar hopper, three backward passes with their roll-outs, from two plans to
// start from; the hash is that of the efforts and of the costs.
#include "answers.h"
#include "hopper.h"
#include "tap.h"

static tac_model m;
static tac_state s;
static tac_work w;
static hopper p;

static uint64_t planned(int pushed)
{
    answers = ANSWERS_START;
    if (hop_plant(&m) || tac_state_init(&m, &s, NULL)) { return 0; }
    hop_controller(&p, &m, pushed);
    p.ilqr.iterations = 3;
    if (tac_ilqr_begin(&p.ilqr, &s, &w, NULL) || tac_ilqr_run(&p.ilqr, &w, UINT32_MAX)) { return 0; }
    add_reals(p.value, HOP_N * HOP_U);
    add_real(p.ilqr.nominal), add_real(p.ilqr.least), add_real(p.ilqr.promise);
    return answers;
}

typedef struct golden {
    const char *name;
    uint64_t single, twice;
} golden;

#ifdef GOLDEN_PRINT
#include <stdio.h>
int main(void)
{
    printf("- hopper 0x%016llx\n- hopper_pushed 0x%016llx\n", (unsigned long long)planned(0),
           (unsigned long long)planned(10));
    return 0;
}
#else
static const golden table[] = {
#include "golden_ilqr.h"
};

int main(void)
{
    for (unsigned i = 0; i < 2; i++) {
        tap_hash(planned(i == 0 ? 0 : 10), TAC_REAL_BITS == 32 ? table[i].single : table[i].twice, table[i].name);
    }
    return tap_done();
}
#endif
