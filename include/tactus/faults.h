// SPDX-License-Identifier: MIT
// faults.h - results and faults of calls: status, field, index, reason. Each list is a table that holds the text of
// each entry, so that none lacks one. The numbers follow from the order: append new entries to a list.
#ifndef TACTUS_FAULTS_H
#define TACTUS_FAULTS_H

#include "tactus/prefix.h"
#include <stdint.h>

TAC_TYPES_BEGIN

/// 0: good. > 0: the step is done but saturated (a sum of the flags). < 0: refused, and nothing has changed.
typedef int32_t tac_status;

//  TAC_OK
//  TAC_FULL         more contacts than TAC_MAX_CONTACTS; the deepest were kept, the others counted in report.dropped
//  TAC_UNCONVERGED  max_sweeps were spent; the residual is neither within the tolerance nor within rounding (with
//                   joints rounding counts up to 1 % of the residual of zero impulses); or the step ends with a joint
//                   that does not hold: report.joint_error; or the motion of joints has made energy that nothing has
//                   supplied, 1e-3 of the kinetic energy in this step, or 1e-2 of its greatest of late in all
//  TAC_RELAXED      the exact friction law made no progress; the impulses satisfy the relaxed law only
//  TAC_DEEP         implicit bodies overlap deeply: depth and normal are a local answer, others may be shallower
//  TAC_SWEPT        contacts had no room (TAC_MAX_REDUCED or TAC_MAX_PATH with joints, TAC_MAX_FILL without), or
//                   TAC_SOLVER_DIRECT made no progress: this step used sweeps
//  TAC_E_ARG        NULL, an index or a count out of range
//  TAC_E_MODEL      the model fails tac_model_check(), or the state belongs to another model
//  TAC_E_NAN        state, input or result is not finite or out of its range (ranges.h): the last
//                   good state stays
//  TAC_E_ORDER      slices of a step called out of order, or end with another state than begin
//  TAC_E_CONFIG     application and kernel were compiled with different knobs: layout.h
//  TAC_E_FULL       a table has no room for another element; its knob is in config.h
#define TAC_STATUS_TABLE(STATUS)                                                                                       \
    STATUS(TAC_OK, 0, "done")                                                                                          \
    STATUS(TAC_FULL, 1, "contacts were dropped")                                                                       \
    STATUS(TAC_UNCONVERGED, 2, "not converged")                                                                        \
    STATUS(TAC_RELAXED, 4, "relaxed friction")                                                                         \
    STATUS(TAC_DEEP, 8, "deep overlap")                                                                                \
    STATUS(TAC_SWEPT, 16, "swept instead of solved directly")                                                          \
    STATUS(TAC_E_ARG, -1, "argument")                                                                                  \
    STATUS(TAC_E_MODEL, -2, "model")                                                                                   \
    STATUS(TAC_E_NAN, -3, "not finite or beyond its range")                                                            \
    STATUS(TAC_E_ORDER, -4, "out of order")                                                                            \
    STATUS(TAC_E_CONFIG, -5, "another configuration")                                                                  \
    STATUS(TAC_E_FULL, -6, "table full")

#define TAC_STATUS_ENTRY_(name, value, text) name = value,
enum { TAC_STATUS_TABLE(TAC_STATUS_ENTRY_) };

/// The field that a refused call complains about; tac_field_name() gives its text. JOINT: these have a text only where
/// there are joints.
#define TAC_FIELD_TABLE(FIELD, JOINT)                                                                                  \
    FIELD(TAC_FIELD_NONE, "none")                                                                                      \
    FIELD(TAC_FIELD_POINTER, "pointer")                                                                                \
    FIELD(TAC_FIELD_COUNT, "count")                                                                                    \
    FIELD(TAC_FIELD_HASH, "hash")                                                                                      \
    FIELD(TAC_FIELD_CONFIG, "configuration")                                                                           \
    FIELD(TAC_FIELD_H, "h")                                                                                            \
    FIELD(TAC_FIELD_GRAVITY, "gravity")                                                                                \
    FIELD(TAC_FIELD_CALL, "call")                                                                                      \
    FIELD(TAC_FIELD_BODY_KIND, "body.kind")                                                                            \
    FIELD(TAC_FIELD_MASS, "body.mass")                                                                                 \
    FIELD(TAC_FIELD_INERTIA, "body.inertia")                                                                           \
    FIELD(TAC_FIELD_INERTIAL, "body.inertial")                                                                         \
    FIELD(TAC_FIELD_POSE, "body.pose")                                                                                 \
    FIELD(TAC_FIELD_VELOCITY, "body.velocity")                                                                         \
    FIELD(TAC_FIELD_SHAPE_KIND, "shape.kind")                                                                          \
    FIELD(TAC_FIELD_SHAPE_BODY, "shape.body")                                                                          \
    FIELD(TAC_FIELD_SHAPE_POSE, "shape.pose")                                                                          \
    FIELD(TAC_FIELD_SIZE, "shape.size")                                                                                \
    FIELD(TAC_FIELD_ROUNDING, "shape.rounding")                                                                        \
    FIELD(TAC_FIELD_DATA, "shape.data")                                                                                \
    FIELD(TAC_FIELD_SHAPE_MATERIAL, "shape.material")                                                                  \
    FIELD(TAC_FIELD_FRICTION, "material.friction")                                                                     \
    FIELD(TAC_FIELD_RESTITUTION, "material.restitution")                                                               \
    FIELD(TAC_FIELD_RULE, "material.rule")                                                                             \
    FIELD(TAC_FIELD_MATERIAL_PAIR, "material_pair")                                                                    \
    FIELD(TAC_FIELD_EXCLUSION, "exclusion")                                                                            \
    FIELD(TAC_FIELD_POLYHEDRON, "polyhedron")                                                                          \
    FIELD(TAC_FIELD_POINT, "point")                                                                                    \
    FIELD(TAC_FIELD_FACE, "face")                                                                                      \
    FIELD(TAC_FIELD_EDGE, "edge")                                                                                      \
    FIELD(TAC_FIELD_NODE, "node")                                                                                      \
    FIELD(TAC_FIELD_HEIGHT_FIELD, "height_field")                                                                      \
    FIELD(TAC_FIELD_HEIGHT, "height")                                                                                  \
    FIELD(TAC_FIELD_ACTION_BODY, "action.body")                                                                        \
    FIELD(TAC_FIELD_ACTION_KIND, "action.kind")                                                                        \
    FIELD(TAC_FIELD_ACTION_LINEAR, "action.linear")                                                                    \
    FIELD(TAC_FIELD_COMPENSATION, "compensation")                                                                      \
    FIELD(TAC_FIELD_CONTACT, "contact")                                                                                \
    FIELD(TAC_FIELD_IMPULSE, "impulse")                                                                                \
    FIELD(TAC_FIELD_RESULT, "result")                                                                                  \
    FIELD(TAC_FIELD_SPINNING, "material.spinning")                                                                     \
    FIELD(TAC_FIELD_ROLLING, "material.rolling")                                                                       \
    JOINT(TAC_FIELD_JOINT_KIND, "joint.kind")                                                                          \
    JOINT(TAC_FIELD_JOINT_BODY, "joint.body")                                                                          \
    JOINT(TAC_FIELD_JOINT_FRAME, "joint.frame")                                                                        \
    JOINT(TAC_FIELD_JOINT_LENGTH, "joint.length")                                                                      \
    JOINT(TAC_FIELD_JOINT_LIMIT, "joint.limit")                                                                        \
    JOINT(TAC_FIELD_JOINT, "joint")                                                                                    \
    JOINT(TAC_FIELD_MOTOR_JOINT, "motor.joint")                                                                        \
    JOINT(TAC_FIELD_MOTOR_KIND, "motor.kind")                                                                          \
    JOINT(TAC_FIELD_MOTOR, "motor")                                                                                    \
    JOINT(TAC_FIELD_JOINT_FRICTION, "joint.friction")                                                                  \
    JOINT(TAC_FIELD_JOINT_DAMPING, "joint.damping")                                                                    \
    JOINT(TAC_FIELD_JOINT_STIFFNESS, "joint.stiffness")                                                                \
    JOINT(TAC_FIELD_JOINT_REST, "joint.rest")                                                                          \
    JOINT(TAC_FIELD_JOINT_ARMATURE, "joint.armature")                                                                  \
    JOINT(TAC_FIELD_JOINT_EFFORT, "joint.effort")                                                                      \
    JOINT(TAC_FIELD_JOINT_SPEED, "joint.speed")                                                                        \
    JOINT(TAC_FIELD_JOINT_STOP, "joint.stop")                                                                          \
    JOINT(TAC_FIELD_JOINT_SPRINGS, "joint.along, about")                                                               \
    JOINT(TAC_FIELD_MOTOR_POSITION, "motor.position")                                                                  \
    JOINT(TAC_FIELD_MOTOR_VELOCITY, "motor.velocity")                                                                  \
    JOINT(TAC_FIELD_MOTOR_EFFORT, "motor.effort")                                                                      \
    JOINT(TAC_FIELD_MOTOR_STIFFNESS, "motor.stiffness")                                                                \
    JOINT(TAC_FIELD_MOTOR_DAMPING, "motor.damping")                                                                    \
    FIELD(TAC_FIELD_ACTION_ANGULAR, "action.angular")                                                                  \
    FIELD(TAC_FIELD_ACTION_POINT, "action.point")                                                                      \
    FIELD(TAC_FIELD_TOLERANCE, "options.tolerance")                                                                    \
    FIELD(TAC_FIELD_OMEGA, "options.omega")                                                                            \
    FIELD(TAC_FIELD_LAMBDA, "options.lambda")                                                                          \
    FIELD(TAC_FIELD_RECOVERY, "options.recovery")                                                                      \
    FIELD(TAC_FIELD_PROJECTION, "options.projection")                                                                  \
    FIELD(TAC_FIELD_MARGIN, "options.margin")                                                                          \
    FIELD(TAC_FIELD_BOUNCE, "options.bounce")                                                                          \
    FIELD(TAC_FIELD_MAX_SWEEPS, "options.max_sweeps")                                                                  \
    FIELD(TAC_FIELD_OPTION_SOLVER, "options.solver")                                                                   \
    FIELD(TAC_FIELD_OPTION_FRICTION, "options.friction")                                                               \
    FIELD(TAC_FIELD_WARM_START, "options.warm_start")                                                                  \
    FIELD(TAC_FIELD_STABILISE, "options.stabilise")                                                                    \
    FIELD(TAC_FIELD_MAX_JOINT_ITERATIONS, "options.max_joint_iterations")                                              \
    JOINT(TAC_FIELD_ACCOUNT, "account")                                                                                \
    JOINT(TAC_FIELD_MAX_REDUCED, "TAC_MAX_REDUCED")                                                                    \
    JOINT(TAC_FIELD_MAX_PATH, "TAC_MAX_PATH")                                                                          \
    FIELD(TAC_FIELD_PACKED, "packed state")                                                                            \
    FIELD(TAC_FIELD_PLAN, "plan")                                                                                      \
    FIELD(TAC_FIELD_CHANNEL, "plan.channel")                                                                           \
    FIELD(TAC_FIELD_KNOT, "plan.value")                                                                                \
    FIELD(TAC_FIELD_COST, "cost.term")                                                                                 \
    FIELD(TAC_FIELD_COST_WEIGHT, "cost.term.weight")                                                                   \
    FIELD(TAC_FIELD_COST_TARGET, "cost.term.target")                                                                   \
    FIELD(TAC_FIELD_COST_SCHEDULE, "cost.term.schedule")                                                               \
    FIELD(TAC_FIELD_ROLLOUT, "prediction")                                                                             \
    FIELD(TAC_FIELD_SAMPLING, "sampling")                                                                              \
    FIELD(TAC_FIELD_FIT_PARAMETER, "fit.parameter")                                                                    \
    FIELD(TAC_FIELD_FIT_BOUND, "fit.parameter.lower, upper")                                                           \
    FIELD(TAC_FIELD_FIT_DIFFERENCE, "fit.parameter.difference")                                                        \
    FIELD(TAC_FIELD_FIT_OPTION, "fit.option")                                                                          \
    FIELD(TAC_FIELD_FIT_SECTION, "fit.section")                                                                        \
    FIELD(TAC_FIELD_FIT_OBSERVATION, "fit.section.observation")                                                        \
    FIELD(TAC_FIELD_FIT_ROWS, "TAC_MAX_FIT_ROWS")                                                                      \
    FIELD(TAC_FIELD_ILQR, "ilqr")                                                                                      \
    FIELD(TAC_FIELD_FIT_UNKNOWN, "fit.section.unknown")                                                                \
    FIELD(TAC_FIELD_PARAMETER, "derivative.parameter")                                                                 \
    FIELD(TAC_FIELD_STIFFNESS, "material.stiffness")                                                                   \
    FIELD(TAC_FIELD_DAMPING, "material.damping")                                                                       \
    FIELD(TAC_FIELD_SURFACE_SHAPE, "surface.shape")                                                                    \
    FIELD(TAC_FIELD_SURFACE, "surface.linear, angular, point")                                                         \
    JOINT(TAC_FIELD_JOINT_SWITCH, "joint.switched")                                                                    \
    JOINT(TAC_FIELD_JOINT_BREAK, "joint.break_force, break_torque")                                                    \
    JOINT(TAC_FIELD_SWITCH, "state.switched")                                                                          \
    FIELD(TAC_FIELD_AXIS, "shape.axis")                                                                                \
    FIELD(TAC_FIELD_ACROSS, "shape.across")                                                                            \
    FIELD(TAC_FIELD_STATIC_FRICTION, "material.static_friction")                                                       \
    FIELD(TAC_FIELD_STRIBECK_SPEED, "material.stribeck_speed")

/// Expansions of an entry of a table: its name in an enumeration, its text in a string.
#define TAC_TABLE_ENTRY(name, text) name,
#define TAC_TABLE_TEXT(name, text) text "\0"

enum { TAC_FIELD_TABLE(TAC_TABLE_ENTRY, TAC_TABLE_ENTRY) TAC_FIELDS };

/// Index of a fault with TAC_FIELD_COUNT: the table whose count is wrong.
#define TAC_COUNT_TABLE(COUNT)                                                                                         \
    COUNT(TAC_COUNT_BODIES, "bodies")                                                                                  \
    COUNT(TAC_COUNT_SHAPES, "shapes")                                                                                  \
    COUNT(TAC_COUNT_MATERIALS, "materials")                                                                            \
    COUNT(TAC_COUNT_MATERIAL_PAIRS, "pairs of materials")                                                              \
    COUNT(TAC_COUNT_CONTACTS, "contacts") /* also the impulses of a state */                                           \
    COUNT(TAC_COUNT_ACTIONS, "actions")                                                                                \
    COUNT(TAC_COUNT_EXCLUSIONS, "exclusions")                                                                          \
    COUNT(TAC_COUNT_POLYHEDRA, "polyhedra") /* with TAC_CONVEX 0 also for those from here to heights */                \
    COUNT(TAC_COUNT_POINTS, "points")                                                                                  \
    COUNT(TAC_COUNT_FACES, "faces")                                                                                    \
    COUNT(TAC_COUNT_EDGES, "edges")                                                                                    \
    COUNT(TAC_COUNT_HEIGHT_FIELDS, "height fields")                                                                    \
    COUNT(TAC_COUNT_HEIGHTS, "heights")                                                                                \
    COUNT(TAC_COUNT_JOINTS, "joints")                                                                                  \
    COUNT(TAC_COUNT_MOTORS, "motors")                                                                                  \
    COUNT(TAC_COUNT_SURFACES, "surfaces")

enum { TAC_COUNT_TABLE(TAC_TABLE_ENTRY) TAC_COUNTS };

/// What is wrong with the field. tac_reason_name() gives the text.
//  TAC_REASON_RANGE       legal values: ranges.h, or beside the field
//  TAC_REASON_TRIANGLE    impossible principal inertia: one moment exceeds the sum of the others
//  TAC_REASON_MISMATCH    the state, or the step, is one of another model or state; a number in which the model of
//                         tac_state_adopt() may not differ
//  TAC_REASON_MOVING      a half-space, mesh or height field on a dynamic body
//  TAC_REASON_GROUND      body 0 is the ground and must be static; no other body may be static
//  TAC_REASON_ORDER       begin, sweep, end called in another order
//  TAC_REASON_KIND        a shape of kind TAC_HULL names a mesh, or a TAC_MESH a hull; another kind than in the model
//                         whose state is adopted
//  TAC_REASON_OUTSIDE     a point, height or box outside its enclosing bounds
//  TAC_REASON_PLANE       corners are not in their face's plane or not convex, or a point of a hull is above it
//  TAC_REASON_OPEN        an edge without its opposite on the adjacent face, or a hull that is not closed
//  TAC_REASON_TREE        a tree that is not valid, or does not contain every triangle
//  TAC_REASON_UNSEALED    tac_model_seal() has not been called, or has refused
//  TAC_REASON_CHANGED     the values of the model are not those that were sealed
//  TAC_REASON_APART       a joint of the state that does not hold, by more than rounding
//  TAC_REASON_UNUSED      a field that has no meaning for the kind of its joint or shape, and is not as tac_joint_init()
//                         or tac_shape_make() leaves it
#define TAC_REASON_TABLE(REASON)                                                                                       \
    REASON(TAC_REASON_NONE, "none")                                                                                    \
    REASON(TAC_REASON_NULL, "is NULL")                                                                                 \
    REASON(TAC_REASON_RANGE, "is out of range")                                                                        \
    REASON(TAC_REASON_NOT_FINITE, "is not finite")                                                                     \
    REASON(TAC_REASON_NOT_POSITIVE, "is not positive")                                                                 \
    REASON(TAC_REASON_NOT_UNIT, "is not of unit length")                                                               \
    REASON(TAC_REASON_TRIANGLE, "breaks the triangle inequality")                                                      \
    REASON(TAC_REASON_MISMATCH, "belongs to another")                                                                  \
    REASON(TAC_REASON_CONFIG, "differs between application and kernel")                                                \
    REASON(TAC_REASON_FULL, "is full")                                                                                 \
    REASON(TAC_REASON_MOVING, "may not move")                                                                          \
    REASON(TAC_REASON_GROUND, "is ground or should be")                                                                \
    REASON(TAC_REASON_ORDER, "is out of order")                                                                        \
    REASON(TAC_REASON_KIND, "is of another kind")                                                                      \
    REASON(TAC_REASON_OUTSIDE, "is outside its bounds")                                                                \
    REASON(TAC_REASON_PLANE, "is not its plane")                                                                       \
    REASON(TAC_REASON_OPEN, "is not closed")                                                                           \
    REASON(TAC_REASON_TREE, "is no tree")                                                                              \
    REASON(TAC_REASON_UNSEALED, "is not sealed")                                                                       \
    REASON(TAC_REASON_CHANGED, "has changed since it was sealed")                                                      \
    REASON(TAC_REASON_APART, "does not hold: its bodies are apart")                                                    \
    REASON(TAC_REASON_METHOD, "is not what this method is for")                                                        \
    REASON(TAC_REASON_UNUSED, "is not used by this kind")

enum { TAC_REASON_TABLE(TAC_TABLE_ENTRY) TAC_REASONS };

/// The first bad field: which field, which element of its array, what is wrong.
typedef struct tac_fault {
    uint16_t field;  ///< TAC_FIELD_*
    uint16_t index;  ///< element of the array that the field is in, 0 if it is in none. TAC_FIELD_POINTER: 0 model, 1
                     ///< state. TAC_FIELD_CONFIG: the first entry of the layout that differs, for tac_layout_name().
                     ///< TAC_FIELD_COUNT: TAC_COUNT_*. TAC_FIELD_MAX_REDUCED, _PATH: the number that the joints of the
                     ///< model need. TAC_FIELD_POINT, _FACE, _EDGE: in the whole table;
                     ///< TAC_FIELD_NODE: the polyhedron; TAC_FIELD_HEIGHT: the height field;
                     ///< TAC_FIELD_PACKED: the byte; TAC_FIELD_COST and those after it: the term
    uint32_t reason; ///< TAC_REASON_*
} tac_fault;

TAC_TYPES_END

#endif
