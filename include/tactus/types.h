// SPDX-License-Identifier: MIT
// types.h - what users fill and read: tac_model (what the world is), tac_state (what it does now), tac_input (what acts
// on it during one step), what tac_work shows of a step, questions and answers. No pointers in them: a copy is a copy,
// sizeof is the memory bound. SI units. World frame by default; `_b` is the body's principal frame.
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

// ----------------------------------------------------------------------------------------------------------- model

/// Default marker: the kernel derives the value from the scale of the problem, see each field.
#define TAC_AUTO ((tac_real)-1)

enum { TAC_STATIC, TAC_DYNAMIC, TAC_KINEMATIC };

/// A rigid body. Body 0 is the ground, static; no other body is.
typedef struct tac_body {
    tac_real mass;      ///< kg      > 0 if dynamic; ignored otherwise
    tac_vec3 inertia;   ///< kg m2   principal moments, > 0, each at most the sum of the others; not too small for what is
                        ///<         far out on the body: TAC_MOST_MOBILITY
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
    TAC_HEIGHT_FIELD,      ///< terrain, solid below it, `data` its index in field[]; size unused; not on dynamic bodies
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
#if TAC_ROLLING
    tac_real spinning; ///< m   most torque about the normal per newton of normal force, 0 .. 1e6; combines as friction does
    tac_real rolling;  ///< m   the same about the tangents; neither counts where there is no friction
#endif
} tac_material;

/// Overrides the rules for one pair of materials, in either order.
typedef struct tac_material_pair {
    tac_real friction;    ///< 1   0 .. 1e6
    tac_real restitution; ///< 1   0 .. 1
    uint8_t a, b;         ///<     < materials
#if TAC_ROLLING
    tac_real spinning; ///< m   0 .. 1e6
    tac_real rolling;  ///< m   0 .. 1e6
#endif
} tac_material_pair;

enum {
    TAC_SOLVER_ACCELERATED, ///< block Gauss-Seidel, inner projected steps, Nesterov momentum over sweeps, best iterate kept;
                            ///< trees of joints are eliminated, what these sweeps cannot do with joints is left to DIRECT
    TAC_SOLVER_PLAIN,       ///< projected Gauss-Seidel / SOR of the papers (TCE17 section 8, Tasora and Anitescu 2011)
    TAC_SOLVER_DIRECT,      ///< Newton's method on a factored matrix of all bodies: stacks, large ratios of mass; needs TAC_MAX_FILL
    TAC_SOLVER_AUTO         ///< DIRECT where few contacts slide, the factor has room, a Newton step costs no more than max_sweeps
                            ///< sweeps, and while it makes progress; else ACCELERATED, as always with TAC_MAX_FILL 0
};
enum {
    TAC_FRICTION_EXACT,  ///< Coulomb's law: the De Saxce term mu |v_T| is added to the normal row
    TAC_FRICTION_RELAXED ///< the papers' convex law: a contact sliding at v_T rides at a gap h mu |v_T| (NST17 section 3)
};

/// Two bodies that do not collide.
typedef struct tac_exclusion {
    uint16_t a, b; ///< < bodies
} tac_exclusion;

/// What the frame of b may do, seen from the frame of a. Kinds with a coordinate q may have a limit, a motor, friction ...
enum {
    TAC_FIXED,              ///<             nothing
    TAC_REVOLUTE,           ///< q rad       turn about z; q in (-pi, pi], with limits: within pi of their middle
    TAC_PRISMATIC,          ///< q m         slide along z
    TAC_SCREW,              ///< q rad       turn about z and slide along it by `length` q; q in (-pi, pi]
    TAC_DISTANCE,           ///< q m         anything, q is the distance of the origins: a rod, a rope, a spring
    TAC_SPHERICAL,          ///<             turn: the origins stay together
    TAC_UNIVERSAL,          ///<             turn about x of a and y of b, which stay normal to each other
    TAC_CYLINDRICAL,        ///<             turn about z and slide along it
    TAC_PLANAR,             ///<             slide along x and y, turn about z
    TAC_REVOLUTE_SPHERICAL, ///<             the origin of b stays on a circle about z of a, of radius `length`
    TAC_COUPLING,           ///< q           of two joints: q_b - `length` q_a. Gears, rack and pinion, mimic; any number of turns
    TAC_BUSHING,            ///<             anything, against springs and dampers along and about the axes of a
    TAC_JOINT_KINDS
};

/// A joint between two bodies, one of them dynamic. Units of the coordinate q: rad for a turn, m for a slide; that of a
/// coupling has the unit of q_b. The effort of what acts along q is N m or N. tac_joint_init() sets the defaults in [].
/// A coupling has no rows of its own, only its coordinate: equal limits make it rigid, other limits are a backlash, a
/// stiffness makes it elastic. What acts along it acts with this effort on q_b and with -length times it on q_a.
typedef struct tac_joint {
    tac_pose frame_a, frame_b; ///<          [0] in the bodies' own frames; COUPLING: none
    tac_real length;           ///< m, m/rad [1] REVOLUTE_SPHERICAL: > 0; SCREW: slide of a turn by one radian;
                               ///<          COUPLING: q_b of q_a by one, not 0
    tac_real lower, upper;     ///< q        [1, -1] limits of q; equal: q is held there (a rod); lower > upper: none
    tac_real friction;         ///< effort   [0] greatest dry friction, whatever the load (T03 (16), (38))
    tac_real damping;          ///< effort s/q [0] viscous
    tac_real stiffness;        ///< effort/q [0] of a spring
    tac_real rest;             ///< q        [0] where the spring is at rest
    tac_real armature;         ///< kg m2, kg [0] inertia of the rotor, times the square of its gear ratio
    tac_real effort;           ///< effort   [largest] most that the motor has, either way
    tac_real speed;            ///< q/s      [largest] > 0: up to which the motor drives, either way
    tac_real stop_stiffness;   ///< effort/q [0] of the stops at the limits; 0: hard
    tac_real stop_damping;     ///< effort s/q [0] of stops that are not hard; they never pull
    tac_vec3 along, about;     ///< N/m, N m/rad [0] BUSHING: stiffness along and about the axes of a
    tac_vec3 along_damping, about_damping; ///< N s/m, N m s/rad [0] BUSHING: damping
    uint16_t body_a, body_b;   ///<          < bodies; 0 is the ground. COUPLING: joints before it, with a q of their own
    uint8_t kind;              ///<          TAC_FIXED ...
    uint8_t collide;           ///<          [0] 1: shapes of the two bodies collide
} tac_joint;

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
/// cell is two triangles that share the edge from (i,j) to (i+1,j+1). Made by tac_model_add_height_field().
typedef struct tac_height_field {
    tac_real dx, dy;        ///< m   > 0
    tac_real scale;         ///< m   of one unit of the samples, > 0
    tac_real low, high;     ///< m   of its samples
    uint32_t first;         ///<     in height[]
    uint16_t columns, rows; ///<     of samples, >= 2
} tac_height_field;

#define TAC_JOINT_TURNS 16 ///< bound of tac_options.max_joint_turns

/// Options of the step. tac_model_init() sets the defaults in [].
typedef struct tac_options {
    tac_real tolerance;  ///< 1     [AUTO] stop when a sweep moves less than this part of what the first one had to, or
                         ///<       less than rounding does; 0: only then; AUTO: 1e-6 float, 1e-8 double
    tac_real omega;      ///< 1     [1] relaxation of TAC_SOLVER_PLAIN, 0 < omega < 2
    tac_real lambda;     ///< 1     [1] averaging of TAC_SOLVER_PLAIN, 0 < lambda <= 1
    tac_real recovery;   ///< m/s   [0] fastest separation that an overlap may cause (TCE17 footnote 5): a velocity, and it stays
    tac_real projection; ///< 1     [0.1] part of an overlap that a step takes back by moving poses, without velocity, 0 .. 1
    tac_real margin;     ///< m     [AUTO] distance below which a resting pair is in contact; AUTO: 2 % of the smaller shape
    tac_real bounce;     ///< m/s   [AUTO] approach speed below which restitution is off; AUTO: 2 |gravity| h
    uint16_t max_sweeps; ///<       [50] most solver sweeps in a step, 1 .. 10000; a sweep of DIRECT is one Newton step
                         ///<       (positions are projected by a quarter as many passes, 2 .. 8)
    uint8_t solver;      ///<       [ACCELERATED] TAC_SOLVER_*
    uint8_t friction;    ///<       [EXACT] TAC_FRICTION_*
    uint8_t warm_start;  ///<       [1] start from the impulses of the last step: 0 no, 1 yes
    uint8_t stabilise;   ///<       [0] joints: 0 end each step together; 1 are pulled together by velocities, NST17 (5c)
    uint8_t max_joint_turns; ///<   [TAC_JOINT_TURNS] most turns in which joints are put together after the solve, 0 .. TAC_JOINT_TURNS
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
#if TAC_MAX_JOINTS > 0
    uint32_t joints;         ///<        in use
#endif
    tac_real h;              ///< s      step, > 0
    tac_vec3 gravity;        ///< m/s2
    tac_options options;
    tac_body body[TAC_MAX_BODIES + 1];
    tac_shape shape[TAC_MAX_SHAPES];
    tac_material material[TAC_MAX_MATERIALS];
    tac_material_pair material_pair[TAC_MAX_MATERIAL_PAIRS];
    tac_exclusion exclusion[TAC_MAX_EXCLUSIONS];
#if TAC_MAX_JOINTS > 0
    tac_joint joint[TAC_MAX_JOINTS];
#endif
    tac_polyhedron polyhedron[TAC_MAX_POLYHEDRA]; // this and what follows: shapes' data
    tac_vec3 point[TAC_MAX_POINTS];
    tac_face face[TAC_MAX_FACES];
    tac_edge edge[TAC_MAX_EDGES];
    tac_node node[2 * TAC_MAX_FACES];
    tac_height_field field[TAC_MAX_HEIGHT_FIELDS];
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
#if TAC_ROLLING
    tac_vec3 torque; ///< N m s
#endif
} tac_warm;

/// What rounding has left over: position and velocity are the sums of what pose and twist show and of this (compensated
/// summation). In float at 1 kHz a step adds 1e-5 of a velocity; without this its last digits would be lost each time.
typedef struct tac_carry {
    tac_vec3 p; ///< m
    tac_vec3 v; ///< m/s
    tac_vec3 w; ///< rad/s
} tac_carry;

/// Number of rows of a joint; the last is that of its coordinate. Rows are in m/s, turns times a length: joint_rows.h.
#define TAC_JOINT_ROWS 6

/// What acts along the coordinate of a joint.
enum { TAC_BOX_PASSIVE, TAC_BOX_MOTOR, TAC_BOX_FRICTION, TAC_BOX_LIMIT, TAC_BOXES };

/// Impulses of a joint in the last step.
typedef struct tac_joint_warm {
    tac_real row[TAC_JOINT_ROWS]; ///< N s   of the constraints; COUPLING: row[0] its turns, of b less length times those of a
    tac_real box[TAC_BOXES];      ///< N s   along the coordinate
} tac_joint_warm;

/// What the world does now. Written by tac_step() only; a copy is a snapshot.
typedef struct tac_state {
    uint64_t step;          ///< steps taken since tac_state_init(); time is step h
    uint32_t model_hash;    ///< of the model that it belongs to
    uint16_t warm_count;    ///< in use of warm[]
    uint16_t contacts_peak; ///< most contacts of any step since tac_state_init(), dropped ones included; size your config by it
    uint16_t warm_unsolved; ///< 1 if the last step ended before its solve met the tolerance, else 0
    tac_pose pose[TAC_MAX_BODIES + 1];   ///< of the principal frames
    tac_twist twist[TAC_MAX_BODIES + 1];
    tac_carry carry[TAC_MAX_BODIES + 1];
    tac_warm warm[TAC_MAX_CONTACTS];     ///< sorted as the contacts were
#if TAC_MAX_JOINTS > 0
    tac_joint_warm joint[TAC_MAX_JOINTS];
#endif
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

/// What a motor is asked for. All but EFFORT are implicit: they see the position and velocity at the end of the step.
enum {
    TAC_MOTOR_EFFORT,   ///< effort, as it is
    TAC_MOTOR_PD,       ///< stiffness (position - q) + damping (velocity - dq/dt) + effort
    TAC_MOTOR_VELOCITY, ///< dq/dt = velocity, with whatever effort it takes
    TAC_MOTOR_POSITION, ///< q = position at the end of the step, with whatever effort it takes
    TAC_MOTOR_KINDS
};

/// One motor, held over the step, never beyond the effort of its joint; targets beyond its speed count as that. EFFORT and PD
/// do not drive beyond the speed, nor brake what is faster. VELOCITY and POSITION of a joint whose effort is the largest number
/// are prescribed motion: only hard limits stop it. A place is the nearest one, whole turns apart, where a joint without limits
/// has turned past it. Of several on one joint the last counts.
typedef struct tac_motor {
    tac_real position;  ///< q
    tac_real velocity;  ///< q/s
    tac_real effort;    ///< effort
    tac_real stiffness; ///< effort/q     >= 0
    tac_real damping;   ///< effort s/q   >= 0
    uint16_t joint;     ///<              < joints, of a kind with a coordinate
    uint16_t kind;      ///<              TAC_MOTOR_EFFORT ...
} tac_motor;

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

/// One contact, as the last step left it. Valid until the next step that uses this work area.
typedef struct tac_contact {
    tac_feature id;
    uint16_t body_a, body_b; ///<       body_a < body_b; 0 is the ground
    uint8_t mode;            ///<       TAC_OPEN (no impulse), TAC_STICK (inside its set), TAC_SLIDE (on its rim)
    tac_vec3 point;          ///< m     midway between the surfaces
    tac_vec3 n, u, w;        ///< 1     orthonormal; n points from a to b
    tac_real gap;            ///< m     at the start of the step; negative when they overlap
    tac_real mu;             ///< 1     combined Coulomb coefficient
    tac_real restitution;    ///< 1     combined Newton coefficient
    tac_vec3 impulse;        ///< N s   on b, in (n,u,w); over the whole step
    tac_vec3 bounce;         ///< N s   besides: of the impacts within the step, where bodies without joints bounce
    tac_vec3 velocity;       ///< m/s   of b relative to a, in (n,u,w), at the end of the step
#if TAC_ROLLING
    tac_real spinning, rolling; ///< m     combined resistances, as in tac_material
    tac_vec3 torque;            ///< N m s impulse of the torques on b, about (n,u,w)
#endif
} tac_contact;

/// One joint, as the last step left it. Valid until the next step that uses this work area.
typedef struct tac_joint_result {
    tac_vec3 force, torque; ///< N, N m   that the joint exerts on b, at the origin of its frame; world; mean of the step.
                            ///<          Rounding: about eps m (|v| + |w||p|)/h of bodies at p; below 1 % of the weight at 1 ms
                            ///<          in float, also 10 m away; by h: src/step/README.md
                            ///<          All of it: constraint, motor, friction, spring, limit. COUPLING: on b of its joint b
                            ///<          Where loops leave a choice, the least (rows in m/s, weighed by J M^-1 J'; while
                            ///<          the direct solver is in force)
    tac_real effort[TAC_BOXES]; ///< N m, N   along the coordinate, by what it comes from
} tac_joint_result;


/// What a step did. Written in full by every step, whatever it returns.
typedef struct tac_report {
    tac_status status;    ///<       what the step returned
    tac_fault fault;      ///<       if refused: why
    uint16_t contacts;    ///<       in use, <= TAC_MAX_CONTACTS
    uint16_t dropped;     ///<       contacts that found no room; the deepest are kept
    uint16_t sweeps;      ///<       solver sweeps spent, <= max_sweeps; tac_step_sweep() with it replays the step to the bit
    uint16_t impacts;     ///<       impulses of bounces within the step; after 16 times the contacts, or 256 if that is more,
                          ///<       what still approaches is stopped, as with e = 0
    uint8_t friction;     ///<       law of the answer: TAC_FRICTION_*
#if TAC_MAX_JOINTS > 0
    uint8_t joint_turns;  ///<       times that the joints were put together after the solve, <= max_joint_turns
#endif
    tac_real residual;    ///< 1     natural-map residual resS of the answer under that law, relative to |p|: src/solve/README.md
    tac_real penetration; ///< m     deepest overlap at the start of the step, >= 0
#if TAC_MAX_JOINTS > 0
    tac_real joint_error; ///< m     worst violation of a joint at the end of the step, turns times a length
#endif
    tac_real kinetic;     ///< J     at the end of the step
    tac_real potential;   ///< J     at the end of the step: -sum m g.x
} tac_report;

// --------------------------------------------------------------------------------------------------------- queries

/// Coordinate of a joint; zero where its kind has none.
typedef struct tac_joint_state {
    tac_real position; ///< q
    tac_real velocity; ///< q/s
} tac_joint_state;

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

/// How good the impulses of a step are, law by law: each error its worst over the contacts, relative to |p| (m/s), that of
/// dissipation to |p|^2. With g = (n, u, w) the impulse, d = trace(W)/3 and v the velocity D'v + b of the cone program:
typedef struct tac_certificate {
    tac_real residual;          ///< 1   natural-map residual resS of all contacts: src/solve/README.md
    tac_real signorini;         ///< 1   |min(d n, v_n)|, zero where one is 0 and the other is not negative; relaxed law: v_n less mu |v_T|
    tac_real cone;              ///< 1   d times the distance of g from its cone
    tac_real dissipation;       ///< 1   d times the power that friction could take and does not, |mu n |v_T| + g_T.v_T|
    tac_real penetration;       ///< m   deepest overlap at the start of the step, >= 0
    uint16_t open, stick, slide; ///<    contacts by mode
    uint8_t friction;           ///<     law of the answer: TAC_FRICTION_*
} tac_certificate;

/// Where two bodies are nearest. If they have no two shapes that have a distance: shapes TAC_NONE, gap the largest number.
typedef struct tac_nearest {
    tac_real gap;              ///< m   negative when they overlap
    tac_vec3 a, b;             ///< m   of the surface of the first body, of the second
    tac_vec3 n;                ///< 1   unit, from a to b when they are apart; the shortest way out for b when they overlap
    uint16_t shape_a, shape_b; ///<     of the first body, of the second
} tac_nearest;

TAC_TYPES_END

#endif
