// SPDX-License-Identifier: MIT
// The same box, as box and as hull, on the same floor as half-space, box, hull, mesh and field: it rests on the same
// points with the same forces, sticks to 26.5 degrees and slides from 26.6 with g (sin - mu cos).
#include "floors.h"

static const char *name_of(int floor, int body)
{
    static char text[80];
    const char *parts[] = {floors_bodies[body], " on ", floor_names[floor]};
    int at = 0;
    for (int k = 0; k < 3; k++) {
        for (const char *c = parts[k]; *c != '\0'; c++) { text[at++] = *c; }
    }
    text[at] = '\0';
    return text;
}

static void test_rests(int floor, int body)
{
    const uint32_t steps = RUN(150, 20);
    for (int k = 0; k < 3; k++) {
        const double degrees = 10.0 * k;
        const support truth = floors_rest(FLOOR_PLANE, BODY_BOX, degrees, 1, steps);
        const support got = floors_rest(floor, body, degrees, 1, steps);
        const difference d = floors_compare(&truth, &got);
        tap_equal(got.count, 4, tap_joined("four contacts:", name_of(floor, body)));
        tap_most(d.place, TOL(1e-8, 1e-5), tap_joined("where they are on a half-space, m:", name_of(floor, body)));
        tap_most(d.force, TOL(1e-7, 1e-2), tap_joined("with the same force in all, N:", name_of(floor, body)));
        tap_most(d.each, TOL(1e-7, 1e-2), tap_joined("and on each of them, N:", name_of(floor, body)));
        tap_most(d.torque, TOL(1e-8, 1e-3), tap_joined("and the same torque, N m:", name_of(floor, body)));
    }
}

static void test_sticks(int floor, int body, double degrees, int diagonal)
{
    const slide s = floors_slide(floor, body, degrees, diagonal, RUN(300, 20));
    tap_note(tap_numbered("creep m/s at degrees", degrees), s.creep);
    tap_most(s.creep, TOL(1e-9, 1e-7), tap_joined(tap_numbered("sticks at", degrees), name_of(floor, body)));
}

static void test_slides(int floor, int body, double degrees, int diagonal)
{
    const slide s = floors_slide(floor, body, degrees, diagonal, RUN(300, 20));
    const char *who = name_of(floor, body);
    tap_note(tap_numbered("relative error of the acceleration at degrees", degrees), s.acceleration);
    tap_most(d_abs(s.acceleration), 0.001, tap_joined(tap_numbered("slides at", degrees), who));
    tap_most(s.hop, TOL(1e-8, 5e-6), tap_joined("no hop, no sinking:", who));
    tap_most(s.lean, TOL(1e-7, 1e-4), tap_joined("no tilt:", who));
    tap_most(s.sideways, TOL(1e-8, 1e-4), tap_joined("straight down:", who));
}

int main(void)
{
    for (int floor = 0; floor < FLOORS; floor++) {
        for (int body = 0; body < BODIES; body++) {
            test_rests(floor, body);
            test_sticks(floor, body, 26.5, 0);
            test_slides(floor, body, 30.0, 1);
            if (!TAP_FULL) { continue; }
            test_sticks(floor, body, 26.5, 1);
            test_slides(floor, body, 26.6, 0);
            test_slides(floor, body, 35.0, 1);
        }
    }
    return tap_done();
}
