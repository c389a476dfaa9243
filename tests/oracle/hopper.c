// SPDX-License-Identifier: MIT
// hopper.c - the plan of the hopper by Ipopt: efforts as its variables, the cost by roll-outs, slopes by their
// differences.
//   given   Ipopt (Debian's coinor-libipopt-dev); the hopper of targets/scenes; a number of iterations
//   makes   the costs that Ipopt reaches from standing, and from the plan of iterative LQR; that of iterative LQR
//   bound   iterations times 2 * 120 roll-outs
//   never   takes a derivative of the kernel
#include <stdio.h>
#include <stdlib.h>
#include <coin/IpStdCInterface.h>
#include "hopper.h"

enum { NUMBERS = HOP_N * HOP_U };

static tac_model m;
static tac_state s;
static tac_work w;
static hopper p;
static tac_prediction roll;
static double best;

static double cost(const double *u)
{
    for (int i = 0; i < NUMBERS; i++) { p.value[i] = (tac_real)u[i]; }
    roll = (tac_prediction){.model = &m, .plan = &p.plan, .cost = &p.cost, .most = (tac_real)1e30, .steps = HOP_N};
    tac_rollout(&roll, &s, &w, NULL);
    if (roll.total < best) { best = roll.total; }
    return roll.total;
}

static Bool value_of(Index n, Number *x, Bool anew, Number *result, UserDataPtr user)
{
    (void)n, (void)anew, (void)user;
    *result = cost(x);
    return TRUE;
}

static Bool slope_of(Index n, Number *x, Bool anew, Number *result, UserDataPtr user)
{
    double u[NUMBERS];
    (void)anew, (void)user;
    for (Index i = 0; i < n; i++) { u[i] = x[i]; }
    for (Index i = 0; i < n; i++) {
        const double e = 1e-4;
        u[i] = x[i] + e;
        const double up = cost(u);
        u[i] = x[i] - e;
        result[i] = (up - cost(u)) / (2 * e);
        u[i] = x[i];
    }
    return TRUE;
}

static Bool no_rows(Index n, Number *x, Bool anew, Index rows, Number *g, UserDataPtr user)
{
    (void)n, (void)x, (void)anew, (void)rows, (void)g, (void)user;
    return TRUE;
}

static Bool no_jacobian(Index n, Number *x, Bool anew, Index rows, Index count, Index *row, Index *column,
                        Number *value, UserDataPtr user)
{
    (void)n, (void)x, (void)anew, (void)rows, (void)count, (void)row, (void)column, (void)value, (void)user;
    return TRUE;
}

static Bool no_hessian(Index n, Number *x, Bool anew, Number factor, Index rows, Number *lambda, Bool anew_lambda,
                       Index count, Index *row, Index *column, Number *value, UserDataPtr user)
{
    (void)n, (void)x, (void)anew, (void)factor, (void)rows, (void)lambda, (void)anew_lambda;
    (void)count, (void)row, (void)column, (void)value, (void)user;
    return FALSE;
}

static double ipopt(const double *start, int iterations)
{
    double low[NUMBERS], high[NUMBERS], u[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        low[i] = hop_channel[i % HOP_U].low, high[i] = hop_channel[i % HOP_U].high;
        u[i] = start[i];
    }
    IpoptProblem problem = CreateIpoptProblem(NUMBERS, low, high, 0, NULL, NULL, 0, 0, 0, value_of, no_rows, slope_of,
                                              no_jacobian, no_hessian);
    AddIpoptStrOption(problem, "hessian_approximation", "limited-memory");
    AddIpoptIntOption(problem, "limited_memory_max_history", 30);
    AddIpoptIntOption(problem, "max_iter", iterations);
    AddIpoptIntOption(problem, "print_level", 0);
    AddIpoptStrOption(problem, "mu_strategy", "adaptive");
    best = 1e300;
    IpoptSolve(problem, u, NULL, NULL, NULL, NULL, NULL, NULL);
    FreeIpoptProblem(problem);
    return best;
}

int main(int count, char **argument)
{
    const int iterations = count > 1 ? atoi(argument[1]) : 300;
    double start[NUMBERS], plan[NUMBERS];
    if (hop_plant(&m) || tac_state_init(&m, &s, NULL)) { return 1; }
    hop_controller(&p, &m, 0);
    for (int i = 0; i < NUMBERS; i++) { start[i] = p.value[i]; }
    if (tac_ilqr_begin(&p.ilqr, &s, &w, NULL) || tac_ilqr_run(&p.ilqr, &w, UINT32_MAX)) { return 1; }
    const double own = (double)p.ilqr.least;
    for (int i = 0; i < NUMBERS; i++) { plan[i] = p.value[i]; }
    printf("iterative LQR: from %.4f to %.4f\n", (double)p.ilqr.nominal, own);
    fflush(stdout);
    printf("Ipopt from its plan: %.4f\n", ipopt(plan, iterations));
    fflush(stdout);
    printf("Ipopt from standing: %.4f\n", ipopt(start, iterations));
    return 0;
}
