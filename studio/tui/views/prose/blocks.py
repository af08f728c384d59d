"""A growing text as blocks: title, paragraphs with their numbers, scene breaks.

The same text gives the same blocks, in one piece or in many: title, breaks and
numbers are those of `studio.story.chapter`. What is shown has been through
`safe_text`, character for character; only CR LF is one newline.
"""

from __future__ import annotations

from typing import Literal

from studio.story.chapter import SCENE_BREAK, Chapter
from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import LINE, NARROWEST, extend, roughly, wrap

Kind = Literal["title", "paragraph", "break"]

_BREAK_SIGNS = "*⁂-\ufeff"
_ZWJ = "\u200d"


class Block:
    """A title, a paragraph or a scene break; `lines` together are its text."""

    __slots__ = ("kind", "lines", "number", "scene", "width")

    def __init__(self, kind: Kind, scene: int, number: int, text: str) -> None:
        self.kind = kind
        self.scene = scene
        """Scene number, from 1; a break counts to the scene behind it."""
        self.number = number
        """Number within the scene, from 1; 0 for what is no paragraph."""
        self.lines = [text]
        self.width = 0
        """Cells the lines were wrapped for; 0: not yet."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.lines)

    @property
    def label(self) -> str:
        """What the gutter shows: scene and paragraph."""
        return f"{self.scene}.{self.number}" if self.number else ""

    def rows(self, width: int) -> int:
        """Lines it takes at a width; an estimate unless it was wrapped for it."""
        if self.width == width:
            return len(self.lines)
        if self.width:
            return max(1, len(self.lines) * self.width // max(NARROWEST, width))
        return 1 + roughly(self.lines[0]) // max(NARROWEST, width)

    def fit(self, width: int) -> None:
        """Wraps it for a width."""
        if self.width != width:
            self.lines = wrap(self.text, width)
            self.width = width

    def grow(self, addition: str) -> None:
        """Adds to its end; only the last line is wrapped again."""
        if self.width:
            extend(self.lines, addition, self.width)
        else:
            self.lines[-1] += addition

    def trim(self) -> None:
        """Takes white space from its end."""
        while len(self.lines) > 1 and not self.lines[-1].strip():
            self.lines.pop()
        self.lines[-1] = self.lines[-1].rstrip()


class Manuscript:
    """The blocks of a text that comes in pieces."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.width = 0
        """Cells new blocks are wrapped for; 0 leaves them for later."""
        self.label_width = 0
        """Length of the longest paragraph number so far."""
        self._scene, self._number = 1, 0
        self._open = False  # whether a line without a blank one before it goes on a paragraph
        self._flowing = False  # whether the line now coming is known to be prose
        self._line = ""  # the line now coming, while it may still be a break or a title
        self._last = " "  # the last character fed
        self._held = ""  # a character at the end that only the next piece explains

    def feed(self, text: str) -> None:
        """Adds a piece of text, cut anywhere."""
        text = self._held + text
        self._held = text[-1] if text.endswith(("\r", _ZWJ)) else ""
        text = text.removesuffix(self._held)
        for line in LINE.findall(text.replace("\r\n", "\n").replace("\r", "\n")):
            self._take(line.removesuffix("\n"))
            if line.endswith("\n"):
                self._end_line()

    def settle(self) -> None:
        """Takes the text fed so far for whole: a held-back last line shows as what it is."""
        if self._line:
            self._end_line()

    def _take(self, piece: str) -> None:
        if self._flowing:
            self.blocks[-1].grow(self._shown(piece))
        else:
            self._line += piece
            if not self._undecided():
                self._begin_prose()

    def _undecided(self) -> bool:
        bare = self._line.strip().lstrip("\ufeff")
        if bare[:2] in ("#", "# ") and self._at_top():
            return True
        return all(sign.isspace() or sign in _BREAK_SIGNS for sign in self._line)

    def _at_top(self) -> bool:
        return not self.blocks

    def _begin_prose(self) -> None:
        line, self._line, self._flowing = self._line, "", True
        if self._open:
            self._last = "\n"
            self.blocks[-1].grow("\n" + self._shown(line))
            return
        self._open = True
        self._number += 1
        self._add("paragraph", line.lstrip().lstrip("\ufeff"), self._number)

    def _end_line(self) -> None:
        line, self._line = self._line, ""
        if self._flowing:
            self._flowing = False
        elif not line.strip().lstrip("\ufeff"):
            self._close_paragraph()
        elif _is_break(line):
            self._close_scene()
        elif self._at_top() and (title := Chapter(line).title) is not None:
            self._add("title", title)
        else:
            self._line = line
            self._begin_prose()
            self._flowing = False

    def _close_paragraph(self) -> None:
        if self._open:
            self.blocks[-1].trim()
            self._open = False

    def _close_scene(self) -> None:
        self._close_paragraph()
        if self._number:
            self._scene, self._number = self._scene + 1, 0
            self._add("break", SCENE_BREAK)

    def _add(self, kind: Kind, text: str, number: int = 0) -> None:
        self._last = " "
        block = Block(kind, self._scene, number, self._shown(text))
        if self.width:
            block.fit(self.width)
        self.blocks.append(block)
        self.label_width = max(self.label_width, len(block.label))

    def _shown(self, piece: str) -> str:
        """A piece made harmless; a joiner at its beginning is judged by what was before it."""
        text = safe_text(self._last + piece)[1:].replace("\t", " ")
        self._last = (piece or self._last)[-1]
        return text


def _is_break(line: str) -> bool:
    return len(Chapter(f"a\n{line}\nb").scenes) == 2
