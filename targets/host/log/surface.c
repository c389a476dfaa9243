// SPDX-License-Identifier: MIT
#include "surface.h"

#include <math.h>
#include <string.h>

enum { ROUND = 6 }; // steps of a quarter turn
#define QUARTER 1.57079632679489661923

static uint32_t add_corner(surface *s, const double *p, const double *n)
{
    for (int k = 0; k < 3; k++) {
        const float x = (float)p[k];
        if (s->corners == 0 || x < s->low[k]) s->low[k] = x;
        if (s->corners == 0 || x > s->high[k]) s->high[k] = x;
        bytes_f32(&s->corner, p[k]);
    }
    for (int k = 0; k < 3; k++) bytes_f32(&s->corner, n[k]);
    return s->corners++;
}

float surface_coordinate(const surface *s, uint32_t corner, int k)
{
    uint32_t bits = 0;
    float x;

    for (int i = 3; i >= 0; i--) bits = bits << 8 | s->corner.at[24 * (size_t)corner + 4 * (size_t)k + (size_t)i];
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t surface_index(const surface *s, uint32_t k)
{
    uint32_t index = 0;
    for (int i = 3; i >= 0; i--) index = index << 8 | s->triangle.at[4 * (size_t)k + (size_t)i];
    return index;
}

static int same_point(const surface *s, uint32_t a, uint32_t b)
{
    for (int k = 0; k < 3; k++) {
        if (surface_coordinate(s, a, k) != surface_coordinate(s, b, k)) return 0;
    }
    return 1;
}

// Triangles without an area are left out.
static void add_triangle(surface *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (s->corner.failed || same_point(s, a, b) || same_point(s, b, c) || same_point(s, c, a)) return;
    bytes_u32(&s->triangle, a);
    bytes_u32(&s->triangle, b);
    bytes_u32(&s->triangle, c);
    s->triangles++;
}

static void unit(double *n)
{
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) n[k] = length > 0.0 ? n[k] / length : k == 2;
}

// A triangle with the normal of its plane.
static void add_flat(surface *s, const double *a, const double *b, const double *c)
{
    double u[3], v[3];

    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    unit(n);
    const uint32_t first = add_corner(s, a, n);
    add_corner(s, b, n);
    add_corner(s, c, n);
    add_triangle(s, first, first + 1, first + 2);
}

// A grid of rows from the top down, whose last column lies beside its first one.
static void add_grid(surface *s, uint32_t first, uint32_t rows, uint32_t columns)
{
    for (uint32_t i = 0; i + 1 < rows; i++) {
        for (uint32_t j = 0; j < columns; j++) {
            const uint32_t next = (j + 1) % columns, a = first + i * columns + j, b = first + i * columns + next;
            add_triangle(s, a, a + columns, b + columns);
            add_triangle(s, a, b + columns, b);
        }
    }
}

// Around a grid's first or last row, where that is no point.
static void add_cap(surface *s, uint32_t row, uint32_t columns, int up)
{
    for (uint32_t j = 1; j + 1 < columns; j++) {
        if (up)
            add_triangle(s, row, row + j, row + j + 1);
        else
            add_triangle(s, row, row + j + 1, row + j);
    }
}

// A box and a ball that is swept over it: sphere, capsule, box. An ellipsoid is the unit ball, scaled by `axes`, and
// the ball swept over that. The octants of the ball are drawn apart, to the corners of the box.
static void add_round_box(surface *s, const double *half, double radius, const double *axes)
{
    const uint32_t round = radius > 0.0 || axes != NULL ? ROUND : 1;
    const uint32_t columns = 4 * (round + 1), rows = 2 * (round + 1), first = s->corners;

    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t down = i / (round + 1);
        const double tilt = QUARTER * (i - down) / round;
        for (uint32_t j = 0; j < columns; j++) {
            const uint32_t turn = j / (round + 1);
            const double angle = QUARTER * (j - turn) / round;
            const double sign[3] = {turn == 0 || turn == 3 ? 1 : -1, turn < 2 ? 1 : -1, down ? -1 : 1};
            const double ball[3] = {sin(tilt) * cos(angle), sin(tilt) * sin(angle), cos(tilt)};
            double n[3], p[3];
            for (int k = 0; k < 3; k++) n[k] = axes != NULL ? ball[k] / axes[k] : ball[k];
            unit(n);
            for (int k = 0; k < 3; k++) {
                p[k] = sign[k] * half[k] + radius * n[k] + (axes != NULL ? axes[k] * ball[k] : 0.0);
            }
            add_corner(s, p, n);
        }
    }
    add_cap(s, first, columns, 1);
    add_grid(s, first, rows, columns);
    add_cap(s, first + (rows - 1) * columns, columns, 0);
}

// Turned about z: the points (r, z) of a convex outline from the top down, and a ball swept over it. `tilt` is the
// angle between z and the normal of each edge; above the first point and below the last one it is 0 and pi.
static void add_turned(surface *s, const double (*point)[2], const double *tilt, int points, double radius)
{
    const uint32_t columns = 4 * ROUND, first = s->corners, arc = radius > 0.0 ? ROUND : 1;

    for (int i = 0; i < points; i++) {
        const double from = i > 0 ? tilt[i - 1] : 0.0, to = i + 1 < points ? tilt[i] : 2.0 * QUARTER;
        for (uint32_t k = 0; k <= arc; k++) {
            const double at = from + (to - from) * k / arc;
            for (uint32_t j = 0; j < columns; j++) {
                const double angle = QUARTER * j / ROUND, n[3] = {sin(at) * cos(angle), sin(at) * sin(angle), cos(at)};
                const double p[3] = {point[i][0] * cos(angle) + radius * n[0], point[i][0] * sin(angle) + radius * n[1],
                                     point[i][1] + radius * n[2]};
                add_corner(s, p, n);
            }
        }
    }
    add_cap(s, first, columns, 1);
    add_grid(s, first, (uint32_t)points * (arc + 1), columns);
    add_cap(s, s->corners - columns, columns, 0);
}

static void add_cylinder(surface *s, double radius, double half, double rounding)
{
    const double outline[2][2] = {{radius, half}, {radius, -half}}, tilt[1] = {QUARTER};
    add_turned(s, outline, tilt, 2, rounding);
}

static void add_cone(surface *s, double radius, double half, double rounding)
{
    const double outline[2][2] = {{0.0, half}, {radius, -half}}, tilt[1] = {atan2(2.0 * half, radius)};
    add_turned(s, outline, tilt, 2, rounding);
}

static void add_square(surface *s, double reach)
{
    const double n[3] = {0, 0, 1};

    for (int i = 0; i < 4; i++) {
        const double p[3] = {i == 0 || i == 3 ? -reach : reach, i < 2 ? -reach : reach, 0};
        add_corner(s, p, n);
    }
    add_triangle(s, 0, 1, 2);
    add_triangle(s, 0, 2, 3);
}

static void get_point(tac_vec3 v, double *p)
{
    p[0] = (double)v.x;
    p[1] = (double)v.y;
    p[2] = (double)v.z;
}

// Of each face those triangles that its first corner sees.
static void add_polyhedron(surface *s, const tac_model *model, const tac_polyhedron *h)
{
    const tac_vec3 *point = &model->point[h->first_point];

    for (uint32_t f = 0; f < h->faces; f++) {
        const tac_face *face = &model->face[h->first_face + f];
        const tac_edge *edge = &model->edge[h->first_edge + face->first];
        for (uint32_t k = 2; k < face->edges; k++) {
            double a[3], b[3], c[3];
            get_point(point[edge[0].point], a);
            get_point(point[edge[k - 1].point], b);
            get_point(point[edge[k].point], c);
            add_flat(s, a, b, c);
        }
    }
}

static void get_sample(const tac_model *model, const tac_height_field *f, uint32_t i, uint32_t j, double *p)
{
    p[0] = (double)f->dx * i;
    p[1] = (double)f->dy * j;
    p[2] = (double)((tac_real)model->height[f->first + i + f->columns * j] * f->scale);
}

static void add_terrain(surface *s, const tac_model *model, const tac_height_field *f)
{
    for (uint32_t j = 0; j + 1 < f->rows; j++) {
        for (uint32_t i = 0; i + 1 < f->columns; i++) {
            double a[3], b[3], c[3], d[3];
            get_sample(model, f, i, j, a);
            get_sample(model, f, i + 1, j, b);
            get_sample(model, f, i + 1, j + 1, c);
            get_sample(model, f, i, j + 1, d);
            add_flat(s, a, b, c);
            add_flat(s, a, c, d);
        }
    }
}

void surface_of_shape(surface *s, const tac_model *model, const tac_shape *shape, double reach)
{
    static const double point[3] = {0, 0, 0};
    const double r = (double)shape->rounding;
    double size[3];

    get_point(shape->size, size);
    const double segment[3] = {0, 0, size[2]};
    switch (shape->kind) {
    case TAC_HALF_SPACE:
        add_square(s, reach);
        break;
    case TAC_SPHERE:
        add_round_box(s, point, size[0] + r, NULL);
        break;
    case TAC_CAPSULE:
        add_round_box(s, segment, size[0] + r, NULL);
        break;
    case TAC_BOX:
        add_round_box(s, size, r, NULL);
        break;
    case TAC_CYLINDER:
        add_cylinder(s, size[0], size[2], r);
        break;
    case TAC_CONE:
        add_cone(s, size[0], size[2], r);
        break;
    case TAC_ELLIPSOID:
        add_round_box(s, point, r, size);
        break;
    case TAC_HEIGHT_FIELD:
        add_terrain(s, model, &model->field[shape->data]);
        break;
    default:
        add_polyhedron(s, model, &model->polyhedron[shape->data]);
        break;
    }
}

void surface_of_inertia(surface *s, const tac_body *body)
{
    double half[3];

    get_point(log_inertia_box(body), half);
    add_round_box(s, half, 0.0, NULL);
}

void surface_free(surface *s)
{
    bytes_free(&s->corner);
    bytes_free(&s->triangle);
}

static double length_of(tac_vec3 v)
{
    double p[3];

    get_point(v, p);
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

double surface_reach(const tac_model *model)
{
    double reach = 1e-3;

    for (uint32_t i = 0; i < model->bodies; i++) reach = fmax(reach, length_of(model->body[i].pose.p));
    for (uint32_t i = 0; i < model->shapes; i++) {
        const tac_shape *shape = &model->shape[i];
        surface s = {.corners = 0};
        if (shape->kind == TAC_HALF_SPACE) continue;
        surface_of_shape(&s, model, shape, 0.0);
        const double far = fmax(
            fmax(fabs((double)s.low[0]), (double)s.high[0]),
            fmax(fmax(fabs((double)s.low[1]), (double)s.high[1]), fmax(fabs((double)s.low[2]), (double)s.high[2])));
        reach = fmax(reach, length_of(model->body[shape->body].pose.p) + length_of(shape->pose.p) + far);
        surface_free(&s);
    }
    return reach;
}
