// SPDX-License-Identifier: MIT
// kernel.c - instructions of the kernel's parts, on a worst case for each sweep: a stack whose contacts all join two
// moving bodies, and sliding so that no contact leaves by the stick branch. Sees the kernel's own functions.
#include "tactus.c"

#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

MARK(plain)
MARK(accelerated)
MARK(begin)
MARK(end)
MARK(step)
MARK(self_test)

static tac_model model;
static tac_state state;
static tac_work work_area;

// As many cubes as give a full contact table, in contact by their faces, no ground; every second one moves sideways.
static void build(int sliding)
{
    tac_fault fault;
    tac_model_init(&model);
    (void)tac_model_add_material(&model, R(0.4), R(0.0));
    for (int i = 0; i <= TAC_MAX_CONTACTS / 4 && i < TAC_MAX_BODIES; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, v3(R(0.01) * (real)(i & 1), R(0.0), R(0.999) * (real)i));
        b.velocity.v = v3(sliding && (i & 1) ? R(1.0) : R(0.0), R(0.0), R(-0.1) * (real)i);
        const uint16_t body = (uint16_t)tac_model_add_body(&model, &b);
        const tac_shape s = tac_shape_make(body, TAC_BOX, v3(R(0.5), R(0.5), R(0.5)));
        (void)tac_model_add_shape(&model, &s);
    }
    model.options.tolerance = R(0.0);
    tap_ok(tac_model_seal(&model, &fault) == TAC_OK && tac_state_init(&model, &state, &fault) == TAC_OK, "built");
}

static void count(void)
{
    tap_ok(tac_step_begin(&model, &state, NULL, &work_area) == TAC_OK, "begun");
    tap_ok(work_area.report.contacts == TAC_MAX_CONTACTS, "the table is full");
    for (int i = 0; i < 20; i++) {
        mark_plain_begin();
        (void)sweep_pass(SWEEP_BODIES, &work_area, 1, 1);
        mark_plain_end();
    }
    for (int i = 0; i < 20; i++) {
        mark_accelerated_begin();
        (void)sweep_pass(SWEEP_BODIES, &work_area, 0, 1);
        mark_accelerated_end();
    }
}

static void count_step(void)
{
    for (int i = 0; i < 10; i++) {
        mark_step_begin();
        mark_begin_begin();
        (void)tac_step_begin(&model, &state, NULL, &work_area);
        mark_begin_end();
        (void)tac_step_sweep(&model, &work_area, 20);
        mark_end_begin();
        (void)tac_step_end(&model, &state, &work_area);
        mark_end_end();
        mark_step_end();
    }
}

int main(void)
{
    port_init();
    mark_self_test_begin();
    const uint32_t broken = tac_self_test();
    mark_self_test_end();
    tap_equal(broken, TAC_PROMISE_KEPT, "arithmetic is as it should be");
    build(1);
    count();
    build(0);
    count_step();
    return tap_done();
}
