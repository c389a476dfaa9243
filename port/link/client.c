// SPDX-License-Identifier: MIT
#include "link/client.h"
#include "link/value.h"

void link_client_init(link_client *client, link_channel channel, uint32_t timeout_ms, uint32_t retries,
                      uint32_t session)
{
    client->channel = channel;
    client->timeout_ms = timeout_ms;
    client->retries = retries;
    client->session = session;
    client->sequence = 0;
    client->step = LINK_ANY_STEP;
    client->resent = 0;
    client->stale = 0;
    client->cancel = 0;
    client->hello.real_bits = 0;
    client->error.reason = LINK_E_NONE;
    client->over = IMAGE_FITS;
    client->decoder.count = 0;
    client->decoder.code = 0;
    client->decoder.left = 0;
    client->decoder.bad = 0;
}

// -------------------------------------------------------------------------------------------------------- one request

static void take_error(link_client *client)
{
    wire_reader *r = &client->reply;

    client->error.request = wire_get_u8(r);
    client->error.reason = wire_get_u8(r);
    client->error.status = (tac_status)wire_get_u32(r);
    client->error.fault = value_get_fault(r);
}

// In a frame of another version only version and sequence are known to be in their places. If such a frame answers
// HELLO, the firmware speaks that version only.
static int take_other_version(link_client *client, uint8_t type)
{
    if (type != LINK_HELLO) return LINK_TIMEOUT;
    client->error = (link_error){LINK_HELLO, LINK_E_VERSION, TAC_OK, {TAC_FIELD_NONE, 0, TAC_REASON_NONE}};
    return LINK_REFUSED;
}

// Is this frame the answer? LINK_TIMEOUT says that it is not. Frames of other numbers or sessions are late replies to
// requests that were sent twice or given up, or to requests of an earlier host.
static int take_frame(link_client *client, uint8_t type)
{
    link_frame frame;

    if (!link_frame_parse(client->decoder.bytes, client->decoder.count, &frame)) return LINK_TIMEOUT;
    const int other_version = frame.version != LINK_VERSION;
    if (frame.sequence != client->sequence || (frame.session != client->session && !other_version)) {
        client->stale++;
        return LINK_TIMEOUT;
    }
    if (other_version) return take_other_version(client, type);

    client->reply = frame.payload;
    client->step = frame.step;
    if (frame.type == LINK_ERROR) {
        take_error(client);
        const int whole = client->reply.at == client->reply.count && client->error.request == type;
        return whole ? LINK_REFUSED : LINK_MALFORMED;
    }
    return frame.type == (type | LINK_REPLY) ? LINK_DONE : LINK_MALFORMED;
}

static int await_reply(link_client *client, uint8_t type)
{
    for (uint32_t i = 0; i < LINK_PATIENCE; i++) {
        const int byte = client->channel.read(client->channel.context, client->timeout_ms);
        if (byte == -1) return LINK_TIMEOUT;
        if (byte < 0) return LINK_CLOSED;
        if (wire_cobs_decode(&client->decoder, (uint8_t)byte) != WIRE_FRAME) continue;

        const int result = take_frame(client, type);
        if (result != LINK_TIMEOUT) return result;
    }
    return LINK_TIMEOUT;
}

static wire_writer call_begin(link_client *client, uint8_t type, uint64_t step)
{
    client->sequence++;
    return link_frame_begin(client->request, type, client->sequence, client->session, step);
}

static int send_cancel(link_client *client)
{
    uint8_t bytes[LINK_HEAD + LINK_TAIL], line[LINK_HEAD + LINK_TAIL + 4];
    wire_writer w = link_frame_begin(bytes, LINK_CANCEL, client->sequence, client->session, LINK_ANY_STEP);
    return client->channel.write(client->channel.context, line, link_frame_end(&w, line));
}

static int call_end(link_client *client, wire_writer *w)
{
    const uint8_t type = client->request[1];
    const uint32_t count = link_frame_end(w, client->line);
    int result = LINK_TIMEOUT;

    for (uint32_t attempt = 0; attempt <= client->retries && result == LINK_TIMEOUT; attempt++) {
        if (attempt > 0) client->resent++;
        if (client->channel.write(client->channel.context, client->line, count) != 0) return LINK_CLOSED;
        if (client->cancel && type == LINK_STEP && send_cancel(client) != 0) return LINK_CLOSED;
        result = await_reply(client, type);
    }
    return result;
}

// A reply must be exactly as long as what its request asks for.
static int reply_whole(const link_client *client)
{
    return client->reply.at == client->reply.count ? LINK_DONE : LINK_MALFORMED;
}

int link_client_call(link_client *client, uint8_t type, uint64_t step, const uint8_t *payload, uint32_t count)
{
    if (count > LINK_MAX_PAYLOAD) return LINK_TOO_LONG;

    wire_writer w = call_begin(client, type, step);

    for (uint32_t i = 0; i < count; i++) wire_put_u8(&w, payload[i]);
    return call_end(client, &w);
}

int link_client_hello(link_client *client)
{
    wire_writer w = call_begin(client, LINK_HELLO, LINK_ANY_STEP);
    const int result = call_end(client, &w);
    if (result != LINK_DONE) return result;

    wire_reader *r = &client->reply;
    link_hello *hello = &client->hello;
    hello->real_bits = wire_get_u8(r);
    hello->major = wire_get_u8(r);
    hello->minor = wire_get_u8(r);
    hello->max_bodies = wire_get_u16(r);
    hello->max_shapes = wire_get_u16(r);
    hello->max_contacts = wire_get_u16(r);
    hello->max_materials = wire_get_u16(r);
    hello->max_material_pairs = wire_get_u16(r);
    hello->max_actions = wire_get_u16(r);
    hello->max_exclusions = wire_get_u16(r);
    hello->max_polyhedra = wire_get_u16(r);
    hello->max_points = wire_get_u16(r);
    hello->max_faces = wire_get_u16(r);
    hello->max_edges = wire_get_u16(r);
    hello->max_hull_points = wire_get_u16(r);
    hello->max_fields = wire_get_u16(r);
    hello->max_joints = wire_get_u16(r);
    hello->max_heights = wire_get_u32(r);
    hello->height_bits = wire_get_u8(r);
    const uint8_t options = wire_get_u8(r);
    hello->convex = options & 1;
    hello->rolling = options >> 1 & 1;
    hello->laws = options >> 2 & 1;
    hello->switches = options >> 3 & 1;
    hello->coordinates = options >> 4 & 1;
    hello->model_hash = wire_get_u32(r);
    hello->world.bodies = wire_get_u16(r);
    const uint16_t joints = wire_get_u16(r);
    hello->world.joints = joints & (LINK_SWITCHED - 1u);
    hello->world.switches = joints & LINK_SWITCHED ? hello->world.joints : 0;
    hello->h = wire_get_real_of(r, hello->real_bits);
    hello->tick_rate = wire_get_u32(r);
    hello->frames = wire_get_u32(r);
    hello->dropped = wire_get_u32(r);
    hello->repeated = wire_get_u32(r);
    hello->ignored = wire_get_u32(r);
    hello->max_surfaces = options >> 5 & 1 ? wire_get_u16(r) : 0;
    hello->max_steps = wire_get_u16(r);
    const int known = hello->real_bits == 32 || hello->real_bits == 64;
    return known && hello->tick_rate > 0 && hello->max_steps > 0 ? reply_whole(client) : LINK_MALFORMED;
}

// --------------------------------------------------------------------------------------------------- objects in parts

// For objects whose heads contain all counts.
static const image_world no_world = {0, 0, 0};

// Do elements have the same layout on both sides?
static int same_elements(const link_client *client)
{
    return client->hello.real_bits == TAC_REAL_BITS && client->hello.rolling == TAC_ROLLING;
}

static int no_room(link_client *client, int which)
{
    client->over = which;
    return LINK_NO_ROOM;
}

static int send_object(link_client *client, uint8_t type, image_kind kind, const void *object, image_world world)
{
    if (!same_elements(client)) return LINK_PRECISION;
    const int over = image_over(kind, object, world);
    if (over != IMAGE_FITS) return no_room(client, over);

    const uint32_t count = image_count(kind, object, world);
    uint32_t next = 0;
    while (next < count) {
        wire_writer w = call_begin(client, type, LINK_ANY_STEP);
        wire_put_u32(&w, next);
        while (next < count) {
            const uint32_t mark = w.count;
            image_put(kind, object, world, &w, next);
            if (w.count > w.room) {
                w.count = mark;
                break;
            }
            next++;
        }
        const int result = call_end(client, &w);
        if (result != LINK_DONE) return result;
        if (wire_get_u32(&client->reply) != next) return LINK_MALFORMED;
    }
    return LINK_DONE;
}

// Every reply has at least one more element, so the loop ends.
static int fetch_object(link_client *client, uint8_t type, image_kind kind, void *object, image_world world)
{
    if (!same_elements(client)) return LINK_PRECISION;

    uint32_t next = 0;
    do {
        wire_writer w = call_begin(client, type, next == 0 ? LINK_ANY_STEP : client->step);
        wire_put_u32(&w, next);
        const int result = call_end(client, &w);
        if (result != LINK_DONE) return result;

        wire_reader *r = &client->reply;
        if (wire_get_u32(r) != next || r->at >= r->count) return LINK_MALFORMED;
        while (r->at < r->count) {
            if (next != 0 && next >= image_count(kind, object, world)) return LINK_MALFORMED;
            const int over = image_get(kind, object, world, r, next);
            if (over != IMAGE_FITS) return no_room(client, over);
            next++;
        }
        if (r->at > r->count) return LINK_MALFORMED;
    } while (next < image_count(kind, object, world));
    return LINK_DONE;
}

int link_client_set_model(link_client *client, const tac_model *model)
{
    if (model->heights > 0 && client->hello.height_bits != TAC_HEIGHT_BITS) return LINK_PRECISION;
    return send_object(client, LINK_SET_MODEL, IMAGE_MODEL, model, no_world);
}

int link_client_set_state(link_client *client, const tac_model *model, const tac_state *state)
{
    return send_object(client, LINK_SET_STATE, IMAGE_STATE, state, image_world_of(model));
}

#if TAC_PREDICT

int link_client_set_packed(link_client *client, const uint8_t *bytes, uint32_t size)
{
    if (client->hello.real_bits != TAC_REAL_BITS) return LINK_PRECISION;
    if (size == 0 || size > IMAGE_MAX_PACKED) return LINK_TOO_LONG;

    uint32_t next = 0;
    while (next < size) {
        wire_writer w = call_begin(client, LINK_SET_PACKED, LINK_ANY_STEP);
        wire_put_u32(&w, size);
        wire_put_u32(&w, next);
        while (next < size && w.count < w.room) wire_put_u8(&w, bytes[next++]);
        const int result = call_end(client, &w);
        if (result != LINK_DONE) return result;
        if (wire_get_u32(&client->reply) != next || reply_whole(client) != LINK_DONE) return LINK_MALFORMED;
    }
    return LINK_DONE;
}

// Every reply has at least one more byte, so the loop ends.
int link_client_get_packed(link_client *client, uint8_t form, uint8_t *bytes, uint32_t room, uint32_t *size)
{
    *size = 0;
    if (client->hello.real_bits != TAC_REAL_BITS) return LINK_PRECISION;

    uint32_t next = 0;
    do {
        wire_writer w = call_begin(client, LINK_GET_PACKED, next == 0 ? LINK_ANY_STEP : client->step);
        wire_put_u8(&w, form);
        wire_put_u32(&w, next);
        const int result = call_end(client, &w);
        if (result != LINK_DONE) return result;

        wire_reader *r = &client->reply;
        const uint32_t told = wire_get_u32(r), first = wire_get_u32(r);
        if (first != next || (next > 0 && told != *size) || r->at >= r->count) return LINK_MALFORMED;
        *size = told;
        if (told > room) return no_room(client, TAC_COUNT_BODIES);
        while (r->at < r->count && next < told) bytes[next++] = wire_get_u8(r);
        if (r->at != r->count) return LINK_MALFORMED;
    } while (next < *size);
    return LINK_DONE;
}

int link_client_set_measured(link_client *client, image_world world, const image_measured *measured)
{
    return send_object(client, LINK_SET_MEASURED, IMAGE_MEASURED, measured, world);
}

#endif

int link_client_set_input(link_client *client, const tac_input *input)
{
    return send_object(client, LINK_SET_INPUT, IMAGE_INPUT, input, no_world);
}

int link_client_get_state(link_client *client, image_world world, tac_state *state)
{
    const int over = image_world_fits(world);
    if (over != IMAGE_FITS) return no_room(client, over);
    return fetch_object(client, LINK_GET_STATE, IMAGE_STATE, state, world);
}

int link_client_get_input(link_client *client, tac_input *input)
{
    return fetch_object(client, LINK_GET_INPUT, IMAGE_INPUT, input, no_world);
}

int link_client_get_contacts(link_client *client, tac_work *work)
{
    return fetch_object(client, LINK_GET_CONTACTS, IMAGE_CONTACTS, work, no_world);
}

int link_client_get_joints(link_client *client, tac_work *work, uint16_t *joints)
{
#if TAC_MAX_JOINTS > 0
    image_joints object = {work->joint, 0};
#else
    image_joints object = {((void)work, (tac_joint_result *)NULL), 0};
#endif
    const int result = fetch_object(client, LINK_GET_JOINTS, IMAGE_JOINTS, &object, no_world);
    *joints = object.count;
    return result;
}

// -------------------------------------------------------------------------------------------------- step and queries

static int step_end(link_client *client, uint16_t steps, wire_writer *w, link_stepped *stepped)
{
    const int result = call_end(client, w);
    client->cancel = 0;
    if (result != LINK_DONE) return result;

    wire_reader *r = &client->reply;
    stepped->status = (tac_status)wire_get_u32(r);
    stepped->fault = value_get_fault(r);
    stepped->done = wire_get_u16(r);
    stepped->contacts = wire_get_u16(r);
    stepped->sweeps = wire_get_u32(r);
    stepped->ticks_min = wire_get_u32(r);
    stepped->ticks_mean = wire_get_u32(r);
    stepped->ticks_max = wire_get_u32(r);
    stepped->hash = wire_get_u64(r);
    stepped->trace = wire_get_u64(r);
    return stepped->done >= 1 && stepped->done <= steps ? reply_whole(client) : LINK_MALFORMED;
}

// Firmware without other methods knows no word for them.
int link_client_step_by(link_client *client, uint16_t steps, link_method method, link_stepped *stepped)
{
    if (method.kind != LINK_METHOD_CCP && client->hello.real_bits != TAC_REAL_BITS) return LINK_PRECISION;

    wire_writer w = call_begin(client, LINK_STEP, client->step);
    wire_put_u16(&w, steps);
    if (method.kind != LINK_METHOD_CCP) {
        wire_put_u8(&w, method.kind);
        wire_put_u8(&w, method.directions);
        wire_put_real(&w, method.damping);
    }
    return step_end(client, steps, &w, stepped);
}

int link_client_step(link_client *client, uint16_t steps, link_stepped *stepped)
{
    return link_client_step_by(client, steps, (link_method){0}, stepped);
}

#if TAC_MAX_LCP > 0

int link_client_ask(link_client *client, link_question question, link_asking *asking)
{
    if (client->hello.real_bits != TAC_REAL_BITS) return LINK_PRECISION;

    wire_writer w = call_begin(client, LINK_ASK, client->step);
    wire_put_u8(&w, question.kind);
    wire_put_u8(&w, question.form);
    wire_put_u8(&w, question.directions);
    wire_put_u16(&w, question.closest);
    const int result = call_end(client, &w);
    if (result != LINK_DONE) return result;

    wire_reader *r = &client->reply;
    asking->status = (tac_status)wire_get_u32(r);
    asking->size.x = wire_get_u16(r);
    asking->size.u = wire_get_u16(r);
    asking->size.l = wire_get_u16(r);
    asking->contacts = wire_get_u16(r);
    asking->numbers = wire_get_u16(r);
    asking->ticks = wire_get_u32(r);
    asking->hash = wire_get_u64(r);
    return reply_whole(client);
}

// Every reply has at least one more number, so the loop ends.
int link_client_get_answer(link_client *client, const link_asking *asking, tac_real *number)
{
    if (client->hello.real_bits != TAC_REAL_BITS) return LINK_PRECISION;

    uint32_t next = 0;
    while (next < asking->numbers) {
        wire_writer w = call_begin(client, LINK_GET_ANSWER, client->step);
        wire_put_u32(&w, next);
        const int result = call_end(client, &w);
        if (result != LINK_DONE) return result;

        wire_reader *r = &client->reply;
        if (wire_get_u32(r) != next || r->at >= r->count) return LINK_MALFORMED;
        while (r->at < r->count && next < asking->numbers) number[next++] = wire_get_real(r);
        if (r->at != r->count) return LINK_MALFORMED;
    }
    return LINK_DONE;
}

#endif

void link_client_cancel(link_client *client)
{
    client->cancel = 1;
}

int link_client_get_report(link_client *client, tac_report *report)
{
    if (client->hello.real_bits != TAC_REAL_BITS) return LINK_PRECISION;

    wire_writer w = call_begin(client, LINK_GET_REPORT, LINK_ANY_STEP);
    const int result = call_end(client, &w);
    if (result != LINK_DONE) return result;

    const int good = value_get_report(&client->reply, report, client->hello.max_joints > 0, client->hello.switches);
    return good ? reply_whole(client) : LINK_MALFORMED;
}

int link_client_hash(link_client *client, uint64_t *state_hash, uint32_t *model_hash)
{
    wire_writer w = call_begin(client, LINK_HASH, LINK_ANY_STEP);
    const int result = call_end(client, &w);
    if (result != LINK_DONE) return result;

    *state_hash = wire_get_u64(&client->reply);
    *model_hash = wire_get_u32(&client->reply);
    return reply_whole(client);
}

const char *link_count_name(int which)
{
#define COUNT_TEXT(count, text) text,
    static const char *const name[TAC_COUNTS] = {TAC_COUNT_TABLE(COUNT_TEXT)};
    const unsigned index = (unsigned)which;
    if (which == IMAGE_LAWS) return "laws of friction";
    if (which == IMAGE_SWITCHES) return "joints that may be switched";
    return index < TAC_COUNTS ? name[index] : "?";
}

const char *link_result_name(int result)
{
#define RESULT_TEXT(result, value, text) {value, text},
    static const struct {
        int result;
        const char *text;
    } name[] = {LINK_RESULT_TABLE(RESULT_TEXT)};
    for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++) {
        if (name[i].result == result) return name[i].text;
    }
    return "?";
}
