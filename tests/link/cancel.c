// SPDX-License-Identifier: MIT
// A STEP is bounded and can be ended early; what is late is told apart from answers and from refusals.
#include "pair.h"
#include "tap.h"

static link_client client;
static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;

static void open_world(void)
{
    pair_open(&client, (pair_damage){0}, 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    pair_build_world(&model);
    tac_state_init(&model, &state, NULL);
    pair_rest(&input);
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "set model");
}

static uint64_t local_steps(uint32_t steps)
{
    return pair_local_steps(&model, &state, &input, &work, steps);
}

// The next request ends after `steps` steps, and the state is the one that they lead to.
static void check_done(uint16_t asked, uint16_t steps, const char *name)
{
    link_stepped stepped = {0};
    const uint64_t first = state.step, trace = local_steps(steps);

    tap_equal(link_client_step(&client, asked, &stepped), LINK_DONE, name);
    tap_equal(stepped.done, steps, tap_joined(name, ": steps done"));
    tap_least(stepped.status, 0, tap_joined(name, ": status of the last of them"));
    tap_hash(client.step, first + steps, tap_joined(name, ": the client knows the step"));
    tap_hash(stepped.trace, trace, tap_joined(name, ": trace"));
    tap_hash(stepped.hash, tac_state_hash(&model, &state), tap_joined(name, ": hash"));
}

static void test_cancel(void)
{
    open_world();
    link_client_cancel(&client);
    check_done(50, 1, "cancelled before it was sent");
    check_done(50, 50, "the next one is not");
    pair_silence = 29;
    link_client_cancel(&client);
    check_done(LINK_MAX_STEPS, 30, "cancelled after 30 steps");
    check_done(20, 20, "steps go on from there");
    link_client_cancel(&client);
    check_done(1, 1, "a cancel of the only step comes too late");
    tap_equal(pair_server.count.ignored, 1, "and is of no effect");
    check_done(LINK_MAX_STEPS, LINK_MAX_STEPS, "also for the request after it");
}

// On the line when the server runs next: behind a STEP, it arrives while the steps are taken.
static void send_frame(uint16_t sequence, uint32_t session, uint8_t type)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_writer w = link_frame_begin(bytes, type, sequence, session, LINK_ANY_STEP);
    client.channel.write(client.channel.context, line, link_frame_end(&w, line));
}

// A CANCEL of another request or session, a repetition of the STEP, other requests, bytes that mean nothing.
static void test_other_frames(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];

    open_world();
    const uint16_t next = (uint16_t)(client.sequence + 1);
    const uint32_t replies = pair_replies;
    wire_writer w = pair_begin(bytes, LINK_STEP, LINK_ANY_STEP);
    wire_put_u16(&w, 40);
    client.channel.write(client.channel.context, line, link_frame_end(&w, line));
    send_frame((uint16_t)(next - 1), client.session, LINK_CANCEL);
    send_frame((uint16_t)(next + 1), client.session, LINK_CANCEL);
    send_frame(next, client.session + 1, LINK_CANCEL);
    send_frame(next, client.session, LINK_STEP);
    send_frame(next, client.session, LINK_HASH);
    send_frame(next, client.session + 1, LINK_HELLO);
    for (uint8_t i = 1; i < 200; i++) { client.channel.write(client.channel.context, &i, 1); }

    wire_decoder decoder = {{0}, 0, 0, 0, 0};
    link_frame frame;
    tap_ok(pair_take(&decoder, &frame), "a STEP among other frames is answered");
    tap_hash(frame.step, 40, "and takes all of its steps");
    tap_equal(pair_replies, replies + 1, "nothing else is");
    tap_equal(pair_server.count.ignored, 6, "the others are counted");
    tap_equal(pair_server.session, client.session, "and open no session");
}

// A line that is never silent: the steps go on between its bytes, and end.
static void test_babble(void)
{
    static const uint8_t babble[64] = {1, 2, 3};
    link_stepped stepped = {0};

    open_world();
    for (int i = 0; i < 200; i++) { client.channel.write(client.channel.context, babble, sizeof babble); }
    const uint8_t delimiter = 0;
    client.channel.write(client.channel.context, &delimiter, 1);
    tap_equal(link_client_step(&client, 3, &stepped), LINK_DONE, "steps on a line that is never silent");
    tap_equal(stepped.done, 3, "all are taken");
}

// ------------------------------------------------------------------------------------------------------ late replies

typedef struct recorded {
    uint8_t line[WIRE_MAX_LINE];
    uint32_t count;
} recorded;

// What the server answered is on the line a second time before the next request is sent.
static recorded reply_to(uint8_t type, const uint8_t *payload, uint32_t count)
{
    recorded r;
    link_client_call(&client, type, LINK_ANY_STEP, payload, count);
    r.count = pair_server.line_count;
    for (uint32_t i = 0; i < r.count; i++) { r.line[i] = pair_server.line[i]; }
    return r;
}

static void test_late_replies(void)
{
    static const uint8_t none[2] = {0, 0};
    uint64_t hash;
    uint32_t model_hash;

    open_world();
    const recorded refusal = reply_to(LINK_STEP, none, 2);
    tap_equal(client.error.reason, LINK_E_RANGE, "a refusal, of no steps");
    const recorded answer = reply_to(LINK_HASH, NULL, 0);
    client.error.reason = LINK_E_NONE;
    local_steps(3);

    link_stepped stepped = {0};
    pair_server.port.write(refusal.line, refusal.count);
    pair_server.port.write(answer.line, answer.count);
    tap_equal(link_client_step(&client, 3, &stepped), LINK_DONE, "a late refusal is none of the next request");
    tap_equal(client.error.reason, LINK_E_NONE, "and does not count as an error");
    tap_equal(client.stale, 2, "late replies are counted");
    pair_server.port.write(answer.line, answer.count);
    tap_equal(link_client_hash(&client, &hash, &model_hash), LINK_DONE, "hash after a late reply of the same type");
    tap_hash(hash, tac_state_hash(&model, &state), "is the one of now");
    tap_equal(client.stale, 3, "and the late one is counted");
}

// Another client on the same line, with the numbers of the first: what is late is told apart by the session.
static void test_sessions(void)
{
    link_stepped stepped;

    open_world();
    const recorded late = reply_to(LINK_GET_REPORT, NULL, 0);
    const uint32_t before = client.session;
    const uint16_t number = client.sequence;
    link_client_init(&client, client.channel, 1, 3, before + 1);
    tap_equal(link_client_step(&client, 1, &stepped), LINK_REFUSED, "a request before HELLO");
    tap_equal(client.error.reason, LINK_E_SESSION, "is refused: no session");
    tap_hash(pair_state.step, 0, "and does nothing");
    client.sequence = (uint16_t)(number - 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello of another client, under the last number");
    tap_equal(client.sequence, number, "the numbers are the same");
    client.sequence--;
    pair_server.port.write(late.line, late.count);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello with a late reply to the client before");
    tap_equal(client.stale, 1, "which is counted");
    send_frame((uint16_t)(number + 1), before, LINK_HASH);
    tap_equal(link_client_step(&client, 2, &stepped), LINK_DONE, "a late request of the client before takes no number");
    tap_hash(pair_state.step, 2, "and the steps are taken once");
}

// A firmware of another version says so, in its own.
static void test_other_version(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];

    open_world();
    const uint16_t next = (uint16_t)(client.sequence + 1);
    wire_writer w = link_frame_begin(bytes, LINK_ERROR, next, 0, 0);
    bytes[0] = LINK_VERSION - 1;
    const uint32_t count = link_frame_end(&w, line);
    pair_server.port.write(line, count);
    tap_equal(link_client_hello(&client), LINK_REFUSED, "hello to a firmware of another version");
    tap_equal(client.error.reason, LINK_E_VERSION, "says so");
}

// ------------------------------------------------------------------------------------------------------- too long

static void test_too_long(void)
{
    static uint8_t payload[LINK_MAX_PAYLOAD + 100];
    struct {
        link_client client;
        uint8_t guard[64];
    } guarded = {0};

    open_world();
    guarded.client = client;
    const uint32_t frames = pair_server.count.frames;
    for (uint32_t count = LINK_MAX_PAYLOAD + 1; count < sizeof payload; count++) {
        if (link_client_call(&guarded.client, LINK_HASH, LINK_ANY_STEP, payload, count) != LINK_TOO_LONG) {
            tap_ok(0, tap_numbered("a payload that is too long is not refused", count));
        }
    }
    tap_equal(link_client_call(&guarded.client, LINK_HASH, LINK_ANY_STEP, payload, UINT32_MAX), LINK_TOO_LONG,
              "a payload of 2^32 - 1 bytes");
    tap_ok(link_result_name(LINK_TOO_LONG)[0] == 'a' && link_result_name(LINK_TOO_LONG - 1)[0] == '?', "has a name");
    uint32_t touched = 0;
    for (uint32_t i = 0; i < sizeof guarded.guard; i++) { touched += guarded.guard[i]; }
    tap_equal(touched, 0, "nothing is written behind the client");
    tap_equal(pair_server.count.frames + pair_server.count.dropped, frames, "nothing is sent");
    tap_equal(link_client_call(&guarded.client, LINK_HASH, LINK_ANY_STEP, payload, LINK_MAX_PAYLOAD), LINK_REFUSED,
              "a payload as long as it may be is sent");
    tap_equal(guarded.client.error.reason, LINK_E_LENGTH, "and refused by the firmware");
}

int main(void)
{
    test_cancel();
    test_other_frames();
    test_babble();
    test_late_replies();
    test_sessions();
    test_other_version();
    test_too_long();
    return tap_done();
}
