// SPDX-License-Identifier: MIT
// pairs.c - instructions of one pair of shapes, of each two kinds, in random poses near contact: what one of them costs
// that the broad phase has let through. Sees the kernel's own functions.
//   given   a shape of each kind, about 0.1 m in radius; a hull of 12 corners, a mesh of 32 triangles, a field of 8 x 8
//           samples, cells of 0.1 m
//   makes   markers KIND_KIND around contacts_meet: looking at the pair, its search, its points
//   bound   POSES poses a pair
//   never   counts the search for the pose: gaps from -5 % to +2 % of 6 cm
#define TAC_MAX_POINTS 40
#define TAC_MAX_FACES 64
#define TAC_MAX_EDGES 200
#include "tactus.c"

#include "markers.h"
#include "tap.h"
#include "truth.h"
#include "tactus/port.h"

enum { POSES = 100 };

// Numbers of the shapes; the second of a bounded kind comes SECOND later.
enum {
    at_half_space,
    at_mesh,
    at_field,
    at_sphere,
    at_capsule,
    at_box,
    at_cylinder,
    at_cone,
    at_ellipsoid,
    at_hull,
    SECOND = 7
};

static tac_model model;
static tac_work work_area;
static rng random_numbers = {20};
static int without; // poses that have no points

static uint16_t add_hull(void)
{
    tac_vec3 point[12];
    for (int i = 0; i < 12; i++) { point[i] = d3_to(dq_rotate(rng_quat(&random_numbers), d3_make(0.1, 0, 0))); }
    return (uint16_t)tac_model_add_hull(&model, point, 12);
}

static uint16_t add_mesh(void)
{
    tac_vec3 point[25];
    uint16_t triangle[32][3];
    for (int k = 0; k < 25; k++) {
        point[k] = vec(0.1 * (k % 5 - 2), 0.1 * (k / 5 - 2), rng_range(&random_numbers, -0.03, 0.0));
    }
    for (int k = 0; k < 16; k++) {
        const int at = k % 4 + k / 4 * 5, corner[6] = {at, at + 1, at + 6, at, at + 6, at + 5};
        for (int e = 0; e < 6; e++) { triangle[2 * k + e / 3][e % 3] = (uint16_t)corner[e]; }
    }
    return (uint16_t)tac_model_add_mesh(&model, point, 25, (const uint16_t(*)[3])triangle, 32);
}

static uint16_t add_field(void)
{
    tac_height height[64];
    for (int k = 0; k < 64; k++) { height[k] = (tac_height)(0 - (int)rng_below(&random_numbers, 31)); }
    return (uint16_t)tac_model_add_height_field(&model, height, 8, 8, R(0.1), R(0.1), R(1e-3));
}

static void add(uint16_t body, uint8_t kind, tac_vec3 size, uint16_t data)
{
    tac_shape s = tac_shape_make(body, kind, size);
    s.data = data;
    if (kind == TAC_HEIGHT_FIELD) { s.pose.p = vec(-0.35, -0.35, 0); }
    (void)tac_model_add_shape(&model, &s);
}

// In the order of the enumeration; the bounded kinds twice, each on a body of its own.
static void build(void)
{
    tac_model_init(&model);
    (void)tac_model_add_material(&model, R(0.5), R(0.0));
    const uint16_t hull_data = add_hull(), mesh_data = add_mesh(), field_data = add_field();
    add(0, TAC_HALF_SPACE, vec(1, 1, 1), 0);
    add(0, TAC_MESH, vec(1, 1, 1), mesh_data);
    add(0, TAC_HEIGHT_FIELD, vec(1, 1, 1), field_data);
    for (int copy = 0; copy < 2; copy++) {
        for (uint8_t kind = TAC_SPHERE; kind <= TAC_HULL; kind++) {
            const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
            const uint16_t body = (uint16_t)tac_model_add_body(&model, &b);
            add(body, kind, kind == TAC_CAPSULE ? vec(0.06, 0, 0.06) : vec(0.1, 0.08, 0.06), hull_data);
        }
    }
    tap_ok(tac_model_seal(&model, NULL) == TAC_OK, "built");
}

// ------------------------------------------------------------------------------------------------------------- poses

static void place(uint16_t shape, d3 at, dq turn)
{
    const tac_twist still = {V3_ZERO, V3_ZERO};
    const tac_pose frame = {V3_ZERO, QUAT_ONE}, pose = {d3_to(at), dq_to(turn)};
    contacts_carrier body;
    contacts_carry(&frame, &pose, &still, &still, &body);
    contacts_put(&model, &model.shape[shape], &body, &work_area.scratch.collision.placed[shape]);
}

__attribute__((noinline)) static int meet(uint16_t a, uint16_t b)
{
    return contacts_meet(&model, &work_area.scratch.collision, model.options.margin, a, b);
}

static int nearer(uint16_t a, uint16_t b, real gap)
{
    const tac_pair *p = &work_area.scratch.collision.pair;
    if (!meet(a, b)) { return 0; }
    for (int i = 0; i < p->points; i++) {
        if (p->point[i].gap < gap) { return 1; }
    }
    return 0;
}

// Shape b somewhere about shape a, moved along a line until the gap is what it shall be.
static void pose(uint16_t a, uint16_t b)
{
    rng *r = &random_numbers;
    const int ground = a < at_sphere;
    const real gap = (real)rng_range(r, -0.003, 0.0012);
    const d3 way = ground ? d3_make(0, 0, 1) : dq_rotate(rng_quat(r), d3_make(1, 0, 0));
    const d3 from = ground ? d3_make(rng_range(r, -0.1, 0.1), rng_range(r, -0.1, 0.1), 0) : d3_make(0, 0, 0);
    const dq turn = rng_quat(r);
    double near = 0.0, far = 0.5;
    place(a, d3_make(0, 0, 0), ground ? (dq){1, 0, 0, 0} : rng_quat(r));
    for (int k = 0; k < 16; k++) {
        const double middle = 0.5 * (near + far);
        place(b, d3_add(from, d3_scale(middle, way)), turn);
        if (nearer(a, b, gap)) {
            near = middle;
        } else {
            far = middle;
        }
    }
    place(b, d3_add(from, d3_scale(near, way)), turn);
}

// ------------------------------------------------------------------------------------------------------------- pairs

#define WITH(X, a)                                                                                                     \
    X(a, sphere)                                                                                                       \
    X(a, capsule) X(a, box) X(a, cylinder) X(a, cone) X(a, ellipsoid) X(a, hull)
#define PAIRS(X)                                                                                                       \
    WITH(X, half_space)                                                                                                \
    WITH(X, mesh)                                                                                                      \
    WITH(X, field)                                                                                                     \
    WITH(X, sphere)                                                                                                    \
    X(capsule, capsule) X(capsule, box) X(capsule, cylinder) X(capsule, cone) X(capsule, ellipsoid) X(capsule, hull)   \
        X(box, box) X(box, cylinder) X(box, cone) X(box, ellipsoid) X(box, hull) X(cylinder, cylinder)                 \
            X(cylinder, cone) X(cylinder, ellipsoid) X(cylinder, hull) X(cone, cone) X(cone, ellipsoid) X(cone, hull)  \
                X(ellipsoid, ellipsoid) X(ellipsoid, hull) X(hull, hull)

#define COUNT(a, b)                                                                                                    \
    MARK(a##_##b)                                                                                                      \
    static void count_##a##_##b(void)                                                                                  \
    {                                                                                                                  \
        for (int i = 0; i < POSES; i++) {                                                                              \
            pose(at_##a, at_##b + SECOND);                                                                             \
            mark_##a##_##b##_begin();                                                                                  \
            const int near = meet(at_##a, at_##b + SECOND);                                                            \
            mark_##a##_##b##_end();                                                                                    \
            without += !near || work_area.scratch.collision.pair.points == 0;                                            \
        }                                                                                                              \
    }
PAIRS(COUNT)

#define RUN_COUNT(a, b)                                                                                                \
    without = 0;                                                                                                       \
    count_##a##_##b();                                                                                                 \
    tap_equal(without, 0, #a " " #b " meet in each pose");

int main(void)
{
    port_init();
    build();
    PAIRS(RUN_COUNT)
    return tap_done();
}
