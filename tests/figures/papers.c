// SPDX-License-Identifier: MIT
// papers.c - the runs behind the figures of the papers, as tables with the analytic curves beside them:
// papers FOLDER [t03|cbat07-1|cbat07-3|cbat07-6|nst17|tce17 ...], all of them if none is named
//   t03-8.csv   velocities of T03's sphere, steps of 0.12 s
//   t03-9.csv   its friction force, along axes turned by 45 degrees as in the paper: the mean of each step, beside the
//               mean of the exact force over the same step and its course
//   cbat07-1a.csv, cbat07-1b.csv   kinetic energy of a rolling disc and of polygons: corners, steps
//   cbat07-3.csv, cbat07-4.csv     a sphere that spins on a plane: velocities; forces and moment
//   cbat07-6.csv, -7.csv, -8.csv   a ball on two spheres: its velocities; forces and slip at either contact
//   cbat07-events.csv              when its contacts slide and open, by equations of motion
//   nst17.csv   gap at which T03's sphere slides, under either law of friction, NST17 section 3
//   tce17.csv   worst error of a pendulum over half a second, by the step, of the integrators of section 9
// NST17 and TCE17 have no plots of runs; these two show what their text says.
#include "two_spheres.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tac_model model;
static tac_state state;
static tac_work work;
static tac_lcp lcp;
static tac_ncp ncp;
static tac_input input;
static tac_dae dae;

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

// The mean of its friction along x from one time to another.
static double sphere_mean(double from, double to)
{
    double v[2], spin, force;
    sphere_exact(from, &v[0], &spin, &force);
    sphere_exact(to, &v[1], &spin, &force);
    return (v[1] - v[0]) / (to - from);
}

static void t03(const char *folder)
{
    const double h = 0.12, turned = sqrt(0.5);
    FILE *velocities = table(folder, "t03-8.csv"), *forces = table(folder, "t03-9.csv");
    double v, spin, force;
    fprintf(velocities, "time,vx,wy,exact_time,exact_vx,exact_wy\n");
    fprintf(forces, "time,ct,co,mean_ct,mean_co,exact_time,exact_ct,exact_co\n");
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
                const double mean = step > 0 ? turned * sphere_mean(h * (step - 1), h * step) : 0;
                fprintf(forces, step > 0 ? "%g,%.9g,%.9g,%.9g,%.9g," : "%g,,,,,", h * step, turned * (x + y),
                        turned * (y - x), mean, -mean);
            } else {
                fprintf(velocities, ",,,");
                fprintf(forces, ",,,,,");
            }
            fprintf(velocities, "%.9g,%.9g,%.9g\n", t, v, spin);
            fprintf(forces, "%.9g,%.9g,%.9g\n", t, turned * force, -turned * force);
        }
    }
    fclose(velocities);
    fclose(forces);
}

// ------------------------------------------------------------------------------------------------------------ CBAT07

static void world(double h, double mu, double spinning)
{
    tac_model_init(&model);
    model.h = (tac_real)h;
    tac_model_add_material(&model, (tac_real)mu, 0);
    model.material[0].spinning = (tac_real)spinning;
    tac_ncp_init(&ncp);
    tac_lcp_init(&lcp);
    lcp.directions = 4;
}

static void seal(void)
{
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { exit(1); }
}

static void step(const tac_input *in)
{
    if (tac_step_implicit(&model, &state, in, &work, &ncp) != TAC_OK) { exit(1); }
}

static const double PI = 3.14159265358979323846;

// Example 1: a disc of 1 kg and 1 m that rolls at 3 m/s, mu = 0.4. Corners of a polygon; 0: a cylinder. A hull touches
// a plane with the corners of one face, and of a polygon more than two arrive in a step of 0.01 s: so each corner is a
// small hull of its own.
static void disc_begin(double h, int corners)
{
    const double half = sqrt(0.5), height = corners ? cos(PI / corners) : 1;
    world(h, 0.4, 0);
    tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, (tac_vec3){1, 1, 1});
    tac_model_add_shape(&model, &ground);
    tac_body disc = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, height});
    disc.pose.q = (tac_quat){half, half, 0, 0}; // the axis along -y
    disc.inertia = (tac_vec3){0.25, 0.25, 0.5};
    disc.velocity.v.x = -3;
    disc.velocity.w.z = 3;
    tac_model_add_body(&model, &disc);
    tac_shape rim = tac_shape_make(1, corners ? TAC_HULL : TAC_CYLINDER, (tac_vec3){1, 0, 0.05});
    for (int i = 0; i < corners; i++) {
        const double x = cos(2 * PI * (i + 0.5) / corners), y = sin(2 * PI * (i + 0.5) / corners), d = 0.002;
        const tac_vec3 point[4] = {{x, y, 0},
                                   {0.99 * x - d * y, 0.99 * y + d * x, 0},
                                   {0.99 * x + d * y, 0.99 * y - d * x, d},
                                   {0.99 * x + d * y, 0.99 * y - d * x, -d}};
        rim.data = (uint16_t)tac_model_add_hull(&model, point, 4);
        tac_model_add_shape(&model, &rim);
    }
    if (corners == 0) { tac_model_add_shape(&model, &rim); }
    seal();
}

// Returns the kinetic energy after 4 s.
static double disc_run(FILE *file, const char *name, double h, int corners)
{
    const int every = (int)(0.01 / h + 0.5);
    disc_begin(h, corners);
    fprintf(file, "%s,0,6.75\n", name);
    for (int i = 1; i <= (int)(4 / h + 0.5); i++) {
        if (corners == 0) {
            step(NULL);
        } else if (tac_step_lcp(&model, &state, NULL, &work, &lcp) != TAC_OK) {
            exit(1);
        }
        if (i % every == 0) { fprintf(file, "%s,%g,%.12g\n", name, h * i, (double)work.report.kinetic); }
    }
    fprintf(file, "\n\n"); // the next curve
    return (double)work.report.kinetic;
}

// One row of the table of src/cbat07/README.md.
static void disc_row(const char *name, const double *energy, int count)
{
    printf("| %s", name);
    for (int i = 0; i < count; i++) { printf(" | %.3f", energy[i]); }
    printf(" |\n");
}

static void cbat07_1(const char *folder)
{
    static const int corners[] = {20, 50, 100, 200, 300};
    static const double steps[] = {0.01, 0.005, 0.001, 0.0005, 0.0001};
    // what a planar polygon of another program has, all corners near the ground and each contact at its corner
    static const double planar_a[] = {0.906, 2.512, 3.729, 4.041, 4.026},
                        planar_b[] = {4.015, 5.197, 6.388, 6.405, 6.420};
    enum { CURVES = sizeof corners / sizeof *corners };
    double energy_a[CURVES], energy_b[CURVES];
    char name[40];
    FILE *a = table(folder, "cbat07-1a.csv"), *b = table(folder, "cbat07-1b.csv");
    disc_run(a, "disc", 0.01, 0);
    disc_run(b, "disc", 0.01, 0);
    for (unsigned i = 0; i < CURVES; i++) {
        snprintf(name, sizeof name, "%d corners", corners[i]);
        energy_a[i] = disc_run(a, name, 0.01, corners[i]);
        snprintf(name, sizeof name, "h = %g s", steps[i]);
        energy_b[i] = disc_run(b, name, steps[i], 1000);
    }
    printf("| kinetic energy after 4 s, J: corners, h = 0.01 s | 20 | 50 | 100 | 200 | 300 |\n");
    printf("| --- | --- | --- | --- | --- | --- |\n");
    disc_row("`tac_step_lcp`", energy_a, CURVES);
    disc_row("a planar program", planar_a, CURVES);
    printf("| 1000 corners, by h, s | 0.01 | 0.005 | 0.001 | 0.0005 | 0.0001 |\n");
    disc_row("`tac_step_lcp`", energy_b, CURVES);
    disc_row("a planar program", planar_b, CURVES);
    fclose(a);
    fclose(b);
}

// Example 2: a sphere that spins at 1.962 rad/s, e_r = 0.4, mu = 0.2. Exact: -1.962 rad/s2 for one second.
static double spin_exact(double t)
{
    return fmax(1.962 - 1.962 * t, 0);
}

static void cbat07_3(const char *folder)
{
    const double h = 0.07;
    FILE *velocities = table(folder, "cbat07-3.csv"), *forces = table(folder, "cbat07-4.csv");
    world(h, 0.2, 0.2 * 0.4);
    tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, (tac_vec3){1, 1, 1});
    tac_model_add_shape(&model, &ground);
    tac_body ball = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 1});
    ball.inertia = (tac_vec3){0.4, 0.4, 0.4};
    ball.velocity.w.z = 1.962;
    tac_model_add_body(&model, &ball);
    tac_shape sphere = tac_shape_make(1, TAC_SPHERE, (tac_vec3){1, 0, 0});
    tac_model_add_shape(&model, &sphere);
    seal();
    fprintf(velocities, "time,vx,vy,vz,wx,wy,wz,exact_wz\n");
    fprintf(forces, "time,t,o,moment,exact_moment\n");
    for (int i = 0; i <= 20; i++) {
        const tac_twist *t = &state.twist[1];
        if (i > 0) { step(NULL); }
        fprintf(velocities, "%g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", h * i, t->v.x, t->v.y, t->v.z, t->w.x, t->w.y,
                t->w.z, spin_exact(h * i));
        if (i == 0) { continue; }
        fprintf(forces, "%g,%.9g,%.9g,%.9g,%.9g\n", h * i, ncp.contact[0].p_t / h, ncp.contact[0].p_o / h,
                ncp.contact[0].p_r / h, 0.4 * (spin_exact(h * i) - spin_exact(h * (i - 1))) / h);
    }
    fclose(velocities);
    fclose(forces);
}

static void cbat07_contact(FILE *file, double time, int shape)
{
    const double h = model.h;
    double normal = 0, friction = 0, slip = 0;
    for (int i = 0; i < ncp.contacts; i++) {
        const tac_ncp_contact *c = &ncp.contact[i];
        if (work.contact[i].id.shape_a != shape) { continue; }
        normal = c->p_n / h;
        friction = sqrt(c->p_t * c->p_t + c->p_o * c->p_o + c->p_r * c->p_r / 0.09) / h;
        slip = c->sigma; // of a contact that bears: else the column stays empty
    }
    fprintf(file, normal > 0 ? "%g,%.9g,%.9g,%.9g,%.9g\n" : "%g,0,0,0,\n", time, normal, 0.2 * normal, friction, slip);
}

// Example 3: a ball on two fixed ones, e_r = 0.3, mu = 0.2, under a constant force.
static void cbat07_6(const char *folder)
{
    static const double size[2] = {10, 9}, place[2] = {0, 11.4};
    FILE *velocities = table(folder, "cbat07-6.csv");
    FILE *contact[2] = {table(folder, "cbat07-7.csv"), table(folder, "cbat07-8.csv")};
    world(0.01, 0.2, 0.2 * 0.3);
    model.gravity.z = 0;
    for (int i = 0; i < 2; i++) {
        tac_shape fixed = tac_shape_make(0, TAC_SPHERE, (tac_vec3){size[i], 0, 0});
        fixed.pose.p.y = place[i];
        tac_model_add_shape(&model, &fixed);
    }
    tac_body ball = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 6.62105263157895, 8.78417110772903});
    ball.inertia = (tac_vec3){0.4, 0.4, 0.4};
    tac_model_add_body(&model, &ball);
    tac_shape sphere = tac_shape_make(1, TAC_SPHERE, (tac_vec3){1, 0, 0});
    tac_model_add_shape(&model, &sphere);
    seal();
    input.actions = 1;
    input.action[0] = (tac_action){.linear = {1.0, 2.6, -9.81}, .body = 1, .kind = TAC_WRENCH_WORLD};
    fprintf(velocities, "time,vx,vy,vz,wx,wy,wz\n");
    for (int i = 0; i < 2; i++) { fprintf(contact[i], "time,normal,limit,friction,slip\n"); }
    for (int i = 1; i <= 400; i++) {
        step(&input);
        tac_quat q = state.pose[1].q;
        const tac_twist *t = &state.twist[1];
        const tac_vec3 w = tac_quat_rotate(q, t->w);
        fprintf(velocities, "%g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", 0.01 * i, t->v.x, t->v.y, t->v.z, w.x, w.y, w.z);
        for (int k = 0; k < 2; k++) { cbat07_contact(contact[k], 0.01 * i, k); }
    }
    fclose(velocities);
    for (int i = 0; i < 2; i++) { fclose(contact[i]); }
}

static void cbat07_events(const char *folder)
{
    FILE *file = table(folder, "cbat07-events.csv");
    two_events e = {0};
    two_run(1e-4, &e);
    fprintf(file, "event,time\nslides,%.6g\nopens1,%.6g\nopens2,%.6g\n", e.slides, e.opens[0], e.opens[1]);
    fclose(file);
}

// ------------------------------------------------------------------------------------------------------ NST17, TCE17

// A sphere slides under the relaxed law at a gap of h mu |v_T|: it begins there, since it hops otherwise.
static void nst17(const char *folder)
{
    const double h = 0.01, mu = 0.2, v = 2;
    static double gap[2][61], ride[61];
    FILE *file = table(folder, "nst17.csv");
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        sphere_begin(h);
        model.options.friction = relaxed ? TAC_FRICTION_RELAXED : TAC_FRICTION_EXACT;
        model.body[1].pose.p.z = 1 + relaxed * h * mu * v;
        if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { exit(1); }
        for (int i = 0; i <= 60; i++) {
            const tac_twist *t = &state.twist[1];
            gap[relaxed][i] = state.pose[1].p.z - 1;
            ride[i] = h * mu * fabs(t->v.x - t->w.y);
            if (tac_step(&model, &state, NULL, &work) != TAC_OK) { exit(1); }
        }
    }
    fprintf(file, "time,exact,relaxed,h_mu_v\n");
    for (int i = 0; i <= 60; i++) { fprintf(file, "%g,%.9g,%.9g,%.9g\n", h * i, gap[0][i], gap[1][i], ride[i]); }
    fclose(file);
}

static const double ARM = 0.5, HINGED = 0.1; // m; kg m2 about the centre of mass, of 1 kg

// The angle below the level, and its rate, by Runge and Kutta.
static void pendulum_exact(double *y, double h)
{
    double k[4][2];
    for (int i = 0; i < 4; i++) {
        const double part = i == 0 ? 0 : i < 3 ? 0.5 * h : h, *last = k[i > 0 ? i - 1 : 0];
        k[i][0] = y[1] + (i > 0 ? part * last[1] : 0);
        k[i][1] = 9.81 * ARM / (HINGED + ARM * ARM) * cos(y[0] + (i > 0 ? part * last[0] : 0));
    }
    for (int i = 0; i < 2; i++) { y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]); }
}

// Falls from the level, on a hinge along y. Returns the worst error of the centre of mass in half a second, m.
static double pendulum_error(uint8_t method, int steps)
{
    const double h = 0.5 / steps, half = sqrt(0.5);
    double y[2] = {0, 0}, worst = 0;
    tac_joint hinge;
    tac_model_init(&model);
    model.h = (tac_real)h;
    tac_body rod = tac_body_make(TAC_DYNAMIC, (tac_vec3){ARM, 0, 0});
    rod.inertia = (tac_vec3){HINGED, HINGED, HINGED};
    tac_model_add_body(&model, &rod);
    tac_joint_init(&hinge, TAC_REVOLUTE, 0, 1);
    hinge.frame_a.q = hinge.frame_b.q = (tac_quat){half, -half, 0, 0};
    hinge.frame_b.p.x = -ARM;
    tac_model_add_joint(&model, &hinge);
    seal();
    tac_dae_init(&dae);
    dae.method = method;
    for (int i = 0; i < steps; i++) {
        if (tac_step_dae(&model, &state, NULL, &work, &dae) != TAC_OK) { exit(1); }
        for (int k = 0; k < 1024 / steps; k++) { pendulum_exact(y, h * steps / 1024); }
        const double x = state.pose[1].p.x - ARM * cos(y[0]), z = state.pose[1].p.z + ARM * sin(y[0]);
        worst = fmax(worst, sqrt(x * x + z * z));
    }
    return worst;
}

static void tce17(const char *folder)
{
    FILE *file = table(folder, "tce17.csv");
    fprintf(file, "h,euler,euler-linearised,euler-projected,trapezoidal,trapezoidal-linearised,newmark,hht,"
                  "generalised-alpha\n");
    for (int steps = 16; steps <= 512; steps *= 2) {
        fprintf(file, "%.9g", 0.5 / steps);
        for (uint8_t m = 0; m < TAC_DAE_METHODS; m++) { fprintf(file, ",%.9g", pendulum_error(m, steps)); }
        fprintf(file, "\n");
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const char *folder);
    } figure[] = {{"t03", t03},           {"cbat07-1", cbat07_1},      {"cbat07-3", cbat07_3},
                  {"cbat07-6", cbat07_6}, {"cbat07-6", cbat07_events}, {"nst17", nst17},
                  {"tce17", tce17}};
    if (argc < 2) {
        fprintf(stderr, "usage: papers FOLDER [NAME ...]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        int asked = argc == 2;
        for (int k = 2; k < argc; k++) { asked |= strcmp(argv[k], figure[i].name) == 0; }
        if (asked) { figure[i].run(argv[1]); }
    }
    return 0;
}
