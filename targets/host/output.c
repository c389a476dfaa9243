// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "output.h"
#include "message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Standard output becomes the file's alone: what the tool prints from here on goes to standard error.
static FILE *open_stdout(void)
{
    fflush(stdout);
    const int own = dup(STDOUT_FILENO);
    return own >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fdopen(own, "w") : NULL;
}

FILE *output_open(const char *path)
{
    if (path == NULL) return NULL;

    FILE *file = strcmp(path, "-") == 0 ? open_stdout() : fopen(path, "w");
    if (file == NULL) complain("%s: %s", path, strerror(errno));
    return file;
}

int output_close(FILE *file, const char *path)
{
    if (file == NULL) return 1;

    const int failed = ferror(file);
    if (fclose(file) == 0 && !failed) return 1;
    complain("%s: %s", path, strerror(errno));
    return 0;
}
