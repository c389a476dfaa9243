#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dist.py - the folder that CMake, Meson, pkg-config, Arduino, PlatformIO, ESP-IDF, Zephyr and CMSIS-Pack read.

usage: dist.py SOURCES FOLDER FLAG...

SOURCES is the repository, FOLDER is made anew, the flags are those that keep the kernel's bits the same. The kernel
becomes two files; the files of targets/dist/package are copied with @words@ replaced: facts of table.py, and lists made
of the knobs. The folder is also packed, as .tar.gz, as .zip for Arduino and as .pack for CMSIS; an SBOM lies beside it."""
import calendar
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import textwrap
import time
import zipfile

sys.dont_write_bytecode = True
from table import SMALL, TABLE  # noqa: E402

HEADER = "include/tactus/tactus.h"
TOGETHER = '#include "tactus.h"\n'  # in the kernel: its options come before the header
SPDX = "// SPDX-License-Identifier: "
# The date of files in archives and of what is made, so that equal sources give equal archives; Debian takes none before 1984.
MOMENT = (2026, 1, 1, 0, 0, 0)
DATE = time.gmtime(calendar.timegm(MOMENT))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    os.makedirs(os.path.dirname(os.path.join(*path)), exist_ok=True)
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def version_of(sources):
    header = read(sources, "include/tactus/layout.h")
    return ".".join(re.search(rf"#define TAC_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def inlined(sources, path, done):
    """The text of a file, with each of our own headers in the place of its first #include."""
    if path in done:
        return ""
    alone = not done
    done.add(path)
    if path == HEADER and not alone:
        return TOGETHER
    text = ""
    for line in read(sources, path).splitlines(True):
        include = re.match(r'#include "(.*)"', line)
        if line.startswith(SPDX):
            continue
        if not include:
            text += line
            continue
        places = [os.path.join("include", include[1]), os.path.normpath(os.path.join(os.path.dirname(path), include[1]))]
        found = [place for place in places if os.path.exists(os.path.join(sources, place))]
        text += inlined(sources, found[0], done)
    return text


def knobs_of(sources):
    """Name, default (None if it follows from other knobs), range or None, and what it is, of each knob of config.h."""
    text = read(sources, "include/tactus/config.h")
    knobs, about = [], ""
    for block in re.split(r"\n\n", text):
        comment = " ".join(re.findall(r"^/// ?(.*)", block, re.M))
        for name, default in re.findall(r"#ifndef (TAC_\w+)\n#(?:define \1 (\S+)$)?", block, re.M):
            about = re.split(r"(?<=[a-z)])\. |; |(?<!^[01]): ", comment)[0].rstrip(".").replace("'", "")
            bounds = re.search(name + r" must lie in (\d+) \.\. (\d+)", block)
            binary = name + " must be 0 or 1" in block
            knobs.append((name, default or None, ("0", "1") if binary else bounds and bounds.groups(), about))
    listed = set(re.findall(r"KNOB\((TAC_\w+)\)", text))
    if listed != {knob[0] for knob in knobs}:
        sys.exit(f"dist: config.h has knobs that are not read: {listed ^ {knob[0] for knob in knobs}}")
    return knobs


def kconfig(knob):
    name, default, bounds, about = knob
    head = f'config {name.replace("TAC_", "TACTUS_", 1)}\n\tint "{name}: {about}"\n'
    if default is None:
        return head + "\tdefault 0\n\thelp\n\t  0: it follows from other knobs.\n"
    return head + f"\tdefault {default}\n" + (f"\trange {' '.join(bounds)}\n" if bounds else "")


def debian_text(head, text):
    """A field of several lines, as Debian's control files have them."""
    return head + "".join("\n " + (line or ".") for line in text.strip().split("\n"))


def words(sources, flags):
    """What the templates may ask for."""
    version, knobs = version_of(sources), knobs_of(sources)
    _, holder, terms = read(sources, "LICENSE").split("\n\n", 2)
    shown = [flag for flag in flags if flag.startswith("-f") and flag != "-fno-common"]
    small = "".join(f"#ifndef {name}\n#define {name} {value}\n#endif\n" for name, value in SMALL.items())
    return TABLE | {
        "version": version,
        "minor": version.rsplit(".", 1)[0],
        "flags": " ".join(shown),
        "flags_cmake": ";".join(shown),
        "flags_listed": ", ".join(f"'{flag}'" for flag in shown),
        "flags_json": ", ".join(f'"{flag}"' for flag in shown),
        "about_debian": TABLE["about"][0].lower() + TABLE["about"][1:],
        "story_debian": textwrap.fill(TABLE["story"], 78, initial_indent=" ", subsequent_indent=" "),
        "copyright": holder.replace("Copyright (c) ", ""),
        "licence_debian": debian_text(f"License: {TABLE['licence']}", terms),
        "date_debian": time.strftime("%a, %d %b %Y 00:00:00 +0000", DATE),
        "topics": ", ".join(f'"{topic}"' for topic in TABLE["topics"]),
        "knobs_cmake": "\n".join(f'tactus_knob({name} "{about}; {default or "follows from others"}")' for name, default, _, about in knobs),
        "knobs_meson": "\n".join(f"option('{name}', type: 'string', value: '', description: '{about}; {default or 'follows from others'}')" for name, default, _, about in knobs),
        "knobs_listed": ", ".join(f"'{knob[0]}'" for knob in knobs),
        "knobs_kconfig": "\n".join(kconfig(knob) for knob in knobs),
        "knobs_small": small,
    }


def filled(text, table):
    def word(found):
        return str(table[found[1]]) if found[1] in table else found[0]

    return re.sub(r"@([a-z_]+)@", word, text)


def files_of(folder):
    found = [os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names]
    return sorted(found)


def sbom(folder, table):
    """SPDX 2.3 of the folder: one package without dependencies, its files with their hashes."""
    files, sums = [], []
    for number, name in enumerate(files_of(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            content = file.read()
        sums.append(hashlib.sha1(content).hexdigest())
        files.append({
            "SPDXID": f"SPDXRef-File-{number}",
            "fileName": f"./{name}",
            "checksums": [{"algorithm": "SHA1", "checksumValue": sums[-1]},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
            "licenseConcluded": table["licence"], "licenseInfoInFiles": [table["licence"]], "copyrightText": table["author"],
        })
    code = hashlib.sha1("".join(sorted(sums)).encode()).hexdigest()
    name = f"{table['name']}-{table['version']}"
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"{table['home']}/{name}-{code}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", DATE), "creators": [f"Organization: {table['author']}"]},
        "packages": [{
            "SPDXID": "SPDXRef-Package", "name": table["name"], "versionInfo": table["version"],
            "downloadLocation": "NOASSERTION", "filesAnalyzed": True, "licenseConcluded": table["licence"],
            "licenseDeclared": table["licence"], "licenseInfoFromFiles": [table["licence"]],
            "copyrightText": table["author"], "packageVerificationCode": {"packageVerificationCodeValue": code},
        }],
        "files": files,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-Package"}]
        + [{"spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS", "relatedSpdxElement": file["SPDXID"]}
           for file in files],
    }, indent=1) + "\n"


def pack_zip(archive, folder, under):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in files_of(folder):
            with open(os.path.join(folder, name), "rb") as source:
                file.writestr(zipfile.ZipInfo(os.path.join(under, name), MOMENT), source.read(), zipfile.ZIP_DEFLATED)


def pack_tar(archive, folder, under):
    def plain(entry):
        entry.mtime, entry.uid, entry.gid = calendar.timegm(MOMENT), 0, 0
        entry.uname = entry.gname = ""
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    with open(archive, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed, tarfile.open(fileobj=packed, mode="w") as file:
        for name in files_of(folder):
            file.add(os.path.join(folder, name), os.path.join(under, name), filter=plain)


def main(sources, folder, *flags):
    table = words(sources, flags)
    shutil.rmtree(folder, ignore_errors=True)
    done = set()
    licence = SPDX + table["licence"] + "\n"
    made = f"{licence}// {table['title']} {table['version']}: made of its sources by `make dist`; change these, not this file.\n"
    header = inlined(sources, HEADER, done)
    kernel = inlined(sources, "src/tactus.c", done - {HEADER})
    config = '#ifndef TAC_CONFIG_HEADER\n#define TAC_CONFIG_HEADER "tactus_config.h"\n#endif\n'
    write(made + config + header, folder, "src/tactus.h")
    write(made + kernel, folder, "src/tactus.c")
    write(made + header + "#ifdef TACTUS_IMPLEMENTATION\n" + kernel.replace(TOGETHER, "") + "#endif\n", folder, "single/tactus.h")
    template = os.path.join(sources, "targets/dist/package")
    for name in files_of(template):
        write(filled(read(template, name), table), folder, name)
        shutil.copymode(os.path.join(template, name), os.path.join(folder, name))
    shutil.copy(os.path.join(sources, "LICENSE"), folder)
    beside = os.path.join(folder, "..", f"{table['name']}-{table['version']}")
    write(sbom(folder, table), beside + ".spdx.json")
    pack_tar(beside + ".tar.gz", folder, os.path.basename(beside))
    pack_zip(beside + "-arduino.zip", folder, table["name"])
    pack_zip(f"{folder}/../{table['title']}.{table['name']}.{table['version']}.pack", folder, ".")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
