// SPDX-License-Identifier: MIT
// port.c - port.h for POSIX: CLOCK_MONOTONIC, clock_nanosleep to absolute times, a pair of file descriptors.
//   given   port_posix_channel() for the channel; port_realtime() where the system allows it
//   makes   all of port.h
//   bound   a wait ends late by what the scheduler adds; without SCHED_FIFO there is no bound on that
//   never   drifts: each wait is for an absolute time
#define _POSIX_C_SOURCE 200809L

#include "posix/realtime.h"
#include "tactus/port.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TICK_RATE 10000000 // 100 ns; 2^31 ticks are 214 s
#define NS_A_TICK (1000000000 / TICK_RATE)
#define IDLE_MS 1
#define EXIT_PANIC 98

static struct {
    int in, out; // -1: none, or closed by the other side
    uint8_t byte[256];
    ssize_t next, filled;
} channel = {-1, -1, {0}, 0, 0};

void port_init(void)
{
    // writing to a channel that the other side has closed must fail, and not end the program
    signal(SIGPIPE, SIG_IGN);
}

const char *port_realtime(int priority)
{
    const struct sched_param param = {.sched_priority = priority};

    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return "mlockall";
    if (sched_setscheduler(0, SCHED_FIFO, &param) != 0) return "sched_setscheduler";
    return NULL;
}

void port_posix_channel(int fd_in, int fd_out)
{
    channel.in = fd_in;
    channel.out = fd_out;
    channel.next = channel.filled = 0;
}

static int64_t ticks_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * TICK_RATE + now.tv_nsec / NS_A_TICK;
}

uint32_t port_ticks(void)
{
    return (uint32_t)ticks_now();
}

uint32_t port_tick_rate(void)
{
    return TICK_RATE;
}

void port_wait_until(uint32_t deadline)
{
    const int64_t now = ticks_now();
    const int64_t until = now + (int32_t)(deadline - (uint32_t)now);
    const struct timespec time = {.tv_sec = (time_t)(until / TICK_RATE),
                                  .tv_nsec = (long)(until % TICK_RATE) * NS_A_TICK};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

// Wait for `events` on `fd`. poll() takes -1 for a file descriptor that nothing ever happens on.
static int ready(int fd, short events, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, timeout_ms) > 0;
}

int port_read(void)
{
    if (channel.next == channel.filled) {
        if (!ready(channel.in, POLLIN, 0)) return -1;
        channel.next = 0;
        channel.filled = read(channel.in, channel.byte, sizeof channel.byte);
        if (channel.filled <= 0) {
            // the end of the file or a lasting error closes the channel; EINTR and EAGAIN do not
            if (channel.filled == 0 || (errno != EINTR && errno != EAGAIN)) channel.in = -1;
            channel.filled = 0;
            return -1;
        }
    }
    return channel.byte[channel.next++];
}

void port_write(const uint8_t *bytes, uint32_t count)
{
    while (count > 0 && channel.out >= 0) {
        const ssize_t sent = write(channel.out, bytes, count);
        if (sent > 0) {
            bytes += sent;
            count -= (uint32_t)sent;
        } else if (errno == EAGAIN) {
            ready(channel.out, POLLOUT, IDLE_MS);
        } else if (errno != EINTR) {
            channel.out = -1;
        }
    }
}

void port_idle(void)
{
    if (channel.next == channel.filled) ready(channel.in, POLLIN, IDLE_MS);
}

void port_log(const char *text)
{
    puts(text);
    fflush(stdout);
}

void port_exit(int code)
{
    exit(code);
}

void port_panic(const char *text)
{
    fputs("PANIC: ", stdout);
    port_log(text);
    port_exit(EXIT_PANIC);
}
