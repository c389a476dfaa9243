// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// Spinning and rolling resistance of a ball of 1 m and 1 kg, by every solver under both laws: what rolls and spins
// slows down as it should, comes to rest and stays there; on a slope it holds up to tan = rolling/r; drilling takes
// from friction what the ellipsoid says, against the differential equation; energy only falls; no scale is special.
#include "begin.h"
#include "truth.h"

static const double G = 9.81, MU = 0.5;

static tac_model m;
static tac_state state;
static tac_work w;

// What the tests go through.
enum { METHODS = 6 };
static const char *const method_name[METHODS] = {
    "accelerated, exact law:", "accelerated, relaxed law:", "plain, exact law:",
    "plain, relaxed law:",     "direct, exact law:",        "direct, relaxed law:"};

// A ball of radius r that touches the plane; gravity is turned by an angle of this tangent towards x.
static void ball(int method, double r, double spinning, double rolling, double slope)
{
    static const uint8_t solver[3] = {TAC_SOLVER_ACCELERATED, TAC_SOLVER_PLAIN, TAC_SOLVER_DIRECT};
    const double c = 1.0 / d_sqrt(1.0 + slope * slope), inertia = 0.4 * r * r;
    tac_model_init(&m);
    m.gravity = vec(G * slope * c, 0, -G * c);
    m.options.solver = solver[method / 2];
    m.options.friction = method % 2 == 0 ? TAC_FRICTION_EXACT : TAC_FRICTION_RELAXED;
    tac_model_add_material(&m, (tac_real)MU, 0);
    m.material[0].spinning = (tac_real)spinning;
    m.material[0].rolling = (tac_real)rolling;
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, r));
    b.inertia = vec(inertia, inertia, inertia);
    tac_model_add_body(&m, &b);
    const tac_shape s = tac_shape_make(1, TAC_SPHERE, vec(r, 0, 0));
    tac_model_add_shape(&m, &s);
}

// Slip of the ball's lowest point along x and y, and its rate times the semi-axes of the set.
static double slip(d3 v, d3 rate, double r, d3 *along, d3 *turn)
{
    const double en = (double)m.material[0].spinning / MU, et = (double)m.material[0].rolling / MU;
    *along = d3_make(v.x - r * rate.y, v.y + r * rate.x, 0);
    *turn = d3_make(et * rate.x, et * rate.y, en * rate.z);
    return d_sqrt(d3_dot(*along, *along) + d3_dot(*turn, *turn));
}

// Under the relaxed law what slides rides at a gap of h mu times its slip; it starts there.
static void moving(d3 v, d3 rate)
{
    d3 along, turn;
    tac_body *b = &m.body[1];
    if (m.options.friction == TAC_FRICTION_RELAXED) {
        b->pose.p.z += (tac_real)((double)m.h * MU * slip(v, rate, (double)b->pose.p.z, &along, &turn));
    }
    b->velocity = (tac_twist){d3_to(v), d3_to(rate)};
    begin_world(&m, &state);
}

static double kinetic(d3 kick)
{
    const d3 v = d3_add(d3_of(state.twist[1].v), kick), rate = d3_of(state.twist[1].w);
    return 0.5 * (d3_dot(v, v) + (double)m.body[1].inertia.x * d3_dot(rate, rate));
}

// Steps; returns the most energy that a contact has added in a step, relative to what there was at first.
static double run(double seconds)
{
    const d3 none = {0, 0, 0}, kick = d3_scale((double)m.h, d3_of(m.gravity));
    const double first = kinetic(kick);
    double rise = 0.0;
    for (uint32_t k = (uint32_t)(seconds / (double)m.h + 0.5); k > 0; k--) {
        const double before = kinetic(kick);
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
        if (tac_check(&m, &state, &w, NULL) != TAC_OK) { tap_ok(0, "an invariant is broken"); }
        d_worst(&rise, d_max(0.0, kinetic(none) - before) / first);
    }
    return rise;
}

// --------------------------------------------------------------------------------------------------------------- truth

typedef struct motion {
    d3 v, rate; // m/s, rad/s
} motion;

// The ball's acceleration: impulses along and about n, u, w on the rim of the set, against the slip.
static motion pull(motion a, double r)
{
    d3 along, turn;
    const double en = (double)m.material[0].spinning / MU, et = (double)m.material[0].rolling / MU;
    const double s = MU * (double)m.gravity.z / slip(a.v, a.rate, r, &along, &turn);
    const d3 force = d3_scale(s, along), torque = d3_make(s * et * turn.x, s * et * turn.y, s * en * turn.z);
    const d3 arm = d3_make(force.y * r, -force.x * r, 0); // (0, 0, -r) x force
    return (motion){d3_add(force, d3_make((double)m.gravity.x, 0, 0)),
                    d3_scale(1.0 / (0.4 * r * r), d3_add(arm, torque))};
}

static motion ahead(motion a, double dt, motion rate)
{
    return (motion){d3_add(a.v, d3_scale(dt, rate.v)), d3_add(a.rate, d3_scale(dt, rate.rate))};
}

// Runge and Kutta's method.
static motion truth(motion a, double r, double seconds)
{
    const int steps = 4000;
    const double dt = seconds / steps;
    for (int i = 0; i < steps; i++) {
        const motion k1 = pull(a, r);
        const motion k2 = pull(ahead(a, 0.5 * dt, k1), r);
        const motion k3 = pull(ahead(a, 0.5 * dt, k2), r);
        const motion k4 = pull(ahead(a, dt, k3), r);
        a = ahead(ahead(ahead(ahead(a, dt / 6, k1), dt / 3, k2), dt / 3, k3), dt / 6, k4);
    }
    return a;
}

// --------------------------------------------------------------------------------------------------------------- tests

// Rolling at 2 m/s over 0.02 m: a = g rho r / (r^2 + I/m). Spinning at 5 rad/s: m g rho / I.
static void test_known(int method)
{
    ball(method, 1, 0, 0.02, 0);
    moving(d3_make(2, 0, 0), d3_make(0, 2, 0));
    const double rolled = run(2);
    tap_note("v after 2 s, m/s", state.twist[1].v.x);
    tap_near((double)state.twist[1].v.x / 1.71971, 1.0, 1e-3, tap_joined(method_name[method], " rolls"));
    ball(method, 1, 0.02, 0, 0);
    moving(d3_make(0, 0, 0), d3_make(0, 0, 5));
    const double spun = run(2);
    tap_note("rate after 2 s, rad/s", state.twist[1].w.z);
    tap_near((double)state.twist[1].w.z / 4.0190, 1.0, 1e-5, tap_joined(method_name[method], " spins"));
    tap_most(d_max(rolled, spun), TOL(1e-15, 2e-7), tap_joined(method_name[method], " no energy is gained"));
}

// The ellipsoid shares what friction there is: a ball that slides, rolls and drills at once.
static void test_coupled(int method)
{
    const double r = 1, spinning = 0.3, rolling = 0.1, seconds = 0.25;
    const motion first = {{3, 1, 0}, {0.5, 1, 6}};
    ball(method, r, spinning, rolling, 0);
    m.h = (tac_real)1e-4;
    moving(first.v, first.rate);
    run(seconds);
    const motion end = truth(first, r, seconds);
    const d3 v = d3_sub(d3_of(state.twist[1].v), end.v), rate = d3_sub(world_rate(&state, 1), end.rate);
    tap_note("error of the velocity, m/s", d3_norm(d3_make(v.x, v.y, 0)));
    tap_note("error of the rate, rad/s", d3_norm(rate));
    tap_most(d3_norm(d3_make(v.x, v.y, 0)), 1e-3, tap_joined(method_name[method], " slides and drills: velocity"));
    tap_most(d3_norm(rate), 1e-3, tap_joined(method_name[method], " slides and drills: rate"));
}

// It stops, without turning back, and stays where it is.
static void test_rest(int method)
{
    double back = 0.0;
    ball(method, 1, 0.05, 0.1, 0);
    moving(d3_make(0.5, 0.2, 0), d3_make(-0.2, 0.5, 1));
    for (int k = 0; k < 1500; k++) {
        run(1e-3);
        d_worst(&back, d_max(0.0, -(double)state.twist[1].v.x) + d_max(0.0, -world_rate(&state, 1).z));
    }
    const d3 place = d3_of(state.pose[1].p);
    run(1);
    const double crept = d3_norm(d3_sub(d3_of(state.pose[1].p), place));
    tap_note("creep, m in 1 s", crept);
    tap_note("backwards, m/s", back);
    tap_most(crept, TOL(1e-10, 1e-7), tap_joined(method_name[method], " comes to rest and stays"));
    // what the tolerance of the solve leaves: 1e-8 of a step's 0.1 m/s
    tap_most(back, TOL(2e-9, 1e-6), tap_joined(method_name[method], " does not turn back"));
    tap_most(kinetic(d3_make(0, 0, 0)), TOL(1e-18, 1e-12), tap_joined(method_name[method], " has no energy left"));
}

// Below tan = rolling/r it holds, above it rolls as the differential equation says.
static void test_slope(int method)
{
    const double rolling = 0.05;
    const motion first = {{1, 0, 0}, {0, 1, 0}};
    ball(method, 1, 0, rolling, 0.98 * rolling);
    moving(d3_make(0, 0, 0), d3_make(0, 0, 0));
    run(1);
    const double place = (double)state.pose[1].p.x;
    run(1);
    tap_note("creep, m in 1 s", (double)state.pose[1].p.x - place);
    tap_most(d_abs((double)state.pose[1].p.x - place), TOL(1e-9, 1e-6), tap_joined(method_name[method], " holds"));
    ball(method, 1, 0, rolling, 1.02 * rolling);
    moving(d3_make(0, 0, 0), d3_make(0, 0, 0));
    run(1);
    tap_near((double)state.twist[1].v.x / (0.02 * rolling * G / 1.4), 1.0, 0.5,
             tap_joined(method_name[method], " does not hold on a steeper one"));
    ball(method, 1, 0, rolling, 3 * rolling);
    moving(first.v, first.rate);
    run(1);
    const motion end = truth(first, 1, 1);
    tap_note("velocity over that of the law", (double)state.twist[1].v.x / end.v.x);
    tap_near((double)state.twist[1].v.x / end.v.x, 1.0, 1e-3, tap_joined(method_name[method], " rolls down"));
}

// The first test again at other sizes: lengths times s, times times sqrt(s).
static void test_scale(int method, double s)
{
    const double unit = d_sqrt(s);
    ball(method, s, 0.02 * s, 0.02 * s, 0);
    m.h = (tac_real)(1e-3 * unit);
    moving(d3_make(2 * unit, 0, 0), d3_make(0, 2 / unit, 5 / unit));
    run(2 * unit);
    const double v = (double)state.twist[1].v.x / unit, rate = world_rate(&state, 1).z * unit;
    ball(method, 1, 0.02, 0.02, 0);
    const motion end = truth((motion){{2, 0, 0}, {0, 2, 5}}, 1, 2);
    tap_near(v / end.v.x, 1.0, 1e-3, tap_joined(method_name[method], s < 1 ? " rolls at 1 mm" : " rolls at 100 m"));
    tap_near(rate / end.rate.z, 1.0, 1e-3,
             tap_joined(method_name[method], s < 1 ? " spins at 1 mm" : " spins at 100 m"));
}

// Powers of two scale without rounding: the same bits.
static void test_bits(int method)
{
    double worst = 0.0;
    static tac_state base;
    for (int k = 0; k < 3; k++) {
        const double s = k == 0 ? 1 : k == 1 ? 1.0 / 1024 : 256, unit = k == 0 ? 1 : k == 1 ? 1.0 / 32 : 16;
        ball(method, s, 0.0625 * s, 0.03125 * s, 0.125);
        m.h = (tac_real)(0.001953125 * unit);
        moving(d3_make(unit, 0.5 * unit, 0), d3_make(0, 2 / unit, 3 / unit));
        run(0.5 * unit);
        if (k == 0) { base = state; }
        const d3 v = d3_sub(d3_scale(1 / unit, d3_of(state.twist[1].v)), d3_of(base.twist[1].v));
        const d3 rate = d3_sub(d3_scale(unit, d3_of(state.twist[1].w)), d3_of(base.twist[1].w));
        d_worst(&worst, d3_norm(v) + d3_norm(rate));
    }
    tap_most(worst, 0.0, tap_joined(method_name[method], " the same bits at 1/1024 and 256 times the size"));
}

// Without friction there is no resistance; without resistance the ball goes on.
static void test_none(void)
{
    ball(0, 1, 0.02, 0.02, 0);
    m.material[0].friction = 0;
    moving(d3_make(2, 0, 0), d3_make(0, 2, 5));
    run(1);
    tap_ok(state.twist[1].v.x == 2 && state.twist[1].w.z == 5, "no friction, no resistance");
    ball(0, 1, 0, 0, 0);
    moving(d3_make(2, 0, 0), d3_make(0, 2, 5));
    run(1);
    tap_near(state.twist[1].v.x, 2, TOL(1e-12, 1e-5), "no resistance: it rolls on");
    tap_near(state.twist[1].w.z, 5, TOL(1e-12, 1e-5), "and spins on");
    tap_ok(w.contact[0].torque.x == 0 && w.contact[0].torque.z == 0, "without torques");
}

// A body that spins in a pit of leaning walls, all of them resisting: accelerated sweeps drift there, and leap along
// the drift. What they call solved is, and has the velocities that the direct solver finds, which are unique under the
// relaxed law.
static void pit(rng *r)
{
    const int walls = 2 + (int)rng_below(r, 3);
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 0.001, 0.01);
    m.options.friction = TAC_FRICTION_RELAXED;
    m.options.max_sweeps = 500;
    tac_model_add_material(&m, (tac_real)rng_range(r, 0.1, 0.5), 0); // too little to wedge it
    m.material[0].spinning = (tac_real)rng_range(r, 0, 0.3);
    m.material[0].rolling = (tac_real)rng_range(r, 0, 0.2);
    for (int i = 0; i < walls; i++) {
        const dq lean = dq_about(d3_make(0, 1, 0), rng_range(r, 0.2, 0.8));
        tac_shape wall = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        wall.pose.q = dq_to(dq_mul(dq_about(d3_make(0, 0, 1), 2 * TRUTH_PI * i / walls), lean));
        tac_model_add_shape(&m, &wall);
    }
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, rng_range(r, 0.3, 1)));
    b.inertia = vec(0.03, 0.03, 0.03);
    b.pose.q = dq_to(rng_quat(r));
    b.velocity = (tac_twist){d3_to(rng_box(r, 1)), d3_to(rng_box(r, 10))};
    tac_model_add_body(&m, &b);
    const tac_shape shape = tac_shape_make(1, rng_below(r, 2) ? TAC_SPHERE : TAC_BOX, vec(0.3, 0.2, 0.25));
    tac_model_add_shape(&m, &shape);
    begin_world(&m, &state);
}

static void test_pit(void)
{
    enum { PITS = RUN(40, 4), STEPS = 80 };
    static tac_state swept, direct;
    double apart = 0, natural = 0, balance = 0;
    int solved = 0;
    rng r = {77};
    tap_note("seed", 77);
    for (int n = 0; n < PITS; n++) {
        pit(&r);
        for (int k = 0; k < STEPS; k++) {
            tac_certificate c;
            swept = direct = state;
            m.options.solver = TAC_SOLVER_DIRECT;
            tac_model_seal(&m, NULL);
            swept.model_hash = direct.model_hash = m.hash;
            const int good = tac_step(&m, &direct, NULL, &w) == TAC_OK;
            m.options.solver = TAC_SOLVER_ACCELERATED;
            tac_model_seal(&m, NULL);
            swept.model_hash = state.model_hash = m.hash;
            const int ends = tac_step(&m, &swept, NULL, &w) == TAC_OK && tac_certify(&m, &w, &c) == TAC_OK;
            state = swept;
            if (!good || !ends) { continue; }
            solved++;
            const d3 v = d3_sub(d3_of(swept.twist[1].v), d3_of(direct.twist[1].v));
            d_worst(&apart, d3_norm(v));
            d_worst(&natural, (double)c.r_natmap);
            d_worst(&balance, (double)c.r_eom);
        }
    }
    tap_least(solved, 0.9 * PITS * STEPS, "accelerated sweeps in a pit: most steps are solved");
    tap_most(apart, TOL(1e-4, 1e-2), "with the velocities of the direct solver, m/s");
    tap_most(natural, TOL(1e-5, 5e-3), "natural map");
    tap_most(balance, TOL(1e-10, 3e-3), "velocities are those of the impulses");
}

// A block, a cylinder or a ball that a joint leads down to the floor, where little or nothing is left of the motion
// along the tangents: it lands and stays.
static void led(rng *r, uint8_t kind, uint8_t shape)
{
    const tac_vec3 down = vec(0, 0, 0.15);
    tac_joint joint;
    tac_model_init(&m);
    m.options.solver = (uint8_t)rng_below(r, TAC_SOLVER_AUTO + 1);
    tac_model_add_material(&m, (tac_real)0.8, (tac_real)(0.5 * rng_below(r, 2)));
    m.material[0].spinning = (tac_real)octave_range(r, 1e-9, 1e-2);
    m.material[0].rolling = (tac_real)octave_range(r, 1e-9, 1e-2);
    tac_body b = tac_body_make(TAC_DYNAMIC, down);
    b.inertia = vec(0.01, 0.01, 0.01);
    b.pose.q = dq_to(rng_quat(r));
    tac_model_add_body(&m, &b);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    const tac_shape solid = tac_shape_make(1, shape, vec(0.1, 0.1, 0.05));
    tac_model_add_shape(&m, &plane);
    tac_model_add_shape(&m, &solid);
    tac_joint_init(&joint, kind, 0, 1);
    joint.collide = 1;
    joint.frame_a.p = down;
    joint.frame_b.q = (tac_quat){b.pose.q.w, -b.pose.q.x, -b.pose.q.y, -b.pose.q.z};
    if (kind == TAC_SCREW) { joint.length = (tac_real)0.05; }
    tac_model_add_joint(&m, &joint);
    begin_world(&m, &state);
}

static void test_led(void)
{
    static const uint8_t kinds[] = {TAC_PRISMATIC, TAC_SCREW, TAC_CYLINDRICAL};
    int refused = 0, fallen = 0;
    tap_note("led bodies, seed", 41);
    rng r = {41};
    for (int trial = 0; trial < RUN(60, 12); trial++) {
        led(&r, kinds[trial % 3], (uint8_t)(TAC_SPHERE + rng_below(&r, 4)));
        for (int k = 0; k < 700; k++) { refused += tac_step(&m, &state, NULL, &w) < 0; }
        fallen += !(state.pose[1].p.z > 0);
    }
    tap_equal(refused, 0, "what a joint leads to the floor: no step is refused");
    tap_equal(fallen, 0, "and it stays above");
}

// ---------------------------------------------------------------------------------------------------------- faces

enum { FACE_BOX, FACE_CYLINDER, FACE_FEET, FACE_BALL };

// The torque about the normal that a flat face at rest on the floor, which spins, takes per mu and newton of its load,
// m. Feet: four small balls at this distance from the axis; a ball: one contact that resists spinning like this.
static double face_torque(int face, double size)
{
    const double inertia = 0.05, rate = 10, height = 0.02;
    enum { STEPS = 40 };
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)MU, 0);
    if (face == FACE_BALL) { m.material[0].spinning = (tac_real)(MU * size); }
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, height));
    b.inertia = vec(inertia, inertia, inertia);
    b.velocity.w = vec(0, 0, rate);
    tac_model_add_body(&m, &b);
    static const uint8_t KIND_OF[] = {TAC_BOX, TAC_CYLINDER, TAC_SPHERE, TAC_SPHERE};
    for (int i = 0; i < (face == FACE_FEET ? 4 : 1); i++) {
        tac_shape s = tac_shape_make(1, KIND_OF[face], vec(size, size, height));
        if (face == FACE_FEET) {
            s.size = vec(0.01, 0, 0);
            s.pose.p = vec(i % 2 ? 0 : (i - 1) * size, i % 2 ? (i - 2) * size : 0, 0.01 - height);
        }
        if (face == FACE_BALL) { s.size = vec(height, 0, 0); }
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
    for (int i = 0; i < STEPS; i++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
    }
    return (rate - (double)state.twist[1].w.z) * inertia / (STEPS * (double)m.h * MU * G);
}

// The mean distance from the middle over a square of half side 1, or a disc of radius 1: what uniform pressure gives.
static double uniform(int disc)
{
    enum { CELLS = 400 };
    double sum = 0, cells = 0;
    for (int i = 0; i < CELLS * CELLS; i++) {
        const double x = (i / CELLS + 0.5) / CELLS, y = (i % CELLS + 0.5) / CELLS, r = d_sqrt(x * x + y * y);
        if (disc && r > 1) { continue; }
        sum += r, cells += 1;
    }
    return sum / cells;
}

// A face bears its load at its outermost points.
static void test_faces(void)
{
    const double size = 0.1, square = uniform(0), disc = uniform(1), close = TOL(1e-6, 1e-4);
    tap_near(face_torque(FACE_BOX, size), size * d_sqrt(2), close, "a square face: at its corners, m");
    tap_near(face_torque(FACE_CYLINDER, size), size, 0.01 * size, "a round face: at its rim, m");
    tap_near(face_torque(FACE_FEET, square * size), square * size, close, "feet where uniform pressure is, square");
    tap_near(face_torque(FACE_FEET, disc * size), disc * size, close, "feet where uniform pressure is, round");
    tap_near(face_torque(FACE_BALL, disc * size), disc * size, close, "one contact of that length");
    tap_near(d_sqrt(2) / square, 1.848, 1e-3, "corners over uniform pressure, square");
    tap_near(1 / disc, 1.5, 1e-3, "rim over uniform pressure, round");
}

int main(void)
{
    for (int method = 0; method < METHODS; method++) {
        test_known(method);
        test_coupled(method);
        test_rest(method);
        test_slope(method);
        test_scale(method, 1e-3);
        test_scale(method, 1e2);
        test_bits(method);
    }
    test_none();
    test_pit();
    test_led();
    test_faces();
    return tap_done();
}
