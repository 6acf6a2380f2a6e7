"""The command `spinney`, also as `python -m spinney`: handles Ctrl-C and runs the command line."""

import _thread
import os
import signal
import sys
import threading
from types import FrameType

interrupted = threading.Event()
"""Whether Ctrl-C was pressed."""


def main() -> None:
    """Import the command line and run it."""
    signal.signal(signal.SIGINT, _exit)
    sys.unraisablehook = _unraisable
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's threads for matrices: unused here, and slow to start
    from spinney.cli import main as run

    signal.signal(signal.SIGINT, _interrupt)
    try:
        run()
    except SystemExit as ended:
        background = sys.modules.get("spinney.agents.background")
        if background is not None and background.is_busy():  # no thread may compile while Python shuts down
            os._exit(ended.code if isinstance(ended.code, int) else 0)
        raise
    finally:
        signal.signal(signal.SIGINT, _exit)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Ctrl-C while a command runs."""
    interrupted.set()
    signal.default_int_handler(number, frame)


def _exit(_signal: int, _frame: FrameType | None) -> None:
    """Ctrl-C during the imports, or after the command has finished."""
    os._exit(130)


def _unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Raise a KeyboardInterrupt again that Python has swallowed inside a destructor. The compiler has many destructors.
    After an interrupt, hide other errors of destructors: they come from objects that were constructed only in part."""
    if unraisable.exc_type is KeyboardInterrupt:
        again = threading.Timer(0.01, _send_interrupt)
        again.daemon = True
        again.start()
    elif not interrupted.is_set():
        sys.__unraisablehook__(unraisable)


def _send_interrupt() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # also wakes a blocking call
    else:  # Windows
        _thread.interrupt_main()


if __name__ == "__main__":
    main()
