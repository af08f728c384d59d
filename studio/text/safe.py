"""Makes foreign text harmless for a terminal: nothing in it can move the cursor or hide."""

from __future__ import annotations

import re

PLACEHOLDER = "\ufffd"
"""The replacement for an invisible or impossible character that has no picture of its own."""

_ZWJ = "\u200d"
_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0001\U000e0020-\U000e007f"
)
_UNSAFE = f"[\\x00-\\x1f\\x7f-\\x9f{_INVISIBLE}\ud800-\udfff]"
_UNPRINTABLE = f"[\\x7f-\\x9f{_INVISIBLE}]"
_EMOJI = "\u2190-\u2bff\u2600-\u27bf\ufe0f\U0001f1e6-\U0001faff"
_JOINS_EMOJI = f"(?<=[{_EMOJI}]){_ZWJ}(?=[{_EMOJI}])"


def safe_text(text: str, *, keep_newlines: bool = True) -> str:
    """Returns `text` with every control displayed as a visible character; idempotent.

    C0 controls and DEL become their control pictures (ESC is ␛), C1 controls, bidirectional
    overrides, zero-width characters, tags and lone surrogates become U+FFFD. Tabs stay; CR LF is
    one newline; newlines stay unless `keep_newlines` is false, when they become ␤. A zero-width
    joiner between two emoji stays, because it is part of one picture.
    """
    # Almost every text is printable; compiling the patterns takes longer than reading a chapter.
    if text.isprintable() or not re.search(_UNSAFE, text):
        return text
    text = text.replace("\r\n", "\n")
    joiners = {match.start() for match in re.finditer(_JOINS_EMOJI, text)}

    def show(match: re.Match[str]) -> str:
        if match.start() in joiners:
            return match[0]
        return _picture(match[0], keep_newlines)

    return re.sub(_UNSAFE, show, text)


LONGEST_SENTENCE = 300


def safe_sentence(words: str) -> str:
    """Returns a sentence by a model on one line, without controls, and cut to a readable length."""
    return " ".join(safe_text(words).split())[:LONGEST_SENTENCE].strip()


def safe_json(data: bytes) -> bytes:
    """Returns equivalent UTF-8 JSON that is safe to print: what `safe_text` would replace becomes
    an escape. C0 controls are escaped in any JSON already."""
    text = data.decode()
    if text.isascii() and "\x7f" not in text:
        return data
    return re.sub(_UNPRINTABLE, _escape, text).encode()


def as_unicode(name: str) -> str:
    """Returns a file name that UTF-8 and JSON can represent: bytes that are no text, which the
    system passes as lone surrogates, become replacement characters."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    pairs = (units[at : at + 2] for at in range(0, len(units), 2))
    return "".join(f"\\u{pair.hex()}" for pair in pairs)


def _picture(character: str, keep_newlines: bool) -> str:
    code = ord(character)
    if character == "\t" or (character == "\n" and keep_newlines):
        return character
    if character == "\n":
        return "␤"
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else PLACEHOLDER
