"""Describes each setting for a writer: its meaning, the values it takes, and the files it may be
in."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from studio.config.schema import Settings, SettingsTable, leaves
from studio.config.toml_text import parse_toml
from studio.errors import StudioError, usage
from studio.i18n import N_, _
from studio.messages import series

Home = Literal["studio.toml", "user config"]
"""The files that hold settings: the novel's own, and the user's config for all novels."""
Keys = tuple[str, ...]

A_NOVEL_MAY_SET = frozenset(
    {
        *("novel.title", "novel.language", "novel.genre", "novel.point_of_view", "novel.narration"),
        *("novel.form", "novel.chapter_word"),
        *("targets.scene_length", "targets.chapter_length", "targets.count"),
        *("goals.sitting", "goals.book", "goals.due"),
        *("generation.mode", "generation.scenes", "generation.max_steps", "generation.tools"),
        *("generation.analyse", "generation.ask_first", "generation.prose_limit"),
        *("models.deep", "models.standard", "models.fast"),
        *("budget.chapter_usd", "budget.day_usd", "budget.project_usd"),
        *("gate.weights", "gate.revisions", "review.rounds", "review.auto_accept", "refine.on"),
        *("metrics", "logs.whole_chapters"),
    }
)
"""The settings and whole tables that studio.toml may hold, of which `review.auto_accept` counts
only once agreed to (`studio.project.novel_settings`). A novel may come from anybody, so a new
setting is none of them until it is named here."""
NOVEL_ONLY = frozenset({"novel"})
"""Top-level keys that make no sense as a setting for all novels."""
_WEIGHT = N_("How much this score of the judge counts in the overall one.")
_MODEL = N_("The model id that is asked for this role.")
_KEY_COMMAND = N_("A program that prints the key, such as a password manager's command.")
MEANINGS: Mapping[str, str] = {
    "novel.title": N_("The title of the book."),
    "novel.language": N_("The language the book is written in."),
    "novel.genre": N_("Its genre in your own words; the models are told."),
    "novel.point_of_view": N_("Who tells it, in your own words; the models are told."),
    "novel.narration": N_(
        "First or third person, past or present, perhaps looking back; the models are told."
    ),
    "novel.form": N_(
        "A book whose scenes stand apart, or a serial, whose scenes join without a break."
    ),
    "novel.chapter_word": N_(
        "What a chapter is called where one is named by its number, such as episode."
    ),
    "targets.scene_length": N_(
        "Length of a scene: words in English, characters in Korean, Chinese."
    ),
    "targets.chapter_length": N_("Length of a chapter whose plan names none."),
    "targets.count": N_(
        "Whether lengths in Korean and Chinese count spaces; English counts words."
    ),
    "goals.sitting": N_("How much you want to write in a day; the editor keeps count."),
    "goals.book": N_(
        "How long the book should be, in characters for Korean and Chinese, otherwise in words."
    ),
    "goals.due": N_("The day on which the book should be finished, such as 2027-03-14."),
    "generation.mode": N_(
        "How prose is asked for: at once, or from a brief that is written first."
    ),
    "generation.scenes": N_(
        "Who divides a chapter whose plan has fewer parts than it needs scenes."
    ),
    "generation.max_steps": N_("Steps of one generation: look-ups and the answer together."),
    "generation.tools": N_("Who may look things up in the book while it works."),
    "generation.analyse": N_("Whether a model reads each saved chapter against those before it."),
    "generation.ask_first": N_("Whether a model may ask you first what only you can know."),
    "generation.prose_limit": N_(
        "The most characters of the story before it that a scene is shown; all of it if empty."
    ),
    "models.deep": _MODEL,
    "models.standard": _MODEL,
    "models.fast": _MODEL,
    "budget.chapter_usd": N_("US dollars one chapter may cost; a cap stops, it never downgrades."),
    "budget.day_usd": N_(
        "US dollars a day may cost; your own setting covers all your novels together."
    ),
    "budget.project_usd": N_("US dollars a novel may cost in all; of two caps the lower counts."),
    "gate.weights": _WEIGHT,
    "gate.revisions": N_("How often a chapter may be sent back."),
    "review.rounds": N_("Rounds of surgery in one revision."),
    "review.auto_accept": N_("Types of directives the surgeon may work on without asking you."),
    "refine.on": N_(
        "When the style refiner proposes small changes to a draft: where something was found,"
        " always, or never."
    ),
    "metrics": N_("Your own target for this measure, in place of the language's."),
    "provider.name": N_("Who is asked; if not set, it is chosen from what is there."),
    "provider.anthropic.api_key": N_(
        "The vendor's key. It is in your own file, which only you can read."
    ),
    "provider.anthropic.api_key_command": _KEY_COMMAND,
    "provider.anthropic.base_url": N_("Address of a server that speaks the Messages API."),
    "provider.openai.api_key": N_(
        "The key of this server. It is in your own file, which only you can read."
    ),
    "provider.openai.api_key_command": _KEY_COMMAND,
    "provider.openai.base_url": N_("Address of a server that speaks OpenAI's API."),
    "provider.embedded.model_file": N_("A GGUF file for the embedded model."),
    "timeouts.first_byte": N_("Seconds until a model shows the first sign of life."),
    "timeouts.idle": N_("Seconds a model may be silent between two signs of life."),
    "timeouts.total": N_("Seconds a whole call may take."),
    "timeouts.pause": N_(
        "Seconds to wait, at most twice, after a time-out or an overloaded service."
    ),
    "logs.whole_chapters": N_(
        "Chapters whose calls are kept whole; older ones are packed. 0: all."
    ),
    "backup.on_close": N_("Whether a dated copy of the novel is made when the app leaves it."),
    "backup.keep": N_("How many of these copies to keep; the oldest make room."),
    "backup.folder": N_("Where they go; if not set, beside what the studio keeps on this machine."),
    "author.name": N_("Your name on the title page of what you export."),
    "tui.measure": N_("The most columns a line of prose may have; text and editor are centred."),
    "tui.ambiguous": N_(
        "Quotation marks over one column or two: narrow, wide, or auto, which asks the terminal."
    ),
    "tui.compact": N_(
        "No blank line between paragraphs on the text page, and the number of every fifth alone."
    ),
    "tui.spelling": N_(
        "Spelling in the editor: auto, off, or the name of a hunspell dictionary, such as en_GB."
    ),
    "editor": N_(
        "The program that opens a text with Ctrl+G; if not set, it is $VISUAL or $EDITOR."
    ),
    "interface": N_(
        "The language of screens and messages; if not set, that of your system: LC_ALL, LC_MESSAGES"
        " or LANG, and LANGUAGE before these, also beside C.UTF-8."
    ),
    "theme": N_("The colour theme."),
    "keymap": N_("The keys of this action in Textual's spelling, separated by commas."),
}
"""The meaning of each setting, by its dotted key or by the table that contains it."""


def a_novel_may_set(path: Keys) -> bool:
    """Whether studio.toml may hold this setting, or a table with some that it may hold."""
    key = ".".join(path)
    return any(
        f"{one}.".startswith(f"{key}.") or f"{key}.".startswith(f"{one}.")
        for one in A_NOVEL_MAY_SET
    )


OLD_KEYS: tuple[Keys, ...] = (
    ("provider", "anthropic", "api_key"),
    ("provider", "anthropic", "base_url"),
    ("provider", "openai", "api_key"),
    ("provider", "openai", "base_url"),
    ("provider", "embedded", "model_file"),
)
"""The settings that older files hold in `[provider]` itself, under their last name."""


def old_path(data: Mapping[str, Any], path: Keys) -> Keys | None:
    """Returns where an older file holds this setting; None where it holds another provider's there.

    A key and an address in `[provider]` belong to the provider that the table names, and without a
    name, or with that of the embedded model, which takes neither, to `anthropic` (CONTRACTS 12).
    """
    table = data.get("provider")
    if path not in OLD_KEYS or not isinstance(table, Mapping):
        return None
    owner = "openai" if table.get("name") == "openai" else "anthropic"
    return ("provider", path[-1]) if path[1] in (owner, "embedded") else None


NARRATIONS: Mapping[str, str] = {
    "": N_("not said"),
    "first": N_("first person"),
    "first, looking back": N_("first person, looking back"),
    "first, past": N_("first person, past tense"),
    "first, past, looking back": N_("first person, past tense, looking back"),
    "first, present": N_("first person, present tense"),
    "first, present, looking back": N_("first person, present tense, looking back"),
    "third": N_("third person"),
    "third, looking back": N_("third person, looking back"),
    "third, past": N_("third person, past tense"),
    "third, past, looking back": N_("third person, past tense, looking back"),
    "third, present": N_("third person, present tense"),
    "third, present, looking back": N_("third person, present tense, looking back"),
}
"""How a book can be told: the writer's words for each value of `novel.narration`."""


def narration_words(way: str) -> str:
    """Returns how a book is told, by a value of `novel.narration`, in the writer's words; a value
    there is not stays as it is."""
    return _(NARRATIONS[way]) if way in NARRATIONS else way


def narration_meant(words: str) -> str:
    """Returns the value of `novel.narration` that `narration_words` words so; other words stay as
    they are, and whoever saves them says whether they are a value."""
    plain = " ".join(words.split())
    return next((way for way in NARRATIONS if way and _(NARRATIONS[way]) == plain), words)


@dataclass(frozen=True, slots=True)
class Setting:
    """A single value that can be set."""

    path: Keys
    meaning: str
    """The meaning of the setting, in one or two sentences."""
    takes: str
    """The accepted values in words, such as `a whole number from 1 to 100`."""
    kind: type
    """The type of the value: bool, int, float or str."""
    choices: tuple[str, ...] = ()
    many: bool = False
    """Whether the setting takes several of its choices."""
    secret: bool = False

    @property
    def key(self) -> str:
        """The dotted key, as the settings page and `studio config` show it."""
        return ".".join(self.path)

    @property
    def homes(self) -> tuple[Home, ...]:
        """The files the setting may be written to, the more natural one first."""
        if not a_novel_may_set(self.path):
            return ("user config",)
        if self.path[0] in NOVEL_ONLY:
            return ("studio.toml",)
        return ("studio.toml", "user config")

    def value_of(self, typed: str) -> Any:
        """Parses the typed text as a value; raises StudioError (exit 2) with the range if it does
        not fit."""
        words = typed.strip()
        value = self._parse(words)
        if value is None or not _fits(self.path, value):
            display = _("what you typed") if self.secret else f"“{words}”"
            raise usage(
                _(
                    "{key} takes {takes}, not {display}.",
                    key=self.key,
                    takes=self.takes,
                    display=display,
                ),
                _("Nothing was changed."),
            )
        return value

    def _parse(self, words: str) -> Any:
        if self.many:
            return [word for part in re.split("[,，、]", words) if (word := part.strip())]
        if self.kind is bool:
            return {"yes": True, "true": True, "no": False, "false": False}.get(words.lower())
        if self.kind is str:
            return words
        try:
            return self.kind(words)
        except ValueError:
            return None


def all_settings(
    measures: Iterable[str] = (), actions: Iterable[str] = (), themes: Iterable[str] = ()
) -> list[Setting]:
    """Returns every setting, table by table; the parameters name the keys of the open-ended tables.

    Endpoint profiles are left out: their keys are addresses, and `studio doctor --probe` determines
    their values.
    """
    names = {"metrics": tuple(measures), "keymap": tuple(actions)}
    return list(_walk(Settings, (), names, tuple(themes)))


def _walk(
    shape: type[SettingsTable],
    above: Keys,
    names: Mapping[str, tuple[str, ...]],
    themes: tuple[str, ...],
) -> Iterator[Setting]:
    for name, field in shape.model_fields.items():
        path = (*above, name)
        kind = _plain(field.annotation)
        if isinstance(kind, type) and issubclass(kind, SettingsTable):
            yield from _walk(kind, path, names, themes)
        elif get_origin(kind) is not dict:
            yield _make_setting(path, field, themes if path == ("theme",) else ())
        elif name == "metrics":
            for measure in names["metrics"]:
                yield from _walk(get_args(kind)[1], (*path, measure), names, themes)
        elif name == "keymap":
            yield from (_keys((*path, action)) for action in names["keymap"])


def _make_setting(path: Keys, field: FieldInfo, themes: tuple[str, ...]) -> Setting:
    plain = _plain(field.annotation)
    many = get_origin(plain) is tuple
    literal = get_args(plain)[0] if many else plain
    choices = themes or (get_args(literal) if get_origin(literal) is Literal else ())
    kind = plain if plain in (bool, int, float) else str
    words = _takes(kind, field, choices, many)
    if plain is Path:
        words = _("the path of a file")
    return Setting(path, _meaning_of(path), words, kind, choices, many, plain is SecretStr)


def _keys(path: Keys) -> Setting:
    return Setting(path, _meaning_of(path), _("keys such as f5 or ctrl+w,w"), str)


def _plain(annotation: Any) -> Any:
    """Returns the bare type of a field, without `None` and annotations."""
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next(a for a in get_args(annotation) if a is not type(None))
    if hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    return annotation


def _meaning_of(path: Keys) -> str:
    keys = (".".join(path[:length]) for length in range(len(path), 0, -1))
    return next(MEANINGS[key] for key in keys if key in MEANINGS)


def _takes(kind: type, field: FieldInfo, choices: tuple[str, ...], many: bool) -> str:
    if many:
        return _("any of {choices}, separated by commas", choices=series(choices))
    if choices:
        return _("one of {choices}", choices=series(choices))
    if kind is bool:
        return _("yes or no")
    if kind is str:
        most = next((m.max_length for m in field.metadata if hasattr(m, "max_length")), None)
        return _("a line of at most {n} characters", n=most) if most else _("a text")
    number, bounds = _("a whole number") if kind is int else _("a number"), _range(field)
    return _("{number} {bounds}", number=number, bounds=bounds) if bounds else number


def _range(field: FieldInfo) -> str:
    bounds = {
        name: f"{getattr(mark, name):,}"
        for mark in field.metadata
        for name in ("ge", "gt", "le")
        if hasattr(mark, name)
    }
    if "ge" in bounds and "le" in bounds:
        return _("from {low} to {high}", low=bounds["ge"], high=bounds["le"])
    if "ge" in bounds:
        return _("of {low} or more", low=bounds["ge"])
    return _("above {low}", low=bounds["gt"]) if "gt" in bounds else ""


def _fits(path: Keys, value: Any) -> bool:
    tree: Any = value
    for key in reversed(path):
        tree = {key: tree}
    try:
        Settings.model_validate(tree)
    except ValidationError:
        return False
    return True


def with_value(text: str, setting: Setting, value: Any) -> str:
    """Returns the text of a TOML file with one value changed, or removed if `value` is None.

    Comments, order and line endings are preserved. A change in `[provider]` also moves what older
    files hold there into the tables of its providers, so that another name does not give one
    provider's key to another. Raises StudioError (exit 2) if the text is not TOML, or is written in
    a way that cannot be changed safely.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        values_before = parse_toml(text)
        document = tomlkit.parse(text)
        changes = _moves(values_before) if setting.path[0] == "provider" else {}
        changes[setting.path] = value
        for path, changed in changes.items():
            _change(document, path, changed)
        fresh = tomlkit.dumps(document)
        values_after = dict(leaves(parse_toml(fresh)))
    except (TOMLKitError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise _by_hand(setting) from error
    expected = {**dict(leaves(values_before)), **changes}
    expected = {path: one for path, one in expected.items() if one is not None}
    if values_after != expected:
        raise _by_hand(setting)
    return fresh


def _moves(values: Mapping[str, Any]) -> dict[Keys, Any]:
    """Returns the changes that move the old keys of `[provider]` to their providers' tables."""
    present = dict(leaves(values))
    changes: dict[Keys, Any] = {}
    for path in OLD_KEYS:
        old = old_path(values, path)
        if old in present:
            changes[old] = None
            changes.setdefault(path, present.get(path, present[old]))
    return changes


def _by_hand(setting: Setting) -> StudioError:
    return usage(
        _("{key} cannot be changed from here, so nothing was.", key=setting.key),
        _("Change it in the file yourself; an unusual way of writing it is in the way."),
    )


def _change(document: Any, path: Keys, value: Any) -> None:
    import tomlkit
    from tomlkit.items import InlineTable

    *tables, last = path
    line = [document]
    for depth, key in enumerate(tables):
        if key not in line[-1]:
            if value is None:
                return
            within = isinstance(line[-1], InlineTable)
            small = within or (depth > 0 and tables[0] == "metrics")
            line[-1][key] = tomlkit.inline_table() if small else tomlkit.table()
        line.append(line[-1][key])
    if value is not None:
        line[-1][last] = value
    elif last in line[-1]:
        del line[-1][last]
        if not line[-1] and len(tables) > 1:
            del line[-2][tables[-1]]
