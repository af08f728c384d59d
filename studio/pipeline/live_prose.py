"""A prose answer while it streams: the story is shown, the notes around it are not (A4)."""

from __future__ import annotations

from studio.text.sections import heading_of, is_wrapping

_MARKS = ("#", "*", "_", "`")
"""How a line begins that may be a heading or a fence."""
_LONGEST_HEADING = 60


class LiveProse:
    """Passes on what belongs to the story as soon as that is certain.

    A line that may become a heading waits for its end, the first line for its
    sixtieth character. Joined, the pieces are the prose of `split_sections`.
    """

    def __init__(self) -> None:
        self._section = "prose"
        self._line = ""
        self._is_story = False
        """Whether the line that comes in is certainly prose."""
        self._space = ""
        """White space that is shown only if prose follows."""
        self._begun = False

    def take(self, piece: str) -> str:
        """What of the story can be shown now that `piece` has come."""
        *ends, rest = piece.split("\n")
        shown = "".join(self._line_ended(end) for end in ends)
        self._line += rest
        self._is_story = self._is_story or (self._section == "prose" and self._is_certain())
        return shown + self._flushed() if self._is_story else shown

    def end(self) -> str:
        """What is left when the answer is over."""
        return self._line_ended("")

    def _is_certain(self) -> bool:
        begun = self._line.lstrip()
        plain = self._begun and begun and not begun.startswith(_MARKS)
        return bool(plain) or len(begun) > _LONGEST_HEADING

    def _line_ended(self, end: str) -> str:
        self._line += end
        if not self._is_story:
            self._line = self._story_of(self._line)
        shown = self._flushed()
        self._is_story = False
        if self._section == "prose":
            self._space += "\n"
        return shown

    def _story_of(self, line: str) -> str:
        """What of a whole line is prose."""
        heading = heading_of(line)
        if heading is not None:
            self._section, rest = heading
            return rest if self._section == "prose" else ""
        return "" if self._section != "prose" or is_wrapping(line, not self._begun) else line

    def _flushed(self) -> str:
        line, self._line = self._line, ""
        kept = line.rstrip()
        if not kept:
            self._space += line
            return ""
        space = "\n\n" if self._space.count("\n") > 1 else self._space
        shown = space + kept if self._begun else kept
        self._begun, self._space = True, line[len(kept) :]
        return shown
