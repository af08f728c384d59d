"""The novel's files as typed values. Missing optional files read as empty; damaged ones raise.

A StudioError from this module is exit 5 and names file, field and reason; a folder that is no novel
is exit 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from studio.errors import damaged, usage
from studio.fsio import remember_looks
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project import outline
from studio.project.clock import now
from studio.project.fence import fence_tag
from studio.project.files import front_matter, load
from studio.project.files.other_hands import own_names, same_words
from studio.project.history.blobs import History
from studio.project.journal import CallJournal
from studio.project.layout import Layout, is_novel
from studio.project.staging import Staging
from studio.story.baseline import Baseline
from studio.story.chapter import Chapter
from studio.story.chapter_list import ChapterList
from studio.story.checkpoint import Checkpoint
from studio.story.continuity import ContinuityRecord
from studio.story.contract import ChapterContract
from studio.story.form.document import Document, to_bytes
from studio.story.form.slugs import slug_fault
from studio.story.form.validation import check, read_document
from studio.story.novel import (
    Blacklist,
    CharacterContract,
    Exemplar,
    ExemplarMeta,
    Foreshadowing,
    PromiseProposals,
    Relationships,
    SpellingWords,
    Storylines,
    StorylineSchedule,
    StorylineSpec,
    StyleProfile,
    Suggestions,
    WorldRules,
)
from studio.story.prompt_config import ContextLines
from studio.story.published import PublishedMarks, ReaderComments
from studio.story.records import Crossref
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.review.passage_locks import PassageLocks
from studio.story.review.scenes_in_text import PlannedScenes
from studio.story.review.waiver import Waivers
from studio.story.secrets import Secrets
from studio.story.state import Facts, StoryState

D = TypeVar("D", bound=Document)
_DEEPEST = 6
"""The depth to which folders below world/ are searched."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character of the book: the L2 contract and the profile; either may be missing."""

    contract: CharacterContract | None
    profile: str


@dataclass(frozen=True, slots=True)
class Edited:
    """A committed chapter whose file is no longer the committed text."""

    chapter: int
    committed_sha256: str
    found_sha256: str | None
    """The sha256 of the file; None if it is missing."""


@dataclass(frozen=True, slots=True)
class ComparedChapters:
    """The committed chapters whose files have other bytes than were committed."""

    edited: tuple[Edited, ...]
    respelled: tuple[int, ...]
    """Those with the same words; the next commit that reads them records the bytes."""


class ProjectStore:
    """One novel. Reads need no lock; writers hold it.

    `state` is this machine's state folder, which holds the sums of all novels and the secret for
    the fences of prompts; without it only the novel's own usage log counts.
    """

    def __init__(self, folder: Path | str, state: Path | None = None) -> None:
        self.layout = Layout(folder)
        self._state = state
        self.say: Callable[[str], None] = lambda sentence: None
        """Tells the person what was found and kept while a command wrote; set by the face."""
        self.root = self.layout.root
        if not is_novel(self.layout.folder):
            raise usage(
                said(
                    "{folder} is not a novel: it holds no {file}.",
                    folder=self.layout.folder,
                    file=places.SETTINGS,
                ),
                said("Make one with `studio new DIR --title T --language en`."),
            )

    def remember_looks(self, afresh: bool = False) -> AbstractContextManager[None]:
        """Makes what is read in the block count as what its commits expect to replace; `afresh`
        leaves out what was read before it."""
        return remember_looks(afresh)

    def staging_of(self, chapter: int) -> Staging:
        """Returns the staged files of a chapter in progress."""
        return Staging(self.layout, chapter)

    @property
    def state_folder(self) -> Path | None:
        """This machine's state folder, if it is known."""
        return self._state

    @property
    def history(self) -> History:
        """Every version of every file that was ever kept."""
        return History(self.root)

    @property
    def journal(self) -> CallJournal:
        """The records of model calls and their cost."""
        return CallJournal(self.layout, self._state)

    @cached_property
    def fence_tag(self) -> str | None:
        """The tag that marks material in this novel's prompts; None without a state folder."""
        return None if self._state is None else fence_tag(self._state, self.layout.folder)

    # The state of the work

    def checkpoint(self) -> Checkpoint:
        """Returns the checkpoint; a fresh one if there is none and never was a commit, because
        chapter files alone are the writer's drafts."""
        checkpoint = load.document(self.root, Checkpoint, places.CHECKPOINT)
        if checkpoint is None and self._has_commits():
            raise damaged(
                said("{path} is missing.", path=places.CHECKPOINT), said("Run `studio repair`.")
            )
        return checkpoint or Checkpoint()

    def _has_commits(self) -> bool:
        """Whether there is a file that only the commit of a chapter creates."""
        if own_names(self.root, places.SUMMARIES):
            return True
        state = load.document(self.root, StoryState, places.STATE)
        return state is not None or bool(self.changelog().entries)

    def save_checkpoint(self, checkpoint: Checkpoint) -> Checkpoint:
        """Writes the checkpoint durably with the current time; returns what was written."""
        stamped = checkpoint.copy_with(updated_at=now())
        self.root.write(places.CHECKPOINT, to_bytes(stamped))
        return stamped

    def keep_log(self, lines: str) -> None:
        """Appends to logs/pipeline.log."""
        self.root.append(places.PIPELINE_LOG, lines.encode(errors="replace"))

    def state(self) -> StoryState:
        """Returns the state of the story so far."""
        state = load.document(self.root, StoryState, places.STATE)
        if state is None and self.changelog().entries:
            raise damaged(
                said("{path} is missing.", path=places.STATE), said("Run `studio repair`.")
            )
        return state or StoryState()

    def changelog(self) -> log.Changelog:
        """Returns the changelog as it is on disk, including its faults."""
        return log.ChangelogFile(self.root).read()

    # Chapters

    def chapter_numbers(self) -> list[int]:
        """Returns the numbers of the chapter files, ascending."""
        return self.layout.chapter_numbers()

    def chapter_list(self) -> ChapterList:
        """Returns the ids and labels of the chapters."""
        return self._document(ChapterList, places.CHAPTER_LIST)

    def chapter(self, number: int) -> Chapter | None:
        """Returns the chapter in chapters/, byte for byte."""
        return load.chapter(self.root, self.layout.chapter(number))

    def committed_sha(self, number: int) -> str | None:
        """Returns the sha256 of the committed text; None if the chapter was never committed."""
        entry = self.changelog().newest(number)
        return entry.source_sha256 if entry else None

    def hand_edits(self, numbers: Iterable[int] | None = None) -> list[Edited]:
        """Returns the committed chapters (all, or those of `numbers`) whose text has changed since.
        Other line ends or a byte order mark alone are no change (see `compare`)."""
        return list(self.compare(numbers).edited)

    def compare(self, numbers: Iterable[int] | None = None) -> ComparedChapters:
        """Compares the committed chapters (all, or those of `numbers`) with their files."""
        edits = self._unlike_recorded(numbers)
        respelled = [edit.chapter for edit in edits if self._has_same_words(edit)]
        edited = [edit for edit in edits if edit.chapter not in respelled]
        return ComparedChapters(tuple(edited), tuple(respelled))

    def respelled_chapters(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Returns those of these chapters whose file has other bytes than were committed, but the
        same words."""
        return self.compare(numbers).respelled

    def _has_same_words(self, edit: Edited) -> bool:
        data = self.root.find(self.layout.chapter(edit.chapter))
        if data is None or not self.history.has(edit.committed_sha256):
            return False
        return same_words(data, self.history.blob(edit.committed_sha256))

    def _unlike_recorded(self, numbers: Iterable[int] | None) -> list[Edited]:
        committed = log.entries_that_count(self.changelog().entries)
        chapters = committed if numbers is None else [n for n in numbers if n in committed]
        edits = []
        for number in chapters:
            sha = self.root.sha(self.layout.chapter(number))
            if sha != committed[number].source_sha256:
                edits.append(Edited(number, committed[number].source_sha256, sha))
        return edits

    def summary(self, number: int) -> str | None:
        """Returns a chapter's summary without its front matter."""
        return self.summaries((number,)).get(number)

    def author_note(self, number: int) -> str | None:
        """Returns what the author says to her readers with a chapter, or None."""
        return load.text(self.root, self.layout.author_note(self.chapter_list().id_of(number)))

    def reader_comments(self, number: int) -> ReaderComments:
        """Returns what readers said of a chapter."""
        path = self.layout.reader_comments(self.chapter_list().id_of(number))
        return self._document(ReaderComments, path)

    def published_marks(self) -> PublishedMarks:
        """Returns what the author has marked as published."""
        return self._document(PublishedMarks, places.PUBLISHED)

    def summaries(self, numbers: Iterable[int]) -> dict[int, str]:
        """Returns the existing summaries of these chapters, without their front matter."""
        names = {self.layout.summary(n).rpartition("/")[2]: n for n in numbers}
        texts = load.texts(self.root, places.SUMMARIES, names).items()
        return {
            names[n]: front_matter.split_front_matter(t, f"{places.SUMMARIES}/{n}")[1]
            for n, t in texts
        }

    def evaluation(self, number: int) -> Evaluation | None:
        """Returns the evaluation a chapter was committed with."""
        return load.document(self.root, Evaluation, self.layout.evaluation(number))

    def directives(self, number: int) -> DirectiveSheet | None:
        """Returns the directives a chapter was committed with."""
        return load.document(self.root, DirectiveSheet, self.layout.directives(number))

    def planned_scenes(self, number: int) -> PlannedScenes | None:
        """Returns where the planned scenes of a joined chapter begin; None for any other."""
        return load.document(self.root, PlannedScenes, self.layout.planned_scenes(number))

    def crossref(self, number: int) -> Crossref | None:
        """Returns the mentions of other storylines in a committed chapter."""
        return load.document(self.root, Crossref, self.layout.crossref(number))

    # Plans

    def planned_chapters(self) -> dict[int, int]:
        """Returns the volume with the plan of each planned chapter, chapters ascending; the first
        one if several have it."""
        volumes = reversed(self.layout.volume_numbers())
        return dict(sorted((n, v) for v in volumes for n in self.layout.contract_numbers(v)))

    def contract(self, number: int) -> ChapterContract | None:
        """Returns the plan of a chapter, from whichever volume has one."""
        volumes = self.layout.contract_volumes(number)
        contracts = (self.contract_in(volume, number) for volume in volumes)
        return next((contract for contract in contracts if contract is not None), None)

    def contract_in(self, volume: int, number: int) -> ChapterContract | None:
        """Returns the plan of a chapter in one volume."""
        path = self.layout.contract(volume, number)
        data = self.root.find(path)
        return None if data is None else contract_from(data, path, volume, number)

    def contracts_as_bytes(self, volume: int, numbers: Iterable[int]) -> dict[int, bytes]:
        """Returns the files of the plans of these chapters; a file that nobody has changed is not
        opened again."""
        names = {self.layout.contract(volume, n).rpartition("/")[2]: n for n in numbers}
        files = self.root.read_each(self.layout.contracts(volume), names).items()
        return {names[name]: data for name, data in files}

    def outline(self, volume: int) -> str:
        """Returns a volume's outline without the notes in it; empty if it has none."""
        return outline.without_notes(load.text(self.root, self.layout.outline(volume)) or "")

    def outline_section(self, chapter: int, volume: int) -> tuple[str, str] | None:
        """Returns title and text of a chapter's section of the outline, unless it is empty."""
        return outline.section_of(self.outline(volume), chapter)

    def schedule(self, volume: int) -> StorylineSchedule:
        """Returns which storylines the chapters of a volume belong to."""
        return self._document(StorylineSchedule, self.layout.schedule(volume))

    def foreshadowing(self) -> Foreshadowing:
        """Returns the promises of the whole book."""
        return self._document(Foreshadowing, places.FORESHADOWING)

    def volume_foreshadowing(self, volume: int) -> Foreshadowing:
        """Returns the promises of one volume."""
        return self._document(Foreshadowing, self.layout.volume_foreshadowing(volume))

    # The book

    def brief(self) -> str:
        """Returns what the book is about, without the notes in it."""
        return outline.without_notes(load.text(self.root, places.BRIEF) or "")

    def style_profile(self) -> StyleProfile:
        """Returns the author's style, as the style profile describes it."""
        return self._document(StyleProfile, places.STYLE_PROFILE)

    def blacklist(self) -> Blacklist:
        """Returns the phrases that must not occur in the novel."""
        return self._document(Blacklist, places.BLACKLIST)

    def baseline(self) -> Baseline | None:
        """Returns the author's own range of each metric; None if none was learned."""
        return load.document(self.root, Baseline, places.BASELINE)

    def continuity_record(self) -> ContinuityRecord:
        """Returns the contradictions a model reported, and which texts it read."""
        return self._document(ContinuityRecord, places.CONTINUITY)

    def suggestions(self) -> Suggestions:
        """Returns the names for which the writer does not want an entry."""
        return self._document(Suggestions, places.SUGGESTIONS)

    def promise_proposals(self) -> PromiseProposals:
        """Returns the promises a model read in the chapters, and those the writer rejected."""
        return self._document(PromiseProposals, places.PROMISE_PROPOSALS)

    def context_lines(self) -> ContextLines:
        """Returns which lines of prompts the writer includes, leaves out, or wants shorter."""
        return self._document(ContextLines, places.CONTEXT_LINES)

    def waivers(self) -> Waivers:
        """Returns the waivers of the novel: findings that the author intends as they are."""
        return self._document(Waivers, places.WAIVERS)

    def locks(self) -> PassageLocks:
        """Returns the passages locked by the author."""
        return self._document(PassageLocks, places.LOCKS)

    def spelling_words(self) -> SpellingWords:
        """Returns the words added to the spelling dictionary."""
        return self._document(SpellingWords, places.SPELLING)

    def world_rules(self) -> WorldRules:
        """Returns the world rules (L1)."""
        return self._document(WorldRules, places.WORLD_RULES)

    def world_docs(self) -> dict[str, str]:
        """Returns the documents about the world by path, including those in subfolders."""
        paths = self.world_paths()
        folders: dict[str, list[str]] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append(name)
        texts = {
            f"{folder}/{name}": text
            for folder, names in folders.items()
            for name, text in load.texts(self.root, folder, names).items()
        }
        return {path: texts[path] for path in paths if path in texts}

    def world_paths(self) -> list[str]:
        """Returns the paths of the world documents, without reading them."""
        return list(self._markdown(places.WORLD, _DEEPEST))

    def facts(self) -> Facts:
        """Returns the facts that the author states to be true from a chapter on."""
        return self._document(Facts, places.FACTS)

    def secrets(self) -> Secrets:
        """Returns the reserved facts, which not everybody knows."""
        return self._document(Secrets, places.SECRETS)

    def relationships(self) -> Relationships:
        """Returns the relationships between the characters."""
        return self._document(Relationships, places.RELATIONSHIPS)

    def storylines(self) -> Storylines:
        """Returns the storylines of the book."""
        return self._document(Storylines, places.STORYLINES)

    def storyline_spec(self) -> StorylineSpec:
        """Returns the storyline rules (LS)."""
        return self._document(StorylineSpec, places.STORYLINE_SPEC)

    def memory(self, storyline_id: str) -> str:
        """Returns a storyline's memory, without front matter; empty at its beginning."""
        path = self.layout.memory(storyline_id)
        return front_matter.split_front_matter(load.text(self.root, path) or "", path)[1]

    def characters(self) -> dict[str, Character]:
        """Returns the active characters by slug."""
        names = own_names(self.root, places.CHARACTERS)
        stems = {n.rpartition(".")[0] for n in names if n.endswith((".md", ".json"))}
        return {slug: self._character(slug) for slug in sorted(stems)}

    def exemplars(self) -> list[Exemplar]:
        """Returns the passages of the style library, sorted by id."""
        names = own_names(self.root, places.STYLE_LIBRARY)
        return [self._exemplar(name) for name in names if name.endswith(".md")]

    def retired_people(self) -> list[str]:
        """Returns the slugs of the characters who have left the story, sorted."""
        return sorted({n.rpartition(".")[0] for n in own_names(self.root, places.RETIRED)})

    def _character(self, slug: str) -> Character:
        _check_stem(slug, f"{places.CHARACTERS}/{slug}")
        path = self.layout.character(slug)
        contract = load.document(self.root, CharacterContract, path)
        if contract is not None and contract.id != slug:
            raise damaged(
                said(
                    "{path} has the id {id}, which is not its file name.",
                    path=path,
                    id=repr(contract.id),
                ),
                said("Give both the same name."),
            )
        return Character(contract, load.text(self.root, self.layout.profile(slug)) or "")

    def _exemplar(self, name: str) -> Exemplar:
        path, slug = f"{places.STYLE_LIBRARY}/{name}", name.removesuffix(".md")
        _check_stem(slug, path)
        meta, body = front_matter.split_front_matter(load.text(self.root, path) or "", path)
        if not body.strip():
            raise damaged(
                said("{path} holds no passage behind its front matter.", path=path),
                said("Write the passage there, or delete the file."),
            )
        return Exemplar(id=slug, meta=check(ExemplarMeta, meta, path), text=body.strip())

    def _document(self, model: type[D], path: str) -> D:
        return load.document(self.root, model, path) or model()

    def _markdown(self, folder: str, levels: int) -> Iterator[str]:
        for name in own_names(self.root, folder):
            path = f"{folder}/{name}"
            if name.startswith("."):
                continue
            if name.endswith(".md"):
                yield path
            elif levels and self.root.is_folder(path):
                yield from self._markdown(path, levels - 1)


def contract_from(data: bytes, path: str, volume: int, number: int) -> ChapterContract:
    """Returns the plan of a chapter in the bytes of its file; StudioError (exit 5) for one that
    cannot be read, or is that of another chapter."""
    contract = read_document(ChapterContract, data, path)
    if (contract.chapter, contract.volume) != (number, volume):
        raise damaged(
            said(
                "{path} says it is the contract of chapter {chapter} in volume {volume}.",
                path=path,
                chapter=contract.chapter,
                volume=contract.volume,
            ),
            said("File name and folder must agree with the fields `chapter` and `volume`."),
        )
    return contract


def _check_stem(slug: str, path: str) -> None:
    fault = slug_fault(slug)
    if fault is not None:
        raise damaged(f"{path}: {fault}.", said("Rename the file."))
