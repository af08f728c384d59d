"""A proposal of a book's beginning as what its author reads and changes: a piece for each page,
field and rule (WRITING 7.2). What is shown is what is saved.

Pure: a question's files become pieces, and pieces with other words the files again. A piece without
words is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from pydantic import ValidationError

from studio.config.catalog import narration_words
from studio.errors import usage
from studio.foreign_json import read_json
from studio.i18n import as_label, language_in_force, translate, words_for_the_book
from studio.messages import said
from studio.pipeline.beginning.files import LENGTH
from studio.pipeline.beginning.passages import SOURCE
from studio.pipeline.prompting.exemplars import LABELS
from studio.project import layout as places
from studio.project.files import front_matter
from studio.project.layout import Layout
from studio.story.checkpoint import Decision
from studio.story.form.document import Document, to_bytes
from studio.story.lengths import NO_END
from studio.story.novel import CharacterContract, StyleProfile, WorldRules
from studio.text.language.packs import LanguagePack, manner_words
from studio.text.safe import safe_text

FIELDS: Mapping[str, str] = {
    "name": said("Name"),
    "aliases": said("Also called"),
    "role": said("Role"),
    "voice": said("Voice"),
    "tense": said("Tense"),
    "sentence_rhythm": said("Rhythm"),
    "diction": said("Diction"),
    "imagery": said("Imagery"),
    "dialogue": said("Dialogue"),
    "do": said("Do"),
    "avoid": said("Avoid"),
    "sample": said("Sample"),
    "wants": said("Wants"),
    "fears": said("Fears"),
    "always": said("Always"),
    "never": said("Never"),
    "knows": said("Knows"),
}
"""What the fields of a style profile and of a person are called, in the order of their pages."""
NARRATION = "novel.narration"
"""The piece that says how the book is told; its text is a value of that setting."""
_SETTINGS: Mapping[str, str] = {
    NARRATION: said("Narration"),
    "novel.genre": said("Genre"),
    LENGTH: said("Length of a chapter"),
}


TAGS = "tags"
"""The part of a key that stands for what a passage of the style library is an example of."""
_FIRST_MARK = re.compile(r"\A# (?=\S)")
_MARKS = re.compile(r"^## (?=\S)", re.MULTILINE)
_CHAPTER = re.compile(
    r"(?:chapter\s*\d+\b|제?\s*\d+\s*[장화회편](?=\s|[:：.]|$)|第\s*[\d一二三四五六七八九十]+\s*[章回话集])"
    r"(?!.*[.!?。！？…]$)",
    re.IGNORECASE,
)
"""A row that begins a chapter of an outline; a sentence is none."""
_HOW_IT_IS_WRITTEN = re.compile(r"\s*(?:#[^\n]*\n\s*)?<!--.*?-->\s*", re.DOTALL)


class ProposedPiece(NamedTuple):
    """One thing that is proposed."""

    key: str
    """Its name within the question: the path of a file, and a field of it."""
    label: str
    text: str
    read_only: bool = False
    """Whether it is taken or left, and cannot be put in other words."""


def pieces_of(question: Decision) -> tuple[ProposedPiece, ...]:
    """Returns what a question proposes, whole, in the order of its files."""
    files: Mapping[str, str] = question.data.get("files") or {}
    settings: Mapping[str, str] = question.data.get("settings") or {}
    pieces = [piece for path, text in files.items() for piece in _pieces_in(path, text)]
    pieces += (
        ProposedPiece(key, _SETTINGS.get(key, key), str(value)) for key, value in settings.items()
    )
    return tuple(pieces)


def words_of(piece: ProposedPiece) -> str:
    """Returns a piece as its author reads it: how the book is told, and what a passage is an
    example of, in her language."""
    if piece.key == NARRATION:
        return narration_words(piece.text)
    if not piece.key.endswith(f"|{TAGS}"):
        return piece.text
    rows = (line.partition(": ") for line in piece.text.splitlines())
    return "\n".join(as_label(translate(LABELS[name])) + _tag(value) for name, _, value in rows)


def tags_in_words(text: str, pack: LanguagePack) -> str:
    """Returns what a passage is an example of, as a model is told it in the novel's language."""
    rows = (line.partition(": ") for line in text.splitlines())
    return "\n".join(
        pack.labelled(
            words_for_the_book(LABELS[name], pack.language),
            words_for_the_book(SOURCE, pack.language)
            if value == SOURCE
            else manner_words(value, pack.language),
        )
        for name, _, value in rows
        if name in LABELS
    )


def _tag(value: str) -> str:
    """Returns what is kept of a passage as its author reads it."""
    return translate(SOURCE) if value == SOURCE else manner_words(value, language_in_force())


def with_words(
    question: Decision, words: Mapping[str, str], *, of_before: bool = False
) -> Decision:
    """Returns the question with other words for its pieces, by key; a file of which nothing was
    changed keeps its bytes. With `of_before` they are what was made of an earlier proposal: what is
    law in them has its place. StudioError (exit 2) where a piece cannot be left out."""
    files: Mapping[str, str] = question.data.get("files") or {}
    settings: Mapping[str, str] = question.data.get("settings") or {}
    now: dict[str, str] = {}
    for path, text in files.items():
        own = {piece.key: words.get(piece.key, piece.text) for piece in _pieces_in(path, text)}
        same = all(own[piece.key].strip() == piece.text for piece in _pieces_in(path, text))
        if same:
            now[path] = text
        elif (fresh := _file_of(path, text, own, of_before)) is not None:
            now[path] = safe_text(fresh, keep_newlines=True)
    ways = {key: words.get(key, str(value)).strip() for key, value in settings.items()}
    return question.with_data(
        {
            "files": now,
            "settings": {key: value for key, value in ways.items() if value},
        }
    )


def is_left_out(path: str, text: str, hers: Mapping[str, str]) -> bool:
    """Whether an author left out all of a proposed file."""
    pieces = [piece for piece in _pieces_in(path, text) if piece.text]
    return bool(pieces) and all(hers.get(piece.key) == "" for piece in pieces)


def with_rules_of(
    before: Mapping[str, str], files: Mapping[str, str], hers: Mapping[str, str]
) -> dict[str, str]:
    """Returns the file of rules with those of an earlier proposal that its author put in other
    words or left out, and that are not proposed again."""
    path = places.WORLD_RULES
    fresh = read_json(files[path], dict) if path in files else {"rules": []}
    there = {rule["id"] for rule in fresh.get("rules", ())}
    earlier = read_json(before[path], dict).get("rules", ())
    stays = [r for r in earlier if f"{path}|{r['id']}" in hers and r["id"] not in there]
    if not stays:
        return {}
    rules = [*fresh.get("rules", ()), *stays]
    return {path: to_bytes(WorldRules.model_validate({**fresh, "rules": rules})).decode()}


def _pieces_in(path: str, text: str) -> Iterator[ProposedPiece]:
    if path == places.WORLD_RULES:
        for rule in read_json(text, dict).get("rules", ()):
            whole = "\n".join(filter(None, (rule.get("rule", ""), rule.get("reason", ""))))
            yield ProposedPiece(f"{path}|{rule['id']}", said("No chapter may break"), whole)
    elif path.endswith(".json"):
        data: dict[str, Any] = read_json(text, dict)
        fields = (name for name in FIELDS if name in _model_of(path).model_fields)
        for name in fields:
            value = data.get(name) or ""
            lines = value if isinstance(value, str) else "\n".join(map(str, value))
            yield ProposedPiece(f"{path}|{name}", FIELDS[name], lines)
    else:
        yield ProposedPiece(path, _label_of(path), _body(path, text)[1])
        if tags := _tags_in(path, text):
            yield ProposedPiece(f"{path}|{TAGS}", said("Is an example of"), tags, read_only=True)


def _file_of(path: str, text: str, own: Mapping[str, str], of_before: bool) -> str | None:
    """Returns a file with other words in its pieces; None where all of it is left out."""
    if not path.endswith(".json"):
        head, _old = _body(path, text)
        body = _with_headings(own[path].strip(), path, text)
        if own.get(f"{path}|{TAGS}") == "":
            head = ""
        return f"{head}{body}\n" if body else None
    data: dict[str, Any] = read_json(text, dict)
    if path == places.WORLD_RULES:
        rules = []
        proposed = {piece.key: piece.text for piece in _pieces_in(path, text)}
        for rule in data.get("rules", ()):
            key = f"{path}|{rule['id']}"
            whole = own[key].strip() if of_before else with_her_law(proposed[key], own[key])
            law, _, reason = whole.partition("\n")
            if law.strip():
                rules.append({**rule, "rule": law.strip(), "reason": " ".join(reason.split())})
        return to_bytes(WorldRules.model_validate({**data, "rules": rules})).decode()
    model = _model_of(path)
    for key, value in own.items():
        name = key.rpartition("|")[2]
        lines = [line.strip() for line in value.splitlines() if line.strip()]
        is_list = isinstance(model.model_fields[name].default, tuple)
        data[name] = lines if is_list else value.strip()
    try:
        return to_bytes(model.model_validate(data)).decode()
    except ValidationError as error:
        place = str(error.errors()[0]["loc"][0])
        raise usage(
            said(
                "{label}: {fault}.", label=FIELDS.get(place, place), fault=error.errors()[0]["msg"]
            )
        ) from error


def _without_headings(words: str, path: str) -> str:
    """Returns a page as it is read: the mark of its heading, and of each chapter's in an outline,
    is the studio's."""
    marks = _MARKS if path == Layout(".").outline(1) else _FIRST_MARK
    return marks.sub("", words)


def with_headings(words: str, known: Collection[str] = ()) -> str:
    """Returns the words of an outline with the marks of its chapters' headings again, of those that
    are `known` too."""
    rows = words.splitlines()
    return "\n".join(f"## {row}" if row in known or _CHAPTER.match(row) else row for row in rows)


def _with_headings(words: str, path: str, text: str) -> str:
    """Returns the words of a page with the marks of its headings again."""
    old = _body_in(path, text)[1]
    if path == Layout(".").outline(1):
        marked = (row[3:] for row in old.splitlines() if row.startswith("## "))
        return with_headings(words, set(filter(str.strip, marked)))
    has_heading = old.startswith("# ") and words and not words.startswith("#")
    return f"# {words}" if has_heading else words


_SENTENCE = re.compile(rf"(?<=[.!?…]){NO_END}\s+|(?<=[。！？])\s*|\n+")
_SAME_SENTENCE = 0.6
"""How like an old sentence one has to be, to be the old one in better words."""


def with_her_law(proposed: str, now: str) -> str:
    """Returns a rule, and the reason for it below, of which the author has changed the words: a
    sentence that she put to the reason is law as well, for it stands under what no chapter may
    break, and whoever writes is told the law alone. One that she only put better stays where it
    is."""
    law, _, reason = now.strip().partition("\n")
    old = [one for one in _SENTENCE.split(proposed.partition("\n")[2]) if one]

    def is_old(one: str) -> bool:
        return any(SequenceMatcher(None, one, was).ratio() >= _SAME_SENTENCE for was in old)

    sentences = [one.strip() for one in _SENTENCE.split(reason) if one.strip()]
    between = "" if law.endswith(("。", "！", "？")) else " "
    hers = [one for one in sentences if not is_old(one)]
    stays = [one for one in sentences if is_old(one)]
    rows = (between.join([law.strip(), *hers]), between.join(stays))
    return "\n".join(filter(None, rows))


def is_rule(piece: ProposedPiece) -> bool:
    """Whether a piece is a rule of the world, with the reason for it below."""
    return piece.key.startswith(f"{places.WORLD_RULES}|")


def _model_of(path: str) -> type[Document]:
    return StyleProfile if path == places.STYLE_PROFILE else CharacterContract


def _body(path: str, text: str) -> tuple[str, str]:
    """Returns what the studio keeps before the words of a page, and the words as they are read."""
    head, words = _body_in(path, text)
    return head, _without_headings(words, path)


def _body_in(path: str, text: str) -> tuple[str, str]:
    """Returns what the studio keeps before the words, and the words: the front matter of a passage
    for the style library or of a page of the world, and an outline's heading with the note on how
    it is written."""
    if path == Layout(".").outline(1):
        head = _HOW_IT_IS_WRITTEN.match(text)
        return (head[0], text[head.end() :].strip()) if head else ("", text.strip())
    if not path.startswith((f"{places.STYLE_LIBRARY}/", f"{places.WORLD}/")):
        return "", text.strip()
    _meta, body = front_matter.split_front_matter(text, path)
    return text[: len(text) - len(body)], body.strip()


def _tags_in(path: str, text: str) -> str:
    """Returns what a passage for the style library is kept as an example of, `pacing: fast` for
    instance, a line each; the way its kind of scene is found again is hers to read as well."""
    if not path.startswith(f"{places.STYLE_LIBRARY}/"):
        return ""
    tags, _body_of_it = front_matter.split_front_matter(text, path)
    values = ((name, " ".join(str(tags.get(name) or "").split())) for name in LABELS)
    return "\n".join(f"{name}: {value}" for name, value in values if value)


def _label_of(path: str) -> str:
    if path == places.BRIEF:
        return said("The book")
    if path.startswith(f"{places.STYLE_LIBRARY}/"):
        return said("To write like")
    if path.startswith(f"{places.WORLD}/"):
        return said("The world")
    if path == Layout(".").outline(1):
        return said("Chapters")
    return said("Profile")
