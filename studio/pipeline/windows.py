"""How much the model in force takes at once, where its id does not say: the server is asked, and
what was learned is remembered for its address (BOOK 6)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from studio.config.load import keep_window
from studio.config.schema import EndpointProfile, Settings
from studio.llm.choose import asks_for_window
from studio.llm.provider import Provider
from studio.pipeline.gateway import choice_of


def with_window(settings: Settings, state: Path | None) -> Settings:
    """The settings with the window that the server states now, remembered in the `state` folder;
    as they are where it states none, or the writer or the model's id has said it.

    Blocks for some milliseconds, at most for the seconds a server is given. StudioError (exit 2)
    where the provider that is named cannot be had.
    """
    provider = choice_of(settings).provider
    if provider is None or not _may_be_asked(settings, provider):
        return settings
    ask = asks_for_window(provider)
    if ask is None:
        return settings
    with ThreadPoolExecutor(max_workers=1) as pool:  # the caller may have a loop of its own
        window = pool.submit(lambda: asyncio.run(ask())).result()
    if window is None:
        return settings
    return remembered_window(settings, state, window)


def remembered_window(settings: Settings, state: Path | None, window: int) -> Settings:
    """The settings with this window for the address in force, kept for the next time."""
    url = settings.provider.base_url or ""
    facts = settings.provider.endpoints.get(url) or EndpointProfile()
    if facts.window == window:
        return settings
    if state is not None:
        keep_window(state, url, window)
    endpoints = {
        **settings.provider.endpoints,
        url: facts.model_copy(update={"window": window}),
    }
    provider = settings.provider.model_copy(update={"endpoints": endpoints})
    return settings.model_copy(update={"provider": provider})


def window_is_assumed(settings: Settings) -> bool:
    """Whether nobody has said how much the model in force takes; StudioError as for
    `with_window`."""
    provider = choice_of(settings).provider
    return provider is not None and not provider.profile.window_known


def _may_be_asked(settings: Settings, provider: Provider) -> bool:
    url = settings.provider.base_url or ""
    by_probe = settings.provenance(f"provider.endpoints.{url}.window") == "probe"
    return by_probe or not provider.profile.window_known
