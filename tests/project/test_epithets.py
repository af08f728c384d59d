"""What somebody is, said before the name: it is the one of the name, and nobody new."""

from __future__ import annotations

import pytest

from studio.project.planning.names import KnownNames

PEOPLE = {
    "qiu-bo": ("邱伯",),
    "yan-po": ("严婆",),
    "jia-bao": ("家宝",),
    "park": ("박씨",),
    "sunrye": ("박순례",),
    "bo": ("Qiu Bo",),
    "tom": ("Tom",),
}
YOUNG = {"young-tom": ("Young Tom",), "neighbour": ("老邻居邱伯",)}
TWICE = {"one": ("Tom",), "other": ("Tom", "Thomas")}


def whom(name: str, people: dict[str, tuple[str, ...]] = PEOPLE) -> str | None:
    return KnownNames(people, are_people=True).id_of(name)


# req: K4
@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("老邻居邱伯", "qiu-bo"),
        ("隔壁的邱伯", "qiu-bo"),
        ("村里的船夫邱伯", "qiu-bo"),
        ("邻居家宝", "jia-bao"),
        ("옆집 영감 박씨", "park"),
        ("마을 어부 박순례", "sunrye"),
        ("old neighbour Qiu Bo", "bo"),
        ("The old ferryman Tom", "tom"),
        ("her late landlord Tom", "tom"),
    ],
)
def test_an_epithet_before_a_name_makes_nobody_new(name: str, person: str) -> None:
    """Met: 老邻居邱伯 and 邱伯 were two people."""
    assert whom(name) == person


# req: K4
@pytest.mark.parametrize(
    "name",
    [
        "小邱伯",
        "大邱伯",
        "邱伯的弟弟",
        "严婆和邱伯",
        "邻居",
        "邻居张三",
        "邱伯的邻居",
        "박씨 동생",
        "박순례 어머니",
        "젊은 박씨",
        "옆집 영감",
        "옆집 영감 최씨",
        "Tom's brother",
        "neighbour of Tom",
        "the young ferryman Tom",
        "Anna Tom",
        "the ferryman",
    ],
)
def test_who_is_another_stays_another(name: str) -> None:
    assert whom(name) is None


# req: K4
def test_two_who_are_registered_stay_two() -> None:
    assert whom("Young Tom", {**PEOPLE, **YOUNG}) == "young-tom"
    assert whom("Tom", {**PEOPLE, **YOUNG}) == "tom"
    assert whom("老邻居邱伯", {**PEOPLE, **YOUNG}) == "neighbour"
    assert whom("the ferryman Tom", TWICE) is None, "it does not say which"
