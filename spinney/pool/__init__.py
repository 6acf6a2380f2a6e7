"""Where jobs run: in processes of this machine, or on a Ray cluster.

A job is an argument that can be pickled, and what runs it is a function that other processes can import. It should give
the same for the same job wherever it runs: then it does not matter where that was.
"""

from __future__ import annotations

from spinney.pool.local import Local
from spinney.pool.pool import Pool, WorkerDied

__all__ = ["Local", "Pool", "WorkerDied", "open_pool"]


def open_pool(workers: int | None = None, ray: str | None = None) -> Pool:
    """A pool of local processes, one per core unless told how many; or, with an address, one on a Ray cluster."""
    if ray is None:
        return Local(workers)
    from spinney.pool.on_ray import OnRay  # not before: Ray is slow to import, and need not be installed

    return OnRay(ray, workers)
