// SPDX-License-Identifier: MIT
// config: robots
// Loops that are nearly stretched, of bars with springs, dampers, dry friction, rotors, limits and motors of limited
// effort, from a millimetre to a hundred metres, masses from grams to tonnes. Where a loop is stretched its joints ask
// for unbounded velocities, and the motion that is left may lead nowhere. After each step:
//   kinetic energy, that of rotors included, has risen by no more than gravity, motors and springs have supplied;
//   no motor exceeds its limit; joints hold, or the step is not called solved; no step is refused.
#include "begin.h"
#include "wild.h"

enum { WORLDS = RUN(800, 20), STEPS = 60, JAMMED = 400 };

static tac_model m;
static tac_state s, before;
static tac_work w;
static tac_input input;

// --------------------------------------------------------------------------------------------------------- the worlds

// What acts along a hinge of bars of this mass and length.
static void drive(rng *r, tac_joint *j, double mass, double length)
{
    const double h = (double)m.h, inertia = mass * length * length, effort = 10 * mass * length;
    if (rng_below(r, 4) == 0) {
        j->lower = (tac_real)rng_range(r, -0.5, 0);
        j->upper = (tac_real)rng_range(r, 0, 0.5);
    }
    if (rng_below(r, 4) == 0) { j->friction = (tac_real)(effort * octave_range(r, 0.01, 10)); }
    if (rng_below(r, 4) == 0) { j->damping = (tac_real)(inertia / h * octave_range(r, 1e-4, 10)); }
    if (rng_below(r, 3) == 0) { j->armature = (tac_real)(inertia * octave_range(r, 1e-3, 1e3)); }
    if (rng_below(r, 3) != 0) { return; }
    j->stiffness = (tac_real)(inertia / (h * h) * octave_range(r, 1e-5, 0.1));
    j->rest = (tac_real)rng_range(r, -0.5, 0.5);
}

static void add_motor(rng *r, int32_t joint, double mass, double length)
{
    const double h = (double)m.h, inertia = mass * length * length, rate = d_sqrt(10 / length);
    tac_motor *a = &input.motor[input.motors++];
    *a = (tac_motor){(tac_real)rng_range(r, -0.5, 0.5),
                     (tac_real)(rate * rng_range(r, -1, 1)),
                     0,
                     (tac_real)(inertia / (h * h) * octave_range(r, 1e-4, 1)),
                     (tac_real)(inertia / h * octave_range(r, 1e-3, 1)),
                     (uint16_t)joint,
                     (uint8_t)(TAC_MOTOR_PD + rng_below(r, 3))};
    m.joint[joint].effort = (tac_real)(10 * mass * length * octave_range(r, 0.01, 100));
}

static void add_joint(rng *r, uint8_t kind, uint16_t a, uint16_t b, d3 at, dq q, double mass, double length)
{
    tac_joint j;
    wild_turn(r, &a, &b);
    tac_joint_init(&j, kind, a, b);
    j.frame_a = seen_from(&m, a, at, q);
    j.frame_b = seen_from(&m, b, at, q);
    if (kind == TAC_REVOLUTE) { drive(r, &j, mass, length); }
    const int32_t joint = tac_model_add_joint(&m, &j);
    if (kind == TAC_REVOLUTE && rng_below(r, 5) == 0) { add_motor(r, joint, mass, length); }
}

static uint16_t add_bar(rng *r, d3 from, d3 to, double mass, int moves)
{
    const d3 half = d3_scale(0.5, d3_add(from, to));
    const double length = d3_norm(d3_sub(to, from)), k = mass * length * length * rng_range(r, 0.1, 0.5);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(half));
    b.mass = (tac_real)mass;
    b.inertia = vec(k * rng_range(r, 0.6, 1), k * rng_range(r, 0.6, 1), k * rng_range(r, 0.6, 1));
    b.pose.q = dq_to(rng_quat(r));
    wild_moments(r, &b);
    const double v = moves ? d_sqrt(10 * length) : 0;
    b.velocity = (tac_twist){d3_to(rng_box(r, v)), d3_to(rng_box(r, v / length))};
    return (uint16_t)tac_model_add_body(&m, &b);
}

// Places along a line, some back, that are off it by up to `off`; the ends are on it.
static uint32_t random_pins(rng *r, double length, dq turn, d3 *pin)
{
    const uint32_t bars = 2 + rng_below(r, 3);
    const double off = length * octave_range(r, TOL(1e-10, 1e-5), 0.3);
    double x = 0;
    pin[0] = d3_make(0, 0, 0);
    for (uint32_t i = 1; i <= bars; i++) {
        x += length * rng_range(r, 0.3, 1) * (i > 1 && rng_below(r, 4) == 0 ? -1 : 1);
        pin[i] = dq_rotate(turn, d3_make(x, i < bars ? off * rng_range(r, -1, 1) : 0, 0));
    }
    return bars;
}

static void couple(rng *r)
{
    uint16_t found[2] = {TAC_NONE, TAC_NONE};
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].kind != TAC_REVOLUTE) { continue; }
        found[0] = found[1];
        found[1] = (uint16_t)i;
    }
    if (found[0] == TAC_NONE) { return; }
    tac_joint j;
    tac_joint_init(&j, TAC_COUPLING, found[0], found[1]);
    j.length = (tac_real)((rng_below(r, 2) ? 1 : -1) * octave_range(r, 0.1, 10));
    j.lower = j.upper = 0;
    tac_model_add_joint(&m, &j);
}

// Returns the length of its bars, about.
static double random_loop(rng *r)
{
    static const uint8_t KIND[] = {TAC_REVOLUTE, TAC_REVOLUTE,  TAC_REVOLUTE,  TAC_REVOLUTE,
                                   TAC_REVOLUTE, TAC_SPHERICAL, TAC_UNIVERSAL, TAC_PRISMATIC};
    const double length = octave_range(r, 1e-3, 100), mass = octave_range(r, 1e-3, 1e3),
                 spread = rng_below(r, 2) ? 1 : 100;
    const dq turn = rng_quat(r);
    const int moves = rng_below(r, 2) == 0;
    uint16_t last = 0;
    d3 pin[6];
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)(d_sqrt(length / 10) * octave_range(r, 1e-3, 0.03));
    m.gravity = d3_to(rng_box(r, rng_below(r, 4) ? 10 : 0));
    m.options.solver = (uint8_t)(rng_below(r, 4) ? TAC_SOLVER_ACCELERATED : TAC_SOLVER_DIRECT);
    const uint32_t bars = random_pins(r, length, turn, pin);
    for (uint32_t i = 0; i < bars; i++) {
        const double own = mass * octave_range(r, 1, spread);
        const uint16_t bar = add_bar(r, pin[i], pin[i + 1], own, moves);
        const uint8_t kind = KIND[rng_below(r, sizeof KIND)];
        add_joint(r, kind, last, bar, pin[i], kind == TAC_REVOLUTE ? turn : rng_quat(r), mass, length);
        last = bar;
    }
    add_joint(r, rng_below(r, 3) ? TAC_REVOLUTE : TAC_SPHERICAL, last, 0, pin[bars], turn, mass, length);
    if (rng_below(r, 2)) { couple(r); }
    if (wild_root(r)) { add_bar(r, d3_make(0, 5 * length, 0), d3_make(length, 5 * length, 0), mass, moves); }
    wild_lead(&m, r);
    wild_numbers(&m, &input, r);
    return length;
}

// ------------------------------------------------------------------------------------------------------- what is kept

// Kinetic energy, rotors included; that of springs.
typedef struct energies {
    double kinetic, springs;
} energies;

static energies energies_of(const tac_state *x)
{
    tac_real kinetic;
    tac_energy(&m, x, &kinetic, NULL);
    energies e = {(double)kinetic, 0};
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        tac_joint_state q;
        if (j->kind != TAC_REVOLUTE || tac_state_get_joint(&m, x, i, &q) != TAC_OK) { continue; }
        const double way = (double)q.position - (double)j->rest, rate = (double)q.velocity;
        e.kinetic += 0.5 * (double)j->armature * rate * rate;
        e.springs += 0.5 * (double)j->stiffness * way * way;
    }
    return e;
}

// Work of gravity and of motors in the last step, where it is positive.
static double supplied(void)
{
    double sum = 0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 v = d3_scale(0.5, d3_add(d3_of(before.twist[i].v), d3_of(s.twist[i].v)));
        sum += (double)m.h * (double)m.body[i].mass * d3_dot(d3_of(m.gravity), v);
    }
    return d_max(0, sum) + work_of_motors(&m, &before, &s, &w, &input).in;
}

// The worst joint, over the length of a bar: how far apart, rotations about another axis than its own.
static double apart(double length)
{
    double worst = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        if (j->kind == TAC_COUPLING) { continue; }
        d_worst(&worst, joint_gap(&m, &s, j) / length);
        if (j->kind != TAC_REVOLUTE) { continue; }
        d3 z[2];
        for (int side = 0; side < 2; side++) {
            const dq own = dq_of(side ? j->frame_b.q : j->frame_a.q);
            const tac_pose at = tac_state_get_pose(&m, &s, side ? j->body_b : j->body_a);
            z[side] = dq_rotate(dq_mul(dq_of(at.q), own), d3_make(0, 0, 1));
        }
        d_worst(&worst, d3_norm(d3_cross(z[0], z[1])));
    }
    return worst;
}

// A kinetic energy that is no more than rounding, or than gravity gives a body at rest in a step.
static double least(double length)
{
    const double h = (double)m.h, fall = h * d3_norm(d3_of(m.gravity)), speed = TOL(1e-9, 1e-3) * length / h;
    double sum = 0;
    for (uint16_t i = 1; i < m.bodies; i++) { sum += 0.5 * (double)m.body[i].mass * (fall * fall + speed * speed); }
    return sum;
}

typedef struct tally {
    double created, apart, effort;
    uint64_t created_at, apart_at, effort_at;
    int refused, solved;
} tally;

static void judge(tally *t, uint64_t seed, double length, int solved)
{
    const energies from = energies_of(&before), to = energies_of(&s);
    // a spring may go to its mirror image
    const double rise = to.kinetic - from.kinetic - supplied() - 4 * from.springs;
    worst_at(&t->created, &t->created_at, d_max(0, rise) / (least(length) + from.kinetic + to.kinetic), seed);
    for (uint32_t i = 0; i < input.motors; i++) {
        const uint16_t joint = input.motor[i].joint;
        const double most = (double)m.joint[joint].effort, effort = (double)w.joint[joint].effort[TAC_EFFORT_MOTOR];
        worst_at(&t->effort, &t->effort_at, d_max(0, d_abs(effort) / most - 1), seed);
    }
    if (!solved) { return; }
    t->solved++;
    worst_at(&t->apart, &t->apart_at, apart(length), seed);
}

static void run(uint64_t seed, tally *t)
{
    rng r = {seed * UINT64_C(0xd1342543de82ef95)};
    const double length = random_loop(&r);
    begin_world(&m, &s);
    for (int i = 0; i < STEPS; i++) {
        before = s;
        const tac_status status = tac_step(&m, &s, &input, &w);
        t->refused += status < 0;
        judge(t, seed, length, status == TAC_OK);
    }
}

static void test_random(void)
{
    tally t = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) { run(seed, &t); }
    tap_equal(t.refused, 0, "each step is taken");
    tap_note_hex("seed of the most energy", t.created_at);
    tap_most(t.created, 0.1, "kinetic energy beyond what is supplied, of all");
    tap_note_hex("seed of the largest effort", t.effort_at);
    tap_most(t.effort, TOL(1e-12, 1e-6), "no motor exceeds its limit");
    tap_note_hex("seed of the joint farthest apart", t.apart_at);
    tap_most(t.apart, TOL(1e-10, 1e-3), "joints hold where a step is solved");
    tap_note("steps solved, of all", (double)t.solved / (WORLDS * STEPS));
    tap_least(t.solved, WORLDS * STEPS / 2, "as most are");
}

// ---------------------------------------------------------------------------------------------------------- a dead end

// Two bars between two pins on the ground, all but stretched: nothing can move. A spring pushes all the same.
static void test_jammed(void)
{
    rng r = {1};
    double most = 0;
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.gravity = vec(0, 0, 0);
    const double off = TOL(1e-10, 1e-6);
    const d3 pin[3] = {{0, 0, 0}, {1, off, 0}, {2, 0, 0}};
    const dq turn = {1, 0, 0, 0};
    tac_joint j;
    for (uint16_t i = 0; i < 2; i++) {
        add_bar(&r, pin[i], pin[i + 1], 1, 0);
        tac_joint_init(&j, TAC_REVOLUTE, i, (uint16_t)(i + 1));
        j.frame_a = seen_from(&m, i, pin[i], turn);
        j.frame_b = seen_from(&m, (uint16_t)(i + 1), pin[i], turn);
        if (i == 0) { j.stiffness = 100, j.rest = (tac_real)0.3; }
        tac_model_add_joint(&m, &j);
    }
    tac_joint_init(&j, TAC_SPHERICAL, 2, 0);
    j.frame_a = seen_from(&m, 2, pin[2], turn);
    j.frame_b = seen_from(&m, 0, pin[2], turn);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    for (int i = 0; i < JAMMED; i++) {
        tac_step(&m, &s, &input, &w);
        d_worst(&most, energies_of(&s).kinetic);
    }
    tap_most(most, 0.5 * 100 * 0.3 * 0.3, "a spring that moves nothing gives no more energy than it has, J");
}

int main(void)
{
    test_random();
    test_jammed();
    return tap_done();
}
