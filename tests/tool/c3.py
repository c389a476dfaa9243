#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""c3.py - is a system of `tactus linearise --c3` the one of c3?   c3.py FORM TOLERANCE [MASS MOMENT] < SYSTEM

  given   the system of free cubes of one mass and one moment of inertia, on the ground and on each other, or without these two of a
          robot with one free root and joints of one coordinate, in the form stewart-trinkle; FORM as in --form
  makes   exit code 1, and the entry that is furthest off, if one differs from c3's formulas by more than the tolerance, relative to
          the larger of 1 and its block's largest entry
  bound   the cube of the coordinates
  never   takes a number of the system itself for cubes; for a robot the rows of v and the rates that rows of contacts see, from which
          all the rest follows

c3's lcs_factory linearises dv/dt = f(q, v, u), the accelerations without contacts, at the state (q*, v*):
    v+ = v + dt f + dt M^-1 J' l,     q+ = q + dt N v+,     dq/dt = N v
For cubes f is gravity. Rows: after Stewart and Trinkle mu l_n - sum l_t (N), phi + J_n (q+ - q*) (m), J_t v+ + slack (m/s); after
Anitescu (phi + J_n (q+ - q*))/dt + mu J_t v+ for each edge.
"""
import json
import sys


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def product(a, b):
    return [sum(x * y for x, y in zip(row, column)) for row in a for column in zip(*b)], len(a), len(b[0])


def multiply(a, b):
    flat, rows, columns = product(a, b)
    return [flat[i * columns:(i + 1) * columns] for i in range(rows)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def scaled(s, a):
    return [[s * x for x in row] for row in a]


def zeros(rows, columns):
    return [[0.0] * columns for _ in range(rows)]


def rates(state, bodies, joints=0):
    """N and its left inverse: of the quaternion (0, w) q/2 with w in the world frame."""
    size, velocities = 7 * bodies + joints, 6 * bodies + joints
    n, back = zeros(size, velocities), zeros(velocities, size)
    for j in range(joints):
        n[7 * bodies + j][6 * bodies + j] = back[6 * bodies + j][7 * bodies + j] = 1.0
    for b in range(bodies):
        w, x, y, z = state[7 * b:7 * b + 4]
        columns = [[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]]  # i q, j q, k q
        for i, column in enumerate(columns):
            for k, entry in enumerate(column):
                n[7 * b + k][6 * b + i] = 0.5 * entry
                back[6 * b + i][7 * b + k] = 2.0 * entry
            n[7 * b + 4 + i][6 * b + 3 + i] = back[6 * b + 3 + i][7 * b + 4 + i] = 1.0
    return n, back


def row_along(state, bodies, contact, direction):
    """The row of J: the velocity of b against a along a direction, at the point."""
    row = [0.0] * (6 * bodies)
    for body, sign in ((contact[5], -1.0), (contact[6], 1.0)):
        if body == 0:
            continue
        at = 7 * (body - 1)
        arm = [p - c for p, c in zip(contact[0], state[at + 4:at + 7])]
        row[6 * (body - 1):6 * body] = [sign * x for x in cross(arm, direction) + list(direction)]
    return row


def expected(y, mass, moment, form):
    state = [x for row in y["state"] for x in row]
    bodies, dt, count = y["q"] // 7, y["dt"], y["contacts"]
    n, back = rates(state, bodies)
    inverse = [1.0 / moment] * 3 + [1.0 / mass] * 3
    gravity = [0.0, 0.0, 0.0, 0.0, 0.0, -9.81] * bodies
    normal = [row_along(state, bodies, c, c[1]) for c in y["contact"]]
    gap, mu = [c[3] for c in y["contact"]], [c[4] for c in y["contact"]]
    tangent, owner = [], []
    for i, c in enumerate(y["contact"]):
        for direction in (c[2], [-x for x in c[2]], cross(c[1], c[2]), [-x for x in cross(c[1], c[2])]):
            tangent.append(row_along(state, bodies, c, direction))
            owner.append(i)
    size, velocities = 7 * bodies, 6 * bodies
    out = {"A": zeros(13 * bodies, 13 * bodies), "d": zeros(13 * bodies, 1)}
    for i in range(13 * bodies):
        out["A"][i][i] = 1.0
    for i in range(size):
        for j in range(velocities):
            out["A"][i][size + j] = dt * n[i][j]
            out["d"][i][0] += dt * dt * n[i][j] * gravity[j]
    for j in range(velocities):
        out["d"][size + j][0] = dt * gravity[j]
    if form == "anitescu":
        j_c = [[normal[o][k] + mu[o] * t[k] for k in range(velocities)] for t, o in zip(tangent, owner)]
        forces = j_c
        seen = [(1.0 / dt, normal[o], gap[o], row) for row, o in zip(j_c, owner)]
    else:
        forces = zeros(count, velocities) + normal + tangent
        seen = [None] * count + [(1.0, row, phi, scaled(dt, [row])[0]) for row, phi in zip(normal, gap)]
        seen += [(0.0, row, 0.0, row) for row in tangent]
    response = transposed([[inverse[k % 6] * x for k, x in enumerate(row)] for row in forces])  # M^-1 J'
    out["D"] = scaled(dt * dt, multiply(n, response)) + scaled(dt, response)
    out["E"], out["F"], out["c"] = [], [], []
    for at in seen:
        if at is None:
            out["E"].append([0.0] * (13 * bodies))
            out["F"].append([0.0] * len(forces))
            out["c"].append([0.0])
            continue
        part, row, phi, sees = at
        by_q = multiply([row], back)[0]
        out["E"].append([part * x for x in by_q] + list(sees))
        out["F"].append([dt * x for x in multiply([sees], response)[0]])
        out["c"].append([part * (phi - sum(x * q for x, q in zip(by_q, state)))
                         + dt * sum(x * g for x, g in zip(sees, gravity))])
    if form != "anitescu":
        for i in range(count):
            out["F"][i][count + i] = mu[i]
        for k, o in enumerate(owner):
            out["F"][o][2 * count + k] = -1.0
            out["F"][2 * count + k][o] += 1.0
    return out


def solved(rows, matrix):
    """Rows x with x matrix = rows, by elimination."""
    size = len(matrix)
    all_of = [list(column) + list(right) for column, right in zip(transposed(matrix), transposed(rows))]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(all_of[k][i]))
        all_of[i], all_of[pivot] = all_of[pivot], all_of[i]
        all_of[i] = [x / all_of[i][i] for x in all_of[i]]
        for k in range(size):
            if k != i and all_of[k][i] != 0.0:
                by = all_of[k][i]
                all_of[k] = [a - by * b for a, b in zip(all_of[k], all_of[i])]
    return transposed([row[size:] for row in all_of])


def of_a_robot(y):
    """What follows from rows of v and from the rates that rows of contacts see; the multipliers have no part in it."""
    state = [x for row in y["state"] for x in row]
    size, dt, contacts = y["q"], y["dt"], y["contacts"]
    n, back = rates(state, 1, size - 7)
    out = {}
    for name in ("A", "B", "D", "d"):
        of_v = y[name][size:]
        out[name] = scaled(dt, multiply(n, of_v)) + of_v
    for i in range(size):
        out["A"][i][i] += 1.0
    seen = range(contacts, 6 * contacts)
    scale = [dt] * contacts + [1.0] * (4 * contacts)
    rate = solved([y["E"][l][size:] for l in seen], [row[size:] for row in y["A"][size:]])
    for name, block in (("E", "A"), ("F", "D"), ("H", "B")):
        out[name] = [list(row) for row in y[name]]
        for l, row in zip(seen, multiply(rate, y[block][size:])):
            kept = y["F"][l][:contacts] if name == "F" else []
            out[name][l] = kept + row[len(kept):]
    for i in range(contacts):
        by_q = multiply([[x / scale[i] for x in rate[i]]], back)[0] + [0.0] * (size - 1)
        out["E"][contacts + i] = [a + b for a, b in zip(out["E"][contacts + i], by_q)]
        late = sum(r * d[0] for r, d in zip(rate[i], y["d"][size:])) - sum(a * b for a, b in zip(by_q, state))
        out["c"] = out.get("c", []) + [[y["contact"][i][3] + late]]
    out["c"] = y["c"][:contacts] + out["c"] + y["c"][2 * contacts:]
    return out


def main():
    form, tolerance = sys.argv[1], float(sys.argv[2])
    y = json.load(sys.stdin)
    worst, where = 0.0, ""
    blocks = expected(y, float(sys.argv[3]), float(sys.argv[4]), form) if len(sys.argv) > 4 else of_a_robot(y)
    for name, block in blocks.items():
        if len(block) != len(y[name]) or len(block[0]) != len(y[name][0]):
            sys.exit(f"{name} has another size")
        most = max([1.0] + [abs(x) for row in block for x in row])
        for i, (want, got) in enumerate(zip(block, y[name])):
            for k, (a, b) in enumerate(zip(want, got)):
                if abs(a - b) / most > worst:
                    worst, where = abs(a - b) / most, f"{name}[{i}][{k}]: {b}, c3's formula gives {a}"
    print(f"worst {worst:.3g} {where}")
    if worst > tolerance or y["contacts"] == 0:
        sys.exit(1)


main()
