// SPDX-License-Identifier: MIT
// master.c - a master of FMI 3.0 for one FMU, which is held to the kernel's own run of the same model, bit by bit.
//   given   master FMU.so modelDescription.xml FILE: linked to the model, the kernel and the capacities of that FMU's
//   sources;
//           the name of a file that it saves a state to, and has another process of itself load
//   makes   TAP
//   bound   a thousand steps
//   never   includes the standard's headers: it finds each function by its name
#include "fmi3.h"
#include "fmu_model.h"
#include "tap.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 80, PARTS = 5, TEXT = 200 };
#define H FMU_H

typedef fmi3Status fmi_plain(fmi3Instance);
typedef fmi3Status fmi_get(fmi3Instance, const fmi3ValueReference[], size_t, void *, size_t);

// ----------------------------------------------------------------------------------------------------------- the
// binary

static void *library;
static char *description;

// ISO C has no conversion of what dlsym() finds to a function.
static void find(const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static fmi3Status plain(const char *name, fmi3Instance c)
{
    fmi_plain *call;
    find(name, &call);
    return call(c);
}

static char logged[TEXT];
static void on_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String text)
{
    (void)environment, (void)status, (void)category;
    snprintf(logged, sizeof logged, "%s", text);
}

static fmi3Instance instantiate(const char *token, bool events, bool early)
{
    fmi3Instance (*call)(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                         const fmi3ValueReference[], size_t, fmi3InstanceEnvironment, fmi3LogMessageCallback,
                         fmi3IntermediateUpdateCallback);
    find("fmi3InstantiateCoSimulation", &call);
    return call("one", token, NULL, false, true, events, early, NULL, 0, NULL, on_log, NULL);
}

static fmi3Status enter(fmi3Instance c, double start, double stop)
{
    fmi3Status (*call)(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64);
    find("fmi3EnterInitializationMode", &call);
    return call(c, false, 0, start, stop > start, stop);
}

static fmi3Instance begun(bool early)
{
    fmi3Instance c = instantiate(FMU_TOKEN, false, early);
    if (c == NULL || enter(c, 0, 0) != fmi3OK || plain("fmi3ExitInitializationMode", c) != fmi3OK) return NULL;
    return c;
}

static void end(fmi3Instance c)
{
    void (*call)(fmi3Instance);
    find("fmi3FreeInstance", &call);
    call(c);
}

static fmi3Status step(fmi3Instance c, double from, double size, bool *early, double *reached)
{
    fmi3Status (*call)(fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,
                       fmi3Float64 *);
    bool needed, terminate;
    find("fmi3DoStep", &call);
    return call(c, from, size, true, &needed, &terminate, early, reached);
}

static fmi3Status advance(fmi3Instance c, double from, int steps)
{
    bool early;
    double reached;
    const fmi3Status status = step(c, from, steps * H, &early, &reached);
    return status > fmi3Warning || (!early && fabs(reached - from - steps * H) < 1e-9) ? status : fmi3Fatal;
}

// ----------------------------------------------------------------------------------------------------------- variables

// The reference of a name in the description; the largest number if it has none.
static fmi3ValueReference reference(const char *format, const char *name, const char *rest)
{
    char wanted[TEXT];
    snprintf(wanted, sizeof wanted, format, name, rest);
    const char *found = strstr(description, wanted);
    const char *number = found != NULL ? strstr(found, "valueReference=\"") : NULL;
    return number != NULL ? (fmi3ValueReference)strtoul(number + strlen("valueReference=\""), NULL, 10) : UINT32_MAX;
}

static fmi3ValueReference at(const char *name)
{
    return reference("name=\"%s%s\"", name, "");
}

static const char *real_of(const char *verb, int bits)
{
    static char name[TEXT];
    snprintf(name, sizeof name, "fmi3%sFloat%d", verb, bits);
    return name;
}

static fmi3Status get_real(fmi3Instance c, fmi3ValueReference vr, tac_real *value)
{
    fmi_get *call;
    find(real_of("Get", TAC_REAL_BITS), &call);
    return call(c, &vr, 1, value, 1);
}

static fmi3Status set_real(fmi3Instance c, fmi3ValueReference vr, tac_real value)
{
    fmi_get *call;
    find(real_of("Set", TAC_REAL_BITS), &call);
    return call(c, &vr, 1, &value, 1);
}

static tac_real real_at(fmi3Instance c, fmi3ValueReference vr)
{
    tac_real value = (tac_real)NAN;
    get_real(c, vr, &value);
    return value;
}

static uint64_t long_at(fmi3Instance c, const char *name)
{
    fmi_get *call;
    const fmi3ValueReference vr = at(name);
    uint64_t value = 0;
    find("fmi3GetUInt64", &call);
    return call(c, &vr, 1, &value, 1) == fmi3OK ? value : 0;
}

// --------------------------------------------------------------------------------------------- the kernel's own run

static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;

static void begin_own(void)
{
    model = FMU_MODEL;
    tac_state_init(&model, &state, NULL);
    input = (tac_input){0};
}

// First joint with a motor, or the number of joints.
static uint32_t driven(void)
{
    uint32_t j = 0;
    while (j < model.joints && !(model.joint[j].effort > 0)) j++;
    return j;
}

// Names as the description has them: of the k-th joint or body, counted by its references.
static fmi3ValueReference joint_at(uint32_t j, uint32_t part)
{
    return 1024 + 16 * j + part;
}
static fmi3ValueReference body_at(uint32_t b, uint32_t part)
{
    return 65536 + 32 * b + part;
}

// What the run is told in part i: an effort, then gains, then a force.
static void drive(fmi3Instance c, int i)
{
    const uint32_t j = driven();
    const tac_real push = (tac_real)(0.1 * (i % 7)), stiffness = (tac_real)(i % 3 == 0 ? 0 : 5.0);

    input.actions = 1;
    input.action[0] = (tac_action){{push, 0, 0}, {0, 0, push / 8}, {0, 0, 0}, 1, TAC_WRENCH_WORLD};
    if (push == 0) input.actions = 0;
    tap_ok(set_real(c, body_at(1, 19), push) == fmi3OK && set_real(c, body_at(1, 24), push / 8) == fmi3OK,
           "a force is set");
    input.motors = 0;
    if (j == model.joints) return;
    const tac_real effort = (tac_real)0.3, damping = (tac_real)0.1;
    input.motors = 1;
    input.motor[0] = (tac_motor){(tac_real)0.5, 0, effort, stiffness, damping, (uint16_t)j, TAC_MOTOR_PD};
    const tac_real told[] = {effort, (tac_real)0.5, 0, stiffness, damping};
    for (uint32_t k = 0; k < 5; k++) tap_ok(set_real(c, joint_at(j, 3 + k), told[k]) == fmi3OK, "the motor is told");
}

static int same(tac_real a, tac_real b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Are all outputs those of the own run, to the bit?
static int same_outputs(fmi3Instance c)
{
    int good = long_at(c, "hash") == tac_state_hash(&model, &state) && long_at(c, "step") == state.step;

    for (uint16_t b = 1; b < model.bodies; b++) {
        const tac_pose p = tac_state_get_pose(&model, &state, b);
        const tac_twist t = state.twist[b];
        tac_wrench f;
        tac_body_force(&model, &work, b, state.pose[b].p, &f);
        const tac_real want[] = {p.p.x,     p.p.y,     p.p.z,      p.q.w,      p.q.x,     p.q.y, p.q.z,
                                 t.v.x,     t.v.y,     t.v.z,      t.w.x,      t.w.y,     t.w.z, f.force.x,
                                 f.force.y, f.force.z, f.torque.x, f.torque.y, f.torque.z};
        for (uint32_t k = 0; k < sizeof want / sizeof want[0]; k++) good &= same(real_at(c, body_at(b, k)), want[k]);
    }
    for (uint32_t j = 0; j < model.joints; j++) {
        tac_joint_state q;
        tac_state_get_joint(&model, &state, j, &q);
        good &= same(real_at(c, joint_at(j, 0)), q.position) && same(real_at(c, joint_at(j, 1)), q.velocity);
        good &= same(real_at(c, joint_at(j, 2)), work.joint[j].effort[TAC_EFFORT_MOTOR]);
    }
    return good && same(real_at(c, at("report/kinetic")), work.report.kinetic);
}

// Beside an instance that is told other things.
static void test_run(void)
{
    fmi3Instance c = begun(false), other = begun(false);
    int good = 1, bad_status = 0;
    uint64_t unsolved = 0;

    begin_own();
    for (int i = 0; i < STEPS; i++) {
        uint64_t before = unsolved;
        drive(c, i);
        set_real(other, body_at(1, 20), (tac_real)3);
        advance(other, i * PARTS * H, PARTS);
        for (int k = 0; k < PARTS; k++) {
            unsolved += (tac_step(&model, &state, &input, &work) & (TAC_UNCONVERGED | TAC_RELAXED | TAC_FULL)) != 0;
        }
        bad_status += advance(c, i * PARTS * H, PARTS) != (unsolved > before ? fmi3Warning : fmi3OK);
        good &= same_outputs(c) && long_at(c, "report/unsolved") == unsolved;
    }
    tap_ok(good, "all outputs are those of the kernel's own run, to the bit");
    tap_equal(bad_status, 0, "a warning where a step was not solved, and only there");
    tap_note("steps that were not solved:", unsolved);
    tap_ok(work.report.contacts > 0, "it has touched the ground");
    tap_ok(long_at(other, "hash") != long_at(c, "hash"), "the other instance went its own way");
    tap_ok(plain("fmi3Reset", c) == fmi3OK && enter(c, 2, 0) == fmi3OK &&
               plain("fmi3ExitInitializationMode", c) == fmi3OK,
           "reset");
    tap_ok(advance(c, 2, PARTS) <= fmi3Warning, "it steps from another time");
    begin_own();
    for (int k = 0; k < PARTS; k++) tac_step(&model, &state, &input, &work);
    tap_ok(same_outputs(c), "after a reset it is a new one, and nothing is told");
    tap_ok(plain("fmi3Terminate", c) == fmi3OK && advance(c, 2 + PARTS * H, 1) == fmi3Error,
           "terminated, it steps no more");
    end(c);
    end(other);
}

// ---------------------------------------------------------------------------------------------------------------
// states

static fmi3Status with_state(const char *name, fmi3Instance c, fmi3FMUState s)
{
    fmi3Status (*call)(fmi3Instance, fmi3FMUState);
    find(name, &call);
    return call(c, s);
}

static fmi3Status with_place(const char *name, fmi3Instance c, fmi3FMUState *s)
{
    fmi3Status (*call)(fmi3Instance, fmi3FMUState *);
    find(name, &call);
    return call(c, s);
}

static uint64_t run_on(fmi3Instance c, int from)
{
    for (int i = from; i < STEPS; i++) advance(c, i * PARTS * H, PARTS);
    return long_at(c, "hash");
}

static uint8_t *saved;
static size_t saved_size;

static fmi3Status deserialise(fmi3Instance c, fmi3FMUState *s)
{
    fmi3Status (*call)(fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState *);
    find("fmi3DeserializeFMUState", &call);
    return call(c, saved, saved_size, s);
}

// In another process: the hash at the end of the run from a saved state.
static int loaded(const char *path)
{
    FILE *file = fopen(path, "rb");
    fmi3FMUState s = NULL;
    fmi3Instance c = begun(false);

    if (file == NULL || c == NULL) return 1;
    saved = malloc(100000000);
    saved_size = fread(saved, 1, 100000000, file);
    if (deserialise(c, &s) != fmi3OK || with_state("fmi3SetFMUState", c, s) != fmi3OK) return 1;
    with_place("fmi3FreeFMUState", c, &s);
    printf("%016" PRIx64 "\n", run_on(c, STEPS / 2));
    end(c);
    return 0;
}

static void save(fmi3Instance c, fmi3FMUState s, const char *path)
{
    fmi3Status (*size)(fmi3Instance, fmi3FMUState, size_t *);
    fmi3Status (*serialise)(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
    FILE *file = fopen(path, "wb");

    find("fmi3SerializedFMUStateSize", &size);
    find("fmi3SerializeFMUState", &serialise);
    tap_ok(size(c, s, &saved_size) == fmi3OK, "the size of a state");
    saved = malloc(saved_size);
    tap_ok(serialise(c, s, saved, saved_size - 1) == fmi3Error, "no room for it");
    tap_ok(serialise(c, s, saved, saved_size) == fmi3OK, "a state as bytes");
    tap_ok(file != NULL && fwrite(saved, 1, saved_size, file) == saved_size && fclose(file) == 0, "it is saved");
}

static uint64_t other_process(char **argv)
{
    char command[3 * TEXT], text[40] = "";
    snprintf(command, sizeof command, "%s %s %s load %s", argv[0], argv[1], argv[2], argv[3]);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL || fgets(text, sizeof text, pipe) == NULL) text[0] = '\0';
    if (pipe != NULL) pclose(pipe);
    return strtoull(text, NULL, 16);
}

static void test_states(char **argv)
{
    fmi3Instance c = begun(false), twin = begun(false);
    fmi3FMUState s = NULL, damaged = NULL;

    begin_own();
    drive(c, 4);
    for (int i = 0; i < STEPS / 2; i++) advance(c, i * PARTS * H, PARTS);
    tap_ok(with_place("fmi3GetFMUState", c, &s) == fmi3OK && s != NULL, "a state is copied");
    const tac_real energy = real_at(c, at("report/kinetic"));
    const uint64_t hash = run_on(c, STEPS / 2);
    tap_ok(with_state("fmi3SetFMUState", c, s) == fmi3OK && same(real_at(c, at("report/kinetic")), energy), "and set");
    tap_hash(run_on(c, STEPS / 2), hash, "it runs on from it to the bit");
    tap_ok(with_state("fmi3SetFMUState", twin, s) == fmi3OK, "another instance takes it over, with what was told");
    tap_hash(run_on(twin, STEPS / 2), hash, "and runs on to the bit");
    save(c, s, argv[3]);
    tap_hash(other_process(argv), hash, "and so does another process, from bytes");
    saved[saved_size / 2] ^= 4;
    tap_ok(deserialise(c, &damaged) == fmi3Error && damaged == NULL, "damaged bytes are refused");
    tap_ok(with_place("fmi3FreeFMUState", c, &s) == fmi3OK && s == NULL, "it is freed");
    free(saved);
    end(c);
    end(twin);
}

// ---------------------------------------------------------------------------------------------------------- early
// return

static void test_early(void)
{
    fmi3Instance c = begun(true), late = begun(false);
    bool early = false;
    double reached = 0;
    int steps = 0;

    begin_own();
    for (work.report.contacts = 0; work.report.contacts == 0 || !(work.contact[0].impulse.x > 0); steps++) {
        tac_step(&model, &state, &input, &work);
    }
    tap_ok(step(c, 0, 1000 * H, &early, &reached) <= fmi3Warning && early, "it returns early at the first touch");
    tap_near(reached, steps * H, 1e-9, "that is the step in which a contact first bears a force");
    tap_ok(same_outputs(c), "with the outputs of that step");
    if (model.joints > 0) { // the leg's one foot stays on the ground
        for (int k = 0; k < 20; k++) tac_step(&model, &state, &input, &work);
        tap_ok(step(c, reached, 20 * H, &early, &reached) <= fmi3Warning && !early && same_outputs(c),
               "while it touches it goes on");
    }
    plain("fmi3Reset", c);
    enter(c, 0, 0);
    plain("fmi3ExitInitializationMode", c);
    tap_ok(step(c, 0, steps * H, &early, &reached) <= fmi3Warning && !early, "not where it was to end there");
    tap_ok(step(late, 0, 1000 * H, &early, &reached) <= fmi3Warning && !early, "where this is not allowed it goes on");
    tap_equal(long_at(late, "step"), 1000, "to the end");
    end(c);
    end(late);
}

// ------------------------------------------------------------------------------------------------------------ bad
// input

static void test_refused(void)
{
    static const char *const none[] = {"Int8",  "UInt8", "Int16",   "UInt16", "UInt32",
                                       "Int64", "Int32", "Boolean", "String"};
    fmi3Instance c = instantiate("another", false, false);
    fmi_get *call;
    tac_real number[4] = {0};
    const tac_real before = (tac_real)0.25;

    tap_ok(c == NULL && strstr(logged, "token") != NULL, "another token is refused");
    tap_ok(instantiate(FMU_TOKEN, true, false) == NULL, "so is event mode, which it has not");
    c = instantiate(FMU_TOKEN, false, false);
    tap_equal(advance(c, 0, 1), fmi3Error, "no step before the initialisation");
    tap_equal(set_real(c, 17, (tac_real)NAN), fmi3Discard, "NaN as a parameter");
    tap_equal(set_real(c, at("material/0/friction"), (tac_real)-1), fmi3Discard, "a friction that the kernel refuses");
    tap_ok(strstr(logged, "friction") != NULL, "by its name");
    tap_equal(set_real(c, 17, (tac_real)2.5), fmi3OK, "gravity may be set");
    tap_equal(real_at(c, 17) * 2, 5, "and is");
    tap_ok(enter(c, 0, 3 * H) == fmi3OK && plain("fmi3ExitInitializationMode", c) == fmi3OK, "initialisation");
    tap_equal(set_real(c, 17, 0), fmi3Error, "no parameter afterwards");
    tap_equal(set_real(c, body_at(1, 0), 0), fmi3Error, "no output");
    tap_equal(set_real(c, body_at(1, 19), before), fmi3OK, "an input");
    tap_equal(set_real(c, body_at(1, 19), (tac_real)NAN), fmi3Discard, "NaN as an input");
    tap_equal(set_real(c, body_at(1, 19), (tac_real)INFINITY), fmi3Discard, "infinity as an input");
    tap_ok(same(real_at(c, body_at(1, 19)), before), "which stays what it was");
    for (uint32_t k = 6; k < 8 && driven() < model.joints; k++) {
        tap_equal(set_real(c, joint_at(driven(), k), (tac_real)-1), fmi3Discard, "a negative gain");
    }
    for (size_t i = 0; i < 4; i++) {
        const fmi3ValueReference no[] = {12, 1023, body_at(model.bodies, 0), UINT32_MAX};
        tap_equal(get_real(c, no[i], number), fmi3Error, "a reference of nothing");
    }
    tap_equal(get_real(c, at("hash"), number), fmi3Error, "a reference of another type");
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const fmi3ValueReference vr = body_at(1, 0);
        char name[TEXT];
        snprintf(name, sizeof name, "fmi3Get%s", none[i]);
        find(name, &call);
        tap_equal(call(c, &vr, 1, number, 1), fmi3Error, name);
    }
    tap_equal(advance(c, H, 1), fmi3Error, "a step from another time");
    tap_equal(advance(c, 0, 0), fmi3Error, "no step");
    tap_equal(advance(c, 0, 4), fmi3Error, "a step beyond the stop time");
    bool early;
    double reached = 1;
    tap_equal(step(c, 0, 1.5 * H, &early, &reached), fmi3Discard, "a step and a half");
    tap_ok(long_at(c, "step") == 0 && reached == 0, "was not taken");
    tap_ok(advance(c, 0, 3) <= fmi3Warning, "three were");
    end(c);
}

// ----------------------------------------------------------------------------------------------------------
// derivatives

static fmi3Status derive(fmi3Instance c, fmi3ValueReference known, fmi3ValueReference unknown, double *value)
{
    fmi3Status (*call)(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t,
                       const fmi3Float64[], size_t, fmi3Float64[], size_t);
    const double seed = 2;
    find("fmi3GetDirectionalDerivative", &call);
    const fmi3Status status = call(c, &unknown, 1, &known, 1, &seed, 1, value, 1);
    *value /= seed;
    return status;
}

// Outputs of body b after one step from the state s, with `known` at a value.
static void seen_after(fmi3Instance c, fmi3FMUState s, double time, fmi3ValueReference known, tac_real value,
                       uint32_t b, double *seen)
{
    with_state("fmi3SetFMUState", c, s);
    set_real(c, known, value);
    advance(c, time, 1);
    for (uint32_t k = 0; k < 13; k++) seen[k] = (double)real_at(c, body_at(b, k));
}

// By differences of steps, at a state that several steps lead to, of the last body.
static void test_derivative(fmi3Instance c, double time, fmi3ValueReference known, tac_real least, tac_real by,
                            double bound, const char *name)
{
    const uint32_t b = model.bodies - 1;
    double low[13], high[13], most = 0, off = 0, value = 0;
    fmi3FMUState s = NULL;

    set_real(c, known, least);
    with_place("fmi3GetFMUState", c, &s);
    seen_after(c, s, time, known, least - by, b, low);
    seen_after(c, s, time, known, least + by, b, high);
    with_state("fmi3SetFMUState", c, s);
    int good = 1;
    for (uint32_t k = 0; k < 13; k++) {
        const double difference = (high[k] - low[k]) / (2 * (double)by);
        good &= derive(c, known, body_at(b, k), &value) == fmi3OK;
        most = fmax(most, fabs(difference));
        off = fmax(off, fabs(value - difference));
    }
    tap_ok(good && most > 0, tap_joined(name, ": there are derivatives"));
    tap_most(off, bound * most, tap_joined(name, ": as differences of steps"));
    with_place("fmi3FreeFMUState", c, &s);
}

static void test_derivatives(void)
{
    fmi3Instance c = begun(false);
    const uint32_t j = driven();
    double value;

    begin_own();
    for (int i = 0; i < 5; i++) {
        drive(c, i);
        advance(c, i * PARTS * H, PARTS);
    }
    const double time = 5 * PARTS * H;
    const tac_real some = (tac_real)0.2, by = TOL((tac_real)1e-3, (tac_real)1);
    const double bound = TOL(1e-4, 2e-2); // tactus.h has 2e-5 of a block's largest entry, for trees
    test_derivative(c, time, body_at(model.bodies - 1, 19), some, by, bound, "by a force");
    test_derivative(c, time, body_at(model.bodies - 1, 23), some, by / 50, bound, "by a torque");
    for (uint32_t k = 0; k < 3 && j < model.joints; k++) {
        test_derivative(c, time, joint_at(j, 3 + k), some, by / 50, bound, "by what a motor is told");
    }
    if (j < model.joints) {
        const double beyond = 2 * (double)model.joint[j].effort;
        set_real(c, joint_at(j, 3), (tac_real)beyond);
        tap_ok(derive(c, joint_at(j, 3), joint_at(j, 1), &value) == fmi3OK && value == 0,
               "a motor at its bound: nothing follows");
    }
    tap_equal(derive(c, 17, body_at(1, 0), &value), fmi3Error, "none by a parameter here");
    tap_equal(derive(c, body_at(1, 19), at("report/sweeps"), &value), fmi3Error, "none of a report");
    end(c);
}

// By position and rate of a joint, which differences begin with.
static void test_start(uint32_t part, tac_real by)
{
    double seen[2], value = 0;
    const uint32_t j = driven(), b = model.bodies - 1;

    for (int side = 0; side < 2; side++) {
        fmi3Instance c = instantiate(FMU_TOKEN, false, false);
        tac_real start = real_at(c, joint_at(j, part));
        tap_ok(set_real(c, joint_at(j, part), start + (side == 0 ? -by : by)) == fmi3OK, "a joint begins elsewhere");
        enter(c, 0, 0);
        plain("fmi3ExitInitializationMode", c);
        advance(c, 0, 1);
        seen[side] = (double)real_at(c, body_at(b, 0));
        end(c);
    }
    fmi3Instance c = begun(false);
    const double difference = (seen[1] - seen[0]) / (2 * (double)by);
    tap_ok(derive(c, joint_at(j, part), body_at(b, 0), &value) == fmi3OK && difference != 0, "by where a joint is");
    tap_near(value, difference, TOL(1e-5, 2e-2) * fabs(difference), "as differences of starts");
    end(c);
}

// Numbers of the description are those of the binary.
static void test_description(void)
{
    fmi3Instance c = begun(false);
    int starts = 0, good = 1;

    for (const char *line = description; (line = strstr(line, "<Float")) != NULL; line++) {
        const char *stop = strstr(line, "/>"), *vr = strstr(line, "valueReference=\""),
                   *start = strstr(line, " start=\"");
        double value = (double)NAN;
        tac_real real = (tac_real)NAN;
        fmi3Status (*call)(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[], size_t);
        const fmi3ValueReference number = (fmi3ValueReference)strtoul(vr + 16, NULL, 10);
        find("fmi3GetFloat64", &call);
        const int wide = strncmp(line, "<Float64", 8) == 0;
        good &= (wide ? call(c, &number, 1, &value, 1) : get_real(c, number, &real)) == fmi3OK;
        if (!wide) value = (double)real;
        if (start == NULL || start > stop) continue;
        starts++;
        good &= fabs(value - strtod(start + 8, NULL)) <= TOL(1e-12, 1e-6) * (1 + fabs(value));
    }
    tap_ok(good, "every variable of the description is there, and starts as it says");
    tap_least(starts, 8, "so many have a start");
    const char *const name[] = {"fmi3GetBinary",
                                "fmi3SetClock",
                                "fmi3EnterEventMode",
                                "fmi3SetTime",
                                "fmi3GetAdjointDerivative",
                                "fmi3ActivateModelPartition",
                                "fmi3GetOutputDerivatives",
                                "fmi3InstantiateModelExchange"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) tap_ok(dlsym(library, name[i]) != NULL, name[i]);
    tap_equal(plain("fmi3EnterEventMode", c), fmi3Error, "what it does not provide is an error");
    end(c);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 10000000);
    if (file == NULL || text == NULL || fread(text, 1, 9999999, file) == 0) return NULL;
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    library = argc > 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    description = argc > 3 ? read_text(argv[2]) : NULL;
    if (library == NULL || description == NULL) {
        fprintf(stderr, "master: %s\n", argc > 3 ? dlerror() : "usage: master FMU.so modelDescription.xml FILE");
        return 2;
    }
    if (argc > 4) return loaded(argv[4]);
    begin_own();
    test_description();
    test_run();
    test_states(argv);
    test_early();
    test_refused();
    test_derivatives();
    if (driven() < model.joints) {
        test_start(0, TOL((tac_real)1e-6, (tac_real)1e-3));
        test_start(1, TOL((tac_real)1e-3, (tac_real)0.1));
    }
    free(description);
    dlclose(library);
    return tap_done();
}
