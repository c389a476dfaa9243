# SPDX-License-Identifier: MIT
"""complaint - what is wrong with the input, in one line; what was left out or decided, in a list."""


class Complaint(Exception):
    """The one line that a user sees: file, element, reason."""


class Notes:
    """What the tool left out, and what it decided without being asked."""

    def __init__(self):
        self.decisions, self.left_out = {}, {}

    def say(self, text):
        self.decisions[text] = True  # as an ordered set

    def leave_out(self, what, count=1):
        self.left_out[what] = self.left_out.get(what, 0) + count

    def lines(self):
        lines = [f"note: {text}" for text in self.decisions]
        if self.left_out:
            lines.append("left out, because it is not understood or not needed (an @ marks an attribute):")
            lines += [f"{count:6d}  {what}" for what, count in sorted(self.left_out.items())]
        return lines
