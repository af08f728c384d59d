"""The location of every file of a novel (DESIGN section 3). Only this module spells its paths.

Paths are relative to the novel, with forward slashes. An id becomes part of a path only after the
slug check, so that no id leads out of the novel.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

from studio.errors import StudioError, damaged, failed
from studio.fsio import Root
from studio.fsio.messages import disk_error
from studio.messages import said
from studio.story.form.slugs import chapter_name, chapter_number, slug_fault, volume_name

SETTINGS = "studio.toml"
BRIEF = "brief.md"
STYLE_PROFILE = "style-profile.json"
BLACKLIST = "ai-blacklist.json"
BASELINE = "baseline.json"
WAIVERS = "waivers.json"
LOCKS = "locks.json"
PROPOSALS = "proposals"
"""Changes of passages that wait for the author, those of the chapter in progress apart."""
SPELLING = "spelling.json"
PUBLISHED = "published.json"
READER_COMMENTS = "notes/readers"
"""What readers said of chapters, a file each, by the chapter's id."""
AUTHOR_NOTES = "notes/author"
"""What the author says to her readers with a chapter, a file each, by the chapter's id."""
WORLD = "world"
WORLD_RULES = "world/rules.json"
CHARACTERS = "characters/active"
RETIRED = "characters/retired"
RELATIONSHIPS = "characters/relationships.json"
STORYLINES = "storylines/storylines.json"
STORYLINE_SPEC = "storylines/storyline-spec.json"
STORYLINE_FOLDERS = "storylines"
VOLUMES = "volumes"
FORESHADOWING = "foreshadowing/global.json"
PROMISE_PROPOSALS = "foreshadowing/proposals.json"
"""Promises that a model read in the chapters, until the writer accepts or rejects them."""
STYLE_LIBRARY = "style-library"
BLOCKS = "context/blocks.toml"
CONTEXT_LINES = "context/lines.json"
GUIDELINES = "context/guidelines"
KNOWLEDGE = "context/knowledge"
DECIDED = f"{GUIDELINES}/decided.md"
"""What the author decided in reviews and wants to hold from then on, a line each."""
AGENTS = "agents"
PLUGINS = "plugins"
CHAPTERS = "chapters"
SUMMARIES = "summaries"
EVALUATIONS = "evaluations"
CONTINUITY = "evaluations/continuity.json"
STATE = "state/current-state.json"
CHAPTER_LIST = "state/chapters.json"
"""The ids and labels of the chapters, by number."""
CHANGELOG = "state/changelog.jsonl"
CROSSREFS = "state/crossref"
STAGING = "staging"
PARTIAL = "staging/partial"
MANIFEST = "staging/commit/manifest.json"
CARRIED = "staging/commit"
"""The folder in which files carried by a commit wait to be put in place."""
HISTORY = "history"
HISTORY_LOG = "history/log.jsonl"
QUARANTINE = "history/quarantine"
VARIATIONS = "variations"
IMPORTS = "imports"
WAITING_ENTRIES = "imports/entries"
"""Imported notes that wait to become entries of the bible."""
STYLE_SAMPLE = "imports/style-sample.md"
GENERATIONS = "logs/generations"
USAGE = "logs/usage.jsonl"
PIPELINE_LOG = "logs/pipeline.log"
INDEX = ".studio/index.json"
GLANCE = ".studio/glance.json"
CHAPTER_HASHES = ".studio/chapter-hashes.json"
WRITING_DAYS = ".studio/writing-days.json"
NOVEL_ID = ".studio/novel-id"
PLAN_CHANGES = ".studio/plan-changes.json"
"""The latest changes of the plans, for undo."""
SECRETS = "world/secrets.json"
SUGGESTIONS = "world/suggestions.json"
FACTS = "world/facts.json"
CHECKPOINT = ".checkpoint.json"
LOCK = ".novel.lock"
LOCK_INFO = ".novel.lock/info.json"

BOOK_FOLDERS = (
    *(CHAPTERS, SUMMARIES, EVALUATIONS, "state", CROSSREFS, STORYLINE_FOLDERS, "foreshadowing"),
    *(STAGING, HISTORY, VARIATIONS, "logs", GENERATIONS),
)
"""The folders that a run writes to."""
GROWING = (CHANGELOG, HISTORY_LOG, USAGE)
"""The files that are only appended to."""

OWN = frozenset(
    {
        *(SETTINGS, BRIEF, STYLE_PROFILE, BLACKLIST, BASELINE, WAIVERS),
        *(LOCKS, PROPOSALS, SPELLING, PUBLISHED, WORLD, VOLUMES, STYLE_LIBRARY, AGENTS),
        *(PLUGINS, CHAPTERS, SUMMARIES, EVALUATIONS, STAGING, HISTORY, VARIATIONS, IMPORTS),
        *("characters", "storylines", "foreshadowing", "context", "state", "logs"),
    }
)
"""The names in a novel's folder that belong to the studio, in addition to every hidden one."""

_VOLUME = r"^vol-(\d{2,7})$"
_GENERATION = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$"
"""Uncompiled patterns: `re` compiles them when the first name is checked."""


def is_novel(path: Path) -> bool:
    """Whether the folder is a novel: it holds a studio.toml."""
    try:
        return stat.S_ISREG((path / SETTINGS).lstat().st_mode)
    except (OSError, ValueError):
        return False


def vanished_error(folder: Path) -> StudioError:
    """Returns the error for a novel whose folder was there and is no more, or holds no novel now
    (exit 1)."""
    return failed(
        said("The folder of this novel is gone: {folder}.", folder=folder),
        said("Nothing was changed. Put the folder back, or open the novel where it is now."),
    )


def refuse_shut(folder: Path) -> None:
    """Raises StudioError (exit 5) for an existing folder that may not be read."""
    if os.access(folder, os.F_OK) and not os.access(folder, os.R_OK | os.X_OK):
        raise disk_error(PermissionError(errno.EACCES, ""), str(folder), "read")


def _slug(text: str, kind: str) -> str:
    fault = slug_fault(text)
    if fault is not None:
        raise damaged(said("The id of a {kind} cannot be used: {fault}.", kind=kind, fault=fault))
    return text


def _file_name(text: str) -> str:
    if not re.match(_GENERATION, text) or text.endswith("."):
        raise damaged(said("{text} cannot be the name of a record.", text=repr(text)))
    return text


def _numbers(names: list[str], ending: str) -> list[int]:
    stems = (name.removesuffix(ending) for name in names if name.endswith(ending))
    return sorted(number for stem in stems if (number := chapter_number(stem)) is not None)


class Layout:
    """The paths of one novel, and the Root through which its files are read and changed."""

    def __init__(self, folder: Path | str) -> None:
        self.root = Root(folder)

    @property
    def folder(self) -> Path:
        """The novel's folder, with links resolved."""
        return self.root.path

    # A chapter's files, committed

    def chapter(self, chapter: int) -> str:
        """Returns chapters/chapter-001.md."""
        return f"{CHAPTERS}/{chapter_name(chapter)}.md"

    def summary(self, chapter: int) -> str:
        """Returns summaries/chapter-001-summary.md."""
        return f"{SUMMARIES}/{chapter_name(chapter)}-summary.md"

    def era(self, first: int, last: int) -> str:
        """Returns summaries/era-001-010.md."""
        return f"{SUMMARIES}/era-{first:03d}-{last:03d}.md"

    def evaluation(self, chapter: int) -> str:
        """Returns evaluations/chapter-001-eval.json."""
        return f"{EVALUATIONS}/{chapter_name(chapter)}-eval.json"

    def proposal(self, proposal_id: str) -> str:
        """Returns proposals/prop_0001.json."""
        return f"{PROPOSALS}/{proposal_id}.json"

    def directives(self, chapter: int) -> str:
        """Returns evaluations/chapter-001-directives.json."""
        return f"{EVALUATIONS}/{chapter_name(chapter)}-directives.json"

    def planned_scenes(self, chapter: int) -> str:
        """Returns evaluations/chapter-001-scenes.json."""
        return f"{EVALUATIONS}/{chapter_name(chapter)}-scenes.json"

    def crossref(self, chapter: int) -> str:
        """Returns state/crossref/chapter-001-crossref.json."""
        return f"{CROSSREFS}/{chapter_name(chapter)}-crossref.json"

    def variations(self, chapter: int) -> str:
        """Returns variations/chapter-001."""
        return f"{VARIATIONS}/{chapter_name(chapter)}"

    def imported_draft(self, chapter: int) -> str:
        """Returns imports/chapter-001.md."""
        return f"{IMPORTS}/{chapter_name(chapter)}.md"

    def author_note(self, chapter_id: str) -> str:
        """Returns notes/author/{id}.md."""
        return f"{AUTHOR_NOTES}/{_file_name(chapter_id)}.md"

    def reader_comments(self, chapter_id: str) -> str:
        """Returns notes/readers/{id}.json."""
        return f"{READER_COMMENTS}/{_file_name(chapter_id)}.json"

    def waiting_entry(self, slug: str) -> str:
        """Returns imports/entries/{slug}.md."""
        return f"{WAITING_ENTRIES}/{_slug(slug, 'note')}.md"

    # A chapter's files, staged (seed B3)

    def staged_chapter(self, chapter: int) -> str:
        """Returns staging/chapters/chapter-001.md."""
        return f"{STAGING}/{self.chapter(chapter)}"

    def staged_summary(self, chapter: int) -> str:
        """Returns staging/summaries/chapter-001-summary.md."""
        return f"{STAGING}/{self.summary(chapter)}"

    def staged_delta(self, chapter: int) -> str:
        """Returns staging/state/chapter-001-delta.json."""
        return f"{STAGING}/state/{chapter_name(chapter)}-delta.json"

    def delta_chapter(self, path: str) -> int | None:
        """Returns the chapter whose staged delta a path names, or None."""
        name = path.removeprefix(f"{STAGING}/state/").removesuffix("-delta.json")
        chapter = chapter_number(name)
        return chapter if chapter and path == self.staged_delta(chapter) else None

    def staged_crossref(self, chapter: int) -> str:
        """Returns staging/state/chapter-001-crossref.json."""
        return f"{STAGING}/state/{chapter_name(chapter)}-crossref.json"

    def staged_memory(self, storyline_id: str) -> str:
        """Returns staging/storylines/{storyline_id}/memory.md."""
        return f"{STAGING}/{self.memory(storyline_id)}"

    def staged_evaluation(self, chapter: int) -> str:
        """Returns staging/evaluations/chapter-001-eval.json."""
        return f"{STAGING}/{self.evaluation(chapter)}"

    def staged_directives(self, chapter: int) -> str:
        """Returns staging/evaluations/chapter-001-directives.json."""
        return f"{STAGING}/{self.directives(chapter)}"

    def staged_planned_scenes(self, chapter: int) -> str:
        """Returns staging/evaluations/chapter-001-scenes.json."""
        return f"{STAGING}/{self.planned_scenes(chapter)}"

    def staged_scenes(self, chapter: int) -> str:
        """Returns staging/scenes/chapter-001."""
        return f"{STAGING}/scenes/{chapter_name(chapter)}"

    def staged_scene(self, chapter: int, scene: int) -> str:
        """Returns staging/scenes/chapter-001/scene-01.md."""
        return f"{self.staged_scenes(chapter)}/scene-{scene:02d}.md"

    def partial(self, generation: str) -> str:
        """Returns staging/partial/{generation}.md."""
        return f"{PARTIAL}/{_file_name(generation)}.md"

    # Plans

    def volume(self, volume: int) -> str:
        """Returns volumes/vol-01."""
        return f"{VOLUMES}/{volume_name(volume)}"

    def outline(self, volume: int) -> str:
        """Returns volumes/vol-01/outline.md."""
        return f"{self.volume(volume)}/outline.md"

    def schedule(self, volume: int) -> str:
        """Returns volumes/vol-01/storyline-schedule.json."""
        return f"{self.volume(volume)}/storyline-schedule.json"

    def volume_foreshadowing(self, volume: int) -> str:
        """Returns volumes/vol-01/foreshadowing.json."""
        return f"{self.volume(volume)}/foreshadowing.json"

    def review(self, volume: int) -> str:
        """Returns volumes/vol-01/review.md."""
        return f"{self.volume(volume)}/review.md"

    def contracts(self, volume: int) -> str:
        """Returns volumes/vol-01/chapter-contracts."""
        return f"{self.volume(volume)}/chapter-contracts"

    def contract(self, volume: int, chapter: int) -> str:
        """Returns volumes/vol-01/chapter-contracts/chapter-001.json."""
        return f"{self.contracts(volume)}/{chapter_name(chapter)}.json"

    # Characters, storylines, passages

    def profile(self, character: str) -> str:
        """Returns characters/active/{slug}.md."""
        return f"{CHARACTERS}/{_slug(character, 'character')}.md"

    def character(self, character: str) -> str:
        """Returns characters/active/{slug}.json."""
        return f"{CHARACTERS}/{_slug(character, 'character')}.json"

    def memory(self, storyline_id: str) -> str:
        """Returns storylines/{storyline_id}/memory.md."""
        return f"storylines/{_slug(storyline_id, 'storyline')}/memory.md"

    def exemplar(self, exemplar: str) -> str:
        """Returns style-library/{exemplar-id}.md."""
        return f"{STYLE_LIBRARY}/{_slug(exemplar, said('passage of the style library'))}.md"

    def generation(self, generation: str) -> str:
        """Returns logs/generations/{generation}.json."""
        return f"{GENERATIONS}/{_file_name(generation)}.json"

    # Existing files

    def chapter_numbers(self) -> list[int]:
        """Returns the numbers of the chapter files, ascending; files with non-canonical names are
        left out."""
        return _numbers(self.root.names(CHAPTERS), ".md")

    def contract_numbers(self, volume: int) -> list[int]:
        """Returns the chapters with a contract in a volume, ascending."""
        return _numbers(self.root.names(self.contracts(volume)), ".json")

    def contract_volumes(self, chapter: int) -> list[int]:
        """Returns the volumes that may have a contract of a chapter, ascending. Only names are
        checked; reading the contract reports it if it is no file."""
        volumes = self.volume_numbers()
        return [v for v in volumes if _may_be(f"{self.folder}/{self.contract(v, chapter)}")]

    def volume_numbers(self) -> list[int]:
        """Returns the numbers of the volume folders, ascending."""
        matches = (re.match(_VOLUME, name) for name in self.root.names(VOLUMES))
        return sorted(int(match[1]) for match in matches if match and int(match[1]) > 0)

    def storyline_folders(self) -> list[str]:
        """Returns the ids of the storylines that have a folder, sorted."""
        return [
            name
            for name in self.root.names(STORYLINE_FOLDERS)
            if slug_fault(name) is None and self.root.is_folder(f"{STORYLINE_FOLDERS}/{name}")
        ]


def _may_be(path: str) -> bool:
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except OSError:  # no folder, or unreadable: reading the file reports it
        return True
    return True


def is_own(path: str) -> bool:
    """Whether a path in a novel is reserved for the studio: nothing else is put there."""
    first = path.partition("/")[0]
    if first.startswith(".") or first.casefold() in OWN:
        return True
    return any(
        f"{path.casefold()}/".startswith(f"{folder}/") for folder in (AUTHOR_NOTES, READER_COMMENTS)
    )


def chapter_of(path: str) -> int | None:
    """Returns the number of the committed chapter text that a path names, or None."""
    folder, _, name = path.partition("/")
    if folder != CHAPTERS or not name.endswith(".md"):
        return None
    return chapter_number(name.removesuffix(".md"))
