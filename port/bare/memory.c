// SPDX-License-Identifier: MIT
// memory.c - the four library functions that a C compiler may call even in freestanding code.
//   given   addresses and byte counts
//   makes   what the C standard says
//   bound   one pass
//   never   calls itself: BARRIER in a loop keeps the compiler from recognising the loop as one of these functions
#include "bare/bare.h"

#define BARRIER() __asm__ volatile("")

typedef uint32_t __attribute__((may_alias)) word;

static int both_aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & (sizeof(word) - 1)) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    if (both_aligned(t, f)) {
        for (; count >= sizeof(word); count -= sizeof(word)) {
            BARRIER();
            *(word *)(void *)t = *(const word *)(const void *)f;
            t += sizeof(word);
            f += sizeof(word);
        }
    }
    for (; count > 0; count--) {
        BARRIER();
        *t++ = *f++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    // a forward copy is right unless the target begins inside the source
    if ((uintptr_t)to - (uintptr_t)from >= count) return memcpy(to, from, count);

    uint8_t *t = to;
    const uint8_t *f = from;
    for (; count > 0; count--) {
        BARRIER();
        t[count - 1] = f[count - 1];
    }
    return to;
}

void *memset(void *to, int value, size_t count)
{
    uint8_t *t = to;
    const uint8_t byte = (uint8_t)value;

    if (both_aligned(t, t)) {
        for (; count >= sizeof(word); count -= sizeof(word)) {
            BARRIER();
            *(word *)(void *)t = byte * UINT32_C(0x01010101);
            t += sizeof(word);
        }
    }
    for (; count > 0; count--) {
        BARRIER();
        *t++ = byte;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t count)
{
    const uint8_t *x = a;
    const uint8_t *y = b;

    for (; count > 0; count--, x++, y++) {
        BARRIER();
        if (*x != *y) return *x < *y ? -1 : 1;
    }
    return 0;
}
