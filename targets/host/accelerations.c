// SPDX-License-Identifier: MIT
// accelerations.c - tactus accelerations: accelerations and forces of a world at an instant, T03's instantaneous model.
#include "asked.h"
#include "message.h"
#include "options.h"
#include "tool.h"
#include "world.h"

#include <stdio.h>

static const char help[] = "usage: tactus accelerations SCENE [--steps N] [--directions N] [--link ENDPOINT]\n"
                           "       tactus accelerations --model FILE ...\n\n"
                           "Accelerations of all bodies, and the forces of contacts and joints, at an instant: the "
                           "instantaneous model of T03,\n"
                           "in which nothing is stepped. Ends with 1 where the model has no solution.\n"
                           "  --directions N edges of the friction cones: 3 .. 16, 0: round; 8\n" WORLD_HELP ASKED_HELP;

// Static: these are large.
static world at;
static tac_lcp lcp;
static tac_instant result;

static void print_three(tac_vec3 v)
{
    printf("  %.9g %.9g %.9g", (double)v.x, (double)v.y, (double)v.z);
}

static void print_bodies(void)
{
    printf("body: linear acceleration (m/s2, world), angular (rad/s2, principal frame)\n");
    for (uint16_t i = 1; i < at.model.bodies; i++) {
        printf("%-4u", (unsigned)i);
        print_three(result.body[i].linear);
        print_three(result.body[i].angular);
        putchar('\n');
    }
}

static void print_contacts(void)
{
    static const char *const modes[] = {"rolls", "slides", "opens", "strikes"};

    if (result.contacts == 0) return;
    printf("contact: bodies, mode, force (N), acceleration (m/s2), both along n, u, w\n");
    for (uint16_t i = 0; i < result.contacts; i++) {
        const tac_contact *c = &at.work.contact[i];
        printf("%-4u  %u %u %s", (unsigned)i, (unsigned)c->body_a, (unsigned)c->body_b, modes[result.contact[i].mode]);
        print_three(result.contact[i].force);
        print_three(result.contact[i].acceleration);
        putchar('\n');
    }
}

static void print_joints(void)
{
    if (at.model.joints == 0) return;
    printf("joint: acceleration (rad/s2 or m/s2), force (N) and torque (N m) on its second body, world\n");
    for (uint32_t i = 0; i < at.model.joints; i++) {
        printf("%-4u  %.9g", (unsigned)i, (double)result.joint[i].acceleration);
        print_three(result.joint[i].reaction.force);
        print_three(result.joint[i].reaction.torque);
        putchar('\n');
    }
}

static int ask(const char *name, uint8_t directions)
{
    tac_lcp_init(&lcp);
    lcp.directions = directions;
    const tac_status status = tac_accelerations(&at.model, &at.state, &at.input, &at.work, &lcp, &result);

    if (status < 0) {
        complain_kernel(name, status, at.work.report.fault, &at.model, &at.state, &at.input);
        return EXIT_BAD;
    }
    print_bodies();
    print_contacts();
    print_joints();
    if (!(status & TAC_UNCONVERGED)) return EXIT_GOOD;
    complain(result.impacts > 0 ? "%s: bodies or limits are struck, which asks for an impulse" : "%s: no solution",
             name);
    return EXIT_BAD;
}

static int run(int argc, char **argv)
{
    const char *model = NULL, *link = NULL;
    uint32_t steps = 0, directions = 8;
    int rest;
    const option table[] = {{"--model", OPTION_TEXT, &model},
                            {"--steps", OPTION_COUNT, &steps},
                            {"--directions", OPTION_INDEX, &directions},
                            {"--link", OPTION_TEXT, &link},
                            {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&accelerations_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, model == NULL)) return tool_usage(&accelerations_command);
    const link_question question = {LINK_QUESTION_ACCELERATIONS, 0, (uint8_t)directions, 0};
    if (directions > TAC_LCP_DIRECTIONS || !link_question_known(question)) {
        complain("--directions: 3 .. %d, 0: round", TAC_LCP_DIRECTIONS);
        return EXIT_USAGE;
    }
    const char *scene = model == NULL ? argv[0] : NULL;
    int code = world_open(scene, model, steps, &at);
    if (code == EXIT_GOOD) code = asked_firmware(link, &at, question);
    return code == EXIT_GOOD ? ask(model == NULL ? scene : model, question.directions) : code;
}

const command accelerations_command = {"accelerations", "accelerations and forces of a world at an instant", help, run};
