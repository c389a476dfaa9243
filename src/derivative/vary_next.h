// SPDX-License-Identifier: MIT
// vary_next.h - how the state at the end of a step changes.
//   given   the motion of the step; changes of its mean rates
//   makes   columns of the next state by q, v and inputs
//   bound   a visit to each pair of a joint and a coordinate that carries it, and one for each column
//   never   solves anything
#ifndef DERIVATIVE_VARY_NEXT_H
#define DERIVATIVE_VARY_NEXT_H

#include "vary_matrix.h"

#if TAC_MAX_LCP > 0

// Of a free root: places and velocities at the end by its own rotation i, without the rates that it changes, and by the
// rate of this; three numbers of each.
typedef struct vary_ends {
    vec3 place, speed;
} vary_ends;

static vary_ends vary_root_end(const vary_step *x, uint16_t self, int i, int what)
{
    const tac_varied_body *v = &x->t->body[self];
    const tac_varied_axis *a = &x->t->axis[x->t->mechanism.body[self].first + i];
    const real h = x->m->h;
    const vec3 axis = V3_AXIS[i % 3], inertia = x->m->body[self].inertia;
    vary_ends y = {V3_ZERO, V3_ZERO};
    if (v->alone) {
        vec3 dl = V3_ZERO, mean;
        if (what == VARY_Q) {
            dl = v3_components(x->t->mechanism.body[self].axis,
                               v3_cross(v3_sub(v->give[1], v->own[1]), six_angular(a->start)));
        }
        if (what == VARY_V) { dl = v3_mul(inertia, axis); }
        vary_alone(x->m, x->t, self, dl, what == VARY_R ? axis : V3_ZERO, &mean, &y.speed);
        const vec3 turn = v3_scale(h, v3_add(v->w, v->pushed));
        y.place = vary_right(turn, v3_scale(h, mean));
        if (what == VARY_Q) { y.place = v3_add(y.place, quat_rotate(quat_exp(v3_scale(R(-1.0), turn)), axis)); }
    } else if (what == VARY_Q) {
        y.place = v3_components(v->axis, six_angular(a->start));
    } else if (what == VARY_R) {
        const vec3 rate = six_angular(a->by_rate);
        y.place = v3_scale(h, v3_components(v->axis, rate));
        y.speed = v3_components(v->axis, v3_combine(v->by_end, rate));
    }
    return y;
}

// Where a root is, and how fast it moves as a whole, makes no difference to anything else.
static void vary_next_centre(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    const tac_varied_body *v = &x->t->body[self];
    const size_t first = x->t->mechanism.body[self].first, n = x->t->mechanism.coordinates;
    const real h = x->m->h, part = v->alone && !v->straight ? R(0.5) * h : h;
    for (size_t i = first; i < first + 3; i++) {
        A[i * wide + i] = R(1.0);
        A[i * wide + n + i] = h - part;
        x->t->axis[i].ends = v3_scale(part, V3_AXIS[i - first]);
        for (size_t k = first; k < first + 3; k++) { vary_by_rate(x, k)[i] = i == k ? R(1.0) : R(0.0); }
    }
}

static void vary_next_root(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    const size_t n = x->t->mechanism.coordinates, row = x->t->mechanism.body[self].first + 3u;
    vary_next_centre(x, self, A, wide);
    for (size_t i = 0; i < 3; i++) {
        for (int what = VARY_Q; what <= VARY_R; what++) {
            const size_t column = row + i + (what == VARY_V ? n : 0);
            const vary_ends y = vary_root_end(x, self, (int)i + 3, what);
            real place[3], speed[3];
            v3_put(place, y.place);
            v3_put(speed, y.speed);
            if (what == VARY_R) { x->t->axis[row + i].ends = y.place; }
            for (size_t k = 0; k < 3; k++) {
                if (what == VARY_R) {
                    vary_by_rate(x, row + k)[column] = speed[k];
                } else {
                    A[(row + k) * wide + column] = place[k];
                    A[(n + row + k) * wide + column] = speed[k];
                }
            }
        }
    }
}

// The coordinates of a joint at the end of the step, by these at its start and by their rates.
static void vary_next_places(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    const tac_mechanism_body *b = &x->t->mechanism.body[self];
    const real h = x->m->h;
    for (size_t j = 0; j < b->axes; j++) {
        tac_varied_axis *a = &x->t->axis[b->first + j];
        real ends[3] = {R(0.0), R(0.0), R(0.0)};
        for (size_t i = 0; i < b->axes; i++) {
            real *to = &A[(b->first + i) * wide + b->first + j];
            ends[i] = i == j ? h : R(0.0);
            *to = i == j ? R(1.0) : R(0.0);
            if (JOINT_OF(x->m)[b->joint].kind != TAC_SPHERICAL) { continue; }
            const vec3 axis = vary_axis_end(x->m, x->t, b, (int)i);
            ends[i] = h * v3_dot(axis, six_angular(a->by_rate));
            *to = v3_dot(axis, v3_madd(six_angular(a->start), h, six_angular(a->by_place)));
        }
        a->ends = v3_of(ends);
    }
}

// Its rates. A translation of the root changes none.
static void vary_next_joint(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    tac_varied *t = x->t;
    const tac_mechanism *k = &t->mechanism;
    const tac_mechanism_body *b = &k->body[self];
    const size_t n = k->coordinates, i = b->first, shifts = vary_shifts(k, self);
    if (vary_hinges(b)) {
        const vec3 own = vary_hinge(x->m, t, self);
        real *by_rate = vary_by_rate(x, i), *by_place = &A[(n + i) * wide];
        by_rate[i] = v3_dot(own, six_angular(t->axis[i].by_rate));
        by_place[i] = v3_dot(own, six_angular(t->axis[i].by_place));
        for (size_t j = t->up[i]; j != TAC_NONE && j >= shifts; j = t->up[j]) {
            by_rate[j] = v3_dot(t->axis[i].of_end, six_angular(t->axis[j].by_rate));
            by_place[j] = v3_dot(t->axis[i].of_end, six_angular(t->axis[j].by_place));
        }
        return;
    }
    for (uint16_t on = self, more = b->axes > 0; more; on = k->body[on].parent) {
        for (size_t j = k->body[on].first; j < (size_t)k->body[on].first + k->body[on].axes; j++) {
            if (j < shifts) { continue; }
            real by_place[3], by_rate[3];
            vary_rates_by(x->m, x->s, x->w, t, self, on, &t->axis[j], VARY_Q, by_place);
            vary_rates_by(x->m, x->s, x->w, t, self, on, &t->axis[j], VARY_R, by_rate);
            for (size_t a = 0; a < b->axes; a++) {
                A[(n + i + a) * wide + j] = by_place[a];
                vary_by_rate(x, i + a)[j] = by_rate[a];
            }
        }
        more = (uint16_t)mechanism_hangs(k, on);
    }
}

// The derivative of the next state by q and v at fixed rates, into A, and by the rates. Trees see v in the rates alone.
static void vary_next(const vary_step *x, real *A, size_t wide)
{
    const tac_mechanism *k = &x->t->mechanism;
    reals_clear(A, wide * wide * sizeof *A);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        if (mechanism_free(&k->body[self])) {
            vary_next_root(x, self, A, wide);
        } else {
            vary_next_places(x, self, A, wide);
            vary_next_joint(x, self, A, wide);
        }
    }
}

// What changes of the rates, in the right sides, add to so many columns of the next state. A position follows the rates
// of its own root or joint alone, a velocity those of its path but for translations; that of a root's centre is a rate.
static void vary_follow(const vary_step *x, real *out, uint32_t columns)
{
    const tac_varied *t = x->t;
    const tac_mechanism *k = &t->mechanism;
    const size_t n = k->coordinates;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const size_t shifts = vary_shifts(k, k->order[at]);
        for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
            const int free = mechanism_free(b), moves = free && i < (size_t)b->first + 3;
            const size_t first = b->first + (free && !moves ? 3u : 0u);
            lu_row place = lu_row_of(&out[i * columns], columns), speed = lu_row_of(&out[(n + i) * columns], columns);
            for (size_t j = first; j < first + (free ? 3u : b->axes); j++) {
                real ends[3];
                v3_put(ends, t->axis[j].ends);
                lu_row_add(&place, ends[i - first], vary_sides(x, j));
                lu_row_add(&speed, !moves || i == j ? vary_by_rate(x, i)[j] : R(0.0), vary_sides(x, j));
            }
            for (size_t j = free ? TAC_NONE : t->up[b->first]; j != TAC_NONE && j >= shifts; j = t->up[j]) {
                lu_row_add(&speed, vary_by_rate(x, i)[j], vary_sides(x, j));
            }
            lu_row_end(&place);
            lu_row_end(&speed);
        }
    }
}

#endif

#endif
