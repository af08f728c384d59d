"""`studio completion`: prints the shell code that completes commands, ids and chapters."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from studio.cli import output
from studio.errors import Exit


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what SHELL reads at its start to complete commands, ids and chapters.

    It is the same as `_STUDIO_COMPLETE=bash_source studio`.
    """
    from studio.cli.program import COMPLETING, studio

    kind = get_completion_class(shell)
    assert kind is not None  # ensured by click.Choice
    output.say(kind(studio, {}, "studio", COMPLETING).source(), end="\n")
    return Exit.DONE
