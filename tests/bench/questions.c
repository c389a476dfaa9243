// SPDX-License-Identifier: MIT
// questions.c - instructions of the functions for controllers on the quadruped that trots, of a state about which calls
// have been made before and of a new one.
#define TAC_MAX_BODIES 14
#define TAC_MAX_SHAPES 8
#define TAC_MAX_CONTACTS 8
#define TAC_MAX_JOINTS 12
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

enum { STEPS = 20, MOST = 24 };

#define MARKS(question) MARK(question) MARK(question##_new)
MARKS(inverse)
MARKS(forward)
MARKS(matrix)
MARKS(bias)
MARKS(gravity)
MARKS(jacobian)
MARKS(point)
MARKS(centroidal)
MARKS(momenta)
MARKS(coordinates)
MARKS(reactions)
MARKS(last)

typedef void marker(void);
typedef struct {
    tac_status (*ask)(const tac_state *s);
    marker *begin, *end, *begin_new, *end_new;
} question;

static tac_model m;
static tac_state s, other;
static tac_work w, taken;
static tac_input input;
static tac_real q[MOST], dq[MOST], x[MOST], y[MOST], rows[MOST * MOST];
static tac_centroid centroid;
static tac_point_motion motion;
static const tac_vec3 foot = {0, 0, R(-0.1)};

static tac_status ask_inverse(const tac_state *at)
{
    return tac_inverse_dynamics(&m, at, x, &w, y);
}
static tac_status ask_forward(const tac_state *at)
{
    return tac_forward_dynamics(&m, at, x, &w, y);
}
static tac_status ask_matrix(const tac_state *at)
{
    return tac_mass_matrix(&m, at, &w, rows);
}
static tac_status ask_bias(const tac_state *at)
{
    return tac_bias(&m, at, &w, y);
}
static tac_status ask_gravity(const tac_state *at)
{
    return tac_gravity_effort(&m, at, &w, y);
}
static tac_status ask_coordinates(const tac_state *at)
{
    return tac_state_get_coordinates(&m, at, &w, q, dq);
}
static tac_status ask_reactions(const tac_state *at)
{
    (void)at;
    return tac_reactions(&m, &taken);
}
static tac_status ask_last(const tac_state *at)
{
    return tac_step_accelerations(&m, at, &taken, y);
}
static tac_status ask_centroidal(const tac_state *at)
{
    return tac_centroidal(&m, at, TAC_NONE, &w, &centroid, NULL);
}
static tac_status ask_momenta(const tac_state *at)
{
    return tac_centroidal(&m, at, TAC_NONE, &w, &centroid, rows);
}
static tac_status ask_point(const tac_state *at)
{
    return tac_body_point(&m, at, (uint16_t)(m.bodies - 1), foot, TAC_AXES_WORLD, &w, &motion);
}
static tac_status ask_jacobian(const tac_state *at)
{
    return tac_jacobian(&m, at, (uint16_t)(m.bodies - 1), foot, TAC_AXES_WORLD, &w, rows);
}

#define ASKED(name)                                                                                                    \
    {                                                                                                                  \
        ask_##name, mark_##name##_begin, mark_##name##_end, mark_##name##_new_begin, mark_##name##_new_end             \
    }
static const question asked[] = {ASKED(inverse), ASKED(forward),     ASKED(matrix),    ASKED(bias),
                                 ASKED(gravity), ASKED(jacobian),    ASKED(point),     ASKED(centroidal),
                                 ASKED(momenta), ASKED(coordinates), ASKED(reactions), ASKED(last)};

// The work area holds another state, then this one. Reactions and accelerations of the last step are asked of the
// step's own area, accelerations last, since they put the step away.
static int count(const question *a)
{
    int good = tac_bias(&m, &other, &w, y) == TAC_OK;
    a->begin_new();
    good &= a->ask(&s) == TAC_OK;
    a->end_new();
    good &= tac_bias(&m, &s, &w, y) == TAC_OK && tac_mass_matrix(&m, &s, &w, rows) == TAC_OK;
    a->begin();
    good &= a->ask(&s) == TAC_OK;
    a->end();
    return good;
}

int main(void)
{
    const scene *trot = robot_find("trot");
    port_init();
    int good = trot != NULL && trot->build(&m) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK;
    for (uint32_t i = 0; i < STEPS && good; i++) {
        other = s;
        trot->drive(&m, i, &input);
        good &= tac_step(&m, &s, &input, &taken) >= 0;
        for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) { good &= count(&asked[k]); }
    }
    tap_ok(good, "all questions are answered");
    return tap_done();
}
