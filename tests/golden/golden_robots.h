// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xb55dfc1a224b6dc1), UINT64_C(0x2c766d2db70d9712)},
{"trot", UINT64_C(0xaea18c304700051f), UINT64_C(0x4e602b231359d777)},
{"gripper", UINT64_C(0xbb871a0fabf710ca), UINT64_C(0x4834e22c94be537d)},
{"four_bar", UINT64_C(0x2372aa5cbe06c7b4), UINT64_C(0xb85da8d9c4ec7cf9)},
{"slider_crank", UINT64_C(0xc1da5596e1c65434), UINT64_C(0x3a7fb4165fe9eedc)},
{"chain", UINT64_C(0xd9c504b28aa09ba8), UINT64_C(0x5c938d7d0d0f8db0)},
{"rover", UINT64_C(0xbac7533f4a2efe76), UINT64_C(0x33f8fd1fbd40ac5f)},
{"door", UINT64_C(0x2b4b4c319a346c40), UINT64_C(0x3070dfab92c2d773)},
{"biped", UINT64_C(0x2101b9b52781e93b), UINT64_C(0x1ce96f9f940a2e38)},
