"""Settings for all tests."""

import os
import signal
from pathlib import Path

import hypothesis

hypothesis.settings.register_profile("spinney", deadline=None)  # a first call may compile
hypothesis.settings.load_profile("spinney")

os.chdir(Path(__file__).parents[1])  # tests name examples/ and files relative to the root

signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background of a script would ignore Ctrl-C
