from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.text.safe import safe_text

foreign = st.text(
    st.characters(codec=None) | st.sampled_from("\x1b\x9b\x07\u202e\u200d\ud83d\r\n\t👩👧")
)


@pytest.mark.parametrize(
    "harmless",
    [
        "그녀는 등대를 올려다봤다.",
        "雨停了。“走吧。”",
        "Tab\there, “quotes” — done.\nNext",
        "👩‍👧 가족",
        "❤️",
    ],
)
def test_printable_text_is_untouched(harmless: str) -> None:
    assert safe_text(harmless) == harmless


@pytest.mark.parametrize(
    ("foreign", "text"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\x9b2Jb", "a\ufffd2Jb"),
        ("invoice\u202etxt.exe", "invoice\ufffdtxt.exe"),
        ("pa\u200bss\u2060word\ufeff", "pa\ufffdss\ufffdword\ufffd"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("over\rwritten\r\nline", "over␍written\nline"),
        ("del\x7f nul\x00", "del␡ nul␀"),
        ("a\u200db", "a\ufffdb"),
    ],
)
def test_controls_become_visible(foreign: str, text: str) -> None:
    assert safe_text(foreign) == text


def test_newlines_can_be_shown_too() -> None:
    assert safe_text("one\ntwo", keep_newlines=False) == "one␤two"


@given(foreign, st.booleans())
def test_it_is_idempotent(text: str, keep: bool) -> None:
    once = safe_text(text, keep_newlines=keep)
    assert safe_text(once, keep_newlines=keep) == once


@given(foreign)
def test_no_control_character_survives(text: str) -> None:
    left = {c for c in safe_text(text) if unicodedata.category(c) in {"Cc", "Cs", "Cf", "Zl", "Zp"}}
    assert left <= {"\n", "\t", "\u200d"} | _HARMLESS_FORMAT


_HARMLESS_FORMAT = {chr(c) for c in (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2)} | {
    chr(c)
    for c in (
        0x110BD,
        0x110CD,
        *range(0x13430, 0x13440),
        *range(0x1BCA0, 0x1BCA4),
        *range(0x1D173, 0x1D17B),
    )
}
"""Signs of Arabic, Egyptian, shorthand and musical writing that Unicode calls formats."""
