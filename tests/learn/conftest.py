"""Without torch there is nothing to test here."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") and find_spec("onnxruntime") else ["test_*.py"]
