// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0xbefc4adf6f6f4d00), UINT64_C(0xbc70b07fca54fc09)},
{"box_incline", UINT64_C(0x17d8900ff44562e2), UINT64_C(0x4e346b201815dc99)},
{"stack", UINT64_C(0xf434199cfcb7d61a), UINT64_C(0x4dd74d7433f1c60a)},
{"bounce", UINT64_C(0x7c0705c9a24af7f1), UINT64_C(0x95be2c099f87f92b)},
{"top", UINT64_C(0x0a6f603d9034a885), UINT64_C(0x3ac4676ade54ced4)},
{"cube_toss", UINT64_C(0xef8e6c9ad890cd33), UINT64_C(0x9bd04554b8ad244e)},
{"mixed", UINT64_C(0x5aef5418c9bfdc74), UINT64_C(0xbeef4f0ae3bd6695)},
{"conveyor", UINT64_C(0x7cdf2bbeb0804ae7), UINT64_C(0xcb391d556e8f95ea)},
{"pushed", UINT64_C(0x78c143aebd6e35f8), UINT64_C(0x96489d2e4574b0c0)},
{"overflow", UINT64_C(0xe164544e49bb7670), UINT64_C(0x3e88f9f22ddf9da9)},
