// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xb7629d2aa4e63f62), UINT64_C(0x437d10c226008527)},
{"trot", UINT64_C(0x49bcb25876c855c4), UINT64_C(0xa839bf4d521db985)},
{"gripper", UINT64_C(0xdf6cce6b52b18b71), UINT64_C(0xd4825406dbc43ffc)},
{"chain", UINT64_C(0x9664d5647436feb4), UINT64_C(0x2723ff298a58de4f)},
{"door", UINT64_C(0x776fbbf137062d68), UINT64_C(0x7c12479fa31877fa)},
{"hand", UINT64_C(0xf264fd8c0186f265), UINT64_C(0x793de4b2804f2781)},
