// SPDX-License-Identifier: MIT
#include "messages.h"
#include "colour.h"
#include "json.h"
#include "schema.h"
#include "surface.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define REAL LOG_REAL
#define VECTOR "{\"x\":" REAL ",\"y\":" REAL ",\"z\":" REAL "}"
#define QUATERNION "{\"x\":" REAL ",\"y\":" REAL ",\"z\":" REAL ",\"w\":" REAL "}"
#define COLOUR "{\"r\":%.3g,\"g\":%.3g,\"b\":%.3g,\"a\":%.3g}"

// ------------------------------------------------------------------------------------------------------------- pieces

static void put_real(bytes *b, const char *key, tac_real value)
{
    json_key(b, key);
    bytes_print(b, REAL, (double)value);
}

static void put_count(bytes *b, const char *key, int64_t value)
{
    json_key(b, key);
    bytes_print(b, "%" PRId64, value);
}

static void put_vector(bytes *b, const char *key, tac_vec3 v)
{
    json_key(b, key);
    bytes_print(b, VECTOR, (double)v.x, (double)v.y, (double)v.z);
}

static void put_quaternion(bytes *b, const char *key, tac_quat q)
{
    json_key(b, key);
    bytes_print(b, QUATERNION, (double)q.x, (double)q.y, (double)q.z, (double)q.w);
}

static void put_pose(bytes *b, tac_pose pose)
{
    json_key(b, "pose");
    bytes_print(b, "{");
    put_vector(b, "position", pose.p);
    put_quaternion(b, "orientation", pose.q);
    bytes_print(b, "}");
}

static uint64_t nanoseconds(const tac_model *model, const tac_state *state)
{
    return (uint64_t)llround((double)state->step * (double)model->h * 1e9);
}

static void put_time(bytes *b, uint64_t time)
{
    json_key(b, "timestamp");
    bytes_print(b, "{\"sec\":%" PRIu64 ",\"nsec\":%" PRIu64 "}", time / 1000000000u, time % 1000000000u);
}

// A message whose last field is an array: all before its first element, all behind its last one.
static bytes *begin_list(const messages *m, uint16_t channel, uint64_t time, const char *key)
{
    bytes *b = mcap_begin(m->file, channel, time);

    bytes_print(b, "{");
    put_time(b, time);
    json_array(b, key);
    return b;
}

static void end_list(const messages *m, bytes *b)
{
    bytes_print(b, "]}");
    mcap_end(m->file);
}

// ------------------------------------------------------------------------------------------------------------- shapes

static void begin_entity(bytes *b, uint64_t time, const char *frame, const char *id)
{
    json_object(b);
    put_time(b, time);
    json_text(b, "frame_id", frame);
    json_text(b, "id", id);
    bytes_print(
        b, ",\"lifetime\":{\"sec\":0,\"nsec\":0},\"frame_locked\":true,\"metadata\":[],\"cubes\":[],\"spheres\":[],"
           "\"cylinders\":[],\"lines\":[],\"texts\":[],\"models\":[]");
}

static void put_surface(bytes *b, const surface *s, tac_pose pose, const float *colour)
{
    json_object(b);
    put_pose(b, pose);
    json_array(b, "points");
    for (uint32_t i = 0; i < s->corners; i++) {
        bytes_print(b, "%s{\"x\":%.9g,\"y\":%.9g,\"z\":%.9g}", i > 0 ? "," : "", (double)surface_coordinate(s, i, 0),
                    (double)surface_coordinate(s, i, 1), (double)surface_coordinate(s, i, 2));
    }
    bytes_print(b, "],\"color\":" COLOUR ",\"colors\":[],\"indices\":[", (double)colour[0], (double)colour[1],
                (double)colour[2], (double)colour[3]);
    for (uint32_t i = 0; i < 3 * s->triangles; i++)
        bytes_print(b, i > 0 ? ",%" PRIu32 : "%" PRIu32, surface_index(s, i));
    bytes_print(b, "]}");
}

// The shapes of a body; of one without any the box that has its inertia.
static void put_shapes(bytes *b, const messages *m, const tac_model *model, const tactus_log_about *about,
                       uint32_t body)
{
    int drawn = 0;
    float colour[4];

    json_array(b, "triangles");
    for (uint32_t i = 0; i < model->shapes; i++) {
        surface s = {.corners = 0};
        if (model->shape[i].body != body) continue;
        surface_of_shape(&s, model, &model->shape[i], 10.0 * m->reach);
        colour_of_shape(model, about, i, colour);
        put_surface(b, &s, model->shape[i].pose, colour);
        surface_free(&s);
        drawn = 1;
    }
    if (!drawn && model->body[body].kind == TAC_DYNAMIC) {
        surface s = {.corners = 0};
        surface_of_inertia(&s, &model->body[body]);
        colour_of_body(model, body, colour);
        put_surface(b, &s, model->body[body].inertial, colour);
        surface_free(&s);
    }
    bytes_print(b, "]");
}

static void put_scene(const messages *m, const tac_model *model, const tactus_log_about *about, uint64_t time)
{
    bytes *b = mcap_begin(m->file, m->scene, time);
    char room[LOG_NAME];

    bytes_print(b, "{\"deletions\":[]");
    json_array(b, "entities");
    for (uint32_t i = 0; i < model->bodies; i++) {
        begin_entity(b, time, log_body_name(about, i, room), log_body_name(about, i, room));
        bytes_print(b, ",\"arrows\":[]");
        put_shapes(b, m, model, about, i);
        bytes_print(b, "}");
    }
    end_list(m, b);
}

// ----------------------------------------------------------------------------------------------------------- messages

static void put_frames(const messages *m, const tac_model *model, const tactus_log_about *about, const tac_state *state,
                       uint64_t time)
{
    bytes *b = mcap_begin(m->file, m->frames, time);
    char room[LOG_NAME];

    bytes_print(b, "{");
    json_array(b, "transforms");
    for (uint16_t i = 0; i < model->bodies; i++) {
        const tac_pose pose = tac_state_get_pose(model, state, i);
        json_object(b);
        put_time(b, time);
        json_text(b, "parent_frame_id", "world");
        json_text(b, "child_frame_id", log_body_name(about, i, room));
        put_vector(b, "translation", pose.p);
        put_quaternion(b, "rotation", pose.q);
        bytes_print(b, "}");
    }
    end_list(m, b);
}

static void put_bodies(const messages *m, const tac_model *model, const tactus_log_about *about, const tac_state *state,
                       uint64_t time)
{
    bytes *b = begin_list(m, m->bodies, time, "bodies");
    char room[LOG_NAME];

    for (uint32_t i = 1; i < model->bodies; i++) {
        json_object(b);
        json_text(b, "name", log_body_name(about, i, room));
        put_vector(b, "velocity", state->twist[i].v);
        put_vector(b, "omega", state->twist[i].w);
        bytes_print(b, "}");
    }
    end_list(m, b);
}

#if TAC_MAX_JOINTS > 0

static void put_joint(bytes *b, const tac_model *model, const tac_state *state, const tac_work *work, uint32_t i)
{
    static const char *const is[TAC_JOINT_STATES] = {"always", "on", "off", "broken", "captured"};
    const char *unit = log_unit(model->joint[i].kind);
    const tac_joint_result *result = &work->joint[i];
    tac_joint_state at = {0, 0};

    if (unit != NULL) {
        tac_state_get_joint(model, state, i, &at);
        json_text(b, "unit", unit);
        put_real(b, "position", at.position);
        put_real(b, "velocity", at.velocity);
        json_key(b, "effort");
        bytes_print(b, "{\"passive\":" REAL ",\"motor\":" REAL ",\"friction\":" REAL ",\"limit\":" REAL "}",
                    (double)result->effort[0], (double)result->effort[1], (double)result->effort[2],
                    (double)result->effort[3]);
    }
    if (log_switch(model, state, i) != TAC_JOINT_ALWAYS) json_text(b, "switch", is[log_switch(model, state, i)]);
    put_vector(b, "force", result->force);
    put_vector(b, "torque", result->torque);
}

static void put_joints(const messages *m, const tac_model *model, const tactus_log_about *about, const tac_state *state,
                       const tac_work *work, uint64_t time)
{
    bytes *b = begin_list(m, m->joints, time, "joints");
    char room[LOG_NAME];

    for (uint32_t i = 0; i < model->joints; i++) {
        json_object(b);
        json_text(b, "name", log_name(about->joint, i, "joint_", room));
        put_joint(b, model, state, work, i);
        bytes_print(b, "}");
    }
    end_list(m, b);
}

#else

static void put_joints(const messages *m, const tac_model *model, const tactus_log_about *about, const tac_state *state,
                       const tac_work *work, uint64_t time)
{
    (void)m, (void)model, (void)about, (void)state, (void)work, (void)time;
}

#endif

static void put_contact(bytes *b, const tac_model *model, const tactus_log_about *about, const tac_contact *c)
{
    static const char *const mode[] = {"open", "stick", "slide"};
    char room[LOG_NAME];

    json_object(b);
    json_text(b, "body_a", log_body_name(about, c->body_a, room));
    json_text(b, "body_b", log_body_name(about, c->body_b, room));
    json_text(b, "shape_a", log_name(about->shape, c->id.shape_a, "shape_", room));
    json_text(b, "shape_b", log_name(about->shape, c->id.shape_b, "shape_", room));
    put_count(b, "feature", c->id.feature);
    json_text(b, "mode", mode[c->mode]);
    put_vector(b, "point", c->point);
    put_vector(b, "normal", c->n);
    put_real(b, "gap", c->gap);
    put_real(b, "mu", c->mu);
    put_real(b, "restitution", c->restitution);
    put_vector(b, "impulse", log_impulse(c));
    put_vector(b, "force", log_force(model, c));
    put_vector(b, "slip", log_slip(c));
    bytes_print(b, "}");
}

static void put_contacts(const messages *m, const tac_model *model, const tactus_log_about *about,
                         const tac_state *state, const tac_work *work, uint64_t time)
{
    bytes *b = mcap_begin(m->file, m->contacts, time);
    const uint32_t count = log_contacts(state, work);

    bytes_print(b, "{");
    put_time(b, time);
    put_count(b, "dropped", state->step > 0 ? work->report.dropped : 0);
    json_array(b, "contacts");
    for (uint32_t i = 0; i < count; i++) put_contact(b, model, about, &work->contact[i]);
    end_list(m, b);
}

// The rotation that takes x to a direction.
static tac_quat from_x(const double *to)
{
    const double w = 1.0 + to[0], length = sqrt(w * w + to[1] * to[1] + to[2] * to[2]);

    if (!(length > 1e-6)) return (tac_quat){0, 0, 0, 1};
    return (tac_quat){(tac_real)(w / length), 0, (tac_real)(-to[2] / length), (tac_real)(to[1] / length)};
}

// The force on b as an arrow: green where the contact sticks, red where it slips; half the scene is the weight of all.
static void put_arrow(bytes *b, const messages *m, const tac_model *model, const tac_contact *c)
{
    const tac_vec3 f = log_force(model, c);
    const double force = sqrt((double)f.x * (double)f.x + (double)f.y * (double)f.y + (double)f.z * (double)f.z);
    const double length = 0.5 * m->reach * force / m->weight, thick = 0.01 * m->reach;

    if (!(force > 0.0)) return;
    const double to[3] = {(double)f.x / force, (double)f.y / force, (double)f.z / force};
    json_object(b);
    put_pose(b, (tac_pose){c->point, from_x(to)});
    bytes_print(
        b, ",\"shaft_length\":%.6g,\"shaft_diameter\":%.6g,\"head_length\":%.6g,\"head_diameter\":%.6g,\"color\":%s}",
        0.75 * length, thick, 0.25 * length, 2.5 * thick,
        c->mode == TAC_SLIDE ? "{\"r\":0.88,\"g\":0.19,\"b\":0.19,\"a\":1}"
                             : "{\"r\":0.12,\"g\":0.62,\"b\":0.33,\"a\":1}");
}

static void put_forces(const messages *m, const tac_model *model, const tac_state *state, const tac_work *work,
                       uint64_t time)
{
    bytes *b = mcap_begin(m->file, m->forces, time);
    const uint32_t count = log_contacts(state, work);

    bytes_print(b, "{\"deletions\":[]");
    json_array(b, "entities");
    begin_entity(b, time, "world", "forces");
    json_array(b, "arrows");
    for (uint32_t i = 0; i < count; i++) put_arrow(b, m, model, &work->contact[i]);
    bytes_print(b, "],\"triangles\":[]}]}");
    mcap_end(m->file);
}

static void put_report(const messages *m, const tac_model *model, const tac_state *state, const tac_work *work,
                       uint64_t time)
{
    bytes *b = mcap_begin(m->file, m->report, time);
    const tac_report *r = &work->report;

    bytes_print(b, "{");
    put_time(b, time);
    put_count(b, "step", (int64_t)state->step);
    json_key(b, "hash");
    bytes_print(b, "\"0x%016" PRIx64 "\"", tac_state_hash(model, state));
    put_count(b, "status", r->status);
    json_text(b, "verdict", tac_status_name(r->status));
    put_count(b, "contacts", r->contacts);
    put_count(b, "dropped", r->dropped);
    put_count(b, "sweeps", r->sweeps);
    put_count(b, "impacts", r->impacts);
    put_count(b, "law", r->friction);
    put_real(b, "residual", r->residual);
    put_real(b, "penetration", r->penetration);
    put_real(b, "joint_error", r->joint_error);
    put_count(b, "joint_iterations", r->joint_iterations);
    put_real(b, "kinetic", r->kinetic);
    put_real(b, "potential", r->potential);
    json_array(b, "stages");
    for (uint32_t i = 0; i < r->stages; i++) {
        const tac_stage *s = &r->stage[i];
        json_object(b);
        bytes_print(b, "\"sweeps\":%u,\"engine\":%u,\"op\":%u,\"law\":%u,\"why\":%u}", s->sweeps, s->engine, s->op,
                    s->law, s->why);
    }
    end_list(m, b);
}

// --------------------------------------------------------------------------------------------------------------- file

static uint16_t channel(const messages *m, const char *topic, const char *schema)
{
    return mcap_channel(m->file, topic, schema, schema_of(schema));
}

static double weight_of(const tac_model *model)
{
    const double x = (double)model->gravity.x, y = (double)model->gravity.y, z = (double)model->gravity.z;
    double mass = 0.0, g = sqrt(x * x + y * y + z * z);

    for (uint32_t i = 1; i < model->bodies; i++)
        mass += model->body[i].kind == TAC_DYNAMIC ? (double)model->body[i].mass : 0;
    return fmax(mass * (g > 0.0 ? g : 9.81), 1e-9);
}

int messages_open(messages *m, FILE *file, const tac_model *model, const tactus_log_about *about)
{
    char bits[8], step[32], hash[16];
    const char *const own[][2] = {{"title", about->title != NULL ? about->title : ""},
                                  {"bits", bits},
                                  {"h", step},
                                  {"model_hash", hash},
                                  {NULL, NULL}};

    *m = (messages){.file = mcap_open(file, "tactus " TAC_VERSION)};
    if (m->file == NULL) return 0;
    m->reach = surface_reach(model);
    m->weight = weight_of(model);
    snprintf(bits, sizeof bits, "%d", TAC_REAL_BITS);
    snprintf(step, sizeof step, REAL, (double)model->h);
    snprintf(hash, sizeof hash, "0x%08" PRIx32, model->hash);
    mcap_metadata(m->file, "tactus", own);
    if (about->metadata != NULL) mcap_metadata(m->file, "run", about->metadata);
    m->frames = channel(m, "/tf", "foxglove.FrameTransforms");
    m->scene = channel(m, "/shapes", "foxglove.SceneUpdate");
    m->forces = channel(m, "/forces", "foxglove.SceneUpdate");
    m->bodies = channel(m, "/bodies", "tactus.Bodies");
    if (log_joints(model) > 0) m->joints = channel(m, "/joints", "tactus.Joints");
    m->contacts = channel(m, "/contacts", "tactus.Contacts");
    m->report = channel(m, "/report", "tactus.Report");
    return 1;
}

void messages_step(messages *m, const tac_model *model, const tactus_log_about *about, const tac_state *state,
                   const tac_work *work, int first)
{
    const uint64_t time = nanoseconds(model, state);

    put_frames(m, model, about, state, time);
    if (first) put_scene(m, model, about, time);
    put_bodies(m, model, about, state, time);
    if (m->joints != 0) put_joints(m, model, about, state, work, time);
    put_contacts(m, model, about, state, work, time);
    put_forces(m, model, state, work, time);
    put_report(m, model, state, work, time);
}

int messages_close(messages *m)
{
    return mcap_close(m->file);
}
