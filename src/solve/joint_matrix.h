// SPDX-License-Identifier: MIT
// joint_matrix.h - joints in the matrix of the direct solver: eliminated, each a node of its own.
//   given   link[], the bodies' nodes
//   makes   nodes, blocks and right sides of constraints; boxes along coordinates: values, slopes, centres
//   bound   constant a joint
//   never   makes a constraint stiff instead of exact: that would cost the bodies' blocks their digits
#ifndef SOLVE_JOINT_MATRIX_H
#define SOLVE_JOINT_MATRIX_H

#include "reduced.h"

#if TAC_MAX_FILL > 0

// Newton's step with constraints J v + b = 0, their impulses l, and boxes of slope s along the coordinates:
//      | M + D G D'    -J'  | | dv |     | M (gain - v) |
//      |    -J         -C   | | dl |  =  |   J v + b    |        C = eps_J diag(J M^-1 J');  coordinates: 1/s, right
//      side 0
// A body and its joint eliminated leave on the next body what Featherstone's articulated inertia is; a tree makes no
// fill. C keeps redundant constraints (closed loops) solvable, and as each step begins at the impulses of the last one,
// it is not felt in the end: a proximal term.
#define JOINT_PROXIMAL (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-10))
// Of hard boxes: few along each coordinate, soon right. An impulse is 1/eps of a velocity, so in float it must not be
// small. Between two bounds it is cut as that of the contacts is: friction of joints that share a load with feet that
// stick is found a bound away, by a velocity that is next to nothing.
#define JOINT_FIRST R(1e-3) // eps of the contacts at first
#define JOINT_LEAST (TAC_REAL_BITS == 32 ? R(1e-3) : R(1e-6))
#define JOINT_BOX (TAC_REAL_BITS == 32 ? R(3e-2) : R(1e-3))
#define JOINT_FREE (TAC_REAL_BITS == 32 ? R(3e-2) : R(1e-6)) // of those with a bound on one side or none

// A coupling waits for both of its joints' bodies: where one is held, its row is about zero until the other has gone.
static void joint_wait(const tac_work *w, const uint16_t *body, tac_pivot *p)
{
    uint16_t moved[2];
    for (int part = 0; part < 2; part++) {
        moved[part] = body[2 * part + (w->moving[body[2 * part + 1]].inv_mass > R(0.0))];
    }
    p->waits = moved[0] != moved[1] ? 2 : 1;
}

// Bodies and joints take part and are joined. Returns 0 if there is no room.
static int joints_order(const tac_model *m, const tac_work *w, tac_sparse *s)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t self = joint_node(m, i);
        uint16_t body[4];
        const int ends = joint_bodies(&JOINT_OF(m)[i], &JOINT_LINK(w)[i], body);
        sparse_use(s, self, -1);
        if (ends == 4) { joint_wait(w, body, &s->pivot[self]); }
        for (int e = 0; e < ends; e++) {
            if (!(joint_moves(w, body[e]))) { continue; }
            sparse_use(s, body[e], 1);
            if (e >= 2 && sparse_find(s, body[e], self) != TAC_NONE) { continue; }
            if (!sparse_join(s, body[e], self)) { return 0; }
        }
    }
    return 1;
}

// Do constraints close loops? Bodies that are joined get one number, all that is not dynamic another: in step[].
static int joints_close_loops(const tac_model *m, tac_work *w)
{
    tac_twist *number = w->scratch.solve.step;
    int loops = 0;
    for (uint16_t i = 0; i < m->bodies; i++) { number[i].v.x = w->moving[i].inv_mass > R(0.0) ? (real)i : R(0.0); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint8_t kind = JOINT_OF(m)[i].kind;
        if (!JOINT_LINK(w)[i].constraints || kind == TAC_COUPLING || kind == TAC_BUSHING) { continue; }
        const real a = number[JOINT_OF(m)[i].body_a].v.x, b = number[JOINT_OF(m)[i].body_b].v.x;
        loops |= a == b;
        for (uint16_t k = 0; k < m->bodies; k++) {
            if (number[k].v.x == b) { number[k].v.x = a; }
        }
    }
    return loops;
}

// ------------------------------------------------------------------------------------------------------------- boxes

// Soft ones have their stiffness; hard ones the proximal term.
static void joints_centre(const tac_model *m, tac_work *w)
{
    const real cut = real_min(w->progress.proximal / JOINT_FIRST, R(1.0)), box = real_max(JOINT_LEAST, JOINT_BOX * cut);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            tac_box *x = &k->box[b];
            if (!x->hard) { continue; }
            x->centre = g[b];
            const int bounded = x->lo > -REAL_LARGEST && x->hi < REAL_LARGEST;
            x->weight = R(1.0) / ((bounded ? box : JOINT_FREE) * k->w[JOINT_LAST]);
        }
    }
}

// Impulses of the boxes at the velocities v.
static void joints_evaluate(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
        if (!k->coordinate) { continue; }
        const real u = joint_rate(&JOINT_OF(m)[i], k, w->previous, JOINT_LAST);
        for (int b = 0; b < TAC_BOXES; b++) {
            tac_box *x = &k->box[b];
            if (!x->used) { continue; }
            x->z = x->centre - x->weight * (u + x->bias);
            g[b] = real_clamp(x->z, x->lo, x->hi);
        }
    }
}

// Which boxes give way? Returns 0 where all do as they did when the matrix was factored.
static int joints_changes(const tac_model *m, tac_work *w)
{
    int changes = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        for (int b = 0; b < TAC_BOXES; b++) {
            tac_box *x = &JOINT_LINK(w)[i].box[b];
            const uint8_t inside = x->used && x->z > x->lo && x->z < x->hi;
            changes |= inside != x->inside;
            x->inside = inside;
        }
    }
    return changes;
}

// What an outer step moves of the hard boxes, as an energy.
static real joints_outer(const tac_model *m, const tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real *g = &w->scratch.solve.g[JOINT_LINK(w)[i].first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            const tac_box *x = &JOINT_LINK(w)[i].box[b];
            const real change = g[b] - x->centre;
            if (x->hard && x->weight > R(0.0)) { sum += change * change / x->weight; }
        }
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------------ matrix

// C of a row; 0 where nothing acts.
static real joint_compliance(const tac_joint_block *k, int row)
{
    if (k->constraints >> row & 1) { return JOINT_PROXIMAL * k->w[row] + k->soft[row]; }
    const real slope = row == JOINT_LAST ? joint_slope(k) : R(0.0);
    return slope > R(0.0) ? R(1.0) / slope : R(0.0);
}

// -J where the body is eliminated first, else its transpose. Ends 2 and 3 are those of a coupling's joint a; both
// joints may move one body.
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

// The block of a joint, with -1 where nothing acts, and those that it shares with its bodies.
static void joints_assemble(const tac_model *m, const tac_work *w, tac_sparse *s)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t self = joint_node(m, i);
        uint16_t body[4];
        const int ends = joint_bodies(&JOINT_OF(m)[i], k, body);
        real *least = (real *)&s->pivot[self].least;
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

// -------------------------------------------------------------------------------------------------------- Newton's
// step

// Takes the step from the solution. Returns its share of the slope: what the constraints' impulses do along dv.
static real joints_step(const tac_model *m, tac_work *w, const tac_twist *step)
{
    real slope = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *x = (const real *)&step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            k->step[row] = x[row];
            slope -= x[row] * joint_rate(j, k, step, row);
        }
        const real u = k->coordinate ? joint_rate(j, k, step, JOINT_LAST) : R(0.0);
        for (int b = 0; b < TAC_BOXES; b++) { k->box[b].dz = -k->box[b].weight * u; }
    }
    return slope;
}

// What the boxes add to the slope at t.
static real joints_rise(const tac_model *m, const tac_work *w, real t)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real *g = &w->scratch.solve.g[JOINT_LINK(w)[i].first + TAC_JOINT_ROWS];
        for (int b = 0; b < TAC_BOXES; b++) {
            const tac_box *x = &JOINT_LINK(w)[i].box[b];
            if (!(x->weight > R(0.0))) { continue; }
            sum += x->dz * (real_clamp(x->z + t * x->dz, x->lo, x->hi) - g[b]) / x->weight;
        }
    }
    return sum;
}

// Where a box between `low` and `high` begins or ceases to give way, the one nearest to t; t if there is none.
static real joints_kink(const tac_model *m, const tac_work *w, real low, real high, real t)
{
    real found = t, least = REAL_LARGEST;
    for (uint32_t i = 0; i < JOINT_COUNT(m) * TAC_BOXES; i++) {
        const tac_box *x = &JOINT_LINK(w)[i / TAC_BOXES].box[i % TAC_BOXES];
        for (int side = 0; side < 2 && x->used && x->dz != R(0.0); side++) {
            const real kink = ((side ? x->hi : x->lo) - x->z) / x->dz, away = real_abs(kink - t);
            if (!(kink > low && kink < high && away < least)) { continue; }
            least = away;
            found = kink;
        }
    }
    return found;
}

// A whole step leaves -C dl of J v + b. Where loops have more constraints than they need, theirs contradict each other
// by what the last step has left (of third order), and no impulses take that away: it is not asked for again.
static void joints_advance(const tac_model *m, tac_work *w, real t)
{
    const int accept = w->progress.loops && t == R(1.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
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

#endif
