// SPDX-License-Identifier: MIT
// convert.h - robots and scenes from files that are text: urdf2tactus or mjcf2tactus makes a model file of them.
#ifndef HOST_CONVERT_H
#define HOST_CONVERT_H

#define CONVERT_PATH 4096 // bytes of a path

/// Where the program of that name is: in the folder TACTUS_CONVERT, or in targets/host of a folder above this program's
/// own. Returns 0 if it is not there.
int convert_program(const char *name, char *found);

/// Run a command, NULL at the end, until it ends; its standard output is of no use. Returns 1 if it succeeded.
int convert_run(char **words);

/// Two temporary files. An empty name: there is none.
typedef struct conversion {
    char model[32];  ///< as model_file_read() reads it
    char motors[32]; ///< of MJCF: what its actuators are asked for, as motor_file_read() reads it
} conversion;

/// Is this file XML?
int convert_is_text(const char *path);

/// Convert a file by the program beside this one in its source tree, or in the folder TACTUS_CONVERT; what that notes
/// goes to stderr. words: more arguments for it, NULL at the end. Returns 0 after a complaint. conversion_end() removes
/// the files.
int convert_file(const char *path, char *const *words, conversion *made);
void conversion_end(conversion *made);

#endif
