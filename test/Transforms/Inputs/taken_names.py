"""Prints one function for every dn_NAME that C headers declare, with the error
that its name deserves as a kernel's.

usage: taken_names.py HEADER...
"""

import re
import sys

names = {"query"}
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        code = re.sub(r"//.*", "", file.read())
    names |= set(re.findall(r"\bdn_([a-z0-9_]+)", code))
if len(names) < 20:
    sys.exit("expected at least 20 names")
for name in sorted(names):
    print(f"// expected-error@+1 {{{{leaves dn_{name} to the runtime}}}}")
    print(f"func.func @{name}() {{ return }}")
