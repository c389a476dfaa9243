// SPDX-License-Identifier: MIT
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bytes_reserve(bytes *b, size_t count)
{
    size_t room = b->room > 0 ? b->room : 4096;

    while (room - b->count < count) room *= 2;
    if (room == b->room) return 1;
    uint8_t *at = realloc(b->at, room);
    if (at == NULL) {
        b->failed = 1;
        return 0;
    }
    b->at = at;
    b->room = room;
    return 1;
}

void bytes_add(bytes *b, const void *from, size_t count)
{
    if (count == 0 || !bytes_reserve(b, count)) return;
    memcpy(b->at + b->count, from, count);
    b->count += count;
}

static void bytes_number(bytes *b, uint64_t value, size_t count)
{
    uint8_t byte[8];

    for (size_t i = 0; i < count; i++) byte[i] = (uint8_t)(value >> 8 * i);
    bytes_add(b, byte, count);
}

void bytes_u16(bytes *b, uint16_t value)
{
    bytes_number(b, value, 2);
}

void bytes_u32(bytes *b, uint32_t value)
{
    bytes_number(b, value, 4);
}

void bytes_u64(bytes *b, uint64_t value)
{
    bytes_number(b, value, 8);
}

void bytes_f32(bytes *b, double value)
{
    const float number = (float)value;
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    bytes_u32(b, bits);
}

void bytes_set_u32(bytes *b, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4 && at + i < b->count; i++) b->at[at + i] = (uint8_t)(value >> 8 * i);
}

void bytes_set_u64(bytes *b, size_t at, uint64_t value)
{
    bytes_set_u32(b, at, (uint32_t)value);
    bytes_set_u32(b, at + 4, (uint32_t)(value >> 32));
}

void bytes_print(bytes *b, const char *format, ...)
{
    for (int again = 0; again < 2; again++) {
        va_list arguments;

        va_start(arguments, format);
        const size_t left = b->room - b->count;
        const int count = vsnprintf(left > 0 ? (char *)b->at + b->count : NULL, left, format, arguments);
        va_end(arguments);
        if (count < 0) break;
        if ((size_t)count < left) {
            b->count += (size_t)count;
            return;
        }
        if (!bytes_reserve(b, (size_t)count + 1)) return;
    }
    b->failed = 1;
}

void bytes_free(bytes *b)
{
    free(b->at);
    *b = (bytes){NULL, 0, 0, 0};
}
