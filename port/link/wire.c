// SPDX-License-Identifier: MIT
#include "link/wire.h"

// Conversion through a union reads the value representation, which C99 allows and every byte order gets right.
typedef union f32_bits {
    float value;
    uint32_t bits;
} f32_bits;

typedef union f64_bits {
    double value;
    uint64_t bits;
} f64_bits;

void wire_put_u8(wire_writer *w, uint8_t value)
{
    if (w->count < w->room) w->bytes[w->count] = value;
    w->count++;
}

void wire_put_u16(wire_writer *w, uint16_t value)
{
    wire_put_u8(w, (uint8_t)(value & 0xffu));
    wire_put_u8(w, (uint8_t)(value >> 8));
}

void wire_put_u32(wire_writer *w, uint32_t value)
{
    wire_put_u16(w, (uint16_t)(value & 0xffffu));
    wire_put_u16(w, (uint16_t)(value >> 16));
}

void wire_put_u64(wire_writer *w, uint64_t value)
{
    wire_put_u32(w, (uint32_t)(value & 0xffffffffu));
    wire_put_u32(w, (uint32_t)(value >> 32));
}

void wire_put_real(wire_writer *w, tac_real value)
{
#if TAC_REAL_BITS == 32
    const f32_bits real = {value};
    wire_put_u32(w, real.bits);
#else
    const f64_bits real = {value};
    wire_put_u64(w, real.bits);
#endif
}

uint8_t wire_get_u8(wire_reader *r)
{
    const uint8_t value = r->at < r->count ? r->bytes[r->at] : 0;
    r->at++;
    return value;
}

uint16_t wire_get_u16(wire_reader *r)
{
    const uint16_t low = wire_get_u8(r);
    const uint16_t high = wire_get_u8(r);
    return (uint16_t)(low | (uint16_t)(high << 8));
}

uint32_t wire_get_u32(wire_reader *r)
{
    const uint32_t low = wire_get_u16(r);
    const uint32_t high = wire_get_u16(r);
    return low | high << 16;
}

uint64_t wire_get_u64(wire_reader *r)
{
    const uint64_t low = wire_get_u32(r);
    const uint64_t high = wire_get_u32(r);
    return low | high << 32;
}

tac_real wire_get_real_of(wire_reader *r, uint8_t bits)
{
    if (bits == 32) {
        f32_bits real;
        real.bits = wire_get_u32(r);
        return (tac_real)real.value;
    }
    f64_bits real;
    real.bits = wire_get_u64(r);
    return (tac_real)real.value;
}

tac_real wire_get_real(wire_reader *r)
{
    return wire_get_real_of(r, TAC_REAL_BITS);
}

// Four bits at a time: a table of 64 bytes instead of 1 KiB.
uint32_t wire_crc32(const uint8_t *bytes, uint32_t count)
{
    static const uint32_t nibble[16] = {
        0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
        0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu,
    };
    uint32_t crc = 0xffffffffu;

    for (uint32_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ nibble[crc & 15u];
        crc = crc >> 4 ^ nibble[crc & 15u];
    }
    return ~crc;
}

// A block is a code byte c and the c - 1 bytes other than zero that follow it; c < 255 also stands for a zero after
// them.
uint32_t wire_cobs_encode(const uint8_t *bytes, uint32_t count, uint8_t *line)
{
    uint32_t at = 0;
    line[at++] = 0;
    uint32_t code = at++;

    for (uint32_t i = 0; i < count; i++) {
        if (bytes[i] != 0) line[at++] = bytes[i];
        // a full block at the very end needs no successor
        const int full = at - code == 255 && i + 1 < count;
        if (bytes[i] == 0 || full) {
            line[code] = (uint8_t)(at - code);
            code = at++;
        }
    }
    line[code] = (uint8_t)(at - code);
    line[at++] = 0;
    return at;
}

static void decoder_put(wire_decoder *decoder, uint8_t byte)
{
    if (decoder->count < WIRE_MAX_FRAME) {
        decoder->bytes[decoder->count++] = byte;
    } else {
        decoder->bad = 1;
    }
}

static int decoder_end(wire_decoder *decoder)
{
    const int empty = decoder->code == 0;
    const int good = decoder->left == 0 && !decoder->bad;

    decoder->code = 0;
    decoder->left = 0;
    decoder->bad = 0;
    if (empty) return WIRE_MORE;
    return good ? WIRE_FRAME : WIRE_BROKEN;
}

int wire_cobs_decode(wire_decoder *decoder, uint8_t byte)
{
    if (byte == 0) return decoder_end(decoder);

    if (decoder->left != 0) {
        decoder_put(decoder, byte);
        decoder->left--;
        return WIRE_MORE;
    }
    if (decoder->code == 0) {
        decoder->count = 0;
    } else if (decoder->code != 255) {
        decoder_put(decoder, 0);
    }
    decoder->code = byte;
    decoder->left = (uint8_t)(byte - 1);
    return WIRE_MORE;
}
