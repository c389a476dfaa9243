// SPDX-License-Identifier: MIT
// show.h - a line "name value" by port_log(), without a C library.
#ifndef SHOW_H
#define SHOW_H

#include "tactus/port.h"

/// `name` has at most 36 characters.
static inline void show(const char *name, uint32_t value)
{
    char line[48], digits[10];
    unsigned at = 0, count = 0;

    while (name[at]) {
        line[at] = name[at];
        at++;
    }
    line[at++] = ' ';
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count) line[at++] = digits[--count];
    line[at] = '\0';
    port_log(line);
}

#endif
