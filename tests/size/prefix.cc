// SPDX-License-Identifier: MIT
// prefix.cc - C++ with two kernels: compiled with a prefix, a body that falls; without one, the program that asks both.
#ifdef TAC_PREFIX
#include "tactus/tactus.h"
#include <memory>
#include <vector>

extern "C" double TAC_PREFIXED(falls)()
{
    auto model = std::make_unique<tac_model>();
    auto work = std::make_unique<tac_work>();
    std::vector<tac_state> states(2);
    tac_model_init(model.get());
    const tac_body body = tac_body_make(TAC_DYNAMIC, tac_vec3{0, 0, 0});
    if (tac_model_add_body(model.get(), &body) != 1 || tac_model_seal(model.get(), nullptr) != TAC_OK) { return 0; }
    for (tac_state &state : states) {
        if (tac_state_init(model.get(), &state, nullptr) != TAC_OK) { return 0; }
        for (int i = 0; i < 100; i++) {
            if (tac_step(model.get(), &state, nullptr, work.get()) != TAC_OK) { return 0; }
        }
    }
    return double(states[1].pose[1].p.z);
}

#else
#include <cmath>

extern "C" double small_falls();
extern "C" double large_falls();

int main()
{
    const double z = -0.5 * 9.81 * 0.001 * 0.001 * 100 * 100;
    return std::abs(small_falls() - z) < 1e-6 && std::abs(large_falls() - z) < 1e-12 ? 0 : 1;
}

#endif
