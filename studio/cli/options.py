"""Options shared by several commands, the settings they override, and the two options that every
command takes: `--quiet` and `--debug`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from studio.cli import output
from studio.cli.click_words import in_writers_words, put_shapes_last
from studio.errors import Exit, StudioError, usage
from studio.i18n import Language, call_chapters
from studio.messages import Said, said
from studio.project.layout import refuse_shut
from studio.story.form.slugs import LAST_CHAPTER

if TYPE_CHECKING:
    from studio.session import Session

Function = TypeVar("Function", bound=Callable[..., Any])
Decided = TypeVar("Decided")
CHAPTER = click.IntRange(min=1, max=LAST_CHAPTER)
"""The number of a chapter, which need not be written yet."""


class ChapterArgument(click.ParamType[Any]):
    """A chapter of the novel in `--project`: by its number, by the author's label of it, by the
    name of its file (`chapter-004`) or by its id. The command gets the number."""

    name = "chapter"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the number; raises StudioError (exit 2) for what two chapters are called."""
        from studio.project.layout import CHAPTER_LIST, is_novel
        from studio.project.store import ProjectStore
        from studio.project.which_chapter import chapter_meant

        project = Path((ctx.params.get("project") if ctx else None) or ".")
        is_listed = (project / CHAPTER_LIST).is_file() and is_novel(project)
        if isinstance(value, str) and (is_listed or not value.lstrip("-").isdecimal()):
            number = chapter_meant(ProjectStore(project), value) if is_novel(project) else None
            value = value if number is None else number
        return CHAPTER.convert(value, param, ctx)


A_CHAPTER = ChapterArgument()
"""What every argument and option that names a chapter takes."""
LANGUAGE = click.Choice(get_args(Language))
"""The languages in which novels can be written."""
FILE_OR_STDIN = click.Path(path_type=Path, allow_dash=True)
"""A file, or `-` for stdin."""


def _note_novel(_: click.Context, __: click.Parameter, project: Path) -> Path:
    """Makes the hints of this run name the novel, where it is not the current folder; raises
    StudioError (exit 5) for an inaccessible folder."""
    output.name_novel(project)
    refuse_shut(project)
    return project


project_option = click.option(
    "--project",
    type=click.Path(path_type=Path, readable=False),
    default=Path("."),
    metavar="DIR",
    callback=_note_novel,
    is_eager=True,  # what names a chapter needs to know of which novel
    help="The novel's folder; by default the current one.",
)
form_option = click.option(
    "--form",
    type=click.Choice(["literary", "serial"]),
    default="literary",
    help="A book of chapters, or a serial, whose episodes have no breaks between scenes.",
)
narration_option = click.option(
    "--narration",
    type=click.Choice(
        [
            f"{person}{tense}{stance}"
            for person in ("first", "third")
            for tense in ("", ", past", ", present")
            for stance in ("", ", looking back")
        ]
    ),
    metavar="WAY",
    help="Who tells it and in which tense, such as `first, past, looking back`.",
)


class CommandResult(NamedTuple):
    """What a command found or did, and the exit code that says how it ended."""

    data: Any
    """A model, or a mapping or list of models and plain values."""
    exit_code: int = Exit.DONE
    is_versioned: bool = True
    """Whether a mapping gets a schema version; not if it is what stands in a file, with more."""


Telling = Generator[Any, None, Any]
"""A command that yields its result once, bare or as a `CommandResult`, and then says it in words.
What it returns without having yielded anything is its exit code."""


def show(telling: Telling, as_json: bool) -> int:
    """Prints a command's result, as JSON or in the command's words; returns the exit code."""
    try:
        result = next(telling)
    except StopIteration as end:
        return end.value or Exit.DONE
    outcome = result if isinstance(result, CommandResult) else CommandResult(result)
    if as_json:
        telling.close()
        is_versioned = outcome.is_versioned and isinstance(outcome.data, Mapping)
        data = {"schema_version": 1, **outcome.data} if is_versioned else outcome.data
        output.say_json(_plain(data))
    else:
        next(telling, None)
    return outcome.exit_code


def _plain(data: Any) -> Any:
    """Returns data with its models as plain values."""
    from pydantic import BaseModel

    from studio.story.form.document import to_jsonable

    if isinstance(data, BaseModel):
        return to_jsonable(data)
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def json_option(command: Callable[..., Telling | int]) -> Callable[..., int]:
    """Adds `--json`: the result that the command yields is printed for programs, instead of in the
    words that follow. A command that asks or shows its progress before it has a result takes
    `as_json`."""
    takes_it = "as_json" in signature(command).parameters

    @click.option(
        "--json", "as_json", is_flag=True, help="Print JSON for programs; its form is stable."
    )
    @wraps(command)
    def tell(*args: Any, as_json: bool, **values: Any) -> int:
        if takes_it:
            values["as_json"] = as_json
        done = command(*args, **values)
        return show(done, as_json) if isinstance(done, Generator) else done

    return tell


def novel_options(command: Callable[..., Telling | int]) -> Callable[..., int]:
    """Adds `--json` and `--project` to a command that answers about one novel."""
    return json_option(project_option(command))


events_option = click.option(
    "--events", is_flag=True, help="Print events as NDJSON, one a line, for programs."
)


def provider_option(function: Function) -> Function:
    """Adds the option `--provider` to a command."""
    return click.option(
        "--provider",
        type=click.Choice(["anthropic", "embedded", "openai"]),
        help="Where the model is: Anthropic, this machine, or a server of OpenAI's kind.",
    )(function)


def model_options(function: Function) -> Function:
    """Adds the options `--provider` and `--model` to a command."""
    model = click.option(
        "--model", metavar="ID|FILE.gguf", help="One model for every role, or a GGUF file."
    )
    return provider_option(model(function))


class ShowFirst(click.Group):
    """A group whose first command, which shows something, is the default."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Inserts the first command's name before arguments that name no command."""
        asks_for_help = bool(args) and args[0] in ctx.help_option_names
        if ctx.resilient_parsing:  # the shell asks for completions
            return super().parse_args(ctx, self._first_words(ctx, args))
        if not asks_for_help and (not args or args[0] not in self.commands):
            args = [self._first, *args]
        return super().parse_args(ctx, args)

    @property
    def _first(self) -> str:
        return next(iter(self.commands))

    def _first_words(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Returns the words before the one being completed, with the first command's name
        inserted where they belong to it."""
        return [self._first, *args] if args and args[0] not in self.commands else args

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Returns the commands, and the completions of the first one, whose name may be omitted."""
        own = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            return own
        first = self.commands[self._first]
        for param in first.params:
            if isinstance(param, click.Argument):
                own += param.shell_complete(ctx, incomplete)
                break
        return own


def model_overrides(provider: str | None, model: str | None) -> dict[str, object]:
    """Returns the settings that `--provider` and `--model` override, by dotted key.

    Raises StudioError (exit 2) for a GGUF file with another provider.
    """
    if model is None:
        return {"provider.name": provider}
    if not model.lower().endswith(".gguf"):
        from studio.config.schema import ROLES

        if provider == "embedded":
            raise usage(
                said("The embedded model is a GGUF file, and {model} is not one.", model=model),
                said("Name a file with --model FILE.gguf, or leave --model out for the small one."),
            )
        return {"provider.name": provider, **{f"models.{role}": model for role in ROLES}}
    if provider not in (None, "embedded"):
        raise usage(
            said(
                "{model} is a GGUF file, and the provider {provider} cannot run it.",
                model=model,
                provider=provider,
            ),
            said("Leave --provider out, or say --provider embedded."),
        )
    file = Path(model).expanduser().absolute()
    return {"provider.name": "embedded", "provider.embedded.model_file": str(file)}


LEAVE = click.option(
    "--leave",
    "leave",
    multiple=True,
    metavar="N",
    help="Leave these places as they are: their numbers in --dry-run, as 3 or 3,7-9, or the very "
    "words that are there.",
)
"""What a change in many places passes over: `studio replace` and `studio bible rename`."""


ByName = Literal["accept", "reject", "undo"]
"""What can be decided on directives or proposals that are named, or on all."""


def add_decisions(
    group: click.Group,
    change: Callable[[Session], Callable[..., Sequence[Decided]]],
    tell: Callable[[Sequence[Decided], Path], Telling],
    helps: Mapping[ByName, str],
    complete: Callable[..., Any],
    nothing_named: str,
) -> None:
    """Adds the commands `accept`, `reject` and `undo` to the group of directives or of proposals:
    `change` decides on those with some ids, or on all that are open, and `tell` says what came of
    it. `complete` completes ids; `nothing_named` is said where neither ids nor --all are."""

    def add(action: ByName, words: str) -> None:
        @group.command(action, help=words)
        @click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=complete)
        @click.option("--all", "all_", is_flag=True, help="All that are open.")
        @click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
        @json_option
        @project_option
        def carry_out(ids: Sequence[str], all_: bool, reason: str, project: Path) -> Telling:
            if bool(ids) == all_:
                listing = command(f"{group.name} list", project)
                raise usage(nothing_named, f"{listing}.")
            decide = change(open_session(project))
            return tell(decide(action, ids, all_=all_, reason=reason), project)

    for action, words in helps.items():
        add(action, words)


def open_session(
    project: Path, overrides: dict[str, object] | None = None, warn: bool = True
) -> Session:
    """Opens the novel in a folder; prints warnings about its settings unless `warn` is false."""
    from studio.session import Session

    session = Session.open(folder=project, environ=os.environ, overrides=overrides)
    call_chapters(session.settings.novel.word_for_chapters)
    session.store.say = output.warn
    context = click.get_current_context(silent=True)
    if context is not None:  # what a command reads before it takes the lock counts as well
        context.with_resource(session.store.remember_looks())
    for warning in session.warnings if warn else ():
        output.warn(warning)
    return session


def name_chapters(project: Path) -> None:
    """Has sentences call chapters as a novel does that is not opened, if its settings can be
    read."""
    from studio.config.load import load_settings

    with suppress(StudioError):
        call_chapters(load_settings(project, os.environ).novel.word_for_chapters)


def only_one(beginning: str, names: Iterable[str], kind: str, hint: str) -> str:
    """Returns the one of `names` that equals `beginning` or starts with it.

    Raises StudioError (exit 2) where no name does, or more than one.
    """
    matching_names = [name for name in names if name.startswith(beginning)]
    matching_names = [beginning] if beginning in matching_names else matching_names
    if len(matching_names) == 1:
        return matching_names[0]
    raise usage(
        said("More than one {kind} begins with {quote}.", kind=kind, quote=repr(beginning))
        if matching_names
        else said("No {kind} begins with {quote}.", kind=kind, quote=repr(beginning)),
        hint,
    )


def command(words: str, project: Path) -> str:
    """Returns a command to type next for the same novel: `` `studio decide keep` ``."""
    place = "" if project == Path(".") else f" --project {shlex.quote(str(project))}"
    return f"`studio {words}{place}`"


def say_command(
    sentence: Said, words: str, project: Path, tone: output.TerminalTone = "plain"
) -> None:
    """Prints a sentence about the `{command}` to type next."""
    output.say(sentence.with_values(command=command(words, project)), tone)


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
    put_shapes_last(command)
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
