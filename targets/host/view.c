// SPDX-License-Identifier: MIT
// view.c - tactus view: pictures and films of a run, through the page in headless Chromium. The program `film` beside
// the sources of the tool makes them.
#include "convert.h"
#include "message.h"
#include "options.h"
#include "robots.h"
#include "tool.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: tactus view RUN [--png FILE] [--mp4 FILE] [--html FILE] [--of SCENE|FILE] [ARGUMENT ...]\n\n"
    "Shows a run: a log of tactus run --log (FILE.mcap, or a table with --of), or a scene or model, which the page\n"
    "steps itself, to the same bits. It needs the page (make page); pictures need Chromium, films ffmpeg too.\n"
    "  --png FILE     a picture of its end\n"
    "  --mp4 FILE     a film\n"
    "  --html FILE    a page that any browser opens, with the run in it\n"
    "  --of WHAT      the scene or model that a table is of\n"
    "  --size WxH     pixels; 960x540\n"
    "  --fps N        pictures of a film a second of the run; 25\n"
    "  --from S       where a film begins, s; 0\n"
    "  --to S         where picture or film end, s; the end of the log; of a scene or model 2\n"
    "Words after -- are arguments for what makes the model of URDF or MJCF.\n";

enum { MOST_WORDS = 40 };

/// A command line of `film`.
typedef struct words {
    char *word[MOST_WORDS + 1];
    int count;
} words;

static void add(words *w, const char *name, const char *value)
{
    if (value == NULL || w->count + 2 > MOST_WORDS) return;
    w->word[w->count++] = (char *)(uintptr_t)name;
    w->word[w->count++] = (char *)(uintptr_t)value;
}

// Is this the file of a log? A table begins with its first column.
static int is_log(const char *path)
{
    static const char mcap[] = "\x89MCAP", table[] = "time,";
    char head[5] = {0};
    FILE *file = fopen(path, "rb");

    if (file == NULL) return 0;
    const size_t count = fread(head, 1, sizeof head, file);
    fclose(file);
    return count == sizeof head && (memcmp(head, mcap, sizeof head) == 0 || memcmp(head, table, sizeof head) == 0);
}

static int is_file(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) return 0;
    fclose(file);
    return 1;
}

// What is stepped or what a log is of: a file's model, else a scene, which the page knows or refuses.
static int add_world(words *w, const char *of, char *const *rest, conversion *made)
{
    if (scene_find(of) != NULL || robot_find(of) != NULL || !is_file(of)) {
        add(w, "--scene", of);
    } else if (!convert_is_text(of)) {
        add(w, "--model", of);
    } else {
        if (!convert_file(of, rest, made)) return 0;
        add(w, "--model", made->model);
    }
    return 1;
}

static int view(words *w, const char *what, const char *of, char *const *rest)
{
    static char program[CONVERT_PATH];
    conversion made = {{0}, {0}};
    int code = EXIT_BAD;

    w->word[0] = (char *)(uintptr_t) "python3";
    w->word[1] = program;
    if (!convert_program("film", program)) {
        complain("film is not found: set TACTUS_CONVERT to targets/host of the sources");
        return EXIT_BAD;
    }
    if (is_log(what))
        add(w, "--run", what);
    else
        of = what;
    if (of == NULL || add_world(w, of, rest, &made)) code = convert_run(w->word) ? EXIT_GOOD : EXIT_BAD;
    conversion_end(&made);
    return code;
}

static int run(int argc, char **argv)
{
    const char *png = NULL, *mp4 = NULL, *html = NULL, *of = NULL, *size = NULL, *fps = NULL, *from = NULL, *to = NULL;
    const option table[] = {
        {"--png", OPTION_TEXT, &png},   {"--mp4", OPTION_TEXT, &mp4},   {"--html", OPTION_TEXT, &html},
        {"--of", OPTION_TEXT, &of},     {"--size", OPTION_TEXT, &size}, {"--fps", OPTION_TEXT, &fps},
        {"--from", OPTION_TEXT, &from}, {"--to", OPTION_TEXT, &to},     {NULL, OPTION_FLAG, NULL}};
    char *const *rest = NULL;
    int others;
    const int own = options_words(argc, argv, &rest), got = options_read(table, own, argv, &others);
    words w = {{NULL}, 2};

    if (got == OPTIONS_HELP) return tool_help(&view_command);
    if (got == OPTIONS_BAD || !options_rest(argv, others, 1)) return tool_usage(&view_command);
    if (png == NULL && mp4 == NULL && html == NULL) {
        complain("--png, --mp4 or --html: one is needed");
        return tool_usage(&view_command);
    }
    add(&w, "--title", argv[0]);
    add(&w, "--png", png);
    add(&w, "--mp4", mp4);
    add(&w, "--html", html);
    add(&w, "--size", size);
    add(&w, "--fps", fps);
    add(&w, "--from", from);
    add(&w, "--to", to);
    return view(&w, argv[0], of, rest);
}

const command view_command = {"view", "a picture or a film of a run", help, run};
