// SPDX-License-Identifier: MIT
// world.c - what the page calls: two worlds that are opened, stepped, pulled, packed and shown.
//   given   which world, numbers; bytes in the exchange area (page_room)
//   makes   numbers; texts, ended by zero; what is longer as bytes in the exchange area
//   bound   that of the kernel's function
//   never   imports anything, or keeps what a call has left in the exchange area
#include "link/image.h"
#include "link/method.h"
#include "robots.h"
#include "shown.h"
#include "wall.h"

// A function that JavaScript calls.
#define EXPORT(result, name, ...)                                                                                      \
    __attribute__((export_name(#name))) result name(__VA_ARGS__);                                                      \
    result name(__VA_ARGS__)
#define ROOM (8u << 20)

static struct {
    world_of_page world[2];
    tac_fault fault;
    char text[400];
    union {
        uint8_t bytes[ROOM];
        float number[ROOM / sizeof(float)];
        double exact[ROOM / sizeof(double)];
    } room;
} page;

// -------------------------------------------------------------------------------------------------------------- scenes

static const scene *scene_at(uint32_t i)
{
    if (i < robot_count) { return &robots[i]; }
    i -= robot_count;
    return i == 0 ? &wall_scene : &scenes[i - 1];
}

EXPORT(uint32_t, page_scenes, void)
{
    return robot_count + 1 + scene_count;
}

EXPORT(const char *, page_scene_name, uint32_t i)
{
    return scene_at(i)->name;
}

EXPORT(const char *, page_scene_about, uint32_t i)
{
    return scene_at(i)->about;
}

// ---------------------------------------------------------------------------------------------------------------- open

EXPORT(void *, page_room, void)
{
    return &page.room;
}

EXPORT(uint32_t, page_room_bytes, void)
{
    return ROOM;
}

/// As tac_model_seal() reports; to be configured and then reset.
EXPORT(tac_status, page_open_scene, uint32_t w, uint32_t i)
{
    page.world[w].scene = scene_at(i);
    return page.world[w].scene->build(&page.world[w].model);
}

/// The elements of a model as the link has them (port/link/README.md), `bytes` of them in the exchange area. Returns
/// also TAC_E_FULL if it has no room here, TAC_E_ARG if it is cut short, TAC_E_MODEL if it has another hash.
EXPORT(tac_status, page_open_image, uint32_t w, uint32_t bytes, uint32_t hash)
{
    tac_model *model = &page.world[w].model;
    wire_reader r = {page.room.bytes, bytes, 0};
    const image_world none = {0, 0, 0};
    uint32_t count = 1;

    page.world[w].scene = NULL;
    page.fault = (tac_fault){0};
    tac_model_init(model);
    for (uint32_t i = 0; i < count; i++) {
        if (image_get(IMAGE_MODEL, model, none, &r, i) != IMAGE_FITS) { return TAC_E_FULL; }
        count = image_count(IMAGE_MODEL, model, none);
    }
    if (r.at > r.count) { return TAC_E_ARG; }
    const tac_status status = tac_model_seal(model, &page.fault);
    return status == TAC_OK && model->hash != hash ? TAC_E_MODEL : status;
}

/// How it is stepped. -1: as the model says.
EXPORT(tac_status, page_configure, uint32_t w, int32_t method, int32_t solver, int32_t law, double h)
{
    world_of_page *p = &page.world[w];
    const uint8_t edges = method == LINK_METHOD_LCP || method == LINK_METHOD_LCP_SWEEPS ? 8 : 0;

    p->method = (link_method){(uint8_t)(method < 0 ? LINK_METHOD_CCP : method), edges, 0};
    if (solver >= 0) { p->model.options.solver = (uint8_t)solver; }
    if (law >= 0) { p->model.options.friction = (uint8_t)law; }
    if (h > 0) { p->model.h = (tac_real)h; }
    return tac_model_seal(&p->model, &page.fault);
}

// --------------------------------------------------------------------------------------------------------------- steps

EXPORT(tac_status, page_reset, uint32_t w)
{
    world_of_page *p = &page.world[w];
    p->pulled = p->held = 0;
    p->input.actions = 0;
    p->input.motors = 0;
    p->work.report.contacts = 0;
    return tac_state_init(&p->model, &p->state, &page.fault);
}

EXPORT(tac_status, page_step, uint32_t w)
{
    const tac_status status = world_step(&page.world[w]);
    page.fault = page.world[w].work.report.fault;
    return status;
}

/// All motors hold the joints where they are; 0: they are off again.
EXPORT(void, page_hold, uint32_t w, uint32_t on)
{
    world_hold(&page.world[w], on);
}

/// What a motor is told from the next step on, as tac_motor; kind TAC_MOTOR_KINDS: nothing. The step refuses what is
/// wrong.
EXPORT(void, page_command, uint32_t w, uint32_t joint, uint32_t kind, double position, double velocity, double effort,
       double stiffness, double damping)
{
    const tac_motor motor = {(tac_real)position, (tac_real)velocity, (tac_real)effort, (tac_real)stiffness,
                             (tac_real)damping,  (uint16_t)joint,    (uint16_t)kind};
    world_command(&page.world[w], &motor);
}

/// The first body that the ray hits, and where, in its own frame: three numbers in the exchange area. -1: none that
/// moves.
EXPORT(int32_t, page_pick, uint32_t w, double x, double y, double z, double dx, double dy, double dz)
{
    const tac_ray ray = {{(tac_real)x, (tac_real)y, (tac_real)z},
                         {(tac_real)dx, (tac_real)dy, (tac_real)dz},
                         1000,
                         0,
                         TAC_NONE,
                         UINT16_MAX,
                         UINT16_MAX};
    return world_pick(&page.world[w], &ray, page.room.exact);
}

/// From now on a spring pulls this point of the body, in its own frame, to that place in the world. Body 0: none.
EXPORT(void, page_pull, uint32_t w, uint32_t body, double x, double y, double z, double to_x, double to_y, double to_z)
{
    world_of_page *p = &page.world[w];
    p->pulled = (uint16_t)body;
    p->point = (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)z};
    p->target = (tac_vec3){(tac_real)to_x, (tac_real)to_y, (tac_real)to_z};
}

/// Bytes of the state in the exchange area; 0: no room.
EXPORT(uint32_t, page_pack, uint32_t w)
{
    const world_of_page *p = &page.world[w];
    uint32_t size = 0;
    const tac_status status =
        tac_state_pack(&p->model, &p->state, TAC_PACK_EXACT, page.room.bytes, ROOM, &size, &page.fault);
    return status == TAC_OK ? size : 0;
}

/// Such bytes; motors are as the scene has led them until then.
EXPORT(tac_status, page_unpack, uint32_t w, uint32_t size)
{
    world_of_page *p = &page.world[w];
    const tac_status status = tac_state_unpack(&p->model, &p->state, page.room.bytes, size, &page.fault);
    if (status == TAC_OK) { world_lead(p); }
    return status;
}

EXPORT(uint32_t, page_hash_low, uint32_t w)
{
    return (uint32_t)tac_state_hash(&page.world[w].model, &page.world[w].state);
}

EXPORT(uint32_t, page_hash_high, uint32_t w)
{
    return (uint32_t)(tac_state_hash(&page.world[w].model, &page.world[w].state) >> 32);
}

// --------------------------------------------------------------------------------------------------------------- shown

/// SHOWN_NUMBERS doubles in the exchange area.
EXPORT(void, page_report, uint32_t w)
{
    show_report(&page.world[w], page.room.exact);
}

/// Seven floats a body, the ground first: position, quaternion (w, x, y, z). Returns the bodies.
EXPORT(uint32_t, page_poses, uint32_t w)
{
    return show_poses(&page.world[w], page.room.number);
}

/// SHOWN_CONTACT floats a contact of the last step. Returns the contacts.
EXPORT(uint32_t, page_contacts, uint32_t w)
{
    return show_contacts(&page.world[w], page.room.number);
}

/// SHOWN_SHAPE floats a shape. Returns the shapes.
EXPORT(uint32_t, page_shapes, uint32_t w)
{
    return show_shapes(&page.world[w].model, page.room.number);
}

/// SHOWN_JOINT floats a joint. Returns the joints.
EXPORT(uint32_t, page_joints, uint32_t w)
{
    return show_joints(&page.world[w].model, page.room.number);
}

/// A byte a joint: TAC_JOINT_ALWAYS, or what the state has of its switch. Returns the joints.
EXPORT(uint32_t, page_switches, uint32_t w)
{
    return show_switches(&page.world[w], page.room.bytes);
}

/// Triangles of a hull or mesh, nine floats each. Returns their number.
EXPORT(uint32_t, page_polyhedron, uint32_t w, uint32_t i)
{
    return show_polyhedron(&page.world[w].model, i, page.room.number);
}

/// The same of a height field.
EXPORT(uint32_t, page_height_field, uint32_t w, uint32_t i)
{
    return show_height_field(&page.world[w].model, i, page.room.number);
}

/// SHOWN_BODY floats a body. Returns the bodies.
EXPORT(uint32_t, page_bodies, uint32_t w)
{
    return show_bodies(&page.world[w].model, page.room.number);
}

// --------------------------------------------------------------------------------------------------------------- texts

EXPORT(const char *, page_status_name, int32_t status)
{
    return tac_status_name(status);
}

/// What the last call has refused.
EXPORT(const char *, page_fault, uint32_t w)
{
    const world_of_page *p = &page.world[w];
    tac_fault_text(&page.fault, &p->model, &p->state, &p->input, page.text, sizeof page.text);
    return page.text;
}

EXPORT(uint32_t, page_bits, void)
{
    return TAC_REAL_BITS;
}

EXPORT(uint32_t, page_promise, void)
{
    return tac_self_test();
}
