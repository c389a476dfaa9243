// SPDX-License-Identifier: MIT
// fmu.c - one model as an FMU for co-simulation (FMI 3.0): the functions of the standard on tac_step().
//   given   fmu_model.h and modelDescription.xml, both written by model2fmu: the model, its token and its step
//   makes   steps of the model's own h; values by reference; states that are copied, saved and loaded; derivatives
//   bound   an instance is allocated as a whole, and so is a saved state; steps allocate nothing
//   never   takes a part of a communication step: what is refused leaves the instance as it was
#include "fmu_model.h"

#if defined __has_include
#if __has_include("fmi3Functions.h")
#define FMU_STANDARD
#endif
#endif
#ifdef FMU_STANDARD
#include "fmi3Functions.h"
#else
#include "fmi3.h"
#endif

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------ values by reference

// References: single ones, then three of gravity, two of each material, and a block for each joint and each body.
// model2fmu counts the same way.
enum { AT_TIME, AT_STEP, AT_HASH, AT_STATUS, AT_CONTACTS, AT_SWEEPS, AT_UNSOLVED, AT_SOLVED, AT_VERDICT, AT_RESIDUAL };
enum { AT_KINETIC = AT_RESIDUAL + 1, AT_POTENTIAL, AT_H = 16, AT_PARAMETER, AT_JOINT = 1024, AT_BODY = 65536 };
enum { JOINT_STRIDE = 16, BODY_STRIDE = 32, MATERIAL_PARTS = 2, GRAVITY_PARTS = 3 };

// Numbers of a joint: what is seen of it, then what its motor is told.
enum { JOINT_POSITION, JOINT_VELOCITY, JOINT_EFFORT, JOINT_SEEN };
enum { TOLD_EFFORT, TOLD_POSITION, TOLD_VELOCITY, TOLD_STIFFNESS, TOLD_DAMPING, JOINT_TOLD };

// Numbers of a body: position, quaternion, velocity, angular velocity, force and torque of its contacts; then the
// force and the torque that it is given.
enum { BODY_Q = 3, BODY_V = 7, BODY_W = 10, BODY_MOTION = 13, BODY_TORQUE = 16, BODY_SEEN = 19, BODY_TOLD = 6 };

enum { PARAMETERS = GRAVITY_PARTS + MATERIAL_PARTS * TAC_MAX_MATERIALS, CATEGORIES = 3, TEXT_BYTES = 300 };
enum { REAL, FLOAT64, INT32, UINT64, BOOLEAN, STRING, NONE }; // REAL: Float64 or Float32, as the kernel computes
enum { OUTPUT, START, PARAMETER, INPUT };                     // START: an output that may be set before the first step
enum { INSTANTIATED, INITIALISATION, STEPPING, TERMINATED };

/// All that a saved state has.
typedef struct fmu_data {
    double start, stop, h; ///< s
    uint64_t unsolved;     ///< steps so far that were not solved to their tolerance, or lost contacts
    uint32_t phase;        ///< INSTANTIATED ...
    uint32_t placed;       ///< 1: joints start where they were set
    tac_real parameter[PARAMETERS];
    tac_joint_state place[TAC_MAX_JOINTS];
    tac_real told_joint[TAC_MAX_JOINTS][JOINT_TOLD], told_body[TAC_MAX_BODIES + 1][BODY_TOLD];
    tac_real joint[TAC_MAX_JOINTS][JOINT_SEEN], body[TAC_MAX_BODIES + 1][BODY_SEEN];
    tac_report report;
    tac_state state;
    tac_events events;
} fmu_data;

typedef struct fmu {
    fmu_data now, before; ///< before: what a call that is refused goes back to
    tac_model model;      ///< with the parameters of `now`
    tac_input input;
    tac_work work;
    tac_event event[2 * TAC_MAX_CONTACTS];
    tac_lcp *lcp;                ///< for derivatives, from the first one on
    struct direction *direction; ///< likewise
    fmi3LogMessageCallback log;
    fmi3InstanceEnvironment environment;
    int logged[CATEGORIES], early;
    char verdict[TEXT_BYTES], text[TEXT_BYTES];
} fmu;

/// What a reference means.
typedef struct variable {
    int type, role;
    tac_real *real; ///< of type REAL, else NULL
    uint32_t joint; ///< TAC_NONE: of no joint
    uint32_t body;  ///< TAC_NONE: of no body
    uint32_t part;  ///< of what is seen or told
} variable;

static int has_coordinate(const tac_joint *joint)
{
    return joint->kind == TAC_REVOLUTE || joint->kind == TAC_PRISMATIC;
}

static int find_joint(fmu *c, uint32_t at, variable *v)
{
    const uint32_t joint = at / JOINT_STRIDE, part = at % JOINT_STRIDE;
    const int told = part >= JOINT_SEEN;

    if (joint >= c->model.joints || part >= JOINT_SEEN + JOINT_TOLD || !has_coordinate(&c->model.joint[joint]))
        return 0;
    v->joint = joint;
    v->part = told ? part - JOINT_SEEN : part;
    v->role = told ? INPUT : part == JOINT_EFFORT ? OUTPUT : START;
    v->real = told ? &c->now.told_joint[joint][v->part] : &c->now.joint[joint][part];
    return 1;
}

static int find_body(fmu *c, uint32_t at, variable *v)
{
    const uint32_t body = at / BODY_STRIDE, part = at % BODY_STRIDE;
    const int told = part >= BODY_SEEN;

    if (body == 0 || body >= c->model.bodies || part >= BODY_SEEN + BODY_TOLD) return 0;
    if (told && c->model.body[body].kind != TAC_DYNAMIC) return 0;
    v->body = body;
    v->part = told ? part - BODY_SEEN : part;
    v->role = told ? INPUT : OUTPUT;
    v->real = told ? &c->now.told_body[body][v->part] : &c->now.body[body][part];
    return 1;
}

// Returns 0 if there is no such variable.
static int find(fmu *c, fmi3ValueReference at, variable *v)
{
    static const int single[] = {FLOAT64, UINT64,  UINT64, INT32, INT32, INT32,
                                 UINT64,  BOOLEAN, STRING, REAL,  REAL,  REAL};
    tac_real *const energy[] = {&c->now.report.residual, &c->now.report.kinetic, &c->now.report.potential};
    const uint32_t parameters = GRAVITY_PARTS + (uint32_t)MATERIAL_PARTS * c->model.materials;

    *v = (variable){REAL, OUTPUT, NULL, TAC_NONE, TAC_NONE, 0};
    if (at <= AT_POTENTIAL) {
        v->type = single[at];
        if (at >= AT_RESIDUAL) v->real = energy[at - AT_RESIDUAL];
        return 1;
    }
    if (at == AT_H) {
        v->type = FLOAT64;
        v->role = PARAMETER;
        return 1;
    }
    if (at >= AT_PARAMETER && at - AT_PARAMETER < parameters) {
        v->role = PARAMETER;
        v->real = &c->now.parameter[at - AT_PARAMETER];
        return 1;
    }
    if (at >= AT_BODY) return find_body(c, at - AT_BODY, v);
    return at >= AT_JOINT && find_joint(c, at - AT_JOINT, v);
}

// ------------------------------------------------------------------------------------------------------------ messages

static const char *const category[CATEGORIES] = {"logStatusWarning", "logStatusDiscard", "logStatusError"};

static fmi3Status say(fmu *c, fmi3Status status, const char *format, ...)
{
    const int k = status == fmi3Warning ? 0 : status == fmi3Discard ? 1 : 2;
    va_list words;

    va_start(words, format);
    vsnprintf(c->text, sizeof c->text, format, words);
    va_end(words);
    if (c->log != NULL && c->logged[k]) c->log(c->environment, status, category[k], c->text);
    return status;
}

static fmi3Status say_fault(fmu *c, fmi3Status status, const tac_fault *fault)
{
    char text[TEXT_BYTES - 20];

    tac_fault_text(fault, &c->model, &c->now.state, &c->input, text, sizeof text);
    return say(c, status, "refused: %s", text);
}

static fmi3Status not_now(fmu *c, const char *name)
{
    return say(c, fmi3Error, "%s: not in this state", name);
}

// --------------------------------------------------------------------------------------------------- model and outputs

// The model with the parameters of `now`. Returns 0 if it is refused.
static int set_model(fmu *c, tac_fault *fault)
{
    const tac_real *p = c->now.parameter;

    c->model = FMU_MODEL;
    c->model.h = (tac_real)c->now.h;
    c->model.gravity = (tac_vec3){p[0], p[1], p[2]};
    for (uint32_t i = 0; i < c->model.materials; i++) {
        c->model.material[i].friction = p[GRAVITY_PARTS + MATERIAL_PARTS * i];
        c->model.material[i].restitution = p[GRAVITY_PARTS + MATERIAL_PARTS * i + 1];
    }
    return tac_model_seal(&c->model, fault) == TAC_OK;
}

// What follows from a state alone: coordinates of joints, poses and twists of bodies.
static void look(const tac_model *model, const tac_state *state, tac_real joint[][JOINT_SEEN],
                 tac_real body[][BODY_SEEN])
{
    for (uint32_t j = 0; j < model->joints; j++) {
        tac_joint_state at;
        tac_state_get_joint(model, state, j, &at);
        joint[j][JOINT_POSITION] = at.position;
        joint[j][JOINT_VELOCITY] = at.velocity;
    }
    for (uint16_t b = 1; b < model->bodies; b++) {
        const tac_pose x = tac_state_get_pose(model, state, b);
        const tac_vec3 v = state->twist[b].v, w = state->twist[b].w;
        const tac_real seen[BODY_MOTION] = {x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z,
                                            v.x,   v.y,   v.z,   w.x,   w.y,   w.z};
        memcpy(body[b], seen, sizeof seen);
    }
}

// What follows from the step, which is in the work area.
static void look_at_step(fmu *c)
{
    fmu_data *now = &c->now;

    now->report = c->work.report;
    for (uint32_t j = 0; j < c->model.joints; j++)
        now->joint[j][JOINT_EFFORT] = c->work.joint[j].effort[TAC_EFFORT_MOTOR];
    for (uint16_t b = 1; b < c->model.bodies; b++) {
        tac_wrench sum;
        if (tac_body_force(&c->model, &c->work, b, now->state.pose[b].p, &sum) != TAC_OK) continue;
        const tac_real seen[] = {sum.force.x, sum.force.y, sum.force.z, sum.torque.x, sum.torque.y, sum.torque.z};
        memcpy(now->body[b] + BODY_MOTION, seen, sizeof seen);
    }
}

// The state that the model begins with, at the places of joints that were set.
static fmi3Status begin(fmu *c)
{
    tac_fault fault;
    fmu_data *now = &c->now;

    if (!set_model(c, &fault) || tac_state_init(&c->model, &now->state, &fault) != TAC_OK) {
        return say_fault(c, fmi3Discard, &fault);
    }
    if (now->placed && tac_state_set_joints(&c->model, &now->state, now->place) != TAC_OK) {
        return say(c, fmi3Discard, "refused: a joint cannot begin there");
    }
    now->report = (tac_report){0};
    tac_energy(&c->model, &now->state, &now->report.kinetic, &now->report.potential);
    look(&c->model, &now->state, now->joint, now->body);
    for (uint32_t j = 0; !now->placed && j < c->model.joints; j++) {
        now->place[j] = (tac_joint_state){now->joint[j][JOINT_POSITION], now->joint[j][JOINT_VELOCITY]};
    }
    return tac_events_begin(&c->model, &now->state, NULL, 0, &now->events) == TAC_OK ? fmi3OK : fmi3Error;
}

static fmi3Status renew(fmu *c)
{
    const tac_model *model = &FMU_MODEL;

    memset(&c->now, 0, sizeof c->now);
    c->now.h = FMU_H;
    c->now.stop = HUGE_VAL;
    c->now.parameter[0] = model->gravity.x;
    c->now.parameter[1] = model->gravity.y;
    c->now.parameter[2] = model->gravity.z;
    for (uint32_t i = 0; i < model->materials; i++) {
        c->now.parameter[GRAVITY_PARTS + MATERIAL_PARTS * i] = model->material[i].friction;
        c->now.parameter[GRAVITY_PARTS + MATERIAL_PARTS * i + 1] = model->material[i].restitution;
    }
    return begin(c);
}

// --------------------------------------------------------------------------------------------------------- an instance

const char *fmi3GetVersion(void)
{
    return fmi3Version;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
                                         const fmi3ValueReference needed[], size_t needed_count,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    (void)name, (void)resources, (void)visible, (void)needed, (void)update;
    const int known = token != NULL && strcmp(token, FMU_TOKEN) == 0;
    fmu *c = known && !events && needed_count == 0 ? calloc(1, sizeof *c) : NULL;

    if (c == NULL) {
        if (log != NULL) {
            log(environment, fmi3Error, category[2],
                known ? "no memory, or event mode or intermediate values are asked for"
                      : "another instantiation token");
        }
        return NULL;
    }
    c->log = log;
    c->environment = environment;
    c->early = early;
    for (int i = 0; i < CATEGORIES; i++) c->logged[i] = logging;
    if (renew(c) == fmi3OK) return c;
    free(c);
    return NULL;
}

void fmi3FreeInstance(fmi3Instance instance)
{
    fmu *c = instance;

    if (c == NULL) return;
    free(c->lcp);
    free(c->direction);
    free(c);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t count, const fmi3String names[])
{
    fmu *c = instance;

    for (size_t i = 0; i < count; i++) {
        int k = 0;
        while (k < CATEGORIES && strcmp(names[i], category[k]) != 0) k++;
        if (k == CATEGORIES) return say(c, fmi3Error, "%s: no such category", names[i]);
        c->logged[k] = on;
    }
    for (int k = 0; count == 0 && k < CATEGORIES; k++) c->logged[k] = on;
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop)
{
    fmu *c = instance;

    (void)tolerance_defined, (void)tolerance;
    if (c->now.phase != INSTANTIATED) return not_now(c, "fmi3EnterInitializationMode");
    if (!isfinite(start) || (stop_defined && !(stop >= start))) return say(c, fmi3Error, "start and stop time");
    c->now.start = start;
    c->now.stop = stop_defined ? stop : HUGE_VAL;
    c->now.phase = INITIALISATION;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    fmu *c = instance;

    if (c->now.phase != INITIALISATION) return not_now(c, "fmi3ExitInitializationMode");
    c->now.phase = STEPPING;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
    fmu *c = instance;

    if (c->now.phase != STEPPING) return not_now(c, "fmi3Terminate");
    c->now.phase = TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
    return renew(instance);
}

// -------------------------------------------------------------------------------------------------------- get and set

// The variable of a reference, if it has that type; REAL is the one of this precision.
static int is_of(fmu *c, fmi3ValueReference at, int type, variable *v)
{
    if (find(c, at, v) && (v->type == REAL ? (TAC_REAL_BITS == 64 ? FLOAT64 : REAL) : v->type) == type) return 1;
    say(c, fmi3Error, "value reference %lu: no variable of this type", (unsigned long)at);
    return 0;
}

static double time_of(const fmu_data *now)
{
    return now->start + (double)now->state.step * now->h;
}

static double get_real(const fmu *c, fmi3ValueReference at, const variable *v)
{
    return v->real != NULL ? (double)*v->real : at == AT_H ? c->now.h : time_of(&c->now);
}

static int may_set(const fmu *c, const variable *v)
{
    const int early = c->now.phase == INSTANTIATED || c->now.phase == INITIALISATION;
    return v->role == INPUT ? c->now.phase != TERMINATED : v->role != OUTPUT && early;
}

static void set_real(fmu *c, fmi3ValueReference at, const variable *v, double value)
{
    if (at == AT_H) {
        c->now.h = value;
    } else if (v->role != START) {
        *v->real = (tac_real)value;
    } else {
        c->now.placed = 1;
        *(v->part == JOINT_POSITION ? &c->now.place[v->joint].position : &c->now.place[v->joint].velocity) =
            (tac_real)value;
    }
}

// One of several that are set; anew: 1 if the model begins anew.
static fmi3Status set_one(fmu *c, fmi3ValueReference at, int type, double value, int *anew)
{
    variable v;

    if (!is_of(c, at, type, &v)) return fmi3Error;
    if (!may_set(c, &v)) return say(c, fmi3Error, "value reference %lu: cannot be set now", (unsigned long)at);
    const int gain = v.role == INPUT && v.joint != TAC_NONE && (v.part == TOLD_STIFFNESS || v.part == TOLD_DAMPING);
    if (!isfinite(value) || (gain && value < 0) || (at == AT_H && !(value > 0))) {
        return say(c, fmi3Discard, "value reference %lu: %g is out of range", (unsigned long)at, value);
    }
    set_real(c, at, &v, value);
    *anew |= v.role != INPUT;
    return fmi3OK;
}

// All values or none.
static fmi3Status end_set(fmu *c, fmi3Status status, int anew)
{
    tac_fault fault;

    if (status == fmi3OK && anew) status = begin(c);
    if (status == fmi3OK) return status;
    c->now = c->before;
    set_model(c, &fault);
    return status;
}

// `value`: that of variable v by the reference at[i].
#define GET(Type, type, value)                                                                                         \
    fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference at[], size_t count, fmi3##Type values[],  \
                             size_t room)                                                                              \
    {                                                                                                                  \
        fmu *c = instance;                                                                                             \
        variable v;                                                                                                    \
        if (room != count) return say(c, fmi3Error, "as many values as references");                                   \
        for (size_t i = 0; i < count; i++) {                                                                           \
            if (!is_of(c, at[i], type, &v)) return fmi3Error;                                                          \
            values[i] = value;                                                                                         \
        }                                                                                                              \
        return fmi3OK;                                                                                                 \
    }
#define SET_REAL(Type, type)                                                                                           \
    fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference at[], size_t count,                       \
                             const fmi3##Type values[], size_t room)                                                   \
    {                                                                                                                  \
        fmu *c = instance;                                                                                             \
        fmi3Status status = fmi3OK;                                                                                    \
        int anew = 0;                                                                                                  \
        if (room != count) return say(c, fmi3Error, "as many values as references");                                   \
        c->before = c->now;                                                                                            \
        for (size_t i = 0; i < count && status == fmi3OK; i++) {                                                       \
            status = set_one(c, at[i], type, (double)values[i], &anew);                                                \
        }                                                                                                              \
        return end_set(c, status, anew);                                                                               \
    }
GET(Float64, FLOAT64, get_real(c, at[i], &v))
SET_REAL(Float64, FLOAT64)
GET(Float32, REAL, (fmi3Float32)get_real(c, at[i], &v))
SET_REAL(Float32, REAL)

static int32_t get_int(const fmu *c, fmi3ValueReference at)
{
    return at == AT_STATUS ? c->now.report.status : at == AT_CONTACTS ? c->now.report.contacts : c->now.report.sweeps;
}

static uint64_t get_long(const fmu *c, fmi3ValueReference at)
{
    return at == AT_STEP       ? c->now.state.step
           : at == AT_UNSOLVED ? c->now.unsolved
                               : tac_state_hash(&c->model, &c->now.state);
}

static int unsolved(tac_status status)
{
    return (status & (TAC_UNCONVERGED | TAC_RELAXED | TAC_FULL)) != 0;
}

static int get_solved(const fmu *c)
{
    return !unsolved(c->now.report.status);
}

static const char *get_text(fmu *c)
{
    snprintf(c->verdict, sizeof c->verdict, "%s", tac_status_name(c->now.report.status));
    return c->verdict;
}

// Of these types all variables are outputs, or there are none.
#define SET_NONE(Type)                                                                                                 \
    fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference at[], size_t count,                       \
                             const fmi3##Type values[], size_t room)                                                   \
    {                                                                                                                  \
        (void)at, (void)values;                                                                                        \
        return count == 0 && room == 0 ? fmi3OK : say(instance, fmi3Error, "no variable of this type can be set");     \
    }
GET(Int32, INT32, get_int(c, at[i]))
GET(UInt64, UINT64, get_long(c, at[i]))
GET(Boolean, BOOLEAN, get_solved(c))
GET(String, STRING, get_text(c))
GET(Int8, NONE, 0)
GET(UInt8, NONE, 0)
GET(Int16, NONE, 0)
GET(UInt16, NONE, 0)
GET(UInt32, NONE, 0)
GET(Int64, NONE, 0)
SET_NONE(Int32)
SET_NONE(UInt64)
SET_NONE(Boolean)
SET_NONE(String)
SET_NONE(Int8)
SET_NONE(UInt8)
SET_NONE(Int16)
SET_NONE(UInt16)
SET_NONE(UInt32)
SET_NONE(Int64)

// --------------------------------------------------------------------------------------------------------------- steps

static int any(const tac_real *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (x[i] != 0) return 1;
    }
    return 0;
}

// Motors and bodies that are told nothing but zeros are left out.
static void fill_input(fmu *c)
{
    c->input.motors = 0;
    c->input.actions = 0;
    for (uint16_t j = 0; j < c->model.joints; j++) {
        const tac_real *x = c->now.told_joint[j];
        const int follows = any(x + TOLD_STIFFNESS, 2);
        if (!any(x, JOINT_TOLD)) continue;
        c->input.motor[c->input.motors++] = (tac_motor){x[TOLD_POSITION],
                                                        x[TOLD_VELOCITY],
                                                        x[TOLD_EFFORT],
                                                        x[TOLD_STIFFNESS],
                                                        x[TOLD_DAMPING],
                                                        j,
                                                        follows ? TAC_MOTOR_PD : TAC_MOTOR_EFFORT};
    }
    for (uint16_t b = 1; b < c->model.bodies; b++) {
        const tac_real *x = c->now.told_body[b];
        if (!any(x, BODY_TOLD)) continue;
        c->input.action[c->input.actions++] =
            (tac_action){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {0, 0, 0}, b, TAC_WRENCH_WORLD};
    }
}

// One step. Returns 1 if a pair of shapes has begun to touch, 0 if not, -1 if it is refused.
static int step_once(fmu *c)
{
    fmu_data *now = &c->now;
    const tac_status status = tac_step(&c->model, &now->state, &c->input, &c->work);
    int touched = 0;

    if (status < 0) return -1;
    now->unsolved += (uint64_t)unsolved(status);
    now->events.list = c->event;
    now->events.room = sizeof c->event / sizeof c->event[0];
    now->events.count = 0;
    tac_events_step(&c->model, &now->state, &c->work, &now->events);
    for (uint32_t i = 0; i < now->events.count; i++) touched |= c->event[i].kind == TAC_EVENT_TOUCH;
    now->events.list = NULL;
    now->events.room = 0;
    return touched;
}

// How many steps lead to `until`: a whole number, to a thousandth of a step, since times are sums. Returns 0 if none.
static uint64_t steps_until(const fmu_data *now, double until)
{
    const double all = (until - now->start) / now->h, left = floor(all + 0.5) - (double)now->state.step;
    return fabs(all - floor(all + 0.5)) < 1e-3 && left >= 1 && left < 1e9 ? (uint64_t)left : 0;
}

static fmi3Status may_step(fmu *c, double from, double size)
{
    if (c->now.phase != STEPPING) return not_now(c, "fmi3DoStep");
    if (!(fabs(from - time_of(&c->now)) < 1e-3 * c->now.h)) {
        return say(c, fmi3Error, "fmi3DoStep from %.9g s, but it is %.9g s", from, time_of(&c->now));
    }
    if (!(size > 0) || from + size > c->now.stop + 1e-3 * c->now.h) {
        return say(c, fmi3Error, "fmi3DoStep by %.9g s: not positive, or beyond the stop time", size);
    }
    if (steps_until(&c->now, from + size) > 0) return fmi3OK;
    return say(c, fmi3Discard, "fmi3DoStep by %.9g s: no multiple of the step of %.9g s", size, c->now.h);
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 from, fmi3Float64 size, fmi3Boolean no_return,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached)
{
    fmu *c = instance;
    const fmi3Status may = may_step(c, from, size);
    int touched = 0;

    (void)no_return;
    *event_needed = *terminate = *early = fmi3False;
    *reached = time_of(&c->now);
    if (may != fmi3OK) return may;
    c->before = c->now;
    fill_input(c);
    for (uint64_t left = steps_until(&c->now, from + size); left > 0 && !*early; left--) {
        touched = step_once(c);
        if (touched < 0) {
            say_fault(c, fmi3Discard, &c->work.report.fault);
            c->now = c->before;
            return fmi3Discard;
        }
        *early = touched > 0 && c->early && left > 1;
    }
    look(&c->model, &c->now.state, c->now.joint, c->now.body);
    look_at_step(c);
    *reached = time_of(&c->now);
    if (c->now.unsolved == c->before.unsolved) return fmi3OK;
    return say(c, fmi3Warning, "%lu steps were not solved: %s", (unsigned long)(c->now.unsolved - c->before.unsolved),
               tac_status_name(c->now.report.status));
}

// -------------------------------------------------------------------------------------------------------------- states

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    fmu *c = instance;

    if (*state == NULL) *state = malloc(sizeof(fmu_data));
    if (*state == NULL) return say(c, fmi3Error, "no memory");
    memcpy(*state, &c->now, sizeof c->now);
    return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
    fmu *c = instance;
    tac_fault fault = {0};

    if (state == NULL) return say(c, fmi3Error, "no state");
    c->before = c->now;
    memcpy(&c->now, state, sizeof c->now);
    if (set_model(c, &fault) && c->now.state.model_hash == c->model.hash) return fmi3OK;
    c->now = c->before;
    set_model(c, &fault);
    return say(c, fmi3Error, "a state of another model");
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    (void)instance;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

// Bytes of a saved state: what it is of, a sum over all that follows, and the state as it lies in memory. So they are
// for the same FMU on the same kind of machine, as the standard has it.
typedef struct fmu_head {
    char magic[8];
    uint32_t model, size;
    uint64_t sum;
} fmu_head;

static fmu_head head_of(const void *state)
{
    fmu_head head = {"TACTFMU", FMU_MODEL.hash, sizeof(fmu_data), 0xcbf29ce484222325u};

    for (size_t i = 0; i < sizeof(fmu_data); i++) head.sum = (head.sum ^ ((const uint8_t *)state)[i]) * 0x100000001b3u;
    return head;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t *size)
{
    if (state == NULL) return say(instance, fmi3Error, "no state");
    *size = sizeof(fmu_head) + sizeof(fmu_data);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    if (state == NULL || size < sizeof(fmu_head) + sizeof(fmu_data))
        return say(instance, fmi3Error, "no room, or no state");
    const fmu_head head = head_of(state);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, state, sizeof(fmu_data));
    return fmi3OK;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    if (size != sizeof(fmu_head) + sizeof(fmu_data)) return say(instance, fmi3Error, "bytes of another FMU");
    const fmu_head head = head_of(bytes + sizeof(fmu_head));
    if (memcmp(bytes, &head, sizeof head) != 0) return say(instance, fmi3Error, "bytes of another FMU, or damaged");
    if (*state == NULL) *state = malloc(sizeof(fmu_data));
    if (*state == NULL) return say(instance, fmi3Error, "no memory");
    memcpy(*state, bytes + sizeof head, sizeof(fmu_data));
    return fmi3OK;
}

// --------------------------------------------------------------------------------------------------------- derivatives

enum { MOST_N = TAC_MAX_VELOCITIES, MOST_X = 2 * MOST_N };

/// A direction, and the step about which it is.
typedef struct direction {
    tac_coordinates map;
    tac_real x[MOST_X], u[MOST_N], next_x[MOST_X];
    tac_real jacobian[6 * MOST_N];
    tac_real A[MOST_X * MOST_X], B[MOST_X * MOST_N];
    tac_real joint[2][TAC_MAX_JOINTS][JOINT_SEEN], body[2][TAC_MAX_BODIES + 1][BODY_SEEN];
    tac_state next, beside;
} direction;

// The motor's effort, and so what it is told, is at its bound: nothing follows.
static int is_bounded(const fmu *c, uint32_t joint)
{
    const tac_real most = c->model.joint[joint].effort, effort = c->work.joint[joint].effort[TAC_EFFORT_MOTOR];
    const tac_real rounding = TAC_REAL_BITS == 64 ? (tac_real)1e-14 : (tac_real)1e-6;
    return (effort < 0 ? -effort : effort) >= most * (1 - rounding);
}

static fmi3Status add_joint(fmu *c, direction *d, const variable *v, tac_real seed)
{
    const uint16_t at = d->map.joint[v->joint].velocity, n = d->map.velocities;
    const tac_real *told = c->now.told_joint[v->joint];

    if (at == TAC_NONE) return say(c, fmi3Error, "joint %lu closes a loop: no derivative", (unsigned long)v->joint);
    if (v->role == START) {
        d->x[v->part == JOINT_POSITION ? at : n + at] += seed;
        return fmi3OK;
    }
    if (v->part > TOLD_VELOCITY) return say(c, fmi3Error, "by gains of a motor there is no derivative");
    const tac_real slope = v->part == TOLD_EFFORT ? 1 : told[v->part == TOLD_POSITION ? TOLD_STIFFNESS : TOLD_DAMPING];
    if (!is_bounded(c, v->joint)) d->u[at] += seed * slope;
    return fmi3OK;
}

static fmi3Status add_body(fmu *c, direction *d, const variable *v, tac_real seed)
{
    const tac_vec3 centre = c->model.body[v->body].inertial.p;

    if (tac_jacobian(&c->model, &c->now.state, (uint16_t)v->body, centre, TAC_AXES_WORLD, &c->work, d->jacobian) !=
        TAC_OK) {
        return say(c, fmi3Error, "no Jacobian of body %lu", (unsigned long)v->body);
    }
    for (uint32_t k = 0; k < d->map.velocities; k++) d->u[k] += seed * d->jacobian[v->part * d->map.velocities + k];
    return fmi3OK;
}

static fmi3Status add_known(fmu *c, direction *d, fmi3ValueReference at, double seed)
{
    variable v;

    if (!find(c, at, &v) || (v.role != INPUT && v.role != START)) {
        return say(c, fmi3Error, "value reference %lu: by it there is no derivative", (unsigned long)at);
    }
    if (!isfinite(seed)) return say(c, fmi3Error, "a seed that is not finite");
    return v.joint != TAC_NONE ? add_joint(c, d, &v, (tac_real)seed) : add_body(c, d, &v, (tac_real)seed);
}

// A and B of the next step, and its end.
static fmi3Status differentiate(fmu *c, direction *d)
{
    tac_step_derivative y = {.A = d->A, .B = d->B, .room = {MOST_X, MOST_N, 0}, .wrenches = 1, .next = &d->next};

    d->next = c->now.state;
    fill_input(c);
    const tac_status status = tac_derivative(&c->model, &c->now.state, &c->input, &c->work, c->lcp, &y);
    if (status < 0) return say_fault(c, fmi3Discard, &c->work.report.fault);
    return tac_model_get_coordinates(&c->model, &c->work, &d->map) == TAC_OK ? fmi3OK : fmi3Error;
}

// How the outputs of the next state change along next_x: by a central difference of what is seen of two states. No step
// is taken for it.
static fmi3Status see_direction(fmu *c, direction *d, double *scale)
{
    const double small = TAC_REAL_BITS == 64 ? 1e-5 : 3e-3;
    const uint32_t n = 2u * d->map.velocities;
    double most = 0;

    for (uint32_t i = 0; i < n; i++) {
        d->next_x[i] = 0;
        for (uint32_t k = 0; k < n; k++) d->next_x[i] += d->A[i * n + k] * d->x[k];
        for (uint32_t k = 0; k < n / 2; k++) d->next_x[i] += d->B[i * (n / 2) + k] * d->u[k];
        most = fmax(most, fabs((double)d->next_x[i]));
    }
    *scale = most > 0 ? most / (2 * small) : 0;
    for (uint32_t i = 0; i < n && most > 0; i++) d->next_x[i] *= (tac_real)(small / most);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < n; i++) d->next_x[i] = -d->next_x[i];
        d->beside = d->next;
        if (tac_state_displace(&c->model, &d->beside, d->next_x, &c->work) != TAC_OK) {
            return say(c, fmi3Discard, "a state beside this one is out of range");
        }
        look(&c->model, &d->beside, d->joint[side], d->body[side]);
    }
    return fmi3OK;
}

static fmi3Status see_unknown(fmu *c, const direction *d, fmi3ValueReference at, double scale, double *value)
{
    variable v;

    if (find(c, at, &v) && v.role == START) {
        *value = scale * (double)(d->joint[1][v.joint][v.part] - d->joint[0][v.joint][v.part]);
    } else if (v.role == OUTPUT && v.body != TAC_NONE && v.part < BODY_MOTION) {
        *value = scale * (double)(d->body[1][v.body][v.part] - d->body[0][v.body][v.part]);
    } else {
        return say(c, fmi3Error, "value reference %lu: it has no derivative", (unsigned long)at);
    }
    return fmi3OK;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[], size_t known_count,
                                        const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count)
{
    fmu *c = instance;
    double scale = 0;

    if (seed_count != known_count || sensitivity_count != unknown_count) return say(c, fmi3Error, "counts that differ");
    if (c->lcp == NULL) c->lcp = calloc(1, sizeof *c->lcp);
    if (c->direction == NULL) c->direction = calloc(1, sizeof *c->direction);
    direction *d = c->direction;
    if (c->lcp == NULL || d == NULL) return say(c, fmi3Error, "no memory");
    memset(d->x, 0, sizeof d->x);
    memset(d->u, 0, sizeof d->u);
    fmi3Status status = differentiate(c, d);
    for (size_t i = 0; i < known_count && status == fmi3OK; i++) status = add_known(c, d, knowns[i], seed[i]);
    if (status == fmi3OK) status = see_direction(c, d, &scale);
    for (size_t i = 0; i < unknown_count && status == fmi3OK; i++) {
        status = see_unknown(c, d, unknowns[i], scale, &sensitivity[i]);
    }
    return status;
}

// ------------------------------------------------------------------------------- what co-simulation does not need

// The standard asks for every function, and for an error of those that an FMU has no use for.
#define ABSENT(name, ...)                                                                                              \
    fmi3Status name(fmi3Instance c, __VA_ARGS__)                                                                       \
    {                                                                                                                  \
        return say(c, fmi3Error, "%s: not provided", #name);                                                           \
    }
#define ABSENT_PLAIN(name)                                                                                             \
    fmi3Status name(fmi3Instance c)                                                                                    \
    {                                                                                                                  \
        return say(c, fmi3Error, "%s: not provided", #name);                                                           \
    }
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
ABSENT(fmi3GetBinary, const fmi3ValueReference a1[], size_t a2, size_t a3[], fmi3Binary a4[], size_t a5)
ABSENT(fmi3SetBinary, const fmi3ValueReference a1[], size_t a2, const size_t a3[], const fmi3Binary a4[], size_t a5)
ABSENT(fmi3GetClock, const fmi3ValueReference a1[], size_t a2, fmi3Clock a3[])
ABSENT(fmi3SetClock, const fmi3ValueReference a1[], size_t a2, const fmi3Clock a3[])
ABSENT_PLAIN(fmi3EnterEventMode)
ABSENT(fmi3GetNumberOfVariableDependencies, fmi3ValueReference a1, size_t *a2)
ABSENT(fmi3GetVariableDependencies, fmi3ValueReference a1, size_t a2[], fmi3ValueReference a3[], size_t a4[],
       fmi3DependencyKind a5[], size_t a6)
ABSENT(fmi3GetAdjointDerivative, const fmi3ValueReference a1[], size_t a2, const fmi3ValueReference a3[], size_t a4,
       const fmi3Float64 a5[], size_t a6, fmi3Float64 a7[], size_t a8)
ABSENT_PLAIN(fmi3EnterConfigurationMode)
ABSENT_PLAIN(fmi3ExitConfigurationMode)
ABSENT(fmi3GetIntervalDecimal, const fmi3ValueReference a1[], size_t a2, fmi3Float64 a3[], fmi3IntervalQualifier a4[])
ABSENT(fmi3GetIntervalFraction, const fmi3ValueReference a1[], size_t a2, fmi3UInt64 a3[], fmi3UInt64 a4[],
       fmi3IntervalQualifier a5[])
ABSENT(fmi3GetShiftDecimal, const fmi3ValueReference a1[], size_t a2, fmi3Float64 a3[])
ABSENT(fmi3GetShiftFraction, const fmi3ValueReference a1[], size_t a2, fmi3UInt64 a3[], fmi3UInt64 a4[])
ABSENT(fmi3SetIntervalDecimal, const fmi3ValueReference a1[], size_t a2, const fmi3Float64 a3[])
ABSENT(fmi3SetIntervalFraction, const fmi3ValueReference a1[], size_t a2, const fmi3UInt64 a3[], const fmi3UInt64 a4[])
ABSENT(fmi3SetShiftDecimal, const fmi3ValueReference a1[], size_t a2, const fmi3Float64 a3[])
ABSENT(fmi3SetShiftFraction, const fmi3ValueReference a1[], size_t a2, const fmi3UInt64 a3[], const fmi3UInt64 a4[])
ABSENT_PLAIN(fmi3EvaluateDiscreteStates)
ABSENT(fmi3UpdateDiscreteStates, fmi3Boolean *a1, fmi3Boolean *a2, fmi3Boolean *a3, fmi3Boolean *a4, fmi3Boolean *a5,
       fmi3Float64 *a6)
ABSENT_PLAIN(fmi3EnterContinuousTimeMode)
ABSENT(fmi3CompletedIntegratorStep, fmi3Boolean a1, fmi3Boolean *a2, fmi3Boolean *a3)
ABSENT(fmi3SetTime, fmi3Float64 a1)
ABSENT(fmi3SetContinuousStates, const fmi3Float64 a1[], size_t a2)
ABSENT(fmi3GetContinuousStateDerivatives, fmi3Float64 a1[], size_t a2)
ABSENT(fmi3GetEventIndicators, fmi3Float64 a1[], size_t a2)
ABSENT(fmi3GetContinuousStates, fmi3Float64 a1[], size_t a2)
ABSENT(fmi3GetNominalsOfContinuousStates, fmi3Float64 a1[], size_t a2)
ABSENT(fmi3GetNumberOfEventIndicators, size_t *a1)
ABSENT(fmi3GetNumberOfContinuousStates, size_t *a1)
ABSENT_PLAIN(fmi3EnterStepMode)
ABSENT(fmi3GetOutputDerivatives, const fmi3ValueReference a1[], size_t a2, const fmi3Int32 a3[], fmi3Float64 a4[],
       size_t a5)
ABSENT(fmi3ActivateModelPartition, fmi3ValueReference a1, fmi3Float64 a2)

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                               fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock)
{
    return NULL;
}
