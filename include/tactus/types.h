// SPDX-License-Identifier: MIT
// types.h - what users fill and read: tac_model (what the world is), tac_state (its state of motion), tac_input (forces
// and commands of one step), the results in tac_work, arguments and results of queries. No pointers: an assignment
// copies everything, and sizeof is the memory bound. SI units. World frame by default; `_b` means the body's principal
// frame.
#ifndef TACTUS_TYPES_H
#define TACTUS_TYPES_H

#include "tactus/faults.h"

#if TAC_REAL_BITS == 32
typedef float tac_real;
#else
typedef double tac_real;
#endif

#include "tactus/ranges.h"

TAC_TYPES_BEGIN

/// A vector; its unit stands beside each field and argument.
typedef struct tac_vec3 {
    tac_real x, y, z;
} tac_vec3;

/// Unit quaternion; rotates vectors of the body's frame into the world frame.
typedef struct tac_quat {
    tac_real w, x, y, z;
} tac_quat;

/// No such index.
#define TAC_NONE UINT16_MAX

/// Symmetric 3x3 matrix.
typedef struct tac_sym3 {
    tac_real xx, xy, xz, yy, yz, zz;
} tac_sym3;

/// Position and orientation of a frame.
typedef struct tac_pose {
    tac_vec3 p; ///< m   its origin
    tac_quat q; ///< 1   unit
} tac_pose;

/// Velocity of a body as in NST17 and TCE17: linear in the world frame, angular in the body's principal frame.
typedef struct tac_twist {
    tac_vec3 v; ///< m/s     of the centre of mass
    tac_vec3 w; ///< rad/s   principal frame
} tac_twist;

// ----------------------------------------------------------------------------------------------------------- model

/// Marker in an option: the kernel derives the value from the scale of the problem, see each field.
#define TAC_AUTO ((tac_real)-1)

enum { TAC_STATIC, TAC_DYNAMIC, TAC_KINEMATIC };

/// A rigid body. Body 0 is the ground, static; no other body is.
typedef struct tac_body {
    tac_real mass;      ///< kg      > 0 if dynamic; ignored otherwise
    tac_vec3 inertia;   ///< kg m2   principal moments, > 0, each at most the sum of the others; large enough for the
                        ///<         farthest shape or joint of the body: TAC_MOST_MOBILITY (ranges.h)
    tac_pose inertial;  ///<         principal frame (origin: centre of mass) in the body's own frame
    tac_pose pose;      ///<         initial pose of the body's own frame in the world
    tac_twist velocity; ///<         initial velocity; of a kinematic body its velocity unless the input prescribes one;
                        ///<         of the ground 0
    uint8_t kind;       ///<         TAC_STATIC, TAC_DYNAMIC, TAC_KINEMATIC
} tac_body;

/// Kinds of shapes, and the meaning of `size`. Sizes are in metres and > 0.
enum {
    TAC_HALF_SPACE,   ///< all points with z <= 0 of the shape's frame; size unused; not on dynamic bodies
    TAC_SPHERE,       ///< size.x radius
    TAC_CAPSULE,      ///< size.x radius, size.z half length of the axis segment, along z of the shape's frame
    TAC_BOX,          ///< size half lengths along x, y, z of the shape's frame
    TAC_CYLINDER,     ///< size.x radius, size.z half length, along z of the shape's frame
    TAC_CONE,         ///< size.x radius of the base, size.z half height: base at z = -size.z, apex at z = +size.z
    TAC_ELLIPSOID,    ///< size half axes along x, y, z of the shape's frame
    TAC_HULL,         ///< convex hull, `data` its index in polyhedron[]; size unused
    TAC_MESH,         ///< triangles, solid below them; `data` its index in polyhedron[]; not on dynamic bodies
    TAC_HEIGHT_FIELD, ///< terrain, solid below it; `data` its index in field[]; not on dynamic bodies
    TAC_SHAPE_KINDS
};

/// A collision shape, fixed to a body. Two shapes may collide if they are on different bodies, at least one of them
/// dynamic, the two bodies are not excluded from each other, and each shape's group shares a bit with the other's mask.
typedef struct tac_shape {
    tac_pose pose;     ///<     in the body's own frame (not the principal frame)
    tac_vec3 size;     ///< m   see the kinds; components that a kind does not name count for nothing, and data are not
                       ///<     scaled by it
    tac_real rounding; ///< m   radius of a ball swept over the shape (TCE17 section 5), >= 0; 0 for surfaces
    uint16_t body;     ///<     index of its body, < bodies
    uint16_t group;    ///<     bits: the groups that it belongs to
    uint16_t mask;     ///<     bits: the groups that it collides with
    uint16_t data;     ///<     hull, mesh or height field: its index; else 0
    uint8_t kind;      ///<     TAC_HALF_SPACE ...
    uint8_t material;  ///<     < materials
#if TAC_FRICTION_LAWS
    tac_vec3 axis;   ///< 1     direction of its friction, in the frame of the shape: of unit length; 0: none
    tac_real turn;   ///< rad   -pi .. pi, of that direction about the outward normal of a contact
    tac_real across; ///< 1     0 .. 1: friction across that direction over friction along it
#endif
} tac_shape;

// Friction with a direction (TAC_FRICTION_LAWS). The part of `axis` in the tangent plane of a contact, turned by `turn`
// about the normal out of the shape, is u of the contact. Along it friction is mu, across it mu times `across`: an
// ellipse, CBAT07 (5) with e_t and e_o that differ, and maximum dissipation on it. An axis within 1e-3 rad of the normal
// counts for nothing. `across` below 1/256 counts as that, so that rows stay well scaled. Where both shapes have an
// axis, that with the smaller `across` counts; if equal, that on the body of lower index. The axis of a wheel and a turn
// of 45 degrees are the rollers of a mecanum wheel, which stay where they are while it turns.

/// Combination rules for two coefficients. If two materials name different rules, the later in this list is used.
enum { TAC_RULE_AVERAGE, TAC_RULE_GEOMETRIC, TAC_RULE_MULTIPLY, TAC_RULE_MIN, TAC_RULE_MAX, TAC_RULES };

/// A material of shapes.
typedef struct tac_material {
    tac_real friction;        ///< 1   Coulomb coefficient mu, 0 .. 1e6
    tac_real restitution;     ///< 1   Newton's coefficient, 0 .. 1
    uint8_t friction_rule;    ///<     TAC_RULE_*
    uint8_t restitution_rule; ///<     TAC_RULE_*
    tac_real stiffness; ///< N/m   of a contact along its normal: 0 rigid, else 1e-3 .. 1e12
    tac_real damping;   ///< N s/m of the same, 0 .. 1e9; 0 where the stiffness is 0. Both combine in series
#if TAC_ROLLING
    tac_real spinning; ///< m   largest torque about the normal per newton of normal force, 0 .. 1e6; combines as
                       ///<     friction
    tac_real rolling;  ///< m   the same about the tangents; neither has an effect without friction
#endif
#if TAC_FRICTION_LAWS
    tac_real static_friction; ///< 1   mu at rest, `friction` .. 1e6; 0: as `friction`. Combines as friction
    tac_real stribeck_speed;  ///< m/s 1e-6 .. with static friction, else 0; the larger of two materials
#endif
} tac_material;

// Static friction and Stribeck's curve (TAC_FRICTION_LAWS). In a step with the slip v at its start, mu of a contact is
//      friction + (static_friction - friction)/(1 + (v/stribeck_speed)^2):
// Hess and Soom (1990) without their viscous term. It is a constant of the step, so that no step makes energy. A small
// stribeck_speed is a static and a sliding coefficient: TCE17, remark of section 5.

/// Overrides the rules for one pair of materials, in either order.
typedef struct tac_material_pair {
    tac_real friction;    ///< 1   0 .. 1e6
    tac_real restitution; ///< 1   0 .. 1
    uint8_t a, b;         ///<     < materials
    tac_real stiffness;   ///< N/m   as in tac_material
    tac_real damping;     ///< N s/m likewise
#if TAC_ROLLING
    tac_real spinning; ///< m   0 .. 1e6
    tac_real rolling;  ///< m   0 .. 1e6
#endif
#if TAC_FRICTION_LAWS
    tac_real static_friction; ///< 1   as in tac_material
    tac_real stribeck_speed;  ///< m/s likewise
#endif
} tac_material_pair;

enum {
    TAC_SOLVER_ACCELERATED, ///< block Gauss-Seidel, inner projected steps, Nesterov momentum over sweeps, best iterate
                            ///< kept; joints are eliminated; Newton's method on the same rows where sweeps are slow
    TAC_SOLVER_PLAIN,       ///< projected Gauss-Seidel / SOR of the papers (TCE17 section 8, TA11)
    TAC_SOLVER_DIRECT,      ///< Newton's method: with joints on all rows (TAC_MAX_REDUCED); without on a sparse factor of
                            ///< all bodies, which needs TAC_MAX_FILL: for stacks and large mass ratios
    TAC_SOLVER_AUTO         ///< the default: DIRECT where bodies stand on each other or sweeps are slow, as long as it
                            ///< makes progress, if the factor has room and a Newton step costs few sweeps; else
                            ///< ACCELERATED (always with joints, or with TAC_MAX_FILL 0)
};
enum {
    TAC_FRICTION_EXACT,  ///< Coulomb's law: the De Saxce term mu |v_T| is added to the normal row
    TAC_FRICTION_RELAXED ///< the papers' convex law: a contact sliding at v_T floats at a gap h mu |v_T| (NST17, 3)
};

/// Two bodies that do not collide.
typedef struct tac_exclusion {
    uint16_t a, b; ///< < bodies
} tac_exclusion;

/// A surface that moves over its shape, as that of a belt, a turntable or a track does while the body stays. The shape
/// keeps its form and its place; friction acts against the velocity of the other body relative to the moving surface:
///     v(x) = linear + angular x (x - point)
/// along the tangents of a contact at x; a part along the normal has no effect, since the surface does not leave its
/// body. What friction does to the surface acts on its body. With TAC_ROLLING, resistance to spinning and rolling is
/// relative to `angular`.
typedef struct tac_surface {
    tac_vec3 linear;  ///< m/s     in the shape's frame, as the next two
    tac_vec3 angular; ///< rad/s
    tac_vec3 point;   ///< m       a point of the axis of `angular`
    uint16_t shape;   ///<         < shapes; that of no other surface
} tac_surface;

/// Kinds of joints, by the motions of frame b relative to frame a that they allow. q is the coordinate of kinds that
/// have one: it may have limits, a motor, friction, a spring.
enum {
    TAC_FIXED,              ///<             no motion
    TAC_REVOLUTE,           ///< q rad       rotation about z; q in (-pi, pi], with limits: within pi of their middle
    TAC_PRISMATIC,          ///< q m         translation along z
    TAC_SCREW,              ///< q rad       rotation about z with translation `length` q along z; q in (-pi, pi]
    TAC_DISTANCE,           ///< q m         all; q is the distance of the origins: a rod, a rope, a spring
    TAC_SPHERICAL,          ///<             rotation; the origins coincide
    TAC_UNIVERSAL,          ///<             rotation about x of a and y of b, which stay perpendicular
    TAC_CYLINDRICAL,        ///<             rotation about z and translation along it
    TAC_PLANAR,             ///<             translation along x and y, rotation about z
    TAC_REVOLUTE_SPHERICAL, ///<             the origin of b stays on a circle about z of a, of radius `length`
    TAC_COUPLING,           ///< q           couples two joints: q = q_b - `length` q_a. Gears, rack and pinion, mimic
                            ///<             joints; any number of revolutions
    TAC_BUSHING,            ///<             all, against springs and dampers along and about the axes of a
    TAC_TRANSLATION,        ///< q m         all; q is the translation of the origin of b along z of a
    TAC_TWIST,              ///< q rad       all; q in (-pi, pi] is the angle about z that is left when b has been
                            ///<             turned the shortest way that makes the z axes agree
    TAC_SWING,              ///< q rad       all; q in 0 .. pi is the angle between the z axes
    TAC_ROTATION,           ///< q rad       all; q in 0 .. pi is the angle of the rotation, about whatever axis
    TAC_TURN,               ///< q rad       all; q in (-pi, pi) is the z component, in a, of the rotation vector
    TAC_SKATE,              ///<             all, but the origin of b has no velocity in a along x of b: a knife edge
    TAC_JOINT_KINDS
};

/// A joint that may be switched (TAC_SWITCHES) is in force or not, as tac_state_set_switch() says; what the state has
/// of it. Out of force it is as if the model did not have it: no constraint, no effort, no reaction, and its bodies
/// collide whatever `collide` says; commands to its motor count for nothing. It is never part of a tree of joints:
/// coordinates, trees, what controllers ask of them, and what a row costs do not change when it is switched.
enum {
    TAC_JOINT_ALWAYS,   ///< in force; may not be switched
    TAC_JOINT_ON,       ///< in force, with the frames of the model
    TAC_JOINT_OFF,      ///< out of force
    TAC_JOINT_BROKEN,   ///< out of force since a step in which its reaction was too large
    TAC_JOINT_CAPTURED, ///< FIXED: in force, its frame b where frame a was when it was switched on
    TAC_JOINT_STATES
};

/// A joint between two bodies, at least one of them dynamic. The coordinate q is in rad for a rotation and in m for a
/// translation; that of a coupling has the unit of q_b. Efforts along q are in N m or N. tac_joint_init() sets the
/// defaults in []; a field that a kind does not use keeps its default, else tac_model_check() refuses it by name
/// (TAC_REASON_UNUSED): from `lower` to `stop_damping` all belong to kinds that have a q.
/// A coupling has no constraints besides its coordinate: equal limits make it rigid, other limits are a
/// backlash, a stiffness makes it elastic. Its effort acts on q_b, and -length times its effort on q_a.
/// TAC_TRANSLATION to TAC_TURN (TAC_COORDINATES) hold nothing: they are coordinates, of two bodies that another joint
/// holds, whose own kind has several or none, and each has limits, a motor, friction, a spring and a rotor of its own:
/// - TAC_SPHERICAL: a TAC_SWING with an upper limit is a cone about z of a; a TAC_TWIST with limits stops the rotation
///   about z; three TAC_TURN with frames that differ by where z leads are its motors and springs: the PD command whose
///   positions are the rotation vector of an orientation leads there, equal springs are one about whatever axis. Dry
///   friction of them is a box, not a ball. A TAC_ROTATION with an upper limit stops it about every axis;
/// - TAC_UNIVERSAL: a TAC_TWIST whose z is x of a there, and one whose z is y of b;
/// - TAC_CYLINDRICAL, TAC_PLANAR: a TAC_TRANSLATION along each axis, a TAC_TWIST about z.
/// Efforts act along the gradient of q, so springs keep energy. Where a coordinate is not smooth it does nothing
/// dependable: a twist where the z axes are opposite, a turn at half a revolution, motors and friction of a swing or of
/// a rotation at 0, their pole; through it limits let the motion pass: a lower limit of 0 or less is none, an upper one
/// is above 0. Two bodies that only such joints connect do not count as held.
/// TAC_SKATE forbids a velocity and no position (NST17 (3) without Phi): a blade, a skate, an ideal wheel.
typedef struct tac_joint {
    tac_pose frame_a, frame_b; ///<          [0] in the bodies' own frames; unused by COUPLING
    tac_real length;           ///< m, m/rad [1] REVOLUTE_SPHERICAL: > 0; SCREW: translation per radian;
                               ///<          COUPLING: ratio dq_b/dq_a when rigid, not 0
    tac_real lower, upper;     ///< q        [1, -1] limits of q; equal: q is held there (a rod); lower > upper: none
    tac_real friction;         ///< effort   [0] dry friction at the most, independent of the load (T03 (16), (38))
    tac_real damping;          ///< effort s/q [0] viscous
    tac_real stiffness;        ///< effort/q [0] of the spring
    tac_real rest;             ///< q        [0] at which the spring is at rest
    tac_real armature;         ///< kg m2, kg [0] inertia of the rotor, times the square of its gear ratio
    tac_real effort;           ///< effort   [largest] limit of the motor's effort, in both directions
    tac_real speed;            ///< q/s      [largest] > 0: speed limit of the motor, in both directions
    tac_real stop_stiffness;   ///< effort/q [0] of elastic stops at the limits; 0: rigid stops
    tac_real stop_damping;     ///< effort s/q [0] of elastic stops; a stop never pulls
    tac_vec3 along, about;     ///< N/m, N m/rad [0] BUSHING: stiffness along and about the axes of a
    tac_vec3 along_damping, about_damping; ///< N s/m, N m s/rad [0] BUSHING: damping
    uint16_t body_a, body_b;   ///<          < bodies; 0 is the ground. COUPLING: earlier joints that have a coordinate
    uint8_t kind;              ///<          TAC_FIXED ...
    uint8_t collide;           ///<          [0] 1: shapes of the two bodies collide
#if TAC_SWITCHES
    uint8_t switched;          ///<          [ALWAYS] TAC_JOINT_ALWAYS; or it may be switched, and begins as TAC_JOINT_ON or
                               ///<          TAC_JOINT_OFF. Not COUPLING, nor a joint of one; without armature
    tac_real break_force;      ///< N        [largest] > 0: a switched joint whose reaction, the mean of a step, is more,
    tac_real break_torque;     ///< N m      [largest] the same at the origin of its frame, breaks at the end of the step
#endif
} tac_joint;

/// Face of a hull or of a mesh (there a triangle): its corners run counter-clockwise when seen from outside.
typedef struct tac_face {
    tac_vec3 n;     ///< 1   unit, outwards
    tac_real d;     ///< m   n.x = d on the face
    uint16_t first; ///<     first of its edges in edge[], relative to the polyhedron's first edge
    uint16_t edges; ///<     >= 3; a triangle of a mesh: 3
} tac_face;

/// Edge of a face, from `point` to the point of the face's next edge.
typedef struct tac_edge {
    uint16_t point;  ///< relative to the polyhedron's first point
    uint16_t across; ///< adjacent face, relative to the polyhedron's first face; TAC_NONE at the boundary of a mesh
} tac_edge;

/// Node of a tree of bounding boxes in preorder: a node, then the tree of its first child, then that of its second.
typedef struct tac_node {
    tac_real bound[6]; ///< m   of x, y, z: the lower bounds, then the upper ones
    uint16_t leaf;     ///<     index of the object that the box bounds; TAC_NONE for a node with children
    uint16_t skip;     ///<     index of the next node that is not below this one
} tac_node;

/// Convex hull or triangle mesh: its ranges of the tables, in the shape's frame. Made by tac_model_add_hull() or
/// _mesh().
typedef struct tac_polyhedron {
    tac_vec3 low, high;           ///< m   bounds of its points
    uint16_t first_point, points; ///<     in point[]
    uint16_t first_face, faces;   ///<     in face[]; the tree of a mesh has 2 faces - 1 nodes from node[2 first_face]
    uint16_t first_edge, edges;   ///<     in edge[]
    uint16_t convex;              ///<     1 hull, 0 mesh
    uint16_t spare;               ///<     0
} tac_polyhedron;

#if TAC_HEIGHT_BITS == 8
typedef int8_t tac_height;
#elif TAC_HEIGHT_BITS == 16
typedef int16_t tac_height;
#else
typedef tac_real tac_height;
#endif

/// Terrain: sample (i,j) is the point (i dx, j dy, scale height[first + i + columns j]) of the shape's frame. Each cell
/// is two triangles that share the edge from (i,j) to (i+1,j+1). Made by tac_model_add_height_field().
typedef struct tac_height_field {
    tac_real dx, dy;        ///< m   spacing, > 0
    tac_real scale;         ///< m   height of one unit of the samples, > 0
    tac_real low, high;     ///< m   bounds of its heights
    uint32_t first;         ///<     its first sample in height[]
    uint16_t columns, rows; ///<     of samples, >= 2
} tac_height_field;

#define TAC_JOINT_ITERATIONS 16 ///< bound of tac_options.max_joint_iterations

/// Options of the step. tac_model_init() sets the defaults in [].
typedef struct tac_options {
    tac_real tolerance;           ///< 1     [AUTO] stop when the residual falls below tolerance times the initial
                                  ///<       residual, or to rounding level; 0: rounding level only; AUTO: 1e-6 float,
                                  ///<       1e-8 double
    tac_real omega;               ///< 1     [1] relaxation of TAC_SOLVER_PLAIN, 0 < omega < 2
    tac_real lambda;              ///< 1     [1] averaging of TAC_SOLVER_PLAIN, 0 < lambda <= 1
    tac_real recovery;            ///< m/s   [0] largest separation speed that an overlap may cause (TCE17 footnote 5);
                                  ///<       the bodies keep this velocity
    tac_real projection;          ///< 1     [0.1] part of an overlap that a step removes by moving poses, without
                                  ///<       velocity, 0 .. 1; of one between links of a mechanism what the step adds
    tac_real margin;              ///< m     [AUTO] gap below which a pair is in contact: where it is at the start of
                                  ///<       the step if it rests or comes straight to a face, where free motion takes
                                  ///<       it if it moves past edges. A pair farther apart is in contact only if its
                                  ///<       motion in this step makes it touch, or might with efforts of joints
                                  ///<       that no contact holds: as motors are told, and as springs and servos
                                  ///<       had them in the step before, so that one that jumps to another goal is
                                  ///<       foreseen a step late. AUTO: 2 % of the smaller shape
    tac_real bounce;              ///< m/s   [AUTO] approach speed below which restitution is off; AUTO: 2 |gravity| h
    uint16_t max_sweeps;          ///<       [50] most solver sweeps in a step, 1 .. 10000; a sweep of DIRECT is one
                                  ///<       Newton step. The position projection takes a quarter as many passes, 2 .. 8
    uint8_t solver;               ///<       [AUTO] TAC_SOLVER_*
    uint8_t friction;             ///<       [EXACT] TAC_FRICTION_*
    uint8_t warm_start;           ///<       [1] start from the impulses of the last step: 0 no, 1 yes
    uint8_t stabilise;            ///<       [0] joints: 0 positions are corrected at the end of each step; 1 errors are
                                  ///<       corrected by velocities, NST17 (5c)
    uint8_t max_joint_iterations; ///<   [TAC_JOINT_ITERATIONS] most corrections of the motion of joints after the
                                  ///<   solve, 0 .. TAC_JOINT_ITERATIONS
} tac_options;

/// The world. Built with tac_model_add_*() in RAM or written as a constant for flash; sealed by tac_model_seal().
typedef struct tac_model {
    uint32_t hash;           ///<        of all fields below, set by tac_model_seal(); the state stores it too
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
#if TAC_MAX_JOINTS > 0
    uint32_t joints; ///<        in use
#endif
#if TAC_MAX_SURFACES > 0
    uint32_t surfaces; ///<      in use
#endif
    tac_real h;       ///< s      step, > 0
    tac_vec3 gravity; ///< m/s2
    tac_options options;
    tac_body body[TAC_MAX_BODIES + 1];
    tac_shape shape[TAC_MAX_SHAPES];
    tac_material material[TAC_MAX_MATERIALS];
    tac_material_pair material_pair[TAC_MAX_MATERIAL_PAIRS];
    tac_exclusion exclusion[TAC_MAX_EXCLUSIONS];
#if TAC_MAX_JOINTS > 0
    tac_joint joint[TAC_MAX_JOINTS];
#endif
#if TAC_MAX_SURFACES > 0
    tac_surface surface[TAC_MAX_SURFACES];
#endif
    tac_polyhedron polyhedron[TAC_MAX_POLYHEDRA]; // this and the next six: data of hulls, meshes and height fields
    tac_vec3 point[TAC_MAX_POINTS];
    tac_face face[TAC_MAX_FACES];
    tac_edge edge[TAC_MAX_EDGES];
    tac_node node[2 * TAC_MAX_FACES];
    tac_height_field field[TAC_MAX_HEIGHT_FIELDS];
    tac_height height[TAC_MAX_HEIGHTS];
} tac_model;

// ----------------------------------------------------------------------------------------------------------- state

/// Identity of a contact point from step to step: two shapes and the features (faces, edges, vertices) in contact.
typedef struct tac_feature {
    uint16_t shape_a, shape_b; ///< shape_a is on the body of lower index
    uint32_t feature;          ///< opaque; equal as long as the same features are in contact
} tac_feature;

/// Impulse of a contact in the last step, in the world frame, on body b.
typedef struct tac_warm {
    tac_feature id;
    tac_vec3 impulse; ///< N s
#if TAC_ROLLING
    tac_vec3 torque; ///< N m s
#endif
} tac_warm;

/// Low-order parts of compensated (Kahan) sums: true position or velocity = pose or twist + this. In float at 1 kHz a
/// step changes a velocity by about 1e-5 of it; without compensation the last digits of each change would be lost.
typedef struct tac_compensation {
    tac_vec3 p; ///< m
    tac_vec3 v; ///< m/s
    tac_vec3 w; ///< rad/s
} tac_compensation;

/// Number of rows of a joint; the last is that of its coordinate. Rows are in m/s, rotations times a length:
/// src/rows/joint_rows.h.
#define TAC_JOINT_ROWS 6

/// Sources of effort along the coordinate of a joint: spring, damper and armature; motor; dry friction; limit.
enum { TAC_EFFORT_PASSIVE, TAC_EFFORT_MOTOR, TAC_EFFORT_FRICTION, TAC_EFFORT_LIMIT, TAC_EFFORTS };

/// Impulses of a joint in the last step. A coupling has one row, the last, and counts in the place of the others.
typedef struct tac_joint_warm {
    union {
        tac_real row[TAC_JOINT_ROWS]; ///< N s   of the constraints
        tac_real revolutions;         ///< 1     COUPLING: full revolutions of its joint b less length times those of a
    } of;
    tac_real interval[TAC_EFFORTS]; ///< N s   along the coordinate, by source
} tac_joint_warm;

/// Of each joint: is it in force? (TAC_SWITCHES)
typedef struct tac_switch {
    tac_pose frame; ///< CAPTURED: in place of frame_b; else nothing reads it
    uint32_t is;    ///< TAC_JOINT_*
} tac_switch;

/// Energy that nothing has supplied to bodies that joints connect, in the steps so far: src/step/settle.h.
typedef struct tac_account {
    tac_real made; ///< J   > 0: the world has more than it had and was given; of losses what it may regain
    tac_real peak; ///< J   the greatest kinetic energy of late, in steps in which bodies turn far
} tac_account;

/// State of motion of a world. Written by tac_step() and the setters only; copying it takes a snapshot.
typedef struct tac_state {
    uint64_t step;                     ///< steps taken since tac_state_init(); time is step h
    uint32_t model_hash;               ///< hash of its model
    uint16_t warm_count;               ///< entries of warm[] in use
    uint16_t contacts_peak;            ///< most contacts of any step since tac_state_init(), dropped ones included:
                                       ///< sizes TAC_MAX_CONTACTS
    uint16_t warm_unsolved;            ///< 1 if the last step ended before its solve met the tolerance, else 0
    tac_pose pose[TAC_MAX_BODIES + 1]; ///< of the principal frames
    tac_twist twist[TAC_MAX_BODIES + 1];
    tac_compensation compensation[TAC_MAX_BODIES + 1];
    tac_warm warm[TAC_MAX_CONTACTS]; ///< in the order of the contacts
#if TAC_MAX_JOINTS > 0
    tac_joint_warm joint[TAC_MAX_JOINTS];
    tac_account account;
#endif
#if TAC_SWITCHES
    tac_switch switched[TAC_MAX_JOINTS];
#endif
} tac_state;

// ----------------------------------------------------------------------------------------------------------- input

enum {
    TAC_WRENCH_WORLD, ///< force and torque in the world frame; point in the world frame, relative to the centre of mass
    TAC_WRENCH_BODY,  ///< force, torque and point in the principal frame
    TAC_VELOCITY,     ///< kinematic bodies only: linear velocity (world), angular velocity (principal frame)
    TAC_SURFACE,      ///< linear and angular velocity and point of a surface, as in tac_surface, whose place they take
    TAC_ACTION_KINDS
};

/// A wrench or a velocity target, constant during the step. Wrenches on one body add up; of several targets the last
/// counts.
typedef struct tac_action {
    tac_vec3 linear;  ///< N     or m/s
    tac_vec3 angular; ///< N m   or rad/s
    tac_vec3 point;   ///< m     point of application of the force; (0,0,0) is the centre of mass. SURFACE: its point
    uint16_t body;    ///<       1 .. bodies-1; SURFACE: < surfaces, the index of the surface
    uint16_t kind;    ///<       TAC_WRENCH_WORLD ...
} tac_action;

/// Motor commands. All but EFFORT are implicit: they use position and velocity at the end of the step.
enum {
    TAC_MOTOR_EFFORT,   ///< the effort as given
    TAC_MOTOR_PD,       ///< stiffness (position - q) + damping (velocity - dq/dt) + effort
    TAC_MOTOR_VELOCITY, ///< dq/dt = velocity, by whatever effort this takes
    TAC_MOTOR_POSITION, ///< q = position at the end of the step, by whatever effort this takes
    TAC_MOTOR_KINDS
};

/// Command of one motor, constant during the step. Its effort stays within joint.effort, and targets faster than
/// joint.speed are reduced to it. EFFORT and PD neither accelerate the joint beyond joint.speed nor brake a joint that
/// is faster. With unlimited joint.effort VELOCITY and POSITION are prescribed motion: only rigid limits stop it.
/// Position targets of revolute joints without limits are taken modulo one revolution, nearest first. Of several
/// commands for one joint the last counts.
typedef struct tac_motor {
    tac_real position;  ///< q
    tac_real velocity;  ///< q/s
    tac_real effort;    ///< effort
    tac_real stiffness; ///< effort/q     >= 0
    tac_real damping;   ///< effort s/q   >= 0
    uint16_t joint;     ///<              < joints, of a kind with a coordinate
    uint16_t kind;      ///<              TAC_MOTOR_EFFORT ...
} tac_motor;

/// What acts on a state during one step.
typedef struct tac_input {
    uint16_t actions; ///< in use
    tac_action action[TAC_MAX_ACTIONS];
#if TAC_MAX_JOINTS > 0
    uint32_t motors; ///< in use
    tac_motor motor[TAC_MAX_JOINTS];
#endif
} tac_input;

// ------------------------------------------------------------------------------------------------------------ work

enum { TAC_OPEN, TAC_STICK, TAC_SLIDE };

/// One contact, as the last step left it. Valid until the work area is used again.
typedef struct tac_contact {
    tac_feature id;          ///<       shapes and features
    uint16_t body_a, body_b; ///<       body_a < body_b; 0 is the ground
    uint8_t mode;            ///<       TAC_OPEN (no impulse), TAC_STICK (inside its set), TAC_SLIDE (on its boundary)
    tac_vec3 point;          ///< m     midway between the surfaces; where the contact rolls, in the middle of the step
    tac_vec3 n, u, w;        ///< 1     orthonormal; n points from a to b
    tac_real gap;            ///< m     at the start of the step; negative when they overlap
    tac_real mu;             ///< 1     combined Coulomb coefficient, that along u, at the slip of the start of the step
    tac_real restitution;    ///< 1     combined Newton coefficient; 0 if the contact is compliant
    tac_real stiffness;      ///< N/m   combined, as in tac_material; 0: rigid
    tac_vec3 impulse;        ///< N s   on b, in (n,u,w); over the whole step; with TAC_SHARED_LOADS those of contacts of
                             ///<       the same two bodies have the least norm (src/solve/README.md)
    tac_vec3 bounce;         ///< N s   in addition: impulses of impacts within the step, where bodies without joints
                             ///<       bounce
    tac_vec3 velocity;       ///< m/s   of b relative to a, in (n,u,w), at the end of the step; where it rolls, what
                             ///<       its laws see (src/rows/README.md, Contacts that roll); of surfaces that move
                             ///<       (tac_surface) relative to these: the slip
#if TAC_ROLLING
    tac_real spinning, rolling; ///< m     combined resistances, as in tac_material
    tac_vec3 torque;            ///< N m s impulse of the torques on b, about (n,u,w)
#endif
#if TAC_FRICTION_LAWS
    tac_real across; ///< 1     friction along w over that along u: 1/256 .. 1; 1 where it has no direction
#endif
} tac_contact;

/// One joint, as the last step left it. Valid until the work area is used again.
typedef struct tac_joint_result {
    tac_vec3 force, torque;       ///< N, N m   its reaction, on request: zeros until tac_reactions(). What the joint
                                  ///<          exerts on b, at the origin of its frame; world; mean over the step. The
                                  ///<          sum of constraint, motor, friction, spring and limit.
                                  ///<          COUPLING: on b of its joint b. Rounding: about eps m (|v| + |w||p|)/h
                                  ///<          for bodies at p; below 1 % of the weight at 1 ms in float, also 10 m
                                  ///<          away; by h: src/step/README.md. If loops make them ambiguous: those of
                                  ///<          least norm (rows in m/s, weighted by J M^-1 J')
    tac_real effort[TAC_EFFORTS]; ///< N m, N   along the coordinate, by source
} tac_joint_result;

/// What the impulses of a stage of the solver act on.
enum {
    TAC_OPERATOR_BODIES, ///< contacts one by one, on their bodies or through the trees that joints make of these
    TAC_OPERATOR_TREES,  ///< trees of joints, by a matrix of all rows (TAC_MAX_REDUCED)
    TAC_OPERATOR_MATRIX  ///< a factored matrix of all bodies; without joints
};

/// Why a stage of the solver began.
enum {
    TAC_STAGE_ASKED,  ///< the options ask for it
    TAC_STAGE_COST,   ///< TAC_SOLVER_AUTO: it is likely to be the cheaper one
    TAC_STAGE_TREES,  ///< joints make trees
    TAC_STAGE_ROOM,   ///< contacts have no room: of bodies with joints in TAC_MAX_REDUCED or TAC_MAX_PATH, of others in
                      ///< TAC_MAX_FILL
    TAC_STAGE_SLOW,   ///< the stage before made too little progress
    TAC_STAGE_WANDERS ///< under the exact law no iterate of the first half of the sweeps was better than no impulses
};

/// Most stages of a step.
#define TAC_STAGES 4

/// One stage of the solver in a step. src/solve/plan.h has the table of what follows what.
typedef struct tac_stage {
    uint16_t sweeps; ///< spent in it
    uint8_t engine;  ///< TAC_SOLVER_PLAIN, TAC_SOLVER_ACCELERATED or TAC_SOLVER_DIRECT
    uint8_t op;      ///< TAC_OPERATOR_*
    uint8_t law;     ///< TAC_FRICTION_*
    uint8_t why;     ///< TAC_STAGE_*
} tac_stage;

/// What a step did. Written in full by every step, whatever it returns.
typedef struct tac_report {
    tac_status status; ///<       returned by the step
    tac_fault fault;   ///<       if refused: the reason. Of a step of tac_step() or tac_step_lcp() that was taken: the
                       ///<       first joint that did not hold at its start, TAC_REASON_APART; else none
    uint16_t contacts; ///<       in use, <= TAC_MAX_CONTACTS
    uint16_t dropped;  ///<       contacts beyond TAC_MAX_CONTACTS; the deepest are kept
    uint16_t sweeps;   ///<       solver sweeps spent, <= max_sweeps; tac_step_sweep() with it replays the step to the
                       ///<       bit
    uint16_t impacts;  ///<       impacts within the step; after 16 times the contacts, or 256 if that is more, contacts
                       ///<       that still approach are stopped without restitution
    tac_stage stage[TAC_STAGES]; ///< stages of the solver, in their order
    uint8_t stages;    ///<       how many of them, 1 to TAC_STAGES
    uint8_t friction;  ///<       law of the answer: TAC_FRICTION_*
    uint8_t joint_iterations; ///<       corrections of the motion of joints after the solve, <= max_joint_iterations
#if TAC_SWITCHES
    uint16_t broken;   ///<       joints that broke at the end of the step: TAC_JOINT_BROKEN in the state. Their reactions
                       ///<       in this step are in work.joint[]
#endif
    tac_real residual;    ///< 1     natural-map residual resS of the answer under that law, relative to |p|; over trees
                          ///<       of joints, which hold exactly, that of contacts and bounded efforts:
                          ///<       src/solve/README.md
    tac_real penetration; ///< m     deepest overlap at the start of the step, >= 0
    tac_real joint_error; ///< m     worst constraint violation of a joint at the end of the step, rotations times a
                          ///<       length. Trees move along their coordinates: theirs is the error at the start of
                          ///<       the step if that was no more than rounding
    tac_real kinetic;   ///< J     at the end of the step
    tac_real potential; ///< J     at the end of the step: -sum m g.x, without what springs and compliant contacts hold
} tac_report;

// --------------------------------------------------------------------------------------------------------- queries

/// Coordinate of a joint; zero where its kind has none.
typedef struct tac_joint_state {
    tac_real position; ///< q
    tac_real velocity; ///< q/s
} tac_joint_state;

/// Most coordinates of velocity and of position of a model.
#define TAC_MAX_VELOCITIES (6 * TAC_MAX_BODIES)
#define TAC_MAX_POSITIONS (7 * TAC_MAX_BODIES)

/// First coordinate of a body or joint, in q and in dq; TAC_NONE if it has none of its own.
typedef struct tac_coordinate {
    uint16_t position, velocity;
} tac_coordinate;

/// The coordinates of a model: how many there are, and where those of each body and joint begin.
typedef struct tac_coordinates {
    uint16_t positions;                       ///< numbers of q, at most TAC_MAX_POSITIONS
    uint16_t velocities;                      ///< n, numbers of dq, ddq and of efforts, at most TAC_MAX_VELOCITIES
    tac_coordinate body[TAC_MAX_BODIES + 1];  ///< of free roots
    tac_coordinate joint[TAC_MAX_JOINTS + 1]; ///< of joints of trees
} tac_coordinates;

/// A frame that is fixed to a body: a foot, a tool, a sensor, a link that is part of a larger body. No part of the
/// model; urdf2tactus writes one for each link.
typedef struct tac_frame {
    uint16_t body; ///< < bodies; 0 is the ground
    tac_pose pose; ///< in the body's own frame
} tac_frame;

/// Axes that vectors are resolved in: of the world, of the body's own frame, of a tac_frame.
enum { TAC_AXES_WORLD, TAC_AXES_BODY, TAC_AXES_FRAME, TAC_AXES };

/// Where a point of a body, or the origin of a frame, is, and how it moves.
typedef struct tac_point_motion {
    tac_vec3 position;      ///< m      world
    tac_vec3 linear;        ///< m/s    its velocity
    tac_vec3 angular;       ///< rad/s  that of the body
    tac_vec3 linear_drift;  ///< m/s2   its acceleration at ddq = 0
    tac_vec3 angular_drift; ///< rad/s2 that of the body
} tac_point_motion;

/// Centre of mass and momenta of one tree or of all dynamic bodies; world frame.
typedef struct tac_centroid {
    tac_real mass;          ///< kg
    tac_vec3 centre;        ///< m      centre of mass
    tac_vec3 velocity;      ///< m/s    of the centre
    tac_vec3 linear;        ///< N s    momentum
    tac_vec3 angular;       ///< N m s  angular momentum about the centre
    tac_vec3 linear_drift;  ///< N      rate of the momentum at ddq = 0
    tac_vec3 angular_drift; ///< N m    rate of the angular momentum about the centre at ddq = 0
} tac_centroid;

/// A ray, or a ball that moves along a straight line.
typedef struct tac_ray {
    tac_vec3 origin;    ///< m   start; of a ball, its centre
    tac_vec3 direction; ///< 1   of any length but 0
    tac_real range;     ///< m   distance to travel, >= 0
    tac_real radius;    ///< m   of the ball, >= 0; 0: a ray
    uint16_t body;      ///<     body to ignore, TAC_NONE for none
    uint16_t group;     ///<     bits: groups that it belongs to; group and mask as in tac_shape
    uint16_t mask;      ///<     bits: groups that it hits
} tac_ray;

/// First hit of a ray. Without a hit: shape and body TAC_NONE, distance the range, point the end of the ray, n (0,0,0).
typedef struct tac_hit {
    tac_real distance; ///< m   from the origin, along the direction; 0 if it starts in a shape
    tac_vec3 point;    ///< m   on the shape's surface
    tac_vec3 n;        ///< 1   outward unit normal; for a start inside a shape the direction of the shortest way out
    uint16_t shape;    ///<     index of the shape
    uint16_t body;     ///<     index of its body
} tac_hit;

/// A force and a torque, world frame.
typedef struct tac_wrench {
    tac_vec3 force;  ///< N
    tac_vec3 torque; ///< N m   about a stated point
} tac_wrench;

/// Errors of a step, law by law, under names that others use too (Newton's solver Kamino among them). Each r_ is the
/// worst over bodies, contacts and joints, 0 where the law holds. The program has blocks with an impulse g in a set C:
/// the cone of a contact, with torsion its six rows; all numbers for a constraint of a joint; an interval for an effort
/// along a coordinate. N is its matrix, p = D'(v + free) + b the velocities of its rows without impulses, u = N g + p,
/// and u~ = u with the De Saxce term mu |u_T| in the normal row; under the relaxed law u~ = u. Compliant rows (springs,
/// bushings) have their compliance times g in u~. C* is the dual cone; d = trace(W)/3 of a block, with torsion the
/// largest row sum of |W|, of a row of a joint J M^-1 J'.
/// Where the unit is 1, velocities and impulses times d are relative to |p|, products d g.u to |p|^2.
typedef struct tac_certificate {
    tac_real r_eom;             ///< m/s equations of motion: |M^-1 r| with r = M (v+ - v - free) - D g - J'l, in the
                                ///<     metric of the mass of a body, sqrt(r'M^-1 r/m); v+ the velocity at the end of
                                ///<     the step
    tac_real r_kinematics;      ///< m/s |J v + b| over rigid constraints, at the velocities of the program; b: what the
                                ///<     arc of the motion, or prescribed motion, requires; rotations times a length
    tac_real r_contact;         ///< m   overlap of rigid contacts after the motion of the step, position projection
                                ///<     included, >= 0
    tac_real r_ncp_primal;      ///< 1   d |g - P_C(g)|: impulses outside their sets
    tac_real r_ncp_dual;        ///< 1   |u~ - P_C*(u~)|: velocities outside the dual sets
    tac_real r_ncp_compl;       ///< 1   d |g.u~|; of an interval, with g from the bound that u~ presses against
    tac_real r_natmap;          ///< 1   natural map | d (g - P_C(g - u~/d)) | over all blocks (resS, the Euclidean
                                ///<     norm): the residual of the report, with velocities computed anew from the
                                ///<     impulses and the rows of all joints
    tac_real f_ccp;             ///< J   objective 1/2 g'N g + p'g, elastic energy of compliant rows included. The
                                ///<     relaxed law minimises it
    tac_real signorini;         ///< 1   |min(d n, u_n)|: 0 if both are >= 0 and one of them is 0; relaxed law: u_n less
                                ///<     mu |u_T|
    tac_real dissipation;       ///< 1   |mu n |u_T| + g_T.u_T| d: power of friction short of its maximum
    tac_real penetration;       ///< m   deepest overlap at the start of the step, >= 0
    uint16_t open, stick, slide; ///<    contacts by mode
    uint8_t friction;           ///<     law of the answer: TAC_FRICTION_*
} tac_certificate;

/// Closest points of two bodies. If no pair of their shapes has a distance: shapes TAC_NONE, gap the largest number.
typedef struct tac_nearest {
    tac_real gap;              ///< m   negative when they overlap
    tac_vec3 a, b;             ///< m   points on the surfaces of the first and the second body
    tac_vec3 n;                ///< 1   unit, from a to b when separated; when overlapping, the direction in which b
                               ///<     separates
    uint16_t shape_a, shape_b; ///<     of the first body, of the second
} tac_nearest;

TAC_TYPES_END

#endif
