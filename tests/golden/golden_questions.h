// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x2518f9a01a130977), UINT64_C(0x6512c727e81e47ac)},
{"trot", UINT64_C(0xc0985fec89a9cd3c), UINT64_C(0xc068b5956217dc7d)},
{"gripper", UINT64_C(0x3ee7ec822063bd16), UINT64_C(0x8cbfe00d053f7b1c)},
{"chain", UINT64_C(0xbcd175e0b46daea8), UINT64_C(0x967da8e29852eb2d)},
{"door", UINT64_C(0x79f8229f614e5184), UINT64_C(0x774ae13c38efda04)},
{"hand", UINT64_C(0x5df9c527e26f75b2), UINT64_C(0x67a40131bed56768)},
