// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x501e9cbd18e02726), UINT64_C(0x6fad9b6ea32f9437)},
{"trot", UINT64_C(0x0abf9d9491dcb20a), UINT64_C(0x95dcc00508630b6f)},
{"gripper", UINT64_C(0x17f048e163bd27b0), UINT64_C(0xf6a39f13df4917e7)},
{"chain", UINT64_C(0x4157e7dec6c3098d), UINT64_C(0x00e5b1738361ddfb)},
{"door", UINT64_C(0x682214a896231a15), UINT64_C(0xc259402d7c880b00)},
{"hand", UINT64_C(0x1daf861b9cc4212f), UINT64_C(0x982ed9c4ca222f8c)},
