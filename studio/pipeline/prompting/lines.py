"""The lines of a block: each has an id, a kind and a reason, so that it can be priced, and the
writer can pin, mute or swap it (context/lines.json, BOOK 6).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from pydantic import ValidationError

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import replace, take_away
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.notes import without_notes
from studio.story.prompt_config import ContextLines, LineForm, Steering
from studio.text.prose.answer import first_sentences

_APART = ("people", "world", "place", "summaries", "neighbours", "volume-outline")
_PROSE = ("previous-tail", "chapter-so-far", "exemplars")
JOINTS: Mapping[str, str] = dict.fromkeys((*_APART, *_PROSE), "\n\n")
"""The separator between the lines of a block, where it is not a line break."""


_WORDS = (
    *(said("always"), said("pinned"), said("yours"), said("contract"), said("schedule")),
    *(said("recent"), said("related"), said("before"), said("storyline"), said("neighbours")),
    *(said("volume"), said("outline"), said("state"), said("style"), said("relationship")),
    *(said("sticky"), said("short-listed"), said("one line"), said("id"), said("due")),
    *(said("character"), said("place"), said("item"), said("summary"), said("promise")),
    *(said("rule"), said("rules"), said("plan"), said("scene"), said("prose"), said("hint")),
    *(said("memory"), said("review"), said("era"), said("crossref"), said("resting line")),
    *(said("break"), said("exemplar"), said("guidelines"), said("summaries"), said("text")),
)
_SAID: Mapping[str, str] = {word: word for word in _WORDS}


def line_word(word: str) -> str:
    """Returns a kind, a reason or an id of a line that is a word of ours as a message, and any
    other as it is."""
    return _SAID.get(word, word)


class PromptLine(NamedTuple):
    """One piece of a block that is included or dropped as a whole."""

    id: str
    text: str
    kind: str = "text"
    """`text`, `character`, `one line`, `relationship`, `place`, `summary`, `promise`, `rule` ..."""
    why: str = ""
    """The reason for the line: `contract`, `mention at 1.4`, `link from mara`, `due`, `recent`,
    ..."""
    needed: bool = False
    """Whether the line is included whatever it costs: rules."""
    worth: int = 0
    """The rank of the line in its block: the line worth least is dropped first, of equals the
    last."""


Lines = tuple[PromptLine, ...]


def says_something(text: str) -> bool:
    """Whether a text holds more than headings."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def join_lines(name: str, lines: Iterable[PromptLine]) -> str:
    """Joins the lines of a block."""
    return JOINTS.get(name, "\n").join(line.text for line in lines if line.text.strip())


def bare(blocks: Mapping[str, Lines], own: Collection[str]) -> dict[str, Lines]:
    """Strips notes to people from the lines of the blocks that the call does not bring itself."""
    return {
        name: tuple(line._replace(text=without_notes(line.text)) for line in lines)
        for name, lines in blocks.items()
        if name not in own
    }


_LONGEST = 160
"""The most characters of a line in its short form."""
_SHORTEST = 24
"""The bytes of UTF-8 from which a sentence stands for somebody or something alone: a character of
Korean or Chinese has three, and says as much more."""
_ENDS = ".!?。！？\n"
OWN_FORMS = frozenset({"people"})
"""Blocks that make the short form of their lines themselves."""


def steer(block: str, lines: Iterable[PromptLine], steering: Steering) -> Lines:
    """Returns the lines of a block as the writer wants them: muted lines are out, rules
    excepted; pinned lines stay whatever they cost; swapped lines change between full and short
    form."""
    if not (steering.muted or steering.swapped or steering.pinned):
        return tuple(lines)
    made = []
    for line in lines:
        name = f"{block}/{line.id}"
        if name in steering.muted and not line.needed and block not in NEVER_MUTED:
            continue
        if steering.swapped.get(name) == "one_line" and block not in OWN_FORMS and not line.needed:
            line = line._replace(text=one_line(line.text))
        if name in steering.pinned:
            line = line._replace(why="pinned", needed=True)
        made.append(line)
    return tuple(made)


def one_line(text: str) -> str:
    """Returns a heading unchanged, and of the words below it the first sentence, with those after
    it as long as that tells too little: “Sixty-six.” says nothing of a seal cutter."""
    head, _, rest = text.strip().partition("\n")
    if not head.startswith("#"):
        head, rest = "", text.strip()
    words = " ".join(rest.split())
    ends = [at + 1 for at, mark in enumerate(words) if mark in _ENDS]
    enough = next((e for e in ends if len(words[:e].encode()) >= _SHORTEST), len(words))
    first = first_sentences(words[:enough], _LONGEST)
    return "\n".join(part for part in (head, first) if part)


NEVER_MUTED = frozenset(
    {
        "world-rules",
        "characters-contract",
        "contract",
        "must-not",
        "scene-plan",
        "direction",
        "notes",
        "task",
    }
)
"""Blocks that are always sent, whatever the choices say: L1 to L3, and the writer's own words."""
RULES_OF_LINES = "storyline/rules"


def pin(store: ProjectStore, line: str, agent: str | None = None) -> ContextLines:
    """Pins a line to every prompt. Takes the lock. StudioError (exit 2) for a bad id."""
    return _change(store, line, lambda lines: lines.with_pin(line, agent))


def mute(
    store: ProjectStore, line: str, agent: str | None = None, chapter: int | None = None
) -> ContextLines:
    """Mutes a line. Takes the lock. StudioError (exit 2) for a bad id, and for rules."""
    block = line.partition("/")[0]
    if block in NEVER_MUTED or line == RULES_OF_LINES or line.endswith("-rules"):
        raise usage(
            said("{line} is a rule, a plan or your own word, and is always told.", line=line),
            said("Change the rule or the plan itself."),
        )
    return _change(store, line, lambda lines: lines.with_mute(line, agent, chapter))


def swap(store: ProjectStore, line: str, to: LineForm, chapter: int | None = None) -> ContextLines:
    """Selects a line's whole or short form. Takes the lock. StudioError (exit 2) for a bad id."""
    return _change(store, line, lambda lines: lines.with_swap(line, to, chapter))


def reset(store: ProjectStore, line: str) -> ContextLines:
    """Removes all choices for a line. Takes the lock. StudioError (exit 2) if there are none."""
    if store.context_lines().without(line) == store.context_lines():
        raise usage(
            said("Nothing is set for {line}.", line=line), said("`studio lines` lists what is.")
        )
    return _change(store, line, lambda lines: lines.without(line))


def _change(
    store: ProjectStore, line: str, change: Callable[[ContextLines], ContextLines]
) -> ContextLines:
    with ProjectLock(store.layout.folder):
        try:
            lines = ContextLines.model_validate(change(store.context_lines()).model_dump())
        except ValidationError:
            raise usage(
                said("{line} names no line.", line=repr(line)),
                said(
                    "Name a line by its block and name, as `studio context --lines` shows it: "
                    "people/mara."
                ),
            ) from None
        if lines.pins or lines.mutes or lines.swaps:
            replace(store, places.CONTEXT_LINES, to_bytes(lines), Reason.LINES_CHOSEN)
        else:
            take_away(store, places.CONTEXT_LINES)
        return lines
