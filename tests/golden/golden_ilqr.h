// SPDX-License-Identifier: MIT
// golden_ilqr.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"hopper", UINT64_C(0x8ed879f17efc1573), UINT64_C(0xac66552ecc3f92c2)},
{"hopper_pushed", UINT64_C(0xf708e185f961ee32), UINT64_C(0x02bb7358744e917e)},
