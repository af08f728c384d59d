"""The capabilities of the terminal, and the fallbacks for limited ones."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from shutil import which

from rich.segment import Segment
from textual.color import Color
from textual.filter import ANSIToTruecolor, LineFilter

from studio.errors import usage
from studio.i18n import _

_USUAL_EDITORS = ("sensible-editor", "editor", "nano", "micro", "nvim", "vim", "vi", "emacs")
"""The generic names for an editor, then editors by how soon a newcomer finds the way out of
them."""

OWN_GLYPHS = "│┃─━┌┐└┘├┤╭╮╰╯▌▐█▔▁▎▊▕○●◐◆✓✗→←↑↓↶⚭▸▾▪■□◇◈▂▃▄▅▆▇⋯∅"
"""The glyphs that only the app draws, each in one cell."""
_MONOCHROME = ("-m", "-mono", "-nocolor")
"""The ends of a terminal's name by which it has no colours."""
_AS_ASCII = "||-=++++++++++|||-_|||o*%#vx><^v<&+v**[^o______.-"
_SIGNS, _SIGNS_AS_ASCII = "×·…¶›»“”‘’—–−", "x..P>>\"\"''---"
"""The signs that prose has too."""
_OWN_ASCII = str.maketrans(OWN_GLYPHS, _AS_ASCII)
_ASCII = str.maketrans(OWN_GLYPHS + _SIGNS, _AS_ASCII + _SIGNS_AS_ASCII)


def refuse_unfit(environ: Mapping[str, str]) -> None:
    """Raises StudioError (exit 2) if the app cannot be displayed: without a terminal, or on a dumb
    one."""
    # Textual draws on stderr.
    if not all(map(_is_terminal, (sys.stdin, sys.stdout, sys.stderr))):
        raise usage(
            _("The app needs a terminal, and this is not one."),
            _("`studio status` and the other commands work without one."),
        )
    if environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        raise usage(
            _(
                "The app cannot be shown on this terminal (TERM={name}).",
                name=environ.get("TERM", ""),
            ),
            _("`studio status` and the other commands work here."),
        )


def wants_ascii(environ: Mapping[str, str]) -> bool:
    """Whether only ASCII may be drawn: by request, or because the encoding has nothing else."""
    if environ.get("STUDIO_ASCII"):
        return True
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return not encoding.lower().replace("-", "").startswith(("utf", "gb", "cp949", "euckr", "big5"))


def has_no_colours(environ: Mapping[str, str]) -> bool:
    """Whether nothing can be told by a colour: by request, or on a terminal that has none."""
    term = environ.get("TERM", "")
    return bool(environ.get("NO_COLOR")) or term.startswith("vt") or term.endswith(_MONOCHROME)


def wants_no_motion(environ: Mapping[str, str]) -> bool:
    """Whether animations and blinking are switched off."""
    return bool(environ.get("STUDIO_NO_MOTION"))


class AsciiFilter(LineFilter):
    """Replaces the app's glyphs with ASCII; letters of a language are kept."""

    table = _ASCII

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Returns the same line in ASCII, cell for cell."""
        return [
            Segment(text.translate(self.table), style, control) if not text.isascii() else segment
            for segment in segments
            for text, style, control in (segment,)
        ]


class OwnGlyphsFilter(AsciiFilter):
    """Replaces only what the app alone draws: for a terminal that draws it over two cells. The
    signs of prose stay, and are measured as two."""

    table = _OWN_ASCII


def without_palette(filters: Sequence[LineFilter]) -> list[LineFilter]:
    """Returns Textual's filters without the one that inspects every segment for a colour of the
    terminal's palette. Our style sheets contain none, and the filter would be a tenth of the work
    of the first frame (performance P5)."""
    return [one for one in filters if not isinstance(one, ANSIToTruecolor)]


def editor_command(setting: str | None, environ: Mapping[str, str]) -> str | None:
    """Returns the writer's editor: from the settings, $VISUAL or $EDITOR, or else the first of the
    usual editors that is installed."""
    command = setting or environ.get("VISUAL") or environ.get("EDITOR")
    path = environ.get("PATH", "")
    return command or next((e for e in _USUAL_EDITORS if which(e, path=path)), None)


def environment_for_children(environ: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment for child processes: everything except the variables for the model's
    service, which include the key (R14)."""
    return {name: value for name, value in environ.items() if not name.startswith("ANTHROPIC_")}


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False
