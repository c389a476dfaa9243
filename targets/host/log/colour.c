// SPDX-License-Identifier: MIT
#include "colour.h"

#include <string.h>

static void take(uint32_t rgb, float *colour)
{
    for (int k = 0; k < 3; k++) colour[k] = (float)(rgb >> 8 * (2 - k) & 255u) / 255.0f;
    colour[3] = 1.0f;
}

void colour_of_body(const tac_model *model, uint32_t body, float *colour)
{
    static const uint32_t palette[] = {0x4f7cac, 0xd98c5f, 0x6aa84f, 0xa86fb0, 0xd4b13f, 0x5fb3b3, 0xc25b6a, 0x8a8f98};

    take(model->body[body].kind == TAC_DYNAMIC ? palette[body % 8] : 0xaab2bd, colour);
}

void colour_of_shape(const tac_model *model, const tactus_log_about *about, uint32_t shape, float *colour)
{
    const tac_shape *s = &model->shape[shape];

    if (about->colour != NULL)
        memcpy(colour, about->colour[shape], 4 * sizeof *colour);
    else if (s->kind == TAC_HALF_SPACE)
        take(0xe9edf2, colour);
    else
        colour_of_body(model, s->body, colour);
}
