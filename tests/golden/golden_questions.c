// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for what a controller asks: accelerations and forces of an instant, the step as a linear complementarity
// system in both forms and with planar friction, its derivative,
// by parameters too. The hash is that of all answers.
#include "robots.h"
#include "tap.h"
#include "golden/answers.h"

enum { X = 40, U = 20, L = 120, EVERY = 10 }; // room of the arrays; steps between questions
enum { P = 5 };                               // parameters of the derivative

static const char *const library[] = {"stand", "trot", "gripper", "chain", "door", "hand"};

enum { GOLDEN_LIBRARY = sizeof library / sizeof library[0] };

static tac_lcp lcp;
static tac_lcs lcs;
static tac_instant instant;
static tac_step_derivative derivative;
static tac_real by_parameters[X * P];
static tac_real A[X * X], B[X * U], D[X * L], d[X], E[L * X], F[L * L], H[L * U], c[L];

// Returns 1 if there is an answer.
static int add_status(tac_status status)
{
    add_number((uint64_t)(int64_t)status);
    return status >= 0;
}

static void ask_accelerations(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    tac_lcp_init(&lcp);
    if (!add_status(tac_accelerations(m, s, input, w, &lcp, &instant))) { return; }
    for (uint32_t i = 0; i < m->bodies; i++) {
        add_vector(&instant.body[i].linear);
        add_vector(&instant.body[i].angular);
    }
    for (uint32_t i = 0; i < instant.contacts; i++) {
        add_vector(&instant.contact[i].force);
        add_vector(&instant.contact[i].acceleration);
        add_number(instant.contact[i].mode);
    }
    for (uint32_t i = 0; i < m->joints; i++) {
        add_vector(&instant.joint[i].reaction.force);
        add_vector(&instant.joint[i].reaction.torque);
        add_real(instant.joint[i].acceleration);
    }
}

static void ask_system(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, uint8_t form,
                       uint8_t directions)
{
    tac_lcp_init(&lcp);
    tac_lcs_init(&lcs);
    lcs.A = A, lcs.B = B, lcs.D = D, lcs.d = d, lcs.E = E, lcs.F = F, lcs.H = H, lcs.c = c;
    lcs.room = (tac_linear_size){X, U, L};
    lcs.form = form;
    lcs.directions = directions;
    if (!add_status(tac_linearise(m, s, input, w, &lcp, &lcs))) { return; }
    const uint32_t x = lcs.size.x, u = lcs.size.u, l = lcs.size.l;
    add_number(x | u << 8 | l << 16);
    add_reals(A, x * x), add_reals(B, x * u), add_reals(D, x * l), add_reals(d, x);
    add_reals(E, l * x), add_reals(F, l * l), add_reals(H, l * u), add_reals(c, l);
}

static void ask_derivative(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    tac_lcp_init(&lcp);
    static const tac_parameter list[P] = {
        {0, TAC_FIT_FRICTION}, {1, TAC_FIT_MASS}, {1, TAC_FIT_INERTIA}, {0, TAC_FIT_JOINT_DAMPING}, {0, TAC_FIT_MOTOR}};
    derivative = (tac_step_derivative){.A = A, .B = B, .room = {X, U, L}};
    derivative.parameter = list, derivative.parameters = P, derivative.P = by_parameters;
    if (!add_status(tac_derivative(m, s, input, w, &lcp, &derivative))) { return; }
    add_reals(A, (uint32_t)derivative.size.x * derivative.size.x);
    add_reals(B, (uint32_t)derivative.size.x * derivative.size.u);
    add_reals(by_parameters, (uint32_t)derivative.size.x * P);
}

static tac_status question_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    if (state->step == 0) { answers = ANSWERS_START; }
    if (state->step % EVERY == 0) {
        ask_accelerations(model, state, input, work);
        ask_system(model, state, input, work, TAC_LCS_STEWART_TRINKLE, 2);
        ask_system(model, state, input, work, TAC_LCS_ANITESCU, 2);
        ask_system(model, state, input, work, TAC_LCS_STEWART_TRINKLE, 1);
        ask_derivative(model, state, input, work);
    }
    return tac_step(model, state, input, work);
}

static uint64_t question_hash(const tac_model *model, const tac_state *state)
{
    add_number(tac_state_hash(model, state));
    return answers;
}

static const scene *question_scene(unsigned i)
{
    return robot_find(library[i]);
}

#define GOLDEN_TABLE "golden_questions.h"
#define GOLDEN_SCENE question_scene
#define GOLDEN_STEP question_step
#define GOLDEN_HASH question_hash
#define GOLDEN_COUNT GOLDEN_LIBRARY
#define GOLDEN_FIND robot_find
#define GOLDEN_MOST 40
#define GOLDEN_ABSENT 0
#include "golden.c"
