// SPDX-License-Identifier: MIT
// golden_dae.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"chain_euler", UINT64_C(0xbe9065a8ab490119), UINT64_C(0xf55d509e49f640c3)},
{"chain_euler_linearised", UINT64_C(0xbfb1cc6e2e8ac646), UINT64_C(0x6832281977853a65)},
{"chain_euler_projected", UINT64_C(0x3f9a892b5666bda7), UINT64_C(0x0347737f76afe535)},
{"chain_trapezoidal", UINT64_C(0xd4858d10b1eaee00), UINT64_C(0x88d2698c7c746e28)},
{"chain_trapezoidal_linearised", UINT64_C(0x1540cf1b9a5aa039), UINT64_C(0x26c3f1eae3e335b2)},
{"chain_newmark", UINT64_C(0xa3431ce3b4436ca6), UINT64_C(0x149474d95419dda9)},
{"chain_hht", UINT64_C(0x9e775779d03a7735), UINT64_C(0x87bf7c1bb4591195)},
{"chain_generalised_alpha", UINT64_C(0x876f67edcf5bb930), UINT64_C(0x2763d5c2f191ed42)},
{"four_bar_minres", UINT64_C(0x1fa59e4f17b8cf0e), UINT64_C(0xdcc74a333026990a)},
{"slider_crank_hht", UINT64_C(0xda660e9639d0d59c), UINT64_C(0x13124e72a01f9068)},
{"bricard_hht", UINT64_C(0x858e04e5fd7bbf31), UINT64_C(0x5f563cb8abba938b)},
{"flyball_generalised_alpha", UINT64_C(0xfe5503547ed9e89c), UINT64_C(0x9b0cc58296c34980)},
