// SPDX-License-Identifier: MIT
// A box on a slope (S2, S2d), made by tilting gravity: it sticks below atan(mu) = 26.565 degrees and slides above with
// g (sin - mu cos), along its edges and across them, without hop or tilt; whether its edge has 1 mm, 0.1 m or 10 m.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static const double MU = 0.5, G = 9.81;

static tac_model m;
static tac_state state;
static tac_work w;

static void tilt(double degrees, int diagonal)
{
    const double angle = degrees * TRUTH_PI / 180.0, c = diagonal ? 0.70710678118654752440 : 1.0;
    const double pull = G * d_sin(angle);
    scene_find("box_incline")->build(&m);
    m.gravity = vec(c * pull, diagonal ? c * pull : 0.0, -G * d_cos(angle));
    begin_world(&m, &state);
}

static double along(tac_vec3 a, int diagonal)
{
    return diagonal ? 0.70710678118654752440 * ((double)a.x + (double)a.y) : (double)a.x;
}

static void step(uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
    }
}

// Displacement between one second and two: a creep of 1e-9 m/s is 1e-9 m.
static void test_sticks(double degrees, int diagonal)
{
    const uint32_t half = RUN(1000, 30);
    tilt(degrees, diagonal);
    step(half);
    const d3 before = d3_of(state.pose[1].p);
    step(half);
    const double creep = d3_norm(d3_sub(d3_of(state.pose[1].p), before)) / (0.001 * half);
    tap_note(tap_numbered("creep m/s at degrees", degrees), creep);
    tap_most(creep, TOL(1e-9, 1e-8), tap_numbered(diagonal ? "S2d sticks at" : "S2 sticks at", degrees));
}

static void test_slides(double degrees, int diagonal)
{
    const double angle = degrees * TRUTH_PI / 180.0, truth = G * (d_sin(angle) - MU * d_cos(angle));
    const uint32_t half = RUN(1000, 30);
    double hop = 0.0, lean = 0.0, sideways = 0.0;
    tilt(degrees, diagonal);
    step(half);
    const double v1 = along(state.twist[1].v, diagonal);
    for (uint32_t k = 0; k < half; k++) {
        step(1);
        d_worst(&hop, (double)state.pose[1].p.z - 0.05);
        const dq q = dq_of(state.pose[1].q);
        d_worst(&lean, 2.0 * d_sqrt(q.x * q.x + q.y * q.y + q.z * q.z));
        d_worst(&sideways, diagonal ? (double)(state.twist[1].v.x - state.twist[1].v.y) : (double)state.twist[1].v.y);
    }
    const double acceleration = (along(state.twist[1].v, diagonal) - v1) / (0.001 * half);
    const char *name = diagonal ? "S2d slides at" : "S2 slides at";
    tap_note(tap_numbered("relative error of the acceleration at degrees", degrees), acceleration / truth - 1.0);
    tap_near(acceleration / truth, 1.0, 0.001, tap_numbered(name, degrees));
    tap_most(hop, TOL(1e-9, 2e-6), tap_joined(name, "- no hop, no sinking"));
    tap_most(lean, TOL(1e-7, 2e-5), tap_joined(name, "- no tilt"));
    tap_most(sideways, TOL(1e-9, 1e-4), tap_joined(name, "- straight down"));
}

// The same at another size, with the same step and gravity.
static void resize(double edge)
{
    const tac_real part = (tac_real)(edge / 0.1), square = part * part;
    tac_body *b = &m.body[1];
    b->pose.p.z *= part;
    b->inertia = (tac_vec3){b->inertia.x * square, b->inertia.y * square, b->inertia.z * square};
    m.shape[1].size = vec(0.5 * edge, 0.5 * edge, 0.5 * edge);
    begin_world(&m, &state);
}

static void test_size(double edge, int diagonal)
{
    const uint32_t half = RUN(1000, 30);
    const double angle = 26.6 * TRUTH_PI / 180.0, truth = G * (d_sin(angle) - MU * d_cos(angle));
    double lift = 0.0;
    tilt(26.5, diagonal);
    resize(edge);
    step(half);
    const d3 before = d3_of(state.pose[1].p);
    step(half);
    const double creep = d3_norm(d3_sub(d3_of(state.pose[1].p), before)) / (0.001 * half);
    tap_most(creep, TOL(1e-12, 1e-8), tap_numbered("sticks at 26.5 degrees, m/s, with an edge of m", edge));
    tilt(26.6, diagonal);
    resize(edge);
    step(half);
    const double v1 = along(state.twist[1].v, diagonal);
    for (uint32_t k = 0; k < half; k++) {
        step(1);
        d_worst(&lift, ((double)state.pose[1].p.z - 0.5 * edge) / edge);
    }
    const double acceleration = (along(state.twist[1].v, diagonal) - v1) / (0.001 * half);
    tap_near(acceleration / truth, 1.0, TOL(1e-7, 1e-3), tap_numbered("slides at 26.6 with an edge of m", edge));
    tap_most(lift, TOL(1e-7, 1e-5), "on the slope, parts of its edge");
}

int main(void)
{
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        test_sticks(26.5, diagonal);
        test_slides(30.0, diagonal);
        test_size(0.001, diagonal);
        test_size(0.1, diagonal);
        test_size(10.0, diagonal);
        if (!TAP_FULL) { continue; }
        test_sticks(20.0, diagonal);
        test_sticks(25.0, diagonal);
        test_sticks(26.4, diagonal);
        test_slides(26.6, diagonal);
        test_slides(26.7, diagonal);
        test_slides(27.5, diagonal);
        test_slides(35.0, diagonal);
    }
    return tap_done();
}
