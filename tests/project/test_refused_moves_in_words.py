"""What is refused of a chapter in the book is said without a word of English."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from studio import i18n
from studio.errors import StudioError
from studio.project.planning import plans as order
from studio.project.store import ProjectStore
from tests.small_novels import copied_sample

Deed = Callable[[ProjectStore], object]
DEEDS: tuple[Deed, ...] = (
    partial(order.add, language="en", title="X", after=0),
    partial(order.retitle, language="en", number=1, title="X"),
    partial(order.move, language="en", number=1, to=4),
    partial(order.move, language="en", number=4, to=1),
    partial(order.step, language="en", number=1, by=1),
    partial(order.split_chapter, language="en", number=1),
    partial(order.merge, language="en", number=1),
    partial(order.take_out, language="en", number=1),
)


@pytest.mark.parametrize("language", ["ko", "zh"])
@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.func.__name__)
def test_no_english_is_left_in_it(tmp_path: Path, language: str, deed: Deed) -> None:
    store = ProjectStore(copied_sample(tmp_path / "novel"))
    with pytest.raises(StudioError) as refused:
        deed(store)
    i18n.use(language)
    assert not re.search("[a-z]", i18n.translate(str(refused.value.problem)))
