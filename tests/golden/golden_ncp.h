// SPDX-License-Identifier: MIT
// golden_ncp.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x55832df8f00c192a), UINT64_C(0xff1dc2dd9235e7a1)},
{"box_incline", UINT64_C(0x0354fbc8fa8254f1), UINT64_C(0x5a9702303ee7b947)},
{"yaw_box", UINT64_C(0x9b9d9d9283ce8a48), UINT64_C(0x56b8d7ba9a19a2ff)},
{"stack", UINT64_C(0xff588faef9469ea9), UINT64_C(0x1b66dfb57bdce848)},
{"bounce", UINT64_C(0x3b2c1d106a59bc14), UINT64_C(0x779e60ec0f8d2026)},
{"top", UINT64_C(0xd989fcaf74e09528), UINT64_C(0x0406d7a02c1488f0)},
{"euler_disk", UINT64_C(0x7acb218a0f8cb94a), UINT64_C(0x9960c287efe01ec9)},
{"cube_toss", UINT64_C(0x28af3a88406d2b39), UINT64_C(0x0c60aa384633dab3)},
{"spinning", UINT64_C(0x7c0d35dc732d7e65), UINT64_C(0x95e966675ea784b1)},
{"two_spheres", UINT64_C(0xaf53fd15c746d666), UINT64_C(0x63531d3c81b0417b)},
{"solids", UINT64_C(0xb5575f6988be43ac), UINT64_C(0x60d53647380b7101)},
