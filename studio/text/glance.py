"""What changed between two versions, in a line: the words that went and came, with a few around."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studio.text.diff import Change, diff

_AROUND = {"en": 24, "ko": 8, "zh": 8}
"""Characters of the text around a change that are shown."""
_LONGEST = 48
"""Characters of a change that are shown."""
_PLACES = 2
"""Changed places that are shown; the others are counted."""


def changed_words(before: str, after: str, language: str) -> str:
    """`came to rest [-nine-]{+eleven+} sacks light`; empty where nothing changed.

    By word in English, by character in Korean and Chinese.
    """
    steps = diff(before, after, language)
    places = list(_places(steps))
    shown = [_shown(steps, first, end, language) for first, end in places[:_PLACES]]
    more = len(places) - len(shown)
    if more:
        shown.append(f"{more} more place{'s' if more > 1 else ''}")
    return "; ".join(shown)


def _places(steps: Sequence[Change]) -> Iterator[tuple[int, int]]:
    """Where something changed: first step and the one behind the last."""
    at = 0
    while at < len(steps):
        end = at
        while end < len(steps) and steps[end].kind != "same":
            end += 1
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _shown(steps: Sequence[Change], first: int, end: int, language: str) -> str:
    around = _AROUND.get(language, _AROUND["en"])
    before = steps[first - 1].text if first else ""
    after = steps[end].text if end < len(steps) else ""
    marks = {"removed": "[-{}-]", "added": "{{+{}+}}"}
    changes = "".join(marks[s.kind].format(_cut(s.text)) for s in steps[first:end])
    head = _flat(_tail(before.rpartition("\n")[2], around, language))
    tail = _flat(_head(after.partition("\n")[0], around, language))
    return f"{head}{changes}{tail}".strip()


def _head(text: str, room: int, language: str) -> str:
    if len(text) <= room:
        return text
    taken = text[:room]
    whole = taken.rpartition(" ")[0] if language == "en" else taken
    return (whole or taken) + "…"


def _tail(text: str, room: int, language: str) -> str:
    if len(text) <= room:
        return text
    taken = text[-room:]
    whole = taken.partition(" ")[2] if language == "en" else taken
    return "…" + (whole or taken)


def _cut(text: str) -> str:
    flat = _flat(text)
    return flat if len(flat) <= _LONGEST else flat[:_LONGEST].rstrip() + "…"


def _flat(text: str) -> str:
    """On one line, a line break as a pilcrow."""
    return text.replace("\n\n", "¶").replace("\n", "¶")
