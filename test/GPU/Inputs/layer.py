# ===- layer.py - One rule of a model's layer -------------------------------===#
#
# Part of the Delta-Net project.
#
# Usage: layer.py LAYOUT TYPE SIZE. Prints a gated rule with 4 key and 8 value heads and
# an L2 norm, for the state layout (kv or vk), the type of q and K = V = SIZE, or KxV.
#
# ===-----------------------------------------------------------------------===#
import re
import sys


def rule(layout, io, size, schedule=None):
    """With the schedule instead of the cost model's, and the name of its algorithm."""
    algorithm = f"_{re.match('[a-z]+', schedule)[0]}" if schedule else ""
    sizes = str(size).split("x")
    of = {"k": sizes[0], "v": sizes[-1]}
    keys, values = f"tensor<?x4x{of['k']}x{io}>", f"tensor<?x8x{of['v']}x{io}>"
    heads, state = "tensor<?x8xf32>", f"tensor<?x8x{of[layout[0]]}x{of[layout[1]]}xf32>"
    types = f"{keys}, {keys}, {values}, {heads}, {heads}, {state}, tensor<?xi32>"
    schedules = f", schedules = [#deltanet.schedule<{schedule}>]" if schedule else ""
    return f"""\
func.func @{layout}_{io}_{size}{algorithm}(%q: {keys}, %k: {keys}, %v: {values}, %g: {heads},
    %beta: {heads}, %s: {state}, %cu: tensor<?xi32>) -> ({values}, {state}) {{
  %o, %final = deltanet.delta_rule gated, grouped, {layout} q(%q) k(%k) v(%v) g(%g)
      beta(%beta) state(%s) cu_seqlens(%cu) {{l2norm_eps = 1.0e-6 : f32{schedules}}}
      : ({types}) -> ({values}, {state})
  return %o, %final : {values}, {state}
}}
"""


if __name__ == "__main__":
    print(rule(*sys.argv[1:]), end="")
