"""The hooks of a plugin: a module whose functions are marked with `hookimpl` and named like those
below; each takes those of the arguments that it needs (pluggy).

All arguments and results are plain data (dictionaries, lists, strings, numbers), because a plugin
runs in a separate process. None means that nothing changes. docs/plugins.md has examples.
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
    """Called before the material of a call is selected. `context` has language, title, chapter,
    scene, agent, stage, direction, folder (of the novel), present (slugs) and location; a result
    may give other values for present and location."""


@hookspec
def blocks(context: Data) -> list[Data] | None:
    """Returns blocks to add to the prompt of a call: `{id, text}` each."""


@hookspec
def before_blocks(context: Data, blocks: list[Data]) -> list[Data] | None:
    """Receives the blocks of a call, `{id, text, protected}` each, and returns their replacements;
    protected blocks (rules, the author's wishes, the task) stay as they are."""


@hookspec
def before_generation(context: Data, messages: list[Data]) -> list[Data] | None:
    """Receives the messages of a call, `{role, content}` each. The result must contain each content
    unchanged; text before or after it is sent along."""


@hookspec
def after_generation(context: Data, text: str) -> str | None:
    """Receives the prose of a scene as the model wrote it, and returns its replacement."""


@hookspec
def after_save(context: Data, chapter: Data) -> None:
    """Called when a chapter has entered the book (stage `commit`), or a scene of it the draft
    (stage `draft`, with the scene's number in `context`): `{number, title, text, sha256}`."""


@hookspec
def tools(context: Data) -> list[Data] | None:
    """Returns the look-ups that agents may use: `{name, description, schema}` each."""


@hookspec
def use_tool(context: Data, name: str, args: Data) -> str | None:
    """Answers one of the plugin's own look-ups."""


@hookspec
def detect(context: Data, chapter: Data, earlier: list[Data]) -> list[Data] | None:
    """Returns remarks on a chapter, `{message, paragraph}` each (paragraph counts from 1, or is
    None). `chapter` and the up to ten chapters before it are `{number, title, paragraphs}`."""


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
