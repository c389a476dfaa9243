// SPDX-License-Identifier: MIT
// golden_ncp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0xf75067bc84fd4229), UINT64_C(0x7a904b510218c6d3)},
{"box_incline", UINT64_C(0x0354fbc8fa8254f1), UINT64_C(0x5a9702303ee7b947)},
{"yaw_box", UINT64_C(0xe24357f8b7407bec), UINT64_C(0xc56e69f163712dd7)},
{"stack", UINT64_C(0x730a2c1a935abe08), UINT64_C(0xf21b14f47424e616)},
{"bounce", UINT64_C(0x3b2c1d106a59bc14), UINT64_C(0x779e60ec0f8d2026)},
{"top", UINT64_C(0xd989fcaf74e09528), UINT64_C(0x0406d7a02c1488f0)},
{"euler_disk", UINT64_C(0x2a63e0f89df5bb63), UINT64_C(0x898d97275cd6e5ee)},
{"cube_toss", UINT64_C(0x7d22ab7d0712fd50), UINT64_C(0xd7c8e503b7353652)},
{"spinning", UINT64_C(0x7c0d35dc732d7e65), UINT64_C(0x95e966675ea784b1)},
{"two_spheres", UINT64_C(0xb1bfb1a83d3e9850), UINT64_C(0x3598b29989d548c8)},
{"solids", UINT64_C(0x42ea40854f55767f), UINT64_C(0x319284d3f3b9f8cf)},
