// SPDX-License-Identifier: MIT
// golden_c3.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"cartpole", UINT64_C(0xa320f59cc534fdc0), UINT64_C(0x8db65a99a858fad2)},
{"cartpole_warm", UINT64_C(0x2b53527557359bb9), UINT64_C(0x1823e53ce884456f)},
