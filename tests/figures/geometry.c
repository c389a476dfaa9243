// SPDX-License-Identifier: MIT
// geometry.c - what the narrow phase reaches, measured now, one line each: scene, figure, what is to be reached. With a
// folder as its argument it leaves the paths of what rolls there, for plots.
#include "physics/floors.h"
#include "physics/rolling.h"
#include "physics/terrain.h"
#include "physics/tumble.h"
#include "physics/wall.h"

#include <stdio.h>

// ----------------------------------------------------------------------------------------------------- what stands

static void bricks(uint8_t kind)
{
    const wall r = wall_stand(kind, 3.0);
    printf("S5 h=5 ms, 50 sweeps, bricks as %s | stands 3 s, displacement %.3g mm, penetration %.2g mm, %.0f sweeps a "
           "step, %d contacts, %.2g J at the end | 2.5 mm\n",
           kind == TAC_HULL ? "hulls" : "boxes", r.moved * 1e3, r.penetration * 1e3, r.sweeps, r.contacts, r.kinetic);
}

static void slope(int floor, int body, int diagonal)
{
    double threshold = -1.0, creep = 0.0, acceleration = 0.0, hop = 0.0, lean = 0.0;
    for (int k = 200; k <= 350; k += k >= 260 && k < 270 ? 1 : 10) {
        const slide s = floors_slide(floor, body, 0.1 * k, diagonal, 1000);
        if (threshold < 0.0 && s.gain > 0.003) { threshold = 0.1 * k; }
        if (k <= 265) { creep = d_max(creep, s.creep); }
        if (k > 265) { d_worst(&acceleration, s.acceleration); }
        if (k > 265) { hop = d_max(hop, s.hop); }
        if (k > 265) { lean = d_max(lean, s.lean); }
    }
    printf(
        "S2%s %s on %s | slides from %.1f degrees, creep %.2g m/s, acceleration off by %.2g %%, hop %.2g m, lean %.2g "
        "rad | 26.6 degrees, 0.1 %%\n",
        diagonal ? "d" : "", floors_bodies[body], floor_names[floor], threshold, creep, acceleration * 100, hop, lean);
}

static void forces(int floor, int body)
{
    const support truth = floors_rest(FLOOR_PLANE, BODY_BOX, 20.0, 1, 500);
    const support got = floors_rest(floor, body, 20.0, 1, 500);
    const difference d = floors_compare(&truth, &got);
    printf(
        "at rest at 20 degrees, %s on %s | %d contacts, places differ by %.2g m, force by %.2g N, torque by %.2g N m, "
        "any one of the forces by %.2g N | the same as a box on a half-space\n",
        floors_bodies[body], floor_names[floor], got.count, d.place, d.force, d.torque, d.each);
}

// ----------------------------------------------------------------------------------------------------- what slides

static void rides(const mover *what)
{
    for (int terrain = 0; terrain < TERRAINS; terrain++) {
        const ride r = terrain_ride(terrain, what, what->mu < 0.3 ? 4.5 : 3.0, 10.0);
        printf("%s %.1f m on %s | velocity %.2g m/s, rate %.2g rad/s, height %.2g m off a half-space, rise %.2g m/s, "
               "%d to "
               "%d contacts | %s\n",
               what->name, r.path, terrain_names[terrain], r.velocity, r.rate, r.height, r.rise, r.least, r.most,
               TAC_REAL_BITS == 64 ? "1e-6 m/s" : "-");
    }
}

static void thrown(int ground)
{
    double gained = 0.0, penetration = 0.0;
    int broken = 0, lost = 0, contacts = 0;
    enum { SEEDS = 4 };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const tumble r = tumble_run(ground, seed, 2e-3, 1.5);
        gained = d_max(gained, r.gained / r.at_start);
        penetration = d_max(penetration, r.penetration);
        broken += r.broken;
        lost += r.lost;
        contacts = r.contacts > contacts ? r.contacts : contacts;
    }
    printf("%d bodies of seven kinds tumble on %s, %d seeds, h=2 ms | energy grows by %.2g of it at most, deepest "
           "overlap %.2g "
           "mm, %d steps with broken invariants, %d lost, at most %d contacts | order of h, none\n",
           TUMBLE_BODIES, tumble_names[ground], SEEDS, gained, penetration * 1e3, broken, lost, contacts);
}

// ------------------------------------------------------------------------------------------------------ what rolls

static void coins(int floor, double h)
{
    const coin r = coin_roll(floor, 0.5, h, 1.0);
    printf(
        "coin on %s, h=%g ms | Omega off the law by %.2g %% on average, energy %.3g %%, gained %.1g %%, slip %.1g m/s, "
        "lean %.3f after 1 s | halves with h\n",
        floor_names[floor], h * 1e3, r.rate * 100, r.energy * 100, r.gain * 100, r.slip, r.lean);
}

static void cones(int floor, double h)
{
    const spin tip = cone_spin(floor, 0.1, 100.0, h, 0.5), side = cone_roll(floor, 2.0, h, 2.0);
    printf(
        "cone on its tip, 100 rad/s, on %s, h=%g ms | axis off the heavy top by %.2g, tip moves %.2g mm, energy %.2g "
        "%% | halves with h\n",
        floor_names[floor], h * 1e3, tip.axis, tip.tip * 1e3, tip.energy * 100);
    printf("cone on its side on %s, h=%g ms | rate off by %.2g %%, tip moves %.2g mm, energy %.2g %% | halves with h\n",
           floor_names[floor], h * 1e3, side.axis * 100, side.tip * 1e3, side.energy * 100);
}

static void upright(void)
{
    const spin tip = cone_spin(FLOOR_PLANE, 0.0, 0.0, 1e-3, 5.0);
    printf("cone on its tip, upright, no spin, half-space | leans by %.2g after 5 s | stays\n", tip.axis);
}

static void pebble(int fixed)
{
    static pebbles last, r;
    for (int k = 0; k < 5; k++) {
        const double h = 2.5e-3 / (1 << k);
        r = pebbles_roll(fixed, h, 2.56);
        printf("ellipsoid rolls on %s one, h=%.3g ms | energy %.3g %%, ", fixed ? "a fixed" : "a free", h * 1e3,
               r.energy * 100);
        if (!fixed) { printf("momentum %.1g N s, angular momentum %.2g N m s, ", r.linear, r.angular); }
        printf("slip %.1g m/s, path off that of twice the step by ", r.slip);
        printf(k ? "%.3g mm | halves with h\n" : "- | halves with h\n", pebbles_apart(&r, &last) * 1e3);
        last = r;
    }
}

// ----------------------------------------------------------------------------------------------------------- paths

static FILE *path;
static uint16_t path_body;

static void draw(double time)
{
    double rate;
    const d3 e = rolling_axis(path_body, &rate), p = d3_of(rolling_state.pose[path_body].p);
    const d3 c = rolling_work.report.contacts ? d3_of(rolling_work.contact[0].point) : d3_make(0, 0, 0);
    fprintf(path, "%.6f %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", time, p.x, p.y, p.z, e.x, e.y, e.z, c.x,
            c.y, c.z, rate);
}

static void open_path(const char *folder, const char *name, uint16_t body)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s-%d.txt", folder, name, TAC_REAL_BITS);
    path = fopen(file, "w");
    path_body = body;
    rolling_watch = path ? draw : NULL;
}

static void close_path(void)
{
    if (path) { fclose(path); }
    rolling_watch = NULL;
}

static void paths(const char *folder)
{
    open_path(folder, "coin", 1);
    coin_roll(FLOOR_PLANE, 0.5, 2.5e-4, 4.0);
    close_path();
    open_path(folder, "coin_box", 1);
    coin_roll(FLOOR_BOX, 0.5, 2.5e-4, 4.0);
    close_path();
    open_path(folder, "cone", 1);
    cone_spin(FLOOR_PLANE, 0.1, 300.0, 2.5e-4, 1.5);
    close_path();
    open_path(folder, "cone_side", 1);
    cone_roll(FLOOR_BOX, 2.0, 1e-3, 3.2);
    close_path();
    open_path(folder, "pebble_fixed", 1);
    pebbles_roll(1, 6.25e-4, 2.56);
    close_path();
    open_path(folder, "pebble_free", 2);
    pebbles_roll(0, 6.25e-4, 2.56);
    close_path();
}

int main(int count, char **argument)
{
    printf("# %d bits\n", TAC_REAL_BITS);
    bricks(TAC_BOX);
    bricks(TAC_HULL);
    for (int k = 0; k < 2 * FLOORS * BODIES; k++) { slope(k / 4, k / 2 % 2, k % 2); }
    for (int k = 0; k < FLOORS * BODIES; k++) { forces(k / 2, k % 2); }
    for (int i = 0; i < TERRAIN_MOVERS; i++) { rides(&terrain_movers[i]); }
    for (int floor = 0; floor < FLOORS; floor++) {
        for (int k = 0; k < 3; k++) { coins(floor, 1e-3 / (1 << k)); }
    }
    for (int floor = 0; floor < FLOORS; floor++) {
        for (int k = 0; k < 3; k++) { cones(floor, 1e-3 / (1 << k)); }
    }
    upright();
    pebble(1);
    pebble(0);
    for (int ground = 0; ground < TUMBLES; ground++) { thrown(ground); }
    if (count > 1) { paths(argument[1]); }
    return 0;
}
