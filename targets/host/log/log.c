// SPDX-License-Identifier: MIT
#include "log.h"
#include "gltf.h"
#include "messages.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tactus_log {
    FILE *file;
    tactus_log_format format;
    const tac_model *model;
    tactus_log_about about;
    messages messages; // of MCAP
    gltf gltf;         // of glTF
    uint64_t steps;    // that are in the log
};

tactus_log_format tactus_log_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    if (dot != NULL && strcmp(dot, ".mcap") == 0) return TACTUS_LOG_MCAP;
    return dot != NULL && strcmp(dot, ".glb") == 0 ? TACTUS_LOG_GLB : TACTUS_LOG_CSV;
}

static int begin(tactus_log *log)
{
    if (log->format == TACTUS_LOG_MCAP) return messages_open(&log->messages, log->file, log->model, &log->about);
    if (log->format == TACTUS_LOG_GLB) return 1;
    table_head(log->file, log->model, log->about.joint);
    table_contacts_head(log->file, log->about.contacts);
    fputc('\n', log->file);
    return 1;
}

tactus_log *tactus_log_open(FILE *file, tactus_log_format format, const tac_model *model, const tactus_log_about *about)
{
    tactus_log *log = file != NULL ? calloc(1, sizeof *log) : NULL;

    if (log != NULL) {
        log->file = file;
        log->format = format;
        log->model = model;
        if (about != NULL) log->about = *about;
        if (log->about.every == 0) log->about.every = 1;
        if (log->about.contacts > TAC_MAX_CONTACTS) log->about.contacts = TAC_MAX_CONTACTS;
        if (begin(log)) return log;
        free(log);
        errno = ENOMEM;
    }
    if (file != NULL) fclose(file);
    return NULL;
}

void tactus_log_attach(tactus_log *log, const char *name, const char *media_type, const void *data, size_t count)
{
    if (log->format == TACTUS_LOG_MCAP) mcap_attach(log->messages.file, name, media_type, data, count);
}

static void write_row(const tactus_log *log, const tac_state *state, tac_work *work)
{
    table_row(log->file, (double)state->step * (double)log->model->h, log->model, state, work);
    table_contacts_row(log->file, log->about.contacts, log->model, state, work);
    fputc('\n', log->file);
}

void tactus_log_step(tactus_log *log, const tac_state *state, tac_work *work)
{
    if (state->step % log->about.every != 0) return;
    if (log->format == TACTUS_LOG_CSV) {
        write_row(log, state, work);
    } else if (log->format == TACTUS_LOG_GLB) {
        gltf_step(&log->gltf, log->model, state);
    } else {
        (void)tac_reactions(log->model, work); // zeros before the first step
        messages_step(&log->messages, log->model, &log->about, state, work, log->steps == 0);
    }
    log->steps++;
}

int tactus_log_close(tactus_log *log)
{
    if (log == NULL) return 1;

    errno = 0;
    int made = 1;
    if (log->format == TACTUS_LOG_MCAP) made = messages_close(&log->messages);
    if (log->format == TACTUS_LOG_GLB) made = gltf_close(&log->gltf, log->file, log->model, &log->about);
    const int good = ferror(log->file) == 0;
    const int closed = fclose(log->file) == 0;
    free(log);
    if (!made) errno = ENOMEM;
    if (!good && errno == 0) errno = EIO;
    return made && good && closed;
}
