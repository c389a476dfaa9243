// SPDX-License-Identifier: MIT
// golden_dae.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"chain_euler", UINT64_C(0xbe9065a8ab490119), UINT64_C(0x6a58ecb92757328a)},
{"chain_euler_linearised", UINT64_C(0xbfb1cc6e2e8ac646), UINT64_C(0x3dfc307b8da9f0c5)},
{"chain_euler_projected", UINT64_C(0x3f9a892b5666bda7), UINT64_C(0x22bfc0fc9a71c21f)},
{"chain_trapezoidal", UINT64_C(0xd4858d10b1eaee00), UINT64_C(0x61a8f943df3f9f97)},
{"chain_trapezoidal_linearised", UINT64_C(0x9e138039cab1c23c), UINT64_C(0x49a5fd9e0dbe1ef0)},
{"chain_newmark", UINT64_C(0xa3431ce3b4436ca6), UINT64_C(0x09e34fbbe2f17966)},
{"chain_hht", UINT64_C(0x9e775779d03a7735), UINT64_C(0x056e0623879bf80b)},
{"chain_generalised_alpha", UINT64_C(0x876f67edcf5bb930), UINT64_C(0xad7c8caccc84849b)},
{"four_bar_minres", UINT64_C(0x1fa59e4f17b8cf0e), UINT64_C(0xbcbb4a3fea73ee94)},
{"slider_crank_hht", UINT64_C(0xda660e9639d0d59c), UINT64_C(0x48bb4a9eb0d29cf2)},
{"bricard_hht", UINT64_C(0x858e04e5fd7bbf31), UINT64_C(0xc08d5d08590cf163)},
{"flyball_generalised_alpha", UINT64_C(0xca2c65b3be7dbe02), UINT64_C(0x5e9a88bc58319d3e)},
