// SPDX-License-Identifier: MIT
// urdf_both.cc - C++17 with two robots of urdf2tactus and one kernel that has room for both.
//   given   good.h and gripper.h, their sources compiled as C, the configuration of both
//   makes   code 0 if both step, and feet, tools and shapes have the names and places that the files give them
//   bound   a few steps
//   never   has a designated initialiser: C++17 has none
#include "good.h"
#include "gripper.h"
#include <cmath>
#include <cstdio>
#include <memory>

static int steps(const tac_model &model, const tac_frame &frame, double x, double z)
{
    auto state = std::make_unique<tac_state>();
    auto work = std::make_unique<tac_work>();
    std::unique_ptr<tac_real[]> rows(new tac_real[6 * TAC_MAX_VELOCITIES]);
    tac_pose pose;
    tac_point_motion motion;
    if (tac_state_init(&model, state.get(), nullptr) != TAC_OK) { return 0; }
    if (tac_frame_pose(&model, state.get(), &frame, &pose) != TAC_OK) { return 0; }
    std::printf("%g %g %g\n", double(pose.p.x), double(pose.p.y), double(pose.p.z));
    if (!(std::abs(double(pose.p.x) - x) < 1e-6 && std::abs(double(pose.p.z) - z) < 1e-6)) { return 0; }
    for (int i = 0; i < 3; i++) {
        if (tac_step(&model, state.get(), nullptr, work.get()) < 0) { return 0; }
    }
    return tac_frame_motion(&model, state.get(), &frame, TAC_AXES_FRAME, work.get(), &motion) == TAC_OK &&
           tac_frame_jacobian(&model, state.get(), &frame, TAC_AXES_FRAME, work.get(), rows.get()) == TAC_OK;
}

int main()
{
    static_assert(GOOD_MAX_BODIES <= TAC_MAX_BODIES && GRIPPER_MAX_JOINTS <= TAC_MAX_JOINTS, "room for both");
    static_assert(GOOD_JOINTS == 1 && GRIPPER_JOINTS == 5 && GRIPPER_JOINT_SLIDE2_MIMIC == 4, "joints");
    static_assert(GOOD_SHAPES == 2 && GOOD_SHAPE_ARM == 1 && GRIPPER_BODIES == 6, "shapes and bodies");
    const tac_joint &slide = gripper_model.joint[GRIPPER_JOINT_SLIDE1];
    if (slide.kind != TAC_PRISMATIC || slide.body_b != GRIPPER_BODY_F1) { return 1; }
    if (good_model.shape[GOOD_SHAPE_ARM].body != good_frame[GOOD_FRAME_ARM].body) { return 1; }
    return steps(good_model, good_frame[GOOD_FRAME_ARM], 0, 0.1) &&
                   steps(gripper_model, gripper_frame[GRIPPER_FRAME_F2], 0.01, 0.1)
               ? 0
               : 1;
}
