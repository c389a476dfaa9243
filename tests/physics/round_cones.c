// SPDX-License-Identifier: MIT
// config: all
// Round friction cones of the problems of T03, and polygons with an odd number of edges: a pushed cube goes where it is
// pushed; one contact is as tac_step() has it; feet of bodies that lean on each other and on walls obey Coulomb's law.
#include "begin.h"
#include "bodies.h"
#include "jointed.h"
#include "truth.h"

static tac_model m;
static tac_state s, other;
static tac_work w;
static tac_input input;
static tac_lcp q;
static tac_instant now;

static const double G = 9.81;

static void begin(double friction)
{
    tac_model_init(&m);
    tac_lcp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)0.01;
    tac_model_add_material(&m, (tac_real)friction, 0);
    add_floor(&m);
}

// ------------------------------------------------------------------------------------------------------- a pushed cube

// A cube of 1 kg is pushed by `force` at `angle`, at the height of the floor, which does not tip it.
static void push(double friction, int directions, double force, double angle)
{
    begin(friction);
    const uint16_t b = add_body(&m, d3_make(0, 0, 0.1), 1, d3_make(0.01, 0.01, 0.01));
    const tac_shape box = tac_shape_make(b, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &box);
    q.directions = (uint8_t)directions;
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD};
    input.action[0].linear = vec(force * d_cos(angle), force * d_sin(angle), 0);
    input.action[0].point = vec(0, 0, -0.1);
}

static void test_push(void)
{
    const double most = 0.5 * G;
    double worst = 0, turned = 0, still = 0, polygon = 0;
    int unsolved = 0;
    for (int i = 0; i < RUN(90, 10); i++) {
        const double angle = 0.07 * i;
        const d3 along = d3_make(d_cos(angle), d_sin(angle), 0);
        push(0.5, 8, 8, angle);
        unsolved += tac_accelerations(&m, &s, &input, &w, &q, &now) != TAC_OK;
        d_worst(&polygon, d3_norm(d3_of(now.body[1].linear)) - (8 - most));
        push(0.5, TAC_LCP_ROUND, 8, angle);
        unsolved += tac_accelerations(&m, &s, &input, &w, &q, &now) != TAC_OK;
        d_worst(&worst, d3_norm(d3_sub(d3_of(now.body[1].linear), d3_scale(8 - most, along))));
        d_worst(&turned, d3_norm(d3_of(now.body[1].angular)));
        unsolved += tac_step_lcp(&m, &s, &input, &w, &q) != TAC_OK;
        d_worst(&worst, d3_norm(d3_sub(d3_scale(100, d3_of(s.twist[1].v)), d3_scale(8 - most, along))));
        push(0.5, TAC_LCP_ROUND, 0.999 * most, angle);
        unsolved += tac_accelerations(&m, &s, &input, &w, &q, &now) != TAC_OK;
        d_worst(&still, d3_norm(d3_of(now.body[1].linear)));
    }
    tap_equal(unsolved, 0, "a cube of 1 kg under 8 N at mu 0.5: solved in every direction");
    tap_most(worst, TOL(1e-9, 1e-3), "it goes where it is pushed, at 8 N - mu m g, m/s2");
    tap_most(turned, TOL(1e-8, 1e-2), "and does not turn, rad/s2");
    tap_most(still, G * TOL(1e-8, 1e-3), "0.999 mu m g leave it where it is");
    tap_least(polygon, 0.3, "between edges of an octagon it was too fast by a tenth");
    tap_note("worst", worst);
}

// ------------------------------------------------------------------------------------------------------------ the laws

// Bodies on up to four balls each, on the floor or one on top of the other, some of them against a wall; friction up
// to `most`, under any wrenches. At rest: all contacts roll.
static void lean(uint64_t seed, double most)
{
    rng r = {seed};
    begin(rng_range(&r, 0.05, most));
    tac_shape wall = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    wall.pose = (tac_pose){vec(-1.05, 0, 0), dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2))};
    tac_model_add_shape(&m, &wall);
    for (int i = 0; i < 2; i++) {
        const double mass = octave_range(&r, 0.5, 2), inertia = mass * rng_range(&r, 0.05, 0.3);
        const uint16_t b = add_body(&m, d3_make(0, 0, 0.5 + i), mass, d3_make(inertia, 1.1 * inertia, 1.3 * inertia));
        tac_shape top = tac_shape_make(b, TAC_BOX, vec(1, 1, 0.1)),
                  foot = tac_shape_make(b, TAC_SPHERE, vec(0.05, 0, 0));
        top.pose.p = vec(0, 0, 0.4);
        tac_model_add_shape(&m, &top);
        for (uint32_t k = 1 + rng_below(&r, 4); k > 0; k--) {
            foot.pose.p = vec(rng_range(&r, -0.9, 0.9), rng_range(&r, -0.9, 0.9), -0.45);
            tac_model_add_shape(&m, &foot);
        }
        foot.pose.p = vec(-1, rng_range(&r, -0.9, 0.9), rng_range(&r, -0.3, 0.3));
        if (rng_below(&r, 2)) { tac_model_add_shape(&m, &foot); }
        tac_action *a = &input.action[input.actions++];
        *a = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD};
        a->linear = d3_to(rng_box(&r, 5 * mass));
        a->angular = d3_to(rng_box(&r, 5 * mass));
    }
    q.directions = TAC_LCP_ROUND;
    begin_world(&m, &s);
}

// By how much forces and accelerations of the contacts are off Coulomb's law, of `force` and `rate`.
static double off_law(double force, double rate)
{
    double worst = 0;
    for (uint16_t i = 0; i < now.contacts; i++) {
        const d3 c = d3_of(now.contact[i].force), a = d3_of(now.contact[i].acceleration);
        const double mu = (double)w.contact[i].mu, slip = d_sqrt(a.y * a.y + a.z * a.z);
        d_worst(&worst, d_max(-c.x, 0) / force);
        d_worst(&worst, d_max(-a.x, 0) / rate);
        d_worst(&worst, d_min(c.x / force, a.x / rate));
        d_worst(&worst, d_max(d_sqrt(c.y * c.y + c.z * c.z) - mu * c.x, 0) / force);
        d_worst(&worst, (slip * c.y + mu * c.x * a.y) / (force * rate));
        d_worst(&worst, (slip * c.z + mu * c.x * a.z) / (force * rate));
    }
    return worst;
}

// What is left of m a = f for the linear accelerations of both bodies, of `force`.
static double off_motion(double force)
{
    d3 left[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double worst = 0;
    for (uint16_t i = 0; i < now.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const d3 g = d3_of(now.contact[i].force);
        const d3 f = d3_add(d3_scale(g.x, d3_of(c->n)), d3_add(d3_scale(g.y, d3_of(c->u)), d3_scale(g.z, d3_of(c->w))));
        left[c->body_b] = d3_add(left[c->body_b], f);
        left[c->body_a] = d3_sub(left[c->body_a], f);
    }
    for (uint16_t b = 1; b < 3; b++) {
        const d3 given = d3_add(d3_of(input.action[b - 1].linear), d3_make(0, 0, -G * (double)m.body[b].mass));
        const d3 ma = d3_scale((double)m.body[b].mass, d3_of(now.body[b].linear));
        d_worst(&worst, d3_norm(d3_sub(ma, d3_add(given, left[b]))) / force);
    }
    return worst;
}

static void test_laws(double most, const char *name)
{
    enum { EACH = RUN(1000, 100) };
    int unsolved = 0, slides = 0;
    double law = 0, motion = 0;
    for (uint64_t seed = 1; seed <= EACH; seed++) {
        lean(seed, most);
        const tac_status status = tac_accelerations(&m, &s, &input, &w, &q, &now);
        unsolved += status != TAC_OK;
        if (status != TAC_OK) { continue; }
        d_worst(&law, off_law(20, 20));
        d_worst(&motion, off_motion(20));
        for (uint16_t i = 0; i < now.contacts; i++) { slides += now.contact[i].mode == TAC_CONTACT_SLIDES; }
    }
    tap_most(unsolved, 1 + EACH / 200, name);
    tap_most(law, TOL(1e-6, 3e-2), "  the others obey Coulomb's law");
    tap_most(motion, TOL(1e-9, 1e-4), "  and forces move the bodies");
    tap_least(slides, EACH / 2, "  contacts slide in many of them");
    tap_note("unsolved", unsolved);
    tap_note("off the law", law);
    tap_note("off the motion", motion);
}

// ------------------------------------------------------------------------------------------------------------- a step

// One corner of a box on the floor, at any velocity under any wrench, has the step of the cone program.
static void test_step(void)
{
    double worst = 0;
    int unsolved = 0, touched = 0;
    for (uint64_t seed = 1; seed <= RUN(500, 50); seed++) {
        rng r = {seed};
        begin(rng_range(&r, 0.05, 1));
        const dq turn = dq_mul(dq_about(d3_make(0, 0, 1), rng_range(&r, 0, 6)), dq_about(d3_make(1, 1, 0), 0.7));
        const d3 corner = dq_rotate(turn, d3_make(0.1, -0.1, -0.1)),
                 other_corner = dq_rotate(turn, d3_make(-0.1, 0.1, -0.1));
        const double low = d_min(corner.z, other_corner.z);
        const uint16_t b = add_body(&m, d3_make(0, 0, -low), 1, d3_make(0.01, 0.012, 0.014));
        const tac_shape box = tac_shape_make(b, TAC_BOX, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &box);
        m.body[b].pose.q = dq_to(turn);
        m.body[b].velocity =
            (tac_twist){vec(rng_range(&r, -1, 1), rng_range(&r, -1, 1), rng_range(&r, -1, 0)), d3_to(rng_box(&r, 1))};
        m.options.tolerance = 0;
        q.directions = TAC_LCP_ROUND;
        begin_world(&m, &s);
        other = s;
        (void)tac_step(&m, &other, NULL, &w); // to rounding
        unsolved += tac_step_lcp(&m, &s, NULL, &w, &q) != TAC_OK;
        touched += w.report.contacts == 1 && w.contact[0].impulse.x > 0;
        d_worst(&worst, d3_norm(d3_sub(d3_of(s.twist[b].v), d3_of(other.twist[b].v))));
        d_worst(&worst, d3_norm(d3_sub(d3_of(s.twist[b].w), d3_of(other.twist[b].w))));
    }
    tap_equal(unsolved, 0, "a box on a corner: steps are solved");
    tap_least(touched, RUN(250, 25), "  it bears in many");
    tap_most(worst, TOL(1e-10, 1e-4), "  and moves on as in the cone program, m/s and rad/s");
    tap_note("worst", worst);
    tap_note("touched", touched);
}

// The worlds of joints of tests/physics/lcp.c.
static void test_joints(void)
{
    enum { WORLDS = RUN(40, 6), STEPS = 60 };
    int unsolved = 0, wrong = 0, steps = 0;
    for (jointed_seed = 1; jointed_seed <= WORLDS; jointed_seed++) {
        jointed_build(&m);
        tac_state_init(&m, &s, NULL);
        tac_lcp_init(&q);
        q.directions = TAC_LCP_ROUND;
        for (uint32_t i = 0; i < STEPS; i++) {
            jointed_drive(&m, i, &input);
            const tac_status status = tac_step_lcp(&m, &s, &input, &w, &q);
            if (status == TAC_E_FULL) { break; }
            steps++;
            unsolved += (status & TAC_UNCONVERGED) != 0;
            wrong += status < 0 || tac_check(&m, &s, &w, NULL) < 0;
        }
    }
    tap_equal(wrong, 0, "worlds of joints: no step is refused, and all are whole");
    tap_most(unsolved, 1 + steps / 500, "nearly all are solved");
    tap_note("steps", steps);
    tap_note("unsolved", unsolved);
}

// ------------------------------------------------------------------------------------------------- odd numbers of
// edges

// The part of mu that a polygon has in a direction: as far as it reaches there.
static double reach(int edges, double angle)
{
    const double whole = 2 * TRUTH_PI / edges;
    double x = angle;
    while (x > whole) { x -= whole; }
    return d_cos(TRUTH_PI / edges) / d_cos(x - 0.5 * whole);
}

// It sticks a little below that and slides a little above. u of this contact is along `first` from x.
static void test_edges(int edges)
{
    int wrong = 0;
    for (int i = 0; i < RUN(40, 8); i++) {
        const double angle = 0.157 * i;
        push(0.5, edges, 1, 0);
        (void)tac_accelerations(&m, &s, &input, &w, &q, &now);
        const d3 u = d3_of(w.contact[0].u), across = d3_of(w.contact[0].w);
        const d3 along = d3_add(d3_scale(d_cos(angle), u), d3_scale(d_sin(angle), across));
        for (int beyond = 0; beyond < 2; beyond++) {
            // friction is opposite to the push
            const double force = (beyond ? 1.01 : 0.99) * 0.5 * G * reach(edges, angle);
            input.action[0].linear = d3_to(d3_scale(-force, along));
            wrong += tac_accelerations(&m, &s, &input, &w, &q, &now) != TAC_OK;
            const double a = d3_norm(d3_of(now.body[1].linear));
            wrong += beyond ? a < 0.002 * G * 0.5 : a > G * TOL(1e-8, 1e-3);
            other = s;
            wrong += tac_step_lcp(&m, &other, &input, &w, &q) != TAC_OK;
            const double v = d3_norm(d3_of(other.twist[1].v)) / 0.01;
            wrong += beyond ? v < 0.002 * G * 0.5 : v > G * TOL(1e-8, 1e-3);
        }
    }
    tap_equal(wrong, 0, tap_joined("a polygon sticks and slides as far as it reaches, edges ", edges == 9 ? "9" : "3"));
}

static void test_refused(void)
{
    static const uint8_t none[3] = {1, 2, TAC_LCP_DIRECTIONS + 1};
    for (int i = 0; i < 3; i++) {
        push(0.5, none[i], 1, 0);
        tap_equal(tac_step_lcp(&m, &s, &input, &w, &q), TAC_E_ARG, "a polygon of 1, 2 or 17 edges: no step");
        tap_equal(tac_accelerations(&m, &s, &input, &w, &q, &now), TAC_E_ARG, "no accelerations");
    }
}

int main(void)
{
    test_push();
    test_laws(0.5, "friction up to 0.5: nearly all are solved");
    test_laws(1.5, "friction up to 1.5");
    test_step();
    test_joints();
    test_edges(3);
    test_edges(9);
    test_refused();
    return tap_done();
}
