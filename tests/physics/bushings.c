// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Bushings: six soft rows that give way by what is asked, swing, weld, and keep momentum.
#include "driving.h"

static tac_joint *add_bushing(uint16_t a, uint16_t b, double along, double about, double damping)
{
    tac_joint *j = add_joint(TAC_BUSHING, a, b);
    const tac_real k = (tac_real)along, c = (tac_real)about, d = (tac_real)damping;
    j->along = (tac_vec3){k, 2 * k, 3 * k};
    j->about = (tac_vec3){c, 2 * c, 3 * c};
    j->along_damping = (tac_vec3){d * k, d * 2 * k, d * 3 * k};
    j->about_damping = (tac_vec3){d * c, d * 2 * c, d * 3 * c};
    return j;
}

// Pushed along each axis and turned about one, far: it gives way by what is asked, and says so.
static void test_deflection(uint8_t solver, double size)
{
    const double mass = size * size * size, spin = 0.1 * mass * size * size, k = 500 * mass,
                 c = 40 * mass * size * size;
    begin(solver, 1e-3, 0.0);
    add_body(0, 0, mass, spin);
    add_bushing(0, 1, k, c, 0.05);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] =
        (tac_action){{(tac_real)(k * 0.02 * size), (tac_real)(k * 0.1 * size), (tac_real)(k * -0.3 * size)},
                     {0, (tac_real)(c * 1.4), 0},
                     {0, 0, 0},
                     1,
                     TAC_WRENCH_WORLD};
    run(3000);
    const d3 p = d3_scale(1 / size, d3_of(s.pose[1].p));
    const double turn = (double)s.pose[1].q.y / d_sin(0.35);
    const double most = solver == TAC_SOLVER_DIRECT ? TOL(1e-9, 2e-6) : TOL(1e-6, 1e-4);
    tap_near(p.x, 0.02, most, tap_numbered("a bushing gives way along x; size, m:", size));
    tap_near(p.y, 0.05, most, "along y, where it is twice as stiff");
    tap_near(p.z, -0.1, most, "along z, thrice");
    tap_near(turn, 1, most, "and turns by 0.7 rad");
    tac_reactions(&m, &w);
    tap_near((double)w.joint[0].force.z / (k * size), 0.3, TOL(1e-7, 1e-4), "with the force that it says");
    tap_near((double)w.joint[0].torque.y / c, -1.4, TOL(1e-7, 1e-4), "and the torque");
}

// Frequency and decay: 2 kg on 800 N/m, 20 rad/s; 0.1 kg m2 on 40 N m/rad. Of critical damping, 0.02.
static void test_swing(int turn)
{
    const double damped = 20 * d_sqrt(1 - 0.02 * 0.02), h = 1e-4;
    double first = 0.0, at = 0.0, last = 1.0, most = 0.0;
    int crossed = 0;
    begin(TAC_SOLVER_DIRECT, h, 0.0);
    add_body(0, 0, 2, 0.1);
    if (turn) {
        m.body[1].velocity.w.x = 1;
    } else {
        m.body[1].velocity.v.x = 1;
    }
    add_bushing(0, 1, 800, 40, 2 * 0.02 / 20);
    begin_world(&m, &s);
    for (int i = 1; crossed < 20; i++) {
        run(1);
        const double now = (double)(turn ? 2 * s.pose[1].q.x : s.pose[1].p.x);
        if (crossed >= 18) { most = d_max(most, d_abs(now)); }
        if (now * last < 0.0) {
            at = h * (i - now / (now - last));
            if (crossed++ == 0) { first = at; }
        }
        last = now;
    }
    tap_near((at - first) * damped / (19 * TRUTH_PI), 1, 2e-5,
             turn ? "turning too" : "a bushing swings at its frequency");
    tap_near(most, 0.05 * 0.31, 1e-3, "and decays as its damper wants"); // exp(-0.02 * 18.5 pi)
}

// Stiffer and stiffer: in the limit a weld, whatever the mass at its end.
static void test_weld(double stiffness, double most)
{
    tac_vec3 place[2];
    double fastest = 0.0;
    for (int soft = 0; soft < 2; soft++) {
        begin(TAC_SOLVER_DIRECT, 1e-3, 9.81);
        for (uint16_t i = 1; i <= 2; i++) {
            add_body(0.4 * i, 0, i == 1 ? 1 : 100, i == 1 ? 0.01 : 1)->velocity.w.z = 1;
            m.body[i].velocity.v.y = (tac_real)(0.4 * i);
        }
        tac_joint *j = soft ? add_bushing(1, 2, stiffness, stiffness, 0) : add_joint(TAC_FIXED, 1, 2);
        j->frame_a.p.x = (tac_real)0.4;
        begin_world(&m, &s);
        for (int i = 0; i < 500; i++) {
            run(1);
            if (soft) { fastest = d_max(fastest, d3_norm(d3_of(s.twist[1].w))); }
        }
        place[soft] = s.pose[1].p;
    }
    tap_near(fastest, 1, most, tap_numbered("a stiff bushing stays quiet; N/m:", stiffness));
    tap_most(d3_norm(d3_sub(d3_of(place[0]), d3_of(place[1]))), most, "and holds as a weld does, m");
}

// A stack on stiff rubber: 1 kg carried by 1e9 N/m, in every solver; between free bodies it keeps momentum.
static void test_stiff(uint8_t solver)
{
    begin(solver, 1e-3, 10.0);
    add_body(0, 0, 1, 0.1);
    add_bushing(0, 1, 1e9, 1e9, 0)->frame_b.p.x = (tac_real)-0.2;
    m.joint[0].frame_a.p.x = (tac_real)-0.2;
    begin_world(&m, &s);
    run(100);
    tap_most(d3_norm(d3_of(s.pose[1].p)), TOL(1e-8, 2e-7), "1e9 N/m under 1 kg is quiet, m");
    tac_reactions(&m, &w);
    tap_near((double)w.joint[0].force.z, 10, TOL(1e-5, 1e-2), "it carries the weight, N");
    tap_near((double)w.joint[0].torque.y, -2, TOL(1e-5, 1e-2), "and its moment, N m");
}

static void test_bushing_momentum(void)
{
    double moved = 0.0;
    tac_vec3 p0, l0, p, l;
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    for (uint16_t i = 1; i <= 2; i++) {
        tac_body *b = add_body(0.4 * i, 0, i, 0.02 * i);
        b->inertia.y *= (tac_real)1.4;
        b->velocity = (tac_twist){{0, (tac_real)(0.5 * i), 1}, {1, (tac_real)(i - 1.5), (tac_real)0.5}};
    }
    add_bushing(1, 2, 200, 2, 0.01)->frame_b.p.x = (tac_real)-0.4;
    begin_world(&m, &s);
    tac_momentum(&m, &s, &p0, &l0);
    for (int i = 0; i < 1000; i++) {
        run(1);
        tac_momentum(&m, &s, &p, &l);
        d_worst(&moved, d3_norm(d3_sub(d3_of(p), d3_of(p0))) / d3_norm(d3_of(p0)));
        d_worst(&moved, d3_norm(d3_sub(d3_of(l), d3_of(l0))) / d3_norm(d3_of(l0)));
    }
    tap_most(moved, TOL(1e-10, 2e-5), "a bushing between free bodies keeps momentum");
}

int main(void)
{
    test_deflection(TAC_SOLVER_DIRECT, 1);
    test_deflection(TAC_SOLVER_DIRECT, 1e-3);
    test_deflection(TAC_SOLVER_DIRECT, 100);
    test_deflection(TAC_SOLVER_ACCELERATED, 1);
    test_swing(0);
    test_swing(1);
    test_weld(1e8, TOL(1e-3, 1e-3));
    test_weld(1e12, TOL(1e-6, 1e-3));
    test_stiff(TAC_SOLVER_DIRECT);
    test_stiff(TAC_SOLVER_ACCELERATED);
    test_bushing_momentum();
    return tap_done();
}
