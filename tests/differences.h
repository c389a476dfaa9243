// SPDX-License-Identifier: MIT
// differences.h - the derivative of a step by central differences, in the coordinates of include/tactus/linear.h.
//   given   a model, a state, an input; a step
//   makes   columns of d x+ / d (x, u)
//   bound   two steps a column
//   never   calls what it is compared with
#ifndef DIFFERENCES_H
#define DIFFERENCES_H

#include "truth.h"

enum { DIFF_MOST = 80 };

typedef struct differences {
    const tac_model *model;
    const tac_input *input;
    tac_status (*step)(const tac_model *, tac_state *, const tac_input *, tac_work *);
    tac_coordinates map;
    uint32_t n;
    tac_state start;
    tac_state base;                      // on the joints, to rounding
    tac_real q[DIFF_MOST], v[DIFF_MOST]; // its coordinates
    tac_work work;
    int changed; // contacts have changed between two steps
} differences;

static inline dq diff_exp(d3 a)
{
    const double x = d3_norm(a);
    const double s = x > 1e-4 ? d_sin(x / 2) / x : 0.5 - x * x / 48;
    return (dq){d_cos(x / 2), s * a.x, s * a.y, s * a.z};
}

// The rotation vector of a quaternion near 1: asin by its series.
static inline d3 diff_log(dq e)
{
    const double s2 = e.x * e.x + e.y * e.y + e.z * e.z;
    const double k = (e.w < 0 ? -2 : 2) * (1 + s2 * (1.0 / 6 + s2 * (3.0 / 40)));
    return d3_make(k * e.x, k * e.y, k * e.z);
}

static inline dq diff_quat(const tac_real *q)
{
    return (dq){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static inline dq diff_conj(dq a)
{
    return (dq){a.w, -a.x, -a.y, -a.z};
}

// Where the rotation of body or joint coordinate `i` lies in q, if it is one: which of three numbers it is, else -1.
static inline int diff_turn(const differences *d, uint32_t i, uint32_t *place, int *root)
{
    for (uint32_t b = 0; b < d->model->bodies; b++) {
        const uint32_t first = d->map.body[b].velocity;
        if (first == TAC_NONE || i < first || i >= first + 6) { continue; }
        *root = 1;
        *place = d->map.body[b].position + (i < first + 3 ? i - first : 3u);
        return i < first + 3 ? -1 : (int)(i - first - 3);
    }
#if TAC_MAX_JOINTS > 0
    for (uint32_t j = 0; j < d->model->joints; j++) {
        static const uint8_t axes[TAC_JOINT_KINDS] = {0, 1, 1, 1, 0, 3, 2, 2, 3, 0, 0, 0};
        const uint32_t first = d->map.joint[j].velocity;
        if (first == TAC_NONE || i < first || i >= first + axes[d->model->joint[j].kind]) { continue; }
        *root = 0;
        *place = d->map.joint[j].position + (d->model->joint[j].kind == TAC_SPHERICAL ? 0 : i - first);
        return d->model->joint[j].kind == TAC_SPHERICAL ? (int)(i - first) : -1;
    }
#endif
    *place = 0;
    return -1;
}

static inline void diff_begin(differences *d, const tac_model *m, const tac_state *s, const tac_input *input,
                              tac_status (*step)(const tac_model *, tac_state *, const tac_input *, tac_work *))
{
    d->model = m;
    d->input = input;
    d->step = step;
    d->base = *s;
    d->changed = 0;
    tac_model_get_coordinates(m, &d->work, &d->map);
    d->n = d->map.velocities;
    // what has these coordinates already would be left as it is, so it is set to those of the start before
    tac_state_init(m, &d->start, NULL);
    tac_state_get_coordinates(m, &d->start, &d->work, d->q, d->v);
    tac_state_set_coordinates(m, &d->base, d->q, d->v, &d->work);
    tac_state_get_coordinates(m, s, &d->work, d->q, d->v);
    tac_state_set_coordinates(m, &d->base, d->q, d->v, &d->work);
    tac_state_get_coordinates(m, &d->base, &d->work, d->q, d->v);
}

// The state displaced by e along coordinate i of x.
static inline void diff_displace(differences *d, uint32_t i, double e, tac_state *s)
{
    static tac_real q[DIFF_MOST], v[DIFF_MOST];
    uint32_t place;
    int root = 0;
    for (uint32_t k = 0; k < DIFF_MOST; k++) { q[k] = d->q[k], v[k] = d->v[k]; }
    *s = d->base;
    if (i >= d->n) {
        v[i - d->n] = (tac_real)((double)v[i - d->n] + e);
    } else {
        const int axis = diff_turn(d, i, &place, &root);
        if (axis < 0) {
            q[place] = (tac_real)((double)q[place] + e);
        } else {
            const dq turn = diff_exp(d3_make(axis == 0 ? e : 0, axis == 1 ? e : 0, axis == 2 ? e : 0));
            const dq now = diff_quat(q + place), to = root ? dq_mul(now, turn) : dq_mul(turn, now);
            q[place] = (tac_real)to.w, q[place + 1] = (tac_real)to.x;
            q[place + 2] = (tac_real)to.y, q[place + 3] = (tac_real)to.z;
        }
    }
    tac_state_set_coordinates(d->model, s, q, v, &d->work);
}

// One column: (x+ - x-)/(2 e), for x = i < 2 n, or an effort along the coordinate i - 2 n.
static inline void diff_column(differences *d, uint32_t i, double e, double *column)
{
    static tac_real q[2][DIFF_MOST], v[2][DIFF_MOST];
    static tac_state s;
    uint16_t contacts[2];
    uint8_t modes[2][TAC_MAX_CONTACTS];
    for (int side = 0; side < 2; side++) {
        const double by = side ? e : -e;
        if (i < 2 * d->n) {
            diff_displace(d, i, by, &s);
            d->step(d->model, &s, d->input, &d->work);
        } else {
            static tac_input input;
            s = d->base;
            input = *d->input;
            uint32_t place;
            int root = 0;
            const uint32_t along = i - 2 * d->n;
            (void)diff_turn(d, along, &place, &root);
#if TAC_MAX_JOINTS > 0
            for (uint32_t j = 0; j < d->model->joints && !root; j++) {
                if (d->map.joint[j].velocity != along) { continue; }
                uint32_t motor = 0;
                while (motor < input.motors && input.motor[motor].joint != j) { motor++; }
                if (motor == input.motors) {
                    input.motor[input.motors++] = (tac_motor){.joint = (uint16_t)j, .kind = TAC_MOTOR_EFFORT};
                }
                input.motor[motor].effort = (tac_real)((double)input.motor[motor].effort + by);
            }
#endif
            d->step(d->model, &s, &input, &d->work);
        }
        contacts[side] = d->work.report.contacts;
        for (uint32_t k = 0; k < contacts[side]; k++) { modes[side][k] = d->work.contact[k].mode; }
        tac_state_get_coordinates(d->model, &s, &d->work, q[side], v[side]);
    }
    d->changed |= contacts[0] != contacts[1];
    for (uint32_t k = 0; k < contacts[0] && k < contacts[1]; k++) { d->changed |= modes[0][k] != modes[1][k]; }
    for (uint32_t k = 0; k < d->n; k++) {
        uint32_t place;
        int root = 0;
        const int axis = diff_turn(d, k, &place, &root);
        column[d->n + k] = ((double)v[1][k] - (double)v[0][k]) / (2 * e);
        column[k] = ((double)q[1][place] - (double)q[0][place]) / (2 * e);
        if (axis >= 0) {
            const dq a = diff_quat(q[0] + place), b = diff_quat(q[1] + place);
            const d3 turn = diff_log(root ? dq_mul(diff_conj(a), b) : dq_mul(b, diff_conj(a)));
            column[k] = (axis == 0 ? turn.x : axis == 1 ? turn.y : turn.z) / (2 * e);
        }
    }
}

#endif
