// SPDX-License-Identifier: MIT
// golden_robots.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0xdb9ed3c8875024fb), UINT64_C(0x02dbf47a8b5f07ee)},
{"trot", UINT64_C(0xc6da043a42dd14cf), UINT64_C(0x9aec145839146c1b)},
{"gripper", UINT64_C(0xf0e71e9746b5dda6), UINT64_C(0x55e5667209094e84)},
{"four_bar", UINT64_C(0x2372aa5cbe06c7b4), UINT64_C(0xba0d16304cf62065)},
{"slider_crank", UINT64_C(0xc1da5596e1c65434), UINT64_C(0xfb4e5eb5fec48d87)},
{"chain", UINT64_C(0x2e8a3f9e600e7354), UINT64_C(0xf5c391b06c9540a3)},
{"rover", UINT64_C(0xbac7533f4a2efe76), UINT64_C(0x33f8fd1fbd40ac5f)},
{"door", UINT64_C(0x3bbb7d931850b4dd), UINT64_C(0x5f9af366d1c61d53)},
{"biped", UINT64_C(0x22b528f38593c0a8), UINT64_C(0x5afe1478133b8343)},
