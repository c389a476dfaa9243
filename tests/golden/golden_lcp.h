// SPDX-License-Identifier: MIT
// golden_lcp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x96341e5355cc435c), UINT64_C(0x96146a1e921e1db0)},
{"box_incline", UINT64_C(0xd2f31b4f39e63102), UINT64_C(0xcd077efd9cfeab47)},
{"yaw_box", UINT64_C(0x7eae5a9900543ea4), UINT64_C(0xe5f720ee85dc2a95)},
{"stack", UINT64_C(0x53477dd2366a86f2), UINT64_C(0x6044e2c385f8b4bb)},
{"bounce", UINT64_C(0x59e2723bf43c2b26), UINT64_C(0xe7bf94708d464af7)},
{"top", UINT64_C(0x10c043f0cfaace9b), UINT64_C(0x8f4c75b1bdf6aa68)},
{"cube_toss", UINT64_C(0xed1148d290d4595f), UINT64_C(0x3c34ef931699886a)},
{"pushed", UINT64_C(0x19f759b907704515), UINT64_C(0x1ebd181299bf6c5b)},
{"jointed_1", UINT64_C(0xe9fa28d46cdbd2fb), UINT64_C(0x0e2ed02b3f6dbe55)},
{"jointed_2", UINT64_C(0x927d50fde3221ddb), UINT64_C(0x208ab808ac5fe0fd)},
{"jointed_3", UINT64_C(0x76f76843f71154c4), UINT64_C(0x2795fb41b960e7ef)},
