"""A pool on a Ray cluster of one or more machines."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

from spinney import __version__
from spinney.errors import MissingPackage, SpinneyError
from spinney.pool.address import AUTO, LOCAL, check_address, is_loopback
from spinney.pool.pool import Pool, WorkerDied

RETRIES = 5
"""How often a job is restarted after its worker or machine was lost."""
OBJECT_STORE = 200 * 2**20
"""Bytes for results in transit, in a new local cluster. Ray's default is a third of the memory."""

LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""An environment variable; if it is 0, Ray binds to the loopback address."""

# Environment variables that Ray reads when it is imported.
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # a warning about graphics cards
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # no tracebacks after the first error, which is raised
}


class OnRay(Pool):
    """Jobs are Ray tasks with one CPU each. A job whose worker is lost is restarted.

    If the program has called `ray.init` itself, its connection is used and the address is ignored.
    """

    def __init__(self, address: str = LOCAL, workers: int | None = None) -> None:
        self.address, self.workers = address, workers
        self._ray = _import_ray()
        self._max_pending: int | None = None
        self._owns_connection = False
        if address != LOCAL:  # report a wrong address at once
            self._max_pending = self._connect()

    @property
    def max_pending(self) -> int:
        if self._max_pending is None:
            self._max_pending = self._connect()
        return self._max_pending

    def _connect(self) -> int:
        """Connect to the cluster, or start it; returns the value of max_pending."""
        self._owns_connection = not self._ray.is_initialized()
        if self._owns_connection:
            check_address(self.address)
            self._init()
        self._work = self._ray.remote(num_cpus=1, max_retries=RETRIES)(_work)
        if self.workers is not None and not (self._owns_connection and self.address == LOCAL):
            return self.workers
        return 2 * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _init(self) -> None:
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if self.address == LOCAL:
            cpus = self.workers or os.cpu_count() or 1
            settings |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": OBJECT_STORE}
        try:
            with self._loopback() if is_loopback(self.address) else contextlib.nullcontext():
                self._ray.init(address=self.address, **settings)
        except (OSError, RuntimeError, ValueError, ImportError, self._ray.exceptions.RayError) as error:
            special = {AUTO: "a Ray cluster on this machine", LOCAL: "a Ray cluster of its own"}
            cluster = special.get(self.address, self.address)
            raise SpinneyError(f"cannot connect to {cluster}: {_first_line(error)}") from None

    @contextlib.contextmanager
    def _loopback(self) -> Iterator[None]:
        """Let Ray bind to the loopback address. On Linux it otherwise listens on the network, where anyone could run
        code. Ray reads the environment variable when it is imported, and its subprocesses read it again."""
        from ray._private import ray_constants as constants

        before, variable = constants.ENABLE_RAY_CLUSTER, os.environ.get(LOOPBACK)
        constants.ENABLE_RAY_CLUSTER, os.environ[LOOPBACK] = False, "0"
        try:
            yield
        finally:
            constants.ENABLE_RAY_CLUSTER = before
            if variable is None:
                del os.environ[LOOPBACK]
            else:
                os.environ[LOOPBACK] = variable

    def close(self) -> None:
        if self._owns_connection:
            self._ray.shutdown()
        self._max_pending, self._owns_connection = None, False

    def _submit(self, function: Callable[[Any], Any], job: Any) -> Any:
        return self._work.remote(__version__, os.getcwd(), function, job)

    def _finished(self, running: set[Any]) -> set[Any]:
        ready, _ = self._ray.wait(list(running), num_returns=1)
        return set(ready)

    def _result(self, done: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(done)
        except errors.RayTaskError as error:
            if isinstance(error.cause, errors.RaySystemError) or "failed to import" in str(error.cause):
                raise SpinneyError(
                    f"a machine of the Ray cluster cannot run this ({_first_line(error.cause)}); "
                    f"Spinney {__version__} must be installed on all of them"
                ) from None
            raise error.cause from None  # the job's own exception
        except errors.RayError as error:
            problem = f"a Ray worker was lost {RETRIES + 1} times over the same job"
            raise WorkerDied(f"{problem} ({_first_line(error)})") from None

    def _cancel(self, running: set[Any]) -> None:
        """Disconnect, which ends all tasks of this program. Cancelling with force would kill the workers, but if one of
        them has just finished, Ray 2.60 also ends this process."""
        if self._owns_connection:
            self.close()
            return
        for ticket in running:
            with contextlib.suppress(Exception):  # the connection may be lost
                self._ray.cancel(ticket)


def _work(version: str, folder: str, function: Callable[[Any], Any], job: Any) -> Any:
    """Run a job in a Ray worker."""
    if version != __version__:
        raise SpinneyError(f"a machine of the Ray cluster has Spinney {__version__}, but this machine has {version}")
    with contextlib.suppress(OSError):  # relative paths work if the machine has the same files
        os.chdir(folder)
    return function(job)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _import_ray() -> Any:
    """Import Ray, which is optional."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise MissingPackage.of("--ray", "Ray", "ray") from None
    return ray
