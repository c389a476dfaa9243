// SPDX-License-Identifier: MIT
// fit_swing.c - tactus fit --model: friction, damping, armature and motors of joints from swings that were measured.
#include "fit.h"
#include "log/values.h"
#include "message.h"
#include "model_file.h"
#include "motor_file.h"
#include "swing_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Sizes of what a joint does in the file: of its coordinate, its rate, its inertia, its effort.
typedef struct sizes {
    double span, rate, inertia, effort;
} sizes;

/// Swings as sections of a fit.
typedef struct swings {
    swing_file file;
    motor_file motors;
    tac_state *start;
    tac_section *section;
    tac_observation *observation;
    tac_fit_unknown *unknown;
    tac_input *input; ///< one for each step; NULL: none
    uint32_t count;
    sizes size[TAC_MAX_JOINTS]; ///< of the joints that are measured
} swings;

static tac_model model, fitted;
static joint_names names;
static tac_fitting fit;
static fit_text text[TAC_MAX_FIT];
static tac_work work;
static tac_state state;

// Inertia along the coordinate at the start: that of a composite body, or 1 where loops leave no coordinate.
static double inertia_of(const tac_state *start, uint16_t joint)
{
    static tac_coordinates map;
    double found = 1;

    if (tac_model_get_coordinates(&model, &work, &map) != TAC_OK) return 1;
    const size_t n = map.velocities, at = map.joint[joint].velocity;
    tac_real *matrix = calloc(n * n, sizeof *matrix);
    if (matrix && at < n && tac_mass_matrix(&model, start, &work, matrix) == TAC_OK)
        found = (double)matrix[at * n + at];
    free(matrix);
    return found > 0 ? found : 1;
}

// A joint that never moves counts as one that moves by 1 at 1/s: the data then say nothing.
static sizes sizes_of(const swings *s, uint32_t k)
{
    sizes z;

    swing_file_scales(&s->file, k, &z.span, &z.rate);
    if (!(z.span > 0)) z.span = z.rate = 1;
    z.inertia = inertia_of(s->start, s->file.joint[k]);
    z.effort = z.inertia * z.rate * z.rate / z.span;
    return z;
}

static const struct kind {
    const char *name, *turning, *sliding; ///< units
    uint8_t kind;
} known[] = {
    {"friction", "N m", "N", TAC_FIT_JOINT_FRICTION},
    {"damping", "N m s/rad", "N s/m", TAC_FIT_JOINT_DAMPING},
    {"armature", "kg m2", "kg", TAC_FIT_JOINT_ARMATURE},
    {"stiffness", "N m/rad", "N/m", TAC_FIT_JOINT_STIFFNESS},
    {"motor", "", "", TAC_FIT_MOTOR},
};
enum { KNOWN = sizeof known / sizeof known[0] };

// From its value in the model, within 0 and ten times what the motion would explain.
static tac_fit_parameter parameter_of(const struct kind *kind, uint16_t joint, sizes z)
{
    const tac_joint *j = &model.joint[joint];
    double size = 1, start = 1;

    switch (kind->kind) {
    case TAC_FIT_JOINT_FRICTION:
        size = z.effort;
        start = (double)j->friction;
        break;
    case TAC_FIT_JOINT_DAMPING:
        size = z.effort / z.rate;
        start = (double)j->damping;
        break;
    case TAC_FIT_JOINT_ARMATURE:
        size = z.inertia;
        start = (double)j->armature;
        break;
    case TAC_FIT_JOINT_STIFFNESS:
        size = z.effort / z.span;
        start = (double)j->stiffness;
        break;
    default:
        break;
    }
    return (tac_fit_parameter){0, (tac_real)fmax(10 * size, 2 * start), (tac_real)(0.02 * size), joint, kind->kind};
}

// Parameters, position and rate of the start of each joint that is measured have one room.
static int has_room(const swings *s)
{
    return fit.parameters + 2 * s->file.joints <= TAC_MAX_FIT;
}

static void add_parameter(const struct kind *kind, uint16_t joint, sizes z)
{
    fit_text *t = &text[fit.parameters];
    snprintf(t->name, sizeof t->name, "%s %s", names.name[joint], kind->name);
    t->unit = strcmp(log_unit(model.joint[joint].kind), "m") == 0 ? kind->sliding : kind->turning;
    fit.parameter[fit.parameters++] = parameter_of(kind, joint, z);
}

// Each name is a parameter of each joint that is measured.
static int read_parameters(const char *list, const swings *s)
{
    size_t length;

    fit.parameters = 0;
    for (; (length = fit_next_name(list)) > 0; list += length + (list[length] == ',')) {
        size_t i = 0;
        while (i < KNOWN && (strlen(known[i].name) != length || strncmp(known[i].name, list, length) != 0)) i++;
        if (i == KNOWN) {
            complain("--parameters: %.*s: no such parameter of a joint", (int)length, list);
            return 0;
        }
        for (uint32_t k = 0; k < s->file.joints; k++) {
            add_parameter(&known[i], s->file.joint[k], s->size[k]);
            if (has_room(s)) continue;
            complain("--parameters: more than %d, with two of each joint for its start", TAC_MAX_FIT);
            return 0;
        }
    }
    if (fit.parameters == 0) complain("--parameters: none");
    return fit.parameters > 0;
}

// The model's initial state, with what is measured in the first row.
static int start_swing(const swings *s, size_t first, tac_state *start)
{
    static tac_joint_state joint[TAC_MAX_JOINTS];
    tac_fault fault;

    tac_status status = tac_state_init(&model, start, &fault);
    for (uint32_t i = 0; i < model.joints; i++) tac_state_get_joint(&model, start, i, &joint[i]);
    for (uint32_t k = 0; k < s->file.joints; k++) {
        joint[s->file.joint[k]].position = (tac_real)s->file.position[first * s->file.joints + k];
        joint[s->file.joint[k]].velocity = (tac_real)s->file.speed[first * s->file.joints + k];
    }
    if (status == TAC_OK) status = tac_state_set_joints(&model, start, joint);
    if (status != TAC_OK) complain("the start of swing %g: status %d", s->file.swing[first], status);
    return status == TAC_OK;
}

// The first row has the errors of all others. A rate that is in the file counts as the difference of two rows; without
// one a swing starts at rest.
static uint32_t doubt_start(const swings *s, size_t first, tac_fit_unknown *u)
{
    static tac_coordinates map;
    uint32_t count = 0;

    if (tac_model_get_coordinates(&model, &work, &map) != TAC_OK) return 0;
    for (uint32_t k = 0; k < s->file.joints; k++) {
        const uint16_t at = map.joint[s->file.joint[k]].velocity;
        const double off = s->size[k].span / 1000,
                     rate = off * sqrt(2) / (s->file.time[first + 1] - s->file.time[first]);
        if (at == TAC_NONE) continue;
        u[count++] = (tac_fit_unknown){.deviation = (tac_real)off, .difference = (tac_real)off, .coordinate = at};
        if (!s->file.rated[k]) continue;
        u[count++] = (tac_fit_unknown){.deviation = (tac_real)rate,
                                       .difference = (tac_real)(s->size[k].rate / 1000),
                                       .coordinate = (uint16_t)(map.velocities + at)};
    }
    return count;
}

// Rows are taken at the step that is nearest to their time. A thousandth of the way of a joint is one deviation.
static uint32_t observe_swing(const swings *s, size_t first, tac_observation *o)
{
    const size_t length = swing_file_length(&s->file, first);
    uint32_t seen = 0;

    for (size_t n = first + 1; n < first + length; n++) {
        const double step = floor((s->file.time[n] - s->file.time[first]) / (double)model.h + 0.5);
        if (step < 1 || step > 1e6) continue;
        for (uint32_t k = 0; k < s->file.joints; k++) {
            o[seen++] = (tac_observation){.step = (uint32_t)step,
                                          .index = s->file.joint[k],
                                          .kind = TAC_OBSERVE_JOINT,
                                          .weight = (tac_real)(1000 / s->size[k].span),
                                          .coordinate = (tac_real)s->file.position[n * s->file.joints + k]};
        }
    }
    return seen;
}

// The commands of each step: those of a swing begin with its first row.
static int read_inputs(swings *s)
{
    uint32_t steps = 0;

    if (s->motors.count == 0) return 1;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t last = s->section[i].observation[s->section[i].observations - 1].step;
        if (last > steps) steps = last;
    }
    s->input = calloc(steps, sizeof *s->input);
    if (s->input == NULL) {
        complain("out of memory");
        return 0;
    }
    for (uint32_t k = 0; k < steps; k++) {
        if (k > 0) s->input[k] = s->input[k - 1];
        motor_file_apply(&s->motors, k, &s->input[k]);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        s->section[i].input = s->input;
        s->section[i].inputs = steps;
        s->section[i].hold = 1;
    }
    return 1;
}

static int read_swings(const swing_options *o, swings *s)
{
    size_t used = 0;

    if (!swing_file_read(o->csv, &model, &names, &s->file)) return 0;
    if (o->motors != NULL && !motor_file_read(o->motors, &model, &names, &s->motors)) return 0;
    s->start = calloc(s->file.rows, sizeof *s->start);
    s->section = calloc(s->file.rows, sizeof *s->section);
    s->observation = calloc(s->file.rows * s->file.joints, sizeof *s->observation);
    s->unknown = calloc(s->file.rows * 2 * s->file.joints, sizeof *s->unknown);
    if (!s->start || !s->section || !s->observation || !s->unknown) {
        complain("out of memory");
        return 0;
    }
    for (size_t first = 0; first < s->file.rows; first += swing_file_length(&s->file, first)) {
        if (!start_swing(s, first, &s->start[s->count])) return 0;
        for (uint32_t k = 0; first == 0 && k < s->file.joints; k++) s->size[k] = sizes_of(s, k);
        const uint32_t seen = observe_swing(s, first, &s->observation[used]);
        tac_section *section = &s->section[s->count];
        *section = (tac_section){&s->start[s->count], NULL, 0, 0, &s->observation[used], seen, NULL, 0};
        section->unknown = &s->unknown[2 * s->count * s->file.joints];
        if (seen > 0) section->unknowns = doubt_start(s, first, section->unknown);
        s->count += seen > 0;
        used += seen;
    }
    if (s->count == 0) complain("%s: no swing of two rows", o->csv);
    return s->count > 0 && read_inputs(s);
}

static void free_swings(swings *s)
{
    swing_file_free(&s->file);
    motor_file_free(&s->motors);
    free(s->start);
    free(s->section);
    free(s->observation);
    free(s->unknown);
    free(s->input);
}

// The input of a step with the factors of motors that a fit has.
static const tac_input *act(const tac_section *section, uint32_t step, const tac_fitting *with)
{
    static tac_input input;

    if (section->input == NULL) return NULL;
    input = section->input[step];
    for (uint16_t p = 0; with != NULL && p < with->parameters; p++) {
        for (uint32_t m = 0; m < input.motors; m++) {
            tac_motor *motor = &input.motor[m];
            if (with->parameter[p].kind != TAC_FIT_MOTOR || with->parameter[p].index != motor->joint) continue;
            motor->effort *= with->value[p];
            motor->stiffness *= with->value[p];
            motor->damping *= with->value[p];
        }
    }
    return &input;
}

// Root mean squares of what each measured joint is off. `factors` has those of motors, or is NULL.
static int predict(const tac_model *with, const tac_fitting *factors, const swings *s, double *rms)
{
    double rows[TAC_MAX_JOINTS] = {0};

    memset(rms, 0, TAC_MAX_JOINTS * sizeof *rms);
    for (uint32_t i = 0; i < s->count; i++) {
        const tac_section *section = &s->section[i];
        tac_status status;
        uint32_t step = 0;
        state = *section->start;
        status = tac_state_adopt(&model, with, &state, NULL);
        for (uint32_t n = 0; n < section->observations; n++) {
            const tac_observation *o = &section->observation[n];
            tac_joint_state joint;
            for (; step < o->step && status >= 0; step++) {
                status = tac_step(with, &state, act(section, step, factors), &work);
            }
            if (status < 0) {
                complain("step %u of a swing: status %d", step, status);
                return 0;
            }
            tac_state_get_joint(with, &state, o->index, &joint);
            rms[o->index] += pow((double)(joint.position - o->coordinate), 2);
            rows[o->index]++;
        }
    }
    for (uint32_t i = 0; i < model.joints; i++) rms[i] = sqrt(rms[i] / fmax(rows[i], 1));
    return 1;
}

static int print_errors(const swings *s)
{
    double before[TAC_MAX_JOINTS], after[TAC_MAX_JOINTS];

    if (!predict(&model, NULL, s, before) || !predict(&fitted, &fit, s, after)) return 0;
    for (uint32_t k = 0; k < s->file.joints; k++) {
        const uint16_t j = s->file.joint[k];
        printf("%s: off by %.3g -> %.3g %s (rms), of %.3g\n", names.name[j], before[j], after[j],
               log_unit(model.joint[j].kind), s->size[k].span);
    }
    return 1;
}

int fit_swing(const swing_options *o)
{
    swings s = {0};
    tac_fault fault = {0};
    int good = model_file_read(o->model, o->model, &model, &names);

    if (good && o->h > 0) {
        model.h = (tac_real)o->h;
        const tac_status status = tac_model_seal(&model, &fault);
        if (status != TAC_OK) complain_kernel("--h", status, fault, &model, NULL, NULL);
        good = status == TAC_OK;
    }
    (void)tac_fit_init(&fit);
    fit.robust = (tac_real)o->robust;
    fit.max_rollouts = o->rollouts;
    good = good && read_swings(o, &s) && read_parameters(o->parameters, &s);
    fit.section = s.section;
    fit.sections = s.count;
    good = good && fit_find(&model, &fit, &work, &fitted);
    if (good) fit_print(&fit, text);
    good = good && print_errors(&s);
    free_swings(&s);
    return good ? EXIT_GOOD : EXIT_BAD;
}
