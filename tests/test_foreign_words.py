"""A finding of a model is printed as the model wrote it."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.cli import output


@pytest.mark.parametrize("language", ["ko", "zh"])
@pytest.mark.repairs("H1")
def test_a_finding_that_reads_like_a_sentence_of_ours_is_printed_as_it_is(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    i18n.use(language)
    output.say("  Joss is alive in chapter 2.")
    assert capsys.readouterr().out == "  Joss is alive in chapter 2.\n"
