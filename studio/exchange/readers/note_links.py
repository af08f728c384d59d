"""Which links of a page lead to its footnotes.

Pages mark them in many ways: `epub:type` or `role` names a reference, its
class does, or it is just a raised number. Where one leads is known only once
the whole page was looked at, so this is read before the page itself is.
"""

from __future__ import annotations

from html.parser import HTMLParser

HOLDERS = frozenset(("aside", "li", "p", "div", "section", "dd", "dt", "td", "blockquote"))
"""Elements that can be a footnote, by an id of theirs or of an anchor they begin with."""
UNCLOSED = frozenset(("p", "li", "dd", "dt", "td"))
"""What one more of the same kind ends, where its own end was left out."""
_CLASSES = frozenset(("noteref", "footnote-ref", "footnoteref", "fnanchor", "footnote-reference"))


def note_target(attributes: dict[str, str], raised: bool) -> str:
    """The id a link to a footnote leads to; nothing where it is another kind of link."""
    _, sign, target = attributes.get("href", "").rpartition("#")
    kind = f"{attributes.get('epub:type', '')} {attributes.get('role', '')}"
    marked = "noteref" in kind or bool(_CLASSES & set(attributes.get("class", "").lower().split()))
    return target if sign and (raised or marked) else ""


def note_targets(page: str) -> frozenset[str]:
    """The ids of the elements of a page that are footnotes."""
    links = _Links()
    links.feed(page)
    links.close()
    return frozenset(links.targets & links.ids)


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.targets: set[str] = set()
        self.ids: set[str] = set()
        self._open: list[tuple[str, set[str]]] = []
        """The elements around, with the ids that each goes by."""
        self._raised = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        own = {value for value in (attributes.get("id"), attributes.get("name")) if value}
        self.ids |= own
        self._raised += tag == "sup"
        if tag in HOLDERS:
            if self._open and tag in UNCLOSED and self._open[-1][0] == tag:
                self._open.pop()
            self._open.append((tag, own))
        elif tag == "a":
            if self._open:
                self._open[-1][1].update(own)
            target = note_target(attributes, bool(self._raised))
            if target and not self._inside_a_note():
                self.targets.add(target)

    def handle_endtag(self, tag: str) -> None:
        self._raised = max(0, self._raised - (tag == "sup"))
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def _inside_a_note(self) -> bool:
        """Whether a link stands in a footnote, and so leads back from it."""
        return any(ids & self.targets for _, ids in self._open)
