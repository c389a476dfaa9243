#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pack.py - the npm package: the kernels of the page, its modules that need no page, and what is in this folder.

usage: pack.py SOURCES KERNELS FOLDER

The folder is made anew; NAME-VERSION.tgz lies beside it, as npm installs it. Equal files give equal archives."""
import os
import shutil
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "dist"))

from dist import TABLE, filled, pack_tar, read, version_of, write  # noqa: E402

MODULES = ("kernel.js", "world.js", "model_file.js")


def main(sources, kernels, folder):
    table = TABLE | {"version": version_of(sources), "topics": ", ".join(f'"{topic}"' for topic in TABLE["topics"])}
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("package.json", "index.js", "index.d.ts", "README.md"):
        write(filled(read(HERE, name), table), folder, name)
    for name in MODULES:
        shutil.copy(os.path.join(sources, "targets/page", name), folder)
    for bits in (32, 64):
        shutil.copy(os.path.join(kernels, f"kernel-{bits}.wasm"), folder)
    shutil.copy(os.path.join(sources, "LICENSE"), folder)
    pack_tar(os.path.join(folder, "..", f"{table['name']}-{table['version']}.tgz"), folder, "package")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
