from __future__ import annotations

import pytest

from studio.text.language.packs import SENSES, load_pack
from studio.text.prose.dialogue import dialogue_spans
from studio.text.prose.parse import read
from studio.text.prose.segmentation import sentences
from tests.text.labelled import PASSAGES

PACK = load_pack("en")
LABELLED = [p for p in PASSAGES if p.language == "en"]


def words(text: str, kind: str) -> list[str]:
    return [text[h.start : h.end] for h in PACK.lexicon.find(text) if h.kind.startswith(kind)]


def spoken(text: str) -> list[str]:
    return [span.of(text) for span in dialogue_spans(text, PACK)]


# req: A17
def test_english_has_six_hundred_labelled_sentences_and_half_of_them_among_talk() -> None:
    total = sum(len(p.sentences) for p in LABELLED)
    talk = sum(len(p.sentences) for p in LABELLED if 3 * len(p.dialogue) >= len(p.sentences))
    assert total >= 600
    assert 2 * talk >= total


def test_every_choice_in_a_list_is_spelled_out() -> None:
    lists = PACK.lexicon.lists
    assert "could just see" in lists["filter"]
    assert not [e for kind in lists if kind != "leak" for e in lists[kind] if set("()|") & set(e)]
    assert all(e == e.strip() for kind in lists for e in lists[kind])


def test_the_lists_are_long_enough_to_be_of_use() -> None:
    lists = PACK.lexicon.lists
    assert min(len(lists[kind]) for kind in ("filter", "adverb", "cliche")) >= 200
    assert min(len(lists[f"sense:{sense}"]) for sense in SENSES) >= 100


# req: A18
@pytest.mark.parametrize(
    "text",
    [
        "In the light of this he made light work of it.",
        "She had a bright idea and a sound mind; he slept sound asleep.",
        "They kept in touch, got to grips with it, and caught a cold.",
        "He held his tongue and lost his touch.",
        "Mrs. Brown paid for the damage to the red carpet out of the blue.",
        "It was a cold case and a white lie.",
        "He took pains with it; the rough draft was in bad taste.",
        "That rang true, and rang a bell; then he rang off.",
        "He turned out to be a bitter enemy with a sweet tooth, worth his salt.",
        "The insight, the highlighter, the colander, the bellows and the salter.",
    ],
)
def test_lookalikes_touch_no_sense(text: str) -> None:
    assert words(text, "sense:") == []


@pytest.mark.parametrize(
    "text",
    [
        "He saw to it. She saw him to the door. Nobody saw.",
        "She heard from him; the case was heard; he heard her out.",
        "He felt his way, felt along the wall, felt in his pocket.",
        "They watched television. The house realised four hundred pounds.",
        "She thought better of it, on second thought. He knew how to swim.",
        "He could have heard it. She had never noticed.",
        "He found himself a chair.",
        "A pair of gold watches; the notices on the board.",
    ],
)
def test_lookalikes_are_no_filter(text: str) -> None:
    assert words(text, "filter") == []


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("She could only just hear it.", []),
        ("He could almost taste it.", ["could almost taste"]),
        ("He sat and saw the boat.", ["saw"]),
        ("I see a door.", ["I see"]),
        ("Hearing the latch, he ran.", ["Hearing the"]),
        ("It sounded as though it knew that.", ["sounded as though", "knew that"]),
        ("She caught sight of him.", ["caught sight of"]),
    ],
)
def test_filters_in_many_forms(text: str, filters: list[str]) -> None:
    assert words(text, "filter") == filters


def test_a_letter_in_italics_is_told_by_who_wrote_it() -> None:
    text = "\n\n*I thought I saw him, Ma.* She *felt* the paper tear."
    reading = read(text, PACK)
    assert [reading.text[a:b] for a, b in reading.hits("filter")] == ["felt"]


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("'Cause I said so,' he told 'im.", ["'Cause I said so,'"]),
        ("He told 'em to go. 'Now,' he said.", ["'Now,'"]),
        ("The '90s were cold, and the dogs' bowls empty.", []),
        ("Rock 'n' roll was on. 'Turn it off,' said Dad.", ["'Turn it off,'"]),
        ("‘No,’ he said. The “doctor” spat.", ["‘No,’"]),
        ("“Never” was all he said. The word “never” was not in it.", ["“Never”"]),
        ("‘Fishin’ again?’ said the boys’ mother.", ["‘Fishin’ again?’"]),
        (
            "‘The first year.\n\n‘The second, we didn’t.’ Nobody spoke.",
            ["‘The first year.", "‘The second, we didn’t.’"],
        ),
        (
            "‘One,’ he said, ‘and then\n\nThe boys’ coats didn’t fit.\n\n‘Two.’",
            ["‘One,’", "‘and then", "‘Two.’"],
        ),
    ],
)
def test_single_quotes_are_told_from_apostrophes(text: str, speech: list[str]) -> None:
    assert spoken(text) == speech


@pytest.mark.parametrize(
    "parts",
    [
        ["At 6 a.m. Nora rose.", "They ate at 6 p.m.", "The lamp was lit."],
        ["He lived in Clay St.", "Nobody called."],
        ["“Where?” Will asked.", "“Who’s there?”", "Nobody answered."],
        ["“Go!” I said.", "“Go!”", "I said nothing."],
        ["“If you would—”", "He stopped."],
        ["J. A. Hale sat.", "“I took vitamin C.”", "“Or.”", "He coughed."],
        ["*Go home.*", "She went."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts: list[str]) -> None:
    text = " ".join(parts)
    assert [span.of(text) for span in sentences(text, PACK)] == parts
