"""A key that stands twice is named with both lines, wherever it is; nothing else is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.story.contract import ChapterContract
from studio.story.form.validation import parse_json, read_document

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('a{}[]":\\,\n등灯', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('ab:"{\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=20,
)


# req: F2
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"title": "등대", "title": "灯塔"}', 'the key "title" twice, in line 1'),
        ('{"a": {"b": 1},\n "c": [{"b": 2,\n "x": "}{\\"b\\":",\n "b": 3}]}', "in lines 2 and 4"),
        ('{"pov": 1,\n "po\\u0076": 2}', 'the key "pov" twice, in lines 1 and 2'),
        ('{"a": "\\u003a",\n "a": "\\u003A:"}', 'the key "a" twice, in lines 1 and 2'),
        ('{"a": 1, "a": "b:"}', 'the key "a" twice, in line 1'),
    ],
)
def test_a_key_that_stands_twice_is_named_with_both_lines(text: str, said: str) -> None:
    with pytest.raises(StudioError) as caught:
        parse_json(text.encode(), "volumes/vol-01/x.json")
    assert caught.value.problem.exit_code == Exit.DAMAGED
    assert said in caught.value.problem.message
    assert caught.value.problem.message.startswith("volumes/vol-01/x.json has")


# req: F2
@pytest.mark.parametrize(
    ("depth", "said"),
    [(90, '"b" twice'), (300, "brackets within brackets"), (1000, "brackets within brackets")],
)
def test_a_file_however_deep_is_refused_by_name(depth: int, said: str) -> None:
    inner = '{"b": 1, "b": 2}'
    text = f'{{"title": {"[" * depth}{inner}{"]" * depth}}}'
    with pytest.raises(StudioError, match=said) as caught:
        read_document(ChapterContract, text.encode(), "chapter-001.json")
    assert caught.value.problem.exit_code == Exit.DAMAGED


@given(JSON, st.sampled_from([None, 1]))
def test_no_other_json_is_refused(value: object, indent: int | None) -> None:
    assert parse_json(json.dumps(value, indent=indent).encode(), "x.json") == value


# req: F2
def test_a_plan_with_two_titles_is_no_plan() -> None:
    text = '{"chapter": 1, "volume": 1, "title": "A",\n "objectives": ["a"],\n "title": "B"}'
    with pytest.raises(StudioError, match='"title" twice, in lines 1 and 3'):
        read_document(ChapterContract, text.encode(), "chapter-001.json")
