// SPDX-License-Identifier: MIT
// Impacts: apexes of a bouncing ball (S8), restitution wherever in the step the impact falls, several impacts within a
// step, nothing tunnels.
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

// ------------------------------------------------------------------------------------- several impacts within a step

// A world without gravity of balls in a row, `gap` apart, the first at speed 1 towards the others.
typedef struct row {
    double radius, gap, speed, mass[5];
    int balls;
    d3 along;
} row;

static void row_build(const row *r, double e)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, 0, (tac_real)e);
    for (int i = 0; i < r->balls; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_scale(i * (2 * r->radius + r->gap), r->along)));
        const double inertia = 0.4 * r->mass[i] * r->radius * r->radius;
        b.mass = (tac_real)r->mass[i];
        b.inertia = vec(inertia, inertia, inertia);
        if (i == 0) { b.velocity.v = d3_to(d3_scale(r->speed, r->along)); }
        const tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), TAC_SPHERE, vec(r->radius, 0, 0));
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
}

// What is left of the kinetic energy after so many steps.
static double row_energy(int steps)
{
    tac_real first, last;
    int refused = 0;
    tac_energy(&m, &state, &first, NULL);
    for (int k = 0; k < steps; k++) { refused += tac_step(&m, &state, NULL, &w) < 0; }
    tac_energy(&m, &state, &last, NULL);
    return refused ? 0.0 : (double)last / (double)first;
}

// Five balls, 100 mm across, from touching to 5 mm apart, 1 m/s, at 1 ms; the same a hundred times as small or a
// thousand times as large, of grams or of tonnes; along an axis or not; of one mass and of many.
static void test_row(void)
{
    static const double scale[] = {1, 0.01, 1000}, unit[] = {1, 1e-3, 1e3}, mixed[] = {1, 0.13, 1.6, 0.19, 2.2};
    const d3 along[] = {{1, 0, 0}, {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0}};
    double worst = 0.0, first = 0.0;
    for (int way = 0; way < RUN(36, 4); way++) {
        const int uneven = way & 1;
        row r = {0.05 * scale[way / 12], 0, scale[way / 12], {0}, 5, along[way >> 1 & 1]};
        for (int i = 0; i < 5; i++) { r.mass[i] = unit[way / 4 % 3] * (uneven ? mixed[i] : 1.0); }
        for (int i = 0; i <= RUN(100, 5); i++) {
            r.gap = RUN(5e-5, 1e-3) * i * scale[way / 12];
            row_build(&r, 1);
            d_worst(&worst, row_energy(60) - 1.0);
            if (!uneven) { d_worst(&first, d3_norm(d3_of(state.twist[1].v)) / r.speed); }
        }
    }
    tap_note("energy error, relative", worst);
    tap_most(worst, 0.01, "five balls in a row keep their energy, whatever is between them");
    tap_most(first, TOL(1e-9, 1e-4), "of equal balls the first stops");
}

// A light ball between heavy ones is hit back and forth within one step, a hundred times and more.
static void test_squeezed(void)
{
    row r = {0.05, 1e-4, 1, {1000, 1, 1000}, 3, {0, 1, 0}};
    row_build(&r, 1);
    tap_near(row_energy(40), 1.0, TOL(1e-9, 1e-4), "a light ball between two of a thousand times its mass");
    r.mass[1] = 1e-3;
    row_build(&r, 1);
    m.options.solver = TAC_SOLVER_ACCELERATED; // whose projection parts the heavy balls
    begin_world(&m, &state);
    const double kept = row_energy(1);
    tap_equal(w.report.impacts, 256, "of a million times: as many impacts as a step may have");
    tap_ok(kept <= TOL(1.0 + 1e-12, 1.0 + 1e-5), "and no energy from those that are not");
    row_energy(40);
    tap_most(w.report.penetration, TOL(1e-9, 1e-6), "nor an overlap");
}

// A touches B and moves away from it; C strikes B from the other side. Newton's law for both at once would stop A at B
// and give the three 6 % more energy than they had. One after the other: C stops at B, B at A, and A takes all.
static void test_opening(void)
{
    row r = {0.05, 0, 1, {1, 1, 1}, 3, {1, 0, 0}};
    row_build(&r, 1);
    state.twist[1].v = vec(-1, 0, 0);
    state.twist[3].v = vec(-10, 0, 0);
    tap_near(row_energy(3), 1.0, TOL(1e-12, 1e-5), "one contact opens while the other is struck: energy");
    tap_near(state.twist[1].v.x, -10.0, TOL(1e-9, 1e-3), "the last ball takes the speed of the first");
    tap_near(state.twist[2].v.x, -1.0, TOL(1e-9, 1e-3), "the one in the middle that of the last");
    tap_near(state.twist[3].v.x, 0.0, TOL(1e-9, 1e-3), "and the first stops");
}

// A box that lands on all its corners at once leaves as it came, e times as fast.
static void test_flat(void)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, (tac_real)0.5, (tac_real)0.6);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.2, -0.1, 0.0532));
    const tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), TAC_BOX, vec(0.3, 0.2, 0.05));
    tac_model_add_shape(&m, &s);
    tac_model_mass_from_shapes(&m, 1, 1000);
    m.body[1].velocity.v = vec(0, 0, -2);
    begin_world(&m, &state);
    for (int k = 0; k < 5; k++) { tac_step(&m, &state, NULL, &w); }
    tap_near(state.twist[1].v.z, 1.2, TOL(1e-9, 1e-4), "a box that lands flat leaves with e times its speed");
    tap_most(d3_norm(d3_of(state.twist[1].w)), TOL(1e-8, 1e-3), "and does not turn");
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
    test_row();
    test_squeezed();
    test_opening();
    test_flat();
    test_tunnelling(TAC_HALF_SPACE, "a half-space");
    test_tunnelling(TAC_BOX, "a thin box");
    return tap_done();
}
