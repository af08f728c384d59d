"""Validation: the quick validator passes nothing that jsonschema would refuse."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from studio.resources import sample_project_dir
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.form.document import Document
from studio.story.form.validation import schema_faults, schema_validator
from studio.story.novel import CharacterContract, Storylines
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation

SAMPLES: list[tuple[type[Document], str]] = [
    (Checkpoint, ".checkpoint.json"),
    (ChapterContract, "volumes/vol-01/chapter-contracts/chapter-001.json"),
    (DirectiveSheet, "evaluations/chapter-001-directives.json"),
    (Evaluation, "evaluations/chapter-001-eval.json"),
    (CharacterContract, "characters/active/mara.json"),
    (Storylines, "storylines/storylines.json"),
]
STRANGE: list[Any] = [
    *(None, True, 0, -1, 1.5, 10**30, "", "\n", "a" * 300, [], {}, ["x"], {"x": 1}),
    *("dir_cut_001\n", "ａ", "\ud800", [[]], -0.0, "1", 1e308),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a value, at any depth."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    pairs: list[tuple[Any, Any]] = []
    for key, inner in items:
        pairs += [(value, key), *places(inner)]
    return pairs


def mutant(data: Any, drawn: random.Random) -> Any:
    """A copy with one to three things replaced, taken out or added."""
    copy = json.loads(json.dumps(data))
    for _ in range(drawn.randint(1, 3)):
        container, key = drawn.choice(places(copy) or [(copy, "schema_version")])
        what = drawn.random()
        if what < 0.6:
            container[key] = drawn.choice(STRANGE)
        elif isinstance(container, dict):
            container.pop(key, None) if what < 0.8 else container.update(strange=1)
    return copy


# req: A9
@pytest.mark.sampled
@pytest.mark.parametrize(("model", "path"), SAMPLES, ids=lambda value: str(value))
def test_both_validators_refuse_the_same_mutants(model: type[Document], path: str) -> None:
    data = json.loads((Path(sample_project_dir()) / path).read_bytes())
    drawn = random.Random(path)
    assert schema_faults(model, data) == []
    refused = 0
    for _ in range(300):
        changed = mutant(data, drawn)
        fits = schema_validator(model).is_valid(changed)
        assert (schema_faults(model, changed) == []) is fits, changed
        refused += not fits
    assert refused > 100
