// SPDX-License-Identifier: MIT
// room.h - a room whose walls have three materials.
//   given   a model that has three materials
//   makes   six half-spaces that look inwards, so far from the origin
//   bound   six shapes
//   never   seals the model
#ifndef ROOM_H
#define ROOM_H

#include "truth.h"

static inline void room_build(tac_model *m, double far)
{
    for (int i = 0; i < 6; i++) {
        const double sign = i % 2 ? -1 : 1;
        const d3 n = d3_make(i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0);
        tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        const d3 axis = i / 2 == 2 ? d3_make(1, 0, 0) : d3_cross(d3_make(0, 0, 1), n);
        s.pose.p = d3_to(d3_scale(-far, n));
        s.pose.q = dq_to(dq_about(axis, i == 4 ? 0 : i == 5 ? TRUTH_PI : TRUTH_PI / 2));
        s.material = (uint8_t)(i % 3);
        tac_model_add_shape(m, &s);
    }
}

#endif
