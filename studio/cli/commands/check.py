"""`studio check`: measures the prose of any file or chapter without a model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.completion import files_or_chapters
from studio.cli.input import read_text
from studio.cli.options import LANGUAGE, Telling, novel_options
from studio.errors import usage
from studio.i18n import call_chapters
from studio.messages import said, series
from studio.project.layout import is_novel
from studio.story.form.document import to_jsonable
from studio.story.lengths import unit_of
from studio.story.notes import UNCLOSED, unclosed_comment
from studio.text.language.packs import for_form, load_pack
from studio.text.language.script import recognised_language
from studio.text.metrics.repetition import Earlier
from studio.text.oracle.directives import Intended, nothing_intended
from studio.text.oracle.report import check_text, render

if TYPE_CHECKING:
    from studio.config.schema import Settings

NOT_IN_JSON = frozenset({"advice", "redraft_suggested"})
"""Fields that are not part of the JSON contract of DESIGN section 7."""


@click.command()
@click.argument("target", metavar="FILE|CHAPTER", shell_complete=files_or_chapters)
@click.option("--language", type=LANGUAGE, help="Otherwise it is guessed.")
@novel_options
def check(target: str, language: str | None, project: Path) -> Telling:
    """Measure a FILE, or a CHAPTER of the novel. Findings do not count as failure.

    Inside a novel its language, targets, baseline, waivers and blacklist
    are used.

    --json prints
    {schema_version, language, source_sha256, characters, words, paragraphs,
    sentences, metrics: {name: {value, unit, n, threshold, ok, spans, reference:
    {p5, p50, p95, n}, place}},
    directives, suppressed}; spans count characters of the NFC text.
    """
    settings = _settings_of(project)
    number, text = _text(target, project)
    if unclosed_comment(text) is not None:
        output.warn(UNCLOSED)
    standards = _standards(project, settings, language, number, text)
    pack = load_pack(standards.language or recognised_language(text, target)).with_phrases(
        standards.phrases
    )
    if settings is not None:
        pack = for_form(pack, settings.novel.is_serial, settings.novel.word_for_chapters)
    unit = unit_of(pack.language, settings.targets.count if settings else None)
    report = check_text(
        text,
        targets=standards.targets,
        pack=pack,
        intended=standards.intended,
        earlier=Earlier.of(standards.earlier, pack),
        before=standards.before,
        unit=unit,
    )
    data = to_jsonable(report)
    yield {name: data[name] for name in data if name not in NOT_IN_JSON}
    output.say(render(report, text, unit, pack.is_serial), end="")


@dataclass(frozen=True)
class _Standards:
    """The targets, lists and neighbouring texts against which a text is measured."""

    language: str | None
    targets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    phrases: Sequence[str] = ()
    intended: Intended = nothing_intended
    earlier: Sequence[str] = ()
    """The texts of the preceding chapters."""
    before: str = ""
    """The chapter's original text."""


def _text(target: str, project: Path) -> tuple[int | None, str]:
    """Returns the text, and its number where it is a chapter of the novel."""
    if Path(target).exists() or not (target.isdecimal() or is_novel(project)):
        return None, read_text(Path(target))
    from studio.project.store import ProjectStore
    from studio.project.which_chapter import chapter_meant

    store = ProjectStore(project)
    number = chapter_meant(store, target)
    if number is None and not target.isdecimal():
        return None, read_text(Path(target))
    number = number or 0
    chapter = None if number < 1 else store.staging_of(number).exact_text() or store.chapter(number)
    if chapter is None:
        numbers = series(store.chapter_numbers()) or said("none yet")
        raise usage(
            said("There is no chapter {missing}.", missing=number),
            said("Chapters of this novel: {numbers}.", numbers=numbers),
        )
    return number, chapter.text


def _settings_of(project: Path) -> Settings | None:
    """Returns the settings of the novel in the folder; None if there is none."""
    if not is_novel(project):
        return None
    from studio.config.load import load_settings

    settings = load_settings(project, os.environ)
    call_chapters(settings.novel.word_for_chapters)
    return settings


def _standards(
    project: Path, settings: Settings | None, language: str | None, number: int | None, text: str
) -> _Standards:
    """Returns the novel's standards; a text in another language is measured without them."""
    if settings is None:
        return _Standards(language)
    from studio.pipeline.chapter.targets import intended, targets, texts_before
    from studio.pipeline.judging.measures import first_staged
    from studio.project.store import ProjectStore

    for warning in settings.warnings:
        output.warn(warning)
    if language not in (None, settings.novel.language):
        return _Standards(language)
    store = ProjectStore(project)
    return _Standards(
        settings.novel.language,
        targets(store, settings),
        [entry.phrase for entry in store.blacklist().entries],
        intended(store, number),
        texts_before(store, number) if number else (),
        first_staged(store, number, text) if number else "",
    )
