// SPDX-License-Identifier: MIT
// image_model.h - a model as a list of elements: its head, then each of its tables.
//   given   the model, or its elements
//   makes   the elements, or the model
//   bound   an element is constant
//   never   checks values, which the kernel does
#ifndef TACTUS_LINK_IMAGE_MODEL_H
#define TACTUS_LINK_IMAGE_MODEL_H

#include "link/wire.h"

int image_model_over(const tac_model *model); ///< IMAGE_FITS, or a count that exceeds its capacity: TAC_COUNT_*
uint32_t image_model_count(const tac_model *model);
void image_model_put(wire_writer *w, const tac_model *model, uint32_t element);

/// Returns IMAGE_FITS, or a count that exceeds its capacity: TAC_COUNT_*, IMAGE_LAWS, IMAGE_SWITCHES.
int image_model_get(wire_reader *r, tac_model *model, uint32_t element);

#endif
