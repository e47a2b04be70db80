# Usage: run_as_printed.py MODULE PIPELINE. Runs a pipeline by its name, and again
# as it is printed, which it prints. Exits 1 unless both give the same.
import re
import subprocess
import sys

module, name = sys.argv[1:]


def run(*options):
    return subprocess.run(
        ["delta-opt", module, *options], check=True, capture_output=True, text=True
    )


named = run(f"--{name}", "--dump-pass-pipeline")
text = re.search(r"builtin.module\(.*\)", named.stderr, re.S)[0]
print(text)
printed = run(f"--pass-pipeline={text}")
if printed.stdout != named.stdout:
    sys.exit(f"expected what --{name} gives, got\n{printed.stdout}")
