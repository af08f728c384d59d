"""People and places that a plan brings into the book: a name and a line each, and the card or page
made of them once the author says yes (WRITING 5.3)."""

from __future__ import annotations

from typing import Literal

from studio.project import layout as places
from studio.project.files import front_matter
from studio.project.layout import Layout
from studio.story.form.document import Value, to_bytes
from studio.story.form.ids import Slug
from studio.story.novel import CharacterContract


class Newcomer(Value):
    """Somebody or some place that a plan names for the first time."""

    kind: Literal["person", "place"] = "person"
    name: str
    line: str = ""
    """Who or what it is, in one line."""
    exclude: tuple[str, ...] = ()
    """Look-alikes among the forms by which a text would have it, which mean something else."""


class NewEntry(Newcomer):
    """A newcomer with the id that plans already use."""

    id: Slug

    @property
    def path(self) -> str:
        """The file of its card or page."""
        if self.kind == "person":
            return Layout(".").character(self.id)
        return f"{places.WORLD}/places/{self.id}.md"

    @property
    def files(self) -> dict[str, bytes]:
        """The card or page by its path, and of a person with look-alikes the profile that names
        them."""
        left_out = {"exclude": [*self.exclude]} if self.exclude else {}
        if self.kind == "person":
            card = to_bytes(CharacterContract(id=self.id, name=self.name, role=self.line))
            profile = front_matter.join({"name": self.name, **left_out}, "").encode()
            return {self.path: card} | ({Layout(".").profile(self.id): profile} if left_out else {})
        text = f"\n{self.line}\n" if self.line else ""
        return {self.path: front_matter.join({"name": self.name, **left_out}, text).encode()}
