// SPDX-License-Identifier: MIT
// Trees of boxes: what is found is what a look at every box finds, in sets that are random, equal, endless, on a line
// with gaps that double, or far from the origin; a tree is what it says it is; building stays within its bound.
#include "base/boxes.h"

#include "tap.h"
#include "truth.h"

enum { MOST = 500, SETS = RUN(120, 12), LOOKS = RUN(40, 8) };

enum { RANDOM, EQUAL, FLAT, ENDLESS, DOUBLING, FAR, OUTLIERS, HUGE_NUMBERS, KINDS };

static node n[2 * MOST];
static tac_node box[MOST];
static uint8_t found[MOST];

static tac_node make(d3 at, d3 half, uint32_t leaf)
{
    tac_node made = {{0}, (uint16_t)leaf, 0};
    boxes_put(&made, d3_to(d3_sub(at, half)), d3_to(d3_add(at, half)));
    return made;
}

static tac_node random_box(rng *r, int kind, uint32_t i)
{
    const double size = rng_range(r, 0.0, 0.5), largest = (double)REAL_LARGEST;
    const d3 half = d3_make(size, rng_range(r, 0.0, 0.5), rng_range(r, 0.0, 0.5));
    d3 at = rng_box(r, 5.0);
    if (kind == EQUAL) { return make(d3_make(1, 2, 3), d3_make(0.5, 0.5, 0.5), i); }
    if (kind == FLAT) { at.z = 1.0; }
    if (kind == ENDLESS && rng_below(r, 3) == 0) { return make(at, d3_make(largest, largest, largest), i); }
    if (kind == DOUBLING) {
        at = d3_make(1e-15, 0, 0);
        for (uint32_t k = 0; k < i % 96; k++) { at.x *= 2.0; }
    }
    if (kind == FAR) { at = d3_add(at, d3_make(1e4, -2e4, 3e4)); }
    if (kind == OUTLIERS && rng_below(r, 40) == 0) { at = d3_scale(1e5, at); }
    if (kind == HUGE_NUMBERS) { at = d3_scale(0.1 * largest, at); }
    return make(at, half, i);
}

// Every node's box holds those below it; `skip` leads behind them; each leaf is there once, box and all.
static int is_tree(uint32_t count)
{
    int good = 1;
    const uint32_t end = 2 * count - 1;
    truth_fill(found, sizeof found, 0);
    for (uint32_t i = 0; i < end; i++) {
        const int leaf = n[i].leaf != TAC_NONE;
        good &= n[i].skip > i && n[i].skip <= end && (!leaf || n[i].skip == i + 1);
        if (leaf) {
            good &= n[i].leaf < count && !found[n[i].leaf]++;
            good &= truth_equal(n[i].bound, box[n[i].leaf].bound, sizeof n[i].bound);
            continue;
        }
        good &= n[i + 1].skip < n[i].skip && n[n[i + 1].skip].skip == n[i].skip; // two children
        for (uint32_t k = i + 1; k < n[i].skip; k++) {
            for (int axis = 0; axis < 3; axis++) {
                good &= n[k].bound[axis] >= n[i].bound[axis] && n[k].bound[axis + 3] <= n[i].bound[axis + 3];
            }
        }
    }
    return good;
}

static int meet(const tac_node *a, const tac_node *b)
{
    int all = 1;
    for (int axis = 0; axis < 3; axis++) {
        all &= a->bound[axis] <= b->bound[axis + 3] && b->bound[axis] <= a->bound[axis + 3];
    }
    return all;
}

// Are those that the tree finds, each once, those that meet?
static int finds(const tac_node *look, uint32_t count)
{
    int good = 1;
    const uint32_t end = 2 * count - 1;
    const vec3 low = boxes_low(look), high = boxes_high(look);
    truth_fill(found, sizeof found, 0);
    for (uint32_t at = boxes_next(n, 0, end, &low, &high); at < end; at = boxes_next(n, at + 1, end, &low, &high)) {
        good &= !found[n[at].leaf]++;
    }
    for (uint32_t i = 0; i < count; i++) { good &= found[i] == meet(&box[i], look); }
    return good;
}

static void build(uint32_t count)
{
    truth_fill(n, sizeof n, 0xa5);
    for (uint32_t i = 0; i < count; i++) { n[count - 1 + i] = box[i]; }
    boxes_build(n, count);
}

static void check_sets(rng *r, int kind, const char *name)
{
    int trees = 0, good = 0;
    for (int set = 0; set < SETS; set++) {
        const uint32_t count = set < 4 ? (uint32_t)set + 1 : 1 + rng_below(r, set % 8 ? 60 : MOST);
        for (uint32_t i = 0; i < count; i++) { box[i] = random_box(r, kind, i); }
        build(count);
        trees += is_tree(count);
        for (int k = 0; k < LOOKS; k++) {
            const tac_node look = k % 2 ? box[rng_below(r, count)] : random_box(r, RANDOM, 0);
            good += finds(&look, count);
        }
    }
    tap_equal(trees, SETS, tap_joined(name, ": trees hold their leaves, each once"));
    tap_equal(good, SETS * LOOKS, tap_joined(name, ": what is found is what meets"));
}

// Depth, and nodes that a box of a leaf meets on average: what a search costs.
static double depth(uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i + 1 < 2 * count; i++) {
        uint32_t above = 0;
        for (uint32_t k = 0; k < i; k++) { above += n[k].skip > i; }
        most = above > most ? above : most;
    }
    return most;
}

static double visits(uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t at = 0; at < 2 * count - 1; sum++) { at = meet(&n[at], &box[i]) ? at + 1 : n[at].skip; }
    }
    return sum / count;
}

// What limits the cost: of 8 leaves no split gives 7 to one side twice in a row, and each split looks at each leaf
// BOXES_TRIES times, whatever the boxes. log(500) / log(8/7) = 46.5, and below eight leaves one at a time.
static void check_bounds(rng *r)
{
    double deepest = 0.0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (uint32_t i = 0; i < MOST; i++) { box[i] = random_box(r, kind, i); }
        build(MOST);
        d_worst(&deepest, depth(MOST));
        if (kind == RANDOM) { tap_most(visits(MOST), 60, "random boxes: a search visits few nodes"); }
        if (kind == FAR) { tap_most(visits(MOST), 60, "far from the origin, too"); }
        if (kind == OUTLIERS) { tap_most(visits(MOST), 60, "a few that are far do not spoil it"); }
    }
    tap_note("deepest", deepest);
    tap_most(deepest, 47 + 7, "no tree is deeper than its shares allow");
}

int main(void)
{
    const uint64_t seed = 4711;
    rng r = {seed};
    tap_note_hex("seed", seed);
    const char *name[KINDS] = {"random", "equal", "flat", "endless", "doubling", "far", "outliers", "huge"};
    for (int kind = 0; kind < KINDS; kind++) { check_sets(&r, kind, name[kind]); }
    check_bounds(&r);
    n[0].leaf = 77;
    boxes_build(n, 0);
    tap_equal(n[0].leaf, 77, "a tree of nothing takes nothing");
    return tap_done();
}
