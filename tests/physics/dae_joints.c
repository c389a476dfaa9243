// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The smooth integrators of TCE17 on joints: chains, loops, random mechanisms, momenta.
#include "dae.h"

// ------------------------------------------------------------------------------------------------ chains and loops

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

int main(void)
{
    for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) { test_momentum(method); }
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
    return tap_done();
}
