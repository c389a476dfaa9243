// SPDX-License-Identifier: MIT
// It reads the scratch of the solver, which the end of a step leaves as the solve has found it.
#include "step_problem.h"

// Adds the effect of body `m` on two contacts, on whose sides it is: D_i' M^-1 D_j. Its linear parts have the sign of
// the side.
static void add_body(const tac_moving *m, const tac_block *i, int side_i, const tac_block *j, int side_j, tac_real n[9])
{
    const tac_real linear = side_i == side_j ? m->inv_mass : -m->inv_mass;

    for (int k = 0; k < 9; k++) {
        const tac_vec3 a = i->frame[k / 3], b = j->frame[k % 3], s = i->j[side_i][k / 3], t = j->j[side_j][k % 3];
        n[k] += linear * (a.x * b.x + a.y * b.y + a.z * b.z) + m->inv_inertia.x * s.x * t.x +
                m->inv_inertia.y * s.y * t.y + m->inv_inertia.z * s.z * t.z;
    }
}

// W_ij of free bodies, with the compliance of a contact. Returns 0 if no body couples the two.
static int couple(const tac_work *work, const tac_block *i, const tac_block *j, tac_real n[9])
{
    int coupled = i == j;

    for (int k = 0; k < 9; k++) n[k] = 0;
    if (coupled) n[0] = i->soft;
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            const uint16_t body = i->body[a];
            if (body != j->body[b] || body == 0 || !(work->moving[body].inv_mass > 0)) continue;
            add_body(&work->moving[body], i, a, j, b, n);
            coupled = 1;
        }
    }
    return coupled;
}

// Row `row` of D_i'v + b_i at the velocities that the step would end with without impulses.
static tac_real free_velocity(const tac_work *work, const tac_block *k, int row)
{
    const tac_vec3 n = k->frame[row];
    tac_real u = row == 0 ? k->bias.x : row == 1 ? k->bias.y : k->bias.z;

    for (int side = k->body[0] == 0; side < 2; side++) {
        const tac_twist *t = &work->scratch.solve.free[k->body[side]];
        const tac_vec3 s = k->j[side][row];
        const tac_real linear = n.x * t->v.x + n.y * t->v.y + n.z * t->v.z;
        u += (side ? linear : -linear) + s.x * t->w.x + s.y * t->w.y + s.z * t->w.z;
    }
    return u;
}

#if TAC_MAX_JOINTS > 0

// W_ij over trees: its lower triangle is stored row by row. Returns 0 if all of it is zero.
static int couple_trees(const tac_trees *trees, uint32_t i, uint32_t j, tac_real n[9])
{
    int coupled = i == j;

    for (uint32_t k = 0; k < 9; k++) {
        const uint32_t a = 3 * i + k / 3, b = 3 * j + k % 3, high = a > b ? a : b, low = a > b ? b : a;
        n[k] = trees->w[high * (high + 1) / 2 + low];
        coupled |= n[k] != 0;
    }
    return coupled;
}

static const char *trees_lack(const tac_model *model, const tac_work *work, uint32_t *which)
{
    const tac_trees *trees = &work->scratch.solve.of.trees;

    *which = work->report.contacts;
    if (trees->formed != 3) return "no matrix over the joints has room for (TAC_MAX_REDUCED) so many contacts:";
    for (uint32_t i = 0; i < model->joints; i++) {
        *which = i;
        if (trees->row[i] != TAC_NONE) return "a motor, limit or dry friction of a joint acts in this step: joint";
    }
    return NULL;
}

#endif

static const char *contact_lacks(const tac_work *work, uint32_t *which)
{
    for (uint32_t i = 0; i < work->report.contacts; i++) {
        *which = i;
        if (work->scratch.solve.block[i].rows != 3) return "it resists spinning or rolling, in six rows: contact";
    }
    return NULL;
}

static const char *add_blocks(const tac_model *model, const tac_work *work, tac_problem *problem, uint32_t *which)
{
    for (uint32_t i = 0; i < work->report.contacts; i++) {
        const tac_block *k = &work->scratch.solve.block[i];
        tac_problem_block block;
        tac_problem_block_init(&block, TAC_SET_CONE, 3);
        block.mu = k->mu;
        for (int row = 0; row < 3; row++) block.p[row] = free_velocity(work, k, row);
#if TAC_MAX_JOINTS > 0
        for (uint32_t row = 0; model->joints > 0 && row < 3; row++) {
            block.p[row] = work->scratch.solve.of.trees.free[3 * i + row];
        }
#else
        (void)model;
#endif
        *which = i;
        if (tac_problem_add_block(problem, &block) < 0) return "there is no room for it: contact";
    }
    return NULL;
}

static const char *add_entries(const tac_model *model, const tac_work *work, tac_problem *problem, uint32_t *which)
{
    const tac_block *block = work->scratch.solve.block;
    tac_real n[9];

    for (uint32_t i = 0; i < problem->blocks; i++) {
        for (uint32_t j = 0; j < problem->blocks; j++) {
#if TAC_MAX_JOINTS > 0
            const int coupled = model->joints > 0 ? couple_trees(&work->scratch.solve.of.trees, i, j, n)
                                                  : couple(work, &block[i], &block[j], n);
#else
            const int coupled = couple(work, &block[i], &block[j], n);
            (void)model;
#endif
            *which = i;
            if (i == j && !(n[0] > 0 && n[4] > 0 && n[8] > 0))
                return "the joints hold it, no impulse moves it: contact";
            if (coupled && tac_problem_add_entry(problem, i, j, n) < 0) return "there is no room for it: contact";
        }
    }
    return NULL;
}

const char *step_problem_make(const tac_model *model, const tac_work *work, tac_problem *problem, uint32_t *which)
{
    const char *lack = contact_lacks(work, which);

    tac_problem_init(problem);
#if TAC_MAX_JOINTS > 0
    if (lack == NULL && model->joints > 0) lack = trees_lack(model, work, which);
#endif
    if (lack == NULL) lack = add_blocks(model, work, problem, which);
    return lack == NULL ? add_entries(model, work, problem, which) : lack;
}
