// SPDX-License-Identifier: MIT
// golden_plans.h - written by tests/golden/regenerate: scene, hash in float, hash in double.
{"stand", UINT64_C(0x7c3593109713b447), UINT64_C(0x1eeafdf5fe6ef3d2)},
{"gripper", UINT64_C(0xe76203e45a064430), UINT64_C(0x701077739ef33045)},
{"chain", UINT64_C(0xedc95130ebc1dac4), UINT64_C(0xd11c0605a28fe8e3)},
{"hand", UINT64_C(0x5776d6a86db6c560), UINT64_C(0xa1cdf77b75f20ade)},
