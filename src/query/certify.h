// SPDX-License-Identifier: MIT
// certify.h - how well the impulses of a finished step keep each law by itself.
//   given   contacts, blocks and gains as the step has left them
//   makes   tac_certificate
//   bound   one visit to each contact
//   never   changes anything
#ifndef QUERY_CERTIFY_H
#define QUERY_CERTIFY_H

#include "verify.h"

// The same laws with the six rows of a contact that resists turning.
static void certify_resisting(const tac_contact *c, const tac_block *k, const tac_work *w, tac_certificate *r)
{
    const rows6 g = resist_impulse(w, k), u = resist_velocity(c, k, w->gain);
    const real d = ROLLING_BLOCK(k)->weight, lift = c->mu * rows6_tangent(u);
    const real normal = r->friction == TAC_FRICTION_EXACT ? u.f.x : u.f.x - lift;
    const rows6 out = rows6_sub(g, resist_project(g, c->mu));
    r->signorini = real_max(r->signorini, real_abs(real_min(d * g.f.x, normal)));
    r->cone = real_max(r->cone, d * real_max(v3_norm_inf(out.f), v3_norm_inf(out.t)));
    r->dissipation = real_max(r->dissipation, d * real_abs(lift * g.f.x + (rows6_dot(g, u) - g.f.x * u.f.x)));
}

// Signorini: d n >= 0, u_n >= 0, one of them 0; under the relaxed law u_n less the lift-off mu |u_T| that it makes.
// Cone: how far g is outside. Friction: with n given, g_T takes as much power as it may, mu n |u_T|.
static void certify_contact(const tac_contact *c, const tac_block *k, const tac_work *w, tac_certificate *r)
{
    if (resists(c)) {
        certify_resisting(c, k, w, r);
        return;
    }
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]), u = rows_velocity(c, k, w->gain);
    const real d = plain_weight(k), lift = c->mu * real_sqrt(u.y * u.y + u.z * u.z);
    const real normal = r->friction == TAC_FRICTION_EXACT ? u.x : u.x - lift;
    r->signorini = real_max(r->signorini, real_abs(real_min(d * g.x, normal)));
    r->cone = real_max(r->cone, d * v3_norm_inf(v3_sub(g, cone_project(g, c->mu, R(1.0), R(1.0)))));
    r->dissipation = real_max(r->dissipation, d * real_abs(lift * g.x + g.y * u.y + g.z * u.z));
}

static void certify(const tac_model *m, const tac_work *w, tac_certificate *r)
{
    bytes_clear(r, sizeof *r);
    r->friction = w->report.friction;
    r->penetration = w->report.penetration;
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        certify_contact(c, k, w, r);
        r->open = (uint16_t)(r->open + (c->mode == TAC_OPEN));
        r->stick = (uint16_t)(r->stick + (c->mode == TAC_STICK));
        r->slide = (uint16_t)(r->slide + (c->mode == TAC_SLIDE));
    }
    const real scale = w->progress.scale;
    if (!(scale > R(0.0))) { return; }
    r->residual = solve_natural(m, w) / scale;
    r->signorini /= scale;
    r->cone /= scale;
    r->dissipation /= scale * scale;
}

#endif
