// SPDX-License-Identifier: MIT
// curvature.h - how the surfaces of two shapes curve where they touch, and how the contact moves over them.
//   given   a shape, its pose, a contact point on it and the normal there; velocities at the contact
//   makes   curvature_surface: principal directions, a curvature and a radius along each; the slip of the contact over
//           both surfaces, the rate of the normal
//   bound   constant; for a hull its faces
//   never   divides by a curvature or a radius: a plane has no radius, and an edge no curvature
#ifndef GEOMETRY_CURVATURE_H
#define GEOMETRY_CURVATURE_H

#include "support.h"

// How a contact moves: velocities over both surfaces; the rate by which its normal turns relative to a.
typedef struct curvature_motion {
    vec3 slip[2], turn;
} curvature_motion;

// Where the point of contact moves over a surface by `radius` along a principal direction t, the outward normal turns
// towards t by `bend`. A ball has (bend, radius) = (1, r), a plane (0, 1), an edge across itself and a vertex (1, 0);
// of a surface that is offset by d the radius is larger by bend d. Terrain counts as a plane.
typedef struct curvature_surface {
    vec3 along[2];  // 1  principal directions, square to each other and to the normal
    real bend[2];   // 1
    real radius[2]; // m
    uint8_t faced;  // 1: on an edge, with the normal of a face beside it
} curvature_surface;

// Of the size: a point nearer to an edge is on it. Sines: of the angle of two faces of a hull up to which they are one,
// of an axis to the normal below which it gives no direction, of two edges below which they are parallel.
#define CURVATURE_EDGE (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-6)) // of the size: a point nearer to an edge is on it
#define CURVATURE_FOLD R(1e-3) // sine of the angle of two faces of a hull up to which they are one
#define CURVATURE_SMALL R(1e-3) // sine of the angle to the normal below which an axis gives no direction
#define CURVATURE_FACE (R(1.0) - R(5e-7)) // cosine of the angle up to which a normal is that of a face
#define CURVATURE_PIVOT R(1e-5) // of its size: a smaller determinant, of two edges that are parallel, has no inverse

// Principal directions: `axis` as it is seen along d, and the one across it.
static void curvature_frame(curvature_surface *c, vec3 axis, vec3 d)
{
    const vec3 flat = v3_madd(axis, -v3_dot(axis, d), d);
    c->along[0] = v3_norm(flat) > CURVATURE_SMALL ? v3_unit(flat, flat) : v3_normal_to(d);
    c->along[1] = v3_cross(d, c->along[0]);
}

static void curvature_set(curvature_surface *c, int i, real bend, real radius)
{
    c->bend[i] = bend;
    c->radius[i] = radius;
}

// Along an edge and across it: sharp, or straight.
static void curvature_edge(curvature_surface *c, vec3 axis, vec3 d, int along, int across)
{
    curvature_frame(c, axis, d);
    c->faced = 0;
    curvature_set(c, 0, along ? R(1.0) : R(0.0), along ? R(0.0) : R(1.0));
    curvature_set(c, 1, across ? R(1.0) : R(0.0), across ? R(0.0) : R(1.0));
}

// --------------------------------------------------------------------------------------------------- by kind of shape
// Cores, in the frame of the shape; y is a point on the surface, d the outward unit normal there. A point on an edge
// belongs to the edge: a face that another body lies on is carried at its edges and corners.

static void curvature_box(vec3 half, vec3 y, vec3 d, real slack, curvature_surface *c)
{
    const real beyond[3] = {real_abs(y.x) - half.x, real_abs(y.y) - half.y, real_abs(y.z) - half.z};
    int sides = 0, straight = 0;
    for (int k = 0; k < 3; k++) {
        if (beyond[k] >= -slack) {
            sides++;
        } else {
            straight = k;
        }
    }
    curvature_edge(c, V3_AXIS[straight], d, sides == 3, sides >= 2);
    c->faced = v3_norm_inf(d) > CURVATURE_FACE;
}

// The faces that the point is on: one, two that meet at an edge, or more at a corner.
static void curvature_hull(const tac_model *m, const tac_polyhedron *h, vec3 y, vec3 d, real slack,
                           curvature_surface *c)
{
    vec3 first = V3_ZERO, edge = d;
    int sides = 0, faced = 0;
    for (const tac_face *f = &m->face[h->first_face], *end = f + h->faces; f < end; f++) {
        const vec3 across = v3_cross(first, f->n);
        if (real_abs(v3_dot(f->n, y) - f->d) > slack) { continue; }
        faced |= v3_dot(f->n, d) > CURVATURE_FACE;
        if (sides == 0) {
            first = f->n;
            sides = 1;
        } else if (sides == 1 && v3_norm(across) > CURVATURE_FOLD) {
            edge = v3_unit(across, d);
            sides = 2;
        } else if (sides == 2 && real_abs(v3_dot(edge, f->n)) > CURVATURE_FOLD) {
            sides = 3;
        }
    }
    curvature_edge(c, edge, d, sides == 3, sides >= 2);
    c->faced = (uint8_t)faced;
}

// A surface of revolution about z: straight or sharp along its profile; around the axis at the radius `out` the normal
// turns by its own part across the axis.
static void curvature_revolution(vec3 y, vec3 d, int sharp, real slack, curvature_surface *c)
{
    const real out = real_sqrt(y.x * y.x + y.y * y.y), across2 = d.x * d.x + d.y * d.y;
    const int upright = across2 <= SUPPORT_UPRIGHT * d.z * d.z;
    const vec3 radial =
        out > slack ? v3_scale(R(1.0) / out, v3(y.x, y.y, R(0.0))) : v3_unit(v3(d.x, d.y, R(0.0)), V3_AXIS[0]);
    curvature_edge(c, v3(-radial.y, radial.x, R(0.0)), d, 0, sharp);
    c->faced = real_abs(d.z) > CURVATURE_FACE;
    if (out > slack) {
        curvature_set(c, 0, upright ? R(0.0) : real_sqrt(across2), out);
    } else if (sharp) {
        curvature_set(c, 0, R(1.0), R(0.0));
    }
}

static void curvature_cylinder(vec3 half, vec3 y, vec3 d, real slack, curvature_surface *c)
{
    const int end = real_abs(y.z) >= half.z - slack, side = real_sqrt(y.x * y.x + y.y * y.y) >= half.x - slack;
    curvature_revolution(y, d, end && side, slack, c);
}

static void curvature_cone(vec3 half, vec3 y, vec3 d, real slack, curvature_surface *c)
{
    const real side = half.x * (half.z - y.z) / (R(2.0) * half.z);
    const int rim = y.z <= slack - half.z && real_sqrt(y.x * y.x + y.y * y.y) >= side - slack;
    curvature_revolution(y, d, rim || y.z >= half.z - slack, slack, c);
}

// With A = diag(1/half) the normal at y is A^2 y/|A^2 y|, so that |A^2 y| = 1/|half d|, and it turns by P A^2 P/|A^2 y|
// with P the projection along d.
static void curvature_ellipsoid(vec3 half, vec3 d, curvature_surface *c)
{
    const vec3 a2 = v3(R(1.0) / (half.x * half.x), R(1.0) / (half.y * half.y), R(1.0) / (half.z * half.z));
    const real size = v3_norm(v3_mul(half, d));
    curvature_frame(c, V3_Z, d);
    c->faced = 0;
    const vec3 p = c->along[0], q = c->along[1];
    const real pp = v3_dot(v3_mul(a2, p), p), pq = v3_dot(v3_mul(a2, p), q), qq = v3_dot(v3_mul(a2, q), q);
    const real half_sum = R(0.5) * (pp + qq), apart = R(0.5) * (pp - qq), root = real_sqrt(apart * apart + pq * pq);
    const vec3 steep =
        apart < R(0.0) ? v3_madd(v3_scale(pq, p), root - apart, q) : v3_madd(v3_scale(apart + root, p), pq, q);
    c->along[0] = v3_unit(steep, p);
    c->along[1] = v3_cross(d, c->along[0]);
    curvature_set(c, 0, R(1.0), R(1.0) / (size * (half_sum + root)));
    curvature_set(c, 1, R(1.0), R(1.0) / (size * (pp * qq - pq * pq) / (half_sum + root)));
}

static void curvature_convex(const tac_model *m, const tac_shape *s, vec3 y, vec3 d, real slack, curvature_surface *c)
{
    switch (s->kind) {
    case TAC_CYLINDER:
        curvature_cylinder(s->size, y, d, slack, c);
        break;
    case TAC_CONE:
        curvature_cone(s->size, y, d, slack, c);
        break;
    case TAC_ELLIPSOID:
        curvature_ellipsoid(s->size, d, c);
        break;
    default: // its faces are flat to a tolerance
        curvature_hull(m, &m->polyhedron[s->data], y, d, R(4.0) * TAC_TOL_FLAT * shape_radius(m, s) + slack, c);
    }
}

static void curvature_core(const tac_model *m, const tac_shape *s, vec3 y, vec3 d, real slack, curvature_surface *c)
{
    if (shape_endless(s->kind)) {
        curvature_edge(c, V3_Z, d, 0, 0);
    } else if (s->kind == TAC_BOX) {
        curvature_box(s->size, y, d, slack, c);
    } else if (shape_is_round(s->kind)) {
        curvature_edge(c, V3_Z, d, s->kind == TAC_SPHERE || real_abs(y.z) >= s->size.z - slack, 1);
    } else if (TAC_CONVEX) {
        curvature_convex(m, s, y, d, slack, c);
    }
}

// The surface of a shape at a contact point that lies `off` outside of it; n is its outward normal there, and all of it
// in the world. `blur` is the uncertainty of the point. Sharp edges stay sharp: `off` is not added to their radius 0.
static void curvature_of(const tac_model *m, const tac_shape *s, const tac_pose *at, vec3 point, vec3 n, real off,
                         real blur, curvature_surface *c)
{
    const real ball = s->rounding + (shape_is_round(s->kind) ? s->size.x : R(0.0));
    const vec3 d = quat_rotate_back(at->q, n);
    const vec3 y = v3_madd(pose_point_back(at, point), -(off + ball), d);
    const real size = shape_endless(s->kind) ? R(0.0) : shape_radius(m, s);
    curvature_core(m, s, y, d, CURVATURE_EDGE * size + blur, c);
    for (int i = 0; i < 2; i++) {
        c->along[i] = quat_rotate(at->q, c->along[i]);
        c->radius[i] += c->bend[i] * ball;
        if (c->radius[i] > R(0.0)) { c->radius[i] += c->bend[i] * off; }
    }
}

// ------------------------------------------------------------------------------------------------------- two surfaces
// Let s_a and s_b be the velocities of the point of contact relative to both bodies, p_a and p_b the rates at which the
// outward normals turn there. The point is one and the same, and the normals stay opposite to each other:
//      s_a - s_b = v,    p_a + p_b = e = (w_b - w_a) x n,
// with v the tangential velocity of b relative to a. With R and B the matrices of radius and bend in the tangent plane,
// which have the principal directions in common, s = R m and p = B m; so B s = R p, and for m of a
//      (B_b R_a + R_b B_a) m = B_b v + R_b e.
// A round body that rolls to the edge of a face sees the face there: the next one may be flush with it, and it sees the
// edge when its normal has left the face.
// Where both surfaces are flat along one direction, or both sharp, the matrix is singular: the contact is then a line
// or a face, or a corner on a corner. Along that direction m is 0, and it stays with body a.

// Symmetric matrices: xx, xy, yy.
typedef struct curvature_plane {
    real radius[3], bend[3];
} curvature_plane;

// Is the surface round along t?
static int curvature_round(const curvature_surface *c, vec3 t)
{
    real part = R(0.0);
    for (int i = 0; i < 2; i++) {
        const real x = v3_dot(c->along[i], t);
        if (c->bend[i] > R(0.0) && c->radius[i] > R(0.0)) { part += x * x; }
    }
    return part > R(0.5);
}

// Lengths in units of `length`, so that entries are of about the same size; what is flat has no length.
static void curvature_flatten(const curvature_surface *c, const curvature_surface *other, vec3 u, vec3 w, real length,
                              curvature_plane *p)
{
    reals_clear(p, sizeof *p);
    for (int i = 0; i < 2; i++) {
        const real x = v3_dot(c->along[i], u), y = v3_dot(c->along[i], w), part[3] = {x * x, x * y, y * y};
        const int flat = !(c->bend[i] > R(0.0)) || (c->faced && curvature_round(other, c->along[i]));
        const real radius = flat ? R(1.0) : c->radius[i] / length, bend = flat ? R(0.0) : c->bend[i];
        for (int k = 0; k < 3; k++) {
            p->radius[k] += radius * part[k];
            p->bend[k] += bend * part[k];
        }
    }
}

// The matrix row by row += P Q
static void curvature_product(const real p[3], const real q[3], real to[4])
{
    to[0] += p[0] * q[0] + p[1] * q[1];
    to[1] += p[0] * q[1] + p[1] * q[2];
    to[2] += p[1] * q[0] + p[2] * q[1];
    to[3] += p[1] * q[1] + p[2] * q[2];
}

// Of a singular matrix the solution of least size.
static void curvature_solve(const real a[4], real b, real c, real *x, real *y)
{
    const real det = a[0] * a[3] - a[1] * a[2];
    const real size = (a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]);
    *x = *y = R(0.0);
    if (real_abs(det) > CURVATURE_PIVOT * size) {
        *x = (a[3] * b - a[1] * c) / det;
        *y = (a[0] * c - a[2] * b) / det;
    } else if (size > R(0.0)) {
        *x = (a[0] * b + a[2] * c) / size;
        *y = (a[1] * b + a[3] * c) / size;
    }
}

// `v`, `e` in the tangent plane of the axes u, w; `length` scales lengths.
static void curvature_move(const curvature_surface c[2], vec3 u, vec3 w, vec3 v, vec3 e, real length,
                           curvature_motion *motion)
{
    curvature_plane a, b;
    real sum[4], x, y;
    reals_clear(sum, sizeof sum);
    curvature_flatten(&c[0], &c[1], u, w, length, &a);
    curvature_flatten(&c[1], &c[0], u, w, length, &b);
    curvature_product(b.bend, a.radius, sum);
    curvature_product(b.radius, a.bend, sum);
    const real vu = v3_dot(v, u) / length, vw = v3_dot(v, w) / length, eu = v3_dot(e, u), ew = v3_dot(e, w);
    curvature_solve(sum, b.bend[0] * vu + b.bend[1] * vw + b.radius[0] * eu + b.radius[1] * ew,
                    b.bend[1] * vu + b.bend[2] * vw + b.radius[1] * eu + b.radius[2] * ew, &x, &y);
    const vec3 way = v3_madd(v3_scale(a.radius[0] * x + a.radius[1] * y, u), a.radius[1] * x + a.radius[2] * y, w);
    motion->turn = v3_madd(v3_scale(a.bend[0] * x + a.bend[1] * y, u), a.bend[1] * x + a.bend[2] * y, w);
    motion->slip[0] = v3_scale(length, way);
    motion->slip[1] = v3_sub(motion->slip[0], v);
}

#endif
