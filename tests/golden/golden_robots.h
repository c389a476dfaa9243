// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x7e6d6d276113fe57), UINT64_C(0xe535d0a60114af08)},
{"trot", UINT64_C(0x13280e21b7bfff3a), UINT64_C(0xef3395d9cfb87034)},
{"door", UINT64_C(0xc30cb0752a954da3), UINT64_C(0x5cdd3202466b3a9d)},
