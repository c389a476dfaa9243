// SPDX-License-Identifier: MIT
// urdf_robot.c - is a model that urdf2tactus wrote one that the kernel takes?   cc -DMODEL='"robot.h"' ...
//   given   the header with `robot_model`, written with --name robot; its capacities as TAC_CONFIG_HEADER; the blob
//   makes   figures: "whole", mass, centre, inertia of all bodies; "frame", index and pose of each; "q", coordinates;
//           "row", what it needs; code 1 and a complaint if the model is refused, its hash or the blob differs, frames,
//           joints and poses disagree, a step fails
//   bound   STEPS steps
//   never   knows which robot it is
#include MODEL
#include "link/image.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 100
#define APART (TAC_REAL_BITS == 32 ? 1e-5 : 1e-12) // m

static tac_state state;
static tac_work work;

static int complain(const char *what, const tac_fault *fault)
{
    printf("%s: %s of element %d: %s\n", what, tac_field_name(fault->field), fault->index,
           tac_reason_name(fault->reason));
    return 1;
}

static tac_vec3 rotate(tac_quat q, tac_vec3 v)
{
    const tac_real x = 2 * (q.y * v.z - q.z * v.y), y = 2 * (q.z * v.x - q.x * v.z), z = 2 * (q.x * v.y - q.y * v.x);
    return (tac_vec3){v.x + q.w * x + q.y * z - q.z * y, v.y + q.w * y + q.z * x - q.x * z,
                      v.z + q.w * z + q.x * y - q.y * x};
}

// Mass, centre and inertia about the centre (xx, yy, zz, xy, xz, yz) of all dynamic bodies, from the initial poses.
static void weigh(void)
{
    double mass = 0, centre[3] = {0}, inertia[6] = {0};
    for (int i = 1; i < robot_model.bodies; i++) {
        const tac_vec3 p = state.pose[i].p;
        const double m = (double)robot_model.body[i].mass;
        mass += m;
        centre[0] += m * (double)p.x;
        centre[1] += m * (double)p.y;
        centre[2] += m * (double)p.z;
    }
    for (int k = 0; k < 3; k++) { centre[k] /= mass; }
    for (int i = 1; i < robot_model.bodies; i++) {
        const tac_body *b = &robot_model.body[i];
        const tac_pose at = state.pose[i];
        const double m = (double)b->mass, x = (double)at.p.x - centre[0], y = (double)at.p.y - centre[1];
        const double z = (double)at.p.z - centre[2];
        const double arm[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
        const tac_vec3 axis[3] = {rotate(at.q, (tac_vec3){1, 0, 0}), rotate(at.q, (tac_vec3){0, 1, 0}),
                                  rotate(at.q, (tac_vec3){0, 0, 1})};
        const double moment[3] = {(double)b->inertia.x, (double)b->inertia.y, (double)b->inertia.z};
        for (int k = 0; k < 6; k++) { inertia[k] += m * arm[k]; }
        for (int k = 0; k < 3; k++) {
            const double a[3] = {(double)axis[k].x, (double)axis[k].y, (double)axis[k].z};
            const double part[6] = {a[0] * a[0], a[1] * a[1], a[2] * a[2], a[0] * a[1], a[0] * a[2], a[1] * a[2]};
            for (int j = 0; j < 6; j++) { inertia[j] += moment[k] * part[j]; }
        }
    }
    printf("whole %.9g", mass);
    for (int k = 0; k < 3; k++) { printf(" %.9g", centre[k]); }
    for (int k = 0; k < 6; k++) { printf(" %.9g", inertia[k]); }
    printf("\n");
}

// Poses of all frames at the start, at rest where their motion has them.
static int frames(void)
{
    for (int i = 0; i < ROBOT_FRAMES; i++) {
        tac_pose a;
        tac_point_motion at;
        if (tac_frame_pose(&robot_model, &state, &robot_frame[i], &a) != TAC_OK) { return 0; }
        if (tac_frame_motion(&robot_model, &state, &robot_frame[i], TAC_AXES_FRAME, &work, &at) != TAC_OK) { return 0; }
        printf("frame %d %.12g %.12g %.12g %.12g %.12g %.12g %.12g\n", i, (double)a.p.x, (double)a.p.y, (double)a.p.z,
               (double)a.q.w, (double)a.q.x, (double)a.q.y, (double)a.q.z);
        const double off = fabs((double)(a.p.x - at.position.x)) + fabs((double)(a.p.y - at.position.y)) +
                           fabs((double)(a.p.z - at.position.z));
        if (!(off <= APART) || at.linear.x != 0 || at.angular.z != 0) { return 0; }
    }
    return robot_model.bodies == ROBOT_BODIES && robot_model.shapes == ROBOT_SHAPES;
}

// Coordinates of all joints at the start. Put where these have it, each body stays where the file has it.
#if TAC_MAX_JOINTS > 0
static int joints(void)
{
    static tac_joint_state at[TAC_MAX_JOINTS];
    static tac_state again;
    printf("q");
    for (uint32_t i = 0; i < robot_model.joints; i++) {
        if (tac_state_get_joint(&robot_model, &state, i, &at[i]) != TAC_OK) { return -1; }
        printf(" %.6g", (double)at[i].position);
    }
    printf("\n");
    again = state;
    if (tac_state_set_joints(&robot_model, &again, at) != TAC_OK) { return -1; }
    for (int i = 1; i < robot_model.bodies; i++) {
        const tac_pose a = state.pose[i], b = again.pose[i];
        const tac_vec3 x = rotate(a.q, (tac_vec3){1, 2, 3}), y = rotate(b.q, (tac_vec3){1, 2, 3});
        const double off = fabs((double)(a.p.x - b.p.x)) + fabs((double)(a.p.y - b.p.y)) +
                           fabs((double)(a.p.z - b.p.z)) + fabs((double)(x.x - y.x)) + fabs((double)(x.y - y.y)) +
                           fabs((double)(x.z - y.z));
        if (!(off <= APART)) {
            printf("body %d is off by %g\n", i, off);
            return -1;
        }
    }
    return (int)robot_model.joints;
}
#else
static int joints(void)
{
    return 0;
}
#endif

// Is the model in the file, which is the image for float and then that for double, the one that the link would send?
static int same_as_blob(const char *path)
{
    static uint8_t file[1 << 24], sent[1 << 24];
    FILE *stream = fopen(path, "rb");
    const size_t size = stream != NULL ? fread(file, 1, sizeof file, stream) : 0;
    if (stream != NULL) { fclose(stream); }
    wire_reader r = {file, (uint32_t)size, 12};
    uint32_t hash = wire_get_u32(&r), bytes = wire_get_u32(&r);
    if (TAC_REAL_BITS == 64) {
        r.at += bytes;
        hash = wire_get_u32(&r);
        bytes = wire_get_u32(&r);
    }
    wire_writer w = {sent, sizeof sent, 0};
    const image_world world = image_world_of(&robot_model);
    const uint32_t count = image_count(IMAGE_MODEL, &robot_model, world);
    for (uint32_t i = 0; i < count; i++) { image_put(IMAGE_MODEL, &robot_model, world, &w, i); }
    if (hash == robot_model.hash && bytes == w.count && r.at + bytes <= size && !memcmp(file + r.at, sent, bytes)) {
        return 1;
    }
    printf("%s: not what the link sends: %u bytes, must be %u\n", path, (unsigned)bytes, (unsigned)w.count);
    return 0;
}

int main(int argc, char **argv)
{
    tac_fault fault;
    if (tac_model_check(&robot_model, &fault) != TAC_OK) { return complain("check", &fault); }
    if (tac_model_hash(&robot_model) != robot_model.hash) {
        printf("hash is %08x, must be %08x\n", (unsigned)robot_model.hash, (unsigned)tac_model_hash(&robot_model));
        return 1;
    }
    if (argc != 2 || !same_as_blob(argv[1])) { return 1; }
    if (tac_state_init(&robot_model, &state, &fault) != TAC_OK) { return complain("init", &fault); }
    weigh();
    if (!frames()) {
        printf("frames are refused, or elsewhere\n");
        return 1;
    }
    const int count = joints();
    if (count != ROBOT_JOINTS) { return 1; }
    tac_real deepest = 0, apart = 0;
    int swept = 0, crowded = 0;
    for (int step = 0; step < STEPS; step++) {
        const tac_status status = tac_step(&robot_model, &state, NULL, &work);
        if (status < 0) { return complain("step", &work.report.fault); }
        if (work.report.penetration > deepest) { deepest = work.report.penetration; }
#if TAC_MAX_JOINTS > 0
        if (work.report.joint_error > apart) { apart = work.report.joint_error; }
#endif
        swept += (status & TAC_SWEPT) != 0;
        for (int stage = 0; stage < work.report.stages; stage++) {
            const uint8_t why = work.report.stage[stage].why;
            crowded += why == TAC_STAGE_ROOM;
        }
    }
    for (int i = 0; i < robot_model.bodies; i++) {
        const tac_vec3 p = state.pose[i].p;
        if (!isfinite(p.x + p.y + p.z)) {
            printf("body %d is not finite\n", i);
            return 1;
        }
    }
    printf("row %d | %d | %d | %d | %d | %d | %d | %zu + %zu + %zu\n", robot_model.bodies - 1, count,
           robot_model.shapes, robot_model.polyhedra, robot_model.exclusions, TAC_MAX_CONTACTS, TAC_MAX_FILL,
           sizeof robot_model, sizeof state, sizeof work);
    printf("deepest %.3g m, contacts %d, joints apart by %.3g m, steps by sweeps %d, without room for trees %d\n",
           (double)deepest, state.contacts_peak, (double)apart, swept, crowded);
    return 0;
}
