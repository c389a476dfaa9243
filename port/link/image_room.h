// SPDX-License-Identifier: MIT
// image_room.h - counts compared with the capacities of this build.
//   given   TAC_COUNT_* and a number
//   makes   IMAGE_FITS, or the count that exceeds its capacity
//   bound   constant
//   never   accepts a count that exceeds the capacity of its table
#ifndef TACTUS_LINK_IMAGE_ROOM_H
#define TACTUS_LINK_IMAGE_ROOM_H

#include <stdint.h>

/// No count exceeds its capacity.
enum { IMAGE_FITS = -1 };

/// Counted beside the tables of TAC_COUNT_*: directions of friction and static friction of a model (TAC_FRICTION_LAWS),
/// joints that may be switched (TAC_SWITCHES). A build without that knob has room for none.
enum { IMAGE_LAWS = 64, IMAGE_SWITCHES };

/// Returns IMAGE_FITS, or `which` (TAC_COUNT_*, or one of the two above) if its table has a capacity below `count`.
int image_fits(int which, uint32_t count);

#endif
