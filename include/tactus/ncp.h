// SPDX-License-Identifier: MIT
// ncp.h - the nonlinear complementarity problem of CBAT07: tac_ncp, its options, solution and scratch (TAC_MAX_NCP).
#ifndef TACTUS_NCP_H
#define TACTUS_NCP_H

#include "tactus/implicit.h"
#include "tactus/work.h"

#if TAC_MAX_NCP > 0

TAC_TYPES_BEGIN

/// How a contact is modelled: where its two points are at the end of the step. In all models but TAC_NCP_FACE they are
/// the closest points of the two shapes there.
enum {
    TAC_NCP_FACE,  ///< a plane of one body and a point of the other, both fixed to their bodies at the start of the
                   ///< step. Exact for spheres, corners of boxes and of hulls, ends of capsules and apexes against a
                   ///< half-space
    TAC_NCP_RIM,   ///< a half-space and the rim of a cylinder or a cone
    TAC_NCP_BALLS, ///< two balls: spheres; of a capsule the ball about the point of its axis at the start of the step
    TAC_NCP_PAIR,  ///< two intersections of convex inequalities, CBAT07 (9), (22)
    TAC_NCP_LAWS
};

/// Residuals of (10), (11) and (9) or (22) at the end of the step, each the largest of all bodies or contacts,
/// relative: velocities to `speed`, impulses to `change` times the effective mass of a contact, lengths to the thinner
/// shape.
typedef struct tac_ncp_residual {
    tac_real newton_euler; ///< 1   M nu+ - M nu - W p - p_app - p_vp
    tac_real closest;      ///< 1   (9) or (22), of TAC_NCP_PAIR; the other laws are closed forms
    tac_real gap;          ///< 1   min(p_n, gap + the overlap that is kept)
    tac_real friction;     ///< 1   (5): e mu p_n v + p sigma / e, of each component
    tac_real ellipsoid;    ///< 1   min(sigma, mu p_n - |p/e|): the second has the sign of zeta
    tac_real joint;        ///< 1   errors of constraints of joints at the end of the step, rotations times a length,
                           ///<     relative to that length; laws of efforts and bushings, relative to `change`
} tac_ncp_residual;

/// One contact at the end of the step, in the order of work->contact[].
typedef struct tac_ncp_contact {
    tac_vec3 a1, a2;        ///< m     world: on the shape of body a, on that of body b
    tac_vec3 normal, t, o;  ///< 1     orthonormal; normal from a to b
    tac_real gap;           ///< m     normal.(a2 - a1)
    tac_real p_n, p_t, p_o; ///< N s   impulse on b
    tac_real p_r;           ///< N m s torque impulse on b about the normal
    tac_real p_rt, p_ro;    ///< N m s about t and o: rolling resistance
    tac_real v_n, v_t, v_o; ///< m/s   velocity of b against a
    tac_real v_r;           ///< rad/s about the normal
    tac_real sigma;         ///< m/s   multiplier of the friction ellipsoid: the slip, |(e_t v_t, e_o v_o, e_r v_r)|
    uint8_t law;            ///<       TAC_NCP_FACE, _RIM, _BALLS, _PAIR

    // scratch
    uint8_t face;            ///<       0, 1: the plane is fixed to a, to b
    uint8_t known;           ///<       1: `closest` is of a pose not far away
    uint8_t rows;            ///<       3, 6
    uint16_t first;          ///<       its first unknown
    tac_real mu;             ///< 1
    tac_real length;         ///< m     of the thinner shape
    tac_real kept;           ///< m     overlap that the step need not undo
    tac_real e[6];           ///< m     semi-axes of torques; 1 for forces
    tac_real p[6], y[6];     ///<       impulses over e; e times the velocities: n, t, o, about n, t, o
    tac_real step_n, step_t; ///< kg    of the natural maps
    tac_vec3 base;           ///< 1     t is its part in the tangent plane
    tac_vec3 point[2];       ///< m     of each body, in its frame: centre of a ball or of a rim, point of the plane
    tac_real ball[2];        ///< m     radius of the ball that is swept over it
    tac_vec3 axis;           ///< 1     normal of the plane, out of its body, in the body's frame
    tac_vec3 rim;            ///< 1     axis of the rim, in its body's frame
    tac_real radius;         ///< m     of the rim
    tac_closest closest;     ///<       in the frame of shape a
} tac_ncp_contact;

/// Scratch: one body at the end of the step.
typedef struct tac_ncp_body {
    tac_pose pose;         ///<         of its principal frame
    tac_twist twist;       ///<         as in tac_state
    tac_compensation rest; ///<         low-order parts of these
    tac_twist free;        ///<         delta_v without contacts
    tac_twist pseudo;      ///<         what moves its pose besides the velocity: free rotation
    tac_vec3 start, kick;  ///< N m s   angular momentum before free rotation; of the torque alone; body frame
    tac_vec3 momentum;     ///< N m s   angular momentum at the end of the step, body frame
    tac_real length;       ///< m       radius of gyration
    uint16_t first;        ///<         its first unknown; TAC_NONE if it has none
} tac_ncp_body;

/// Scratch: one joint. Rows as in the cone program: those of constraints, then efforts along the coordinate.
typedef struct tac_ncp_joint {
    uint16_t first;                 ///<         its first unknown
    uint16_t rows;                  ///<         bits: rows that have an unknown
    tac_real length;                ///< m       scales errors; of a coupling 1 or m
    tac_real rate;                  ///< m/s     along the coordinate at the start of the step
    tac_real change;                ///< q       of the coordinate in the step
    tac_real w[TAC_JOINT_ROWS];     ///< 1/kg    of the rows at the start
    tac_real start[TAC_JOINT_ROWS]; ///< m, m/s  error of a constraint at the start; of a bushing what it yields to
    tac_real error[TAC_JOINT_ROWS]; ///< m       of a constraint at the end
    tac_real total[TAC_JOINT_ROWS]; ///< N s     impulse along each row
} tac_ncp_joint;

/// The problem. tac_ncp_init() sets the defaults in [ ].
typedef struct tac_ncp {
    // in
    tac_real tolerance;      ///< 1     [1e-9, float 1e-4] largest residual that counts as converged, > 0. Newton's
                             ///<       method goes on to a hundredth of it, or until rounding stops it
    uint16_t max_iterations; ///<       [40] of Newton's method, 1 .. 1000

    // out
    uint16_t iterations;  ///<       spent
    uint16_t evaluations; ///<       of the equations, trials of the line search included
    uint16_t unknowns;    ///<       of the problem, also of one that has no room
    uint16_t contacts;    ///<       in use in contact[]
    uint8_t converged;    ///<       1: the step is the implicit one; 0: it is that of tac_step()
    tac_ncp_residual residual;
    tac_real speed;  ///< m/s   scale of velocities: the largest of a body in contact
    tac_real change; ///< m/s   the same of its change in this step, with or without contacts
    tac_ncp_contact contact[TAC_MAX_CONTACTS];

    // scratch
    tac_ncp_body body[TAC_MAX_BODIES + 1];
    tac_ncp_joint joint[TAC_ONE_OR(TAC_MAX_JOINTS)];
    tac_real x[TAC_MAX_NCP];    ///< unknowns: changes of velocity, impulses
    tac_real from[TAC_MAX_NCP]; ///< those that the line search starts from
    tac_real step[TAC_MAX_NCP]; ///< minus the equations; then Newton's step
    tac_real phi[TAC_MAX_NCP];  ///< the equations, all as velocities
    tac_real matrix[TAC_MAX_NCP * TAC_MAX_NCP];
    tac_implicit shape[2];
    tac_real right[TAC_SYSTEM * 6]; ///< right-hand sides of the derivatives of closest points
    tac_implicit_work implicit;
} tac_ncp;

TAC_TYPES_END

#endif

#endif
