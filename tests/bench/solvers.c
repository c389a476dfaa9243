// SPDX-License-Identifier: MIT
// solvers.c - one contact problem, solved to resS 1e-4 with the relaxed law by one method after the other: instructions
// by tests/bench/count between markers, on the host by callgrind as those of the functions measure_*.
//
// PROBLEM_HEADER names a header with capacities, the kernel and `static const tac_problem problem`: tests/bench/solvers
// makes it. A method that does not get there spends its whole budget.
#include PROBLEM_HEADER

#include "markers.h"
#include "tap.h"

enum { BUDGET = 10000 };

static tac_solve_work w;

static void solve(uint8_t method, const char *name)
{
    tac_solve_options o;
    tac_solve_options_init(&o);
    o.method = method;
    o.friction = TAC_FRICTION_RELAXED;
    o.tolerance = (tac_real)1e-4;
    o.max_passes = BUDGET;
    const tac_status status = tac_solve(&problem, &o, &w);
    tap_note(tap_joined(name, status == TAC_OK ? "reached in passes" : "not reached in passes"), w.report.passes);
}

#define SOLVER(name, method)                                                                                           \
    MARK(name)                                                                                                         \
    void measure_##name(void);                                                                                         \
    __attribute__((noinline)) void measure_##name(void)                                                                \
    {                                                                                                                  \
        mark_##name##_begin();                                                                                         \
        solve(method, #name);                                                                                          \
        mark_##name##_end();                                                                                           \
    }

SOLVER(plain, TAC_METHOD_SOR)
SOLVER(accelerated, TAC_METHOD_ACCELERATED)
SOLVER(apgd, TAC_METHOD_APGD)
SOLVER(spectral, TAC_METHOD_SPECTRAL)
SOLVER(direct, TAC_METHOD_DIRECT)
SOLVER(auto, TAC_METHOD_AUTO)

int main(void)
{
    measure_plain();
    measure_accelerated();
    measure_apgd();
    measure_spectral();
    measure_direct();
    measure_auto();
    tap_ok(w.report.status == TAC_OK, "auto gets there");
    return tap_done();
}
