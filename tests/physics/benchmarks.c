// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Three problems of the IFToMM's library of computational benchmarks for ten seconds at 1 ms: A02, N four-bars that lie
// flat, where their Jacobian loses rank; A04, Bricard's mechanism, which has more constraints than freedoms and moves;
// A05, a stiff governor. They are judged as the library does, by the energy that they keep, and by solutions of their
// equations of motion in one or two coordinates.
//
// A step moves poses with the velocities at its end, as leapfrog does: velocities belong to the middle of the step.
// Energy is therefore taken with the mean of the velocities before and after a pose. That of the report, with the
// velocities half a step earlier, differs from it by the power of the weights times h/2.
#include "begin.h"
#include "robots.h"
#include "truth.h"

#define FLOAT (TAC_REAL_BITS == 32)

static const double G = 9.81;

static tac_model m;
static tac_state s, before;
static tac_work w;
static tac_input input;

static void start(const char *name, double h)
{
    const scene *robot = robot_find(name);
    truth_fill(&input, sizeof input, 0);
    if (robot == NULL || robot->build(&m) != TAC_OK) { tap_ok(0, tap_joined("the scene can be built:", name)); }
    m.h = (tac_real)h;
    begin_world(&m, &s);
}

static void step(void)
{
    truth_copy(&before, &s, sizeof s);
    if (tac_step(&m, &s, &input, &w) < 0) { tap_ok(0, "a step is taken"); }
}

// -------------------------------------------------------------------------------------------------------------- energy

static double potential(const tac_state *state)
{
    double sum = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) { sum += (double)m.body[i].mass * G * (double)state->pose[i].p.z; }
    return sum;
}

// At the poses of `before`, with the mean of the velocities on both sides of them.
static double kinetic(void)
{
    double sum = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 v = d3_add(d3_of(before.twist[i].v), d3_of(s.twist[i].v));
        const d3 turn = d3_add(world_rate(&before, i), world_rate(&s, i));
        const d3 own = dq_rotate(dq_conjugate(dq_of(before.pose[i].q)), turn), moments = d3_of(m.body[i].inertia);
        const d3 spin = d3_make(moments.x * own.x, moments.y * own.y, moments.z * own.z);
        sum += 0.125 * ((double)m.body[i].mass * d3_dot(v, v) + d3_dot(spin, own));
    }
    return sum;
}

// What a run shows of its energies, in parts of the potential energy that it exchanges.
typedef struct record {
    double worst; // largest change since the first step
    double shown; // the same, of the energy of the report
    double drift; // largest change since the first step among the moments when the potential energy is at a maximum
    double apart; // m   largest error of a joint
    int tops, unsolved;
} record;

static record run(double seconds, void (*watch)(double time))
{
    const int steps = (int)(seconds / (double)m.h + 0.5);
    double first = 0.0, begun = 0.0, low = potential(&s), high = low, older = low, old = low;
    record r = {0};
    for (int k = 0; k < steps; k++) {
        step();
        const double now = potential(&s), change = kinetic() + old - first;
        const double shown = (double)w.report.kinetic + (double)w.report.potential - begun;
        if (k == 1) { first += change; }
        if (k == 0) { begun += shown; }
        if (k > 0) { d_worst(&r.shown, shown); }
        if (k > 1) { d_worst(&r.worst, change); }
        if (k > 1 && old > older && old >= now) {
            r.tops++;
            d_worst(&r.drift, change);
        }
        older = old;
        old = now;
        low = d_min(low, now);
        high = d_max(high, now);
        d_worst(&r.apart, (double)w.report.joint_error);
        r.unsolved += (w.report.status & TAC_UNCONVERGED) != 0;
        if (watch != NULL) { watch((k + 1) * (double)m.h); }
    }
    r.worst /= high - low;
    r.drift /= high - low;
    r.shown /= high - low;
    return r;
}

// ---------------------------------------------------------------------------------------------------- A02, N four-bars
// One angle from the upright: I a'' = M g sin a, with I = (N + 1)/3 + N and M = (N + 1)/2 + N.

static double angle, rate, off, folded;

static void post_step(double h)
{
    const double n = N_FOUR_BAR_WINDOWS, pull = G * (0.5 * (n + 1) + n) / ((n + 1) / 3 + n);
    const double a1 = rate, b1 = pull * d_sin(angle), a2 = rate + 0.5 * h * b1, b2 = pull * d_sin(angle + 0.5 * h * a1),
                 a3 = rate + 0.5 * h * b2, b3 = pull * d_sin(angle + 0.5 * h * a2), a4 = rate + h * b3,
                 b4 = pull * d_sin(angle + h * a3);
    angle += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
    rate += h * (b1 + 2 * b2 + 2 * b3 + b4) / 6;
}

// Links of one parallelogram stay parallel as long as it has not folded.
static void watch_posts(double time)
{
    const d3 up = {0, 0, 1}, post = dq_rotate(dq_of(s.pose[1].q), up);
    (void)time;
    post_step((double)m.h);
    d_worst(&off, d3_norm(d3_sub(post, d3_make(d_sin(angle), 0, d_cos(angle)))));
    for (uint16_t i = 3; i < m.bodies; i = (uint16_t)(i + 2)) {
        d_worst(&folded, d3_norm(d3_sub(post, dq_rotate(dq_of(s.pose[i].q), up))));
    }
}

// Returns the largest change of the energy within a turn.
static double test_n_four_bar(double h, double worst, const char *name)
{
    start("n_four_bar", h);
    angle = off = folded = 0.0;
    rate = 1.0;
    const record r = run(10.0, watch_posts);
    tap_note("turns", r.tops);
    tap_most(r.drift, FLOAT ? 2e-3 : 3e-9, "A02: energy from turn to turn, of that exchanged");
    tap_most(r.worst, FLOAT ? 2e-3 : worst, name);
    tap_most(r.shown, FLOAT ? 5e-3 : 2.0 * h, "A02: energy of the report, half a step apart from its poses");
    tap_most(folded, FLOAT ? 1e-3 : 1e-8, "A02: no parallelogram folds where it lies flat");
    tap_most(off, FLOAT ? 0.3 : 5e-4, "A02: its angle in ten seconds, rad");
    tap_most(r.apart, FLOAT ? 1e-6 : 1e-12, "A02: its hinges hold, m");
    tap_equal(r.unsolved, 0, "A02: every step is solved");
    return r.worst;
}

// What changes within a turn is of second order and comes back: what it is in the first turn it is in all.
static void test_turns(void)
{
    const double whole = test_n_four_bar(1e-3, 6e-6, "A02: energy within a turn at 1 ms");
    const double part = test_n_four_bar(4e-4, 1e-6, "A02: energy within a turn at 0.4 ms");
    if (!FLOAT) { tap_near(part / whole, 0.16, 1e-3, "A02: of second order in the step"); }
    start("n_four_bar", 1e-3);
    angle = 0.0;
    rate = 1.0;
    const record first = run(2.5, watch_posts);
    if (!FLOAT) { tap_near(first.worst / whole, 1.0, 1e-3, "A02: does not grow from turn to turn"); }
}

// Begins where it lies flat, to the bit: there its velocities alone say which branch it is on.
static void test_flat(void)
{
    const tac_real half = (tac_real)0.70710678118654752440;
    start("n_four_bar", 1e-3);
    for (uint16_t i = 1; i < m.bodies; i++) {
        const int level = i % 2 == 0;
        m.body[i].pose = (tac_pose){vec(0.5 * i + (level ? 0.5 : 0.0), 0, 0), {half, 0, half, 0}};
        m.body[i].velocity = (tac_twist){vec(0, 0, level ? -5.0 : -2.5), vec(0, level ? 0.0 : 5.0, 0)};
        if (level) { m.body[i].pose.q = (tac_quat){1, 0, 0, 0}; }
    }
    begin_world(&m, &s);
    angle = 0.5 * TRUTH_PI;
    rate = 5.0;
    off = folded = 0.0;
    const record r = run(10.0, watch_posts);
    tap_most(folded, FLOAT ? 1e-3 : 1e-8, "A02: none folds where it begins flat");
    tap_most(r.drift, FLOAT ? 2e-3 : 2e-6, "A02: begun flat: energy from turn to turn, of that exchanged");
    tap_most(r.apart, FLOAT ? 1e-6 : 1e-12, "A02: begun flat: its hinges hold, m");
}

// ---------------------------------------------------------------------------------------------- A04, Bricard's linkage

static void test_bricard(void)
{
    start("bricard", 1e-3);
    const double rest = potential(&s);
    const record r = run(10.0, NULL);
    tap_note("swings", r.tops);
    tap_most(r.drift, FLOAT ? 2e-5 : 1e-6, "A04: energy from swing to swing, of that exchanged");
    tap_most(r.worst, FLOAT ? 2e-5 : 1e-6, "A04: energy within a swing");
    tap_most(potential(&s), rest, "A04: it never rises above where it began, J");
    tap_most(r.apart, FLOAT ? 1e-6 : 1e-12, "A04: its hinges hold, m");
    tap_equal(r.unsolved, 0, "A04: every step is solved");
}

// ----------------------------------------------------------------------------------------------- A05, flyball governor
// Both arms are alike, so two coordinates tell it: their angle b below the horizontal, and the height z of the slider.
// The angular momentum L about the shaft is constant. An arm of 5.3 kg has its centre of mass REACH from its hinge and
// turns about it with ARM; the springs, from the middles of the arms to the slider, are d long. With O = L/I(b):
//      2 ARM b'' = I'(b) O^2/2 + 2 m g REACH cos(b) + 2 F dd/db,   M z'' = -M g + 2 F dd/dz,   F = -k (d - d0) - c d'

static const double REACH = 0.5 + 2.5 / 5.3, BALL = 5.3, SLIDER = 3.0, STIFF = 8e5, DAMP = 4e4, LONG = 0.5;

typedef struct governor {
    double b, z, db, dz;
} governor;

static double spun; // angular momentum

// Moment of inertia of an arm about an axis across it through its centre of mass, and along it.
static double arm_across(void)
{
    const double back = REACH - 0.5, out = 1.0 - REACH;
    return 0.3 * 1.0001 / 12.0 + 0.3 * back * back + 5.0 * out * out;
}

static double arm_along(void)
{
    return 0.3 * 0.0002 / 12.0;
}

static double governor_inertia(double b)
{
    const double c = d_cos(b), sine = d_sin(b), far = 0.05 + REACH * c;
    return arm_along() + 0.005 + 2.0 * (BALL * far * far + arm_along() * sine * sine + arm_across() * c * c);
}

static governor governor_slope(governor y)
{
    const double c = d_cos(y.b), sine = d_sin(y.b), spin = spun / governor_inertia(y.b);
    const double opens = 4.0 * (arm_along() - arm_across()) * sine * c - 4.0 * BALL * (0.05 + REACH * c) * REACH * sine;
    const double x = 0.5 * c, z = 1.0 - 0.5 * sine - y.z, d = d_sqrt(x * x + z * z);
    const double by_b = -0.5 * (x * sine + z * c) / d, by_z = -z / d;
    const double force = -STIFF * (d - LONG) - DAMP * (by_b * y.db + by_z * y.dz);
    const double arm = arm_across() + BALL * REACH * REACH;
    return (governor){y.db, y.dz,
                      (0.5 * opens * spin * spin + 2.0 * BALL * G * REACH * c + 2.0 * force * by_b) / (2.0 * arm),
                      -G + 2.0 * force * by_z / SLIDER};
}

static governor governor_madd(governor a, double h, governor b)
{
    return (governor){a.b + h * b.b, a.z + h * b.z, a.db + h * b.db, a.dz + h * b.dz};
}

// The damper lets the slider follow at 1e4/s.
static void governor_step(governor *y, double h)
{
    const governor a = governor_slope(*y), b = governor_slope(governor_madd(*y, 0.5 * h, a)),
                   c = governor_slope(governor_madd(*y, 0.5 * h, b)), d = governor_slope(governor_madd(*y, h, c));
    const governor ends = governor_madd(a, 1.0, d), middle = governor_madd(b, 1.0, c);
    *y = governor_madd(governor_madd(*y, h / 6.0, ends), h / 3.0, middle);
}

static double length_of(uint32_t spring)
{
    tac_joint_state x = {0, 0};
    tac_state_get_joint(&m, &s, spring, &x);
    return (double)x.position;
}

// Energy of both springs and what both dampers have taken so far, with lengths before a step and after it.
typedef struct springs {
    double length[2], stored, taken;
} springs;

static void springs_step(springs *p)
{
    p->stored = 0.0;
    for (uint32_t i = 0; i < 2; i++) {
        const double was = p->length[i], now = length_of(FLYBALL_SPRING + 2 * i), speed = (now - was) / (double)m.h;
        p->stored += 0.5 * STIFF * (was - LONG) * (was - LONG);
        p->taken += DAMP * speed * speed * (double)m.h;
        p->length[i] = now;
    }
}

typedef struct governed {
    double height, balance;
} governed;

static governed governor_run(double h)
{
    const int steps = (int)(10.0 / h + 0.5), fine = (int)(h / 5e-5 + 0.5);
    governor y = {TRUTH_PI / 6.0, 0.5, 0.0, 0.0};
    governed r = {0, 0};
    double apart = 0.0, first = 0.0;
    start("flyball", h);
    springs p = {{length_of(FLYBALL_SPRING), length_of(FLYBALL_SPRING + 2)}, 0, 0};
    spun = 2.0 * TRUTH_PI * governor_inertia(y.b);
    for (int k = 0; k < steps; k++) {
        const double was = p.taken;
        step();
        springs_step(&p);
        const double sum = kinetic() + potential(&before) + p.stored + 0.5 * (was + p.taken);
        if (k == 1) { first = sum; }
        if (k > 1) { d_worst(&r.balance, sum - first); }
        for (int i = 0; i < fine; i++) { governor_step(&y, h / fine); }
        d_worst(&r.height, (double)s.pose[FLYBALL_SLIDER].p.z - y.z);
        d_worst(&apart, (double)w.report.joint_error);
    }
    tap_most(apart, FLOAT ? 1e-6 : 1e-12, "A05: its joints hold, m");
    return r;
}

static void test_flyball(void)
{
    const double exchanged = 31.8; // J
    const governed whole = governor_run(1e-3), half = governor_run(5e-4);
    tap_most(whole.height, 1e-3, "A05: the height of its slider in ten seconds, m");
    tap_most(half.height, 0.6 * whole.height, "A05: half of the error at half of the step");
    tap_most(whole.balance / exchanged, FLOAT ? 2e-3 : 1.2e-5,
             "A05: energy with that of its springs and dampers, of that exchanged");
    if (!FLOAT) {
        tap_most(half.balance, 0.25 * whole.balance, "A05: a quarter of that at half of the step");
        tap_most(governor_run(2.5e-4).balance / exchanged, 1e-6, "A05: energy at 0.25 ms");
    }
}

int main(void)
{
    test_turns();
    test_flat();
    test_bricard();
    test_flyball();
    return tap_done();
}
