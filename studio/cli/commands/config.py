"""`studio config`: lists every setting in force with its source; reads, sets or removes one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

import click

from studio.cli import output
from studio.cli.completion import setting_keys
from studio.cli.input import read_stdin
from studio.cli.options import (
    ShowFirst,
    Telling,
    json_option,
    model_options,
    model_overrides,
    novel_options,
    project_option,
)
from studio.cli.terms import term
from studio.config.catalog import Home, Setting, all_settings
from studio.config.load import Settings, load_settings, user_config_path
from studio.errors import Exit, StudioError, usage
from studio.i18n import _
from studio.messages import said
from studio.project.files.user_files import text_of
from studio.project.layout import is_novel
from studio.project.novel_settings import (
    change_novel_setting,
    lengths_sentence,
    settings_of_novel,
)
from studio.text.metrics.metric_kinds import METRIC_NAMES


@click.group(cls=ShowFirst)
def config() -> None:
    """Every setting in force, and the file, variable or option that set it."""


@config.command()
@json_option
@model_options
@project_option
def show(provider: str | None, model: str | None, project: Path) -> Telling:
    """Show every setting and which file, variable or option set it. Keys are masked.

    Outside a novel it shows what applies to every novel.

    --json prints
    {schema_version, novel, user_config, settings: {key: {value, source}}, warnings}.
    """
    novel = project if is_novel(project) else None
    settings = settings_of_novel(novel, os.environ, model_overrides(provider, model))
    values = settings.display_values()
    user = user_config_path(os.environ)
    yield {
        "novel": None if novel is None else str(novel.resolve()),
        "user_config": str(user),
        "settings": {
            key: {"value": value, "source": settings.provenance(key)}
            for key, value in values.items()
        },
        "warnings": list(settings.warnings),
    }
    rows = [
        (key, _value_text(value), term(settings.provenance(key))) for key, value in values.items()
    ]
    output.say_columns(rows)
    words = _("User config: {path}") if user.exists() else _("User config: {path} (not there)")
    output.show(words.format(path=user))
    for warning in settings.warnings:
        output.warn(warning)


@config.command()
@click.argument("key", shell_complete=setting_keys)
@novel_options
def get(key: str, project: Path) -> Telling:
    """Print the value of one setting, such as models.deep. Keys are masked.

    --json prints {schema_version, key, value, source}.
    """
    settings = settings_of_novel(project if is_novel(project) else None, os.environ)
    values = settings.display_values()
    if key not in values:
        raise _no_setting(key, values)
    source = settings.provenance(key)
    yield {"key": key, "value": values[key], "source": source}
    output.say(_value_text(values[key]))


_everywhere = click.option(
    "--user", is_flag=True, help="In your own file, for every novel, and not in the novel's."
)


@config.command(name="set")
@click.argument("key", shell_complete=setting_keys)
@click.argument("value")
@_everywhere
@project_option
def set_(key: str, value: str, user: bool, project: Path) -> int:
    """Set one setting: in the novel's studio.toml, or where it belongs to you in your own file.

    Outside a novel it is your own file. A VALUE of - is read from stdin,
    which keeps a key out of your shell's history.
    """
    setting = _find_setting(key)
    typed = text_of(read_stdin(), "stdin").strip() if value == "-" else value
    home, novel = _home(setting, user, project)
    fresh = setting.value_of(typed)
    before = _settings_before(novel)
    settings = change_novel_setting(setting, fresh, home, novel, os.environ)
    output.report(said("{key} is set in {place}.", key=key, place=_place(home)))
    _tell_of_lengths(setting, before, settings)
    _tell_if_overruled(settings, key, home)
    return Exit.DONE


@config.command()
@click.argument("key", shell_complete=setting_keys)
@_everywhere
@project_option
def unset(key: str, user: bool, project: Path) -> int:
    """Take one setting out of its file, so that whatever it overrode applies again."""
    setting = _find_setting(key)
    home, novel = _home(setting, user, project)
    before = _settings_before(novel)
    settings = change_novel_setting(setting, None, home, novel, os.environ)
    output.report(said("{key} is no longer set in {place}.", key=key, place=_place(home)))
    _tell_of_lengths(setting, before, settings)
    _tell_if_overruled(settings, key, home)
    return Exit.DONE


@config.command()
def path() -> int:
    """Print where your own file of settings is, or would be."""
    output.say(str(user_config_path(os.environ)))
    return Exit.DONE


def _find_setting(key: str) -> Setting:
    """Returns the setting of that name; raises StudioError (exit 2)
    that suggests the nearest name."""
    settings = {setting.key: setting for setting in all_settings(METRIC_NAMES)}
    key = _present_key(key)
    if key not in settings:
        raise _no_setting(key, settings)
    return settings[key]


def _present_key(key: str) -> str:
    """Returns a setting's present name: what once stood in `[provider]` itself belongs to the
    provider that the writer's own file names, without a name to `anthropic` (CONTRACTS 12)."""
    last = key.removeprefix("provider.")
    if key == last or last not in ("api_key", "base_url", "model_file"):
        return key
    chosen = load_settings(None, os.environ).provider.name
    owner = "openai" if chosen == "openai" else "anthropic"
    return f"provider.{'embedded' if last == 'model_file' else owner}.{last}"


def _no_setting(key: str, keys: Iterable[str]) -> StudioError:
    near = get_close_matches(key, list(keys), 1)
    hint = (
        said("Did you mean {quote}?", quote=near[0])
        if near
        else said("`studio config` lists them.")
    )
    return usage(said("There is no setting {key}.", key=repr(key)), hint)


def _home(setting: Setting, user: bool, project: Path) -> tuple[Home, Path | None]:
    """Returns the file that a setting is written to, and the current novel."""
    novel = project if is_novel(project) else None
    return "user config" if user or novel is None else setting.homes[0], novel


def _place(home: Home) -> str:
    return str(user_config_path(os.environ)) if home == "user config" else home


def _settings_before(novel: Path | None) -> Settings | None:
    """Returns the settings that a change begins with; None where they cannot be read, which may be
    what it mends."""
    with suppress(StudioError):
        return settings_of_novel(novel, os.environ)
    return None


def _tell_of_lengths(setting: Setting, before: Settings | None, settings: Settings) -> None:
    if before is not None and (sentence := lengths_sentence(setting, before, settings)):
        output.report(sentence)


def _tell_if_overruled(settings: Settings, key: str, home: Home) -> None:
    """Warns when another file or variable still overrides the setting."""
    source = settings.provenance(key)
    if source not in (home, "default"):
        output.warn(
            said(
                "{key} is {value_text}: {source} set it.",
                key=key,
                value_text=_value_text(settings.display_values().get(key)),
                source=source,
            )
        )


def _value_text(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
