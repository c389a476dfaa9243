// SPDX-License-Identifier: MIT
// c3.c - the system of tac_linearise() in the variables, units and order of c3.
#include "c3.h"
#include "quaternion.h"

#include <math.h>

// The kernel's x~ = (q~, v~) are displacements from the state and rates; c3's x = (q, v) are places, with quaternions,
// and rates in the world frame, q' = N v. From the kernel come the velocities at the end of a step, v+ = A_v x + B_v u
// + D_v l + d_v: for A_v by the derivatives of x~ by x (`from`) at the start of the step and of v by x~ (`to`) at its
// end. D_v and F are those of the state, in other units. All else is as in c3, with N+ the left inverse of N, J and phi
// of the contacts at the state (q*, v*):
//      q+ = q + h N v+,    phi + J_n (N+ (q - q*) + h v+) >= 0 (m),    J_t v+ + slack >= 0 (m/s),    mu l_n - sum l_t
//      >= 0 (N)
// or after Anitescu (phi + J_n N+ (q - q*))/h + (J_n + mu J_t) v+ >= 0 (m/s).
enum {
    MOST_V = 6 * (TAC_MAX_BODIES + 1),
    MOST_Q = MOST_V + TAC_MAX_BODIES + 1 + TAC_MAX_JOINTS,
    MOST_X = MOST_Q + MOST_V,
    MOST_L = TAC_MAX_LCP
};

// Of a step. Matrices are as wide as they are said to be.
static struct {
    const tac_lcs *y;
    double h;
    unsigned q, v, x, u, l;
    double N[MOST_Q * MOST_V], back[MOST_V * MOST_Q];          // n_q x n, and its left inverse
    double from[2 * MOST_V * MOST_X], to[MOST_V * 2 * MOST_V]; // 2 n x n_x, n x 2 n
    double V[MOST_V * MOST_V], inverse[MOST_V * MOST_V];       // v by v~ at the start, n x n, and its inverse
    double start[2 * MOST_V], end[2 * MOST_V], late[MOST_V];   // x~ at the start; at the end without impulses; v there
    double A_v[MOST_V * MOST_X], J[3 * TAC_MAX_CONTACTS * MOST_V]; // n x n_x; n, u, w of each contact, by v
    double half[2 * MOST_V * MOST_X];
} t;

static double A[MOST_X * MOST_X], B[MOST_X * MOST_V], D[MOST_X * MOST_L], d[MOST_X];
static double E[MOST_L * MOST_X], F[MOST_L * MOST_L], H[MOST_L * MOST_V], c[MOST_L], x[MOST_X];

static quaternion turned(quaternion q, quaternion a)
{
    return quaternion_product(quaternion_product(q, a), (quaternion){q.w, -q.x, -q.y, -q.z});
}

static quaternion crossed(quaternion a, quaternion b)
{
    return (quaternion){0, a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static quaternion axis(unsigned i)
{
    return (quaternion){0, i == 0, i == 1, i == 2};
}

// The last numbers of a quaternion in a column.
static void put(double *matrix, unsigned wide, unsigned row, unsigned column, quaternion a, unsigned count)
{
    const double of[4] = {a.w, a.x, a.y, a.z};

    for (unsigned i = 0; i < count; i++) matrix[(row + i) * wide + column] += of[4 - count + i];
}

static void clear(double *to, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = 0;
}

// to += s a b, of `rows` x `inner` and `inner` x `columns`
static void add(double s, const double *a, const double *b, unsigned rows, unsigned inner, unsigned columns, double *to)
{
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned k = 0; k < inner; k++) {
            const double by = s * a[i * inner + k];
            for (unsigned j = 0; j < columns && by != 0; j++) to[i * columns + j] += by * b[k * columns + j];
        }
    }
}

static const double *doubles(const tac_real *from, size_t count)
{
    static double to[2 * MOST_V * (MOST_L > 2 * MOST_V ? MOST_L : 2 * MOST_V)];

    for (size_t i = 0; i < count; i++) to[i] = (double)from[i];
    return to;
}

// ----------------------------------------------------------------------------------------------------------- variables

static quaternion quaternion_at(const tac_real *q)
{
    return (quaternion){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

// A coordinate that both have: its place in q of c3, the rates of both.
static void same(unsigned place, unsigned rate, unsigned own)
{
    t.N[place * t.v + rate] = t.back[rate * t.q + place] = 1;
    t.from[own * t.x + place] = 1;
}

static void same_rate(unsigned rate, unsigned own)
{
    t.V[rate * t.v + own] = t.inverse[own * t.v + rate] = t.to[rate * 2 * t.v + t.v + own] = 1;
}

// A quaternion q that three rates of c3 turn, in the axes that it turns against.
static void turns(quaternion q, unsigned place, unsigned rate)
{
    put(x, 1, place, 0, q, 4);
    for (unsigned i = 0; i < 3; i++) {
        const quaternion by = quaternion_product(axis(i), q);
        put(t.N, t.v, place, rate + i, (quaternion){by.w / 2, by.x / 2, by.y / 2, by.z / 2}, 4);
        const double of[4] = {by.w, by.x, by.y, by.z};
        for (unsigned k = 0; k < 4; k++) t.back[(rate + i) * t.q + place + k] = 2 * of[k];
    }
}

// A free body. The kernel has its place first, and its rates w in its own axes; turned by e in these, R(q) w changes by
// R (e x w).
static void root(const tac_real *q, unsigned place, unsigned rate)
{
    const double *by = t.end + rate + 3, angle = sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    const double s = angle > 0 ? sin(angle / 2) / angle : 0.5;
    const quaternion turn = quaternion_at(q + place + 3), back = {turn.w, -turn.x, -turn.y, -turn.z};
    const quaternion late = quaternion_product(turn, (quaternion){cos(angle / 2), s * by[0], s * by[1], s * by[2]});
    const quaternion w = {0, t.start[t.v + rate + 3], t.start[t.v + rate + 4], t.start[t.v + rate + 5]};
    const quaternion late_w = {0, t.end[t.v + rate + 3], t.end[t.v + rate + 4], t.end[t.v + rate + 5]};

    turns(turn, place, rate);
    put(x, 1, t.q + rate, 0, turned(turn, w), 3);
    put(t.late, 1, rate, 0, turned(late, late_w), 3);
    for (unsigned i = 0; i < 3; i++) {
        const quaternion e = axis(i), own = turned(back, e); // an axis of the world, in those of the body
        x[place + 4 + i] = (double)q[place + i];
        x[t.q + rate + 3 + i] = t.start[t.v + rate + i];
        t.late[rate + 3 + i] = t.end[t.v + rate + i];
        same(place + 4 + i, rate + 3 + i, rate + i);
        same_rate(rate + 3 + i, rate + i);
        put(t.V, t.v, rate, rate + 3 + i, turned(turn, e), 3);
        put(t.inverse, t.v, rate + 3, rate + i, own, 3);
        put(t.to, 2 * t.v, rate, t.v + rate + 3 + i, turned(late, e), 3);
        put(t.to, 2 * t.v, rate, rate + 3 + i, turned(late, crossed(e, late_w)), 3);
        for (unsigned k = 0; k < 4; k++) { // where R(q) w stays, w changes by -e x w
            const double part = t.back[(rate + i) * t.q + place + k];
            const quaternion lost = crossed(own, w);
            put(t.from, t.x, rate + 3, place + k, (quaternion){0, part * own.x, part * own.y, part * own.z}, 3);
            put(t.from, t.x, t.v + rate + 3, place + k, (quaternion){0, -part * lost.x, -part * lost.y, -part * lost.z},
                3);
        }
    }
}

#if TAC_MAX_JOINTS > 0

static void joint(uint8_t kind, const tac_real *q, unsigned place, unsigned rate)
{
    static const uint8_t axes[TAC_JOINT_KINDS] = {0, 1, 1, 1, 0, 3, 2, 2, 3, 0, 0, 0};

    if (kind == TAC_SPHERICAL) turns(quaternion_at(q + place), place, rate);
    for (unsigned i = 0; i < axes[kind]; i++) {
        x[t.q + rate + i] = t.start[t.v + rate + i];
        t.late[rate + i] = t.end[t.v + rate + i];
        same_rate(rate + i, rate + i);
        if (kind == TAC_SPHERICAL) {
            for (unsigned k = 0; k < 4; k++)
                t.from[(rate + i) * t.x + place + k] = t.back[(rate + i) * t.q + place + k];
        } else {
            x[place + i] = (double)q[place + i];
            same(place + i, rate + i, rate + i);
        }
    }
}

#endif

static void variables(const tac_model *m, const tac_state *s, tac_work *w)
{
    static tac_coordinates map;
    static tac_real q[TAC_MAX_POSITIONS], v[TAC_MAX_VELOCITIES];

    tac_model_get_coordinates(m, w, &map);
    tac_state_get_coordinates(m, s, w, q, v);
    t.q = map.positions, t.v = map.velocities, t.x = t.q + t.v;
    for (unsigned i = 0; i < t.v; i++) t.start[i] = 0, t.start[t.v + i] = (double)v[i];
    for (unsigned i = 0; i < 2 * t.v; i++) {
        t.end[i] = (double)t.y->d[i];
        for (unsigned j = 0; j < 2 * t.v; j++) t.end[i] += (double)t.y->A[i * 2 * t.v + j] * t.start[j];
    }
    clear(t.N, (size_t)t.q * t.v), clear(t.back, (size_t)t.q * t.v), clear(t.from, (size_t)2 * t.v * t.x);
    clear(t.to, (size_t)2 * t.v * t.v), clear(t.V, (size_t)t.v * t.v), clear(t.inverse, (size_t)t.v * t.v);
    clear(x, t.x), clear(t.late, t.v);
    for (uint16_t b = 0; b < m->bodies; b++) {
        if (map.body[b].velocity != TAC_NONE) root(q, map.body[b].position, map.body[b].velocity);
    }
#if TAC_MAX_JOINTS > 0
    for (uint32_t j = 0; j < m->joints; j++) {
        if (map.joint[j].velocity == TAC_NONE) continue;
        joint(m->joint[j].kind, q, map.joint[j].position, map.joint[j].velocity);
    }
#endif
    for (unsigned i = 0; i < t.v; i++) {
        for (unsigned j = 0; j < t.v; j++) t.from[(t.v + i) * t.x + t.q + j] = t.inverse[i * t.v + j];
    }
}

// --------------------------------------------------------------------------------------------------------------- rows

// Which row of the kernel a row is, its force over the kernel's impulse, the unit of its row over the kernel's.
typedef struct order {
    unsigned row;
    double s, r;
} order;

static order order_of(unsigned i)
{
    const tac_lcs *y = t.y;
    const unsigned contacts = y->contacts, edges = 2u * y->directions * contacts, normals = contacts + y->limits;
    const unsigned multipliers = t.l - y->efforts, slacks = multipliers - contacts;

    if (y->form == TAC_LCS_ANITESCU) return (order){i, i >= multipliers ? 1 : t.h, i >= multipliers ? 1 / t.h : 1};
    if (i < contacts) return (order){slacks + i, 1, 1 / t.h};
    if (i < 2 * contacts) return (order){i - contacts, t.h, t.h};
    if (i < 2 * contacts + edges) return (order){normals + i - 2 * contacts, t.h, 1};
    i -= 2 * contacts + edges;
    if (i < y->limits) return (order){contacts + i, t.h, 1};
    i -= y->limits;
    if (i < 2u * y->efforts) return (order){normals + edges + i, t.h, 1};
    return (order){multipliers + i - 2u * y->efforts, 1, 1 / t.h};
}

// A row of contacts: place (phi + J_n N+ (q - q*)) + speed (normal J_n + edge J_t) v+
typedef struct law {
    unsigned contact, edge;
    double place, speed, normal, along;
} law;

static int law_of(unsigned i, const tac_contact *contact, law *p)
{
    const unsigned contacts = t.y->contacts, each = 2u * t.y->directions;

    if (t.y->form == TAC_LCS_ANITESCU) {
        if (i >= each * contacts) return 0;
        *p = (law){i / each, i % each, 1 / t.h, 1, 1, (double)contact[i / each].mu};
    } else if (i < 2 * contacts) {
        if (i < contacts) return 0;
        *p = (law){i - contacts, 0, 1, t.h, 1, 0};
    } else {
        i -= 2 * contacts;
        if (i >= each * contacts) return 0;
        *p = (law){i / each, i % each, 0, 1, 0, 1};
    }
    return 1;
}

// n, u and w of all contacts, by v of c3.
static void jacobians(const tac_model *m, const tac_state *s, const tac_contact *contact, tac_work *w)
{
    static tac_real of[6 * MOST_V];

    clear(t.J, (size_t)3 * t.y->contacts * t.v);
    for (unsigned i = 0; i < t.y->contacts; i++) {
        const tac_contact *k = &contact[i];
        const tac_vec3 direction[3] = {k->n, k->u, k->w};
        for (int side = 0; side < 2; side++) {
            const uint16_t body = side ? k->body_b : k->body_a;
            const tac_vec3 at = tac_pose_point_back(tac_state_get_pose(m, s, body), k->point);
            if (tac_jacobian(m, s, body, at, TAC_AXES_WORLD, w, of) != TAC_OK) continue;
            for (unsigned a = 0; a < 3; a++) {
                const double n[3] = {(double)direction[a].x, (double)direction[a].y, (double)direction[a].z};
                double *row = &t.J[(3 * i + a) * t.v];
                for (unsigned j = 0; j < t.v; j++) {
                    double rate = 0;
                    for (unsigned b = 0; b < 3; b++) rate += n[b] * (double)of[b * t.v + j];
                    for (unsigned b = 0; b < t.v; b++) row[b] += (side ? rate : -rate) * t.inverse[j * t.v + b];
                }
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- system

// Rows of v, then those of q, which follow them by h N.
static void motion(void)
{
    const tac_lcs *y = t.y;
    const unsigned wide = 2 * t.v;

    clear(t.half, (size_t)t.v * wide), clear(t.A_v, (size_t)t.v * t.x);
    add(1, t.to, doubles(y->A, (size_t)wide * wide), t.v, wide, wide, t.half);
    add(1, t.half, t.from, t.v, wide, t.x, t.A_v);
    clear(A, (size_t)t.x * t.x), clear(B, (size_t)t.x * t.u), clear(D, (size_t)t.x * t.l), clear(d, t.x);
    for (unsigned i = 0; i < t.q; i++) A[i * t.x + i] = 1;
    for (unsigned i = 0; i < t.v; i++) {
        for (unsigned j = 0; j < t.x; j++) {
            A[(t.q + i) * t.x + j] = t.A_v[i * t.x + j];
            d[t.q + i] -= t.A_v[i * t.x + j] * x[j];
        }
        d[t.q + i] += t.late[i];
        for (unsigned k = 0; k < t.v; k++) {
            const double by = t.V[i * t.v + k];
            for (unsigned j = 0; j < t.u; j++) B[(t.q + i) * t.u + j] += by * (double)y->B[(t.v + k) * t.u + j];
            for (unsigned l = 0; l < t.l && by != 0; l++) {
                const order o = order_of(l);
                D[(t.q + i) * t.l + l] += by * o.s * (double)y->D[(t.v + k) * t.l + o.row];
            }
        }
    }
    add(t.h, t.N, A + (size_t)t.q * t.x, t.q, t.v, t.x, A);
    add(t.h, t.N, B + (size_t)t.q * t.u, t.q, t.v, t.u, B);
    add(t.h, t.N, D + (size_t)t.q * t.l, t.q, t.v, t.l, D);
    add(t.h, t.N, d + t.q, t.q, t.v, 1, d);
}

static void contact_row(unsigned l, const law *p, const tac_contact *contact, const tac_lcp *lcp)
{
    const double *normal = &t.J[3 * p->contact * t.v], *u = normal + t.v, *w = u + t.v;
    const double along_u = p->along * (double)lcp->edge[p->edge].u, along_w = p->along * (double)lcp->edge[p->edge].w;

    c[l] = p->place * (double)contact[p->contact].gap;
    for (unsigned i = 0; i < t.v; i++) {
        const double rate = p->speed * (p->normal * normal[i] + along_u * u[i] + along_w * w[i]),
                     push = p->place * normal[i];
        c[l] += rate * d[t.q + i];
        for (unsigned j = 0; j < t.x; j++) E[l * t.x + j] += rate * t.A_v[i * t.x + j];
        for (unsigned j = 0; j < t.q; j++) {
            E[l * t.x + j] += push * t.back[i * t.q + j];
            c[l] -= push * t.back[i * t.q + j] * x[j];
        }
    }
}

// A limit or a bounded effort of a joint, a slack or a multiplier.
static void other_row(unsigned l, order o)
{
    const unsigned wide = 2 * t.v;

    c[l] = (double)t.y->c[o.row];
    for (unsigned k = 0; k < wide; k++) {
        const double by = (double)t.y->E[o.row * wide + k];
        c[l] += by * t.start[k];
        for (unsigned j = 0; j < t.x && by != 0; j++) {
            E[l * t.x + j] += o.r * by * t.from[k * t.x + j];
            c[l] -= by * t.from[k * t.x + j] * x[j];
        }
    }
    c[l] *= o.r;
}

c3_system c3_of(const tac_model *m, const tac_state *s, const tac_lcs *y, const tac_contact *contact,
                const tac_lcp *lcp, tac_work *w)
{
    law p;

    t.y = y, t.h = (double)m->h, t.u = y->size.u, t.l = y->size.l;
    variables(m, s, w);
    jacobians(m, s, contact, w);
    motion();
    clear(E, (size_t)t.l * t.x);
    for (unsigned l = 0; l < t.l; l++) {
        const order o = order_of(l);
        if (law_of(l, contact, &p)) {
            contact_row(l, &p, contact, lcp);
        } else {
            other_row(l, o);
        }
        for (unsigned k = 0; k < t.l; k++) {
            const order by = order_of(k);
            F[l * t.l + k] = o.r * by.s * (double)y->F[o.row * t.l + by.row];
        }
        for (unsigned k = 0; k < t.u; k++) H[l * t.u + k] = o.r * (double)y->H[o.row * t.u + k];
    }
    return (c3_system){t.q, t.v, t.u, t.l, x, A, B, D, d, E, F, H, c};
}
