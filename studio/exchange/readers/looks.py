"""Reads from a page's style sheets which classes are italic, bold or hidden: programs that generate
pages (Google Docs, e-book tools) mark emphasis by classes rather than `<i>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_CLASS = re.compile(r"(?:span|p)?\.([\w-]{1,80})")
_ANY_CLASS = re.compile(r"(?:[a-z][a-z0-9]{0,20})?\.([\w-]{1,80})")
_ITALIC = re.compile(r"font-style\s{0,9}:\s{0,9}(?:italic|oblique)", re.IGNORECASE)
_BOLD = re.compile(r"font-weight\s{0,9}:\s{0,9}(?:bold|[6-9]00)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|mso-hide\s{0,9}:\s{0,9}all",
    re.IGNORECASE,
)
_OPEN, _CLOSE = "<style", "</style"
_NOTE, _NOTE_END = "/*", "*/"

STYLED = frozenset(("span", "p"))
"""Elements whose class or style can mean emphasis; other elements express it by their names."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The classes that make text italic, bold, and invisible."""

    italic: frozenset[str] = field(default_factory=frozenset)
    bold: frozenset[str] = field(default_factory=frozenset)
    hidden: frozenset[str] = field(default_factory=frozenset)

    def and_those_of(self, other: Looks) -> Looks:
        """Combines two style sheets."""
        if not (other.italic or other.bold or other.hidden):
            return self
        return Looks(self.italic | other.italic, self.bold | other.bold, self.hidden | other.hidden)

    def hides(self, attributes: Mapping[str, str]) -> bool:
        """Whether no reader sees an element with these attributes."""
        return (
            "hidden" in attributes
            or _HIDDEN.search(attributes.get("style", "")) is not None
            or not self.hidden.isdisjoint(attributes.get("class", "").split())
        )

    def of(self, attributes: Mapping[str, str]) -> tuple[bool, bool]:
        """Whether an element with these attributes is italic, and whether it is bold."""
        classes = set(attributes.get("class", "").split())
        own = attributes.get("style", "")
        return (
            not self.italic.isdisjoint(classes) or bool(_ITALIC.search(own)),
            not self.bold.isdisjoint(classes) or bool(_BOLD.search(own)),
        )


def looks_of(sheet: str) -> Looks:
    """Returns the classes of a style sheet that are italic, bold or hidden. All other rules are
    ignored, and anything that is not CSS. Runs in roughly linear time."""
    italic: set[str] = set()
    bold: set[str] = set()
    hidden: set[str] = set()
    for rule in _without_notes(sheet).split("}"):
        head, _, body = rule.rpartition("{")
        selectors = [part.strip() for part in head.rpartition("{")[2].split(",")]
        classes = [match[1] for part in selectors if (match := _CLASS.fullmatch(part))]
        italic.update(classes if _ITALIC.search(body) else ())
        bold.update(classes if _BOLD.search(body) else ())
        if _HIDDEN.search(body):
            hidden.update(m[1] for part in selectors if (m := _ANY_CLASS.fullmatch(part)))
    return Looks(frozenset(italic), frozenset(bold), frozenset(hidden))


def sheets_in(page: str) -> str:
    """Returns the style sheets embedded in a page."""
    lower, sheets, at = page.lower(), [], 0
    while (begins := lower.find(_OPEN, at)) >= 0:
        inside = lower.find(">", begins) + 1
        ends = lower.find(_CLOSE, inside)
        if not inside or ends < 0:
            break
        sheets.append(page[inside:ends])
        at = ends
    return "\n".join(sheets)


def _without_notes(sheet: str) -> str:
    first, *others = sheet.split(_NOTE)
    return first + "".join(other.partition(_NOTE_END)[2] for other in others)
