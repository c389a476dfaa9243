// SPDX-License-Identifier: MIT
// options.h - command lines: "--name value", "--name" and the rest.
#ifndef HOST_OPTIONS_H
#define HOST_OPTIONS_H

#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   ///< int: 1 if it is there
    OPTION_TEXT,   ///< const char *
    OPTION_NUMBER, ///< double, finite
    OPTION_COUNT,  ///< uint32_t, 1 .. 2^32-1
    OPTION_INDEX,  ///< uint32_t, 0 .. 2^32-1
    OPTION_COUNTED ///< option_counted, two words: a count as above, and a text
} option_kind;

typedef struct option_counted {
    uint32_t count;
    const char *text;
} option_counted;

typedef struct option {
    const char *name; ///< with its two dashes; NULL ends the table
    option_kind kind;
    void *value; ///< untouched if the option is not there
} option;

enum { OPTIONS_GOOD, OPTIONS_HELP, OPTIONS_BAD };

/// Read the arguments of a command. Arguments that are not options are moved to the front of argv; *rest is their
/// number. Returns OPTIONS_HELP for --help or -h, OPTIONS_BAD after a complaint.
int options_read(const option *table, int argc, char **argv, int *rest);

/// Are there as many arguments besides the options as the command takes? Returns 0 after a complaint.
int options_rest(char **argv, int rest, int want);

/// How many arguments there are before "--"; words: those behind it, untouched if there is none.
int options_words(int argc, char **argv, char *const **words);

/// Read a count such as "12". Returns 0 if the text is not a count above 0.
int options_count(const char *text, uint32_t *value);

#endif
