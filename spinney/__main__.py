"""The command `spinney`, also as `python -m spinney`: what a process needs beside the commands themselves."""

import _thread
import os
import signal
import sys
import threading
from types import FrameType

stopped = threading.Event()
"""Whether Ctrl-C has come."""


def main() -> None:
    """Load the commands and run one."""
    signal.signal(signal.SIGINT, _leave)
    sys.unraisablehook = _not_lost
    from spinney.cli import main as run

    signal.signal(signal.SIGINT, _stop)
    try:
        run()
    finally:
        signal.signal(signal.SIGINT, _leave)


def _stop(number: int, frame: FrameType | None) -> None:
    """Ctrl-C while a command runs."""
    stopped.set()
    signal.default_int_handler(number, frame)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """Ctrl-C while the commands are loaded, or after all is done."""
    os._exit(130)


def _not_lost(unraisable: "sys.UnraisableHookArgs") -> None:
    """Ctrl-C in a destructor, of which a compiler has many, ends nothing but that: so it is made to come once more.
    In a constructor it leaves half an object, and what the destructor says of that is of no use to anybody."""
    if unraisable.exc_type is KeyboardInterrupt:
        again = threading.Timer(0.01, _interrupt)
        again.daemon = True
        again.start()
    elif not stopped.is_set():
        sys.__unraisablehook__(unraisable)


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # it may be waiting for something
    else:  # Windows
        _thread.interrupt_main()


if __name__ == "__main__":
    main()
