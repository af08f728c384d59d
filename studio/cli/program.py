"""Looks up commands, imports them on demand, and handles all exceptions in one place."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from keyword import iskeyword
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from studio import __version__
from studio.cli import output
from studio.cli.click_words import HelpInWords, adopt, in_writers_words, words_of
from studio.cli.guide import GROUPS, epilog_of
from studio.cli.options import with_manners
from studio.cli.sigterm import Terminated, heeding_termination
from studio.errors import Exit, Problem, StudioError
from studio.i18n import translate
from studio.messages import said

COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("new", said("Make a new novel.")),
    "try": ("new", said("Open a copy of the sample novel, or write in one.")),
    "start": ("start", said("Begin a book step by step, or go on with its beginning.")),
    "write": ("write", said("Write the next chapter, or go on with the one in progress.")),
    "resume": ("write", said("Go on with an interrupted chapter.")),
    "decide": ("decide", said("Show the question that is open, or answer it.")),
    "plan": ("plan", said("The chapters ahead: added, renamed, moved, split, merged.")),
    "brief": ("volume", said("How the last five chapters went. Changes nothing.")),
    "directives": ("directives", said("List, accept, reject, edit or undo directives.")),
    "proposals": ("proposals", said("Changes of a passage with given words: add, accept, undo.")),
    "rewrite": (
        "rewrite",
        said("Other versions of a passage, written anew or changed as you say."),
    ),
    "variations": ("variations", said("List, show or bring back the other texts of a passage.")),
    "keep": ("keep", said("Passages that stay as they are, whoever works on the chapter.")),
    "history": ("history", said("List, show, compare or bring back earlier versions.")),
    "find": ("find", said("Find words in prose, plans and bible, or every note to people.")),
    "replace": ("find", said("Replace words over the whole book, with a preview and an undo.")),
    "rebuild": (
        "rebuild",
        said("Bring the book up to date with chapters you changed by hand."),
    ),
    "status": ("status", said("Where the book stands. Changes nothing.")),
    "verify": (
        "verify",
        said("Check that everything in the novel fits together. Changes nothing."),
    ),
    "repair": ("verify", said("Mend what verify names; nothing is thrown away.")),
    "check": ("check", said("Measure the prose of a file or a chapter; needs no model.")),
    "context": ("context", said("What the next scene's drafter will be given. Changes nothing.")),
    "lines": ("context", said("What a model is always told, never told, or told in brief.")),
    "log": ("log", said("The calls to a model: what was sent, what came back.")),
    "usage": ("usage", said("Tokens and money by chapter, day or model; what killed calls cost.")),
    "bible": ("bible", said("People, places, things and lore: list, show, find, set facts.")),
    "continuity": (
        "continuity",
        said("Find what contradicts itself, and what is left hanging."),
    ),
    "promises": ("promises", said("What the reader was promised: list, show, add, settle.")),
    "volume": (
        "volume",
        said("Have a volume planned, or plan it from an outline; look back on it at its end."),
    ),
    "authorship": ("authorship", said("Who wrote each paragraph; a statement of it.")),
    "retire": ("retire", said("Somebody leaves the story, or comes back.")),
    "waivers": ("waivers", said("What you mean that way, and is not proposed again.")),
    "exemplars": ("exemplars", said("The style library: list, query, add or remove passages.")),
    "baseline": ("baseline", said("Learn or show your own range of each measure.")),
    "models": ("models", said("What the model's server has, and what is used for what.")),
    "doctor": ("doctor", said("Check this machine: packages, model, terminal, the novel.")),
    "plugins": ("plugins", said("Other people's code: what runs, and what you trust.")),
    "agents": ("agents", said("The agents (drafter, judge and others), and what each is told.")),
    "config": ("config", said("Every setting, and which file or variable set it.")),
    "import": ("import_", said("Bring chapters from other programs and folders into a novel.")),
    "export": (
        "export",
        said("Write the book as text, web page, e-book or manuscript. Changes nothing in it."),
    ),
    "published": (
        "serial",
        said("Chapters that you have put on a platform, and what changed in them since."),
    ),
    "notes": ("serial", said("What you say to your readers with a chapter, and what they say.")),
    "schemas": ("schemas", said("The JSON Schemas of a novel's files.")),
    "completion": (
        "completion_script",
        said("Completion of commands, ids and chapters in your shell."),
    ),
    "help": ("help", said("A command or a page of the documentation.")),
}
"""Maps each command to its module in `studio.cli.commands` and its line in the help."""

COMPLETING = "_STUDIO_COMPLETE"
"""The variable set by a shell that requests completions, or to request its completion script."""
RunArguments = Callable[[Sequence[str]], int]
OpenApp = Callable[[Sequence[str], Mapping[str, object]], int]
"""Opens the novel in a folder in the app, with settings to override by dotted key."""


def names_a_command(arguments: Sequence[str]) -> bool:
    """Whether the first argument is a command or an option; anything else is a path."""
    return bool(arguments) and (arguments[0] in COMMANDS or arguments[0].startswith("-"))


def nearest_command(word: str) -> str:
    """Returns the command that a word most likely means, one that is misspelled or that says in
    another way what it does; or an empty string."""
    from studio.cli.other_words import command_meant_by

    return command_meant_by(word) or next(iter(get_close_matches(word.lower(), COMMANDS, 1)), "")


click.Context.formatter_class = HelpInWords


class _Commands(click.Group):
    """Looks up a command by name and imports its module only then."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"studio.cli.commands.{COMMANDS[cmd_name][0]}")
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = getattr(module, name)
        command.epilog = command.epilog or epilog_of(cmd_name)
        return with_manners(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, translate(COMMANDS[name][1])) for name in names])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Returns the commands without importing them; folders where no command matches."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        items = [
            CompletionItem(name, help=translate(line))
            for name, (_, line) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return items or [CompletionItem(incomplete, type="dir")]


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="A writing studio for long fiction. Options come after the command;"
    " a first word that is no command is a folder, and opens in the app.",
    epilog="`studio COMMAND --help` has examples, `studio help` pages to read."
    " Exit codes: 0 done, 1 failed, 2 usage, 3 locked, 4 your decision is needed,"
    " 5 damaged novel, 6 the model failed, 7 budget reached, 130 and 143 stopped.",
)
@click.version_option(__version__, message="studio %(version)s")
def studio() -> None:
    """The group all commands belong to; it does nothing itself."""


def command_line(arguments: Sequence[str], open_app: OpenApp | None = None) -> int:
    """Runs one command and returns its exit code. `open_app` serves commands that end in the app,
    which the command line must not import."""
    adopt()
    in_writers_words(studio)
    if {"-h", "--help"}.intersection(arguments):
        from studio.cli.options import name_chapters

        name_chapters(_novel_among(arguments))
    code = studio.main(
        list(arguments),
        prog_name="studio",
        standalone_mode=False,
        complete_var=COMPLETING,
        obj=open_app,
    )
    return code if isinstance(code, int) else Exit.DONE


def _novel_among(arguments: Sequence[str]) -> Path:
    """Returns the novel's folder a command would work in, before its arguments are read."""
    for option, value in pairwise((*arguments, "")):
        if option == "--project":
            return Path(value)
        if option.startswith("--project="):
            return Path(option.partition("=")[2])
    return Path(".")


def catch(action: RunArguments, arguments: Sequence[str]) -> int:
    """Returns the exit code of `action`; exceptions are reported in words, not as tracebacks."""
    output.prepare_streams()
    output.name_novel(Path("."))
    output.be_quiet(False)
    try:
        code = _catch(action, arguments)
    except (StudioError, click.exceptions.Exit):  # the error message itself could not be printed
        code = Exit.FAILED
    if log := sys.modules.get("studio.cli.debug_log"):
        log.close(code)
    return code


def _catch(action: RunArguments, arguments: Sequence[str]) -> int:
    try:
        with heeding_termination():
            return action(arguments)
    except StudioError as error:
        _note(error)
        return _refuse(arguments, error.problem)
    except click.ClickException as error:
        return _refuse(arguments, _misuse(error))
    except (click.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except Terminated as stop:
        return stop.exit_code
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except Exception as error:
        if (code := _stop_behind(error)) is not None:
            return code
        from studio.cli.crash import report

        _note(error)
        return _refuse(arguments, report(error, arguments, os.environ))


def _stop_behind(error: BaseException) -> int | None:
    """Returns the exit code of the stop that an error was made of: Ctrl-C while a class is being
    built, which Python and pydantic wrap into errors of their own. None for any other error."""
    behind: BaseException | None = error
    while behind is not None:
        if isinstance(behind, KeyboardInterrupt):
            return Exit.INTERRUPTED
        if isinstance(behind, Terminated):
            return behind.exit_code
        behind = behind.__cause__ or behind.__context__
    return None


def _note(error: Exception) -> None:
    """Writes an error to the `--debug` log, if there is one."""
    if log := sys.modules.get("studio.cli.debug_log"):
        log.note_error(error)


def _refuse(arguments: Sequence[str], problem: Problem) -> int:
    if "--events" in arguments:
        from studio.cli.event_stream import refusal

        output.put_json(refusal(problem).line())
    output.show_problem(problem)
    return problem.exit_code


def _misuse(error: click.ClickException) -> Problem:
    """Returns the Problem for invalid arguments, with a hint where to look them up."""
    message = words_of(error)
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "studio"
    hint = said("`{path} --help` lists what it takes.", path=path)
    if isinstance(error, click.NoSuchOption) and context and context.parent is None:
        hint = said("Options come after the command: `studio status --project DIR`.")
    return Problem(message, hint, exit_code=Exit.USAGE, kind="usage")


def no_such_place(argument: str) -> Problem:
    """Returns the refusal of a first argument that is neither a command nor a folder."""
    near = nearest_command(argument)
    return Problem(
        said("There is no command and no folder {argument}.", argument=repr(argument)),
        said("Did you mean `studio {near}`?", near=near)
        if near
        else said("`studio --help` lists the commands."),
        exit_code=Exit.USAGE,
        kind="usage",
    )
