// SPDX-License-Identifier: MIT
// A firmware that is broken or means ill: replies with other payloads, lengths and types under a good head and CRC. The
// client says so or believes what it is told, but writes nothing beyond the objects it was given, and comes back.
#include "pair.h"
#include "tap.h"

enum { GUARD = 256 };

static link_client client;
static tac_model model;
static tac_input input;

// What the client fills, each between guards.
static struct {
    uint8_t before_state[GUARD];
    tac_state state;
    uint8_t before_work[GUARD];
    tac_work work;
    uint8_t before_report[GUARD];
    tac_report report;
    link_stepped stepped;
    uint8_t behind[GUARD];
} filled;

static uint32_t touched(const uint8_t *guard)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < GUARD; i++) { count += guard[i] != 0xa5; }
    return count;
}

static void set_guard(uint8_t *guard)
{
    for (uint32_t i = 0; i < GUARD; i++) { guard[i] = 0xa5; }
}

static int get_joints(void)
{
    uint16_t joints;
    const int result = link_client_get_joints(&client, &filled.work, &joints);
    return joints <= TAC_MAX_JOINTS ? result : LINK_DONE + 1;
}

static int step(void)
{
    const uint16_t steps = (uint16_t)(1 + pair_random(LINK_MAX_STEPS));
    const int result = link_client_step(&client, steps, &filled.stepped);
    return result != LINK_DONE || (filled.stepped.done >= 1 && filled.stepped.done <= steps) ? result : LINK_DONE + 1;
}

static int get_report(void)
{
    const int result = link_client_get_report(&client, &filled.report);
    return result != LINK_DONE || filled.report.stages <= TAC_STAGES ? result : LINK_DONE + 1;
}

static int hello(void)
{
    const int result = link_client_hello(&client);
    return result != LINK_DONE || (client.hello.max_steps > 0 && client.hello.tick_rate > 0) ? result : LINK_DONE + 1;
}

// Any call of the client; LINK_DONE + 1 if it hands out a count that is out of range.
static int call(void)
{
    const image_world said = client.hello.world;
    uint64_t hash;
    uint32_t model_hash;

    switch (pair_random(10)) {
    case 0:
        return hello();
    case 1:
        return link_client_set_model(&client, &model);
    case 2:
        return link_client_set_state(&client, &pair_model, &pair_state);
    case 3:
        pair_drive(pair_random(100), &input);
        return link_client_set_input(&client, &input);
    case 4:
        return step();
    case 5:
        return link_client_get_state(&client, pair_random(2) == 0 ? said : image_world_of(&pair_model), &filled.state);
    case 6:
        return link_client_get_contacts(&client, &filled.work);
    case 7:
        return get_joints();
    case 8:
        return get_report();
    default:
        return link_client_hash(&client, &hash, &model_hash);
    }
}

// As the client knows them after a true HELLO: a lie may have said that nothing can be talked about.
static void believe(void)
{
    client.hello.real_bits = TAC_REAL_BITS;
    client.hello.rolling = TAC_ROLLING;
    client.hello.height_bits = TAC_HEIGHT_BITS;
    client.hello.max_joints = TAC_MAX_JOINTS;
}

static void test_lies(uint32_t lie, uint64_t seed)
{
    uint32_t unknown = 0, beyond = 0, done = 0, malformed = 0, no_room = 0;

    tap_note_hex("seed", seed);
    pair_open(&client, (pair_damage){0, 0, 0, 0, 0, lie}, seed);
    client.retries = 2;
    pair_build_world(&model);
    set_guard(filled.before_state);
    set_guard(filled.before_work);
    set_guard(filled.before_report);
    set_guard(filled.behind);
    filled.state.warm_count = filled.work.report.contacts = 0;
    for (uint32_t i = 0; i < RUN(4000, 300); i++) {
        const int result = call();
        unknown += result > LINK_DONE || result < LINK_TOO_LONG;
        beyond += filled.state.warm_count > TAC_MAX_CONTACTS || filled.work.report.contacts > TAC_MAX_CONTACTS;
        done += result == LINK_DONE;
        malformed += result == LINK_MALFORMED;
        no_room += result == LINK_NO_ROOM;
        if (pair_random(4) != 0) { believe(); }
        filled.work.report.contacts = 0; // that of a GET_REPORT counts what the firmware has, not what is here
    }
    tap_equal(unknown, 0, "every call returns a result that has a name, and counts in their range");
    tap_equal(beyond, 0, "no object says that it holds more than it has room for");
    tap_equal(touched(filled.before_state) + touched(filled.before_work) + touched(filled.before_report) +
                  touched(filled.behind),
              0, "nothing is written beside the objects");
    tap_least(done, RUN(100, 3), "some replies are believed");
    tap_least(malformed, RUN(100, 3), "some are told from answers");
    tap_note("believed", done);
    tap_note("malformed", malformed);
    tap_note("more than there is room for", no_room);

    pair_open(&client, (pair_damage){0}, seed);
    tap_equal(link_client_hello(&client), LINK_DONE, "an honest firmware is heard again");
}

int main(void)
{
    for (uint64_t seed = 1; seed <= RUN(2, 1); seed++) {
        test_lies(300, UINT64_C(0x9e3779b97f4a7c15) * seed);
        test_lies(1000, UINT64_C(0xd1342543de82ef95) * seed);
    }
    return tap_done();
}
