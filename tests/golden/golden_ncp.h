// SPDX-License-Identifier: MIT
// golden_ncp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0xf75067bc84fd4229), UINT64_C(0x7a904b510218c6d3)},
{"box_incline", UINT64_C(0x0354fbc8fa8254f1), UINT64_C(0x2684b1553fbcc75e)},
{"yaw_box", UINT64_C(0xe24357f8b7407bec), UINT64_C(0xc56e69f163712dd7)},
{"stack", UINT64_C(0x2ce5e7c0111d90c3), UINT64_C(0x2fa279f7de56751f)},
{"bounce", UINT64_C(0x3b2c1d106a59bc14), UINT64_C(0x779e60ec0f8d2026)},
{"top", UINT64_C(0xc66da278a836d4e1), UINT64_C(0xe3caa8b0752b8ccc)},
{"euler_disk", UINT64_C(0xf08c0bb502659842), UINT64_C(0x356504d1d9f1b4b0)},
{"cube_toss", UINT64_C(0x4175ee9f29c5b7b2), UINT64_C(0x1c58ef826a918984)},
{"spinning", UINT64_C(0x7c0d35dc732d7e65), UINT64_C(0x95e966675ea784b1)},
{"two_spheres", UINT64_C(0x2e965f709b651fc3), UINT64_C(0xfb8b62a291abd464)},
{"solids", UINT64_C(0x6453a695a5e70586), UINT64_C(0xee448e82088ef8ca)},
