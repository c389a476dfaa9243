// SPDX-License-Identifier: MIT
// dynamics.c - the functions for controllers on one robot, each called CALLS times, from random states.
//   given   -DMODEL='"FILE"', the model that urdf2tactus wrote as `robot_model`, all of whose joints are hinges; an
//           argument: each call is the first about its state, else earlier ones have been
//   makes   calls for callgrind to count (tests/bench/dynamics); exit code 0 if none is refused
//   bound   CALLS calls of each
//   never   measures time
#include MODEL
#include "truth.h"

enum { CALLS = 20 };

static tac_model m;
static tac_state s, other, moved;
static tac_work w, taken;
static tac_coordinates map;
static tac_real q[TAC_MAX_POSITIONS], rate[TAC_MAX_VELOCITIES], x[TAC_MAX_VELOCITIES], y[TAC_MAX_VELOCITIES];
static tac_real matrix[TAC_MAX_VELOCITIES * TAC_MAX_VELOCITIES];

static int move(rng *r, tac_state *at)
{
    for (int i = 0; i < TAC_MAX_VELOCITIES; i++) {
        rate[i] = (tac_real)rng_range(r, -1, 1);
        x[i] = (tac_real)rng_range(r, -1, 1);
    }
    for (uint32_t i = 0; i < m.joints; i++) { q[map.joint[i].position] = (tac_real)rng_range(r, -1, 1); }
    return tac_state_set_coordinates(&m, at, q, rate, &w);
}

int main(int count, char **argument)
{
    rng r = {1};
    tac_centroid c;
    tac_point_motion point;
    int refused = 0;
    (void)argument;
    truth_copy(&m, &robot_model, sizeof m);
    const uint16_t last = (uint16_t)(m.bodies - 1);
    refused |= tac_state_init(&m, &s, NULL) | tac_state_init(&m, &other, NULL);
    refused |= tac_model_get_coordinates(&m, &w, &map) | tac_state_get_coordinates(&m, &s, &w, q, rate);
    refused |= move(&r, &other);
    for (int call = 0; call < CALLS; call++) {
        refused |= move(&r, &s);
        moved = s;
        refused |= tac_step(&m, &moved, NULL, &taken) < 0;
        for (int asked = 0; asked < 9; asked++) {
            refused |= tac_body_point(&m, count > 1 ? &other : &s, last, vec(0, 0, 0), TAC_AXES_WORLD, &w, &point);
            switch (asked) {
            case 0:
                refused |= tac_inverse_dynamics(&m, &s, x, &w, y);
                break;
            case 1:
                refused |= tac_forward_dynamics(&m, &s, x, &w, y);
                break;
            case 2:
                refused |= tac_mass_matrix(&m, &s, &w, matrix);
                break;
            case 3:
                refused |= tac_bias(&m, &s, &w, y);
                break;
            case 4:
                refused |= tac_gravity_effort(&m, &s, &w, y);
                break;
            case 5:
                refused |= tac_centroidal(&m, &s, TAC_NONE, &w, &c, matrix);
                break;
            case 6:
                refused |= tac_state_get_coordinates(&m, &s, &w, q, rate);
                break;
            case 7:
                refused |= tac_step_accelerations(&m, &moved, &taken, y);
                break;
            default:
                refused |= tac_jacobian(&m, &s, last, vec(0, 0, 0), TAC_AXES_WORLD, &w, matrix);
            }
        }
    }
    return refused != 0;
}
