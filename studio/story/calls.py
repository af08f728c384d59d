"""The kinds of calls to a model, and what is waited for while one is made, in words: what it does,
how long already, about how long (W16). The app and the command line say it so; nobody else words
it."""

from __future__ import annotations

import re

from studio.messages import Said, said

PREVIEW = "preview"
"""What stands for the run in the name of a call that is only looked at, before one is begun."""
_NO_KIND = re.compile(rf"[0-9a-f]{{6,}}|{PREVIEW}")
_VERSION = re.compile(r"-p\d+\.\d+-\d+-v\d+")
"""What names a version of a passage: as short as it, one says nothing of what a scene costs."""


def kind_of_call(call: str) -> str:
    """Returns the kind of a call by its id, without chapter, attempt, numbers and hashes:
    `gen-003-7f3a91-judge-0d5e1b22-l0-ab12cd34ef` is a `judge`."""
    call = _VERSION.sub("-passage", call)
    words = (part for part in call.removeprefix("gen-").split("-") if part)
    return "-".join(word for word in words if word.isalpha() and not _NO_KIND.fullmatch(word))


def is_of_beginning(call: str) -> bool:
    """Whether a call, by its id, belongs to the beginning of a book, and to no chapter of it."""
    return kind_of_call(call).startswith("draft-start-")


_BY_KIND = {
    "draft-start-world": said("lays out the world"),
    "draft-start-people": said("thinks up the protagonist"),
    "draft-start-trials": said("plans the first chapters"),
    "draft-start-style": said("reads your sample"),
    "draft-volume": said("plans the volume"),
    "draft-chapter-plan": said("plans the chapter"),
    "draft-plan": said("divides the chapter into scenes"),
    "draft-ask": said("looks whether only you know something"),
    "draft-promises": said("reads chapters for promises"),
    "draft-era": said("tells ten chapters in one summary"),
    "disproof": said("tries to disprove what it found"),
}
_BY_AGENT = {
    "prewriter": said("prepares the scene"),
    "scene-drafter": said("writes the scene"),
    "assembly": said("writes a bridge between two scenes"),
    "summarizer": said("summarizes the chapter"),
    "style-refiner": said("looks for small changes"),
    "quality-oracle": said("reads the chapter"),
    "prose-surgeon": said("works on a passage"),
    "second-reader": said("compares a passage before and after"),
    "continuity-checker": said("reads chapters against each other"),
    "plot-architect": said("plans"),
    "world-builder": said("reads up on places and things"),
    "character-weaver": said("reads up on people"),
    "style-analyzer": said("reads your prose"),
}
_OF_A_PASSAGE = {
    "prewriter": said("prepares the passage"),
    "scene-drafter": said("writes the passage"),
}
"""What those agents do that else work on a whole scene."""
_OTHERWISE = said("works")


def what_is_awaited(agent: str, call: str, *, of_a_passage: bool = False) -> Said:
    """Returns what a call does, `plans the volume`, by its agent, the name of the call, and whether
    it is about a passage of a scene alone."""
    if of_a_passage and agent in _OF_A_PASSAGE:
        return _OF_A_PASSAGE[agent]
    kind = kind_of_call(call)
    if agent == "continuity-checker" and kind.endswith("disproof"):
        kind = "disproof"
    return _BY_KIND.get(kind) or _BY_AGENT.get(agent, _OTHERWISE)


LONG_WAIT = 120
"""The seconds from which a wait is told in minutes."""
_SOON = 10
"""The seconds within which no wait is late, however short the one expected is."""


def is_late(seconds: int, about: int | None) -> bool:
    """Whether a wait takes longer than usual."""
    return about is not None and seconds > max(about, _SOON)


def wait_words(what: str, seconds: int, about: int | None) -> Said:
    """Says a wait: `plans the volume · 12 s of about 40`, and once that is over that it takes
    longer than usual; from two minutes on in minutes. `about` is None where nobody knows."""
    if seconds >= LONG_WAIT:
        return _minutes_waited(what, seconds, about)
    if about is None or (about < seconds and not is_late(seconds, about)):
        return said("{what} · {seconds} s", what=what, seconds=seconds)
    if is_late(seconds, about):
        return said(
            "{what} · longer than usual: {seconds} s of about {about}",
            what=what,
            seconds=seconds,
            about=about,
        )
    return said("{what} · {seconds} s of about {about}", what=what, seconds=seconds, about=about)


def _minutes_waited(what: str, seconds: int, about: int | None) -> Said:
    minutes = seconds // 60
    if about is None:
        return said("{what} · {minutes} min", what=what, minutes=minutes)
    if about < seconds:
        return said("{what} · longer than usual: {minutes} min", what=what, minutes=minutes)
    return said(
        "{what} · {minutes} min of about {about}",
        what=what,
        minutes=minutes,
        about=max(minutes, round(about / 60)),
    )


def late_words(what: str, seconds: int) -> Said:
    """Says in few words that a wait takes longer than usual, and what is waited for."""
    if seconds >= LONG_WAIT:
        return said("{what} · late: {minutes} min", what=what, minutes=seconds // 60)
    return said("{what} · late: {seconds} s", what=what, seconds=seconds)
