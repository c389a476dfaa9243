// SPDX-License-Identifier: MIT
// One body on one joint for five seconds, by HHT and generalised-alpha, against the tables of tables.c: at the longest
// steps that stay within the tolerances, and at the next longer ones.
//     build/tests/joints/dae FOLDER
#include "tables.h"

static tac_dae dae;

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

static int run(const table *t, int way, double h, const char *folder, double *squares)
{
    double apart = 0.0;
    FILE *file = open_table(t, folder);
    if (file == NULL) { return 0; }
    build(t, h);
    tac_dae_init(&dae);
    dae.method = way == BY_HHT ? TAC_DAE_HHT : TAC_DAE_GENERALISED_ALPHA;
    dae.alpha = -0.02;
    dae.rho_inf = 0.98;
    const int rows = compare(t, file, squares, &apart);
    fclose(file);
    tap_most(apart, 1e-12, "constraint, m");
    return rows;
}

int main(int count, char **argument)
{
    if (count != 2) { return 2; }
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        const table *t = &TABLES[i];
        for (int way = BY_HHT; way <= BY_ALPHA; way++) {
            const int fewest = FEWEST[i][way];
            double squares[2][COLUMNS] = {{0}};
            judge(t, run(t, way, ROW / fewest, argument[1], squares[0]), squares[0]);
            if (fewest == 1) { continue; }
            judge_fewer(t, run(t, way, ROW / (fewest - 1), argument[1], squares[1]), squares[1]);
        }
    }
    return tap_done();
}
