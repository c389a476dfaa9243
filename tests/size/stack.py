#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stack.py - worst-case stack of C functions, from gcc's call graph.
  given   FILE.ci of gcc -fcallgraph-info=su for every object that matters; the functions to start from (roots)
  makes   for each root its bytes and the deepest chain of calls; with --limit, failure if one is above it
  bound   each function is looked at once
  never   guesses: recursion, frames of run-time size, calls through pointers and unknown functions are failures
Bytes of interrupts and of the caller come on top. Helpers of libgcc are not in the graph: HELPER_BYTES bounds them."""
import argparse
import re
import sys

# Helpers of libgcc: soft float, conversions, 64 bit integers. The most that any of them takes, with all it calls, in
# gcc 12 for ARMv7-M and RV32 is 64 bytes (__fixunssfdi > __muldf3 on RV32), read from the disassembly.
HELPER_BYTES = 64
HELPER = re.compile(
    r"__aeabi_([fd](r?sub|add|mul|div|cmp(eq|lt|le|gt|ge|un)|2(u?[il]z|[fd]))|u?[il]2[fd])"
    r"|__aeabi_(l(lsl|lsr|asr|mul)|u?lcmp|u?[il]div(mod)?)"
    r"|__(add|sub|mul|div)[sd]f3|__(eq|ne|ge|gt|le|lt|unord)[sd]f2|__fix(uns)?[sd]f[sd]i|__float(un)?[sd]i[sd]f"
    r"|__extendsfdf2|__truncdfsf2|__(lshr|ashr|ashl|mul|u?div|u?mod)[sd]i3"
)


class Graph:
    """Frames and calls of all objects. Nodes carry gcc's titles: "file.c:name" for static functions."""

    def __init__(self, paths):
        self.frame, self.calls, self.dynamic = {}, {}, {}
        for path in paths:
            with open(path, encoding="ascii", errors="replace") as file:
                self.read(file.read())

    def read(self, text):
        for title, label in re.findall(r'node: \{ title: "([^"]+)" label: "([^"]*)"', text):
            found = re.search(r"(\d+) bytes \(([^)]*)\)", label)
            if found:
                self.frame[title] = int(found.group(1))
                if found.group(2) not in ("static", "dynamic,bounded"):
                    self.dynamic[title] = found.group(2)
        for caller, callee in re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', text):
            self.calls.setdefault(caller, set()).add(callee)

    def named(self, name):
        """Titles of the functions of that name."""
        return [title for title in self.frame if title.rsplit(":", 1)[-1] == name]


class Walk:
    """Deepest chains, each function once; problems are collected."""

    def __init__(self, graph):
        self.graph, self.done, self.problems = graph, {}, []

    def depth(self, title, path=()):
        """(bytes, chain) of the worst path from a function."""
        if title in path:
            self.problem("recursion: " + " > ".join(short(t) for t in path[path.index(title):] + (title,)))
            return 0, []
        if title not in self.done:
            self.done[title] = self.deepest(title, path)
        return self.done[title]

    def deepest(self, title, path):
        graph = self.graph
        if title not in graph.frame:
            if HELPER.fullmatch(title):
                return HELPER_BYTES, [(title, HELPER_BYTES)]
            what = "call through a pointer" if title == "__indirect_call" else "unknown callee " + title
            self.problem(f"{what} in {short(path[-1])}")
            return 0, []
        if title in graph.dynamic:
            self.problem(f"frame of {short(title)} is {graph.dynamic[title]}")
        below = [self.depth(callee, path + (title,)) for callee in sorted(graph.calls.get(title, ()))]
        total, chain = max(below, key=lambda item: item[0], default=(0, []))
        own = graph.frame[title]
        return own + total, [(title, own)] + chain

    def problem(self, text):
        if text not in self.problems:
            self.problems.append(text)


def short(title):
    """Name of a function without its file."""
    return title.rsplit(":", 1)[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, help="most bytes that a root may take")
    parser.add_argument("--root", action="append", required=True, metavar="FUNCTION")
    parser.add_argument("files", nargs="+", metavar="FILE.ci")
    args = parser.parse_args()

    graph = Graph(args.files)
    walk = Walk(graph)
    for root in args.root:
        titles = graph.named(root)
        if len(titles) != 1:
            walk.problem(f"{len(titles)} functions are named {root}")
            continue
        total, chain = walk.depth(titles[0])
        print(f"{root} {total} bytes: " + " > ".join(f"{short(title)} {own}" for title, own in chain))
        if args.limit is not None and total > args.limit:
            walk.problem(f"{root} takes {total} bytes, more than {args.limit}")
    for problem in walk.problems:
        print("stack.py: " + problem, file=sys.stderr)
    return 1 if walk.problems else 0


if __name__ == "__main__":
    sys.exit(main())
