"""The marks that part scenes: those that a text is read by, and every ornament that people and
models write for one."""

from __future__ import annotations

import re

BREAK_LINE = r"[ \t]*(?:\*[ \t]*){3,}$|[ \t]*(?:-[ \t]*){3,}$|[ \t]*⁂[ \t]*$"
"""A pattern kept as text, compiled at the first line that may be a scene break."""
_MARK = (
    r"(?:\*[ \t]*)+$|(?:-[ \t]*){3,}$|#{1,6}$|(?:#[ \t]+)+#$|⸻+$"
    r"|(?:[⁂◆◇■□●○※☆★✦✧❖＊❦❧☙✻✽✿❀♦♢▲△▼▽◈⋆✴§][ \t]*)+$"
)
_ORNAMENT = rf"{_MARK}|(?:[-_~=+—–－―─━·•†⋅∙][ \t]*){{3,}}$"
_ESCAPED = r"\\(?=[*_#~+=-])"
_WIDE_SPACE = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]"
_LONGEST = 200


def is_scene_break(line: str, bare: str) -> bool:
    """Whether a line of a chapter is a scene break; `bare` is the line stripped, which is not
    empty."""
    return bare[0] in "*-⁂" and re.match(BREAK_LINE, line) is not None


def is_mark(line: str) -> bool:
    """Whether a line is a mark that nobody takes for words: `* * *`, `---`, `#`, ⁂, ◇. Strokes and
    dots alone (`———`, `···`) may be a silence."""
    return _is_like(_MARK, line)


def is_ornament(line: str) -> bool:
    """Whether a line is an ornament between scenes: such a mark, or strokes and dots alone; also
    one that Markdown escapes (`\\* \\* \\*`), and with spaces of any width."""
    return _is_like(_ORNAMENT, line)


def _is_like(pattern: str, line: str) -> bool:
    if len(line) > _LONGEST:
        return False
    plain = re.sub(_ESCAPED, "", re.sub(_WIDE_SPACE, " ", line.strip()))
    return re.match(pattern, plain) is not None


def begins_with_break(text: str) -> int:
    """Returns where the words begin behind the scene breaks that a piece of prose opens with; 0 if
    it opens with none."""
    match = re.match(rf"(?:\s*^(?:{BREAK_LINE})\s*)+", text, re.M)
    return match.end() if match else 0


def ends_with_break(text: str) -> bool:
    """Whether a piece of prose ends with a scene break."""
    last = text.rstrip().rpartition("\n")[2]
    return bool(last) and is_scene_break(last, last.strip() or " ")


def without_last_break(text: str) -> str:
    """Returns a piece of prose without the scene breaks that it ends with; as it is if there are
    none."""
    while ends_with_break(text):
        text = text.rstrip().rpartition("\n")[0].rstrip()
    return text


def without_edge_breaks(text: str) -> str:
    """Returns a piece of prose without the scene breaks that it begins and ends with."""
    return without_last_break(text[begins_with_break(text) :])
