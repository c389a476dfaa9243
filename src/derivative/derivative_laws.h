// SPDX-License-Identifier: MIT
// derivative_laws.h - contacts in the equations: what each coordinate changes at them, and how their impulses answer.
//   given   contacts with the columns of their points and normals; the motion of the step; K and its inverse
//   makes   columns by q and v of velocities that contacts see; right sides of q with the changes of their wrenches;
//           the response of the rates to right sides and to these velocities, each by the law of its contact's mode
//   bound   a visit to each pair of a contact and a coordinate that moves one of its bodies; (3 contacts)^3; for each
//           coordinate 3 contacts coordinates multiplications
//   never   opens, closes or slides another contact than the step did
#ifndef DERIVATIVE_DERIVATIVE_LAWS_H
#define DERIVATIVE_DERIVATIVE_LAWS_H

#include "derivative_contacts.h"

#if TAC_MAX_LCP > 0

// ------------------------------------------------------------------------------------------------ what a contact sees

// From the centre of the tree of a body at the start to a point.
static vec3 derivative_arm(const vary_step *x, uint16_t self, vec3 point)
{
    return v3_sub(point, x->s->pose[x->tree->body[self].tree].p);
}

// Velocity of the centre and angular velocity of a body that contacts see, world frame: those of the solve.
static tac_twist derivative_twist(const vary_step *x, uint16_t body)
{
    const tac_varied_body *v = &x->t->body[body];
    const tac_mechanism_body *b = &x->tree->body[body];
    if (mechanism_moves(x->m, body)) {
        if (!v->alone) { return (tac_twist){v->mean_v, v3_sub(v->mean_w, v->excess)}; }
        return (tac_twist){v3_of(x->rates + b->first), v3_combine(b->axis, v->contact_w_b)};
    }
    const tac_twist twist = vary_prescribed(x, body);
    return (tac_twist){twist.v, v3_combine(b->axis, twist.w)};
}

// The velocities that a contact sees.
static void derivative_see(const vary_step *x, uint32_t i)
{
    const tac_contact *c = &x->w->contact[i];
    tac_varied_contact *k = &x->t->contact[i];
    const uint16_t body[2] = {c->body_a, c->body_b};
    vec3 v[2];
    for (int side = 0; side < 2; side++) {
        const tac_twist twist = derivative_twist(x, body[side]);
        k->rate[side] = twist.w;
        v[side] = v3_velocity(&twist.v, &twist.w, &x->s->pose[body[side]].p, c->point);
    }
    k->velocity = v3_sub(v[1], v[0]);
}

// The motion of the bodies of a contact by a change of a position that moves these of both.
static void derivative_motion_of(const vary_step *x, const tac_contact *c, const tac_varied_axis *a, const int moves[2],
                                 derivative_motion *d)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    for (int side = 0; side < 2; side++) {
        d->way[side] = d->turn[side] = V3_ZERO;
        if (!moves[side]) { continue; }
        d->way[side] = vary_velocity(a->s, derivative_arm(x, body[side], c->point));
        d->turn[side] = six_angular(a->s);
    }
    d->apart = v3_sub(d->way[1], d->way[0]), d->twist = v3_sub(d->turn[1], d->turn[0]);
}

// Adds a wrench on a body, times s, to numbers of the coordinates that move it. Over a half-space forces do not turn,
// and their changes have a torque alone. Without joints all bodies are alone, which compilers are told.
static void derivative_along(const vary_step *x, uint16_t self, real s, vec3 torque, vec3 force, real *to)
{
    const size_t shifts = vary_shifts(x->tree, self);
    const int alone = TAC_MAX_JOINTS == 0 || x->t->body[self].alone;
    const int turns = force.x != R(0.0) || force.y != R(0.0) || force.z != R(0.0);
    real wrench[6];
    six_set(wrench, v3_scale(s, torque), v3_scale(s, force));
    for (size_t i = vary_innermost(x->tree, self); i != TAC_NONE && i >= shifts; i = alone ? i - 1 : x->t->up[i]) {
        const real *start = x->t->axis[i].s;
        to[i] += turns ? six_dot(start, wrench) : v3_dot(six_angular(start), six_angular(wrench));
    }
    for (size_t i = 0; i < 3 && turns && shifts > 0; i++) { to[shifts - 3 + i] += wrench[3 + i]; }
}

// Adds the change of the wrench of a contact on one of its bodies to the right side of a column, also along coordinates
// that are held: `force` acts at the contact, and these change by dforce and dat.
static void derivative_wrench(const vary_step *x, const tac_contact *c, const derivative_motion *d, int side,
                              vec3 force, vec3 dat, vec3 dforce, real *to)
{
    const uint16_t self = derivative_body(c, side);
    if (!mechanism_moves(x->m, self)) { return; }
    const vec3 arm = derivative_arm(x, self, c->point);
    vec3 torque = v3_add(v3_cross(dat, force), v3_cross(arm, dforce));
    if (x->t->body[self].alone) { // about its centre, in its principal frame
        const vec3 lever = v3_sub(c->point, x->s->pose[self].p);
        torque = v3_sub(torque, v3_cross(v3_sub(d->way[side], v3_cross(d->turn[side], lever)), force));
        torque = v3_sub(torque, v3_cross(d->turn[side], v3_cross(arm, force)));
    }
    derivative_along(x, self, side ? R(1.0) : R(-1.0), torque, dforce, to);
}

// What a body at a contact adds to the velocity that the contact sees, at fixed axes, by a coordinate that moves it:
// columns by the rotation of d, by that of s, and by that of u.
typedef struct derivative_side {
    vec3 by_end[3], by_start[3], by_speed[3];
} derivative_side;

// These columns of body a or b.
static void derivative_side_of(const vary_step *x, uint32_t i, int side, derivative_side *y)
{
    const tac_contact *c = &x->w->contact[i];
    const uint16_t self = derivative_body(c, side);
    const tac_varied_body *v = &x->t->body[self];
    const vec3 r = v3_sub(c->point, x->s->pose[self].p), seen = x->t->contact[i].rate[side];
    const vec3 end = v3_madd(x->tree->body[self].arm, x->m->h, v->mean_v), given = vary_fixed_torque(v);
    for (int j = 0; j < 3; j++) {
        const vec3 e = V3_AXIS[j], lever = v3_cross(seen, v3_cross(e, r)); // of the point to the body, turned back
        y->by_end[j] = y->by_speed[j] = V3_ZERO;
        y->by_start[j] = v3_add(v3_cross(v3_cross(e, seen), r), lever);
        if (v->alone) { continue; }
        const vec3 late = v3_combine(v->dexcess_dl, v3_cross(given, e));
        y->by_start[j] = v3_add(v3_sub(y->by_start[j], v3_cross(late, r)), v3_cross(e, v->mean_v));
        y->by_end[j] = v3_add(v3_cross(e, end), v3_cross(v->dmean_w[j], r));
        y->by_speed[j] = v3_cross(r, v3_combine(v->dexcess_dl, v->inertia[j]));
    }
}

// The velocity of that body at the contact, by a position.
static vec3 derivative_by_place(const derivative_side *y, const tac_varied_axis *a, int alone)
{
    const vec3 by = v3_combine(y->by_start, six_angular(a->s));
    if (alone) { return by; }
    const vec3 rate = v3_add(six_linear(a->place_d), v3_combine(y->by_end, six_angular(a->place_d)));
    return v3_add(v3_add(by, rate), v3_combine(y->by_speed, six_angular(a->place_u)));
}

// The velocity of that body at the contact, by a rate, and by the velocity at the start.
static vec3 derivative_by_speed(const derivative_side *y, const tac_varied_axis *a)
{
    const vec3 rate = v3_add(six_linear(a->rate_d), v3_combine(y->by_end, six_angular(a->rate_d)));
    return v3_add(rate, v3_combine(y->by_speed, six_angular(a->s)));
}

// Columns of q and of v of a coordinate: the explicit change of the velocity of a contact, along its axes, and of its
// wrench. By a translation of a whole tree loads change as vary_enter_shifts() says.
static void derivative_change(const vary_step *x, uint32_t i, uint32_t coordinate, const derivative_side *side,
                              const int moves[2])
{
    const tac_contact *c = &x->w->contact[i];
    const tac_varied_contact *k = &x->t->contact[i];
    const tac_varied_axis *a = &x->t->axis[coordinate];
    const uint16_t body[2] = {c->body_a, c->body_b};
    const int shifts = coordinate < vary_shifts(x->tree, body[!moves[0]]);
    derivative_motion d;
    derivative_motion_of(x, c, a, moves, &d);
    const derivative_moved at = derivative_moves(x, i, &d);
    const vec3 turn = v3_cross(c->n, at.normal); // the axes of the contact turn with n
    const vec3 dforce = v3_cross(turn, k->force);
    const vec3 spin = v3_sub(k->rate[1], k->rate[0]);
    vec3 by_place = v3_sub(v3_cross(spin, at.point), v3_cross(turn, k->velocity)), by_speed = V3_ZERO;
    for (int j = 0; j < 2; j++) {
        const real sign = j ? R(1.0) : R(-1.0);
        const int alone = x->t->body[body[j]].alone;
        const vec3 dat = shifts && !alone ? v3_sub(at.point, d.way[j]) : at.point;
        derivative_wrench(x, c, &d, j, k->force, dat, dforce, vary_row(x->side[VARY_Q], coordinate));
        if (!moves[j]) { continue; }
        const vec3 along = v3_cross(k->rate[j], d.way[j]);
        by_place = v3_madd(by_place, sign, v3_sub(derivative_by_place(&side[j], a, alone), along));
        by_speed = v3_madd(by_speed, sign, alone ? d.way[j] : derivative_by_speed(&side[j], a));
    }
    const real gap = v3_dot(c->n, d.apart);
    by_place = v3_components(k->axes, by_place);
    by_place.x += k->asks * gap / x->m->h;
    vary_row(x->gap, i)[coordinate] = gap;
    vary_put(x->seen[VARY_Q], coordinate, 3 * i, by_place);
    vary_put(x->seen[VARY_V], coordinate, 3 * i, v3_components(k->axes, by_speed));
}

// Of a contact, all columns of coordinates that move its bodies: those of a, also where they move b, then those of b
// alone.
static void derivative_changes(const vary_step *x, uint32_t i)
{
    const uint16_t body[2] = {x->w->contact[i].body_a, x->w->contact[i].body_b};
    derivative_side side[2];
    for (uint32_t at = 0; at < x->tree->bodies; at++) { x->t->body[x->tree->order[at]].carries = 0; }
    reals_clear(vary_row(x->gap, i), x->n * sizeof(real));
    for (int j = 0; j < 2; j++) {
        uint16_t on = body[j];
        for (int more = mechanism_moves(x->m, on); more; on = x->tree->body[on].parent) {
            x->t->body[on].carries |= (uint8_t)(1 << j);
            more = mechanism_hangs(x->tree, on);
        }
        if (mechanism_moves(x->m, body[j])) { derivative_side_of(x, i, j, &side[j]); }
    }
    for (int j = 0; j < 2; j++) {
        uint16_t on = body[j];
        for (int more = mechanism_moves(x->m, on); more; on = x->tree->body[on].parent) {
            const int moves[2] = {x->t->body[on].carries & 1, x->t->body[on].carries >> 1};
            more = mechanism_hangs(x->tree, on);
            if (j == 1 && moves[0]) { continue; }
            for (uint32_t c = 0; c < x->tree->body[on].axes; c++) {
                derivative_change(x, i, x->tree->body[on].first + c, side, moves);
            }
        }
    }
}

// ----------------------------------------------------------------------------------------------------- the active set

// With g the impulses of contacts that bear a force, J = D'S and r the mean rates of all coordinates,
//      equations(q, v, r) - J'g = 0,     u = D'V(q, v, r) + b,     a(u, g) = 0,
// where V are the velocities that contacts see, and a is the law of each contact in its mode, src/sets:
//      OPEN    g = 0
//      STICK   u = 0
//      SLIDE   u_n = 0 (relaxed: u_n = mu |u_T|),   g_T = -mu g_n u_T/|u_T|
// with C g_n in u_n where the contact is compliant.
// Its derivative along and across the direction of sliding s, t = n x s:
//      du_n - relaxed mu du_s = 0,     dg_s + mu dg_n = 0,     du_t + |u_T|/(mu g_n) dg_t = 0.
// Smoothed, the normal row is that of an interior point: g_n u_n = kappa in place of 0, so du_n + (u_n/g_n) dg_n = 0,
// which is a compliance on the diagonal of W, also of a contact that is open. With W_nn of its own row and u0 the
// velocity that it would have without its impulse, u_n - W_nn g_n = u0. kappa = s^2/(4 W_nn) makes
//      u_n = (u0 + sqrt(u0^2 + s^2))/2,     u_n/g_n = W_nn (2 u_n/s)^2,
// so a contact has half of its stiffness at u0 = 0, and nearly all or none of it s before and behind.
// A body on four corners has more rows than motions. They are consistent: those that the others imply are left out.
//
// The contacts see velocities of the solve, which moves all bodies along tangents: u = z'(S'(M v + h f) + J'g) + ..,
// with z = M^-1 J'. The rates r follow after it, from the same momenta by the matrix K: so u changes by z'y where the
// right side of K dr = y does. What the arcs of joints add to u depends on the velocities at the start:
//      du = (D'dV/dr - z'K) dv.
// All of it is linear, so each right side y has its response, a column of
//      K^-1 (1 - J' (law W)^-1 law z'),
// and what a column of q or v changes of u besides has -K^-1 J' (law W)^-1 law.
#define DERIVATIVE_FAR R(1e4) // of the smoothing: what is faster is as if it were so fast
#define DERIVATIVE_IMPLIED (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-8)) // of W with a diagonal of 1: less is left of a row

// J' of a contact along the coordinates of one of its bodies.
static void derivative_jacobian(const vary_step *x, uint32_t contact, int side)
{
    const tac_contact *c = &x->w->contact[contact];
    uint16_t on = derivative_body(c, side);
    real force[3][6];
    if (!mechanism_moves(x->m, on)) { return; }
    const vec3 at = derivative_arm(x, on, c->point);
    for (int i = 0; i < 3; i++) {
        const vec3 d = v3_scale(side ? R(1.0) : R(-1.0), x->t->contact[contact].axes[i]);
        six_set(force[i], v3_cross(at, d), d);
    }
    for (int more = 1; more; on = x->tree->body[on].parent) {
        for (size_t j = x->tree->body[on].first; j < (size_t)x->tree->body[on].first + x->tree->body[on].axes; j++) {
            real *to = vary_row(x->jacobian, j) + 3 * contact;
            for (int i = 0; i < 3; i++) { to[i] += six_dot(x->t->axis[j].s, force[i]); }
        }
        more = mechanism_hangs(x->tree, on);
    }
}

// J' and z of all contacts. Impulses do nothing along coordinates that are held.
static void derivative_enter(const vary_step *x)
{
    const size_t row = 3 * x->k * sizeof(real);
    if (x->k == 0) { return; }
    for (uint32_t j = 0; j < x->n; j++) { reals_clear(vary_row(x->jacobian, j), row); }
    for (uint32_t i = 0; i < 2 * x->k; i++) { derivative_jacobian(x, i / 2, i % 2); }
    for (uint32_t j = 0; j < x->n; j++) { reals_copy(vary_row(x->answer, j), vary_row(x->jacobian, j), row); }
    vary_solve(x, x->mass, x->answer, 3 * x->k);
    vary_clear_held(x, x->jacobian, 3 * x->k);
}

// W = z'J', velocities by impulses.
static void derivative_inverse_mass(const vary_step *x)
{
    const uint32_t rows = 3 * x->k;
    for (uint32_t i = 0; i < rows; i++) { // symmetric
        real *row = vary_row(x->W, i);
        reals_clear(&row[i], (rows - i) * sizeof *row);
        lu_row to = lu_row_of(&row[i], rows - i);
        for (uint32_t j = 0; j < x->n; j++) {
            lu_row_add(&to, vary_row(x->jacobian, j)[i], vary_row(x->answer, j) + i);
        }
        lu_row_end(&to);
        for (uint32_t j = i + 1; j < rows; j++) { vary_row(x->W, j)[i] = row[j]; }
    }
}

// W as the laws take it, and what these make of impulses; rows and columns scaled.
static void derivative_matrix(const vary_step *x)
{
    const uint32_t rows = 3 * x->k;
    derivative_inverse_mass(x);
    for (uint32_t i = 0; i < x->k; i++) {
        tac_varied_contact *k = &x->t->contact[i];
        const real mu = x->w->contact[i].mu;
        real *row[3] = {vary_row(x->W, 3 * i), vary_row(x->W, 3 * i + 1), vary_row(x->W, 3 * i + 2)};
        const real trace = (row[0][3 * i] + row[1][3 * i + 1] + row[2][3 * i + 2]) / R(3.0);
        k->scale = trace > R(0.0) ? R(1.0) / real_sqrt(trace) : R(0.0);
        row[0][3 * i] += k->soft + rows_soft(x->m, &x->w->contact[i]);
        for (uint32_t j = k->soft > R(0.0) ? 1 : 0; j < 3 && !k->bears; j++) {
            reals_clear(row[j], rows * sizeof *row[j]);
            row[j][3 * i + j] = trace;
        }
        if (!k->slides) { continue; }
        if (k->relaxed * mu > R(0.0)) { lu_madd(row[0], -k->relaxed * mu, row[1], rows); }
        reals_clear(row[1], rows * sizeof *row[1]);
        if (!(mu > R(0.0))) { reals_clear(row[2], rows * sizeof *row[2]); }
        row[1][3 * i] = mu * trace;
        row[1][3 * i + 1] = trace;
        row[2][3 * i + 2] += mu > R(0.0) ? k->slip / (mu * k->g.x) : trace;
    }
    for (uint32_t i = 0; i < rows; i++) {
        real *row = vary_row(x->W, i);
        const real own = x->t->contact[i / 3].scale;
        for (uint32_t j = 0; j < x->k; j++, row += 3) {
            const real scale = own * x->t->contact[j].scale;
            row[0] *= scale, row[1] *= scale, row[2] *= scale;
        }
    }
}

// The compliance of a contact by the smoothing, beside its own.
static void derivative_soften(const vary_step *x, uint32_t i)
{
    tac_varied_contact *k = &x->t->contact[i];
    const real s = x->smoothing, soft = rows_soft(x->m, &x->w->contact[i]);
    const real u = x->w->contact[i].velocity.x + derivative_kept(x, i)[DERIVATIVE_TARGET] + soft * k->g.x;
    real own = soft;
    k->soft = R(0.0);
    if (!(s > R(0.0))) { return; }
    for (uint32_t j = 0; j < x->n; j++) { own += vary_row(x->jacobian, j)[3 * i] * vary_row(x->answer, j)[3 * i]; }
    const real without = real_clamp((u - own * k->g.x) / s, -DERIVATIVE_FAR, DERIVATIVE_FAR);
    const real root = real_sqrt(without * without + R(1.0));
    const real twice = without > R(0.0) ? without + root : R(1.0) / (root - without);
    k->soft = own * twice * twice;
}

// Does u_n of a contact change with the state? Only where it is held at 0 it does not: under the relaxed law a contact
// that slides opens by mu |u_T|.
static int derivative_opens(const tac_varied_contact *k)
{
    return !k->bears || k->soft > R(0.0) || (k->slides && k->relaxed > R(0.0));
}

// z'K of the normal of a contact that opens: what u_n changes by with changes of the rates, but for what the arcs of
// joints add. It is asked for before K is factored.
static void derivative_closing(const vary_step *x, uint32_t contact)
{
    real *to = vary_row(x->closing, contact);
    reals_clear(to, x->n * sizeof *to);
    lu_row sum = lu_row_of(to, x->n);
    for (uint32_t c = 0; c < x->n && derivative_opens(&x->t->contact[contact]); c++) {
        lu_row_add(&sum, vary_row(x->answer, c)[3 * contact], vary_row(x->K, c));
    }
    lu_row_end(&sum);
}

// What the rates answer to what a contact sees: law' of the answer to what its law asks, rows in the order n, s, t.
static void derivative_law(const vary_step *x, uint32_t i)
{
    const tac_varied_contact *k = &x->t->contact[i];
    const real mu = x->w->contact[i].mu;
    real *row[3] = {vary_row(x->law, 3 * i), vary_row(x->law, 3 * i + 1), vary_row(x->law, 3 * i + 2)};
    for (int r = 0; r < 3; r++) {
        const int acts = k->bears || (r == 0 && k->soft > R(0.0));
        for (uint32_t j = 0; j < x->n; j++) { row[r][j] = acts ? row[r][j] * k->scale : R(0.0); }
    }
    if (!k->slides) { return; }
    if (x->friction) { reals_copy(vary_row(x->sliding, i), row[1], x->n * sizeof *row[1]); }
    for (uint32_t j = 0; j < x->n; j++) { row[1][j] = -k->relaxed * mu * row[0][j]; }
    if (!(mu > R(0.0))) { reals_clear(row[2], x->n * sizeof *row[2]); }
}

// The response of the rates to changes of u, one a row, and what it adds to that of right sides, which contacts see by
// z. J K'^-1 is where the changes of u will be.
static void derivative_factor(const vary_step *x)
{
    const uint32_t rows = 3 * x->k, n = x->n;
    const vary_block back = {x->seen[VARY_Q].at, n};
    int sticks = 1;
    if (rows == 0) { return; }
    for (uint32_t i = 0; i < x->k; i++) { sticks &= x->t->contact[i].bears && !x->t->contact[i].slides; }
    derivative_matrix(x);
    reals_clear(back.at, rows * n * sizeof(real));
    for (uint32_t i = 0; i < rows; i++) {
        const real scale = -x->t->contact[i / 3].scale;
        lu_row to = lu_row_of(vary_row(back, i), n);
        for (uint32_t c = 0; c < n; c++) {
            lu_row_add(&to, scale * vary_row(x->jacobian, c)[i], vary_row(x->response, c));
        }
        lu_row_end(&to);
    }
    const uint32_t rank = lu_rank(x->W.at, rows, x->W.stride, DERIVATIVE_IMPLIED, sticks, x->W_row, x->W_column);
    lu_transposed(x->W.at, rank, rows, x->W.stride, x->W_row, x->W_column, back.at, back.stride, x->law.at, n);
    for (uint32_t i = 0; i < x->k; i++) { derivative_law(x, i); }
    for (uint32_t c = 0; c < n; c++) {
        lu_row row = lu_row_of(vary_row(x->response, c), n);
        for (uint32_t i = 0; i < rows; i++) { lu_row_add(&row, vary_row(x->answer, c)[i], vary_row(x->law, i)); }
        lu_row_end(&row);
    }
}

#endif

#endif
