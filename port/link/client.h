// SPDX-License-Identifier: MIT
// client.h - the host's side of the link: one call is one request and its reply.
//   given   a channel (read with timeout, write), the objects to send or to fill
//   makes   the reply's values; if no good reply comes, the request is sent again under the same number
//   bound   retries + 1 attempts, each of at most one timeout after the last byte and LINK_PATIENCE bytes
//   never   allocates; lets a request be executed twice; takes a late reply for an answer; writes beyond the objects it
//           was given, whatever the other side sends
#ifndef TACTUS_LINK_CLIENT_H
#define TACTUS_LINK_CLIENT_H

#include "link/frame.h"
#include "link/image.h"
#include "link/method.h"
#include "link/question.h"
#include "tactus/tactus.h"

/// Bytes that may arrive in one attempt without the reply among them: stale replies and noise.
#define LINK_PATIENCE (8u * WIRE_MAX_LINE)

/// A byte stream that keeps its order. `read` gives a byte, or -1 if none comes for `timeout_ms`, or -2 if none will
/// come any more. `write` returns 0, or -1 if the other side is gone.
typedef struct link_channel {
    void *context;
    int (*read)(void *context, uint32_t timeout_ms);
    int (*write)(void *context, const uint8_t *bytes, uint32_t count);
} link_channel;

/// What a call returns, each with the text that link_result_name() gives.
//  LINK_TIMEOUT    no reply to any attempt
//  LINK_REFUSED    an error reply: client->error
//  LINK_PRECISION  also if the other side has another TAC_ROLLING
//  LINK_NO_ROOM    on this side: client->over says which count is too large (TAC_COUNT_*, or
//                  IMAGE_LAWS, IMAGE_SWITCHES)
//  LINK_TOO_LONG   nothing was sent
#define LINK_RESULT_TABLE(RESULT)                                                                                      \
    RESULT(LINK_DONE, 0, "done")                                                                                       \
    RESULT(LINK_TIMEOUT, -1, "no reply")                                                                               \
    RESULT(LINK_CLOSED, -2, "the other side is gone")                                                                  \
    RESULT(LINK_REFUSED, -3, "refused")                                                                                \
    RESULT(LINK_MALFORMED, -4, "a reply that does not fit its request")                                                \
    RESULT(LINK_PRECISION, -5, "the firmware has reals or heights of another precision")                               \
    RESULT(LINK_NO_ROOM, -6, "more elements than there is room for")                                                   \
    RESULT(LINK_TOO_LONG, -7, "a payload that no frame has room for")

#define LINK_RESULT_ENTRY_(result, value, text) result = value,
enum { LINK_RESULT_TABLE(LINK_RESULT_ENTRY_) };

typedef struct link_hello {
    uint8_t real_bits, major, minor;
    uint16_t max_bodies, max_shapes, max_contacts, max_materials, max_material_pairs, max_actions;
    uint16_t max_exclusions, max_polyhedra, max_points, max_faces, max_edges, max_hull_points, max_fields, max_joints;
    uint32_t max_heights;
    uint8_t height_bits; ///<      8, 16, or 0: a real
    uint8_t convex;      ///<      1: all kinds of shapes
    uint8_t rolling;     ///<      1: materials may resist spinning and rolling
    uint8_t laws;        ///<      1: friction may have a direction, and a value at rest (TAC_FRICTION_LAWS)
    uint8_t switches;    ///<      1: joints may be switched (TAC_SWITCHES)
    uint8_t coordinates; ///<      1: joints that are coordinates of others, knife edges (TAC_COORDINATES)
    uint16_t max_surfaces;
    uint32_t model_hash;
    image_world world;  ///<       of the model
    tac_real h;         ///< s
    uint32_t tick_rate; ///< 1/s
    uint32_t frames, dropped, repeated, ignored;
    uint16_t max_steps; ///<       of one STEP, >= 1
} link_hello;

typedef struct link_error {
    uint8_t request; ///< type
    uint8_t reason;  ///< LINK_E_*
    tac_status status;
    tac_fault fault;
} link_error;

typedef struct link_stepped {
    tac_status status;                         ///<         of the last step
    tac_fault fault;                           ///<         if that was refused
    uint16_t done;                             ///<         steps taken, >= 1; fewer than asked: refused or cancelled
    uint16_t contacts;                         ///<         of the last step
    uint32_t sweeps;                           ///<         of all steps
    uint32_t ticks_min, ticks_mean, ticks_max; ///< inside tac_step(), hash and link excluded
    uint64_t hash;                             ///<         of the state after the last step
    uint64_t trace;                            ///<         link_trace() over the hashes after each step
} link_stepped;

#if TAC_MAX_LCP > 0

/// What an ASK was answered.
typedef struct link_asking {
    tac_status status;
    tac_linear_size size; ///< as in link_answer
    uint16_t contacts, numbers;
    uint32_t ticks;
    uint64_t hash;
} link_asking;

#endif

typedef struct link_client {
    link_channel channel;
    uint32_t timeout_ms;     ///< of one attempt
    uint32_t retries;        ///< attempts after the first
    uint32_t session;        ///< of this client
    uint16_t sequence;       ///< of the last request
    uint64_t step;           ///< of the firmware's state, from the last reply
    uint32_t resent;         ///< times that a request was sent again
    uint32_t stale;          ///< frames that did not answer the current request: late, or of another session
    link_hello hello;        ///< reply of link_client_hello()
    link_error error;        ///< of the last LINK_REFUSED
    int over;                ///< of the last LINK_NO_ROOM, as image_get() returns it
    volatile uint8_t cancel; ///< 1: end the current STEP or, if there is none, the next one

    wire_decoder decoder;
    uint8_t request[WIRE_MAX_FRAME];
    uint8_t line[WIRE_MAX_LINE];
    wire_reader reply; ///< payload, valid until the next call
} link_client;

/// `session` distinguishes this session from earlier ones on the same line, whose replies may still arrive: pass a time
/// or a random number.
void link_client_init(link_client *client, link_channel channel, uint32_t timeout_ms, uint32_t retries,
                      uint32_t session);

/// Open the session; to be called first. Returns LINK_DONE whatever the precision of the firmware is.
int link_client_hello(link_client *client);

/// Send a whole object. The firmware keeps what it had until all parts are in and the kernel accepts them.
int link_client_set_model(link_client *client, const tac_model *model);
int link_client_set_state(link_client *client, const tac_model *model, const tac_state *state);
int link_client_set_input(link_client *client, const tac_input *input);

#if TAC_PREDICT

/// A packed state (tac_state_pack()) of either form. A firmware without TAC_PREDICT refuses both (LINK_E_RANGE). set:
/// as link_client_set_state(); size 1 .. IMAGE_MAX_PACKED, else LINK_TOO_LONG. get: at most `room` bytes, else
/// LINK_NO_ROOM; *size is how many the state has, 0 if none have been told. If it fails the bytes must not be used.
int link_client_set_packed(link_client *client, const uint8_t *bytes, uint32_t size);
int link_client_get_packed(link_client *client, uint8_t form, uint8_t *bytes, uint32_t room, uint32_t *size);

/// The firmware's state is set to what has been measured (tac_state_set_measured()), and is at measured->step then.
/// `world` is that of the firmware's model. A firmware without TAC_PREDICT refuses it (LINK_E_RANGE).
int link_client_set_measured(link_client *client, image_world world, const image_measured *measured);

#endif

/// Take 1 .. hello.max_steps steps from the step that the firmware was last known to be at.
int link_client_step(link_client *client, uint16_t steps, link_stepped *stepped);

/// The same by any method. A firmware whose kernel does not have it refuses it (LINK_E_RANGE).
int link_client_step_by(link_client *client, uint16_t steps, link_method method, link_stepped *stepped);

#if TAC_MAX_LCP > 0

/// Ask the firmware about the state that it is known to be at. A firmware that does not know the question refuses it
/// (LINK_E_RANGE). A host that asks its own kernel compares one number, the hash.
int link_client_ask(link_client *client, link_question question, link_asking *asking);

/// Fetch the numbers of the last answer: asking->numbers of them, for which there must be room.
int link_client_get_answer(link_client *client, const link_asking *asking, tac_real *number);

#endif

/// End the current STEP early or, if there is none, the next one: it returns LINK_DONE with the steps that were taken,
/// at least one. May be called from a signal handler or another thread. CANCEL is sent with the next attempt: after a
/// timeout at the latest, at once if the channel's read() returns -1 when a signal interrupts it.
void link_client_cancel(link_client *client);

/// Fetch a whole object. If that fails the object must not be used, but none of its counts exceeds its array. `world`
/// is that of the firmware's model: image_world_of() or hello.world. get_contacts writes work->contact[] and
/// work->report.contacts. get_joints writes work->joint[], and their number to `joints`: 0 if no step has been taken.
/// get_input: what acts in the firmware's next step, by SET_INPUT or by a controller that runs there.
int link_client_get_state(link_client *client, image_world world, tac_state *state);
int link_client_get_input(link_client *client, tac_input *input);
int link_client_get_contacts(link_client *client, tac_work *work);
int link_client_get_joints(link_client *client, tac_work *work, uint16_t *joints);

/// The report of the firmware's last step. report.contacts counts what the firmware has, which may be more than there
/// is room for here. A reply with more than TAC_STAGES stages is LINK_MALFORMED. If the call fails the report must
/// not be used.
int link_client_get_report(link_client *client, tac_report *report);
int link_client_hash(link_client *client, uint64_t *state_hash, uint32_t *model_hash);

/// Any request, for tests of the protocol: client->reply is the payload of the reply. LINK_TOO_LONG if `count` is above
/// LINK_MAX_PAYLOAD.
int link_client_call(link_client *client, uint8_t type, uint64_t step, const uint8_t *payload, uint32_t count);

/// "joints": what a number of LINK_NO_ROOM or LINK_E_CAPACITY counts; "?" out of range.
const char *link_count_name(int which);

/// Text for the results above; "?" out of range.
const char *link_result_name(int result);

#endif
