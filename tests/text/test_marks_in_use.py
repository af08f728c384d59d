"""Words that are to stand in a text get its kind of quotation marks."""

from __future__ import annotations

import pytest

from studio.text.prose.marks_in_use import with_marks_of


@pytest.mark.parametrize(
    ("text", "words", "there"),
    [
        ("“Well?” she said.", '"No," he said. "Don\'t."', "“No,” he said. “Don’t.”"),
        ('"Well?" she said. It didn\'t.', "“No,” he said. “Don’t.”", '"No," he said. "Don\'t."'),
        ('"Well?" she said.', "“No,” he said, ‘no’.", '"No," he said, ‘no’.'),
        ("“埋了。”她说。", '"没埋。"他说。', "“没埋。”他说。"),
        ("“Well?” she said.", 'A board of 6" stood there.', 'A board of 6" stood there.'),
        ('“Well?” she said. "Well."', '"No."', '"No."'),
        ("Nobody spoke.", '"No."', '"No."'),
    ],
)
def test_marks_follow_a_text_that_has_one_kind(text: str, words: str, there: str) -> None:
    assert with_marks_of(text, words) == there
