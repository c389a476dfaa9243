// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_BODIES=40 -DTAC_MAX_SHAPES=42 -DTAC_MAX_FILL=780
// The sparse factor: random graphs against a dense solution of the same system; what fills in, by hand; a table that is
// too small is told from one that is not.
#include "base/sparse.h"
#include "tap.h"
#include "truth.h"

enum { NODES = 40, MOST = 6 * NODES };

static tac_sparse s;
static double dense[MOST][MOST], right[MOST], answer[MOST];
static real b[6 * (TAC_MAX_BODIES + 1)];

// ------------------------------------------------------------------------------------------------------------ graphs

static void begin(int nodes)
{
    sparse_clear(&s, (uint16_t)nodes);
    for (int i = 0; i < nodes; i++) { sparse_use(&s, (uint16_t)i, 1); }
}

static int join(int i, int j)
{
    return sparse_find(&s, (uint16_t)i, (uint16_t)j) != TAC_NONE || sparse_join(&s, (uint16_t)i, (uint16_t)j);
}

// Every node once in the order, and each column holds only nodes that come later.
static int well_ordered(int nodes)
{
    int good = s.nodes == nodes, blocks = 0;
    for (uint16_t at = 0; at < s.nodes; at++) {
        const tac_pivot *p = &s.pivot[s.order[at]];
        good = good && p->place == at;
        for (uint16_t i = p->first; i != TAC_NONE; i = s.fill[i].next[0], blocks++) {
            good = good && s.fill[i].node[0] == s.order[at] && s.pivot[s.fill[i].node[1]].place > at;
        }
    }
    return good && blocks == s.fills;
}

static void test_fill(void)
{
    begin(NODES);
    for (int i = 1; i < NODES; i++) { join(i - 1, i); }
    tap_ok(sparse_order(&s) && well_ordered(NODES), "a chain is ordered");
    tap_equal(s.fills, NODES - 1, "and nothing fills in");

    begin(NODES);
    for (int i = 1; i < NODES; i++) { join(0, i); }
    tap_ok(sparse_order(&s) && well_ordered(NODES), "a star is ordered");
    tap_equal(s.fills, NODES - 1, "and nothing fills in: its centre goes last but one");

    begin(NODES);
    for (int i = 0; i < NODES; i++) { join(i, (i + 1) % NODES); }
    tap_ok(sparse_order(&s) && well_ordered(NODES), "a ring is ordered");
    tap_equal(s.fills, NODES + NODES - 3, "and fills in one block for each node but three");

    begin(NODES);
    for (int i = 0; i < NODES; i++) {
        for (int j = 0; j < i; j++) { join(i, j); }
    }
    tap_ok(sparse_order(&s) && well_ordered(NODES), "a full graph is ordered");
    tap_equal(s.fills, TAC_MAX_FILL, "and fills the table to the last block");

    begin(2);
    tap_ok(sparse_order(&s) && s.fills == 0, "two nodes apart have a block each");
}

// The table as it is, but with so many blocks taken that the rest is what a smaller one would have.
static void test_room(void)
{
    begin(NODES);
    for (int i = 0; i < NODES; i++) { join(i, (i + 1) % NODES); }
    tac_sparse ring;
    truth_copy(&ring, &s, sizeof ring);
    const int need = NODES - 3;
    for (int room = need - 1; room <= need; room++) {
        truth_copy(&s, &ring, sizeof s);
        const uint16_t gap = (uint16_t)(TAC_MAX_FILL - NODES - room);
        for (uint16_t i = 0; i < gap; i++) { s.fills++; } // nothing points at them
        tap_equal(sparse_order(&s), room >= need, room >= need ? "just enough room" : "one block too few is told");
    }
    begin(NODES);
    int joined = 1;
    s.fills = TAC_MAX_FILL;
    joined = join(0, 1);
    tap_equal(joined, 0, "a full table takes no edge");
}

// ----------------------------------------------------------------------------------------------------------- numbers

// Adds v v' for random v over the two nodes (or one, twice) of an edge; both to the sparse and to the dense matrix.
static void add_random(rng *r, int i, int j, double size)
{
    double v[2][6];
    for (int k = 0; k < 12; k++) { v[k / 6][k % 6] = (double)(real)rng_range(r, -size, size); }
    const int end[2] = {i, j};
    for (int p = 0; p < 2; p++) {
        for (int q = 0; q < 2; q++) {
            if (i == j && p != q) { continue; }
            for (int k = 0; k < 36; k++) { dense[6 * end[p] + k / 6][6 * end[q] + k % 6] += v[p][k / 6] * v[q][k % 6]; }
        }
    }
}

// Lower triangles and blocks of the sparse matrix, from the dense one.
static void fill_in(void)
{
    for (uint16_t n = 0; n < s.nodes; n++) {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j <= i; j++) { s.pivot[n].x[SIX_ROW[i] + j] = (real)dense[6 * n + i][6 * n + j]; }
        }
    }
    for (uint16_t f = 0; f < s.fills; f++) {
        const uint16_t column = s.fill[f].node[0], row = s.fill[f].node[1];
        for (int k = 0; k < 36; k++) { s.fill[f].x[k / 6][k % 6] = (real)dense[6 * row + k / 6][6 * column + k % 6]; }
    }
}

// Gauss elimination; the matrix is positive definite.
static void solve_dense(int n)
{
    for (int k = 0; k < n; k++) { answer[k] = right[k]; }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            const double l = dense[i][k] / dense[k][k];
            if (l == 0.0) { continue; }
            for (int j = k; j < n; j++) { dense[i][j] -= l * dense[k][j]; }
            answer[i] -= l * answer[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) { answer[k] -= dense[k][j] * answer[j]; }
        answer[k] /= dense[k][k];
    }
}

static double test_random(rng *r, int nodes, int edges)
{
    const int n = 6 * nodes;
    begin(nodes);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) { dense[i][j] = 0.0; }
        dense[i][i] = 1.0;
        right[i] = (double)(real)rng_range(r, -1, 1);
        b[i] = (real)right[i];
    }
    for (int e = 0; e < edges; e++) {
        const int i = (int)rng_below(r, (uint32_t)nodes), j = (int)rng_below(r, (uint32_t)nodes);
        if (i != j && !join(i, j)) { return 1.0; }
        for (int k = 0; k < 3; k++) { add_random(r, i, j, 1.0); }
    }
    if (!sparse_order(&s) || !well_ordered(nodes)) { return 1.0; }
    fill_in();
    for (int i = 0; i < nodes; i++) {
        for (int k = 0; k < 6; k++) { s.pivot[i].least[k] = R(1.0); }
    }
    sparse_factor(&s);
    sparse_solve(&s, b);
    solve_dense(n);
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        d_worst(&worst, (double)b[i] - answer[i]);
        d_worst(&size, answer[i]);
    }
    return worst / size;
}

int main(void)
{
    test_fill();
    test_room();
    rng r = {7};
    double worst = 0.0;
    tap_note_hex("seed", r.state);
    for (int k = 0; k < 40; k++) {
        const int nodes = 1 + (int)rng_below(&r, 14), edges = (int)rng_below(&r, 30);
        d_worst(&worst, test_random(&r, nodes, edges));
    }
    d_worst(&worst, test_random(&r, NODES, 60));
    tap_note("largest relative error", worst);
    tap_most(worst, TOL(1e-12, 1e-4), "random graphs solve as the dense matrix does");
    return tap_done();
}
