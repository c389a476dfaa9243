// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xa821a4d6331f0093), UINT64_C(0xcdb2d3b8feaf2944)},
{"trot", UINT64_C(0x163ce24124af2720), UINT64_C(0x449e3afe71f1ebeb)},
{"gripper", UINT64_C(0x38f16def69fbbea0), UINT64_C(0x3ffaaab4855967df)},
{"chain", UINT64_C(0x8ffcb766243d0e17), UINT64_C(0xfa353e0148cdbbbd)},
{"door", UINT64_C(0xae17ac4eeed1ff61), UINT64_C(0xeede4bdc255600cc)},
{"hand", UINT64_C(0xf14fee3c7ff702ed), UINT64_C(0x2176dfdb8b8afe3f)},
