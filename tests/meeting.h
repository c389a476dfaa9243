// SPDX-License-Identifier: MIT
// meeting.h - two solids that meet, or nearly so.
//   given   numbers of two kinds, number of a case: the same numbers, the same case
//   makes   solids as the kernel can hold them: at random, or in line on purpose
//   bound   constant, and one distance by proof.h
//   never   asks the kernel
#ifndef MEETING_H
#define MEETING_H

#include "proof.h"
#include "random_solid.h"

#define SEED UINT64_C(0x7ac7)

typedef struct meeting {
    solid a, b;
    double margin;
    int at; // case
} meeting;

// No flats and edges: there is one point, and nothing to choose.
static inline int is_smooth(const solid *s)
{
    return s->kind == TAC_SPHERE || s->kind == TAC_ELLIPSOID;
}

static inline int both_smooth(const meeting *m)
{
    return is_smooth(&m->a) && is_smooth(&m->b);
}

static inline double thinner(const solid *a, const solid *b)
{
    const proof_shape ca = proof_of(a, a->p), cb = proof_of(b, a->p);
    return d_min(ca.thickness, cb.thickness);
}

static inline double larger(const solid *a, const solid *b)
{
    const proof_shape ca = proof_of(a, a->p), cb = proof_of(b, a->p);
    return d_max(ca.extent + ca.radius, cb.extent + cb.radius);
}

// Gap that the case is to have, as a part of the thickness: apart, touching, a shallow overlap. 1: anywhere.
static inline double wanted_gap(rng *r)
{
    const uint32_t kind = rng_below(r, 20);
    double tiny = 1.0;
    for (uint32_t i = rng_below(r, 9) + 2; i > 0; i--) { tiny *= 0.1; }
    if (kind < 7) { return rng_range(r, 0.0, 0.1); }
    if (kind == 7) { return 0.0; }
    if (kind < 11) { return kind & 1 ? tiny : -tiny; }
    if (kind < 16) { return rng_range(r, -0.05, 0.0); }
    return 1.0;
}

// From far away b comes near a along the line of their nearest points.
static inline void approach(rng *r, const solid *a, solid *b)
{
    const double wanted = wanted_gap(r), thickness = thinner(a, b), size = larger(a, b);
    const d3 direction = proof_unit(rng_box(r, 1.0));
    if (wanted == 1.0) {
        b->p = d3_scale(size * rng_range(r, 0.0, 1.0), direction);
        return;
    }
    b->p = d3_scale(2.2 * size, direction);
    const proof_shape ca = proof_of(a, a->p), cb = proof_of(b, a->p);
    const proof_truth t = proof_gap(&ca, &cb);
    b->p = d3_add(b->p, d3_scale(wanted * thickness - t.gap, t.n));
}

// Case `at` of kinds i and k. Most are of size 1 near the origin, some in millimetres metres away, some of size 100.
static inline meeting random_meeting(int i, int k, int at)
{
    rng r = {SEED + ((uint64_t)(10 * i + k) << 32) + (uint64_t)at * UINT64_C(0x9e3779b9)};
    for (int skip = 0; skip < 4; skip++) { rng_bits(&r); }
    solid a = random_solid(&r, KIND[i], 0), b = random_solid(&r, KIND[k], 1);
    if (k <= 2 && a.rounding + b.rounding == 0.0) { b.rounding = rng_range(&r, 0.01, 0.3); }
    approach(&r, &a, &b);
    const uint32_t scene = rng_below(&r, 10);
    const double scale = scene == 0 ? 1e-3 : scene == 1 ? 1e2 : 1.0;
    const d3 shift = rng_box(&r, scene == 0 ? 5.0 : scale);
    const dq turn = rng_quat(&r);
    a = solid_moved(&a, shift, turn, scale);
    b = solid_moved(&b, shift, turn, scale);
    meeting m = {solid_held(&a), solid_held(&b), 0.0, at};
    m.margin = 0.11 * larger(&m.a, &m.b);
    return m;
}

// --------------------------------------------------------------------------------------------------------- degenerate

static const d3 CUBE[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                           {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const d3 PLATE[8] = {{-1, -1, -0.01}, {1, -1, -0.01}, {-1, 1, -0.01}, {1, 1, -0.01},
                            {-1, -1, 0.01},  {1, -1, 0.01},  {-1, 1, 0.01},  {1, 1, 0.01}};
static const d3 SPIKE[5] = {{-0.01, -0.01, -1}, {0.01, -0.01, -1}, {-0.01, 0.01, -1}, {0.01, 0.01, -1}, {0, 0, 1}};

// Sizes on purpose: 0 as long as wide, 1 flat (an ellipsoid: nearly a ball), 2 a needle.
static inline solid plain_solid(uint8_t kind, int flavour, dq q)
{
    solid s = solid_make(kind, d3_make(0.5, 0.5, 0.5), d3_make(0, 0, 0), q);
    if (flavour == 1) { s.size.z = kind == TAC_CAPSULE ? 1.0 : 0.005; }
    if (flavour == 1 && kind == TAC_ELLIPSOID) { s.size = d3_make(0.5, 0.5 + 1e-7, 0.5 - 1e-7); }
    if (flavour == 2) { s.size = d3_make(0.005, 0.005, 0.5); }
    if (kind == TAC_HULL) {
        s.size = d3_make(0.5, 0.5, 0.5);
        s.point = flavour == 0 ? CUBE : flavour == 1 ? PLATE : SPIKE;
        s.points = flavour == 2 ? 5 : 8;
    }
    return s;
}

static inline d3 axis_of(uint32_t number)
{
    const double sign = number & 1 ? -1.0 : 1.0;
    return d3_make(number / 2 == 0 ? sign : 0.0, number / 2 == 1 ? sign : 0.0, number / 2 == 2 ? sign : 0.0);
}

// Turned by quarters and eighths, along an axis, edges and faces in line: all that random poses never are.
static inline meeting plain_meeting(int i, int k, int at)
{
    static const double wanted[5] = {0.01, 0.0, -0.001, -0.01, -0.1};
    static const double aside[5] = {0.0, 0.0, 0.25, 0.5, 1.0};
    rng r = {SEED + 99 + ((uint64_t)(10 * i + k) << 32) + (uint64_t)at * UINT64_C(0x9e3779b9)};
    for (int skip = 0; skip < 4; skip++) { rng_bits(&r); }
    const d3 axis = axis_of(rng_below(&r, 6));
    const dq turn = dq_about(axis, rng_below(&r, 5) * 0.25 * TRUTH_PI), one = {1, 0, 0, 0};
    const int same = rng_below(&r, 2) == 0, turned = rng_below(&r, 3) > 0;
    const int flavour = (int)rng_below(&r, 3), other = (int)rng_below(&r, 3);
    solid a = plain_solid(KIND[i], flavour, one);
    solid b = plain_solid(KIND[k], same ? flavour : other, turned ? turn : one);
    if (k <= 2 || rng_below(&r, 4) == 0) { b.rounding = 0.125; }
    const d3 n = axis_of(rng_below(&r, 6)), side = axis_of(rng_below(&r, 6));
    if (d3_dot(n, side) == 0.0) { b.p = d3_scale(0.5 * aside[rng_below(&r, 5)], side); }
    const proof_shape ca = proof_of(&a, a.p), cb = proof_of(&b, a.p);
    const double along = proof_separation(&ca, &cb, n), gap = wanted[rng_below(&r, 5)];
    if (rng_below(&r, 6) > 0) { b.p = d3_add(b.p, d3_scale(gap - along, n)); } // else: centres on top of each other
    const meeting m = {solid_held(&a), solid_held(&b), 0.2, at};
    return m;
}
#endif
