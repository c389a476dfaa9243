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
#else
#define NAMES_JOINT(name, text) "\0"
#endif
static const char NAMES_FIELD[] = TAC_FIELD_TABLE(TAC_TABLE_TEXT, NAMES_JOINT) "?";
static const char NAMES_REASON[] = TAC_REASON_TABLE(TAC_TABLE_TEXT) "?";
static const char NAMES_COUNT[] = TAC_COUNT_TABLE(TAC_TABLE_TEXT) "?";

#define NAMES_ENTRY(entry) #entry "\0"
static const char NAMES_LAYOUT[] = TAC_LAYOUT(NAMES_ENTRY) "?";

#define NAMES_CASE(name, value, text)                                                                                  \
    case name:                                                                                                         \
        return text;
static const char *names_status(tac_status status)
{
    switch (status) {
        TAC_STATUS_TABLE(NAMES_CASE)
    default:
        return "?";
    }
}

static const char *names_word(const char *list, uint32_t index, uint32_t count)
{
    for (uint32_t i = 0; i < index && i < count; i++) {
        while (*list++ != '\0') {}
    }
    return list;
}

#endif
