// SPDX-License-Identifier: MIT
// When and with which corner does a measured cube first touch the board? Predicted by tac_time_to_contact() from the
// first five frames of each toss of a recording, against its later frames. Prints how many are within half a frame, how
// many corners are right where the two lowest differ by more than 2 mm, and the most looks. Built by first_touch.t.
#include "tactus/tactus.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 5, ROWS = 400 };

// The recording has lengths that are 2.1 % short: its gravity and the height at rest say the same (README.md beside
// it).
static const double SCALE = 0.979, DT = 1.0 / 148;

typedef struct row {
    double t;
    d3 p;
    dq q;
} row;

static row toss[ROWS];
static int rows;
static tac_model m;
static tac_state s;
static tac_work w;
static int all, in_time, corners, right, most;

// Height of the lowest corner and by how much the next one is higher.
static double lowest(const row *x, int *corner, double *margin)
{
    const double half = SCALE * 0.0524;
    double least = 1e9, next = 1e9;
    for (int k = 0; k < 8; k++) {
        const d3 at = d3_make(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half);
        const double z = x->p.z + dq_rotate(x->q, at).z;
        next = z < least ? least : d_min(next, z);
        if (z < least) { *corner = k; }
        least = d_min(least, z);
    }
    *margin = next - least;
    return least;
}

// The angular velocity, world, that turns a into b in time t.
static d3 rate_between(dq a, dq b, double t)
{
    dq by = dq_mul(b, dq_conjugate(a));
    if (by.w < 0) { by = (dq){-by.w, -by.x, -by.y, -by.z}; }
    const d3 axis = d3_make(by.x, by.y, by.z);
    const double sine = d3_norm(axis);
    return sine > 0 ? d3_scale(2 * atan2(sine, by.w) / (sine * t), axis) : d3_make(0, 0, 0);
}

static dq turn(dq q, d3 rate, double t)
{
    const double speed = d3_norm(rate);
    return speed > 0 ? dq_mul(dq_about(d3_scale(1 / speed, rate), speed * t), q) : q;
}

// A parabola through the first frames, least squares; a constant rotation, from the first to the last of them.
static void estimate(tac_body *b)
{
    const double g = 9.81 * SCALE, middle = DT * (FRAMES - 1) / 2, left = DT * (FRAMES - 1) - middle;
    d3 sum = d3_make(0, 0, 0), slope = sum;
    double weight = 0;
    for (int k = 0; k < FRAMES; k++) {
        const double t = toss[k].t - middle;
        const d3 p = d3_add(toss[k].p, d3_make(0, 0, g * t * t / 2));
        sum = d3_add(sum, d3_scale(1.0 / FRAMES, p));
        slope = d3_add(slope, d3_scale(t, p));
        weight += t * t;
    }
    const d3 v = d3_scale(1 / weight, slope), rate = rate_between(toss[0].q, toss[FRAMES - 1].q, DT * (FRAMES - 1));
    b->pose.p = d3_to(d3_add(d3_add(sum, d3_scale(left, v)), d3_make(0, 0, -g * left * left / 2)));
    b->pose.q = dq_to(turn(toss[FRAMES / 2].q, rate, left));
    b->velocity.v = d3_to(d3_add(v, d3_make(0, 0, -g * left)));
    b->velocity.w = d3_to(dq_rotate(dq_conjugate(dq_of(b->pose.q)), rate));
}

// Where the frames say that it touches: the first within a millimetre of the board, and the line through the two
// before.
static double measured(int *corner, double *margin)
{
    int k = 0, other;
    double ignored;
    while (k < rows && lowest(&toss[k], corner, margin) > 0.001) { k++; }
    if (k < 2 || k == rows) { return -1; }
    const double last = lowest(&toss[k - 1], &other, &ignored), before = lowest(&toss[k - 2], &other, &ignored);
    const double fall = (before - last) / DT + 9.81 * SCALE * DT;
    return toss[k - 1].t + d_min(last / fall, 2 * DT);
}

static void judge(void)
{
    int corner = 0, seen = 0;
    double margin, ignored;
    const double truth = measured(&corner, &margin), from = DT * (FRAMES - 1);
    if (rows < FRAMES || truth < from) { return; }
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    m.gravity = vec(0, 0, -9.81 * SCALE);
    tac_model_add_material(&m, (tac_real)0.18, 0);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.mass = (tac_real)0.37;
    b.inertia = vec(0.00081, 0.00081, 0.00081);
    estimate(&b);
    tac_model_add_body(&m, &b);
    const tac_shape board = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    const tac_shape cube = tac_shape_make(1, TAC_BOX, vec(SCALE * 0.0524, SCALE * 0.0524, SCALE * 0.0524));
    tac_model_add_shape(&m, &board);
    tac_model_add_shape(&m, &cube);
    tac_meeting out;
    const tac_meeting_query q = {.horizon = 2, .body = 1, .looks = 200, .parts = 1};
    const int good = tac_model_seal(&m, NULL) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK &&
                     tac_time_to_contact(&m, &s, NULL, &q, &w, NULL, &out) == TAC_OK && out.other == 0;
    all++;
    in_time += good && d_abs(from + (double)out.time - truth) <= DT / 2;
    if (!good) { return; }
    most = out.looks > most ? out.looks : most;
    const row then = {0, d3_add(d3_of(b.pose.p), d3_scale((double)out.time, d3_of(b.velocity.v))),
                      turn(dq_of(b.pose.q), dq_rotate(dq_of(b.pose.q), d3_of(b.velocity.w)), (double)out.time)};
    (void)lowest(&then, &seen, &ignored);
    corners += margin > 0.002;
    right += margin > 0.002 && seen == corner;
}

int main(int count, char **argument)
{
    char line[512];
    FILE *file = count == 2 ? fopen(argument[1], "r") : NULL;
    if (file == NULL) { return 2; }
    long current = -1;
    while (fgets(line, sizeof line, file) != NULL) {
        double x[9];
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7,
                   x + 8) != 9) {
            continue;
        }
        if ((long)x[0] != current) {
            judge();
            rows = 0;
            current = (long)x[0];
        }
        if (rows < ROWS) { toss[rows++] = (row){x[1], d3_make(x[2], x[3], x[4]), {x[5], x[6], x[7], x[8]}}; }
    }
    judge();
    (void)fclose(file);
    printf("tosses %d within-half-a-frame %d corners %d right %d most-looks %d\n", all, in_time, corners, right, most);
    return 0;
}
