"""What click says of arguments that do not fit, as messages of ours.

Click looks its sentences up with gettext's functions. In their place it gets messages here, which
are filled by `format` as its sentences are. Click's own composites are put together again from what
its errors hold.
"""

from __future__ import annotations

import click
import click.core
import click.exceptions
import click.parser
import click.types

from studio.messages import join, said, series

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
