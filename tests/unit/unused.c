// SPDX-License-Identifier: MIT
// config: robots
// What a kind does not use is refused by name, wherever it is set: all fields of all kinds of joints, of shapes, of
// bodies. What tac_joint_init() and tac_shape_make() leave passes.
#include "tap.h"
#include "truth.h"

static tac_model m;

typedef struct joint_field {
    const char *name;
    size_t at;   // of its first number
    int numbers; // that each must be refused
    double set;  // to which
    uint16_t is; // TAC_FIELD_*
    char use;    // f: both frames, l: length, c: coordinate, s: springs
} joint_field;

#define AT(field) offsetof(tac_joint, field)

static const joint_field joint_fields[] = {
    {"frame_a", AT(frame_a.p), 3, 0.5, TAC_FIELD_JOINT_FRAME, 'f'},
    {"frame_b", AT(frame_b.p), 3, 0.5, TAC_FIELD_JOINT_FRAME, 'f'},
    {"length", AT(length), 1, 0.5, TAC_FIELD_JOINT_LENGTH, 'l'},
    {"friction", AT(friction), 1, 2, TAC_FIELD_JOINT_FRICTION, 'c'},
    {"damping", AT(damping), 1, 2, TAC_FIELD_JOINT_DAMPING, 'c'},
    {"stiffness", AT(stiffness), 1, 2, TAC_FIELD_JOINT_STIFFNESS, 'c'},
    {"rest", AT(rest), 1, 2, TAC_FIELD_JOINT_REST, 'c'},
    {"armature", AT(armature), 1, 2, TAC_FIELD_JOINT_ARMATURE, 'c'},
    {"effort", AT(effort), 1, 2, TAC_FIELD_JOINT_EFFORT, 'c'},
    {"speed", AT(speed), 1, 2, TAC_FIELD_JOINT_SPEED, 'c'},
    {"along", AT(along), 3, 2, TAC_FIELD_JOINT_SPRINGS, 's'},
    {"about", AT(about), 3, 2, TAC_FIELD_JOINT_SPRINGS, 's'},
    {"along_damping", AT(along_damping), 3, 2, TAC_FIELD_JOINT_SPRINGS, 's'},
    {"about_damping", AT(about_damping), 3, 2, TAC_FIELD_JOINT_SPRINGS, 's'},
};

typedef struct joint_kind {
    const char *name, *uses;
} joint_kind;

static const joint_kind kinds[TAC_JOINT_KINDS] = {
    [TAC_FIXED] = {"fixed", "f"},          [TAC_REVOLUTE] = {"revolute", "fc"},
    [TAC_PRISMATIC] = {"prismatic", "fc"}, [TAC_SCREW] = {"screw", "flc"},
    [TAC_DISTANCE] = {"distance", "fc"},   [TAC_SPHERICAL] = {"spherical", "f"},
    [TAC_UNIVERSAL] = {"universal", "f"},  [TAC_CYLINDRICAL] = {"cylindrical", "f"},
    [TAC_PLANAR] = {"planar", "f"},        [TAC_REVOLUTE_SPHERICAL] = {"revolute-spherical", "fl"},
    [TAC_COUPLING] = {"coupling", "lc"},   [TAC_BUSHING] = {"bushing", "fs"},
    [TAC_TRANSLATION] = {"translation", "fc"}, [TAC_TWIST] = {"twist", "fc"},
    [TAC_SWING] = {"swing", "fc"},         [TAC_ROTATION] = {"rotation", "fc"},
    [TAC_TURN] = {"turn", "fc"},           [TAC_SKATE] = {"skate", "f"},
};

static int uses(uint8_t kind, char what)
{
    for (const char *u = kinds[kind].uses; *u != 0; u++) {
        if (*u == what) { return 1; }
    }
    return 0;
}

// Two hinges, and as joint 2 one of the kind.
static tac_joint *world(uint8_t kind)
{
    tac_joint j;
    tac_model_init(&m);
    for (uint16_t i = 1; i <= 2; i++) {
        const tac_body b = tac_body_make(TAC_DYNAMIC, vec(i, 0, 0));
        tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_REVOLUTE, (uint16_t)(i - 1), i);
        tac_model_add_joint(&m, &j);
    }
    const int couples = kind == TAC_COUPLING;
    tac_joint_init(&j, kind, couples ? 0 : 1, couples ? 1 : 2);
    tac_model_add_joint(&m, &j);
    return &m.joint[2];
}

// Is it refused with this name, or passed?
static int judged(int passes, tac_status refusal, uint16_t field, uint16_t index, uint32_t reason)
{
    tac_fault fault;
    const tac_status status = tac_model_seal(&m, &fault);
    if (passes) { return status == TAC_OK; }
    return status == refusal && fault.field == field && fault.index == index && fault.reason == reason;
}

static void test_field(uint8_t kind, const joint_field *f)
{
    int set = 1, none = 1;
    for (int i = 0; i < f->numbers; i++) {
        tac_real *x = (void *)((char *)world(kind) + f->at);
        x[i] = (tac_real)f->set;
        set &= judged(uses(kind, f->use), TAC_E_MODEL, f->is, 2, TAC_REASON_UNUSED);
        x[i] = real_nan();
        none &= judged(0, TAC_E_NAN, f->is, 2, TAC_REASON_NOT_FINITE);
    }
    tap_ok(set, tap_joined(tap_joined(kinds[kind].name, ": "), f->name));
    tap_ok(none, "what is no number is refused as that");
}

static void test_limits(uint8_t kind)
{
    tac_joint *j = world(kind);
    j->lower = (tac_real)0.2, j->upper = (tac_real)0.3;
    tap_ok(judged(uses(kind, 'c'), TAC_E_MODEL, TAC_FIELD_JOINT_LIMIT, 2, TAC_REASON_UNUSED),
           tap_joined("limits:", kinds[kind].name));
    j->lower = j->upper = (tac_real)0.5;
    tap_ok(judged(uses(kind, 'c'), TAC_E_MODEL, TAC_FIELD_JOINT_LIMIT, 2, TAC_REASON_UNUSED), "a value that is held");
    j->lower = 2, j->upper = -3;
    tap_ok(judged(1, 0, 0, 0, 0), "none are none, however they are written");
    j->stop_stiffness = 5;
    tap_ok(judged(uses(kind, 'c'), TAC_E_MODEL, TAC_FIELD_JOINT_STOP, 2, TAC_REASON_UNUSED), "elastic stops");
    j->stop_stiffness = 0;
    j->collide = 1;
    tap_ok(judged(kind != TAC_COUPLING, TAC_E_MODEL, TAC_FIELD_JOINT_KIND, 2, TAC_REASON_UNUSED),
           "a coupling has no bodies that might collide");
}

static void test_joints(void)
{
    for (uint8_t kind = 0; kind < TAC_JOINT_KINDS; kind++) {
        world(kind);
        tap_ok(judged(1, 0, 0, 0, 0), tap_joined("as it is made:", kinds[kind].name));
        for (size_t i = 0; i < sizeof joint_fields / sizeof *joint_fields; i++) { test_field(kind, &joint_fields[i]); }
        test_limits(kind);
    }
}

// A body that may bear all kinds of shapes, and data for them.
static tac_shape *shaped(uint8_t kind, tac_vec3 size)
{
    static const tac_height heights[4] = {0, 1, 1, 0};
    static const uint16_t triangle[1][3] = {{0, 1, 2}};
    const tac_vec3 corners[4] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
    tac_model_init(&m);
    tac_model_add_material(&m, 1, 0);
    const int32_t hull = tac_model_add_hull(&m, corners, 4), mesh = tac_model_add_mesh(&m, corners, 3, triangle, 1),
                  field = tac_model_add_height_field(&m, heights, 2, 2, 1, 1, 1);
    tac_shape s = tac_shape_make(0, kind, size);
    const int32_t data[] = {hull, mesh, field};
    if (kind >= TAC_HULL) { s.data = (uint16_t)data[kind - TAC_HULL]; }
    tac_model_add_shape(&m, &s);
    return &m.shape[0];
}

static void test_shapes(void)
{
    for (uint8_t kind = 0; kind < TAC_SHAPE_KINDS; kind++) {
        shaped(kind, vec(1, 1, 1));
        tap_ok(judged(1, 0, 0, 0, 0), tap_numbered("a shape of kind", kind));
        shaped(kind, vec(2, 2, 2))->size.y = real_nan();
        tap_ok(judged(0, TAC_E_NAN, TAC_FIELD_SIZE, 0, TAC_REASON_NOT_FINITE), "what is no number is no size");
        if (kind >= TAC_HULL) { continue; }
        shaped(kind, vec(1, 1, 1))->data = 1;
        tap_ok(judged(0, TAC_E_MODEL, TAC_FIELD_DATA, 0, TAC_REASON_UNUSED), "it has no data");
    }
}

// The ground is at rest; mass and inertia of what no impulse moves may be there, and are not looked at.
static void test_bodies(void)
{
    world(TAC_FIXED);
    m.body[0].velocity.w.y = 1;
    tap_ok(judged(0, TAC_E_MODEL, TAC_FIELD_VELOCITY, 0, TAC_REASON_UNUSED), "a ground that turns");
    world(TAC_FIXED);
    const tac_body led = tac_body_make(TAC_KINEMATIC, vec(0, 0, 5));
    tac_model_add_body(&m, &led);
    m.body[3].mass = 7;
    m.body[3].velocity.v.x = 1;
    tap_ok(judged(1, 0, 0, 0, 0), "a led body may have a mass, and moves");
}

int main(void)
{
    test_joints();
    test_shapes();
    test_bodies();
    return tap_done();
}
