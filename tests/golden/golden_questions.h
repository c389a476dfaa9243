// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x3d55b3cec87d4330), UINT64_C(0x8e5dcfdcd05984d3)},
{"trot", UINT64_C(0x61fa562abf62a5b9), UINT64_C(0x7f445a97ff2958c1)},
{"gripper", UINT64_C(0x423da0a0ed07ae95), UINT64_C(0xdcbc07ef9bfa33bf)},
{"chain", UINT64_C(0x5fa7b282bc44528e), UINT64_C(0xa805a4015edeaded)},
{"door", UINT64_C(0xaa7ce5db6bc2f585), UINT64_C(0x70f47a80bb235455)},
{"hand", UINT64_C(0xe4d3bb27ddbcf10f), UINT64_C(0xd85eb6f5e3c31391)},
