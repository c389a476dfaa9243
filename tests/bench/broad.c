// SPDX-License-Identifier: MIT
// broad.c - instructions from placed shapes to the pairs that the narrow phase sees: by trees, and by all pairs.
//
//   heap    spheres and boxes, loosely packed in a cube, over a half-space
//   layer   the same, side by side on the half-space
//   tiles   the heap on a floor of 500 static boxes instead
//
// Bodies have random places in the grid, random orientations, and speeds of up to 1 m/s; h is 1 ms.
#define TAC_MAX_BODIES 1000
#define TAC_MAX_SHAPES 1500
#define TAC_MAX_CONTACTS 4
#include "tactus.c"

#include "begin.h"
#include "markers.h"
#include "truth.h"
#include "tactus/port.h"

#define PITCH 0.98 // m, of the grid: spheres have a diameter of 1, boxes a diagonal of 1.2

enum { HEAP, LAYER, TILES, STATICS = 500, TILE_COLUMNS = 25 };

static tac_model m;
static tac_state state;
static tac_work w;
static uint16_t place[TAC_MAX_BODIES];

// -------------------------------------------------------------------------------------------------------------- scenes

static void add_ground(int layout)
{
    tac_model_init(&m);
    (void)tac_model_add_material(&m, R(0.5), R(0.0));
    tac_shape s = tac_shape_make(0, layout == TILES ? TAC_BOX : TAC_HALF_SPACE, v3(R(1.0), R(1.0), R(0.5)));
    for (int i = 0; i < (layout == TILES ? STATICS : 1); i++) {
        s.pose.p = layout == TILES ? vec(2 * (i % TILE_COLUMNS), 2 * (i / TILE_COLUMNS), -0.5) : V3_ZERO;
        (void)tac_model_add_shape(&m, &s);
    }
}

static void shuffle(rng *r, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = rng_below(r, i + 1);
        place[i] = place[k];
        place[k] = (uint16_t)i;
    }
}

static void build(int layout, uint32_t count)
{
    rng r = {count};
    uint32_t side = 1;
    while ((layout == LAYER ? side * side : side * side * side) < count) { side++; }
    add_ground(layout);
    shuffle(&r, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = place[i];
        const d3 cell = d3_make(k % side, k / side % side, k / side / side);
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(d3_scale(PITCH, cell), d3_make(0, 0, 0.5))));
        b.pose.q = dq_to(rng_quat(&r));
        b.velocity.v = d3_to(rng_box(&r, 1.0));
        const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
        const tac_shape s =
            tac_shape_make(body, i % 2 ? TAC_SPHERE : TAC_BOX, i % 2 ? vec(0.5, 0, 0) : vec(0.4, 0.35, 0.3));
        (void)tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
    move_free(&m, &state, NULL, &w);
    contacts_place(&m, &state, NULL, &w);
}

// ---------------------------------------------------------------------------------------------------------- two ways

// What contacts_meet() asks before it looks for points.
static uint32_t asks(uint16_t i, uint16_t j)
{
    tac_collision *g = &w.scratch.collision;
    const tac_shape *a = &m.shape[i], *b = &m.shape[j];
    const int first = SHAPE_RANK[a->kind] >= SHAPE_RANK[b->kind];
    return contacts_may_meet(&m, a, b) &&
           contacts_near(&m, m.options.margin, &g->placed[first ? i : j], &g->placed[first ? j : i], &g->pair);
}

static uint32_t by_trees(void)
{
    tac_collision *g = &w.scratch.collision;
    uint32_t pairs = 0;
    const int trees = broad_build(&m, g, &w.pairs);
    for (uint16_t i = 0; i < m.shapes; i++) {
        const uint32_t count = broad_list(&m, g, &w.pairs, trees, i);
        for (uint32_t k = 0; k < count; k++) { pairs += asks(i, g->near[k]); }
    }
    return pairs;
}

static uint32_t by_pairs(void)
{
    uint32_t pairs = 0;
    for (uint16_t i = 0; i < m.shapes; i++) {
        for (uint16_t j = (uint16_t)(i + 1); j < m.shapes; j++) {
            pairs += asks(i, j);
        }
    }
    return pairs;
}

// A function for each scene and way, so that both who counts between markers and who counts by function can tell them.
#define WAY(way, layout, count)                                                                                        \
    MARK(way##_##layout##_##count)                                                                                     \
    __attribute__((noinline)) static uint32_t way##_##layout##_##count(void)                                           \
    {                                                                                                                  \
        mark_##way##_##layout##_##count##_begin();                                                                     \
        const uint32_t pairs = by_##way();                                                                             \
        mark_##way##_##layout##_##count##_end();                                                                       \
        return pairs;                                                                                                  \
    }
#define DEFINE(layout, count) WAY(trees, layout, count) WAY(pairs, layout, count)
#define RUN_BOTH(layout, count)                                                                                        \
    build(layout, count);                                                                                              \
    found = trees_##layout##_##count();                                                                                \
    tap_note(#layout " " #count " pairs", found);                                                                      \
    tap_ok(found <= pairs_##layout##_##count(), #layout " " #count ": trees leave no more pairs than spheres do");
#define EACH(DO, layout)                                                                                               \
    DO(layout, 16) DO(layout, 32) DO(layout, 64) DO(layout, 125) DO(layout, 250) DO(layout, 500) DO(layout, 1000)

EACH(DEFINE, HEAP)
EACH(DEFINE, LAYER)
EACH(DEFINE, TILES)

int main(void)
{
    uint32_t found;
    port_init();
    EACH(RUN_BOTH, HEAP)
    EACH(RUN_BOTH, LAYER)
    EACH(RUN_BOTH, TILES)
    return tap_done();
}
