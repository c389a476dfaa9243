// SPDX-License-Identifier: MIT
// port.h - the port contract: what a board or an operating system gives to the cyclic executive and the link.
// The kernel never calls it. A port is one folder below port/ that defines the functions below; no function allocates.
#ifndef TACTUS_PORT_H
#define TACTUS_PORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Start the clock and the byte channel. To be called once, before anything else. Bytes that came before may be lost.
void port_init(void);

/// Monotonic time in ticks; wraps at 2^32. Differences of up to 2^31 ticks are exact. Callable from anywhere.
uint32_t port_ticks(void);

/// Ticks per second, > 0, constant.
uint32_t port_tick_rate(void);

/// Sleep until port_ticks() has reached `deadline` (wrapping compare). Returns at once if that has passed.
/// Never returns early; how late it may return is the port's property (stated in its README).
void port_wait_until(uint32_t deadline);

/// One byte from the channel, or -1 if none has arrived. Never blocks.
int port_read(void);

/// Send bytes; returns when all are accepted by the channel.
void port_write(const uint8_t *bytes, uint32_t count);

/// Sleep until something may have happened on the channel or the clock. May return at any time.
void port_idle(void);

/// Show a line of text to a developer (semihosting, stderr); not part of the channel. Without '\n'.
void port_log(const char *text);

/// End the program: 0 good. On a board without an exit the core sleeps for ever.
void port_exit(int code);

/// A contract is broken and there is no way on. Shows `text`, then ends with code 98.
void port_panic(const char *text);

#ifdef __cplusplus
}
#endif

#endif
