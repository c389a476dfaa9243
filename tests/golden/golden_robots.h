// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xda931aa1f14209c8), UINT64_C(0xa4f89420f2535385)},
{"trot", UINT64_C(0x24de759e18f742c8), UINT64_C(0x5404db48534d2a28)},
{"gripper", UINT64_C(0x6255795f1fee8fe6), UINT64_C(0xb01514866577cc28)},
{"four_bar", UINT64_C(0x6f32df70e0cefc98), UINT64_C(0xbfb7e7ffd9057dab)},
{"slider_crank", UINT64_C(0x5d53915e2f80e211), UINT64_C(0x67a38fac9c39f528)},
{"chain", UINT64_C(0x8ce70447da9e1353), UINT64_C(0x606007700b050158)},
{"rover", UINT64_C(0xad473a7c76c71d29), UINT64_C(0xbbfcfa905d46f9e2)},
{"door", UINT64_C(0xd77a615de02ff36a), UINT64_C(0x67e57353ba89efb6)},
{"biped", UINT64_C(0xaf3d4e3fed3514d8), UINT64_C(0xf24bf9204abd315a)},
