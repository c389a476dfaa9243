// SPDX-License-Identifier: MIT
// path.h - how a body moves between two states: in free flight for any time, or within a step that has been made.
//   given   a state and an input, or a finished step
//   makes   its pose at any time of that way; bounds on its speed and acceleration
//   bound   three free rotations and exponentials a pose
//   never   leaves the parabola of its centre of mass
#ifndef PREDICT_PATH_H
#define PREDICT_PATH_H

#include "../motion/free.h"
#include "../api/step.h"

#if TAC_PREDICT

// The centre moves on  p + v t + a t^2/2.  The body rotates by Euler's equations, or by  q exp(w t + dw t^2/2).
typedef struct path_body {
    tac_pose pose; // of the principal frame, at the start
    vec3 v, a;     // m/s, m/s2, world
    vec3 w, dw;    // rad/s, rad/s2, principal frame
    vec3 ratios;   // of Euler's equations; zeros: none
    real rate;     // rad/s, bound on the angular velocity
    real bend;     // 1/s2, bound on the acceleration of a point by rotation, for each metre of its arm
} path_body;

#define PATH_OUTER R(1.3512071919596578)  // 1/(2 - 2^(1/3)): three midpoint rules make one of fourth order,
#define PATH_INNER R(-1.7024143839193155) // 1 - 2 of these
#define PATH_PRODUCTS R(0.6)              // |(w_y w_z, w_z w_x, w_x w_y)| <= |w|^2/sqrt(3)

// Bounds of free rotation: the energy is constant.
static void path_bound_free(path_body *x, vec3 inertia)
{
    const real least = real_min(inertia.x, real_min(inertia.y, inertia.z));
    const real square = v3_dot(x->w, v3_mul(inertia, x->w)) / least;
    const int turns = v3_norm_inf(x->ratios) > R(0.0);
    x->rate = turns ? real_sqrt(square) : v3_norm(x->w);
    x->bend = (R(1.0) + PATH_PRODUCTS * v3_norm_inf(x->ratios)) * x->rate * x->rate;
}

// A body that flies freely from a state on, or is not dynamic: then it keeps the velocity that the input prescribes.
static void path_fly(const tac_model *m, const tac_state *s, const tac_input *input, uint16_t body, path_body *x)
{
    const tac_body *def = &m->body[body];
    reals_clear(x, sizeof *x);
    x->pose = s->pose[body];
    if (def->kind == TAC_DYNAMIC) {
        x->v = v3_add(s->twist[body].v, s->compensation[body].v);
        x->w = v3_add(s->twist[body].w, s->compensation[body].w);
        x->a = m->gravity;
        const vec3 i = def->inertia;
        x->ratios = free_ratios(i, v3(R(1.0) / i.x, R(1.0) / i.y, R(1.0) / i.z));
        path_bound_free(x, i);
        return;
    }
    if (def->kind == TAC_KINEMATIC) {
        x->v = def->velocity.v;
        x->w = def->velocity.w;
    }
    for (uint32_t i = 0; input != NULL && i < input->actions; i++) {
        const tac_action *act = &input->action[i];
        if (act->body != body || act->kind != TAC_VELOCITY) { continue; }
        x->v = act->linear;
        x->w = act->angular;
    }
    x->rate = v3_norm(x->w);
    x->bend = x->rate * x->rate;
}

// A body in the step that the work area holds, from its pose at the start: what it moves by in all, and the change of
// its velocity. Kinematic bodies have theirs at once.
static void path_step(const tac_model *m, const tac_state *s, const tac_work *w, const tac_pose *start, uint16_t body,
                      path_body *x)
{
    const tac_twist *end = &s->twist[body], *by = &w->delta_v[body], *pseudo = &w->pseudo_velocity[body];
    reals_clear(x, sizeof *x);
    x->pose = *start;
    if (m->body[body].kind == TAC_STATIC) { return; }
    if (m->body[body].kind == TAC_DYNAMIC) {
        x->a = v3_scale(R(1.0) / m->h, by->v);
        x->dw = v3_scale(R(1.0) / m->h, by->w);
    }
    x->v = v3_madd(v3_add(end->v, pseudo->v), R(-0.5) * m->h, x->a);
    x->w = v3_madd(v3_add(end->w, pseudo->w), R(-0.5) * m->h, x->dw);
    const real more = v3_norm(x->dw);
    x->rate = v3_norm(x->w) + m->h * more;
    x->bend = x->rate * x->rate + more;
}

// The orientation and, of free rotation, the angular velocity at time t.
static quat path_turn(const path_body *x, real t, vec3 *w)
{
    const real part[3] = {PATH_OUTER, PATH_INNER, PATH_OUTER};
    quat q = x->pose.q;
    *w = x->w;
    if (!(x->rate > R(0.0))) { return q; }
    if (!(v3_norm_inf(x->ratios) > R(0.0))) {
        return quat_mul(q, quat_exp(v3_scale(t, v3_madd(x->w, R(0.5) * t, x->dw))));
    }
    for (int i = 0; i < 3; i++) {
        const vec3 by = free_rotate(x->ratios, t * part[i], *w);
        q = quat_mul(q, quat_exp(v3_scale(t * part[i], v3_madd(*w, R(0.5), by))));
        *w = v3_add(*w, by);
    }
    return q;
}

static vec3 path_move(const path_body *x, real t)
{
    return v3_madd(x->pose.p, t, v3_madd(x->v, R(0.5) * t, x->a));
}

// The pose at time t of what is fixed to the body, `local` in its principal frame.
static void path_place(const path_body *x, real t, const tac_pose *local, tac_pose *placed)
{
    vec3 w;
    const tac_pose body = {path_move(x, t), path_turn(x, t, &w)};
    pose_mul(&body, local, placed);
}

// Goes on to time t of free flight, which becomes the start.
static void path_advance(path_body *x, real t)
{
    vec3 w;
    const quat q = path_turn(x, t, &w);
    x->pose.p = path_move(x, t);
    x->pose.q = q;
    quat_unit(&x->pose.q);
    x->v = v3_madd(x->v, t, x->a);
    x->w = w;
}

#endif

#endif
