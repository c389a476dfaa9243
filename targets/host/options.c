// SPDX-License-Identifier: MIT
#include "options.h"
#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int options_count(const char *text, uint32_t *value)
{
    char *end;

    if (text[0] < '0' || text[0] > '9') return 0;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0 || number == 0 || number > UINT32_MAX) return 0;
    *value = (uint32_t)number;
    return 1;
}

static int read_number(const char *text, double *value)
{
    char *end;
    const double number = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(number)) return 0;
    *value = number;
    return 1;
}

static int read_value(const option *o, const char *text)
{
    if (o->kind == OPTION_TEXT) {
        *(const char **)o->value = text;
        return 1;
    }
    if (o->kind == OPTION_INDEX && strcmp(text, "0") == 0) {
        *(uint32_t *)o->value = 0;
        return 1;
    }
    uint32_t *count = o->kind == OPTION_COUNTED ? &((option_counted *)o->value)->count : o->value;
    const int good = o->kind == OPTION_NUMBER ? read_number(text, o->value) : options_count(text, count);
    if (!good)
        complain("%s %s: not a %s", o->name, text,
                 o->kind == OPTION_NUMBER  ? "number"
                 : o->kind == OPTION_INDEX ? "count"
                                           : "count above 0");
    return good;
}

// How many words of argv[1] .. are the option's value.
static int words_of(const option *o)
{
    return o->kind == OPTION_FLAG ? 0 : o->kind == OPTION_COUNTED ? 2 : 1;
}

static const option *find(const option *table, const char *name)
{
    while (table->name != NULL && strcmp(table->name, name) != 0) table++;
    return table->name != NULL ? table : NULL;
}

int options_read(const option *table, int argc, char **argv, int *rest)
{
    *rest = 0;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return OPTIONS_HELP;
        if (strncmp(argv[i], "--", 2) != 0) {
            argv[(*rest)++] = argv[i];
            continue;
        }
        const option *o = find(table, argv[i]);
        if (o == NULL) {
            complain("%s: no such option", argv[i]);
            return OPTIONS_BAD;
        }
        const int words = words_of(o);
        if (i + words >= argc) {
            complain("%s: needs %s", argv[i], words == 2 ? "a count and a value" : "a value");
            return OPTIONS_BAD;
        }
        if (words == 0) *(int *)o->value = 1;
        if (words > 0 && !read_value(o, argv[i + 1])) return OPTIONS_BAD;
        if (words == 2) ((option_counted *)o->value)->text = argv[i + 2];
        i += words;
    }
    return OPTIONS_GOOD;
}

int options_rest(char **argv, int rest, int want)
{
    if (rest < want) complain("an argument is missing");
    if (rest > want) complain("%s: one argument too many", argv[want]);
    return rest == want;
}

int options_words(int argc, char **argv, char *const **words)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0) continue;
        *words = argv + i + 1;
        return i;
    }
    return argc;
}
