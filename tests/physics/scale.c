// SPDX-License-Identifier: MIT
// No absolute epsilon: a scene of another size, mass or time scale is the same scene. Powers of two scale without
// rounding, so there the motion must be the same to the bit; other factors agree to rounding while they can.
#include "scenes.h"
#include "tap.h"
#include "truth.h"

static tac_model base_model, m;
static tac_state base, state;
static tac_work w;

typedef struct units {
    double length, mass, time;
} units;

static void scale3(tac_vec3 *a, double s)
{
    *a = (tac_vec3){a->x * (tac_real)s, a->y * (tac_real)s, a->z * (tac_real)s};
}

static void rescale(tac_model *model, units u)
{
    model->h *= (tac_real)u.time;
    scale3(&model->gravity, u.length / (u.time * u.time));
    for (uint16_t i = 1; i < model->bodies; i++) {
        tac_body *b = &model->body[i];
        b->mass *= (tac_real)u.mass;
        scale3(&b->inertia, u.mass * u.length * u.length);
        scale3(&b->pose.p, u.length);
        scale3(&b->inertial.p, u.length);
        scale3(&b->velocity.v, u.length / u.time);
        scale3(&b->velocity.w, 1.0 / u.time);
    }
    for (uint16_t i = 0; i < model->shapes; i++) {
        scale3(&model->shape[i].size, u.length);
        scale3(&model->shape[i].pose.p, u.length);
    }
}

static double difference(units u)
{
    double worst = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 p = d3_scale(1.0 / u.length, d3_of(state.pose[i].p));
        const d3 v = d3_scale(u.time / u.length, d3_of(state.twist[i].v));
        const d3 rate = d3_scale(u.time, d3_of(state.twist[i].w));
        d_worst(&worst, d3_norm(d3_sub(p, d3_of(base.pose[i].p))));
        d_worst(&worst, d3_norm(d3_sub(v, d3_of(base.twist[i].v))));
        d_worst(&worst, d3_norm(d3_sub(rate, d3_of(base.twist[i].w))));
    }
    return worst;
}

static void compare(const char *name, uint32_t steps, units u, double tolerance, const char *what)
{
    scene_find(name)->build(&base_model);
    m = base_model;
    rescale(&m, u);
    if (tac_model_seal(&m, NULL) != TAC_OK) { tap_ok(0, "scaled scene refused"); }
    tac_state_init(&base_model, &base, NULL);
    tac_state_init(&m, &state, NULL);
    double worst = 0.0;
    for (uint32_t k = 0; k < steps; k++) {
        const tac_status a = tac_step(&base_model, &base, NULL, &w), b = tac_step(&m, &state, NULL, &w);
        if (a < 0 || b < 0 || (tolerance <= 0.0 && a != b)) { worst = 1e30; }
        d_worst(&worst, difference(u));
    }
    tap_most(worst, tolerance, tap_joined(what, name));
}

int main(void)
{
    static const char *const names[] = {"cube_toss", "mixed", "bounce", "sphere_slide"};
    const units small = {1.0 / 1024, 1, 1}, large = {128, 1, 1}, light = {1, 1.0 / 1024, 1}, heavy = {1, 1024, 1};
    const units froude = {1.0 / 1024, 1, 1.0 / 32}, slow = {1, 1, 8};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const uint32_t steps = RUN(400, 30);
        compare(names[i], steps, small, 0.0, "to the bit at 1/1024 of the size:");
        compare(names[i], steps, light, 0.0, "to the bit at 1/1024 of the mass:");
        if (!TAP_FULL) { continue; }
        compare(names[i], steps, large, 0.0, "to the bit at 128 times the size:");
        compare(names[i], steps, heavy, 0.0, "to the bit at 1024 times the mass:");
        compare(names[i], steps, froude, 0.0, "to the bit at 1/1024 of the size and 1/32 of the time (Froude):");
        compare(names[i], steps, slow, 0.0, "to the bit in slow motion:");
    }
    const units milli = {1e-3, 1, 1}, hundred = {1e2, 1, 1}, gram = {1, 1e-3, 1}, tonne = {1, 1e3, 1};
    // Not powers of two: other rounding, which each impact of a tumbling cube multiplies. m, m/s, rad/s of 5.
    const double near = TOL(1e-9, 2e-1);
    compare("cube_toss", RUN(300, 60), milli, near, "at 1e-3 of the size:");
    compare("cube_toss", RUN(300, 60), hundred, near, "at 1e2 of the size:");
    compare("cube_toss", RUN(300, 60), gram, near, "at 1e-3 of the mass:");
    compare("cube_toss", RUN(300, 60), tonne, near, "at 1e3 of the mass:");
    return tap_done();
}
