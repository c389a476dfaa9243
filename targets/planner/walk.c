// SPDX-License-Identifier: MIT
// walk.c - stand up and walk: heights, postures and a place that moves, as tables over time and over the phase of a
// trot.
#include "goal.h"

// Joints of a leg, hip, thigh and knee, with the foot below the hip: at these heights of the trunk it stands up.
enum { RISES = 11, PHASES = 8 };
static const tac_real rise[RISES][3] = {{0, R(0.8202), R(-1.6405)},
                                        {0, R(0.8011), R(-1.6021)},
                                        {0, R(0.7487), R(-1.4975)},
                                        {0, R(0.6704), R(-1.3409)},
                                        {0, R(0.5726), R(-1.1453)},
                                        {0, R(0.4614), R(-0.9228)},
                                        {0, R(0.3427), R(-0.6854)},
                                        {0, R(0.2238), R(-0.4475)},
                                        {0, R(0.1150), R(-0.2300)},
                                        {0, R(0.0327), R(-0.0654)},
                                        {0, 0, 0}};
static const tac_real height[RISES][3] = {{0, 0, R(0.0800)}, {0, 0, R(0.0876)}, {0, 0, R(0.1081)}, {0, 0, R(0.1383)},
                                          {0, 0, R(0.1751)}, {0, 0, R(0.2151)}, {0, 0, R(0.2550)}, {0, 0, R(0.2918)},
                                          {0, 0, R(0.3220)}, {0, 0, R(0.3426)}, {0, 0, R(0.3501)}};

// A step: in the first half the foot is lifted by 0.05 m and led from 0.06 m behind the hip to 0.06 m before it, in
// the second half it goes back. On stiff legs that would be 0.6 m/s; these servos yield under the trunk, and by
// themselves walk backwards.
#define STEP_0 0, R(0.1554), R(0.0488)
#define STEP_1 0, R(0.2401), R(-0.2087)
#define STEP_2 0, R(0.1949), R(-0.3899)
#define STEP_3 0, R(-0.0314), R(-0.2087)
#define STEP_4 0, R(-0.2042), R(0.0488)
#define STEP_5 0, R(-0.0967), R(0.0121)
#define STEP_6 0, 0, 0
#define STEP_7 0, R(0.0846), R(0.0121)
#define TROT(a, b)                                                                                                     \
    {                                                                                                                  \
        a, b, b, a                                                                                                     \
    }
static const tac_real trot[PHASES][ROBOT_JOINTS] = {TROT(STEP_0, STEP_4), TROT(STEP_1, STEP_5), TROT(STEP_2, STEP_6),
                                                    TROT(STEP_3, STEP_7), TROT(STEP_4, STEP_0), TROT(STEP_5, STEP_1),
                                                    TROT(STEP_6, STEP_2), TROT(STEP_7, STEP_3)};

// Times of the start, s.
#define RISE R(0.2)
#define WALK R(1.6)
#define PHASE R(0.05)
#define EVER R(1000.0)

static const tac_real moves[2][3] = {{0, 0, 0}, {R(0.3), 0, 0}}, place[2][3] = {{0, 0, 0}, {R(0.3) * EVER, 0, 0}},
                      walks[2] = {0, 1};
static const tac_table
    high =
        {.value = &height[0][0], .start = RISE, .spacing = R(0.1), .rows = RISES, .width = 3, .form = TAC_TABLE_LINEAR},
    fast = {.value = &moves[0][0], .start = WALK - 1, .spacing = 1, .rows = 2, .width = 3},
    there = {.value = &place[0][0], .start = WALK, .spacing = EVER, .rows = 2, .width = 3, .form = TAC_TABLE_LINEAR},
    posture = {.value = &trot[0][0],
               .start = WALK,
               .spacing = PHASE,
               .rows = PHASES,
               .width = ROBOT_JOINTS,
               .form = TAC_TABLE_LINEAR,
               .cyclic = 1},
    when = {.value = walks, .start = WALK - 1, .spacing = 1, .rows = 2, .width = 1};

enum { XY = 3, Z = 4 }; // components left out
#define TRUNK .frame = {ROBOT_TRUNK, {{0, 0, 0}, {1, 0, 0, 0}}}, .count = 1
static const tac_cost_term term[] = {
    {.kind = TAC_COST_POSITION, TRUNK, .target = &there, .weight = 40, .without = Z},
    {.kind = TAC_COST_POSITION, TRUNK, .target = &high, .weight = 400, .without = XY},
    {.kind = TAC_COST_ORIENTATION, TRUNK, .weight = 60},
    {.kind = TAC_COST_VELOCITY, TRUNK, .target = &fast, .weight = 60},
    {.kind = TAC_COST_SPIN, TRUNK, .weight = 1},
    {.kind = TAC_COST_JOINT, .count = ROBOT_JOINTS, .target = &posture, .schedule = &when, .weight = 2},
};
static const tac_cost cost = {.term = term, .terms = sizeof term / sizeof term[0]};

// Where a time is among rows: the row before it, and the part of the way to the next one.
static unsigned row_at(tac_real rows, unsigned last, tac_real *part)
{
    const unsigned row = rows < R(0) ? 0 : (unsigned)rows;
    *part = rows < R(0) || row >= last ? R(0) : rows - (tac_real)row;
    return row < last ? row : last;
}

// Rises in a second, then trots; the first period grows into it.
static void rest(tac_real time, tac_real *row)
{
    tac_real part;
    if (time < WALK) {
        const unsigned at = row_at((time - RISE) / R(0.1), RISES - 1, &part), next = at + (at + 1 < RISES);
        for (unsigned j = 0; j < ROBOT_JOINTS; j++)
            row[j] = rise[at][j % 3] + part * (rise[next][j % 3] - rise[at][j % 3]);
        return;
    }
    const tac_real phases = (time - WALK) / PHASE, grown = phases < R(PHASES) ? phases / R(PHASES) : R(1);
    const unsigned at = row_at(phases, UINT32_MAX, &part) % PHASES;
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) {
        row[j] = grown * (trot[at][j] + part * (trot[(at + 1) % PHASES][j] - trot[at][j]));
    }
}

const goal goal_walk = {&cost, rest, R(0.35), 8, R(2.5), R(0.02)};
