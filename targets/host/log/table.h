// SPDX-License-Identifier: MIT
// table.h - time series as PlotJuggler reads them: "time", then a path per curve.
#ifndef TACTUS_LOG_TABLE_H
#define TACTUS_LOG_TABLE_H

#include "values.h"

/// The columns of table_row() without the end of the line: time, body/1/pos/x .. body/N/omega/z, those of joints with
/// their units, contact/..., report/... targets/host/README.md has the list.
///   joint   names; NULL: their numbers
void table_head(FILE *file, const tac_model *model, const char *const *joint);

/// One line without its end. Velocities as in tac_twist: linear in the world, angular in the principal frame.
void table_row(FILE *file, double time, const tac_model *model, const tac_state *state, tac_work *work);

/// More columns: the first so many contacts of the step. Those that the step has not are empty.
void table_contacts_head(FILE *file, uint32_t contacts);
void table_contacts_row(FILE *file, uint32_t contacts, const tac_model *model, const tac_state *state,
                        const tac_work *work);

/// Sum of the normal impulses of the last step, N s.
double table_normal_impulse(const tac_work *work);

#endif
