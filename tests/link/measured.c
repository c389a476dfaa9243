// SPDX-License-Identifier: MIT
// config: all
// What is measured on the link, and the input back: the state is that of tac_state_set_measured() to the bit, over
// lines that lose, double, flip, cut and reorder frames, too. What is refused changes nothing. A firmware that lies
// makes the host write no count beyond its array.
#include "pair.h"
#include "tap.h"
#include "truth.h"

static link_client client;
static tac_model model;
static tac_state state;
static tac_input input, answer;
static image_measured measured;
static uint8_t sent[2048], got[2048];

static void open_world(pair_damage damage, uint64_t seed)
{
    pair_build_world(&model);
    tac_state_init(&model, &state, NULL);
    pair_open(&client, damage, seed);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "a model");
}

static tac_real real_below(uint32_t most)
{
    return (tac_real)most * (tac_real)pair_random(1000) / 1000;
}

// The box, by a sensor beside its centre, and what hangs on it.
static void measure(uint64_t step)
{
    measured.step = step;
    measured.base.frame = (tac_frame){1, {{real_below(1), 0, real_below(1)}, {1, 0, real_below(1), 0}}};
    measured.base.pose = (tac_pose){{real_below(1), real_below(1), 1}, {1, real_below(1), 0, real_below(1)}};
    measured.base.velocity = (tac_vec3){real_below(1), 0, real_below(1)};
    measured.base.gyro = (tac_vec3){0, real_below(2), real_below(1)};
    for (uint32_t j = 0; j < model.joints; j++) measured.joint[j] = (tac_joint_state){real_below(1), real_below(1)};
}

// All bytes of an input on the line: its members, without what lies between them.
static uint32_t bytes_of(const tac_input *of, uint8_t *bytes)
{
    const image_world none = {0, 0, 0};
    wire_writer w = {.bytes = bytes, .room = sizeof sent};
    for (uint32_t i = 0; i < image_count(IMAGE_INPUT, of, none); i++) image_put(IMAGE_INPUT, of, none, &w, i);
    return w.count;
}

// Returns what went wrong.
static uint32_t converse(uint32_t rounds)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        measure(i * i);
        wrong += link_client_set_measured(&client, image_world_of(&model), &measured) != LINK_DONE;
        wrong += client.step != measured.step;
        wrong += tac_state_set_measured(&model, &state, &measured.base, measured.joint) != TAC_OK;
        state.step = measured.step;
        wrong += tac_state_hash(&pair_model, &pair_state) != tac_state_hash(&model, &state);

        pair_drive(i, &input);
        if (i % 3 == 0) pair_rest(&input);
        wrong += link_client_set_input(&client, &input) != LINK_DONE;
        wrong += link_client_get_input(&client, &answer) != LINK_DONE;
        const uint32_t size = bytes_of(&input, sent);
        wrong += bytes_of(&answer, got) != size || !truth_equal(sent, got, size);
    }
    return wrong;
}

static void test_line(const char *name, pair_damage damage, uint64_t seed)
{
    tap_note_hex("seed", seed);
    open_world(damage, seed);
    tap_equal(converse(RUN(60, 15)), 0, tap_joined(name, ": calls that fail or disagree"));
}

static void refused(int result, uint8_t reason, const char *name)
{
    tap_equal(result, LINK_REFUSED, name);
    tap_equal(client.error.reason, reason, "for its reason");
}

static int set(void)
{
    return link_client_set_measured(&client, image_world_of(&model), &measured);
}

static void test_refused(void)
{
    const uint8_t zeros[200] = {0}, beyond[4] = {200};
    open_world((pair_damage){0}, 1);
    measure(7);
    tap_equal(set(), LINK_DONE, "what this box has measured");
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    measured.step = 8;
    measured.base.gyro.x = real_nan();
    refused(set(), LINK_E_KERNEL, "a gyro that is no number");
    tap_equal(client.error.status, TAC_E_NAN, "as the kernel says");
    measure(8);
    measured.base.frame.body = 3;
    refused(set(), LINK_E_KERNEL, "a sensor on a plate that is led");
    measured.base.frame.body = UINT16_MAX;
    refused(set(), LINK_E_KERNEL, "a sensor on no body");
    refused(link_client_call(&client, LINK_SET_MEASURED, LINK_ANY_STEP, zeros, 4), LINK_E_LENGTH, "nothing measured");
    refused(link_client_call(&client, LINK_SET_MEASURED, LINK_ANY_STEP, zeros, 20), LINK_E_LENGTH, "part of a head");
    refused(link_client_call(&client, LINK_SET_MEASURED, LINK_ANY_STEP, beyond, 4), LINK_E_ORDER, "no head");
    refused(link_client_call(&client, LINK_GET_INPUT, LINK_ANY_STEP, beyond, 4), LINK_E_RANGE, "beyond the input");
    refused(link_client_call(&client, LINK_GET_INPUT, 8, zeros, 4), LINK_E_STEP, "the input of another step");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "no refused request changed the state");
    measure(9);
    const image_world large = {1, TAC_MAX_JOINTS + 1, 0};
    tap_equal(link_client_set_measured(&client, large, &measured), LINK_NO_ROOM, "more joints than there is room for");
}

static void test_lies(void)
{
    uint32_t unknown = 0, over = 0, done = 0;
    pair_open(&client, (pair_damage){0, 0, 0, 0, 0, 600}, 78);
    client.retries = 2;
    for (int i = 0; i < 100 && link_client_hello(&client) != LINK_DONE; i++) {}
    for (uint32_t i = 0; i < RUN(3000, 300); i++) {
        client.hello.real_bits = TAC_REAL_BITS;
        client.hello.rolling = TAC_ROLLING;
        const int result = link_client_get_input(&client, &answer);
        unknown += result > LINK_DONE || result < LINK_TOO_LONG;
        over += answer.actions > TAC_MAX_ACTIONS || answer.motors > TAC_MAX_JOINTS;
        done += result == LINK_DONE;
    }
    tap_equal(unknown, 0, "a firmware that lies: every call returns a result that has a name");
    tap_equal(over, 0, "no count exceeds its array");
    tap_least(done, 1, "some replies are believed");
}

int main(void)
{
    test_line("clean", (pair_damage){0}, 1);
    tap_equal(client.resent, 0, "clean: nothing is asked again");
    test_line("all at once", (pair_damage){60, 60, 60, 60, 60, 0}, 2);
    tap_least(client.resent, 1, "all at once: some is asked again");
    test_refused();
    test_lies();
    return tap_done();
}
