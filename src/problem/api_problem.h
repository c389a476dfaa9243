// SPDX-License-Identifier: MIT
// api_problem.h - the API: the cone program without a world (TAC_SOLVE).
//   given   arguments of the caller; the layout of its headers
//   makes   problem functions of tactus.h
//   bound   as tactus.h states
//   never   reads a model
#ifndef PROBLEM_API_PROBLEM_H
#define PROBLEM_API_PROBLEM_H

#include "problem.h"
#include "../api/model.h"

#if TAC_SOLVE

tac_status tac_problem_init_for(const tac_layout *caller, tac_problem *problem)
{
    tac_fault fault;
    if (problem == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    problem->blocks = problem->rows = problem->entries = problem->values = status ? UINT32_MAX : 0; // full, or empty
    return status;
}

void tac_problem_block_init(tac_problem_block *block, uint8_t set, uint8_t rows)
{
    if (block == NULL) { return; }
    bytes_clear(block, sizeof *block);
    for (int i = 0; i + 1 < TAC_BLOCK_ROWS; i++) { block->e[i] = R(1.0); }
    block->set = set;
    block->rows = rows;
}

int32_t tac_problem_add_block(tac_problem *problem, const tac_problem_block *block)
{
    return problem != NULL && block != NULL ? problem_add_block(problem, block) : TAC_E_ARG;
}

int32_t tac_problem_add_entry(tac_problem *problem, uint32_t i, uint32_t j, const tac_real *value)
{
    return problem != NULL && value != NULL ? problem_add_entry(problem, i, j, value) : TAC_E_ARG;
}

void tac_solve_options_init(tac_solve_options *options)
{
    if (options != NULL) { problem_options(options); }
}

tac_status tac_solve_for(const tac_layout *caller, const tac_problem *problem, const tac_solve_options *options,
                         tac_solve_work *work)
{
    tac_fault fault;
    if (problem == NULL || work == NULL) { return TAC_E_ARG; }
    if (api_layout(caller, &fault)) { return TAC_E_CONFIG; }
    if (options != NULL) { return problem_solve(problem, options, work); }
    tac_solve_options defaults;
    problem_options(&defaults);
    return problem_solve(problem, &defaults, work);
}

#endif

#endif
