// SPDX-License-Identifier: MIT
// link_cmd.c - tactus link: talk to a firmware by hand.
#include "endpoint.h"
#include "log/values.h"
#include "message.h"
#include "model_file.h"
#include "options.h"
#include "realtime.h"
#include "scenes.h"
#include "tool.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: tactus link ENDPOINT COMMAND ... [--realtime] [--every N] [--commands FILE] [--record FILE.csv]\n\n"
    "Commands, in the order given:\n"
    "  hello        what the firmware is: version, precision, capacities, model, counters\n"
    "  scene NAME   send the model of a scene (tactus run --list); the state starts anew\n"
    "  model FILE   the same with a model that urdf2tactus --blob has written\n"
    "  step N       take N steps; an interrupt (Ctrl-C) ends them early, and says how many were taken\n"
    "  state        poses and velocities\n"
    "  contacts     contacts of the last step\n"
    "  joints       what joints exert, in the last step\n"
    "  report       report of the last step, with the stages of its solve\n"
    "  hash         hashes of state and model\n\n"
    "  --realtime   step N keeps up with the wall clock; prints how late steps were released and answered\n"
    "  --every N    steps in a period of it, one request; 1\n"
    "  --commands FILE  what motors are told meanwhile, a line when it arrives: a FIFO, or - for standard input.\n"
    "                   Columns of tactus run --motors\n"
    "  --record FILE.csv  what they were told, by the steps that it acted on: tactus run --motors FILE.csv\n"
    "                   takes the same steps, to the bit\n\n" ENDPOINT_HELP;

// Result of a command that has failed on this side and has printed why.
enum { COMPLAINED = 1 };

static link_client client;
static tac_model model;
static joint_names names;
static tac_state state;
static tac_work work;
static volatile sig_atomic_t interrupted;
static int named;                       // 1: `names` are those of `model`
static int paced;                       // --realtime
static realtime pace = {NULL, NULL, 1}; // and what goes with it

// ------------------------------------------------------------------------------------------------------- the commands

static int do_hello(const char *argument)
{
    const link_hello *h = &client.hello;
    const int result = link_client_hello(&client);

    (void)argument;
    if (result != LINK_DONE) return result;
    printf("tactus %u.%u, link %u, reals of %u bits\n", h->major, h->minor, LINK_VERSION, h->real_bits);
    printf("capacities: bodies %u, shapes %u, contacts %u, materials %u, pairs of materials %u, actions %u\n",
           h->max_bodies, h->max_shapes, h->max_contacts, h->max_materials, h->max_material_pairs, h->max_actions);
    printf("  exclusions %u, polyhedra %u, points %u, faces %u, edges %u, points of a hull %u\n", h->max_exclusions,
           h->max_polyhedra, h->max_points, h->max_faces, h->max_edges, h->max_hull_points);
    printf("  joints %u, fields %u, heights %" PRIu32 " of %u bits, %s\n", h->max_joints, h->max_fields, h->max_heights,
           h->height_bits != 0 ? h->height_bits : h->real_bits,
           h->convex ? "all kinds of shapes" : "half-space, sphere, capsule and box only");
    if (h->rolling) printf("  resistance to spinning and rolling\n");
    if (h->laws) printf("  laws of friction: direction, static friction\n");
    if (h->switches) printf("  joints that may be switched\n");
    if (h->coordinates) printf("  joints that are coordinates of others, knife edges\n");
    if (h->max_surfaces > 0) printf("  surfaces that move %u\n", h->max_surfaces);
    printf("model: 0x%08" PRIx32 ", bodies %u, joints %u, h %g s\n", h->model_hash, h->world.bodies, h->world.joints,
           (double)h->h);
    printf("clock: %" PRIu32 " ticks/s\n", h->tick_rate);
    printf("steps: at most %u a request\n", h->max_steps);
    printf("frames: good %" PRIu32 ", dropped %" PRIu32 ", repeated %" PRIu32 ", ignored %" PRIu32 "\n", h->frames,
           h->dropped, h->repeated, h->ignored);
    return LINK_DONE;
}

static int do_scene(const char *name)
{
    const scene *s = scene_find(name);

    if (s == NULL || s->build(&model) != TAC_OK) {
        complain("%s: no such scene, or it does not fit this configuration", name);
        return COMPLAINED;
    }
    named = 0;
    return link_client_set_model(&client, &model);
}

static int do_model(const char *path)
{
    named = model_file_read(path, path, &model, &names);
    return named ? link_client_set_model(&client, &model) : COMPLAINED;
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
    link_client_cancel(&client);
}

static int step_paced(uint32_t steps)
{
    if (model.bodies == 0) {
        complain("--realtime: scene or model first, whose step is the period");
        return COMPLAINED;
    }
    const int result = realtime_steps(&pace, &client, &model, named ? &names : NULL, steps, &interrupted);
    return result == REALTIME_COMPLAINED ? COMPLAINED : result;
}

static int do_step(const char *count)
{
    link_stepped stepped = {0};
    uint32_t left, ticks_max = 0;

    if (!options_count(count, &left)) {
        complain("step %s: not a count above 0", count);
        return COMPLAINED;
    }
    if (paced) return step_paced(left);
    while (left > 0 && stepped.status >= 0 && !interrupted) {
        const uint32_t some = left < client.hello.max_steps ? left : client.hello.max_steps;
        const int result = link_client_step(&client, (uint16_t)some, &stepped);
        if (result != LINK_DONE) return result;
        if (stepped.ticks_max > ticks_max) ticks_max = stepped.ticks_max;
        left -= stepped.done;
    }
    printf("step %" PRIu64 ": status %" PRId32 ", contacts %u, ticks at most %" PRIu32 ", hash 0x%016" PRIx64 "\n",
           client.step, stepped.status, stepped.contacts, ticks_max, stepped.hash);
    if (stepped.status >= 0 && left == 0) return LINK_DONE;
    if (stepped.status >= 0) {
        complain("step: interrupted, %" PRIu32 " steps were not taken", left);
    } else {
        complain_kernel("step", stepped.status, stepped.fault, NULL, NULL, NULL);
    }
    return COMPLAINED;
}

static void print_vec3(const char *name, tac_vec3 v)
{
    printf(" %s " LOG_REAL " " LOG_REAL " " LOG_REAL, name, (double)v.x, (double)v.y, (double)v.z);
}

static int do_state(const char *argument)
{
    (void)argument;
    // the model may have changed since HELLO
    int result = link_client_hello(&client);
    if (result == LINK_DONE) result = link_client_get_state(&client, client.hello.world, &state);
    if (result != LINK_DONE) return result;

    printf("step %" PRIu64 ", impulses kept %u, contacts at most %u\n", state.step, state.warm_count,
           state.contacts_peak);
    for (unsigned i = 1; i < client.hello.world.bodies; i++) {
        const tac_quat q = state.pose[i].q;
        printf("body %u", i);
        print_vec3("pos", state.pose[i].p);
        printf(" quat " LOG_REAL " " LOG_REAL " " LOG_REAL " " LOG_REAL, (double)q.w, (double)q.x, (double)q.y,
               (double)q.z);
        print_vec3("vel", state.twist[i].v);
        print_vec3("omega", state.twist[i].w);
        printf("\n");
    }
    return LINK_DONE;
}

static int do_contacts(const char *argument)
{
    static const char *const mode[] = {"open", "stick", "slide"};
    const int result = link_client_get_contacts(&client, &work);

    (void)argument;
    if (result != LINK_DONE) return result;
    printf("contacts %u\n", work.report.contacts);
    for (unsigned i = 0; i < work.report.contacts; i++) {
        const tac_contact *c = &work.contact[i];
        printf("%u: bodies %u %u, %s, gap %g", i, c->body_a, c->body_b, c->mode <= TAC_SLIDE ? mode[c->mode] : "?",
               (double)c->gap);
        print_vec3("at", c->point);
        print_vec3("normal", c->n);
        print_vec3("impulse", c->impulse);
#if TAC_ROLLING
        print_vec3("torque", c->torque);
#endif
        printf("\n");
    }
    return LINK_DONE;
}

static int do_joints(const char *argument)
{
    uint16_t joints;
    const int result = link_client_get_joints(&client, &work, &joints);

    (void)argument;
    if (result != LINK_DONE) return result;
    printf("joints %u\n", joints);
    for (unsigned i = 0; i < joints; i++) {
        const tac_joint_result *j = &work.joint[i];
        printf("%u:", i);
        print_vec3("force", j->force);
        print_vec3("torque", j->torque);
        printf(" effort passive " LOG_REAL ", motor " LOG_REAL ", friction " LOG_REAL ", limit " LOG_REAL "\n",
               (double)j->effort[TAC_EFFORT_PASSIVE], (double)j->effort[TAC_EFFORT_MOTOR],
               (double)j->effort[TAC_EFFORT_FRICTION], (double)j->effort[TAC_EFFORT_LIMIT]);
    }
    return LINK_DONE;
}

static const char *law_name(uint8_t law)
{
    return law == TAC_FRICTION_EXACT ? "exact" : law == TAC_FRICTION_RELAXED ? "relaxed" : "?";
}

// The texts follow the order of TAC_SOLVER_*, TAC_OPERATOR_* and TAC_STAGE_*.
static void print_stage(unsigned i, const tac_stage *stage)
{
    static const char *const engine[] = {"accelerated", "plain", "direct"};
    static const char *const op[] = {"bodies", "trees", "matrix"};
    static const char *const why[] = {
        "asked for by the options",
        "likely to be cheaper",
        "joints make trees",
        "contacts have no room",
        "the stage before was too slow",
        "the exact law found nothing better than no impulses",
    };
    printf("stage %u: %s on %s, %s friction, sweeps %u, why: %s\n", i,
           stage->engine <= TAC_SOLVER_DIRECT ? engine[stage->engine] : "?",
           stage->op <= TAC_OPERATOR_MATRIX ? op[stage->op] : "?", law_name(stage->law), stage->sweeps,
           stage->why <= TAC_STAGE_WANDERS ? why[stage->why] : "?");
}

static int do_report(const char *argument)
{
    tac_report r;
    const int result = link_client_get_report(&client, &r);

    (void)argument;
    if (result != LINK_DONE) return result;
    char text[100];
    tac_fault_text(&r.fault, NULL, NULL, NULL, text, sizeof text);
    printf("status %" PRId32 " (%s)\n", r.status, text);
    printf("contacts %u, dropped %u, sweeps %u, impacts %u, %s friction\n", r.contacts, r.dropped, r.sweeps, r.impacts,
           law_name(r.friction));
    for (unsigned i = 0; i < r.stages; i++) print_stage(i, &r.stage[i]);
    printf("residual %g, penetration %g m, kinetic %g J, potential %g J\n", (double)r.residual, (double)r.penetration,
           (double)r.kinetic, (double)r.potential);
    if (client.hello.max_joints > 0) {
        printf("joint error %g m, %u position corrections of joints\n", (double)r.joint_error, r.joint_iterations);
    }
#if TAC_SWITCHES
    if (client.hello.switches) printf("joints that broke %u\n", r.broken);
#endif
    return LINK_DONE;
}

static int do_hash(const char *argument)
{
    uint64_t state_hash;
    uint32_t model_hash;
    const int result = link_client_hash(&client, &state_hash, &model_hash);

    (void)argument;
    if (result != LINK_DONE) return result;
    printf("step %" PRIu64 ", state 0x%016" PRIx64 ", model 0x%08" PRIx32 "\n", client.step, state_hash, model_hash);
    return LINK_DONE;
}

// ----------------------------------------------------------------------------------------------------------- dispatch

/// A word of the command line.
typedef struct verb {
    const char *name;
    int arguments;                    ///< 0 or 1
    int (*act)(const char *argument); ///< returns LINK_DONE, what went wrong, or COMPLAINED
} verb;

static const verb verbs[] = {
    {"hello", 0, do_hello},       {"scene", 1, do_scene},   {"model", 1, do_model},
    {"joints", 0, do_joints},     {"step", 1, do_step},     {"state", 0, do_state},
    {"contacts", 0, do_contacts}, {"report", 0, do_report}, {"hash", 0, do_hash},
};

static const verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
    }
    return NULL;
}

// All words are checked before anything is sent.
static int check_words(int count, char **word)
{
    for (int i = 0; i < count; i++) {
        const verb *v = find_verb(word[i]);
        if (v == NULL) {
            complain("%s: no such command", word[i]);
            return 0;
        }
        i += v->arguments;
        if (i >= count) {
            complain("%s: needs a value", v->name);
            return 0;
        }
    }
    return count > 0;
}

static int talk(int count, char **word)
{
    for (int i = 0; i < count; i++) {
        const verb *v = find_verb(word[i]);
        i += v->arguments;
        const int result = v->act(word[i]);
        if (result != LINK_DONE) {
            if (result != COMPLAINED) complain_link(v->name, &client, result);
            return EXIT_BAD;
        }
    }
    return EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    static const option table[] = {{"--realtime", OPTION_FLAG, &paced},
                                   {"--every", OPTION_COUNT, &pace.every},
                                   {"--commands", OPTION_TEXT, &pace.commands},
                                   {"--record", OPTION_TEXT, &pace.record},
                                   {NULL, OPTION_FLAG, NULL}};
    static endpoint end;
    int rest;
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&link_command);
    if (got == OPTIONS_GOOD && rest < 2) complain("an argument is missing");
    if (got == OPTIONS_BAD || rest < 2 || !check_words(rest - 1, argv + 1)) return tool_usage(&link_command);
    if (!paced && (pace.commands != NULL || pace.record != NULL || pace.every != 1)) {
        complain("--every, --commands and --record go with --realtime");
        return tool_usage(&link_command);
    }

    // a firmware that this program starts inherits ignored signals, so Ctrl-C interrupts this program only
    signal(SIGINT, SIG_IGN);
    const int open = endpoint_open(argv[0], &end, &client);
    signal(SIGINT, on_interrupt);

    int code = EXIT_BAD;
    if (open) code = talk(rest - 1, argv + 1);
    endpoint_close(&end);
    return code;
}

const command link_command = {"link", "talk to a firmware", help, run};
