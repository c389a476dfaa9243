// SPDX-License-Identifier: MIT
// guard.c - an application that may have been compiled with other knobs than the kernel it is linked to.
//   given   a kernel of its own configuration, or of another
//   makes   a line: "same" and exit code 0, or what the kernel has named and 3; "BROKEN: what" and 1 if anything was
//   written
//           that must not be
//   bound   a step of one body
//   never   trusts that what is refused was left alone: every object lies between canaries and is compared byte by byte
#include "tactus/tactus.h"
#include <stdio.h>
#include <string.h>

enum { CANARIES = 1 << 16, UNTOUCHED = 0xA5 };

typedef struct fence {
    unsigned char byte[CANARIES];
} fence;

static struct {
    fence f0;
    tac_model model;
    fence f1;
    tac_state state;
    fence f2;
    tac_input input;
    fence f3;
    tac_work work;
    fence f4;
#if TAC_SOLVE
    tac_problem problem;
    fence f5;
    tac_solve_work solve_work;
    fence f6;
#endif
    tac_implicit_work implicit_work;
} all;

static int broken(const char *what)
{
    printf("BROKEN: %s\n", what);
    return 1;
}

static int is_untouched(const void *object, size_t size)
{
    const unsigned char *byte = (const unsigned char *)object;
    for (size_t i = 0; i < size; i++) {
        if (byte[i] != UNTOUCHED) { return 0; }
    }
    return 1;
}

static tac_status add_everything(tac_model *m)
{
    const tac_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint16_t triangle[1][3] = {{0, 1, 2}};
    const tac_height sample[4] = {0, 0, 0, 0};
    const tac_body body = tac_body_make(TAC_DYNAMIC, corner[3]);
    const tac_shape shape = tac_shape_make(0, TAC_SPHERE, corner[1]);
    tac_joint joint;
    tac_joint_init(&joint, TAC_FIXED, 0, 1);
    const int32_t got[] = {tac_model_add_material(m, 0, 0),
                           tac_model_add_body(m, &body),
                           tac_model_add_shape(m, &shape),
                           tac_model_add_material_pair(m, 0, 0, 0, 0),
                           tac_model_add_exclusion(m, 0, 1),
                           tac_model_add_joint(m, &joint),
                           tac_model_add_hull(m, corner, 4),
                           tac_model_add_mesh(m, corner, 3, triangle, 1),
                           tac_model_add_height_field(m, sample, 2, 2, 1, 1, 1),
                           tac_model_mass_from_shapes(m, 1, 1)};
    for (size_t i = 0; i < sizeof got / sizeof got[0]; i++) {
        if (got[i] != (i < 9 ? TAC_E_FULL : TAC_E_ARG)) { return TAC_OK; }
    }
    return TAC_E_ARG;
}

// What a refusal must be: by name, and nothing written. Beyond its counts a model must be as it was.
static int refused(void)
{
    const size_t counts = offsetof(tac_model, gravity), rest = sizeof all.model - counts;
    const tac_fault nothing = {0, 0, 0};
    tac_fault sealed = nothing, begun = nothing, checked = nothing;
    if (add_everything(&all.model) == TAC_OK) { return broken("something was added to a model that was refused"); }
    if (tac_model_seal(&all.model, &sealed) != TAC_E_CONFIG) { return broken("tac_model_seal()"); }
    if (tac_model_check(&all.model, &checked) != TAC_E_CONFIG) { return broken("tac_model_check()"); }
    if (tac_state_init(&all.model, &all.state, &begun) != TAC_E_CONFIG) { return broken("tac_state_init()"); }
    if (memcmp(&sealed, &begun, sizeof sealed) != 0 || memcmp(&sealed, &checked, sizeof sealed) != 0) {
        return broken("not the same fault");
    }
    if (sealed.field != TAC_FIELD_CONFIG || sealed.reason != TAC_REASON_CONFIG) { return broken("another field"); }
    if (!is_untouched((const char *)&all.model + counts, rest)) { return broken("the model"); }
#if TAC_SOLVE
    tac_problem_block block;
    tac_problem_block_init(&block, TAC_SET_RAY, 1);
    if (tac_problem_init(&all.problem) != TAC_E_CONFIG) { return broken("tac_problem_init()"); }
    if (tac_problem_add_block(&all.problem, &block) != TAC_E_FULL) { return broken("a block was added"); }
    if (tac_problem_add_entry(&all.problem, 0, 0, &block.mu) != TAC_E_FULL) { return broken("an entry was added"); }
    if (tac_solve(&all.problem, NULL, &all.solve_work) != TAC_E_CONFIG) { return broken("tac_solve()"); }
    const size_t head = offsetof(tac_problem, block);
    if (!is_untouched((const char *)&all.problem + head, sizeof all.problem - head)) { return broken("the problem"); }
    if (!is_untouched(&all.f5, (size_t)((const char *)&all.implicit_work - (const char *)&all.f5))) {
        return broken("its work");
    }
#endif
    if (!is_untouched(&all.f0, sizeof all.f0)) { return broken("before the model"); }
    if (!is_untouched(&all.f1, (size_t)((const char *)&all.f4 - (const char *)&all.f1) + sizeof all.f4)) {
        return broken("behind the model, state, input or work");
    }
    printf("%s %s\n", tac_layout_name(sealed.index), tac_reason_name(sealed.reason));
    return 3;
}

static int same(void)
{
    const tac_body body = tac_body_make(TAC_DYNAMIC, all.model.gravity);
    if (tac_model_add_body(&all.model, &body) != 1) { return broken("a body was refused"); }
    if (tac_model_seal(&all.model, NULL) != TAC_OK) { return broken("the model was refused"); }
    if (tac_state_init(&all.model, &all.state, NULL) != TAC_OK) { return broken("the state was refused"); }
    all.input.actions = 0;
#if TAC_MAX_JOINTS > 0
    all.input.motors = 0;
#endif
    if (tac_step(&all.model, &all.state, &all.input, &all.work) != TAC_OK) { return broken("the step was refused"); }
#if TAC_SOLVE
    if (tac_problem_init(&all.problem) != TAC_OK) { return broken("the problem was refused"); }
#endif
    printf("same\n");
    return 0;
}

int main(void)
{
    tac_implicit ball;
    tac_closest closest;
    const tac_pose here = {{0, 0, 0}, {1, 0, 0, 0}};
    if (tac_implicit_sphere(&ball, 1) == TAC_OK) { // for its name alone: it sizes these structs and is part of it
        tac_implicit_closest(&ball, &here, &ball, &here, &all.implicit_work, &closest);
    }
#if TAC_DAE
    static tac_dae dae;
    tac_dae_init(&dae); // likewise: only a kernel with these integrators has it
#endif
    memset(&all, UNTOUCHED, sizeof all);
    memset(&all.model, 0, offsetof(tac_model, gravity)); // nothing in use: what a refused object must not be taken for
#if TAC_SOLVE
    memset(&all.problem, 0, offsetof(tac_problem, block));
#endif
    const tac_status status = tac_model_init(&all.model);
    return status == TAC_OK ? same() : (status == TAC_E_CONFIG ? refused() : broken("tac_model_init()"));
}
