// SPDX-License-Identifier: MIT
// link.c - round trips of the link, us: the least, the median and the 99th of a hundred of 2000 requests.
//   given   endpoints (tactus link --help); pipe: two processes that hand one byte to and fro, what a machine does at
//   best makes   a line for HELLO and one for STEP 1 of an empty world, of each endpoint
#define _POSIX_C_SOURCE 200809L
#include "endpoint.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TRIPS = 2000 };

static double trip[TRIPS];

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_trips(const char *what, const char *name)
{
    qsort(trip, TRIPS, sizeof trip[0], order);
    printf("%-6s least %6.1f, median %6.1f, 99 of 100 %6.1f us  %s\n", what, trip[0], trip[TRIPS / 2],
           trip[TRIPS * 99 / 100], name);
}

static int bench(const char *name)
{
    static endpoint end;
    static link_client client;
    static tac_model model;
    link_stepped stepped;
    int good = endpoint_open(name, &end, &client);

    tac_model_init(&model);
    tac_model_seal(&model, NULL);
    const int result = good ? link_client_set_model(&client, &model) : LINK_DONE;
    if (result != LINK_DONE) complain_link(name, &client, result);
    good &= result == LINK_DONE;
    for (int step = 0; step < 2 && good; step++) {
        for (int i = 0; i < TRIPS && good; i++) {
            const double start = now_us();
            good = (step ? link_client_step(&client, 1, &stepped) : link_client_hello(&client)) == LINK_DONE;
            trip[i] = now_us() - start;
        }
        if (good) print_trips(step ? "STEP" : "HELLO", name);
    }
    endpoint_close(&end);
    return good;
}

// Nothing but the two processes.
static int bench_pipe(void)
{
    int pair[2];
    char byte = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 0;
    if (fork() == 0) {
        close(pair[0]);
        while (read(pair[1], &byte, 1) == 1 && write(pair[1], &byte, 1) == 1) {}
        _exit(0);
    }
    close(pair[1]);
    for (int i = 0; i < TRIPS; i++) {
        const double start = now_us();
        if (write(pair[0], &byte, 1) != 1 || read(pair[0], &byte, 1) != 1) return 0;
        trip[i] = now_us() - start;
    }
    close(pair[0]);
    print_trips("byte", "two processes and a socket");
    return 1;
}

int main(int argc, char **argv)
{
    int good = bench_pipe();
    for (int i = 1; i < argc; i++) good &= bench(argv[i]);
    return good ? EXIT_GOOD : EXIT_BAD;
}
