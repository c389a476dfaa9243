// SPDX-License-Identifier: MIT
// csv.h - time series as PlotJuggler reads them: "time", then a path per curve.
#ifndef HOST_CSV_H
#define HOST_CSV_H

#include "joints.h"
#include <stdio.h>

/// Enough digits to recover every bit of a tac_real.
#if TAC_REAL_BITS == 32
#define CSV_REAL "%.9g"
#else
#define CSV_REAL "%.17g"
#endif

/// Open for writing. Returns NULL after a complaint; a NULL path gives NULL without one.
FILE *csv_open(const char *path);

/// Returns 0 after a complaint if not all could be written. NULL is closed already.
int csv_close(FILE *file, const char *path);

/// The columns of csv_row() without the end of the line: time, body/1/pos/x .. body/N/omega/z, those of joints with
/// their units, contact/..., report/... README.md has the list.
///   names   of the joints; NULL: their numbers
void csv_head(FILE *file, const tac_model *model, const joint_names *names);

/// One line without its end. Velocities as in tac_twist: linear in the world, angular in the principal frame.
void csv_row(FILE *file, double time, const tac_model *model, const tac_state *state, tac_work *work);

/// Sum of the normal impulses of the last step, N s.
double csv_normal_impulse(const tac_work *work);

#endif
