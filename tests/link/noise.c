// SPDX-License-Identifier: MIT
// Bytes that mean nothing change nothing; frames that are good but mean nothing are refused, and nothing steps.
#include "pair.h"
#include "tap.h"

static link_client client;
static tac_model model;

static void open_world(uint64_t seed)
{
    tap_note_hex("seed", seed);
    pair_build_world(&model);
    pair_open(&client, (pair_damage){0}, seed);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "set model");
}

// The line is rich in delimiters, so that many short frames come.
static void test_bytes(uint64_t seed)
{
    open_world(seed);
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    const uint32_t replies = pair_replies;

    for (uint32_t i = 0; i < RUN(2000000, 50000); i++) {
        const uint8_t byte = pair_random(16) == 0 ? 0 : (uint8_t)pair_random(256);
        pair_inject(&byte, 1);
    }
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "random bytes change nothing");
    tap_equal(pair_replies, replies, "random bytes are not answered");
    tap_least(pair_server.count.dropped, 1000, "random bytes are counted as broken frames");

    const uint8_t delimiter = 0;
    pair_inject(&delimiter, 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "and the link is still there");
}

// A frame of any type and any payload, but of a step that the state is never at: only SET can do anything.
static void inject_frame(uint64_t step)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    const uint8_t type = (uint8_t)pair_random(pair_random(4) == 0 ? 256 : LINK_REQUESTS + 1);
    const uint64_t at = type == LINK_STEP ? step : LINK_ANY_STEP;
    wire_writer w = pair_begin(bytes, type, at);
    if (pair_random(16) == 0) { // late, or of another session
        w = link_frame_begin(bytes, type, (uint16_t)pair_random(65536), pair_server.session + pair_random(2), at);
    }
    const uint32_t count = pair_random(4) == 0 ? pair_random(LINK_MAX_PAYLOAD + 1) : pair_random(9);
    const uint32_t range = pair_random(2) == 0 ? 256 : 4;

    for (uint32_t i = 0; i < count; i++) { wire_put_u8(&w, (uint8_t)pair_random(range)); }
    pair_inject(line, link_frame_end(&w, line));
}

// The first part of a real model, cut and with one byte changed: counts, kinds and sizes go wrong one at a time.
static void inject_model_part(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_writer w = pair_begin(bytes, LINK_SET_MODEL, LINK_ANY_STEP);

    wire_put_u32(&w, 0);
    image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, 0);
    image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, 1);
    if (w.count > w.room) { w.count = w.room; }
    bytes[LINK_HEAD + pair_random(w.count - LINK_HEAD)] = (uint8_t)pair_random(256);
    w.count -= pair_random(3) == 0 ? pair_random(w.count - LINK_HEAD) : 0;
    pair_inject(line, link_frame_end(&w, line));
}

// A state whose joints do not hold yet may be stepped: what the world starts from, or what a set state says.
static int is_good(const tac_model *of)
{
    const tac_status status = tac_check(of, &pair_state, NULL, NULL);

    return status == TAC_OK || status == TAC_UNCONVERGED;
}

static void test_frames(uint64_t seed)
{
    open_world(seed);
    for (uint32_t i = 0; i < RUN(100000, 2000); i++) {
        inject_frame(UINT64_C(1) << 40);
        if (i % 8 == 0) { inject_model_part(); }
    }
    tap_hash(pair_state.step, 0, "random frames never step");
    tap_ok(is_good(&pair_model), "random frames leave a good state");
    tap_equal(pair_server.count.dropped, 0, "random frames are all good frames");
    tap_least(pair_server.count.ignored, 20, "some are late");
    pair_rejoin(&client);
    tap_equal(link_client_hello(&client), LINK_DONE, "and the link is still there");
}

// A whole object in all its parts, as a client sends it, but for a byte: most often it is refused, sometimes it is
// another.
static void inject_object(uint8_t type, image_kind kind, const void *object)
{
    const image_world world = image_world_of(&model);
    const uint32_t count = image_count(kind, object, world), changed = pair_random(count);
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];

    for (uint32_t next = 0; next < count;) {
        wire_writer w = pair_begin(bytes, type, LINK_ANY_STEP);
        uint32_t mark = w.count + 4;
        wire_put_u32(&w, next);
        for (; next < count; next++) {
            mark = w.count;
            image_put(kind, object, world, &w, next);
            if (w.count > w.room) { break; }
            if (next == changed) { bytes[mark + pair_random(w.count - mark)] = (uint8_t)pair_random(256); }
        }
        if (w.count > w.room) { w.count = mark; }
        pair_inject(line, link_frame_end(&w, line));
    }
}

// Whatever is accepted can be stepped, or the step is refused; model and state are always good ones.
static void test_objects(uint64_t seed)
{
    static const uint8_t one[2] = {1, 0};
    static tac_state state;
    static tac_input input;
    uint32_t bad = 0, taken = 0, refused = 0;

    open_world(seed);
    tac_state_init(&model, &state, NULL);
    for (uint32_t i = 0; i < RUN(600, 40); i++) {
        pair_drive(i, &input);
        if (i % 8 == 0) { inject_object(LINK_SET_MODEL, IMAGE_MODEL, &model); }
        if (i % 2 == 0) { inject_object(LINK_SET_STATE, IMAGE_STATE, &state); }
        inject_object(LINK_SET_INPUT, IMAGE_INPUT, &input);
        pair_rejoin(&client);
        const int result = link_client_call(&client, LINK_STEP, LINK_ANY_STEP, one, 2);
        taken += result == LINK_DONE;
        refused += result == LINK_REFUSED && client.error.reason == LINK_E_KERNEL;
        bad += !is_good(&pair_model);
        if (pair_model.hash == model.hash && is_good(&model)) {
            state = pair_state;
        }
    }
    tap_equal(bad, 0, "objects with another byte leave a good state");
    tap_equal(taken + refused, RUN(600, 40), "each step under them is taken or refused by the kernel");
    tap_least(taken, RUN(100, 5), "many are taken");
    tap_least(refused, RUN(5, 0), "some are refused");
    tap_note("refused", refused);
}

int main(void)
{
    for (uint64_t seed = 1; seed <= RUN(3, 1); seed++) {
        if (!TAC_MAX_JOINTS) { test_bytes(UINT64_C(0x9e3779b97f4a7c15) * seed); } // they mean nothing to any kernel
        test_frames(UINT64_C(0xd1342543de82ef95) * seed);
        test_objects(UINT64_C(0xbf58476d1ce4e5b9) * seed);
    }
    return tap_done();
}
