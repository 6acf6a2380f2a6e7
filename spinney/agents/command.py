"""The agent `command`: another program, in any language, that is asked by lines of text (docs/agent-protocol.md)."""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import threading
import time
import weakref
from contextlib import suppress

from pydantic import Field

from spinney.agents.agent import Agent, Seed
from spinney.agents.decision import Decision
from spinney.clock import Clock
from spinney.errors import BadMessage, IllegalAction, SpinneyError
from spinney.games import Game, Options, State
from spinney.kernel import PLAYERS, next32, seeded
from spinney.limits import limit_memory

PROTOCOL = 1
START = 30.0
"""Seconds until a program must be ready."""
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
        self._program: Program | None = None
        self._player = -1

    def _decide(self, view: State, player: int, clock: Clock) -> Decision:
        clock.restrict(self.options.seconds)
        if self._program is None or player != self._player:
            self._start(player)
        assert self._program is not None
        legal = view.legal(player)
        lines = [f"position {view.to_text()}", *(f"legal {action} {view.name(action)}" for action in legal)]
        self._program.tell(*lines, f"decide {max(0.0, clock.limit - clock.elapsed):.3f}")
        answer = self._program.hear("action", clock.limit + GRACE, clock)
        try:
            action = (
                int(answer) if answer.lstrip("-").isdigit() and int(answer) in legal else view.parse(answer, player)
            )
        except IllegalAction as error:
            raise IllegalAction(f"{self._program.name}: {error}") from None
        return Decision(player, action, view.name(action), clock.finish())

    def _start(self, player: int) -> None:
        """Start the program for a seat."""
        options, game = self.options, self.game
        self._program = program = Program(options.run, options.memory)
        weakref.finalize(self, program.end)
        self._player = player
        seed = int(next32(seeded(options.seed, PLAYERS + player)))
        program.tell(f"spinney {PROTOCOL}", f"game {game!r}", f"players {game.players}", f"player {player}",
                     f"seed {seed}", f"seconds {options.seconds:g}", "start")  # fmt: skip
        program.hear("ready", START)


class Program:
    """A running program, lines to it and lines from it."""

    def __init__(self, command: str, memory: int) -> None:
        words = shlex.split(command)
        if not words:
            raise SpinneyError("the agent command needs a program: command(run='./mybot')")
        self.name = os.path.basename(words[0])
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=inherited
            )
        except OSError as error:
            raise SpinneyError(f"cannot start {words[0]}: {error.strerror}") from None
        with suppress(ProcessLookupError):  # it may have ended already
            limit_memory(memory, self._process.pid)
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_LINES)
        self._complaints = b""
        for work in (self._read, self._read_complaints):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, *lines: str) -> None:
        """Send lines."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError:
            raise BadMessage(self._gone()) from None

    def hear(self, word: str, seconds: float, clock: Clock | None = None) -> str:
        """What follows a word in the next line that begins with it; lines that begin with # are comments."""
        until = time.monotonic() + seconds
        for _ in range(MOST_LINES):
            line = self._next(until, seconds, clock)
            if not line.startswith("#"):
                found, _, rest = line.partition(" ")
                if found != word:
                    self.end()
                    raise BadMessage(f"{self.name} wrote {line[:80]!r}; a line that begins with '{word}' is needed")
                return rest.strip()
        self.end()
        raise BadMessage(f"{self.name} wrote {MOST_LINES:,} comments and no line that begins with '{word}'")

    def _next(self, until: float, seconds: float, clock: Clock | None) -> str:
        while True:
            try:
                line = self._lines.get(timeout=0.05)
            except queue.Empty:
                if time.monotonic() > until or (clock is not None and clock.stop.is_set()):
                    self.end()
                    raise BadMessage(f"{self.name} did not answer within {seconds:.1f} s") from None
                continue
            if not line:
                raise BadMessage(self._gone())
            if len(line) >= LONGEST:
                self.end()
                raise BadMessage(f"{self.name} wrote a line of more than {LONGEST:,} bytes")
            return line.decode("utf-8", "replace").strip()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream, suppress(OSError, ValueError):
            while line := stream.readline(LONGEST):
                self._lines.put(line)
        self._lines.put(b"")

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
        self.end()
        return f"{self.name} has ended with code {code}" + (f": {words}" if words else "")

    def end(self) -> None:
        """End the program, if it runs; its streams are closed by the threads that read them."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
