// SPDX-License-Identifier: MIT
// linearise.c - tactus linearise: the step of a world as a linear complementarity system, or its derivative, as JSON.
#include "asked.h"
#include "c3.h"
#include "message.h"
#include "options.h"
#include "tool.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: tactus linearise SCENE [--steps N] [--form NAME] [--directions N] [--closest N] [--c3]\n"
    "                              [--derivative [--parameters]] [--link ENDPOINT]\n"
    "       tactus linearise --model FILE ...\n\n"
    "Prints as JSON the linear complementarity system of the next step, x+ = A x + B u + D l + d and\n"
    "0 <= l perp E x + F l + H u + c >= 0, in the coordinates that include/tactus/linear.h defines.\n" WORLD_HELP
    "  --form NAME    stewart-trinkle or anitescu; stewart-trinkle\n"
    "  --directions N of friction, 1 (in the plane square to y) .. 8; 2\n"
    "  --closest N    only so many pairs of shapes, the closest ones\n"
    "  --c3           in the variables, units and order of c3 (src/derivative/README.md); the state and the contacts "
    "too\n"
    "  --derivative   A and B alone: the derivative of the step of tac_step(), through its active "
    "contacts\n"
    "  --parameters   P too: by friction of materials, masses, fields of joints; `parameter` names its "
    "columns\n" ASKED_HELP;

// Static: these are large.
static world at;
static tac_lcp lcp;

// Rows of the longest matrix that a model of these capacities can have.
enum { MOST_X = 12 * (TAC_MAX_BODIES + 1), MOST_L = TAC_MAX_LCP };

// Parameters that they can have: kinds and indices of include/tactus/parameter.h.
enum { MOST_P = 2 * (TAC_MAX_MATERIALS + TAC_MAX_MATERIAL_PAIRS + TAC_MAX_BODIES + 1) + 7 * TAC_MAX_JOINTS };

static tac_real P[MOST_X * MOST_P];
static tac_parameter parameter[MOST_P];
static const char *const parameter_names[TAC_FIT_KINDS] = {[TAC_FIT_FRICTION] = "friction",
                                                           [TAC_FIT_PAIR_FRICTION] = "pair_friction",
                                                           [TAC_FIT_MASS] = "mass",
                                                           [TAC_FIT_INERTIA] = "inertia",
                                                           [TAC_FIT_JOINT_FRICTION] = "joint_friction",
                                                           [TAC_FIT_JOINT_DAMPING] = "joint_damping",
                                                           [TAC_FIT_JOINT_STIFFNESS] = "joint_stiffness",
                                                           [TAC_FIT_JOINT_REST] = "joint_rest",
                                                           [TAC_FIT_JOINT_ARMATURE] = "joint_armature",
                                                           [TAC_FIT_JOINT_EFFORT] = "joint_effort",
                                                           [TAC_FIT_MOTOR] = "motor"};

static tac_real A[MOST_X * MOST_X], B[MOST_X * MOST_X], D[MOST_X * MOST_L], d[MOST_X];
static tac_real E[MOST_L * MOST_X], F[MOST_L * MOST_L], H[MOST_L * MOST_X], c[MOST_L];

// One row of a matrix; its name before the first one.
static void print_row(const char *name, unsigned row)
{
    if (row == 0) printf(",\n\"%s\": [", name);
    printf("%s\n[", row > 0 ? "," : "");
}

static void print_matrix(const char *name, const tac_real *x, unsigned rows, unsigned columns)
{
    for (unsigned i = 0; i < rows; i++) {
        print_row(name, i);
        for (unsigned k = 0; k < columns; k++) printf("%s%.17g", k > 0 ? ", " : "", (double)x[i * columns + k]);
        printf("]");
    }
    printf(rows > 0 ? "]" : ",\n\"%s\": []", name);
}

static void print_doubles(const char *name, const double *x, unsigned rows, unsigned columns)
{
    for (unsigned i = 0; i < rows; i++) {
        print_row(name, i);
        for (unsigned k = 0; k < columns; k++) printf("%s%.17g", k > 0 ? ", " : "", x[i * columns + k]);
        printf("]");
    }
    printf(rows > 0 ? "]" : ",\n\"%s\": []", name);
}

// Where the contacts are, in their order: point, normal, first tangent, gap and friction, and the bodies.
static void print_contacts(const tac_lcs *y)
{
    for (unsigned i = 0; i < y->contacts; i++) {
        const tac_contact *k = &at.work.contact[i];
        print_row("contact", i);
        printf("[%.17g, %.17g, %.17g], ", (double)k->point.x, (double)k->point.y, (double)k->point.z);
        printf("[%.17g, %.17g, %.17g], ", (double)k->n.x, (double)k->n.y, (double)k->n.z);
        printf("[%.17g, %.17g, %.17g], ", (double)k->u.x, (double)k->u.y, (double)k->u.z);
        printf("%.17g, %.17g, %u, %u]", (double)k->gap, (double)k->mu, k->body_a, k->body_b);
    }
    printf(y->contacts > 0 ? "]" : ",\n\"contact\": []");
}

static void print_c3(const tac_lcs *asked)
{
    const tac_lcs y = *asked;
    static tac_work work; // the contacts of at.work are printed

    const c3_system s = c3_of(&at.model, &at.state, &y, at.work.contact, &lcp, &work);
    const unsigned x = s.q + s.v;
    printf("{\"x\": %u, \"q\": %u, \"u\": %u, \"l\": %u, \"contacts\": %u, \"dt\": %.17g", x, s.q, s.u, s.l, y.contacts,
           (double)at.model.h);
    print_contacts(&y);
    print_doubles("state", s.x, x, 1);
    print_doubles("A", s.A, x, x);
    print_doubles("B", s.B, x, s.u);
    print_doubles("D", s.D, x, s.l);
    print_doubles("d", s.d, x, 1);
    print_doubles("E", s.E, s.l, x);
    print_doubles("F", s.F, s.l, s.l);
    print_doubles("H", s.H, s.l, s.u);
    print_doubles("c", s.c, s.l, 1);
    printf("}\n");
}

static void print_system(const tac_lcs *y)
{
    const tac_linear_size *n = &y->size;

    printf("{\"x\": %u, \"u\": %u, \"l\": %u, \"contacts\": %u", n->x, n->u, n->l, y->contacts);
    print_matrix("A", A, n->x, n->x);
    print_matrix("B", B, n->x, n->u);
    print_matrix("D", D, n->x, n->l);
    print_matrix("d", d, n->x, 1);
    print_matrix("E", E, n->l, n->x);
    print_matrix("F", F, n->l, n->l);
    print_matrix("H", H, n->l, n->u);
    print_matrix("c", c, n->l, 1);
    printf("}\n");
}

static int refused(const char *name, tac_status status)
{
    if (status >= 0) return 0;
    complain_kernel(name, status, at.work.report.fault, &at.model, &at.state, &at.input);
    return 1;
}

static int print_lcs(const char *name, const tac_lcs *asked, int c3)
{
    tac_lcs y = *asked;

    y.A = A, y.B = B, y.D = D, y.d = d, y.E = E, y.F = F, y.H = H, y.c = c;
    y.room = (tac_linear_size){MOST_X, MOST_X, MOST_L};
    if (refused(name, tac_linearise(&at.model, &at.state, &at.input, &at.work, &lcp, &y))) return EXIT_BAD;
    (c3 ? print_c3 : print_system)(&y);
    return EXIT_GOOD;
}

// Kinds from the first to the last one, of so many indices from the first one on.
static void list_parameters(int kind, int last, unsigned first, unsigned end, tac_step_derivative *y)
{
    for (; kind <= last; kind++) {
        for (unsigned i = first; i < end; i++) {
            if (parameter_names[kind] != NULL) parameter[y->parameters++] = (tac_parameter){(uint16_t)i, (uint8_t)kind};
        }
    }
}

// All of the model that the derivative takes and that may change a step.
static void ask_parameters(const tac_model *m, tac_step_derivative *y)
{
    y->parameter = parameter, y->P = P;
    list_parameters(TAC_FIT_FRICTION, TAC_FIT_FRICTION, 0, m->materials, y);
    list_parameters(TAC_FIT_PAIR_FRICTION, TAC_FIT_PAIR_FRICTION, 0, m->material_pairs, y);
    for (unsigned i = 1; i < m->bodies; i++) {
        if (m->body[i].kind == TAC_DYNAMIC) list_parameters(TAC_FIT_MASS, TAC_FIT_INERTIA, i, i + 1, y);
    }
    for (unsigned i = 0; i < m->joints; i++) {
        const uint8_t kind = m->joint[i].kind;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC && kind != TAC_SCREW) continue;
        list_parameters(TAC_FIT_JOINT_FRICTION, TAC_FIT_MOTOR, i, i + 1, y);
    }
}

static void print_parameters(const tac_step_derivative *y)
{
    printf(",\n\"parameter\": [");
    for (unsigned i = 0; i < y->parameters; i++) {
        printf("%s[\"%s\", %u]", i > 0 ? ", " : "", parameter_names[parameter[i].kind], parameter[i].index);
    }
    printf("]");
    print_matrix("P", P, y->size.x, y->parameters);
}

static int print_derivative(const char *name, int parameters)
{
    tac_step_derivative y = {.A = A, .B = B, .room = {MOST_X, MOST_X, MOST_L}};

    if (parameters) ask_parameters(&at.model, &y);

    if (refused(name, tac_derivative(&at.model, &at.state, &at.input, &at.work, &lcp, &y))) return EXIT_BAD;
    printf("{\"x\": %u, \"u\": %u", y.size.x, y.size.u);
    print_matrix("A", A, y.size.x, y.size.x);
    print_matrix("B", B, y.size.x, y.size.u);
    if (parameters) print_parameters(&y);
    printf("}\n");
    return EXIT_GOOD;
}

static int read_form(const char *form, tac_lcs *y)
{
    if (form == NULL || strcmp(form, "stewart-trinkle") == 0) return 1;
    y->form = TAC_LCS_ANITESCU;
    if (strcmp(form, "anitescu") == 0) return 1;
    complain("--form %s: stewart-trinkle or anitescu", form);
    return 0;
}

static int run(int argc, char **argv)
{
    const char *model = NULL, *form = NULL, *link = NULL;
    uint32_t steps = 0, directions = 2, closest = 0;
    int derivative = 0, parameters = 0, c3 = 0, rest;
    tac_lcs y;
    const option table[] = {{"--model", OPTION_TEXT, &model},
                            {"--steps", OPTION_COUNT, &steps},
                            {"--form", OPTION_TEXT, &form},
                            {"--directions", OPTION_COUNT, &directions},
                            {"--closest", OPTION_COUNT, &closest},
                            {"--c3", OPTION_FLAG, &c3},
                            {"--derivative", OPTION_FLAG, &derivative},
                            {"--parameters", OPTION_FLAG, &parameters},
                            {"--link", OPTION_TEXT, &link},
                            {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&linearise_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, model == NULL)) return tool_usage(&linearise_command);
    tac_lcs_init(&y);
    if (!read_form(form, &y)) return EXIT_USAGE;
    if (directions > TAC_LCS_DIRECTIONS || closest > UINT16_MAX) {
        complain("--directions: 1 .. %d; --closest: at most %d", TAC_LCS_DIRECTIONS, UINT16_MAX);
        return EXIT_USAGE;
    }
    if (c3 && derivative) {
        complain("--c3 has the system itself, not its derivative");
        return EXIT_USAGE;
    }
    if (parameters && !derivative) {
        complain("--parameters belongs to --derivative");
        return EXIT_USAGE;
    }
    y.directions = (uint8_t)directions;
    y.closest = (uint16_t)closest;
    const char *scene = model == NULL ? argv[0] : NULL, *name = model == NULL ? scene : model;
    const link_question system = {LINK_QUESTION_SYSTEM, y.form, y.directions, y.closest};
    int code = world_open(scene, model, steps, &at);
    if (code == EXIT_GOOD) {
        code = asked_firmware(link, &at, derivative ? (link_question){LINK_QUESTION_DERIVATIVE, 0, 0, 0} : system);
    }
    if (code != EXIT_GOOD) return code;
    tac_lcp_init(&lcp);
    return derivative ? print_derivative(name, parameters) : print_lcs(name, &y, c3);
}

const command linearise_command = {"linearise", "the step of a world as a linear complementarity system", help, run};
