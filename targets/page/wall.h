// SPDX-License-Identifier: MIT
// wall.h - the scene that needs more room than those of targets/scenes: a hundred bricks, and a ball that flies at
// them.
#ifndef PAGE_WALL_H
#define PAGE_WALL_H

#include "scenes.h"

extern const scene wall_scene;

#endif
