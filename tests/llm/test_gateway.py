"""No finished call is made twice, nothing received is lost, whatever ends the process."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from studio.errors import StudioError, failed
from studio.llm.errors import ModelError
from tests.fake_messages import Rule
from tests.llm.asking import NOON, Ear, MemoryJournal, asked, gateway_at
from tests.llm.conftest import Serve


async def test_a_finished_call_is_answered_from_the_journal(  # req: E3 N11
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(text="등대에 불이 들어왔다."))
    first = await gateway_at(server.url, journal).prose(asked())
    ear = Ear()
    second = await gateway_at(server.url, journal).prose(asked(), ear)
    assert second == first
    assert [delta.text for delta in ear.deltas] == ["등대에 불이 들어왔다."]
    assert len(server.asked) == 1


async def test_a_changed_prompt_is_a_new_call(serve: Serve, journal: MemoryJournal) -> None:
    server = serve()
    await gateway_at(server.url, journal).prose(asked("Write the scene."))
    await gateway_at(server.url, journal).prose(asked("Write the scene, but in winter."))
    assert len(server.asked) == 2
    assert len(journal.records) == 2


async def test_a_refused_call_is_made_again_on_resume(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(stop_reason="refusal", times=1), Rule(text="The lamp was lit."))
    with pytest.raises(ModelError):
        await gateway_at(server.url, journal).prose(asked())
    assert (await gateway_at(server.url, journal).prose(asked())).generated_text
    assert [record.finish_reason for record in journal.aside()] == ["refusal"]


async def test_the_record_says_everything_about_the_call(
    serve: Serve, journal: MemoryJournal, ear: Ear
) -> None:
    server = serve(Rule(text="The lamp was lit."))
    request = asked(input="slower, please", exemplars=("ex-1",), dropped_blocks=("world",))
    record = await gateway_at(server.url, journal).prose(request, ear)
    assert journal.records[request.generation_id] == record
    assert record.id == request.generation_id
    assert record.created_at == NOON.isoformat()
    assert (record.chapter, record.scene, record.stage) == (3, 1, "draft")
    assert (record.agent, record.role, record.provider) == (
        "scene-drafter",
        "standard",
        "anthropic",
    )
    assert record.model == "claude-sonnet-5-5"
    assert (record.input, record.exemplars, record.dropped_blocks) == (
        "slower, please",
        ("ex-1",),
        ("world",),
    )
    assert [message.role for message in record.messages] == ["system", "user"]
    assert record.total_usage is not None
    assert record.total_usage.output_tokens == 4
    assert record.cost_usd
    assert ear.text == record.generated_text


async def test_a_small_model_that_talks_to_its_limit_has_not_been_cut(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(stop_reason="max_tokens", text="The lamp was lit. The sea"))
    record = await gateway_at(server.url, journal).prose(asked(open_ended=True))
    assert (record.finish_reason, record.generated_text) == ("end", "The lamp was lit. The sea")


async def test_the_record_names_the_parts_of_an_answer(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(text="등대에 불이 들어왔다."))
    request = asked(annotate=lambda text: {"pre_writing": text[:3], "hints": None})
    record = await gateway_at(server.url, journal).prose(request)
    assert (record.pre_writing, record.hints) == ("등대에", None)


async def test_the_answer_is_kept_before_the_money_is_settled(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(text="The lamp was lit."))
    await gateway_at(server.url, journal).prose(asked())
    assert [step for step in journal.story if step != "partial"] == [
        "reserve",
        "keep end",
        "drop",
        "settle",
    ]


async def test_text_on_its_way_is_in_the_journal_when_the_power_goes(  # req: N11
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode="hold", text="灯亮了。" * 40, after=2))
    saved = asyncio.Event()
    real = journal.partial

    def partial(name: str, text: str) -> None:
        real(name, text)
        saved.set()

    journal.partial = partial  # type: ignore[method-assign, assignment]
    task = asyncio.create_task(gateway_at(server.url, journal, save_every=0).prose(asked()))
    await saved.wait()
    assert journal.partials[asked().generation_id].startswith("灯亮了。")
    assert journal.story[0] == "reserve"
    server.released.set()
    await task
    assert journal.partials == {}


async def test_partial_text_is_written_at_intervals_not_for_each_delta(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(paragraphs=20))
    await gateway_at(server.url, journal, save_every=100).prose(asked())
    assert "partial" not in journal.story


async def test_cancelling_keeps_the_text_and_counts_the_money(  # req: M15 N7 N11
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode="hold", text="The lamp was lit. " * 20))
    came = asyncio.Event()
    gateway = gateway_at(server.url, journal)
    ear = Ear()

    def listen(delta: object) -> None:
        ear(delta)  # type: ignore[arg-type]
        came.set()

    task = asyncio.create_task(gateway.prose(asked(), listen))
    await came.wait()
    task.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert journal.partials[asked().generation_id] == ear.text != ""
    assert journal.story[-1] == "settle"
    settled = journal.usage[-1]
    assert settled.usd
    assert settled.reserved_usd
    assert 0 < settled.usd <= settled.reserved_usd


async def test_a_disk_that_is_full_stops_the_call(serve: Serve, journal: MemoryJournal) -> None:
    def partial(_: str, __: str) -> None:
        raise failed("The disk is full.")

    journal.partial = partial  # type: ignore[method-assign, assignment]
    server = serve(Rule(mode="trickle", delay=0.001))
    with pytest.raises(StudioError, match="disk is full"):
        await gateway_at(server.url, journal, save_every=0).prose(asked())


async def test_an_older_answer_of_the_same_name_is_put_aside(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(text="A new answer."))
    request = asked()
    old = await gateway_at(serve(Rule(text="An old answer.")).url, journal).prose(request)
    journal.records[request.generation_id] = old.model_copy(update={"finish_reason": "stopped"})
    await gateway_at(server.url, journal).prose(request)
    assert journal.records[request.generation_id].generated_text == "A new answer."
    assert [record.generated_text for record in journal.aside()] == ["An old answer."]


@pytest.mark.sweep
def test_importing_the_gateway_loads_no_vendor_library() -> None:
    code = (
        "import sys, studio.llm.gateway, studio.llm.choose;"
        "print([n for n in ('anthropic', 'httpx2', 'xllamacpp', 'jsonschema') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
