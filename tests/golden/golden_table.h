// SPDX-License-Identifier: MIT
// golden_table.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"sphere_slide", UINT64_C(0x59f3fb169a6dad2d), UINT64_C(0xec70a5ec5411225c)},
{"box_incline", UINT64_C(0xe326a6c8d33dba5a), UINT64_C(0x17c7e5d02600ec63)},
{"stack", UINT64_C(0x55718c074475d468), UINT64_C(0x797839fef97a9ec1)},
{"bounce", UINT64_C(0x298e425638888b64), UINT64_C(0x4345689635c58c9e)},
{"top", UINT64_C(0x0a6f603d9034a885), UINT64_C(0x3ac4676ade54ced4)},
{"cube_toss", UINT64_C(0xf0bcaf75511f2c96), UINT64_C(0x20f57df7fce9dce3)},
{"mixed", UINT64_C(0x0de36fd12db53338), UINT64_C(0x0c6d5efcdc168c3d)},
{"conveyor", UINT64_C(0x33d2e13715a82176), UINT64_C(0x81f018b0d7f0e30f)},
{"pushed", UINT64_C(0xad2c38944099f4c7), UINT64_C(0x7f30c769e7554c53)},
{"overflow", UINT64_C(0x005572872ec99927), UINT64_C(0x3c4cfda18fef9bc0)},
