// SPDX-License-Identifier: MIT
// config.h - every knob of the kernel: default, legal range, what it costs.
//
// Override a knob on the command line (-DTAC_MAX_BODIES=8) or in a header of your own that TAC_CONFIG_HEADER names
// (-DTAC_CONFIG_HEADER='"my_tactus.h"'). Application and kernel must see the same values: precision and capacities are
// part of the name of tac_state_init(), so a mismatch is a link error that shows both.
//
// Capacities must be plain decimal numbers. RAM is per object, for float (double is twice that, less the indices).
#ifndef TACTUS_CONFIG_H
#define TACTUS_CONFIG_H

#ifdef TAC_CONFIG_HEADER
#include TAC_CONFIG_HEADER
#endif

/// Width of tac_real: 32 (float) or 64 (double).
#ifndef TAC_REAL_BITS
#define TAC_REAL_BITS 32
#endif
#if TAC_REAL_BITS != 32 && TAC_REAL_BITS != 64
#error "TAC_REAL_BITS must be 32 or 64"
#endif

/// Bodies besides the ground. 1 .. 4000. 100 B in the model, 88 B in the state, 88 B in the work area, each.
#ifndef TAC_MAX_BODIES
#define TAC_MAX_BODIES 16
#endif
#if TAC_MAX_BODIES < 1 || TAC_MAX_BODIES > 4000
#error "TAC_MAX_BODIES must lie in 1 .. 4000"
#endif

/// Shapes, those of the ground included. 2 .. 8000. 48 B in the model, each; 64 B of scratch that the contacts share.
#ifndef TAC_MAX_SHAPES
#define TAC_MAX_SHAPES 24
#endif
#if TAC_MAX_SHAPES < 2 || TAC_MAX_SHAPES > 8000
#error "TAC_MAX_SHAPES must lie in 2 .. 8000"
#endif

/// Contact points of one step; the deepest are kept, the rest counted. 1 .. 16000. 20 B in the state, 272 B in the work
/// area, each.
#ifndef TAC_MAX_CONTACTS
#define TAC_MAX_CONTACTS 32
#endif
#if TAC_MAX_CONTACTS < 1 || TAC_MAX_CONTACTS > 16000
#error "TAC_MAX_CONTACTS must lie in 1 .. 16000"
#endif

/// Materials. 1 .. 250. 12 B in the model, each.
#ifndef TAC_MAX_MATERIALS
#define TAC_MAX_MATERIALS 4
#endif
#if TAC_MAX_MATERIALS < 1 || TAC_MAX_MATERIALS > 250
#error "TAC_MAX_MATERIALS must lie in 1 .. 250"
#endif

/// Entries of the table that overrides the combination rule for a pair of materials. 1 .. 250. 12 B in the model, each.
#ifndef TAC_MAX_MATERIAL_PAIRS
#define TAC_MAX_MATERIAL_PAIRS 4
#endif
#if TAC_MAX_MATERIAL_PAIRS < 1 || TAC_MAX_MATERIAL_PAIRS > 250
#error "TAC_MAX_MATERIAL_PAIRS must lie in 1 .. 250"
#endif

/// Inequalities of one implicit body. 1 .. 16; a box needs 6. 44 B in the body, 264 B in tac_implicit_work, each.
#ifndef TAC_MAX_INEQUALITIES
#define TAC_MAX_INEQUALITIES 6
#endif
#if TAC_MAX_INEQUALITIES < 1 || TAC_MAX_INEQUALITIES > 16
#error "TAC_MAX_INEQUALITIES must lie in 1 .. 16"
#endif

/// Wrenches and velocity targets of one input. 1 .. 8000. 40 B in the input, each.
#ifndef TAC_MAX_ACTIONS
#define TAC_MAX_ACTIONS 16
#endif
#if TAC_MAX_ACTIONS < 1 || TAC_MAX_ACTIONS > 8000
#error "TAC_MAX_ACTIONS must lie in 1 .. 8000"
#endif

#endif
