# ===- chunk_traffic.py - What simulated chunks asked of a GPU --------------===#
#
# Part of the Delta-Net project.
#
# Usage: chunk_traffic.py COUNTS.json SIZE CHUNKS, as `delta-run --device=sim --counts`
# writes it for a rule of layer.py and so many chunks of 64 tokens. Prints for the
# kernels of chunks, a chunk and value head, the executed instructions, waits at
# barriers and products by tensor cores beside those of docs/gpu-roundings.md; and, for
# each kind of access, parts beside the fewest that as many bytes need.
#
# ===-----------------------------------------------------------------------===#
import collections
import json
import re
import sys

HEADS, GROUP, TOKENS = 8, 2, 64
KINDS = ["ldmatrix", "ld.shared", "st.shared", "cp.async", "ld.global", "st.global"]


def products(stage, keys, values):
    """Of 16 by 8 sums and 16 terms, or 8 of tf32."""
    by_keys = (TOKENS // 16) * (TOKENS // 8) * (keys // 16)
    if stage == 1:  # k kᵀ and q kᵀ of a key head
        return 2 * by_keys / GROUP
    read = (values // 16) * (TOKENS // 8) * (keys // 16)  # S kᵀ, and S qᵀ
    pieces = TOKENS // 8
    causal = (values // 16) * pieces * (pieces + 1) // 2  # D Pᵀ
    update = (values // 16) * (keys // 8) * (TOKENS // 16)
    return 2 * read + 3 * causal + update  # X Tᵀ with T as two numbers


def main():
    sizes = [int(size) for size in sys.argv[2].split("x")]
    items = HEADS * int(sys.argv[3])
    with open(sys.argv[1]) as file:
        report = json.load(file)
    for kernel in report["kernels"]:
        stage = int(re.search("_stage([0-9])", kernel["name"])[1])
        if stage == 0:
            continue
        mix = collections.Counter()
        for instruction, count in kernel["mix"].items():
            mix[instruction.split(".")[0]] += count
        least = products(stage, sizes[0], sizes[-1])
        told = [
            f"{kernel['instructions'] / items:.0f} instructions",
            f"{mix['bar'] / items:g} waits",
            f"{mix['mma'] / items:g} products of {least:g}",
        ]
        sums = collections.defaultdict(collections.Counter)
        for access in kernel["accesses"]:
            kind = next((k for k in KINDS if access["instruction"].startswith(k)), None)
            for count in ("requests", "parts", "idealParts"):
                sums[kind][count] += access[count]
        for kind in KINDS:
            if ideal := sums[kind]["idealParts"]:
                of_one = [sums[kind][count] / items for count in ("requests", "parts")]
                told.append(
                    f"{kind} {of_one[0]:.0f} requests, {of_one[1]:.0f} parts,"
                    f" {sums[kind]['parts'] / ideal:.2f}"
                )
        print(f"{kernel['name']}: " + "; ".join(told))


main()
