# ===- count.py - The closing line of a test run ---------------------------===#
#
# Part of the Delta-Net project.
#
# Usage: count.py REPORT.json..., reports that lit wrote with --output. Prints
# one line for all of them; exits 1 if a test failed or none passed.
#
# ===-----------------------------------------------------------------------===#
import collections
import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}

count = collections.Counter()
for path in sys.argv[1:]:
    with open(path) as report:
        for test in json.load(report)["tests"]:
            # A code that is not known here counts as a failure.
            code = test["code"]
            outcome = (
                "passed"
                if code in PASSED
                else "skipped" if code in SKIPPED else "failed"
            )
            count[outcome] += 1

line = f"{count['passed']} passed, {count['failed']} failed"
if count["skipped"]:
    line += f", {count['skipped']} skipped"
print(line)
sys.exit(count["failed"] > 0 or count["passed"] == 0)
