// SPDX-License-Identifier: MIT
// A copy of the state is a snapshot; the scratch area remembers nothing; slices are the whole step; a step cut short is
// replayed from its count of sweeps.
#include "begin.h"
#include "scenes.h"
#include "truth.h"
#if TAC_MAX_JOINTS > 0
#include "jointed.h"
#endif

#ifndef SNAPSHOT_SOLVER
#define SNAPSHOT_SOLVER TAC_SOLVER_ACCELERATED
#endif

static tac_model m;
static tac_state a, b, kept;
static tac_work w, other;
static tac_input input;
static uint8_t solver = SNAPSHOT_SOLVER;
static uint32_t cuts; // steps that were cut, over all scenes: a board's short runs need not cut each

static const tac_input *driven(const scene *s, uint32_t step)
{
    if (s->drive == NULL) { return NULL; }
    s->drive(&m, step, &input);
    return &input;
}

static void begin(const scene *s)
{
    s->build(&m);
    if (s == scene_find("cube_toss")) { m.body[1].pose.p.z = (tac_real)0.08; } // near its first impact
    m.options.solver = solver;
    begin_world(&m, &a);
}

static void test_snapshot(const scene *s, uint32_t first, uint32_t second)
{
    begin(s);
    for (uint32_t k = 0; k < first; k++) { tac_step(&m, &a, driven(s, k), &w); }
    truth_copy(&kept, &a, sizeof kept);
    tap_hash(tac_state_hash(&m, &kept), tac_state_hash(&m, &a), tap_joined("a copy has the same hash:", s->name));
    for (uint32_t k = 0; k < second; k++) { tac_step(&m, &a, driven(s, first + k), &w); }
    const uint64_t end = tac_state_hash(&m, &a);
    tap_ok(end != tac_state_hash(&m, &kept), tap_joined("the hash sees the motion:", s->name));

    truth_fill(&other, sizeof other, 0xa5);
    for (uint32_t k = 0; k < second; k++) { tac_step(&m, &kept, driven(s, first + k), &other); }
    tap_hash(tac_state_hash(&m, &kept), end, tap_joined("it continues to the bit, in another work area:", s->name));
}

// Begin, sweeps in random portions, end.
static tac_status sliced(const scene *s, tac_state *state, uint32_t step, rng *r)
{
    if (tac_step_begin(&m, state, driven(s, step), &other) != TAC_OK) { return TAC_E_ORDER; }
    for (uint32_t spent = 0; spent < m.options.max_sweeps;) {
        const uint32_t portion = rng_below(r, 8);
        if (tac_step_sweep(&m, &other, portion) == TAC_OK && rng_below(r, 2) == 0) { break; }
        spent += portion;
    }
    return tac_step_end(&m, state, &other);
}

static void test_slices(const scene *s, uint32_t steps)
{
    rng r = {5};
    int same = 1;
    begin(s);
    b = a;
    for (uint32_t k = 0; k < steps; k++) {
        const tac_status whole = tac_step(&m, &a, driven(s, k), &w), parts = sliced(s, &b, k, &r);
        same = same && whole == parts && tac_state_hash(&m, &a) == tac_state_hash(&m, &b) &&
               w.report.sweeps == other.report.sweeps && w.report.residual == other.report.residual;
    }
    tap_ok(same, tap_joined("slices give the bits of the whole step:", s->name));
}

// Each step is cut after a random number of sweeps; the recorded count replays it. In between all impulses lie in their
// cones.
static void test_cut(const scene *s, uint32_t steps)
{
    rng r = {6};
    int same = 1, usable = 1;
    begin(s);
    b = a;
    for (uint32_t k = 0; k < steps; k++) {
        const uint32_t budget = rng_below(&r, 6);
        usable = usable && tac_step_begin(&m, &a, driven(s, k), &w) == TAC_OK;
        for (uint32_t i = 0; i < budget; i++) { cuts += tac_step_sweep(&m, &w, 1) == TAC_UNCONVERGED; }
        usable = usable && tac_step_end(&m, &a, &w) >= 0 && tac_check(&m, &a, &w, NULL) == TAC_OK;
        same = same && w.report.sweeps <= budget + (TAC_MAX_JOINTS && budget == 0); // with joints one at least

        tac_step_begin(&m, &b, driven(s, k), &other);
        tac_step_sweep(&m, &other, w.report.sweeps);
        tac_step_end(&m, &b, &other);
        same = same && tac_state_hash(&m, &a) == tac_state_hash(&m, &b);
    }
    tap_ok(usable, tap_joined("a step cut short is usable:", s->name));
    tap_ok(same, tap_joined("and is replayed from its count of sweeps:", s->name));
}

// The public model is not changed by stepping, whatever it is asked to do.
static void test_futures(const scene *s)
{
    static tac_model before;
    begin(s);
    truth_copy(&before, &m, sizeof m);
    for (uint32_t k = 0; k < 20; k++) { tac_step(&m, &a, driven(s, k), &w); }
    const uint64_t now = tac_state_hash(&m, &a);
    uint64_t first = 0;
    int same = 1;
    for (int future = 0; future < 3; future++) {
        b = a;
        for (uint32_t k = 0; k < 5; k++) { tac_step(&m, &b, NULL, &w); }
        if (future == 0) { first = tac_state_hash(&m, &b); }
        same = same && tac_state_hash(&m, &b) == first;
    }
    tap_ok(same, tap_joined("futures from one state share a work area:", s->name));
    tap_hash(tac_state_hash(&m, &a), now, tap_joined("and leave it alone:", s->name));
    tap_ok(truth_equal(&m, &before, sizeof m), tap_joined("the model is only read:", s->name));
}

#if !TAC_ROLLING && TAC_MAX_JOINTS == 0

// Every value of the state counts in the hash, padding and spare room do not.
static void test_hash(void)
{
    begin(scene_find("cube_toss"));
    for (int k = 0; k < RUN(300, 40); k++) { tac_step(&m, &a, NULL, &w); }
    const uint64_t base = tac_state_hash(&m, &a);
    tap_least(a.warm_count, 1, "the state holds impulses");
    b = a;
    b.step++;
    tap_ok(tac_state_hash(&m, &b) != base, "hashed: step");
    int seen = 1;
    tac_real *fields[] = {&b.pose[1].p.x,  &b.pose[1].p.y,       &b.pose[1].p.z,       &b.pose[1].q.w,
                          &b.pose[1].q.x,  &b.pose[1].q.y,       &b.pose[1].q.z,       &b.twist[1].v.x,
                          &b.twist[1].v.y, &b.twist[1].v.z,      &b.twist[1].w.x,      &b.twist[1].w.y,
                          &b.twist[1].w.z, &b.warm[0].impulse.x, &b.warm[0].impulse.y, &b.warm[0].impulse.z};
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        b = a;
        *fields[i] += (tac_real)0.5;
        seen = seen && tac_state_hash(&m, &b) != base;
    }
    tap_ok(seen, "hashed: poses, velocities, impulses");
    truth_fill(&b, sizeof b, 0xff);
    b.step = a.step;
    b.model_hash = a.model_hash;
    b.warm_count = a.warm_count;
    b.contacts_peak = a.contacts_peak;
    b.warm_unsolved = a.warm_unsolved;
    for (uint16_t i = 0; i < m.bodies; i++) {
        b.pose[i] = a.pose[i];
        b.twist[i] = a.twist[i];
        b.compensation[i] = a.compensation[i];
    }
    for (uint16_t i = 0; i < a.warm_count; i++) {
        b.warm[i].id = a.warm[i].id;
        b.warm[i].impulse = a.warm[i].impulse;
    }
    tap_hash(tac_state_hash(&m, &b), base, "padding and what is out of use do not count");
}

#endif

// Boards run a part of it, whatever the length.
static void test_scene(const scene *s, uint32_t steps)
{
    test_snapshot(s, RUN(steps, 20), RUN(steps, 10));
    test_slices(s, RUN(2 * steps / 3, 10));
    test_cut(s, RUN(4 * steps / 3, 25));
    test_futures(s);
}

#if TAC_ROLLING

// Torques are impulses that a state keeps: they count.
static void test_torques(void)
{
    begin(scene_find("resist"));
    for (int k = 0; k < 40; k++) { tac_step(&m, &a, NULL, &w); }
    const uint64_t base = tac_state_hash(&m, &a);
    int torques = 0;
    for (uint16_t i = 0; i < a.warm_count; i++) {
        const tac_vec3 t = a.warm[i].torque;
        torques += t.x != 0 && t.y != 0;
    }
    tap_least(torques, 3, "the state holds torques");
    b = a;
    b.warm[0].torque.z += (tac_real)0.5;
    tap_ok(tac_state_hash(&m, &b) != base, "hashed: torques");
    b.warm[0].torque.z = real_nan();
    tap_equal(tac_step(&m, &b, NULL, &w), TAC_E_NAN, "a torque that is not finite is refused");
    tap_equal(w.report.fault.field, TAC_FIELD_IMPULSE, "by name");
}

int main(void)
{
    for (solver = 0; solver <= TAC_SOLVER_AUTO; solver++) {
        test_scene(scene_find("resist"), 150);
        test_torques();
    }
    tap_least(cuts, 1, "some steps were cut");
    return tap_done();
}

#elif TAC_MAX_JOINTS > 0

// Every impulse of a joint of the model counts in the hash, and must be finite; those of joints that are not there do
// not.
static void test_impulses(void)
{
    const uint32_t reals = sizeof *b.joint / sizeof(tac_real);
    int seen = 1, refused = 1;

    begin(&jointed);
    for (uint32_t k = 0; k < 30; k++) { tac_step(&m, &a, driven(&jointed, k), &w); }
    const uint64_t base = tac_state_hash(&m, &a);
    for (uint32_t i = 0; i < TAC_MAX_JOINTS * reals; i++) {
        b = a;
        tac_real *x = &b.joint[i / reals].of.row[0] + i % reals;
        *x += (tac_real)0.5;
        seen = seen && (tac_state_hash(&m, &b) != base) == (i / reals < m.joints);
        *x = real_nan();
        refused = refused && (tac_check(&m, &b, NULL, NULL) == TAC_E_NAN) == (i / reals < m.joints);
    }
    tap_ok(seen, "hashed: impulses of the joints that there are");
    tap_ok(refused, "and they must be finite");
}

// Steps after which a joint has kept an impulse, by what it comes from.
static uint32_t kept_rows, kept_boxes[TAC_EFFORTS];

static void count_kept(void)
{
    begin(&jointed);
    for (uint32_t k = 0; k < 50; k++) {
        tac_step(&m, &a, driven(&jointed, k), &w);
        for (uint32_t i = 0; i < m.joints; i++) {
            kept_rows += a.joint[i].of.row[0] != 0;
            for (int x = 0; x < TAC_EFFORTS; x++) { kept_boxes[x] += a.joint[i].interval[x] != 0; }
        }
    }
}

// What a work area keeps of the joints of one model does not reach another: two models that take turns in one area have
// the bits of the same models in areas of their own.
static void test_turns(void)
{
    static tac_model model[2];
    static tac_state turns[2], alone[2];
    static tac_work own[2];
    int same = 1;
    for (int i = 0; i < 2; i++, jointed_seed++) {
        jointed.build(&model[i]);
        begin_world(&model[i], &turns[i]);
        alone[i] = turns[i];
    }
    jointed_seed -= 2;
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < 2; i++) {
            same = same && tac_step(&model[i], &turns[i], NULL, &w) == tac_step(&model[i], &alone[i], NULL, &own[i]);
            same = same && tac_state_hash(&model[i], &turns[i]) == tac_state_hash(&model[i], &alone[i]);
        }
    }
    tap_ok(same, "two models take turns in a work area");
}

int main(void)
{
    for (jointed_seed = 1; jointed_seed <= 8; jointed_seed++) {
        solver = (uint8_t)(jointed_seed % (TAC_SOLVER_AUTO + 1));
        tap_note("seed", jointed_seed);
        test_scene(&jointed, 45);
        test_turns();
        test_impulses();
        count_kept();
    }
    tap_least(kept_rows, 10, "there were impulses of constraints to keep");
    for (int x = 0; x < TAC_EFFORTS; x++) { tap_least(kept_boxes[x], 10, tap_numbered("and of what acts along it:", x)); }
    tap_least(cuts, 1, "some steps were cut");
    return tap_done();
}

#else

int main(void)
{
    static const char *const names[] = {"cube_toss", "mixed", "pushed", "overflow"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) { test_scene(scene_find(names[i]), 150); }
    test_hash();
    tap_least(cuts, 1, "some steps were cut");
    return tap_done();
}

#endif
