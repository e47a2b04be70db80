// RUN: delta-opt %s -deltanet-form-kernels -split-input-file -verify-diagnostics

// Constraints C17 and C18.

// expected-error@+1 {{expected at least one kernel in the module, got none}}
module {}

// -----

// expected-error@+1 {{'memref.global' op expected only functions that are kernels in a module, got this operation}}
memref.global "private" @g : memref<4xf32>

// -----

// expected-error@+1 {{'builtin.module' op expected only functions that are kernels in a module}}
module @inner {}
// expected-error@+1 {{'builtin.module' op expected only functions that are kernels in a module}}
module @other {}

// -----

// expected-error@+1 {{expected a kernel with a body, got a declaration}}
func.func private @extern(tensor<4xf32>)

// -----

// expected-error@+1 {{expected a public kernel, got a private one}}
func.func private @hidden() { return }

// -----

// expected-error@+1 {{expected the name of a kernel to be a C identifier, got 'two words'}}
func.func @"two words"() { return }

// -----

// expected-error@+1 {{expected the name of a kernel to be a C identifier, got '2nd'}}
func.func @"2nd"() { return }

// -----

// expected-error@+1 {{expected the name of a kernel that leaves dn_query to the runtime, got 'query'}}
func.func @query() { return }

// -----

// expected-error@+1 {{expected a delta_rule in a kernel, got none}}
func.func @nothing() { return }

// -----

// Every function that is no kernel is reported.

// expected-error@+1 {{expected a delta_rule in a kernel, got none}}
func.func @first() { return }
// expected-error@+1 {{expected a delta_rule in a kernel, got none}}
func.func @second() { return }

// -----

// expected-error@+1 {{expected a kernel of one block, got 2}}
func.func @blocks() {
  cf.br ^bb1
^bb1:
  return
}

// -----

func.func @other(%q: tensor<?x1x16xf32>) -> f32 {
  // expected-error@+1 {{'arith.constant' op expected only a delta_rule and a return in a kernel, got this operation}}
  %c = arith.constant 1.0 : f32
  return %c : f32
}

// -----

func.func @two(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
               %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  // expected-error@+1 {{'deltanet.delta_rule' op expected one delta_rule in a kernel, got a second one}}
  %p = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%o) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %p : tensor<?x1x16xf32>
}

// -----

func.func @shared(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                  %b: tensor<?x1xf32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected each kernel argument to be used once, got another use of argument 0 as q}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// expected-error@+1 {{expected every argument of a kernel to be an operand of its delta_rule, got 5 arguments and 4 operands}}
func.func @unused(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                  %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>, %x: index)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @results(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                   %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>) {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  // expected-error@+1 {{'func.return' op expected a kernel to return the results of its delta_rule, in order}}
  return
}

// -----

func.func @scale(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                 %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>, %f: f32)
    -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected no outs and no scale operand in a kernel that is not yet in canonical form}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      scale(%f)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @static_n(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                    %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
                    %cu: tensor<3xi32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected a dynamic N in the type of cu_seqlens of a kernel, got 'tensor<3xi32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      cu_seqlens(%cu)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<3xi32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// expected-error@+1 {{expected a 'deltanet.role' on argument 0 of a kernel, got none}}
func.func @no_role(%q: tensor<?x1x16xf32>) attributes {
    deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
        state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32,
        scale = 1.0 : f32>} { return }

// -----

// expected-error@+1 {{expected the arguments of a kernel in the order of their roles, got q after k}}
func.func @order(%k: tensor<?x1x16xf32> {deltanet.role = #deltanet<role k>},
                 %q: tensor<?x1x16xf32> {deltanet.role = #deltanet<role q>})
    attributes {
    deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
        state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32,
        scale = 1.0 : f32>} { return }

// -----

// expected-error@+1 {{expected 'deltanet.kernel' to say what the kernel's delta_rule computes, #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.000000e+00 : f32>, got #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 32, v = 16, io = f32, scale = 1.000000e+00 : f32>}}
func.func @facts(%q: tensor<?x1x16xf32> {deltanet.role = #deltanet<role q>},
                 %k: tensor<?x1x16xf32> {deltanet.role = #deltanet<role k>},
                 %v: tensor<?x1x16xf32> {deltanet.role = #deltanet<role v>},
                 %b: tensor<?x1xf32> {deltanet.role = #deltanet<role beta>})
    -> tensor<?x1x16xf32> attributes {
    deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
        state_layout = kv, h = 1, hv = 1, k = 32, v = 16, io = f32,
        scale = 1.0 : f32>} {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// The rest: kernels that claim to have their form.

// expected-error@+1 {{expected a kernel with a body, got a declaration}}
func.func private @declared(f32 {deltanet.role = #deltanet<role scale>})
    attributes {
    deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
        state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32,
        scale = 1.0 : f32>}

// -----

// expected-error@+1 {{expected a delta_rule in a kernel, got none}}
func.func @empty(%o: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {
    deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
        state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32,
        scale = 1.0 : f32>} { return %o : tensor<?x1x16xf32> }

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
func.func @exchanged(%q: tensor<?x1x16xf32> {deltanet.role = #deltanet<role q>},
                     %k: tensor<?x1x16xf32> {deltanet.role = #deltanet<role k>},
                     %v: tensor<?x1x16xf32> {deltanet.role = #deltanet<role v>},
                     %b: tensor<?x1xf32> {deltanet.role = #deltanet<role beta>},
                     %f: f32 {deltanet.role = #deltanet<role scale>},
                     %d: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected q to be the argument of that role, or what the rule before wrote there, got another value or none}}
  %o = deltanet.delta_rule delta, grouped, kv q(%k) k(%q) v(%v) beta(%b)
      scale(%f) outs(%d)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
func.func @no_outs(%q: tensor<?x1x16xf32> {deltanet.role = #deltanet<role q>},
                   %k: tensor<?x1x16xf32> {deltanet.role = #deltanet<role k>},
                   %v: tensor<?x1x16xf32> {deltanet.role = #deltanet<role v>},
                   %b: tensor<?x1xf32> {deltanet.role = #deltanet<role beta>},
                   %f: f32 {deltanet.role = #deltanet<role scale>},
                   %d: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected o to be the argument of that role}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      scale(%f)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
func.func @returned(%q: tensor<?x1x16xf32> {deltanet.role = #deltanet<role q>},
                    %k: tensor<?x1x16xf32> {deltanet.role = #deltanet<role k>},
                    %v: tensor<?x1x16xf32> {deltanet.role = #deltanet<role v>},
                    %b: tensor<?x1xf32> {deltanet.role = #deltanet<role beta>},
                    %f: f32 {deltanet.role = #deltanet<role scale>},
                    %d: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      scale(%f) outs(%d)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  // expected-error@+1 {{expected a kernel to return the results of its last delta_rule, in order}}
  return %d : tensor<?x1x16xf32>
}

// -----

// expected-error@+1 {{expected no attributes on the arguments of a kernel without 'deltanet.kernel', got "deltanet.role" on argument 0}}
func.func @argument_attribute(
    %q: tensor<?x1x16xf32> {deltanet.role = #deltanet<role v>},
    %k: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// expected-error@+1 {{expected no attributes on the results of a kernel without 'deltanet.kernel', got "llvm.noalias" on result 0}}
func.func @result_attribute(
    %q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
    %b: tensor<?x1xf32>) -> (tensor<?x1x16xf32> {llvm.noalias}) {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
