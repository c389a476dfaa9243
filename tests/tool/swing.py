#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""swing.py - a pendulum with dry friction, by Runge-Kutta: swing.py FRICTION DAMPING ARMATURE MOTOR NOISE > SWING.csv

  given   parameters of its hinge; MOTOR: factor of the efforts in the file of motors, 0: no motor
  makes   time, hinge (rad): 2 s at 200 Hz from 1.2 rad at rest, as pendulum.urdf of fit.t swings
  bound   fourth order, 20 steps a row; where it stops it stays if friction holds it
  never   uses the kernel
"""
import math
import random
import sys

MASS, LENGTH, INERTIA, GRAVITY = 0.5, 0.3, 0.004, 9.81
SUB, ROW = 20, 0.005


def effort(t):
    """That of motors.csv of fit.t: 0.6 N m, changing its direction every 0.4 s."""
    return 0.6 if int(t / 0.4 + 1e-9) % 2 == 0 else -0.6


def main():
    friction, damping, armature, motor, noise = map(float, sys.argv[1:])
    moment = INERTIA + MASS * LENGTH**2 + armature
    random.seed(1)

    def rate(q, v, drive, way):
        return v, (-MASS * GRAVITY * LENGTH * math.sin(q) - damping * v - friction * way + drive) / moment

    q, v, t, h = 1.2, 0.0, 0.0, ROW / SUB
    print("time,hinge")
    for row in range(401):
        print(f"{row * ROW:.6f},{q + random.gauss(0, noise):.12f}")
        for _ in range(SUB):
            drive = motor * effort(t)
            pull = -MASS * GRAVITY * LENGTH * math.sin(q) + drive
            way = math.copysign(1, v) if v else math.copysign(1, pull)
            if v or abs(pull) > friction:
                k1 = rate(q, v, drive, way)
                k2 = rate(q + h / 2 * k1[0], v + h / 2 * k1[1], drive, way)
                k3 = rate(q + h / 2 * k2[0], v + h / 2 * k2[1], drive, way)
                k4 = rate(q + h * k3[0], v + h * k3[1], drive, way)
                new = v + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
                q += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
                v = new if v * new >= 0 else 0.0  # it turns: from rest, or it stays
            t += h


main()
