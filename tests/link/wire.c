// SPDX-License-Identifier: MIT
// The bytes of the link against vectors from elsewhere: CRC-32 check value, COBS examples of Cheshire and Baker 1999.
#include "link/frame.h"
#include "tap.h"

static int same(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (a[i] != b[i]) { return 0; }
    }
    return 1;
}

static void test_integers(void)
{
    uint8_t bytes[15];
    static const uint8_t expected[15] = {1, 0x03, 0x02, 0x07, 0x06, 0x05, 0x04, 15, 14, 13, 12, 11, 10, 9, 8};
    wire_writer w = {bytes, sizeof bytes, 0};

    wire_put_u8(&w, 1);
    wire_put_u16(&w, 0x0203);
    wire_put_u32(&w, 0x04050607);
    wire_put_u64(&w, UINT64_C(0x08090a0b0c0d0e0f));
    tap_equal(w.count, 15, "integers: length");
    tap_ok(same(bytes, expected, 15), "integers: low byte first");

    wire_reader r = {bytes, sizeof bytes, 0};
    tap_equal(wire_get_u8(&r), 1, "u8 comes back");
    tap_equal(wire_get_u16(&r), 0x0203, "u16 comes back");
    tap_equal(wire_get_u32(&r), 0x04050607, "u32 comes back");
    tap_hash(wire_get_u64(&r), UINT64_C(0x08090a0b0c0d0e0f), "u64 comes back");
    tap_equal(r.at, r.count, "reader at the end");
}

static void test_reals(void)
{
    static const uint8_t f32[4] = {0x00, 0x00, 0x20, 0xc0};       // -2.5f
    static const uint8_t f64[8] = {0, 0, 0, 0, 0, 0, 0x04, 0xc0}; // -2.5
    static const tac_real values[] = {(tac_real)0.1, (tac_real)-0.0, (tac_real)1e-40, (tac_real)3e38};
    uint8_t bytes[8];
    wire_writer w = {bytes, sizeof bytes, 0};

    wire_put_real(&w, (tac_real)-2.5);
    tap_equal(w.count, TAC_REAL_BITS / 8, "real: length");
    tap_ok(same(bytes, TAC_REAL_BITS == 32 ? f32 : f64, TAC_REAL_BITS / 8), "real: IEEE bits, low byte first");

    wire_reader r32 = {f32, 4, 0}, r64 = {f64, 8, 0};
    tap_near(wire_get_real_of(&r32, 32), -2.5, 0, "real of 32 bits");
    tap_near(wire_get_real_of(&r64, 64), -2.5, 0, "real of 64 bits");

    for (uint32_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        uint8_t again[8] = {0};
        wire_writer first = {bytes, sizeof bytes, 0}, second = {again, sizeof again, 0};
        wire_put_real(&first, values[i]);
        wire_reader r = {bytes, first.count, 0};
        wire_put_real(&second, wire_get_real(&r));
        tap_ok(same(bytes, again, first.count), tap_numbered("real comes back bit for bit", i));
    }
}

static void test_bounds(void)
{
    uint8_t bytes[5] = {0, 0, 0, 0xaa, 0xbb};
    wire_writer w = {bytes, 3, 0};
    wire_put_u32(&w, 0xffffffff);
    tap_equal(w.count, 4, "writer: count says that it did not fit");
    tap_equal(bytes[3], 0xaa, "writer: nothing beyond its room");

    wire_reader r = {bytes, 2, 0};
    tap_equal(wire_get_u32(&r), 0xffff, "reader: zero beyond the end");
    tap_ok(r.at > r.count, "reader: at says that it was too short");
}

static void test_crc(void)
{
    tap_equal(wire_crc32((const uint8_t *)"123456789", 9), 0xcbf43926u, "CRC-32 check value");
    tap_equal(wire_crc32((const uint8_t *)"", 0), 0, "CRC-32 of nothing");
    tap_equal(wire_crc32((const uint8_t *)"a", 1), 0xe8b7be43u, "CRC-32 of a");
    tap_equal(wire_crc32((const uint8_t *)"The quick brown fox jumps over the lazy dog", 43), 0x414fa339u,
              "CRC-32 of a fox");
}

static void check_cobs(const uint8_t *plain, uint32_t count, const uint8_t *line, uint32_t line_count, const char *name)
{
    uint8_t got[300];
    wire_decoder decoder = {{0}, 0, 0, 0, 0};
    int event = WIRE_MORE;

    const uint32_t n = wire_cobs_encode(plain, count, got);
    tap_equal(n, line_count + 2, tap_joined(name, ": length"));
    tap_ok(got[0] == 0 && got[n - 1] == 0 && same(got + 1, line, line_count), tap_joined(name, ": line"));

    for (uint32_t i = 0; i < n; i++) { event = wire_cobs_decode(&decoder, got[i]); }
    if (count > WIRE_MAX_FRAME) {
        tap_equal(event, WIRE_BROKEN, tap_joined(name, ": too long to take"));
        return;
    }
    tap_equal(event, WIRE_FRAME, tap_joined(name, ": is a frame"));
    tap_ok(decoder.count == count && same(decoder.bytes, plain, count), tap_joined(name, ": comes back"));
}

static void test_cobs(void)
{
    static const uint8_t a[] = {0x00}, a_line[] = {0x01, 0x01};
    static const uint8_t b[] = {0x00, 0x00}, b_line[] = {0x01, 0x01, 0x01};
    static const uint8_t c[] = {0x11, 0x22, 0x00, 0x33}, c_line[] = {0x03, 0x11, 0x22, 0x02, 0x33};
    static const uint8_t d[] = {0x11, 0x22, 0x33, 0x44}, d_line[] = {0x05, 0x11, 0x22, 0x33, 0x44};
    static const uint8_t e[] = {0x11, 0x00, 0x00, 0x00}, e_line[] = {0x02, 0x11, 0x01, 0x01, 0x01};
    uint8_t plain[255], line[257];

    check_cobs(a, 1, a_line, 2, "COBS 00");
    check_cobs(b, 2, b_line, 3, "COBS 00 00");
    check_cobs(c, 4, c_line, 5, "COBS 11 22 00 33");
    check_cobs(d, 4, d_line, 5, "COBS 11 22 33 44");
    check_cobs(e, 4, e_line, 5, "COBS 11 00 00 00");

    // 01 .. fe: one full block
    line[0] = 0xff;
    for (uint32_t i = 0; i < 254; i++) { plain[i] = line[i + 1] = (uint8_t)(i + 1); }
    check_cobs(plain, 254, line, 255, "COBS 01..fe");

    // 01 .. ff: a full block, then one byte
    plain[254] = 0xff;
    line[255] = 0x02;
    line[256] = 0xff;
    check_cobs(plain, 255, line, 257, "COBS 01..ff");

    // 00 01 .. fd: the zero first
    plain[0] = 0;
    line[0] = 0x01;
    line[1] = 0xfe;
    for (uint32_t i = 1; i < 254; i++) { plain[i] = line[i + 1] = (uint8_t)i; }
    check_cobs(plain, 254, line, 255, "COBS 00 01..fd");
}

static int feed(wire_decoder *decoder, const uint8_t *bytes, uint32_t count)
{
    int event = WIRE_MORE;
    for (uint32_t i = 0; i < count; i++) { event = wire_cobs_decode(decoder, bytes[i]); }
    return event;
}

static void test_broken_lines(void)
{
    static const uint8_t early[] = {0, 0x05, 0x11, 0x22, 0}, good[] = {0, 0x02, 0x11, 0}, empty[] = {0, 0, 0};
    wire_decoder decoder = {{0}, 0, 0, 0, 0};

    tap_equal(feed(&decoder, early, sizeof early), WIRE_BROKEN, "delimiter inside a block");
    tap_equal(feed(&decoder, good, sizeof good), WIRE_FRAME, "the next frame is good");
    tap_equal(feed(&decoder, empty, sizeof empty), WIRE_MORE, "empty frames are no frames");

    for (uint32_t i = 0; i < 100000; i++) { wire_cobs_decode(&decoder, 0x02); }
    tap_equal(wire_cobs_decode(&decoder, 0), WIRE_BROKEN, "a frame of 100000 bytes");
    tap_equal(feed(&decoder, good, sizeof good), WIRE_FRAME, "the next frame is good after it");
}

static void test_frames(void)
{
    uint8_t bytes[WIRE_MAX_FRAME], line[WIRE_MAX_LINE];
    wire_decoder decoder = {{0}, 0, 0, 0, 0};
    link_frame frame;

    wire_writer w = link_frame_begin(bytes, LINK_STEP, 0x1234, 0x89abcdef, UINT64_C(0x1122334455667788));
    wire_put_u16(&w, 500);
    const uint32_t n = link_frame_end(&w, line);
    tap_equal(feed(&decoder, line, n), WIRE_FRAME, "frame on the line");
    tap_ok(link_frame_parse(decoder.bytes, decoder.count, &frame), "frame parses");
    tap_ok(frame.version == LINK_VERSION && frame.type == LINK_STEP && frame.sequence == 0x1234, "frame head");
    tap_equal(frame.session, 0x89abcdefu, "frame session");
    tap_hash(frame.step, UINT64_C(0x1122334455667788), "frame step");
    tap_equal(wire_get_u16(&frame.payload), 500, "frame payload");

    // every single-bit error and every truncation is seen
    uint32_t missed = 0;
    for (uint32_t bit = 0; bit < 8u * w.count; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        missed += (uint32_t)link_frame_parse(bytes, w.count, &frame);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (uint32_t count = 0; count < w.count; count++) { missed += (uint32_t)link_frame_parse(bytes, count, &frame); }
    tap_equal(missed, 0, "single-bit errors and truncations that pass");
    tap_ok(link_reason_name(LINK_E_KERNEL)[0] == 'r' && link_reason_name(LINK_REASONS)[0] == '?', "names of reasons");
}

int main(void)
{
    test_integers();
    test_reals();
    test_bounds();
    test_crc();
    test_cobs();
    test_broken_lines();
    test_frames();
    return tap_done();
}
