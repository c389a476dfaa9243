// SPDX-License-Identifier: MIT
// The bytes of the link against vectors from elsewhere: CRC-32 check value, COBS examples of Cheshire and Baker 1999.
#include "link/frame.h"
#include "link/value.h"
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

// ------------------------------------------------------------------------------------------------------------ report

// Every field has another value.
static tac_report make_report(void)
{
    tac_report report = {0};
    report.status = TAC_FULL | TAC_RELAXED;
    report.fault = (tac_fault){TAC_FIELD_MASS, 0x0102, TAC_REASON_FULL};
    report.contacts = 0x0203;
    report.dropped = 0x0304;
    report.sweeps = 0x0405;
    report.impacts = 0x0506;
    for (uint32_t i = 0; i < TAC_STAGES; i++) {
        const uint8_t n = (uint8_t)(16 * i);
        report.stage[i] = (tac_stage){(uint16_t)(0x1000u + n), (uint8_t)(n + 1), (uint8_t)(n + 2), (uint8_t)(n + 3),
                                      (uint8_t)(n + 4)};
    }
    report.stages = TAC_STAGES;
    report.friction = TAC_FRICTION_RELAXED;
    report.residual = (tac_real)0.1;
    report.penetration = (tac_real)0.2;
    report.kinetic = (tac_real)0.3;
    report.potential = (tac_real)-0.4;
#if TAC_MAX_JOINTS > 0
    report.joint_error = (tac_real)0.5;
    report.joint_iterations = 7;
#endif
#if TAC_SWITCHES
    report.broken = 0x0708;
#endif
    return report;
}

// Where the fields lie is what port/link/README.md says.
static void test_report_bytes(void)
{
    static const uint8_t counts[8] = {0x03, 0x02, 0x04, 0x03, 0x05, 0x04, 0x06, 0x05}, broken[2] = {0x08, 0x07};
    static const uint8_t stages[26] = {0x00, 0x10, 1,  2,  3,  4,    0x10, 0x10, 17, 18, 19, 20, 0x20,
                                       0x10, 33,   34, 35, 36, 0x30, 0x10, 49,   50, 51, 52, 4,  TAC_FRICTION_RELAXED};
    const uint32_t fixed = 44 + 4 * TAC_REAL_BITS / 8, joints = TAC_MAX_JOINTS > 0 ? TAC_REAL_BITS / 8 + 1 : 0,
                   switches = TAC_SWITCHES ? 2 : 0;
    const tac_report report = make_report();
    uint8_t bytes[LINK_MAX_PAYLOAD];
    wire_writer w = {bytes, sizeof bytes, 0};

    value_put_report(&w, &report);
    tap_equal(w.count, fixed + joints + switches, "report: length");
    tap_equal(bytes[0], TAC_FULL | TAC_RELAXED, "report: status");
    tap_ok(same(bytes + 10, counts, 8), "report: contacts, dropped, sweeps, impacts");
    tap_ok(same(bytes + 18, stages, 26), "report: stages, their number, friction law");
    wire_reader r = {bytes, w.count, 44};
    tap_ok(wire_get_real(&r) == report.residual, "report: reals");
    tap_ok(!TAC_SWITCHES || same(bytes + w.count - 2, broken, 2), "report: joints that broke, at its end");
}

static int same_stages(const tac_report *a, const tac_report *b)
{
    int same_all = a->stages == b->stages;
    for (uint32_t i = 0; i < TAC_STAGES; i++) {
        const tac_stage *x = &a->stage[i], *y = &b->stage[i];
        same_all = same_all && x->sweeps == y->sweeps && x->engine == y->engine && x->op == y->op && x->law == y->law &&
                   x->why == y->why;
    }
    return same_all;
}

static void test_report(void)
{
    const tac_report sent = make_report();
    tac_report got = {0};
    uint8_t bytes[LINK_MAX_PAYLOAD], again[LINK_MAX_PAYLOAD];
    wire_writer w = {bytes, sizeof bytes, 0}, second = {again, sizeof again, 0};

    value_put_report(&w, &sent);
    wire_reader r = {bytes, w.count, 0};
    tap_ok(value_get_report(&r, &got, TAC_MAX_JOINTS > 0, TAC_SWITCHES), "a report comes back");
    tap_equal(r.at, w.count, "a report is read to its end");
    tap_ok(same_stages(&got, &sent), "a report: stages");
    value_put_report(&second, &got);
    tap_ok(second.count == w.count && same(again, bytes, w.count), "a report: all fields, bit for bit");

    bytes[42] = TAC_STAGES + 1;
    r.at = 0;
    tap_ok(!value_get_report(&r, &got, TAC_MAX_JOINTS > 0, TAC_SWITCHES), "more stages than a report has are refused");
    tap_equal(got.stages, 0, "and none of them is kept");

    // a build without joints reads what one with joints has written, and the other way round
    bytes[42] = TAC_STAGES;
    wire_reader other = {bytes, 44 + 4 * TAC_REAL_BITS / 8 + (TAC_MAX_JOINTS > 0 ? 0 : TAC_REAL_BITS / 8 + 1), 0};
    tap_ok(value_get_report(&other, &got, TAC_MAX_JOINTS == 0, 0), "a report of a firmware with other room for joints");
    tap_equal(other.at, other.count, "is read to its end");
    tap_ok(same_stages(&got, &sent), "and has the same stages");
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
    test_report_bytes();
    test_report();
    return tap_done();
}
