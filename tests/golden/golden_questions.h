// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xda2c4697ec0f4993), UINT64_C(0xd45809668ced61a1)},
{"trot", UINT64_C(0x7e0fac3145236efe), UINT64_C(0x8e85370952bba22b)},
{"gripper", UINT64_C(0x38f16def69fbbea0), UINT64_C(0x3ffaaab4855967df)},
{"chain", UINT64_C(0xb64ec53e23e5d760), UINT64_C(0xfa353e0148cdbbbd)},
{"door", UINT64_C(0xae17ac4eeed1ff61), UINT64_C(0xeede4bdc255600cc)},
{"hand", UINT64_C(0xf14fee3c7ff702ed), UINT64_C(0x2176dfdb8b8afe3f)},
