// SPDX-License-Identifier: MIT
// work.h - tac_work: scratch and results of one step. Complete, so that it can be placed in memory; of what is in it
// only the report and the contacts (types.h) are for users.
#ifndef TACTUS_WORK_H
#define TACTUS_WORK_H

#include "tactus/types.h"

TAC_TYPES_BEGIN

/// Scratch of the solver: what a contact that resists spinning or rolling has besides its tac_block: three rows more,
/// about n, u, w, scaled by `axis` so that its set is a round cone of six rows (src/rows/resist.h).
typedef struct tac_resist {
    tac_vec3 axis;    ///< m       semi-axes of the set: torque impulse / axis counts as an impulse
    tac_vec3 j[2][3]; ///< m       axis times the angular part of these rows for a and b
    tac_vec3 bias;    ///< m/s     what these rows see at the start of the step
    tac_vec3 own_weight; ///< 1/kg    diagonal of W for these rows
    tac_real weight;  ///< 1/kg    largest row sum of |W|, six rows
    union {
        struct {
            tac_real normal;     ///< 1/kg W_nn
            tac_real couple[5];  ///< 1/kg W_nT along the axes below
            tac_real value[5];   ///< 1/kg eigenvalues of W_TT
            tac_real mean;       ///< 1/kg of them
            tac_real base[5][5]; ///< 1    eigenvectors of W_TT, in columns
        } sweep;                 ///<      accelerated
        struct {
            tac_vec3 z, dz; ///< N s  as in tac_block
        } newton;           ///<      direct
    } own;                  ///<      of the solver in force
} tac_resist;

/// Scratch of the solver: one contact's Jacobian in body coordinates and its block of N = D' M^-1 D.
typedef struct tac_block {
    tac_vec3 j[2][3];           ///< m       angular part of D for a (not the ground) and b, rows n, u, w; the linear one is (n,u,w)
    tac_sym3 w;                 ///< 1/kg    W = D_i' M^-1 D_i; this and the next two start at zero
    tac_real push;              ///< kg m/s  multiplier of the position projection
    union {
        struct {
            tac_sym3 inv_w;         ///< kg      W^-1
            tac_real step_n, step_t; ///< kg      projected step, normal and tangential
        } sweep;                    ///<         accelerated
        struct {
            tac_vec3 z, dz;  ///< N s     what is projected: the impulse is P_K(z); its change along Newton's step
            tac_real lift;   ///< m/s     De Saxce term mu |u_T|, as last estimated
            tac_real weight; ///< kg      1/R of the proximal term
            int32_t mode;    ///<         where z lay when the matrix was factored
        } newton;            ///<         direct
        struct {
            tac_vec3 impulse; ///< N s   of the impact at hand
            tac_vec3 kick;    ///< m/s   what forces add to its velocity in a step
            tac_real time;    ///< 1     of the next impact, as a part of the step; beyond 1: none
            tac_real slack;   ///< 1     how well that is known
            tac_real leave;   ///< m/s   normal velocity after the impact at hand; 0 if the contact has no part in it
        } impact;             ///<       step floor, before the solve
        struct {
            tac_real need;     ///< m/s   least shift along n that it asks for
            tac_real rounding; ///< m     how well its gap is known
            tac_real lack;     ///< m/s   what of the need is left: with joints so far, direct at first;
            tac_real soft;     ///< 1/kg  joints: how far it gives way to what joints hold;
            tac_real weight;   ///< kg    direct: 1/R of the proximal term,
            int32_t pushes;    ///<       1 if the contact is in the matrix
        } project;             ///<       step floor, after the solve
        struct {
            tac_vec3 dz;  ///< N s     change of what is projected, then of the impulse
            int32_t face; ///<         of the cone, as a mode
        } spread;        ///<         least norm, after the step
    } own;                   ///<         of the solver in force, then of the step floor
    tac_vec3 bias;              ///< m/s     velocity at the start of the step, plus b of the normal row
    tac_real target;            ///< m/s     b alone
    uint32_t first;             ///<         its first row in tac_solve_scratch
#if TAC_ROLLING
    tac_resist resist;          ///<         of contacts that resist only
#endif
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

/// Scratch: one row of a joint's Jacobian: rate = linear.(v_b - v_a) + angular[1].w_b + angular[0].w_a.
typedef struct tac_row {
    tac_vec3 linear;     ///< 1
    tac_vec3 angular[2]; ///< m
    tac_vec3 spin;       ///< 1/m   of a turn: what it is about, over its length
} tac_row;

/// Scratch: what acts along a coordinate with bounds: lo <= impulse = P(centre - weight (u + bias)) <= hi.
typedef struct tac_box {
    tac_real lo, hi;           ///< N s
    tac_real bias;             ///< m/s   hard: velocity at the start of the step less that which is asked for; soft: 0
    tac_real weight;           ///< kg    soft: its stiffness; hard: 1/R of the proximal term
    tac_real centre;           ///< N s   soft: the impulse that it gives a velocity that does not change
    tac_real z, dz;            ///< N s   direct: what is projected, its change along Newton's step
    tac_real least, most;      ///< m/s   position projection: bounds of the rate that the shift may have
    tac_real push, rate;       ///< kg m/s, m/s  the same: multiplier; rate of the shift so far
    uint8_t used, hard, inside; ///<      inside: in force in the matrix
} tac_box;

/// Scratch of one joint. The last row is that of the coordinate, if the kind has one: there boxes act, and no constraint.
/// A coupling has the row of its joint b there, and before it that of its joint a.
/// Rows beyond the constraints are what it leaves free.
typedef struct tac_joint_block {
    tac_pose frame[2];                ///< m, 1  of a and b in the principal frames of their bodies
    tac_row row[TAC_JOINT_ROWS];
    tac_real w[TAC_JOINT_ROWS];       ///< 1/kg  J M^-1 J', diagonal
    tac_real bias[TAC_JOINT_ROWS];    ///< m/s   velocity at the start of the step, plus b
    tac_real step[TAC_JOINT_ROWS];    ///< N s   direct: its change along Newton's step
    tac_real asked[TAC_JOINT_ROWS];   ///< m/s   impacts: change of velocity that a solution of the matrix is to make
    tac_real bounce[TAC_JOINT_ROWS];  ///< N s   what impacts within the step have passed through
    tac_real soft[TAC_JOINT_ROWS];    ///< 1/kg  what a constraint gives way by, 0 if it is hard
    tac_box box[TAC_BOXES];
    tac_real length;                  ///< m     that turns are multiplied by
    tac_real scale;                   ///< m, 1  that the coordinate is multiplied by
    tac_real speed;                   ///< m/s   of its bodies at the start of the step: what rounding of a row is relative to
    tac_real goal;                    ///< q     where a constraint holds the coordinate
    tac_real aim;                     ///< m     by how much that is to move in this step
    tac_real expected[2];             ///< q     coupling: of its joints b and a at the end of the step, as they move now
    tac_real turns;                   ///< 1     coupling: of its joint b less length times those of a, as of their last poses
    uint32_t first;                   ///<       its first row in tac_solve_scratch: constraints, then boxes
    uint16_t body[4];                 ///<       coupling: bodies of its joint b, then of a
    uint8_t constraints;              ///<       bits: rows that hold
    uint8_t coordinate;               ///<       1 if the last row is that of a coordinate
    uint8_t target;                   ///<       1 if a constraint holds the coordinate
    uint8_t driven;                   ///<       1 if that is prescribed motion
    uint8_t apart;                    ///<       1 if constraints were violated at the start of the step
} tac_joint_block;

/// Rows of the cone program: of each contact three, and three about n, u, w with TAC_ROLLING; of each joint its
/// constraints, and what acts along its coordinate.
#define TAC_CONTACT_ROWS (TAC_ROLLING ? 6 : 3)
#define TAC_LINK_ROWS ((int)TAC_JOINT_ROWS + (int)TAC_BOXES)
#define TAC_ROWS (TAC_MAX_CONTACTS * TAC_CONTACT_ROWS + TAC_MAX_JOINTS * TAC_LINK_ROWS)

/// Most nodes of a sparse factor: bodies, then joints.
#define TAC_NODES (TAC_MAX_BODIES + 1 + TAC_MAX_JOINTS)

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
    int8_t sign;     ///< -1: the block is negative definite
    uint8_t waits;   ///< not before so many of its neighbours
} tac_pivot;

/// Scratch of the direct solver: a symmetric matrix of 6x6 blocks, one row a body or joint, and its factor.
typedef struct tac_sparse {
    tac_pivot pivot[TAC_NODES];
    tac_fill fill[TAC_MAX_FILL];
    uint16_t order[TAC_NODES];          ///< of elimination: nodes in use
    uint16_t nodes;                     ///< in order[]
    uint16_t fills;                     ///< in fill[]
} tac_sparse;
#endif

#if TAC_MAX_JOINTS > 0
/// Scratch: a body of a tree of joints. Motions are (w, v) and forces (torque, force) about one point of the tree, world.
typedef struct tac_limb {
    tac_real inertia[21];    ///< kg m2, kg m, kg  of it and all that hangs on it, along what its joint holds; of a root, the factor
    tac_real s[3][6];        ///< 1/m, 1           free motions of its joint
    tac_real u[3][6];        ///< kg               inertia times these
    tac_real inv_d[3];       ///< 1/kg             of the free motions
    tac_real pull[3];        ///< N s              impulse along them
    tac_vec3 axis[3];        ///< 1                of the principal frame
    tac_vec3 centre;         ///< m                point of the tree
    tac_vec3 arm, at;        ///< m                from there to the centre of mass, and to the joint
    uint16_t joint, parent;  ///<                  that it hangs on; TAC_NONE of a root, and parent where that does not move
    uint16_t mark;           ///<                  row that acts on it
    uint8_t axes;            ///<                  free motions
    uint8_t placed;          ///<                  1 when it is known where it hangs
} tac_limb;

/// Scratch: what a row is along one coordinate of the trees.
typedef struct tac_reach {
    tac_real y;
    uint16_t index; ///< 6 body + number of the free motion, or of the root's row
} tac_reach;

/// Scratch: contacts, three rows each, then coordinates with bounds, the joints eliminated.
typedef struct tac_reduced {
    tac_limb limb[TAC_MAX_BODIES + 1];
    uint16_t order[TAC_MAX_BODIES + 1];           ///<       bodies that move, parents first
    uint16_t limbs;                               ///<       in order[]
    uint16_t rows;
    tac_real w[TAC_MAX_REDUCED][TAC_MAX_REDUCED]; ///< 1/kg  D' A^-1 D
    tac_real velocity[TAC_MAX_REDUCED];           ///< m/s   of the rows
    tac_real last[TAC_MAX_REDUCED];               ///< m/s   of the last iterate
    tac_reach reach[TAC_MAX_REACH];
    uint16_t first[TAC_MAX_REDUCED + 1];          ///<       of each row in reach[]
    uint16_t row[TAC_MAX_JOINTS];                 ///<       of the coordinate; TAC_NONE if nothing bounds it
} tac_reduced;
#endif

/// Scratch of the solver. Impulses lie row by row, contacts first; those about n, u, w are over the semi-axes of their set
/// (tac_resist). What a configuration or a joint does not have stays 0.
typedef struct tac_solve_scratch {
    tac_block block[TAC_MAX_CONTACTS];
    tac_real g[TAC_ROWS];               ///< N s  impulses in force
    tac_real best[TAC_ROWS];            ///< N s  of the best iterate so far; the warm impulses before the first sweep
    tac_real last[TAC_ROWS];            ///< N s  of the last iterate; direct: the centre of the proximal term
#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0
    tac_twist free[TAC_MAX_BODIES + 1]; ///< M^-1 h f: gain without impulses
    tac_twist step[TAC_NODES];          ///< Newton's; of a joint: its impulses
#endif
#if TAC_MAX_FILL > 0
    tac_sparse matrix;
#endif
#if TAC_MAX_JOINTS > 0
    tac_reduced reduced;
#endif
} tac_solve_scratch;

/// Progress of the solver between slices.
typedef struct tac_progress {
    tac_real start;     ///< m/s   natural-map residual of zero impulses: the scale of `tolerance`
    tac_real scale;     ///< m/s   |p|: the scale of report.residual
    tac_real rounding;  ///< m/s   what rounding of p can change of the residual: epsilon times |p| of the rows that act
    tac_real moved;     ///< m/s   what the last sweep moved; direct: the natural-map residual after it
    tac_real least;     ///< m/s   smallest `moved` so far, that of the best iterate
    tac_real momentum;  ///< 1     t of Nesterov's sequence
    tac_real beta;      ///< 1     how far the next sweep extrapolates
    tac_real pace;      ///< m/s   what the last sweep moved
    tac_real proximal;  ///< 1     direct: R of the proximal term, relative to trace(W)/3
    tac_real factored;  ///< 1     direct: `proximal` of the matrix that is factored; 0 if none is
    tac_real centred;   ///< m/s   direct: `moved` before the last outer step
    tac_real halved;    ///< m/s   direct: `least` when it was last halved
    tac_real tried;     ///< m/s   auto: `least` when Newton's method was last judged
    uint16_t idle;      ///<       direct: sweeps since `least` was last halved
    uint8_t trial;      ///<       auto: sweeps since it was judged
    uint8_t loops;      ///<       1 when joints close loops: their constraints may be more than they need
    uint8_t bare;       ///<       1 when the matrix of bodies and joints alone is factored
    uint16_t sweeps;    ///<       spent
    uint8_t friction;   ///<       law in force
    uint8_t solver;     ///<       in force
    uint8_t converged;  ///<       1 when the tolerance is met
    uint8_t fell_back;  ///<       1 when the exact law was given up
    uint8_t choose;     ///<       1 with TAC_SOLVER_AUTO, where there is a direct solver
    uint8_t swept;      ///<       1 when the direct solver was given up
    uint8_t given;      ///<       1 when `moved` and `least` of sweeps are residuals: after the direct solver, and once they move little
    uint8_t reduced;    ///<       1 where joints are eliminated and contacts swept;
    uint8_t trees;      ///<       1 where trees of joints are factored
    uint8_t open;       ///<       1 while the joints have not followed the last sweep
    uint8_t together;   ///<       1 where the arc of the step leaves the joints together
    uint8_t hold;       ///<       1 when a limit presses that the factored matrix does not know
    uint8_t alike;      ///<       sweeps in a row that have moved as much as the one before
} tac_progress;

/// Scratch and results of one step. May be used for any state of any model of this configuration, one step at a time.
typedef struct tac_work {
    tac_report report;

    // scratch; the small ones come first, within reach of a short offset
    uint32_t open;         ///< marks a step between begin and end, or one whose blocks are still there
    uint32_t model_hash;   ///< of that step
    uint64_t step;         ///< of that step
    tac_progress progress; ///< solve floor

    tac_contact contact[TAC_MAX_CONTACTS];
#if TAC_MAX_JOINTS > 0
    tac_joint_result joint[TAC_MAX_JOINTS];
#endif

    // scratch, by floor
    tac_moving moving[TAC_MAX_BODIES + 1];  ///< step and solve floors, these four; the ground has zeros
    tac_twist gain[TAC_MAX_BODIES + 1];     ///< change of velocity in this step: M^-1 (h f + D g)
    tac_twist previous[TAC_MAX_BODIES + 1]; ///< gain of the last iterate, kept by the acceleration
    tac_twist shift[TAC_MAX_BODIES + 1];    ///< what moves the pose besides the new velocity: src/step/README.md
    tac_twist late[TAC_MAX_BODIES + 1];     ///< step floor: the part of the shift that impacts make, which act within the step
#if TAC_MAX_JOINTS > 0
    tac_joint_block link[TAC_MAX_JOINTS];   ///< rows and solve floors
    tac_pose end[TAC_MAX_BODIES + 1];       ///< step floor: where the bodies will be, or how they move
    tac_vec3 turned[TAC_MAX_BODIES + 1];    ///< N m s  what free rotation has changed of the angular momentum, in the body's frame
#endif
    union {
        tac_meeting meeting; ///< geometry floor: gone when the blocks are made
        tac_solve_scratch solve; ///< rows and solve floors, and the step floor after them
    } scratch;
} tac_work;

TAC_TYPES_END

#endif
