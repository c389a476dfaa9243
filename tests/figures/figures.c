// SPDX-License-Identifier: MIT
// figures.c - what the kernel reaches on the common scenes, measured now, one line each: scene, what counts, figure.
//     figures                all scenes
//     figures TOLERANCE      those that show what options.tolerance does, with that one
#include "tactus/tactus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double G = 9.81, PI = 3.14159265358979323846;

static tac_model model;
static tac_state state;
static tac_work work;
static double tolerance; // of the solver; 0: its default

static tac_vec3 vec(double x, double y, double z)
{
    return (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)z};
}

static void ground(double mu, double restitution)
{
    tac_model_init(&model);
    tac_model_add_material(&model, (tac_real)mu, (tac_real)restitution);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&model, &plane);
}

// A body of one shape with the given mass and uniform density.
static tac_body *add(uint8_t kind, tac_vec3 size, double mass, tac_vec3 at)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, at);
    const uint16_t i = (uint16_t)tac_model_add_body(&model, &b);
    const tac_shape s = tac_shape_make(i, kind, size);
    tac_model_add_shape(&model, &s);
    tac_model_mass_from_shapes(&model, i, 1);
    tac_model_mass_from_shapes(&model, i, (tac_real)mass / model.body[i].mass);
    return &model.body[i];
}

static void start(double h)
{
    tac_fault fault;
    model.h = (tac_real)h;
    if (tolerance > 0) { model.options.tolerance = (tac_real)tolerance; }
    if (tac_model_seal(&model, &fault) != TAC_OK || tac_state_init(&model, &state, &fault) != TAC_OK) {
        fprintf(stderr, "figures: %s %s\n", tac_field_name(fault.field), tac_reason_name(fault.reason));
        exit(1);
    }
}

static void step(void)
{
    if (tac_step(&model, &state, NULL, &work) < 0) {
        fprintf(stderr, "figures: step refused\n");
        exit(1);
    }
}

static double norm(tac_vec3 a)
{
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

static void raise_to(double *worst, double x)
{
    if (!(fabs(x) <= *worst)) { *worst = fabs(x); }
}

// ------------------------------------------------------------------------------------------------------------- scenes

static void slide_to_roll(double v0, double h, int diagonal, uint8_t law)
{
    const double c = diagonal ? sqrt(0.5) : 1.0, s = diagonal ? sqrt(0.5) : 0.0, ts = 2 * v0 / (7 * 0.2 * G);
    double speed = 0, lift = 0, peak = 0;
    ground(0.2, 0);
    add(TAC_SPHERE, vec(1, 0, 0), 1, vec(0, 0, 1))->velocity.v = vec(c * v0, s * v0, 0);
    model.options.friction = law;
    start(h);
    for (int i = 1; i * h <= 1.5 * ts + 1; i++) {
        const double t = i * h, v = t < ts ? v0 - 0.2 * G * t : v0 * 5 / 7;
        step();
        raise_to(&speed, (double)state.twist[1].v.x * c + (double)state.twist[1].v.y * s - v);
        raise_to(&lift, (double)state.pose[1].p.z - 1);
        if (i == 1) { peak = (double)state.twist[1].v.z; }
    }
    if (law == TAC_FRICTION_EXACT) {
        printf("S1%s v=%g h=%g ms, exact | velocity error %.2g m/s, lift %.2g m\n", diagonal ? "d" : "", v0, h * 1e3,
               speed, lift);
    } else {
        printf("S1%s v=%g h=%g ms, relaxed | start-up kick %.4g m/s (derived %.4g), hop %.3g m\n", diagonal ? "d" : "",
               v0, h * 1e3, peak, 0.2 * v0 / (1 + 3.5 * 0.04), lift);
    }
}

static void relaxed_gap(double v0, double h)
{
    double worst = 0;
    ground(0.2, 0);
    add(TAC_SPHERE, vec(1, 0, 0), 1, vec(0, 0, 1 + h * 0.2 * v0))->velocity.v = vec(v0, 0, 0);
    model.options.friction = TAC_FRICTION_RELAXED;
    start(h);
    for (int i = 1; i * h < v0 / (7 * 0.2 * G); i++) {
        step();
        const double slip = (double)state.twist[1].v.x - (double)state.twist[1].w.y;
        raise_to(&worst, ((double)state.pose[1].p.z - 1) / (h * 0.2 * slip) - 1);
    }
    printf("S1 v=%g h=%g ms, relaxed | steady gap over h mu |v_T|: off by %.2g\n", v0, h * 1e3, worst);
}

static void trinkle(void)
{
    double worst = 0;
    const double ts = 2 * 2.0 / (7 * 0.2 * G);
    ground(0.2, 0);
    add(TAC_SPHERE, vec(1, 0, 0), 1, vec(0, 0, 1))->velocity.v = vec(2, 0, 0);
    start(0.12);
    for (int i = 1; i <= 5; i++) {
        const double t = i * 0.12, v = t < ts ? 2 - 0.2 * G * t : 10.0 / 7, w = t < ts ? 2.5 * 0.2 * G * t : 10.0 / 7;
        step();
        raise_to(&worst, (double)state.twist[1].v.x - v);
        raise_to(&worst, (double)state.twist[1].w.y - w);
    }
    printf("T03 section 4, h=0.12 s | velocities off by %.2g at the grid points\n", worst);
}

static void incline(int diagonal)
{
    const double c = diagonal ? sqrt(0.5) : 1.0, s = diagonal ? sqrt(0.5) : 0.0;
    double threshold = -1, creep = 0, acceleration = 0, hop = 0, tilt = 0;
    for (int k = 200; k <= 350; k++) {
        const double alpha = k * 0.1 * PI / 180;
        double before = 0;
        ground(0.5, 0);
        add(TAC_BOX, vec(0.05, 0.05, 0.05), 1, vec(0, 0, 0.05));
        model.gravity = vec(G * sin(alpha) * c, G * sin(alpha) * s, -G * cos(alpha));
        start(1e-3);
        for (int i = 1; i <= 2000; i++) {
            step();
            const tac_vec3 v = state.twist[1].v;
            const tac_quat q = state.pose[1].q;
            if (i == 1000) { before = (double)v.x * c + (double)v.y * s; }
            if (k <= 265) { raise_to(&creep, norm(v)); }
            if (i > 1000 && k > 275) {
                raise_to(&hop, (double)state.pose[1].p.z - 0.05);
                raise_to(&tilt, 2 * sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y) * 180 / PI);
            }
        }
        const double gain = (double)state.twist[1].v.x * c + (double)state.twist[1].v.y * s - before;
        if (threshold < 0 && gain > 0.003) { threshold = k * 0.1; }
        if (k > 275) { raise_to(&acceleration, gain / (G * (sin(alpha) - 0.5 * cos(alpha))) - 1); }
    }
    printf(
        "S2%s | threshold %.1f degrees, creep %.2g m/s, acceleration off by %.2g %%, hop %.2g m, tilt %.2g degrees\n",
        diagonal ? "d" : "", threshold, creep, acceleration * 100, hop, tilt);
}

static void disc(uint8_t kind)
{
    double worst = 0;
    tac_real kinetic, first;
    ground(0.4, 0);
    tac_body *b = add(kind, vec(1, 0, 0.2), 1, vec(0, 0, 1));
    if (kind == TAC_CAPSULE) { b->pose.q = (tac_quat){(tac_real)sqrt(0.5), (tac_real)sqrt(0.5), 0, 0}; }
    b->velocity.v = vec(-3, 0, 0);
    b->velocity.w = kind == TAC_CAPSULE ? vec(0, 0, 3) : vec(0, -3, 0); // about the symmetry axis, principal frame
    start(0.01);
    tac_energy(&model, &state, &first, NULL);
    for (int i = 0; i < 1000; i++) {
        step();
        tac_energy(&model, &state, &kinetic, NULL);
        raise_to(&worst, (double)kinetic / (double)first - 1);
    }
    printf("CBAT07 example 1, %s, h=10 ms | energy off by %.2g in 10 s\n", kind == TAC_CAPSULE ? "capsule" : "sphere",
           worst);
}

static void top(void)
{
    double energy = 0, momentum = 0, direction = 0;
    int flips = 0, side = 1;
    tac_real k0, k;
    tac_vec3 l0, l;
    tac_model_init(&model);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.inertia = vec(1, 2, 3);
    b.velocity.w = vec(0.01, 5, 0.01);
    tac_model_add_body(&model, &b);
    model.gravity = vec(0, 0, 0);
    start(1e-3);
    tac_energy(&model, &state, &k0, NULL);
    tac_momentum(&model, &state, NULL, &l0);
    for (int i = 0; i < 20000; i++) {
        step();
        tac_energy(&model, &state, &k, NULL);
        tac_momentum(&model, &state, NULL, &l);
        raise_to(&energy, (double)k / (double)k0 - 1);
        raise_to(&momentum, norm(l) / norm(l0) - 1);
        raise_to(&direction,
                 norm(vec((double)l.x - (double)l0.x, (double)l.y - (double)l0.y, (double)l.z - (double)l0.z)) /
                     norm(l0));
        if (side * (double)state.twist[1].w.y < -2.5) {
            side = -side;
            flips++;
        }
    }
    printf("S7 | |L| off by %.2g, L vector by %.2g, energy by %.2g, %d flips\n", momentum, direction, energy, flips);
}

// Apexes as the peers' harness finds them: local maxima of the height after the ball has been near the ground.
static void bounce(double h)
{
    double before = 1, now = 1, last = 1, expected = 1, worst = 0;
    int apexes = 0, hit = 0;
    ground(0.5, 0.8);
    add(TAC_SPHERE, vec(0.1, 0, 0), 1, vec(0, 0, 1.1));
    start(h);
    for (int i = 1; i * h < 8 && apexes < 5; i++) {
        step();
        last = before;
        before = now;
        now = (double)state.pose[1].p.z - 0.1;
        hit = hit || before < 0.02 * expected;
        if (hit && before > last && before >= now && before > 0.02 * expected) {
            expected *= 0.64;
            apexes++;
            raise_to(&worst, before / expected - 1);
            hit = 0;
        }
    }
    printf("S8 h=%g ms | %d apexes within %.2g %%\n", h * 1e3, apexes, worst * 100);
}

static void stack(double seconds)
{
    const double h = 5e-3;
    double drift = 0, early = 0;
    int i;
    ground(0.5, 0);
    for (i = 0; i < 10; i++) { add(TAC_BOX, vec(0.5, 0.5, 0.5), 1, vec(0, 0, 0.5 + i)); }
    start(h);
    for (i = 1; i * h <= seconds && drift < 0.5; i++) {
        step();
        const tac_vec3 p = state.pose[10].p;
        raise_to(&drift, norm(vec((double)p.x, (double)p.y, (double)p.z - 9.5)));
        if (i * h <= 10) { early = drift; }
    }
    printf("S3 h=5 ms, 50 sweeps | stands %.0f s, drift %.3g mm in the first 10 s, %.3g mm in all\n", (i - 1) * h,
           early * 1e3, drift * 1e3);
}

static void all_scenes(void)
{
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        slide_to_roll(2, 1e-3, diagonal, TAC_FRICTION_EXACT);
        slide_to_roll(2, 1e-2, diagonal, TAC_FRICTION_EXACT);
        slide_to_roll(20, 1e-3, diagonal, TAC_FRICTION_EXACT);
        slide_to_roll(20, 1e-2, diagonal, TAC_FRICTION_EXACT);
    }
    slide_to_roll(2, 1e-3, 0, TAC_FRICTION_RELAXED);
    slide_to_roll(20, 1e-2, 0, TAC_FRICTION_RELAXED);
    relaxed_gap(2, 1e-3);
    relaxed_gap(2, 1e-2);
    trinkle();
    incline(0);
    incline(1);
    disc(TAC_SPHERE);
    disc(TAC_CAPSULE);
    top();
    bounce(1e-3);
    bounce(5e-3);
    stack(60);
}

static void scenes_of_tolerance(void)
{
    slide_to_roll(20, 1e-2, 0, TAC_FRICTION_EXACT);
    trinkle();
    incline(0);
    incline(1);
    stack(60);
}

int main(int count, char **argument)
{
    tolerance = count == 2 ? strtod(argument[1], NULL) : 0;
    printf("# %d bits\n", TAC_REAL_BITS);
    if (tolerance > 0) {
        scenes_of_tolerance();
    } else {
        all_scenes();
    }
    return 0;
}
