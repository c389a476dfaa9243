// SPDX-License-Identifier: MIT
// config: large
// Two of each kind, some of them rounded, tumble on bumps and on flat ground: invariants hold after each step, energy
// does not grow, nothing sinks or is lost. `make figures-geometry` throws more of them.
#include "tumble.h"

static void test_tumble(int ground, uint64_t seed)
{
    const tumble r = tumble_run(ground, seed, 2e-3, 0.5);
    const char *on = tumble_names[ground];
    tap_note(tap_joined("seed on", on), (double)seed);
    tap_note("gained, J", r.gained);
    tap_note("deepest overlap, m", r.penetration);
    tap_note("most contacts", r.contacts);
    tap_equal(r.broken, 0, tap_joined("invariants hold after each step on", on));
    tap_most(r.gained, 5e-5 * r.at_start, tap_joined("no energy is made on", on));
    tap_most(r.penetration, 5e-3, tap_joined("nothing sinks on", on));
    tap_equal(r.lost, 0, tap_joined("nothing is lost on", on));
    tap_equal(r.dropped, 0, "all contacts have room");
}

int main(void)
{
    for (int ground = 0; ground < TUMBLES; ground++) { test_tumble(ground, (uint64_t)(11 + ground)); }
    return tap_done();
}
