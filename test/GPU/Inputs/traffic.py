# ===- traffic.py - What a simulated kernel asked of memory -----------------===#
#
# Part of the Delta-Net project.
#
# Usage: traffic.py COUNTS.json, as `delta-run --device=sim --counts` writes it.
# Prints for each kernel the executed instructions and for each kind of memory the
# requests of warps and their parts, sectors of 32 bytes or waves of shared memory,
# beside the fewest that as many bytes need.
#
# ===-----------------------------------------------------------------------===#
import collections
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
for kernel in report["kernels"]:
    print(f"{kernel['name']}: {kernel['instructions']} instructions")
    sums = collections.defaultdict(collections.Counter)
    for access in kernel["accesses"]:
        for count in ("requests", "parts", "idealParts"):
            sums[access["space"]][count] += access[count]
    for space, sum in sorted(sums.items()):
        print(
            f"  {space}: {sum['requests']} requests,"
            f" {sum['parts']} parts of {sum['idealParts']}"
        )
