// SPDX-License-Identifier: MIT
// image_room.h - is there room for so many elements?
//   given   TAC_COUNT_* and a number
//   makes   IMAGE_FITS, or what there is no room for
//   bound   constant
//   never   lets a count through that a table has no room for
#ifndef TACTUS_LINK_IMAGE_ROOM_H
#define TACTUS_LINK_IMAGE_ROOM_H

#include <stdint.h>

/// All elements have room.
enum { IMAGE_FITS = -1 };

/// Returns IMAGE_FITS, or `which` if its table has no room for `count` elements.
int image_fits(int which, uint32_t count);

#endif
