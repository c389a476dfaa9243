// SPDX-License-Identifier: MIT
// schema.h - the JSON schemas of the messages: those of Foxglove that it draws, and our own.
#ifndef TACTUS_LOG_SCHEMA_H
#define TACTUS_LOG_SCHEMA_H

#include "bytes.h"

/// The schema of a message by its title, as foxglove.FrameTransforms; its text.
bytes schema_of(const char *title);

#endif
