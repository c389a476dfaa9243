// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The bits of plans by iterative LQR: a planar hopper, three backward passes with their roll-outs, from two plans to
// start from; the hash is that of the efforts and of the costs.
#include "answers.h"
#include "tap.h"
#include "hopper.h"

static tac_model m;
static tac_state s;
static tac_work w;
static hopper p;

static const char *const named[] = {"hopper", "hopper_pushed"};

static void answer(unsigned i)
{
    if (hop_plant(&m) || tac_state_init(&m, &s, NULL)) { return; }
    hop_controller(&p, &m, i == 0 ? 0 : 10);
    p.ilqr.iterations = 3;
    if (tac_ilqr_begin(&p.ilqr, &s, &w, NULL) || tac_ilqr_run(&p.ilqr, &w, UINT32_MAX)) { return; }
    add_reals(p.value, HOP_N * HOP_U);
    add_real(p.ilqr.nominal), add_real(p.ilqr.least), add_real(p.ilqr.promise);
}

#define TABLE "golden_ilqr.h"
#include "table.h"
