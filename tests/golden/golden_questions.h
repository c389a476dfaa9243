// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xe0a226ad8c98a929), UINT64_C(0x89331d4e904fe323)},
{"trot", UINT64_C(0x2c902e061c31783f), UINT64_C(0x1f16678981a7ca59)},
{"gripper", UINT64_C(0xc69a133e4d3a1b22), UINT64_C(0x4122f4f88b170ae0)},
{"chain", UINT64_C(0x09b41ad32e4b860b), UINT64_C(0x501780c9ed01fd21)},
{"door", UINT64_C(0x9883f5ffa6fb8089), UINT64_C(0x76aa7fe0cf10543f)},
{"hand", UINT64_C(0xaebeca282af6767d), UINT64_C(0x3bd4f120ec154b86)},
