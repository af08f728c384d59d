"""Shell completion for the next word: commands, and the chapters and ids of the current novel.

This runs at every press of Tab, so it reads little, changes nothing, and is silent where the novel
cannot be read: a shell cannot display a message.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.session import Session

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
_PLAIN = re.compile(r"[\w./@:+=,][\w./@:+=,-]*")
"""Matches a word that every shell takes for itself: bash puts what is offered on the line as it is,
and a word of a novel that somebody else made could be a command."""
_ENOUGH = 200
"""The maximum number of words offered; more would not help anybody."""


def _of_novel(words: Callable[[Session, click.Context], Iterable[str]]) -> Completer:
    """Returns a completer that offers those of the novel's words that begin with the typed one
    and mean nothing to a shell."""

    @wraps(words)
    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from studio.session import Session

        matching: list[CompletionItem] = []
        with suppress(StudioError, OSError):
            session = Session.open(Path(ctx.params.get("project") or "."), os.environ)
            for word in words(session, ctx):
                is_wanted = word.startswith(incomplete) and _PLAIN.fullmatch(word)
                if is_wanted and len(matching) < _ENOUGH:
                    matching.append(CompletionItem(word))
        return matching

    return complete


@_of_novel
def chapters(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the numbers of the chapters in the book, and of the one in progress."""
    in_work = session.store.checkpoint().inflight_chapter
    numbers = {*session.store.chapter_numbers(), *([in_work] if in_work else [])}
    return map(str, sorted(numbers))


@_of_novel
def directive_ids(session: Session, ctx: click.Context) -> Iterable[str]:
    """Returns the directive ids of the current sheet that are not yet
    on the line; open ones first."""
    sheet = session.directives()
    if sheet is None:
        return ()
    typed = ctx.params.get("ids") or ()
    open_ids = [directive.id for directive in sheet.open]
    all_ids = dict.fromkeys([*open_ids, *(directive.id for directive in sheet.directives)])
    return [id_ for id_ in all_ids if id_ not in typed]


@_of_novel
def kept_names(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the files with history: the numbers of chapters, then all other files."""
    numbers = {session.store.layout.chapter(n): str(n) for n in session.store.chapter_numbers()}
    paths = [file.path for file in session.versions().files()]
    return [*numbers.values(), *(path for path in paths if path not in numbers)]


@_of_novel
def version_shas(session: Session, ctx: click.Context) -> Iterable[str]:
    """Returns the versions of the file named on the line, newest first.

    After an option that lacks its value, click leaves the words in `args`.
    """
    from studio.project.commit.versions import SHORT

    versions = session.versions()
    name = ctx.params.get("name") or next(iter(ctx.args), "")
    path = versions.path_of(str(name))
    return dict.fromkeys(version.sha[:SHORT] for version in reversed(versions.of(path)))


@_of_novel
def variation_shas(session: Session, ctx: click.Context) -> Iterable[str]:
    """Returns the alternative texts of the chapter named on the line, else of the current one."""
    checkpoint = session.store.checkpoint()
    at_hand = checkpoint.inflight_chapter or checkpoint.last_completed_chapter
    chapter = ctx.params.get("chapter") or next(iter(ctx.args), at_hand)
    return [text.sha256[:10] for text in session.kept_texts(int(chapter))] if chapter else ()


@_of_novel
def decision_options(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the possible answers to the open question."""
    from studio.pipeline.chapter.scene_in_progress import waiting_decision

    store = session.store
    decision = waiting_decision(store, store.checkpoint(), session.settings)  # without its prices
    return decision.options if decision else ()


@_of_novel
def exemplar_ids(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the ids of the passages in the style library."""
    return [exemplar.id for exemplar in session.store.exemplars()]


@_of_novel
def proposal_ids(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the ids of the proposals."""
    return [proposal.id for proposal in session.proposals().all()]


@_of_novel
def waiver_ids(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the ids of the waivers."""
    return [waiver.id for waiver in session.store.waivers().waivers]


@_of_novel
def call_ids(session: Session, _: click.Context) -> Iterable[str]:
    """Returns the ids of the model calls, newest first."""
    return reversed(session.store.journal.generation_ids(None))


def setting_keys(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the dotted keys of all settings, each with its description."""
    from studio.config.catalog import all_settings
    from studio.text.metrics.metric_kinds import METRIC_NAMES

    return [
        CompletionItem(setting.key, help=setting.meaning)
        for setting in all_settings(METRIC_NAMES)
        if setting.key.startswith(incomplete)
    ]


def files_or_chapters(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Offers chapters where a number is being typed, else files."""
    if incomplete.isdecimal():
        return chapters(ctx, param, incomplete)
    return [CompletionItem(incomplete, type="file")]
