"""The two options that every command takes: `--quiet` and `--debug`."""

from __future__ import annotations

from collections.abc import Callable

import click

from studio.cli import output
from studio.cli.click_words import in_writers_words

_Callback = Callable[[click.Context, click.Parameter, bool], None]


def with_manners(command: click.Command) -> click.Command:
    """Adds the options, once, to a command and all of its subcommands, and returns the command."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            with_manners(inner)
    elif not any(param.name == "quiet_manner" for param in command.params):
        command.params += [
            _manner("quiet", _be_quiet, help="Print results and errors, and nothing else."),
            _manner("debug", _log_all, help="Record what the program does, and say where."),
        ]
    in_writers_words(command)
    return command


def _manner(name: str, callback: _Callback, help: str) -> click.Option:
    return click.Option(
        [f"--{name}", f"{name}_manner"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=callback,
        help=help,
    )


def _be_quiet(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        output.be_quiet()


def _log_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from studio.cli.debug_log import begin

        begin(ctx.command_path)
