"""The tuples with named fields: as those of `typing`, which they stand for."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from studio import tuples


class Ours(tuples.NamedTuple):
    """One of ours."""

    one: int
    two: str = "two"
    three: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        """Of two fields."""
        return f"{self.one} {self.two}"


class Theirs(typing.NamedTuple):
    """One of `typing`."""

    one: int
    two: str = "two"
    three: tuple[int, ...] = ()


def test_it_is_what_that_of_typing_is() -> None:
    assert Ours(1) == Theirs(1) == (1, "two", ())
    assert Ours(1, three=(2,)) == Theirs(1, three=(2,))
    assert Ours._fields == Theirs._fields
    assert Ours._field_defaults == Theirs._field_defaults
    assert Ours(1)._asdict() == Theirs(1)._asdict()
    assert Ours._make([1, "2", ()]) == Theirs._make([1, "2", ()])
    assert repr(Ours(1)).removeprefix("Ours") == repr(Theirs(1)).removeprefix("Theirs")
    assert hash(Ours(1)) == hash(Theirs(1))


def test_another_differs_in_the_fields_that_are_named() -> None:
    other = Ours(1)._replace(two="2")
    assert (type(other), other.both) == (Ours, "1 2")
    with pytest.raises(ValueError, match="four"):
        Ours(1)._replace(four=4)  # type: ignore[call-arg]


@pytest.mark.parametrize("wrong", [{}, {"one": 1, "four": 4}])
def test_what_it_lacks_or_does_not_know_is_refused(wrong: dict[str, typing.Any]) -> None:
    for _ in range(2):  # the first call of a class makes its constructor
        with pytest.raises(TypeError):
            Ours(**wrong)


def test_nothing_of_it_is_changed() -> None:
    with pytest.raises(AttributeError):
        Ours(1).one = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Ours(1).four = 2  # type: ignore[attr-defined]


def test_copies_are_equal() -> None:
    ours = Ours(1, "2", (3,))
    for copied in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert (type(copied), copied) == (Ours, ours)


def test_its_fields_are_matched_by_place() -> None:
    match Ours(1):
        case Ours(one, two):
            assert (one, two) == (1, "two")
