"""The points where plugins act while a chapter is made, and the checks on their answers (C3).

What an answer may not change stays as it is, and an invalid answer switches its plugin off. All of
it is foreign text and passes `safe_text`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from studio.llm.provider import BlockPlace, PromptPart, ToolSpec
from studio.messages import said
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.prompting.author_blocks import PROTECTED, TASK, Arrangement
from studio.pipeline.prompting.fit_to_window import PromptPiece, fence
from studio.pipeline.prompting.tools.look_ups import Args, Tool
from studio.plugins.active_plugins import text_rows
from studio.story.chapter import Chapter
from studio.story.form.slugs import slug_fault
from studio.text.prose.answer import tidy_scene
from studio.text.safe import safe_text

EARLIER = 10
"""Chapters before this one that a detector sees."""
MOST_FINDINGS = 9
LONGEST_MESSAGE = 300
LONGEST_ADDITION = 4000
"""Characters of one block, or of what is added to one message."""
_TOOL_NAME = re.compile(r"^[a-z][a-z0-9_]{0,63}$")

Context = dict[str, Any]


def context_of(view: ChapterView, agent: str, stage: str, scene: int | None = None) -> Context:
    """Returns what a plugin gets to know of a call."""
    novel = view.settings.novel
    return {
        "language": novel.language,
        "title": novel.title,
        "chapter": view.chapter,
        "scene": scene,
        "agent": agent,
        "stage": stage,
        "direction": view.direction,
        "folder": str(view.store.layout.folder),
    }


def people_and_place(
    view: ChapterView, context: Context, present: tuple[str, ...], location: str | None
) -> tuple[tuple[str, ...], str | None]:
    """Returns the people and the place of a scene as plugins have changed them (before_context)."""
    plugins = view.plugins
    about = {**context, "present": list(present), "location": location}
    for name, value in plugins.answers("before_context", context=about):
        if not isinstance(value, dict):
            plugins.nonsense(name, "before_context")
            continue
        people, place = value.get("present", list(present)), value.get("location", location)
        if not _are_slugs(people) or not (place is None or _are_slugs([place])):
            plugins.nonsense(name, "before_context")
            continue
        present, location = tuple(people), place
        about = {**about, "present": people, "location": place}
    return present, location


def _are_slugs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(slug, str) and slug_fault(slug) is None for slug in value
    )


def with_plugin_blocks(
    view: ChapterView, context: Context, arrangement: Arrangement
) -> Arrangement:
    """Returns the blocks of a call with those that plugins add, change or remove."""
    plugins = view.plugins
    for name, value in plugins.answers("blocks", context=context):
        rows = text_rows(value, {"id": str, "text": str})
        added = None if rows is None else _add_blocks(arrangement, rows)
        if added is None:
            plugins.nonsense(name, "blocks")
        else:
            arrangement = added
    for name in plugins.names:
        before = [
            {"id": block, "text": arrangement.blocks[block], "protected": block in PROTECTED}
            for block in arrangement.order
            if arrangement.blocks.get(block, "").strip()
        ]
        value = plugins.answer(name, "before_blocks", context=context, blocks=before)
        rows = None if value is None else text_rows(value, {"id": str, "text": str})
        changed = None if rows is None else _change_blocks(arrangement, before, rows)
        if value is not None and changed is None:
            plugins.nonsense(name, "before_blocks")
        arrangement = changed or arrangement
    return arrangement


def _add_blocks(arrangement: Arrangement, rows: list[dict[str, Any]]) -> Arrangement | None:
    """Returns the arrangement with further blocks before the task; None if an id is not new."""
    for row in rows:
        block = row["id"]
        if slug_fault(block) is not None or block in arrangement.order:
            return None
        order = list(arrangement.order)
        at = order.index(TASK) if TASK in order else len(order)
        before = next((p.order for p in arrangement.places if p.id == TASK), 10_000)
        arrangement = replace(
            arrangement,
            order=(*order[:at], block, *order[at:]),
            blocks={**arrangement.blocks, block: safe_text(row["text"])[:LONGEST_ADDITION]},
            authored=(block, *arrangement.authored),
            places=(*arrangement.places, BlockPlace(block, "user", before - 1, "plugin")),
        )
    return arrangement


def _change_blocks(
    arrangement: Arrangement, sent: list[dict[str, Any]], rows: list[dict[str, Any]]
) -> Arrangement | None:
    """Returns the arrangement with new words in blocks that are not protected."""
    before = {row["id"]: row for row in sent}
    texts = {row["id"]: safe_text(row["text"]) for row in rows if row["id"] in before}
    blocks, lines = dict(arrangement.blocks), dict(arrangement.lines)
    for block, row in before.items():
        if row["protected"] or texts.get(block) == row["text"]:
            continue
        blocks[block] = texts.get(block, "")
        lines.pop(block, None)
    arrangement = replace(arrangement, blocks=blocks, lines=lines)
    return _add_blocks(arrangement, [row for row in rows if row["id"] not in before])


def with_plugin_messages(
    view: ChapterView, context: Context, parts: tuple[PromptPart, ...], tag: str
) -> tuple[PromptPart, ...]:
    """Returns the parts of a prompt with the messages that plugins add (before_generation)."""
    plugins = view.plugins
    for name in plugins.names:
        messages = [
            {"role": role, "content": text}
            for role in ("system", "user")
            if (text := "\n\n".join(part.text for part in parts if part.role == role))
        ]
        value = plugins.answer(name, "before_generation", context=context, messages=messages)
        if value is None:
            continue
        additions = _additions(messages, text_rows(value, {"role": str, "content": str}))
        if additions is None:
            plugins.nonsense(name, "before_generation")
            continue
        fenced = [fence(PromptPiece("plugin", safe_text(text)), tag) for text in additions]
        *first, task = parts
        parts = (*first, *(PromptPart("user", text) for text in fenced), task)
    return parts


def _additions(
    messages: list[dict[str, str]], rows: list[dict[str, Any]] | None
) -> list[str] | None:
    """Returns the texts to add before or after the messages; None if one of the messages is not
    complete."""
    if rows is None or [row["role"] for row in rows] != [m["role"] for m in messages]:
        return None
    additions: list[str] = []
    for row, message in zip(rows, messages, strict=True):
        before, whole, after = row["content"].partition(message["content"])
        if not whole:
            return None
        additions += [text.strip()[:LONGEST_ADDITION] for text in (before, after) if text.strip()]
    return additions


def plugin_tools(view: ChapterView, context: Context) -> dict[str, Tool]:
    """Returns the look-ups that plugins offer, by name."""
    tools: dict[str, Tool] = {}
    for name, value in view.plugins.answers("tools", context=context):
        rows = text_rows(value, {"name": str, "description": str, "schema": dict})
        if rows is None or not all(map(_is_look_up, rows)):
            view.plugins.nonsense(name, "tools")
            continue
        for row in rows:
            spec = ToolSpec(row["name"], safe_text(row["description"]), row["schema"])
            tools.setdefault(spec.name, Tool(spec, _Answering(view, name, spec.name, context)))
    return tools


def _is_look_up(row: dict[str, Any]) -> bool:
    """Whether a server can be offered a look-up: it refuses the whole request for a name or a
    schema that is none."""
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(row["schema"])
    except SchemaError:
        return False
    return bool(_TOOL_NAME.match(row["name"])) and row["schema"].get("type") == "object"


class _Answering:
    """Answers one look-up through a plugin."""

    def __init__(self, view: ChapterView, plugin: str, tool: str, context: Context) -> None:
        self._view, self._plugin, self._tool, self._context = view, plugin, tool, context

    def __call__(self, args: Args) -> str:
        value = self._view.plugins.answer(
            self._plugin, "use_tool", context=self._context, name=self._tool, args=dict(args)
        )
        if value is not None and not isinstance(value, str):
            self._view.plugins.nonsense(self._plugin, "use_tool")
        return value if isinstance(value, str) else said("There is no answer.")


async def after_generation(view: ChapterView, scene: int, prose: str) -> str:
    """Returns a scene's prose after its plugins; unchanged if they leave nothing of it."""
    context = context_of(view, "scene-drafter", "draft", scene)
    for name in view.plugins.names:
        value = await asyncio.to_thread(
            view.plugins.answer, name, "after_generation", context=context, text=prose
        )
        if value is None:
            continue
        if isinstance(value, str) and tidy_scene(value):
            prose = tidy_scene(value)
        else:
            view.plugins.nonsense(name, "after_generation")
    return prose


async def after_save(view: ChapterView, text: str, sha256: str, scene: int | None = None) -> None:
    """Notifies plugins that the chapter is in the book, or a scene of it in the draft."""
    title = view.contract.title
    saved = {"number": view.chapter, "title": title, "text": text, "sha256": sha256}
    context = context_of(view, "", "commit" if scene is None else "draft", scene)
    for name in view.plugins.names:
        await asyncio.to_thread(
            view.plugins.answer, name, "after_save", context=context, chapter=saved
        )


async def ask_plugins(view: ChapterView) -> tuple[str, ...]:
    """Returns the findings of plugins on the chapter, one sentence each."""
    return tuple(await asyncio.to_thread(lambda: list(_ask_plugins(view))))


def _ask_plugins(view: ChapterView) -> Iterator[str]:
    plugins = view.plugins
    if not plugins.names:
        return
    numbers = [n for n in view.store.chapter_numbers() if n < view.chapter][-EARLIER:]
    earlier = [_as_data(n, text) for n in numbers if (text := view.store.chapter(n))]
    chapter = _as_data(view.chapter, view.current)
    context = context_of(view, "", "judge")
    answers = plugins.answers("detect", context=context, chapter=chapter, earlier=earlier)
    for name, value in answers:
        rows = text_rows(value, {"message": str})
        if rows is None:
            plugins.nonsense(name, "detect")
            continue
        for row in rows[:MOST_FINDINGS]:
            words = safe_text(row["message"], keep_newlines=False).strip()[:LONGEST_MESSAGE]
            place = _place(view.current, row.get("paragraph"))
            yield f"{name}{place}: {words}"


def _place(chapter: Chapter, number: Any) -> str:
    paragraphs = chapter.paragraphs
    if not isinstance(number, int) or not 1 <= number <= len(paragraphs):
        return ""
    paragraph = paragraphs[number - 1]
    return f", scene {paragraph.scene}, paragraph {paragraph.number}"


def _as_data(number: int, chapter: Chapter) -> dict[str, Any]:
    paragraphs = [paragraph.prose for paragraph in chapter.paragraphs]
    return {"number": number, "title": chapter.title or "", "paragraphs": paragraphs}
