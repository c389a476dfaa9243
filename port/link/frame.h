// SPDX-License-Identifier: MIT
// frame.h - what a frame of the link is: README.md has every byte.
//   given   type, sequence number, session, step count, payload
//   makes   the frame as it goes on the line, or its fields from the bytes of one
//   bound   linear in the bytes
//   never   keeps a state: server.h and client.h do
#ifndef TACTUS_LINK_FRAME_H
#define TACTUS_LINK_FRAME_H

#include "link/wire.h"

#define LINK_VERSION 10u

/// Version, type, sequence, session, step before the payload; CRC-32 behind it.
#define LINK_HEAD 16u
#define LINK_TAIL 4u
#define LINK_MAX_PAYLOAD (WIRE_MAX_FRAME - LINK_HEAD - LINK_TAIL)

/// Most steps that one STEP may ask for: the firmware answers within so many steps.
#ifndef LINK_MAX_STEPS
#define LINK_MAX_STEPS 100u
#endif
#if LINK_MAX_STEPS < 1 || LINK_MAX_STEPS > 65535
#error "LINK_MAX_STEPS: 1 .. 65535"
#endif

/// In HELLO, added to the number of joints of the model if any of them may be switched.
#define LINK_SWITCHED 0x8000u

/// Requests. A reply has the type of its request plus LINK_REPLY.
enum {
    LINK_HELLO = 1,
    LINK_SET_MODEL,
    LINK_SET_STATE,
    LINK_SET_INPUT,
    LINK_STEP,
    LINK_GET_STATE,
    LINK_GET_CONTACTS,
    LINK_GET_REPORT,
    LINK_HASH,
    LINK_GET_JOINTS,
    LINK_CANCEL, ///< of the STEP with the same number; has no reply of its own
    LINK_ASK,
    LINK_GET_ANSWER,
    LINK_SET_PACKED,
    LINK_GET_PACKED,
    LINK_SET_MEASURED,
    LINK_GET_INPUT,
    LINK_REQUESTS, ///< one more than the last
    LINK_REPLY = 0x80,
    LINK_ERROR = 0xff
};

/// Reasons of an error reply, each with the text that link_reason_name() gives.
//  LINK_E_LENGTH    payload shorter or longer than the request needs
//  LINK_E_RANGE     a number in the payload
//  LINK_E_STEP      the state is not at the step that the request names
//  LINK_E_ORDER     part of a transfer that does not follow the part before
//  LINK_E_CAPACITY  a count above its capacity: status TAC_E_FULL, fault.index says which count (TAC_COUNT_*,
//                   or IMAGE_LAWS, IMAGE_SWITCHES of image_room.h)
//  LINK_E_KERNEL    the kernel refused: status and fault say why
#define LINK_REASON_TABLE(REASON)                                                                                      \
    REASON(LINK_E_NONE, "none")                                                                                        \
    REASON(LINK_E_VERSION, "other protocol version")                                                                   \
    REASON(LINK_E_UNKNOWN, "unknown request")                                                                          \
    REASON(LINK_E_LENGTH, "wrong length")                                                                              \
    REASON(LINK_E_RANGE, "number out of range")                                                                        \
    REASON(LINK_E_STEP, "state at another step")                                                                       \
    REASON(LINK_E_ORDER, "part out of order")                                                                          \
    REASON(LINK_E_CAPACITY, "no room for so many elements")                                                            \
    REASON(LINK_E_KERNEL, "refused by the kernel")                                                                     \
    REASON(LINK_E_SESSION, "not of the session that the last HELLO opened")

enum { LINK_REASON_TABLE(TAC_TABLE_ENTRY) LINK_REASONS };

/// In the step field of a request: execute it at any step of the state.
#define LINK_ANY_STEP UINT64_MAX

typedef struct link_frame {
    uint8_t version;
    uint8_t type;
    uint16_t sequence;
    uint32_t session;
    uint64_t step;
    wire_reader payload;
} link_frame;

/// Start a frame in `bytes` of WIRE_MAX_FRAME; the payload is put behind it, LINK_MAX_PAYLOAD at most.
wire_writer link_frame_begin(uint8_t *bytes, uint8_t type, uint16_t sequence, uint32_t session, uint64_t step);

/// Close the frame and write it to `line` of WIRE_MAX_LINE. Returns its length there.
uint32_t link_frame_end(wire_writer *w, uint8_t *line);

/// Read a frame. Returns 0 if it is too short or its CRC is wrong.
int link_frame_parse(const uint8_t *bytes, uint32_t count, link_frame *frame);

/// Text for LINK_E_*; "?" out of range.
const char *link_reason_name(uint8_t reason);

/// The trace of a STEP: 64 bit FNV-1a over the state hashes after each of its steps, low byte first. Two sides that
/// agree in it agree in every step.
#define LINK_TRACE_START UINT64_C(0xcbf29ce484222325)
uint64_t link_trace(uint64_t trace, uint64_t hash);

#endif
