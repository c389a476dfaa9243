// SPDX-License-Identifier: MIT
// proof.h - how far apart are two convex shapes? With proof, in double precision.
//   given   solids: sphere, capsule, box, cylinder, cone, ellipsoid, hull, each perhaps rounded
//   makes   support points; signed distance of a point; signed gap of two solids with a lower and an upper bound
//   bound   PROOF_STEPS supports for a distance, PROOF_CELLS supports for an overlap
//   never   uses the kernel's geometry: all follows from the definitions of the kinds in types.h
//
// A shape is a core plus a ball of some radius. D = { y - x : x in core a, y in core b }. Along a unit vector n the
// cores are separated by  s(n) = min { n.d : d in D },  and the gap is  max s(n)  over all n, less both radii.
//
// Apart, the gap is the least |d|. It is found by descent over the hull of at most four points of D; the proof is |d|
// from above, since d is a mean of points of D, and s(d / |d|) from below. Neither bound depends on how d was found.
//
// Overlapping, -s(n) = h(n) is the support function of -D: convex, so it lies above each of its tangents. Over a
// spherical triangle with corners n_i a mixture d of support points gives  h(n) >= d.n >= min d.n_i.  Triangles whose
// bound is above the best value less `slack` are dropped, others are bisected, until none is left: no direction is
// better by more than the slack. The best value itself is a minimum to rounding, found by proximal steps: move b away
// along n, take the direction of the nearest points, repeat. So gap <= truth + slack, and gap >= truth always.
#ifndef PROOF_H
#define PROOF_H

#include "solid.h"
#include "tap.h"

#ifndef PROOF_CELLS
#define PROOF_CELLS RUN(60000, 4000)
#endif

enum { PROOF_STEPS = 200, PROOF_STACK = 128, PROOF_PROXIMAL = 60 };

#define PROOF_NEAR 1e-11  // of the extent: how closely the two bounds of a distance should agree
#define PROOF_FAR 1e-8    // of the extent: how closely they must
#define PROOF_SLACK 1e-6  // of the thickness: what an overlap is proved to
#define PROOF_COARSE 3e-3 // of the thickness: what it is proved to where very many directions are as good as the best
#define PROOF_EXACT 1e-14 // of the extent: bounds that agree as well as this need no more steps

typedef struct proof_shape {
    d3 p;       // relative to whatever point the caller chose
    d3 axis[3]; // unit, columns of the rotation
    d3 size;
    const solid *of;
    double radius;    // of the ball
    double extent;    // radius of a ball around p that holds the core
    double thickness; // least half width of the whole along its own axes
    uint8_t kind;
} proof_shape;

// ------------------------------------------------------------------------------------------------------------- scalars

// Heron's iteration from a start that halves the exponent: 3 % off, then 6e-4, 2e-7, 2e-14, exact.
static inline double proof_sqrt(double a)
{
    if (!(a > 1e-300)) { return 0.0; }
    union {
        double value;
        uint64_t bits;
    } root = {a};
    root.bits = (root.bits >> 1) + (UINT64_C(1023) << 51);
    for (int i = 0; i < 5; i++) { root.value = 0.5 * (root.value + a / root.value); }
    return root.value;
}

static inline double proof_norm(d3 a)
{
    return proof_sqrt(d3_dot(a, a));
}

static inline d3 proof_unit(d3 a)
{
    const double norm = proof_norm(a);
    return norm > 0.0 ? d3_scale(1.0 / norm, a) : d3_make(0, 0, 1);
}

static inline double proof_sign(double a)
{
    return a < 0.0 ? -1.0 : 1.0;
}

// -------------------------------------------------------------------------------------------------------------- shapes

static inline d3 proof_local(const proof_shape *c, d3 n)
{
    return d3_make(d3_dot(c->axis[0], n), d3_dot(c->axis[1], n), d3_dot(c->axis[2], n));
}

static inline d3 proof_world(const proof_shape *c, d3 x)
{
    return d3_add(d3_add(d3_scale(x.x, c->axis[0]), d3_scale(x.y, c->axis[1])), d3_scale(x.z, c->axis[2]));
}

static inline d3 proof_hull_support(const solid *s, d3 n)
{
    d3 best = {0, 0, 0};
    double most = -1e300;
    for (int i = 0; i < s->points; i++) {
        const d3 x = solid_point(s, i);
        const double along = d3_dot(x, n);
        if (along > most) {
            most = along;
            best = x;
        }
    }
    return best;
}

// A point of the core that lies farthest along n, both in the shape's own frame.
static inline d3 proof_core_support(const proof_shape *c, d3 n)
{
    const d3 s = c->size;
    const double across = c->kind == TAC_CYLINDER || c->kind == TAC_CONE ? proof_sqrt(n.x * n.x + n.y * n.y) : 0.0;
    const double part = across > 0.0 ? s.x / across : 0.0;
    switch (c->kind) {
    case TAC_CAPSULE:
        return d3_make(0.0, 0.0, proof_sign(n.z) * s.z);
    case TAC_BOX:
        return d3_make(proof_sign(n.x) * s.x, proof_sign(n.y) * s.y, proof_sign(n.z) * s.z);
    case TAC_CYLINDER:
        return d3_make(part * n.x, part * n.y, proof_sign(n.z) * s.z);
    case TAC_CONE:
        if (n.z * s.z >= s.x * across - n.z * s.z) { return d3_make(0.0, 0.0, s.z); }
        return d3_make(part * n.x, part * n.y, -s.z);
    case TAC_ELLIPSOID: {
        const d3 m = {s.x * n.x, s.y * n.y, s.z * n.z};
        const double norm = proof_norm(m);
        if (!(norm > 0.0)) { return d3_make(0, 0, 0); }
        return d3_make(s.x * m.x / norm, s.y * m.y / norm, s.z * m.z / norm);
    }
    case TAC_HULL:
        return proof_hull_support(c->of, n);
    default:
        return d3_make(0, 0, 0);
    }
}

static inline d3 proof_support(const proof_shape *c, d3 n)
{
    return d3_add(c->p, proof_world(c, proof_core_support(c, proof_local(c, n))));
}

static inline double proof_hull_extent(const solid *s)
{
    double most = 0.0;
    for (int i = 0; i < s->points; i++) { most = d_max(most, proof_norm(solid_point(s, i))); }
    return most;
}

static inline double proof_extent(const solid *s)
{
    const d3 z = s->size;
    switch (s->kind) {
    case TAC_SPHERE:
        return 0.0;
    case TAC_CAPSULE:
        return z.z;
    case TAC_BOX:
        return proof_norm(z);
    case TAC_CYLINDER:
    case TAC_CONE:
        return proof_sqrt(z.x * z.x + z.z * z.z);
    case TAC_ELLIPSOID:
        return d_max(z.x, d_max(z.y, z.z));
    default:
        return proof_hull_extent(s);
    }
}

// Least half width along the axes of its own frame.
static inline double proof_thickness(const proof_shape *c)
{
    double least = 1e300;
    for (int i = 0; i < 3; i++) {
        const d3 n = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
        const d3 high = proof_core_support(c, n), low = proof_core_support(c, d3_scale(-1.0, n));
        least = d_min(least, 0.5 * d3_dot(d3_sub(high, low), n));
    }
    return least + c->radius;
}

/// `s` seen from `origin`; `s` must outlive the answer.
static inline proof_shape proof_of(const solid *s, d3 origin)
{
    proof_shape c = {
        d3_sub(s->p, origin),
        {dq_rotate(s->q, d3_make(1, 0, 0)), dq_rotate(s->q, d3_make(0, 1, 0)), dq_rotate(s->q, d3_make(0, 0, 1))},
        s->size,
        s,
        s->rounding,
        proof_extent(s),
        0.0,
        s->kind};
    if (s->kind == TAC_SPHERE || s->kind == TAC_CAPSULE) { c.radius += s->size.x; }
    c.thickness = proof_thickness(&c);
    return c;
}

/// How far apart the shapes are along unit n, seen from a; at most the gap, whatever n is.
static inline double proof_separation(const proof_shape *a, const proof_shape *b, d3 n)
{
    const d3 d = d3_sub(proof_support(b, d3_scale(-1.0, n)), proof_support(a, n));
    return d3_dot(d, n) - a->radius - b->radius;
}

// ------------------------------------------------------------------------------------------------------------ distance

typedef struct proof_pair {
    const proof_shape *a, *b;
    d3 shift; // of b
} proof_pair;

// A point of D, and where it comes from.
typedef struct proof_vertex {
    d3 d, x, y;
} proof_vertex;

typedef struct proof_near {
    double lower, upper; // of the distance of the cores
    d3 n;                // unit, from a to b, that gives `lower`
    proof_vertex at;     // nearest points of the cores; they give `upper`
    int steps;
} proof_near;

// The point of D that lies farthest against n.
static inline proof_vertex proof_lowest(const proof_pair *p, d3 n)
{
    proof_vertex v;
    v.x = proof_support(p->a, n);
    v.y = d3_add(proof_support(p->b, d3_scale(-1.0, n)), p->shift);
    v.d = d3_sub(v.y, v.x);
    return v;
}

// Weights of v[0..count) whose mean is nearest to 0 on the flat through them; 0 if they are dependent. count is 2, 3
// or 4.
static inline int proof_weights(const proof_vertex *const v[4], int count, double weight[4])
{
    d3 e[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 1; i < count; i++) { e[i - 1] = d3_sub(v[i]->d, v[0]->d); }
    const d3 o = d3_scale(-1.0, v[0]->d);
    if (count == 2) {
        const double square = d3_dot(e[0], e[0]);
        if (!(square > 0.0)) { return 0; }
        weight[1] = d3_dot(o, e[0]) / square;
    } else if (count == 3) {
        const d3 n = d3_cross(e[0], e[1]);
        const double square = d3_dot(n, n);
        if (!(square > 0.0)) { return 0; }
        weight[1] = d3_dot(d3_cross(o, e[1]), n) / square;
        weight[2] = d3_dot(d3_cross(e[0], o), n) / square;
    } else {
        const double volume = d3_dot(e[0], d3_cross(e[1], e[2]));
        if (!(d_abs(volume) > 0.0)) { return 0; }
        weight[1] = d3_dot(o, d3_cross(e[1], e[2])) / volume;
        weight[2] = d3_dot(e[0], d3_cross(o, e[2])) / volume;
        weight[3] = d3_dot(e[0], d3_cross(e[1], o)) / volume;
    }
    weight[0] = 1.0;
    for (int i = 1; i < count; i++) { weight[0] -= weight[i]; }
    for (int i = 0; i < count; i++) {
        if (!(weight[i] >= 0.0)) { return 0; }
    }
    return 1;
}

static inline proof_vertex proof_mean(const proof_vertex *const v[4], const double weight[4], int count)
{
    proof_vertex mean = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        mean.d = d3_add(mean.d, d3_scale(weight[i], v[i]->d));
        mean.x = d3_add(mean.x, d3_scale(weight[i], v[i]->x));
        mean.y = d3_add(mean.y, d3_scale(weight[i], v[i]->y));
    }
    return mean;
}

// Among all subsets of v that hold the last vertex: the one whose hull comes nearest to 0. The others are dropped.
static inline proof_vertex proof_nearest(proof_vertex v[4], int *count)
{
    proof_vertex best = v[*count - 1], kept[4] = {v[*count - 1]};
    double least = d3_dot(best.d, best.d);
    int left = 1;
    for (int set = 1; set < 1 << (*count - 1); set++) {
        const proof_vertex *chosen[4] = {&v[*count - 1], NULL, NULL, NULL};
        double weight[4];
        int size = 1;
        for (int i = 0; i < *count - 1; i++) {
            if (set >> i & 1) { chosen[size++] = &v[i]; }
        }
        if (!proof_weights(chosen, size, weight)) { continue; }
        const proof_vertex mean = proof_mean(chosen, weight, size);
        const double square = d3_dot(mean.d, mean.d);
        if (!(square < least)) { continue; }
        least = square;
        best = mean;
        left = size;
        for (int i = 0; i < size; i++) { kept[i] = *chosen[i]; }
    }
    for (int i = 0; i < left; i++) { v[i] = kept[i]; }
    *count = left;
    return best;
}

// Distance of the cores, b shifted. upper is 0, to rounding, if they meet.
static inline proof_near proof_distance(const proof_pair *p, d3 start)
{
    const double extent = p->a->extent + p->b->extent + proof_norm(d3_add(d3_sub(p->b->p, p->a->p), p->shift));
    proof_near near = {-1e300, 0.0, start, proof_lowest(p, start), 0};
    proof_vertex v[4] = {near.at};
    int count = 1;
    near.upper = proof_norm(near.at.d);
    near.lower = d3_dot(near.at.d, start);
    for (int i = 0; i < PROOF_STEPS && near.upper > PROOF_EXACT * extent; i++) {
        near.steps = i;
        const d3 n = d3_scale(1.0 / near.upper, near.at.d);
        v[count] = proof_lowest(p, n);
        const double along = d3_dot(v[count].d, n);
        if (along > near.lower) {
            near.lower = along;
            near.n = n;
        }
        if (near.upper - near.lower <= PROOF_EXACT * extent) { break; }
        count++;
        const proof_vertex next = proof_nearest(v, &count);
        const double distance = proof_norm(next.d);
        if (!(distance < near.upper)) { break; }
        near.upper = distance;
        near.at = next;
        if (count == 4) { break; }
    }
    return near;
}

// ------------------------------------------------------------------------------------------------------------- overlap

// A direction, what it gives, and where: -s(n) = h(n) = n.(-d).
typedef struct proof_corner {
    d3 n, d;
    double h;
} proof_corner;

typedef struct proof_cell {
    proof_corner corner[3];
} proof_cell;

static inline proof_corner proof_look(const proof_pair *p, d3 n)
{
    const proof_vertex v = proof_lowest(p, n);
    const proof_corner c = {n, d3_scale(-1.0, v.d), -d3_dot(v.d, n)};
    return c;
}

// From direction `at` to a minimum of h near by. Each step moves b away along n, beyond the overlap by `beyond`, and
// takes the direction of the nearest points: h falls each time, since the cores are then at least `beyond` apart.
static inline proof_corner proof_descend(const proof_pair *p, proof_corner at)
{
    const double extent = p->a->extent + p->b->extent;
    for (int i = 0; i < PROOF_PROXIMAL; i++) {
        const double beyond = 0.05 * d_abs(at.h) + 0.01 * extent;
        const proof_pair moved = {p->a, p->b, d3_add(p->shift, d3_scale(at.h + beyond, at.n))};
        const proof_near near = proof_distance(&moved, at.n);
        const proof_corner next = proof_look(p, near.n);
        if (!(next.h < at.h)) { break; }
        const double gain = at.h - next.h;
        at = next;
        if (gain < 1e-15 * extent) { break; }
    }
    return at;
}

// Best mixture of two tangents f and g over the three corners of a cell: the largest least value.
static inline double proof_mix_two(const double f[3], const double g[3])
{
    double best = -1e300;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3;
        const double slope = (f[i] - g[i]) - (f[k] - g[k]);
        if (!(d_abs(slope) > 0.0)) { continue; }
        const double part = d_clamp((g[k] - g[i]) / slope, 0.0, 1.0);
        double least = 1e300;
        for (int j = 0; j < 3; j++) { least = d_min(least, g[j] + part * (f[j] - g[j])); }
        best = d_max(best, least);
    }
    return best;
}

// The mixture of three that is the same at all corners, if there is one.
static inline double proof_mix_three(const double f[3], const double g[3], const double k[3])
{
    const double a = f[0] - k[0] - f[1] + k[1], b = g[0] - k[0] - g[1] + k[1], u = k[1] - k[0];
    const double c = f[0] - k[0] - f[2] + k[2], d = g[0] - k[0] - g[2] + k[2], v = k[2] - k[0];
    const double det = a * d - b * c;
    if (!(d_abs(det) > 0.0)) { return -1e300; }
    const double s = (u * d - b * v) / det, t = (a * v - u * c) / det;
    if (!(s >= 0.0 && t >= 0.0 && s + t <= 1.0)) { return -1e300; }
    double least = 1e300;
    for (int j = 0; j < 3; j++) { least = d_min(least, k[j] + s * (f[j] - k[j]) + t * (g[j] - k[j])); }
    return least;
}

// Least |x| on the flat triangle through the corners of a cell, from below: |sum w_i n_i|^2 = 1 - sum w_i w_k |n_i -
// n_k|^2, where the weights' products sum up to at most 1/3.
static inline double proof_nearness(const proof_cell *c)
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        const d3 side = d3_sub(c->corner[i].n, c->corner[(i + 1) % 3].n);
        most = d_max(most, d3_dot(side, side));
    }
    return proof_sqrt(1.0 - most / 3.0);
}

// A lower bound of h over the cell, from the tangents at its corners.
static inline double proof_bound(const proof_cell *c, double enough)
{
    double f[3][3], best = -1e300;
    for (int k = 0; k < 3; k++) {
        double least = 1e300;
        for (int i = 0; i < 3; i++) {
            f[k][i] = d3_dot(c->corner[k].d, c->corner[i].n);
            least = d_min(least, f[k][i]);
        }
        best = d_max(best, least);
    }
    for (int k = 0; k < 3 && best < enough; k++) { best = d_max(best, proof_mix_two(f[k], f[(k + 1) % 3])); }
    if (best < enough) { best = d_max(best, proof_mix_three(f[0], f[1], f[2])); }
    return best < 0.0 ? best / proof_nearness(c) : best;
}

// Cut the side whose ends disagree most, in their tangents and by the arc between them: the cell keeps one half, the
// other is returned. A needle wants narrow cells.
static inline proof_cell proof_cut(const proof_pair *p, proof_cell *c)
{
    int longest = 0;
    double most = -1e300;
    for (int i = 0; i < 3; i++) {
        const proof_corner *one = &c->corner[i], *two = &c->corner[(i + 1) % 3];
        const d3 side = d3_sub(one->n, two->n);
        const double apart = d3_dot(d3_sub(one->d, two->d), side) + d_abs(one->h) * d3_dot(side, side);
        if (apart > most) {
            most = apart;
            longest = i;
        }
    }
    const int next = (longest + 1) % 3;
    const d3 middle = proof_unit(d3_add(c->corner[longest].n, c->corner[next].n));
    proof_cell half = *c;
    half.corner[longest] = proof_look(p, middle);
    c->corner[next] = half.corner[longest];
    return half;
}

// The eight triangles of the octahedron.
static inline int proof_octants(const proof_pair *p, proof_cell *cell)
{
    for (int i = 0; i < 8; i++) {
        cell[i].corner[0] = proof_look(p, d3_make(i & 1 ? -1 : 1, 0, 0));
        cell[i].corner[1] = proof_look(p, d3_make(0, i & 2 ? -1 : 1, 0));
        cell[i].corner[2] = proof_look(p, d3_make(0, 0, i & 4 ? -1 : 1));
    }
    return 8;
}

// The least h of all directions, known to `slack`. Returns the supports spent, 0 if `most` were not enough.
static inline int proof_overlap(const proof_pair *p, d3 guess, double slack, int most, proof_corner *best)
{
    static proof_cell cell[PROOF_STACK]; // too large for the stack of a board
    int cells = proof_octants(p, cell);
    *best = proof_descend(p, proof_look(p, guess));
    for (int i = 0; i < most; i++) {
        if (cells == 0) { return i + 1; }
        proof_cell *top = &cell[cells - 1];
        const double enough = best->h - slack;
        if (proof_bound(top, enough) >= enough) {
            cells--;
            continue;
        }
        if (cells == PROOF_STACK) { return 0; }
        cell[cells] = proof_cut(p, top);
        for (int k = 0; k < 3; k++) {
            const proof_corner *c = &cell[cells].corner[k];
            if (c->h < best->h - 1e-12 * p->a->extent) { *best = proof_descend(p, *c); }
        }
        cells++;
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------------------- the gap

typedef struct proof_truth {
    int proved;
    int apart;    // the cores are
    double gap;   // of the shapes, negative if they overlap
    double error; // the truth lies between gap and gap + error
    d3 n;         // unit, from a to b, that gives the gap
    int work;     // supports spent
} proof_truth;

/// The gap of a and b, both seen from the same origin.
static inline proof_truth proof_gap(const proof_shape *a, const proof_shape *b)
{
    const proof_pair pair = {a, b, {0, 0, 0}};
    const double radii = a->radius + b->radius, extent = a->extent + b->extent + radii;
    const d3 start = proof_unit(d3_sub(b->p, a->p));
    proof_near near = proof_distance(&pair, start);
    if (near.upper - near.lower > PROOF_NEAR * extent && near.upper > PROOF_NEAR * extent) {
        const proof_corner best = proof_descend(&pair, proof_look(&pair, near.n));
        if (-best.h > near.lower) {
            near.lower = -best.h;
            near.n = best.n;
        }
    }
    proof_truth t = {1, 1, near.lower - radii, near.upper - near.lower, near.n, near.steps};
    if (near.upper - near.lower <= PROOF_FAR * extent && near.upper > 0.0) { return t; }
    double slack = PROOF_SLACK * d_min(a->thickness, b->thickness);
    proof_corner best;
    t.work = proof_overlap(&pair, near.n, slack, PROOF_CELLS / 8, &best);
    if (t.work == 0) {
        slack *= PROOF_COARSE / PROOF_SLACK;
        t.work = proof_overlap(&pair, best.n, slack, PROOF_CELLS, &best);
    }
    t.proved = t.work > 0;
    t.apart = 0;
    t.gap = -best.h - radii;
    t.error = slack;
    t.n = best.n;
    return t;
}

// ------------------------------------------------------------------------------------------- signed distance of a
// point

// Distance of (x, y) to the segment from (ax, ay) to (bx, by).
static inline double proof_segment(double x, double y, double ax, double ay, double bx, double by)
{
    const double ex = bx - ax, ey = by - ay, square = ex * ex + ey * ey;
    const double t = square > 0.0 ? d_clamp(((x - ax) * ex + (y - ay) * ey) / square, 0.0, 1.0) : 0.0;
    const double dx = x - ax - t * ex, dy = y - ay - t * ey;
    return proof_sqrt(dx * dx + dy * dy);
}

static inline double proof_box_point(d3 half, d3 q)
{
    const d3 over = {d_abs(q.x) - half.x, d_abs(q.y) - half.y, d_abs(q.z) - half.z};
    const double most = d_max(over.x, d_max(over.y, over.z));
    if (most <= 0.0) { return most; }
    return proof_norm(d3_make(d_max(over.x, 0.0), d_max(over.y, 0.0), d_max(over.z, 0.0)));
}

static inline double proof_cone_point(d3 size, d3 q)
{
    const double across = proof_sqrt(q.x * q.x + q.y * q.y), r = size.x, h = size.z;
    const double side = ((across - r) * 2.0 * h + (q.z + h) * r) / proof_sqrt(4.0 * h * h + r * r);
    const double base = -h - q.z, most = d_max(side, base);
    if (most <= 0.0) { return most; }
    return d_min(proof_segment(across, q.z, 0.0, -h, r, -h), proof_segment(across, q.z, r, -h, 0.0, h));
}

// The nearest point is a_i^2 q_i / (a_i^2 + t) with the t > -min a^2 that puts it on the surface: bisection on t + min
// a^2.
static inline double proof_ellipsoid_point(d3 size, d3 q)
{
    const double a[3] = {size.x, size.y, size.z};
    double x[3] = {d_abs(q.x), d_abs(q.y), d_abs(q.z)}, inside = 0.0;
    const double shortest = d_min(a[0], d_min(a[1], a[2])), longest = d_max(a[0], d_max(a[1], a[2]));
    double low = 0.0, high = shortest * shortest + longest * (x[0] + x[1] + x[2] + longest);
    for (int i = 0; i < 3; i++) {
        inside += x[i] * x[i] / (a[i] * a[i]);
        x[i] = d_max(x[i], 1e-14 * a[i]); // off the planes of symmetry: there the nearest points may be two
    }
    for (int i = 0; i < 120; i++) {
        const double middle = 0.5 * (low + high);
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            const double part = a[k] * x[k] / ((a[k] - shortest) * (a[k] + shortest) + middle);
            sum += part * part;
        }
        if (sum > 1.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double b = (a[k] - shortest) * (a[k] + shortest) + high;
        const double off = x[k] * (high - shortest * shortest) / b;
        square += off * off;
    }
    return proof_sign(inside - 1.0) * proof_sqrt(square);
}

// Largest height over the planes through three points that have no point beyond them: > 0 outside.
static inline double proof_hull_height(const solid *s, d3 q)
{
    const double extent = proof_hull_extent(s);
    double most = -1e300;
    for (int i = 0; i < s->points; i++) {
        for (int j = i + 1; j < s->points; j++) {
            for (int k = j + 1; k < s->points; k++) {
                const d3 o = solid_point(s, i);
                const d3 cross = d3_cross(d3_sub(solid_point(s, j), o), d3_sub(solid_point(s, k), o));
                if (proof_norm(cross) < 1e-10 * extent * extent) { continue; }
                for (int side = -1; side <= 1; side += 2) {
                    const d3 n = d3_scale((double)side, proof_unit(cross));
                    const double beyond = d3_dot(d3_sub(proof_hull_support(s, n), o), n);
                    if (beyond < 1e-9 * extent) { most = d_max(most, d3_dot(d3_sub(q, o), n)); }
                }
            }
        }
    }
    return most;
}

static inline double proof_hull_point(const proof_shape *c, d3 x)
{
    const double height = proof_hull_height(c->of, proof_local(c, d3_sub(x, c->p)));
    if (height <= 0.0) { return height; }
    const solid dot = solid_make(TAC_SPHERE, d3_make(0, 0, 0), x, (dq){1, 0, 0, 0});
    const proof_shape point = proof_of(&dot, d3_make(0, 0, 0));
    const proof_pair pair = {c, &point, {0, 0, 0}};
    return proof_distance(&pair, proof_unit(d3_sub(x, c->p))).upper;
}

/// Signed distance of x to the surface of a shape, negative inside. No search but for hulls: closed forms.
static inline double proof_surface(const proof_shape *c, d3 x)
{
    const d3 q = proof_local(c, d3_sub(x, c->p)), s = c->size;
    const double across = proof_sqrt(q.x * q.x + q.y * q.y);
    switch (c->kind) {
    case TAC_CAPSULE:
        return proof_segment(across, q.z, 0.0, -s.z, 0.0, s.z) - c->radius;
    case TAC_BOX:
        return proof_box_point(s, q) - c->radius;
    case TAC_CYLINDER:
        return proof_box_point(d3_make(s.x, 1e300, s.z), d3_make(across, 0.0, q.z)) - c->radius;
    case TAC_CONE:
        return proof_cone_point(s, q) - c->radius;
    case TAC_ELLIPSOID:
        return proof_ellipsoid_point(s, q) - c->radius;
    case TAC_HULL:
        return proof_hull_point(c, x) - c->radius;
    default:
        return proof_norm(q) - c->radius;
    }
}

#endif
