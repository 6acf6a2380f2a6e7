"""A Ray cluster: the same jobs on many machines."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

from spinney import __version__
from spinney.errors import MissingPackage, SpinneyError
from spinney.pool.address import AUTO, LOCAL, check_address, keeps_to_loopback
from spinney.pool.pool import Pool, WorkerDied

RETRIES = 5
"""How often a job is begun again whose worker or machine was lost, before that is an error."""
STORE = 200 * 2**20
"""Bytes for results in transit in a cluster that is started here. Ray would take a third of the memory."""

LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Where this is 0, Ray keeps to the loopback address, as on systems with firewalls that ask."""

# What Ray takes from the environment when it is imported.
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # a warning about graphics cards
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # the first error of a run is raised, others are not worth a traceback
}


class OnRay(Pool):
    """Tasks of a Ray cluster, one CPU each. A job whose worker is lost is begun again elsewhere.

    A program that has called `ray.init` itself keeps its connection, whatever the address.
    """

    def __init__(self, address: str = LOCAL, workers: int | None = None) -> None:
        self.address, self.workers = address, workers
        self._ray = _import_ray()
        self._room: int | None = None
        self._connected_here = False
        if address != LOCAL:  # that something is wrong there should be told at once
            self._room = self._connect()

    @property
    def room(self) -> int:
        if self._room is None:
            self._room = self._connect()
        return self._room

    def _connect(self) -> int:
        """Connect to the cluster, or start it; returns how many jobs it is given at once."""
        self._connected_here = not self._ray.is_initialized()
        if self._connected_here:
            check_address(self.address)
            self._init()
        self._work = self._ray.remote(num_cpus=1, max_retries=RETRIES)(_work)
        own = self._connected_here and self.address == LOCAL  # it has as many CPUs as there are to be workers
        if self.workers is not None and not own:
            return self.workers
        return 2 * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _init(self) -> None:
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if self.address == LOCAL:
            cpus = self.workers or os.cpu_count() or 1
            settings |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": STORE}
        try:
            with self._loopback() if keeps_to_loopback(self.address) else contextlib.nullcontext():
                self._ray.init(address=self.address, **settings)
        except (OSError, RuntimeError, ValueError, ImportError, self._ray.exceptions.RayError) as error:
            where = {AUTO: "a Ray cluster on this machine", LOCAL: "a Ray cluster of its own"}
            raise SpinneyError(
                f"cannot connect to {where.get(self.address, self.address)}: {_first_line(error)}"
            ) from None

    @contextlib.contextmanager
    def _loopback(self) -> Iterator[None]:
        """A cluster that is started here is for this machine alone, but on Linux Ray would listen to the whole network,
        where anybody could run code. It has looked at the variable when it was imported, and its parts do so again."""
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
        if self._connected_here:
            self._ray.shutdown()
        self._room, self._connected_here = None, False

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
            raise error.cause from None  # what the job raised, without Ray's wrapping
        except errors.RayError as error:
            raise WorkerDied(
                f"a Ray worker was lost {RETRIES + 1} times over the same job ({_first_line(error)})"
            ) from None

    def _end(self, running: set[Any]) -> None:
        """Without its connection, Ray ends what a program has begun. It could also be told to kill the workers, but if
        one of them has just finished, Ray 2.60 takes this process for broken and ends it."""
        if self._connected_here:
            self.close()
            return
        for ticket in running:
            with contextlib.suppress(Exception):  # the connection may be what failed
                self._ray.cancel(ticket)


def _work(version: str, folder: str, function: Callable[[Any], Any], job: Any) -> Any:
    """Run a job where Ray has put it."""
    if version != __version__:
        raise SpinneyError(f"a machine of the Ray cluster has Spinney {__version__}, and this one {version}")
    with contextlib.suppress(OSError):  # files are named as seen from here, and may be there as well
        os.chdir(folder)
    return function(job)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _import_ray() -> Any:
    """The library, which is slow to import and need not be installed."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise MissingPackage.of("--ray", "Ray", "ray") from None
    return ray
