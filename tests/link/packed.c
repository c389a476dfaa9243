// SPDX-License-Identifier: MIT
// config: all
// Packed states on the link, in both forms: the same bytes as the kernel here makes; a state that is sent goes on to
// the bit; over lines that lose, double, flip, cut and reorder frames, too. What is refused changes nothing. A firmware
// that lies makes the host write nothing beyond its buffer.
#include "pair.h"
#include "tap.h"
#include "truth.h"

static link_client client;
static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;
static uint8_t bytes[IMAGE_MAX_PACKED], here[IMAGE_MAX_PACKED];

static void open_world(pair_damage damage, uint64_t seed)
{
    pair_build_world(&model);
    tac_state_init(&model, &state, NULL);
    pair_rest(&input);
    pair_open(&client, damage, seed);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "a model");
}

// Steps on both sides, the state fetched and compared, and from time to time sent back. Returns what went wrong.
static uint32_t converse(uint32_t rounds)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        const uint8_t form = (uint8_t)(i % TAC_PACK_FORMS);
        uint32_t size = 0, own = 0;
        link_stepped stepped = {0};
        pair_drive(state.step, &input);
        wrong += link_client_set_input(&client, &input) != LINK_DONE;
        pair_local_steps(&model, &state, &input, &work, 3);
        wrong += link_client_step(&client, 3, &stepped) != LINK_DONE;
        wrong += link_client_get_packed(&client, form, bytes, sizeof bytes, &size) != LINK_DONE;
        wrong += tac_state_pack(&model, &state, form, here, sizeof here, &own, NULL) != TAC_OK;
        wrong += size != own || !truth_equal(bytes, here, own);
        if (i % 5 != 0) { continue; }
        wrong += link_client_set_packed(&client, bytes, size) != LINK_DONE;
        wrong += tac_state_unpack(&model, &state, here, own, NULL) != TAC_OK;
        wrong += tac_state_hash(&pair_model, &pair_state) != tac_state_hash(&model, &state);
    }
    return wrong;
}

static void test_line(const char *name, pair_damage damage, uint64_t seed)
{
    tap_note_hex("seed", seed);
    open_world(damage, seed);
    tap_equal(converse(RUN(60, 15)), 0, tap_joined(name, ": calls that fail or disagree"));
    tap_hash(tac_state_hash(&pair_model, &pair_state), tac_state_hash(&model, &state),
             tap_joined(name, ": same bits at the end"));
}

static void refused(uint8_t type, const uint8_t *payload, uint32_t count, uint8_t reason, const char *name)
{
    tap_equal(link_client_call(&client, type, LINK_ANY_STEP, payload, count), LINK_REFUSED, name);
    tap_equal(client.error.reason, reason, "for its reason");
}

static void test_refused(void)
{
    open_world((pair_damage){0}, 1);
    pair_local_steps(&model, &state, &input, &work, 40);
    uint32_t size;
    tac_state_pack(&model, &state, TAC_PACK_EXACT, bytes, sizeof bytes, &size, NULL);
    tap_equal(link_client_set_packed(&client, bytes, size), LINK_DONE, "a state of this world");
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    const uint8_t zeros[16] = {0}, form[5] = {TAC_PACK_FORMS}, ones[5] = {0, 0xff, 0xff, 0xff, 0x7f};
    const uint8_t part[9] = {200, 0, 0, 0, 100, 0, 0, 0, 1}, large[9] = {0xff, 0xff, 0xff, 0xff}, beyond[10] = {1};
    refused(LINK_GET_PACKED, zeros, 4, LINK_E_LENGTH, "get packed of 4 bytes");
    refused(LINK_GET_PACKED, zeros, 6, LINK_E_LENGTH, "get packed of 6 bytes");
    refused(LINK_GET_PACKED, form, 5, LINK_E_RANGE, "get packed in no form");
    refused(LINK_GET_PACKED, ones, 5, LINK_E_RANGE, "get packed beyond the end");
    refused(LINK_SET_PACKED, zeros, 7, LINK_E_LENGTH, "set packed of 7 bytes");
    refused(LINK_SET_PACKED, zeros, 8, LINK_E_LENGTH, "set packed of no byte");
    refused(LINK_SET_PACKED, part, 9, LINK_E_ORDER, "set packed without its beginning");
    refused(LINK_SET_PACKED, large, 9, LINK_E_RANGE, "set packed of a size that no state has");
    refused(LINK_SET_PACKED, beyond, 10, LINK_E_RANGE, "set packed of more than its size");
    uint32_t taken = 0;
    for (uint32_t i = 0; i < size; i += 7) {
        bytes[i] ^= 0x10;
        taken += link_client_set_packed(&client, bytes, size) != LINK_REFUSED || client.error.reason != LINK_E_KERNEL;
        bytes[i] ^= 0x10;
    }
    tap_equal(taken, 0, "a byte that is wrong anywhere: the kernel refuses");
    tap_equal(link_client_set_packed(&client, bytes, size - 1), LINK_REFUSED, "one byte less");
    tap_equal(link_client_set_packed(&client, bytes, 0), LINK_TOO_LONG, "none at all");
    tap_equal(link_client_set_packed(&client, bytes, IMAGE_MAX_PACKED + 1), LINK_TOO_LONG, "more than any state has");
    tap_equal(link_client_get_packed(&client, 0, bytes, size - 1, &taken), LINK_NO_ROOM, "no room here");
    tap_equal(taken, size, "it says how much is needed");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "no refused request changed the state");
}

// A GET_PACKED ends a transfer, whose memory it uses.
static void test_transfer(void)
{
    static tac_input led;
    uint8_t begun[12] = {100, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, next[9] = {100, 0, 0, 0, 4, 0, 0, 0, 5};
    const uint8_t exact[5] = {0};
    open_world((pair_damage){0}, 1);
    tap_equal(link_client_call(&client, LINK_SET_PACKED, LINK_ANY_STEP, begun, sizeof begun), LINK_DONE,
              "a transfer begins");
    tap_equal(link_client_call(&client, LINK_GET_PACKED, LINK_ANY_STEP, exact, sizeof exact), LINK_DONE,
              "a state is asked for");
    refused(LINK_SET_PACKED, next, sizeof next, LINK_E_ORDER, "the transfer has ended");
    tap_equal(link_client_call(&client, LINK_SET_PACKED, LINK_ANY_STEP, begun, sizeof begun), LINK_DONE,
              "another begins");
    pair_drive(1, &led);
    tap_equal(link_client_set_input(&client, &led), LINK_DONE, "an input comes between");
    refused(LINK_SET_PACKED, next, sizeof next, LINK_E_ORDER, "it has ended too");
}

static void test_lies(void)
{
    enum { GUARD = 64 };
    static uint8_t kept[400 + 2 * GUARD];
    uint32_t touched = 0, unknown = 0, done = 0;
    const uint64_t seed = 77;
    pair_open(&client, (pair_damage){0, 0, 0, 0, 0, 600}, seed);
    client.retries = 2;
    for (int i = 0; i < 100 && link_client_hello(&client) != LINK_DONE; i++) {}
    truth_fill(kept, sizeof kept, 0xa5);
    for (uint32_t i = 0; i < RUN(3000, 300); i++) {
        uint32_t size;
        client.hello.real_bits = TAC_REAL_BITS;
        const int result = i % 3 ? link_client_get_packed(&client, (uint8_t)(i % 2), kept + GUARD, 400, &size)
                                 : link_client_set_packed(&client, here, 300);
        unknown += result > LINK_DONE || result < LINK_TOO_LONG;
        done += result == LINK_DONE;
    }
    for (uint32_t i = 0; i < GUARD; i++) { touched += kept[i] != 0xa5 || kept[GUARD + 400 + i] != 0xa5; }
    tap_equal(unknown, 0, "a firmware that lies: every call returns a result that has a name");
    tap_equal(touched, 0, "nothing is written beside the buffer");
    tap_least(done, 1, "some replies are believed");
}

int main(void)
{
    test_line("clean", (pair_damage){0}, 1);
    tap_equal(client.resent, 0, "clean: nothing is asked again");
    test_line("all at once", (pair_damage){60, 60, 60, 60, 60, 0}, 2);
    tap_least(client.resent, 1, "all at once: some is asked again");
    test_refused();
    test_transfer();
    test_lies();
    return tap_done();
}
