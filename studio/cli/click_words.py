"""What click says, in the writer's words: of arguments that do not fit, and in the help of the
commands.

Click looks its sentences up with gettext's functions. In their place it gets messages here, which
are filled by `format` as its sentences are. Click's own composites are put together again from what
its errors hold.

Commands define their help in English; it is looked up here when displayed. Click's formatter counts
characters, so text with wide characters is wrapped here by cells.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator

import click
import click.core
import click.exceptions
import click.parser
import click.types

from studio.cli.guide import EXAMPLES_HEADING
from studio.cli.output import width_of
from studio.i18n import language_in_force, translate
from studio.messages import Said, join, said, series

_SENTENCES = {
    one.english: one
    for one in (
        said("Got unexpected extra argument ({args})"),
        said("Got unexpected extra arguments ({args})"),
        said("Invalid value for {param_hint}: {message}"),
        said("Invalid value: {message}"),
        said("Missing command."),
        said("No such command {name!r}."),
        said("No such option {name!r}."),
        said("Options"),
        said("Commands"),
        said("Option {name!r} does not take a value."),
        said("Option {name!r} requires an argument."),
        said("Option {name!r} requires {nargs} arguments."),
        said("{name} {filename!r} does not exist."),
        said("{name} {filename!r} is a directory."),
        said("{name} {filename!r} is a file."),
        said("{name} {filename!r} is not readable."),
        said("{name} {filename!r} is not writable."),
        said("{value!r} is not a valid {number_type}."),
        said("{value!r} is not one of {choices}."),
        said("{value!r} is not {choice}."),
        said("{value} is not in the range {range}."),
    )
}
_NUMBERS = {
    "integer": said("integer"),
    "integer range": said("integer range"),
    "float": said("float"),
}
_MISSING = {
    "argument": said("Missing argument {name}."),
    "option": said("Missing option {name}."),
}


def adopt() -> None:
    """Gives click messages in place of its own sentences, from now on."""
    for module in (click.core, click.exceptions, click.parser, click.types):
        module._ = _message  # type: ignore[attr-defined]
        module.ngettext = _form  # type: ignore[attr-defined]
    for number in (click.INT, click.FLOAT, click.IntRange, click.FloatRange):
        number.name = _NUMBERS.get(number.name, number.name)


def words_of(error: click.ClickException) -> str:
    """Returns what an error says, as a message where click has one."""
    if isinstance(error, click.MissingParameter) and error.param is not None:
        missing = _MISSING[error.param.param_type_name]
        hint = error.param.get_error_hint(error.ctx)
        choices = error.param.type.get_missing_message(error.param, error.ctx)
        return join([missing.with_values(name=hint), choices or ""])
    if isinstance(error, click.NoSuchOption | click.NoSuchCommand) and error.possibilities:
        names = [repr(name) for name in sorted(error.possibilities)]
        near = (
            said("Did you mean {names}?")
            if len(names) == 1
            else said("(Did you mean one of: {names}?)")
        )
        return join([error.message, near.with_values(names=series(names))])
    return error.format_message()


def _message(sentence: str) -> str:
    return _SENTENCES.get(sentence, sentence)


def _form(one: str, many: str, number: int) -> str:
    return _message(one if number == 1 else many)


_DEFAULT = said("[default:")
_OF_CLICK: dict[str, Said] = {
    words: words
    for words in (said("Show this message and exit."), said("Show the version and exit."))
}
"""The help that click itself writes."""
_STOPS = (". ", "。")
_NO_BREAK_BEFORE = "，。、；：？！）》」』”’,.;:?!)"
"""Characters that may not begin a line."""


def put_shapes_last(command: click.Command) -> None:
    """Moves what `--json` prints behind the examples, once: it is for programs, not for a writer
    who asks what a command does."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    shapes = [text for text in paragraphs if text.startswith("--json ")]
    if shapes:
        command.help = "\n\n".join(text for text in paragraphs if text not in shapes)
        command.epilog = "\n\n".join(filter(None, (command.epilog, *shapes)))


def in_writers_words(command: click.Command) -> None:
    """Translates the help of a command and its parameters into the current language, once."""
    if language_in_force() == "en":
        return
    if command.help:
        paragraphs = inspect.cleandoc(command.help).split("\n\n")
        command.help = "\n\n".join(map(_in_words, paragraphs))
        command.short_help = _first_sentence(command.help)
    if command.epilog:
        command.epilog = "\n\n".join(map(_in_words, command.epilog.split("\n\n")))
    for param in command.params:
        if isinstance(param, click.Option) and param.help:
            param.help = _in_words(param.help)


def _in_words(text: str) -> str:
    """Looks up a paragraph of a command's help, which is ours; examples stay as they are."""
    return text if text.startswith("\b\n") else translate(Said(" ".join(text.split())))


def help_texts(command: click.Command) -> Iterator[str]:
    """Yields what is looked up of the help of a command, for the extractor of the catalogues."""
    paragraphs = f"{inspect.cleandoc(command.help or '')}\n\n{command.epilog or ''}"
    for text in paragraphs.split("\n\n"):
        if text and not text.startswith("\b\n"):
            yield " ".join(text.split())
    for param in command.params:
        if isinstance(param, click.Option) and param.help:
            yield " ".join(param.help.split())
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if (one := command.get_command(context, name)) is not None:
                yield from help_texts(one)


def _first_sentence(text: str) -> str:
    first = text.partition("\n\n")[0].replace("\n", " ")
    ends = [at + len(stop.rstrip()) for stop in _STOPS if (at := first.find(stop)) >= 0]
    return first[: min(ends)] if ends else first


class HelpInWords(click.HelpFormatter):
    """Writes headings in the writer's language, and lines that fit by cell width."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Writes the usage line."""
        super().write_usage(prog, args, prefix or f"{translate(said('Usage:'))} ")

    def write_heading(self, heading: str) -> None:
        """Writes the heading of a section."""
        colon = "：" if language_in_force() == "zh" else ":"
        self.write(f"{'':>{self.current_indent}}{translate(heading)}{colon}\n")

    def write_text(self, text: str) -> None:
        """A text by its paragraphs; one behind a line of `\\b` stays as it is."""
        if language_in_force() == "en":
            super().write_text(text)
            return
        indent = " " * self.current_indent
        blocks = [_block(block, self.width - len(indent)) for block in text.split("\n\n")]
        lines = [f"{indent}{row}".rstrip() for block in blocks for row in (*block, "")]
        self.write("\n".join(lines[:-1]) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Writes terms with their explanations beside them."""
        if language_in_force() == "en":
            super().write_dl(list(rows), col_max, col_spacing)
            return
        rows = list(rows)
        left = min(max((width_of(term) for term, _ in rows), default=0), col_max) + col_spacing
        for term, words in rows:
            lines = list(_wrap(_explain(words), max(10, self.width - left - 2)))
            beside = width_of(term) <= left - col_spacing
            gap = " " * (left - width_of(term)) if beside else "\n" + " " * left
            head = f"{'':>{self.current_indent}}{term}"
            rest = f"\n{'':>{self.current_indent + left}}"
            pad = gap if beside else f"{rest}"
            self.write(f"{head}{pad}{rest.join(lines)}\n" if words else f"{head}\n")


def _explain(words: str) -> str:
    """Returns an option's explanation; click appends the default to the sentence."""
    sentence, mark, default = words.partition(f"  {_DEFAULT} ")
    if not mark:
        return translate(_OF_CLICK.get(words, words))
    return f"{translate(_OF_CLICK.get(sentence, sentence))} {translate(_DEFAULT)} {default}"


def _block(text: str, width: int) -> list[str]:
    """Returns the lines of one paragraph."""
    if text.startswith("\b\n"):
        _mark, heading, *rest = text.splitlines()
        return [translate(EXAMPLES_HEADING if heading == EXAMPLES_HEADING else heading), *rest]
    return list(_wrap(" ".join(text.split()), width))


def _wrap(text: str, width: int) -> Iterator[str]:
    """Yields lines of at most `width` cells, broken at a nearby space or
    between Chinese characters."""
    line = ""
    for piece in _pieces(" ".join(text.split())):
        fits = width_of(line + piece.rstrip()) <= width or piece[:1] in _NO_BREAK_BEFORE
        if line.strip() and not fits:
            yield line.rstrip()
            line = ""
        line += piece if line else piece.lstrip()
    if line.strip():
        yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Yields words with the following space; each Chinese character is a separate word."""
    piece = ""
    for sign in text:
        if "\u3000" <= sign <= "\u9fff":
            if piece:
                yield piece
            yield sign
            piece = ""
        else:
            piece += sign
            if sign == " ":
                yield piece
                piece = ""
    if piece:
        yield piece
