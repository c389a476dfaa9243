// SPDX-License-Identifier: MIT
// response.h - what an impulse changes at once: of a free body, or of all bodies that joints hold together.
//   given   contacts, blocks, joints made for this step
//   makes   changes of velocity and of what comes late; W of a contact through the joints; impulses of the joints
//   bound   a factor of the joints a step, one solution of it an impulse, three more for W
//   never   lets springs, dampers, bounded motors, limits or dry friction act: they take time, or act in the cone
//   program
#ifndef STEP_RESPONSE_H
#define STEP_RESPONSE_H

#include "move.h"

// The velocity change of a free body is M^-1 D g. Bodies of joints move together: M dv = D g + J'l with J dv = 0, of
// the constraints that are hard (prescribed motion goes on as it is prescribed), and rotors turn with their joints.
// Where joints make trees that is a solution of articulated.h, else of the sparse factor of bodies and joints.
static int response_moves(const tac_work *w, uint16_t body)
{
    return w->moving[body].inv_mass > R(0.0);
}

#if TAC_MAX_JOINTS > 0

// Does the body hang on others? Known once response_mark() has been here.
static int response_hangs(const tac_work *w, uint16_t body)
{
    return w->scratch.solve.reduced.limb[body].placed;
}

static int response_jointed(const tac_work *w, const tac_contact *c)
{
    return response_hangs(w, c->body_a) || response_hangs(w, c->body_b);
}

static void response_mark(const tac_model *m, tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t i = 0; i < m->bodies; i++) { r->limb[i].placed = 0; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        if (joint_moves(w, j->body_a)) { r->limb[j->body_a].placed = 1; }
        if (joint_moves(w, j->body_b)) { r->limb[j->body_b].placed = 1; }
    }
}

// Of what is soft only rotors take part, with their inertia; `z` keeps the weight of their box.
static void response_stiffen(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        tac_box *x = &k->box[TAC_BOX_PASSIVE];
        if (j->kind == TAC_BUSHING) { k->constraints = 0; }
        if (!(j->armature > R(0.0)) || !x->used) { continue; }
        x->inside = 1;
        x->z = x->weight;
        x->weight = j->armature / (k->scale * k->scale);
    }
}

static void response_relax(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        tac_box *x = &k->box[TAC_BOX_PASSIVE];
        if (j->kind == TAC_BUSHING) { k->constraints = joint_bushing_rows(j); }
        if (!x->inside) { continue; }
        x->weight = x->z;
        x->z = R(0.0);
        x->inside = 0;
    }
}

// The factor of this step. Returns 0 where there is none: joints close loops, and no room for the matrix.
static int response_factor(const tac_model *m, const tac_state *s, tac_work *w)
{
    w->progress.trees = (uint8_t)articulated_trees(m, w);
    if (w->progress.trees) {
        articulated_factor(m, w, s->pose);
        return 1;
    }
    if (!matrix_order_joints(m, w)) { return 0; }
    matrix_factor_joints(m, w);
    return 1;
}

#if TAC_MAX_FILL > 0

// The factor gives way by a small part (joint_matrix.h): what of J dv that leaves is asked for again, once.
static void response_solve_matrix(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step, *first = w->scratch.solve.free;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real *x = (const real *)&step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { JOINT_LINK(w)[i].asked[row] = x[row]; }
    }
    matrix_solve(w);
    reals_copy(first, step, m->bodies * sizeof *step);
    reals_clear(step, m->bodies * sizeof *step);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        real *x = (real *)&step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            k->step[row] = x[row];
            x[row] = joint_holds(k, row) ? k->asked[row] + joint_rate(&JOINT_OF(m)[i], k, first, row) : R(0.0);
        }
    }
    matrix_solve(w);
    for (uint16_t i = 0; i < m->bodies; i++) {
        step[i] = (tac_twist){v3_add(step[i].v, first[i].v), v3_add(step[i].w, first[i].w)};
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        real *x = (real *)&step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { x[row] += JOINT_LINK(w)[i].step[row]; }
    }
}

#else

static void response_solve_matrix(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

#endif

static void response_solve(const tac_model *m, tac_work *w)
{
    if (w->progress.trees) {
        articulated_solve(m, w, w->scratch.solve.step);
    } else {
        response_solve_matrix(m, w);
    }
}

// Where the bodies of joints start from, and what forces do to them. Each step ends at velocities that lead along the
// arcs of the joints (assemble.h), and are off what J allows by half a step of their bend: start -= that. Forces act
// through the joints, kick = A^-1 h f, and, as x+ = x + h v+, the parabola has the velocity v + kick/2 at the start.
static void response_paths(const tac_model *m, const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    tac_twist *step = w->scratch.solve.step;
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *lack = (real *)&step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!joint_holds(k, row) || (row == JOINT_LAST && k->driven)) { continue; }
            lack[row] = joint_rate(&JOINT_OF(m)[i], k, s->twist, row);
        }
    }
    response_solve(m, w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (response_hangs(w, i)) { start[i] = step[i]; }
    }
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (!response_hangs(w, i)) { continue; }
        step[i].v = v3_scale(m->body[i].mass, w->gain[i].v);
        step[i].w = v3_mul(m->body[i].inertia, w->gain[i].w);
    }
    response_solve(m, w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (!response_hangs(w, i)) { continue; }
        kick[i] = step[i];
        start[i].v = v3_sub(v3_madd(start[i].v, R(0.5), kick[i].v), w->gain[i].v);
        start[i].w = v3_sub(v3_madd(start[i].w, R(0.5), kick[i].w), w->gain[i].w);
    }
}

// What the impulse g changes, in step[]: 0 of bodies that it does not reach.
static void response_of(const tac_model *m, tac_work *w, const tac_contact *c, const tac_block *k, vec3 g)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    tac_twist *step = w->scratch.solve.step;
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    reduced_push(w, c, k, g, step);
    for (int side = 0; side < 2; side++) {
        tac_twist *t = &step[body[side]];
        if (response_hangs(w, body[side])) { continue; }
        t->v = v3_scale(w->moving[body[side]].inv_mass, t->v);
        t->w = v3_mul(w->moving[body[side]].inv_inertia, t->w);
    }
    response_solve(m, w);
}

// W through the joints. Returns 0 where these hold the normal still: no impulse changes its velocity.
static int response_weigh(const tac_model *m, tac_work *w, const tac_contact *c, tac_block *k)
{
    rows_weigh(w, c, k);
    if (!response_jointed(w, c)) { return 1; }
    const real least = REDUCED_LEAST * k->w.xx;
    vec3 column[3];
    for (int i = 0; i < 3; i++) {
        response_of(m, w, c, k, V3_AXIS[i]);
        column[i] = rows_relative(c, k, w->scratch.solve.step);
    }
    k->w = (sym3){column[0].x, column[0].y, column[0].z, column[1].y, column[1].z, column[2].z};
    return k->w.xx > least;
}

// The joints have had their impulses, which are shown; rotors theirs, which their boxes are not to ask for again.
static void response_note(const tac_model *m, tac_work *w)
{
    const tac_twist *step = w->scratch.solve.step;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *x = (const real *)&step[joint_node(m, i)];
        tac_box *rotor = &k->box[TAC_BOX_PASSIVE];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { k->bounce[row] += x[row]; }
        if (rotor->inside) { rotor->centre += rotor->weight * joint_rate(&JOINT_OF(m)[i], k, step, JOINT_LAST); }
    }
}

// The impulse g at the part `now` of the step: it moves nothing before.
static void response_push(const tac_model *m, tac_work *w, const tac_contact *c, const tac_block *k, vec3 g, real now)
{
    if (!response_jointed(w, c)) {
        rows_apply(c, k, g, w->moving, w->gain);
        rows_apply(c, k, v3_scale(-now, g), w->moving, w->late);
        return;
    }
    response_of(m, w, c, k, g);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_twist *t = &w->scratch.solve.step[i];
        w->gain[i] = (tac_twist){v3_add(w->gain[i].v, t->v), v3_add(w->gain[i].w, t->w)};
        w->late[i] = (tac_twist){v3_madd(w->late[i].v, -now, t->v), v3_madd(w->late[i].w, -now, t->w)};
    }
    response_note(m, w);
}

// Restitution of bodies with joints needs the factor. Returns 0 where it is needed and there is none.
static int response_joints(const tac_model *m, const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    int jointed = 0;
    response_mark(m, w);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        jointed |= c->restitution > R(0.0) && response_jointed(w, c);
    }
    if (!jointed) { return 1; }
    response_stiffen(m, w);
    const int made = response_factor(m, s, w);
    response_mark(m, w); // the search for trees marks what it has found
    if (made) { response_paths(m, s, w, kick, start); }
    return made;
}

#else

static int response_jointed(const tac_work *w, const tac_contact *c)
{
    (void)w, (void)c;
    return 0;
}

static void response_relax(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

static int response_weigh(const tac_model *m, tac_work *w, const tac_contact *c, tac_block *k)
{
    (void)m, (void)w, (void)c, (void)k;
    return 1;
}

static void response_push(const tac_model *m, tac_work *w, const tac_contact *c, const tac_block *k, vec3 g, real now)
{
    (void)m;
    rows_apply(c, k, g, w->moving, w->gain);
    rows_apply(c, k, v3_scale(-now, g), w->moving, w->late);
}

static int response_joints(const tac_model *m, const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    (void)m, (void)s, (void)w, (void)kick, (void)start;
    return 1;
}

#endif

// How bodies move until something meets, as changes to v: v + gain + start + t kick at the part t of the step. Free
// bodies are on parabolas of their forces (move.h), torques act at the start of the step; what is moved goes steadily.
// Returns 0 where bodies of joints have no factor.
static int response_begin(const tac_model *m, const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    reals_clear(kick, m->bodies * sizeof *kick);
    reals_clear(start, m->bodies * sizeof *start);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (!response_moves(w, i)) { continue; }
        kick[i].v = v3_scale(R(-2.0), w->shift[i].v);
        start[i].v = v3_scale(R(2.0), w->shift[i].v);
    }
    return response_joints(m, s, w, kick, start);
}

#endif
