# SPDX-License-Identifier: MIT
"""document - an XML file as a tree that knows its lines and which of its parts have been read.

What nobody has asked for by the end is what was not understood: leftovers() lists it. Size, depth and number of
elements are bounded, and entities are refused, so that no file takes long. Substitutions of xacro and of launch files
are refused wherever they stand: what they mean depends on more than the file."""
import os
import re
from xml.parsers import expat

from .complaint import Complaint

MOST_BYTES = 16 << 20
MOST_ELEMENTS = 200000
MOST_DEPTH = 64
MOST_NUMBER = 1e30  # what a float and its products hold

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
SUBSTITUTION = re.compile(r"\$\(\s*(\w*)[^)]*\)?|\$\{[^}]*\}?")
EXPAND = "xacro FILE > robot.urdf"
ADVICE = {
    "arg": "expand the file first, with a value: xacro FILE NAME:=VALUE > robot.urdf",
    "env": f"set that variable and expand the file: {EXPAND}",
    "optenv": f"set that variable, or leave it for the default, and expand the file: {EXPAND}",
    "find": f"expand the file first: {EXPAND}; or write package://NAME, with --package-path",
}


class Element:
    def __init__(self, path, tag, line, attributes, parent):
        self.path, self.tag, self.line, self.attributes, self.parent = path, tag, line, attributes, parent
        self.children, self.asked, self.taken = [], set(), False

    def about(self):
        """Which element this is, for a complaint: from the last one that has a name on."""
        names, element = [], self
        while element.parent is not None and element.parent.parent is not None and "name" not in element.attributes:
            names.insert(0, element.tag)
            element = element.parent
        name = element.attributes.get("name")
        head = element.tag if name is None else f"{element.tag} '{printable(name)}'"
        return ", ".join([head] + (["/".join(names)] if names else []))

    def complain(self, reason):
        raise Complaint(f"{self.path}:{self.line}: {self.about()}: {reason}")

    def all(self, tag):
        """Children of that tag, in the order of the file."""
        found = [child for child in self.children if child.tag == tag]
        for child in found:
            child.taken = True
        return found

    def first(self, tag):
        """The first child of that tag, or None. A second one is left over."""
        for child in self.children:
            if child.tag == tag:
                child.taken = True
                return child
        return None

    def needed(self, tag):
        return self.first(tag) or self.complain(f"no <{tag}>")

    def text(self, attribute, default=None):
        self.asked.add(attribute)
        value = self.attributes.get(attribute, default)
        if value is None:
            self.complain(f"no attribute '{attribute}'")
        return value

    def has(self, attribute):
        return attribute in self.attributes

    def numbers(self, attribute, count, default=None):
        if default is not None and not self.has(attribute):
            return default
        words = self.text(attribute).split()
        if len(words) != count:
            self.complain(f"{attribute}='{printable(self.attributes[attribute])}' must be {plural(count, 'number')}")
        return tuple(self.parse(attribute, word) for word in words)

    def number(self, attribute, default=None):
        return self.numbers(attribute, 1, None if default is None else (default,))[0]

    def parse(self, attribute, word):
        if not NUMBER.fullmatch(word):
            self.complain(f"{attribute}: '{printable(word)}' is not a number")
        value = float(word)
        if not abs(value) <= MOST_NUMBER:
            self.complain(f"{attribute}: '{printable(word)}' is too large")
        return value + 0.0  # no negative zero

    def leftovers(self, notes, path="", short=False):
        """Notes every child that nobody took and every attribute that nobody asked for. short: of a path the last tag."""
        waiting = [(self, path)]
        while waiting:
            element, path = waiting.pop()
            for attribute in element.attributes:
                if attribute not in element.asked and not attribute.startswith("xmlns"):
                    notes.leave_out(f"{path}/@{printable(attribute)}" if short else f"{path}@{printable(attribute)}")
            for child in element.children:
                at = f"{path}/{printable(child.tag)}" if path else printable(child.tag)
                if child.taken:
                    waiting.append((child, printable(child.tag) if short else at))
                else:
                    notes.leave_out(at)


def plural(count, what):
    return f"{count} {what}" + ("" if count == 1 else "s")


def printable(text):
    """Text of a file, safe in a line of output and in a comment of C, where \\ and ??/ would join the next line."""
    return "".join(c if " " <= c <= "~" and c not in "\\?" else "_" for c in text[:80])


def read_bounded(path, most):
    """The bytes of a file that is no larger than `most`."""
    try:
        if os.path.getsize(path) > most:
            raise Complaint(f"{path}: {os.path.getsize(path)} bytes, more than {most}")
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Complaint(f"{printable(path)}: {error}") from None
    if len(data) > most:
        raise Complaint(f"{path}: more than {most} bytes")
    return data


def refuse_substitution(element, where, text):
    found = SUBSTITUTION.search(text)
    if found:
        advice = ADVICE.get(found[1], f"expand the file first: {EXPAND}")
        element.complain(f"{where}'{printable(found[0])}' is not substituted; {advice}")


class Builder:
    """What expat calls. above: lines of the file before what expat gets."""

    def __init__(self, path, parser, above):
        self.path, self.parser, self.root, self.at, self.depth, self.count = path, parser, None, None, 0, 0
        self.above = above
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.EntityDeclHandler, parser.CharacterDataHandler = self.entity, self.text
        parser.buffer_text = True

    def start(self, tag, attributes):
        element = Element(self.path, tag, self.above + self.parser.CurrentLineNumber, attributes, self.at)
        self.count += 1
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise Complaint(f"{self.path}:{element.line}: elements nested deeper than {MOST_DEPTH}")
        if self.count > MOST_ELEMENTS:
            raise Complaint(f"{self.path}:{element.line}: more than {MOST_ELEMENTS} elements")
        if tag.startswith("xacro:"):
            raise Complaint(f"{self.path}:{element.line}: <{printable(tag)}>: expand the file with xacro first: {EXPAND}")
        if self.at is None:
            self.root = element
        else:
            self.at.children.append(element)
        self.at = element
        for attribute, value in attributes.items():
            refuse_substitution(element, f"{printable(attribute)}=", value)

    def text(self, data):
        refuse_substitution(self.at, "its text, ", data)

    def end(self, _tag):
        self.depth -= 1
        self.at = self.at.parent

    def entity(self, name, *_rest):
        line = self.above + self.parser.CurrentLineNumber
        raise Complaint(f"{self.path}:{line}: entity '{printable(name)}': none are read")


def read(path, root_tag):
    """The root element of an XML file, which has that tag, if one is given."""
    data = read_bounded(path, MOST_BYTES)
    text = data.lstrip()  # blanks before <?xml are no XML, but common
    if not text:
        raise Complaint(f"{path}: empty")
    parser = expat.ParserCreate()
    builder = Builder(path, parser, data[: -len(text)].count(b"\n"))
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error.code))
        raise Complaint(f"{path}:{builder.above + error.lineno}: not XML: {reason}") from None
    except (LookupError, ValueError) as error:
        raise Complaint(f"{path}: not XML: {error}") from None
    if root_tag is not None and builder.root.tag != root_tag:
        raise Complaint(f"{path}:{builder.root.line}: the root is <{printable(builder.root.tag)}>, not <{root_tag}>")
    return builder.root
