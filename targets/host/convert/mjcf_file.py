# SPDX-License-Identifier: MIT
"""mjcf_file - an MJCF file as its sections, with what it includes; elements with the defaults of their classes."""
import os

from .complaint import Complaint
from .document import printable, read

MOST_INCLUDES = 200
ACTUATORS = (
    "general motor position velocity intvelocity damper cylinder muscle adhesion orientation pid dcmotor plugin"
).split()


class Item:
    """An element, and behind it those of the defaults that it inherits from, nearest first. An attribute is that of the
    first of them that has it."""

    def __init__(self, element, defaults=()):
        self.element, self.layers = element, (element, *defaults)

    def layer(self, attribute):
        """The element that has the attribute, or None."""
        found = None
        for layer in self.layers:
            if layer.has(attribute):
                layer.asked.add(attribute)
                found = found or layer
        return found

    def has(self, attribute):
        return self.layer(attribute) is not None

    def complain(self, reason):
        self.element.complain(reason)

    def text(self, attribute, default=None):
        layer = self.layer(attribute)
        if layer is None:
            return default if default is not None else self.element.text(attribute)
        return layer.text(attribute)

    def word(self, attribute, words, default):
        """One of these words."""
        value = self.text(attribute, default)
        if value not in words:
            self.complain(f"{attribute}='{printable(value)}' is not one of {', '.join(words)}")
        return value

    def flag(self, attribute, default):
        return self.word(attribute, ("false", "true"), "true" if default else "false") == "true"

    def numbers(self, attribute, least, most, default=None):
        """As many numbers as the file gives, at least and at most so many."""
        layer = self.layer(attribute)
        if layer is None:
            return default if default is not None else self.element.text(attribute)
        words = layer.text(attribute).split()
        if not least <= len(words) <= most:
            many = f"{least}" if least == most else f"{least} .. {most}"
            layer.complain(f"{attribute}='{printable(layer.attributes[attribute])}': {many} numbers are needed")
        return tuple(layer.parse(attribute, word) for word in words)

    def number(self, attribute, default=None):
        return self.numbers(attribute, 1, 1, None if default is None else (default,))[0]

    def whole(self, attribute, default):
        value = self.number(attribute, default)
        if value != int(value):
            self.complain(f"{attribute} is {value:g}, must be a whole number")
        return int(value)


class File:
    """sections: {tag: its children in all sections of that name}. classes: {class: {tag: elements, nearest first}}"""

    def __init__(self, path):
        self.path, self.folder = path, os.path.dirname(os.path.abspath(path))
        self.included = {os.path.realpath(path)}
        self.root = read(path, "mujoco")
        self.include(self.root, self.folder)
        self.classes = {"main": {}}
        for section in self.root.all("default"):
            self.enter_class(section, None)

    def include(self, element, folder):
        """Puts the children of included files where their <include> stands."""
        children = []
        for child in element.children:
            if child.tag != "include":
                self.include(child, folder)
                children.append(child)
                continue
            root, where = self.included_root(child, folder)
            self.include(root, where)
            children += root.children
        element.children = children
        for child in children:
            child.parent = element

    def included_root(self, element, folder):
        name = element.text("file")
        paths = [os.path.join(place, name) for place in (folder, self.folder)]
        path = next((path for path in paths if os.path.isfile(path)), paths[0])
        if os.path.realpath(path) in self.included:
            element.complain(f"file '{printable(name)}' is included twice")
        if len(self.included) > MOST_INCLUDES:
            element.complain(f"more than {MOST_INCLUDES} files are included")
        self.included.add(os.path.realpath(path))
        try:
            return read(path, None), os.path.dirname(path)
        except Complaint as complaint:
            if not os.path.isfile(path):
                element.complain(f"file '{printable(name)}': no such file")
            raise complaint

    def enter_class(self, element, above):
        name = element.attributes.get("class")
        element.asked.add("class")
        element.taken = True
        if name is None:
            if above is not None:
                element.complain("a default within another one needs a class")
            name = "main"
        if above is None and name != "main":
            self.classes["main"] = self.classes[name] = self.classes.get(name, self.classes["main"])
        tags = self.classes.get(name, {} if above is None else dict(self.classes[above]))
        for child in element.children:
            if child.tag != "default":
                tag = "actuator" if child.tag in ACTUATORS else child.tag
                child.taken = True
                tags[tag] = [child] + tags.get(tag, [])
        self.classes[name] = tags
        for child in element.children:
            if child.tag == "default":
                self.enter_class(child, name)

    def section(self, tag):
        """Children of all sections of that name."""
        return [child for section in self.root.all(tag) for child in section.children]

    def item(self, element, childclass=None, tag=None):
        """The element with the defaults of its class, else of `childclass`, else of all."""
        element.asked.add("class")
        element.taken = True
        name = element.attributes.get("class") or childclass or "main"
        if name not in self.classes:
            element.complain(f"class '{printable(name)}' is not there")
        return Item(element, self.classes[name].get(tag or element.tag, ()))
