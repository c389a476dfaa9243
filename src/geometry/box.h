// SPDX-License-Identifier: MIT
// box.h - box against box: separating axes, then a clipped face or a pair of edges.
//   given   two placed boxes and the distance up to which contacts matter
//   makes   pair->point[]: up to four for a face contact, one for an edge or a corner
//   bound   15 axes, 4 clips of a polygon of at most 8 corners, 48 pairs of edges
//   never   picks an edge where a face is as good: resting boxes keep their features
#ifndef GEOMETRY_BOX_H
#define GEOMETRY_BOX_H

#include "points.h"

// Preferences for features that stay: a later kind of axis must be better by this part of the thinner box; a corner out
// of a face by this part of it still counts as within; a single nearest point must be this part of the gap it replaces.
#define BOX_SLACK R(0.005)
#define BOX_INSIDE R(0.01)
#define BOX_NEARER R(0.999)
#define BOX_ROUNDING (R(16.0) * REAL_EPSILON) // of the sizes: heights that differ by less are equal
#define BOX_PARALLEL R(1e-3)                  // sin^2 of the angle below which two edges make no axis
#define BOX_EDGE 0x8000u                      // marks the feature of an edge contact,
#define BOX_APART 0x4000u                     // of an edge against the rim of a face

#define BOX_OWN V3_AXIS

// Box b seen from box a.
typedef struct box_view {
    vec3 ha, hb;
    vec3 b[3]; // b's axes and
    vec3 t;    // b's centre in a's frame
} box_view;

static vec3 box_into(const vec3 axis[3], vec3 d)
{
    return v3(v3_dot(d, axis[0]), v3_dot(d, axis[1]), v3_dot(d, axis[2]));
}

static void box_look(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, box_view *out)
{
    vec3 axis_a[3], axis_b[3];
    quat_axes(a->pose.q, axis_a);
    quat_axes(b->pose.q, axis_b);
    out->ha = sa->size;
    out->hb = sb->size;
    out->t = box_into(axis_a, v3_sub(b->pose.p, a->pose.p));
    for (int i = 0; i < 3; i++) { out->b[i] = box_into(axis_a, axis_b[i]); }
}

// Half width of a box along an axis that has these components in its frame.
static real box_width(vec3 h, vec3 n)
{
    return h.x * real_abs(n.x) + h.y * real_abs(n.y) + h.z * real_abs(n.z);
}

// Axis k of the fifteen, in a's frame: faces of a, faces of b, products of edges. 0 if the edges are parallel.
static int box_axis(const box_view *p, int k, vec3 *n)
{
    if (k < 3) {
        *n = points_unit_axis(k, R(1.0));
    } else if (k < 6) {
        *n = p->b[k - 3];
    } else {
        const vec3 cross = v3_cross(points_unit_axis((k - 6) / 3, R(1.0)), p->b[(k - 6) % 3]);
        const real sin2 = v3_dot(cross, cross);
        if (sin2 < BOX_PARALLEL) { return 0; }
        *n = v3_scale(R(1.0) / real_sqrt(sin2), cross);
    }
    return 1;
}

// The axis of largest separation, pointing from a to b. Faces of b, and then edges, must be better by the slack.
static int box_separate(const box_view *p, vec3 *normal, real *separation)
{
    const real slack = BOX_SLACK * real_min(shape_thickness(TAC_BOX, p->ha), shape_thickness(TAC_BOX, p->hb));
    int best = -1;
    real limit = R(0.0);
    for (int k = 0; k < 15; k++) {
        vec3 n;
        if (k == 3 || k == 6) { limit = *separation + slack; }
        if (!box_axis(p, k, &n)) { continue; }
        const real t = v3_dot(p->t, n), s = real_abs(t) - box_width(p->ha, n) - box_width(p->hb, box_into(p->b, n));
        if (best >= 0 && !(s > limit)) { continue; }
        best = k;
        limit = *separation = s;
        *normal = v3_scale(t < R(0.0) ? R(-1.0) : R(1.0), n);
    }
    return best;
}

// -------------------------------------------------------------------------------------------------------- face contact

// Sutherland-Hodgman against one side of the reference face: sign * (u or v) <= h. Its edges are
// labelled 4 + side.
static int box_clip(const tac_corner *in, int count, int side, real h, tac_corner *out)
{
    const int along_v = side & 1;
    const real sign = side & 2 ? R(-1.0) : R(1.0), limit = h + BOX_INSIDE * h;
    int made = 0;
    for (int i = 0; i < count; i++) {
        const tac_corner *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        const real xa = sign * (along_v ? a->v : a->u), xb = sign * (along_v ? b->v : b->u);
        if (xa <= limit && made < TAC_PAIR_POINTS) { out[made++] = *a; }
        if ((xa <= limit) != (xb <= limit) && made < TAC_PAIR_POINTS) {
            const real t = real_clamp((h - xa) / (xb - xa), R(0.0), R(1.0));
            out[made++] = (tac_corner){a->u + t * (b->u - a->u), a->v + t * (b->v - a->v),
                                       a->gap + t * (b->gap - a->gap), xa <= limit ? (uint16_t)(4 + side) : a->edge, 0};
        }
    }
    return made;
}

// Corners of b's face that looks most against a's face (axis, sign), in turn. Returns which face that is, 0 .. 5.
static int box_incident(const box_view *p, int axis, real sign, tac_corner *corner)
{
    int k = 0;
    for (int j = 1; j < 3; j++) {
        if (real_abs(points_get(p->b[j], axis)) > real_abs(points_get(p->b[k], axis))) { k = j; }
    }
    const real facing = sign * points_get(p->b[k], axis) > R(0.0) ? R(-1.0) : R(1.0);
    const int e1 = (k + 1) % 3, e2 = (k + 2) % 3;
    const vec3 middle = v3_madd(p->t, facing * points_get(p->hb, k), p->b[k]);
    for (int c = 0; c < 4; c++) {
        const real s1 = c == 1 || c == 2 ? points_get(p->hb, e1) : -points_get(p->hb, e1);
        const real s2 = c >= 2 ? points_get(p->hb, e2) : -points_get(p->hb, e2);
        const vec3 x = v3_madd(v3_madd(middle, s1, p->b[e1]), s2, p->b[e2]);
        corner[c] = (tac_corner){points_get(x, (axis + 1) % 3), points_get(x, (axis + 2) % 3),
                                 sign * points_get(x, axis) - points_get(p->ha, axis), (uint16_t)c, 0};
    }
    return 2 * k + (facing > R(0.0));
}

// Which four of the corners: the deepest, the one farthest from it, then those that span most area on either side.
static uint32_t box_choose_four(const tac_corner *c, int count)
{
    if (count <= 4) { return 15; }
    int first = 0, second = 0, left = 0, right = 0;
    real farthest = R(-1.0), most_left = R(0.0), most_right = R(0.0);
    for (int i = 1; i < count; i++) { first = c[i].gap < c[first].gap ? i : first; }
    for (int i = 0; i < count; i++) {
        const real u = c[i].u - c[first].u, v = c[i].v - c[first].v;
        if (u * u + v * v > farthest) {
            farthest = u * u + v * v;
            second = i;
        }
    }
    left = right = first;
    for (int i = 0; i < count; i++) {
        const real area =
            (c[second].u - c[first].u) * (c[i].v - c[first].v) - (c[second].v - c[first].v) * (c[i].u - c[first].u);
        if (area > most_left) {
            most_left = area;
            left = i;
        } else if (area < most_right) {
            most_right = area;
            right = i;
        }
    }
    return 1u << first | 1u << second | 1u << left | 1u << right;
}

// Contacts between the face (axis, sign) of a and box b. A corner is named by the two edges that meet in it and by both
// faces; `outward` is the sign that turns the face's normal into the contact's.
static void box_face(const box_view *p, int axis, real sign, const tac_pose *frame, real outward, real reach,
                     tac_pair *out)
{
    tac_corner *a = out->corner[0], *b = out->corner[1];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const uint32_t incident = (uint32_t)box_incident(p, axis, sign, a);
    int count = 4;
    for (int side = 0; side < 4; side++) {
        count = box_clip(a, count, side, points_get(p->ha, side & 1 ? v : u), b);
        a = out->corner[(side + 1) & 1];
        b = out->corner[side & 1];
    }

    const uint32_t faces = (uint32_t)(2 * axis + (sign > R(0.0)) + (outward > R(0.0) ? 0 : 6));
    int near = 0;
    uint32_t before = count > 0 ? a[count - 1].edge : 0;
    for (int i = 0; i < count; i++) {
        const uint32_t edge = a[i].edge;
        if (a[i].gap <= reach) {
            b[near] = a[i];
            b[near++].feature = (uint16_t)(faces << 9 | incident << 6 | before << 3 | edge);
        }
        before = edge;
    }

    const uint32_t keep = box_choose_four(b, near);
    const vec3 normal = points_unit_axis(axis, sign), n = quat_rotate(frame->q, v3_scale(outward, normal));
    for (int i = 0; i < near; i++) {
        if (!(keep >> i & 1)) { continue; }
        const vec3 on_face =
            v3_madd(v3_scale(b[i].u, points_unit_axis(u, R(1.0))), b[i].v, points_unit_axis(v, R(1.0)));
        const vec3 x = v3_madd(on_face, points_get(p->ha, axis) + R(0.5) * b[i].gap, normal);
        points_put(out, v3_add(frame->p, quat_rotate(frame->q, x)), n, b[i].gap, b[i].feature);
    }
}

// -------------------------------------------------------------------------------------------------------- edge contact

// The corner of a box (axes and sizes) that is extreme along n; `which` collects its three signs.
static vec3 box_extreme(const vec3 axis[3], vec3 h, vec3 n, uint32_t *which)
{
    vec3 x = V3_ZERO;
    *which = 0;
    for (int k = 0; k < 3; k++) {
        const int up = v3_dot(axis[k], n) >= R(0.0);
        x = v3_madd(x, up ? points_get(h, k) : -points_get(h, k), axis[k]);
        *which |= (uint32_t)up << k;
    }
    return x;
}

// Nearest points of the lines that carry edge i of a and edge j of b, halfway between. An edge is named by its
// direction and by its corner's signs along the other two.
static void box_edge(const box_view *p, int i, int j, vec3 n, real gap, const tac_pose *frame, tac_pair *out)
{
    uint32_t at_a, at_b;
    const vec3 pa = box_extreme(BOX_OWN, p->ha, n, &at_a);
    const vec3 pb = v3_add(p->t, box_extreme(p->b, p->hb, v3_scale(R(-1.0), n), &at_b));

    // along a's edge to where the plane through b's edge and n cuts it
    const vec3 cross = v3_cross(BOX_OWN[i], p->b[j]);
    const real s = v3_dot(v3_cross(v3_sub(pb, pa), p->b[j]), cross) / v3_dot(cross, cross);
    const vec3 x = v3_madd(v3_madd(pa, s, BOX_OWN[i]), R(0.5) * gap, n);
    const uint32_t edge_a = (uint32_t)i << 3 | (at_a & ~(1u << i)), edge_b = (uint32_t)j << 3 | (at_b & ~(1u << j));
    points_put(out, v3_add(frame->p, quat_rotate(frame->q, x)), quat_rotate(frame->q, n), gap,
               BOX_EDGE | edge_a << 5 | edge_b);
}

// ------------------------------------------------------------------------------------- boxes apart, past a face's rim
// All of b is above the plane of a's face by `separation`. Where b is nearest to the face itself, a corner of b is
// above it and lowest, and the clip has found it. Else b is nearest to the rim, with one of its edges.

// Edge k of a box with these axes: 0 .. 11, four in each direction. Returns its centre, `half` along it.
static vec3 box_edge_of(const vec3 axis[3], vec3 h, int k, vec3 *half)
{
    const int d = k >> 2, e = (d + 1) % 3, f = (d + 2) % 3;
    *half = v3_scale(points_get(h, d), axis[d]);
    const vec3 x = v3_scale(k & 1 ? points_get(h, e) : -points_get(h, e), axis[e]);
    return v3_madd(x, k & 2 ? points_get(h, f) : -points_get(h, f), axis[f]);
}

// Replaces the points found by the nearest of edge and rim, if it is nearer than all of them.
static void box_rim(const box_view *p, int axis, real sign, const tac_pose *frame, real outward, tac_pair *out)
{
    const real rounding = BOX_ROUNDING * (v3_norm_inf(p->ha) + v3_norm_inf(p->hb));
    real nearest = R(0.0), limit = REAL_LARGEST; // edges that share a corner are equally near: the first one counts
    vec3 at = V3_ZERO, n = V3_Z;
    uint32_t feature = 0;
    for (int i = 0; i < 12; i++) {
        vec3 da, db;
        const vec3 ca = box_edge_of(BOX_OWN, p->ha, i, &da);
        if (!(sign * points_get(ca, axis) > R(0.5) * points_get(p->ha, axis))) { continue; } // not on the rim
        for (int j = 0; j < 12; j++) {
            real t, s;
            const vec3 r = v3_sub(v3_add(p->t, box_edge_of(p->b, p->hb, j, &db)), ca);
            points_segments(r, da, db, &t, &s);
            const vec3 x = v3_madd(ca, t, da), d = v3_sub(v3_add(ca, v3_madd(r, s, db)), x);
            const real distance = v3_norm(d);
            if (!(distance < limit)) { continue; }
            nearest = distance;
            limit = distance - rounding;
            at = v3_madd(x, R(0.5), d);
            n = d;
            feature = BOX_APART | (uint32_t)(i << 4 | j);
        }
    }
    for (int i = 0; i < out->points; i++) {
        if (BOX_NEARER * out->point[i].gap <= nearest) { return; }
    }
    out->points = 0;
    points_put(out, v3_add(frame->p, quat_rotate(frame->q, at)),
               quat_rotate(frame->q, v3_scale(outward, v3_unit(n, points_unit_axis(axis, sign)))), nearest, feature);
}

// A face of a against b, and the rim where the lowest of b lies past it.
static void box_near(const box_view *p, int axis, real sign, real separation, const tac_pose *frame, real outward,
                     real reach, tac_pair *out)
{
    box_face(p, axis, sign, frame, outward, reach, out);
    if (!(separation > R(0.0))) { return; }
    const real rounding = BOX_ROUNDING * (v3_norm_inf(p->ha) + v3_norm_inf(p->hb));
    for (int i = 0; i < out->points; i++) {
        if (out->point[i].gap <= separation + rounding) { return; }
    }
    box_rim(p, axis, sign, frame, outward, out);
}

static void box_box(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, real reach,
                    tac_pair *out)
{
    box_view view;
    vec3 n = V3_Z;
    real separation = R(0.0);
    box_look(a, sa, b, sb, &view);
    const int k = box_separate(&view, &n, &separation);
    if (separation > reach) { return; }
    if (k >= 6) {
        box_edge(&view, (k - 6) / 3, (k - 6) % 3, n, separation, &a->pose, out);
    } else if (k >= 3) { // the face is b's: a is seen from b, on the other side
        box_look(b, sb, a, sa, &view);
        const real side = points_get(view.t, k - 3) < R(0.0) ? R(-1.0) : R(1.0);
        box_near(&view, k - 3, side, separation, &b->pose, R(-1.0), reach, out);
    } else {
        box_near(&view, k, points_get(n, k), separation, &a->pose, R(1.0), reach, out);
    }
}

#endif
