// SPDX-License-Identifier: MIT
// dynamics.c - the functions for controllers on one robot, each called CALLS times from random states.
//   given   -DMODEL='"FILE"', the model that urdf2tactus wrote as `robot_model`
//   makes   calls for callgrind to count (tests/bench/dynamics); exit code 0 if none is refused
//   bound   CALLS calls of each
//   never   measures time
#include MODEL
#include "truth.h"

enum { CALLS = 20 };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_real q[TAC_MAX_POSITIONS], rate[TAC_MAX_VELOCITIES], x[TAC_MAX_VELOCITIES], y[TAC_MAX_VELOCITIES];
static tac_real matrix[TAC_MAX_VELOCITIES * TAC_MAX_VELOCITIES];

int main(void)
{
    rng r = {1};
    int refused = 0;
    truth_copy(&m, &robot_model, sizeof m);
    refused |= tac_state_init(&m, &s, NULL);
    refused |= tac_state_get_coordinates(&m, &s, &w, q, rate);
    for (int call = 0; call < CALLS; call++) {
        for (int i = 0; i < TAC_MAX_VELOCITIES; i++) {
            rate[i] = (tac_real)rng_range(&r, -1, 1);
            x[i] = (tac_real)rng_range(&r, -1, 1);
        }
        const uint16_t last = (uint16_t)(m.bodies - 1);
        refused |= tac_state_set_coordinates(&m, &s, q, rate, &w);
        refused |= tac_mass_matrix(&m, &s, &w, matrix);
        refused |= tac_bias(&m, &s, &w, y);
        refused |= tac_gravity_effort(&m, &s, &w, y);
        refused |= tac_inverse_dynamics(&m, &s, x, &w, y);
        refused |= tac_forward_dynamics(&m, &s, x, &w, y);
        refused |= tac_jacobian(&m, &s, last, vec(0, 0, 0), TAC_AXES_WORLD, &w, matrix);
    }
    return refused != 0;
}
