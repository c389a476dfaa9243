// SPDX-License-Identifier: MIT
// problem_file.h - frictional contact problems from text files: "fc3d 1", and references "fc3d-ref 1".
//
//     fc3d 1
//     # one comment line
//     nc nnzblocks
//     mu q_N q_T1 q_T2              nc lines
//     i j w00 w01 w02 w10 .. w22    nnzblocks lines, sorted by i, then j, both triangles
//
// A reference has, after its comment line, nc, then for each contact g(3) u(3) of the relaxed law and of the exact one.
#ifndef HOST_PROBLEM_FILE_H
#define HOST_PROBLEM_FILE_H

#include "tactus/tactus.h"

/// Read a problem. Returns 0 after a complaint with the line number: not that format, a number missing or not finite, a
/// negative friction coefficient, an index out of range or out of order, too large for this build, more after the end.
int problem_file_read(const char *path, tac_problem *problem);

/// Write a problem of cones of three rows, with enough digits to recover every bit. Returns 0 after a complaint.
int problem_file_write(const char *path, const tac_problem *problem, const char *comment);

/// Velocities of a reference with `contacts` contacts, three a contact, for a law TAC_FRICTION_*. Returns 1; 0 after a
/// complaint; -1, silently, if there is no such file.
int problem_file_reference(const char *path, uint32_t contacts, uint8_t friction, double *velocity);

#endif
