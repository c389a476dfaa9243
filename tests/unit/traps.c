// SPDX-License-Identifier: MIT
// config: robots
// What a new user steps into: a robot whose trunk alone is set, coordinates that are read and set again, resets, tables
// that are full, models that are not sealed or changed later, calls out of order; faults as sentences, names of
// statuses.
#include "begin.h"
#include "truth.h"

#define LINKS 9
#define SEEDS RUN(60, 10)
#define STEPS 40

static tac_model m;
static tac_state s, before;
static tac_work w;
static tac_input input;
static tac_fault fault;
static tac_coordinates map;
static tac_real q[TAC_MAX_POSITIONS], rate[TAC_MAX_VELOCITIES];

// A tree of bodies, joined at random from either side, in random order; some hang on the ground or on what moves.
static void add_links(rng *r, int plain)
{
    static const uint8_t kind[] = {TAC_REVOLUTE,  TAC_PRISMATIC, TAC_SCREW,       TAC_FIXED,
                                   TAC_SPHERICAL, TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.6, 0);
    for (int i = 0; i < LINKS; i++) {
        tac_body b =
            tac_body_make(i == 0 && rng_below(r, 4) == 0 ? TAC_KINEMATIC : TAC_DYNAMIC, vec(0, 0, 1 + 0.4 * i));
        b.mass = (tac_real)rng_range(r, 0.5, 2);
        b.inertia = vec(rng_range(r, 0.01, 0.02), rng_range(r, 0.01, 0.02), rng_range(r, 0.01, 0.02));
        b.velocity = (tac_twist){d3_to(rng_box(r, 1)), d3_to(rng_box(r, 3))};
        tac_model_add_body(&m, &b);
        const tac_shape ball = tac_shape_make((uint16_t)(i + 1), TAC_SPHERE, vec(0.05, 0, 0));
        tac_model_add_shape(&m, &ball);
    }
    const tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &floor);
    for (uint16_t i = 2; i <= LINKS; i++) {
        tac_joint j;
        const uint16_t above = (uint16_t)(1 + rng_below(r, i - 1u));
        tac_joint_init(&j, kind[rng_below(r, plain ? 4 : 8)], above, i);
        if (!plain && rng_below(r, 2)) { j.body_a = i, j.body_b = above; }
        j.frame_a.p = d3_to(rng_box(r, 0.2)), j.frame_b.p = d3_to(rng_box(r, 0.2));
        j.frame_a.q = dq_to(rng_quat(r)), j.frame_b.q = dq_to(rng_quat(r));
        if (j.kind == TAC_SCREW) { j.length = (tac_real)0.1; }
        tac_model_add_joint(&m, &j);
    }
    for (uint16_t i = 1; i <= LINKS; i++) {
        for (uint16_t k = 1; k < i; k++) { tac_model_add_exclusion(&m, k, i); }
    }
    m.exclusions = m.exclusions > TAC_MAX_EXCLUSIONS ? TAC_MAX_EXCLUSIONS : m.exclusions;
    m.hash = 0; // not all exclusions have found room, which does not matter here
    begin_world(&m, &s);
}

static void read_all(void)
{
    tac_model_get_coordinates(&m, &w, &map);
    tac_state_get_coordinates(&m, &s, &w, q, rate);
}

// Places the whole of it by its coordinates, at random.
static void throw_it(rng *r)
{
    read_all();
    for (uint32_t i = 0; i < map.velocities; i++) { rate[i] = (tac_real)rng_range(r, -2, 2); }
    tac_state_set_coordinates(&m, &s, q, rate, &w);
}

// ------------------------------------------------------------------------------------------------------- two setters

// The numbers of the mechanism that tac_state_set_joints() sets: of joints without a coordinate none.
static void numbers_of(const tac_joint_state *x)
{
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_coordinate at = map.joint[i];
        if (at.position == TAC_NONE) { continue; }
        const uint8_t kind = m.joint[i].kind;
        const int along = kind == TAC_REVOLUTE || kind == TAC_PRISMATIC || kind == TAC_SCREW;
        const int motions = kind == TAC_FIXED ? 0 : kind == TAC_SPHERICAL || kind == TAC_PLANAR ? 3 : along ? 1 : 2;
        for (int k = 0; k < motions + (kind == TAC_SPHERICAL); k++) { q[at.position + k] = 0; }
        for (int k = 0; k < motions; k++) { rate[at.velocity + k] = 0; }
        if (along) { q[at.position] = x[i].position, rate[at.velocity] = x[i].velocity; }
        if (kind == TAC_SPHERICAL) { q[at.position] = 1; }
    }
}

// Joints are set in any order, from either side, on the ground, on what moves or free.
static void test_setters(void)
{
    static tac_state other;
    int same = 1, holds = 1, stays = 1;
    double off = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        rng r = {700 + seed};
        const int plain = seed % 2; // kinds with a coordinate, and FIXED
        add_links(&r, plain);
        for (uint32_t i = m.joints - 1; i > 0; i--) {
            const uint32_t k = rng_below(&r, i + 1);
            const tac_joint j = m.joint[i];
            m.joint[i] = m.joint[k];
            m.joint[k] = j;
        }
        if (rng_below(&r, 2) && m.body[1].kind == TAC_DYNAMIC) { m.joint[0].body_b = 0; }
        m.hash = 0;
        begin_world(&m, &s);
        throw_it(&r);
        truth_copy(&other, &s, sizeof s);
        tac_joint_state x[LINKS];
        for (uint32_t i = 0; i < m.joints; i++) {
            x[i] = (tac_joint_state){(tac_real)rng_range(&r, -1, 1), (tac_real)rng_range(&r, -2, 2)};
        }
        read_all();
        numbers_of(x);
        same &= tac_state_set_coordinates(&m, &other, q, rate, &w) == TAC_OK;
        same &= tac_state_set_joints(&m, &s, x) == TAC_OK && truth_equal(&other, &s, sizeof s);
        holds &= tac_check(&m, &s, NULL, &fault) == TAC_OK;
        for (uint32_t i = 0; i < m.joints; i++) {
            tac_joint_state at;
            tac_state_get_joint(&m, &s, i, &at);
            if (map.joint[i].position == TAC_NONE || (at.position == 0 && at.velocity == 0)) { continue; }
            d_worst(&off, (double)(at.position - x[i].position));
            d_worst(&off, (double)(at.velocity - x[i].velocity));
            x[i] = at;
        }
        truth_copy(&before, &s, sizeof s);
        stays &= tac_state_set_joints(&m, &s, x) == TAC_OK && (!plain || truth_equal(&before, &s, sizeof s));
        if (!(same & holds & stays)) { tap_note("seed", 700 + seed); }
    }
    tap_ok(same, "joints are set as coordinates are, to the bit");
    tap_ok(holds, "all of them hold");
    tap_most(off, TAC_REAL_BITS == 32 ? 3e-5 : 1e-13, "and have what was set");
    tap_ok(stays, "to set what they have changes nothing");
}

// Wheels in a world of other joints; what couples two of them counts their revolutions, whoever has set them.
static void test_coupled(void)
{
    double off = 0;
    int kept = 1;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        rng r = {800 + seed};
        tac_joint_state x[LINKS + 1], at;
        add_links(&r, 1);
        const uint32_t a = rng_below(&r, m.joints), b = (a + 1 + rng_below(&r, m.joints - 1)) % m.joints;
        m.joint[a].kind = m.joint[b].kind = TAC_REVOLUTE;
        m.joint[a].length = m.joint[b].length = 1;
        tac_joint j;
        tac_joint_init(&j, TAC_COUPLING, (uint16_t)a, (uint16_t)b);
        j.length = (tac_real)rng_range(&r, 0.5, 3);
        const uint32_t gear = m.joints;
        tac_model_add_joint(&m, &j);
        m.hash = 0;
        begin_world(&m, &s);
        read_all();
        for (uint32_t i = 0; i <= gear; i++) { tac_state_get_joint(&m, &s, i, &x[i]); }
        x[a].position = (tac_real)rng_range(&r, -20, 20), x[b].position = (tac_real)rng_range(&r, -20, 20);
        if (seed % 2) {
            kept &= tac_state_set_joints(&m, &s, x) == TAC_OK;
        } else {
            q[map.joint[a].position] = x[a].position, q[map.joint[b].position] = x[b].position;
            kept &= tac_state_set_coordinates(&m, &s, q, rate, &w) == TAC_OK;
        }
        tac_state_get_joint(&m, &s, gear, &at);
        d_worst(&off, (double)(at.position - (x[b].position - j.length * x[a].position)));
        truth_copy(&before, &s, sizeof s);
        read_all();
        kept &= tac_state_set_coordinates(&m, &s, q, rate, &w) == TAC_OK && truth_equal(&before, &s, sizeof s);
        for (uint32_t i = 0; i <= gear; i++) { tac_state_get_joint(&m, &s, i, &x[i]); }
        kept &= tac_state_set_joints(&m, &s, x) == TAC_OK && truth_equal(&before, &s, sizeof s);
        if (!kept) { tap_note("seed", 800 + seed); }
    }
    tap_most(off, TAC_REAL_BITS == 32 ? 1e-4 : 1e-12, "a coupling counts the turns that were set, rad");
    tap_ok(kept, "and keeps them when what was read is set");
}

// --------------------------------------------------------------------------------------------------------- coordinates

static void test_neutral(void)
{
    int kept = 1, held = 1, plain = 1, rest = 1;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rng r = {seed};
        const int coordinates = seed % 2 == 0;
        add_links(&r, coordinates);
        throw_it(&r);
        for (int k = 0; k < STEPS; k++) {
            tac_step(&m, &s, NULL, &w);
            truth_copy(&before, &s, sizeof s);
            read_all();
            kept &= tac_state_set_coordinates(&m, &s, q, rate, &w) == TAC_OK && truth_equal(&before, &s, sizeof s);
            held &= tac_check(&m, &s, NULL, &fault) == TAC_OK;
            tac_joint_state x[LINKS];
            for (uint32_t i = 0; i < m.joints; i++) { tac_state_get_joint(&m, &s, i, &x[i]); }
            if (coordinates) {
                plain &= tac_state_set_joints(&m, &s, x) == TAC_OK && truth_equal(&before, &s, sizeof s);
            }
            if (!(kept & held & plain)) { tap_note("seed", seed); }
        }
        const tac_joint *last = &m.joint[m.joints - 1];
        if (last->kind == TAC_FIXED || last->body_b != LINKS) { continue; }
        rate[map.joint[m.joints - 1].velocity] += 1; // of the last body, which carries none
        tac_state_set_coordinates(&m, &s, q, rate, &w);
        for (uint16_t i = 1; i <= LINKS; i++) {
            rest &= truth_equal(&before.pose[i], &s.pose[i], sizeof s.pose[i]) || i == LINKS;
            rest &= truth_equal(&before.twist[i], &s.twist[i], sizeof s.twist[i]) == (i != LINKS);
        }
    }
    tap_ok(kept, "coordinates that are read and set again change no bit");
    tap_ok(plain, "nor do those of joints");
    tap_ok(rest, "one that is changed moves only what it carries");
    tap_ok(held, "all joints hold after every step");
}

// --------------------------------------------------------------------------------------------------------------- reset

// Where the next run begins: all coordinates, then one body of its own.
static void set_all(void)
{
    const tac_pose at = tac_state_get_pose(&m, &s, 1);
    const tac_twist still = {vec(0, 0, 0), vec(0, 0, 0)};
    tac_state_set_coordinates(&m, &s, q, rate, &w);
    tac_state_set_body(&m, &s, 1, at, still);
}

// A state that is initialised again, or overwritten by a copy of a new one, and set, has the bits of a new one that is
// set; so have all of its steps. What has only been set keeps impulses of its past.
static void test_reset(void)
{
    static tac_state fresh, begun;
    int initialised = 1, copied = 1, stepped = 1, past = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t end = 0;
        rng r = {seed};
        add_links(&r, 0);
        throw_it(&r);
        begin_world(&m, &s);
        fresh = s;
        set_all();
        begun = s;
        for (int run = 0; run < 3; run++) {
            for (int k = 0; k < STEPS; k++) { tac_step(&m, &s, NULL, &w); }
            if (run == 0) { end = tac_state_hash(&m, &s); }
            stepped &= tac_state_hash(&m, &s) == end;
            set_all();
            past += tac_state_hash(&m, &s) != tac_state_hash(&m, &begun);
            if (run == 0) { begin_world(&m, &s); }
            if (run == 1) { truth_copy(&s, &fresh, sizeof s); }
            set_all();
            *(run == 0 ? &initialised : &copied) &= run == 2 || truth_equal(&s, &begun, sizeof s);
        }
    }
    tap_ok(initialised, "a state that is initialised again and set is a new one that is set");
    tap_ok(copied, "so is one that a copy of a new one has overwritten");
    tap_ok(stepped, "and each of its runs has the same bits");
    tap_least(past, SEEDS, "what is only set keeps a part of its past");
}

// ---------------------------------------------------------------------------------------------------------- few digits

// A quaternion as it is typed, about any axis.
static tac_quat typed(uint32_t axis)
{
    const tac_real c = (tac_real)0.707;
    return (tac_quat){c, axis == 0 ? c : 0, axis == 1 ? c : 0, axis == 2 ? c : 0};
}

static double off_unit(tac_quat x)
{
    const dq a = dq_of(x);
    return d_abs(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z - 1);
}

// A shape on the ground and one on a body, joined by a ball joint, with one of all quaternions typed.
static void typed_world(uint8_t a, uint8_t b, int which)
{
    tac_joint j;
    tac_model_init(&m);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_body body = tac_body_make(TAC_DYNAMIC, vec(0.01, 0.3, 1.05));
    tac_model_add_body(&m, &body);
    tac_shape ground = tac_shape_make(0, a, vec(1, 1, 1)), small = tac_shape_make(1, b, vec(0.1, 0.1, 0.1));
    if (a == TAC_HALF_SPACE) { ground.pose.p.z = 1; }
    tac_model_add_shape(&m, &ground);
    tac_model_add_shape(&m, &small);
    tac_joint_init(&j, TAC_SPHERICAL, 0, 1);
    j.frame_a.p = vec(0.01, 0.3, 1.05);
    j.collide = 1;
    if (which >= 4) { tac_model_add_joint(&m, &j); }
    tac_quat *all[] = {&m.shape[0].pose.q,    &m.shape[1].pose.q,    &m.body[1].pose.q,
                       &m.body[1].inertial.q, &m.joint[0].frame_a.q, &m.joint[0].frame_b.q};
    *all[which] = typed((uint32_t)(a + b) % 3);
}

static void test_digits(void)
{
    static const uint16_t field[] = {TAC_FIELD_SHAPE_POSE, TAC_FIELD_SHAPE_POSE,  TAC_FIELD_POSE,
                                     TAC_FIELD_INERTIAL,   TAC_FIELD_JOINT_FRAME, TAC_FIELD_JOINT_FRAME};
    int named = 1, sealed = 1, good = 1, same = 1;
    double worst = 0;
    for (uint8_t a = 0; a <= TAC_ELLIPSOID; a++) {
        for (uint8_t b = TAC_SPHERE; b <= TAC_ELLIPSOID; b++) {
            for (int which = 0; which < 6; which++) {
                typed_world(a, b, which);
                named &= tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == field[which] &&
                         fault.reason == TAC_REASON_NOT_UNIT;
                sealed &= tac_model_seal(&m, NULL) == TAC_OK && tac_model_check(&m, NULL) == TAC_OK;
                d_worst(&worst, off_unit(m.shape[0].pose.q));
                d_worst(&worst, off_unit(m.shape[1].pose.q));
                const uint32_t hash = m.hash;
                same &= tac_model_seal(&m, NULL) == TAC_OK && m.hash == hash;
                sealed &= tac_state_init(&m, &s, NULL) == TAC_OK;
                for (int k = 0; k < 20; k++) {
                    good &= tac_step(&m, &s, NULL, &w) >= 0 && tac_check(&m, &s, &w, &fault) == TAC_OK;
                }
            }
        }
    }
    tap_ok(named, "a quaternion with three digits is named by the check");
    tap_ok(sealed, "and made unit by the seal");
    tap_most(worst, TOL(4e-15, 2e-6), "to rounding");
    tap_ok(same, "one that is unit keeps its bits");
    tap_ok(good, "and every step passes its check");
    s.pose[1].q = typed(0);
    tap_equal(tac_step(&m, &s, NULL, &w), TAC_E_ARG, "one that is written into a state is refused");
    tap_ok(w.report.fault.field == TAC_FIELD_POSE && w.report.fault.reason == TAC_REASON_NOT_UNIT, "by name");
}

// ----------------------------------------------------------------------------------------------------------- the trunk

// A joint of the trunk is named.
static int names_trunk(void)
{
    return fault.reason == TAC_REASON_APART && fault.field == TAC_FIELD_JOINT && fault.index < m.joints &&
           (m.joint[fault.index].body_a == 1 || m.joint[fault.index].body_b == 1);
}

static void test_trunk(void)
{
    int named = 1, told = 1, moving = 1, mended = 1, clean = 1;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rng r = {seed};
        const tac_twist fast = {vec(0.6, 0, 0), vec(0, 0, 0)}, none = {vec(0, 0, 0), vec(0, 0, 0)};
        add_links(&r, 1);
        for (uint32_t i = 0; i < m.joints; i++) {
            m.joint[i].kind = TAC_REVOLUTE;
            m.joint[i].length = 1;
        }
        m.body[1].kind = TAC_DYNAMIC;
        m.hash = 0;
        begin_world(&m, &s);
        tac_joint_state x[LINKS] = {{0, 0}};
        tac_pose pose = tac_state_get_pose(&m, &s, 1);
        tac_state_set_body(&m, &s, 1, pose, none);
        tac_state_set_joints(&m, &s, x);
        clean &= tac_check(&m, &s, NULL, &fault) == TAC_OK;

        tac_state_set_body(&m, &s, 1, pose, fast);
        moving &= tac_check(&m, &s, NULL, &fault) == TAC_UNCONVERGED && names_trunk();
        pose.p.z += (tac_real)0.1;
        tac_state_set_body(&m, &s, 1, pose, fast);
        named &= tac_check(&m, &s, NULL, &fault) == TAC_UNCONVERGED && names_trunk();
        truth_copy(&before, &s, sizeof s);
        tac_step(&m, &s, NULL, &w);
        fault = w.report.fault;
        told &= w.report.status >= 0 && names_trunk();

        truth_copy(&s, &before, sizeof s);
        if (seed % 2) {
            tac_state_set_joints(&m, &s, x);
        } else {
            read_all();
            tac_state_set_coordinates(&m, &s, q, rate, &w);
        }
        mended &= tac_check(&m, &s, NULL, &fault) == TAC_OK && s.twist[LINKS].v.x > (tac_real)0.59;
        tac_step(&m, &s, NULL, &w);
        mended &= w.report.fault.reason == TAC_REASON_NONE;
    }
    tap_ok(clean, "a robot that is placed by its joints holds");
    tap_ok(named, "a trunk that is moved alone is named by tac_check()");
    tap_ok(moving, "so is one that has a velocity of its own");
    tap_ok(told, "and by the report of the step");
    tap_ok(mended, "functions that set a robot take the rest along");
}

// --------------------------------------------------------------------------------------------------------- full tables

static int32_t add_one(int table)
{
    static const tac_height sample[4] = {0, 0, 0, 0};
    static const tac_vec3 point[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    const tac_shape shape = tac_shape_make(0, TAC_SPHERE, vec(1, 0, 0));
    tac_joint j;
    tac_joint_init(&j, TAC_SPHERICAL, 0, 1);
    switch (table) {
    case TAC_COUNT_BODIES:
        return tac_model_add_body(&m, &b);
    case TAC_COUNT_SHAPES:
        return tac_model_add_shape(&m, &shape);
    case TAC_COUNT_MATERIALS:
        return tac_model_add_material(&m, 0, 0);
    case TAC_COUNT_MATERIAL_PAIRS:
        return tac_model_add_material_pair(&m, 0, 0, 0, 0);
    case TAC_COUNT_EXCLUSIONS:
        return tac_model_add_exclusion(&m, 0, 1);
    case TAC_COUNT_JOINTS:
        return tac_model_add_joint(&m, &j);
    case TAC_COUNT_POLYHEDRA:
        return tac_model_add_hull(&m, point, 4);
    default:
        return tac_model_add_height_field(&m, sample, 2, 2, 1, 1, 1);
    }
}

static void test_full(void)
{
    static const int table[] = {TAC_COUNT_BODIES,     TAC_COUNT_SHAPES, TAC_COUNT_MATERIALS, TAC_COUNT_MATERIAL_PAIRS,
                                TAC_COUNT_EXCLUSIONS, TAC_COUNT_JOINTS, TAC_COUNT_POLYHEDRA, TAC_COUNT_HEIGHT_FIELDS};
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        int32_t got = 0;
        tac_model_init(&m);
        add_one(TAC_COUNT_MATERIALS);
        add_one(TAC_COUNT_BODIES);
        for (int k = 0; k <= 1000 && got >= 0; k++) { got = add_one(table[i]); }
        tap_equal(got, TAC_E_FULL, "a table is full");
        if (table[i] != TAC_COUNT_SHAPES) { add_one(TAC_COUNT_SHAPES); } // later successes do not hide it
        tap_equal(tac_model_seal(&m, &fault), TAC_E_FULL, "the seal refuses it");
        tap_ok(fault.field == TAC_FIELD_COUNT && fault.index == table[i] && fault.reason == TAC_REASON_FULL, "by name");
        tap_equal(tac_state_init(&m, &s, &fault), TAC_E_MODEL, "no state is made of it");
        m.hash = 0;
        tap_equal(tac_model_seal(&m, NULL), TAC_OK, "what has found room is sealed on request");
    }
}

static void test_sealed(void)
{
    rng r = {7};
    int found = 1;
    tac_model_init(&m);
    tap_equal(tac_state_init(&m, &s, &fault), TAC_E_MODEL, "a model that is not sealed has no state");
    tap_ok(fault.field == TAC_FIELD_HASH && fault.reason == TAC_REASON_UNSEALED, "and the fault says so");
    add_links(&r, 0);
    tap_equal(tac_check(&m, &s, NULL, &fault), TAC_UNCONVERGED, "a robot whose links are anywhere does not hold");
    throw_it(&r);
    tap_equal(tac_check(&m, &s, NULL, &fault), TAC_OK, "one that is placed by its coordinates is good");
    tac_real *const changed[] = {&m.h,
                                 &m.gravity.z,
                                 &m.body[3].mass,
                                 &m.joint[2].damping,
                                 &m.shape[1].size.x,
                                 &m.material[0].friction,
                                 &m.options.projection};
    for (unsigned i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        const tac_real was = *changed[i];
        *changed[i] = was * (tac_real)0.5 + (tac_real)1e-3;
        found &= tac_check(&m, &s, NULL, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_HASH &&
                 fault.reason == TAC_REASON_CHANGED;
        found &= tac_state_init(&m, &before, &fault) == TAC_E_MODEL && fault.reason == TAC_REASON_CHANGED;
        *changed[i] = was;
    }
    tap_ok(found, "a field that is changed after the seal is found");
    m.h = 2;
    tap_equal(tac_model_seal(&m, &fault), TAC_E_MODEL, "two seconds are no step");
    tap_ok(fault.field == TAC_FIELD_H && fault.reason == TAC_REASON_RANGE, "by name");
}

static void test_order(void)
{
    static tac_certificate c;
    rng r = {3};
    add_links(&r, 0);
    tac_step_begin(&m, &s, NULL, &w);
    tac_step_end(&m, &s, &w);
    const tac_status said[] = {tac_step_sweep(&m, &w, 1), tac_step_end(&m, &s, &w)};
    tap_ok(said[0] == TAC_E_ORDER && said[1] == TAC_E_ORDER, "there is no step to sweep or to end");
    tap_ok(w.report.fault.field == TAC_FIELD_CALL && w.report.fault.reason == TAC_REASON_ORDER, "the fault says so");
    tac_step_begin(&m, &s, NULL, &w);
    tap_ok(tac_certify(&m, &w, &c) == TAC_E_ORDER && w.report.fault.field == TAC_FIELD_CALL, "nor one to certify");
}

// ----------------------------------------------------------------------------------------------------------- sentences

static char text[600];

static int says(const char *want)
{
    const uint32_t length = tac_fault_text(&fault, &m, NULL, &input, text, sizeof text);
    uint32_t i = 0;
    while (i < length && text[i] == want[i]) { i++; }
    if (i == length && want[i] == '\0' && text[i] == '\0') { return 1; }
    tap_ok(0, text);
    return 0;
}

static int sealed_says(const char *want)
{
    m.hash = 0;
    tac_model_seal(&m, &fault);
    return says(want);
}

static void test_sentences(void)
{
    rng r = {5};
    int good = 1;
    add_links(&r, 1);
    fault = (tac_fault){0, 0, 0};
    good &= says("nothing is wrong");
    m.body[2].mass = (tac_real)-2.5;
    good &= sealed_says("body[2].mass = -2.5 is not positive");
    m.body[2].mass = 1;
    m.body[3].inertia = vec(0.125, 0.125, 0.5);
    good &= sealed_says("body[3].inertia = (0.125, 0.125, 0.5) breaks the triangle inequality");
    m.body[3].inertia = vec(0.125, 0.125, 0.125);
    m.joint[1].damping = real_nan();
    good &= sealed_says("joint[1].damping = NaN is not finite");
    m.joint[1].damping = 0;
    m.options.max_sweeps = 20000;
    good &= sealed_says("options.max_sweeps = 20000 is out of range");
    m.options.max_sweeps = 50;
    m.h = 100;
    good &= sealed_says("h = 100 is out of range");
    m.h = (tac_real)1e-3;
    m.shape[4].body = 77;
    good &= sealed_says("shape[4].body = 77 is out of range");
    m.shape[4].body = 1;
    m.bodies = 500;
    good &= sealed_says("the number of bodies is out of range");
    m.bodies = LINKS + 1;
    m.hash = 0;
    tac_state_init(&m, &s, &fault);
    good &= says("the model is not sealed");
    tac_model_seal(&m, NULL);
    m.gravity.z = 0;
    tac_state_init(&m, &s, &fault);
    good &= says("the model has changed since it was sealed");
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 0, (tac_real)-40, 0, 0, TAC_MOTOR_PD};
    for (uint16_t i = 0; m.joint[i].kind == TAC_FIXED; i++) { input.motor[0].joint = (uint16_t)(i + 1); }
    tac_step(&m, &s, &input, &w);
    fault = w.report.fault;
    good &= says("motor[0].stiffness = -40 is out of range");
    fault = (tac_fault){TAC_FIELD_COUNT, TAC_COUNT_EXCLUSIONS, TAC_REASON_FULL};
    good &= says("the table of exclusions is full");
    fault = (tac_fault){TAC_FIELD_CONTACT, 12, TAC_REASON_FULL};
    good &= says("there is no room for 12 contacts");
    fault = (tac_fault){TAC_FIELD_JOINT, 3, TAC_REASON_APART};
    good &= says("joint[3] does not hold: its bodies are apart");
    fault = (tac_fault){TAC_FIELD_COUNT, TAC_COUNT_JOINTS, TAC_REASON_METHOD};
    good &= says("the number of joints is not what this method is for");
    tap_ok(good, "faults are sentences, with the value");

    good = 1;
    for (uint32_t field = 0; field <= TAC_FIELDS + 1; field++) {
        for (uint32_t reason = 1; reason <= TAC_REASONS; reason++) {
            fault = (tac_fault){(uint16_t)field, 65535, reason};
            const uint32_t length = tac_fault_text(&fault, &m, &s, &input, text, sizeof text);
            good &= length < sizeof text && text[length] == '\0';
            char small[8] = {1, 1, 1, 1, 1, 1, 1, 1};
            good &= tac_fault_text(&fault, NULL, NULL, NULL, small, 4) > 0 && small[3] == '\0' && small[4] == 1;
        }
    }
    tap_ok(good && tac_fault_text(&fault, &m, &s, &input, NULL, 0) > 0, "whatever the fault, and the room");
}

// The number that stands behind "= ".
static double number_in_text(void)
{
    const char *c = text;
    double x = 0, unit = 1;
    int point = 0, exponent = 0, sign = 1;
    while (*c != '=') { c++; }
    c += 2;
    const int minus = *c == '-';
    for (c += minus; (*c >= '0' && *c <= '9') || *c == '.'; c++) {
        point |= *c == '.';
        if (*c == '.') { continue; }
        x = 10 * x + (*c - '0');
        if (point) { unit *= 10; }
    }
    if (*c == 'e') {
        if (*++c == '-') { sign = -1, c++; }
        for (; *c >= '0' && *c <= '9'; c++) { exponent = 10 * exponent + (*c - '0'); }
    }
    x /= unit;
    for (; exponent > 0; exponent--) { x = sign > 0 ? x * 10 : x / 10; }
    return minus ? -x : x;
}

static void test_numbers(void)
{
    double worst = 0;
    rng r = {11};
    tac_model_init(&m);
    fault = (tac_fault){TAC_FIELD_H, 0, TAC_REASON_RANGE};
    for (int i = 0; i < RUN(20000, 2000); i++) {
        double x = rng_range(&r, -1, 1);
        for (int k = (int)rng_below(&r, 60) - 30; k != 0; k += k < 0 ? 1 : -1) { x *= k < 0 ? 0.1 : 10; }
        m.h = (tac_real)x;
        tac_fault_text(&fault, &m, NULL, NULL, text, sizeof text);
        if (m.h != 0) { d_worst(&worst, d_abs(number_in_text() / (double)m.h - 1)); }
    }
    tap_most(worst, TOL(5.001e-6, 8e-6), "numbers have six digits");
    m.h = (tac_real)9.9999996;
    tap_ok(says("h = 10 is out of range"), "all nines are rounded up");
}

static int same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) { a++, b++; }
    return *a == *b;
}

static void test_statuses(void)
{
    tap_ok(same(tac_status_name(TAC_OK), "done") && same(tac_status_name(TAC_E_FULL), "table full"),
           "names of statuses");
    tap_ok(same(tac_status_name(TAC_RELAXED | TAC_UNCONVERGED), "not converged"), "of several flags the lowest");
    tap_ok(same(tac_status_name(-77), "?") && same(tac_status_name(1 << 20), "?"), "? for others");
}

int main(void)
{
    test_setters();
    test_coupled();
    test_neutral();
    test_reset();
    test_digits();
    test_trunk();
    test_full();
    test_sealed();
    test_order();
    test_sentences();
    test_numbers();
    test_statuses();
    return tap_done();
}
