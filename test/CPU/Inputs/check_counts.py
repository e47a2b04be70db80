"""check_counts.py COUNTS.json TABLE.json N: instruction counts of N chunks and
value heads, from delta-run --counts, against the budgets of a table."""

import json
import sys

counts = json.load(open(sys.argv[1]))
table = json.load(open(sys.argv[2]))
number = int(sys.argv[3])
failed = False
for name, row in table.items():
    now = counts[name] / number
    if now > row["budget"] or (row.get("exact") and now != row["was"]):
        failed = True
        print(f"{name}: expected {row['was']}, at most {row['budget']}, got {now:.0f}")
    elif round(now) != row["was"]:
        print(f"{name}: was {row['was']}, is {now:.0f}")
sys.exit(failed)
