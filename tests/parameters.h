// SPDX-License-Identifier: MIT
// parameters.h - the derivative of a step by parameters of the model, against central differences of whole steps.
//   given   a model, a state, an input
//   makes   the list of all parameters that tac_derivative() takes; how far off its columns are
//   bound   four steps a parameter
//   never   counts a column where differences of two sizes do not agree, or contacts are not the same: a kink
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "truth.h"

enum { PARAMETERS_MOST = 160, PARAMETERS_WIDE = 60 };

typedef struct parameters {
    tac_parameter list[PARAMETERS_MOST];
    tac_real P[PARAMETERS_WIDE * PARAMETERS_MOST];
    uint16_t count;
    uint32_t columns, kinks, still; // compared; left out; compared where nothing changes
    tac_parameter worst_of;
} parameters;

static inline void parameters_add(parameters *p, uint8_t kind, uint16_t index)
{
    p->list[p->count++] = (tac_parameter){.index = index, .kind = kind};
}

// All parameters of the model, asked for.
static inline void parameters_ask(parameters *p, const tac_model *m, tac_step_derivative *y)
{
    p->count = 0;
    for (uint16_t i = 0; i < m->materials; i++) {
        parameters_add(p, TAC_FIT_FRICTION, i);
        parameters_add(p, TAC_FIT_RESTITUTION, i);
    }
    for (uint16_t i = 0; i < m->material_pairs; i++) {
        parameters_add(p, TAC_FIT_PAIR_FRICTION, i);
        parameters_add(p, TAC_FIT_PAIR_RESTITUTION, i);
    }
    for (uint16_t i = 1; i < m->bodies; i++) {
        parameters_add(p, TAC_FIT_MASS, i);
        parameters_add(p, TAC_FIT_INERTIA, i);
    }
#if TAC_MAX_JOINTS > 0
    for (uint16_t i = 0; i < m->joints; i++) {
        const uint8_t kind = m->joint[i].kind;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC && kind != TAC_SCREW) { continue; }
        for (uint8_t k = TAC_FIT_JOINT_FRICTION; k <= TAC_FIT_MOTOR; k++) { parameters_add(p, k, i); }
    }
#endif
    y->parameter = p->list;
    y->parameters = p->count;
    y->P = p->P;
}

static inline void parameters_more(tac_real *number, double by)
{
    *number = (tac_real)((double)*number + by);
}

// A parameter of the model, or of its input, becomes larger.
static inline void parameters_set(const tac_parameter *p, double by, tac_model *m, tac_input *input)
{
    tac_body *b = &m->body[p->kind >= TAC_FIT_MASS && p->kind <= TAC_FIT_CENTRE_Z ? p->index : 0];
    const double grows = 1 + (p->kind == TAC_FIT_MASS ? by / (double)b->mass : by);
    if (p->kind == TAC_FIT_FRICTION) { parameters_more(&m->material[p->index].friction, by); }
    if (p->kind == TAC_FIT_PAIR_FRICTION) { parameters_more(&m->material_pair[p->index].friction, by); }
    if (p->kind == TAC_FIT_RESTITUTION) { parameters_more(&m->material[p->index].restitution, by); }
    if (p->kind == TAC_FIT_PAIR_RESTITUTION) { parameters_more(&m->material_pair[p->index].restitution, by); }
    if (p->kind == TAC_FIT_MASS) { parameters_more(&b->mass, by); }
    if (p->kind == TAC_FIT_MASS || p->kind == TAC_FIT_INERTIA) {
        b->inertia = d3_to(d3_scale(grows, d3_of(b->inertia)));
    }
#if TAC_MAX_JOINTS > 0
    tac_joint *j = &m->joint[p->kind >= TAC_FIT_JOINT_FRICTION ? p->index : 0];
    if (p->kind == TAC_FIT_JOINT_FRICTION) { parameters_more(&j->friction, by); }
    if (p->kind == TAC_FIT_JOINT_DAMPING) { parameters_more(&j->damping, by); }
    if (p->kind == TAC_FIT_JOINT_STIFFNESS) { parameters_more(&j->stiffness, by); }
    if (p->kind == TAC_FIT_JOINT_REST) { parameters_more(&j->rest, by); }
    if (p->kind == TAC_FIT_JOINT_ARMATURE) { parameters_more(&j->armature, by); }
    if (p->kind == TAC_FIT_JOINT_EFFORT) { parameters_more(&j->effort, by); }
    for (uint32_t i = 0; i < input->motors && p->kind == TAC_FIT_MOTOR; i++) {
        tac_motor *a = &input->motor[i];
        if (a->joint != p->index) { continue; }
        a->effort *= (tac_real)(1 + by), a->stiffness *= (tac_real)(1 + by), a->damping *= (tac_real)(1 + by);
    }
#else
    (void)input;
#endif
}

// The size of a parameter: differences are a part of it. 0: it is at a bound of its range, where there is no
// difference.
static inline double parameters_size(const tac_parameter *p, const tac_model *m)
{
    double size = 1;
    if (p->kind == TAC_FIT_FRICTION) { size = (double)m->material[p->index].friction; }
    if (p->kind == TAC_FIT_PAIR_FRICTION) { size = (double)m->material_pair[p->index].friction; }
    if (p->kind == TAC_FIT_RESTITUTION) { size = (double)m->material[p->index].restitution; }
    if (p->kind == TAC_FIT_PAIR_RESTITUTION) { size = (double)m->material_pair[p->index].restitution; }
    if (p->kind == TAC_FIT_MASS) { size = (double)m->body[p->index].mass; }
#if TAC_MAX_JOINTS > 0
    const tac_joint *j = &m->joint[p->kind >= TAC_FIT_JOINT_FRICTION ? p->index : 0];
    if (p->kind == TAC_FIT_JOINT_FRICTION) { size = (double)j->friction; }
    if (p->kind == TAC_FIT_JOINT_DAMPING) { size = (double)j->damping; }
    if (p->kind == TAC_FIT_JOINT_STIFFNESS) { size = (double)j->stiffness; }
    if (p->kind == TAC_FIT_JOINT_ARMATURE) { size = (double)j->armature; }
    if (p->kind == TAC_FIT_JOINT_EFFORT) { size = j->effort < TAC_MOST_FORCE ? (double)j->effort : 0; }
#endif
    return size;
}

// One difference. Returns 0 if contacts of both sides are not the same.
static inline int parameters_column(const tac_parameter *p, double by, const tac_model *m, const tac_state *s,
                                    const tac_input *input, tac_work *w, double *column)
{
    static tac_model other;
    static tac_state side[2];
    static tac_input acting;
    static tac_real x[PARAMETERS_WIDE];
    uint64_t mode[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        other = *m, side[i] = *s, acting = *input;
        parameters_set(p, i ? by : -by, &other, &acting);
        if (tac_model_seal(&other, NULL) != TAC_OK || tac_state_adopt(m, &other, &side[i], NULL) != TAC_OK) {
            return 0;
        }
        tac_step(&other, &side[i], &acting, w);
        for (uint32_t k = 0; k < w->report.contacts; k++) {
            mode[i] = 8 * mode[i] + 4 + 2u * w->contact[k].mode + (w->contact[k].impulse.x > 0);
        }
        if (tac_state_adopt(&other, m, &side[i], NULL) != TAC_OK) { return 0; }
    }
    tac_coordinates map;
    tac_model_get_coordinates(m, w, &map);
    tac_state_difference(m, &side[0], &side[1], w, x);
    for (uint32_t i = 0; i < 2u * map.velocities; i++) { column[i] = (double)x[i] / (2 * by); }
    return mode[0] == mode[1];
}

// Compares all columns, and returns the worst error: over the largest entry of the positions or velocities of a column,
// or over what gravity makes of them in a step, for the whole parameter, if that is more. In float positions are
// rounding. Differences of two sizes, this `part` of the parameter and three times as much, which are apart by more
// than `kink` have one.
static inline double parameters_compare(parameters *p, const tac_step_derivative *y, const tac_model *m,
                                        const tac_state *s, const tac_input *input, tac_work *w, double part,
                                        double kink)
{
    const uint32_t n = y->size.x / 2u;
    double worst_of_all = 0;
    for (uint32_t j = 0; j < p->count; j++) {
        double column[2][PARAMETERS_WIDE], scale[2], worst = 0, apart = 0;
        const double size = parameters_size(&p->list[j], m);
        int same = size > 0;
        for (int i = 0; i < 2 && same; i++) {
            same = parameters_column(&p->list[j], (i ? 1 : 3) * part * size, m, s, input, w, column[i]);
        }
        scale[1] = size > 0 ? 9.81 * (double)m->h / size : 0;
        scale[0] = scale[1] * (double)m->h;
        const double least = scale[1];
        for (uint32_t i = 0; i < 2 * n && same; i++) { scale[i >= n] = d_max(scale[i >= n], d_abs(column[1][i])); }
        for (uint32_t i = sizeof(tac_real) == 8 ? 0 : n; i < 2 * n && same; i++) {
            d_worst(&worst, ((double)p->P[i * p->count + j] - column[1][i]) / scale[i >= n]);
            d_worst(&apart, (column[0][i] - column[1][i]) / scale[i >= n]);
        }
        if (!(same && apart <= kink)) {
            p->kinks += size > 0;
            continue;
        }
        p->columns++;
        p->still += !(scale[1] > least);
        if (!(worst <= worst_of_all)) { worst_of_all = worst, p->worst_of = p->list[j]; }
    }
    return worst_of_all;
}

#endif
