"""The way to a model for one novel, and what the writer is told before it is asked."""

from __future__ import annotations

from studio.config.schema import Settings
from studio.llm.gateway import Gateway
from studio.llm.provider import Provider
from studio.pipeline.events import Emitter
from studio.pipeline.gateway import choice_of, gateway_of, models_of_the_novel
from studio.pipeline.windows import with_window
from studio.project.store import ProjectStore


def novel_gateway(
    settings: Settings, store: ProjectStore, emit: Emitter
) -> tuple[Settings, Gateway | None]:
    """The gateway in force, None where there is no model; and the settings with what its server
    says of itself. StudioError (exit 2) where the provider that is named cannot be had."""
    if choice_of(settings).provider is None:
        return settings, None
    settings = with_window(settings, store.state_folder)
    choice = choice_of(settings)
    if choice.provider is None:
        return settings, None
    for warning in _warnings(settings, choice.provider):
        emit.warn(warning)
    return settings, gateway_of(choice.provider, choice, store.journal, settings, emit)


def _warnings(settings: Settings, provider: Provider) -> list[str]:
    profile = provider.profile
    warnings = [profile.note] if profile.note else []
    if not profile.free and (warning := models_of_the_novel(settings)):
        warnings.append(warning)
    if not profile.window_known:
        warnings.append(
            f"How much {provider.model_for('deep')} takes at once is not known, for its server does"
            f" not say. {profile.window:,} tokens are assumed; window under its address in"
            " provider.endpoints of your own config.toml says it."
        )
    return warnings
