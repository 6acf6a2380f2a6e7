"""The agent `command`: another program, in any language, that is asked by lines of text (docs/agent-protocol.md)."""

from __future__ import annotations

import os
import queue
import re
import shlex
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress

from pydantic import Field

from spinney.agents.agent import Agent, Seed
from spinney.agents.decision import Decision
from spinney.clock import Clock
from spinney.errors import BadMessage, IllegalAction, SpinneyError
from spinney.games import Game, Options, State
from spinney.kernel import PLAYERS, next32, seeded
from spinney.limits import die_with_parent, end_family, limit_memory

PROTOCOL = 1
START = 30.0
"""Seconds until a program must be ready."""
FAREWELL = 0.5
"""Seconds that a program has to end when its input is closed."""
NUMBER = re.compile(r"-?[0-9]{1,9}")
GRACE = 1.0
"""Seconds beyond the limit that a program is waited for."""
LONGEST = 10_000
"""Bytes of a line that is read."""
MOST_LINES = 1000
"""Lines, comments most of them, that a program may write before it answers."""
KEPT = 300
"""Bytes of its error output that are told."""
INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT", "COMSPEC")
"""Variables of the environment that a program gets; others may be secrets."""


class CommandOptions(Seed):
    """The options of the agent `command`."""

    run: str = Field(description="the command line of the program, with its arguments")
    seconds: float = Field(1.0, gt=0, le=3600, description="the time limit of a decision")
    memory: int = Field(2048, ge=16, le=2**20, description="MiB that the program may ask for; only Linux can bound it")


class CommandAgent(Agent):
    """A program that gets positions and legal actions on its standard input, and answers on its standard output. It
    ends with the agent."""

    options: CommandOptions

    def __init__(self, game: Game, name: str, options: Options) -> None:
        super().__init__(game, name, options)
        self._program = program = Program(self.options.run, self.options.memory)
        weakref.finalize(self, program.end)
        seed = int(next32(seeded(self.options.seed, PLAYERS)))
        program.tell(f"spinney {PROTOCOL}", f"game {game!r}", f"players {game.players}", f"seed {seed}",
                     f"seconds {self.options.seconds:g}", "start")  # fmt: skip
        program.hear(("ready",), START)

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        clock.restrict(self.options.seconds)
        legal, program = view.legal(player), self._program
        lines = [f"player {player}", f"position {view.to_text()}"]
        lines += [f"legal {action} {view.name(action)}" for action in legal]
        program.tell(*lines, f"decide {max(0.0, clock.limit - clock.elapsed):.3f}")
        word, answer = program.hear(("action", "name"), clock.limit + GRACE, clock)
        if word == "name":
            action = view.parse(answer, player)
        elif NUMBER.fullmatch(answer) and int(answer) in legal:
            action = int(answer)
        else:
            raise IllegalAction(f"{program.name}: action {answer[:40]!r} is not the number of a legal action")
        return Decision(player, action, view.name(action), clock.finish())


class Program:
    """A running program, lines to it and lines from it."""

    def __init__(self, command: str, memory: int) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise SpinneyError(f"cannot read the command line {command!r}: {str(error).lower()}") from None
        if not words:
            raise SpinneyError("the agent command needs a program: command(run='./mybot')")
        self.name = os.path.basename(words[0])
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=inherited,
                preexec_fn=die_with_parent if hasattr(os, "fork") else None,  # noqa: PLW1509  # a system call, no locks
            )  # fmt: skip
        except OSError as error:
            raise SpinneyError(f"cannot start {words[0]}: {error.strerror}") from None
        with suppress(ProcessLookupError):  # it may have ended already
            limit_memory(memory, self._process.pid)
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_LINES)
        self._complaints, self._ended = b"", False
        for work in (self._read, self._read_complaints):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, *lines: str) -> None:
        """Send lines. A program that does not read them is ended."""
        data = "".join(f"{line}\n" for line in lines).encode()
        writing = threading.Thread(target=self._write, args=(data,), daemon=True)
        writing.start()
        writing.join(START)
        if writing.is_alive():
            self.end(at_once=True)
            raise BadMessage(f"{self.name} did not read what it was told within {START:g} s")
        if self._ended or self._process.poll() is not None:
            raise BadMessage(self._gone())

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def hear(self, words: Sequence[str], seconds: float, clock: Clock | None = None) -> tuple[str, str]:
        """The next line, which must begin with one of some words: the word, and what follows it. Lines that begin with
        # are comments."""
        until = time.monotonic() + seconds
        wanted = " or ".join(f"'{word}'" for word in words)
        for _ in range(MOST_LINES):
            line = self._next(until, seconds, clock)
            if not line.startswith("#"):
                found, _, rest = line.partition(" ")
                if found not in words:
                    self.end(at_once=True)
                    raise BadMessage(f"{self.name} wrote {line[:80]!r}; a line that begins with {wanted} is needed")
                return found, rest.strip()
        self.end(at_once=True)
        raise BadMessage(f"{self.name} wrote {MOST_LINES:,} comments and no line that begins with {wanted}")

    def _next(self, until: float, seconds: float, clock: Clock | None) -> str:
        while True:
            try:
                line = self._lines.get(timeout=0.05)
            except queue.Empty:
                if time.monotonic() > until or (clock is not None and clock.stop.is_set()):
                    self.end(at_once=True)
                    raise BadMessage(f"{self.name} did not answer within {seconds:.1f} s") from None
                continue
            if not line:
                raise BadMessage(self._gone())
            if len(line) >= LONGEST:
                self.end(at_once=True)
                raise BadMessage(f"{self.name} wrote a line of more than {LONGEST:,} bytes")
            return line.decode("utf-8", "replace").strip()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream, suppress(OSError, ValueError):
            while line := stream.readline(LONGEST):
                self._keep(line)
        self._keep(b"")

    def _keep(self, line: bytes) -> None:
        while not self._ended:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.2)
                return

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream, suppress(OSError, ValueError):
            while found := stream.readline(KEPT):
                self._complaints = (self._complaints + found)[-KEPT:]

    def _gone(self) -> str:
        """That the program has ended, and its last words."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        time.sleep(0.05)  # its last words are being read
        code, words = self._process.returncode, " ".join(self._complaints.decode("utf-8", "replace").split())
        self.end(at_once=True)
        return f"{self.name} has ended with code {code}" + (f": {words}" if words else "")

    def end(self, *, at_once: bool = False) -> None:
        """Close the program's input, and end it and what it has started; unless at once, it has a moment to end by
        itself. Its other streams are closed by the threads that read them."""
        self._ended = True
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        if not at_once:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL)
        end_family(self._process.pid)
        self._process.wait()
