# ===- chunk_chain.py - A state through chunks of products of tiles ---------===#
#
# Part of the Delta-Net project.
#
# Usage: chunk_chain.py FOLDER [FAULT]. A state [V,K] in accumulators goes through two
# chunks of 64 tokens, the second one cut off, by the products that tensor cores make
# of it: of f16 with powers of two, and of causal TF32 (docs/gpu-roundings.md, x1).
# What comes out is held to loops over lists that round where the kernel does; all
# else is exact in f32. Zero blocks of causal operands are NaN. Accesses of shared
# memory with bank conflicts are reported, too. FAULT is added to the last element of
# what is expected.
#
# ===-----------------------------------------------------------------------===#
import math
import pathlib
import random
import struct
import sys

import kernels
from chunk_kernel import ARGUMENTS, CHUNK, CHUNKS, KEYS, ROWS, TOKENS, kernel


def rounded(value, bits):
    """The nearest number of so many bits, ties to even."""
    if value == 0:
        return value
    unit = 2.0 ** (math.frexp(value)[1] - bits)
    return round(value / unit) * unit


def scaled(matrix):
    """Rows as f16 of the same greatest exponent, and what takes that back."""
    largest = [max(map(abs, row)) for row in matrix]
    scales = [2.0 ** (15 - math.frexp(each)[1]) if each else 1.0 for each in largest]
    to_half = lambda value: struct.unpack("<e", struct.pack("<e", value))[0]
    halves = [[to_half(scale * x) for x in row] for scale, row in zip(scales, matrix)]
    return halves, [1 / scale for scale in scales]


def times_transposed(a, b, causal=False):
    """a · bᵀ, with terms up to the column alone if b is causal."""
    dot = lambda x, y: math.fsum(map(float.__mul__, x, y))
    ends = [column + 1 if causal else len(row) for column, row in enumerate(b)]
    return [[dot(row[:end], other[:end]) for other, end in zip(b, ends)] for row in a]


def expected(given):
    cut = lambda name, columns: [
        given[name][i : i + columns] for i in range(0, len(given[name]), columns)
    ]
    columns = {"state": KEYS, "k": KEYS, "q": KEYS, "t": CHUNK, "p": CHUNK, "v": ROWS}
    matrices = {name: cut(name, count) for name, count in columns.items()}
    matrices["v"] += [[0.0] * ROWS] * (CHUNKS * CHUNK - TOKENS)
    s, out, tokens = matrices["state"], [], range(CHUNK)
    near = lambda matrix: [[rounded(e, 11) for e in row] for row in matrix]
    for number in range(CHUNKS):
        here = slice(number * CHUNK, (number + 1) * CHUNK)
        k, q, t, p, v = (matrices[name][here] for name in "kqtpv")
        f, g, w = (given[name][here] for name in ["key_factors", "query_factors", "weights"])
        a, inverse = scaled(s)
        read, asked = times_transposed(a, k), times_transposed(a, q)
        x = [[v[j][i] - read[i][j] * inverse[i] * f[j] for j in tokens] for i in range(ROWS)]
        d = times_transposed(near(x), t, causal=True)
        o = times_transposed(near(d), p, causal=True)
        for j in tokens:
            out += [rounded(o[i][j] + asked[i][j] * inverse[i] * g[j], 8) for i in range(ROWS)]
        b, inverse = scaled([[e * weight for e, weight in zip(row, w)] for row in d])
        added = times_transposed(b, list(zip(*k)))
        decay = given["decays"][number]
        for row, sums, i in zip(s, added, inverse):
            row[:] = [decay * e + sum_ * i for e, sum_ in zip(row, sums)]
    return {"o": out[: TOKENS * ROWS], "final": sum(s, [])}


def inputs():
    some = lambda count, values: [float(random.choice(values)) for _ in range(count)]
    tokens = CHUNKS * CHUNK
    given = {each[0]: some(math.prod(each[3]), [0] * 5 + [-1, 1]) for each in ARGUMENTS[:5]}
    given["state"] = [random.randrange(-3, 4) * 2.0 ** (i // KEYS % 5 - 2) for i in range(ROWS * KEYS)]
    given["v"] = some(TOKENS * ROWS, range(-3, 4))
    for name in ["key_factors", "query_factors", "weights"]:
        given[name] = some(tokens, [0.5, 1, 2])
    given["decays"] = [0.5, 0.25]
    # Blocks above the diagonal are never read, the rest of it is zero.
    for name in "tp":
        for i in range(tokens * CHUNK):
            row, column = i // CHUNK % CHUNK, i % CHUNK
            if column > row:
                given[name][i] = math.nan if column // 8 > row // 8 else 0.0
    return given


def main():
    random.seed(3)
    folder = pathlib.Path(sys.argv[1])
    given = inputs()
    wanted = expected(given)
    for values in wanted.values():
        values[-1] += int((sys.argv + ["0"])[2])
    failed = False
    for name, v_in_shared in {"from_global": False, "from_shared": True}.items():
        text, used = kernel(name, v_in_shared)
        ptx = folder / f"{name}.ptx"
        kernels.lower(text, ptx)
        outputs, report = kernels.simulate(ptx, name, 128, ARGUMENTS, given, folder, used)
        shared = [each for each in report["accesses"] if each["space"] == "shared"]
        conflicts = sum(each["parts"] - each["idealParts"] for each in shared)
        print(f"{name}: {len(shared)} accesses of shared memory, {conflicts} conflicts")
        failed |= conflicts != 0
        for output, values in outputs.items():
            wrong = sum(got != want for got, want in zip(values, wanted[output]))
            print(f"{name}: {output}: {wrong} of {len(values)} differ")
            failed |= wrong != 0
    return failed


sys.exit(main())
