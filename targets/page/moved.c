// SPDX-License-Identifier: MIT
// moved.c - steps of a world of the page: its scene's input, motors that hold, a spring that pulls.
#include "shown.h"

#define R(x) ((tac_real)(x))
#define SPRING_RATE R(20) // rad/s   of what is pulled, on its spring: its weight stretches it by 25 mm

static void drive(world_of_page *p, uint32_t step)
{
    p->input.actions = 0;
    if (p->scene != NULL && p->scene->drive != NULL && !p->held) { p->scene->drive(&p->model, step, &p->input); }
}

// Of two vectors in the world.
static tac_vec3 sum(tac_vec3 a, tac_real s, tac_vec3 b)
{
    return (tac_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// The mass that hangs on the body: that of its tree.
static tac_real carried(world_of_page *p)
{
    tac_centroid centroid;
    const tac_status status = tac_centroidal(&p->model, &p->state, p->pulled, &p->asked, &centroid, NULL);
    return status == TAC_OK ? centroid.mass : p->model.body[p->pulled].mass;
}

// Spring and damper between point and target. The damper is explicit, so what it may take of the body's own velocity in
// a step is bounded: a tenth, also where the point is at the end of a thin rod.
static void pull(world_of_page *p)
{
    tac_point_motion at;
    if (p->pulled == 0 || p->input.actions == TAC_MAX_ACTIONS ||
        tac_body_point(&p->model, &p->state, p->pulled, p->point, TAC_AXES_WORLD, &p->asked, &at) != TAC_OK) {
        return;
    }
    const tac_real mass = carried(p), most = R(0.1) * p->model.body[p->pulled].mass / p->model.h;
    const tac_real wanted = R(2) * SPRING_RATE * mass, damping = wanted < most ? wanted : most;
    const tac_vec3 stretched = sum(p->target, R(-1), at.position), zero = {0, 0, 0};
    const tac_vec3 force = sum(sum(zero, SPRING_RATE * SPRING_RATE * mass, stretched), -damping, at.linear);
    const tac_vec3 arm = sum(at.position, R(-1), p->state.pose[p->pulled].p);
    p->input.action[p->input.actions++] = (tac_action){force, zero, arm, p->pulled, TAC_WRENCH_WORLD};
}

tac_status world_step(world_of_page *p)
{
    drive(p, (uint32_t)p->state.step);
    pull(p);
    return link_method_step(p->method, &p->solvers, &p->model, &p->state, &p->input, &p->work);
}

void world_lead(world_of_page *p)
{
    if (p->held) { return; }
    p->input.motors = 0;
    for (uint32_t step = 0; step < p->state.step; step++) { drive(p, step); }
}

void world_hold(world_of_page *p, uint32_t on)
{
    p->held = (uint8_t)on;
    p->input.motors = 0;
    for (uint16_t i = 0; i < p->model.joints && on; i++) {
        tac_joint_state at;
        const uint8_t kind = p->model.joint[i].kind;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC && kind != TAC_SCREW) { continue; }
        tac_state_get_joint(&p->model, &p->state, i, &at);
        p->input.motor[p->input.motors++] = (tac_motor){at.position, 0, 0, 0, 0, i, TAC_MOTOR_POSITION};
    }
    if (!on) { world_lead(p); }
}

void world_command(world_of_page *p, const tac_motor *motor)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->input.motors; i++) {
        if (p->input.motor[i].joint != motor->joint) { p->input.motor[kept++] = p->input.motor[i]; }
    }
    if (motor->kind != TAC_MOTOR_KINDS && kept < TAC_MAX_JOINTS) { p->input.motor[kept++] = *motor; }
    p->input.motors = kept;
}

int32_t world_pick(world_of_page *p, const tac_ray *ray, double *point)
{
    tac_hit hit;
    if (tac_cast(&p->model, &p->state, ray, &p->asked, &hit) != TAC_OK || hit.body == TAC_NONE ||
        p->model.body[hit.body].kind != TAC_DYNAMIC) {
        return -1;
    }
    const tac_pose pose = tac_state_get_pose(&p->model, &p->state, hit.body);
    const tac_quat back = {pose.q.w, -pose.q.x, -pose.q.y, -pose.q.z};
    const tac_vec3 local = tac_quat_rotate(back, sum(hit.point, R(-1), pose.p));
    point[0] = (double)local.x;
    point[1] = (double)local.y;
    point[2] = (double)local.z;
    return hit.body;
}
