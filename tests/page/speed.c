// SPDX-License-Identifier: MIT
// speed.c - speed AGAIN SCENE STEPS ...: CPU time of this thread for a step, us, to stand beside that of WebAssembly
// (speed.cjs), the least of so many runs; and the hash of the last state.
#include "robots.h"
#include "wall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;

static const scene *find(const char *name)
{
    return robot_find(name) != NULL ? robot_find(name) : scene_find(name) != NULL ? scene_find(name) : &wall_scene;
}

int main(int argc, char **argv)
{
    for (int i = 2; i + 1 < argc; i += 2) {
        const scene *s = find(argv[i]);
        const int steps = atoi(argv[i + 1]);
        struct timespec from, to;
        input = (tac_input){0};
        if (s->build(&model) != TAC_OK) { return 1; }
        double least = 1e9;
        for (int again = 0; again < atoi(argv[1]); again++) {
            if (tac_state_init(&model, &state, NULL) != TAC_OK) { return 1; }
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
            for (int k = 0; k < steps; k++) {
                if (s->drive != NULL) { s->drive(&model, (uint32_t)k, &input); }
                if (tac_step(&model, &state, &input, &work) < 0) { return 1; }
            }
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
            const double us = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3;
            if (us < least) { least = us; }
        }
        printf("%s %.2f 0x%016" PRIx64 "\n", argv[i], least / steps, tac_state_hash(&model, &state));
    }
    return 0;
}
