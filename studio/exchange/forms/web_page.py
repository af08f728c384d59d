"""Renders the book as one web page; e-books contain the same markup as XHTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from studio.exchange.forms.manuscript import Manuscript, ManuscriptBlock, SetChapter
from studio.exchange.forms.runs import Runs, TextRun, unwrap

STYLE = """\
body { line-height: 1.6; }
h1, h2 { text-align: center; font-weight: normal; margin: 3em 0 2em; }
p { margin: 0; text-indent: 1.5em; }
h1 + p, h2 + p, hr + p { text-indent: 0; }
hr { border: 0; margin: 1.5em 0; text-align: center; }
hr::before { content: "* * *"; }
blockquote { margin: 1em 2em; }
blockquote p { text-indent: 0; }
aside { margin: 1em 0; font-size: 0.9em; }
aside p { text-indent: 0; }
"""
_PAGE_STYLE = "body { max-width: 36em; margin: 0 auto; padding: 1em; font-family: serif; }\n"


def web_page(book: Manuscript) -> str:
    """Renders the whole book as a page that needs no other file."""
    title = escape(book.title or "Untitled")
    author = f'<meta name="author" content="{escape(book.author)}">\n' if book.author else ""
    links = "\n".join(
        f'<li><a href="#chapter-{c.number:03d}">{escape(c.title)}</a></li>' for c in book.chapters
    )
    chapters = "\n".join(
        f'<section id="chapter-{c.number:03d}">\n{chapter_markup(c, "h2")}\n</section>'
        for c in book.chapters
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{book.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{author}<title>{title}</title>\n<style>\n{_PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1></header>\n<nav>\n<ol>\n{links}\n</ol>\n</nav>\n{chapters}\n"
        "</body>\n</html>\n"
    )


def chapter_markup(chapter: SetChapter, heading: str, ebook: bool = False) -> str:
    """Renders a chapter as well-formed markup: title, paragraphs, scene breaks, footnotes."""
    return "\n".join(_lines(chapter, heading, ebook))


def _lines(chapter: SetChapter, heading: str, ebook: bool) -> Iterator[str]:
    label = f"c{chapter.number}"
    seen_notes: set[int] = set()
    yield f"<{heading}>{escape(chapter.title)}</{heading}>"
    for index, scene in enumerate(chapter.scenes):
        if index:
            yield "<hr />"
        for block in scene:
            yield _block(block, label, ebook, seen_notes)
    for number, runs in enumerate(chapter.notes, start=1):
        kind = ' epub:type="footnote"' if ebook else ' role="doc-footnote"'
        back = f'<a href="#{label}r{number}">{number}</a>'
        text = _inline(unwrap(runs), label, ebook, seen_notes)
        yield f'<aside id="{label}n{number}"{kind}><p>{back} {text}</p></aside>'


def _block(block: ManuscriptBlock, label: str, ebook: bool, seen_notes: set[int]) -> str:
    text = f"<p>{_inline(unwrap(block.runs), label, ebook, seen_notes)}</p>"
    return f"<blockquote>{text}</blockquote>" if block.quoted else text


def _inline(runs: Runs, label: str, ebook: bool, seen_notes: set[int]) -> str:
    """Renders the runs of a paragraph as markup; `seen_notes` holds the footnotes already
    referenced, whose back link leads to that first reference."""
    return "".join(_render_run(run, label, ebook, seen_notes) for run in runs)


def _render_run(run: TextRun, label: str, ebook: bool, seen_notes: set[int]) -> str:
    if run.breaks:
        return "<br />"
    if run.note:
        kind = ' epub:type="noteref"' if ebook else ' role="doc-noteref"'
        own = "" if run.note in seen_notes else f' id="{label}r{run.note}"'
        seen_notes.add(run.note)
        link = f'<a{own} href="#{label}n{run.note}"{kind}>{run.note}</a>'
        return f"<sup>{link}</sup>"
    text = escape(run.text, quote=False)
    text = f"<strong>{text}</strong>" if run.bold else text
    return f"<em>{text}</em>" if run.italic else text
