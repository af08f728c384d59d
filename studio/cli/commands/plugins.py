"""`studio plugins`: third-party code, and whether it may run for this novel."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from studio.cli import output
from studio.cli.options import ShowFirst, Telling, novel_options, open_session, project_option
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
@novel_options
def list_them(project: Path) -> Telling:
    """What there is, and whether it runs; those that may are loaded once.

    --json prints {schema_version, plugins: [{name, from: installed|novel, trusted, fault}]};
    fault says why one that is trusted cannot be loaded.
    """
    from studio.plugins.active_plugins import PluginSource, faults_of, installed_plugins
    from studio.project.trust import novel_plugins, untrusted_sentence

    own = novel_plugins(open_session(project).store.root, state_dir(os.environ))
    installed = installed_plugins()
    taken = {source.name for source in installed}
    to_load = [PluginSource(n, source=s) for n, s in own.sources.items() if n not in taken]
    faults = faults_of([*installed, *(to_load if own.trusted else ())])
    rows: list[dict[str, Any]] = [
        {"name": s.name, "from": "installed", "trusted": True, "fault": faults.get(s.name)}
        for s in installed
    ]
    for name in own.sources:
        fault = faults.get(name) if name not in taken else None
        rows.append({"name": name, "from": "novel", "trusted": own.trusted, "fault": fault})
    yield {"plugins": rows}
    for row in rows:
        runs = row["trusted"] and not (row["from"] == "novel" and row["name"] in taken)
        words = said("runs") if runs else said("does not run")
        if row["fault"]:
            words = said("does not run: {fault}", fault=row["fault"])
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
