# SPDX-License-Identifier: MIT
"""convert - the parts of urdf2tactus and mjcf2tactus, one idea each.

    complaint, document, space                what is wrong, where; XML with line numbers; vectors, turns, poses
    robot, mesh                               what files say: links and joints; points
    urdf, srdf                                URDF, and pairs of links that do not collide
    mjcf, mjcf_file, mjcf_pose                MJCF: the whole, with keyframes; classes and includes; how it says where
    mjcf_bodies, mjcf_geoms, mjcf_assets      its bodies and joints, shapes and what they weigh, meshes and terrain
    mjcf_relations, mjcf_motors               its equalities, pairs and filters; its actuators
    tree, merge, inertia, hull                what it means: one tree, rigid groups, principal axes, convex hulls
    shapes, volume                            geometries as shapes of the kernel, and what they weigh
    joints, pairs, overlaps                   what is joined, what does not collide
    model, layout, model_hash                 what the kernel is told: tac_model, field by field, and its hash
    names                                     what its elements are called in C
    emit_c, emit_h, emit_config, emit_blob    how it is written down
    room                                      the flash and the RAM that it takes
    main                                      the command lines
"""
