// SPDX-License-Identifier: MIT
// work.h - tac_work: scratch and results of one step. The type is complete so that it can be placed in memory, but only
// the report, the contacts and the joint results (types.h) are for users.
#ifndef TACTUS_WORK_H
#define TACTUS_WORK_H

#include "tactus/types.h"

TAC_TYPES_BEGIN

/// Scratch of the solver: the three further rows of a contact that resists spinning or rolling. They are the rotations
/// about n, u, w, scaled by `axis` so that the set of all six rows is a circular cone (src/rows/torsion.h).
typedef struct tac_torsion {
    tac_vec3 axis;       ///< m       semi-axes of the set: torque impulse / axis counts as an impulse
    tac_vec3 j[2][3];    ///< m       Jacobian: axis times the angular part of these rows, for a and b
    tac_vec3 bias;       ///< m/s     relative velocity of these rows at the start of the step
#if TAC_MAX_SURFACES > 0
    tac_vec3 slip; ///< m/s     the part of `bias` that moving surfaces have
#endif
    tac_vec3 own_weight; ///< 1/kg    diagonal of W for these rows
    tac_real weight;     ///< 1/kg    largest absolute row sum of W, six rows
    union {
        struct {
            tac_real normal;     ///< 1/kg W_nn
            tac_real couple[5];  ///< 1/kg W_nT in the basis below
            tac_real value[5];   ///< 1/kg eigenvalues of W_TT
            tac_real mean;       ///< 1/kg mean of the eigenvalues
            tac_real base[5][5]; ///< 1    eigenvectors of W_TT, in columns
        } sweep;                 ///<      accelerated solver
        struct {
            tac_vec3 z, dz; ///< N s  as in tac_block
        } newton;           ///<      direct solver
    } own;                  ///<      scratch of the solver in use
} tac_torsion;

/// A surface in a step (src/rows/contact_rows.h): v(x) = linear + angular x (x - point), world frame.
typedef struct tac_surface_motion {
    tac_vec3 linear;  ///< m/s
    tac_vec3 angular; ///< rad/s
    tac_vec3 point;   ///< m
    uint16_t shape;
} tac_surface_motion;

/// Scratch of the solver: one contact's Jacobian in body coordinates and its block of N = D' M^-1 D.
typedef struct tac_block {
    uint16_t body[2];  ///<         a and b; the ground is 0 and always a
    uint32_t first;    ///<         its first row in the arrays of tac_solve_scratch
    tac_vec3 frame[3]; ///< 1       n, u, w: the linear part of D for b, its negative for a
    tac_vec3 j[2][3];  ///< m       angular part of D for a (not the ground) and b, rows n, u, w
    tac_sym3 w;        ///< 1/kg    W = D_i' M^-1 D_i; this and the next two start at zero
    tac_real push;     ///< kg m/s  multiplier of the position projection
    union {
        struct {
            tac_sym3 inv_w;          ///< kg      W^-1
            tac_real step_n, step_t; ///< kg      step lengths of the projected gradient, normal and tangential
            tac_real weight;         ///< 1/kg    trace(W)/3
        } sweep;                     ///<         accelerated solver
        struct {
            tac_vec3 z, dz;  ///< N s     argument of the projection: the impulse is P_K(z); its Newton step
            tac_real lift;   ///< m/s     De Saxce term mu |u_T|, latest estimate
            tac_real weight; ///< kg      1/R of the proximal term
            int32_t mode;    ///<         mode of P_K at z when the matrix was factored
        } newton;            ///<         direct solver
        struct {
            tac_vec3 impulse; ///< N s   impulse of the current impact
            tac_vec3 kick;    ///< m/s   change of the relative velocity by applied forces over the step
            tac_real time;    ///< 1     time of the next impact as a fraction of the step; above 1: none
            tac_real slack;   ///< 1     uncertainty of that time
            tac_real leave;   ///< m/s   normal velocity after the current impact; 0 if the contact takes no part in it
        } impact;             ///<       step/impact.h, before the solve
        struct {
            tac_real overlap;  ///< m     at the end of the step, with the velocities of the solve
            tac_real need;     ///< m/s   least pseudo-velocity along n that the contact requires
            tac_real rounding; ///< m     uncertainty of its gap
            tac_real residual; ///< m/s   unmet part of `need`, at the multipliers when it was last computed
            tac_real soft;     ///< 1/kg  with joints: compliance that lets joints have priority over it
            tac_real weight;   ///< kg    direct: 1/R of the proximal term
            tac_real least;    ///< N s   least multiplier: 0, or none where a gap has to close
            int32_t pushes;    ///<       1 if the contact is in the matrix
        } project;             ///<       position projection, after the solve
        struct {
            tac_vec3 dz;  ///< N s     change of the argument of the projection along the search direction
            tac_vec3 dg;  ///< N s     change of the impulse in the last iteration
            int32_t face; ///<         face of the cone that holds the impulse, as a mode
        } least_norm;     ///<         query/least_norm.h, after the step
        struct {
            tac_vec3 arm;     ///< m     from the centre of the contacts of its two bodies
            tac_vec3 g;       ///< N s   its share of their load
            tac_real slip[2]; ///< 1     its tangential impulse at a normal one of 1, while it slides
            uint16_t next;    ///<       the next contact of these bodies
            uint16_t face;    ///<       how it shares their load, as a mode: TAC_OPEN keeps its impulse
        } share;              ///<       solve/share.h, after the solve (TAC_SHARED_LOADS)
        struct {
            tac_vec3 slide; ///< 1     its force at a normal force of 1, while it slides
        } instant;          ///<       t03/instant.h
    } own;                  ///<         scratch of the solver in use, then of the step
    tac_vec3 bias;          ///< m/s     relative velocity at the start of the step, plus b in the normal row
#if TAC_MAX_SURFACES > 0
    tac_vec3 slip; ///< m/s     the part of `bias` that moving surfaces have
#endif
    tac_real target;        ///< m/s     b of the normal row alone
    tac_real drift;         ///< m/s     part of `bias` in the normal row that is no velocity of the bodies, nor b
    tac_real soft;          ///< 1/kg    C of the normal row (rows/contact_rows.h); 0: rigid
    tac_real mu;            ///< 1       friction coefficient of its cone
    uint8_t rows;           ///<         3, or 6 if it resists spinning or rolling
    uint8_t rolls;          ///<         ROLLS_NOT ... (rows/contact_rows.h)
#if TAC_FRICTION_LAWS
    tac_real across; ///< 1       of its contact; frame[2] and its angular part are times this
#endif
#if TAC_ROLLING
    tac_torsion torsion; ///<         used if rows == 6
#endif
} tac_block;

/// Most contact points of one pair of shapes before they are reduced: the points kept so far of a surface, and those of
/// one more of its triangles.
#define TAC_PAIR_POINTS (TAC_CONVEX ? 24 : 8)

/// Most corners of a clipped face.
#define TAC_CLIP_CORNERS (TAC_CONVEX ? 16 : 8)

/// Most corners of a face that are used for a contact.
#define TAC_SUPPORT_CORNERS 8

/// Most corners of the expanding polytope of two overlapping shapes (EPA).
#define TAC_DEEP_POINTS (TAC_CONVEX ? 32 : 4)

/// Scratch: a vector, also accessible by the number of the axis.
typedef union tac_axes {
    tac_vec3 v;
    tac_real k[3];
} tac_axes;

/// Scratch of one pair of shapes: a contact point before it enters the table.
typedef struct tac_point {
    tac_axes at;      ///< m   midway between the surfaces
    tac_vec3 n;       ///< 1   unit, outwards from the own shape of the pair
    tac_real gap;     ///< m
    tac_real room;    ///< m   how far it is within the border of its face; negative if it has none
    uint32_t feature; ///<     as in tac_feature
} tac_point;

/// Scratch: corner of a polygon, or end of a segment, during clipping.
typedef struct tac_corner {
    tac_axes x;    ///< m
    uint16_t edge; ///<     label of the edge from this corner to the next
} tac_corner;

/// Scratch: supporting feature (face, edge or vertex) of a shape in a direction.
typedef struct tac_support_feature {
    tac_vec3 x[TAC_SUPPORT_CORNERS]; ///< m
    tac_vec3 n;                      ///< 1   outward normal of a face; for an edge or vertex the direction itself
    uint16_t count;                  ///<     number of corners
    uint16_t name;                   ///<     identifies the face of the shape, below 256
} tac_support_feature;

/// Scratch: the core of a shape: the shape is the core with a ball of `radius` swept over it.
typedef struct tac_core {
    tac_axes centre;  ///< m
    tac_vec3 axis[3]; ///< 1   unit
    tac_axes half;    ///< m   half lengths along the axes; sphere: 0, capsule: 0 except along z
    tac_real radius;  ///< m   of the ball
    uint16_t kind;    ///<     TAC_BOX also for sphere, capsule and half-space: boxes with half lengths 0 or infinite
    uint16_t data;    ///<     index of the polyhedron
} tac_core;

/// Scratch: a triangle of a mesh or height field, counter-clockwise when seen from outside.
typedef struct tac_triangle {
    tac_vec3 x[3];      ///< m
    tac_vec3 n;         ///< 1   unit, outwards
    tac_vec3 beyond[3]; ///< m   farthest corner of the adjacent triangle across the edge from x[i] to the next
    uint16_t rim;       ///<     bits: boundary edges, without an adjacent triangle
    uint16_t index;     ///<     of the triangle, for the feature ids of its points
} tac_triangle;

/// Scratch: the simplex of the GJK search for the nearest points of two cores.
typedef struct tac_simplex {
    tac_vec3 w[4];    ///< m   points of the Minkowski difference: of the other core, displaced, minus of the own
    tac_vec3 x[4];    ///< m   the points of the other core
    tac_real part[4]; ///< 1   barycentric coordinates of the point nearest to the origin
    int count;
} tac_simplex;

/// Scratch: a face of the polytope below, counter-clockwise when seen from outside.
typedef struct tac_facet {
    tac_vec3 n;        ///< 1   unit, outwards
    tac_real d;        ///< m   n.w on the facet
    uint8_t corner[4]; ///<     three in use
} tac_facet;

/// Scratch: the expanding polytope inside the Minkowski difference of two overlapping shapes.
typedef struct tac_polytope {
    tac_vec3 w[TAC_DEEP_POINTS];
    tac_facet facet[2 * TAC_DEEP_POINTS];
    uint8_t edge[2 * TAC_DEEP_POINTS][2]; ///< horizon: boundary of the faces visible from a new corner
    int points, facets, edges;
} tac_polytope;

/// Scratch of the narrow phase, one pair at a time, in the frame of one of its two shapes: the own shape.
typedef struct tac_pair {
    uint16_t points;                 ///< in use
    uint16_t kept;                   ///< of these, points of earlier triangles
    uint16_t own_shape, other_shape; ///< indices of the shapes
    tac_core own, other;
    tac_triangle triangle; ///<     own shape a mesh or height field: the current triangle, used as its core
    tac_real thickness;    ///< m   of the thinner shape
    tac_real size;         ///< m   of the Minkowski difference of the cores: scale of rounding errors
    tac_real margin;       ///< m   gap below which a resting pair is in contact
    tac_real max_gap;      ///< m   largest gap at which a point becomes a contact
    tac_point point[TAC_PAIR_POINTS];
    tac_point fallback;             ///<     surfaces: the point used if no triangle yields one
    tac_support_feature support[2]; ///<     supporting features of the own shape and of the other
    union {
        tac_corner corner[2][TAC_CLIP_CORNERS + 1]; ///< before and after a clip
        tac_simplex simplex;
        tac_polytope polytope;
    } scratch;
} tac_pair;

/// Scratch of a cast: state of the search for the first contact of a moving ball with one shape, in that shape's frame.
typedef struct tac_cast_search {
    tac_vec3 o, d;     ///< m   centre of the ball at t = 0; unit direction
    tac_real from, to; ///< m   interval of t that is searched; `to` is reduced to the first hit
    tac_real base;     ///< m   distance travelled before t = 0
    tac_real rounding; ///< m   gaps below this count as zero
    tac_real t, gap;   ///< m   current position of the search, and the gap there
    tac_vec3 n;        ///< 1   outward normal of the shape there
    tac_vec3 clear_n;  ///< 1   last normal that rounding has not spoiled
    tac_real hit_gap;  ///< m   gap at the hit: 0 but for rounding, negative if the ball starts inside
    tac_vec3 hit_n;    ///< 1   normal at the hit
    int32_t hit;       ///<     1 if there is a hit, at `to`
} tac_cast_search;

/// Scratch of a distance query, in the frame of the own shape of a pair: the closest points so far.
typedef struct tac_best {
    tac_vec3 own, other; ///< m   points of the cores
    tac_vec3 n;          ///< 1   outwards from the own core
    tac_real gap;        ///< m   only smaller gaps are accepted
    int32_t found;       ///<     1 if points have been found
} tac_best;

/// Scratch of one body: mass and inverse mass. All zero if it is not dynamic.
typedef struct tac_moving {
    tac_real mass;        ///< kg
    tac_vec3 inertia;     ///< kg m2       principal moments
    tac_real inv_mass;    ///< 1/kg
    tac_vec3 inv_inertia; ///< 1/(kg m2)   of the principal moments
} tac_moving;

/// Scratch of one shape: pose and velocity during free motion.
typedef struct tac_placed {
    tac_pose pose;      ///<       world
    tac_vec3 v, w;      ///< m/s   of its origin, rad/s; both in the world frame
    tac_real radius;    ///< m     of the bounding sphere; negative for a half-space
    tac_real thickness; ///< m     smallest half extent
    tac_real speed;     ///< m/s   bound on the speed of all points of a bounded shape
    tac_real reach;     ///< m     radius of a sphere around all that it may be in contact with in this step
    tac_real driven;    ///< m/s   how much faster efforts of joints may make its points in this step
    tac_vec3 fall;      ///< m     way that forces alone move its body in this step; world
} tac_placed;

/// Scratch: a pair of shapes that approach each other in this step.
typedef struct tac_arrival {
    tac_real time;     ///< 1   fraction of the step after which the planes of the start meet
    uint16_t shape[2]; ///<     in the order of their bodies
} tac_arrival;

/// Scratch: one of both shapes of such a pair while it is looked at.
typedef struct tac_arrival_side {
    tac_pose body, shape; ///< at the start of the step
    tac_vec3 v, w;        ///< m/s, rad/s  mean velocities of the body in the step, world
    uint16_t index;
} tac_arrival_side;

/// Scratch: what a look at such a pair needs.
typedef struct tac_arrival_search {
    tac_arrival_side side[2];       ///<     in the order of their bodies
    tac_real flush, rounding, bend; ///< m
    uint16_t own, other;            ///<     shapes that directions point from and to
    uint8_t carried;  ///<     1: directions are in the frame of the own shape, which carries them; 0: in the world
    uint8_t triangle; ///<     1: the own shape is the current triangle of a surface
} tac_arrival_search;

/// Most pairs that arrive in one step: a shape in a corner may have three, and each of them makes a contact.
#define TAC_MAX_ARRIVALS (TAC_MAX_CONTACTS)

/// Up to so many shapes all pairs are listed, which costs less than any search. With more, pairs are kept for the next
/// step if there are at most so many for each shape, and serve while at most one of so many shapes leaves its box.
#define TAC_FEW_SHAPES 48
#define TAC_PAIRS_A_SHAPE 8
#define TAC_LOOSE_SHAPES 32

/// What the broad phase keeps for the next step: pairs of shapes whose boxes, somewhat larger than that step needed,
/// overlap. They are all that can meet while shapes stay in these boxes. No result depends on what is kept.
typedef struct tac_pairs {
    uint32_t model_hash; ///<     of the model that they are of; its complement, or anything else: none are kept
    uint32_t steps;      ///<     that they have served in; with the complement: that are to go before any are kept
    uint32_t count;
    uint16_t shape[TAC_PAIRS_A_SHAPE * TAC_MAX_SHAPES][2]; ///< in order
    tac_real bound[TAC_MAX_SHAPES][6];                     ///< m   of the box of each shape, as in tac_node
} tac_pairs;

/// Scratch of the geometry floor.
typedef struct tac_collision {
    tac_placed placed[TAC_MAX_SHAPES];
    tac_pair pair;
    union {
        tac_cast_search cast;
        tac_arrival_search search;
        struct {
            tac_best best[2];    ///< best so far; current candidate
            tac_nearest nearest; ///< of two bodies, best so far
            tac_placed shape;    ///< a query shape that is not in the model
        } near;
    } query;                           ///< one at a time: a ray, a query shape, a pair that arrives
    tac_node node[2 * TAC_MAX_SHAPES]; ///< bounding boxes: tree 0 of shapes of dynamic bodies, tree 1 of all others
    uint16_t tree[3];                  ///< tree k is node[tree[k + 1]] to node[tree[k] - 1]
    uint16_t leaf[TAC_MAX_SHAPES];     ///< index in node[] of the box of a shape; TAC_NONE: it meets none in the lists
    uint16_t near[TAC_MAX_SHAPES];     ///< shapes of higher index with boxes that overlap the box of the current shape
    uint16_t loose[TAC_MAX_SHAPES / TAC_LOOSE_SHAPES + 1]; ///< shapes that have left the boxes of tac_pairs, in order
    uint16_t looses;                                       ///< in use in loose[]
    uint32_t listed;                                       ///< pairs of tac_pairs that have been listed
    tac_arrival arrival[TAC_MAX_ARRIVALS];
    uint16_t arrivals; ///< in use in arrival[]
    uint16_t strikes;  ///< 1: a contact has to stop bodies that come farther than the margin in a step
    tac_vec3 course[TAC_MAX_BODIES + 1]; ///< m/s  mean velocity of each body in this step, as far as it is foreseen
    tac_real driven[TAC_MAX_JOINTS > 0 ? TAC_MAX_BODIES + 1 : 1]; ///< m/s  written by rows/driven.h: how much faster
                                                                  ///<      efforts of joints may make points of a body
    uint8_t bears[TAC_MAX_JOINTS > 0 ? TAC_MAX_BODIES + 1 : 1]; ///< 1: its contacts, or those of what hangs on it, have
                                                                ///< borne a force in the last step
#if TAC_MAX_JOINTS > 0
    uint16_t
        mechanism[TAC_MAX_BODIES + 1]; ///< of each body: the first of the dynamic bodies that joints connect it with
#endif
} tac_collision;

/// Rows of the cone program: of each contact three, and three about n, u, w with TAC_ROLLING; of each joint its
/// constraints, and what acts along its coordinate.
#define TAC_CONTACT_ROWS (TAC_ROLLING ? 6 : 3)
#define TAC_LINK_ROWS ((int)TAC_JOINT_ROWS + (int)TAC_EFFORTS)

/// Scratch: one row of a joint's Jacobian: rate = linear.(v_b - v_a) + angular[1].w_b + angular[0].w_a.
typedef struct tac_row {
    tac_vec3 linear;     ///< 1
    tac_vec3 angular[2]; ///< m
} tac_row;

/// Scratch: an effort along a coordinate, with bounds: lo <= impulse = P(centre - weight (u + bias)) <= hi.
typedef struct tac_interval {
    tac_real lo, hi;            ///< N s
    tac_real bias;              ///< m/s   hard: velocity at the start of the step minus the target velocity; soft: 0
    tac_real weight;            ///< kg    soft: slope of the effort; hard: 1/R of the proximal term
    tac_real centre;            ///< N s   soft: impulse at an unchanged velocity
    uint8_t used, hard, inside; ///<      used: acts in this step; hard: constrains the velocity, else a spring and
                                ///<      damper; inside: strictly between its bounds, a row of the factored matrix
} tac_interval;

/// Scratch of one joint. If the kind has a coordinate, the last row is that of the coordinate: intervals act there, and
/// no constraint unless the coordinate is held. A coupling uses the last row for its joint b and the one before for its
/// joint a. Rows that are not constraints are the free motions of the joint.
typedef struct tac_joint_block {
    uint16_t motor;       ///<       command of the input that drives the joint, TAC_NONE if none does
    uint8_t rule;         ///<       what its constraints require of velocities: JOINT_ARC ... (joint_drift.h)
    uint8_t ends;         ///<       number of entries of body[] in use: 2 or 4
    uint8_t kind;         ///<       TAC_REVOLUTE, ...
    uint8_t eliminates;   ///<       1 if its free motions do not depend on its position: it may be part of a tree
    uint8_t connects;     ///<       1 if its constraints connect two bodies and may close a loop
    uint8_t closes;       ///<       1 if it is in no tree: it closes a loop, or is a coupling, rod or bushing
    uint8_t always;       ///<       bits: rows that are constraints in all steps,
    uint8_t constraints;  ///<       and in this one
    uint8_t coordinate;   ///<       1 if the last row is that of a coordinate
    uint8_t acts;         ///<       1 if an effort acts along the coordinate: else no interval is looked at
    uint8_t target;       ///<       1 if a constraint holds the coordinate
    uint8_t driven;       ///<       1 if this constraint is prescribed motion
    uint8_t violated;     ///<       1 if constraints were violated at the start of the step
    uint8_t loose;        ///<       1 if their errors were more than a few roundings
#if TAC_SWITCHES
    uint16_t out;         ///<       1 if it is out of force: it has no constraints, no efforts, and is of no tree
#endif
    uint16_t body[4];     ///<       a and b; of a coupling, those of its joint b, then those of its joint a
    uint32_t first;       ///<       its first row in tac_solve_scratch: constraints, then intervals
    tac_real demanded;    ///< m/s   rate that takes the coordinate to the limit that holds it
    tac_real least, most; ///< m/s   position projection: bounds of the pseudo-velocity of the coordinate,
    tac_real push;        ///< kg m/s  and its multiplier
    tac_real yields;      ///< kg    impacts: weight of the passive interval, which has the rotor meanwhile
    tac_real length;      ///< m     scales rotations to lengths
    tac_real lead;        ///< m     screw: translation per radian; else 0
    tac_real scale;       ///< m, 1  of the coordinate's row: `length` for a rotation, 1 for a translation
    tac_real drive[2]; ///< 1/kg  rows/driven.h: how fast an impulse along the coordinate makes, at the most, points of
                       ///<       what hangs on the joint, and of the body that it hangs on
    tac_real speed;    ///< m/s   bound on the speeds of its bodies in this step: scale of the rounding of a row
    tac_real setpoint; ///< q     value at which a constraint or an active limit holds the coordinate
    tac_real error;    ///< m     worst error of its constraints at the start of the step
    tac_real rounding; ///< m     rounding of this error, from that of the poses
    tac_pose frame[2]; ///< m, 1  frames of a and b in the principal frames of their bodies
    union {
        tac_vec3 about[2]; ///< 1  their z axes, likewise
        struct {
            tac_real expected[2]; ///< q  coordinates of its joints b and a at the end of the step, predicted
            tac_real revolutions; ///< 1  of its joint b minus length times those of a
        } coupling;               ///<    which has no frames
    } of;
    tac_vec3 axis[3];  ///< 1     axes of frame a, world
    tac_vec3 across;   ///< 1     UNIVERSAL: y axis of frame b; of a rod: the direction from a to b; world
    tac_vec3 arm[2];   ///< m     from the centres of mass of a and b to the origin of frame b, world
    tac_vec3 drift[2]; ///< rad/s, m/s  of the motion of b relative to a that the velocities at the start of the step
                       ///<       make, half a step of curvature included, the part that the constraints forbid:
                       ///<       rotation; translation at the origin of frame b
    tac_vec3 off[2];   ///< rad, m  errors of the constraints at the start of the step, as such a motion
    tac_row row[TAC_JOINT_ROWS]; ///< rows: of a coordinate always; of constraints of a joint that may be part of a tree
                                 ///< after joints_make_rows()
    tac_real w[TAC_JOINT_ROWS];  ///< 1/kg  J M^-1 J', diagonal
    tac_real bias[TAC_JOINT_ROWS];  ///< m/s   velocity at the start of the step, plus b
    tac_real bounce[TAC_LINK_ROWS]; ///< N s   impulses transmitted by impacts within the step, if there were any
    tac_real arc[TAC_LINK_ROWS];    ///< N s   impulses that keep the motion on the arc of the joint, after the solve
    tac_real soft[TAC_JOINT_ROWS];  ///< 1/kg  compliance of a constraint, 0 if it is rigid
    tac_real advance;               ///< m     prescribed change of the coordinate in this step
    tac_real stored;                ///< J     most that its springs can supply in this step
    tac_interval interval[TAC_EFFORTS];
#if TAC_MAX_LCP > 0
    tac_real borne[TAC_EFFORTS]; ///< N s   impulses of these in the step whose derivative is made
#endif
} tac_joint_block;

#define TAC_ROWS (TAC_MAX_CONTACTS * TAC_CONTACT_ROWS + TAC_MAX_JOINTS * TAC_LINK_ROWS)

/// Most nodes of a factor: bodies, then joints. Without joints and sparse matrix none is factored.
#define TAC_NODES (TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0 ? TAC_MAX_BODIES + 1 + TAC_MAX_JOINTS : 1)

/// Scratch: six numbers for each node of a factor, as twists of bodies, node by node, or in one row. A factor may order
/// those of a body in its own way while it solves; those of a joint belong to its rows.
typedef union tac_sixes {
    tac_twist twist[TAC_NODES];
    tac_real x[TAC_NODES][6];
    tac_real flat[6 * TAC_NODES];
} tac_sixes;

/// Elements of an array that a configuration may do without: in C it has one at least. Nothing reads or writes it
/// there.
#define TAC_ONE_OR(count) ((count) > 0 ? (count) : 1)

/// Those of the sparse factor: joints are nodes of it for TAC_DAE alone.
#define TAC_SPARSE_NODES (TAC_MAX_FILL == 0 ? 1 : TAC_MAX_BODIES + 1 + TAC_DAE * TAC_MAX_JOINTS)

/// Scratch: block (row, column) below the diagonal of a sparse factor; during ordering, an edge of the graph.
typedef struct tac_fill {
    tac_real x[6][6];
    uint16_t node[2]; ///< column, row; in any order during ordering
    uint16_t next[2]; ///< next block in the list of each node; in the factor, next[0] is the next block of the column
} tac_fill;

/// Scratch: diagonal block of a sparse factor.
typedef struct tac_pivot {
    tac_real x[21];    ///< lower triangle, row by row; the diagonal of a factor inverted
    tac_real least[6]; ///< lower bounds of the pivots, except for rounding: the diagonal of M
    uint16_t first;    ///< first block of its list in fill[], TAC_NONE if there are none
    uint16_t degree;   ///< neighbours that are not eliminated
    uint16_t place;    ///< position in the order of elimination
    uint16_t mark;     ///< scratch of a search: the neighbour whose list is walked, or an index of fill[]
    int8_t sign;       ///< -1: the block is negative definite
    uint8_t waits;     ///< number of its neighbours that must be eliminated first
} tac_pivot;

/// Scratch of the direct solver: a symmetric matrix of 6x6 blocks, one row per body or joint, and its factor.
typedef struct tac_sparse {
    tac_pivot pivot[TAC_SPARSE_NODES];
    tac_fill fill[TAC_ONE_OR(TAC_MAX_FILL)];
    uint16_t order[TAC_SPARSE_NODES]; ///< nodes in use, in the order of elimination
    uint16_t nodes;                   ///< in use in order[]
    uint16_t fills;                   ///< in use in fill[]
} tac_sparse;

/// Scratch: a body of a tree of joints (F08, chapter 7). Motions are (w, v) and forces (torque, force) about one point
/// of the tree, world frame.
typedef struct tac_tree_body {
    uint16_t joint, parent; ///<                  joint to its parent, TAC_NONE for a root; parent, TAC_NONE if not
                            ///<                  dynamic
    uint16_t mark;          ///<                  of a search: the row that acts on it, its group, the root of its tree
    uint8_t axes;           ///<                  free motions of its joint
    uint8_t placed;         ///<                  1 when its place in the tree is known
    uint8_t carries;        ///<                  1 if a body hangs on it
    uint8_t is_b;           ///<                  1 if it is b of its joint
    tac_real inertia[21];   ///< kg m2, kg m, kg  articulated inertia seen through its joint; of a root, its factor
    tac_real s[3][6];       ///< 1/m, 1           free motions of its joint
    tac_real u[3][6];       ///< kg^1/2 m, kg^1/2 articulated inertia times s, scaled
    tac_real scale[3];      ///< kg^-1/2          1/sqrt(s' inertia s + slope), axis by axis
    tac_real pull[3];       ///< kg^1/2 m/s       impulse along s, scaled
    union {
        tac_vec3 spin;     ///< rad/s        rows/joints.h: mean angular velocity in this step without impulses, world
        tac_real given[6]; ///< N m s, N s   impulse that is there before any of the rows, motions c counted
    } m;
    tac_real constant; ///< N s              likewise along the coordinate of its joint
    tac_real effort;   ///< N s              impulse along the coordinate of its joint; 0 between solutions
    union {
        tac_real motion[6];   ///< rad/s, m/s       demanded by the constraints of its joint, relative to the parent;
                              ///<                  dual/trees.h: the sum of these from its root
        tac_real momentum[6]; ///< N m s          step/tree_motion.h: angular momentum at the start of the step; what
                              ///<                the motion lacks of it
    } c;
    union {
        tac_real impulse[6]; ///< N m s, N s      solution: transmitted to it by its joint
        tac_real mean[6];    ///< rad/s, m/s       step/tree_motion.h: mean velocity, angular in the principal frame
    } f;
    union {
        tac_real solved[3]; ///< m/s              solution: rates of its free motions
        tac_real turn[3];   ///< rad/s            step/tree_motion.h: mean angular velocity that the solve leaves,
                            ///<                  principal frame; until the first solution
    } q;
    tac_real speed[2]; ///< m/s, rad/s       bounds on its speeds in this step, linear and angular
    tac_real far;      ///< m                of the origin of the world: scale of the rounding of its position
    tac_real rate[3];  ///< m/s              step/tree_motion.h: mean rates of its free motions in this step
    tac_vec3 axis[3];  ///< 1                axes of the principal frame
    tac_vec3 centre;   ///< m                reference point of the tree
    tac_vec3 arm, at;  ///< m                from there to the centre of mass, and to the joint
} tac_tree_body;

/// Scratch: the trees that joints make of bodies (src/tree/topology.h).
typedef struct tac_topology {
    uint16_t joined, bodies;            ///< in order[]: those of trees of joints; all
    uint8_t closed;                     ///< 1 if there are joints that are of no tree
    uint32_t model_hash;                ///< of the model
    uint16_t order[TAC_MAX_BODIES + 1]; ///< dynamic bodies, parents first: trees on bodies that are not dynamic, then
                                        ///< free ones, each as a whole, then bodies that are on no joint of a tree
    struct {
        uint16_t joint, parent; ///< joint to the parent, TAC_NONE for a free root; the parent, which may not be dynamic
        uint8_t hangs;          ///< 1 if the parent is dynamic, so that the tree goes on above this body
        uint8_t carries;        ///< 1 if a body hangs on it
        uint8_t is_b;           ///< 1 if it is b of its joint
    } body[TAC_MAX_BODIES + 1]; ///< of dynamic bodies
} tac_topology;

/// Scratch of src/engine/continuation.h: an unknown, a change of the impulses of a contact or coordinate.
typedef struct tac_way {
    tac_real left[2], right[2]; ///< 1     what is to vanish, left.u; the change: their parts along u and w
    tac_real more;              ///< 1/kg  of the change, added to the change of left.u
    uint16_t row, at;           ///<       first row of W; first row of impulses
} tac_way;

/// Scratch of the same: the equations of one step, of as many unknowns as there are rows at most. No step reads those
/// of another.
typedef struct tac_continuation_equations {
    uint16_t ways;                   ///< in use in way[]
    uint8_t normal[TAC_MAX_REDUCED]; ///< 1 or 0: both parts of it along n, or along a coordinate
    tac_real rhs[TAC_MAX_REDUCED];   ///< m/s, N s  right side; solution
    tac_way way[TAC_MAX_REDUCED];
    tac_real matrix[TAC_MAX_REDUCED * TAC_MAX_REDUCED]; ///< 1/kg
} tac_continuation_equations;

/// Scratch of the same, from step to step.
typedef struct tac_continuation {
    uint16_t steps;                   ///<      around this centre
    tac_real least;                   ///< 1    of the proximal term: with less Newton's method goes in a circle
    tac_real centre[TAC_MAX_REDUCED]; ///< N s  of the proximal term, contacts
} tac_continuation;

/// Scratch of src/engine/stick.h: the linear system of the rows that stick.
typedef struct tac_sticking {
    uint16_t rows, contacts;                                      ///<       in use; of these, of contacts
    uint16_t row[TAC_MAX_REDUCED];                                ///<       of W; contacts come first
    tac_real change[TAC_MAX_REDUCED];                             ///< N s   of the impulses; before, m/s: right side
    tac_real yields[TAC_MAX_REDUCED];                             ///< 1/kg  what soft efforts yield per impulse
    tac_real matrix[TAC_MAX_REDUCED * (TAC_MAX_REDUCED + 3) / 2]; ///< 1/kg, m/s  upper triangle, and right side
} tac_sticking;

/// Scratch: who holds tac_trees.room.
enum { TAC_ROOM_COLUMNS = 1, TAC_ROOM_STICKING, TAC_ROOM_EQUATIONS };

/// Scratch: what a linear solution needs, and what the end of a step leads to.
typedef struct tac_solution {
    tac_sixes step; ///< Newton step; of a joint: its impulses
#if TAC_MAX_JOINTS > 0
    tac_pose end[TAC_MAX_BODIES + 1];          ///< step floor: poses at the end of the step, or the motion to them
    tac_compensation next[TAC_MAX_BODIES + 1]; ///< step/commit.h: of the next state
    tac_real change[TAC_MAX_JOINTS][TAC_JOINT_ROWS]; ///< N s  of the impulses of joints, in a step of an iteration
#endif
} tac_solution;

/// 1: a solution and the equations of src/engine/continuation.h share memory, which no part needs at the same time. The
/// sparse factor of free bodies is there where the trees are, and needs a solution beside it.
#define TAC_SOLUTION_SHARES (TAC_MAX_JOINTS > 0 && TAC_MAX_FILL == 0)

/// Scratch: the problem reduced to contact rows (three each) and coordinates with bounds; the joints are eliminated.
typedef struct tac_trees {
    uint16_t tree_bodies; ///<       in use in order[]
    uint16_t rows;
    uint16_t closers;                   ///<       in use in closer[]
    uint16_t reached;                   ///<       entries in use
    uint16_t trusted;                   ///<       intervals that are solved as if they had none, which are far off
    uint8_t formed;                     ///<       rows of each contact in W: 3; 1, its normal; 0, there is no room
    uint8_t closed;                     ///<       1: joints close the trees
    uint8_t redundant;                  ///<       1: some of these rows follow from others
    uint8_t inverted;                   ///<       1: blocks of contacts are inverted, for sweeps
    uint8_t holds;                      ///<       TAC_ROOM_* of `room`: src/rows/phase.h
    uint8_t fresh;                      ///<       1: W is new, the next sweep is the first on it
    tac_real contradiction;             ///< m2/s2 sum of squares by which redundant constraints contradict the others
    uint16_t order[TAC_MAX_BODIES + 1]; ///<       dynamic bodies, parents first
    uint16_t row[TAC_ONE_OR(TAC_MAX_JOINTS)]; ///<  row of the joint's coordinate; TAC_NONE if it has no bounds
    uint16_t closer[TAC_MAX_REDUCED];         ///<       rows that close trees, behind `rows`: 6 joint + row
    uint16_t first[TAC_MAX_REDUCED + 1];      ///<       first entry of each row; of a contact that of all its rows
    tac_real free[TAC_MAX_REDUCED];           ///< m/s   u_0: velocities of the rows without impulses in any of them
    tac_real velocity[TAC_MAX_REDUCED];       ///< m/s   of the rows
    tac_real last[TAC_MAX_REDUCED];           ///< m/s   of the rows, at the last iterate; step/project.h: what its
                                              ///<       pushes have added to them
    tac_tree_body tree_body[TAC_MAX_BODIES + 1];
    tac_real w[TAC_MAX_REDUCED * (TAC_MAX_REDUCED + 1) / 2]; ///< 1/kg  D' A^-1 D, its lower triangle row by row
    union {
        struct {
            union {
                struct {
                    tac_real reach[TAC_MAX_PATH]; ///< entries of Y: rows along free motions between them and the root
                    uint16_t along[TAC_MAX_PATH]; ///< at the first entry of a body: 8 times its place in order[], plus
                                                  ///< its number of entries
                    uint16_t traced[TAC_MAX_BODIES + 1]; ///< of the column that others are multiplied by: its first
                                                         ///< entry at each body of order[]; TAC_NONE at bodies that are
                                                         ///< not on its path
                } columns;                               ///< until W is made, or as long as rows have no room in it
                tac_sticking sticking;                   ///< engine/stick.h, before the first sweep
            } made;
            tac_twist aside[TAC_MAX_BODIES + 1]; ///< solution of the trees without the rows that close them
#if TAC_SOLUTION_SHARES
            tac_solution solution;
#endif
        } use;
        tac_continuation_equations equations; ///< engine/continuation.h, within a step of it
    } room;
    tac_continuation continuation; ///<       while it is in force
} tac_trees;

/// Scratch of the solver. Impulses are stored row by row, contacts first; torque impulses are divided by the semi-axes
/// of their set (tac_torsion). Rows that a configuration or a joint does not have stay 0.
typedef struct tac_solve_scratch {
    tac_twist free[TAC_MAX_BODIES + 1]; ///< delta_v without the cone program: forces, rotation, impacts
    tac_real g[TAC_ROWS];               ///< N s  current impulses
#if !TAC_SOLUTION_SHARES
    tac_solution solution;
#endif
#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0
    union {
#if TAC_MAX_FILL > 0
        tac_sparse matrix; ///< of a model without joints
#endif
#if TAC_MAX_JOINTS > 0
        tac_trees trees; ///< of a model with joints
#endif
    } of;
#endif
    tac_real best[TAC_ROWS]; ///< N s  of the best iterate so far, at first the warm-start impulses
    tac_real last[TAC_ROWS]; ///< N s  of the last iterate; direct: the last outer one, centre of the
                             ///<      proximal term
    tac_block block[TAC_MAX_CONTACTS];
} tac_solve_scratch;

// Free motions that a joint of a tree has at most. Without joints there are none, and arrays need one element.
#define TAC_FREE_MOTIONS (TAC_MAX_JOINTS > 0 ? 3 : 1)

/// Scratch of the functions for controllers: a body of the mechanism (F08, chapters 5 to 7). Motions are (w, v) and
/// forces (torque, force), world frame, about the centre of mass of the first body of its tree, or about its own.
typedef struct tac_mechanism_body {
    tac_pose pose;       ///<                  what axes, arms, motions and moments are of,
    tac_twist twist;     ///<                  and spin, gyration and drift
    tac_vec3 axis[3];    ///< 1                axes of the principal frame
    tac_vec3 arm, apart; ///< m                to its centre of mass: from that of the first body of its tree, from
                         ///<                  that of the parent
    tac_vec3 spin;       ///< rad/s            angular velocity
    tac_vec3 gyration;   ///< N m              w x I w, in the principal frame
    tac_real moment[6];  ///< kg m2            about its own centre: lower triangle
    tac_real drift[6];   ///< rad/s2, m/s2     about its own centre: its acceleration by velocities alone
    tac_real own[TAC_FREE_MOTIONS][6]; ///< 1, m    free motions of its joint, against the parent, about its own centre,
    tac_real s[TAC_FREE_MOTIONS][6];   ///< 1, m    and about that of the tree
    tac_real velocity[6];              ///< rad/s, m/s
    tac_real acceleration[6]; ///< rad/s2, m/s2     about its own centre; forward dynamics: about that of the tree
    tac_real force[6];        ///< N m, N           on the body, then its subtree, likewise
    tac_real inertia[21];     ///< kg m2, kg m, kg  of the body, of its subtree, or articulated: lower triangle
    tac_real u[TAC_FREE_MOTIONS][6];  ///<         articulated inertia times s
    tac_real scale[TAC_FREE_MOTIONS]; ///<         1/sqrt(s' inertia s + armature)
    tac_real armature;                ///< kg m2, kg        inertia of a rotor along its coordinate
    tac_vec3 unit[2]; ///< 1, m             own[0] of a joint with one coordinate, in its principal frame
    uint16_t parent;  ///<                  TAC_NONE for a free root; may be a body that is not dynamic
    uint16_t joint;   ///<                  joint to the parent
    uint16_t first;   ///<                  its first velocity coordinate
    uint16_t tree;    ///<                  first body of its tree
    uint8_t axes;     ///<                  coordinates of its joint; 6 for a free root
    uint8_t turns;    ///<                  bits 0 to 2: its motions that are rotations
    uint8_t carries;  ///<                  1 when it is the parent of another
    uint8_t within;   ///<                  bits 0 to 2: axes that are fixed in it, not in the parent; bit 3: so
                      ///<                  is the origin of frame b
} tac_mechanism_body;

/// Scratch: a joint of a tree: what is fixed in its bodies, in their principal frames.
typedef struct tac_mechanism_joint {
    tac_pose frame[2];                ///< frames a and b
    tac_vec3 local[TAC_FREE_MOTIONS]; ///< 1     axes of s, each in the body that it is fixed in
} tac_mechanism_joint;

/// Scratch: the spanning trees of joints, and the state that the bodies are placed by. Both are kept until another
/// model or state is asked about.
typedef struct tac_mechanism {
    tac_mechanism_body body[TAC_MAX_BODIES + 1];
    tac_mechanism_joint joint[TAC_MAX_JOINTS + 1];
    tac_pose start[TAC_MAX_JOINTS > 0 ? TAC_MAX_BODIES + 1 : 1]; ///< tree/coordinates.h: at the start of the last step
    uint16_t order[TAC_MAX_BODIES + 1]; ///< dynamic bodies, parents first; then bases: bodies that carry trees and are
                                        ///< not dynamic
    uint16_t first[TAC_MAX_JOINTS + 1]; ///< first velocity coordinate of each joint; TAC_NONE: not of a tree
    uint16_t place[TAC_MAX_JOINTS + 1]; ///< the same of position
    uint16_t bodies, bases;             ///< in use in order[]
    uint16_t coordinates, positions;    ///< of velocity, of position
    uint32_t model_hash;                ///< of the model of these trees
    uint8_t placed, moving;             ///< 1 once poses and twists are of a state,
    uint8_t weighed, about;             ///< and moments, and arms and s, are of the poses
} tac_mechanism;

#if TAC_MAX_LCP > 0
/// Scratch of src/derivative, whose README derives all of it: what acts along the coordinate of a joint in a step, by
/// the coordinate q, its rates v at the start and r in the mean, and the excess of free rotation along it:
///     E = constant - slope r - pull q + rotor v + lag excess
typedef struct tac_varied_effort {
    tac_real constant;       ///< N s, N m s
    tac_real slope, pull;    ///< kg, kg m2; times 1/s
    tac_real rotor, lag;     ///< kg, kg m2
    tac_real rate, by_place; ///< m/s, rad/s  held: the mean rate that it is held at; 1/s  the change of this by q
    uint8_t acts, held;      ///< something acts along it; and holds it, by whatever effort this takes
    uint8_t returns;         ///< the position projection leads it back to a limit that it has passed
} tac_varied_effort;

/// A body from the start of a step to its end. Motions are (angular, linear) and forces (torque, force) as in
/// tac_mechanism_body, about O, where the centre of its tree is at the start. World frame; _b: principal frame of the
/// body, the same at the start and at the end as the body sees it.
typedef struct tac_varied_body {
    tac_quat turn;              ///< 1           finite motion of the step: x becomes x + turn(x) + shift
    tac_vec3 shift;             ///< m
    tac_vec3 end_axis[3];       ///< 1           axes of the principal frame at the end
    tac_vec3 end_arm;           ///< m           c+, from O to the centre of mass at the end
    tac_vec3 behind_arm;        ///< m           the same a step before the start
    tac_vec3 mean_v;            ///< m/s         V, mean velocity of the centre of mass
    tac_vec3 mean_w, mean_w_b;  ///< rad/s       W, mean rotation: the rotation vector of the step is h W
    tac_vec3 start_l_b;         ///< N m s       L, angular momentum at the start that makes W
    tac_vec3 end_w, end_w_b;    ///< rad/s       w+, angular velocity at the end
    tac_vec3 flight_w_b[2];     ///< rad/s       of the body by itself, without contacts: its W and w+
    tac_vec3 dend_dl_b[3];      ///< columns     of the latter by the angular momentum at the start,
    tac_vec3 dexcess_dl_b[3];   ///< columns     and of the former less the latter, the excess of free rotation
    tac_vec3 excess;            ///< rad/s       this excess,
    tac_vec3 dexcess_dl[3];     ///< columns     and by the angular momentum in the world frame
    tac_vec3 inertia[3];        ///< kg m2       columns
    tac_vec3 dmean_w[3];        ///< 1           columns by a rotation h e of the end against the start: of W,
    tac_vec3 dstart_l[3];       ///< kg m2       of L,
    tac_vec3 dend_w[3];         ///< 1           of w+
    tac_vec3 contact_w_b;       ///< rad/s       alone: angular velocity that contacts see
    tac_vec3 push_w_b;          ///< rad/s       what the position projection adds to W
    tac_wrench given, follower; ///< N s, N m s  impulses of gravity and input; the part that turns with the body
    tac_varied_effort effort;   ///<             along the coordinate of its joint
    tac_real end_s_q[3][6];     ///< 1, m        motion of the end by each coordinate of its joint,
    tac_real end_s_r[3][6];     ///< 1, m        and by the rate of it times h
    union {
        struct {
            tac_real residual[6]; ///< N m s, N s  change of momentum beyond given impulses
            tac_real load[6];     ///< N m s, N s  impulses of contacts on it, about O
            tac_real subtree[6];  ///< N m s, N s  residual - load about O, sum over the subtree
        } rates;                  ///<             until K is made
        struct {
            tac_real motion[6];   ///< rad/s, m/s  s: motion by the pushes of the position projection
            tac_real load[6];     ///< N m s, N s  these pushes, sum over the subtree
            tac_real momentum[6]; ///< N m s, N s  that s gives it, likewise
        } push;                   ///<             derivative_pushes.h, after that
    } phase;
    tac_vec3 end_moment;       ///< kg m        sum of m c+ over the subtree,
    tac_vec3 residual_force;   ///< N s         of the force of the residual,
    tac_vec3 turning_force;    ///< N s         of the part of this that turns with the bodies
    tac_vec3 turning_torque;   ///< N m s       the same of the torque, about the centre of mass; of this body alone
    tac_vec3 dtorque_dturn[3]; ///< N m s       columns: change of the torque of the subtree by a rotation of both ends,
    tac_vec3 dtorque_dspin[3]; ///< kg m2       and by a rotation h e of the end
    tac_real column_motion[6]; ///< 1, m        motion of the end in the column that is being made
    tac_twist column_change;   ///< m/s, rad/s  change of the velocity at the end in this column
    uint8_t alone;             ///<             a free root that carries nothing
    uint8_t straight;          ///<             alone: a contact bears it, so that it moves with its velocity at the end
    uint8_t moved;             ///<             the coordinate in work moves it
    uint8_t carries;           ///<             bits 0, 1: it is or carries body a, b of the contact in work
} tac_varied_body;

/// A coordinate. By a change of 1 its subtree moves by `s` at the start, by s + h place_d at the end, and velocities at
/// the start, which turn with the subtree, change by place_u. By a change of its rate the end moves by h rate_d.
typedef struct tac_varied_axis {
    tac_real s[6];                   ///< 1, m
    tac_real place_d[6], place_u[6]; ///< 1/s, m/s
    tac_real rate_d[6];              ///< 1, m
    tac_real by_start[6];            ///< change of its equation by such a motion s of what carries it,
    tac_real by_end[6], by_speed[6]; ///< by such a d, and by such a u
    tac_vec3 by_end_turn;            ///< 1   a hinge: change of its rate at the end by the rotation of d
    tac_vec3 by_rate;                ///< s   change of the (three or fewer) positions of its joint at the end
} tac_varied_axis;

/// Scratch of tac_derivative(): a contact that bears a force or is pushed apart.
typedef struct tac_varied_contact {
    tac_vec3 axes[3];       ///< 1        n, and along and across the sliding; u and w where it sticks
    tac_vec3 g;             ///< N s      impulse along these
    tac_vec3 force;         ///< N s      the same in the world frame
    tac_vec3 velocity;      ///< m/s      relative velocity as the contact sees it,
    tac_vec3 rate[2];       ///< rad/s    and angular velocities of both bodies
    tac_real slip, relaxed; ///< m/s      |u_T|; 1: the relaxed law of friction, 0: the exact one
    tac_real asks;          ///< 1        change of b by the gap, times h
    tac_real soft;          ///< 1/kg     compliance of its normal row; 0: none
    tac_real scale;         ///< kg^1/2   of its rows: 1/sqrt of the size of W
    uint8_t bears, slides;  ///<          a force; and slides
    uint8_t flat;           ///<          over a half-space, without rolling
} tac_varied_contact;

/// Scratch: the mechanism, its motion in a step, and its contacts.
typedef struct tac_varied {
    tac_mechanism mechanism;
    tac_varied_body body[TAC_MAX_BODIES + 1];
    tac_varied_axis axis[TAC_MAX_LCP < 12 ? 6 : TAC_MAX_LCP / 2]; ///< of coordinates; a free body has six
    uint16_t order[TAC_MAX_LCP / 2];                              ///< coordinates, those that carry others before them;
    uint16_t up[TAC_MAX_LCP / 2];                                 ///< the coordinate that carries each one; TAC_NONE
    uint16_t last[TAC_MAX_LCP / 2];                               ///< what it carries is before here in order[]
    tac_varied_contact contact[TAC_MAX_CONTACTS];
} tac_varied;
#endif

#if TAC_PREDICT
/// Scratch of tac_state_displace(): the mechanism, and the coordinates of the state.
typedef struct tac_displaced {
    tac_mechanism mechanism;
    tac_real q[TAC_MAX_POSITIONS], dq[TAC_MAX_VELOCITIES];
} tac_displaced;
#endif

/// Scratch: size of the cone program of a step and its stopping criterion. Written before the solve, then only read.
typedef struct tac_program {
    uint16_t bodies;   ///<     the ground included
    uint16_t contacts; ///<     blocks in use
    uint16_t joints;   ///<     links in use
    uint16_t max_sweeps;
    uint8_t solver, friction; ///<   requested TAC_SOLVER_*, TAC_FRICTION_*
    tac_real tolerance;       ///< 1   relative to the residual of zero impulses
    tac_real omega, lambda;   ///< 1   relaxation and averaging of plain sweeps
} tac_program;

/// Progress of the solver between slices.
typedef struct tac_progress {
    uint8_t converged;    ///<       1: the tolerance is met
    uint8_t deep;         ///<       1: an overlap is deep, so light bodies are projected as heavier ones (step/project.h)
    uint8_t measured;     ///<       1: the residual of sweeps is computed: after the direct solver, and when they
                          ///<       change little
    uint8_t joints_stale; ///<       1: joint impulses are stale; they are recomputed from the contact impulses before
                          ///<       use
    uint8_t alike;        ///<       number of successive sweeps that changed as much as the one before
    uint8_t reactions;    ///<       1: forces and torques of joints are shown: src/step/results.h
    uint8_t rows;         ///<       1: the rows of all joints are made: src/rows/joints.h
    uint8_t satisfied;    ///<       1: the poses at the end of the step satisfy the joint constraints
    uint8_t stops;        ///<       1: velocities do not lead along the arcs of joints: src/step/correct_joints.h
    uint8_t torn;         ///<       1: a joint does not hold at the end of the step
    uint8_t stale;        ///<       1: constraints have changed since trees were factored: src/step/joint_factor.h
    uint8_t trial;        ///<       auto: sweeps since Newton's method was last judged
    tac_stage stage;      ///<       in force; written by src/solve/plan.h alone
    uint16_t idle;        ///<       direct: sweeps since `least` was last halved
    uint16_t sweeps;      ///<       spent
    tac_real start;       ///< m/s   natural-map residual of zero impulses: the scale of `tolerance`
    tac_real scale;       ///< m/s   |p|: the scale of report.residual
    tac_real rounding;    ///< m/s   part of the residual that rounding of p can cause: epsilon times |p| of the rows
                          ///<       that act
    tac_real measure;     ///< m/s   by which iterates of a stage are compared: the natural-map residual, or as long as
                          ///<       `measured` is 0 the change that a sweep has made, which costs nothing
    tac_real least;       ///< m/s   smallest `measure` of the stage so far, that of the best iterate
    tac_real momentum;    ///< 1     t of Nesterov's sequence
    tac_real beta;        ///< 1     factor of extrapolation of the next sweep
    tac_real change;      ///< m/s   change made by the last accelerated sweep
    tac_real proximal;    ///< 1     direct: R of the proximal term, relative to trace(W)/3
    tac_real factored;    ///< 1     direct: `proximal` of the matrix that is factored; 0 if none is
    tac_real centred;     ///< m/s   direct: least `measure` at an outer step so far
    tac_real outer, rate; ///< m/s, 1 direct: `measure` at the last outer step; the part of that before which it was
    tac_real halved;      ///< m/s   direct: `least` when it was last halved
    tac_real tried;       ///< m/s   auto: `least` when Newton's method was last judged
    tac_account account;  ///<       at the end of the step: src/step/settle.h
} tac_progress;

/// Scratch: who holds what phases of a step share. Each takes it before it writes (src/rows/phase.h), and reads nothing
/// that another has left.
enum {
    TAC_PHASE_KICK = 1,  ///< step/impact.h
    TAC_PHASE_BARRED,    ///< rows/rolls.h
    TAC_PHASE_LAST,      ///< engine/sweep.h
    TAC_PHASE_VELOCITY,  ///< engine/direct.h, step/settle.h, tce17, t03/qualify
    TAC_PHASE_MEAN,      ///< step/settle.h
    TAC_PHASE_MOVES,     ///< step/move.h
    TAC_PHASE_BEFORE,    ///< step/project.h, tree_motion.h, correct_joints.h
    TAC_PHASE_UNSCALED,  ///< step/correct_joints.h
    TAC_PHASE_NEXT,      ///< step/commit.h
    TAC_PHASE_SHARE,     ///< solve/share.h
    TAC_PHASE_SEARCH,    ///< query/least_norm.h
    TAC_PHASE_CERTIFIED, ///< query/certify.h
    TAC_PHASE_RESPONSE,  ///< t03/lcp.h
    TAC_PHASE_BEGAN      ///< derivative/vary_rates.h
};
enum { TAC_KEPT_START = 1, TAC_KEPT_DELAYED, TAC_KEPT_RESIDUAL };
enum {
    TAC_BLOCKS_SWEEP = 1,
    TAC_BLOCKS_NEWTON,
    TAC_BLOCKS_IMPACT,
    TAC_BLOCKS_PROJECT,
    TAC_BLOCKS_SHARE,
    TAC_BLOCKS_LEAST_NORM,
    TAC_BLOCKS_INSTANT
};

typedef struct tac_held {
    uint8_t phase;  ///< TAC_PHASE_* of tac_work.phase
    uint8_t kept;   ///< TAC_KEPT_* of tac_work.kept
    uint8_t blocks; ///< TAC_BLOCKS_* of tac_block.own, tac_torsion.own
} tac_held;

/// Scratch and results of one step. May be used for any state of any model of this configuration, one step at a time.
typedef struct tac_work {
    // Here and in most structs above small members come first, then arrays by size and by how often they are named, so
    // that most offsets fit short instructions: 4 kB on Cortex-M. Results that users read are `report` and the last
    // ones.
    uint32_t open;         ///< tag of what the work area holds: src/api/step.h
    uint32_t model_hash;   ///< of that step
    uint64_t step;         ///< of that step
    tac_program program;   ///< written by the step floor
    tac_progress progress; ///< written by the solve floor
    tac_held held;         ///< written by src/rows/phase.h

    tac_report report;

#if TAC_MAX_SURFACES > 0
    uint32_t surfaces;                            ///< in use in
    tac_surface_motion surface[TAC_MAX_SURFACES]; ///< written by step/move.h
#endif

    // by floor
    tac_moving moving[TAC_MAX_BODIES + 1];         ///< written by step/move.h; the ground has zeros
    tac_twist delta_v[TAC_MAX_BODIES + 1];         ///< change of velocity in this step: M^-1 (h f + D g)
    tac_twist pseudo_velocity[TAC_MAX_BODIES + 1]; ///< moves poses in addition to the new velocity: src/step/README.md
    union {
        tac_twist kick[TAC_MAX_BODIES + 1];      ///< step/impact.h: change of velocity by forces over the step
        tac_twist last[TAC_MAX_BODIES + 1];      ///< engine/sweep.h: delta_v of the last iterate, for the extrapolation
        tac_twist velocity[TAC_MAX_BODIES + 1];  ///< direct.h, settle.h, tce17: the velocity that a linear system is
                                                 ///< solved for
        tac_twist mean[TAC_MAX_BODIES + 1];      ///< settle.h: mean velocities of bodies with prescribed motion
        tac_twist response[TAC_MAX_BODIES + 1];  ///< t03, tce17: change of velocities by one impulse
        tac_twist before[TAC_MAX_BODIES + 1];    ///< after the solve: pseudo-velocities before the latest change
        tac_twist unscaled[TAC_MAX_BODIES + 1];  ///< correct_joints.h: delta_v before all impulses are scaled
        tac_twist search[TAC_MAX_BODIES + 1];    ///< query/least_norm.h: the search direction
        tac_twist certified[TAC_MAX_BODIES + 1]; ///< query/certify.h: what the impulses that are shown make of delta_v
        tac_twist next[TAC_MAX_BODIES + 1];      ///< step/commit.h: velocities of the next state
        tac_quat turned[TAC_MAX_BODIES + 1];     ///< step/commit.h: without joints, orientations of the next state
        uint16_t first[TAC_MAX_BODIES + 1];      ///< solve/share.h: of the contacts of pairs, by the sum of their bodies
        uint8_t barred[TAC_MAX_BODIES + 1];      ///< rows/rolls.h: 1 if it does not move with its mean velocity
        uint8_t moves[TAC_MAX_BODIES + 1];       ///< step/move.h: bits MOVE_LOADED ...
        tac_twist
            began[TAC_MAX_BODIES + 1]; ///< derivative/vary_rates.h: velocities at the end, as joints stand at the start
    } phase;                           ///< overwritten by the next phase of the step
    union {
        tac_twist start[TAC_MAX_BODIES + 1];    ///< step/impact.h, before the first impact: velocity beyond v + delta_v
        tac_twist delayed[TAC_MAX_BODIES + 1];  ///< step/impact.h: part of the pseudo-velocity due to impacts
        tac_twist residual[TAC_MAX_BODIES + 1]; ///< query/least_norm.h: of its linear system
    } kept;                                     ///< from the impacts before the solve to the end of the step
    union {
        tac_collision collision; ///< geometry floor; overwritten when the blocks are made
        tac_solve_scratch solve; ///< rows and solve floors, and the step floor after them
        tac_mechanism mechanism; ///< src/tree/mechanism.h, outside of steps
#if TAC_MAX_LCP > 0
        tac_varied varied; ///< src/derivative/vary_step.h, outside of steps
#endif
#if TAC_PREDICT
        tac_displaced displaced; ///< src/predict/difference.h, outside of steps
#endif
    } scratch;
#if TAC_MAX_SHAPES > TAC_FEW_SHAPES
    tac_pairs pairs; ///< written by geometry/broad.h; kept for the next step
#endif
#if TAC_MAX_JOINTS > 0
    uint32_t linked;                          ///< hash of the model that link[] is of: src/rows/joints.h
    tac_topology topology;                    ///< src/tree/topology.h; kept until another model is asked about
    tac_joint_block link[TAC_MAX_JOINTS];     ///< rows and solve floors
    tac_vec3 turned[TAC_MAX_BODIES + 1];      ///< N m s  change of the angular momentum by free rotation, body frame
    tac_vec3 turned_free[TAC_MAX_BODIES + 1]; ///< N m s  the same without impulses, as it is in `free`
#endif

    tac_contact contact[TAC_MAX_CONTACTS];
#if TAC_MAX_JOINTS > 0
    tac_joint_result joint[TAC_MAX_JOINTS];
#endif
} tac_work;

TAC_TYPES_END

#endif
