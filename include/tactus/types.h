// SPDX-License-Identifier: MIT
// types.h - the four structs: tac_model (what the world is), tac_state (what it does now), tac_input (what acts on it
// during one step), tac_work (scratch and results of one step). No pointers in them: a copy is a copy, sizeof is the
// memory bound. SI units. World frame by default; `_b` is the body's principal frame.
#ifndef TACTUS_TYPES_H
#define TACTUS_TYPES_H

#include "tactus/config.h"
#include <stdint.h>

#if TAC_REAL_BITS == 32
typedef float tac_real;
#else
typedef double tac_real;
#endif

typedef struct tac_vec3 {
    tac_real x, y, z;
} tac_vec3;

/// Unit quaternion; rotates body vectors into the world frame.
typedef struct tac_quat {
    tac_real w, x, y, z;
} tac_quat;

/// No such index.
#define TAC_NONE UINT16_MAX

/// Symmetric 3x3 matrix.
typedef struct tac_sym3 {
    tac_real xx, xy, xz, yy, yz, zz;
} tac_sym3;

typedef struct tac_pose {
    tac_vec3 p; ///< m
    tac_quat q; ///< 1   unit
} tac_pose;

/// Velocity of a body as in NST17 and TCE17: linear in the world frame, angular in the body's principal frame.
typedef struct tac_twist {
    tac_vec3 v; ///< m/s     of the centre of mass
    tac_vec3 w; ///< rad/s   principal frame
} tac_twist;

// ---------------------------------------------------------------------------------------------------------- status

/// 0: good. > 0: the step is done but saturated (a sum of the flags). < 0: refused, and nothing has changed.
typedef int32_t tac_status;
enum {
    TAC_OK = 0,
    TAC_FULL = 1,        ///< contacts found no room; the deepest were kept, the rest counted in report.dropped
    TAC_UNCONVERGED = 2, ///< max_sweeps were spent before the tolerance was met
    TAC_RELAXED = 4,     ///< the exact friction law made no progress; this step used the relaxed one
    TAC_DEEP = 8,        ///< implicit bodies overlap deeply: depth and normal are a local answer, others may be shallower
    TAC_SWEPT = 16,      ///< TAC_SOLVER_DIRECT had no room (TAC_MAX_FILL) or made no progress; this step used sweeps
    TAC_E_ARG = -1,      ///< NULL, an index or a count out of range
    TAC_E_MODEL = -2,    ///< the model fails its check, or the state belongs to another model
    TAC_E_NAN = -3,      ///< state or input is not finite, or the result would not be: the last good state stays
    TAC_E_ORDER = -4     ///< slices of a step called out of order, or end with another state than begin
};

/// The field that a refused call complains about. tac_field_name() gives its text.
enum {
    TAC_FIELD_NONE,
    TAC_FIELD_POINTER,
    TAC_FIELD_COUNT,
    TAC_FIELD_HASH,
    TAC_FIELD_H,
    TAC_FIELD_GRAVITY,
    TAC_FIELD_OPTIONS,
    TAC_FIELD_BODY_KIND,
    TAC_FIELD_MASS,
    TAC_FIELD_INERTIA,
    TAC_FIELD_INERTIAL,
    TAC_FIELD_POSE,
    TAC_FIELD_VELOCITY,
    TAC_FIELD_SHAPE_KIND,
    TAC_FIELD_SHAPE_BODY,
    TAC_FIELD_SHAPE_POSE,
    TAC_FIELD_SIZE,
    TAC_FIELD_ROUNDING,
    TAC_FIELD_DATA,
    TAC_FIELD_SHAPE_MATERIAL,
    TAC_FIELD_FRICTION,
    TAC_FIELD_RESTITUTION,
    TAC_FIELD_RULE,
    TAC_FIELD_MATERIAL_PAIR,
    TAC_FIELD_EXCLUSION,
    TAC_FIELD_POLYHEDRON,
    TAC_FIELD_POINT,
    TAC_FIELD_FACE,
    TAC_FIELD_EDGE,
    TAC_FIELD_NODE,
    TAC_FIELD_TERRAIN,
    TAC_FIELD_HEIGHT,
    TAC_FIELD_ACTION_BODY,
    TAC_FIELD_ACTION_KIND,
    TAC_FIELD_ACTION,
    TAC_FIELD_CARRY,
    TAC_FIELD_CONTACT,
    TAC_FIELD_IMPULSE,
    TAC_FIELD_RESULT,
    TAC_FIELDS
};

/// Why. tac_reason_name() gives its text.
enum {
    TAC_REASON_NONE,
    TAC_REASON_NULL,         ///< a pointer is NULL
    TAC_REASON_RANGE,        ///< out of its legal range
    TAC_REASON_NOT_FINITE,   ///< NaN or infinite
    TAC_REASON_NOT_POSITIVE, ///< must be > 0
    TAC_REASON_NOT_UNIT,     ///< a quaternion whose norm is not 1
    TAC_REASON_TRIANGLE,     ///< principal inertia that no mass distribution has (one exceeds the sum of the others)
    TAC_REASON_MISMATCH,     ///< hash or step of another model or state
    TAC_REASON_FULL,         ///< the table has no room
    TAC_REASON_MOVING,       ///< a half-space, mesh or field on a dynamic body
    TAC_REASON_GROUND,       ///< body 0 is the ground and must be static, no other body may be
    TAC_REASON_ORDER,        ///< begin, sweep, end called in another order
    TAC_REASON_KIND,         ///< a hull's shape names a mesh, or a mesh's a hull
    TAC_REASON_OUTSIDE,      ///< a point, height or box outside the bounds that hold it
    TAC_REASON_PLANE,        ///< corners are off their face's plane or not convex, or a hull reaches above it
    TAC_REASON_OPEN,         ///< an edge that does not run back on the face across it, or a hull that is not closed
    TAC_REASON_TREE,         ///< a tree that is none, or does not hold every triangle
    TAC_REASONS
};

/// The first bad field: what it is, which element of its array, what is wrong.
typedef struct tac_fault {
    uint16_t field;  ///< TAC_FIELD_*
    uint16_t index;  ///< element of the array that the field is in, 0 if it is in none. TAC_FIELD_POINTER: 0 model, 1 state.
                     ///< TAC_FIELD_COUNT: 0 bodies, 1 shapes, 2 materials, 3 material pairs, 4 warm impulses, 5 actions,
                     ///< 6 exclusions, 7 polyhedra (or any of these with TAC_CONVEX 0), 8 points, 9 faces, 10 edges, 11 fields,
                     ///< 12 heights. TAC_FIELD_POINT, _FACE, _EDGE: in the whole table;
                     ///< TAC_FIELD_NODE: the polyhedron; TAC_FIELD_TERRAIN, _HEIGHT: the field
    uint32_t reason; ///< TAC_REASON_*
} tac_fault;

// ----------------------------------------------------------------------------------------------------------- model

/// Default marker: the kernel derives the value from the scale of the problem, see each field.
#define TAC_AUTO ((tac_real)-1)

enum { TAC_STATIC, TAC_DYNAMIC, TAC_KINEMATIC };

/// A rigid body. Body 0 is the ground, static; no other body is.
typedef struct tac_body {
    tac_real mass;      ///< kg      > 0 if dynamic; ignored otherwise
    tac_vec3 inertia;   ///< kg m2   principal moments, > 0, each at most the sum of the others
    tac_pose inertial;  ///<         principal frame (origin: centre of mass) in the body's own frame
    tac_pose pose;      ///<         initial pose of the body's own frame in the world
    tac_twist velocity; ///<         initial velocity; of a kinematic body: what it moves with unless the input says otherwise
    uint8_t kind;       ///<         TAC_STATIC, TAC_DYNAMIC, TAC_KINEMATIC
} tac_body;

/// What `size` means: see the names. Sizes are in metres and > 0.
enum {
    TAC_HALF_SPACE, ///< all points with z <= 0 of the shape's frame; size unused; not on dynamic bodies
    TAC_SPHERE,     ///< size.x radius
    TAC_CAPSULE,    ///< size.x radius, size.z half length of the axis segment, along z of the shape's frame
    TAC_BOX,        ///< size half lengths along x, y, z of the shape's frame
    TAC_CYLINDER,   ///< size.x radius, size.z half length, along z of the shape's frame
    TAC_CONE,       ///< size.x radius of the base, size.z half height: base at -size.z, apex at +size.z of the shape's frame
    TAC_ELLIPSOID,  ///< size half axes along x, y, z of the shape's frame
    TAC_HULL,       ///< convex hull, `data` its index in polyhedron[]; size unused
    TAC_MESH,       ///< triangles, solid below them, `data` their index in polyhedron[]; size unused; not on dynamic bodies
    TAC_FIELD,      ///< terrain, solid below it, `data` its index in field[]; size unused; not on dynamic bodies
    TAC_SHAPE_KINDS
};

/// A collision shape, fixed to a body. Two shapes collide if they are on different bodies, one of them dynamic, that are
/// not excluded from each other, and if the group of each has a bit in the mask of the other.
typedef struct tac_shape {
    tac_pose pose;     ///<     in the body's own frame (not the principal frame)
    tac_vec3 size;     ///< m   see the kinds
    tac_real rounding; ///< m   radius of a ball that is swept over the shape (TCE17 section 5), >= 0; 0 for what is solid without end
    uint16_t body;     ///<     index of its body, < bodies
    uint16_t group;    ///<     bits: what it is
    uint16_t mask;     ///<     bits: what it meets
    uint16_t data;     ///<     hull, mesh or field: its index
    uint8_t kind;      ///<     TAC_HALF_SPACE ...
    uint8_t material;  ///<     < materials
} tac_shape;

/// How two coefficients become one. Where two materials name different rules, the later in this list counts.
enum { TAC_RULE_AVERAGE, TAC_RULE_GEOMETRIC, TAC_RULE_MULTIPLY, TAC_RULE_MIN, TAC_RULE_MAX, TAC_RULES };

typedef struct tac_material {
    tac_real friction;        ///< 1   Coulomb coefficient mu, 0 .. 1e6
    tac_real restitution;     ///< 1   Newton's coefficient, 0 .. 1
    uint8_t friction_rule;    ///<     TAC_RULE_*
    uint8_t restitution_rule; ///<     TAC_RULE_*
} tac_material;

/// Overrides the rules for one pair of materials, in either order.
typedef struct tac_material_pair {
    tac_real friction;    ///< 1   0 .. 1e6
    tac_real restitution; ///< 1   0 .. 1
    uint8_t a, b;         ///<     < materials
} tac_material_pair;

enum {
    TAC_SOLVER_ACCELERATED, ///< block Gauss-Seidel, inner projected steps, Nesterov momentum over sweeps, best iterate kept
    TAC_SOLVER_PLAIN,       ///< projected Gauss-Seidel / SOR of the papers (TCE17 section 8, Tasora and Anitescu 2011)
    TAC_SOLVER_DIRECT       ///< Newton's method on a factored matrix of all bodies: stacks, large ratios of mass; needs TAC_MAX_FILL
};
enum {
    TAC_FRICTION_EXACT,  ///< Coulomb's law: the De Saxce term mu |v_T| is added to the normal row
    TAC_FRICTION_RELAXED ///< the papers' convex law: a contact sliding at v_T rides at a gap h mu |v_T| (NST17 section 3)
};

/// Two bodies that do not collide.
typedef struct tac_exclusion {
    uint16_t a, b; ///< < bodies
} tac_exclusion;

/// Face of a hull or of a mesh (there a triangle): its corners run counter-clockwise when seen from outside.
typedef struct tac_face {
    tac_vec3 n;     ///< 1   unit, outwards
    tac_real d;     ///< m   n.x = d on the face
    uint16_t first; ///<     of its edges in edge[], from the polyhedron's first edge
    uint16_t edges; ///<     >= 3; a triangle of a mesh: 3
} tac_face;

/// Edge of a face, from `point` to that of the next edge.
typedef struct tac_edge {
    uint16_t point;  ///< from the polyhedron's first point
    uint16_t across; ///< the face on its other side, from the polyhedron's first face; TAC_NONE at the rim of a mesh
} tac_edge;

/// Node of a tree of boxes, in preorder: a node, its first child's tree, its second child's tree.
typedef struct tac_node {
    tac_vec3 low, high; ///< m
    uint16_t leaf;      ///<     what it is that the box holds; TAC_NONE for a node with children
    uint16_t skip;      ///<     index of the next node that is not below this one
} tac_node;

/// Convex hull or triangle mesh: its part of the tables, in the shape's frame. Made by tac_model_add_hull() and _mesh().
typedef struct tac_polyhedron {
    tac_vec3 low, high;            ///< m   of its points
    uint16_t first_point, points;  ///<     in point[]
    uint16_t first_face, faces;    ///<     in face[]; the tree of a mesh begins at node[2 first_face], 2 faces - 1 nodes
    uint16_t first_edge, edges;    ///<     in edge[]
    uint16_t convex;               ///<     1 a hull, 0 a mesh
    uint16_t spare;                ///<     0
} tac_polyhedron;

#if TAC_HEIGHT_BITS == 8
typedef int8_t tac_height;
#elif TAC_HEIGHT_BITS == 16
typedef int16_t tac_height;
#else
typedef tac_real tac_height;
#endif

/// Terrain: sample (i,j) stands at (i dx, j dy, scale height) of the shape's frame; height[first + i + columns j]. Each
/// cell is two triangles that share the edge from (i,j) to (i+1,j+1). Made by tac_model_add_field().
typedef struct tac_field {
    tac_real dx, dy;        ///< m   > 0
    tac_real scale;         ///< m   of one unit of the samples, > 0
    tac_real low, high;     ///< m   of its samples
    uint32_t first;         ///<     in height[]
    uint16_t columns, rows; ///<     of samples, >= 2
} tac_field;

/// Options of the step. tac_model_init() sets the defaults in [].
typedef struct tac_options {
    tac_real tolerance;  ///< 1     [AUTO] stop when a sweep moves less than this part of what the first one had to, or
                         ///<       less than rounding does; 0: only then; AUTO: 1e-6 float, 1e-10 double
    tac_real omega;      ///< 1     [1] relaxation of TAC_SOLVER_PLAIN, 0 < omega < 2
    tac_real lambda;     ///< 1     [1] averaging of TAC_SOLVER_PLAIN, 0 < lambda <= 1
    tac_real recovery;   ///< m/s   [0] fastest separation that an overlap may cause (TCE17 footnote 5): a velocity, and it stays
    tac_real projection; ///< 1     [0.1] part of an overlap that a step takes back by moving poses, without velocity, 0 .. 1
    tac_real margin;     ///< m     [AUTO] distance below which a resting pair is in contact; AUTO: 2 % of the smaller shape
    tac_real bounce;     ///< m/s   [AUTO] approach speed below which restitution is off; AUTO: 2 |gravity| h
    uint16_t max_sweeps; ///<       [50] most solver sweeps in a step, 1 .. 10000; a sweep of TAC_SOLVER_DIRECT is one Newton step
    uint8_t solver;      ///<       [ACCELERATED] TAC_SOLVER_*
    uint8_t friction;    ///<       [EXACT] TAC_FRICTION_*
    uint8_t warm_start;  ///<       [1] start from the impulses of the last step: 0 no, 1 yes
} tac_options;

/// What the world is. Built with tac_model_add_*() in RAM or written as a constant for flash; sealed by tac_model_seal().
typedef struct tac_model {
    uint32_t hash;           ///<        of all below, by tac_model_seal(); the state carries it
    uint16_t bodies;         ///<        in use, ground included, >= 1
    uint16_t shapes;         ///<        in use
    uint16_t materials;      ///<        in use, >= 1 if there are shapes
    uint16_t material_pairs; ///<        in use
    uint16_t exclusions;     ///<        in use
    uint16_t polyhedra;      ///<        in use
    uint16_t points;         ///<        in use
    uint16_t faces;          ///<        in use
    uint16_t edges;          ///<        in use
    uint16_t fields;         ///<        in use
    uint32_t heights;        ///<        in use
    tac_real h;              ///< s      step, > 0
    tac_vec3 gravity;        ///< m/s2
    tac_options options;
    tac_body body[TAC_MAX_BODIES + 1];
    tac_shape shape[TAC_MAX_SHAPES];
    tac_material material[TAC_MAX_MATERIALS];
    tac_material_pair material_pair[TAC_MAX_MATERIAL_PAIRS];
    tac_exclusion exclusion[TAC_MAX_EXCLUSIONS];
    tac_polyhedron polyhedron[TAC_MAX_POLYHEDRA]; // this and what follows: shapes' data
    tac_vec3 point[TAC_MAX_POINTS];
    tac_face face[TAC_MAX_FACES];
    tac_edge edge[TAC_MAX_EDGES];
    tac_node node[2 * TAC_MAX_FACES];
    tac_field field[TAC_MAX_FIELDS];
    tac_height height[TAC_MAX_HEIGHTS];
} tac_model;

// ----------------------------------------------------------------------------------------------------------- state

/// Identity of a contact point over time: two shapes and the features (faces, edges, vertices) that make it.
typedef struct tac_feature {
    uint16_t shape_a, shape_b; ///< shape_a is on the body of lower index
    uint32_t feature;          ///< opaque; equal as long as the same features meet
} tac_feature;

/// Impulse of a contact at the end of the last step, in the world frame, from a to b.
typedef struct tac_warm {
    tac_feature id;
    tac_vec3 impulse; ///< N s
} tac_warm;

/// What rounding has left over: position and velocity are the sums of what pose and twist show and of this (compensated
/// summation). In float at 1 kHz a step adds 1e-5 of a velocity; without this its last digits would be lost each time.
typedef struct tac_carry {
    tac_vec3 p; ///< m
    tac_vec3 v; ///< m/s
    tac_vec3 w; ///< rad/s
} tac_carry;

/// What the world does now. Written by tac_step() only; a copy is a snapshot.
typedef struct tac_state {
    uint64_t step;          ///< steps taken since tac_state_init(); time is step h
    uint32_t model_hash;    ///< of the model that it belongs to
    uint16_t warm_count;    ///< in use of warm[]
    uint16_t contacts_peak; ///< most contacts of any step since tac_state_init(), dropped ones included; size your config by it
    tac_pose pose[TAC_MAX_BODIES + 1];   ///< of the principal frames
    tac_twist twist[TAC_MAX_BODIES + 1];
    tac_carry carry[TAC_MAX_BODIES + 1];
    tac_warm warm[TAC_MAX_CONTACTS];     ///< sorted as the contacts were
} tac_state;

// ----------------------------------------------------------------------------------------------------------- input

enum {
    TAC_WRENCH_WORLD, ///< force and torque in the world frame; point in the world frame, relative to the centre of mass
    TAC_WRENCH_BODY,  ///< force, torque and point in the principal frame
    TAC_VELOCITY,     ///< kinematic bodies only: linear velocity (world), angular velocity (principal frame)
    TAC_ACTION_KINDS
};

/// One wrench or velocity target, held over the step. Several wrenches on one body add up; of several targets the last counts.
typedef struct tac_action {
    tac_vec3 linear;  ///< N     or m/s
    tac_vec3 angular; ///< N m   or rad/s
    tac_vec3 point;   ///< m     where the force acts; (0,0,0) is the centre of mass
    uint16_t body;    ///<       1 .. bodies-1
    uint16_t kind;    ///<       TAC_WRENCH_WORLD ...
} tac_action;

typedef struct tac_input {
    uint16_t actions; ///< in use
    tac_action action[TAC_MAX_ACTIONS];
} tac_input;

// ------------------------------------------------------------------------------------------------------------ work

enum { TAC_OPEN, TAC_STICK, TAC_SLIDE };

/// One contact, as the last step left it. Valid until the next step that uses this work area.
typedef struct tac_contact {
    tac_feature id;
    uint16_t body_a, body_b; ///<       body_a < body_b; 0 is the ground
    uint8_t mode;            ///<       TAC_OPEN (no impulse), TAC_STICK (inside its cone), TAC_SLIDE (on it)
    tac_vec3 point;          ///< m     midway between the surfaces
    tac_vec3 n, u, w;        ///< 1     orthonormal; n points from a to b
    tac_real gap;            ///< m     at the start of the step; negative when they overlap
    tac_real mu;             ///< 1     combined Coulomb coefficient
    tac_real restitution;    ///< 1     combined Newton coefficient
    tac_vec3 impulse;        ///< N s   on b, in (n,u,w); over the whole step
    tac_vec3 velocity;       ///< m/s   of b relative to a, in (n,u,w), at the end of the step
} tac_contact;

/// What a step did. Written in full by every step, whatever it returns.
typedef struct tac_report {
    tac_status status;    ///<       what the step returned
    tac_fault fault;      ///<       if refused: why
    uint16_t contacts;    ///<       in use, <= TAC_MAX_CONTACTS
    uint16_t dropped;     ///<       contacts that found no room; the deepest are kept
    uint16_t sweeps;      ///<       solver sweeps spent, <= max_sweeps; tac_step_sweep() with it replays the step to the bit
    uint8_t friction;     ///<       law of the answer: TAC_FRICTION_*
    tac_real residual;    ///< 1     natural-map residual resS of the answer under that law, relative to |p|: src/solve/README.md
    tac_real penetration; ///< m     deepest overlap at the start of the step, >= 0
    tac_real kinetic;     ///< J     at the end of the step
    tac_real potential;   ///< J     at the end of the step: -sum m g.x
} tac_report;

// --------------------------------------------------------------------------------------------------------- queries

/// A ray, or a ball on a straight way.
typedef struct tac_ray {
    tac_vec3 origin;    ///< m   where it starts: the centre of the ball
    tac_vec3 direction; ///< 1   of any length but 0
    tac_real range;     ///< m   how far it goes, >= 0
    tac_real radius;    ///< m   of the ball, >= 0; 0 a ray
    uint16_t body;      ///<     a body that it does not see, TAC_NONE if it sees all
    uint16_t group;     ///<     bits: what it is; as in tac_shape: it meets shapes if the group of each has a bit in the
    uint16_t mask;      ///<     bits: what it meets                  mask of the other
} tac_ray;

/// What a ray meets first. If it meets nothing: shape and body TAC_NONE, distance its range, point its end, n (0,0,0).
typedef struct tac_hit {
    tac_real distance; ///< m   from the origin, along the direction; 0 if it starts in a shape
    tac_vec3 point;    ///< m   of the shape's surface
    tac_vec3 n;        ///< 1   unit, normal of the surface, against the ray; if it starts in a shape: the shortest way out
    uint16_t shape;    ///<     its index
    uint16_t body;     ///<     its body
} tac_hit;

/// Where two bodies are nearest. If they have no two shapes that have a distance: shapes TAC_NONE, gap the largest number.
typedef struct tac_nearest {
    tac_real gap;              ///< m   negative when they overlap
    tac_vec3 a, b;             ///< m   of the surface of the first body, of the second
    tac_vec3 n;                ///< 1   unit, from a to b when they are apart; the shortest way out for b when they overlap
    uint16_t shape_a, shape_b; ///<     of the first body, of the second
} tac_nearest;

/// Scratch of the solver: one contact's Jacobian in body coordinates and its block of N = D' M^-1 D.
typedef struct tac_block {
    tac_vec3 j[2][3];           ///< m       angular part of D for a and b, rows n, u, w; linear part is (n,u,w) itself
    tac_sym3 w;                 ///< 1/kg    W = D_i' M^-1 D_i; this and the next three start at zero
    tac_vec3 best;              ///< N s     iterate of least `moved`; the warm impulse before the first sweep
    tac_real push;              ///< kg m/s  multiplier of the position projection
    tac_real delay;             ///< 1       part of the step that passes before a bounce; 0 for a resting contact
    union {
        struct {
            tac_sym3 inv_w;         ///< kg      W^-1
            tac_real step_n, step_t; ///< kg      projected step, normal and tangential
        } sweep;                    ///<         accelerated
        struct {
            tac_vec3 z, dz;  ///< N s     what is projected: the impulse is P_K(z); its change along Newton's step
            tac_real lift;   ///< m/s     De Saxce term mu |u_T|, as last estimated
            tac_real weight; ///< kg      1/R of the proximal term
        } newton;            ///<         direct
    } own;                   ///<         of the solver in force
    tac_vec3 previous;          ///< N s     last iterate, kept by the acceleration
    tac_vec3 bias;              ///< m/s     velocity at the start of the step, plus b of the normal row
    tac_real target;            ///< m/s     b alone
} tac_block;

/// Most contact points that one pair of shapes may have before they are thinned out: those kept of a surface so far, and
/// those of one more of its triangles.
#define TAC_PAIR_POINTS (TAC_CONVEX ? 24 : 8)

/// Most corners of a clipped face.
#define TAC_CLIP_CORNERS (TAC_CONVEX ? 16 : 8)

/// Most corners of a face that take part in a contact.
#define TAC_SIDE_CORNERS 8

/// Most corners of the polytope that grows into the difference of two shapes that overlap deeply.
#define TAC_DEEP_POINTS (TAC_CONVEX ? 32 : 4)

/// Scratch: a vector by name and by number of its axis.
typedef union tac_axes {
    tac_vec3 v;
    tac_real k[3];
} tac_axes;

/// Scratch of one pair of shapes: a contact point before it enters the table.
typedef struct tac_point {
    tac_axes at;      ///< m   midway between the surfaces
    tac_vec3 n;       ///< 1   unit, away from the own shape
    tac_real gap;     ///< m
    uint32_t feature; ///<     as in tac_feature
} tac_point;

/// Scratch: corner of a face, or end of a segment, that is being clipped.
typedef struct tac_corner {
    tac_axes x;    ///< m
    uint16_t edge; ///<     label of the edge that leaves the corner
} tac_corner;

/// Scratch: what of a shape looks along a direction: a face, a segment or a point.
typedef struct tac_side {
    tac_vec3 x[TAC_SIDE_CORNERS]; ///< m
    tac_vec3 n;                   ///< 1   its outward normal; of a segment or point, the direction itself
    uint16_t count;               ///<     of corners
    uint16_t name;                ///<     which face of the shape, below 256
} tac_side;

/// Scratch: a shape without the ball that is swept over it.
typedef struct tac_core {
    tac_axes centre;  ///< m
    tac_vec3 axis[3]; ///< 1   unit
    tac_axes half;    ///< m   along its axes; of a sphere 0, of a capsule 0 but along z
    tac_real radius;  ///< m   of the ball
    uint16_t kind;    ///<     TAC_BOX also for sphere, capsule and half-space: boxes of which axes may be 0 or endless
    uint16_t data;    ///<     polyhedron
} tac_core;

/// Scratch: a triangle of a mesh or a field, counter-clockwise when seen from outside.
typedef struct tac_triangle {
    tac_vec3 x[3];      ///< m
    tac_vec3 n;         ///< 1   unit, outwards
    tac_vec3 beyond[3]; ///< m   farthest corner of the triangle across the edge from x[i] to the next
    uint16_t rim;       ///<     bits: edges without a triangle across
    uint16_t index;     ///<     of the triangle, for the names of its points
} tac_triangle;

/// Scratch: the simplex of a search for the nearest points of two cores.
typedef struct tac_simplex {
    tac_vec3 w[4];    ///< m   points of the difference: of the other, shifted, minus of the own
    tac_vec3 x[4];    ///< m   points of the other
    tac_real part[4]; ///< 1   weights of the nearest point to the origin
    int count;
} tac_simplex;

/// Scratch: a facet of the polytope below, counter-clockwise when seen from outside.
typedef struct tac_facet {
    tac_vec3 n;         ///< 1   unit, outwards
    tac_real d;         ///< m   n.w on the facet
    uint8_t corner[4];  ///<     three in use
} tac_facet;

/// Scratch: a polytope inside the difference of two shapes that overlap.
typedef struct tac_polytope {
    tac_vec3 w[TAC_DEEP_POINTS];
    tac_facet facet[2 * TAC_DEEP_POINTS];
    uint8_t edge[2 * TAC_DEEP_POINTS][2]; ///< rim of what a new corner sees
    int points, facets, edges;
} tac_polytope;

/// Scratch of the narrow phase, one pair at a time, in the frame of one of the two: the own shape.
typedef struct tac_pair {
    tac_core own, other;
    tac_triangle triangle; ///<     the own core, when the shape is a mesh or a field
    tac_real thickness;    ///< m   of the thinner shape
    tac_real size;         ///< m   of the difference of the cores: what rounding is relative to
    tac_real margin;       ///< m   gap below which a resting pair is in contact
    tac_real reach;        ///< m   gap up to which points matter
    tac_point point[TAC_PAIR_POINTS];
    tac_point resort;      ///<     of a surface: the point that counts if there is no other
    tac_side side[2];      ///<     of the own shape, of the other
    union {
        tac_corner corner[2][TAC_CLIP_CORNERS + 1]; ///< before and after a clip
        tac_simplex simplex;
        tac_polytope polytope;
    } scratch;
    uint16_t points;                 ///< in use
    uint16_t kept;                   ///< of these, from triangles before this one
    uint16_t own_shape, other_shape; ///< their indices
} tac_pair;

/// Scratch of a cast: a ball on its way, in the frame of the shape that is looked at, and what it has met there.
typedef struct tac_way {
    tac_vec3 o, d;     ///< m   centre at t = 0; direction, of unit length
    tac_real from, to; ///< m   the part of the way that is looked at; `to` falls to where something is met
    tac_real base;     ///< m   what of the way lies before t = 0
    tac_real rounding; ///< m   a gap that is smaller is none
    tac_real t, gap;   ///< m   where the search is, the gap there
    tac_vec3 n;        ///< 1   the normal there, away from the shape
    tac_vec3 clear_n;  ///< 1   the last one that rounding has left alone
    tac_real met_gap;  ///< m   where the shape is met: 0 but for rounding, negative if the ball starts in it
    tac_vec3 met_n;    ///< 1   there
    int32_t met;       ///<     1 if it is, at `to`
} tac_way;

/// Scratch of a search for what is nearest, in the frame of the own shape of a pair.
typedef struct tac_best {
    tac_vec3 own, other; ///< m   points of the cores
    tac_vec3 n;          ///< 1   away from the own one
    tac_real gap;        ///< m   what is not nearer does not count
    int32_t found;       ///<     1 if something was
} tac_best;

/// Scratch of one body: how much an impulse moves it.
typedef struct tac_moving {
    tac_real inv_mass;    ///< 1/kg        0 if not dynamic
    tac_vec3 inv_inertia; ///< 1/(kg m2)   principal
} tac_moving;

/// Scratch of one shape: where it is and how it moves in free motion.
typedef struct tac_placed {
    tac_pose pose;      ///<       world
    tac_vec3 v, w;      ///< m/s   of its origin, rad/s; both in the world frame
    tac_real radius;    ///< m     of the bounding sphere; negative for a half-space
    tac_real thickness; ///< m     smallest half extent
    tac_real speed;     ///< m/s   no point of a bounded shape moves faster
} tac_placed;

/// Scratch of the geometry floor.
typedef struct tac_meeting {
    tac_pair pair;
    tac_placed placed[TAC_MAX_SHAPES];
    union {
        tac_way way;
        struct {
            tac_best best[2];    ///< so far; what may be nearer
            tac_nearest nearest; ///< of two bodies, so far
            tac_placed shape;    ///< one that is none of the model's
        } near;
    } query; ///< query floor
    tac_node node[2 * TAC_MAX_SHAPES]; ///< boxes: tree 0 of shapes of dynamic bodies, tree 1 of all others
    uint16_t tree[3];                  ///< tree k is node[tree[k + 1]] to node[tree[k] - 1]
    uint16_t leaf[TAC_MAX_SHAPES];     ///< where in node[] a shape's box is
    uint16_t near[TAC_MAX_SHAPES];     ///< shapes of higher index whose boxes meet that of the shape being looked at
} tac_meeting;

#if TAC_MAX_FILL > 0
/// Scratch: block (row, column) below the diagonal of a sparse factor; while the order is sought, an edge of the graph.
typedef struct tac_fill {
    tac_real x[6][6];
    uint16_t node[2]; ///< column, row; in any order while the order is sought
    uint16_t next[2]; ///< in the list of each node; in the end, [0] runs down the column
} tac_fill;

/// Scratch: diagonal block of a sparse factor.
typedef struct tac_pivot {
    tac_real x[21];  ///< lower triangle, row by row; the diagonal of a factor inverted
    tac_twist least; ///< no pivot can be smaller but by rounding: the diagonal of M
    uint16_t first;  ///< of its blocks in fill[], TAC_NONE if there are none
    uint16_t degree; ///< neighbours that are not eliminated
    uint16_t place;  ///< in the order of elimination
    uint16_t mark;   ///< scratch of a search: the neighbour that looks, or an index of fill[]
} tac_pivot;

/// Scratch of the direct solver: a symmetric matrix of 6x6 blocks, one row a body, and its factor.
typedef struct tac_sparse {
    tac_pivot pivot[TAC_MAX_BODIES + 1];
    tac_fill fill[TAC_MAX_FILL];
    uint16_t order[TAC_MAX_BODIES + 1]; ///< of elimination: nodes in use
    uint16_t nodes;                     ///< in order[]
    uint16_t fills;                     ///< in fill[]
} tac_sparse;
#endif

/// Progress of the solver between slices.
typedef struct tac_progress {
    tac_real start;     ///< m/s   natural-map residual of zero impulses: the scale of `tolerance`
    tac_real scale;     ///< m/s   |p|: the scale of report.residual
    tac_real moved;     ///< m/s   what the last sweep moved; direct: the natural-map residual after it
    tac_real least;     ///< m/s   smallest `moved` so far, that of the best iterate
    tac_real momentum;  ///< 1     t of Nesterov's sequence
    tac_real beta;      ///< 1     how far the next sweep extrapolates
#if TAC_MAX_FILL > 0
    tac_real proximal;  ///< 1     direct: R of the proximal term, relative to trace(W)/3
    tac_real factored;  ///< 1     direct: `proximal` of the matrix that is factored; 0 if none is
    tac_real centred;   ///< m/s   direct: `moved` before the last outer step
    tac_real halved;    ///< m/s   direct: `least` when it was last halved
    uint16_t idle;      ///<       direct: sweeps since then
#endif
    uint16_t sweeps;    ///<       spent
    uint8_t friction;   ///<       law in force
    uint8_t solver;     ///<       in force
    uint8_t converged;  ///<       1 when the tolerance is met
    uint8_t fell_back;  ///<       1 when the exact law was given up
    uint8_t swept;      ///<       1 when the direct solver was given up
} tac_progress;

/// Scratch and results of one step. May be used for any state of any model of this configuration, one step at a time.
typedef struct tac_work {
    tac_report report;

    // scratch; the small ones come first, within reach of a short offset
    uint32_t open;         ///< marks a step between begin and end
    uint32_t model_hash;   ///< of that step
    uint64_t step;         ///< of that step
    tac_progress progress; ///< solve floor

    tac_contact contact[TAC_MAX_CONTACTS];

    // scratch, by floor
    tac_moving moving[TAC_MAX_BODIES + 1];  ///< step and solve floors, these four; the ground has zeros
    tac_twist gain[TAC_MAX_BODIES + 1];     ///< change of velocity in this step: M^-1 (h f + D g)
    tac_twist previous[TAC_MAX_BODIES + 1]; ///< gain of the last iterate, kept by the acceleration
    tac_twist shift[TAC_MAX_BODIES + 1];    ///< what moves the pose besides the new velocity: src/step/README.md
    union {
        tac_meeting meeting;                ///< geometry floor: gone when the blocks are made
        tac_block block[TAC_MAX_CONTACTS];  ///< rows and solve floors
#if TAC_MAX_FILL > 0
        struct {
            tac_block block[TAC_MAX_CONTACTS];  ///< the same
            tac_twist free[TAC_MAX_BODIES + 1]; ///< M^-1 h f: gain without impulses
            tac_twist step[TAC_MAX_BODIES + 1]; ///< Newton's
            tac_sparse matrix;
        } direct;
#endif
    } scratch;
} tac_work;

// ------------------------------------------------------------------------------------------------- implicit bodies

/// Convex functions f of CBAT07, scaled to be lengths: f <= 0 within, and about the distance near the surface. With
/// (x, y, z) in the frame of the inequality and s = size:
enum {
    TAC_WITHIN_PLANE,          ///< z <= 0; size unused
    TAC_WITHIN_ELLIPSOID,      ///< (x/s.x)^2 + (y/s.y)^2 + (z/s.z)^2 <= 1
    TAC_WITHIN_SUPERELLIPSOID, ///< (x/s.x)^p + (y/s.y)^q + (z/s.z)^r <= 1, p, q, r = power[0..2]
    TAC_WITHIN_CYLINDER,       ///< x^2 + y^2 <= s.x^2, without end along z
    TAC_WITHIN_CONE,           ///< sqrt(x^2 + y^2) / s.x <= -z / s.z: apex at the origin, opens downwards without end
    TAC_INEQUALITY_KINDS
};

/// One inequality f(x) <= 0.
typedef struct tac_inequality {
    tac_pose pose;    ///<     its frame, in the body's frame
    tac_vec3 size;    ///< m   > 0 where the kind uses it
    uint8_t kind;     ///<     TAC_WITHIN_PLANE ...
    uint8_t power[3]; ///<     TAC_WITHIN_SUPERELLIPSOID: each 2, 4, 6 or 8 (powers of other exponents need more than + - * /)
} tac_inequality;

/// A convex body: where all its inequalities hold.
typedef struct tac_implicit {
    tac_vec3 inside; ///< m   a point well inside: every f < 0. It proves that the body is not empty and tells its scale
    uint16_t count;  ///<     inequalities in use, 1 .. TAC_MAX_INEQUALITIES
    tac_inequality f[TAC_MAX_INEQUALITIES];
} tac_implicit;

/// Closest points of two implicit bodies, in the sense of CBAT07 (22): the normals at both are opposite.
typedef struct tac_closest {
    tac_vec3 a1, a2;                   ///< m     world: on body 1, on body 2; a2 - a1 = gap normal
    tac_vec3 normal;                   ///< 1     unit, from 1 to 2
    tac_real gap;                      ///< m     negative when they overlap: then the way out along the normal
    tac_real l1[TAC_MAX_INEQUALITIES]; ///< 1     >= 0:  normal =  sum l1_j grad f_j(a1), gradients of the scaled f
    tac_real l2[TAC_MAX_INEQUALITIES]; ///< 1     >= 0: -normal =  sum l2_k grad g_k(a2)
    tac_real residual;                 ///< 1     largest violation of (22), lengths relative to the thinner body
    uint16_t iterations;               ///<       Newton steps spent, all phases
    uint16_t shifts;                   ///<       closest-point problems solved
} tac_closest;

/// Scratch: one inequality in the frame of body 1, and what it is at the current point.
typedef struct tac_inequality_row {
    tac_vec3 origin, axis[3]; ///< m, 1
    tac_vec3 size;            ///< m
    tac_vec3 gradient;        ///< 1
    tac_sym3 hessian;         ///< 1/m
    tac_real f;               ///< m
    tac_real l, l_old, dl;    ///< multiplier, before the step and the step
    tac_real s, s_old, ds;    ///< m   slack, likewise
    uint8_t kind, power[3];
} tac_inequality_row;

#define TAC_ACTIVE 6                   // most inequalities that Newton's method takes as equations: three a body
#define TAC_SYSTEM (10 + TAC_ACTIVE)

/// Scratch of tac_implicit_closest().
typedef struct tac_implicit_work {
    tac_inequality_row row[2 * TAC_MAX_INEQUALITIES]; ///< body 1, then body 2
    tac_real matrix[TAC_SYSTEM * TAC_SYSTEM], step[TAC_SYSTEM];
    tac_real x[TAC_SYSTEM], old[TAC_SYSTEM]; ///< unknowns, now and before the step
    tac_real way[6];                         ///< direction of the step
    tac_closest best;                        ///< the answer so far, in the frame of body 1
    tac_vec3 inside[2];                      ///< m    in the frame of body 1
    tac_vec3 shift;                          ///< m    by which body 2 is moved for the time being
    tac_real scale;                          ///< m    half thickness of the thinner body
    tac_real least, distance;                ///< m    the gap is at least this; the distance that has shown it
    tac_real round;                          ///< m    by which the apex of a cone is rounded
    tac_real extent;                         ///< 1    how large coordinates are, in units of the scale
    uint16_t rows, first;                    ///<      in use; those of body 1
    uint16_t iterations, shifts;
    uint8_t phase;                           ///<      which problem the rows are for
    uint8_t active[TAC_ACTIVE], part[TAC_ACTIVE], actives; ///< rows taken as equations; 0, or 1..3: axis of an apex
} tac_implicit_work;

#if TAC_SOLVE

// ---------------------------------------------------------------------------------------- the cone program by itself

/// Most rows of a block.
#define TAC_BLOCK_ROWS 6

/// The set C_k of a block's impulse g. With a cone the first row is along the normal; a_i stands for g_i / e_i.
enum {
    TAC_SET_FREE,    ///< 1 .. 6 rows   all: a joint
    TAC_SET_BOX,     ///< 1 row         lo <= g <= hi: a motor, dry friction of a joint
    TAC_SET_RAY,     ///< 1 row         n >= 0: a joint's limit, a contact without friction
    TAC_SET_CONE,    ///< 3 rows        (n,u,w)               |(u,w)| <= mu n: Coulomb
    TAC_SET_TORSION, ///< 4 rows        (n,u,w,r)             |(a_u,a_w,a_r)| <= mu n: CBAT07
    TAC_SET_ROLLING, ///< 6 rows        (n,u,w,r,r_u,r_w)     the same with two rolling rows
    TAC_SETS
};

/// One block of a problem.
typedef struct tac_problem_block {
    tac_real p[TAC_BLOCK_ROWS];     ///< m/s   free velocity, rad/s in angular rows
    tac_real e[TAC_BLOCK_ROWS - 1]; ///< 1, m  TORSION and ROLLING: semi-axes for mu n = 1, > 0
    tac_real mu;                    ///< 1     CONE, TORSION, ROLLING: >= 0
    tac_real lo, hi;                ///< N s   BOX: lo <= hi, may be infinite
    uint8_t set;                    ///<       TAC_SET_*
    uint8_t rows;                   ///<       1 .. 6, what the set says
} tac_problem_block;

/// One stored block N_ij: rows_i times rows_j numbers, row by row, at value[value].
typedef struct tac_problem_entry {
    uint16_t row, column; ///< i, j
    uint32_t value;
} tac_problem_entry;

/// minimise 1/2 g'N g + p'g over g_k in C_k. N symmetric, positive semidefinite, positive on its diagonal; both
/// triangles are stored, entries sorted by row, then column. Made with tac_problem_init() and tac_problem_add_*().
typedef struct tac_problem {
    uint32_t blocks, rows, entries, values; ///< in use
    tac_problem_block block[TAC_MAX_SOLVE_BLOCKS];
    tac_problem_entry entry[TAC_MAX_SOLVE_ENTRIES];
    tac_real value[TAC_MAX_SOLVE_VALUES];
} tac_problem;

/// Methods; src/program/README.md says what each is good for. Cost is counted in passes over the stored numbers of N.
enum {
    TAC_METHOD_AUTO,        ///< by cost: see tac_solve()
    TAC_METHOD_JACOBI,      ///< projected Jacobi, TCE17 section 10
    TAC_METHOD_SOR,         ///< projected Gauss-Seidel with omega and lambda: TCE17 [4], the papers' method
    TAC_METHOD_SYMMETRIC,   ///< the same, forwards and backwards in turn
    TAC_METHOD_ACCELERATED, ///< blocks nearly solved one after the other, Nesterov momentum over the sweeps
    TAC_METHOD_APGD,        ///< accelerated projected gradient: NST17 [7]
    TAC_METHOD_SPECTRAL,    ///< P-SPG-FB, spectral projected gradient with fallback: TCE17 [8]
    TAC_METHOD_MINRES,      ///< FREE blocks only: minimal residuals
    TAC_METHOD_DIRECT,      ///< interior point and Newton on a factored matrix
    TAC_METHODS
};

/// What to do. tac_solve_options_init() gives the defaults.
typedef struct tac_solve_options {
    tac_real tolerance;  ///< 1   resS at which to stop, >= 0; 0: go on until rounding or the budget ends it   (1e-8; float 1e-5)
    tac_real omega;      ///< 1   relaxation of JACOBI, SOR, SYMMETRIC: > 0                                    (1; JACOBI: 0.3 is safer)
    tac_real lambda;     ///< 1   averaging of the same: 0 < lambda <= 1                                       (1)
    uint32_t max_passes; ///<     budget, >= 1                                                                 (10000)
    uint8_t method;      ///<     TAC_METHOD_*                                                                 (AUTO)
    uint8_t friction;    ///<     TAC_FRICTION_*                                                               (EXACT)
    uint8_t warm_start;  ///<     1: work->g holds first impulses                                              (0)
    uint8_t least_norm;  ///<     1: of all solutions the one of least |g|, as well as rounding allows         (0)
} tac_solve_options;

/// The certificate, of the impulses that are returned. Its cost, about two passes, is not in `passes`.
typedef struct tac_solve_report {
    tac_real residual;    ///< 1   resS = |(g_i - P(g_i - u~_i/d_i)) d_i|_i / |p|,  d_i = trace(N_ii)/rows
    tac_real natural;     ///< 1   resA = |g - P(g - u~)| / |p|
    tac_real signorini;   ///< 1   worst |min(d n, u_n)| / |p|; relaxed law: u_n less mu |u_T|
    tac_real cone;        ///< 1   worst d dist(g, C) / |p|
    tac_real dissipation; ///< 1   worst d (mu n |u_T| + g_T.u_T) / |p|^2: power that friction fails to take
    uint32_t passes;      ///<     spent: numbers of N, and of factors, that were multiplied, over problem->values
    uint32_t iterations;  ///<     sweeps and gradient steps
    uint32_t factorings;  ///<     matrices factored
    uint32_t open, stick, slide; ///< blocks without impulse, inside their sets, on the rim
    uint32_t fault;       ///<     a refused problem: its first bad block
    tac_status status;    ///<     what tac_solve() returned
    uint8_t method;       ///<     that found the answer
    uint8_t friction;     ///<     law in force
} tac_solve_report;

/// Scratch: progress of a method.
typedef struct tac_solve_progress {
    tac_real scale;     ///< m/s   |p|
    tac_real least;     ///< 1     measure of the best iterate
    tac_real measure;   ///< 1     of the last one
    tac_real proximal;  ///<       added to the diagonal of N
    tac_real momentum, beta;
    uint64_t spent;     ///<       numbers multiplied
    uint64_t budget;
    uint8_t exact;      ///<       law in force
    uint8_t stuck;      ///<       1: nothing changes any more
} tac_solve_progress;

/// Scratch and results of tac_solve(). May be used for any problem.
typedef struct tac_solve_work {
    tac_solve_report report;
    tac_solve_progress progress;
    tac_real g[TAC_MAX_SOLVE_ROWS];   ///< N s   in: first impulses if options.warm_start; out: the answer, in the sets
    tac_real u[TAC_MAX_SOLVE_ROWS];   ///< m/s   out: N g + p
    uint8_t mode[TAC_MAX_SOLVE_BLOCKS]; ///<     out: TAC_OPEN, TAC_STICK, TAC_SLIDE

    // scratch
    uint32_t first[TAC_MAX_SOLVE_BLOCKS + 1];    ///< entries of block i begin here
    uint32_t row[TAC_MAX_SOLVE_BLOCKS + 1];      ///< rows of block i begin here
    uint32_t diagonal[TAC_MAX_SOLVE_BLOCKS];     ///< N_ii begins here in value[]
    uint32_t small[TAC_MAX_SOLVE_BLOCKS + 1];    ///< inverse of N_ii begins here in inverse[]
    tac_real weight[TAC_MAX_SOLVE_BLOCKS];       ///< d_i
    tac_real step[TAC_MAX_SOLVE_ROWS];           ///< of a projected step inside a block
    tac_real inverse[TAC_BLOCK_ROWS * TAC_MAX_SOLVE_ROWS];
    tac_real best[TAC_MAX_SOLVE_ROWS], previous[TAC_MAX_SOLVE_ROWS];
    tac_real a[TAC_MAX_SOLVE_ROWS], b[TAC_MAX_SOLVE_ROWS], c[TAC_MAX_SOLVE_ROWS], d[TAC_MAX_SOLVE_ROWS];
#if TAC_MAX_SOLVE_FACTOR > 0
    uint16_t order[TAC_MAX_SOLVE_BLOCKS];        ///< blocks as they are eliminated
    uint16_t place[TAC_MAX_SOLVE_BLOCKS];        ///< its inverse
    uint32_t reduced[TAC_MAX_SOLVE_BLOCKS + 1];  ///< rows of the block eliminated k-th begin here
    uint32_t left[TAC_MAX_SOLVE_ROWS];           ///< first column of a row's profile
    uint32_t begin[TAC_MAX_SOLVE_ROWS + 1];      ///< where in lower[] and upper[] the profile of a row begins
    tac_real pivot[TAC_MAX_SOLVE_ROWS];
    tac_real basis[TAC_BLOCK_ROWS * TAC_MAX_SOLVE_ROWS]; ///< of each block: directions in which its projection moves
    tac_real rhs[TAC_MAX_SOLVE_ROWS], dual[TAC_MAX_SOLVE_ROWS];
    tac_real lower[TAC_MAX_SOLVE_FACTOR], upper[TAC_MAX_SOLVE_FACTOR];
#endif
} tac_solve_work;

#endif

#endif
