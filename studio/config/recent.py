"""What the app remembers on this machine: recent novels and the writer's place.

It is kept in the state folder, never in a novel. A damaged memory counts as empty: nothing in it is
irreplaceable. It is read before the first frame, so this module imports nothing that is slow to
load (performance P5).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from studio.config.paths import state_dir
from studio.errors import StudioError
from studio.foreign_json import read_json

_FILE = "app.json"
_MOST_RECENT = 20


class ReadTo(NamedTuple):
    """The point up to which the writer has read the book."""

    chapter: int
    scene: int = 1
    paragraph: int = 0
    """The paragraph; 0 is the beginning of the chapter."""


class LastPlace(NamedTuple):
    """The writer's place in a novel when she left it."""

    chapter: int | None = None
    paragraph: tuple[int, int] | None = None
    """The scene and the number of the paragraph she was reading."""
    tab: str = "draft"
    outline_width: int | None = None
    directives_width: int | None = None
    read: ReadTo | None = None
    """Her place on the page that reads the book through."""


class Recent(NamedTuple):
    """A novel that was opened on this machine."""

    folder: str
    title: str
    language: str = ""


class RecentNovels(NamedTuple):
    """Everything that is remembered, with the most recently opened novel first."""

    recent: tuple[Recent, ...] = ()
    places: Mapping[str, LastPlace] = MappingProxyType({})
    """The writer's place in each novel, by its folder."""
    theme: str | None = None

    def place(self, folder: Path) -> LastPlace:
        """Returns the writer's place in the novel of this folder."""
        return self.places.get(str(folder), LastPlace())

    def novel(self, folder: Path) -> Recent | None:
        """Returns the novel of this folder as it was last opened; None if it is not remembered."""
        return next((novel for novel in self.recent if novel.folder == str(folder)), None)

    def with_novel(self, folder: Path, title: str, language: str) -> RecentNovels:
        """Returns a copy with the novel at the top of the list."""
        novel = Recent(folder=str(folder), title=title, language=language)
        older = tuple(r for r in self.recent if r.folder != novel.folder)
        recent = (novel, *older)[:_MOST_RECENT]
        names = {r.folder for r in recent}
        places = {name: place for name, place in self.places.items() if name in names}
        return RecentNovels(recent=recent, places=places, theme=self.theme)

    def with_place(self, folder: Path, place: LastPlace) -> RecentNovels:
        """Returns a copy that records the writer's place in the novel."""
        place = place if place.read else place._replace(read=self.place(folder).read)
        return self._replace(places={**self.places, str(folder): place})

    def with_theme(self, theme: str) -> RecentNovels:
        """Returns a copy with the chosen theme."""
        return self._replace(theme=theme)

    def over(self, present: RecentNovels, since: RecentNovels) -> RecentNovels:
        """Returns `present`, which another window may have written meanwhile, with what has changed
        in this memory `since` it was read."""
        merged = present
        for novel in reversed(self.recent):
            if novel not in since.recent or self.recent[0] == novel != since.recent[0]:
                merged = merged.with_novel(Path(novel.folder), novel.title, novel.language)
        own = {n: at for n, at in self.places.items() if at != since.places.get(n)}
        theme = merged.theme if self.theme == since.theme else self.theme
        return merged._replace(places={**merged.places, **own}, theme=theme)


def recall(environ: Mapping[str, str]) -> RecentNovels:
    """Reads the memory; returns an empty one if it cannot be read."""
    try:
        return _memory(read_json((state_dir(environ) / _FILE).read_bytes(), dict))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return RecentNovels()


def keep(
    environ: Mapping[str, str], memory: RecentNovels, since: RecentNovels | None = None
) -> None:
    """Saves the memory; silently gives up if the state folder cannot be written. What other windows
    saved `since` this one read its memory stays."""
    import json

    from studio.config.load import keep_in_state

    if since is not None:
        memory = memory.over(recall(environ), since)
    record = memory._asdict() | {
        "recent": [novel._asdict() for novel in memory.recent],
        "places": {folder: place._asdict() for folder, place in memory.places.items()},
    }
    data = json.dumps(record, ensure_ascii=False, indent=2, sort_keys=True)
    try:
        keep_in_state(environ, _FILE, f"{data}\n".encode(errors="replace"))
    except StudioError:
        return


def _memory(data: dict[str, Any]) -> RecentNovels:
    """Parses the remembered data; raises an error of any kind if it does not fit."""
    recent = tuple(Recent(**novel) for novel in data["recent"])
    names = [name for novel in recent for name in (novel.folder, novel.title, novel.language)]
    theme = data["theme"]
    if not all(isinstance(name, str) for name in (*names, theme or "")):
        raise TypeError(_FILE)
    return RecentNovels(
        recent, {where: _place(**place) for where, place in data["places"].items()}, theme
    )


def _place(
    paragraph: list[int] | None,
    tab: str,
    read: list[int] | None = None,
    **numbers: int | None,
) -> LastPlace:
    here = None if paragraph is None else (paragraph[0], paragraph[1])
    read_to = None if read is None else ReadTo(*read)
    if not all(
        isinstance(n, int | None) for n in (*numbers.values(), *(here or ()), *(read or ()))
    ):
        raise TypeError(_FILE)
    return LastPlace(paragraph=here, tab=tab, read=read_to, **numbers)
