// SPDX-License-Identifier: MIT
// What two materials make together, and which shapes meet at all: seen in the contacts of a ball on a half-space.
#include "base/vec.h"
#include "tap.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

static const double MU_A = 0.25, MU_B = 0.64, E_A = 0.81, E_B = 0.36;

static void two_materials(void)
{
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)MU_A, (tac_real)E_A);
    tac_model_add_material(&m, (tac_real)MU_B, (tac_real)E_B);
    for (int i = 0; i < 2; i++) { m.material[i].friction_rule = m.material[i].restitution_rule = TAC_RULE_AVERAGE; }
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &s);
    const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.5));
    tac_model_add_body(&m, &b);
    s = tac_shape_make(1, TAC_SPHERE, vec(0.5, 0, 0));
    s.material = 1;
    tac_model_add_shape(&m, &s);
}

static int contacts(void)
{
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &state, NULL) != TAC_OK) { return -1; }
    return tac_step(&m, &state, NULL, &w) < 0 ? -2 : w.report.contacts;
}

static double combined(uint8_t rule, double a, double b)
{
    const double values[TAC_RULES] = {(a + b) / 2, d_sqrt(a * b), a * b, d_min(a, b), d_max(a, b)};
    return values[rule];
}

static void test_rules(void)
{
    double friction = 0.0, restitution = 0.0;
    int met = 1;
    for (uint8_t i = 0; i < TAC_RULES; i++) {
        for (uint8_t k = 0; k < TAC_RULES; k++) {
            two_materials();
            m.material[0].friction_rule = m.material[1].restitution_rule = i;
            m.material[1].friction_rule = m.material[0].restitution_rule = k;
            met = met && contacts() == 1;
            const uint8_t rule = i > k ? i : k;
            d_worst(&friction, (double)w.contact[0].mu - combined(rule, MU_A, MU_B));
            d_worst(&restitution, (double)w.contact[0].restitution - combined(rule, E_A, E_B));
        }
    }
    tap_ok(met, "the ball meets the floor under all rules");
    tap_most(friction, TOL(1e-15, 1e-7), "friction by the later rule of the two");
    tap_most(restitution, TOL(1e-15, 1e-7), "restitution likewise, by its own rule");
}

static void test_pairs(void)
{
    for (uint8_t order = 0; order < 2; order++) {
        two_materials();
        tac_model_add_material_pair(&m, 0, 0, (tac_real)0.125, (tac_real)0.125);
        tac_model_add_material_pair(&m, order, (uint8_t)(1 - order), (tac_real)1.5, (tac_real)0.0625);
        tap_equal(contacts(), 1, "a pair of materials");
        tap_near(w.contact[0].mu, 1.5, 0.0, "overrides the friction, in either order");
        tap_near(w.contact[0].restitution, 0.0625, 0.0, "and the restitution");
    }
    two_materials();
    tac_model_add_material_pair(&m, 1, 1, (tac_real)1.5, (tac_real)0.0625);
    contacts();
    tap_near(w.contact[0].mu, (MU_A + MU_B) / 2, TOL(1e-15, 1e-7), "another pair does not");
}

static void test_groups(void)
{
    int right = 1;
    for (unsigned i = 0; i < 256; i++) {
        two_materials();
        m.shape[0].group = (uint16_t)(i & 3);
        m.shape[0].mask = (uint16_t)(i >> 2 & 3);
        m.shape[1].group = (uint16_t)(i >> 4 & 3);
        m.shape[1].mask = (uint16_t)(i >> 6 & 3);
        const int expected = (m.shape[0].group & m.shape[1].mask) != 0 && (m.shape[1].group & m.shape[0].mask) != 0;
        right = right && contacts() == expected;
    }
    tap_ok(right, "shapes meet if the group of each has a bit in the mask of the other: 256 cases");
    two_materials();
    m.shape[0].group = m.shape[1].mask = 0x8000;
    m.shape[1].group = m.shape[0].mask = 0x4000;
    tap_equal(contacts(), 1, "the highest bits count");
}

static void test_who_meets(void)
{
    two_materials();
    tac_shape s = tac_shape_make(1, TAC_SPHERE, vec(0.4, 0, 0));
    tac_model_add_shape(&m, &s);
    s = tac_shape_make(0, TAC_SPHERE, vec(0.4, 0, 0));
    s.pose.p = vec(5, 0, 0);
    tac_model_add_shape(&m, &s);
    tap_equal(contacts(), 1, "shapes of one body do not meet");
    two_materials();
    m.body[1].kind = TAC_KINEMATIC;
    tap_equal(contacts(), 0, "a kinematic body does not meet the ground");
    const tac_body b = tac_body_make(TAC_KINEMATIC, vec(0, 0, 0.9));
    tac_model_add_body(&m, &b);
    s = tac_shape_make(2, TAC_SPHERE, vec(0.5, 0, 0));
    tac_model_add_shape(&m, &s);
    tap_equal(contacts(), 0, "nor another kinematic body");
    m.body[2].kind = TAC_DYNAMIC;
    tap_equal(contacts(), 1, "a dynamic body meets it");
    const tac_contact *c = &w.contact[0];
    tap_ok(c->body_a == 1 && c->body_b == 2 && c->n.z > 0, "the normal points from the lower to the higher body");
}

int main(void)
{
    test_rules();
    test_pairs();
    test_groups();
    test_who_meets();
    return tap_done();
}
