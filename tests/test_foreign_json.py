"""The door for JSON that somebody else wrote: what passes, what does not, and where."""

from __future__ import annotations

import json
import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.foreign_json import DEEPEST, JsonError, read_json, read_json_at

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('a{}[]":\\,\n등灯', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('ab:"{\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=20,
)
REFUSED: dict[str, tuple[bytes, str, str]] = {
    "nothing": (b"", "syntax", "line 1, column 1: "),
    "no JSON": (b'{"a": 1,\n b}', "syntax", "line 2, column 2: "),
    "no UTF-8": (b'["\xff"]', "syntax", "line 1, column 1: "),
    "no number": (b"[1,\nNaN]", "syntax", "line 2, column 1: "),
    "no end": (b"[1e999]", "syntax", "line 1, column 2: "),
    "half a character": (b'["\\ud800"]', "syntax", "line 1, column 3: "),
    "too many digits": (
        b'{"a": "99999999999999999999",\n"b": 99999999999999999999}',
        "number",
        "line 2, column 6: ",
    ),
    "five thousand digits": (b"9" * 5000, "syntax", "line 1, column 1: "),
    "too deep": (b"[" * 101 + b"]" * 101, "depth", "deeper than 100 levels"),
    "deeper": (b"[" * 100_000, "depth", "deeper than 100 levels"),
    "a key twice": (b'{"a": 1,\n"b": {},\n"\\u0061": 1}', "twice", "in lines 1 and 3"),
}


@pytest.mark.parametrize(("data", "fault", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_kept_is_refused_with_its_kind_and_place(
    data: bytes, fault: str, words: str
) -> None:
    with pytest.raises(JsonError) as caught:
        read_json(data)
    assert caught.value.fault == fault
    assert words in str(caught.value)


@given(JSON, st.sampled_from([None, 1]), st.booleans(), st.booleans())
def test_everything_else_passes_and_can_be_written_again(
    value: object, indent: int | None, escaped: bool, lenient: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    assert read_json(text, lenient=lenient) == value
    assert read_json(f"\ufeff{text}".encode(), lenient=lenient) == value
    assert orjson.dumps(read_json(text, lenient=lenient))


@pytest.mark.parametrize("lenient", [True, False])
def test_brackets_nest_as_deep_as_is_said_and_those_in_words_do_not_count(lenient: bool) -> None:
    nested = "[" * DEEPEST + "]" * DEEPEST
    assert read_json(nested, lenient=lenient) == json.loads(nested)
    with pytest.raises(JsonError, match="brackets"):
        read_json(f"[{nested}]", lenient=lenient)
    words = json.dumps({"text": '등대 [[[{{{" \\ ' * 500})
    assert read_json(words, lenient=lenient) == json.loads(words)


def test_a_lenient_reading_keeps_what_a_model_said_around_what_it_got_wrong() -> None:
    text = '{"ratio": NaN, "count": ' + "9" * 5000 + ', "text": "\\ud83d", "a": 1, "a": 1}'
    value = read_json(text, dict, lenient=True)
    assert value == {"ratio": None, "count": math.inf, "text": "\ud83d", "a": 1}
    with pytest.raises(JsonError, match='the key "a" twice, with two values'):
        read_json('{"a": [1], "a": [2]}', lenient=True)


@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize(("shape", "words"), [(dict, "not an object"), (list, "not a list")])
def test_another_top_level_is_refused_by_name(shape: type, words: str, lenient: bool) -> None:
    with pytest.raises(JsonError, match=words):
        read_json("7", shape, lenient=lenient)


def test_a_value_amid_words_is_read_to_its_end() -> None:
    assert read_json_at('So: {"a": [1]} and more {', 4) == ({"a": [1]}, 14)
    for text in ("{" * 100_000, '{"a":' * 300 + "1" + "}" * 300):
        with pytest.raises(JsonError):
            read_json_at(text, 0)
