// SPDX-License-Identifier: MIT
// run.c - tactus run: one scene or one model from a file, here and, if there is a link, in a firmware too.
#include "convert.h"
#include "endpoint.h"
#include "log/log.h"
#include "message.h"
#include "model_file.h"
#include "motor_file.h"
#include "options.h"
#include "output.h"
#include "override.h"
#include "problem_file.h"
#include "robots.h"
#include "step_problem.h"
#include "tool.h"
#include "twin.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tactus run SCENE|FILE [--steps N] [--log FILE] [--motors FILE.csv] [--link ENDPOINT]\n"
    "                  [--method NAME] [--problem N FILE.fc3d] [ARGUMENT ...]\n"
    "       tactus run --list\n\n"
    "Runs a scene, or a model from a file: URDF, MJCF, or what urdf2tactus or mjcf2tactus --blob has written,\n"
    "and prints what became of it. Of URDF and MJCF these programs make the model: words after -- are arguments\n"
    "for them, and motors have what an MJCF file's actuators are asked for.\n"
    "  --model FILE   the same as FILE\n"
    "  --steps N      so many instead of those that the scene is made for; a model: 1000\n"
    "  --seconds T    so many steps as make up that time\n"
    "  --h S          another step, s; and of the model's options:\n"
    "  --solver NAME  accelerated, plain, direct, auto\n"
    "  --law NAME     of friction: exact, relaxed\n"
    "  --tolerance X, --sweeps N    of the solver\n"
    "  --mu X         friction of all materials\n"
    "  --gravity G    along z, or X,Y,Z, m/s2\n"
    "  --motors FILE  what motors are asked for: columns time, joint, mode (effort, pd, velocity,\n"
    "                 position, off), and any of position, velocity, effort, stiffness, damping\n"
    "  --log FILE     the initial state and each step, by the end of the name: .mcap, messages that Foxglove\n"
    "                 shows; .glb, an animation (glTF), which Blender and browsers show; else a table (CSV), which\n"
    "                 PlotJuggler reads. -: a table on standard output. Ctrl-C ends the run, the file is whole\n"
    "  --csv FILE     the same, always a table\n"
    "  --every N      of the log each Nth step only\n"
    "  --contacts N   columns of a table for so many contacts of a step, the first ones; 16\n"
    "  --method NAME  the time stepper:\n"
    "                   ccp         the cone program of NST17; the default\n"
    "                   lcp         the linear complementarity problem of T03, by Lemke's pivots\n"
    "                   lcp-sweeps  the same, by sweeps\n"
    "                   implicit    the geometrically implicit step of CBAT07\n"
    "                 and for models without contacts TCE17's integrators euler, euler-linearised,\n"
    "                 euler-projected, trapezoidal, trapezoidal-linearised, newmark, hht and\n"
    "                 generalised-alpha\n"
    "  --directions N edges of the friction cones of lcp: 3 .. 16, 0: round; 8. A contact takes two rows\n"
    "                 more, with round ones six\n"
    "  --damping X    alpha of hht, -1/3 .. 0; -0.2. rho_inf of generalised-alpha, 0 .. 1; 0.8. gamma of\n"
    "                 newmark, 0 .. 1; 0.5\n"
    "  --problem N FILE  the contact problem of step N, counted from 1, for tactus solve;\n"
    "                 standard output is -\n"
    "  --link E       the same steps in a firmware; the hash of the state is compared after each\n"
    "  --list         the scenes, and which methods besides ccp they have room for: lcp (with 8 edges),\n"
    "                 implicit, dae (TCE17's)\n\n" ENDPOINT_HELP;

static tac_model model;
static joint_names names; // of a model
static tac_input input;
static twin both;

enum { OWN_DIRECTIONS = 255 };

/// The arguments of the command.
typedef struct run_options {
    const char *model, *motors, *log, *csv, *link, *method; ///< NULL: none
    uint32_t every, contacts;                               ///< of the log
    option_counted problem;                                 ///< 0: none
    override change;
    char *const *words;  ///< for what converts files, NULL at the end; NULL: none
    uint32_t steps;      ///< 0: as many as the scene says
    double seconds;      ///< NAN: not asked for
    uint32_t directions; ///< OWN_DIRECTIONS: the method's own
    double damping;      ///< NAN: the method's own
} run_options;

/// The run.
typedef struct session {
    const scene *scene;
    const char *file;         ///< the model file; NULL: of a scene
    const joint_names *names; ///< NULL: of a scene
    motor_file motors;
    uint32_t steps;
    option_counted problem;
    tactus_log *log; ///< NULL: none
} session;

/// Sums and maxima over a run.
typedef struct run_sums {
    uint64_t sweeps;
    uint32_t full, unconverged, relaxed; ///< steps with that flag
    tac_real penetration, residual;      ///< worst of any step
    tac_real apart;                      ///< worst report.joint_error
} run_sums;

static void add_step(run_sums *sums)
{
    const tac_report *report = &both.work.report;

    sums->sweeps += report->sweeps;
    sums->full += (report->status & TAC_FULL) != 0;
    sums->unconverged += (report->status & TAC_UNCONVERGED) != 0;
    sums->relaxed += (report->status & TAC_RELAXED) != 0;
    if (report->penetration > sums->penetration) sums->penetration = report->penetration;
    if (report->residual > sums->residual) sums->residual = report->residual;
    if (report->joint_error > sums->apart) sums->apart = report->joint_error;
}

static void write_step(const session *s)
{
    if (s->log != NULL) tactus_log_step(s->log, &both.state, &both.work);
}

static volatile sig_atomic_t interrupted;

// The run ends after the step that is being taken; a second signal ends the program.
static void on_interrupt(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

// Sets the input of step i, if it has changed.
static int drive(session *s, uint32_t i)
{
    int changed = motor_file_apply(&s->motors, i, &input);

    if (s->scene->drive != NULL) {
        input.actions = 0;
        s->scene->drive(&model, i, &input);
        changed = 1;
    }
    return changed ? twin_input(&both, &input) : TWIN_GOOD;
}

// The contact problem of the last step. Returns 0 after a complaint.
static int write_problem(const session *s)
{
    static tac_problem problem;
    char comment[256];
    uint32_t which = 0;
    const tac_report *report = &both.work.report;
    const char *lack = step_problem_make(&model, &both.work, &problem, &which);

    if (lack != NULL) {
        complain("%s: step %" PRIu32 " is no problem of the format fc3d: %s %" PRIu32, s->scene->name, s->problem.count,
                 lack, which);
        return 0;
    }
    snprintf(comment, sizeof comment, "%.100s, step %" PRIu32 " of %g s; solved under the %s law to %g m/s",
             s->scene->name, s->problem.count, (double)model.h,
             report->friction == TAC_FRICTION_EXACT ? "exact" : "relaxed", (double)report->residual);
    return problem_file_write(s->problem.text, &problem, comment);
}

// Ends early if a step is refused, or if the firmware fails or differs.
static int take_steps(session *s, run_sums *sums)
{
    int result = TWIN_GOOD;

    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    write_step(s);
    for (uint32_t i = 0; i < s->steps && !interrupted && result == TWIN_GOOD; i++) {
        result = drive(s, i);
        if (result == TWIN_GOOD) result = twin_step(&both, 1);
        if (result != TWIN_GOOD) break;
        add_step(sums);
        if (i + 1u == s->problem.count && !write_problem(s)) return TWIN_FAILED;
        write_step(s);
        progress(s->scene->name, i + 1u, s->steps);
    }
    if (interrupted) complain("%s: interrupted after step %" PRIu64, s->scene->name, both.state.step);
    if (result == TWIN_DIFFERS) {
        complain("%s: the firmware differs from the host's kernel after step %" PRIu64, s->scene->name, both.differing);
    }
    return result;
}

static void print_sums(const run_sums *sums)
{
    const tac_report *report = &both.work.report;

    printf("steps        %" PRIu64 " of %g s\n", both.state.step, (double)model.h);
    printf("sweeps       %" PRIu64 "\n", sums->sweeps);
    printf("contacts     %u at the end, %u at most\n", report->contacts, both.state.contacts_peak);
    if (model.joints > 0) printf("joints       %" PRIu32 ", %g m apart at worst\n", model.joints, (double)sums->apart);
    printf("penetration  %g m at worst\n", (double)sums->penetration);
    printf("residual     %g at worst\n", (double)sums->residual);
    printf("energy       kinetic %g J, potential %g J\n", (double)report->kinetic, (double)report->potential);
    printf("flags        full %" PRIu32 ", unconverged %" PRIu32 ", relaxed %" PRIu32 "\n", sums->full,
           sums->unconverged, sums->relaxed);
    printf("hash         0x%016" PRIx64 "\n", tac_state_hash(&model, &both.state));
}

// The model is there, and sealed.
static int run_world(session *s, link_client *client)
{
    static tac_state start;
    run_sums sums = {0};
    tac_fault fault;

    const tac_status status = tac_state_init(&model, &start, &fault);
    if (status != TAC_OK) {
        complain_kernel(s->scene->name, status, fault, &model, NULL, NULL);
        return EXIT_BAD;
    }
    if (twin_open(&both, &model, client) != TWIN_GOOD || twin_start(&both, &start) != TWIN_GOOD) return EXIT_BAD;
    const int result = take_steps(s, &sums);
    print_sums(&sums);
    if (result == TWIN_GOOD) twin_print(&both);
    printf("not solved: %" PRIu64 " of %" PRIu64 " steps\n", both.unsolved, both.steps);
    return result == TWIN_GOOD && !interrupted ? EXIT_GOOD : EXIT_BAD;
}

static int run_linked(const run_options *o, session *s)
{
    static endpoint end;
    static link_client client;

    if (o->link == NULL) return run_world(s, NULL);

    // a firmware that this program starts inherits ignored signals, so Ctrl-C interrupts this program only
    int code = EXIT_BAD;
    signal(SIGINT, SIG_IGN);
    if (endpoint_open(o->link, &end, &client) && endpoint_same_precision(&client)) code = run_world(s, &client);
    endpoint_close(&end);
    return code;
}

// A log of a model has the model's file in it, so that what shows the log needs no other file.
static int attach_model(const session *s)
{
    uint32_t count = 0;
    uint8_t *bytes = s->file != NULL ? model_file_bytes(s->file, &count) : NULL;

    if (bytes == NULL) return s->file == NULL;
    tactus_log_attach(s->log, "model", "application/octet-stream", bytes, count);
    free(bytes);
    return 1;
}

// Names as the log reads them.
static void name_all(const joint_names *n, tactus_log_about *about)
{
    static const char *joint[TAC_MAX_JOINTS], *body[TAC_MAX_BODIES + 1];

    if (n == NULL) return;
    for (uint32_t i = 0; i < model.joints; i++) joint[i] = n->name[i];
    for (uint32_t i = 0; i < model.bodies; i++) body[i] = n->body[i][0] != '\0' ? n->body[i] : NULL;
    about->joint = joint;
    about->body = body;
}

static int run_to_log(const run_options *o, session *s)
{
    const char *path = o->csv != NULL ? o->csv : o->log;
    const tactus_log_format format = o->csv != NULL || o->log == NULL ? TACTUS_LOG_CSV : tactus_log_format_of(o->log);
    const char *const metadata[][2] = {{s->file != NULL ? "model" : "scene", s->scene->name},
                                       {"method", o->method != NULL ? o->method : "ccp"},
                                       {NULL, NULL}};
    tactus_log_about about = {
        .title = s->scene->name, .every = o->every, .contacts = o->contacts, .metadata = metadata};

    s->steps = o->steps > 0 ? o->steps : s->scene->steps;
    if (!isnan(o->seconds)) s->steps = (uint32_t)(o->seconds / (double)model.h + 0.5);
    s->problem = o->problem;
    if (s->problem.count > s->steps) {
        complain("--problem: there are %" PRIu32 " steps", s->steps);
        return EXIT_USAGE;
    }
    if (path == NULL) return run_linked(o, s);
    name_all(s->names, &about);
    FILE *file = output_open(path);
    if (file == NULL) return EXIT_BAD;
    s->log = tactus_log_open(file, format, &model, &about);
    const int code = s->log != NULL && attach_model(s) ? run_linked(o, s) : EXIT_BAD;
    if (s->log != NULL && tactus_log_close(s->log)) return code;
    complain("%s: %s", path, strerror(errno));
    return EXIT_BAD;
}

// `damping`: unless --damping says another.
static const struct method_name {
    const char *name;
    uint8_t kind, directions;
    double damping;
} method_names[] = {{"ccp", LINK_METHOD_CCP, 0, 0.0},
                    {"lcp", LINK_METHOD_LCP, 8, 0.0},
                    {"lcp-sweeps", LINK_METHOD_LCP_SWEEPS, 8, 0.0},
                    {"implicit", LINK_METHOD_IMPLICIT, 0, 0.0},
                    {"euler", LINK_METHOD_DAE + TAC_DAE_EULER, 0, 0.0},
                    {"euler-linearised", LINK_METHOD_DAE + TAC_DAE_EULER_LINEARISED, 0, 0.0},
                    {"euler-projected", LINK_METHOD_DAE + TAC_DAE_EULER_PROJECTED, 0, 0.0},
                    {"trapezoidal", LINK_METHOD_DAE + TAC_DAE_TRAPEZOIDAL, 0, 0.0},
                    {"trapezoidal-linearised", LINK_METHOD_DAE + TAC_DAE_TRAPEZOIDAL_LINEARISED, 0, 0.0},
                    {"newmark", LINK_METHOD_DAE + TAC_DAE_NEWMARK, 0, 0.5},
                    {"hht", LINK_METHOD_DAE + TAC_DAE_HHT, 0, -0.2},
                    {"generalised-alpha", LINK_METHOD_DAE + TAC_DAE_GENERALISED_ALPHA, 0, 0.8}};

enum { METHOD_NAMES = sizeof method_names / sizeof method_names[0] };

static const struct method_name *find_method(const char *name)
{
    for (size_t i = 0; i < METHOD_NAMES; i++) {
        if (strcmp(method_names[i].name, name) == 0) return &method_names[i];
    }
    complain("%s: no such method; see tactus run --help", name);
    return NULL;
}

// How steps are taken. Returns 0 after a complaint.
static int use_method(const run_options *o)
{
    const struct method_name *found = find_method(o->method != NULL ? o->method : "ccp");

    if (found == NULL) return 0;
    const uint32_t directions = o->directions == OWN_DIRECTIONS ? found->directions : o->directions;

    if (directions > TAC_LCP_DIRECTIONS) {
        complain("--directions: 3 .. %d, 0: round", TAC_LCP_DIRECTIONS);
        return 0;
    }
    both.method =
        (link_method){found->kind, (uint8_t)directions, (tac_real)(isnan(o->damping) ? found->damping : o->damping)};
    if (link_method_known(both.method)) return 1;
    complain("--directions: 3 .. %d, 0: round; --damping: alpha -1/3 .. 0, rho_inf and gamma 0 .. 1",
             TAC_LCP_DIRECTIONS);
    return 0;
}

// Has the model in `model` what tac_step_implicit() refuses: surfaces that move, joints that only measure or may be
// switched?
static int only_explicit(void)
{
    int found = TAC_MAX_SURFACES > 0 && model.surfaces > 0;

    for (uint32_t i = 0; i < model.joints; i++) {
        found |= model.joint[i].kind > TAC_BUSHING;
#if TAC_SWITCHES
        found |= model.joint[i].switched != TAC_JOINT_ALWAYS;
#endif
    }
    return found;
}

// Why the scene, which is in `model`, cannot be run by the method: NULL if it can, for all that is known before its
// first step. Joints have a few rows of lcp too; no scene has so many that they count. In the implicit step a joint has
// nine unknowns at the most: five constraints and four efforts.
static const char *scene_lacks(const scene *s, link_method method)
{
    const uint32_t edges = method.directions == TAC_LCP_ROUND ? 4 : method.directions;
    const uint32_t rows = s->contacts * (2u + edges);
    const uint32_t unknowns = 6u * (model.bodies - 1) + 9u * model.joints + 3u * s->contacts;
    const int lcp = method.kind == LINK_METHOD_LCP || method.kind == LINK_METHOD_LCP_SWEEPS;

    if (lcp && rows > TAC_MAX_LCP) return "its contacts take more rows than there is room for (TAC_MAX_LCP)";
    if (method.kind == LINK_METHOD_IMPLICIT && unknowns > TAC_MAX_NCP) return "it has more unknowns than TAC_MAX_NCP";
    if (method.kind == LINK_METHOD_IMPLICIT && only_explicit())
        return "it has surfaces or joints that this step does not know";
    if (method.kind >= LINK_METHOD_DAE && s->contacts > 0) return "it has contacts";
    return NULL;
}

static int run_scene(const char *name, const run_options *o)
{
    session s = {.scene = scene_find(name) != NULL ? scene_find(name) : robot_find(name)};
    if (s.scene == NULL) {
        complain("%s: no such scene; tactus run --list lists them", name);
        return EXIT_USAGE;
    }
    const tac_status status = s.scene->build(&model);
    if (status != TAC_OK) {
        complain("scene %s: does not fit this configuration, status %" PRId32, name, status);
        return EXIT_BAD;
    }
    if (!override_apply(&o->change, name, &model)) return EXIT_BAD;
    const char *lacks = scene_lacks(s.scene, both.method);
    if (lacks != NULL) {
        complain("%s: not by --method %s: %s", name, o->method, lacks);
        return EXIT_BAD;
    }
    return run_to_log(o, &s);
}

// path: of the model; motors: what they are asked for, or NULL.
static int run_model(const run_options *o, const char *path, const char *motors)
{
    const scene unnamed = {o->model, o->model, 1000, 0, NULL, NULL};
    session s = {.scene = &unnamed, .file = path, .names = &names};
    if (!model_file_read(path, o->model, &model, &names)) return EXIT_BAD;
    if (!override_apply(&o->change, o->model, &model)) return EXIT_BAD;
    if (motors != NULL && !motor_file_read(motors, &model, &names, &s.motors)) return EXIT_BAD;
    const int code = run_to_log(o, &s);
    motor_file_free(&s.motors);
    return code;
}

static int run_file(const run_options *o)
{
    conversion made = {{0}, {0}};
    int code = EXIT_BAD;

    if (!convert_is_text(o->model)) return run_model(o, o->model, o->motors);
    if (convert_file(o->model, o->words, &made)) {
        code = run_model(o, made.model, o->motors != NULL || made.motors[0] == '\0' ? o->motors : made.motors);
    }
    conversion_end(&made);
    return code;
}

// A name that is no scene's is that of a file, if there is one.
static int is_file(const char *name)
{
    FILE *file = scene_find(name) == NULL && robot_find(name) == NULL ? fopen(name, "rb") : NULL;

    if (file == NULL) return 0;
    fclose(file);
    return 1;
}

static int list_scene(const scene *s)
{
    static const struct method_name others[] = {
        {"lcp", LINK_METHOD_LCP, 8, 0.0}, {"implicit", LINK_METHOD_IMPLICIT, 0, 0.0}, {"dae", LINK_METHOD_DAE, 0, 0.0}};

    if (s->build(&model) != TAC_OK) {
        complain("scene %s: does not fit this configuration", s->name);
        return 0;
    }
    printf("%-16s", s->name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const link_method method = {others[i].kind, others[i].directions, 0};
        printf(" %-*s", (int)strlen(others[i].name), scene_lacks(s, method) == NULL ? others[i].name : "-");
    }
    printf("  %s\n", s->about);
    return 1;
}

static int list_scenes(void)
{
    int good = 1;

    for (unsigned i = 0; i < scene_count; i++) good &= list_scene(&scenes[i]);
    for (unsigned i = 0; i < robot_count; i++) good &= list_scene(&robots[i]);
    return good ? EXIT_GOOD : EXIT_BAD;
}

static int run(int argc, char **argv)
{
    run_options o = {.contacts = 16,
                     .directions = OWN_DIRECTIONS,
                     .damping = NAN,
                     .seconds = NAN,
                     .change = {.h = NAN, .tolerance = NAN, .mu = NAN}};
    int list = 0, rest;
    const option table[] = {{"--steps", OPTION_COUNT, &o.steps},
                            {"--log", OPTION_TEXT, &o.log},
                            {"--csv", OPTION_TEXT, &o.csv},
                            {"--every", OPTION_COUNT, &o.every},
                            {"--contacts", OPTION_COUNT, &o.contacts},
                            {"--model", OPTION_TEXT, &o.model},
                            {"--motors", OPTION_TEXT, &o.motors},
                            {"--link", OPTION_TEXT, &o.link},
                            {"--method", OPTION_TEXT, &o.method},
                            {"--directions", OPTION_INDEX, &o.directions},
                            {"--damping", OPTION_NUMBER, &o.damping},
                            {"--problem", OPTION_COUNTED, &o.problem},
                            {"--list", OPTION_FLAG, &list},
                            {"--seconds", OPTION_NUMBER, &o.seconds},
                            {"--h", OPTION_NUMBER, &o.change.h},
                            {"--solver", OPTION_TEXT, &o.change.solver},
                            {"--law", OPTION_TEXT, &o.change.law},
                            {"--tolerance", OPTION_NUMBER, &o.change.tolerance},
                            {"--sweeps", OPTION_COUNT, &o.change.sweeps},
                            {"--mu", OPTION_NUMBER, &o.change.mu},
                            {"--gravity", OPTION_TEXT, &o.change.gravity},
                            {NULL, OPTION_FLAG, NULL}};
    const int own = options_words(argc, argv, &o.words), got = options_read(table, own, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&run_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, !list && o.model == NULL)) return tool_usage(&run_command);
    if (o.log != NULL && o.csv != NULL) {
        complain("--log and --csv: not both");
        return EXIT_USAGE;
    }
    if (!isnan(o.seconds) && !(o.seconds > 0.0 && o.seconds <= 1e6)) {
        complain("--seconds: above 0, 1e6 at most");
        return EXIT_USAGE;
    }
    if (list) return list_scenes();
    if (!override_read(&o.change) || !use_method(&o)) return EXIT_USAGE;
    if (o.problem.count > 0 && both.method.kind != LINK_METHOD_CCP) {
        complain("--problem: only of --method ccp");
        return EXIT_USAGE;
    }
    if (o.model == NULL && is_file(argv[0])) o.model = argv[0];
    if (o.model == NULL && (o.motors != NULL || o.words != NULL)) {
        complain("%s: only of a model from a file", o.motors != NULL ? "--motors" : "--");
        return EXIT_USAGE;
    }
    return o.model != NULL ? run_file(&o) : run_scene(argv[0], &o);
}

const command run_command = {"run", "run a scene of the library, or a model from a file", help, run};
