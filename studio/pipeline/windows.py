"""The context window of the model in force where its id does not reveal it: the server is asked,
and the answer is remembered for its address (BOOK 6)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from studio.config.load import keep_window
from studio.config.schema import EndpointProfile, Settings
from studio.errors import StudioError
from studio.llm.choose import ProviderChoice, asks_for_window, choose_provider
from studio.llm.provider import WINDOWS
from studio.messages import said
from studio.story.form.numerals import whole_number


class WindowQuestion(NamedTuple):
    """The question how much a model can read at once; both faces ask it, in the same words."""

    model: str
    assumed: int
    """The window in tokens that is assumed as long as nobody answers."""

    @property
    def reason(self) -> str:
        """Why it is asked, in a sentence."""
        return said("The server does not say how much {name} can read at once.", name=self.model)

    @property
    def words(self) -> str:
        """What is asked for; the answer is typed behind it."""
        return said("Its window in tokens, or Enter for {n}: ", n=f"{self.assumed:,}")

    def window_in(self, typed: str) -> int | None:
        """Returns the window that was typed, the assumed one for an empty line; None for what is
        no window, which `REFUSED` says."""
        number = whole_number(typed.strip().replace(",", "").replace("_", "") or str(self.assumed))
        return number if number is not None and number in WINDOWS else None


REFUSED = said("A window is a whole number of tokens, {start} or more.", start=WINDOWS.start)
"""What is said to an answer that is no window."""


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


def window_question(
    settings: Settings, state: Path | None
) -> tuple[Settings, WindowQuestion | None]:
    """Returns the settings with the window that the server reports now, and the question for the
    writer where neither it nor anybody else has said it; None where there is nothing to ask, also
    where no model can be had, which the run reports. Blocks like `with_window`."""
    try:
        settings = with_window(settings, state)
        provider = choose_provider(settings).provider
    except StudioError:
        return settings, None
    if provider is None or provider.profile.window_known:
        return settings, None
    return settings, WindowQuestion(provider.model_for("deep"), provider.profile.window)


def _may_be_asked(settings: Settings, choice: ProviderChoice) -> bool:
    by_probe = settings.provenance(f"provider.endpoints.{choice.endpoint}.window") == "probe"
    return by_probe or (choice.provider is not None and not choice.provider.profile.window_known)
