// SPDX-License-Identifier: MIT
// tables.h - one body on one joint, and the tables of its motion that another program has computed.
//   given   TACTUS_DATA/joints; a kernel in double
//   makes   the world of a table; what the state shows, in its columns; the verdict over all of its rows
//   bound   500 rows a table
//   never   asks for less than the tolerances that belong to the tables
#ifndef TABLES_H
#define TABLES_H

#include "tap.h"
#include "truth.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 26 // t, p, q, v, w, a, al, f, t
#define GROUPS 8
#define ROW 0.01 // s, from a row to the next

// The tolerances that belong to the tables: root mean square of each column.
typedef struct bounds {
    double p, v, a, q, w, al, f, t, apart;
} bounds;

typedef struct table {
    const char *name;
    uint8_t kind;     // of the joint
    double h;         // s
    double turn;      // degrees: of the joint and the body about x; with a distance, of the body about z
    double at[3];     // of the joint on the ground
    double on[3];     // with a distance: of its end on the body, at the start
    double centre[3]; // with a distance: of the body
    double k, d;      // of a spring and its damper
    double harder;    // what the spring gains by each unit of its stretch
    double rest;      // of the spring
    bounds most;
} table;

#define BAR                                                                                                            \
    {                                                                                                                  \
        1e-3, 1e-4, 2e-2, 1e-3, 1e-2, 1e-1, 2e-2, 1e-10, 1e-5                                                          \
    }
#define PIN                                                                                                            \
    {                                                                                                                  \
        1e-3, 1e-4, 2e-2, 1e-3, 1e-2, 1e-2, 2e-2, 1e-2, 1e-5                                                           \
    }
#define BALL                                                                                                           \
    {                                                                                                                  \
        2e-3, 1e-3, 2e-2, 1e-3, 2e-2, 2e-2, 2e-2, 1e-6, 1e-5                                                           \
    }
#define TORSION                                                                                                        \
    {                                                                                                                  \
        1e-3, 5e-4, 2e-2, 1e-3, 1e-3, 5e-3, 5e-3, 1e-2, 1e-5                                                           \
    }
#define SPRING                                                                                                         \
    {                                                                                                                  \
        1e-3, 3e-4, 2e-2, 1e-10, 1e-10, 1e-10, 5e-3, 1e-2, 1e-5                                                        \
    }
#define STIFFENING                                                                                                     \
    {                                                                                                                  \
        1e-4, 5e-4, 1e-3, 5e-5, 5e-3, 5e-2, 5e-3, 1e-2, 1e-5                                                           \
    }

static const table TABLES[] = {
    {"Revolute_Case01", TAC_REVOLUTE, 5e-4, -90, {0, 0, 0}, {0}, {0}, 0, 0, 0, 0, PIN},
    {"Revolute_Case02",
     TAC_REVOLUTE,
     5e-4,
     -45,
     {1, 2, 3},
     {0},
     {0},
     0,
     0,
     0,
     0,
     {1e-3, 1e-4, 1e-2, 1e-3, 1e-5, 1e-2, 1e-2, 1e-2, 1e-5}},
    {"Spherical_Case01", TAC_SPHERICAL, 5e-4, 0, {0, 0, 0}, {0}, {0}, 0, 0, 0, 0, BALL},
    {"Spherical_Case02", TAC_SPHERICAL, 5e-4, -45, {1, 2, 3}, {0}, {0}, 0, 0, 0, 0, BALL},
    {"Prismatic_Case01",
     TAC_PRISMATIC,
     5e-4,
     0,
     {0, 0, 0},
     {0},
     {0},
     0,
     0,
     0,
     0,
     {1e-2, 1e-4, 2e-2, 1e-3, 2e-2, 2e-2, 1e-6, 1e-6, 1e-5}},
    {"Prismatic_Case02",
     TAC_PRISMATIC,
     5e-4,
     -45,
     {1, 2, 3},
     {0},
     {0},
     0,
     0,
     0,
     0,
     {1e-2, 1e-4, 2e-2, 1e-3, 2e-2, 2e-2, 2e-2, 1e-1, 1e-5}},
    {"RotSpring_Case01", TAC_REVOLUTE, 2e-4, -90, {0, 0, 0}, {0}, {0}, 200, 10, 0, 0, TORSION},
    {"RotSpring_Case02", TAC_REVOLUTE, 2e-4, -90, {0, 0, 0}, {0}, {0}, 50, 10, 10, 0, TORSION},
    {"Distance_Case01", TAC_DISTANCE, 1e-5, 0, {0, 0, 0}, {0, 2, 0}, {0, 2, 0}, 0, 0, 0, 0, BAR},
    {"Distance_Case02",
     TAC_DISTANCE,
     1e-5,
     0,
     {1, 2, 3},
     {1, 4, 3},
     {-1, 4, 3},
     0,
     0,
     0,
     0,
     {1e-3, 2e-3, 2, 4e-3, 2e-2, 20, 1e-1, 1e-10, 1e-5}},
    {"Distance_Case03", TAC_DISTANCE, 1e-5, -90, {0, 0, 0}, {0, 2, 0}, {0, 4, 0}, 0, 0, 0, 0, BAR},
    {"TranSpring_Case01", TAC_DISTANCE, 1e-4, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 10, 0.5, 0, 0, SPRING},
    {"TranSpring_Case02", TAC_DISTANCE, 1e-4, 0, {0, 0, 0}, {0, 2, 0}, {0, 2, 0}, 100, 5, 0, 2, SPRING},
    {"TranSpringCB_Case03", TAC_DISTANCE, 1e-5, 0, {1, 2, 3}, {1, 4, 3}, {-1, 4, 3}, 50, 5, 10, 2, STIFFENING},
    {"TranSpringCB_Case04", TAC_DISTANCE, 1e-5, -90, {0, 0, 0}, {0, 2, 0}, {0, 4, 0}, 50, 5, 10, 2, STIFFENING},
};

// The fewest steps between two rows, 10 ms, at which all columns are within the tolerances.
enum { BY_CONES, BY_HHT, BY_ALPHA, WAYS }; // tac_step(), tac_step_dae() with alpha -0.02, with rho_inf 0.98
static const int FEWEST[][WAYS] = {{17, 7, 7},   {14, 8, 8}, {13, 9, 9}, {12, 3, 2},    {15, 1, 1},
                                   {8, 1, 1},    {23, 1, 1}, {14, 1, 1}, {17, 7, 7},    {640, 53, 51},
                                   {41, 22, 21}, {36, 2, 2}, {40, 4, 4}, {960, 23, 23}, {173, 14, 13}};

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

static d3 of(tac_vec3 a)
{
    return (d3){a.x, a.y, a.z};
}

static dq of_quat(tac_quat q)
{
    return (dq){q.w, q.x, q.y, q.z};
}

// A body of length 4 hangs by its end from a joint; or it hangs by a point of it on a distance.
static void build(const table *t, double h)
{
    const double half = t->turn * TRUTH_PI / 360.0;
    const int distance = t->kind == TAC_DISTANCE;
    tac_body body = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    tac_joint j;
    tac_model_init(&m);
    m.h = h;
    m.gravity.z = -9.80665;
    m.options.solver = TAC_SOLVER_DIRECT;
    body.mass = 1;
    body.inertia = (tac_vec3){0.04, 0.1, 0.1};
    body.pose.q = distance ? (tac_quat){cos(half), 0, 0, sin(half)} : (tac_quat){cos(half), sin(half), 0, 0};
    tac_joint_init(&j, t->kind, 0, 1);
    j.frame_a.p = (tac_vec3){t->at[0], t->at[1], t->at[2]};
    const dq q = of_quat(body.pose.q), back = {q.w, -q.x, -q.y, -q.z};
    if (distance) {
        const d3 arm = dq_rotate(back, (d3){t->on[0] - t->centre[0], t->on[1] - t->centre[1], t->on[2] - t->centre[2]});
        body.pose.p = (tac_vec3){t->centre[0], t->centre[1], t->centre[2]};
        j.frame_b.p = (tac_vec3){arm.x, arm.y, arm.z};
        if (t->k == 0.0) { j.lower = j.upper = 2; }
    } else {
        const d3 arm = dq_rotate(q, (d3){2, 0, 0});
        body.pose.p = (tac_vec3){t->at[0] + arm.x, t->at[1] + arm.y, t->at[2] + arm.z};
        j.frame_a.q = body.pose.q;
        j.frame_b.p.x = -2;
    }
    if (t->harder == 0.0) {
        j.stiffness = t->k;
        j.damping = t->d;
        j.rest = t->rest;
    }
    tac_model_add_body(&m, &body);
    tac_model_add_joint(&m, &j);
    tap_ok(tac_model_seal(&m, NULL) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK, t->name);
}

static d3 spin(void)
{
    return dq_rotate(of_quat(s.pose[1].q), of(s.twist[1].w));
}

static void put(double *row, d3 a)
{
    row[0] = a.x;
    row[1] = a.y;
    row[2] = a.z;
}

// What the state shows after a step; accelerations are differences across it and the next, filled in by the caller.
static void look(const table *t, const double *expected, double *row)
{
    const tac_quat q = s.pose[1].q;
    const double sign = q.w * expected[4] + q.x * expected[5] + q.y * expected[6] + q.z * expected[7] < 0 ? -1 : 1;
    const tac_joint_result *r = &w.joint[0];
    tac_reactions(&m, &w);
    put(row + 1, of(s.pose[1].p));
    row[4] = sign * q.w;
    row[5] = sign * q.x;
    row[6] = sign * q.y;
    row[7] = sign * q.z;
    put(row + 8, of(s.twist[1].v));
    put(row + 11, spin());
    const d3 force = {-r->force.x, -r->force.y, -r->force.z}, torque = {-r->torque.x, -r->torque.y, -r->torque.z};
    put(row + 20, force);
    put(row + 23, torque);
    if (t->kind != TAC_PRISMATIC) { return; }
    const d3 arm = dq_rotate(of_quat(q), (d3){-2, 0, 0}); // the torque is asked for about a point of the ground
    const d3 d = {s.pose[1].p.x + arm.x - t->at[0], s.pose[1].p.y + arm.y - t->at[1], s.pose[1].p.z + arm.z - t->at[2]};
    put(row + 23, (d3){torque.x + d.y * force.z - d.z * force.y, torque.y + d.z * force.x - d.x * force.z,
                       torque.z + d.x * force.y - d.y * force.x});
}

static int read_row(FILE *file, double *x)
{
    char line[2048], *p = line;
    if (fgets(line, sizeof line, file) == NULL) { return 0; }
    for (int k = 0; k < COLUMNS; k++) {
        x[k] = strtod(p, &p);
        if (*p == ',') { p++; }
    }
    return 1;
}

// The head of a table, or NULL with a failed check.
static FILE *open_table(const table *t, const char *folder)
{
    char path[1024], head[2048];
    snprintf(path, sizeof path, "%s/%s.csv", folder, t->name);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(head, sizeof head, file) == NULL) {
        tap_ok(0, path);
        return NULL;
    }
    return file;
}

// The root mean square of the worst column of a group.
static double rms_of(int group, int rows, const double *squares)
{
    static const int FIRST[GROUPS + 1] = {1, 4, 8, 11, 14, 17, 20, 23, COLUMNS};
    double worst = 0.0;
    for (int i = FIRST[group]; i < FIRST[group + 1]; i++) { d_worst(&worst, sqrt(squares[i] / rows)); }
    return worst;
}

// Each group against its tolerance.
static void judge(const table *t, int rows, const double *squares)
{
    static const char *const GROUP[GROUPS] = {"p, m",    "q",          "v, m/s", "w, rad/s",
                                              "a, m/s2", "al, rad/s2", "f, N",   "t, N m"};
    const bounds *b = &t->most;
    const double most[GROUPS] = {b->p, b->q, b->v, b->w, b->a, b->al, b->f, b->t};
    tap_equal(rows, 500, "rows");
    for (int g = 0; g < GROUPS; g++) {
        const double worst = rms_of(g, rows, squares);
        tap_most(worst, most[g], tap_joined("rms of ", GROUP[g]));
        tap_note(GROUP[g], worst);
    }
}

// With one step fewer between two rows: some group is beyond its tolerance.
static void judge_fewer(const table *t, int rows, const double *squares)
{
    const bounds *b = &t->most;
    const double most[GROUPS] = {b->p, b->q, b->v, b->w, b->a, b->al, b->f, b->t};
    int beyond = 0;
    for (int g = 0; g < GROUPS; g++) { beyond |= rms_of(g, rows, squares) > most[g]; }
    tap_ok(beyond, tap_joined("longer steps are beyond the tolerances: ", t->name));
}

#endif
