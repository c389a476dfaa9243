// SPDX-License-Identifier: MIT
// names.h - text for faults.
//   given   TAC_FIELD_*, TAC_REASON_*
//   makes   a word
//   bound   constant
//   never   holds pointers: rows of characters need no relocation
#ifndef QUERY_NAMES_H
#define QUERY_NAMES_H

#include "verify.h"

static const char NAMES_FIELD[TAC_FIELDS][24] = {
    "none", "pointer", "count", "hash", "h", "gravity", "options", "body.kind", "body.mass", "body.inertia",
    "body.inertial", "body.pose", "body.velocity", "shape.kind", "shape.body", "shape.pose", "shape.size",
    "shape.material", "material.friction", "material.restitution", "material.rule", "material_pair", "action.body",
    "action.kind", "action", "carry", "contact", "impulse", "result"};

static const char NAMES_REASON[TAC_REASONS][32] = {
    "none", "is NULL", "is out of range", "is not finite", "is not positive", "is not of unit length",
    "breaks the triangle inequality", "belongs to another", "is full", "is a half-space that moves",
    "is ground or should be", "is out of order"};

#endif
