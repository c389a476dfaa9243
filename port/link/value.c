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

void value_put_compensation(wire_writer *w, tac_compensation c)
{
    value_put_vec3(w, c.p);
    value_put_vec3(w, c.v);
    value_put_vec3(w, c.w);
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

tac_compensation value_get_compensation(wire_reader *r)
{
    tac_compensation c;
    c.p = value_get_vec3(r);
    c.v = value_get_vec3(r);
    c.w = value_get_vec3(r);
    return c;
}

tac_feature value_get_feature(wire_reader *r)
{
    tac_feature id;
    id.shape_a = wire_get_u16(r);
    id.shape_b = wire_get_u16(r);
    id.feature = wire_get_u32(r);
    return id;
}

// ------------------------------------------------------------------------------------------------ faults and reports

void value_put_fault(wire_writer *w, tac_fault fault)
{
    wire_put_u16(w, fault.field);
    wire_put_u16(w, fault.index);
    wire_put_u16(w, (uint16_t)fault.reason);
}

tac_fault value_get_fault(wire_reader *r)
{
    tac_fault fault;
    fault.field = wire_get_u16(r);
    fault.index = wire_get_u16(r);
    fault.reason = wire_get_u16(r);
    return fault;
}

static void put_stage(wire_writer *w, const tac_stage *stage)
{
    wire_put_u16(w, stage->sweeps);
    wire_put_u8(w, stage->engine);
    wire_put_u8(w, stage->op);
    wire_put_u8(w, stage->law);
    wire_put_u8(w, stage->why);
}

static void get_stage(wire_reader *r, tac_stage *stage)
{
    stage->sweeps = wire_get_u16(r);
    stage->engine = wire_get_u8(r);
    stage->op = wire_get_u8(r);
    stage->law = wire_get_u8(r);
    stage->why = wire_get_u8(r);
}

// Stages that a step did not use are zero and are sent too, so that every field has a fixed place.
void value_put_report(wire_writer *w, const tac_report *report)
{
    wire_put_u32(w, (uint32_t)report->status);
    value_put_fault(w, report->fault);
    wire_put_u16(w, report->contacts);
    wire_put_u16(w, report->dropped);
    wire_put_u16(w, report->sweeps);
    wire_put_u16(w, report->impacts);
    for (int i = 0; i < TAC_STAGES; i++) { put_stage(w, &report->stage[i]); }
    wire_put_u8(w, report->stages);
    wire_put_u8(w, report->friction);
    wire_put_real(w, report->residual);
    wire_put_real(w, report->penetration);
    wire_put_real(w, report->kinetic);
    wire_put_real(w, report->potential);
#if TAC_MAX_JOINTS > 0
    wire_put_real(w, report->joint_error);
    wire_put_u8(w, report->joint_iterations);
#endif
#if TAC_SWITCHES
    wire_put_u16(w, report->broken);
#endif
}

#if TAC_SWITCHES
#define SET_BROKEN(report, count) ((report)->broken = (count))
#else
#define SET_BROKEN(report, count) ((void)(report), (void)(count)) // nothing breaks in a model that this build knows
#endif

int value_get_report(wire_reader *r, tac_report *report, int joints, int switches)
{
    report->status = (tac_status)wire_get_u32(r);
    report->fault = value_get_fault(r);
    report->contacts = wire_get_u16(r);
    report->dropped = wire_get_u16(r);
    report->sweeps = wire_get_u16(r);
    report->impacts = wire_get_u16(r);
    for (int i = 0; i < TAC_STAGES; i++) { get_stage(r, &report->stage[i]); }
    const uint8_t stages = wire_get_u8(r);
    report->stages = stages <= TAC_STAGES ? stages : 0;
    report->friction = wire_get_u8(r);
    report->residual = wire_get_real(r);
    report->penetration = wire_get_real(r);
    report->kinetic = wire_get_real(r);
    report->potential = wire_get_real(r);
    report->joint_error = joints ? wire_get_real(r) : (tac_real)0;
    report->joint_iterations = joints ? wire_get_u8(r) : 0;
    const uint16_t broken = switches ? wire_get_u16(r) : 0;
    SET_BROKEN(report, broken);
    return stages <= TAC_STAGES;
}

// ------------------------------------------------------------------------------------------------------------ members

int value_has_members(const void *object, const value_member *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const void *at = (const uint8_t *)object + m[i].offset;
        if (m[i].kind == VALUE_U16 && *(const uint16_t *)at != 0) return 1;
        if (m[i].kind != VALUE_REALS) continue;
        for (uint32_t k = 0; k < m[i].count; k++) {
            if (((const tac_real *)at)[k] != (tac_real)0) return 1;
        }
    }
    return 0;
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
