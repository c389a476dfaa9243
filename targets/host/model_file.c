// SPDX-License-Identifier: MIT
#include "model_file.h"
#include "link/image.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "TACTUS\0M" // the string's own zero is not part of it
#define MAGIC_BYTES 8u
#define VERSION 1u
#define MOST_BYTES (256l << 20)

// The whole file, or NULL after a complaint. To be freed.
static uint8_t *read_all(const char *path, uint32_t *count)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    uint8_t *bytes = NULL;

    if (file == NULL) {
        complain("%s: %s", path, strerror(errno));
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0 && size <= MOST_BYTES && fseek(file, 0, SEEK_SET) == 0) bytes = malloc((size_t)size + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        complain("%s: cannot be read, or has more than %ld bytes", path, MOST_BYTES);
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *count = (uint32_t)size;
    return bytes;
}

// Steps over the model of `bits` bits, or, if it is ours, leaves what is read at its elements. Returns its hash.
static uint32_t enter(wire_reader *r, uint32_t bits)
{
    const uint32_t hash = wire_get_u32(r), size = wire_get_u32(r);
    const uint32_t left = r->at < r->count ? r->count - r->at : 0;

    if (bits != TAC_REAL_BITS) r->at += size <= left ? size : left + 1;
    return hash;
}

static int get_elements(const char *path, wire_reader *r, tac_model *model)
{
    uint32_t count = 1;

    memset(model, 0, sizeof *model);
    for (uint32_t i = 0; i < count; i++) {
        if (!image_get(IMAGE_MODEL, model, 0, r, i)) {
            complain("%s: %u bodies, %u shapes, %u exclusions, %u hulls: no room in this build, see tactus info", path,
                     model->bodies, model->shapes, model->exclusions, model->polyhedra);
            return 0;
        }
        count = image_count(IMAGE_MODEL, model, 0);
    }
    return 1;
}

// From the bytes of a file.
static int get_model(const char *path, wire_reader *r, tac_model *model)
{
    uint32_t hash = 0;
    tac_fault fault;

    if (r->count < MAGIC_BYTES || memcmp(r->bytes, MAGIC, MAGIC_BYTES) != 0) {
        complain("%s: no model of urdf2tactus", path);
        return 0;
    }
    r->at = MAGIC_BYTES;
    const uint32_t version = wire_get_u32(r);
    if (version != VERSION) {
        complain("%s: version %" PRIu32 ", must be %u", path, version, VERSION);
        return 0;
    }
    hash = enter(r, 32);
    if (TAC_REAL_BITS == 64) hash = enter(r, 64);
    if (!get_elements(path, r, model)) return 0;
    if (r->at > r->count) {
        complain("%s: cut short", path);
        return 0;
    }
    const tac_status status = tac_model_seal(model, &fault);
    if (status != TAC_OK) {
        complain_kernel(path, status, fault);
        return 0;
    }
    if (model->hash != hash) {
        complain("%s: hash %08" PRIx32 ", must be %08" PRIx32, path, model->hash, hash);
        return 0;
    }
    return 1;
}

int model_file_read(const char *path, tac_model *model)
{
    wire_reader r = {NULL, 0, 0};
    uint8_t *bytes = read_all(path, &r.count);
    if (bytes == NULL) return 0;
    r.bytes = bytes;
    const int good = get_model(path, &r, model);
    free(bytes);
    return good;
}
