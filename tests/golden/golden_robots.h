// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x8ea3fa0ab17f66ea), UINT64_C(0x5b45d7e127be5f28)},
{"trot", UINT64_C(0xaea18c304700051f), UINT64_C(0xb373ab7ffcbf64fa)},
{"gripper", UINT64_C(0xbb871a0fabf710ca), UINT64_C(0xbdcdbfd4de98316b)},
{"four_bar", UINT64_C(0x096d1f8695ef4fa5), UINT64_C(0x342ef8bd76b120e6)},
{"slider_crank", UINT64_C(0x607d8f684381c6ce), UINT64_C(0x4ad21d5ac46d9a69)},
{"chain", UINT64_C(0xd9c504b28aa09ba8), UINT64_C(0x871546b297f155cd)},
{"rover", UINT64_C(0x940b28558404aaa7), UINT64_C(0x492156f898d25f18)},
{"door", UINT64_C(0x2b4b4c319a346c40), UINT64_C(0xc43d4c0adec07f64)},
{"biped", UINT64_C(0x2c2ca2e18f719c97), UINT64_C(0xdd9571de5df699b8)},
