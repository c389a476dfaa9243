// SPDX-License-Identifier: MIT
// What must not be lost: angular momentum and energy of a free body (S7), from needles to discs, at any rate; energy
// of a disc that rolls (CBAT07 example 1). What must not be made: energy of slender bodies that are thrown.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

// Angular momentum in the world, from the state alone.
static d3 angular_momentum(void)
{
    const d3 i = d3_of(m.body[1].inertia), rate = d3_of(state.twist[1].w);
    return dq_rotate(dq_of(state.pose[1].q), d3_make(i.x * rate.x, i.y * rate.y, i.z * rate.z));
}

static double spin_energy(void)
{
    const d3 i = d3_of(m.body[1].inertia), rate = d3_of(state.twist[1].w);
    return 0.5 * (i.x * rate.x * rate.x + i.y * rate.y * rate.y + i.z * rate.z * rate.z);
}

static void test_flips(void)
{
    const uint32_t steps = RUN(20000, 1000);
    scene_find("top")->build(&m);
    begin_world(&m, &state);
    const d3 start = angular_momentum();
    const double energy = spin_energy(), size = d3_norm(start);
    double length = 0.0, vector = 0.0, drift = 0.0;
    int flips = 0, side = 1;
    for (uint32_t k = 0; k < steps; k++) {
        tac_step(&m, &state, NULL, &w);
        const d3 now = angular_momentum();
        d_worst(&length, d3_norm(now) / size - 1.0);
        d_worst(&vector, d3_norm(d3_sub(now, start)) / size);
        d_worst(&drift, spin_energy() / energy - 1.0);
        const int side_now = state.twist[1].w.y > 0 ? 1 : -1;
        flips += side_now != side;
        side = side_now;
    }
    tap_note("S7 |L| drift", length);
    tap_note("S7 L drift", vector);
    tap_note("S7 energy drift", drift);
    tap_most(length, TOL(1e-12, 1e-4), "S7 |L| is kept");
    tap_most(vector, TOL(1e-11, 1e-3), "S7 and its direction");
    tap_most(drift, TOL(1e-12, 1e-5), "S7 energy is kept");
    tap_equal(flips, RUN(4, 0), "S7 flips");
    tac_vec3 angular;
    tac_momentum(&m, &state, NULL, &angular);
    tap_most(d3_norm(d3_sub(d3_of(angular), angular_momentum())), TOL(1e-13, 1e-5), "tac_momentum says the same");
    const d3 p = d3_of(state.pose[1].p);
    tap_most(d3_norm(p), 0.0, "S7 the centre stays");
}

// Spin about a principal axis and about any axis of a ball is constant, to the bit in rate.
static void test_steady(void)
{
    scene_find("top")->build(&m);
    m.body[1].velocity.w = vec(0, 0, 7);
    begin_world(&m, &state);
    for (int k = 0; k < 100; k++) { tac_step(&m, &state, NULL, &w); }
    tap_near(state.twist[1].w.z, 7.0, TOL(1e-13, 1e-5), "spin about a principal axis stays");
    const dq q = dq_of(state.pose[1].q);
    tap_near(q.z * d_cos(0.35) - q.w * d_sin(0.35), 0.0, TOL(1e-13, 1e-5), "and turns by w t");
}

// The worst relative change of energy, of |L| and of L of bodies in free flight: moments in ratios of up to a million,
// any axis or one near a principal one, `angle` radians a step.
typedef struct flight {
    double energy, size, vector;
} flight;

static flight fly(rng *r, double angle, int bodies, int steps)
{
    flight f = {0, 0, 0};
    for (int i = 0; i < bodies; i++) {
        tac_model_init(&m);
        m.gravity = vec(0, 0, 0);
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
        const d3 part = d3_make(octave_range(r, 1e-6, 1), octave_range(r, 1e-6, 1), octave_range(r, 1e-6, 1));
        b.inertia = vec(part.y + part.z, part.z + part.x, part.x + part.y);
        const double aside = i % 2 ? octave_range(r, 1e-4, 1) : 1;
        d3 rate = rng_box(r, 1);
        rate = d3_make(rate.x, aside * rate.y, aside * rate.z);
        rate = d3_scale(angle / ((double)m.h * d3_norm(rate)), rate);
        b.velocity.w = i % 3 == 0   ? d3_to(rate)
                       : i % 3 == 1 ? vec(rate.z, rate.x, rate.y)
                                    : vec(rate.y, rate.z, rate.x);
        b.pose.q = dq_to(rng_quat(r));
        tac_model_add_body(&m, &b);
        begin_world(&m, &state);
        const d3 start = angular_momentum();
        const double energy = spin_energy(), size = d3_norm(start);
        for (int k = 0; k < steps; k++) {
            tac_step(&m, &state, NULL, &w);
            const d3 now = angular_momentum();
            d_worst(&f.energy, spin_energy() / energy - 1);
            d_worst(&f.size, d3_norm(now) / size - 1);
            d_worst(&f.vector, d3_norm(d3_sub(now, start)) / size);
        }
    }
    return f;
}

static void test_flight(void)
{
    const double angle[] = {0.003, 0.01, 0.02, 0.1, 0.5, 1, 2, 3, 30};
    rng r = {UINT64_C(0xf11e)};
    for (unsigned i = 0; i < sizeof angle / sizeof *angle; i++) {
        const flight f = fly(&r, angle[i], RUN(12, 4), RUN(5000, 200));
        tap_most(f.energy, TOL(1e-11, 1e-4), tap_numbered("energy of free flight is kept, radians a step:", angle[i]));
        tap_most(f.size, TOL(1e-11, 1e-4), tap_numbered("and |L|:", angle[i]));
        if (angle[i] <= 1) { tap_most(f.vector, TOL(1e-11, 1e-4), tap_numbered("and L:", angle[i])); }
    }
}

static void add_box(uint16_t body, d3 half, double x)
{
    tac_shape s = tac_shape_make(body, TAC_BOX, d3_to(half));
    s.pose.p.x = (tac_real)x;
    tac_model_add_shape(&m, &s);
}

// A rod, plate, needle, broom or coin.
enum { ROD, PLATE, NEEDLE, BROOM, COIN, SLENDER };

static void add_slender(rng *r, int which)
{
    const double thin = octave_range(r, 0.002, 0.05);
    const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, rng_range(r, 0.6, 2)));
    const tac_shape coin = tac_shape_make(1, TAC_CYLINDER, vec(0.1, 0, thin));
    tac_model_add_body(&m, &b);
    if (which == ROD) { add_box(1, d3_make(0.5, thin, thin * rng_range(r, 0.5, 1)), 0); }
    if (which == PLATE) { add_box(1, d3_make(0.3, 0.2, thin), 0); }
    if (which == NEEDLE) { add_box(1, d3_make(0.5, 5e-4, 5e-4), 0); }
    if (which == BROOM) { add_box(1, d3_make(0.5, thin, thin), 0); }
    if (which == BROOM) { add_box(1, d3_make(0.03, 0.2, 0.03), 0.5); }
    if (which == COIN) { tac_model_add_shape(&m, &coin); }
    tac_model_mass_from_shapes(&m, 1, 1000);
}

// Thrown at 5 to 25 rad/s, they fall on the ground: never more energy than at the start, relative.
static void test_thrown(double h)
{
    rng r = {UINT64_C(0x7407)};
    double gained = 0, touched = 0;
    for (int i = 0; i < SLENDER * RUN(6, 1); i++) {
        tac_model_init(&m);
        m.h = (tac_real)h;
        tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 0.8), 0);
        const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        tac_model_add_shape(&m, &ground);
        add_slender(&r, i % SLENDER);
        const d3 axis = rng_box(&r, 1);
        m.body[1].pose.q = dq_to(rng_quat(&r));
        m.body[1].velocity.v = d3_to(rng_box(&r, 2));
        m.body[1].velocity.w = d3_to(d3_scale(rng_range(&r, 5, 25) / d3_norm(axis), axis));
        begin_world(&m, &state);
        tac_real kinetic, potential;
        tac_energy(&m, &state, &kinetic, &potential);
        const double start = (double)kinetic + (double)potential;
        for (int k = 0; k * h < 2; k++) {
            tac_step(&m, &state, NULL, &w);
            gained = d_max(gained, ((double)w.report.kinetic + (double)w.report.potential) / start - 1);
            touched += w.report.contacts > 0;
        }
    }
    // Weight: a step in which a blow comes moves with the velocity after it, which is g h/2 times its change too high.
    tap_most(gained, h > 1e-2 ? 1e-3 : 1e-4, tap_numbered("slender bodies are thrown, none gains energy; h:", h));
    tap_least(touched, 100, "they touch the ground");
}

typedef struct rolled {
    double energy, slip, height;
} rolled;

// CBAT07 example 1: radius 1 m, 1 kg, 3 m/s, 3 rad/s, mu 0.4, h = 10 ms; kind and inertia of the round body differ.
static rolled roll(uint8_t kind, double moment)
{
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    tac_model_add_material(&m, (tac_real)0.4, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &s);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 1));
    b.inertia = vec(moment, moment, moment);
    b.velocity.v = vec(-3, 0, 0);
    b.velocity.w = vec(0, -3, 0);
    tac_model_add_body(&m, &b);
    s = tac_shape_make(1, kind, vec(1, 0, 0.5));
    s.pose.q = dq_to(dq_about(d3_make(1, 0, 0), 0.5 * TRUTH_PI)); // a capsule lies along y
    tac_model_add_shape(&m, &s);
    begin_world(&m, &state);
    const double energy = 0.5 * (9.0 + 9.0 * moment);
    rolled r = {0, 0, 0};
    for (int k = 0; k < RUN(1000, 100); k++) {
        tac_step(&m, &state, NULL, &w);
        const d3 v = d3_of(state.twist[1].v), rate = world_rate(&state, 1);
        d_worst(&r.energy, (0.5 * d3_dot(v, v) + 0.5 * moment * d3_dot(rate, rate)) / energy - 1.0);
        d_worst(&r.slip, v.x - rate.y);
        d_worst(&r.height, (double)state.pose[1].p.z - 1.0);
    }
    return r;
}

static void test_rolling(uint8_t kind, double moment, const char *name)
{
    const rolled r = roll(kind, moment);
    tap_note(tap_joined(name, "energy lost, relative"), r.energy);
    tap_most(r.energy, TOL(1e-6, 1e-5), tap_joined(name, "loses no energy"));
    tap_most(r.slip, TOL(1e-9, 1e-4), tap_joined(name, "does not slip"));
    tap_most(r.height, TOL(1e-9, 1e-5), tap_joined(name, "stays on the floor"));
}

int main(void)
{
    test_flips();
    test_steady();
    test_flight();
    test_thrown(1e-3);
    test_thrown(5e-3);
    test_thrown(1.0 / 60);
    test_rolling(TAC_SPHERE, 0.4, "a rolling sphere");
    test_rolling(TAC_CAPSULE, 0.5, "a rolling capsule");
    return tap_done();
}
