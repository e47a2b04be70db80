"""exit-code.py [--terminal] CODE COMMAND...: runs a command, fails unless it
exits with CODE. --terminal gives it a terminal as standard output."""
import os
import pty
import subprocess
import sys

arguments = sys.argv[1:]
terminal = arguments[0] == "--terminal"
expected, command = int(arguments[terminal]), arguments[terminal + 1 :]
if terminal:
    primary, secondary = pty.openpty()
    code = subprocess.run(command, stdout=secondary).returncode
    os.close(secondary)
else:
    code = subprocess.run(command).returncode
if code != expected:
    sys.exit(f"expected exit code {expected}, got {code}")
