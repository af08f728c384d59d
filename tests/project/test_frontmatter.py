"""Front matter: read and written without loss, damage named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.project.files.front_matter import (
    Provenance,
    join,
    provenance,
    split_front_matter,
    with_provenance,
)

WORDS = st.characters(categories=["L", "N", "P", "S"])


def test_provenance_survives_writing_and_reading() -> None:
    made = Provenance(chapter=3, source_sha256="1" * 64, made_from_sha256="2e" + "3" * 62)
    text = with_provenance(made, "마라는 열쇠를 찾았다.")
    assert provenance(text, "s.md") == made
    assert split_front_matter(text, "s.md")[1] == "마라는 열쇠를 찾았다.\n"


def test_a_text_without_a_block_is_all_text() -> None:
    for text in ("", "Mara ran.\n", "--- no block\n", "A\n---\nb: 1\n---\n"):
        assert split_front_matter(text, "x.md") == ({}, text)
        assert provenance(text, "x.md") is None


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_block_may_have_a_mark_before_it_and_any_line_ends(mark: str, newline: str) -> None:
    text = mark + newline.join(["---", "genre: gothic", "---", "", "玛拉走了。"])
    assert split_front_matter(text, "x.md") == ({"genre": "gothic"}, "玛拉走了。")


@pytest.mark.sweep
@given(
    st.dictionaries(st.text("abc_", min_size=1), st.text(WORDS, max_size=20), min_size=1),
    st.text("ab가。\n-"),
)
def test_what_is_joined_is_split_again(meta: dict[str, str], body: str) -> None:
    head, text = split_front_matter(join(meta, body), "x.md")
    assert head == meta
    assert text.strip() == body.strip()


@pytest.mark.parametrize("block", ["a: [1", "a: b: c", "\tx", "- 1\n- 2", "a: !!python/name:os.x"])
def test_a_block_that_is_no_mapping_names_the_file(block: str) -> None:
    with pytest.raises(StudioError, match=r"The front matter of style-library/x\.md") as caught:
        split_front_matter(f"---\n{block}\n---\nText.", "style-library/x.md")
    assert caught.value.problem.exit_code == Exit.DAMAGED


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("good: true\nsource: Poe\ngood: false", r"line 4 the key `good` stands there twice"),
        ("a: {b: 1, b: 2}", r"line 2 the key `b` stands there twice"),
        ("written: 2026-13-99", "a value in it is none"),
        ("a: " + "[" * 3000, "cannot be read"),
    ],
)
def test_what_would_be_read_wrongly_is_named(block: str, said: str) -> None:
    with pytest.raises(StudioError, match=said) as caught:
        split_front_matter(f"---\n{block}\n---\nText.", "style-library/x.md")
    assert caught.value.problem.exit_code == Exit.DAMAGED


@pytest.mark.timeout(60)
@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_what_is_nested_without_end_is_named_and_ends_no_process(opening: str) -> None:
    start = "tags:\n  " if opening in "- ? " else "tags: "
    with pytest.raises(StudioError) as caught:
        split_front_matter(f"---\n{start}{opening * 50_000}x\n---\nText.\n", "world/tides.md")
    assert "world/tides.md" in caught.value.problem.message
    assert "it is nested too deeply" in caught.value.problem.message


def test_an_alias_that_would_grow_without_end_is_named() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 9}x]" for n in range(1, 12))]
    with pytest.raises(StudioError, match="line 3 a name behind `\\*` repeats another value"):
        split_front_matter(
            "---\n" + "\n".join([*lines, "tags: *a11"]) + "\n---\nText.\n", "world/tides.md"
        )


def test_a_source_that_is_no_sha_names_the_field() -> None:
    with pytest.raises(StudioError, match="source_sha256"):
        provenance("---\nchapter: 1\nsource_sha256: abc\n---\n", "summaries/chapter-001-summary.md")


def test_control_characters_of_a_model_never_reach_a_derived_file() -> None:  # req: B2
    made = Provenance(chapter=1, source_sha256="1" * 64)
    text = with_provenance(made, "The bell\x00 rang.\x1b[31m\n\nTwice.\t")
    assert split_front_matter(text, "s.md")[1] == "The bell rang.[31m\n\nTwice.\n"
