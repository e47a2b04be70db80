# ===- traffic.py - What a simulated kernel asked of memory -----------------===#
#
# Part of the Delta-Net project.
#
# Usage: traffic.py COUNTS.json [SUFFIX], as `delta-run --device=sim --counts` writes it.
# Prints for each kernel whose name ends so the executed instructions and for each kind
# of memory the requests of warps and their parts, sectors of 32 bytes or waves of
# shared memory, beside the fewest that as many bytes need.
#
# ===-----------------------------------------------------------------------===#
import collections
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
suffix = sys.argv[2] if len(sys.argv) > 2 else ""
for kernel in report["kernels"]:
    if not kernel["name"].endswith(suffix):
        continue
    sums = collections.defaultdict(collections.Counter)
    for access in kernel["accesses"]:
        for count in ("requests", "parts", "idealParts"):
            sums[access["space"]][count] += access[count]
    told = [f"{kernel['name']}: {kernel['instructions']} instructions"]
    for space, sum in sorted(sums.items()):
        # Parameters have no parts.
        if ideal := sum["idealParts"]:
            told.append(
                f"{space} {sum['requests']} requests, {sum['parts']} parts of {ideal},"
                f" {sum['parts'] / ideal:.2f}"
            )
    print("; ".join(told))
