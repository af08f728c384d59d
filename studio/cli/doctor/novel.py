"""The doctor's checks of settings, model and novel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from studio.cli.doctor.machine import Check
from studio.cli.options import command
from studio.cli.terms import term
from studio.config.load import load_settings, probes, user_config_path
from studio.config.masking import without_secrets
from studio.config.paths import state_dir
from studio.config.schema import ProviderName
from studio.errors import StudioError
from studio.i18n import call_chapters
from studio.messages import join, said, series
from studio.project.layout import is_novel

if TYPE_CHECKING:
    from studio.config.schema import Settings
    from studio.llm.provider import ModelProfile
    from studio.project.store import ProjectStore


def look_at_settings(
    project: Path, environ: Mapping[str, str], overrides: Mapping[str, object]
) -> Iterator[Check]:
    """Checks whether the settings can be read, and which model they select."""
    user = user_config_path(environ)
    try:
        load_settings(None, environ)
        message = (
            str(user)
            if user.exists()
            else said("{path} does not exist; defaults apply.", path=user)
        )
        yield Check(name="config", status="ok", message=message)
        settings = load_settings(project if is_novel(project) else None, environ, overrides)
    except StudioError as error:
        yield problem("config", error)
        return
    call_chapters(settings.novel.word_for_chapters)
    for warning in settings.warnings:
        yield Check(name="config", status="note", message=warning)
    yield _model(settings)
    yield from (_provider(name, settings) for name in get_args(ProviderName))
    yield from _probe_check(settings, environ)


def _provider(name: ProviderName, settings: Settings) -> Check:
    """Says of one provider, in force or not: host, source of the key, and profile."""
    from studio.llm.choose import route_of, withheld_sentence

    route = route_of(name, settings)
    if not route.host:
        message = (
            said("No address is set.") if name == "openai" else said("No model file is installed.")
        )
        return Check(name=name, status="ok", message=message)
    if name == "embedded":
        place: list[str] = [said("Its file is {path}.", path=route.host)]
    else:
        key: str = (
            said("Its key is from {source}.", source=term(str(route.key_source)))
            if route.key
            else said("It has no key.")
        )
        place = [said("Its server is {host}.", host=without_secrets(route.host)), key]
    words = join([*place, *_profile_sentences(route.profile)])
    hint: str = withheld_sentence(route) if route.withheld else ""
    return Check(name=name, status="note" if hint else "ok", message=words, hint=hint)


def _profile_sentences(profile: ModelProfile) -> Iterator[str]:
    """Yields what is believed of the models, a sentence for each ability."""
    yield _window_sentence(profile)
    yield said("It judges chapters.") if profile.judges else said("It does not judge chapters.")
    yield (
        said("It summarizes chapters.")
        if profile.extracts
        else said("It does not summarize chapters.")
    )
    yield {
        "well": said("It rewrites passages."),
        "sampling": said("It rewrites passages by trying several times."),
        "no": said("It does not rewrite passages."),
    }[profile.rewrites]
    if profile.tools:
        yield said("It looks things up.")
    if profile.thinks:
        yield said("It thinks before it answers.")
    yield said("Its languages: {languages}.", languages=series(profile.languages))


def _window_sentence(profile: ModelProfile) -> str:
    assumed = "" if profile.window_known else said(", as long as nobody knows better")
    return said(
        "It takes {window} tokens at once{assumed}.", window=f"{profile.window:,}", assumed=assumed
    )


def _model(settings: Settings) -> Check:
    from studio.llm.choose import choose_provider

    try:
        choice = choose_provider(settings)
    except StudioError as error:
        return problem("model", error)
    if choice.provider is None:
        return Check(name="model", status="note", message=choice.reason)
    profile = choice.provider.profile
    message = join([choice.reason, _window_sentence(profile)])
    status = "note" if profile.note else "ok"
    return Check(name="model", status=status, message=message, hint=profile.note)


def _probe_check(settings: Settings, environ: Mapping[str, str]) -> Iterator[Check]:
    from studio.pipeline.gateway import choice_to_look

    probe = probes(environ).get(choice_to_look(settings).endpoint, {})
    if "answers" in probe:
        message = said(
            "Tried on {day}: {answers}",
            day=str(probe.get("at", "?"))[:10],
            answers=probe.get("answers", "?"),
        )
        yield Check(name="probe", status="ok", message=message)


def look_at_novel(project: Path) -> Iterator[Check]:
    """Checks the lock, interrupted work and the novel's readability; `verify` checks more."""
    if not is_novel(project):
        yield Check(
            name="novel",
            status="ok",
            message=said("{folder} is not a novel.", folder=project.resolve()),
        )
        return
    from studio.project.lock.holder import read_lock
    from studio.project.store import ProjectStore

    store = ProjectStore(project, state_dir(os.environ))
    yield Check(name="novel", status="ok", message=str(store.layout.folder))
    view = read_lock(store.layout.folder)
    if view.state != "free":
        yield Check(name="lock", status="note", message=view.sentence(), hint=view.hint())
    for look in (_work, _story, _commit, _plugins):
        yield from _attempt(look, store, project)


def _attempt(
    look: Callable[[ProjectStore, Path], Iterator[Check]], store: ProjectStore, project: Path
) -> Iterator[Check]:
    try:
        yield from look(store, project)
    except StudioError as error:
        yield problem(look.__name__.lstrip("_"), error)


def _work(store: ProjectStore, project: Path) -> Iterator[Check]:
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is None:
        message = said(
            "The checkpoint can be read; chapters done: {n}.", n=checkpoint.last_completed_chapter
        )
        yield Check(name="work", status="ok", message=message)
        return
    stage = checkpoint.pipeline_stage
    words = term(stage.value) if stage else said("not begun")
    message = said(
        "Chapter {chapter} is in progress ({stage}).",
        chapter=checkpoint.inflight_chapter,
        stage=words,
    )
    yield Check(
        name="work",
        status="note",
        message=message,
        hint=said("{command} goes on.", command=command("resume", project)),
    )


def _story(store: ProjectStore, project: Path) -> Iterator[Check]:
    from studio.project.changelog import ChangelogFile

    store.state()
    ChangelogFile(store.root).read_trusted()
    yield Check(name="story", status="ok", message=said("The state of the story can be read."))


def _commit(store: ProjectStore, project: Path) -> Iterator[Check]:
    from studio.project.commit.transaction import pending

    plan = pending(store.layout)
    if plan is not None:
        yield Check(
            name="commit",
            status="note",
            message=said("The {work} was interrupted.", work=plan.work),
            hint=said("{command} finishes it.", command=command("resume", project)),
        )


def _plugins(store: ProjectStore, project: Path) -> Iterator[Check]:
    from studio.project.trust import novel_plugins, untrusted_sentence

    present = novel_plugins(store.root, store.state_folder)
    if present.trusted:
        yield Check(
            name="plugins",
            status="ok",
            message=said("Trusted: {names}", names=series(present.shas)),
        )
    elif present.shas:
        yield Check(name="plugins", status="note", message=untrusted_sentence(present))


def problem(name: str, error: StudioError) -> Check:
    """Returns the check for an error: what is wrong, and how to fix it."""
    cause = error.problem
    return Check(name=name, status="problem", message=cause.message, hint=cause.hint)
