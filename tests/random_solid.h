// SPDX-License-Identifier: MIT
// random_solid.h - convex shapes of all kinds at random, and the names of the kinds.
//   given   a random generator
//   makes   solids of size about 1: benign, or plates and needles up to 100:1
//   bound   constant
//   never   hands out the same points for hulls that are in use: each slot has its own
#ifndef RANDOM_SOLID_H
#define RANDOM_SOLID_H

#include "solid.h"
#include "tap.h"

#ifndef HULL_POINTS
#define HULL_POINTS 8 // two of them fit into the tables of the default configuration
#endif

enum { KINDS = 7, SLOTS = 2 };

static const uint8_t KIND[KINDS] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_CYLINDER, TAC_CONE, TAC_ELLIPSOID, TAC_HULL};
static const char *const KIND_NAME[KINDS] = {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull"};

/// "box, cone" and `tail`; valid until the next call.
static inline const char *pair_name(int i, int k, const char *tail)
{
    static char name[40];
    const char *const part[4] = {KIND_NAME[i], ", ", KIND_NAME[k], tail};
    int at = 0;
    for (int p = 0; p < 4; p++) {
        for (const char *c = part[p]; *c != '\0' && at < 39; c++) { name[at++] = *c; }
    }
    name[at] = '\0';
    return name;
}

static d3 random_points[SLOTS][HULL_POINTS];

static inline double random_size(rng *r, int benign)
{
    const double u = rng_range(r, 0.0, 1.0);
    return benign ? 0.2 + 0.8 * u : u < 0.5 ? 0.01 + 0.04 * u : 0.1 + 1.8 * (u - 0.5);
}

// Points on a stretched sphere, or in a stretched box: then some of them are inside the hull. 4 at least.
static inline void random_hull(rng *r, solid *s, int slot, d3 stretch)
{
    const int inside = rng_below(r, 3) == 0;
    s->points = 4 + (int)rng_below(r, HULL_POINTS - 3);
    s->point = random_points[slot];
    for (int i = 0; i < s->points; i++) {
        d3 x = rng_box(r, 1.0);
        for (int tries = 0; tries < 100 && d3_norm(x) < 0.1; tries++) { x = rng_box(r, 1.0); }
        if (!inside) { x = d3_scale(1.0 / d3_norm(x), x); }
        random_points[slot][i] = d3_make(stretch.x * x.x, stretch.y * x.y, stretch.z * x.z);
    }
    s->size = d3_make(1, 1, 1);
}

static inline solid random_solid(rng *r, uint8_t kind, int slot)
{
    const int benign = rng_below(r, 10) < 7;
    const double x = random_size(r, benign), y = random_size(r, benign), z = random_size(r, benign);
    solid s = solid_make(kind, d3_make(x, y, z), d3_make(0, 0, 0), rng_quat(r));
    if (kind == TAC_HULL) { random_hull(r, &s, slot, s.size); }
    if (rng_below(r, 2) == 0) { s.rounding = rng_range(r, 0.01, 0.3); }
    return s;
}

#endif
