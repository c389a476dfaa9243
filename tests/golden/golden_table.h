// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x703c77b8d747c7a6), UINT64_C(0x1daeea0cd1883621)},
{"box_incline", UINT64_C(0x90fb2a268d5f14eb), UINT64_C(0x6ae3e45dd8217854)},
{"stack", UINT64_C(0xd0e8b12c41665399), UINT64_C(0xbe5c8dc4d8881e42)},
{"bounce", UINT64_C(0x1cd15f320d028e9d), UINT64_C(0xea2a7e694b06b2ff)},
{"top", UINT64_C(0xc741932f5260273f), UINT64_C(0x5e500c21bb0eebd5)},
{"cube_toss", UINT64_C(0xb6c2c0102792b7ac), UINT64_C(0x51c46857b0cfb3c5)},
{"mixed", UINT64_C(0x645d7a4af4820991), UINT64_C(0xa8c9624397810bf1)},
{"conveyor", UINT64_C(0xba5d2ba73bad9663), UINT64_C(0x1afe86c603169f76)},
{"pushed", UINT64_C(0x4510f83b2233a3b5), UINT64_C(0xc596f235b5dde0b4)},
{"overflow", UINT64_C(0xf79c6541f7b464d2), UINT64_C(0x5e4e5b6a7d75e3b0)},
