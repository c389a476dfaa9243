// SPDX-License-Identifier: MIT
// Every request on a clean line: the firmware's side does what the same calls do here, and refuses what it should.
#include "pair.h"
#include "tap.h"

#define R(x) ((tac_real)(x))

static const pair_damage clean = {0};

static link_client client;
static tac_model model;
static tac_state state, fetched;
static tac_input input;
static tac_work work, seen;

// What most models do not have: friction with a direction and at rest, surfaces that move, a rope that may be switched.
#if TAC_FRICTION_LAWS
static void add_laws(void)
{
    model.material[1].static_friction = R(0.9);
    model.material[1].stribeck_speed = R(0.02);
    model.material_pair[0].static_friction = R(0.75);
    model.material_pair[0].stribeck_speed = R(0.01);
    model.shape[1].axis = (tac_vec3){R(0), R(1), R(0)};
    model.shape[1].turn = R(0.5);
    model.shape[1].across = R(0.25);
}
#else
static void add_laws(void)
{
}
#endif

#if TAC_MAX_SURFACES > 0
static void add_surfaces(void)
{
    const tac_surface belt = {{R(0.2), R(0.1), R(0)}, {R(0), R(0), R(0.5)}, {R(0.01), R(0), R(0.02)}, 3};
    const tac_surface floor = {{R(0.3), R(-0.1), R(0)}, {R(0), R(0), R(-0.25)}, {R(0.5), R(0.1), R(0)}, 0};
    tac_model_add_surface(&model, &belt);
    tac_model_add_surface(&model, &floor);
}
#else
static void add_surfaces(void)
{
}
#endif

#if TAC_SWITCHES
static void add_switches(void)
{
    model.joint[2].switched = TAC_JOINT_ON;
    model.joint[2].break_force = R(1000);
    model.joint[2].break_torque = R(2000);
}
#else
static void add_switches(void)
{
}
#endif

// Client and server agree on a world at its first step.
static void open_world(void)
{
    pair_open(&client, clean, 1);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    pair_build_world(&model);
    add_laws();
    add_surfaces();
    add_switches();
    tap_equal(tac_model_seal(&model, NULL), TAC_OK, "a world with all that this build knows");
    tac_state_init(&model, &state, NULL);
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "set model");
    pair_rest(&input);
}

// The trace of steps here, with the input as it is.
static uint64_t local_steps(uint32_t steps)
{
    return pair_local_steps(&model, &state, &input, &work, steps);
}

// In as many requests as it takes.
static void both_step(uint32_t steps, const char *name)
{
    uint32_t failed = 0, hashes = 0, traces = 0;
    for (uint32_t some; steps > 0; steps -= some) {
        link_stepped stepped = {0};
        some = steps < LINK_MAX_STEPS ? steps : LINK_MAX_STEPS;
        const uint64_t trace = local_steps(some);
        failed += link_client_step(&client, (uint16_t)some, &stepped) != LINK_DONE;
        hashes += stepped.hash != tac_state_hash(&model, &state);
        traces += stepped.trace != trace;
    }
    tap_equal(failed, 0, name);
    tap_equal(hashes, 0, tap_joined(name, ": hash"));
    tap_equal(traces, 0, tap_joined(name, ": trace"));
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
               hello->max_fields == TAC_MAX_HEIGHT_FIELDS && hello->max_heights == TAC_MAX_HEIGHTS &&
               hello->height_bits == TAC_HEIGHT_BITS && hello->convex == TAC_CONVEX && hello->rolling == TAC_ROLLING,
           "hello: capacities of shapes' data");
    tap_ok(hello->laws == TAC_FRICTION_LAWS && hello->switches == TAC_SWITCHES &&
               hello->coordinates == TAC_COORDINATES && hello->max_surfaces == TAC_MAX_SURFACES &&
               hello->world.switches == 0,
           "hello: laws of friction, switches, coordinates, surfaces");
    tap_equal(hello->max_joints, TAC_MAX_JOINTS, "hello: capacity of joints");
    tap_equal(hello->world.joints, 0, "hello: joints");
    tap_equal(hello->model_hash, pair_model.hash, "hello: model hash");
    tap_equal(hello->world.bodies, 1, "hello: bodies");
    tap_near(hello->h, pair_model.h, 0, "hello: h");
    tap_equal(hello->tick_rate, 1000, "hello: tick rate");
    tap_equal(hello->frames, 1, "hello: frames");
    tap_equal(hello->dropped + hello->repeated + hello->ignored, 0, "hello: dropped, repeated, ignored");
    tap_equal(hello->max_steps, LINK_MAX_STEPS, "hello: steps a request");
    tap_equal(client.step, 0, "hello: step");
}

static void test_model_and_steps(void)
{
    uint64_t state_hash;
    uint32_t model_hash;

    open_world();
    tap_equal(link_client_hash(&client, &state_hash, &model_hash), LINK_DONE, "hash");
    tap_equal(model_hash, model.hash, "hash: of the model");
    tap_hash(state_hash, tac_state_hash(&model, &state), "hash: of the state");

    both_step(1, "one step");
    both_step(149, "149 steps");
    tap_equal(client.step, 150, "the client knows the step");

    link_stepped stepped = {0};
    uint32_t sweeps = 0;
    for (int i = 0; i < 20; i++) {
        local_steps(1);
        sweeps += work.report.sweeps;
    }
    link_client_step(&client, 20, &stepped);
    tap_equal(stepped.done, 20, "step: done");
    tap_equal(stepped.status, work.report.status, "step: status");
    tap_equal(stepped.contacts, work.report.contacts, "step: contacts");
    tap_equal(stepped.sweeps, sweeps, "step: sweeps");
    tap_ok(stepped.ticks_min == PAIR_TICKS && stepped.ticks_mean == PAIR_TICKS && stepped.ticks_max == PAIR_TICKS,
           "step: ticks");
}

// ------------------------------------------------------------------------------------------------------------- sizes

static uint32_t longest; // of all elements

// The element takes so many reals and bytes besides. Returns the number of the next table's first element.
static uint32_t check_size(image_kind kind, const void *object, uint32_t first, uint32_t count, uint32_t reals,
                           uint32_t bytes, const char *name)
{
    static uint8_t room[2 * WIRE_MAX_FRAME];
    uint32_t wrong = count == 0;

    for (uint32_t i = first; i < first + count; i++) {
        wire_writer w = {room, sizeof room, 0};
        image_put(kind, object, image_world_of(&model), &w, i);
        wrong += w.count != reals * sizeof(tac_real) + bytes;
        if (w.count > longest) { longest = w.count; }
    }
    tap_equal(wrong, 0, tap_joined("size of an element: ", name));
    return first + count;
}

static void check_model_sizes(void)
{
    const uint32_t has_torsion = TAC_ROLLING ? 2 : 0;
    const image_kind kind = IMAGE_MODEL;
    const image_world world = image_world_of(&model);
    const uint32_t belts = TAC_MAX_SURFACES > 0 ? 2 : 0, laws = TAC_FRICTION_LAWS ? 2 : 0,
                   pair = TAC_FRICTION_LAWS ? 1 : 0;
    uint32_t next = check_size(kind, &model, 0, 1, 11, belts > 0 ? 39 : 35, "head of a model");

    next = check_size(kind, &model, next, model.bodies, 24, 1, "body");
    next = check_size(kind, &model, next, 1, 11, 10, "shape");
    next = check_size(kind, &model, next, 1, TAC_FRICTION_LAWS ? 16 : 11, 10, "shape with a direction of friction");
    next = check_size(kind, &model, next, model.shapes - 2u, 11, 10, "more shapes");
    next = check_size(kind, &model, next, 1, 4 + has_torsion, 2, "material");
    next = check_size(kind, &model, next, 1, 4 + has_torsion + laws, 2, "material with static friction");
    next = check_size(kind, &model, next, model.material_pairs, 4 + has_torsion + laws, 2 + pair, "material pair");
    next = check_size(kind, &model, next, model.exclusions, 0, 4, "exclusion");
    if (world.joints > 0) {
        next = check_size(kind, &model, next, 2, 26, 6, "joint");
        next = check_size(kind, &model, next, 1, TAC_SWITCHES ? 28 : 26, 6, "joint that may be switched");
    }
    next = check_size(kind, &model, next, model.polyhedra, 6, 16, "polyhedron");
    next = check_size(kind, &model, next, model.points, 3, 0, "point");
    next = check_size(kind, &model, next, model.faces, 16, 12, "face");
    next = check_size(kind, &model, next, model.edges, 0, 4, "edge");
    next = check_size(kind, &model, next, model.fields, 5, 8, "field");
    next = check_size(kind, &model, next, model.heights, TAC_HEIGHT_BITS == 0, TAC_HEIGHT_BITS / 8, "height");
    if (belts > 0) { next = check_size(kind, &model, next, belts, 9, 2, "surface"); }
    tap_equal(next, image_count(kind, &model, world), "a model has no other elements");
}

// As port/link/README.md has them. An input without motors and a state without joints are those of a firmware that does
// not know joints.
static void test_sizes(void)
{
    const uint32_t has_torsion = TAC_ROLLING ? 3 : 0;

    open_world();
    check_model_sizes();
    both_step(150, "a world with impulses");
    const image_world world = image_world_of(&model);
    uint32_t next = check_size(IMAGE_STATE, &state, 0, 1, 0, 18, "head of a state");
    next = check_size(IMAGE_STATE, &state, next, model.bodies, 22, 0, "body of a state");
    next = check_size(IMAGE_STATE, &state, next, state.warm_count, 3 + has_torsion, 8, "impulse");
    if (world.joints > 0) {
        next = check_size(IMAGE_STATE, &state, next, world.joints, 10, 0, "impulses of a joint");
        next = check_size(IMAGE_STATE, &state, next, 1, 2, 0, "account of energy");
    }
    if (world.switches > 0) { next = check_size(IMAGE_STATE, &state, next, world.switches, 7, 1, "switch of a joint"); }
    tap_equal(next, image_count(IMAGE_STATE, &state, world), "a state has no other elements");

    check_size(IMAGE_INPUT, &input, 0, 1, 0, 2, "head of an input");
    pair_drive(0, &input);
    next = check_size(IMAGE_INPUT, &input, 0, 1, 0, TAC_MAX_JOINTS > 0 ? 4 : 2, "head of an input with motors");
    next = check_size(IMAGE_INPUT, &input, next, input.actions, 9, 4, "action");
    if (TAC_MAX_JOINTS > 0) { next = check_size(IMAGE_INPUT, &input, next, 2, 5, 4, "motor"); }
    tap_equal(next, image_count(IMAGE_INPUT, &input, world), "an input has no other elements");

    next = check_size(IMAGE_CONTACTS, &work, 0, 1, 0, 2, "head of contacts");
    check_size(IMAGE_CONTACTS, &work, next, work.report.contacts, 22 + (TAC_ROLLING ? 5 : 0), 13, "contact");
    tap_most(longest, LINK_MAX_PAYLOAD - 4, "every element fits into a frame");
}

// ---------------------------------------------------------------------------------------------------------- objects

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
    pair_rest(&input);
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "set empty input");
    both_step(10, "steps under nothing");
}

static void test_state(void)
{
    open_world();
    both_step(60, "before the snapshot");
    tap_equal(link_client_get_state(&client, image_world_of(&model), &fetched), LINK_DONE, "get state");
    tap_hash(tac_state_hash(&model, &fetched), tac_state_hash(&model, &state), "the state comes whole");
    tap_equal(fetched.contacts_peak, state.contacts_peak, "peak of contacts");
    tap_equal(fetched.warm_unsolved, state.warm_unsolved, "whether the last step was solved");

    both_step(60, "after the snapshot");
    state = fetched;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_DONE, "set state");
    tap_equal(client.step, 60, "set state: step");
    both_step(60, "again from the snapshot");
}

// What is not written afterwards is found out.
static void fill(void *object, size_t size)
{
    uint8_t *byte = object;
    for (size_t i = 0; i < size; i++) { byte[i] = UINT8_MAX; }
}

static uint32_t count_other_stages(const tac_report *a, const tac_report *b)
{
    uint32_t other = a->stages != b->stages;
    for (uint32_t i = 0; i < TAC_STAGES; i++) {
        const tac_stage *x = &a->stage[i], *y = &b->stage[i];
        other +=
            x->sweeps != y->sweeps || x->engine != y->engine || x->op != y->op || x->law != y->law || x->why != y->why;
    }
    return other;
}

// Fields of the report that are not those of the last step here.
static uint32_t count_other_fields(const tac_report *a, const tac_report *b)
{
    uint32_t other = a->status != b->status;
    other += a->fault.field != b->fault.field || a->fault.index != b->fault.index || a->fault.reason != b->fault.reason;
    other += a->contacts != b->contacts || a->dropped != b->dropped || a->sweeps != b->sweeps;
    other += a->impacts != b->impacts || a->friction != b->friction;
    other += a->residual != b->residual || a->penetration != b->penetration;
    other += a->kinetic != b->kinetic || a->potential != b->potential;
#if TAC_MAX_JOINTS > 0
    other += a->joint_error != b->joint_error || a->joint_iterations != b->joint_iterations;
#endif
#if TAC_SWITCHES
    other += a->broken != b->broken;
#endif
    return other + count_other_stages(a, b);
}

// Both sides take the steps one by one, and the report of each is the same. Returns how many had `stages` stages or
// more.
static uint32_t check_reports(uint32_t steps, uint8_t stages, const char *name)
{
    tac_report report;
    link_stepped stepped;
    uint32_t failed = 0, other = 0, many = 0;

    for (uint32_t i = 0; i < steps; i++) {
        local_steps(1);
        failed += link_client_step(&client, 1, &stepped) != LINK_DONE;
        fill(&report, sizeof report);
        failed += link_client_get_report(&client, &report) != LINK_DONE;
        other += count_other_fields(&report, &work.report);
        many += work.report.stages >= stages;
    }
    tap_equal(failed, 0, tap_joined(name, ": reports of all steps"));
    tap_equal(other, 0, tap_joined(name, ": the same fields"));
    return many;
}

// The report has the stages of the solve: none before a step, one or more in each step. Without joints and with three
// sweeps a step the exact law is given up in some steps, so that there are two.
static void test_reports(void)
{
    tac_report report;

    open_world();
    fill(&report, sizeof report);
    tap_equal(link_client_get_report(&client, &report), LINK_DONE, "get report before a step");
    const tac_report empty = {0};
    tap_equal(count_other_fields(&report, &empty), 0, "it is empty");
    pair_drive(0, &input);
    link_client_set_input(&client, &input);
    tap_equal(check_reports(60, 1, "driven"), 60, "driven: every step has a stage");

    model.options.solver = TAC_SOLVER_PLAIN;
    model.options.max_sweeps = 3;
#if TAC_MAX_JOINTS > 0
    model.joints = input.motors = 0;
#endif
    tac_model_seal(&model, NULL);
    tac_state_init(&model, &state, NULL);
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "the same world with three sweeps a step");
    link_client_set_input(&client, &input);
    tap_least(check_reports(120, 2, "three sweeps"), 1, "three sweeps: some steps go over to the relaxed law");
}

// Contacts that are compliant and have a direction of friction.
#if TAC_FRICTION_LAWS
static void check_yielding(void)
{
    uint8_t bytes[LINK_MAX_PAYLOAD];
    wire_writer w = {bytes, sizeof bytes, 0};
    tac_contact *sent = &work.contact[0], *got = &seen.contact[1];
    const tac_contact kept = *sent;

    sent->mode = TAC_SLIDE;
    sent->across = R(0.125);
    sent->stiffness = R(5000);
    sent->restitution = 0;
    image_put(IMAGE_CONTACTS, &work, image_world_of(&model), &w, 1);
    wire_reader r = {bytes, w.count, 0};
    fill(got, sizeof *got);
    image_get(IMAGE_CONTACTS, &seen, image_world_of(&model), &r, 2);
    tap_ok(got->mode == TAC_SLIDE && got->across == R(0.125) && got->stiffness == R(5000) && got->restitution == 0,
           "contacts: one that is compliant, and has a direction of friction");
    *sent = kept;
}
#else
static void check_yielding(void)
{
}
#endif

static void test_results(void)
{
    tac_report report;

    open_world();
    both_step(150, "steps to contact");
    tap_least(work.report.contacts, 3, "there are contacts for more than a frame");

    tap_equal(link_client_get_contacts(&client, &seen), LINK_DONE, "get contacts");
    tap_equal(seen.report.contacts, work.report.contacts, "contacts: count");
    uint32_t wrong = 0, resisting = 0, directed = 0;
    for (uint32_t i = 0; i < work.report.contacts; i++) {
        const tac_contact *a = &work.contact[i], *b = &seen.contact[i];
        const int same = a->id.shape_a == b->id.shape_a && a->id.shape_b == b->id.shape_b &&
                         a->id.feature == b->id.feature && a->body_a == b->body_a && a->body_b == b->body_b &&
                         a->mode == b->mode && a->point.x == b->point.x && a->n.z == b->n.z && a->u.x == b->u.x &&
                         a->w.y == b->w.y && a->gap == b->gap && a->mu == b->mu && a->restitution == b->restitution &&
                         a->stiffness == b->stiffness && a->impulse.x == b->impulse.x && a->velocity.z == b->velocity.z;
        wrong += same ? 0 : 1;
#if TAC_ROLLING
        wrong += a->spinning != b->spinning || a->rolling != b->rolling || a->torque.x != b->torque.x;
        wrong += a->torque.y != b->torque.y || a->torque.z != b->torque.z;
        resisting += a->torque.y != 0 || a->torque.z != 0;
#endif
#if TAC_FRICTION_LAWS
        wrong += a->across != b->across;
        directed += b->across == R(0.25);
#endif
    }
    tap_equal(wrong, 0, "contacts: values");
    tap_ok(TAC_ROLLING ? resisting > 0 : resisting == 0, "contacts: torques where there are any");
    check_yielding();
    tap_ok(TAC_FRICTION_LAWS ? directed > 0 : directed == 0, "contacts: friction with a direction where there is any");

    tap_equal(link_client_get_report(&client, &report), LINK_DONE, "get report");
    tap_equal(count_other_fields(&report, &work.report), 0, "report: all fields");
}

#if TAC_MAX_JOINTS > 0

static int same_reals(const void *a, const void *b, uint32_t count)
{
    const tac_real *x = a, *y = b;
    uint32_t same = 0;
    for (uint32_t i = 0; i < count; i++) { same += x[i] == y[i]; }
    return same == count;
}

static void test_joints(void)
{
    tac_report report;
    uint16_t joints;

    open_world();
    tap_equal(link_client_hello(&client), LINK_DONE, "hello of a world with joints");
    tap_equal(client.hello.world.joints, 3, "hello: joints of the model");
    tap_equal(link_client_get_joints(&client, &seen, &joints), LINK_DONE, "get joints");
    tap_equal(joints, 0, "joints: no results before a step");
    pair_drive(0, &input);
    link_client_set_input(&client, &input);
    both_step(150, "steps under motors");
    const tac_joint_warm *warm = state.joint;
    tap_ok(warm[0].of.row[0] != 0 && warm[0].interval[TAC_EFFORT_MOTOR] != 0 &&
               warm[0].interval[TAC_EFFORT_FRICTION] != 0,
           "the state keeps impulses of a constraint, a motor, of friction");
    tap_ok(warm[1].interval[TAC_EFFORT_PASSIVE] != 0 && warm[1].of.row[TAC_JOINT_ROWS - 1] != 0,
           "of a spring, of prescribed motion");

    tap_equal(link_client_get_joints(&client, &seen, &joints), LINK_DONE, "get joints after steps");
    tap_equal(joints, model.joints, "joints: count");
    const uint32_t reals = sizeof *work.joint / sizeof(tac_real), kept = sizeof *state.joint / sizeof(tac_real);
    tac_reactions(&model, &work);
    tap_ok(same_reals(seen.joint, work.joint, model.joints * reals), "joints: values");
    tap_equal(link_client_get_report(&client, &report), LINK_DONE, "get report of joints");
    tap_equal(count_other_fields(&report, &work.report), 0, "report of joints: all fields");

    tap_equal(link_client_get_state(&client, image_world_of(&model), &fetched), LINK_DONE, "get state of joints");
    tap_ok(same_reals(fetched.joint, state.joint, model.joints * kept), "state: their impulses");
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_DONE, "set state of joints");
    link_client_get_joints(&client, &seen, &joints);
    tap_equal(joints, 0, "joints: no results of another state");
    fetched.account = (tac_account){(tac_real)-0.25, 2};
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_DONE, "set state with an account of energy");
    tap_ok(same_reals(&pair_state.account, &fetched.account, 2), "state: its account");
    link_client_set_model(&client, &model);
    tap_equal(pair_input.motors, 0, "a new model has no motors");
}

#endif

static void check_refused(uint8_t type, uint64_t step, const uint8_t *payload, uint32_t count, uint8_t reason,
                          const char *name)
{
    tap_equal(link_client_call(&client, type, step, payload, count), LINK_REFUSED, name);
    tap_equal(client.error.reason, reason, tap_joined(name, ": reason"));
    tap_equal(client.error.request, type, tap_joined(name, ": request"));
}

// What there is no room for is named, as the kernel numbers its counts.
static void check_over(uint16_t which, const char *name)
{
    const tac_fault *fault = &client.error.fault;
    tap_ok(fault->field == TAC_FIELD_COUNT && fault->index == which && fault->reason == TAC_REASON_FULL &&
               client.error.status == TAC_E_FULL,
           tap_joined(name, ": of what"));
}

static void test_refusals(void)
{
    static const uint8_t zeros[8] = {0}, ones[4] = {0xff, 0xff, 0xff, 0xff}, one[4] = {1, 0, 0, 0};

    open_world();
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);

    check_refused(0, LINK_ANY_STEP, NULL, 0, LINK_E_UNKNOWN, "request 0");
    check_refused(LINK_REQUESTS, LINK_ANY_STEP, NULL, 0, LINK_E_UNKNOWN, "request beyond the last");
    check_refused(0x7f, LINK_ANY_STEP, zeros, 8, LINK_E_UNKNOWN, "request 127");
    check_refused(LINK_HELLO, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "hello with a payload");
    check_refused(LINK_GET_REPORT, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "get report with a payload");
    check_refused(LINK_HASH, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "hash with a payload");
    check_refused(LINK_STEP, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "step of 1 byte");
    check_refused(LINK_STEP, LINK_ANY_STEP, one, 0, LINK_E_LENGTH, "step without a count");
    check_refused(LINK_STEP, LINK_ANY_STEP, zeros, 3, LINK_E_LENGTH, "step of 3 bytes");
    check_refused(LINK_STEP, LINK_ANY_STEP, zeros, 2, LINK_E_RANGE, "no steps");
    const uint8_t many[2] = {(LINK_MAX_STEPS + 1) & 0xff, (LINK_MAX_STEPS + 1) >> 8};
    check_refused(LINK_STEP, LINK_ANY_STEP, many, 2, LINK_E_RANGE, "more steps than a request may have");
    check_refused(LINK_STEP, 5, one, 2, LINK_E_STEP, "step from another step");
    const uint8_t method[4 + sizeof(tac_real)] = {1, 0, LINK_METHODS, 4};
    check_refused(LINK_STEP, LINK_ANY_STEP, method, 4, LINK_E_LENGTH, "a method without its number");
    check_refused(LINK_STEP, LINK_ANY_STEP, method, sizeof method, LINK_E_RANGE, "steps of no method");
    check_refused(LINK_GET_STATE, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "get state of 1 byte");
    check_refused(LINK_GET_STATE, LINK_ANY_STEP, ones, 4, LINK_E_RANGE, "get state beyond the end");
    check_refused(LINK_GET_CONTACTS, LINK_ANY_STEP, one, 4, LINK_E_RANGE, "get contacts beyond the end");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "set state of 1 byte");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, zeros, 4, LINK_E_LENGTH, "set state of no element");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, zeros, 8, LINK_E_LENGTH, "set state of half an element");
    check_refused(LINK_SET_STATE, LINK_ANY_STEP, one, 4, LINK_E_ORDER, "set state without its head");
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, (const uint8_t[]){0, 0, 0, 0, 0xff, 0x7f}, 6, LINK_E_CAPACITY,
                  "too many actions");
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, (const uint8_t[]){0, 0, 0, 0, 0, 0, 1}, 7, LINK_E_LENGTH,
                  "more than an input");
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, (const uint8_t[]){0, 0, 0, 0, 0, 0x80}, 6, LINK_E_LENGTH,
                  "an input without its number of motors");
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, (const uint8_t[]){0, 0, 0, 0, 0, 0x80, 0xff, 0xff}, 8, LINK_E_CAPACITY,
                  "too many motors");
    check_over(14, "too many motors");
    check_refused(LINK_GET_JOINTS, LINK_ANY_STEP, zeros, 1, LINK_E_LENGTH, "get joints of 1 byte");
    check_refused(LINK_GET_JOINTS, LINK_ANY_STEP, one, 4, LINK_E_RANGE, "get joints beyond the end");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "no refused request changed the state");
    both_step(30, "and the input is still empty");
}

static void test_version(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_decoder decoder = {{0}, 0, 0, 0, 0};
    link_frame frame;

    open_world();
    wire_writer w = link_frame_begin(bytes, LINK_HASH, 77, client.session, LINK_ANY_STEP);
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
    wire_writer w = pair_begin(bytes, LINK_STEP, LINK_ANY_STEP);
    wire_put_u16(&w, 3);
    const uint32_t count = link_frame_end(&w, line);
    pair_inject(line, count);
    tap_ok(pair_take(&decoder, &first), "a step is answered");
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    const uint32_t crc = wire_crc32(first.payload.bytes, first.payload.count);
    tap_hash(first.step, 3, "it steps");

    for (uint32_t i = 0; i < 5; i++) {
        pair_inject(line, count);
        tap_ok(pair_take(&decoder, &second), "its repetition is answered");
        tap_equal(wire_crc32(second.payload.bytes, second.payload.count), crc, "with the same reply");
    }
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "and does not step");
    tap_equal(pair_server.count.repeated, 5, "repetitions are counted");
}

// A model that says of itself more than fits: the client does not send it, the firmware refuses its head.
static void check_model_over(const tac_model *over, uint16_t which, const char *name)
{
    uint8_t head[LINK_MAX_PAYLOAD];
    wire_writer w = {head, sizeof head, 0};

    tap_equal(link_client_set_model(&client, over), LINK_NO_ROOM, tap_joined(name, ": not sent"));
    tap_equal(client.over, which, tap_joined(name, ": of what there is no room here"));
    wire_put_u32(&w, 0);
    image_put(IMAGE_MODEL, over, image_world_of(over), &w, 0);
    check_refused(LINK_SET_MODEL, LINK_ANY_STEP, head, w.count, LINK_E_CAPACITY, name);
    check_over(which, name);
}

static void test_bad_values(void)
{
    open_world();
    both_step(10, "a good world");
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    const tac_real nan = (model.h - model.h) / (model.h - model.h);

    static tac_model copy;
    copy = model;
    copy.body[2].mass = (tac_real)-1;
    tap_equal(link_client_set_model(&client, &copy), LINK_REFUSED, "negative mass");
    tap_equal(client.error.reason, LINK_E_KERNEL, "negative mass: by the kernel");
    tap_equal(client.error.status, TAC_E_MODEL, "negative mass: status");
    tap_ok(client.error.fault.field == TAC_FIELD_MASS && client.error.fault.index == 2, "negative mass: fault");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "negative mass: nothing changed");

    copy = model;
    copy.edge[3].point = 99;
    tap_equal(link_client_set_model(&client, &copy), LINK_REFUSED, "an edge that begins nowhere");
    tap_ok(client.error.fault.field == TAC_FIELD_EDGE && client.error.fault.index == 3, "and it is named");
    copy = model;
    copy.heights = TAC_MAX_HEIGHTS + 1;
    check_model_over(&copy, 12, "too many heights");
    copy = model;
    copy.bodies = TAC_MAX_BODIES + 2;
    check_model_over(&copy, 0, "too many bodies");

    fetched = state;
    fetched.pose[1].p.x = nan;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "state with a NaN");
    tap_equal(client.error.reason, LINK_E_KERNEL, "state with a NaN: by the kernel");
    fetched = state;
    fetched.model_hash ^= 1u;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "state of another model");
    tap_equal(client.error.fault.field, TAC_FIELD_HASH, "state of another model: fault");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "bad states: nothing changed");

    link_stepped stepped;
    pair_drive(0, &input);
    input.action[0].linear.y = nan;
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "input with a NaN is for the step to refuse");
    tap_equal(link_client_step(&client, 1, &stepped), LINK_REFUSED, "step under it");
    tap_equal(client.error.status, TAC_E_NAN, "step under it: status");
    tap_equal(client.error.fault.field, TAC_FIELD_ACTION_LINEAR, "step under it: fault");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "step under it: nothing changed");
    pair_rest(&input);
    link_client_set_input(&client, &input);
    both_step(10, "and on");
}

// A firmware with less room for joints than a model or an input has says so, be it none.
static void test_no_room_for_joints(void)
{
    uint8_t part[200];
    wire_writer w = {part, sizeof part, 0};

    open_world();
    wire_put_u32(&w, 0);
    image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, 0);
    w.count = 4 + 24;
    wire_put_u32(&w, TAC_MAX_JOINTS + 1);
    check_refused(LINK_SET_MODEL, LINK_ANY_STEP, part, 4 + 11 * sizeof(tac_real) + 35, LINK_E_CAPACITY,
                  "too many joints");
    check_over(13, "too many joints");
    const image_world world = {model.bodies, TAC_MAX_JOINTS + 1, 0};
    tap_equal(link_client_get_state(&client, world, &fetched), LINK_NO_ROOM, "a state of more joints than fit here");
    tap_equal(client.over, 13, "a state of more joints: of what");
    tap_ok(link_count_name(client.over)[0] == 'j' && link_count_name(99)[0] == '?', "names of counts");
    both_step(10, "a good world after that");
}

#if TAC_MAX_JOINTS > 0

// The input is taken; the step names the motor, and takes none.
static void check_motor(tac_status status, uint32_t field, const char *name)
{
    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    link_stepped stepped;

    tap_equal(link_client_set_input(&client, &input), LINK_DONE, tap_joined(name, ": for the step to refuse"));
    tap_equal(link_client_step(&client, 3, &stepped), LINK_REFUSED, tap_joined(name, ": refused"));
    tap_ok(client.error.status == status && client.error.fault.field == field && client.error.fault.index == 1,
           tap_joined(name, ": named"));
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, tap_joined(name, ": nothing changed"));
    pair_drive(0, &input);
}

static void test_bad_motors(void)
{
    const tac_real nan = (model.h - model.h) / (model.h - model.h);
    uint8_t part[200];
    wire_writer w = {part, sizeof part, 0};

    open_world();
    both_step(10, "a good world with joints");
    pair_drive(0, &input);
    input.motor[1].joint = 3;
    check_motor(TAC_E_ARG, TAC_FIELD_MOTOR_JOINT, "motor of a joint that is not there");
    input.motor[1].kind = TAC_MOTOR_KINDS;
    check_motor(TAC_E_ARG, TAC_FIELD_MOTOR_KIND, "motor of no kind");
    input.motor[1].position = nan;
    check_motor(TAC_E_NAN, TAC_FIELD_MOTOR_POSITION, "motor with a target that is NaN");
    input.motor[1].damping = (tac_real)-1;
    check_motor(TAC_E_ARG, TAC_FIELD_MOTOR_DAMPING, "motor with negative damping");

    wire_put_u32(&w, 0);
    for (uint32_t i = 0; i < 4; i++) { image_put(IMAGE_INPUT, &input, image_world_of(&model), &w, i); }
    w.count = w.count < sizeof part ? w.count : sizeof part;
    check_refused(LINK_SET_INPUT, LINK_ANY_STEP, part, w.count - 1, LINK_E_LENGTH, "half a motor");
    link_client_set_input(&client, &input);
    both_step(10, "and on under good motors");

    const uint64_t hash = tac_state_hash(&pair_model, &pair_state);
    fetched = state;
    fetched.joint[2].interval[TAC_EFFORT_LIMIT] = nan;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "a joint's impulse that is NaN");
    tap_equal(client.error.fault.field, TAC_FIELD_IMPULSE, "a joint's impulse that is NaN: fault");
    tap_hash(tac_state_hash(&pair_model, &pair_state), hash, "a joint's impulse that is NaN: nothing changed");
    fetched = state;
    fetched.account.made = nan;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "an account that is NaN");
    tap_equal(client.error.fault.field, TAC_FIELD_ACCOUNT, "an account that is NaN: fault");
}

#endif

// A build without a knob has no room for what it is about, and says so by its name, of model, state and results.
static void check_flag(uint32_t element, uint32_t at, uint32_t extra, uint16_t which, int knob, const char *name)
{
    uint8_t part[2 * WIRE_MAX_FRAME];
    wire_writer w = {part, sizeof part, 0};

    open_world();
    for (uint32_t i = 0; i <= element; i++) { // element by element: each fits into a frame
        w.count = 0;
        wire_put_u32(&w, i);
        const uint32_t begin = w.count;
        image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, i);
        if (i < element) {
            tap_equal(link_client_call(&client, LINK_SET_MODEL, LINK_ANY_STEP, part, w.count), LINK_DONE, name);
            continue;
        }
        part[begin + at] = at == 2 * sizeof(tac_real) && which == 64 ? 0xff : part[begin + at] | 0x80;
        w.count += extra;
    }
    if (!knob) {
        check_refused(LINK_SET_MODEL, LINK_ANY_STEP, part, w.count, LINK_E_CAPACITY, name);
        check_over(which, name);
    }
}

static void test_no_room_for_more(void)
{
    const image_world world = {model.bodies, 0, 1};
    uint8_t part[200];
    wire_writer w = {part, sizeof part, 0};

    check_flag(1u + model.bodies + 2, 11 * sizeof(tac_real) + 8, 0, 64, TAC_FRICTION_LAWS, "a direction of friction");
    check_flag(1u + model.bodies + model.shapes, 2 * sizeof(tac_real), 0, 64, TAC_FRICTION_LAWS, "static friction");
    check_flag(1u + model.bodies + model.shapes + 2, 2 * sizeof(tac_real), 1, 64, TAC_FRICTION_LAWS,
               "static friction of a pair");
    if (TAC_MAX_JOINTS > 0) {
        check_flag(1u + model.bodies + model.shapes + 4, 1, 0, 65, TAC_SWITCHES, "a joint that may be switched");
    }
    open_world();
    wire_put_u32(&w, 0);
    image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, 0);
    part[4 + 27] |= 0x80;
    w.count = 4 + 11 * sizeof(tac_real) + 35;
    wire_put_u32(&w, TAC_MAX_SURFACES + 1);
    check_refused(LINK_SET_MODEL, LINK_ANY_STEP, part, w.count, LINK_E_CAPACITY, "too many surfaces");
    check_over(TAC_COUNT_SURFACES, "too many surfaces");
    tap_ok(link_count_name(64)[0] == 'l' && link_count_name(65)[0] == 'j', "names of what is no table");
    if (!TAC_SWITCHES) {
        tap_equal(link_client_get_state(&client, world, &fetched), LINK_NO_ROOM, "a state with switches");
        tap_equal(client.over, 65, "a state with switches: of what");
    }
}

#if TAC_SWITCHES

// A joint that is out of force, or captured, stays so in the state that is sent.
static void test_switches(void)
{
    open_world();
    both_step(10, "with the rope");
    tap_equal(tac_state_set_switch(&model, &state, 2, TAC_JOINT_OFF), TAC_OK, "the rope is let go");
    tap_equal(link_client_set_state(&client, &model, &state), LINK_DONE, "set state with a joint out of force");
    tap_equal(pair_state.switched[2].is, TAC_JOINT_OFF, "it is out of force there");
    pair_drive(0, &input);
    link_client_set_input(&client, &input);
    both_step(60, "without the rope");
    fill(&fetched, sizeof fetched);
    tap_equal(link_client_get_state(&client, image_world_of(&model), &fetched), LINK_DONE, "get state with switches");
    tap_hash(tac_state_hash(&model, &fetched), tac_state_hash(&model, &state), "it comes whole");
    tap_equal(fetched.switched[2].is, TAC_JOINT_OFF, "the rope is still out of force");
    fetched.switched[2].is = TAC_JOINT_ALWAYS;
    tap_equal(link_client_set_state(&client, &model, &fetched), LINK_REFUSED, "a switch that the joint has not");
    tap_equal(client.error.reason, LINK_E_KERNEL, "a switch that the joint has not: by the kernel");

    const image_world world = image_world_of(&model);
    const uint32_t last = image_count(IMAGE_STATE, &state, world) - 1;
    uint8_t bytes[LINK_MAX_PAYLOAD];
    wire_writer w = {bytes, sizeof bytes, 0};
    state.switched[2] = (tac_switch){{{R(1), R(2), R(3)}, {R(0.5), R(-0.5), R(0.5), R(0.5)}}, TAC_JOINT_CAPTURED};
    image_put(IMAGE_STATE, &state, world, &w, last);
    wire_reader r = {bytes, w.count, 0};
    fetched.warm_count = state.warm_count;
    image_get(IMAGE_STATE, &fetched, world, &r, last);
    tap_ok(fetched.switched[2].is == TAC_JOINT_CAPTURED &&
               same_reals(&fetched.switched[2].frame, &state.switched[2].frame, 7),
           "what a weld has captured");

    model.joint[2].break_force = R(0.001);
    tac_model_seal(&model, NULL);
    tac_state_init(&model, &state, NULL);
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "a rope like a hair");
    link_client_set_input(&client, &input);
    tac_report report;
    uint32_t broken = 0, other = 0;
    link_stepped stepped;
    for (uint32_t i = 0; i < 150; i++) {
        local_steps(1);
        link_client_step(&client, 1, &stepped);
        fill(&report, sizeof report);
        link_client_get_report(&client, &report);
        other += count_other_fields(&report, &work.report);
        broken += report.broken;
    }
    tap_equal(other, 0, "reports of joints that break");
    tap_equal(broken, 1, "it breaks once");
    tap_equal(pair_state.switched[2].is, TAC_JOINT_BROKEN, "and is broken");
}

#endif

// The firmware starts anew, as after a reset: with model, state and input it goes on at the same bits.
static void test_restart(void)
{
    open_world();
    pair_drive(0, &input);
    link_client_set_input(&client, &input);
    both_step(100, "before the restart");
    pair_restart();
    check_refused(LINK_STEP, client.step, (const uint8_t[]){1, 0}, 2, LINK_E_SESSION, "a step of what is gone");
    tap_equal(link_client_hello(&client), LINK_DONE, "hello after the restart");
    tap_equal(client.hello.world.bodies, 1, "all is forgotten");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "the model again");
    tap_equal(link_client_set_state(&client, &model, &state), LINK_DONE, "the state again");
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "the input again");
    both_step(100, "after the restart");
}

// Parts of a model are of no effect until the last one is in.
static void test_unfinished_transfer(void)
{
    uint8_t part[200];
    wire_writer w = {part, sizeof part, 0};

    open_world();
    wire_put_u32(&w, 0);
    image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, 0);
    tap_equal(link_client_call(&client, LINK_SET_MODEL, LINK_ANY_STEP, part, w.count), LINK_DONE, "head of a model");
    tap_equal(wire_get_u32(&client.reply), 1, "element 1 is next");
    both_step(20, "steps on the old model");

    w.count = 0;
    wire_put_u32(&w, 2);
    image_put(IMAGE_MODEL, &model, image_world_of(&model), &w, 2);
    check_refused(LINK_SET_MODEL, LINK_ANY_STEP, part, w.count, LINK_E_ORDER, "a part left out");
}

// The members that most models do not have, one by one: the hash of a kernel that forgot one would agree with it.
static void test_more(void)
{
#if TAC_FRICTION_LAWS
    const tac_shape *shape = &pair_model.shape[1];
    tap_ok(shape->axis.y == R(1) && shape->turn == R(0.5) && shape->across == R(0.25) && shape->kind == TAC_BOX &&
               pair_model.shape[3].across == 0,
           "a direction of friction");
    tap_ok(pair_model.material[1].static_friction == R(0.9) && pair_model.material[1].stribeck_speed == R(0.02) &&
               pair_model.material[1].friction_rule == model.material[1].friction_rule &&
               pair_model.material[0].static_friction == 0,
           "static friction of a material");
    const tac_material_pair *pair = &pair_model.material_pair[0];
    tap_ok(pair->static_friction == R(0.75) && pair->stribeck_speed == R(0.01) && pair->a == 0 && pair->b == 1,
           "static friction of a pair");
#endif
#if TAC_MAX_SURFACES > 0
    const tac_surface *floor = &pair_model.surface[1];
    tap_ok(pair_model.surfaces == 2 && pair_model.surface[0].shape == 3 && floor->linear.x == R(0.3) &&
               floor->angular.z == R(-0.25) && floor->point.x == R(0.5),
           "surfaces");
#endif
#if TAC_SWITCHES
    const tac_joint *rope = &pair_model.joint[2];
    tap_ok(rope->switched == TAC_JOINT_ON && rope->collide == 1 && rope->break_force == R(1000) &&
               rope->break_torque == R(2000) && pair_model.joint[0].switched == TAC_JOINT_ALWAYS,
           "a joint that may be switched");
    tap_equal(link_client_hello(&client), LINK_DONE, "hello of a world with switches");
    tap_ok(client.hello.world.joints == 3 && client.hello.world.switches == 3, "hello: joints that may be switched");
#endif
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
    test_more();
    client.hello.height_bits = TAC_HEIGHT_BITS == 8 ? 16 : 8;
    tap_equal(link_client_set_model(&client, &model), LINK_PRECISION, "heights of another width");
}

static void test_precision(void)
{
    open_world();
    client.hello.real_bits = TAC_REAL_BITS == 32 ? 64 : 32;
    tap_equal(link_client_set_model(&client, &model), LINK_PRECISION, "set model in another precision");
    tap_equal(link_client_get_state(&client, image_world_of(&model), &fetched), LINK_PRECISION,
              "get state in another precision");
    client.hello.real_bits = TAC_REAL_BITS;
    client.hello.rolling = !TAC_ROLLING;
    tap_equal(link_client_set_model(&client, &model), LINK_PRECISION, "set model with other elements");
    tap_equal(link_client_get_contacts(&client, &seen), LINK_PRECISION, "get contacts with other elements");
    tap_ok(link_result_name(LINK_PRECISION)[0] == 't' && link_result_name(-99)[0] == '?', "names of results");
}

int main(void)
{
    test_hello();
    test_sizes();
    test_model_and_steps();
    test_input();
    test_state();
    test_reports();
    test_results();
#if TAC_MAX_JOINTS > 0
    test_joints();
    test_bad_motors();
#endif
#if TAC_SWITCHES
    test_switches();
#endif
    test_no_room_for_more();
    test_refusals();
    test_version();
    test_repeats();
    test_bad_values();
    test_no_room_for_joints();
    test_restart();
    test_unfinished_transfer();
    test_data();
    test_precision();
    return tap_done();
}
