// SPDX-License-Identifier: MIT
// golden_questions.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x8dfca2a9eab8092e), UINT64_C(0xf33d938f2e86c522)},
{"trot", UINT64_C(0x68ffd16cbe12ef44), UINT64_C(0x63226035916a1a5c)},
{"gripper", UINT64_C(0x5be722f5b7088ab8), UINT64_C(0xbabe344006e5b271)},
{"chain", UINT64_C(0x68d30a0049f9abd3), UINT64_C(0xba9878186868195e)},
{"door", UINT64_C(0xaa7ce5db6bc2f585), UINT64_C(0x70f47a80bb235455)},
{"hand", UINT64_C(0xf6d281d3fd4c7a90), UINT64_C(0x90b944b388cba1c9)},
