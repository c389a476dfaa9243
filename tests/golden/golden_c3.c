// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The bits of a linear complementarity system that consensus complementarity control leads: the cartpole between soft
// walls, 40 plans, each from nothing or warm, and steps of the system; the hash is that of all plans and states.
#include "cartpole.h"
#include "tap.h"

static cartpole p;
static tac_lcp lcp;
static uint64_t hash;

// FNV-1a, byte by byte from the lowest: the same on machines of either byte order.
static void add_real(tac_real x)
{
    union {
        tac_real real;
#if TAC_REAL_BITS == 32
        uint32_t bits;
#else
        uint64_t bits;
#endif
    } of;
    of.real = x;
    for (unsigned i = 0; i < sizeof x; i++) { hash = (hash ^ (of.bits >> 8 * i & 0xff)) * UINT64_C(0x100000001b3); }
}

static uint64_t led(uint32_t shift)
{
    tac_real x[CART_X] = {CART(0.1), CART(-0.5), CART(0.5), CART(-0.4)}, l[CART_L] = {0, 0};
    hash = UINT64_C(0xcbf29ce484222325);
    cart_controller(&p);
    p.c3.growth = shift < CART_N ? CART(1.25) : 2;
    tac_lcp_init(&lcp);
    for (uint32_t k = 0; k < 40; k++) {
        if (tac_c3_begin(&p.c3, x, shift) || tac_c3_run(&p.c3, UINT32_MAX)) { return 0; }
        for (uint32_t i = 0; i < CART_N * (1 + CART_L + CART_X); i++) { add_real(p.c3.plan[i]); }
        if (tac_lcs_advance(&p.system, 1, p.c3.plan, x, l, &lcp)) { return 0; }
        for (uint32_t i = 0; i < CART_X; i++) { add_real(x[i]); }
        add_real(l[0]), add_real(l[1]);
    }
    return hash;
}

typedef struct golden {
    const char *name;
    uint64_t single, twice;
} golden;

#ifdef GOLDEN_PRINT
#include <stdio.h>
int main(void)
{
    printf("- cartpole 0x%016llx\n- cartpole_warm 0x%016llx\n", (unsigned long long)led(CART_N),
           (unsigned long long)led(1));
    return 0;
}
#else
static const golden table[] = {
#include "golden_c3.h"
};

int main(void)
{
    for (unsigned i = 0; i < 2; i++) {
        tap_hash(led(i == 0 ? CART_N : 1), TAC_REAL_BITS == 32 ? table[i].single : table[i].twice, table[i].name);
    }
    return tap_done();
}
#endif
