// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The smooth integrators of TCE17: what they damp, what an oscillator keeps, springs that are stiff.
#include "dae.h"

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

int main(void)
{
    test_damped();
    test_oscillator_energy();
    for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) { test_stiff(method); }
    return tap_done();
}
