// SPDX-License-Identifier: MIT
// rooms.h - the rows that joints alone need, whatever moves and touches: known when a model is sealed.
//   given   a model whose fields are good
//   makes   numbers for TAC_MAX_REDUCED and TAC_MAX_PATH that suffice for its joints, and for a contact at a time
//   bound   joints squared
//   never   counts contacts: more of them than these rooms hold are swept one by one (paths.h)
#ifndef DUAL_ROOMS_H
#define DUAL_ROOMS_H

#include "../model/check.h"
#include "../tree/topology.h"
#include "../rows/joint_block.h"

typedef struct rooms {
    uint32_t rows, path; // needed of TAC_MAX_REDUCED, TAC_MAX_PATH
} rooms;

// The trees, and which bodies the path of a row passes.
typedef struct rooms_trees {
    tac_topology tree;
    uint8_t passes[TAC_MAX_BODIES + 1];
} rooms_trees;

// Coordinates at a body, those of a free root included.
static uint32_t rooms_coordinates(const tac_model *m, const rooms_trees *t, uint16_t body)
{
    const uint16_t joint = t->tree.body[body].joint;
    return joint == TAC_NONE ? 6u : (uint32_t)(TAC_JOINT_ROWS - JOINT_KIND[JOINT_OF(m)[joint].kind].constraints);
}

// Those between the marked bodies and their roots, each once; the marks are gone then.
static uint32_t rooms_path(const tac_model *m, rooms_trees *t)
{
    uint32_t path = 0;
    for (uint16_t at = t->tree.bodies; at-- > 0;) {
        const uint16_t self = t->tree.order[at], parent = t->tree.body[self].parent;
        if (!t->passes[self]) { continue; }
        path += rooms_coordinates(m, t, self);
        t->passes[self] = 0;
        if (parent != TAC_NONE) { t->passes[parent] = 1; }
    }
    return path;
}

// May an effort along its coordinate have bounds? Then it has a row.
static inline int rooms_bounded(const tac_joint *j)
{
    return joint_has_coordinate(j->kind) && (j->effort < REAL_LARGEST || j->speed < REAL_LARGEST ||
                                             j->friction > R(0.0) || j->lower < j->upper);
}

// Rows of a joint that closes trees: its constraints, and its coordinate where that is held, prescribed or compliant.
static uint32_t rooms_closers(const tac_joint *j)
{
    uint32_t rows = JOINT_KIND[j->kind].constraints;
    if (j->kind == TAC_BUSHING) {
        for (unsigned left = joint_bushing_rows(j); left != 0; left &= left - 1) { rows++; }
    }
    return rows + (uint32_t)joint_has_coordinate(j->kind);
}

static void rooms_mark_ends(const tac_joint *j, rooms_trees *t)
{
    t->passes[j->body_a] = t->passes[j->body_b] = 1;
}

// Marks the bodies that rows of a joint act on; those of a coupling act on the bodies of both of its joints.
static void rooms_mark(const tac_model *m, const tac_joint *j, rooms_trees *t)
{
    if (j->kind != TAC_COUPLING) {
        rooms_mark_ends(j, t);
        return;
    }
    for (int part = 0; part < 2; part++) { rooms_mark_ends(&JOINT_OF(m)[coupling_part(j, part)], t); }
}

// A contact in hand has three or six columns, from two bodies each.
static void rooms_add_contact(const tac_model *m, rooms_trees *t, rooms *r)
{
    uint32_t far = 0;
    for (uint32_t i = 0; i < m->bodies; i++) {
        t->passes[i] = 1;
        const uint32_t path = rooms_path(m, t);
        far = path > far ? path : far;
    }
    r->rows += TAC_CONTACT_ROWS;
    r->path += 2 * TAC_CONTACT_ROWS * far;
}

static rooms rooms_of(const tac_model *m)
{
    rooms_trees t;
    rooms r = {0, 0};
    topology_find(m, 0, &t.tree);
    for (uint32_t i = 0; i < m->bodies; i++) { t.passes[i] = 0; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const int closes = topology_hanging(m, &t.tree, i) == TAC_NONE;
        const uint32_t rows = (uint32_t)rooms_bounded(j) + (closes ? rooms_closers(j) : 0);
        rooms_mark(m, j, &t);
        r.rows += rows;
        r.path += rows * rooms_path(m, &t);
    }
    if (m->shapes > 0) { rooms_add_contact(m, &t, &r); }
    return r;
}

// Notes the knob that is too small, and the number that it needs.
static void rooms_check(const tac_model *m, tac_fault *fault)
{
    if (JOINT_COUNT(m) == 0) { return; }
    const rooms r = rooms_of(m);
    const uint32_t rows = r.rows < UINT16_MAX ? r.rows : UINT16_MAX, path = r.path < UINT16_MAX ? r.path : UINT16_MAX;
    check_note(r.rows > TAC_MAX_REDUCED ? TAC_REASON_FULL : TAC_REASON_NONE, TAC_FIELD_MAX_REDUCED, rows, fault);
    check_note(r.path > TAC_MAX_PATH ? TAC_REASON_FULL : TAC_REASON_NONE, TAC_FIELD_MAX_PATH, path, fault);
}

#endif
