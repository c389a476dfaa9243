// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The bits of a linear complementarity system that consensus complementarity control leads: the cartpole between soft
// walls, 40 plans, each from nothing or warm, and steps of the system; the hash is that of all plans and states.
#include "answers.h"
#include "tap.h"
#include "cartpole.h"

static cartpole p;
static tac_lcp lcp;
static const char *const named[] = {"cartpole", "cartpole_warm"};

static void answer(unsigned i)
{
    const uint32_t shift = i == 0 ? CART_N : 1;
    tac_real x[CART_X] = {CART(0.1), CART(-0.5), CART(0.5), CART(-0.4)}, l[CART_L] = {0, 0};
    cart_controller(&p);
    p.c3.growth = shift < CART_N ? CART(1.25) : 2;
    tac_lcp_init(&lcp);
    for (uint32_t k = 0; k < 40; k++) {
        if (tac_c3_begin(&p.c3, x, shift) || tac_c3_run(&p.c3, UINT32_MAX)) { return; }
        add_reals(p.c3.plan, CART_N * (1 + CART_L + CART_X));
        if (tac_lcs_advance(&p.system, 1, p.c3.plan, x, l, &lcp)) { return; }
        add_reals(x, CART_X);
        add_reals(l, 2);
    }
}

#define TABLE "golden_c3.h"
#include "table.h"
