// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x71e28e5e71162d08), UINT64_C(0x28f2a576ae4ed537)},
{"box_incline", UINT64_C(0x352602bb7ebd9235), UINT64_C(0xb696b8c01ecbe703)},
{"stack", UINT64_C(0x54608049a8b60fbf), UINT64_C(0x83aeb606c303b21b)},
{"bounce", UINT64_C(0x3dd2a4b858f1d3df), UINT64_C(0x8a2ddb1031145ebd)},
{"top", UINT64_C(0xc741932f5260273f), UINT64_C(0x5e500c21bb0eebd5)},
{"cube_toss", UINT64_C(0x3a8e80d083c4f194), UINT64_C(0x85b084a98c4c7e56)},
{"mixed", UINT64_C(0xe3fb430e1851c6bc), UINT64_C(0x71745d777d669ea6)},
{"conveyor", UINT64_C(0x79aa82da8cb13095), UINT64_C(0xb419ec192586b966)},
{"pushed", UINT64_C(0x86efd97eecd4023c), UINT64_C(0xf073c76451c849ff)},
{"overflow", UINT64_C(0x7cc6b4f63b0197ec), UINT64_C(0x5946f608f837b84f)},
