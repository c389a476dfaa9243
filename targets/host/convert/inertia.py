# SPDX-License-Identifier: MIT
"""inertia - tensors (xx, xy, xz, yy, yz, zz) of rigid bodies: moved, summed, turned to principal axes, checked."""
import math

from .space import axes, dot, from_axes, sub

# Relative to half the sum of the moments. Printed digits round: a flat plate is on the edge of the triangle inequality.
# The kernel allows ten times as much, and a float's rounding is between the two.
SLACK = 1e-5
SWEEPS = 20  # Jacobi converges quadratically; 6 are usual

NOTHING = (0.0,) * 6


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def turned(tensor, q):
    """R I R', with R the matrix of q."""
    xx, xy, xz, yy, yz, zz = tensor
    rows = tuple(zip(*axes(q)))  # of R
    columns = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    half = [tuple(dot(row, column) for column in columns) for row in rows]
    return tuple(dot(half[i], rows[k]) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))


def at_arm(mass, arm):
    """Of a point mass, about the origin of its arm."""
    x, y, z = arm
    return (
        mass * (y * y + z * z),
        -mass * x * y,
        -mass * x * z,
        mass * (x * x + z * z),
        -mass * y * z,
        mass * (x * x + y * y),
    )


def together(parts):
    """Mass, centre and tensor about the centre of several (mass, centre, tensor); one part stays as it is."""
    if len(parts) == 1:
        return parts[0]
    mass = sum(part[0] for part in parts)
    centre = tuple(sum(m * c[k] for m, c, _ in parts) / mass for k in range(3))
    total = NOTHING
    for m, c, tensor in parts:
        total = plus(total, plus(tensor, at_arm(m, sub(c, centre))))
    return mass, centre, total


def principal(tensor):
    """Principal moments, and the turn of their axes: cyclic Jacobi, in a fixed order. The axes stay as near to the
    given ones as they can, and a tensor that is diagonal but for rounding is not turned."""
    xx, xy, xz, yy, yz, zz = tensor
    a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]  # columns are axes
    negligible = 2.0**-53 * max(abs(x) for x in tensor)
    for _ in range(SWEEPS):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if abs(a[p][q]) <= negligible:
                a[p][q] = a[q][p] = 0.0
                continue
            theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q])
            t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
            c = 1.0 / math.sqrt(t * t + 1.0)
            s = t * c
            r = 3 - p - q
            a[p][p] -= t * a[p][q]
            a[q][q] += t * a[p][q]
            a[p][q] = a[q][p] = 0.0
            a[p][r], a[q][r] = c * a[p][r] - s * a[q][r], s * a[p][r] + c * a[q][r]
            a[r][p], a[r][q] = a[p][r], a[q][r]
            for row in v:
                row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    return (a[0][0], a[1][1], a[2][2]), from_axes(*zip(*v))


def fault(moments):
    """What no mass distribution has, in words; None if all is well."""
    least, most = min(moments), max(moments)
    half = 0.5 * (moments[0] + moments[1] + moments[2])
    listed = ", ".join(f"{m:.9g}" for m in moments)
    if not least > 0.0:
        return f"inertia is not positive definite: principal moments {listed} kg m2"
    if most > half * (1.0 + SLACK):
        return f"inertia breaks the triangle inequality: principal moments {listed} kg m2"
    return None
