// SPDX-License-Identifier: MIT
// golden_fit.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"toss", UINT64_C(0x89d0dff511b556b4), UINT64_C(0x4e3ee0eaa447c4ca)},
