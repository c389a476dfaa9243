// SPDX-License-Identifier: MIT
// shown.c - what is drawn and written of a world of the page, as numbers in a row.
#include "shown.h"

static float *put(float *to, tac_real x)
{
    *to = (float)x;
    return to + 1;
}

static float *put_vector(float *to, tac_vec3 v)
{
    return put(put(put(to, v.x), v.y), v.z);
}

static float *put_pose(float *to, tac_pose pose)
{
    to = put_vector(to, pose.p);
    return put(put(put(put(to, pose.q.w), pose.q.x), pose.q.y), pose.q.z);
}

// The mass of all dynamic bodies, and the centre of it.
static void centre(const world_of_page *p, double *to)
{
    double mass = 0, sum[3] = {0, 0, 0};
    for (uint16_t i = 1; i < p->model.bodies; i++) {
        const double m = p->model.body[i].kind == TAC_DYNAMIC ? (double)p->model.body[i].mass : 0;
        const tac_vec3 at = p->state.pose[i].p;
        mass += m;
        sum[0] += m * (double)at.x;
        sum[1] += m * (double)at.y;
        sum[2] += m * (double)at.z;
    }
    to[0] = mass;
    for (int k = 0; k < 3; k++) { to[1 + k] = mass > 0 ? sum[k] / mass : 0; }
}

// Energies of the state itself; the rest is of the step that has led to it.
void show_report(const world_of_page *p, double *to)
{
    const tac_report *r = &p->work.report;
    const int taken = p->state.step > 0;
    tac_real kinetic, potential;

    tac_energy(&p->model, &p->state, &kinetic, &potential);
    *to++ = (double)p->state.step;
    *to++ = (double)p->model.h;
    *to++ = taken ? r->status : 0;
    *to++ = taken ? r->contacts : 0;
    *to++ = taken ? r->dropped : 0;
    *to++ = taken ? r->sweeps : 0;
    *to++ = taken ? (double)r->residual : 0;
    *to++ = taken ? (double)r->penetration : 0;
    *to++ = taken ? (double)r->joint_error : 0;
    *to++ = (double)kinetic;
    *to++ = (double)potential;
    *to++ = taken && r->stages > 0 ? r->stage[r->stages - 1].engine : -1;
    *to++ = taken ? r->friction : 0;
    *to++ = (double)(uint32_t)tac_state_hash(&p->model, &p->state);
    *to++ = (double)(uint32_t)(tac_state_hash(&p->model, &p->state) >> 32);
    centre(p, to);
}

uint32_t show_poses(const world_of_page *p, float *to)
{
    for (uint16_t i = 0; i < p->model.bodies; i++) { to = put_pose(to, tac_state_get_pose(&p->model, &p->state, i)); }
    return p->model.bodies;
}

static tac_vec3 in_world(const tac_contact *c, tac_real n, tac_real u, tac_real w)
{
    return (tac_vec3){c->n.x * n + c->u.x * u + c->w.x * w, c->n.y * n + c->u.y * u + c->w.y * w,
                      c->n.z * n + c->u.z * u + c->w.z * w};
}

uint32_t show_contacts(const world_of_page *p, float *to)
{
    const uint32_t count = p->state.step > 0 ? p->work.report.contacts : 0;
    const tac_real rate = (tac_real)1 / p->model.h;

    for (uint32_t i = 0; i < count; i++) {
        const tac_contact *c = &p->work.contact[i];
        to = put_vector(to, c->point);
        to = put_vector(to, in_world(c, rate * (c->impulse.x + c->bounce.x), rate * (c->impulse.y + c->bounce.y),
                                     rate * (c->impulse.z + c->bounce.z)));
        to = put_vector(to, in_world(c, 0, c->velocity.y, c->velocity.z));
        to = put(put(put(to, c->mode), c->gap), c->body_b);
    }
    return count;
}

// Half a side of the box of even density that has a body's mass and inertia, squared: a, of the moments about a, b and
// c.
static tac_real half_side(tac_real mass, tac_real a, tac_real b, tac_real c)
{
    return mass > 0 && b + c > a ? (tac_real)1.5 * (b + c - a) / mass : 0;
}

uint32_t show_bodies(const tac_model *model, float *to)
{
    for (uint16_t i = 0; i < model->bodies; i++) {
        const tac_body *b = &model->body[i];
        const tac_vec3 m = b->inertia;
        to = put_pose(put(to, b->kind), b->inertial);
        to = put(to, half_side(b->mass, m.x, m.y, m.z));
        to = put(put(to, half_side(b->mass, m.y, m.z, m.x)), half_side(b->mass, m.z, m.x, m.y));
    }
    return model->bodies;
}

uint32_t show_shapes(const tac_model *model, float *to)
{
    for (uint16_t i = 0; i < model->shapes; i++) {
        const tac_shape *s = &model->shape[i];
        to = put_pose(put(put(to, s->kind), s->body), s->pose);
        to = put(put_vector(to, s->size), s->rounding);
        to = put(put(to, s->data), s->material);
    }
    return model->shapes;
}

uint32_t show_joints(const tac_model *model, float *to)
{
    for (uint32_t i = 0; i < model->joints; i++) {
        const tac_joint *j = &model->joint[i];
        to = put_pose(put(put(put(to, j->kind), j->body_a), j->body_b), j->frame_a);
        to = put(put_pose(to, j->frame_b), j->switched);
    }
    return model->joints;
}

uint32_t show_switches(const world_of_page *p, uint8_t *to)
{
    for (uint32_t i = 0; i < p->model.joints; i++) {
        const int may = p->model.joint[i].switched != TAC_JOINT_ALWAYS;
        to[i] = (uint8_t)(may ? p->state.switched[i].is : TAC_JOINT_ALWAYS);
    }
    return p->model.joints;
}

// Of each face those triangles that its first corner sees.
uint32_t show_polyhedron(const tac_model *model, uint32_t i, float *to)
{
    const tac_polyhedron *p = &model->polyhedron[i];
    const tac_vec3 *point = &model->point[p->first_point];
    uint32_t count = 0;

    for (uint16_t f = 0; f < p->faces; f++) {
        const tac_face *face = &model->face[p->first_face + f];
        const tac_edge *edge = &model->edge[p->first_edge + face->first];
        for (uint16_t k = 2; k < face->edges; k++, count++) {
            to = put_vector(to, point[edge[0].point]);
            to = put_vector(put_vector(to, point[edge[k - 1].point]), point[edge[k].point]);
        }
    }
    return count;
}

static tac_vec3 sample(const tac_model *model, const tac_height_field *f, uint32_t i, uint32_t j)
{
    return (tac_vec3){(tac_real)i * f->dx, (tac_real)j * f->dy,
                      (tac_real)model->height[f->first + i + f->columns * j] * f->scale};
}

uint32_t show_height_field(const tac_model *model, uint32_t index, float *to)
{
    const tac_height_field *f = &model->field[index];

    for (uint32_t j = 0; j + 1 < f->rows; j++) {
        for (uint32_t i = 0; i + 1 < f->columns; i++) {
            const tac_vec3 a = sample(model, f, i, j), b = sample(model, f, i + 1, j);
            const tac_vec3 c = sample(model, f, i + 1, j + 1), d = sample(model, f, i, j + 1);
            to = put_vector(put_vector(put_vector(to, a), b), c);
            to = put_vector(put_vector(put_vector(to, a), c), d);
        }
    }
    return 2u * (f->rows - 1u) * (f->columns - 1u);
}
