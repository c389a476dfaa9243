// SPDX-License-Identifier: MIT
// tactus.h - the API and its manual. Include this header and link src/tactus.c; port.h is only for users of our ports.
//
//     tac_model  what the world is      build it with tac_model_init() and tac_model_add_*(), close it with
//                tac_model_seal()
//     tac_state  its state of motion    tac_state_init() sets it; copying it takes a snapshot
//     tac_input  forces and commands    fill it before each step; NULL: none
//     tac_work   scratch and results    contacts, joint forces and report of the last step
//
//     tac_step(&model, &state, &input, &work)   advances the state by one step of model.h seconds
//
// Each step solves for the impulses g_k of all contacts k (NST17 (9)-(11), signs as in src/README.md)
//
//     minimise 1/2 g'N g + p'g   over  g_k in K_k = { |(u,w)| <= mu n },    N = D'M^-1 D,   p = D'v~ + b
//     then     v+ = v~ + M^-1 D g,    q+ = q exp(h v+)
//
// With TAC_ROLLING a contact may also resist spinning and rolling: torque impulses t about (n,u,w) are added to (u,w),
// and the set becomes (|u|^2 + |w|^2)/mu^2 + t_n^2/spinning^2 + (t_u^2 + t_w^2)/rolling^2 <= n^2  (CBAT07).
// A compliant contact (tac_material.stiffness) adds C = 1/(h (h k + c)) to N along its normal, and k h C gap to p.
//
// The kernel never prints, exits, allocates or asserts, has no global state and needs nothing but these headers. Every
// function is reentrant: different threads may call it at the same time on different objects. Costs are counts of
// elements; where instructions are given they are those of a Cortex-M4F in float, and src/step/README.md has more.
// Stack for float, with the kernel compiled with -fno-inline-functions-called-once (Cortex-M4F, gcc 12): at most
// 1.75 KiB, without convex shapes (TAC_CONVEX 0) 1.25 KiB.
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include "tactus/layout.h"
#include "tactus/rotation.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The link names of these carry precision and version, so that a mismatch does not link; tac_implicit_closest also
// carries TAC_MAX_INEQUALITIES, the only knob that sizes implicit bodies.
#define tac_state_init_for TAC_LINK(tac_state_init_for)
#define tac_solve_for TAC_LINK(tac_solve_for)
#define tac_dae_init_for TAC_LINK(tac_dae_init_for)
#define tac_fit_init_for TAC_LINK(tac_fit_init_for)
#define TAC_LINK_IMPLICIT_(name, most) name##_i##most
#define TAC_LINK_IMPLICIT(name, most) TAC_LINK_IMPLICIT_(name, most)
#define tac_implicit_closest TAC_LINK_IMPLICIT(TAC_LINK(tac_implicit_closest), TAC_MAX_INEQUALITIES)

// ----------------------------------------------------------------------------------------------------------- model

/// An empty model: the ground, no shapes, gravity 9.81 m/s2 along -z, h 1 ms, default options.
///   model    written whole
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG. In the last case only the counts are written, and they say that
/// every table is full: nothing can be added, and tac_model_seal() reports which knob differs. Cost: sizeof(tac_model)
/// stores.
tac_status tac_model_init_for(const tac_layout *caller, tac_model *model);
static inline tac_status tac_model_init(tac_model *model)
{
    return tac_model_init_for(tac_layout_here(), model);
}

/// Add a material, a body, a shape, or coefficients for one pair of materials. Arguments are copied and are not checked
/// here but by tac_model_check(). By default friction coefficients combine by geometric mean and restitutions by
/// maximum. With TAC_ROLLING, resistance to spinning and rolling is 0 until material[].spinning and .rolling, or those
/// of the pair, are set. Contacts are rigid until .stiffness, and .damping with it, of either material or of the pair
/// are set. Materials combine as springs in series, 1/k = 1/k_a + 1/k_b, to which a rigid one adds nothing, with the
/// damping c_a (k/k_a)^2 + c_b (k/k_b)^2; the numbers of a pair are those of both together. A compliant contact does not
/// bounce by its restitution: it gives back what its damper leaves (src/rows/README.md, Compliant contacts). Returns the
/// index of the new element; TAC_E_ARG if a pointer is NULL, TAC_E_FULL if the table is full: nothing is added, and
/// tac_model_seal() will refuse the model. Cost: constant.
int32_t tac_model_add_material(tac_model *model, tac_real friction, tac_real restitution);
int32_t tac_model_add_body(tac_model *model, const tac_body *body);
int32_t tac_model_add_shape(tac_model *model, const tac_shape *shape);
int32_t tac_model_add_material_pair(tac_model *model, uint8_t a, uint8_t b, tac_real friction, tac_real restitution);

/// Bodies a and b do not collide. Returns the index of the new entry, TAC_E_ARG (NULL) or TAC_E_FULL (as above). Cost:
/// constant.
int32_t tac_model_add_exclusion(tac_model *model, uint16_t a, uint16_t b);

/// Set a joint of `kind` between two bodies to defaults: frames at the origins of the bodies' frames; no limits,
/// friction, spring or armature; unlimited motor effort and speed. For TAC_COUPLING `body_a` and `body_b` are indices
/// of joints; the ratio is 1 and the coordinate is free until limits or a spring are set. Nothing is checked here but
/// by tac_model_check(); NULL does nothing. Cost: constant.
void tac_joint_init(tac_joint *joint, uint8_t kind, uint16_t body_a, uint16_t body_b);

/// Add a joint. The two bodies do not collide with each other unless joint.collide is 1. Returns the index of the new
/// joint, TAC_E_ARG (NULL) or TAC_E_FULL (always with TAC_MAX_JOINTS 0). Cost: constant.
int32_t tac_model_add_joint(tac_model *model, const tac_joint *joint);

/// Add a surface that moves over the body of its shape. One that is to move by the input alone is added at rest. Returns
/// the index of the new surface, TAC_E_ARG (NULL) or TAC_E_FULL (always with TAC_MAX_SURFACES 0). Cost: constant.
int32_t tac_model_add_surface(tac_model *model, const tac_surface *surface);

/// Tolerance of a hull, relative to its largest extent.
#define TAC_TOL_FLAT ((tac_real)2e-5)

/// Add the convex hull of `count` points as a polyhedron that any number of shapes of kind TAC_HULL may share. Stored
/// are its corners, its faces and its edges. Faces whose corners are within TAC_TOL_FLAT of one plane may be stored as
/// one, if what they were is within TAC_TOL_FLAT of it: of thin and sharp bodies only faces that are flatter.
///   points   m, in the shape's frame; 4 .. 65535. Each is within TAC_TOL_FLAT of the hull of the corners that are
///            stored, and above no face by more; rounding apart
/// Returns the index for tac_shape.data; TAC_E_ARG if a pointer is NULL, a value is not finite or beyond
/// TAC_MOST_LENGTH, or the points are coplanar: thinner than 4 roundings of their largest coordinate (in float 5e-7 of
/// it) or than 4e-9 of their largest extent; TAC_E_FULL if a table is full or there are more than TAC_MAX_HULL_POINTS
/// corners (the part in use does not change then). The tables must have room for the exact hull of all points, before
/// corners are merged and left out.
/// This function and the next two use the free part of the tables as scratch and clear it afterwards; with TAC_CONVEX 0
/// they always return TAC_E_FULL. Cost: points times edges.
int32_t tac_model_add_hull(tac_model *model, const tac_vec3 *points, uint32_t count);

/// Add a triangle mesh as a polyhedron for shapes of kind TAC_MESH: a surface whose back side is solid.
///   points     m, in the shape's frame; >= 3
///   triangle   three indices each, counter-clockwise when seen from outside; neighbours share the indices of their
///              common edge; an edge may have two triangles at most
/// Returns the index for tac_shape.data; TAC_E_ARG if a pointer is NULL, an index is out of range, a value is not
/// finite or beyond TAC_MOST_LENGTH, a triangle has no area, or an edge has more than two triangles or two with the same direction; TAC_E_FULL if
/// a table is full (the part in use does not change then). Cost: triangles squared for the edges, triangles log
/// triangles for the tree.
int32_t tac_model_add_mesh(tac_model *model, const tac_vec3 *points, uint32_t count, const uint16_t (*triangle)[3],
                           uint32_t triangles);

/// Add terrain for shapes of kind TAC_HEIGHT_FIELD, see tac_height_field.
///   samples    columns * rows of them, row by row
///   columns, rows   >= 2
///   dx, dy     m, spacing of samples along x and y, > 0
///   scale      m, height of one unit of the samples, > 0
/// Returns the index for tac_shape.data; TAC_E_ARG if a pointer is NULL, a value is out of range or not finite;
/// TAC_E_FULL if a table is full (nothing changes then). Cost: samples.
int32_t tac_model_add_height_field(tac_model *model, const tac_height *samples, uint16_t columns, uint16_t rows,
                                   tac_real dx, tac_real dy, tac_real scale);

/// A shape of `kind` and `size` (m, see the kinds) on `body`: at the origin of the body's frame, rounding 0, material
/// 0, in group 1, mask of all groups. Cost: constant.
tac_shape tac_shape_make(uint16_t body, uint8_t kind, tac_vec3 size);

/// A body of `kind` at `position` (m, world): not rotated, at rest, mass 1 kg, principal moments 1 kg m2, principal
/// frame at the body's frame. Cost: constant.
tac_body tac_body_make(uint8_t kind, tac_vec3 position);

/// Compute mass, principal inertia and principal frame of a body from its shapes, all of the same density.
///   body      1 .. bodies-1, with at least one shape; none of them a half-space, mesh or height field
///   density   kg/m3, > 0
/// Returns TAC_OK or TAC_E_ARG (nothing changes). Overlapping volume counts twice. `rounding` adds volume to spheres
/// and capsules only. Cost: shapes of the model, edges of the hulls, one 3x3 eigenproblem.
tac_status tac_model_mass_from_shapes(tac_model *model, uint16_t body, tac_real density);

/// Check every field. Returns TAC_OK, or TAC_E_CONFIG / TAC_E_ARG (NULL) / TAC_E_NAN / TAC_E_MODEL with the first bad
/// field in `fault`; or TAC_E_FULL if joints alone need more rows than there is room for: the fault has the knob,
/// TAC_FIELD_MAX_REDUCED or TAC_FIELD_MAX_PATH, and as its index the number that it needs. Quaternions are unit to
/// rounding here, as tac_model_seal() makes them.
///   fault    written whole; may be NULL
/// The hash is not checked here but by tac_state_init(). The step can rely on a model that passes, wherever it comes
/// from.
/// Cost: linear in the model, except for points times faces of each hull and one search per triangle of a mesh.
tac_status tac_model_check_for(const tac_layout *caller, const tac_model *model, tac_fault *fault);
static inline tac_status tac_model_check(const tac_model *model, tac_fault *fault)
{
    return tac_model_check_for(tac_layout_here(), model, fault);
}

/// Hash of a model's values (32 bit FNV-1a, the same on every target). A model in flash stores it in `hash`.
/// Cost: linear in the model.
uint32_t tac_model_hash(const tac_model *model);

/// Check the model, then store its hash. Quaternions that are typed with few digits, (0.707, 0.707, 0, 0), are made unit
/// first; those of unit length to rounding keep their bits. Call it after the last change: nothing that steps looks for a field that is
/// changed later; tac_check() and tac_state_init() do. Returns and reports as tac_model_check(); TAC_E_FULL, with the
/// table in `fault`, if a tac_model_add_*() has returned TAC_E_FULL, whether the caller has looked at it or not (to
/// seal what has found room, set model.hash to 0 before). Cost: that of tac_model_check() and tac_model_hash().
tac_status tac_model_seal_for(const tac_layout *caller, tac_model *model, tac_fault *fault);
static inline tac_status tac_model_seal(tac_model *model, tac_fault *fault)
{
    return tac_model_seal_for(tac_layout_here(), model, fault);
}

// ----------------------------------------------------------------------------------------------------------- state

/// Set the initial state of a model: its initial poses and velocities, no impulses, step 0. It is also the reset:
/// whatever the state was, its bits are then those of a new one; so are those of a copy of a new state, which costs no
/// more than the copy. The setters below change poses and velocities alone: call one of these two first, since impulses
/// of the warm start, revolutions of couplings, step and contacts_peak are of the past.
///   model    sealed
///   fault    written whole; may be NULL
/// Returns TAC_OK, or as tac_model_check(), or TAC_E_MODEL with TAC_FIELD_HASH if the model is not sealed or has
/// changed since. On refusal the state is untouched. Cost: linear in the model.
tac_status tac_state_init_for(const tac_layout *caller, const tac_model *model, tac_state *state, tac_fault *fault);
static inline tac_status tac_state_init(const tac_model *model, tac_state *state, tac_fault *fault)
{
    return tac_state_init_for(tac_layout_here(), model, state, fault);
}

/// Make a state of model `from` a state of model `to`, which may have other numbers: masses, sizes, frames, materials,
/// friction, limits, springs, gravity, h, options. A roll-out with other friction then begins at the present state,
/// impulses of the warm start included. Each body keeps its motion: the pose of its own frame, and the velocity of all
/// its points. The numbers of a body whose `inertial` is the same in both keep their bits, so that adopting back
/// restores them; else pose and velocity are converted to the new principal frame, to rounding. The ground is where
/// `to` has it. If frames of joints or shapes change, the next steps correct what they violate. These must be the same:
///   bodies      number, kinds, order
///   shapes      number, kinds, order; the body of each
///   joints      number, kinds, order; the bodies of each
///   couplings   ratio; frames, length and limits of the two joints, whose revolutions they count
/// Arguments:
///   from, to    both sealed; they may be the same. As tac_step(), this relies on the seal: tac_model_check() is for
///               models that may have changed since
///   state       of `from`
///   fault       written whole: the first difference, as an element of `to`; may be NULL
/// Returns TAC_OK; TAC_E_ARG (NULL; the position or velocity of a new centre of mass is out of range); TAC_E_MODEL
/// (`to` is not sealed, the state is not of `from`, or one of these differs); TAC_E_NAN (a state that is not finite). On
/// refusal the state is untouched. Cost: three visits to each body, one to each shape and joint.
tac_status tac_state_adopt(const tac_model *from, const tac_model *to, tac_state *state, tac_fault *fault);

/// Pose of a body's own frame (not its principal frame) in the world. NULL, or a body out of range, gives the identity.
/// Cost: constant.
tac_pose tac_state_get_pose(const tac_model *model, const tac_state *state, uint16_t body);

/// Set the pose of a body's own frame and its velocity (as in tac_twist). The quaternion is normalised; the impulses
/// kept for the warm start do not change. This body alone moves: of bodies that joints connect, the joints then do not
/// hold, and the next steps pull all of them together, at the momentum that this one has been given. To place a robot,
/// set its trunk and then tac_state_set_joints(), or all of it by tac_state_set_coordinates(); tac_check() tells
/// whether all joints hold.
/// Returns TAC_OK, TAC_E_ARG (NULL, body out of range or the ground, position or velocity beyond TAC_MOST_POSITION or
/// TAC_MOST_SPEED), TAC_E_MODEL (state of another model), TAC_E_NAN (not finite, or a quaternion whose norm is not
/// between 1/2 and 2, exclusive); on refusal the state is untouched. Cost: constant.
tac_status tac_state_set_body(const tac_model *model, tac_state *state, uint16_t body, tac_pose pose, tac_twist twist);

/// Coordinate of a joint and its rate; zeros for kinds without a coordinate. Its effort is in work->joint[] after a
/// step.
/// Returns TAC_OK, TAC_E_ARG (NULL, no such joint), TAC_E_MODEL. Cost: constant.
tac_status tac_state_get_joint(const tac_model *model, const tac_state *state, uint32_t joint, tac_joint_state *result);

/// The same as tac_state_set_coordinates(), without a work area and for joints alone: free roots stay as they are, joints
/// with a coordinate of their own take this position and this velocity, all other coordinates are 0, so that both frames
/// of such a joint coincide. Bodies that nothing but a BUSHING or REVOLUTE_SPHERICAL holds are placed too: at the place
/// where both frames coincide, the latter with the origin of b at x = length. Entries of other joints count for nothing.
///   joint    array of model->joints; |position| and |velocity| at most TAC_MOST_SPEED
/// Returns TAC_OK, TAC_E_ARG (NULL, a model without joints, out of that range), TAC_E_MODEL, TAC_E_NAN (nothing changes).
/// Cost: that of finding the trees, as for a new mechanism, and two visits to each body.
tac_status tac_state_set_joints(const tac_model *model, tac_state *state, const tac_joint_state *joint);

#if TAC_SWITCHES
/// Takes a joint out of force, or brings it into force, from the next step on (types.h, TAC_JOINT_*). No
/// pose and no velocity changes here. What the joint forbids of the velocities, the next step takes away, as a plastic
/// impact does: momentum stays, and no energy is made. Impulses that the joint had begin at zero.
///   how    TAC_JOINT_OFF; TAC_JOINT_ON, with the frames of the model, where the joint holds already, else it is refused:
///          nothing jumps; TAC_JOINT_CAPTURED, of a FIXED joint: with its bodies as they are, frame b where frame a is
/// Returns TAC_OK; TAC_E_ARG (NULL, no such joint, one that may not be switched, another `how`, bodies apart),
/// TAC_E_MODEL; nothing changes then. Cost: constant.
tac_status tac_state_set_switch(const tac_model *model, tac_state *state, uint32_t joint, int32_t how);
#endif

/// 64 bit FNV-1a hash of the values of a state (step, poses, velocities, impulses, account; one value for all NaN):
/// equal on every target for equal histories. Padding does not count. Cost: linear.
uint64_t tac_state_hash(const tac_model *model, const tac_state *state);

// ------------------------------------------------------------------------------------------- prediction (TAC_PREDICT)

#if TAC_PREDICT

/// A state as bytes, little endian on every target, of what its model has: bodies, joints, contacts in use. In float
/// 88 B a body, 9 to 21 B a contact (33 B where TAC_ROLLING has torques), 2 to 38 B a joint, 8 B the account of joints,
/// 24 B more. TAC_PACK_PLAN: 52 B a body, a contact as before, 4 B a coupling, 24 B; the next step differs from that of
/// the whole state by what the solver leaves open, always in the same way. src/predict/README.md has the layout.
///   bytes   `room` of them; NULL: only *size is wanted
///   size    written with TAC_OK and TAC_E_FULL: the bytes of this state in this form
///   fault   written whole; may be NULL
/// Returns TAC_OK; TAC_E_FULL (`room` is too small, or `bytes` NULL: nothing is written there); TAC_E_ARG (NULL, no such
/// form); TAC_E_MODEL, TAC_E_NAN as tac_step() has it for a state. Cost: two visits to each number.
tac_status tac_state_pack(const tac_model *model, const tac_state *state, int32_t form, uint8_t *bytes, uint32_t room,
                          uint32_t *size, tac_fault *fault);

/// Such bytes, of either form, as a state of `model`, which is sealed; whatever the state was.
///   size    of the bytes, all of which belong to the state
///   fault   TAC_FIELD_PACKED and a byte: another version or precision, no such form, too short or long, or not what was packed;
///           or as tac_state_adopt()
/// Returns TAC_OK, TAC_E_ARG (also NULL, more contacts than TAC_MAX_CONTACTS, a number out of range), TAC_E_MODEL
/// (another model), TAC_E_NAN. On refusal the state is untouched. Cost: two visits to each number.
tac_status tac_state_unpack(const tac_model *model, tac_state *state, const uint8_t *bytes, uint32_t size,
                            tac_fault *fault);

/// What an estimator would know of a state, and a state from what one knows: pose, velocity and gyro of a frame on a
/// free root, all in the frame's own axes, and position and rate of each joint, whose bodies follow. Other free roots
/// stay; joints without a coordinate of their own are set as by tac_state_set_joints(). Impulses of the warm start stay,
/// so that a controller that sets its state anew in each period starts from the last solution.
///   measured   get: in: frame; out: the rest
///   joint      array of model->joints, as in tac_state_set_joints(); get: tac_state_get_joint() has each. NULL where the
///              model has no joints
/// Return TAC_OK; TAC_E_ARG (NULL, the body of the frame is not dynamic, out of range; set: it hangs on a joint, whereas
/// get answers for a link too), TAC_E_MODEL, TAC_E_NAN (not finite, or a quaternion whose norm is not between 1/2 and 2,
/// exclusive); nothing changes then. Cost of get: constant; of set: as tac_state_set_joints().
tac_status tac_state_get_measured(const tac_model *model, const tac_state *state, tac_measured *measured);
tac_status tac_state_set_measured(const tac_model *model, tac_state *state, const tac_measured *measured,
                                  const tac_joint_state *joint);

/// What happens in each step: begin, then once after each step of tac_step() or tac_step_end(), before the work area is
/// used otherwise. Times are those of the motion without what the event changes: of a touch the root of the gap's
/// parabola by gap, rate and acceleration without contacts at the start of the step (bodies of joints: by gap and rate),
/// so that a ball in free flight is exact to rounding, and a corner that turns by an angle x in the step to what its arc
/// bends, x^2/2 times its arm; of an opening the same, back from the end. With several touches of a pair in one step the
/// first of them and the last opening count. A pair opens where it bears no force and is apart by more than
/// rounding and a ten thousandth of what gravity moves a body in a step: a body at rest has no events. A pair slips
/// where a contact slides at more than a ten thousandth of the speed that gravity makes in a step and of its own speeds.
/// Contacts that a step has dropped (TAC_FULL) count as open.
///   list     room for events of the caller; NULL if room is 0: they are only counted
///   events   begin: written whole; pairs and limits that bore a force in the last step touch from the beginning
/// begin returns TAC_OK, TAC_E_ARG (NULL), TAC_E_MODEL, TAC_E_NAN as tac_step() has it for a state; step returns TAC_OK,
/// TAC_FULL (events were dropped in this step), TAC_E_ARG (NULL), TAC_E_MODEL (of another model), TAC_E_ORDER: the work
/// area does not hold the step that has made the state, or a step in between is missing; nothing changes then.
/// Cost: one visit to each contact and each joint with limits.
tac_status tac_events_begin(const tac_model *model, const tac_state *state, tac_event *list, uint32_t room,
                            tac_events *events);
tac_status tac_events_step(const tac_model *model, const tac_state *state, tac_work *work, tac_events *events);

/// Adds what the contacts of a step have done to each shape: impulses of contacts and bounces, their work, and the force.
/// The work is impulse times the mean of the velocities of the body at the start and at the end, at the contact: of all
/// impulses together, those of weight and input too, it is the change of the kinetic energy: to rounding, and to terms
/// of order h where bodies of unequal moments rotate.
///   work     of the step that has made the state, as in tac_events_step()
///   loads    cleared by the caller, whenever he likes
/// Returns TAC_OK, TAC_E_ARG (NULL), TAC_E_MODEL, TAC_E_ORDER. Cost: two visits to each contact, one to each shape.
tac_status tac_loads_step(const tac_model *model, const tac_state *state, const tac_work *work, tac_loads *loads);

/// When does a shape, or any shape of a body, first touch one that it may collide with, under an input that is held? Two
/// cases:
///   - it flies freely: its body is dynamic, hangs on no joint, has no other shape that may collide, no wrench acts on
///     it, and all that it may collide with is on bodies that are static or move at their prescribed velocities. Its
///     centre then moves on a parabola and it rotates by Euler's equations, whatever h is;
///   - else steps of h/parts are made by tac_step(), in which these shapes alone collide with nothing: joints follow
///     their motors and limits, other feet stand, others are pushed. Between two of them bodies move on parabolas.
/// Along the way a pair is looked at where planes between the shapes cease to hold, which never passes a touch: `time`
/// is before the touch on that way, by the time that a gap of 1e-5 of the thinner shape and the rounding of coordinates
/// last. Of bodies in free flight the way is exact; of joints it differs from that of fine steps by terms of order h/parts
/// (src/predict/README.md). If looks run out, `time` is that up to which nothing touches. What touches now, or is as near, touches at 0.
///   state    as it is now; does not change
///   query    what is asked
///   work     scratch
///   ahead    scratch; NULL: bodies that fly freely alone
///   meeting  written whole, unless refused
/// Returns TAC_OK, touch or not; TAC_UNCONVERGED (looks ran out); TAC_E_ARG (NULL, no such body or shape, parts 0,
/// horizon out of range 0 .. TAC_MOST_POSITION), TAC_E_MODEL, TAC_E_NAN as tac_step() for a state or an input, or a step
/// ahead is refused; TAC_E_FULL (it does not fly freely, and ahead is NULL). Cost: at most `looks` searches as those of
/// tac_distance(), each with at most 8 evaluations of the separation along a direction; steps; and shapes^2 comparisons
/// for each of these.
tac_status tac_time_to_contact(const tac_model *model, const tac_state *state, const tac_input *input,
                               const tac_meeting_query *query, tac_work *work, tac_ahead *ahead, tac_meeting *meeting);
/// The difference b - a of two states in the coordinates of tac_derivative(), and a state moved by such a difference:
/// x = (q, v), 2 n numbers, n those of tac_model_get_coordinates(). q of a free root: translation of its centre of mass
/// in the world, then the rotation vector from a to b in the principal frame of a, at most pi long; of joints the
/// change of their coordinates, angles without limits the shorter way round (SPHERICAL: the rotation vector in the axes
/// of the joint's body a). v: the difference of the numbers dq. Displacing a by (b - a) gives b to rounding.
///   difference, x   2 n numbers
///   work            scratch; a step between begin and end in it is abandoned
/// Return TAC_OK, TAC_E_ARG (NULL; beyond TAC_MOST_POSITION, TAC_MOST_SPEED), TAC_E_MODEL, TAC_E_NAN (a result or an x
/// that is not finite: the difference is then zeros, the state untouched). Impulses of the warm start, step and bodies
/// whose numbers do not change stay. Cost: as tac_state_get_coordinates(), twice; as tac_state_set_coordinates().
tac_status tac_state_difference(const tac_model *model, const tac_state *a, const tac_state *b, tac_work *work,
                                tac_real *difference);
tac_status tac_state_displace(const tac_model *model, tac_state *state, const tac_real *x, tac_work *work);

/// The commands of a plan at a time, as the motors of an input from number `first` on; motors before it and actions
/// stay.
///   time     s after the state that the plan is for
///   input    motors 0 .. first-1 filled; motors is then first + channels
/// Returns TAC_OK, TAC_E_ARG (NULL, a plan out of its ranges), TAC_E_FULL (first + channels is above TAC_MAX_JOINTS),
/// TAC_E_NAN (a number that is not finite); nothing changes then. Cost: constant a channel.
tac_status tac_plan_evaluate(const tac_plan *plan, tac_real time, uint32_t first, tac_input *input);

/// The same plan for a state that is later: knots whose time has passed are dropped as far as none of the commands of
/// the remaining time changes, the last one is repeated in their place.
///   by     s, >= 0
/// Returns TAC_OK, TAC_E_ARG, TAC_E_NAN (as above; `by` negative or not finite). Cost: the numbers.
tac_status tac_plan_shift(tac_plan *plan, tac_real by);

/// A plan with noise: each number plus scale sigma z, clamped to the bounds of its channel, into to->value; the rest of
/// `to` is that of `from`, whose numbers may be the same ones. z is the sum of twelve uniform numbers less 6, within
/// +-6, standard deviation 1 and nearly Gaussian; a function of (seed, candidate, number of the knot, channel) alone,
/// with the same bits on every target.
///   to       value: room for knots * channels numbers
/// Returns as tac_plan_shift(). Cost: about 150 instructions a number.
tac_status tac_plan_perturb(const tac_plan *from, uint64_t seed, uint32_t candidate, tac_real scale, tac_plan *to);

/// Roll out: N steps from a state under a plan, the cost summed, as N calls of tac_step() would with the input of the
/// plan at k h, to the bit, but state and plan are checked only once. The result depends on what is asked alone, not on
/// other roll-outs or on what the work area held; between slices that may be used for anything else.
///   prediction   in: what is asked; out: the rest
///   state        of prediction->model; not changed
///   fault        written whole: TAC_FIELD_PLAN to TAC_FIELD_ROLLOUT, or as tac_step(); may be NULL
///   steps        of this slice, at most. With fidelity.kept a step that refreshes them counts three, a full one in
///                their place six, so that slices of as many steps take about as long; the last step may count for more
/// begin returns TAC_OK; TAC_E_ARG (also NULL), TAC_E_MODEL, TAC_E_NAN with the fault, and nothing has begun: the
/// prediction's end is TAC_ROLLOUT_REFUSED. advance, and tac_rollout(), which is begin and advance to the end, return
/// TAC_OK when the roll-out has ended, whole or because it is dear; TAC_UNCONVERGED if not yet; TAC_E_NAN if a step was
/// refused; TAC_E_ARG (NULL), TAC_E_ORDER (not begun, or the model is another one). Cost: N times a step and a visit to
/// each term; the state and the plan once. Stack: that of tac_step() and 0.2 KiB.
tac_status tac_rollout_begin(tac_prediction *prediction, const tac_state *state, tac_fault *fault);
tac_status tac_rollout_advance(tac_prediction *prediction, tac_work *work, uint32_t steps);
tac_status tac_rollout(tac_prediction *prediction, const tac_state *state, tac_work *work, tac_fault *fault);

/// Plan by sampling: begin, slices of steps, end. The winner is the candidate of the least cost; candidates that become
/// dearer than what can still count are cut, which changes no result. end makes the winner the plan, at any time: the
/// cheapest of the candidates that have ended, never one dearer than the plan was; if none has, or all were refused,
/// the plan stays.
///   sampling   in: what is asked; out: the rest
///   state      of sampling->model; must stay until the end
///   fault      as tac_rollout(); TAC_FIELD_SAMPLING and 0: a pointer, 1: samples, 2: elites, 3: method, 4: scale,
///              5: temperature, 6: spread; TAC_FIELD_ROLLOUT: steps
///   steps      of this slice, at most, as tac_rollout_advance() counts them; where a candidate ends the next one
///              follows in the same slice
/// begin returns as tac_rollout_begin(). advance returns TAC_OK when all is done, TAC_UNCONVERGED if not yet,
/// TAC_E_ARG, TAC_E_ORDER as tac_rollout_advance(). end returns TAC_OK, TAC_E_ARG, TAC_E_ORDER; after it a new begin is
/// due. Cost: at most (samples + 1) * steps steps; about 150 instructions for each number of each candidate, once, and
/// again for the mean.
tac_status tac_sampling_begin(tac_sampling *sampling, const tac_state *state, tac_fault *fault);
tac_status tac_sampling_advance(tac_sampling *sampling, tac_work *work, uint32_t steps);
tac_status tac_sampling_end(tac_sampling *sampling);

// ------------------------------------------------------------------------------------- identification (TAC_PREDICT)

/// Defaults of a fit: no parameters, no sections.
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG. Cost: sizeof(tac_fitting) stores.
tac_status tac_fit_init_for(const tac_layout *caller, tac_fitting *fit);
static inline tac_status tac_fit_init(tac_fitting *fit)
{
    return tac_fit_init_for(tac_layout_here(), fit);
}

/// Find the values of parameters for which roll-outs of tac_step() are as measured: the least sum of squared residuals,
/// or of their lengths (fit->robust), by Levenberg and Marquardt's method within the bounds. Derivatives are differences
/// of roll-outs; contacts that begin or end between the two are part of them. Each roll-out steps a copy of the model
/// that has its values and a copy of the section's state, which becomes one of that copy (tac_state_adopt()), so of a
/// centre of mass that moves the body keeps its motion. The minimum is the one that descent from the model's own values
/// leads to. tac_fit_begin() checks, tac_fit_advance() takes at most `steps` steps of roll-outs, or begins of these, which
/// cost a check of the model: slices of any size end with the same bits. tac_fit() is both, to the end.
///   model    sealed; its values are the start
///   fit      in: parameters, sections, options; out: values, covariance, verdicts. What it points to stays as it is until
///            the end, and so does it between slices
///   work     scratch; may be used otherwise between slices
///   fault    written whole; may be NULL
/// tac_fit_model(): the model with the values that the fit has, sealed. `fitted` is another object than `model`; written
/// unless the first argument that is wrong is a pointer or the model.
/// Return TAC_OK (advance: the fit has converged); TAC_UNCONVERGED (it goes on, or has ended otherwise: fit->ended);
/// TAC_E_ARG (NULL, a parameter, bound, difference, option, section or observation out of range: the fault says which,
/// observations by their place in their section), TAC_E_MODEL (the model is not sealed, or another one; a state of
/// another model; the model fails with a parameter at a bound: the fault is that of tac_model_seal()), TAC_E_NAN (a
/// number that is not finite; advance: a step of the model as it is was refused), TAC_E_FULL (more residuals in a section
/// than TAC_MAX_FIT_ROWS; the fault has the section), TAC_E_ORDER (advance without begin). On refusal values,
/// covariance and verdicts are untouched.
/// Cost: a roll-out has one check of the model, two visits to each of its states, and as many steps as the last
/// observation says; an iteration 2 fit->parameters + 1 roll-outs of each section and those of its trials.
tac_status tac_fit_begin(const tac_model *model, tac_fitting *fit, tac_fault *fault);
tac_status tac_fit_advance(const tac_model *model, tac_fitting *fit, uint32_t steps, tac_work *work);
tac_status tac_fit(const tac_model *model, tac_fitting *fit, tac_work *work, tac_fault *fault);
tac_status tac_fit_model(const tac_model *model, const tac_fitting *fit, tac_model *fitted, tac_fault *fault);

#endif

// ------------------------------------------------------------------------------------------------------------ step

/// Advance `state` by one step of model->h.
///   model    sealed; may lie in flash; shared by any number of states
///   state    advanced in place
///   input    forces and commands, constant during the step; NULL: none
///   work     scratch and results (contacts, joints, report), valid until it is used again
/// Returns TAC_OK or a sum of TAC_FULL, TAC_UNCONVERGED, TAC_RELAXED, TAC_SWEPT (the step is taken); or TAC_E_ARG,
/// TAC_E_MODEL, TAC_E_NAN with work->report.fault (the state is untouched).
/// Cost: a sum of parts in proportion to bodies; shapes log(shapes), or at most 8 shapes + shapes^2/32 tests of two
/// boxes where pairs of an earlier step serve; pairs with overlapping bounding boxes; pairs closer than the contact
/// margin; contacts times sweeps; with restitution contacts times report.impacts. Trees of joints add parts in
/// proportion to bodies (rows + free trees + report.joint_iterations) and to rows^2 (depth of the trees + sweeps), with
/// rows as TAC_MAX_REDUCED counts them; where sweeps over these rows converge slowly, a sweep is a step of Newton's
/// method, in proportion to rows^3. src/step/README.md has instructions. Not for interrupt handlers.
/// A quadruped with 12 motors takes 99 300 instructions on average, at most 136 300, on a Cortex-M4F or M7 in float
/// (`make bench-robot`).
tac_status tac_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work);

/// The same step in slices: begin, any number of sweeps, end. The result equals that of tac_step() to the bit if the
/// number of sweeps is the same. The impulses lie in their cones after begin and after each sweep, so end may be called
/// whenever time is up; a step that was cut short is replayed with work->report.sweeps. begin and sweep do not change
/// the state.
///   sweeps   how many more at most; never beyond options.max_sweeps in all
/// begin returns TAC_OK or a refusal as tac_step(); sweep returns TAC_OK when the tolerance is met, TAC_UNCONVERGED if
/// not yet or if max_sweeps are spent, TAC_E_ORDER outside a step; end returns as tac_step(), or TAC_E_ORDER outside a
/// step or with another state than that of begin. With TAC_E_ORDER the fault of the report is TAC_FIELD_CALL, here and
/// in all functions that return it and may write the work area. Cost of end: three visits to each contact, and the
/// position projection (at most 8 passes over contacts, 32 with the direct solver and over joints). With joints also:
/// one sweep if none was spent; at most three factorisations and a dozen solutions of bodies and joints; and at most
/// options.max_joint_iterations corrections of the motion of joints, each one solution, and one factorisation where
/// joints are no trees. With the quadruped of tac_step() begin takes at most 67 000
/// instructions, each sweep at most 19 100, end at most 60 200; targets/README.md has more, src/step/README.md bounds for
/// trees of any size. After begin and each sweep report.stage[report.stages - 1] says by which engine the next one is.
tac_status tac_step_begin(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work);
tac_status tac_step_sweep(const tac_model *model, tac_work *work, uint32_t sweeps);
tac_status tac_step_end(const tac_model *model, tac_state *state, tac_work *work);

// -------------------------------------------------------------------------- linear complementarity, T03 (TAC_MAX_LCP)

#if TAC_MAX_LCP > 0

/// Defaults: Lemke's method, 8 directions, budgets by the size of the problem, no rows.
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG. Cost: constant.
tac_status tac_lcp_init_for(const tac_layout *caller, tac_lcp *lcp);
static inline tac_status tac_lcp_init(tac_lcp *lcp)
{
    return tac_lcp_init_for(tac_layout_here(), lcp);
}

/// Find z with 0 <= F z + f perp z >= 0.
///   lcp   in: rows, F, f, method, budget; out: z, w, residual, steps, end
/// Lemke's method solves every problem whose F is copositive-plus and which has a solution, P-matrices among them;
/// degenerate ones too. Sweeps converge where F is symmetric and positive definite, and on the problems of
/// tac_step_lcp() whose friction is not too large; a row without a diagonal is taken as the multiplier of a bound.
/// Returns TAC_OK if the residual is at most 1e-8 (float 1e-3), of sweeps 1e-10 (1e-6); TAC_UNCONVERGED (`end` says
/// why; z is where the method has ended); TAC_E_ARG (NULL, too many rows, no such method); TAC_E_NAN (F or f is not
/// finite: nothing is written; or they are so large that z or w is not: both are 0).
/// Cost: rows^2 multiplications a pivot or sweep; on average one pivot a row. Source: CPS92 4.4, 4.9; T03 (47).
tac_status tac_lcp_solve(tac_lcp *lcp);

/// Advance `state` by one step of T03: Stewart and Trinkle's linear complementarity problem (25)-(47) in place of the
/// cone program. Arguments, contacts, results and refusals are those of tac_step(), but
///   - friction is that of a pyramid with lcp->directions edges inside Coulomb's cone: in a direction midway between
///     two edges its coefficient is mu cos(pi/directions). With TAC_LCP_ROUND it is Coulomb's cone itself: Newton's
///     method follows, from the solution of pyramids of four edges;
///   - impacts do not bounce, and nothing resists rolling or spinning;
///   - errors of joints are corrected by velocities error/h, which the bodies keep. Overlaps are not, beyond
///     options.recovery: as in tac_step(), the position projection removes them;
///   - the bodies of joints move along the tangents of their arcs;
///   - every spring, damper and bounded effort of a joint is part of the problem: no energy guard, no warm start.
/// With options.recovery an overlap that joints hold may have no solution; a problem that pivots do not solve is swept.
///   lcp      directions, method and budget; out: the problem F, f in the order of src/t03/lcp.h, and its solution
/// Returns as tac_step(), TAC_UNCONVERGED where the problem is not solved (the step is taken), or TAC_E_FULL if the
/// problem has more than TAC_MAX_LCP rows; the fault names contacts and how many there are. report.residual is that of
/// the problem; report.sweeps and report.stages belong to the cone program and are 0. tac_body_force(),
/// tac_shape_force() and tac_step_accelerations() answer as after tac_step(); tac_certify() and tac_least_norm(), which
/// are about the cone program, return TAC_E_ORDER.
/// Cost: for each contact three solutions of bodies and joints, one for each bounded effort; and that of
/// tac_lcp_solve(). Measured instructions of this and the other steppers are in src/README.md.
tac_status tac_step_lcp(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work, tac_lcp *lcp);

/// The instantaneous model of T03 at a state (section 2, CP1, friction cones as above): accelerations, and the
/// forces of contacts and joints. Nothing is stepped: state and input are of one instant. Impulses, restitution and
/// impacts are no part of it, nor are compliant contacts or moving surfaces: TAC_E_ARG, the fault names the material,
/// the pair or the surface.
///   - A contact touches if its gap is at most 1e-4 of the smaller half thickness of its two shapes, plus h times the
///     speed below, plus rounding. It counts as at rest, along its normal or along its tangents, if its relative
///     velocity there is at most that speed, h (A/10 + |k|) and rounding: A is the largest acceleration that gravity
///     and wrenches give a body, k the acceleration of the contact that velocities alone cause. A coordinate is at rest
///     below h ((A + B)/10 + |k|), with B the acceleration that its dry friction gives its two bodies; it is at a limit
///     if it is within 1e-4 of the length that scales its row to metres.
///   - The normal force of a contact that touches and is at rest along its normal is complementary to the second
///     derivative of its gap, which counts the curvature of both shapes; meshes and height fields count as flat. A
///     sliding contact has friction mu times its normal force, against its velocity; one that rolls has friction
///     against its acceleration, in a polygon of lcp->directions edges or a circle. Nothing resists rolling or
///     spinning. A contact whose gap the joints alone keep constant gets no force: the equations do not determine it.
///   - Springs, dampers and stops have the force of the state, a rotor -armature q''. Dry friction is full against a
///     coordinate that moves, else as large as needed to keep it at rest. A motor of limited effort drives towards its
///     velocity with all of it, and at that velocity with what keeps the velocity; a position motor has the velocity
///     that tac_step() would demand. Prescribed motion, like a kinematic body, continues at its velocity; TAC_VELOCITY
///     of the input has no effect.
///   - Joints are taken as they are, even if poses or velocities violate them.
/// Arguments:
///   work     scratch; out: contact[], those that touch, in the order of the result, without impulses; the report. A
///            step between begin and end in it is abandoned
///   lcp      directions, method and budget; out: the problem in the order of src/t03/instant.h, and its solution
///   result   written whole, unless refused; zeros with TAC_E_NAN
/// Returns TAC_OK: the model has a solution, and this is one (result->paradoxes counts what may allow others).
/// TAC_UNCONVERGED: it has none, or none was found. If result->impacts > 0 no finite forces satisfy it, and the result
/// leaves out the contacts and limits that would need an impulse. Else lcp->end says why: on TAC_LCP_RAY there is most
/// likely no solution (certainly with one contact, which slides and is a paradox), and contacts and bounded efforts
/// have no force in the result. TAC_FULL in addition if contacts were dropped. TAC_E_ARG, TAC_E_MODEL, TAC_E_NAN,
/// TAC_E_FULL as tac_step_lcp().
/// Cost: that of tac_step_lcp() without its end, and for a hull in contact its faces; without a solution sixteen tries
/// of Lemke's method and its sweeps. Measured instructions are in src/README.md.
tac_status tac_accelerations(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work,
                             tac_lcp *lcp, tac_instant *result);

/// Constraint qualifications at a state (TCE17, section 11): is the cone of all friction forces pointed (PFCCQ), so
/// that impulses are bounded, and are the gradients of joints and touching contacts independent (LICQ), so that their
/// impulses without friction are unique, and is there at least a motion that opens all of these contacts while joints,
/// which are independent, hold (MFCQ)? ACQ and GCQ follow from each of these; where MFCQ fails a state does not tell
/// (src/tce17/README.md). A body on a table has a pointed cone whatever the number of its contacts; one
/// that is held between two walls has not. Limits of joints and efforts along their coordinates do not count. Friction
/// cones are replaced by pyramids around them, with edges of mu/cos(pi/directions): a pointed answer holds for the cones
/// too; the other may come where mu is up to 8 % (8 directions; 2 % with 16) below what squeezes.
///   within   m, gap up to which a contact touches, 0 .. TAC_MOST_LENGTH
///   work     scratch; out: contact[], those that touch. A step between begin and end in it is abandoned
///   lcp      directions: edges of a pyramid, 3 or more; else scratch
///   result   written whole with TAC_OK, else untouched
/// Returns TAC_OK; TAC_E_ARG, TAC_E_MODEL, TAC_E_NAN as tac_step(); TAC_E_FULL if contacts were dropped, contacts times
/// directions, or the rows of constraints, are more than TAC_MAX_LCP: work->report.fault says which.
/// Cost: shapes^2; a solution of bodies and joints for each edge, one tac_lcp_solve(), and rows^3/3 multiplications.
tac_status tac_qualify(const tac_model *model, const tac_state *state, tac_real within, tac_work *work, tac_lcp *lcp,
                       tac_qualification *result);

/// The defaults of tac_lcs: no arrays. Cost: constant.
void tac_lcs_init(tac_lcs *system);

/// How large the arrays of a system must be for so many contacts: x = 2 n, u as linear.h says, and l a number of rows
/// that is never exceeded: for each contact 2 + 2 directions, in the form of Anitescu 2 directions; three for dry
/// friction or a limited effort of a joint, one for its limits. A cube with three contacts and two directions: 12 and
/// 18 numbers, 3.7 KiB in float. `work` is scratch: a step between begin and end in it is abandoned.
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_MODEL (not sealed). Cost: that of tac_model_get_coordinates().
tac_status tac_lcs_sizes(const tac_model *model, const tac_lcs *system, uint16_t contacts, tac_work *work,
                         tac_linear_size *size);

/// The linear complementarity system of a state and an input, in the letters of c3 (Aydinoglu, Wei, Posa: Consensus
/// complementarity control for multi-contact MPC, 2022):
///     x+ = A x + B u + D l + d,     0 <= l  perp  E x + F l + H u + c >= 0
///   - the rows of l are, in the form of Stewart and Trinkle, those of T03 (47) as in src/t03/lcp.h: normals of
///     contacts and limits of joints; edges of the friction cones and both directions of each bounded effort;
///     multipliers. In the form of Anitescu: the edges of each contact, limits, bounded efforts, multipliers of these.
///     Edges come in opposite pairs: along u of a contact and against it, then the others; with one direction along
///     plane x n and against it.
///   - A and B are the derivative of a step without contacts and bounded efforts: of trees of joints of tac_step(), of
///     other bodies of tac_step_lcp(). Jacobians of contacts are those of the state, as in c3.
///   - at the state itself, x = (0, v) and u = 0, the problem and the velocities that it ends with are those of
///     tac_step_lcp() with the same contacts and edges, to rounding; rates of joints are those along their axes at the
///     start. l and the step therefore have the same impulses.
///   - pairs that do not touch yet are contacts too: their normal row is (gap + h J v+)/h >= 0. An overlap of the state
///     is a gap of 0, or of -h options.recovery: rows keep it, and what is deeper than it is pushed out.
///   work     scratch; out: contacts and report. A step between begin and end in it is abandoned
///   lcp      scratch, except for method, budget and directions
///   system   arrays, their room and options; out: the matrices, size, contacts, limits, efforts
/// Returns TAC_OK; TAC_FULL (contacts were dropped); TAC_E_ARG (NULL, an option out of range; joints that close loops
/// or belong to no tree: the fault names one; a model with moving surfaces: TAC_FIELD_SURFACE), TAC_E_MODEL, TAC_E_NAN as tac_step(); TAC_E_FULL if room.x or room.u is
/// too small or n above TAC_MAX_LCP/2 (the fault says count; size.x and size.u are what is needed), if room.l is too
/// small (it says contact; size.l is needed), or as tac_step_lcp(). When it is refused the arrays may have been
/// written.
/// Cost: the problem of tac_step_lcp(); a few visits to each body, and to each pair of coordinates on one path; for
/// each coordinate, effort and row at most 3 n^2 multiplications. Measured instructions are in src/derivative/README.md.
tac_status tac_linearise(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work,
                         tac_lcp *lcp, tac_lcs *system);

/// Advance a linear complementarity system, of tac_linearise() or written by hand, by a number of steps. Each problem
/// starts from the rows that bore in the one before: most steps cost one linear system of these rows. Lemke's method is
/// the last resort.
///   system   matrices and `size`; nothing else of it is read
///   u        inputs, size.u numbers for each step
///   x        size.x numbers; out: after the steps
///   l        size.l numbers, of the step before or zeros; only which are positive counts. Out: those of the last step.
///            Where they are not unique, as of redundant contacts, another start may end at others
///   lcp      budget of Lemke's method; else scratch; out: z and w of the last step; `residual`, the largest of all
///            steps; `end` of a step that is not solved; `steps`, factors of such rows and pivots spent
/// Returns TAC_OK: every step has a residual of at most 1e-8 (float 1e-3), as tac_lcp_solve(), mostly of rounding;
/// TAC_UNCONVERGED: not all of them; l >= 0 there is what Lemke's method has ended with. TAC_E_ARG (NULL), TAC_E_FULL
/// (size.x or size.l above TAC_MAX_LCP); TAC_E_NAN (x or F is not finite: nothing has changed; or a step is not finite:
/// x and l are those before it).
/// Cost: size.l^2; for each step a product with each matrix, and as long as the same b rows bear b^2 multiplications;
/// else at most ten times b^3/3 + size.l^2, then tac_lcp_solve(). Measured instructions are in
/// src/derivative/README.md.
tac_status tac_lcs_advance(const tac_lcs *system, uint32_t steps, const tac_real *u, tac_real *x, tac_real *l,
                           tac_lcp *lcp);

#if TAC_PREDICT

/// Consensus complementarity control (c3.h): a plan over a linear complementarity system that touches, slides and lets
/// go as the cost asks for it, without a schedule of contacts. ADMM between a linear-quadratic problem over the horizon
/// and complementarity of each pair of l and its slack, in the form C3+. src/predict/README.md says how to choose
/// weights.
///
/// The defaults of tac_c3: no plan before. Cost: constant.
void tac_c3_init(tac_c3 *c3);

/// Begin a plan at a state: size.x numbers. From the plan before, `shift` steps of the horizon have passed: its inputs
/// and what its iterations have learnt are kept, and repeated at the end. With `shift` >= horizon, or after a refusal,
/// nothing is.
/// Returns TAC_OK; TAC_E_ARG (NULL, a size or the horizon of 0, growth < 1, a weight of G or U that is not positive);
/// TAC_E_FULL (memory has less than TAC_C3_NUMBERS()); TAC_E_NAN (a number is not finite). A refusal changes nothing.
/// Cost: linear in the numbers of the problem.
tac_status tac_c3_begin(tac_c3 *c3, const tac_real *x, uint32_t shift);

/// Go on by so many steps of the horizon, backward or forward: a plan takes 2 horizon (iterations + 1), UINT32_MAX
/// makes all of it. In parts it has the same bits. plan[] may be used after each part: before the first forward pass it
/// is the plan before, shifted.
/// Returns TAC_OK, the plan is complete; TAC_UNCONVERGED, it is not yet; TAC_E_ORDER, it has not begun or its horizon
/// has become shorter; TAC_E_FULL as tac_c3_begin(); TAC_E_ARG, NULL, or the problem is not convex (Q or R have a
/// negative eigenvalue, or R of 0); TAC_E_NAN, its numbers overflow. After these two plan[] has what was found last, and
/// the next plan begins from nothing.
/// Cost: with n = x + u + l, a backward step n^3/3 + n^2 l/2 multiplications at most, without a factor n^2; a forward
/// step n^2.
tac_status tac_c3_run(tac_c3 *c3, uint32_t steps);

/// Iterative LQR (ilqr.h): a plan of efforts, by derivatives of the step along a roll-out, then gains from the last step
/// backwards, then roll-outs with these gains until one is cheaper. Through contacts that touch, slide and open, whose
/// modes are those of the roll-out. The plan is written whenever a cheaper one is found, so it may be used after any
/// slice, and is never dearer than the one before; its numbers are then those that act, within the bounds of their
/// channels and of the efforts of their joints. With ilqr->smoothing the derivatives are also led to contacts that are
/// open, as tac_derivative() has them.
///   ilqr     in: what is asked; out: the rest
///   state    of ilqr->model; not changed, not used after begin
///   work     scratch; nothing of a plan stays in it from slice to slice
///   fault    as tac_rollout(); TAC_FIELD_ILQR and 0: a pointer, 1: iterations, 2: a plan that is not held or has no
///            channel, 3: memory, 4: smoothing; TAC_FIELD_CHANNEL: its numbers are not efforts. May be NULL
///   steps    of passes, at most: a step of a roll-out, or a step backwards
/// Terms of the cost have the gradient of their residuals by differences, of efforts by themselves; forces and slip of
/// contacts and TAC_COST_GIVEN have none: roll-outs alone see them. Slices have the bits of the whole.
/// begin returns TAC_OK; TAC_E_ARG (also NULL; joints that close loops), TAC_E_MODEL, TAC_E_NAN as tac_rollout_begin();
/// TAC_E_FULL (memory; the model's coordinates and TAC_MAX_LCP, as tac_derivative()). run returns TAC_OK, all is done;
/// TAC_UNCONVERGED, not yet; TAC_E_ARG (NULL), TAC_E_ORDER (not begun, after a refusal, or the model is another one);
/// TAC_E_NAN (a step of the plan itself is refused), TAC_E_ARG, TAC_E_FULL (as tac_derivative(), with ilqr->fault: a
/// contact that bounces or resists rolling, contacts without room): the plan is the cheapest so far.
/// Cost: a step backwards is tac_derivative(), 2 x displacements with a visit to each term, and about (x + channels)^3 +
/// residuals x^2 multiplications; a plan has at most `iterations` passes of these, and 1 + 6 iterations roll-outs.
tac_status tac_ilqr_begin(tac_ilqr *ilqr, const tac_state *state, tac_work *work, tac_fault *fault);
tac_status tac_ilqr_run(tac_ilqr *ilqr, tac_work *work, uint32_t steps);

#endif

/// The derivative of tac_step(), d x+ / d (x, u, p), where the contacts that bear a force keep doing so, stick or slide
/// as they do, and no other one begins to. x and u as in linear.h; of x+, q+ is the displacement from the next state.
/// If poses violate joints, the derivative is that at the coordinates of the joints. A step leaves velocities of bodies
/// slightly beside the joints. The neighbours of such a state are those that steps leave, so that A_1 A_0 is the
/// derivative of two steps; those of a state on the joints lie on the joints (tac_state_displace() makes no others):
/// see src/derivative/README.md. A resting contact has a gap of 0 up to rounding, where the step is not differentiable:
/// one side closes a gap, the other keeps an overlap. The derivative is that of the side that the step was on. If
/// contacts are redundant (a cube on four corners), which of them bear the force is the solver's choice, and a change
/// of this choice is not part of the derivative: where they slide the motion depends on it, and entries of rotation are
/// off by up to 0.4 of a block's largest.
/// With result->smoothing s the normal of each contact that the step finds (options.margin) is soft, also of one that
/// is open: its velocity is (u0 + sqrt(u0^2 + s^2))/2 of u0, the one that it would have without its impulse, gap/h
/// included; 0 or u0 without smoothing. This is the derivative of no step, but leads there: a contact that closes in
/// this step at s has 85 % of its stiffness, at 0 a half, one that stays open by s 15 %, by 10 s a four hundredth. A
/// contact without a force has no friction. Then size.l has rows for all contacts.
/// p are parameters of the model, result->parameter: friction of a material or a pair; mass of a body, its moments with
/// it, or moments alone; of a joint with a coordinate its fields and the factor of its motor's command. State and input
/// stay what they are where p changes. What holds (friction that sticks, a motor within its bounds) follows none of
/// them, and restitution has zeros, since a step that bounces is refused.
///   work     scratch; out: contacts of the step, first those that bear a force or are pushed apart by the position
///            projection, and its report. A step between begin and end in it is abandoned
///   lcp      scratch
///   result   written unless refused; size.l: three rows for each of these contacts. *next is x+ wherever tac_step()
///            takes the step, also if its derivative is then refused (TAC_E_ARG by the step, TAC_E_FULL)
/// Exact to rounding for bodies without joints, whatever overlaps or rotates, if contacts do not move within the step,
/// and to 2e-5 of a block's largest entry for trees without contacts (dampers and rotors of other joints than hinges:
/// 1e-3; springs, dampers, rotors in free trees: 2e-3), where result->apart is below 1e-7, else to 500 times that.
/// Beyond that it is measured against differences of random worlds, src/derivative/README.md. Of the position
/// projection (options.projection) where a body has several overlaps, whose sweeps end early: positions to 1e-3, 0.1 at
/// worst. Where friction, a limit or a motor of limited effort holds a coordinate of a moving tree: to 5e-2. Where a
/// tree has a contact: to 1e-3 if its joints turn by 0.4 mrad in the step, 1e-2 at 4 mrad, but to a third at worst
/// where light links are struck; two free motions or fewer between bodies in contact: 1e-2 (src/rows/README.md).
/// Contacts on the rim of a cylinder or cone, or on an ellipsoid, are treated as if the point of contact stayed where
/// it is on that surface. How contacts move within the step is not differentiated: where one rolls, rotations are off
/// by up to half of a block's largest entry; where it is that of the place where a pair meets in the step
/// (src/geometry/README.md), entries by 0.02, 0.2 at worst. By parameters the errors are those by q, but for robots in
/// contact, 5e-3 of what gravity makes of a velocity in a step, and where several overlaps of a body are taken back
/// together: there positions by masses are off by up to a column's largest entry.
/// Returns TAC_OK or TAC_UNCONVERGED (that of the step); TAC_FULL; TAC_E_ARG (NULL; next is the state; smoothing out of
/// range; joints that close loops; a contact that bounces, rolls or spins with resistance; options.stabilise with
/// joints; a model with moving surfaces, whose motion at a contact changes with its place: the fault says which; a parameter that the model does not have, or of a kind that moves contacts or a centre
/// of mass: TAC_FIELD_PARAMETER and its place in the list), TAC_E_MODEL, TAC_E_NAN as tac_step(), or a derivative is
/// unbounded (the geometric mean of two frictions, by one that is 0); TAC_E_FULL as tac_linearise(), or for k of these
/// contacts unless TAC_MAX_LCP >= n + 6 k, 2 n + 4 k and 39: the fault says contact, and k. Cost: a step; as
/// tac_linearise() without rows; (3 k)^3 multiplications, and for each coordinate at most 12 k n; 12 narrow phases for
/// each pair of shapes that touch, but for those of a half-space. For each parameter n (n + 3 k) multiplications, with
/// pushes of overlaps 2 n k + k^2 more.
tac_status tac_derivative(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work,
                          tac_lcp *lcp, tac_step_derivative *result);

#endif

// ------------------------------------------------------------------------------- smooth integrators, TCE17 (TAC_DAE)

#if TAC_DAE

/// Defaults: HHT with alpha -0.2, the sparse factor, 20 iterations; no accelerations of a step.
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG. Cost: sizeof(tac_dae) stores.
tac_status tac_dae_init_for(const tac_layout *caller, tac_dae *dae);
static inline tac_status tac_dae_init(tac_dae *dae)
{
    return tac_dae_init_for(tac_layout_here(), dae);
}

/// Advance `state` by one step of model->h with one of TCE17's smooth integrators, in place of tac_step(). Of the model
/// it sees bodies, joints and forces: constraints hold at the end of the step; springs, dampers, bushings, elastic
/// stops, armatures and motors act with their stiffness and damping in the matrix of Newton's method.
///   - no contacts: a model with two shapes that may collide (tac_shape) is refused, wherever its bodies are; so is one
///     with dry friction of a joint
///   - what has a bound acts as if it had none, and a step that would go beyond is refused: a rigid limit of a joint,
///     joint.effort and joint.speed of a motor
///   - errors of constraints from before the step become no velocities, as in tac_step(): the end of the step removes
///     them from the poses; only EULER_LINEARISED follows the constraints of (160), errors/h
///   - motors of kind VELOCITY and POSITION prescribe the coordinate at the end of the step. In one step it moves as
///     asked: a target that jumps makes accelerations that the methods without numerical damping keep
///   - TRAPEZOIDAL, and NEWMARK, HHT and GENERALISED_ALPHA with numbers that damp nothing, let reactions of joints
///     oscillate, and do not survive large ratios of masses (src/tce17/README.md); the defaults damp
/// Arguments:
///   model, state, input, work   as in tac_step(). Of work->report status, fault, joint_error, energies and residual
///            are used. Forces of joints are those at the end of the step
///   dae      method and its numbers; out: how the step went. Keeps the accelerations from which the next step of the
///            same state goes on: a snapshot is a copy of both. With another method, or any other state (a copy of an
///            earlier one, one that a setter or another step has changed), the step begins with the accelerations of
///            that state's forces; its velocities should then satisfy the joints: what these forbid dies away within
///            the first steps as the method damps
/// Returns TAC_OK, or TAC_UNCONVERGED if max_iterations were spent (not of the linearised methods) or the step does not
/// end on the constraints (not of EULER_LINEARISED): the step is taken, dae->residual and dae->error say how far off it
/// is; or, with work->report.fault and the state untouched: TAC_E_ARG (NULL, a number of dae out of range; these
/// without a report), TAC_E_ARG, TAC_E_MODEL, TAC_E_NAN as tac_step(); TAC_E_MODEL with TAC_FIELD_CONTACT (shape that
/// may collide with an earlier one) or TAC_FIELD_JOINT (dry friction); TAC_E_NAN with TAC_FIELD_JOINT_LIMIT or
/// TAC_FIELD_MOTOR (a bound that the step would pass); TAC_E_FULL with TAC_FIELD_JOINT (SPARSE: TAC_MAX_FILL is too
/// small).
/// Cost: (dae->iterations + 1) evaluations, each two visits to each joint; dae->iterations sparse factors; four more of
/// both where the accelerations at the start of the step have to be computed. MINRES: dae->products products in place
/// of factors. Measured instructions are in src/README.md.
tac_status tac_step_dae(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work, tac_dae *dae);

#endif

// ---------------------------------------------------------- geometrically implicit time stepping, CBAT07 (TAC_MAX_NCP)

#if TAC_MAX_NCP > 0

/// Defaults of the options.
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG. Cost: constant.
tac_status tac_ncp_init_for(const tac_layout *caller, tac_ncp *ncp);
static inline tac_status tac_ncp_init(tac_ncp *ncp)
{
    return tac_ncp_init_for(tac_layout_here(), ncp);
}

/// Advance `state` by one step of CBAT07: Newton and Euler, contacts and friction all at the end of the step, (10) and
/// (11), in place of the cone program. Arguments, results and refusals are those of tac_step(), but
///   - gaps, normals, points and velocities of contacts are those of the poses that the step ends with: (9) and (22)
///     hold there. A rolling disc loses no energy, and no contact ends the step overlapping that did not begin it so;
///   - friction has Coulomb's ellipsoid (5) with torsion: semi-axes 1, 1 and spinning/mu of the materials; rolling
///     resistance is in the same ellipsoid. A sliding contact does not lift off;
///   - impacts do not bounce. An overlap as deep as a step moves leaves by the velocity gap/h, as in the paper; of a
///     deeper one so much as forces and curved surfaces make in a step, or options.recovery takes back. The rest stays;
///   - q+ = q + h nu+ for bodies with contacts; bodies in free flight move as with tac_step().
///   - constraints of joints hold in the poses that the step ends with; J v = 0 does as far as their arcs are straight
///     in a step. Hard limits, and motors that keep a rate or a position, see where the coordinate ends, springs, dampers,
///     rotors and dry friction its rate there. All kinds up to TAC_BUSHING take part, in trees, loops and couplings.
/// The scheme is of first order in h; joints that pull take energy, of that order. tac_ncp_contact.law says how each
/// contact is modelled: all are exact at the end of the step except TAC_NCP_FACE between other shapes than the half-
/// space (faces on faces, meshes, height fields), where plane and point are those of the start, and TAC_NCP_BALLS of
/// capsules, which may slide along their axis. A cylinder or cone that leans by less than 0.001 rad lies flat. Shapes
/// with more faces than TAC_MAX_INEQUALITIES are modelled by FACE. Contacts are those of pairs that free motion makes
/// touch, or brings closer than options.margin, as the geometry finds them at the start of the step: if an impulse of
/// this step turns a body, another of its corners may end the step below the surface; a larger margin prevents it.
///   ncp      tolerance, max_iterations; out: residual of every equation, contacts at the end of the step
/// Newton's method starts from the result of tac_step().
/// Returns TAC_OK, or TAC_FULL if contacts were dropped; plus TAC_UNCONVERGED if Newton's method has not reached the
/// tolerance: the step is then that of tac_step(), ncp->converged is 0, and residual and contacts of ncp are those of
/// its velocities and impulses, where constraints of trees have none. TAC_E_FULL if there are more than TAC_MAX_NCP
/// unknowns: six of a body that contacts or joints act on, three or six of a contact, of a joint its constraints (of a
/// hinge five) and the efforts that act along its coordinate (spring, damper and rotor count as one; motor, limit,
/// friction). The fault names contacts and how many there are, or, if there is no room without any, the count of
/// joints. TAC_E_ARG also for a tolerance that is not positive, for max_iterations out of range, and for a model with
/// compliant contacts (TAC_FIELD_STIFFNESS, TAC_FIELD_MATERIAL_PAIR) or moving surfaces (TAC_FIELD_SURFACE), whose
/// equations are not in (10), with joints that may be switched (TAC_FIELD_JOINT_SWITCH), of which none breaks here, or of
/// the kinds from TAC_TRANSLATION to TAC_SKATE (TAC_FIELD_JOINT_KIND).
/// work->contact[] has directions, point, impulse and velocity of the end of the step; its gap is that of the start.
/// report.residual is the largest of ncp->residual, report.joint_error that of the end of the step; forces of joints
/// (tac_reactions()) have their directions there. tac_body_force(), tac_shape_force() and tac_step_accelerations()
/// answer as after tac_step(); tac_certify() and tac_least_norm(), which are about the cone program, return TAC_E_ORDER
/// unless the step is that of tac_step().
/// Cost: tac_step(); then for each iteration unknowns^3/3 multiplications and at most eleven evaluations of all
/// contacts (mostly one). An evaluation of TAC_NCP_PAIR is one to three systems of at most 16x16, at worst one
/// tac_implicit_closest(). Rolling and sliding take 0 to 3 iterations, an impact of several contacts up to a dozen.
/// Measured instructions are in src/README.md.
tac_status tac_step_implicit(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work,
                             tac_ncp *ncp);

#endif

// ------------------------------------------------------------------------------------------------- implicit bodies
// CBAT07: convex bodies as intersections of inequalities f(x) <= 0, and their closest points. They are separate from
// the shapes of a model, and tac_step() does not use them.

/// Set a common body. The origin is the centre of mass. Further inequalities may be added by hand.
///   half space      z <= 0; its inner point is (0,0,-depth), depth (m, > 0) about the size of the other body
///   sphere          radius, m
///   ellipsoid       semi-axes along x, y, z, m
///   superellipsoid  semi-axes, m, and powers p, q, r: each 2, 4, 6 or 8
///   cylinder        axis z; radius and half length, m
///   cone            axis z; radius of the base at z = -height/4, apex at z = 3 height/4, m
///   box             half lengths along x, y, z, m; six inequalities
/// Returns TAC_OK; TAC_E_ARG if body is NULL, a size is not > 0 or a power is none of these; TAC_E_FULL if
/// TAC_MAX_INEQUALITIES is too small; TAC_E_NAN if a size is not finite. On refusal the body is untouched.
/// Cost: sizeof(tac_implicit) stores.
tac_status tac_implicit_half_space(tac_implicit *body, tac_real depth);
tac_status tac_implicit_sphere(tac_implicit *body, tac_real radius);
tac_status tac_implicit_ellipsoid(tac_implicit *body, tac_vec3 size);
tac_status tac_implicit_superellipsoid(tac_implicit *body, tac_vec3 size, uint8_t p, uint8_t q, uint8_t r);
tac_status tac_implicit_cylinder(tac_implicit *body, tac_real radius, tac_real half);
tac_status tac_implicit_cone(tac_implicit *body, tac_real radius, tac_real height);
tac_status tac_implicit_box(tac_implicit *body, tac_vec3 half);

/// Closest points a1, a2 of two implicit bodies, their common normal and gap: CBAT07 (7) when they are separated, (22)
/// with a signed gap when they touch or overlap (moving body 2 by -gap along the normal separates them). The gap is
/// then a local maximum over all normals; for shallow overlap it gives the shortest separating translation. If closest
/// points are not unique (parallel faces), the answer lies well inside the set of them.
///   a, b     bodies; any number of inequalities from 1 to TAC_MAX_INEQUALITIES
///   pose_a   of the frame of a in the world, unit quaternion; pose_b likewise
///   work     scratch
///   closest  written whole, unless refused
/// Returns TAC_OK or a sum of TAC_UNCONVERGED (closest->residual is larger than rounding explains) and TAC_DEEP
/// (overlap of more than a fifth of the half thickness at `inside`); TAC_E_ARG (NULL, an inequality out of range, a
/// size not > 0, a quaternion that is not unit, or `inside` not strictly inside: an empty body has no such point) or
/// TAC_E_NAN (not finite). On refusal `closest` is untouched.
/// Cost: 1 interior-point solution for separated bodies, else at most 26 (mostly 4). Each takes at most 80 steps
/// (mostly 15) of one 6x6 system and all inequalities, followed by Newton steps (mostly 2) on a system of at most
/// 16x16.
tac_status tac_implicit_closest(const tac_implicit *a, const tac_pose *pose_a, const tac_implicit *b,
                                const tac_pose *pose_b, tac_implicit_work *work, tac_closest *closest);

// --------------------------------------------------------------------------------------------------------- queries

/// Kinetic (J) and potential (J, -sum m g.x) energy, linear (N s) and angular momentum (N m s, world frame, about the
/// world's origin) of the dynamic bodies. Outputs that are NULL are skipped. Cost: bodies.
void tac_energy(const tac_model *model, const tac_state *state, tac_real *kinetic, tac_real *potential);
void tac_momentum(const tac_model *model, const tac_state *state, tac_vec3 *linear, tac_vec3 *angular);

/// The first shape that a ray, or a ball moving along a straight line, hits.
///   ray      finite; range >= 0, radius 0 .. TAC_MOST_LENGTH, origin within TAC_MOST_POSITION
///   work     scratch. A step between begin and end in it is abandoned; its report and contacts stay. This also holds
///            for tac_distance() and tac_overlap()
///   hit      written whole unless the call is refused
/// A ray that starts inside a shape or touches it there hits it at distance 0, whatever its direction. A half-space is
/// solid everywhere below its surface, a height field everywhere below its samples. A mesh is hit from either side;
/// only a ball that intersects it starts in it. A ray in the plane of a triangle misses that triangle. Distances are
/// exact to rounding (1e-9 of distance and size in double, 1e-5 in float). A grazing ray hits a shape that it passes
/// closer than rounding, and a corner or edge of a hull that it passes closer than 1e-7 of the hull's size (float
/// 1e-4).
/// Returns TAC_OK, hit or not; TAC_E_ARG (NULL, origin, range or radius out of range, direction zero), TAC_E_MODEL
/// (state of another model), TAC_E_NAN (ray or a pose not finite, or a pose far beyond TAC_MOST_POSITION).
/// Cost: one bounding sphere for each shape; for each shape whose sphere is hit, or triangle whose box is, at most 40
/// distance evaluations (double 80), usually three to six; for a height field all cells below the ray. An evaluation
/// has a closed form; for an ellipsoid it is at most 16 iterations, for a hull a GJK search.
tac_status tac_cast(const tac_model *model, const tac_state *state, const tac_ray *ray, tac_work *work, tac_hit *hit);

/// The smallest signed distance between two bodies, over all pairs of their shapes; groups, masks and exclusions are
/// ignored.
///   body_a, body_b   two bodies, the ground included
///   result           written whole unless the call is refused
/// Two half-spaces, meshes or height fields have no distance. Overlapping convex shapes have the negative penetration
/// depth, to 0.1 %. A shape that cuts a mesh or height field is as deep as it lies below the plane of one of the
/// triangles that it cuts; below a height field the triangle above the shape's origin counts too. A shape entirely
/// behind a mesh is separated from it. Exchanging the bodies exchanges the results, to the bit.
/// Returns TAC_OK; TAC_E_ARG (NULL, a body out of range, or the same twice), TAC_E_MODEL, TAC_E_NAN (a pose is not
/// finite).
/// Cost: shapes^2 comparisons, and a search for each pair of shapes of the two bodies; against a mesh or height field
/// one for each triangle that is no farther than the nearest.
tac_status tac_distance(const tac_model *model, const tac_state *state, uint16_t body_a, uint16_t body_b,
                        tac_work *work, tac_nearest *result);

/// The shapes closer than `margin` to a given shape, which need not belong to the model.
///   shape    its pose is in the world; `body` is a body to ignore, TAC_NONE for none; group and mask count; material
///            does not; the data of a hull, mesh or height field are those of the model
///   margin   m, up to TAC_MOST_LENGTH; 0: overlapping shapes only
///   list     indices of shapes in increasing order, at most `room`; NULL if room is 0
/// Returns the number of shapes, which may exceed `room`; TAC_E_ARG (NULL; kind, size, data or margin out of range),
/// TAC_E_MODEL, TAC_E_NAN (a pose is not finite). Distances are those of tac_distance().
/// Cost: one bounding sphere for each shape, and a search for each that is near, or each triangle of it.
int32_t tac_overlap(const tac_model *model, const tac_state *state, const tac_shape *shape, tac_real margin,
                    tac_work *work, uint16_t *list, uint16_t room);

/// The contacts of one body in the present state, as a step would find them with all bodies at rest: only pairs of
/// shapes that may collide and of which one belongs to the body.
///   body     the ground included
///   margin   m, gap below which a pair is in contact, 0 .. TAC_MOST_LENGTH or TAC_AUTO
///   work     results: contact[], report.contacts, dropped and penetration; they replace those of the last step.
///            Impulses and velocities are 0, modes TAC_OPEN. A step between begin and end is abandoned
/// Returns TAC_OK, TAC_FULL if contacts were dropped, or a refusal as tac_step(), with work->report.fault; TAC_E_ARG
/// without a fault if body or margin is out of range. Cost: shapes^2 comparisons, and a narrow phase for each pair of
/// bounding boxes that are closer than the margin (src/geometry/README.md has the instructions of each).
tac_status tac_contacts(const tac_model *model, const tac_state *state, uint16_t body, tac_real margin, tac_work *work);

/// Sum of the forces of all contacts on a body, mean over the last step (N), and of their torques about a point (N m):
/// impulses of impacts, spinning and rolling resistance included; joints, weight and input are not. tac_least_norm()
/// does not change it.
///   work    of a step that has been taken; of other uses since then only tac_contacts() matters
///   body    the ground included
///   point   m, world
///   sum     written whole, unless refused
/// Returns TAC_OK; TAC_E_ARG (NULL, body out of range), TAC_E_NAN (point not finite, or the sum overflows), TAC_E_ORDER
/// (between begin and end, or last used for another model). Cost: contacts.
tac_status tac_body_force(const tac_model *model, const tac_work *work, uint16_t body, tac_vec3 point, tac_wrench *sum);

/// The same of the contacts of one shape: one foot, one pad of a gripper. The sum over the shapes of a body is
/// tac_body_force(), to rounding.
///   shape   its index in model->shape[]; TAC_E_ARG if there is no such shape
/// Returns and costs as tac_body_force().
tac_status tac_shape_force(const tac_model *model, const tac_work *work, uint16_t shape, tac_vec3 point,
                           tac_wrench *sum);

/// The reactions of all joints in the last step: their forces and torques are written to work->joint[]. Trees of joints
/// are solved without them, so they are found on request, by Newton's law for the subtree that hangs on each joint
/// (F08, 5.3). They do not depend on when they are asked for, and no step depends on whether they have been.
///   work    of a step that has been taken, and not used otherwise since then, unless reactions were asked for before.
///           tac_step_lcp() and tac_step_dae() show them in any case
/// Returns TAC_OK; TAC_E_ARG (NULL), TAC_E_ORDER if the work area holds no finished step of this model, TAC_E_NAN if
/// one overflows: they stay zeros. Cost: three visits to each body and joint, one to each contact; 8600 instructions
/// for the quadruped of tac_step() on a Cortex-M4F in float.
tac_status tac_reactions(const tac_model *model, tac_work *work);

/// Errors of the impulses of a step, law by law (tac_certificate), between that step's end and the next use of its work
/// area.
///   work         of a step that tac_step() or tac_step_end() has taken
///   certificate  written whole unless the call is refused
/// Returns TAC_OK; TAC_E_ARG (NULL), TAC_E_ORDER if the work area holds no finished step of this model, TAC_E_NAN if a
/// figure overflows: all are zeros then. It writes scratch of the work area, none of its results. Cost: about four
/// visits to each contact and joint, each like that of a sweep.
tac_status tac_certify(const tac_model *model, tac_work *work, tac_certificate *certificate);

/// Replace the contact impulses of the last step by those of least norm. Redundant contacts (four feet of a table)
/// leave the impulses undetermined; among all that give the same velocities and solve the cone program, this takes the
/// ones of least sum d_i |g_i|^2, d_i = trace(W_ii)/3, whichever solver found the others, so that equal feet carry
/// equal forces. State and report do not change; the next step starts from the impulses of the solver unless the user
/// copies these to state->warm[] (same order, world frame).
///   work         of a step that has been taken, as above
///   iterations   at most so many; two or three for a body on four feet, about ten for each body of a pile
/// A contact that separates gets no impulse, and one that slides keeps the direction of its impulse; velocities below
/// the tolerance of the solver count as zero. Impulses of joints do not change.
/// Returns TAC_OK: least norm to rounding, at most about 1e-14 of the forces (float 1e-6). TAC_UNCONVERGED:
/// `iterations` were too few; the iterate is kept if it solves the program to the tolerance of the solver, else the
/// impulses of the step are restored. TAC_E_ARG, also if a contact resists spinning or rolling (TAC_ROLLING), has
/// friction with a direction (TAC_FRICTION_LAWS), or is
/// compliant: its load is its spring's; TAC_E_ORDER as above.
/// Cost: 4 to 11 visits to each contact per iteration.
tac_status tac_least_norm(const tac_model *model, tac_work *work, uint32_t iterations);

/// Check the invariants: the model as it was sealed, counts within capacity, everything finite, quaternions and contact
/// frames orthonormal to rounding, body_a < body_b, every impulse in its cone, report in range, all joints hold. For
/// tests, fuzzers, a product's self-test, and after a state has been set by hand.
///   work     of the last step of `state`, or NULL
/// Returns TAC_OK; a refusal as tac_step(); or TAC_UNCONVERGED with TAC_REASON_APART if all is well but a joint: its
/// bodies are off its constraints by more than rounding and the error that the report of `work` has; without `work` also
/// if their velocities violate them by more than a tenth. The first violation is in `fault` (may be NULL). Cost: linear.
tac_status tac_check(const tac_model *model, const tac_state *state, const tac_work *work, tac_fault *fault);

/// Write a fault as a sentence, such as "body[1].mass = -2 is not positive".
///   fault    as a call has left it; NULL: none
///   model, state, input   what it is about; NULL: the sentence has no value of it
///   text     at most room - 1 characters and a zero
/// Returns the length of the whole sentence. Values have six digits. Cost: length of the texts of the tables.
uint32_t tac_fault_text(const tac_fault *fault, const tac_model *model, const tac_state *state, const tac_input *input,
                        char *text, uint32_t room);

/// Text for a status; for a sum of flags, that of the lowest one. "?" out of range. A constant string in flash, never
/// NULL. Cost: constant.
const char *tac_status_name(tac_status status);

/// Text for TAC_FIELD_* and TAC_REASON_*, and for the index of a fault with TAC_FIELD_CONFIG; "?" out of range.
/// Constant strings in flash, never NULL. Cost: length of the texts before it.
const char *tac_field_name(uint32_t field);
const char *tac_reason_name(uint32_t reason);
const char *tac_layout_name(uint32_t index);

// -------------------------------------------------------------------------------------------------------- dynamics
// What a controller asks of the model of its robot (F08), at the poses and velocities of a state:
//
//     M(q) ddq + h(q, dq) = effort
//
// Joints of kind FIXED, REVOLUTE, PRISMATIC, SCREW, SPHERICAL, UNIVERSAL, CYLINDRICAL and PLANAR make trees of bodies.
// In the order of their index, each is part of a tree unless earlier ones have connected its two bodies already, be it
// by way of a body that is not dynamic. A tree hangs on the ground or on a kinematic body, or is free; a body without
// such joints is a free tree. Joints that close loops and those of other kinds count as open. The root of a free tree
// is its body of lowest index that is body b of none of its joints.
//
// Velocities dq, n numbers: first six of each free root in the order of the bodies, those of its tac_twist (v of the
// centre of mass in the world frame, w in the principal frame); then of each joint in the order of the joints, b
// against a:
//     REVOLUTE, SCREW: rate of q, rad/s; PRISMATIC: m/s; FIXED: none
//     CYLINDRICAL: along z, about z;  PLANAR: along x, along y, about z (axes of a)
//     UNIVERSAL: about x of a, about y of b;  SPHERICAL: angular velocity along x, y, z of a
// Efforts are the forces (N) and torques (N m) along these motions: effort.dq is power. Accelerations ddq are their
// derivatives. Positions q: of each free root its state.pose (p, then w, x, y, z of the quaternion); of each joint its
// coordinates in the order above, of SPHERICAL the quaternion w, x, y, z of frame b against frame a.
//
// M and h have the masses and inertias of bodies, gravity, and in the diagonal of M the armature of joints. Springs,
// dampers, friction, motors, limits and contacts are efforts, which the caller adds. Kinematic bodies move on at
// constant v and w. A state that drifts off its joints is taken as it is: poses and twists of bodies count.
//
// All of these use the scratch of `work`: a step between begin and end in it is abandoned, its report and contacts
// stay. Arrays do not overlap. They return TAC_OK; TAC_E_ARG (NULL); TAC_E_MODEL (not sealed, state of another model);
// TAC_E_NAN (an array that is not finite: nothing is written; a state that is not finite, or an overflow: what is
// written are zeros). Costs are instructions for a quadruped of 13 bodies and 12 hinges on a Cortex-M4F in float, of a
// state that the last call was about, and of a new one; more for other robots is in src/robot/README.md. The first
// call that finds the mechanism of a model in a work area takes 7000 more.

/// How many coordinates a model has, and where they are.
///   map    written whole, unless refused
/// Cost: bodies and joints; that of finding the mechanism, if the work area does not hold it.
tac_status tac_model_get_coordinates(const tac_model *model, tac_work *work, tac_coordinates *map);

/// All coordinates of a state, and poses and velocities of all dynamic bodies from them (forward kinematics). Angles
/// read are those of tac_state_get_joint(), other kinds than REVOLUTE and SCREW within half a revolution. Setting
/// normalises quaternions and keeps the impulses of the warm start; a body keeps its bits if its numbers, and those of
/// all bodies that carry it, are what the state has, and their joints hold: to set what was read changes nothing. A
/// coupling counts its full revolutions, which poses cannot represent, by the positions of its two joints, if one of
/// these has other numbers than in the state.
///   q    map.positions numbers: |q| at most TAC_MOST_POSITION, norms of quaternions between 1/2 and 2, exclusive
///   dq   map.velocities numbers: |dq| at most TAC_MOST_SPEED
/// set also returns TAC_E_ARG for a number out of range, TAC_E_NAN for a quaternion; nothing changes then.
/// Cost: one visit to each body; get takes 8000, 10 300.
tac_status tac_state_get_coordinates(const tac_model *model, const tac_state *state, tac_work *work, tac_real *q,
                                     tac_real *dq);
tac_status tac_state_set_coordinates(const tac_model *model, tac_state *state, const tac_real *q, const tac_real *dq,
                                     tac_work *work);

/// Mean accelerations over the last step: (dq at its end - dq at its start)/h, n numbers in the order of dq, caused by
/// efforts, gravity, contacts, limits and impacts together: tac_forward_dynamics() with all these efforts differs by
/// terms of order h. Rounding: a few epsilon |velocity|/h for joints, none for free roots.
///   state   as the step has left it
///   work    of that step; it holds the step until tac_contacts() or the next tac_step_begin(), whatever else uses it
/// Also returns TAC_E_ORDER: the work area holds no step of this model, or the state is not at its end.
/// Cost: one visit to each body; 8500, and 6500 to find the mechanism, which the step has put away.
tac_status tac_step_accelerations(const tac_model *model, const tac_state *state, tac_work *work,
                                  tac_real *acceleration);

/// Jacobian of a point of a body, 6 x n, row by row: (velocity of the point, angular velocity of the body) = J dq,
/// plus the velocity of a kinematic body that carries it. A force and a torque about this point need the efforts
/// J' (force, torque): both, since the force on a foot does not act at the origin of its frame, but where it touches.
/// tac_body_force() and tac_shape_force() about this point have both.
///   body    the ground included, whose Jacobian is 0
///   point   m, in the body's own frame; |point| at most TAC_MOST_LENGTH
///   axes    TAC_AXES_WORLD, or TAC_AXES_BODY: both vectors resolved in the body's own frame
/// Returns TAC_E_ARG also if one of these is out of range. Cost: 6 n stores, one visit to each body that carries it;
/// 1850.
tac_status tac_jacobian(const tac_model *model, const tac_state *state, uint16_t body, tac_vec3 point, int32_t axes,
                        tac_work *work, tac_real *matrix);

/// Place and velocity of a point of a body, J dq, and its drift term: the acceleration of the point is J ddq + drift,
/// resolved in the same axes. Arguments as above.
///   motion   written whole, unless refused
/// Cost: one visit to each body; 2800, 6500.
tac_status tac_body_point(const tac_model *model, const tac_state *state, uint16_t body, tac_vec3 point, int32_t axes,
                          tac_work *work, tac_point_motion *motion);

/// Pose of a frame in the world, with a unit quaternion.
///   pose   written, unless refused
/// Returns TAC_OK; TAC_E_ARG (NULL, no such body, |p| of the frame beyond TAC_MOST_LENGTH); TAC_E_MODEL (state of
/// another model); TAC_E_NAN (a frame or state that is not finite, or a quaternion whose norm is not between 1/2 and 2,
/// exclusive). Cost: constant.
tac_status tac_frame_pose(const tac_model *model, const tac_state *state, const tac_frame *frame, tac_pose *pose);

/// The same as tac_body_point() and tac_jacobian() for the origin of a frame: position, velocity and drift; J, 6 x n,
/// row by row. As there, the efforts of a force on a foot are those of its torque about this origin too.
///   frame   as above; its quaternion is normalised
///   axes    TAC_AXES_WORLD, or TAC_AXES_FRAME: both vectors resolved in the axes of the frame
/// Returns TAC_E_ARG and TAC_E_NAN also for a frame as above, TAC_E_ARG for other axes. Cost: as these.
tac_status tac_frame_motion(const tac_model *model, const tac_state *state, const tac_frame *frame, int32_t axes,
                            tac_work *work, tac_point_motion *motion);
tac_status tac_frame_jacobian(const tac_model *model, const tac_state *state, const tac_frame *frame, int32_t axes,
                              tac_work *work, tac_real *matrix);

/// Centre of mass and momenta, and the centroidal momentum matrix A: (linear, angular about the centre) = A dq, plus
/// what a kinematic body that carries the tree adds; their rates are A ddq + drift. The first three rows of A over the
/// mass are the Jacobian of the centre of mass.
///   body       a dynamic body: all of its tree count; TAC_NONE: all dynamic bodies
///   centroid   written whole, unless refused
///   matrix     A, 6 x n, row by row; NULL: not wanted
/// Returns TAC_E_ARG also if the body is not dynamic.
/// Cost: two visits to each body; 4650, 8300; with the matrix 6 n stores and two visits more: 8850, 13 500.
tac_status tac_centroidal(const tac_model *model, const tac_state *state, uint16_t body, tac_work *work,
                          tac_centroid *centroid, tac_real *matrix);

/// Mass matrix M, n x n, row by row, both triangles (composite bodies, F08 chapter 6).
/// Cost: n^2 stores, and for each body one visit to each body that carries it; 7500, 10 400.
tac_status tac_mass_matrix(const tac_model *model, const tac_state *state, tac_work *work, tac_real *matrix);

/// Bias h: the efforts without acceleration, by Coriolis and centrifugal forces and gravity; n numbers.
/// Cost: two visits to each body; 3600, 7200.
tac_status tac_bias(const tac_model *model, const tac_state *state, tac_work *work, tac_real *effort);

/// Efforts that hold the mechanism at rest against gravity; n numbers.
/// Cost: two visits to each body; 2100, 3350.
tac_status tac_gravity_effort(const tac_model *model, const tac_state *state, tac_work *work, tac_real *effort);

/// effort = M ddq + h (Newton and Euler, F08 chapter 5); n numbers each.
/// Cost: two visits to each body; 4150, 7800.
tac_status tac_inverse_dynamics(const tac_model *model, const tac_state *state, const tac_real *acceleration,
                                tac_work *work, tac_real *effort);

/// ddq = M^-1 (effort - h) (articulated bodies, F08 chapter 7); n numbers each.
/// Cost: four visits to each body; 10 800, 15 400.
tac_status tac_forward_dynamics(const tac_model *model, const tac_state *state, const tac_real *effort, tac_work *work,
                                tac_real *acceleration);

// ------------------------------------------------------------------------------------------------------ arithmetic

/// Properties of the arithmetic that equal bits on all targets depend on, and what breaks them. Options that a compiler
/// reports by a macro are refused with an #error; these are tested at run time:
//  TAC_PROMISE_ROUNDING   to nearest, ties to even: fesetround(), FPSCR, fcsr
//  TAC_PROMISE_SUBNORMAL  subnormal numbers are not flushed to zero: FTZ and DAZ, also set by -ffast-math at link time;
//                         FPSCR.FZ
//  TAC_PROMISE_NAN        comparisons with NaN and infinity: -ffinite-math-only, -fno-honor-nans
//  TAC_PROMISE_ZERO       the sign of zero: -fno-signed-zeros
//  TAC_PROMISE_DIVISION   a quotient is not replaced by a product with a reciprocal: -freciprocal-math
//  TAC_PROMISE_SUMS       sums are taken from left to right: -fassociative-math
//  TAC_PROMISE_PRODUCTS   products are rounded before they are added: -ffp-contract=fast or =on, gcc -O3 without
//                         -fno-tree-vectorize
//  TAC_PROMISE_ROOT       the square root is correctly rounded
//  TAC_PROMISE_BITS       none of the above fails, but a short simulated motion ends with unexpected bits
#define TAC_PROMISE_TABLE(PROMISE)                                                                                     \
    PROMISE(TAC_PROMISE_KEPT, "kept")                                                                                  \
    PROMISE(TAC_PROMISE_ROUNDING, "rounding to nearest")                                                               \
    PROMISE(TAC_PROMISE_SUBNORMAL, "subnormal numbers")                                                                \
    PROMISE(TAC_PROMISE_NAN, "comparisons with NaN and infinity")                                                      \
    PROMISE(TAC_PROMISE_ZERO, "sign of zero")                                                                          \
    PROMISE(TAC_PROMISE_DIVISION, "division")                                                                          \
    PROMISE(TAC_PROMISE_SUMS, "order of sums")                                                                         \
    PROMISE(TAC_PROMISE_PRODUCTS, "products rounded before they are added")                                            \
    PROMISE(TAC_PROMISE_ROOT, "square root")                                                                           \
    PROMISE(TAC_PROMISE_BITS, "bits of a motion")

enum { TAC_PROMISE_TABLE(TAC_TABLE_ENTRY) TAC_PROMISES };

/// Check that the arithmetic keeps these promises. Call it at boot, in each thread that steps, and after code that
/// changes modes of the floating-point unit. Each promise is tested with a few numbers; then a body is moved by the
/// functions of the step, and its bits are compared with known ones.
/// Returns TAC_PROMISE_KEPT, which is 0, or the first promise that is broken. Cost: constant; 2350 instructions
/// (Cortex-M4F in float, M7 in double, -O2), 41 000 in soft float (M3): 14 us at 168 MHz if each takes a cycle.
uint32_t tac_self_test(void);

/// Text for TAC_PROMISE_*; "?" out of range. A constant string in flash, never NULL. Cost: length of the texts before
/// it.
const char *tac_promise_name(uint32_t promise);

// ---------------------------------------------------------------------------------------------------- the cone program

#if TAC_SOLVE

/// An empty problem. Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG; in the last case every table is marked as full,
/// so that nothing can be added. Cost: constant.
tac_status tac_problem_init_for(const tac_layout *caller, tac_problem *problem);
static inline tac_status tac_problem_init(tac_problem *problem)
{
    return tac_problem_init_for(tac_layout_here(), problem);
}

/// Set a block to defaults: free velocity 0, semi-axes 1, no friction, lo = hi = 0. RAY and INTERVAL have 1 row, CONE
/// 3, TORSION 4, ROLLING 6, FREE 1 to 6; tac_solve() refuses any other number. Cost: constant.
void tac_problem_block_init(tac_problem_block *block, uint8_t set, uint8_t rows);

/// Add a block; after all blocks, add the non-zero blocks N_ij of both triangles in the order of (i, j). Values are
/// copied.
///   value    rows_i times rows_j numbers, row by row
/// Returns the index of the new element; TAC_E_ARG if a pointer is NULL, a block does not exist or the order is
/// violated; TAC_E_FULL if a table is full (nothing changes then). Cost: constant.
int32_t tac_problem_add_block(tac_problem *problem, const tac_problem_block *block);
int32_t tac_problem_add_entry(tac_problem *problem, uint32_t i, uint32_t j, const tac_real *value);

/// The defaults of tac_solve_options. Cost: constant.
void tac_solve_options_init(tac_solve_options *options);

/// Solve: minimise 1/2 g'N g + p'g over g_k in C_k, or with the exact law: C_k contains g_k perp u_k + (lift_k, 0 ..)
/// in the dual of C_k, u = N g + p, lift_k = mu |(e_i u_i)| for cones.
///   problem  may lie in flash; shared by any number of work areas
///   options  NULL: the defaults
///   work     in: g, if options->warm_start; out: g, u, mode and report; else scratch
/// Each method returns its best iterate, which lies in its sets. It stops when resS <= tolerance, when rounding
/// prevents further progress, or when max_passes are spent (the last factorisation and its step may exceed them). AUTO
/// uses sweeps (ACCELERATED) for as long as the direct method is expected to take, then changes to the direct method;
/// so it costs at most about twice the cheaper of the two. Without contacts it starts with the direct method, or with
/// MINRES if the table of the factor is too small; in that case DIRECT falls back to sweeps. report.method says which
/// method found the answer.
/// Returns TAC_OK, TAC_UNCONVERGED (g is the best iterate, report.r_natmap is its error), or TAC_E_ARG (NULL, an option
/// out of range, MINRES with sets other than FREE), TAC_E_MODEL (counts, order, sets, ranges, N not symmetric or its
/// diagonal not positive), TAC_E_NAN, with the first bad block in report.fault; or TAC_E_CONFIG, and nothing is
/// written.
/// Cost: max_passes times problem->values multiplications; with least_norm three times that.
tac_status tac_solve_for(const tac_layout *caller, const tac_problem *problem, const tac_solve_options *options,
                         tac_solve_work *work);
static inline tac_status tac_solve(const tac_problem *problem, const tac_solve_options *options, tac_solve_work *work)
{
    return tac_solve_for(tac_layout_here(), problem, options, work);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
