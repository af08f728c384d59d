"""From blocks to a prompt: order, fencing, and what is left out when the window is small.

A prompt is a sandwich: the agent's own text and the stable blocks first (so that they can be
cached), then what belongs to the chapter, what grows from scene to scene, the scene's material, and
the task last. What lies between is dropped first when the model's window is short (seed A3); the
rules of the book are dropped last of all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.errors import Exit, Problem, StudioError
from studio.llm.provider import PricedLine, PromptPart, Request
from studio.messages import join, said, series
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.prompting.lines import Lines, join_lines
from studio.story.prompt_config import PREFIXES
from studio.text.safe import safe_text

STABLE = (
    *("brief", "style", "world-rules", "system-fragments", "blacklist", "craft", "tools"),
    "characters-contract",
)
"""Blocks that are the same in every call of a chapter, in the order they are sent. What may differ
stands last: the craft of a rewrite is that of its kind, and `characters-contract` is of the people
of one storyline, so that the next chapter, of another line, may have another."""
MAYBE_OF_THE_CHAPTER = ("world", "foreshadowing")
"""Blocks that are made for each scene, and often turn out the same for all of a chapter."""
OF_THE_CHAPTER = frozenset(
    {"shortlist", "volume-outline", "schedule", "outline", "storyline", "neighbours", "guidelines"}
    | {"summaries", "state", "answered", "contract", "must-not", "previous-tail", "chapter-so-far"}
    | {*MAYBE_OF_THE_CHAPTER}
)
"""Blocks of material that are the same for the scenes of a chapter, or only grow; the part of the
prompt before the first other block is cached if a chapter has several scenes (P17)."""
IN_ORDER = frozenset({"chapter-so-far", "previous-tail"})
"""The blocks whose lines are prose that goes on from one to the next."""
SO_FAR = "chapter-so-far"
"""The block that grows from scene to scene; each of its scenes is a part of the prompt, so that
what was cached with the scene before is found again."""
SCENE_HEAD = "[Scene {scene}]"
"""The label above each scene of that block."""
_SCENE_HEAD = re.compile(r"\n\n(?=\[(?:Scene|장면|第) ?\d+场?\]$)", re.MULTILINE)
INSTRUCTIONS = "instructions"
"""The id of the agent's own text, which stands among the blocks of the system part."""

TIERS: Mapping[str, tuple[str, ...]] = {
    "cold": (
        "previous-review",
        "readers",
        "crossrefs",
        "schedule",
        "anti-exemplar",
        "exemplars",
        "neighbours",
        "summaries",
        "world",
        "outline",
        "volume-outline",
        "attempt",
    ),
    "warm": (
        "scene-list",
        "measures",
        "answered",
        "entity-ids",
        "hints",
        "storyline",
        "previous-tail",
        "state",
        "foreshadowing",
        "blacklist",
        "around",
        "behind",
        "place",
        "people",
        "exemplars",
        "brief",
        "craft",
        "style",
        SO_FAR,
    ),
    "rules": ("storyline", "characters-contract", "world-rules"),
}
"""The blocks of each tier, in the order they are dropped. Blocks in no tier are hot and never
dropped: what must not happen, who knows what, the author's words and the plan of the scene. The
memory of the storyline is warm; what remains of it, its rules (LS), belongs to the rules. The
first time a block stands in two tiers, its best line stays."""

RULES = frozenset({*TIERS["rules"], "contract"})
"""The rules that a chapter must obey: L1, L2, LS, and L3, which is hot."""
_FRAGMENTS = tuple(PREFIXES.values())
ORDER_STEP = 100
"""The distance between the orders of neighbouring blocks (DESIGN section 9)."""
_RESERVE = 64
"""Tokens kept free for what the endpoint adds around messages."""


class TooLarge(StudioError):
    """A prompt that does not fit the model even without everything that may be dropped (exit 6)."""

    def __init__(self, needed: int, budget: int) -> None:
        super().__init__(
            Problem(
                said(
                    "The prompt does not fit the model: it needs about {needed} tokens, the "
                    "model has room for {budget}.",
                    needed=needed,
                    budget=budget,
                ),
                said(
                    "Choose a model with a larger window, or shorten the chapter or its contract."
                ),
                exit_code=Exit.MODEL,
                kind="too_large",
            )
        )


@dataclass(frozen=True, slots=True)
class PromptPiece:
    """One named piece of a prompt."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """A prompt that fits, and what had to be dropped."""

    parts: tuple[PromptPart, ...]
    dropped: tuple[str, ...]
    """Blocks that were dropped, least useful first."""
    cut: tuple[str, ...] = ()
    """Blocks that are only partly in the prompt."""
    lines: tuple[PricedLine, ...] = ()
    """The lines in the prompt."""
    dropped_lines: tuple[PricedLine, ...] = ()
    """The lines that were dropped."""


def fence(block: PromptPiece, tag: str) -> str:
    """Encloses foreign text in delimiters that it cannot know, so that it stays material (row
    S10)."""
    return f'<{tag} name="{block.id}">\n{block.text.strip()}\n</{tag}>'


LONGEST_MENTION = 200
"""The maximum number of characters of foreign text within a sentence of the studio's own."""


def mention(name: str, text: str, tag: str) -> str:
    """Returns foreign text that stands within a sentence, such as the book's title: one line of
    bounded length, in the delimiters of material (row S10); without a tag only the line."""
    line = safe_text(" ".join(text.split()), keep_newlines=False)[:LONGEST_MENTION].rstrip()
    return f'<{tag} name="{name}">{line}</{tag}>' if tag and line else line


def fit_to_window(
    system: str,
    order: Iterable[str],
    blocks: Mapping[str, str],
    *,
    tag: str,
    budget: int,
    estimate: Callable[[str], int],
    needed: Collection[str] = (),
    lines: Mapping[str, Lines] | None = None,
    in_system: Collection[str] = STABLE,
    authored: Sequence[str] = (),
    repeated: bool = False,
) -> FittedPrompt:
    """Returns the agent's system text and its blocks, in its order, within `budget` tokens.

    Empty blocks are left out. `task` is the last line and is not fenced, because it is the studio's
    own. A block is dropped line by line if `lines` has its lines, the last and least useful first;
    blocks in `needed` are not dropped; those in `authored` are dropped after all but the rules.
    Smaller pieces are put back where they fit. An order that has no place for the agent's own text
    is replaced by the default one. Raises
    TooLarge when what cannot be dropped does not fit.
    """
    arranged = tuple(order)
    if INSTRUCTIONS not in arranged:
        arranged = default_order(arranged)
    names = [name for name in arranged if blocks.get(name, "").strip()]
    of_lines = {name: (lines or {}).get(name, ()) for name in names}
    fit = _Fit(
        {name: blocks[name] for name in names},
        of_lines,
        lambda name, text: estimate(_fence(PromptPiece(name, text), tag)) if text.strip() else 0,
        budget - estimate(system) - _RESERVE,
    )
    fit.shrink(_steps(needed, of_lines, authored))
    if fit.over > 0:
        raise TooLarge(budget + fit.over, budget)
    fit.let_in_again()
    sent = [PromptPiece(name, text) for name in names if (text := fit.texts[name]).strip()]
    gone = {name for name in names if not fit.texts[name].strip()}
    priced = [(PricedLine(name, line.id, line.kind, line.why, estimate(line.text)), line.id)
              for name in names for line in of_lines[name] if line.text.strip()]  # fmt: skip
    return FittedPrompt(
        tuple(_parts(system, arranged, {b.id: b for b in sent}, tag, (in_system, repeated))),
        tuple(dict.fromkeys(name for name in _order_of_dropping(authored) if name in gone)),
        tuple(block.id for block in sent if block.text != blocks[block.id]),
        tuple(line for line, line_id in priced if not fit.is_out(line.block, line_id)),
        tuple(line for line, line_id in priced if fit.is_out(line.block, line_id)),
    )


Step = tuple[str, str, str | None]
"""A block, and the text that remains of it or the id of the line of it that is dropped."""


def default_order(order: Iterable[str]) -> tuple[str, ...]:
    """Returns the blocks in the default order: the agent's own text, the stable ones in an order
    that is the same for every agent, then the others in the agent's order."""
    names = tuple(order)
    stable = sorted((n for n in names if n in STABLE), key=STABLE.index)
    return (INSTRUCTIONS, *stable, *(n for n in names if n not in STABLE))


def before_what_grows(order: Sequence[str], common: Collection[str]) -> tuple[str, ...]:
    """Returns the blocks with those that the scenes of a chapter have in `common` right before the
    chapter so far, behind which nothing is found in the cache again."""
    if SO_FAR not in order:
        return tuple(order)
    rest = [name for name in order if name not in common]
    at = rest.index(SO_FAR)
    return (*rest[:at], *(name for name in order if name in common), *rest[at:])


def _order_of_dropping(authored: Iterable[str]) -> tuple[str, ...]:
    """Returns the blocks that can be dropped, the least useful first."""
    return (*TIERS["cold"], *TIERS["warm"], *authored, *TIERS["rules"])


def _steps(
    needed: Collection[str],
    of_lines: Mapping[str, Lines],
    authored: Sequence[str],
) -> Iterator[Step]:
    """Yields the possible reductions of blocks, the smallest loss first; an empty text drops the
    block."""
    seconds = set(TIERS["cold"]) & set(TIERS["warm"])
    for name in (*TIERS["cold"], *TIERS["warm"], *authored):
        lines = of_lines.get(name, ())
        rows = sorted(enumerate(lines), key=lambda row: (row[1].worth, -row[0]))
        if name in seconds:
            seconds.discard(name)
            rows = rows[:-1]
            if not rows:
                continue
        for _, line in rows:
            if not line.needed:
                yield name, "", line.id
        if not lines and name not in needed:
            yield name, "", None
    for name in TIERS["rules"]:
        if name not in needed:
            yield name, "", None


class _Fit:
    """Reduces blocks until they fit, and restores what still fits afterwards."""

    def __init__(
        self,
        texts: dict[str, str],
        lines: Mapping[str, Lines],
        cost: Callable[[str, str], int],
        room: int,
    ) -> None:
        self.texts = texts
        self._lines = lines
        self._out: dict[str, set[str]] = {name: set() for name in texts}
        self._cost = cost
        self._costs = {name: cost(name, text) for name, text in texts.items()}
        self._room = room
        self._before: list[Step] = []

    @property
    def over(self) -> int:
        """The tokens by which the blocks exceed the room; negative if there is room left."""
        return sum(self._costs.values()) - self._room

    def is_out(self, name: str, line_id: str) -> bool:
        """Whether a line has been dropped from the prompt."""
        return not self.texts[name].strip() or line_id in self._out[name]

    def shrink(self, steps: Iterable[Step]) -> None:
        """Takes steps until the blocks fit or there are no more."""
        for name, text, line_id in steps:
            if self.over <= 0:
                return
            old = self.texts.get(name, "")
            if line_id is not None and old:
                self._out[name].add(line_id)
                text = self._join(name)
            if len(text) < len(old):
                self._before.append((name, old, line_id))
                self._put(name, text)

    def let_in_again(self) -> None:
        """Reverts steps that a later, larger one made unnecessary, the most useful first; of prose
        that is read in order nothing behind a gap."""
        with_a_gap: set[str] = set()
        for name, old, line_id in reversed(self._before):
            text = self._join(name, line_id) if line_id is not None else old
            if self.over + self._cost(name, text) - self._costs[name] > 0:
                with_a_gap.update({name} & IN_ORDER)
            elif name not in with_a_gap:
                if line_id is not None:
                    self._out[name].discard(line_id)
                self._put(name, text)

    def _join(self, name: str, back: str | None = None) -> str:
        """Joins the lines of a block that are in the prompt, including the line `back`."""
        out = self._out[name] - {back}
        return join_lines(name, (line for line in self._lines[name] if line.id not in out))

    def _put(self, name: str, text: str) -> None:
        self.texts[name], self._costs[name] = text, self._cost(name, text)


def _parts(
    system: str,
    order: Iterable[str],
    blocks: Mapping[str, PromptPiece],
    tag: str,
    caching: tuple[Collection[str], bool],
) -> Iterator[PromptPart]:
    in_system, is_common = caching
    for name in order:
        if name == INSTRUCTIONS:
            yield PromptPart("system", system.strip(), stable=True)
        elif name in blocks and name in in_system:
            yield PromptPart("system", fence(blocks[name], tag), stable=True)
        elif name in blocks:
            is_common = is_common and (name in OF_THE_CHAPTER or name.startswith(_FRAGMENTS))
            words = _fence(blocks[name], tag)
            *scenes, last = _scenes_apart(words) if name == SO_FAR else [words]
            yield from (PromptPart("user", f"{scene}\n", stable=is_common) for scene in scenes)
            is_common = is_common and name != SO_FAR
            yield PromptPart("user", last, stable=is_common)


def _scenes_apart(words: str) -> list[str]:
    """Returns the scenes of the chapter so far one by one; the last piece closes the block."""
    body, _, closing = words.rpartition("\n")
    return [*_SCENE_HEAD.split(body), closing]


def _fence(block: PromptPiece, tag: str) -> str:
    return block.text.strip() if block.id == "task" else fence(block, tag)


_CALLS = {
    "scene-drafter": said("to draft"),
    "prewriter": said("to prepare the draft"),
    "plot-architect": said("to plan the scenes"),
    "assembly": said("to join the scenes"),
    "summarizer": said("to summarize"),
    "style-refiner": said("to refine"),
    "quality-oracle": said("to judge"),
    "prose-surgeon": said("to rewrite passages"),
    "second-reader": said("to read a fix beside the old text"),
}
_BLOCKS = {
    "neighbours": said("what the other storylines remember"),
    "world": said("the notes on the world"),
    "place": said("the place of the scene"),
    "knowledge": said("who knows what"),
    "outline": said("the outline"),
    "volume-outline": said("the outline of the volume"),
    "schedule": said("the schedule of storylines"),
    "previous-review": said("the review of the volume before"),
    "readers": said("what readers said"),
    "crossrefs": said("what chapters mention of other storylines"),
    "anti-exemplar": said("the passage to stay away from"),
    "blacklist": said("the worn phrases"),
    "brief": said("the brief"),
    "foreshadowing": said("the promises"),
    "exemplars": said("the passages to learn from"),
    "previous-tail": said("the last pages of the chapter before"),
    "scene-list": said("the list of scenes"),
    "measures": said("what was measured"),
    "findings": said("what code found"),
    "decided": said("what was decided before"),
    "answered": said("what you answered in reviews"),
    "attempt": said("the scene as it was drafted before"),
    "entity-ids": said("the list of people and things"),
    "storyline": said("the storyline and its rules"),
    "state": said("the state of the story"),
    "summaries": said("the earlier summaries"),
    "around": said("the paragraphs around the passage"),
    "hints": said("the drafter's hints"),
    "people": said("the cards of people"),
    "craft": said("the craft of the language"),
    "style": said("the style profile"),
    "characters-contract": said("the rules of the characters"),
    "world-rules": said("the rules of the world"),
    "shortlist": said("the list of your other guidelines"),
    "behind": said("what stands behind the passage"),
}
_CUT = {
    "storyline": said("what the storyline remembers"),
    "previous-tail": said("some of the last pages of the chapter before"),
    "chapter-so-far": said("the oldest paragraphs of the chapter so far"),
}
_WRITERS = ("scene-drafter", "prewriter")
_SOME = "some-of:"
"""Stands before a block of which only lines went, in the records."""


def remember(view: ChapterView, request: Request) -> None:
    """Notes what a call has no room for; the note becomes durable with the checkpoint's next
    change."""
    if request.dropped_blocks or request.cut_blocks:
        notes = [*request.dropped_blocks, *(f"{_SOME}{name}" for name in request.cut_blocks)]
        view.note(view.records.record_omissions(f"{request.agent}/{note}" for note in notes))


def tell(view: ChapterView) -> None:
    """Emits one warning that names every omission so far; silent the second time."""
    if not view.records.are_omissions_told and tell_since(view, ()):
        view.note(view.records.omissions_told())


def tell_since(view: ChapterView, known: Collection[str]) -> bool:
    """Emits the warning that names the omissions beside those of `known`, call by call; returns
    whether there are any."""
    notes = [note for note in view.records.omissions if note not in known]
    if not notes:
        return False
    by_call: dict[str, list[str]] = {}
    for note in notes:
        agent, _, name = note.partition("/")
        by_call.setdefault(agent, []).append(name)
    parts = [
        said(
            "{call}: {things}",
            call=_CALLS.get(agent, agent),
            things=series(dict.fromkeys(_things(agent, names))),
        )
        for agent, names in by_call.items()
    ]
    provider = view.gateway.provider
    view.emit.warn(
        said(
            "{model_for} has room for {window} tokens, too little for all that this chapter "
            "needs. Left out {parts}. A model with a larger window is given all of it.",
            model_for=provider.model_for("deep"),
            window=f"{provider.profile.window:,}",
            parts=join(parts, "; "),
        )
    )
    return True


def _things(agent: str, names: Sequence[str]) -> Iterator[str]:
    """Yields the words for blocks; one that went whole from a scene is not named in part, too. The
    writers never lose a storyline's rules: without any, its block is what it remembers."""
    whole = {name for name in names if not name.startswith(_SOME)}
    for name in names:
        block = name.removeprefix(_SOME)
        if agent in _WRITERS and block == "storyline":
            yield _CUT[block]
        elif name == block:
            yield _BLOCKS.get(block, block)
        elif block not in whole:
            yield _CUT.get(block) or said("some of {what}", what=_BLOCKS.get(block, block))
