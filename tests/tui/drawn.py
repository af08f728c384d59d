"""Screens as small SVG pictures, and their comparison with stored ones."""

from __future__ import annotations

import re
from typing import Any

from pytest_textual_snapshot import SVGImageExtension

_NOT_NEEDED = (
    r"<!--.*?-->",
    r"@font-face \{.*?\}",
    r"<clipPath .*?</clipPath>",
    r' clip-path="[^"]*"',
    r' shape-rendering="[^"]*"',
    r"<text [^>]*>(?:&#160;)*</text>",
)
"""The parts of a picture that do not affect its appearance."""
_GAPS = re.compile(r"\n\s*")
_NUMBER = r'="([\d.]+)"'
_BAND = re.compile(rf'<rect fill="(#\w+)" x{_NUMBER} y{_NUMBER} width{_NUMBER} height="24.65"/>')


def compact(svg: str) -> str:
    """Returns the picture in about a third of its size, with one line per element on the screen."""
    for pattern in _NOT_NEEDED:
        svg = re.sub(pattern, "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-(?:\d+-)?(?=[a-z]+\d*\b)", "", svg).replace("&#160;", "\u00a0")
    svg = re.sub(r'="(\d+)\.0"', r'="\1"', svg).replace('class="rich-terminal" ', "")
    head, end, rest = svg.partition("</defs>")
    rest = _joined(rest).replace("<rect ", "\n<rect ").replace("<text ", "\n<text ")
    lines = [line.strip(" \t\r") for line in rest.split("\n")]
    return _GAPS.sub("\n", head) + end + "\n" + "\n".join(filter(None, lines)) + "\n"


def _joined(drawn: str) -> str:
    """Joins neighbouring cells of one colour into one band."""
    bands: list[tuple[str, str, float, float]] = []
    for colour, left, top, width in _BAND.findall(drawn):
        start, end = float(left), float(left) + float(width)
        if bands and bands[-1][:2] == (colour, top) and abs(bands[-1][3] - start) < 0.2:
            bands[-1] = (colour, top, bands[-1][2], end)
        else:
            bands.append((colour, top, start, end))
    drawn_bands = "".join(
        f'<rect fill="{c}" x="{x:.1f}" y="{y}" width="{e - x:.1f}" height="24.65"/>'
        for c, y, x, e in bands
    )
    before, *_, after = _BAND.split(drawn) if bands else (drawn, "")
    return before + drawn_bands + after


class SmallPicture(SVGImageExtension):
    """A snapshot in the form that `compact` returns."""

    def serialize(self, data: str, **_: Any) -> str:
        """Returns the picture as it is stored."""
        return compact(data)

    def _read_snapshot_data_from_location(self, **where: Any) -> str | None:
        return super(SVGImageExtension, self)._read_snapshot_data_from_location(**where)
