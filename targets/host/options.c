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
    const int good = o->kind == OPTION_NUMBER ? read_number(text, o->value) : options_count(text, o->value);
    if (!good) complain("%s %s: not a %s", o->name, text, o->kind == OPTION_NUMBER ? "number" : "count above 0");
    return good;
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
        if (o->kind == OPTION_FLAG) {
            *(int *)o->value = 1;
        } else if (i + 1 == argc) {
            complain("%s: needs a value", argv[i]);
            return OPTIONS_BAD;
        } else if (!read_value(o, argv[++i])) {
            return OPTIONS_BAD;
        }
    }
    return OPTIONS_GOOD;
}

int options_rest(char **argv, int rest, int want)
{
    if (rest < want) complain("an argument is missing");
    if (rest > want) complain("%s: one argument too many", argv[want]);
    return rest == want;
}
