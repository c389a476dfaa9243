// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x55e0b26e02dc47f4), UINT64_C(0x9f9e572e94930179)},
{"trot", UINT64_C(0x287b73e742f1d434), UINT64_C(0xa62a3f03746fc0a0)},
{"gripper", UINT64_C(0x3ee7ec822063bd16), UINT64_C(0x8cbfe00d053f7b1c)},
{"chain", UINT64_C(0xae448efe2485fb48), UINT64_C(0x3ee38161ca142538)},
{"door", UINT64_C(0x79f8229f614e5184), UINT64_C(0x774ae13c38efda04)},
{"hand", UINT64_C(0x5df9c527e26f75b2), UINT64_C(0x67a40131bed56768)},
