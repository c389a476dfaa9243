// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x0e6e0a6ba3c6617b), UINT64_C(0x22727c6508176553)},
{"trot", UINT64_C(0x20dda37af2c0daae), UINT64_C(0x5fdeb5d718ff29c4)},
{"gripper", UINT64_C(0x416e6cd3deb65f90), UINT64_C(0x058ac8a6218548fd)},
{"four_bar", UINT64_C(0x5260a6929ac865e9), UINT64_C(0xa30341a10854b54d)},
{"slider_crank", UINT64_C(0xbad8184d22b65960), UINT64_C(0x77dfd3fa3867fd14)},
{"chain", UINT64_C(0xd69fc986d49f706d), UINT64_C(0x7fbe0c8cd3b33d9c)},
{"rover", UINT64_C(0x453e532c30e6afc1), UINT64_C(0xf6fa470b684ccb3b)},
{"door", UINT64_C(0xac3b073db132105d), UINT64_C(0x3b89e843200adfbc)},
{"biped", UINT64_C(0xb8d56d5232c154c7), UINT64_C(0x0d8fb3bc7c68022a)},
