// SPDX-License-Identifier: MIT
// refresh.h - what steps with kept dynamics need: contacts ahead, the factor of the trees, the columns of the rows.
//   given   model, state and input of the first of these steps, shapes that matter, how many steps will use it
//   makes   tac_refresh
//   bound   that of tac_step() until its first sweep, less what shapes that do not matter ask for
//   never   makes W of different contacts, or keeps a pointer: a copy is as good
#ifndef PREDICT_REFRESH_H
#define PREDICT_REFRESH_H

#include "../step/ccp.h"
#include "../tree/coordinates.h"

#if TAC_PREDICT

// With A = L'L the operator of bodies and joints over a step (articulated.h), slopes of what yields included, rates v
// of the free motions, impulses f of a step without contacts, impulses g of contacts and of coordinates with bounds,
//      v+ = v + A^-1 (f + D g) = v + L^-1 z,    z = L'^-1 f + Y g,    u+ = u + Y'z,    Y = L'^-1 D.
// L has the branches of the trees: its row of a free motion has entries at those between it and the root alone. It is
// what articulated.h leaves: along a motion e nearer to the root the row of motion i has u_i's_e, and of a free root
// the six motions are the unit ones. A refresh makes L, Y, L'^-1 f and the diagonal blocks of Y'Y; steps after it are
// refresh_step.h.

#define REFRESH_LIVELY R(4.0) // times gravity: the acceleration by which a leg may move towards a contact

#define REFRESH_FAST R(0.25) // rad a step: bodies that turn faster need full steps, whose motion keeps their energy

// What a roll-out asks of steps with kept dynamics: contacts of these shapes alone, all if there are none; the number
// of steps that share a refresh.
typedef struct refresh_options {
    const uint16_t *shape;
    uint16_t shapes;
    uint16_t steps;
} refresh_options;

// ------------------------------------------------------------------------------------------------------------ contacts

static inline int refresh_matters(const refresh_options *o, uint16_t shape)
{
    for (uint16_t i = 0; i < o->shapes; i++) {
        if (o->shape[i] == shape) { return 1; }
    }
    return o->shapes == 0;
}

// Contacts of the pair in hand that may close before the last of these steps has ended: closer than the margin, the way
// of the steps at these velocities, and what gravity, a lively leg or known efforts may add.
static void refresh_store(const tac_model *m, real steps, real margin, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    uint16_t a, b;
    tac_material_pair pair;
    uint8_t order[TAC_PAIR_POINTS];
    contacts_to_world(m, g, &a, &b);
    model_pair(m, m->shape[a].material, m->shape[b].material, &pair);
    contacts_sort(&g->pair, order);
    for (int i = 0; i < g->pair.points; i++) {
        const tac_point *x = &g->pair.point[order[i]];
        const real closing = -v3_dot(x->n, contacts_way(m, g, a, b, x->at.v));
        if (!(x->gap < margin + steps * real_max(closing, R(0.0)))) { continue; }
        w->report.penetration = real_max(w->report.penetration, -x->gap);
        contacts_add(m, g, a, b, &pair, x, &w->report, w->contact);
    }
}

// Contacts of the shapes that matter with all others, in the order of the pairs.
static void refresh_contacts(const tac_model *m, const tac_state *s, const refresh_options *o, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    const real steps = (real)o->steps, time = steps * m->h,
               lively = R(0.5) * time * time * REFRESH_LIVELY * v3_norm(m->gravity);
    const real together = R(0.5) * (steps + R(1.0)) * time; // all steps by what each adds to the speed
    for (uint16_t i = 0; i < m->shapes; i++) {
        const int all = refresh_matters(o, i);
        uint32_t count = 0;
        for (uint16_t k = (uint16_t)(i + 1); k < m->shapes; k++) {
            if ((all || refresh_matters(o, k)) && contacts_may_meet(m, &m->shape[i], &m->shape[k])) {
                g->near[count++] = k;
            }
        }
        if (JOINT_COUNT(m) > 0) { count = contacts_part(m, s, i, g->near, count); }
        for (uint32_t k = 0; k < count; k++) {
            const tac_placed *a = &g->placed[i], *b = &g->placed[g->near[k]];
            const real own = model_margin(m->options.margin, real_min(a->thickness, b->thickness)) +
                             real_max(lively, together * (a->driven + b->driven));
            const real ahead = (steps - R(1.0)) * m->h * (a->speed + b->speed);
            if (contacts_meet(m, g, own + ahead, i, g->near[k])) { refresh_store(m, steps, own, w); }
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- rows

// Contacts as blocks. Their torsion is left out.
static void refresh_blocks(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        rows_make(m, s, w, c, k);
        k->rows = 3;
    }
    reals_copy(w->scratch.solve.free, w->delta_v, m->bodies * sizeof *w->delta_v);
}

// All dynamic bodies are in the trees, in one order whatever they touch: those that touch nothing fall.
static void refresh_order(const tac_model *m, tac_work *w)
{
    articulated_order_joints(w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (joint_moves(w, i)) { articulated_add_alone(w, i); }
    }
}

// Is a coordinate led, whatever that takes?
static int refresh_led(const tac_work *w)
{
    int led = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { led |= JOINT_LINK(w)[i].driven; }
    return led;
}

// Does a body turn too fast?
static int refresh_spins(const tac_model *m, const tac_state *s)
{
    real fast = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) { fast = real_max(fast, v3_norm_inf(s->twist[i].w)); }
    return m->h * fast > REFRESH_FAST;
}

// The trees with all of their rows, and Y'z of the motions that no contact has a part in.
static int refresh_operate(const tac_model *m, const tac_state *s, const tac_input *input, const refresh_options *o,
                           int known, tac_work *w)
{
    begin_place(m, s, input, w);
    refresh_contacts(m, s, o, w);
    begin_program(m, w);
    iterate_clear(w, w->scratch.solve.best);
    iterate_clear(w, w->scratch.solve.g);
    refresh_blocks(m, s, w);
    joints_make(m, s, input, JOINT_ARC, w);
    if (!known && joints_violated(m, w)) { return 0; }
    warm_start(m, s, w);
    refresh_order(m, w);
    if (JOINT_TOPOLOGY(w)->closed || refresh_led(w)) { return 0; }
    columns_mark_unbounded(w, 1);
    if (!columns_number(w, 3)) { return 0; }
    articulated_factor(w, s->pose);
    if (!columns_make(w, 3)) { return 0; }
    trees_prepare(w);
    trees_up(w);
    trees_take_carried(w);
    return 1;
}

// ---------------------------------------------------------------------------------------------------------- the factor

static inline int refresh_has_root(const tac_tree_body *b)
{
    return b->joint == TAC_NONE;
}

// The entry of row i of a body at its own motion j.
static inline real refresh_own(const tac_tree_body *b, int i, int j)
{
    if (!refresh_has_root(b)) { return i == j ? b->scale[i] : six_dot(b->u[i], b->s[j]); }
    return b->inertia[j * (j + 1) / 2 + i];
}

// The row of L of one free motion i of a body: itself, the others of its joint, those of the bodies that carry it.
static int refresh_row(const tac_trees *r, const tac_tree_body *b, int i, int motions, tac_refresh *f)
{
    for (int j = i; j < motions; j++) {
        if (f->entries == TAC_REFRESH_FILL) { return 0; }
        f->entry[f->entries++] = refresh_own(b, i, j);
    }
    const real *u = refresh_has_root(b) ? NULL : b->u[i]; // a root has six motions, and nothing above it
    while (!refresh_has_root(b) && b->parent != TAC_NONE) {
        b = &r->tree_body[b->parent];
        const int above = refresh_has_root(b) ? 6 : b->axes;
        if (f->entries + above > TAC_REFRESH_FILL) { return 0; }
        for (int j = 0; j < above; j++) { f->entry[f->entries++] = refresh_has_root(b) ? u[j] : six_dot(u, b->s[j]); }
    }
    return 1;
}

// The first of the six motions of the free root that a body hangs on; TAC_NONE if there is none.
static uint16_t refresh_root(const tac_trees *r, const tac_tree_body *b, const tac_refresh *f)
{
    if (refresh_has_root(b)) { return TAC_NONE; }
    while (!refresh_has_root(b) && b->parent != TAC_NONE) { b = &r->tree_body[b->parent]; }
    return refresh_has_root(b) ? (uint16_t)(f->last[b->mark] - 5) : TAC_NONE;
}

// Motions of a body are numbered from the root on: the last one of its joint comes first.
static int refresh_body(const tac_work *w, uint16_t place, tac_refresh *f)
{
    const tac_trees *r = JOINT_TREES(w);
    const uint16_t self = r->order[place];
    const tac_tree_body *b = &r->tree_body[self];
    const int root = refresh_has_root(b), motions = root ? 6 : b->axes;
    const uint16_t above = root || b->parent == TAC_NONE ? TAC_NONE : f->last[r->tree_body[b->parent].mark];
    const uint16_t free = refresh_root(r, b, f);
    uint16_t up = free != TAC_NONE && above == free + 5 ? TAC_NONE : above;
    f->order[place] = self;
    f->joint[place] = b->joint;
    f->motions[place] = (uint8_t)motions;
    for (int i = motions - 1; i >= 0; i--) {
        if (f->rates == TAC_REFRESH_RATES || !refresh_row(r, b, i, motions, f)) { return 0; }
        f->root[f->rates] = free;
        f->up[f->rates] = up;
        up = f->rates++;
        f->row[f->rates] = f->entries;
    }
    f->last[place] = motions > 0 ? up : above;
    return 1;
}

static int refresh_factor(const tac_work *w, tac_refresh *f)
{
    int room = 1;
    f->bodies = JOINT_TREES(w)->tree_bodies;
    f->rates = f->entries = f->keys = f->row[0] = 0;
    for (uint16_t at = 0; at < f->bodies && room; at++) { room = refresh_body(w, at, f); }
    return room;
}

// Numbers of a body's free motions, in their order.
static void refresh_number(uint16_t at, const real *of, const tac_refresh *f, real *x)
{
    for (int i = 0; i < f->motions[at]; i++) { x[f->last[at] - i] = of[i]; }
}

// L'^-1 f, as the elimination has left it.
static void refresh_given(const tac_work *w, tac_refresh *f)
{
    for (uint16_t at = 0; at < f->bodies; at++) {
        const tac_tree_body *b = &JOINT_TREES(w)->tree_body[f->order[at]];
        refresh_number(at, refresh_has_root(b) ? SOLUTION(w)->step.x[f->order[at]] : b->pull, f, f->given);
    }
}

// Rates of the free motions. What else bodies of a joint do against each other its constraints forbid: that is taken
// out of what they demand of the steps.
static void refresh_rates(const tac_state *s, tac_work *w, tac_refresh *f)
{
    for (uint16_t at = 0; at < f->bodies; at++) {
        const uint16_t self = f->order[at];
        const tac_tree_body *b = &JOINT_TREES(w)->tree_body[self];
        real rate[6];
        if (refresh_has_root(b)) {
            six_set(rate, v3_combine(b->axis, s->twist[self].w), s->twist[self].v);
        } else {
            tac_joint_block *k = JOINT_LINK(w) + b->joint;
            vec3 turn, slide;
            tree_motion_between(w, k, &s->twist[k->body[0]], &s->twist[k->body[1]], &turn, &slide);
            tree_motion_rates_of(k, turn, slide, articulated_sign(b), rate);
            k->drift[0] = v3_sub(k->drift[0], joint_forbid_turn(k, turn));
            k->drift[1] = v3_sub(k->drift[1], joint_forbid_slide(k, turn, slide));
        }
        refresh_number(at, rate, f, f->rate);
    }
}

// A roll-out may begin at velocities that violate its joints. The impulses that end this are those of its first step
// alone: apart[] has them, and given[] is what the next steps need too. Of contacts `start` gets what these velocities
// are other than the rates make them.
static void refresh_part(const tac_state *s, tac_work *w, tac_refresh *f)
{
    const tac_block *k = w->scratch.solve.block;
    for (uint16_t i = 0; i < f->rates; i++) { f->apart[i] = f->given[i]; }
    for (uint16_t i = 0; i < f->contacts; i++) { f->contact[i].start = rows_relative(&k[i], w->delta_v); }
    refresh_rates(s, w, f);
    trees_prepare(w);
    trees_up(w);
    trees_take_carried(w);
    refresh_given(w, f);
    for (uint16_t i = 0; i < f->rates; i++) { f->apart[i] -= f->given[i]; }
    for (uint16_t i = 0; i < f->contacts; i++) {
        f->contact[i].start = v3_sub(f->contact[i].start, rows_relative(&k[i], w->delta_v));
    }
}

// ------------------------------------------------------------------------------------------------------------- columns

// The path of a row has keys: the first of some motions that follow each other towards the root, and their number.
#define REFRESH_RUN 5 // bits of a key that count motions
#define REFRESH_LONGEST ((1 << REFRESH_RUN) - 1)

// Adds the motions of a body to a path of so many keys. Returns 0 if there is no room.
static int refresh_key(uint16_t first, uint16_t motions, tac_refresh *f, uint16_t *keys)
{
    uint16_t *key = &f->key[f->keys];
    const uint16_t run = *keys > 0 ? key[-1] & REFRESH_LONGEST : 0;
    if (run > 0 && run + motions <= REFRESH_LONGEST && (key[-1] >> REFRESH_RUN) - run == first) {
        key[-1] = (uint16_t)(key[-1] + motions);
        return 1;
    }
    if (f->keys == TAC_REFRESH_KEYS || first > UINT16_MAX >> REFRESH_RUN) { return 0; }
    *key = (uint16_t)(first << REFRESH_RUN | motions);
    f->keys++, (*keys)++;
    return 1;
}

// Copies the columns of so many rows that lie side by side, from `row` on.
static int refresh_column(const tac_trees *r, uint16_t row, int rows, tac_refresh *f, uint16_t *column, uint16_t *path,
                          uint16_t *keys)
{
    const uint16_t begin = r->first[row], end = r->first[row + rows];
    *column = f->entries;
    *path = f->keys;
    *keys = 0;
    if (f->entries + (end - begin) > TAC_REFRESH_FILL) { return 0; }
    for (uint16_t at = begin; at < end; at++) { f->entry[f->entries++] = r->room.use.made.columns.reach[at]; }
    for (uint16_t at = begin; at < end;) {
        const uint16_t key = r->room.use.made.columns.along[at];
        if (!refresh_key(f->last[key >> 3], key & 7, f, keys)) { return 0; }
        at = (uint16_t)(at + rows * (key & 7));
    }
    return 1;
}

// The block of W of a contact, as columns_blocks() has it: y to before `end` are its columns. What is added there
// yields here in earnest: bodies that joints hold against each other would bear impulses without bound.
static void refresh_weigh(const real *y, const real *end, vec3 soft, sym3 *w)
{
    sym3 sum = {soft.x, R(0.0), R(0.0), soft.y, R(0.0), soft.z};
    for (; y < end; y += 3) {
        sum.xx += y[0] * y[0], sum.xy += y[0] * y[1], sum.xz += y[0] * y[2];
        sum.yy += y[1] * y[1], sum.yz += y[1] * y[2], sum.zz += y[2] * y[2];
    }
    *w = sum;
}

// From the point that a contact follows on body a or b (side 0, 1) to the contact: not zero where a ball rolls.
static inline vec3 refresh_beside(const tac_model *m, const tac_refresh_contact *c, int side)
{
    const tac_shape *of = &m->shape[side ? c->id.shape_b : c->id.shape_a];
    const real radius = of->kind == TAC_SPHERE ? of->size.x : R(0.0);
    return v3_scale(side ? -radius : radius, c->n);
}

// The points that a contact follows: the centre of a ball, or those of the bodies that are at the contact now.
static void refresh_follow_points(const tac_model *m, const tac_state *s, tac_refresh_contact *c)
{
    const uint16_t shape[2] = {c->id.shape_a, c->id.shape_b};
    vec3 apart = V3_ZERO;
    for (int side = 0; side < 2; side++) {
        const tac_pose *pose = &s->pose[m->shape[shape[side]].body];
        const vec3 at = v3_sub(c->point, refresh_beside(m, c, side));
        c->at[side] = pose_point_back(pose, at);
        apart = side ? v3_add(apart, at) : v3_sub(apart, at);
    }
    c->base = c->gap - v3_dot(c->n, apart);
}

// What does not change until the next refresh, and the gap.
static void refresh_found(const tac_contact *from, tac_refresh_contact *c)
{
    c->id = from->id;
    c->body_a = from->body_a, c->body_b = from->body_b;
    c->point = from->point;
    c->n = from->n, c->u = from->u, c->w = from->w;
    c->gap = from->gap, c->mu = from->mu, c->restitution = from->restitution;
    c->stiffness = from->stiffness;
}

// What sweeps need of its block.
static void refresh_block(tac_block *k, tac_refresh_contact *c)
{
    k->w = c->block;
    rows_sweep(k);
    c->inverse = k->own.sweep.inv_w;
    c->step_n = k->own.sweep.step_n, c->step_t = k->own.sweep.step_t;
}

// A contact, with the impulse of the last step.
static int refresh_contact(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i, tac_refresh *f)
{
    tac_refresh_contact *c = &f->contact[i];
    tac_block *k = &w->scratch.solve.block[i];
    refresh_found(&w->contact[i], c);
    refresh_follow_points(m, s, c);
    c->start = f->known ? k->bias : v3_add(k->bias, c->start);
    c->lead = rows_relative(k, w->delta_v);
    c->rounding = rows_rounding(m, &w->contact[i], s);
    c->impulse = v3_of(&w->scratch.solve.best[k->first]);
    if (!refresh_column(JOINT_TREES(w), (uint16_t)(3 * i), 3, f, &c->column, &c->path, &c->keys)) { return 0; }
    c->soft = v3_scale(REDUCED_LEAST, v3(k->w.xx, k->w.yy, k->w.zz));
    c->damping = c->stiffness > R(0.0) ? rows_damping(m, &w->contact[i]) : R(0.0);
    c->soft.x += c->yields = rows_compliance(m->h, c->stiffness, c->damping, c->gap);
    refresh_weigh(&f->entry[c->column], &f->entry[f->entries], c->soft, &c->block);
    refresh_block(k, c);
    return 1;
}

// A joint of a tree: what acts along its coordinate, and its positions.
static int refresh_joint(const tac_model *m, const tac_state *s, const tac_work *w, uint16_t joint, tac_refresh *f)
{
    const tac_joint_block *k = JOINT_LINK(w) + joint;
    tac_refresh_joint *x = &f->of[joint];
    real rate[TAC_JOINT_ROWS];
    const uint16_t row = JOINT_TREES(w)->row[joint];
    if (!f->known) {
        coordinates_read(&JOINT_OF(m)[joint], k->frame, s, x->q, rate);
        if (joint_is_hinge(k->kind)) { real_sin_cos(R(0.5) * x->q[0], &x->q[2], &x->q[1]); }
    }
    x->weight = k->w[JOINT_LAST], x->rounding = k->rounding;
    x->constant = x->own = x->soft = R(0.0);
    x->inside = 0;
    x->keys = x->column = x->path = 0;
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *e = &k->interval[b];
        const int inside = k->acts && e->inside;
        x->effort[b] = w->scratch.solve.best[columns_row_of(k, b)];
        x->inside |= (uint8_t)(inside << b);
        x->constant += inside ? e->centre : R(0.0);
    }
    x->slope = k->coordinate ? joint_slope(k) : R(0.0);
    if (row == TAC_NONE) { return 1; }
    if (!refresh_column(JOINT_TREES(w), row, 1, f, &x->column, &x->path, &x->keys)) { return 0; }
    f->along++;
    x->own = x->soft = REDUCED_LEAST * k->w[JOINT_LAST];
    for (const real *y = &f->entry[x->column]; y < &f->entry[f->entries]; y++) { x->own += *y * *y; }
    return 1;
}

// A roll-out begins: the next step needs a refresh, which reads all of the state.
static inline void refresh_begin(tac_refresh *f)
{
    f->left = f->known = f->fresh = f->shared = 0;
}

// Has every contact one Coulomb coefficient (model/friction.h)?
static inline int refresh_coulomb(const tac_model *m)
{
    tac_fault fault = {0};
    return !TAC_FRICTION_LAWS || check_coulomb(m, &fault);
}

// Makes a refresh at this state. Returns 0 if its steps have to be full ones: the model has no joints, joints that
// close loops, coordinates that are led, moving surfaces or laws of friction that it does not know, or the refresh has
// no room.
static int refresh_make(const tac_model *m, const tac_state *s, const tac_input *input, const refresh_options *o,
                        tac_work *w, tac_refresh *f)
{
    w->open = 0;
    bytes_clear(&w->report, sizeof w->report);
    f->along = 0;
    if (JOINT_COUNT(m) == 0 || BELT_COUNT(m) > 0 || refresh_spins(m, s) || !refresh_coulomb(m)) { return 0; }
    if (!refresh_operate(m, s, input, o, f->known, w) || !refresh_factor(w, f)) { return 0; }
    int room = 1;
    f->contacts = w->report.contacts;
    refresh_given(w, f);
    f->parts = !f->known;
    if (f->parts) { refresh_part(s, w, f); }
    for (uint16_t i = 0; i < f->contacts && room; i++) { room = refresh_contact(m, s, w, i, f); }
    for (uint16_t at = 0; at < f->bodies && room; at++) {
        if (f->joint[at] != TAC_NONE) { room = refresh_joint(m, s, w, f->joint[at], f); }
    }
    f->turned = R(0.0);
    f->left = o->steps;
    f->known = f->fresh = 1;
    return room;
}

// Another candidate begins at the same state: what of a refresh is in use.
static inline void refresh_copy(const tac_refresh *from, tac_refresh *to)
{
    reals_copy(to->entry, from->entry, from->entries * sizeof *to->entry);
    reals_copy(to->rate, from->rate, from->rates * sizeof *to->rate);
    reals_copy(to->given, from->given, from->rates * sizeof *to->given);
    reals_copy(to->apart, from->apart, from->rates * sizeof *to->apart);
    bytes_copy(to->key, from->key, from->keys * sizeof *to->key);
    bytes_copy(to->row, from->row, offsetof(tac_refresh, key) - offsetof(tac_refresh, row));
    bytes_copy(to->contact, from->contact, from->contacts * sizeof *to->contact);
    bytes_copy(to->of, from->of, sizeof *to - offsetof(tac_refresh, of));
}

#endif

#endif
