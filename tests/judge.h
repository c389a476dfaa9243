// SPDX-License-Identifier: MIT
// judge.h - what the kernel says of two solids, held against the truth.
//   given   a meeting
//   makes   a tally: what is missing, and the worst of each error beyond what is allowed, with its case
//   bound   one step, and the search of proof.h
//   never   compares the kernel with itself
#ifndef JUDGE_H
#define JUDGE_H

#include "meeting.h"
#include "unit/pair.h"

#define NEAR TOL(1e-9, 2e-5)          // of the extent: what counts as exact; in float one case in 10 000 is off by more than 1e-5
#define COORDINATE TOL(1e-15, 2.5e-7) // of the coordinates: four halves of their last digit
#define PREFERENCE 0.00501            // of the thickness: how much deeper a face may be than a better edge, and be kept
#define RESTING 0.00101               // of the gap: a face that gets as near as this is kept, where the cores are apart
#define DEEP 0.05      // of the depth: how much longer than the shortest way out may be, from a deep overlap
#define LEVEL 0.05     // of the thickness: in overlaps less than this, points no higher than this must be right as well
#define TILT 0.2       // 1 - cosine of the angle of sides that meet, at most
#define FEATURE 0.0101 // of the extent: corners so far outside a face count as inside

// ------------------------------------------------------------------------------------------------------------- tallies

typedef struct worst {
    double value;
    int at; // case
} worst;

typedef struct tally {
    int cases, proved, refused, missing, many, unsound, wrong_truth;
    worst far;     // gap above the truth
    worst near;    // gap below the truth
    worst below;   // gap of a point less than the shapes' separation along its normal: no point is as deep
    worst loose;   // gap more than the separation: moving apart along the normal by the depth does not separate
    worst error;   // of the gap where the shapes are apart: a figure, not a judgement
    worst frame;   // of the normal: not a unit
    worst deepest; // surfaces: of the deepest point
    worst others;  // surfaces: of the others
    worst ratio;   // of the depth to the true depth
    worst swapped, turned, small, large, nudged; // change of the gap beyond what a choice explains
    int compared, jumps, counts;
} tally;

static inline void see(worst *w, double value, int at)
{
    if (!(value <= w->value)) {
        w->value = value;
        w->at = at;
    }
}

// ---------------------------------------------------------------------------------------------------------- judgement

// What rounding may do to a gap.
static inline double exactness(const meeting *m)
{
    const double coordinates = d_max(proof_norm(m->a.p), proof_norm(m->b.p));
    return NEAR * larger(&m->a, &m->b) + COORDINATE * coordinates;
}

// What the choice between features that are nearly as good as each other may cost.
static inline double choice(const meeting *m, int apart, double gap)
{
    if (apart) { return RESTING * d_abs(gap); }
    return PREFERENCE * thinner(&m->a, &m->b) + DEEP * d_max(-gap, 0.0);
}

// One contact point: is it where it says it is? In a deep overlap, or high above the deepest point, the others
// may be anywhere: what is tilted there has no one point that is right.
static inline void judge_point(const meeting *m, const proof_shape *a, const proof_shape *b, const proof_truth *truth,
                               int index, tally *t)
{
    const tac_contact *c = &pair_work.contact[index];
    const int deepest = index == pair_deepest();
    const double size = larger(&m->a, &m->b), exact = exactness(m), gap = (double)c->gap;
    const d3 n = proof_unit(d3_of(c->n)), p = d3_sub(d3_of(c->point), m->a.p), half = d3_scale(0.5 * gap, n);
    const double off_a = d_abs(proof_surface(a, d3_sub(p, half))), off_b = d_abs(proof_surface(b, d3_add(p, half)));
    const double flats = both_smooth(m) && truth->apart ? 0.0 : FEATURE * size;
    const double allowed = exact + 2.0 * COORDINATE * proof_norm(m->a.p) + flats;
    see(&t->frame, d_abs(proof_norm(d3_of(c->n)) - 1.0), m->at);
    see(&t->below, (proof_separation(a, b, n) - gap - exact) / size, m->at);
    // the ball of a rounding is met along the contact's normal, not along that of a side that is tilted against it
    const double balls = deepest ? 0.0 : TILT * d_max(m->a.rounding, m->b.rounding);
    const double level = LEVEL * thinner(&m->a, &m->b);
    if (!deepest && (!truth->apart || truth->gap < -level || gap > truth->gap + level)) { return; }
    see(deepest ? &t->deepest : &t->others, (d_max(off_a, off_b) - balls - allowed) / size, m->at);
}

// The deepest contact against the truth.
static inline void judge_gap(const meeting *m, proof_truth truth, double gap, double along, tally *t)
{
    const double size = larger(&m->a, &m->b), exact = exactness(m), thickness = thinner(&m->a, &m->b);
    t->wrong_truth += along > truth.gap + truth.error + 1e-11 * size; // the normal must not be better than the best
    truth.gap = d_max(truth.gap, along);
    const double allowed = exact + choice(m, truth.apart, truth.gap);
    see(&t->far, (gap - truth.gap - allowed - truth.error) / size, m->at);
    see(&t->near, (truth.gap - gap - allowed) / size, m->at);
    see(&t->loose, (gap - along - allowed - (truth.apart ? PREFERENCE * thickness : 0.0)) / size, m->at);
    if (truth.gap > 0.0) { see(&t->error, d_abs(gap - truth.gap) / size, m->at); }
    if (truth.gap < -0.05 * thickness) { see(&t->ratio, gap / truth.gap, m->at); }
}

// Ask the kernel, judge all that it says. Returns 1 if there is something to compare.
static inline int judge(const meeting *m, tally *t)
{
    const proof_shape a = proof_of(&m->a, m->a.p), b = proof_of(&m->b, m->a.p);
    const proof_truth truth = proof_gap(&a, &b);
    t->cases++;
    t->proved += truth.proved;
    const int count = pair_meet(&m->a, &m->b, m->margin);
    t->refused += count < 0;
    if (count < 0 || !truth.proved) { return 0; }
    if (truth.gap > 0.99 * m->margin) { return 0; }
    t->unsound += tac_check(&pair_model, &pair_state, &pair_work, NULL) != TAC_OK;
    t->missing += count < 1;
    t->many += count > 4;
    if (count < 1) { return 0; }
    const int deepest = pair_deepest();
    for (int i = 0; i < count; i++) { judge_point(m, &a, &b, &truth, i, t); }
    const tac_contact *c = &pair_work.contact[deepest];
    judge_gap(m, truth, (double)c->gap, proof_separation(&a, &b, proof_unit(d3_of(c->n))), t);
    return 1;
}

#endif
