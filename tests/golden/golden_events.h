// SPDX-License-Identifier: MIT
// golden_events.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"trot", UINT64_C(0x87856bb4c4bbc02c), UINT64_C(0x2110cad5561662ca)},
{"gripper", UINT64_C(0xd5e0bfade4b77bc2), UINT64_C(0xad6efee5aa9df654)},
{"rover", UINT64_C(0x3f371a6d8d6c4bdb), UINT64_C(0x91ab1f43598c7a53)},
{"hand", UINT64_C(0x24ed10c8a30a8051), UINT64_C(0x50c8eba401967366)},
