// SPDX-License-Identifier: MIT
// kdl.cc - a second opinion on equations of motion, by a library that others wrote: Orocos KDL, in double precision.
//   given   oracle_model(), a model with its base on the ground that urdf2tactus wrote
//   makes   TAP: mass matrix, bias, gravity, inverse and forward dynamics, Jacobian and its drift in random states
//   bound   STATES states
//   never   reads the robot's file: KDL is told the bodies and joints of the model
// Segments have the principal frames of bodies. Trees: efforts by Newton and Euler, from them the mass matrix column by
// column, its inverse by Eigen. Chains on which nothing else hangs (arms, and legs on a fixed base) also have KDL's own
// mass matrix of composite bodies, Coriolis and gravity efforts, and forward dynamics.
extern "C" {
#include "tap.h"
}
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>
#include <random>
#include <string>
#include <vector>

extern "C" const tac_model *oracle_model(void);

namespace
{

const int STATES = 50, SEED = 1;

tac_model m;
tac_state s;
tac_work w;
tac_coordinates map;
int n;

KDL::Tree tree("ground");
std::vector<int> place; // KDL's index of each of our velocities

// --------------------------------------------------------------------------------------------------------- KDL's model

KDL::Vector vector_of(tac_vec3 a)
{
    return KDL::Vector((double)a.x, (double)a.y, (double)a.z);
}

KDL::Frame frame_of(tac_pose a)
{
    const double norm = std::sqrt((double)a.q.w * (double)a.q.w + (double)a.q.x * (double)a.q.x +
                                  (double)a.q.y * (double)a.q.y + (double)a.q.z * (double)a.q.z);
    return KDL::Frame(KDL::Rotation::Quaternion((double)a.q.x / norm, (double)a.q.y / norm, (double)a.q.z / norm,
                                                (double)a.q.w / norm),
                      vector_of(a.p));
}

std::string name_of(uint16_t body)
{
    return body == 0 ? "ground" : "body " + std::to_string(body);
}

// A frame of a joint, in the segment of its body; on the ground in the world.
KDL::Frame frame_on(uint16_t body, tac_pose frame)
{
    const KDL::Frame own = frame_of(m.body[body].inertial).Inverse() * frame_of(frame);
    return body == 0 ? frame_of(s.pose[0]) * own : own;
}

KDL::Joint joint_of(const tac_joint *j, const KDL::Frame &a, uint32_t index)
{
    const std::string name = "joint " + std::to_string(index);
    if (j->kind == TAC_FIXED) { return KDL::Joint(name, KDL::Joint::Fixed); }
    const KDL::Joint::JointType type = j->kind == TAC_PRISMATIC ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    return KDL::Joint(name, a.p, a.M.UnitZ(), type);
}

// Bodies that hang on this one, and all that hang on them. Returns 0 for a joint that KDL has not.
int add_children(uint16_t body)
{
    int good = 1;
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        const tac_body *b = &m.body[j->body_b];
        if (j->body_a != body) { continue; }
        const KDL::Frame a = frame_on(j->body_a, j->frame_a), tip = a * frame_on(j->body_b, j->frame_b).Inverse();
        const KDL::RotationalInertia inertia((double)b->inertia.x, (double)b->inertia.y, (double)b->inertia.z);
        good &= (j->kind == TAC_FIXED || j->kind == TAC_REVOLUTE || j->kind == TAC_PRISMATIC) && !(j->armature > 0);
        good &= tree.addSegment(KDL::Segment(name_of(j->body_b), joint_of(j, a, i), tip,
                                             KDL::RigidBodyInertia((double)b->mass, KDL::Vector::Zero(), inertia)),
                                name_of(body));
        good &= add_children(j->body_b);
    }
    return good;
}

int begin()
{
    m = *oracle_model();
    m.shapes = 0;
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { return 0; }
    if (tac_model_get_coordinates(&m, &w, &map) != TAC_OK || !add_children(0)) { return 0; }
    n = map.velocities;
    place.assign((size_t)n, -1);
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].kind == TAC_FIXED) { continue; }
        place[map.joint[i].velocity] = (int)GetTreeElementQNr(tree.getSegment(name_of(m.joint[i].body_b))->second);
    }
    return (int)tree.getNrOfJoints() == n && std::count(place.begin(), place.end(), -1) == 0;
}

// ------------------------------------------------------------------------------------------------------------- states

typedef std::vector<tac_real> reals;

double range(std::mt19937_64 *r, double low, double high)
{
    return low + (high - low) * ((double)((*r)() >> 11) / 9007199254740992.0);
}

// The same state here and there.
struct drawn {
    KDL::JntArray q, dq, ddq;
    reals acceleration;
    explicit drawn(std::mt19937_64 *r) : q((unsigned)n), dq((unsigned)n), ddq((unsigned)n), acceleration((size_t)n)
    {
        reals position((size_t)n), rate((size_t)n);
        for (uint32_t i = 0; i < m.joints; i++) {
            if (m.joint[i].kind == TAC_FIXED) { continue; }
            const double most = m.joint[i].kind == TAC_PRISMATIC ? 0.5 : 3;
            position[map.joint[i].position] = (tac_real)range(r, -most, most);
            q((unsigned)place[map.joint[i].velocity]) = (double)position[map.joint[i].position];
        }
        for (size_t i = 0; i < (size_t)n; i++) {
            rate[i] = (tac_real)range(r, -2, 2);
            acceleration[i] = (tac_real)range(r, -10, 10);
            dq((unsigned)place[i]) = (double)rate[i];
            ddq((unsigned)place[i]) = (double)acceleration[i];
        }
        good = tac_state_set_coordinates(&m, &s, position.data(), rate.data(), &w) == TAC_OK;
    }
    bool good;
};

// Efforts of KDL's tree, by Newton and Euler.
KDL::JntArray efforts(const KDL::JntArray &q, const KDL::JntArray &dq, const KDL::JntArray &ddq, KDL::Vector gravity)
{
    KDL::TreeIdSolver_RNE solver(tree, gravity);
    KDL::JntArray effort((unsigned)n);
    solver.CartToJnt(q, dq, ddq, KDL::WrenchMap(), effort);
    return effort;
}

Eigen::MatrixXd mass_matrix(const KDL::JntArray &q)
{
    const KDL::JntArray still((unsigned)n);
    Eigen::MatrixXd mass(n, n);
    for (int k = 0; k < n; k++) {
        KDL::JntArray unit((unsigned)n);
        unit((unsigned)k) = 1;
        mass.col(k) = efforts(q, still, unit, KDL::Vector::Zero()).data;
    }
    return mass;
}

// ------------------------------------------------------------------------------------------------------------- errors

struct errors {
    double matrix, bias, gravity, inverse, forward, jacobian, drift, chain_matrix, chain_bias, chain_forward;
    int chains;
};

// Largest |error| so far; a NaN stays.
void worst_of(double *worst, double error)
{
    if (!(std::fabs(error) <= *worst)) { *worst = std::fabs(error); }
}

// Of a vector, by the unit of each coordinate: sqrt(M_kk) of an effort, its inverse of an acceleration.
double differ(const reals &a, const Eigen::VectorXd &b, const Eigen::MatrixXd &mass, double power)
{
    double worst = 0, most = 0;
    for (int k = 0; k < n; k++) {
        const int at = place[(size_t)k];
        const double unit = std::pow(mass(at, at), 0.5 * power);
        most = std::max(most, std::fabs(b(at)) * unit);
        worst_of(&worst, ((double)a[(size_t)k] - b(at)) * unit);
    }
    return most > 0 ? worst / most : worst;
}

void compare_tree(const drawn &x, const Eigen::MatrixXd &mass, errors *e)
{
    const KDL::JntArray still((unsigned)n);
    const KDL::Vector gravity = vector_of(m.gravity);
    reals matrix((size_t)n * (size_t)n), got((size_t)n), effort((size_t)n);
    tac_mass_matrix(&m, &s, &w, matrix.data());
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            const int a = place[(size_t)i], b = place[(size_t)k];
            worst_of(&e->matrix,
                     ((double)matrix[(size_t)(i * n + k)] - mass(a, b)) / std::sqrt(mass(a, a) * mass(b, b)));
        }
    }
    const Eigen::VectorXd bias = efforts(x.q, x.dq, still, gravity).data;
    tac_bias(&m, &s, &w, got.data());
    worst_of(&e->bias, differ(got, bias, mass, -1));
    tac_gravity_effort(&m, &s, &w, got.data());
    worst_of(&e->gravity, differ(got, efforts(x.q, still, still, gravity).data, mass, -1));
    tac_inverse_dynamics(&m, &s, x.acceleration.data(), &w, effort.data());
    worst_of(&e->inverse, differ(effort, efforts(x.q, x.dq, x.ddq, gravity).data, mass, -1));
    Eigen::VectorXd given(n);
    for (int k = 0; k < n; k++) { given(place[(size_t)k]) = (double)effort[(size_t)k]; }
    tac_forward_dynamics(&m, &s, effort.data(), &w, got.data());
    worst_of(&e->forward, differ(got, mass.ldlt().solve(given - bias), mass, 1));
}

// Our velocities that a chain of KDL has, in its order.
std::vector<int> velocities_of(const KDL::Chain &chain)
{
    std::vector<int> mine;
    for (const KDL::Segment &segment : chain.segments) {
        if (segment.getJoint().getType() == KDL::Joint::Fixed) { continue; }
        const int at = (int)GetTreeElementQNr(tree.getSegment(segment.getName())->second);
        mine.push_back((int)(std::find(place.begin(), place.end(), at) - place.begin()));
    }
    return mine;
}

KDL::JntArray part(const KDL::JntArray &all, const std::vector<int> &mine)
{
    KDL::JntArray some((unsigned)mine.size());
    for (size_t i = 0; i < mine.size(); i++) { some((unsigned)i) = all((unsigned)place[(size_t)mine[i]]); }
    return some;
}

// Jacobian of the centre of mass of a body, and its drift.
void compare_point(const drawn &x, uint16_t body, errors *e)
{
    reals ours((size_t)(6 * n));
    tac_point_motion at;
    tac_jacobian(&m, &s, body, m.body[body].inertial.p, TAC_AXES_WORLD, &w, ours.data());
    tac_body_point(&m, &s, body, m.body[body].inertial.p, TAC_AXES_WORLD, &w, &at);
    KDL::Jacobian theirs((unsigned)n);
    KDL::TreeJntToJacSolver(tree).JntToJac(x.q, theirs, name_of(body));
    for (int row = 0; row < 6; row++) {
        for (int k = 0; k < n; k++) {
            worst_of(&e->jacobian,
                     (double)ours[(size_t)(row * n + k)] - theirs((unsigned)row, (unsigned)place[(size_t)k]));
        }
    }
    KDL::Chain chain;
    tree.getChain("ground", name_of(body), chain);
    const std::vector<int> mine = velocities_of(chain);
    if (mine.empty()) { return; }
    KDL::ChainJntToJacDotSolver solver(chain);
    KDL::Twist drift;
    solver.setHybridRepresentation();
    solver.JntToJacDot(KDL::JntArrayVel(part(x.q, mine), part(x.dq, mine)), drift);
    const double size = 1 + drift.vel.Norm() + drift.rot.Norm();
    worst_of(&e->drift, (vector_of(at.linear_drift) - drift.vel).Norm() / size);
    worst_of(&e->drift, (vector_of(at.angular_drift) - drift.rot).Norm() / size);
}

// A leaf of the tree, and no branch between it and the ground.
bool hangs_alone(uint16_t body)
{
    KDL::SegmentMap::const_iterator at = tree.getSegment(name_of(body));
    if (!GetTreeElementChildren(at->second).empty()) { return false; }
    for (at = GetTreeElementParent(at->second); at != tree.getRootSegment(); at = GetTreeElementParent(at->second)) {
        if (GetTreeElementChildren(at->second).size() != 1) { return false; }
    }
    return true;
}

void compare_chain(const drawn &x, uint16_t body, const Eigen::MatrixXd &mass, errors *e)
{
    KDL::Chain chain;
    tree.getChain("ground", name_of(body), chain);
    const std::vector<int> mine = velocities_of(chain);
    const unsigned size = (unsigned)mine.size();
    const KDL::JntArray q = part(x.q, mine), dq = part(x.dq, mine);
    KDL::JntSpaceInertiaMatrix inertia(size);
    KDL::JntArray coriolis(size), weight(size), given(size), ddq(size);
    reals matrix((size_t)n * (size_t)n), bias((size_t)n), effort((size_t)n), forward((size_t)n);
    KDL::ChainDynParam model(chain, vector_of(m.gravity));
    model.JntToMass(q, inertia);
    model.JntToCoriolis(q, dq, coriolis);
    model.JntToGravity(q, weight);
    tac_mass_matrix(&m, &s, &w, matrix.data());
    tac_bias(&m, &s, &w, bias.data());
    tac_inverse_dynamics(&m, &s, x.acceleration.data(), &w, effort.data());
    tac_forward_dynamics(&m, &s, effort.data(), &w, forward.data());
    for (unsigned i = 0; i < size; i++) { given(i) = (double)effort[(size_t)mine[i]]; }
    KDL::ChainFdSolver_RNE(chain, vector_of(m.gravity))
        .CartToJnt(q, dq, given, KDL::Wrenches(chain.getNrOfSegments()), ddq);
    double most[2] = {0, 0}, worst[2] = {0, 0};
    for (unsigned i = 0; i < size; i++) {
        const size_t k = (size_t)mine[i];
        const double unit = std::sqrt(mass(place[k], place[k]));
        most[0] = std::max(most[0], std::fabs(coriolis(i) + weight(i)) / unit);
        most[1] = std::max(most[1], std::fabs(ddq(i)) * unit);
        worst_of(&worst[0], ((double)bias[k] - (coriolis(i) + weight(i))) / unit);
        worst_of(&worst[1], ((double)forward[k] - ddq(i)) * unit);
        for (unsigned j = 0; j < size; j++) {
            const double other = std::sqrt(mass(place[(size_t)mine[j]], place[(size_t)mine[j]]));
            worst_of(&e->chain_matrix,
                     ((double)matrix[k * (size_t)n + (size_t)mine[j]] - inertia(i, j)) / (unit * other));
        }
    }
    worst_of(&e->chain_bias, worst[0] / most[0]);
    worst_of(&e->chain_forward, worst[1] / most[1]);
    e->chains++;
}

} // namespace

int main()
{
    errors e = {};
    std::mt19937_64 r(SEED);
    const int ready = begin();
    tap_ok(ready, "both take the robot");
    int good = 1;
    for (int i = 0; i < STATES && ready; i++) {
        const drawn x(&r);
        const Eigen::MatrixXd mass = mass_matrix(x.q);
        good &= x.good;
        compare_tree(x, mass, &e);
        compare_point(x, (uint16_t)(1 + r() % (m.bodies - 1u)), &e);
        for (uint16_t body = 1; body < m.bodies; body++) {
            if (hangs_alone(body)) { compare_chain(x, body, mass, &e); }
        }
    }
    tap_note("coordinates", n);
    tap_note("seed of the states", SEED);
    tap_ok(good, "states are set");
    tap_most(e.matrix, TOL(1e-10, 1e-4), "mass matrix");
    tap_most(e.bias, TOL(1e-10, 1e-4), "bias");
    tap_most(e.gravity, TOL(1e-10, 1e-4), "gravity");
    tap_most(e.inverse, TOL(1e-10, 1e-4), "inverse dynamics");
    tap_most(e.forward, TOL(1e-10, 1e-4), "forward dynamics");
    tap_most(e.jacobian, TOL(1e-10, 1e-4), "Jacobian of a centre of mass");
    tap_most(e.drift, TOL(1e-10, 1e-4), "drift of its velocity");
    tap_most(e.chain_matrix, TOL(1e-10, 1e-4), "chains: mass matrix of composite bodies");
    tap_most(e.chain_bias, TOL(1e-10, 1e-4), "chains: Coriolis and gravity efforts");
    tap_most(e.chain_forward, TOL(1e-10, 1e-4), "chains: forward dynamics");
    tap_note("chains in all states", e.chains);
    return tap_done();
}
