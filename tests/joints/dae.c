// SPDX-License-Identifier: MIT
// One body on one joint for five seconds, by HHT and generalised-alpha at longer steps than those of tables.c, against
// the same tables.
//     build/tests/joints/dae FOLDER
#include "tables.h"

static tac_dae dae;

// Steps, s, in the order of TABLES. Where the tolerances are 1e-4 m/s and 1e-5 rad/s for a pendulum whose speed is 6
// m/s, the phase error h^2 omega^2/12, which no method of order 2 is without, allows no more than 2 times the steps of
// the tables; else they are 5 to 100 times as long.
static const double STEP[] = {1e-3, 1e-3, 1e-3, 2.5e-3, 5e-3, 5e-3, 2e-3, 2e-3,
                              1e-3, 1e-4, 2e-4, 1e-3,   1e-3, 2e-4, 5e-4};

// A spring that stiffens is a motor that is told its stiffness at the end of the step.
static void step(const table *t)
{
    tac_joint_state x;
    input.motors = t->harder != 0.0;
    if (input.motors) {
        tac_state_get_joint(&m, &s, 0, &x);
        const double stiffness = t->k + t->harder * fabs(x.position + m.h * x.velocity - t->rest);
        input.motor[0] = (tac_motor){t->rest, 0, 0, stiffness, t->d, 0, TAC_MOTOR_PD};
    }
    if (tac_step_dae(&m, &s, &input, &w, &dae) != TAC_OK) { tap_ok(0, "the step is taken"); }
}

static int compare(const table *t, FILE *file, double *squares, double *apart)
{
    double expected[COLUMNS], row[COLUMNS] = {0};
    int rows = 0;
    long done = 0;
    if (!read_row(file, expected)) { return 0; }
    while (read_row(file, expected)) {
        for (const long until = lround(expected[0] / m.h); done < until; done++) {
            step(t);
            d_worst(apart, dae.error);
        }
        look(t, expected, row);
        put(row + 14, of(dae.x[1].v));
        put(row + 17, dq_rotate(of_quat(s.pose[1].q), of(dae.x[1].w)));
        for (int i = 1; i < COLUMNS; i++) { squares[i] += (row[i] - expected[i]) * (row[i] - expected[i]); }
        rows++;
    }
    return rows;
}

static void run(const table *t, double h, const char *folder, uint8_t method)
{
    double squares[COLUMNS] = {0}, apart = 0.0;
    FILE *file = open_table(t, folder);
    if (file == NULL) { return; }
    build(t, h);
    tac_dae_init(&dae);
    dae.method = method;
    dae.alpha = -0.05;
    dae.rho_inf = 0.9;
    const int rows = compare(t, file, squares, &apart);
    fclose(file);
    judge(t, rows, squares);
    tap_most(apart, 1e-12, "constraint, m");
}

int main(int count, char **argument)
{
    if (count != 2) { return 2; }
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        run(&TABLES[i], STEP[i], argument[1], TAC_DAE_HHT);
        run(&TABLES[i], STEP[i], argument[1], TAC_DAE_GENERALISED_ALPHA);
    }
    return tap_done();
}
