"""One novel, as whatever works on it takes it: its files, its settings, its language, a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studio.config.schema import Settings
    from studio.pipeline.gateway import GatewayFor
    from studio.project.store import ProjectStore
    from studio.text.language.packs import LanguagePack


@dataclass(frozen=True)
class Novel:
    """An open novel, with the settings and the model of one piece of work."""

    store: ProjectStore
    settings: Settings
    gateway_for: GatewayFor

    @cached_property
    def pack(self) -> LanguagePack:
        """The language pack, with the phrases of the novel's own blacklist. StudioError 5 for a
        blacklist that is damaged."""
        from studio.text.language.packs import for_form, load_pack

        phrases, novel = [e.phrase for e in self.store.blacklist().entries], self.settings.novel
        return for_form(
            load_pack(novel.language).with_phrases(phrases),
            novel.is_serial,
            novel.word_for_chapters,
        )

    def ready(self) -> Novel:
        """Returns the novel with its pack read, so that damage is said before any work begins."""
        _ = self.pack
        return self


@dataclass(frozen=True)
class OnNovel:
    """What does a piece of work on one novel: its files, settings and language are at hand."""

    novel: Novel

    @property
    def store(self) -> ProjectStore:
        """The novel's files."""
        return self.novel.store

    @property
    def settings(self) -> Settings:
        """The novel's settings."""
        return self.novel.settings

    @property
    def pack(self) -> LanguagePack:
        """The novel's language pack; StudioError as in `Novel.pack`."""
        return self.novel.pack
