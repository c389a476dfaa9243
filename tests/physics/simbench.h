// SPDX-License-Identifier: MIT
// simbench.h - four scenes of SimBenchmark (Kang and Hwangbo, 2018): a box pushed over the ground with 25 balls on it,
// 7 x 7 balls that bounce one by one, 6 x 6 x 6 that fall together and out ("666"), the same elastic from a metre up.
//   given   a scene, a step; whatever is changed in simbench_model before it runs
//   makes   the published measures, means over the samples before each step
//   bound   seconds/step steps
//   never   judges
// Needs: TAC_MAX_BODIES 216, TAC_MAX_SHAPES 217, TAC_MAX_CONTACTS 1500.
#ifndef SIMBENCH_H
#define SIMBENCH_H

#include "shapes.h"

#define SIMBENCH_R 0.1  // m   of the balls, but where they roll
#define SIMBENCH_M 10.0 // kg  of these, and of the box
#define SIMBENCH_G 9.81

enum { SIMBENCH_ROLLING, SIMBENCH_BOUNCING, SIMBENCH_666, SIMBENCH_ELASTIC };

static tac_model simbench_model;
static tac_state simbench_state;
static tac_work simbench_work;

typedef struct simbench {
    double velocity;    // (m/s)^2 of the box and of ball (0,0), off the exact solution
    double penetration; // m^2     sum over pairs (2R - d)+^2, over balls (R - z)+^2
    double energy;      // J^2     (E - E0)^2
    double residual; //         largest
    double sweeps;   //         a step
    int contacts;    //         most
    int unconverged, relaxed, dropped, refused;
} simbench;

static void simbench_body(uint8_t kind, d3 size, uint8_t material, double mass, d3 inertia, d3 at)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = d3_to(inertia);
    tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&simbench_model, &b), kind, d3_to(size));
    s.material = material;
    tac_model_add_shape(&simbench_model, &s);
}

static void simbench_ball(d3 at)
{
    simbench_body(TAC_SPHERE, d3_make(SIMBENCH_R, 0, 0), 0, SIMBENCH_M, d3_make(0.04, 0.04, 0.04), at);
}

static void simbench_rolling(void)
{
    const double p = 2e-5; // m  first overlap
    tac_model *m = &simbench_model;
    tac_model_add_material(m, 0, 0);
    tac_model_add_material(m, 0, 0);
    tac_model_add_material_pair(m, 0, 1, (tac_real)0.4, 0);
    tac_model_add_material_pair(m, 1, 2, (tac_real)0.8, 0);
    simbench_body(TAC_BOX, d3_make(10, 10, 0.5), 1, SIMBENCH_M, d3_make(334.1667, 334.1667, 666.6667),
                  d3_make(0, 0, 0.5 - p));
    for (int i = 0; i < 25; i++) {
        const d3 at = d3_make(2 * (i / 5) - 4, 2 * (i % 5) - 4, 1.5 - 3 * p);
        simbench_body(TAC_SPHERE, d3_make(0.5, 0, 0), 2, 1, d3_make(0.1, 0.1, 0.1), at);
    }
}

static void simbench_build(int which, double h)
{
    rng r = {42};
    tac_model *m = &simbench_model;
    tac_model_init(m);
    m->h = (tac_real)h;
    tac_model_add_material(m, 0, which == SIMBENCH_BOUNCING || which == SIMBENCH_ELASTIC ? 1 : 0);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(m, &plane);
    if (which == SIMBENCH_ROLLING) { simbench_rolling(); }
    for (int i = 0; which == SIMBENCH_BOUNCING && i < 49; i++) { simbench_ball(d3_make(2 * (i % 7), 2 * (i / 7), 5)); }
    const double low = which == SIMBENCH_666 ? 0.101 : 1.101;
    for (int i = 0; (which == SIMBENCH_666 || which == SIMBENCH_ELASTIC) && i < 216; i++) {
        const d3 shake = d3_add(rng_box(&r, 0.0005), d3_make(0.0005, 0.0005, 0.0005));
        simbench_ball(d3_add(d3_make(0.21 * (i % 6), 0.21 * (i / 6 % 6), 0.21 * (i / 36) + low), shake));
    }
}

static double simbench_penetration(void)
{
    double sum = 0;
    for (int i = 1; i < simbench_model.bodies; i++) {
        const d3 p = d3_of(simbench_state.pose[i].p);
        const double below = d_max(SIMBENCH_R - p.z, 0);
        sum += below * below;
        for (int k = 1; k < i; k++) {
            const d3 apart = d3_sub(p, d3_of(simbench_state.pose[k].p));
            const double d2 = d3_dot(apart, apart);
            if (d2 >= 4 * SIMBENCH_R * SIMBENCH_R) { continue; }
            const double depth = 2 * SIMBENCH_R - d_sqrt(d2);
            sum += depth * depth;
        }
    }
    return sum;
}

static double simbench_energy(void)
{
    double sum = 0;
    for (int i = 1; i < simbench_model.bodies; i++) {
        const d3 v = d3_of(simbench_state.twist[i].v), w = d3_of(simbench_state.twist[i].w);
        sum += 0.5 * SIMBENCH_M * d3_dot(v, v) + 0.02 * d3_dot(w, w) +
               SIMBENCH_M * SIMBENCH_G * (double)simbench_state.pose[i].p.z;
    }
    return sum;
}

// The balls roll without slip: f1 = mu1 (M + 25 m) g brakes the box, f2 = (F - f1)/M / (3.5/m + 25/M) drives each ball.
static double simbench_velocity(d3 along, double t)
{
    const double pull = 150 - 0.4 * 35 * SIMBENCH_G, f2 = pull / SIMBENCH_M / (3.5 + 2.5);
    const d3 box = d3_sub(d3_of(simbench_state.twist[1].v), d3_scale((pull - 25 * f2) / SIMBENCH_M * t, along));
    const d3 ball = d3_sub(d3_of(simbench_state.twist[2].v), d3_scale(f2 * t, along));
    return d3_dot(box, box) + d3_dot(ball, ball);
}

// `along` is the direction of the push where there is one.
static simbench simbench_run(int which, double seconds, d3 along)
{
    simbench r = {0};
    tac_input push = {0};
    if (which == SIMBENCH_ROLLING) {
        push.actions = 1;
        push.action[0] = (tac_action){d3_to(d3_scale(150, along)), {0, 0, 0}, {0, 0, 0}, 1, TAC_WRENCH_WORLD};
    }
    begin_world(&simbench_model, &simbench_state);
    const double h = (double)simbench_model.h, first = simbench_energy();
    const int steps = (int)(seconds / h + 0.5);
    for (int i = 0; i < steps; i++) {
        const double change = simbench_energy() - first;
        r.energy += change * change / steps;
        if (which == SIMBENCH_ROLLING) { r.velocity += simbench_velocity(along, i * h) / steps; }
        if (which == SIMBENCH_666) { r.penetration += simbench_penetration() / steps; }
        const tac_status status = tac_step(&simbench_model, &simbench_state, &push, &simbench_work);
        const tac_report *report = &simbench_work.report;
        r.refused += status < 0;
        r.unconverged += (status & TAC_UNCONVERGED) != 0;
        r.relaxed += (status & TAC_RELAXED) != 0;
        r.dropped += report->dropped;
        r.contacts = report->contacts > r.contacts ? report->contacts : r.contacts;
        r.residual = d_max(r.residual, (double)report->residual);
        r.sweeps += (double)report->sweeps / steps;
    }
    return r;
}

#endif
