"""`studio agents`: which agent is asked for what, with the prompts currently in force."""

from __future__ import annotations

from pathlib import Path

import click

from studio.agent_pages import AgentSpec, list_agents, load_agent
from studio.cli import output
from studio.cli.options import Telling, novel_options
from studio.cli.terms import term
from studio.messages import said
from studio.project import layout as places
from studio.project.layout import is_novel


@click.command()
@click.argument("name", required=False)
@novel_options
def agents(name: str | None, project: Path) -> Telling:
    """List the agents, or print the prompt of NAME.

    A novel's own file agents/NAME.md replaces the built-in prompt.

    --json prints {schema_version, agents: [...]} or {schema_version, agent}.
    """
    overrides = project / places.AGENTS if is_novel(project) else None
    if name is None:
        return _list(list_agents(overrides))
    return _print(load_agent(name, overrides))


def _list(specs: list[AgentSpec]) -> Telling:
    yield {"agents": specs}
    rows = [
        output.in_words(said("agent"), said("role"), said("effort"), said("answer"), said("prompt"))
    ]
    rows += [(s.id, s.role, s.effort, term(s.answer or "prose"), term(s.source)) for s in specs]
    output.say_columns(rows)


def _print(spec: AgentSpec) -> Telling:
    yield {"agent": spec}
    sampling = ", ".join(f"{key} {value:g}" for key, value in spec.sampling if value is not None)
    rows = [
        (said("prompt"), term(spec.source)),
        (said("role"), said("{role}, effort {effort}", role=term(spec.role), effort=spec.effort)),
        (said("sampling"), sampling or "-"),
        (said("answer"), term(spec.answer or "prose")),
        (said("blocks"), ", ".join(spec.blocks)),
        (said("tools"), ", ".join(spec.tools) or "-"),
    ]
    output.say(spec.id, "strong")
    output.say_columns(rows)
    output.say()
    output.show(spec.body, end="")
    for kind, words in spec.operations.items():
        output.show(f"\n{kind}: {words}", end="")
    if spec.short:
        output.say()
        output.say(said("For small models:"), "strong")
        output.show(spec.short.strip())
