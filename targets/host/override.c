// SPDX-License-Identifier: MIT
#include "override.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SWEEPS = 10000 }; // of tac_options

static const char *const solvers[] = {"accelerated", "plain", "direct", "auto", NULL};
static const char *const laws[] = {"exact", "relaxed", NULL};

// The index of a name, which may be NULL: then `found` stays. Returns 0 after a complaint.
static int find_name(const char *option, const char *const *names, const char *name, uint8_t *found)
{
    if (name == NULL) return 1;
    for (uint8_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *found = i;
        return 1;
    }
    complain("%s %s: no such name; see tactus run --help", option, name);
    return 0;
}

static int read_gravity(const char *text, tac_vec3 *gravity)
{
    double x = 0, y = 0, z = 0;
    int one = 0, three = 0;

    if (text == NULL) return 1;
    sscanf(text, "%lf%n", &z, &one);
    if (one == 0 || text[one] != '\0') {
        sscanf(text, "%lf,%lf,%lf%n", &x, &y, &z, &three);
        if (three == 0 || text[three] != '\0') {
            complain("--gravity %s: not a number, or three with commas", text);
            return 0;
        }
    }
    *gravity = (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)z};
    return 1;
}

static void set_friction(tac_model *model, tac_real mu)
{
    for (uint16_t i = 0; i < model->materials; i++) {
        model->material[i].friction = mu;
        model->material[i].friction_rule = TAC_RULE_MAX;
    }
    for (uint16_t i = 0; i < model->material_pairs; i++) model->material_pair[i].friction = mu;
}

int override_read(const override *o)
{
    uint8_t found;
    tac_vec3 gravity;

    if (o->sweeps > MOST_SWEEPS) complain("--sweeps: %d at most", MOST_SWEEPS);
    return o->sweeps <= MOST_SWEEPS && find_name("--solver", solvers, o->solver, &found) &&
           find_name("--law", laws, o->law, &found) && read_gravity(o->gravity, &gravity);
}

int override_apply(const override *o, const char *what, tac_model *model)
{
    const int asked = !isnan(o->h) || !isnan(o->tolerance) || !isnan(o->mu) || o->solver != NULL || o->law != NULL ||
                      o->gravity != NULL || o->sweeps > 0;
    tac_fault fault;

    if (!asked) return 1;
    (void)find_name("--solver", solvers, o->solver, &model->options.solver);
    (void)find_name("--law", laws, o->law, &model->options.friction);
    (void)read_gravity(o->gravity, &model->gravity);
    if (!isnan(o->h)) model->h = (tac_real)o->h;
    if (!isnan(o->tolerance)) model->options.tolerance = (tac_real)o->tolerance;
    if (!isnan(o->mu)) set_friction(model, (tac_real)o->mu);
    if (o->sweeps > 0) model->options.max_sweeps = (uint16_t)o->sweeps;
    const tac_status status = tac_model_seal(model, &fault);
    if (status != TAC_OK) complain_kernel(what, status, fault, model, NULL, NULL);
    return status == TAC_OK;
}
