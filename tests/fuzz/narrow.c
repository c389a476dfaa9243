// SPDX-License-Identifier: MIT
// Bytes become two shapes that nobody would think of: huge beside tiny, nearly equal, on whole numbers, in line, on top
// of each other. Whatever they are, a step must leave a world whose invariants hold, and what it says must be true.
//
// As a test: a fixed number of inputs at random. With -DFUZZER the same function is a target of libFuzzer: make fuzz.
#include "judge.h"

#define FUZZ_SEED UINT64_C(0xf022)

enum { INPUTS = RUN(4000, 40), INPUT_SIZE = 96 };

// ------------------------------------------------------------------------------------------------------------ decoding

typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

static uint32_t take(bytes *in)
{
    if (in->left == 0) { return 0; }
    in->left--;
    return *in->at++;
}

// A length of 1 times what the byte says: whole numbers, nearly one, powers of ten, anything between.
static double take_length(bytes *in)
{
    static const double nasty[16] = {1.0, 1.0 + 1e-7, 1.0 - 1e-7, 0.5, 2.0, 0.1,  0.01, 0.001,
                                     1e2, 3.0,        1e-2,       1.5, 4.0, 0.25, 1e3,  1.0 / 3.0};
    const uint32_t b = take(in);
    if (b < 128) { return nasty[b & 15]; }
    return (0.01 + (double)(b - 128)) * (1.0 + (double)take(in)) / 1024.0;
}

static double take_signed(bytes *in)
{
    const double length = take_length(in);
    const uint32_t b = take(in);
    return b < 96 ? 0.0 : b & 1 ? length : -length;
}

static d3 take_point(bytes *in)
{
    const double x = take_signed(in), y = take_signed(in), z = take_signed(in);
    return d3_make(x, y, z);
}

static dq take_turn(bytes *in)
{
    static const double part[4] = {0.0, 1.0, -1.0, 0.70710678118654752};
    const uint32_t b = take(in);
    dq q = {part[b & 3], part[b >> 2 & 3], part[b >> 4 & 3], part[b >> 6]};
    if (b & 1) { q.w += (double)take(in) / 64.0; }
    const double norm = d_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (norm < 0.1) { return (dq){1, 0, 0, 0}; }
    return (dq){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

static solid take_solid(bytes *in, int slot)
{
    const uint32_t kind = take(in), flags = take(in);
    const double x = take_length(in), y = flags & 1 ? x : take_length(in), z = flags & 2 ? x : take_length(in);
    solid s = solid_make(KIND[kind % KINDS], d3_make(x, y, z), d3_make(0, 0, 0), take_turn(in));
    if (flags & 4) { s.rounding = 0.25 * take_length(in); }
    if (s.kind != TAC_HULL) { return s; }
    s.points = 4 + (int)(flags >> 5) % (HULL_POINTS - 3);
    s.point = random_points[slot];
    s.size = d3_make(1, 1, 1);
    for (int i = 0; i < s.points; i++) {
        const uint32_t a = take(in), b = take(in);
        random_points[slot][i] = d3_make(x * ((double)(a & 15) - 8.0) / 8.0, y * ((double)(a >> 4) - 8.0) / 8.0,
                                         z * ((double)b - 128.0) / 128.0);
    }
    return s;
}

// b at some place, or in touch with a along some axis.
static meeting take_meeting(bytes *in)
{
    solid a = take_solid(in, 0), b = take_solid(in, 1);
    const uint32_t how = take(in);
    b.p = take_point(in);
    if (how & 1) {
        const d3 n = axis_of(how >> 1 & 3);
        const proof_shape ca = proof_of(&a, a.p), cb = proof_of(&b, a.p);
        b.p = d3_add(b.p, d3_scale((how & 8 ? 1e-4 * take_signed(in) : 0.0) - proof_separation(&ca, &cb, n), n));
    }
    const d3 away = how & 16 ? d3_scale(100.0, take_point(in)) : d3_make(0, 0, 0);
    a.p = d3_add(a.p, away);
    b.p = d3_add(b.p, away);
    meeting m = {solid_held(&a), solid_held(&b), 0.0, 0};
    m.margin = 0.1 * larger(&m.a, &m.b);
    return m;
}

// ----------------------------------------------------------------------------------------------------------- judgement

typedef struct findings {
    int refused, step, unsound, frame, below, flipped, far;
} findings;

// Sharp corners far from the shape's frame, sizes of 1e5 to 1: what rounding may do is larger than in convex_random.c.
static double allowance(const meeting *m)
{
    return 20.0 * exactness(m) + FEATURE * larger(&m->a, &m->b);
}

static void judge_meeting(const meeting *m, findings *f)
{
    const int count = pair_meet(&m->a, &m->b, m->margin);
    f->step += count == -2 || count == -3;
    f->refused += count == -1 || count == -4;
    if (count < 0) { return; }
    f->unsound += tac_check(&pair_model, &pair_state, &pair_work, NULL) != TAC_OK || count > 4;
    const proof_shape a = proof_of(&m->a, m->a.p), b = proof_of(&m->b, m->a.p);
    for (int i = 0; i < count; i++) {
        const tac_contact *c = &pair_work.contact[i];
        const d3 n = proof_unit(d3_of(c->n));
        f->frame += !(d_abs(proof_norm(d3_of(c->n)) - 1.0) < TOL(1e-12, 4e-6));
        f->below += !(proof_separation(&a, &b, n) - (double)c->gap <= 20.0 * exactness(m));
    }
    if (count < 1) { return; }
    const tac_contact *deepest = &pair_work.contact[pair_deepest()];
    const double gap = (double)deepest->gap, along = proof_separation(&a, &b, proof_unit(d3_of(deepest->n)));
    f->flipped += !(gap - along <= allowance(m) + choice(m, 0, gap)); // moving apart by the depth must separate
    const proof_truth truth = proof_gap(&a, &b);
    if (truth.proved) { f->far += !(gap <= truth.gap + truth.error + allowance(m)); }
}

static int failures(const findings *f)
{
    return f->step + f->unsound + f->frame + f->below + f->flipped + f->far;
}

#ifdef FUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    findings f = {0};
    const meeting m = take_meeting(&in);
    judge_meeting(&m, &f);
    if (failures(&f) > 0) { __builtin_trap(); }
    return 0;
}

#else

int main(void)
{
    static uint8_t input[INPUT_SIZE];
    findings f = {0};
    int first = -1;
    tap_note_hex("seed", FUZZ_SEED);
    for (int i = 0; i < INPUTS; i++) {
        rng r = {FUZZ_SEED + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)};
        for (int k = 0; k < INPUT_SIZE; k++) { input[k] = (uint8_t)rng_below(&r, 256); }
        bytes in = {input, INPUT_SIZE};
        const meeting m = take_meeting(&in);
        judge_meeting(&m, &f);
        if (first < 0 && failures(&f) > 0) { first = i; }
    }
    tap_equal(f.step, 0, "every step is taken");
    tap_equal(f.unsound, 0, "the invariants hold");
    tap_equal(f.frame, 0, "every normal is a unit vector");
    tap_equal(f.below, 0, "no point is deeper than its normal says");
    tap_equal(f.flipped, 0, "moving apart by the depth separates");
    tap_equal(f.far, 0, "no gap is more than the distance");
    tap_most(f.refused, 0.1 * INPUTS, "few shapes are refused");
    tap_note("first input that fails:", first);
    return tap_done();
}

#endif
