// SPDX-License-Identifier: MIT
// tactus.h - the API and its manual. Include this and link src/tactus.c; port.h is only for those who use our ports.
//
//     tac_model  what the world is      build it with tac_model_init() and tac_model_add_*(), close it with tac_model_seal()
//     tac_state  what it does now       tac_state_init(); its copy is a snapshot
//     tac_input  what acts on it        yours to fill before each step; NULL means nothing acts
//     tac_work   scratch and results    contacts and report of the last step
//
//     tac_step(&model, &state, &input, &work)   advances the state by model.h
//
// Each step solves, over the impulses g_k of all contacts k (NST17 (9)-(11), signs as in src/README.md)
//
//     minimise 1/2 g'N g + p'g   over  g_k in K_k = { |(u,w)| <= mu n },    N = D'M^-1 D,   p = D'v~ + b
//     then     v+ = v~ + M^-1 D g,    q+ = q exp(h v+)
//
// With TAC_ROLLING contacts may resist spinning and rolling: torque impulses t about (n,u,w) join (u,w), and the cone is
// (|u|^2 + |w|^2)/mu^2 + t_n^2/spinning^2 + (t_u^2 + t_w^2)/rolling^2 <= n^2  (CBAT07).
//
// The kernel never prints, exits, allocates or asserts, holds no state of its own and needs nothing but these headers.
// Every function is reentrant: one caller at a time per object that it writes. Cost is stated in elements; measured
// instructions are in the README. Stack in float, when the kernel is compiled with
// -fno-inline-functions-called-once (Cortex-M4F, gcc 12): at most 1.5 KiB, without convex shapes (TAC_CONVEX 0) 1 KiB.
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include "tactus/layout.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Precision and version in the names of these; TAC_MAX_INEQUALITIES, which alone sizes implicit bodies, in that of the third.
#define tac_state_init_for TAC_LINK(tac_state_init_for)
#define tac_solve_for TAC_LINK(tac_solve_for)
#define TAC_LINK_IMPLICIT_(name, most) name##_i##most
#define TAC_LINK_IMPLICIT(name, most) TAC_LINK_IMPLICIT_(name, most)
#define tac_implicit_closest TAC_LINK_IMPLICIT(TAC_LINK(tac_implicit_closest), TAC_MAX_INEQUALITIES)

// ----------------------------------------------------------------------------------------------------------- model

/// An empty model: the ground, no shapes, gravity 9.81 m/s2 along -z, h 1 ms, default options.
///   model    written whole
/// Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG; then all that is written are counts, such that every table is full:
/// nothing can be added, and tac_model_seal() says what differs. Cost: sizeof(tac_model) stores.
tac_status tac_model_init_for(const tac_layout *caller, tac_model *model);
static inline tac_status tac_model_init(tac_model *model)
{
    return tac_model_init_for(tac_layout_here(), model);
}

/// Add a material, a body, a shape, an override for a pair of materials; by value, checked only by tac_model_check().
/// A material combines by geometric mean of friction and maximum of restitution unless its rules are set otherwise. With
/// TAC_ROLLING neither resists spinning nor rolling until material[].spinning and .rolling, or those of the pair, are set.
/// Returns the index of the new element; TAC_E_ARG if a pointer is NULL, TAC_E_FULL if the table is full (nothing changes
/// then). Cost: constant.
int32_t tac_model_add_material(tac_model *model, tac_real friction, tac_real restitution);
int32_t tac_model_add_body(tac_model *model, const tac_body *body);
int32_t tac_model_add_shape(tac_model *model, const tac_shape *shape);
int32_t tac_model_add_material_pair(tac_model *model, uint8_t a, uint8_t b, tac_real friction, tac_real restitution);

/// Bodies a and b do not collide. Returns the index of the new entry, TAC_E_ARG (NULL) or TAC_E_FULL. Cost: constant.
int32_t tac_model_add_exclusion(tac_model *model, uint16_t a, uint16_t b);

/// A joint of `kind` between two bodies: at the origins of their frames, without limits, friction, spring or armature, with a
/// motor of any effort and speed. TAC_COUPLING: between the joints `body_a` and `body_b`, ratio 1, free: set limits or a spring.
void tac_joint_init(tac_joint *joint, uint8_t kind, uint16_t body_a, uint16_t body_b);

/// Add a joint. Bodies that a joint joins do not collide unless it says so. Returns the index of the new joint, TAC_E_ARG
/// (NULL) or TAC_E_FULL (always with TAC_MAX_JOINTS 0). Cost: constant.
int32_t tac_model_add_joint(tac_model *model, const tac_joint *joint);

/// Flatness of a hull, relative to its largest extent: what is nearer to a plane than this is in it.
#define TAC_TOL_FLAT ((tac_real)2e-5)

/// The convex hull of `count` points becomes a polyhedron that any number of shapes of kind TAC_HULL may share: points
/// that are corners of it, its faces (corners within TAC_TOL_FLAT of one plane make one face), its edges.
///   points   m, in the shape's frame; 4 .. 65535; those within TAC_TOL_FLAT of the hull of the others may be left out
/// Returns the index for tac_shape.data; TAC_E_ARG if a pointer is NULL, a value is not finite or the points are flat;
/// TAC_E_FULL if a table is full or there are more than TAC_MAX_HULL_POINTS corners (what is in use does not change then).
/// Until corners are left out, the tables need room for the faces and edges of the hull of all points. Cost: points times
/// edges. This and the next two: what is not in use of the tables is where they work, and is cleared. With TAC_CONVEX 0 they
/// always return TAC_E_FULL.
int32_t tac_model_add_hull(tac_model *model, const tac_vec3 *points, uint32_t count);

/// Triangles become a polyhedron for shapes of kind TAC_MESH: a surface with a solid side below it.
///   points     m, in the shape's frame; >= 3
///   triangle   three indices each, counter-clockwise when seen from outside; triangles that share an edge name the same two
///              points; an edge may have two triangles at most
/// Returns the index for tac_shape.data; TAC_E_ARG if a pointer is NULL, an index is out of range, a value is not finite, a
/// triangle has no area, an edge has more than two triangles or two that run the same way; TAC_E_FULL if a table is full (what
/// is in use does not change then). Cost: triangles squared for the edges, triangles log triangles for the tree.
int32_t tac_model_add_mesh(tac_model *model, const tac_vec3 *points, uint32_t count, const uint16_t (*triangle)[3],
                           uint32_t triangles);

/// Samples become terrain for shapes of kind TAC_HEIGHT_FIELD, see tac_height_field.
///   samples    columns * rows of them, row by row
///   columns, rows   >= 2
///   dx, dy     m, distance of samples along x and y, > 0
///   scale      m, height of one unit of the samples, > 0
/// Returns the index for tac_shape.data; TAC_E_ARG if a pointer is NULL, a value is out of range or not finite; TAC_E_FULL if
/// a table is full (nothing changes then). Cost: samples.
int32_t tac_model_add_height_field(tac_model *model, const tac_height *samples, uint16_t columns, uint16_t rows,
                                   tac_real dx, tac_real dy, tac_real scale);

/// A shape of `kind` and `size` on `body`: at the body's frame, not rounded, material 0, in group 1, meeting all groups.
tac_shape tac_shape_make(uint16_t body, uint8_t kind, tac_vec3 size);

/// A body of `kind` at `position`: upright, at rest, unit mass and inertia, principal frame at the body's frame.
tac_body tac_body_make(uint8_t kind, tac_vec3 position);

/// Set mass, principal inertia and inertial frame of a body from its shapes, each of the same density.
///   body      1 .. bodies-1, with at least one shape, none of them a half-space, mesh or field
///   density   kg/m3, > 0
/// Returns TAC_OK or TAC_E_ARG (nothing changes). Overlaps count twice. A rounding counts for spheres and capsules; other
/// kinds are weighed without theirs. Cost: shapes of the model, edges of the hulls, one 3x3 eigenproblem.
tac_status tac_model_mass_from_shapes(tac_model *model, uint16_t body, tac_real density);

/// Check every field. Returns TAC_OK, or TAC_E_CONFIG / TAC_E_ARG (NULL) / TAC_E_NAN / TAC_E_MODEL with the first bad field in
/// `fault`.
///   fault    written whole; may be NULL
/// The hash is not looked at: tac_state_init() does that. A model that passes is one that the step can trust, wherever it
/// comes from. Cost: linear in the model, but points times faces for a hull, and a search for each triangle of a mesh.
tac_status tac_model_check_for(const tac_layout *caller, const tac_model *model, tac_fault *fault);
static inline tac_status tac_model_check(const tac_model *model, tac_fault *fault)
{
    return tac_model_check_for(tac_layout_here(), model, fault);
}

/// The hash of a model's values (32 bit FNV-1a, the same on every target). A model in flash carries it in `hash`.
/// Cost: linear in the model.
uint32_t tac_model_hash(const tac_model *model);

/// Check, then write the hash. To be called after the last change. Returns and reports as tac_model_check().
tac_status tac_model_seal_for(const tac_layout *caller, tac_model *model, tac_fault *fault);
static inline tac_status tac_model_seal(tac_model *model, tac_fault *fault)
{
    return tac_model_seal_for(tac_layout_here(), model, fault);
}

// ----------------------------------------------------------------------------------------------------------- state

/// The initial state of a model: its initial poses and velocities, no impulses, step 0.
///   model    sealed
///   fault    written whole; may be NULL
/// Returns TAC_OK, or as tac_model_check(), or TAC_E_MODEL with TAC_FIELD_HASH if the model is not sealed. On refusal
/// the state is untouched. Cost: linear in the model.
tac_status tac_state_init_for(const tac_layout *caller, const tac_model *model, tac_state *state, tac_fault *fault);
static inline tac_status tac_state_init(const tac_model *model, tac_state *state, tac_fault *fault)
{
    return tac_state_init_for(tac_layout_here(), model, state, fault);
}

/// Pose of a body's own frame (not its principal frame). A body out of range gives the identity.
tac_pose tac_state_get_pose(const tac_model *model, const tac_state *state, uint16_t body);

/// Place a body: pose of its own frame, velocity as in tac_twist. The quaternion is normalised; warm-start impulses stay.
/// Returns TAC_OK, TAC_E_ARG (NULL, body out of range or the ground, place or velocity beyond TAC_MOST_POSITION or
/// TAC_MOST_SPEED), TAC_E_MODEL (state of another model),
/// TAC_E_NAN (not finite, or a quaternion whose norm is not between 1/2 and 2, exclusive); on refusal the state is untouched. Cost: constant.
tac_status tac_state_set_body(const tac_model *model, tac_state *state, uint16_t body, tac_pose pose, tac_twist twist);

/// Coordinate of a joint and its rate; zeros where its kind has none. Its effort is in work->joint[] after a step.
/// Returns TAC_E_ARG (NULL, no such joint), TAC_E_MODEL. Cost: constant.
tac_status tac_state_get_joint(const tac_model *model, const tac_state *state, uint32_t joint, tac_joint_state *result);

/// Put a tree where its joints' coordinates have it: in their order, each joint sets pose and velocity of its body b from
/// those of its body a, which an earlier joint, or the user, has set. Joints without a coordinate bring their frames together
/// (REVOLUTE_SPHERICAL: with b at x = length); DISTANCE, a joint on the ground as b, and a second joint on a body b set nothing.
/// COUPLING sets nothing and is not looked at: of its joints' angles it counts the turns beyond what poses show.
///   joint    array of model->joints; positions and velocities up to TAC_MOST_SPEED, either way
/// Returns TAC_E_ARG (also out of that range), TAC_E_MODEL, TAC_E_NAN (nothing changes). Cost: joints squared.
tac_status tac_state_set_joints(const tac_model *model, tac_state *state, const tac_joint_state *joint);

/// 64 bit FNV-1a of the values of a state (step, poses, velocities, impulses; NaN canonical): the same on every target
/// for the same history. Padding does not count. Cost: linear.
uint64_t tac_state_hash(const tac_model *model, const tac_state *state);

// ------------------------------------------------------------------------------------------------------------ step

/// Advance `state` by one step of model->h.
///   model    sealed; may lie in flash; shared by any number of states
///   state    advanced in place
///   input    held over the step; NULL means nothing acts
///   work     scratch and results (contacts, report); valid until its next use
/// Returns TAC_OK or a sum of TAC_FULL, TAC_UNCONVERGED, TAC_RELAXED, TAC_SWEPT (the step is taken); or TAC_E_ARG,
/// TAC_E_MODEL, TAC_E_NAN with work->report.fault (the state is untouched).
/// Cost: C0 bodies + C1 shapes log(shapes) + C2 pairs whose boxes meet + C3 pairs that are close + C4 contacts sweeps; where
/// bodies bounce, C5 contacts report.impacts (src/step/README.md). Not for interrupt handlers.
tac_status tac_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work);

/// The same step in slices: begin, any number of sweeps, end; the bits are those of tac_step() if as many sweeps are
/// spent. After begin and after each sweep the impulses lie in their cones, so end may be called when time is out; a
/// step cut short is replayed from work->report.sweeps. begin and sweep leave the state alone.
///   sweeps   at most so many more; never beyond options.max_sweeps in all
/// begin returns TAC_OK or a refusal as tac_step(); sweep returns TAC_OK when the tolerance is met, TAC_UNCONVERGED
/// when more sweeps could be spent or max_sweeps are, TAC_E_ORDER outside a step; end returns as tac_step(), or
/// TAC_E_ORDER outside a step or with another state than begin's.
/// Cost of end: three visits to each contact, the position projection (at most 8 passes over contacts, 32 of the direct solver
/// and of joints), with joints moreover one sweep if none was spent, one factor and at most four solutions of the joints for
/// what was cut, and options.max_joint_turns turns, a factor and a solution each.
tac_status tac_step_begin(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work);
tac_status tac_step_sweep(const tac_model *model, tac_work *work, uint32_t sweeps);
tac_status tac_step_end(const tac_model *model, tac_state *state, tac_work *work);

// ------------------------------------------------------------------------------------------------- implicit bodies
// CBAT07: convex bodies as intersections of inequalities f(x) <= 0, and their closest points. These stand beside the
// shapes of a model: tac_step() does not use them.

/// Common bodies, written whole. The origin is the centre of mass. Further inequalities may be added by hand.
///   half space      z <= 0; its point inside is (0,0,-depth), depth (m, > 0) about the size of what it is to meet
///   sphere          radius, m
///   ellipsoid       semi-axes along x, y, z, m
///   superellipsoid  semi-axes, m, and powers p, q, r: each 2, 4, 6 or 8
///   cylinder        axis z; radius and half length, m
///   cone            axis z; radius of the base at z = -height/4, apex at z = 3 height/4, m
///   box             half lengths along x, y, z, m; six inequalities
/// Returns TAC_OK; TAC_E_ARG if body is NULL, a size is not > 0, a power is another; TAC_E_FULL if TAC_MAX_INEQUALITIES is too few;
/// TAC_E_NAN if a size is not finite. On refusal the body is untouched. Cost: sizeof(tac_implicit) stores.
tac_status tac_implicit_half_space(tac_implicit *body, tac_real depth);
tac_status tac_implicit_sphere(tac_implicit *body, tac_real radius);
tac_status tac_implicit_ellipsoid(tac_implicit *body, tac_vec3 size);
tac_status tac_implicit_superellipsoid(tac_implicit *body, tac_vec3 size, uint8_t p, uint8_t q, uint8_t r);
tac_status tac_implicit_cylinder(tac_implicit *body, tac_real radius, tac_real half);
tac_status tac_implicit_cone(tac_implicit *body, tac_real radius, tac_real height);
tac_status tac_implicit_box(tac_implicit *body, tac_vec3 half);

/// Closest points a1, a2 of two implicit bodies, their common normal and gap: CBAT07 (7) when they are apart, (22) with
/// the sign of the gap (the way out along the normal is -gap) when they touch or overlap. Then the gap is a local
/// maximum over all normals, for shallow overlap the least way out. Where closest points are not unique (parallel faces)
/// they lie well inside of the set.
///   a, b     bodies; any number of inequalities from 1 to TAC_MAX_INEQUALITIES
///   pose_a   of the frame of a in the world, unit quaternion; pose_b likewise
///   work     scratch
///   closest  written whole, unless refused
/// Returns TAC_OK or a sum of TAC_UNCONVERGED (closest->residual is larger than rounding explains) and TAC_DEEP (overlap of
/// more than a fifth of the half thickness at `inside`); TAC_E_ARG (NULL, an inequality out of range, a size not > 0, a
/// quaternion that is not unit, a point `inside` that is not: an empty body has none) or TAC_E_NAN (not finite). On
/// refusal `closest` is untouched.
/// Cost: 1 interior-point solution when the bodies are apart, else at most 26 (mostly 4): each at most 80 steps (mostly
/// 15), a 6x6 system and all inequalities a step; after each, Newton steps (mostly 2) with a system of at most 16x16.
tac_status tac_implicit_closest(const tac_implicit *a, const tac_pose *pose_a, const tac_implicit *b,
                                const tac_pose *pose_b, tac_implicit_work *work, tac_closest *closest);

// --------------------------------------------------------------------------------------------------------- queries

/// Kinetic (J) and potential (J, -sum m g.x) energy, linear (N s) and angular momentum (N m s, world frame, about the
/// world's origin) of the dynamic bodies. NULL outputs are skipped. Cost: bodies.
void tac_energy(const tac_model *model, const tac_state *state, tac_real *kinetic, tac_real *potential);
void tac_momentum(const tac_model *model, const tac_state *state, tac_vec3 *linear, tac_vec3 *angular);

/// The first shape that a ray, or a ball on a straight way, meets.
///   ray      finite; range >= 0, radius 0 .. TAC_MOST_LENGTH, origin within TAC_MOST_POSITION
///   work     scratch; a step between begin and end in it is given up, its report and contacts stay. So with the next two
///   hit      written whole unless the call is refused
/// What starts in a shape, or touches it, meets it at distance 0, whichever way it goes. A half-space and a field are
/// solid without end below their surface, a field only under its samples; a mesh is a surface that is met from either
/// side, and nothing starts in it but a ball that cuts it. A ray in the plane of a triangle passes it. Distances are exact to
/// rounding (1e-9 of distance and size in double, 1e-5 in float) unless the way only grazes the shape: what is nearer than rounding is
/// met, at a corner or edge of a hull what is nearer than 1e-7 of its size (float 1e-4).
/// Returns TAC_OK, met or not; TAC_E_ARG (NULL, origin, range or radius out of range, no direction), TAC_E_MODEL (state of another
/// model), TAC_E_NAN (ray or a pose not finite, or a pose far beyond TAC_MOST_POSITION).
/// Cost: C0 shapes + C1 shapes whose bounding sphere is met + C2 triangles whose boxes are met; of a field all cells below
/// the way. C1 and C2 are at most 40 distances (double 80): three to six are usual. A distance has a closed form, for an
/// ellipsoid at most 16 turns of one, for a hull it is a search for the nearest points.
tac_status tac_cast(const tac_model *model, const tac_state *state, const tac_ray *ray, tac_work *work, tac_hit *hit);

/// Where two bodies are nearest, over all pairs of their shapes; groups, masks and exclusions do not count.
///   body_a, body_b   two bodies, the ground included
///   result           written whole unless the call is refused
/// Of two half-spaces, meshes or fields there is no distance. What overlaps a convex shape is as far below 0 as the shortest
/// way out is long, to 0.1 %; what a mesh or a field cuts is as deep as it is below the plane of one of the triangles that
/// cut it, or the one above its origin if that is below a field; what is wholly behind a mesh is apart from it. Exchanged bodies give the same bits, exchanged.
/// Returns TAC_OK; TAC_E_ARG (NULL, a body out of range, or the same twice), TAC_E_MODEL, TAC_E_NAN (a pose is not finite).
/// Cost: C0 shapes^2 + C1 pairs; against a mesh or a field C1 triangles that are not farther than the nearest.
tac_status tac_distance(const tac_model *model, const tac_state *state, uint16_t body_a, uint16_t body_b, tac_work *work,
                        tac_nearest *result);

/// The shapes that are nearer than `margin` to a shape that is none of the model's.
///   shape    its pose is in the world; its body is one that it does not see, TAC_NONE if it sees all; group and mask
///            count; material does not; a hull, mesh or field is one of the model's
///   margin   m, up to TAC_MOST_LENGTH; 0: what overlaps
///   list     indices of shapes, rising, at most `room`; NULL if room is 0
/// Returns how many shapes there are, which may be more than `room`; TAC_E_ARG (NULL, kind, size or data out of range,
/// margin out of range), TAC_E_MODEL, TAC_E_NAN (a pose is not finite). Distances are those of tac_distance().
/// Cost: C0 shapes + C1 shapes whose bounding spheres are near, or triangles of these.
int32_t tac_overlap(const tac_model *model, const tac_state *state, const tac_shape *shape, tac_real margin, tac_work *work,
                    uint16_t *list, uint16_t room);

/// The contacts that a body has now, as a step finds them when all bodies are at rest: those of the model's pairs of shapes
/// that collide and are of this body.
///   body     the ground included
///   margin   m, gap below which a pair is in contact, 0 .. TAC_MOST_LENGTH or TAC_AUTO
///   work     contact[], report.contacts, dropped and penetration are the result: they take the place of those of the last
///            step. Impulses and velocities are 0, modes TAC_OPEN. A step between begin and end is given up
/// Returns TAC_OK, TAC_FULL if contacts were dropped, or as tac_step() refuses, with work->report.fault; TAC_E_ARG without
/// a fault if body or margin is out of range. Cost: C0 shapes^2 + C1 pairs that are close.
tac_status tac_contacts(const tac_model *model, const tac_state *state, uint16_t body, tac_real margin, tac_work *work);

/// How good the impulses of a step are, between that step's end and the next use of its work area.
///   work         of a step that tac_step() or tac_step_end() has taken
///   certificate  written whole unless the call is refused
/// Returns TAC_OK, TAC_E_ARG (NULL), TAC_E_ORDER if the work area holds no finished step of this model. Cost: two visits to
/// each contact, about 250 operations.
tac_status tac_certify(const tac_model *model, const tac_work *work, tac_certificate *certificate);

/// Where contacts are redundant (four feet of a table) the impulses are not unique: of those that make the same velocities
/// and solve the cone program, the contacts of this work area get those of least sum d_i |g_i|^2, d_i = trace(W_ii)/3, whatever
/// solver has found the others. Equal feet then bear equal forces. The state and the report stay; the next step starts
/// from what this one found, unless the impulses are put into state->warm[] (same order, world frame).
///   work     of a step that has been taken, as above
///   turns    at most so many; two or three for a body on four feet, about ten for each body of a pile
/// A contact that does not touch bears nothing, one that slides keeps its direction; velocities below the tolerance of the
/// solve count as none. Impulses of joints stay.
/// Returns TAC_OK: least norm to rounding, at most about 1e-14 of the forces (float 1e-6); TAC_UNCONVERGED: `turns` were
/// too few, and what was found by then is taken if it solves the program as well as the solver was asked to, else the
/// impulses are those of the step; TAC_E_ARG, also where a contact resists turning (TAC_ROLLING); TAC_E_ORDER as above. Cost: 4 to 11 visits to each contact a turn.
tac_status tac_least_norm(const tac_model *model, tac_work *work, uint32_t turns);

/// Do the invariants hold? Counts within capacity, everything finite, quaternions and contact frames orthonormal to
/// rounding, body_a < body_b, every impulse in its cone, report in range. For tests, fuzzers and a product's self-test.
///   work     of the last step of `state`, or NULL
/// Returns TAC_OK, or as tac_step() refuses, with the first violation in `fault` (may be NULL). Cost: linear.
tac_status tac_check(const tac_model *model, const tac_state *state, const tac_work *work, tac_fault *fault);

/// Text for TAC_FIELD_* and TAC_REASON_*, and for the index of a fault with TAC_FIELD_CONFIG; "?" out of range. In flash, never
/// NULL.
const char *tac_field_name(uint32_t field);
const char *tac_reason_name(uint32_t reason);
const char *tac_layout_name(uint32_t index);

// ------------------------------------------------------------------------------------------------------ arithmetic

/// What the same bits everywhere rest on, and what breaks it. What a compiler tells by a macro is an #error; the rest:
//  TAC_PROMISE_ROUNDING   to nearest, ties to even: fesetround(), FPSCR, fcsr
//  TAC_PROMISE_SUBNORMAL  numbers below the least normal one: FTZ and DAZ, which -ffast-math at link time sets too; FPSCR.FZ
//  TAC_PROMISE_NAN        comparisons with NaN and infinity: -ffinite-math-only, -fno-honor-nans
//  TAC_PROMISE_ZERO       the sign of zero: -fno-signed-zeros
//  TAC_PROMISE_DIVISION   a quotient is no product with a reciprocal: -freciprocal-math
//  TAC_PROMISE_SUMS       from left to right: -fassociative-math
//  TAC_PROMISE_PRODUCTS   rounded before they are added: -ffp-contract=fast or =on, gcc -O3 without -fno-tree-vectorize
//  TAC_PROMISE_ROOT       rounded correctly
//  TAC_PROMISE_BITS       none of these can be named, but a short motion ends with other bits than it should
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

/// Does the arithmetic keep its promises here and now? To be called at boot, in each thread that steps, and after code that
/// changes the modes of the floating-point unit. Each promise is tried with a few numbers; then a body moves, by the functions
/// of the step, and its bits are compared with known ones.
/// Returns TAC_PROMISE_KEPT, which is 0, or the first that is broken. Cost: constant; 2350 instructions (Cortex-M4F in float, M7
/// in double, -O2), 41 000 in soft float (M3): 14 us at 168 MHz if each takes a cycle.
uint32_t tac_self_test(void);

/// Text for TAC_PROMISE_*; "?" out of range. In flash, never NULL.
const char *tac_promise_name(uint32_t promise);

// ---------------------------------------------------------------------------------------------------- the cone program

#if TAC_SOLVE

/// An empty problem. Returns TAC_OK, TAC_E_ARG (NULL) or TAC_E_CONFIG; then every table is full, so that nothing can be added.
/// Cost: constant.
tac_status tac_problem_init_for(const tac_layout *caller, tac_problem *problem);
static inline tac_status tac_problem_init(tac_problem *problem)
{
    return tac_problem_init_for(tac_layout_here(), problem);
}

/// A block without free velocity: semi-axes 1, no friction, lo = hi = 0. RAY and BOX have 1 row, CONE 3, TORSION 4, ROLLING 6,
/// FREE 1 to 6; anything else is found by tac_solve(). Cost: constant.
void tac_problem_block_init(tac_problem_block *block, uint8_t set, uint8_t rows);

/// Add a block, by value; then, in the order of (i, j), the blocks N_ij that are not zero, of both triangles.
///   value    rows_i times rows_j numbers, row by row
/// Returns the index of the new element; TAC_E_ARG if a pointer is NULL, a block is not there or the order is broken;
/// TAC_E_FULL if a table is full (nothing changes then). Cost: constant.
int32_t tac_problem_add_block(tac_problem *problem, const tac_problem_block *block);
int32_t tac_problem_add_entry(tac_problem *problem, uint32_t i, uint32_t j, const tac_real *value);

/// The defaults of tac_solve_options. Cost: constant.
void tac_solve_options_init(tac_solve_options *options);

/// minimise 1/2 g'N g + p'g over g_k in C_k, or its exact law: C_k contains g_k perp u_k + (lift_k, 0 ..) in the dual of C_k,
/// u = N g + p, lift_k = mu |(e_i u_i)| for cones.
///   problem  may lie in flash; shared by any number of work areas
///   options  NULL means the defaults
///   work     in: g, if options->warm_start; out: g, u, mode and report; else scratch
/// Each method keeps the best impulses it has met, which lie in their sets, and stops when resS <= tolerance, when rounding
/// leaves nothing to gain, or when max_passes are spent (the last matrix and its step may exceed them). AUTO sweeps
/// (ACCELERATED) for as long as the direct method is expected to take, then goes on with that: at most about twice the
/// cheaper of the two; without contacts it is direct at once, or MINRES if the factor's table is too small. DIRECT falls back
/// to sweeps when it is: report.method says what has found the answer.
/// Returns TAC_OK, TAC_UNCONVERGED (g is the best found, report.residual says how good), or TAC_E_ARG (NULL, an option out of
/// range, MINRES with sets other than FREE), TAC_E_MODEL (counts, order, sets, ranges, N not symmetric or its diagonal not positive),
/// TAC_E_NAN, with the first bad block in report.fault; or TAC_E_CONFIG, and nothing is written.
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
