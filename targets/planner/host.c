// SPDX-License-Identifier: MIT
// host.c - the periods of loop.c without its clock: what a board has to print, to the bit; longer runs; the robot for a
// controller at the other end of a link.
//   host PUSHES                   each 1.5 s, servos alone and with the planner
//   host SEEDS SECONDS            the planner alone, pushed each 1.8 s: how many of so many robots fall
//   host SEEDS SECONDS ENDPOINT [SILENT]   the same by the commands of a firmware (served.h), which must be those that
//   are
//                                 computed here, to the bit. SILENT: from 0.6 s on so many periods are not exchanged;
//                                 the robot keeps its last commands
#include "trial.h"
#include "endpoint.h"
#include "loop.h"
#include "message.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

enum { SILENCE = 600 }; // period

static link_client client;
static uint32_t silent; // periods

static void require(const char *what, int result)
{
    if (result == LINK_DONE) return;
    complain_link(what, &client, result);
    exit(EXIT_BAD);
}

// A tac_motor of float has no bytes between its members.
static int same_commands(const tac_input *a, const tac_input *b)
{
    return a->actions == b->actions && a->motors == b->motors &&
           memcmp(a->motor, b->motor, a->motors * sizeof a->motor[0]) == 0;
}

// A period of the firmware, which gives the robot its commands.
static void exchange(trial *t)
{
    static image_measured measured;
    static tac_input answer;

    measured.step = stand_state.step;
    robot_measure(&measured.base, measured.joint);
    require("what is measured", link_client_set_measured(&client, client.hello.world, &measured));
    require("commands", link_client_get_input(&client, &answer));
    if (!same_commands(&answer, &t->commands)) {
        complain("period %u of robot %u: the firmware commands what the host does not", t->period, t->seed);
        exit(EXIT_BAD);
    }
    t->commands = answer;
}

static void run(trial *t, uint32_t seed, int following, uint32_t periods)
{
    trial_start(t, seed);
    while (t->period < periods && !t->fallen) {
        if (t->period - SILENCE >= silent) {
            trial_control(t, following);
            if (following && client.channel.write) exchange(t);
            if (following) search(LOOP_STEPS);
        }
        trial_robot(t);
    }
}

int main(int count, char **argument)
{
    static trial alone, planned;
    static endpoint end;
    const uint32_t runs = count > 1 ? (uint32_t)atoi(argument[1]) : 20,
                   periods = count > 2 ? (uint32_t)(1000 * atof(argument[2])) : 0;
    uint32_t fallen = 0;

    port_init();
    if (count > 3 && (!endpoint_open(argument[3], &end, &client) || !endpoint_same_precision(&client))) return EXIT_BAD;
    silent = count > 4 ? (uint32_t)atoi(argument[4]) : 0;
    for (uint32_t seed = 1; seed <= runs; seed++) {
        if (!periods) run(&alone, seed, 0, LOOP_PERIODS);
        run(&planned, seed, 1, periods ? periods : LOOP_PERIODS);
        trial_show(&alone, &planned);
        fallen += (uint32_t)planned.fallen;
    }
    if (periods) show("robots that have fallen", fallen);
    if (count > 3) endpoint_close(&end);
    return EXIT_GOOD;
}
