"""Collects the engine's sentences from its source: each string and each f-string with named places,
such as `Chapter {chapter} was changed by hand.`"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from studio.llm.errors import FAULTS

ROOT = Path(__file__).resolve().parent.parent
FACES = ("tui", "locale")
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_SENTENCE_STARTS = re.compile(r"(?<=[.!?]) (?=[A-Z“`{$\d\[]|--\w)")
"""The points at which the interface splits a text into the sentences it looks up."""
_WHOLE = re.compile(
    r"(?!`[^`]*`\.$)(?=.*[a-z]{2}.* )(?:[A-Z{“`$]|--\w).*[.?!:](?:\{\})?", re.DOTALL
)
FOR_MODELS_ALONE = (
    "pipeline/drafting/planning_request",
    "pipeline/passage/passage_question",
    "pipeline/prompting/tools/",
    "pipeline/volume/volume_review",
)
"""The modules whose text is for models alone, or in the novel's language."""
FOR_MODELS = (
    "About {} scenes",
    "An earlier answer",
    "An object with",
    "Answer each by",
    "Answer in one short",
    "Answer with one JSON",
    "Ask nothing that the",
    "At most {",
    "Break chapter",
    "Bridge the",
    "Chapter {} is about to be written",
    "Chapter {} mentions",
    "Compare passage 1",
    "Describe how the author of",
    "Divide chapter",
    "Every number is told",
    "Every beat and objective",
    "Every quote is copied exactly",
    "Faults:",
    "For each of these names say",
    "From the brief",
    "Gaps between",
    "Is there anything that only its author",
    "It goes on from the last words",
    "It is in the {}.",
    "It must fit this JSON Schema",
    "Leave empty what the scene",
    "Judge chapter",
    "LEAK",
    "Lay out volume",
    "Lengths are in",
    "Most chapters need",
    "Never write braces",
    "Nothing that the summaries do",
    "Only what the passages",
    "People and places by",
    "People, storylines",
    "Plan chapter {chapter}",
    "Plan its first",
    "Read chapters {0}",
    "Return an object",
    "Return promises that are not on",
    "Return the",
    "She leaves that",
    "Summarize chapter",
    "Scene {} of {}.",
    "Tell it in one plain sentence of",
    "Tell these ten",
    "The author's own standing",
    "The book begins.",
    "The judge:",
    "The chapter opens with it.",
    "These are the first words",
    "They give no direction",
    "This is about {}.",
    "This is no single chapter",
    "This is revision",
    "Too many look-ups at once",
    "Try to explain away",
    "Two empty lists are a good",
    "What merely happens, and what is asked",
    "Which colour has a ripe",
    "Write one short sentence about the sea",
    "Write scene {}",
    "Your last answer could not",
    "`contract` holds what",
    "`plan-units` is",
    "`foreshadowing` lists what is known",
    "`kind` is",
    "`passage` has paragraphs",
    "{} Length: ",
    "{} is in the {}.",
    "{} to {}: {}.",
)
"""The beginnings of sentences for models, in modules that address the writer too."""
CLICK = Path(click.__file__).parent
"""The source of click, whose error messages are translated too."""


OF_CLICK = frozenset(
    {
        "Missing argument {}.",
        "Missing option {}.",
        "{} is not a valid integer.",
        "{} is not a valid float.",
        "{} is not a valid integer range.",
        "Invalid value for {}: {} is not a valid integer range.",
        "No such option {}. (Did you mean one of: {}?)",
    }
)
"""The messages that click joins from pieces when it rejects its arguments."""


def engine_sentences() -> set[str]:
    """Returns every sentence of the packages below the app."""
    spoken = {sentence for path in (*_ours(), *CLICK.glob("*.py")) for sentence in _of(path)}
    return spoken | set(_of_findings()) | set(_of_failed_calls()) | OF_CLICK


def said_to_the_writer() -> dict[str, str]:
    """Returns whole sentences of the packages below the app that a writer may read, each with its
    file: text that begins and ends like a sentence, except for docstrings and text for models."""
    failed_calls = dict.fromkeys(_of_failed_calls(), "errors")
    return failed_calls | {
        sentence: path.stem
        for path in _ours()
        if not path.relative_to(ROOT / "studio").as_posix().startswith(FOR_MODELS_ALONE)
        for words in _strings(path)
        for sentence in _SENTENCE_STARTS.split(" ".join(words.split()))
        if _WHOLE.fullmatch(sentence) and not sentence.startswith(FOR_MODELS)
    }


def _ours() -> list[Path]:
    every = (ROOT / "studio").rglob("*.py")
    return [path for path in every if path.relative_to(ROOT / "studio").parts[0] not in FACES]


def _strings(path: Path) -> Iterator[str]:
    """Yields the strings and f-strings of a file except docstrings."""
    inner: set[ast.AST] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner.add(node.value)
        elif node in inner:
            continue
        elif isinstance(node, ast.JoinedStr):
            inner.update(_own_pieces(node))
            yield _template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _own_pieces(node: ast.JoinedStr) -> Iterator[ast.AST]:
    """Yields the literal parts of an f-string; strings inside its placeholders are separate."""
    for part in node.values:
        if not isinstance(part, ast.FormattedValue):
            yield part
        elif part.format_spec is not None:
            yield from ast.walk(part.format_spec)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _of_failed_calls() -> Iterator[str]:
    """Yields the first sentence about each kind of failed call, alone and with details."""
    for fault in FAULTS.values():
        yield f"{fault.sentence}."
        yield f"{fault.sentence}: {{}}."


def _of_findings() -> Iterator[str]:
    """Yields the wording of findings about an English text, from its language pack."""
    pack = tomllib.loads((ROOT / "studio/text/language/en.toml").read_text(encoding="utf-8"))
    for wording in (*pack["directives"].values(), pack["advice"]):
        yield from wording.values()


def _of(path: Path) -> Iterator[str]:
    inner: set[ast.AST] = set()
    tree = _tree(path)
    yield from _quantities(tree)
    for node in ast.walk(tree):
        if node in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            inner.update(_own_pieces(node))
            yield _template(node)
            yield from _SENTENCE_STARTS.split(" ".join(_template(node).split()))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            yield from _SENTENCE_STARTS.split(" ".join(node.value.split()))
            for paragraph in inspect.cleandoc(node.value).split("\n\n"):
                flat = " ".join(paragraph.split())
                yield flat
                yield from _SENTENCE_END.split(flat)
                yield from _SENTENCE_END.split(without_shapes(flat))


def without_shapes(words: str) -> str:
    """Returns a help text whose JSON shapes, such as `{chapter, calls: [{id}]}`, are unnamed
    placeholders."""
    out, depth = "", 0
    for sign in words:
        depth -= sign == "}" and depth > 0
        out += sign if depth == 0 else ""
        depth += sign == "{"
    return out


def _template(node: ast.JoinedStr) -> str:
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)


def _quantities(tree: ast.AST) -> Iterator[str]:
    """Yields the counted nouns: `{} call` and `{} calls` for `quantity(number, "call")`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "quantity":
            for noun in (n.value for n in node.args[1:] if isinstance(n, ast.Constant)):
                yield f"{{}} {noun}"
                yield f"{{}} {noun}s"
