"""What is true in the story so far, the small operations that change it, and the author's own
facts.

State is a tree of at most four levels under six top-level categories; this module also applies the
operations. A fact of the author's (world/facts.json) is true from a chapter on (BOOK 4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field, model_validator

from studio.messages import said, series
from studio.story.form.document import Document, Sparse, Value, Words
from studio.story.form.ids import Sha256, Slug
from studio.story.form.slugs import slug_fault

CATEGORIES = (
    "characters",
    "items",
    "locations",
    "factions",
    "world_state",
    "active_foreshadowing",
)
"""The top-level allowlist of the seed (E6)."""

OpKind = Literal["set", "inc", "add", "remove", "foreshadow"]
Scalar = str | int | float | bool | None
Tree = Mapping[str, Any]


PlainOp = tuple[str, str, Any]
"""The op, path and value of a StateOp."""


class StateOp(Sparse):
    """One change: `set characters.mara.location "lamp-room"`."""

    LATER = frozenset({"quote", "paragraph_sha256", "by", "reason", "about"})

    op: OpKind
    path: str
    """2 to 4 slugs joined by dots; for `foreshadow` the id of the promise alone."""
    value: Scalar = None
    """Text, a number, true, false or null."""
    quote: str = ""
    """For `foreshadow`, the words of the chapter that show the event, if anybody quoted any."""
    paragraph_sha256: Sha256 | None = None
    """The hash of the paragraph that contains those words."""
    by: Literal["author"] | None = None
    """Marks the author's own op, which survives every reading by a model."""
    reason: str = ""
    """The author's reason for the op."""
    about: str = ""
    """For `foreshadow`, what the reader waits for: of a promise that the book does not list yet, or
    in the author's words."""

    @property
    def plain(self) -> PlainOp:
        """What it does, where, and with what."""
        return self.op, self.path, self.value

    @property
    def in_words(self) -> str:
        """The wording of the change for people and in files."""
        return f"{self.op} {self.path} {self.value!r}"[:200]


class DroppedOp(Value):
    """An entry that was left out, and why."""

    entry: str
    reason: Words


class HeldBack(Value):
    """A change that only the summarizer claims, and why it waits for the author's yes."""

    change: StateOp
    reason: str

    @property
    def sentence(self) -> str:
        """The change and the reason, for a list that a person reads."""
        return said("{entry}: {reason}.", entry=self.change.in_words, reason=self.reason)


class Delta(Sparse, Document):
    """staging/state/chapter-NNN-delta.json: what one chapter changes in the state."""

    SCHEMA: ClassVar[str] = "delta"
    LATER: ClassVar[frozenset[str]] = frozenset({"held_back", "left_out"})

    chapter: int = Field(ge=1)
    storyline_id: Slug
    source_sha256: Sha256
    made_from_sha256: Sha256 | None = None
    ops: tuple[StateOp, ...] = ()
    """The changes, in order."""
    dropped: tuple[DroppedOp, ...] = ()
    """What broke a rule and was left out, with the reason."""
    held_back: tuple[HeldBack, ...] = ()
    """The changes that the chapter does not bear out; not in the state unless the author says
    yes."""
    left_out: tuple[StateOp, ...] = ()
    """The changes that the author took out in the review; no later summary brings them back."""
    state_gap: bool = False
    """True when the ops could not be read at all: the state knows nothing of this chapter."""

    @property
    def authors_word(self) -> tuple[StateOp, ...]:
        """The author's own ops, which survive every reading of the chapter."""
        return tuple(op for op in self.ops if op.by == "author")


class StoryState(Document):
    """state/current-state.json: the fold of all deltas in chapter order."""

    SCHEMA: ClassVar[str] = "state"

    state_version: int = Field(default=0, ge=0)
    """The number of chapters whose deltas are folded in."""
    last_chapter: int = Field(default=0, ge=0)
    """The last of them."""
    characters: dict[str, Any] = Field(default_factory=dict)
    items: dict[str, Any] = Field(default_factory=dict)
    locations: dict[str, Any] = Field(default_factory=dict)
    factions: dict[str, Any] = Field(default_factory=dict)
    world_state: dict[str, Any] = Field(default_factory=dict)
    active_foreshadowing: dict[str, Any] = Field(default_factory=dict)

    @property
    def tree(self) -> dict[str, Any]:
        """The six categories as one mapping."""
        return {name: getattr(self, name) for name in CATEGORIES}


def op_fault(op: StateOp) -> str | None:
    """Returns why an op breaks the path rules of E6, or None."""
    if op.op == "foreshadow":
        if op.value not in ("plant", "advance", "resolve"):
            return said("foreshadow takes plant, advance or resolve, not {op}", op=repr(op.value))
        return slug_fault(op.path)
    parts = op.path.split(".")
    if not 2 <= len(parts) <= 4:
        return said("a path has 2 to 4 parts, {path} has {n}", path=repr(op.path), n=len(parts))
    if parts[0] not in CATEGORIES:
        return said(
            "{parts} is no category of the state ({names})",
            parts=repr(parts[0]),
            names=series(CATEGORIES),
        )
    for part in parts[1:]:
        if part.startswith("__"):
            return said("{part} is not an id", part=repr(part))
        fault = slug_fault(part)
        if fault is not None:
            return fault
    if op.op == "inc" and (isinstance(op.value, bool) or not isinstance(op.value, int | float)):
        return said("inc takes a number, not {op}", op=repr(op.value))
    if op.op == "add" and op.value is None:
        return said("add takes a value")
    return None


def sift(ops: Iterable[StateOp]) -> tuple[tuple[StateOp, ...], tuple[DroppedOp, ...]]:
    """Separates the ops that keep the rules from those that do not, with the reason."""
    sound_ops: list[StateOp] = []
    faulty_ops: list[DroppedOp] = []
    for op in ops:
        fault = op_fault(op)
        if fault is None:
            sound_ops.append(op)
        else:
            faulty_ops.append(DroppedOp(entry=op.in_words, reason=fault))
    return tuple(sound_ops), tuple(faulty_ops)


_MISSING: Any = object()
_BEYOND_FILES = 2**63
"""The first integer that a file cannot represent."""
PROMISES = "active_foreshadowing"
ABANDON = "abandon"
"""The action with which a promise is given up; only the author may use it, never a model."""
EventKind = Literal["planted", "advanced", "resolved", "abandoned"]
KIND_OF_ACTION: Mapping[str, EventKind] = {
    "plant": "planted",
    "advance": "advanced",
    "resolve": "resolved",
    ABANDON: "abandoned",
}
"""Maps an op's action on a promise to the resulting kind of event."""


LAST_SEEN = ".last_seen"
"""The suffix of the path for somebody's last chapter; only code writes it."""


def read_by_a_model(ops: Iterable[StateOp]) -> bool:
    """Whether a chapter's ops include any that neither code nor the author put there."""
    return any(op.by is None and not op.path.endswith(LAST_SEEN) for op in ops)


def is_of_promises(op: Mapping[str, Any]) -> bool:
    """Whether an op, as written in a line of the changelog, concerns a promise."""
    return op.get("op") == "foreshadow" or str(op.get("path")).startswith(f"{PROMISES}.")


class Touched(NamedTuple):
    """What the delta of a chapter affected."""

    storyline_id: str
    promises: frozenset[str]
    slugs: frozenset[str]
    """The people, places and things that the chapter changed."""


def touched_by(storyline_id: str, ops: Iterable[PlainOp]) -> Touched:
    """Returns what the ops of a chapter of this storyline affected."""
    ops = list(ops)
    promises = frozenset(path for kind, path, _ in ops if kind == "foreshadow")
    slugs = frozenset(path.split(".")[1] for kind, path, _ in ops if kind != "foreshadow")
    return Touched(storyline_id, promises, slugs)


class Conflict(ValueError):
    """An op that keeps the path rules but contradicts the state."""


def apply(tree: Tree, ops: Iterable[StateOp], chapter: int) -> tuple[Tree, tuple[DroppedOp, ...]]:
    """Returns the tree after `ops`, and the ops that contradicted it.

    The given tree is not changed. Contradictory ops (inc on text, add to a scalar, a path through a
    scalar) change nothing and are reported.
    """
    after, refusals = put_to(tree, ops, chapter)
    return after, tuple(DroppedOp(entry=op.in_words, reason=reason) for op, reason in refusals)


def put_to(
    tree: Tree, ops: Iterable[StateOp], chapter: int
) -> tuple[Tree, list[tuple[StateOp, str]]]:
    """Applies ops like `apply`, but returns each rejected op itself rather than its wording."""
    work, refusals = _Work(tree), []
    for op in ops:
        try:
            work.do(op.op, op.path, op.value, chapter)
        except Conflict as conflict:
            refusals.append((op, str(conflict)))
    return work.tree, refusals


def fold(state: StoryState, delta: Delta) -> tuple[StoryState, tuple[DroppedOp, ...]]:
    """Returns the state after one more chapter, and the ops left out because they contradict it."""
    tree, conflicts = apply(state.tree, delta.ops, delta.chapter)
    after = StoryState.model_construct(
        schema_version=state.schema_version,
        state_version=state.state_version + 1,
        last_chapter=max(state.last_chapter, delta.chapter),
        **tree,
    )
    return after, conflicts


def accept_ops(tree: Tree, deltas: Iterable[Delta]) -> Iterator[Delta]:
    """Yields each delta with only those ops that the state accepts, folded one after another."""
    work = _Work(tree)
    for delta in deltas:
        fitting_ops: list[StateOp] = []
        for op in delta.ops:
            try:
                work.do(op.op, op.path, op.value, delta.chapter)
            except Conflict:
                continue
            fitting_ops.append(op)
        refused = len(fitting_ops) < len(delta.ops)
        yield delta.copy_with(ops=tuple(fitting_ops)) if refused else delta


def fold_all(
    deltas: Iterable[tuple[int, Iterable[PlainOp]]], start: StoryState | None = None
) -> StoryState:
    """Returns the state after the ops of many chapters, in the given order, from `start` or from
    nothing.

    The result is the same as folding one delta after another; the states in between are not kept,
    so nothing is copied twice. `start` is not changed.
    """
    start = start or StoryState()
    work, chapters, last = _Work(start.tree), start.state_version, start.last_chapter
    for chapter, ops in deltas:
        chapters, last = chapters + 1, max(last, chapter)
        for kind, path, value in ops:
            try:  # `suppress` would make an object for each of many thousand ops
                work.do(kind, path, value, chapter)
            except Conflict:
                continue
    return StoryState.model_construct(state_version=chapters, last_chapter=last, **work.tree)


_OF_ONE_VALUE = frozenset(
    {"name", "location", "alive", "age", "date", "time", "day", "weather", "season"}
)
"""The keys that have one value at a time."""


def as_meant(tree: Tree, ops: Iterable[StateOp], chapter: int) -> tuple[StateOp, ...]:
    """Returns the ops of a model in the form that the state takes: what is added to one value makes
    a list of both, or stands in its place where there is one at a time; and what is taken away is
    the value that stands there alone."""
    work, meant = _Work(tree), list[StateOp]()
    for op in ops:
        for one in _as_meant(op, value_at(work.tree, op.path)):
            with suppress(Conflict):
                work.do(one.op, one.path, one.value, chapter)
            meant.append(one)
    return tuple(meant)


def _as_meant(op: StateOp, old: Any) -> tuple[StateOp, ...]:
    def other(kind: OpKind, value: Scalar) -> StateOp:
        return op.copy_with(op=kind, value=value)

    if isinstance(old, list | dict) or old is None:
        return (op,)
    if op.op == "remove" and op.value == old:
        return (other("remove", None),)
    if op.op != "add" or op.value is None:
        return (op,)
    key = op.path.rpartition(".")[2]
    are_words = isinstance(old, str) and isinstance(op.value, str)
    if key in _OF_ONE_VALUE or not are_words:
        return (other("set", op.value),)
    return () if op.value == old else (other("remove", None), other("add", old), op)


def value_at(tree: Tree, path: str) -> Any:
    """Returns what stands at a path of the state; None where nothing does."""
    value: Any = tree
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


class _Work:
    """The tree of a story state while the ops of one delta change it, copied part by part."""

    def __init__(self, tree: Tree) -> None:
        self.tree: dict[str, Any] = dict(tree)
        self._parts: dict[str, dict[str, Any]] = {}
        """The parts already copied, by path; every part above a copied one is a copy too."""

    def do(self, kind: str, path: str, value: Any, chapter: int) -> None:
        """Applies one op; raises Conflict before any value is changed."""
        if kind == "foreshadow":
            self._foreshadow(path, value, chapter)
            return
        above, dot, leaf = path.rpartition(".")
        branch = self._parts.get(above) if dot else self.tree
        if branch is None:
            branch = self._reach(above, path, kind)
        old = branch.get(leaf, _MISSING)
        if kind != "remove":
            branch[leaf] = _leaf(kind, old, value, path)
            return
        rest = _without(old, value, path)
        if rest is _MISSING:
            del branch[leaf]
            if isinstance(old, dict):
                self._forget(path)
        else:
            branch[leaf] = rest

    def _reach(self, at: str, path: str, kind: str) -> dict[str, Any]:
        """Returns the part at `at` as our own copy, along with every part above it."""
        above, dot, key = at.rpartition(".")
        branch = self._parts.get(above) if dot else self.tree
        if branch is None:
            branch = self._reach(above, path, kind)
        part = branch.get(key, _MISSING)
        if part is _MISSING:
            if kind == "remove":
                raise Conflict(said("{path} is not in the state", path=path))
            part = {}
        elif not isinstance(part, dict):
            raise Conflict(said("{path} runs through a value that has no parts", path=path))
        branch[key] = self._parts[at] = own = part.copy()
        return own

    def _forget(self, path: str) -> None:
        """Forgets the copies at a removed path and below it."""
        for place in [at for at in self._parts if at == path or at.startswith(f"{path}.")]:
            del self._parts[place]

    def _foreshadow(self, promise: str, what: Any, chapter: int) -> None:
        promises = self._parts.get(PROMISES)
        if promises is None:
            promises = self._reach(PROMISES, promise, "foreshadow")
        earlier = promises.get(promise, _MISSING)
        if what == ABANDON:
            if promises.pop(promise, _MISSING) is not _MISSING:
                self._forget(f"{PROMISES}.{promise}")
            return
        if what == "resolve":
            if earlier is _MISSING:
                raise Conflict(said("{promise} was not planted", promise=promise))
            del promises[promise]
            self._forget(f"{PROMISES}.{promise}")
            return
        if what == "plant" and earlier is not _MISSING:
            raise Conflict(said("{promise} is planted already", promise=promise))
        earlier = earlier if isinstance(earlier, dict) else {}
        promises[promise] = {"planted": chapter, **earlier, "last": chapter}
        self._parts.pop(f"{PROMISES}.{promise}", None)


def _leaf(kind: str, old: Any, value: Any, path: str) -> Any:
    if kind == "set":
        if isinstance(old, dict):
            raise Conflict(said("{path} holds several values and cannot become one", path=path))
        return value
    if kind == "inc":
        if old is not _MISSING and (isinstance(old, bool) or not isinstance(old, int | float)):
            raise Conflict(said("{path} is {old}, not a number", path=path, old=repr(old)))
        return _sum(0 if old is _MISSING else old, value, path)
    if old is not _MISSING and not isinstance(old, list):
        raise Conflict(said("{path} is not a list", path=path))
    items = [] if old is _MISSING else old
    return items if value in items else [*items, value]


def _sum(old: Any, value: Any, path: str) -> Any:
    """Returns the result of `inc`; Conflict where no file could represent it: JSON has no infinity,
    and our readers accept integers of 64 bits."""
    total = old + value
    whole = isinstance(total, int)
    if not (-_BEYOND_FILES <= total < _BEYOND_FILES if whole else math.isfinite(total)):
        raise Conflict(said("{path} would be a number too large to be kept", path=path))
    return total


def _without(old: Any, value: Any, path: str) -> Any:
    """Returns what `remove` leaves at a path: nothing at all, or a list without a value."""
    if old is _MISSING:
        raise Conflict(said("{path} is not in the state", path=path))
    if value is None:
        return _MISSING
    if not isinstance(old, list) or value not in old:
        raise Conflict(said("{path} does not hold {value}", path=path, value=repr(value)))
    return [item for item in old if item != value]


class AuthorFact(Value):
    """One value of the state that is the author's word, as if the chapter `from` had set it."""

    path: str
    """A path of the state: `characters.joss.alive`."""
    value: Scalar = None
    """The value of the path; None removes the path."""
    from_chapter: int = Field(alias="from", ge=1)
    """The chapter that makes the fact true; prompts contain it from the next chapter on."""

    @model_validator(mode="after")
    def _is_a_path_of_the_state(self) -> AuthorFact:
        fault = op_fault(self.op)
        if fault is not None:
            raise ValueError(fault)
        return self

    @property
    def op(self) -> StateOp:
        """The fact as a change of the state."""
        kind = "remove" if self.value is None else "set"
        return StateOp.model_validate({"op": kind, "path": self.path, "value": self.value})


class Facts(Document):
    """world/facts.json."""

    SCHEMA: ClassVar[str] = "facts"

    facts: tuple[AuthorFact, ...] = ()

    def with_fact(self, fact: AuthorFact) -> Facts:
        """Returns these facts with one added, replacing one for the same path and chapter."""
        same = (fact.path, fact.from_chapter)
        others = [f for f in self.facts if (f.path, f.from_chapter) != same]
        ordered = sorted([*others, fact], key=lambda f: (f.from_chapter, f.path))
        return self.copy_with(facts=tuple(ordered))
