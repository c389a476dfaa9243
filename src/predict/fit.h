// SPDX-License-Identifier: MIT
// fit.h - a fit: roll-outs at the values and beside them, residuals, Levenberg and Marquardt's iterations.
//   given   a model, sections of measurements, parameters
//   makes   values, step by step of tac_step(): tac_fitting
//   bound   parameters^3 and one check of the model a roll-out; one tac_step() and its observations a step
//   never   keeps values that cost more
#ifndef PREDICT_FIT_H
#define PREDICT_FIT_H

#include "../api/adopt.h"
#include "../api/rotation.h"
#include "../api/step.h"
#include "api_difference.h"
#include "fit_normal.h"
#include "fit_parameters.h"

#if TAC_PREDICT

// What a roll-out is for: the residuals at the values; those of one parameter more and less; the cost of trial values.
enum { FIT_BASE, FIT_MORE, FIT_LESS, FIT_TRY };

#define FIT_DAMPING R(1e-3)        // at first; relative to the diagonal
#define FIT_DAMPING_LEAST R(1e-6)  // as good as none
#define FIT_DAMPING_FACTOR R(10.0) // up after a step that is worse, down after one that is better
#define FIT_REFINED R(0.25)        // of the differences, after a refinement

// ------------------------------------------------------------------------------------------------------- observations

static uint32_t fit_rows_of(const tac_observation *o)
{
    return o->kind == TAC_OBSERVE_POSE ? 6 : 1;
}

// How far one pose is from another, in units of the deviations.
static void fit_apart(const tac_observation *o, const tac_pose *from, const tac_pose *to, real *row)
{
    const vec3 turn = tac_quat_to_rotation_vector(quat_mul(quat_conj(from->q), to->q));
    v3_put(row, v3_scale(o->weight, v3_sub(to->p, from->p)));
    v3_put(row + 3, v3_scale(o->turn_weight, turn));
}

// The residuals of an observation, and how far what it observes has moved in its section.
static void fit_residual(const tac_model *m, const tac_fitting *f, const tac_observation *o, real *row, real *moved)
{
    const tac_state *start = f->section[f->at_section].start;
    if (o->kind == TAC_OBSERVE_POSE) {
        const tac_pose now = tac_state_get_pose(&f->trial, &f->state, o->index);
        const tac_pose first = tac_state_get_pose(m, start, o->index);
        fit_apart(o, &o->pose, &now, row);
        fit_apart(o, &first, &now, moved);
        return;
    }
    const tac_joint *j = &JOINT_OF(m)[o->index];
    tac_joint_state now, first;
    coordinates_of(&f->trial, &f->state, o->index, &now);
    coordinates_of(m, start, o->index, &first);
    row[0] = o->weight * joint_deviation(j, now.position, o->coordinate);
    moved[0] = o->weight * joint_deviation(j, now.position, first.position);
}

// Rows that count together: a position, a rotation, a coordinate. With s the square of their length e and c = robust,
// their cost is c^2 (sqrt(1 + s/c^2) - 1), which is s/2 where e is small and c e where it is large; its derivative by
// s/2 is the weight of the rows in the normal equations.
static real fit_counts(const tac_fitting *f, const real *row, uint32_t rows, real *cost, real *square)
{
    real s = R(0.0);
    for (uint32_t i = 0; i < rows; i++) { s += row[i] * row[i]; }
    *square = s;
    *cost = R(0.5) * s;
    if (f->robust == R(0.0)) { return R(1.0); }
    const real root = real_sqrt(R(1.0) + s / (f->robust * f->robust));
    *cost = s / (root + R(1.0)); // c^2 (root - 1)
    return R(1.0) / root;
}

// The sums of the roll-outs at hand. Those at the values stay while trial values are rolled out.
static tac_fit_sums *fit_sums(tac_fitting *f)
{
    return f->purpose == FIT_TRY ? &f->trial_sums : &f->sums;
}

// Cost and motion of what has been observed in the roll-out at the values.
static void fit_count(tac_fitting *f, const real *row, const real *moved, uint32_t rows)
{
    const uint32_t group = rows == 6 ? 3 : 1;
    tac_fit_sums *const sums = fit_sums(f);
    for (uint32_t i = 0; i < rows; i += group) {
        real cost, square, unused, motion;
        const real weight = fit_counts(f, &row[i], group, &cost, &square);
        (void)fit_counts(f, &moved[i], group, &unused, &motion);
        sums->cost += cost;
        sums->squares += weight * square;
        sums->motion += weight * motion;
    }
}

// Cost of the rows of an observation.
static real fit_cost(const tac_fitting *f, const real *row, uint32_t rows)
{
    const uint32_t group = rows == 6 ? 3 : 1;
    real sum = R(0.0);
    for (uint32_t i = 0; i < rows; i += group) {
        real cost, square;
        (void)fit_counts(f, &row[i], group, &cost, &square);
        sum += cost;
    }
    return sum;
}

// Is the roll-out at hand one beside the values?
static int fit_derives(const tac_fitting *f)
{
    return f->purpose == FIT_MORE || f->purpose == FIT_LESS;
}

// What a roll-out leaves of an observation: its residuals, or what they differ by between the two beside the values.
// How the cost differs is summed there too: it is the gradient of robust fits, since where single tosses end on another
// face the sum of all is smoother than its parts. Residuals of trial values lie where the first derivatives will.
static void fit_keep(tac_fitting *f, const real *row, uint32_t rows)
{
    const uint32_t at = fit_derives(f) ? f->at_parameter + 1u : f->purpose == FIT_TRY;
    real *const column = &f->column[at][f->at_row];
    if (f->purpose == FIT_LESS) {
        const real more = fit_cost(f, column, rows), less = fit_cost(f, row, rows);
        f->slope += more - less;
        f->bend += more + less - R(2.0) * fit_cost(f, &f->column[0][f->at_row], rows);
    }
    for (uint32_t i = 0; i < rows; i++) { column[i] = f->purpose == FIT_LESS ? column[i] - row[i] : row[i]; }
    f->at_row += rows;
}

static void fit_observe(const tac_model *m, tac_fitting *f, const tac_observation *o)
{
    real row[6], moved[6];
    const uint32_t rows = fit_rows_of(o);
    fit_residual(m, f, o, row, moved);
    if (!fit_derives(f)) { fit_count(f, row, moved, rows); }
    fit_keep(f, row, rows);
}

// --------------------------------------------------------------------------------------------------------- roll-outs

// The value of a parameter beside the one at hand, within its bounds.
static real fit_beside(const tac_fitting *f, uint32_t i, int purpose)
{
    const tac_fit_parameter *p = &f->parameter[i];
    const real apart = f->scale * p->difference;
    return purpose == FIT_MORE ? real_min(f->value[i] + apart, p->upper) : real_max(f->value[i] - apart, p->lower);
}

// Of a single section the roll-out at the values is the first one of a fit, and then that of the trial values which
// became them.
static int fit_is_rolled(const tac_fitting *f)
{
    return f->sections == 1 && (f->iterations > 0 || f->refined > 0);
}

// Are the residuals of the next roll-out known? So they are beside a value that is at its bound.
static int fit_is_known(const tac_fitting *f)
{
    const uint32_t i = f->at_parameter;
    if (f->purpose == FIT_BASE) { return fit_is_rolled(f); }
    return fit_derives(f) && i < f->parameters && fit_beside(f, i, f->purpose) == f->value[i];
}

// The unknown that is derived; none of them: a number beyond all.
static uint32_t fit_unknown_at(const tac_fitting *f)
{
    return fit_derives(f) && f->at_parameter >= f->parameters ? (uint32_t)f->at_parameter - f->parameters : UINT32_MAX;
}

// The start of the section, moved by its unknowns. Returns 0 if the kernel refuses it.
static int fit_displace(const tac_model *m, tac_fitting *f, tac_work *w)
{
    const tac_section *s = &f->section[f->at_section];
    bytes_copy(&f->state, s->start, sizeof f->state);
    if (s->unknowns == 0) { return 1; }
    reals_clear(f->displacement, sizeof f->displacement);
    for (uint32_t k = 0; k < s->unknowns; k++) {
        const tac_fit_unknown *u = &s->unknown[k];
        const real apart = k == fit_unknown_at(f) ? f->scale * u->difference : R(0.0);
        const real value = f->purpose == FIT_TRY ? u->trial_value : u->value;
        f->displacement[u->coordinate] += f->purpose == FIT_LESS ? value - apart : value + apart;
    }
    return tac_state_displace(m, &f->state, f->displacement, w) == TAC_OK;
}

// What the unknowns of the section cost, by their own measurements.
static void fit_count_unknowns(tac_fitting *f)
{
    const tac_section *s = &f->section[f->at_section];
    for (uint32_t k = 0; k < s->unknowns; k++) {
        const tac_fit_unknown *u = &s->unknown[k];
        const real off = (f->purpose == FIT_TRY ? u->trial_value : u->value) / u->deviation;
        fit_sums(f)->cost += R(0.5) * off * off;
        fit_sums(f)->squares += off * off;
    }
}

// Begins a roll-out. Returns 0 if the kernel refuses its values.
static int fit_start(const tac_model *m, tac_fitting *f, tac_work *w)
{
    f->rolling = 1;
    f->at_observation = f->at_step = 0;
    f->at_input = UINT32_MAX;
    for (uint32_t i = 0; i < f->parameters; i++) {
        f->at_value[i] = f->purpose == FIT_TRY ? f->trial_value[i] : f->value[i];
    }
    if (fit_derives(f) && f->at_parameter < f->parameters) {
        f->at_value[f->at_parameter] = fit_beside(f, f->at_parameter, f->purpose);
    }
    if (!fit_derives(f)) { fit_count_unknowns(f); }
    if (!fit_set_model(m, f->parameter, f->at_value, f->parameters, &f->trial, NULL)) { return 0; }
    return fit_displace(m, f, w) && tac_state_adopt(m, &f->trial, &f->state, NULL) == TAC_OK;
}

// The input of the step to come.
static const tac_input *fit_input(tac_fitting *f)
{
    const tac_section *s = &f->section[f->at_section];
    if (s->input == NULL) { return NULL; }
    const uint32_t k = f->at_step / s->hold, at = k < s->inputs ? k : s->inputs - 1;
    if (!fit_has_motor(f->parameter, f->parameters)) { return &s->input[at]; }
    if (at != f->at_input) {
        bytes_copy(&f->input, &s->input[at], sizeof f->input);
        fit_set_motors(f->parameter, f->at_value, f->parameters, &f->input);
        f->at_input = at;
    }
    return &f->input;
}

// ---------------------------------------------------------------------------------------------------------- iterations

// Adds one row of the residuals to J'J, of parameters and of the unknowns of the section, and to J'r if all count by
// the square.
static void fit_gather_row(tac_fitting *f, const tac_section *s, uint32_t r, real weight)
{
    const uint32_t p = f->parameters, n = p + s->unknowns;
    for (uint32_t i = 0; i < n; i++) {
        const int shared = i < p;
        const real x = weight * f->column[i + 1][r];
        real *const row = shared ? &f->normal[i * p] : s->unknown[i - p].row;
        real *const gradient = shared ? &f->gradient[i] : &row[n];
        if (f->robust == R(0.0)) { *gradient += x * f->column[0][r]; }
        for (uint32_t j = 0; j < (shared ? p : n); j++) { row[j] += x * f->column[j + 1][r]; }
    }
}

// All rows of a section. Of a parameter one of whose two roll-outs was refused, they say nothing.
static void fit_gather(tac_fitting *f)
{
    const tac_section *s = &f->section[f->at_section];
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->observations; k++) {
        const uint32_t rows = fit_rows_of(&s->observation[k]), group = rows == 6 ? 3 : 1, end = at + rows;
        for (; at < end; at += group) {
            real cost, square;
            const real weight = fit_counts(f, &f->column[0][at], group, &cost, &square);
            for (uint32_t r = at; r < at + group; r++) { fit_gather_row(f, s, r, weight); }
        }
    }
}

// All sections from the first one, for the derivatives or for the cost of trial values.
static void fit_sections(tac_fitting *f, int purpose)
{
    f->purpose = (uint8_t)purpose;
    f->at_section = f->at_parameter = 0;
    if (purpose == FIT_TRY) {
        f->trial_sums = (tac_fit_sums){R(0.0), R(0.0), R(0.0)};
        return;
    }
    if (!fit_is_rolled(f)) { f->sums = (tac_fit_sums){R(0.0), R(0.0), R(0.0)}; }
    reals_clear(f->gradient, sizeof f->gradient);
    reals_clear(f->curvature, sizeof f->curvature);
    reals_clear(f->normal, sizeof f->normal);
}

static void fit_finish(tac_fitting *f, int ended)
{
    f->ended = (uint8_t)ended;
    f->open = 0;
}

// The next trial, unless none is left that moves any parameter: then the differences become smaller. Large ones see
// past the kinks of contacts that begin and end, small ones find the minimum between these.
static void fit_try(tac_fitting *f)
{
    if (fit_propose(f) > f->tolerance * f->scale) {
        fit_sections(f, FIT_TRY);
    } else if (f->refined < f->refinements) {
        f->refined++;
        f->scale *= FIT_REFINED;
        f->damping = FIT_DAMPING;
        fit_sections(f, FIT_BASE);
    } else {
        fit_finish(f, TAC_FIT_CONVERGED);
    }
}

// Residuals that count by their length have less curvature than J'J, and none where they jump. The diagonal is then
// that of the cost itself, where it is found between bounds and curves upwards; correlations stay.
static void fit_bend(tac_fitting *f)
{
    const uint32_t n = f->parameters;
    for (uint32_t i = 0; i < n && f->robust > R(0.0); i++) {
        const tac_fit_parameter *p = &f->parameter[i];
        const real apart = f->scale * p->difference, square = f->normal[i * n + i];
        const int between = f->value[i] - apart >= p->lower && f->value[i] + apart <= p->upper;
        if (!between || !(f->curvature[i] > R(0.0)) || !(square > R(0.0))) { continue; }
        const real ratio = real_sqrt(f->curvature[i] / square);
        for (uint32_t j = 0; j < n; j++) { f->normal[i * n + j] *= ratio, f->normal[j * n + i] *= ratio; }
        for (uint32_t at = 0; at < f->sections; at++) {
            const tac_section *s = &f->section[at];
            for (uint32_t k = 0; k < s->unknowns; k++) { s->unknown[k].row[i] *= ratio; }
        }
    }
}

// All sections have been rolled out at the values and beside them.
static void fit_derived(tac_fitting *f)
{
    if (f->iterations == 0 && f->refined == 0) { f->first_cost = f->sums.cost; }
    f->cost = f->sums.cost;
    fit_bend(f);
    fit_judge(f);
    if (f->iterations >= f->max_iterations) {
        fit_finish(f, TAC_FIT_ITERATIONS);
    } else {
        fit_try(f);
    }
}

// Trial values have been rolled out, or are known to be no better: then the damping rises.
static void fit_tried(tac_fitting *f, int better)
{
    if (!better) {
        f->damping *= FIT_DAMPING_FACTOR;
        fit_try(f);
        return;
    }
    for (uint32_t i = 0; i < f->parameters; i++) { f->value[i] = f->trial_value[i]; }
    for (uint32_t at = 0; at < f->sections; at++) {
        const tac_section *s = &f->section[at];
        for (uint32_t k = 0; k < s->unknowns; k++) { s->unknown[k].value = s->unknown[k].trial_value; }
    }
    f->damping = real_max(f->damping / FIT_DAMPING_FACTOR, FIT_DAMPING_LEAST);
    f->cost = f->trial_sums.cost;
    f->sums = f->trial_sums;
    for (uint32_t r = 0; r < f->section_rows; r++) { f->column[0][r] = f->column[1][r]; }
    f->iterations++;
    fit_sections(f, FIT_BASE);
}

// An unknown: its row of the normal equations begins with the gradient, that of its own measurement too. Returns one
// difference over the distance of its two values.
static real fit_differ_unknown(tac_fitting *f, const tac_section *s, uint32_t k, int refused)
{
    tac_fit_unknown *const u = &s->unknown[k];
    const real scale = refused ? R(0.0) : R(0.5) / f->scale;
    real *const gradient = &u->row[f->parameters + s->unknowns];
    reals_clear(u->row, sizeof u->row);
    *gradient = fit_prior(u) / u->difference * u->value;
    if (f->robust > R(0.0)) { *gradient += scale * f->slope; }
    return scale;
}

// The same of a parameter.
static real fit_differ_parameter(tac_fitting *f, uint32_t i, int refused)
{
    const real apart = fit_beside(f, i, FIT_MORE) - fit_beside(f, i, FIT_LESS);
    const real scale = refused ? R(0.0) : f->parameter[i].difference / apart;
    if (f->robust > R(0.0)) { f->gradient[i] += scale * f->slope; }
    f->curvature[i] += R(4.0) * scale * scale * f->bend;
    return scale;
}

// Derivatives by one parameter or unknown in this section are complete: differences over the distance of their two
// values.
static void fit_differences(tac_fitting *f, int refused)
{
    const tac_section *s = &f->section[f->at_section];
    const uint32_t i = f->at_parameter, p = f->parameters;
    const real scale = i < p ? fit_differ_parameter(f, i, refused) : fit_differ_unknown(f, s, i - p, refused);
    for (uint32_t r = 0; r < f->section_rows; r++) {
        f->column[i + 1][r] = refused ? R(0.0) : scale * f->column[i + 1][r];
    }
    f->purpose = FIT_MORE;
    f->at_parameter++;
    if (f->at_parameter < p + s->unknowns) { return; }
    fit_gather(f);
    f->purpose = FIT_BASE;
    f->at_parameter = 0;
    f->at_section++;
    if (f->at_section == f->sections) { fit_derived(f); }
}

// Costs only grow along roll-outs, so one of trial values is over where it costs as much as the values do.
static int fit_is_worse(const tac_fitting *f)
{
    return f->purpose == FIT_TRY && !(f->trial_sums.cost < f->cost);
}

// A roll-out is over: complete, or refused by the kernel.
static void fit_over(tac_fitting *f, int refused)
{
    f->rolling = 0;
    if (f->purpose == FIT_BASE) {
        f->section_rows = f->at_row;
        f->purpose = FIT_MORE;
        if (refused) { fit_finish(f, TAC_FIT_REFUSED); }
    } else if (f->purpose == FIT_MORE && !refused) {
        f->purpose = FIT_LESS;
    } else if (f->purpose != FIT_TRY) {
        fit_differences(f, refused);
    } else if (refused || fit_is_worse(f)) {
        fit_tried(f, 0);
    } else {
        f->at_section++;
        if (f->at_section == f->sections) { fit_tried(f, 1); }
    }
}

// The roll-out at hand is the one at the values again.
static void fit_repeat(tac_fitting *f)
{
    const tac_section *s = &f->section[f->at_section];
    for (uint32_t k = 0; k < s->observations && fit_derives(f); k++) {
        fit_keep(f, &f->column[0][f->at_row], fit_rows_of(&s->observation[k]));
    }
    f->at_row = f->section_rows;
    fit_over(f, 0);
}

// The next roll-out. One that is known counts, so that the same number of them has the same result.
static void fit_next(const tac_model *m, tac_fitting *f, tac_work *w)
{
    f->rollouts++;
    f->at_row = 0;
    if (f->purpose == FIT_MORE) { f->slope = f->bend = R(0.0); }
    if (fit_is_known(f)) {
        fit_repeat(f);
    } else if (!fit_start(m, f, w)) {
        fit_over(f, 1);
    }
}

// One step of the roll-out at hand, or the begin of the next one.
static void fit_advance(const tac_model *m, tac_fitting *f, tac_work *w)
{
    if (!f->rolling) {
        if (f->rollouts >= f->max_rollouts) {
            fit_finish(f, TAC_FIT_ROLLOUTS);
        } else {
            fit_next(m, f, w);
        }
        return;
    }
    const tac_section *s = &f->section[f->at_section];
    if (tac_step(&f->trial, &f->state, fit_input(f), w) < 0) {
        fit_over(f, 1);
        return;
    }
    f->at_step++;
    for (; f->at_observation < s->observations && s->observation[f->at_observation].step == f->at_step;
         f->at_observation++) {
        fit_observe(m, f, &s->observation[f->at_observation]);
    }
    if (f->at_observation == s->observations || fit_is_worse(f)) { fit_over(f, 0); }
}

#endif

#endif
