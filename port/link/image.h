// SPDX-License-Identifier: MIT
// image.h - a model, state, input or set of contacts as a list of elements, each small enough for one frame.
//   given   the object, or its elements from 0 upwards
//   makes   the elements, or the object; README.md has the bytes of each
//   bound   an element is constant
//   never   checks values, which the kernel does; only counts are compared with the capacities
#ifndef TACTUS_LINK_IMAGE_H
#define TACTUS_LINK_IMAGE_H

#include "link/image_room.h"
#include "link/wire.h"
#include "tactus/predict.h"

/// Results of the joints in the last step, in their order. `result` points to the array of a tac_work; it is NULL if
/// TAC_MAX_JOINTS is 0.
typedef struct image_joints {
    tac_joint_result *result;
    uint16_t count; ///< in use; 0 if no step has been taken
} image_joints;

/// What `object` points to: tac_model, tac_state, tac_input, tac_work (only its contacts are used), image_joints,
/// image_measured.
typedef enum image_kind {
    IMAGE_NONE,
    IMAGE_MODEL,
    IMAGE_STATE,
    IMAGE_INPUT,
    IMAGE_CONTACTS,
    IMAGE_JOINTS,
    IMAGE_PACKED,  ///< a packed state: bytes without elements, server.c
    IMAGE_MEASURED ///< with TAC_PREDICT
} image_kind;

#if TAC_PREDICT

/// Bytes of the longest packed state: a state's own, a mask for each contact and joint, head and end.
#define IMAGE_MAX_PACKED (sizeof(tac_state) + TAC_MAX_CONTACTS + 2 * TAC_MAX_JOINTS + 32)

/// What sensors of a robot say at one time.
typedef struct image_measured {
    uint64_t step; ///< of the state that it becomes: the number of the control period
    tac_measured base;
    tac_joint_state joint[TAC_MAX_JOINTS > 0 ? TAC_MAX_JOINTS : 1]; ///< as many as the model has
} image_measured;

#endif

/// Counts of the model that a state or what is measured belongs to, because their heads do not contain them. The other
/// kinds ignore them.
typedef struct image_world {
    uint16_t bodies; ///< ground included
    uint16_t joints;
    uint16_t switches; ///< as joints, if any of them may be switched; else 0
} image_world;

image_world image_world_of(const tac_model *model);

/// Do these counts fit into the capacities? Returns as image_get().
int image_world_fits(image_world world);

/// Does a count of this model, state or input exceed its capacity? Returns as image_get().
int image_over(image_kind kind, const void *object, image_world world);

/// Elements of an object: element 0 is its head, which holds the counts of the others.
uint32_t image_count(image_kind kind, const void *object, image_world world);

void image_put(image_kind kind, const void *object, image_world world, wire_writer *w, uint32_t element);

/// Returns IMAGE_FITS or, if a count exceeds its capacity, which one: TAC_COUNT_*, IMAGE_LAWS, IMAGE_SWITCHES. The
/// object must not be used then.
int image_get(image_kind kind, void *object, image_world world, wire_reader *r, uint32_t element);

#endif
