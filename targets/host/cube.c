// SPDX-License-Identifier: MIT
#include "cube.h"
#include "message.h"
#include "quaternion.h"

#include <math.h>

#define DEGREES (180.0 / 3.14159265358979323846)

enum { CUBE = 1 };

static const double mass = 0.37, inertia = 0.00081, gravity = 9.81;

int cube_model(const cube_options *options, tac_model *model)
{
    const tac_real half = (tac_real)(CUBE_WIDTH / 2.0), moment = (tac_real)inertia;
    const tac_vec3 origin = {0, 0, 0}, size = {half, half, half};
    tac_fault fault;

    tac_model_init(model);
    model->h = (tac_real)options->h;
    model->options.friction = options->law;
    model->options.solver =
        TAC_SOLVER_ACCELERATED; // a firmware has the same bits, whatever room it has for AUTO's matrix
    model->gravity = (tac_vec3){0, 0, (tac_real)-gravity};
    tac_model_add_material(model, (tac_real)options->friction, (tac_real)options->restitution);

    tac_body body = tac_body_make(TAC_DYNAMIC, origin);
    body.mass = (tac_real)mass;
    body.inertia = (tac_vec3){moment, moment, moment};
    tac_model_add_body(model, &body);

    const tac_shape board = tac_shape_make(0, TAC_HALF_SPACE, origin);
    const tac_shape box = tac_shape_make(CUBE, TAC_BOX, size);
    tac_model_add_shape(model, &board);
    tac_model_add_shape(model, &box);

    const tac_status status = tac_model_seal(model, &fault);
    if (status != TAC_OK) complain_kernel("cube", status, fault, model, NULL, NULL);
    return status == TAC_OK;
}

static tac_vec3 vec3_of(const double *value)
{
    return (tac_vec3){(tac_real)value[0], (tac_real)value[1], (tac_real)value[2]};
}

int cube_state(const tac_model *model, const toss_row *row, tac_state *state)
{
    const double *q = &row->value[TOSS_QW];
    const tac_pose pose = {vec3_of(&row->value[TOSS_X]),
                           {(tac_real)q[0], (tac_real)q[1], (tac_real)q[2], (tac_real)q[3]}};
    const tac_twist twist = {vec3_of(&row->value[TOSS_VX]), vec3_of(&row->value[TOSS_WX])};
    tac_fault fault;

    tac_status status = tac_state_init(model, state, &fault);
    if (status == TAC_OK) {
        fault = (tac_fault){TAC_FIELD_POSE, CUBE, TAC_REASON_RANGE};
        status = tac_state_set_body(model, state, CUBE, pose, twist);
    }
    if (status != TAC_OK) complain_kernel("first row of the toss", status, fault, NULL, NULL, NULL);
    return status == TAC_OK;
}

// exp of half the rotation vector w dt
static quaternion turn(tac_vec3 w, double dt)
{
    const double x = (double)w.x * dt / 2.0, y = (double)w.y * dt / 2.0, z = (double)w.z * dt / 2.0;
    const double angle = sqrt(x * x + y * y + z * z);
    const double sinc = angle > 0.0 ? sin(angle) / angle : 1.0;

    return (quaternion){cos(angle), sinc * x, sinc * y, sinc * z};
}

cube_error cube_compare(const tac_model *model, const tac_state *state, double dt, const toss_row *row)
{
    const tac_pose pose = tac_state_get_pose(model, state, CUBE);
    const tac_twist twist = state->twist[CUBE];
    const double dx = (double)pose.p.x + dt * (double)twist.v.x - row->value[TOSS_X];
    const double dy = (double)pose.p.y + dt * (double)twist.v.y - row->value[TOSS_X + 1];
    const double dz = (double)pose.p.z + dt * (double)twist.v.z - row->value[TOSS_X + 2];

    const double *q = &row->value[TOSS_QW];
    const quaternion now = {(double)pose.q.w, (double)pose.q.x, (double)pose.q.y, (double)pose.q.z};
    const quaternion inverse = {q[0], -q[1], -q[2], -q[3]};
    const quaternion d = quaternion_product(inverse, quaternion_product(now, turn(twist.w, dt)));

    cube_error error;
    error.position = sqrt(dx * dx + dy * dy + dz * dz) / CUBE_WIDTH;
    error.rotation = DEGREES * 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
    return error;
}

// The last row of the rotation matrix is the board's normal in the cube's frame; a face lies flat along its largest
// entry.
double cube_tilt(tac_quat q)
{
    const double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    const double n[3] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)};
    int up = 0;

    for (int i = 1; i < 3; i++) {
        if (fabs(n[i]) > fabs(n[up])) up = i;
    }
    const double a = n[(up + 1) % 3], b = n[(up + 2) % 3];
    return DEGREES * atan2(sqrt(a * a + b * b), fabs(n[up]));
}
