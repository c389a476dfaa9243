// SPDX-License-Identifier: MIT
// pair.h - a server and a client in one process, with a bad line between them if asked for.
//   given   rates of damage, a seed
//   makes   a conversation without ports and without time: the clock advances by 7 ticks whenever it is read
//   bound   PAIR_QUEUE bytes on the way in each direction; the server runs when the client reads and finds nothing
//   never   breaks a frame without being asked to
#ifndef LINK_PAIR_H
#define LINK_PAIR_H

#include "link/client.h"
#include "link/server.h"

enum { PAIR_QUEUE = 16384, PAIR_TICKS = 7 };

/// How many frames of 1000 suffer, in each direction.
typedef struct pair_damage {
    uint32_t drop, duplicate, flip, truncate;
    uint32_t hold; ///< come after the next frame, or after more
    uint32_t lie;  ///< of the server's replies: another payload or length under a good CRC
} pair_damage;

/// The firmware of the pair: what the server works on.
extern tac_model pair_model;
extern tac_state pair_state;
extern tac_input pair_input;
extern tac_work pair_work;
extern link_server pair_server;
extern uint32_t pair_replies; ///< frames that the server wrote
extern uint32_t pair_silence; ///< times that the server will look between steps before it sees what has arrived

/// A server on an empty world, a client, a clean line. Nothing has been said yet.
void pair_open(link_client *client, pair_damage damage, uint64_t seed);

/// The server starts anew on an empty world, as a firmware after a reset.
void pair_restart(void);

/// Start a frame as a client would that is next in the session.
wire_writer pair_begin(uint8_t *bytes, uint8_t type, uint64_t step);

/// Give bytes straight to the server.
void pair_inject(const uint8_t *bytes, uint32_t count);

/// After frames that were injected: what they were answered is lost, and the client goes on with their session and
/// number.
void pair_rejoin(link_client *client);

/// Take the next frame that the server wrote. Returns 0 if there is none.
int pair_take(wire_decoder *decoder, link_frame *frame);

/// Uniform in 0 .. below-1, from the seed of pair_open().
uint32_t pair_random(uint32_t below);

/// A world with every kind of element: a floor, a box and a ball that fall on it, a moving plate, a pair of materials,
/// bodies that do not collide, data of shapes; with TAC_MAX_JOINTS an arm and a slide on the box, and a rope.
void pair_build_world(tac_model *model);

/// An input under which nothing acts.
void pair_rest(tac_input *input);

/// Steps without a line. Returns their trace.
uint64_t pair_local_steps(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work,
                          uint32_t steps);

/// The input of a step: the box is pushed, the plate moves, arm and slide are driven; another one every 20 steps.
void pair_drive(uint64_t step, tac_input *input);

#endif
