// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "table_file.h"
#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

// Cuts the line into fields in place. Returns 0 if there are too many.
static int split(table_file *t)
{
    t->fields = 0;
    char *next = t->line;
    while (next != NULL) {
        if (t->fields == TABLE_MAX_FIELDS) {
            complain("%s:%lu: more than %d fields", t->path, t->number, TABLE_MAX_FIELDS);
            return 0;
        }
        char *field = next;
        next = strchr(field, ',');
        if (next != NULL) *next++ = '\0';
        field += strspn(field, " \t");
        t->field[t->fields++] = field;
        for (size_t n = strlen(field); n > 0 && (field[n - 1] == ' ' || field[n - 1] == '\t'); n--) field[n - 1] = '\0';
    }
    return 1;
}

// Returns 1 with a line cut into fields, 0 at the end, -1 after a complaint. Blank lines are skipped.
static int next_line(table_file *t)
{
    for (;;) {
        errno = 0;
        const ssize_t length = getline(&t->line, &t->line_size, t->stream);
        if (length < 0) {
            if (errno == 0) return 0;
            complain("%s: %s", t->path, strerror(errno));
            return -1;
        }
        t->number++;
        t->line[strcspn(t->line, "\r\n")] = '\0';
        if (t->line[strspn(t->line, " \t")] != '\0') return split(t) ? 1 : -1;
    }
}

static int open_stream(const char *path, table_file *t)
{
    *t = (table_file){.path = path};
    t->stream = fopen(path, "r");
    if (t->stream == NULL) complain("%s: %s", path, strerror(errno));
    return t->stream != NULL;
}

static int read_header(table_file *t)
{
    const int got = next_line(t);
    if (got == 0) complain("%s: empty; the first line must name the columns", t->path);
    t->header_fields = t->fields;
    return got > 0;
}

int table_file_open(const char *path, table_file *t)
{
    return open_stream(path, t) && read_header(t);
}

int table_file_open_live(const char *path, table_file *t)
{
    return open_stream(path, t) && setvbuf(t->stream, NULL, _IONBF, 0) == 0 && read_header(t);
}

void table_file_close(table_file *t)
{
    free(t->line);
    if (t->stream != NULL) fclose(t->stream);
}

int table_file_column(const table_file *t, const char *name)
{
    for (int i = 0; i < t->fields; i++) {
        if (strcmp(t->field[i], name) == 0) return i;
    }
    return -1;
}

int table_file_must(const table_file *t, const char *name)
{
    const int at = table_file_column(t, name);
    if (at < 0) complain("%s:%lu: no column '%s'", t->path, t->number, name);
    return at;
}

int table_file_next(table_file *t)
{
    const int got = next_line(t);
    if (got <= 0 || t->fields == t->header_fields) return got;
    complain("%s:%lu: %d fields, the header has %d", t->path, t->number, t->fields, t->header_fields);
    return -1;
}

int table_file_number(const table_file *t, int field, const char *column, double *value)
{
    const char *text = t->field[field];
    char *end;

    *value = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*value)) return 1;
    complain("%s:%lu: '%s' in column '%s' is not a number", t->path, t->number, text, column);
    return 0;
}
