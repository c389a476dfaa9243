// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xbb0feb8283f77164), UINT64_C(0x1c13910ad60f5254)},
{"trot", UINT64_C(0x995757b4efb5002d), UINT64_C(0xb4c10613383fcd46)},
{"gripper", UINT64_C(0xf59ec3cc9f448505), UINT64_C(0xa1dc45bf9dba8752)},
{"chain", UINT64_C(0x9664d5647436feb4), UINT64_C(0x86cd114e24d45f79)},
{"door", UINT64_C(0xa01d897b58cede38), UINT64_C(0x7c12479fa31877fa)},
{"hand", UINT64_C(0xaebeca282af6767d), UINT64_C(0xd98aeac1055e627e)},
