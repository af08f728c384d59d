"""What a plugin may do. A plugin is a module whose functions bear `hookimpl` and one of the names
below; it takes those of their arguments that it wants (pluggy).

All arguments and results are plain data, for a plugin runs in a process of its own:
dictionaries, lists, strings, numbers. None means: nothing to change. docs/plugins.md has examples.
"""

from __future__ import annotations

from typing import Any

import pluggy

NAME = "studio"
hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)

Data = dict[str, Any]


@hookspec
def before_context(context: Data) -> Data | None:
    """Before the material of a call is chosen. `context` has language, title, chapter, scene,
    agent, stage, direction, folder (of the novel), present (slugs) and location; a result may
    hold other values of present and location."""


@hookspec
def blocks(context: Data) -> list[Data] | None:
    """Blocks to add to the prompt of a call: `{id, text}` each."""


@hookspec
def before_blocks(context: Data, blocks: list[Data]) -> list[Data] | None:
    """The blocks of a call, `{id, text, protected}` each. The result stands in their place;
    those that are protected (rules, the author's wishes, the task) stay as they are."""


@hookspec
def before_generation(context: Data, messages: list[Data]) -> list[Data] | None:
    """The messages of a call, `{role, content}` each. The result holds each of them whole; what
    stands before or behind its content is sent with it."""


@hookspec
def after_generation(context: Data, text: str) -> str | None:
    """The prose of a scene as the model wrote it; the result takes its place."""


@hookspec
def after_save(context: Data, chapter: Data) -> None:
    """A chapter is in the book (stage `commit`), or a scene of it in the draft (stage `draft`,
    with the scene's number in `context`): `{number, title, text, sha256}`."""


@hookspec
def tools(context: Data) -> list[Data] | None:
    """Look-ups that agents may use: `{name, description, schema}` each."""


@hookspec
def use_tool(context: Data, name: str, args: Data) -> str | None:
    """The answer to a look-up of one's own."""


@hookspec
def detect(context: Data, chapter: Data, earlier: list[Data]) -> list[Data] | None:
    """What is to be said of a chapter, `{message, paragraph}` each (paragraph counts from 1, or
    is None). `chapter` and the up to ten chapters before are `{number, title, paragraphs}`."""


HOOKS = (
    "before_context",
    "blocks",
    "before_blocks",
    "before_generation",
    "after_generation",
    "after_save",
    "tools",
    "use_tool",
    "detect",
)
