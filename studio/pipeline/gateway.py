"""From the settings to a model: which provider is called, the gateway that a run uses, and what the
writer is told before a model is called."""

from __future__ import annotations

from collections.abc import Callable

from studio.config.endpoints import VENDOR_URL
from studio.config.schema import Settings
from studio.errors import Exit, Problem, StudioError
from studio.llm.budget import Caps
from studio.llm.choose import (
    ProviderChoice,
    choose_provider,
    chosen_provider,
    keyless_provider,
    route_of,
)
from studio.llm.errors import Cap
from studio.llm.gateway import Gateway
from studio.llm.prices import Price, PriceList, published
from studio.llm.provider import Provider, Request
from studio.llm.records import Journal
from studio.llm.retry import retry_sentence
from studio.llm.stream import Deadlines
from studio.messages import said, series
from studio.pipeline.events import Emitter, Waiting, unheard, usage_event
from studio.pipeline.windows import with_window
from studio.project.novel_settings import instructions_sentence
from studio.project.store import ProjectStore
from studio.story.calls import is_of_beginning, what_is_awaited
from studio.story.novel import LANGUAGE_NAMES
from studio.story.records import UsageEntry

GatewayFor = Callable[[Emitter], Gateway | None]
"""Makes the gateway of a run whose events go to the emitter; None where there is no model."""


class OutOfReach(StudioError):
    """The provider named in the settings is unavailable: no key, no address, no file (exit 2)."""


def gateway_if_any(gateway_for: GatewayFor, emit: Emitter) -> Gateway | None:
    """Returns the gateway for work that can be done without a model. If the provider named in
    the settings is unavailable, warns and returns None, as if none were named."""
    try:
        return gateway_for(emit)
    except OutOfReach as error:
        emit.warn(
            said(
                "{message} What needs no model goes on. {hint}",
                message=error.problem.message,
                hint=error.problem.hint,
            )
        )
        return None


def gateway_or_refusal(gateway: Gateway | None) -> Gateway:
    """Returns the gateway; StudioError (exit 2) if work of a model is asked for and there is
    none."""
    if gateway is not None:
        return gateway
    raise StudioError(
        Problem(
            said("No model is configured, and this step needs one."),
            said(
                "Set ANTHROPIC_API_KEY, pass --provider embedded, or bring your own text with "
                "--draft FILE. `studio doctor` says what is missing."
            ),
            exit_code=Exit.USAGE,
            kind="no_model",
        )
    )


def choice_to_look(settings: Settings) -> ProviderChoice:
    """Like `choose_provider`, for callers that make no calls: a named provider that is unavailable
    counts as none, with the problem as the reason."""
    try:
        return choose_provider(settings)
    except StudioError as error:
        return ProviderChoice(None, str(error.problem), Deadlines())


def prices_of(settings: Settings) -> PriceList:
    """Returns the published prices, overridden by the writer's own, plus those of the vendor
    whose server is in use for models that neither list names."""
    name = chosen_provider(settings)
    host = route_of(name, settings).host if name and name != "embedded" else ""
    at_the_vendor = published().at(host or VENDOR_URL)
    return at_the_vendor.with_own(
        {
            model: Price(
                price.input,
                price.output,
                price.input if price.cache_read is None else price.cache_read,
                1.25 * price.input if price.cache_write is None else price.cache_write,
            )
            for model, price in settings.prices.items()
        }
    )


def caps_of(settings: Settings) -> Caps:
    """Returns the caps in force: the lower of the novel's and the writer's, and her daily cap
    over all novels."""
    budget = settings.budget
    caps: dict[Cap, str] = {"chapter": "chapter_usd", "day": "day_usd", "project": "project_usd"}
    return Caps(
        budget.chapter_usd,
        budget.day_usd,
        budget.project_usd,
        all_novels_usd=settings.own.budget.day_usd,
        of_the_writer=frozenset(
            cap
            for cap, name in caps.items()
            if settings.provenance(f"budget.{name}") != "studio.toml"
        ),
    )


def models_of_the_novel(settings: Settings) -> str:
    """Returns a sentence if the novel asks for other models than the writer's own; else ""."""
    own, roles = settings.own.models, {}
    for role, model in settings.models:
        if settings.provenance(f"models.{role}") == "studio.toml" and model != getattr(own, role):
            roles[role] = said(
                "{model} in place of your {own} ({role})",
                model=model,
                own=getattr(own, role),
                role=role,
            )
    if not roles:
        return ""
    return said(
        "This novel asks for models other than those you set: {names}.",
        names=series(roles.values()),
    )


def gateway_of(
    provider: Provider, choice: ProviderChoice, journal: Journal, settings: Settings, emit: Emitter
) -> Gateway:
    """Returns the gateway to a provider within the writer's budget; waits and costs are emitted
    as events."""
    return Gateway(
        provider,
        journal,
        caps_of(settings),
        prices=prices_of(settings),
        deadlines=choice.deadlines,
        pause=settings.timeouts.pause,
        on_usage=lambda entry: emit(usage_event(entry, _spent_so_far(journal, entry))),
        on_retry=lambda *failure: emit.warn(retry_sentence(*failure)),
        on_warning=emit.warn,
        on_call=lambda request, seconds: emit(_wait(request, seconds)),
    )


def _wait(request: Request, seconds: float | None) -> Waiting:
    return Waiting(
        chapter=None if is_of_beginning(request.generation_id) else request.chapter,
        agent=request.agent,
        scene=request.scene,
        what=what_is_awaited(
            request.agent, request.generation_id, of_a_passage=request.of_a_passage
        ),
        about=None if seconds is None else max(1, round(seconds)),
    )


def _spent_so_far(journal: Journal, entry: UsageEntry) -> float | None:
    return None if entry.chapter is None else journal.spent_on(entry.chapter)


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


def gateway_to_look(choice: ProviderChoice, journal: Journal, settings: Settings) -> Gateway:
    """Returns a gateway for looking at what a call would be made of, without making one. Without
    a model it is the vendor's, with the models that are set or else the vendor's defaults."""
    provider = choice.provider or keyless_provider(settings)
    return gateway_of(provider, choice, journal, settings, unheard())
