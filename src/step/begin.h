// SPDX-License-Identifier: MIT
// begin.h - the beginning of every step: velocities without impulses, contacts, an empty program of their size.
//   given   model, state, input
//   makes   delta_v of forces and free rotation; contact[]; work.program; cleared progress and initial impulses
//   bound   bodies + shapes log(shapes) + pairs whose bounding boxes overlap
//   never   knows a formulation: that makes the rows and their right sides
#ifndef STEP_BEGIN_H
#define STEP_BEGIN_H

#include "../geometry/arrivals.h"
#include "../solve/solve.h"
#include "move.h"

// How many rows there will be, and what the user asks of their solution.
static void begin_program(const tac_model *m, tac_work *w)
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

// Free motion, and where it takes shapes; with joints also how much farther efforts may take them.
static inline void begin_place(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    const int joined = JOINT_COUNT(m) > 0;
    move_free(m, s, input, w);
    if (joined) {
        joints_fix(m, s, w);
        driven(m, s, input, w);
    }
    contacts_place(m, s, joined ? w->scratch.collision.driven : NULL, w);
}

// For a step by one of the methods of arrivals.h, or for an instant.
static inline void begin(const tac_model *m, const tac_state *s, const tac_input *input, int method, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    begin_place(m, s, input, w);
    contacts_find(m, s, method != ARRIVALS_NONE, w);
    if (g->arrivals > 0 || g->strikes) { arrivals(m, s, method, w); }
    begin_program(m, w);
    iterate_clear(w, w->scratch.solve.best);
}

#endif
