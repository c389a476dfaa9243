// SPDX-License-Identifier: MIT
// known.c - stretches of known length, to count what tests/bench/count counts.
#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

MARK(empty)
MARK(three)
MARK(loop)

// A function of its own, so that nothing of the loop is moved in between; the last nop keeps its end from being a jump.
__attribute__((noinline)) static void three(void)
{
    mark_three_begin();
    __asm__ volatile("nop\n nop\n nop");
    mark_three_end();
    __asm__ volatile("nop");
}

int main(void)
{
    port_init();
    for (uint32_t i = 0; i < 10; i++) {
        mark_empty_begin();
        mark_empty_end();

        three();

        mark_loop_begin();
        for (uint32_t k = 0; k <= i; k++) __asm__ volatile("nop");
        mark_loop_end();
    }
    tap_ok(1, "stretches run");
    return tap_done();
}
