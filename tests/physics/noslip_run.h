// SPDX-License-Identifier: MIT
// noslip_run.h - the kernel's steps of two bodies that roll on each other, beside those of noslip.h.
//   given   a pair: surfaces, shapes, a state without slip
//   makes   differences of paths and velocities, drift of energy
//   bound   the steps asked for
//   never   changes the state of one by that of the other
#ifndef NOSLIP_RUN_H
#define NOSLIP_RUN_H

#include "noslip.h"
#include "shapes.h"

enum { NOSLIP_PARTS = 4 }; // steps of noslip.h for a millisecond

/// `held`: the first body is the ground, else a body of its own.
typedef struct rolling {
    noslip_pair pair;
    noslip_state start;
    tac_shape shape[2];
    int held;
} rolling;

typedef struct rolled {
    double path;   // m    most distance from where no-slip rolling is
    double way;    // m    that it has gone
    double speed;  // 1    most difference of velocities over the largest
    double turn;   // 1    the same of angular velocities
    double energy; // 1    most change of energy over the largest kinetic energy; of prescribed motion, against noslip.h
    double gap;    // m    most distance or overlap at the contact
    int lost;      //      steps without force
    double time;   // s    until no-slip rolling would need a pull
} rolled;

static tac_model roll_model;
static tac_state roll_state;
static tac_work roll_work;
static tac_input roll_input;

static const dq ROLL_UPRIGHT = {1, 0, 0, 0};

static rolling roll_blank(void)
{
    rolling r = {0};
    r.pair.gravity = d3_make(0, 0, -9.81);
    r.start.n = d3_make(0, 0, 1);
    for (int i = 0; i < 2; i++) { r.start.q[i] = r.pair.body[i].face.turn = ROLL_UPRIGHT; }
    return r;
}

static void roll_shape(rolling *r, int side, uint8_t kind, d3 size)
{
    tac_shape *s = &r->shape[side];
    *s = tac_shape_make(0, kind, d3_to(size));
    s->pose.p = d3_to(r->pair.body[side].face.at);
    s->pose.q = dq_to(r->pair.body[side].face.turn);
}

/// Puts the second body on the first: on a plane at `on`, else where the first one has the normal n. It does not slip.
static void roll_put(rolling *r, d3 on)
{
    noslip_state *s = &r->start;
    const noslip_surface *a = &r->pair.body[0].face, *b = &r->pair.body[1].face;
    const d3 at = a->kind == NOSLIP_PLANE ? on : d3_add(s->p[0], noslip_arm(a, s->q[0], s->n));
    const d3 arm = noslip_arm(b, s->q[1], d3_scale(-1, s->n));
    s->p[1] = d3_sub(at, arm);
    s->v[1] = d3_add(s->v[0], d3_sub(d3_cross(s->w[0], d3_sub(at, s->p[0])), d3_cross(s->w[1], arm)));
}

static uint16_t roll_body(const rolling *r, int side)
{
    return (uint16_t)(r->held ? side : side + 1);
}

static void roll_begin(const rolling *r, double h)
{
    const noslip_state *s = &r->start;
    tac_model_init(&roll_model);
    roll_model.h = (tac_real)h;
    roll_model.gravity = d3_to(r->pair.gravity);
    tac_model_add_material(&roll_model, 20, 0);
    roll_input.actions = 0;
    for (int i = 0; i < 2; i++) {
        const noslip_body *of = &r->pair.body[i];
        tac_shape shape = r->shape[i];
        if (i < r->held) {
            shape.pose.p = d3_to(d3_add(s->p[i], dq_rotate(s->q[i], of->face.at)));
            shape.pose.q = dq_to(dq_mul(s->q[i], of->face.turn));
        } else {
            tac_body b = tac_body_make(of->mass > 0 ? TAC_DYNAMIC : TAC_KINEMATIC, d3_to(s->p[i]));
            b.pose.q = dq_to(s->q[i]);
            b.mass = (tac_real)of->mass;
            b.inertia = d3_to(of->inertia);
            b.velocity.v = d3_to(s->v[i]);
            b.velocity.w = d3_to(dq_rotate(dq_conjugate(s->q[i]), s->w[i]));
            shape.body = (uint16_t)tac_model_add_body(&roll_model, &b);
        }
        tac_model_add_shape(&roll_model, &shape);
    }
    begin_world(&roll_model, &roll_state);
}

static noslip_state roll_now(const rolling *r)
{
    noslip_state s = r->start;
    for (int i = r->held; i < 2; i++) {
        const uint16_t b = roll_body(r, i);
        s.p[i] = d3_of(roll_state.pose[b].p);
        s.q[i] = dq_of(roll_state.pose[b].q);
        s.v[i] = d3_of(roll_state.twist[b].v);
        s.w[i] = world_rate(&roll_state, b);
    }
    return s;
}

static void roll_step(const rolling *r)
{
    const noslip_state s = roll_now(r);
    const d3 pull = d3_scale(r->pair.spring, d3_sub(s.p[0], s.p[1]));
    roll_input.actions = 0;
    for (int i = r->held; i < 2 && r->pair.spring > 0; i++) {
        const tac_vec3 none = {0, 0, 0};
        const tac_action a = {d3_to(d3_scale(i ? 1 : -1, pull)), none, none, roll_body(r, i), TAC_WRENCH_WORLD};
        roll_input.action[roll_input.actions++] = a;
    }
    shapes_step(&roll_model, &roll_state, &roll_input, &roll_work);
}

// The force along n that no-slip rolling needs, over the weight or the spring.
static double roll_pressed(const rolling *r, const noslip_state *s)
{
    const noslip_state d = noslip_slope(&r->pair, s);
    const noslip_body *b = &r->pair.body[1];
    const d3 pull = d3_add(d3_scale(b->mass, r->pair.gravity), d3_scale(r->pair.spring, d3_sub(s->p[0], s->p[1])));
    return d3_dot(s->n, d3_sub(d3_scale(b->mass, d.v[1]), pull)) / d3_norm(pull);
}

// Is the second body still on its end or on its rim, and not on the side that joins it?
static int roll_stands(const rolling *r, const noslip_state *s)
{
    const noslip_surface *f = &r->pair.body[1].face;
    const d3 d = dq_rotate(dq_conjugate(dq_mul(s->q[1], f->turn)), d3_scale(-1, s->n));
    if (f->kind == NOSLIP_RIM && d.x * d.x + d.y * d.y < 0.04) { return 0; }
    return f->kind == NOSLIP_OVAL || f->size.z == 0 || d.z * f->size.z > 0.2 * d_abs(f->size.z);
}

static int roll_loaded(double *gap)
{
    int loaded = 0;
    for (int i = 0; i < roll_work.report.contacts; i++) {
        const tac_contact *c = &roll_work.contact[i];
        if (!((double)c->impulse.x > 0)) { continue; }
        loaded = 1;
        d_worst(gap, d_abs((double)c->gap));
    }
    return loaded;
}

/// Until `seconds`, or until the contact would open: bodies that part are no matter of rolling.
static rolled roll_run(const rolling *r, double h, double seconds)
{
    const int parts = (int)(NOSLIP_PARTS * h / 1e-3 + 0.5) > 0 ? (int)(NOSLIP_PARTS * h / 1e-3 + 0.5) : 1;
    const int moves = r->pair.body[0].mass == 0 && !r->held;
    noslip_state truth = r->start;
    rolled out = {0};
    double v = 0, w = 0, most = 0;
    roll_begin(r, h);
    for (int k = 0; k < (int)(seconds / h + 0.5); k++) {
        if (roll_pressed(r, &truth) < 0.1 || !roll_stands(r, &truth)) { break; }
        roll_step(r);
        for (int i = 0; i < parts; i++) { noslip_step(&r->pair, &truth, h / parts); }
        const noslip_state s = roll_now(r);
        for (int i = 0; i < 2; i++) {
            d_worst(&out.path, d3_norm(d3_sub(s.p[i], truth.p[i])));
            d_worst(&out.speed, d3_norm(d3_sub(s.v[i], truth.v[i])));
            d_worst(&out.turn, d3_norm(d3_sub(s.w[i], truth.w[i])));
            d_worst(&v, d3_norm(truth.v[i]));
            d_worst(&w, d3_norm(truth.w[i]));
        }
        const noslip_state *from = moves ? &truth : &r->start;
        d_worst(&out.energy, noslip_energy(&r->pair, &s) - noslip_energy(&r->pair, from));
        d_worst(&most, noslip_kinetic(&r->pair, &truth));
        out.way += h * d3_norm(truth.v[1]);
        out.lost += !roll_loaded(&out.gap);
        out.time += h;
    }
    out.speed /= v, out.turn /= w, out.energy = d_abs(out.energy) / most;
    return out;
}

#endif
