"""`studio config`: every setting in force, and where it comes from."""

from __future__ import annotations

import os
from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import json_option, model_options, model_overrides, project_option
from studio.config.load import load_settings, user_config_path
from studio.errors import Exit
from studio.project.layout import is_novel


@click.command()
@json_option
@model_options
@project_option
def config(as_json: bool, provider: str | None, model: str | None, project: Path) -> int:
    """Show every setting and which file, variable or option set it. Keys are masked.

    Outside of a novel it shows what holds for every novel. --json prints
    {schema_version, novel, user_config, settings: {key: {value, source}}, warnings}.
    """
    novel = project if is_novel(project) else None
    settings = load_settings(novel, os.environ, model_overrides(provider, model))
    values = settings.display_values()
    user = user_config_path(os.environ)
    if as_json:
        output.say_json(
            {
                "schema_version": 1,
                "novel": None if novel is None else str(novel.resolve()),
                "user_config": str(user),
                "settings": {
                    key: {"value": value, "source": settings.provenance(key)}
                    for key, value in values.items()
                },
                "warnings": list(settings.warnings),
            }
        )
        return Exit.DONE
    rows = [(key, _value_text(value), settings.provenance(key)) for key, value in values.items()]
    for line in output.columns(rows):
        output.say(line)
    output.say(f"User config: {user}{'' if user.exists() else ' (not there)'}")
    for warning in settings.warnings:
        output.warn(warning)
    return Exit.DONE


def _value_text(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
