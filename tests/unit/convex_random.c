// SPDX-License-Identifier: MIT
// Every pair of convex shapes against a truth that shares nothing with the kernel and comes with its proof: proof.h.
//
// Only pairs that geometry_random.c does not have: at least one shape is a cylinder, a cone, an ellipsoid or a hull, or
// rounded. Case `c` of a pair of kinds has a seed of its own: to see it alone, build with -DONLY=10*i+k (numbers of the
// kinds in KIND[]) -DFIRST=c -DCASES=1. Many more cases: -DCASES=100000.
#include "judge.h"

#ifndef CASES
#define CASES RUN(400, 3)
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef ONLY
#define ONLY -1
#endif

#ifndef WITH_HULLS
#define WITH_HULLS 0 // only pairs with a hull
#endif

#define JUMPS 0.03 // of the cases: where such a choice may fall the other way after a small change

static void most(const worst *w, double bound, const char *what, const char *name, int always)
{
    tap_most(w->value, bound, tap_joined(what, name));
    if (always || !(w->value <= bound)) { tap_note(tap_numbered(tap_joined(what, name), w->at), w->value); }
}

static void report(const tally *t, const char *name)
{
    tap_least(t->proved, RUN(0.98, 0.3) * t->cases, tap_joined("the truth is proved:", name));
    tap_equal(t->wrong_truth, 0, tap_joined("and is the truth:", name));
    tap_equal(t->refused, 0, tap_joined("the kernel takes the shapes:", name));
    tap_equal(t->missing, 0, tap_joined("no contact is missing:", name));
    tap_equal(t->many, 0, tap_joined("no more points than promised:", name));
    tap_equal(t->unsound, 0, tap_joined("the invariants hold:", name));
    most(&t->far, 0.0, "the gap is not more than the distance:", name, 0);
    most(&t->near, 0.0, "the gap is not less than the distance:", name, 0);
    most(&t->below, 0.0, "no point is deeper than its normal says:", name, 0);
    most(&t->loose, 0.0, "moving apart by the depth separates:", name, 0);
    most(&t->deepest, 0.0, "the deepest point is on both surfaces:", name, 0);
    most(&t->others, 0.0, "the other points are on both surfaces:", name, 0);
    most(&t->frame, TOL(1e-14, 2e-6), "the normal is a unit vector:", name, 0);
    most(&t->error, 1.0, "error of a distance:", name, 1);
    most(&t->ratio, 1.05, "depth to true depth:", name, 1);
}

// --------------------------------------------------------------------------------------------------------- invariance

typedef struct seen {
    int count;
    double gap;
} seen;

static seen look(const solid *a, const solid *b, double margin)
{
    const int count = pair_meet(a, b, margin);
    return (seen){count, count < 1 ? 0.0 : (double)pair_work.contact[pair_deepest()].gap};
}

// Two looks at what should be the same, the second one in units of `scale`. Where faces and edges are nearly as good as
// each other the choice may fall the other way: that must be rare, and within what the choice may cost.
static void compare(const meeting *m, int apart, seen first, seen second, double scale, double exact, worst *w,
                    tally *t)
{
    const double size = larger(&m->a, &m->b);
    const double change = d_abs(second.gap / scale - first.gap);
    t->compared++;
    t->counts += second.count != first.count;
    t->jumps += change > exact;
    see(w, (change - exact - choice(m, apart, first.gap)) / size, m->at);
}

static void judge_invariance(const meeting *m, rng *r, tally *t)
{
    const proof_shape ca = proof_of(&m->a, m->a.p), cb = proof_of(&m->b, m->a.p);
    const int apart = proof_gap(&ca, &cb).apart;
    const double size = larger(&m->a, &m->b), nudge = TOL(1e-6, 1e-4), margin = 2.0 * m->margin;
    const seen first = look(&m->a, &m->b, margin);
    if (first.count < 1) { return; }
    compare(m, apart, first, look(&m->b, &m->a, margin), 1.0, exactness(m), &t->swapped, t);

    const dq turn = rng_quat(r), one = {1, 0, 0, 0};
    const d3 shift = rng_box(r, 2.0 * size);
    const double scales[3] = {1.0, 1e-3, 1e2};
    worst *const to[3] = {&t->turned, &t->small, &t->large};
    for (int i = 0; i < 3; i++) {
        const double s = scales[i];
        const d3 by = i == 0 ? shift : d3_make(0, 0, 0);
        const solid a = solid_moved(&m->a, by, i == 0 ? turn : one, s),
                    b = solid_moved(&m->b, by, i == 0 ? turn : one, s);
        const double exact = 2.0 * exactness(m) + 4.0 * COORDINATE * (size + proof_norm(shift));
        compare(m, apart, first, look(&a, &b, margin * s), s, exact, to[i], t);
    }

    // small motions: a point of b moves by at most the shift and the turn's part of its distance
    solid b = m->b;
    b.p = d3_add(b.p, d3_scale(0.5 * nudge * size, proof_unit(rng_box(r, 1.0))));
    b.q = dq_mul(dq_about(proof_unit(rng_box(r, 1.0)), 0.5 * nudge), b.q);
    compare(m, apart, first, look(&m->a, &b, margin), 1.0, nudge * size + 2.0 * exactness(m), &t->nudged, t);
}

static void report_invariance(const tally *t, const char *name)
{
    most(&t->swapped, 0.0, "swapping changes nothing:", name, 0);
    most(&t->turned, 0.0, "rigid motion changes nothing:", name, 0);
    most(&t->small, 0.0, "a thousandth of the size changes nothing:", name, 0);
    most(&t->large, 0.0, "a hundred times the size changes nothing:", name, 0);
    most(&t->nudged, 0.0, "a small motion changes the gap no more than it is:", name, 0);
    tap_most(t->jumps, JUMPS * t->compared + 1.0, tap_joined("choices that fall the other way are rare:", name));
    tap_most(t->counts, 2.0 * JUMPS * t->compared + 1.0, tap_joined("other numbers of points are rare:", name));
}

// ---------------------------------------------------------------------------------------------------------------- main

static void test_pair(int i, int k)
{
    tally t = {0}, plain = {0};
    rng r = {SEED + (uint64_t)(10 * i + k)};
    for (int at = FIRST; at < FIRST + CASES; at++) {
        const meeting m = random_meeting(i, k, at);
        if (judge(&m, &t) && at % 4 == 0) { judge_invariance(&m, &r, &t); }
        const meeting p = plain_meeting(i, k, at);
        judge(&p, &plain);
    }
    report(&t, pair_name(i, k, ""));
    report_invariance(&t, pair_name(i, k, ""));
    report(&plain, pair_name(i, k, ", in line"));
}

int main(void)
{
    tap_note_hex("seed", SEED);
    for (int i = 0; i < KINDS; i++) {
        for (int k = i; k < KINDS; k++) {
            const int wanted = ONLY < 0 ? !WITH_HULLS || KIND[k] == TAC_HULL : ONLY == 10 * i + k;
            if (wanted) { test_pair(i, k); }
        }
    }
    return tap_done();
}
