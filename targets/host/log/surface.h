// SPDX-License-Identifier: MIT
// surface.h - the surface of a shape as triangles, in the shape's frame.
#ifndef TACTUS_LOG_SURFACE_H
#define TACTUS_LOG_SURFACE_H

#include "bytes.h"
#include "values.h"

/// All zero: empty. Corners are float32: three of the point (m), three of the normal; counter-clockwise from outside.
typedef struct surface {
    bytes corner, triangle; ///< of `triangle` three uint32 each
    uint32_t corners, triangles;
    float low[3], high[3]; ///< bounds of the points
} surface;

/// reach: m, half a side of the square that stands for a half-space.
void surface_of_shape(surface *s, const tac_model *model, const tac_shape *shape, double reach);

/// The box that has the inertia of a body, in its principal frame.
void surface_of_inertia(surface *s, const tac_body *body);

float surface_coordinate(const surface *s, uint32_t corner, int k);
uint32_t surface_index(const surface *s, uint32_t k);
void surface_free(surface *s);

/// m  how far bodies and shapes reach from the origin, half-spaces left out; at least a millimetre
double surface_reach(const tac_model *model);

#endif
