"""The files that a step of the beginning would write, from an agent's answer or the writer's own
words.

Pure: each function returns a map from path to text. Parts of an answer that no file can hold are
left out; the rest stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from studio.config.catalog import all_settings, with_value
from studio.config.schema import NovelSettings
from studio.config.toml_text import parse_toml
from studio.errors import StudioError
from studio.i18n import Language
from studio.messages import said
from studio.pipeline.beginning.answers import (
    OutlineAnswer,
    PersonAnswer,
    PlannedChapter,
    StyleAnswer,
    WorldAnswer,
    WorldDocument,
)
from studio.project import layout as places
from studio.project.files import front_matter
from studio.project.layout import Layout
from studio.project.planning.chapter_plan import Newcomer
from studio.project.planning.names import KnownNames, new_id
from studio.project.planning.outline_sections import (
    OutlineStretch,
    new_section,
    pieces_of,
    put_together,
)
from studio.project.store import Character
from studio.story.checkpoint import BeginningStep
from studio.story.form.document import to_bytes
from studio.story.novel import CharacterContract, ExemplarMeta, Rule, StyleProfile, WorldRules
from studio.text.craft import profile_of_rules
from studio.text.prose.answer import excerpt
from studio.text.safe import safe_text

A = TypeVar("A", bound=BaseModel)
MOST_PASSAGES = 5
"""Passages of one sample that go into the style library."""
_SHOWN = 70


@dataclass
class ProposedFiles:
    """The files that a step would write, and what the writer reads about them."""

    files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    """What it would say of the book in studio.toml, by key."""
    by_model: bool = False
    """Whether a model made it, which can be asked again."""

    def put(self, path: str, text: str) -> None:
        """Adds a file, without the control characters that a model may send."""
        self.files[path] = safe_text(text, keep_newlines=True)


_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")
_HEADING_MARK = re.compile(r"^#{1,6} +", re.MULTILINE)


def plain(answer: A) -> A:
    """Returns a model's answer without marks of Markdown in its words: a page is read as it stands,
    and nobody draws them."""

    def stripped(value: object) -> object:
        if isinstance(value, str):
            return _HEADING_MARK.sub("", _EMPHASIS.sub(r"\2", value))
        if isinstance(value, list):
            return [stripped(one) for one in value]
        if isinstance(value, dict):
            return {key: stripped(one) for key, one in value.items()}
        return value

    return type(answer).model_validate(stripped(answer.model_dump()))


def premise(text: str) -> ProposedFiles:
    """Proposes the writer's premise as the brief that every agent reads."""
    plain = text.strip()
    return ProposedFiles(
        {places.BRIEF: f"{plain}\n"}, [said("The book: {plain}", plain=excerpt(plain, _SHOWN))]
    )


def style(answer: StyleAnswer, passages: Sequence[tuple[ExemplarMeta, str]]) -> ProposedFiles:
    """Proposes a style profile, and passages of the sample for the library."""
    fields = answer.model_dump(include=set(StyleProfile.model_fields))
    profile = profile_of_rules(
        StyleProfile.model_validate(
            {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in fields.items()
            }
        )
    )
    proposal = ProposedFiles()
    for name in ("voice", "sentence_rhythm", "diction", "dialogue"):
        if words := getattr(profile, name):
            proposal.notes.append(f"{name.replace('_', ' ').capitalize()}: {words}")
    proposal.put(places.STYLE_PROFILE, to_bytes(profile).decode())
    for number, (meta, text) in enumerate(passages[:MOST_PASSAGES], start=1):
        path = f"{places.STYLE_LIBRARY}/sample-{number}.md"
        data = {key: value for key, value in meta.model_dump(mode="json").items() if value}
        proposal.put(path, front_matter.join(data, text))
        proposal.notes.append(said("To write like: {text}", text=excerpt(text, _SHOWN)))
    return proposal


def add_narration(proposal: ProposedFiles, answer: StyleAnswer, novel: NovelSettings) -> None:
    """Adds to a proposed style what sample and brief say of how the book is told: only what its
    author has not said herself."""
    ways = {"narration": " ".join(answer.narration.split()), "genre": answer.genre.strip()}
    words = {"narration": said("How the book is told: {words}"), "genre": said("Genre: {words}")}
    own = {setting.key: setting for setting in all_settings()}
    for name, value in ways.items():
        if not value or getattr(novel, name):
            continue
        with suppress(StudioError):  # none of the ways a book can be told
            proposal.settings[f"novel.{name}"] = own[f"novel.{name}"].value_of(value)
            proposal.notes.append(words[name].with_values(words=value))


LENGTH = "targets.chapter_length"
"""The setting that says how long a chapter is."""


def with_settings(text: str, values: Mapping[str, str]) -> str:
    """Returns the text of studio.toml with these settings, as far as it says nothing of them; the
    length of a chapter, which every novel has, is replaced. A file that only a person can change
    stays as it is."""
    present = parse_toml(text).get("novel", {})
    own = {setting.key: setting for setting in all_settings()}
    for key, value in values.items():
        if key == LENGTH:
            with suppress(StudioError):
                text = with_value(text, own[key], own[key].value_of(value))
            continue
        if key not in own or (own[key].choices and value not in own[key].choices):
            continue  # a file with such a value is refused, and the novel does not open
        if not present.get(key.removeprefix("novel.")):
            with suppress(StudioError):
                text = with_value(text, own[key], value)
    return text


_ALWAYS = {"include": "always"}
"""A book's first pages about its world go to whoever works on a chapter: there are few of them, and
nobody in a story utters a name such as “the rules of this world”."""


def world(answer: WorldAnswer, rules: WorldRules, taken: Collection[str]) -> ProposedFiles:
    """Proposes pages under world/, and rules that follow the existing ones."""
    proposal, names = ProposedFiles(), set(taken)
    for document in answer.documents:
        if not document.text.strip():
            continue
        slug = new_id(document.name, "place", names)
        names.add(slug)
        page = f"# {document.name.strip() or slug}\n\n{document.text.strip()}\n"
        proposal.put(f"{places.WORLD}/{slug}.md", front_matter.join(_ALWAYS, page))
        proposal.notes.append(f"{document.name}: {excerpt(document.text.strip(), _SHOWN)}")
    fresh: list[Rule] = []
    for law in answer.rules:
        known = {rule.id for rule in (*rules.rules, *fresh)}
        if not law.rule.strip():
            continue
        slug = new_id(law.id, "rule", known)
        fresh.append(Rule(id=slug, rule=law.rule.strip(), reason=law.reason.strip()))
        proposal.notes.append(said("No chapter may break: {rule}", rule=law.rule))
    if fresh:
        more = WorldRules(rules=(*rules.rules, *fresh))
        proposal.put(places.WORLD_RULES, to_bytes(more).decode())
    return proposal


class KnownPerson(NamedTuple):
    """Somebody whom the book has already."""

    slug: str
    name: str
    sheet: Character


def person(
    answer: PersonAnswer, taken: Collection[str], known: KnownPerson | None = None
) -> ProposedFiles:
    """Proposes the profile and contract of a character. For one whom the book has already it is
    what is `known`, with what the answer adds to it: nobody stands in the book twice."""
    name = known.name if known else " ".join(answer.name.split()) or "?"
    slug = known.slug if known else new_id(answer.id or name, "person", taken)
    lists = {n: tuple(w for w in getattr(answer, n) if w.strip()) for n in _LISTS}
    lines = {n: getattr(answer, n).strip() for n in ("role", "voice", "wants", "fears")}
    if known is not None and (hers := known.sheet.contract) is not None:
        lists = {n: getattr(hers, n) or words for n, words in lists.items()}
        lines = {n: getattr(hers, n) or words for n, words in lines.items()}
    try:
        contract = CharacterContract(id=slug, name=name, **lists, **lines)
    except ValidationError as error:
        return ProposedFiles(
            notes=[said("The proposal cannot be used: {errors}.", errors=error.errors()[0]["msg"])]
        )
    layout, proposal = Layout("."), ProposedFiles()
    proposal.put(layout.character(slug), to_bytes(contract).decode())
    profile, page = answer.profile.strip(), f"# {name}"
    if known is not None and known.sheet.profile.strip():
        page = known.sheet.profile.rstrip()
        profile = "" if profile in page else profile
    proposal.put(layout.profile(slug), f"{page}\n\n{profile}\n" if profile else f"{page}\n")
    wants = said("Wants: {wants}", wants=contract.wants) if contract.wants else ""
    fears = said("Fears: {fears}", fears=contract.fears) if contract.fears else ""
    proposal.notes += filter(None, (name, wants, fears, contract.role))
    return proposal


_LISTS = ("aliases", "always", "never", "knows")


@dataclass(frozen=True, slots=True)
class Standing:
    """The parts of the novel that a step builds on."""

    language: Language
    rules: WorldRules
    names: tuple[str, ...]
    """The ids of the bible that are taken."""
    outline_path: str
    outline: str
    fixed: int
    """The last chapter of the book."""
    trials: int
    people: Mapping[str, Character] = field(default_factory=dict)
    """Who is in the book, by id."""
    people_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def person(self, name: str) -> KnownPerson | None:
        """Returns whom a name means, in any of its forms; None for somebody new."""
        slug = KnownNames(self.people_names, are_people=True).id_of(name)
        if slug is None or slug not in self.people:
            return None
        return KnownPerson(slug, self.people_names[slug][0], self.people[slug])


def outline(answer: OutlineAnswer, standing: Standing) -> ProposedFiles:
    """Proposes sections of chapters in an outline; sections of the book's chapters, and others
    it has, stay."""
    pieces, fixed = pieces_of(standing.outline), standing.fixed
    sections: dict[int, OutlineStretch] = {p.chapter: p for p in pieces if p.chapter > fixed}
    proposal = ProposedFiles()
    for chapter in answer.chapters:
        if chapter.chapter <= fixed or not chapter.happens.strip():
            continue
        number, title = chapter.chapter, " ".join(chapter.title.split())
        sections[number] = new_section(number, title, chapter.happens, standing.language)
        happens = excerpt(chapter.happens.strip(), _SHOWN)
        proposal.notes.append(f"{chapter.chapter}  {title}: {happens}")
    if proposal.notes:
        text = put_together(pieces, sections.values(), fixed)
        proposal.put(standing.outline_path, text)
    return proposal


def cards(proposal: ProposedFiles, newcomers: Iterable[Newcomer], taken: Collection[str]) -> None:
    """Adds a page to a proposal for everybody and every place that its chapters bring into the
    book: what is named in a plan is described to whoever writes it (WRITING 1.3, 5.3)."""
    names, layout = set(taken), Layout(".")
    for newcomer in newcomers:
        slug = new_id(newcomer.name, newcomer.kind, names)
        names.add(slug)
        is_person = newcomer.kind == "person"
        path = layout.profile(slug) if is_person else f"{places.WORLD}/places/{slug}.md"
        proposal.put(path, f"# {newcomer.name}\n" + f"\n{newcomer.line}\n" * bool(newcomer.line))
        proposal.notes.append(": ".join(filter(None, (newcomer.name, newcomer.line))))


def own_words(step: BeginningStep, words: str, standing: Standing) -> ProposedFiles:
    """Proposes what the writer typed for a step as her own text of it.

    World: a page whose first line is the heading. Character: a name and, after a comma or on the
    next lines, who that is. Trial chapters: one line each, with a title before a colon.
    """
    words = words.strip()
    if step == "premise":
        return premise(words)
    title, _, rest = words.partition("\n")
    if step == "world":
        name = title.strip("# ") if rest.strip() else _WORLD[standing.language]
        page = WorldDocument(name=name, text=rest.strip() or words)
        return world(WorldAnswer(documents=[page], rules=[]), standing.rules, standing.names)
    if step == "people":
        name, _, about = title.strip("# ").replace("，", ",", 1).partition(",")
        profile = "\n\n".join(part for part in (about.strip(), rest.strip()) if part)
        return person(_somebody(name, profile), standing.names, standing.person(name))
    rows = [line.strip("-* ").strip() for line in words.splitlines() if line.strip("-* ")]
    chapters = [_row(number, row) for number, row in enumerate(rows[: standing.trials], start=1)]
    return outline(OutlineAnswer(chapters=chapters), standing)


_WORLD: dict[Language, str] = {"en": "World", "ko": "세계", "zh": "世界"}


def _somebody(name: str, profile: str) -> PersonAnswer:
    return PersonAnswer(
        id=name,
        name=name,
        aliases=[],
        role="",
        voice="",
        wants="",
        fears="",
        always=[],
        never=[],
        knows=[],
        profile=profile,
    )


def _row(number: int, row: str) -> PlannedChapter:
    title, mark, happens = row.replace("：", ":", 1).partition(":")
    if not mark or not happens.strip():
        return PlannedChapter(chapter=number, title="", happens=row)
    return PlannedChapter(chapter=number, title=title.strip(), happens=happens.strip())
