// SPDX-License-Identifier: MIT
// robots.c - SimBenchmark's scenes of a quadruped, with a model that urdf2tactus wrote on a floor, in its starting
// pose:
//     momentum h  mean of |p - p0|^2, change of the angular momentum about the origin, of its size
//     energy   h  mean of (E - E0)^2, E0
//     stand*   h  drift of the base in the last nine tenths, m; its height, m
// each with the worst of the joints, m; steps a second; steps that were refused or not solved; contacts at the end:
// for tests/figures/robots.   cc -DMODEL='"robot.h"' ...
#define _POSIX_C_SOURCE 200809L
#include MODEL
#include "truth.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BALL ((uint16_t)(robot_model.bodies))

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static double apart;
static int bad; // steps that were refused, or not solved

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(double h)
{
    memcpy(&m, &robot_model, sizeof m);
    memset(&input, 0, sizeof input);
    m.h = (tac_real)h;
    apart = 0;
    bad = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        m.joint[i].lower = 1;
        m.joint[i].upper = -1;
    }
}

// Raised until its base is at that height.
static void raise_to(double height)
{
    const double up = height - (double)m.body[1].pose.p.z;
    for (uint16_t i = 1; i < robot_model.bodies; i++) { m.body[i].pose.p.z += (tac_real)up; }
}

static void start(void)
{
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { printf("refused\n"); }
}

static void step(void)
{
    const tac_status status = tac_step(&m, &s, &input, &w);
    bad += status < 0 || status & TAC_UNCONVERGED;
    d_worst(&apart, (double)w.report.joint_error);
}

static void show(const char *scene, double first, double second, double speed)
{
    printf("%s %g %.3g %.3g %.2g %.0f %d %d\n", scene, (double)m.h, first, second, apart, speed, bad,
           w.report.contacts);
}

static void momentum(double h)
{
    const int steps = (int)(10 / h + 0.5);
    double error = 0, angular = 0;
    tac_body ball = tac_body_make(TAC_DYNAMIC, vec(0, -5, 2));
    const tac_shape round = tac_shape_make(BALL, TAC_SPHERE, vec(0.2, 0, 0));
    tac_vec3 p, l, l0;
    begin(h);
    raise_to(2);
    m.gravity = vec(0, 0, 0);
    ball.mass = 10;
    ball.inertia = vec(0.16, 0.16, 0.16);
    ball.velocity.v.y = 5;
    tac_model_add_body(&m, &ball);
    tac_model_add_shape(&m, &round);
    start();
    tac_momentum(&m, &s, &p, &l0);
    const double before = seconds();
    for (int i = 0; i < steps; i++) {
        tac_momentum(&m, &s, &p, &l);
        const d3 off = d3_sub(d3_of(p), d3_make(0, 50, 0));
        error += d3_dot(off, off) / steps;
        d_worst(&angular, d3_norm(d3_sub(d3_of(l), d3_of(l0))) / d3_norm(d3_of(l0)));
        step();
    }
    show("momentum", error, angular, steps / (seconds() - before));
}

static double energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

static void lifted(double h)
{
    const int pushed = (int)(1 / h + 0.5), free = 2 * pushed;
    double error = 0, mass = 0;
    begin(h);
    raise_to(2);
    m.shapes = 0;
    for (uint16_t i = 1; i < m.bodies; i++) { mass += (double)m.body[i].mass; }
    start();
    input.actions = 1;
    input.action[0] = (tac_action){vec(0, 0, 2 * mass * 9.81), {0, 0, 0}, {0, 0, 0}, 1, TAC_WRENCH_WORLD};
    const double before = seconds();
    for (int i = 0; i < pushed; i++) { step(); }
    const double e0 = energy();
    input.actions = 0;
    for (int i = 0; i < free; i++) {
        const double off = energy() - e0;
        error += off * off / free;
        step();
    }
    show("energy", error, e0, (pushed + free) / (seconds() - before));
}

// 40 (q0 - q) - dq, N m: as the kernel's motors have it, of the end of the step, or as measured at its start.
static void drive(const tac_joint_state *goal, int ends)
{
    input.motors = m.joints;
    for (uint32_t i = 0; i < m.joints; i++) {
        tac_joint_state x;
        tac_state_get_joint(&m, &s, i, &x);
        const double push = 40 * (double)(goal[i].position - x.position) - (double)x.velocity;
        input.motor[i] = ends ? (tac_motor){goal[i].position, 0, 0, 40, 1, (uint16_t)i, TAC_MOTOR_PD}
                              : (tac_motor){0, 0, (tac_real)push, 0, 0, (uint16_t)i, TAC_MOTOR_EFFORT};
    }
}

static void stand(double h, uint8_t solver, const char *name, int ends)
{
    const int steps = (int)(250 / h + 0.5), settled = steps / 10;
    tac_joint_state goal[TAC_MAX_JOINTS];
    d3 from = {0, 0, 0};
    begin(h);
    raise_to(0.54);
    m.options.solver = solver;
    start();
    for (uint32_t i = 0; i < m.joints; i++) { tac_state_get_joint(&m, &s, i, &goal[i]); }
    const double before = seconds();
    for (int i = 0; i < steps; i++) {
        if (i == settled) { from = d3_of(tac_state_get_pose(&m, &s, 1).p); }
        drive(goal, ends);
        step();
    }
    const double took = seconds() - before;
    const d3 to = d3_of(tac_state_get_pose(&m, &s, 1).p);
    show(name, d3_norm(d3_sub(to, from)), to.z, steps / took);
}

int main(void)
{
    static const double h[] = {1e-4, 4e-4, 1e-3, 4e-3, 1e-2};
    for (size_t i = 0; i < sizeof h / sizeof *h; i++) { momentum(h[i]); }
    for (size_t i = 0; i < sizeof h / sizeof *h; i++) { lifted(h[i]); }
    stand(5e-3, TAC_SOLVER_ACCELERATED, "stand", 1);
    stand(5e-3, TAC_SOLVER_DIRECT, "stand-direct", 1);
    stand(5e-3, TAC_SOLVER_ACCELERATED, "stand-explicit", 0);
    return 0;
}
