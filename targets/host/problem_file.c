// SPDX-License-Identifier: MIT
#include "problem_file.h"
#include "output.h"
#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64 };

/// A file being read word by word.
typedef struct reader {
    const char *path;
    FILE *stream;
    unsigned long line; ///< of the last word, from 1
    char word[MAX_WORD];
} reader;

// Returns 0 at the end of the file.
static int next_word(reader *r)
{
    int c = fgetc(r->stream);
    for (; c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = fgetc(r->stream)) r->line += c == '\n';
    size_t length = 0;
    for (; c != EOF && strchr(" \t\r\n", c) == NULL; c = fgetc(r->stream)) {
        if (length + 1 < MAX_WORD) r->word[length++] = (char)c;
    }
    if (c != EOF) ungetc(c, r->stream);
    r->word[length] = '\0';
    return length > 0;
}

static int need_word(reader *r, const char *what)
{
    if (next_word(r)) return 1;
    if (ferror(r->stream)) {
        complain("%s: %s", r->path, strerror(errno));
    } else {
        complain("%s:%lu: ends where %s should be", r->path, r->line, what);
    }
    return 0;
}

static int read_real(reader *r, const char *what, double *value)
{
    char *end;
    if (!need_word(r, what)) return 0;
    *value = strtod(r->word, &end);
    if (end != r->word && *end == '\0' && isfinite(*value) && isfinite((tac_real)*value)) return 1;
    complain("%s:%lu: '%s' is not a number for %s", r->path, r->line, r->word, what);
    return 0;
}

static int read_count(reader *r, const char *what, uint32_t limit, uint32_t *value)
{
    char *end;
    if (!need_word(r, what)) return 0;
    const unsigned long number = strtoul(r->word, &end, 10);
    if (r->word[0] < '0' || r->word[0] > '9' || *end != '\0') {
        complain("%s:%lu: '%s' is not a count for %s", r->path, r->line, r->word, what);
        return 0;
    }
    if (number > limit) {
        complain("%s:%lu: %s %s, at most %lu here", r->path, r->line, r->word, what, (unsigned long)limit);
        return 0;
    }
    *value = (uint32_t)number;
    return 1;
}

// The two words of the first line, and the comment line.
static int read_head(reader *r, const char *name)
{
    if (!need_word(r, name)) return 0;
    if (strcmp(r->word, name) != 0 || !next_word(r) || strcmp(r->word, "1") != 0) {
        complain("%s:%lu: the first line must be '%s 1'", r->path, r->line, name);
        return 0;
    }
    int c = fgetc(r->stream);
    while (c != EOF && c != '\n') c = fgetc(r->stream);
    r->line++;
    c = fgetc(r->stream);
    if (c != '#') {
        complain("%s:%lu: the second line must be a comment, '# ...'", r->path, r->line);
        return 0;
    }
    while (c != EOF && c != '\n') c = fgetc(r->stream);
    r->line++;
    return 1;
}

static int read_contact(reader *r, tac_problem *problem)
{
    static const char *const what[4] = {"mu", "q_N", "q_T1", "q_T2"};
    double number[4];

    for (int i = 0; i < 4; i++) {
        if (!read_real(r, what[i], &number[i])) return 0;
    }
    if (number[0] < 0) {
        complain("%s:%lu: mu is %g, it must be >= 0", r->path, r->line, number[0]);
        return 0;
    }
    tac_problem_block block;
    tac_problem_block_init(&block, TAC_SET_CONE, 3);
    block.mu = (tac_real)number[0];
    for (int i = 0; i < 3; i++) block.p[i] = (tac_real)number[i + 1];
    if (tac_problem_add_block(problem, &block) >= 0) return 1;
    complain("%s:%lu: more contacts than this build can hold", r->path, r->line);
    return 0;
}

static int read_block(reader *r, tac_problem *problem)
{
    uint32_t i, j;
    tac_real value[9];
    double number;

    if (problem->blocks == 0) {
        complain("%s:%lu: a block without contacts", r->path, r->line);
        return 0;
    }
    if (!read_count(r, "as a row", problem->blocks - 1, &i)) return 0;
    if (!read_count(r, "as a column", problem->blocks - 1, &j)) return 0;
    for (int k = 0; k < 9; k++) {
        if (!read_real(r, "an entry of a block", &number)) return 0;
        value[k] = (tac_real)number;
    }
    const tac_problem_entry *last = problem->entries > 0 ? &problem->entry[problem->entries - 1] : NULL;
    if (last != NULL && (i < last->row || (i == last->row && j <= last->column))) {
        complain("%s:%lu: block %u %u out of order", r->path, r->line, i, j);
        return 0;
    }
    if (tac_problem_add_entry(problem, i, j, value) >= 0) return 1;
    complain("%s:%lu: more blocks than this build can hold", r->path, r->line);
    return 0;
}

static int read_problem(reader *r, tac_problem *problem)
{
    uint32_t contacts, blocks;

    tac_problem_init(problem);
    if (!read_head(r, "fc3d")) return 0;
    if (!read_count(r, "contacts", TAC_MAX_SOLVE_BLOCKS, &contacts)) return 0;
    if (!read_count(r, "blocks", TAC_MAX_SOLVE_ENTRIES, &blocks)) return 0;
    for (uint32_t k = 0; k < contacts; k++) {
        if (!read_contact(r, problem)) return 0;
    }
    for (uint32_t k = 0; k < blocks; k++) {
        if (!read_block(r, problem)) return 0;
    }
    if (!next_word(r)) return 1;
    complain("%s:%lu: '%s' after the last block", r->path, r->line, r->word);
    return 0;
}

int problem_file_read(const char *path, tac_problem *problem)
{
    reader r = {.path = path, .stream = fopen(path, "r"), .line = 1};

    if (r.stream == NULL) {
        complain("%s: %s", path, strerror(errno));
        return 0;
    }
    const int good = read_problem(&r, problem);
    fclose(r.stream);
    return good;
}

static void write_reals(FILE *file, const tac_real *value, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, i > 0 ? " %.*g" : "%.*g", TAC_REAL_BITS == 32 ? 9 : 17, (double)value[i]);
    fputc('\n', file);
}

int problem_file_write(const char *path, const tac_problem *problem, const char *comment)
{
    FILE *file = output_open(path);

    if (file == NULL) return 0;
    fprintf(file, "fc3d 1\n# %s\n%u %u\n", comment, problem->blocks, problem->entries);
    for (uint32_t i = 0; i < problem->blocks; i++) {
        write_reals(file,
                    (const tac_real[4]){problem->block[i].mu, problem->block[i].p[0], problem->block[i].p[1],
                                        problem->block[i].p[2]},
                    4);
    }
    for (uint32_t e = 0; e < problem->entries; e++) {
        fprintf(file, "%u %u ", problem->entry[e].row, problem->entry[e].column);
        write_reals(file, &problem->value[problem->entry[e].value], 9);
    }
    return output_close(file, path);
}

static int read_reference(reader *r, uint32_t contacts, uint8_t friction, double *velocity)
{
    uint32_t count;

    if (!read_head(r, "fc3d-ref") || !read_count(r, "contacts", UINT32_MAX, &count)) return 0;
    if (count != contacts) {
        complain("%s:%lu: %u contacts, the problem has %u", r->path, r->line, count, contacts);
        return 0;
    }
    for (uint32_t i = 0; i < contacts; i++) {
        double number[12];
        for (int k = 0; k < 12; k++) {
            if (!read_real(r, "an impulse or velocity", &number[k])) return 0;
        }
        for (int k = 0; k < 3; k++)
            velocity[3 * i + (uint32_t)k] = number[k + (friction == TAC_FRICTION_EXACT ? 9 : 3)];
    }
    return 1;
}

int problem_file_reference(const char *path, uint32_t contacts, uint8_t friction, double *velocity)
{
    reader r = {.path = path, .stream = fopen(path, "r"), .line = 1};

    if (r.stream == NULL) return -1;
    const int good = read_reference(&r, contacts, friction, velocity);
    fclose(r.stream);
    return good;
}
