// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xda931aa1f14209c8), UINT64_C(0xa4f89420f2535385)},
{"trot", UINT64_C(0x24de759e18f742c8), UINT64_C(0x5404db48534d2a28)},
{"gripper", UINT64_C(0x737b38cde9f6614a), UINT64_C(0x1e805f8430f6ae54)},
{"four_bar", UINT64_C(0x07f808b4436f23fd), UINT64_C(0xbfb7e7ffd9057dab)},
{"slider_crank", UINT64_C(0xeb5337a49b61a848), UINT64_C(0x67a38fac9c39f528)},
{"chain", UINT64_C(0x8ce70447da9e1353), UINT64_C(0x606007700b050158)},
{"rover", UINT64_C(0x2a5207fb04acd247), UINT64_C(0x6b3bb35129d437c1)},
{"door", UINT64_C(0xd77a615de02ff36a), UINT64_C(0x67e57353ba89efb6)},
{"biped", UINT64_C(0xaf3d4e3fed3514d8), UINT64_C(0xf24bf9204abd315a)},
