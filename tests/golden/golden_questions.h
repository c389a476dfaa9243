// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xf26a3c4736cfc03d), UINT64_C(0x14dfdd388577458c)},
{"trot", UINT64_C(0x143a80043398aaff), UINT64_C(0x27e0195450fd7a61)},
{"gripper", UINT64_C(0x3ee7ec822063bd16), UINT64_C(0x69a45a35ce402efa)},
{"chain", UINT64_C(0xae448efe2485fb48), UINT64_C(0x3ee38161ca142538)},
{"door", UINT64_C(0x79f8229f614e5184), UINT64_C(0x774ae13c38efda04)},
{"hand", UINT64_C(0x616397b2f39aebaa), UINT64_C(0xb9c0d19ca17cbc84)},
