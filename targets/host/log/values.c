// SPDX-License-Identifier: MIT
#include "values.h"

#include <inttypes.h>
#include <math.h>

uint32_t log_joints(const tac_model *model)
{
#if TAC_MAX_JOINTS > 0
    return model->joints;
#else
    (void)model;
    return 0;
#endif
}

const char *log_unit(uint8_t kind)
{
    switch (kind) {
    case TAC_REVOLUTE:
    case TAC_SCREW:
    case TAC_TWIST:
    case TAC_SWING:
    case TAC_ROTATION:
    case TAC_TURN:
        return "rad";
    case TAC_PRISMATIC:
    case TAC_TRANSLATION:
    case TAC_DISTANCE:
        return "m";
    default:
        return NULL;
    }
}

unsigned log_switch(const tac_model *model, const tac_state *state, uint32_t i)
{
#if TAC_SWITCHES
    const unsigned begins = model->joint[i].switched;
    return begins == TAC_JOINT_ALWAYS || state == NULL ? begins : state->switched[i].is;
#else
    (void)model, (void)state, (void)i;
    return TAC_JOINT_ALWAYS;
#endif
}

const char *log_name(const char *const *names, uint32_t i, const char *otherwise, char room[LOG_NAME])
{
    if (names != NULL && names[i] != NULL) return names[i];
    snprintf(room, LOG_NAME, "%s%" PRIu32, otherwise, i);
    return room;
}

const char *log_body_name(const tactus_log_about *about, uint32_t i, char room[LOG_NAME])
{
    return i == 0 && (about->body == NULL || about->body[0] == NULL) ? "ground"
                                                                     : log_name(about->body, i, "body_", room);
}

uint32_t log_contacts(const tac_state *state, const tac_work *work)
{
    return state->step > 0 ? work->report.contacts : 0;
}

tac_vec3 log_world(const tac_contact *c, tac_vec3 v)
{
    return (tac_vec3){c->n.x * v.x + c->u.x * v.y + c->w.x * v.z, c->n.y * v.x + c->u.y * v.y + c->w.y * v.z,
                      c->n.z * v.x + c->u.z * v.y + c->w.z * v.z};
}

tac_vec3 log_impulse(const tac_contact *c)
{
    return log_world(c, (tac_vec3){c->impulse.x + c->bounce.x, c->impulse.y + c->bounce.y, c->impulse.z + c->bounce.z});
}

tac_vec3 log_force(const tac_model *model, const tac_contact *c)
{
    const tac_vec3 p = log_impulse(c);
    return (tac_vec3){p.x / model->h, p.y / model->h, p.z / model->h};
}

tac_vec3 log_slip(const tac_contact *c)
{
    return log_world(c, (tac_vec3){0, c->velocity.y, c->velocity.z});
}

static tac_real half_side(tac_real mass, tac_real a, tac_real b, tac_real c)
{
    return mass > 0 && b + c > a ? (tac_real)sqrt(1.5 * (double)(b + c - a) / (double)mass) : 0;
}

tac_vec3 log_inertia_box(const tac_body *b)
{
    const tac_vec3 m = b->inertia;
    return (tac_vec3){half_side(b->mass, m.x, m.y, m.z), half_side(b->mass, m.y, m.z, m.x),
                      half_side(b->mass, m.z, m.x, m.y)};
}
