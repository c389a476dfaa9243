// SPDX-License-Identifier: MIT
// wall.c - see wall.h. The wall stands for half a second before the ball is there.
#include "wall.h"
#include "parts.h"

enum { ROWS = 10, COLUMNS = 10 };

static tac_status build(tac_model *model)
{
    const tac_vec3 half = vec(R(0.1), R(0.05), R(0.04));

    world(model, R(0.004), R(0.6), R(0));
    model->options.solver = TAC_SOLVER_AUTO;
    floor_plane(model);
    for (unsigned row = 0; row < ROWS; row++) {
        const tac_real shift = row % 2 == 0 ? R(0) : half.x;
        for (unsigned i = 0; i < COLUMNS; i++) {
            const tac_real x = R(2) * half.x * (R(i) - R(0.5) * R(COLUMNS)) + R(0.5) * half.x + shift;
            box(model, vec(x, R(0), half.z * R(2 * row + 1)), half, R(2));
        }
    }
    const uint16_t ball =
        body(model, TAC_DYNAMIC, vec(R(0.1), R(-2.6), R(0.3)), R(12), vec(R(0.108), R(0.108), R(0.108)));
    shape(model, ball, TAC_SPHERE, vec(R(0.15), R(0), R(0)));
    model->body[ball].velocity.v = vec(R(0), R(5), R(2.6));
    return tac_model_seal(model, NULL);
}

const scene wall_scene = {"wall", "a ball flies into a wall of a hundred bricks", 500, 600, build, NULL};
