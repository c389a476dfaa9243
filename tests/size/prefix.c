// SPDX-License-Identifier: MIT
// prefix.c - two kernels in one program, a small one in float and a large one in double, step in turn.
//   given   prefix_world.c for each of them
//   makes   TAP
//   bound   the golden runs of three scenes each
//   never   knows a type of either kernel
#include "prefix.h"
#include "tap.h"

static void in_turn(const char *small, const char *large)
{
    const int a = small_world_begin(small), b = large_world_begin(large);
    int good = a > 0 && b > 0;
    for (int i = 0; i < a || i < b; i++) {
        if (i < a) { good &= small_world_step(); }
        if (i < b) { good &= large_world_step(); }
    }
    tap_ok(good, "both have stepped");
    tap_hash(small_world_hash(), small_world_golden(), tap_joined("the small kernel:", small));
    tap_hash(large_world_hash(), large_world_golden(), tap_joined("the large kernel:", large));
}

int main(void)
{
    tap_equal(small_world_bits(), 32, "the small kernel computes in float");
    tap_equal(large_world_bits(), 64, "the large one in double");
    tap_ok(4 * small_world_bytes() < large_world_bytes(), "with other capacities");
    in_turn("stack", "stack");
    in_turn("box_incline", "solids");
    in_turn("pushed", "on_mesh");
    tap_ok(small_world_foreign(small_world_layout()) == 0 && large_world_foreign(large_world_layout()) == 0,
           "each knows its own callers");
    tap_ok(small_world_foreign(large_world_layout()) != 0 && large_world_foreign(small_world_layout()) != 0,
           "and refuses those of the other");
    return tap_done();
}
