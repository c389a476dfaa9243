// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xcb031767afa9ea8a), UINT64_C(0x7a5dcc29bafa8604)},
{"trot", UINT64_C(0xd70c6a88f14d9605), UINT64_C(0x916cd580e69ee569)},
{"gripper", UINT64_C(0x9ca4157b3f6cc07d), UINT64_C(0x384b271487704659)},
{"chain", UINT64_C(0x9664d5647436feb4), UINT64_C(0x2723ff298a58de4f)},
{"door", UINT64_C(0x776fbbf137062d68), UINT64_C(0x7c12479fa31877fa)},
{"hand", UINT64_C(0x707ed444c66c140b), UINT64_C(0x15463640018f31ce)},
