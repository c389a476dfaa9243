// SPDX-License-Identifier: MIT
// config.h - every knob of the kernel: default, legal range, cost.
//
// Override a knob on the command line (-DTAC_MAX_BODIES=8) or in a header of your own that TAC_CONFIG_HEADER names
// (-DTAC_CONFIG_HEADER='"my_tactus.h"'). Application and kernel must use the same values: a different precision does
// not link, any other difference is refused as TAC_E_CONFIG, with the knob's name, before anything is written
// (layout.h).
//
// How to compile the kernel, and why. What a pragma can say, the source says too (src/base/real.h), so that an IDE that
// takes no options gives the same bits, except with clang -ffp-contract=fast, which tac_self_test() finds:
//     -std=c99                not gnu99, which contracts; s390x: also -fexcess-precision=fast, else float is computed
//                             in double
//     -ffp-contract=off       products are rounded before they are added; fused, the bits depend on target and compiler
//     -fno-tree-vectorize     gcc's vectoriser fuses in spite of the above (gcc 12, -O2 -mfma, -O3 -march=native)
//     -fno-math-errno         the square root is an instruction, not a call of the C library; the bits are the same
//     -msse2 -mfpmath=sse     on 32 bit x86: x87 computes in 80 bits, an #error
//     no -ffast-math, -Ofast, -ffinite-math-only, -funsafe-math-optimizations, -fassociative-math, -freciprocal-math,
//     -fno-signed-zeros       these change bits and let NaN in: an #error if the compiler reports them by a macro (gcc
//                             all, clang the first three), else found by tac_self_test(). Do not link the application
//                             with them either: -ffast-math at link time flushes subnormal numbers for the whole
//                             program
//
// Several kernels in one program: prefix.h.
//
// RAM is given per object, for float (double takes twice that, except for indices).
#ifndef TACTUS_CONFIG_H
#define TACTUS_CONFIG_H

#ifdef TAC_CONFIG_HEADER
#include TAC_CONFIG_HEADER
#endif

/// Width of tac_real: 32 (float) or 64 (double).
#ifndef TAC_REAL_BITS
#define TAC_REAL_BITS 32
#endif
#if TAC_REAL_BITS != 32 && TAC_REAL_BITS != 64
#error "TAC_REAL_BITS must be 32 or 64"
#endif

/// Bodies, not counting the ground. 1 .. 4000. 100 B in the model, 88 B in the state, 88 B in the work area, each.
#ifndef TAC_MAX_BODIES
#define TAC_MAX_BODIES 16
#endif
#if TAC_MAX_BODIES < 1 || TAC_MAX_BODIES > 4000
#error "TAC_MAX_BODIES must lie in 1 .. 4000"
#endif

/// Shapes, including those of the ground. 2 .. 8000. 56 B in the model, each; 128 B of scratch, shared with the
/// contacts.
#ifndef TAC_MAX_SHAPES
#define TAC_MAX_SHAPES 24
#endif
#if TAC_MAX_SHAPES < 2 || TAC_MAX_SHAPES > 8000
#error "TAC_MAX_SHAPES must lie in 2 .. 8000"
#endif

/// Contact points of one step; the deepest are kept, the others counted. 1 .. 16000. 20 B in the state, 284 B in the
/// work area, each. How many a motion needs: run it once with plenty, on a PC, and read state.contacts_peak.
#ifndef TAC_MAX_CONTACTS
#define TAC_MAX_CONTACTS 32
#endif
#if TAC_MAX_CONTACTS < 1 || TAC_MAX_CONTACTS > 16000
#error "TAC_MAX_CONTACTS must lie in 1 .. 16000"
#endif

/// Joints; 0 leaves them out, code and RAM. 0 .. 4000. 160 B in the model (48 B of it for bushings), 40 B in the state,
/// 24 B in the input, 0.9 KiB in the work area, each.
#ifndef TAC_MAX_JOINTS
#define TAC_MAX_JOINTS 0
#endif
#if TAC_MAX_JOINTS < 0 || TAC_MAX_JOINTS > 4000
#error "TAC_MAX_JOINTS must lie in 0 .. 4000"
#endif

/// Capacity of the sparse factor of Newton's method, for models without joints: 6x6 blocks below its diagonal, one for
/// each pair of dynamic bodies in contact and one for each that elimination adds (a chain or a stack: none, a wall of
/// bricks: about as many again). Stacks, large mass ratios and bodies that slide on each other need it; where a step has
/// no room it is swept. 0 leaves the method out, code (9 KB at -Os, Cortex-M4F) and RAM; 0 .. 60000. 152 B of scratch
/// each, and 166 B for each body. The default is 0 with joints and for one body; else one for two contacts, which a wall
/// of bricks needs.
#ifndef TAC_MAX_FILL
#if TAC_MAX_JOINTS > 0 || TAC_MAX_BODIES == 1
#define TAC_MAX_FILL 0
#else
#define TAC_MAX_FILL ((TAC_MAX_CONTACTS + 1) / 2)
#endif
#endif
#if TAC_MAX_FILL < 0 || TAC_MAX_FILL > 60000
#error "TAC_MAX_FILL must lie in 0 .. 60000"
#endif

/// Rows that are solved while the joints of trees are eliminated: of coordinates with limits, friction, bounded motors
/// or motors with a limited speed; of joints that close trees: loops (the constraints of one joint each, and one of its
/// coordinate), couplings, rods, bushings; and of contacts (three each). A model whose joints alone need more, with three
/// for a contact, or six with TAC_ROLLING, is refused when it is sealed, with the number. Contacts of a step that have no
/// room are swept one by one: slower, and reported as TAC_SWEPT. 3 .. 1000. Each pair of rows 6 B in the work area, less
/// what TAC_MAX_PATH has, each row 54 B, in float. The default has room for 12 contacts, or 8 where TAC_MAX_CONTACTS is
/// no more, and for all joints of a robot with up to 28 or 40.
#ifndef TAC_MAX_REDUCED
#if TAC_MAX_JOINTS >= 40 || (TAC_MAX_JOINTS >= 28 && TAC_MAX_CONTACTS > 8)
#define TAC_MAX_REDUCED 64
#elif TAC_MAX_CONTACTS > 8
#define TAC_MAX_REDUCED (36 + TAC_MAX_JOINTS)
#else
#define TAC_MAX_REDUCED (24 + TAC_MAX_JOINTS)
#endif
#endif
#if TAC_MAX_REDUCED < 3 || TAC_MAX_REDUCED > 1000
#error "TAC_MAX_REDUCED must lie in 3 .. 1000"
#endif

/// Sum over these rows of the number of joint coordinates between the row and the root of its tree, plus six if the
/// root is free. What joints alone need is checked like TAC_MAX_REDUCED. 6 .. 60000. 6 B in the work area, each, in float.
#ifndef TAC_MAX_PATH
#define TAC_MAX_PATH (16 * TAC_MAX_REDUCED)
#endif
#if TAC_MAX_PATH < 6 || TAC_MAX_PATH > 60000
#error "TAC_MAX_PATH must lie in 6 .. 60000"
#endif

/// 1: materials may resist spinning and rolling. 0: no code and memory for it; contacts without resistance are the
/// same to the bit. 8 B in the model for each material and pair, 12 B in the state and 316 B in the work area for each
/// contact; 7 KiB of code (-Os, Cortex-M4F).
#ifndef TAC_ROLLING
#define TAC_ROLLING 0
#endif
#if TAC_ROLLING != 0 && TAC_ROLLING != 1
#error "TAC_ROLLING must be 0 or 1"
#endif

/// 1: joints may be switched on and off in a state, welds hold what they touch, and joints break: types.h,
/// tac_state_set_switch(). 0: no code and memory for it. Needs TAC_MAX_JOINTS. 12 B in the model and 32 B in the state
/// for each joint.
#ifndef TAC_SWITCHES
#define TAC_SWITCHES 0
#endif
#if TAC_SWITCHES != 0 && TAC_SWITCHES != 1
#error "TAC_SWITCHES must be 0 or 1"
#endif
#if TAC_SWITCHES && TAC_MAX_JOINTS == 0
#error "TAC_SWITCHES needs TAC_MAX_JOINTS > 0: the joints that are switched"
#endif

/// 1: friction of a shape may have a direction, and that of a material may depend on the slip: static friction and
/// Stribeck's curve. 0: no code and memory for it; contacts without either are the same to the bit. 20 B in the model
/// for each shape, 8 B for each material and pair, 8 B in the work area for each contact; 4 KiB of code (-Os,
/// Cortex-M4F).
#ifndef TAC_FRICTION_LAWS
#define TAC_FRICTION_LAWS 0
#endif
#if TAC_FRICTION_LAWS != 0 && TAC_FRICTION_LAWS != 1
#error "TAC_FRICTION_LAWS must be 0 or 1"
#endif

/// 1: joints of the kinds TAC_TRANSLATION to TAC_SKATE: coordinates, with limits, motors, friction and springs, of joints
/// that have several, and knife edges. 0: no code and memory for them, and they are refused where a model is sealed.
#ifndef TAC_COORDINATES
#define TAC_COORDINATES 0
#endif
#if TAC_COORDINATES != 0 && TAC_COORDINATES != 1
#error "TAC_COORDINATES must be 0 or 1"
#endif

/// 1: contacts of the same two bodies share their load by least norm, so that impulses depend neither on the solver nor on
/// the history (src/solve/share.h). 0: no code for it. No memory; 2.7 KiB of code (-Os, Cortex-M4F).
#ifndef TAC_SHARED_LOADS
#define TAC_SHARED_LOADS 0
#endif
#if TAC_SHARED_LOADS != 0 && TAC_SHARED_LOADS != 1
#error "TAC_SHARED_LOADS must be 0 or 1"
#endif

/// Materials. 1 .. 250. 20 B in the model, each.
#ifndef TAC_MAX_MATERIALS
#define TAC_MAX_MATERIALS 4
#endif
#if TAC_MAX_MATERIALS < 1 || TAC_MAX_MATERIALS > 250
#error "TAC_MAX_MATERIALS must lie in 1 .. 250"
#endif

/// Entries of the table of coefficients for pairs of materials. 1 .. 250. 20 B in the model, each.
#ifndef TAC_MAX_MATERIAL_PAIRS
#define TAC_MAX_MATERIAL_PAIRS 4
#endif
#if TAC_MAX_MATERIAL_PAIRS < 1 || TAC_MAX_MATERIAL_PAIRS > 250
#error "TAC_MAX_MATERIAL_PAIRS must lie in 1 .. 250"
#endif

/// Pairs of bodies that do not collide. 1 .. 8000. 4 B in the model, each.
#ifndef TAC_MAX_EXCLUSIONS
#define TAC_MAX_EXCLUSIONS 8
#endif
#if TAC_MAX_EXCLUSIONS < 1 || TAC_MAX_EXCLUSIONS > 8000
#error "TAC_MAX_EXCLUSIONS must lie in 1 .. 8000"
#endif

/// 1: all kinds of shapes. 0: half-space, sphere, capsule and box only; the kernel is half as large, and the tables of
/// points, faces and heights shrink to nothing.
#ifndef TAC_CONVEX
#define TAC_CONVEX 1
#endif
#if TAC_CONVEX != 0 && TAC_CONVEX != 1
#error "TAC_CONVEX must be 0 or 1"
#endif
#if !TAC_CONVEX
#undef TAC_MAX_POLYHEDRA
#define TAC_MAX_POLYHEDRA 1
#undef TAC_MAX_POINTS
#define TAC_MAX_POINTS 4
#undef TAC_MAX_FACES
#define TAC_MAX_FACES 4
#undef TAC_MAX_EDGES
#define TAC_MAX_EDGES 12
#undef TAC_MAX_HEIGHT_FIELDS
#define TAC_MAX_HEIGHT_FIELDS 1
#undef TAC_MAX_HEIGHTS
#define TAC_MAX_HEIGHTS 4
#endif

/// Convex hulls and triangle meshes. 1 .. 4000. 40 B in the model, each. Any number of shapes may share one.
#ifndef TAC_MAX_POLYHEDRA
#define TAC_MAX_POLYHEDRA 2
#endif
#if TAC_MAX_POLYHEDRA < 1 || TAC_MAX_POLYHEDRA > 4000
#error "TAC_MAX_POLYHEDRA must lie in 1 .. 4000"
#endif

/// Points of all hulls and meshes together. 4 .. 60000. 12 B in the model, each.
#ifndef TAC_MAX_POINTS
#define TAC_MAX_POINTS 16
#endif
#if TAC_MAX_POINTS < 4 || TAC_MAX_POINTS > 60000
#error "TAC_MAX_POINTS must lie in 4 .. 60000"
#endif

/// Faces of all hulls and meshes together; a hull of n points has at most 2 n - 4. 4 .. 30000. 72 B in the model, each:
/// a plane, and two nodes of a mesh's tree.
#ifndef TAC_MAX_FACES
#define TAC_MAX_FACES 24
#endif
#if TAC_MAX_FACES < 4 || TAC_MAX_FACES > 30000
#error "TAC_MAX_FACES must lie in 4 .. 30000"
#endif

/// Edges of all hulls and meshes together, once for each of the two faces that share them; a hull of n points has at
/// most 6 n - 12. 12 .. 60000. 4 B in the model, each.
#ifndef TAC_MAX_EDGES
#define TAC_MAX_EDGES 72
#endif
#if TAC_MAX_EDGES < 12 || TAC_MAX_EDGES > 60000
#error "TAC_MAX_EDGES must lie in 12 .. 60000"
#endif

/// Points of one convex hull: bounds the search for the farthest one. 4 .. 10000.
#ifndef TAC_MAX_HULL_POINTS
#define TAC_MAX_HULL_POINTS 64
#endif
#if TAC_MAX_HULL_POINTS < 4 || TAC_MAX_HULL_POINTS > 10000
#error "TAC_MAX_HULL_POINTS must lie in 4 .. 10000"
#endif

/// Height fields. 1 .. 250. 28 B in the model, each.
#ifndef TAC_MAX_HEIGHT_FIELDS
#define TAC_MAX_HEIGHT_FIELDS 1
#endif
#if TAC_MAX_HEIGHT_FIELDS < 1 || TAC_MAX_HEIGHT_FIELDS > 250
#error "TAC_MAX_HEIGHT_FIELDS must lie in 1 .. 250"
#endif

/// Samples of all height fields together. 4 .. 16000000. One tac_height in the model, each.
#ifndef TAC_MAX_HEIGHTS
#define TAC_MAX_HEIGHTS 64
#endif
#if TAC_MAX_HEIGHTS < 4 || TAC_MAX_HEIGHTS > 16000000
#error "TAC_MAX_HEIGHTS must lie in 4 .. 16000000"
#endif

/// Type of a sample of a height field: 8 or 16, an integer of so many bits; 0, a tac_real.
#ifndef TAC_HEIGHT_BITS
#define TAC_HEIGHT_BITS 16
#endif
#if TAC_HEIGHT_BITS != 0 && TAC_HEIGHT_BITS != 8 && TAC_HEIGHT_BITS != 16
#error "TAC_HEIGHT_BITS must be 0, 8 or 16"
#endif

/// Inequalities of one implicit body. 1 .. 16; a box needs 6. 44 B in the body, 264 B in tac_implicit_work, each.
#ifndef TAC_MAX_INEQUALITIES
#define TAC_MAX_INEQUALITIES 6
#endif
#if TAC_MAX_INEQUALITIES < 1 || TAC_MAX_INEQUALITIES > 16
#error "TAC_MAX_INEQUALITIES must lie in 1 .. 16"
#endif

/// Surfaces that move over their bodies: belts, turntables, tracks. 0 leaves them out, code and RAM. 0 .. 8000. 40 B in
/// the model and in the work area, each, and 12 B in the work area for each contact (24 B with TAC_ROLLING).
#ifndef TAC_MAX_SURFACES
#define TAC_MAX_SURFACES 0
#endif
#if TAC_MAX_SURFACES < 0 || TAC_MAX_SURFACES > 8000
#error "TAC_MAX_SURFACES must lie in 0 .. 8000"
#endif

/// Wrenches and velocity targets of one input. 1 .. 8000. 40 B in the input, each.
#ifndef TAC_MAX_ACTIONS
#define TAC_MAX_ACTIONS 16
#endif
#if TAC_MAX_ACTIONS < 1 || TAC_MAX_ACTIONS > 8000
#error "TAC_MAX_ACTIONS must lie in 1 .. 8000"
#endif

/// 1: tac_solve() for problems without a world, 18 KiB of code (-Os, Cortex-M4F), half of that for the direct method.
/// 0: its code and types do not exist, and the knobs below have no effect.
#ifndef TAC_SOLVE
#define TAC_SOLVE 0
#endif
#if TAC_SOLVE != 0 && TAC_SOLVE != 1
#error "TAC_SOLVE must be 0 or 1"
#endif

/// Blocks of a problem. 1 .. 16000. 60 B in the problem, 29 B in the work area, each.
#ifndef TAC_MAX_SOLVE_BLOCKS
#define TAC_MAX_SOLVE_BLOCKS 16
#endif
#if TAC_MAX_SOLVE_BLOCKS < 1 || TAC_MAX_SOLVE_BLOCKS > 16000
#error "TAC_MAX_SOLVE_BLOCKS must lie in 1 .. 16000"
#endif

/// Rows of all blocks together. 1 .. 64000. 104 B in the work area, each; 60 B
/// where TAC_MAX_SOLVE_FACTOR is 0.
#ifndef TAC_MAX_SOLVE_ROWS
#define TAC_MAX_SOLVE_ROWS 48
#endif
#if TAC_MAX_SOLVE_ROWS < 1 || TAC_MAX_SOLVE_ROWS > 64000
#error "TAC_MAX_SOLVE_ROWS must lie in 1 .. 64000"
#endif

/// Stored blocks of N, both triangles. 1 .. 4000000. 8 B in the problem, each.
#ifndef TAC_MAX_SOLVE_ENTRIES
#define TAC_MAX_SOLVE_ENTRIES 128
#endif
#if TAC_MAX_SOLVE_ENTRIES < 1 || TAC_MAX_SOLVE_ENTRIES > 4000000
#error "TAC_MAX_SOLVE_ENTRIES must lie in 1 .. 4000000"
#endif

/// Numbers in the stored blocks of N: 9 for a block of 3 x 3. 1 .. 100000000. 4 B in the problem, each.
#ifndef TAC_MAX_SOLVE_VALUES
#define TAC_MAX_SOLVE_VALUES 1152
#endif
#if TAC_MAX_SOLVE_VALUES < 1 || TAC_MAX_SOLVE_VALUES > 100000000
#error "TAC_MAX_SOLVE_VALUES must lie in 1 .. 100000000"
#endif

/// Capacity of each of the two triangles of a factored matrix; a full one of n rows needs n (n - 1) / 2, a sparse one
/// less. 0: the direct method is left out. 0 .. 100000000. 8 B in the work area, each.
#ifndef TAC_MAX_SOLVE_FACTOR
#define TAC_MAX_SOLVE_FACTOR 1128
#endif
#if TAC_MAX_SOLVE_FACTOR < 0 || TAC_MAX_SOLVE_FACTOR > 100000000
#error "TAC_MAX_SOLVE_FACTOR must lie in 0 .. 100000000"
#endif

/// Rows of a linear complementarity problem: tac_lcp_solve(), tac_step_lcp() and tac_accelerations(). A contact takes
/// 2 + directions of them (6 with round cones), a bounded effort of a joint three, a limit one. 0: their code and types do not exist.
/// 0, 6 .. 1000. Each pair of rows 8 B in tac_lcp, each row 40 B.
#ifndef TAC_MAX_LCP
#define TAC_MAX_LCP 0
#endif
#if TAC_MAX_LCP < 0 || TAC_MAX_LCP > 1000
#error "TAC_MAX_LCP must lie in 0 .. 1000"
#endif
#if TAC_MAX_LCP > 0 && TAC_MAX_LCP < 6
#error "TAC_MAX_LCP must be 0 or at least 6: the rows of a contact with four directions"
#endif

/// 1: tac_step_dae(), the smooth integrators of TCE17, for joints and forces without contacts. 0: its code and types do
/// not exist. Needs TAC_MAX_JOINTS and TAC_MAX_FILL. tac_dae has 240 B for each body, 156 B for each joint.
#ifndef TAC_DAE
#define TAC_DAE 0
#endif
#if TAC_DAE != 0 && TAC_DAE != 1
#error "TAC_DAE must be 0 or 1"
#endif
#if TAC_DAE && (TAC_MAX_JOINTS == 0 || TAC_MAX_FILL == 0)
#error "TAC_DAE needs TAC_MAX_JOINTS > 0 and TAC_MAX_FILL > 0: joints, and room for the factor of their matrix"
#endif

#if TAC_DAE
#define TAC_KNOBS_DAE(KNOB) KNOB(TAC_DAE)
#else
#define TAC_KNOBS_DAE(KNOB)
#endif

/// Unknowns of a nonlinear complementarity problem: tac_step_implicit(). A dynamic body in contact takes 6 of them, a
/// contact 3, or 6 if it resists spinning or rolling. 0: its code and types do not exist. 0, 9 .. 1000. Each pair of
/// unknowns 4 B in tac_ncp, each unknown 16 B, each body 180 B, each contact 372 B.
#ifndef TAC_MAX_NCP
#define TAC_MAX_NCP 0
#endif
#if TAC_MAX_NCP < 0 || TAC_MAX_NCP > 1000
#error "TAC_MAX_NCP must lie in 0 .. 1000"
#endif
#if TAC_MAX_NCP > 0 && TAC_MAX_NCP < 9
#error "TAC_MAX_NCP must be 0 or at least 9: the unknowns of a body and a contact"
#endif

/// 1: what a predictor needs beside the step: packed states. 0: its code and types do not exist.
#ifndef TAC_PREDICT
#define TAC_PREDICT 0
#endif
#if TAC_PREDICT != 0 && TAC_PREDICT != 1
#error "TAC_PREDICT must be 0 or 1"
#endif

/// Parameters of a fit (TAC_PREDICT). 1 .. 64. 12 B for each pair of them in tac_fitting.
#ifndef TAC_MAX_FIT
#define TAC_MAX_FIT 6
#endif
#if TAC_MAX_FIT < 1 || TAC_MAX_FIT > 64
#error "TAC_MAX_FIT must lie in 1 .. 64"
#endif

/// Residuals of one section of a fit, 6 for each measured pose. 6 .. 60000. 1 + TAC_MAX_FIT reals of 4 B each in
/// tac_fitting.
#ifndef TAC_MAX_FIT_ROWS
#define TAC_MAX_FIT_ROWS 600
#endif
#if TAC_MAX_FIT_ROWS < 6 || TAC_MAX_FIT_ROWS > 60000
#error "TAC_MAX_FIT_ROWS must lie in 6 .. 60000"
#endif

#if TAC_MAX_SURFACES > 0
#define TAC_KNOBS_SURFACES(KNOB) KNOB(TAC_MAX_SURFACES)
#else
#define TAC_KNOBS_SURFACES(KNOB)
#endif

#if TAC_MAX_LCP > 0
#define TAC_KNOBS_LCP(KNOB) KNOB(TAC_MAX_LCP)
#else
#define TAC_KNOBS_LCP(KNOB)
#endif

#if TAC_MAX_NCP > 0
#define TAC_KNOBS_NCP(KNOB) KNOB(TAC_MAX_NCP)
#else
#define TAC_KNOBS_NCP(KNOB)
#endif

/// Names that are no knobs, but might be taken for some: singulars, TAC_MAX_ left out or put in front, other words for
/// the precision. A compiler ignores other macros, so a name that is misspelt in another way has no effect.
#if defined(TAC_FLOAT) || defined(TAC_DOUBLE) || defined(TAC_SINGLE) || defined(TAC_REAL) || defined(TAC_REAL_BIT) ||  \
    defined(TAC_BITS) || defined(TAC_PRECISION) || defined(TAC_FLOAT_BITS) || defined(TAC_MAX_BODY) ||                 \
    defined(TAC_BODIES) || defined(TAC_MAX_SHAPE) || defined(TAC_SHAPES) || defined(TAC_MAX_CONTACT) ||                \
    defined(TAC_CONTACTS) || defined(TAC_FILL) || defined(TAC_MAX_JOINT) || defined(TAC_JOINTS) ||                     \
    defined(TAC_REDUCED) || defined(TAC_PATH) || defined(TAC_MAX_ROLLING) || defined(TAC_MAX_MATERIAL) ||              \
    defined(TAC_FIT) || defined(TAC_FIT_ROWS) || defined(TAC_MAX_FIT_ROW) ||                                           \
    defined(TAC_MATERIALS) || defined(TAC_MAX_MATERIAL_PAIR) || defined(TAC_MATERIAL_PAIRS) ||                         \
    defined(TAC_MAX_EXCLUSION) || defined(TAC_EXCLUSIONS) || defined(TAC_MAX_CONVEX) || defined(TAC_MAX_POLYHEDRON) || \
    defined(TAC_POLYHEDRA) || defined(TAC_MAX_POINT) || defined(TAC_POINTS) || defined(TAC_MAX_FACE) ||                \
    defined(TAC_FACES) || defined(TAC_MAX_EDGE) || defined(TAC_EDGES) || defined(TAC_MAX_HULL_POINT) ||                \
    defined(TAC_HULL_POINTS) || defined(TAC_MAX_HEIGHT_FIELD) || defined(TAC_HEIGHT_FIELDS) ||                         \
    defined(TAC_MAX_HEIGHT) || defined(TAC_HEIGHTS) || defined(TAC_MAX_HEIGHT_BITS) || defined(TAC_MAX_INEQUALITY) ||  \
    defined(TAC_INEQUALITIES) || defined(TAC_MAX_ACTION) || defined(TAC_ACTIONS) || defined(TAC_MAX_SOLVE) ||          \
    defined(TAC_MAX_SOLVE_BLOCK) || defined(TAC_SOLVE_BLOCKS) || defined(TAC_MAX_SOLVE_ROW) ||                         \
    defined(TAC_SOLVE_ROWS) || defined(TAC_MAX_SOLVE_ENTRY) || defined(TAC_SOLVE_ENTRIES) ||                           \
    defined(TAC_MAX_SOLVE_VALUE) || defined(TAC_SOLVE_VALUES) || defined(TAC_SOLVE_FACTOR) || defined(TAC_LCP) ||      \
    defined(TAC_MAX_DAE) || defined(TAC_NCP) || defined(TAC_SURFACES) || defined(TAC_MAX_SURFACE) ||                   \
    defined(TAC_SWITCH) || defined(TAC_MAX_SWITCHES) || defined(TAC_FRICTION) || defined(TAC_FRICTION_LAW) ||          \
    defined(TAC_COORDINATE) || defined(TAC_MAX_COORDINATES)
#error "a macro TAC_* that is no knob is defined; its name is nearly that of one: see the list in config.h"
#endif

/// All knobs, in their order: application and kernel compare them.
#define TAC_KNOBS(KNOB)                                                                                                \
    KNOB(TAC_REAL_BITS) KNOB(TAC_MAX_BODIES) KNOB(TAC_MAX_SHAPES) KNOB(TAC_MAX_CONTACTS) KNOB(TAC_MAX_FILL)            \
    KNOB(TAC_MAX_JOINTS) KNOB(TAC_MAX_REDUCED) KNOB(TAC_MAX_PATH) KNOB(TAC_ROLLING) KNOB(TAC_MAX_MATERIALS)            \
    KNOB(TAC_MAX_MATERIAL_PAIRS) KNOB(TAC_MAX_EXCLUSIONS) KNOB(TAC_CONVEX) KNOB(TAC_MAX_POLYHEDRA)                     \
    KNOB(TAC_MAX_POINTS) KNOB(TAC_MAX_FACES) KNOB(TAC_MAX_EDGES) KNOB(TAC_MAX_HULL_POINTS) KNOB(TAC_MAX_HEIGHT_FIELDS) \
    KNOB(TAC_MAX_HEIGHTS) KNOB(TAC_HEIGHT_BITS) KNOB(TAC_MAX_INEQUALITIES) KNOB(TAC_MAX_ACTIONS) KNOB(TAC_PREDICT)     \
    KNOB(TAC_MAX_FIT) KNOB(TAC_MAX_FIT_ROWS) KNOB(TAC_SOLVE) KNOB(TAC_MAX_SOLVE_BLOCKS) KNOB(TAC_MAX_SOLVE_ROWS)       \
    KNOB(TAC_MAX_SOLVE_ENTRIES) KNOB(TAC_MAX_SOLVE_VALUES) KNOB(TAC_MAX_SOLVE_FACTOR)                                  \
    KNOB(TAC_SWITCHES) KNOB(TAC_FRICTION_LAWS) KNOB(TAC_COORDINATES) KNOB(TAC_SHARED_LOADS)                            \
    TAC_KNOBS_LCP(KNOB) TAC_KNOBS_NCP(KNOB) TAC_KNOBS_DAE(KNOB) TAC_KNOBS_SURFACES(KNOB)

#endif
