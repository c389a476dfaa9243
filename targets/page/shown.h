// SPDX-License-Identifier: MIT
// shown.h - one world of the page: how it moves (moved.c), and what is seen of it as numbers (shown.c).
#ifndef PAGE_SHOWN_H
#define PAGE_SHOWN_H

#include "link/method.h"
#include "scenes.h"

typedef struct world_of_page {
    tac_model model;
    tac_state state;
    tac_input input;
    tac_work work, asked; ///< of the last step; of questions
    link_solvers solvers;
    link_method method;
    const scene *scene; ///< NULL: a model from a file
    tac_vec3 point;     ///< m   pulled point, in the frame of its body,
    tac_vec3 target;    ///< m   and where it is pulled to
    uint16_t pulled;    ///<     0: none
    uint8_t held;       ///<     1: motors hold what is in input
} world_of_page;

tac_status world_step(world_of_page *p);

/// Motors as the scene has led them up to the step of the state.
void world_lead(world_of_page *p);
void world_hold(world_of_page *p, uint32_t on);

/// What one motor is told from the next step on; kind TAC_MOTOR_KINDS: nothing. A scene tells its motors itself.
void world_command(world_of_page *p, const tac_motor *motor);

/// The dynamic body that is hit and the point in its frame; -1: none.
int32_t world_pick(world_of_page *p, const tac_ray *ray, double *point);

/// Numbers of a report and floats of each element, in the order in which world.js reads them.
enum { SHOWN_NUMBERS = 19, SHOWN_POSE = 7, SHOWN_CONTACT = 12, SHOWN_BODY = 11, SHOWN_SHAPE = 15, SHOWN_JOINT = 18 };

void show_report(const world_of_page *p, double *to);
uint32_t show_poses(const world_of_page *p, float *to);
uint32_t show_contacts(const world_of_page *p, float *to);
uint32_t show_switches(const world_of_page *p, uint8_t *to); ///< TAC_JOINT_ALWAYS ... of each joint
uint32_t show_bodies(const tac_model *model, float *to);
uint32_t show_shapes(const tac_model *model, float *to);
uint32_t show_joints(const tac_model *model, float *to);
uint32_t show_polyhedron(const tac_model *model, uint32_t i, float *to);
uint32_t show_height_field(const tac_model *model, uint32_t i, float *to);

#endif
