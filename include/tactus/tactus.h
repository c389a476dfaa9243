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
// The kernel never prints, exits, allocates or asserts, holds no state of its own and needs nothing but these headers.
// Every function is reentrant: one caller at a time per object that it writes. Cost is stated in elements; measured
// instructions are in the README. Stack in float: at most 1 KiB when the kernel is compiled with
// -fno-inline-functions-called-once (Cortex-M4F, gcc 12); 1.3 KiB without.
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include "tactus/types.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_VERSION_MAJOR 0
#define TAC_VERSION_MINOR 1

// Precision and capacities become part of one symbol: see config.h.
#define TAC_PASTE_(f, r, b, s, c, m, p, a, x, v, y, o, g, e, d, h, t)                                                  \
    f##_r##r##_b##b##_s##s##_c##c##_m##m##_p##p##_a##a##_x##x##_v##v##_y##y##_o##o##_g##g##_e##e##_d##d##_h##h##_t##t
#define TAC_PASTE(f, r, b, s, c, m, p, a, x, v, y, o, g, e, d, h, t)                                                   \
    TAC_PASTE_(f, r, b, s, c, m, p, a, x, v, y, o, g, e, d, h, t)
#define tac_state_init                                                                                                 \
    TAC_PASTE(tac_state_init, TAC_REAL_BITS, TAC_MAX_BODIES, TAC_MAX_SHAPES, TAC_MAX_CONTACTS, TAC_MAX_MATERIALS,      \
              TAC_MAX_MATERIAL_PAIRS, TAC_MAX_ACTIONS, TAC_MAX_EXCLUSIONS, TAC_CONVEX, TAC_MAX_POLYHEDRA,              \
              TAC_MAX_POINTS, TAC_MAX_FACES, TAC_MAX_EDGES, TAC_MAX_FIELDS, TAC_MAX_HEIGHTS, TAC_HEIGHT_BITS)

// ----------------------------------------------------------------------------------------------------------- model

/// An empty model: the ground, no shapes, gravity 9.81 m/s2 along -z, h 1 ms, default options.
///   model    written whole
/// Cost: sizeof(tac_model) stores.
void tac_model_init(tac_model *model);

/// Add a material, a body, a shape, an override for a pair of materials; by value, checked only by tac_model_check().
/// A material combines by geometric mean of friction and maximum of restitution unless its rules are set otherwise.
/// Returns the index of the new element, or TAC_E_ARG if a pointer is NULL or the table is full (nothing changes then).
/// Cost: constant.
int32_t tac_model_add_material(tac_model *model, tac_real friction, tac_real restitution);
int32_t tac_model_add_body(tac_model *model, const tac_body *body);
int32_t tac_model_add_shape(tac_model *model, const tac_shape *shape);
int32_t tac_model_add_material_pair(tac_model *model, uint8_t a, uint8_t b, tac_real friction, tac_real restitution);

/// Bodies a and b do not collide. Returns the index of the new entry, or TAC_E_ARG (full). Cost: constant.
int32_t tac_model_add_exclusion(tac_model *model, uint16_t a, uint16_t b);

/// Flatness of a hull, relative to its largest extent: what is nearer to a plane than this is in it.
#define TAC_TOL_FLAT ((tac_real)2e-5)

/// The convex hull of `count` points becomes a polyhedron that any number of shapes of kind TAC_HULL may share: points
/// that are corners of it, its faces (corners within TAC_TOL_FLAT of one plane make one face), its edges.
///   points   m, in the shape's frame; 4 .. 65535; those within TAC_TOL_FLAT of the hull of the others may be left out
/// Returns the index for tac_shape.data, or TAC_E_ARG if a pointer is NULL, a value is not finite, the points are flat, a
/// table is full, or there are more than TAC_MAX_HULL_POINTS corners (what is in use does not change then). Until corners
/// are left out, the tables need room for the faces and edges of the hull of all points. Cost: points times edges.
/// This and the next two: what is not in use of the tables is where they work, and is cleared. With TAC_CONVEX 0 they
/// return TAC_E_ARG.
int32_t tac_model_add_hull(tac_model *model, const tac_vec3 *points, uint32_t count);

/// Triangles become a polyhedron for shapes of kind TAC_MESH: a surface with a solid side below it.
///   points     m, in the shape's frame; >= 3
///   triangle   three indices each, counter-clockwise when seen from outside; triangles that share an edge name the same two
///              points; an edge may have two triangles at most
/// Returns the index for tac_shape.data, or TAC_E_ARG if a pointer is NULL, an index is out of range, a value is not finite, a
/// triangle has no area, an edge has more than two triangles or two that run the same way, or a table is full (what is in
/// use does not change then). Cost: triangles squared for the edges, triangles log triangles for the tree.
int32_t tac_model_add_mesh(tac_model *model, const tac_vec3 *points, uint32_t count, const uint16_t (*triangle)[3],
                           uint32_t triangles);

/// Samples become terrain for shapes of kind TAC_FIELD, see tac_field.
///   samples    columns * rows of them, row by row
///   columns, rows   >= 2
///   dx, dy     m, distance of samples along x and y, > 0
///   scale      m, height of one unit of the samples, > 0
/// Returns the index for tac_shape.data, or TAC_E_ARG if a pointer is NULL, a value is out of range or not finite, or a table
/// is full (nothing changes then). Cost: samples.
int32_t tac_model_add_field(tac_model *model, const tac_height *samples, uint16_t columns, uint16_t rows, tac_real dx,
                            tac_real dy, tac_real scale);

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

/// Check every field. Returns TAC_OK, or TAC_E_ARG (NULL) / TAC_E_NAN / TAC_E_MODEL with the first bad field in `fault`.
///   fault    written whole; may be NULL
/// The hash is not looked at: tac_state_init() does that. A model that passes is one that the step can trust, wherever it
/// comes from. Cost: linear in the model, but points times faces for a hull, and a search for each triangle of a mesh.
tac_status tac_model_check(const tac_model *model, tac_fault *fault);

/// The hash of a model's values (32 bit FNV-1a, the same on every target). A model in flash carries it in `hash`.
/// Cost: linear in the model.
uint32_t tac_model_hash(const tac_model *model);

/// Check, then write the hash. To be called after the last change. Returns and reports as tac_model_check().
tac_status tac_model_seal(tac_model *model, tac_fault *fault);

// ----------------------------------------------------------------------------------------------------------- state

/// The initial state of a model: its initial poses and velocities, no impulses, step 0.
///   model    sealed
///   fault    written whole; may be NULL
/// Returns TAC_OK, or as tac_model_check(), or TAC_E_MODEL with TAC_FIELD_HASH if the model is not sealed. On refusal
/// the state is untouched. Cost: linear in the model.
tac_status tac_state_init(const tac_model *model, tac_state *state, tac_fault *fault);

/// Pose of a body's own frame (not its principal frame). A body out of range gives the identity.
tac_pose tac_body_pose(const tac_model *model, const tac_state *state, uint16_t body);

/// Place a body: pose of its own frame, velocity as in tac_twist. The quaternion is normalised; warm-start impulses stay.
/// Returns TAC_OK, TAC_E_ARG (NULL, body out of range or the ground), TAC_E_MODEL (state of another model),
/// TAC_E_NAN (not finite, or a quaternion whose norm is not between 1/2 and 2, exclusive); on refusal the state is untouched. Cost: constant.
tac_status tac_state_set_body(const tac_model *model, tac_state *state, uint16_t body, tac_pose pose, tac_twist twist);

// ------------------------------------------------------------------------------------------------------------ step

/// Advance `state` by one step of model->h.
///   model    sealed; may lie in flash; shared by any number of states
///   state    advanced in place
///   input    held over the step; NULL means nothing acts
///   work     scratch and results (contacts, report); valid until its next use
/// Returns TAC_OK or a sum of TAC_FULL, TAC_UNCONVERGED, TAC_RELAXED (the step is taken); or TAC_E_ARG, TAC_E_MODEL,
/// TAC_E_NAN with work->report.fault (the state is untouched).
/// Cost: C0 bodies + C1 shapes log(shapes) + C2 pairs whose boxes meet + C3 pairs that are close + C4 contacts sweeps. Not for
/// interrupt handlers.
tac_status tac_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work);

/// The same step in slices: begin, any number of sweeps, end; the bits are those of tac_step() if as many sweeps are
/// spent. After begin and after each sweep the impulses lie in their cones, so end may be called when time is out; a
/// step cut short is replayed from work->report.sweeps. begin and sweep leave the state alone.
///   sweeps   at most so many more; never beyond options.max_sweeps in all
/// begin returns TAC_OK or a refusal as tac_step(); sweep returns TAC_OK when the tolerance is met, TAC_UNCONVERGED
/// when more sweeps could be spent or max_sweeps are, TAC_E_ORDER outside a step; end returns as tac_step(), or
/// TAC_E_ORDER outside a step or with another state than begin's.
tac_status tac_step_begin(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work);
tac_status tac_step_sweep(const tac_model *model, tac_work *work, uint32_t sweeps);
tac_status tac_step_end(const tac_model *model, tac_state *state, tac_work *work);

// --------------------------------------------------------------------------------------------------------- queries

/// Kinetic (J) and potential (J, -sum m g.x) energy, linear (N s) and angular momentum (N m s, world frame, about the
/// world's origin) of the dynamic bodies. NULL outputs are skipped. Cost: bodies.
void tac_energy(const tac_model *model, const tac_state *state, tac_real *kinetic, tac_real *potential);
void tac_momentum(const tac_model *model, const tac_state *state, tac_vec3 *linear, tac_vec3 *angular);

/// Do the invariants hold? Counts within capacity, everything finite, quaternions and contact frames orthonormal to
/// rounding, body_a < body_b, every impulse in its cone, report in range. For tests, fuzzers and a product's self-test.
///   work     of the last step of `state`, or NULL
/// Returns TAC_OK, or as tac_step() refuses, with the first violation in `fault` (may be NULL). Cost: linear.
tac_status tac_check(const tac_model *model, const tac_state *state, const tac_work *work, tac_fault *fault);

/// 64 bit FNV-1a of the values of a state (step, poses, velocities, impulses; NaN canonical): the same on every target
/// for the same history. Padding does not count. Cost: linear.
uint64_t tac_hash(const tac_model *model, const tac_state *state);

/// Text for TAC_FIELD_* and TAC_REASON_*; "?" out of range. In flash, never NULL.
const char *tac_field_name(uint32_t field);
const char *tac_reason_name(uint32_t reason);

// ---------------------------------------------------------------------------------------------------- the cone program

#if TAC_SOLVE

#define TAC_PASTE_SOLVE_(f, r, b, w, n, v, x) f##_r##r##_b##b##_w##w##_n##n##_v##v##_x##x
#define TAC_PASTE_SOLVE(f, r, b, w, n, v, x) TAC_PASTE_SOLVE_(f, r, b, w, n, v, x)
#define tac_solve                                                                                                      \
    TAC_PASTE_SOLVE(tac_solve, TAC_REAL_BITS, TAC_MAX_SOLVE_BLOCKS, TAC_MAX_SOLVE_ROWS, TAC_MAX_SOLVE_ENTRIES,         \
                    TAC_MAX_SOLVE_VALUES, TAC_MAX_SOLVE_FACTOR)

/// An empty problem. Cost: constant.
void tac_problem_init(tac_problem *problem);

/// A block without free velocity: semi-axes 1, no friction, lo = hi = 0. RAY and BOX have 1 row, CONE 3, TORSION 4, ROLLING 6,
/// FREE 1 to 6; anything else is found by tac_solve(). Cost: constant.
void tac_problem_block_init(tac_problem_block *block, uint8_t set, uint8_t rows);

/// Add a block, by value; then, in the order of (i, j), the blocks N_ij that are not zero, of both triangles.
///   value    rows_i times rows_j numbers, row by row
/// Returns the index of the new element, or TAC_E_ARG if a pointer is NULL, a table is full or the order is broken (nothing
/// changes then). Cost: constant.
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
/// range, MINRES with sets other than FREE), TAC_E_MODEL (counts, order, sets, N not symmetric or its diagonal not positive),
/// TAC_E_NAN, with the first bad block in report.fault.
/// Cost: max_passes times problem->values multiplications; with least_norm three times that.
tac_status tac_solve(const tac_problem *problem, const tac_solve_options *options, tac_solve_work *work);

#endif

#ifdef __cplusplus
}
#endif

#endif
