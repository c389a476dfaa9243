// SPDX-License-Identifier: MIT
// tap.h - checks that speak TAP, without a C library.
//   given   values and what they should be
//   makes   one line "ok n - name" or "not ok n - name" each, with file, line and numbers on failure; the plan at last.
//           On the host, with TAP_FIGURES in the environment, numbers on success too: what the figures of the pages come from
//   bound   one line of at most 200 characters a check
//   never   needs more than port_log(), and on the host getenv(); a NaN never passes
#ifndef TAP_H
#define TAP_H

#include "dirty.h"
#include "tactus/tactus.h"

/// Tolerances that depend on the precision of the kernel.
#if TAC_REAL_BITS == 32
#define TOL(double_tol, float_tol) (float_tol)
#else
#define TOL(double_tol, float_tol) (double_tol)
#endif

/// Lengths of runs. The result has the same bits in every variant and on every board, so a long run is worth its time once
/// a precision: in gcc-O2-32 and gcc-O2-64 (optimised, and no memory filled), and in the scripts. The variants that are not
/// optimised, those that fill memory (clang, the sanitizers) and the boards run a part.
#if defined(__unix__) || defined(__APPLE__)
#define TAP_HOST 1
#else
#define TAP_HOST 0
#endif
#if TAP_HOST && defined(__OPTIMIZE__) && !defined(TAP_DIRTY)
#define TAP_FULL 1
#else
#define TAP_FULL 0
#endif
#define RUN(full, part) (TAP_FULL ? (full) : (part))

#define tap_ok(condition, name) tap_ok_at(__FILE__, __LINE__, (condition) ? 1 : 0, name)
#define tap_equal(got, expected, name) tap_equal_at(__FILE__, __LINE__, (int64_t)(got), (int64_t)(expected), name)
#define tap_hash(got, expected, name) tap_hash_at(__FILE__, __LINE__, got, expected, name)

/// |value - expected| <= tolerance.
#define tap_near(value, expected, tolerance, name)                                                                     \
    tap_near_at(__FILE__, __LINE__, (double)(value), (double)(expected), (double)(tolerance), name)

/// value <= bound. For errors: pass their absolute value.
#define tap_most(value, bound, name) tap_most_at(__FILE__, __LINE__, (double)(value), (double)(bound), name)

/// value >= bound.
#define tap_least(value, bound, name) tap_least_at(__FILE__, __LINE__, (double)(value), (double)(bound), name)

void tap_ok_at(const char *file, int line, int good, const char *name);
void tap_equal_at(const char *file, int line, int64_t got, int64_t expected, const char *name);
void tap_hash_at(const char *file, int line, uint64_t got, uint64_t expected, const char *name);
void tap_near_at(const char *file, int line, double value, double expected, double tolerance, const char *name);
void tap_most_at(const char *file, int line, double value, double bound, const char *name);
void tap_least_at(const char *file, int line, double value, double bound, const char *name);

/// A diagnostic line "# text number".
#define tap_note(text, number) tap_note_at(text, (double)(number))
void tap_note_at(const char *text, double number);

/// A diagnostic line "# text number number ...": the row of a map.
void tap_note_row(const char *text, const double *number, int count);

/// A diagnostic line "# text 0x...": seeds and hashes.
void tap_note_hex(const char *text, uint64_t number);

/// "text number" and "a b" as a name; each valid until its next call.
const char *tap_numbered(const char *text, double number);
const char *tap_joined(const char *a, const char *b);

/// Print the plan. Returns the exit code of the program: 0 if every check passed and there was at least one.
int tap_done(void);

#endif
