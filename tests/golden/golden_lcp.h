// SPDX-License-Identifier: MIT
// golden_lcp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x96341e5355cc435c), UINT64_C(0x96146a1e921e1db0)},
{"box_incline", UINT64_C(0xd2f31b4f39e63102), UINT64_C(0xcd077efd9cfeab47)},
{"yaw_box", UINT64_C(0x8d4326dfcc7e2f9c), UINT64_C(0xbb4236a491646cc7)},
{"stack", UINT64_C(0x53477dd2366a86f2), UINT64_C(0x6044e2c385f8b4bb)},
{"bounce", UINT64_C(0x59e2723bf43c2b26), UINT64_C(0xe7bf94708d464af7)},
{"top", UINT64_C(0x6fedfa04e087f6ad), UINT64_C(0x89e7d8cb9468c5a0)},
{"cube_toss", UINT64_C(0x69075f495a9c99c7), UINT64_C(0xdeb6afedc99386dc)},
{"pushed", UINT64_C(0x19f759b907704515), UINT64_C(0x1ebd181299bf6c5b)},
{"jointed_1", UINT64_C(0xc344d7c1adf8c79c), UINT64_C(0x15f4f0e08f49ac17)},
{"jointed_2", UINT64_C(0x7db5e1165909f388), UINT64_C(0x0940d7214d9c381a)},
{"jointed_3", UINT64_C(0xe16738a969b91990), UINT64_C(0x65672830bf0b1e2a)},
