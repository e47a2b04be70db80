// empty module
// error: expected at least one kernel in the module, got none
module attributes {deltanet.target = #avx2} {}
// -----
// a module without a target
// error: expected a #deltanet.target in 'deltanet.target', got none
module {
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
}
// -----
// a target that is text
// error: expected a #deltanet.target or #deltanet.gpu_target in 'deltanet.target', got "avx2"
module attributes {deltanet.target = "avx2"} {}
// -----
// a target that is a GPU
// error: expected a #deltanet.target in 'deltanet.target' for the stage 'layout', got #deltanet.gpu_target<
module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912, shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
  func.func @k(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>, %beta: tensor<?x1xf32>) -> tensor<?x1x16xf32> {
    %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
        : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1xf32>) -> tensor<?x1x16xf32>
    return %o : tensor<?x1x16xf32>
  }
}
// -----
// a target without caches
module attributes {
  // error: expected ','
  deltanet.target = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2, fma = true>} {}
// -----
// a target that does not exist
module attributes {
  // error: expected isa generic on aarch64, got avx2
  deltanet.target = #deltanet.target<arch = aarch64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>} {}
// -----
// a kernel with an extra operation
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: 'tensor.empty' op expected only a delta_rule and a return in a kernel
  %e = tensor.empty() : tensor<4xf32>
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// an operand that is no argument
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: 'arith.negf' op expected only a delta_rule and a return in a kernel
  %n = arith.negf %q : !x
  %o = deltanet.delta_rule delta, grouped, kv q(%n) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// two rules
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  // error: expected one delta_rule in a kernel, got a second one
  %p = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%o) beta(%b) : (!x, !x, !x, !b) -> !x
  return %p : !x
}
// -----
// an argument used twice
func.func @f(%q: !x, %v: !x, %b: !b) -> !x {
  // error: expected each kernel argument to be used once
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// an argument that is not used
// error: expected every argument of a kernel to be an operand of its delta_rule
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b, %x: i64) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// the output is dropped
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !s {
  %o, %s = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> (!x, !s)
  // error: expected a kernel to return the results of its delta_rule, in order
  return %s : !s
}
// -----
// an argument is returned
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected each kernel argument to be used once, got another use of argument 2 as v
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %v : !x
}
// -----
// recursion
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: 'func.call' op expected only a delta_rule and a return in a kernel
  %r = call @f(%q, %k, %v, %b) : (!x, !x, !x, !b) -> !x
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%r) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// several blocks
// error: expected a kernel of one block, got 2
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  cf.br ^bb1
^bb1:
  return %o : !x
}
// -----
// a rule in a loop
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b, %n: index) -> !x {
  // error: 'scf.for' op expected only a delta_rule and a return in a kernel
  %r = scf.for %i = %n to %n step %n iter_args(%a = %v) -> !x {
    %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%a) beta(%b) : (!x, !x, !x, !b) -> !x
    scf.yield %o : !x
  }
  return %r : !x
}
// -----
// an external function
// error: expected a kernel with a body, got a declaration
func.func private @f(!x, !x, !x, !b) -> !x
// -----
// a private function
// error: expected a public kernel, got a private one
func.func private @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a function without a rule
// error: expected a delta_rule in a kernel, got none
func.func @f() { return }
// -----
// a function of another dialect
// error: 'llvm.func' op expected only functions that are kernels in a module
llvm.func @f() { llvm.return }
// -----
// an operation between the kernels
// error: 'arith.constant' op expected only functions that are kernels in a module
%c = arith.constant 1 : i32
// -----
// a kernel in an inner module
module attributes {deltanet.target = #avx2} {
// error: 'builtin.module' op expected only functions that are kernels in a module
module @inner {
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
}
}
// -----
// a name of two words
// error: expected the name of a kernel to be a C identifier, got 'gated delta'
func.func @"gated delta"(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a name with a dot
// error: expected the name of a kernel to be a C identifier, got 'f.stage0'
func.func @f.stage0(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a name beyond ASCII
// error: expected the name of a kernel to be a C identifier, got 'δ'
func.func @"δ"(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// no name
// error: expected the name of a kernel to be a C identifier, got ''
func.func @""(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a name that the library needs
// error: expected the name of a kernel that leaves dn_query to the runtime, got 'query'
func.func @query(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a name that the runtime's header needs
// error: expected the name of a kernel that leaves dn_run to the runtime, got 'run'
func.func @run(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a static number of sequences
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b, %cu: tensor<5xi32>) -> !x {
  // error: expected a dynamic N in the type of cu_seqlens of a kernel, got 'tensor<5xi32>'
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) cu_seqlens(%cu) : (!x, !x, !x, !b, tensor<5xi32>) -> !x
  return %o : !x
}
// -----
// facts that are not those of the rule
// error: expected 'deltanet.kernel' to say what the kernel's delta_rule computes
func.func @f(%q: !x {deltanet.role = #deltanet<role q>}, %k: !x {deltanet.role = #deltanet<role k>}, %v: !x {deltanet.role = #deltanet<role v>}, %b: !b {deltanet.role = #deltanet<role beta>}) -> !x attributes {deltanet.kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>} {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a pass over the state with negative rows
func.func @f(%s: tensor<16x8xf32>, %p: tensor<1x2x16xf32>, %d: tensor<1x8xf32>, %c: tensor<6xf32>) {
  // error: expected 1 to 8 rows that divide K (16), got -1
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%p) delta(%d) values(%d) coefficients(%c) outs(%d) {rows = -1 : i64} : (tensor<16x8xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<6xf32>, tensor<1x8xf32>) -> (tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  return
}
// -----
// a kernel that does nothing
// error: expected a 'deltanet.role' on argument 0 of a kernel, got none
func.func @f(%q: !x) attributes {deltanet.kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>} { return }
