// SPDX-License-Identifier: MIT
// Every request on a clean line: the firmware's side does what the same calls do here, and refuses what it should.
#include "pair.h"
#include "tap.h"

static const pair_damage clean = {0, 0, 0, 0};

static link_client client;
static tac_model model;
static tac_state state, fetched;
static tac_input input;
static tac_work work, seen;

// Client and server agree on a world at its first step.
static void open_world(void)
{
    pair_open(&client, clean, 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    pair_build_world(&model);
    tac_state_init(&model, &state, NULL);
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "set model");
    input.actions = 0;
}

// The trace of steps here, with the input as it is.
static uint64_t local_steps(uint32_t steps)
{
    uint64_t trace = LINK_TRACE_START;
    for (uint32_t i = 0; i < steps; i++) {
        tac_step(&model, &state, &input, &work);
        trace = link_trace(trace, tac_hash(&model, &state));
    }
    return trace;
}

static void both_step(uint16_t steps, const char *name)
{
    link_stepped stepped = {0};
    const uint64_t trace = local_steps(steps);

    tap_equal(link_client_step(&client, steps, &stepped), LINK_DONE, name);
    tap_hash(stepped.hash, tac_hash(&model, &state), tap_joined(name, ": hash"));
    tap_hash(stepped.trace, trace, tap_joined(name, ": trace"));
}

static void test_hello(void)
{
    pair_open(&client, clean, 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "first hello");
    const link_hello *hello = &client.hello;
    tap_ok(hello->real_bits == TAC_REAL_BITS && hello->major == TAC_VERSION_MAJOR && hello->minor == TAC_VERSION_MINOR,
           "hello: precision and version");
    tap_ok(hello->max_bodies == TAC_MAX_BODIES && hello->max_shapes == TAC_MAX_SHAPES &&
               hello->max_contacts == TAC_MAX_CONTACTS && hello->max_materials == TAC_MAX_MATERIALS &&
               hello->max_material_pairs == TAC_MAX_MATERIAL_PAIRS && hello->max_actions == TAC_MAX_ACTIONS,
           "hello: capacities");
    tap_ok(hello->max_exclusions == TAC_MAX_EXCLUSIONS && hello->max_polyhedra == TAC_MAX_POLYHEDRA &&
               hello->max_points == TAC_MAX_POINTS && hello->max_faces == TAC_MAX_FACES &&
               hello->max_edges == TAC_MAX_EDGES && hello->max_hull_points == TAC_MAX_HULL_POINTS &&
               hello->max_fields == TAC_MAX_FIELDS && hello->max_heights == TAC_MAX_HEIGHTS &&
               hello->height_bits == TAC_HEIGHT_BITS && hello->convex == TAC_CONVEX && hello->rolling == TAC_ROLLING,
           "hello: capacities of shapes' data");
    tap_equal(hello->model_hash, pair_model.hash, "hello: model hash");
    tap_equal(hello->bodies, 1, "hello: bodies");
    tap_near(hello->h, pair_model.h, 0, "hello: h");
    tap_equal(hello->tick_rate, 1000, "hello: tick rate");
    tap_equal(hello->frames, 1, "hello: frames");
    tap_equal(hello->dropped, 0, "hello: dropped");
    tap_equal(client.step, 0, "hello: step");
}

static void test_model_and_steps(void)
{
    uint64_t state_hash;
    uint32_t model_hash;

    open_world();
    tap_equal(link_client_hash(&client, &state_hash, &model_hash), LINK_DONE, "hash");
    tap_equal(model_hash, model.hash, "hash: of the model");
    tap_hash(state_hash, tac_hash(&model, &state), "hash: of the state");

    both_step(1, "one step");
    both_step(149, "149 steps");
    tap_equal(client.step, 150, "the client knows the step");

    link_stepped stepped = {0};
    local_steps(20);
    link_client_step(&client, 20, &stepped);
    tap_equal(stepped.done, 20, "step: done");
    tap_equal(stepped.status, work.report.status, "step: status");
    tap_equal(stepped.contacts, work.report.contacts, "step: contacts");
    tap_least(stepped.sweeps, 20, "step: sweeps");
    tap_ok(stepped.ticks_min == PAIR_TICKS && stepped.ticks_mean == PAIR_TICKS && stepped.ticks_max == PAIR_TICKS,
           "step: ticks");
}

static void test_input(void)
{
    open_world();
    pair_drive(0, &input);
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "set input");
    both_step(40, "steps under an input");
    both_step(40, "the input is held");
    input.actions = TAC_MAX_ACTIONS;
    for (uint32_t i = 2; i < TAC_MAX_ACTIONS; i++) { input.action[i] = input.action[i % 2]; }
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "set input in parts");
    both_step(10, "steps under many actions");
    input.actions = 0;
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "set empty input");
    both_step(10, "steps under nothing");
}

static void test_state(void)
{
    open_world();
    both_step(60, "before the snapshot");
    tap_equal(link_client_get_state(&client, model.bodies, &fetched), LINK_DONE, "get state");
    tap_hash(tac_hash(&model, &fetched), tac_hash(&model, &state), "the state comes whole");
    tap_equal(fetched.contacts_peak, state.contacts_peak, "peak of contacts");

    both_step(60, "after the snapshot");
    state = fetched;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_DONE, "set state");
    tap_equal(client.step, 60, "set state: step");
    both_step(60, "again from the snapshot");
}

static void test_results(void)
{
    tac_report report;

    open_world();
    both_step(150, "steps to contact");
    tap_least(work.report.contacts, 3, "there are contacts for more than a frame");

    tap_equal(link_client_get_contacts(&client, &seen), LINK_DONE, "get contacts");
    tap_equal(seen.report.contacts, work.report.contacts, "contacts: count");
    uint32_t wrong = 0, resisting = 0;
    for (uint32_t i = 0; i < work.report.contacts; i++) {
        const tac_contact *a = &work.contact[i], *b = &seen.contact[i];
        const int same = a->id.shape_a == b->id.shape_a && a->id.shape_b == b->id.shape_b &&
                         a->id.feature == b->id.feature && a->body_a == b->body_a && a->body_b == b->body_b &&
                         a->mode == b->mode && a->point.x == b->point.x && a->n.z == b->n.z && a->u.x == b->u.x &&
                         a->w.y == b->w.y && a->gap == b->gap && a->mu == b->mu && a->restitution == b->restitution &&
                         a->impulse.x == b->impulse.x && a->velocity.z == b->velocity.z;
        wrong += same ? 0 : 1;
#if TAC_ROLLING
        wrong += a->spinning != b->spinning || a->rolling != b->rolling || a->torque.x != b->torque.x;
        wrong += a->torque.y != b->torque.y || a->torque.z != b->torque.z;
        resisting += a->torque.y != 0 || a->torque.z != 0;
#endif
    }
    tap_equal(wrong, 0, "contacts: values");
    tap_ok(TAC_ROLLING ? resisting > 0 : resisting == 0, "contacts: torques where there are any");

    tap_equal(link_client_get_report(&client, &report), LINK_DONE, "get report");
    tap_ok(report.status == work.report.status && report.contacts == work.report.contacts &&
               report.dropped == work.report.dropped && report.sweeps == work.report.sweeps &&
               report.friction == work.report.friction,
           "report: counts");
    tap_ok(report.residual == work.report.residual && report.penetration == work.report.penetration &&
               report.kinetic == work.report.kinetic && report.potential == work.report.potential,
           "report: reals");
}

static void check_refused(uint8_t type, uint64_t step, const uint8_t *payload, uint32_t count, uint8_t reason,
                          const char *name)
{
    tap_equal(link_client_call(&client, type, step, payload, count), LINK_REFUSED, name);
    tap_equal(client.error.reason, reason, tap_joined(name, ": reason"));
    tap_equal(client.error.request, type, tap_joined(name, ": request"));
}

static void test_refusals(void)
{
    static const uint8_t zeros[8] = {0}, ones[4] = {0xff, 0xff, 0xff, 0xff}, one[4] = {1, 0, 0, 0};

    open_world();
    const uint64_t hash = tac_hash(&pair_model, &pair_state);

    check_refused(0, LINK_ANY_STEP, NULL, 0, LINK_E_UNKNOWN, "request 0");
    check_refused(LINK_HASH + 1, LINK_ANY_STEP, NULL, 0, LINK_E_UNKNOWN, "request beyond the last");
    check_refused(0x7f, LINK_ANY_STEP, zeros, 8, LINK_E_UNKNOWN, "request 127");
    check_refused(LINK_HELLO, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "hello with a payload");
    check_refused(LINK_GET_REPORT, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "get report with a payload");
    check_refused(LINK_HASH, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "hash with a payload");
    check_refused(LINK_STEP, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "step of 1 byte");
    check_refused(LINK_STEP, LINK_ANY_STEP, one, 0, LINK_E_LENGTH, "step without a count");
    check_refused(LINK_STEP, LINK_ANY_STEP, zeros, 3, LINK_E_LENGTH, "step of 3 bytes");
    check_refused(LINK_STEP, LINK_ANY_STEP, zeros, 2, LINK_E_RANGE, "no steps");
    check_refused(LINK_STEP, 5, one, 2, LINK_E_STEP, "step from another step");
    check_refused(LINK_GET_STATE, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "get state of 1 byte");
    check_refused(LINK_GET_STATE, LINK_ANY_STEP, ones, 4, LINK_E_RANGE, "get state beyond the end");
    check_refused(LINK_GET_CONTACTS, LINK_ANY_STEP, one, 4, LINK_E_RANGE, "get contacts beyond the end");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "set state of 1 byte");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, zeros, 4, LINK_E_LENGTH, "set state of no element");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, zeros, 8, LINK_E_LENGTH, "set state of half an element");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, one, 4, LINK_E_ORDER, "set state without its head");
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, (const uint8_t[]){0, 0, 0, 0, 0xff, 0xff}, 6, LINK_E_CAPACITY,
                  "too many actions");
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, (const uint8_t[]){0, 0, 0, 0, 0, 0, 1}, 7, LINK_E_LENGTH,
                  "more than an input");
    tap_hash(tac_hash(&pair_model, &pair_state), hash, "no refused request changed the state");
    both_step(30, "and the input is still empty");
}

static void test_version(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_decoder decoder = {{0}, 0, 0, 0, 0};
    link_frame frame;

    open_world();
    wire_writer w = link_frame_begin(bytes, LINK_HASH, 77, LINK_ANY_STEP);
    bytes[0] = LINK_VERSION + 1;
    pair_inject(line, link_frame_end(&w, line));
    tap_ok(pair_take(&decoder, &frame), "another version is answered");
    tap_equal(frame.type, LINK_ERROR, "another version: error");
    tap_equal(frame.sequence, 77, "another version: sequence");
    tap_equal(frame.payload.bytes[1], LINK_E_VERSION, "another version: reason");
}

static void test_repeats(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_decoder decoder = {{0}, 0, 0, 0, 0};
    link_frame first, second;

    open_world();
    wire_writer w = link_frame_begin(bytes, LINK_STEP, 500, LINK_ANY_STEP);
    wire_put_u16(&w, 3);
    const uint32_t count = link_frame_end(&w, line);
    pair_inject(line, count);
    tap_ok(pair_take(&decoder, &first), "a step is answered");
    const uint64_t hash = tac_hash(&pair_model, &pair_state);
    const uint32_t crc = wire_crc32(first.payload.bytes, first.payload.count);
    tap_hash(first.step, 3, "it steps");

    for (uint32_t i = 0; i < 5; i++) {
        pair_inject(line, count);
        tap_ok(pair_take(&decoder, &second), "its repetition is answered");
        tap_equal(wire_crc32(second.payload.bytes, second.payload.count), crc, "with the same reply");
    }
    tap_hash(tac_hash(&pair_model, &pair_state), hash, "and does not step");
    tap_equal(pair_server.count.repeated, 5, "repetitions are counted");

    // a second client starts over with the numbers of the first
    const uint16_t last = pair_server.last_sequence;
    link_client_init(&client, client.channel, 1, 0);
    client.sequence = (uint16_t)(last - 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello under the last number is a hello");
    tap_equal(client.step, 3, "and knows the step");
}

static void test_bad_values(void)
{
    open_world();
    both_step(10, "a good world");
    const uint64_t hash = tac_hash(&pair_model, &pair_state);
    const tac_real nan = (model.h - model.h) / (model.h - model.h);

    static tac_model copy;
    copy = model;
    copy.body[2].mass = (tac_real)-1;
    tap_equal(link_client_set_model(&client, &copy), LINK_REFUSED, "negative mass");
    tap_equal(client.error.reason, LINK_E_KERNEL, "negative mass: by the kernel");
    tap_equal(client.error.status, TAC_E_MODEL, "negative mass: status");
    tap_ok(client.error.fault.field == TAC_FIELD_MASS && client.error.fault.index == 2, "negative mass: fault");
    tap_hash(tac_hash(&pair_model, &pair_state), hash, "negative mass: nothing changed");

    copy = model;
    copy.edge[3].point = 99;
    tap_equal(link_client_set_model(&client, &copy), LINK_REFUSED, "an edge that begins nowhere");
    tap_ok(client.error.fault.field == TAC_FIELD_EDGE && client.error.fault.index == 3, "and it is named");
    copy = model;
    copy.heights = TAC_MAX_HEIGHTS + 1;
    tap_equal(link_client_set_model(&client, &copy), LINK_REFUSED, "too many heights");
    tap_equal(client.error.reason, LINK_E_CAPACITY, "too many heights: reason");
    copy = model;
    copy.bodies = TAC_MAX_BODIES + 2;
    tap_equal(link_client_set_model(&client, &copy), LINK_REFUSED, "too many bodies");
    tap_equal(client.error.reason, LINK_E_CAPACITY, "too many bodies: reason");

    fetched = state;
    fetched.pose[1].p.x = nan;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "state with a NaN");
    tap_equal(client.error.reason, LINK_E_KERNEL, "state with a NaN: by the kernel");
    fetched = state;
    fetched.model_hash ^= 1u;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "state of another model");
    tap_equal(client.error.fault.field, TAC_FIELD_HASH, "state of another model: fault");
    tap_hash(tac_hash(&pair_model, &pair_state), hash, "bad states: nothing changed");

    link_stepped stepped;
    pair_drive(0, &input);
    input.action[0].linear.y = nan;
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "input with a NaN is for the step to refuse");
    tap_equal(link_client_step(&client, 1, &stepped), LINK_REFUSED, "step under it");
    tap_equal(client.error.status, TAC_E_NAN, "step under it: status");
    tap_equal(client.error.fault.field, TAC_FIELD_ACTION, "step under it: fault");
    tap_hash(tac_hash(&pair_model, &pair_state), hash, "step under it: nothing changed");
    input.actions = 0;
    link_client_set_input(&client, &input);
    both_step(10, "and on");
}

// Parts of a model are of no effect until the last one is in.
static void test_unfinished_transfer(void)
{
    uint8_t part[200];
    wire_writer w = {part, sizeof part, 0};

    open_world();
    wire_put_u32(&w, 0);
    image_put(IMAGE_MODEL, &model, model.bodies, &w, 0);
    tap_equal(link_client_call(&client, LINK_SET_MODEL, LINK_ANY_STEP, part, w.count), LINK_DONE, "head of a model");
    tap_equal(wire_get_u32(&client.reply), 1, "element 1 is next");
    both_step(20, "steps on the old model");

    w.count = 0;
    wire_put_u32(&w, 2);
    image_put(IMAGE_MODEL, &model, model.bodies, &w, 2);
    check_refused(LINK_SET_MODEL, LINK_ANY_STEP, part, w.count, LINK_E_ORDER, "a part left out");
}

// All of the tables come as they were sent: the firmware makes the seal anew.
static void test_data(void)
{
    open_world();
    tap_ok(model.polyhedra == 2 && model.fields == 1 && model.exclusions == 1, "a world with data of shapes");
    tap_equal(pair_model.hash, model.hash, "all of it counts for the seal");
    int same = 1;
    for (uint32_t i = 0; i < model.points; i++) { same = same && pair_model.point[i].x == model.point[i].x; }
    for (uint32_t i = 0; i < model.faces; i++) { same = same && pair_model.face[i].d == model.face[i].d; }
    for (uint32_t i = 0; i < model.edges; i++) { same = same && pair_model.edge[i].across == model.edge[i].across; }
    for (uint32_t i = 0; i < 2u * model.faces; i++) { same = same && pair_model.node[i].skip == model.node[i].skip; }
    for (uint32_t i = 0; i < model.heights; i++) { same = same && pair_model.height[i] == model.height[i]; }
    tap_ok(same, "and comes as it was sent");
    client.hello.height_bits = TAC_HEIGHT_BITS == 8 ? 16 : 8;
    tap_equal(link_client_set_model(&client, &model), LINK_PRECISION, "heights of another width");
}

static void test_precision(void)
{
    open_world();
    client.hello.real_bits = TAC_REAL_BITS == 32 ? 64 : 32;
    tap_equal(link_client_set_model(&client, &model), LINK_PRECISION, "set model in another precision");
    tap_equal(link_client_get_state(&client, 4, &fetched), LINK_PRECISION, "get state in another precision");
    client.hello.real_bits = TAC_REAL_BITS;
    client.hello.rolling = !TAC_ROLLING;
    tap_equal(link_client_set_model(&client, &model), LINK_PRECISION, "set model with other elements");
    tap_equal(link_client_get_contacts(&client, &seen), LINK_PRECISION, "get contacts with other elements");
    tap_ok(link_result_name(LINK_PRECISION)[0] == 't' && link_result_name(-99)[0] == '?', "names of results");
}

int main(void)
{
    test_hello();
    test_model_and_steps();
    test_input();
    test_state();
    test_results();
    test_refusals();
    test_version();
    test_repeats();
    test_bad_values();
    test_unfinished_transfer();
    test_data();
    test_precision();
    return tap_done();
}
