# SPDX-License-Identifier: MIT
"""space - vectors, unit quaternions (w, x, y, z) and poses, as tuples.

The same file gives the same model on every machine: sums have a fixed order, and sine and cosine are computed with
integers here, since those of C libraries differ in the last bit."""
import math
from collections import namedtuple

Pose = namedtuple("Pose", "p q")

ZERO = (0.0, 0.0, 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
IDENTITY = Pose(ZERO, UPRIGHT)


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(s, a):
    return (s * a[0], s * a[1], s * a[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    """Scaled by its largest component first: its square may be too small for a number."""
    most = max(abs(x) for x in a)
    a = tuple(x / most for x in a)
    return scale(1.0 / norm(a), a)


# ---------------------------------------------------------------------------------------------------- sine and cosine

ONE = 1 << 256  # fixed point


def arctan_inverse(n):
    """arctan(1/n) = 1/n - 1/(3 n^3) + ..., in fixed point."""
    power, total, k = ONE // n, 0, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return total


QUARTER = 2 * (4 * arctan_inverse(5) - arctan_inverse(239))  # pi/2, Machin


def sin_cos(angle):
    """Both, rounded to the nearest number."""
    n, d = angle.as_integer_ratio()
    x = n * ONE // d
    quadrant = (2 * x + QUARTER) // (2 * QUARTER)
    x -= quadrant * QUARTER
    term, k, sums = ONE, 0, [0, 0]  # of the even and of the odd terms of exp(i x)
    while term:
        sums[k % 2] += term if k % 4 < 2 else -term
        k += 1
        term = term * x // (k * ONE)
        if term == -1:
            break
    c, s = sums
    c, s = [(c, s), (-s, c), (-c, -s), (s, -c)][quadrant % 4]
    return s / ONE, c / ONE


# -------------------------------------------------------------------------------------------------------------- turns


def multiply(a, b):
    w, x, y, z = a
    return (
        w * b[0] - x * b[1] - y * b[2] - z * b[3],
        w * b[1] + x * b[0] + y * b[3] - z * b[2],
        w * b[2] - x * b[3] + y * b[0] + z * b[1],
        w * b[3] + x * b[2] - y * b[1] + z * b[0],
    )


def normal(q):
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return tuple(x / length + 0.0 for x in q)


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q, v):
    axis = q[1:]
    twice = scale(2.0, cross(axis, v))
    return add(add(v, scale(q[0], twice)), cross(axis, twice))


def turn(axis, angle):
    s, c = sin_cos(0.5 * angle)
    return (c, s * axis[0], s * axis[1], s * axis[2])


def from_rpy(rpy):
    """R = Rz(yaw) Ry(pitch) Rx(roll)."""
    x, y, z = (turn(axis, angle) for axis, angle in zip(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), rpy))
    return normal(multiply(z, multiply(y, x)))


def from_z(axis):
    """The shortest turn that takes z to the unit vector `axis`; about x if that is -z."""
    x, y, z = axis
    across = x * x + y * y
    w = 1.0 + z if z > 0.0 else across / (1.0 - z)
    if w == 0.0:
        return (0.0, 1.0, 0.0, 0.0)
    return normal((w, -y, x, 0.0))


def from_axes(x, y, z):
    """The turn whose matrix has these columns. The largest of its components is found first, by its square."""
    squares = (
        1.0 + x[0] + y[1] + z[2],
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
    )
    sums = {
        (0, 1): y[2] - z[1],
        (0, 2): z[0] - x[2],
        (0, 3): x[1] - y[0],
        (1, 2): y[0] + x[1],
        (1, 3): z[0] + x[2],
        (2, 3): z[1] + y[2],
    }
    most = squares.index(max(squares))
    q = [squares[k] if k == most else sums[min(k, most), max(k, most)] for k in range(4)]
    return normal(q if q[0] >= 0.0 else [-c for c in q])


def axes(q):
    return tuple(rotate(q, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


# -------------------------------------------------------------------------------------------------------------- poses


def move(pose, point):
    return add(pose.p, rotate(pose.q, point))


def compose(a, b):
    """The pose b, which is given in a, where a is given."""
    return Pose(move(a, b.p), normal(multiply(a.q, b.q)))
