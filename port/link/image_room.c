// SPDX-License-Identifier: MIT
#include "link/image_room.h"
#include "tactus/types.h"

int image_fits(int which, uint32_t count)
{
    static const uint32_t room[TAC_COUNTS] = {
        [TAC_COUNT_BODIES] = TAC_MAX_BODIES + 1,     [TAC_COUNT_SHAPES] = TAC_MAX_SHAPES,
        [TAC_COUNT_MATERIALS] = TAC_MAX_MATERIALS,   [TAC_COUNT_MATERIAL_PAIRS] = TAC_MAX_MATERIAL_PAIRS,
        [TAC_COUNT_CONTACTS] = TAC_MAX_CONTACTS,     [TAC_COUNT_ACTIONS] = TAC_MAX_ACTIONS,
        [TAC_COUNT_EXCLUSIONS] = TAC_MAX_EXCLUSIONS, [TAC_COUNT_POLYHEDRA] = TAC_MAX_POLYHEDRA,
        [TAC_COUNT_POINTS] = TAC_MAX_POINTS,         [TAC_COUNT_FACES] = TAC_MAX_FACES,
        [TAC_COUNT_EDGES] = TAC_MAX_EDGES,           [TAC_COUNT_HEIGHT_FIELDS] = TAC_MAX_HEIGHT_FIELDS,
        [TAC_COUNT_HEIGHTS] = TAC_MAX_HEIGHTS,       [TAC_COUNT_JOINTS] = TAC_MAX_JOINTS,
        [TAC_COUNT_MOTORS] = TAC_MAX_JOINTS,         [TAC_COUNT_SURFACES] = TAC_MAX_SURFACES,
    };
    if (which == IMAGE_LAWS) return TAC_FRICTION_LAWS || count == 0 ? IMAGE_FITS : which;
    if (which == IMAGE_SWITCHES) return TAC_SWITCHES || count == 0 ? IMAGE_FITS : which;
    return count <= room[which] ? IMAGE_FITS : which;
}
