// SPDX-License-Identifier: MIT
// shuffle.h - the same world under other numbers: bodies, joints and shapes in random order.
//   given   a model, not yet sealed, with its input; a generator of random numbers
//   makes   the model and the input numbered anew; the new number of each body
//   bound   one pass over each table
//   never   changes what the world is: a coupling stays behind the joints that it couples
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include "truth.h"

typedef struct shuffled {
    uint16_t body[TAC_MAX_BODIES + 1]; // the new number of each; the ground stays 0
} shuffled;

// A random order of `count` numbers, of which the first `fixed` stay.
static inline void shuffle_order(rng *r, uint16_t *to, uint32_t fixed, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) { to[i] = (uint16_t)i; }
    for (uint32_t i = count; i-- > fixed + 1;) {
        const uint32_t k = fixed + rng_below(r, i + 1 - fixed);
        const uint16_t last = to[i];
        to[i] = to[k];
        to[k] = last;
    }
}

#if TAC_MAX_JOINTS > 0

// Joints by their new bodies, then in a new order of their own.
static inline void shuffle_joints(tac_model *m, tac_input *input, const uint16_t *body, rng *r)
{
    static tac_joint old[TAC_MAX_JOINTS];
    uint16_t to[TAC_MAX_JOINTS] = {0}, place[TAC_MAX_JOINTS] = {0};
    uint32_t ahead = 0, behind = 0;
    for (uint32_t i = 0; i < m->joints; i++) {
        old[i] = m->joint[i];
        ahead += old[i].kind != TAC_COUPLING;
    }
    shuffle_order(r, place, 0, ahead);
    behind = ahead;
    ahead = 0;
    for (uint32_t i = 0; i < m->joints; i++) {
        to[i] = old[i].kind != TAC_COUPLING ? place[ahead++] : (uint16_t)behind++;
    }
    for (uint32_t i = 0; i < m->joints; i++) {
        const uint16_t *number = old[i].kind == TAC_COUPLING ? to : body;
        tac_joint *j = &m->joint[to[i]];
        *j = old[i];
        j->body_a = number[old[i].body_a];
        j->body_b = number[old[i].body_b];
    }
    for (uint32_t i = 0; input != NULL && i < input->motors; i++) { input->motor[i].joint = to[input->motor[i].joint]; }
}

#else

static inline void shuffle_joints(tac_model *m, tac_input *input, const uint16_t *body, rng *r)
{
    (void)m, (void)input, (void)body, (void)r;
}

#endif

static inline void shuffle_shapes(tac_model *m, const uint16_t *body, rng *r)
{
    static tac_shape old[TAC_MAX_SHAPES];
    uint16_t to[TAC_MAX_SHAPES] = {0};
    shuffle_order(r, to, 0, m->shapes);
    for (uint32_t i = 0; i < m->shapes; i++) { old[i] = m->shape[i]; }
    for (uint32_t i = 0; i < m->shapes; i++) {
        m->shape[to[i]] = old[i];
        m->shape[to[i]].body = body[old[i].body];
    }
}

// `input` may be NULL.
static inline shuffled shuffle(tac_model *m, tac_input *input, rng *r)
{
    static tac_body old[TAC_MAX_BODIES + 1];
    shuffled x = {{0}};
    shuffle_order(r, x.body, 1, m->bodies);
    for (uint32_t i = 0; i < m->bodies; i++) { old[i] = m->body[i]; }
    for (uint32_t i = 0; i < m->bodies; i++) { m->body[x.body[i]] = old[i]; }
    for (uint32_t i = 0; i < m->exclusions; i++) {
        m->exclusion[i] = (tac_exclusion){x.body[m->exclusion[i].a], x.body[m->exclusion[i].b]};
    }
    for (uint32_t i = 0; input != NULL && i < input->actions; i++) {
        input->action[i].body = x.body[input->action[i].body];
    }
    shuffle_shapes(m, x.body, r);
    shuffle_joints(m, input, x.body, r);
    return x;
}

#endif
