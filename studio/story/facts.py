"""The author's own facts (world/facts.json), each true from a chapter on (BOOK 4)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, model_validator

from studio.story.form.document import Document, Value
from studio.story.state import Scalar, StateOp, op_fault


class AuthorFact(Value):
    """One value of the state that is the author's word, as if the chapter `from` had set it."""

    path: str
    """A path of the state: `characters.joss.alive`."""
    value: Scalar = None
    """The value of the path; None removes the path."""
    from_chapter: int = Field(alias="from", ge=1)
    """The chapter that makes the fact true; prompts contain it from the next chapter on."""

    @model_validator(mode="after")
    def _is_a_path_of_the_state(self) -> AuthorFact:
        fault = op_fault(self.op)
        if fault is not None:
            raise ValueError(fault)
        return self

    @property
    def op(self) -> StateOp:
        """The fact as a change of the state."""
        kind = "remove" if self.value is None else "set"
        return StateOp.model_validate({"op": kind, "path": self.path, "value": self.value})


class Facts(Document):
    """world/facts.json."""

    SCHEMA: ClassVar[str] = "facts"

    facts: tuple[AuthorFact, ...] = ()

    def with_fact(self, fact: AuthorFact) -> Facts:
        """Returns these facts with one added, replacing one for the same path and chapter."""
        same = (fact.path, fact.from_chapter)
        others = [f for f in self.facts if (f.path, f.from_chapter) != same]
        ordered = sorted([*others, fact], key=lambda f: (f.from_chapter, f.path))
        return self.model_copy(update={"facts": tuple(ordered)})
