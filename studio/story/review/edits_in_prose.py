"""Line edits that a model gives as prose: the new paragraphs, each behind its label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

_LABELLED = re.compile(
    r"(?m)^[ \t>*_#-]*(?:\d{1,3}[.)][ \t]+)?[*_]*"
    r"(?:[\[【(](?=\d+\.\d+[\]】)])|(?=\d+\.\d+\**[ \t]*[:：]))"
    r"(?P<scene>\d+)\.(?P<number>\d+)[\]】)]?[*_]*[ \t]*[:：]?[*_]*"
)
"""The label before a paragraph: `[1.3] ...`, `【1.3】...` or `1.3: ...`, also in a list."""
_OLD = re.compile(
    r"^[*_]*(?:before|original|old|was|원문|원본|이전|기존|수정 ?전|고치기 ?전"
    r"|原文|原句|原|改前|修改前)"
    r"[*_]*[ \t]*[:：][*_]*",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"^[*_]*(?:after|revised|revision|edited|new|now|becomes|수정|수정문|수정안|수정 ?후|이후"
    r"|고침|고친 ?글|修改后|修改为|修改|改后|改为|改成|新)[*_]*[ \t]*[:：][*_]*",
    re.IGNORECASE,
)
_ARROW = re.compile(r"\s*(?:→|⇒|=>|->)\s*")


def edits_in_prose(text: str) -> Iterator[dict[str, str]]:
    """Yields the edits of an answer in prose. Where the old words, or what is to be said of the
    change, stand beside the new paragraph, it is the one that is marked as new, or is quoted."""
    labels = list(_LABELLED.finditer(text))
    for label, following in zip_longest(labels, labels[1:]):
        end = following.start() if following is not None else len(text)
        if after := _new_paragraph(text[label.end() : end]):
            at = f"{label['scene']}.{label['number']}"
            yield {"label": at, "before_words": "", "after": after}


def _new_paragraph(block: str) -> str:
    """Returns the new paragraph of what stands behind a label; empty where it cannot be told from
    the old one."""
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    if not lines:
        return ""
    bare = [line.lstrip(">*-# \t") for line in lines]
    if any(_OLD.match(line) for line in bare) or any(_NEW.match(line) for line in bare):
        return _marked_new(bare)
    if len(parts := _ARROW.split(" ".join(bare))) > 1:
        return parts[-1] if len(parts) == len(("old", "new")) else ""
    quoted = [line.startswith(">") for line in lines]
    if any(quoted) and not all(quoted):
        first = quoted.index(True)
        run = next((n for n, one in enumerate(quoted[first:], first) if not one), len(lines))
        return "" if any(quoted[run:]) else " ".join(bare[first:run])
    return lines[0].lstrip("> ") if quoted[0] else lines[0]


def _marked_new(lines: list[str]) -> str:
    """Returns the paragraph that is called the new one, on its line or the next."""
    at = next((n for n, line in enumerate(lines) if _NEW.match(line)), None)
    if at is None:
        return ""
    words = _NEW.sub("", lines[at], count=1).strip()
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return words or ("" if _OLD.match(below) else below)
