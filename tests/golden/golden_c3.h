// SPDX-License-Identifier: MIT
// golden_c3.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"cartpole", UINT64_C(0xf42997fc696a1880), UINT64_C(0x8db65a99a858fad2)},
{"cartpole_warm", UINT64_C(0xc672bfb799798819), UINT64_C(0x1823e53ce884456f)},
