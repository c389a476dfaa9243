// SPDX-License-Identifier: MIT
#include "model_file.h"
#include "link/client.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "TACTUS\0M" // the string's own zero is not part of it
#define MAGIC_BYTES 8u
#define VERSION 2u
#define MORE_VERSION 3u // the same, with elements that most models do not have: surfaces, laws of friction, switches
#define MOST_BYTES (256l << 20)

uint8_t *model_file_bytes(const char *path, uint32_t *count)
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
    const image_world world = {0, 0, 0};

    memset(model, 0, sizeof *model);
    for (uint32_t i = 0; i < count; i++) {
        const int over = image_get(IMAGE_MODEL, model, world, r, i);
        if (over != IMAGE_FITS) {
            complain("%s: no room in this build for so many %s, see tactus info", path, link_count_name(over));
            return 0;
        }
        count = image_count(IMAGE_MODEL, model, world);
    }
    return 1;
}

// Cuts a name that is longer than `room`. Returns the length of the whole name.
static uint32_t get_name(wire_reader *r, char *name, uint32_t room)
{
    const uint32_t length = wire_get_u16(r);

    for (uint32_t i = 0; i < length; i++) {
        const char byte = (char)wire_get_u8(r);
        if (i + 1 < room) name[i] = byte;
    }
    if (room > 0) name[length < room ? length : room - 1] = '\0';
    return length;
}

// Names of bodies, each that of its first link, and of joints.
static int get_names(const char *path, wire_reader *r, const tac_model *model, joint_names *names)
{
    const uint32_t links = wire_get_u16(r);
    memset(names->body, 0, sizeof names->body);
    for (uint32_t i = 0; i < links; i++) {
        const uint32_t body = wire_get_u16(r);
        const int first = body < model->bodies && names->body[body][0] == '\0';
        get_name(r, first ? names->body[body] : NULL, first ? JOINT_NAME_BYTES : 0);
    }
    const uint32_t joints = wire_get_u16(r);
    if (joints != model->joints) {
        complain("%s: cut short, or the names of %" PRIu32 " joints for %" PRIu32, path, joints, model->joints);
        return 0;
    }
    for (uint32_t i = 0; i < joints; i++) {
        if (get_name(r, names->name[i], JOINT_NAME_BYTES) < JOINT_NAME_BYTES) continue;
        complain("%s: joint %" PRIu32 ": a name of more than %d bytes", path, i, JOINT_NAME_BYTES - 1);
        return 0;
    }
    return 1;
}

// From the bytes of a file.
static int get_model(const char *path, wire_reader *r, tac_model *model, joint_names *names)
{
    uint32_t hash = 0;
    tac_fault fault;

    if (r->count < MAGIC_BYTES || memcmp(r->bytes, MAGIC, MAGIC_BYTES) != 0) {
        complain("%s: no model of urdf2tactus", path);
        return 0;
    }
    r->at = MAGIC_BYTES;
    const uint32_t version = wire_get_u32(r);
    if (version != VERSION && version != MORE_VERSION) {
        complain("%s: version %" PRIu32 ", must be %u or %u", path, version, VERSION, MORE_VERSION);
        return 0;
    }
    hash = enter(r, 32);
    if (TAC_REAL_BITS == 64) hash = enter(r, 64);
    if (!get_elements(path, r, model)) return 0;
    if (TAC_REAL_BITS == 32) enter(r, 64);
    if (!get_names(path, r, model, names)) return 0;
    if (r->at > r->count) {
        complain("%s: cut short", path);
        return 0;
    }
    const tac_status status = tac_model_seal(model, &fault);
    if (status != TAC_OK) {
        complain_kernel(path, status, fault, model, NULL, NULL);
        return 0;
    }
    if (model->hash != hash) {
        complain("%s: hash %08" PRIx32 ", must be %08" PRIx32, path, model->hash, hash);
        return 0;
    }
    return 1;
}

int model_file_read(const char *path, const char *name, tac_model *model, joint_names *names)
{
    wire_reader r = {NULL, 0, 0};
    uint8_t *bytes = model_file_bytes(path, &r.count);
    if (bytes == NULL) return 0;
    r.bytes = bytes;
    const int good = get_model(name, &r, model, names);
    free(bytes);
    return good;
}
