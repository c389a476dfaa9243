# SPDX-License-Identifier: MIT
"""main - the command lines of urdf2tactus and mjcf2tactus."""
import argparse
import math
import os
import re
import sys
from collections import Counter

from . import emit_blob, emit_c, emit_config, emit_h
from .complaint import Complaint, Notes
from .document import printable
from .mjcf import read_mjcf
from .model import make_model
from .names import prefix
from .overlaps import part_overlaps
from .room import room_lines
from .srdf import read_pairs
from .urdf import read_robot

OUTPUTS = """C text, the capacities that it needs, a file for the host program. Without --c, --config or --blob it is only
read and checked. What was not understood is listed on stderr."""
ABOUT = f"""A robot in URDF becomes a model: {OUTPUTS} Of several robots --c, --blob and --name are given once for each, in the
order of the files; the other options hold for all of them."""
ABOUT_MJCF = f"""A robot or a scene in MJCF (MuJoCo) becomes a model: {OUTPUTS} Of several files --c, --blob, --motors and --name
are given once for each, in the order of the files; the other options hold for all of them."""
C_PAIR = "write one const tac_model and the frames of its links, and named indices of both in FILE.h beside it"
BALANCE = "where a body's inertia is not possible, take the mean of its principal moments, as MuJoCo's balanceinertia"
ADJACENT = "bodies with at most N joints between them do not collide [1]"
DENSITY = "of a moving body without mass, whose shapes then weigh it, kg/m3 [1000]"
MOTORS = "write what actuators are asked for at the start, for tactus run --motors"
STIFFNESS = "of contacts of what moves with the ground; of two that move in series [0: rigid]"
COLLIDE = "only the shapes of these links are kept, such as feet; may be repeated"
OVERLAPS = "links that overlap at the start, or wherever their joints are, collide all the same"

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..")
TACTUS = os.path.join(ROOT, "build", "tactus")


def number(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def at_least(least, most, kind):
    def convert(text):
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not within {least:g} .. {most:g}")
        return value

    return convert


def assignment(text):
    name, equals, value = text.rpartition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, number(value)


def names(text):
    return [name for name in text.split(",") if name]


def c_file(text):
    if not re.fullmatch(r"[A-Za-z0-9_.+-]+\.c", os.path.basename(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME.c, with a plain name: NAME.h is written beside it")
    return text


def header_of(path):
    return path[:-1] + "h"


def urdf_options(add):
    add("files", metavar="FILE", nargs="+", help="a URDF file, expanded if it was xacro")
    add("--srdf", metavar="FILE", help="pairs of links that do not collide")
    add("--package-path", metavar="DIR", action="append", default=[], help="where package:// leads; may be repeated")
    add("--fixed-base", action="store_true", help="the root link does not move")
    add("--balance-inertia", action="store_true", help=BALANCE)
    add("--density", metavar="RHO", type=at_least(1e-6, 1e6, float), default=1000.0, help=DENSITY)
    add("--adjacent", metavar="N", type=at_least(0, 100, int), default=1, help=ADJACENT)
    add("--z", metavar="M", type=number, default=0.0, help="initial height of the root link, m [0]")
    add("--ground", action="store_true", help="add a floor, z = 0")
    add("--friction", metavar="MU", type=at_least(0.0, 1e6, float), default=0.8, help="of robot and floor [0.8]")
    add("--h", metavar="S", type=at_least(1e-6, 1.0, float), default=1e-3, help="step, s [0.001]")


def mjcf_options(add):
    add("files", metavar="FILE", nargs="+", help="an MJCF file")
    add("--keyframe", metavar="NAME", help="the state that it begins with: a key's name, or its number [qpos0]")
    add("--motors", metavar="FILE", action="append", help=MOTORS)
    add("--h", metavar="S", type=at_least(1e-6, 1.0, float), help="step, s [the file's timestep]")


def read_urdf(path, options, notes):
    robot = read_robot(path, notes)
    return robot, read_pairs(options.srdf, robot, notes) if options.srdf else []


class Form:
    """What a file is read by. defaults: of options that only others have."""

    def __init__(self, program, about, options, read, **defaults):
        self.program, self.about, self.options, self.read, self.defaults = program, about, options, read, defaults


URDF = Form("urdf2tactus", ABOUT, urdf_options, read_urdf, motors=None)
MJCF = Form(
    "mjcf2tactus", ABOUT_MJCF, mjcf_options, read_mjcf, srdf=None, package_path=[], fixed_base=False, balance_inertia=False,
    density=None, adjacent=1, z=0.0, ground=False, friction=None,
)


def arguments(argv, form=URDF):
    parser = argparse.ArgumentParser(prog=form.program, description=form.about)
    add = parser.add_argument
    form.options(add)
    add("--c", metavar="FILE.c", type=c_file, action="append", help=C_PAIR)
    add("--config", metavar="FILE", help="write the capacities that all of the models need, for TAC_CONFIG_HEADER")
    add("--blob", metavar="FILE", action="append", help="write the model for the host program")
    add("--name", action="append", help="of the model [that of the robot]")
    add("--skip-missing", action="store_true", help="a mesh that is absent or of a format that is not read is left out")
    add("--hull-points", metavar="N", type=at_least(4, 1000, int), default=32, help="most corners of a hull [32]")
    add("--keep-fixed", action="store_true", help="fixed joints stay joints, links on them bodies")
    add("--collide", metavar="LINK,...", type=names, action="extend", default=[], help=COLLIDE)
    add("--keep-overlaps", action="store_true", help=OVERLAPS)
    add("--joint", metavar="NAME=VALUE", type=assignment, action="append", default=[], help="initial rad or m [0]")
    add("--stiffness", metavar="N/M", type=at_least(0.0, 1e12, float), default=0.0, help=STIFFNESS)
    add("--damping", metavar="N S/M", type=at_least(0.0, 1e9, float), default=0.0, help="of a contact that has one [0]")
    add("--contacts", metavar="N", type=at_least(1, 16000, int), help="TAC_MAX_CONTACTS [all shapes on a floor]")
    add("--tactus", metavar="FILE", default=TACTUS, help="the host tool, which looks for overlaps [build/tactus]")
    parser.set_defaults(form=form, **form.defaults)
    options = parser.parse_intermixed_args(argv)
    count = len(options.files)
    for name in ("c", "blob", "name", "motors"):
        given = getattr(options, name)
        if given is not None and len(given) != count:
            parser.error(f"--{name} is needed once for each of the {count} files, or not at all")
    if count > 1 and (options.joint or options.srdf or options.collide):
        one = "--joint, --srdf and --collide are about one robot"
        parser.error(f"{one}: convert each by itself, and include their --config files")
    if 0.0 < options.stiffness < 1e-3 or options.damping > 0.0 == options.stiffness:
        parser.error("--stiffness is 0 or 1e-3 to 1e12 N/m, and without it there is no --damping")
    options.joint = dict(options.joint)
    outputs = [path for c in options.c or [] for path in (c, header_of(c))] + (options.blob or []) + (options.motors or [])
    for path, count in Counter(outputs + [options.config] * bool(options.config)).items():
        if count > 1:
            parser.error(f"'{path}': two files would have that name")
    return options


def refuse_link(path):
    if os.path.islink(path):
        raise Complaint(f"{path}: is a symbolic link, which is not followed")


def write(path, data):
    try:
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o666)) as file:
            file.write(data)
    except OSError as error:
        refuse_link(path)
        raise Complaint(f"{path}: {error.strerror}") from None


def convert(path, name, options, notes):
    robot, pairs = options.form.read(path, options, notes)
    if name is not None:
        robot.name = name
    made = make_model(robot, pairs, options, notes)
    part_overlaps(made, options, notes)
    return made


def convert_all(options, notes):
    """notes: one for each file."""
    names = options.name or [None] * len(options.files)
    models = [convert(path, name, options, note) for path, name, note in zip(options.files, names, notes)]
    known = {}
    for path, made in zip(options.files, models):
        first = known.setdefault(prefix(made), path)
        if first is not path:
            raise Complaint(f"{path}: its name in C is that of {first}, {prefix(made)}: --name, once for each file")
    return models


def write_all(models, options):
    """Nothing is written if any of the files would be a link."""
    sources, files = [os.path.basename(path) for path in options.files], {}
    for made, source, path in zip(models, sources, options.c or []):
        header, text = header_of(path), os.path.basename(path)
        files[path] = emit_c.emit(made, source, os.path.basename(header)).encode("ascii")
        files[header] = emit_h.emit(made, source, text).encode("ascii")
    if options.config:
        files[options.config] = emit_config.emit(models, sources).encode("ascii")
    files.update((path, emit_blob.emit(made)) for made, path in zip(models, options.blob or []))
    for made, path in zip(models, options.motors or []):
        files[path] = "".join(f"{row}\n" for row in made.robot.motors.rows(made.robot.controls)).encode("utf-8")
    for path in files:
        refuse_link(path)
    for path, data in files.items():
        write(path, data)


def report(path, made, notes):
    for line in notes.lines():
        print(f"{printable(path)}: {line}" if not line.startswith(" ") else line, file=sys.stderr)
    model = made.model
    print(
        f"{printable(made.robot.name)}: {model['bodies'] - 1} bodies, {model['joints']} joints, "
        f"{model['shapes']} shapes, {model['polyhedra']} hulls, {model['exclusions']} exclusions"
    )


def report_room(models):
    """What the model takes that has been written, with the capacities of all of them."""
    for line in room_lines(emit_config.largest(models), ROOT):
        print(line)


def main(argv, form=URDF):
    """Exit codes: 0 good, 1 refused, with one line that says why, 2 wrong usage."""
    options = arguments(argv, form)
    notes = [Notes() for _ in options.files]
    try:
        models = convert_all(options, notes)
        write_all(models, options)
    except Complaint as complaint:
        print(f"{form.program}: {complaint}", file=sys.stderr)
        return 1
    for path, made, note in zip(options.files, models, notes):
        report(path, made, note)
    if options.c or options.config or options.blob:
        report_room(models)
    return 0
