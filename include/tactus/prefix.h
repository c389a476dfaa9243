// SPDX-License-Identifier: MIT
// prefix.h - TAC_PREFIX: several kernels, of different capacities or precision, in one program.
//
// Compile src/tactus.c once for each kernel, each time with its own knobs and a prefix, and each source file that uses
// a kernel with the knobs and the prefix of that kernel:
//
//     cc -DTAC_PREFIX=small_ -DTAC_REAL_BITS=32 -DTAC_MAX_BODIES=4   -c src/tactus.c -o small_kernel.o
//     cc -DTAC_PREFIX=small_ -DTAC_REAL_BITS=32 -DTAC_MAX_BODIES=4   -c estimator.c
//     cc -DTAC_PREFIX=large_ -DTAC_REAL_BITS=64 -DTAC_MAX_BODIES=200 -c src/tactus.c -o large_kernel.o
//     cc -DTAC_PREFIX=large_ -DTAC_REAL_BITS=64 -DTAC_MAX_BODIES=200 -c simulator.c
//
// The source says tac_step() in both files; the linker sees small_tac_step and large_tac_step. A source file uses one
// kernel; files that use different ones communicate by functions of yours without tac_real and structs of ours, and
// TAC_PREFIXED(name) makes names for these. A header that TAC_CONFIG_HEADER names may define the prefix with the knobs.
// Configurations are compared as without a prefix (layout.h). In C++ the types of each kernel are types of their own.
// port/link and port/executive.c have no prefix: they serve one kernel of a program, compiled with that one's.
#ifndef TACTUS_PREFIX_H
#define TACTUS_PREFIX_H

#include "tactus/config.h"

#ifdef TAC_PREFIX

#define TAC_PREFIXED_AS_(prefix, name) prefix##name
#define TAC_PREFIXED_(prefix, name) TAC_PREFIXED_AS_(prefix, name)
#define TAC_PREFIXED(name) TAC_PREFIXED_(TAC_PREFIX, name)

// Every public function; those whose names also carry version and precision are in tactus.h (TAC_LINK).
#define tac_accelerations TAC_PREFIXED(tac_accelerations)
#define tac_bias TAC_PREFIXED(tac_bias)
#define tac_body_force TAC_PREFIXED(tac_body_force)
#define tac_body_make TAC_PREFIXED(tac_body_make)
#define tac_body_point TAC_PREFIXED(tac_body_point)
#define tac_cast TAC_PREFIXED(tac_cast)
#define tac_centroidal TAC_PREFIXED(tac_centroidal)
#define tac_certify TAC_PREFIXED(tac_certify)
#define tac_check TAC_PREFIXED(tac_check)
#define tac_contacts TAC_PREFIXED(tac_contacts)
#define tac_derivative TAC_PREFIXED(tac_derivative)
#define tac_distance TAC_PREFIXED(tac_distance)
#define tac_energy TAC_PREFIXED(tac_energy)
#define tac_events_begin TAC_PREFIXED(tac_events_begin)
#define tac_events_step TAC_PREFIXED(tac_events_step)
#define tac_fault_text TAC_PREFIXED(tac_fault_text)
#define tac_field_name TAC_PREFIXED(tac_field_name)
#define tac_forward_dynamics TAC_PREFIXED(tac_forward_dynamics)
#define tac_frame_jacobian TAC_PREFIXED(tac_frame_jacobian)
#define tac_frame_motion TAC_PREFIXED(tac_frame_motion)
#define tac_frame_pose TAC_PREFIXED(tac_frame_pose)
#define tac_gravity_effort TAC_PREFIXED(tac_gravity_effort)
#define tac_implicit_box TAC_PREFIXED(tac_implicit_box)
#define tac_implicit_cone TAC_PREFIXED(tac_implicit_cone)
#define tac_implicit_cylinder TAC_PREFIXED(tac_implicit_cylinder)
#define tac_implicit_ellipsoid TAC_PREFIXED(tac_implicit_ellipsoid)
#define tac_implicit_half_space TAC_PREFIXED(tac_implicit_half_space)
#define tac_implicit_sphere TAC_PREFIXED(tac_implicit_sphere)
#define tac_implicit_superellipsoid TAC_PREFIXED(tac_implicit_superellipsoid)
#define tac_inverse_dynamics TAC_PREFIXED(tac_inverse_dynamics)
#define tac_jacobian TAC_PREFIXED(tac_jacobian)
#define tac_joint_init TAC_PREFIXED(tac_joint_init)
#define tac_layout_name TAC_PREFIXED(tac_layout_name)
#define tac_lcp_init_for TAC_PREFIXED(tac_lcp_init_for)
#define tac_lcp_solve TAC_PREFIXED(tac_lcp_solve)
#define tac_c3_begin TAC_PREFIXED(tac_c3_begin)
#define tac_c3_init TAC_PREFIXED(tac_c3_init)
#define tac_c3_run TAC_PREFIXED(tac_c3_run)
#define tac_fit TAC_PREFIXED(tac_fit)
#define tac_fit_advance TAC_PREFIXED(tac_fit_advance)
#define tac_fit_begin TAC_PREFIXED(tac_fit_begin)
#define tac_fit_model TAC_PREFIXED(tac_fit_model)
#define tac_ilqr_begin TAC_PREFIXED(tac_ilqr_begin)
#define tac_ilqr_run TAC_PREFIXED(tac_ilqr_run)
#define tac_lcs_advance TAC_PREFIXED(tac_lcs_advance)
#define tac_lcs_init TAC_PREFIXED(tac_lcs_init)
#define tac_lcs_sizes TAC_PREFIXED(tac_lcs_sizes)
#define tac_least_norm TAC_PREFIXED(tac_least_norm)
#define tac_linearise TAC_PREFIXED(tac_linearise)
#define tac_loads_step TAC_PREFIXED(tac_loads_step)
#define tac_mass_matrix TAC_PREFIXED(tac_mass_matrix)
#define tac_model_add_body TAC_PREFIXED(tac_model_add_body)
#define tac_model_add_exclusion TAC_PREFIXED(tac_model_add_exclusion)
#define tac_model_add_height_field TAC_PREFIXED(tac_model_add_height_field)
#define tac_model_add_hull TAC_PREFIXED(tac_model_add_hull)
#define tac_model_add_joint TAC_PREFIXED(tac_model_add_joint)
#define tac_model_add_material TAC_PREFIXED(tac_model_add_material)
#define tac_model_add_material_pair TAC_PREFIXED(tac_model_add_material_pair)
#define tac_model_add_mesh TAC_PREFIXED(tac_model_add_mesh)
#define tac_model_add_shape TAC_PREFIXED(tac_model_add_shape)
#define tac_model_add_surface TAC_PREFIXED(tac_model_add_surface)
#define tac_model_check_for TAC_PREFIXED(tac_model_check_for)
#define tac_model_get_coordinates TAC_PREFIXED(tac_model_get_coordinates)
#define tac_model_hash TAC_PREFIXED(tac_model_hash)
#define tac_model_init_for TAC_PREFIXED(tac_model_init_for)
#define tac_model_mass_from_shapes TAC_PREFIXED(tac_model_mass_from_shapes)
#define tac_model_seal_for TAC_PREFIXED(tac_model_seal_for)
#define tac_momentum TAC_PREFIXED(tac_momentum)
#define tac_ncp_init_for TAC_PREFIXED(tac_ncp_init_for)
#define tac_overlap TAC_PREFIXED(tac_overlap)
#define tac_plan_evaluate TAC_PREFIXED(tac_plan_evaluate)
#define tac_plan_perturb TAC_PREFIXED(tac_plan_perturb)
#define tac_plan_shift TAC_PREFIXED(tac_plan_shift)
#define tac_pose_inverse TAC_PREFIXED(tac_pose_inverse)
#define tac_pose_multiply TAC_PREFIXED(tac_pose_multiply)
#define tac_pose_point TAC_PREFIXED(tac_pose_point)
#define tac_pose_point_back TAC_PREFIXED(tac_pose_point_back)
#define tac_problem_add_block TAC_PREFIXED(tac_problem_add_block)
#define tac_problem_add_entry TAC_PREFIXED(tac_problem_add_entry)
#define tac_problem_block_init TAC_PREFIXED(tac_problem_block_init)
#define tac_problem_init_for TAC_PREFIXED(tac_problem_init_for)
#define tac_promise_name TAC_PREFIXED(tac_promise_name)
#define tac_qualify TAC_PREFIXED(tac_qualify)
#define tac_quat_conjugate TAC_PREFIXED(tac_quat_conjugate)
#define tac_quat_from_axis_angle TAC_PREFIXED(tac_quat_from_axis_angle)
#define tac_quat_from_matrix TAC_PREFIXED(tac_quat_from_matrix)
#define tac_quat_from_rotation_vector TAC_PREFIXED(tac_quat_from_rotation_vector)
#define tac_quat_from_rpy TAC_PREFIXED(tac_quat_from_rpy)
#define tac_quat_multiply TAC_PREFIXED(tac_quat_multiply)
#define tac_quat_normalise TAC_PREFIXED(tac_quat_normalise)
#define tac_quat_rotate TAC_PREFIXED(tac_quat_rotate)
#define tac_quat_rotate_back TAC_PREFIXED(tac_quat_rotate_back)
#define tac_quat_to_matrix TAC_PREFIXED(tac_quat_to_matrix)
#define tac_quat_to_rotation_vector TAC_PREFIXED(tac_quat_to_rotation_vector)
#define tac_quat_to_rpy TAC_PREFIXED(tac_quat_to_rpy)
#define tac_reactions TAC_PREFIXED(tac_reactions)
#define tac_reason_name TAC_PREFIXED(tac_reason_name)
#define tac_rollout TAC_PREFIXED(tac_rollout)
#define tac_rollout_advance TAC_PREFIXED(tac_rollout_advance)
#define tac_rollout_begin TAC_PREFIXED(tac_rollout_begin)
#define tac_sampling_advance TAC_PREFIXED(tac_sampling_advance)
#define tac_sampling_begin TAC_PREFIXED(tac_sampling_begin)
#define tac_sampling_end TAC_PREFIXED(tac_sampling_end)
#define tac_self_test TAC_PREFIXED(tac_self_test)
#define tac_shape_force TAC_PREFIXED(tac_shape_force)
#define tac_shape_make TAC_PREFIXED(tac_shape_make)
#define tac_solve_options_init TAC_PREFIXED(tac_solve_options_init)
#define tac_state_adopt TAC_PREFIXED(tac_state_adopt)
#define tac_state_difference TAC_PREFIXED(tac_state_difference)
#define tac_state_displace TAC_PREFIXED(tac_state_displace)
#define tac_state_get_coordinates TAC_PREFIXED(tac_state_get_coordinates)
#define tac_state_get_joint TAC_PREFIXED(tac_state_get_joint)
#define tac_state_get_measured TAC_PREFIXED(tac_state_get_measured)
#define tac_state_get_pose TAC_PREFIXED(tac_state_get_pose)
#define tac_state_hash TAC_PREFIXED(tac_state_hash)
#define tac_state_pack TAC_PREFIXED(tac_state_pack)
#define tac_state_set_body TAC_PREFIXED(tac_state_set_body)
#define tac_state_set_coordinates TAC_PREFIXED(tac_state_set_coordinates)
#define tac_state_set_joints TAC_PREFIXED(tac_state_set_joints)
#define tac_state_set_measured TAC_PREFIXED(tac_state_set_measured)
#define tac_state_set_switch TAC_PREFIXED(tac_state_set_switch)
#define tac_state_unpack TAC_PREFIXED(tac_state_unpack)
#define tac_step TAC_PREFIXED(tac_step)
#define tac_status_name TAC_PREFIXED(tac_status_name)
#define tac_step_accelerations TAC_PREFIXED(tac_step_accelerations)
#define tac_step_begin TAC_PREFIXED(tac_step_begin)
#define tac_step_dae TAC_PREFIXED(tac_step_dae)
#define tac_step_end TAC_PREFIXED(tac_step_end)
#define tac_step_implicit TAC_PREFIXED(tac_step_implicit)
#define tac_step_lcp TAC_PREFIXED(tac_step_lcp)
#define tac_step_sweep TAC_PREFIXED(tac_step_sweep)
#define tac_time_to_contact TAC_PREFIXED(tac_time_to_contact)

#else
#define TAC_PREFIXED(name) name
#endif

// C++ takes structs of one name in two source files for the same struct: those of a kernel with a prefix are in a
// namespace, which the source does not see.
#if defined(__cplusplus) && defined(TAC_PREFIX)
#define TAC_TYPES_BEGIN inline namespace TAC_PREFIXED(tactus) {
#define TAC_TYPES_END }
#else
#define TAC_TYPES_BEGIN
#define TAC_TYPES_END
#endif

#endif
