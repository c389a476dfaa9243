// SPDX-License-Identifier: MIT
// iterate.h - the impulses of all rows: those in force, the best so far, those of the last iterate.
//   given   the numbers of contacts and joints
//   makes   rows without impulses; copies
//   bound   one pass over the rows
//   never   knows what a row belongs to
#ifndef ROWS_ITERATE_H
#define ROWS_ITERATE_H

#include "../base/bytes.h"
#include "../base/vec.h"
#include "../model/joint.h"

// Rows in use: contacts first, then joints.
static uint32_t iterate_rows(const tac_work *w)
{
    return (uint32_t)TAC_CONTACT_ROWS * w->program.contacts + (uint32_t)TAC_LINK_ROWS * PROGRAM_JOINTS(w);
}

static uint32_t iterate_contact(uint32_t contact)
{
    return (uint32_t)TAC_CONTACT_ROWS * contact;
}

static uint32_t iterate_joint(const tac_work *w, uint32_t joint)
{
    return iterate_contact(w->program.contacts) + (uint32_t)TAC_LINK_ROWS * joint;
}

// No impulses: `x` is one of the three.
static void iterate_clear(const tac_work *w, real *x)
{
    reals_clear(x, iterate_rows(w) * sizeof *x);
}

static void iterate_copy(const tac_work *w, real *to, const real *from)
{
    reals_copy(to, from, iterate_rows(w) * sizeof *to);
}

// x_k + beta (x_k - x_k-1) of three rows.
static inline vec3 iterate_ahead(const tac_work *w, uint32_t first, real beta)
{
    const vec3 now = v3_of(&w->scratch.solve.g[first]);
    return v3_madd(now, beta, v3_sub(now, v3_of(&w->scratch.solve.last[first])));
}

// The next iterate of three rows.
static inline void iterate_next(tac_work *w, uint32_t first, vec3 next)
{
    v3_put(&w->scratch.solve.last[first], v3_of(&w->scratch.solve.g[first]));
    v3_put(&w->scratch.solve.g[first], next);
}

#endif
