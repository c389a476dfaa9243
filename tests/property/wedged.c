// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// Links that joints wedge: a ball at the end of two hinges presses on a face of the base, and the line of its force
// through both hinges lies in the cone of friction. No force along this line does any work, so friction jams the leg
// for any load, and only second-order terms can contradict it: the robot tumbles and falls, so that its joints lie on
// arcs. In all steps together:
//   all but a few of a thousand are solved, in float all but one of a hundred; no impulse is beyond all proportion to
//   what acts on the robot; energy does not rise.
#include "begin.h"
#include "tap.h"
#include "wild.h"

enum { WORLDS = RUN(60, 4), STEPS = RUN(400, 100) };

static tac_model m;
static tac_state s;
static tac_work w;

static d3 spin; // of the whole robot, about the origin

static uint16_t add_body(double mass, double reach, d3 p)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(p));
    const tac_real inertia = (tac_real)(0.4 * mass * reach * reach);
    b.mass = (tac_real)mass;
    b.inertia = (tac_vec3){inertia, inertia, inertia};
    b.velocity = (tac_twist){d3_to(d3_cross(spin, p)), d3_to(spin)};
    return (uint16_t)tac_model_add_body(&m, &b);
}

static void add_shape(uint16_t body, uint8_t kind, d3 size, d3 p, dq q)
{
    tac_shape x = tac_shape_make(body, kind, d3_to(size));
    x.pose = (tac_pose){d3_to(p), dq_to(q)};
    tac_model_add_shape(&m, &x);
}

// A hinge at this point of the world, of bodies whose centres are at p and q.
static void add_hinge(uint16_t a, uint16_t b, d3 at, d3 p, d3 q, dq axis)
{
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, a, b);
    j.frame_a = (tac_pose){d3_to(d3_sub(at, p)), dq_to(axis)};
    j.frame_b = (tac_pose){d3_to(d3_sub(at, q)), dq_to(axis)};
    tac_model_add_joint(&m, &j);
}

// The face looks along x of a random frame at a random place of the base; the line of force leans from x.
static void add_leg(rng *r, uint16_t base)
{
    const dq q = rng_quat(r);
    const d3 at = rng_box(r, 0.3), n = dq_rotate(q, d3_make(1, 0, 0));
    const d3 line = dq_rotate(q, d3_make(1, rng_range(r, -0.4, 0.4), rng_range(r, -0.4, 0.4)));
    const double radius = rng_range(r, 0.03, 0.08), overlap = rng_range(r, 0.0005, 0.004), thick = 0.05;
    const d3 first = d3_add(at, d3_scale(rng_range(r, 0.05, 0.1), line)),
             second = d3_add(at, d3_scale(rng_range(r, 0.12, 0.3), line)), hip_at = d3_add(first, rng_box(r, 0.05)),
             leg_at = d3_add(second, rng_box(r, 0.2)), ball = d3_add(at, d3_scale(radius - 0.5 * overlap, n)),
             face = d3_sub(at, d3_scale(thick - 0.5 * overlap, n));
    const uint16_t hip = add_body(rng_range(r, 0.5, 2), 0.05, hip_at), leg = add_body(rng_range(r, 1, 3), 0.2, leg_at);
    add_hinge(base, hip, first, d3_make(0, 0, 0), hip_at, rng_quat(r));
    add_hinge(hip, leg, second, hip_at, leg_at, rng_quat(r));
    add_shape(base, TAC_BOX, d3_make(thick, 0.1, 0.1), face, q);
    add_shape(leg, TAC_SPHERE, d3_make(radius, 0, 0), d3_sub(ball, leg_at), (dq){1, 0, 0, 0});
    for (int i = m.shapes - 2; i < m.shapes; i++) { m.shape[i].group = m.shape[i].mask = (uint16_t)(1u << leg % 16); }
}

static void build(rng *r, uint8_t law)
{
    const uint32_t legs = 1 + rng_below(r, 4);
    tac_model_init(&m);
    m.h = (tac_real)1e-3;
    m.options.friction = law;
    tac_model_add_material(&m, (tac_real)0.8, 0);
    spin = rng_box(r, 4);
    const uint16_t base = add_body(rng_range(r, 8, 24), 0.25, d3_make(0, 0, 0));
    for (uint32_t i = 0; i < legs; i++) { add_leg(r, base); }
    wild_numbers(&m, NULL, r);
    begin_world(&m, &s);
}

static double energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

// What a step changes the momenta of all bodies by, at most, as long as nothing but weight and their spin acts.
static double push(void)
{
    double mass = 0;
    for (int i = 1; i < m.bodies; i++) { mass += (double)m.body[i].mass; }
    return mass * (9.81 + d3_dot(spin, spin)) * (double)m.h;
}

typedef struct tally {
    int refused, unsolved, bears;
    double most, rise; // largest impulse, in pushes; largest rise of energy in a step, J
} tally;

static void look(double before, double scale, tally *t)
{
    t->unsolved += (w.report.status & TAC_UNCONVERGED) != 0;
    for (int i = 0; i < w.report.contacts; i++) {
        t->most = d_max(t->most, d3_norm(d3_of(w.contact[i].impulse)) / scale);
        t->bears += w.contact[i].impulse.x > 0;
    }
    t->rise = d_max(t->rise, energy() - before);
}

static tally run(uint32_t seed, uint8_t law)
{
    rng r = {seed};
    tally t = {0, 0, 0, 0, 0};
    build(&r, law);
    for (int k = 0; k < STEPS; k++) {
        const double before = energy();
        t.refused += tac_step(&m, &s, NULL, &w) < 0;
        look(before, push(), &t);
    }
    return t;
}

static void test_law(uint8_t law)
{
    tally all = {0, 0, 0, 0, 0};
    uint32_t worst = 1, largest = 1;
    int unsolved = 0;
    for (uint32_t seed = 1; seed <= WORLDS; seed++) {
        const tally t = run(seed, law);
        all.refused += t.refused, all.unsolved += t.unsolved, all.bears += t.bears;
        worst = t.unsolved > unsolved ? seed : worst;
        unsolved = t.unsolved > unsolved ? t.unsolved : unsolved;
        largest = t.most > all.most ? seed : largest;
        all.most = d_max(all.most, t.most);
        all.rise = d_max(all.rise, t.rise);
    }
    tap_note("seed of the world with the most unsolved steps", worst);
    tap_note("of the largest impulse", largest);
    tap_equal(all.refused, 0, "no step is refused");
    tap_least(all.bears, WORLDS * STEPS / 2, "legs are wedged: contacts that bear a force");
    tap_most(all.unsolved, WORLDS * STEPS / (TAC_REAL_BITS == 32 ? 100 : 200), "steps that are not solved");
    tap_most(all.most, 2e4, "the largest impulse, of what acts on the robot");
    tap_most(all.rise, TOL(1e-9, 1e-3), "energy does not rise in a step, J");
}

int main(void)
{
    test_law(TAC_FRICTION_EXACT);
    test_law(TAC_FRICTION_RELAXED);
    return tap_done();
}
