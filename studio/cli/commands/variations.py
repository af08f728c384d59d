"""`studio variations`: alternative texts of a chapter and its scenes, and how to restore one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import typed_name
from studio.cli import output
from studio.cli.commands.history import length_words
from studio.cli.completion import chapters, variation_shas
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    command,
    novel_options,
    only_one,
    open_session,
    say_command,
)
from studio.errors import usage
from studio.messages import said
from studio.project.clock import local_time
from studio.project.history.reasons import reason_words
from studio.story.chapter import split_paragraphs
from studio.story.form.lists import items_of
from studio.story.form.numerals import whole_number
from studio.story.notes import about_moved_notes
from studio.story.review.left_open import left_open_lines
from studio.text.prose.answer import first_words

if TYPE_CHECKING:
    from studio.pipeline.passage.versions import TakenVersion
    from studio.pipeline.variations import KeptText
    from studio.session import Session

_SHORT = 10


@click.group(cls=ShowFirst)
def variations() -> None:
    """Other texts of a passage, kept beside the present one: nothing that was written is thrown
    away.

    CHAPTER is by default the one in progress, or else the last committed one.
    """


_chapter = click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
_sha = click.option(
    "--sha",
    required=True,
    metavar="SHA",
    shell_complete=variation_shas,
    help="Which text, by the first letters `list` shows.",
)


@variations.command("list")
@_chapter
@novel_options
def list_them(chapter: int | None, project: Path) -> Telling:
    """The kept texts of CHAPTER and its scenes, newest first.

    --json prints {schema_version, chapter, variations: [{scene, passage, mode, direction,
    sha256, reason, created_at, length}]}; scene is null for a text of the whole chapter,
    passage for one of a whole scene.
    """
    session = open_session(project)
    number = _number(session, chapter)
    texts = session.kept_texts(number)
    yield {"chapter": number, "variations": [_row(text) for text in texts]}
    if not texts:
        output.say(said("No other text of chapter {number} is kept.", number=number))
        return
    rows = [
        (
            text.sha256[:_SHORT],
            text.place,
            local_time(text.created_at),
            length_words(text.length, text.unit),
            reason_words(text.reason),
            first_words(text.text),
        )
        for text in texts
    ]
    output.say_columns(rows)
    say_command(
        said("{command} prints one."),
        f"variations show {typed_name(number)} --sha SHA",
        project,
        "quiet",
    )


@variations.command()
@_chapter
@_sha
@click.option(
    "--sentences",
    is_flag=True,
    help="Sentence by sentence, each with the number that `restore --sentences` takes.",
)
@novel_options
def show(chapter: int | None, sha: str, sentences: bool, project: Path) -> Telling:
    """Print a kept text, whole.

    --json prints {schema_version, chapter, scene, passage, mode, direction, sha256, reason,
    created_at, length, text}.
    """
    session = open_session(project)
    number = _number(session, chapter)
    saved_text = _text_named(session, number, sha)
    yield {"chapter": number, **_row(saved_text), "text": saved_text.text}
    if sentences:
        _show_sentences(saved_text, session)
        return
    output.put_file(saved_text.text.encode())


def _show_sentences(saved_text: KeptText, session: Session) -> None:
    from studio.text.language.packs import load_pack
    from studio.text.prose.sentence_choice import pieces

    pack = load_pack(session.settings.novel.language)
    rows = [
        (f"{paragraph}.{number}", output.one_line(words.strip()))
        for paragraph, text in enumerate(split_paragraphs(saved_text.text), start=1)
        for number, words in enumerate(pieces(text, pack), start=1)
    ]
    output.say_columns(rows)


@variations.command()
@_chapter
@_sha
@click.option(
    "--paragraphs",
    metavar="1,3",
    help="Only these paragraphs of a version; the others stay.",
)
@click.option(
    "--sentences",
    metavar="1.2,3.1",
    help="Only these sentences of a version, by paragraph and sentence, each in place of the one "
    "it words anew; `show --sentences` numbers them.",
)
@click.option(
    "--any-language",
    is_flag=True,
    help="Take a version that is in another language than its passage, too.",
)
@novel_options
def restore(
    chapter: int | None,
    sha: str,
    paragraphs: str | None,
    sentences: str | None,
    any_language: bool,
    project: Path,
) -> Telling:
    """Put a kept text into the chapter in progress; the one it replaces is kept instead.

    A version of a passage goes into a chapter of the book, too: the chapter is opened for review
    with it, and `studio resume` commits it.

    --json prints {schema_version, chapter, passage,
    sha256, replaced_sha256, opened, closed: [{kind, type, place, quote, why}]}; `closed` is what
    waited for you about words that are gone with it. For a text of a scene or chapter
    {schema_version, chapter, scene, sha256}.
    """
    session = open_session(project)
    number = _number(session, chapter)
    saved_text = _text_named(session, number, sha)
    if saved_text.passage is not None:
        part = _numbers(paragraphs), _sentence_numbers(sentences)
        return (yield from _take(session, saved_text, *part, project, any_language))
    if paragraphs is not None:
        raise usage(said("--paragraphs goes with a version of a passage."))
    if sentences is not None:
        raise usage(said("--sentences goes with a version of a passage."))
    session.bring_back(number, saved_text.scene, saved_text.sha256)
    yield {"chapter": number, "scene": saved_text.scene, "sha256": saved_text.sha256}
    subject = said("Scene {n}", n=saved_text.scene) if saved_text.scene else said("The text")
    output.say(
        said(
            "{subject} of chapter {number} is the kept one again; what stood there is kept.",
            subject=subject,
            number=number,
        )
    )


def _take(
    session: Session,
    version: KeptText,
    picked: frozenset[int],
    sentences: frozenset[tuple[int, int]],
    project: Path,
    any_language: bool,
) -> Telling:
    taken = session.passages().taker.take(
        version.chapter,
        version.scene or 0,
        version.sha256,
        picked,
        sentences=sentences,
        in_any_language=any_language,
    )
    yield {
        "chapter": taken.chapter,
        "passage": str(taken.place),
        "sha256": taken.sha256,
        "replaced_sha256": taken.replaced_sha256,
        "opened": taken.is_opened,
        "closed": [one.model_dump(mode="json") for one in taken.closed],
        "moved_notes": list(taken.moved_notes),
    }
    output.say(
        said(
            "It is now in chapter {chapter}, {place}; what it replaced is kept beside it.",
            chapter=taken.chapter,
            place=taken.place,
        )
    )
    if taken.moved_notes:
        output.say(about_moved_notes(taken.moved_notes))
    _say_what_it_closed(taken, project)
    more = (
        said(" It is open for review; the book stays as it is until then.")
        if taken.is_opened
        else ""
    )
    output.say(
        said(
            "{command} goes on with the chapter.{hint}",
            command=command("resume", project),
            hint=more,
        ),
        "quiet",
    )


def _say_what_it_closed(taken: TakenVersion, project: Path) -> None:
    for line in left_open_lines(taken.closed):
        output.say(line)
    if taken.closed and taken.replaced_sha256:
        back = f"variations restore {taken.chapter} --sha {taken.replaced_sha256[:_SHORT]}"
        say_command(
            said(
                "The words it is about are gone, so you are not asked about it any more;"
                " {command} brings both back."
            ),
            back,
            project,
        )


def _numbers(words: str | None) -> frozenset[int]:
    """Parses a list such as `1,3`. Raises StudioError (exit 2) for anything else."""
    if words is None:
        return frozenset()
    parts = items_of(words)
    if not parts or not all(map(whole_number, parts)):
        raise usage(
            said("{words} are not paragraphs.", words=repr(words)), said("Write them as 1,3.")
        )
    return frozenset(map(int, parts))


def _sentence_numbers(words: str | None) -> frozenset[tuple[int, int]]:
    """Parses a list such as `1.2,3.1`. Raises StudioError (exit 2) for anything else."""
    if words is None:
        return frozenset()
    pairs = [part.split(".") for part in items_of(words)]
    if not pairs or not all(len(p) == 2 and all(map(whole_number, p)) for p in pairs):
        raise usage(
            said("{words} are not sentences.", words=repr(words)),
            said("Write them as 1.2,3.1: the paragraph, then the sentence in it."),
        )
    return frozenset((int(paragraph), int(sentence)) for paragraph, sentence in pairs)


def _number(session: Session, chapter: int | None) -> int:
    checkpoint = session.store.checkpoint()
    number = chapter or checkpoint.inflight_chapter or checkpoint.last_completed_chapter
    if not number:
        raise usage(said("No chapter was begun yet."), said("`studio write` begins the first."))
    return number


def _text_named(session: Session, chapter: int, sha: str) -> KeptText:
    texts = {text.sha256: text for text in reversed(session.kept_texts(chapter))}
    return texts[
        only_one(sha, texts, said("kept text"), said("The list shows what each is called."))
    ]


def _row(text: KeptText) -> dict[str, object]:
    return {
        "scene": text.scene,
        "passage": text.passage,
        "mode": text.mode,
        "direction": text.direction,
        "sha256": text.sha256,
        "reason": text.reason,
        "created_at": text.created_at,
        "length": text.length,
    }
