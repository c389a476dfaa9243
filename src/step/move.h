// SPDX-License-Identifier: MIT
// move.h - how a body moves by itself: free velocity before the solve, free rotation again after it.
//   given   state, input, impulses
//   makes   before the solve delta_v = M^-1 h f, and pseudo-velocities of free rotation and of free flight, which is
//           x+ = x + h (v + v+)/2; after it free rotation of the angular momentum that impulses have left, but not of
//           bodies that hang on joints of trees (tree_motion.h)
//   bound   one visit to each body, action, joint and contact
//   never   applies an explicit gyroscopic torque: |L| would drift
#ifndef STEP_MOVE_H
#define STEP_MOVE_H

#include "../model/joint.h"
#include "../motion/free.h"
#include "../rows/rolls.h"
#include "../factor/articulated.h"

// One action of the input on its body: a wrench adds to force (world) and torque (principal frame) about the centre of
// mass, a velocity target takes their place.
static void move_act(const tac_action *a, quat q, tac_twist *wrench)
{
    if (a->kind == TAC_VELOCITY) {
        wrench->v = a->linear;
        wrench->w = a->angular;
        return;
    }
    const int body = a->kind == TAC_WRENCH_BODY;
    const vec3 torque = v3_add(a->angular, v3_cross(a->point, a->linear));
    wrench->v = v3_add(wrench->v, body ? quat_rotate(q, a->linear) : a->linear);
    wrench->w = v3_add(wrench->w, body ? torque : quat_rotate_back(q, torque));
}

// A kinematic body takes its target velocity: that of the input, or its own.
static void move_free_kinematic(const tac_twist *t, const tac_compensation *c, tac_twist *delta_v)
{
    delta_v->v = v3_sub(v3_sub(delta_v->v, t->v), c->v);
    delta_v->w = v3_sub(v3_sub(delta_v->w, t->w), c->w);
}

// Where surface i is, as its body stands, and how it moves there.
static void move_surface(const tac_model *m, const tac_state *s, uint32_t i, vec3 linear, vec3 angular, vec3 point,
                         tac_work *w)
{
    const uint16_t shape = BELT_OF(m)[i].shape;
    const tac_shape *of = &m->shape[shape];
    tac_pose placed;
    rows_place(of, &m->body[of->body].inertial, &s->pose[of->body], &placed);
    BELT_MOTION(w)
    [i] = (tac_surface_motion){quat_rotate(placed.q, linear), quat_rotate(placed.q, angular),
                               pose_point(&placed, point), shape};
}

// All surfaces: as in the model, unless an action says otherwise.
static void move_surfaces(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    BELT_SET_MOTIONS(w, BELT_COUNT(m));
    for (uint32_t i = 0; i < BELT_COUNT(m); i++) {
        const tac_surface *x = &BELT_OF(m)[i];
        move_surface(m, s, i, x->linear, x->angular, x->point, w);
    }
    for (uint32_t i = 0; TAC_MAX_SURFACES > 0 && input != NULL && i < input->actions; i++) {
        const tac_action *a = &input->action[i];
        if (belt_action(a)) { move_surface(m, s, a->body, a->linear, a->angular, a->point, w); }
    }
}

// Mass and moments of a body, in proportion those of one of the mass `least` where it is lighter.
static void move_weigh(const tac_body *def, real least, tac_moving *b)
{
    const real times = real_max(R(1.0), least / def->mass);
    b->mass = times * def->mass;
    b->inertia = v3_scale(times, def->inertia);
    b->inv_mass = R(1.0) / b->mass;
    b->inv_inertia = v3(R(1.0) / b->inertia.x, R(1.0) / b->inertia.y, R(1.0) / b->inertia.z);
}

// M^-1 h f: linear, gravity and force; angular, torque first and then free rotation. The pseudo-velocity of free
// flight: x+ = x + h (v + v+)/2 is the parabola of a constant force, on which E keeps its value; with x + h v+ the
// state is half a step away from it, and E off by m g h abs(v)/2.
static void move_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    const real h = m->h;
    const int predicts = JOINT_COUNT(m) > 0 && !m->options.stabilise;
    reals_clear(w->delta_v, m->bodies * sizeof *w->delta_v); // at first wrenches and target velocities
    for (uint16_t i = 0; i < m->bodies; i++) {
        if (m->body[i].kind == TAC_DYNAMIC) { continue; } // else no impulse moves it, and it does not rotate freely
        reals_clear(&w->moving[i], sizeof w->moving[i]);
        reals_clear(&w->pseudo_velocity[i], sizeof w->pseudo_velocity[i]);
        if (m->body[i].kind == TAC_KINEMATIC) { w->delta_v[i] = m->body[i].velocity; }
    }
    move_surfaces(m, s, input, w);
    if (input != NULL) {
        for (const tac_action *a = input->action; a < input->action + input->actions; a++) {
            if (!belt_action(a)) { move_act(a, s->pose[a->body].q, &w->delta_v[a->body]); }
        }
    }
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_body *def = &m->body[i];
        tac_moving *b = &w->moving[i];
        tac_twist *delta_v = &w->delta_v[i], *pseudo_velocity = &w->pseudo_velocity[i];
        if (def->kind == TAC_KINEMATIC) {
            move_free_kinematic(&s->twist[i], &s->compensation[i], delta_v);
            continue;
        }
        const vec3 torque = delta_v->w;
        move_weigh(def, R(0.0), b);
        delta_v->v = v3_madd(v3_scale(h, m->gravity), h * b->inv_mass, delta_v->v);
        const vec3 kick = v3_mul(b->inv_inertia, v3_scale(h, torque)), start = v3_add(s->twist[i].w, kick);
        const vec3 ratios = free_ratios(b->inertia, b->inv_inertia),
                   turned = predicts ? free_predict(ratios, h, start) : free_rotate(ratios, h, start);
        delta_v->w = v3_add(kick, turned);
        pseudo_velocity->v = v3_scale(R(-0.5), delta_v->v);
        pseudo_velocity->w = v3_scale(R(-0.5), turned);
        if (JOINT_COUNT(m) > 0) { // L+ - L
            JOINT_TURNED(w)[i] = v3_madd(v3_mul(def->inertia, delta_v->w), -h, torque);
            JOINT_TURNED_FREE(w)[i] = JOINT_TURNED(w)[i];
        }
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { // bodies of joints move straight, as those of contacts do later
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING || switch_out(s, i)) { continue; }
        w->pseudo_velocity[j->body_a].v = w->pseudo_velocity[j->body_b].v = V3_ZERO;
    }
}

// Rotates body i freely again, with the changes of its rates that impulses make: `early` at the start of the step,
// `late` in its middle, as far as it is not in `early`, and so it turns likewise but adds no rotation. Returns what
// free rotation adds.
static vec3 move_rotate_body(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i, vec3 early, vec3 late)
{
    const tac_moving *b = &w->moving[i];
    const vec3 start = v3_add(s->twist[i].w, early);
    const vec3 turned = free_rotate(free_ratios(b->inertia, b->inv_inertia), m->h, start);
    if (v3_norm_inf(late) > R(0.0)) {
        const quat back = quat_exp(v3_scale(-m->h, v3_madd(start, R(0.5), turned)));
        late = v3_add(late, v3_mul(b->inv_inertia, quat_turn(back, v3_mul(b->inertia, late))));
    }
    w->delta_v[i].w = v3_add(early, v3_add(turned, late));
    w->pseudo_velocity[i].w = v3_sub(v3_scale(R(-0.5), turned), late);
    return turned;
}

// Recomputes free rotation from the angular momentum that the impulses have left: the angular momentum that joints
// exchange inside a robot then adds up to zero, to rounding. Not where velocities are to satisfy NST17 (5c) and (9),
// and not of bodies that hang on joints of trees, which tree_motion.h rotates.
static void move_rotate(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (m->options.stabilise) { return; }
    const int trees = articulated_wholly(w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const int hangs = trees && JOINT_TREE(w)[i].placed && JOINT_TREE(w)[i].joint != TAC_NONE;
        if (m->body[i].kind != TAC_DYNAMIC || hangs) { continue; }
        const vec3 kick = v3_sub(w->delta_v[i].w, v3_mul(w->moving[i].inv_inertia, JOINT_TURNED(w)[i]));
        JOINT_TURNED(w)[i] = v3_mul(w->moving[i].inertia, move_rotate_body(m, s, w, i, kick, V3_ZERO));
    }
}

// ----------------------------------------------------------------------------------------------- contacts that roll

enum {
    MOVE_LOADED = 1,  // contacts bear a force,
    MOVE_TURNS = 2,   // some of them roll, and it matters how the body is turned,
    MOVE_STRAIGHT = 4 // some of them do not act in the middle of the step
};

// Of a world without joints. Contacts that roll show the velocities that their laws see.
static void move_mark(const tac_model *m, tac_work *w)
{
    phase_take(w, TAC_PHASE_MOVES);
    bytes_clear(w->phase.moves, m->bodies);
    const tac_block *k = w->scratch.solve.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        int does = MOVE_LOADED;
        if (k->rolls != ROLLS_NOT) { c->velocity = rows_shown(k, w->delta_v); }
        if (!(w->scratch.solve.g[k->first] > R(0.0))) { continue; }
        if (k->rolls == ROLLS_START || k->rolls == ROLLS_MIDDLE) { does |= MOVE_TURNS; }
        if (k->rolls < ROLLS_MIDDLE) { does |= MOVE_STRAIGHT; }
        for (int side = 0; side < 2; side++) {
            const uint16_t i = k->body[side];
            if (w->moving[i].inv_mass > R(0.0)) { w->phase.moves[i] |= (uint8_t)does; }
        }
    }
}

// The angular momentum that impulses add rotates with the rest from when they act. What torques of the input add at the
// start is not in `free`: the change by free rotation is there -2 pseudo_velocity (free.h).
static void move_turn(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i, int straight)
{
    const vec3 free = w->scratch.solve.free[i].w, kick = v3_sub(w->delta_v[i].w, free);
    const vec3 given = v3_madd(free, R(2.0), w->pseudo_velocity[i].w), half = v3_scale(R(0.5), kick);
    (void)move_rotate_body(m, s, w, i, v3_add(given, straight ? kick : half), straight ? V3_ZERO : half);
}

// Bodies on which impulses of the cone program act move with the final velocity, x+ = x + h v+, since complementarity
// is about the gap there: those of joints, and of contacts that bear a force in this step. An impulse of a bounce alone
// leaves the body on its parabola (impact.h).
static void move_contacts(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (JOINT_COUNT(m) > 0) {
        for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
            if (!(w->scratch.solve.g[k->first] > R(0.0))) { continue; }
            w->pseudo_velocity[k->body[0]].v = w->pseudo_velocity[k->body[1]].v = V3_ZERO;
        }
        move_rotate(m, s, w);
        return;
    }
    for (uint16_t i = 1; i < m->bodies; i++) {
        const int does = w->phase.moves[i], straight = does & MOVE_STRAIGHT;
        if (!(does & MOVE_LOADED)) { continue; }
        if (does & MOVE_TURNS) { move_turn(m, s, w, i, straight); }
        w->pseudo_velocity[i].v = straight ? V3_ZERO : v3_scale(R(-0.5), w->delta_v[i].v);
    }
}

#endif
