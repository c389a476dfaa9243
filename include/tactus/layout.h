// SPDX-License-Identifier: MIT
// layout.h - the configuration as the caller has compiled it. The kernel compares it with its own before it writes
// anything.
//
// An application that is compiled with other knobs than the kernel has structs of another size, and the kernel would
// write past their ends. Functions that are the first to use an object therefore exist twice: tac_NAME_for(), in the
// kernel, receives the caller's layout and refuses a different one with TAC_E_CONFIG; tac_NAME(), an inline function,
// is compiled with the caller's headers and passes theirs. A caller without these wrappers (in another language) passes
// a layout of its own to tac_NAME_for(). Precision and version are part of the link name of one function of each group,
// TAC_LINK(name), so that a mismatch of these does not link.
#ifndef TACTUS_LAYOUT_H
#define TACTUS_LAYOUT_H

#include "tactus/c3.h"
#include "tactus/dae.h"
#include "tactus/fit.h"
#include "tactus/ilqr.h"
#include "tactus/implicit.h"
#include "tactus/instant.h"
#include "tactus/lcp.h"
#include "tactus/linear.h"
#include "tactus/predict.h"
#include "tactus/ncp.h"
#include "tactus/problem.h"
#include "tactus/work.h"

#define TAC_VERSION_MAJOR 0
#define TAC_VERSION_MINOR 2
#define TAC_VERSION_PATCH 0

#define TAC_VERSION_AS_(major, minor, patch) #major "." #minor "." #patch
#define TAC_VERSION_(major, minor, patch) TAC_VERSION_AS_(major, minor, patch)
/// As text: "0.2.0".
#define TAC_VERSION TAC_VERSION_(TAC_VERSION_MAJOR, TAC_VERSION_MINOR, TAC_VERSION_PATCH)

#define TAC_LINK_AS_(name, major, minor, bits) name##_v##major##_##minor##_r##bits
#define TAC_LINK_(name, major, minor, bits) TAC_LINK_AS_(name, major, minor, bits)
#define TAC_LINK(name) TAC_LINK_(TAC_PREFIXED(name), TAC_VERSION_MAJOR, TAC_VERSION_MINOR, TAC_REAL_BITS)

#if TAC_SOLVE
#define TAC_PROBLEM_BYTES (sizeof(tac_problem) + sizeof(tac_solve_work))
#else
#define TAC_PROBLEM_BYTES 0
#endif

#if TAC_PREDICT
#define TAC_PREDICT_BYTES                                                                                              \
    (sizeof(tac_fitting) + sizeof(tac_prediction) + sizeof(tac_sampling) + sizeof(tac_refresh) + sizeof(tac_ahead))
#else
#define TAC_PREDICT_BYTES 0
#endif

#if TAC_MAX_LCP > 0
#define TAC_LAYOUT_LCP(ENTRY) ENTRY(sizeof(tac_lcp)) ENTRY(sizeof(tac_lcs) + sizeof(tac_step_derivative))
#else
#define TAC_LAYOUT_LCP(ENTRY)
#endif

#if TAC_DAE
#define TAC_LAYOUT_DAE(ENTRY) ENTRY(sizeof(tac_dae))
#else
#define TAC_LAYOUT_DAE(ENTRY)
#endif

#if TAC_MAX_NCP > 0
#define TAC_LAYOUT_NCP(ENTRY) ENTRY(sizeof(tac_ncp))
#else
#define TAC_LAYOUT_NCP(ENTRY)
#endif

/// The entries that must be equal on both sides: the layout's own size, the knobs, and the sizes of the structs. The
/// sizes also reveal a knob that TAC_KNOBS lacks, or a compiler with another struct layout.
#define TAC_LAYOUT(ENTRY)                                                                                              \
    ENTRY(sizeof(tac_layout))                                                                                          \
    TAC_KNOBS(ENTRY) ENTRY(sizeof(tac_model)) ENTRY(sizeof(tac_state)) ENTRY(sizeof(tac_input))                        \
        ENTRY(sizeof(tac_work)) ENTRY(sizeof(tac_implicit_work)) ENTRY(TAC_PROBLEM_BYTES) ENTRY(TAC_PREDICT_BYTES)     \
            TAC_LAYOUT_LCP(ENTRY) TAC_LAYOUT_NCP(ENTRY) TAC_LAYOUT_DAE(ENTRY)

#define TAC_LAYOUT_COUNT(entry) +1
#define TAC_LAYOUT_VALUE(entry) (uint32_t)(entry),
enum { TAC_LAYOUT_ENTRIES = 0 TAC_LAYOUT(TAC_LAYOUT_COUNT) };

TAC_TYPES_BEGIN

typedef struct tac_layout {
    uint32_t entry[TAC_LAYOUT_ENTRIES]; ///< in the order of TAC_LAYOUT: tac_layout_name() has their names
} tac_layout;

TAC_TYPES_END

/// The layout of the translation unit that includes this.
static inline const tac_layout *tac_layout_here(void)
{
    static const tac_layout here = {{TAC_LAYOUT(TAC_LAYOUT_VALUE)}};
    return &here;
}

#endif
