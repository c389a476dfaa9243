// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x3077608080fd5e18), UINT64_C(0x67da07125e578cea)},
{"trot", UINT64_C(0x786e037221392772), UINT64_C(0xf9e38a47761f5a51)},
{"gripper", UINT64_C(0x74d35b7d2646437d), UINT64_C(0xb3679dffecfbf86e)},
{"four_bar", UINT64_C(0x5260a6929ac865e9), UINT64_C(0xa30341a10854b54d)},
{"slider_crank", UINT64_C(0xbad8184d22b65960), UINT64_C(0x77dfd3fa3867fd14)},
{"chain", UINT64_C(0xd69fc986d49f706d), UINT64_C(0x7fbe0c8cd3b33d9c)},
{"rover", UINT64_C(0x808c5b4365b3b5b8), UINT64_C(0xf6fa470b684ccb3b)},
{"door", UINT64_C(0xac3b073db132105d), UINT64_C(0x3b89e843200adfbc)},
{"biped", UINT64_C(0x2df7d6b83386bec5), UINT64_C(0x1200d74479b1d261)},
