// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// Bodies that pass others are not touched, whatever the step and however close they pass: their velocities are those
// of the same body alone. A plane along the direction of both motions keeps them apart by the clearance.
#include "shapes.h"

enum { WORLDS = RUN(1800, 200), PEGS = RUN(400, 40), MOST_STEPS = 200, SPEEDS = 6, CLEARANCES = 6 };

static const uint64_t seed = 7117;
static tac_model m, empty;
static tac_state state, alone;
static tac_work w;

static const char *const names[] = {"half-space", "ball",      "capsule", "box",  "cylinder",
                                    "cone",       "ellipsoid", "hull",    "mesh", "field"};

// ------------------------------------------------------------------------------------------------------- extents

// How far a solid reaches from its origin along n.
static double reach(const solid *s, dq q, d3 n)
{
    const d3 l = dq_rotate(dq_conjugate(q), n), size = s->size;
    const double x = d_abs(l.x), y = d_abs(l.y), z = d_abs(l.z), across = d_sqrt(x * x + y * y);
    switch (s->kind) {
    case TAC_SPHERE:
        return s->rounding + size.x;
    case TAC_CAPSULE:
        return s->rounding + size.x + size.z * z;
    case TAC_CYLINDER:
        return s->rounding + size.x * across + size.z * z;
    case TAC_CONE:
        return s->rounding + d_max(size.z * l.z, size.x * across - size.z * l.z);
    case TAC_ELLIPSOID:
        return s->rounding + d3_norm(d3_make(size.x * l.x, size.y * l.y, size.z * l.z));
    default:
        return s->rounding + size.x * x + size.y * y + size.z * z;
    }
}

// From its centre of mass; in any orientation.
static double reach_of_body(const solid *s, dq q, d3 n, int turns)
{
    const d3 off = d3_scale(-1.0, shapes_centre(s));
    if (!turns) { return d3_dot(n, dq_rotate(q, off)) + reach(s, q, n); }
    const d3 size = s->size;
    const double round =
        s->kind == TAC_SPHERE
            ? size.x
            : d3_norm(d3_make(size.x, s->kind == TAC_BOX || s->kind >= TAC_ELLIPSOID ? size.y : 0, size.z));
    return d3_norm(off) + (s->kind == TAC_CAPSULE ? size.x + size.z : round) + s->rounding;
}

// ---------------------------------------------------------------------------------------------------------- worlds

static double random_decade(rng *r, int from, int decades)
{
    double x = rng_range(r, 1.0, 10.0);
    int k = from + (int)rng_below(r, (uint32_t)decades);
    for (; k < 0; k++) { x *= 0.1; }
    for (; k > 0; k--) { x *= 10.0; }
    return x;
}

static d3 square_to(d3 a, d3 n)
{
    return d3_sub(a, d3_scale(d3_dot(a, n), n));
}

static d3 unit(d3 a)
{
    return d3_scale(1.0 / d3_norm(a), a);
}

static solid random_solid(rng *r, uint8_t kind)
{
    solid s = {kind, d3_make(rng_range(r, 0.02, 0.2), rng_range(r, 0.02, 0.2), rng_range(r, 0.02, 0.2)), 0, 0.0};
    s.size = d3_of(d3_to(s.size));
    return s;
}

static void add_data(solid *s)
{
    if (s->kind == TAC_HULL) { s->data = shapes_box_hull(&m, s->size); }
    if (s->kind == TAC_MESH) { s->data = shapes_box_mesh(&m, s->size); }
}

// Both worlds, the second without the obstacles: shapes of the ground and of bodies from `others` on meet nothing
// there.
static void begin_both(uint16_t others)
{
    empty = m;
    for (uint16_t i = 0; i < empty.shapes; i++) {
        if (empty.shape[i].body == 0 || empty.shape[i].body >= others) { empty.shape[i].mask = 0; }
    }
    begin_world(&m, &state);
    begin_world(&empty, &alone);
}

// Steps both; returns the worst difference of a velocity, relative to `speed`.
static double differ(int steps, double speed, double radius)
{
    double worst = 0.0;
    for (int k = 0; k < steps; k++) {
        shapes_step(&m, &state, NULL, &w);
        shapes_step(&empty, &alone, NULL, &w);
        for (uint16_t i = 1; i < m.bodies; i++) {
            const d3 dv = d3_sub(d3_of(state.twist[i].v), d3_of(alone.twist[i].v));
            const d3 dw = d3_sub(d3_of(state.twist[i].w), d3_of(alone.twist[i].w));
            d_worst(&worst, (d3_norm(dv) + radius * d3_norm(dw)) / speed);
        }
    }
    return worst;
}

static double map[SPEEDS][CLEARANCES];
static const double speed_of[SPEEDS + 1] = {0.5, 1, 2, 5, 10, 20, 200};

static void map_add(double speed, double clearance, double changed)
{
    int i = 0, k = 0;
    while (i < SPEEDS - 1 && speed >= speed_of[i + 1]) { i++; }
    for (double c = 1e-6; k < CLEARANCES - 1 && clearance >= 10.0 * c; c *= 10.0) { k++; }
    d_worst(&map[i][k], changed);
}

static void map_tell(const char *text)
{
    tap_note(text, seed);
    for (int i = 0; i < SPEEDS; i++) {
        tap_note_row(tap_numbered("from m/s", speed_of[i]), map[i], CLEARANCES);
        for (int k = 0; k < CLEARANCES; k++) { map[i][k] = 0.0; }
    }
}

// ------------------------------------------------------------------------------------------------------------- passing

typedef struct pass {
    uint8_t kind, obstacle;
    int turns, moves;
    double h, speed, clearance, changed;
} pass;

// Spin of the body, world frame: none; about its own axis; any.
static d3 random_spin(rng *r, const solid *s, dq q, int *turns)
{
    const double rate = rng_range(r, -60.0, 60.0);
    const int own = s->kind == TAC_CAPSULE || s->kind == TAC_CYLINDER || s->kind == TAC_CONE || s->kind == TAC_SPHERE;
    *turns = (int)rng_below(r, 3);
    if (*turns == 1 && !own) { *turns = 0; }
    if (*turns == 0) { return d3_make(0, 0, 0); }
    if (*turns == 1) { return dq_rotate(q, d3_make(0, 0, rate)); }
    return d3_scale(rate, unit(rng_box(r, 1.0)));
}

static uint16_t add_body(const solid *s, d3 at, dq q, d3 v, d3 spin)
{
    const uint16_t i = shapes_body(&m, s, 1.0, at, q);
    m.body[i].velocity = (tac_twist){d3_to(v), d3_to(dq_rotate(dq_conjugate(q), spin))};
    return i;
}

static pass random_pass(rng *r)
{
    static const uint8_t kinds[] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_CYLINDER, TAC_CONE, TAC_ELLIPSOID, TAC_HULL};
    pass x;
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.5, (tac_real)(rng_below(r, 2) ? 0.0 : 0.5));
    x.kind = kinds[rng_below(r, 7)];
    x.moves = (int)rng_below(r, 3); // the obstacle: on the ground, kinematic, dynamic
    x.obstacle = x.moves == 0 && rng_below(r, 4) == 0 ? TAC_MESH : kinds[rng_below(r, 7)];
    solid body = random_solid(r, x.kind), other = random_solid(r, x.obstacle);
    add_data(&body);
    add_data(&other);
    x.h = random_decade(r, -4, 2) * 1.7;
    x.speed = random_decade(r, -1, 3) * (rng_below(r, 4) ? 1.0 : 0.2);
    x.clearance = random_decade(r, TAC_REAL_BITS == 32 ? -5 : -6, TAC_REAL_BITS == 32 ? 4 : 5);
    const d3 n = unit(rng_box(r, 1.0)), v = d3_scale(x.speed, unit(square_to(rng_box(r, 1.0), n)));
    const d3 u = x.moves == 0 ? d3_make(0, 0, 0) : square_to(rng_box(r, x.speed), n);
    m.h = (tac_real)x.h;
    m.gravity = rng_below(r, 2) ? d3_to(square_to(rng_box(r, 10.0), n)) : vec(0, 0, 0);
    const dq q = dq_of(dq_to(rng_quat(r))), p = dq_of(dq_to(rng_quat(r)));
    int turned = 0;
    const d3 spin = random_spin(r, &body, q, &x.turns);
    const d3 other_spin = x.moves == 0 ? d3_make(0, 0, 0) : random_spin(r, &other, p, &turned);
    const double apart =
        reach_of_body(&body, q, d3_scale(-1.0, n), x.turns == 2) + reach_of_body(&other, p, n, turned == 2);
    const double size = 0.5, time = rng_range(r, 0.0, 40.0) * x.h;
    const d3 aside = d3_scale(rng_range(r, -0.3, 0.3), d3_cross(n, unit(v)));
    const d3 at = d3_add(d3_scale(apart + x.clearance, n), d3_sub(aside, d3_scale(time, d3_sub(v, u))));
    if (x.moves == 0) {
        tac_shape s = tac_shape_make(0, x.obstacle, x.obstacle < TAC_HULL ? d3_to(other.size) : vec(1, 1, 1));
        s.data = other.data;
        s.pose.p = d3_to(dq_rotate(p, d3_scale(-1.0, shapes_centre(&other))));
        s.pose.q = dq_to(p);
        tac_model_add_shape(&m, &s);
    }
    add_body(&body, at, q, v, spin);
    if (x.moves > 0) {
        const uint16_t i = add_body(&other, d3_make(0, 0, 0), p, u, other_spin);
        if (x.moves == 1) { m.body[i].kind = TAC_KINEMATIC; }
    }
    begin_both(2);
    const double steps = (time + size / d3_norm(d3_sub(v, u))) / x.h;
    x.changed = differ((int)d_min(steps + 2.0, MOST_STEPS), x.speed, 0.1);
    return x;
}

static void test_passing(void)
{
    rng r = {seed};
    double worst = 0.0;
    int struck = 0, told = 0;
    for (int i = 0; i < WORLDS; i++) {
        const uint64_t from = r.state;
        const pass x = random_pass(&r);
        map_add(x.speed, x.clearance, x.changed);
        if (x.changed > TOL(1e-11, 1e-4)) {
            struck++;
            if (told++ < 5) {
                tap_note_hex(tap_joined(names[x.kind], names[x.obstacle]), from);
                tap_note_row("turns, moves, h, speed, clearance, changed:",
                             (double[]){x.turns, x.moves, x.h, x.speed, x.clearance, x.changed}, 6);
            }
        }
        d_worst(&worst, x.changed);
    }
    map_tell("passing: worst change of velocity by speed (rows), clearance from 1e-6, 1e-5 ... 0.1 m (columns); seed");
    tap_note("worlds", WORLDS);
    tap_equal(struck, 0, "bodies that pass are not struck");
}

// ---------------------------------------------------------------------------------------------------------------- pegs

// A plate with a square hole, top at z = 0: four boxes, four hulls, or a mesh.
static void add_plate(int kind, double hole, double wide, double deep)
{
    const double middle = 0.5 * (hole + wide), half = 0.5 * (wide - hole);
    for (int k = 0; k < 4 && kind < 2; k++) {
        const double side = k & 1 ? 1.0 : -1.0;
        solid s = {TAC_BOX, k & 2 ? d3_make(wide, half, deep) : d3_make(half, hole, deep), 0, 0.0};
        if (kind == 1) {
            s.kind = TAC_HULL;
            s.data = shapes_box_hull(&m, s.size);
        }
        shapes_add(&m, 0, &s, k & 2 ? d3_make(0, side * middle, -deep) : d3_make(side * middle, 0, -deep));
    }
    if (kind < 2) { return; }
    tac_vec3 point[16];
    uint16_t triangle[32][3];
    for (int i = 0; i < 16; i++) {
        const double far = i & 4 ? wide : hole, x = (i & 3) == 1 || (i & 3) == 2 ? far : -far,
                     y = (i & 3) >= 2 ? far : -far;
        point[i] = vec(x, y, i & 8 ? -2.0 * deep : 0.0);
    }
    for (int k = 0; k < 4; k++) {
        const uint16_t a = (uint16_t)k, b = (uint16_t)((k + 1) & 3);
        const uint16_t quad[4][4] = {
            {a, (uint16_t)(a + 4), (uint16_t)(b + 4), b},                                   // top
            {(uint16_t)(a + 12), (uint16_t)(a + 8), (uint16_t)(b + 8), (uint16_t)(b + 12)}, // bottom
            {a, b, (uint16_t)(b + 8), (uint16_t)(a + 8)},                                   // hole
            {(uint16_t)(b + 4), (uint16_t)(a + 4), (uint16_t)(a + 12), (uint16_t)(b + 12)}};
        for (int f = 0; f < 4; f++) {
            for (int e = 0; e < 3; e++) {
                triangle[8 * k + 2 * f][e] = quad[f][e];
                triangle[8 * k + 2 * f + 1][e] = quad[f][e == 0 ? 0 : e + 1];
            }
        }
    }
    solid s = {TAC_MESH, d3_make(1, 1, 1), 0, 0.0};
    s.data = (uint16_t)tac_model_add_mesh(&m, point, 16, (const uint16_t(*)[3])triangle, 32);
    shapes_add(&m, 0, &s, d3_make(0, 0, 0));
}

static void test_pegs(void)
{
    static const uint8_t kinds[] = {TAC_BOX, TAC_CYLINDER, TAC_CAPSULE, TAC_HULL, TAC_SPHERE};
    static const char *const plates[] = {"boxes", "hulls", "mesh"};
    rng r = {seed + 1};
    int struck = 0, told = 0;
    for (int i = 0; i < PEGS; i++) {
        const uint64_t from = r.state;
        const int plate = (int)rng_below(&r, 3);
        const double play = 0.15e-3, wide = rng_range(&r, 0.01, 0.05), h = random_decade(&r, -4, 2) * 1.7;
        const double speed = random_decade(&r, -2, 4) * 0.2, off = 0.98 * play;
        tac_model_init(&m);
        tac_model_add_material(&m, (tac_real)0.5, 0);
        m.gravity = vec(0, 0, 0);
        m.h = (tac_real)h;
        add_plate(plate, wide + play, 3.0 * wide, rng_range(&r, 0.01, 0.05));
        solid peg = {kinds[rng_below(&r, 5)], d3_make(wide, wide, rng_range(&r, 1.0, 2.0) * wide), 0, 0.0};
        add_data(&peg);
        const double length = peg.kind == TAC_SPHERE ? wide : peg.kind == TAC_CAPSULE ? peg.size.z + wide : peg.size.z;
        const double above = rng_range(&r, 0.0, 1.5) * speed * h + 1e-4;
        const d3 at = d3_make(rng_range(&r, -off, off), rng_range(&r, -off, off), length + above);
        const int turns = peg.kind != TAC_BOX && peg.kind != TAC_HULL && rng_below(&r, 2);
        add_body(&peg, at, SHAPES_UPRIGHT, d3_make(0, 0, -speed), d3_make(0, 0, turns ? 30.0 : 0.0));
        begin_both(2);
        const double steps = (above + 3.0 * wide) / (speed * h);
        const double changed = differ((int)d_min(steps + 2.0, 100.0), speed, wide);
        map_add(speed, h, changed);
        if (!(changed > TOL(1e-11, 1e-4))) { continue; }
        struck++;
        if (told++ < 5) {
            tap_note_hex(tap_joined(names[peg.kind], plates[plate]), from);
            tap_note_row("h, speed, changed:", (double[]){h, speed, changed}, 3);
        }
    }
    map_tell(
        "pegs: worst change of velocity by speed (rows) and step from 1e-6, ..., 1e-4, 1e-3, 1e-2 s (columns); seed");
    tap_equal(struck, 0, "a peg enters its hole at any speed");
}

int main(void)
{
    test_passing();
    test_pegs();
    return tap_done();
}
