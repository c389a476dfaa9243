// SPDX-License-Identifier: MIT
// golden_plans.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xfae8f0a14d4b5e75), UINT64_C(0xf8ac0e8f96fc73f7)},
{"gripper", UINT64_C(0x58ee450bcb4c9552), UINT64_C(0xca57389c8e2458fb)},
{"chain", UINT64_C(0xb1f40d81cf1aa264), UINT64_C(0x727532f8063b89a3)},
{"hand", UINT64_C(0xdc4159f0721e7902), UINT64_C(0x3215df1662ceabaf)},
