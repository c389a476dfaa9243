#!/bin/bash
# SPDX-License-Identifier: MIT
# python.t - the Python package: in the checkout, as an installed wheel, without a C compiler, beside a firmware.
#   given   Debian's python3 with numpy, pycparser, setuptools, wheel, venv, pip (make tools-python), without which the
#           test is skipped; gcc, clang; TACTUS_DATA for a robot
#   makes   TAP: package.py test by test, the listings of targets/python/README.md as printed
#   bound   two minutes, most of it kernels: four by clang -O0, two for the wheel; mypy takes six seconds
#   never   writes outside build/, but for a robot beside the listing that reads it
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
python=/usr/bin/python3
need 'no numpy, pycparser, setuptools, wheel, venv or pip: make tools-python' \
    $python -c 'import numpy, pycparser, setuptools, wheel, venv, pip, ensurepip'
out=build/tests/python page=targets/python/README.md
mkdir -p $out
export TACTUS_CACHE=$PWD/$out/cache PYTHONDONTWRITEBYTECODE=1

listing() { # NAME: of the page
    awk -v start="^\`\`\`python $1\$" '$0 ~ start { inside = 1; next } /^```/ { inside = 0 } inside' $page >"$out/$1"
    [ -s "$out/$1" ]
}
checkout() { CC=clang CFLAGS=-O0 PYTHONPATH=targets/python "$@"; }
in_checkout() { # SCRIPT TEXT: it runs, and says so
    checkout $python "$out/$1" >"$out/$1.said" 2>&1 && grep -q "$2" "$out/$1.said" || { cat "$out/$1.said"; return 1; }
}
stands() {
    listing stand.py || return 1
    $python -c 'import matplotlib' 2>/dev/null || sed -i '/plt/d' $out/stand.py
    cp "$TACTUS_DATA/urdf/a1.urdf" a1.urdf && in_checkout stand.py '^1.0 s: 1[0-9][0-9]'
    local code=$?
    rm -f a1.urdf forces.svg
    return $code
}
installed() { # where there is no compiler
    $python -m venv --system-site-packages $out/venv &&
        $out/venv/bin/python3 -m pip -q install --no-index --no-deps --force-reinstall build/python/tactus-*.whl &&
        CC=none $out/venv/bin/python3 "$PWD/$out/cube.py" >$out/installed && cmp $out/installed $out/cube.py.said
}
notebook() { # its code is that of the listing, and it is a notebook of format 4
    $python - <<'END'
import json
about = json.load(open("targets/python/stand.ipynb"))
assert about["nbformat"] == 4
for cell in about["cells"]:
    code = cell["cell_type"] == "code"
    assert set(cell) == {"cell_type", "metadata", "source"} | ({"outputs", "execution_count"} if code else set()), cell
code = "\n".join("".join(cell["source"]) for cell in about["cells"] if cell["cell_type"] == "code")
listing = open("build/tests/python/stand.ipynb.py").read()
assert [line for line in listing.splitlines() if line] == code.splitlines(), code
assert len(listing.splitlines()) <= 15
END
}
types() { (cd targets/python && $python -m mypy --cache-dir "$OLDPWD/$out/types"); }
typed() { $python -m zipfile -l build/python/tactus-*.whl | grep -q '^tactus/py.typed '; }
whole() { # a source distribution makes the same wheel
    tar -tzf build/python/tactus-*.tar.gz >$out/files
    for name in source/src/tactus.c source/include/tactus/tactus.h convert/main.py; do
        grep -q "brought/$name" $out/files || return 1
    done
}

check 'make firmware-host' env MAKEFLAGS= make -s firmware-host
export TACTUS_FIRMWARE=$PWD/build/firmware-host
for name in $(sed -n 's/^    def test_\([a-z_]*\)(self):$/\1/p' tests/python/package.py); do
    check "${name//_/ }" checkout $python tests/python/package.py "Package.test_$name"
done
check 'the first listing of the page' listing cube.py
check 'runs' in_checkout cube.py '78.48'
[ -z "${TACTUS_DATA:-}" ] || check 'a robot stands beside its firmware' stands
listing stand.py && mv $out/stand.py $out/stand.ipynb.py
check 'the notebook is that listing, in 15 lines' notebook
$python -m mypy --version >/dev/null 2>&1 && check 'type hints, by mypy' types || echo '# skipped: no mypy (make tools-python)'
check 'make python' env MAKEFLAGS= make -s python
check 'the wheel, installed, without a compiler: the same numbers' installed
check 'the wheel says that it has type hints' typed
check 'the source distribution has all' whole
finish
