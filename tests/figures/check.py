#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py - do the pages say what is measured?   tests/figures/check.py [--pages | [--again] [--write] SOURCE...]

  given   tests/figures/claims, the README.md of every folder; TACTUS_DATA and TACTUS_FREERTOS for what is measured with them
  makes   page by page each claim, what is measured, and whether they agree; then the processor time of each source. Exit code 1: something
          does not agree. With SOURCEs only claims from these are measured.
          --pages measures nothing: TAP, whether each claim stands in its page, its source exists and the page names it, and
          whether each number of a table is claimed.
          --again takes what each source said the last time; --write puts the tables that they print, and the numbers of sentences,
          into the pages; a claim whose text shows the number of another is left to the hand, and claims.t names it
  bound   the commands that claims name, each run once; what they said stays in build/figures/said/
  never   knows a figure: how claims are written is said at the top of their file
"""
import glob
import os
import re
import resource
import subprocess
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SAID = "build/figures/said"
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
PAGE_NUMBER = re.compile(r"\{([^}]*)\}")
CELL_NUMBER = re.compile(r"(?<![\w.^-])-?\d+(?: \d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")
NOT_MEASURED = re.compile(r"-|held by .*")
BETTER = 5  # a bound of a page is at most so many times what is measured
NOTHING = 1e-6  # what a page may show as 0: rounding of floats


class Claim:
    def __init__(self, page, line, number):
        fields = [f.strip() for f in line.split(" :: ")]
        self.page, self.line = page, number
        self.table = fields[0].startswith("table ")
        self.text = "| " + fields[0][len("table "):] if self.table else PAGE_NUMBER.sub(r"\1", fields[0])
        self.source, _, self.part = (fields + [""])[1].partition(" # ")
        self.measured = not NOT_MEASURED.fullmatch(self.source)
        if not self.measured:
            return
        if self.table:
            fields.insert(2, "")
        elif len(PAGE_NUMBER.findall(fields[0])) != 1:
            fields = []
        if len(fields) not in (3, 4):
            sys.exit(f"tests/figures/claims:{number}: not TEXT with one {{number}} :: SOURCE :: PATTERN [:: RELATION]")
        self.said = "" if self.table else PAGE_NUMBER.search(fields[0]).group(1)
        self.marked = fields[0]
        self.pattern = re.compile(fields[2])
        default = "~" if self.table else "<="
        relation = re.fullmatch(rf"(<=|>=|=|~)(?: ({NUMBER}) %)?(?: \* ({NUMBER}))?", (fields + [default])[3])
        if not relation:
            sys.exit(f"tests/figures/claims:{number}: no relation: {fields[3]}")
        self.relation, self.share, self.unit = relation[1], float(relation[2] or 10) / 100, float(relation[3] or 1)


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


def names(source):
    """What a page calls a source."""
    words = command(source)
    if words[0] == "make":
        return "make " + source
    return source if source.endswith(".t") else source.split()[0] + ".c"


def processor_time():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def measure(source, again):
    """What the command says, and the processor seconds it took; kept in build/figures/said/. A line for each check of a test, with its number."""
    path = f"{SAID}/{re.sub('[^A-Za-z0-9.-]', '_', source)}"
    if again and os.path.exists(path):
        return read(path), 0
    words = command(source)
    if words[0].startswith("build/"):
        subprocess.run(["make", "-s", words[0]], check=True)
    environment = dict(os.environ, TAP_FIGURES="1")
    start = processor_time()
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    said = done.stdout.replace("\n#   got ", " #   got ") + ("" if done.returncode == 0 else "\nfailed\n")
    os.makedirs(SAID, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(said)
    return said, processor_time() - start


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

def value_of(number):
    return abs(float(number.replace(" ", "")))


def digits(number):
    """Significant digits that the page shows."""
    mantissa = re.sub(r"e.*", "", number).replace(".", "").lstrip("-+0")
    return max(len(mantissa if re.search("[.e]", number) else mantissa.rstrip("0")), 1)


def last_digit(number):
    """What one unit of the last digit that the page shows is worth; of a plain 0, which says that there is nothing, next to nothing."""
    mantissa, _, exponent = number.replace(" ", "").partition("e")
    if mantissa == "0":
        return NOTHING
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def near(stated, value, share):
    return abs(value - value_of(stated)) <= 1.000001 * max(share * value_of(stated), last_digit(stated))


def agrees(claim, values):
    stated = value_of(claim.said)
    rounded = [float(f"{v:.{digits(claim.said.replace(' ', '')) - 1}e}") for v in values]
    if claim.relation == "<=":
        return max(rounded) <= stated and BETTER * max(values) >= stated
    if claim.relation == ">=":
        return min(rounded) >= stated
    if claim.relation == "~":
        return all(near(claim.said, v, claim.share) for v in values)
    return all(v == stated for v in rounded)


def table_at(lines, begin):
    """A table's lines from that index on."""
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return lines[begin:end]


def table_starts(lines):
    return [i for i, line in enumerate(lines) if line.startswith("|") and not (i and lines[i - 1].startswith("|"))]


def page_table(claim):
    lines = read(claim.page).splitlines()
    starts = [i for i in table_starts(lines) if lines[i].startswith(claim.text)]
    return (starts[0], table_at(lines, starts[0])) if starts else (0, [])


def printed_table(claim, said):
    """The table under the page's head, as the source prints it; none if that has failed on the way."""
    if said.endswith("\nfailed\n"):
        return []
    lines, head = part_of(said, claim.part), page_table(claim)[1][0]
    return table_at(lines, lines.index(head)) if head in lines else []


def table_differences(claim, stated, printed):
    """(offset of the row, what is stated, what is printed) where rows differ by more than the claim allows."""
    for i in range(max(len(stated), len(printed))):
        a, b = stated[i] if i < len(stated) else "no row", printed[i] if i < len(printed) else "no row"
        left, right = CELL_NUMBER.findall(a), CELL_NUMBER.findall(b)
        if CELL_NUMBER.sub("#", a) != CELL_NUMBER.sub("#", b):
            yield i, a, b
        elif not all(near(x, value_of(y), claim.share) for x, y in zip(left, right)):
            yield i, a, b


# ------------------------------------------------------------------------------------------------------------- the pages

def pages():
    return ["README.md"] + sorted(p for folder in ("src", "port", "targets", "tests")
                                  for p in glob.glob(folder + "/**/README.md", recursive=True))


def figure_cells(page):
    """(line number, line, begin and end of a cell) of the tables of a page: all but the first column and what others have
    published."""
    lines = read(page).splitlines()
    for start in table_starts(lines):
        header = [c.strip() for c in lines[start].split("|")[1:-1]]
        for number, line in enumerate(table_at(lines, start)[1:], start + 2):
            bars = [i for i, c in enumerate(line) if c == "|"]
            for title, (begin, end) in list(zip(header, zip(bars, bars[1:])))[1:]:
                if not title.startswith("best"):
                    yield number, line, begin, end


def uncovered(page, claims):
    """Numbers of the tables' figure columns that stand in no claim."""
    lines, mine, whole = read(page).splitlines(), [c for c in claims if c.page == page], set()
    for start in table_starts(lines):
        if any(c.table and lines[start].startswith(c.text) for c in mine):
            whole.update(range(start + 1, start + 1 + len(table_at(lines, start))))
    for number, line, begin, end in figure_cells(page):
        if number in whole:
            continue
        covered = set()
        for text in [c.text for c in mine if c.text in line]:
            at = line.index(text)
            covered.update(range(at, at + len(text)))
        for name in re.finditer(r"\[[^]]*\]\([^)]*\)|`[^`]*`", line):
            covered.update(range(*name.span()))
        left = [n.group() for n in re.finditer(rf"(?<![\w.^-]){NUMBER}(?!\w)", line[begin:end])
                if begin + n.start() not in covered]
        if left:
            yield number, line[begin + 1 : end].strip(), left


def unnamed(claims):
    """Claims on figures whose command the page does not name: for a table in its section, for a sentence `make figures` anywhere."""
    for claim in claims:
        if not claim.measured or command(claim.source) is None:
            continue
        text = read(claim.page)
        line = next((l for l in text.splitlines() if claim.text in l), "")
        if "`make figures`" in text and not line.startswith("|"):
            continue
        section = next((s for s in re.split(r"^#+ ", text, flags=re.M) if claim.text in s), "")
        if "`make figures`" not in section and names(claim.source) not in section:
            yield claim


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
        where, there = f"tests/figures/claims:{claim.line}", read(claim.page).count(claim.text)
        check(there == 1 or there and claim.table and claim.source == "-", f"{claim.page} says once: {claim.text}", where)
        if claim.measured:
            check(command(claim.source) is not None, f"{claim.source} is a command that prints figures", where)
        elif claim.source != "-":
            check(os.path.exists(claim.source[len("held by "):]), f"{claim.source}: is there", where)
    for claim in unnamed(claims):
        check(False, f"{claim.page} names the command of: {claim.text}", f"{names(claim.source)}, tests/figures/claims:{claim.line}")
    for page in pages():
        left = list(uncovered(page, claims))
        check(not left, f"{page}: a claim for each number of its tables",
              "; ".join(f"line {number}: {', '.join(numbers)}" for number, _, numbers in left))
    print(f"1..{count}")
    return failed


# ----------------------------------------------------------------------------------------------------------- all figures

def compare(claim, said):
    """Verdict, and lines that say what is measured."""
    where = next((i for i, l in enumerate(read(claim.page).splitlines(), 1) if claim.text in l), 0)
    if not where:
        return "NOT ON PAGE", [f"      {claim.text}, tests/figures/claims:{claim.line}"]
    if claim.table:
        begin, stated = page_table(claim)
        printed = printed_table(claim, said)
        if printed:
            worse = [f"{begin + 1 + i:17}: {a}\n{'printed':>17}: {b}" for i, a, b in table_differences(claim, stated, printed)]
            return ("DIFFERS" if worse else "agrees"), [f"{where:4}: table {claim.text}"] + worse
    else:
        values = measured(claim, said)
        if values:
            value = f"{(min if claim.relation == '>=' else max)(values):.4g}"
            verdict = "agrees" if agrees(claim, values) else "DIFFERS"
            return verdict, [f"{where:4}: {claim.text}   [{claim.relation} {claim.said}; measured {value}]"]
    return ("not measured" if "skipped" in said else "NOT PRINTED"), [f"{where:4}: {claim.text}"]


def replace(path, old, new):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new, 1))


def write_table(claim, said):
    stated = page_table(claim)[1]
    printed = printed_table(claim, said) if stated else []
    if printed and printed != stated:
        replace(claim.page, "\n".join(stated), "\n".join(printed))


def as_stated(claim, values):
    """What is measured, in the form and with the digits of the page's number (three of a large one, whose zeros may be digits);
    bounds are rounded to the safe side."""
    value, rounding = {"<=": (max(values), ROUND_CEILING), ">=": (min(values), ROUND_FLOOR)}.get(claim.relation, (max(values), ROUND_HALF_EVEN))
    shown = max(digits(claim.said.replace(" ", "")), 3 if " " in claim.said else 1)
    rounded = Context(prec=shown, rounding=rounding).create_decimal(f"{value:.9e}")
    if "e" in claim.said:
        return re.sub(r"e([-+])0*(?=\d)", r"e\1", f"{rounded:.{shown - 1}e}").replace("e+", "e")
    places = len(claim.said.partition(".")[2])
    return f"{float(rounded):,.{places}f}".replace(",", " " if " " in claim.said else "")


def write_number(claim, said):
    """The number of a sentence, in the page and in its claim."""
    values = measured(claim, said)
    if not values or read(claim.page).count(claim.text) != 1:
        return
    stated = as_stated(claim, values)
    text, marked = (claim.marked.replace("{" + claim.said + "}", form) for form in (stated, "{" + stated + "}"))
    replace(claim.page, claim.text, text)
    replace("tests/figures/claims", claim.marked + " :: " + claim.source, marked + " :: " + claim.source)
    claim.said, claim.text, claim.marked = stated, text, marked


def figures(claims, wanted, again, writing):
    said, seconds, bad, skipped = {}, {}, 0, 0
    for page in dict.fromkeys(c.page for c in claims):
        print(f"\n{page}")
        for claim in [c for c in claims if c.page == page and c.measured]:
            if wanted and claim.source not in wanted:
                continue
            if claim.source not in said:
                print(f"    ... {' '.join(command(claim.source))}", flush=True)
                said[claim.source], seconds[claim.source] = measure(claim.source, again)
            if writing:
                (write_table if claim.table else write_number)(claim, said[claim.source])
            verdict, lines = compare(claim, said[claim.source])
            skipped, bad = skipped + (verdict == "not measured"), bad + verdict.isupper()
            print(f"{verdict:12} " + "\n".join(lines))
    if not again:
        print("\nprocessor seconds")
        for source, spent in sorted(seconds.items(), key=lambda item: -item[1]):
            print(f"{spent:8.0f} {source}")
    print(f"\n{bad} claims do not agree, {skipped} could not be measured here")
    return bad


def main():
    os.chdir(TOP)
    claims, arguments = read_claims(), sys.argv[1:]
    if arguments == ["--pages"]:
        return pages_tap(claims)
    options = {"--again", "--write"}
    return figures(claims, [a for a in arguments if a not in options], "--again" in arguments, "--write" in arguments)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
