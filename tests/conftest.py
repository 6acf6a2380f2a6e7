"""Settings for all tests."""

import os
from pathlib import Path

import hypothesis

hypothesis.settings.register_profile("spinney", deadline=None)  # a first call may compile
hypothesis.settings.load_profile("spinney")

os.chdir(Path(__file__).parents[1])  # tests name examples/ and files relative to the root
