"""The form of what a writer wants of a volume's plan: her wish, how many chapters, and how long.
Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.pipeline.volume.architect import VolumeOrder
from studio.project.planning.chapter_plan import heading
from studio.story.lengths import Unit
from studio.tui.views.forms.form_fields import Form, FormField, length_of, one_line
from studio.tui.views.lengths import unit_words

if TYPE_CHECKING:
    from studio.story.ledger import Estimate


def form_of_order(price: Estimate, chapters: int, length: int, unit: Unit) -> Form:
    """Returns the form, with what holds where she changes nothing: `chapters` of `length` each in
    the unit `unit`."""
    fields = (
        FormField(
            "wish",
            _("Your wish"),
            hint=_("What do you want of the volume? It may stay empty."),
            tall=True,
        ),
        FormField(
            "chapters",
            _("How many"),
            str(chapters),
            _("Chapters from the next one on; as it stands, your wish may say another number."),
        ),
        FormField(
            "length",
            heading("length"),
            str(length),
            _(
                "Of each chapter, in {unit}. Changed, it goes into each plan.",
                unit=unit_words(unit),
            ),
        ),
    )
    words = _("Nothing changes before you say so: {price}.", price=translate(price.words))
    return Form("volume-order", _("Plan the volume"), fields, words, saves_as=_("Plan it"))


def order_of_form(values: Mapping[str, str], form: Form) -> VolumeOrder:
    """Returns what she wants; a number that she left as it was is none that she gave. StudioError
    (exit 2) for one that is not a number."""

    def given(key: str) -> int | None:
        number = length_of(one_line(values, key))
        return None if str(number) == form.values[key] else number

    wish = values["wish"].strip()
    return VolumeOrder(chapters=given("chapters"), direction=wish, length=given("length"))
