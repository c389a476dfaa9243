// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The smooth integrators of TCE17: their order on motions that are known.
#include "dae.h"

// Distance of the kernel's state from y: positions and velocities of an axis or of centres of mass.
static double motion_error(int which, const double *y)
{
    const d3 p = d3_of(s.pose[m.bodies - 1].p), v = d3_of(s.twist[m.bodies - 1].v);
    double error = 0;
    if (which == SPRING) {
        d_worst(&error, p.x - y[0]);
        d_worst(&error, v.x - y[1]);
    } else if (which == PENDULUM || which == DOUBLE_PENDULUM) {
        const int two = which == DOUBLE_PENDULUM;
        double x = 0, z = 0, dx = 0, dz = 0;
        for (int i = 0; i <= two; i++) {
            const double l = i < two ? 2 * ARM : ARM, rate = y[i + 1 + two];
            x += l * d_sin(y[i]), z -= l * d_cos(y[i]);
            dx += l * d_cos(y[i]) * rate, dz += l * d_sin(y[i]) * rate;
        }
        d_worst(&error, d3_norm(d3_sub(p, d3_make(x, 0, z))));
        d_worst(&error, d3_norm(d3_sub(v, d3_make(dx, 0, dz))));
    } else {
        const dq q = {y[0], y[1], y[2], y[3]}, of = dq_of(s.pose[1].q);
        for (int i = 0; i < 3; i++) {
            const d3 axis = {i == 0, i == 1, i == 2};
            d_worst(&error, d3_norm(d3_sub(dq_rotate(of, axis), dq_rotate(q, axis))));
        }
        d_worst(&error, d3_norm(d3_sub(d3_of(s.twist[1].w), d3_make(y[4], y[5], y[6]))));
    }
    return error;
}

// Worst error over half a second, in `count` steps.
static double motion_run(int which, uint8_t method, int count)
{
    double y[MOST], worst = 0;
    const double h = 0.5 / count;
    const int fine = 1024 / count;
    dae_begin(method, h, 9.81);
    motion_start(which, y);
    motion_build(which, y);
    for (int i = 0; i < count; i++) {
        steps(1);
        for (int k = 0; k < fine; k++) { runge_kutta(which, y, h / fine); }
        d_worst(&worst, motion_error(which, y));
    }
    return worst;
}

// The order between two steps and steps half as long. In float the longer ones, before rounding shows.
static void test_order(int which, uint8_t method)
{
    const int count = TOL(128, 32);
    const double coarse = motion_run(which, method, count), fine = motion_run(which, method, 2 * count);
    const double order = d_log2(coarse / fine);
    const char *name = tap_joined(MOTION[which].name, METHOD[method]);
    if (order_of(which, method) == 2) {
        tap_near(order, 2, TOL(0.1, 0.3), name);
    } else {
        tap_least(order, 0.75, name);
    }
    tap_note(name, order);
    tap_note("error of the shorter step, m, m/s", fine);
}

int main(void)
{
    for (int which = 0; which < MOTIONS; which++) {
        for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) { test_order(which, method); }
    }
    return tap_done();
}
