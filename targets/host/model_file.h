// SPDX-License-Identifier: MIT
// model_file.h - models from files, as urdf2tactus --blob writes them: targets/host/convert/emit_blob.py has the bytes.
#ifndef HOST_MODEL_FILE_H
#define HOST_MODEL_FILE_H

#include "joints.h"

/// The whole file, or NULL after a complaint. To be freed.
uint8_t *model_file_bytes(const char *path, uint32_t *count);

/// Read a model, in the precision of this build, and seal it; and the names of its joints and bodies. Returns 0 after a
/// complaint: no such file, another format or version, cut short, a model that has no room here or that the kernel
/// refuses, a hash that is not the one in the file, a name that is too long. `name`: what a complaint about the model
/// calls it, which may have been converted from another file.
int model_file_read(const char *path, const char *name, tac_model *model, joint_names *names);

#endif
