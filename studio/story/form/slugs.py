"""The grammar of names that become file names or parts of a path, which keeps them harmless."""

from __future__ import annotations

import string

from studio.messages import said

LAST_CHAPTER = 1_000_000
"""The highest chapter number; a limit is needed because JSON cannot represent every integer."""
_MOST_DIGITS = len(str(LAST_CHAPTER))
SLUG_PATTERN = r"^[a-z0-9_-]{1,64}$"

_CHARACTERS = frozenset(f"{string.ascii_lowercase}{string.digits}_-")
DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)]
)
"""Names that Windows keeps for devices, whatever their letters' case and their ending."""


def slug_fault(text: str) -> str | None:
    """Returns why `text` cannot be an id, or None if it can.

    Ids of characters, storylines, items and exemplars become path parts, so only lowercase ASCII
    letters, digits, hyphen and underscore are allowed, at most 64 (DESIGN section 3, reliability
    row S1).
    """
    if not text:
        return said("an id cannot be empty")
    if len(text) > 64:
        return said("an id has at most 64 characters, this one has {n}", n=len(text))
    if not _CHARACTERS.issuperset(text):
        return said(
            "{name} is not an id: use lowercase letters a-z, digits, hyphen and underscore only",
            name=repr(text),
        )
    if text in DEVICE_NAMES:
        return said("{name} is a device name on some systems and cannot be an id", name=repr(text))
    return None


def name_of_id(slug: str) -> str:
    """Converts an id to words: `lamp_41` becomes `lamp 41`."""
    return slug.replace("_", " ").replace("-", " ")


_LANGUAGES = frozenset({"en", "ko", "zh"})


def names_something(words: str) -> bool:
    """Whether a file's name describes its text, unlike a number or a language code."""
    plain = words.strip().casefold()
    return plain not in _LANGUAGES and any(letter.isalpha() for letter in plain)


def chapter_name(chapter: int) -> str:
    """Returns `chapter-007` for 7: the stem of every file of a chapter (seed B3)."""
    return f"chapter-{chapter:03d}"


def chapter_number(stem: str) -> int | None:
    """Returns the number in `chapter-007`, or None if the stem is no chapter's canonical name."""
    digits = stem.removeprefix("chapter-")
    number = int(digits) if digits.isdecimal() and len(digits) <= _MOST_DIGITS else 0
    return number if number > 0 and chapter_name(number) == stem else None


def volume_name(volume: int) -> str:
    """Returns `vol-01` for 1."""
    return f"vol-{volume:02d}"
