// SPDX-License-Identifier: MIT
// wire.h - values to bytes and back.
//   given   integers, reals, byte strings
//   makes   little-endian bytes, CRC-32, COBS frames between 0x00 delimiters
//   bound   linear in the bytes
//   never   allocates, looks at the byte order of the machine, or writes beyond the room it was given
#ifndef TACTUS_LINK_WIRE_H
#define TACTUS_LINK_WIRE_H

#include "tactus/work.h"

/// Bytes of a frame before COBS. 254 is one COBS block: the overhead of a frame on the line is then constant.
#define WIRE_MAX_FRAME 254u

/// Bytes of a frame on the line: two delimiters and at most two code bytes more.
#define WIRE_MAX_LINE (WIRE_MAX_FRAME + 4u)

/// Puts bytes; `count` runs on when `room` is used up, so count > room says that something did not fit.
typedef struct wire_writer {
    uint8_t *bytes;
    uint32_t room;
    uint32_t count;
} wire_writer;

void wire_put_u8(wire_writer *w, uint8_t value);
void wire_put_u16(wire_writer *w, uint16_t value);
void wire_put_u32(wire_writer *w, uint32_t value);
void wire_put_u64(wire_writer *w, uint64_t value);
void wire_put_real(wire_writer *w, tac_real value); ///< the IEEE bits as u32 or u64

/// Gets bytes; reads 0 beyond the end, and `at` runs on, so at > count says that the string was too short.
typedef struct wire_reader {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t at;
} wire_reader;

uint8_t wire_get_u8(wire_reader *r);
uint16_t wire_get_u16(wire_reader *r);
uint32_t wire_get_u32(wire_reader *r);
uint64_t wire_get_u64(wire_reader *r);
tac_real wire_get_real(wire_reader *r);

/// A real of `bits` 32 or 64, rounded to ours.
tac_real wire_get_real_of(wire_reader *r, uint8_t bits);

/// CRC-32 (IEEE 802.3, reflected, 0xEDB88320); "123456789" gives 0xCBF43926.
uint32_t wire_crc32(const uint8_t *bytes, uint32_t count);

/// Stuff `count` bytes between two delimiters. Writes at most count + count / 254 + 3 bytes; returns how many.
uint32_t wire_cobs_encode(const uint8_t *bytes, uint32_t count, uint8_t *line);

/// Takes the line byte by byte. Zero is the empty decoder.
typedef struct wire_decoder {
    uint8_t bytes[WIRE_MAX_FRAME];
    uint16_t count; ///< in use of bytes[]
    uint8_t code;   ///< length code of the block under way, 0 at the start of a frame
    uint8_t left;   ///< bytes of that block still to come
    uint8_t bad;    ///< the frame is longer than bytes[]
} wire_decoder;

enum { WIRE_MORE, WIRE_FRAME, WIRE_BROKEN };

/// Returns WIRE_FRAME when bytes[0 .. count-1] is a frame (valid until the next call), WIRE_BROKEN when a delimiter
/// came where none may be or the frame was too long, WIRE_MORE otherwise. Empty frames are skipped. Cost: constant.
int wire_cobs_decode(wire_decoder *decoder, uint8_t byte);

#endif
