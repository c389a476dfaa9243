// SPDX-License-Identifier: MIT
// cast.h - the first shape that a ray, or a ball moving along a straight line, hits.
//   given   model, state, a ray of unit direction
//   makes   tac_hit of the nearest shape
//   bound   shapes * CAST_ITERATIONS distances; of a mesh the tree nodes on the path, of a height field the cells below
//           it
//   never   steps past a surface: each iteration stops at a plane that separates ball and shape (conservative
//           advancement)
//
// The distance of a ball from a convex shape is a convex function of the distance t that it has travelled, and its
// slope is n.d, normal times direction. Newton's method therefore never overshoots and converges from the first
// iteration: at once on a face, quadratically where the surface is curved; where the ball only grazes the shape, each
// iteration halves the remaining path.
#ifndef QUERY_CAST_H
#define QUERY_CAST_H

#include "../geometry/contacts.h"

#define CAST_NEAR (TAC_REAL_BITS == 32 ? R(1e-3) : R(1e-7)) // of the thinner shape: a normal from closer is noise
#define CAST_ITERATIONS (TAC_REAL_BITS == 32 ? 40 : 80) // most of the search along a ray
#define CAST_ELLIPSOID 16                     // iterations of the search on an ellipsoid; five are usual
#define CAST_FOUND R(0.5)                     // of a distance: a plane that separates by less is rejected
#define CAST_ROUNDING (R(4.0) * REAL_EPSILON) // of the sizes: smaller gaps count as zero

// ------------------------------------------------------------------------------------------------------ convex shapes

// Distance of a point c (the other core) from a box (the own core), and the normal there; inside, those of the nearest
// face. A half-space is a box with a single face.
static real cast_from_box(const tac_core *own, const tac_axes *c, vec3 *n)
{
    tac_axes outside, normal;
    real least = REAL_LARGEST;
    int face = 0;
    *n = V3_Z;
    if (own->half.v.x == REAL_LARGEST) { return c->v.z; }
    for (int k = 0; k < 3; k++) {
        const real h = own->half.k[k], inside = h - real_abs(c->k[k]);
        outside.k[k] = c->k[k] - real_clamp(c->k[k], -h, h);
        if (inside < least) {
            least = inside;
            face = k;
        }
    }
    normal.v = V3_ZERO;
    normal.k[face] = c->k[face] < R(0.0) ? R(-1.0) : R(1.0);
    *n = v3_unit(outside.v, normal.v);
    return least < R(0.0) ? v3_dot(outside.v, *n) : -least;
}

// Distance and normal of a point (x, z) in the section of a cone through its axis: base at -h, flank from (r, -h) to
// (0, h).
static real cast_from_section(real r, real h, real x, real z, vec3 *n)
{
    const vec3 flank = v3(-r, R(0.0), R(2.0) * h), at = v3(x - r, R(0.0), z + h);
    const vec3 out = v3_unit(v3(flank.z, R(0.0), r), V3_Z);
    const real above = v3_dot(out, at), below = -at.z;
    *n = v3(R(0.0), R(0.0), R(-1.0));
    if (below > R(0.0) ? at.x <= R(0.0) : above <= below) { return below; }
    const real t = v3_dot(at, flank) / v3_dot(flank, flank);
    *n = out;
    if (below <= R(0.0) && above <= R(0.0)) { return above; }
    if (t > R(0.0) && t < R(1.0)) { return above; }
    const vec3 d = t > R(0.0) ? v3_sub(at, flank) : at;
    *n = v3_unit(d, out);
    return v3_dot(*n, d);
}

// Distance and normal of a point from a cylinder, whose section is a box, and from a cone.
static real cast_from_round(const tac_core *own, vec3 c, vec3 *n)
{
    const vec3 across = v3_unit(v3(c.x, c.y, R(0.0)), V3_AXIS[0]);
    const real r = own->half.v.x, h = own->half.v.z, x = v3_dot(across, c);
    real distance;
    if (own->kind == TAC_CONE) {
        distance = cast_from_section(r, h, x, c.z, n);
    } else {
        const real side = x - r, end = real_abs(c.z) - h;
        const vec3 up = v3(R(0.0), R(0.0), c.z < R(0.0) ? R(-1.0) : R(1.0));
        const vec3 out = v3(real_max(side, R(0.0)), R(0.0), up.z * real_max(end, R(0.0)));
        *n = v3_unit(out, side > end ? V3_AXIS[0] : up);
        distance = real_max(side, end) > R(0.0) ? v3_dot(out, *n) : real_max(side, end);
    }
    *n = v3(n->x * across.x, n->x * across.y, n->z);
    return distance;
}

// Distance and normal of a point outside an ellipsoid. Its nearest point is h_i^2 x_i / (t + h_i^2), with t the root of
// sum (h_i x_i / (t + h_i^2))^2 = 1. The sum is convex in t, and at the starting value no single term exceeds 1, so
// Newton's method starts close to the root and does not overshoot.
static real cast_from_ellipsoid(const tac_core *own, vec3 x, vec3 *n)
{
    const vec3 h = own->half.v, hh = v3_mul(h, h), hx = v3_mul(h, x);
    const real least = real_min(hh.x, real_min(hh.y, hh.z));
    real t = real_max(real_max(real_abs(hx.x) - hh.x, real_abs(hx.y) - hh.y), real_max(real_abs(hx.z) - hh.z, R(0.0)));
    real step = REAL_LARGEST;
    for (int iteration = 0; iteration < CAST_ELLIPSOID && real_abs(step) > REAL_EPSILON * (t + least); iteration++) {
        const vec3 part = v3(R(1.0) / (t + hh.x), R(1.0) / (t + hh.y), R(1.0) / (t + hh.z)), y = v3_mul(hx, part);
        step = (v3_dot(y, y) - R(1.0)) / (R(2.0) * v3_dot(v3_mul(y, part), y));
        t = real_max(t + step, R(-0.5) * least);
    }
    const vec3 d = v3(x.x / (t + hh.x), x.y / (t + hh.y), x.z / (t + hh.z));
    *n = v3_unit(d, V3_Z);
    return t * v3_dot(*n, d);
}

// Distance and normal of a point from a triangle.
static real cast_from_triangle(const tac_triangle *t, vec3 c, vec3 *n)
{
    const vec3 w[3] = {v3_sub(t->x[0], c), v3_sub(t->x[1], c), v3_sub(t->x[2], c)};
    nearest best;
    best.v = V3_ZERO;
    best.norm2 = REAL_LARGEST;
    nearest_triangle(w, 0, 1, 2, &best);
    *n = v3_unit(v3_scale(R(-1.0), best.v), t->n);
    return -v3_dot(best.v, *n);
}

// From any other core, with an estimate of the normal. GJK may stall by rounding, so the distance returned is
// the separation by the plane across its normal, which is a valid lower bound for any normal. If that is much less than
// GJK claims, hill climbing from the last good normal may separate better: it works well on round cores, GJK on cores
// with corners.
static real cast_from_core(const tac_model *m, tac_pair *p, vec3 clear, vec3 *n)
{
    vec3 v = *n, x;
    const real distance = nearest_find(m, p, V3_ZERO, REAL_LARGEST, &v, &x);
    if (!(distance > R(0.0))) { return R(0.0); }
    *n = v3_scale(R(1.0) / distance, v);
    const real found = support_separation(m, p, *n);
    if (found > CAST_FOUND * distance) { return found; }
    const real climbed = convex_climb(m, p, convex_margin(p), CONVEX_ROUNDING * p->size, &clear, &x);
    if (climbed > found) { *n = clear; }
    return real_max(real_max(climbed, found), R(0.0));
}

// At the start of the path: for a point inside the core the normal is the direction of the shortest way out.
static real cast_from_inside(const tac_model *m, tac_pair *p, vec3 *n)
{
    vec3 x;
    p->max_gap = REAL_LARGEST;
    return convex_normal(m, p, n, &x);
}

// --------------------------------------------------------------------------------------------------- Newton's method

// Records a hit at t, unless there is an earlier one, or a deeper one at the same t.
static void cast_record(tac_cast_search *w, real t, real gap, vec3 n)
{
    if (w->hit && t >= w->to && gap >= w->hit_gap) { return; }
    w->hit = 1;
    w->to = t;
    w->hit_gap = gap;
    w->hit_n = n;
}

// Advances t by the gap. Returns 0 at a hit, or if the end of the path comes first.
static int cast_advance(tac_cast_search *w, int iteration)
{
    if (iteration + 1 == CAST_ITERATIONS || !(w->gap > w->rounding)) {
        cast_record(w, w->t, w->gap, w->n);
        return 0;
    }
    const real closing = -v3_dot(w->n, w->d);
    if (!(closing > R(0.0) && w->gap <= closing * (w->to - w->t))) { return 0; }
    w->t += w->gap / closing;
    return 1;
}

// Ball against a hull, or starting inside an ellipsoid. For a ray the normal at the hit comes from hill climbing,
// started at the last normal that rounding has not spoiled.
static void cast_core(const tac_model *m, tac_pair *p, tac_cast_search *w)
{
    const real near = CAST_NEAR * p->thickness;
    int iteration = 0;
    real distance;
    w->t = w->from;
    do {
        p->other.centre.v = v3_madd(w->o, w->t, w->d);
        distance = iteration == 0 ? cast_from_inside(m, p, &w->n) : cast_from_core(m, p, w->clear_n, &w->n);
        if (iteration == 0 || distance > near) { w->clear_n = w->n; }
        w->gap = distance - points_radii(p);
    } while (cast_advance(w, iteration++));
    if (w->hit && distance <= near) {
        vec3 x;
        w->hit_n = w->clear_n;
        if (iteration > 1) { (void)convex_climb(m, p, convex_margin(p), CONVEX_ROUNDING * p->size, &w->hit_n, &x); }
    }
}

// Distance of a point and normal there, for cores with a closed form.
static real cast_from(const tac_pair *p, const tac_axes *c, vec3 *n)
{
    if (TAC_CONVEX && p->own.kind == SUPPORT_TRIANGLE) { return cast_from_triangle(&p->triangle, c->v, n); }
    if (TAC_CONVEX && p->own.kind == TAC_ELLIPSOID) { return cast_from_ellipsoid(&p->own, c->v, n); }
    if (TAC_CONVEX && p->own.kind != TAC_BOX) { return cast_from_round(&p->own, c->v, n); }
    return cast_from_box(&p->own, c, n);
}

// Ball against such a core.
static void cast_simple(const tac_pair *p, tac_cast_search *w)
{
    int iteration = 0;
    w->t = w->from;
    do {
        tac_axes c;
        c.v = v3_madd(w->o, w->t, w->d);
        w->gap = cast_from(p, &c, &w->n) - points_radii(p);
    } while (cast_advance(w, iteration++));
}

// ----------------------------------------------------------------------------------------------------------- surfaces

// The interval of the path on which the centre is within `far` of a box. Returns 0 if it is empty.
static int cast_within(const tac_cast_search *w, const real *low, const real *high, real far, real *from, real *to)
{
    tac_axes o, d;
    o.v = w->o;
    d.v = w->d;
    *from = w->from;
    *to = w->to;
    for (int k = 0; k < 3; k++) {
        const real back = low[k] - far - o.k[k], front = high[k] + far - o.k[k];
        if (d.k[k] == R(0.0)) {
            if (back > R(0.0) || front < R(0.0)) { return 0; }
        } else {
            const real p = back / d.k[k], q = front / d.k[k];
            *from = real_max(*from, real_min(p, q));
            *to = real_min(*to, real_max(p, q));
        }
    }
    return *from <= *to;
}

// Intersection of a ray with a triangle, from either side. It is inside if the three volumes that the ray spans with
// the edges have the same sign. Triangles that share an edge compute the same volume there, up to sign, so no ray
// passes between them.
static void cast_through(const tac_triangle *t, tac_cast_search *w)
{
    const vec3 a = v3_sub(t->x[0], w->o), b = v3_sub(t->x[1], w->o), c = v3_sub(t->x[2], w->o);
    const real ab = v3_dot(w->d, v3_cross(a, b)), bc = v3_dot(w->d, v3_cross(b, c)), ca = v3_dot(w->d, v3_cross(c, a));
    const real sum = ab + bc + ca, slope = v3_dot(t->n, w->d);
    const int along = ab >= R(0.0) && bc >= R(0.0) && ca >= R(0.0),
              against = ab <= R(0.0) && bc <= R(0.0) && ca <= R(0.0);
    if (!(along || against) || sum == R(0.0) || slope == R(0.0)) { return; }
    const real at = v3_dot(t->n, a) / slope;
    if (!(at >= w->from - w->rounding && at <= w->to)) { return; }
    cast_record(w, real_max(at, w->from), R(0.0), slope < R(0.0) ? t->n : v3_scale(R(-1.0), t->n));
}

// Ray or ball against the current triangle of the pair.
static void cast_triangle(tac_pair *p, tac_cast_search *w)
{
    if (p->other.radius > R(0.0)) {
        cast_simple(p, w);
    } else {
        cast_through(&p->triangle, w);
    }
}

static void cast_mesh(const tac_model *m, tac_pair *p, tac_cast_search *w)
{
    const tac_polyhedron *h = &m->polyhedron[p->own.data];
    const tac_node *tree = &m->node[2 * h->first_face];
    const uint32_t end = 2u * h->faces - 1;
    real from, to;
    p->own.kind = SUPPORT_TRIANGLE;
    for (uint32_t i = 0; i < end;) {
        const tac_node *n = &tree[i];
        const int near = cast_within(w, n->bound, n->bound + 3, p->other.radius + w->rounding, &from, &to);
        if (near && n->leaf != TAC_NONE) {
            triangles_get(m, h, n->leaf, &p->triangle);
            cast_triangle(p, w);
        }
        i = near ? i + 1 : n->skip;
    }
}

// The cells of row j below the path.
static void cast_row(const tac_model *m, tac_pair *p, const tac_height_field *f, int j, tac_cast_search *w)
{
    const real far = p->other.radius + w->rounding;
    const real low[3] = {R(0.0), f->dy * (real)j, f->low},
               high[3] = {f->dx * (real)(f->columns - 1), f->dy * (real)(j + 1), f->high};
    real from, to;
    if (!cast_within(w, low, high, far, &from, &to)) { return; }
    const real a = w->o.x + from * w->d.x, b = w->o.x + to * w->d.x;
    const int end = field_cell(real_max(a, b) + far, f->dx, f->columns);
    for (int i = field_cell(real_min(a, b) - far, f->dx, f->columns); i <= end; i++) {
        for (int upper = 0; upper < 2; upper++) {
            field_triangle(m, f, i, j, upper, &p->triangle);
            cast_triangle(p, w);
        }
    }
}

// Records a hit and returns 1 if the path starts below the terrain.
static int cast_below(const tac_model *m, tac_pair *p, const tac_height_field *f, tac_cast_search *w)
{
    const vec3 at = v3_madd(w->o, w->from, w->d);
    if (!field_under(m, f, at, w->rounding, &p->triangle)) { return 0; }
    const vec3 n = p->triangle.n;
    cast_record(w, w->from, v3_dot(n, v3_sub(at, p->triangle.x[0])) - p->other.radius, n);
    return 1;
}

static void cast_field(const tac_model *m, tac_pair *p, tac_cast_search *w)
{
    const tac_height_field *f = &m->field[p->own.data];
    const real far = p->other.radius + w->rounding;
    const real low[3] = {R(0.0), R(0.0), f->low},
               high[3] = {f->dx * (real)(f->columns - 1), f->dy * (real)(f->rows - 1), f->high};
    real from, to;
    p->own.kind = SUPPORT_TRIANGLE;
    if (cast_below(m, p, f, w) || !cast_within(w, low, high, far, &from, &to)) { return; }
    const real a = w->o.y + from * w->d.y, b = w->o.y + to * w->d.y;
    const int first = field_cell(real_min(a, b) - far, f->dy, f->rows),
              last = field_cell(real_max(a, b) + far, f->dy, f->rows);
    for (int k = 0; k <= last - first; k++) { cast_row(m, p, f, w->d.y < R(0.0) ? last - k : first + k, w); }
}

// --------------------------------------------------------------------------------------------------------- all shapes

static const tac_twist CAST_REST = {{R(0.0), R(0.0), R(0.0)}, {R(0.0), R(0.0), R(0.0)}};

// Pose of a shape, at rest. Returns 0 if it is not finite, or farther away than a state may be.
static int cast_place(const tac_model *m, const tac_state *s, const tac_shape *shape, tac_placed *p)
{
    contacts_carrier c;
    contacts_carry(&m->body[shape->body].inertial, &s->pose[shape->body], &CAST_REST, &CAST_REST, &c);
    contacts_put(m, shape, &c, p);
    return reals_within(&p->pose.p, sizeof p->pose.p, R(2.0) * TAC_MOST_POSITION) &&
           reals_finite(&p->pose.q, sizeof p->pose.q);
}

// The path in the frame of a shape. For a bounded shape it starts where it enters the bounding sphere, so that distant
// rays lose no digits. Returns 0 if it never comes near.
static int cast_start(const tac_ray *ray, real range, const tac_placed *at, int bounded, tac_cast_search *w)
{
    const real radius = real_max(at->radius, R(0.0)) + ray->radius;
    w->o = pose_point_back(&at->pose, ray->origin);
    w->d = quat_rotate_back(at->pose.q, v3_unit(ray->direction, V3_Z));
    w->from = w->base = R(0.0);
    w->hit = 0;
    if (!reals_finite(&w->o, sizeof w->o)) { return 0; }
    if (bounded) {
        const real middle = -v3_dot(w->o, w->d);
        const vec3 aside = v3_madd(w->o, middle, w->d);
        if (v3_dot(aside, aside) > radius * radius || middle + radius < R(0.0)) { return 0; }
        w->base = real_max(R(0.0), middle - radius);
        w->o = v3_madd(w->o, w->base, w->d);
    }
    w->to = range - w->base;
    w->rounding = CAST_ROUNDING * (v3_norm_inf(w->o) + radius);
    return w->to >= R(0.0);
}

// The pair of a shape and the ball of the ray: a point as core.
static void cast_pair(const tac_shape *shape, real radius, real thickness, tac_pair *p)
{
    points_core(shape, V3_ZERO, &p->own);
    bytes_copy(&p->other, &p->own, sizeof p->other);
    p->other.half.v = V3_ZERO;
    p->other.radius = radius;
    p->other.kind = TAC_BOX;
    p->thickness = thickness;
}

// Does the path start inside an ellipsoid?
static int cast_in_ellipsoid(vec3 h, vec3 x)
{
    const vec3 y = v3(x.x / h.x, x.y / h.y, x.z / h.z);
    return v3_dot(y, y) < R(1.0);
}

static void cast_kind(const tac_model *m, uint8_t kind, tac_pair *p, tac_cast_search *w)
{
    if (TAC_CONVEX && kind == TAC_HEIGHT_FIELD) {
        cast_field(m, p, w);
    } else if (TAC_CONVEX && kind == TAC_MESH) {
        cast_mesh(m, p, w);
    } else if (TAC_CONVEX && (kind == TAC_HULL || (kind == TAC_ELLIPSOID && cast_in_ellipsoid(p->own.half.v, w->o)))) {
        cast_core(m, p, w);
    } else {
        cast_simple(p, w);
    }
}

// The hit in the world frame.
static void cast_report(const tac_placed *at, const tac_cast_search *w, real radius, tac_hit *hit)
{
    const vec3 on = v3_madd(v3_madd(w->o, w->to, w->d), -(radius + w->hit_gap), w->hit_n);
    hit->distance = w->base + w->to;
    hit->point = pose_point(&at->pose, on);
    hit->n = quat_rotate(at->pose.q, w->hit_n);
}

// Casts against one shape. Returns 0 if its pose is not finite.
static int cast_shape(const tac_model *m, const tac_state *s, const tac_ray *ray, uint16_t index, tac_collision *g,
                      tac_hit *hit)
{
    const tac_shape *shape = &m->shape[index];
    tac_placed *at = &g->placed[index];
    tac_cast_search *w = &g->query.cast;
    if (!cast_place(m, s, shape, at)) { return 0; }
    if (!cast_start(ray, hit->distance, at, shape_is_bounded(shape->kind), w)) { return 1; }
    cast_pair(shape, ray->radius, at->thickness, &g->pair);
    cast_kind(m, shape->kind, &g->pair, w);
    if (!w->hit || (hit->shape != TAC_NONE && w->base + w->to >= hit->distance)) { return 1; }
    cast_report(at, w, ray->radius, hit);
    hit->shape = index;
    hit->body = shape->body;
    return 1;
}

// The nearest of all shapes that the ray may hit; of equally near ones the first. Returns 0 if a pose is not finite.
static int cast_find(const tac_model *m, const tac_state *s, const tac_ray *ray, tac_collision *g, tac_hit *hit)
{
    hit->distance = ray->range;
    hit->point = v3_madd(ray->origin, ray->range, v3_unit(ray->direction, V3_Z));
    hit->n = V3_ZERO;
    hit->shape = hit->body = TAC_NONE;
    for (uint16_t i = 0; i < m->shapes; i++) {
        const tac_shape *shape = &m->shape[i];
        if (shape->body == ray->body || !(shape->group & ray->mask) || !(ray->group & shape->mask)) { continue; }
        if (!cast_shape(m, s, ray, i, g, hit)) { return 0; }
    }
    return 1;
}

#endif
