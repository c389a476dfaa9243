// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x3e5c27ec20610dc3), UINT64_C(0xf8af67fa60e94655)},
{"box_incline", UINT64_C(0x31967af0d9269426), UINT64_C(0xb91595710c2a51ea)},
{"stack", UINT64_C(0xda5666657da6bb28), UINT64_C(0x81663c6debb96b73)},
{"bounce", UINT64_C(0x9b5769efea80d364), UINT64_C(0xd3099612c92310dd)},
{"top", UINT64_C(0x0d78600277e33a97), UINT64_C(0x15df82fa0a262f6a)},
{"cube_toss", UINT64_C(0x36284356aed95df9), UINT64_C(0xbd48639af5d59b23)},
{"mixed", UINT64_C(0x1f6dcbf09518c851), UINT64_C(0x8f03430a70d941c8)},
{"conveyor", UINT64_C(0x1dacea1544f35af0), UINT64_C(0xbdfd4f74a0e8e8c0)},
{"pushed", UINT64_C(0xa5c97b6b29721464), UINT64_C(0x8d3244f117cac7dd)},
{"overflow", UINT64_C(0xb3f24dba893b07bd), UINT64_C(0x92e8b239c81b4d6e)},
