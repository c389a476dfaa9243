// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-32 gcc-O2-64
// Ten metres over a flat floor of samples or triangles are ten metres over a half-space: no inner edge is felt. Here
// only the box goes all the way; `make figures-geometry` lets all of them.
#include "terrain.h"

int main(void)
{
    for (int i = 0; i < TERRAIN_MOVERS; i++) {
        const mover *what = &terrain_movers[i];
        const double speed = what->mu < 0.3 ? 4.5 : 3.0, length = i == 0 ? 10.0 : 3.0;
        for (int terrain = 0; terrain < TERRAINS; terrain++) {
            const ride r = terrain_ride(terrain, what, speed, length);
            const char *name = what->name, *on = terrain_names[terrain];
            tap_note("path, m", r.path);
            tap_note("fewest contacts", r.least);
            tap_note("most contacts", r.most);
            tap_least(r.path, length, tap_joined(name, on));
            tap_most(r.velocity, TOL(1e-6, 1e-3), "as on a half-space, m/s");
            tap_most(r.rate, TOL(1e-5, 1e-2), "and turns as there, rad/s");
            tap_most(r.rise, TOL(1e-6, 1e-3), "no bump, m/s");
            tap_most(r.height, TOL(1e-9, 1e-5), "no hop, m");
        }
    }
    return tap_done();
}
