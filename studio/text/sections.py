"""A prose answer of a model taken apart: the prose, and what was said around it (A4, E8)."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of an answer: `prose` goes on, the rest is for the log."""

    prose: str
    pre_writing: str = ""
    hints: str = ""


_HEADING = re.compile(
    r"^[ ]{0,3}(?=\#|\*\*|__)(?:\#{1,6}[ \t]*)?(?P<bold>\*\*|__)?[ \t]*(?:\d+[.)][ \t]*)?"
    r"(?P<name>pre[-‑ ]?writing(?:[ \t]+(?:notes|thoughts))?|prose|hints)"
    r"[ \t]*(?P<colon>[:：])?[ \t]*(?(bold)(?P=bold))[ \t]*(?P<late_colon>[:：])?[ \t]*"
    r"(?:\#+[ \t]*)?(?P<rest>[^\r\n]*?)[ \t]*\r?$",
    re.I | re.M,
)
_FENCE_LINE = re.compile(r"^[ ]{0,3}```[ \t]*\w*[ \t]*\r?$", re.M)
_LEAD_IN = re.compile(
    r"""[ \t]*\**(?:
      (?:(?:sure|certainly|of\ course|okay|ok|absolutely)\b[,.!]?\ +)?
        here(?:'s|’s|\ is|\ are)\ (?:the|your|my|a)\b[^.:!?\r\n]{0,40}?\b
        (?:scene|chapter|prose|passage|paragraphs?|text|story|version|draft|rewrite)\b
        [^.:!?\r\n]{0,40}
    | (?:네[,.]?\ )?(?:다음은|아래는)\ [^.:\r\n]{0,30}(?:장면|본문|문단|원고)[^.:\r\n]{0,8}
    | (?:好的[，,。！]?\ ?)?(?:以下|下面|这)是[^。：:\r\n]{0,20}(?:场景|正文|段落)[^。：:\r\n]{0,8}
    )[:：]\**[ \t]*(?:\r?\n|\Z)""",
    re.I | re.X,
)
_TITLE = re.compile(r"#{1,6}[ \t]+\S[^\n]*(?:\n|\Z)")


def split_sections(text: str) -> Sections:
    """The sections `## Pre-Writing`, `## Prose` and `## Hints` of a prose answer.

    An answer without them is all prose. Code fences, a title line and a lead-in such
    as "Here is the scene:" are taken off the prose; not a word of the story is.
    """
    text = _FENCE_LINE.sub("", text)
    found: dict[str, list[str]] = {"prose": [], "pre-writing": [], "hints": []}
    marks = [m for m in _HEADING.finditer(text) if _is_heading(m)]
    bounds = [*(mark.start() for mark in marks), len(text)]
    before = _only_prose(text[: bounds[0]])
    for mark, end in zip(marks, bounds[1:], strict=True):
        part = f"{mark['rest']}\n{text[mark.end() : end]}"
        section = _section(mark)
        found[section].append(_only_prose(part) if section == "prose" else part.strip())
    # What stands before the first heading is chatter if prose is announced, else the prose.
    announced = any(_section(mark) == "prose" for mark in marks)
    found["pre-writing" if announced else "prose"].insert(0, before)
    joined = {name: "\n\n".join(part for part in parts if part) for name, parts in found.items()}
    return Sections(joined["prose"], joined["pre-writing"], joined["hints"])


def heading_of(line: str) -> tuple[str, str] | None:
    """The section a line begins (`prose`, `pre-writing`, `hints`) and what else stands on it."""
    mark = _HEADING.match(line)
    return (_section(mark), mark["rest"]) if mark and _is_heading(mark) else None


def is_wrapping(line: str, first: bool) -> bool:
    """Whether a line is no word of the story: a title, a fence, or as the `first` a lead-in."""
    wraps = _FENCE_LINE.match(line) or _TITLE.match(line)
    return bool(wraps or (first and _LEAD_IN.match(line)))


def _is_heading(mark: re.Match[str]) -> bool:
    """`## Prose` and `**Hints:** a key` are headings, `**Prose** is hard` is not."""
    return not mark["rest"] or bool(mark["colon"] or mark["late_colon"])


def _section(mark: re.Match[str]) -> str:
    name = mark["name"].lower()
    return "pre-writing" if name.startswith("pre") else name


def _only_prose(text: str) -> str:
    """Without titles and lead-ins; an ideographic indent stays."""
    text = text.lstrip(" \t\r\n")
    while match := _TITLE.match(text) or _LEAD_IN.match(text):
        text = text[match.end() :].lstrip(" \t\r\n")
    return text.rstrip()
