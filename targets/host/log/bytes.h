// SPDX-License-Identifier: MIT
// bytes.h - bytes that grow, little endian.
#ifndef TACTUS_LOG_BYTES_H
#define TACTUS_LOG_BYTES_H

#include <stddef.h>
#include <stdint.h>

/// All zero: empty.
typedef struct bytes {
    uint8_t *at;
    size_t count, room;
    int failed; ///< 1: there was no memory, bytes are missing
} bytes;

void bytes_add(bytes *b, const void *from, size_t count);
void bytes_u16(bytes *b, uint16_t value);
void bytes_u32(bytes *b, uint32_t value);
void bytes_u64(bytes *b, uint64_t value);
void bytes_f32(bytes *b, double value);

/// Over the four or eight bytes from `at`, which are there.
void bytes_set_u32(bytes *b, size_t at, uint32_t value);
void bytes_set_u64(bytes *b, size_t at, uint64_t value);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void bytes_print(bytes *b, const char *format, ...);

void bytes_free(bytes *b);

#endif
