// SPDX-License-Identifier: MIT
// fit_parameters.h - parameters of a fit: where each is in a model, and the model that has given values of them.
//   given   a sealed model, parameters by kind and index, values
//   makes   the trial model, sealed; motor commands with their factor
//   bound   three visits to each parameter, one check of the model
//   never   changes what no parameter names
#ifndef PREDICT_FIT_PARAMETERS_H
#define PREDICT_FIT_PARAMETERS_H

#include "../api/model.h"
#include "../model/parameter.h"

#if TAC_PREDICT

#if TAC_MAX_JOINTS > 0
#define FIT_MOTOR(input) ((input)->motor)
#else
#define FIT_MOTOR(input) ((void)(input), (tac_motor *)NULL)
#endif

// The number that is the parameter; NULL for factors.
static real *fit_number(tac_model *m, const tac_fit_parameter *p)
{
    const uint16_t i = p->index;
    switch (p->kind) {
    case TAC_FIT_FRICTION:
        return &m->material[i].friction;
    case TAC_FIT_RESTITUTION:
        return &m->material[i].restitution;
    case TAC_FIT_PAIR_FRICTION:
        return &m->material_pair[i].friction;
    case TAC_FIT_PAIR_RESTITUTION:
        return &m->material_pair[i].restitution;
    case TAC_FIT_ROUNDING:
        return &m->shape[i].rounding;
    case TAC_FIT_MASS:
        return &m->body[i].mass;
    case TAC_FIT_CENTRE_X:
        return &m->body[i].inertial.p.x;
    case TAC_FIT_CENTRE_Y:
        return &m->body[i].inertial.p.y;
    case TAC_FIT_CENTRE_Z:
        return &m->body[i].inertial.p.z;
    case TAC_FIT_JOINT_FRICTION:
        return &JOINT_OF(m)[i].friction;
    case TAC_FIT_JOINT_DAMPING:
        return &JOINT_OF(m)[i].damping;
    case TAC_FIT_JOINT_STIFFNESS:
        return &JOINT_OF(m)[i].stiffness;
    case TAC_FIT_JOINT_REST:
        return &JOINT_OF(m)[i].rest;
    case TAC_FIT_JOINT_ARMATURE:
        return &JOINT_OF(m)[i].armature;
    case TAC_FIT_JOINT_EFFORT:
        return &JOINT_OF(m)[i].effort;
    default:
        return NULL;
    }
}

// The element that a parameter belongs to is again that of the model.
static void fit_restore(const tac_model *m, const tac_fit_parameter *p, tac_model *trial)
{
    const uint16_t i = p->index;
    switch (parameter_owner(p->kind)) {
    case PARAMETER_OF_MATERIAL:
        bytes_copy(&trial->material[i], &m->material[i], sizeof m->material[i]);
        break;
    case PARAMETER_OF_PAIR:
        bytes_copy(&trial->material_pair[i], &m->material_pair[i], sizeof m->material_pair[i]);
        break;
    case PARAMETER_OF_SHAPE:
        bytes_copy(&trial->shape[i], &m->shape[i], sizeof m->shape[i]);
        break;
    case PARAMETER_OF_BODY:
        bytes_copy(&trial->body[i], &m->body[i], sizeof m->body[i]);
        break;
    case PARAMETER_OF_WORLD:
        trial->gravity = m->gravity;
        break;
    default:
        bytes_copy(&JOINT_OF(trial)[i], &JOINT_OF(m)[i], sizeof(tac_joint));
    }
}

// A mass takes its moments of inertia with it; a box that becomes round keeps its faces, at size + rounding.
static void fit_put(tac_model *trial, const tac_fit_parameter *p, real value)
{
    real *const number = fit_number(trial, p);
    if (p->kind == TAC_FIT_ROUNDING) {
        vec3 *const size = &trial->shape[p->index].size;
        const real less = value - *number;
        *size = v3_sub(*size, v3(less, less, less));
    }
    tac_body *const body = &trial->body[parameter_owner(p->kind) == PARAMETER_OF_BODY ? p->index : 0];
    if (p->kind == TAC_FIT_MASS) { body->inertia = v3_scale(value / *number, body->inertia); }
    if (p->kind == TAC_FIT_INERTIA) { body->inertia = v3_scale(value, body->inertia); }
    if (p->kind == TAC_FIT_GRAVITY) { trial->gravity = v3_scale(value, trial->gravity); }
    if (number != NULL) { *number = value; }
}

// `trial` is a copy of the model but for the elements of parameters. Returns 0 if the kernel refuses these values.
static int fit_set_model(const tac_model *m, const tac_fit_parameter *p, const real *value, uint32_t count,
                         tac_model *trial, tac_fault *fault)
{
    for (uint32_t i = 0; i < count; i++) { fit_restore(m, &p[i], trial); }
    for (uint32_t i = 0; i < count; i++) { fit_put(trial, &p[i], value[i]); }
    return tac_model_seal(trial, fault) == TAC_OK;
}

// Is one of them a factor of motor commands?
static int fit_has_motor(const tac_fit_parameter *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (p[i].kind == TAC_FIT_MOTOR) { return 1; }
    }
    return 0;
}

// Commands as motors carry them out.
static void fit_set_motors(const tac_fit_parameter *p, const real *value, uint32_t count, tac_input *input)
{
    for (uint32_t k = 0; k < JOINT_MOTORS(input); k++) {
        tac_motor *const motor = &FIT_MOTOR(input)[k];
        for (uint32_t i = 0; i < count; i++) {
            const real factor = p[i].kind == TAC_FIT_MOTOR && p[i].index == motor->joint ? value[i] : R(1.0);
            motor->effort *= factor;
            motor->stiffness *= factor;
            motor->damping *= factor;
        }
    }
}

#endif

#endif
