// SPDX-License-Identifier: MIT
#include "link/question.h"

#if TAC_MAX_LCP > 0

// ------------------------------------------------------------------------------------------------- a list of numbers

static void add_number(link_answer *answer, tac_real x)
{
    if (answer->numbers < LINK_MAX_ANSWER) answer->number[answer->numbers] = x;
    if (answer->numbers < UINT16_MAX) answer->numbers++;
}

static void add_vector(link_answer *answer, tac_vec3 v)
{
    add_number(answer, v.x);
    add_number(answer, v.y);
    add_number(answer, v.z);
}

static uint64_t hash_of(const link_answer *answer)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (uint32_t i = 0; i < answer->numbers; i++) {
        union {
            tac_real real;
#if TAC_REAL_BITS == 32
            uint32_t bits;
#else
            uint64_t bits;
#endif
        } pun;
        pun.real = answer->number[i];
        for (uint32_t byte = 0; byte < sizeof pun.bits; byte++) {
            hash = (hash ^ (pun.bits >> 8 * byte & 255)) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

static tac_status no_room(link_answer *answer)
{
    answer->numbers = 0;
    answer->fault = (tac_fault){TAC_FIELD_COUNT, TAC_COUNT_CONTACTS, TAC_REASON_FULL};
    return TAC_E_FULL;
}

static tac_status refused(link_answer *answer, tac_status status, const tac_work *work)
{
    answer->numbers = 0;
    answer->fault = work->report.fault;
    return status;
}

// ----------------------------------------------------------------------------------------------------- accelerations

static void list_instant(const tac_model *model, const tac_instant *found, link_answer *answer)
{
    for (uint16_t i = 0; i < model->bodies; i++) {
        add_vector(answer, found->body[i].linear);
        add_vector(answer, found->body[i].angular);
    }
    for (uint16_t i = 0; i < found->contacts; i++) {
        add_vector(answer, found->contact[i].force);
        add_vector(answer, found->contact[i].acceleration);
        add_number(answer, found->contact[i].mode);
    }
#if TAC_MAX_JOINTS > 0
    for (uint32_t i = 0; i < model->joints; i++) {
        add_number(answer, found->joint[i].acceleration);
        add_vector(answer, found->joint[i].reaction.force);
        add_vector(answer, found->joint[i].reaction.torque);
    }
#endif
}

static tac_status ask_accelerations(link_question question, link_asked *asked, const tac_model *model,
                                    const tac_state *state, const tac_input *input, tac_work *work)
{
    link_answer *answer = &asked->answer;

    asked->lcp.directions = question.directions;
    const tac_status status = tac_accelerations(model, state, input, work, &asked->lcp, &asked->instant);
    if (status < 0) return refused(answer, status, work);
    answer->contacts = asked->instant.contacts;
    list_instant(model, &asked->instant, answer);
    return answer->numbers > LINK_MAX_ANSWER ? no_room(answer) : status;
}

// ------------------------------------------------------------------------------------------- matrices, one after other

// The numbers of a system of these sizes.
static uint32_t system_numbers(tac_linear_size n)
{
    const uint32_t x = n.x, u = n.u, l = n.l;
    return (x + l) * (x + u + l + 1);
}

// The most rows of contacts that there is room for.
static void system_rows(tac_linear_size *room)
{
    room->l = TAC_MAX_LCP;
    while (room->l > 0 && system_numbers(*room) > LINK_MAX_ANSWER) room->l--;
}

// Where the matrices of a system with such room begin.
static void system_place(tac_lcs *y, tac_real *at)
{
    const uint32_t x = y->room.x, u = y->room.u, l = y->room.l;

    y->A = at, at += x * x;
    y->B = at, at += x * u;
    y->D = at, at += x * l;
    y->d = at, at += x;
    y->E = at, at += l * x;
    y->F = at, at += l * l;
    y->H = at, at += l * u;
    y->c = at;
}

// Moves a matrix of so many numbers to the end of the list. It never lies before that.
static void list_matrix(link_answer *answer, const tac_real *matrix, uint32_t rows, uint32_t columns)
{
    for (uint32_t i = 0; i < rows * columns; i++) add_number(answer, matrix[i]);
}

static tac_status ask_system(link_question question, link_asked *asked, const tac_model *model, const tac_state *state,
                             const tac_input *input, tac_work *work)
{
    link_answer *answer = &asked->answer;
    tac_lcs y;

    tac_lcs_init(&y);
    y.form = question.form;
    y.directions = question.directions;
    y.closest = question.closest;
    tac_status status = tac_lcs_sizes(model, &y, 0, work, &y.room);
    if (status < 0) return status;
    system_rows(&y.room);
    if (system_numbers(y.room) > LINK_MAX_ANSWER) return no_room(answer);
    system_place(&y, answer->number);
    status = tac_linearise(model, state, input, work, &asked->lcp, &y);
    if (status < 0) return refused(answer, status, work);

    const tac_linear_size n = answer->size = y.size;
    answer->contacts = y.contacts;
    list_matrix(answer, y.A, n.x, n.x);
    list_matrix(answer, y.B, n.x, n.u);
    list_matrix(answer, y.D, n.x, n.l);
    list_matrix(answer, y.d, n.x, 1);
    list_matrix(answer, y.E, n.l, n.x);
    list_matrix(answer, y.F, n.l, n.l);
    list_matrix(answer, y.H, n.l, n.u);
    list_matrix(answer, y.c, n.l, 1);
    return status;
}

static tac_status ask_derivative(link_asked *asked, const tac_model *model, const tac_state *state,
                                 const tac_input *input, tac_work *work)
{
    link_answer *answer = &asked->answer;
    tac_step_derivative y = {0};
    tac_lcs of_all;

    tac_lcs_init(&of_all);
    tac_status status = tac_lcs_sizes(model, &of_all, 0, work, &y.room);
    if (status < 0) return status;
    const uint32_t x = y.room.x, u = y.room.u;
    if (x * (x + u) > LINK_MAX_ANSWER) return no_room(answer);
    y.A = answer->number;
    y.B = answer->number + x * x;
    status = tac_derivative(model, state, input, work, &asked->lcp, &y);
    if (status < 0) return refused(answer, status, work);

    answer->size = y.size;
    list_matrix(answer, y.A, y.size.x, y.size.x);
    list_matrix(answer, y.B, y.size.x, y.size.u);
    return status;
}

// ---------------------------------------------------------------------------------------------------------- a question

int link_question_known(link_question question)
{
    const uint8_t directions = question.directions;

    switch (question.kind) {
    case LINK_QUESTION_ACCELERATIONS:
        return question.form == 0 && question.closest == 0 &&
               (directions == TAC_LCP_ROUND || (directions >= 3 && directions <= TAC_LCP_DIRECTIONS));
    case LINK_QUESTION_SYSTEM:
        return question.form < TAC_LCS_FORMS && directions >= 1 && directions <= TAC_LCS_DIRECTIONS;
    case LINK_QUESTION_DERIVATIVE:
        return question.form == 0 && question.closest == 0 && directions == 0;
    default:
        return 0;
    }
}

static tac_status ask(link_question question, link_asked *asked, const tac_model *model, const tac_state *state,
                      const tac_input *input, tac_work *work)
{
    switch (question.kind) {
    case LINK_QUESTION_ACCELERATIONS:
        return ask_accelerations(question, asked, model, state, input, work);
    case LINK_QUESTION_SYSTEM:
        return ask_system(question, asked, model, state, input, work);
    default:
        return ask_derivative(asked, model, state, input, work);
    }
}

tac_status link_question_ask(link_question question, link_asked *asked, const tac_model *model, const tac_state *state,
                             const tac_input *input, tac_work *work)
{
    link_answer *answer = &asked->answer;

    tac_lcp_init(&asked->lcp);
    answer->fault = (tac_fault){TAC_FIELD_NONE, 0, TAC_REASON_NONE};
    answer->size = (tac_linear_size){0, 0, 0};
    answer->contacts = 0;
    answer->numbers = 0;
    answer->status = link_question_known(question) ? ask(question, asked, model, state, input, work) : TAC_E_ARG;
    answer->hash = hash_of(answer);
    return answer->status;
}

#else

int link_question_known(link_question question)
{
    (void)question;
    return 0;
}

#endif
