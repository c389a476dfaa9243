// SPDX-License-Identifier: MIT
// golden_ilqr.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"hopper", UINT64_C(0x9327e100fbd65fea), UINT64_C(0xf9673a47a2ea6a03)},
{"hopper_pushed", UINT64_C(0x1aae8b1b9e9b7b9c), UINT64_C(0x98c28289dcd02253)},
