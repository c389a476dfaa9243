// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x55e0b26e02dc47f4), UINT64_C(0x9f9e572e94930179)},
{"trot", UINT64_C(0x287b73e742f1d434), UINT64_C(0xa62a3f03746fc0a0)},
{"gripper", UINT64_C(0xcc2a7164a51ccf87), UINT64_C(0x113a01aa47f0453a)},
{"chain", UINT64_C(0xae448efe2485fb48), UINT64_C(0x3ee38161ca142538)},
{"door", UINT64_C(0x79f8229f614e5184), UINT64_C(0x774ae13c38efda04)},
{"hand", UINT64_C(0x958e72291e11ffaf), UINT64_C(0x58751b4bbd70c78c)},
