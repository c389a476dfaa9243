// SPDX-License-Identifier: MIT
// robots.h - scenes with joints and motors. Each fits the default capacities with TAC_MAX_JOINTS 16 and TAC_MAX_FILL
// 128.
#ifndef ROBOTS_H
#define ROBOTS_H

#include "scenes.h"

extern const scene robots[];
extern const unsigned robot_count;

/// The scene of that name, or NULL.
const scene *robot_find(const char *name);

#endif
