# SPDX-License-Identifier: MIT
"""tactus - rigid bodies in contact, with the bits of the kernel on your board.

    import tactus
    model = tactus.Model.from_urdf("a1.urdf", z=0.3, ground=True)
    world = tactus.World(model)
    world.step(1000)
    print(world.contacts["impulse"], hex(world.hash()))
"""
import os

from .errors import Error, KernelError
from .fit import Fit, Parameter, Section, fit
from .linear import C3, System
from .link import Board, LinkError
from .model import Builder, Model
from .prediction import Cost, Plan
from .queries import EVENTS, Watch
from .view import View, view
from .world import State, World

__all__ = (
    "C3 Board Builder Cost EVENTS Error Fit KernelError LinkError Model Parameter Plan Section State System View Watch World fit view"
).split()

# In a checkout the readers of URDF and MJCF lie beside the host tool; a wheel has it in the package.
_HOST = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "host")
if not os.path.isdir(os.path.join(os.path.dirname(os.path.realpath(__file__)), "convert")):
    __path__.append(os.path.realpath(_HOST))
