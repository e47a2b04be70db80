"""Runs a command and fails unless it ends with the status given first."""
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"expected status {sys.argv[1]}, got {status}")
