// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// No answer depends on what the memory held that it was found in: random forests, stepped and asked by every function
// that uses a work area, in areas of zeros, of 0xFF, and in one that other worlds have left. Each result is compared to
// the bit: states, reports, contacts, reactions, certificates, what controllers ask, systems and derivatives, the steps
// of the papers. Under valgrind (golden/undefined.t) the areas hold nothing that has been written.
#include "forest.h"
#include "tap.h"

#undef tac_model_seal
#define tac_model_seal(model, fault) tac_model_seal_for(tac_layout_here(), model, fault)
#undef tac_state_init
#undef tac_step
#undef tac_step_begin
#undef tac_step_end
#undef tac_contacts
#undef tac_cast
#undef tac_distance
#undef tac_overlap

#ifndef WORLDS
#define WORLDS RUN(10000, 200)
#endif

enum { STEPS = 2, N = TAC_MAX_VELOCITIES, P = TAC_MAX_POSITIONS, L = 120 };

// What an area holds before it is used.
enum { ZEROS, ONES, LEFTOVERS, FILLS };

static tac_model m, other; // the world, and the one before it
static tac_state s;
static tac_input in;
static tac_work w;
static struct {
    tac_real A[2 * N * 2 * N], B[2 * N * N], D[2 * N * L], d[2 * N], E[L * 2 * N], F[L * L], H[L * N], c[L];
} out;

// Results, one after the other, to the bit.
static uint64_t hash;

static void see(const void *object, size_t size)
{
    const uint8_t *byte = object;
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        __builtin_memcpy(&word, byte + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
}

static void see_number(int64_t x)
{
    see(&x, sizeof x);
}

#define SEE(object) see(&(object), sizeof(object))

// The part of a struct that is reals, from its member `first` to the end; or up to before `last`.
#define SEE_FROM(object, type, first) see(&(object)->first, sizeof *(object)-offsetof(type, first))
#define SEE_PART(object, type, first, last) see(&(object)->first, offsetof(type, last) - offsetof(type, first))

// ------------------------------------------------------------------------------------------------------------- memory

#ifdef TAP_UNDEFINED
#define FORGET(object, size) VALGRIND_MAKE_MEM_UNDEFINED(object, size)
#define KNOW(object) VALGRIND_MAKE_MEM_DEFINED(&(object), sizeof(object))
#else
#define FORGET(object, size) (void)(size)
#define KNOW(object) (void)0
#endif

static void fill(void *object, size_t size, int with)
{
    if (with == LEFTOVERS) { return; }
    __builtin_memset(object, with == ONES ? UINT8_MAX : 0, size); // a megabyte for each world
    FORGET(object, size);
}

// The words that say what an area has kept of an earlier use are read whatever they hold.
static void fill_work(int with)
{
    fill(&w, sizeof w, with);
    KNOW(w.linked);
    KNOW(w.topology.model_hash);
    KNOW(w.open);
    KNOW(w.scratch.mechanism.model_hash);
}

// Between steps an area may answer about another model: what it has of this one, and what of that, must not be mixed.
static void ask_other(int with)
{
    tac_coordinates map;
    if (with == LEFTOVERS) { (void)tac_model_get_coordinates(&other, &w, &map); }
}

// Before a question: what the step has left stays, scratch and arrays for answers do not.
static void fill_scratch(int with)
{
    fill(&w.scratch, sizeof w.scratch, with);
    KNOW(w.scratch.mechanism.model_hash);
    fill(&out, sizeof out, with);
}

// ------------------------------------------------------------------------------------------------------------ results

static void see_contact(const tac_contact *x)
{
    see_number(x->id.shape_a), see_number(x->id.shape_b), see_number(x->id.feature);
    see_number(x->body_a), see_number(x->body_b), see_number(x->mode);
    SEE_FROM(x, tac_contact, point);
}

static void see_report(void)
{
    const tac_report *x = &w.report;
    see_number(x->status), see_number(x->fault.field), see_number(x->fault.index), see_number(x->fault.reason);
    see_number(x->contacts), see_number(x->dropped), see_number(x->sweeps), see_number(x->impacts);
    see_number(x->stages), see_number(x->friction), see_number(x->joint_iterations);
    for (int i = 0; i < x->stages; i++) { SEE(x->stage[i]); }
    SEE_FROM(x, tac_report, residual);
    for (int i = 0; i < x->contacts; i++) { see_contact(&w.contact[i]); }
}

static void see_joints(void)
{
    for (uint32_t i = 0; i < m.joints; i++) { SEE(w.joint[i]); }
}

static void see_state(const tac_state *x)
{
    const uint64_t own = tac_state_hash(&m, x);
    SEE(own);
    see_number(x->contacts_peak);
}

static void see_step(tac_status status, const tac_state *x)
{
    see_number(status);
    see_report();
    see_state(x);
    if (status >= 0) { see_joints(); }
}

// ----------------------------------------------------------------------------------------------- questions to a step

static void ask_step(int with)
{
    static tac_certificate proof;
    static tac_real rates[N];
    tac_wrench force;
    fill(&proof, sizeof proof, with);
    tac_status status = tac_certify(&m, &w, &proof);
    see_number(status);
    if (status >= 0) {
        SEE_PART(&proof, tac_certificate, r_eom, open);
        see_number(proof.open), see_number(proof.stick), see_number(proof.slide), see_number(proof.friction);
    }
    see_number(tac_reactions(&m, &w));
    see_joints();
    fill(rates, sizeof rates, with);
    status = tac_step_accelerations(&m, &s, &w, rates);
    see_number(status);
    tac_coordinates map;
    tac_model_get_coordinates(&m, &w, &map);
    if (status >= 0) { see(rates, map.velocities * sizeof *rates); }
    for (uint16_t i = 0; i < m.bodies; i++) {
        if (tac_body_force(&m, &w, i, vec(0, 0, 0), &force) == TAC_OK) { SEE(force); }
    }
}

static void ask_least_norm(void)
{
    see_number(tac_least_norm(&m, &w, 20));
    for (int i = 0; i < w.report.contacts; i++) { see_contact(&w.contact[i]); }
}

// ---------------------------------------------------------------------------------------------- questions to a state

static void ask_robot(int with)
{
    static tac_coordinates map;
    static tac_real q[P], rate[N], x[N];
    static tac_centroid centroid;
    static tac_point_motion motion;
    static tac_state moved;
    const uint16_t last = (uint16_t)(m.bodies - 1);
    fill_work(with);
    see_number(tac_model_get_coordinates(&m, &w, &map));
    const size_t n = map.velocities, row = n * sizeof *x;
    fill_scratch(with);
    see_number(tac_state_get_coordinates(&m, &s, &w, q, rate));
    see(q, map.positions * sizeof *q), see(rate, row);
    fill_scratch(with);
    see_number(tac_mass_matrix(&m, &s, &w, out.A)), see(out.A, n * row);
    fill_scratch(with);
    see_number(tac_jacobian(&m, &s, last, vec(0.1, 0.2, 0.3), TAC_AXES_BODY, &w, out.A)), see(out.A, 6 * row);
    fill_scratch(with);
    see_number(tac_body_point(&m, &s, last, vec(0.1, 0.2, 0.3), TAC_AXES_WORLD, &w, &motion)), SEE(motion);
    fill_scratch(with);
    see_number(tac_centroidal(&m, &s, TAC_NONE, &w, &centroid, out.A)), SEE(centroid), see(out.A, 6 * row);
    fill_scratch(with);
    see_number(tac_bias(&m, &s, &w, x)), see(x, row);
    fill_scratch(with);
    see_number(tac_gravity_effort(&m, &s, &w, x)), see(x, row);
    fill_scratch(with);
    see_number(tac_inverse_dynamics(&m, &s, rate, &w, x)), see(x, row);
    fill_scratch(with);
    see_number(tac_forward_dynamics(&m, &s, rate, &w, x)), see(x, row);
    moved = s;
    fill_scratch(with);
    see_number(tac_state_set_coordinates(&m, &moved, q, rate, &w)), see_state(&moved);
}

static void ask_geometry(int with)
{
    static tac_nearest near;
    static tac_hit hit;
    const tac_ray ray = {vec(-20, 0.01, 0.2), vec(1, 0, 0), 40, (tac_real)0.01, TAC_NONE, 1, 0xffff};
    const tac_shape ball = tac_shape_make(TAC_NONE, TAC_SPHERE, vec(1, 1, 1));
    uint16_t list[TAC_MAX_SHAPES];
    fill_work(with);
    see_number(tac_contacts(&m, &s, (uint16_t)(m.bodies - 1), TAC_AUTO, &w)), see_report();
    fill_scratch(with);
    see_number(tac_cast(&m, &s, &ray, &w, &hit)), SEE(hit.distance), SEE(hit.point), SEE(hit.n), see_number(hit.shape);
    fill_scratch(with);
    see_number(tac_distance(&m, &s, 0, (uint16_t)(m.bodies - 1), &w, &near));
    SEE_PART(&near, tac_nearest, gap, shape_a), see_number(near.shape_a), see_number(near.shape_b);
    fill_scratch(with);
    const int32_t found = tac_overlap(&m, &s, &ball, (tac_real)0.1, &w, list, TAC_MAX_SHAPES);
    see_number(found), see(list, found > 0 ? (size_t)found * sizeof *list : 0);
}

// ------------------------------------------------------------------------------------------------ steps of the papers

#if TAC_MAX_LCP > 0

static tac_lcp lcp;
static tac_instant instant;
static tac_dae dae;
static tac_ncp ncp;

static void fill_problem(int with)
{
    fill_work(with);
    fill(&out, sizeof out, with);
    fill(&lcp, sizeof lcp, with);
    tac_lcp_init(&lcp);
}

static void ask_linear(int with)
{
    tac_lcs y;
    fill_problem(with);
    tac_lcs_init(&y);
    y.A = out.A, y.B = out.B, y.D = out.D, y.d = out.d, y.E = out.E, y.F = out.F, y.H = out.H, y.c = out.c;
    y.room = (tac_linear_size){2 * N, N, L};
    const tac_status status = tac_linearise(&m, &s, &in, &w, &lcp, &y);
    see_number(status), see_number(w.report.fault.field), see_number(w.report.fault.index);
    if (status < 0) { return; }
    const size_t x = y.size.x, u = y.size.u, l = y.size.l, real = sizeof *out.A;
    see(out.A, x * x * real), see(out.B, x * u * real), see(out.D, x * l * real), see(out.d, x * real);
    see(out.E, l * x * real), see(out.F, l * l * real), see(out.H, l * u * real), see(out.c, l * real);
}

static void ask_derivative(int with)
{
    tac_step_derivative y = {0};
    fill_problem(with);
    y.A = out.A, y.B = out.B;
    y.room = (tac_linear_size){2 * N, N, L};
    const tac_status status = tac_derivative(&m, &s, &in, &w, &lcp, &y);
    see_number(status), see_number(w.report.fault.field), see_number(w.report.fault.index);
    if (status < 0) { return; }
    const size_t x = y.size.x, u = y.size.u, real = sizeof *out.A;
    see_number(y.size.l), see(out.A, x * x * real), see(out.B, x * u * real);
}

static void see_instant(tac_status status)
{
    see_number(status), see_number(instant.contacts), see_number(instant.impacts), see_number(instant.paradoxes);
    if (status < 0) { return; }
    see(instant.body, m.bodies * sizeof *instant.body);
    for (int i = 0; i < instant.contacts; i++) {
        SEE(instant.contact[i].force), SEE(instant.contact[i].acceleration), see_number(instant.contact[i].mode);
    }
    see(instant.joint, m.joints * sizeof *instant.joint);
}

// The steps of the papers, and what else takes a problem: one of them for each world.
static void ask_papers(uint64_t seed, int with)
{
    static tac_state end;
    tac_qualification proof = {0};
    end = s;
    fill_problem(with);
    switch (seed % 5) {
    case 0:
        see_step(tac_step_lcp(&m, &end, &in, &w, &lcp), &end);
        if (w.report.status < 0) { return; }
        see_number(lcp.rows), see(lcp.z, lcp.rows * sizeof *lcp.z), SEE(lcp.residual), see_number(lcp.end);
        return;
    case 1:
        fill(&instant, sizeof instant, with);
        see_instant(tac_accelerations(&m, &end, &in, &w, &lcp, &instant));
        return;
    case 2:
        see_number(tac_qualify(&m, &end, (tac_real)1e-3, &w, &lcp, &proof));
        see_number(proof.contacts), see_number(proof.rows), see_number(proof.rank), SEE(proof.clearance);
        return;
    case 3:
        fill(&ncp, sizeof ncp, with);
        tac_ncp_init(&ncp);
        see_step(tac_step_implicit(&m, &end, &in, &w, &ncp), &end);
        return;
    default:
        fill(&dae, sizeof dae, with);
        tac_dae_init(&dae);
        dae.method = (uint8_t)(seed / 5 % TAC_DAE_METHODS);
        dae.solver = (uint8_t)(seed / 40 % TAC_DAE_SOLVERS);
        for (int k = 0; k < 2; k++) { see_step(tac_step_dae(&m, &end, &in, &w, &dae), &end); }
    }
}

static void ask_problems(uint64_t seed, int with)
{
    if (seed % 4 == 0) { ask_linear(with); }
    if (seed % 4 == 2) { ask_derivative(with); }
    ask_papers(seed, with);
}

#else

static void ask_problems(uint64_t seed, int with)
{
    (void)seed, (void)with;
}

#endif

// -------------------------------------------------------------------------------------------------------------- worlds

// All results of a world, in memory that holds this.
static uint64_t results(uint64_t seed, int with)
{
    hash = UINT64_C(0xcbf29ce484222325);
    fill(&s, sizeof s, with);
    tac_state_init(&m, &s, NULL);
    for (int k = 0; k < STEPS; k++) {
        fill_work(with);
        ask_other(with);
        see_step(tac_step(&m, &s, &in, &w), &s);
    }
    ask_step(with);
    ask_least_norm();
    if (seed % 2) {
        ask_robot(with);
    } else {
        ask_geometry(with);
    }
    ask_problems(seed, with);
    return hash;
}

// A world for the papers: without joints for CBAT07, without contacts and friction for TCE17.
static int world_of(uint64_t seed)
{
    const int what = seed % 5 == 4 ? FOREST_ALL & ~(FOREST_SHAPES | FOREST_PASSING | FOREST_RUBS) : FOREST_ALL;
    forest_build(&m, &in, seed, what);
    m.options.solver = (uint8_t)(seed / 3 % (TAC_SOLVER_AUTO + 1));
    m.options.friction = (uint8_t)(seed / 7 % 2);
    m.options.stabilise = (uint8_t)(seed % 11 == 0);
    if (seed % 5 == 3) { m.joints = in.motors = 0; }
    if (TAC_MAX_FILL == 0 && m.joints == 0 && m.options.solver == TAC_SOLVER_DIRECT) { m.options.solver = TAC_SOLVER_AUTO; }
#if TAC_ROLLING
    if (seed % 6 == 1) { m.material[0].spinning = m.material[0].rolling = (tac_real)(0.02 * (double)m.h); }
#endif
    return tac_model_seal(&m, NULL) == TAC_OK;
}

int main(void)
{
    uint64_t differ = 0, refused = 0, first = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        if (!world_of(seed)) {
            refused++;
            continue;
        }
        uint64_t all[FILLS];
        for (int with = 0; with < FILLS; with++) { all[with] = results(seed, with); }
        other = m;
        if (all[ZEROS] == all[ONES] && all[ZEROS] == all[LEFTOVERS]) { continue; }
        if (differ == 0) { first = seed; }
        differ++;
    }
    tap_equal(refused, 0, "worlds are legal");
    tap_note("seed of the first that differs", first);
    tap_equal(differ, 0, "worlds whose results depend on what memory held");
    return tap_done();
}
