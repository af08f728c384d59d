"""What was proposed before, as a model is told of it that is to propose it otherwise: in the form
of its answer, with the same fields in the same order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pydantic import BaseModel

from studio.i18n import words_for_the_book
from studio.pipeline.beginning.answers import (
    ChosenPassage,
    OutlineAnswer,
    PersonAnswer,
    StyleAnswer,
    WorldAnswer,
)
from studio.pipeline.beginning.files import LENGTH
from studio.pipeline.beginning.pieces import (
    TAGS,
    ProposedPiece,
    is_rule,
    tags_in_words,
    with_headings,
)
from studio.project import layout as places
from studio.project.layout import Layout
from studio.project.outline import sections
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import first_words

_FORMS: tuple[type[BaseModel], ...] = (WorldAnswer, PersonAnswer, StyleAnswer, OutlineAnswer)
_LISTS = frozenset({"aliases", "always", "never", "knows", "imagery", "do", "avoid"})
"""The fields that are lists, a line of a piece each."""
_HERS, _LEFT_OUT = "the author’s own words", "left out by the author"


class EarlierPiece(NamedTuple):
    """A piece of a proposal, and what its author has made of it."""

    piece: ProposedPiece
    now: str
    """Its words now; empty for what she left out."""
    is_hers: bool = False


def told_again(rows: Iterable[EarlierPiece], pack: LanguagePack) -> str:
    """Returns a proposal as whoever makes it otherwise is told of it: in the form of the answer,
    and below it what of it is in the author's own words, and what she left out; a proposal that is
    no answer of one agent piece by piece, under labels."""
    rows = [row for row in rows if row.now or row.piece.text.strip()]
    form = _in_form(rows)
    if form is None:
        return "\n\n".join(_labelled(row, pack) for row in rows)
    hers = [_place_of(row) for row in rows if row.is_hers and row.now]
    words = [json.dumps(form, ensure_ascii=False, indent=1)]
    if hers:
        words.append(pack.labelled(_HERS, ", ".join(hers)))
    for row in rows:
        if not row.now:
            place = f"{pack.label(_LEFT_OUT)}, {_place_of(row)}"
            words.append(pack.headed(place, row.piece.text.strip()))
    return "\n".join(words)


def is_marked(before: str, pack: LanguagePack) -> bool:
    """Whether it is said in a proposal what of it is her own, or that she left something out."""
    return any(pack.label(mark) in before for mark in (_HERS, _LEFT_OUT))


def _labelled(row: EarlierPiece, pack: LanguagePack) -> str:
    """Returns a piece under its label in the novel's language: below it what has lines of its
    own."""
    piece, words = row.piece, row.now or row.piece.text.strip()
    label = words_for_the_book(piece.label, pack.language)
    if is_rule(piece):  # a rule that is proposed again goes by the same id
        label = f"{label} [{piece.key.rpartition('|')[2]}]"
    if piece.key.endswith(f"|{TAGS}"):
        words = tags_in_words(words, pack)
    if row.is_hers or not row.now:
        label += pack.aside(pack.label(_HERS if row.now else _LEFT_OUT))
    return pack.labelled(label, words)


def _in_form(rows: Iterable[EarlierPiece]) -> dict[str, Any] | None:
    """Returns the pieces as the fields of the answer that they were; None where they were none."""
    fields: dict[str, Any] = {}
    people = {_stem(row.piece) for row in rows if _path(row.piece).endswith(".json")}
    gone = {row.piece.key for row in rows if not row.now}
    for row in rows:  # with a page goes what it is an example of
        if row.now and _path(row.piece) not in gone and not _put(fields, row, people):
            return None
    for form in _FORMS:
        if fields and fields.keys() <= form.model_fields.keys():
            return {name: fields[name] for name in form.model_fields if name in fields}
    return None


def _put(fields: dict[str, Any], row: EarlierPiece, people: set[str]) -> bool:
    """Puts a piece among the fields of an answer; False for one that has no place there."""
    path, _, name = row.piece.key.partition("|")
    words = row.now.strip()
    if is_rule(row.piece):
        rule, _, reason = words.partition("\n")
        law = {"id": name, "rule": rule.strip(), "reason": " ".join(reason.split())}
        fields.setdefault("rules", []).append(law)
    elif path == Layout(".").outline(1):
        chapters = sections(with_headings(words))
        fields["chapters"] = [
            {"chapter": one.chapter, "title": one.title, "happens": one.body} for one in chapters
        ]
        return bool(chapters)
    elif path.startswith(f"{places.STYLE_LIBRARY}/"):
        passages: list[dict[str, str]] = fields.setdefault("exemplars", [])
        if name == TAGS and passages:
            passages[-1] |= _tags(words)
        elif not name:
            passages.append({"text": words})
    elif path.endswith(".json"):
        if path != places.STYLE_PROFILE:
            fields["id"] = _stem(row.piece)
        fields[name] = words.splitlines() if name in _LISTS else words
    elif path.endswith(".md") and "/" in path:
        _put_page(fields, path, words, is_profile=_stem(row.piece) in people)
    elif path in ("novel.narration", "novel.genre"):
        fields[path.partition(".")[2]] = words
    else:
        return path == LENGTH
    return True


def _put_page(fields: dict[str, Any], path: str, words: str, *, is_profile: bool) -> None:
    name, _, text = words.partition("\n")
    name, text = name.strip(), text.strip()
    if is_profile:
        fields["profile"] = text or name
    elif path.startswith(f"{places.CHARACTERS}/") or "/places/" in path:
        kind = "place" if "/places/" in path else "person"
        newcomer = {"kind": kind, "name": name, "line": text}
        fields.setdefault("introduces", []).append(newcomer)
    else:
        fields.setdefault("documents", []).append({"name": name, "text": text})


def _tags(words: str) -> Mapping[str, str]:
    rows = (line.partition(": ") for line in words.splitlines())
    return {name: value for name, _, value in rows if name in ChosenPassage.model_fields}


def _path(piece: ProposedPiece) -> str:
    return piece.key.partition("|")[0]


def _stem(piece: ProposedPiece) -> str:
    return PurePosixPath(_path(piece)).stem


def _place_of(row: EarlierPiece) -> str:
    """Returns the field of the answer in which a piece stands, with what tells it from others."""
    path, _, name = row.piece.key.partition("|")
    first = (row.now or row.piece.text).strip().partition("\n")[0]
    if is_rule(row.piece):
        return f"`rules` {name}"
    if path == Layout(".").outline(1):
        return "`chapters`"
    if path.startswith(f"{places.STYLE_LIBRARY}/"):
        return f"`exemplars` {first_words(first)}"
    if path.startswith(f"{places.WORLD}/"):
        return f"`{'introduces' if '/places/' in path else 'documents'}` {first}"
    return f"`{name or ('profile' if path.endswith('.md') else path.partition('.')[2])}`"
