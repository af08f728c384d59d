"""A version in another language than its passage comes into the chapter on her yes alone, by the
rule that a rewrite by the surgeon goes by (C9)."""

from __future__ import annotations

import asyncio

import pytest

from studio.errors import StudioError
from studio.pipeline.orders import PassageOrder, PassageVersion
from studio.story.review.passage import read_place
from tests.fake_messages import Rule
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, unrefined

FOREIGN = "등유는 바닥났다. 그녀는 마지막 통 밑을 들여다보고 기다렸다."


def one_version(desk: Desk, direction: str = "") -> PassageVersion:
    mode = "refine" if direction else "regenerate"
    order = PassageOrder(1, read_place("1.2"), mode, direction, 1)  # type: ignore[arg-type]
    return asyncio.run(desk.session().passages().write(order, lambda event: None))[0]


@pytest.fixture
def there(desk: OpenDesk) -> Desk:
    """A chapter of the book, and a model that tells every version in Korean."""
    answer = Rule(text=FOREIGN)
    novel = desk(Model(refine=unrefined, anew=answer, changed=answer))
    assert novel.write(review="accept").exit_code == 0
    return novel


def test_a_version_in_another_language_is_not_taken_unless_she_says_so(there: Desk) -> None:
    version = one_version(there)
    taker = there.session().passages().taker
    what = (1, 1, version.sha256)
    assert taker.is_in_another_language(*what)
    with pytest.raises(StudioError) as refused:
        taker.take(*what)
    assert refused.value.problem.exit_code == 2
    assert "another language" in refused.value.problem.message
    assert not there.staged().exists(), "the book stays as it is"
    assert taker.take(*what, in_any_language=True).is_opened
    assert FOREIGN in there.staged().read_text("utf-8")


def test_what_she_asked_for_in_another_language_is_taken_as_any_version(there: Desk) -> None:
    version = one_version(there, "Say it in Korean.")
    taker = there.session().passages().taker
    assert not taker.is_in_another_language(1, 1, version.sha256)
    taker.take(1, 1, version.sha256)
    assert FOREIGN in there.staged().read_text("utf-8")


def test_at_the_prompt_an_option_says_yes(
    there: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sha = one_version(there).sha256[:12]
    studio = Prompt(there, monkeypatch, capsys)
    assert studio("variations", "restore", 1, "--sha", sha).code == 2
    assert studio("variations", "restore", 1, "--sha", sha, "--any-language").code == 0
    assert FOREIGN in there.staged().read_text("utf-8")
