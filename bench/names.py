"""`python -m bench names [en|ko|zh] [--misses]`: how many names the studio finds, and how many it
takes for one that are none, by kind, on the lists in tests/data/names.
"""

from __future__ import annotations

from tests.book.name_lists import HOMOGRAPH, LANGUAGES, LISTS, Score, read_list, score_of


def main(arguments: list[str]) -> int:
    """Prints one table per list and language; returns exit code 1 below the goal of 0.98."""
    languages = [word for word in arguments if word in LANGUAGES] or list(LANGUAGES)
    lists = [word for word in arguments if word in LISTS] or list(LISTS)
    missed = False
    for language in languages:
        for which in lists:
            score = score_of(read_list(which, language))
            print(f"{language} {which}: {_figures(score)}")
            _print_kinds(score)
            if "--misses" in arguments:
                _print_places(score)
            missed = missed or min(score.recall, score.precision) < _GOAL
    return int(missed)


_GOAL = 0.98


def _figures(score: Score) -> str:
    return (
        f"recall {score.recall:.3f} of {sum(score.named.values())},"
        f" precision {score.precision:.3f} with"
        f" {sum(score.looks.values()) - score.looks[HOMOGRAPH]} look-alikes,"
        f" {score.misled} of them taken, {score.wrong} for somebody else;"
        f" {score.taken[HOMOGRAPH]} of {score.looks[HOMOGRAPH]} homographs taken"
    )


def _print_kinds(score: Score) -> None:
    for kind, many in sorted(score.named.items()):
        if score.hits[kind] < many:
            print(f"  {kind}: {score.hits[kind]} of {many} found")
    for kind, many in sorted(score.taken.items()):
        print(f"  {kind}: {many} of {score.looks[kind]} look-alikes taken")


def _print_places(score: Score) -> None:
    for what, places in (("missed", score.misses), ("taken", score.slips)):
        for place in places:
            print(f"    {what} {place.slug} ({place.kind}): {place.sentence!r}")
