// SPDX-License-Identifier: MIT
// config: all
// A state that has been packed and unpacked, into memory of any contents, goes on to the bit; the planner's form gives one
// state, always the same, and is as near as it says. Bytes that are cut, added to, changed in one place, or of another
// world are refused, and the state stays. Random forests.
#include "begin.h"
#include "forest.h"
#include "truth.h"

#define WORLDS RUN(600, 40)
#define ROOM (128 + 200 * TAC_MAX_BODIES + 80 * TAC_MAX_CONTACTS + 120 * TAC_MAX_JOINTS)

enum { BEFORE = 7, AFTER = 4 };

static tac_model m;
static tac_state s, other;
static tac_input in;
static tac_work w;
static uint8_t bytes[ROOM], again[ROOM];
static uint32_t worst; // seed

static void note(uint64_t seed, int good, uint32_t *failures)
{
    if (good) { return; }
    (*failures)++;
    worst = (uint32_t)seed;
}

static uint64_t go_on(tac_state *state)
{
    for (int k = 0; k < AFTER; k++) { tac_step(&m, state, &in, &w); }
    return tac_state_hash(&m, state);
}

// What the form may take, in reals of 4 or 8 bytes.
static uint32_t most(int32_t form, const tac_state *state)
{
    const uint32_t real = sizeof(tac_real), body = form == TAC_PACK_EXACT ? 22 * real : 13 * real;
    const uint32_t contact = 9 + 3 * real + (TAC_ROLLING ? 3 * real : 0), joint = form == TAC_PACK_EXACT ? 2 + 9 * real : real;
    return body * m.bodies + contact * state->warm_count + joint * m.joints;
}

static int begin(uint64_t seed)
{
    forest_build(&m, &in, seed, FOREST_ALL);
    if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { return 0; }
    for (int k = 0; k < BEFORE; k++) {
        if (tac_step(&m, &s, &in, &w) < 0) { return 0; }
    }
    return 1;
}

static void test_exact(void)
{
    uint32_t differ = 0, large = 0, refused = 0, contacts = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        uint32_t size = 0;
        if (!begin(seed)) { continue; }
        contacts += s.warm_count;
        note(seed, tac_state_pack(&m, &s, TAC_PACK_EXACT, bytes, ROOM, &size, NULL) == TAC_OK, &refused);
        note(seed, size <= most(TAC_PACK_EXACT, &s), &large);
        truth_fill(&other, sizeof other, seed % 2 ? 0xff : 0);
        note(seed, tac_state_unpack(&m, &other, bytes, size, NULL) == TAC_OK, &refused);
        note(seed, tac_state_hash(&m, &other) == tac_state_hash(&m, &s) && other.contacts_peak == s.contacts_peak, &differ);
        note(seed, go_on(&other) == go_on(&s), &differ);
    }
    tap_note("seed of the last that fails", worst);
    tap_least(contacts, WORLDS / 4, "exact form: states have contacts");
    tap_equal(refused, 0, "states and bytes are accepted");
    tap_equal(large, 0, "no state is larger than the page says");
    tap_equal(differ, 0, "they go on to the bit");
}

// Largest difference of velocities, of the largest speed, or of that which a step of free fall gives.
static double apart(const tac_state *a, const tac_state *b)
{
    double far = 0, fast = 9.81 * (double)m.h;
    for (uint16_t i = 1; i < m.bodies; i++) {
        far = d_max(far, d3_norm(d3_sub(d3_of(a->twist[i].v), d3_of(b->twist[i].v))));
        fast = d_max(fast, d3_norm(d3_of(a->twist[i].v)));
    }
    return far / fast;
}

static void test_plan(void)
{
    uint32_t differ = 0, large = 0, solved = 0;
    double furthest = 0;
    uint32_t far = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        uint32_t size = 0, twice = 0;
        if (!begin(seed)) { continue; }
        tac_state_pack(&m, &s, TAC_PACK_PLAN, bytes, ROOM, &size, NULL);
        note(seed, size <= most(TAC_PACK_PLAN, &s), &large);
        truth_fill(&other, sizeof other, 0xa5);
        note(seed, tac_state_unpack(&m, &other, bytes, size, NULL) == TAC_OK, &differ);
        tac_state_pack(&m, &other, TAC_PACK_PLAN, again, ROOM, &twice, NULL);
        note(seed, size == twice && truth_equal(bytes, again, size), &differ);
        const tac_status one = tac_step(&m, &s, &in, &w), two = tac_step(&m, &other, &in, &w);
        if (one != TAC_OK || two != TAC_OK) { continue; }
        solved++;
        far += apart(&s, &other) > (double)TOL(1e-6, 1e-4);
        furthest = d_max(furthest, apart(&s, &other));
    }
    tap_note("seed of the last that fails", worst);
    tap_equal(large, 0, "planner's form: no state is larger than the page says");
    tap_equal(differ, 0, "packed again it is the same");
    tap_least(solved, WORLDS / 4, "worlds whose next step is solved from both");
    tap_most(far, 0.01 * solved, "of a hundred next steps one may differ by more than rounding: its loads are not unique");
    tap_most(furthest, 0.1, "the furthest");
}

static int unchanged(const tac_state *before)
{
    return truth_equal(&other, before, sizeof other);
}

static void test_refused(void)
{
    static tac_state before;
    uint32_t accepted = 0, changed = 0, unnamed = 0;
    for (uint64_t seed = 1; seed <= RUN(12, 2); seed++) {
        uint32_t size = 0;
        tac_fault fault;
        rng r = {seed};
        if (!begin(seed)) { continue; }
        tac_state_pack(&m, &s, TAC_PACK_EXACT, bytes, ROOM, &size, NULL);
        truth_copy(&other, &s, sizeof s);
        truth_copy(&before, &s, sizeof s);
        for (uint32_t cut = 0; cut < size; cut++) { // too short, and each byte another
            note(seed, tac_state_unpack(&m, &other, bytes, cut, &fault) < 0, &accepted);
            note(seed, fault.reason != TAC_REASON_NONE, &unnamed);
            const uint8_t was = bytes[cut];
            bytes[cut] = (uint8_t)(was ^ (1u << rng_below(&r, 8)));
            note(seed, tac_state_unpack(&m, &other, bytes, size, &fault) < 0, &accepted);
            note(seed, fault.reason != TAC_REASON_NONE, &unnamed);
            bytes[cut] = was;
            note(seed, unchanged(&before), &changed);
        }
        note(seed, tac_state_unpack(&m, &other, bytes, size + 1, &fault) == TAC_E_ARG, &accepted);
        m.hash ^= 1;
        note(seed, tac_state_unpack(&m, &other, bytes, size, &fault) == TAC_E_MODEL, &accepted);
        m.hash ^= 1;
        note(seed, unchanged(&before), &changed);
    }
    tap_note("seed of the last that fails", worst);
    tap_equal(accepted, 0, "bytes that are no state of this model are refused");
    tap_equal(unnamed, 0, "and the fault is named");
    tap_equal(changed, 0, "and the state stays");
}

// With a sum that is right, numbers that no state has are refused nevertheless.
static void test_numbers(void)
{
    uint32_t size = 0;
    tac_fault fault;
    const tac_real bad[] = {(tac_real)__builtin_nan(""), (tac_real)__builtin_inf(), TAC_MOST_POSITION * 2};
    while (!begin(++worst)) {}
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        truth_copy(&other, &s, sizeof s);
        other.pose[1].p.x = bad[i];
        tap_ok(tac_state_pack(&m, &other, TAC_PACK_EXACT, bytes, ROOM, &size, &fault) < 0, "a bad pose is not packed");
        tap_equal(fault.field, TAC_FIELD_POSE, "its field");
        tac_state_pack(&m, &s, TAC_PACK_EXACT, bytes, ROOM, &size, NULL);
        const uint32_t at = 20 + (m.joints > 0 ? 2 * (uint32_t)sizeof(tac_real) : 0);
        truth_copy(bytes + at, &bad[i], sizeof *bad);
        uint32_t sum = UINT32_C(2166136261);
        for (uint32_t k = 0; k < size - 4; k++) { sum = (sum ^ bytes[k]) * UINT32_C(16777619); }
        for (uint32_t k = 0; k < 4; k++) { bytes[size - 4 + k] = (uint8_t)(sum >> 8 * k); }
        truth_copy(&other, &s, sizeof s);
        tap_ok(tac_state_unpack(&m, &other, bytes, size, &fault) < 0, "nor unpacked");
        tap_equal(fault.field, TAC_FIELD_POSE, "its field");
        tap_ok(unchanged(&s), "the state stays");
    }
}

static void test_arguments(void)
{
    uint32_t size = 0, other_size = 0;
    tac_fault fault;
    while (!begin(++worst)) {}
    tap_equal(tac_state_pack(&m, &s, TAC_PACK_EXACT, NULL, 0, &size, &fault), TAC_E_FULL, "size alone");
    tap_equal(tac_state_pack(&m, &s, TAC_PACK_EXACT, bytes, size - 1, &other_size, &fault), TAC_E_FULL, "a byte short");
    tap_equal(other_size, size, "the same size");
    tap_equal(fault.field, TAC_FIELD_PACKED, "field");
    tap_equal(tac_state_pack(&m, &s, TAC_PACK_EXACT, bytes, size, &other_size, &fault), TAC_OK, "just enough");
    tap_equal(tac_state_pack(NULL, &s, TAC_PACK_EXACT, bytes, size, &size, NULL), TAC_E_ARG, "no model");
    tap_equal(tac_state_pack(&m, NULL, TAC_PACK_EXACT, bytes, size, &size, NULL), TAC_E_ARG, "no state");
    tap_equal(tac_state_pack(&m, &s, TAC_PACK_EXACT, bytes, size, NULL, NULL), TAC_E_ARG, "no size");
    tap_equal(tac_state_pack(&m, &s, TAC_PACK_FORMS, bytes, size, &size, NULL), TAC_E_ARG, "no such form");
    tap_equal(tac_state_pack(&m, &s, -1, bytes, size, &size, NULL), TAC_E_ARG, "nor this");
    tap_equal(tac_state_unpack(NULL, &other, bytes, size, NULL), TAC_E_ARG, "no model");
    tap_equal(tac_state_unpack(&m, NULL, bytes, size, NULL), TAC_E_ARG, "no state");
    tap_equal(tac_state_unpack(&m, &other, NULL, size, NULL), TAC_E_ARG, "no bytes");
}

int main(void)
{
    test_exact();
    test_plan();
    test_refused();
    test_numbers();
    test_arguments();
    return tap_done();
}
