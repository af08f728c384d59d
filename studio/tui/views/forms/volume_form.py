"""The form of what a writer wants of a volume's plan: her wish, how many chapters, and how long.
Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.pipeline.volume.architect import VolumeOrder
from studio.project.planning.chapter_plan import heading
from studio.story.lengths import Unit
from studio.story.told_length import ToldLength
from studio.tui.views.forms.form_fields import Form, FormField, length_of, one_line
from studio.tui.views.lengths import unit_words

if TYPE_CHECKING:
    from studio.story.ledger import Estimate


def form_of_order(
    price: Estimate, chapters: int, length: int, unit: Unit, hers: ToldLength | None = None
) -> Form:
    """Returns the form, with what holds where she changes nothing: `chapters` of `length` each in
    the unit `unit`; a length that the brief of the book names is filled in for her."""
    of_hers = _("Your brief says “{words}”.", words=hers.words) if hers else ""
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
            str(hers.length if hers else length),
            " ".join(
                filter(
                    None,
                    (
                        _(
                            "Of each chapter, in {unit}. Changed, it goes into each plan.",
                            unit=unit_words(unit),
                        ),
                        of_hers,
                    ),
                )
            ),
        ),
    )
    words = _("Nothing changes before you say so: {price}.", price=translate(price.words))
    return Form("volume-order", _("Plan the volume"), fields, words, saves_as=_("Plan it"))


def order_of_form(
    values: Mapping[str, str], form: Form, hers: ToldLength | None = None
) -> VolumeOrder:
    """Returns what she wants; a number that she left as it was is none that she gave: her wish
    or her brief says it; but one of which her brief does not say what it is of is. StudioError
    (exit 2) for one that is not a number."""

    def given(key: str) -> int | None:
        number = length_of(one_line(values, key))
        return None if str(number) == form.values[key] else number

    wish = values["wish"].strip()
    length = given("length") or (hers.length if hers and not hers.is_sure else None)
    return VolumeOrder(chapters=given("chapters"), direction=wish, length=length)
