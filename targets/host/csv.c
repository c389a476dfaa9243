// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "csv.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

// Standard output becomes the table's alone: what the tool prints from here on goes to standard error.
static FILE *open_stdout(void)
{
    fflush(stdout);
    const int table = dup(STDOUT_FILENO);
    return table >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fdopen(table, "w") : NULL;
}

FILE *csv_open(const char *path)
{
    if (path == NULL) return NULL;

    FILE *file = strcmp(path, "-") == 0 ? open_stdout() : fopen(path, "w");
    if (file == NULL) complain("%s: %s", path, strerror(errno));
    return file;
}

int csv_close(FILE *file, const char *path)
{
    if (file == NULL) return 1;

    const int failed = ferror(file);
    if (fclose(file) == 0 && !failed) return 1;
    complain("%s: %s", path, strerror(errno));
    return 0;
}

// "joint/NAME/" where the name is a part of a path, in a field that needs no quotes.
static void put_joint(FILE *file, const joint_names *names, uint32_t joint)
{
    fputs(",joint/", file);
    if (names == NULL) {
        fprintf(file, "%" PRIu32, joint);
    } else {
        for (const char *c = names->name[joint]; *c != '\0'; c++) fputc(strchr("/,\" \t\r\n", *c) ? '_' : *c, file);
    }
    fputc('/', file);
}

static void joint_head(FILE *file, const joint_names *names, uint32_t joint, const char *unit)
{
    static const char *const exerted[] = {"force/x[N]",    "force/y[N]",    "force/z[N]",
                                          "torque/x[N m]", "torque/y[N m]", "torque/z[N m]"};
    static const char *const effort[TAC_EFFORTS] = {"passive", "motor", "friction", "limit"};

    for (size_t k = 0; unit != NULL && k < 2; k++) {
        put_joint(file, names, joint);
        fprintf(file, k == 0 ? "position[%s]" : "velocity[%s/s]", unit);
    }
    for (size_t k = 0; unit != NULL && k < TAC_EFFORTS; k++) {
        put_joint(file, names, joint);
        fprintf(file, "effort/%s[%s]", effort[k], unit[0] == 'r' ? "N m" : "N");
    }
    for (size_t k = 0; k < sizeof exerted / sizeof exerted[0]; k++) {
        put_joint(file, names, joint);
        fputs(exerted[k], file);
    }
}

static void stage_head(FILE *file, unsigned stage)
{
    static const char *const column[] = {"sweeps", "engine", "op", "law", "why"};

    for (size_t k = 0; k < sizeof column / sizeof column[0]; k++)
        fprintf(file, ",report/stage/%u/%s", stage, column[k]);
}

void csv_head(FILE *file, const tac_model *model, const joint_names *names)
{
    static const char *const column[] = {
        "pos/x", "pos/y", "pos/z", "quat/w",  "quat/x",  "quat/y",  "quat/z",
        "vel/x", "vel/y", "vel/z", "omega/x", "omega/y", "omega/z",
    };

    fputs("time", file);
    for (unsigned i = 1; i < model->bodies; i++) {
        for (size_t k = 0; k < sizeof column / sizeof column[0]; k++) fprintf(file, ",body/%u/%s", i, column[k]);
    }
    for (uint32_t i = 0; i < model->joints; i++) joint_head(file, names, i, joint_unit(model->joint[i].kind));
    fputs(",contact/count,contact/dropped,contact/impulse,report/status,report/sweeps,report/impacts,report/friction"
          ",report/stages",
          file);
    for (unsigned i = 0; i < TAC_STAGES; i++) stage_head(file, i);
    fputs(",report/residual,report/penetration,report/kinetic,report/potential", file);
    if (model->joints > 0) fputs(",report/joint_error[m],report/joint_iterations", file);
}

static void put_real(FILE *file, tac_real value)
{
    fprintf(file, "," CSV_REAL, (double)value);
}

static void put_vec3(FILE *file, tac_vec3 v)
{
    put_real(file, v.x);
    put_real(file, v.y);
    put_real(file, v.z);
}

static void put_body(FILE *file, tac_pose pose, tac_twist twist)
{
    put_vec3(file, pose.p);
    put_real(file, pose.q.w);
    put_real(file, pose.q.x);
    put_real(file, pose.q.y);
    put_real(file, pose.q.z);
    put_vec3(file, twist.v);
    put_vec3(file, twist.w);
}

static void joint_row(FILE *file, const tac_model *model, const tac_state *state, const tac_work *work, uint32_t joint)
{
    const tac_joint_result *result = &work->joint[joint];
    tac_joint_state at = {0, 0};

    if (joint_unit(model->joint[joint].kind) != NULL) {
        tac_state_get_joint(model, state, joint, &at);
        put_real(file, at.position);
        put_real(file, at.velocity);
        for (int k = 0; k < TAC_EFFORTS; k++) put_real(file, result->effort[k]);
    }
    put_vec3(file, result->force);
    put_vec3(file, result->torque);
}

double csv_normal_impulse(const tac_work *work)
{
    double sum = 0.0;
    for (unsigned i = 0; i < work->report.contacts; i++) {
        sum += (double)work->contact[i].impulse.x + (double)work->contact[i].bounce.x;
    }
    return sum;
}

void csv_row(FILE *file, double time, const tac_model *model, const tac_state *state, tac_work *work)
{
    const tac_report *report = &work->report;

    (void)tac_reactions(model, work); // zeros before the first step
    fprintf(file, "%.9g", time);
    for (uint16_t i = 1; i < model->bodies; i++) put_body(file, tac_state_get_pose(model, state, i), state->twist[i]);
    for (uint32_t i = 0; i < model->joints; i++) joint_row(file, model, state, work, i);
    fprintf(file, ",%u,%u,%.9g", report->contacts, report->dropped, csv_normal_impulse(work));
    fprintf(file, ",%" PRId32 ",%u,%u,%u,%u", report->status, report->sweeps, report->impacts, report->friction,
            report->stages);
    for (unsigned i = 0; i < TAC_STAGES; i++) {
        const tac_stage *s = &report->stage[i];
        fprintf(file, ",%u,%u,%u,%u,%u", s->sweeps, s->engine, s->op, s->law, s->why);
    }
    put_real(file, report->residual);
    put_real(file, report->penetration);
    put_real(file, report->kinetic);
    put_real(file, report->potential);
    if (model->joints == 0) return;
    put_real(file, report->joint_error);
    fprintf(file, ",%u", report->joint_iterations);
}
