// SPDX-License-Identifier: MIT
// program.h - what a step is to solve, before it is solved: sizes, options, no progress.
//   given   model, the contacts that were found
//   makes   work.program, work.progress
//   bound   constant
//   never   knows a formulation
#ifndef STEP_PROGRAM_H
#define STEP_PROGRAM_H

#include "../base/bytes.h"
#include "../model/joint.h"
#include "../model/model.h"

// How many rows there will be, and what the user asks of their solution.
static void step_program(const tac_model *m, tac_work *w)
{
    const tac_options *o = &m->options;
    tac_program *p = &w->program;
    bytes_clear(&w->progress, sizeof w->progress);
    p->tolerance = model_tolerance(m);
    p->omega = o->omega;
    p->lambda = o->lambda;
    p->bodies = m->bodies;
    p->contacts = w->report.contacts;
    p->joints = (uint16_t)JOINT_COUNT(m);
    p->max_sweeps = o->max_sweeps;
    p->solver = o->solver;
    p->friction = o->friction;
}

#endif
