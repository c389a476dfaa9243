// SPDX-License-Identifier: MIT
// fit.h - what tactus fit does with tosses (fit.c) and with swings (fit_swing.c) alike.
#ifndef HOST_FIT_H
#define HOST_FIT_H

#include "tactus/tactus.h"

enum { FIT_NAME_BYTES = 160 };

/// How a parameter is printed.
typedef struct fit_text {
    char name[FIT_NAME_BYTES];
    const char *unit;
} fit_text;

/// Find the values and the model that has them. Returns 0 after a complaint.
int fit_find(const tac_model *model, tac_fitting *fit, tac_work *work, tac_model *fitted);

/// Values, deviations, verdicts; then how it has ended.
void fit_print(const tac_fitting *fit, const fit_text *text);

/// The next of the names between commas: its length; 0 at the end.
size_t fit_next_name(const char *list);

/// What is asked of swings. NULL, 0: the default.
typedef struct swing_options {
    const char *model, *motors, *csv, *parameters;
    double h, robust;
    uint32_t rollouts;
} swing_options;

/// Fit joints of a model to swings, and print what is found. Returns the exit code.
int fit_swing(const swing_options *options);

#endif
