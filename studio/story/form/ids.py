"""Id types for the fields of our models; `studio.story.form.slugs` defines what a name may be."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from studio.errors import usage
from studio.messages import said
from studio.story.form.slugs import SLUG_PATTERN, slug_fault

SHA256_PATTERN = r"^[0-9a-f]{64}$"

LONGEST_NAME = 200
"""The maximum number of characters in a name or alias; anything longer is a misplaced passage."""


def _check_slug(text: str) -> str:
    fault = slug_fault(text)
    if fault is not None:
        raise ValueError(fault)
    return text


def refuse_long_names(*names: str) -> None:
    """Raises StudioError (exit 2) where a name is so long that it must be a passage."""
    for name in names:
        fault = _name_fault(name)
        if fault is not None:
            raise usage(
                said("{name}…: {fault}.", name=name[:40], fault=fault),
                said("A few words will do for a name."),
            )


def title_line(words: str) -> str:
    """Returns the words of a title as one line, without characters that steer a terminal or turn
    the direction of what follows; raises StudioError (exit 2) like `refuse_long_names`."""
    plain = "".join(c for c in " ".join(words.split()) if not _is_steering(c))
    refuse_long_names(plain)
    return " ".join(plain.split())


def _is_steering(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf") and character not in _JOINERS


_JOINERS = "\u200c\u200d"


def _name_fault(name: str) -> str | None:
    if len(name) <= LONGEST_NAME:
        return None
    return said(
        "the name has {length} characters; at most {longest} are allowed",
        length=f"{len(name):,}",
        longest=LONGEST_NAME,
    )


def _check_name(text: str) -> str:
    fault = _name_fault(text)
    if fault is not None:
        raise ValueError(fault)
    return text


Name = Annotated[str, AfterValidator(_check_name)]
"""What somebody or something is called; every text of the book is searched for it."""


def typed_id(id_: str) -> str:
    """Returns the id of a directive or a proposal as a command takes it and a person types it:
    `cut-001`, `prop-0001`."""
    return id_.removeprefix("dir_").replace("_", "-")


Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN), AfterValidator(_check_slug)]
Sha256 = Annotated[str, StringConstraints(pattern=SHA256_PATTERN)]
