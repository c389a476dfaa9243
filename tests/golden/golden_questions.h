// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x093a2ce6817f37de), UINT64_C(0xd52185b41e737325)},
{"trot", UINT64_C(0x1b59afe74baf9057), UINT64_C(0x30fcd08bd869e78c)},
{"gripper", UINT64_C(0xcc2a7164a51ccf87), UINT64_C(0x113a01aa47f0453a)},
{"chain", UINT64_C(0xdd6c3d988b3c574d), UINT64_C(0x4aacea06fb4d81be)},
{"door", UINT64_C(0x9115fb4114b526df), UINT64_C(0x1de8c9b5d907d7c7)},
{"hand", UINT64_C(0x958e72291e11ffaf), UINT64_C(0x58751b4bbd70c78c)},
