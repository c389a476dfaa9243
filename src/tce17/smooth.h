// SPDX-License-Identifier: MIT
// smooth.h - whether a model needs no complementarity conditions.
//   given   a model
//   makes   a status and the first fault: two shapes that may collide, a knife edge, a joint with dry friction
//   bound   pairs of shapes, each with all exclusions and joints
//   never   looks at the poses of bodies
#ifndef TCE17_SMOOTH_H
#define TCE17_SMOOTH_H

#include "../geometry/contacts.h"
#include "../model/check.h"

#if TAC_DAE

static int smooth_takes(int it)
{
    return it ? TAC_REASON_NONE : TAC_REASON_METHOD;
}

static int smooth_may_collide(const tac_model *m, const tac_state *s, const tac_shape *a, const tac_shape *b)
{
    return contacts_may_meet(m, a, b) && !contacts_excluded(m, a, b) && !joint_parts(m, s, a->body, b->body);
}

static tac_status smooth_model(const tac_model *m, const tac_state *s, tac_fault *fault)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        check_note(smooth_takes(!joint_is_edge(JOINT_OF(m)[i].kind)), TAC_FIELD_JOINT_KIND, i, fault);
        check_note(smooth_takes(!(JOINT_OF(m)[i].friction > R(0.0))), TAC_FIELD_JOINT_FRICTION, i, fault);
        check_note(smooth_takes(!SWITCH_MAY(&JOINT_OF(m)[i])), TAC_FIELD_JOINT_SWITCH, i, fault);
    }
    for (uint16_t i = 0; i < m->shapes; i++) {
        for (uint16_t k = 0; k < i; k++) {
            check_note(smooth_takes(!smooth_may_collide(m, s, &m->shape[k], &m->shape[i])), TAC_FIELD_CONTACT, i,
                       fault);
        }
    }
    return fault->reason ? TAC_E_MODEL : TAC_OK;
}

#endif

#endif
