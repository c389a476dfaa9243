// SPDX-License-Identifier: MIT
#include "gltf.h"
#include "colour.h"
#include "json.h"
#include "surface.h"

#include <inttypes.h>
#include <stdlib.h>

enum { POSE = 7, FLOAT = 4, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963, FLOAT_TYPE = 5126, UINT_TYPE = 5125 };

// A mesh to draw: a shape, or of a body without shapes the box that has its inertia.
typedef struct drawn {
    uint32_t body, shape; // shape TAC_NONE: the box
    tac_pose pose;
    float colour[4];
    uint32_t accessor; // of its points; normals and triangles follow
    int flat;          // seen from both sides
} drawn;

// What is written: the parts of the file's JSON, and its binary part.
typedef struct parts {
    bytes nodes, meshes, materials, accessors, views, binary;
    uint32_t accessors_count, views_count;
    drawn *drawn;
    uint32_t count;
} parts;

void gltf_step(gltf *g, const tac_model *model, const tac_state *state)
{
    const double time = (double)state->step * (double)model->h;

    if (g->steps == 0) g->first = (float)time;
    g->last = (float)time;
    bytes_f32(&g->times, time);
    for (uint16_t i = 0; i < model->bodies; i++) {
        const tac_pose pose = tac_state_get_pose(model, state, i);
        const tac_real number[POSE] = {pose.p.x, pose.p.y, pose.p.z, pose.q.x, pose.q.y, pose.q.z, pose.q.w};
        for (int k = 0; k < POSE; k++) bytes_f32(&g->poses, (double)number[k]);
    }
    g->steps++;
}

// ------------------------------------------------------------------------------------------------------------- meshes

// A part of the binary chunk. Its size is a multiple of four, as all parts are. stride, target: 0: none.
static uint32_t add_view(parts *p, const bytes *data, int stride, int target)
{
    bytes *b = &p->views;

    json_object(b);
    bytes_print(b, "\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", p->binary.count, data->count);
    if (stride > 0) bytes_print(b, ",\"byteStride\":%d", stride);
    if (target > 0) bytes_print(b, ",\"target\":%d", target);
    bytes_print(b, "}");
    bytes_add(&p->binary, data->at, data->count);
    if (data->failed) p->binary.failed = 1;
    return p->views_count++;
}

static uint32_t add_accessor(parts *p, uint32_t view, size_t offset, int component, uint32_t count, const char *type)
{
    json_object(&p->accessors);
    bytes_print(&p->accessors,
                "\"bufferView\":%" PRIu32 ",\"byteOffset\":%zu,\"componentType\":%d,\"count\":%" PRIu32
                ",\"type\":\"%s\"",
                view, offset, component, count, type);
    return p->accessors_count++;
}

// Three accessors, of points, normals and triangles; returns the first.
static uint32_t add_surface(parts *p, const surface *s)
{
    const uint32_t corners = add_view(p, &s->corner, 6 * FLOAT, ARRAY_BUFFER);
    const uint32_t triangles = add_view(p, &s->triangle, 0, ELEMENT_ARRAY_BUFFER);
    const uint32_t first = add_accessor(p, corners, 0, FLOAT_TYPE, s->corners, "VEC3");

    bytes_print(&p->accessors, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]}", (double)s->low[0],
                (double)s->low[1], (double)s->low[2], (double)s->high[0], (double)s->high[1], (double)s->high[2]);
    add_accessor(p, corners, 3 * FLOAT, FLOAT_TYPE, s->corners, "VEC3");
    bytes_print(&p->accessors, "}");
    add_accessor(p, triangles, 0, UINT_TYPE, 3 * s->triangles, "SCALAR");
    bytes_print(&p->accessors, "}");
    return first;
}

static int same_surface(const tac_shape *a, const tac_shape *b)
{
    return a->kind == b->kind && a->data == b->data && a->size.x == b->size.x && a->size.y == b->size.y &&
           a->size.z == b->size.z && a->rounding == b->rounding;
}

// An earlier shape with the same surface, or NULL.
static const drawn *find_surface(const parts *p, const tac_model *model, const tac_shape *shape)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const drawn *d = &p->drawn[i];
        if (d->shape != TAC_NONE && same_surface(&model->shape[d->shape], shape)) return d;
    }
    return NULL;
}

static void add_material(parts *p, const drawn *d)
{
    bytes *b = &p->materials;

    json_object(b);
    bytes_print(b,
                "\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.3g,%.3g,%.3g,%.3g],\"metallicFactor\":0.05,"
                "\"roughnessFactor\":0.62}",
                (double)d->colour[0], (double)d->colour[1], (double)d->colour[2], (double)d->colour[3]);
    if (d->colour[3] < 1.0f) bytes_print(b, ",\"alphaMode\":\"BLEND\"");
    if (d->flat) bytes_print(b, ",\"doubleSided\":true");
    bytes_print(b, "}");
}

// A mesh with a material of its own, of the same number.
static void add_drawn(parts *p, const drawn *d)
{
    bytes *b = &p->meshes;

    add_material(p, d);
    json_object(b);
    bytes_print(b,
                "\"primitives\":[{\"attributes\":{\"POSITION\":%" PRIu32 ",\"NORMAL\":%" PRIu32 "},\"indices\":%" PRIu32
                ",\"material\":%" PRIu32 "}]}",
                d->accessor, d->accessor + 1, d->accessor + 2, p->count);
    p->drawn[p->count++] = *d;
}

static void add_shape(parts *p, const tac_model *model, const tactus_log_about *about, uint32_t i, double reach)
{
    const tac_shape *shape = &model->shape[i];
    const drawn *other = find_surface(p, model, shape);
    drawn d = {.body = shape->body,
               .shape = i,
               .pose = shape->pose,
               .flat = shape->kind == TAC_HALF_SPACE || shape->kind == TAC_MESH || shape->kind == TAC_HEIGHT_FIELD};
    surface s = {.corners = 0};

    colour_of_shape(model, about, i, d.colour);
    if (other != NULL) {
        d.accessor = other->accessor;
    } else {
        surface_of_shape(&s, model, shape, 10.0 * reach);
        d.accessor = add_surface(p, &s);
        surface_free(&s);
    }
    add_drawn(p, &d);
}

static int has_shape(const tac_model *model, uint32_t body)
{
    for (uint32_t i = 0; i < model->shapes; i++) {
        if (model->shape[i].body == body) return 1;
    }
    return 0;
}

static void add_inertia(parts *p, const tac_model *model, uint32_t body)
{
    drawn d = {.body = body, .shape = TAC_NONE, .pose = model->body[body].inertial};
    surface s = {.corners = 0};

    surface_of_inertia(&s, &model->body[body]);
    if (s.triangles > 0) {
        colour_of_body(model, body, d.colour);
        d.accessor = add_surface(p, &s);
        add_drawn(p, &d);
    }
    surface_free(&s);
}

static void add_meshes(parts *p, const tac_model *model, const tactus_log_about *about)
{
    const double reach = surface_reach(model);

    for (uint32_t i = 0; i < model->shapes; i++) add_shape(p, model, about, i, reach);
    for (uint32_t i = 1; i < model->bodies; i++) {
        if (!has_shape(model, i)) add_inertia(p, model, i);
    }
}

// -------------------------------------------------------------------------------------------------------------- nodes

static void put_place(bytes *b, const double *p)
{
    bytes_print(b, ",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]", p[0], p[1], p[2], p[3], p[4],
                p[5], p[6]);
}

static void put_pose(bytes *b, tac_pose pose)
{
    const double number[POSE] = {(double)pose.p.x, (double)pose.p.y, (double)pose.p.z, (double)pose.q.x,
                                 (double)pose.q.y, (double)pose.q.z, (double)pose.q.w};
    put_place(b, number);
}

// Node 0 turns z up into the y up of glTF; then the bodies, then what is drawn.
static void add_nodes(parts *p, const tac_model *model, const tactus_log_about *about)
{
    bytes *b = &p->nodes;
    char room[LOG_NAME];

    bytes_print(b, "{\"name\":\"world\",\"rotation\":[-0.707106781,0,0,0.707106781],\"children\":[");
    for (uint32_t i = 0; i < model->bodies; i++) bytes_print(b, i > 0 ? ",%" PRIu32 : "%" PRIu32, i + 1);
    bytes_print(b, "]}");
    for (uint32_t i = 0; i < model->bodies; i++) {
        int children = 0;
        json_object(b);
        json_text(b, "name", log_body_name(about, i, room));
        put_pose(b, model->body[i].pose);
        for (uint32_t k = 0; k < p->count; k++) {
            if (p->drawn[k].body != i) continue;
            bytes_print(b, children++ > 0 ? ",%" PRIu32 : ",\"children\":[%" PRIu32, 1u + model->bodies + k);
        }
        bytes_print(b, children > 0 ? "]}" : "}");
    }
    for (uint32_t k = 0; k < p->count; k++) {
        const drawn *d = &p->drawn[k];
        json_object(b);
        json_text(b, "name", d->shape == TAC_NONE ? "inertia" : log_name(about->shape, d->shape, "shape_", room));
        bytes_print(b, ",\"mesh\":%" PRIu32, k);
        put_pose(b, d->pose);
        bytes_print(b, "}");
    }
}

// ---------------------------------------------------------------------------------------------------------- animation

// The numbers of one body, from `first` on, so many of each step.
static bytes part_of(const gltf *g, uint32_t bodies, uint32_t body, size_t first, size_t count)
{
    bytes part = {NULL, 0, 0, 0};

    for (uint32_t i = 0; i < g->steps; i++) {
        const size_t at = FLOAT * (POSE * ((size_t)i * bodies + body) + first);
        if (at + FLOAT * count <= g->poses.count) bytes_add(&part, g->poses.at + at, FLOAT * count);
    }
    return part;
}

static void add_channel(parts *p, const gltf *g, const tac_model *model, uint32_t body, uint32_t times, int turns,
                        bytes *channels, bytes *samplers)
{
    bytes numbers = part_of(g, model->bodies, body, turns ? 3 : 0, turns ? 4 : 3);
    const uint32_t view = add_view(p, &numbers, 0, 0);
    const uint32_t output = add_accessor(p, view, 0, FLOAT_TYPE, g->steps, turns ? "VEC4" : "VEC3");

    bytes_print(&p->accessors, "}");
    json_comma(channels);
    bytes_print(channels, "{\"sampler\":%" PRIu32 ",\"target\":{\"node\":%" PRIu32 ",\"path\":\"%s\"}}",
                2 * (body - 1) + (turns ? 1u : 0u), body + 1, turns ? "rotation" : "translation");
    json_comma(samplers);
    bytes_print(samplers, "{\"input\":%" PRIu32 ",\"output\":%" PRIu32 ",\"interpolation\":\"LINEAR\"}", times, output);
    bytes_free(&numbers);
}

static void add_animation(parts *p, const gltf *g, const tac_model *model, bytes *json)
{
    bytes samplers = {NULL, 0, 0, 0};

    if (g->steps == 0 || model->bodies < 2 || g->times.failed) return;
    const uint32_t times = add_accessor(p, add_view(p, &g->times, 0, 0), 0, FLOAT_TYPE, g->steps, "SCALAR");
    bytes_print(&p->accessors, ",\"min\":[%.9g],\"max\":[%.9g]}", (double)g->first, (double)g->last);
    json_array(json, "animations");
    bytes_print(json, "{\"name\":\"run\",\"channels\":[");
    for (uint32_t i = 1; i < model->bodies; i++) {
        for (int turns = 0; turns < 2; turns++) add_channel(p, g, model, i, times, turns, json, &samplers);
    }
    bytes_print(json, "],\"samplers\":[");
    bytes_add(json, samplers.at, samplers.count);
    bytes_print(json, "]}]");
    bytes_free(&samplers);
}

// --------------------------------------------------------------------------------------------------------------- file

static void put_part(bytes *json, const char *key, const bytes *part)
{
    if (part->failed) json->failed = 1;
    if (part->count == 0) return;
    json_array(json, key);
    bytes_add(json, part->at, part->count);
    bytes_print(json, "]");
}

static bytes make_json(parts *p, const gltf *g, const tac_model *model, const tactus_log_about *about)
{
    bytes json = {NULL, 0, 0, 0};

    bytes_print(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"tactus " TAC_VERSION "\"},\"scene\":0");
    json_array(&json, "scenes");
    bytes_print(&json, "{\"nodes\":[0]");
    if (about->title != NULL) json_text(&json, "name", about->title);
    bytes_print(&json, "}]");
    put_part(&json, "nodes", &p->nodes);
    put_part(&json, "meshes", &p->meshes);
    put_part(&json, "materials", &p->materials);
    add_animation(p, g, model, &json);
    put_part(&json, "accessors", &p->accessors);
    put_part(&json, "bufferViews", &p->views);
    if (p->binary.count > 0) bytes_print(&json, ",\"buffers\":[{\"byteLength\":%zu}]", p->binary.count);
    bytes_print(&json, "}");
    while (json.count % 4 != 0) bytes_print(&json, " ");
    if (p->binary.failed) json.failed = 1;
    return json;
}

static int write_file(const bytes *json, const bytes *binary, FILE *file)
{
    const uint64_t size = 12u + 8u + (uint64_t)json->count + (binary->count > 0 ? 8u + (uint64_t)binary->count : 0u);
    bytes head = {NULL, 0, 0, 0};

    if (json->failed || size > UINT32_MAX) return 0;
    bytes_add(&head, "glTF", 4);
    bytes_u32(&head, 2);
    bytes_u32(&head, (uint32_t)size);
    bytes_u32(&head, (uint32_t)json->count);
    bytes_add(&head, "JSON", 4);
    bytes_add(&head, json->at, json->count);
    if (binary->count > 0) {
        bytes_u32(&head, (uint32_t)binary->count);
        bytes_add(&head, "BIN", 4);
    }
    if (!head.failed) {
        fwrite(head.at, 1, head.count, file);
        if (binary->count > 0) fwrite(binary->at, 1, binary->count, file);
    }
    const int good = !head.failed;
    bytes_free(&head);
    return good;
}

int gltf_close(gltf *g, FILE *file, const tac_model *model, const tactus_log_about *about)
{
    parts p = {.drawn = calloc((size_t)model->shapes + model->bodies + 1u, sizeof(drawn))};
    int good = p.drawn != NULL && !g->poses.failed;

    if (good) {
        bytes *const all[] = {&p.nodes, &p.meshes, &p.materials, &p.accessors, &p.views, &p.binary};
        add_meshes(&p, model, about);
        add_nodes(&p, model, about);
        bytes json = make_json(&p, g, model, about);
        good = write_file(&json, &p.binary, file);
        bytes_free(&json);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) bytes_free(all[i]);
    }
    free(p.drawn);
    bytes_free(&g->times);
    bytes_free(&g->poses);
    return good;
}
