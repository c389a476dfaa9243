// SPDX-License-Identifier: MIT
// log.h - a run as a file: tables (CSV), MCAP, animated glTF, animated glTF. Compile *.c of this folder with the
// program and link the kernel.
//
//     tactus_log *log = tactus_log_open(fopen("run.mcap", "wb"), TACTUS_LOG_MCAP, &model, NULL);
//     tactus_log_step(log, &state, &work); // first the state before any step, with a work area of zeros
//     while (tac_step(&model, &state, &input, &work) >= 0 && ...) tactus_log_step(log, &state, &work);
//     if (!tactus_log_close(log)) perror("run.mcap");
//
// A file is whole only after tactus_log_close(): a program that is interrupted ends its loop and calls it.
#ifndef TACTUS_LOG_H
#define TACTUS_LOG_H

#include "tactus/tactus.h"

#include <stdio.h>

typedef enum tactus_log_format {
    TACTUS_LOG_CSV,  ///< a row per step, text
    TACTUS_LOG_MCAP, ///< messages of JSON, which Foxglove shows; open the file as binary
    TACTUS_LOG_GLB   ///< animated glTF, binary: written when it is closed; poses are kept in memory until then
} tactus_log_format;

/// The format that the end of a name says: .mcap, .glb; all else is a table.
tactus_log_format tactus_log_format_of(const char *path);

/// What a model does not know of itself. All zero is what a NULL pointer means. It is kept by reference.
typedef struct tactus_log_about {
    const char *title;                ///< of the run; NULL: none
    const char *const *body;          ///< names, of all bodies; NULL, also one of them: by number
    const char *const *joint;         ///< of all joints
    const char *const *shape;         ///< of all shapes
    const float (*colour)[4];         ///< of all shapes: red, green, blue, opacity, 0 .. 1; NULL: by body
    uint32_t every;                   ///< each so manyth step only; 0: all
    uint32_t contacts;                ///< columns of a table for so many contacts of a step, the first ones
    const char *const (*metadata)[2]; ///< MCAP: more names and values, a NULL name at the end; NULL: none
} tactus_log_about;

typedef struct tactus_log tactus_log;

/// Begins a log in `file`, which the log closes. Returns NULL, with errno set, if `file` is NULL or there is no memory.
/// The model must stay as it is.
tactus_log *tactus_log_open(FILE *file, tactus_log_format format, const tac_model *model,
                            const tactus_log_about *about);

/// MCAP: puts a file into the log, before the first step; other formats ignore it.
void tactus_log_attach(tactus_log *log, const char *name, const char *media_type, const void *data, size_t count);

/// Appends the state and what the step that led to it has left in `work`; calls tac_reactions(). Steps that `every`
/// leaves out are not looked at.
void tactus_log_step(tactus_log *log, const tac_state *state, tac_work *work);

/// Ends the file and closes it. Returns 0, with errno set, if not all could be written. NULL is closed already.
int tactus_log_close(tactus_log *log);

#endif
