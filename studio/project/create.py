"""Creates a novel: its folder with initial files in its language (beginnings/*.toml)."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError

from studio.chapter_names import USUAL_WORDS, with_noun, with_word
from studio.config.schema import COUNTS, LENGTHS, BookForm, CharacterCount, Narration, NovelSettings
from studio.errors import failed, usage
from studio.fsio import Root, finish_folder, refuse_root, whole_folder
from studio.i18n import LANGUAGES
from studio.messages import said
from studio.project import layout as places
from studio.project.clock import now
from studio.project.layout import Layout, is_novel
from studio.resources import sample_project_dir
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.form.document import encode, to_bytes
from studio.story.form.ids import refuse_long_names
from studio.story.novel import (
    Blacklist,
    Foreshadowing,
    Relationships,
    Storyline,
    Storylines,
    StorylineSpec,
    StyleProfile,
    WorldRules,
)

DAY_USD = 10.0
"""The default spending cap of a new novel in US dollars a day."""
_IGNORED = b"staging/\n.studio/\n.novel.lock*\n.*~\n"


def create_novel(
    folder: Path,
    title: str,
    language: str,
    genre: str = "",
    *,
    form: BookForm = "literary",
    narration: Narration = "",
    chapter_word: str | None = None,
    count: CharacterCount | None = None,
) -> None:
    """Creates a novel in a new or empty folder, completely or not at all.

    Without a `chapter_word` a serial gets the one that is usual in its language, and any other book
    none; without a `count` lengths are counted as is usual in the language. If the folder already
    is this very novel, just begun, nothing is done, so that a killed command can be repeated.
    Raises StudioError (exit 2): the folder holds something else, the language is none of ko, en,
    zh, the title is empty or too long, or the chapter word does not fit.
    """
    if chapter_word is None:
        chapter_word = USUAL_WORDS.get(language, "") if form == "serial" else ""
    novel = {"title": title.strip(), "language": language, "genre": genre.strip()}
    novel |= {"point_of_view": "", "form": form, "chapter_word": chapter_word}
    novel |= {"narration": narration} if narration else {}
    files = _checked_files(novel, count)
    finish_folder(folder, places.SETTINGS)
    if is_novel(folder) and _only_begun(Root(folder), files):
        return
    with whole_folder(folder, places.SETTINGS) as root:
        _write(root, files)


@contextmanager
def novel_in(folder: Path, title: str, language: str) -> Iterator[Path]:
    """Yields the folder of a novel, for the block to put something into it.

    If there is no novel yet, one is created together with what the block adds, or not at all: the
    block then gets a temporary folder to work in. Raises StudioError like `create_novel`.
    """
    finish_folder(folder, places.SETTINGS)
    if is_novel(folder):
        yield folder
        return
    novel = {"title": title.strip(), "language": language, "genre": "", "point_of_view": ""}
    files = _checked_files({**novel, "form": "literary", "chapter_word": ""}, None)
    with whole_folder(folder, places.SETTINGS) as root:
        _write(root, files)
        yield root.path


def refuse_unfit(folder: Path) -> None:
    """Raises StudioError (exit 2) where no novel may begin, before anything else is asked about it:
    at the root of the disk."""
    refuse_root(folder)


def _checked_files(novel: dict[str, str], count: CharacterCount | None) -> dict[str, bytes]:
    title, language = novel["title"], novel["language"]
    if language not in LANGUAGES:
        raise usage(
            said("{language} is not a language of the studio.", language=repr(language)),
            said("Use ko, en or zh."),
        )
    if not title:
        raise usage(said("A novel needs a title."), said("Give one with --title."))
    refuse_long_names(title)
    words = _beginnings(language)
    try:
        NovelSettings.model_validate(novel)
    except ValidationError as error:
        raise usage(
            said("“{word}” is no word for a chapter.", word=novel["chapter_word"]),
            said("Give one line of at most 12 characters."),
        ) from error
    settings = _settings(words["comments"], novel, count or COUNTS.get(language))
    for name in ("outline", "contracts"):
        named = with_word(words[name], {}, language, novel["chapter_word"])
        words[name] = with_noun(named, language, novel["chapter_word"])
    return {**_files(words, title), places.SETTINGS: settings.encode()}


def _write(root: Root, files: dict[str, bytes]) -> None:
    with root.together():
        for path, data in files.items():
            root.write(path, data)
        for path in (places.CHARACTERS, places.RETIRED, places.STYLE_LIBRARY, places.CHAPTERS):
            root.make_folder(path)


def _only_begun(root: Root, files: dict[str, bytes]) -> bool:
    """Whether a folder is this very novel in its initial state, which means it has just been
    created."""
    same = (root.find(path) == data for path, data in files.items() if path != places.CHECKPOINT)
    return all(same) and not root.names(places.CHAPTERS) and not root.names(places.HISTORY)


def _beginnings(language: str) -> dict[str, Any]:
    file = files("studio.project").joinpath("beginnings", f"{language}.toml")
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise failed(
            said(
                "A file of the studio itself cannot be read: {strerror}.",
                strerror=error.strerror or error,
            ),
            said("Install the studio again, or try again."),
        ) from error


def _files(words: dict[str, Any], title: str) -> dict[str, bytes]:
    layout = Layout(".")
    line = Storyline(id="main", title=words["storyline"])
    contract = encode(_contract(words)).decode().rstrip()
    return {
        places.BRIEF: words["brief"].lstrip().replace("{title}", title).encode(),
        places.STYLE_PROFILE: to_bytes(StyleProfile()),
        places.BLACKLIST: to_bytes(Blacklist()),
        places.WORLD_RULES: to_bytes(WorldRules()),
        places.RELATIONSHIPS: to_bytes(Relationships()),
        places.STORYLINES: to_bytes(Storylines(storylines=(line,))),
        places.STORYLINE_SPEC: to_bytes(StorylineSpec()),
        places.FORESHADOWING: to_bytes(Foreshadowing()),
        layout.outline(1): words["outline"].lstrip().encode(),
        f"{layout.contracts(1)}/README.md": (
            words["contracts"].lstrip().replace("{contract}", contract).encode()
        ),
        places.CHECKPOINT: to_bytes(Checkpoint(updated_at=now())),
        ".gitignore": _IGNORED,
    }


def _contract(words: dict[str, Any]) -> dict[str, Any]:
    """Returns the shortest possible contract, as the README shows it."""
    contract = ChapterContract(
        chapter=1,
        volume=1,
        title=words["contract_title"],
        storyline_id="main",
        objectives=(words["contract_objective"],),
    )
    return contract.model_dump(mode="json", exclude_defaults=True) | {"schema_version": 1}


def _settings(comments: dict[str, str], novel: dict[str, str], count: CharacterCount | None) -> str:
    document = tomlkit.document()
    form: BookForm = "serial" if novel["form"] == "serial" else "literary"
    targets: dict[str, Any] = {**LENGTHS[form][novel["language"]]}
    if count is not None:
        targets["count"] = count
    generation: dict[str, Any] = {"mode": "standard", "max_steps": 10}
    document.append("novel", _table(comments["novel"], novel))
    document.append("targets", _table(comments["targets"], targets))
    document.append("generation", _table(comments["generation"], generation))
    budget = _table(comments["budget"], {"day_usd": DAY_USD})
    for line in ("chapter_usd = 2.0", "project_usd = 200.0"):
        budget.add(tomlkit.comment(line))
    document.append("budget", budget)
    document.append("gate", _table("", {"revisions": 2}))
    document.append("review", _table(comments["review"], {"rounds": 1, "auto_accept": []}))
    document.append("refine", _table("", {"on": "findings"}))
    document.append("metrics", _table(comments["metrics"], {}))
    return tomlkit.dumps(document)


def _table(comment: str, values: dict[str, Any]) -> tomlkit.items.Table:
    table = tomlkit.table()
    if comment:
        table.add(tomlkit.comment(comment))
    for key, value in values.items():
        table.add(key, value)
    table.add(tomlkit.nl())
    return table


REVIEW = "review"
"""The folder of the sample novel that holds what differs once its next chapter is drafted and read,
and waits for the author's decisions."""


def copy_sample(folder: Path, *, in_review: bool = False) -> Path:
    """Copies the sample novel into a new or empty folder and returns that folder.

    With `in_review`, its third chapter is drafted and read there, and the proposals wait.
    Raises StudioError: exit 2 if the folder holds something, 1 if it cannot be written.
    """
    source = sample_project_dir()
    files = dict(_files_below(source, leave_out=REVIEW))
    if in_review:
        files |= dict(_files_below(source / REVIEW, leave_out=".gitignore"))
        del files[places.USAGE]  # what its calls cost was never spent by whoever tries it
    with whole_folder(folder, places.SETTINGS) as root, root.together():
        for name, data in files.items():
            root.write(name, data)
    return folder.resolve()


def _files_below(source: Path, *, leave_out: str) -> Iterator[tuple[str, bytes]]:
    """Yields the path and content of each file, without one file or folder of the topmost."""
    try:
        for folder, _, names in os.walk(source, onerror=_give_up):
            for file in (Path(folder, name) for name in sorted(names)):
                path = file.relative_to(source)
                if path.parts[0] != leave_out:
                    yield path.as_posix(), file.read_bytes()
    except OSError as error:
        raise failed(
            said("The sample novel cannot be read: {strerror}.", strerror=error.strerror or error),
            said("Install the studio again, or try again."),
        ) from error


def _give_up(error: OSError) -> None:
    raise error
