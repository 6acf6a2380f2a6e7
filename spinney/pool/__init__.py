"""Pools run jobs in processes of this machine or on a Ray cluster.

A job is an argument that can be pickled. It is run by a function that other processes can import. The function should
be deterministic, so that results do not depend on where a job runs.
"""

from __future__ import annotations

from spinney.pool.local import Local
from spinney.pool.pool import Pool, WorkerDied

__all__ = ["Local", "Pool", "WorkerDied", "open_pool"]


def open_pool(workers: int | None = None, ray: str | None = None) -> Pool:
    """A pool of local processes, by default one per core; with the address of a Ray cluster, a pool on the cluster."""
    if ray is None:
        return Local(workers)
    from spinney.pool.on_ray import OnRay  # on demand: Ray is optional and slow to import

    return OnRay(ray, workers)
