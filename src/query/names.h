// SPDX-License-Identifier: MIT
// names.h - text for faults and for the entries of the layout.
//   given   the tables of tactus/faults.h
//   makes   a string
//   bound   one pass over the list
//   never   stores pointers: one string that holds all texts needs no relocation
#ifndef QUERY_NAMES_H
#define QUERY_NAMES_H

#include "../base/real.h"

// The tables of tactus/faults.h; "?" follows the last text.
#if TAC_MAX_JOINTS > 0
#define NAMES_JOINT TAC_TABLE_TEXT
#define NAMES_FIELDS TAC_FIELDS
#else
#define NAMES_JOINT TAC_TABLE_NOTHING
#define NAMES_FIELDS TAC_FIELD_JOINT_KIND
#endif
static const char NAMES_FIELD[] = TAC_FIELD_TABLE(TAC_TABLE_TEXT, NAMES_JOINT) "?";
static const char NAMES_REASON[] = TAC_REASON_TABLE(TAC_TABLE_TEXT) "?";

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
