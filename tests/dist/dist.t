#!/bin/bash
# SPDX-License-Identifier: MIT
# dist.t - what `make dist` releases, built and run as a user would, from the archive in a clean folder.
#   given   gcc, clang, python3; cmake, meson, pkg-config, arduino-builder with AVR's compiler, simavr, kconfiglib where they are
#           (make tools-dist): what needs one that is missing is skipped by name
#   makes   TAP: each package runs the golden scenes, or its sketch prints a golden hash
#   bound   a dozen compilations of the kernel, most of them by clang -O0 in two seconds
#   never   uses a file of the repository beside the archives, but for the scenes and their hashes
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=$PWD/build/tests/dist
rm -rf "$out" && mkdir -p "$out"
has() { command -v "$1" >/dev/null; }
or_skip() { # TOOL NAME COMMAND...
    if has "$1" || [ -e "$1" ]; then check "${@:2}"; else check "$2 # SKIP no $1: make tools-dist" true; fi
}

version=$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -1)
check 'make dist-sources' env MAKEFLAGS= make -s dist-sources
tar -xzf "build/dist/tactus-$version.tar.gz" -C "$out"
package=$out/tactus-$version

# ------------------------------------------------------------------------------------------------------ the same tokens

# The sources as the compiler reads them, in the repository and released: equal text is equal bits, whatever the flags.
read -r -a everything <<<"$(MAKEFLAGS='' make -s -f tests/configurations.mk flags-all)"
tokens() { gcc -std=c99 -E -P "${everything[@]}" "$@" | tr -s '[:space:]' '\n'; }
tokens -Iinclude src/tactus.c >"$out/repository"
same_tokens() {
    tokens "$package/src/tactus.c" >"$out/released" && cmp "$out/repository" "$out/released"
}
same_tokens_single() {
    echo '#include "tactus.h"' >"$out/single.c"
    cmp <(tokens -DTACTUS_IMPLEMENTATION -I"$package/single" "$out/single.c" | sort) <(sort "$out/repository")
}
check 'two files: the tokens of the repository' same_tokens
check 'one file: the same, but the header first' same_tokens_single

# ------------------------------------------------------------------------------------- the golden scenes as a user's project

user=$out/user
mkdir -p "$user/tactus"
cp tests/golden/golden.c tests/golden/golden_table.h tests/tap.[ch] tests/dirty.h targets/scenes/scenes.[ch] targets/scenes/parts.h "$user"
cp include/tactus/port.h "$user/tactus"
sources=(golden.c tap.c scenes.c port.c)
cp port/posix/port.c "$user" && mkdir -p "$user/posix" && cp port/posix/*.h "$user/posix"
cat >"$user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
if(FOLDER)
    add_subdirectory(${FOLDER} tactus)
else()
    find_package(tactus ${WANTED} REQUIRED)
endif()
add_executable(golden golden.c tap.c scenes.c port.c)
target_include_directories(golden PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(golden tactus::tactus)
END
cat >"$user/meson.build" <<'END'
project('user', 'c', default_options: ['c_std=gnu99'])
executable('golden', 'golden.c', 'tap.c', 'scenes.c', 'port.c', dependencies: dependency('tactus', fallback: 'tactus'))
END
export CC=clang
golden() { # PROGRAM: all its lines are good
    "$1" >"$out/log" && grep -c '^ok' "$out/log" && ! grep '^not ok' "$out/log"
}
installed() {
    cmake -G Ninja -S "$package" -B "$out/cmake" && ninja -C "$out/cmake" && cmake --install "$out/cmake" --prefix "$out/first" &&
        mv "$out/first" "$out/prefix" # a package may be moved
}
found() {
    cmake -G Ninja -S "$user" -B "$out/found" -DCMAKE_PREFIX_PATH="$out/prefix" -DWANTED="${version%.*}" && ninja -C "$out/found" &&
        golden "$out/found/golden"
}
another_version() {
    ! cmake -G Ninja -S "$user" -B "$out/another" -DCMAKE_PREFIX_PATH="$out/prefix" -DWANTED=99.0 >"$out/log" 2>&1 && grep -q 'requested version "99.0"' "$out/log"
}
added() { # with knobs, as a shared object
    cmake -G Ninja -S "$user" -B "$out/added" -DFOLDER="$package" -DTAC_REAL_BITS=64 -DTAC_ROLLING=1 -DBUILD_SHARED_LIBS=ON &&
        ninja -C "$out/added" && golden "$out/added/golden" && grep -q '^1..2[0-9]' "$out/log"
}
configured() { # pkg-config: from the installed folder, and nothing else
    local flags
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$out/prefix" -name tactus.pc)") pkg-config --cflags --libs "tactus = $version") &&
        (cd "$user" && $CC -w "${sources[@]}" -I. $flags -o "$out/golden-pc") && golden "$out/golden-pc"
}
meson_added() {
    mkdir -p "$user/subprojects" && ln -sfn "$package" "$user/subprojects/tactus" &&
        meson setup "$out/meson" "$user" -Dbuildtype=plain -Dtactus:TAC_REAL_BITS=64 && ninja -C "$out/meson" golden && golden "$out/meson/golden"
}
or_skip cmake 'CMake: build and install' installed
or_skip cmake 'find_package: the golden scenes' found
or_skip cmake 'find_package refuses another version' another_version
or_skip cmake 'add_subdirectory, double, rolling, a shared object: the golden scenes' added
or_skip pkg-config 'pkg-config: the golden scenes' configured
or_skip meson 'Meson: a subproject in double, the golden scenes' meson_added

debian() { # a source package and a binary one, with the flags of Debian's own packages and a knob
    mkdir -p "$out/debian" && tar -xzf "build/dist/tactus-$version.tar.gz" -C "$out/debian" && (cd "$out/debian/tactus-$version" &&
        env -u CC DEB_CMAKE_FLAGS=-DTAC_ROLLING=1 dpkg-buildpackage -us -uc) && dpkg -x "$out"/debian/*.deb "$out/debian/root" &&
        dpkg-source -x "$out/debian/tactus_$version.dsc" "$out/debian/sources" && diff -r "$package" "$out/debian/sources"
}
debian_found() {
    cmake -G Ninja -S "$user" -B "$out/debian/found" -DCMAKE_PREFIX_PATH="$out/debian/root/usr" -DWANTED="${version%.*}" &&
        ninja -C "$out/debian/found" && golden "$out/debian/found/golden" && grep -q '^1..2[0-9]' "$out/log"
}
or_skip dh 'Debian: source and binary packages' debian
or_skip dh 'Debian: the golden scenes' debian_found

# What an IDE does that cannot be told any flag, and what compilers do of their own accord: extensions, contraction, vectors.
plain() { # COMPILER FLAG...
    (cd "$user" && "$@" -w -I. -I"$package/src" "${sources[@]}" "$package/src/tactus.c" -o "$out/plain") && golden "$out/plain"
}
check 'gcc -O3 -march=native and no other flag: the golden scenes' plain gcc -O3 -march=native
check 'clang -O2 -march=native, double: the golden scenes' plain clang -O2 -march=native -DTAC_REAL_BITS=64

# -------------------------------------------------------------------------------------------------------------- Arduino

hardware=/usr/share/arduino/hardware
# The core of Debian 12 is younger than its compiler, whose C++ has no DECIMAL_DIG.
arduino() { # the sketch for an ATmega2560, by Arduino's own builder
    mkdir -p "$out/libraries" "$out/arduino" && unzip -q "build/dist/tactus-$version-arduino.zip" -d "$out/libraries" &&
        cp -r "$out/libraries/tactus/examples/Contact" "$out" && arduino-builder -compile -hardware $hardware -hardware /usr/share/arduino-builder \
            -tools /usr/bin -libraries "$out/libraries" -fqbn arduino:avr:mega:cpu=atmega2560 \
            -prefs compiler.cpp.extra_flags='-DDECIMAL_DIG=17' -build-path "$out/arduino" "$out/Contact/Contact.ino"
}
fits() { # flash 256 KiB less the bootloader, RAM 8 KiB of which the stack needs some
    read -r text data bss _ < <(avr-size -B -d "$out/arduino/Contact.ino.elf" | tail -1)
    echo "$text of text, $data of data, $bss of bss"
    [ "$text" -gt 0 ] && [ $((text + data)) -le 253952 ] && [ $((data + bss)) -le 6144 ]
}
runs() { # on an emulated one, which never ends: it is stopped when it has said its hash
    local i
    stdbuf -oL simavr -m atmega2560 -f 16000000 "$out/arduino/Contact.ino.elf" >"$out/said" 2>&1 &
    for ((i = 0; i < 300; i++)); do
        grep -qi '87932FD953A9FE9D' "$out/said" && break
        sleep 0.2
    done
    kill $!
    grep -qi '87932FD953A9FE9D' "$out/said" && grep -q '0x87932fd953a9fe9d' tests/golden/golden_table.h
}
or_skip $hardware/arduino/avr 'Arduino: the sketch is built' arduino
or_skip $hardware/arduino/avr 'it fits an ATmega2560' fits
or_skip simavr 'and prints a golden hash there' runs

# --------------------------------------------------------------------------- what has no tool here: structure, and stand-ins

json() { python3 -c "import json, sys; x = json.load(open('$1')); assert $2"; }
check 'PlatformIO: library.json' json "$package/library.json" "x['version'] == '$version' and '-ffp-contract=off' in x['build']['flags']"
# The functions of ESP-IDF and of Zephyr, as far as the component calls them.
cat >"$out/idf.cmake" <<'END'
function(idf_component_register)
    cmake_parse_arguments(A "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
    add_library(component ${A_SRCS})
    target_include_directories(component PUBLIC ${A_INCLUDE_DIRS})
endfunction()
function(zephyr_library_named name)
    file(WRITE ${CMAKE_BINARY_DIR}/empty.c "")
    add_library(${name} ${CMAKE_BINARY_DIR}/empty.c)
endfunction()
function(zephyr_library_sources)
    target_sources(tactus PRIVATE ${ARGN})
endfunction()
function(zephyr_include_directories)
    include_directories(${ARGN})
endfunction()
function(zephyr_compile_definitions)
    add_compile_definitions(${ARGN})
    target_compile_definitions(tactus PRIVATE ${ARGN})
endfunction()
END
stand_in() { # NAME FOLDER VARIABLE...
    mkdir -p "$out/$1" && cat >"$out/$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(stand_in C)
set(COMPONENT_LIB component)
include($out/idf.cmake)
add_subdirectory($2 part)
END
    cmake -G Ninja -S "$out/$1" -B "$out/$1/build" "${@:3}" -DCONFIG_TACTUS_MAX_JOINTS=3 -DCONFIG_TACTUS_MAX_PATH=0 &&
        ninja -C "$out/$1/build" -t commands >"$out/log" && grep tactus.c "$out/log" | grep -q -- '-DTAC_MAX_JOINTS=3' &&
        grep tactus.c "$out/log" | grep -q -- '-ffp-contract=off' && ! grep -q TAC_MAX_PATH "$out/log"
}
or_skip cmake 'ESP-IDF: the component, by a stand-in' stand_in idf "$package" -DESP_PLATFORM=1
or_skip cmake 'Zephyr: the module, by a stand-in' stand_in zephyr "$package/zephyr" -DCONFIG_TACTUS=y
kconfig() { # the defaults are those of config.h
    /usr/bin/python3 - "$package/zephyr/Kconfig" <<'END'
import re, sys, kconfiglib
known = kconfiglib.Kconfig(sys.argv[1])
known.syms["TACTUS"].set_value(2)
assert not known.warnings, known.warnings
text = open("include/tactus/config.h").read()
for name, value in re.findall(r"#ifndef TAC_(\w+)\n#define TAC_\1 (\d+)$", text, re.M):
    assert known.syms["TACTUS_" + name].str_value == value, name
END
}
if /usr/bin/python3 -c 'import kconfiglib' 2>/dev/null; then
    check 'Zephyr: Kconfig has the knobs of config.h' kconfig
else
    check 'Zephyr: Kconfig # SKIP no kconfiglib: make tools-dist' true
fi
pack() { # every file that it names is there
    mkdir -p "$out/pack" && unzip -q "build/dist/Tactus.tactus.$version.pack" -d "$out/pack" && cd "$out/pack" &&
        python3 - <<'END'
import os, xml.etree.ElementTree as tree
root = tree.parse("Tactus.tactus.pdsc").getroot()
names = [root.find("license").text] + [file.get("name") for file in root.iter("file")]
assert len(names) == 5 and all(map(os.path.isfile, names)), names
END
}
check 'CMSIS-Pack: the description and its files' pack
sbom() { # one entry for each file, with its hash
    python3 - "$package" "build/dist/tactus-$version.spdx.json" <<'END'
import hashlib, json, os, sys
folder, sheet = sys.argv[1], json.load(open(sys.argv[2]))
told = {file["fileName"]: file["checksums"][1]["checksumValue"] for file in sheet["files"]}
have = {"./" + os.path.relpath(os.path.join(at, name), folder): os.path.join(at, name) for at, _, names in os.walk(folder) for name in names}
assert told == {name: hashlib.sha256(open(path, "rb").read()).hexdigest() for name, path in have.items()}
assert sheet["packages"][0]["licenseDeclared"] == "MIT" and sheet["packages"][0]["versionInfo"] in folder
END
}
check 'SBOM: every file with its hash' sbom
same_archives() {
    sha256sum build/dist/*.gz build/dist/*.zip build/dist/*.pack >"$out/sums" && rm build/dist/tactus/src/tactus.c &&
        MAKEFLAGS='' make -s dist-sources && sha256sum -c "$out/sums"
}
check 'the same sources give the same archives' same_archives

# -------------------------------------------------------------------------------------------- install, and read-only sources

as_installed() { # the tool is built already
    MAKEFLAGS='' make -s install CC='clang -O0' DESTDIR="$out/staged" PREFIX=/usr KNOBS=-DTAC_REAL_BITS=64 &&
        "$out/staged/usr/bin/tactus" --version | grep -qx "tactus $version" &&
        (cd "$user" && $CC -w "${sources[@]}" -I. $(PKG_CONFIG_PATH=$out/staged/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR='' \
            pkg-config --cflags --libs tactus) -o "$out/golden-make") && golden "$out/golden-make"
}
found_by_cmake() { # the same folder, by find_package, with the knobs that it was made with
    cmake -G Ninja -S "$user" -B "$out/found-make" -DCMAKE_PREFIX_PATH="$out/staged/usr" -DWANTED="${version%.*}" && ninja -C "$out/found-make" &&
        golden "$out/found-make/golden" && ! cmake -G Ninja -S "$user" -B "$out/another" -DCMAKE_PREFIX_PATH="$out/staged/usr" -DWANTED=99.0 >"$out/log" 2>&1
}
completes() { # the second word: an option of the command
    bash -c '. "$1"; COMP_WORDS=(tactus run --st); COMP_CWORD=2; _tactus; [ "${COMPREPLY[*]}" = --steps ]' - \
        "$out/staged/usr/share/bash-completion/completions/tactus"
}
manual() { grep -q '^\.SH RUN$' "$out/staged/usr/share/man/man1/tactus.1"; }
read_only() {
    mkdir -p "$out/readonly/build" && cp -r $(git ls-files | cut -d/ -f1 | sort -u | grep -v '^\.git') "$out/readonly" && chmod -R a-w "$out/readonly" && touch "$out/then" &&
        MAKEFLAGS='' make -s -C "$out/readonly" O="$out/elsewhere" build/host/clang-O0-32/tests/golden/golden dist-sources &&
        golden "$out/elsewhere/build/host/clang-O0-32/tests/golden/golden" && cmp "build/dist/tactus-$version.tar.gz" "$out/elsewhere/build/dist/tactus-$version.tar.gz" &&
        [ -z "$(find "$out/readonly" -newer "$out/then")" ] # root may write all the same
    local code=$?
    chmod -R u+w "$out/readonly"
    return $code
}
or_skip pkg-config 'make install: the tool, and the golden scenes by pkg-config' as_installed
or_skip cmake 'make install: the golden scenes by find_package' found_by_cmake
or_skip pkg-config 'completion' completes
or_skip pkg-config 'the manual page' manual
check 'read-only sources, O=: a test and the same archive' read_only

# ------------------------------------------------------------------------------------------------------------- the habits

licensed() { # files whose format has no comment are in the list
    ! git grep -LIE 'SPDX-License-Identifier: (MIT|@licence@)' -- ':!LICENSE' ':!*.svg' ':!*MANIFEST.in' ':!targets/guide/flags' ':!*.json' \
        ':!targets/dist/package/debian/changelog' ':!targets/dist/package/debian/copyright' ':!targets/dist/package/debian/source/format' | grep .
}
check 'every file names its licence' licensed
versions() { ! grep -q '^version = "' targets/python/pyproject.toml || grep -q "^version = \"$version\"" targets/python/pyproject.toml; }
check 'the Python package has the version of the kernel' versions
finish
