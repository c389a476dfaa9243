// SPDX-License-Identifier: MIT
// golden_fit.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"toss", UINT64_C(0x73471420f3fc3e79), UINT64_C(0x9f49c66ab60b268a)},
