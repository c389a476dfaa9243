// SPDX-License-Identifier: MIT
// golden_lcp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x7ad86ae5fda34f23), UINT64_C(0x4d5f733919fc9a78)},
{"box_incline", UINT64_C(0xd2f31b4f39e63102), UINT64_C(0xcd077efd9cfeab47)},
{"yaw_box", UINT64_C(0x67a5b176841c749b), UINT64_C(0x57a5ca9b622b7562)},
{"stack", UINT64_C(0x5f41ebaf1144ad1e), UINT64_C(0x25c095fd41ca597e)},
{"bounce", UINT64_C(0x59e2723bf43c2b26), UINT64_C(0xe7bf94708d464af7)},
{"top", UINT64_C(0x6fedfa04e087f6ad), UINT64_C(0x89e7d8cb9468c5a0)},
{"cube_toss", UINT64_C(0x78806ea1ab8a1761), UINT64_C(0xfc36244d18a34511)},
{"pushed", UINT64_C(0xf5dd07d08059f482), UINT64_C(0x3597db30e9a2d402)},
{"jointed_1", UINT64_C(0xa5481f745c51e11a), UINT64_C(0xd25de8a93b59e0c2)},
{"jointed_2", UINT64_C(0x6afed7b4e196d2d5), UINT64_C(0x8d7778eaeb5093e3)},
{"jointed_3", UINT64_C(0xd13dedc25e23afe2), UINT64_C(0x5ffbfc3812dcfe1b)},
