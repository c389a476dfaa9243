// SPDX-License-Identifier: MIT
// Every kind of joint against the oracle: one body on the ground as in the tables, two bodies with odd frames that
// turn and fly; and the order at which the errors shrink with the step.
#include "oracle.h"
#include "tap.h"
#include "used.h"

#define SAMPLE 0.01 // s
#define COLUMNS 8
#define NOTHING 1e-8 // an error that is rounding, not a step's

static const char *const KIND[TAC_COUPLING] = {"fixed",     "revolute",  "prismatic",   "screw",  "distance",
                                               "spherical", "universal", "cylindrical", "planar", "revolute-spherical"};
static const char *const COLUMN[COLUMNS] = {"p, m",    "q",          "v, m/s", "w, rad/s",
                                            "a, m/s2", "al, rad/s2", "f, N",   "t, N m"};

static tac_model m;
static tac_state s;
static tac_work w;
static oracle truth;
static oracle_state at;
static uint8_t solver; // of the worlds

// Root mean squares of the worst component, and the worst of the constraint.
typedef struct errors {
    double square[COLUMNS][6];
    double rms[COLUMNS];
    double apart;
    int rows, refused;
} errors;

// ------------------------------------------------------------------------------------------------- the kernel's world

static oracle_frame frame_mul(oracle_frame a, oracle_frame b)
{
    return (oracle_frame){d3_add(a.p, dq_rotate(a.q, b.p)), dq_mul(a.q, b.q)};
}

static oracle_frame frame_back(oracle_frame a)
{
    const dq q = dq_conjugate(a.q);
    return (oracle_frame){d3_scale(-1, dq_rotate(q, a.p)), q};
}

static tac_pose pose_of(oracle_frame f)
{
    return (tac_pose){d3_to(f.p), dq_to(f.q)};
}

// The bodies' own frames stand anywhere in the principal ones.
static void build(double h, rng *r)
{
    static const double zero[ORACLE_SPEEDS] = {0};
    oracle_frame own[2] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{0, 0, 0}, {1, 0, 0, 0}}};
    oracle_body body[2];
    tac_joint j;
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.gravity = d3_to(truth.gravity);
    m.options.solver = solver;
    oracle_look(&truth, &at, zero, body);
    for (int side = truth.ground; side < 2; side++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
        own[side] = (oracle_frame){rng_box(r, 0.5), rng_quat(r)};
        b.mass = (tac_real)truth.mass[side];
        b.inertia = d3_to(truth.inertia[side]);
        b.inertial = pose_of(frame_back(own[side]));
        b.pose = pose_of(frame_mul((oracle_frame){body[side].p, body[side].q}, own[side]));
        b.velocity = (tac_twist){d3_to(body[side].v), d3_to(dq_rotate(dq_conjugate(body[side].q), body[side].w))};
        tac_model_add_body(&m, &b);
    }
    tac_joint_init(&j, truth.kind, truth.ground ? 0 : 1, truth.ground ? 1 : 2);
    j.frame_a = pose_of(frame_mul(frame_back(own[0]), truth.frame[0]));
    j.frame_b = pose_of(frame_mul(frame_back(own[1]), truth.frame[1]));
    j.length = (tac_real)truth.length;
    j.stiffness = (tac_real)truth.stiffness;
    j.damping = (tac_real)truth.damping;
    if (truth.kind == TAC_DISTANCE) { j.lower = j.upper = (tac_real)truth.length; }
    j = used(&j);
    tac_model_add_joint(&m, &j);
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { tap_ok(0, "refused"); }
}

// ------------------------------------------------------------------------------------------------------- the
// comparison

static void see(errors *e, int column, int offset, d3 error)
{
    double *square = e->square[column] + offset;
    square[0] += error.x * error.x;
    square[1] += error.y * error.y;
    square[2] += error.z * error.z;
}

// Half the difference of two turns is the vector part of one seen from the other.
static d3 turn_between(dq a, dq b)
{
    const dq d = dq_mul(a, dq_conjugate(b));
    return d3_make(d.x, d.y, d.z);
}

// After a step to the time of the sample; the state before it, and the one after the next step.
static void compare(errors *e, const tac_state *before, const tac_state *after)
{
    oracle_body body[2];
    double du[ORACLE_SPEEDS];
    d3 force, torque;
    const double rate = 0.5 / (double)m.h;
    oracle_rates(&truth, &at, du);
    oracle_look(&truth, &at, du, body);
    oracle_reaction(&truth, &body[1], &force, &torque);
    for (int side = truth.ground; side < 2; side++) {
        const uint16_t i = (uint16_t)(truth.ground ? 1 : side + 1);
        const d3 v = d3_sub(d3_of(after->twist[i].v), d3_of(before->twist[i].v));
        const d3 spin = d3_sub(world_rate(after, i), world_rate(before, i));
        see(e, 0, 3 * side, d3_sub(d3_of(s.pose[i].p), body[side].p));
        see(e, 1, 3 * side, turn_between(dq_of(s.pose[i].q), body[side].q));
        see(e, 2, 3 * side, d3_sub(d3_of(s.twist[i].v), body[side].v));
        see(e, 3, 3 * side, d3_sub(world_rate(&s, i), body[side].w));
        see(e, 4, 3 * side, d3_sub(d3_scale(rate, v), body[side].a));
        see(e, 5, 3 * side, d3_sub(d3_scale(rate, spin), body[side].al));
    }
    tac_reactions(&m, &w);
    see(e, 6, 0, d3_sub(d3_of(w.joint[0].force), force));
    see(e, 7, 0, d3_sub(d3_of(w.joint[0].torque), torque));
    e->rows++;
}

// A step of the cone program; or, with the kernel that has them, of a smooth integrator, whose errors are of order 2.
#if TAC_DAE
#define SHRINKS 0.3 // in the first steps reactions are off by order h, which alpha -0.05 damps by a tenth a step
static const uint8_t WAYS[2] = {TAC_DAE_HHT, TAC_DAE_GENERALISED_ALPHA};
static tac_dae dae;

static void choose(uint8_t way)
{
    tac_dae_init(&dae);
    dae.method = way;
    dae.alpha = (tac_real)-0.05;
}

static tac_status step(void)
{
    return tac_step_dae(&m, &s, NULL, &w, &dae);
}

static void look_ahead(tac_state *after, tac_work *work)
{
    static tac_dae copy;
    copy = dae;
    tac_step_dae(&m, after, NULL, work, &copy);
}
#else
#define SHRINKS 0.53
static const uint8_t WAYS[2] = {TAC_SOLVER_DIRECT, TAC_SOLVER_ACCELERATED};

static void choose(uint8_t way)
{
    solver = way;
}

static tac_status step(void)
{
    return tac_step(&m, &s, NULL, &w);
}

static void look_ahead(tac_state *after, tac_work *work)
{
    tac_step(&m, after, NULL, work);
}
#endif

static errors run(double h, double seconds)
{
    rng r = {UINT64_C(4711)};
    const oracle_state start = at;
    const int each = (int)(SAMPLE / h + 0.5), samples = (int)(seconds / SAMPLE + 0.5);
    errors e = {{{0}}, {0}, 0.0, 0, 0};
    build(h, &r);
    for (int i = 1; i <= samples * each; i++) {
        const tac_state before = s;
        e.refused += step() < 0;
        d_worst(&e.apart, (double)w.report.joint_error);
        oracle_step(&truth, &at, h);
        if (i % each == 0) {
            tac_state after = s;
            static tac_work next;
            look_ahead(&after, &next);
            compare(&e, &before, &after);
        }
    }
    for (int c = 0; c < COLUMNS; c++) {
        for (int k = 0; k < 6; k++) { d_worst(&e.rms[c], d_sqrt(e.square[c][k] / e.rows)); }
    }
    at = start;
    return e;
}

// -------------------------------------------------------------------------------------------------------------- scenes

static const oracle_frame ORIGIN = {{0, 0, 0}, {1, 0, 0, 0}};

static void begin(uint8_t kind, int ground)
{
    truth = (oracle){kind, ground, {1, 1}, {{1, 1, 1}, {0.04, 0.1, 0.1}}, {ORIGIN, ORIGIN}, 1, 0, 0, {0, 0, -9.80665}};
    at = (oracle_state){{0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {0}, {0}};
}

// The set-up of the tables: a body of length 4 on a joint at its end, oblique, at rest.
static void as_tables(uint8_t kind, d3 where, double degrees)
{
    begin(kind, 1);
    truth.frame[0] = (oracle_frame){where, dq_about(d3_make(1, 0, 0), degrees * TRUTH_PI / 180)};
    truth.frame[1].p.x = kind == TAC_REVOLUTE_SPHERICAL || kind == TAC_DISTANCE ? -1 : -2;
    truth.length = kind == TAC_SCREW ? 0.1 : 1;
    at.rod = dq_about(d3_make(0, 1, 0), TRUTH_PI / 2); // its z along x
}

// Two bodies thrown, their masses 1 and 2; frames, speeds and gravity at random. Joints turn by several radians a
// second.
static void thrown(uint8_t kind, int ground, uint64_t seed)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    begin(kind, ground);
    truth.mass[1] = 2;
    truth.inertia[0] = d3_make(0.1, 0.15, 0.2);
    truth.inertia[1] = d3_make(0.3, 0.2, 0.15);
    truth.gravity = d3_make(3, -5, 7);
    truth.length = kind == TAC_SCREW ? -0.07 : 0.6;
    for (int side = 0; side < 2; side++) { truth.frame[side] = (oracle_frame){rng_box(&r, 0.5), rng_quat(&r)}; }
    at.p = rng_box(&r, 1);
    at.a = rng_quat(&r);
    at.turn = rng_quat(&r);
    at.rod = rng_quat(&r);
    for (int k = 0; k < 3; k++) { at.q[k] = rng_range(&r, -0.5, 0.5); }
    for (int k = ground ? 6 : 0; k < 6 + oracle_freedoms(kind); k++) { at.u[k] = rng_range(&r, -4, 4); }
}

// ----------------------------------------------------------------------------------------------------------- judgement

// Root mean squares over the samples, as the tables ask: their step, their tolerances. What slides away for five
// seconds is off by g t h/2, as there; a body on a circle is a double pendulum, and has the step and the force of the
// hard rod there.
typedef struct bench {
    uint8_t kind;
    double h;
    double most[COLUMNS];
} bench;

#define TURNS                                                                                                          \
    {                                                                                                                  \
        1e-3, 1e-3, 1e-4, 1e-2, 2e-2, 1e-2, 2e-2, 1e-2                                                                 \
    }
#define SLIDES                                                                                                         \
    {                                                                                                                  \
        1e-2, 1e-3, 1e-4, 1e-2, 2e-2, 1e-2, 2e-2, 1e-2                                                                 \
    }
#define WHIPS                                                                                                          \
    {                                                                                                                  \
        1e-3, 1e-3, 1e-4, 1e-2, 2e-2, 1e-2, 1e-1, 1e-2                                                                 \
    }
static const bench BENCH[] = {
    {TAC_FIXED, 5e-4, TURNS},        {TAC_REVOLUTE, 5e-4, TURNS},  {TAC_PRISMATIC, 5e-4, SLIDES},
    {TAC_SCREW, 5e-4, TURNS},        {TAC_SPHERICAL, 5e-4, TURNS}, {TAC_UNIVERSAL, 5e-4, TURNS},
    {TAC_CYLINDRICAL, 5e-4, SLIDES}, {TAC_PLANAR, 5e-4, SLIDES},   {TAC_REVOLUTE_SPHERICAL, 5e-5, WHIPS}};

// Four seconds: a swing in a plane that a universal joint may leave is unstable, and rounding grows by a thousand in one.
static void test_bench(const bench *b, d3 where, double degrees)
{
    as_tables(b->kind, where, degrees);
    const errors e = run(b->h, 4);
    tap_equal(e.refused, 0, tap_joined("as the tables:", KIND[b->kind]));
    for (int c = 0; c < COLUMNS; c++) {
        tap_most(e.rms[c], b->most[c], tap_joined("rms of ", COLUMN[c]));
        tap_note(COLUMN[c], e.rms[c]);
    }
    tap_most(e.apart, 1e-10, "constraint, m");
}

// Half the step, half the error, or a quarter: what it tends to is the oracle's motion.
static void test_order(uint8_t kind, int ground)
{
    thrown(kind, ground, kind + 1u);
    const errors whole = run(1e-3, 1), half = run(5e-4, 1);
    tap_equal(whole.refused + half.refused, 0, tap_joined(ground ? "thrown, on the ground:" : "thrown:", KIND[kind]));
    for (int c = 0; c < COLUMNS; c++) {
        tap_most(half.rms[c], SHRINKS * whole.rms[c] + NOTHING,
                 tap_joined("half the step, half the error of ", COLUMN[c]));
        tap_note(COLUMN[c], half.rms[c]);
    }
    tap_most(d_max(whole.apart, half.apart), 1e-10, "constraint, m");
}

static void test_all(uint8_t way)
{
    choose(way);
    for (size_t i = 0; i < sizeof BENCH / sizeof *BENCH; i++) {
        test_bench(&BENCH[i], d3_make(0, 0, 0), -90);
        test_bench(&BENCH[i], d3_make(1, 2, 3), -45);
    }
    for (uint8_t kind = 0; kind < TAC_COUPLING; kind++) {
        test_order(kind, 0);
        test_order(kind, 1);
    }
}

int main(void)
{
    for (int way = 0; way < 2; way++) { test_all(WAYS[way]); }
    return tap_done();
}
