// SPDX-License-Identifier: MIT
// friction.h - friction with a direction, static friction and Stribeck's curve: accessors, empty with TAC_FRICTION_LAWS
// 0.
//   given   TAC_FRICTION_LAWS; shapes, materials, pairs of them, contacts, blocks
//   makes   FRICTION_*: the field, or what a material without these laws has; vectors from (n,u,w) to rows and back
//   bound   constant
//   never   stores anything where there is no field
#ifndef MODEL_FRICTION_H
#define MODEL_FRICTION_H

#include "../base/vec.h"

// With friction mu along u and a mu across it, along w, the cone is that of CBAT07 (5) with semi-axes e_t = mu, e_o = a
// mu. In the coordinate  g_w = p_w/a  and with the row of D times a it is the circular cone of mu:
//      p_u^2 + (p_w/a)^2 <= (mu p_n)^2,        D p = (u, a w) (p_u, p_w/a).
// So W = D'M^-1 D, every projection, every law and every residual hold unchanged, and maximum dissipation on the circle
// of (p_u, p_w/a) is maximum dissipation on the ellipse: friction is not against the slip u but against (mu^2 u_u,
// (a mu)^2 u_w). What is seen from outside is in (n,u,w): impulses are multiplied by a, velocities divided.

// Without TAC_FRICTION_LAWS all of these are constants, and compilers remove what depends on them.
#if TAC_FRICTION_LAWS
#define FRICTION_AXIS(s) ((s)->axis)
#define FRICTION_TURN(s) ((s)->turn)
#define FRICTION_SHARE(s) ((s)->across)
#define FRICTION_SET_AXIS(s, a, t, part) ((void)((s)->axis = (a), (s)->turn = (t), (s)->across = (part)))
#define FRICTION_ACROSS(x) ((x)->across)
#define FRICTION_SET_ACROSS(x, value) ((void)((x)->across = (value)))
#define FRICTION_STATIC(x) ((x)->static_friction)
#define FRICTION_SPEED(x) ((x)->stribeck_speed)
#define FRICTION_SET_STATIC(x, still, speed) ((void)((x)->static_friction = (still), (x)->stribeck_speed = (speed)))
#else
#define FRICTION_AXIS(s) ((void)(s), V3_ZERO)
#define FRICTION_TURN(s) ((void)(s), R(0.0))
#define FRICTION_SHARE(s) ((void)(s), R(0.0))
#define FRICTION_SET_AXIS(s, a, t, part) ((void)(s), (void)(a), (void)(t), (void)(part))
#define FRICTION_ACROSS(x) ((void)(x), R(1.0))
#define FRICTION_SET_ACROSS(x, value) ((void)(x), (void)(value))
#define FRICTION_STATIC(x) ((void)(x), R(0.0))
#define FRICTION_SPEED(x) ((void)(x), R(0.0))
#define FRICTION_SET_STATIC(x, still, speed) ((void)(x), (void)(still), (void)(speed))
#endif

// Of an impulse in (n,u,w), that of the rows; of a velocity of the rows, that in (n,u,w).
static inline vec3 friction_over(real across, vec3 x)
{
    if (TAC_FRICTION_LAWS) { x.z /= across; }
    return x;
}

// The other way.
static inline vec3 friction_times(real across, vec3 x)
{
    if (TAC_FRICTION_LAWS) { x.z *= across; }
    return x;
}

static inline int friction_has_axis(const tac_shape *s)
{
    return TAC_FRICTION_LAWS && v3_norm_inf(FRICTION_AXIS(s)) > R(0.0);
}

static inline int friction_directed(real across)
{
    return TAC_FRICTION_LAWS && across < R(1.0);
}

// Hess and Soom (1990) without their viscous term: mu of a contact that slips, q the slip over the Stribeck speed.
static inline real friction_curve(real kinetic, real still, real q2)
{
    return kinetic + (still - kinetic) / (R(1.0) + q2);
}

#endif
