// SPDX-License-Identifier: MIT
// joint_matrix.h - joints as nodes of the matrix of the direct solver.
//   given   link[], the bodies' nodes
//   makes   nodes, blocks and right sides of constraints; intervals along coordinates: values, slopes, centres
//   bound   constant a joint
//   never   makes a constraint stiff instead of exact: the bodies' blocks would lose their digits
#ifndef FACTOR_JOINT_MATRIX_H
#define FACTOR_JOINT_MATRIX_H

#include "../base/sparse.h"
#include "../rows/joint_rows.h"

// Newton's step with constraints J v + b = 0, their impulses l, and intervals of slope s along the coordinates; v(g)
// are the velocities that belong to the impulses:
//      | M + D G D'    -J'  | | dv |     | M (v(g) - v) |        C = eps_J diag(J M^-1 J');
//      |    -J         -C   | | dl |  =  |   J v + b    |        rows of coordinates: C = 1/s, right side 0
// Eliminating a body and its joint leaves Featherstone's articulated inertia on the next body, and a tree makes no
// fill. C is a proximal term: it keeps redundant constraints (closed loops) solvable, and has no effect on the result,
// since each step begins at the impulses of the last one.
// eps of hard intervals. It may begin small, since there are few of them along each coordinate and their modes are soon
// right; but an impulse is a velocity over eps, so in float it must not be too small. Between two bounds it is cut as
// that of the contacts is: where dry friction of joints shares a load with feet that stick, its impulse may have to
// cross the whole interval by a velocity that is nearly zero.
#define JOINT_FIRST R(1e-3) // eps of the contacts at first
#define JOINT_LEAST (TAC_REAL_BITS == 32 ? R(1e-3) : R(1e-6))
#define JOINT_BOUNDED (TAC_REAL_BITS == 32 ? R(3e-2) : R(1e-3))
#define JOINT_FREE (TAC_REAL_BITS == 32 ? R(3e-2) : R(1e-6)) // of intervals with one bound or none

// A coupling is eliminated after the bodies of both of its joints: if the motion of one is prescribed, its pivot is
// about zero until the other is eliminated.
static void joint_delay_elimination(const tac_work *w, const uint16_t *body, tac_pivot *p)
{
    uint16_t moved[2];
    for (int part = 0; part < 2; part++) {
        moved[part] = body[2 * part + (w->moving[body[2 * part + 1]].inv_mass > R(0.0))];
    }
    p->waits = moved[0] != moved[1] ? 2 : 1;
}

// Adds joints and their bodies as nodes, and the blocks between them. Returns 0 if there is no room.
static int joints_order(const tac_work *w, tac_sparse *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const uint16_t self = joint_node(w, i);
        const uint16_t *body = JOINT_LINK(w)[i].body;
        const int ends = JOINT_LINK(w)[i].ends;
        sparse_use(s, self, -1);
        if (ends == 4) { joint_delay_elimination(w, body, &s->pivot[self]); }
        for (int e = 0; e < ends; e++) {
            if (!(joint_moves(w, body[e]))) { continue; }
            sparse_use(s, body[e], 1);
            if (e >= 2 && sparse_find(s, body[e], self) != TAC_NONE) { continue; }
            if (!sparse_join(s, body[e], self)) { return 0; }
        }
    }
    return 1;
}

// --------------------------------------------------------------------------------------------------------- intervals

// The outer step: hard intervals get their centre and proximal weight. Soft ones keep those of their stiffness.
static void joints_centre(tac_work *w)
{
    const real cut = real_min(w->progress.proximal / JOINT_FIRST, R(1.0)),
               interval = real_max(JOINT_LEAST, JOINT_BOUNDED * cut);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            tac_interval *x = &k->interval[b];
            if (!x->hard) { continue; }
            x->centre = g[b];
            const int bounded = x->lo > -REAL_LARGEST && x->hi < REAL_LARGEST;
            x->weight = R(1.0) / ((bounded ? interval : JOINT_FREE) * k->w[JOINT_LAST]);
        }
    }
}

// Impulses of the intervals at the velocities v.
static void joints_evaluate(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
        if (!k->coordinate) { continue; }
        const real u = joint_rate(k, w->phase.velocity, JOINT_LAST);
        for (int b = 0; b < TAC_EFFORTS; b++) {
            tac_interval *x = &k->interval[b];
            if (!x->used) { continue; }
            x->z = x->centre - x->weight * (u + x->bias);
            g[b] = real_clamp(x->z, x->lo, x->hi);
        }
    }
}

// Which intervals are between their bounds? Returns 0 if these are the same as when the matrix was factored.
static int joints_changes(tac_work *w)
{
    int changes = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            const uint8_t inside = x->used && x->z > x->lo && x->z < x->hi;
            changes |= inside != x->inside;
            x->inside = inside;
        }
    }
    return changes;
}

// How far an outer step moves the hard intervals, as an energy.
static real joints_outer(const tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const real *g = &w->scratch.solve.g[JOINT_LINK(w)[i].first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            const real change = g[b] - x->centre;
            if (x->hard && x->weight > R(0.0)) { sum += change * change / x->weight; }
        }
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------------ matrix

// Adds -J to the block of a body and a joint, its transpose if the joint is eliminated first. Ends 2 and 3 are those of
// a coupling's joint a; both joints may move the same body.
static void joint_couple(const tac_joint_block *k, int end, int turned, tac_fill *f)
{
    const int side = end % 2;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_compliance(k, row) == R(0.0)) { continue; }
        const tac_row *r = &k->row[row - end / 2];
        const vec3 l = v3_scale(side ? R(-1.0) : R(1.0), r->linear), t = r->angular[side];
        const real d[6] = {l.x, l.y, l.z, -t.x, -t.y, -t.z};
        for (int i = 0; i < 6; i++) { *(turned ? &f->x[i][row] : &f->x[row][i]) += d[i]; }
    }
}

// The block of a joint, with -1 on the diagonal where nothing acts, and the blocks that it shares with its bodies.
static void joints_assemble(const tac_work *w, tac_sparse *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t self = joint_node(w, i);
        const uint16_t *body = k->body;
        const int ends = k->ends;
        real *least = s->pivot[self].least;
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const real c = joint_compliance(k, row);
            least[row] = c > R(0.0) ? c : R(1.0);
            s->pivot[self].x[SIX_ROW[row] + row] = -least[row];
        }
        for (int e = 0; e < ends; e++) {
            if (!(joint_moves(w, body[e]))) { continue; }
            const int turned = s->pivot[self].place < s->pivot[body[e]].place;
            joint_couple(k, e, turned, sparse_block(s, self, body[e]));
        }
    }
}

// ------------------------------------------------------------------------------------------------------ Newton's step

// Takes the step from the solution. Returns its contribution to the slope: that of the constraints' impulses along dv.
static real joints_step(tac_work *w, tac_sixes *step)
{
    real slope = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *x = step->x[joint_node(w, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            k->step[row] = x[row];
            slope -= x[row] * joint_rate(k, step->twist, row);
        }
        const real u = k->coordinate ? joint_rate(k, step->twist, JOINT_LAST) : R(0.0);
        for (int b = 0; b < TAC_EFFORTS; b++) { k->interval[b].dz = -k->interval[b].weight * u; }
    }
    return slope;
}

// The contribution of the intervals to the slope at t.
static real joints_rise(const tac_work *w, real t)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const real *g = &w->scratch.solve.g[JOINT_LINK(w)[i].first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            if (!(x->weight > R(0.0))) { continue; }
            sum += x->dz * (real_clamp(x->z + t * x->dz, x->lo, x->hi) - g[b]) / x->weight;
        }
    }
    return sum;
}

// The point between `low` and `high`, nearest to t, at which an interval reaches one of its bounds; t if there is none.
static real joints_breakpoint(const tac_work *w, real low, real high, real t)
{
    real found = t, least = REAL_LARGEST;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) * TAC_EFFORTS; i++) {
        const tac_interval *x = &JOINT_LINK(w)[i / TAC_EFFORTS].interval[i % TAC_EFFORTS];
        for (int side = 0; side < 2 && x->used && x->dz != R(0.0); side++) {
            const real kink = ((side ? x->hi : x->lo) - x->z) / x->dz, away = real_abs(kink - t);
            if (!(kink > low && kink < high && away < least)) { continue; }
            least = away;
            found = kink;
        }
    }
    return found;
}

// A whole step leaves -C dl of J v + b. Redundant constraints of loops contradict each other by the error of the last
// step (third order in h), which no impulses remove: it is taken out of the bias.
static void joints_advance(tac_work *w, real t)
{
    const int accept = w->progress.loops && t == R(1.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[k->first];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            g[row] += t * k->step[row];
            if (accept) { k->bias[row] += joint_compliance(k, row) * k->step[row]; }
        }
    }
}

#endif
