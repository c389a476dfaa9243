// SPDX-License-Identifier: MIT
// A conversation over a line that loses, doubles, flips, cuts and reorders frames ends at the same bits as a run
// without a line.
#include "pair.h"
#include "tap.h"

static link_client client;
static tac_model model;
static tac_state state, fetched;
static tac_input input;
static tac_work work;

// Returns how many calls failed or disagreed.
static uint32_t converse(uint32_t rounds)
{
    uint32_t wrong = 0;

    wrong += link_client_hello(&client) != LINK_DONE;
    wrong += link_client_set_model(&client, &model) != LINK_DONE;
    for (uint32_t i = 0; i < rounds; i++) {
        link_stepped stepped = {0};
        const uint16_t steps = (uint16_t)(1 + pair_random(6));

        if (i % 4 == 0) {
            pair_drive(state.step, &input);
            wrong += link_client_set_input(&client, &input) != LINK_DONE;
        }
        pair_local_steps(&model, &state, &input, &work, steps);
        wrong += link_client_step(&client, steps, &stepped) != LINK_DONE;
        wrong += stepped.done != steps || stepped.hash != tac_state_hash(&model, &state);
        if (i % 7 == 0) {
            wrong += link_client_get_state(&client, image_world_of(&model), &fetched) != LINK_DONE;
            wrong += tac_state_hash(&model, &fetched) != tac_state_hash(&model, &state);
        }
        if (i % 11 == 0) { wrong += link_client_set_state(&client, &model, &state) != LINK_DONE; }
    }
    return wrong;
}

static void test_line(const char *name, pair_damage damage, uint64_t seed)
{
    tap_note_hex("seed", seed);
    pair_build_world(&model);
    tac_state_init(&model, &state, NULL);
    pair_rest(&input);
    pair_open(&client, damage, seed);

    tap_equal(converse(RUN(120, 30)), 0, tap_joined(name, ": calls that fail or disagree"));
    tap_hash(tac_state_hash(&pair_model, &pair_state), tac_state_hash(&model, &state),
             tap_joined(name, ": same bits at the end"));
    tap_note("steps", (double)state.step);
    tap_note("asked again", client.resent);
    tap_note("dropped by the server", pair_server.count.dropped);
    tap_note("repeated by the server", pair_server.count.repeated);
    tap_note("late at the server", pair_server.count.ignored);
    tap_note("late at the client", client.stale);
}

int main(void)
{
    const uint64_t seed = UINT64_C(0x7ac705);

    test_line("clean", (pair_damage){0, 0, 0, 0, 0, 0}, seed);
    tap_equal(client.resent, 0, "clean: nothing is asked again");
    tap_equal(client.stale + pair_server.count.ignored, 0, "clean: nothing is late");
    test_line("lost frames", (pair_damage){200, 0, 0, 0, 0, 0}, seed + 1);
    tap_least(pair_server.count.repeated, 1, "lost frames: some replies were lost");
    test_line("doubled frames", (pair_damage){0, 300, 0, 0, 0, 0}, seed + 2);
    tap_least(pair_server.count.repeated, 1, "doubled frames: repetitions are seen");
    test_line("flipped bits", (pair_damage){0, 0, 300, 0, 0, 0}, seed + 3);
    tap_least(pair_server.count.dropped, 1, "flipped bits: broken frames are seen");
    test_line("cut frames", (pair_damage){0, 0, 0, 300, 0, 0}, seed + 4);
    tap_least(pair_server.count.dropped, 1, "cut frames: broken frames are seen");
    test_line("frames out of order", (pair_damage){0, 100, 0, 0, 300, 0}, seed + 5);
    tap_least(pair_server.count.ignored, 1, "frames out of order: late requests are seen");
    tap_least(client.stale, 1, "frames out of order: late replies are seen");
    for (uint64_t i = 0; i < RUN(8, 1); i++) {
        test_line("all at once", (pair_damage){100, 100, 100, 100, 100, 0}, seed + 6 + i);
    }

    pair_open(&client, (pair_damage){1000, 0, 0, 0, 0, 0}, seed);
    tap_equal(link_client_hello(&client), LINK_TIMEOUT, "dead line: a timeout");
    tap_equal(client.resent, client.retries, "dead line: bounded attempts");
    return tap_done();
}
