// SPDX-License-Identifier: MIT
// plot.c - tactus plot: tables of runs and of residuals as pictures, by gnuplot.
#define _POSIX_C_SOURCE 200809L
#include "message.h"
#include "options.h"
#include "output.h"
#include "table_file.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tactus plot TABLE.csv [--out FILE] [--columns PATTERN,...]\n\n"
    "Draws a table by gnuplot: of what tactus run --csv has written energy, forces of contacts, joints and residual, "
    "as\n"
    "far as their columns are there; of what tactus solve --curve has printed the residual of each method.\n"
    "  --out FILE     .png, .svg or .pdf; otherwise characters on standard output\n"
    "  --columns P,.. a panel for each pattern, of the columns whose names it matches; * is any text, as in\n"
    "                 'body/*/pos/z,report/sweeps'\n"
    "The file is read by the names of its first line; /dev/stdin is standard input.\n";

enum { MOST_PANELS = 16, MOST_CURVES = 16, TITLE_BYTES = 64 };

/// A table, row by row; NAN where a cell is empty.
typedef struct grid {
    char **name;
    double *cell;
    size_t columns, rows;
} grid;

typedef struct curve {
    char title[TITLE_BYTES];
    size_t column;
    int norm; ///< 1: the length of the vector whose components are this column and the two behind it
} curve;

typedef struct panel {
    const char *title;
    int logarithmic;
    int dots;    ///< 1: points too, since a curve may be as short as one of them
    int results; ///< 1: of a step, so there are none in the first row of a run
    curve curve[MOST_CURVES + 1];
    size_t curves;
} panel;

// ---------------------------------------------------------------------------------------------------------- the table

static int read_row(const table_file *t, grid *g, size_t *room)
{
    if (g->rows == *room) {
        *room = *room > 0 ? 2 * *room : 256;
        double *more = realloc(g->cell, *room * g->columns * sizeof *more);
        if (more == NULL) {
            complain("%s: no memory for it", t->path);
            return 0;
        }
        g->cell = more;
    }
    for (int i = 0; i < t->fields; i++) {
        double *cell = &g->cell[g->rows * g->columns + (size_t)i];
        *cell = NAN;
        if (t->field[i][0] != '\0' && !table_file_number(t, i, g->name[i], cell)) return 0;
    }
    g->rows++;
    return 1;
}

// The names of the columns. Returns 0 after a complaint.
static int read_names(const table_file *t, grid *g)
{
    if (strcmp(t->field[0], "time") != 0 && strcmp(t->field[0], "passes") != 0) {
        complain("%s: the first column is neither time nor passes", t->path);
        return 0;
    }
    g->columns = (size_t)t->fields;
    g->name = calloc(g->columns, sizeof *g->name);
    for (size_t i = 0; g->name != NULL && i < g->columns; i++) g->name[i] = strdup(t->field[i]);
    return g->name != NULL;
}

// Returns 0 after a complaint.
static int read_grid(const char *path, grid *g)
{
    table_file t;
    size_t room = 0;
    int got = table_file_open(path, &t) && read_names(&t, g) ? 1 : -1;

    while (got > 0) {
        got = table_file_next(&t);
        if (got > 0 && !read_row(&t, g, &room)) got = -1;
    }
    if (got == 0 && g->rows == 0) complain("%s: no rows", path);
    table_file_close(&t);
    return got == 0 && g->rows > 0;
}

static void free_grid(grid *g)
{
    for (size_t i = 0; g->name != NULL && i < g->columns; i++) free(g->name[i]);
    free(g->name);
    free(g->cell);
}

// --------------------------------------------------------------------------------------------------------- the panels

// Does a name match a pattern of so many characters? `found`, `length`: what its first * stands for.
static int matches(const char *name, const char *pattern, size_t size, const char **found, size_t *length)
{
    const char *star = memchr(pattern, '*', size), *inner_found;
    const size_t before = star != NULL ? (size_t)(star - pattern) : size;
    size_t inner_length;

    if (strncmp(name, pattern, before) != 0) return 0;
    *found = name + before, *length = 0;
    if (star == NULL) return name[before] == '\0';
    for (; *length <= strlen(*found); ++*length) {
        if (matches(*found + *length, star + 1, size - before - 1, &inner_found, &inner_length)) return 1;
    }
    return 0;
}

// The columns that match. A curve is called what the * stands for, or the last part of the name.
static void add_columns(panel *p, const grid *g, const char *pattern, size_t size, int norm)
{
    for (size_t i = 0; i + (norm ? 2 : 0) < g->columns; i++) {
        const char *found;
        size_t length;
        if (!matches(g->name[i], pattern, size, &found, &length)) continue;
        if (p->curves < MOST_CURVES) {
            curve *c = &p->curve[p->curves];
            c->column = i, c->norm = norm;
            if (length == 0) { // no *
                found = strrchr(g->name[i], '/') != NULL ? strrchr(g->name[i], '/') + 1 : g->name[i];
                length = strlen(found);
            }
            snprintf(c->title, TITLE_BYTES, "%.*s", (int)length, found);
        }
        p->curves++;
    }
    if (p->curves <= MOST_CURVES) return;
    complain("%s: the first %d of %zu columns", p->title, MOST_CURVES, p->curves);
    p->curves = MOST_CURVES;
}

static void add(panel *p, const grid *g, const char *pattern)
{
    add_columns(p, g, pattern, strlen(pattern), 0);
}

// What is drawn of a run without --columns. The columns of contacts are there if the run was asked for them.
static size_t panels_of_run(panel *p, const grid *g)
{
    static const char force[] = "contact/*/force/x[N]";

    p[0].title = "energy (J)";
    p[0].results = p[1].results = p[3].results = 1;
    add(&p[0], g, "report/kinetic");
    add(&p[0], g, "report/potential");
    p[1].title = "contacts: force (N)";
    add_columns(&p[1], g, force, sizeof force - 1, 1);
    if (p[1].curves == 0) {
        p[1].title = "contacts: sum of the normal impulses of a step (N s)";
        add(&p[1], g, "contact/impulse");
    }
    p[1].dots = 1;
    p[2].title = "joints: position (rad, m)";
    add(&p[2], g, "joint/*/position[rad]");
    add(&p[2], g, "joint/*/position[m]");
    p[3].title = "residual (m/s)";
    p[3].logarithmic = 1;
    add(&p[3], g, "report/residual");
    return 4;
}

static size_t panels_of_curve(panel *p, const grid *g)
{
    p[0].title = "residual r_natmap";
    p[0].logarithmic = p[0].dots = 1;
    add(&p[0], g, "*");
    p[0].curves--;
    memmove(&p[0].curve[0], &p[0].curve[1], p[0].curves * sizeof p[0].curve[0]); // the first one is along the axis
    return 1;
}

// Returns 0 after a complaint.
static size_t panels_asked(panel *p, const grid *g, char *patterns)
{
    size_t count = 0;

    for (char *next = patterns; next != NULL; count++) {
        char *pattern = next;
        next = strchr(pattern, ',');
        if (next != NULL) *next++ = '\0';
        if (count == MOST_PANELS) {
            complain("--columns: %d patterns at most", MOST_PANELS);
            return 0;
        }
        p[count].title = pattern;
        add(&p[count], g, pattern);
        if (p[count].curves == 0) {
            complain("--columns: no column is '%s'", pattern);
            return 0;
        }
    }
    return count;
}

// --------------------------------------------------------------------------------------------------------- the picture

// A text between quotes, as gnuplot reads it.
static void put_text(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text != '\0'; text++) fprintf(script, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', script);
}

// The value of curve k in a row, NAN where there is nothing to draw.
static double shown(const grid *g, const panel *p, size_t row, size_t k)
{
    const curve *c = &p->curve[k];
    const double *cell = &g->cell[row * g->columns + c->column];
    const double y = c->norm ? sqrt(cell[0] * cell[0] + cell[1] * cell[1] + cell[2] * cell[2]) : cell[0];

    return (p->results && row == 0 && g->rows > 1) || (p->logarithmic && y <= 0) ? (double)NAN : y;
}

// Can it be drawn, and from where to where?
static int span(const grid *g, const panel *p, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t k = 0; k < p->curves; k++) {
        for (size_t row = 0; row < g->rows; row++) {
            const double y = shown(g, p, row, k);
            if (isnan(y)) continue;
            *low = fmin(*low, y), *high = fmax(*high, y);
        }
    }
    return *low <= *high;
}

static void put_data(FILE *script, const grid *g, const panel *p, size_t at)
{
    fprintf(script, "$panel%zu << END\n", at);
    for (size_t row = 0; row < g->rows; row++) {
        fprintf(script, "%.9g", g->cell[row * g->columns]);
        for (size_t k = 0; k < p->curves; k++) {
            const double y = shown(g, p, row, k);
            fprintf(script, isnan(y) ? " NaN" : " %.9g", y);
        }
        fputc('\n', script);
    }
    fprintf(script, "END\n");
}

static void put_panel(FILE *script, const grid *g, const panel *p, size_t at)
{
    double low, high;

    (void)span(g, p, &low, &high);
    fprintf(script, "set title ");
    put_text(script, p->title);
    fprintf(script, " noenhanced\n%s logscale y\nset format y '%s'\nset yrange [*:*]\n",
            p->logarithmic ? "set" : "unset", p->logarithmic ? "%.0e" : "%g");
    if (low == high) { // gnuplot would warn, and choose the same
        const double more = p->logarithmic ? 0.9 * low : low != 0 ? 0.1 * fabs(low) : 1;
        fprintf(script, "set yrange [%.9g:%.9g]\n", low - more, high + more);
    }
    fprintf(script, "plot ");
    for (size_t k = 0; k < p->curves; k++) {
        fprintf(script, "%s$panel%zu using 1:%zu with %s ls %zu dt %d title ", k > 0 ? ", " : "", at, k + 2,
                p->dots ? "linespoints" : "lines", k % 8 + 1, k < 8 ? 1 : 2);
        put_text(script, p->curves > 1 ? p->curve[k].title : "");
        fprintf(script, " noenhanced");
    }
    fputc('\n', script);
}

// The legend is beside the curves, never above them; no colour is pale.
static void put_head(FILE *script, const grid *g, const char *out, size_t panels)
{
    static const char *const colour[] = {"#0072b2", "#d55e00", "#007a52", "#aa3377",
                                         "#222222", "#2ca6d8", "#8a5a00", "#882255"};
    const double first = g->cell[0], last = g->cell[(g->rows - 1) * g->columns];
    const char *end = out != NULL ? strrchr(out, '.') : "";
    const size_t height = panels == 1 ? 420 : 280 * panels;

    if (strcmp(end, ".png") == 0) fprintf(script, "set terminal pngcairo size 1000,%zu font 'sans,11'\n", height);
    if (strcmp(end, ".svg") == 0)
        fprintf(script, "set terminal svg size 1000,%zu font 'sans,11' background '#ffffff'\n", height);
    if (strcmp(end, ".pdf") == 0)
        fprintf(script, "set terminal pdfcairo size 10,%.9g font 'sans,11'\n", 0.01 * (double)height);
    if (out == NULL) fprintf(script, "set terminal dumb size 110,%zu\n", 20 * panels);
    if (out != NULL) {
        fprintf(script, "set output ");
        put_text(script, out);
        fputc('\n', script);
    }
    for (size_t i = 0; i < sizeof colour / sizeof colour[0]; i++) {
        fprintf(script, "set linetype %zu lc rgb '%s' lw 1.5 pt 7 ps 0.3\nset style line %zu lt %zu\n", i + 1,
                colour[i], i + 1, i + 1);
    }
    fprintf(script,
            "set key outside right top Left reverse samplen 2\nset lmargin 12\nset rmargin 28\nset grid back lt 1 lc "
            "rgb '#dddddd' lw 0.5\n"
            "set xrange [%.9g:%.9g]\n",
            first, last > first ? last : first + 1);
}

static void put_script(FILE *script, const grid *g, const panel *p, size_t panels, const char *out)
{
    const int passes = strcmp(g->name[0], "passes") == 0;

    put_head(script, g, out, panels);
    if (passes) fprintf(script, "set logscale x\n");
    for (size_t i = 0; i < panels; i++) put_data(script, g, &p[i], i);
    if (panels > 1) fprintf(script, "set multiplot layout %zu,1\n", panels);
    for (size_t i = 0; i < panels; i++) {
        fprintf(script, "set xlabel '%s'\n", i + 1 < panels ? "" : passes ? "passes over the matrix" : "time (s)");
        put_panel(script, g, &p[i], i);
    }
    if (panels > 1) fprintf(script, "unset multiplot\n");
}

// Leaves out the panels of a run of which there is nothing. Returns how many are left.
static size_t drop_empty(panel *p, size_t panels, const grid *g)
{
    size_t kept = 0;
    double low, high;

    for (size_t i = 0; i < panels; i++) {
        if (span(g, &p[i], &low, &high)) p[kept++] = p[i];
    }
    return kept;
}

static int draw(const char *path, const char *out, char *patterns, grid *g)
{
    static panel p[MOST_PANELS];
    size_t panels;

    if (!read_grid(path, g)) return EXIT_BAD;
    panels = patterns != NULL                    ? panels_asked(p, g, patterns)
             : strcmp(g->name[0], "passes") == 0 ? panels_of_curve(p, g)
                                                 : panels_of_run(p, g);
    if (panels == 0) return EXIT_BAD;
    panels = drop_empty(p, panels, g);
    if (panels == 0) {
        complain("%s: nothing to draw", path);
        return EXIT_BAD;
    }
    if (system("command -v gnuplot >/dev/null") != 0) {
        complain("plot: skipped, gnuplot is not there (Debian: gnuplot-nox)");
        return EXIT_BAD;
    }
    // where gnuplot cannot write, it draws on standard output
    FILE *file = output_open(out);
    if (out != NULL && (file == NULL || !output_close(file, out))) return EXIT_BAD;
    fflush(stdout);
    FILE *gnuplot = popen("gnuplot", "w");
    if (gnuplot != NULL) put_script(gnuplot, g, p, panels, out);
    if (gnuplot != NULL && pclose(gnuplot) == 0) return EXIT_GOOD;
    complain("plot: gnuplot failed");
    return EXIT_BAD;
}

static int run(int argc, char **argv)
{
    const char *out = NULL;
    char *patterns = NULL;
    int rest;
    const option table[] = {
        {"--out", OPTION_TEXT, &out}, {"--columns", OPTION_TEXT, &patterns}, {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&plot_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 1)) return tool_usage(&plot_command);
    const char *end = out != NULL ? strrchr(out, '.') : ".png";
    if (end == NULL || (strcmp(end, ".png") != 0 && strcmp(end, ".svg") != 0 && strcmp(end, ".pdf") != 0)) {
        complain("--out %s: .png, .svg or .pdf", out);
        return EXIT_USAGE;
    }
    grid g = {0};
    const int code = draw(argv[0], out, patterns, &g);
    free_grid(&g);
    return code;
}

const command plot_command = {"plot", "draw a table of a run, or of residuals, by gnuplot", help, run};
