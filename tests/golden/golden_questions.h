// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x5d7ef0d152a34032), UINT64_C(0xc3566cc0bd734461)},
{"trot", UINT64_C(0x33e9eb622ecaaaef), UINT64_C(0xf795f55c4f698f02)},
{"gripper", UINT64_C(0xc0f44d4880b79c30), UINT64_C(0xfdd79df4059cee19)},
{"chain", UINT64_C(0x8ffcb766243d0e17), UINT64_C(0xfa353e0148cdbbbd)},
{"door", UINT64_C(0xae17ac4eeed1ff61), UINT64_C(0xeede4bdc255600cc)},
{"hand", UINT64_C(0x7916a95d6efbeb8b), UINT64_C(0x31fafdfbcaa57a20)},
