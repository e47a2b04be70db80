# ===- chunk_kernel.py - A kernel that takes a state through chunks ---------===#
#
# Part of the Delta-Net project.
#
# The text of a kernel that chunk_chain.py runs: a state [V,K] in accumulators, and for
# each chunk of tokens the products of docs/gpu-roundings.md, x1.
#
# ===-----------------------------------------------------------------------===#

ROWS, KEYS, CHUNK, CHUNKS, TOKENS = 64, 128, 64, 2, 101

SUMS = "#fragment.accumulator<warps = [4, 1]>"
STATE = f"!fragment.tile<{ROWS}x{KEYS}xf32, {SUMS}>"
VALUES = f"!fragment.tile<{ROWS}x{CHUNK}xf32, {SUMS}>"
ROW = f"!fragment.tile<1x{CHUNK}xf32, {SUMS}>"
COLUMN = f"!fragment.tile<{ROWS}x1xf32, {SUMS}>"
NARROW = VALUES.replace("f32", "bf16")
CUT = f"memref<?x{ROWS}xbf16, strided<[{ROWS}, 1], offset: ?>, 1>"
SHARED = {
    "k": f"memref<{CHUNK}x{KEYS}xf16, 3>",
    "q": f"memref<{CHUNK}x{KEYS}xf16, 3>",
    "t": f"memref<{CHUNK}x{CHUNK}xf32, 3>",
    "p": f"memref<{CHUNK}x{CHUNK}xf32, 3>",
    "v": f"memref<{CHUNK}x{ROWS}xbf16, 3>",
}

ARGUMENTS = [
    ("state", "in", "f32", [ROWS, KEYS]),
    ("k", "in", "f16", [CHUNKS * CHUNK, KEYS]),
    ("q", "in", "f16", [CHUNKS * CHUNK, KEYS]),
    ("t", "in", "f32", [CHUNKS * CHUNK, CHUNK]),
    ("p", "in", "f32", [CHUNKS * CHUNK, CHUNK]),
    ("key_factors", "in", "f32", [CHUNKS * CHUNK]),
    ("query_factors", "in", "f32", [CHUNKS * CHUNK]),
    ("weights", "in", "f32", [CHUNKS * CHUNK]),
    ("decays", "in", "f32", [CHUNKS]),
    ("v", "in", "bf16", [TOKENS, ROWS]),
    ("o", "out", "bf16", [TOKENS, ROWS]),
    ("final", "out", "f32", [ROWS, KEYS]),
    f"u64:{TOKENS}",
]


def memory(name):
    element, shape = next((each[2], each[3]) for each in ARGUMENTS if each[0] == name)
    return f"memref<{'x'.join(map(str, shape))}x{element}, 1>"


class Chunk:
    """What the body of the loop computes, from the state %held to the state %next. Values
    are known by name, the arguments of a map by the letters that its body uses."""

    def __init__(self, v_in_shared):
        self.text, self.types = "", {"held": STATE, "zeros": VALUES, "state_zeros": STATE}
        self.scale("old", "held")
        self.multiply("read", "old", "k", "zeros", "dims [1, 0]")
        self.multiply("asked", "old", "q", "zeros", "dims [1, 0]")
        source = f"%v_shared dims [1, 0] swizzled : {SHARED['v']}"
        self.load("values", source if v_in_shared else f"%v_here dims [1, 0] : {CUT}", NARROW)
        self.load_factors("key_factors")
        change = """
              %e = arith.extf %v : bf16 to f32
              %y0 = arith.mulf %y, %s : f32
              %y1 = arith.mulf %y0, %f : f32
              %z = arith.subf %e, %y1 : f32"""
        self.map(change, {"change": VALUES}, v="values", y="read", s="old_inverse", f="key_factors")
        self.load_factors("query_factors")
        before = """
              %y0 = arith.mulf %y, %s : f32
              %z = arith.mulf %y0, %f : f32"""
        self.map(before, {"before": VALUES}, y="asked", s="old_inverse", f="query_factors")
        self.round("change_near", "change")
        self.multiply("delta", "change_near", "t", "zeros", "dims [1, 0] causal")
        self.round("delta_near", "delta")
        self.multiply("sums", "delta_near", "p", "before", "dims [1, 0] causal")
        self.map("%z = arith.truncf %x : f32 to bf16", {"out": NARROW}, x="sums")
        self.text += f"""
            fragment.store %out, %o_here dims [1, 0] : {NARROW}, {CUT}"""
        self.load_factors("weights")
        self.map("%z = arith.mulf %x, %f : f32", {"kept": VALUES}, x="delta", f="weights")
        self.scale("new", "kept")
        self.multiply("added", "new", "k", "state_zeros", "")
        self.text += f"""
            %decay = memref.load %decays_in[%number] : {memory('decays')}"""
        following = """
              %y0 = arith.mulf %y, %s : f32
              %z = math.fma %x, %decay, %y0 : f32"""
        self.map(following, {"next": STATE}, x="held", y="added", s="new_inverse")

    def load(self, name, source, tile):
        self.types[name] = tile
        self.text += f"""
            %{name} = fragment.load {source} -> {tile}"""

    def load_factors(self, name):
        """A factor for each token of the chunk."""
        here = f"memref<{CHUNK}xf32, strided<[1], offset: ?>, 1>"
        self.text += f"""
            %{name}_here = memref.subview %{name}_in[%first] [{CHUNK}] [1]
                : {memory(name)} to {here}"""
        self.load(name, f"%{name}_here dims [1] alignment 16 : {here}", ROW)

    def map(self, body, results, **inputs):
        """Results are %z, %z1 … of the body."""
        self.types |= results
        types = [self.types[each] for each in inputs.values()]
        element = lambda tile: tile.split(",")[0].split("x")[-1]
        arguments = ", ".join(f"%{name}: {element(tile)}" for name, tile in zip(inputs, types))
        values = ", ".join(["%z", "%z1"][: len(results)])
        self.text += f"""
            {", ".join(f"%{name}" for name in results)} = fragment.map
                {", ".join(f"%{value}" for value in inputs.values())}
                : ({", ".join(types)}) -> ({", ".join(results.values())}) {{
            ^bb0({arguments}):
              {body}
              fragment.yield {values} : {", ".join(map(element, results.values()))}
            }}"""

    def multiply(self, result, left, right, sums, how):
        """A product with what lies in shared memory, of the tile as left operand."""
        tile, self.types[result] = self.types[left], self.types[sums]
        left_tile = tile.replace("accumulator", "left")
        self.text += f"""
            %{result}_left = fragment.cast %{left} : {tile} to {left_tile}
            %{result} = fragment.mma %{result}_left, %{right}_shared, %{sums} {how}
                : {left_tile}, {SHARED[right]}, {self.types[sums]}"""

    def scale(self, name, value):
        """Rows as f16, scaled by powers of two, and what takes the scales back."""
        tile = self.types[value]
        self.map("%z = math.absf %x : f32", {f"{name}_size": tile}, x=value)
        self.text += f"""
            %{name}_max = fragment.reduce max %{name}_size along 1 : {tile} -> {COLUMN}"""
        self.types[f"{name}_max"] = COLUMN
        powers = """
              %bits = arith.bitcast %m : f32 to i32
              %field = arith.shrui %bits, %c23 : i32
              %wanted = arith.subi %c268, %field : i32
              %at_least = arith.maxsi %wanted, %c1_i32 : i32
              %own = arith.minsi %at_least, %c253 : i32
              %other = arith.subi %c254, %own : i32
              %own_bits = arith.shli %own, %c23 : i32
              %other_bits = arith.shli %other, %c23 : i32
              %z = arith.bitcast %own_bits : i32 to f32
              %z1 = arith.bitcast %other_bits : i32 to f32"""
        self.map(powers, {f"{name}_scale": COLUMN, f"{name}_inverse": COLUMN}, m=f"{name}_max")
        half = """
              %y = arith.mulf %x, %s : f32
              %z = arith.truncf %y : f32 to f16"""
        self.map(half, {name: tile.replace("f32", "f16")}, x=value, s=f"{name}_scale")

    def round(self, name, value):
        """To the nearest TF32, in all bits but those that a product ignores."""
        near = """
              %bits = arith.bitcast %x : f32 to i32
              %last = arith.shrui %bits, %c13 : i32
              %odd = arith.andi %last, %c1_i32 : i32
              %half = arith.addi %odd, %c4095 : i32
              %sum = arith.addi %bits, %half : i32
              %z = arith.bitcast %sum : i32 to f32"""
        self.map(near, {name: VALUES}, x=value)


def kernel(name, v_in_shared):
    """The text, and the bytes of shared memory."""
    views, copies, used = "", "", 0
    for each, shared in SHARED.items():
        rows, columns, element = shared.split(",")[0][len("memref<") :].split("x")
        here = f"memref<{rows}x{columns}x{element}, strided<[{columns}, 1], offset: ?>, 1>"
        size = rows
        if each == "v":
            here, size = CUT, "%rows"
        views += f"""
          %at_{each} = arith.constant {used} : index
          %{each}_shared = memref.view %arena[%at_{each}][] : memref<0xi8, 3> to {shared}"""
        copies += f"""
            %{each}_here = memref.subview %{each}_in[%first, 0] [{size}, {columns}] [1, 1]
                : {memory(each)} to {here}"""
        if each != "v" or v_in_shared:
            copies += f"""
            fragment.copy_async %{each}_here to %{each}_shared alignment 16 swizzled
                : {here}, {shared}"""
        used += int(rows) * int(columns) * (4 if element == "f32" else 2)
    parameters = ", ".join(f"%{each[0]}_in: {memory(each[0])}" for each in ARGUMENTS[:-1])
    constants = "".join(
        f"\n          %{'c1_i32' if each == 1 else f'c{each}'} = arith.constant {each} : i32"
        for each in [1, 13, 23, 253, 254, 268, 4095]
    )
    text = f"""
        memref.global @arena : memref<0xi8, 3> {{alignment = 128}}
        func.func @{name}({parameters}, %tokens: index)
            attributes {{nvvm.reqntid = array<i32: 128>}} {{
          %zero = arith.constant 0.0 : f32
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c64 = arith.constant {CHUNK} : index{constants}
          %arena = memref.get_global @arena : memref<0xi8, 3>{views}
          %zeros = fragment.splat %zero : {VALUES}
          %state_zeros = fragment.splat %zero : {STATE}
          %initial = fragment.load %state_in alignment 16 : {memory('state')} -> {STATE}
          %chunks = arith.ceildivui %tokens, %c64 : index
          %last = scf.for %number = %c0 to %chunks step %c1 iter_args(%held = %initial) -> ({STATE}) {{
            %first = arith.muli %number, %c64 : index
            %left = arith.subi %tokens, %first : index
            %rows = arith.minui %left, %c64 : index
            %o_here = memref.subview %o_in[%first, 0] [%rows, {ROWS}] [1, 1] : {memory('o')} to {CUT}
            fragment.barrier{copies}
            fragment.commit
            fragment.wait 0
            fragment.barrier{Chunk(v_in_shared).text}
            scf.yield %next : {STATE}
          }}
          fragment.store %last, %final_in alignment 16 : {STATE}, {memory('final')}
          return
        }}
    """
    return text, used
