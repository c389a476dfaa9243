// SPDX-License-Identifier: MIT
#include "link/value.h"

void value_put_vec3(wire_writer *w, tac_vec3 v)
{
    wire_put_real(w, v.x);
    wire_put_real(w, v.y);
    wire_put_real(w, v.z);
}

void value_put_pose(wire_writer *w, tac_pose pose)
{
    value_put_vec3(w, pose.p);
    wire_put_real(w, pose.q.w);
    wire_put_real(w, pose.q.x);
    wire_put_real(w, pose.q.y);
    wire_put_real(w, pose.q.z);
}

void value_put_twist(wire_writer *w, tac_twist twist)
{
    value_put_vec3(w, twist.v);
    value_put_vec3(w, twist.w);
}

void value_put_carry(wire_writer *w, tac_compensation carry)
{
    value_put_vec3(w, carry.p);
    value_put_vec3(w, carry.v);
    value_put_vec3(w, carry.w);
}

void value_put_feature(wire_writer *w, tac_feature id)
{
    wire_put_u16(w, id.shape_a);
    wire_put_u16(w, id.shape_b);
    wire_put_u32(w, id.feature);
}

tac_vec3 value_get_vec3(wire_reader *r)
{
    tac_vec3 v;
    v.x = wire_get_real(r);
    v.y = wire_get_real(r);
    v.z = wire_get_real(r);
    return v;
}

tac_pose value_get_pose(wire_reader *r)
{
    tac_pose pose;
    pose.p = value_get_vec3(r);
    pose.q.w = wire_get_real(r);
    pose.q.x = wire_get_real(r);
    pose.q.y = wire_get_real(r);
    pose.q.z = wire_get_real(r);
    return pose;
}

tac_twist value_get_twist(wire_reader *r)
{
    tac_twist twist;
    twist.v = value_get_vec3(r);
    twist.w = value_get_vec3(r);
    return twist;
}

tac_compensation value_get_carry(wire_reader *r)
{
    tac_compensation carry;
    carry.p = value_get_vec3(r);
    carry.v = value_get_vec3(r);
    carry.w = value_get_vec3(r);
    return carry;
}

tac_feature value_get_feature(wire_reader *r)
{
    tac_feature id;
    id.shape_a = wire_get_u16(r);
    id.shape_b = wire_get_u16(r);
    id.feature = wire_get_u32(r);
    return id;
}

void value_put_members(wire_writer *w, const void *object, const value_member *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const void *at = (const uint8_t *)object + m[i].offset;
        if (m[i].kind == VALUE_U16) wire_put_u16(w, *(const uint16_t *)at);
        if (m[i].kind != VALUE_REALS) continue;
        for (uint32_t k = 0; k < m[i].count; k++) wire_put_real(w, ((const tac_real *)at)[k]);
    }
}

void value_get_members(wire_reader *r, void *object, const value_member *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        void *at = (uint8_t *)object + m[i].offset;
        if (m[i].kind == VALUE_U16) *(uint16_t *)at = wire_get_u16(r);
        if (m[i].kind != VALUE_REALS) continue;
        for (uint32_t k = 0; k < m[i].count; k++) ((tac_real *)at)[k] = wire_get_real(r);
    }
}
