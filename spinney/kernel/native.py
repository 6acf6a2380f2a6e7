"""Compilation of rules. Numba is used in this file only.

Numba's own cache does not notice an edited function in another file. Compiled functions are therefore cached under a
fingerprint of everything they use (see fingerprint.py). Compiling and caching use private classes of Numba, so its
version is pinned.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import itertools
import os
import pickle
import re
import secrets
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba._dynfunc import make_function
from numba.core import cgutils, compiler
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, DefaultPassBuilder
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import NopythonRewrites
from numba.core.untyped_passes import FindLiterallyCalls, LiteralUnroll, WithLifting
from numba.extending import intrinsic, models, overload, register_model
from numba.np import arrayobj, linalg

from spinney.kernel.atomic import add_at, compare_and_swap, fetch_add, load, store
from spinney.kernel.cache import read_code, write_code
from spinney.kernel.progress import compiling
from spinney.kernel.record import assign, digest
from spinney.kernel.rule import RULES

FLAGS = (
    "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "USING_SVML", "BOUNDSCHECK", "DEBUGINFO_DEFAULT",
    "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS",
)  # fmt: skip
"""Settings of Numba, by environment variables, that change the code."""
THIS_FILE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
"""How rules are compiled."""

NOT_FOR_RULES = (WithLifting, LiteralUnroll, FindLiterallyCalls, NopythonRewrites)
"""Passes of the compiler for what rules do not have: `with`, Numba's own functions, expressions of whole arrays."""

_compiled_rules: dict[Callable[..., Any], Any] = {}
"""The rules that Numba knows, and what compiles them."""


class InnerLibrary(JITCodeLibrary):
    """The LLVM code of a function that only compiled code calls. It is simplified, linked into its callers, and
    optimised there: Numba would optimise it fully and translate it to machine code, and again in every caller."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class InnerCompiler(Compiler):
    """Compiles a function that only compiled code calls: without wrappers for Python and C, and without an address."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, locals: Any
    ) -> None:
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)
        self.state.targetctx.get_executable = _no_executable

    def compile_extra(self, func: Any) -> Any:
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


def _no_executable(library: Any, fndesc: Any, env: Any) -> Any:
    """Stands for a compiled function in Numba's tables."""
    return make_function(fndesc.lookup_module(), fndesc.qualname, "compiled", 0, env, (library,))


class RuleCompiler(InnerCompiler):
    """Compiles a rule. Its arguments do not overlap, so that LLVM keeps fields in registers."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, locals: Any
    ) -> None:
        flags.noalias = True
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def define_pipelines(self) -> Any:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [it for it in passes.passes if it[0] not in NOT_FOR_RULES]
        passes.finalize()
        return [passes]


class EntryCompiler(Compiler):
    """Compiles a function that Python calls, with all rules that it uses."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, locals: Any
    ) -> None:
        flags.noalias = flags.no_cfunc_wrapper = True
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def compile_extra(self, func: Any) -> Any:
        collects = gc.isenabled()
        gc.disable()  # the compiler makes millions of objects, and few that the collector frees
        compiler.compile_extra = _compile_inner
        try:
            result = super().compile_extra(func)
        finally:
            compiler.compile_extra = _compile
            if collects:
                gc.enable()
        for env in result._find_referenced_environments():  # those of rules
            result.codegen.set_env(env.env_name, env)
        return result


_compile = compiler.compile_extra


def _compile_inner(*args: Any, pipeline_class: Any = Compiler, **more: Any) -> Any:
    """Functions of Numba that a rule calls, such as `max`, are compiled as rules are."""
    return _compile(*args, pipeline_class=InnerCompiler if pipeline_class is Compiler else pipeline_class, **more)


_wrapped_index = arrayobj.fix_integer_index


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """The index of an array. In rules a negative one does not count from the end: that costs an instruction at every
    index, in the chain from one node of a tree to the next. `boundscheck` finds negative indices, too."""
    flags = ConfigStack.top_or_none()
    if flags is not None and flags.noalias:  # only functions compiled here have this flag
        return context.cast(builder, index, kind, types.intp)
    return _wrapped_index(context, builder, kind, index, size)


arrayobj.fix_integer_index = _index

OPTIONS = {
    "nogil": True,
    "error_model": "python",
    "boundscheck": bool(os.environ.get("SPINNEY_BOUNDSCHECK")),
    "_nrt": False,  # no reference counting: rules allocate nothing
}


def host() -> str:
    """The version of Numba and the CPU model that code is compiled for."""
    return f"Numba {numba.__version__}, {llvm.get_host_cpu_name()}"


@intrinsic
def _memcpy(_context: Any, target: Any, source: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], context.get_constant(types.intp, target.size), 1)
        return context.get_dummy_value()

    if isinstance(target, types.Record) and target == source:
        return types.void(target, source), generate
    return None


@overload(assign, jit_options={**OPTIONS, "pipeline_class": RuleCompiler})
def _assign(target, source):  # Numba requires the same parameter names in both
    return lambda target, source: _memcpy(target, source)  # noqa: PLW0108


@intrinsic
def _hash_bytes(_context: Any, record: Any) -> Any:
    """A multiplicative hash of the words of a record, the last of them shorter."""

    def generate(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, byte = ir.IntType(64), ir.IntType(8)
        memory = builder.bitcast(args[0], byte.as_pointer())
        total = cgutils.alloca_once_value(builder, word(0))

        def add(start: Any, kind: Any) -> None:
            part = builder.load(builder.bitcast(builder.gep(memory, [start]), kind.as_pointer()), align=1)
            mixed = builder.xor(builder.load(total), part if kind is word else builder.zext(part, word))
            mixed = builder.mul(mixed, word(0x1E3779B97F4A7C15))
            builder.store(builder.xor(mixed, builder.lshr(mixed, word(32))), total)

        size = signature.args[0].size
        with cgutils.for_range(builder, word(size // 8)) as loop:
            add(builder.mul(loop.index, word(8)), word)
        for start in range(size // 8 * 8, size):
            add(word(start), byte)
        return builder.and_(builder.load(total), word(0x7FFFFFFFFFFFFFFF))

    return (types.int64(record), generate) if isinstance(record, types.Record) else None


@overload(digest, jit_options={**OPTIONS, "pipeline_class": RuleCompiler})
def _digest(record):
    return lambda record: _hash_bytes(record)  # noqa: PLW0108


ORDER = "seq_cst"
"""The memory order of all atomic operations."""


def _field_type(record: Any, field: Any) -> Any:
    """The type of a field that a constant names; none if there is no such field."""
    known = isinstance(record, types.Record) and isinstance(field, types.StringLiteral)
    return record.typeof(field.literal_value) if known and field.literal_value in record.fields else None


def _address(context: Any, builder: Any, signature: Any, args: Any, kind: Any) -> Any:
    """The address of a field, or of the first number of an array."""
    record, field = signature.args[:2]
    return cgutils.get_record_member(builder, args[0], record.offset(field.literal_value), context.get_data_type(kind))


@intrinsic(prefer_literal=True)
def _load(_context: Any, record: Any, field: Any) -> Any:
    kind = _field_type(record, field)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature, args, kind)
        return builder.load_atomic(address, ORDER, align=kind.bitwidth // 8)

    return (kind(record, field), generate) if isinstance(kind, types.Number) else None


@intrinsic(prefer_literal=True)
def _store(_context: Any, record: Any, field: Any, value: Any) -> Any:
    kind = _field_type(record, field)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature, args, kind)
        builder.store_atomic(args[2], address, ORDER, align=kind.bitwidth // 8)
        return context.get_dummy_value()

    return (types.void(record, field, kind), generate) if isinstance(kind, types.Number) else None


@intrinsic(prefer_literal=True)
def _fetch_add(_context: Any, record: Any, field: Any, amount: Any) -> Any:
    kind = _field_type(record, field)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _address(context, builder, signature, args, kind), args[2], ORDER)

    return (kind(record, field, kind), generate) if isinstance(kind, types.Integer) else None


@intrinsic(prefer_literal=True)
def _add_at(_context: Any, record: Any, field: Any, i: Any, amount: Any) -> Any:
    kind = _field_type(record, field)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = builder.gep(_address(context, builder, signature, args, types.float64), [args[2]])
        builder.atomic_rmw("fadd", address, args[3], ORDER)
        return context.get_dummy_value()

    if isinstance(kind, types.NestedArray) and kind.dtype == types.float64:
        return types.void(record, field, types.int64, types.float64), generate
    return None


@intrinsic(prefer_literal=True)
def _compare_and_swap(_context: Any, record: Any, field: Any, expected: Any, new: Any) -> Any:
    kind = _field_type(record, field)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.cmpxchg(_address(context, builder, signature, args, kind), args[2], args[3], ORDER)
        return builder.extract_value(found, 1)

    return (types.boolean(record, field, kind, kind), generate) if isinstance(kind, types.Integer) else None


ATOMIC = {"jit_options": {**OPTIONS, "pipeline_class": RuleCompiler}, "prefer_literal": True}


@overload(load, **ATOMIC)
def _atomic_load(record, field):
    return lambda record, field: _load(record, field)  # noqa: PLW0108


@overload(store, **ATOMIC)
def _atomic_store(record, field, value):
    return lambda record, field, value: _store(record, field, value)  # noqa: PLW0108


@overload(fetch_add, **ATOMIC)
def _atomic_fetch_add(record, field, amount):
    return lambda record, field, amount: _fetch_add(record, field, amount)  # noqa: PLW0108


@overload(add_at, **ATOMIC)
def _atomic_add_at(record, field, i, amount):
    return lambda record, field, i, amount: _add_at(record, field, i, amount)  # noqa: PLW0108


@overload(compare_and_swap, **ATOMIC)
def _atomic_compare_and_swap(record, field, expected, new):
    return lambda record, field, expected, new: _compare_and_swap(record, field, expected, new)  # noqa: PLW0108


class RuleType(types.Dispatcher):
    """The type of a rule in compiled code. All integers are 64 bits wide when they are passed, so that a rule is
    compiled once, and not for every constant and every width."""

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher)
        self.signatures: dict[Any, Any] = {}
        """What is compiled: Numba asks for every call several times."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:  # noqa: ARG002
        key = tuple(map(_widest, args)), tuple((name, _widest(kind)) for name, kind in kws.items())
        if key not in self.signatures:
            pysig, folded = self.dispatcher._compiler.fold_argument_types(key[0], dict(key[1]))
            self.dispatcher.compile(tuple(folded))
            self.signatures[key] = self.dispatcher.overloads[tuple(folded)].signature.replace(pysig=pysig)
        return self.signatures[key]


register_model(RuleType)(models.OpaqueModel)


def _widest(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def compile_entries(made: Any, label: str, stamp: str) -> Any:
    """Compile the function or functions that a closure factory returned, with the cache on disk."""
    entries = []
    for function in made if isinstance(made, tuple) else (made,):
        entry = numba.njit(**OPTIONS, pipeline_class=EntryCompiler)(function)
        entry._cache = DiskCache(label, function.__name__, stamp)
        _prepare(entry, label, function.__name__)
        entries.append(entry)
    return tuple(entries) if isinstance(made, tuple) else entries[0]


@cache
def _import_registries() -> None:
    """Import a part of Numba without SciPy's linear algebra, which it imports to see whether it is there."""
    checked, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = checked


def _prepare(entry: Any, label: str, function: str) -> None:
    """Before an entry is compiled, and not read from the cache: tell Numba all rules, and show progress."""
    compile_now = entry._compiler.compile

    def compile_entry(args: Any, return_type: Any) -> Any:
        _import_registries()
        for rule, inline in list(RULES.items()):
            if rule not in _compiled_rules:
                compiled = numba.njit(**OPTIONS, pipeline_class=RuleCompiler, forceinline=inline)(rule)
                _compiled_rules[rule] = compiled
                cpu_target.typing_context.insert_global(rule, RuleType(compiled))
        with compiling(label, function):
            return compile_now(args, return_type)

    entry._compiler.compile = compile_entry


def _randomise_symbols() -> None:
    """Start Numba's function counter at a random number. The counter is part of the symbol names in object code.

    Numba counts from one in every process, and also names record types by a counter. Cache files of two processes
    could otherwise have different code under the same symbol, and a process that loads both would run the first.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_randomise_symbols()


class DiskCache(NullCache):
    """One file per function, fingerprint and signature. A file that cannot be used is a cache miss."""

    def __init__(self, label: str, function: str, stamp: str) -> None:
        self.stamp = stamp
        self.prefix = re.sub(r"[^\w.]+", "-", f"{label}.{function}") + "-"

    def _name(self, signature: Any, codegen: Any) -> str:
        """The name of a file: a hash of all that decides about the code, and of nothing that another machine with
        the same processor has otherwise, such as paths."""
        flags = [(flag, str(getattr(numba.config, flag, None))) for flag in FLAGS]
        versions = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag, sys.version_info[:3])
        key = (self.stamp, str(signature), codegen.magic_tuple(), versions, OPTIONS, flags, THIS_FILE)
        return f"{self.prefix}{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

    def load_overload(self, signature: Any, target: Any) -> Any:
        with contextlib.suppress(Exception):
            content = read_code(self._name(signature, target.codegen()))
            if content is not None:
                rtsys.initialize(target)  # not `target.refresh()`, which imports what only the compiler needs
                return CompileResult._rebuild(target, *pickle.loads(content))
        _randomise_symbols()  # again, because a forked process inherits the counter
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        with contextlib.suppress(Exception):
            write_code(self._name(signature, result.codegen), dumps(result._reduce()), self.prefix)
