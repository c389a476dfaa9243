// SPDX-License-Identifier: MIT
// golden_fit.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"toss", UINT64_C(0x3eecb3c99556ae04), UINT64_C(0xbaed24cf9f536a58)},
