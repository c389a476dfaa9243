// SPDX-License-Identifier: MIT
// values.h - what all formats say of a step, and how they print it.
#ifndef TACTUS_LOG_VALUES_H
#define TACTUS_LOG_VALUES_H

#include "log.h"

/// Enough digits to recover every bit of a tac_real.
#if TAC_REAL_BITS == 32
#define LOG_REAL "%.9g"
#else
#define LOG_REAL "%.17g"
#endif

/// Joints of a model; 0 in a configuration without.
uint32_t log_joints(const tac_model *model);

/// Unit of the coordinate of a kind of joint, "rad" or "m"; NULL for a kind without one.
const char *log_unit(uint8_t kind);

/// TAC_JOINT_ALWAYS for a joint that may not be switched; what the state has of any other, or without it the model.
unsigned log_switch(const tac_model *model, const tac_state *state, uint32_t i);

/// Name of element i, or `otherwise` and its number in `room`.
enum { LOG_NAME = 32 };
const char *log_name(const char *const *names, uint32_t i, const char *otherwise, char room[LOG_NAME]);

/// Name of a body: that of the log, else "ground", "body_1", ...
const char *log_body_name(const tactus_log_about *about, uint32_t i, char room[LOG_NAME]);

/// Contacts of the last step; 0 before the first.
uint32_t log_contacts(const tac_state *state, const tac_work *work);

/// A vector of the contact's frame (n,u,w) in the world.
tac_vec3 log_world(const tac_contact *c, tac_vec3 v);

/// N s, N, m/s  impulse on b over the whole step with that of impacts, the mean force, the velocity along the surface
/// of b relative to a; world frame.
tac_vec3 log_impulse(const tac_contact *c);
tac_vec3 log_force(const tac_model *model, const tac_contact *c);
tac_vec3 log_slip(const tac_contact *c);

/// m  half sides of the box of even density that has a body's mass and inertia
tac_vec3 log_inertia_box(const tac_body *b);

#endif
