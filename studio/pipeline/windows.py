"""The context window of the model in force where its id does not reveal it: the server is asked,
and the answer is remembered for its address (BOOK 6)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from studio.config.load import keep_window
from studio.config.schema import EndpointProfile, Settings
from studio.llm.choose import Choice, asks_for_window, choose_provider


def with_window(settings: Settings, state: Path | None) -> Settings:
    """Returns the settings with the window that the server reports now, remembered in the `state`
    folder; unchanged if it reports none, or if the writer or the model's id has given it.

    Blocks for some milliseconds, at most for the seconds a server is allowed. StudioError (exit 2)
    if the named provider is unavailable.
    """
    choice = choose_provider(settings)
    if choice.provider is None or not _may_be_asked(settings, choice):
        return settings
    ask = asks_for_window(choice.provider)
    if ask is None:
        return settings
    with ThreadPoolExecutor(max_workers=1) as pool:  # the caller may have a loop of its own
        window = pool.submit(lambda: asyncio.run(ask())).result()
    if window is None:
        return settings
    return remembered_window(settings, state, window)


def remembered_window(settings: Settings, state: Path | None, window: int) -> Settings:
    """Returns the settings with this window for the address in force, and remembers it."""
    url = choose_provider(settings).endpoint
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
    """Whether the window of the model in force is only assumed. StudioError as for
    `with_window`."""
    provider = choose_provider(settings).provider
    return provider is not None and not provider.profile.window_known


def _may_be_asked(settings: Settings, choice: Choice) -> bool:
    by_probe = settings.provenance(f"provider.endpoints.{choice.endpoint}.window") == "probe"
    return by_probe or (choice.provider is not None and not choice.provider.profile.window_known)
