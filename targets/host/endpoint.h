// SPDX-License-Identifier: MIT
// endpoint.h - the other end of a link: "tty:DEVICE,SPEED", "unix:PATH", "tcp:HOST:PORT", "udp:HOST:PORT" or
// "exec:PROGRAM ARGUMENTS".
#ifndef HOST_ENDPOINT_H
#define HOST_ENDPOINT_H

#include "link/client.h"
#include <sys/types.h>

typedef struct endpoint {
    int fd;             ///< -1: not open
    pid_t child;        ///< of "exec:", else 0
    int packets;        ///< 1: datagrams, of which an empty one is no end
    uint8_t byte[2048]; ///< a datagram is read whole
    ssize_t next, filled;
} endpoint;

/// What every command that takes an endpoint says about it.
#define ENDPOINT_HELP                                                                                                  \
    "ENDPOINT is one of\n"                                                                                             \
    "  tty:DEVICE,SPEED        a serial line, as tty:/dev/ttyACM0,921600; without a speed 115200\n"                    \
    "  unix:PATH               a socket, as QEMU makes for a UART\n"                                                   \
    "  tcp:HOST:PORT           the same over TCP\n"                                                                    \
    "  udp:HOST:PORT           a frame in each datagram; lost ones are sent again\n"                                   \
    "  exec:PROGRAM ARGUMENTS  a program that speaks the link on stdin and stdout (no shell; cut at blanks)\n"

/// Connect and say HELLO. Returns 0 after a complaint; endpoint_close() is due either way.
int endpoint_open(const char *name, endpoint *end, link_client *client);

/// Complain and return 0 if the firmware computes in another precision than this program.
int endpoint_same_precision(const link_client *client);

void endpoint_close(endpoint *end);

#endif
