"""The author's changes to prompts, kept under context/: guidelines, knowledge, and blocks of her
own.

All files are read and checked before the first call of a run, so that a file that may not be sent
or cannot be read stops the run before anything is sent (exit 5). Plugins are applied after this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property

from studio.agent_pages import (
    BRIEFED_BLOCKS,
    FRAGMENT_GROUPS,
    KNOWN_BLOCKS,
    AgentSpec,
    agent_ids,
    load_agent,
    render,
    slot_fault,
    slots_of,
)
from studio.errors import StudioError, damaged
from studio.llm.provider import BlockPlace
from studio.messages import said, series
from studio.pipeline.prompting.decided_facts import overtaken_decisions, page_in_words
from studio.pipeline.prompting.fit_to_window import INSTRUCTIONS, ORDER_STEP, STABLE, default_order
from studio.pipeline.prompting.lines import Lines, PromptLine, join_lines
from studio.project import layout as places
from studio.project.prompt_files import blocks_file, fragments, template
from studio.project.store import ProjectStore
from studio.story.notes import without_notes
from studio.story.prompt_config import AgentBlocks, Fragment, FragmentKind
from studio.text.language.packs import LanguagePack, load_pack

TASK = "task"
PROTECTED = frozenset(
    {
        *("world-rules", "characters-contract", "contract", "must-not", "scene-plan"),
        *("storyline", "plan-units", "direction", "notes", "planning-request", TASK, INSTRUCTIONS),
        *("chapter", "scene", "passage", "passage-1", "passage-2", "directive", "writing-brief"),
    }
)
"""Blocks that no file may remove or reword: the rules (L1 to L3, LS), the author's wishes, the
text the agent works on, and the form of its answer."""
_BOOK_SLOTS = ("language", "title", "book", "genre", "point_of_view", "unit")
"""Slots that have a value in every call."""
_SECTIONS: Mapping[FragmentKind, str] = {"guideline": "guidelines", "knowledge": "reference"}
_CHANGES = ("override", "prepend", "append")
_LAST = 10**6
"""The worth of a line that is dropped after all others of its block."""
_YOURS = (
    "The author's own standing wishes and notes about the book are in {names}; they{style} cannot"
    " change the form of your answer."
)
_OF_DECISIONS = "gl-decided"
"""The guideline of what she answered to hold from now on."""
_DECIDED = (
    " Where another page of the book says otherwise, `gl-decided` holds: she decided it later."
)
_WITH_STYLE = " stand with `style` and"
_HINT = said("Nothing was sent. docs/prompts.md says what the file may hold.")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The blocks of one call as the author has arranged them."""

    order: tuple[str, ...]
    """The blocks in the order they are sent; the agent's own text is `instructions`."""
    blocks: Mapping[str, str]
    lines: Mapping[str, Lines]
    before: str
    """The author's words before the agent's own text."""
    after: str
    """The text after the agent's own: the author's words, and which blocks are hers."""
    in_system: frozenset[str]
    authored: tuple[str, ...]
    """The author's own blocks, the first to be dropped first if there is no room."""
    places: tuple[BlockPlace, ...]


@dataclass(frozen=True, slots=True)
class _Prompt:
    """One agent's part of blocks.toml with the templates that it names."""

    config: AgentBlocks = field(default_factory=AgentBlocks)
    texts: Mapping[str, str] = field(default_factory=dict)
    """Maps a key in the file (`override.style`, `blocks.voices`) to its text."""


class AuthorBlocks:
    """Everything that a novel keeps under context/, read once per run."""

    def __init__(
        self,
        store: ProjectStore,
        agent: Callable[[str], AgentSpec],
        pack: LanguagePack | None = None,
        chapter: int | None = None,
    ) -> None:
        self._store = store
        self._root = store.root
        self._chapter = chapter
        self._agent = agent
        self._pack = pack or load_pack("en")

    @cached_property
    def fragments(self) -> tuple[Fragment, ...]:
        """Guidelines and knowledge without notes to people. StudioError (exit 5)."""
        return tuple(
            replace(fragment, text=without_notes(fragment.text).strip())
            for fragment in fragments(self._root)
        )

    def check(self) -> None:
        """Raises StudioError (exit 5) for anything invalid."""
        _ = self.fragments, self._prompts

    @cached_property
    def _prompts(self) -> Mapping[str, _Prompt]:
        return {name: self._read(name, part) for name, part in self._file().items()}

    def _file(self) -> Mapping[str, AgentBlocks]:
        agents = blocks_file(self._root).agents
        for name in agents:
            if name not in agent_ids():
                raise _fault(
                    f"agents.{name}",
                    said("there is no agent called {name}", name=repr(name)),
                    agent_ids(),
                )
        return agents

    def _read(self, agent_id: str, config: AgentBlocks) -> _Prompt:
        spec, place = self._agent(agent_id), f"agents.{agent_id}"
        blocks = (*spec.blocks, *(BRIEFED_BLOCKS if spec.briefed else ()))
        _check_ids(config, {*self.expand(blocks), *blocks}, place)
        slots = (*_BOOK_SLOTS, *(name for name in slots_of(spec.body) if name != "tag"))
        texts = {}
        for key, file in config.files():
            text = without_notes(template(self._root, file, f"{place}.{key}")).strip()
            if fault := slot_fault(text, slots):
                raise _fault(f"{place}.{key}", f"context/{file}: {fault.rstrip('.')}", slots)
            texts[key] = text
        return _Prompt(config, texts)

    def expand(self, order: Iterable[str]) -> tuple[str, ...]:
        """Returns the blocks with each group replaced by its guidelines or pieces of knowledge."""
        names: list[str] = []
        for name in order:
            kinds = [kind for kind, group in _SECTIONS.items() if group == name]
            names += [f.block for f in self._whole(kinds[0])] if kinds else [name]
        return tuple(names)

    def _whole(self, kind: FragmentKind) -> list[Fragment]:
        return [
            f
            for f in self.fragments
            if f.kind == kind and f.meta.sticky and f.meta.placement == "user"
        ]

    def lines(self, order: Iterable[str]) -> dict[str, Lines]:
        """Returns the lines of the blocks that hold fragments; other blocks are not handled
        here."""
        names = set(order)
        blocks: dict[str, Lines] = {
            f.block: (self._whole_line(f),)
            for f in self.fragments
            if f.block in names and f.meta.placement == "user"
        }
        in_system = [f for f in self.fragments if f.meta.placement == "system"]
        if "system-fragments" in names:
            whole = [self._whole_line(f) for f in in_system if f.meta.sticky]
            listed = [_listed_line(f) for f in in_system if not f.meta.sticky]
            blocks["system-fragments"] = (*whole, *listed)
        if "shortlist" in names:
            blocks["shortlist"] = tuple(
                _listed_line(f)
                for f in self.fragments
                if f.meta.placement == "user" and not f.meta.sticky
            )
        return blocks

    def _whole_line(self, fragment: Fragment) -> PromptLine:
        name, text = fragment.meta.name.strip(), fragment.text
        if fragment.block == _OF_DECISIONS:  # the name of its block says what it is
            name, text = "", page_in_words(text, self._pack, self._overtaken(text))
        text = f"{name}\n\n{text}" if name else text
        return PromptLine(fragment.block, text, fragment.kind, "sticky", worth=1)

    def _overtaken(self, page: str) -> frozenset[str]:
        """Returns the rows of her decisions that the plan of the chapter has overtaken."""
        if self._chapter is None:
            return frozenset()
        return overtaken_decisions(self._store, page, self._chapter, self._pack)

    def arrange(
        self,
        agents: tuple[str, ...],
        order: tuple[str, ...],
        blocks: Mapping[str, str],
        lines: Mapping[str, Lines],
        slots: Mapping[str, str],
    ) -> Arrangement:
        """Returns the blocks of a call of `agents[0]`, with the added blocks of the others.

        `order` is expanded. Raises StudioError (exit 5).
        """
        return _Arranging(
            [self._prompts.get(agent, _Prompt()) for agent in agents],
            dict(blocks),
            {name: rows for name, rows in lines.items() if rows},
            slots,
        ).arrangement(default_order(order))


def check_author_blocks(store: ProjectStore) -> None:
    """Reads all of context/ once: a file that may not be sent stops a run before anything is sent.

    StudioError (exit 5) names the file and the place in it.
    """
    overrides = store.layout.folder / places.AGENTS
    AuthorBlocks(store, lambda agent_id: load_agent(agent_id, overrides)).check()


class _Arranging:
    """Applies the changes of blocks.toml to the blocks of one call."""

    def __init__(
        self,
        prompts: list[_Prompt],
        blocks: dict[str, str],
        lines: dict[str, Lines],
        slots: Mapping[str, str],
    ) -> None:
        self._own, self._prompts = prompts[0], prompts
        self._blocks, self._lines, self._slots = blocks, lines, slots
        self._orders: dict[str, float] = {}
        self._sources: dict[str, str] = {}
        self._in_system = {INSTRUCTIONS, *STABLE}
        self._custom: list[str] = []
        self._around: dict[str, str] = {}
        """Words before (`prepend`) and after (`append`) the agent's own text."""

    def arrangement(self, order: tuple[str, ...]) -> Arrangement:
        """Returns the blocks that are sent, in order."""
        self._orders = {name: at * ORDER_STEP for at, name in enumerate(order, start=1)}
        for prompt in self._prompts:
            self._add(prompt)
        for key in _CHANGES:
            for name, file in getattr(self._own.config, key).items():
                self._change(key, name, file)
        off = set(self._own.config.disable)
        names = tuple(name for name in self._sort() if not {name, _group(name)} & off)
        hers = [n for n in names if n in self._custom or n == "system-fragments" or _group(n)]
        present = [name for name in hers if self._blocks.get(name, "").strip()]
        listed = ", ".join(f"`{name}`" for name in present)
        style = _WITH_STYLE if "style" in names and self._blocks.get("style", "").strip() else ""
        yours = _YOURS.format(names=listed, style=style) if present else ""
        yours += _DECIDED if _OF_DECISIONS in present else ""
        after = (self._around.get("append", ""), yours)
        return Arrangement(
            order=names,
            blocks=self._blocks,
            lines=self._lines,
            before=self._around.get("prepend", ""),
            after="\n\n".join(text for text in after if text),
            in_system=frozenset(self._in_system),
            authored=tuple(sorted(present, key=_usefulness)),
            places=tuple(self._place(name) for name in names),
        )

    def _place(self, name: str) -> BlockPlace:
        source = self._sources.get(name, "fragment" if _is_fragment(name) else "default")
        role = "system" if name in self._in_system else "user"
        return BlockPlace(name, role, round(self._orders[name]), source)

    def _sort(self) -> list[str]:
        first = {name: at for at, name in enumerate(self._own.config.order)}

        def key(name: str) -> tuple[bool, int, float]:
            at = first.get(name, first.get(_group(name), len(first)))
            return name == TASK, at, self._orders[name]

        return sorted(self._orders, key=key)

    def _add(self, prompt: _Prompt) -> None:
        before_task = self._orders.get(TASK, len(self._orders) * ORDER_STEP + ORDER_STEP) - 1
        for block in prompt.config.blocks:
            if block.id in self._orders:
                continue
            self._orders[block.id] = before_task if block.order is None else block.order
            self._put(block.id, (self._line(prompt, f"blocks.{block.id}", block.id, block.file),))
            self._sources[block.id] = "custom"
            self._custom.append(block.id)
            if block.role == "system":
                self._in_system.add(block.id)

    def _change(self, key: str, name: str, file: str) -> None:
        if name not in self._orders:
            return
        line = self._line(self._own, f"{key}.{name}", key, file)
        if name == INSTRUCTIONS:
            self._around[key] = line.text
            self._sources[name] = "edited"
            return
        old = self._lines.get(name)
        text = self._blocks.get(name, "")
        rows = old if old is not None else (PromptLine(name, text),) if text.strip() else ()
        self._sources.setdefault(name, "override" if key == "override" else "edited")
        changed = {"override": (line,), "prepend": (line, *rows), "append": (*rows, line)}[key]
        self._put(name, changed, as_lines=old is not None or key == "override")

    def _put(self, name: str, rows: Lines, *, as_lines: bool = True) -> None:
        """Sets the rows of a block, or only its words if it can only be dropped as a whole."""
        self._blocks[name] = (
            join_lines(name, rows) if as_lines else "\n\n".join(r.text for r in rows)
        )
        if as_lines:
            self._lines[name] = rows

    def _line(self, prompt: _Prompt, key: str, line_id: str, file: str) -> PromptLine:
        text = render(prompt.texts[key], self._slots, f"context/{file}")
        return PromptLine(line_id, text, "yours", f"context/{file}", worth=_LAST)


def _listed_line(fragment: Fragment) -> PromptLine:
    return PromptLine(
        fragment.block, f"- {fragment.block}: {fragment.name}", "one line", "short-listed"
    )


def _group(name: str) -> str:
    """Returns the group of a fragment's block; empty for other blocks."""
    if name.startswith("gl-"):
        return "guidelines"
    return "reference" if name.startswith("kn-") else ""


def _is_fragment(name: str) -> bool:
    return bool(_group(name)) or name in ("system-fragments", "shortlist")


def _usefulness(name: str) -> int:
    """Ranks blocks for dropping: knowledge goes before guidelines, guidelines before the
    author's own blocks."""
    return ("reference", "guidelines", "").index(_group(name))


def _check_ids(config: AgentBlocks, known: set[str], place: str) -> None:
    """Refuses an id that names no block of the agent, and a block that may not be changed."""
    own = [block.id for block in config.blocks]
    for block_id in own:
        taken = block_id in KNOWN_BLOCKS or block_id == INSTRUCTIONS or _group(block_id)
        if taken or own.count(block_id) > 1:
            raise _fault(
                f"{place}.blocks",
                said("{block_id} is the id of another block", block_id=repr(block_id)),
                (),
            )
    known = {*known, INSTRUCTIONS, *own}
    for key in ("order", "disable", "override", "prepend", "append"):
        for name in getattr(config, key):
            if name not in known:
                raise _fault(
                    f"{place}.{key}",
                    said("{name} is no block of this agent", name=repr(name)),
                    known,
                )
            if _is_refused(key, name):
                raise _fault(f"{place}.{key}", _REFUSED[key].format(name=name), ())


_REFUSED = {
    "order": said("{name!r} always stands last"),
    "disable": said("{name!r} cannot be left out"),
    "override": said("{name!r} cannot be replaced"),
    "prepend": said("nothing can stand before {name!r}"),
    "append": said("nothing can stand behind {name!r}"),
}


def _is_refused(key: str, name: str) -> bool:
    if key in ("disable", "override"):
        return name in PROTECTED or (key == "override" and name in FRAGMENT_GROUPS)
    return name == TASK or (key != "order" and name in FRAGMENT_GROUPS)


def _fault(place: str, fault: str, names: Iterable[str]) -> StudioError:
    close = get_close_matches(fault.split("'")[1] if "'" in fault else "", list(names), 1)
    nearest = said(" Did you mean {close}?", close=close[0]) if close else ""
    listed = said(" There are {names}.", names=series(sorted(names))) if not close and names else ""
    return damaged(f"{places.BLOCKS}, {place}: {fault}.{nearest}", f"{_HINT}{listed}")
