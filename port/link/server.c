// SPDX-License-Identifier: MIT
#include "link/server.h"
#include "link/value.h"

/// An error reply under way; reason LINK_E_NONE means that there is none.
typedef struct refusal {
    uint8_t reason;
    tac_status status; ///< LINK_E_KERNEL; TAC_E_FULL with LINK_E_CAPACITY
    tac_fault fault;   ///< LINK_E_KERNEL and LINK_E_CAPACITY only
} refusal;

static const tac_fault no_fault = {TAC_FIELD_NONE, 0, TAC_REASON_NONE};

static refusal refuse(uint8_t reason)
{
    const refusal answer = {reason, TAC_OK, no_fault};
    return answer;
}

static refusal refuse_count(int which)
{
    const refusal answer = {LINK_E_CAPACITY, TAC_E_FULL, {TAC_FIELD_COUNT, (uint16_t)which, TAC_REASON_FULL}};
    return answer;
}

static refusal refuse_kernel(tac_status status, tac_fault fault)
{
    const refusal answer = {LINK_E_KERNEL, status, fault};
    return answer;
}

// No actions, no motor commands.
static void empty_input(link_server *server)
{
    server->input->actions = 0;
#if TAC_MAX_JOINTS > 0
    server->input->motors = 0;
#endif
}

// Results of an earlier model or state refer to bodies that have moved or no longer exist.
static void clear_results(link_server *server)
{
    server->work->report = (tac_report){0};
    server->results = 0;
}

static void clear_answer(link_server *server)
{
#if TAC_MAX_LCP > 0
    server->asked.answer.numbers = 0;
#else
    (void)server;
#endif
}

void link_server_init(link_server *server, link_port port, tac_model *model, tac_state *state, tac_input *input,
                      tac_work *work)
{
    server->port = port;
    server->model = model;
    server->state = state;
    server->input = input;
    server->work = work;
    server->count.frames = 0;
    server->count.dropped = 0;
    server->count.repeated = 0;
    server->count.ignored = 0;
    server->decoder.count = 0;
    server->decoder.code = 0;
    server->decoder.left = 0;
    server->decoder.bad = 0;
    server->line_count = 0;
    server->last_sequence = 0;
    server->session = 0;
    server->staged_kind = IMAGE_NONE;
    server->staged_next = 0;
    empty_input(server);
    clear_results(server);
    clear_answer(server);
}

// ------------------------------------------------------------------------------------------------------------- hello

static refusal on_hello(link_server *server, wire_writer *w)
{
    const image_world world = image_world_of(server->model);

    wire_put_u8(w, TAC_REAL_BITS);
    wire_put_u8(w, TAC_VERSION_MAJOR);
    wire_put_u8(w, TAC_VERSION_MINOR);
    wire_put_u16(w, TAC_MAX_BODIES);
    wire_put_u16(w, TAC_MAX_SHAPES);
    wire_put_u16(w, TAC_MAX_CONTACTS);
    wire_put_u16(w, TAC_MAX_MATERIALS);
    wire_put_u16(w, TAC_MAX_MATERIAL_PAIRS);
    wire_put_u16(w, TAC_MAX_ACTIONS);
    wire_put_u16(w, TAC_MAX_EXCLUSIONS);
    wire_put_u16(w, TAC_MAX_POLYHEDRA);
    wire_put_u16(w, TAC_MAX_POINTS);
    wire_put_u16(w, TAC_MAX_FACES);
    wire_put_u16(w, TAC_MAX_EDGES);
    wire_put_u16(w, TAC_MAX_HULL_POINTS);
    wire_put_u16(w, TAC_MAX_HEIGHT_FIELDS);
    wire_put_u16(w, TAC_MAX_JOINTS);
    wire_put_u32(w, TAC_MAX_HEIGHTS);
    wire_put_u8(w, TAC_HEIGHT_BITS);
    wire_put_u8(w, TAC_CONVEX | TAC_ROLLING << 1 | TAC_FRICTION_LAWS << 2 | TAC_SWITCHES << 3 | TAC_COORDINATES << 4 |
                       (TAC_MAX_SURFACES > 0) << 5);
    wire_put_u32(w, server->model->hash);
    wire_put_u16(w, world.bodies);
    wire_put_u16(w, (uint16_t)(world.joints | (world.switches > 0 ? LINK_SWITCHED : 0u)));
    wire_put_real(w, server->model->h);
    wire_put_u32(w, server->port.tick_rate);
    wire_put_u32(w, server->count.frames);
    wire_put_u32(w, server->count.dropped);
    wire_put_u32(w, server->count.repeated);
    wire_put_u32(w, server->count.ignored);
    if (TAC_MAX_SURFACES > 0) wire_put_u16(w, TAC_MAX_SURFACES);
    wire_put_u16(w, LINK_MAX_STEPS);
    return refuse(LINK_E_NONE);
}

// --------------------------------------------------------------------------------------------------- objects in parts

static void stage_begin(link_server *server, image_kind kind)
{
    server->staged_kind = kind;
    server->staged_next = 0;
    switch (kind) {
    case IMAGE_STATE:
        server->staged.state = *server->state;
        break;
    case IMAGE_INPUT:
        server->staged.input = *server->input;
        break;
    case IMAGE_MEASURED: // every element is sent
        break;
    default:
        tac_model_init(&server->staged.model);
        break;
    }
}

static refusal commit_model(link_server *server)
{
    tac_fault fault;
    tac_status status = tac_model_seal(&server->staged.model, &fault);

    if (status == TAC_OK) status = tac_state_init(&server->staged.model, server->state, &fault);
    if (status != TAC_OK) return refuse_kernel(status, fault);

    *server->model = server->staged.model;
    empty_input(server);
    clear_results(server);
    return refuse(LINK_E_NONE);
}

static refusal commit_state(link_server *server)
{
    tac_fault fault;
    const tac_status status = tac_check(server->model, &server->staged.state, NULL, &fault);

    if (status != TAC_OK) return refuse_kernel(status, fault);

    *server->state = server->staged.state;
    clear_results(server);
    return refuse(LINK_E_NONE);
}

#if TAC_PREDICT

static refusal commit_measured(link_server *server)
{
    const image_measured *measured = &server->staged.measured;
    const tac_status status = tac_state_set_measured(server->model, server->state, &measured->base, measured->joint);

    if (status != TAC_OK) return refuse_kernel(status, no_fault);
    server->state->step = measured->step;
    clear_results(server);
    return refuse(LINK_E_NONE);
}

#endif

static refusal stage_commit(link_server *server)
{
    const image_kind kind = server->staged_kind;

    server->staged_kind = IMAGE_NONE;
    switch (kind) {
    case IMAGE_STATE:
        return commit_state(server);
    case IMAGE_INPUT:
        *server->input = server->staged.input;
        return refuse(LINK_E_NONE);
#if TAC_PREDICT
    case IMAGE_MEASURED:
        return commit_measured(server);
#endif
    default:
        return commit_model(server);
    }
}

// Reads all elements of a part, from staged_next on. Element 0, the head, has the number of elements; more are refused.
static refusal stage_elements(link_server *server, wire_reader *r)
{
    const image_kind kind = server->staged_kind;
    const image_world world = image_world_of(server->model);

    while (r->at < r->count) {
        if (server->staged_next != 0 && server->staged_next >= image_count(kind, &server->staged, world)) {
            return refuse(LINK_E_LENGTH);
        }
        const int over = image_get(kind, &server->staged, world, r, server->staged_next);
        if (r->at > r->count) return refuse(LINK_E_LENGTH);
        if (over != IMAGE_FITS) return refuse_count(over);
        server->staged_next++;
    }
    return refuse(server->staged_next == 0 ? LINK_E_LENGTH : LINK_E_NONE);
}

static refusal on_set(link_server *server, image_kind kind, wire_reader *r, wire_writer *w)
{
    const uint32_t first = wire_get_u32(r);

    if (r->at > r->count) return refuse(LINK_E_LENGTH);
    if (first == 0) {
        stage_begin(server, kind);
    } else if (server->staged_kind != kind || server->staged_next != first) {
        return refuse(LINK_E_ORDER);
    }

    refusal answer = stage_elements(server, r);
    if (answer.reason == LINK_E_NONE &&
        server->staged_next == image_count(kind, &server->staged, image_world_of(server->model))) {
        answer = stage_commit(server);
    }
    if (answer.reason != LINK_E_NONE) {
        server->staged_kind = IMAGE_NONE;
        return answer;
    }
    wire_put_u32(w, server->staged_next);
    return answer;
}

static refusal on_get(link_server *server, image_kind kind, const void *object, wire_reader *r, wire_writer *w)
{
    const image_world world = image_world_of(server->model);
    const uint32_t count = image_count(kind, object, world);
    const uint32_t first = wire_get_u32(r);

    if (r->at != r->count) return refuse(LINK_E_LENGTH);
    if (first >= count) return refuse(LINK_E_RANGE);

    wire_put_u32(w, first);
    for (uint32_t i = first; i < count; i++) {
        const uint32_t mark = w->count;
        image_put(kind, object, world, w, i);
        if (w->count > w->room) {
            w->count = mark;
            break;
        }
    }
    return refuse(LINK_E_NONE);
}

static refusal on_get_joints(link_server *server, wire_reader *r, wire_writer *w)
{
#if TAC_MAX_JOINTS > 0
    const image_joints joints = {server->work->joint, server->results};
#else
    const image_joints joints = {NULL, 0};
#endif
    return on_get(server, IMAGE_JOINTS, &joints, r, w);
}

// ------------------------------------------------------------------------------------------------------ packed states

#if TAC_PREDICT

// The kernel checks all bytes before it writes the state.
static refusal commit_packed(link_server *server, uint32_t size)
{
    tac_fault fault;
    const tac_status status = tac_state_unpack(server->model, server->state, server->staged.packed, size, &fault);

    if (status != TAC_OK) return refuse_kernel(status, fault);
    clear_results(server);
    return refuse(LINK_E_NONE);
}

static refusal on_set_packed(link_server *server, wire_reader *r, wire_writer *w)
{
    const uint32_t size = wire_get_u32(r), first = wire_get_u32(r);

    if (r->at >= r->count) return refuse(LINK_E_LENGTH);
    const uint32_t count = r->count - r->at;
    if (size > IMAGE_MAX_PACKED || first > size || count > size - first) {
        server->staged_kind = IMAGE_NONE;
        return refuse(LINK_E_RANGE);
    }
    if (first != 0 && (server->staged_kind != IMAGE_PACKED || server->staged_next != first))
        return refuse(LINK_E_ORDER);

    server->staged_kind = IMAGE_PACKED;
    for (server->staged_next = first; r->at < r->count; server->staged_next++) {
        server->staged.packed[server->staged_next] = wire_get_u8(r);
    }
    wire_put_u32(w, server->staged_next);
    if (server->staged_next < size) return refuse(LINK_E_NONE);
    server->staged_kind = IMAGE_NONE;
    return commit_packed(server, size);
}

// Packed anew for each part, in the place of a transfer, which ends. The state does not change between the parts: the
// host names its step.
static refusal on_get_packed(link_server *server, wire_reader *r, wire_writer *w)
{
    const uint8_t form = wire_get_u8(r);
    uint32_t next = wire_get_u32(r), size = 0;
    tac_fault fault;

    if (r->at != r->count) return refuse(LINK_E_LENGTH);
    if (form >= TAC_PACK_FORMS) return refuse(LINK_E_RANGE);
    server->staged_kind = IMAGE_NONE;
    const tac_status status =
        tac_state_pack(server->model, server->state, form, server->staged.packed, IMAGE_MAX_PACKED, &size, &fault);
    if (status != TAC_OK) return refuse_kernel(status, fault);
    if (next >= size) return refuse(LINK_E_RANGE);

    wire_put_u32(w, size);
    wire_put_u32(w, next);
    while (next < size && w->count < w->room) wire_put_u8(w, server->staged.packed[next++]);
    return refuse(LINK_E_NONE);
}

#else

static refusal on_set_packed(const link_server *server, const wire_reader *r, const wire_writer *w)
{
    (void)server, (void)r, (void)w;
    return refuse(LINK_E_RANGE);
}

static refusal on_get_packed(const link_server *server, const wire_reader *r, const wire_writer *w)
{
    (void)server, (void)r, (void)w;
    return refuse(LINK_E_RANGE);
}

#endif

// -------------------------------------------------------------------------------------------------------------- step

// Does the byte end a good frame?
static int take_byte(link_server *server, uint8_t byte, link_frame *frame)
{
    const int event = wire_cobs_decode(&server->decoder, byte);

    if (event == WIRE_MORE) return 0;
    if (event == WIRE_BROKEN || !link_frame_parse(server->decoder.bytes, server->decoder.count, frame)) {
        server->count.dropped++;
        return 0;
    }
    server->count.frames++;
    return 1;
}

/// What STEP reports of all its steps.
typedef struct step_sums {
    uint16_t done;
    uint32_t sweeps;
    uint32_t ticks_min, ticks_max;
    uint64_t ticks_sum;
    uint64_t trace;
} step_sums;

static tac_status step_once(link_server *server, link_method method, step_sums *sums)
{
    const uint32_t start = server->port.ticks();
    const tac_status status =
        link_method_step(method, &server->solvers, server->model, server->state, server->input, server->work);
    const uint32_t ticks = server->port.ticks() - start;

    if (status < 0) return status;
    (void)tac_reactions(server->model, server->work); // for GET_JOINTS; an overflow leaves zeros
    server->results = image_world_of(server->model).joints;
    sums->done++;
    sums->sweeps += server->work->report.sweeps;
    sums->ticks_sum += ticks;
    if (ticks < sums->ticks_min) sums->ticks_min = ticks;
    if (ticks > sums->ticks_max) sums->ticks_max = ticks;
    sums->trace = link_trace(sums->trace, tac_state_hash(server->model, server->state));
    return status;
}

// Has a CANCEL of this request arrived? All other frames are ignored and counted: the host repeats what it wants
// answered. At most one frame's bytes are read, so that a line that is never silent does not delay the steps.
static int cancelled(link_server *server, const link_frame *request)
{
    for (uint32_t i = 0; i < WIRE_MAX_LINE; i++) {
        link_frame frame;
        const int byte = server->port.read();
        if (byte < 0) return 0;
        if (!take_byte(server, (uint8_t)byte, &frame)) continue;
        if (frame.version == LINK_VERSION && frame.type == LINK_CANCEL && frame.session == request->session &&
            frame.sequence == request->sequence) {
            return 1;
        }
        server->count.ignored++;
    }
    return 0;
}

// The payload lies in the buffer of the decoder, which cancelled() overwrites, so it is read before the first step.
static refusal on_step(link_server *server, link_frame *request, wire_writer *w)
{
    wire_reader *r = &request->payload;
    const uint32_t steps = wire_get_u16(r);
    link_method method = {0};

    if (r->count > 2) {
        method.kind = wire_get_u8(r);
        method.directions = wire_get_u8(r);
        method.damping = wire_get_real(r);
    }
    if (r->at != r->count) return refuse(LINK_E_LENGTH);
    if (steps == 0 || steps > LINK_MAX_STEPS || !link_method_known(method)) return refuse(LINK_E_RANGE);

    step_sums sums = {0, 0, UINT32_MAX, 0, 0, LINK_TRACE_START};
    tac_status status = step_once(server, method, &sums);
    while (status >= 0 && sums.done < steps && !cancelled(server, request)) {
        status = step_once(server, method, &sums);
    }
    if (sums.done == 0) return refuse_kernel(status, server->work->report.fault);

    wire_put_u32(w, (uint32_t)status);
    value_put_fault(w, server->work->report.fault);
    wire_put_u16(w, sums.done);
    wire_put_u16(w, server->work->report.contacts);
    wire_put_u32(w, sums.sweeps);
    wire_put_u32(w, sums.ticks_min);
    wire_put_u32(w, (uint32_t)(sums.ticks_sum / sums.done));
    wire_put_u32(w, sums.ticks_max);
    wire_put_u64(w, tac_state_hash(server->model, server->state));
    wire_put_u64(w, sums.trace);
    return refuse(LINK_E_NONE);
}

// --------------------------------------------------------------------------------------------------------- questions

#if TAC_MAX_LCP > 0

// The work area is the scratch of a question: what it had of the last step is gone.
static refusal on_ask(link_server *server, wire_reader *r, wire_writer *w)
{
    link_question question = {0};

    question.kind = wire_get_u8(r);
    question.form = wire_get_u8(r);
    question.directions = wire_get_u8(r);
    question.closest = wire_get_u16(r);
    if (r->at != r->count) return refuse(LINK_E_LENGTH);
    if (!link_question_known(question)) return refuse(LINK_E_RANGE);

    const link_answer *answer = &server->asked.answer;
    const uint32_t start = server->port.ticks();
    const tac_status status =
        link_question_ask(question, &server->asked, server->model, server->state, server->input, server->work);
    const uint32_t ticks = server->port.ticks() - start;
    clear_results(server);
    if (status < 0) return refuse_kernel(status, answer->fault);

    wire_put_u32(w, (uint32_t)status);
    wire_put_u16(w, answer->size.x);
    wire_put_u16(w, answer->size.u);
    wire_put_u16(w, answer->size.l);
    wire_put_u16(w, answer->contacts);
    wire_put_u16(w, answer->numbers);
    wire_put_u32(w, ticks);
    wire_put_u64(w, answer->hash);
    return refuse(LINK_E_NONE);
}

static refusal on_get_answer(const link_server *server, wire_reader *r, wire_writer *w)
{
    const link_answer *answer = &server->asked.answer;
    uint32_t next = wire_get_u32(r);

    if (r->at != r->count) return refuse(LINK_E_LENGTH);
    if (next >= answer->numbers) return refuse(LINK_E_RANGE);

    wire_put_u32(w, next);
    while (next < answer->numbers && w->count + sizeof(tac_real) <= w->room) wire_put_real(w, answer->number[next++]);
    return refuse(LINK_E_NONE);
}

#else

static refusal on_ask(const link_server *server, const wire_reader *r, const wire_writer *w)
{
    (void)server, (void)r, (void)w;
    return refuse(LINK_E_RANGE);
}

static refusal on_get_answer(const link_server *server, const wire_reader *r, const wire_writer *w)
{
    (void)server, (void)r, (void)w;
    return refuse(LINK_E_RANGE);
}

#endif

// ----------------------------------------------------------------------------------------------------------- queries

static refusal on_report(const link_server *server, wire_writer *w)
{
    value_put_report(w, &server->work->report);
    return refuse(LINK_E_NONE);
}

static refusal on_hash(const link_server *server, wire_writer *w)
{
    wire_put_u64(w, tac_state_hash(server->model, server->state));
    wire_put_u32(w, server->model->hash);
    return refuse(LINK_E_NONE);
}

// ---------------------------------------------------------------------------------------------------------- dispatch

static refusal dispatch(link_server *server, link_frame *request, wire_writer *w)
{
    wire_reader *r = &request->payload;

    if (request->step != LINK_ANY_STEP && request->step != server->state->step) return refuse(LINK_E_STEP);

    const int without_payload =
        request->type == LINK_HELLO || request->type == LINK_GET_REPORT || request->type == LINK_HASH;
    if (without_payload && r->count != 0) return refuse(LINK_E_LENGTH);

    switch (request->type) {
    case LINK_HELLO:
        return on_hello(server, w);
    case LINK_SET_MODEL:
        return on_set(server, IMAGE_MODEL, r, w);
    case LINK_SET_STATE:
        return on_set(server, IMAGE_STATE, r, w);
    case LINK_SET_INPUT:
        return on_set(server, IMAGE_INPUT, r, w);
    case LINK_STEP:
        return on_step(server, request, w);
    case LINK_GET_STATE:
        return on_get(server, IMAGE_STATE, server->state, r, w);
    case LINK_GET_CONTACTS:
        return on_get(server, IMAGE_CONTACTS, server->work, r, w);
    case LINK_GET_REPORT:
        return on_report(server, w);
    case LINK_HASH:
        return on_hash(server, w);
    case LINK_GET_JOINTS:
        return on_get_joints(server, r, w);
    case LINK_ASK:
        return on_ask(server, r, w);
    case LINK_GET_ANSWER:
        return on_get_answer(server, r, w);
    case LINK_SET_PACKED:
        return on_set_packed(server, r, w);
    case LINK_GET_PACKED:
        return on_get_packed(server, r, w);
    case LINK_SET_MEASURED:
        return TAC_PREDICT ? on_set(server, IMAGE_MEASURED, r, w) : refuse(LINK_E_RANGE);
    case LINK_GET_INPUT:
        return on_get(server, IMAGE_INPUT, server->input, r, w);
    default:
        return refuse(LINK_E_UNKNOWN);
    }
}

// The step field of a reply is that of the state after the request, so it is written after the request is executed.
static uint32_t reply_end(const link_server *server, wire_writer *w, uint8_t *line)
{
    wire_writer head = {w->bytes, LINK_HEAD, LINK_HEAD - 8};
    wire_put_u64(&head, server->state->step);
    return link_frame_end(w, line);
}

static wire_writer error_begin(uint8_t *reply, const link_frame *request, refusal refused)
{
    wire_writer w = link_frame_begin(reply, LINK_ERROR, request->sequence, request->session, 0);
    wire_put_u8(&w, request->type);
    wire_put_u8(&w, refused.reason);
    wire_put_u32(&w, (uint32_t)refused.status);
    value_put_fault(&w, refused.fault);
    return w;
}

static void answer(link_server *server, link_frame *request)
{
    wire_writer w =
        link_frame_begin(server->reply, (uint8_t)(request->type | LINK_REPLY), request->sequence, request->session, 0);
    const refusal refused = dispatch(server, request, &w);

    if (refused.reason != LINK_E_NONE) w = error_begin(server->reply, request, refused);
    server->line_count = reply_end(server, &w, server->line);
    server->last_sequence = request->sequence;
}

// An error reply to a request of another session or version. It has a buffer of its own, because the session may still
// ask for its last reply again.
static void answer_outside_session(const link_server *server, const link_frame *request, uint8_t reason)
{
    uint8_t reply[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_writer w = error_begin(reply, request, refuse(reason));
    server->port.write(line, reply_end(server, &w, line));
}

// A session has sequence numbers of its own. A transfer of the session before is dropped, as nobody will complete it.
static void open_session(link_server *server, const link_frame *hello)
{
    server->session = hello->session;
    server->last_sequence = (uint16_t)(hello->sequence - 1);
    server->staged_kind = IMAGE_NONE;
}

static void take_request(link_server *server, link_frame *request)
{
    const int known = server->line_count != 0 && request->session == server->session;

    if (request->version != LINK_VERSION) {
        answer_outside_session(server, request, LINK_E_VERSION);
        return;
    }
    if (!known && request->type != LINK_HELLO) {
        answer_outside_session(server, request, LINK_E_SESSION);
        return;
    }
    if (!known) open_session(server, request);

    // numbers wrap: one that is up to 32768 before the last belongs to a late frame
    const uint16_t ahead = (uint16_t)(request->sequence - server->last_sequence);
    if (ahead > INT16_MAX || request->type == LINK_CANCEL) {
        server->count.ignored++;
        return;
    }
    if (ahead == 0) {
        server->count.repeated++;
    } else {
        answer(server, request);
    }
    server->port.write(server->line, server->line_count);
}

void link_server_byte(link_server *server, uint8_t byte)
{
    link_frame request;
    if (take_byte(server, byte, &request)) take_request(server, &request);
}
