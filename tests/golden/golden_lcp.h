// SPDX-License-Identifier: MIT
// golden_lcp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x39d4a8cab92b2a7f), UINT64_C(0x3b9bb73ced3e7e28)},
{"box_incline", UINT64_C(0x344e06a7b4ac4b66), UINT64_C(0x496637491bf3d58d)},
{"yaw_box", UINT64_C(0xba58e3ac19cc4760), UINT64_C(0x712dae9cd03c9fd4)},
{"stack", UINT64_C(0x8ec1f685190c7698), UINT64_C(0xde74692d78efdd4b)},
{"bounce", UINT64_C(0x59e2723bf43c2b26), UINT64_C(0xe7bf94708d464af7)},
{"top", UINT64_C(0x6fedfa04e087f6ad), UINT64_C(0x89e7d8cb9468c5a0)},
{"cube_toss", UINT64_C(0x60dcf02cab1b29a5), UINT64_C(0x9227f83595c3283c)},
{"pushed", UINT64_C(0x1b4743e92cf6eeae), UINT64_C(0x1b89cdbff8d289c1)},
{"jointed_1", UINT64_C(0xd8b4d3c7232d61bb), UINT64_C(0x6fde047fbdede3d9)},
{"jointed_2", UINT64_C(0xd5139b2f0c9cd12b), UINT64_C(0xd065b4e2309c35e1)},
{"jointed_3", UINT64_C(0xbdfeeacc8dcaf9a1), UINT64_C(0xa3aeb533cf0646b5)},
