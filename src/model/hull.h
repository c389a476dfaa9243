// SPDX-License-Identifier: MIT
// hull.h - the convex hull of some points, by gift wrapping (Chand and Kapur 1970) on an integer grid.
//   given   points; the part of the model's tables that is not in use
//   makes   a polyhedron: corners, faces, edges; or nothing
//   bound   points times edges for the wrapping, edges squared for the rest
//   never   decides the side of a point by rounded arithmetic: the wrapping is exact, so the surface closes; leaves out
//           a corner that is farther than the tolerance from the faces that take its place
#ifndef MODEL_HULL_H
#define MODEL_HULL_H

#include "../base/boxes.h"
#include "polyhedron.h"

// The hull is found in two steps. First the largest extent is scaled to 2^30 cells and points are moved to the nearest
// cell. Volumes of tetrahedra are then integers below 2^93, so each face of the hull of the cells is known exactly: all
// points in its plane, its corners in order, its normal. Each edge that has one face asks for the other until no edge
// is open. Second, corners that are close to each other are merged, and faces that are within a tolerance of one plane,
// as long as every corner of these faces is within the tolerance of the face that takes their place.

#define HULL_CELLS R(1073741824.0)
#define HULL_BASE ((int64_t)1 << 30)
#define HULL_FLAT (R(0.75) * TAC_TOL_FLAT) // tolerance of faces, of the size
#define HULL_NEAR (R(1.0) / R(3.0))        // tolerance of corners, of that of faces: both are TAC_TOL_FLAT
#define HULL_THIN (R(1.0) / R(16.0))       // of the thickness: the tolerance of faces is at most this part
#define HULL_EXACT (HULL_CELLS * REAL_EPSILON) // twice the area, of the size^2, from which points are better than cells
#define HULL_VOLUME R(2.0)                 // of the rounding: a body that is thinner has no volume
#define HULL_TURNS 3 // most turns, each with less tolerance, the last with none
#define HULL_PASSES 8 // most passes over the faces

typedef struct grid3 {
    int64_t x, y, z;
} grid3;

// A hull under construction, in the free part of the tables.
typedef struct hull_build {
    const vec3 *point; // as given
    vec3 low;          // m    corner of the grid
    real scale;        // 1/m  cells a metre
    real size;         // m    largest extent
    real rounding;     // m    of a point, and its error on the grid
    real slack;        // m    tolerance of faces
    tac_face *face;
    tac_edge *edge; // `point` is an index into those given, `across` TAC_NONE as long as the edge is open
    node *note;     // of the tree, which a hull does not need: see hull_group(), hull_note()
    uint32_t count, faces, edges, most_faces, most_edges;
    int full;            // 1 when a table had no room
    tac_polyhedron used; // of the tables, at most
} hull_build;

// Plane through cells: n.(x - a) <= 0 for all points of the hull.
typedef struct hull_plane {
    grid3 a, n;
} hull_plane;

static grid3 hull_cell(const hull_build *h, uint32_t i)
{
    const vec3 x = v3_scale(h->scale, v3_sub(h->point[i], h->low));
    return (grid3){(int64_t)(x.x + R(0.5)), (int64_t)(x.y + R(0.5)), (int64_t)(x.z + R(0.5))};
}

static grid3 grid3_sub(grid3 a, grid3 b)
{
    return (grid3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static int64_t grid3_dot(grid3 a, grid3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static grid3 grid3_cross(grid3 a, grid3 b)
{
    return (grid3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int grid3_zero(grid3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

// n.(x - a) = high HULL_BASE + low with abs(low) < HULL_BASE. Components of n are below 2^61 (a product of two arms),
// so each is split into two digits. The sign is that of high, or of low if high is 0.
typedef struct hull_number {
    int64_t high, low;
} hull_number;

static hull_number hull_height(const hull_plane *p, grid3 x)
{
    const grid3 n = p->n, arm = grid3_sub(x, p->a);
    const grid3 digit = {n.x / HULL_BASE, n.y / HULL_BASE, n.z / HULL_BASE};
    const int64_t rest = grid3_dot((grid3){n.x % HULL_BASE, n.y % HULL_BASE, n.z % HULL_BASE}, arm);
    return (hull_number){grid3_dot(digit, arm) + rest / HULL_BASE, rest % HULL_BASE};
}

// Positive for a cell outside of the plane, 0 for one in it.
static int64_t hull_above(const hull_plane *p, grid3 x)
{
    const hull_number height = hull_height(p, x);
    return height.high != 0 ? height.high : height.low;
}

static vec3 hull_normal(const hull_plane *p)
{
    return v3((real)p->n.x, (real)p->n.y, (real)p->n.z);
}

// How far a point lies below a plane whose normal has this length, m.
static real hull_depth(const hull_build *h, const hull_plane *p, real length, uint32_t i)
{
    const hull_number height = hull_height(p, hull_cell(h, i));
    return -((real)height.high * (real)HULL_BASE + (real)height.low) / (length * h->scale);
}

// ------------------------------------------------------------------------------------------------------------ wrapping

// Rotates a plane around the line through p->a along `along` until all points are on it or below. They lie in a wedge
// of less than 180 degrees around that line, so one pass is enough. Leaves p->n zero if all are on the line.
static void hull_wrap(const hull_build *h, grid3 along, hull_plane *p)
{
    p->n = (grid3){0, 0, 0};
    for (uint32_t i = 0; i < h->count; i++) {
        const grid3 x = hull_cell(h, i);
        if (grid3_zero(p->n) || hull_above(p, x) > 0) { p->n = grid3_cross(along, grid3_sub(x, p->a)); }
    }
}

// Orientation (sign) of a and b, both in the plane, seen from outside: in the projection along the largest component of
// n.
static int64_t hull_turn(const hull_plane *p, grid3 a, grid3 b)
{
    const grid3 n = p->n, c = grid3_cross(a, b);
    const int64_t x = n.x < 0 ? -n.x : n.x, y = n.y < 0 ? -n.y : n.y, z = n.z < 0 ? -n.z : n.z;
    if (x >= y && x >= z) { return n.x < 0 ? -c.x : c.x; }
    if (y >= z) { return n.y < 0 ? -c.y : c.y; }
    return n.z < 0 ? -c.z : c.z;
}

// The corner after `at` of the face in a plane: all points in the plane are to the left of the edge to it. Of collinear
// points the last is taken, of points in one cell the first. TAC_NONE if `at` is alone there.
static uint32_t hull_next(const hull_build *h, const hull_plane *p, uint32_t at)
{
    const grid3 from = hull_cell(h, at);
    grid3 best = {0, 0, 0};
    uint32_t next = TAC_NONE;
    for (uint32_t i = 0; i < h->count; i++) {
        const grid3 to = hull_cell(h, i), arm = grid3_sub(to, from);
        if (grid3_zero(arm) || hull_above(p, to) != 0) { continue; }
        const int64_t turn = hull_turn(p, best, arm);
        if (next == TAC_NONE || turn < 0 || (turn == 0 && grid3_dot(arm, arm) > grid3_dot(best, best))) {
            best = arm;
            next = i;
        }
    }
    return next;
}

// Connects the edges of the last face with open edges in the opposite direction.
static void hull_join(hull_build *h, uint32_t last)
{
    const tac_face *f = &h->face[last];
    for (uint32_t k = 0; k < f->edges; k++) {
        tac_edge *e = &h->edge[f->first + k];
        for (uint32_t other = 0; other < last && e->across == TAC_NONE; other++) {
            const uint32_t end = h->edge[polyhedron_after(f, k)].point;
            const uint32_t found = polyhedron_find(h->face, h->edge, other, end, e->point, TAC_NONE);
            if (found == TAC_NONE) { continue; }
            h->edge[found].across = (uint16_t)last;
            e->across = (uint16_t)other;
        }
    }
}

// Adds the face with the edge from a to b. Returns 0 without room (stored in h->full), or without a face.
static int hull_add_face(hull_build *h, uint32_t a, uint32_t b)
{
    hull_plane p;
    p.a = hull_cell(h, a);
    hull_wrap(h, grid3_sub(hull_cell(h, b), p.a), &p);
    if (grid3_zero(p.n)) { return 0; }
    h->full |= h->faces >= h->most_faces;
    if (h->full) { return 0; }
    if (h->used.faces == h->faces) { h->used.faces++; }
    tac_face *f = &h->face[h->faces];
    f->first = (uint16_t)h->edges;
    for (uint32_t at = a, next = b; next != TAC_NONE; next = hull_next(h, &p, at)) {
        h->full |= h->edges >= h->most_edges;
        if (h->full) { return 0; }
        if (h->used.edges == h->edges) { h->used.edges++; }
        h->edge[h->edges++] = (tac_edge){(uint16_t)at, TAC_NONE};
        at = next;
        if (at == a) {
            f->edges = (uint16_t)(h->edges - f->first);
            hull_join(h, h->faces++);
            return 1;
        }
    }
    return 0;
}

// The first face. The least point in the order of x, y, z is a corner; a plane through it parallel to z, rotated until
// it touches another point, has an edge that begins there.
static int hull_first(hull_build *h)
{
    uint32_t least = 0;
    hull_plane p;
    p.a = hull_cell(h, 0);
    for (uint32_t i = 1; i < h->count; i++) {
        const grid3 d = grid3_sub(hull_cell(h, i), p.a);
        if (d.x < 0 || (d.x == 0 && (d.y < 0 || (d.y == 0 && d.z < 0)))) {
            p.a = hull_cell(h, i);
            least = i;
        }
    }
    hull_wrap(h, (grid3){0, 0, 1}, &p);
    if (grid3_zero(p.n)) { return 0; }
    const uint32_t next = hull_next(h, &p, least);
    return next != TAC_NONE && hull_add_face(h, least, next);
}

// All faces: the table of edges is the queue of open edges. Returns 0 without room.
static int hull_wrap_all(hull_build *h)
{
    h->faces = h->edges = 0;
    if (!hull_first(h)) { return 0; }
    for (uint32_t f = 0; f < h->faces; f++) {
        for (uint32_t k = 0; k < h->face[f].edges; k++) {
            const uint32_t e = (uint32_t)h->face[f].first + k;
            const uint32_t end = h->edge[polyhedron_after(&h->face[f], k)].point;
            if (h->edge[e].across == TAC_NONE && !hull_add_face(h, end, h->edge[e].point)) { return 0; }
        }
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------- merging

// The group of faces that a face belongs to, named after its first face.
static uint16_t *hull_group(const hull_build *h, uint32_t face)
{
    return &h->note[face].leaf;
}

// Has the group of a face been taken apart? Then the face is a group by itself.
static uint16_t *hull_apart(const hull_build *h, uint32_t face)
{
    return &h->note[h->faces + face].leaf;
}

// Edges of merged faces are stored as reals in the boxes of the tree, three in each: a hull of f faces has at most 6 f
// edges, and 2 f nodes.
static real *hull_note(const hull_build *h, uint32_t i)
{
    return &h->note[i / 3].bound[2 * (i % 3)];
}

// The plane of a face of the wrapping, none of whose corners are collinear.
static hull_plane hull_plane_of(const hull_build *h, uint32_t f)
{
    const tac_edge *e = &h->edge[h->face[f].first];
    const grid3 a = hull_cell(h, e[0].point), b = hull_cell(h, e[1].point), c = hull_cell(h, e[2].point);
    return (hull_plane){a, grid3_cross(grid3_sub(b, a), grid3_sub(c, a))};
}

// Normals and areas (face.d) of the wrapping. Normals are those of the cells, in double of the points where the face is
// large enough. Returns the thickness: the least depth of all points below a face.
static real hull_measure(hull_build *h)
{
    real thickness = REAL_LARGEST;
    for (uint32_t f = 0; f < h->faces; f++) {
        tac_face *face = &h->face[f];
        const hull_plane p = hull_plane_of(h, f);
        const real length = v3_norm(hull_normal(&p));
        real deepest = R(0.0);
        for (uint32_t i = 0; i < h->count; i++) { deepest = real_max(deepest, hull_depth(h, &p, length, i)); }
        thickness = real_min(thickness, deepest);
        const vec3 area = polyhedron_area(h->point, &h->edge[face->first], face->edges, h->size);
        face->d = v3_norm(area);
        face->n = v3_unit(face->d > HULL_EXACT ? area : hull_normal(&p), V3_ZERO);
        *hull_group(h, f) = TAC_NONE;
        *hull_apart(h, f) = 0;
    }
    return thickness;
}

// The largest face without a group; TAC_NONE if there is none.
static uint32_t hull_largest(const hull_build *h)
{
    uint32_t largest = TAC_NONE;
    for (uint32_t f = 0; f < h->faces; f++) {
        if (*hull_group(h, f) == TAC_NONE && (largest == TAC_NONE || h->face[f].d > h->face[largest].d)) {
            largest = f;
        }
    }
    return largest;
}

// A group of faces: the plane of its first face and the length of its normal; how far a corner of the group is below
// it; the sharpest edge, as the sine of half the angle inside the body.
typedef struct hull_flat {
    hull_plane plane;
    real length, deepest, sharpest;
} hull_flat;

static real hull_sharpest(const hull_build *h, uint32_t f)
{
    real sharpest = R(1.0);
    for (uint32_t k = 0; k < h->face[f].edges; k++) {
        const uint32_t across = h->edge[h->face[f].first + k].across;
        sharpest = real_min(sharpest, R(0.5) * v3_norm(v3_add(h->face[f].n, h->face[across].n)));
    }
    return sharpest;
}

// Face f joins a group if it shares an edge with it and lies flat in its plane, on the same side of the body. Where two
// planes meet at a sharp edge, an error of one moves the edge by the error over the sine of half the angle between
// them: that must stay below the tolerance too, but for rounding.
static int hull_joins(const hull_build *h, uint32_t f, uint32_t group, hull_flat *g)
{
    const tac_edge *edge = &h->edge[h->face[f].first];
    int touches = 0;
    for (uint32_t k = 0; k < h->face[f].edges; k++) { touches |= *hull_group(h, edge[k].across) == group; }
    if (!touches || !(v3_dot(h->face[group].n, h->face[f].n) > R(0.0))) { return 0; }
    const real sharpest = real_min(g->sharpest, hull_sharpest(h, f));
    real deepest = g->deepest;
    for (uint32_t k = 0; k < h->face[f].edges; k++) {
        deepest = real_max(deepest, hull_depth(h, &g->plane, g->length, edge[k].point));
    }
    if (deepest > real_min(h->slack, real_max(sharpest * h->slack, h->rounding))) { return 0; }
    g->deepest = deepest;
    g->sharpest = sharpest;
    return 1;
}

// Groups faces that are merged: the largest one takes all connected faces that are flat to it, then the largest of the
// rest.
static void hull_merge_faces(hull_build *h)
{
    for (uint32_t first = hull_largest(h); first != TAC_NONE; first = hull_largest(h)) {
        hull_flat g = {hull_plane_of(h, first), R(0.0), R(0.0), hull_sharpest(h, first)};
        g.length = v3_norm(hull_normal(&g.plane));
        *hull_group(h, first) = (uint16_t)first;
        for (uint32_t more = 1; more > 0;) { // each iteration adds a face, or is the last
            more = 0;
            for (uint32_t f = 0; f < h->faces; f++) {
                if (*hull_group(h, f) != TAC_NONE || !hull_joins(h, f, first, &g)) { continue; }
                *hull_group(h, f) = (uint16_t)first;
                more++;
            }
        }
    }
}

// The first corner from the given point on, in the order of points; TAC_NONE if there is none.
static uint32_t hull_corner_from(const hull_build *h, uint32_t from)
{
    uint32_t least = TAC_NONE;
    for (uint32_t e = 0; e < h->edges; e++) {
        const uint32_t p = h->edge[e].point;
        if (p >= from && p < least) { least = p; }
    }
    return least;
}

static void hull_rename(hull_build *h, uint32_t from, uint32_t to)
{
    for (uint32_t e = 0; e < h->edges; e++) {
        if (h->edge[e].point == from) { h->edge[e].point = (uint16_t)to; }
    }
}

// Merges corners at the other ends of edges into the corner of lower index if they are close to it. A corner that has
// taken others in stays where it is. Edges of length zero remain, from it to itself.
static void hull_merge_points(hull_build *h)
{
    for (uint32_t a = hull_corner_from(h, 0); a != TAC_NONE; a = hull_corner_from(h, a + 1)) {
        for (uint32_t f = 0; f < h->faces; f++) {
            for (uint32_t k = 0; k < h->face[f].edges; k++) {
                const uint32_t b = h->edge[polyhedron_after(&h->face[f], k)].point;
                if (h->edge[h->face[f].first + k].point != a || b <= a) { continue; }
                if (v3_norm(v3_sub(h->point[a], h->point[b])) <= HULL_NEAR * h->slack) { hull_rename(h, b, a); }
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ outlines

// An edge, by its face and its number in the face.
typedef struct hull_side {
    uint32_t face, k;
} hull_side;

static const tac_edge *hull_edge(const hull_build *h, hull_side s)
{
    return &h->edge[h->face[s.face].first + s.k];
}

// The group on the other side of an edge; that of the face itself if the edge has no length.
static uint32_t hull_beyond(const hull_build *h, hull_side s)
{
    const tac_edge *e = hull_edge(h, s);
    const uint32_t end = h->edge[polyhedron_after(&h->face[s.face], s.k)].point;
    return *hull_group(h, e->point == end ? s.face : e->across);
}

// The next edge of a group's outline: around the end of this one, across the edges inside the group. Edges of length
// zero are skipped. Takes at most as many iterations as there are edges.
static hull_side hull_follow(const hull_build *h, hull_side s)
{
    const uint32_t group = *hull_group(h, s.face);
    for (uint32_t turn = 0; turn < h->edges; turn++) {
        s.k = s.k + 1 < h->face[s.face].edges ? s.k + 1 : 0;
        const tac_edge *e = hull_edge(h, s);
        if (hull_beyond(h, s) != group) { break; }
        if (*hull_group(h, e->across) != group) { continue; }
        const uint32_t end = h->edge[polyhedron_after(&h->face[s.face], s.k)].point;
        const uint32_t back = polyhedron_find(h->face, h->edge, e->across, end, e->point, s.face);
        if (back == TAC_NONE) { break; }
        s.face = e->across;
        s.k = back - h->face[s.face].first;
    }
    return s;
}

// An edge of a group's outline; its face is TAC_NONE if there is none.
static hull_side hull_outline(const hull_build *h, uint32_t group)
{
    hull_side s = {0, 0};
    for (; s.face < h->faces; s.face++) {
        for (s.k = 0; *hull_group(h, s.face) == group && s.k < h->face[s.face].edges; s.k++) {
            if (hull_beyond(h, s) != group) { return s; }
        }
    }
    s.face = TAC_NONE;
    return s;
}

// Stores the outline of a group from note `at` on. Successive edges with the same group on their other side are merged:
// only two faces meet between them, so there is no corner. Returns the number of edges.
static uint32_t hull_note_group(const hull_build *h, uint32_t group, uint32_t at)
{
    hull_side start = hull_outline(h, group), s;
    if (start.face == TAC_NONE) { return 0; }
    uint32_t beyond = hull_beyond(h, start), sides = 0;
    for (uint32_t turn = 0; turn < h->edges && hull_beyond(h, start) == beyond; turn++) {
        start = hull_follow(h, start);
    }
    s = start;
    for (uint32_t turn = 0; turn < h->edges && at + sides < h->edges; turn++) {
        if (hull_beyond(h, s) != beyond) {
            beyond = hull_beyond(h, s);
            real *note = hull_note(h, at + sides++);
            note[0] = (real)hull_edge(h, s)->point;
            note[1] = (real)beyond;
        }
        s = hull_follow(h, s);
        if (s.face == start.face && s.k == start.k) { break; }
    }
    return sides;
}

// The i-th corner of an outline of `sides` corners that begins at note `at`.
static vec3 hull_corner(const hull_build *h, uint32_t at, uint32_t sides, uint32_t i)
{
    return h->point[(uint32_t)hull_note(h, at + i % sides)[0]];
}

// Distance of x from the polygon of an outline, seen along the normal n: 0 inside.
static real hull_beside(const hull_build *h, uint32_t at, uint32_t sides, vec3 n, vec3 x)
{
    real nearest = REAL_LARGEST;
    int inside = 1;
    for (uint32_t i = 0; i < sides; i++) {
        const vec3 from = hull_corner(h, at, sides, i), side = v3_sub(hull_corner(h, at, sides, i + 1), from);
        const vec3 arm = v3_sub(x, from), along = v3_unit(side, V3_ZERO);
        const real part = real_clamp(v3_dot(along, arm), R(0.0), v3_norm(side));
        nearest = real_min(nearest, v3_norm(v3_madd(arm, -part, along)));
        inside &= v3_dot(n, v3_cross(along, arm)) >= R(0.0);
    }
    return inside ? R(0.0) : nearest;
}

// Is the outline of a group a convex polygon, and is every corner of its faces within the tolerance of it?
static int hull_fits(const hull_build *h, uint32_t group, uint32_t at, uint32_t sides)
{
    const vec3 n = h->face[group].n;
    real off = R(0.0);
    for (uint32_t i = 0; i < sides; i++) {
        off = real_max(off, polyhedron_dent(n, hull_corner(h, at, sides, i), hull_corner(h, at, sides, i + 1),
                                            hull_corner(h, at, sides, i + 2)));
    }
    for (uint32_t f = 0; f < h->faces; f++) {
        for (uint32_t k = 0; *hull_group(h, f) == group && k < h->face[f].edges; k++) {
            off = real_max(off, hull_beside(h, at, sides, n, h->point[h->edge[h->face[f].first + k].point]));
        }
    }
    return off <= h->slack;
}

// Takes a group apart: each of its faces is a group.
static void hull_part(hull_build *h, uint32_t group)
{
    for (uint32_t f = 0; f < h->faces; f++) {
        if (*hull_group(h, f) != group) { continue; }
        *hull_group(h, f) = (uint16_t)f;
        *hull_apart(h, f) = 1;
    }
}

// Takes the groups around a face apart. Returns 0 if there was none.
static int hull_part_around(hull_build *h, uint32_t face)
{
    int parted = 0;
    for (uint32_t k = 0; k < h->face[face].edges; k++) {
        const uint32_t group = *hull_group(h, h->edge[h->face[face].first + k].across);
        if (*hull_apart(h, group)) { continue; }
        hull_part(h, group);
        parted = 1;
    }
    return parted;
}

// Outlines of all groups. A group that does not fit is taken apart: on a shallow dome the faces that are flat to the
// largest one may have a zigzag outline, and along the rim of a lens corners are left out where only two groups meet. A
// face that does not fit by itself has lost corners to the groups around it, which are taken apart. note[g].skip is the
// number of sides of group g. Returns the number of edges; 0 if no outlines were found that fit.
static uint32_t hull_note_all(hull_build *h)
{
    for (int pass = 0; pass < HULL_PASSES; pass++) {
        uint32_t at = 0;
        int fits = 1, parted = 0;
        for (uint32_t g = 0; g < h->faces; g++) {
            if (*hull_group(h, g) != g) { continue; }
            const uint32_t sides = hull_note_group(h, g, at);
            h->note[g].skip = (uint16_t)sides;
            at += sides;
            if (sides >= 3 && (*hull_apart(h, g) || hull_fits(h, g, at - sides, sides))) { continue; }
            fits = 0;
            if (*hull_apart(h, g)) {
                parted |= hull_part_around(h, g);
            } else {
                hull_part(h, g);
                parted = 1;
            }
        }
        if (fits || !parted) { return fits ? at : 0; }
    }
    return 0;
}

// ----------------------------------------------------------------------------------------------------------- the whole

// Makes the outlines faces and edges, in the order of the first faces of the groups. Returns 0 if there are none.
static int hull_rewrite(hull_build *h)
{
    const uint32_t edges = hull_note_all(h);
    uint32_t faces = 0, at = 0;
    for (uint32_t f = 0; f < h->faces; f++) {
        if (*hull_group(h, f) == f) { h->note[h->faces + f].skip = (uint16_t)faces++; }
    }
    for (uint32_t i = 0; i < edges; i++) {
        const real *note = hull_note(h, i);
        h->edge[i] = (tac_edge){(uint16_t)note[0], h->note[h->faces + (uint32_t)note[1]].skip};
    }
    for (uint32_t f = 0, to = 0; f < h->faces; f++) {
        if (*hull_group(h, f) != f) { continue; }
        h->face[to++] = (tac_face){h->face[f].n, R(0.0), (uint16_t)at, h->note[f].skip};
        at += h->note[f].skip;
    }
    h->faces = faces;
    h->edges = edges;
    return edges > 0;
}

// Stores the corners, in the order in which they were given, from m->point[first] on, and renumbers them in the edges:
// a new number never exceeds the old one. Returns their number, or 0 without room.
static uint32_t hull_corners(hull_build *h, tac_model *m, uint32_t first)
{
    uint32_t corners = 0;
    for (uint32_t p = hull_corner_from(h, 0); p != TAC_NONE; p = hull_corner_from(h, p + 1)) {
        h->full |= corners >= TAC_MAX_HULL_POINTS || first + corners >= TAC_MAX_POINTS;
        if (h->full) { return 0; }
        hull_rename(h, p, corners);
        m->point[first + corners] = h->point[p];
        if (h->used.points == corners) { h->used.points++; }
        corners++;
    }
    return corners;
}

// Moves the plane of each face outwards to the farthest corner of the hull.
static void hull_planes(const hull_build *h, const vec3 *point, uint32_t points)
{
    for (uint32_t f = 0; f < h->faces; f++) {
        h->face[f].d = -REAL_LARGEST;
        for (uint32_t i = 0; i < points; i++) { h->face[f].d = real_max(h->face[f].d, v3_dot(h->face[f].n, point[i])); }
    }
}

// Does the result bound a convex body? Then all that the step relies on holds.
static int hull_good(const tac_model *m, const tac_polyhedron *p)
{
    int good = polyhedron_closed(p);
    for (uint32_t f = 0; good && f < p->faces; f++) {
        const tac_face *face = &m->face[p->first_face + f];
        good = face->edges >= 3 && polyhedron_plane(m, p, f);
        for (uint32_t k = 0; good && k < face->edges; k++) { good = polyhedron_joined(m, p, f, k); }
    }
    return good;
}

// The grid over the points. 0 if they are not finite, or all in one place.
static int hull_begin(hull_build *h)
{
    vec3 high;
    for (uint32_t i = 0; i < h->count; i++) {
        if (!reals_finite(&h->point[i], sizeof h->point[i])) { return 0; }
    }
    polyhedron_bounds(h->point, h->count, &h->low, &high);
    h->size = v3_norm_inf(v3_sub(high, h->low));
    h->scale = HULL_CELLS / h->size;
    h->rounding = R(2.0) / h->scale + R(2.0) * REAL_EPSILON * real_max(v3_norm_inf(h->low), v3_norm_inf(high));
    return real_finite(h->size) && real_finite(h->scale);
}

// The polyhedron from the faces of the exact hull; 0 if it is not valid.
static int hull_finish(hull_build *h, tac_model *m, tac_polyhedron *p)
{
    hull_merge_faces(h);
    hull_merge_points(h);
    const uint32_t corners = hull_rewrite(h) ? hull_corners(h, m, p->first_point) : 0;
    if (corners == 0) { return 0; }
    hull_planes(h, &m->point[p->first_point], corners);
    p->points = (uint16_t)corners;
    p->faces = (uint16_t)h->faces;
    p->edges = (uint16_t)h->edges;
    polyhedron_bounds(&m->point[p->first_point], corners, &p->low, &p->high);
    return polyhedron_in_range(p) && hull_good(m, p);
}

// Tries the tolerance, then an eighth of it; in the end only what is flat exactly is merged. Returns 0 if there is no
// volume or no room.
static int hull_make(hull_build *h, tac_model *m, tac_polyhedron *p)
{
    real part = R(1.0);
    for (int turn = 0; turn < HULL_TURNS && hull_wrap_all(h); turn++) {
        const real thickness = hull_measure(h);
        if (thickness <= HULL_VOLUME * h->rounding) { return 0; }
        h->slack = turn + 1 < HULL_TURNS ? part * real_min(HULL_FLAT * h->size, HULL_THIN * thickness) : R(0.0);
        if (hull_finish(h, m, p)) { return 1; }
        if (h->full) { return 0; }
        part *= R(0.125);
    }
    return 0;
}

// Returns the index of the new polyhedron, TAC_E_FULL or TAC_E_ARG. The free part of the tables is scratch and is
// cleared.
static int32_t hull_add(tac_model *m, const vec3 *point, uint32_t count)
{
    tac_polyhedron p;
    hull_build h;
    bytes_clear(&h, sizeof h);
    polyhedron_open(m, &p);
    p.convex = 1;
    h.point = point;
    h.count = count;
    h.face = &m->face[m->faces];
    h.edge = &m->edge[m->edges];
    h.note = &m->node[2 * m->faces];
    h.most_faces = TAC_MAX_FACES - (uint32_t)m->faces;
    h.most_edges = TAC_MAX_EDGES - (uint32_t)m->edges;
    const int good = hull_begin(&h) && hull_make(&h, m, &p);
    bytes_clear(h.note, 2 * (size_t)h.used.faces * sizeof *h.note);
    return polyhedron_close(m, &p, &h.used, good ? TAC_OK : (h.full ? TAC_E_FULL : TAC_E_ARG));
}

#endif
