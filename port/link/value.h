// SPDX-License-Identifier: MIT
// value.h - structs of the kernel as bytes: vectors, poses, faults, reports; any other by a table of its members.
//   given   wire.h
//   makes   value_put_*, value_get_*
//   bound   constant; tables of members: linear in the members
//   never   checks values, except the number of a report's stages
#ifndef TACTUS_LINK_VALUE_H
#define TACTUS_LINK_VALUE_H

#include "link/wire.h"
#include <stddef.h>

void value_put_vec3(wire_writer *w, tac_vec3 v);
void value_put_pose(wire_writer *w, tac_pose pose);
void value_put_twist(wire_writer *w, tac_twist twist);
void value_put_compensation(wire_writer *w, tac_compensation c);
void value_put_feature(wire_writer *w, tac_feature id);
void value_put_fault(wire_writer *w, tac_fault fault);
tac_vec3 value_get_vec3(wire_reader *r);
tac_pose value_get_pose(wire_reader *r);
tac_twist value_get_twist(wire_reader *r);
tac_compensation value_get_compensation(wire_reader *r);
tac_feature value_get_feature(wire_reader *r);
tac_fault value_get_fault(wire_reader *r);

/// All fields of a report; README.md has their bytes.
void value_put_report(wire_writer *w, const tac_report *report);

/// `joints`, `switches`: does the writer have room for joints, and TAC_SWITCHES, so that it has put the fields about
/// them? Returns 0 if the report names more than TAC_STAGES stages; it then has none.
int value_get_report(wire_reader *r, tac_report *report, int joints, int switches);

/// A member of a struct: `count` consecutive reals (a number, a vector, a pose, an array), or one 16 bit integer.
typedef struct value_member {
    uint16_t offset;
    uint8_t kind, count;
} value_member;

enum { VALUE_REALS, VALUE_U16 };

#define VALUES(type, name) offsetof(type, name), VALUE_REALS, sizeof(((type *)0)->name) / sizeof(tac_real)
#define VALUE_IN_16(type, name) offsetof(type, name), VALUE_U16, 1

/// A table of members and its length, as two arguments.
#define MEMBERS(table) table, sizeof table / sizeof table[0]

/// Added to a byte of an element below 128: members follow at the end of the element that most elements do not have. So
/// an element without them has the same bytes in builds with and without these members.
#define VALUE_MORE 0x80u

/// Is a member of the table not zero?
int value_has_members(const void *object, const value_member *m, uint32_t count);

void value_put_members(wire_writer *w, const void *object, const value_member *m, uint32_t count);
void value_get_members(wire_reader *r, void *object, const value_member *m, uint32_t count);

#endif
