// SPDX-License-Identifier: MIT
// simbench.c - SimBenchmark's rolling, bouncing, 666 and elastic 666, each at the published steps: lines of
//     scene step measure largest-residual mean-sweeps unconverged relaxed dropped
// for tests/figures/simbench.
#include "physics/simbench.h"

#include <stdio.h>

static const double steps[] = {1e-4, 4e-4, 1e-3, 4e-3, 1e-2, 4e-2, 1e-1};

static void line(const char *scene, double measure, const simbench *r)
{
    printf("%s %g %.3g %.2g %.1f %d %d %d\n", scene, (double)simbench_model.h, measure, r->residual, r->sweeps,
           r->unconverged, r->relaxed, r->dropped);
    if (r->refused) { tap_ok(0, "a step is refused"); }
}

static void rolling(const char *scene, d3 along, uint8_t law)
{
    simbench_build(SIMBENCH_ROLLING, 1e-3);
    simbench_model.options.friction = law;
    const simbench r = simbench_run(SIMBENCH_ROLLING, 4, along);
    line(scene, r.velocity, &r);
}

int main(void)
{
    const d3 y = {0, 1, 0}, xy = {0.5, 0.866025403784439, 0};
    rolling("rolling-y-exact", y, TAC_FRICTION_EXACT);
    rolling("rolling-xy-exact", xy, TAC_FRICTION_EXACT);
    rolling("rolling-y-relaxed", y, TAC_FRICTION_RELAXED);
    rolling("rolling-xy-relaxed", xy, TAC_FRICTION_RELAXED);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        simbench_build(SIMBENCH_BOUNCING, steps[i]);
        const simbench r = simbench_run(SIMBENCH_BOUNCING, 20, y);
        line("bouncing", r.energy, &r);
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        simbench_build(SIMBENCH_666, steps[i]);
        const simbench r = simbench_run(SIMBENCH_666, 10, y);
        line("666", r.penetration, &r);
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        simbench_build(SIMBENCH_ELASTIC, steps[i]);
        const simbench r = simbench_run(SIMBENCH_ELASTIC, 10, y);
        line("elastic666", r.energy, &r);
    }
    return 0;
}
