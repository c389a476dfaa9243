// SPDX-License-Identifier: MIT
// host.c - the periods of loop.c without its clock: what a board has to print, to the bit; longer runs; the robot for a
// controller at the other end of a link.
//   host PUSHES                   each 1.5 s, servos alone and with the planner
//   host SEEDS SECONDS            the planner alone, pushed each 1.8 s: how many of so many robots fall
//   host SEEDS SECONDS ENDPOINT [SILENT]   the same by the commands of a firmware (served.h), which must be those that
//                                 are computed here, to the bit. SILENT: from 0.6 s on so many periods are not
//                                 exchanged; the robot keeps its last commands
//   host walk SEEDS SECONDS ALONE robots that lie stand up and walk, by plans or (ALONE 1) by the gait of walk.c alone
#include "trial.h"
#include "endpoint.h"
#include "loop.h"
#include "message.h"
#include "show.h"
#include "stroll.h"
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

static int push(uint32_t runs, uint32_t periods, const char *link)
{
    static trial alone, planned;
    static endpoint end;
    uint32_t fallen = 0;

    if (link != NULL && (!endpoint_open(link, &end, &client) || !endpoint_same_precision(&client))) return EXIT_BAD;
    for (uint32_t seed = 1; seed <= runs; seed++) {
        if (!periods) run(&alone, seed, 0, LOOP_PERIODS);
        run(&planned, seed, 1, periods ? periods : LOOP_PERIODS);
        trial_show(&alone, &planned);
        fallen += (uint32_t)planned.fallen;
    }
    if (periods) show("robots that have fallen", fallen);
    if (link != NULL) endpoint_close(&end);
    return EXIT_GOOD;
}

static int walk(uint32_t runs, uint32_t periods, int alone)
{
    static stroll s;
    for (uint32_t seed = 1; seed <= runs; seed++) {
        stroll_start(&s, seed);
        while (s.period < periods && !s.fallen) {
            stroll_control(&s, alone);
            if (!alone) search(LOOP_STEPS);
            stroll_robot(&s);
        }
        stroll_show(&s);
    }
    return EXIT_GOOD;
}

int main(int count, char **argument)
{
    const int walks = count > 1 && strcmp(argument[1], "walk") == 0;
    char **const of = argument + walks;
    const int given = count - walks;
    const uint32_t runs = given > 1 ? (uint32_t)atoi(of[1]) : 20;
    const uint32_t periods = given > 2 ? (uint32_t)(1000 * atof(of[2])) : 0;

    port_init();
    if (walks) return walk(runs, periods, given > 3 && atoi(of[3]));
    silent = given > 4 ? (uint32_t)atoi(of[4]) : 0;
    return push(runs, periods, given > 3 ? of[3] : NULL);
}
