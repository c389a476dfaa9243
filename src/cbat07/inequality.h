// SPDX-License-Identifier: MIT
// inequality.h - convex inequalities f(x) <= 0 of CBAT07 (appendix): value, gradient, Hessian; bodies made of them.
//   given   an inequality or a body, as the user wrote it; a pose
//   makes   rows: the inequality in a common frame, and f, grad f, Hess f at a point; common bodies
//   bound   constant for an inequality, TAC_MAX_INEQUALITIES for a body
//   never   takes a power but 2, 4, 6 and 8: others need a logarithm
#ifndef CBAT07_INEQUALITY_H
#define CBAT07_INEQUALITY_H

#include "../model/check.h"

typedef tac_inequality_row inequality;

// The term c (t^p - 1/3) with t = y/s, and its first two derivatives by y; p = 0 stands for no term.
static real inequality_term(real c, real y, real s, int power, real *slope, real *curvature)
{
    const real t = y / s, p = (real)power;
    real q = power > 0 ? c : R(0.0); // c t^(p-2)
    for (int i = 2; i < power; i++) { q *= t; }
    *slope = p * q * t / s;
    *curvature = p * (p - R(1.0)) * q / (s * s);
    return q * t * t;
}

// f = c (|x/s.x|^p + |y/s.y|^q + |z/s.z|^r - 1). With c = least size / largest power the gradient is at most about 1 on
// the surface and f is a length.
static real inequality_powers(const inequality *r, vec3 y, vec3 *slope, vec3 *curvature)
{
    const int most = r->power[0] > r->power[1] ? r->power[0] : r->power[1];
    const real power = (real)(most > r->power[2] ? most : r->power[2]);
    const real c = real_min(r->size.x, real_min(r->size.y, r->size.z)) / power;
    return inequality_term(c, y.x, r->size.x, r->power[0], &slope->x, &curvature->x) +
           inequality_term(c, y.y, r->size.y, r->power[1], &slope->y, &curvature->y) +
           inequality_term(c, y.z, r->size.z, r->power[2], &slope->z, &curvature->z) - c;
}

// A cone, w = -k z, k = size.x / size.z, whose apex is rounded by a length e > 0, convex and smooth everywhere:
//      f = cos (rho - w),   rho = sqrt(x^2 + y^2 + e^2),   cos = 1 / sqrt(1 + k^2)
//      Hess f = cos/rho ((e/rho)^2 (ex ex' + ey ey') + t t'),   t = (-y, x, 0) / rho
// On the surface its gradient is the unit normal. Where nobody asks for more, e is what rounding makes of the radius.
static void inequality_cone(inequality *r, vec3 y, real round)
{
    const real k = r->size.x / r->size.z, cos = R(1.0) / real_sqrt(R(1.0) + k * k);
    const real e = real_max(round, REAL_EPSILON * r->size.x);
    const real rho = real_sqrt(y.x * y.x + y.y * y.y + e * e), s = cos / rho, blunt = (e / rho) * (e / rho);
    const vec3 t = v3_combine(r->axis, v3(-y.y / rho, y.x / rho, R(0.0)));
    r->f = cos * (rho + k * y.z);
    r->gradient = v3_scale(cos, v3_combine(r->axis, v3(y.x / rho, y.y / rho, k)));
    sym3_add_outer(&r->hessian, s * blunt, &r->axis[0]);
    sym3_add_outer(&r->hessian, s * blunt, &r->axis[1]);
    sym3_add_outer(&r->hessian, s, &t);
}

// f, its gradient and Hessian at x, in the frame of the rows; the apex of a cone rounded by `round`.
static void inequality_at(inequality *r, vec3 x, real round)
{
    const vec3 y = v3_components(r->axis, v3_sub(x, r->origin));
    reals_clear(&r->hessian, sizeof r->hessian);
    if (r->kind == TAC_WITHIN_PLANE) {
        r->f = y.z;
        r->gradient = r->axis[2];
    } else if (r->kind == TAC_WITHIN_CONE) {
        inequality_cone(r, y, round);
    } else {
        vec3 slope, curvature;
        r->f = inequality_powers(r, y, &slope, &curvature);
        r->gradient = v3_combine(r->axis, slope);
        sym3_add_outer(&r->hessian, curvature.x, &r->axis[0]);
        sym3_add_outer(&r->hessian, curvature.y, &r->axis[1]);
        sym3_add_outer(&r->hessian, curvature.z, &r->axis[2]);
    }
}

// Takes an inequality into the frame that its body has the pose `body` in. Ellipsoid and cylinder become
// superellipsoids of powers (2,2,2) and (2,2,0).
static void inequality_place(const tac_inequality *f, const tac_pose *body, inequality *r)
{
    tac_pose pose;
    pose_mul(body, &f->pose, &pose);
    quat_unit(&pose.q);
    r->origin = pose.p;
    quat_axes(pose.q, r->axis);
    r->size = f->size;
    r->kind = f->kind;
    for (int i = 0; i < 3; i++) { r->power[i] = f->kind == TAC_WITHIN_SUPERELLIPSOID ? f->power[i] : 2; }
    if (f->kind == TAC_WITHIN_CYLINDER) {
        r->size = v3(f->size.x, f->size.x, f->size.x);
        r->power[2] = 0;
    }
}

// ------------------------------------------------------------------------------------------------------------- checks

static int inequality_power_known(unsigned power)
{
    return power >= 2 && power <= 8 && power % 2 == 0;
}

static int inequality_powers_known(unsigned p, unsigned q, unsigned r)
{
    return inequality_power_known(p) && inequality_power_known(q) && inequality_power_known(r);
}

static tac_status inequality_check_pose(const tac_pose *pose)
{
    const int reason = check_pose(pose, TAC_MOST_POSITION);
    return reason == TAC_REASON_NONE ? TAC_OK : (reason == TAC_REASON_NOT_FINITE ? TAC_E_NAN : TAC_E_ARG);
}

static tac_status inequality_check(const tac_inequality *f)
{
    const tac_status status = inequality_check_pose(&f->pose);
    if (status) { return status; }
    const uint8_t *power = f->power;
    if (f->kind >= TAC_INEQUALITY_KINDS) { return TAC_E_ARG; }
    if (f->kind == TAC_WITHIN_SUPERELLIPSOID && !inequality_powers_known(power[0], power[1], power[2])) {
        return TAC_E_ARG;
    }
    if (f->kind == TAC_WITHIN_PLANE) { return TAC_OK; }
    const vec3 one = v3(f->size.x, f->size.x, f->size.x);
    vec3 size = f->kind == TAC_WITHIN_CYLINDER ? one : f->size;
    if (f->kind == TAC_WITHIN_CONE) { size.y = size.x; }
    if (!reals_finite(&size, sizeof size)) { return TAC_E_NAN; }
    return size.x > R(0.0) && size.y > R(0.0) && size.z > R(0.0) ? TAC_OK : TAC_E_ARG;
}

// How thick a body is at a point inside, by one of its inequalities: the distance of a plane or a cone, the least size
// of a superellipsoid.
static real inequality_thickness(const inequality *r)
{
    if (r->kind == TAC_WITHIN_PLANE || r->kind == TAC_WITHIN_CONE) { return -r->f; }
    return real_min(r->size.x, real_min(r->size.y, r->size.z));
}

// Every inequality must be sound and hold at the point inside. `scratch` is written.
static tac_status inequality_check_body(const tac_implicit *body, inequality *scratch)
{
    const tac_pose here = {V3_ZERO, QUAT_ONE};
    if (body->count < 1 || body->count > TAC_MAX_INEQUALITIES) { return TAC_E_ARG; }
    if (!reals_finite(&body->inside, sizeof body->inside)) { return TAC_E_NAN; }
    for (int i = 0; i < body->count; i++) {
        const tac_status status = inequality_check(&body->f[i]);
        if (status) { return status; }
        inequality_place(&body->f[i], &here, scratch);
        inequality_at(scratch, body->inside, R(0.0));
        if (!(scratch->f < R(0.0))) { return real_finite(scratch->f) ? TAC_E_ARG : TAC_E_NAN; }
    }
    return TAC_OK;
}

// ------------------------------------------------------------------------------------------------------------- makers

// An empty body for `count` inequalities, if there is room and the sizes are sound; else the body stays as it is.
static tac_status inequality_begin(tac_implicit *body, vec3 size, int count)
{
    if (body == NULL) { return TAC_E_ARG; }
    if (count > TAC_MAX_INEQUALITIES) { return TAC_E_FULL; }
    if (!reals_finite(&size, sizeof size)) { return TAC_E_NAN; }
    if (!(size.x > R(0.0) && size.y > R(0.0) && size.z > R(0.0))) { return TAC_E_ARG; }
    bytes_clear(body, sizeof *body);
    return TAC_OK;
}

static tac_inequality *inequality_add(tac_implicit *body, uint8_t kind, vec3 size)
{
    tac_inequality *f = &body->f[body->count++];
    f->kind = kind;
    f->size = size;
    f->pose.q = QUAT_ONE;
    return f;
}

// A frame whose z is along unit n: half a turn about e_z + n, which needs no sine.
static quat inequality_frame_of(vec3 n)
{
    const vec3 half = v3_unit(v3_add(V3_Z, n), V3_AXIS[0]);
    return (quat){R(0.0), half.x, half.y, half.z};
}

// The half-space n.x <= distance for n = sign times an axis.
static void inequality_add_plane(tac_implicit *body, int axis, real sign, real distance)
{
    const vec3 n = v3_scale(sign, V3_AXIS[axis]);
    tac_inequality *f = inequality_add(body, TAC_WITHIN_PLANE, V3_ZERO);
    f->pose.q = inequality_frame_of(n);
    f->pose.p = v3_scale(distance, n);
}

#endif
