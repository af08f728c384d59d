"""The clipboard of the system, through the tool it has for that; else through the terminal."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Mapping

TOOLS: Mapping[str, tuple[str, ...]] = {
    "wl-copy": (),
    "xclip": ("-selection", "clipboard"),
    "pbcopy": (),
    "clip.exe": (),
}
"""The tools that put their input on the clipboard, with what they are called with, in the order in
which they are tried: Wayland, X11, macOS, Windows from its Linux."""
_PATIENCE = 5.0
"""Seconds: a tool waits for a display that does not answer."""
_NO_SEQUENCES = frozenset({"", "dumb", "linux"})
"""Terminals that take no OSC 52."""


def copied_by(text: str, environ: Mapping[str, str]) -> str:
    """Puts a text on the clipboard, and returns the name of the tool that did it; empty where no
    tool is installed that can, such as xclip without a display."""
    for name, options in TOOLS.items():
        encoding = "utf-16-le" if name == "clip.exe" else "utf-8"
        try:
            run = subprocess.run(
                [name, *options],
                input=text.encode(encoding, "replace"),
                stdout=subprocess.DEVNULL,  # what stays behind to hand the text out keeps it open
                stderr=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=False,
                env=dict(environ),
            )
        except (OSError, subprocess.SubprocessError):  # not installed, or no display answers
            continue
        if run.returncode == 0:
            return name
    return ""


def takes_sequences(environ: Mapping[str, str]) -> bool:
    """Whether a terminal of this kind can be asked to put a text on the clipboard. Whether it does
    is for it to decide, and it does not say."""
    return environ.get("TERM", "") not in _NO_SEQUENCES


def osc52(text: str) -> str:
    """Returns the sequence that asks a terminal to put a text on the clipboard (OSC 52)."""
    return f"\x1b]52;c;{base64.b64encode(text.encode('utf-8', 'replace')).decode()}\a"
