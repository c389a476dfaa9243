// SPDX-License-Identifier: MIT
// planner.c - states down and plans up: whole after every instruction, their age, and what holds when a plan is late.
// config: robots
#include "planner.h"
#include "tactus/port.h"
#include "tap.h"

#define CHANNELS 12
#define KNOTS 4
#define OLDEST 30u

static tac_channel channel[CHANNELS];
static tac_real value[4][KNOTS * CHANNELS];
static tac_plan rest, plan;
static planner p;
static tac_state state; // that of step n is made of numbers n
static tac_input input;

static const tac_real any_rest = -7;

static tac_plan plan_of(tac_real *values)
{
    const tac_plan made = {.channel = channel, .value = values, .spacing = 1, .knots = KNOTS, .channels = CHANNELS};
    return made;
}

static void fill(tac_plan *of, tac_real number)
{
    of->start = 0;
    for (unsigned i = 0; i < KNOTS * CHANNELS; i++) of->value[i] = number;
}

static void measure(uint64_t step)
{
    const tac_real n = (tac_real)step;
    state.step = step;
    for (unsigned i = 0; i <= TAC_MAX_BODIES; i++) {
        state.pose[i].p = (tac_vec3){n, n, n};
        state.twist[i].w = (tac_vec3){n, n, n};
    }
}

static int is_of_step(const tac_state *s, uint64_t step)
{
    const tac_real n = (tac_real)step;
    int good = s->step == step;
    for (unsigned i = 0; i <= TAC_MAX_BODIES; i++) {
        const tac_vec3 a = s->pose[i].p, b = s->twist[i].w;
        good &= a.x == n && a.y == n && a.z == n && b.x == n && b.y == n && b.z == n;
    }
    return good;
}

static void begin(void)
{
    for (size_t i = 0; i < sizeof p; i++) ((uint8_t *)&p)[i] = 0xff;
    for (uint16_t j = 0; j < CHANNELS; j++) {
        channel[j] = (tac_channel){.low = -1000000, .high = 1000000, .joint = j, .kind = TAC_MOTOR_PD};
    }
    rest = plan_of(value[0]);
    plan = plan_of(value[1]);
    fill(&rest, any_rest);
    p.rest = &rest;
    for (unsigned i = 0; i < 2; i++) p.slot[i] = plan_of(value[2 + i]);
    p.period = (tac_real)0.001;
    p.oldest = OLDEST;
    measure(0);
    tap_equal(planner_start(&p, &state), TAC_OK, "good settings are taken");
}

// The number that all motors are told; NaN if they are not told the same.
static tac_real told(const tac_input *in)
{
    int same = in->motors == CHANNELS;
    for (unsigned i = 0; i < CHANNELS; i++) same &= in->motor[i].position == in->motor[0].position;
    return same ? in->motor[0].position : (tac_real)-1;
}

static uint32_t follow(uint64_t step)
{
    measure(step);
    return planner_follow(&p, &state, &input);
}

// A plan of the newest state, whose number is that of its step.
static uint64_t make(void)
{
    const tac_state *s = planner_begin(&p, &plan);
    if (!s) return 0;
    fill(&plan, (tac_real)s->step);
    planner_hand(&p, &plan);
    return s->step;
}

// ------------------------------------------------------------------------------------------------------------- ages

static void before_the_first_plan(void)
{
    begin();
    tap_equal(follow(1), PLANNER_NONE, "before the first plan there is none");
    tap_near(told(&input), any_rest, 0, "and the plan to rest is followed");
    tap_equal(p.late, 1, "which is counted");
}

static void ages(void)
{
    begin();
    follow(1);
    tap_equal(make(), 1, "the first plan is for the first state");
    unsigned wrong = 0;
    for (uint32_t step = 2; step <= 1 + OLDEST; step++) wrong += follow(step) != step - 1 || told(&input) != 1;
    tap_equal(wrong, 0, "a plan is followed at its age, up to the oldest");
    tap_equal(p.late, 1, "and none of these periods is late");
    tap_equal(follow(2 + OLDEST), PLANNER_NONE, "one period more is too old");
    tap_near(told(&input), any_rest, 0, "and the plan to rest is followed");
    tap_equal(make(), 2 + OLDEST, "a starved planner takes the newest state when it runs again");
    tap_equal(follow(3 + OLDEST), 1, "and its plan is followed at once");
    tap_equal(p.late, 2, "the late periods are counted, no more");
}

// What is known does not become new because the planner took long.
static void slow_planner(void)
{
    begin();
    follow(1);
    planner_begin(&p, &plan);
    for (uint32_t step = 2; step <= 20; step++) follow(step);
    fill(&plan, 1);
    planner_hand(&p, &plan);
    tap_equal(follow(21), 20, "a plan's age counts from its state, not from when it was handed over");
    planner_begin(&p, &plan);
    for (uint32_t step = 22; step <= 22 + OLDEST; step++) follow(step);
    fill(&plan, 21);
    planner_hand(&p, &plan);
    tap_equal(follow(23 + OLDEST), PLANNER_NONE, "a plan that is too old when it comes is never followed");
    tap_near(told(&input), any_rest, 0, "the plan to rest is");
}

static void nothing_new(void)
{
    begin();
    tap_ok(planner_begin(&p, &plan) != NULL, "the first state is to be planned for before control has run");
    tap_ok(planner_begin(&p, &plan) == NULL, "and only once");
    follow(1);
    tap_equal(make(), 1, "a state is planned for");
    tap_equal(make(), 0, "and not again, so a planner that is alone does nothing");
}

// Steps are counted anew: the robot has been set up again, the planner not.
static void counted_anew(void)
{
    begin();
    follow(1000);
    make();
    tap_equal(follow(1001), 1, "a plan is followed");
    tap_equal(follow(5), PLANNER_NONE, "a plan of a later step than this is none");
    tap_equal(make(), 5, "the next one is of this state");
    tap_equal(follow(6), 1, "and is followed");
}

static void where_plans_start(void)
{
    begin();
    follow(1);
    planner_begin(&p, &plan);
    tap_near(plan.value[0], any_rest, 0, "the first plan starts from the plan to rest");
    for (unsigned i = 0; i < KNOTS * CHANNELS; i++) plan.value[i] = (tac_real)(i / CHANNELS);
    plan.start = (tac_real)-0.5;
    planner_hand(&p, &plan);
    follow(11);
    tap_near(told(&input), 0, 0, "a plan is evaluated at its age");
    planner_begin(&p, &plan);
    tap_near(plan.start, -0.51, TOL(1e-12, 1e-6), "the next one starts from it, moved by its age");
    planner_hand(&p, &plan);
    for (unsigned i = 12; i <= 12 + OLDEST; i++) follow(i);
    planner_begin(&p, &plan);
    tap_near(plan.value[0] + plan.value[CHANNELS], 2 * any_rest, 0, "after a rest it starts from the plan to rest");
}

static void refused(void)
{
    begin();
    const planner good = p;
    p.slot[1].value = p.slot[0].value;
    tap_equal(planner_start(&p, &state), TAC_E_ARG, "one array for two slots is refused");
    p = good;
    p.slot[1].knots = 3;
    tap_equal(planner_start(&p, &state), TAC_E_ARG, "slots of two shapes are refused");
    p = good;
    p.oldest = PLANNER_NONE;
    tap_equal(planner_start(&p, &state), TAC_E_ARG, "an age without end is refused");
    p = good;
    p.period = 0;
    tap_equal(planner_start(&p, &state), TAC_E_ARG, "no period is refused");
    p = good;
    rest.value[0] /= 0 * rest.value[1];
    tap_equal(planner_start(&p, &state), TAC_E_ARG, "a plan to rest that is not finite is refused");

    begin();
    follow(1);
    planner_begin(&p, &plan);
    fill(&plan, 1);
    plan.value[5] /= 0 * plan.value[5];
    planner_hand(&p, &plan);
    tap_equal(follow(2), PLANNER_NONE, "a plan with a number that is not finite is not followed");
    tap_near(told(&input), any_rest, 0, "the plan to rest is");
}

// -------------------------------------------------------------------------------------------------- interleavings
// The control task after every instruction of the planner: the trap flag of x86 raises a signal after each one. (Red
// zone: 128 bytes below the stack pointer are the compiler's.) The boards do the same by a timer, at other places:
// tests/freertos/planner.c.
#if defined(__x86_64__) && defined(__linux__)
#include <signal.h>

static struct {
    uint64_t step;     // of control
    uint64_t followed; // number of the plan that was followed last
    uint64_t planned;  // number of the plan that is being handed over
    unsigned interrupts, torn, older, future, wrong_age, changes;
} seen;

static void control(int number)
{
    (void)number;
    const uint32_t age = follow(++seen.step);
    const tac_real n = told(&input);
    seen.interrupts++;
    if (age == PLANNER_NONE) {
        seen.torn += n != any_rest;
        return;
    }
    const uint64_t plan_number = n >= 0 ? (uint64_t)n : 0;
    seen.torn += n < 0;
    seen.wrong_age += seen.step - age != plan_number;
    seen.older += plan_number < seen.followed;
    seen.future += plan_number > seen.planned;
    seen.changes += plan_number != seen.followed;
    seen.followed = plan_number;
}

#define TRAP_ON                                                                                                        \
    __asm__ volatile("lea -128(%%rsp),%%rsp; pushfq; orq $0x100,(%%rsp); popfq; lea 128(%%rsp),%%rsp" ::               \
                         : "memory", "cc")
#define TRAP_OFF                                                                                                       \
    __asm__ volatile("lea -128(%%rsp),%%rsp; pushfq; andq $~0x100,(%%rsp); popfq; lea 128(%%rsp),%%rsp" ::             \
                         : "memory", "cc")

static void at_each_instruction(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, NULL);
}

static void start_interrupts(void)
{
    begin();
    seen.step = seen.followed = seen.planned = 0;
    seen.interrupts = seen.torn = seen.older = seen.future = seen.wrong_age = seen.changes = 0;
    p.oldest = 1000000;
    at_each_instruction(control);
}

static void plans_are_whole(void)
{
    unsigned late = 0;
    start_interrupts();
    follow(++seen.step);
    for (unsigned i = 0; i < 4; i++) {
        const tac_state *s = planner_begin(&p, &plan);
        fill(&plan, (tac_real)s->step);
        seen.planned = s->step;
        TRAP_ON;
        planner_hand(&p, &plan);
        TRAP_OFF;
        control(0);
        late += seen.followed != seen.planned;
    }
    tap_least(seen.interrupts, 4 * KNOTS * CHANNELS, "control interrupts each of many instructions of a hand-over");
    tap_equal(seen.torn, 0, "all motors are told numbers of one plan");
    tap_equal(seen.wrong_age, 0, "and its age is that of this plan");
    tap_equal(seen.older + seen.future, 0, "never of an older one or one that is to come");
    tap_equal(late, 0, "once handed over it is followed");
    tap_equal(seen.changes, 4, "from then on: it changes once a plan");
}

static void states_are_whole(void)
{
    unsigned torn = 0, old = 0, moved = 0;
    start_interrupts();
    follow(++seen.step);
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t before = seen.step;
        TRAP_ON;
        const tac_state *s = planner_begin(&p, &plan);
        TRAP_OFF;
        const uint64_t step = s->step;
        torn += !is_of_step(s, step);
        old += step < before;
        TRAP_ON;
        const int still = is_of_step(s, step);
        TRAP_OFF;
        moved += !still || !is_of_step(s, step);
        tap_ok(seen.step > before + 50, "control interrupts many instructions of taking and using a state");
    }
    tap_equal(torn, 0, "a state is whole");
    tap_equal(old, 0, "not older than when it was asked for");
    tap_equal(moved, 0, "and stays while it is used");
}

// A copy without slots, as the test must tell it.
static tac_plan plain;
static unsigned plain_torn;
static void control_of_plain(int number)
{
    (void)number;
    for (unsigned i = 1; i < KNOTS * CHANNELS; i++) {
        if (plain.value[i] != plain.value[0]) {
            plain_torn++;
            break;
        }
    }
}

static void the_test_can_tell(void)
{
    begin();
    plain = plan_of(value[1]);
    fill(&plain, 1);
    at_each_instruction(control_of_plain);
    TRAP_ON;
    fill(&plain, 2);
    TRAP_OFF;
    tap_least(plain_torn, KNOTS * CHANNELS - 1, "numbers that are written in place are seen torn: the test can tell");
}

static void interleavings(void)
{
    plans_are_whole();
    states_are_whole();
    the_test_can_tell();
    at_each_instruction(SIG_DFL);
}
#else
static void interleavings(void)
{
    tap_note("interleavings need x86-64 and Linux:", 0);
}
#endif

int main(void)
{
    port_init();
    before_the_first_plan();
    ages();
    slow_planner();
    nothing_new();
    counted_anew();
    where_plans_start();
    refused();
    interleavings();
    return tap_done();
}
