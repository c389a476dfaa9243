// SPDX-License-Identifier: MIT
// aba.h - articulated bodies (F08, chapter 7), one body at a time: its free motions are eliminated, forces go up,
// motions come down. Who has the trees has the loops.
//   given   inertia of a body and of what it carries, free motions of its joint, slopes, forces; motion of its parent
//   makes   u and scale of each free motion, what is left of inertia and force, rates
//   bound   constant
//   never   knows what a force is: an impulse of a step, or a force of a controller
#ifndef TREE_ABA_H
#define TREE_ABA_H

#include "../base/six.h"

// Body b is the child of p: V_b = V_p + c + sum s_i q_i, with s_i the free motions of the joint and c the motion that
// its constraints demand. Along s_i the joint's force f is only what acts on its coordinate, s_i'f = effort - slope
// q_i. With R the sum of all forces on b and I its articulated inertia, that of its subtree included, f = I V_b - R.
// Free motions are eliminated one by one. With d = s'I s + slope,
//      u = I s/sqrt(d),  pull = (s'R + effort)/sqrt(d),  q = (pull - u'V)/sqrt(d),  I <- I - u u',  R <- R - pull u,
// and the remaining I and R - I c are added to the parent. All V are (w, v) and all R (torque, force) in the world
// frame about one point of the tree: no transformation is needed from body to body.

// Makes u, and returns 1/sqrt(d). `rigid`: the inertia is still that of a rigid body.
static inline real aba_eliminate(const real *inertia, int rigid, const real *s, real slope, real *u)
{
    if (rigid) {
        six_rigid_mul(inertia, s, u);
    } else {
        six_mul(inertia, s, u);
    }
    const real d = six_dot(s, u) + slope, scale = d > R(0.0) ? R(1.0) / real_sqrt(d) : R(0.0);
    six_scale(u, scale);
    return scale;
}

// I <- I - u u', of a free motion that others follow, or of a body whose parent does not move. The last one adds the
// rest to the parent: six_pass_outer(), or six_add_rest() for who asks for accelerations alone.
static inline void aba_reduce(real *inertia, const real *u)
{
    six_take_outer(inertia, R(1.0), u);
}

// Eliminates a free motion from the forces R. Returns the pull along it.
static inline real aba_lift(const real *s, const real *u, real scale, real effort, real *r)
{
    const real pull = scale * (six_dot(s, r) + effort);
    six_add(r, -pull, u);
    return pull;
}

// The rate of a free motion, added to V.
static inline real aba_lower(const real *s, const real *u, real scale, real pull, real *v)
{
    const real rate = scale * (pull - six_dot(u, v));
    six_add(v, rate, s);
    return rate;
}

// A root that hangs on nothing: the factor of its inertia about its own centre.
static inline void aba_root(real mass, vec3 moments, real *inertia)
{
    real least[6];
    six_least(mass, moments, least);
    six_factor(inertia, least);
}

#endif
