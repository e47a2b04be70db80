//===- Passes.td - Every pass, in pipeline order ------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
// Read from top to bottom: this is the pipeline. The headings are the stages of
// lib/Pipelines/Stages.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PASSES
#define DELTANET_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// rule
//===----------------------------------------------------------------------===//

def FormKernels : Pass<"deltanet-form-kernels", "::mlir::ModuleOp"> {
  let summary = "give every kernel function its canonical, destination-passing "
                "form";
  let description = [{
    A kernel is a public function whose body is one `deltanet.delta_rule` on its
    arguments. The pass checks that, orders the arguments (q, k, v, g, beta,
    state_in, cu_seqlens, scale, o, state_out, those that exist), names each by a
    `deltanet.role`, makes the scale an argument and the outputs destinations.
    All later passes and the C ABI rely on this form.

    Before:
    ```mlir
    func.func @f(%q: …, %k: …, %v: …, %b: …) -> tensor<?x2x16xf32> {
      %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : …
      return %o
    }
    ```
    After:
    ```mlir
    func.func @f(%q: … {deltanet.role = #deltanet<role q>}, …, %scale: f32,
                 %dst: tensor<?x2x16xf32> {deltanet.role = #deltanet<role o>})
        attributes {deltanet.kernel = #deltanet.kernel<…>} {
      %o = deltanet.delta_rule … scale(%scale) outs(%dst) : …
      return %o
    }
    ```
  }];
}

#endif // DELTANET_PASSES
