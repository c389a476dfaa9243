// SPDX-License-Identifier: MIT
// The report keeps the stages of the solver: which engine, on which operator, under which law, why, for how many
// sweeps. They agree with the sweeps and the status of every step.
// config: robots
#include "robots.h"
#include "tap.h"

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

// What is wrong with the stages of the last step, as bits.
enum { COUNT = 1, SWEEPS = 2, FIRST = 4, SAME = 8, LAW = 16, RELAXED = 32, SWEPT = 64 };

static int faults(tac_status status)
{
    const tac_report *r = &w.report;
    const tac_stage *first = &r->stage[0], *last = &r->stage[r->stages - 1];
    int sum = 0, bad = 0, lost = 0;
    if (r->stages < 1 || r->stages > TAC_STAGES) { return COUNT; }
    for (const tac_stage *s = first; s <= last; s++) {
        sum += s->sweeps;
        lost |= s->engine == TAC_SOLVER_ACCELERATED && s->op == TAC_OPERATOR_BODIES &&
                (s->why == TAC_STAGE_ROOM || s->why == TAC_STAGE_SLOW);
        if (s > first && s->engine == s[-1].engine && s->op == s[-1].op && s->law == s[-1].law) { bad |= SAME; }
        if (s > first && s->law != s[-1].law && s->why != TAC_STAGE_WANDERS) { bad |= LAW; }
    }
    if (sum != r->sweeps) { bad |= SWEEPS; }
    if (first->law != m.options.friction || first->why == TAC_STAGE_SLOW || first->why == TAC_STAGE_WANDERS) {
        bad |= FIRST;
    }
    if (status & TAC_RELAXED && last->law != TAC_FRICTION_RELAXED) { bad |= RELAXED; }
    if (!(status & TAC_SWEPT) != !(lost && m.options.solver != TAC_SOLVER_AUTO)) { bad |= SWEPT; }
    return bad;
}

static int seen[TAC_STAGE_WANDERS + 1]; // stages by why they began

static void test_scene(const scene *s, uint8_t solver, uint16_t sweeps)
{
    int bad = 0;
    tac_status status = s->build(&m);
    m.options.solver = solver;
    m.options.max_sweeps = sweeps;
    if (status == TAC_OK) { status = tac_model_seal(&m, NULL); }
    if (status == TAC_OK) { status = tac_state_init(&m, &state, NULL); }
    for (uint32_t k = 0; k < (uint32_t)RUN(200, 20) && status >= 0; k++) {
        if (s->drive != NULL) { s->drive(&m, k, &input); }
        status = tac_step(&m, &state, s->drive != NULL ? &input : NULL, &w);
        bad |= status < 0 ? COUNT : faults(status);
        for (int i = 0; i < w.report.stages && status >= 0; i++) { seen[w.report.stage[i].why]++; }
    }
    tap_note("solver", solver);
    tap_equal(bad, 0, tap_joined("stages agree with the step:", s->name));
}

int main(void)
{
    for (unsigned i = 0; i < robot_count; i++) {
        for (uint8_t solver = TAC_SOLVER_ACCELERATED; solver <= TAC_SOLVER_AUTO; solver++) {
            test_scene(&robots[i], solver, solver == TAC_SOLVER_AUTO ? 4 : 50);
        }
    }
    tap_ok(seen[TAC_STAGE_ASKED] > 0, "a stage that the options ask for");
    tap_ok(seen[TAC_STAGE_TREES] > 0, "joints that are trees");
    tap_ok(seen[TAC_STAGE_SLOW] > 0 || !TAP_FULL, "a stage that was too slow");
    return tap_done();
}
