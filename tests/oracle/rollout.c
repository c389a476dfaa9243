// SPDX-License-Identifier: MIT
// rollout.c - many roll-outs of one robot from states of their own: tac_rollout(), tac_step() in a loop, and MuJoCo.
//   given   a file that may be written; "steps", "full", "fresh", "refreshed" or "mujoco": that alone; "time": all, in
//   turn makes   TAP: do all end alike; with "time" the time of the processor that each takes, in lines of a table
//   bound   WORLDS roll-outs of STEPS steps of each
//   never   starts threads
// The robot is `stand` of targets/scenes: twelve servos of 100 N m/rad and 1 N m s/rad, steps of 1 ms. MuJoCo 2.2.2 has
// no call for roll-outs; what its Python module does later is that of by_mujoco(): set a state, step with held
// controls.
#include "robots.h"
#include "tactus/port.h"
#include "tap.h"
#include "truth.h"
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WORLDS = 40, STEPS = 50, JOINTS = 12, KNOTS = 4, ROUNDS = 25 };

static tac_model model;
static tac_state start[WORLDS], ahead;
static tac_work work;
static tac_refresh kept;
static tac_prediction prediction;
static tac_channel channel[JOINTS];
static tac_real target[KNOTS * JOINTS];
static tac_plan plan;
static mjModel *other;
static mjData *data;
static mjtNum position[WORLDS][7 + JOINTS], velocity[WORLDS][6 + JOINTS];

// ---------------------------------------------------------------------------------------------------------- the robot

#define SHAPE "condim='3' friction='0.8 0.005 0.0001'"

static void write_body(FILE *f, const char *joint, const char *axis, d3 at, double turn, double up, double mass,
                       d3 moment)
{
    fprintf(f, "<body pos='%.17g %.17g %.17g' euler='0 %.17g 0'>", at.x, at.y, at.z, turn);
    fprintf(f, "<joint name='%s' axis='%s' pos='0 %.17g %.17g'/>", joint, axis, axis[0] == '1' ? up : 0.0,
            axis[0] == '1' ? 0.0 : up);
    fprintf(f, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", mass, moment.x, moment.y,
            moment.z);
}

// Hip, thigh and shank, each in the frame of the one before; the joints are those of `stand`.
static void write_leg(FILE *f, int leg)
{
    const double x = leg & 1 ? 0.25 : -0.25, side = leg & 2 ? 1.0 : -1.0, bent = 0.6, half = 0.1,
                 cube = 0.5 / 6 * 0.08 * 0.08;
    char name[3][8];
    for (int i = 0; i < 3; i++) snprintf(name[i], sizeof name[i], "j%d", 3 * leg + i);
    write_body(f, name[0], "1 0 0", (d3){x, 0.2 * side, 0}, 0, -0.05 * side, 0.5, (d3){cube, cube, cube});
    write_body(f, name[1], "0 1 0", (d3){-half * sin(bent), 0, -half * cos(bent)}, bent, half, 0.5,
               (d3){0.5 * 0.04 / 12, 0.5 * 0.04 / 12, 0.5 * 0.0002});
    write_body(f, name[2], "0 1 0", (d3){half * sin(2 * bent), 0, -half - half * cos(2 * bent)}, -2 * bent, half, 0.2,
               (d3){0.2 * 0.04 / 12, 0.2 * 0.04 / 12, 0.2 * 0.0002});
    fprintf(f, "<geom type='sphere' size='0.02' pos='0 0 -0.1' " SHAPE "/></body></body></body>");
}

static void write_robot(FILE *f)
{
    const d3 torso = {10.0 / 3 * (0.15 * 0.15 + 0.075 * 0.075), 10.0 / 3 * (0.3 * 0.3 + 0.075 * 0.075),
                      10.0 / 3 * (0.3 * 0.3 + 0.15 * 0.15)};
    fprintf(f,
            "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option timestep='0.001' gravity='0 0 -9.81'/>");
    fprintf(f, "<default><geom contype='1' conaffinity='0'/></default><worldbody>");
    fprintf(f, "<geom type='plane' size='0 0 1' contype='0' conaffinity='1' " SHAPE "/>");
    fprintf(f, "<body pos='0 0 %.17g'><freejoint/><geom type='box' size='0.3 0.15 0.075' " SHAPE "/>",
            0.4 * cos(0.6) + 0.02);
    fprintf(f, "<inertial pos='0 0 0' mass='10' diaginertia='%.17g %.17g %.17g'/>", torso.x, torso.y, torso.z);
    for (int leg = 0; leg < 4; leg++) write_leg(f, leg);
    fprintf(f, "</body></worldbody><actuator>");
    for (int j = 0; j < JOINTS; j++) {
        fprintf(f, "<general joint='j%d' gainprm='100' biastype='affine' biasprm='0 -100 -1'/>", j);
    }
    fprintf(f, "</actuator></mujoco>");
}

static void build(const char *path)
{
    char error[500] = "";
    FILE *f = fopen(path, "w");
    if (f == NULL) return;
    write_robot(f);
    fclose(f);
    other = mj_loadXML(path, NULL, error, sizeof error);
    if (other == NULL) {
        port_log(error);
        return;
    }
    data = mj_makeData(other);
    robot_find("stand")->build(&model);
    for (uint16_t j = 0; j < JOINTS; j++) {
        channel[j] = (tac_channel){
            .joint = j, .kind = TAC_MOTOR_PD, .low = -1, .high = 1, .sigma = 1, .stiffness = 100, .damping = 1};
    }
    plan = (tac_plan){.channel = channel,
                      .value = target,
                      .knots = KNOTS,
                      .channels = JOINTS,
                      .spacing = (tac_real)0.1,
                      .form = TAC_TABLE_LINEAR};
}

// In each world the robot moves as a whole in another way.
static void begin(void)
{
    static const tac_joint_state still[JOINTS];
    uint32_t x = 777;
    for (int i = 0; i < WORLDS; i++) {
        tac_real v[6];
        for (int k = 0; k < 6; k++) {
            x = x * UINT32_C(1664525) + UINT32_C(1013904223);
            v[k] = (tac_real)(k == 2 ? 0.1 : k < 3 ? 0.2 : 0.3) * ((tac_real)(x >> 8) / 8388608 - 1);
            velocity[i][k] = v[k];
        }
        tac_measured torso = {.frame = {1, {{0, 0, 0}, {1, 0, 0, 0}}}};
        tac_state_init(&model, &start[i], NULL);
        tac_state_get_measured(&model, &start[i], &torso);
        torso.velocity = (tac_vec3){v[0], v[1], v[2]};
        torso.gyro = (tac_vec3){v[3], v[4], v[5]};
        tac_state_set_measured(&model, &start[i], &torso, still);
        mju_copy(position[i], other->qpos0, 7 + JOINTS);
    }
}

// ------------------------------------------------------------------------------------------------------ the roll-outs
// Each keeps where the torsos are at the end.

static d3 end[WORLDS];

void by_steps(void);
void by_full(void);
void by_fresh(void);
void by_refreshed(void);
void by_mujoco(void);

void by_steps(void)
{
    static tac_input input;
    for (int i = 0; i < WORLDS; i++) {
        ahead = start[i];
        for (int k = 0; k < STEPS; k++) {
            tac_plan_evaluate(&plan, (tac_real)k * model.h, 0, &input);
            if (tac_step(&model, &ahead, &input, &work) < 0) return;
        }
        end[i] = d3_of(ahead.pose[1].p);
    }
}

static void roll(tac_fidelity fidelity)
{
    for (int i = 0; i < WORLDS; i++) {
        prediction.model = &model;
        prediction.plan = &plan;
        prediction.steps = STEPS;
        prediction.most = 1;
        prediction.fidelity = fidelity;
        if (tac_rollout(&prediction, &start[i], &work, NULL) != TAC_OK) return;
        end[i] = d3_of(prediction.state.pose[1].p);
    }
}

void by_full(void)
{
    roll((tac_fidelity){0});
}

void by_fresh(void)
{
    roll((tac_fidelity){.kept = &kept, .every = 1});
}

void by_refreshed(void)
{
    roll((tac_fidelity){.kept = &kept, .every = 5});
}

void by_mujoco(void)
{
    for (int i = 0; i < WORLDS; i++) {
        mju_copy(data->qpos, position[i], 7 + JOINTS);
        mju_copy(data->qvel, velocity[i], 6 + JOINTS);
        mju_zero(data->qacc_warmstart, 6 + JOINTS);
        data->time = 0;
        for (int k = 0; k < STEPS; k++) mj_step(other, data);
        end[i] = (d3){data->qpos[0], data->qpos[1], data->qpos[2]};
    }
}

// --------------------------------------------------------------------------------------------------------------- which

static const struct {
    const char *name;
    void (*run)(void);
} way[] = {
    {"steps", by_steps}, {"full", by_full}, {"fresh", by_fresh}, {"refreshed", by_refreshed}, {"mujoco", by_mujoco}};
enum { WAYS = sizeof way / sizeof way[0] };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The ways in turn, since the machine has other work: the least time of each, microseconds a step.
static void show_times(void)
{
    double least[WAYS];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WAYS; i++) {
            const double from = now();
            way[i].run();
            const double took = now() - from;
            if (round == 0 || took < least[i]) least[i] = took;
        }
    }
    for (int i = 0; i < WAYS; i++) printf("time %s %.2f\n", way[i].name, 1e6 * least[i] / (WORLDS * STEPS));
}

// The farthest that a torso ends from where steps in a loop lead it.
static double apart(void (*run)(void), const d3 *truth)
{
    double worst = 0;
    for (int i = 0; i < WORLDS; i++) end[i] = (d3){0, 0, -1};
    run();
    for (int i = 0; i < WORLDS; i++) worst = fmax(worst, d3_norm(d3_sub(end[i], truth[i])));
    return worst;
}

static int compare(void)
{
    d3 truth[WORLDS];
    by_steps();
    for (int i = 0; i < WORLDS; i++) truth[i] = end[i];
    tap_most(apart(by_full, truth), 0, "roll-outs are steps");
    tap_most(apart(by_fresh, truth), 5e-5, "dynamics refreshed every step");
    tap_most(apart(by_refreshed, truth), 1e-4, "refreshed every 5 steps");
    tap_most(apart(by_mujoco, truth), 3e-3, "MuJoCo, whose contacts are soft");
    return tap_done();
}

int main(int count, char **argument)
{
    if (count < 2) return 2;
    build(argument[1]);
    if (other == NULL) return 1;
    begin();
    if (count == 2) return compare();
    if (strcmp(argument[2], "time") == 0) show_times();
    for (int i = 0; i < WAYS; i++) {
        if (strcmp(argument[2], way[i].name) == 0) way[i].run();
    }
    return 0;
}
