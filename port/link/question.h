// SPDX-License-Identifier: MIT
// question.h - what a controller asks of a state: host and firmware answer with the same bits.
//   given   the kernel, a model, a state, an input; which question, and the numbers that it asks for
//   makes   link_question_ask(): the answer as a list of numbers, and its hash
//   bound   that of the question, and LINK_MAX_ANSWER numbers
//   never   steps, or changes the state
#ifndef TACTUS_LINK_QUESTION_H
#define TACTUS_LINK_QUESTION_H

#include "tactus/tactus.h"

/// Questions. The numbers are those of an ASK on the line.
enum {
    LINK_QUESTION_ACCELERATIONS, ///< tac_accelerations()
    LINK_QUESTION_SYSTEM,        ///< tac_linearise()
    LINK_QUESTION_DERIVATIVE,    ///< tac_derivative()
    LINK_QUESTIONS
};

typedef struct link_question {
    uint8_t kind;       ///< LINK_QUESTION_*
    uint8_t form;       ///< SYSTEM: TAC_LCS_*; of others 0
    uint8_t directions; ///< ACCELERATIONS: edges of friction cones, 3 .. 16, 0: round; SYSTEM: 1 .. 8; DERIVATIVE: 0
    uint16_t closest;   ///< SYSTEM: only so many pairs of shapes, 0: all; of others 0
} link_question;

/// Most numbers of an answer. A quadruped of 12 joints on four feet has 4400 in its system.
#ifndef LINK_MAX_ANSWER
#define LINK_MAX_ANSWER 6000u
#endif
#if LINK_MAX_ANSWER < 1 || LINK_MAX_ANSWER > 65535
#error "LINK_MAX_ANSWER: 1 .. 65535"
#endif

/// Is there such a question, and are its numbers in range? A kernel without TAC_MAX_LCP knows none.
int link_question_known(link_question question);

#if TAC_MAX_LCP > 0

/// An answer. Numbers of ACCELERATIONS: of each body, the ground first, linear and angular acceleration; of each
/// contact force, acceleration and mode; of each joint acceleration, force and torque. Of SYSTEM: A, B, D, d, E, F, H,
/// c, row by row. Of DERIVATIVE: A, B.
typedef struct link_answer {
    tac_status status;
    tac_fault fault;      ///< if it was refused
    tac_linear_size size; ///< of SYSTEM and DERIVATIVE, whose l is not that of a matrix; else zeros
    uint16_t contacts;    ///< of ACCELERATIONS and SYSTEM; else 0
    uint16_t numbers;     ///< in use in number[]
    uint64_t hash;        ///< 64 bit FNV-1a over the bits of all numbers, low byte first
    tac_real number[LINK_MAX_ANSWER];
} link_answer;

/// Work areas of questions.
typedef struct link_asked {
    tac_lcp lcp;
    tac_instant instant;
    link_answer answer;
} link_asked;

/// Ask. The answer is in asked->answer, its status is returned: that of the kernel, or TAC_E_FULL with
/// TAC_COUNT_CONTACTS if the answer has more than LINK_MAX_ANSWER numbers. `work` is scratch: the results of a step in
/// it are lost.
tac_status link_question_ask(link_question question, link_asked *asked, const tac_model *model, const tac_state *state,
                             const tac_input *input, tac_work *work);

#endif

#endif
