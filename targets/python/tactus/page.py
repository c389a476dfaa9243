# SPDX-License-Identifier: MIT
"""page - the page of targets/page with data in it. Standard library only: targets/host/film reads it without the package."""
import json
import os
from typing import Any, Mapping

HERE = os.path.dirname(os.path.realpath(__file__))
PLACE = '<script type="application/json" id="tactus-data">null<'


class PageError(Exception):
    """There is no page, or what would show it is missing."""


def template() -> str:
    """The page: in the package of a wheel that was made after `make page`, or where `make page` puts it in a checkout."""
    for path in (os.path.join(HERE, "page"), os.path.join(HERE, "..", "..", "..", "build", "page")):
        name = os.path.join(path, "index.html")
        if os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                return file.read()
    raise PageError("there is no page to show runs in: make page")


def page_of(data: Mapping[str, Any]) -> str:
    """The page with these data, which targets/page/README.md describes."""
    text = template()
    if PLACE not in text:
        raise PageError("the page is one of another version: make page")
    return text.replace(PLACE, PLACE[: -len("null<")] + json.dumps(data).replace("<", "\\u003c") + "<", 1)
