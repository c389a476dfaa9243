// SPDX-License-Identifier: MIT
// names.h - text for faults.
//   given   TAC_FIELD_*, TAC_REASON_*
//   makes   a word
//   bound   one pass over the list
//   never   holds pointers: a list of words in one string needs no relocation
#ifndef QUERY_NAMES_H
#define QUERY_NAMES_H

#include "spread.h"

// In the order of the enumerations; "?" follows the last.
static const char NAMES_FIELD[] =
    "none\0pointer\0count\0hash\0configuration\0h\0gravity\0options\0body.kind\0body.mass\0body.inertia\0body.inertial\0body.pose\0"
    "body.velocity\0shape.kind\0shape.body\0shape.pose\0shape.size\0shape.rounding\0shape.data\0shape.material\0"
    "material.friction\0material.restitution\0material.rule\0material_pair\0exclusion\0polyhedron\0point\0face\0"
    "edge\0node\0field\0height\0action.body\0action.kind\0action\0carry\0contact\0impulse\0result\0"
    "material.spinning\0material.rolling\0"
#if TAC_MAX_JOINTS > 0
    "joint.kind\0joint.body\0joint.frame\0joint.length\0joint.limit\0joint\0motor.joint\0motor.kind\0motor\0"
#endif
    "?";

#define NAMES_FIELDS (TAC_MAX_JOINTS > 0 ? TAC_FIELDS : TAC_FIELD_JOINT_KIND)

static const char NAMES_REASON[] =
    "none\0is NULL\0is out of range\0is not finite\0is not positive\0is not of unit length\0"
    "breaks the triangle inequality\0belongs to another\0differs between application and kernel\0is full\0may not move\0"
    "is ground or should be\0is out of order\0is of another kind\0is outside its bounds\0is not its plane\0"
    "is not closed\0is no tree\0?";

#define NAMES_ENTRY(entry) #entry "\0"
static const char NAMES_LAYOUT[] = TAC_LAYOUT(NAMES_ENTRY) "?";

static const char *names_word(const char *list, uint32_t index, uint32_t count)
{
    for (uint32_t i = 0; i < index && i < count; i++) {
        while (*list++ != '\0') {}
    }
    return list;
}

#endif
