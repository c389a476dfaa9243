// SPDX-License-Identifier: MIT
// papers.c - the runs behind the figures of the papers, as tables with the analytic curves beside them: papers FOLDER
//   t03-8.csv   velocities of T03's sphere, steps of 0.12 s
//   t03-9.csv   its friction force, along axes turned by 45 degrees as in the paper
#include "tactus/tactus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static tac_model model;
static tac_state state;
static tac_work work;
static tac_lcp lcp;

static FILE *table(const char *folder, const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

// T03, section 4: a sphere of 1 kg and 1 m slides at 2 m/s on a plane with mu = 0.2, then rolls.
static void sphere_begin(double h)
{
    tac_model_init(&model);
    model.h = (tac_real)h;
    tac_model_add_material(&model, (tac_real)0.2, 0);
    tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, (tac_vec3){1, 1, 1});
    tac_model_add_shape(&model, &ground);
    tac_body ball = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 1});
    ball.inertia = (tac_vec3){(tac_real)0.4, (tac_real)0.4, (tac_real)0.4};
    ball.velocity.v.x = 2;
    tac_model_add_body(&model, &ball);
    tac_shape sphere = tac_shape_make(1, TAC_SPHERE, (tac_vec3){1, 0, 0});
    tac_model_add_shape(&model, &sphere);
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { exit(1); }
}

enum { DENSE = 24 }; // points of the analytic curve a step

// Of the exact motion at time t: velocity along x, angular velocity about y, friction along x.
static void sphere_exact(double t, double *v, double *spin, double *force)
{
    const double mg = 0.2 * 9.81, rolls = 4 / (7 * mg);
    *v = t < rolls ? 2 - mg * t : 10.0 / 7;
    *spin = t < rolls ? 2.5 * mg * t : 10.0 / 7;
    *force = t < rolls ? -mg : 0;
}

static void t03(const char *folder)
{
    const double h = 0.12, turned = sqrt(0.5);
    FILE *velocities = table(folder, "t03-8.csv"), *forces = table(folder, "t03-9.csv");
    double v, spin, force;
    fprintf(velocities, "time,vx,wy,exact_time,exact_vx,exact_wy\n");
    fprintf(forces, "time,ct,co,exact_time,exact_ct,exact_co\n");
    sphere_begin(h);
    for (int step = 0; step <= 5; step++) {
        double x = 0, y = 0;
        if (step > 0) {
            if (tac_step_lcp(&model, &state, NULL, &work, &lcp) != TAC_OK) { exit(1); }
            const tac_contact *c = work.contact;
            x = ((double)c->impulse.y * (double)c->u.x + (double)c->impulse.z * (double)c->w.x) / h;
            y = ((double)c->impulse.y * (double)c->u.y + (double)c->impulse.z * (double)c->w.y) / h;
        }
        for (int k = 0; k < DENSE && (step < 5 || k == 0); k++) {
            const double t = h * (step + (double)k / DENSE);
            sphere_exact(t, &v, &spin, &force);
            if (k == 0) {
                fprintf(velocities, "%g,%.9g,%.9g,", h * step, (double)state.twist[1].v.x, (double)state.twist[1].w.y);
                fprintf(forces, "%g,%.9g,%.9g,", h * step, turned * (x + y), turned * (y - x));
            } else {
                fprintf(velocities, ",,,");
                fprintf(forces, ",,,");
            }
            fprintf(velocities, "%.9g,%.9g,%.9g\n", t, v, spin);
            fprintf(forces, "%.9g,%.9g,%.9g\n", t, turned * force, -turned * force);
        }
    }
    fclose(velocities);
    fclose(forces);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: papers FOLDER\n");
        return 2;
    }
    t03(argv[1]);
    return 0;
}
