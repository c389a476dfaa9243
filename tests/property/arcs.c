// SPDX-License-Identifier: MIT
// config: trees
// variants: gcc-O2-32 gcc-O2-64
// Energy of joints at large steps. Chains whose last link is up to 1e5 times as heavy as the others swing at steps of
// 0.1 to 100 ms, and trees of links of very different masses and shapes turn by up to 0.5 rad a step. No step creates
// more than 1e-3 of the greatest kinetic energy of its run, and all together no more than 1e-2, or it says
// TAC_UNCONVERGED; and even then no run gains more than what the account of energy leaves, 0.1 of it.
// Energy is measured where leapfrog integration keeps it, with positions in the middle of the step.
#include "begin.h"
#include "random_mechanism.h"

static tac_model m;
static tac_state s;
static tac_work w;

enum { CHAINS = RUN(200, 6), TREES = RUN(300, 10), UNLIKE = RUN(3000, 100), STEPS = 150 };

static const double RATIO[] = {1, 30, 1e3, 1e5}, STEP[] = {1e-4, 1e-3, 1e-2, 1e-1};

typedef struct run {
    double start, last, peak, step, whole; // energies, and the greatest rises of them; of steps that say OK
    double beyond;                         // of all steps
    int steps;
} run;

static double middle(double *kinetic)
{
    double energy = 0;
    *kinetic = 0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 v = d3_of(s.twist[i].v), rate = d3_of(s.twist[i].w), inertia = d3_of(m.body[i].inertia);
        const d3 at = d3_sub(d3_of(s.pose[i].p), d3_scale(0.5 * (double)m.h, v));
        const d3 l = d3_make(inertia.x * rate.x, inertia.y * rate.y, inertia.z * rate.z);
        const double mass = (double)m.body[i].mass;
        *kinetic += 0.5 * (mass * d3_dot(v, v) + d3_dot(l, rate));
        energy -= mass * d3_dot(d3_of(m.gravity), at);
    }
    return energy + *kinetic;
}

// `swing`: the kinetic energy of this motion, if the world moved as it should.
static void watch(run *r, int steps, double swing)
{
    double kinetic;
    *r = (run){0};
    r->start = r->last = middle(&kinetic);
    r->peak = d_max(swing, kinetic);
    for (; r->steps < steps; r->steps++) {
        const tac_status status = tac_step(&m, &s, NULL, &w);
        const double energy = middle(&kinetic), rise = energy - r->last, above = energy - r->start;
        if (status < 0) {
            if (w.report.fault.field != TAC_FIELD_POSE) { tap_ok(0, "a step is taken, unless a body flies too far"); }
            return;
        }
        d_worst(&r->peak, kinetic);
        if (status == TAC_OK && rise > r->step) { r->step = rise; }
        if (status == TAC_OK && above > r->whole) { r->whole = above; }
        if (above > r->beyond) { r->beyond = above; }
        r->last = energy;
    }
}

// A chain of rods on ball joints, 0.1 m each, let go at 0.3 rad. Returns the energy of its swing.
static double chain(double ratio, double h, int links)
{
    const double length = 0.1, angle = 0.3;
    double swing = 0;
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, 0, 0);
    for (int i = 0; i < links; i++) {
        const double down = (i + 0.5) * length, mass = i == links - 1 ? 1e-3 * ratio : 1e-3;
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(-down * d_sin(angle), 0, -down * d_cos(angle)));
        tac_joint j;
        swing += mass * 9.81 * down * (1 - d_cos(angle));
        b.mass = (tac_real)mass;
        b.inertia.x = b.inertia.y = b.inertia.z = (tac_real)(mass * length * length / 12);
        b.pose.q = dq_to(dq_about(d3_make(0, 1, 0), angle));
        const int32_t body = tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_SPHERICAL, (uint16_t)(body - 1), (uint16_t)body);
        j.frame_a.p = vec(0, 0, i > 0 ? -0.5 * length : 0);
        j.frame_b.p = vec(0, 0, 0.5 * length);
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
    return swing;
}

// Boxes on hinges, ball and universal joints, free or on the ground; the fastest turns by `angle` in a step, the
// lightest has this mass, kg, the heaviest 10.
static void tree(rng *r, double h, double angle, double lightest)
{
    static const uint8_t KINDS[] = {TAC_FIXED, TAC_REVOLUTE, TAC_SPHERICAL, TAC_UNIVERSAL};
    const int links = 2 + (int)rng_below(r, 6), hangs = (int)rng_below(r, 2);
    d3 p[8], v[8], rate[8];
    p[0] = v[0] = rate[0] = d3_make(0, 0, 0);
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, 0, 0);
    for (int i = 1; i <= links; i++) {
        const int parent = i > 1 ? 1 + (int)rng_below(r, (uint32_t)(i - 1)) : 0, jointed = parent > 0 || hangs;
        const d3 half = d3_make(octave_range(r, 0.01, 0.3), octave_range(r, 0.01, 0.3), octave_range(r, 0.01, 0.3));
        const d3 at = d3_add(p[parent], rng_box(r, 0.3)), arm = rng_box(r, 0.3);
        const double k = octave_range(r, lightest, 10);
        const dq q = rng_quat(r), frame = rng_quat(r);
        const uint8_t kind = KINDS[rng_below(r, i > 1 ? 4 : 3) + (i > 1 ? 0 : 1)];
        const d3 spin = rng_box(r, angle / h / 2);
        tac_joint j;
        p[i] = d3_add(at, arm);
        rate[i] = !jointed || kind == TAC_SPHERICAL ? spin : rate[parent];
        const d3 led = d3_add(v[parent], d3_cross(rate[parent], d3_sub(at, p[parent])));
        v[i] = jointed ? d3_add(led, d3_cross(rate[i], arm)) : d3_make(0, 0, 0);
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(p[i]));
        b.mass = (tac_real)k;
        b.inertia = vec(k / 3 * (half.y * half.y + half.z * half.z), k / 3 * (half.x * half.x + half.z * half.z),
                        k / 3 * (half.x * half.x + half.y * half.y));
        b.pose.q = dq_to(q);
        b.velocity = (tac_twist){d3_to(v[i]), d3_to(rate[i])};
        tac_model_add_body(&m, &b);
        if (!jointed) { continue; }
        tac_joint_init(&j, kind, (uint16_t)parent, (uint16_t)i);
        j.frame_a = seen_from(&m, (uint16_t)parent, at, frame);
        j.frame_b = seen_from(&m, (uint16_t)i, at, frame);
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
}

// The worst of many runs, relative to the greatest kinetic energy of each.
typedef struct worst {
    double step, whole, beyond;
    uint64_t at[3];
} worst;

static void note(worst *x, const run *r, uint64_t seed)
{
    if (r->peak == 0) { return; } // it cannot move
    worst_at(&x->step, &x->at[0], r->step / r->peak, seed);
    worst_at(&x->whole, &x->at[1], r->whole / r->peak, seed);
    worst_at(&x->beyond, &x->at[2], r->beyond / r->peak, seed);
}

static void show(const worst *x, const char *name)
{
    for (int i = 0; i < 3; i++) { tap_note_hex("seen at seed", x->at[i]); }
    tap_most(x->step, 1e-3, tap_joined("a step that is solved creates no energy:", name));
    tap_most(x->whole, 1e-2, tap_joined("nor does a run:", name));
    tap_most(x->beyond, 0.12, tap_joined("nor a run of steps that are not:", name));
}

// The account is part of the state, and begins anew where a body is set.
static void test_account(void)
{
    chain(1e3, 1e-2, 5);
    for (int i = 0; i < 10; i++) { tac_step(&m, &s, NULL, &w); }
    const tac_account kept = s.account;
    const uint64_t hash = tac_state_hash(&m, &s);
    tap_ok(kept.made != 0 && kept.peak > 0, "a chain at a large step has an account");
    s.account.made = 0;
    tap_ok(tac_state_hash(&m, &s) != hash, "which is hashed");
    s.account = kept;
    tac_state_set_body(&m, &s, 1, tac_state_get_pose(&m, &s, 1), s.twist[1]);
    tap_ok(s.account.made == 0 && s.account.peak == 0, "and cleared where a body is set");
}

// A light root of heavy bodies has less inertia than the rounding of theirs. No step is refused.
static void test_unlike(void)
{
    int refused = 0;
    for (uint64_t seed = 1; seed <= UNLIKE; seed++) {
        rng g = {seed};
        tree(&g, 1e-3, rng_range(&g, 1e-3, 0.02), 1e-6);
        for (int i = 0; i < 60; i++) {
            if (tac_step(&m, &s, NULL, &w) >= 0) { continue; }
            tap_note_hex("refused at seed", seed);
            refused++;
            break;
        }
    }
    tap_equal(refused, 0, "trees whose bodies are 1e7 times as heavy as others take all steps");
}

int main(void)
{
    worst chains = {0}, trees = {0};
    test_account();
    test_unlike();
    for (uint64_t seed = 1; seed <= CHAINS; seed++) {
        run r;
        rng g = {seed};
        const double ratio = RATIO[rng_below(&g, 4)];
        const double swing = chain(ratio, STEP[seed % 4], 2 + (int)rng_below(&g, 22));
        watch(&r, STEPS, swing);
        note(&chains, &r, seed);
    }
    show(&chains, "chains");
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        run r;
        rng g = {seed};
        tree(&g, STEP[seed % 4], rng_range(&g, 0.02, 0.5), 1e-3);
        watch(&r, STEPS, 0);
        note(&trees, &r, seed);
    }
    show(&trees, "trees");
    return tap_done();
}
