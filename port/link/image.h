// SPDX-License-Identifier: MIT
// image.h - a model, state, input or set of contacts as a list of elements, each small enough for one frame.
//   given   the object, or its elements from 0 upwards
//   makes   the elements, or the object; README.md has the bytes of each
//   bound   an element is constant
//   never   checks values: that is left to the kernel; only counts are held against the capacities
#ifndef TACTUS_LINK_IMAGE_H
#define TACTUS_LINK_IMAGE_H

#include "link/image_room.h"
#include "link/wire.h"

/// Results of the joints in the last step, in their order. `result` belongs to whoever fills this in: that of a
/// tac_work, NULL where TAC_MAX_JOINTS is 0.
typedef struct image_joints {
    tac_joint_result *result;
    uint16_t count; ///< in use; 0 if no step has been taken
} image_joints;

/// What `object` points to: tac_model, tac_state, tac_input, tac_work (of which only the contacts are seen),
/// image_joints.
typedef enum image_kind { IMAGE_NONE, IMAGE_MODEL, IMAGE_STATE, IMAGE_INPUT, IMAGE_CONTACTS, IMAGE_JOINTS } image_kind;

/// Counts of the model that a state belongs to, which its head does not say. The other kinds do not look at them.
typedef struct image_world {
    uint16_t bodies; ///< ground included
    uint16_t joints;
} image_world;

image_world image_world_of(const tac_model *model);

/// Is there room for a state of it? Returns as image_get().
int image_world_fits(image_world world);

/// Does a count of this model, state or input exceed its room? Returns as image_get().
int image_over(image_kind kind, const void *object, image_world world);

/// Elements of an object: element 0 is its head, which holds the counts of the others.
uint32_t image_count(image_kind kind, const void *object, image_world world);

void image_put(image_kind kind, const void *object, image_world world, wire_writer *w, uint32_t element);

/// Returns IMAGE_FITS or, if the head names more elements than there is room for, of what: TAC_COUNT_*. The object is then of no use; its counts are 0 or have room.
int image_get(image_kind kind, void *object, image_world world, wire_reader *r, uint32_t element);

#endif
