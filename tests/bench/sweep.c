// SPDX-License-Identifier: MIT
// sweep.c - a tower of 8 cubes, for counting: tests/bench/count BOARD sweep.elf begin plain accelerated end
//   given   the kernel; 32 contacts in every step, 28 of them between two dynamic bodies
//   makes   marks around tac_step_begin, single sweeps of the plain and of the accelerated solver, tac_step_end
//   bound   STEPS steps of SWEEPS sweeps, for each solver
//   never   ends a step early: tolerance 0. Exact friction law.
#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

#define CUBES 8
#define STEPS 20u
#define SWEEPS 20u

MARK(begin)
MARK(plain)
MARK(accelerated)
MARK(end)

static tac_model model;
static tac_state state;
static tac_work work;

static void build(uint8_t solver)
{
    static const tac_vec3 half = {(tac_real)0.5, (tac_real)0.5, (tac_real)0.5};

    tac_model_init(&model);
    model.options.solver = solver;
    model.options.tolerance = 0;
    model.options.max_sweeps = SWEEPS;
    tac_model_add_material(&model, (tac_real)0.5, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, half);
    tac_model_add_shape(&model, &ground);
    for (int i = 0; i < CUBES; i++) {
        const tac_body body = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, (tac_real)i + (tac_real)0.5});
        const tac_shape shape = tac_shape_make((uint16_t)tac_model_add_body(&model, &body), TAC_BOX, half);
        tac_model_add_shape(&model, &shape);
    }
    tac_model_seal(&model, NULL);
    tac_state_init(&model, &state, NULL);
}

// Steps in single sweeps. Returns how many had the contacts and the sweeps that the figures are divided by.
static uint32_t run(uint8_t solver)
{
    uint32_t whole = 0;

    build(solver);
    for (uint32_t step = 0; step < STEPS; step++) {
        mark_begin_begin();
        tac_step_begin(&model, &state, NULL, &work);
        mark_begin_end();
        for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
            if (solver == TAC_SOLVER_PLAIN) {
                mark_plain_begin();
                tac_step_sweep(&model, &work, 1);
                mark_plain_end();
            } else {
                mark_accelerated_begin();
                tac_step_sweep(&model, &work, 1);
                mark_accelerated_end();
            }
        }
        mark_end_begin();
        tac_step_end(&model, &state, &work);
        mark_end_end();
        whole += work.report.contacts == 4 * CUBES && work.report.sweeps == SWEEPS;
    }
    return whole;
}

int main(void)
{
    port_init();
    tap_equal(run(TAC_SOLVER_PLAIN), STEPS, "plain: 32 contacts, 20 sweeps in every step");
    tap_equal(run(TAC_SOLVER_ACCELERATED), STEPS, "accelerated: 32 contacts, 20 sweeps in every step");
    return tap_done();
}
