"""Damaged files of every kind are refused in a line; `bench/fuzz_files.py` tries many more."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="the script bounds time and memory as POSIX does")
def test_a_small_fixed_set(tmp_path):
    done = subprocess.run(
        [sys.executable, "bench/fuzz_files.py", "--files", "25", "--json", "-"], capture_output=True, text=True
    )
    kinds = json.loads(done.stdout)
    assert {kind["kind"]: kind["faults"] for kind in kinds if kind["faults"]} == {}
    assert len(kinds) > 15
    assert all(kind.get("refused", 0) > 0 for kind in kinds)
    assert done.returncode == 0
