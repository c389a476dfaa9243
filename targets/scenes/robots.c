// SPDX-License-Identifier: MIT
// robots.c - see robots.h. A joint is made at the initial poses of its bodies, where its coordinate is 0.
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

static tac_quat conjugate(tac_quat q)
{
    return (tac_quat){q.w, -q.x, -q.y, -q.z};
}

// A pose of the world frame in the frame of a body.
static tac_pose in_frame_of(const tac_model *model, uint16_t body, tac_pose pose)
{
    const tac_pose *own = &model->body[body].pose;
    const tac_quat p = {R(0), pose.p.x - own->p.x, pose.p.y - own->p.y, pose.p.z - own->p.z};
    const tac_quat turned = times(times(conjugate(own->q), p), own->q);
    return (tac_pose){vec(turned.x, turned.y, turned.z), times(conjugate(own->q), pose.q)};
}

// A joint at `point` of the world frame; its z axis is z rotated by `q`.
static tac_joint *join(tac_model *model, uint8_t kind, uint16_t a, uint16_t b, tac_vec3 point, tac_quat q)
{
    tac_joint joint;
    tac_joint_init(&joint, kind, a, b);
    joint.frame_a = in_frame_of(model, a, (tac_pose){point, q});
    joint.frame_b = in_frame_of(model, b, (tac_pose){point, q});
    return &model->joint[tac_model_add_joint(model, &joint)];
}

// Shapes of bodies collide with those of the ground only, not with each other.
static void collide_with_ground_only(tac_model *model)
{
    for (unsigned i = 0; i < model->shapes; i++) {
        if (model->shape[i].body == 0) { continue; }
        model->shape[i].group = 2;
        model->shape[i].mask = 1;
    }
}

// A world with a step of 1 ms and without restitution.
static void world_of_1_ms(tac_model *model, tac_real friction)
{
    world(model, R(0.001), friction, R(0));
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
    join(model, TAC_REVOLUTE, QUADRUPED_TORSO, hip, vec(x, y, height), ALONG_X);
    join(model, TAC_REVOLUTE, hip, thigh, vec(x, side, height), ALONG_Y);
    join(model, TAC_REVOLUTE, thigh, shank, knee, ALONG_Y);
}

// A torso of 10 kg on four legs of 1.2 kg; soles just on the floor.
static tac_status quadruped(tac_model *model)
{
    const tac_real height = R(0.4) * R(0.82533561490967829724) + R(0.02);
    world_of_1_ms(model, R(0.8));
    floor_plane(model);
    box(model, vec(R(0), R(0), height), vec(R(0.3), R(0.15), R(0.075)), R(10));
    for (unsigned i = 0; i < QUADRUPED_LEGS; i++) {
        leg(model, i & 1 ? R(0.25) : R(-0.25), i & 2 ? R(0.15) : R(-0.15), height);
    }
    collide_with_ground_only(model);
    return tac_model_seal(model, NULL);
}

// The same on feet of rubber, which sink in by 1.8 mm where two of them bear the robot.
static tac_status rubber(tac_model *model)
{
    (void)quadruped(model);
    const int32_t feet = tac_model_add_material(model, R(0.8), R(0));
    model->material[feet].stiffness = R(4e4);
    model->material[feet].damping = R(200);
    for (unsigned i = 0; i < model->shapes; i++) {
        if (model->shape[i].kind == TAC_SPHERE) { model->shape[i].material = (uint8_t)feet; }
    }
    return tac_model_seal(model, NULL);
}

static void stand(const tac_model *model, uint32_t step, tac_input *input)
{
    (void)model, (void)step;
    rest(input);
    for (uint32_t i = 0; i < QUADRUPED_LEGS * QUADRUPED_LEG_JOINTS; i++) { servo(input, i, R(0), R(0), R(100), R(1)); }
}

// Diagonal legs bend together, for 0.15 s of each 0.4 s, the other two half a period later. The knee motors of the legs
// on the ground get the torque of the weight they bear as feed-forward.
static void trot(const tac_model *model, uint32_t step, tac_input *input)
{
    enum { HALF = 200, SWING = 150 };
    const tac_real weight = R(14.8) * R(9.81), arm = R(0.2) * R(0.56464247339503535720), seconds = R(SWING) * model->h;
    const uint32_t phase = step % HALF, swings = step / HALF % 2;
    const tac_real s = phase < SWING ? R(phase) / R(SWING) : R(0), rise = s * (R(1) - s);
    const tac_real bend = R(5) * rise * rise, rate = R(10) * rise * (R(1) - R(2) * s) / seconds;
    rest(input);
    for (uint32_t i = 0; i < QUADRUPED_LEGS; i++) {
        const int up = (i == 0 || i == 3) == (swings == 0) && phase < SWING;
        servo(input, QUADRUPED_LEG_JOINTS * i, R(0), R(0), R(150), R(3));
        servo(input, QUADRUPED_LEG_JOINTS * i + 1, up ? bend : R(0), up ? rate : R(0), R(150), R(3));
        servo(input, QUADRUPED_LEG_JOINTS * i + 2, up ? R(-2) * bend : R(0), up ? R(-2) * rate : R(0), R(150), R(3));
        input->motor[QUADRUPED_LEG_JOINTS * i + 2].effort = up ? R(0) : arm * weight / (phase < SWING ? R(2) : R(4));
    }
}

// ------------------------------------------------------------------------------------------------------- gripper

// A wrist that is lifted; on it a finger whose position is prescribed and one that presses with a force; between them a
// box of 1 kg. The contact forces at the four corners of a rigid pad are not unique. With warm start they keep what
// lifting and rounding have left, which may concentrate on an edge, and the box then rotates about this edge. Started
// from zero impulses, Newton's method finds those of least norm, which press evenly.
static tac_status gripper(tac_model *model)
{
    const tac_vec3 pad = vec(R(0.01), R(0.02), R(0.03));
    world_of_1_ms(model, R(0.5));
    model->options.warm_start = 0;
    model->options.solver = TAC_SOLVER_DIRECT;
    floor_plane(model);
    box(model, vec(R(0), R(0), R(0.15)), vec(R(0.08), R(0.02), R(0.02)), R(0.5));
    const uint16_t left = box(model, vec(R(-0.045), R(0), R(0.05)), pad, R(0.1));
    const uint16_t right = box(model, vec(R(0.045), R(0), R(0.05)), pad, R(0.1));
    box(model, vec(R(0), R(0), R(0.03)), vec(R(0.03), R(0.03), R(0.03)), R(1));
    join(model, TAC_PRISMATIC, 0, GRIPPER_WRIST, vec(R(0), R(0), R(0.15)), ALONG_Z);
    join(model, TAC_PRISMATIC, GRIPPER_WRIST, left, vec(R(-0.045), R(0), R(0.05)), ALONG_X);
    join(model, TAC_PRISMATIC, GRIPPER_WRIST, right, vec(R(0.045), R(0), R(0.05)), ALONG_X);
    return tac_model_seal(model, NULL);
}

// Smooth step: from 0 to 1 as s goes from 0 to 1, with zero slope at both ends.
static tac_real ease(tac_real s)
{
    const tac_real t = s < R(0) ? R(0) : s > R(1) ? R(1) : s;
    return t * t * (R(3) - R(2) * t);
}

// Closes in 0.05 s with twice the force that the weight needs, lifts by 0.1 m from 0.1 to 0.5 s, then lets the force
// fall to 1.05 of what the weight needs: mg/(2 mu).
static void lift(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real t = R(step + 1) * model->h, need = R(9.81) / (R(2) * R(0.5));
    const tac_real margin = R(2) - R(0.95) * ease((t - R(0.6)) / R(0.3));
    rest(input);
    motor(input, GRIPPER_LIFT, TAC_MOTOR_POSITION)->position = R(0.1) * ease((t - R(0.1)) / R(0.4));
    motor(input, GRIPPER_HOLD, TAC_MOTOR_POSITION)->position = R(0.005) * ease(t / R(0.05));
    motor(input, GRIPPER_PINCH, TAC_MOTOR_EFFORT)->effort = -margin * need;
}

// ---------------------------------------------------------------------------------------------------------- suction

#if TAC_SWITCHES

// A cup on a lift holds a box of 1 kg, by a weld that bears 15 N.
static tac_status suction(tac_model *model)
{
    tac_joint cup;
    world_of_1_ms(model, R(0.5));
    floor_plane(model);
    const uint16_t lift_body = box(model, vec(R(0), R(0), R(0.12)), vec(R(0.03), R(0.03), R(0.02)), R(0.5));
    const uint16_t load = box(model, vec(R(0), R(0), R(0.05)), vec(R(0.05), R(0.05), R(0.05)), R(1));
    join(model, TAC_PRISMATIC, 0, lift_body, vec(R(0), R(0), R(0.12)), ALONG_Z);
    tac_joint_init(&cup, TAC_FIXED, lift_body, load);
    cup.frame_a.p.z = R(-0.02);
    cup.frame_b.p.z = R(0.05);
    cup.switched = TAC_JOINT_ON;
    cup.break_force = R(15);
    tac_model_add_joint(model, &cup);
    return tac_model_seal(model, NULL);
}

// Lifts by 0.2 m from 0.1 to 0.6 s, at 4.8 m/s2 at the most; at 1 s it jerks, at up to 30 m/s2, and the box falls.
static void raise(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real t = R(step + 1) * model->h;
    rest(input);
    motor(input, 0, TAC_MOTOR_POSITION)->position =
        R(0.2) * ease((t - R(0.1)) / R(0.5)) + R(0.05) * ease((t - R(1)) / R(0.1));
}

#endif

// ---------------------------------------------------------------------------------------------------------- mecanum

#if TAC_FRICTION_LAWS

// A robot of 5 kg on four mecanum wheels. The axis of a wheel, turned by 45 degrees about the normal, is that of its
// roller on the ground; across it the roller gives way.
static tac_status mecanum(tac_model *model)
{
    static const tac_real turns[MECANUM_WHEELS] = {R(-1), R(1), R(1), R(-1)};
    const tac_real r = R(0.05), i = R(3e-4);
    world_of_1_ms(model, R(0.8));
    floor_plane(model);
    box(model, vec(R(0), R(0), R(0.07)), vec(R(0.25), R(0.1), R(0.04)), R(3.8));
    for (uint32_t k = 0; k < MECANUM_WHEELS; k++) {
        const tac_vec3 at = vec(k < 2 ? R(0.2) : R(-0.2), k % 2 ? R(-0.15) : R(0.15), r);
        const uint16_t wheel = body(model, TAC_DYNAMIC, at, R(0.3), vec(i, i, i));
        tac_shape *const ball = &model->shape[shape(model, wheel, TAC_SPHERE, vec(r, R(0), R(0)))];
        ball->axis = vec(R(0), R(1), R(0));
        ball->turn = turns[k] * R(0.78539816339744830962);
        join(model, TAC_REVOLUTE, MECANUM_CHASSIS, wheel, at, ALONG_Y);
    }
    collide_with_ground_only(model);
    return tac_model_seal(model, NULL);
}

// Wheels on a diagonal turn alike, those of the other one against them: it drives sideways, to the left at 0.2 m/s.
static void sideways(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real rate = R(4) * ease(R(step) * model->h / R(0.3));
    rest(input);
    for (uint32_t k = 0; k < MECANUM_WHEELS; k++) {
        motor(input, k, TAC_MOTOR_VELOCITY)->velocity = k == 0 || k == 3 ? -rate : rate;
    }
}

#endif

// ---------------------------------------------------------------------------------------------------------- ragdoll

#if TAC_COORDINATES

// A limb from `from` along z turned by q, on a ball joint whose cone is about the limb as it is built, then a second
// one on a hinge about its y axis. Joints: ball, swing, twist, hinge.
static void limb(tac_model *model, tac_vec3 from, tac_quat q, tac_real half, tac_real radius, tac_real swing,
                 tac_real twist)
{
    const tac_quat along = times(times(q, (tac_quat){R(0), R(0), R(0), R(1)}), conjugate(q));
    uint16_t above = RAGDOLL_TORSO;
    for (uint32_t part = 0; part < 2; part++) {
        const tac_real to_middle = half * R(2 * part + 1), to_end = half * R(2 * part);
        const tac_vec3 at =
            vec(from.x + to_middle * along.x, from.y + to_middle * along.y, from.z + to_middle * along.z);
        const tac_vec3 end = vec(from.x + to_end * along.x, from.y + to_end * along.y, from.z + to_end * along.z);
        const uint16_t b = body(model, TAC_DYNAMIC, at, R(1), vec(R(1), R(1), R(1)));
        model->body[b].pose.q = q;
        shape(model, b, TAC_CAPSULE, vec(radius, R(0), half));
        tac_model_mass_from_shapes(model, b, R(800));
        tac_joint *const joint = join(model, part == 0 ? TAC_SPHERICAL : TAC_REVOLUTE, above, b, end, q);
        tac_joint *const bent = part == 0 ? join(model, TAC_SWING, above, b, end, q) : joint;
        bent->lower = R(0);
        bent->upper = part == 0 ? swing : R(2.2);
        bent->friction = R(1);
        if (part == 0) {
            tac_joint *const turned = join(model, TAC_TWIST, above, b, end, q);
            turned->lower = -twist;
            turned->upper = twist;
            turned->friction = R(1);
        }
        above = b;
    }
}

// A doll of 64 kg without motors, shoulders and hips limited by cones and twists, is thrown down four stairs.
static tac_status ragdoll(tac_model *model)
{
    const tac_real up = R(0.38268343236508977173), out = R(0.92387953251128675613);  // of 67.5 degrees
    const tac_real low = R(0.08715574274765817356), far = R(0.99619469809174553230); // of 85 degrees
    const tac_vec3 speed = vec(R(1.5), R(0), R(1)), spin = vec(R(0.5), R(2), R(0.3));
    world_of_1_ms(model, R(0.6));
    floor_plane(model);
    for (unsigned i = 0; i < 4; i++) {
        tac_shape *const stair = &model->shape[shape(model, 0, TAC_BOX, vec(R(1) - R(0.15) * R(i), R(2), R(0.09)))];
        stair->pose.p = vec(R(-0.8) - R(0.15) * R(i), R(0), R(0.09) + R(0.18) * R(i));
    }
    const tac_vec3 chest = vec(R(-1), R(0), R(1.95));
    const uint16_t torso = body(model, TAC_DYNAMIC, chest, R(1), vec(R(1), R(1), R(1)));
    shape(model, torso, TAC_CAPSULE, vec(R(0.15), R(0), R(0.18)));
    model->shape[shape(model, torso, TAC_SPHERE, vec(R(0.11), R(0), R(0)))].pose.p.z = R(0.45);
    tac_model_mass_from_shapes(model, torso, R(800));
    for (int side = -1; side < 2; side += 2) {
        const tac_real y = R(side);
        limb(model, vec(chest.x, R(0.2) * y, chest.z + R(0.2)), (tac_quat){up, -y * out, R(0), R(0)}, R(0.14), R(0.045),
             R(1.3), R(0.8));
        limb(model, vec(chest.x, R(0.1) * y, chest.z - R(0.33)), (tac_quat){low, -y * far, R(0), R(0)}, R(0.2),
             R(0.065), R(0.8), R(0.5));
    }
    for (uint16_t i = RAGDOLL_TORSO; i < model->bodies; i++) {
        const tac_vec3 p = model->body[i].pose.p, r = vec(p.x - chest.x, p.y, p.z - chest.z);
        model->body[i].velocity.v = vec(speed.x + spin.y * r.z - spin.z * r.y, speed.y + spin.z * r.x - spin.x * r.z,
                                        speed.z + spin.x * r.y - spin.y * r.x);
        model->body[i].velocity.w = spin;
    }
    return tac_model_seal(model, NULL);
}

#endif

// ---------------------------------------------------------------------------------------------------------- hand

// A capsule of 45 g and 4 mm in radius between the pads of two fingers of a hand that is shaken. Each pad touches it
// along a line, at two points, and which of them bears the force is as little determined as at the corners of the
// gripper's pads: therefore the same solver, without warm start.
static tac_status hand(tac_model *model)
{
    const tac_vec3 pad = vec(R(0.01), R(0.02), R(0.02));
    const tac_real mass = R(0.045), radius = R(0.004), half = R(0.015);
    const tac_real across = mass * R(1.08796e-4), along = mass * R(7.7585e-6); // homogeneous
    world_of_1_ms(model, R(0.7));
    model->options.warm_start = 0;
    model->options.solver = TAC_SOLVER_DIRECT;
    const uint16_t palm = box(model, vec(R(0), R(0), R(0.1)), vec(R(0.05), R(0.02), R(0.02)), R(0.5));
    const uint16_t left = box(model, vec(R(-0.014), R(0), R(0)), pad, R(0.1));
    const uint16_t right = box(model, vec(R(0.014), R(0), R(0)), pad, R(0.1));
    const uint16_t capsule = body(model, TAC_DYNAMIC, vec(R(0), R(0), R(0)), mass, vec(across, across, along));
    model->body[capsule].pose.q = ALONG_Y;
    shape(model, capsule, TAC_CAPSULE, vec(radius, R(0), half));
    join(model, TAC_PRISMATIC, 0, palm, vec(R(0), R(0), R(0.1)), ALONG_Z);
    join(model, TAC_PRISMATIC, palm, left, vec(R(-0.014), R(0), R(0)), ALONG_X);
    join(model, TAC_PRISMATIC, palm, right, vec(R(0.014), R(0), R(0)), ALONG_X);
    return tac_model_seal(model, NULL);
}

// Sine of an angle in revolutions, 0 .. 1: Taylor's series about the nearer zero.
static tac_real sine(tac_real turns)
{
    const tac_real a = R(2) * (turns < R(0.25) ? turns : turns < R(0.75) ? R(0.5) - turns : turns - R(1));
    const tac_real x = R(3.14159265358979323846) * a, x2 = x * x;
    tac_real sum = R(1);
    for (unsigned k = 13; k > 1; k -= 2) { sum = R(1) - x2 * sum / R(k * (k - 1)); }
    return x * sum;
}

// One finger holds its place, the other presses with 12 to 60 N, up and down in four seconds. The hand is shaken at 2
// Hz and 20 mm once the grip is closed; the first period swings it up to that.
static void shake(const tac_model *model, uint32_t step, tac_input *input)
{
    enum { PERIOD = 500, PRESS = 4000 };
    const tac_real grown = ease(R(step) / R(PERIOD)), phase = R((step + 1) % PERIOD) / R(PERIOD);
    const tac_real rise = R(step % PRESS) / R(PRESS / 2), part = ease(rise < R(1) ? rise : R(2) - rise);
    (void)model;
    rest(input);
    motor(input, HAND_SHAKE, TAC_MOTOR_POSITION)->position = R(0.02) * grown * sine(phase);
    motor(input, HAND_HOLD, TAC_MOTOR_POSITION);
    motor(input, HAND_PINCH, TAC_MOTOR_EFFORT)->effort = -(R(12) + R(48) * part);
}

// ------------------------------------------------------------------------------------------------------ mechanisms

// A link between two points of a plane y = const. About y it has the inertia of a thin rod; about x and z it has equal
// moments, so that its principal frame need not be turned.
static uint16_t link(tac_model *model, tac_vec3 from, tac_vec3 to, tac_real mass)
{
    const tac_real x = to.x - from.x, z = to.z - from.z, spin = mass * (x * x + z * z) / R(12);
    const tac_real across = spin / R(2) + mass * R(1e-5);
    const tac_vec3 middle = vec((from.x + to.x) / R(2), from.y, (from.z + to.z) / R(2));
    return body(model, TAC_DYNAMIC, middle, mass, vec(across, spin, across));
}

static tac_joint *pin(tac_model *model, uint16_t a, uint16_t b, tac_vec3 at)
{
    return join(model, TAC_REVOLUTE, a, b, at, ALONG_Y);
}

// Crank 0.1 m, coupler, rocker 0.2 m; their pivots are 0.3 m apart. The crank rotates, the rocker swings.
static tac_status four_bar(tac_model *model)
{
    const tac_vec3 a = vec(R(0), R(0), R(0)), b = vec(R(0), R(0), R(0.1)), c = vec(R(0.3), R(0), R(0.2)),
                   d = vec(R(0.3), R(0), R(0));
    world_of_1_ms(model, R(0.5));
    const uint16_t crank = link(model, a, b, R(0.2)), coupler = link(model, b, c, R(0.6));
    const uint16_t rocker = link(model, c, d, R(0.4));
    pin(model, 0, crank, a);
    pin(model, crank, coupler, b);
    pin(model, coupler, rocker, c);
    pin(model, 0, rocker, d);
    return tac_model_seal(model, NULL);
}

// Crank 0.1 m, rod 0.3 m, a slide of 1 kg along x.
static tac_status slider_crank(tac_model *model)
{
    const tac_vec3 a = vec(R(0), R(0), R(0)), b = vec(R(0.1), R(0), R(0)), c = vec(R(0.4), R(0), R(0));
    const tac_real i = R(0.001);
    world_of_1_ms(model, R(0.5));
    const uint16_t crank = link(model, a, b, R(0.2)), coupler = link(model, b, c, R(0.6));
    const uint16_t slide = body(model, TAC_DYNAMIC, c, R(1), vec(i, i, i));
    pin(model, 0, crank, a);
    pin(model, crank, coupler, b);
    pin(model, coupler, slide, c);
    join(model, TAC_PRISMATIC, 0, slide, c, ALONG_X);
    return tac_model_seal(model, NULL);
}

// The crank speeds up to 6 rad/s within half a second.
static void turn(const tac_model *model, uint32_t step, tac_input *input)
{
    rest(input);
    motor(input, LINKAGE_CRANK, TAC_MOTOR_VELOCITY)->velocity = R(6) * ease(R(step) * model->h / R(0.5));
}

// Five links of 0.5 m, the last of 100 kg, released level; gravity tilted by 0.1 rad, so that the hinges carry moments.
static tac_status chain(tac_model *model)
{
    world_of_1_ms(model, R(0.5));
    model->gravity = vec(R(0), R(9.81) * R(0.09983341664682815231), R(-9.81) * R(0.99500416527802576609));
    for (uint16_t i = 0; i < CHAIN_LINKS; i++) {
        const tac_real mass = i + 1 < CHAIN_LINKS ? R(1) : R(100), x = R(0.5) * R(i), across = mass * R(0.2525) / R(12);
        body(model, TAC_DYNAMIC, vec(x + R(0.25), R(0), R(0)), mass, vec(mass * R(0.005) / R(12), across, across));
        pin(model, i, (uint16_t)(i + 1), vec(x, R(0), R(0)));
    }
    return tac_model_seal(model, NULL);
}

// ------------------------------------------------------------------------------------------------------ benchmarks
// Three problems of the library of computational benchmarks of the IFToMM: A02, A04 and A05.

// Two parallelograms side by side: three upright links of 1 m on the ground and two level ones, each of 1 kg. Set in
// motion at 1 m/s they rotate. Whenever they lie flat, each parallelogram may go on as a parallelogram or fold
// crosswise.
static tac_status n_four_bar(tac_model *model)
{
    world_of_1_ms(model, R(0.5));
    uint16_t before = TAC_NONE;
    for (unsigned i = 0; i <= N_FOUR_BAR_WINDOWS; i++) {
        const tac_vec3 foot = vec(R(i), R(0), R(0)), head = vec(R(i), R(0), R(1)), next = vec(R(i + 1), R(0), R(1));
        const uint16_t post = link(model, foot, head, R(1));
        model->body[post].velocity = (tac_twist){vec(R(0.5), R(0), R(0)), vec(R(0), R(1), R(0))};
        pin(model, 0, post, foot);
        if (before != TAC_NONE) { pin(model, before, post, head); }
        if (i == N_FOUR_BAR_WINDOWS) { break; }
        before = link(model, head, next, R(1));
        model->body[before].velocity.v = vec(R(1), R(0), R(0));
        pin(model, post, before, head);
    }
    return tac_model_seal(model, NULL);
}

// A rod of 1 kg, 1 m long, of square cross section.
static uint16_t bricard_rod(tac_model *model, tac_vec3 from, tac_vec3 to)
{
    const tac_real side = R(0.01), x = to.x - from.x, y = to.y - from.y, z = to.z - from.z, part = R(1) / R(12);
    const tac_real xx = x * x + side, yy = y * y + side, zz = z * z + side;
    const tac_vec3 middle = vec((from.x + to.x) / R(2), (from.y + to.y) / R(2), (from.z + to.z) / R(2));
    return body(model, TAC_DYNAMIC, middle, R(1), vec(part * (yy + zz), part * (xx + zz), part * (xx + yy)));
}

// Five rods along edges of a cube, hinged to each other and to the ground. Six hinges leave five rods no motion by
// their number, and one by their directions.
static tac_status bricard(tac_model *model)
{
    static const tac_vec3 at[6] = {{R(0), R(0), R(0)},   {R(1), R(0), R(0)},   {R(1), R(0), R(-1)},
                                   {R(1), R(-1), R(-1)}, {R(0), R(-1), R(-1)}, {R(0), R(-1), R(0)}};
    const tac_quat axis[6] = {ALONG_Z, ALONG_Y, ALONG_X, ALONG_Z, ALONG_Y, ALONG_X};
    world_of_1_ms(model, R(0.5));
    uint16_t before = 0;
    for (unsigned i = 0; i < 5; i++) {
        const uint16_t rod = bricard_rod(model, at[i], at[i + 1]);
        join(model, TAC_REVOLUTE, before, rod, at[i], axis[i]);
        before = rod;
    }
    join(model, TAC_REVOLUTE, 0, before, at[5], axis[5]);
    return tac_model_seal(model, NULL);
}

// A rod of 0.3 kg with a ball of 5 kg at its end, hinged to the shaft, 30 degrees below the horizontal; a spring from
// its middle to the slider.
static void flyball_arm(tac_model *model, tac_real side, uint16_t shaft, uint16_t slider)
{
    const tac_real rate = R(6.28318530717958647692), cosine = R(0.86602540378443864676),
                   reach = R(0.5) + R(2.5) / R(5.3);
    const tac_real back = reach - R(0.5), out = R(1) - reach;
    const tac_real along = R(0.3) * R(0.0002) / R(12);
    const tac_real across = R(0.3) * R(1.0001) / R(12) + R(0.3) * back * back + R(5) * out * out;
    const tac_vec3 hinge = vec(side * R(0.05), R(0), R(1)),
                   middle = vec(side * (R(0.05) + R(0.5) * cosine), R(0), R(0.75)),
                   ear = vec(side * R(0.05), R(0), R(0.5)),
                   at = vec(side * (R(0.05) + reach * cosine), R(0), R(1) - R(0.5) * reach);
    const uint16_t arm = body(model, TAC_DYNAMIC, at, R(5.3), vec(along, across, across));
    const tac_real half = R(0.96592582628906828675), other = R(0.25881904510252076235); // cosine and sine of 15 degrees
    model->body[arm].pose.q = side > R(0) ? (tac_quat){half, R(0), other, R(0)} : (tac_quat){other, R(0), half, R(0)};
    model->body[arm].velocity.v = vec(R(0), rate * at.x, R(0));
    model->body[arm].velocity.w = vec(R(-0.5) * rate, R(0), side * cosine * rate);
    join(model, TAC_REVOLUTE, shaft, arm, hinge, ALONG_Y);
    tac_joint *spring = join(model, TAC_DISTANCE, slider, arm, ear, ALONG_Z);
    spring->frame_b = in_frame_of(model, arm, (tac_pose){middle, ALONG_Z});
    spring->stiffness = R(8e5);
    spring->damping = R(4e4);
    spring->rest = R(0.5);
}

// Watt's governor: a shaft of 0.3 kg at one revolution a second, a slider of 3 kg on it, which stiff springs hang on
// two arms.
static tac_status flyball(tac_model *model)
{
    const tac_vec3 spin = vec(R(0), R(0), R(6.28318530717958647692));
    world_of_1_ms(model, R(0.5));
    const uint16_t shaft =
        body(model, TAC_DYNAMIC, vec(R(0), R(0), R(0.5)), R(0.3),
             vec(R(0.3) * R(1.0001) / R(12), R(0.3) * R(1.0001) / R(12), R(0.3) * R(0.0002) / R(12)));
    const uint16_t slider = body(model, TAC_DYNAMIC, vec(R(0), R(0), R(0.5)), R(3), vec(R(0.005), R(0.005), R(0.005)));
    model->body[shaft].velocity.w = model->body[slider].velocity.w = spin;
    join(model, TAC_REVOLUTE, 0, shaft, vec(R(0), R(0), R(0)), ALONG_Z);
    join(model, TAC_PRISMATIC, shaft, slider, vec(R(0), R(0), R(0.5)), ALONG_Z);
    flyball_arm(model, R(1), shaft, slider);
    flyball_arm(model, R(-1), shaft, slider);
    return tac_model_seal(model, NULL);
}

// --------------------------------------------------------------------------------------------------------- rover

// 4 m of ground: flat, up a slope of 1 in 5, over waves.
static void hills(tac_model *model)
{
    static const tac_height height[64] = {
        0, 0, 0, 0, 0, 50, 100, 150, 200, 220, 200, 230, 260, 240, 250, 250, //
        0, 0, 0, 0, 0, 50, 100, 150, 200, 210, 215, 210, 245, 255, 250, 250, //
        0, 0, 0, 0, 0, 50, 100, 150, 200, 205, 225, 225, 235, 260, 250, 250, //
        0, 0, 0, 0, 0, 50, 100, 150, 200, 225, 205, 240, 225, 245, 250, 250,
    };
    tac_shape ground = tac_shape_make(0, TAC_HEIGHT_FIELD, vec(R(0), R(0), R(0)));
    ground.data = (uint16_t)tac_model_add_height_field(model, height, 16, 4, R(0.25), R(0.4), R(0.001));
    ground.pose.p = vec(R(-0.5), R(-0.6), R(0));
    tac_model_add_shape(model, &ground);
}

static void wheel(tac_model *model, uint16_t on, tac_real x, tac_real y)
{
    const tac_real mass = R(0.5), r = R(0.1), w = R(0.03), across = mass * (R(3) * r * r + R(4) * w * w) / R(12);
    const uint16_t b = body(model, TAC_DYNAMIC, vec(x, y, r), mass, vec(across, across, mass * r * r / R(2)));
    model->body[b].pose.q = ALONG_Y;
    shape(model, b, TAC_CYLINDER, vec(r, R(0), w));
    join(model, TAC_REVOLUTE, on, b, vec(x, y, r), ALONG_Y)->effort = R(4);
}

// A body of 5 kg on four wheels, the front axle free to roll.
static tac_status rover(tac_model *model)
{
    world_of_1_ms(model, R(0.8));
    hills(model);
    box(model, vec(R(0), R(0), R(0.15)), vec(R(0.2), R(0.1), R(0.05)), R(5));
    const uint16_t axle = box(model, vec(R(0.2), R(0), R(0.1)), vec(R(0.02), R(0.1), R(0.02)), R(0.5));
    join(model, TAC_REVOLUTE, ROVER_BODY, axle, vec(R(0.2), R(0), R(0.1)), ALONG_X);
    wheel(model, ROVER_BODY, R(-0.2), R(-0.2));
    wheel(model, ROVER_BODY, R(-0.2), R(0.2));
    wheel(model, axle, R(0.2), R(-0.2));
    wheel(model, axle, R(0.2), R(0.2));
    collide_with_ground_only(model);
    return tac_model_seal(model, NULL);
}

// The motor of each wheel is given the speed that belongs to 0.5 m/s.
static void roll(const tac_model *model, uint32_t step, tac_input *input)
{
    rest(input);
    for (uint32_t i = 0; i < ROVER_WHEELS; i++) {
        motor(input, ROVER_WHEEL + i, TAC_MOTOR_VELOCITY)->velocity = R(5) * ease(R(step) * model->h / R(0.3));
    }
}

// --------------------------------------------------------------------------------------------------------- biped

// Two parallelograms, one above the other: between pelvis and knee, and between knee and foot. So the foot stays level
// with the pelvis, the leg has two degrees of freedom, and of its 40 rows six are redundant.
static void biped_leg(tac_model *model, tac_real y)
{
    const tac_real sine = R(0.38941834230865049167), cosine = R(0.92106099400288508280); // of 0.4 rad
    const tac_real ankle = R(0.04), knee = ankle + R(0.3) * cosine, hip = knee + R(0.3) * cosine, x = R(0.3) * sine;
    const tac_vec3 a[2] = {vec(R(0), y, hip), vec(R(0.06), y, hip)},
                   k[2] = {vec(x, y, knee), vec(x + R(0.06), y, knee)};
    const tac_vec3 n[2] = {vec(R(0), y, ankle), vec(R(0.06), y, ankle)};
    const uint16_t thigh = link(model, a[0], k[0], R(1)), upper = link(model, a[1], k[1], R(0.2));
    const uint16_t plate = link(model, k[0], k[1], R(0.3));
    const uint16_t shank = link(model, k[0], n[0], R(0.8)), lower = link(model, k[1], n[1], R(0.2));
    const uint16_t foot = box(model, vec(R(0.03), y, R(0.02)), vec(R(0.1), R(0.04), R(0.02)), R(0.5));
    pin(model, BIPED_PELVIS, thigh, a[0]);
    pin(model, BIPED_PELVIS, upper, a[1]);
    pin(model, thigh, plate, k[0]);
    pin(model, upper, plate, k[1]);
    pin(model, plate, shank, k[0]);
    pin(model, plate, lower, k[1]);
    pin(model, shank, foot, n[0]);
    pin(model, lower, foot, n[1]);
}

// A pelvis of 8 kg on two such legs of 3 kg.
static tac_status biped(tac_model *model)
{
    world_of_1_ms(model, R(0.8));
    floor_plane(model);
    box(model, vec(R(0.03), R(0), R(0.66)), vec(R(0.08), R(0.1), R(0.06)), R(8));
    biped_leg(model, R(-0.12));
    biped_leg(model, R(0.12));
    collide_with_ground_only(model);
    return tac_model_seal(model, NULL);
}

// Thighs swing forward and shanks back by 0.4 rad, once a second.
static void squat(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real s = R(step % 1000) * model->h, rise = s * (R(1) - s);
    const tac_real bend = R(6.4) * rise * rise, rate = R(12.8) * rise * (R(1) - R(2) * s);
    rest(input);
    for (uint32_t i = 0; i < BIPED_LEGS; i++) {
        servo(input, BIPED_JOINTS * i, -bend, -rate, R(400), R(8));
        servo(input, BIPED_JOINTS * i + BIPED_KNEE, bend, rate, R(400), R(8));
    }
}

// ---------------------------------------------------------------------------------------------------------- door

// 20 kg, 0.8 m wide, on a hinge whose friction is 3 N m.
static tac_status door(tac_model *model)
{
    world_of_1_ms(model, R(0.5));
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
    {"stand", "a quadruped of twelve motors stands on four feet", 2000, 4, quadruped, stand},
    {"trot", "it trots in place", 4000, 4, quadruped, trot},
    {"gripper", "two fingers pinch a box and lift it by friction", 2000, 12, gripper, lift},
    {"four_bar", "a crank turns, a rocker swings: a closed loop with redundant rows", 2000, 0, four_bar, turn},
    {"slider_crank", "a crank moves a slide to and fro", 2000, 0, slider_crank, turn},
    {"chain", "five links, the last a hundred times as heavy, with loaded hinges", 2000, 0, chain, NULL},
    {"rover", "four driven wheels go up a slope and over waves", 6000, 20, rover, roll},
    {"door", "a door that is pushed, and stopped by the friction of its hinge", 1600, 0, door, push},
    {"biped", "two legs of two closed loops each squat and rise", 2000, 8, biped, squat},
    {"hand", "two fingers hold a thin capsule while the hand is shaken", 2000, 7, hand, shake},
    {"n_four_bar", "two parallelograms rotate, and lie flat twice a turn", 2000, 0, n_four_bar, NULL},
    {"bricard", "six hinges and five rods that move although they are too many", 2000, 0, bricard, NULL},
    {"flyball", "Watt's governor with stiff springs in place of links", 2000, 0, flyball, NULL},
    {"rubber", "the quadruped trots on feet of rubber", 4000, 4, rubber, trot},
#if TAC_SWITCHES
    {"suction", "a suction cup lifts a box, and lets go when it jerks", 2000, 4, suction, raise},
#endif
#if TAC_FRICTION_LAWS
    {"mecanum", "a robot on four mecanum wheels drives sideways", 2000, 4, mecanum, sideways},
#endif
#if TAC_COORDINATES
    {"ragdoll", "a doll with limits in its shoulders and hips falls down stairs", 2000, 12, ragdoll, NULL},
#endif
};

const unsigned robot_count = sizeof robots / sizeof robots[0];

const scene *robot_find(const char *name)
{
    for (unsigned i = 0; i < robot_count; i++) {
        if (same_text(robots[i].name, name)) { return &robots[i]; }
    }
    return NULL;
}
