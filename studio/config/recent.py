"""What the app remembers on this machine: recent novels, the writer's place, unsaved text.

It is kept in the state folder, never in a novel. A damaged memory counts as empty: nothing in it is
irreplaceable except unsaved text, which has a file of its own. It is read before the first frame,
so this module imports nothing that is slow to load (performance P5).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from studio.config.paths import state_dir
from studio.errors import StudioError
from studio.tuples import NamedTuple

_FILE = "app.json"
_MOST_RECENT = 20


class ReadTo(NamedTuple):
    """The point up to which the writer has read the book."""

    chapter: int
    scene: int = 1
    paragraph: int = 0
    """The paragraph; 0 is the beginning of the chapter."""


class Place(NamedTuple):
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


class Memory(NamedTuple):
    """Everything that is remembered, with the most recently opened novel first."""

    recent: tuple[Recent, ...] = ()
    places: Mapping[str, Place] = MappingProxyType({})
    """The writer's place in each novel, by its folder."""
    theme: str | None = None

    def place(self, folder: Path) -> Place:
        """Returns the writer's place in the novel of this folder."""
        return self.places.get(str(folder), Place())

    def novel(self, folder: Path) -> Recent | None:
        """Returns the novel of this folder as it was last opened; None if it is not remembered."""
        return next((novel for novel in self.recent if novel.folder == str(folder)), None)

    def with_novel(self, folder: Path, title: str, language: str) -> Memory:
        """Returns a copy with the novel at the top of the list."""
        novel = Recent(folder=str(folder), title=title, language=language)
        older = tuple(r for r in self.recent if r.folder != novel.folder)
        recent = (novel, *older)[:_MOST_RECENT]
        names = {r.folder for r in recent}
        places = {name: place for name, place in self.places.items() if name in names}
        return Memory(recent=recent, places=places, theme=self.theme)

    def with_place(self, folder: Path, place: Place) -> Memory:
        """Returns a copy that records the writer's place in the novel."""
        place = place if place.read else place._replace(read=self.place(folder).read)
        return self._replace(places={**self.places, str(folder): place})

    def with_theme(self, theme: str) -> Memory:
        """Returns a copy with the chosen theme."""
        return self._replace(theme=theme)


def recall(environ: Mapping[str, str]) -> Memory:
    """Reads the memory; returns an empty one if it cannot be read."""
    try:
        return _memory(orjson.loads((state_dir(environ) / _FILE).read_bytes()))
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Memory()


def keep(environ: Mapping[str, str], memory: Memory) -> None:
    """Saves the memory; silently gives up if the state folder cannot be written."""
    import json

    from studio.config.load import keep_in_state

    record = memory._asdict() | {
        "recent": [novel._asdict() for novel in memory.recent],
        "places": {folder: place._asdict() for folder, place in memory.places.items()},
    }
    data = json.dumps(record, ensure_ascii=False, indent=2, sort_keys=True)
    try:
        keep_in_state(environ, _FILE, f"{data}\n".encode(errors="replace"))
    except StudioError:
        return


def unsaved_path(environ: Mapping[str, str], folder: Path, chapter: int) -> Path:
    """Returns the path of the file that holds an editor's unsaved text of a chapter."""
    return state_dir(environ) / _unsaved_name(folder, chapter)


def keep_unsaved(environ: Mapping[str, str], folder: Path, chapter: int, text: str) -> Path:
    """Saves an editor's text; raises StudioError (exit 1) if it cannot be written."""
    from studio.config.load import keep_in_state

    return keep_in_state(environ, _unsaved_name(folder, chapter), text.encode())


def forget_unsaved(environ: Mapping[str, str], folder: Path, chapter: int) -> None:
    """Deletes the unsaved text once the novel contains it; raises StudioError (exit 1) if it
    cannot."""
    from studio.config.load import drop_from_state

    drop_from_state(environ, _unsaved_name(folder, chapter))


def unsaved_text(environ: Mapping[str, str], folder: Path, chapter: int) -> str | None:
    """Returns what an editor held when it was closed or killed; None if nothing is left."""
    try:
        return unsaved_path(environ, folder, chapter).read_bytes().decode() or None
    except (OSError, UnicodeDecodeError):
        return None


def renumber_unsaved(environ: Mapping[str, str], folder: Path, numbers: Mapping[int, int]) -> None:
    """Renames unsaved texts and plans along with their chapters (old to new number)."""
    texts = {old: unsaved_text(environ, folder, old) for old in numbers}
    plans = {old: typed_before(environ, folder, plan_form(old)) for old in numbers}
    for old in numbers:
        if texts[old] is not None:
            forget_unsaved(environ, folder, old)
        if plans[old]:
            forget_typed(environ, folder, plan_form(old))
    for old, new in numbers.items():
        if (text := texts[old]) is not None:
            keep_unsaved(environ, folder, new, text)
        if plans[old]:
            keep_typed(environ, folder, plan_form(new), plans[old])


def plan_form(chapter: int) -> str:
    """Returns the name under which the fields of a chapter's plan form are saved."""
    return f"plan-{chapter}"


def keep_typed(
    environ: Mapping[str, str], folder: Path, form: str, fields: Mapping[str, str]
) -> None:
    """Saves what was typed into a form; raises StudioError (exit 1) if it cannot be written."""
    import json

    from studio.config.load import keep_in_state

    data = json.dumps(dict(fields), ensure_ascii=False).encode(errors="replace")
    keep_in_state(environ, _form_name(folder, form), data)


def forget_typed(environ: Mapping[str, str], folder: Path, form: str) -> None:
    """Deletes the saved fields of a form once the novel contains them."""
    from studio.config.load import drop_from_state

    drop_from_state(environ, _form_name(folder, form))


def typed_before(environ: Mapping[str, str], folder: Path, form: str) -> dict[str, str]:
    """Returns what a form held when it was left or killed; empty if nothing was saved."""
    import json

    try:
        fields = json.loads((state_dir(environ) / _form_name(folder, form)).read_bytes())
        return {str(key): value for key, value in fields.items() if isinstance(value, str)}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def _memory(data: dict[str, Any]) -> Memory:
    """Parses the remembered data; raises an error of any kind if it does not fit."""
    recent = tuple(Recent(**novel) for novel in data["recent"])
    names = [name for novel in recent for name in (novel.folder, novel.title, novel.language)]
    theme = data["theme"]
    if not all(isinstance(name, str) for name in (*names, theme or "")):
        raise TypeError(_FILE)
    return Memory(
        recent, {where: _place(**place) for where, place in data["places"].items()}, theme
    )


def _place(
    paragraph: list[int] | None,
    tab: str,
    read: list[int] | None = None,
    **numbers: int | None,
) -> Place:
    here = None if paragraph is None else (paragraph[0], paragraph[1])
    read_to = None if read is None else ReadTo(*read)
    if not all(
        isinstance(n, int | None) for n in (*numbers.values(), *(here or ()), *(read or ()))
    ):
        raise TypeError(_FILE)
    return Place(paragraph=here, tab=tab, read=read_to, **numbers)


def _unsaved_name(folder: Path, chapter: int) -> str:
    from hashlib import sha256

    return f"unsaved-{sha256(str(folder).encode()).hexdigest()[:12]}-{chapter:03d}.md"


def _form_name(folder: Path, form: str) -> str:
    from hashlib import sha256

    return f"unsaved-form-{sha256(f'{folder}|{form}'.encode()).hexdigest()[:24]}.json"
