// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "realtime.h"
#include "output.h"
#include "message.h"
#include "motor_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

/// Sums over periods, s.
typedef struct lateness {
    double sum, most;
} lateness;

/// A run.
typedef struct pacing {
    const realtime *asked;
    link_client *client;
    const tac_model *model;
    const joint_names *names;
    motor_stream *commands; ///< NULL: none, or ended
    FILE *record;           ///< NULL: none
    motor_row told[TAC_MAX_JOINTS];
    const motor_row *last[TAC_MAX_JOINTS];
    uint64_t taken;              ///< commands
    uint32_t periods, overruns;  ///< overruns: answered after the next release
    lateness released, answered; ///< after the release
} pacing;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wait_until(double time)
{
    struct timespec t = {.tv_sec = (time_t)time};
    t.tv_nsec = (long)((time - (double)t.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

static void add(lateness *l, double late)
{
    l->sum += late;
    if (late > l->most) l->most = late;
}

// What has arrived since the last period. Returns LINK_DONE, or what went wrong.
static int take_commands(pacing *p)
{
    static tac_input input;
    motor_row row;
    int got = 0, any = 0;

    while (p->commands != NULL && (got = motor_stream_next(p->commands, &row)) > 0) {
        const uint16_t joint = row.motor.joint;
        p->told[joint] = row;
        p->last[joint] = &p->told[joint];
        motor_row_write(p->record, (double)p->client->step * (double)p->model->h, p->names, &row);
        p->taken++;
        any = 1;
    }
    if (got == MOTOR_STREAM_END) {
        motor_stream_close(p->commands);
        p->commands = NULL;
    } else if (got < 0) {
        return REALTIME_COMPLAINED;
    }
    if (!any) return LINK_DONE;
    motor_rows_input(p->last, &input);
    return link_client_set_input(p->client, &input);
}

// One period, to be released at `release`; the next one at `next`.
static int take_period(pacing *p, double release, double next, uint32_t steps)
{
    link_stepped stepped;

    wait_until(release);
    add(&p->released, now_s() - release);
    int result = take_commands(p);
    for (uint32_t left = steps; result == LINK_DONE && left > 0; left -= stepped.done) {
        const uint16_t most = p->client->hello.max_steps;
        result = link_client_step(p->client, (uint16_t)(left < most ? left : most), &stepped);
        if (result == LINK_DONE && stepped.status < 0) {
            complain_kernel("step", stepped.status, stepped.fault, NULL, NULL, NULL);
            return REALTIME_COMPLAINED;
        }
        if (result != LINK_DONE || p->client->cancel) break;
    }
    const double end = now_s();
    add(&p->answered, end - release);
    p->overruns += end > next;
    p->periods++;
    return result;
}

static void print_pacing(const pacing *p)
{
    const double us = p->periods > 0 ? 1e6 / p->periods : 0;

    printf("real time: %" PRIu32 " periods of %g s, %" PRIu32 " overruns\n", p->periods,
           (double)p->model->h * p->asked->every, p->overruns);
    printf("released late by %.0f us, at most %.0f us; answered after %.0f us, at most %.0f us\n", p->released.sum * us,
           p->released.most * 1e6, p->answered.sum * us, p->answered.most * 1e6);
    printf("commands: %" PRIu64 "\n", p->taken);
}

static int take_periods(pacing *p, uint32_t steps, const volatile sig_atomic_t *stop)
{
    const double start = now_s(), h = (double)p->model->h;
    int result = LINK_DONE;
    uint32_t done = 0;

    while (done < steps && result == LINK_DONE && !*stop) {
        const uint32_t left = steps - done, some = left < p->asked->every ? left : p->asked->every;
        result = take_period(p, start + done * h, start + (done + some) * h, some);
        done += some;
    }
    return result;
}

int realtime_steps(const realtime *asked, link_client *client, const tac_model *model, const joint_names *names,
                   uint32_t steps, const volatile sig_atomic_t *stop)
{
    static pacing p;
    int result = REALTIME_COMPLAINED;

    p = (pacing){.asked = asked, .client = client, .model = model, .names = names};
    p.record = output_open(asked->record);
    p.commands = motor_stream_open(asked->commands, model, names);
    if ((p.record != NULL || asked->record == NULL) && (p.commands != NULL || asked->commands == NULL)) {
        motor_row_write(p.record, 0, names, NULL);
        result = take_periods(&p, steps, stop);
        print_pacing(&p);
    }
    motor_stream_close(p.commands);
    return output_close(p.record, asked->record) ? result : REALTIME_COMPLAINED;
}
