"""The settings as rows by their names, and one setting in detail: meaning, range, and where it is
set. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from studio.config.catalog import NARRATIONS, Home, Setting
from studio.config.schema import LENGTHS, Settings
from studio.i18n import LANGUAGES, N_, _, language_in_force, series
from studio.story.review.directive import kind_name_of
from studio.text.metrics.metric_kinds import metric_words
from studio.tui.actions import ACTIONS, BY_ID
from studio.tui.views.terms import term
from studio.tui.views.words import Line, Phrase, line, pad

_SETTING_NAMES = frozenset(
    {
        *(N_("title"), N_("language"), N_("genre"), N_("point of view"), N_("narration")),
        *(N_("form"), N_("chapter word"), N_("scene length"), N_("chapter length"), N_("count")),
        *(N_("sitting"), N_("book"), N_("due"), N_("mode"), N_("scenes"), N_("ask first")),
        *(N_("analyse"), N_("max steps"), N_("tools"), N_("prose limit"), N_("deep")),
        *(N_("standard"), N_("fast"), N_("chapter usd"), N_("day usd"), N_("project usd")),
        *(N_("weights.plot logic"), N_("weights.character"), N_("weights.immersion")),
        *(N_("weights.style naturalness"), N_("weights.foreshadowing"), N_("weights.pacing")),
        *(N_("weights.emotional impact"), N_("weights.storyline coherence"), N_("revisions")),
        *(N_("rounds"), N_("auto accept"), N_("on"), N_("name"), N_("anthropic.api key")),
        *(N_("anthropic.api key command"), N_("anthropic.base url"), N_("openai.api key")),
        *(N_("openai.api key command"), N_("openai.base url"), N_("embedded.model file")),
        *(N_("first byte"), N_("idle"), N_("total"), N_("pause"), N_("whole chapters")),
        *(N_("on close"), N_("keep"), N_("folder"), N_("measure"), N_("ambiguous"), N_("spelling")),
        *(N_("compact"), N_("interface"), N_("editor"), N_("theme")),
    }
)


def setting_name(name: str) -> str:
    """Returns the name of a setting in the writer's language; an unlisted name stays as in the
    file."""
    return _(name) if name in _SETTING_NAMES else name


HOMES: dict[Home, str] = {
    "studio.toml": N_("For this novel (its studio.toml)"),
    "user config": N_("For all your novels (your config.toml)"),
}
_UNSET = ("default", "probe")
ACTION_IDS = tuple(action.id for action in ACTIONS)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A row of the page; headings and read-only values have no setting."""

    line: Line
    setting: Setting | None = None


def setting_rows(settings: Settings, there_are: Iterable[Setting]) -> Iterator[SettingRow]:
    """Yields every setting under its table, then the known capabilities of endpoints."""
    values = settings.display_values()
    table = ""
    for setting in there_are:
        if setting.path[0] != table:
            table = setting.path[0]
            yield from _head(table)
        value = values.pop(setting.key, None)
        name = ".".join(setting.path[1:]) if table == "keymap" else name_of(setting)
        yield SettingRow(_row(name, setting, value, settings), setting)
    strange = {key: value for key, value in values.items() if value is not None}
    if strange:
        yield from _head("endpoints")
    for key, value in strange.items():
        name = key.removeprefix("provider.endpoints.")
        yield SettingRow((Phrase(f"  {name}  "), Phrase(value_words(value), "strong")))


def name_of(setting: Setting) -> str:
    """Returns a setting's name in the writer's language; that of an action for its keys."""
    if setting.path[0] == "metrics":
        return _measure(setting)
    if setting.path[0] == "keymap":
        return _(BY_ID[setting.path[-1]].title)
    name = ".".join(setting.path[1:]) or setting.path[0]
    return setting_name(name.replace("_", " "))


def name_in_a_sentence(setting: Setting) -> str:
    """Returns a setting's name where no heading says which table it stands in: in English its key,
    which is words; elsewhere the writer's word for it."""
    return setting.key if language_in_force() == "en" else name_of(setting)


def _measure(setting: Setting) -> str:
    """Returns `filter words, under`, named as on every other page."""
    metric, *end = setting.path[1:]
    return series([_(metric_words(metric)), *(_(_ENDS.get(one, one)) for one in end)])


def with_words(rows: Iterable[SettingRow], words: str) -> Iterator[SettingRow]:
    """Yields the rows whose name, meaning or value contains all these words, with their
    headings."""
    needles = words.casefold().split()
    headings: list[SettingRow] = []
    for row in rows:
        if row.setting is None and needles:
            headings = [*headings, row][-2:]
            continue
        meaning = f"{row.setting.key} {_(row.setting.meaning)}" if row.setting else ""
        text = f"{''.join(part.text for part in row.line)} {meaning}".casefold()
        if all(needle in text for needle in needles):
            yield from headings
            headings = []
            yield row


def detail_lines(setting: Setting, settings: Settings) -> tuple[Line, ...]:
    """Returns the name of a setting with its key in the file, its meaning, its values, its default,
    and where its present value comes from."""
    source = settings.provenance(setting.key)
    default = value_words(default_of(setting, settings), setting)
    return (
        (
            Phrase(name_of(setting), "heading"),
            Phrase(f"   {setting.key}   {_where_decided(source)}", "quiet"),
        ),
        line(_(setting.meaning)),
        line(
            _("Takes {takes}. Default: {default}.", takes=takes_words(setting), default=default),
            "quiet",
        ),
    )


def default_of(setting: Setting, settings: Settings) -> Any:
    """Returns the default value; lengths depend on form and language, keys on the actions."""
    table, name = setting.path[0], setting.path[-1]
    if table == "keymap":
        return BY_ID[name].keys
    if table == "targets":
        return LENGTHS[settings.novel.form][settings.novel.language].get(name)
    return Settings().display_values().get(setting.key)


def changed_words(setting: Setting, settings: Settings, home: Home, value: Any) -> str:
    """Returns the effect of a change: the value now in force, and its source if it is another
    file."""
    name = name_in_a_sentence(setting)
    source = settings.provenance(setting.key)
    present = settings.display_values().get(setting.key)
    now = value_words(default_of(setting, settings) if present is None else present, setting)
    if value is None:
        return _(
            "{key} is no longer set in {file}. In force: {now} ({source}).",
            key=name,
            file=_(_FILES[home]),
            now=now,
            source=term(source),
        )
    if source == home:
        return _("{key}: {now}. Written to {file}.", key=name, now=now, file=_(_FILES[home]))
    return _(
        "{key} is written to {file}. Still in force: {now} ({source}).",
        key=name,
        file=_(_FILES[home]),
        source=term(source),
        now=now,
    )


def value_words(value: object, setting: Setting | None = None) -> str:
    """Formats a value; a choice of a setting is displayed in the writer's words."""
    if value is None or value == "":
        return _("not set")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        apart = "; " if setting and setting.many else ", "
        return apart.join(value_words(one, setting) for one in value) or _("none")
    return choice_words(setting, str(value)) if setting else str(value)


def choice_words(setting: Setting, choice: str) -> str:
    """Returns the label of a choice; names and values that are not choices stay as in the file."""
    if setting.path[-1] in ("language", "interface"):
        return LANGUAGES.get(choice, choice)
    if setting.many:
        return kind_name_of(choice)
    words = _CHOICES.get(setting.key, {}).get(choice)
    return _(words) if words else choice


def takes_words(setting: Setting) -> str:
    """Returns the values a setting takes, its choices in the writer's words."""
    if not setting.choices or setting.many:
        return setting.takes
    choices = (choice_words(setting, choice) for choice in setting.choices)
    return _("one of {choices}", choices=series(choices))


_CHOICES: Mapping[str, Mapping[str, str]] = {
    "novel.point_of_view": {"third-limited": N_("third-limited")},
    "generation.mode": {
        "standard": N_("at once"),
        "prewriter": N_("from a brief first"),
    },
    "generation.scenes": {
        "model": N_("a model"),
        "plan": N_("the plan alone"),
    },
    "generation.tools": {
        "off": N_("nobody"),
        "prewriter": N_("the writer of the brief"),
        "all": N_("all who may"),
    },
    "novel.narration": NARRATIONS,
    "novel.form": {
        "literary": N_("a book of chapters"),
        "serial": N_("a serial"),
    },
    "targets.count": {
        "with-spaces": N_("characters with spaces"),
        "without-spaces": N_("characters without spaces"),
    },
    "refine.on": {
        "findings": N_("where something was found"),
        "always": N_("every time"),
        "off": N_("never"),
    },
    "tui.ambiguous": {
        "auto": N_("as the terminal answers"),
        "narrow": N_("one column"),
        "wide": N_("two columns"),
    },
    "provider.name": {"embedded": N_("the built-in model")},
}
"""The labels of choices, by the key of their setting."""


_FILES: dict[Home, str] = {
    "studio.toml": N_("the novel's studio.toml"),
    "user config": "config.toml",
}


_ENDS = {"min": N_("from"), "max": N_("under")}
"""The bounds of a target: `min` is good enough, `max` is already too much."""
_NAMES = {"metrics": 48}
"""The width of the column of names in tables with longer names than the others."""
_HEADINGS = {
    "novel": N_("The novel"),
    "targets": N_("Lengths"),
    "goals": N_("What you want to reach"),
    "generation": N_("How a chapter is written"),
    "models": N_("Models"),
    "gate": N_("When a chapter may pass"),
    "metrics": N_("Measures of the prose"),
    "provider": N_("Where the models are"),
    "timeouts": N_("Patience, in seconds"),
    "endpoints": N_("What endpoints can do"),
    "tui": N_("On the screen"),
    "budget": N_("Budget"),
    "review": N_("Review"),
    "refine": N_("Refine"),
    "prices": N_("Prices"),
    "logs": N_("Logs"),
    "backup": N_("Backup"),
    "author": N_("You"),
    "editor": N_("Editor"),
    "theme": N_("Theme"),
    "interface": N_("Interface"),
    "keymap": N_("Keys"),
}
"""The titles of tables whose own name is not suitable as a title."""


def _head(table: str) -> Iterator[SettingRow]:
    words = _(_HEADINGS.get(table, table.capitalize()))
    yield SettingRow(line(" "))
    yield SettingRow((Phrase(words, "heading"),))


def _row(name: str, setting: Setting, value: object, settings: Settings) -> Line:
    source = settings.provenance(setting.key)
    unset = source in _UNSET
    if value is None and setting.path[0] == "keymap":
        value = default_of(setting, settings)
    return (
        Phrase(f"  {pad(name, _NAMES.get(setting.path[0], 28))} "),
        Phrase(value_words(value, setting), "plain" if unset else "strong"),
        Phrase(f"   {term(source)}", "quiet" if unset else "accent"),
    )


def _where_decided(source: str) -> str:
    return _("nobody sets it") if source == "default" else _("set by {source}", source=term(source))
