// SPDX-License-Identifier: MIT
// One body on one joint for five seconds, against tables of positions, velocities, accelerations and reactions.
//     build/tests/joints/tables FOLDER
#include "tables.h"

// A spring that stiffens is a motor that is told its stiffness before each step.
static void step(const table *t)
{
    tac_joint_state x;
    input.motors = t->harder != 0.0;
    if (input.motors) {
        tac_state_get_joint(&m, &s, 0, &x);
        const double stiffness = t->k + t->harder * fabs(x.position - t->rest);
        input.motor[0] = (tac_motor){t->rest, 0, 0, stiffness, t->d, 0, TAC_MOTOR_PD};
    }
    if (tac_step(&m, &s, &input, &w) < 0) { tap_ok(0, "the step is taken"); }
}

// Squares of the errors of all columns, over all rows but the first.
static int compare(const table *t, FILE *file, double *squares, double *apart)
{
    double expected[COLUMNS], row[COLUMNS] = {0};
    int rows = 0;
    long done = 0;
    if (!read_row(file, expected)) { return 0; }
    while (read_row(file, expected)) {
        d3 v = of(s.twist[1].v), u = spin();
        for (const long until = lround(expected[0] / m.h); done < until; done++) {
            v = of(s.twist[1].v);
            u = spin();
            step(t);
            d_worst(apart, w.report.joint_error);
        }
        look(t, expected, row);
        const tac_state now = s;
        step(t); // the acceleration at this time: from the step before to the step after
        const d3 v2 = of(s.twist[1].v), u2 = spin();
        s = now;
        const double k = 0.5 / m.h;
        put(row + 14, (d3){k * (v2.x - v.x), k * (v2.y - v.y), k * (v2.z - v.z)});
        put(row + 17, (d3){k * (u2.x - u.x), k * (u2.y - u.y), k * (u2.z - u.z)});
        for (int i = 1; i < COLUMNS; i++) { squares[i] += (row[i] - expected[i]) * (row[i] - expected[i]); }
        rows++;
    }
    return rows;
}

// All rows by steps of h. Returns how many there are.
static int run(const table *t, double h, const char *folder, double *squares)
{
    double apart = 0.0;
    FILE *file = open_table(t, folder);
    if (file == NULL) { return 0; }
    build(t, h);
    const int rows = compare(t, file, squares, &apart);
    fclose(file);
    tap_most(apart, 1e-10, "constraint, m");
    return rows;
}

int main(int count, char **argument)
{
    if (count != 2) { return 2; }
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        const table *t = &TABLES[i];
        const int fewest = FEWEST[i][BY_CONES];
        double squares[3][COLUMNS] = {{0}};
        judge(t, run(t, t->h, argument[1], squares[0]), squares[0]);
        judge(t, run(t, ROW / fewest, argument[1], squares[1]), squares[1]);
        judge_fewer(t, run(t, ROW / (fewest - 1), argument[1], squares[2]), squares[2]);
    }
    return tap_done();
}
