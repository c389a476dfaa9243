// SPDX-License-Identifier: MIT
// Where a body's own frame lies is a matter of description: a body with its principal frame moved and turned within its
// own frame, and the same body described from its principal frame, move alike and show the same pose.
#include "tap.h"
#include "truth.h"

static tac_model described[2];
static tac_state state[2];
static tac_work w;

static const d3 OFFSET = {0.3, -0.2, 0.1}; // of the centre of mass in the body's own frame

static dq turn(void)
{
    return dq_about(d3_make(0.48, 0.6, 0.64), 0.7);
}

// A tumbling block above the ground. `within`: its own frame is not the principal one.
static void build(tac_model *m, int within)
{
    const dq upright = {1, 0, 0, 0}, attitude = dq_about(d3_make(0.6, 0, 0.8), 0.5), t = within ? turn() : upright;
    const d3 centre = d3_make(0, 0, 0.6), offset = within ? OFFSET : d3_make(0, 0, 0);
    const dq own = dq_mul(attitude, dq_conjugate(t));
    tac_model_init(m);
    tac_model_add_material(m, (tac_real)0.4, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(m, &s);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_sub(centre, dq_rotate(own, offset))));
    b.inertia = vec(0.02, 0.03, 0.04);
    b.pose.q = dq_to(own);
    b.inertial = (tac_pose){d3_to(offset), dq_to(t)};
    b.velocity = (tac_twist){vec(0.5, 0.2, 0), vec(2, -3, 1)};
    s = tac_shape_make((uint16_t)tac_model_add_body(m, &b), TAC_BOX, vec(0.2, 0.15, 0.1));
    s.pose = b.inertial; // the block is centred on its mass
    tac_model_add_shape(m, &s);
    if (tac_model_seal(m, NULL) != TAC_OK) { tap_ok(0, "refused"); }
}

int main(void)
{
    double apart = 0.0, turned = 0.0, own_place = 0.0, own_turn = 0.0;
    int contacts = 0;
    for (int i = 0; i < 2; i++) {
        build(&described[i], i);
        if (tac_state_init(&described[i], &state[i], NULL) != TAC_OK) { tap_ok(0, "refused"); }
    }
    for (int k = 0; k < 600; k++) {
        for (int i = 0; i < 2; i++) { tac_step(&described[i], &state[i], NULL, &w); }
        contacts += w.report.contacts;
        const tac_pose a = state[0].pose[1], b = state[1].pose[1];
        const dq between = dq_mul(dq_conjugate(dq_of(a.q)), dq_of(b.q));
        d_worst(&apart, d3_norm(d3_sub(d3_of(a.p), d3_of(b.p))));
        d_worst(&turned, d3_norm(d3_make(between.x, between.y, between.z)));

        // the body's own frame: principal frame, then back by what was put in between
        const tac_pose own = tac_state_get_pose(&described[1], &state[1], 1);
        const dq expected = dq_mul(dq_of(b.q), dq_conjugate(turn()));
        const dq off = dq_mul(dq_conjugate(expected), dq_of(own.q));
        d_worst(&own_place, d3_norm(d3_sub(d3_add(d3_of(own.p), dq_rotate(expected, OFFSET)), d3_of(b.p))));
        d_worst(&own_turn, d3_norm(d3_make(off.x, off.y, off.z)));
    }
    tap_least(contacts, 100, "it has hit the ground");
    tap_most(apart, TOL(1e-9, 2e-3), "the centre of mass moves alike");
    tap_most(turned, TOL(1e-9, 1e-2), "it turns alike");
    tap_most(own_place, TOL(1e-13, 1e-6), "the body's own frame is where it belongs");
    tap_most(own_turn, TOL(1e-13, 1e-6), "and turned as it should be");
    return tap_done();
}
