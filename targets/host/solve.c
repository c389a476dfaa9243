// SPDX-License-Identifier: MIT
// solve.c - tactus solve: a frictional contact problem from a file, by any method of the kernel.
#include "message.h"
#include "options.h"
#include "problem_file.h"
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tactus solve FILE [--method M] [--sweeps N] [--law exact|relaxed] [--tolerance T] [--least-norm] "
    "[--impulses] [--curve]\n\n"
    "Solves a contact problem of the format fc3d and prints its certificate; beside a reference FILE.ref (for .fc3d) "
    "also\n"
    "how far the velocities are from it.\n"
    "  --method M      auto (default), jacobi, sor, symmetric, accelerated, apgd, spectral, minres or direct\n"
    "  --sweeps N      budget in passes over the matrix, default 10000; direct ends in one matrix more at most\n"
    "  --law L         exact (default) or relaxed friction\n"
    "  --tolerance T   of r_natmap (resS); default 0: until rounding or the budget ends it\n"
    "  --omega W       relaxation of jacobi, sor and symmetric, default 1 (jacobi 0.3)\n"
    "  --least-norm    of all solutions the one of least impulses\n"
    "  --impulses      a line for each contact: mode, impulse, velocity\n"
    "  --curve         r_natmap after so many passes of each method, or of that of --method, as a table for\n"
    "                  tactus plot; up to --sweeps, default 1000. Empty where a method takes more\n"
    "Exit code 1 if a file is bad or, with a tolerance, if it is not met.\n";

static tac_problem problem;
static tac_solve_work work;
static double reference[TAC_MAX_SOLVE_ROWS];

static const char *const method_name[TAC_METHODS] = {
    "auto", "jacobi", "sor", "symmetric", "accelerated", "apgd", "spectral", "minres", "direct",
};

// Returns the index of a name in a table, or -1 after a complaint.
static int find(const char *what, const char *name, const char *const *table, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(name, table[i]) == 0) return i;
    }
    complain("%s %s: no such thing; tactus solve --help lists them", what, name);
    return -1;
}

// |u - u_ref| / |p| for a reference beside the problem: NAME.ref for NAME.fc3d. -1 if there is none, -2 after a
// complaint.
static double velocity_error(const char *path)
{
    char name[4096];
    const size_t length = strlen(path),
                 stem = length > 5 && strcmp(path + length - 5, ".fc3d") == 0 ? length - 5 : length;
    if (stem + 5 > sizeof name) return -1;
    memcpy(name, path, stem);
    strcpy(name + stem, ".ref");

    const int got = problem_file_reference(name, problem.blocks, work.report.friction, reference);
    if (got <= 0) return got < 0 ? -1 : -2;
    double error = 0, size = 0;
    for (uint32_t i = 0; i < problem.rows; i++) {
        const double miss = (double)work.u[i] - reference[i], p = (double)problem.block[i / 3].p[i % 3];
        error += miss * miss;
        size += p * p;
    }
    return size > 0 ? sqrt(error / size) : sqrt(error);
}

static void print_impulses(void)
{
    static const char *const mode[3] = {"open", "stick", "slide"};
    for (uint32_t i = 0; i < problem.blocks; i++) {
        printf("%" PRIu32 " %s", i, mode[work.mode[i]]);
        for (uint32_t r = 0; r < 3; r++) printf(" %.9g", (double)work.g[3 * i + r]);
        for (uint32_t r = 0; r < 3; r++) printf(" %.9g", (double)work.u[3 * i + r]);
        printf("\n");
    }
}

static int print_report(const char *path)
{
    const tac_solve_report *r = &work.report;
    const double error = velocity_error(path);

    printf("contacts %" PRIu32 ", blocks %" PRIu32 ", %s law, method %s\n", problem.blocks, problem.entries,
           r->friction == TAC_FRICTION_EXACT ? "exact" : "relaxed", method_name[r->method]);
    printf("passes %" PRIu32 ", iterations %" PRIu32 ", matrices %" PRIu32 "\n", r->passes, r->iterations,
           r->factorings);
    printf("r_natmap %.3e, resA %.3e, f_ccp %.6e\n", (double)r->r_natmap, (double)r->natural, (double)r->f_ccp);
    printf("modes %" PRIu32 " open, %" PRIu32 " stick, %" PRIu32 " slide\n", r->open, r->stick, r->slide);
    printf("errors: r_ncp_primal %.3e, r_ncp_dual %.3e, r_ncp_compl %.3e, signorini %.3e, dissipation %.3e\n",
           (double)r->r_ncp_primal, (double)r->r_ncp_dual, (double)r->r_ncp_compl, (double)r->signorini,
           (double)r->dissipation);
    if (error >= 0) printf("velocity error %.3e\n", error);
    return error > -2 ? EXIT_GOOD : EXIT_BAD;
}

// The relaxation of a method, unless another is asked for.
static tac_real omega_of(double asked, int method)
{
    return (tac_real)(asked != 0 ? asked : method == TAC_METHOD_JACOBI ? 0.3 : 1.0);
}

// One cell: the problem is solved anew, since what a method does with its last passes depends on how many it has.
static void print_residual(tac_solve_options options, uint32_t passes, int method, double omega)
{
    options.method = (uint8_t)method;
    options.omega = omega_of(omega, method);
    options.max_passes = passes;
    if (tac_solve(&problem, &options, &work) >= 0 && work.report.passes <= passes) {
        printf(",%.3e", (double)work.report.r_natmap);
    } else {
        printf(",");
    }
}

// `only`: TAC_METHOD_AUTO for a column of each method.
static void print_curve(const tac_solve_options *options, int only, double omega)
{
    const uint32_t last = options->max_passes;
    int method[TAC_METHODS], methods = 0;

    for (int m = TAC_METHOD_AUTO + 1; m < TAC_METHODS; m++) {
        if (m != TAC_METHOD_MINRES && (only == TAC_METHOD_AUTO || m == only)) method[methods++] = m;
    }
    printf("passes");
    for (int i = 0; i < methods; i++) printf(",%s", method_name[method[i]]);
    printf("\n");
    for (uint32_t passes = 1, next; passes <= last; passes = next) {
        printf("%" PRIu32, passes);
        for (int i = 0; i < methods; i++) print_residual(*options, passes, method[i], omega);
        printf("\n");
        next = passes + passes / 4 + 1;
        if (passes < last && next > last) next = last;
    }
}

static int run(int argc, char **argv)
{
    static const char *const law_name[2] = {"exact", "relaxed"};
    const char *method = "auto", *law = "exact";
    double tolerance = 0, omega = 0;
    uint32_t sweeps = 0;
    int least_norm = 0, impulses = 0, curve = 0, rest;
    const option table[] = {
        {"--method", OPTION_TEXT, &method},
        {"--sweeps", OPTION_COUNT, &sweeps},
        {"--law", OPTION_TEXT, &law},
        {"--tolerance", OPTION_NUMBER, &tolerance},
        {"--omega", OPTION_NUMBER, &omega},
        {"--least-norm", OPTION_FLAG, &least_norm},
        {"--impulses", OPTION_FLAG, &impulses},
        {"--curve", OPTION_FLAG, &curve},
        {NULL, OPTION_FLAG, NULL},
    };
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&solve_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 1)) return tool_usage(&solve_command);
    const int m = find("--method", method, method_name, TAC_METHODS), l = find("--law", law, law_name, 2);
    if (m < 0 || l < 0) return EXIT_USAGE;
    if (!problem_file_read(argv[0], &problem)) return EXIT_BAD;

    tac_solve_options options;
    tac_solve_options_init(&options);
    options.method = (uint8_t)m;
    options.friction = (uint8_t)(l == 0 ? TAC_FRICTION_EXACT : TAC_FRICTION_RELAXED);
    options.tolerance = (tac_real)tolerance;
    options.max_passes = sweeps > 0 ? sweeps : curve ? 1000 : 10000;
    options.omega = omega_of(omega, m);
    options.least_norm = (uint8_t)least_norm;
    const tac_status status = tac_solve(&problem, &options, &work);
    if (status == TAC_E_ARG) {
        complain("an option is out of range, or %s does not solve contacts", method);
        return EXIT_BAD;
    }
    if (status < 0) {
        complain("%s: refused, status %" PRId32 ", contact %" PRIu32
                 ": a diagonal block that is missing or not positive, or a matrix that is not symmetric",
                 argv[0], status, work.report.fault);
        return EXIT_BAD;
    }
    if (curve) {
        print_curve(&options, m, omega);
        return EXIT_GOOD;
    }
    const int code = print_report(argv[0]);
    if (impulses) print_impulses();
    return tolerance > 0 && status != TAC_OK ? EXIT_BAD : code;
}

const command solve_command = {"solve", "solve a contact problem from a file, by any method", help, run};
