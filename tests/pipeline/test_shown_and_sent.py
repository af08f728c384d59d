"""`studio context` is the request that follows, byte for byte: every agent, mode and window."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from studio.pipeline.orders import PassageMode, PassageOrder, StartOrder
from studio.pipeline.outcome import Committed, Failed, Paused
from studio.pipeline.previews.preview import Pending, Preview, blocks_of
from studio.pipeline.prompting.fit_to_window import TooLarge
from studio.resources import agents_dir
from studio.story.chapter import sha256_of
from studio.story.review.passage import read_place
from tests.cli.command import studio
from tests.fake_answers import from_schema
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SETTINGS,
    Model,
    asked_for,
    directive,
    judged,
    scores,
    unrefined,
    violation,
)
from tests.pipeline.previews import every_call_is_shown_as_it_is_sent
from tests.pipeline.scene_plans import planning, scene
from tests.project.novels import put
from tests.prompts_sent import (
    SITUATIONS,
    Novel,
    SentRequest,
    Situation,
    Writer,
    beginning,
    in_order_of_making,
    is_made_of,
    requests_made,
)

CALLED = frozenset(
    {
        "plot-architect",
        "prewriter",
        "scene-drafter",
        "assembly",
        "summarizer",
        "style-refiner",
        "quality-oracle",
        "prose-surgeon",
        "continuity-checker",
    }
)
"""Who is asked with nothing but what is on disk."""
OF_THE_MOMENT = frozenset({"second-reader"})
"""Who is asked about what the call before it answered."""
OF_AN_ORDER = frozenset({"character-weaver", "world-builder", "style-analyzer"})
"""Who is asked about names and passages that come with a command."""
PLAN = {**CONTRACT, "scenes": [], "beats": ["Mara searches, and Joss comes."]}
SCENES = planning(
    scene("Mara searches the lamp room", location="lamp-room", exit_emotion="calm"),
    scene(
        "Joss comes up the stairs",
        location="quay",
        characters=["mara", "joss"],
        entry_emotion="afraid",
        transition_from="the next morning",
    ),
)
ANEW = Rule(text="The oil had run dry.\n\nShe looked under the last can, and waited.")
ANOTHER = Rule(text="No oil was left.\n\nThe last can held a key.")
BROKEN = judged(violations=[violation("Far out a bell rang", scene=1)])
WINDOWS = (8_192, 6_000, 14_000, 32_768, 200_000, 1_000_000)
"""One that little fits, one that no prompt fits, up to those that take all of it."""


def test_every_agent_is_one_of_these() -> None:
    there = {path.stem for path in agents_dir().glob("*.md")}
    assert there == CALLED | OF_THE_MOMENT | OF_AN_ORDER


# req: C2
@pytest.mark.sweep
def test_every_agent_that_is_called_is_shown_what_it_is_then_sent(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One chapter that asks them all, one scene of it twice."""
    nothing = Rule(value={"contradictions": [], "facts": []})
    weak = {name: {**score, "scene": 1} for name, score in scores(3.2).items()}
    again = Rule(value={**(judged().value or {}), "scores": weak})
    model = Model(scenes=SCENES, judge=[again, judged(directives=[directive(1, 2)])])
    generation = 'mode = "prewriter"\ntools = "all"\nscenes = "model"\nanalyse = true\n'
    desk_ = desk(model, settings=f"{SETTINGS}[generation]\n{generation}", contract=PLAN)
    desk_.server.rules.append(Rule(contains="Read chapters", value=nothing.value))
    assert isinstance(desk_.session().previews().of_agent("assembly", 1), Pending)
    calls = every_call_is_shown_as_it_is_sent(desk_, monkeypatch)
    ran = desk_.write(direction="비가 오게 해 줘.")
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert set(calls) == CALLED
    assert calls.count("scene-drafter") == calls.count("prewriter") == 3


# req: C2 C9
@pytest.mark.sampled
@pytest.mark.parametrize("window", [8_192, 32_768, 200_000])
@pytest.mark.parametrize("mode", ["regenerate", "refine"])
@pytest.mark.parametrize("writer", ["standard", "prewriter"])
def test_another_version_of_a_passage_is_shown_as_it_is_sent(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, writer: str, mode: PassageMode, window: int
) -> None:
    """The brief comes first where there is one; the second version is another call."""
    desk_ = desk(Model(refine=unrefined, anew=[ANEW, ANOTHER], changed=[ANEW, ANOTHER]))
    assert isinstance(desk_.write().outcome, Committed)
    profile = {"window": window, "max_output": 2000, "tools": True}
    desk_.overrides["provider.endpoints"] = {desk_.server.url: profile}
    desk_.overrides |= {"generation.mode": writer, "generation.tools": "all"}
    order = PassageOrder(1, read_place("2.2-2.3"), mode, "더 차갑게.")
    calls = every_call_is_shown_as_it_is_sent(desk_, monkeypatch, order)
    for _ in range(2):
        asyncio.run(desk_.session().passages().write(order, lambda event: None))
    once = ["scene-drafter"] if writer == "standard" else ["prewriter", "scene-drafter"]
    assert calls[: 2 * len(once)] == 2 * once


# req: C2 A3
@pytest.mark.sweep
@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.generate],
)
@given(
    tools=st.sampled_from(["off", "prewriter", "all"]),
    decompose=st.sampled_from(["contract", "model"]),
    verdicts=st.sampled_from([(judged(3.2), judged()), (BROKEN, judged()), (judged(),)]),
    direction=st.sampled_from(["", "Let it rain.", "비가 오게 해 줘.", "让雨下起来。"]),
    ending=st.sampled_from(["", "\n## Scenes\n\nmust not ring"]),
)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_in_every_mode_and_window_what_is_shown_is_sent(
    desk: OpenDesk,
    window: int,
    mode: str,
    tools: str,
    decompose: str,
    verdicts: tuple[Rule, ...],
    direction: str,
    ending: str,
) -> None:
    """Every request of a chapter, retries apart, against what is shown from disk before it; what
    cannot be sent in a window is shown as refused as well."""
    generation = f'mode = "{mode}"\ntools = "{tools}"\ndecompose = "{decompose}"\n'
    drawn = sha256_of(f"{tools}{decompose}{len(verdicts)}{verdicts[0]}{direction}{ending}")[:8]
    contract: Any = PLAN if decompose == "model" else CONTRACT
    desk_ = desk(
        Model(scenes=SCENES, judge=verdicts),
        novel=f"{window}-{mode}-{drawn}",
        settings=f"{SETTINGS}[generation]\n{generation}",
        contract=contract,
    )
    put(desk_.folder, "context/guidelines/tides.md", f"---\nsticky: true\n---\nTides.{ending}")
    profile = {"window": window, "max_output": 2000, "tools": True}
    desk_.overrides["provider.endpoints"] = {desk_.server.url: profile}
    with pytest.MonkeyPatch.context() as patched:
        calls = every_call_is_shown_as_it_is_sent(desk_, patched)
        ran = desk_.write(direction=direction)
    if isinstance(ran.outcome, Failed):
        with pytest.raises(TooLarge):
            desk_.session().previews().of_scene()
    else:
        assert {"scene-drafter", "summarizer", "quality-oracle"} <= set(calls)


# req: C2
@pytest.mark.parametrize("scene", [1, 2])
def test_a_scene_of_a_chapter_in_the_book_is_shown_as_it_is_sent_once_that_is_open_again(
    desk: OpenDesk, scene: int
) -> None:
    """Met: of what stands before the scene it said that it was not written yet."""
    desk_ = desk(Model(refine=unrefined))
    assert isinstance(desk_.write().outcome, Committed)
    ahead = desk_.session().previews().of_scene(1, scene)
    assert not ahead.pending
    assert desk_.write(again=True, review="ask").decision.kind == "review"
    assert desk_.write(chapter=1, scene=scene, review="ask").exit_code == 4
    assert is_made_of(asked_for(desk_, "draft")[-1], ahead.request)


def with_her_prose(novel: Novel, desk: Writer) -> int:
    """A book that begins with a sample of hers, whose style is read."""
    order = StartOrder(sample="\n\n".join(novel[f"scene {n}"].strip() for n in (1, 2)))
    while isinstance(ran := asyncio.run(desk.session().start(order, lambda _: None)), Paused):
        if ran.decision.data["step"] == "style":
            return 0
        desk.decide("next")
    raise AssertionError(ran)


PLAYS: dict[str, Situation] = {
    **{name: SITUATIONS[name] for name in ("second-chapter", "prewriter", "standard", "beginning")},
    "her-prose": with_her_prose,
}


# req: C2
@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_of_every_agent_the_bars_are_all_that_arrived_and_nothing_else(
    tmp_path: Path, language: str
) -> None:
    """The blocks that `studio context` and `studio log show` print, against the words that a
    server received: of each agent there is, also of those whom a command asks or who answer what
    another said."""
    agents: set[str] = set()
    for name, situation in PLAYS.items():
        novel, folder = Novel(language), tmp_path / name / "novel"
        only = beginning if situation is with_her_prose else situation
        novel.make(folder, only)
        model = novel.model(style=lambda asked: Rule(value=from_schema(asked.schema)))
        with FakeMessages(answering=model) as server, requests_made() as requests:
            situation(novel, desk_ := Writer(folder, server))
        journal = desk_.store.journal
        records = [journal.recall(one) for one in journal.generation_ids()]
        messages = {message for one in records if one is not None for message in one.messages}
        for asked, request in in_order_of_making(server.asked, requests):
            agents.add(request.agent)
            bars_are_what_arrived(SentRequest(asked, request))
            assert set(request.messages) <= messages, request.agent
    assert agents == {path.stem for path in agents_dir().glob("*.md")}


def bars_are_what_arrived(sent: SentRequest) -> None:
    """Each bar stands in what arrived, in its order; what is left between them are the marks of
    the blocks."""
    bars = blocks_of(sent.request.messages)
    rest = sent.asked.prompt
    for bar in bars:
        before, words, rest = rest.partition(bar.text)
        assert words, (sent.request.agent, bar.name)
        assert re.fullmatch(r'\s*(</?m\w+( name="[\w-]+")?>\s*)*', before), before[:200]
        assert bar.tokens > 0
    assert re.fullmatch(r"\s*(</m\w+>\s*)?", rest), rest[:200]


# req: C2
@pytest.mark.sweep
@pytest.mark.parametrize("agent", sorted(CALLED | OF_THE_MOMENT | OF_AN_ORDER))
def test_the_command_prints_the_bars_of_every_agent_or_who_asks_it(
    desk: OpenDesk, agent: str
) -> None:
    """`studio context --agent NAME --json`: its blocks are those of the call that follows."""
    weak = {name: {**score, "scene": 1} for name, score in scores(4.2).items()}
    verdict = Rule(value={**(judged(directives=[directive(1, 2)]).value or {}), "scores": weak})
    settings = f'{SETTINGS}[generation]\nmode = "prewriter"\nscenes = "model"\n'
    desk_ = desk(Model(scenes=SCENES, judge=verdict), settings=settings, contract=PLAN)
    assert isinstance(desk_.write(review="accept").outcome, Committed)
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", {**PLAN, "chapter": 2})
    chapter = 2 if agent in ("plot-architect", "prewriter", "scene-drafter") else 1
    ended = studio(
        "context", chapter, "--agent", agent, "--json", cwd=desk_.folder, environ=desk_.environ
    )
    assert ended.code == 0, ended.err
    ahead = desk_.session().previews().of_agent(agent, chapter)
    if agent in OF_THE_MOMENT | OF_AN_ORDER:
        assert isinstance(ahead, Pending)
        assert ended.json["pending"] == str(ahead.reason)
        assert "blocks" not in ended.json
    elif isinstance(ahead, Pending):
        assert agent in ("assembly", "prose-surgeon")
        assert ended.json["pending"] == str(ahead.reason)
    else:
        assert isinstance(ahead, Preview)
        rows = [(row["role"], row["text"], row["tokens"]) for row in ended.json["blocks"]]
        plain = [(bar.role, bar.text, bar.tokens) for bar in ahead.blocks]
        assert [(r, re.sub(r"m[0-9a-f]{10}", "m", t), n) for r, t, n in rows] == [
            (r, re.sub(r"m[0-9a-f]{10}", "m", t), n) for r, t, n in plain
        ]
        orders = [row["order"] for row in ended.json["blocks"]]
        assert orders == sorted(orders)
        assert ended.json["tokens"] == sum(row["tokens"] for row in ended.json["blocks"])
        assert ended.json["max_tokens"] == ahead.max_tokens
