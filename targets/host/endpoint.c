// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // speeds of serial lines beyond POSIX
#include "endpoint.h"
#include "message.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// An emulated board may take seconds for many steps of a large world.
enum { TIMEOUT_MS = 3000, RETRIES = 4, MAX_ARGUMENTS = 32, NO_ENDPOINT = -2 };

// ----------------------------------------------------------------------------------------------------------- channel

static int end_read(void *context, uint32_t timeout_ms)
{
    endpoint *end = context;

    if (end->next == end->filled) {
        struct pollfd p = {.fd = end->fd, .events = POLLIN};
        if (poll(&p, 1, (int)timeout_ms) <= 0) return -1;
        end->next = 0;
        end->filled = read(end->fd, end->byte, sizeof end->byte);
        if (end->filled <= 0) {
            const int empty = end->filled == 0 && end->packets;
            end->filled = 0;
            return empty ? -1 : -2;
        }
    }
    return end->byte[end->next++];
}

static int end_write(void *context, const uint8_t *bytes, uint32_t count)
{
    const endpoint *end = context;

    while (count > 0) {
        const ssize_t sent = write(end->fd, bytes, count);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return -1;
        bytes += sent;
        count -= (uint32_t)sent;
    }
    return 0;
}

// -------------------------------------------------------------------------------------------------------------- kinds

static int open_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static int connect_any(const struct addrinfo *list)
{
    int fd = -1;
    for (const struct addrinfo *a = list; a != NULL && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    return fd;
}

// "HOST:PORT"; the port stands behind the last colon, so that IPv6 addresses pass.
static int open_inet(const char *name, int type)
{
    const struct addrinfo hints = {.ai_socktype = type};
    struct addrinfo *list;
    char host[256];
    const char *port = strrchr(name, ':');

    if (port == NULL || (size_t)(port - name) >= sizeof host) {
        errno = EINVAL;
        return -1;
    }
    memcpy(host, name, (size_t)(port - name));
    host[port - name] = '\0';
    if (getaddrinfo(host, port + 1, &hints, &list) != 0) {
        errno = EHOSTUNREACH;
        return -1;
    }
    const int fd = connect_any(list);
    freeaddrinfo(list);
    return fd;
}

// The constant of a speed in bit/s; B0 if there is none.
static speed_t speed_of(const char *text)
{
    static const struct {
        unsigned long rate;
        speed_t speed;
    } known[] = {
        {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
        {115200, B115200},   {230400, B230400},
#ifdef B4000000
        {460800, B460800},   {500000, B500000},   {921600, B921600},   {1000000, B1000000},
        {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000},
#endif
    };
    char *end;
    const unsigned long rate = strtoul(text, &end, 10);

    for (size_t i = 0; *end == '\0' && i < sizeof known / sizeof known[0]; i++) {
        if (known[i].rate == rate) return known[i].speed;
    }
    return B0;
}

// "DEVICE,SPEED" or "DEVICE", which is 115200: eight bits as they are, no echo, no flow control.
static int open_tty(const char *name)
{
    char device[256];
    const char *comma = strrchr(name, ',');
    const size_t length = comma != NULL ? (size_t)(comma - name) : strlen(name);
    const speed_t speed = speed_of(comma != NULL ? comma + 1 : "115200");
    struct termios line;

    if (length >= sizeof device || speed == B0) {
        errno = EINVAL;
        return -1;
    }
    memcpy(device, name, length);
    device[length] = '\0';
    const int fd = open(device, O_RDWR | O_NOCTTY);
    if (fd < 0) return -1;
    if (tcgetattr(fd, &line) == 0) {
        cfmakeraw(&line);
        line.c_cflag |= CLOCAL | CREAD;
        line.c_cc[VMIN] = 1;
        line.c_cc[VTIME] = 0;
        if (cfsetispeed(&line, speed) == 0 && cfsetospeed(&line, speed) == 0 && tcsetattr(fd, TCSAFLUSH, &line) == 0)
            return fd;
    }
    close(fd);
    return -1;
}

// Runs in the child process; does not return.
static void run_child(const char *command, int fd)
{
    char words[1024], *argument[MAX_ARGUMENTS + 1];
    int count = 0;

    snprintf(words, sizeof words, "%s", command);
    for (char *word = strtok(words, " "); word != NULL && count < MAX_ARGUMENTS; word = strtok(NULL, " ")) {
        argument[count++] = word;
    }
    argument[count] = NULL;
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    if (count > 0) execvp(argument[0], argument);
    complain("%s: %s", command, count > 0 ? strerror(errno) : "no program");
    _exit(127);
}

static int open_exec(const char *command, pid_t *child)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -1;
    *child = fork();
    if (*child == 0) {
        close(pair[0]);
        run_child(command, pair[1]);
    }
    close(pair[1]);
    if (*child < 0) {
        *child = 0;
        close(pair[0]);
        return -1;
    }
    return pair[0];
}

// --------------------------------------------------------------------------------------------------------------- open

static const char *after(const char *name, const char *prefix)
{
    const size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

static int open_any(const char *name, endpoint *end)
{
    const char *rest;

    if ((rest = after(name, "unix:")) != NULL) return open_unix(rest);
    if ((rest = after(name, "tcp:")) != NULL) return open_inet(rest, SOCK_STREAM);
    if ((rest = after(name, "udp:")) != NULL) {
        end->packets = 1;
        return open_inet(rest, SOCK_DGRAM);
    }
    if ((rest = after(name, "tty:")) != NULL) return open_tty(rest);
    if ((rest = after(name, "exec:")) != NULL) return open_exec(rest, &end->child);
    return NO_ENDPOINT;
}

int endpoint_open(const char *name, endpoint *end, link_client *client)
{
    const link_channel channel = {end, end_read, end_write};

    // if the other side is gone, write() must fail, and not end the program
    signal(SIGPIPE, SIG_IGN);
    memset(end, 0, sizeof *end);
    end->fd = open_any(name, end);
    if (end->fd < 0) {
        complain("%s: %s", name, end->fd == NO_ENDPOINT ? "none of tty:, unix:, tcp:, udp:, exec:" : strerror(errno));
        return 0;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    link_client_init(client, channel, TIMEOUT_MS, RETRIES, (uint32_t)now.tv_nsec ^ (uint32_t)now.tv_sec << 20);
    const int result = link_client_hello(client);
    if (result != LINK_DONE) complain_link(name, client, result);
    return result == LINK_DONE;
}

int endpoint_same_precision(const link_client *client)
{
    if (client->hello.real_bits != TAC_REAL_BITS) {
        complain("the firmware computes in %u bits, this program in %d: use the other one", client->hello.real_bits,
                 TAC_REAL_BITS);
        return 0;
    }
    if (client->hello.rolling == TAC_ROLLING) return 1;
    complain("TAC_ROLLING is %u in the firmware, %d in this program: build both alike", client->hello.rolling,
             TAC_ROLLING);
    return 0;
}

void endpoint_close(endpoint *end)
{
    if (end->fd >= 0) close(end->fd);
    if (end->child > 0) {
        kill(end->child, SIGTERM);
        waitpid(end->child, NULL, 0);
    }
    end->fd = -1;
    end->child = 0;
}
