"""`studio help`: shows a command's help, or a page of the documentation in the terminal."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from studio.cli import guide, output
from studio.cli.keyboard import asks
from studio.errors import Exit, usage
from studio.messages import said
from studio.text.safe import safe_text

_FORMATS = "formats"
"""The page that is made anew, and not read: docs/file-formats.md is its copy."""


def _topics(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from studio.cli.program import COMMANDS

    names = [*COMMANDS, *guide.topics(), _FORMATS]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command()
@click.argument("topic", required=False, shell_complete=_topics)
@click.pass_context
def help(ctx: click.Context, topic: str | None) -> int:
    """Explain TOPIC: a command, or a page of the documentation. Without it they are listed."""
    from studio.cli.program import COMMANDS, nearest_command, studio

    pages = guide.topics()
    above = ctx.parent or click.Context(studio, info_name="studio")
    if topic is None:
        output.show(studio.get_help(above))
        output.say()
        output.say(said("Pages, for `studio help PAGE`:"))
        output.say_columns([(n, guide.title_of(p)) for n, p in pages.items()], indent="  ")
    elif topic in COMMANDS:
        command = studio.get_command(above, topic)
        assert command is not None
        inner = click.Context(command, info_name=topic, parent=above, max_content_width=100)
        output.show(command.get_help(inner))
    elif topic == _FORMATS:
        from studio.cli.formats_page import formats_page

        _show_page(formats_page())
    elif topic in pages:
        _show_page(pages[topic].read_text("utf-8"))
    else:
        raise usage(
            said("There is no command and no page {topic}.", topic=repr(topic)),
            said("Did you mean `studio {near}`?", near=near)
            if (near := nearest_command(topic))
            else said("`studio help` lists both."),
        )
    return Exit.DONE


def _show_page(page: str) -> None:
    """Shows a page screen by screen on a terminal, else all at once."""
    if asks():
        click.echo_via_pager(safe_text(page))
    else:
        output.show(page, end="")
