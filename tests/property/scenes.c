// SPDX-License-Identifier: MIT
// Each scene shows what it says, within the default capacities: it runs to its end with all invariants, and its
// contacts are those it was made for.
#include "scenes.h"
#include "tap.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

typedef struct seen {
    int bad, dropped, contacts, slides, sticks;
    uint8_t met[TAC_SHAPE_KINDS][TAC_SHAPE_KINDS]; ///< have shape kinds i <= k met?
} seen;

static seen run(const scene *s, uint32_t steps)
{
    seen r = {0};
    if (s->build(&m) != TAC_OK || tac_state_init(&m, &state, NULL) != TAC_OK) {
        r.bad++;
        return r;
    }
    for (uint32_t k = 0; k < steps; k++) {
        if (s->drive != NULL) { s->drive(&m, k, &input); }
        const tac_status status = tac_step(&m, &state, s->drive != NULL ? &input : NULL, &w);
        r.bad += status < 0 || tac_check(&m, &state, &w, NULL) != TAC_OK;
        r.dropped += w.report.dropped;
        r.contacts += w.report.contacts;
        for (int i = 0; i < w.report.contacts; i++) {
            const uint8_t a = m.shape[w.contact[i].id.shape_a].kind, b = m.shape[w.contact[i].id.shape_b].kind;
            r.met[a < b ? a : b][a < b ? b : a] = 1;
            r.slides += w.contact[i].mode == TAC_SLIDE;
            r.sticks += w.contact[i].mode == TAC_STICK;
        }
    }
    return r;
}

static d3 place(uint16_t body)
{
    return d3_of(state.pose[body].p);
}

static void test_scene(const scene *s)
{
    const int full = s == scene_find("overflow") || (TAP_FULL && s == scene_find("on_field"));
    const seen r = run(s, RUN(s->steps, 10));
    tap_equal(r.bad, 0, tap_joined("every step is good:", s->name));
    tap_ok(full ? r.dropped > 0 : r.dropped == 0,
           tap_joined(full ? "contacts are dropped:" : "no contact is dropped:", s->name));
    tap_most(state.contacts_peak, s->contacts, tap_joined("no more contacts than it says:", s->name));
    if (TAP_FULL) { tap_least(state.contacts_peak, 0.75 * s->contacts, tap_joined("and not far fewer:", s->name)); }
}

// How many pairs of kinds i <= k have met, both from `first` to `last`.
static int pairs_met(const seen *r, int first, int last)
{
    int met = 0;
    for (int i = first; i <= last; i++) {
        for (int k = i; k <= last; k++) { met += r->met[i][k]; }
    }
    return met;
}

static int kinds_met(const seen *r, uint8_t with)
{
    int met = 0;
    for (int i = TAC_SPHERE; i <= TAC_HULL; i++) { met += r->met[i][with]; }
    return met;
}

static void test_stories(void)
{
    seen r = run(scene_find("mixed"), scene_find("mixed")->steps);
    tap_equal(pairs_met(&r, TAC_HALF_SPACE, TAC_BOX), 9, "mixed: every pair of kinds meets");
    tap_ok(r.slides > 0 && r.sticks > 0, "mixed: contacts slide and stick");
    r = run(scene_find("cube_toss"), scene_find("cube_toss")->steps);
    tap_near(place(1).z, 0.0524, 1e-4, "cube_toss: the cube ends flat on the floor");
    tap_most(d3_norm(d3_of(state.twist[1].v)), 1e-3, "cube_toss: at rest");
    tap_ok(r.slides > 0, "cube_toss: after sliding");
    r = run(scene_find("sphere_slide"), scene_find("sphere_slide")->steps);
    tap_ok(r.slides > 0 && r.sticks > 0, "sphere_slide: it slides, then rolls");
    run(scene_find("stack"), scene_find("stack")->steps);
    tap_near(place(4).z, 3.5, 2e-3, "stack: it stands");
    run(scene_find("pushed"), scene_find("pushed")->steps);
    tap_least(place(1).x, 0.1, "pushed: the first box has moved along x");
    tap_least(place(2).y - 1.0, 0.02, "pushed: the second along its own y");
    tap_least(d_abs((double)state.pose[2].q.z), 0.01, "pushed: turning");
    tap_least(d_abs((double)state.pose[3].q.z), 0.01, "pushed: the third turns about its corner");
    run(scene_find("conveyor"), scene_find("conveyor")->steps);
    tap_least(d3_norm(d3_sub(place(3), d3_make(0.5, 0, 0.05))), 0.3, "conveyor: boxes are carried");
    r = run(scene_find("solids"), 40);
    tap_least(pairs_met(&r, TAC_HALF_SPACE, TAC_HULL), 12,
              "solids: many pairs of kinds meet in what the golden hash sees");
    r = run(scene_find("on_mesh"), 40);
    tap_equal(kinds_met(&r, TAC_MESH), 7, "on_mesh: and every convex kind the mesh");
    r = run(scene_find("on_field"), 40);
    tap_equal(kinds_met(&r, TAC_HEIGHT_FIELD), 7, "on_field: and the field");
}

static void test_names(void)
{
    int good = 1;
    for (unsigned i = 0; i < scene_count; i++) { good = good && scene_find(scenes[i].name) == &scenes[i]; }
    tap_ok(good, "scenes are found by their names");
    tap_ok(scene_find("mix") == NULL && scene_find("mixed2") == NULL && scene_find("") == NULL, "others are not");
}

int main(void)
{
    for (unsigned i = 0; i < scene_count; i++) { test_scene(&scenes[i]); }
    if (TAP_FULL) { test_stories(); }
    test_names();
    return tap_done();
}
