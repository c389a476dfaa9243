// SPDX-License-Identifier: MIT
#include "table.h"

#include <inttypes.h>
#include <string.h>

static void put_real(FILE *file, tac_real value)
{
    fprintf(file, "," LOG_REAL, (double)value);
}

static void put_vec3(FILE *file, tac_vec3 v)
{
    put_real(file, v.x);
    put_real(file, v.y);
    put_real(file, v.z);
}

#if TAC_MAX_JOINTS > 0

// "joint/NAME/" where the name is a part of a path, in a field that needs no quotes.
static void put_joint(FILE *file, const char *const *names, uint32_t joint)
{
    fputs(",joint/", file);
    char room[LOG_NAME];
    for (const char *c = log_name(names, joint, "", room); *c != '\0'; c++)
        fputc(strchr("/,\" \t\r\n", *c) ? '_' : *c, file);
    fputc('/', file);
}

static void joint_head(FILE *file, const char *const *names, uint32_t joint, const char *unit, int switched)
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
    if (switched) {
        put_joint(file, names, joint);
        fputs("switch", file);
    }
}

static void joints_head(FILE *file, const tac_model *model, const char *const *names)
{
    for (uint32_t i = 0; i < model->joints; i++) {
        joint_head(file, names, i, log_unit(model->joint[i].kind), log_switch(model, NULL, i) != TAC_JOINT_ALWAYS);
    }
}

static void joint_row(FILE *file, const tac_model *model, const tac_state *state, const tac_work *work, uint32_t joint)
{
    const tac_joint_result *result = &work->joint[joint];
    tac_joint_state at = {0, 0};

    if (log_unit(model->joint[joint].kind) != NULL) {
        tac_state_get_joint(model, state, joint, &at);
        put_real(file, at.position);
        put_real(file, at.velocity);
        for (int k = 0; k < TAC_EFFORTS; k++) put_real(file, result->effort[k]);
    }
    put_vec3(file, result->force);
    put_vec3(file, result->torque);
    if (log_switch(model, NULL, joint) != TAC_JOINT_ALWAYS) fprintf(file, ",%u", log_switch(model, state, joint));
}

static void joints_row(FILE *file, const tac_model *model, const tac_state *state, const tac_work *work)
{
    for (uint32_t i = 0; i < model->joints; i++) joint_row(file, model, state, work, i);
}

#else

static void joints_head(FILE *file, const tac_model *model, const char *const *names)
{
    (void)file, (void)model, (void)names;
}

static void joints_row(FILE *file, const tac_model *model, const tac_state *state, const tac_work *work)
{
    (void)file, (void)model, (void)state, (void)work;
}

#endif

static void stage_head(FILE *file, unsigned stage)
{
    static const char *const column[] = {"sweeps", "engine", "op", "law", "why"};

    for (size_t k = 0; k < sizeof column / sizeof column[0]; k++)
        fprintf(file, ",report/stage/%u/%s", stage, column[k]);
}

void table_head(FILE *file, const tac_model *model, const char *const *names)
{
    static const char *const column[] = {
        "pos/x", "pos/y", "pos/z", "quat/w",  "quat/x",  "quat/y",  "quat/z",
        "vel/x", "vel/y", "vel/z", "omega/x", "omega/y", "omega/z",
    };

    fputs("time", file);
    for (unsigned i = 1; i < model->bodies; i++) {
        for (size_t k = 0; k < sizeof column / sizeof column[0]; k++) fprintf(file, ",body/%u/%s", i, column[k]);
    }
    joints_head(file, model, names);
    fputs(",contact/count,contact/dropped,contact/impulse,report/status,report/sweeps,report/impacts,report/friction"
          ",report/stages",
          file);
    for (unsigned i = 0; i < TAC_STAGES; i++) stage_head(file, i);
    fputs(",report/residual,report/penetration,report/kinetic,report/potential", file);
    if (log_joints(model) > 0) fputs(",report/joint_error[m],report/joint_iterations", file);
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

double table_normal_impulse(const tac_work *work)
{
    double sum = 0.0;
    for (unsigned i = 0; i < work->report.contacts; i++) {
        sum += (double)work->contact[i].impulse.x + (double)work->contact[i].bounce.x;
    }
    return sum;
}

void table_row(FILE *file, double time, const tac_model *model, const tac_state *state, tac_work *work)
{
    const tac_report *report = &work->report;

    (void)tac_reactions(model, work); // zeros before the first step
    fprintf(file, "%.9g", time);
    for (uint16_t i = 1; i < model->bodies; i++) put_body(file, tac_state_get_pose(model, state, i), state->twist[i]);
    joints_row(file, model, state, work);
    fprintf(file, ",%u,%u,%.9g", report->contacts, report->dropped, table_normal_impulse(work));
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
    if (log_joints(model) == 0) return;
    put_real(file, report->joint_error);
    fprintf(file, ",%u", report->joint_iterations);
}

void table_contacts_head(FILE *file, uint32_t contacts)
{
    static const char *const column[] = {"body_a",      "body_b",      "shape_a",    "shape_b",    "mode",
                                         "point/x[m]",  "point/y[m]",  "point/z[m]", "normal/x",   "normal/y",
                                         "normal/z",    "gap[m]",      "force/x[N]", "force/y[N]", "force/z[N]",
                                         "slip/x[m/s]", "slip/y[m/s]", "slip/z[m/s]"};

    for (uint32_t i = 0; i < contacts; i++) {
        for (size_t k = 0; k < sizeof column / sizeof column[0]; k++)
            fprintf(file, ",contact/%" PRIu32 "/%s", i, column[k]);
    }
}

void table_contacts_row(FILE *file, uint32_t contacts, const tac_model *model, const tac_state *state,
                        const tac_work *work)
{
    const uint32_t count = log_contacts(state, work);

    for (uint32_t i = 0; i < contacts; i++) {
        const tac_contact *c = &work->contact[i];
        if (i >= count) {
            fputs(",,,,,,,,,,,,,,,,,,", file);
            continue;
        }
        fprintf(file, ",%u,%u,%u,%u,%u", c->body_a, c->body_b, c->id.shape_a, c->id.shape_b, c->mode);
        put_vec3(file, c->point);
        put_vec3(file, c->n);
        put_real(file, c->gap);
        put_vec3(file, log_force(model, c));
        put_vec3(file, log_slip(c));
    }
}
