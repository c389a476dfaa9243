// SPDX-License-Identifier: MIT
// golden_lcp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0xeef83a13d5bdd514), UINT64_C(0x1530012eb4f4f339)},
{"box_incline", UINT64_C(0x2719d6d32a3168f5), UINT64_C(0xb8045cdee222fe7b)},
{"yaw_box", UINT64_C(0x3736f180a9a73d08), UINT64_C(0x895c44ebbdbc6f48)},
{"stack", UINT64_C(0x8ec1f685190c7698), UINT64_C(0xde74692d78efdd4b)},
{"bounce", UINT64_C(0x59e2723bf43c2b26), UINT64_C(0xe7bf94708d464af7)},
{"top", UINT64_C(0x6fedfa04e087f6ad), UINT64_C(0x89e7d8cb9468c5a0)},
{"cube_toss", UINT64_C(0x60dcf02cab1b29a5), UINT64_C(0x9227f83595c3283c)},
{"pushed", UINT64_C(0xef0165eb59a38ade), UINT64_C(0x007468792e6c9220)},
{"jointed_1", UINT64_C(0xd8b4d3c7232d61bb), UINT64_C(0x94fc17491fc66224)},
{"jointed_2", UINT64_C(0xc5fb526e776561b0), UINT64_C(0xd065b4e2309c35e1)},
{"jointed_3", UINT64_C(0xbdfeeacc8dcaf9a1), UINT64_C(0xa3aeb533cf0646b5)},
