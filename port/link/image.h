// SPDX-License-Identifier: MIT
// image.h - a model, state, input or set of contacts as a list of elements, each small enough for one frame.
//   given   the object, or its elements from 0 upwards
//   makes   the elements, or the object; README.md has the bytes of each
//   bound   an element is constant
//   never   checks values: that is left to the kernel; only counts are held against the capacities
#ifndef TACTUS_LINK_IMAGE_H
#define TACTUS_LINK_IMAGE_H

#include "link/wire.h"

/// What `object` points to: tac_model, tac_state, tac_input, tac_work (of which only the contacts are seen).
typedef enum image_kind { IMAGE_NONE, IMAGE_MODEL, IMAGE_STATE, IMAGE_INPUT, IMAGE_CONTACTS } image_kind;

/// Elements of an object: element 0 is its head, which holds the counts of the others.
///   bodies   of the model that it belongs to
uint32_t image_count(image_kind kind, const void *object, uint16_t bodies);

void image_put(image_kind kind, const void *object, uint16_t bodies, wire_writer *w, uint32_t element);

/// Returns 0 if the head names more elements than there is room for; the object is then of no use.
int image_get(image_kind kind, void *object, uint16_t bodies, wire_reader *r, uint32_t element);

#endif
