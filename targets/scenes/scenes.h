// SPDX-License-Identifier: MIT
// scenes.h - worlds that tests, demos and benches share. Each fits the default capacities.
#ifndef SCENES_H
#define SCENES_H

#include "tactus/tactus.h"

typedef struct scene {
    const char *name;
    const char *about;
    uint32_t steps;                        ///< the steps that the scene is made for
    uint16_t contacts;                     ///< most at a time, by any method, those included that are dropped
    tac_status (*build)(tac_model *model); ///< writes the whole model and seals it
    void (*drive)(const tac_model *model, uint32_t step, tac_input *input); ///< writes the input of a step; may be NULL
} scene;

extern const scene scenes[];
extern const unsigned scene_count;

/// The scene of that name, or NULL.
const scene *scene_find(const char *name);

#endif
