// SPDX-License-Identifier: MIT
// config: robots
// A body that is let down onto a bumpy surface has a contact from where it first touches to where it is deep inside:
// there is no pose between in which ridges and peaks let it through.
#include "shapes.h"

enum { POSES = RUN(40, 8), SIDE = 5, DEPTHS = 5 };

static tac_model m;
static tac_state state;
static tac_work w;

static uint16_t random_hull(rng *r)
{
    tac_vec3 point[12];
    for (int i = 0; i < 12; i++) { point[i] = d3_to(dq_rotate(rng_quat(r), d3_make(0.1, 0, 0))); }
    return (uint16_t)tac_model_add_hull(&m, point, 12);
}

// Bumps of 3 cm, cells of 10 cm, as a field or a mesh.
static void ground(rng *r, int mesh)
{
    tac_height height[SIDE * SIDE];
    tac_vec3 point[SIDE * SIDE];
    uint16_t triangle[2 * (SIDE - 1) * (SIDE - 1)][3];
    solid s = {mesh ? TAC_MESH : TAC_HEIGHT_FIELD, {1, 1, 1}, 0, 0.0};
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = (tac_height)(0 - (int)rng_below(r, 31));
        point[k] = vec(0.1 * (k % SIDE), 0.1 * (k / SIDE), 1e-3 * (double)height[k]);
    }
    for (int k = 0; k < (SIDE - 1) * (SIDE - 1); k++) {
        const int at = k % (SIDE - 1) + k / (SIDE - 1) * SIDE;
        const int corner[6] = {at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE};
        for (int e = 0; e < 6; e++) { triangle[2 * k + e / 3][e % 3] = (uint16_t)corner[e]; }
    }
    s.data =
        (uint16_t)(mesh ? tac_model_add_mesh(&m, point, SIDE * SIDE, (const uint16_t(*)[3])triangle,
                                             2 * (SIDE - 1) * (SIDE - 1))
                        : tac_model_add_height_field(&m, height, SIDE, SIDE, (tac_real)0.1, (tac_real)0.1, (tac_real)1e-3));
    shapes_add(&m, 0, &s, d3_make(-0.2, -0.2, 0));
}

static void build(rng *r, uint8_t kind, int mesh)
{
    const d3 size = kind == TAC_CAPSULE ? d3_make(0.06, 0, 0.06) : d3_make(0.1, 0.08, 0.06);
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    m.gravity = vec(0, 0, 0);
    ground(r, mesh);
    solid s = {kind, size, 0, 0.0};
    if (kind == TAC_HULL) { s.data = random_hull(r); }
    shapes_body(&m, &s, 1.0, d3_make(0, 0, 1), SHAPES_UPRIGHT);
    begin_world(&m, &state);
}

static int overlaps(d3 at, dq q)
{
    const tac_twist still = {{0, 0, 0}, {0, 0, 0}};
    const tac_pose pose = {d3_to(at), dq_to(q)};
    tac_state_set_body(&m, &state, 1, pose, still);
    if (tac_step_begin(&m, &state, NULL, &w) < 0) { tap_ok(0, "refused"); }
    return w.report.penetration > (tac_real)0;
}

// Poses in which a body that overlaps has no point that says so.
static int lost(rng *r, uint8_t kind, int mesh)
{
    static const double deeper[DEPTHS] = {0.001, 0.002, 0.005, 0.01, 0.02};
    int count = 0;
    for (int i = 0; i < POSES; i++) {
        d3 at = {rng_range(r, -0.1, 0.1), rng_range(r, -0.1, 0.1), 0.2};
        const dq q = rng_quat(r);
        for (; !overlaps(at, q) && at.z > -0.1; at.z -= 0.003) {}
        for (int k = 0; k < DEPTHS; k++) { count += !overlaps(d3_make(at.x, at.y, at.z - deeper[k]), q); }
    }
    tap_note(mesh ? "on a mesh, kind" : "on a field, kind", kind);
    return count;
}

int main(void)
{
    static const char *const names[] = {"",          "spheres", "capsules",   "boxes",
                                        "cylinders", "cones",   "ellipsoids", "hulls"};
    rng r = {42};
    for (int mesh = 0; mesh < 2; mesh++) {
        for (uint8_t kind = TAC_SPHERE; kind <= TAC_HULL; kind++) {
            build(&r, kind, mesh);
            tap_equal(lost(&r, kind, mesh), 0, tap_joined("nothing lets through:", names[kind]));
        }
    }
    return tap_done();
}
