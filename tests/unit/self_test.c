// SPDX-License-Identifier: MIT
// The self-test on a machine whose floating-point unit is set in another way: each mode is named, and none when all is
// well.
#include "tap.h"

// A mode is a number for set_mode(), which returns what was set before.
typedef struct mode {
    const char *name;
    uint32_t bits;
    uint32_t promise; ///< that it breaks
} mode;

#if defined(__SSE2__)

static const mode modes[] = {{"upwards", 0x4000, TAC_PROMISE_ROUNDING},
                             {"downwards", 0x2000, TAC_PROMISE_ROUNDING},
                             {"towards zero", 0x6000, TAC_PROMISE_ROUNDING},
                             {"results flushed to zero", 0x8000, TAC_PROMISE_SUBNORMAL},
                             {"operands taken for zero", 0x0040, TAC_PROMISE_SUBNORMAL},
                             {"both", 0x8040, TAC_PROMISE_SUBNORMAL}};

static uint32_t set_mode(uint32_t bits)
{
    const uint32_t before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(bits);
    return before;
}
static const uint32_t keep = 0x1f80; // exceptions masked

#elif defined(__ARM_FP) && !defined(__aarch64__)

static const mode modes[] = {{"upwards", UINT32_C(1) << 22, TAC_PROMISE_ROUNDING},
                             {"downwards", UINT32_C(2) << 22, TAC_PROMISE_ROUNDING},
                             {"towards zero", UINT32_C(3) << 22, TAC_PROMISE_ROUNDING},
                             {"flushed to zero", UINT32_C(1) << 24, TAC_PROMISE_SUBNORMAL}};

static uint32_t set_mode(uint32_t bits)
{
    uint32_t before;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(before));
    __asm__ volatile("vmsr fpscr, %0" : : "r"(bits) : "memory");
    return before;
}
static const uint32_t keep = 0;

#elif defined(__riscv_flen)

static const mode modes[] = {{"towards zero", 1, TAC_PROMISE_ROUNDING},
                             {"downwards", 2, TAC_PROMISE_ROUNDING},
                             {"upwards", 3, TAC_PROMISE_ROUNDING}};

static uint32_t set_mode(uint32_t bits)
{
    uint32_t before;
    __asm__ volatile("fsrm %0, %1" : "=r"(before) : "r"(bits) : "memory");
    return before;
}
static const uint32_t keep = 0;

#elif defined(__s390x__)

static const mode modes[] = {{"towards zero", 1, TAC_PROMISE_ROUNDING},
                             {"upwards", 2, TAC_PROMISE_ROUNDING},
                             {"downwards", 3, TAC_PROMISE_ROUNDING}};

static uint32_t set_mode(uint32_t bits)
{
    uint32_t before;
    __asm__ volatile("efpc %0" : "=d"(before));
    __asm__ volatile("sfpc %0" : : "d"(bits) : "memory");
    return before;
}
static const uint32_t keep = 0;

#elif defined(__powerpc__)

static const mode modes[] = {{"towards zero", 1, TAC_PROMISE_ROUNDING},
                             {"upwards", 2, TAC_PROMISE_ROUNDING},
                             {"downwards", 3, TAC_PROMISE_ROUNDING}};

static uint32_t set_mode(uint32_t bits)
{
    union {
        double value;
        uint64_t bits;
    } before, after;
    __asm__ volatile("mffs %0" : "=f"(before.value));
    after.bits = bits;
    __asm__ volatile("mtfsf 255, %0" : : "f"(after.value) : "memory");
    return (uint32_t)before.bits;
}
static const uint32_t keep = 0;

#else // soft floating point has no modes

static const mode modes[] = {{"no modes", 0, TAC_PROMISE_KEPT}};

static uint32_t set_mode(uint32_t bits)
{
    return bits;
}
static const uint32_t keep = 0;

#endif

static int same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) { a++, b++; }
    return *a == *b;
}

int main(void)
{
    const uint32_t found = tac_self_test();
    tap_ok(found == TAC_PROMISE_KEPT, tap_joined("as it is:", tac_promise_name(found)));
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const uint32_t before = set_mode(keep | modes[i].bits), broken = tac_self_test();
        set_mode(before);
        tap_equal(broken, modes[i].promise, tap_joined(modes[i].name, tac_promise_name(modes[i].promise)));
    }
    tap_equal(tac_self_test(), TAC_PROMISE_KEPT, "as it was");

    // names: each its own, none beyond
    for (uint32_t i = 0; i < TAC_PROMISES; i++) {
        int good = !same_text(tac_promise_name(i), "?");
        for (uint32_t k = 0; k < i; k++) { good = good && !same_text(tac_promise_name(i), tac_promise_name(k)); }
        tap_ok(good, tap_joined("has a name of its own:", tac_promise_name(i)));
    }
    tap_ok(same_text(tac_promise_name(TAC_PROMISES), "?") && same_text(tac_promise_name(UINT32_MAX), "?"),
           "none beyond");
    return tap_done();
}
