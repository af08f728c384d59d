"""From the settings to a model: who is asked, and the gateway a run asks through."""

from __future__ import annotations

from studio.llm.budget import Caps
from studio.llm.choose import Choice, Wanted, choose_provider
from studio.llm.gateway import Gateway
from studio.llm.journal import Journal
from studio.llm.patience import retry_sentence
from studio.llm.provider import Provider
from studio.pipeline.events import Emitter, usage_event
from studio.settings import Settings


def choice_of(settings: Settings) -> Choice:
    """Who would be asked with these settings, and why; a novel is not needed."""
    provider, models = settings.provider, settings.models
    known = provider.endpoints.get(provider.base_url or "")
    return choose_provider(
        Wanted(
            provider=provider.name,
            api_key=provider.api_key.get_secret_value() if provider.api_key else None,
            base_url=provider.base_url,
            models={
                "deep": models.deep,
                "standard": models.standard,
                "fast": models.fast,
            },
            model_file=provider.model_file,
            known=known.model_dump(exclude_none=True) if known else None,
            first_byte=settings.timeouts.first_byte,
            idle=settings.timeouts.idle,
            total=settings.timeouts.total,
        )
    )


def gateway_of(
    provider: Provider, choice: Choice, journal: Journal, settings: Settings, emit: Emitter
) -> Gateway:
    """The way to a provider within the writer's budget; waits and costs are said as events."""
    budget = settings.budget
    return Gateway(
        provider,
        journal,
        Caps(budget.chapter_usd, budget.day_usd, budget.project_usd),
        deadlines=choice.deadlines,
        pause=settings.timeouts.pause,
        on_usage=lambda entry: emit(usage_event(entry)),
        on_retry=lambda *failed: emit.warn(retry_sentence(*failed)),
        on_warning=emit.warn,
    )
