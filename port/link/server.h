// SPDX-License-Identifier: MIT
// server.h - the firmware's side of the link: bytes in, steps taken, replies out.
//   given   model, state, input, work of the application; bytes of the line, one at a time
//   makes   one reply to each good request that is not late, never anything else
//   bound   a byte is constant, unless it ends a request: then the cost of that request (STEP: LINK_MAX_STEPS steps)
//   never   allocates, waits, or changes anything on a request that it refuses
#ifndef TACTUS_LINK_SERVER_H
#define TACTUS_LINK_SERVER_H

#include "link/frame.h"
#include "link/image.h"
#include "link/method.h"
#include "link/question.h"
#include "tactus/tactus.h"

/// The functions that the server calls: those of tactus/port.h, or of a test.
typedef struct link_port {
    void (*write)(const uint8_t *bytes, uint32_t count);
    int (*read)(void); ///<      a byte, or -1 if none has arrived; called between the steps of a STEP to find a CANCEL
    uint32_t (*ticks)(void);
    uint32_t tick_rate; ///< 1/s
} link_port;

/// Counters; they wrap.
typedef struct link_count {
    uint32_t frames;   ///< good ones
    uint32_t dropped;  ///< broken, too long, too short or of wrong CRC
    uint32_t repeated; ///< repeated requests, which got the last reply again and were not executed again
    uint32_t ignored;  ///< good ones without an answer: late, sent while steps were taken, or CANCEL without a STEP
} link_count;

typedef struct link_server {
    link_port port;
    tac_model *model;
    tac_state *state;
    tac_input *input;
    tac_work *work;
    link_count count;
    uint16_t results; ///< results of joints in work: as many as the model has joints, 0 until a step is taken

    // the line
    wire_decoder decoder;
    uint8_t reply[WIRE_MAX_FRAME];
    uint8_t line[WIRE_MAX_LINE];
    uint32_t line_count;    ///< bytes of the last reply; 0 if there was none, so no session is open
    uint16_t last_sequence; ///< number of the request that it answered
    uint32_t session;       ///< of the last HELLO

    // An object that arrives in parts. It replaces the application's when the last part has arrived and the kernel has
    // accepted it.
    union {
        tac_model model;
        tac_state state;
        tac_input input;
#if TAC_PREDICT
        uint8_t packed[IMAGE_MAX_PACKED];
        image_measured measured;
#endif
    } staged;
    image_kind staged_kind;
    uint32_t staged_next; ///< element expected next, or byte of a packed state

    link_solvers solvers; ///< of steps by other methods than tac_step()
#if TAC_MAX_LCP > 0
    link_asked asked; ///< of questions; the last answer
#endif
} link_server;

/// Start with a sealed model and a state of it. The server writes all four objects; nothing else may write them while
/// it runs.
void link_server_init(link_server *server, link_port port, tac_model *model, tac_state *state, tac_input *input,
                      tac_work *work);

/// Take one byte from the line. If it ends a request, execute that and reply.
void link_server_byte(link_server *server, uint8_t byte);

#endif
