// SPDX-License-Identifier: MIT
// bytes.h - clear, copy and exchange objects without a C library.
//   given   an object and its size
//   makes   zeros (0.0 for a real), a copy, an exchange; padding too, so that equal histories give equal memory; the
//           bits in which reals differ
//   bound   one iteration per byte or real, or eight of them
//   never   becomes a call of memset or memcpy: volatile keeps the compiler from recognising the loop
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include "real.h"

static void bytes_clear(void *object, size_t size)
{
    volatile unsigned char *byte = object;
    size_t i = 0;
    for (; REALS_FOUR && i + 8 <= size; i += 8) {
        byte[i] = 0, byte[i + 1] = 0, byte[i + 2] = 0, byte[i + 3] = 0;
        byte[i + 4] = 0, byte[i + 5] = 0, byte[i + 6] = 0, byte[i + 7] = 0;
    }
    for (; i < size; i++) { byte[i] = 0; }
}

static void bytes_copy(void *to, const void *from, size_t size)
{
    volatile unsigned char *a = to;
    const unsigned char *b = from;
    size_t i = 0;
    for (; REALS_FOUR && i + 8 <= size; i += 8) {
        a[i] = b[i], a[i + 1] = b[i + 1], a[i + 2] = b[i + 2], a[i + 3] = b[i + 3];
        a[i + 4] = b[i + 4], a[i + 5] = b[i + 5], a[i + 6] = b[i + 6], a[i + 7] = b[i + 7];
    }
    for (; i < size; i++) { a[i] = b[i]; }
}

// At -Os gcc copies and clears even small structs by these, so there the kernel brings them; any others take their place.
#if defined(__OPTIMIZE_SIZE__) && (defined(__riscv) || defined(__arm__))
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
__attribute__((weak)) void *memcpy(void *to, const void *from, size_t size)
{
    bytes_copy(to, from, size);
    return to;
}
__attribute__((weak)) void *memset(void *to, int value, size_t size)
{
    volatile unsigned char *byte = to;
    for (size_t i = 0; i < size; i++) { byte[i] = (unsigned char)value; }
    return to;
}
#endif

// Exchanges two objects, without memory for a third.
static inline void bytes_swap(void *one, void *other, size_t size)
{
    volatile unsigned char *a = one, *b = other;
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

// Clears an object that consists of reals, in fewer iterations.
static void reals_clear(void *object, size_t size)
{
    volatile real *x = object;
    size_t count = size / sizeof *x;
    for (; REALS_FOUR && count >= 8; count -= 8, x += 8) {
        x[0] = R(0.0), x[1] = R(0.0), x[2] = R(0.0), x[3] = R(0.0);
        x[4] = R(0.0), x[5] = R(0.0), x[6] = R(0.0), x[7] = R(0.0);
    }
    for (; count > 0; count--, x++) { *x = R(0.0); }
}

static inline void reals_copy(void *to, const void *from, size_t size)
{
    volatile real *a = to;
    const real *b = from;
    size_t i = 0;
    for (; REALS_FOUR && i + 8 <= size / sizeof *a; i += 8) {
        a[i] = b[i], a[i + 1] = b[i + 1], a[i + 2] = b[i + 2], a[i + 3] = b[i + 3];
        a[i + 4] = b[i + 4], a[i + 5] = b[i + 5], a[i + 6] = b[i + 6], a[i + 7] = b[i + 7];
    }
    for (; i < size / sizeof *a; i++) { a[i] = b[i]; }
}

// The bits in which two reals differ.
static inline real_bits reals_difference(real a, real b)
{
    const real_pun x = {a}, y = {b};
    return x.bits ^ y.bits;
}

#endif
