// SPDX-License-Identifier: MIT
// refresh_step.h - a step with kept dynamics: in the coordinates of the trees, with the factor of the last refresh.
//   given   model, input, the refresh; the state that the last step has left
//   makes   the next state; contacts of the work area
//   bound   entries of the factor; REFRESH_SWEEPS sweeps over the columns of contacts; one visit to each body and joint
//   never   finds contacts, bounces, or checks a state that it has made itself
#ifndef PREDICT_REFRESH_STEP_H
#define PREDICT_REFRESH_STEP_H

#include "refresh.h"

#if TAC_PREDICT

#define REFRESH_SWEEPS 16    // at most, and at most those of the model's options
#define REFRESH_TURN R(1.0)  // rad: once a body has turned by more, axes and inertia are others
#define REFRESH_PART R(0.02) // of the impulses: sweeps that change less than that are the last

// -------------------------------------------------------------------------------------------------------- the factor

// x = L'^-1 x, from the leaves to the roots.
static void refresh_up(const tac_refresh *f, real *x)
{
    for (uint16_t i = f->rates; i-- > 0;) {
        const real *entry = &f->entry[f->row[i]];
        const real z = x[i] *= *entry++;
        if (z == R(0.0)) { continue; }
        for (uint16_t at = f->up[i]; at != TAC_NONE; at = f->up[at]) { x[at] -= *entry++ * z; }
        if (f->root[i] == TAC_NONE) { continue; }
        real *r = &x[f->root[i]];
        r[5] -= entry[0] * z, r[4] -= entry[1] * z, r[3] -= entry[2] * z;
        r[2] -= entry[3] * z, r[1] -= entry[4] * z, r[0] -= entry[5] * z;
    }
}

// x = L^-1 x, from the roots to the leaves.
static void refresh_down(const tac_refresh *f, real *x)
{
    for (uint16_t i = 0; i < f->rates; i++) {
        const real *entry = &f->entry[f->row[i]];
        const real scale = *entry++;
        real sum = x[i];
        for (uint16_t at = f->up[i]; at != TAC_NONE; at = f->up[at]) { sum -= *entry++ * x[at]; }
        if (f->root[i] != TAC_NONE) {
            const real *r = &x[f->root[i]];
            sum = sum - entry[0] * r[5] - entry[1] * r[4] - entry[2] * r[3];
            sum = sum - entry[3] * r[2] - entry[4] * r[1] - entry[5] * r[0];
        }
        x[i] = scale * sum;
    }
}

// u + Y'z of the three rows of a contact.
static inline vec3 refresh_see(const tac_refresh *f, const tac_refresh_contact *c, const real *z, vec3 u)
{
    const real *y = &f->entry[c->column];
    for (const uint16_t *key = &f->key[c->path], *end = key + c->keys; key < end; key++) {
        const real *x = &z[*key >> REFRESH_RUN];
        for (int i = *key & REFRESH_LONGEST; i > 0; i--, x--, y += 3) { u = v3_madd(u, *x, v3_of(y)); }
    }
    return u;
}

// z += Y g
static inline void refresh_push(const tac_refresh *f, const tac_refresh_contact *c, vec3 g, real *z)
{
    const real *y = &f->entry[c->column];
    for (const uint16_t *key = &f->key[c->path], *end = key + c->keys; key < end; key++) {
        real *x = &z[*key >> REFRESH_RUN];
        for (int i = *key & REFRESH_LONGEST; i > 0; i--, x--, y += 3) { *x += v3_dot(v3_of(y), g); }
    }
}

// The same of a coordinate.
static inline real refresh_see_along(const tac_refresh *f, const tac_refresh_joint *k, const real *z)
{
    const real *y = &f->entry[k->column];
    real u = R(0.0);
    for (const uint16_t *key = &f->key[k->path], *end = key + k->keys; key < end; key++) {
        const real *x = &z[*key >> REFRESH_RUN];
        for (int i = *key & REFRESH_LONGEST; i > 0; i--) { u += *x-- * *y++; }
    }
    return u;
}

static inline void refresh_push_along(const tac_refresh *f, const tac_refresh_joint *k, real g, real *z)
{
    const real *y = &f->entry[k->column];
    for (const uint16_t *key = &f->key[k->path], *end = key + k->keys; key < end; key++) {
        real *x = &z[*key >> REFRESH_RUN];
        for (int i = *key & REFRESH_LONGEST; i > 0; i--) { *x-- += *y++ * g; }
    }
}

// ------------------------------------------------------------------------------------------------------------- efforts

// Of a body's joint: the sign with which its rates are those of b against a.
static inline real refresh_sign(const tac_joint_block *k, uint16_t body)
{
    return k->body[1] == body ? R(1.0) : R(-1.0);
}

// Where the impulse of an effort comes from: from the factor, in which it is as if it had no bounds; from sweeps; from
// its law alone, where it has come since the refresh and is soft.
enum { REFRESH_NOTHING, REFRESH_FACTOR, REFRESH_SWEPT, REFRESH_LAW };

static inline int refresh_source(const tac_refresh_joint *x, const tac_interval *e, int effort)
{
    if (!e->used) { return REFRESH_NOTHING; }
    if (x->inside >> effort & 1) { return REFRESH_FACTOR; }
    return x->keys > 0 ? REFRESH_SWEPT : e->hard ? REFRESH_NOTHING : REFRESH_LAW;
}

// What is fixed in joints is in the work area, which may have served another model meanwhile; and which motor drives
// which joint: the last one that names it.
static void refresh_joints(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    if (*JOINT_LINKED(w) != m->hash) {
        move_free(m, s, NULL, w); // masses
        joints_fix(m, s, w);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { JOINT_LINK(w)[i].motor = TAC_NONE; }
    for (uint16_t i = 0; input != NULL && i < JOINT_MOTORS(input); i++) {
        JOINT_LINK(w)[JOINT_MOTOR(input)[i].joint].motor = i;
    }
}

// The intervals of a coordinate at the start of the step. Returns the impulses of those that are not swept, at an
// unchanged rate, less what they were at the refresh.
static real refresh_effort(const tac_model *m, const tac_input *input, const tac_refresh_joint *x, uint16_t joint,
                           real rate, tac_joint_block *k)
{
    const tac_joint *j = &JOINT_OF(m)[joint];
    const tac_motor *motor = k->motor != TAC_NONE ? &JOINT_MOTOR(input)[k->motor] : NULL;
    real sum = -x->constant;
    k->w[JOINT_LAST] = x->weight, k->rounding = x->rounding;
    joint_intervals(m, j, motor, x->q[0], rate, k);
    if (effort_is_passive(j)) { joint_passive(j, k, m->h, x->q[0], rate, R(0.0), R(0.0)); }
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *e = &k->interval[b];
        const int from = refresh_source(x, e, b);
        if (from == REFRESH_FACTOR) { sum += e->centre; }
        if (from == REFRESH_LAW) { sum += real_clamp(e->centre, e->lo, e->hi); }
    }
    return sum;
}

// What efforts have changed z = L'^-1 f by since the refresh. Returns 0 if a coordinate is led.
static int refresh_efforts(const tac_model *m, const tac_input *input, const tac_refresh *f, tac_work *w, real *z)
{
    int changes = 0, led = 0;
    for (uint16_t i = 0; i < f->rates; i++) { z[i] = R(0.0); }
    for (uint16_t at = 0; at < f->bodies; at++) {
        if (f->joint[at] == TAC_NONE) { continue; }
        tac_joint_block *k = JOINT_LINK(w) + f->joint[at];
        joint_clear_efforts(k);
        if (!k->coordinate || f->motions[at] == 0) { continue; }
        const real sign = refresh_sign(k, f->order[at]), rate = sign * f->rate[f->last[at]] / k->scale;
        const real change = refresh_effort(m, input, &f->of[f->joint[at]], f->joint[at], rate, k);
        z[f->last[at]] = sign * change;
        changes |= change != R(0.0);
        led |= k->driven;
    }
    if (changes) { refresh_up(f, z); }
    return !led;
}

// -------------------------------------------------------------------------------------------------------------- sweeps

// The damper of a compliant contact acts from when its surfaces overlap.
static void refresh_yield(const tac_model *m, tac_work *w, tac_refresh_contact *c)
{
    const real yields = rows_compliance(m->h, c->stiffness, c->damping, c->gap);
    if (yields == c->yields) { return; }
    c->soft.x += yields - c->yields;
    c->block.xx += yields - c->yields;
    c->yields = yields;
    refresh_block(w->scratch.solve.block, c);
}

// b of the normal row, as rows_aim() has it.
static inline real refresh_target(const tac_model *m, const tac_refresh_contact *c)
{
    const real gap = c->gap;
    if (c->yields > R(0.0)) { return m->h * c->stiffness * c->yields * gap; }
    return real_abs(gap) <= c->rounding ? R(0.0) : real_max(gap / m->h, -m->options.recovery);
}

// The visit of a sweep to a contact. One that is open and stays so costs nothing more.
static inline real refresh_visit(const tac_refresh *f, tac_refresh_contact *c, vec3 free, int exact, real *y,
                                 real *size)
{
    const vec3 g = c->impulse, u = refresh_see(f, c, y, v3_add(free, v3_mul(c->soft, g)));
    if (u.x >= R(0.0) && g.x == R(0.0)) { return R(0.0); }
    const vec3 next = local_graded(&c->block, &c->inverse, c->step_n, c->step_t, c->mu, g, u, exact);
    const vec3 change = v3_sub(next, g);
    c->impulse = next;
    refresh_push(f, c, change, y);
    *size += cone_weight(&c->block) * v3_dot(next, next);
    return cone_weight(&c->block) * v3_dot(change, change);
}

// The same to a coordinate, all of whose efforts see one velocity.
static inline real refresh_visit_along(const tac_refresh *f, const tac_joint_block *k, tac_refresh_joint *x, real *y,
                                       real *size)
{
    real u = x->free + refresh_see_along(f, x, y), moved = R(0.0), total = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *e = &k->interval[b];
        if (refresh_source(x, e, b) != REFRESH_SWEPT) { continue; }
        const real at = u + e->bias + x->soft * x->effort[b];
        const real next = interval_local(e, x->effort[b], at, x->own), change = next - x->effort[b];
        x->effort[b] = next;
        u += (x->own - x->soft) * change;
        total += change;
        moved += x->own * change * change;
        *size += x->own * next * next;
    }
    if (total != R(0.0)) { refresh_push_along(f, x, total, y); }
    return moved;
}

// y += Y g of the efforts that are swept, times `part` of those that are hard.
static void refresh_push_efforts(const tac_refresh *f, const tac_work *w, real part, real *y)
{
    for (uint16_t at = 0; at < f->bodies && f->along > 0; at++) {
        if (f->joint[at] == TAC_NONE || f->of[f->joint[at]].keys == 0) { continue; }
        const tac_refresh_joint *x = &f->of[f->joint[at]];
        const tac_joint_block *k = JOINT_LINK(w) + f->joint[at];
        real sum = R(0.0);
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *e = &k->interval[b];
            if (refresh_source(x, e, b) == REFRESH_SWEPT) { sum += (e->hard ? part : R(1.0)) * x->effort[b]; }
        }
        refresh_push_along(f, x, sum, y);
    }
}

// The impulses of the last step act again: y = Y g. From now on contact[].velocity of the work area is the velocity
// without any, b of the normal row included.
static void refresh_warm(const tac_model *m, tac_refresh *f, tac_work *w, const real *z, real *y)
{
    for (uint16_t i = 0; i < f->rates; i++) { y[i] = R(0.0); }
    for (uint16_t i = 0; i < f->contacts; i++) {
        tac_refresh_contact *c = &f->contact[i];
        vec3 *free = &w->contact[i].velocity;
        refresh_yield(m, w, c);
        *free = refresh_see(f, c, z, v3_add(c->start, c->lead));
        free->x += refresh_target(m, c);
        if (c->impulse.x > R(0.0)) { refresh_push(f, c, c->impulse, y); }
    }
    for (uint16_t at = 0; at < f->bodies && f->along > 0; at++) {
        if (f->joint[at] == TAC_NONE || f->of[f->joint[at]].keys == 0) { continue; }
        tac_refresh_joint *x = &f->of[f->joint[at]];
        const tac_joint_block *k = JOINT_LINK(w) + f->joint[at];
        x->free = refresh_see_along(f, x, z);
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *e = &k->interval[b];
            if (refresh_source(x, e, b) == REFRESH_SWEPT) { x->effort[b] = real_clamp(x->effort[b], e->lo, e->hi); }
        }
    }
    refresh_push_efforts(f, w, R(1.0), y);
}

// Returns 1 if the last sweep changed little.
static int refresh_sweep(const tac_model *m, tac_refresh *f, tac_work *w, real *y)
{
    const int exact = m->options.friction == TAC_FRICTION_EXACT;
    for (uint32_t i = 0; i < REFRESH_SWEEPS && i < m->options.max_sweeps; i++) {
        real size = R(0.0), moved = R(0.0);
        for (uint16_t at = 0; at < f->bodies && f->along > 0; at++) {
            const uint16_t joint = f->joint[at];
            if (joint == TAC_NONE || f->of[joint].keys == 0) { continue; }
            moved += refresh_visit_along(f, JOINT_LINK(w) + joint, &f->of[joint], y, &size);
        }
        for (uint16_t k = 0; k < f->contacts; k++) {
            moved += refresh_visit(f, &f->contact[k], w->contact[k].velocity, exact, y, &size);
        }
        w->report.sweeps++;
        if (moved <= REFRESH_PART * REFRESH_PART * size) { return 1; }
    }
    return 0;
}

// Of the efforts that are hard: their work g'u, and g'Cg of what yields there; then their impulses are scaled.
static void refresh_settle_efforts(tac_refresh *f, const tac_work *w, real part, real *work, real *square)
{
    for (uint16_t at = 0; at < f->bodies && f->along > 0; at++) {
        if (f->joint[at] == TAC_NONE || f->of[f->joint[at]].keys == 0) { continue; }
        tac_refresh_joint *x = &f->of[f->joint[at]];
        const tac_joint_block *k = JOINT_LINK(w) + f->joint[at];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *e = &k->interval[b];
            if (refresh_source(x, e, b) != REFRESH_SWEPT || !e->hard) { continue; }
            *work += x->effort[b] * (x->free + e->bias);
            *square += x->soft * x->effort[b] * x->effort[b];
            x->effort[b] *= part;
        }
    }
}

// A solution has g'(u + Wg/2) <= 0, with u the velocities without g, b included: contacts, limits and friction do no
// work but what b asks for, and contacts not that where sweeps have not converged. Impulses that do more, of the last
// step or of such sweeps, are scaled to where it is least. y = Y g is divided into what soft efforts have in it, e, and
// the rest.
static void refresh_settle(const tac_model *m, tac_refresh *f, const tac_work *w, int converged, real *y)
{
    real e[TAC_REFRESH_RATES], work = R(0.0), square = R(0.0);
    for (uint16_t i = 0; i < f->rates; i++) { e[i] = R(0.0); }
    refresh_push_efforts(f, w, R(0.0), e);
    refresh_settle_efforts(f, w, R(1.0), &work, &square);
    for (uint16_t i = 0; i < f->contacts; i++) {
        const tac_refresh_contact *c = &f->contact[i];
        const vec3 g = c->impulse;
        work += v3_dot(g, w->contact[i].velocity);
        square += v3_dot(g, v3_mul(c->soft, g));
        if (!converged && c->yields == R(0.0)) { work -= g.x * real_min(refresh_target(m, c), R(0.0)); }
    }
    for (uint16_t i = 0; i < f->rates; i++) {
        const real x = y[i] - e[i];
        work += x * e[i];
        square += x * x;
    }
    if (!(work + R(0.5) * square > R(0.0))) { return; }
    const real part = work < R(0.0) ? -work / square : R(0.0);
    refresh_settle_efforts(f, w, part, &work, &square);
    for (tac_refresh_contact *c = f->contact, *end = c + f->contacts; c < end; c++) {
        c->impulse = v3_scale(part, c->impulse);
    }
    for (uint16_t i = 0; i < f->rates; i++) { y[i] = e[i] + part * (y[i] - e[i]); }
}

// z of a step without impulses becomes that with impulses.
static void refresh_solve(const tac_model *m, tac_refresh *f, tac_work *w, real *z)
{
    real y[TAC_REFRESH_RATES];
    if (f->contacts + f->along == 0) { return; }
    refresh_warm(m, f, w, z, y);
    refresh_settle(m, f, w, 1, y);
    if (!refresh_sweep(m, f, w, y)) { refresh_settle(m, f, w, 0, y); }
    for (uint16_t i = 0; i < f->rates; i++) { z[i] += y[i]; }
}

// -------------------------------------------------------------------------------------------------------------- motion

// The impulse of an effort in the step; `change`: of the rate. A motor that has left its bounds ends the refresh: the
// next one will give it a row.
static inline real refresh_effort_end(const tac_refresh_joint *x, const tac_interval *e, int b, real change, int *ends)
{
    const int from = refresh_source(x, e, b);
    if (from == REFRESH_SWEPT) { return x->effort[b]; }
    if (from == REFRESH_LAW) { return real_clamp(e->centre, e->lo, e->hi); }
    const real g = from == REFRESH_FACTOR ? e->centre - e->weight * change : R(0.0);
    *ends |= from == REFRESH_FACTOR && !e->hard && !(g >= e->lo && g <= e->hi);
    return g;
}

// Impulses of efforts, in the results and for the next step; `change`: of all rates.
static void refresh_end_efforts(const tac_model *m, tac_refresh *f, const real *change, tac_state *s, tac_work *w)
{
    int ends = 0;
    for (uint16_t at = 0; at < f->bodies; at++) {
        const uint16_t joint = f->joint[at];
        if (joint == TAC_NONE) { continue; }
        const tac_joint_block *k = JOINT_LINK(w) + joint;
        tac_refresh_joint *x = &f->of[joint];
        tac_joint_warm *keep = &JOINT_WARM(s)[joint];
        tac_joint_result *r = &JOINT_RESULT(w)[joint];
        const real along = f->motions[at] > 0 ? refresh_sign(k, f->order[at]) * change[f->last[at]] : R(0.0);
        const real scale = k->scale / m->h;
        r->force = r->torque = V3_ZERO;
        for (int b = 0; b < TAC_EFFORTS; b++) {
            x->effort[b] = keep->interval[b] = refresh_effort_end(x, &k->interval[b], b, along, &ends);
            r->effort[b] = scale * x->effort[b];
        }
    }
    if (ends) { f->left = 1; }
}

// The motion of a hinge in this step, at this rate of its angle: its child from its parent, both in the state, angular
// velocities in the world frame in spin[]. q: the angle, cosine and sine of its half.
static void refresh_move_hinge(const tac_model *m, const tac_joint_block *k, const tac_joint *j, uint16_t self,
                               real rate, real *q, vec3 *spin, tac_state *s)
{
    const int is_b = k->body[1] == self;
    const uint16_t parent = k->body[!is_b];
    const tac_pose *own = &k->frame[is_b], *other = &k->frame[!is_b], *from = &s->pose[parent];
    const quat by = quat_exp_short(v3(R(0.0), R(0.0), m->h * rate));
    const real c = q[1] * by.w - q[2] * by.z, half = q[2] * by.w + q[1] * by.z, sine = is_b ? half : -half;
    q[0] = joint_angle_near(j, q[0] + m->h * rate), q[1] = c, q[2] = half;
    const quat o = quat_mul(from->q, other->q);
    const quat turned = {c * o.w - sine * o.z, c * o.x + sine * o.y, c * o.y - sine * o.x, c * o.z + sine * o.w};
    quat at = quat_mul(turned, quat_conj(own->q));
    quat_unit(&at);
    const vec3 arm = quat_rotate(from->q, other->p), back = quat_rotate(at, own->p);
    const vec3 w = v3_madd(spin[parent], is_b ? rate : -rate, quat_axis_z(turned));
    s->pose[self] = (tac_pose){v3_sub(v3_add(from->p, arm), back), at};
    s->twist[self].v = v3_sub(v3_add(s->twist[parent].v, v3_cross(spin[parent], arm)), v3_cross(w, back));
    s->twist[self].w = quat_rotate_back(at, w);
    spin[self] = w;
}

// A root moves by its velocity at the end of the step.
static void refresh_move_root(const tac_model *m, const real *rate, uint16_t self, vec3 *spin, tac_state *s)
{
    const vec3 w = v3(rate[0], rate[-1], rate[-2]), v = v3(rate[-3], rate[-4], rate[-5]);
    tac_pose *pose = &s->pose[self];
    spin[self] = w;
    pose->p = v3_madd(pose->p, m->h, v);
    pose->q = quat_mul(quat_exp_short(v3_scale(m->h, w)), pose->q);
    quat_unit(&pose->q);
    s->twist[self] = (tac_twist){v, quat_rotate_back(pose->q, w)};
}

// Bodies that no impulse moves: they keep their velocity.
static void refresh_move_led(const tac_model *m, vec3 *spin, tac_state *s)
{
    for (uint16_t i = 0; i < m->bodies; i++) {
        spin[i] = V3_ZERO;
        if (m->body[i].kind != TAC_KINEMATIC) { continue; }
        tac_pose *pose = &s->pose[i];
        spin[i] = quat_rotate(pose->q, s->twist[i].w);
        pose->p = v3_madd(pose->p, m->h, s->twist[i].v);
        pose->q = quat_mul(pose->q, quat_exp_short(v3_scale(m->h, s->twist[i].w)));
        quat_unit(&pose->q);
    }
}

// Rates of the coordinates of a joint: those of b against a, in their own units.
static void refresh_coordinate_rates(const tac_joint_block *k, uint16_t self, const real *rate, int motions, real *dq)
{
    const real sign = refresh_sign(k, self);
    for (int i = 0; i < motions; i++) {
        const int what = JOINT_KIND[k->kind].row[JOINT_KIND[k->kind].constraints + i];
        dq[i] = sign * rate[-i] / (what < JOINT_ABOUT ? R(1.0) : k->length);
    }
}

// The coordinates of a joint but a hinge after a step at these rates. Those of a ball are a quaternion, its rates are
// about the axes of frame a.
static void refresh_advance(const tac_model *m, const tac_joint *j, const real *dq, int motions, real *q)
{
    if (JOINT_KIND[j->kind].turn == TURN_ALL) {
        quat now = quat_mul(quat_exp_short(v3_scale(m->h, v3_of(dq))), coordinates_quat(q));
        quat_unit(&now);
        q[0] = now.w, q[1] = now.x, q[2] = now.y, q[3] = now.z;
        return;
    }
    for (int i = 0; i < motions; i++) { q[i] += m->h * dq[i]; }
}

// The motion of any other joint.
static void refresh_move_joint(const tac_model *m, const tac_joint_block *k, const tac_joint *j, uint16_t self,
                               const real *rate, int motions, real *q, vec3 *spin, tac_state *s)
{
    const int turned = k->body[1] != self;
    real dq[TAC_JOINT_ROWS];
    reals_clear(dq, sizeof dq);
    refresh_coordinate_rates(k, self, rate, motions, dq);
    refresh_advance(m, j, dq, motions, q);
    coordinates_pose(j, k->frame, turned, q, s->pose);
    coordinates_twist(j, k->frame, turned, dq, s);
    spin[self] = quat_rotate(s->pose[self].q, s->twist[self].w);
}

// The finite motion of all bodies, from the roots on.
static void refresh_move(const tac_model *m, tac_refresh *f, const tac_work *w, vec3 *spin, tac_state *s)
{
    refresh_move_led(m, spin, s);
    for (uint16_t at = 0; at < f->bodies; at++) {
        const uint16_t self = f->order[at], joint = f->joint[at];
        const real *rate = &f->rate[f->motions[at] > 0 ? f->last[at] : 0]; // of a joint without motions it is not read
        if (joint == TAC_NONE) {
            refresh_move_root(m, rate, self, spin, s);
            continue;
        }
        const tac_joint *j = &JOINT_OF(m)[joint];
        const tac_joint_block *k = JOINT_LINK(w) + joint;
        if (joint_is_hinge(k->kind)) {
            const real turns = f->motions[at] > 0 ? refresh_sign(k, self) * *rate / k->length : R(0.0);
            refresh_move_hinge(m, k, j, self, turns, f->of[joint].q, spin, s);
        } else {
            refresh_move_joint(m, k, j, self, rate, f->motions[at], f->of[joint].q, spin, s);
        }
    }
}

// Where the points that a contact follows are now: its gap and its velocity.
static void refresh_measure(const tac_model *m, const tac_state *s, const vec3 *spin, tac_refresh_contact *c)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    const int ground = body[0] == 0; // where it always is
    vec3 apart = ground ? v3_scale(R(-1.0), c->at[0]) : V3_ZERO, rate = V3_ZERO;
    for (int side = ground; side < 2; side++) {
        const tac_pose *pose = &s->pose[body[side]];
        const vec3 arm = quat_rotate(pose->q, c->at[side]), at = v3_add(pose->p, arm);
        const vec3 v =
            v3_add(s->twist[body[side]].v, v3_cross(spin[body[side]], v3_add(arm, refresh_beside(m, c, side))));
        apart = side ? v3_add(apart, at) : v3_sub(apart, at);
        rate = side ? v3_add(rate, v) : v3_sub(rate, v);
    }
    c->start = v3(v3_dot(c->n, rate), v3_dot(c->u, rate), v3_dot(c->w, rate));
    c->gap = c->base + v3_dot(c->n, apart);
}

// A contact as a result of the step, which has begun at this gap.
static void refresh_show(const tac_refresh_contact *c, uint8_t mode, real gap, tac_contact *to)
{
    to->id = c->id;
    to->body_a = c->body_a, to->body_b = c->body_b;
    to->mode = mode;
    to->point = c->point;
    to->n = c->n, to->u = c->u, to->w = c->w;
    to->gap = gap, to->mu = c->mu, to->restitution = c->restitution;
    to->stiffness = c->stiffness;
    to->impulse = c->impulse, to->velocity = c->start;
    to->bounce = V3_ZERO;
    ROLLING_SET(to, R(0.0), R(0.0));
    ROLLING_SET_TORQUE(to, V3_ZERO);
}

// Contacts after the step: their results, and what starts the next one.
static void refresh_end_contacts(const tac_model *m, tac_refresh *f, const vec3 *spin, tac_state *s, tac_work *w)
{
    s->warm_count = w->report.contacts = f->contacts;
    s->warm_unsolved = 0;
    for (uint16_t i = 0; i < f->contacts; i++) {
        tac_refresh_contact *c = &f->contact[i];
        tac_warm *g = &s->warm[i];
        const vec3 p = c->impulse;
        const real limit = c->mu * p.x * (R(1.0) - R(8.0) * REAL_EPSILON), gap = c->gap;
        const int open = !(p.x > R(0.0)), sticks = p.y * p.y + p.z * p.z < limit * limit;
        refresh_measure(m, s, spin, c);
        refresh_show(c, open ? TAC_OPEN : sticks ? TAC_STICK : TAC_SLIDE, gap, &w->contact[i]);
        g->id = c->id;
        g->impulse = v3_add(v3_add(v3_scale(p.x, c->n), v3_scale(p.y, c->u)), v3_scale(p.z, c->w));
        ROLLING_SET_TORQUE(g, V3_ZERO);
    }
}

// What a state has beside this motion at the start: low-order parts of sums, impulses of constraints.
static void refresh_forget(const tac_model *m, tac_state *s)
{
    reals_clear(s->compensation, m->bodies * sizeof *s->compensation);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { reals_clear(&JOINT_WARM(s)[i].of, sizeof JOINT_WARM(s)[i].of); }
    joint_account_anew(m, s);
}

// Are all bodies in their ranges? If not, the fault says so, and poses and twists are those of the start of the step.
static int refresh_good(const tac_model *m, tac_state *s, tac_work *w)
{
    tac_fault *fault = &w->report.fault;
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_pose *q = &s->pose[i];
        const tac_twist *t = &s->twist[i];
        if (!check_surely(&m->body[i], q, t, R(0.0))) { check_motion(&m->body[i], q, t, i, fault); }
    }
    if (fault->reason == TAC_REASON_NONE) { return 1; }
    reals_copy(s->pose, JOINT_END(w), m->bodies * sizeof *s->pose);
    reals_copy(s->twist, w->phase.next, m->bodies * sizeof *s->twist);
    return 0;
}

// The motion of all bodies by the rates at the end of the step.
static int refresh_commit(const tac_model *m, tac_refresh *f, vec3 *spin, tac_state *s, tac_work *w)
{
    phase_take(w, TAC_PHASE_NEXT);
    reals_copy(JOINT_END(w), s->pose, m->bodies * sizeof *s->pose);
    reals_copy(w->phase.next, s->twist, m->bodies * sizeof *s->twist);
    refresh_move(m, f, w, spin, s);
    real fast = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) { fast = real_max(fast, v3_norm_inf(spin[i])); }
    f->turned += m->h * fast;
    if (f->turned > REFRESH_TURN || m->h * fast > REFRESH_FAST) { f->left = 1; }
    return refresh_good(m, s, w);
}

// Are motors that the factor has without bounds still well between these under the input of this step?
static int refresh_serves(const tac_refresh *f, const tac_work *w)
{
    int serves = 1;
    for (uint16_t at = 0; at < f->bodies; at++) {
        if (f->joint[at] == TAC_NONE) { continue; }
        const tac_interval *e = &JOINT_LINK(w)[f->joint[at]].interval[TAC_EFFORT_MOTOR];
        if (refresh_source(&f->of[f->joint[at]], e, TAC_EFFORT_MOTOR) != REFRESH_FACTOR) { continue; }
        serves &= !interval_bounded(e) || (!e->hard && columns_central(e, e->centre, REDUCED_LIKELY));
    }
    return serves;
}

// Intervals and z of a step, after a refresh where it is due, which has made both. Where the shared one does not serve
// this input another one follows. Returns 0 if the step has to be a full one.
static int refresh_prepare(const tac_model *m, const tac_input *input, const refresh_options *o, const tac_state *s,
                           tac_work *w, tac_refresh *f, real *z)
{
    int serves = f->left > 0;
    if (serves) {
        refresh_joints(m, s, input, w);
        if (!refresh_efforts(m, input, f, w, z)) { return 0; }
        serves = !f->shared || refresh_serves(f, w);
        if (!serves) { refresh_begin(f); }
    }
    if (!serves) {
        if (!refresh_make(m, s, input, o, w, f)) { return 0; }
        for (uint16_t i = 0; i < f->rates; i++) { z[i] = R(0.0); }
    }
    f->shared = 0;
    for (uint16_t i = 0; i < f->rates; i++) { z[i] += f->given[i]; }
    for (uint16_t i = 0; i < f->rates && f->parts; i++) { z[i] += f->apart[i]; }
    return 1;
}

// What a step with kept dynamics ends with.
enum { REFRESH_TAKEN, REFRESH_FULL, REFRESH_REFUSED };

// A step with kept dynamics, after a refresh where it is due; the input and, at the first one, the state have been
// checked. Returns REFRESH_FULL, with nothing changed, if it has to be a full one; REFRESH_REFUSED, with the state as
// it was and the fault in the report, if the next state would not be finite or leave its ranges.
static inline int refresh_step(const tac_model *m, const tac_input *input, const refresh_options *o, tac_state *s,
                               tac_work *w, tac_refresh *f)
{
    real z[TAC_REFRESH_RATES];
    vec3 spin[TAC_MAX_BODIES + 1];
    const int made = refresh_prepare(m, input, o, s, w, f, z);
    w->open = 0;
    bytes_clear(&w->report, sizeof w->report);
    if (!made) {
        refresh_begin(f);
        return REFRESH_FULL;
    }
    refresh_solve(m, f, w, z);
    refresh_down(f, z);
    for (uint16_t i = 0; i < f->rates; i++) { f->rate[i] += z[i]; }
    refresh_end_efforts(m, f, z, s, w);
    if (!refresh_commit(m, f, spin, s, w)) {
        refresh_begin(f);
        return REFRESH_REFUSED;
    }
    refresh_end_contacts(m, f, spin, s, w);
    if (f->parts) { refresh_forget(m, s); }
    s->step++;
    f->parts = 0;
    f->left--;
    return REFRESH_TAKEN;
}

#endif

#endif
