"""What a model, a file or the author wrote is shown as it is, however much it reads like a sentence
of ours, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from studio import i18n
from studio.cli import output, prompt
from studio.errors import Problem
from studio.messages import Said, from_data, join, quantity, said, series, to_data
from studio.pipeline.events import WarningEvent
from studio.story.checkpoint import Checkpoint, Decision
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import to_bytes
from studio.story.form.validation import read_document
from studio.tui.views.review.decision_card import card_of
from tests.catalogues import messages
from tests.sweeps import swept

LOOK_ALIKES = (
    "Joss is alive in chapter 2.",
    "Then silence.",
    "lost: the ring",
    "It costs nothing. Nothing was changed.",
)
NAMES = ("Joss", "the lamp", "윤서", "灯塔", "2", "chapter 3")


def foreign(made: int) -> Iterator[str]:
    """Sentences that read like ours: some that did harm, and ours with words of a novel."""
    yield from LOOK_ALIKES
    random = Random(7)
    ids = sorted(one for one in messages() if "{" in one and "{{" not in one and "[" not in one)
    for sentence in random.sample(ids, made):
        fields = set(re.findall(r"\{(\w+)(?:!r)?\}", sentence))
        try:
            yield Said(sentence, {name: random.choice(NAMES) for name in fields}).english
        except (KeyError, ValueError):  # the shape of JSON in a help text
            continue


@pytest.mark.parametrize("made", [50, swept(500)])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_foreign_sentences_are_printed_as_they_are(
    language: str, made: int, capsys: pytest.CaptureFixture[str]
) -> None:
    i18n.use(language)
    for sentence in foreign(made):
        one = " ".join(sentence.split())
        output.say(sentence)
        output.show_problem(Problem("x", details=one))
        question = Decision(
            id="d", kind="review", recommendation="edit", options=("edit",), rationale=sentence
        )
        prompt.show(question, Path("."))
        printed = capsys.readouterr()
        assert one in " ".join(printed.out.split())
        assert one in " ".join(printed.err.split())


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_question_read_from_a_file_shows_foreign_words_as_they_are(language: str) -> None:
    i18n.use(language)
    for sentence in LOOK_ALIKES:
        question = Decision(
            id="d", kind="gate", recommendation="edit", options=("edit",), rationale=sentence
        )
        file = to_bytes(Checkpoint(pending_decision=question))
        again = read_document(Checkpoint, file, ".checkpoint.json").pending_decision
        assert again is not None
        assert card_of(again).happened == sentence


def test_a_message_comes_back_from_a_file_as_a_message() -> None:
    ours = said("overall {overall} of 5", overall="3.20")
    why = said("Some of it could be told better: {reasons}.", reasons=ours)
    question = Decision(
        id="d", kind="gate", recommendation="edit", options=("edit",), rationale=why
    )
    file = to_bytes(Checkpoint(pending_decision=question))
    again = read_document(Checkpoint, file, ".checkpoint.json").pending_decision
    assert again is not None
    assert (type(again.rationale), again.rationale) == (Said, why)
    i18n.use("ko")
    assert "overall" not in i18n.translate(again.rationale)


def test_an_event_says_its_messages_beside_its_fields() -> None:
    line = WarningEvent(message=said("Stopped; nothing was changed.")).line()
    assert b'"message":"Stopped; nothing was changed."' in line
    assert b'"said":{"message":{"id":"Stopped; nothing was changed.","values":{}}}' in line
    assert b"said" not in WarningEvent(message="Then silence.").line()


def test_messages_are_put_together_and_keep_their_parts() -> None:
    whole = join([said("Nothing was changed."), "", quantity(2, "{n} call", "{n} calls")])
    assert whole == "Nothing was changed. 2 calls"
    assert from_data(to_data(whole)) == whole if isinstance(whole, Said) else False
    assert series(["a", "b"]) == "a, b"
    assert join(["a", "b"]) == "a b"
    i18n.use("zh")
    assert "2" in i18n.translate(whole)
    assert "calls" not in i18n.translate(whole)


@pytest.mark.parametrize("data", [{"id": "{a:999999999}", "values": {"a": "x"}}, {"id": "x"}, {}])
def test_a_message_of_a_file_may_not_ask_for_more_than_its_values(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a message"):
        from_data(data)


def test_a_finding_of_a_model_is_no_message() -> None:
    finding = ContinuityFinding(
        id="m_1",
        code="model",
        severity="high",
        chapters=(2,),
        entities=("joss",),
        fact_key="model:joss",
        message=LOOK_ALIKES[0],
        source="model",
    )
    for language in ("ko", "zh"):
        i18n.use(language)
        assert i18n.translate(finding.message) == LOOK_ALIKES[0]
