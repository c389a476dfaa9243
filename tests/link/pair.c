// SPDX-License-Identifier: MIT
#include "pair.h"

#define R(x) ((tac_real)(x))

tac_model pair_model;
tac_state pair_state;
tac_input pair_input;
tac_work pair_work;
link_server pair_server;
uint32_t pair_replies;
uint32_t pair_silence;

static pair_damage rates;
static uint64_t random_state;
static uint32_t clock_ticks;

// One direction of the line: the bytes on their way, and a frame that is held back. Head and tail count bytes; their
// difference is the fill.
typedef struct direction {
    uint8_t byte[PAIR_QUEUE];
    uint32_t head, tail;
    uint8_t held[WIRE_MAX_LINE];
    uint32_t held_count;
} direction;

static direction to_server, to_client;

// ------------------------------------------------------------------------------------------------------------ chance

uint32_t pair_random(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % below;
}

static int chance(uint32_t per_mille)
{
    return per_mille != 0 && pair_random(1000) < per_mille;
}

// ---------------------------------------------------------------------------------------------------------- the line

// What does not fit is lost, as on a line.
static void push(direction *way, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count && way->tail - way->head < PAIR_QUEUE; i++) {
        way->byte[way->tail++ % PAIR_QUEUE] = bytes[i];
    }
}

static int pop(direction *way)
{
    return way->head == way->tail ? -1 : way->byte[way->head++ % PAIR_QUEUE];
}

static void hold(direction *way, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) { way->held[i] = bytes[i]; }
    way->held_count = count;
}

static void send_damaged(direction *way, const uint8_t *bytes, uint32_t count)
{
    uint8_t copy[WIRE_MAX_LINE];

    if (chance(rates.drop)) { return; }
    for (uint32_t i = 0; i < count; i++) { copy[i] = bytes[i]; }
    if (chance(rates.truncate)) { count = pair_random(count); }
    if (count > 0 && chance(rates.flip)) { copy[pair_random(count)] ^= (uint8_t)(1u << pair_random(8)); }
    if (way->held_count == 0 && chance(rates.hold)) {
        hold(way, copy, count);
        return;
    }
    push(way, copy, count);
    if (chance(rates.duplicate)) { push(way, copy, count); }
    if (way->held_count > 0 && pair_random(2) == 0) {
        push(way, way->held, way->held_count);
        way->held_count = 0;
    }
}

// Some bytes of the payload are others, or all of them and their number.
static uint32_t lie(uint8_t *line, uint32_t count)
{
    wire_decoder d = {{0}, 0, 0, 0, 0};
    for (uint32_t i = 0; i < count; i++) { wire_cobs_decode(&d, line[i]); }

    wire_writer w = {d.bytes, WIRE_MAX_FRAME - LINK_TAIL, d.count - LINK_TAIL};
    if (pair_random(4) == 0) {
        w.count = LINK_HEAD + pair_random(LINK_MAX_PAYLOAD + 1);
        for (uint32_t i = LINK_HEAD; i < w.count; i++) { d.bytes[i] = (uint8_t)pair_random(pair_random(2) ? 256 : 4); }
    }
    if (pair_random(8) == 0) { d.bytes[1] = (uint8_t)pair_random(256); }
    for (uint32_t i = pair_random(4); i > 0 && w.count > LINK_HEAD; i--) {
        d.bytes[LINK_HEAD + pair_random(w.count - LINK_HEAD)] = (uint8_t)pair_random(256);
    }
    return link_frame_end(&w, line);
}

static void server_write(const uint8_t *bytes, uint32_t count)
{
    uint8_t line[WIRE_MAX_LINE];

    pair_replies++;
    for (uint32_t i = 0; i < count; i++) { line[i] = bytes[i]; }
    send_damaged(&to_client, line, chance(rates.lie) ? lie(line, count) : count);
}

static int server_read(void)
{
    if (pair_silence == 0) { return pop(&to_server); }
    pair_silence--;
    return -1;
}

static void server_run(void)
{
    int byte;
    while ((byte = pop(&to_server)) >= 0) { link_server_byte(&pair_server, (uint8_t)byte); }
}

static uint32_t server_ticks(void)
{
    clock_ticks += PAIR_TICKS;
    return clock_ticks;
}

static int client_write(void *context, const uint8_t *bytes, uint32_t count)
{
    (void)context;
    send_damaged(&to_server, bytes, count);
    return 0;
}

static int client_read(void *context, uint32_t timeout_ms)
{
    (void)context;
    (void)timeout_ms;
    if (to_client.head == to_client.tail) { server_run(); }
    return pop(&to_client);
}

// Memory after a reset holds anything.
static void forget(void *object, size_t size)
{
    uint8_t *byte = object;
    for (size_t i = 0; i < size; i++) { byte[i] = UINT8_MAX; }
}

void pair_restart(void)
{
    const link_port port = {server_write, server_read, server_ticks, 1000};

    forget(&pair_state, sizeof pair_state);
    forget(&pair_input, sizeof pair_input);
    forget(&pair_work, sizeof pair_work);
    forget(&pair_server, sizeof pair_server);
    tac_model_init(&pair_model);
    tac_model_seal(&pair_model, NULL);
    tac_state_init(&pair_model, &pair_state, NULL);
    link_server_init(&pair_server, port, &pair_model, &pair_state, &pair_input, &pair_work);
}

void pair_open(link_client *client, pair_damage damage, uint64_t seed)
{
    const link_channel channel = {NULL, client_read, client_write};

    rates = damage;
    random_state = seed;
    clock_ticks = 0;
    to_server.head = to_server.tail = to_server.held_count = 0;
    to_client.head = to_client.tail = to_client.held_count = 0;
    pair_replies = 0;
    pair_silence = 0;
    pair_restart();
    link_client_init(client, channel, 1, 40, pair_random(UINT32_MAX));
}

void pair_inject(const uint8_t *bytes, uint32_t count)
{
    push(&to_server, bytes, count);
    server_run();
}

wire_writer pair_begin(uint8_t *bytes, uint8_t type, uint64_t step)
{
    return link_frame_begin(bytes, type, (uint16_t)(pair_server.last_sequence + 1), pair_server.session, step);
}

void pair_rejoin(link_client *client)
{
    to_client.head = to_client.tail;
    client->session = pair_server.session;
    client->sequence = pair_server.last_sequence;
}

int pair_take(wire_decoder *decoder, link_frame *frame)
{
    int byte;
    while ((byte = client_read(NULL, 0)) >= 0) {
        if (wire_cobs_decode(decoder, (uint8_t)byte) == WIRE_FRAME) {
            return link_frame_parse(decoder->bytes, decoder->count, frame);
        }
    }
    return 0;
}

// --------------------------------------------------------------------------------------------------------- the world

static void add_shape(tac_model *model, int32_t body, uint8_t kind, tac_vec3 size, uint8_t material)
{
    tac_shape shape = tac_shape_make((uint16_t)body, kind, size);
    shape.material = material;
    tac_model_add_shape(model, &shape);
}

static int32_t add_body(tac_model *model, uint8_t kind, tac_real x, tac_real z)
{
    tac_body body = tac_body_make(kind, (tac_vec3){x, R(0), z});
    body.inertia = (tac_vec3){R(0.01), R(0.01), R(0.01)};
    body.velocity.v.x = kind == TAC_DYNAMIC ? R(0.5) : R(0);
    body.velocity.w.y = kind == TAC_DYNAMIC ? R(1.5) : R(0);
    return tac_model_add_body(model, &body);
}

// Data that shapes may have: a wedge, two triangles, terrain with samples of both signs.
static void add_data(tac_model *model)
{
    static const tac_vec3 wedge[6] = {{R(-1), R(-1), R(0)}, {R(1), R(-1), R(0)}, {R(-1), R(1), R(0)},
                                      {R(1), R(1), R(0)},   {R(0), R(-1), R(1)}, {R(0), R(1), R(1)}};
    static const uint16_t triangles[2][3] = {{0, 1, 3}, {0, 3, 2}};
    static const tac_height heights[6] = {0, 100, -100, 5, -1, 127};

    tac_model_add_hull(model, wedge, 6);
    tac_model_add_mesh(model, wedge, 4, triangles, 2);
    tac_model_add_height_field(model, heights, 3, 2, R(0.1), R(0.2), R(0.01));
    tac_model_add_exclusion(model, 2, 3);
}

#if TAC_MAX_JOINTS > 0

// z of the joint's frames along y of the world: the bodies turn in the plane of x and z.
static tac_joint *add_joint(tac_model *model, uint8_t kind, int32_t a, int32_t b, tac_vec3 at_a, tac_vec3 at_b)
{
    const tac_real half = R(0.70710678118654752440);
    tac_joint joint;
    tac_joint_init(&joint, kind, (uint16_t)a, (uint16_t)b);
    joint.frame_a = (tac_pose){at_a, {half, -half, R(0), R(0)}};
    joint.frame_b = (tac_pose){at_b, joint.frame_a.q};
    return &model->joint[tac_model_add_joint(model, &joint)];
}

// On the box an arm with a rotor, which turns to its limit; on the arm a slide on a spring; the box is held back by a
// rope. So constraints, springs, motors, friction and limits all have impulses that the next step starts from.
static void add_joints(tac_model *model)
{
    const int32_t arm = add_body(model, TAC_DYNAMIC, R(0.3), R(0.12));
    const int32_t slide = add_body(model, TAC_DYNAMIC, R(0.5), R(0.12));
    const tac_vec3 zero = {R(0), R(0), R(0)};
    model->body[arm].mass = model->body[slide].mass = R(0.1);
    model->body[arm].inertia = model->body[slide].inertia = (tac_vec3){R(0.001), R(0.001), R(0.001)};
    model->options.solver = TAC_SOLVER_DIRECT;
    tac_joint *j =
        add_joint(model, TAC_REVOLUTE, 1, arm, (tac_vec3){R(0.1), R(0), R(0)}, (tac_vec3){R(-0.2), R(0), R(0)});
    j->lower = R(-0.3);
    j->upper = R(0.02);
    j->friction = R(0.05);
    j->armature = R(0.001);
    j->effort = R(2);
    j = add_joint(model, TAC_PRISMATIC, arm, slide, (tac_vec3){R(0.2), R(0), R(0)}, zero);
    j->stiffness = R(50);
    j->damping = R(1);
    j = add_joint(model, TAC_DISTANCE, 0, 1, (tac_vec3){R(-0.3), R(0), R(0.1)}, zero);
    j->lower = R(0);
    j->upper = R(0.35);
    j->collide = 1;
}

#endif

void pair_build_world(tac_model *model)
{
    const tac_vec3 small = {R(0.1), R(0.1), R(0.1)};
    const tac_vec3 flat = {R(0.3), R(0.3), R(0.02)};

    tac_model_init(model);
    model->h = R(0.002);
    tac_model_add_material(model, R(0.4), R(0.1));
    tac_model_add_material(model, R(0.7), R(0));
    tac_model_add_material_pair(model, 0, 1, R(0.55), R(0.05));
#if TAC_ROLLING
    model->material[0].spinning = model->material_pair[0].rolling = R(0.002);
    model->material[0].rolling = model->material_pair[0].spinning = R(0.001);
#endif
    const int32_t box = add_body(model, TAC_DYNAMIC, R(0), R(0.12));
    const int32_t ball = add_body(model, TAC_DYNAMIC, R(0.6), R(0.15));
    const int32_t plate = add_body(model, TAC_KINEMATIC, R(-0.6), R(0.05));
    add_shape(model, 0, TAC_HALF_SPACE, small, 0);
    add_shape(model, box, TAC_BOX, small, 1);
    add_shape(model, ball, TAC_SPHERE, small, 0);
    add_shape(model, plate, TAC_BOX, flat, 1);
    add_data(model);
#if TAC_MAX_JOINTS > 0
    add_joints(model);
#endif
    tac_model_seal(model, NULL);
}

void pair_rest(tac_input *input)
{
    input->actions = 0;
#if TAC_MAX_JOINTS > 0
    input->motors = 0;
#endif
}

void pair_drive(uint64_t step, tac_input *input)
{
    static const tac_vec3 zero = {R(0), R(0), R(0)};
    const tac_real push = R(-1) - R(step / 20 % 5);

    input->actions = 2;
    input->action[0] =
        (tac_action){{push, R(0), R(0.5)}, {R(0), R(0), R(0.01)}, {R(0), R(0.02), R(0)}, 1, TAC_WRENCH_BODY};
    input->action[1] = (tac_action){{R(0.1), R(0), R(0)}, zero, zero, 3, TAC_VELOCITY};
#if TAC_MAX_JOINTS > 0
    const tac_real turn = R(0.1) * (R(step / 20 % 5) - R(2));
    input->motors = 2;
    input->motor[0] = (tac_motor){turn, R(0), R(0), R(20), R(0.5), 0, TAC_MOTOR_PD};
    input->motor[1] = (tac_motor){R(0), turn, R(0), R(0), R(0), 1, TAC_MOTOR_VELOCITY};
#endif
}

uint64_t pair_local_steps(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work,
                          uint32_t steps)
{
    uint64_t trace = LINK_TRACE_START;
    for (uint32_t i = 0; i < steps; i++) {
        tac_step(model, state, input, work);
        trace = link_trace(trace, tac_state_hash(model, state));
    }
    return trace;
}
