// SPDX-License-Identifier: MIT
// writer.c - a program of a user's own that writes logs: the kernel and targets/host/log alone, in the smallest
// configuration.
//   writer FOLDER: FOLDER/own.mcap of a box that falls; TAP of the surfaces that the logs draw, beside rays of the
//   kernel
#include "log.h"
#include "surface.h"
#include "tap.h"

#include <math.h>

static tac_model model;
static tac_state state;
static tac_work work;

// ----------------------------------------------------------------------------------------------------------- a log

static int write_log(const char *folder)
{
    static const char *const body[] = {"floor \"0\"", "box\\\n"}, *const shape[] = {"plane", "cube"};
    static const float colour[][4] = {{1, 1, 1, 1}, {0.5f, 0.25f, 0, 0.75f}};
    const tactus_log_about about = {.title = "own", .body = body, .shape = shape, .colour = colour};
    tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, (tac_real)0.11});
    char path[300];

    tac_model_init(&model);
    tac_model_add_material(&model, (tac_real)0.5, 0);
    b.mass = 2;
    b.inertia = (tac_vec3){(tac_real)0.02, (tac_real)0.02, (tac_real)0.02};
    tac_model_add_body(&model, &b);
    const tac_shape shapes[] = {tac_shape_make(0, TAC_HALF_SPACE, (tac_vec3){0, 0, 0}),
                                tac_shape_make(1, TAC_BOX, (tac_vec3){(tac_real)0.1, (tac_real)0.1, (tac_real)0.1})};
    for (int i = 0; i < 2; i++) tac_model_add_shape(&model, &shapes[i]);
    if (tac_model_seal(&model, NULL) || tac_state_init(&model, &state, NULL)) return 0;

    snprintf(path, sizeof path, "%s/own.mcap", folder);
    tactus_log *log = tactus_log_open(fopen(path, "wb"), tactus_log_format_of(path), &model, &about);
    if (log == NULL) return 0;
    tactus_log_attach(log, "note", "text/plain", "as it was", 9);
    tactus_log_step(log, &state, &work);
    for (int i = 0; i < 300 && tac_step(&model, &state, NULL, &work) >= 0; i++) tactus_log_step(log, &state, &work);
    return tactus_log_close(log) && state.step == 300;
}

// ----------------------------------------------------------------------------------------------------------- surfaces

typedef struct measured {
    double area[3], volume, off; // sum of area vectors, volume within, worst distance of a corner from the shape
} measured;

// A ray that comes down along a corner's normal, beside it by a ten-thousandth, so that it misses no edge: how far the
// corner is from where it hits.
static double corner_off(const surface *s, uint32_t i)
{
    tac_hit hit = {0};
    double p[3], n[3];

    for (int k = 0; k < 3; k++) {
        p[k] = 0.9999 * (double)surface_coordinate(s, i, k);
        n[k] = (double)surface_coordinate(s, i, k + 3);
    }
    const tac_ray ray = {
        .origin = {(tac_real)(p[0] + 5 * n[0]), (tac_real)(p[1] + 5 * n[1]), (tac_real)(p[2] + 5 * n[2])},
        .direction = {(tac_real)-n[0], (tac_real)-n[1], (tac_real)-n[2]},
        .range = 20,
        .body = TAC_NONE,
        .group = 1,
        .mask = UINT16_MAX};
    if (tac_cast(&model, &state, &ray, &work, &hit) != TAC_OK || hit.shape == TAC_NONE) return 100;
    return fabs((double)hit.distance - 5.0);
}

static measured measure(const surface *s)
{
    measured m = {{0, 0, 0}, 0, 0};

    for (uint32_t t = 0; t < s->triangles; t++) {
        double p[3][3], n[3];
        for (uint32_t i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) p[i][k] = (double)surface_coordinate(s, surface_index(s, 3 * t + i), k);
        }
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            n[k] = 0.5 * ((p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]));
            m.area[k] += n[k];
        }
        m.volume += (p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2]) / 3.0;
    }
    for (uint32_t i = 0; i < s->corners; i++) m.off = fmax(m.off, corner_off(s, i));
    return m;
}

// Volume of a kind with sizes a, b, c and a ball of radius r swept over it.
static double volume(uint8_t kind, double a, double b, double c, double r)
{
    const double pi = 3.14159265358979, slant = sqrt(a * a + 4 * c * c);

    switch (kind) {
    case TAC_SPHERE:
        return 4 * pi * pow(a + r, 3) / 3;
    case TAC_CAPSULE:
        return 4 * pi * pow(a + r, 3) / 3 + 2 * pi * c * pow(a + r, 2);
    case TAC_BOX: // Steiner
        return 8 * a * b * c + 8 * (a * b + b * c + c * a) * r + 2 * pi * (a + b + c) * r * r + 4 * pi * r * r * r / 3;
    case TAC_CYLINDER:
        return 2 * pi * a * a * c + (2 * pi * a * a + 4 * pi * a * c) * r + (pi * 2 * c + pi * pi * a) * r * r +
               4 * pi * r * r * r / 3;
    case TAC_CONE: // mean curvature: that of the base's rim, and of the side
        return 2 * pi * a * a * c / 3 + (pi * a * a + pi * a * slant) * r +
               (pi * 2 * c + a * pi * (pi - atan2(2 * c, a))) * r * r + 4 * pi * r * r * r / 3;
    default: // an ellipsoid, without rounding
        return 4 * pi * a * b * c / 3;
    }
}

static void one_surface(uint8_t kind, double a, double b, double c, double r)
{
    const double truth = volume(kind, a, b, c, r);
    tac_shape shape = tac_shape_make(0, kind, (tac_vec3){(tac_real)a, (tac_real)b, (tac_real)c});
    surface s = {.corners = 0};

    shape.rounding = (tac_real)r;
    tac_model_init(&model);
    tac_model_add_material(&model, 0, 0);
    tac_model_add_shape(&model, &shape);
    tap_ok(tac_model_seal(&model, NULL) == TAC_OK && tac_state_init(&model, &state, NULL) == TAC_OK, "a shape");
    surface_of_shape(&s, &model, &shape, 1);
    const measured m = measure(&s);
    tap_most(fabs(m.area[0]) + fabs(m.area[1]) + fabs(m.area[2]), 1e-5, tap_numbered("closed: kind", kind));
    tap_most(m.off, 2e-4, tap_numbered("corners lie on the surface: kind", kind));
    tap_near(m.volume / truth, 0.97, 0.0301, tap_numbered("volume: kind", kind));
    surface_free(&s);
}

int main(int argc, char **argv)
{
    static const uint8_t kinds[] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_CYLINDER, TAC_CONE};

    tap_ok(argc == 2 && write_log(argv[1]), "a log");
    for (unsigned i = 0; i < sizeof kinds; i++) {
        one_surface(kinds[i], 0.3, 0.5, 0.7, 0);
        one_surface(kinds[i], 0.7, 0.2, 0.4, 0.15);
    }
    one_surface(TAC_ELLIPSOID, 0.3, 0.5, 0.7, 0);
    return tap_done();
}
