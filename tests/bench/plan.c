// SPDX-License-Identifier: MIT
// plan.c - instructions of a plan by sampling, of its longest slice and of one step of a roll-out: a quadruped that is
// pushed, ten samples of 35 steps of 10 ms, and eight of 20 steps; a ball on a tray, a capsule between two fingers.
// Printed too: its memory, what the plans cost, what a step of the plant costs.
#define TAC_MAX_BODIES 14
#define TAC_MAX_SHAPES 8
#define TAC_MAX_CONTACTS 8
#define TAC_MAX_JOINTS 12
#define TAC_PREDICT 1
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#include "markers.h"
#include "pushed.h"
#include "tap.h"
#include "tactus/port.h"
#include "tray.h"
#include "turn.h"

MARK(long)
MARK(long_slice)
MARK(short)
MARK(short_slice)
MARK(long_kept)
MARK(long_kept_slice)
MARK(short_kept)
MARK(short_kept_slice)
MARK(plant)
MARK(tray)
MARK(tray_slice)
MARK(turn)
MARK(turn_slice)

enum { SLICE = 8, PLANS = 12, KEPT = 5 }; // steps of a slice; steps that share a refresh

typedef void marker(void);

static pushed p;
static tac_work w, ahead;

static uint32_t plan_once(uint64_t seed, uint16_t samples, uint32_t steps, marker *begin, marker *end, marker *slice,
                          marker *sliced)
{
    begin();
    tac_status status = pushed_ask(&p, seed, samples, steps, TAC_SAMPLING_BEST);
    for (uint32_t k = 0; k < samples * steps && (status == TAC_UNCONVERGED || k == 0); k++) {
        slice();
        status = tac_sampling_advance(&p.sampling, &ahead, SLICE);
        sliced();
    }
    tap_ok(status == TAC_OK && tac_sampling_end(&p.sampling) == TAC_OK, "a plan");
    end();
    return p.sampling.taken;
}

static void run(uint16_t samples, uint32_t steps, marker *begin, marker *end, marker *slice, marker *sliced)
{
    double sum = 0;
    uint32_t taken = 0;
    for (unsigned direction = 0; direction < 2; direction++) {
        int good = pushed_push(&p, direction, &w);
        for (uint32_t plan = 0; plan < PLANS && good; plan++) {
            if (plan > 0) { tac_plan_shift(&p.plan, (tac_real)0.001 * PUSHED_EVERY); }
            taken += plan_once(plan, samples, steps, begin, end, slice, sliced);
            for (uint32_t k = 0; k < PUSHED_EVERY && good; k++) {
                tac_plan_evaluate(&p.plan, (tac_real)0.001 * (tac_real)k, 0, &p.input);
                mark_plant_begin();
                good = tac_step(&p.plant, &p.state, &p.input, &w) >= 0;
                mark_plant_end();
                sum += pushed_judge(&p);
            }
        }
        tap_ok(good, "every step is taken");
    }
    tap_note("samples", samples);
    tap_note("steps of a plan, mean", (double)taken / (2 * PLANS));
    tap_note("cost of two runs", sum);
}

// Plans of a scene, each with the steps until it is ready; its slices.
static void replans(replan *r, foreign *plant, marker *begin, marker *end, marker *slice, marker *sliced)
{
    int good = 1;
    for (uint32_t plan = 0; plan < 2 * PLANS && good; plan++) {
        good = foreign_measure(plant, r->frame, &r->model, &r->state) == TAC_OK;
        begin();
        tac_status status = good && replan_ask(r, &ahead) == TAC_OK ? TAC_UNCONVERGED : TAC_E_ARG;
        while (status == TAC_UNCONVERGED) {
            slice();
            status = replan_advance(r, &ahead, SLICE);
            sliced();
        }
        end();
        good = status == TAC_OK && replan_follow(r, plant, &p.input, &w);
    }
    tap_ok(good, "all plans are made");
}

static void tray(void)
{
    static foreign plant;
    static replan planner;
    tray_model(&plant.model);
    plant.model.body[TRAY_BALL].pose.p = (tac_vec3){(tac_real)0.05, (tac_real)-0.05, (tac_real)0.4};
    p.input.motors = 0;
    tap_ok(foreign_begin(&plant, (tac_real)0.7, &p.input) == TAC_OK && tray_planner(&planner) == TAC_OK, "a tray");
    replans(&planner, &plant, mark_tray_begin, mark_tray_end, mark_tray_slice_begin, mark_tray_slice_end);
    tap_note("bytes of its planner, with model, states and numbers", sizeof planner);
}

static void fingers(void)
{
    static foreign plant;
    static turning task;
    const tac_quat right = {(tac_real)0.7071067811865476, 0, (tac_real)0.7071067811865476, 0};
    const tac_joint_state open[TURN_JOINTS] = {{TURN_GRIP, 0}, {0, 0}, {TURN_GRIP, 0}, {0, 0}};
    turn_model(&plant.model);
    p.input.motors = 0;
    tap_ok(foreign_begin(&plant, (tac_real)0.7, &p.input) == TAC_OK && turn_planner(&task, right) == TAC_OK,
           "two fingers");
    tap_ok(tac_state_set_joints(&plant.model, &plant.state, open) == TAC_OK, "open");
    replans(&task.planner, &plant, mark_turn_begin, mark_turn_end, mark_turn_slice_begin, mark_turn_slice_end);
}

int main(void)
{
    port_init();
    tap_ok(pushed_begin(&p), "a quadruped");
    run(10, 35, mark_long_begin, mark_long_end, mark_long_slice_begin, mark_long_slice_end);
    run(8, 20, mark_short_begin, mark_short_end, mark_short_slice_begin, mark_short_slice_end);
    p.every = KEPT;
    run(10, 35, mark_long_kept_begin, mark_long_kept_end, mark_long_kept_slice_begin, mark_long_kept_slice_end);
    run(8, 20, mark_short_kept_begin, mark_short_kept_end, mark_short_kept_slice_begin, mark_short_kept_slice_end);
    tray();
    fingers();
    tap_note("bytes of tac_refresh", sizeof(tac_refresh));
    tap_note("bytes of tac_sampling", sizeof(tac_sampling));
    tap_note("bytes of the numbers of a plan, and scratch", sizeof p.value + sizeof p.room);
    tap_note("bytes of tac_state", sizeof(tac_state));
    tap_note("bytes of tac_work", sizeof(tac_work));
    return tap_done();
}
