"""`studio doctor`: checks everything that must be in order, with a remedy for each problem."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import click

from studio.cli import output
from studio.cli.doctor.machine import Check, look_at_machine
from studio.cli.doctor.novel import look_at_novel, look_at_settings, problem
from studio.cli.options import (
    CommandResult,
    Telling,
    json_option,
    model_options,
    model_overrides,
    project_option,
)
from studio.cli.terms import term
from studio.config.load import keep_probe, load_settings, state_dir
from studio.errors import Exit, StudioError
from studio.messages import said
from studio.project.layout import is_novel
from studio.story.ledger import dollars

_STATUS = 7
"""The width of the longest status in columns."""
TONES: dict[str, output.TerminalTone] = {"ok": "good", "note": "strong", "problem": "bad"}


@click.command()
@click.option(
    "--probe", is_flag=True, help="Also try the model with two tiny calls, which may cost a little."
)
@json_option
@model_options
@project_option
def doctor(probe: bool, provider: str | None, model: str | None, project: Path) -> Telling:
    """Look at Python, packages, settings, model, terminal and the novel.

    Ends with 1 if something is a problem, with 6 if the model tried does not
    answer.

    --json prints {schema_version, checks: [{name, status: ok|note|problem,
    message, hint}]}.
    """
    overrides = model_overrides(provider, model)
    checks = [*look_at_machine(os.environ), *look_at_settings(project, os.environ, overrides)]
    checks += look_at_novel(project)
    code = Exit.FAILED if any(check.status == "problem" for check in checks) else Exit.DONE
    if probe:
        probe_check, code_of_probe = _try(project, overrides)
        checks.append(probe_check)
        code = code_of_probe or code
    yield CommandResult({"checks": checks}, code)
    _show(checks)


def _try(project: Path, overrides: dict[str, object]) -> tuple[Check, Exit]:
    from studio.cli.doctor.probe import try_model
    from studio.llm.choose import choose_provider
    from studio.pipeline.gateway import prices_of
    from studio.pipeline.windows import with_window

    try:
        settings = load_settings(project if is_novel(project) else None, os.environ, overrides)
        choice = choose_provider(settings)
        result = asyncio.run(try_model(choice, prices_of(settings)))
        keep_probe(os.environ, choice.endpoint, result.facts())
        with_window(settings, state_dir(os.environ))
    except StudioError as error:
        return problem("probe", error), error.problem.exit_code
    status = "note" if result.form == "not kept" else "ok"
    message = said("{result}; {cost}", result=result.sentence, cost=_cost_sentence(result.cost))
    return Check(name="probe", status=status, message=message), Exit.DONE


def _cost_sentence(usd: float | None) -> str:
    """Returns the cost of two tiny calls; a cost too small to display is not called zero."""
    if usd is None:
        return said("its cost is unknown")
    if usd == 0:
        return said("it cost nothing")
    return (
        said("it cost {cost}", cost=dollars(usd))
        if usd >= 0.0001
        else said("it cost less than $0.0001")
    )


def _show(checks: list[Check]) -> None:
    width = max(output.width_of(term(check.name)) for check in checks)
    for check in checks:
        status, name = output.in_words(term(check.status), term(check.name))
        status += " " * (_STATUS - output.width_of(status))
        name += " " * (width - output.width_of(name))
        output.say(f"{status}  ", TONES[check.status], end="")
        output.say(f"{name}  {output.one_line(check.message)}")
        if check.hint:
            output.say(f"{'':{width + _STATUS + 4}}{output.one_line(check.hint)}")
