#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pages.t - do the commands and listings of all pages work as they are printed?   prove tests/pages/pages.t [:: PAGE.md ...]
  given   all *.md of the repository but the template of what is released; the tools of `make test`; TACTUS_DATA and TACTUS_FREERTOS, for the blocks that need them
  makes   TAP; what the blocks of a page write is in build/tests/pages/PAGE
  bound   what the printed commands take: a kernel for each program that a page builds
  never   changes a block before it runs it

A block is what stands between fences. Its word says what becomes of it:
  sh     commands, run as one script from the top of the repository, its folders and a page's own files beside each other
  c      a program: compiled as C99, C++17 and C++20, and kept as the file that its first line names ("// NAME.c ...");
         with a path behind it: lines of that file of the repository, as they stand there
  csv, xml, python, js  a file: kept under the name that follows the word
What the page does not show stands in a comment above the fence, <!-- pages.t: ... -->:
  data PATH...    these files of TACTUS_DATA lie in the folder; without TACTUS_DATA this block and the rest of its page are skipped
  needs NAME      this variable is set, or this program is there
  long, PATH      it takes too long: checked for syntax, names of files and targets of make; PATH is the test that runs it, if there is one
Blocks that are indented hold formulas and formats: no commands, no code. What text names as `make TARGET` exists, as `git grep ...` finds
something, and as PATH of the repository is there; a column "scenes" of a table names scenes. No two headings of a page are alike: a link finds one."""
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(TOP, "build/tests/pages")
C99 = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef -Wvla".split()
PLUS = "-pedantic -Wall -Wextra -Wconversion -Wshadow".split()
COMMAND = re.compile(r"(make|cc|gcc|clang|[\w-]+-gcc|qemu-[\w-]+|git|prove|python3|[A-Z_]+=\S* \w+|(build|targets|tests)/\S+)( |$)|#include ")
PATHS = re.compile(r"(?<![\w/.-])(src|include|port|targets|tests|\.github|\.ci)/[\w./*-]+")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b|NAME|\.\.\.")  # `tests/each build/BOARD`
MARK = "<!-- pages.t: "

LACKING = set()  # folders of pages without the data that a block needs: later blocks may build on it
count = 0


def report(good, name, said=""):
    global count
    count += 1
    print(("ok" if good else "not ok"), count, "-", name)
    for line in said.splitlines()[-30:] if not good else []:
        print("#", line)
    sys.stdout.flush()


def run(command, **more):
    """Returns whether it ends with 0, and what it says."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    return done.returncode == 0, done.stdout


# ------------------------------------------------------------------------------------------------------------- a page


def blocks(text):
    """Fenced blocks as (line, words, mark, text); then the other lines as (line, text)."""
    fenced, plain, mark, open_at = [], [], "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```") and not open_at:
            open_at, words, body = number, line[3:].split(), []
        elif line.startswith("```"):
            fenced.append((open_at, words, mark, "\n".join(body) + "\n"))
            open_at, mark = 0, ""
        elif open_at:
            body.append(line)
        elif line.startswith(MARK):
            mark = line[len(MARK) : line.index("-->")].strip()
        else:
            plain.append((number, line))
    return fenced, plain


def folder_of(page):
    """A folder that looks like the top of the repository, and is the page's own."""
    folder = os.path.join(OUT, page.replace("/", "_"))
    run(["rm", "-rf", folder])
    os.makedirs(folder)
    for name in os.listdir(TOP):
        if not name.startswith(".git"):
            os.symlink(os.path.join(TOP, name), os.path.join(folder, name))
    return folder


def targets_of_make():
    """Words that make takes, and prefixes of those that end in a pattern."""
    with open(os.path.join(TOP, "Makefile")) as file:
        words = {word for line in file for word in (re.match(r"([\w%. -]+):(?!=)", line) or [0, ""])[1].split()}
    return {w for w in words if "%" not in w}, {w.split("%")[0] for w in words if "%" in w}


def scenes():
    found = set()
    for name in ("scenes", "robots"):
        with open(os.path.join(TOP, f"targets/scenes/{name}.c")) as file:
            found.update(re.findall(r'^ +\{"(\w+)", +"', file.read(), re.M))
    return found


TARGETS, PREFIXES = targets_of_make()
SCENES = scenes()


def missing(command):
    """Targets of make and files of the repository that a command names and that are not there."""
    words, wrong = command.split(), []
    if words[:1] == ["make"] and "-f" not in words:
        wrong = [w for w in words[1:] if re.fullmatch(r"[a-z][\w.-]*", w) and w not in TARGETS and not any(w.startswith(p) for p in PREFIXES if p)]
    return wrong + [p for p in (m[0].rstrip(".") for m in PATHS.finditer(command)) if not PLACEHOLDER.search(p) and not there(p)]


def there(path):
    import glob

    name = os.path.join(TOP, path)
    return bool(glob.glob(name)) or any(os.path.exists(name + end) for end in (".c", ".h"))


# ------------------------------------------------------------------------------------------------------------- blocks


def program(folder, name, text):
    if folder in LACKING:
        report(True, f"{name} # SKIP no data")
        return
    first = re.match(r"// (\w+\.c)\b", text)
    if not first:
        report(False, f"{name}: its first line names a file")
        return
    path = os.path.join(folder, first[1])
    with open(path, "w") as file:
        file.write(text)
    knobs = re.findall(r"-D\w+=\w+", text.split("\n")[0])
    include = ["-I" + os.path.join(TOP, "include"), "-I" + folder] + knobs + configuration(text, folder)
    for title, command in (("C99", ["gcc", *C99]), ("C99, clang", ["clang", *C99]), ("C++17", ["clang", "-x", "c++", "-std=c++17", *PLUS]), ("C++20", ["clang", "-x", "c++", "-std=c++20", *PLUS])):
        good, said = run([*command, "-Werror", *include, "-fsyntax-only", path])
        report(good, f"{name}: {first[1]} is {title} without a warning", said)


def excerpt(name, path, text):
    with open(os.path.join(TOP, path)) as file:
        report("\n" + text in "\n" + file.read(), f"{name}: stands so in {path}")


def configuration(text, folder):
    """A listing that includes the header of a converted robot is compiled with its capacities."""
    robot = re.search(r'^#include "(\w+)\.h"', text.replace("tactus/", ""), re.M)
    header = robot and robot[1] + "_config.h"
    return [f'-DTAC_CONFIG_HEADER="{header}"'] if header and os.path.exists(os.path.join(folder, header)) else []


def commands(folder, name, mark, text):
    good, said = run(["bash", "-n", "-c", text])
    wrong = [w for line in text.replace("\\\n", " ").splitlines() for w in missing(line.split(" # ")[0])]
    report(good and not wrong, f"{name}: what it names is there", said + " ".join(wrong))
    words = mark.split()
    if words[:1] == ["long,"]:
        report(len(words) == 1 or os.path.exists(os.path.join(TOP, words[1])), f"{name}: not run here, {mark}")
        return
    if words[:1] == ["needs"] and not os.environ.get(words[1]) and not shutil.which(words[1]):
        report(True, f"{name} # SKIP no {words[1]}")
        return
    if words[:1] == ["data"] and os.environ.get("TACTUS_DATA"):
        run(["cp", *(os.path.join(os.environ["TACTUS_DATA"], w) for w in words[1:]), folder])
    elif words[:1] == ["data"]:
        LACKING.add(folder)
    if folder in LACKING:
        report(True, f"{name} # SKIP no data")
        return
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    good, said = run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=folder, env=environment)
    report(good, f"{name}: runs as printed", said)
    no_library(folder, name)


def no_library(folder, name):
    """What the commands have just built here calls no function that copies, clears or takes a root."""
    for file in os.listdir(folder):
        path = os.path.join(folder, file)
        if os.path.islink(path) or open(path, "rb").read(4) != b"\x7fELF":
            continue
        called = [w for w in run(["nm", "-u", path])[1].split() if re.match(r"(_*mem|str|sqrt)", w)]
        report(not called, f"{name}: {file} calls no C library", " ".join(called))
        os.rename(path, path + ".checked") if file.endswith(".o") else os.remove(path)


def listing(page, folder, block):
    line, words, mark, text = block
    name = f"{page}:{line}"
    kind = words[0] if words else ""
    if kind == "sh":
        commands(folder, name, mark, text)
    elif kind == "c" and len(words) == 2:
        excerpt(name, words[1], text)
    elif kind == "c":
        program(folder, name, text)
    elif kind in ("csv", "xml", "python", "js") and len(words) == 2:
        with open(os.path.join(folder, words[1]), "w") as file:
            file.write(text)
    else:
        report(False, f"{name}: a block of sh, c, csv NAME, xml NAME, python NAME or js NAME", f"it says '{' '.join(words)}'")


def no_scenes(plain):
    """What the last column of a table with the head "scenes" names, and is none."""
    inside, wrong = False, []
    for number, text in plain:
        inside = text.startswith("|") and (inside or text.endswith("| scenes |"))
        if inside:
            wrong += [f"{number}: {w}" for w in re.findall(r"`(\w+)`", text.split("|")[-2]) if w not in SCENES]
    return wrong


def prose(page, plain):
    heads = [t for _, t in plain if t.startswith("#")]
    report(len(set(heads)) == len(heads), f"{page}: no heading twice", "\n".join(h for h in set(heads) if heads.count(h) > 1))
    hidden = [f"{page}:{n}: {t.strip()}" for n, t in plain if t.startswith("    ") and COMMAND.match(t.strip())]
    report(not hidden, f"{page}: no command in an indented block", "\n".join(hidden))
    if page == "CHANGELOG.md":  # tells of what has been
        return
    wrong = no_scenes(plain)
    for number, text in plain:
        for command in re.findall(r"`([^`]+)`", text):
            bad = missing(command)
            if command.startswith("git grep "):
                bad = [] if run(command.split(), cwd=TOP)[0] else [command]
            wrong += [f"{page}:{number}: {w}" for w in bad if not PLACEHOLDER.search(w)]
    report(not wrong, f"{page}: what its text names is there", "\n".join(wrong))


def helped():
    """Every target that is called by hand is in the list of `make help`; those of a board are called by make."""
    with open(os.path.join(TOP, "Makefile")) as file:
        phony = re.search(r"^\.PHONY:(.*?[^\\])$", file.read(), re.M | re.S)[1].replace("\\", " ").split()
    shown = {line.split()[1] for line in run(["make", "-s", "-C", TOP, "help"])[1].splitlines() if line.startswith("  make ")}
    hidden = " ".join(t for t in phony if t not in shown and not t.startswith("board-"))
    report(not hidden, "make help lists every target", hidden)


def main():
    helped()
    pages = sys.argv[1:] or run(["git", "-C", TOP, "ls-files", "*.md", ":!targets/dist/package"])[1].split()
    for page in pages:
        with open(os.path.join(TOP, page)) as file:
            fenced, plain = blocks(file.read())
        prose(page, plain)
        folder = folder_of(page) if fenced else ""
        for block in fenced:
            listing(page, folder, block)
    print(f"1..{count}")


main()
