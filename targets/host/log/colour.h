// SPDX-License-Identifier: MIT
// colour.h - colours of shapes and bodies, those of the page.
#ifndef TACTUS_LOG_COLOUR_H
#define TACTUS_LOG_COLOUR_H

#include "log.h"

/// Red, green, blue, opacity, 0 .. 1: the one that was given, else by body; the ground and half-spaces are grey.
void colour_of_shape(const tac_model *model, const tactus_log_about *about, uint32_t shape, float *colour);
void colour_of_body(const tac_model *model, uint32_t body, float *colour);

#endif
