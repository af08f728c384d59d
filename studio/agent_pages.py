"""The agents' prompts: loading, a project's overrides, and strict rendering (A23, DESIGN section
5).

A prompt is a Markdown file with front matter. Files are only read here, and a project's file
contains only data: a role, limits, names of known blocks, text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from os.path import lexists
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationInfo, field_validator

from studio.config.schema import Effort, Role
from studio.errors import StudioError, damaged, failed, usage
from studio.messages import said, series
from studio.resources import agents_dir
from studio.story.form.document import Value
from studio.story.form.front_matter import FrontMatterFault, front_matter
from studio.story.form.validation import type_faults
from studio.story.prompt_config import present_block
from studio.story.review.directive import DirectiveType

BUILT_IN = said("built in")
"""The `AgentSpec.source` of a shipped prompt."""

SLOTS: Mapping[str, str] = {
    "language": "the novel's language by its English name",
    "title": "the novel's title",
    "book": "what the author said of genre, point of view and narration, in a sentence or two",
    "genre": "the novel's genre; empty if nobody said it",
    "point_of_view": "the novel's point of view; empty if nobody said it",
    "narration": "how the book is told, as `narrations` has it for the narration that was chosen",
    "form": "what kind of book it is, as `forms` has it for the novel's `form`",
    "serial": "of a serial: how long an episode is, where it appears, how many are written ahead",
    "pre_writing": "the section `pre-writing`, for a model that does not think by itself",
    "piece": "what is asked for: `scene`, or `passage`",
    "target_length": "length of the answer, e.g. `900-1300 characters`",
    "unit": "`characters` or `words`",
    "max_paragraphs": "how many paragraphs the surgeon may change",
    "directive_type": "the kind of the directive, e.g. `show-not-tell`",
    "operation": "what this kind of directive may do to a passage, as `operations` has it",
    "paragraph_count": "how many paragraphs the passage has",
    "paragraphs": "the same in words: `1 paragraph`, `3 paragraphs`",
    "paragraphs_in_order": "the same as an answer has them: in order, a blank line between",
    "cut_word": "what is written of a word that broke off: all of it, in Chinese its rest",
    "this_task": "what the page says of the task in hand, as `tasks` has it",
    "tag": "the random name of the delimiters around foreign text",
}
"""The slots that `{{slot}}` in a prompt may name, and what the engine fills in."""
SHORT_SLOTS: Mapping[str, str] = {
    "situation": "one or two plain sentences: who, where, what is at stake",
    "opening": "the last sentence or sentences of the text so far",
    "continue_story": "the request to go on with it, in the novel's language",
    "instruction": "one plain sentence: what to rewrite, and how",
    "passage": "the paragraph to rewrite",
}
"""Additional slots that only a `short` form may name."""

STABLE_BLOCKS: Mapping[str, str] = {
    "brief": "what the book is",
    "style": "style profile",
    "world-rules": "L1 rules",
    "craft": "craft rules of the language pack",
    "blacklist": "phrases to avoid, worst first",
    "characters-contract": "L2 contracts",
    "tools": "what can be looked up, where a brief stands for the book",
    "system-fragments": "guidelines and knowledge that the author placed in the system part",
}
"""Ids of blocks that are the same for every call of a chapter: they come first, to be cached."""
OF_A_VOLUME = "volume"
"""The kind of task for which an agent's `volume` is its page."""
PASSAGE = "passage"
"""The piece of which `AgentSpec.passage` speaks; any other is a scene."""
FRAGMENT_GROUPS: Mapping[str, str] = {
    "guidelines": "the author's sticky guidelines, a block `gl-ID` each",
    "reference": "the author's sticky pieces of knowledge, a block `kn-ID` each",
}
"""Names that stand for one block per file (C14)."""
KNOWN_BLOCKS: Mapping[str, str] = {
    **STABLE_BLOCKS,
    **FRAGMENT_GROUPS,
    "gl-decided": "of the author's guidelines, what she decided for the whole book",
    "shortlist": "the author's other guidelines and knowledge, one line each",
    "must-not": "what must not happen in the chapter, where the contract is not sent whole",
    "world": "entries of the bible about places, things, groups and lore",
    "place": "the scene's place, as the bible describes it",
    "knowledge": "what the point of view knows, and what the reader does",
    "outline": "the chapter's section of the outline",
    "volume-outline": "the rest of the volume's outline",
    "schedule": "which storylines the chapters around this one carry, and which rest",
    "previous-review": "how the volume before went",
    "readers": "what readers said of published chapters, where the author lets planners see it",
    "crossrefs": "what the latest chapters and this one mention of other storylines",
    "contract": "L3 contract of the chapter",
    "storyline": "the chapter's storyline: LS rules and memory",
    "neighbours": "storylines beside this chapter: what they remember, and how they stand",
    "state": "what is true in the story so far",
    "entity-ids": "ids and names of everything known",
    "summaries": "summaries of the latest chapters, of related ones, and of eras before them",
    "foreshadowing": "promises this chapter plants, advances or resolves",
    "people": "cards of the people in the scene or chapter",
    "scene-list": "the chapter's scenes, one line each",
    "exemplars": "passages to learn from",
    "anti-exemplar": "a passage to stay away from",
    "notes": "violations or the writer's notes that this answer must settle",
    "attempt": "the scene as it was drafted before, where a fault of it is to go",
    "hints": "what the drafter says it introduced",
    "chapter": "the full text, paragraphs numbered as [1.3]",
    "scene": "one scene's text",
    "passage": "the numbered paragraphs to rewrite",
    "passage-1": "one version of a passage, for a reader who is not told which",
    "passage-2": "the other version of it",
    "around": "the paragraphs before and after, not to be changed",
    "directive": "issue and instruction",
    "previous-tail": said("the last pages of the chapter before"),
    "chapter-so-far": "every scene of the chapter before this one, whole",
    "behind": "what stands behind the passage in its scene: the passage has to lead there",
    "held-here": "what of the chapter's plan a passage tells, which its other words tell too",
    "versions": "how the other versions of the passage begin, or what they changed",
    "plan-units": "what the author wants told in the chapter, by number",
    "before": "what was proposed before, where the author wants something otherwise in it",
    "direction": "the author's wish",
    "scene-plan": "the plan of the scene to write",
    "writing-brief": "what the prewriter made of all the rest",
    "measures": "metrics computed by code",
    "findings": "what code finds wrong, passage by passage, for the judge to answer",
    "decided": "what was decided and changed since the judge last read the chapter",
    "answered": "what the author answered in reviews to what was hers to decide",
    "line-edits": "what the style refiner has proposed and waits for the author, a line each",
    "task": "last: what to return",
}
"""Ids of the blocks the engine can supply, and their content (DESIGN section 9)."""
BRIEFED_BLOCKS = (
    *("system-fragments", "world-rules", "must-not", "craft", "blacklist", "tools"),
    *("style", "guidelines", "previous-tail", "chapter-so-far", "place", "people", "exemplars"),
    *("anti-exemplar", "behind", "writing-brief", "notes", "attempt", "task"),
)
"""The blocks a writer agent gets besides a brief (C7): the latest words and what is never
distilled, the rules, worn phrases, examples, the author's guidelines and the faults of an earlier
attempt."""

Narration = Literal["any", "first", "third", "looking-back"]
"""The ways of telling a book for which the drafter has instructions of its own."""
AnswerName = Literal["judge", "summary", "scenes", "differences", "continuity", "edits"]
ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,64}$")]

_LARGEST_FILE = 200_000
_LINE = "\n"
_FENCE = re.compile(r"---[ \t]*\n(?P<front>.*?)^---[ \t]*(?:\n|\Z)", re.S | re.M)
_SLOT = re.compile(r"\{\{([^{}]*)\}\}")


def _nearest(word: str, words: Iterable[str]) -> str:
    close = get_close_matches(word.lower(), list(words), 1)
    return said(" Did you mean {close}?", close=close[0]) if close else ""


def slot_fault(text: str, slots: Iterable[str]) -> str | None:
    """Returns what is wrong with the slots of a template, or None."""
    names = list(slots)
    for name in slots_of(text):
        if name not in names:
            slot = f"{{{{{name}}}}}"
            return said("{slot} is not a slot here.{hint}", slot=slot, hint=_nearest(name, names))
    rest = _SLOT.sub("", text)
    if "{{" in rest:
        place = rest[rest.index("{{") :].splitlines()[0][:30]
        return said("A slot is opened and not closed at {place}", place=place)
    return None


class AgentSampling(Value):
    """Sampling parameters, for local models only; Claude takes none (sdk-notes)."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    repeat_penalty: float | None = Field(default=None, ge=0.5, le=2)


class AgentSpec(Value):
    """One agent: its instructions to the model, the blocks it reads and how it is called."""

    id: str
    role: Role
    effort: Effort = "medium"
    sampling: AgentSampling = Field(default_factory=AgentSampling)
    answer: AnswerName | None = None
    """The name of the structured answer; None for prose."""
    blocks: tuple[str, ...]
    """Ids of KNOWN_BLOCKS in the order of the prompt."""
    tools: tuple[ToolName, ...] = ()
    """The read-only look-ups that the agent may request (C11)."""
    max_tokens: int = Field(ge=64, le=128_000)
    """The maximum number of tokens in the answer, including a model's own thinking."""
    short: str | None = None
    """The complete prompt for a small model that can follow only two sentences."""
    briefed: str | None = None
    """The system text to use when a prewriter's brief replaces the material (C1)."""
    passage: str | None = None
    """The drafter's system text for a passage within a scene: another version of it, or one changed
    as the author says."""
    hers: str | None = None
    """The system text to use when the author wrote the surgeon's instruction herself: it stands
    alone, under no heading that says otherwise (WRITING 5)."""
    volume: str | None = None
    """The system text with which the judge looks back on a volume: of what it is asked of a chapter
    nothing is sent (BOOK 8)."""
    operations: dict[DirectiveType, str] = Field(default_factory=dict)
    """What a page says of each type of directive, to the surgeon what to do, to the second reader
    what is no difference then: only that of the type in hand is sent."""
    remarks: dict[str, str] = Field(default_factory=dict)
    """What the page would say of blocks that come and go from call to call, by block: said right
    before the task where the block is there, so that the page, which is cached, stays as it is."""
    tasks: dict[str, str] = Field(default_factory=dict)
    """The instructions for each task of an agent that has several: only those for the task in hand
    are sent (WRITING 1)."""
    narrations: dict[Narration, str] = Field(default_factory=dict)
    """The drafter's instructions for each way of telling: only those for the novel's are sent."""
    forms: dict[Literal["literary", "serial"], str] = Field(default_factory=dict)
    """An agent's instructions for a book of chapters and for a serial: only those for the novel's
    form are sent (SERIAL 3)."""
    pre_writing: str = Field(default="", alias="pre-writing")
    """What a model that does not think by itself is asked to note before its prose (A4)."""
    going_on: str = Field(default="", alias="going-on")
    """What the drafter is asked where words of the scene stand already, before its task (WRITING
    3)."""
    body: str
    """The system text with `{{slot}}`s."""
    source: str = BUILT_IN
    """The origin of the prompt: `built in`, or the project's file."""

    @field_validator("blocks", mode="before")
    @classmethod
    def _blocks_by_present_names(cls, names: Any) -> Any:
        listed = isinstance(names, list | tuple)
        return [present_block(n) if isinstance(n, str) else n for n in names] if listed else names

    @field_validator("blocks", "tools")
    @classmethod
    def _names_are_known(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        for name in names:
            if info.field_name == "blocks" and name not in KNOWN_BLOCKS:
                raise ValueError(
                    said(
                        "{block} is not a block.{hint}",
                        block=repr(name),
                        hint=_nearest(name, KNOWN_BLOCKS),
                    )
                )
            if names.count(name) > 1:
                raise ValueError(said("{name} stands there twice.", name=repr(name)))
        return names

    @field_validator("remarks")
    @classmethod
    def _remarks_are_about_blocks(cls, remarks: dict[str, str]) -> dict[str, str]:
        for name, words in remarks.items():
            if name not in KNOWN_BLOCKS:
                raise ValueError(
                    said(
                        "{block} is not a block.{hint}",
                        block=repr(name),
                        hint=_nearest(name, KNOWN_BLOCKS),
                    )
                )
            if fault := slot_fault(words, SLOTS):
                raise ValueError(
                    said("{fault} The slots are {names}.", fault=fault, names=series(SLOTS))
                )
        return remarks

    @field_validator("body", "short", "briefed", "passage", "hers", "volume")
    @classmethod
    def _slots_are_known(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is None:
            return None
        if not text.strip():
            raise ValueError(said("the text is empty."))
        slots = (*SLOTS, *SHORT_SLOTS) if info.field_name == "short" else SLOTS
        if fault := slot_fault(text, slots):
            raise ValueError(
                said("{fault} The slots are {names}.", fault=fault, names=series(slots))
            )
        return text

    def narration(self, wish: str) -> str:
        """Returns the instructions for a novel that is told like this (`first, past, looking
        back`); those for any narration if nothing is said."""
        words = wish.casefold()
        person = re.match(r"(first|third)\b", words)
        who: Narration = "any" if person is None else "first" if person[1] == "first" else "third"
        then = self.narrations.get("looking-back", "") if "looking back" in words else ""
        return f"{self.narrations.get(who, '')} {then}".strip()

    def for_task(self, tasks: str) -> str:
        """Returns the instructions for a task of the agent, by the names of its parts (`planning
        volume`); nothing for a part of which its page does not speak."""
        texts = (self.tasks.get(name, "").strip() for name in tasks.split())
        page = ""
        for words in filter(None, texts):
            in_a_list = words.startswith("- ") and page.rpartition("\n")[2].startswith("- ")
            page += f"{'' if not page else _LINE if in_a_list else 2 * _LINE}{words}"
        return page

    def operation(self, directive_type: str | None) -> str:
        """Returns the instructions for a directive of that type; empty for None."""
        if directive_type is None:
            return ""
        return self.operations.get(DirectiveType(directive_type), "")


FRONT_KEYS = tuple(
    field.alias or name
    for name, field in AgentSpec.model_fields.items()
    if name not in ("body", "source")
)
"""The keys allowed in front matter; anything else is refused."""


def slots_of(text: str) -> tuple[str, ...]:
    """Returns the names of the slots in `text`, in order and without duplicates."""
    return tuple(dict.fromkeys(match[1].strip() for match in _SLOT.finditer(text)))


def render(text: str, values: Mapping[str, str], source: str = BUILT_IN) -> str:
    """Fills every slot of `text` in one pass: braces inside a value stay as they are.

    Raises StudioError naming `source` (exit 5 for a project's file) if a slot is unknown or has no
    value in this call.
    """
    slots = (*SLOTS, *SHORT_SLOTS)
    if fault := slot_fault(text, slots):
        raise _refusal(source, fault, said("The slots are {names}.", names=series(slots)))
    for name in slots_of(text):
        if name not in values:
            slot = f"{{{{{name}}}}}"
            raise _refusal(
                source,
                said("{slot} has no value in this call.", slot=slot),
                said(
                    "Here the slots are {names}.",
                    names=series(n for n in slots if n in values) or said("none"),
                ),
            )
    return _SLOT.sub(lambda match: values[match[1].strip()], text)


_NAMED = r"`(?:{})`"
_SENTENCE, _HALF = re.compile(r"(?<=[.:!?])\s+(?=[A-Z*`])"), re.compile(r"(?<=;)\s+")


def of_what_is_there(page: str, absent: Iterable[str]) -> str:
    """Returns an agent's page without what it says of blocks that this call does not have.

    A sentence that names no other block goes, and with the first sentence of a list item the item,
    with the first sentence under a heading all that stands under it, and the heading. From a series
    of nothing but blocks (`style`, `craft` and `world`) those of `absent` go. Any other sentence
    stays whole: half a sentence would say less than a block too many. What is left of a sentence
    with a semicolon begins and ends as a sentence does.
    """
    names = "|".join(map(re.escape, sorted(absent)))
    if not names:
        return page
    missing = re.compile(_NAMED.format(names))
    rows = (_line_of_what_is_there(line, missing) for line in _without_sections(page, missing))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(row for row in rows if row is not None))


_HEADING = re.compile(r"(#+) ")


def _without_sections(page: str, missing: re.Pattern[str]) -> Iterator[str]:
    """Yields the lines of a page without the sections that are about blocks that are not there: a
    section is about what its first sentence names."""
    lines, depth = page.split("\n"), 0
    for at, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading is not None and (not depth or len(heading[1]) <= depth):
            first = next(filter(str.strip, lines[at + 1 :]), "#")
            opens_otherwise = _HEADING.match(first) or _stays(_opening_of(first), missing)
            depth = 0 if opens_otherwise else len(heading[1])
        if not depth:
            yield line


def _line_of_what_is_there(line: str, missing: re.Pattern[str]) -> str | None:
    """Returns a line of a page without the blocks that are not there; None if nothing is left."""
    if not missing.search(line):
        return line
    head = re.match(r"\s*(?:[-*] |\d+\. )?", line)
    lead = head[0] if head else ""
    sentences = _SENTENCE.split(line[len(lead) :])
    remainder = list(filter(None, (_sentence_of_what_is_there(one, missing) for one in sentences)))
    if not remainder or (lead.strip() and not _stays(_opening_of(sentences[0]), missing)):
        return None
    return f"{lead}{' '.join(remainder)}"


def _opening_of(line: str) -> str:
    """Returns the first sentence of a line, of one with a semicolon its first half."""
    return _HALF.split(_SENTENCE.split(line)[0])[0]


def _sentence_of_what_is_there(sentence: str, missing: re.Pattern[str]) -> str:
    """Returns a sentence without the halves about what is not there; empty if both are."""
    halves = _HALF.split(sentence)
    remainder = [half for half in halves if _stays(half, missing)]
    if not remainder:
        return ""
    words = " ".join(
        _SERIES.sub(lambda row: _names_left(row[0], missing), half) for half in remainder
    )
    if len(remainder) == len(halves):
        return words
    end = "." if words.endswith(";") else words[-1]
    return f"{words[0].upper()}{words[1:-1]}{end}"


_NAME = r"`[a-z][a-z-]*`"
_OTHER = re.compile(_NAME)
_JOINT = r"(?:,? and |,? or |, then |, )"
_SERIES = re.compile(rf"{_NAME}(?:{_JOINT}{_NAME})+")


def _stays(sentence: str, missing: re.Pattern[str]) -> bool:
    """Returns whether a sentence speaks of something that is there, or of no block at all."""
    return not missing.search(sentence) or bool(_OTHER.search(missing.sub("", sentence)))


def _names_left(series: str, missing: re.Pattern[str]) -> str:
    """Returns a series of blocks without those that are not there; the whole of it if none would be
    left, because the sentence around it stays, or if it names something else than blocks."""
    are_blocks = {word.strip("`") in KNOWN_BLOCKS for word in _OTHER.findall(series)}
    if len(are_blocks) > 1:
        return series
    names: list[str] = _OTHER.findall(series)
    joints = _OTHER.split(series)[1:-1]
    left = [at for at, name in enumerate(names) if not missing.fullmatch(name)]
    if not left:
        return series
    if len(left) == 1:
        return names[left[0]]
    last = joints[-1] if len(left) > 2 else re.sub(r"^,(?= (?:and|or) )", "", joints[-1])
    words = "".join(f"{names[at]}{joints[at]}" for at in left[:-2])
    return f"{words}{names[left[-2]]}{last}{names[left[-1]]}"


def agent_ids() -> tuple[str, ...]:
    """Returns the ids of the shipped agents, sorted."""
    folder = agents_dir()
    try:
        return tuple(sorted(path.stem for path in folder.glob("*.md")))
    except OSError as error:
        why = error.strerror or error
        raise failed(
            said("{path} cannot be read: {strerror}.", path=folder, strerror=why),
            said("Install the studio again, or try again."),
        ) from error


def load_agent(agent_id: str, override_dir: Path | None) -> AgentSpec:
    """Returns the agent in force: the project's `agents/{id}.md` over the shipped one (A23).

    An override gives only its changes; everything else stays as shipped. Raises StudioError: no
    such agent (exit 2), an invalid override (exit 5).
    """
    if agent_id not in agent_ids():
        raise usage(
            said(
                "There is no agent called {name}.{hint}",
                name=agent_id,
                hint=_nearest(agent_id, agent_ids()),
            ),
            said("The agents are {names}.", names=series(agent_ids())),
        )
    shipped = _shipped_page(agent_id)
    if override_dir is None:
        return shipped
    path = override_dir / f"{agent_id}.md"
    if not lexists(path):
        return shipped
    source = f"{override_dir.name}/{path.name}"
    return _parse(_read_override(path, source), source, agent_id, shipped)


def list_agents(override_dir: Path | None) -> list[AgentSpec]:
    """Returns every agent as it is in force; `source` says which file that is.

    Raises StudioError (exit 5) for an invalid override, or for a file in the folder that matches no
    agent and would be overlooked.
    """
    ids = agent_ids()
    for path in sorted(override_dir.glob("*.md")) if override_dir else ():
        if path.stem in ids or path.stem.lower() == "readme" or path.name.startswith("."):
            continue
        raise damaged(
            said(
                "{folder}/{file} is not named after an agent.{hint}",
                folder=path.parent.name,
                file=path.name,
                hint=_nearest(path.stem, ids),
            ),
            said("Rename it, or move it out of that folder."),
            said("The agents are {names}.", names=series(ids)),
        )
    return [load_agent(agent_id, override_dir) for agent_id in ids]


@cache
def _shipped_page(agent_id: str) -> AgentSpec:
    text = (agents_dir() / f"{agent_id}.md").read_text(encoding="utf-8")
    return _parse(text, BUILT_IN, agent_id, None)


def _read_override(path: Path, source: str) -> str:
    """Returns the text of a project's prompt; a link that leads out of the project is refused,
    because its target would be sent to a model."""
    hint = said("Put a plain UTF-8 Markdown file there, or remove it to use the built-in prompt.")
    try:
        if not path.resolve().is_relative_to(path.parent.parent.resolve()):
            raise damaged(
                said("{source} is a link that leads out of the project.", source=source), hint
            )
        if not path.is_file():
            raise damaged(said("{file} is not a file.", file=source), hint)
        if path.stat().st_size > _LARGEST_FILE:
            raise damaged(
                said(
                    "{path} is larger than {largest} kB.",
                    path=source,
                    largest=_LARGEST_FILE // 1000,
                ),
                hint,
            )
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise damaged(
            said("{source} is not UTF-8 text (byte {start}).", source=source, start=error.start),
            hint,
        ) from error
    except (OSError, RuntimeError) as error:
        raise damaged(
            said("{path} cannot be read: {strerror}.", path=source, strerror=error), hint
        ) from error


def _parse(text: str, source: str, agent_id: str, shipped: AgentSpec | None) -> AgentSpec:
    front, body = _front_matter(text, source)
    _check_keys(front, FRONT_KEYS, source)
    data: dict[str, Any] = shipped.model_dump(exclude={"source"}, by_alias=True) if shipped else {}
    if isinstance(sampling := front.get("sampling"), dict):
        _check_keys(sampling, tuple(AgentSampling.model_fields), f"{source}, sampling")
        front["sampling"] = data.get("sampling", {}) | sampling
    for key in ("operations", "narrations", "forms", "tasks", "remarks"):
        if isinstance(texts := front.get(key), dict):
            front[key] = data.get(key, {}) | texts
    if shipped and front.get("answer", "") is None:  # prose in a studio of before
        del front["answer"]
    data |= front
    if data.setdefault("id", agent_id) != agent_id:
        raise _refusal(
            source, said("id must be {agent_id}, as the file is named.", agent_id=agent_id)
        )
    if shipped and data["answer"] != shipped.answer:
        raise _refusal(
            source,
            said(
                "answer must stay {words}: the studio reads what comes back.",
                words=shipped.answer or "null",
            ),
            said("Leave the line out."),
        )
    if body.strip() or shipped is None:
        data["body"] = body.strip() + "\n"
    spec, faults = type_faults(AgentSpec, data | {"source": source})
    if spec is None:
        lines = [fault.replace("Value error, ", "") for fault in faults]
        raise _refusal(source, f"{lines[0].rstrip('.')}.", details="\n".join(lines))
    return spec


def _front_matter(text: str, source: str) -> tuple[dict[str, Any], str]:
    """Returns the parsed block between the two `---` lines, and the text below it."""
    if not text.startswith("---"):
        return {}, text
    match = _FENCE.match(text)
    if match is None:
        raise _refusal(source, said("the front matter is opened with --- and not closed."))
    try:
        return front_matter(match["front"]), text[match.end() :]
    except FrontMatterFault as fault:
        line = "" if fault.line is None else said(" line {line}", line=fault.line + 1)
        raise _refusal(
            source, said("the front matter cannot be read:{line} {fault}.", line=line, fault=fault)
        ) from fault


def _check_keys(data: Mapping[Any, Any], keys: tuple[str, ...], source: str) -> None:
    for key in data:
        if key not in keys:
            raise _refusal(
                source,
                said(
                    "{key} is not a key of a prompt.{hint}",
                    key=repr(key),
                    hint=_nearest(str(key), keys),
                ),
                said("The keys are {names}.", names=series(keys)),
            )


def _refusal(source: str, fault: str, hint: str = "", details: str = "") -> StudioError:
    if source.startswith(BUILT_IN):
        return failed(said("A built-in prompt does not fit: {fault}", fault=fault), hint, details)
    remove = said("Mend it, or remove the file to use the built-in prompt.")
    return damaged(
        said("{source}: {fault}", source=source, fault=fault), f"{hint} {remove}".strip(), details
    )
