// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The instantaneous model: boxes and balls on inclines, balls on balls, spinning and rolling rims, Painleve's rod, a
// box on its edge; the limit of steps; scenes of any size and mass.
#include "begin.h"
#include "bodies.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static tac_lcp q;
static tac_instant now;

static const double G = 9.81;

static void begin(double h, double friction)
{
    tac_model_init(&m);
    tac_lcp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)friction, 0);
}

// The floor of an incline: gravity leans by `angle` towards x.
static void incline(double friction, double angle)
{
    begin(0.001, friction);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    m.gravity = vec(G * d_sin(angle), 0, -G * d_cos(angle));
    tac_model_add_shape(&m, &ground);
}

static uint16_t add(d3 at, double mass, d3 inertia, uint8_t kind, d3 size)
{
    const uint16_t b = add_body(&m, at, mass, inertia);
    const tac_shape shape = tac_shape_make(b, kind, d3_to(size));
    tac_model_add_shape(&m, &shape);
    return b;
}

static tac_status ask(void)
{
    begin_world(&m, &s);
    return tac_accelerations(&m, &s, &input, &w, &q, &now);
}

// ------------------------------------------------------------------------------------------------------------ inclines

// A cube of half length `size` and of this mass that slides at v down the incline.
static void cube(double friction, double angle, double size, double mass, double v)
{
    const double inertia = 2.0 / 3 * mass * size * size;
    incline(friction, angle);
    const uint16_t b =
        add(d3_make(0, 0, size), mass, d3_make(inertia, inertia, inertia), TAC_BOX, d3_make(size, size, size));
    m.body[b].velocity.v = vec(v, 0, 0);
    tap_equal(ask(), TAC_OK, "a cube on an incline");
}

// What all contacts press, and how far apart their modes are from one.
static double pressed(uint8_t mode)
{
    double sum = 0;
    for (uint16_t i = 0; i < now.contacts; i++) {
        sum += now.contact[i].mode == mode ? (double)now.contact[i].force.x : 1e30;
    }
    return sum;
}

static void test_cube(double size, double mass)
{
    const double angle = 0.4, sine = d_sin(angle), cosine = d_cos(angle), tangent = sine / cosine,
                 tight = TOL(1e-12, 2e-5);
    cube(tangent + 0.01, angle, size, mass, 0);
    tap_most(d3_norm(d3_of(now.body[1].linear)), G * tight, "sticks below the friction angle");
    tap_near(pressed(TAC_CONTACT_ROLLS) / mass, G * cosine, G * tight, "  its contacts roll and bear it");
    cube(0.8 * tangent, angle, size, mass, 0);
    tap_near(now.body[1].linear.x, G * (sine - 0.8 * sine), G * tight, "slides from rest above it");
    tap_near(pressed(TAC_CONTACT_SLIDES) / mass, G * cosine, G * tight, "  its contacts begin to slide");
    cube(0.3, angle, size, mass, size);
    tap_near(now.body[1].linear.x, G * (sine - 0.3 * cosine), G * tight, "slides down");
    tap_most(d3_norm(d3_of(now.body[1].angular)) * size, G * tight, "  and does not turn");
    cube(0.3, angle, size, mass, -size);
    tap_near(now.body[1].linear.x, G * (sine + 0.3 * cosine), G * tight, "slides up and is slowed");
    cube(0, angle, size, mass, 0);
    tap_near(now.body[1].linear.x, G * sine, G * tight, "without friction");
    tap_near(pressed(TAC_CONTACT_SLIDES) / mass, G * cosine, G * tight, "  it slides");
}

// A ball of radius r that rolls at v down the incline, or slides without rotation.
static void ball(double friction, double angle, double r, double mass, double v, double spin)
{
    const double inertia = 0.4 * mass * r * r;
    incline(friction, angle);
    const uint16_t b = add(d3_make(0, 0, r), mass, d3_make(inertia, inertia, inertia), TAC_SPHERE, d3_make(r, 0, 0));
    m.body[b].velocity = (tac_twist){vec(v, 0, 0), vec(0, spin, 3)};
    tap_equal(ask(), TAC_OK, "a ball on an incline");
}

static void test_ball(double r, double mass)
{
    const double angle = 0.5, sine = d_sin(angle), cosine = d_cos(angle), limit = 2.0 / 7 * sine / cosine;
    const double tight = TOL(1e-12, 2e-5), v = 10 * d_sqrt(r);
    ball(1.01 * limit, angle, r, mass, 0, 0);
    tap_near(now.body[1].linear.x, 5.0 / 7 * G * sine, G * tight, "rolls at 5/7 g sin from rest");
    tap_near((double)now.body[1].angular.y * r, 5.0 / 7 * G * sine, G * tight, "  and turns with it");
    ball(1.01 * limit, angle, r, mass, v, v / r);
    tap_near(now.body[1].linear.x, 5.0 / 7 * G * sine, G * tight, "rolls at the same when it is fast and spins");
    tap_near((double)now.contact[0].force.x / mass, G * cosine, G * tight, "  and presses as when it rests");
    tap_equal(now.contact[0].mode, TAC_CONTACT_ROLLS, "  its contact rolls");
    ball(0.8 * limit, angle, r, mass, 0, 0);
    tap_near(now.body[1].linear.x, G * (sine - 0.8 * limit * cosine), G * tight, "slides where mu < 2/7 tan");
    tap_equal(now.contact[0].mode, TAC_CONTACT_SLIDES, "  its contact begins to slide");
    ball(0.2, angle, r, mass, v, 0);
    tap_near(now.body[1].linear.x, G * (sine - 0.2 * cosine), G * tight, "slides as mu says");
    tap_near((double)now.body[1].angular.y * r, 2.5 * 0.2 * G * cosine, G * tight, "  and begins to turn");
}

// ----------------------------------------------------------------------------------------------------- curved surfaces

// A ball of radius r at an angle from the top of a fixed ball of radius R, which it has slid down without friction.
static void down(double angle, double r, double R)
{
    const double far = R + r, v = d_sqrt(2 * G * far * (1 - d_cos(angle)));
    begin(1e-4, 0);
    m.gravity = vec(0, 0, -G);
    const tac_shape fixed = tac_shape_make(0, TAC_SPHERE, vec(R, 0, 0));
    tac_model_add_shape(&m, &fixed);
    const d3 n = d3_make(d_sin(angle), 0, d_cos(angle)), t = d3_make(d_cos(angle), 0, -d_sin(angle));
    const uint16_t b = add(d3_scale(far, n), 2, d3_make(1, 1, 1), TAC_SPHERE, d3_make(r, 0, 0));
    m.body[b].velocity.v = d3_to(d3_scale(v, t));
    tap_equal(ask(), TAC_OK, "a ball slides down a ball");
}

static void test_down(void)
{
    const double leaves = 0.84106867056793; // its cosine is 2/3
    for (int i = 1; i <= 8; i++) {
        down(0.1 * i, 0.1, 1.3);
        const double weight = G * (3 * d_cos(0.1 * i) - 2);
        tap_near((double)now.contact[0].force.x / 2, weight, TOL(1e-11, 1e-4), "it presses with m g (3 cos - 2)");
    }
    down(leaves - 0.001, 0.5, 0.7);
    tap_equal(now.contact[0].mode, TAC_CONTACT_SLIDES, "it touches until cos = 2/3");
    down(leaves + 0.001, 0.5, 0.7);
    tap_equal(now.contact[0].mode, TAC_CONTACT_OPENS, "where it leaves");
    tap_near(now.body[1].linear.x, 0, TOL(1e-12, 1e-5), "and falls freely");
}

// A ball rolls at v over the top of a fixed capsule of radius R: along its axis as on a plane, across it on a circle.
static void test_over(void)
{
    for (int across = 0; across < 2; across++) {
        const double R = 0.4, r = 0.1, v = 0.7;
        begin(1e-4, 1);
        m.gravity = vec(0, 0, -G);
        tac_shape fixed = tac_shape_make(0, TAC_CAPSULE, vec(R, 0, 1));
        fixed.pose.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2)); // along x
        tac_model_add_shape(&m, &fixed);
        const uint16_t b = add(d3_make(0.3, 0, R + r), 1, d3_make(0.004, 0.004, 0.004), TAC_SPHERE, d3_make(r, 0, 0));
        m.body[b].velocity =
            across ? (tac_twist){vec(0, v, 0), vec(-v / r, 0, 0)} : (tac_twist){vec(v, 0, 0), vec(0, v / r, 0)};
        tap_equal(ask(), TAC_OK, "a ball rolls over a capsule");
        tap_equal(now.contact[0].mode, TAC_CONTACT_ROLLS, "its contact rolls");
        tap_near(now.contact[0].force.x, G - across * v * v / (R + r), TOL(1e-11, 1e-4),
                 across ? "across the axis it is lighter by v^2/(R + r)" : "along the axis it has its weight");
        tap_near(now.body[1].linear.z, -across * v * v / (R + r), TOL(1e-11, 1e-4), "and goes on along its path");
    }
}

// A coin that leans by some angle and rolls on its rim, while it turns about the vertical at `yaw`: as long as it leans
// alike, the lowest point goes round the rim as it turns about the vertical.
static void coin(double lean, double yaw, double roll, d3 *arm, dq *turn)
{
    const double R = 0.3, half = 0.02, mass = 2, axial = 0.5 * mass * R * R, across = 0.25 * mass * R * R;
    const d3 axis = d3_make(0, d_cos(lean), d_sin(lean)), up = d3_make(0, -d_sin(lean), d_cos(lean));
    const d3 spin = d3_add(d3_make(0, 0, yaw), d3_scale(roll, axis));
    incline(1, 0);
    *arm = d3_add(d3_scale(-R, up), d3_scale(-half, axis));
    *turn = dq_about(d3_make(1, 0, 0), lean - TRUTH_PI / 2); // of z to the axis
    const uint16_t b =
        add(d3_make(0, 0, -arm->z), mass, d3_make(across, across, axial), TAC_CYLINDER, d3_make(R, R, half));
    m.body[b].pose.q = dq_to(*turn);
    m.body[b].velocity.v = d3_to(d3_scale(-1, d3_cross(spin, *arm)));
    m.body[b].velocity.w = d3_to(dq_rotate(dq_conjugate(*turn), spin));
}

static void test_coin(void)
{
    for (int i = 0; i < 5; i++) {
        d3 arm;
        dq turn;
        coin(0.1 + 0.2 * i, 2, 5, &arm, &turn);
        tap_equal(ask(), TAC_OK, "a coin rolls on its rim");
        tap_equal(now.contacts == 1 && now.contact[0].mode == TAC_CONTACT_ROLLS, 1, "  at one point, which rolls");
        tap_near(now.contact[0].acceleration.x, 0, TOL(1e-10, 1e-3), "  and keeps touching");
        const d3 a = d3_of(now.body[1].linear), f = d3_of(now.contact[0].force);
        const d3 force = d3_add(d3_scale(f.x, d3_of(w.contact[0].n)),
                                d3_add(d3_scale(f.y, d3_of(w.contact[0].u)), d3_scale(f.z, d3_of(w.contact[0].w))));
        tap_most(d3_norm(d3_sub(d3_scale(2, a), d3_add(force, d3_make(0, 0, -2 * G)))), TOL(1e-11, 1e-4), "  m a = f");
        // v = -w x r holds on, with r the arm to the lowest point
        const d3 spin = world_rate(&s, 1), alpha = dq_rotate(turn, d3_of(now.body[1].angular));
        const d3 moves = d3_cross(d3_make(0, 0, 2), arm), rolls = d3_add(d3_cross(alpha, arm), d3_cross(spin, moves));
        tap_most(d3_norm(d3_add(a, rolls)), TOL(1e-9, 1e-3), "  it rolls on: a = -(w' x r + w x r')");
    }
}

// A cube on its lower edge falls back about that edge, as a pendulum that stands on its head; friction is large.
static void test_edge(void)
{
    const double angle = 0.3, r = 0.5 * d_sqrt(2); // of a unit cube, from the edge to the centre
    const double inertia = 1.0 / 6, about = inertia + r * r;
    incline(2, 0);
    const uint16_t b = add(d3_make(0, 0, 0), 1, d3_make(inertia, inertia, inertia), TAC_BOX, d3_make(0.5, 0.5, 0.5));
    const double lean = TRUTH_PI / 4 - angle; // of the diagonal from the vertical
    m.body[b].pose.q = dq_to(dq_about(d3_make(0, 1, 0), angle));
    m.body[b].pose.p = vec(-r * d_sin(lean), 0, r * d_cos(lean));
    const double rate = 0.8;
    m.body[b].velocity = (tac_twist){vec(rate * r * d_cos(lean), 0, rate * r * d_sin(lean)), vec(0, rate, 0)};
    tap_equal(ask(), TAC_OK, "a cube on its edge");
    tap_equal(now.contacts, 2, "has two contacts");
    tap_near(now.body[b].angular.y, -G * r * d_sin(lean) / about, TOL(1e-11, 1e-4), "falls back about it");
    const double fall = (double)now.body[b].angular.y * r;
    tap_near(now.body[b].linear.z, fall * d_sin(lean) - rate * rate * r * d_cos(lean), TOL(1e-11, 1e-4), "on a circle");
    tap_near(now.body[b].linear.x, fall * d_cos(lean) + rate * rate * r * d_sin(lean), TOL(1e-11, 1e-4),
             "about the edge");
}

// ------------------------------------------------------------------------------------------------------------ Painleve

// A slender rod of half length 1 whose lower end slides at v on the floor, at `angle` to it, and turns at `rate`.
// Returns the second derivative of its gap without a force; *compliance: by a normal force of 1 with its friction.
static double rod(double friction, double angle, double v, double rate, double *compliance)
{
    const double r = 0.01, mass = 3, inertia = mass / 3, x = -d_cos(angle), z = -d_sin(angle) - r;
    incline(friction, 0);
    const uint16_t b = add_body(&m, d3_make(0, 0, -z), mass, d3_make(0.01, inertia, inertia));
    tac_shape shape = tac_shape_make(b, TAC_CAPSULE, vec(r, 0, 1));
    shape.pose.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2)); // along x of the body
    tac_model_add_shape(&m, &shape);
    m.body[b].pose.q = dq_to(dq_about(d3_make(0, 1, 0), -angle)); // its -x end is the lower one
    // the point of contact moves at (v,0,0)
    m.body[b].velocity = (tac_twist){vec(v - rate * z, 0, rate * x), vec(0, rate, 0)};
    const double s_v = v < 0 ? -1 : 1;
    *compliance = 1 / mass + (x * x + friction * s_v * x * z) / inertia;
    return -G + rate * rate * d_sin(angle);
}

static void test_rod(void)
{
    double compliance;
    double f = rod(0.5, 1, -2, 0, &compliance);
    tap_equal(ask(), TAC_OK, "Painleve's rod, mu below 4/3: solved");
    tap_near(now.contact[0].force.x, -f / compliance, TOL(1e-11, 1e-3), "  with the force of textbooks");
    tap_near((double)now.contact[0].force.x * 0.5,
             d_abs((double)now.contact[0].force.y) + d_abs((double)now.contact[0].force.z), TOL(1e-11, 1e-3),
             "  and friction mu times that");
    tap_equal(now.paradoxes, 0, "  no paradox");
    f = rod(0.5, 1, -2, 4, &compliance);
    tap_equal(ask(), TAC_OK, "turning fast, mu below 4/3: solved");
    tap_equal(f > 0 && now.contact[0].mode == TAC_CONTACT_OPENS, 1, "  it lifts off");
    tap_near(now.contact[0].acceleration.x, f, TOL(1e-11, 1e-3), "  as its rotation says");
    f = rod(1.8, 1.1, 2, 0, &compliance);
    tap_equal(ask(), TAC_OK, "mu above 4/3, pulled: solved");
    tap_near(now.contact[0].force.x, -f / compliance, TOL(1e-11, 1e-3), "  with one force");
    f = rod(1.8, 1.1, -2, 0, &compliance);
    tap_most(compliance, -0.01, "pushed, its normal force would pull it down");
    tap_equal(ask(), TAC_UNCONVERGED, "  no force solves it: inconsistent");
    tap_equal(q.end, TAC_LCP_RAY, "  the pivots end on a ray");
    tap_equal(now.impacts == 0 && now.paradoxes == 1, 1, "  and it is a paradox, no impact");
    f = rod(1.8, 1.1, -2, 4, &compliance);
    tap_equal(ask(), TAC_OK, "pushed and turning fast: two solutions");
    tap_equal(now.contact[0].mode == TAC_CONTACT_OPENS && now.paradoxes == 1, 1,
              "  the one that opens, said to be a paradox");
    tap_near(now.contact[0].acceleration.x, f, TOL(1e-11, 1e-3), "  as its rotation says");
    tap_least(-f / compliance, 1, "  with the force of the other one it would stay, N");
    f = rod(1.8, 1.1, 0, 0, &compliance);
    tap_equal(ask(), TAC_OK, "at rest: solved");
    tap_equal(now.contact[0].mode, TAC_CONTACT_ROLLS, "  it stands and tips over");
}

// How many solutions the problem has: all choices of variables that are not 0, by elimination.
enum { JAM_ROWS = 6 };

static int choice(uint32_t mask, double z[JAM_ROWS])
{
    double a[JAM_ROWS][JAM_ROWS + 1];
    const uint32_t n = q.rows;
    for (uint32_t i = 0; i < n; i++) { // rows of F z + f = 0 where chosen, of z = 0 elsewhere
        for (uint32_t j = 0; j < n; j++) { a[i][j] = mask >> i & 1 ? (double)q.F[i][j] : i == j; }
        a[i][n] = mask >> i & 1 ? -(double)q.f[i] : 0;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k; i < n; i++) { best = d_abs(a[i][k]) > d_abs(a[best][k]) ? i : best; }
        if (d_abs(a[best][k]) < TOL(1e-9, 1e-4)) { return 0; }
        for (uint32_t j = 0; j <= n; j++) {
            const double x = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = x;
        }
        for (uint32_t i = 0; i < n; i++) {
            const double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (uint32_t j = 0; j <= n; j++) { a[i][j] -= factor * a[k][j]; }
        }
    }
    for (uint32_t i = 0; i < n; i++) { z[i] = a[i][n] / a[i][i]; }
    return 1;
}

static int solutions(void)
{
    int count = 0;
    for (uint32_t mask = 0; mask < 1u << q.rows; mask++) {
        double z[JAM_ROWS];
        int good = choice(mask, z);
        for (uint32_t i = 0; good && i < q.rows; i++) {
            double y = (double)q.f[i];
            for (uint32_t j = 0; j < q.rows; j++) { y += (double)q.F[i][j] * z[j]; }
            good = z[i] >= -1e-9 && y >= -TOL(1e-9, 1e-3);
        }
        count += good;
    }
    return count;
}

// A body on up to four balls that slide on the floor, and one on a wall, with friction up to 6, under any wrench.
static void jam(uint64_t seed)
{
    rng r = {seed};
    incline(rng_range(&r, 0.5, 6), 0);
    m.gravity = vec(rng_range(&r, -5, 5), 0, -G);
    const double inertia = rng_range(&r, 0.02, 0.5);
    const uint16_t b = add_body(&m, d3_make(0, 0, 1), 1, d3_make(inertia, inertia, inertia));
    tac_shape wall = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1)),
              foot = tac_shape_make(b, TAC_SPHERE, vec(0.05, 0, 0));
    for (uint32_t i = 1 + rng_below(&r, 4); i > 0; i--) {
        foot.pose.p = vec(rng_range(&r, -1, 1), rng_range(&r, -1, 1), -0.95);
        tac_model_add_shape(&m, &foot);
    }
    wall.pose = (tac_pose){vec(-1.05, 0, 0), dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2))};
    tac_model_add_shape(&m, &wall);
    foot.pose.p = vec(-1, rng_range(&r, -1, 1), rng_range(&r, -0.5, 0.5));
    if (rng_below(&r, 2)) { tac_model_add_shape(&m, &foot); }
    m.body[b].velocity.v = vec(0, rng_range(&r, 0.1, 2) * (rng_below(&r, 2) ? 1 : -1), 0);
    input.actions = 1;
    input.action[0] = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD};
    input.action[0].linear = d3_to(rng_box(&r, 10));
    input.action[0].angular = d3_to(rng_box(&r, 10));
}

// What is solved has a solution (in float one or the other may have one by rounding), and nearly all that has is
// solved.
static void test_jams(void)
{
    enum { EACH = RUN(5000, 300) };
    int solved = 0, several = 0, none = 0, missed = 0, wrong = 0, rays = 0;
    for (uint64_t seed = 1; seed <= EACH; seed++) {
        jam(seed);
        const tac_status status = ask();
        const int count = solutions();
        solved += status == TAC_OK;
        several += count > 1;
        none += count == 0;
        missed += status != TAC_OK && count > 0;
        wrong += status == TAC_OK && count == 0;
        rays += status != TAC_OK && q.end == TAC_LCP_RAY;
    }
    tap_most(wrong, TOL(0, EACH / 1000), "feet that slide and jam: what is said to be solved has a solution");
    tap_most(missed, 1 + EACH / 1000, "and nearly all that has a solution is solved");
    tap_least(rays, 0.99 * (EACH - solved) - 1, "of the others nearly all end on a ray");
    tap_least(none, EACH / 5, "many have none");
    tap_least(several, EACH / 20, "some have several");
    tap_note("solved", solved);
    tap_note("with several solutions", several);
    tap_note("without", none);
    tap_note("missed", missed);
    tap_note("wrong", wrong);
}

// --------------------------------------------------------------------------------------------------------------- steps

// Round bodies and boxes on the floor, one contact each or no rotation: friction of a box that slides and turns is as
// its corners share its weight, which is not unique. `straight`: they move along a direction of the friction polygon,
// in which a step of T03 has Coulomb's friction too, and do not turn about the vertical.
static void heap(uint64_t seed, double h, int straight)
{
    static const uint8_t kinds[4] = {TAC_SPHERE, TAC_CAPSULE, TAC_ELLIPSOID, TAC_BOX};
    rng r = {seed};
    incline(rng_range(&r, 0.1, 1), straight ? 0 : rng_range(&r, 0, 0.6));
    m.h = (tac_real)h;
    for (int i = 0; i < 3; i++) {
        const uint8_t kind = kinds[rng_below(&r, straight ? 4 : 3)];
        const double a = rng_range(&r, 0.1, 0.3), mass = rng_range(&r, 0.5, 2), inertia = 0.02 * mass;
        const double angle = TRUTH_PI / 4 * rng_below(&r, 8), v = rng_range(&r, 0.2, 1) * rng_below(&r, 2);
        const d3 along = straight ? d3_make(v * d_cos(angle), v * d_sin(angle), 0) : rng_box(&r, 1);
        const d3 turns = straight ? d3_make(inertia, inertia, inertia) : d3_make(inertia, 1.1 * inertia, 1.3 * inertia);
        const double wide = kind == TAC_CAPSULE ? 0.5 * a : a; // its axis is vertical
        const uint16_t b = add(d3_make(1.0 * i, 0, a), mass, turns, kind, d3_make(wide, 0.8 * a, wide));
        m.body[b].velocity = (tac_twist){vec(along.x, along.y, 0), vec(0, 0, straight ? 0 : rng_range(&r, -2, 2))};
    }
    begin_world(&m, &s);
}

// The largest difference between the accelerations at a state, after some steps, and those of the next step: of T03, or
// of the cone program. -1 where one of them is not solved.
static double off(uint64_t seed, double h, int straight)
{
    tac_twist before[4];
    double worst = 0;
    heap(seed, h, straight);
    for (int i = 0; i < 5; i++) {
        for (uint16_t b = 1; b < 4; b++) { before[b] = s.twist[b]; }
        if (i == 4 && tac_accelerations(&m, &s, NULL, &w, &q, &now) != TAC_OK) { return -1; }
        if ((straight ? tac_step_lcp(&m, &s, NULL, &w, &q) : tac_step(&m, &s, NULL, &w)) != TAC_OK) { return -1; }
    }
    for (uint16_t b = 1; b < 4; b++) {
        const d3 v = d3_scale(1 / h, d3_sub(d3_of(s.twist[b].v), d3_of(before[b].v)));
        const d3 turn = d3_scale(1 / h, d3_sub(d3_of(s.twist[b].w), d3_of(before[b].w)));
        d_worst(&worst, d3_norm(d3_sub(v, d3_of(now.body[b].linear))));
        d_worst(&worst, 0.2 * d3_norm(d3_sub(turn, d3_of(now.body[b].angular))));
    }
    return worst;
}

// The difference falls in proportion to h: a tenth of it at a tenth of h, but for the rounding of a gap over h^2. In
// float, whose steps cannot be as short, a ball may begin to roll within them.
static void test_steps(int straight)
{
    enum { HEAPS = RUN(100, 10) };
    const double h = TOL(1e-4, 1e-2), rounding = TOL(1e-5, 0.5);
    double worst = 0;
    int unsolved = 0, beyond = 0;
    for (uint64_t seed = 1; seed <= HEAPS; seed++) {
        const double coarse = off(seed, h, straight), fine = off(seed, 0.1 * h, straight);
        unsolved += coarse < 0 || fine < 0;
        beyond += fine > 0.2 * coarse + rounding;
        if (fine > 0.2 * coarse + rounding) { tap_note("seed", (double)seed); }
        d_worst(&worst, fine);
    }
    tap_most(beyond, TOL(0, 1 + HEAPS / 20),
             straight ? "steps of T03 have the same accelerations, to order h" : "steps of the cone program too");
    tap_most(worst, TOL(1e-2, 2), "  m/s2, in steps of 10 us (float 1 ms)");
    tap_equal(unsolved, 0, "  all are solved");
    tap_note("worst, m/s2", worst);
}

// Two boxes and a ball fall on each other and come to rest: only landings ask for impulses, and at rest nothing
// accelerates.
static void test_rest(int lcp)
{
    int impacts = 0, unsolved = 0;
    double late = 0;
    incline(0.5, 0);
    m.h = (tac_real)0.002;
    for (int i = 0; i < 2; i++) {
        add(d3_make(0, 0, 0.11 + 0.21 * i), 1, d3_make(0.007, 0.007, 0.007), TAC_BOX, d3_make(0.1, 0.1, 0.1));
    }
    add(d3_make(0, 0, 0.6), 1, d3_make(0.004, 0.004, 0.004), TAC_SPHERE, d3_make(0.1, 0, 0));
    begin_world(&m, &s);
    q.directions = 4;
    for (int i = 0; i < 600; i++) {
        lcp ? tac_step_lcp(&m, &s, NULL, &w, &q) : tac_step(&m, &s, NULL, &w);
        const tac_status status = tac_accelerations(&m, &s, NULL, &w, &q, &now);
        impacts += now.impacts > 0;
        unsolved += status != TAC_OK && now.impacts == 0;
        for (uint16_t b = 1; i >= 400 && b < m.bodies; b++) { d_worst(&late, d3_norm(d3_of(now.body[b].linear))); }
    }
    tap_most(impacts, 6,
             lcp ? "steps of T03: only landings strike" : "steps of the cone program: only landings strike");
    tap_equal(unsolved, 0, "  all else is solved");
    tap_most(late, TOL(1e-5, 1e-2), "  and at rest nothing accelerates, m/s2");
    tap_note("at rest, m/s2", late);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        const double size = i == 0 ? 0.001 : (i == 1 ? 1 : 100), mass = i == 0 ? 0.001 : (i == 1 ? 1 : 1000);
        test_cube(size, mass);
        test_ball(size, mass);
    }
    test_down();
    test_over();
    test_coin();
    test_edge();
    test_rod();
    test_jams();
    test_rest(0);
    test_rest(1);
    test_steps(1);
    test_steps(0);
    return tap_done();
}
