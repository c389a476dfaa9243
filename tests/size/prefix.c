// SPDX-License-Identifier: MIT
// prefix.c - two kernels in one program, a small one in float and a large one in double, step in turn.
//   given   prefix_world.c for each of them
//   makes   TAP
//   bound   the golden runs of six scenes each
//   never   knows a type of either kernel
#include "prefix.h"
#include "tap.h"

// Returns 0 if a kernel refuses its scene.
static int in_turn(const char *small, const char *large)
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
    return a > 0 && b > 0;
}

int main(void)
{
    tap_equal(small_world_bits(), 32, "the small kernel computes in float");
    tap_equal(large_world_bits(), 64, "the large one in double");
    tap_ok(4 * small_world_bytes() < large_world_bytes(), "with other capacities");
    if (!in_turn("stack", "stack")) { return tap_done(); }
    in_turn("mixed", "solids");
    in_turn("pushed", "on_mesh");
    in_turn("sphere_slide", "euler_disk");
    in_turn("slope_sizes", "heavy_tops");
    in_turn("yaw_box", "top");
    tap_ok(small_world_foreign(small_world_layout()) == 0 && large_world_foreign(large_world_layout()) == 0,
           "each knows its own callers");
    tap_ok(small_world_foreign(large_world_layout()) != 0 && large_world_foreign(small_world_layout()) != 0,
           "and refuses those of the other");
    return tap_done();
}
