// SPDX-License-Identifier: MIT
// realtime.h - functions that only the POSIX port has: real-time priority, and the files of the byte channel.
#ifndef POSIX_REALTIME_H
#define POSIX_REALTIME_H

/// Lock all memory, now and later, and run under SCHED_FIFO. Both need a privilege or a resource limit that allows it.
///   priority   1 .. 99; more is more urgent
/// Returns NULL, or the name of the call that failed, with the reason in errno; what succeeded before stays.
const char *port_realtime(int priority);

/// Set the files of the byte channel, which port_read() reads and port_write() writes. Until this is called there is no
/// channel.
///   fd_in, fd_out   open; may be equal; the caller closes them
void port_posix_channel(int fd_in, int fd_out);

#endif
