// SPDX-License-Identifier: MIT
// hopper.c - the plan of the hopper by Ipopt: efforts as its variables, the cost by roll-outs, slopes by their
// differences.
//   given   Ipopt (Debian's coinor-libipopt-dev); the hopper of targets/scenes; how many iterations, how many starts
//   makes   the costs that both methods reach from each start, the best of each; what Ipopt makes of the best plan
//   bound   iterations times 2 * 120 roll-outs a start
//   never   takes a derivative of the kernel
#include <stdio.h>
#include <stdlib.h>
#include <coin/IpStdCInterface.h>
#include "hopper.h"

enum { NUMBERS = HOP_N * HOP_U, STARTS = 16 };

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

// Both methods from the same plans: those that hold the pose but push a fifth more for 0 to 15 steps, as many of these
// as are asked for, evenly spaced.
int main(int count, char **argument)
{
    const int iterations = count > 1 ? atoi(argument[1]) : 300, starts = count > 2 ? atoi(argument[2]) : STARTS;
    double start[NUMBERS], plan[NUMBERS], own = 1e300, other = 1e300;
    if (hop_plant(&m) || tac_state_init(&m, &s, NULL)) { return 1; }
    for (int k = 0; k < starts; k++) {
        const int pushed = k * STARTS / starts;
        hop_controller(&p, &m, pushed);
        for (int i = 0; i < NUMBERS; i++) { start[i] = p.value[i]; }
        if (tac_ilqr_begin(&p.ilqr, &s, &w, NULL) || tac_ilqr_run(&p.ilqr, &w, UINT32_MAX)) { return 1; }
        const double least = (double)p.ilqr.least;
        for (int i = 0; i < NUMBERS && least < own; i++) { plan[i] = p.value[i]; }
        own = least < own ? least : own;
        const double found = ipopt(start, iterations);
        other = found < other ? found : other;
        printf("pushed %d: iterative LQR %.4f, Ipopt %.4f\n", pushed, least, found);
        fflush(stdout);
    }
    printf("iterative LQR, the best: %.4f\n", own);
    printf("Ipopt, the best: %.4f\n", other);
    printf("Ipopt from that of iterative LQR: %.4f\n", ipopt(plan, iterations));
    return 0;
}
