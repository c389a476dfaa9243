// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x71e28e5e71162d08), UINT64_C(0x28f2a576ae4ed537)},
{"box_incline", UINT64_C(0x352602bb7ebd9235), UINT64_C(0xb696b8c01ecbe703)},
{"stack", UINT64_C(0x949f5d43124aee51), UINT64_C(0xe8dc1beab13e0f1c)},
{"bounce", UINT64_C(0x3dd2a4b858f1d3df), UINT64_C(0x8a2ddb1031145ebd)},
{"top", UINT64_C(0xc741932f5260273f), UINT64_C(0x5e500c21bb0eebd5)},
{"cube_toss", UINT64_C(0x3a8e80d083c4f194), UINT64_C(0x85b084a98c4c7e56)},
{"mixed", UINT64_C(0x797cbfea2a485278), UINT64_C(0x6b766806cb3b4cf7)},
{"conveyor", UINT64_C(0x61dacc390a816f93), UINT64_C(0x9d83161ec7488aca)},
{"pushed", UINT64_C(0x86efd97eecd4023c), UINT64_C(0xf073c76451c849ff)},
{"overflow", UINT64_C(0x7cc6b4f63b0197ec), UINT64_C(0x5946f608f837b84f)},
