// SPDX-License-Identifier: MIT
// box.h - box against box: separating axes, then a clipped face or a pair of edges.
//   given   two placed boxes and the distance up to which contacts matter
//   makes   points[]: up to four for a face contact, one for an edge contact
//   bound   15 axes, 4 clips of a polygon of at most 8 corners
//   never   picks an edge where a face is as good: resting boxes keep their features
#ifndef GEOMETRY_BOX_H
#define GEOMETRY_BOX_H

#include "points.h"

#define BOX_SLACK R(0.005)   // of the thinner box: how much better a later axis must be
#define BOX_INSIDE R(0.01)   // of the face: how far out a corner still counts as within, so that aligned faces keep theirs
#define BOX_PARALLEL R(1e-3) // sin^2 of the angle below which two edges make no axis

// Box b seen from box a.
typedef struct box_pair {
    vec3 ha, hb;
    real r[3][3]; // r[i][j] = a_i . b_j
    vec3 t;       // from a's centre to b's, in a's frame
} box_pair;

typedef struct box_axis {
    real separation;
    int a, b;  // face of a (b < 0), face of b (a < 0), or edges a and b
    real sign; // which side b lies on
} box_axis;

static real box_row(const box_pair *p, int i, vec3 h)
{
    return h.x * real_abs(p->r[i][0]) + h.y * real_abs(p->r[i][1]) + h.z * real_abs(p->r[i][2]);
}

static real box_column(const box_pair *p, int j, vec3 h)
{
    return h.x * real_abs(p->r[0][j]) + h.y * real_abs(p->r[1][j]) + h.z * real_abs(p->r[2][j]);
}

static vec3 box_axis_of_b(const box_pair *p, int j)
{
    return v3(p->r[0][j], p->r[1][j], p->r[2][j]);
}

// Half widths of both boxes along the unit axis n of a's frame.
static real box_widths(const box_pair *p, vec3 n)
{
    const vec3 m = v3(v3_dot(n, box_axis_of_b(p, 0)), v3_dot(n, box_axis_of_b(p, 1)), v3_dot(n, box_axis_of_b(p, 2)));
    return p->ha.x * real_abs(n.x) + p->ha.y * real_abs(n.y) + p->ha.z * real_abs(n.z) + p->hb.x * real_abs(m.x) +
           p->hb.y * real_abs(m.y) + p->hb.z * real_abs(m.z);
}

static vec3 box_edge_normal(const box_pair *p, int i, int j, real *sin2)
{
    const vec3 n = v3_cross(points_unit_axis(i, R(1.0)), box_axis_of_b(p, j));
    *sin2 = v3_dot(n, n);
    return n;
}

// The axis of largest separation; faces of a, then of b, then edges, each only if clearly better than what came before.
static box_axis box_separate(const box_pair *p)
{
    const real slack = BOX_SLACK * real_min(shape_thickness(TAC_BOX, p->ha), shape_thickness(TAC_BOX, p->hb));
    box_axis best = {R(0.0), -1, -1, R(1.0)};
    for (int i = 0; i < 3; i++) {
        const real t = points_get(p->t, i), s = real_abs(t) - points_get(p->ha, i) - box_row(p, i, p->hb);
        if (best.a < 0 || s > best.separation) { best = (box_axis){s, i, -1, t < R(0.0) ? R(-1.0) : R(1.0)}; }
    }
    real limit = best.separation + slack;
    for (int j = 0; j < 3; j++) {
        const real t = v3_dot(p->t, box_axis_of_b(p, j)), s = real_abs(t) - points_get(p->hb, j) - box_column(p, j, p->ha);
        if (s > limit) {
            best = (box_axis){s, -1, j, t < R(0.0) ? R(-1.0) : R(1.0)};
            limit = s;
        }
    }
    limit = best.separation + slack;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            real sin2;
            const vec3 cross = box_edge_normal(p, i, j, &sin2);
            if (sin2 < BOX_PARALLEL) { continue; }
            const vec3 n = v3_scale(R(1.0) / real_sqrt(sin2), cross);
            const real t = v3_dot(p->t, n), s = real_abs(t) - box_widths(p, n);
            if (s > limit) {
                best = (box_axis){s, i, j, t < R(0.0) ? R(-1.0) : R(1.0)};
                limit = s;
            }
        }
    }
    return best;
}

// -------------------------------------------------------------------------------------------------------- face contact

// A corner of the polygon that is being clipped: place on the reference face, height above it, and the label of the edge
// that leaves it (0 .. 3: of the incident face, 4 .. 7: made by a side of the reference face).
typedef struct box_corner {
    real u, v, gap;
    int edge;
} box_corner;

static box_corner box_between(box_corner a, box_corner b, real t, int edge)
{
    return (box_corner){a.u + t * (b.u - a.u), a.v + t * (b.v - a.v), a.gap + t * (b.gap - a.gap), edge};
}

// Sutherland-Hodgman against one side: sign * (u or v) <= h.
static int box_clip(const box_corner *in, int count, int along_v, real sign, real h, int label, box_corner *out)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const box_corner a = in[i], b = in[i + 1 < count ? i + 1 : 0];
        const real xa = sign * (along_v ? a.v : a.u), xb = sign * (along_v ? b.v : b.u);
        const real limit = h + BOX_INSIDE * h;
        const int a_in = xa <= limit, b_in = xb <= limit;
        if (a_in && made < POINTS_MAX) { out[made++] = a; }
        if (a_in != b_in && made < POINTS_MAX) {
            const real t = real_clamp((h - xa) / (xb - xa), R(0.0), R(1.0));
            out[made++] = box_between(a, b, t, a_in ? label : a.edge);
        }
    }
    return made;
}

// Reference face: axis and side of the box `h`; the other box given by centre, axes (both in the reference frame), sizes.
typedef struct box_face {
    vec3 h;
    int axis;
    real sign;
    vec3 centre, other[3], size;
} box_face;

// Corners of the other box's face that looks most against the reference normal, in turn. Returns that face, 0 .. 5.
static int box_incident(const box_face *f, box_corner corner[4])
{
    int k = 0;
    real most = R(-1.0);
    for (int j = 0; j < 3; j++) {
        const real against = real_abs(points_get(f->other[j], f->axis));
        if (against > most) {
            most = against;
            k = j;
        }
    }
    const real facing = f->sign * points_get(f->other[k], f->axis) > R(0.0) ? R(-1.0) : R(1.0);
    const int e1 = (k + 1) % 3, e2 = (k + 2) % 3, u = (f->axis + 1) % 3, v = (f->axis + 2) % 3;
    const vec3 middle = v3_madd(f->centre, facing * points_get(f->size, k), f->other[k]);
    const vec3 d1 = v3_scale(points_get(f->size, e1), f->other[e1]), d2 = v3_scale(points_get(f->size, e2), f->other[e2]);
    for (int c = 0; c < 4; c++) {
        const vec3 x = v3_madd(v3_madd(middle, c == 1 || c == 2 ? R(1.0) : R(-1.0), d1), c >= 2 ? R(1.0) : R(-1.0), d2);
        corner[c] = (box_corner){points_get(x, u), points_get(x, v),
                                 f->sign * points_get(x, f->axis) - points_get(f->h, f->axis), c};
    }
    return 2 * k + (facing > R(0.0));
}

static real box_area(box_corner a, box_corner b, box_corner c)
{
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// Which four of the corners: the deepest, the one farthest from it, then the ones that span most area on either side.
static void box_choose_four(const box_corner *c, int count, int keep[POINTS_MAX])
{
    int first = 0, second = 0, left = -1, right = -1;
    for (int i = 0; i < count; i++) {
        keep[i] = count <= 4;
        if (c[i].gap < c[first].gap) { first = i; }
    }
    if (count <= 4) { return; }
    real farthest = R(-1.0), most_left = R(0.0), most_right = R(0.0);
    for (int i = 0; i < count; i++) {
        const real du = c[i].u - c[first].u, dv = c[i].v - c[first].v, d2 = du * du + dv * dv;
        if (d2 > farthest) {
            farthest = d2;
            second = i;
        }
    }
    for (int i = 0; i < count; i++) {
        const real area = box_area(c[first], c[second], c[i]);
        if (area > most_left) {
            most_left = area;
            left = i;
        }
        if (area < most_right) {
            most_right = area;
            right = i;
        }
    }
    keep[first] = keep[second] = 1;
    if (left >= 0) { keep[left] = 1; }
    if (right >= 0) { keep[right] = 1; }
}

// Contacts of a reference face. `frame` places the reference box in the world, `outward` is 1 if it is box a, else -1.
static void box_face_points(const box_face *f, tac_pose frame, real outward, real reach, uint16_t faces, points *out)
{
    const int u = (f->axis + 1) % 3, v = (f->axis + 2) % 3;
    const real hu = points_get(f->h, u), hv = points_get(f->h, v);
    box_corner a[POINTS_MAX], b[POINTS_MAX];
    const int incident = box_incident(f, a);
    int count = box_clip(a, 4, 0, R(1.0), hu, 4, b);
    count = box_clip(b, count, 1, R(1.0), hv, 5, a);
    count = box_clip(a, count, 0, R(-1.0), hu, 6, b);
    count = box_clip(b, count, 1, R(-1.0), hv, 7, a);

    uint16_t feature[POINTS_MAX];
    int near = 0;
    for (int i = 0; i < count; i++) {
        const int before = a[i > 0 ? i - 1 : count - 1].edge;
        feature[i] = (uint16_t)(faces << 9 | incident << 6 | before << 3 | a[i].edge);
    }
    for (int i = 0; i < count; i++) {
        if (a[i].gap > reach) { continue; }
        feature[near] = feature[i];
        a[near++] = a[i];
    }

    int keep[POINTS_MAX];
    box_choose_four(a, near, keep);
    const vec3 axis = points_unit_axis(f->axis, f->sign);
    const vec3 n = quat_rotate(frame.q, v3_scale(outward, axis));
    for (int i = 0; i < near; i++) {
        if (!keep[i]) { continue; }
        const vec3 x = v3_add(v3_scale(points_get(f->h, f->axis) + R(0.5) * a[i].gap, axis),
                              v3_add(v3_scale(a[i].u, points_unit_axis(u, R(1.0))), v3_scale(a[i].v, points_unit_axis(v, R(1.0)))));
        points_add(out, (point){v3_add(frame.p, quat_rotate(frame.q, x)), n, a[i].gap, feature[i]});
    }
}

// -------------------------------------------------------------------------------------------------------- edge contact

#define BOX_EDGE 0x8000 // marks the feature of an edge contact

// The corner of a box that is extreme along n (both in one frame).
static vec3 box_extreme(const vec3 axis[3], vec3 h, vec3 n, int *which)
{
    vec3 x = V3_ZERO;
    *which = 0;
    for (int k = 0; k < 3; k++) {
        const int up = v3_dot(axis[k], n) >= R(0.0);
        x = v3_madd(x, up ? points_get(h, k) : -points_get(h, k), axis[k]);
        *which |= up << k;
    }
    return x;
}

// Nearest points of the two lines that carry the edges, halfway between.
static void box_edge_point(const box_pair *p, const box_axis *best, tac_pose frame, points *out)
{
    static const vec3 own[3] = {{R(1.0), R(0.0), R(0.0)}, {R(0.0), R(1.0), R(0.0)}, {R(0.0), R(0.0), R(1.0)}};
    const vec3 other[3] = {box_axis_of_b(p, 0), box_axis_of_b(p, 1), box_axis_of_b(p, 2)};
    real sin2;
    const vec3 cross = box_edge_normal(p, best->a, best->b, &sin2);
    const vec3 n = v3_scale(best->sign / real_sqrt(sin2), cross);
    int corner_a, corner_b;
    const vec3 pa = box_extreme(own, p->ha, n, &corner_a);
    const vec3 pb = v3_add(p->t, box_extreme(other, p->hb, v3_scale(R(-1.0), n), &corner_b));

    // along a's edge to where the plane through b's edge and n cuts it
    const vec3 ua = own[best->a], ub = other[best->b];
    const real s = v3_dot(v3_cross(v3_sub(pb, pa), ub), v3_cross(ua, ub)) / sin2;
    const vec3 x = v3_madd(v3_madd(pa, s, ua), R(0.5) * best->separation, n);
    const int edge_a = best->a << 3 | (corner_a & ~(1 << best->a)), edge_b = best->b << 3 | (corner_b & ~(1 << best->b));
    points_add(out, (point){v3_add(frame.p, quat_rotate(frame.q, x)), quat_rotate(frame.q, n), best->separation,
                            (uint16_t)(BOX_EDGE | edge_a << 5 | edge_b)});
}

static void box_box(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, real reach, points *out)
{
    vec3 axis_a[3], axis_b[3];
    quat_axes(a->pose.q, axis_a);
    quat_axes(b->pose.q, axis_b);
    const vec3 d = v3_sub(b->pose.p, a->pose.p);
    box_pair p = {sa->size, sb->size, {{R(0.0)}}, v3(v3_dot(d, axis_a[0]), v3_dot(d, axis_a[1]), v3_dot(d, axis_a[2]))};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) { p.r[i][j] = v3_dot(axis_a[i], axis_b[j]); }
    }

    const box_axis best = box_separate(&p);
    if (best.separation > reach) { return; }
    if (best.a >= 0 && best.b >= 0) {
        box_edge_point(&p, &best, a->pose, out);
    } else if (best.a >= 0) {
        const box_face f = {p.ha, best.a, best.sign, p.t, {box_axis_of_b(&p, 0), box_axis_of_b(&p, 1), box_axis_of_b(&p, 2)}, p.hb};
        box_face_points(&f, a->pose, R(1.0), reach, (uint16_t)(2 * best.a + (best.sign > R(0.0))), out);
    } else { // the reference is b: a is seen from b, on the other side
        const vec3 centre = v3(-v3_dot(d, axis_b[0]), -v3_dot(d, axis_b[1]), -v3_dot(d, axis_b[2]));
        const box_face f = {p.hb, best.b, -best.sign, centre,
                            {{p.r[0][0], p.r[0][1], p.r[0][2]}, {p.r[1][0], p.r[1][1], p.r[1][2]}, {p.r[2][0], p.r[2][1], p.r[2][2]}},
                            p.ha};
        box_face_points(&f, b->pose, R(-1.0), reach, (uint16_t)(6 + 2 * best.b + (best.sign > R(0.0))), out);
    }
}

#endif
