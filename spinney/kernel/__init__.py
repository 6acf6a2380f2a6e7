"""Records, random numbers, and compilation of code that also runs as plain Python. Independent of games."""

from spinney.kernel.atomic import add_at, compare_and_swap, fetch_add, load, store
from spinney.kernel.record import Nested, Record, assign, block, digest, f32, f64, i8, i16, i32, i64
from spinney.kernel.rng import Rng, below, next32, seed, seeded, uniform
from spinney.kernel.rule import bind, rule

__all__ = [
    "Nested", "Record", "Rng", "add_at", "assign", "below", "bind", "block", "compare_and_swap", "digest", "f32", "f64",
    "fetch_add", "i8", "i16", "i32", "i64", "load", "next32", "rule", "seed", "seeded", "store", "uniform",
]  # fmt: skip
