// SPDX-License-Identifier: MIT
// config: steppers
// variants: all
// The smooth integrators of TCE17: their order on motions that are known, what they damp, stiff springs, chains, loops,
// every force element, scales, snapshots, and what they refuse.
#include "jointed.h"
#include "mechanism.h"

static tac_dae dae;

static const char *const METHOD[TAC_DAE_METHODS] = {"implicit Euler",
                                                    "linearised Euler",
                                                    "projected Euler",
                                                    "trapezoidal",
                                                    "linearised trapezoidal",
                                                    "Newmark",
                                                    "HHT",
                                                    "generalised-alpha"};

static void dae_begin(uint8_t method, double h, double gravity)
{
    begin(TAC_SOLVER_ACCELERATED, h, gravity);
    tac_dae_init(&dae);
    dae.method = method;
}

static tac_status step(void)
{
    return tac_step_dae(&m, &s, &input, &w, &dae);
}

static void steps(int count)
{
    for (int i = 0; i < count; i++) {
        if (step() != TAC_OK) {
            tap_ok(0, tap_joined("a step is taken and converges: ", METHOD[dae.method]));
            return;
        }
    }
}

// --------------------------------------------------------------------------------------------------- motions known
// Each is a system of first order that a test integrates itself by Runge and Kutta's method, 2000 steps a second.

enum { MOST = 8 };

typedef struct motion {
    const char *name;
    int numbers; // of its state
    int ground;  // 1: order 1 where the rule has constraints in it
} motion;

enum { PENDULUM, DOUBLE_PENDULUM, TOP, TUMBLE, SPRING, MOTIONS };

static const motion MOTION[MOTIONS] = {{"order on a pendulum from the level: ", 2, 1},
                                       {"order on a double pendulum: ", 4, 1},
                                       {"order on a top on a point: ", 7, 1},
                                       {"order on a body that tumbles freely: ", 7, 0},
                                       {"order on a damped spring: ", 2, 0}};

#define ARM 0.5
#define SPIN 0.09 // kg m2, about the hinge's axis
#define SWING (1.0 * ARM * ARM + SPIN)

static const d3 MOMENTS = {0.06, 0.08, SPIN};

static void pendulum_rate(const double *y, double *rate)
{
    rate[0] = y[1];
    rate[1] = -9.81 * ARM / SWING * d_sin(y[0]); // from the lowest point
}

// Two equal links of mass 1 and length 2 ARM, angles from the lowest point.
static void double_rate(const double *y, double *rate)
{
    const double c = d_cos(y[0] - y[1]), z = d_sin(y[0] - y[1]), l = 2 * ARM;
    const double a = SWING + l * l, b = l * ARM * c, d = SWING;
    const double f = -l * ARM * z * y[3] * y[3] - 9.81 * (ARM + l) * d_sin(y[0]);
    const double g = l * ARM * z * y[2] * y[2] - 9.81 * ARM * d_sin(y[1]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (d * f - b * g) / (a * d - b * b);
    rate[3] = (a * g - b * f) / (a * d - b * b);
}

// Euler's equations about a fixed point `arm` from the centre along x, or about the centre; w in the body's axes.
static void body_rate(const double *y, double *rate, double arm)
{
    const dq q = {y[0], y[1], y[2], y[3]};
    const d3 v = {y[4], y[5], y[6]}, down = dq_rotate(dq_conjugate(q), d3_make(0, 0, -9.81));
    const d3 inertia = {MOMENTS.x, MOMENTS.y + arm * arm, MOMENTS.z + arm * arm};
    const d3 l = {inertia.x * v.x, inertia.y * v.y, inertia.z * v.z};
    const d3 torque = d3_sub(d3_cross(d3_make(arm, 0, 0), down), d3_cross(v, l));
    const dq turn = dq_mul(q, (dq){0, 0.5 * v.x, 0.5 * v.y, 0.5 * v.z});
    rate[0] = turn.w, rate[1] = turn.x, rate[2] = turn.y, rate[3] = turn.z;
    rate[4] = torque.x / inertia.x, rate[5] = torque.y / inertia.y, rate[6] = torque.z / inertia.z;
}

#define STIFF 40.0
#define DAMP 1.5

static void rate_of(int which, const double *y, double *rate)
{
    switch (which) {
    case PENDULUM:
        pendulum_rate(y, rate);
        break;
    case DOUBLE_PENDULUM:
        double_rate(y, rate);
        break;
    case SPRING:
        rate[0] = y[1];
        rate[1] = -STIFF * y[0] - DAMP * y[1];
        break;
    default:
        body_rate(y, rate, which == TOP ? ARM : 0.0);
    }
}

static void runge_kutta(int which, double *y, double h)
{
    static const double AT[4] = {0, 0.5, 0.5, 1}, PART[4] = {1, 2, 2, 1};
    double k[MOST] = {0}, sum[MOST] = {0}, x[MOST];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < MOTION[which].numbers; i++) { x[i] = y[i] + h * AT[stage] * k[i]; }
        rate_of(which, x, k);
        for (int i = 0; i < MOTION[which].numbers; i++) { sum[i] += PART[stage] * k[i]; }
    }
    for (int i = 0; i < MOTION[which].numbers; i++) { y[i] += h / 6.0 * sum[i]; }
}

static void motion_start(int which, double *y)
{
    static const double START[MOTIONS][MOST] = {{TRUTH_PI / 2, 0},
                                                {TRUTH_PI / 2, TRUTH_PI / 2, 0, 0},
                                                {1, 0, 0, 0, 6, 1, 2},
                                                {1, 0, 0, 0, 1, 4, 0.5},
                                                {0.3, 0}};
    for (int i = 0; i < MOST; i++) { y[i] = START[which][i]; }
}

// The same in the kernel: links along x of their frames.
static void link(int i, double at)
{
    tac_body *b = add_body(at, 0, 1, 1);
    b->inertia = d3_to(MOMENTS);
    tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
    about_y(j);
    b->inertia = (tac_vec3){(tac_real)MOMENTS.x, (tac_real)MOMENTS.z, (tac_real)MOMENTS.y};
    j->frame_a.p.x = (tac_real)(i > 0 ? ARM : 0.0);
    j->frame_b.p.x = (tac_real)-ARM;
}

static void motion_build(int which, const double *y)
{
    tac_body *b;
    if (which == PENDULUM || which == DOUBLE_PENDULUM) {
        link(0, ARM);
        if (which == DOUBLE_PENDULUM) { link(1, 3 * ARM); }
    } else if (which == SPRING) {
        b = add_body(y[0], 0, 1, 1);
        tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
        const tac_real half = (tac_real)0.70710678118654752440;
        j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0}; // z along x
        j->stiffness = (tac_real)STIFF;
        j->damping = (tac_real)DAMP;
        m.gravity.z = 0;
    } else {
        b = add_body(which == TOP ? ARM : 0.0, 0, 1, 1);
        b->inertia = d3_to(MOMENTS);
        b->velocity.w = vec(y[4], y[5], y[6]);
        if (which == TOP) {
            tac_joint *j = add_joint(TAC_SPHERICAL, 0, 1);
            j->frame_b.p.x = (tac_real)-ARM;
            b->velocity.v = d3_to(d3_cross(d3_make(y[4], y[5], y[6]), d3_make(ARM, 0, 0)));
        } else {
            m.gravity.z = 0;
        }
    }
    begin_world(&m, &s);
}

// Distance of the kernel's state from y: positions and velocities of an axis or of centres of mass.
static double motion_error(int which, const double *y)
{
    const d3 p = d3_of(s.pose[m.bodies - 1].p), v = d3_of(s.twist[m.bodies - 1].v);
    double error = 0;
    if (which == SPRING) {
        d_worst(&error, p.x - y[0]);
        d_worst(&error, v.x - y[1]);
    } else if (which == PENDULUM || which == DOUBLE_PENDULUM) {
        const int two = which == DOUBLE_PENDULUM;
        double x = 0, z = 0, dx = 0, dz = 0;
        for (int i = 0; i <= two; i++) {
            const double l = i < two ? 2 * ARM : ARM, rate = y[i + 1 + two];
            x += l * d_sin(y[i]), z -= l * d_cos(y[i]);
            dx += l * d_cos(y[i]) * rate, dz += l * d_sin(y[i]) * rate;
        }
        d_worst(&error, d3_norm(d3_sub(p, d3_make(x, 0, z))));
        d_worst(&error, d3_norm(d3_sub(v, d3_make(dx, 0, dz))));
    } else {
        const dq q = {y[0], y[1], y[2], y[3]}, of = dq_of(s.pose[1].q);
        for (int i = 0; i < 3; i++) {
            const d3 axis = {i == 0, i == 1, i == 2};
            d_worst(&error, d3_norm(d3_sub(dq_rotate(of, axis), dq_rotate(q, axis))));
        }
        d_worst(&error, d3_norm(d3_sub(d3_of(s.twist[1].w), d3_make(y[4], y[5], y[6]))));
    }
    return error;
}

// Worst error over half a second, in `count` steps.
static double motion_run(int which, uint8_t method, int count)
{
    double y[MOST], worst = 0;
    const double h = 0.5 / count;
    const int fine = 1024 / count;
    dae_begin(method, h, 9.81);
    motion_start(which, y);
    motion_build(which, y);
    for (int i = 0; i < count; i++) {
        steps(1);
        for (int k = 0; k < fine; k++) { runge_kutta(which, y, h / fine); }
        d_worst(&worst, motion_error(which, y));
    }
    return worst;
}

// log2 of a ratio, by its mantissa's series.
static double d_log2(double a)
{
    double whole = 0;
    while (a >= 2) { a /= 2, whole++; }
    while (a < 1) { a *= 2, whole--; }
    const double t = (a - 1) / (a + 1), t2 = t * t;
    double sum = 0, power = t;
    for (int i = 1; i < 40; i += 2, power *= t2) { sum += power / i; }
    return whole + 2 * sum / 0.69314718055994530942;
}

static int order_of(int which, uint8_t method)
{
    if (method <= TAC_DAE_EULER_PROJECTED) { return 1; }
    return method == TAC_DAE_TRAPEZOIDAL_LINEARISED && MOTION[which].ground ? 1 : 2;
}

// The order between two steps and steps half as long. In float the longer ones, before rounding shows.
static void test_order(int which, uint8_t method)
{
    const int count = TOL(128, 32);
    const double coarse = motion_run(which, method, count), fine = motion_run(which, method, 2 * count);
    const double order = d_log2(coarse / fine);
    const char *name = tap_joined(MOTION[which].name, METHOD[method]);
    if (order_of(which, method) == 2) {
        tap_near(order, 2, TOL(0.1, 0.3), name);
    } else {
        tap_least(order, 0.75, name);
    }
    tap_note(name, order);
    tap_note("error of the shorter step, m, m/s", fine);
}

// ----------------------------------------------------------------------------------------------------------- damping

// x, h v and h^2 a of u'' = -omega^2 u after a step, from those before it, by the definitions of the methods.
static void oscillator(const double c[6], double omega2, double h, double y[4])
{
    const double am = c[4], af = c[5], w2 = omega2 * h * h;
    const double before = y[0] + y[1] + c[0] * y[2], part = (1 - af) / (1 - am);
    const double known = (af * y[3] - am * y[2]) / (1 - am); // a+ = part x+ + known, x+ = -w2 u+
    const double a = (known - part * w2 * before) / (1 + part * w2 * c[1]);
    const double u = before + c[1] * a;
    y[1] += c[2] * y[2] + c[3] * a;
    y[0] = u;
    y[2] = a;
    y[3] = -w2 * u;
}

// d0, d1, g0, g1, am, af of a method, by the formulas of the paper.
static void coefficients(uint8_t method, double alpha, double rho, double c[6])
{
    double beta = 0.25, gamma = 0.5, am = 0, af = 0;
    if (method == TAC_DAE_HHT) {
        beta = (1 - alpha) * (1 - alpha) / 4, gamma = (1 - 2 * alpha) / 2, af = -alpha;
    } else if (method == TAC_DAE_GENERALISED_ALPHA) {
        am = (2 * rho - 1) / (1 + rho), af = rho / (1 + rho), gamma = 0.5 + af - am;
        beta = (gamma + 0.5) * (gamma + 0.5) / 4;
    }
    const double newmark[6] = {0.5 - beta, beta, 1 - gamma, gamma, am, af};
    const double euler[6] = {0, 1, 0, 1, 0, 0};
    for (int i = 0; i < 6; i++) { c[i] = method <= TAC_DAE_EULER_PROJECTED ? euler[i] : newmark[i]; }
}

static void slide_begin(uint8_t method, double h, double stiffness)
{
    dae_begin(method, h, 0);
    add_body(1, 0, 1, 1);
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0}; // z along x
    j->stiffness = (tac_real)stiffness;
}

// log2 of what a step leaves of an oscillation that is much faster than the steps: mean of 1000 steps, each scaled.
static double fastest(const double c[6])
{
    double u[4] = {1, 1, 1, 1}, sum = 0;
    for (int i = 0; i < 2000; i++) {
        double size = 0;
        oscillator(c, 1e12, 1, u);
        for (int k = 0; k < 4; k++) { size = d_max(size, d_abs(u[k]) * (k == 3 ? 1e-12 : 1)); }
        if (!(size > 1e-200)) { return -1e3; }
        for (int k = 0; k < 4; k++) { u[k] /= size; }
        sum += i < 1000 ? 0 : d_log2(size);
    }
    return sum / 1000;
}

// The kernel against these recursions, 40 steps of h omega from slow to fast; and what a fast oscillation keeps in a
// step.
static void test_damping(uint8_t method, double alpha, double rho, double kept)
{
    double worst = 0, c[6];
    coefficients(method, alpha, rho, c);
    const int line = method >= TAC_DAE_EULER_LINEARISED && method <= TAC_DAE_TRAPEZOIDAL_LINEARISED;
    for (int fast = 0; fast < (line ? TOL(4, 3) : 4); fast++) { // one iteration leaves rounding times (h omega)^2
        static const double OMEGA[4] = {1, 20, 200, 1e4};
        double y[4] = {1, 0, 0, 0};
        const double h = 0.01, w2 = OMEGA[fast] * OMEGA[fast];
        slide_begin(method, h, w2);
        dae.alpha = (tac_real)alpha, dae.rho_inf = (tac_real)rho;
        begin_world(&m, &s);
        y[2] = y[3] = -w2 * h * h;
        for (int i = 0; i < 40; i++) {
            steps(1);
            oscillator(c, w2, h, y);
            d_worst(&worst, ((double)s.pose[1].p.x - y[0]) / d_max(1, d_abs(y[0])));
            d_worst(&worst, (h * (double)s.twist[1].v.x - y[1]) / d_max(1, d_abs(y[1])));
        }
    }
    tap_most(worst, TOL(1e-8, 3e-4), tap_joined("an oscillation goes as theory says: ", METHOD[method]));
    if (kept > 0) {
        tap_near(fastest(c), d_log2(kept), 0.01, "log2 of what a fast oscillation keeps in a step");
    } else {
        tap_most(fastest(c), -10, "and a fast oscillation ends at once");
    }
}

static void test_damped(void)
{
    for (uint8_t method = 0; method <= TAC_DAE_TRAPEZOIDAL_LINEARISED; method++) {
        test_damping(method, 0, 1, method <= TAC_DAE_EULER_PROJECTED ? 0 : 1);
    }
    test_damping(TAC_DAE_HHT, 0, 1, 1);
    test_damping(TAC_DAE_HHT, -0.05, 1, 0.95 / 1.05); // (1 + alpha)/(1 - alpha)
    test_damping(TAC_DAE_HHT, -0.2, 1, 0.8 / 1.2);
    test_damping(TAC_DAE_HHT, -1.0 / 3, 1, 0.5);
    test_damping(TAC_DAE_GENERALISED_ALPHA, 0, 1, 1);
    test_damping(TAC_DAE_GENERALISED_ALPHA, 0, 0.8, 0.8);
    test_damping(TAC_DAE_GENERALISED_ALPHA, 0, 0.5, 0.5);
    test_damping(TAC_DAE_GENERALISED_ALPHA, 0, 0.1, 0.1);
}

// The trapezoidal rule keeps the energy of an oscillator, however fast it is.
static void test_oscillator_energy(void)
{
    double worst = 0;
    slide_begin(TAC_DAE_TRAPEZOIDAL, 0.01, 1e4);
    begin_world(&m, &s);
    for (int i = 0; i < 1000; i++) {
        steps(1);
        const double x = (double)look(0).position, v = (double)look(0).velocity;
        d_worst(&worst, (0.5 * 1e4 * x * x + 0.5 * v * v) / 5e3 - 1);
    }
    tap_most(worst, TOL(1e-11, 1e-3), "the trapezoidal rule keeps an oscillator's energy");
}

// A weight swings on a spring of 1e8 N/m at 1 ms: h omega is 10. It hangs as far as its weight pulls, and swings.
static void test_stiff(uint8_t method)
{
    double longest = 0, start;
    dae_begin(method, 1e-3, 9.81);
    add_body(1, 0, 1, 0.1);
    tac_joint *j = add_joint(TAC_DISTANCE, 0, 1);
    j->stiffness = (tac_real)1e8, j->rest = 1;
    begin_world(&m, &s);
    start = energy();
    for (int i = 0; i < 1000; i++) {
        steps(1);
        d_worst(&longest, (double)look(0).position - 1);
    }
    // linear about its start, a step ends h^2 v^2/(2 l) off the circle
    const int line = method == TAC_DAE_EULER_LINEARISED || method == TAC_DAE_EULER_PROJECTED;
    tap_most(longest, line ? 2e-5 : TOL(1e-6, 3e-6),
             tap_joined("a spring of 1e8 N/m stays as long as it is, m: ", METHOD[method]));
    tap_most(d_abs(energy() - start), method >= TAC_DAE_TRAPEZOIDAL ? 2e-3 : 0.5, "and its weight keeps its energy, J");
}

// ------------------------------------------------------------------------------------------------ chains and loops

// Links of 1 m, hinged, released level; the last is a hundred times as heavy.
static void chain(uint8_t method, uint8_t by)
{
    dae_begin(method, 1e-3, 9.81);
    dae.solver = by;
    for (int i = 0; i < 5; i++) {
        const double mass = i == 4 ? 100.0 : 1.0;
        add_body(i + 0.5, 0, mass, mass * (1 + 0.01) / 12.0)->inertia.x = (tac_real)(mass * 0.02 / 12.0);
        tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i > 0 ? 0.5 : 0.0);
        j->frame_b.p.x = (tac_real)-0.5;
    }
    begin_world(&m, &s);
}

static void test_chain(uint8_t method, double most)
{
    double apart = 0, lost = 0, height = 0, turns = 0;
    chain(method, TAC_DAE_SPARSE);
    for (int i = 1; i < m.bodies; i++) { height += 2 * 9.81 * (double)m.body[i].mass * (double)m.body[i].pose.p.x; }
    const double start = energy();
    for (int i = 0; i < 1000; i++) {
        steps(1);
        d_worst(&apart, (double)dae.error);
        d_worst(&turns, dae.iterations);
        d_worst(&lost, (energy() - start) / height);
    }
    tap_most(apart, TOL(1e-12, 1e-6), tap_joined("a chain of five links stays together, m: ", METHOD[method]));
    tap_most(lost, most, "and keeps its energy in the first second");
    tap_note("in so many iterations at most", turns);
}

static void test_solvers(uint8_t method)
{
    double apart = 0;
    static tac_state other;
    for (uint8_t by = 0; by < TAC_DAE_SOLVERS; by++) {
        chain(method, by);
        steps(200);
        if (by == 0) { other = s; }
    }
    for (int i = 1; i < m.bodies; i++) {
        d_worst(&apart, d3_norm(d3_sub(d3_of(s.pose[i].p), d3_of(other.pose[i].p))));
        d_worst(&apart, 0.01 * d3_norm(d3_sub(d3_of(s.twist[i].v), d3_of(other.twist[i].v))));
    }
    tap_most(apart, TOL(1e-9, 1e-4), tap_joined("MINRES moves a chain as the factor does: ", METHOD[method]));
    tap_least(dae.products, 1, "by products with the matrix");
}

// A parallelogram of three links: eighteen freedoms, twenty constraints, of which three are redundant.
static void four_bar(uint8_t method, uint8_t by)
{
    static const double AT[3][2] = {{0, 0.5}, {0.5, 1}, {1, 0.5}};
    static const double PIN[4][4] = {{0, 1, 0, 0}, {1, 2, 0, 1}, {2, 3, 1, 1}, {3, 0, 1, 0}};
    dae_begin(method, 1e-3, 9.81);
    dae.solver = by;
    for (int i = 0; i < 3; i++) {
        add_body(AT[i][0], AT[i][1], 1, 1.0 / 12)->velocity.v.x = (tac_real)(i == 1 ? 2 : 1);
        if (i != 1) { m.body[m.bodies - 1].velocity.w.y = 2; }
    }
    for (int i = 0; i < 4; i++) {
        const int a = (int)PIN[i][0], b = (int)PIN[i][1];
        tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)a, (uint16_t)b);
        about_y(j);
        j->frame_a.p = vec(PIN[i][2] - (a ? AT[a - 1][0] : 0), 0, PIN[i][3] - (a ? AT[a - 1][1] : 0));
        j->frame_b.p = vec(PIN[i][2] - (b ? AT[b - 1][0] : 0), 0, PIN[i][3] - (b ? AT[b - 1][1] : 0));
    }
    begin_world(&m, &s);
}

static void test_loop(uint8_t method, uint8_t by)
{
    double apart = 0, lost = 0, across = 0;
    four_bar(method, by);
    const double start = energy();
    for (int i = 0; i < 2000; i++) {
        steps(1);
        d_worst(&apart, (double)dae.error);
        d_worst(&lost, energy() - start);
        for (int k = 0; k < 4; k++) { d_worst(&across, (double)w.joint[k].force.y); }
    }
    tap_most(apart, TOL(1e-12, 1e-6),
             tap_joined("a loop with redundant constraints stays together, m: ", METHOD[method]));
    tap_most(lost, method == TAC_DAE_EULER ? 3 : TOL(2e-3, 2e-2), "and keeps its energy of 24 J, J");
    tap_most(across, by == TAC_DAE_MINRES ? TOL(0.02, 20) : TOL(1e-3, 1), "forces across its plane are none, N");
}

// Chains and rings of six joints of every kind, with springs, dampers and rotors, let go.
static void random_run(uint32_t seed, uint8_t method, int count, tac_state *end, double *apart)
{
    jointed_seed = seed;
    jointed_build(&m);
    truth_fill(&input, sizeof input, 0);
    tac_dae_init(&dae);
    dae.method = method;
    m.shapes = 0;
    m.h = (tac_real)(0.2 / count);
    for (int i = 1; i < m.bodies; i++) { m.body[i].velocity = (tac_twist){vec(0, 0, 0), vec(0, 0, 0)}; }
    for (uint32_t i = 0; i < m.joints; i++) {
        m.joint[i].friction = 0;
        if (m.joint[i].lower < m.joint[i].upper) { m.joint[i].lower = 1, m.joint[i].upper = -1; }
    }
    begin_world(&m, &s);
    for (int i = 0; i < count; i++) {
        steps(1);
        d_worst(apart, (double)dae.error);
    }
    *end = s;
}

static double distance(const tac_state *a, const tac_state *b)
{
    double worst = 0;
    for (int i = 1; i < m.bodies; i++) { d_worst(&worst, d3_norm(d3_sub(d3_of(a->pose[i].p), d3_of(b->pose[i].p)))); }
    return worst;
}

// They stay together, none gives up, and two methods agree to a quarter with half the step.
static void test_random(uint32_t seed)
{
    static tac_state end[4];
    double apart = 0;
    for (int run = 0; run < 4; run++) {
        random_run(seed, run % 2 ? TAC_DAE_GENERALISED_ALPHA : TAC_DAE_HHT, run < 2 ? 100 : 200, &end[run], &apart);
    }
    const double whole = distance(&end[0], &end[1]), half = distance(&end[2], &end[3]);
    tap_most(apart, TOL(1e-12, 2e-6), tap_numbered("random joints stay together, m; seed", seed));
    tap_most(half, 0.35 * whole + TOL(1e-9, 1e-4), "and two methods agree, m");
}

// Two bodies on a ball joint in free flight, one of them spinning.
static void test_momentum(uint8_t method)
{
    tac_vec3 p, l;
    double linear = 0, angular = 0;
    dae_begin(method, 1e-3, 0);
    add_body(0, 0, 1, 0.1)->velocity = (tac_twist){vec(1, 2, 3), vec(3, -1, 2)};
    add_body(1, 0, 3, 0.3)->inertia.y = (tac_real)0.2;
    tac_joint *j = add_joint(TAC_SPHERICAL, 1, 2);
    j->frame_a.p = vec(0.5, 0, 0), j->frame_b.p = vec(-0.5, 0, 0);
    const d3 spin = {3, -1, 2};
    m.body[2].velocity = (tac_twist){d3_to(d3_add(d3_make(1, 2, 3), d3_cross(spin, d3_make(0.5, 0, 0)))), vec(0, 0, 0)};
    begin_world(&m, &s);
    tac_momentum(&m, &s, &p, &l);
    const d3 p0 = d3_of(p), l0 = d3_of(l);
    for (int i = 0; i < 1000; i++) {
        steps(1);
        tac_momentum(&m, &s, &p, &l);
        d_worst(&linear, d3_norm(d3_sub(d3_of(p), p0)));
        d_worst(&angular, d3_norm(d3_sub(d3_of(l), l0)));
    }
    tap_most(linear, TOL(1e-12, 1e-5), tap_joined("a floating pair keeps its momentum, N s: ", METHOD[method]));
    tap_most(angular, order_of(TOP, method) == 1 ? 0.5 : 1e-3, "and its angular momentum, N m s");
}

// --------------------------------------------------------------------------------------------------- force elements

// A wheel of 2 kg m2 with a rotor of 1 kg m2 under a torque of 6 N m: a = 2 rad/s2 exactly, by every rule of order 2.
static void test_rotor(uint8_t method)
{
    dae_begin(method, 0.01, 9.81);
    add_body(0, 0, 1, 2);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    j->armature = 1;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 6, 0, 0, 0, TAC_MOTOR_EFFORT};
    steps(100);
    const double late = method <= TAC_DAE_EULER_PROJECTED ? 0.01 : 0;
    tap_near(look(0).velocity, 2, TOL(1e-10, 1e-5), tap_joined("a rotor adds to a wheel, rad/s: ", METHOD[method]));
    tap_near(look(0).position, 1 + late, TOL(1e-10, 1e-5), "and turns with it, rad");
    tap_near(w.joint[0].effort[TAC_EFFORT_MOTOR], 6, TOL(1e-9, 1e-5), "its motor's effort, N m");
    tap_near(w.joint[0].effort[TAC_EFFORT_PASSIVE], -2, TOL(1e-9, 1e-4), "its rotor's, N m");
}

// A PD motor, a bushing and an elastic stop are springs with dampers: x'' = -40 x - 1.5 x' from 0.3 m.
static void test_springs(int kind, uint8_t method)
{
    static const char *const NAME[3] = {"a PD motor", "a bushing", "an elastic stop"};
    double y[MOST] = {0.3, 0}, worst = 0;
    dae_begin(method, 1.0 / 128, 0);
    add_body(0.3, 0, 1, 1);
    tac_joint *j = add_joint(kind == 1 ? TAC_BUSHING : TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0};
    if (kind == 0) {
        input.motors = 1;
        input.motor[0] = (tac_motor){0, 0, 0, (tac_real)STIFF, (tac_real)DAMP, 0, TAC_MOTOR_PD};
    } else if (kind == 1) {
        j->along.z = (tac_real)STIFF, j->along_damping.z = (tac_real)DAMP;
    } else {
        j->lower = -1, j->upper = 0, j->stop_stiffness = (tac_real)STIFF, j->stop_damping = (tac_real)DAMP;
    }
    begin_world(&m, &s);
    for (int i = 0; i < (kind == 2 ? 24 : 128); i++) { // the stop is left after a quarter of a period
        steps(1);
        for (int k = 0; k < 8; k++) { runge_kutta(SPRING, y, 1.0 / 1024); }
        d_worst(&worst, (double)s.pose[1].p.x - y[0]);
    }
    tap_most(worst, order_of(SPRING, method) == 1 ? 0.03 : 6e-4,
             tap_joined(NAME[kind], " is a spring and a damper, m"));
    const double pull = -STIFF * (double)s.pose[1].p.x - DAMP * (double)s.twist[1].v.x;
    tap_near(w.joint[0].force.x, pull, TOL(1e-8, 2e-3), "and shows its force at the end of the step, N");
}

// A body leaves an elastic stop faster than the spring of the stop would push it: its damper must not pull it back.
static void test_stop_lets_go(uint8_t method)
{
    dae_begin(method, 1.0 / 1024, 0);
    add_body(0.001, 0, 1, 1);
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0};
    j->lower = -1, j->upper = 0, j->stop_stiffness = (tac_real)STIFF, j->stop_damping = (tac_real)DAMP;
    m.body[1].velocity.v = vec(-1, 0, 0);
    begin_world(&m, &s);
    steps(1);
    tap_near(w.joint[0].force.x, 0, TOL(1e-12, 1e-5), tap_joined("a stop pulls nothing back, N: ", METHOD[method]));
    steps(7);
    tap_near((double)s.twist[1].v.x, -1, TOL(1e-12, 1e-5), "what leaves it keeps its speed, m/s");
}

// Two wheels of 1 and 2 kg m2 on a gear of -3, driven by 4 N m on the first: a (1 + 9 2) = 4.
static void test_gear(uint8_t method)
{
    dae_begin(method, 0.01, 9.81);
    for (int i = 0; i < 2; i++) {
        add_body(i, 0, 1, i + 1);
        add_joint(TAC_REVOLUTE, 0, (uint16_t)(i + 1))->frame_a.p.x = (tac_real)i;
    }
    tac_joint *gear = add_joint(TAC_COUPLING, 0, 1);
    gear->length = -3;
    gear->lower = gear->upper = 0;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 4, 0, 0, 0, TAC_MOTOR_EFFORT};
    steps(600); // 3.8 rad of the first, 11.4 rad of the other
    tap_near(look(0).velocity, 4.0 / 19 * 6, TOL(1e-10, 1e-5), tap_joined("a gear, rad/s: ", METHOD[method]));
    tap_near(look(1).velocity, -12.0 / 19 * 6, TOL(1e-9, 3e-5), "its other wheel, rad/s");
    tap_most(dae.error, TOL(1e-12, 1e-5), "which turns with it over revolutions, m");
}

// A motor prescribes a turn at 2 rad/s; a kinematic body carries a pendulum.
static void test_driven(uint8_t method)
{
    dae_begin(method, 1e-3, 9.81);
    tac_body *b = add_body(0, 0, 1, 1);
    b->kind = TAC_KINEMATIC;
    b->velocity.v.x = 1;
    link(1, ARM);
    m.joint[0].frame_a.p.x = 0;
    m.body[2].velocity.v = vec(1, 0, 2 * -ARM);
    m.body[2].velocity.w.y = 2;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 2, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    steps(500);
    tap_near(s.pose[1].p.x, 0.5, TOL(1e-12, 1e-6), tap_joined("a body is driven, m: ", METHOD[method]));
    tap_near(look(0).position, 1, TOL(1e-10, 2e-5), "its motor turns as asked, rad");
    tap_most(dae.error, method == TAC_DAE_EULER_LINEARISED ? 1e-5 : TOL(1e-12, 1e-6), "their joint holds, m");
    if (method == TAC_DAE_TRAPEZOIDAL || method == TAC_DAE_NEWMARK) { return; } // their reactions oscillate
    // in a frame that moves evenly: the torque of the weight alone
    const double bears = d_abs((double)w.joint[0].effort[TAC_EFFORT_MOTOR]);
    tap_near(bears, 9.81 * ARM * d_cos(1), TOL(0.02, 0.05), "the motor bears the weight, N m");
}

// --------------------------------------------------------------------------------------- scales, snapshots, refusals

// All lengths 1024 times as large or small, masses 64 times: the same motion, digit by digit.
static void test_scale(double length, double mass)
{
    static tac_state one;
    double apart = 0;
    for (int scaled = 0; scaled < 2; scaled++) {
        const double l = scaled ? length : 1, k = scaled ? mass : 1;
        dae_begin(TAC_DAE_HHT, 1e-3, 9.81 * l);
        for (int i = 0; i < 3; i++) {
            add_body((i + 0.5) * l, 0, k, 0.1 * k * l * l)->inertia.y = (tac_real)(0.09 * k * l * l);
            tac_joint *j = add_joint(i == 1 ? TAC_SPHERICAL : TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
            if (i != 1) { about_y(j); }
            if (i == 2) { j->stiffness = (tac_real)(5 * k * l * l), j->damping = (tac_real)(0.1 * k * l * l); }
            j->frame_a.p.x = (tac_real)(i > 0 ? 0.5 * l : 0.0), j->frame_b.p.x = (tac_real)(-0.5 * l);
        }
        begin_world(&m, &s);
        steps(200);
        if (!scaled) { one = s; }
    }
    for (int i = 1; i < m.bodies; i++) {
        d_worst(&apart, d3_norm(d3_sub(d3_scale(1 / length, d3_of(s.pose[i].p)), d3_of(one.pose[i].p))));
        d_worst(&apart, d3_norm(d3_sub(d3_of(s.twist[i].w), d3_of(one.twist[i].w))));
    }
    tap_most(apart, TOL(1e-10, 1e-4), tap_numbered("the same scene, lengths times", length));
}

// A copy of state and tac_dae is a snapshot; a state that is not the one that the last step has left begins anew.
static void test_snapshot(uint8_t method)
{
    static tac_state kept, fresh;
    static tac_dae with;
    chain(method, TAC_DAE_SPARSE);
    steps(20);
    kept = s, with = dae;
    steps(20);
    const uint64_t hash = tac_state_hash(&m, &s);
    s = kept, dae = with;
    steps(20);
    tap_hash(tac_state_hash(&m, &s), hash, tap_joined("a snapshot is replayed: ", METHOD[method]));
    s = kept; // with the accelerations of twenty steps later
    steps(1);
    fresh = s;
    s = kept;
    tac_dae_init(&dae);
    dae.method = method;
    steps(1);
    tap_hash(tac_state_hash(&m, &s), tac_state_hash(&m, &fresh), "an earlier state alone begins anew");
}

// A pendulum that is set down 10 mm off its hinge is moved there, without velocity.
static void test_off(uint8_t method)
{
    dae_begin(method, 1e-3, 0);
    link(0, ARM);
    m.body[1].pose.p.x += (tac_real)0.01;
    begin_world(&m, &s);
    steps(1);
    tap_most(dae.error, TOL(1e-12, 1e-6), tap_joined("an error from before the step is removed, m: ", METHOD[method]));
    tap_most(d3_norm(d3_of(s.twist[1].v)), TOL(1e-12, 1e-6), "and becomes no velocity, m/s");
    tap_near(s.pose[1].p.x, ARM, TOL(1e-12, 1e-6), "it is where it belongs, m");
}

// Is the step refused with this status and field, and is the state what it was?
static void refused(tac_status status, uint16_t field, uint16_t index, const char *name)
{
    static tac_state before;
    begin_world(&m, &s);
    truth_copy(&before, &s, sizeof s);
    tap_equal(step(), status, name);
    tap_equal(w.report.fault.field, field, "its field");
    tap_equal(w.report.fault.index, index, "its index");
    tap_ok(truth_equal(&before, &s, sizeof s), "and nothing changes");
}

static void hinge(void)
{
    dae_begin(TAC_DAE_HHT, 1e-3, 9.81);
    link(0, ARM);
}

static void test_refused(void)
{
    hinge();
    tac_shape ball = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0, 0)),
              floor = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_material(&m, 0, 0);
    tac_model_add_shape(&m, &ball);
    tac_model_add_shape(&m, &floor);
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "shapes of bodies that are joined do not collide");
    m.joint[0].collide = 1;
    refused(TAC_E_MODEL, TAC_FIELD_CONTACT, 1, "shapes that may collide are refused");
    hinge();
    m.joint[0].friction = 1;
    refused(TAC_E_MODEL, TAC_FIELD_JOINT, 0, "dry friction is refused");
    hinge();
    m.joint[0].lower = (tac_real)-1e-7, m.joint[0].upper = 1;
    m.body[1].velocity.w.y = -1, m.body[1].velocity.v.z = (tac_real)ARM;
    refused(TAC_E_NAN, TAC_FIELD_JOINT_LIMIT, 0, "a step past a limit is refused");
    m.body[1].velocity.w.y = 1, m.body[1].velocity.v.z = (tac_real)-ARM;
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "one away from it is taken");
    hinge();
    m.joint[0].effort = 4;
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    refused(TAC_E_NAN, TAC_FIELD_MOTOR, 0, "a motor that would need more effort than it has is refused");
    m.joint[0].effort = 5;
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "one that has it holds the weight");
    hinge();
    m.joint[0].speed = (tac_real)0.5;
    m.body[1].velocity.w.y = 1, m.body[1].velocity.v.z = (tac_real)-ARM;
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 1, 0, 0, 0, TAC_MOTOR_EFFORT};
    refused(TAC_E_NAN, TAC_FIELD_MOTOR, 0, "a motor faster than its speed is refused");
}

static void test_arguments(void)
{
    hinge();
    begin_world(&m, &s);
    tap_equal(tac_dae_init(NULL), TAC_E_ARG, "no tac_dae to set");
    tap_equal(tac_step_dae(&m, &s, &input, &w, NULL), TAC_E_ARG, "no tac_dae");
    tap_equal(tac_step_dae(&m, &s, &input, NULL, &dae), TAC_E_ARG, "no work area");
    tap_equal(tac_step_dae(NULL, &s, &input, &w, &dae), TAC_E_ARG, "no model");
    tap_equal(tac_step_dae(&m, NULL, &input, &w, &dae), TAC_E_ARG, "no state");
    for (int bad = 0; bad < 9; bad++) {
        tac_dae_init(&dae);
        const tac_real nan = w.report.kinetic * 0 / (w.report.kinetic * 0);
        tac_real *const number[5] = {&dae.beta, &dae.gamma, &dae.alpha, &dae.rho_inf, &dae.tolerance};
        static const double WRONG[5] = {0, 1.5, -0.4, 1.1, -0.5};
        if (bad < 5) { *number[bad] = (tac_real)WRONG[bad]; }
        if (bad == 5) { dae.method = TAC_DAE_METHODS; }
        if (bad == 6) { dae.solver = TAC_DAE_SOLVERS; }
        if (bad == 7) { dae.max_iterations = 0; }
        if (bad == 8) { dae.beta = nan; }
        tap_equal(step(), TAC_E_ARG, tap_numbered("a number of tac_dae out of range", bad));
    }
    tac_dae_init(&dae);
    s.twist[1].w.x = TAC_MOST_SPEED * 2;
    tap_equal(step(), TAC_E_ARG, "a state out of range");
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "and then a step is taken");
}

// Two rods of 1 m from points 3 m apart cannot meet: the step says that it does not end on its constraints.
static void test_unreachable(uint8_t method)
{
    dae_begin(method, 1e-3, 0);
    add_body(1.5, 0, 1, 0.1);
    for (int i = 0; i < 2; i++) {
        tac_joint *j = add_joint(TAC_DISTANCE, 0, 1);
        j->frame_a.p.x = (tac_real)(3 * i);
        j->lower = j->upper = 1;
    }
    begin_world(&m, &s);
    tap_equal(step(), TAC_UNCONVERGED, tap_joined("joints that cannot meet: ", METHOD[method]));
    tap_ok(!dae.converged && (double)dae.error > 0.4, "it says how far they are apart");
}

// What reads a step reads this one: invariants, mean accelerations, energies; and a step of the cone program may
// follow.
static void test_after(void)
{
    tac_real acceleration[TAC_MAX_VELOCITIES];
    chain(TAC_DAE_HHT, TAC_DAE_SPARSE);
    steps(100);
    const tac_joint_state before = look(4);
    steps(1);
    tap_equal(tac_check(&m, &s, &w, NULL), TAC_OK, "its invariants hold");
    tap_equal(tac_step_accelerations(&m, &s, &w, acceleration), TAC_OK, "mean accelerations are there");
    const double mean = ((double)look(4).velocity - (double)before.velocity) * 1e3;
    tap_near(acceleration[4], mean, TOL(1e-8, 2e-2), "and are those of the step, rad/s2");
    tap_near((double)w.report.kinetic + (double)w.report.potential, energy(), TOL(1e-9, 1e-2), "energies too, J");
    tap_equal(s.step, 101, "it has been counted");
    for (int i = 0; i < 10; i++) {
        if (tac_step(&m, &s, NULL, &w) != TAC_OK) { tap_ok(0, "a step of the cone program"); }
    }
    tap_most(w.report.joint_error, TOL(1e-12, 1e-6), "steps of the cone program follow, m");
    steps(10);
    tap_most(dae.error, TOL(1e-12, 1e-6), "and smooth ones again, m");
}

// Few iterations: the step is taken and says so.
static void test_unconverged(void)
{
    hinge();
    m.h = (tac_real)0.1;
    m.body[1].velocity.w.y = 4, m.body[1].velocity.v.z = (tac_real)(-4 * ARM);
    begin_world(&m, &s);
    dae.max_iterations = 1;
    tap_equal(step(), TAC_UNCONVERGED, "one iteration is too few");
    tap_ok(!dae.converged && dae.iterations == 1 && dae.residual > 0, "it says so");
    dae.max_iterations = 100;
    tap_equal(step(), TAC_OK, "more are enough");
    tap_ok(dae.converged && dae.iterations > 1, "and say so");
}

int main(void)
{
    for (int which = 0; which < MOTIONS; which++) {
        for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) { test_order(which, method); }
    }
    test_damped();
    test_oscillator_energy();
    for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) {
        test_momentum(method);
        test_stiff(method);
        test_rotor(method);
        for (int kind = 0; kind < 3; kind++) { test_springs(kind, method); }
        test_stop_lets_go(method);
        test_gear(method);
        test_driven(method);
        test_snapshot(method);
        if (method != TAC_DAE_EULER_LINEARISED) { test_off(method); }
    }
    test_chain(TAC_DAE_HHT, TOL(4e-6, 1e-5));
    test_chain(TAC_DAE_GENERALISED_ALPHA, TOL(4e-6, 1e-5));
    test_chain(TAC_DAE_EULER, 5e-3);
    test_solvers(TAC_DAE_HHT);
    test_solvers(TAC_DAE_EULER);
    test_loop(TAC_DAE_HHT, TAC_DAE_SPARSE);
    test_loop(TAC_DAE_HHT, TAC_DAE_MINRES);
    test_loop(TAC_DAE_GENERALISED_ALPHA, TAC_DAE_SPARSE);
    test_loop(TAC_DAE_EULER, TAC_DAE_SPARSE);
    for (uint32_t seed = 1; seed <= RUN(40, 10); seed++) { test_random(seed); }
    test_scale(1024, 64);
    test_scale(1.0 / 1024, 1.0 / 64);
    test_refused();
    test_arguments();
    test_unconverged();
    test_unreachable(TAC_DAE_EULER_PROJECTED);
    test_unreachable(TAC_DAE_HHT);
    test_after();
    return tap_done();
}
