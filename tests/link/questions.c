// SPDX-License-Identifier: MIT
// config: all
// Questions on the link: the answers are those of the kernel here, to the bit, whole and by their hash; nothing moves;
// what is refused.
#include "pair.h"
#include "robots.h"
#include "tap.h"
#include "truth.h"

enum { X = 40, U = 20, L = 120 };

static link_client client;
static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;
static tac_lcp lcp;
static link_asking asking;
static tac_real number[LINK_MAX_ANSWER];

// A robot of the library after so many steps, on both sides.
static void open_robot(const char *name, uint32_t steps)
{
    const scene *s = robot_find(name);
    s->build(&model);
    tac_model_seal(&model, NULL);
    pair_open(&client, (pair_damage){0}, 1);
    tac_state_init(&model, &state, NULL);
    truth_fill(&input, sizeof input, 0);
    for (uint32_t i = 0; i <= steps; i++) {
        if (s->drive != NULL) { s->drive(&model, i, &input); }
        if (i < steps) { tac_step(&model, &state, &input, &work); }
    }
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "a model");
    tap_equal(link_client_set_state(&client, &model, &state), LINK_DONE, "a state");
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "an input");
}

static void ask(link_question question, const char *name)
{
    const uint64_t before = tac_state_hash(&pair_model, &pair_state);
    tap_equal(link_client_ask(&client, question, &asking), LINK_DONE, name);
    tap_equal(link_client_get_answer(&client, &asking, number), LINK_DONE, "its numbers");
    tap_hash(tac_state_hash(&pair_model, &pair_state), before, "nothing has moved");
}

// How many of these numbers differ from those of the answer, from `at` on?
static int differ(uint32_t at, const tac_real *x, uint32_t count)
{
    int sum = 0;
    for (uint32_t i = 0; i < count; i++) { sum += !(number[at + i] == x[i]); }
    return sum;
}

static void test_accelerations(void)
{
    static tac_instant found;
    open_robot("stand", 200);
    ask((link_question){LINK_QUESTION_ACCELERATIONS, 0, 8, 0}, "accelerations");
    tac_lcp_init(&lcp);
    const tac_status status = tac_accelerations(&model, &state, &input, &work, &lcp, &found);
    tap_equal(asking.status, status, "the status");
    tap_equal(asking.contacts, found.contacts, "the contacts");
    tap_equal(asking.numbers, 6u * model.bodies + 7u * found.contacts + 7u * model.joints, "so many numbers");
    int wrong = 0;
    for (uint32_t i = 0; i < model.bodies; i++) {
        const tac_acceleration *a = &found.body[i];
        const tac_real all[6] = {a->linear.x, a->linear.y, a->linear.z, a->angular.x, a->angular.y, a->angular.z};
        wrong += differ(6 * i, all, 6);
    }
    tap_equal(wrong, 0, "of bodies: to the bit");
    const uint32_t joints = 6u * model.bodies + 7u * found.contacts;
    for (uint32_t i = 0; i < model.joints; i++) { wrong += differ(joints + 7 * i, &found.joint[i].acceleration, 1); }
    tap_equal(wrong, 0, "of joints too");
}

static void test_system(uint8_t form, uint8_t directions, const char *name)
{
    static tac_real A[X * X], B[X * U], D[X * L], d[X], E[L * X], F[L * L], H[L * U], c[L];
    tac_lcs y;
    open_robot("trot", 100);
    ask((link_question){LINK_QUESTION_SYSTEM, form, directions, 0}, name);
    tac_lcp_init(&lcp);
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = d, y.E = E, y.F = F, y.H = H, y.c = c;
    y.room = (tac_linear_size){X, U, L};
    y.form = form, y.directions = directions;
    tap_equal(tac_linearise(&model, &state, &input, &work, &lcp, &y), asking.status, "the status");
    const uint32_t x = y.size.x, u = y.size.u, l = y.size.l;
    tap_ok(asking.size.x == x && asking.size.u == u && asking.size.l == l, "the sizes");
    tap_equal(asking.numbers, (x + l) * (x + u + l + 1), "so many numbers");
    const struct {
        const tac_real *x;
        uint32_t count;
    } part[] = {{A, x * x}, {B, x * u}, {D, x * l}, {d, x}, {E, l * x}, {F, l * l}, {H, l * u}, {c, l}};
    uint32_t at = 0;
    int wrong = 0;
    for (int i = 0; i < 8; i++) {
        wrong += differ(at, part[i].x, part[i].count);
        at += part[i].count;
    }
    tap_equal(wrong, 0, "to the bit");
}

static void test_derivative(void)
{
    static tac_real A[X * X], B[X * U];
    tac_step_derivative y = {.A = A, .B = B, .room = {X, U, 0}};
    static link_asked here;
    open_robot("trot", 100);
    ask((link_question){LINK_QUESTION_DERIVATIVE, 0, 0, 0}, "a derivative");
    tac_lcp_init(&lcp);
    tap_equal(tac_derivative(&model, &state, &input, &work, &lcp, &y), asking.status, "the status");
    const uint32_t x = y.size.x, u = y.size.u;
    tap_equal(differ(0, A, x * x) + differ(x * x, B, x * u), 0, "to the bit");
    link_question_ask((link_question){LINK_QUESTION_DERIVATIVE, 0, 0, 0}, &here, &model, &state, &input, &work);
    tap_hash(here.answer.hash, asking.hash, "the hash of the same question here");
    A[0] = 2 * A[0] + 1;
    tap_ok(differ(0, A, 1) == 1, "another number is seen");
}

static void refused(link_question question, int reason, const char *name)
{
    tap_equal(link_client_ask(&client, question, &asking), LINK_REFUSED, name);
    tap_equal(client.error.reason, reason, "for this reason");
}

static void test_refused(void)
{
    static const uint8_t beyond[4] = {0xff, 0xff, 0, 0};
    tac_report report;
    open_robot("four_bar", 0);
    tap_equal(link_client_call(&client, LINK_GET_ANSWER, LINK_ANY_STEP, beyond, 4), LINK_REFUSED, "no answer yet");
    tap_equal(client.error.reason, LINK_E_RANGE, "for its range");
    refused((link_question){LINK_QUESTIONS, 0, 0, 0}, LINK_E_RANGE, "no such question");
    refused((link_question){LINK_QUESTION_SYSTEM, TAC_LCS_FORMS, 2, 0}, LINK_E_RANGE, "no such form");
    refused((link_question){LINK_QUESTION_SYSTEM, 0, 9, 0}, LINK_E_RANGE, "nine directions");
    refused((link_question){LINK_QUESTION_ACCELERATIONS, 0, 2, 0}, LINK_E_RANGE, "two edges");
    refused((link_question){LINK_QUESTION_DERIVATIVE, 0, 2, 0}, LINK_E_RANGE, "directions of a derivative");
    refused((link_question){LINK_QUESTION_SYSTEM, 0, 2, 0}, LINK_E_KERNEL, "joints that close a loop");
    tap_ok(client.error.status == TAC_E_ARG && client.error.fault.field == TAC_FIELD_JOINT_KIND, "by the kernel");
    tap_equal(link_client_call(&client, LINK_ASK, LINK_ANY_STEP, beyond, 4), LINK_REFUSED, "a short question");
    tap_equal(client.error.reason, LINK_E_LENGTH, "for its length");
    link_stepped stepped;
    tap_equal(link_client_step(&client, 1, &stepped), LINK_DONE, "a step");
    tap_equal(link_client_ask(&client, (link_question){LINK_QUESTION_ACCELERATIONS, 0, 4, 0}, &asking), LINK_DONE,
              "a question after it");
    tap_equal(link_client_get_report(&client, &report), LINK_DONE, "the report");
    tap_equal(report.stages, 0, "is that of no step");
}

// A question that has more numbers than there is room for: eleven bodies that move freely, x of 132.
static void test_room(void)
{
    tac_model_init(&model);
    for (int i = 0; i < 11; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){(tac_real)i, 0, 0});
        b.mass = 1, b.inertia = (tac_vec3){1, 1, 1};
        tac_model_add_body(&model, &b);
    }
    tac_model_seal(&model, NULL);
    pair_open(&client, (pair_damage){0}, 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "eleven bodies");
    refused((link_question){LINK_QUESTION_SYSTEM, 0, 2, 0}, LINK_E_KERNEL, "too many numbers");
    tap_equal(client.error.status, TAC_E_FULL, "no room");
}

int main(void)
{
    test_accelerations();
    test_system(TAC_LCS_STEWART_TRINKLE, 2, "a system of Stewart and Trinkle");
    test_system(TAC_LCS_ANITESCU, 3, "of Anitescu");
    test_system(TAC_LCS_STEWART_TRINKLE, 1, "planar");
    test_derivative();
    test_refused();
    test_room();
    return tap_done();
}
