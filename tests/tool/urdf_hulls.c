// SPDX-License-Identifier: MIT
// urdf_hulls.c - are the hulls that urdf2tactus made those that the kernel makes of the same points?
//   given   as urdf_robot.c, with room for the kernel's own work in TAC_MAX_POINTS, _FACES, _EDGES
//   makes   a line for each hull that differs in corners, faces, edges, volume; code 1 if one does
//   bound   hulls
//   never   compares the order of faces: it has no meaning
#include MODEL
#include <math.h>
#include <stdio.h>

static tac_model again;

// Six times the volume.
static double volume(const tac_model *m, const tac_polyhedron *p)
{
    double sum = 0;
    for (int f = 0; f < p->faces; f++) {
        const tac_face *face = &m->face[p->first_face + f];
        const tac_edge *edge = &m->edge[p->first_edge + face->first];
        const tac_vec3 *point = &m->point[p->first_point], a = point[edge[0].point];
        for (int k = 2; k < face->edges; k++) {
            const tac_vec3 b = point[edge[k - 1].point], c = point[edge[k].point];
            sum +=
                (double)(a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x));
        }
    }
    return sum;
}

int main(void)
{
    int code = 0;
    for (int i = 0; i < robot_model.polyhedra; i++) {
        const tac_polyhedron *p = &robot_model.polyhedron[i], *q = &again.polyhedron[0];
        tac_model_init(&again);
        if (tac_model_add_hull(&again, &robot_model.point[p->first_point], p->points) != 0) {
            printf("hull %d: the kernel makes none of %d points\n", i, p->points);
            code = 1;
            continue;
        }
        const double mine = volume(&robot_model, p), other = volume(&again, q);
        if (p->points != q->points || p->faces != q->faces || p->edges != q->edges || !(mine > 0) ||
            !(fabs(mine - other) <= 1e-4 * other)) {
            printf("hull %d: %d corners, %d faces, %d edges, volume %g; the kernel has %d, %d, %d, %g\n", i, p->points,
                   p->faces, p->edges, mine / 6, q->points, q->faces, q->edges, other / 6);
            code = 1;
        }
    }
    return code;
}
