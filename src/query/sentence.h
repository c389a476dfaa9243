// SPDX-License-Identifier: MIT
// sentence.h - a fault as a sentence: "body[1].mass = -2 is not positive".
//   given   a fault; the model, state and input that it is about, or NULL
//   makes   text, the value included where the object is given
//   bound   the text; a number takes one division for each power of ten
//   never   reads beyond a table, whatever the fault says
#ifndef QUERY_SENTENCE_H
#define QUERY_SENTENCE_H

#include "../base/bytes.h"
#include "../model/model.h"
#include "names.h"

// Where the value of a field is: in an object, or nowhere; of an array also the size of its elements and their number.
enum { SENTENCE_NOWHERE, SENTENCE_MODEL, SENTENCE_STATE, SENTENCE_INPUT };
enum { SENTENCE_REAL, SENTENCE_BYTE, SENTENCE_HALF }; // of integers the number is their size

typedef struct sentence_field {
    uint32_t at, stride, most;
    uint8_t object, type, count; // numbers of that type
} sentence_field;

#define SENTENCE_ARRAY(count)                                                                                          \
    {                                                                                                                  \
        0, 1, count, SENTENCE_NOWHERE, 0, 0                                                                            \
    }
#define SENTENCE_ONE(field, type, count)                                                                               \
    {                                                                                                                  \
        offsetof(tac_model, field), 0, 1, SENTENCE_MODEL, type, count                                                  \
    }
#define SENTENCE_OF(of, owner, array, element, most, field, type, count)                                               \
    {                                                                                                                  \
        offsetof(owner, array) + offsetof(element, field), sizeof(element), most, of, type, count                      \
    }
#define SENTENCE_BODY(field, type, count)                                                                              \
    SENTENCE_OF(SENTENCE_MODEL, tac_model, body, tac_body, TAC_MAX_BODIES + 1, field, type, count)
#define SENTENCE_SHAPE(field, type, count)                                                                             \
    SENTENCE_OF(SENTENCE_MODEL, tac_model, shape, tac_shape, TAC_MAX_SHAPES, field, type, count)
#define SENTENCE_MATERIAL(field, type, count)                                                                          \
    SENTENCE_OF(SENTENCE_MODEL, tac_model, material, tac_material, TAC_MAX_MATERIALS, field, type, count)
#define SENTENCE_ACTION(field, type, count)                                                                            \
    SENTENCE_OF(SENTENCE_INPUT, tac_input, action, tac_action, TAC_MAX_ACTIONS, field, type, count)
#define SENTENCE_JOINT(field, type, count)                                                                             \
    SENTENCE_OF(SENTENCE_MODEL, tac_model, joint, tac_joint, TAC_MAX_JOINTS, field, type, count)
#define SENTENCE_MOTOR(field, type, count)                                                                             \
    SENTENCE_OF(SENTENCE_INPUT, tac_input, motor, tac_motor, TAC_MAX_JOINTS, field, type, count)

static const sentence_field SENTENCE[TAC_FIELDS] = {
    [TAC_FIELD_H] = SENTENCE_ONE(h, SENTENCE_REAL, 1),
    [TAC_FIELD_GRAVITY] = SENTENCE_ONE(gravity, SENTENCE_REAL, 3),
    [TAC_FIELD_TOLERANCE] = SENTENCE_ONE(options.tolerance, SENTENCE_REAL, 1),
    [TAC_FIELD_OMEGA] = SENTENCE_ONE(options.omega, SENTENCE_REAL, 1),
    [TAC_FIELD_LAMBDA] = SENTENCE_ONE(options.lambda, SENTENCE_REAL, 1),
    [TAC_FIELD_RECOVERY] = SENTENCE_ONE(options.recovery, SENTENCE_REAL, 1),
    [TAC_FIELD_PROJECTION] = SENTENCE_ONE(options.projection, SENTENCE_REAL, 1),
    [TAC_FIELD_MARGIN] = SENTENCE_ONE(options.margin, SENTENCE_REAL, 1),
    [TAC_FIELD_BOUNCE] = SENTENCE_ONE(options.bounce, SENTENCE_REAL, 1),
    [TAC_FIELD_MAX_SWEEPS] = SENTENCE_ONE(options.max_sweeps, SENTENCE_HALF, 1),
    [TAC_FIELD_OPTION_SOLVER] = SENTENCE_ONE(options.solver, SENTENCE_BYTE, 1),
    [TAC_FIELD_OPTION_FRICTION] = SENTENCE_ONE(options.friction, SENTENCE_BYTE, 1),
    [TAC_FIELD_WARM_START] = SENTENCE_ONE(options.warm_start, SENTENCE_BYTE, 1),
    [TAC_FIELD_STABILISE] = SENTENCE_ONE(options.stabilise, SENTENCE_BYTE, 1),
    [TAC_FIELD_MAX_JOINT_ITERATIONS] = SENTENCE_ONE(options.max_joint_iterations, SENTENCE_BYTE, 1),
    [TAC_FIELD_BODY_KIND] = SENTENCE_BODY(kind, SENTENCE_BYTE, 1),
    [TAC_FIELD_MASS] = SENTENCE_BODY(mass, SENTENCE_REAL, 1),
    [TAC_FIELD_INERTIA] = SENTENCE_BODY(inertia, SENTENCE_REAL, 3),
    [TAC_FIELD_INERTIAL] = SENTENCE_BODY(inertial, SENTENCE_REAL, 7),
    [TAC_FIELD_POSE] = SENTENCE_BODY(pose, SENTENCE_REAL, 7),
    [TAC_FIELD_VELOCITY] = SENTENCE_BODY(velocity, SENTENCE_REAL, 6),
    [TAC_FIELD_SHAPE_KIND] = SENTENCE_SHAPE(kind, SENTENCE_BYTE, 1),
    [TAC_FIELD_SHAPE_BODY] = SENTENCE_SHAPE(body, SENTENCE_HALF, 1),
    [TAC_FIELD_SHAPE_POSE] = SENTENCE_SHAPE(pose, SENTENCE_REAL, 7),
    [TAC_FIELD_SIZE] = SENTENCE_SHAPE(size, SENTENCE_REAL, 3),
    [TAC_FIELD_ROUNDING] = SENTENCE_SHAPE(rounding, SENTENCE_REAL, 1),
    [TAC_FIELD_DATA] = SENTENCE_SHAPE(data, SENTENCE_HALF, 1),
    [TAC_FIELD_SHAPE_MATERIAL] = SENTENCE_SHAPE(material, SENTENCE_BYTE, 1),
    [TAC_FIELD_FRICTION] = SENTENCE_MATERIAL(friction, SENTENCE_REAL, 1),
    [TAC_FIELD_RESTITUTION] = SENTENCE_MATERIAL(restitution, SENTENCE_REAL, 1),
    [TAC_FIELD_RULE] = SENTENCE_MATERIAL(friction_rule, SENTENCE_BYTE, 2),
    [TAC_FIELD_STIFFNESS] = SENTENCE_MATERIAL(stiffness, SENTENCE_REAL, 1),
    [TAC_FIELD_DAMPING] = SENTENCE_MATERIAL(damping, SENTENCE_REAL, 1),
#if TAC_ROLLING
    [TAC_FIELD_SPINNING] = SENTENCE_MATERIAL(spinning, SENTENCE_REAL, 1),
    [TAC_FIELD_ROLLING] = SENTENCE_MATERIAL(rolling, SENTENCE_REAL, 1),
#endif
#if TAC_MAX_SURFACES > 0
    [TAC_FIELD_SURFACE_SHAPE] =
        SENTENCE_OF(SENTENCE_MODEL, tac_model, surface, tac_surface, TAC_MAX_SURFACES, shape, SENTENCE_HALF, 1),
    [TAC_FIELD_SURFACE] =
        SENTENCE_OF(SENTENCE_MODEL, tac_model, surface, tac_surface, TAC_MAX_SURFACES, linear, SENTENCE_REAL, 9),
#endif
#if TAC_FRICTION_LAWS
    [TAC_FIELD_AXIS] = SENTENCE_SHAPE(axis, SENTENCE_REAL, 4),
    [TAC_FIELD_ACROSS] = SENTENCE_SHAPE(across, SENTENCE_REAL, 1),
    [TAC_FIELD_STATIC_FRICTION] = SENTENCE_MATERIAL(static_friction, SENTENCE_REAL, 1),
    [TAC_FIELD_STRIBECK_SPEED] = SENTENCE_MATERIAL(stribeck_speed, SENTENCE_REAL, 1),
#endif
    [TAC_FIELD_MATERIAL_PAIR] = SENTENCE_OF(SENTENCE_MODEL, tac_model, material_pair, tac_material_pair,
                                            TAC_MAX_MATERIAL_PAIRS, friction, SENTENCE_REAL, 2),
    [TAC_FIELD_EXCLUSION] =
        SENTENCE_OF(SENTENCE_MODEL, tac_model, exclusion, tac_exclusion, TAC_MAX_EXCLUSIONS, a, SENTENCE_HALF, 2),
    [TAC_FIELD_POLYHEDRON] = SENTENCE_ARRAY(TAC_MAX_POLYHEDRA),
    [TAC_FIELD_POINT] = SENTENCE_ARRAY(TAC_MAX_POINTS),
    [TAC_FIELD_FACE] = SENTENCE_ARRAY(TAC_MAX_FACES),
    [TAC_FIELD_EDGE] = SENTENCE_ARRAY(TAC_MAX_EDGES),
    [TAC_FIELD_NODE] = SENTENCE_ARRAY(TAC_MAX_POLYHEDRA),
    [TAC_FIELD_HEIGHT_FIELD] = SENTENCE_ARRAY(TAC_MAX_HEIGHT_FIELDS),
    [TAC_FIELD_HEIGHT] = SENTENCE_ARRAY(TAC_MAX_HEIGHT_FIELDS),
    [TAC_FIELD_CONTACT] = SENTENCE_ARRAY(TAC_MAX_CONTACTS),
    [TAC_FIELD_IMPULSE] = SENTENCE_ARRAY(TAC_MAX_CONTACTS + TAC_MAX_JOINTS),
    [TAC_FIELD_ACTION_BODY] = SENTENCE_ACTION(body, SENTENCE_HALF, 1),
    [TAC_FIELD_ACTION_KIND] = SENTENCE_ACTION(kind, SENTENCE_HALF, 1),
    [TAC_FIELD_ACTION_LINEAR] = SENTENCE_ACTION(linear, SENTENCE_REAL, 3),
    [TAC_FIELD_ACTION_ANGULAR] = SENTENCE_ACTION(angular, SENTENCE_REAL, 3),
    [TAC_FIELD_ACTION_POINT] = SENTENCE_ACTION(point, SENTENCE_REAL, 3),
    [TAC_FIELD_COMPENSATION] =
        SENTENCE_OF(SENTENCE_STATE, tac_state, compensation, tac_compensation, TAC_MAX_BODIES + 1, p, SENTENCE_REAL, 9),
#if TAC_MAX_JOINTS > 0
    [TAC_FIELD_ACCOUNT] = SENTENCE_OF(SENTENCE_STATE, tac_state, account, tac_account, 1, made, SENTENCE_REAL, 2),
    [TAC_FIELD_JOINT] = SENTENCE_ARRAY(TAC_MAX_JOINTS),
    [TAC_FIELD_MOTOR] = SENTENCE_ARRAY(TAC_MAX_JOINTS),
    [TAC_FIELD_JOINT_KIND] = SENTENCE_JOINT(kind, SENTENCE_BYTE, 2),
    [TAC_FIELD_JOINT_BODY] = SENTENCE_JOINT(body_a, SENTENCE_HALF, 2),
    [TAC_FIELD_JOINT_FRAME] = SENTENCE_JOINT(frame_a, SENTENCE_REAL, 14),
    [TAC_FIELD_JOINT_LENGTH] = SENTENCE_JOINT(length, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_LIMIT] = SENTENCE_JOINT(lower, SENTENCE_REAL, 2),
    [TAC_FIELD_JOINT_FRICTION] = SENTENCE_JOINT(friction, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_DAMPING] = SENTENCE_JOINT(damping, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_STIFFNESS] = SENTENCE_JOINT(stiffness, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_REST] = SENTENCE_JOINT(rest, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_ARMATURE] = SENTENCE_JOINT(armature, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_EFFORT] = SENTENCE_JOINT(effort, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_SPEED] = SENTENCE_JOINT(speed, SENTENCE_REAL, 1),
    [TAC_FIELD_JOINT_STOP] = SENTENCE_JOINT(stop_stiffness, SENTENCE_REAL, 2),
    [TAC_FIELD_JOINT_SPRINGS] = SENTENCE_JOINT(along, SENTENCE_REAL, 12),
    [TAC_FIELD_MOTOR_JOINT] = SENTENCE_MOTOR(joint, SENTENCE_HALF, 1),
    [TAC_FIELD_MOTOR_KIND] = SENTENCE_MOTOR(kind, SENTENCE_HALF, 1),
    [TAC_FIELD_MOTOR_POSITION] = SENTENCE_MOTOR(position, SENTENCE_REAL, 1),
    [TAC_FIELD_MOTOR_VELOCITY] = SENTENCE_MOTOR(velocity, SENTENCE_REAL, 1),
    [TAC_FIELD_MOTOR_EFFORT] = SENTENCE_MOTOR(effort, SENTENCE_REAL, 1),
    [TAC_FIELD_MOTOR_STIFFNESS] = SENTENCE_MOTOR(stiffness, SENTENCE_REAL, 1),
    [TAC_FIELD_MOTOR_DAMPING] = SENTENCE_MOTOR(damping, SENTENCE_REAL, 1),
#endif
#if TAC_SWITCHES
    [TAC_FIELD_JOINT_SWITCH] = SENTENCE_JOINT(switched, SENTENCE_BYTE, 1),
    [TAC_FIELD_JOINT_BREAK] = SENTENCE_JOINT(break_force, SENTENCE_REAL, 2),
    [TAC_FIELD_SWITCH] = SENTENCE_ARRAY(TAC_MAX_JOINTS),
#endif
};

// ------------------------------------------------------------------------------------------------------------- writing

// Text of which as much is kept as there is room for.
typedef struct sentence {
    char *text;
    uint32_t room, length;
} sentence;

static void sentence_put(sentence *s, char c)
{
    if (s->length + 1 < s->room) { s->text[s->length] = c; }
    s->length++;
}

static void sentence_text(sentence *s, const char *text)
{
    while (*text != '\0') { sentence_put(s, *text++); }
}

static void sentence_number(sentence *s, uint32_t x)
{
    char digit[10];
    int count = 0;
    do {
        digit[count++] = (char)('0' + x % 10);
    } while ((x /= 10) > 0);
    while (count > 0) { sentence_put(s, digit[--count]); }
}

#define SENTENCE_DIGITS 6
#define SENTENCE_LARGEST 1000000u // ten to that power

// The digits of a number, without zeros at the end; after the first `whole` of them comes the point.
static void sentence_digits(sentence *s, uint32_t digits, int whole)
{
    uint32_t unit = SENTENCE_LARGEST / 10;
    if (whole <= 0) { sentence_text(s, "0."); }
    for (int i = whole; i < 0; i++) { sentence_put(s, '0'); }
    for (int i = 0; digits > 0 || i < whole; i++, unit /= 10) {
        if (i > 0 && i == whole) { sentence_put(s, '.'); }
        sentence_put(s, (char)('0' + digits / unit));
        digits %= unit;
    }
}

// Six digits. The exponent is found by divisions, so that in float the last digit of very large and small numbers may
// be off.
static void sentence_real(sentence *s, real x)
{
    const real size = real_abs(x);
    real part = size;
    int exponent = 0;
    if (!real_finite(x)) {
        sentence_text(s, x == x ? (x > R(0.0) ? "infinity" : "-infinity") : "NaN");
        return;
    }
    if (x < R(0.0)) { sentence_put(s, '-'); }
    for (; part >= R(10.0); part /= R(10.0)) { exponent++; }
    for (; part < R(1.0) && part > R(0.0); part *= R(10.0)) { exponent--; }
    uint32_t digits = (uint32_t)(part * R(1e5) + R(0.5));
    if (digits >= SENTENCE_LARGEST) { digits /= 10, exponent++; }
    if (size == R(0.0)) {
        sentence_put(s, '0');
    } else if (exponent >= -5 && exponent < SENTENCE_DIGITS) {
        sentence_digits(s, digits, exponent + 1);
    } else {
        sentence_digits(s, digits, 1);
        sentence_text(s, exponent < 0 ? "e-" : "e");
        sentence_number(s, (uint32_t)(exponent < 0 ? -exponent : exponent));
    }
}

// ------------------------------------------------------------------------------------------------------------ sentence

// What the fault is about.
typedef struct sentence_about {
    const tac_model *model;
    const tac_state *state;
    const tac_input *input;
} sentence_about;

// A value at an address, of a type of the table.
static void sentence_value(sentence *s, const unsigned char *at, int type)
{
    real x;
    uint16_t half;
    switch (type) {
    case SENTENCE_REAL:
        bytes_copy(&x, at, sizeof x);
        sentence_real(s, x);
        break;
    case SENTENCE_HALF:
        bytes_copy(&half, at, sizeof half);
        sentence_number(s, half);
        break;
    default:
        sentence_number(s, *at);
    }
}

// " = 3" or " = (1, 2, 3)".
static void sentence_values(sentence *s, const sentence_field *f, const void *object, uint32_t index)
{
    const size_t size = f->type == SENTENCE_REAL ? sizeof(real) : f->type;
    const unsigned char *at = object;
    if (object == NULL || index >= f->most) { return; }
    at += f->at + (size_t)index * f->stride;
    sentence_text(s, f->count > 1 ? " = (" : " = ");
    for (int i = 0; i < f->count; i++) {
        if (i > 0) { sentence_text(s, ", "); }
        sentence_value(s, at + (size_t)i * size, f->type);
    }
    if (f->count > 1) { sentence_put(s, ')'); }
}

// "body[1].mass"
static void sentence_name(sentence *s, const char *name, const sentence_field *f, uint32_t index)
{
    int open = f->stride > 0;
    for (; *name != '\0' || open; name += *name != '\0') {
        if (open && (*name == '.' || *name == '\0')) {
            sentence_put(s, '[');
            sentence_number(s, index);
            sentence_put(s, ']');
            open = 0;
        }
        if (*name != '\0') { sentence_put(s, *name); }
    }
}

// Poses and velocities are those of a state where there is one.
static void sentence_field_of(sentence *s, const tac_fault *fault, const sentence_about *about)
{
    static const sentence_field pose =
        SENTENCE_OF(SENTENCE_STATE, tac_state, pose, tac_pose, TAC_MAX_BODIES + 1, p, SENTENCE_REAL, 7);
    static const sentence_field velocity =
        SENTENCE_OF(SENTENCE_STATE, tac_state, twist, tac_twist, TAC_MAX_BODIES + 1, v, SENTENCE_REAL, 6);
    const sentence_field *f = &SENTENCE[fault->field];
    if (about->state != NULL && fault->field == TAC_FIELD_POSE) { f = &pose; }
    if (about->state != NULL && fault->field == TAC_FIELD_VELOCITY) { f = &velocity; }
    sentence_name(s, names_word(NAMES_FIELD, fault->field, TAC_FIELDS), f, fault->index);
    if (f->object == SENTENCE_MODEL) { sentence_values(s, f, about->model, fault->index); }
    if (f->object == SENTENCE_STATE) { sentence_values(s, f, about->state, fault->index); }
    if (f->object == SENTENCE_INPUT) { sentence_values(s, f, about->input, fault->index); }
}

// A count: "table of shapes", "12 joints".
static void sentence_count(sentence *s, const tac_fault *fault)
{
    sentence_text(s, fault->reason == TAC_REASON_FULL ? "the table of " : "the number of ");
    sentence_text(s, names_word(NAMES_COUNT, fault->index, TAC_COUNTS));
}

// The subject, and what is wrong with it.
static void sentence_of(sentence *s, const tac_fault *fault, const sentence_about *about)
{
    const int room = fault->reason == TAC_REASON_FULL && fault->field != TAC_FIELD_COUNT;
    if (TAC_MAX_JOINTS > 0 && room && fault->field != TAC_FIELD_CONTACT && fault->field != TAC_FIELD_JOINT) {
        sentence_text(s, names_word(NAMES_FIELD, fault->field, TAC_FIELDS));
        sentence_text(s, " must be ");
        sentence_number(s, fault->index);
        sentence_text(s, " at least");
        return;
    }
    if (room) { // of elements that have found no table long enough the index is their number
        sentence_text(s, "there is no room for ");
        sentence_number(s, fault->index);
        sentence_text(s, fault->field == TAC_FIELD_CONTACT ? " contacts" : " joints");
        return;
    }
    if (fault->field == TAC_FIELD_COUNT) {
        sentence_count(s, fault);
    } else if (fault->field == TAC_FIELD_CONFIG) {
        sentence_text(s, names_word(NAMES_LAYOUT, fault->index, TAC_LAYOUT_ENTRIES));
    } else if (fault->field == TAC_FIELD_POINTER) {
        sentence_text(s, fault->index == 0 ? "the model" : "the state");
    } else if (fault->field == TAC_FIELD_HASH) {
        sentence_text(s, fault->reason == TAC_REASON_MISMATCH ? "the state" : "the model");
    } else if (fault->field < TAC_FIELDS) {
        sentence_field_of(s, fault, about);
    } else {
        sentence_put(s, '?');
    }
    sentence_put(s, ' ');
    sentence_text(s, names_word(NAMES_REASON, fault->reason, TAC_REASONS));
}

// Writes it, with a zero at its end where there is room; returns its length.
static uint32_t sentence_write(const tac_fault *fault, const sentence_about *about, char *text, uint32_t room)
{
    sentence s = {text, text != NULL ? room : 0, 0};
    if (fault->reason == TAC_REASON_NONE) {
        sentence_text(&s, "nothing is wrong");
    } else {
        sentence_of(&s, fault, about);
    }
    if (s.room > 0) { text[s.length < s.room ? s.length : s.room - 1] = '\0'; }
    return s.length;
}

#endif
