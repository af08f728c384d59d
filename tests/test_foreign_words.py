"""A finding of a model is printed as the model wrote it."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.cli import output
from studio.i18n import sentence_of
from studio.messages import said


@pytest.mark.parametrize("language", ["ko", "zh"])
@pytest.mark.repairs("H1")
def test_a_finding_that_reads_like_a_sentence_of_ours_is_printed_as_it_is(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    i18n.use(language)
    output.say("  Joss is alive in chapter 2.")
    assert capsys.readouterr().out == "  Joss is alive in chapter 2.\n"


def test_a_reason_that_is_not_ours_is_no_sentence_of_ours() -> None:
    assert sentence_of("commit the lamp to the door") == "commit the lamp to the door"
    assert sentence_of(said("the text came back unchanged")) == "The text came back unchanged."
