// SPDX-License-Identifier: MIT
// gltf.h - an animation as one binary file of glTF 2.0: a node a shape under a node a body.
#ifndef TACTUS_LOG_GLTF_H
#define TACTUS_LOG_GLTF_H

#include "bytes.h"
#include "values.h"

typedef struct gltf {
    bytes times, poses; ///< float32, of each step: seconds; of each body position and quaternion x, y, z, w
    uint32_t steps;
    float first, last; ///< s
} gltf;

void gltf_step(gltf *g, const tac_model *model, const tac_state *state);

/// Writes the file, which stays open, and frees the steps. Returns 0 if there was no memory, or if it is longer than 4
/// GB.
int gltf_close(gltf *g, FILE *file, const tac_model *model, const tactus_log_about *about);

#endif
