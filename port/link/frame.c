// SPDX-License-Identifier: MIT
#include "link/frame.h"

wire_writer link_frame_begin(uint8_t *bytes, uint8_t type, uint16_t sequence, uint32_t session, uint64_t step)
{
    wire_writer w = {bytes, WIRE_MAX_FRAME - LINK_TAIL, 0};

    wire_put_u8(&w, LINK_VERSION);
    wire_put_u8(&w, type);
    wire_put_u16(&w, sequence);
    wire_put_u32(&w, session);
    wire_put_u64(&w, step);
    return w;
}

uint32_t link_frame_end(wire_writer *w, uint8_t *line)
{
    w->room += LINK_TAIL;
    wire_put_u32(w, wire_crc32(w->bytes, w->count));
    return wire_cobs_encode(w->bytes, w->count, line);
}

int link_frame_parse(const uint8_t *bytes, uint32_t count, link_frame *frame)
{
    if (count < LINK_HEAD + LINK_TAIL) return 0;

    wire_reader tail = {bytes, count, count - LINK_TAIL};
    if (wire_get_u32(&tail) != wire_crc32(bytes, count - LINK_TAIL)) return 0;

    wire_reader head = {bytes, LINK_HEAD, 0};
    frame->version = wire_get_u8(&head);
    frame->type = wire_get_u8(&head);
    frame->sequence = wire_get_u16(&head);
    frame->session = wire_get_u32(&head);
    frame->step = wire_get_u64(&head);
    frame->payload.bytes = bytes + LINK_HEAD;
    frame->payload.count = count - LINK_HEAD - LINK_TAIL;
    frame->payload.at = 0;
    return 1;
}

const char *link_reason_name(uint8_t reason)
{
#define REASON_TEXT(reason, text) text,
    static const char *const name[LINK_REASONS] = {LINK_REASON_TABLE(REASON_TEXT)};
    return reason < LINK_REASONS ? name[reason] : "?";
}

uint64_t link_trace(uint64_t trace, uint64_t hash)
{
    for (uint32_t i = 0; i < 8; i++) { trace = (trace ^ (hash >> 8 * i & 0xffu)) * UINT64_C(0x100000001b3); }
    return trace;
}
