"""Records: both forms hold the same numbers, and say so when they cannot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spinney.kernel import Nested, Record, assign, bind, block, digest, f32, f64, i8, i16, rule


class Sample(Record):
    small = i8
    row = i16[3]
    grid = i8[2, 3]
    single = f32
    singles = f32[2]
    double = f64


def filled(numbers, reals):
    sample = Sample(small=numbers[0])
    sample.row[:] = numbers[1:4]
    for i in range(2):
        for j in range(3):
            sample.grid[i, j] = numbers[4 + 3 * i + j]
    sample.single, sample.double = reals[0], reals[0]
    sample.singles[0], sample.singles[1] = reals[1:]
    return sample


samples = st.builds(
    filled,
    st.lists(st.integers(-128, 127), min_size=10, max_size=10),
    st.lists(st.floats(-1e30, 1e30), min_size=3, max_size=3),
)


@given(samples)
def test_native_and_back_is_the_same(sample):
    assert Sample.plain(Sample.native(sample)) == sample


@given(samples, samples)
def test_assign_copies_and_does_not_share(one, two):
    assign(one, two)
    assert one == two
    one.grid[1, 2] += 1
    one.row[0] += 1
    assert (one.grid[1, 2], one.row[0]) == (two.grid[1, 2] + 1, two.row[0] + 1)


def test_f32_rounds_in_the_plain_form_too():
    sample = Sample(single=0.1)
    sample.singles[0] = 0.1
    assert sample.single == float(np.float32(0.1)) == sample.singles[0] != 0.1


def test_a_misspelt_field_is_an_error():
    with pytest.raises(AttributeError):
        Sample().smal = 1


def test_a_number_that_does_not_fit_is_an_error_at_the_border():
    with pytest.raises(OverflowError):
        Sample.native(Sample(small=200))


def test_grid_knows_its_bounds():
    with pytest.raises(IndexError):
        Sample().grid[0, 3]
    with pytest.raises(ValueError, match="too many values"):
        Sample().grid[0, 1, 2]


def test_fields_of_native_records_are_attributes():
    native = Sample.native(filled(range(10), [0.5, 0.25, 2.0]))
    assert (native.small, native.row[2], native.grid[1, 2], native.single) == (0, 3, 9, 0.5)


@pytest.mark.parametrize("plain", [True, False])
def test_blocks_hold_records(plain):
    nodes = block(Sample, 3, plain)
    nodes[1].small = 7
    assert len(nodes) == 3
    assert nodes[1].small == 7


# ---- records in records


class Outer(Record):
    before = i8
    inner = Nested(Sample)
    after = f64


outers = st.builds(Outer, before=st.integers(-128, 127), inner=samples, after=st.floats(-1e30, 1e30))


@given(outers)
def test_a_nested_record_is_part_of_both_forms(outer):
    native = Outer.native(outer)
    assert (native.inner.row.tolist(), native.inner.grid[1, 2]) == (outer.inner.row, outer.inner.grid[1, 2])
    assert Outer.plain(native) == outer
    native.inner.row[1] = 77
    assert Outer.plain(native).inner.row[1] == 77


@given(outers, outers)
def test_a_nested_record_is_copied_and_not_shared(one, two):
    copied = two.copy()
    assign(one, two)
    assert one == two == copied
    for other in (one, copied):
        other.inner.grid[0, 1] += 1
        assert other != two
        assert other.inner != two.inner


def test_a_nested_record_has_fields_of_its_own():
    first, second = Outer(), Outer()
    first.inner.small = 5
    assert second.inner == Sample() != first.inner
    with pytest.raises(AttributeError):
        first.inner.smal = 1
    with pytest.raises(OverflowError):
        Outer.native(Outer(inner=Sample(small=200)))


@rule
def shift(inner, at):
    """A rule that gets the nested record alone."""
    inner.grid[1, at] += inner.row[at] + inner.small
    return inner.grid[1, at]


def make_nested(shift):
    def run(outer, spare, sample):
        inner = outer.inner
        total = 0
        for i in range(3):
            inner.row[i] = 10 * i + outer.before
            total += shift(inner, i)
        inner.singles[1] = total / 3
        outer.after += inner.singles[1]
        assign(spare, outer)
        spare.inner.small += 1
        assign(sample, spare.inner)
        return total

    return run


def test_compiled_code_reads_and_writes_nested_records():
    plain = Outer(before=2, after=0.5), Outer(), Sample()
    native = Outer.native(plain[0]), Outer.native(), Sample.native()
    assert bind(make_nested, "nested", plain=True, shift=shift)(*plain) == 36
    assert bind(make_nested, "nested", shift=shift)(*native) == 36
    for one, other in zip(plain, native, strict=True):
        assert type(one).plain(other) == one
    outer, spare, sample = plain
    assert (outer.inner.grid.cells[3:], sample.small) == ([2, 12, 22], 1)
    assert spare.inner == sample != outer.inner


def make_digest():
    def run(record):
        return digest(record)

    return run


@pytest.mark.parametrize("plain", [True, False])
def test_records_with_the_same_numbers_have_the_same_digest(plain):
    hashed, digests = bind(make_digest, "digest", plain=plain), []
    for row in range(3):
        for small in range(50):
            record = Outer(after=0.5)
            record.inner.small, record.inner.row[row] = small, 7
            copied = record.copy()
            found = [hashed(one if plain else Outer.native(one)) for one in (record, copied)]
            assert found[0] == found[1] >= 0
            digests.append(found[0])
    assert len(set(digests)) == 150
