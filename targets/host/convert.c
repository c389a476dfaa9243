// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "convert.h"
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WORDS 64    // of a command
#define HEAD_BYTES 65536 // of a file, in which its root element is looked for

// The beginning of a file as text; empty if it cannot be read.
static void read_head(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    size_t count = 0;

    if (file != NULL) {
        count = fread(text, 1, HEAD_BYTES - 1, file);
        fclose(file);
    }
    text[count] = '\0';
}

int convert_is_text(const char *path)
{
    static char text[HEAD_BYTES];
    const char *first = text;

    read_head(path, text);
    if (strncmp(first, "\xef\xbb\xbf", 3) == 0) first += 3; // a byte order mark
    return first[strspn(first, " \t\r\n")] == '<';
}

static int is_mjcf(const char *path)
{
    static char text[HEAD_BYTES];

    read_head(path, text);
    return strstr(text, "<mujoco") != NULL && strstr(text, "<robot") == NULL;
}

// The folder above the last slash; 0 if there is none.
static int cut(char *path)
{
    char *slash = strrchr(path, '/');

    if (slash == NULL || slash == path) return 0;
    *slash = '\0';
    return 1;
}

int convert_program(const char *name, char *found)
{
    const char *given = getenv("TACTUS_CONVERT");
    char own[CONVERT_PATH];

    if (given != NULL)
        return snprintf(found, CONVERT_PATH, "%s/%s", given, name) < CONVERT_PATH && access(found, R_OK) == 0;
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0) return 0;
    own[length] = '\0';
    while (cut(own)) {
        const int written = snprintf(found, CONVERT_PATH, "%s/targets/host/%s", own, name);
        if (written < CONVERT_PATH && access(found, R_OK) == 0) return 1;
    }
    return 0;
}

static int make_file(char *name)
{
    strcpy(name, "/tmp/tactus-XXXXXX");
    const int file = mkstemp(name);
    if (file >= 0) return close(file) == 0;
    complain("%s: %s", name, strerror(errno));
    name[0] = '\0';
    return 0;
}

int convert_run(char **words)
{
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
        execvp(words[0], words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        complain("%s: %s", words[0], strerror(errno));
        return 0;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) complain("%s: cannot be run", words[0]);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int convert_file(const char *path, char *const *words, conversion *made)
{
    const int mjcf = is_mjcf(path);
    const char *name = mjcf ? "mjcf2tactus" : "urdf2tactus";
    static char program[CONVERT_PATH], python[] = "python3", blob[] = "--blob", motors[] = "--motors";
    char *command[MOST_WORDS + 1] = {python, program, (char *)(uintptr_t)path, blob, made->model};
    int count = 5;

    made->model[0] = made->motors[0] = '\0';
    if (!convert_program(name, program)) {
        complain("%s: %s is not found: set TACTUS_CONVERT to its folder", path, name);
        return 0;
    }
    if (mjcf) {
        command[count++] = motors;
        command[count++] = made->motors;
    }
    for (; words != NULL && *words != NULL && count < MOST_WORDS; words++) command[count++] = *words;
    return make_file(made->model) && (!mjcf || make_file(made->motors)) && convert_run(command);
}

void conversion_end(conversion *made)
{
    if (made->model[0] != '\0') unlink(made->model);
    if (made->motors[0] != '\0') unlink(made->motors);
}
