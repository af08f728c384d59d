"""`studio plugins`: third-party code, and whether it may run for this novel."""

from __future__ import annotations

import os
from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import ShowFirst, Telling, json_option, open_session, project_option
from studio.cli.terms import term
from studio.config.paths import state_dir
from studio.errors import Exit
from studio.messages import said, series


@click.group(cls=ShowFirst)
def plugins() -> None:
    """Plugins: installed ones, and those of the novel, which run once you trust them.

    They run in a process of their own, with your rights. docs/plugins.md says how to write one.
    """


@plugins.command("list")
@json_option
@project_option
def list_them(project: Path) -> Telling:
    """What there is, and whether it runs.

    --json prints {schema_version, plugins: [{name, from: installed|novel, trusted}]}.
    """
    from studio.plugins.active_plugins import installed_plugins
    from studio.project.trust import novel_plugins, untrusted_sentence

    own = novel_plugins(open_session(project).store.root, state_dir(os.environ))
    rows = [{"name": s.name, "from": "installed", "trusted": True} for s in installed_plugins()]
    rows += [{"name": name, "from": "novel", "trusted": own.trusted} for name in own.sources]
    yield {"plugins": rows}
    hidden = own.sources.keys() & {row["name"] for row in rows if row["from"] == "installed"}
    for row in rows:
        runs = row["trusted"] and not (row["from"] == "novel" and row["name"] in hidden)
        words = said("runs") if runs else said("does not run")
        output.say(
            said(
                "{name}: {origin}, {words}",
                name=output.one_line(str(row["name"])),
                origin=term(str(row["from"])),
                words=words,
            )
        )
    if not rows:
        output.say(said("There are no plugins."))
    if own.sources and not own.trusted:
        output.say(untrusted_sentence(own), "quiet")


@plugins.command()
@project_option
def trust(project: Path) -> int:
    """Let this novel's plugins run on this machine, as they are now.

    A plugin can read and change what you can. If one of the files changes, none of them runs
    until you trust them again.
    """
    from studio.project.trust import trust as trust_them

    present = trust_them(open_session(project).store.root, state_dir(os.environ))
    output.say(said("Trusted as they are now: {names}.", names=series(present.shas)))
    return Exit.DONE


@plugins.command()
@project_option
def distrust(project: Path) -> int:
    """Stop them from running."""
    from studio.project.trust import distrust as distrust_them

    distrust_them(open_session(project).store.root, state_dir(os.environ))
    output.say(said("This novel's plugins no longer run on this machine."))
    return Exit.DONE
