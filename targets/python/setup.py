# SPDX-License-Identifier: MIT
"""setup.py - the wheel brings along the sources of the kernel, the readers of URDF and MJCF, and a compiled kernel for large
models in both precisions, for machines without a C compiler. `make python` has put what lies elsewhere in the repository
into the folder brought/; all else is in pyproject.toml."""
import os
import shutil
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.realpath(__file__))
BROUGHT = os.path.join(HERE, "brought")


class Build(build_py):
    def run(self):
        super().run()
        package = os.path.join(self.build_lib, "tactus")
        for name in os.listdir(BROUGHT):
            shutil.copytree(os.path.join(BROUGHT, name), os.path.join(package, name), dirs_exist_ok=True)
        sys.path.insert(0, self.build_lib)
        from tactus import kernel

        for bits in (32, 64):
            kernel.build(os.path.join(package, "shipped"), f"kernel{bits}", kernel.source_folder(), *kernel.large(bits))


class Platform(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """Any Python of this platform: the kernel is called through ctypes."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(packages=["tactus"], cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Platform)
