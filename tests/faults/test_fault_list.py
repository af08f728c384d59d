"""The list of faults is whole, and what it names is there."""

from __future__ import annotations

import re

import pytest

from tests.architecture import ROOT

WANTED = {"C": 16, "L": 10, "F": 18, "S": 12, "M": 16, "T": 10, "O": 10}
_ROW = re.compile(r"^\| ([CLFSMTO]\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PAGES = ("tests/faults/README.md",)


def rows() -> dict[str, str]:
    """Fault to what stands in its last column."""
    lines = _ROW.findall((ROOT / "tests/faults/README.md").read_text("utf-8"))
    return {name: held for name, _, held in lines}


def test_every_fault_has_a_row() -> None:
    assert list(rows()) == [f"{kind}{n + 1}" for kind, many in WANTED.items() for n in range(many)]


def test_every_row_has_a_test_or_says_why_not() -> None:
    silent = [name for name, held in rows().items() if not _TEST.search(held) and len(held) < 20]
    assert silent == []


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_is_named_is_there(page: str) -> None:
    named = _TEST.findall((ROOT / page).read_text("utf-8"))
    missing = [
        f"{file}::{name}"
        for file, name in named
        if not (ROOT / file).is_file() or f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert missing == []
    assert named


def test_every_clause_of_the_promise_has_its_tests() -> None:
    """The promise in README, clause by clause in the list of faults."""
    readme = (ROOT / "README.md").read_text("utf-8")
    listed = (ROOT / "tests/faults/README.md").read_text("utf-8")
    promise = re.search(r"^> (You can kill .+)$", readme, re.MULTILINE)
    assert promise is not None
    clauses = re.findall(r"^\| “(.+?)” \| (.+) \|$", listed, re.MULTILINE)
    assert len(clauses) >= 5
    for words, held in clauses:
        assert words in promise[1], words
        assert _TEST.search(held), words
    said = " ".join(words for words, _ in clauses)
    assert len(said) > 0.7 * len(promise[1])
