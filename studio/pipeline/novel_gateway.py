"""The gateway of one novel: what the writer is told before a model is called, and which runs can
do without a model."""

from __future__ import annotations

from studio.config.schema import Settings
from studio.errors import StudioError
from studio.llm.choose import ProviderChoice, choose_provider
from studio.llm.gateway import Gateway
from studio.llm.provider import Provider
from studio.messages import said
from studio.pipeline.chapter.view import gateway_or_refusal
from studio.pipeline.events import Emitter
from studio.pipeline.gateway import (
    GatewayFor,
    OutOfReach,
    gateway_if_any,
    gateway_of,
    models_of_the_novel,
)
from studio.pipeline.opening import RunTarget
from studio.pipeline.orders import WriteOrder
from studio.pipeline.windows import with_window
from studio.project.novel_settings import instructions_sentence
from studio.project.store import ProjectStore
from studio.story.novel import LANGUAGE_NAMES
from studio.story.status import PipelineStage

_UNREAD = frozenset(
    [
        *(PipelineStage.DRAFTING, PipelineStage.DRAFTED, PipelineStage.SUMMARIZED),
        *(PipelineStage.REFINED, PipelineStage.REVISING),
    ]
)
"""The stages of a chapter whose present text no judge has read."""


def novel_gateway(
    settings: Settings, store: ProjectStore, emit: Emitter
) -> tuple[Settings, Gateway | None]:
    """Returns the settings, completed with what the model server reports, and the gateway in
    force, None where there is no model. StudioError (exit 2) if the named provider is
    unavailable, of type OutOfReach unless it was named for this command alone."""
    if _first_choice(settings).provider is None:
        return settings, None
    settings = with_window(settings, store.state_folder)
    choice = choose_provider(settings)
    if choice.provider is None:
        return settings, None
    for warning in _warnings(settings, choice.provider):
        emit.warn(warning)
    if sentence := instructions_sentence(store.root, store.state_folder):
        emit.warn(sentence)
    return settings, gateway_of(choice.provider, choice, store.journal, settings, emit)


def _first_choice(settings: Settings) -> ProviderChoice:
    try:
        return choose_provider(settings)
    except StudioError as error:
        if settings.provenance("provider.name") == "command line":
            raise
        raise OutOfReach(error.problem) from error


def _warnings(settings: Settings, provider: Provider) -> list[str]:
    profile = provider.profile
    warnings = [profile.note] if profile.note else []
    if not profile.free and (warning := models_of_the_novel(settings)):
        warnings.append(warning)
    language = settings.novel.language
    if language not in profile.languages:
        warnings.append(
            said(
                "{model} is not made for {language}, as far as is known; languages under its "
                "name in provider.endpoints of your own config.toml says otherwise.",
                model=provider.model_for("deep"),
                language=LANGUAGE_NAMES[language],
            )
        )
    if not profile.window_known:
        warnings.append(
            said(
                "How much {name} can read at once is not known, because its server does not "
                "say. {tokens} tokens are assumed; set window under its address in "
                "provider.endpoints of your own config.toml.",
                name=provider.model_for("deep"),
                tokens=f"{profile.window:,}",
            )
        )
    return warnings


def gateway_of_run(
    store: ProjectStore,
    gateway_for: GatewayFor,
    order: WriteOrder,
    target: RunTarget,
    emit: Emitter,
) -> Gateway | None:
    """Returns the gateway of a run; None for a run that needs no model where there is none.

    A model that is named in the settings and unavailable holds up a chapter only if it is to draft
    the chapter or has begun it: the author's own text, and text that is judged already, go on.
    StudioError (exit 2) for the others.
    """
    if _needs_a_drafter(store, order, target):
        return gateway_or_refusal(gateway_for(emit))
    if _has_begun_it(store, order, target):
        return gateway_for(emit)
    return gateway_if_any(gateway_for, emit)


def _needs_a_drafter(store: ProjectStore, order: WriteOrder, target: RunTarget) -> bool:
    """Whether a chapter begins that nobody has written yet."""
    has_text = order.text is not None or store.chapter(target.chapter) is not None
    return target.purpose == "begin" and not has_text


def _has_begun_it(store: ProjectStore, order: WriteOrder, target: RunTarget) -> bool:
    """Whether a model began the chapter in work and one has yet to read or finish it."""
    checkpoint = store.checkpoint()
    is_hers = order.text is not None or checkpoint.own_text
    return target.purpose == "go on" and not is_hers and checkpoint.pipeline_stage in _UNREAD
