// SPDX-License-Identifier: MIT
// markers.h - pairs of empty functions between which tests/bench/count counts instructions.
//   given   MARK(step) once at file scope, then  mark_step_begin(); ... mark_step_end();
//   makes   two functions of one instruction; the count leaves out their return and call
//   bound   a pair must not nest in itself
//   never   changes what lies between, but for the call and that memory counts as changed
#ifndef MARKERS_H
#define MARKERS_H

// The name in the assembly text keeps the compiler from folding equal functions into one.
#define MARKER(name)                                                                                                   \
    __attribute__((noinline)) static void name(void)                                                                   \
    {                                                                                                                  \
        __asm__ volatile("/* " #name " */" ::: "memory");                                                              \
    }

#define MARK(name) MARKER(mark_##name##_begin) MARKER(mark_##name##_end)

#endif
