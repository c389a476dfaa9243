// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x3e5c27ec20610dc3), UINT64_C(0xf8af67fa60e94655)},
{"box_incline", UINT64_C(0x31967af0d9269426), UINT64_C(0xb91595710c2a51ea)},
{"stack", UINT64_C(0xda5666657da6bb28), UINT64_C(0xb0d710631116d508)},
{"bounce", UINT64_C(0x9b5769efea80d364), UINT64_C(0xd3099612c92310dd)},
{"top", UINT64_C(0x0d78600277e33a97), UINT64_C(0x32ca5a8f50dac3be)},
{"cube_toss", UINT64_C(0x2db3e3d326fc7993), UINT64_C(0x0bf71bd98e084932)},
{"mixed", UINT64_C(0x63616848b2e62596), UINT64_C(0x85573bdc7e086b44)},
{"conveyor", UINT64_C(0x1dacea1544f35af0), UINT64_C(0x52e216dcbb45a116)},
{"pushed", UINT64_C(0xa5c97b6b29721464), UINT64_C(0x1b1f7e858f649689)},
{"overflow", UINT64_C(0xb3f24dba893b07bd), UINT64_C(0x92e8b239c81b4d6e)},
