"""Atomic operations: no update is lost between threads, plain and compiled; and what they do on one thread."""

from __future__ import annotations

import threading

import pytest

from spinney.kernel import Record, add_at, bind, compare_and_swap, f64, fetch_add, i8, i32, load, store

THREADS, TIMES = 4, {True: 2_000, False: 200_000}


class Shared(Record):
    before = i8  # fields beside those that are changed, which must not be
    lock = i8
    after = i8
    count = i32
    next = i32
    held = i32  # changed under the lock, without atomic operations
    total = f64[2]


def make_counting():
    def count(shared, n):
        for _ in range(n):
            fetch_add(shared, "count", 3)
            fetch_add(shared, "count", -2)
            add_at(shared, "total", 1, 0.5)
            while not compare_and_swap(shared, "lock", 0, 1):
                pass
            shared.held += 1
            store(shared, "lock", 0)

    return count


@pytest.mark.parametrize("plain", [True, False])
def test_no_update_is_lost(plain):
    shared = Shared(before=-1, after=-1, next=-1)
    shared = shared if plain else Shared.native(shared)
    count, n = bind(make_counting, "test/atomic", plain=plain), TIMES[plain]
    count(shared, 0)
    threads = [threading.Thread(target=count, args=(shared, n)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (int(shared.count), int(shared.held)) == (THREADS * n, THREADS * n)
    assert list(shared.total) == [0.0, THREADS * n / 2]
    assert (shared.before, shared.lock, shared.after, shared.next) == (-1, 0, -1, -1)


@pytest.mark.parametrize("plain", [True, False])
def test_what_they_return(plain):
    def make():
        def run(shared, n):
            first = fetch_add(shared, "count", n)
            swapped = compare_and_swap(shared, "lock", n, 2)
            again = compare_and_swap(shared, "lock", 0, -3)
            store(shared, "next", n * n)
            return first, swapped, again, load(shared, "lock"), load(shared, "next"), load(shared, "count")

        return run

    shared = Shared(count=-5)
    run = bind(make, "test/atomic_results", plain=plain)
    assert run(shared if plain else Shared.native(shared), 7) == (-5, False, True, -3, 49, 2)
