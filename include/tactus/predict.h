// SPDX-License-Identifier: MIT
// predict.h - what a predictor needs beside the step: packed states, measured states; plans, costs, roll-outs, sampling
// (TAC_PREDICT).
#ifndef TACTUS_PREDICT_H
#define TACTUS_PREDICT_H

#include "tactus/refresh.h"
#include "tactus/work.h"

#if TAC_PREDICT

TAC_TYPES_BEGIN

/// Forms of a packed state.
enum {
    TAC_PACK_EXACT, ///< to the bit: a state that has been unpacked goes on as the one that was packed
    TAC_PACK_PLAN,  ///< without compensated sums, impulses of joints and the account of energy
    TAC_PACK_FORMS
};

/// What an estimator knows of a frame: of the base link of a robot, or of the sensor that is fixed to it.
typedef struct tac_measured {
    tac_frame frame;   ///<       on a dynamic body that hangs on no joint: a free root
    tac_pose pose;     ///<       of the frame, in the world
    tac_vec3 velocity; ///< m/s   of the origin of the frame, in its own axes
    tac_vec3 gyro;     ///< rad/s angular velocity, in its own axes
} tac_measured;

/// What happens to a pair of shapes, or at a limit of a joint. A pair is open, sticks or slips: TOUCH leads from open
/// to sticking, SLIP from there to slipping, STICK back, OPEN from either to open. So the events of a pair in their
/// order say what it does at the end of each step.
enum {
    TAC_EVENT_TOUCH, ///< the pair begins to bear a force
    TAC_EVENT_OPEN,  ///< it bears none any more, and is apart
    TAC_EVENT_SLIP,  ///< it begins to slip; where it slips as it touches: at the time of the touch
    TAC_EVENT_STICK, ///< it slips no more; where slip reverses, SLIP follows at the same time
    TAC_EVENT_REACH, ///< a joint reaches a limit, which begins to bear an effort
    TAC_EVENT_LEAVE, ///< it leaves it
    TAC_EVENT_KINDS
};

/// An event. Those of one step are in the order of pairs, then of joints; those of one pair in the order of their
/// times.
typedef struct tac_event {
    uint64_t step;             ///<     state.step at the start of the step that it happens in
    tac_real time;             ///< s   after the start of that step, 0 .. h
    uint16_t kind;             ///<     TAC_EVENT_*
    uint16_t body_a, body_b;   ///<     as in tac_contact, or of the joint; of a coupling its joints
    uint16_t shape_a, shape_b; ///<     as in tac_contact; TAC_NONE: of a joint
    uint16_t joint;            ///<     TAC_NONE: of a pair of shapes
    uint16_t upper;            ///<     of a joint: 1 at its upper limit, 0 at its lower one; else 0
} tac_event;

/// A pair of shapes that touches.
typedef struct tac_touching {
    uint16_t shape_a, shape_b; ///< as in tac_contact
    uint16_t mode;             ///< TAC_STICK or TAC_SLIDE; until the first step above these
} tac_touching;

/// Events of the steps so far, and what the next step is compared with.
typedef struct tac_events {
    tac_event *list;                           ///< of the caller: `room` of them
    uint32_t room;                             ///< may be changed between steps, as list and count may
    uint32_t count;                            ///< in use, the first events; 0 makes room again
    uint32_t dropped;                          ///< events that found no room
    uint32_t model_hash;                       ///< this and all below: of tac_events_step()
    uint64_t step;                             ///< of the state that is compared
    uint16_t touches;                          ///< in use in touching[]
    tac_touching touching[TAC_MAX_CONTACTS];   ///< in the order of pairs
    tac_joint_state joint[TAC_MAX_JOINTS + 1]; ///< of joints with limits
    uint8_t limit[TAC_MAX_JOINTS + 1];         ///< 1 at the lower limit, 2 at the upper one, 0 at none
} tac_events;

/// What contacts did to a shape since the loads were cleared.
typedef struct tac_load {
    tac_vec3 impulse; ///< N s on the shape, world
    tac_vec3 last;    ///< N s of these, in the last step
    tac_real work;    ///< J   on its body; what its weight, joints and input do is not in it
    tac_real peak;    ///< N   the greatest mean force of a step
    tac_real time;    ///< s   of the steps in which it bore a force
} tac_load;

/// Loads of all shapes. All zeros: none yet; so the caller clears them when a control period begins.
typedef struct tac_loads {
    tac_load shape[TAC_MAX_SHAPES];
} tac_loads;

/// What tac_time_to_contact() is asked.
typedef struct tac_meeting_query {
    tac_real horizon; ///< s   how far to look ahead, >= 0
    uint16_t body;    ///<     all of its shapes; TAC_NONE: `shape` alone
    uint16_t shape;   ///<     if body is TAC_NONE
    uint16_t looks;   ///<     most looks at pairs, and parts of the way, in all
    uint16_t parts;   ///<     >= 1: steps of h/parts are made where bodies do not fly freely
} tac_meeting_query;

/// The first touch that is foreseen.
typedef struct tac_meeting {
    tac_real time;         ///< s   until then it touches nothing
    tac_real gap;          ///< m   then, where it touches; else 0
    tac_vec3 point, n;     ///< m, 1 midway between the surfaces, from `shape` to `other`; world; zeros without a touch
    uint16_t shape, other; ///<     that touch; TAC_NONE: none within the horizon, or looks ran out
    uint16_t looks;        ///<     taken
    uint16_t steps;        ///<     of h/parts; 0: it flies freely
} tac_meeting;

/// Scratch for bodies that do not fly freely: the model with a shorter step, and the state ahead.
typedef struct tac_ahead {
    tac_model model;
    tac_state state;
    tac_pose pose[TAC_MAX_BODIES + 1]; ///< before the last step
} tac_ahead;

TAC_TYPES_END

// ------------------------------------------------------------------------------------------- plans, costs, roll-outs

TAC_TYPES_BEGIN

/// How numbers between rows of a table are found.
enum {
    TAC_TABLE_HOLD,   ///< those of the row before
    TAC_TABLE_LINEAR, ///< on the straight line between both rows
    TAC_TABLE_CUBIC,  ///< on a smooth cubic that between two rows does not pass beyond them; it is level at the first
                      ///< row, at the last one and where the rows turn
    TAC_TABLE_FORMS
};

/// Numbers over time: targets, weights of a gait. Not cyclic, the first row holds before it, the last one after it.
typedef struct tac_table {
    const tac_real *value; ///<     rows * width numbers, row by row
    tac_real start;        ///< s   time of the first row
    tac_real spacing;      ///< s   from row to row, > 0
    uint16_t rows, width;  ///<     >= 1
    uint8_t form;          ///<     TAC_TABLE_*
    uint8_t cyclic;        ///<     1: after the last row follows the first: the period is rows * spacing
} tac_table;

/// What one column of a plan commands.
typedef struct tac_channel {
    tac_real low, high; ///<              bounds of its numbers, in their unit; low <= high
    tac_real sigma;     ///<              standard deviation of its noise, in their unit, >= 0
    tac_real stiffness; ///< effort/q     of TAC_MOTOR_PD, else unused
    tac_real damping;   ///< effort s/q
    uint16_t joint;     ///<              < joints, of a kind with a coordinate
    uint16_t kind;      ///<              its numbers are efforts (TAC_MOTOR_EFFORT), positions (TAC_MOTOR_PD: targets
                        ///<              with the rate 0) or rates (TAC_MOTOR_VELOCITY)
} tac_channel;

/// Commands over time: a row of numbers at each knot. Times are seconds after the state that the plan is for. Numbers
/// between knots as in tac_table, then clamped to the bounds of the channel; before the first knot its row holds, after
/// the last one its.
typedef struct tac_plan {
    const tac_channel *channel; ///<   `channels` of them
    tac_real *value;            ///<   knots * channels numbers, knot by knot
    tac_real start;             ///< s time of the first knot
    tac_real spacing;           ///< s from knot to knot, > 0
    uint16_t knots, channels;   ///<   >= 1; at most TAC_MAX_JOINTS channels
    uint8_t form;               ///<   TAC_TABLE_*
} tac_plan;

/// Kinds of terms of a cost, by their residual r, all after a step. Frames as in tac_frame; vectors in the world, those
/// of frames also in its own axes.
enum {
    TAC_COST_JOINT,       ///< q       coordinates of joints `index` to index + count - 1
    TAC_COST_RATE,        ///< q/s     their rates
    TAC_COST_POSITION,    ///< m       of the origin of the frame
    TAC_COST_ORIENTATION, ///< rad     rotation vector from the target, a quaternion (w, x, y, z), to the frame, in the
                          ///<         target's axes
    TAC_COST_VELOCITY,    ///< m/s     of the origin of the frame
    TAC_COST_SPIN,        ///< rad/s   angular velocity of the frame
    TAC_COST_CENTRE,      ///< m       centre of mass of all dynamic bodies
    TAC_COST_MOMENTUM,    ///< N s     their momentum
    TAC_COST_ANGULAR_MOMENTUM, ///< N m s   about the centre of mass
    TAC_COST_EFFORT,           ///< effort  of the motors of joints `index` to index + count - 1
    TAC_COST_EFFORT_CHANGE,    ///< effort  the same against the step before; 0 in the first step
    TAC_COST_FORCE,            ///< N       sum of the normal forces on each shape `index` to index + count - 1
    TAC_COST_SLIP,  ///< m/s     of each of these shapes, the fastest sliding of its contacts that bear a force
    TAC_COST_GIVEN, ///<         `count` zeros: with the target the user's own residuals, which he may write between
                    ///<         slices
    TAC_COST_KINDS
};

/// n(r) of a residual r, as users of MuJoCo MPC know them; p is the radius of the term.
enum {
    TAC_NORM_QUADRATIC, ///< r.r/2
    TAC_NORM_SMOOTH,    ///< sum over i of sqrt(r_i^2 + p^2) - p: |r_i| beyond p, quadratic within
    TAC_NORM_L2,        ///< sqrt(r.r + p^2) - p: |r| beyond p
    TAC_NORMS
};

/// One term: over N steps of h it adds  sum of h weight schedule(t) n(r - target(t))  at the ends of all steps, and
/// terminal n(r - target) at the end of the last one. Fields that a kind does not name count for nothing.
typedef struct tac_cost_term {
    tac_frame frame;           ///<    of POSITION, ORIENTATION, VELOCITY, SPIN
    const tac_table *target;   ///<    as wide as r (ORIENTATION: 4); NULL: zeros (ORIENTATION: no rotation)
    const tac_table *schedule; ///<    one number >= 0 a row; NULL: 1
    tac_real weight;           ///<    >= 0, a second
    tac_real terminal;         ///<    >= 0
    tac_real radius;           ///<    p of SMOOTH and L2, in the unit of r, > 0
    uint16_t index, count;     ///<    which joints or shapes; count >= 1
    uint8_t kind;              ///<    TAC_COST_*
    uint8_t norm;              ///<    TAC_NORM_*
    uint8_t axes;              ///<    of VELOCITY and SPIN: TAC_AXES_WORLD or TAC_AXES_FRAME
    uint8_t without;           ///<    bits 0, 1, 2: components x, y, z of a vector that do not count
} tac_cost_term;

/// A cost: the sum of its terms, never negative.
typedef struct tac_cost {
    const tac_cost_term *term;
    tac_real time; ///< s  of the tables, at the state that a roll-out starts from
    uint16_t terms;
} tac_cost;

/// How exact the steps of a roll-out are: {0} takes those of tac_step(). With `kept` they keep what hardly changes in
/// some steps: contacts, their directions, the factor of the robot, W (src/predict/README.md has the errors). A step
/// that this cannot serve is a full one: a motor that leaves its bounds, joints that close loops.
typedef struct tac_fidelity {
    tac_refresh *kept;     ///< memory for it; NULL: steps of tac_step()
    const uint16_t *shape; ///< shapes whose contacts count, with `kept`; NULL: all
    uint16_t shapes;       ///< how many of them
    uint16_t every;        ///< steps from refresh to refresh, >= 1
} tac_fidelity;

/// Why a roll-out has ended.
enum {
    TAC_ROLLOUT_OPEN,   ///< it has not: more steps are to be taken
    TAC_ROLLOUT_WHOLE,  ///< all steps are taken
    TAC_ROLLOUT_DEAR,   ///< its cost is above `most`
    TAC_ROLLOUT_REFUSED ///< a step was refused: its status and fault
};

/// A roll-out: what is asked, how far it is, what it has found.
typedef struct tac_prediction {
    // in; what they point to must stay until the roll-out has ended
    const tac_model *model; ///<    of the prediction: h and options are its own (tac_state_adopt())
    const tac_plan *plan;   ///<    NULL: none
    const tac_cost *cost;   ///<    NULL: none
    const tac_input *input; ///<    what acts beside the plan, in all steps; NULL: nothing
    tac_real most;          ///<    ends when the cost is above this
    uint32_t steps;         ///<    N
    tac_fidelity fidelity;  ///<    of its steps

    // out
    tac_real total;       ///<      cost so far
    tac_fault fault;      ///<      of a step that was refused
    tac_status status;    ///<      of all steps together, as tac_step() returns it
    uint32_t taken;       ///<      steps so far
    uint32_t touching;    ///<      of them, those in which a contact bears a force
    tac_real force;       ///< N    largest normal force of a contact
    tac_real penetration; ///< m    deepest overlap at the start of a step
    uint16_t contacts;    ///<      most in a step
    uint16_t dropped;     ///<      contacts that found no room, in all steps
    uint8_t end;          ///<      TAC_ROLLOUT_*
    tac_state state;      ///<      after the steps so far

    // scratch
    uint32_t model_hash;                 ///<        of the roll-out that has begun
    uint32_t first;                      ///<        motor of the plan
    tac_real effort[TAC_MAX_JOINTS + 1]; ///< effort  of the motors in the last step
    tac_input acting;                    ///<         input of the next step
} tac_prediction;

/// What a sampling planner makes of its samples.
enum {
    TAC_SAMPLING_BEST,    ///< predictive sampling: the cheapest
    TAC_SAMPLING_ELITES,  ///< the mean of the cheapest `elites` (cross-entropy method), or the cheapest if that is
                          ///< cheaper
    TAC_SAMPLING_WEIGHTS, ///< the mean with weights exp(-(cost - least cost)/temperature) (MPPI), likewise; beyond 16
                          ///< temperatures the weight is 0
    TAC_SAMPLING_METHODS
};

/// A sampling planner: K candidates, the plan itself and K - 1 of it with noise, each rolled out. It has pointers into
/// itself: no copy of it goes on.
typedef struct tac_sampling {
    // in; what they point to must stay until the end
    const tac_model *model; ///<    of the prediction
    const tac_cost *cost;   ///<
    const tac_input *input; ///<    as in tac_prediction
    tac_plan *plan;         ///<    in: to start from; written by tac_sampling_end()
    tac_real *room;         ///<    scratch: the numbers of a plan; then `samples` costs of the candidates, the largest
                            ///<    number where one was cut or refused
    tac_real *spread; ///<    standard deviation of each number of the plan, where that is more than the sigma of its
                      ///<    channel; ELITES writes that of the elites. NULL: none
    tac_fidelity fidelity; ///<    of all steps
    tac_refresh *first;    ///<    with fidelity.kept, memory for the refresh of the state that all candidates start
                           ///<    from; costs and plans are the same without it. NULL: each candidate makes its own
    uint64_t seed;         ///<    of the noise: another one for each plan, its number for example
    tac_real scale;        ///<    factor of all noise, >= 0
    tac_real temperature;  ///<    of WEIGHTS, in the unit of the cost, > 0
    uint32_t steps;        ///<    of each roll-out
    uint16_t samples;      ///<    K, >= 1
    uint16_t elites;       ///<    of ELITES, 1 .. samples
    uint8_t method;        ///<    TAC_SAMPLING_*

    // out
    tac_real nominal; ///<          cost of the plan itself; the largest number if its roll-out was refused
    tac_real least;   ///<          of the candidate that tac_sampling_end() makes the plan
    uint32_t taken;   ///<          steps, of all candidates
    uint16_t tried;   ///<          candidates whose roll-out has ended; then one more for the mean
    uint16_t winner;  ///<          the candidate: 0 the plan itself, `samples` the mean
    uint8_t done;     ///<          1: all have ended

    // scratch
    const tac_state *state; ///<   that all candidates start from
    tac_plan trial;
    tac_prediction prediction;
} tac_sampling;

TAC_TYPES_END

#endif

#endif
