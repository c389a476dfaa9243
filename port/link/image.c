// SPDX-License-Identifier: MIT
#include "link/image.h"
#include "link/image_joints.h"
#include "link/image_model.h"
#include "link/value.h"

// Reads a count of a head; stores 0 if it exceeds its capacity.
static int get_count(wire_reader *r, int which, uint16_t *count)
{
    const uint16_t said = wire_get_u16(r);
    const int over = image_fits(which, said);
    *count = over == IMAGE_FITS ? said : 0;
    return over;
}

// ------------------------------------------------------------------------------------------------------------- state

static void put_warm(wire_writer *w, const tac_warm *warm)
{
    value_put_feature(w, warm->id);
    value_put_vec3(w, warm->impulse);
#if TAC_ROLLING
    value_put_vec3(w, warm->torque);
#endif
}

static void get_warm(wire_reader *r, tac_warm *warm)
{
    warm->id = value_get_feature(r);
    warm->impulse = value_get_vec3(r);
#if TAC_ROLLING
    warm->torque = value_get_vec3(r);
#endif
}

static const value_member joint_warm_members[] = {{VALUES(tac_joint_warm, of.row)}, {VALUES(tac_joint_warm, interval)}};

static const value_member account_members[] = {{VALUES(tac_account, made)}, {VALUES(tac_account, peak)}};

#if TAC_SWITCHES
static void put_switch(wire_writer *w, const tac_state *state, uint32_t i)
{
    wire_put_u8(w, (uint8_t)state->switched[i].is);
    value_put_pose(w, state->switched[i].frame);
}

static void get_switch(wire_reader *r, tac_state *state, uint32_t i)
{
    state->switched[i].is = wire_get_u8(r);
    state->switched[i].frame = value_get_pose(r);
}

static void get_no_switches(tac_state *state)
{
    const tac_switch none = {{{0, 0, 0}, {0, 0, 0, 0}}, TAC_JOINT_ALWAYS};
    for (uint32_t i = 0; i < TAC_MAX_JOINTS; i++) { state->switched[i] = none; }
}
#else // a world of this build has no switches
static void put_switch(wire_writer *w, const tac_state *state, uint32_t i)
{
    (void)w, (void)state, (void)i;
}

static void get_switch(wire_reader *r, tac_state *state, uint32_t i)
{
    (void)r, (void)state, (void)i;
}

static void get_no_switches(tac_state *state)
{
    (void)state;
}
#endif

// After the head: bodies, impulses of contacts, impulses of joints; if there are joints, the account of energy; if any
// of them may be switched, the switch of each.
static void put_state(wire_writer *w, const tac_state *state, image_world world, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) {
        wire_put_u64(w, state->step);
        wire_put_u32(w, state->model_hash);
        wire_put_u16(w, state->warm_count);
        wire_put_u16(w, state->contacts_peak);
        wire_put_u16(w, state->warm_unsolved);
        return;
    }
    if (i < world.bodies) {
        value_put_pose(w, state->pose[i]);
        value_put_twist(w, state->twist[i]);
        value_put_compensation(w, state->compensation[i]);
        return;
    }
    i -= world.bodies;
    if (i < state->warm_count) {
        put_warm(w, &state->warm[i]);
    } else if (i - state->warm_count < world.joints) {
        value_put_members(w, JOINT_AT(state, i - state->warm_count), MEMBERS(joint_warm_members));
    } else if (i - state->warm_count > world.joints) {
        put_switch(w, state, i - state->warm_count - world.joints - 1u);
    } else {
        value_put_members(w, ACCOUNT(state), MEMBERS(account_members));
    }
}

static int get_state(wire_reader *r, tac_state *state, image_world world, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) {
        get_no_switches(state);
        state->step = wire_get_u64(r);
        state->model_hash = wire_get_u32(r);
        const int over = get_count(r, TAC_COUNT_CONTACTS, &state->warm_count);
        state->contacts_peak = wire_get_u16(r);
        state->warm_unsolved = wire_get_u16(r);
        return over;
    }
    if (i < world.bodies) {
        state->pose[i] = value_get_pose(r);
        state->twist[i] = value_get_twist(r);
        state->compensation[i] = value_get_compensation(r);
        return IMAGE_FITS;
    }
    i -= world.bodies;
    if (i < state->warm_count) {
        get_warm(r, &state->warm[i]);
    } else if (i - state->warm_count < world.joints) {
        value_get_members(r, JOINT_AT(state, i - state->warm_count), MEMBERS(joint_warm_members));
    } else if (i - state->warm_count > world.joints) {
        get_switch(r, state, i - state->warm_count - world.joints - 1u);
    } else {
        value_get_members(r, ACCOUNT(state), MEMBERS(account_members));
    }
    return IMAGE_FITS;
}

// ------------------------------------------------------------------------------------------------------------- input

// Added to the number of actions in the head if the number of motors follows. So an input without motors has the same
// bytes in builds with and without joints.
#define INPUT_MOTORS 0x8000u

static const value_member motor_members[] = {
    {VALUES(tac_motor, position)},  {VALUES(tac_motor, velocity)}, {VALUES(tac_motor, effort)},
    {VALUES(tac_motor, stiffness)}, {VALUES(tac_motor, damping)},  {VALUE_IN_16(tac_motor, joint)},
    {VALUE_IN_16(tac_motor, kind)},
};

static void put_input(wire_writer *w, const tac_input *input, uint32_t element)
{
    const uint32_t motors = MOTORS(input), i = element - 1;

    if (element == 0) {
        wire_put_u16(w, (uint16_t)(input->actions | (motors > 0 ? INPUT_MOTORS : 0u)));
        if (motors > 0) wire_put_u16(w, (uint16_t)motors);
    } else if (i < input->actions) {
        const tac_action *action = &input->action[i];
        value_put_vec3(w, action->linear);
        value_put_vec3(w, action->angular);
        value_put_vec3(w, action->point);
        wire_put_u16(w, action->body);
        wire_put_u16(w, action->kind);
    } else {
        value_put_members(w, MOTOR_AT(input, i - input->actions), MEMBERS(motor_members));
    }
}

static int get_input_head(wire_reader *r, tac_input *input)
{
    const uint16_t head = wire_get_u16(r);
    const uint32_t actions = head & ~INPUT_MOTORS, motors = head & INPUT_MOTORS ? wire_get_u16(r) : 0;
    const int actions_fit = image_fits(TAC_COUNT_ACTIONS, actions);
    const int over = actions_fit == IMAGE_FITS ? image_fits(TAC_COUNT_MOTORS, motors) : actions_fit;

    input->actions = over == IMAGE_FITS ? (uint16_t)actions : 0;
    SET_MOTORS(input, over == IMAGE_FITS ? motors : 0);
    return over;
}

static int get_input(wire_reader *r, tac_input *input, uint32_t element)
{
    const uint32_t i = element - 1;

    if (element == 0) return get_input_head(r, input);
    if (i < input->actions) {
        tac_action *action = &input->action[i];
        action->linear = value_get_vec3(r);
        action->angular = value_get_vec3(r);
        action->point = value_get_vec3(r);
        action->body = wire_get_u16(r);
        action->kind = wire_get_u16(r);
    } else {
        value_get_members(r, MOTOR_AT(input, i - input->actions), MEMBERS(motor_members));
    }
    return IMAGE_FITS;
}

// ---------------------------------------------------------------------------------------------------------- contacts

// Friction across u over that along it: 1, unless a shape has a direction of friction.
#if TAC_FRICTION_LAWS
#define ACROSS(contact) ((contact)->across)
#define DIRECTED(contact) ((contact)->across != (tac_real)1)
#define SET_ACROSS(contact, value) ((contact)->across = (value))
#else
#define ACROSS(contact) ((void)(contact), (tac_real)1)
#define DIRECTED(contact) ((void)(contact), 0)
#define SET_ACROSS(contact, value) ((void)(contact), (void)(value))
#endif

// Of a contact with VALUE_MORE: it is compliant. A compliant contact has no restitution, a rigid one no stiffness, so
// that `across` takes the place of one of them, and the element still fits into a frame.
#define CONTACT_YIELDS 0x40u

static void put_contact(wire_writer *w, const tac_work *work, uint32_t i)
{
    if (i == 0) {
        wire_put_u16(w, work->report.contacts);
        return;
    }
    const tac_contact *contact = &work->contact[i - 1];
    value_put_feature(w, contact->id);
    wire_put_u16(w, contact->body_a);
    wire_put_u16(w, contact->body_b);
    const int more = DIRECTED(contact), yields = contact->stiffness > (tac_real)0;
    wire_put_u8(w, (uint8_t)(contact->mode | (more ? VALUE_MORE : 0u) | (more && yields ? CONTACT_YIELDS : 0u)));
    value_put_vec3(w, contact->point);
    value_put_vec3(w, contact->n);
    value_put_vec3(w, contact->u);
    value_put_vec3(w, contact->w);
    wire_put_real(w, contact->gap);
    wire_put_real(w, contact->mu);
    wire_put_real(w, more ? ACROSS(contact) : contact->restitution);
    wire_put_real(w, more && !yields ? contact->restitution : contact->stiffness);
    value_put_vec3(w, (tac_vec3){contact->impulse.x + contact->bounce.x, contact->impulse.y + contact->bounce.y,
                                 contact->impulse.z + contact->bounce.z}); // the whole step, with its impacts
    value_put_vec3(w, contact->velocity);
#if TAC_ROLLING
    wire_put_real(w, contact->spinning);
    wire_put_real(w, contact->rolling);
    value_put_vec3(w, contact->torque);
#endif
}

static int get_contact(wire_reader *r, tac_work *work, uint32_t i)
{
    if (i == 0) return get_count(r, TAC_COUNT_CONTACTS, &work->report.contacts);
    tac_contact *contact = &work->contact[i - 1];
    contact->id = value_get_feature(r);
    contact->body_a = wire_get_u16(r);
    contact->body_b = wire_get_u16(r);
    const uint8_t mode = wire_get_u8(r);
    const uint32_t more = mode >= VALUE_MORE, yields = !more || (mode & CONTACT_YIELDS);
    contact->mode = more ? mode & (CONTACT_YIELDS - 1u) : mode;
    contact->point = value_get_vec3(r);
    contact->n = value_get_vec3(r);
    contact->u = value_get_vec3(r);
    contact->w = value_get_vec3(r);
    contact->gap = wire_get_real(r);
    contact->mu = wire_get_real(r);
    const tac_real first = wire_get_real(r), second = wire_get_real(r);
    contact->restitution = more ? (yields ? (tac_real)0 : second) : first;
    contact->stiffness = yields ? second : (tac_real)0;
    SET_ACROSS(contact, more ? first : (tac_real)1);
    contact->impulse = value_get_vec3(r);
    contact->bounce = (tac_vec3){0, 0, 0};
    contact->velocity = value_get_vec3(r);
#if TAC_ROLLING
    contact->spinning = wire_get_real(r);
    contact->rolling = wire_get_real(r);
    contact->torque = value_get_vec3(r);
#endif
    return image_fits(IMAGE_LAWS, more);
}

// ------------------------------------------------------------------------------------------------- results of joints

static const value_member joint_result_members[] = {
    {VALUES(tac_joint_result, force)},
    {VALUES(tac_joint_result, torque)},
    {VALUES(tac_joint_result, effort)},
};

static void put_results(wire_writer *w, const image_joints *joints, uint32_t element)
{
    if (element == 0) {
        wire_put_u16(w, joints->count);
    } else {
        value_put_members(w, &joints->result[element - 1], MEMBERS(joint_result_members));
    }
}

static int get_results(wire_reader *r, image_joints *joints, uint32_t element)
{
    if (element == 0) return get_count(r, TAC_COUNT_JOINTS, &joints->count);
    value_get_members(r, &joints->result[element - 1], MEMBERS(joint_result_members));
    return IMAGE_FITS;
}

// ---------------------------------------------------------------------------------------------------------- measured

#if TAC_PREDICT

static const value_member base_members[] = {
    {VALUES(tac_measured, frame.pose)},      {VALUES(tac_measured, pose)},
    {VALUES(tac_measured, velocity)},        {VALUES(tac_measured, gyro)},
    {VALUE_IN_16(tac_measured, frame.body)},
};

static const value_member joint_members[] = {{VALUES(tac_joint_state, position)}, {VALUES(tac_joint_state, velocity)}};

static void put_measured(wire_writer *w, const image_measured *measured, uint32_t element)
{
    if (element == 0) {
        wire_put_u64(w, measured->step);
        value_put_members(w, &measured->base, MEMBERS(base_members));
    } else {
        value_put_members(w, &measured->joint[element - 1], MEMBERS(joint_members));
    }
}

static int get_measured(wire_reader *r, image_measured *measured, uint32_t element)
{
    if (element == 0) {
        measured->step = wire_get_u64(r);
        value_get_members(r, &measured->base, MEMBERS(base_members));
    } else {
        value_get_members(r, &measured->joint[element - 1], MEMBERS(joint_members));
    }
    return IMAGE_FITS;
}

#endif

// ---------------------------------------------------------------------------------------------------------- any kind

// As joints, if any of them may be switched.
#if TAC_SWITCHES
static uint32_t count_switches(const tac_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->joints && i < TAC_MAX_JOINTS; i++) {
        if (SWITCHED(&model->joint[i])) count = model->joints;
    }
    return count;
}
#else
static uint32_t count_switches(const tac_model *model)
{
    (void)model;
    return 0;
}
#endif

image_world image_world_of(const tac_model *model)
{
    const image_world world = {model->bodies, (uint16_t)JOINTS(model), (uint16_t)count_switches(model)};
    return world;
}

int image_world_fits(image_world world)
{
    const int bodies_fit = image_fits(TAC_COUNT_BODIES, world.bodies);
    const int joints_fit = image_fits(TAC_COUNT_JOINTS, world.joints);
    if (bodies_fit != IMAGE_FITS) return bodies_fit;
    return joints_fit == IMAGE_FITS ? image_fits(IMAGE_SWITCHES, world.switches) : joints_fit;
}

int image_over(image_kind kind, const void *object, image_world world)
{
    int over = IMAGE_FITS;

    switch (kind) {
    case IMAGE_MODEL:
        return image_model_over(object);
    case IMAGE_STATE:
        over = image_world_fits(world);
        return over == IMAGE_FITS ? image_fits(TAC_COUNT_CONTACTS, ((const tac_state *)object)->warm_count) : over;
    case IMAGE_INPUT:
        over = image_fits(TAC_COUNT_ACTIONS, ((const tac_input *)object)->actions);
        return over == IMAGE_FITS ? image_fits(TAC_COUNT_MOTORS, MOTORS((const tac_input *)object)) : over;
    case IMAGE_MEASURED:
        return image_world_fits(world);
    default:
        return over;
    }
}

uint32_t image_count(image_kind kind, const void *object, image_world world)
{
    switch (kind) {
    case IMAGE_MODEL:
        return image_model_count(object);
    case IMAGE_STATE:
        return 1u + world.bodies + ((const tac_state *)object)->warm_count + world.joints + (world.joints > 0) +
               world.switches;
    case IMAGE_INPUT:
        return 1u + ((const tac_input *)object)->actions + MOTORS((const tac_input *)object);
    case IMAGE_CONTACTS:
        return 1u + ((const tac_work *)object)->report.contacts;
    case IMAGE_JOINTS:
        return 1u + ((const image_joints *)object)->count;
    case IMAGE_MEASURED:
        return 1u + world.joints;
    default:
        return 0;
    }
}

void image_put(image_kind kind, const void *object, image_world world, wire_writer *w, uint32_t element)
{
    switch (kind) {
    case IMAGE_MODEL:
        image_model_put(w, object, element);
        break;
    case IMAGE_STATE:
        put_state(w, object, world, element);
        break;
    case IMAGE_INPUT:
        put_input(w, object, element);
        break;
    case IMAGE_CONTACTS:
        put_contact(w, object, element);
        break;
    case IMAGE_JOINTS:
        put_results(w, object, element);
        break;
#if TAC_PREDICT
    case IMAGE_MEASURED:
        put_measured(w, object, element);
        break;
#endif
    default:
        break;
    }
}

int image_get(image_kind kind, void *object, image_world world, wire_reader *r, uint32_t element)
{
    switch (kind) {
    case IMAGE_MODEL:
        return image_model_get(r, object, element);
    case IMAGE_STATE:
        return get_state(r, object, world, element);
    case IMAGE_INPUT:
        return get_input(r, object, element);
    case IMAGE_CONTACTS:
        return get_contact(r, object, element);
    case IMAGE_JOINTS:
        return get_results(r, object, element);
#if TAC_PREDICT
    case IMAGE_MEASURED:
        return get_measured(r, object, element);
#endif
    default:
        return IMAGE_FITS;
    }
}
