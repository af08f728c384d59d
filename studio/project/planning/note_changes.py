"""Writes notes of the book from a form: the brief, the style, people, places and things, rules,
storylines, promises, secrets. Each change is one step with history that `undo` reverts.

In a file with many entries only the one entry changes; fields that the form does not show are
preserved. A text is refused if somebody else has changed it in the meantime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.files import front_matter, load
from studio.project.planning.names import id_of_entry, new_id
from studio.project.planning.plan_change import PlanFiles, carry, hold_for_planning, same_ones
from studio.project.store import ProjectStore
from studio.story.bible_entry import EntryKind
from studio.story.form.document import encode, to_bytes
from studio.story.form.ids import refuse_long_names
from studio.story.form.validation import parse_json
from studio.story.novel import (
    CharacterContract,
    Promise,
    Rule,
    Storyline,
    StyleProfile,
    WorldRules,
)

R = TypeVar("R")
FOLDERS: Mapping[EntryKind, str] = {
    "place": "places",
    "item": "items",
    "faction": "factions",
    "lore": "lore",
}
"""The folder in world/ for each kind of entry; people have a folder of their own."""
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n)+", re.DOTALL | re.MULTILINE)


def split_text(text: str) -> tuple[str, str]:
    """Splits a text into its front matter, unchanged, and the rest."""
    match = _FRONT.match(text)
    return (match[0], text[match.end() :]) if match else ("", text)


def style_in_words(profile: StyleProfile) -> dict[str, str]:
    """Returns a style profile as it is read and written: the words of each of its fields, a line
    for each entry of a list."""
    values = profile.model_dump(exclude={"schema_version"})
    return {
        name: (value if isinstance(value, str) else "\n".join(value)).strip()
        for name, value in values.items()
    }


@dataclass(frozen=True, slots=True)
class NoteChanges:
    """Every method takes the lock and returns the id of what was written; if `own_id` is empty it
    creates an id from the name and ignores the id in the value.

    Raises StudioError: exit 2 for an invalid or concurrent change, 3 while somebody writes the
    novel, 5 for a file that cannot be read.
    """

    store: ProjectStore

    def brief(self, text: str, before: str) -> str:
        """Writes the brief: what the book is about."""
        return self._text(places.BRIEF, text, before, said("The brief was changed."))

    def style(self, words: Mapping[str, str], before: Mapping[str, str]) -> str:
        """Writes how the author writes, field by field as `style_in_words` returns it."""

        def files(draft: PlanFiles) -> str:
            present = self.store.style_profile()
            if style_in_words(present) != before:
                raise _changed_meanwhile(places.STYLE_PROFILE)
            fields = type(present).model_fields
            lists = {name for name in words if isinstance(fields[name].default, tuple)}
            changes = {
                name: tuple(filter(None, map(str.strip, text.splitlines())))
                if name in lists
                else text.strip()
                for name, text in words.items()
            }
            draft.files[places.STYLE_PROFILE] = to_bytes(present.copy_with(**changes))
            return places.STYLE_PROFILE

        return self._change(said("The style was changed."), files)

    def person(
        self,
        own_id: str,
        person: CharacterContract,
        text: str,
        before: str,
        exclude: Sequence[str] | None = None,
    ) -> str:
        """Writes a person: the L2 contract, and the profile after its front matter, where the
        look-alikes `exclude` stand; None leaves them as they are."""

        def files(draft: PlanFiles) -> str:
            store = self.store
            own = (person.name, *person.aliases)
            slug = own_id or id_of_entry(store, own, "person", set(store.characters()))
            path = store.layout.profile(slug)
            front = self._front(path, before)
            if exclude is not None:
                front = _with_look_alikes(front, exclude, path)
            draft.files[store.layout.character(slug)] = to_bytes(person.copy_with(id=slug))
            if text.strip() or front:
                draft.files[path] = f"{front}{text.strip()}\n".encode()
            return slug

        return self._change(said("What is known of {name} was changed.", name=person.name), files)

    def entry(
        self,
        path: str,
        kind: EntryKind,
        name: str,
        aliases: Sequence[str],
        text: str,
        before: str,
        exclude: Sequence[str] | None = None,
    ) -> str:
        """Writes a place, a thing, a group or lore, with its look-alikes `exclude` (None leaves
        them as they are); an empty path creates a file in the folder of its kind."""
        if not name.strip():
            raise usage(
                said("It has no name yet."), said("Say in the first field what it is called.")
            )
        refuse_long_names(name, *aliases)

        def files(draft: PlanFiles) -> str:
            target = path or self._new_entry(kind, name)
            present = load.text(self.store.root, target) or ""
            fields, body = front_matter.split_front_matter(present, target)
            if path and body.strip() != before.strip():
                raise _changed_meanwhile(target)
            own = {"name", "aliases"} | ({"exclude"} if exclude is not None else set())
            stay = {key: fields[key] for key in fields if key not in own}
            named = {
                "name": name,
                **_list_words("aliases", aliases),
                **_list_words("exclude", exclude),
            }
            draft.files[target] = front_matter.join({**stay, **named}, text).encode()
            return target

        return self._change(said("The note on {name} was changed.", name=name), files)

    def decided(self) -> str:
        """Returns what she answered to hold from now on, as it stands in the file, a line each."""
        return split_text(load.text(self.store.root, places.DECIDED) or "")[1].strip()

    def rules(
        self,
        rules: Sequence[str],
        decided: str = "",
        before: str = "",
        reasons: Mapping[str, str] | None = None,
    ) -> str:
        """Writes the laws of the world in this order, with their `reasons` by their words; None: a
        reason stays with its rule. With them what
        she `decided` to hold from now on, which was `before`: a line that is gone holds no more."""

        def files(draft: PlanFiles) -> str:
            if decided.strip() != before.strip():
                front = self._front(places.DECIDED, before)
                page = f"{front}{decided.strip()}\n".encode()
                draft.files[places.DECIDED] = page if decided.strip() else None
            present = self.store.world_rules()
            olds = same_ones(present.rules, rules, lambda rule: rule.rule)
            ids_in_use = {rule.id for rule in present.rules}
            fresh: list[Rule] = []
            for words, old in zip(rules, olds, strict=True):
                slug = old.id if old else new_id("", "rule", ids_in_use)
                ids_in_use.add(slug)
                reason = old.reason if old else ""
                if reasons is not None:
                    reason = reasons.get(words, "")
                fresh.append(Rule(id=slug, rule=words, reason=reason))
            document = WorldRules(rules=tuple(fresh))
            draft.files[places.WORLD_RULES] = to_bytes(document)
            return ""

        return self._change(said("The rules were changed."), files)

    def line(self, own_id: str, line: Storyline) -> str:
        """Writes a storyline."""

        def files(draft: PlanFiles) -> str:
            document = self.store.storylines()
            ids_in_use = [other.id for other in document.storylines]
            slug = own_id or new_id(line.title, "line", ids_in_use)
            fresh = _with(document.storylines, line.copy_with(id=slug))
            fresh_document = document.copy_with(storylines=fresh)
            draft.files[places.STORYLINES] = to_bytes(fresh_document)
            return slug

        return self._change(said("The line {title} was changed.", title=line.title), files)

    def promise(self, own_id: str, promise: Promise) -> str:
        """Writes a promise to the reader."""
        if not promise.description.strip():
            raise usage(
                said("This promise says nothing yet."), said("Say what the reader is promised.")
            )

        def files(draft: PlanFiles) -> str:
            document = self.store.foreshadowing()
            ids_in_use = [other.id for other in document.promises]
            slug = own_id or new_id(promise.description, "promise", ids_in_use)
            fresh = _with(document.promises, promise.copy_with(id=slug))
            fresh_document = document.copy_with(promises=fresh)
            draft.files[places.FORESHADOWING] = to_bytes(fresh_document)
            return slug

        return self._change(said("A promise was changed."), files)

    def secrets(self) -> list[dict[str, Any]]:
        """Returns the secrets as they are in their file."""
        data = self.store.root.find(places.SECRETS)
        document = parse_json(data, places.SECRETS) if data is not None else {}
        return [item for item in document.get("secrets", []) if isinstance(item, dict)]

    def secret(self, secret: Mapping[str, Any]) -> str:
        """Writes a reserved fact (BOOK 4); without an id it is a new one."""
        if not str(secret.get("fact", "")).strip():
            raise usage(said("This secret says nothing yet."), said("Say what is not known."))

        def files(draft: PlanFiles) -> str:
            listed = self.secrets()
            slug = str(secret.get("id") or "")
            if not slug:
                slug = new_id("", "secret", {str(item.get("id")) for item in listed})
            fresh = [{**item, **secret} if item.get("id") == slug else item for item in listed]
            if not any(item.get("id") == slug for item in listed):
                fresh.append({**secret, "id": slug})
            draft.files[places.SECRETS] = encode({"schema_version": 1, "secrets": fresh})
            return slug

        return self._change(said("A secret was changed."), files)

    def _text(self, path: str, text: str, before: str, title: str) -> str:
        def files(draft: PlanFiles) -> str:
            if (load.text(self.store.root, path) or "") != before:
                raise _changed_meanwhile(path)
            draft.files[path] = text.encode()
            return path

        return self._change(title, files)

    def _front(self, path: str, before: str) -> str:
        """Returns the front matter to preserve; raises StudioError (exit 2) if the text after it
        has changed."""
        front, body = split_text(load.text(self.store.root, path) or "")
        if body.strip() != before.strip():
            raise _changed_meanwhile(path)
        return front

    def _new_entry(self, kind: EntryKind, name: str) -> str:
        folder = f"{places.WORLD}/{FOLDERS[kind]}"
        ids_in_use = {file.removesuffix(".md") for file in self.store.root.names(folder)}
        return f"{folder}/{id_of_entry(self.store, (name,), kind, ids_in_use)}.md"

    def _change(self, title: str, files: Callable[[PlanFiles], R]) -> R:
        with hold_for_planning(self.store) as lock:
            draft = PlanFiles(title)
            result = files(draft)
            carry(self.store, lock, draft)
            return result


def _list_words(key: str, words: Sequence[str] | None) -> dict[str, list[str]]:
    return {key: list(words)} if words else {}


def _with_look_alikes(front: str, exclude: Sequence[str], path: str) -> str:
    """Returns a front matter with these look-alikes; unchanged where it has them already."""
    fields, _ = front_matter.split_front_matter(front, path)
    present = fields.get("exclude") or []
    if list(exclude) == ([present] if isinstance(present, str) else list(present)):
        return front
    rest = {key: value for key, value in fields.items() if key != "exclude"}
    fresh = {**rest, **_list_words("exclude", exclude)}
    return front_matter.join(fresh, "").rstrip("\n") + "\n\n" if fresh else ""


def _with(listed: Sequence[Any], item: Any) -> tuple[Any, ...]:
    """Returns the list with `item` replacing the entry with its id, or appended."""
    if any(other.id == item.id for other in listed):
        return tuple(item if other.id == item.id else other for other in listed)
    return (*listed, item)


def _changed_meanwhile(path: str) -> Exception:
    return usage(
        said("{path} was changed by someone else meanwhile.", path=path),
        said("What you typed is kept here: copy it, leave, and open the note again."),
    )
