// SPDX-License-Identifier: MIT
// table.h - numbers over time: held, on lines or on cubics between the rows of a table.
//   given   a table, a time
//   makes   where the time is among the rows; one number of a column there
//   bound   constant
//   never   reads beyond the rows, whatever the time
#ifndef PREDICT_TABLE_H
#define PREDICT_TABLE_H

#include "../base/real.h"

#if TAC_PREDICT

#define TABLE_LATE (R(4.0) * REAL_EPSILON) // a time that is a row's up to rounding is that row's
#define TABLE_MOST R(1073741824.0)         // intervals, or periods, that are counted: at 1 ms twelve days

// The interval of a time: from `row` on, `part` of the way to the next one.
typedef struct table_place {
    uint32_t row;
    real part;
} table_place;

// The largest integer that is not above x, |x| at most TABLE_MOST.
static real table_floor(real x)
{
    const real whole = (real)(int32_t)x;
    return whole > x ? whole - R(1.0) : whole;
}

// Intervals from the first row to a time, as far as they are counted; the part of one that the rounding of times may
// be.
static real table_intervals(const tac_table *t, real time)
{
    const real s = (time - t->start) / t->spacing;
    return s > -TABLE_MOST ? real_min(s, TABLE_MOST) : -TABLE_MOST;
}

static real table_late(const tac_table *t, real time)
{
    return real_min(TABLE_LATE * (real_abs(time) + real_abs(t->start)) / t->spacing, R(0.5));
}

static table_place table_find(const tac_table *t, real time)
{
    const real rows = (real)t->rows, late = table_late(t, time);
    real s = table_intervals(t, time);
    if (t->cyclic) { s -= rows * table_floor((s + late) / rows); }
    s = real_clamp(s, R(0.0), t->cyclic ? rows : rows - R(1.0));
    const real row = real_min(table_floor(s + late), rows - R(1.0));
    return (table_place){(uint32_t)row, real_clamp(s - row, R(0.0), R(1.0))};
}

// The numbers of the row `by` rows after a place.
static const real *table_numbers(const tac_table *t, const table_place *p, int by)
{
    int32_t row = (int32_t)p->row + by;
    const int32_t rows = (int32_t)t->rows;
    if (t->cyclic) {
        row = (row + rows) % rows;
    } else if (row < 0) {
        row = 0;
    } else if (row >= rows) {
        row = rows - 1;
    }
    return &t->value[(uint32_t)row * t->width];
}

static inline real table_row(const tac_table *t, const table_place *p, int by, uint32_t column)
{
    return table_numbers(t, p, by)[column];
}

// Slope of a cubic at a row, by the changes to it and from it: their harmonic mean, 0 where they turn (Butland 1980).
// So it does not pass beyond two rows between them, and ends level.
static real table_slope(real to, real from)
{
    return (to > R(0.0)) == (from > R(0.0)) && to != R(0.0) && from != R(0.0) ? to * (R(2.0) * from / (to + from))
                                                                              : R(0.0);
}

// Between the numbers a and b of two rows, with those before and after them.
static real table_between(uint8_t form, real part, real before, real a, real b, real after)
{
    const real rise = b - a;
    if (form == TAC_TABLE_HOLD) { return a; }
    if (form == TAC_TABLE_LINEAR) { return a + part * rise; }
    const real from = table_slope(a - before, rise), to = table_slope(rise, after - b);
    return a + part * (from + part * (R(3.0) * rise - R(2.0) * from - to + part * (from + to - R(2.0) * rise)));
}

static real table_number(const tac_table *t, const table_place *p, uint32_t column)
{
    return table_between(t->form, p->part, table_row(t, p, -1, column), table_row(t, p, 0, column),
                         table_row(t, p, 1, column), table_row(t, p, 2, column));
}

// Is it one, as wide as this, whose numbers are finite and at least `least`?
static int table_good(const tac_table *t, uint32_t width, real least)
{
    if (t->value == NULL || t->rows == 0 || t->width != width || t->form >= TAC_TABLE_FORMS || t->cyclic > 1) {
        return 0;
    }
    const uint32_t count = (uint32_t)t->rows * t->width;
    int good = real_finite(t->start) && real_finite(t->spacing) && t->spacing > R(0.0);
    for (uint32_t i = 0; i < count && good; i++) { good = real_finite(t->value[i]) && t->value[i] >= least; }
    return good;
}

#endif

#endif
