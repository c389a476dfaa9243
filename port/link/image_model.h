// SPDX-License-Identifier: MIT
// image_model.h - a model as a list of elements: its head, then each of its tables.
//   given   the model, or its elements
//   makes   the elements, or the model
//   bound   an element is constant
//   never   checks values, as image.h
#ifndef TACTUS_LINK_IMAGE_MODEL_H
#define TACTUS_LINK_IMAGE_MODEL_H

#include "link/image.h"

int image_model_over(const tac_model *model); ///< as image_over()
uint32_t image_model_count(const tac_model *model);
void image_model_put(wire_writer *w, const tac_model *model, uint32_t element);

/// As image_get().
int image_model_get(wire_reader *r, tac_model *model, uint32_t element);

#endif
