// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=16 -DTAC_MAX_REDUCED=12 -DTAC_MAX_FILL=36 -DTAC_MAX_CONTACTS=64 -DTAC_MAX_LCP=120
// variants: gcc-O2-64 clang-O0-32
// Robots with little room in TAC_MAX_REDUCED. One whose joints alone have more rows is refused when it is sealed, with
// the knob and the number that it needs. Contacts of the others that have no room are swept one by one, and the status
// says so: joints hold, and energy comes from nothing nowhere; the step of T03 does the same or refuses by name and
// changes nothing.
#include "begin.h"
#include "robots.h"
#include "tactus/lcp.h"
#include "truth.h"

enum { STEPS = 400, LCP_STEPS = RUN(40, 10) };

static tac_model m;
static tac_state s, before;
static tac_work w;
static tac_input input;
static tac_lcp lcp;

static double energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

typedef struct tally {
    int steps, refused, broken, swept, solved;
    double apart, rise;
} tally;

// Violated joints are named by the check; nothing else may be wrong.
static int holds(void)
{
    tac_fault fault;
    return tac_check(&m, &s, &w, &fault) == TAC_OK || fault.reason == TAC_REASON_APART;
}

static void count(tally *t, const scene *sc, tac_status status, double start, double scale)
{
    t->steps++;
    t->swept += (status & TAC_SWEPT) != 0;
    t->solved += !(status & TAC_UNCONVERGED);
    t->broken += !holds();
    d_worst(&t->apart, (double)w.report.joint_error);
    if (sc->drive == NULL) { d_worst(&t->rise, d_max(0, energy() - start) / scale); }
}

// Returns 1 if the joints have room; else the fault has a number that is beyond what there is.
static int sealed(const scene *sc)
{
    tac_fault fault;
    sc->build(&m);
    const tac_status status = tac_model_seal(&m, &fault);
    if (status == TAC_OK) { return 1; }
    const int named = status == TAC_E_FULL && fault.reason == TAC_REASON_FULL;
    const int rows = fault.field == TAC_FIELD_MAX_REDUCED && fault.index > TAC_MAX_REDUCED,
              path = fault.field == TAC_FIELD_MAX_PATH && fault.index > TAC_MAX_PATH;
    tap_ok(named && (rows || path), tap_joined("what its joints need is named:", sc->name));
    return 0;
}

static void run(const scene *sc, tally *t)
{
    begin_world(&m, &s);
    truth_fill(&input, sizeof input, 0);
    const double start = energy(), scale = d_abs(start) + 1;
    for (uint32_t k = 0; k < STEPS; k++) {
        if (sc->drive != NULL) { sc->drive(&m, k, &input); }
        const tac_status status = tac_step(&m, &s, &input, &w);
        t->refused += status < 0;
        count(t, sc, status, start, scale);
    }
}

static void run_lcp(const scene *sc, tally *t)
{
    sc->build(&m);
    begin_world(&m, &s);
    truth_fill(&input, sizeof input, 0);
    const double start = energy(), scale = d_abs(start) + 1;
    for (uint32_t k = 0; k < LCP_STEPS; k++) {
        if (sc->drive != NULL) { sc->drive(&m, k, &input); }
        before = s;
        tac_lcp_init(&lcp);
        const tac_status status = tac_step_lcp(&m, &s, &input, &w, &lcp);
        if (status < 0) {
            t->refused += w.report.fault.reason == TAC_REASON_NONE || !truth_equal(&before, &s, sizeof s);
            return;
        }
        count(t, sc, status, start, scale);
    }
}

int main(void)
{
    tally all = {0};
    for (uint32_t i = 0; i < robot_count; i++) {
        tally t = {0};
        if (!sealed(&robots[i])) {
            all.refused++;
            continue;
        }
        run(&robots[i], &t);
        tap_note(tap_joined("joints apart at most, m:", robots[i].name), t.apart);
        tap_note("energy from nothing, of its scale", t.rise);
        tap_note("steps that are swept", t.swept);
        tap_note("steps that are solved", t.solved);
        tap_note("of all", t.steps);
        tap_equal(t.refused + t.broken, 0, tap_joined("every step is good:", robots[i].name));
        tap_most(t.apart, 1e-3, tap_joined("joints hold:", robots[i].name));
        tap_most(t.rise, 1e-3, tap_joined("no energy comes from nothing:", robots[i].name));
        all.swept += t.swept > 0;
        t = (tally){0};
        run_lcp(&robots[i], &t);
        tap_note("steps of T03", t.steps);
        tap_note("joints apart at most, m", t.apart);
        tap_equal(t.refused + t.broken, 0, tap_joined("T03, every step is good or named:", robots[i].name));
        tap_most(t.rise, 1e-3, tap_joined("T03, no energy comes from nothing:", robots[i].name));
    }
    tap_least(all.swept, 2, "contacts of robots are swept one by one");
    tap_least(all.refused, 1, "one is refused");
    return tap_done();
}
