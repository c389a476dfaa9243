// SPDX-License-Identifier: MIT
// hull.h - the convex hull of some points, by gift wrapping (Chand and Kapur 1970) on an integer grid.
//   given   points; the part of the model's tables that is not in use
//   makes   a polyhedron: corners, faces, edges; or nothing
//   bound   points times edges for the wrapping, edges squared for the rest
//   never   decides the side of a point by rounded arithmetic: the wrapping is exact, so the surface closes
#ifndef MODEL_HULL_H
#define MODEL_HULL_H

#include "../base/tree.h"
#include "polyhedron.h"

// The hull is found in two steps. First each axis is scaled to 2^20 cells and points are moved to the nearest cell;
// scaling does not change which points are on the hull. Volumes of tetrahedra are then integers below 2^63, so each
// face of the hull of the cells is known exactly: all points in its plane, and its corners in order. Each edge that has
// one face asks for the other until no edge is open. Second, with the original points, faces within TAC_TOL_FLAT of one
// plane are merged, and corners as close to each other.

#define HULL_CELLS R(1048575.0)
#define HULL_TURNS 3

typedef struct grid3 {
    int64_t x, y, z;
} grid3;

// A hull under construction, in the free part of the tables.
typedef struct hull_build {
    const vec3 *point; // as given
    vec3 low, scale;   // of the grid
    real size, slack;  // m   largest extent, flatness tolerance
    tac_face *face;
    tac_edge *edge; // `point` is an index into those given, `across` TAC_NONE as long as the edge is open
    node *note;     // of the tree, which a hull does not need: see hull_group(), hull_note()
    uint32_t count, faces, edges, groups, most_faces, most_edges;
    int full; // 1 when a table had no room
    tac_polyhedron used; // of the tables, at most
} hull_build;

// Plane through cells: n.(x - a) <= 0 for all points of the hull.
typedef struct hull_plane {
    grid3 a, n;
} hull_plane;

static grid3 hull_cell(const hull_build *h, uint32_t i)
{
    const vec3 x = v3_mul(h->scale, v3_sub(h->point[i], h->low));
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

// ------------------------------------------------------------------------------------------------------------ wrapping

// Rotates a plane around the line through p->a along `along` until all points are on it or below. They lie in a wedge
// of less than 180 degrees around that line, so one pass is enough. Leaves p->n zero if all are on the line.
static void hull_wrap(const hull_build *h, grid3 along, hull_plane *p)
{
    p->n = (grid3){0, 0, 0};
    for (uint32_t i = 0; i < h->count; i++) {
        const grid3 arm = grid3_sub(hull_cell(h, i), p->a);
        if (grid3_zero(p->n) || grid3_dot(p->n, arm) > 0) { p->n = grid3_cross(along, arm); }
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
        if (grid3_zero(arm) || grid3_dot(p->n, grid3_sub(to, p->a)) != 0) { continue; }
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
    h->faces = h->edges = h->groups = 0;
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

// The group of faces that a face belongs to; entries from h->faces on: has that face been split off?
static uint16_t *hull_group(const hull_build *h, uint32_t face)
{
    return &h->note[face].leaf;
}

// Edges of merged faces are stored as reals in the boxes of the tree, three in each: a hull of f faces has at most 6 f
// edges, and 2 f nodes.
static real *hull_note(const hull_build *h, uint32_t i)
{
    return &h->note[i / 3].bound[2 * (i % 3)];
}

// Merges corners closer than the tolerance into that of lower index; edges of length zero remain, from it to itself.
static void hull_merge_points(hull_build *h)
{
    for (uint32_t f = 0; f < h->faces; f++) {
        for (uint32_t k = 0; k < h->face[f].edges; k++) {
            const uint32_t a = h->edge[h->face[f].first + k].point;
            const uint32_t b = h->edge[polyhedron_after(&h->face[f], k)].point;
            if (b <= a || v3_norm_inf(v3_sub(h->point[a], h->point[b])) > h->slack) { continue; }
            for (uint32_t e = 0; e < h->edges; e++) {
                if (h->edge[e].point == b) { h->edge[e].point = (uint16_t)a; }
            }
        }
    }
}

// The largest face without a group; TAC_NONE if there is none. face.d is its area.
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

// May face f join a group: does it share an edge with it, and is it flat in the plane of the group's first face?
static int hull_joins(const hull_build *h, uint32_t f, uint32_t group, uint32_t first)
{
    const vec3 n = h->face[first].n, from = h->point[h->edge[h->face[first].first].point];
    int touches = 0;
    for (uint32_t k = 0; k < h->face[f].edges; k++) {
        const tac_edge *e = &h->edge[h->face[f].first + k];
        if (real_abs(v3_dot(n, v3_sub(h->point[e->point], from))) > h->slack) { return 0; }
        touches = touches || *hull_group(h, e->across) == group;
    }
    return touches;
}

// Groups faces that are merged: the largest one takes all connected faces that are flat to it, then the largest of the
// rest.
static void hull_merge_faces(hull_build *h)
{
    for (uint32_t f = 0; f < h->faces; f++) {
        const tac_face *face = &h->face[f];
        const vec3 area = polyhedron_area(h->point, &h->edge[face->first], face->edges, h->size);
        h->face[f].n = v3_unit(area, V3_ZERO);
        h->face[f].d = v3_norm(area);
        *hull_group(h, f) = TAC_NONE;
        *hull_group(h, h->faces + f) = 0;
    }
    for (uint32_t first = hull_largest(h); first != TAC_NONE; first = hull_largest(h)) {
        const uint32_t group = h->groups++;
        *hull_group(h, first) = (uint16_t)group;
        for (uint32_t more = 1; more > 0;) { // each iteration adds a face, or is the last
            more = 0;
            for (uint32_t f = 0; f < h->faces; f++) {
                if (*hull_group(h, f) != TAC_NONE || !hull_joins(h, f, group, first)) { continue; }
                *hull_group(h, f) = (uint16_t)group;
                more++;
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

// The longest side of an outline.
static uint32_t hull_longest(const hull_build *h, uint32_t at, uint32_t sides)
{
    uint32_t longest = 0;
    real most = R(-1.0);
    for (uint32_t i = 0; i < sides; i++) {
        const real length = v3_norm(v3_sub(hull_corner(h, at, sides, i + 1), hull_corner(h, at, sides, i)));
        if (length > most) {
            most = length;
            longest = i;
        }
    }
    return longest;
}

// Is an outline thin, all within the tolerance of its longest side? Such a face has no plane of its own.
static int hull_thin(const hull_build *h, uint32_t at, uint32_t sides)
{
    if (sides < 3) { return 1; }
    const uint32_t longest = hull_longest(h, at, sides);
    const vec3 from = hull_corner(h, at, sides, longest);
    const vec3 along = v3_unit(v3_sub(hull_corner(h, at, sides, longest + 1), from), V3_ZERO);
    real width = R(0.0);
    for (uint32_t i = 0; i < sides; i++) {
        width = real_max(width, v3_norm(v3_cross(along, v3_sub(hull_corner(h, at, sides, i), from))));
    }
    return width <= h->slack;
}

// Is a corner of an outline concave by more than the flatness tolerance?
static int hull_dented(const hull_build *h, uint32_t at, uint32_t sides)
{
    const vec3 from = hull_corner(h, at, sides, 0);
    vec3 n = V3_ZERO;
    for (uint32_t i = 1; i + 1 < sides; i++) {
        const vec3 a = v3_sub(hull_corner(h, at, sides, i), from), b = v3_sub(hull_corner(h, at, sides, i + 1), from);
        n = v3_add(n, v3_cross(v3_scale(R(1.0) / h->size, a), v3_scale(R(1.0) / h->size, b)));
    }
    n = v3_unit(n, V3_ZERO);
    for (uint32_t i = 0; i < sides; i++) {
        if (polyhedron_dent(n, hull_corner(h, at, sides, i), hull_corner(h, at, sides, i + 1),
                            hull_corner(h, at, sides, i + 2)) > h->slack) {
            return 1;
        }
    }
    return 0;
}

// A thin group joins its neighbour at the longest side, which is flat to it; the last group takes its number.
static void hull_give_up(hull_build *h, uint32_t group, uint32_t at, uint32_t sides)
{
    const hull_side s = hull_outline(h, group);
    uint32_t to = s.face != TAC_NONE ? hull_beyond(h, s) : 0;
    if (sides > 0) { to = (uint32_t)hull_note(h, at + hull_longest(h, at, sides))[1]; }
    for (uint32_t f = 0; f < h->faces; f++) {
        if (*hull_group(h, f) == group) { *hull_group(h, f) = (uint16_t)to; }
    }
    h->groups--;
    for (uint32_t f = 0; f < h->faces; f++) {
        if (*hull_group(h, f) == h->groups) { *hull_group(h, f) = (uint16_t)group; }
    }
}

// A group with an outline that is not convex is split once: each of its faces becomes a group. On a shallow dome the
// faces that are flat to the largest one may have a zigzag outline. Returns 0 if there was nothing to split.
static int hull_take_apart(hull_build *h, uint32_t group)
{
    uint32_t faces = 0;
    for (uint32_t f = 0; f < h->faces; f++) {
        uint16_t *split = hull_group(h, h->faces + f);
        if (*hull_group(h, f) != group || *split) { continue; }
        *split = 1;
        if (faces++ > 0) { *hull_group(h, f) = (uint16_t)h->groups++; }
    }
    return faces > 1;
}

// Outlines of all groups. When a thin group joins another, or one that is not convex is split, it starts again: each
// face is split off once, and then groups become fewer. h->note[g].skip is the number of edges of group g. Returns the
// number of edges.
static uint32_t hull_note_all(hull_build *h)
{
    uint32_t at = 0;
    for (uint32_t g = 0; g < h->groups && h->groups >= 4; g++) {
        const uint32_t sides = hull_note_group(h, g, at);
        const int thin = hull_thin(h, at, sides);
        h->note[g].skip = (uint16_t)sides;
        if (thin) { hull_give_up(h, g, at, sides); }
        if (thin || (hull_dented(h, at, sides) && hull_take_apart(h, g))) {
            g = UINT32_MAX;
            at = 0;
        } else {
            at += sides;
        }
    }
    return at;
}

// ----------------------------------------------------------------------------------------------------------- the whole

// Makes the outlines faces and edges. Returns 0 if there are too few faces for a body.
static int hull_rewrite(hull_build *h)
{
    const uint32_t edges = hull_note_all(h);
    uint32_t at = 0;
    if (h->groups < 4) { return 0; }
    h->faces = h->groups;
    h->edges = edges;
    for (uint32_t i = 0; i < edges; i++) {
        const real *note = hull_note(h, i);
        h->edge[i] = (tac_edge){(uint16_t)note[0], (uint16_t)note[1]};
    }
    for (uint32_t f = 0; f < h->faces; f++) {
        h->face[f].first = (uint16_t)at;
        h->face[f].edges = h->note[f].skip;
        at += h->note[f].skip;
    }
    return 1;
}

// Stores the corners, in the order in which they were given, from m->point[first] on, and renumbers them in the edges.
// Returns their number, or 0 without room.
static uint32_t hull_corners(hull_build *h, tac_model *m, uint32_t first)
{
    uint32_t corners = 0, from = 0;
    for (;; corners++) {
        // old numbers from `from` on are those not yet in; a new number never exceeds the old one
        uint32_t least = TAC_NONE;
        for (uint32_t e = 0; e < h->edges; e++) {
            const uint32_t p = h->edge[e].point;
            if (p >= from && p < least) { least = p; }
        }
        if (least == TAC_NONE) { return corners; }
        h->full |= corners >= TAC_MAX_HULL_POINTS || first + corners >= TAC_MAX_POINTS;
        if (h->full) { return 0; }
        for (uint32_t e = 0; e < h->edges; e++) {
            if (h->edge[e].point == least) { h->edge[e].point = (uint16_t)corners; }
        }
        m->point[first + corners] = h->point[least];
        if (h->used.points == corners) { h->used.points++; }
        from = least + 1;
    }
}

// Planes of faces: normals of the polygons, moved outwards to the farthest corner of the hull.
static void hull_planes(const hull_build *h, const vec3 *point, uint32_t points)
{
    for (uint32_t f = 0; f < h->faces; f++) {
        tac_face *face = &h->face[f];
        face->n = v3_unit(polyhedron_area(point, &h->edge[face->first], face->edges, h->size), V3_ZERO);
        face->d = -REAL_LARGEST;
        for (uint32_t i = 0; i < points; i++) { face->d = real_max(face->d, v3_dot(face->n, point[i])); }
    }
}

// Are all points given below a face, those left out too? Of a body nearly as thin as the tolerance, a thin group may
// join a neighbour that is not flat to it.
static int hull_covers(const hull_build *h, const tac_face *face, real slack)
{
    real above = -REAL_LARGEST;
    for (uint32_t i = 0; i < h->count; i++) { above = real_max(above, v3_dot(face->n, h->point[i]) - face->d); }
    return above <= slack;
}

// Does the result bound a convex body with all points in it? Then all that the step relies on holds.
static int hull_good(const hull_build *h, const tac_model *m, const tac_polyhedron *p)
{
    int good = polyhedron_closed(p);
    for (uint32_t f = 0; good && f < p->faces; f++) {
        const tac_face *face = &m->face[p->first_face + f];
        good = face->edges >= 3 && v3_norm_inf(face->n) > R(0.5) && polyhedron_plane(m, p, f) &&
               hull_covers(h, face, polyhedron_slack(p));
        for (uint32_t k = 0; good && k < face->edges; k++) { good = polyhedron_joined(m, p, f, k); }
    }
    return good;
}

// The grid over the points. 0 if they are not finite or flat.
static int hull_begin(hull_build *h)
{
    vec3 high;
    for (uint32_t i = 0; i < h->count; i++) {
        if (!reals_finite(&h->point[i], sizeof h->point[i])) { return 0; }
    }
    polyhedron_bounds(h->point, h->count, &h->low, &high);
    const vec3 width = v3_sub(high, h->low);
    h->size = v3_norm_inf(width);
    h->slack = TAC_TOL_FLAT * h->size;
    h->scale = v3(HULL_CELLS / width.x, HULL_CELLS / width.y, HULL_CELLS / width.z);
    return real_finite(h->size) && reals_finite(&h->scale, sizeof h->scale) &&
           real_min(width.x, real_min(width.y, width.z)) > h->slack;
}

// The polyhedron from the faces of the exact hull; 0 if it is not valid.
static int hull_finish(hull_build *h, tac_model *m, tac_polyhedron *p)
{
    hull_merge_points(h);
    hull_merge_faces(h);
    const uint32_t corners = hull_rewrite(h) ? hull_corners(h, m, p->first_point) : 0;
    if (corners == 0) { return 0; }
    hull_planes(h, &m->point[p->first_point], corners);
    p->points = (uint16_t)corners;
    p->faces = (uint16_t)h->faces;
    p->edges = (uint16_t)h->edges;
    polyhedron_bounds(&m->point[p->first_point], corners, &p->low, &p->high);
    return hull_good(h, m, p);
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
    int good = 0;
    for (int turn = hull_begin(&h) ? HULL_TURNS : 0; turn > 0 && !good && !h.full; turn--) {
        good = hull_wrap_all(&h) && hull_finish(&h, m, &p);
        h.slack *= R(0.125);
    }
    bytes_clear(h.note, 2 * (size_t)h.used.faces * sizeof *h.note);
    return polyhedron_close(m, &p, &h.used, good ? TAC_OK : (h.full ? TAC_E_FULL : TAC_E_ARG));
}

#endif
