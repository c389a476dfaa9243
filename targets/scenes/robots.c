// SPDX-License-Identifier: MIT
// robots.c - see robots.h. Where a joint is given, bodies stand as they do at its coordinate 0.
#include "parts.h"
#include "robots.h"

#define HALF_ROOT R(0.70710678118654752440)

// Rotations that take z to an axis of the world.
static const tac_quat ALONG_X = {HALF_ROOT, R(0), HALF_ROOT, R(0)}, ALONG_Y = {HALF_ROOT, -HALF_ROOT, R(0), R(0)},
                      ALONG_Z = {R(1), R(0), R(0), R(0)};

// ------------------------------------------------------------------------------------------------------- helpers

static tac_quat times(tac_quat a, tac_quat b)
{
    return (tac_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static tac_quat back(tac_quat q)
{
    return (tac_quat){q.w, -q.x, -q.y, -q.z};
}

// A pose of the world as a body of the model has it.
static tac_pose seen_from(const tac_model *model, uint16_t body, tac_pose pose)
{
    const tac_pose *own = &model->body[body].pose;
    const tac_quat p = {R(0), pose.p.x - own->p.x, pose.p.y - own->p.y, pose.p.z - own->p.z};
    const tac_quat turned = times(times(back(own->q), p), own->q);
    return (tac_pose){vec(turned.x, turned.y, turned.z), times(back(own->q), pose.q)};
}

// A joint at `point` of the world, its z along the axis that `q` takes z to.
static tac_joint *join(tac_model *model, uint8_t kind, uint16_t a, uint16_t b, tac_vec3 point, tac_quat q)
{
    tac_joint joint;
    tac_joint_init(&joint, kind, a, b);
    joint.frame_a = seen_from(model, a, (tac_pose){point, q});
    joint.frame_b = seen_from(model, b, (tac_pose){point, q});
    return &model->joint[tac_model_add_joint(model, &joint)];
}

// A robot meets the ground, and not itself.
static void meets_ground_only(tac_model *model)
{
    for (unsigned i = 0; i < model->shapes; i++) {
        if (model->shape[i].body == 0) { continue; }
        model->shape[i].group = 2;
        model->shape[i].mask = 1;
    }
}

// A world at 1 kHz where joints are exact.
static void workshop(tac_model *model, tac_real friction)
{
    world(model, R(0.001), friction, R(0));
    model->options.solver = TAC_SOLVER_DIRECT;
}

static tac_motor *motor(tac_input *input, uint32_t joint, uint16_t kind)
{
    tac_motor *m = &input->motor[input->motors++];
    *m = (tac_motor){R(0), R(0), R(0), R(0), R(0), (uint16_t)joint, kind};
    return m;
}

static void servo(tac_input *input, uint32_t joint, tac_real position, tac_real velocity, tac_real stiffness,
                  tac_real damping)
{
    tac_motor *m = motor(input, joint, TAC_MOTOR_PD);
    m->position = position;
    m->velocity = velocity;
    m->stiffness = stiffness;
    m->damping = damping;
}

static void rest(tac_input *input)
{
    input->actions = 0;
    input->motors = 0;
}

// ----------------------------------------------------------------------------------------------------- quadruped

enum { LEGS = 4, LEG_JOINTS = 3, TORSO = 1 };

// A rod of 0.2 m along z, turned about y by the angle of which half has this cosine and sine.
static uint16_t rod(tac_model *model, tac_vec3 at, tac_real mass, tac_real cosine, tac_real sine)
{
    const tac_real across = mass * R(0.04) / R(12), along = mass * R(0.0002);
    const uint16_t b = body(model, TAC_DYNAMIC, at, mass, vec(across, across, along));
    model->body[b].pose.q = (tac_quat){cosine, R(0), sine, R(0)};
    return b;
}

// Hip (about x), thigh and knee (about y): the thigh leans back by 0.6 rad, the shank forward, the foot is below the
// hip.
static void leg(tac_model *model, tac_real x, tac_real y, tac_real height)
{
    const tac_real cosine = R(0.95533648912560601964), sine = R(0.29552020666133957511); // of 0.3 rad
    const tac_real back_by = R(0.2) * R(0.56464247339503535720), down = R(0.2) * R(0.82533561490967829724);
    const tac_real side = y + (y > R(0) ? R(0.05) : R(-0.05)), i = R(0.5) * R(0.0064) / R(6);
    const tac_vec3 knee = vec(x - back_by, side, height - down), middle = vec(x - back_by / R(2), side, R(0));
    const uint16_t hip = body(model, TAC_DYNAMIC, vec(x, side, height), R(0.5), vec(i, i, i));
    const uint16_t thigh = rod(model, vec(middle.x, side, height - down / R(2)), R(0.5), cosine, sine);
    const uint16_t shank = rod(model, vec(middle.x, side, knee.z - down / R(2)), R(0.2), cosine, -sine);
    const uint16_t foot = shape(model, shank, TAC_SPHERE, vec(R(0.02), R(0), R(0)));
    model->shape[foot].pose.p.z = R(-0.1);
    join(model, TAC_REVOLUTE, TORSO, hip, vec(x, y, height), ALONG_X);
    join(model, TAC_REVOLUTE, hip, thigh, vec(x, side, height), ALONG_Y);
    join(model, TAC_REVOLUTE, thigh, shank, knee, ALONG_Y);
}

// A torso of 10 kg on four legs of 1.2 kg; soles just on the floor.
static tac_status quadruped(tac_model *model)
{
    const tac_real height = R(0.4) * R(0.82533561490967829724) + R(0.02);
    workshop(model, R(0.8));
    floor_plane(model);
    box(model, vec(R(0), R(0), height), vec(R(0.3), R(0.15), R(0.075)), R(10));
    for (unsigned i = 0; i < LEGS; i++) { leg(model, i & 1 ? R(0.25) : R(-0.25), i & 2 ? R(0.15) : R(-0.15), height); }
    meets_ground_only(model);
    return tac_model_seal(model, NULL);
}

static void stand(const tac_model *model, uint32_t step, tac_input *input)
{
    (void)model, (void)step;
    rest(input);
    for (uint32_t i = 0; i < LEGS * LEG_JOINTS; i++) { servo(input, i, R(0), R(0), R(100), R(1)); }
}

// Legs that are diagonal from each other bend together, for 0.15 s of each 0.4 s, the other two half a period later.
// The knees of those that stand are told the weight that they have.
static void trot(const tac_model *model, uint32_t step, tac_input *input)
{
    enum { HALF = 200, SWING = 150 };
    const tac_real weight = R(14.8) * R(9.81), arm = R(0.2) * R(0.56464247339503535720), seconds = R(SWING) * model->h;
    const uint32_t phase = step % HALF, swings = step / HALF % 2;
    const tac_real s = phase < SWING ? R(phase) / R(SWING) : R(0), rise = s * (R(1) - s);
    const tac_real bend = R(5) * rise * rise, rate = R(10) * rise * (R(1) - R(2) * s) / seconds;
    rest(input);
    for (uint32_t i = 0; i < LEGS; i++) {
        const int up = (i == 0 || i == 3) == (swings == 0) && phase < SWING;
        servo(input, LEG_JOINTS * i, R(0), R(0), R(150), R(3));
        servo(input, LEG_JOINTS * i + 1, up ? bend : R(0), up ? rate : R(0), R(150), R(3));
        servo(input, LEG_JOINTS * i + 2, up ? R(-2) * bend : R(0), up ? R(-2) * rate : R(0), R(150), R(3));
        input->motor[LEG_JOINTS * i + 2].effort = up ? R(0) : arm * weight / (phase < SWING ? R(2) : R(4));
    }
}

// ---------------------------------------------------------------------------------------------------------- door

// 20 kg, 0.8 m wide, on a hinge whose friction is 3 N m.
static tac_status door(tac_model *model)
{
    workshop(model, R(0.5));
    const uint16_t leaf = box(model, vec(R(0.4), R(0), R(1)), vec(R(0.4), R(0.02), R(1)), R(20));
    join(model, TAC_REVOLUTE, 0, leaf, vec(R(0), R(0), R(1)), ALONG_Z)->friction = R(3);
    return tac_model_seal(model, NULL);
}

// Pushed with 100 N at its handle, square to the leaf, for 60 ms.
static void push(const tac_model *model, uint32_t step, tac_input *input)
{
    (void)model;
    rest(input);
    if (step >= 60) { return; }
    const tac_vec3 force = vec(R(0), R(100), R(0)), none = vec(R(0), R(0), R(0));
    input->actions = 1;
    input->action[0] = action(1, TAC_WRENCH_BODY, force, none, vec(R(0.35), R(0), R(0)));
}

// --------------------------------------------------------------------------------------------------------- table

const scene robots[] = {
    {"stand", "a quadruped of twelve motors stands on four feet", 2000, quadruped, stand},
    {"trot", "it trots in place", 4000, quadruped, trot},
    {"door", "a door that is pushed, and stopped by the friction of its hinge", 1600, door, push},
};

const unsigned robot_count = sizeof robots / sizeof robots[0];

const scene *robot_find(const char *name)
{
    for (unsigned i = 0; i < robot_count; i++) {
        if (same_text(robots[i].name, name)) { return &robots[i]; }
    }
    return NULL;
}
