// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0xf4930e95b361430b), UINT64_C(0x5e92dd53f001116e)},
{"box_incline", UINT64_C(0x9e24c2aec456d747), UINT64_C(0x631b7bafa72a97a8)},
{"stack", UINT64_C(0xcd1d93a4795700bd), UINT64_C(0x98e36ca22f5c86dd)},
{"bounce", UINT64_C(0x9b5769efea80d364), UINT64_C(0xd3099612c92310dd)},
{"top", UINT64_C(0x0d78600277e33a97), UINT64_C(0x15df82fa0a262f6a)},
{"cube_toss", UINT64_C(0xd88e7bbe5b4bd881), UINT64_C(0xfb713506c07fd80d)},
{"mixed", UINT64_C(0xcd311a5df7a939e1), UINT64_C(0xc00f4ac12d6f18d2)},
{"conveyor", UINT64_C(0xf605e95ca7dd9685), UINT64_C(0x662ddd62fef84650)},
{"pushed", UINT64_C(0x0c60014171f70e7f), UINT64_C(0xb64e8b7c646cfd63)},
{"overflow", UINT64_C(0xb3f24dba893b07bd), UINT64_C(0x2534d731b7512c28)},
