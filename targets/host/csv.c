// SPDX-License-Identifier: MIT
#include "csv.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

FILE *csv_open(const char *path)
{
    if (path == NULL) return NULL;

    FILE *file = fopen(path, "w");
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

void csv_head(FILE *file, uint16_t bodies)
{
    static const char *const column[] = {
        "pos/x", "pos/y", "pos/z", "quat/w",  "quat/x",  "quat/y",  "quat/z",
        "vel/x", "vel/y", "vel/z", "omega/x", "omega/y", "omega/z",
    };

    fputs("time", file);
    for (unsigned i = 1; i < bodies; i++) {
        for (size_t k = 0; k < sizeof column / sizeof column[0]; k++) fprintf(file, ",body/%u/%s", i, column[k]);
    }
    fputs(",contact/count,contact/dropped,contact/impulse,report/status,report/sweeps,report/residual"
          ",report/penetration,report/kinetic,report/potential",
          file);
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

double csv_normal_impulse(const tac_work *work)
{
    double sum = 0.0;
    for (unsigned i = 0; i < work->report.contacts; i++) sum += (double)work->contact[i].impulse.x;
    return sum;
}

void csv_row(FILE *file, double time, const tac_model *model, const tac_state *state, const tac_work *work)
{
    const tac_report *report = &work->report;

    fprintf(file, "%.9g", time);
    for (uint16_t i = 1; i < model->bodies; i++) put_body(file, tac_body_pose(model, state, i), state->twist[i]);
    fprintf(file, ",%u,%u,%.9g,%" PRId32 ",%u", report->contacts, report->dropped, csv_normal_impulse(work),
            report->status, report->sweeps);
    put_real(file, report->residual);
    put_real(file, report->penetration);
    put_real(file, report->kinetic);
    put_real(file, report->potential);
}
