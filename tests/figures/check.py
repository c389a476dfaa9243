#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py - do the pages say what is measured?   tests/figures/check.py [--pages | SOURCE...]

  given   tests/figures/claims, the pages that it names; TACTUS_DATA for what is measured on data
  makes   page by page each claim, what is measured, and whether they agree; then numbers of tables that no claim covers.
          --pages measures nothing: TAP, whether each claim stands in its page, and its source exists.
          With SOURCEs only claims from these are measured. Exit code 1: something does not agree.
  bound   the commands that claims name, each run once; what they said stays in build/figures/said/
  never   looks into a page for anything but the text of a claim: how claims are written is said at the top of their file
"""
import os
import re
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SAID = "build/figures/said"
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
PAGE_NUMBER = re.compile(r"\{([^}]*)\}")


class Claim:
    def __init__(self, page, line, number):
        fields = [f.strip() for f in line.split(" :: ")]
        self.page, self.line = page, number
        self.text = PAGE_NUMBER.sub(r"\1", fields[0])
        self.source, _, self.part = (fields + [""])[1].partition(" # ")
        self.measured = not (self.source == "-" or self.source.startswith("held by "))
        if not self.measured:
            return
        if len(fields) not in (3, 4) or len(PAGE_NUMBER.findall(fields[0])) != 1:
            sys.exit(f"tests/figures/claims:{number}: not TEXT with one {{number}} :: SOURCE :: PATTERN [:: RELATION]")
        self.said = PAGE_NUMBER.search(fields[0]).group(1)
        self.pattern = re.compile(fields[2])
        relation = re.fullmatch(rf"(<=|>=|=|~)(?: ({NUMBER}) %)?(?: \* ({NUMBER}))?", (fields + ["<="])[3])
        if not relation:
            sys.exit(f"tests/figures/claims:{number}: no relation: {fields[3]}")
        self.relation, self.share, self.unit = relation[1], float(relation[2] or 0) / 100, float(relation[3] or 1)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_claims():
    claims, page = [], None
    for number, line in enumerate(read("tests/figures/claims").splitlines(), 1):
        if line.startswith("["):
            page = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            claims.append(Claim(page, line, number))
    return claims


# ---------------------------------------------------------------------------------------------------------------- sources

def command(source):
    """The command that prints a source's figures; None if there is none."""
    if re.search(rf"^{re.escape(source)}:", read("Makefile"), re.M):
        return ["make", "-s", source]
    if source.endswith(".t") and os.path.exists(source):
        return [source]
    program = re.fullmatch(r"(tests/.+) (32|64)", source)
    if program and os.path.exists(program.group(1) + ".c"):
        return ["build/host/gcc-O2-" + program.group(2) + "/" + program.group(1)]
    return None


def measure(source):
    """What the command says, a line for each check of a test with its number behind it; kept in build/figures/said/."""
    words = command(source)
    if words[0].startswith("build/"):
        subprocess.run(["make", "-s", words[0]], check=True)
    environment = dict(os.environ, TAP_FIGURES="1")
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    said = done.stdout.replace("\n#   got ", " #   got ")
    os.makedirs(SAID, exist_ok=True)
    with open(f"{SAID}/{re.sub('[^A-Za-z0-9.-]', '_', source)}", "w", encoding="utf-8") as file:
        file.write(said)
    return said if done.returncode == 0 else said + "\nfailed\n"


def part_of(said, heading):
    """The lines from the one that begins with `# heading` to the next that begins with `# `."""
    if not heading:
        return said.splitlines()
    lines, inside = [], False
    for line in said.splitlines():
        if line.startswith("# "):
            inside = line.startswith("# " + heading)
        if inside:
            lines.append(line)
    return lines


def measured(claim, said):
    """All numbers that stand behind the pattern."""
    values = []
    for line in part_of(said, claim.part):
        found = claim.pattern.search(line)
        number = found and re.search(NUMBER, line[found.end():])
        if number:
            values.append(abs(float(number.group())) * claim.unit)
    return values


# --------------------------------------------------------------------------------------------------------------- compare

def digits(number):
    """Significant digits that the page shows."""
    mantissa = re.sub(r"e.*", "", number).replace(".", "").lstrip("-+0")
    return max(len(mantissa if re.search("[.e]", number) else mantissa.rstrip("0")), 1)


def agrees(claim, values):
    page = claim.said.replace(" ", "")
    stated = abs(float(page))
    rounded = [float(f"{v:.{digits(page) - 1}e}") for v in values]
    if claim.relation == "<=":
        return max(rounded) <= stated
    if claim.relation == ">=":
        return min(rounded) >= stated
    if claim.relation == "~":
        return all(abs(v - stated) <= claim.share * stated for v in values)
    return all(v == stated for v in rounded)


def loose(claim, values):
    """A bound that is far above what is measured: worth a look, no disagreement."""
    return claim.relation == "<=" and max(values) < 0.1 * abs(float(claim.said.replace(" ", "")))


# ------------------------------------------------------------------------------------------------------------- the pages

def figure_cells(page):
    """(line number, line, begin and end of a cell) of the tables of a page: all but the first column and what others have
    published."""
    header = None
    for number, line in enumerate(read(page).splitlines(), 1):
        if not line.startswith("|"):
            header = None
            continue
        bars = [i for i, c in enumerate(line) if c == "|"]
        cells = list(zip(bars, bars[1:]))
        if header is None:
            header = [line[a + 1 : b].strip() for a, b in cells]
            continue
        for title, (begin, end) in list(zip(header, cells))[1:]:
            if not title.startswith("best"):
                yield number, line, begin, end


def uncovered(page, claims):
    """Numbers of the tables' figure columns that stand in no claim."""
    for number, line, begin, end in figure_cells(page):
        covered = set()
        for text in [c.text for c in claims if c.page == page and c.text in line]:
            at = line.index(text)
            covered.update(range(at, at + len(text)))
        for name in re.finditer(r"\[[^]]*\]\([^)]*\)|`[^`]*`", line):
            covered.update(range(*name.span()))
        left = [n.group() for n in re.finditer(rf"(?<![\w.^-]){NUMBER}(?!\w)", line[begin:end])
                if begin + n.start() not in covered]
        if left:
            yield number, line[begin + 1 : end].strip(), left


def pages_tap(claims):
    count, failed = 0, 0

    def check(good, name, why=""):
        nonlocal count, failed
        count += 1
        failed += not good
        print(f"{'ok' if good else 'not ok'} {count} - {name}")
        if not good and why:
            print("#   " + why)

    for claim in claims:
        where = f"tests/figures/claims:{claim.line}"
        check(read(claim.page).count(claim.text) == 1, f"{claim.page} says once: {claim.text}", where)
        if claim.measured:
            check(command(claim.source) is not None, f"{claim.source} is a command that prints figures", where)
        elif claim.source != "-":
            check(os.path.exists(claim.source[len("held by "):]), f"{claim.source}: is there", where)
    for page in sorted({c.page for c in claims}):
        left = sum(1 for _ in uncovered(page, claims))
        print(f"# {page}: {left} cells of tables hold numbers that no claim covers")
    for number, cell, left in uncovered("README.md", claims):
        check(False, f"README.md:{number}: a claim for {', '.join(left)}", cell)
    print(f"1..{count}")
    return failed


def figures(claims, wanted):
    said, bad, skipped = {}, 0, 0
    for page in dict.fromkeys(c.page for c in claims):
        print(f"\n{page}")
        for claim in [c for c in claims if c.page == page and c.measured]:
            if wanted and claim.source not in wanted:
                continue
            if claim.source not in said:
                print(f"    ... {' '.join(command(claim.source))}", flush=True)
                said[claim.source] = measure(claim.source)
            values = measured(claim, said[claim.source])
            where = next((i for i, l in enumerate(read(page).splitlines(), 1) if claim.text in l), 0)
            if not values:
                skip = "skipped" in said[claim.source]
                skipped, bad = skipped + skip, bad + (not skip)
                verdict, value = ("not measured" if skip else "NOT PRINTED"), "-"
            else:
                good = agrees(claim, values)
                bad += not good
                verdict = ("loose" if loose(claim, values) else "agrees") if good else "DIFFERS"
                value = f"{(min if claim.relation == '>=' else max)(values):.4g}"
            print(f"{verdict:12} {where:4}: {claim.text}   [{claim.relation} {claim.said}; measured {value}]")
    for page in dict.fromkeys(c.page for c in claims):
        for number, cell, left in uncovered(page, claims):
            print(f"no claim     {page}:{number}: {', '.join(left)}")
    print(f"\n{bad} claims do not agree, {skipped} could not be measured here")
    return bad


def main():
    os.chdir(TOP)
    claims = read_claims()
    if sys.argv[1:] == ["--pages"]:
        return pages_tap(claims)
    return figures(claims, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
