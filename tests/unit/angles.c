// SPDX-License-Identifier: MIT
// config: robots
// Angles of a rotation about no fixed axis: gradient, change and second derivative against differences, from random
// rotations, small ones and such near their poles.
#include "tree/angles.h"
#include "tap.h"
#include "truth.h"

static const char *const NAME[4] = {"twist", "swing", "rotation", "turn"};

static quat quat_of(dq q)
{
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    return (quat){(real)(sign * q.w), (real)(sign * q.x), (real)(sign * q.y), (real)(sign * q.z)};
}

static double value(int along, quat q)
{
    return along == ALONG_TWIST ? 2.0 * (double)real_atan2(q.z, q.w) : (double)angles_coordinate(along, q);
}

// A rotation of size up to 3 rad; every fourth is small.
static dq drawn(rng *r, int i)
{
    const d3 axis = rng_box(r, 1.0);
    const double size = i % 4 == 0 ? rng_range(r, 0.002, 0.1) : rng_range(r, 0.1, 3.0);
    return dq_about(d3_scale(1.0 / d3_norm(axis), axis), size);
}

// The rotation after a time in which the spin is `spin` + t `change`, to third order.
static dq after(dq q, d3 spin, d3 change, double t)
{
    const d3 mean = d3_add(spin, d3_scale(0.5 * t, change));
    const d3 turn = d3_add(d3_scale(t, mean), d3_scale(t * t * t / 12.0, d3_cross(change, spin)));
    const double size = d3_norm(turn);
    return dq_mul(dq_about(d3_scale(1.0 / size, turn), size), q);
}

int main(void)
{
    rng r = {14};
    tap_note("seed", 14);
    for (int which = 0; which < 4; which++) {
        const int along = ALONG_TWIST + which;
        double rate = 0.0, bend = 0.0, change = 0.0;
        for (int i = 0; i < RUN(400, 100); i++) {
            const dq q = drawn(&r, i);
            const d3 w = rng_box(&r, 1.0), dw = rng_box(&r, 1.0);
            const double h = TOL(1e-4, 2e-2);
            const quat at = quat_of(q), next = quat_of(after(q, w, dw, h)), last = quat_of(after(q, w, dw, -h));
            const double q0 = value(along, at), q1 = value(along, next);
            const double q2 = value(along, last), swing = (double)angles_coordinate(ALONG_SWING, at);
            const double near = d_min(swing, TRUTH_PI - swing), whole = (double)angles_coordinate(ALONG_ROTATION, at);
            const double least = which == 1 ? near : (which == 2 ? whole : (which == 0 ? TRUTH_PI - swing : 1.0));
            if (least < 0.2 || d_abs(q1 - q2) > 1.0) { continue; } // differences do not see so near to a pole
            const vec3 g = angles_gradient(along, at), spin = v3((real)w.x, (real)w.y, (real)w.z);
            const double d = (double)v3_dot(g, spin);
            d_worst(&rate, (q1 - q2) / (2.0 * h) - d);
            d_worst(&bend, (double)v3_dot(angles_gradient(along, next), v3((real)(w.x + h * dw.x), (real)(w.y + h * dw.y), (real)(w.z + h * dw.z))) / (2.0 * h) -
                               (double)v3_dot(angles_gradient(along, last), v3((real)(w.x - h * dw.x), (real)(w.y - h * dw.y), (real)(w.z - h * dw.z))) / (2.0 * h) -
                               (double)angles_curvature(along, at, spin, v3((real)dw.x, (real)dw.y, (real)dw.z)));
            const quat e = {next.w - at.w, next.x - at.x, next.y - at.y, next.z - at.z};
            if (along != ALONG_TWIST) { d_worst(&change, (double)angles_change(along, at, e) - (q1 - q0)); }
        }
        tap_most(rate, TOL(1e-6, 2e-2), tap_joined("rate:", NAME[which]));
        tap_most(bend, TOL(1e-5, 2e-1), tap_joined("second derivative:", NAME[which]));
        tap_most(change, TOL(1e-13, 2e-6), tap_joined("change:", NAME[which]));
    }
    const quat one = {R(1.0), R(0.0), R(0.0), R(0.0)};
    tap_equal(angles_gradient(ALONG_TURN, one).z, 1, "nothing rotated: the gradient of a turn");
    tap_equal(angles_gradient(ALONG_SWING, one).x, 1, "of a swing, in some direction");
    tap_equal(angles_gradient(ALONG_TWIST, (quat){0, 1, 0, 0}).z, 1, "of a twist, where the axes are opposite");
    tap_equal(angles_change(ALONG_TURN, one, (quat){0, 0, 0, 0}), 0, "no change");
    return tap_done();
}
