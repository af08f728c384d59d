"""Proves that each repaired defect has a test that fails without the repair.

`python3 dev.py proof [ID...]`

A test marked `@pytest.mark.repairs("R1")` is run twice: on this checkout, and on the commit before
the repairs with the present tests laid over it. It proves its entry if it passes here and fails
there by an assertion of its own. An import, fixture or time-out error there proves nothing, and
neither does a test that passes or is skipped.

The module is also the pytest plugin that selects the marked tests and records how each one ended.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
BEFORE = "68231a98"
RENAMED: dict[str, str] = {}
"""The modules used by the tests that had another name before the repairs."""
MERGED = {
    "studio.agent_pages": "studio.prompts",
    "studio.book.as_of": "studio.book.related",
    "studio.book.bible": (
        "studio.book.entries studio.book.mentions studio.book.selection studio.book.in_text"
    ),
    "studio.cli.click_words": "studio.cli.help_words",
    "studio.cli.commands.find": "studio.cli.commands.replace",
    "studio.cli.paid_call": "studio.cli.window_question",
    "studio.exchange.import_.plan": "studio.exchange.import_.preview",
    "studio.exchange.readers.obsidian": "studio.exchange.readers.vault",
    "studio.fsio.read": "studio.fsio.unchanged studio.fsio.open_writers",
    "studio.fsio.replacement": "studio.fsio.exchange",
    "studio.llm.provider": "studio.llm.tools",
    "studio.llm.providers.embedded": "studio.llm.providers.sieved",
    "studio.messages": "studio.story.form.long_lists",
    "studio.pipeline.book_runs.chapter_windows": "studio.pipeline.continuity.chapter_windows",
    "studio.pipeline.book_runs.continuity_checking": (
        "studio.pipeline.continuity.checking studio.pipeline.continuity.contradictions"
    ),
    "studio.pipeline.chapter.run": "studio.pipeline.chapter.background",
    "studio.pipeline.drafting.scene_plans": (
        "studio.pipeline.drafting.scenes studio.pipeline.drafting.plot_architect"
    ),
    "studio.pipeline.judging.evaluation": (
        "studio.pipeline.judging.shape studio.pipeline.judging.finding_answers"
    ),
    "studio.pipeline.judging.measures": (
        "studio.pipeline.chapter.origin studio.pipeline.judging.saved_text"
    ),
    "studio.pipeline.judging.placement": (
        "studio.pipeline.judging.quotes studio.pipeline.evaluations"
    ),
    "studio.pipeline.locked_run": "studio.pipeline.log",
    "studio.pipeline.orders": (
        "studio.pipeline.chapter.order studio.pipeline.beginning.start_order "
        "studio.pipeline.passage.passage_order"
    ),
    "studio.pipeline.passage.versions": "studio.pipeline.passage.take studio.pipeline.passage.room",
    "studio.pipeline.previews.preview": "studio.pipeline.previews.prompt_diff",
    "studio.pipeline.prompting.agent_question": "studio.pipeline.prompting.occasion",
    "studio.pipeline.prompting.answer_stream": "studio.pipeline.prompting.replay",
    "studio.pipeline.prompting.fit_to_window": "studio.pipeline.prompting.compile",
    "studio.pipeline.prompting.lines": "studio.book.line_desk",
    "studio.pipeline.prompting.prompt_blocks": "studio.pipeline.prompting.material",
    "studio.pipeline.rebuild": "studio.pipeline.rebuild.plan studio.pipeline.rebuild.rebuild",
    "studio.pipeline.review.fixes_kept": (
        "studio.pipeline.review.consent studio.pipeline.review.effect"
    ),
    "studio.pipeline.review.surgeon": (
        "studio.pipeline.review.proofreader studio.pipeline.review.surgery_result"
    ),
    "studio.pipeline.volume.retire_character": "studio.pipeline.volume.retire",
    "studio.plugins.active_plugins": "studio.pipeline.chapter.plugin_sources",
    "studio.plugins.calls": "studio.plugins.child",
    "studio.project.autosaves": "studio.project.restore.autosaves",
    "studio.project.commit.new_wording": "studio.project.commit.hand_edit",
    "studio.project.commit.transaction": "studio.project.commit.rescue",
    "studio.project.history.blobs": "studio.project.files.compression",
    "studio.project.memories": "studio.project.eras studio.project.line_memory",
    "studio.project.planning.imports": "studio.project.author.imports",
    "studio.project.planning.plans": "studio.project.planning.chapter_order",
    "studio.project.repair": "studio.project.check.repair",
    "studio.project.trust": "studio.project.plugin_trust",
    "studio.project.verify": (
        "studio.project.check.verify studio.project.check.findings studio.project.check.checks"
    ),
    "studio.story.checkpoint": "studio.story.life.beginning studio.story.life.book_state",
    "studio.story.form.document": "studio.story.form.seed_value",
    "studio.story.ledger": "studio.story.spent_sums",
    "studio.story.novel": "studio.story.spelling_words",
    "studio.story.review.answers": "studio.story.review.promise_answers",
    "studio.story.review.directive": "studio.story.review.directive_type",
    "studio.story.review.evaluation": "studio.story.review.guidance",
    "studio.story.review.passage": "studio.story.review.passages",
    "studio.story.state": "studio.story.facts",
    "studio.story.status": "studio.story.review.transitions",
    "studio.text.content": "studio.text.content_bands",
    "studio.text.language.lexicon": "studio.text.language.filter_words",
    "studio.text.metrics.measure": (
        "studio.text.metrics.metrics studio.text.metrics.formulas studio.text.metrics.working_notes"
    ),
    "studio.text.metrics.metric_kinds": "studio.text.metrics.table",
    "studio.text.person_or_place": "studio.text.name_candidates",
    "studio.text.prose.answer": "studio.text.prose.asides",
    "studio.tui.board": "studio.tui.board.board_rows studio.tui.board.board_screen",
    "studio.tui.desk.parts.beginning": "studio.tui.desk.book_parts.beginning",
    "studio.tui.desk.parts.book_notes": "studio.tui.desk.note_forms",
    "studio.tui.desk.parts.direction": "studio.tui.desk.parts.direction_line",
    "studio.tui.desk.parts.external_changes": (
        "studio.tui.desk.parts.outside.watcher studio.tui.desk.parts.outside.external_changes"
    ),
    "studio.tui.desk.parts.material": "studio.tui.desk.parts.call_records",
    "studio.tui.desk.parts.pages": (
        "studio.tui.desk.parts.memory_pages studio.tui.desk.book_parts.book_board"
    ),
    "studio.tui.desk.parts.planning": "studio.tui.desk.book_parts.scene_forms",
    "studio.tui.desk.parts.style_library": "studio.tui.desk.parts.promote",
    "studio.tui.desk.parts.volume": "studio.tui.desk.book_parts.volume",
    "studio.tui.key_bindings": "studio.tui.screen",
    "studio.tui.runtime.left_words": "studio.tui.runtime.typing_pause",
    "studio.tui.runtime.look": "studio.tui.runtime.themes",
    "studio.tui.runtime.toasts": "studio.tui.widgets.whole_toast",
    "studio.tui.screens.ask": "studio.tui.screens.ask_path studio.tui.screens.not_this",
    "studio.tui.screens.editing.editor_search": "studio.tui.widgets.search_bar",
    "studio.tui.screens.editing.live_figures": (
        "studio.tui.screens.editing.live_measures studio.tui.screens.editing.day_tally"
    ),
    "studio.tui.screens.find": "studio.tui.screens.finding.replaced_places",
    "studio.tui.screens.history": "studio.tui.views.pages.history",
    "studio.tui.screens.importing": (
        "studio.tui.screens.importing.import_work studio.tui.screens.importing.import_files "
        "studio.tui.screens.importing.import_"
    ),
    "studio.tui.screens.memory": "studio.tui.screens.memory_readings",
    "studio.tui.screens.page": "studio.tui.screens.playback",
    "studio.tui.screens.work_in_progress": "studio.tui.screens.finding.work_in_progress",
    "studio.tui.views.forms.plan_forms": (
        "studio.tui.views.forms.plan_form studio.tui.views.forms.scene_form"
    ),
    "studio.tui.views.key_names": "studio.tui.keys",
    "studio.tui.views.outline.row_text": "studio.tui.views.outline.numbered_titles",
    "studio.tui.views.outline.rows": "studio.tui.views.outline.book",
    "studio.tui.views.pages.chapter": "studio.tui.views.gauge",
    "studio.tui.views.pages.context": "studio.tui.views.pages.replay",
    "studio.tui.views.pages.memory_rows": (
        "studio.tui.views.pages.proposed_promise_rows studio.tui.views.pages.suggested_rows"
    ),
    "studio.tui.views.prose.diff_rows": "studio.tui.views.prose.diff_lines",
    "studio.tui.views.prose.layout": "studio.tui.views.prose.blocks",
    "studio.tui.views.review.counsel_text": "studio.tui.views.review.earlier_rejections",
    "studio.tui.widgets.line_scroll": "studio.tui.widgets.scroll_bar",
    "studio.tui.widgets.outline_list": "studio.tui.widgets.outline_strips",
    "studio.tui.widgets.prose_strips": "studio.tui.widgets.prose.strips",
    "studio.tui.widgets.prose_view": "studio.tui.widgets.prose.stream",
    "studio.tui.widgets.text_field": "studio.tui.widgets.prose_rows",
}
"""The modules used by the tests that were several before the repairs, with the names of these."""
ALIAS = """

def __getattr__(name):
    import importlib

    for module in {modules!r}:
        try:
            return getattr(importlib.import_module(module), name)
        except (AttributeError, ModuleNotFoundError):
            pass
    raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
"""
FORMER_NAMES = ROOT / "tests" / "data" / "former-names.tsv"
"""The functions and classes that were called by another name before the repairs: module, name then
(a method behind its class), name today."""
ONCE = """

try:
    {today} = {then}
except (AttributeError, NameError):
    pass
"""
REPAIRED = """
H1
S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15 S16 S17 S18
T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19
T20 T21 T22 T23 T24 T25 T26 T27 T28 T29 T30 T31
W1 W2 W3 W4 W5 W6 W7 W8 W9 W10 W11 W12 W13 W14 W15 W16 W17 W18 W19 W20 W21 W22 W23
"""
ENTRIES = REPAIRED.split()
"""The ids of all reported defects that were repaired."""
MARK = re.compile(r'^@pytest\.mark\.repairs\("(\w+)"\)', re.MULTILINE)

LONGEST_REASON = 160
TIME_LIMIT = 300
"""The number of seconds a test may take; more than any test waits, so that it fails by itself
first."""


@dataclass(frozen=True)
class Ending:
    """The ending of a test: `passed`, `red` (an assertion of the tests failed), `broken` or
    `skipped`."""

    test: str
    entries: tuple[str, ...]
    how: str
    reason: str = ""


# The pytest plugin.


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds options for the file of endings and for the entries to prove, by default all of them."""
    parser.addoption("--endings", type=Path)
    parser.addoption("--entries", default="")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Selects the tests that prove the wanted entries."""
    wanted = set(config.getoption("--entries").split())
    marked = [item for item in items if set(entries_of(item)) & (wanted or set(entries_of(item)))]
    config.hook.pytest_deselected(items=[item for item in items if item not in marked])
    items[:] = marked


def entries_of(item: pytest.Item) -> list[str]:
    """Returns the entries that a test is marked to prove."""
    return [entry for mark in item.iter_markers("repairs") for entry in mark.args]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    """Adds the ending of a test to its report, which a worker process sends to the main process."""
    report = yield
    report.ending = [item.nodeid, entries_of(item), *ending_of(report, call)]
    return report


def ending_of(report: pytest.TestReport, call: pytest.CallInfo[None]) -> tuple[str, str]:
    """Returns the ending of one phase of a test, and the line that explains it."""
    if call.excinfo is None or report.passed:
        return "passed", ""
    if report.skipped:
        return "skipped", str(call.excinfo.value)
    message = str(call.excinfo.value).strip() or str(call.excinfo.traceback[-1].statement).strip()
    line = message.splitlines()[0].strip()
    asserted = call.excinfo.errisinstance((AssertionError, pytest.fail.Exception))
    # `pytest.raises` fails inside its own code, which it hides from the traceback.
    visible = call.excinfo.traceback.filter(call.excinfo) or call.excinfo.traceback
    in_tests = "/tests/" in Path(visible[-1].path).as_posix()
    timed_out = line.startswith("Timeout (>")
    if report.when == "call" and asserted and in_tests and not timed_out:
        return "red", line
    return "broken", f"{report.when}: {call.excinfo.typename}: {line}"


class Endings:
    """Collects the reports in the main process and writes them to a file at the end."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.endings: dict[str, list[Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Records the first phase that failed, or else the last one."""
        ending = getattr(report, "ending", None) or [report.nodeid, [], "broken", "it crashed"]
        if self.endings.setdefault(report.nodeid, ending)[2] == "passed":
            self.endings[report.nodeid] = ending

    def pytest_sessionfinish(self) -> None:
        """Writes the file."""
        self.file.write_text(json.dumps(list(self.endings.values())), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the collector in the main process only."""
    if config.getoption("--endings") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Endings(config.getoption("--endings")))


# The command.


def main(asked: list[str]) -> int:
    """Runs the marked tests on both sides and prints a line for each; returns 0 if all are
    proven."""
    unknown = sorted(set(asked) - set(ENTRIES))
    if unknown:
        print(f"No entry is called {', '.join(unknown)}. There are: {' '.join(ENTRIES)}")
        return 2
    with tempfile.TemporaryDirectory(prefix="studio-proof-") as folder:
        there = Path(folder, "before")
        try:
            check_out(there)
            before, after = endings(there, asked, "red"), endings(ROOT, asked, "passed")
        except LookupError as error:
            print(f"dev.py proof: {error}", file=sys.stderr)
            return 2
    return show(before, after, asked or ENTRIES)


def check_out(folder: Path) -> None:
    """Checks out the commit before the repairs, with the present tests in place of its own.

    Raises LookupError if the history of this checkout does not reach that far back.
    """
    folder.mkdir()
    archive = folder / "archive.tar"
    git = ["git", "archive", f"--output={archive}", BEFORE]
    if not (ROOT / ".git").exists() or subprocess.run(git, cwd=ROOT).returncode:
        raise LookupError(
            f"commit {BEFORE}, the last one before the repairs, is not in this checkout's history."
            " This needs a whole clone (git fetch --unshallow), not an archive of the sources."
        )
    shutil.unpack_archive(archive, folder, filter="data")
    archive.unlink()
    shutil.rmtree(folder / "tests")
    unneeded = shutil.ignore_patterns("__pycache__", "__snapshots__")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=unneeded)
    for today, then in RENAMED.items():
        module = then.removesuffix(".py").replace("/", ".")
        alias = f"import sys\n\nimport {module}\n\nsys.modules[__name__] = {module}\n"
        (folder / today).write_text(alias, "utf-8")
    for today, then in MERGED.items():
        place = folder / today.replace(".", "/")  # a module today, and perhaps a folder then
        place = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a", encoding="utf-8") as file:
            file.write(ALIAS.format(modules=then.split()))
    name_functions(folder)
    subprocess.run([sys.executable, "-m", "compileall", "-q", folder / "studio"], check=True)


def name_functions(folder: Path) -> None:
    """Lets functions and classes of the old checkout be called by the names they have today."""
    for line in FORMER_NAMES.read_text("utf-8").splitlines():
        module, then, today = line.split("\t")
        holder, dot, _ = then.rpartition(".")
        for place in (module, *MERGED.get(module, "").split()):
            file = folder / (place.replace(".", "/") + ".py")
            if file.is_file() and _declares(file.read_text("utf-8"), holder, then):
                with file.open("a", encoding="utf-8") as text:
                    text.write(ONCE.format(today=f"{holder}{dot}{today}", then=then))


def _declares(source: str, holder: str, name: str) -> bool:
    """Whether a module has the class that holds a name, or else a function or class called so."""
    kinds = f"class {holder}" if holder else rf"(?:async def|def|class) {name}"
    return re.search(rf"^{kinds}\b", source, re.MULTILINE) is not None


def endings(root: Path, asked: list[str], wanted: str) -> dict[str, Ending]:
    """Runs the marked tests on the code of one checkout; returns the ending of each test function.

    A parametrized function has the first ending that is not the wanted one.

    Raises LookupError if other code would be run there, or if pytest did not finish.
    """
    environ = {**os.environ, "PYTHONPATH": str(root)}
    make_sure_of(root, environ)
    print(f"-- {'here' if root == ROOT else f'there ({BEFORE})'}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "endings.json")
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-r", "E"]
        command += ["-p", "no:cacheprovider", "-p", "tests.proof", "-n", "auto"]
        command += ["-c", ROOT / "pyproject.toml", "--rootdir", root, "--confcutdir", root]
        command += ["--timeout", str(TIME_LIMIT), "--continue-on-collection-errors"]
        command += ["--endings", file, "--entries", " ".join(asked), *marked_files(root)]
        subprocess.run(command, cwd=root, env=environ)
        if not file.is_file():
            raise LookupError(f"pytest did not get to its end in {root}; the reason stands above.")
        rows = json.loads(file.read_text("utf-8"))
    return by_function([Ending(test, tuple(ids), *how) for test, ids, *how in rows], wanted)


def marked_files(root: Path) -> list[Path]:
    """Returns the files that contain a marked test; imports of other files need not exist there."""
    files = sorted((root / "tests").rglob("test_*.py"))
    return [file for file in files if MARK.search(file.read_text("utf-8"))]


def make_sure_of(root: Path, environ: dict[str, str]) -> None:
    """Checks which code the tests import and which code the `studio` program runs.

    Raises LookupError if it is not the code of the checkout.
    """
    imported = subprocess.run(
        [sys.executable, "-c", "import studio; print(studio.__file__)"],
        cwd=root,
        env=environ,
        capture_output=True,
        text=True,
    ).stdout.strip()
    program = subprocess.run(
        [Path(sys.executable).with_name("studio"), "--version"],
        cwd=tempfile.gettempdir(),
        env={**environ, "PYTHONVERBOSE": "1"},
        capture_output=True,
        text=True,
    ).stderr
    entry = root / "studio" / "__main__.py"
    if Path(imported) != root / "studio" / "__init__.py" or str(entry) not in program:
        raise LookupError(f"the tests of {root} would run other code than its own ({imported}).")
    print(f"studio.__file__ is {imported}, in the tests and in the program they start")


def by_function(cases: list[Ending], wanted: str) -> dict[str, Ending]:
    """Merges the endings of all parameters of a function."""
    functions: dict[str, Ending] = {}
    for case in cases:
        name = case.test.partition("[")[0]
        if name not in functions or functions[name].how == wanted:
            functions[name] = replace(case, test=name)
    return functions


def show(before: dict[str, Ending], after: dict[str, Ending], asked: list[str]) -> int:
    """Prints a line for each entry and test; returns 0 if every entry is proven."""
    tests = {test: ending.entries for test, ending in [*before.items(), *after.items()]}
    unproven = set()
    for entry in asked:
        named = sorted(test for test, entries in tests.items() if entry in entries)
        for test in named:
            there, here = before.get(test), after.get(test)
            if there is None or here is None or (there.how, here.how) != ("red", "passed"):
                unproven.add(entry)
            print(f"{entry:4} {test}: {in_words('there', there)} / {in_words('here', here)}")
        if not named:
            unproven.add(entry)
            print(f"{entry:4} has no test")
    rest = [entry for entry in asked if entry in unproven]
    print(
        f"{len(asked) - len(rest)} of {len(asked)} proven.",
        *(["Not proven:", *rest] if rest else []),
    )
    return 1 if rest else 0


def in_words(place: str, ending: Ending | None) -> str:
    """Describes the ending of a test on one side for a person."""
    if ending is None:
        return f"NOT COLLECTED {place}"
    if ending.how == "passed":
        return f"green {place}"
    how = ending.how if ending.how == "red" else ending.how.upper()
    return f"{how} {place}: {ending.reason[:LONGEST_REASON]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
