// SPDX-License-Identifier: MIT
// overlaps.c - tactus overlaps: which shapes of a model overlap where it begins, or wherever its joints are, and how deep.
#include "log/values.h"
#include "message.h"
#include "model_file.h"
#include "options.h"
#include "tool.h"

#include <stdio.h>

static const char help[] =
    "usage: tactus overlaps MODEL\n\n"
    "A line \"A B DEPTH LEAST\" for each pair of shapes that may collide and overlap: their indices, the depth in m in the\n"
    "initial state, 0 if they do not overlap there, and the least depth in 200 random states of the joints within their\n"
    "limits, 0 if they do not overlap in each. MODEL is a file of urdf2tactus --blob.\n";

enum { STATES = 200, PAIRS = 8192 };

typedef struct pair {
    unsigned a, b;
    double depth, least;
} pair;

// Static: models of large capacities do not belong on the stack.
static tac_model model;
static tac_state state;
static tac_work work;
static joint_names names;
static tac_joint_state joint[TAC_MAX_JOINTS];
static pair start[PAIRS], always[PAIRS], now[PAIRS];
static uint64_t random_state = 1;
static int crowded; // 1: there was no room for a pair

// Alike in 0 .. 1: a linear congruential generator, the upper half of its state.
static double random_part(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 33) / 2147483648.0;
}

static pair *find(pair *list, unsigned count, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < count; i++) {
        if (list[i].a == a && list[i].b == b) return &list[i];
    }
    return NULL;
}

// Overlaps of a body with those before it: each pair of shapes once, with its deepest contact. Returns how many there
// are in the list then, PAIRS at most; -1 if the kernel refuses.
static int add_body(uint16_t body, pair *list, int count)
{
    const int first = count;
    if (tac_contacts(&model, &state, body, 0, &work) < 0) return -1;
    for (unsigned i = 0; i < work.report.contacts; i++) {
        const tac_contact *c = &work.contact[i];
        if (c->body_b != body || !(c->gap < 0)) continue;
        pair *p = find(list + first, (unsigned)(count - first), c->id.shape_a, c->id.shape_b);
        crowded |= p == NULL && count == PAIRS;
        if (crowded) break;
        if (p == NULL) list[count++] = (pair){c->id.shape_a, c->id.shape_b, 0, 0}, p = &list[count - 1];
        if (-(double)c->gap > p->depth) p->depth = -(double)c->gap;
    }
    return count;
}

static int find_all(pair *list)
{
    int count = 0;
    for (uint16_t body = 1; body < model.bodies && count >= 0; body++) count = add_body(body, list, count);
    return count;
}

// A joint that turns without limits may be anywhere, one that slides without limits stays.
static double random_position(const tac_joint *j, double position)
{
    const double half = 3.14159265358979323846;
    const int turns = j->kind == TAC_REVOLUTE, limited = j->lower <= j->upper;
    double low = limited ? (double)j->lower : -half, high = limited ? (double)j->upper : half;
    if (turns && low < -1e3) low = high - 2 * half;
    if (turns && high > 1e3) high = low + 2 * half;
    if (!turns && !(limited && high - low < 1e3)) return position;
    return low + random_part() * (high - low);
}

// Random coordinates of all joints; couplings hold, in the order of the table.
static int turn_joints(void)
{
    for (uint32_t i = 0; i < model.joints; i++) {
        const tac_joint *j = &model.joint[i];
        if (tac_state_get_joint(&model, &state, i, &joint[i]) < 0) return 0;
        if (j->kind == TAC_COUPLING) {
            joint[j->body_b].position = j->length * joint[j->body_a].position + j->lower;
        } else if (log_unit(j->kind) != NULL) {
            joint[i].position = (tac_real)random_position(j, (double)joint[i].position);
        }
    }
    return tac_state_set_joints(&model, &state, joint) >= 0;
}

// Keeps of the list what overlaps in the present state too. Returns how many are left, -1 if the kernel refuses.
static int keep_common(pair *list, int count)
{
    const int found = find_all(now);
    int left = 0;
    for (int i = 0; i < count && found >= 0; i++) {
        const pair *p = find(now, (unsigned)found, list[i].a, list[i].b);
        if (p == NULL) continue;
        list[left] = list[i];
        if (p->depth < list[left].least) list[left].least = p->depth;
        left++;
    }
    return found < 0 ? -1 : left;
}

// What overlaps in each of the states. Returns how many pairs, -1 if the kernel refuses.
static int find_always(void)
{
    if (model.joints == 0) return 0;
    if (!turn_joints()) return -1;
    int count = find_all(always);
    for (int i = 0; i < count; i++) always[i].least = always[i].depth, always[i].depth = 0;
    for (int k = 1; k < STATES && count > 0; k++) count = turn_joints() ? keep_common(always, count) : -1;
    return count;
}

static int run(int argc, char **argv)
{
    static const option table[] = {{NULL, OPTION_FLAG, NULL}};
    int rest;
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&overlaps_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 1)) return tool_usage(&overlaps_command);
    if (!model_file_read(argv[argc - 1], argv[argc - 1], &model, &names)) return EXIT_BAD;
    const int begins = tac_state_init(&model, &state, NULL) == TAC_OK ? find_all(start) : -1;
    const int stays = begins < 0 ? -1 : find_always();
    if (stays < 0) complain("%s: the kernel refuses to look for contacts", argv[argc - 1]);
    if (crowded) complain("%s: more than %d pairs of shapes overlap", argv[argc - 1], PAIRS);
    if (stays < 0 || crowded) return EXIT_BAD;
    for (int i = 0; i < begins; i++) {
        pair *p = find(always, (unsigned)stays, start[i].a, start[i].b);
        printf("%u %u %.6g %.6g\n", start[i].a, start[i].b, start[i].depth, p != NULL ? p->least : 0.0);
        if (p != NULL) p->depth = start[i].depth;
    }
    for (int i = 0; i < stays; i++) {
        if (!(always[i].depth > 0)) printf("%u %u 0 %.6g\n", always[i].a, always[i].b, always[i].least);
    }
    return EXIT_GOOD;
}

const command overlaps_command = {"overlaps", "which shapes of a model overlap where it begins, or always", help, run};
