// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xfe2df2740c28b547), UINT64_C(0x3661dcbd9d0a9f2d)},
{"trot", UINT64_C(0xca986e35aae6d5f7), UINT64_C(0x06d81c7e4664989d)},
{"gripper", UINT64_C(0x5cc33637041bcd98), UINT64_C(0x761d47fa7c7a0e67)},
{"chain", UINT64_C(0xbd528c35dc1cb457), UINT64_C(0x7bad9fd0e1890aee)},
{"door", UINT64_C(0xa9698c888eb3d5bb), UINT64_C(0x19a562a3ac6d21d7)},
{"hand", UINT64_C(0x01a6c8f57caabe21), UINT64_C(0xb16136cc0cea431b)},
