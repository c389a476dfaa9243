// SPDX-License-Identifier: MIT
// tap.c - see tap.h. Lines are built in one buffer and cut where it ends.
#include "tap.h"
#include "tactus/port.h"
#if TAP_HOST
#include <stdlib.h>
#endif

enum { LINE_SIZE = 200, NAME_SIZE = 120 };

typedef struct text {
    char *at, *end;
} text;

static int checks, failures;

static void text_char(text *t, char c)
{
    if (t->at < t->end) { *t->at++ = c; }
    *t->at = '\0';
}

static void text_add(text *t, const char *s)
{
    while (*s != '\0') { text_char(t, *s++); }
}

static text text_open(char *buffer, int size)
{
    text t = {buffer, buffer + size - 1};
    *buffer = '\0';
    return t;
}

static void text_unsigned(text *t, uint64_t value)
{
    char digits[21];
    int n = 0;
    do {
        digits[n++] = (char)('0' + (int)(value % 10u));
        value /= 10u;
    } while (value > 0u);
    while (n > 0) { text_char(t, digits[--n]); }
}

static void text_integer(text *t, int64_t value)
{
    if (value < 0) { text_char(t, '-'); }
    text_unsigned(t, value < 0 ? 0u - (uint64_t)value : (uint64_t)value);
}

static void text_hex(text *t, uint64_t value)
{
    text_add(t, "0x");
    for (int shift = 60; shift >= 0; shift -= 4) { text_char(t, "0123456789abcdef"[(value >> shift) & 15u]); }
}

// Decimal exponent of value > 0; value becomes its mantissa in 1 .. 10.
static int decimal_exponent(double *value)
{
    int exponent = 0;
    while (*value >= 10.0) {
        *value /= 10.0;
        exponent++;
    }
    while (*value < 1.0) {
        *value *= 10.0;
        exponent--;
    }
    return exponent;
}

// Six significant digits, as printf's %.6g would give, up to the last digit's rounding.
static void text_number(text *t, double value)
{
    if (value != value) {
        text_add(t, "nan");
        return;
    }
    if (value < 0.0) {
        text_char(t, '-');
        value = -value;
    }
    if (value > 1.7976931348623157e308) {
        text_add(t, "inf");
        return;
    }
    int exponent = value > 0.0 ? decimal_exponent(&value) : 0;
    uint64_t mantissa = (uint64_t)(value * 100000.0 + 0.5);
    if (mantissa > 999999u) {
        mantissa /= 10u;
        exponent++;
    }
    const int fixed = exponent >= -4 && exponent < 6;
    int digits = 6;
    while (digits > 1 && mantissa % 10u == 0u) {
        mantissa /= 10u;
        digits--;
    }
    if (fixed && exponent < 0) {
        text_add(t, "0.");
        for (int i = -1; i > exponent; i--) { text_char(t, '0'); }
        text_unsigned(t, mantissa);
        return;
    }
    uint64_t unit = 1u;
    for (int i = 1; i < digits; i++) { unit *= 10u; }
    const int whole = fixed ? exponent : 0;
    for (int i = 0; i < digits || i <= whole; i++) {
        if (i == whole + 1) { text_char(t, '.'); }
        text_char(t, (char)('0' + (int)(unit > 0u ? mantissa / unit % 10u : 0u)));
        unit /= 10u;
    }
    if (!fixed) {
        text_char(t, 'e');
        text_integer(t, exponent);
    }
}

static int verdict(const char *file, int line, int good, const char *name)
{
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    checks++;
    text_add(&t, good ? "ok " : "not ok ");
    text_integer(&t, checks);
    text_add(&t, " - ");
    text_add(&t, name);
    port_log(buffer);
    if (!good) {
        failures++;
        t = text_open(buffer, LINE_SIZE);
        text_add(&t, "#   at ");
        text_add(&t, file);
        text_char(&t, ':');
        text_integer(&t, line);
        port_log(buffer);
    }
    return good;
}

static int shows_all(void)
{
#if TAP_HOST
    return getenv("TAP_FIGURES") != NULL;
#else
    return 0;
#endif
}

static void numbers(double value, const char *relation, double bound, double tolerance)
{
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    text_add(&t, "#   got ");
    text_number(&t, value);
    text_add(&t, relation);
    text_number(&t, bound);
    if (tolerance >= 0.0) {
        text_add(&t, " within ");
        text_number(&t, tolerance);
        text_add(&t, ", off by ");
        text_number(&t, value - bound);
    }
    port_log(buffer);
}

void tap_ok_at(const char *file, int line, int good, const char *name)
{
    verdict(file, line, good, name);
}

void tap_equal_at(const char *file, int line, int64_t got, int64_t expected, const char *name)
{
    if (verdict(file, line, got == expected, name)) { return; }
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    text_add(&t, "#   got ");
    text_integer(&t, got);
    text_add(&t, ", expected ");
    text_integer(&t, expected);
    port_log(buffer);
}

void tap_hash_at(const char *file, int line, uint64_t got, uint64_t expected, const char *name)
{
    if (verdict(file, line, got == expected, name)) { return; }
    tap_note_hex("  got", got);
    tap_note_hex("  expected", expected);
}

void tap_near_at(const char *file, int line, double value, double expected, double tolerance, const char *name)
{
    const int good = value - expected <= tolerance && expected - value <= tolerance;
    if (!verdict(file, line, good, name) || shows_all()) { numbers(value, ", expected ", expected, tolerance); }
}

void tap_most_at(const char *file, int line, double value, double bound, const char *name)
{
    if (!verdict(file, line, value <= bound, name) || shows_all()) { numbers(value, ", at most ", bound, -1.0); }
}

void tap_least_at(const char *file, int line, double value, double bound, const char *name)
{
    if (!verdict(file, line, value >= bound, name) || shows_all()) { numbers(value, ", at least ", bound, -1.0); }
}

void tap_note_at(const char *label, double number)
{
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    text_add(&t, "# ");
    text_add(&t, label);
    text_char(&t, ' ');
    text_number(&t, number);
    port_log(buffer);
}

void tap_note_row(const char *label, const double *number, int count)
{
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    text_add(&t, "# ");
    text_add(&t, label);
    for (int i = 0; i < count; i++) {
        text_char(&t, ' ');
        text_number(&t, number[i]);
    }
    port_log(buffer);
}

void tap_note_hex(const char *label, uint64_t number)
{
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    text_add(&t, "# ");
    text_add(&t, label);
    text_char(&t, ' ');
    text_hex(&t, number);
    port_log(buffer);
}

const char *tap_numbered(const char *label, double number)
{
    static char buffer[NAME_SIZE];
    text t = text_open(buffer, NAME_SIZE);
    text_add(&t, label);
    text_char(&t, ' ');
    text_number(&t, number);
    return buffer;
}

const char *tap_joined(const char *a, const char *b)
{
    static char buffer[NAME_SIZE];
    text t = text_open(buffer, NAME_SIZE);
    text_add(&t, a);
    text_char(&t, ' ');
    text_add(&t, b);
    return buffer;
}

int tap_done(void)
{
    char buffer[LINE_SIZE];
    text t = text_open(buffer, LINE_SIZE);
    text_add(&t, "1..");
    text_integer(&t, checks);
    port_log(buffer);
    return failures > 0 || checks == 0;
}
