// SPDX-License-Identifier: MIT
// Impacts: apexes of a bouncing ball (S8), restitution wherever in the step the impact falls, nothing tunnels.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

// The height of the ball's lowest point at its n-th apex is e^2n, from 1 m.
static void test_apexes(double h, double tolerance, const char *name)
{
    const int wanted = RUN(5, 2);
    const uint32_t limit = (uint32_t)(RUN(6.0, 1.8) / h);
    scene_find("bounce")->build(&m);
    m.h = (tac_real)h;
    begin_world(&m, &state);
    double top = 0.0, worst = 0.0, truth = 0.64;
    int apexes = 0, rising = 0;
    for (uint32_t k = 0; k < limit && apexes < wanted; k++) {
        tac_step(&m, &state, NULL, &w);
        const double z = (double)state.pose[1].p.z - 0.1, v = (double)state.twist[1].v.z;
        if (v > 0.0) {
            rising = 1;
            top = d_max(top, z);
        } else if (rising) {
            d_worst(&worst, d_max(top, z) / truth - 1.0);
            truth *= 0.64;
            apexes++;
            rising = 0;
            top = 0.0;
        }
    }
    tap_equal(apexes, wanted, tap_joined(name, "bounces"));
    tap_note(tap_joined(name, "worst apex error, relative"), worst);
    tap_most(worst, tolerance, tap_joined(name, "apexes"));
}

// Without gravity a ball that arrives at 1 m/s leaves at e; where it is later depends on nothing but the time.
static void test_anywhere(void)
{
    double position = 0.0, speed = 0.0;
    enum { STEPS = 20 };
    const double h = 0.01, e = 0.75;
    for (int i = 0; i < 20; i++) {
        const double gap = (4.0 + 0.05 * i) * h;
        scene_find("bounce")->build(&m);
        m.h = (tac_real)h;
        m.gravity = vec(0, 0, 0);
        m.material[0].restitution = (tac_real)e;
        m.material[0].restitution_rule = TAC_RULE_MAX;
        m.body[1].pose.p = vec(0, 0, 0.1 + gap);
        m.body[1].velocity.v = vec(0, 0, -1);
        begin_world(&m, &state);
        for (int k = 0; k < STEPS; k++) { tac_step(&m, &state, NULL, &w); }
        d_worst(&speed, (double)state.twist[1].v.z - e);
        d_worst(&position, (double)state.pose[1].p.z - 0.1 - e * (STEPS * h - gap));
    }
    tap_most(speed, TOL(1e-12, 1e-6), "it leaves with e times the speed, wherever in the step it hits");
    tap_most(position, TOL(1e-12, 2e-6), "and is where it should be");
}

static void test_threshold(void)
{
    scene_find("bounce")->build(&m);
    m.gravity = vec(0, 0, 0);
    m.options.bounce = (tac_real)0.5;
    m.body[1].pose.p.z = (tac_real)0.1004;
    m.body[1].velocity.v = vec(0, 0, -0.49);
    begin_world(&m, &state);
    for (int k = 0; k < 5; k++) { tac_step(&m, &state, NULL, &w); }
    tap_near(state.twist[1].v.z, 0.0, TOL(1e-12, 1e-6), "below the threshold nothing bounces");
    m.body[1].velocity.v = vec(0, 0, -0.51);
    begin_world(&m, &state);
    for (int k = 0; k < 5; k++) { tac_step(&m, &state, NULL, &w); }
    tap_near(state.twist[1].v.z, 0.8 * 0.51, TOL(1e-12, 1e-6), "above it everything does");
    m.material[0].restitution = 0;
    begin_world(&m, &state);
    for (int k = 0; k < 5; k++) { tac_step(&m, &state, NULL, &w); }
    tap_near(state.twist[1].v.z, 0.0, TOL(1e-12, 1e-6), "restitution 0 never does");
}

// Two balls, the second at rest: 1 kg at 2 m/s onto 3 kg, e = 0.5 along the line of centres.
static void test_two_balls(void)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, 0, (tac_real)0.5);
    for (int i = 0; i < 2; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.6 * i, 0.8 * i, 0));
        b.mass = (tac_real)(i == 0 ? 1 : 3);
        const int32_t index = tac_model_add_body(&m, &b);
        const tac_shape s = tac_shape_make((uint16_t)index, TAC_SPHERE, vec(0.4995, 0, 0));
        tac_model_add_shape(&m, &s);
    }
    m.body[1].velocity.v = vec(1.2, 1.6, 0);
    begin_world(&m, &state);
    for (int k = 0; k < 5; k++) { tac_step(&m, &state, NULL, &w); }
    // v1' = v1 (m1 - e m2)/(m1 + m2) = -0.25, v2' = v1 m1 (1 + e)/(m1 + m2) = 0.75 along (0.6, 0.8, 0)
    const d3 v1 = d3_of(state.twist[1].v), v2 = d3_of(state.twist[2].v);
    tap_most(d3_norm(d3_sub(v1, d3_make(-0.15, -0.2, 0))), TOL(1e-12, 1e-6), "central impact: the ball that came");
    tap_most(d3_norm(d3_sub(v2, d3_make(0.45, 0.6, 0))), TOL(1e-12, 1e-6), "central impact: the ball that was hit");
}

// ---------------------------------------------------------------------------------------------------------- tunnelling

static void shoot(uint8_t target, double speed, double distance, d3 direction)
{
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.3, 0);
    tac_shape s = tac_shape_make(0, target, vec(50, 50, 0.01));
    if (target == TAC_BOX) { s.pose.p.z = (tac_real)-0.01; }
    tac_model_add_shape(&m, &s);
    const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.05 + distance));
    tac_model_add_body(&m, &b);
    s = tac_shape_make(1, TAC_SPHERE, vec(0.05, 0, 0));
    tac_model_add_shape(&m, &s);
    m.body[1].inertia = vec(0.001, 0.001, 0.001);
    m.body[1].velocity.v = d3_to(d3_scale(speed, direction));
    begin_world(&m, &state);
}

static void test_tunnelling(uint8_t target, const char *name)
{
    static const double speeds[] = {1, 5, 20, 49, 51, 100, 500};
    const d3 straight = d3_make(0, 0, -1), oblique = d3_make(0.6, 0, -0.8);
    double deepest = 0.0, escaped = 0.0;
    for (unsigned i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        for (int k = 0; k < 8; k++) {
            const double speed = speeds[i], distance = speed * 0.001 * (0.1 + 0.3 * k);
            shoot(target, speed, distance, k & 1 ? oblique : straight);
            for (int steps = 0; steps < 8; steps++) {
                tac_step(&m, &state, NULL, &w);
                d_worst(&deepest, d_max(0.0, 0.05 - (double)state.pose[1].p.z));
            }
            d_worst(&escaped, d_max(0.0, (double)state.pose[1].p.z - 0.05));
            d_worst(&escaped, (double)state.twist[1].v.z * 0.001);
        }
    }
    tap_most(deepest, TOL(1e-12, 1e-5), tap_joined("a fast ball never enters", name));
    tap_most(escaped, TOL(1e-12, 1e-5), tap_joined("and comes to rest on", name));
}

int main(void)
{
    test_apexes(0.001, 1e-4, "S8 h=1 ms");
    test_apexes(0.005, 1e-3, "S8 h=5 ms");
    test_anywhere();
    test_threshold();
    test_two_balls();
    test_tunnelling(TAC_HALF_SPACE, "a half-space");
    test_tunnelling(TAC_BOX, "a thin box");
    return tap_done();
}
