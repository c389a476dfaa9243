// SPDX-License-Identifier: MIT
// dynamics.c - a second opinion on equations of motion, by a library that others wrote: MuJoCo, in double precision.
//   given   -DMODEL='"FILE"', the model that urdf2tactus wrote as `robot_model`; a file that may be written
//   makes   TAP: mass matrix, bias, inverse and forward dynamics, Jacobian, centre of mass and momenta in random states
//   bound   STATES states
//   never   reads the robot's file: MuJoCo is told the bodies and joints of the model
// Each body's frame is its principal frame there, so that the coordinates of a free root are those of its twist.
#include MODEL
#include "tap.h"
#include "truth.h"
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

enum { STATES = 50, MOST = 6 * TAC_MAX_BODIES };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_coordinates map;
static mjModel *other;
static mjData *data;
static int n, place[MOST], address[MOST]; // of MuJoCo's dof and of its position, for each of our velocities

// ----------------------------------------------------------------------------------------------------- MuJoCo's model

// A frame of a joint in the principal frame of its body.
static void local_frame(uint16_t body, tac_pose frame, d3 *p, dq *q)
{
    const tac_pose own = m.body[body].inertial;
    const dq back = dq_conjugate(dq_of(own.q));
    *p = dq_rotate(back, d3_sub(d3_of(frame.p), d3_of(own.p)));
    *q = dq_mul(back, dq_of(frame.q));
}

static void write_body(FILE *f, uint16_t body, const tac_joint *by);

static void write_children(FILE *f, uint16_t body)
{
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].body_a == body) { write_body(f, m.joint[i].body_b, &m.joint[i]); }
    }
}

// A body on a joint, or free if `by` is NULL.
static void write_body(FILE *f, uint16_t body, const tac_joint *by)
{
    const tac_body *b = &m.body[body];
    d3 p = {0, 0, 0}, at = {0, 0, 0};
    dq q = {1, 0, 0, 0}, turn = q;
    if (by != NULL) {
        d3 on;
        local_frame(by->body_a, by->frame_a, &on, &q);
        local_frame(by->body_b, by->frame_b, &at, &turn);
        q = dq_mul(q, dq_conjugate(turn));
        p = d3_sub(on, dq_rotate(q, at));
        if (by->body_a == 0) { // the world of MuJoCo is ours
            const dq ground = dq_of(s.pose[0].q);
            p = d3_add(d3_of(s.pose[0].p), dq_rotate(ground, p));
            q = dq_mul(ground, q);
        }
    }
    fprintf(f, "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">\n", body, p.x, p.y, p.z,
            q.w, q.x, q.y, q.z);
    fprintf(f, "<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n", (double)b->mass,
            (double)b->inertia.x, (double)b->inertia.y, (double)b->inertia.z);
    if (by == NULL) {
        fprintf(f, "<freejoint name=\"f%d\"/>\n", body);
    } else if (by->kind != TAC_FIXED) {
        const d3 z = dq_rotate(turn, d3_make(0, 0, 1));
        fprintf(f,
                "<joint name=\"j%d\" type=\"%s\" pos=\"%.17g %.17g %.17g\" axis=\"%.17g %.17g %.17g\" "
                "armature=\"%.17g\"/>\n",
                (int)(by - m.joint), by->kind == TAC_PRISMATIC ? "slide" : "hinge", at.x, at.y, at.z, z.x, z.y, z.z,
                (double)by->armature);
    }
    write_children(f, body);
    fprintf(f, "</body>\n");
}

// Joints and free roots by their names: where MuJoCo has the coordinate that is our k-th.
static void find(const char *kind, int index, int velocity, int count)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", kind, index);
    const int joint = mj_name2id(other, mjOBJ_JOINT, name);
    for (int i = 0; i < count; i++) {
        place[velocity + i] = other->jnt_dofadr[joint] + i;
        address[velocity + i] = other->jnt_qposadr[joint];
    }
}

static int begin(const char *path)
{
    char error[1000] = "";
    truth_copy(&m, &robot_model, sizeof m);
    m.shapes = 0;
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { return 0; }
    if (tac_model_get_coordinates(&m, &w, &map) != TAC_OK) { return 0; }
    n = map.velocities;
    FILE *f = fopen(path, "w");
    if (f == NULL) { return 0; }
    fprintf(f, "<mujoco><compiler angle=\"radian\"/><option gravity=\"%.17g %.17g %.17g\"/><worldbody>\n",
            (double)m.gravity.x, (double)m.gravity.y, (double)m.gravity.z);
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (map.body[i].velocity != TAC_NONE) { write_body(f, i, NULL); }
    }
    write_children(f, 0);
    fprintf(f, "</worldbody></mujoco>\n");
    fclose(f);
    other = mj_loadXML(path, NULL, error, sizeof error);
    if (other == NULL) { printf("# %s\n", error); }
    if (other == NULL || other->nv != n) { return 0; }
    data = mj_makeData(other);
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (map.body[i].velocity != TAC_NONE) { find("f", i, map.body[i].velocity, 6); }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].kind != TAC_FIXED) { find("j", (int)i, map.joint[i].velocity, 1); }
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------- states

static tac_real q[7 * TAC_MAX_BODIES], rate[MOST], ddq[MOST];

// The same state here and there.
static int draw(rng *r)
{
    for (int i = 0; i < n; i++) {
        rate[i] = (tac_real)rng_range(r, -2, 2);
        ddq[i] = (tac_real)rng_range(r, -10, 10);
        data->qvel[place[i]] = (double)rate[i];
        data->qacc[place[i]] = (double)ddq[i];
    }
    for (uint16_t i = 1; i < m.bodies; i++) {
        if (map.body[i].position == TAC_NONE) { continue; }
        tac_real *x = q + map.body[i].position;
        const dq turn = rng_quat(r);
        const double norm = sqrt(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
        for (int k = 0; k < 3; k++) { x[k] = (tac_real)rng_range(r, -1, 1); }
        x[3] = (tac_real)(turn.w / norm), x[4] = (tac_real)(turn.x / norm);
        x[5] = (tac_real)(turn.y / norm), x[6] = (tac_real)(turn.z / norm);
        for (int k = 0; k < 7; k++) { data->qpos[address[map.body[i].velocity] + k] = (double)x[k]; }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].kind == TAC_FIXED) { continue; }
        const double most = m.joint[i].kind == TAC_PRISMATIC ? 0.5 : 3;
        q[map.joint[i].position] = (tac_real)rng_range(r, -most, most);
        data->qpos[address[map.joint[i].velocity]] = (double)q[map.joint[i].position];
    }
    return tac_state_set_coordinates(&m, &s, q, rate, &w) == TAC_OK;
}

// ------------------------------------------------------------------------------------------------------------- errors

typedef struct errors {
    double matrix, bias, inverse, forward, jacobian, centroid;
} errors;

static double full[MOST * MOST];

// Of a vector, by the unit of each coordinate: sqrt(M_kk) of an effort, its inverse of an acceleration.
static double differ(const tac_real *a, const double *b, double power)
{
    double worst = 0, most = 0;
    for (int k = 0; k < n; k++) {
        const double unit = pow(full[place[k] * n + place[k]], 0.5 * power);
        most = d_max(most, fabs(b[place[k]]) * unit);
        d_worst(&worst, ((double)a[k] - b[place[k]]) * unit);
    }
    return worst / most;
}

static double off(tac_vec3 a, const double *b, double scale)
{
    return d3_norm(d3_sub(d3_of(a), d3_make(b[0], b[1], b[2]))) / scale;
}

static void compare_point(rng *r, errors *e)
{
    static tac_real j[6 * MOST];
    static double jp[3 * MOST], jr[3 * MOST];
    char name[32];
    const uint16_t body = (uint16_t)(1 + rng_below(r, (uint32_t)m.bodies - 1));
    const tac_vec3 point = d3_to(rng_box(r, 0.3));
    tac_point_motion at;
    tac_body_point(&m, &s, body, point, TAC_AXES_WORLD, &w, &at);
    tac_jacobian(&m, &s, body, point, TAC_AXES_WORLD, &w, j);
    snprintf(name, sizeof name, "b%d", body);
    const double x[3] = {(double)at.position.x, (double)at.position.y, (double)at.position.z};
    mj_jac(other, data, jp, jr, x, mj_name2id(other, mjOBJ_BODY, name));
    for (int row = 0; row < 6; row++) {
        for (int k = 0; k < n; k++) {
            const double theirs = row < 3 ? jp[row * n + place[k]] : jr[(row - 3) * n + place[k]];
            d_worst(&e->jacobian, (double)j[row * n + k] - theirs);
        }
    }
}

static void compare_centroid(errors *e)
{
    tac_centroid c;
    tac_centroidal(&m, &s, TAC_NONE, &w, &c, NULL);
    mj_subtreeVel(other, data);
    double size = (double)c.mass;
    d_worst(&e->centroid, off(c.centre, data->subtree_com, 1));
    d_worst(&e->centroid, off(c.velocity, data->subtree_linvel, 1));
    d_worst(&e->centroid, off(c.angular, data->subtree_angmom, size));
}

static void compare(rng *r, errors *e)
{
    static tac_real matrix[MOST * MOST], x[MOST], effort[MOST];
    static double wanted[MOST];
    mj_inverse(other, data);
    for (int k = 0; k < n; k++) { wanted[k] = data->qfrc_inverse[k]; }
    mj_fullM(other, full, data->qM);
    tac_mass_matrix(&m, &s, &w, matrix);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            const double unit = sqrt(full[place[i] * n + place[i]] * full[place[k] * n + place[k]]);
            d_worst(&e->matrix, ((double)matrix[i * n + k] - full[place[i] * n + place[k]]) / unit);
        }
    }
    tac_inverse_dynamics(&m, &s, ddq, &w, effort);
    d_worst(&e->inverse, differ(effort, wanted, -1));
    for (int k = 0; k < n; k++) { data->qfrc_applied[place[k]] = (double)effort[k]; }
    mj_forward(other, data);
    tac_bias(&m, &s, &w, x);
    d_worst(&e->bias, differ(x, data->qfrc_bias, -1));
    tac_forward_dynamics(&m, &s, effort, &w, x);
    d_worst(&e->forward, differ(x, data->qacc, 1));
    compare_point(r, e);
    compare_centroid(e);
}

int main(int arguments, char **argument)
{
    errors e = {0};
    rng r = {1};
    const int ready = arguments > 1 && begin(argument[1]);
    tap_ok(ready, "both take the robot");
    int good = 1;
    for (int i = 0; i < STATES && ready; i++) {
        good &= draw(&r);
        compare(&r, &e);
    }
    tap_note("coordinates", n);
    tap_ok(good, "states are set");
    tap_most(e.matrix, TOL(1e-10, 1e-4), "mass matrix");
    tap_most(e.bias, TOL(1e-10, 1e-4), "bias");
    tap_most(e.inverse, TOL(1e-10, 1e-4), "inverse dynamics");
    tap_most(e.forward, TOL(1e-10, 1e-4), "forward dynamics");
    tap_most(e.jacobian, TOL(1e-10, 1e-4), "Jacobian of a point");
    tap_most(e.centroid, TOL(1e-10, 1e-4), "centre of mass, its velocity, angular momentum about it");
    return tap_done();
}
