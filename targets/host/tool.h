// SPDX-License-Identifier: MIT
// tool.h - the commands of the tool. Each gets the arguments behind its name and returns the exit code.
#ifndef HOST_TOOL_H
#define HOST_TOOL_H

typedef struct command {
    const char *name;
    const char *about; ///< one line
    const char *help;  ///< all of it
    int (*run)(int argc, char **argv);
} command;

extern const command run_command, view_command, plot_command, toss_command, demo_command, link_command, solve_command,
    info_command, overlaps_command, accelerations_command, linearise_command, fit_command;

/// Print the help of a command to stdout or, when it was called wrongly, to stderr. Returns the exit code for it.
int tool_help(const command *c);
int tool_usage(const command *c);

#endif
