// SPDX-License-Identifier: MIT
// main.c - tactus: the command-line tool. One file per command.
#include "message.h"
#include "tool.h"

#include <stdio.h>
#include <string.h>

static const command *const commands[] = {&run_command,      &view_command,          &plot_command,      &toss_command,
                                          &demo_command,     &link_command,          &solve_command,     &info_command,
                                          &overlaps_command, &accelerations_command, &linearise_command, &fit_command};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *file)
{
    fprintf(file, "usage: tactus COMMAND [ARGUMENTS]\n\n");
    for (int i = 0; i < COMMANDS; i++) fprintf(file, "  %-13s %s\n", commands[i]->name, commands[i]->about);
    fprintf(file,
            "\ntactus COMMAND --help says more; tactus --version says which this is. It computes in %d bits.\n"
            "Exit codes: 0 good, 1 failed, 2 wrong usage.\n",
            TAC_REAL_BITS);
}

int tool_help(const command *c)
{
    fputs(c->help, stdout);
    return EXIT_GOOD;
}

int tool_usage(const command *c)
{
    const char *end = strchr(c->help, '\n');
    fprintf(stderr, "%.*s\ntactus %s --help says more\n", (int)(end - c->help), c->help, c->name);
    return EXIT_USAGE;
}

// Errors of writing to stdout, such as a full disk, may appear only when it is flushed.
static int close_stdout(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    complain("stdout could not be written");
    return code == EXIT_GOOD ? EXIT_BAD : code;
}

int main(int argc, char **argv)
{
    const uint32_t broken = tac_self_test();
    if (broken) {
        complain("the arithmetic of this build, here and now, breaks a promise: %s", tac_promise_name(broken));
        return EXIT_BAD;
    }
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return close_stdout(EXIT_GOOD);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("tactus %s\n", TAC_VERSION);
        return close_stdout(EXIT_GOOD);
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i]->name) == 0) return close_stdout(commands[i]->run(argc - 2, argv + 2));
    }
    complain("%s: no such command; tactus --help lists them", argv[1]);
    return EXIT_USAGE;
}
