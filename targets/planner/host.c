// SPDX-License-Identifier: MIT
// host.c - the periods of loop.c without its clock: what a board has to print, to the bit; and longer runs.
//   host PUSHES            each 1.5 s, servos alone and with the planner
//   host SEEDS SECONDS     the planner alone, pushed each 1.8 s: how many of so many robots fall
#include "trial.h"
#include "loop.h"
#include "show.h"
#include <stdlib.h>

static void run(trial *t, uint32_t seed, int following, uint32_t periods)
{
    trial_start(t, seed);
    while (t->period < periods && !t->fallen) {
        trial_control(t, following);
        if (following) search(LOOP_STEPS);
        trial_robot(t);
    }
}

int main(int count, char **argument)
{
    static trial alone, planned;
    const uint32_t runs = count > 1 ? (uint32_t)atoi(argument[1]) : 20,
                   seconds = count > 2 ? (uint32_t)atoi(argument[2]) : 0;
    uint32_t fallen = 0;

    port_init();
    for (uint32_t seed = 1; seed <= runs; seed++) {
        if (!seconds) run(&alone, seed, 0, LOOP_PERIODS);
        run(&planned, seed, 1, seconds ? 1000 * seconds : LOOP_PERIODS);
        trial_show(&alone, &planned);
        fallen += (uint32_t)planned.fallen;
    }
    if (seconds) show("robots that have fallen", fallen);
    return 0;
}
