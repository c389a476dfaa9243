// SPDX-License-Identifier: MIT
// Shapes know no metre: curved bodies, hulls and terrain of another size do the same. Powers of two scale without
// rounding, so there the motion is the same to the bit. Millimetre parts rest at metres from the origin; plates a
// hundred times as wide as thick rest on each other.
#include "shapes.h"

static tac_model base_model, m;
static tac_state base, state;
static tac_work w;

// ------------------------------------------------------------------------------------------------ a world of any size

static uint16_t odd_hull(tac_model *model, double size)
{
    static const double corner[7][3] = {{1, 0.1, -0.4},  {-0.3, 0.9, -0.5}, {-0.8, -0.7, -0.4}, {0.4, -0.8, -0.6},
                                        {0.5, 0.3, 0.5}, {-0.6, 0.2, 0.7},  {0.1, -0.5, 0.6}};
    tac_vec3 point[7];
    for (int i = 0; i < 7; i++) {
        // scaled after rounding: the same digits whatever the size
        point[i] = vec(corner[i][0], corner[i][1], corner[i][2]);
        point[i] = (tac_vec3){point[i].x * (tac_real)size, point[i].y * (tac_real)size, point[i].z * (tac_real)size};
    }
    const int32_t index = tac_model_add_hull(model, point, 7);
    if (index < 0) { tap_ok(0, "the hull is refused"); }
    return (uint16_t)index;
}

static d3 rounded(double x, double y, double z, double scale)
{
    const tac_vec3 a = vec(x, y, z);
    return d3_scale(scale, d3_of(a));
}

// Terrain and a body of each kind above it.
static void build(tac_model *model, double scale)
{
    static const tac_height bumps[16] = {3, 1, 0, 2, 0, 2, 3, 1, 2, 0, 1, 3, 1, 3, 2, 0};
    static const uint8_t kind[6] = {TAC_CYLINDER, TAC_CONE, TAC_ELLIPSOID, TAC_HULL, TAC_BOX, TAC_CAPSULE};
    const tac_real s = (tac_real)scale, tenth = (tac_real)0.1, cell = (tac_real)0.5, bump = (tac_real)0.03;
    tac_model_init(model);
    model->gravity.z *= s;
    tac_model_add_material(model, (tac_real)0.5, 0);
    const int32_t field = tac_model_add_height_field(model, bumps, 4, 4, cell * s, cell * s, bump * s);
    const solid ground = {TAC_HEIGHT_FIELD, {0, 0, 0}, (uint16_t)field, 0.0};
    shapes_add(model, 0, &ground, rounded(-0.75, -0.75, 0, scale));
    const uint16_t hull = odd_hull(model, scale * (double)tenth);
    for (int i = 0; i < 6; i++) {
        solid one = {kind[i], rounded(0.1, 0.07, 0.08, 1.0), hull, i == 4 ? (double)(tac_real)0.01 : 0.0};
        const d3 inertia = shapes_inertia(&one);
        one.size = d3_scale(scale, one.size);
        one.rounding *= scale;
        const dq q = dq_about(d3_make(0.3 + i, 1.0, -0.5 * i), 0.7 * i + 0.2);
        const d3 at = rounded(-0.4 + 0.4 * (i % 3), i < 3 ? -0.2 : 0.25, 0.22 + 0.01 * i, scale);
        const uint16_t b = shapes_body(model, &one, 1.0, at, q);
        const tac_vec3 moment = d3_to(inertia);
        model->body[b].inertia = (tac_vec3){moment.x * s * s, moment.y * s * s, moment.z * s * s};
    }
}

static double difference(double scale)
{
    double worst = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        d_worst(&worst, d3_norm(d3_sub(d3_scale(1.0 / scale, d3_of(state.pose[i].p)), d3_of(base.pose[i].p))));
        d_worst(&worst, d3_norm(d3_sub(d3_scale(1.0 / scale, d3_of(state.twist[i].v)), d3_of(base.twist[i].v))));
        d_worst(&worst, d3_norm(d3_sub(d3_of(state.twist[i].w), d3_of(base.twist[i].w))));
    }
    return worst;
}

static void test_scale(double scale, uint32_t steps, double tolerance)
{
    double worst = 0.0;
    build(&base_model, 1.0);
    build(&m, scale);
    begin_world(&base_model, &base);
    begin_world(&m, &state);
    for (uint32_t k = 0; k < steps; k++) {
        shapes_step(&base_model, &base, NULL, &w);
        shapes_step(&m, &state, NULL, &w);
        d_worst(&worst, difference(scale));
    }
    tap_most(worst, tolerance, tap_numbered("curved bodies, a hull and terrain at a scale of", scale));
}

// ------------------------------------------------------------------------------------------------------------- at rest

// Three bodies on each other, whose centre line is at `at` and whose half heights are `half`; returns how far any of
// them moves in the time, sideways or down. Hulls are all as large as the second.
static double rest(int floor, const solid *s, d3 at, double reach, double seconds)
{
    double z = 0.0, moved = 0.0;
    d3 from[3];
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    shapes_floor(&m, floor, reach);
    for (uint16_t i = 0; i < m.shapes; i++) {
        const d3 p = d3_of(m.shape[i].pose.p);
        m.shape[i].pose.p = d3_to(d3_add(p, at));
    }
    const uint16_t hull = s[1].kind == TAC_HULL ? shapes_box_hull(&m, s[1].size) : 0;
    for (int i = 0; i < 3; i++) {
        solid one = s[i];
        const double half = one.size.z + one.rounding;
        if (one.kind == TAC_HULL) { one.data = hull; }
        shapes_body(&m, &one, 1.0, d3_add(at, d3_make(0, 0, z + half)), dq_about(d3_make(0, 0, 1), 0.3 * i));
        z += 2.0 * half;
    }
    begin_world(&m, &state);
    for (int i = 0; i < 3; i++) { from[i] = d3_of(state.pose[i + 1].p); }
    for (uint32_t k = 0; k < (uint32_t)(seconds * 1000.0); k++) { shapes_step(&m, &state, NULL, &w); }
    for (int i = 0; i < 3; i++) { d_worst(&moved, d3_norm(d3_sub(d3_of(state.pose[i + 1].p), from[i]))); }
    tap_equal(tac_check(&m, &state, &w, NULL), TAC_OK, "invariants");
    return moved;
}

static void test_millimetres(int floor)
{
    const solid parts[3] = {{TAC_CYLINDER, {0.5e-3, 0, 0.5e-3}, 0, 0.0},
                            {TAC_HULL, {0.4e-3, 0.4e-3, 0.5e-3}, 0, 0.0},
                            {TAC_BOX, {0.3e-3, 0.3e-3, 0.4e-3}, 0, 0.1e-3}};
    const double here = rest(floor, parts, d3_make(0, 0, 0), 0.01, RUN(0.2, 0.03));
    const double there = rest(floor, parts, d3_make(3, -2, 1), 0.01, RUN(0.2, 0.03));
    tap_note("millimetre parts, how far they move, m", here);
    tap_note("at metres from the origin, m", there);
    tap_most(here, 1e-7, tap_joined("millimetre parts rest to 1e-4 of their size on", floor_names[floor]));
    tap_most(there, TOL(1e-7, 1e-6), "and at metres from the origin");
}

static void test_plates(uint8_t kind, int floor)
{
    const solid plate = {kind, {0.5, kind == TAC_CYLINDER ? 0.0 : 0.5, 0.005}, 0, 0.0},
                plates[3] = {plate, plate, plate};
    const double moved = rest(floor, plates, d3_make(0, 0, 0), 2.0, RUN(0.2, 0.03));
    tap_note("plates, how far they move, m", moved);
    tap_most(moved, TOL(1e-6, 1e-5), tap_joined("plates 100:1 rest on each other on", floor_names[floor]));
}

int main(void)
{
    const uint32_t steps = RUN(200, 20);
    test_scale(1.0 / 1024, steps, 0.0);
    test_scale(128.0, steps, 0.0);
    test_scale(1e-3, RUN(150, 20), TOL(1e-6, 2e-2));
    test_scale(1e2, RUN(150, 20), TOL(1e-6, 2e-2));
    for (int floor = 0; floor < FLOORS; floor++) {
        test_millimetres(floor);
        test_plates(TAC_BOX, floor);
        test_plates(TAC_HULL, floor);
        test_plates(TAC_CYLINDER, floor);
    }
    return tap_done();
}
