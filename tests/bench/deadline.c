// SPDX-License-Identifier: MIT
// deadline.c - the executive on a robot that falls, lies, is thrown and flails: is it on time, and does any part of a
// step cost more than the page of the step says?
//   given   MODEL, a header of urdf2tactus with `robot_model`; a clock of instructions, TICK each; CYCLES; BUDGET, % of
//   the
//           period; STATED, ticks of the executive's parts, 0 where it has to learn; COSTS, the rows of the page
//   makes   TAP; what the table of port/README.md shows as notes
//   bound   CYCLES steps by the executive, as many by hand
//   never   sleeps: the clock leaps to the release
#include MODEL
#include "executive.h"
#include "tactus/port.h"
#include "tap.h"
#include "truth.h"

#define TICK 20       // instructions: a clock of 25 MHz, 500 million instructions a second
#define PERIOD 25000u // ticks, 1 ms
#define SITUATION 250 // cycles
#define EFFORT 15     // N m, most of a motor that flails

enum { BEGIN, FIRST, SWEEP, NEWTON, END, PARTS };
enum { A_BODY, A_PAIR, A_CONTACT, ROWS_2, ROWS_3, TERMS };
static const double cost[PARTS][TERMS] = COSTS;
static const uint32_t stated[EXECUTIVE_PARTS] = STATED;

static tac_model model;
static tac_state state;
static tac_work work;
static tac_input input;
static rng luck = {1};

// ------------------------------------------------------------------------------------------------------------ clock

uint32_t __real_port_ticks(void);
uint32_t __wrap_port_ticks(void);
void __wrap_port_wait_until(uint32_t deadline);
static uint32_t leapt;

uint32_t __wrap_port_ticks(void)
{
    return __real_port_ticks() + leapt;
}

void __wrap_port_wait_until(uint32_t deadline)
{
    const int32_t left = (int32_t)(deadline - port_ticks());
    if (left > 0) leapt += (uint32_t)left;
}

// ------------------------------------------------------------------------------------------------------- situations

static tac_vec3 any(double most)
{
    return d3_to(rng_box(&luck, most));
}

// Thrown in any orientation, joints anywhere between their limits, or each at one of them.
static void thrown(int at_limits)
{
    static tac_joint_state joint[TAC_MAX_JOINTS];
    for (uint16_t j = 0; j < model.joints; j++) {
        const tac_joint *k = &model.joint[j];
        const double part = at_limits ? (double)rng_below(&luck, 2) : rng_range(&luck, 0, 1);
        joint[j].position = k->lower + (tac_real)part * (k->upper - k->lower);
        joint[j].velocity = (tac_real)rng_range(&luck, -8, 8);
    }
    tac_pose pose = model.body[1].pose;
    pose.p.z += (tac_real)0.3;
    pose.q = dq_to(rng_quat(&luck));
    tac_state_set_body(&model, &state, 1, pose, (tac_twist){any(2), any(5)});
    if (tac_state_set_joints(&model, &state, joint) < TAC_OK) port_panic("joints");
}

static void flail(tac_input *in)
{
    in->motors = 0;
    for (uint16_t j = 0; j < model.joints; j++) {
        const double effort = rng_range(&luck, -EFFORT, EFFORT);
        in->motor[in->motors++] = (tac_motor){.effort = (tac_real)effort, .joint = j, .kind = TAC_MOTOR_EFFORT};
    }
}

// Falls with motors off; thrown, limp; thrown, flailing, with other efforts each tenth of a second; joints at limits.
static void situation(uint32_t cycle)
{
    const uint32_t which = cycle / SITUATION % 4;
    if (cycle % SITUATION == 0) {
        input.motors = 0;
        tac_state_init(&model, &state, NULL);
        if (which > 0) thrown(which == 3);
    }
    if (which == 2 && cycle % 100 == 0) flail(&input);
}

// -------------------------------------------------------------------------------------------------------- executive

static struct {
    uint32_t over, unsolved;
    double joint_error;
} seen;

static void read_inputs(void *user, tac_input *in)
{
    (void)user;
    *in = input;
}

static void write_results(void *user, const executive *e)
{
    (void)user;
    seen.over += e->last > e->budget;
    seen.unsolved += (work.report.status & TAC_UNCONVERGED) != 0;
    seen.joint_error = d_max(seen.joint_error, (double)work.report.joint_error);
}

static void on_time(void)
{
    executive e = {.model = &model, .state = &state, .work = &work, .read = read_inputs, .write = write_results};
    e.period = PERIOD;
    e.budget = PERIOD / 100 * BUDGET;
    for (int i = 0; i < EXECUTIVE_PARTS; i++) e.longest[i] = stated[i];
    tap_equal(executive_start(&e), TAC_OK, "good settings");
    for (uint32_t i = 0; i < CYCLES; i++) {
        situation(i);
        e.release = port_ticks(); // to set a robot up takes no part of the period
        executive_cycle(&e);
    }
    tap_equal(e.refused, 0, "no step is refused");
    tap_equal(e.overruns, 0, "no cycle ends after its period");
    tap_most(seen.over, CYCLES / 2000, "steps over the budget: where a part takes longer than ever before");
    tap_most(seen.joint_error, 1e-4, "joints hold, m");
    tap_note("cut", e.cut);
    tap_note("unsolved", seen.unsolved);
    tap_note("longest", (double)e.max * TICK);
    tap_note("over", seen.over);
    tap_note("joint error", seen.joint_error);
    tap_note("longest sweep", e.longest[EXECUTIVE_SWEEP] * (double)TICK);
    tap_note("longest by Newton's method", e.longest[EXECUTIVE_NEWTON] * (double)TICK);
    tap_note("longest end", e.longest[EXECUTIVE_END] * (double)TICK);
}

// ------------------------------------------------------------------------------------------------------------ costs

static double worst[PARTS];

// Notes how this part compares with the page: three rows a contact, one a joint.
static void compare(int part, uint32_t from)
{
    const double ticks = (double)(port_ticks() - from), contacts = work.report.contacts;
    const double rows = 3 * contacts + model.joints, pairs = 0.5 * model.shapes * (model.shapes - 1);
    const double count[TERMS] = {model.bodies - 1, pairs, contacts, rows * rows, rows * rows * rows};
    double most = 0;
    for (int i = 0; i < TERMS; i++) most += cost[part][i] * count[i];
    worst[part] = d_max(worst[part], ticks * TICK / most);
}

static int part_of(uint32_t sweeps)
{
    const tac_report *r = &work.report;
    if (sweeps == 0) return FIRST;
    return r->stage[r->stages - 1].engine == TAC_SOLVER_DIRECT ? NEWTON : SWEEP;
}

// A step that is cut after so many sweeps.
static int sliced(uint32_t sweeps)
{
    uint32_t from = port_ticks();
    tac_status status = tac_step_begin(&model, &state, &input, &work);
    compare(BEGIN, from);
    if (status < TAC_OK) return 0;
    status = TAC_UNCONVERGED;
    for (uint32_t i = 0; i < sweeps && status == TAC_UNCONVERGED; i++) {
        const int part = part_of(i);
        from = port_ticks();
        status = tac_step_sweep(&model, &work, 1);
        compare(part, from);
    }
    from = port_ticks();
    status = tac_step_end(&model, &state, &work);
    compare(END, from);
    return status >= TAC_OK;
}

static void costs(void)
{
    static const char *const name[PARTS] = {"begin", "first sweep", "sweep", "sweep by Newton's method", "end"};
    int taken = 1;
    for (uint32_t i = 0; i < CYCLES; i++) {
        situation(i);
        taken &= sliced(i / SITUATION % 8 < 4 ? model.options.max_sweeps : 2);
    }
    tap_ok(taken, "all steps are taken");
    for (int i = 0; i < PARTS; i++) {
        tap_note(name[i], worst[i]);
        tap_most(worst[i], 1, "of what the page says");
    }
}

int main(void)
{
    port_init();
    model = robot_model;
    tap_equal(tac_model_seal(&model, NULL), TAC_OK, "the robot is good");
    on_time();
    costs();
    return tap_done();
}
