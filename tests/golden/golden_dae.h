// SPDX-License-Identifier: MIT
// golden_dae.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"chain_euler", UINT64_C(0xfff27e94e83b8417), UINT64_C(0x2e2c018792c25497)},
{"chain_euler_linearised", UINT64_C(0xf5f6cd9d1fc43ca2), UINT64_C(0x3594ed66ca306d4f)},
{"chain_euler_projected", UINT64_C(0x6d71e4c3d0b3ede7), UINT64_C(0xa727f74b20d7c0b3)},
{"chain_trapezoidal", UINT64_C(0x526cf593d857560f), UINT64_C(0x69ace9d60b80294d)},
{"chain_trapezoidal_linearised", UINT64_C(0xf271e65007fd73c0), UINT64_C(0xc498622b3f473641)},
{"chain_newmark", UINT64_C(0x2fdcd9c310e78029), UINT64_C(0x6c66b99b48c022e4)},
{"chain_hht", UINT64_C(0xb078cc1967b574d5), UINT64_C(0xe0403635c72f8583)},
{"chain_generalised_alpha", UINT64_C(0xd91820706cc83008), UINT64_C(0xc8c75cf5d9fbe2e0)},
{"four_bar_minres", UINT64_C(0x834b2dcbd92f7d50), UINT64_C(0xfb1d8589809d3ff3)},
{"slider_crank_hht", UINT64_C(0xe993a4da4f42af57), UINT64_C(0x470cd2c93b3521d4)},
{"bricard_hht", UINT64_C(0x2a6612e0c33d40c6), UINT64_C(0x512bd7e490217ebe)},
{"flyball_generalised_alpha", UINT64_C(0x250f1a90028317ad), UINT64_C(0xe54b93d7035221ea)},
