// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xbb0feb8283f77164), UINT64_C(0x1c13910ad60f5254)},
{"trot", UINT64_C(0x995757b4efb5002d), UINT64_C(0x791d6fcbdd8c1249)},
{"gripper", UINT64_C(0xc69a133e4d3a1b22), UINT64_C(0x4122f4f88b170ae0)},
{"chain", UINT64_C(0x9664d5647436feb4), UINT64_C(0xe5850168ae684103)},
{"door", UINT64_C(0xa01d897b58cede38), UINT64_C(0x7c12479fa31877fa)},
{"hand", UINT64_C(0xaebeca282af6767d), UINT64_C(0x3bd4f120ec154b86)},
