"""Keeps the translation catalogues in step with the strings of the source.

`python -m tests.catalogues` adds new strings to every catalogue and removes unused ones.

Translated strings are kept; a new string has an empty translation until somebody writes one, which
`tests/test_catalogues.py` enforces.
"""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from studio.i18n import ENGINE
from tests.architecture import syntax

ROOT = Path(__file__).resolve().parent.parent
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "key": (3,)}
"""The calls of the faces that hold a sentence, as Babel names its place."""
MESSAGES = {"said": 1, "quantity": 3}
"""The calls that make a message (`studio.messages`): how many of their arguments are sentences."""
LANGUAGES = ("ko", "zh")


def path_of(language: str) -> Path:
    """Returns the path of a language's catalogue."""
    return ROOT / "studio/locale" / language / "LC_MESSAGES/studio.po"


@cache
def source_sentences() -> Catalog:
    """Returns every translatable string of the source, without line numbers, which change all the
    time."""
    catalog = Catalog(project="writing-studio", charset="utf-8")
    with warnings.catch_warnings(action="ignore"):  # of f-strings among the values
        entries = extract_from_dir(str(ROOT / "studio"), [("**.py", "python")], keywords=KEYWORDS)
        for message in sorted((entry[2] for entry in entries), key=str):
            catalog.add(message)
    for sentence in sorted(messages()):
        catalog.add(sentence, context=ENGINE)
    return catalog


@cache
def messages() -> frozenset[str]:
    """Returns the sentence of every message, and every paragraph of a command's help; a count has
    two sentences, since a message has one id."""
    return frozenset(help_in_english()) | {
        words.value
        for path in (ROOT / "studio").rglob("*.py")
        for call in ast.walk(syntax(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        for words in call.args[: MESSAGES.get(call.func.id, 0)]
        if isinstance(words, ast.Constant) and isinstance(words.value, str)
    }


@cache
def help_in_english() -> tuple[str, ...]:
    """Returns every paragraph of a command's help, as a new process has it: one in which a command
    was explained in another language has no other."""
    program = (
        "import json; from studio.cli.click_words import help_texts; from studio.cli.program import"
        " studio; print(json.dumps([*help_texts(studio)]))"
    )
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return tuple(json.loads(asked.stdout))


@cache
def catalogue(language: str) -> Catalog:
    """Returns the existing translations of a language."""
    return read_po(io.BytesIO(path_of(language).read_bytes()), locale=language)


def update(language: str) -> None:
    """Adds new strings to a language's catalogue and removes those that the source no longer
    contains."""
    path = path_of(language)
    translations = catalogue(language) if path.exists() else Catalog()
    fresh = Catalog(locale=language, project="writing-studio", charset="utf-8")
    for message in source_sentences():
        if message.id:
            old = translations.get(message.id, message.context)
            fresh.add(message.id, old.string if old else "", context=message.context)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.BytesIO()
    write_po(text, fresh, width=None, omit_header=True, sort_output=True)
    path.write_bytes(text.getvalue())


if __name__ == "__main__":
    for one in LANGUAGES:
        update(one)
