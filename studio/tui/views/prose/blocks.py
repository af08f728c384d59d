"""A growing text as blocks: title, numbered paragraphs, scene breaks.

The same text gives the same blocks, whether it arrives in one piece or in many: title, breaks and
numbers are those of `studio.story.chapter`. The displayed text has passed `safe_text`, character
for character; only CR LF becomes one newline.
"""

from __future__ import annotations

from typing import Literal

from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.notes import mask
from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import LINE, NARROWEST, extend, roughly, wrap

ProseBlockKind = Literal["title", "paragraph", "break", "note"]

_BREAK_SIGNS = "*⁂-\ufeff"
_ZWJ = "\u200d"
_NOTES = ("%%", "<!--")


class Block:
    """A title, a paragraph, a scene break or a note to people that stands alone; its `lines` joined
    are its text."""

    __slots__ = ("kind", "lines", "number", "scene", "width")

    def __init__(self, kind: ProseBlockKind, scene: int, number: int, text: str) -> None:
        self.kind = kind
        self.scene = scene
        """The number of the scene, from 1; a break belongs to the scene after it."""
        self.number = number
        """The number of the paragraph within its scene, from 1; 0 for titles, breaks and notes."""
        self.lines = [text]
        self.width = 0
        """The width that the lines are wrapped for, in cells; 0 if they are not wrapped yet."""

    @property
    def text(self) -> str:
        """The whole text of the block."""
        return "".join(self.lines)

    @property
    def label(self) -> str:
        """The label in the gutter: scene and paragraph."""
        return f"{self.scene}.{self.number}" if self.number else ""

    def rows(self, width: int) -> int:
        """Returns the number of lines at a width; an estimate unless the block is wrapped for
        it."""
        if self.width == width:
            return len(self.lines)
        if self.width:
            return max(1, len(self.lines) * self.width // max(NARROWEST, width))
        return 1 + roughly(self.lines[0]) // max(NARROWEST, width)

    def fit(self, width: int) -> None:
        """Wraps the block for a width."""
        if self.width != width:
            self.lines = wrap(self.text, width)
            self.width = width

    def grow(self, addition: str) -> None:
        """Appends text; only the last line is wrapped again."""
        if self.width:
            extend(self.lines, addition, self.width)
        else:
            self.lines[-1] += addition

    def trim(self) -> None:
        """Strips white space from the end."""
        while len(self.lines) > 1 and not self.lines[-1].strip():
            self.lines.pop()
        self.lines[-1] = self.lines[-1].rstrip()


class StreamedBlocks:
    """The blocks of a text that arrives in pieces."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.width = 0
        """The width that new blocks are wrapped for, in cells; 0 leaves them unwrapped."""
        self.label_width = 0
        """The length of the longest paragraph number so far."""
        self._scene, self._number = 1, 0
        self._open = False  # whether a line without a blank line before it continues a paragraph
        self._flowing = False  # whether the current line is known to be prose
        self._line = ""  # the current line, while it may still be a break or a title
        self._last = " "  # the last character fed
        self._held = ""  # a character at the end whose meaning depends on the next piece

    def feed(self, text: str) -> None:
        """Adds a piece of text, which may be cut anywhere."""
        text = self._held + text
        self._held = text[-1] if text.endswith(("\r", _ZWJ)) else ""
        text = text.removesuffix(self._held)
        for line in LINE.findall(text.replace("\r\n", "\n").replace("\r", "\n")):
            self._take(line.removesuffix("\n"))
            if line.endswith("\n"):
                self._end_line()

    def settle(self) -> None:
        """Ends the text: a held-back last line becomes a break, a title or a paragraph."""
        if self._line:
            self._end_line()
        self._close_paragraph()

    def _take(self, piece: str) -> None:
        if self._flowing:
            self.blocks[-1].grow(self._show(piece))
        else:
            self._line += piece
            if not self._may_go_on():
                self._begin_prose()

    def _may_go_on(self) -> bool:
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
            self.blocks[-1].grow("\n" + self._show(line))
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
            block = self.blocks[-1]
            block.trim()
            self._open = False
            if block.text.startswith(_NOTES) and not mask(block.text).strip():
                block.kind, block.number = "note", 0  # no paragraph (BOOK 2)
                self._number -= 1

    def _close_scene(self) -> None:
        self._close_paragraph()
        if self._number:
            self._scene, self._number = self._scene + 1, 0
            self._add("break", SCENE_BREAK)

    def _add(self, kind: ProseBlockKind, text: str, number: int = 0) -> None:
        self._last = " "
        block = Block(kind, self._scene, number, self._show(text))
        if self.width:
            block.fit(self.width)
        self.blocks.append(block)
        self.label_width = max(self.label_width, len(block.label))

    def _show(self, piece: str) -> str:
        """Makes a piece harmless; a joiner at its start is judged by the character before it."""
        text = safe_text(self._last + piece)[1:].replace("\t", " ")
        self._last = (piece or self._last)[-1]
        return text


def _is_break(line: str) -> bool:
    return len(Chapter(f"a\n{line}\nb").scenes) == 2
