// SPDX-License-Identifier: MIT
// The model: every field is checked and named, every field is hashed, mass properties follow from shapes.
#include "model/check.h"
#include "tap.h"
#include "truth.h"

static tac_model sample;

// A cube, two triangles that share an edge, six samples. Cube: points 0 .. 7, faces 0 .. 5, edges 0 .. 23; triangles:
// points 8 .. 11, faces 6 and 7, edges 24 .. 29, nodes 12 .. 14.
static void sample_data(tac_model *m)
{
    static const tac_vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                     {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    static const uint16_t triangle[2][3] = {{0, 1, 3}, {0, 3, 2}};
    static const tac_height height[6] = {0, 1, -2, 3, 4, 5};
    tac_model_add_hull(m, cube, 8);
    tac_model_add_mesh(m, cube, 4, triangle, 2);
    tac_model_add_height_field(m, height, 3, 2, (tac_real)0.5, (tac_real)0.25, (tac_real)0.125);
    tac_model_add_exclusion(m, 1, 3);
    const uint8_t kinds[6] = {TAC_HULL, TAC_MESH, TAC_HEIGHT_FIELD, TAC_CYLINDER, TAC_CONE, TAC_ELLIPSOID};
    for (uint16_t i = 0; i < 6; i++) {
        const uint16_t body = kinds[i] == TAC_MESH || kinds[i] == TAC_HEIGHT_FIELD ? 0 : 3;
        tac_shape s = tac_shape_make(body, kinds[i], vec(0.5, 0.25, 0.125));
        s.data = i == 1;
        tac_model_add_shape(m, &s);
    }
}

// Ground, a dynamic body with a sphere and a capsule, a kinematic one with a half-space, another dynamic one with a
// box; then shapes 4 .. 9: a hull, a mesh, a field, a cylinder, a cone, an ellipsoid.
static void sample_build(tac_model *m)
{
    tac_model_init(m);
    tac_model_add_material(m, (tac_real)0.5, (tac_real)0.25);
    tac_model_add_material(m, (tac_real)0.25, (tac_real)0.5);
    tac_model_add_material_pair(m, 0, 1, (tac_real)0.75, (tac_real)0.125);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(1, 2, 3));
    b.inertia = vec(2, 3, 4);
    tac_model_add_body(m, &b);
    b = tac_body_make(TAC_KINEMATIC, vec(0, 0, -1));
    tac_model_add_body(m, &b);
    b = tac_body_make(TAC_DYNAMIC, vec(-1, 0, 3));
    tac_model_add_body(m, &b);
    tac_shape s = tac_shape_make(1, TAC_SPHERE, vec(0.5, 0, 0));
    tac_model_add_shape(m, &s);
    s = tac_shape_make(1, TAC_CAPSULE, vec(0.25, 0, 0.5));
    tac_model_add_shape(m, &s);
    s = tac_shape_make(2, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(m, &s);
    s = tac_shape_make(3, TAC_BOX, vec(0.5, 0.25, 0.125));
    s.material = 1;
    tac_model_add_shape(m, &s);
    sample_data(m);
}

static void *field_at(tac_model *m, size_t at)
{
    return (uint8_t *)m + at;
}

// ------------------------------------------------------------------------------------------ reals that must be finite

typedef struct real_field {
    const char *name;
    size_t at;
    uint16_t count, field, index;
} real_field;

#define AT(member) offsetof(tac_model, member)

static const real_field real_fields[] = {
    {"h", AT(h), 1, TAC_FIELD_H, 0},
    {"gravity", AT(gravity), 3, TAC_FIELD_GRAVITY, 0},
    {"options.tolerance", AT(options.tolerance), 1, TAC_FIELD_TOLERANCE, 0},
    {"options.omega", AT(options.omega), 1, TAC_FIELD_OMEGA, 0},
    {"options.lambda", AT(options.lambda), 1, TAC_FIELD_LAMBDA, 0},
    {"options.recovery", AT(options.recovery), 1, TAC_FIELD_RECOVERY, 0},
    {"options.margin", AT(options.margin), 1, TAC_FIELD_MARGIN, 0},
    {"options.bounce", AT(options.bounce), 1, TAC_FIELD_BOUNCE, 0},
    {"mass", AT(body[1].mass), 1, TAC_FIELD_MASS, 1},
    {"inertia", AT(body[3].inertia), 3, TAC_FIELD_INERTIA, 3},
    {"inertial", AT(body[1].inertial), 7, TAC_FIELD_INERTIAL, 1},
    {"pose", AT(body[2].pose), 7, TAC_FIELD_POSE, 2},
    {"velocity", AT(body[2].velocity), 6, TAC_FIELD_VELOCITY, 2},
    {"pose of the ground", AT(body[0].pose), 7, TAC_FIELD_POSE, 0},
    {"shape.pose", AT(shape[2].pose), 7, TAC_FIELD_SHAPE_POSE, 2},
    {"radius of a sphere", AT(shape[0].size.x), 1, TAC_FIELD_SIZE, 0},
    {"radius of a capsule", AT(shape[1].size.x), 1, TAC_FIELD_SIZE, 1},
    {"length of a capsule", AT(shape[1].size.z), 1, TAC_FIELD_SIZE, 1},
    {"size of a box", AT(shape[3].size), 3, TAC_FIELD_SIZE, 3},
    {"size of a cylinder", AT(shape[7].size.x), 1, TAC_FIELD_SIZE, 7},
    {"length of a cone", AT(shape[8].size.z), 1, TAC_FIELD_SIZE, 8},
    {"size of an ellipsoid", AT(shape[9].size), 3, TAC_FIELD_SIZE, 9},
    {"rounding", AT(shape[3].rounding), 1, TAC_FIELD_ROUNDING, 3},
    {"rounding of a half-space", AT(shape[2].rounding), 1, TAC_FIELD_ROUNDING, 2},
    {"bounds of a hull", AT(polyhedron[0].low), 6, TAC_FIELD_POLYHEDRON, 0},
    {"bounds of a mesh", AT(polyhedron[1].low), 6, TAC_FIELD_POLYHEDRON, 1},
    {"point of a hull", AT(point[7]), 3, TAC_FIELD_POINT, 7},
    {"point of a mesh", AT(point[11]), 3, TAC_FIELD_POINT, 11},
    {"plane of a hull", AT(face[5]), 4, TAC_FIELD_FACE, 5},
    {"plane of a triangle", AT(face[7]), 4, TAC_FIELD_FACE, 7},
    {"field", AT(field[0]), 5, TAC_FIELD_HEIGHT_FIELD, 0},
    {"friction", AT(material[1].friction), 1, TAC_FIELD_FRICTION, 1},
    {"restitution", AT(material[1].restitution), 1, TAC_FIELD_RESTITUTION, 1},
};

static int fault_is(tac_fault fault, uint16_t field, uint16_t index, uint16_t reason)
{
    const int same = fault.field == field && fault.index == index && fault.reason == reason;
    if (!same) {
        tap_note("  field", fault.field);
        tap_note("  index", fault.index);
        tap_note("  reason", fault.reason);
    }
    return same;
}

static int refuses_real(const real_field *f, tac_real bad)
{
    int good = 1;
    for (uint16_t i = 0; i < f->count; i++) {
        tac_real *field = field_at(&sample, f->at + i * sizeof(tac_real));
        const tac_real kept = *field;
        tac_fault fault = {99, 99, 99};
        *field = bad;
        good = good && tac_model_check(&sample, &fault) == TAC_E_NAN;
        good = good && fault_is(fault, f->field, f->index, TAC_REASON_NOT_FINITE);
        *field = kept;
    }
    return good;
}

static void test_not_finite(void)
{
    for (unsigned i = 0; i < sizeof real_fields / sizeof real_fields[0]; i++) {
        tap_ok(refuses_real(&real_fields[i], real_nan()), tap_joined("NaN refused in", real_fields[i].name));
        tap_ok(refuses_real(&real_fields[i], real_inf()), tap_joined("infinity refused in", real_fields[i].name));
        tap_ok(refuses_real(&real_fields[i], -real_inf()), tap_joined("-infinity refused in", real_fields[i].name));
    }
}

// --------------------------------------------------------------------------------------------------------- bad values

enum { REAL = 0, BYTE = 1, WORD = 2, LONG = 4 };

typedef struct bad_value {
    const char *name;
    size_t at;
    int width;
    double value;
    uint16_t field, index, reason;
} bad_value;

#define ANY_INDEX 0xffff // a count is in no array

static const bad_value bad_values[] = {
    {"no ground", AT(bodies), WORD, 0, TAC_FIELD_COUNT, ANY_INDEX, TAC_REASON_RANGE},
    {"too many bodies", AT(bodies), WORD, TAC_MAX_BODIES + 2, TAC_FIELD_COUNT, ANY_INDEX, TAC_REASON_RANGE},
    {"too many shapes", AT(shapes), WORD, TAC_MAX_SHAPES + 1, TAC_FIELD_COUNT, ANY_INDEX, TAC_REASON_RANGE},
    {"too many materials", AT(materials), WORD, TAC_MAX_MATERIALS + 1, TAC_FIELD_COUNT, ANY_INDEX, TAC_REASON_RANGE},
    {"too many pairs", AT(material_pairs), WORD, TAC_MAX_MATERIAL_PAIRS + 1, TAC_FIELD_COUNT, ANY_INDEX,
     TAC_REASON_RANGE},
    {"too many exclusions", AT(exclusions), WORD, TAC_MAX_EXCLUSIONS + 1, TAC_FIELD_COUNT, 6, TAC_REASON_RANGE},
    {"too many polyhedra", AT(polyhedra), WORD, TAC_MAX_POLYHEDRA + 1, TAC_FIELD_COUNT, 7, TAC_REASON_RANGE},
    {"too many points", AT(points), WORD, TAC_MAX_POINTS + 1, TAC_FIELD_COUNT, 8, TAC_REASON_RANGE},
    {"too many faces", AT(faces), WORD, TAC_MAX_FACES + 1, TAC_FIELD_COUNT, 9, TAC_REASON_RANGE},
    {"too many edges", AT(edges), WORD, TAC_MAX_EDGES + 1, TAC_FIELD_COUNT, 10, TAC_REASON_RANGE},
    {"too many fields", AT(fields), WORD, TAC_MAX_HEIGHT_FIELDS + 1, TAC_FIELD_COUNT, 11, TAC_REASON_RANGE},
    {"too many heights", AT(heights), LONG, TAC_MAX_HEIGHTS + 1, TAC_FIELD_COUNT, 12, TAC_REASON_RANGE},
    {"h 0", AT(h), REAL, 0.0, TAC_FIELD_H, 0, TAC_REASON_NOT_POSITIVE},
    {"h < 0", AT(h), REAL, -0.001, TAC_FIELD_H, 0, TAC_REASON_NOT_POSITIVE},
    {"tolerance < 0", AT(options.tolerance), REAL, -2.0, TAC_FIELD_TOLERANCE, 0, TAC_REASON_RANGE},
    {"recovery < 0", AT(options.recovery), REAL, -0.5, TAC_FIELD_RECOVERY, 0, TAC_REASON_RANGE},
    {"margin < 0", AT(options.margin), REAL, -0.5, TAC_FIELD_MARGIN, 0, TAC_REASON_RANGE},
    {"bounce < 0", AT(options.bounce), REAL, -0.5, TAC_FIELD_BOUNCE, 0, TAC_REASON_RANGE},
    {"omega 2", AT(options.omega), REAL, 2.0, TAC_FIELD_OMEGA, 0, TAC_REASON_RANGE},
    {"omega 0", AT(options.omega), REAL, 0.0, TAC_FIELD_OMEGA, 0, TAC_REASON_NOT_POSITIVE},
    {"lambda 0", AT(options.lambda), REAL, 0.0, TAC_FIELD_LAMBDA, 0, TAC_REASON_NOT_POSITIVE},
    {"lambda > 1", AT(options.lambda), REAL, 1.5, TAC_FIELD_LAMBDA, 0, TAC_REASON_RANGE},
    {"no sweeps", AT(options.max_sweeps), WORD, 0, TAC_FIELD_MAX_SWEEPS, 0, TAC_REASON_RANGE},
    {"too many sweeps", AT(options.max_sweeps), WORD, 10001, TAC_FIELD_MAX_SWEEPS, 0, TAC_REASON_RANGE},
    {"unknown solver", AT(options.solver), BYTE, 4, TAC_FIELD_OPTION_SOLVER, 0, TAC_REASON_RANGE},
    {"unknown friction law", AT(options.friction), BYTE, 2, TAC_FIELD_OPTION_FRICTION, 0, TAC_REASON_RANGE},
    {"warm_start 2", AT(options.warm_start), BYTE, 2, TAC_FIELD_WARM_START, 0, TAC_REASON_RANGE},
    {"unknown body kind", AT(body[1].kind), BYTE, 3, TAC_FIELD_BODY_KIND, 1, TAC_REASON_RANGE},
    {"a static body besides the ground", AT(body[1].kind), BYTE, TAC_STATIC, TAC_FIELD_BODY_KIND, 1, TAC_REASON_GROUND},
    {"a ground that moves", AT(body[0].kind), BYTE, TAC_KINEMATIC, TAC_FIELD_BODY_KIND, 0, TAC_REASON_GROUND},
    {"mass 0", AT(body[3].mass), REAL, 0.0, TAC_FIELD_MASS, 3, TAC_REASON_NOT_POSITIVE},
    {"mass < 0", AT(body[3].mass), REAL, -1.0, TAC_FIELD_MASS, 3, TAC_REASON_NOT_POSITIVE},
    {"inertia.x 0", AT(body[1].inertia.x), REAL, 0.0, TAC_FIELD_INERTIA, 1, TAC_REASON_NOT_POSITIVE},
    {"inertia.y < 0", AT(body[1].inertia.y), REAL, -1.0, TAC_FIELD_INERTIA, 1, TAC_REASON_NOT_POSITIVE},
    {"inertia.z 0", AT(body[1].inertia.z), REAL, 0.0, TAC_FIELD_INERTIA, 1, TAC_REASON_NOT_POSITIVE},
    {"inertia.x of no body", AT(body[1].inertia.x), REAL, 7.5, TAC_FIELD_INERTIA, 1, TAC_REASON_TRIANGLE},
    {"inertia.y of no body", AT(body[1].inertia.y), REAL, 6.5, TAC_FIELD_INERTIA, 1, TAC_REASON_TRIANGLE},
    {"inertia.z of no body", AT(body[1].inertia.z), REAL, 5.5, TAC_FIELD_INERTIA, 1, TAC_REASON_TRIANGLE},
    {"inertial not unit", AT(body[1].inertial.q.w), REAL, 1.1, TAC_FIELD_INERTIAL, 1, TAC_REASON_NOT_UNIT},
    {"pose not unit", AT(body[3].pose.q.z), REAL, 0.2, TAC_FIELD_POSE, 3, TAC_REASON_NOT_UNIT},
    {"pose without direction", AT(body[3].pose.q.w), REAL, 0.0, TAC_FIELD_POSE, 3, TAC_REASON_NOT_UNIT},
    {"unknown shape kind", AT(shape[1].kind), BYTE, TAC_SHAPE_KINDS, TAC_FIELD_SHAPE_KIND, 1, TAC_REASON_RANGE},
    {"shape of no body", AT(shape[1].body), WORD, 4, TAC_FIELD_SHAPE_BODY, 1, TAC_REASON_RANGE},
    {"half-space on a dynamic body", AT(shape[2].body), WORD, 1, TAC_FIELD_SHAPE_BODY, 2, TAC_REASON_MOVING},
    {"shape.pose not unit", AT(shape[3].pose.q.x), REAL, 0.5, TAC_FIELD_SHAPE_POSE, 3, TAC_REASON_NOT_UNIT},
    {"radius 0", AT(shape[0].size.x), REAL, 0.0, TAC_FIELD_SIZE, 0, TAC_REASON_NOT_POSITIVE},
    {"capsule radius < 0", AT(shape[1].size.x), REAL, -1.0, TAC_FIELD_SIZE, 1, TAC_REASON_NOT_POSITIVE},
    {"capsule length 0", AT(shape[1].size.z), REAL, 0.0, TAC_FIELD_SIZE, 1, TAC_REASON_NOT_POSITIVE},
    {"box x 0", AT(shape[3].size.x), REAL, 0.0, TAC_FIELD_SIZE, 3, TAC_REASON_NOT_POSITIVE},
    {"box y < 0", AT(shape[3].size.y), REAL, -0.1, TAC_FIELD_SIZE, 3, TAC_REASON_NOT_POSITIVE},
    {"box z 0", AT(shape[3].size.z), REAL, 0.0, TAC_FIELD_SIZE, 3, TAC_REASON_NOT_POSITIVE},
    {"cylinder radius 0", AT(shape[7].size.x), REAL, 0.0, TAC_FIELD_SIZE, 7, TAC_REASON_NOT_POSITIVE},
    {"cylinder length < 0", AT(shape[7].size.z), REAL, -0.1, TAC_FIELD_SIZE, 7, TAC_REASON_NOT_POSITIVE},
    {"cone radius 0", AT(shape[8].size.x), REAL, 0.0, TAC_FIELD_SIZE, 8, TAC_REASON_NOT_POSITIVE},
    {"cone height 0", AT(shape[8].size.z), REAL, 0.0, TAC_FIELD_SIZE, 8, TAC_REASON_NOT_POSITIVE},
    {"ellipsoid x 0", AT(shape[9].size.x), REAL, 0.0, TAC_FIELD_SIZE, 9, TAC_REASON_NOT_POSITIVE},
    {"ellipsoid y 0", AT(shape[9].size.y), REAL, 0.0, TAC_FIELD_SIZE, 9, TAC_REASON_NOT_POSITIVE},
    {"ellipsoid z < 0", AT(shape[9].size.z), REAL, -1.0, TAC_FIELD_SIZE, 9, TAC_REASON_NOT_POSITIVE},
    {"rounding < 0", AT(shape[0].rounding), REAL, -0.1, TAC_FIELD_ROUNDING, 0, TAC_REASON_RANGE},
    {"a round half-space", AT(shape[2].rounding), REAL, 0.1, TAC_FIELD_ROUNDING, 2, TAC_REASON_RANGE},
    {"a round mesh", AT(shape[5].rounding), REAL, 0.1, TAC_FIELD_ROUNDING, 5, TAC_REASON_RANGE},
    {"a round field", AT(shape[6].rounding), REAL, 0.1, TAC_FIELD_ROUNDING, 6, TAC_REASON_RANGE},
    {"hull of no polyhedron", AT(shape[4].data), WORD, 2, TAC_FIELD_DATA, 4, TAC_REASON_RANGE},
    {"hull of a mesh", AT(shape[4].data), WORD, 1, TAC_FIELD_DATA, 4, TAC_REASON_KIND},
    {"mesh of no polyhedron", AT(shape[5].data), WORD, 65535, TAC_FIELD_DATA, 5, TAC_REASON_RANGE},
    {"mesh of a hull", AT(shape[5].data), WORD, 0, TAC_FIELD_DATA, 5, TAC_REASON_KIND},
    {"field of no data", AT(shape[6].data), WORD, 1, TAC_FIELD_DATA, 6, TAC_REASON_RANGE},
    {"mesh on a dynamic body", AT(shape[5].body), WORD, 1, TAC_FIELD_SHAPE_BODY, 5, TAC_REASON_MOVING},
    {"field on a dynamic body", AT(shape[6].body), WORD, 3, TAC_FIELD_SHAPE_BODY, 6, TAC_REASON_MOVING},
    {"exclusion of no body a", AT(exclusion[0].a), WORD, 4, TAC_FIELD_EXCLUSION, 0, TAC_REASON_RANGE},
    {"exclusion of no body b", AT(exclusion[0].b), WORD, 4, TAC_FIELD_EXCLUSION, 0, TAC_REASON_RANGE},
    {"exclusion of one body", AT(exclusion[0].b), WORD, 1, TAC_FIELD_EXCLUSION, 0, TAC_REASON_RANGE},
    {"points beyond those in use", AT(polyhedron[1].points), WORD, 5, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"first point beyond", AT(polyhedron[1].first_point), WORD, 65535, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"faces beyond those in use", AT(polyhedron[1].faces), WORD, 3, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"no faces", AT(polyhedron[1].faces), WORD, 0, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"first face beyond", AT(polyhedron[1].first_face), WORD, 7, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"edges beyond those in use", AT(polyhedron[1].edges), WORD, 7, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"edges left over", AT(polyhedron[1].edges), WORD, 5, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"first edge beyond", AT(polyhedron[0].first_edge), WORD, 7, TAC_FIELD_POLYHEDRON, 0, TAC_REASON_RANGE},
    {"a hull of too few points", AT(polyhedron[0].points), WORD, 2, TAC_FIELD_POLYHEDRON, 0, TAC_REASON_RANGE},
    {"a hull with a face left out", AT(polyhedron[0].faces), WORD, 5, TAC_FIELD_EDGE, ANY_INDEX, TAC_REASON_RANGE},
    {"a polyhedron of no sort", AT(polyhedron[1].convex), WORD, 2, TAC_FIELD_POLYHEDRON, 1, TAC_REASON_RANGE},
    {"a hull that says it is a mesh", AT(polyhedron[0].convex), WORD, 0, TAC_FIELD_DATA, 4, TAC_REASON_KIND},
    {"a point outside its bounds", AT(point[3].x), REAL, 1.01, TAC_FIELD_POINT, 3, TAC_REASON_OUTSIDE},
    {"bounds inside their points", AT(polyhedron[1].high.y), REAL, 0.5, TAC_FIELD_POINT, 10, TAC_REASON_OUTSIDE},
    {"a corner off its planes", AT(point[3].x), REAL, 0.99, TAC_FIELD_FACE, ANY_INDEX, TAC_REASON_PLANE},
    {"a corner of a triangle off its plane", AT(point[9].z), REAL, -0.99, TAC_FIELD_POINT, 9, TAC_REASON_OUTSIDE},
    {"a plane in front of its face", AT(face[2].d), REAL, 1.01, TAC_FIELD_FACE, 2, TAC_REASON_PLANE},
    {"a plane behind its face", AT(face[2].d), REAL, 0.99, TAC_FIELD_FACE, 2, TAC_REASON_PLANE},
    {"a normal of length 2", AT(face[7].n.z), REAL, 2.0, TAC_FIELD_FACE, 7, TAC_REASON_NOT_UNIT},
    {"a normal that looks inwards", AT(face[7].n.z), REAL, -1.0, TAC_FIELD_FACE, 7, TAC_REASON_PLANE},
    {"a face beyond its edges", AT(face[5].first), WORD, 21, TAC_FIELD_FACE, 5, TAC_REASON_RANGE},
    {"a face of two edges", AT(face[5].edges), WORD, 2, TAC_FIELD_FACE, 5, TAC_REASON_RANGE},
    {"a mesh's face of four edges", AT(face[6].edges), WORD, 4, TAC_FIELD_FACE, 6, TAC_REASON_RANGE},
    {"an edge that begins nowhere", AT(edge[7].point), WORD, 8, TAC_FIELD_EDGE, 7, TAC_REASON_RANGE},
    {"an edge of a mesh that begins nowhere", AT(edge[29].point), WORD, 4, TAC_FIELD_EDGE, 29, TAC_REASON_RANGE},
    {"nothing across an edge", AT(edge[7].across), WORD, 6, TAC_FIELD_EDGE, 7, TAC_REASON_RANGE},
    {"a hull with a rim", AT(edge[7].across), WORD, TAC_NONE, TAC_FIELD_EDGE, 7, TAC_REASON_RANGE},
    {"nothing across an edge of a mesh", AT(edge[26].across), WORD, 2, TAC_FIELD_EDGE, 26, TAC_REASON_RANGE},
    {"a rim on one side", AT(edge[26].across), WORD, TAC_NONE, TAC_FIELD_EDGE, 27, TAC_REASON_OPEN},
    {"a neighbour that is none", AT(edge[24].across), WORD, 1, TAC_FIELD_EDGE, 24, TAC_REASON_OPEN},
    {"a tree that ends early", AT(node[12].skip), WORD, 2, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a tree that goes on", AT(node[12].skip), WORD, 9, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a leaf that goes back", AT(node[13].skip), WORD, 0, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a leaf that stays", AT(node[13].skip), WORD, 1, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a leaf that ends the tree", AT(node[13].skip), WORD, 3, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"the last leaf goes on", AT(node[14].skip), WORD, 4, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a leaf of no triangle", AT(node[14].leaf), WORD, 2, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a last leaf with children", AT(node[14].leaf), WORD, TAC_NONE, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a root that is a leaf", AT(node[12].leaf), WORD, 0, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a leaf smaller than its triangle", AT(node[13].bound[3]), REAL, 0.5, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"a root smaller than its leaves", AT(node[12].bound[1]), REAL, -0.5, TAC_FIELD_NODE, 1, TAC_REASON_TREE},
    {"one column", AT(field[0].columns), WORD, 1, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_RANGE},
    {"one row", AT(field[0].rows), WORD, 1, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_RANGE},
    {"rows beyond the heights in use", AT(field[0].rows), WORD, 3, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_RANGE},
    {"first height beyond", AT(field[0].first), LONG, 1, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_RANGE},
    {"first height far beyond", AT(field[0].first), LONG, 4294967295.0, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_RANGE},
    {"dx 0", AT(field[0].dx), REAL, 0.0, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_NOT_POSITIVE},
    {"dy < 0", AT(field[0].dy), REAL, -1.0, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_NOT_POSITIVE},
    {"scale 0", AT(field[0].scale), REAL, 0.0, TAC_FIELD_HEIGHT_FIELD, 0, TAC_REASON_NOT_POSITIVE},
    {"a height below the bounds", AT(field[0].low), REAL, 0.0, TAC_FIELD_HEIGHT, 0, TAC_REASON_OUTSIDE},
    {"a height above the bounds", AT(field[0].high), REAL, 0.5, TAC_FIELD_HEIGHT, 0, TAC_REASON_OUTSIDE},
    {"shape of no material", AT(shape[3].material), BYTE, 2, TAC_FIELD_SHAPE_MATERIAL, 3, TAC_REASON_RANGE},
    {"shapes without materials", AT(materials), WORD, 0, TAC_FIELD_SHAPE_MATERIAL, 0, TAC_REASON_RANGE},
    {"friction < 0", AT(material[1].friction), REAL, -0.1, TAC_FIELD_FRICTION, 1, TAC_REASON_RANGE},
    {"restitution < 0", AT(material[1].restitution), REAL, -0.1, TAC_FIELD_RESTITUTION, 1, TAC_REASON_RANGE},
    {"restitution > 1", AT(material[0].restitution), REAL, 1.5, TAC_FIELD_RESTITUTION, 0, TAC_REASON_RANGE},
    {"unknown friction rule", AT(material[1].friction_rule), BYTE, TAC_RULES, TAC_FIELD_RULE, 1, TAC_REASON_RANGE},
    {"unknown restitution rule", AT(material[0].restitution_rule), BYTE, TAC_RULES, TAC_FIELD_RULE, 0,
     TAC_REASON_RANGE},
    {"pair of no material a", AT(material_pair[0].a), BYTE, 2, TAC_FIELD_MATERIAL_PAIR, 0, TAC_REASON_RANGE},
    {"pair of no material b", AT(material_pair[0].b), BYTE, 9, TAC_FIELD_MATERIAL_PAIR, 0, TAC_REASON_RANGE},
};

static void field_write(tac_model *m, const bad_value *v)
{
    switch (v->width) {
    case REAL:
        *(tac_real *)field_at(m, v->at) = (tac_real)v->value;
        break;
    case BYTE:
        *(uint8_t *)field_at(m, v->at) = (uint8_t)v->value;
        break;
    case LONG:
        *(uint32_t *)field_at(m, v->at) = (uint32_t)v->value;
        break;
    default:
        *(uint16_t *)field_at(m, v->at) = (uint16_t)v->value;
        break;
    }
}

static void test_bad_values(void)
{
    for (unsigned i = 0; i < sizeof bad_values / sizeof bad_values[0]; i++) {
        const bad_value *v = &bad_values[i];
        tac_fault fault = {99, 99, 99};
        sample_build(&sample);
        field_write(&sample, v);
        // `shapes without materials` is a legal model of materials but for the pair that names them
        if (v->at == AT(materials)) { sample.material_pairs = 0; }
        const tac_status status = tac_model_check(&sample, &fault);
        const uint16_t index = v->index == ANY_INDEX ? fault.index : v->index;
        const int named = fault_is(fault, v->field, index, v->reason);
        tap_ok(status == TAC_E_MODEL && named, tap_joined("refused:", v->name));
        tap_ok(tac_model_seal(&sample, NULL) == TAC_E_MODEL, tap_joined("not sealed:", v->name));
    }
    sample_build(&sample);
}

static void pair_field(const char *name, size_t at, double value, uint16_t field)
{
    const bad_value v = {name, at, REAL, value, field, 0, TAC_REASON_RANGE};
    tac_fault fault = {99, 99, 99};
    sample_build(&sample);
    field_write(&sample, &v);
    const tac_status status = tac_model_check(&sample, &fault);
    const int named = fault.field == field || fault.field == TAC_FIELD_MATERIAL_PAIR;
    tap_ok(status == TAC_E_MODEL && named && fault.index == 0 && fault.reason == TAC_REASON_RANGE, name);
    sample_build(&sample);
}

static void test_accepted(void)
{
    tac_fault fault = {99, 99, 99};
    sample_build(&sample);
    tap_equal(tac_model_check(&sample, &fault), TAC_OK, "the sample is good");
    tap_ok(fault_is(fault, TAC_FIELD_NONE, 0, TAC_REASON_NONE), "and no fault is named");
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "the fault may be NULL");
    tap_equal(tac_model_check(NULL, &fault), TAC_E_ARG, "NULL refused");
    tap_ok(fault.field == TAC_FIELD_POINTER && fault.reason == TAC_REASON_NULL, "NULL named");
    sample.body[2].mass = (tac_real)-1;
    sample.body[2].inertia = vec(0, 0, 0);
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "mass and inertia of a kinematic body do not count");
    sample.body[0].mass = real_nan();
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "nor do those of the ground");
    sample.body[3].inertia = vec(1, 1, 2);
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "a thin plate has the largest moment there is");
    sample.shape[2].size = vec(-1, 0, 0);
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "size of a half-space does not count");
    tac_model_init(&sample);
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "an empty model is good");
    sample_build(&sample);
    pair_field("refused: friction of a pair < 0", AT(material_pair[0].friction), -1.0, TAC_FIELD_MATERIAL_PAIR);
    pair_field("refused: restitution of a pair > 1", AT(material_pair[0].restitution), 1.25, TAC_FIELD_MATERIAL_PAIR);
}

// Bytes of the data of shapes change at random: what passes may be followed, so that a search in the tree ends. With
// sanitizers this also says that the check itself looks at nothing outside.
static void test_damage(void)
{
    static tac_model copy;
    rng r = {4711};
    uint32_t passed = 0, visited = 0;
    const size_t first = AT(exclusion), last = sizeof copy;
    sample_build(&sample);
    for (int i = 0; i < RUN(200000, 2000); i++) {
        copy = sample;
        for (uint32_t k = 0; k <= rng_below(&r, 3); k++) {
            uint8_t *byte = field_at(&copy, first + rng_below(&r, (uint32_t)(last - first)));
            *byte = (uint8_t)(rng_below(&r, 2) ? rng_bits(&r) : *byte ^ 1u << rng_below(&r, 8));
        }
        if (rng_below(&r, 4) == 0) { *(uint8_t *)field_at(&copy, AT(exclusions) + rng_below(&r, 16)) ^= 1; }
        if (tac_model_check(&copy, NULL) != TAC_OK) { continue; }
        passed++;
        const tac_polyhedron *p = &copy.polyhedron[1];
        if (copy.polyhedra < 2 || p->convex) { continue; }
        const vec3 low = vec(-9, -9, -9), high = vec(9, 9, 9);
        const uint32_t end = 2u * p->faces - 1;
        uint32_t leaves = 0, at = boxes_next(&copy.node[2 * p->first_face], 0, end, &low, &high);
        for (; at < end && leaves < 99; at = boxes_next(&copy.node[2 * p->first_face], at + 1, end, &low, &high)) {
            leaves++;
        }
        visited += leaves == p->faces;
    }
    tap_note("passed", passed);
    tap_ok(passed > 100 && visited > 100, "some damage does not matter");
    tap_least(visited, passed - passed / 50, "then the tree still gives all triangles");
}

// --------------------------------------------------------------------------------------------------------------- hash

typedef struct integer_field {
    const char *name;
    size_t at;
    int width;
} integer_field;

static const integer_field integer_fields[] = {
    {"bodies", AT(bodies), WORD},
    {"shapes", AT(shapes), WORD},
    {"materials", AT(materials), WORD},
    {"material_pairs", AT(material_pairs), WORD},
    {"max_sweeps", AT(options.max_sweeps), WORD},
    {"solver", AT(options.solver), BYTE},
    {"friction law", AT(options.friction), BYTE},
    {"warm_start", AT(options.warm_start), BYTE},
    {"body.kind", AT(body[2].kind), BYTE},
    {"shape.body", AT(shape[1].body), WORD},
    {"shape.group", AT(shape[1].group), WORD},
    {"shape.mask", AT(shape[1].mask), WORD},
    {"shape.kind", AT(shape[1].kind), BYTE},
    {"shape.material", AT(shape[1].material), BYTE},
    {"friction_rule", AT(material[1].friction_rule), BYTE},
    {"restitution_rule", AT(material[1].restitution_rule), BYTE},
    {"pair.a", AT(material_pair[0].a), BYTE},
    {"pair.b", AT(material_pair[0].b), BYTE},
    {"shape.data", AT(shape[1].data), WORD},
    {"exclusions", AT(exclusions), WORD},
    {"polyhedra", AT(polyhedra), WORD},
    {"points", AT(points), WORD},
    {"faces", AT(faces), WORD},
    {"edges", AT(edges), WORD},
    {"fields", AT(fields), WORD},
    {"heights", AT(heights), LONG},
    {"exclusion.a", AT(exclusion[0].a), WORD},
    {"exclusion.b", AT(exclusion[0].b), WORD},
    {"polyhedron.first_point", AT(polyhedron[1].first_point), WORD},
    {"polyhedron.points", AT(polyhedron[1].points), WORD},
    {"polyhedron.first_face", AT(polyhedron[1].first_face), WORD},
    {"polyhedron.faces", AT(polyhedron[1].faces), WORD},
    {"polyhedron.first_edge", AT(polyhedron[1].first_edge), WORD},
    {"polyhedron.edges", AT(polyhedron[1].edges), WORD},
    {"polyhedron.convex", AT(polyhedron[1].convex), WORD},
    {"polyhedron.spare", AT(polyhedron[1].spare), WORD},
    {"face.first", AT(face[7].first), WORD},
    {"face.edges", AT(face[7].edges), WORD},
    {"edge.point", AT(edge[29].point), WORD},
    {"edge.across", AT(edge[29].across), WORD},
    {"node.leaf", AT(node[14].leaf), WORD},
    {"node.skip", AT(node[14].skip), WORD},
    {"field.first", AT(field[0].first), LONG},
    {"field.columns", AT(field[0].columns), WORD},
    {"field.rows", AT(field[0].rows), WORD},
    {"the last height", AT(height[5]), TAC_HEIGHT_BITS / 8},
};

static const real_field hashed_only[] = {
    {"mass of the ground", AT(body[0].mass), 1, 0, 0},
    {"size of a half-space", AT(shape[2].size), 3, 0, 0},
    {"pair.friction", AT(material_pair[0].friction), 1, 0, 0},
    {"pair.restitution", AT(material_pair[0].restitution), 1, 0, 0},
    {"the last node", AT(node[14]), 6, 0, 0},
    {"the last body", AT(body[3]), (uint16_t)(offsetof(tac_body, kind) / sizeof(tac_real)), 0, 0},
};

static int hash_sees_real(const real_field *f, uint32_t base)
{
    int good = 1;
    for (uint16_t i = 0; i < f->count; i++) {
        tac_real *field = field_at(&sample, f->at + i * sizeof(tac_real));
        const tac_real kept = *field;
        *field = kept + (tac_real)0.5;
        good = good && tac_model_hash(&sample) != base;
        *field = kept;
    }
    return good && tac_model_hash(&sample) == base;
}

static void test_hash(void)
{
    sample_build(&sample);
    const uint32_t base = tac_model_hash(&sample);
    for (unsigned i = 0; i < sizeof real_fields / sizeof real_fields[0]; i++) {
        tap_ok(hash_sees_real(&real_fields[i], base), tap_joined("hashed:", real_fields[i].name));
    }
    for (unsigned i = 0; i < sizeof hashed_only / sizeof hashed_only[0]; i++) {
        tap_ok(hash_sees_real(&hashed_only[i], base), tap_joined("hashed:", hashed_only[i].name));
    }
    for (unsigned i = 0; i < sizeof integer_fields / sizeof integer_fields[0]; i++) {
        uint8_t *byte = field_at(&sample, integer_fields[i].at);
        for (int k = 0; k < integer_fields[i].width; k++) {
            byte[k] ^= 1;
            const uint32_t other = tac_model_hash(&sample);
            byte[k] ^= 1;
            tap_ok(other != base, tap_joined("hashed:", integer_fields[i].name));
        }
    }
    static tac_model dirty;
    truth_fill(&dirty, sizeof dirty, 0xa5);
    sample_build(&dirty);
    tap_equal(tac_model_hash(&dirty), base, "padding and unused memory are not hashed");
    dirty.body[5].mass = (tac_real)7;
    dirty.point[12].x = (tac_real)7;
    dirty.face[8].first = dirty.edge[30].point = dirty.node[0].leaf = dirty.node[15].skip = 7;
    dirty.height[6] = 7;
    tap_equal(tac_model_hash(&dirty), base, "elements out of use are not hashed");
    dirty.hash = 12345;
    tap_equal(tac_model_hash(&dirty), base, "nor is the hash itself");
}

static void test_seal(void)
{
    static tac_state state, kept;
    tac_fault fault;
    sample_build(&sample);
    truth_fill(&state, sizeof state, 0x5a);
    truth_copy(&kept, &state, sizeof kept);
    tap_equal(tac_state_init(&sample, &state, &fault), TAC_E_MODEL, "a model that is not sealed is refused");
    tap_equal(fault.field, TAC_FIELD_HASH, "and its hash named");
    tap_ok(truth_equal(&state, &kept, sizeof state), "the state is untouched");
    tap_equal(tac_model_seal(&sample, &fault), TAC_OK, "sealed");
    tap_equal(sample.hash, tac_model_hash(&sample), "the seal is the hash");
    tap_equal(tac_state_init(&sample, &state, &fault), TAC_OK, "then it is accepted");
    tap_equal(state.model_hash, sample.hash, "the state carries the hash");
    sample.gravity.x = (tac_real)1;
    tap_equal(tac_state_init(&sample, &state, &fault), TAC_E_MODEL, "a change breaks the seal");
    tap_equal(tac_state_init(NULL, &state, &fault), TAC_E_ARG, "no model");
    tap_equal(tac_state_init(&sample, NULL, &fault), TAC_E_ARG, "no state");
}

// ----------------------------------------------------------------------------------------------------- initial state

static void test_initial_state(void)
{
    static tac_state state;
    sample_build(&sample);
    const dq turn = dq_about(d3_make(1, 2, 3), 0.7), inner = dq_about(d3_make(-1, 0.5, 0), 1.1);
    sample.body[1].pose.q = dq_to(turn);
    sample.body[1].inertial = (tac_pose){vec(0.1, -0.2, 0.3), dq_to(inner)};
    sample.body[1].velocity = (tac_twist){vec(1, 0, 2), vec(3, 4, 5)};
    tac_model_seal(&sample, NULL);
    tap_equal(tac_state_init(&sample, &state, NULL), TAC_OK, "state of a body with an inertial frame");
    const d3 centre = d3_add(d3_make(1, 2, 3), dq_rotate(turn, d3_make(0.1, -0.2, 0.3)));
    tap_most(d3_norm(d3_sub(d3_of(state.pose[1].p), centre)), TOL(1e-15, 1e-6), "pose is that of the principal frame");
    const dq both = dq_mul(turn, inner), got = dq_of(state.pose[1].q);
    tap_near(d_abs(both.w * got.w + both.x * got.x + both.y * got.y + both.z * got.z), 1.0, TOL(1e-15, 1e-6),
             "and so is its orientation");
    const tac_pose own = tac_state_get_pose(&sample, &state, 1);
    tap_most(d3_norm(d3_sub(d3_of(own.p), d3_make(1, 2, 3))), TOL(1e-15, 1e-6), "tac_state_get_pose gives the own frame");
    tap_near(state.twist[1].w.y, 4.0, 0.0, "initial velocity");
    tap_equal(state.step, 0, "step 0");
    tap_equal(state.warm_count, 0, "no impulses");
    const tac_pose none = tac_state_get_pose(&sample, &state, 4);
    tap_near(none.q.w, 1.0, 0.0, "a body out of range gives the identity");
    const tac_pose place = {vec(5, 6, 7), {(tac_real)1.5, 0, 0, 0}};
    const tac_twist rest = {{0, 0, 0}, {0, 0, 0}};
    tap_equal(tac_state_set_body(&sample, &state, 1, place, rest), TAC_OK, "place a body");
    const tac_pose back = tac_state_get_pose(&sample, &state, 1);
    tap_most(d3_norm(d3_sub(d3_of(back.p), d3_make(5, 6, 7))), TOL(1e-14, 2e-6), "it is where it was put");
    tap_near(back.q.w, 1.0, TOL(1e-15, 1e-6), "its quaternion normalised");
}

// ---------------------------------------------------------------------------------------------------- full tables

static void test_full(void)
{
    const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    const tac_shape s = tac_shape_make(1, TAC_SPHERE, vec(1, 0, 0));
    tac_model_init(&sample);
    int32_t last = 0;
    for (int i = 0; i < TAC_MAX_BODIES; i++) { last = tac_model_add_body(&sample, &b); }
    tap_equal(last, TAC_MAX_BODIES, "as many bodies as the configuration says");
    tap_equal(tac_model_add_body(&sample, &b), TAC_E_FULL, "one more body is refused");
    tap_equal(sample.bodies, TAC_MAX_BODIES + 1, "and not counted");
    for (int i = 0; i < TAC_MAX_SHAPES; i++) { last = tac_model_add_shape(&sample, &s); }
    tap_equal(last, TAC_MAX_SHAPES - 1, "as many shapes");
    tap_equal(tac_model_add_shape(&sample, &s), TAC_E_FULL, "one more shape is refused");
    for (int i = 0; i < TAC_MAX_MATERIALS; i++) { last = tac_model_add_material(&sample, 0, 0); }
    tap_equal(last, TAC_MAX_MATERIALS - 1, "as many materials");
    tap_equal(tac_model_add_material(&sample, 0, 0), TAC_E_FULL, "one more material is refused");
    for (int i = 0; i < TAC_MAX_MATERIAL_PAIRS; i++) { last = tac_model_add_material_pair(&sample, 0, 1, 0, 0); }
    tap_equal(last, TAC_MAX_MATERIAL_PAIRS - 1, "as many pairs");
    tap_equal(tac_model_add_material_pair(&sample, 0, 1, 0, 0), TAC_E_FULL, "one more pair is refused");
    tap_equal(tac_model_check(&sample, NULL), TAC_OK, "a full model is good");
    tac_joint j;
    tac_joint_init(&j, TAC_SPHERICAL, 0, 1);
    for (int i = 0; i < TAC_MAX_JOINTS; i++) { last = tac_model_add_joint(&sample, &j); }
    tap_ok(TAC_MAX_JOINTS == 0 || last == TAC_MAX_JOINTS - 1, "as many joints");
    tap_equal(tac_model_add_joint(&sample, &j), TAC_E_FULL, "one more joint is refused");
    const tac_status missing = TAC_MAX_JOINTS > 0 ? TAC_E_ARG : TAC_E_FULL; // without joints it looks at nothing
    tap_equal(tac_model_add_joint(NULL, &j), missing, "no model for a joint");
    tap_equal(tac_model_add_joint(&sample, NULL), missing, "no joint");
    tap_equal(tac_model_add_body(NULL, &b), TAC_E_ARG, "no model");
    tap_equal(tac_model_add_body(&sample, NULL), TAC_E_ARG, "no body");
    tap_equal(tac_model_add_shape(NULL, &s), TAC_E_ARG, "no model for a shape");
    tap_equal(tac_model_add_shape(&sample, NULL), TAC_E_ARG, "no shape");
    tap_equal(tac_model_add_material(NULL, 0, 0), TAC_E_ARG, "no model for a material");
    tap_equal(tac_model_add_material_pair(NULL, 0, 0, 0, 0), TAC_E_ARG, "no model for a pair");
}

static void test_names(void)
{
    int good = 1;
    for (uint16_t i = 0; i < (TAC_MAX_JOINTS > 0 ? TAC_FIELDS : TAC_FIELD_JOINT_KIND); i++) {
        for (uint16_t k = 0; k < i; k++) { good = good && tac_field_name(i) != tac_field_name(k); }
        good = good && tac_field_name(i)[0] != '?';
    }
    tap_ok(good, "every field has its own name");
    good = 1;
    for (uint16_t i = 0; i < TAC_REASONS; i++) {
        for (uint16_t k = 0; k < i; k++) { good = good && tac_reason_name(i) != tac_reason_name(k); }
        good = good && tac_reason_name(i)[0] != '?';
    }
    tap_ok(good, "every reason has its own name");
    tap_ok(tac_field_name(TAC_FIELDS)[0] == '?' && tac_reason_name(60000)[0] == '?', "others are ?");
}

// A pair is seen from the kind of higher rank: a kind without one, or two alike, would be seen from either side.
static void test_ranks(void)
{
    int good = 1;
    for (uint8_t i = 0; i < TAC_SHAPE_KINDS; i++) {
        for (uint8_t k = 0; k < i; k++) { good = good && SHAPE_RANK[i] != SHAPE_RANK[k]; }
        good = good && SHAPE_RANK[i] >= 1;
    }
    tap_ok(good, "every kind of shape has its own rank");
}

int main(void)
{
    test_ranks();
    test_accepted();
    test_not_finite();
    test_bad_values();
    test_damage();
    test_hash();
    test_seal();
    test_initial_state();
    test_full();
    test_names();
    return tap_done();
}
